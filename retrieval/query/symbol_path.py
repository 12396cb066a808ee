"""The query `symbol = …`: a name, a parent and a name, or a file, parents and a name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...schema.languages import SOURCE_ENDING

_PREFIX = re.compile(r"\s*symbol\s*=\s*(?P<path>.*?)\s*\Z", re.DOTALL | re.IGNORECASE)
#: With a space before it, or behind a name: there is no other `>` once type arguments are gone, but that of `=>`.
_SEPARATOR = re.compile(r"\s+>|(?<=[\w$)\]}'\"`])\s*>(?!\s*=)|(?<=\w)->(?=\w)|::|\s+→\s+|(?<=[\w$])(?=#[\w$])")
_TYPE_ARGUMENTS = re.compile(r"(?<=[\w$>])<(?=[^\s=])[^<>]*>")
_SOURCE_FILE = re.compile(SOURCE_ENDING + "$")
#: `src/a.ts:12`, `src/a.ts:12:5`: as compilers, editors and stack traces name a place.
_PLACE = re.compile(rf"(?P<file>.*{SOURCE_ENDING}):(?P<line>\d{{1,9}})(?::\d+)?$")
#: A declaration as it is written: what stands before its name.
_KEYWORDS = re.compile(
    r"(?:(?:export|default|declare|abstract|async|static|public|private|protected|readonly"
    r"|final|sealed|internal|open|override|virtual|partial|inline|suspend|data|unsafe|fileprivate|pub(?:\(\w+\))?)\s+)*"
    r"(?:class|interface|function\*?|type|enum|const|let|var|namespace|get|set"
    r"|def|fn|func|fun|struct|trait|impl|mod|module|object|protocol|extension|record|union|val)\s+(?=[\w$#]+[?!]?$)"
)
#: A method of Go with its receiver: `func (c *Context) Next`, and `gin.(*Context).Next` of stack traces.
_RECEIVER = re.compile(r"^(?:func\s+|\S*\.)?\((?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\)\s*\.?(?=\w)")
#: Call parentheses, or those around types and labels alone, as in `fromJson(String, Class)` and `request(_:method:)`.
_PARAMETERS = re.compile(r"\([\w\s,.:\[\]*&?]*\)$")


@dataclass(frozen=True, slots=True)
class SymbolPath:
    """What to look up. `names` go from the outermost to the wanted one; empty asks for the whole file."""

    file: str | None
    names: tuple[str, ...]
    #: Asks for what stands at this line of the file, counted from 1; None where names say what is wanted.
    line: int | None = None
    #: The path letter by letter: names of expressions hold quotes, brackets and ">".
    literal: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The path as it is written behind `symbol = `."""
        return " > ".join((*((self.file,) if self.file else ()), *self.names))


def read_symbol_path(query: str) -> SymbolPath | None:
    """The symbol path of a query; None when the query is no symbol lookup. Its names are empty when none is given."""
    match = _PREFIX.match(query)
    if match is None:
        return None
    # A lone surrogate is no text that the graph could hold.
    path = match["path"].encode("utf-8", "replace").decode()
    plain = _RECEIVER.sub(r"\1 > ", _without_type_arguments(path).strip())
    parts = [part for part in map(_part, _SEPARATOR.split(plain)) if part]
    if not parts or not _is_file(parts[0]):
        return SymbolPath(None, tuple(parts), literal=path)
    place = _PLACE.match(parts[0]) if len(parts) == 1 else None
    if place is not None:
        return SymbolPath(place["file"].removeprefix("./"), (), int(place["line"]))
    return SymbolPath(parts[0].removeprefix("./"), tuple(parts[1:]), literal=path)


def _without_type_arguments(path: str) -> str:
    """`Repository<User>` is declared as `Repository`."""
    while (bare := _TYPE_ARGUMENTS.sub("", path)) != path:
        path = bare
    return path


def _part(written: str) -> str:
    """A part without quotes, call parentheses and the keywords of its declaration."""
    part = written.strip().strip("`'\"")
    if _is_file(part):
        return part.replace("\\", "/")
    return _KEYWORDS.sub("", _PARAMETERS.sub("", part)).strip()


def _is_file(part: str) -> bool:
    return "/" in part or _SOURCE_FILE.search(part) is not None or _PLACE.match(part) is not None
