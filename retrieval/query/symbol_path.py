"""Parse symbol lookups: `symbol = name`, `symbol = Parent > name` or `symbol = src/a.ts > Parent > name`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...schema.languages import INDEXED_ENDING

_PREFIX = re.compile(r"\s*symbol\s*=\s*(?P<path>.*?)\s*\Z", re.DOTALL | re.IGNORECASE)
#: Separators of a path. A `>` is a separator after a space or a name. Type arguments are already removed, so any other `>` is
#: part of `=>`.
_SEPARATOR = re.compile(r"\s+>|(?<=[\w$)\]}'\"`])\s*>(?!\s*=)|(?<=\w)->(?=\w)|::|\s+→\s+|(?<=[\w$])(?=#[\w$])")
_TYPE_ARGUMENTS = re.compile(r"(?<=[\w$>])<(?=[^\s=])[^<>]*>")
_SOURCE_FILE = re.compile(INDEXED_ENDING + "$")
#: A place in the format of compilers and stack traces: `src/a.ts:12`, `src/a.ts:12:5`; in notebooks `a.ipynb:cell 3:12`.
_PLACE = re.compile(
    rf"(?P<file>.*{INDEXED_ENDING}):(?:cell (?P<cell>\d{{1,9}})(?::(?P<within>\d{{1,9}}))?|(?P<line>\d{{1,9}}))(?::\d+)?$"
)
#: Keywords before the name in a pasted declaration: `export class Cart`.
_KEYWORDS = re.compile(
    r"(?:(?:export|default|declare|abstract|async|static|public|private|protected|readonly"
    r"|final|sealed|internal|open|override|virtual|partial|inline|suspend|data|unsafe|fileprivate|pub(?:\(\w+\))?)\s+)*"
    r"(?:class|interface|function\*?|type|enum|const|let|var|namespace|get|set"
    r"|def|fn|func|fun|struct|trait|impl|mod|module|object|protocol|extension|record|union|val)\s+(?=[\w$#]+[?!]?$)"
)
#: The receiver of a Go method: `func (c *Context) Next`, and `gin.(*Context).Next` in stack traces.
_RECEIVER = re.compile(r"^(?:func\s+|\S*\.)?\((?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\)\s*\.?(?=\w)")
#: Parentheses of a call, or parentheses that contain only types and labels: `fromJson(String, Class)`, `request(_:method:)`.
_PARAMETERS = re.compile(r"\([\w\s,.:\[\]*&?]*\)$")


#: Maximum number of parts of a path without `symbol =`, and of words in a part, which may be the title of a section.
_MAX_PARTS = 8
_MAX_TITLE = 12


@dataclass(frozen=True, slots=True)
class SymbolPath:
    """A symbol to look up. `names` begin with the outermost symbol and end with the wanted symbol; without names, the file is
    wanted.
    """

    file: str | None
    names: tuple[str, ...]
    #: Line of the file, from 1, whose innermost symbol is wanted; None if the names determine the symbol.
    line: int | None = None
    #: Cell of a notebook, from 1, if `line` counts within this cell; None if it counts within the file.
    cell: int | None = None
    #: The unparsed path. Names of expressions may contain quotes, brackets and ">".
    literal: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The path in the form that follows `symbol = `."""
        return " > ".join((*((self.file,) if self.file else ()), *self.names))


def read_symbol_path(query: str) -> SymbolPath | None:
    """Return the symbol path of a query, or None if the query is not a symbol lookup."""
    match = _PREFIX.match(query)
    if match is None:
        return None
    # The graph cannot store a lone surrogate.
    path = match["path"].encode("utf-8", "replace").decode()
    plain = _RECEIVER.sub(r"\1 > ", _without_type_arguments(path).strip())
    parts = [part for part in map(_part, _SEPARATOR.split(plain)) if part]
    if not parts or not _is_file(parts[0]):
        return SymbolPath(None, tuple(parts), literal=path)
    place = _PLACE.match(parts[0]) if len(parts) == 1 else None
    if place is not None:
        cell, line = place["cell"], place["line"] or place["within"] or 1
        return SymbolPath(place["file"].removeprefix("./"), (), int(line), int(cell) if cell else None)
    return SymbolPath(parts[0].removeprefix("./"), tuple(parts[1:]), literal=path)


def read_plain_path(query: str) -> SymbolPath | None:
    """Return the symbol path that a query without `symbol =` may be: `README.md > Install`, `Cart > total`; None for other text.

    Whether the query is a path depends on the index: a question may compare things in this form.
    """
    parts = query.strip().split(" > ")
    if not 1 < len(parts) <= _MAX_PARTS or not all(0 < len(part.split()) <= _MAX_TITLE for part in parts):
        return None
    return read_symbol_path(f"symbol = {query}")


def _without_type_arguments(path: str) -> str:
    """Return the path without type arguments, because `Repository<User>` is declared as `Repository`."""
    while (bare := _TYPE_ARGUMENTS.sub("", path)) != path:
        path = bare
    return path


def _part(written: str) -> str:
    """Return a part of the path without quotes, parentheses and the keywords of its declaration."""
    part = written.strip().strip("`'\"")
    if _is_file(part):
        return part.replace("\\", "/")
    return _KEYWORDS.sub("", _PARAMETERS.sub("", part)).strip()


def _is_file(part: str) -> bool:
    return "/" in part or _SOURCE_FILE.search(part) is not None or _PLACE.match(part) is not None
