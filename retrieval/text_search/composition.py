"""Compose an answer of matching lines, with context and enclosing declarations, within the budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

import msgspec

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.map import FileEntry, all_files
from ...graphdb.symbols.symbol_table import symbols_of
from ...schema.errors import UsageError
from ...schema.languages import names_of
from ...schema.notebook_cells import NOTEBOOK
from ...schema.records import SymbolRef
from ...schema.symbol_kinds import STATEMENTS
from ..lookup.notebook_places import place_by_cell
from ..lookup.path_hints import what_would_match
from ..query.path_filter import path_filter
from ..query.search_request import SearchRequest
from ..ranking.kind_filter import first_of_each
from ..text.json_budget import fitting, measured
from .indexed_text import IndexedTexts
from .records import LineContext, LineMatch, LiteralAnswer
from .scan import Finder, FoundLine, Scan, finder, scan

#: Maximum number of shown characters of a line or match. Minified code has lines of a megabyte.
MAX_LINE_LENGTH = 400
#: Number of characters of an answer without its results.
_ENVELOPE = 300
#: Minimum number of characters of a result.
_MIN_RESULT_LENGTH = 60
_MAX_UNREAD = 10
#: Maximum number of examined lines if only lines in declarations of a kind are wanted.
_MAX_LOCATED = 20_000

#: Returns the texts of all indexed files.
Texts = Callable[[], IndexedTexts]


def compose_matches(graph: GraphDatabase, texts: Texts, request: SearchRequest, budget: int, seconds: float) -> LiteralAnswer:
    """Return the matching lines that fit the budget, in order of path and line. Raises UsageError."""
    find = finder(request.query, is_regex=request.is_regex, case_sensitive=request.case_sensitive)
    files = admitted_files(graph, request)
    started = time.perf_counter()
    found = searched(texts(), files, find, request, budget, seconds)
    matches = located(graph, request, found)
    answer = LiteralAnswer(
        request.query,
        request.mode,
        (),
        len(matches) if request.node_kinds else found.total,
        len({match.file for match in matches}) if request.node_kinds else found.files,
        round((time.perf_counter() - started) * 1000, 1),
        complete=found.complete,
        unread_files=tuple(unread(files)),
    )
    return within_budget(graph, answer, matches, request, budget)


def admitted_files(graph: GraphDatabase, request: SearchRequest) -> list[FileEntry]:
    """Return the files that match any of the paths and any of the languages. Raises UsageError if there are none."""
    within = [path_filter(path) for path in request.paths if path.strip()]
    languages = {stored for name in request.languages if name.strip() for stored in names_of(name)}
    files = [
        file
        for file in all_files(graph)
        if (not within or any(holds(file.path) for holds in within)) and (not languages or file.language in languages)
    ]
    if not files and (within or languages):
        wanted = [f'path "{path}"' for path in request.paths] + [f'language "{name}"' for name in request.languages]
        raise UsageError(
            f"No indexed file matches {' and '.join(wanted)}.{what_would_match(graph, request.paths, request.languages)}"
        )
    return files


def searched(
    texts: IndexedTexts, files: Iterable[FileEntry], find: Finder, request: SearchRequest, budget: int, seconds: float
) -> Scan:
    """Search the files, and keep the number of lines that the answer can show."""
    most = budget * 4 // _MIN_RESULT_LENGTH
    keep = most if request.limit is None else min(most, request.limit)
    if request.kind != "all":  # the kinds of enclosing declarations are not known yet
        keep = _MAX_LOCATED
    return scan(texts, (file.path for file in files), find, keep, seconds)


def unread(files: Iterable[FileEntry]) -> list[str]:
    """Return the paths of the first files that could not be indexed."""
    return [file.path for file in files if file.parse_status == "failed"][:_MAX_UNREAD]


def located(graph: GraphDatabase, request: SearchRequest, found: Scan) -> list[LineMatch]:
    """Return the kept lines of the wanted kind, with their contexts and innermost enclosing declarations."""
    kinds = request.node_kinds
    around = symbols_of(graph).innermost([(line.file.path, line.line) for line in found.lines], STATEMENTS)
    pairs = zip(found.lines, around, strict=True)
    wanted = [(line, symbol) for line, symbol in pairs if not kinds or (symbol is not None and symbol.kind in kinds)]
    if request.kind == "files":
        wanted = first_of_each(wanted, (line.file.path for line, _ in wanted))
    return [_match(request, line, symbol, rank) for rank, (line, symbol) in enumerate(wanted, 1)]


def within_budget(
    graph: GraphDatabase, answer: LiteralAnswer, matches: Sequence[LineMatch], request: SearchRequest, budget: int
) -> LiteralAnswer:
    """Return the answer with the first matches that fit the budget, and with a hint about the other matches."""
    room = budget * 4 - _ENVELOPE - len(request.query) - sum(map(len, answer.unread_files))
    shown, _ = fitting(matches[: request.limit], room)
    hint = _hint(answer, len(shown), request)
    results = tuple(_with_place_by_cell(graph, match) for match in shown)
    made = msgspec.structs.replace(answer, results=results, hint=hint)
    return measured(made)


def _with_place_by_cell(graph: GraphDatabase, match: LineMatch) -> LineMatch:
    """Return a match. A match in a notebook also has its place in a cell."""
    if not match.file.endswith(NOTEBOOK):
        return match
    return msgspec.structs.replace(match, place=place_by_cell(graph, match.file, match.line))


def _hint(answer: LiteralAnswer, shown: int, request: SearchRequest) -> str:
    unfinished = "" if answer.complete else "The time ran out: there may be more. "
    if not answer.total_matches and not answer.total_candidates:
        where = " in the given paths" if request.paths else ""
        ways = [] if request.is_regex else ["a part of it"]
        ways += ["another case"] if request.case_sensitive else []
        advice = f"; try {' or '.join(ways)}" if ways else ""
        return f"{unfinished}No indexed line{where} matches{advice}."
    if answer.mode == "literal" and shown < answer.total_matches:
        left = answer.total_matches - shown
        return f"{unfinished}{left:,} more lines match: narrow with `path`, or raise the limit or the budget."
    return unfinished.strip()


def _match(request: SearchRequest, found: FoundLine, around: SymbolRef | None, rank: int) -> LineMatch:
    text, span = found.file.text, found.span
    lines = _lines_around(text, found.begin, span.end, request.before, request.after)
    before, line, after = (part.decode("utf-8", "replace") for part in lines)
    column = len(text[found.begin : span.start].decode("utf-8", "replace")) + 1
    return LineMatch(
        rank,
        found.file.path,
        found.line,
        column,
        _shortened(text[span.start : span.end].decode("utf-8", "replace")),
        LineContext(_shortened(line, column), _each_shortened(before), _each_shortened(after)),
        around.qualified_name if around else "",
        around.kind if around else "",
    )


def _lines_around(text: bytes, begin: int, last: int, before: int, after: int) -> tuple[bytes, bytes, bytes]:
    """Return three texts: the lines before, the matching lines, and the lines after."""
    first = begin
    for _ in range(before):
        if first == 0:
            break
        first = text.rfind(b"\n", 0, first - 1) + 1
    end = text.find(b"\n", max(begin, last))
    end = len(text) if end < 0 else end
    final = end
    for _ in range(after):
        if final >= len(text) - 1:
            break
        following = text.find(b"\n", final + 1)
        final = len(text) if following < 0 else following
    return text[first : max(begin - 1, first)], text[begin:end], text[end + 1 : final]


def _each_shortened(lines: str) -> str:
    return "\n".join(_shortened(line) for line in lines.split("\n"))


def _shortened(line: str, column: int = 1) -> str:
    """Return a line; a long line is cut to the part around a column."""
    if len(line) <= MAX_LINE_LENGTH:
        return line
    begin = max(0, min(column - 1 - MAX_LINE_LENGTH // 4, len(line) - MAX_LINE_LENGTH))
    part = line[begin : begin + MAX_LINE_LENGTH]
    return f"{'…' if begin else ''}{part}{'…' if begin + MAX_LINE_LENGTH < len(line) else ''}"
