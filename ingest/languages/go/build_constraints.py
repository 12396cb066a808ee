"""Build constraints: which files belong to a program on one platform, 64-bit Linux with Go 1.26.

All files are indexed, but where several files declare a name for different platforms, this platform's declaration is meant.
See https://pkg.go.dev/cmd/go#hdr-Build_constraints.
"""

from __future__ import annotations

import re
from typing import Final

_CONSTRAINT: Final = re.compile(rb"^//go:build[ \t]+([^\r\n]+)", re.MULTILINE)
_TOKEN: Final = re.compile(r"\|\||&&|!|\(|\)|[\w.]+")
_RELEASE: Final = re.compile(r"go1\.(\d{1,4})")
#: The release of Go that is taken for granted: 1.26.
_LATEST: Final = 26
#: What holds on the platform, besides releases of Go.
_HOLDS: Final = frozenset(("linux", "amd64", "unix", "gc", "cgo"))
_SYSTEMS: Final = frozenset(
    (
        "aix",
        "android",
        "darwin",
        "dragonfly",
        "freebsd",
        "illumos",
        "ios",
        "js",
        "linux",
        "nacl",
        "netbsd",
        "openbsd",
        "plan9",
        "solaris",
        "wasip1",
        "windows",
        "zos",
    )
)
_MACHINES: Final = frozenset(
    (
        "386",
        "amd64",
        "arm",
        "arm64",
        "loong64",
        "mips",
        "mips64",
        "mips64le",
        "mipsle",
        "ppc64",
        "ppc64le",
        "riscv64",
        "s390x",
        "sparc64",
        "wasm",
    )
)
#: Maximum number of words and signs of a constraint that are read.
_MAX_TOKENS: Final = 200


def is_left_out(source: bytes, package_start: int) -> bool:
    """Return whether the constraint before the package clause of a file leaves the file out."""
    found = _CONSTRAINT.search(source, 0, package_start)
    return found is not None and not _Reading(found[1].decode("utf-8", "replace")).holds()


def is_of_another_platform(path: str) -> bool:
    """Return whether the name of a file says that it is for another platform: `poll_windows.go`."""
    words = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test").split("_")[1:]
    if not words:
        return False
    if words[-1] in _MACHINES:
        before = words[-2] if len(words) > 1 else ""
        return words[-1] != "amd64" or (before in _SYSTEMS and before != "linux")
    return words[-1] in _SYSTEMS and words[-1] != "linux"


class _Reading:
    """Reads one constraint from the left."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text.partition("//")[0])[:_MAX_TOKENS]
        self._place = 0

    def holds(self) -> bool:
        found = self._all()
        while self._next("||"):
            other = self._all()
            found = found or other
        return found

    def _all(self) -> bool:
        found = self._one()
        while self._next("&&"):
            other = self._one()
            found = found and other
        return found

    def _one(self) -> bool:
        if self._next("!"):
            return not self._one()
        if self._next("("):
            found = self.holds()
            self._next(")")
            return found
        if self._place >= len(self._tokens):
            return True
        word = self._tokens[self._place]
        self._place += 1
        release = _RELEASE.fullmatch(word)
        return word in _HOLDS or (release is not None and int(release[1]) <= _LATEST)

    def _next(self, token: str) -> bool:
        """Pass a token if it is next."""
        if self._place < len(self._tokens) and self._tokens[self._place] == token:
            self._place += 1
            return True
        return False
