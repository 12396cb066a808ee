"""Our own declarations of Go's types and standard library, in Go: the types of values and the flow of values."""
