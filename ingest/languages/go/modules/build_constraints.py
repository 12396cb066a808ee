"""Build constraints: the files that belong to a program on one platform, for Go 1.26.

All files are indexed. If several files declare a name for different platforms, a use of the name resolves to the declaration for
the host. Code that belongs only to other platforms uses their declarations. See https://pkg.go.dev/cmd/go#hdr-Build_constraints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from ....files.go_modules import host_platform

_CONSTRAINT: Final = re.compile(rb"^//go:build[ \t]+([^\r\n]+)", re.MULTILINE)
_TOKEN: Final = re.compile(r"\|\||&&|!|\(|\)|[\w.]+")
_RELEASE: Final = re.compile(r"go1\.(\d{1,4})")
#: The assumed release of Go: 1.26.
_LATEST: Final = 26
#: Words of constraints that are true on every platform. Releases of Go are also true, and are not listed.
_HOLDS: Final = frozenset(("gc", "cgo"))
#: Operating systems; the most likely systems are tried first.
_SYSTEMS: Final = (
    "linux",
    "windows",
    "darwin",
    "freebsd",
    "openbsd",
    "netbsd",
    "dragonfly",
    "solaris",
    "illumos",
    "aix",
    "android",
    "ios",
    "js",
    "wasip1",
    "plan9",
    "nacl",
    "zos",
)
#: Operating systems for which `unix` is true.
_UNIX: Final = frozenset(
    ["linux", "darwin", "freebsd", "openbsd", "netbsd", "dragonfly", "solaris", "illumos", "aix", "android", "ios"]
)
#: Operating systems that also satisfy the word of another operating system.
_LIKE: Final = {"android": "linux", "ios": "darwin", "illumos": "solaris"}
#: Processor architectures; the most likely architectures are tried first.
_MACHINES: Final = (
    "amd64",
    "arm64",
    "386",
    "arm",
    "wasm",
    "riscv64",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mipsle",
    "ppc64",
    "ppc64le",
    "s390x",
    "sparc64",
)
_PLATFORM_WORDS: Final = frozenset((*_SYSTEMS, *_MACHINES, "unix", *_HOLDS))
#: Maximum number of tokens of a constraint that are read.
_MAX_TOKENS: Final = 200
#: Maximum number of custom build tags that are tried one by one.
_MAX_DEFINED: Final = 6


class Platform(NamedTuple):
    """The target platform of a program."""

    system: str
    machine: str
    #: Custom build tags, which the command line of a build sets.
    tags: frozenset[str] = frozenset()

    def has(self, word: str) -> bool:
        """Return whether a word of a constraint is true on the platform."""
        if word == self.system or word == self.machine or word in _HOLDS or word in self.tags:
            return True
        if word == "unix":
            return self.system in _UNIX
        release = _RELEASE.fullmatch(word)
        return _LIKE.get(self.system) == word or (release is not None and int(release[1]) <= _LATEST)


@cache
def host() -> Platform:
    """Return the platform of this machine, or the platform that `GOOS` and `GOARCH` name."""
    return Platform(*host_platform())


def constraint_of(source: bytes, package_start: int) -> str:
    """Return the constraint before the package clause of a file, or ""."""
    found = _CONSTRAINT.search(source, 0, package_start)
    return found[1].decode("utf-8", "replace").partition("//")[0].strip() if found is not None else ""


def holds(path: str, constraint: str, platform: Platform) -> bool:
    """Return whether a file belongs to the program on a platform, by its name and its constraint."""
    return _holds(_words_of(path), constraint, platform)


def _holds(words: tuple[str, ...], constraint: str, platform: Platform) -> bool:
    return all(platform.has(word) for word in words) and (not constraint or _Reading(constraint, platform).holds())


def is_left_out(path: str, constraint: str) -> bool:
    """Return whether a file belongs to the program only on platforms other than the host's."""
    return not _holds_here(_words_of(path), constraint)


@cache
def _holds_here(words: tuple[str, ...], constraint: str) -> bool:
    return _holds(words, constraint, host())


def variant(path: str, constraint: str) -> str:
    """Return the platforms of a file as a text: `windows` for `poll_windows.go`, "" for all platforms."""
    words = _words_of(path)
    if constraint and words:
        return " && ".join((*words, f"({constraint})" if "||" in constraint else constraint))
    return constraint or " && ".join(words)


def fits(path: str, constraint: str, other_path: str, other_constraint: str) -> bool:
    """Return whether two files belong to the program on a common platform."""
    words, other_words = _words_of(path), _words_of(other_path)
    if not (constraint or words) or not (other_constraint or other_words):
        return True
    return _allow_common_platform(words, constraint, other_words, other_constraint)


@cache
def _allow_common_platform(words: tuple[str, ...], constraint: str, other_words: tuple[str, ...], other_constraint: str) -> bool:
    """Return whether words and constraints allow a common platform.

    The result is cached, because it is the same for many files of a folder.
    """
    return any(
        _holds(words, constraint, platform) and _holds(other_words, other_constraint, platform)
        for platform in _platforms(constraint, other_constraint)
    )


def _platforms(*constraints: str) -> Iterator[Platform]:
    """Yield the platforms on which constraints are tried: without custom build tags, with all tags, and with single tags."""
    defined = {word for text in constraints for word in _TOKEN.findall(text)[:_MAX_TOKENS] if word[0].isalpha() or word[0] == "_"}
    defined -= _PLATFORM_WORDS
    defined = {word for word in defined if not _RELEASE.fullmatch(word)}
    own = host()
    for system in (own.system, *_SYSTEMS):
        for machine in (own.machine, *_MACHINES):
            yield Platform(system, machine)
            if defined:
                yield Platform(system, machine, frozenset(defined))
            if len(defined) > 1:
                for word in sorted(defined)[:_MAX_DEFINED]:
                    yield Platform(system, machine, frozenset((word,)))


@cache
def _words_of(path: str) -> tuple[str, ...]:
    """Return the words in the name of a file that limit its platforms: `poll_windows.go`."""
    words = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test").split("_")[1:]
    if not words:
        return ()
    if words[-1] in _MACHINES:
        return tuple(words[-2:]) if len(words) > 1 and words[-2] in _SYSTEMS else (words[-1],)
    return (words[-1],) if words[-1] in _SYSTEMS else ()


class _Reading:
    """Reads one constraint from the left."""

    def __init__(self, text: str, platform: Platform) -> None:
        self._tokens = _TOKEN.findall(text)[:_MAX_TOKENS]
        self._platform = platform
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
        return self._platform.has(word)

    def _next(self, token: str) -> bool:
        """Consume the next token if it equals `token`. Return whether it does."""
        if self._place < len(self._tokens) and self._tokens[self._place] == token:
            self._place += 1
            return True
        return False
