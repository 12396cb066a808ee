"""Our own declarations of Go's types and standard library, written in Go, for the types and the flow of values."""
