"""Modules of Go: `go.mod` and `go.work`, read and never run, build constraints, and the names of packages."""
