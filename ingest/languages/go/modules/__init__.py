"""Modules of Go: `go.mod` and `go.work`, read and never run, and the sources of other modules on this machine."""
