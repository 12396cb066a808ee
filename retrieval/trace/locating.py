"""Find the symbol of a trace by its name, by a place, or by a name at a place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import files_by_path
from ...graphdb.queries.places import NamedAt, called_at, named_at
from ...graphdb.queries.symbols import innermost_symbol
from ...graphdb.symbols.notebook_cells import cells_of
from ...graphdb.symbols.symbol_table import symbols_of
from ...ingest.languages.registry import language
from ...schema.errors import UsageError
from ...schema.languages import language_of
from ...schema.manifest import Exclusion
from ...schema.notebook_cells import NOTEBOOK, CellPlace
from ...schema.records import Symbol
from ..analyses.finding import find_subject, not_indexed
from ..analyses.subject import EmptyReason, Subject
from ..text_search.indexed_text import FileText
from .keywords import is_keyword
from .records import ColumnUnit, TraceRequest

#: Role of a reference from a use of an imported name to the declaration that imports the name.
_BINDING = "binding"
#: Role of a reference from the target of an assignment.
_WRITTEN = "write"
#: Roles of uses of members. A member of the part of a union that a literal does not choose has another role.
_USING = frozenset(("call", "read", "write"))
#: Roles of uses that may have two names, as in `a as b`.
_RENAMING = frozenset(("import", "export"))

Texts = Callable[[], Mapping[str, FileText]]

#: A cell of a notebook, within which the requested line counts: `analysis.ipynb:cell 3`.
_CELL = re.compile(rf"(?P<file>.+{re.escape(NOTEBOOK)}):cell (?P<cell>\d{{1,9}})")
#: Text before the name of a function or method in its declaration.
_BEFORE_DECLARED = re.compile(
    r"\s*+(?:(?:export|declare|default|async|static|public|private|protected|abstract|override|function)\s++)*+"
)
#: Text before the name of a class that is constructed.
_BEFORE_CONSTRUCTED = re.compile(r"(?<![\w$.])new[ \t]{1,9}$")
#: Text after this name.
_AFTER_DECLARED = re.compile(r"\??\s*+[(<]")
_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
#: A word before a dot, at the end of a text.
_WORD_AND_DOT = re.compile(r"(?P<word>(?<![\w$])[\w$]+)\.$")
#: Maximum length of this word.
_MAX_WORD = 20
#: A name that is assigned and not part of a longer expression.
_VALUE = re.compile(r"[=\s]*(?P<name>[\w$]+)(?=\s*(?:[;,})]|$))")
#: An import or export specifier with two names.
_RENAMED = re.compile(r"(?P<outer>[\w$]+)\s+as\s+(?P<local>[\w$]+)")


def traced_subject(graph: GraphDatabase, texts: Texts, request: TraceRequest, exclusions: Sequence[Exclusion]) -> Subject:
    """Return the symbol, or the reason why it is unknown or ambiguous. Raises UsageError for an incomplete request."""
    name = request.symbol.strip()
    if not request.file:
        if not name:
            raise UsageError("Name the symbol, or give a file and a line.")
        if request.line is not None:
            raise UsageError("A line requires the file that contains it.")
        return find_subject(graph, name, exclusions)
    if request.line is None:
        if not name:
            raise UsageError("Name the symbol, or give a line of the file.")
        return find_subject(graph, f"{request.file} > {name}", exclusions)
    path = request.file.removeprefix("./")
    within = _CELL.fullmatch(path)
    if within is not None:
        path, line = within["file"], cells_of(graph).line(within["file"], CellPlace(int(within["cell"]), request.line))
        if line is None:
            message = f"Cell {within['cell']} of {path} has no line {request.line}."
            return Subject(_place(request.file, request), (), EmptyReason("notFound", message))
        request = replace(request, file=path, line=line)
    if path not in files_by_path(graph, [path]):
        return Subject(_place(path, request), (), not_indexed(graph, path, exclusions))
    found = _at_place(graph, texts, path, request, name.split(">")[-1].strip())
    if isinstance(found, EmptyReason):
        return find_subject(graph, f"{path} > {name}", exclusions) if name else Subject(_place(path, request), (), found)
    return Subject(_place(path, request), found)


def _place(path: str, request: TraceRequest) -> str:
    return f"{path}:{request.line}" + (f":{request.column}" if request.column is not None else "")


def _at_place(
    graph: GraphDatabase, texts: Texts, path: str, request: TraceRequest, name: str
) -> tuple[Symbol, ...] | EmptyReason:
    """Return the symbol at a place, or several if the parts of a union have the used member.

    It is the symbol with a use at the column, else the symbol that the local name at the column calls, else the symbol with its
    declaration on the line, else the symbol that a local name of another name calls, else the enclosing symbol.
    """
    line = request.line or 1
    named = [each for each in named_at(graph, path, line) if not name or each.symbol.name == name]
    word, is_declared = "", False
    called: list[Symbol] = []
    if request.column is not None:
        written = _line(texts, path, line)
        column = request.column if request.column_unit == "characters" else _characters(written, request.column)
        if column is None or column > len(written):
            return EmptyReason("notFound", f"Line {line} of {path} ends at column {_end(written, request.column_unit)}.")
        place = _word_at(written, column)
        if place is not None:
            word = place.group()
            is_declared = (
                _BEFORE_DECLARED.fullmatch(written, 0, place.start()) is not None
                and _AFTER_DECLARED.match(written, place.end()) is not None
            )
            if is_keyword(written, *place.span()) and all(each.column or each.symbol.name != word for each in named):
                word = ""
        exporting = _exporting(path, written, place)
        used = _used_at(named, written, column, place, exporting)
        if used is None and place is not None and word:
            called = called_at(graph, path, line, place.start() + 1)
            used = next((symbol for symbol in called if symbol.name == word), None)
        if used is not None:
            found = _called_of_merged(graph, (path, line, column), written, named, used)
            return found, *_other_parts(named, found, column)
        if exporting is not None:
            word = exporting["member"]
    declared = [each.symbol for each in named if not each.column and (not word or each.symbol.name == word)]
    if declared:
        return (declared[0],)
    if overloaded := _overloaded(graph, path, line, word, is_declared=is_declared):
        return (overloaded,)
    if len(called) == 1:
        return (called[0],)
    if name:
        return (named[0].symbol,) if named else EmptyReason("notFound", f"{name} is not named at line {line} of {path}.")
    around = innermost_symbol(graph, path, line)
    if word:
        holder = f" It stands in {around.breadcrumb}." if around is not None else ""
        return EmptyReason("notFound", f'"{word}" is a local name here, or comes from outside the repository.{holder}')
    return (around,) if around is not None else EmptyReason("notFound", f"Nothing stands at line {line} of {path}.")


def _other_parts(named: Sequence[NamedAt], found: Symbol, column: int) -> Sequence[Symbol]:
    """Return the members of the other parts of a union, if the use at a column (from 0) names a member of several parts."""
    uses = [each for each in named if each.symbol.id == found.id and each.role in _USING and each.column <= column + 1]
    use = max(uses, key=lambda each: each.column, default=None)
    others = {
        each.symbol.id: each.symbol
        for each in named
        if use is not None
        and (each.column, each.role, each.symbol.name) == (use.column, use.role, found.name)
        and each.symbol.qualified_name != found.qualified_name
    }
    return list(others.values())


def _called_of_merged(
    graph: GraphDatabase, place: tuple[str, int, int], written: str, named: Sequence[NamedAt], used: Symbol
) -> Symbol:
    """Return the declaration that a place calls or constructs, if the used name is that of several merged declarations."""
    path, line, column = place
    column = max((each.column for each in named if each.symbol.id == used.id and each.column <= column + 1), default=0)
    merged = [each.symbol for each in named if each.column == column and each.symbol.qualified_name == used.qualified_name]
    if column == 0 or len(merged) == 1:
        return used
    if _BEFORE_CONSTRUCTED.search(written, max(0, column - 1 - _MAX_WORD), column - 1):
        return next((symbol for symbol in merged if symbol.kind == "class"), used)
    called = {symbol.id for symbol in called_at(graph, path, line, column)}
    return next((symbol for symbol in merged if symbol.id in called), used)


def _overloaded(graph: GraphDatabase, path: str, line: int, word: str, *, is_declared: bool) -> Symbol | None:
    """Return the function with this name if the line is in an overload signature. Overload signatures precede the line of the
    function's name.

    If the word is at the name of a declaration (`is_declared`), the signature may also follow this line.
    """
    around = symbols_of(graph).around(path, line) if word else []
    own = (symbol for symbol in around if symbol.name == word and symbol.start_line <= line)
    return next((symbol for symbol in own if line < symbol.name_line or (is_declared and line > symbol.name_line)), None)


def _used_at(
    named: Sequence[NamedAt], written: str, column: int, word: re.Match[str] | None, exporting: re.Match[str] | None
) -> Symbol | None:
    """Return the symbol whose use begins at the start of the word, or whose name covers the column.

    Both names in `a as b` refer to the same symbol, although only one has a recorded use. If the word begins an assignment that
    exports a value, such as `module.exports = a`, it refers to the exported symbol; `exporting` is the match of `_exporting`.
    """
    by_start: dict[int, NamedAt] = {}
    for each in named:
        if each.column and ((known := by_start.get(each.column - 1)) is None or _is_better(each, known, word)):
            by_start[each.column - 1] = each
    if word is not None:
        for start in (word.start(), word.start() - 1):  # a private name includes the sign: `#name`
            if start in by_start:
                return by_start[start].symbol
        if exporting is not None:
            written_to = by_start.get(exporting.start("member"))
            if written_to is not None and written_to.role == _WRITTEN:
                return written_to.symbol
            value = _VALUE.match(written, exporting.end()) if "module" in exporting.groupdict() else None
            if value is not None and value.start("name") in by_start:
                return by_start[value.start("name")].symbol
        for start in _names_beside(written, word):
            if start in by_start and by_start[start].role in _RENAMING:
                return by_start[start].symbol
    for start, found in by_start.items():
        if start <= column < start + len(found.symbol.name) and written.startswith(found.symbol.name, start):
            return found.symbol
    return None


def _is_better(each: NamedAt, known: NamedAt, word: re.Match[str] | None) -> bool:
    """Return whether a symbol is a better answer for a place than another symbol with a use at the place.

    The imported symbol is better than the variable that imports it, as in `const read = require("./read")`. A symbol with the
    word as its name is better than a computed member, whose use is recorded at its key. A declaration in its own module is better
    than one that augments the module from within `declare module`.
    """
    if (each.role == _BINDING) != (known.role == _BINDING):
        return known.role == _BINDING
    if word is None or each.symbol.name != word.group():
        return False
    if each.role == known.role and known.symbol.name == each.symbol.name:
        return each.symbol.depth <= known.symbol.depth
    return True


def _exporting(path: str, line: str, word: re.Match[str] | None) -> re.Match[str] | None:
    """Match the code after the word, up to the `=`, if the word begins an assignment that exports a value by the rules of the
    file's language; None in other places. For `exports` of `module.exports = a`, the match begins after `module`.
    """
    name = language_of(path)
    if word is None or name is None:
        return None
    patterns = language(name).exporting
    before = _WORD_AND_DOT.search(line, max(0, word.start() - _MAX_WORD), word.start())
    start = before if before is not None else word
    pattern = patterns.get(start["word"] if before is not None else word.group())
    if pattern is None or line[: start.start()].rstrip().endswith("."):
        return None
    found = pattern.match(line, start.end("word") if before is not None else start.end())
    return found if found is None or before is None or found.span("member") == word.span() else None


def _names_beside(line: str, word: re.Match[str]) -> Iterator[int]:
    """Yield the offset of the other name in `a as b` if the word is one of both names."""
    for pair in _RENAMED.finditer(line):
        if word.span() == pair.span("outer"):
            yield pair.start("local")
        elif word.span() == pair.span("local"):
            yield pair.start("outer")


def _characters(line: str, units: int) -> int | None:
    """Convert an offset in UTF-16 units to an offset in characters; None beyond the end of the line."""
    encoded = line.encode("utf-16-le", "surrogatepass")
    if 2 * units > len(encoded):
        return None
    return len(encoded[: 2 * units].decode("utf-16-le", "replace"))


def _end(line: str, unit: ColumnUnit) -> int:
    return len(line) if unit == "characters" else utf16_length(line)


def utf16_length(text: str) -> int:
    """Return the number of UTF-16 units of a text."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _line(texts: Texts, path: str, line: int) -> str:
    known = texts()
    lines = known[path].text.split(b"\n") if path in known else []
    return lines[line - 1].decode("utf-8", "replace") if line <= len(lines) else ""


def _word_at(line: str, column: int) -> re.Match[str] | None:
    """Return the identifier that contains a column (from 0) or ends there."""
    return next((word for word in _WORD.finditer(line) if word.start() <= column <= word.end()), None)
