"""What import statements of languages without a resolver name. Each language reads its own statements; this is what they share.

A specifier is what the language writes, one for each module that a statement may mean: of `from a import b` both `a` and `a.b`,
since either may be a file. Of a `use` of Rust each branch is a path of its own; `mod x;` is "mod x".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

SPACES: Final = re.compile(r"\s+")
SLASH_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ITEM: Final = re.compile(r"\s*(?P<path>[^\s,]+)(?:\s+(?:as|=>)\s+(?P<alias>\w+))?")
#: Statements whose parts are remembered: each is asked for what it names, and for the names that it brings.
_MAX_STATEMENTS: Final = 4_096


class Specifier(NamedTuple):
    """A module that a statement may mean, the names that it takes from there, and what these are called in the file."""

    #: "" for a statement that names no file and yet brings names.
    text: str
    names: tuple[str, ...] = ()
    local: tuple[str, ...] = ()


#: Reads the specifiers of an import statement; none for one of another form.
SpecifierReader = Callable[[str], Iterator[Specifier]]


@lru_cache(_MAX_STATEMENTS)
def specifiers(read: SpecifierReader, statement: str) -> tuple[Specifier, ...]:
    """Return the specifiers of an import statement, each once."""
    return tuple(dict.fromkeys(read(statement)))


def local_names(read: SpecifierReader, statement: str) -> set[str]:
    """Return the names that an import statement brings into its file, as far as it says them."""
    return {name for specifier in specifiers(read, statement) for name in specifier.local if name.isidentifier()}


def no_specifiers(statement: str) -> Iterator[Specifier]:
    """Read nothing: imports of some languages name no files."""
    return iter(())


def items(names: str) -> list[tuple[str, str]]:
    """Split a list into pairs of name and local name: `a, b as c` -> (a, a), (b, c)."""
    return [(item["path"], item["alias"] or item["path"]) for item in map(_ITEM.match, names.split(",")) if item]


def one_line(statement: str) -> str:
    """Write a statement without comments that begin with a slash, on one line."""
    return SPACES.sub(" ", SLASH_COMMENT.sub("", statement)).strip()
