"""The import paths of Go's standard library."""

from __future__ import annotations

from typing import Final

#: Import path with which a file uses C code in a comment.
CGO: Final = "C"
#: First parts of the import paths of the standard library of Go 1.26.
_ROOTS: Final = frozenset(
    [
        "archive",
        "arena",
        "bufio",
        "builtin",
        "bytes",
        "cmp",
        "compress",
        "container",
        "context",
        "crypto",
        "database",
        "debug",
        "embed",
        "encoding",
        "errors",
        "expvar",
        "flag",
        "fmt",
        "go",
        "hash",
        "html",
        "image",
        "index",
        "io",
        "iter",
        "log",
        "maps",
        "math",
        "mime",
        "net",
        "os",
        "path",
        "plugin",
        "reflect",
        "regexp",
        "runtime",
        "simd",
        "slices",
        "sort",
        "strconv",
        "strings",
        "structs",
        "sync",
        "syscall",
        "testing",
        "text",
        "time",
        "unicode",
        "unique",
        "unsafe",
        "weak",
    ]
)


def is_standard(path: str) -> bool:
    """Return whether an import path, such as "net/http", belongs to the standard library."""
    return path.partition("/")[0] in _ROOTS
