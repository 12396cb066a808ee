"""Our own declarations of Go's types and standard library, in Go: what values are and where they travel."""
