"""Our own declarations of Java's library, as far as values travel through it."""
