"""Shared code for reading import statements of languages without a resolver.

A specifier is a text in the syntax of the language. A statement has one specifier for each module that it may refer to. For
example, `from a import b` has `a` and `a.b`, because both may be files. Each branch of a `use` in Rust is a specifier, and
`mod x;` is "mod x".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

SPACES: Final = re.compile(r"\s+")
SLASH_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ITEM: Final = re.compile(r"\s*(?P<path>[^\s,]+)(?:\s+(?:as|=>)\s+(?P<alias>\w+))?")
#: Maximum number of statements in the cache. Each statement is read twice, for specifiers and for local names.
_MAX_STATEMENTS: Final = 4_096


class Specifier(NamedTuple):
    """A module that a statement may refer to, the names that it imports from the module, and their local names."""

    #: "" for a statement that binds names but refers to no file.
    text: str
    names: tuple[str, ...] = ()
    local: tuple[str, ...] = ()
    #: Whether the specifier may be a name in another module of the statement, such as `a.b` in `from a import b`.
    is_inner: bool = False


#: Yields the specifiers of an import statement; none for a statement of another form.
SpecifierReader = Callable[[str], Iterator[Specifier]]


@lru_cache(_MAX_STATEMENTS)
def specifiers(read: SpecifierReader, statement: str) -> tuple[Specifier, ...]:
    """Return the specifiers of an import statement, without repetition."""
    return tuple(dict.fromkeys(read(statement)))


def local_names(read: SpecifierReader, statement: str) -> set[str]:
    """Return the names that an import statement explicitly binds in its file."""
    return {name for specifier in specifiers(read, statement) for name in specifier.local if name.isidentifier()}


def no_specifiers(statement: str) -> Iterator[Specifier]:
    """Read nothing, because imports of the language refer to no files."""
    return iter(())


def items(names: str) -> list[tuple[str, str]]:
    """Split a list into pairs of name and local name: `a, b as c` -> (a, a), (b, c)."""
    return [(item["path"], item["alias"] or item["path"]) for item in map(_ITEM.match, names.split(",")) if item]


def one_line(statement: str) -> str:
    """Write a statement without comments that begin with a slash, on one line."""
    return SPACES.sub(" ", SLASH_COMMENT.sub("", statement)).strip()
