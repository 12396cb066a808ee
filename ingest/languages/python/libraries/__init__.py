"""Our own declarations of libraries whose types show the use of data by code, whether or not they are installed."""
