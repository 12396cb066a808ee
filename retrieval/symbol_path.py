"""The query `symbol = …`: a name, a parent and a name, or a file, parents and a name."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PREFIX = re.compile(r"\s*symbol\s*=\s*(?P<path>.*?)\s*\Z", re.DOTALL | re.IGNORECASE)
#: With spaces around it: the `>` that closes type arguments has none before it.
_SEPARATOR = re.compile(r"\s+>\s+")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>")
_SOURCE_FILE = re.compile(r"\.[cm]?[jt]sx?$")


@dataclass(frozen=True, slots=True)
class SymbolPath:
    """What to look up. `names` go from the outermost to the wanted one; empty asks for the whole file."""

    file: str | None
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The path as it is written behind `symbol = `."""
        return " > ".join((*((self.file,) if self.file else ()), *self.names))


def read_symbol_path(query: str) -> SymbolPath | None:
    """The symbol path of a query; None when the query is no symbol lookup. Its names are empty when none is given."""
    match = _PREFIX.match(query)
    if match is None:
        return None
    parts = [part for part in map(_part, _SEPARATOR.split(match["path"])) if part]
    if parts and _is_file(parts[0]):
        return SymbolPath(parts[0].removeprefix("./"), tuple(parts[1:]))
    return SymbolPath(None, tuple(parts))


def _part(written: str) -> str:
    """A part without quotes, call parentheses and type arguments: `Repository<User>` is declared as `Repository`."""
    part = written.strip().strip("`'\"")
    if _is_file(part):
        return part.replace("\\", "/")
    part = re.sub(r"\(\s*\)$", "", part)
    while (bare := _TYPE_ARGUMENTS.sub("", part)) != part:
        part = bare
    return part.strip()


def _is_file(part: str) -> bool:
    return "/" in part or _SOURCE_FILE.search(part) is not None
