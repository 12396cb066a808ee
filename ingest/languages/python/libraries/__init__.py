"""Our own declarations of libraries, such as object mappers, whose types are needed even if they are not installed."""
