"""Our own declarations of Java's standard library, written in Java: signatures of types, fields and methods."""
