"""Our own declarations of the library of Java, in Java: the signatures of types, fields and methods that code may use."""
