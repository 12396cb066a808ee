"""Modules of Go: what `go.mod` and `go.work` say, read and never run, and the sources of other modules on this machine."""
