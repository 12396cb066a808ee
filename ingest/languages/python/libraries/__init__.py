"""Our own declarations of libraries whose values tell what code does with data, whether or not they are installed."""
