"""The context for fixing a bug, from an error message or a stack trace: suspects, the chain of calls, tests, history.

Suspects are ordered by points, and each lists the evidence for its points:

- a frame of the trace: the nearer to the error, the more;
- functions that the innermost frames call on the failing line, or to assign a variable that the line uses;
- functions on the shortest path of calls between two frames, which a trace omits if they were inlined or returned;
- declarations whose name is in the message, or that contain a name of the message as a string, in a file of the trace;
- functions of the file of an unnamed frame whose line is that of a built file;
- code that contains the path of the outermost frame's file as a string, since it may load the file, such as a worker;
- code that contains the name of an installed package as a string, if all frames are in installed packages;
- results of a search for the message, which decide if there is no trace;
- changes of the last commits, which only decide between suspects with similar points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from ....graphdb.queries.calls import callees
from ....graphdb.queries.files import all_places
from ....graphdb.queries.references import reference_sites
from ....graphdb.symbols.symbol_table import symbols_of
from ....retrieval.query.search_request import SearchRequest
from ....retrieval.stack_traces.reading import read_failures, text_before_frames
from ....retrieval.stack_traces.records import Failure
from ....retrieval.stack_traces.symbols import FoundFrame, FrameFinder
from ....schema.errors import UsageError
from ....schema.process.git import GitFailed
from ....schema.records import Symbol, SymbolRef
from ....schema.symbol_kinds import DOCUMENT_KINDS, STATEMENTS
from ..graph_tools.composition import GraphTools
from ..graph_tools.entries import commit_entries
from ..graph_tools.records import Entry, GraphAnswer
from ..scopes.commits import last_commits_of_files
from ..scopes.running import Nothing
from .asking import COMMITS
from .written_values import assigning_lines, quoted_file, quoted_package, quoting_lines

if TYPE_CHECKING:
    from ....retrieval.answers.answer import RankedResult
    from ...stores.readers import Readers
    from ..workspace import Workspace

#: Maximum number of characters of an error.
MAX_CHARACTERS = 200_000
#: Maximum number of examined frames, and of listed suspects.
_FRAMES, _SUSPECTS = 60, 30
#: Points of the innermost frame, and the factor between the points of a frame and of its caller's frame.
_FRAME, _OUTER = 1.0, 0.82
#: Factor of the points of frames for an error that another error caused.
_LATER_ERROR = 0.6
#: Points of a callee of an innermost frame, by the place of its call: on the failing line; shortly before that line; in an
#: assignment of a value that the line uses; anywhere in a function whose lines have moved; long before the line.
_CALLED, _CALLED_BEFORE, _CALLED_FOR_VALUE, _CALLED_SOMEWHERE, _CALLED_EARLIER = 0.55, 0.5, 0.5, 0.45, 0.2
#: Points of a function between two frames, and the factor of the points of a test.
_BETWEEN, _TEST = 0.3, 0.3
#: Points of a name in the message, of code that creates an object of a class in the message, and of users of the type of a null
#: object.
_NAMED, _MAKES, _HOLDS = 0.35, 0.6, 0.4
#: Points of code that contains a name of the message as a string.
_QUOTES = 0.35
#: Factor of the points of an unnamed frame for the few functions of its file, and their maximum number.
_UNNAMED, _MAX_UNNAMED = 0.6, 3
#: Points of code that may load the file of the outermost frame, and of code that names the package of a frame.
_LOADS, _NAMES_PACKAGE = 0.5, 0.4
#: Number of the innermost packages that are searched for, and maximum number of examined lines with a string.
_MAX_PACKAGES, _MAX_LINES = 3, 100
#: Number of lines before the failing line whose calls count: the trace may be from another version of the file.
_LINES_BEFORE = 3
#: Minimum length of a name that is searched for as a string, in characters.
_SHORTEST_STRING = 4
#: Maximum number of suspects that one piece of evidence other than frames adds. If there are more, they are not evidence.
_MAX_USERS = 12
#: Factor of the score of a search result, with a trace and without one.
_SEARCHED, _SEARCHED_ALONE = 0.25, 1.0
#: Number of search results if there is a trace.
_SEARCHED_RESULTS = 8
#: Points of the suspects in the file that changed last.
_RECENT = 0.04
#: Number of innermost frames whose failing line is examined, and number of suspects whose tests are listed.
_INNERMOST, _TESTED = 3, 5

#: Names in messages: quoted ones, and unquoted ones in the forms of runtimes.
_QUOTED = re.compile(r"[`'\"\u2018\u201c]([A-Za-z_$][\w$]*(?:[.#:]{1,2}[\w$]+)*)[`'\"\u2019\u201d]")
_BARE = re.compile(
    r"\b([A-Za-z_$][\w$.]*) (?:is not a function|is not defined|is undefined|is null|is not iterable)"
    r"|undefined method `?(\w+)|\b(\w+)\(\) "
)
#: Messages about a missing object.
_MISSING = re.compile(r"\b(?:null|nil|None|NoneType|undefined)\b|NullPointer|NullReference", re.IGNORECASE)
_FUNCTIONS = frozenset(("function", "method", "constructor"))
_CLASSES = frozenset(("class", "interface", "struct", "record", "type", "enum"))
#: Names that are too frequent in messages to be evidence.
_COMMON = frozenset(
    ("NoneType", "None", "null", "undefined", "nil", "object", "str", "int", "float", "list", "dict", "tuple", "bool", "bytes")
) | {"type", "value", "name", "self", "this", "error"}


@dataclass(slots=True)
class _Suspect:
    symbol: SymbolRef
    points: float = 0.0
    reasons: list[str] = field(default_factory=list)

    def add(self, points: float, reason: str) -> None:
        self.points = max(self.points, points) + (0.1 * min(self.points, points) if self.points else 0)
        if reason not in self.reasons:
            self.reasons.append(reason)


def bug_fix(workspace: Workspace, tools: GraphTools, readers: Readers, values: Mapping[str, str]) -> GraphAnswer:
    """Return the suspects of an error and the code around them. Raises UsageError for a text that is empty or too long."""
    error = values["error"]
    if not error.strip():
        raise UsageError("`bug-fix` takes an error message or a stack trace in `error`.")
    if len(error) > MAX_CHARACTERS:
        raise UsageError(f"`bug-fix` reads at most {MAX_CHARACTERS:,} characters, not {len(error):,}.")
    failures = read_failures(error)
    names = {row.name for row in tools.repo.modules().to_list()}
    finder = FrameFinder(readers.graph, workspace.root, names)
    found = [finder.find(failure.frames[:_FRAMES]) for failure in failures]
    suspects = _Suspects(tools, readers)
    chain = _chain(found)
    for frames in found:
        suspects.of_frames(frames, 1.0 if frames == chain else _LATER_ERROR)
    between = suspects.between(chain)
    if chain:
        suspects.of_loaded(chain[-1])
    else:
        suspects.of_packages(finder.packages([frame for failure in failures for frame in failure.frames[:_FRAMES]]))
    message = _message(failures, error)
    suspects.of_null(chain, message)
    names_told = _names(message)
    suspects.of_names(names_told, {frame.path for frame in chain})
    suspects.of_strings(names_told, [frame.path for frame in chain])
    results = _searched(workspace, message, leads_here=bool(chain))
    suspects.of_results([(result.id, result.score) for result in results if result.id], is_alone=not chain)
    ordered = suspects.ordered(workspace)
    first = [each.symbol.id for each in ordered[:_TESTED]]
    around = tools.repo.symbols(id__in=first)
    return GraphAnswer(
        summary={
            "error": failures[0].error if failures else "",
            "frames": sum(len(failure.frames) for failure in failures),
            "framesInRepository": len(chain),
        },
        sections={
            "suspects": tuple(_entry(each) for each in ordered[:_SUSPECTS]),
            "callChain": tuple(_frame_entry(frame) for frame in reversed(chain)),
            "between": tuple(between),
            "tests": tools.entries(around.tests(3).limit(30), reason="uses a suspect, over at most 3 calls") if first else (),
            "callers": tools.entries(around.callers().limit(30), reason="calls a suspect") if first else (),
            "recentChanges": _recent(workspace, ordered),
        },
        nothing=None
        if ordered
        else Nothing("bug-fix", "absent", "No frame, name or word of this error occurs in the code of the repository."),
    )


def _searched(workspace: Workspace, message: str, *, leads_here: bool) -> list[RankedResult]:
    """Return the search results for a message. If the trace has frames in the repository, less relevant results are included."""
    if not message.strip():
        return []
    words = message[:500]
    return list(workspace.search(words, limit=_SEARCHED_RESULTS) if leads_here else workspace.search(words, budget=1_000))


class _Suspects:
    def __init__(self, tools: GraphTools, readers: Readers) -> None:
        self._tools = tools
        self._readers = readers
        self._graph = readers.graph
        self._table = symbols_of(readers.graph)
        self._found: dict[str, _Suspect] = {}

    def add(self, symbol: SymbolRef, points: float, reason: str) -> None:
        self._found.setdefault(symbol.id, _Suspect(symbol)).add(points, reason)

    def of_frames(self, frames: Sequence[FoundFrame], weight: float) -> None:
        seen: set[str] = set()
        points = _FRAME * weight
        for place, found in enumerate(frames):
            if found.symbol is None and not found.line and not found.frame.names and found.path not in seen:
                seen.add(found.path)
                self._of_file(found.path, points * _UNNAMED)
                points *= _OUTER
            if found.symbol is None or found.symbol.id in seen:
                continue
            seen.add(found.symbol.id)
            self.add(found.symbol, points, "raised the error" if place == 0 else f"frame {place + 1} of the trace")
            if len(seen) <= _INNERMOST:
                self._of_line(found, points, seen)
            points *= _OUTER

    def _of_file(self, path: str, points: float) -> None:
        functions = [each for each in self._table.in_files([path]) if each.kind in _FUNCTIONS and each.depth == 0]
        if len(functions) <= _MAX_UNNAMED:
            for function in functions:
                self.add(function, points, f"is in {path}, where an unnamed function is a frame of the trace")

    def _of_line(self, found: FoundFrame, points: float, seen: set[str]) -> None:
        symbol = found.symbol
        assert symbol is not None
        # The trace is from another version of the file, or its lines are those of a built file.
        if not symbol.start_line <= found.line <= symbol.end_line:
            calls = [call for call in callees(self._graph, [symbol.id]) if call.neighbour.id not in seen]
            if len(calls) <= _MAX_USERS:
                for call in calls:
                    self.add(call.neighbour, points * _CALLED_SOMEWHERE, f"called by `{symbol.name}`, whose lines have moved")
            return
        place = f"{found.path}:{found.line}"
        assigning = set(assigning_lines(self._lines(found.path), symbol.start_line, found.line))
        earlier = []
        for call in callees(self._graph, [symbol.id]):
            before = min((found.line - line for line in call.lines if found.line >= line), default=None)
            if call.neighbour.id in seen or before is None:
                continue
            if before == 0:
                self.add(call.neighbour, points * _CALLED, f"called on the failing line {place}")
            elif before <= _LINES_BEFORE:
                self.add(call.neighbour, points * _CALLED_BEFORE, f"called shortly before {place}")
            elif not assigning.isdisjoint(call.lines):
                self.add(call.neighbour, points * _CALLED_FOR_VALUE, f"computes a value that {place} uses")
            else:
                earlier.append(call.neighbour)
        if len(earlier) <= _MAX_USERS:
            for neighbour in earlier:
                self.add(neighbour, points * _CALLED_EARLIER, f"called before {place}")

    def _lines(self, path: str) -> list[str]:
        texts = self._readers.engine.texts
        return texts[path].text.decode("utf-8", "replace").split("\n") if path in texts else []

    def of_null(self, chain: Sequence[FoundFrame], message: str) -> None:
        """Suspect the users of the type of the innermost method, if the message says that an object was missing."""
        inner = next((found.symbol for found in chain if found.symbol is not None), None)
        if inner is None or inner.kind not in ("method", "constructor") or not _MISSING.search(message):
            return
        owner = inner.qualified_name.rpartition(".")[0].rpartition(".")[2]
        folder = inner.relative_path.rpartition("/")[0]
        types = [each for each in self._table.named([owner]) if each.relative_path.rpartition("/")[0] == folder]
        self._add_users([each for each in types if each.kind in _CLASSES], _HOLDS, f"uses `{owner}`, whose object was missing")

    def _add_users(self, types: Sequence[Symbol], points: float, reason: str) -> None:
        """Suspect the functions outside of some types whose bodies use the types, except in annotations, if they are few."""
        own = [(each.relative_path, f"{each.qualified_name}.") for each in types]
        users = {
            site.user.id: site.user
            for site in reference_sites(self._graph, [each.id for each in types])
            if site.user.kind in _FUNCTIONS and site.role != "type" and max(site.lines, default=0) > site.user.declaration_line
            if not any(site.user.relative_path == path and site.user.qualified_name.startswith(name) for path, name in own)
        }
        if len(users) <= _MAX_USERS:
            for user in users.values():
                self.add(user, points, reason)

    def between(self, chain: Sequence[FoundFrame]) -> list[Entry]:
        """Suspect the functions on the shortest paths of calls between frames without a direct call, and return them."""
        symbols = [found.symbol for found in chain if found.symbol is not None][: _INNERMOST + 1]
        direct = {(call.symbol_id, call.neighbour.id) for call in callees(self._graph, [each.id for each in symbols])}
        told: list[Entry] = []
        for inner, outer in pairwise(symbols):
            if inner.id == outer.id or (outer.id, inner.id) in direct:
                continue
            first, last = (self._tools.repo.symbols(id__in=[each.id]) for each in (outer, inner))
            for nodes in first.path_to(last, by="calls", depth=4, limit=1):
                for row in nodes[1:-1]:
                    for symbol in self._table.refs([row.id]).values():
                        self.add(symbol, _BETWEEN, "is called between two frames")
                    reason = f"called by {outer.qualified_name} on the way to {inner.qualified_name}"
                    told.append(Entry(row.qualified_name, row.kind, f"{row.path}:{row.start_line}", reason=reason))
        return told

    def of_names(self, names: Sequence[str], near: Iterable[str]) -> None:
        close = set(near)
        folders = {path.rpartition("/")[0] for path in close}
        for symbol in self._table.named(names):
            if symbol.kind in STATEMENTS:
                continue
            is_near = symbol.relative_path in close
            points = _NAMED if is_near else _NAMED / 2 if symbol.relative_path.rpartition("/")[0] in folders else _NAMED / 4
            self.add(self._table.refs([symbol.id])[symbol.id], points, f"the message names `{symbol.name}`")
            if symbol.kind in _CLASSES and is_near:
                self._add_users([symbol], _MAKES, f"uses `{symbol.name}`, which the message names")

    def of_strings(self, words: Sequence[str], paths: Iterable[str]) -> None:
        """Suspect the symbols that contain a name of the message as a string, such as a key of a table, if they are few."""
        texts = self._readers.engine.texts
        wanted = [word for word in words if len(word) >= _SHORTEST_STRING]
        places = [
            (path, line, word)
            for path in dict.fromkeys(paths)
            if path in texts
            for line, word in quoting_lines(texts[path].text.decode("utf-8", "replace"), wanted)
        ]
        if len(places) > _MAX_USERS:
            return
        around = self._table.innermost([(path, line) for path, line, _ in places], ())
        for (path, line, word), symbol in zip(places, around, strict=True):
            if symbol is not None:
                self.add(symbol, _QUOTES, f"has the string {word!r} of the message at {path}:{line}")

    def of_loaded(self, outermost: FoundFrame) -> None:
        """Suspect the code that may load the file of the outermost frame, which no frame calls; the code in its folder more."""
        folder, _, name = outermost.path.rpartition("/")
        for symbol, place in self._quoting(quoted_file(name)):
            if symbol.relative_path != outermost.path:
                points = _LOADS if symbol.relative_path.rpartition("/")[0] == folder else _LOADS / 2
                self.add(symbol, points, f"has the path of {outermost.path} as a string at {place}")

    def of_packages(self, packages: Sequence[str]) -> None:
        """Suspect the code that contains the name of an installed package as a string, and more for the innermost package."""
        points = _NAMES_PACKAGE
        for package in packages[:_MAX_PACKAGES]:
            for symbol, place in self._quoting(quoted_package(package)):
                self.add(symbol, points, f"has the name of the package `{package}` as a string at {place}")
            points *= _OUTER

    def _quoting(self, pattern: str) -> list[tuple[SymbolRef, str]]:
        """Return the declarations outside of tests with a string literal and the places of the literals, if they are few."""
        request = SearchRequest(pattern, mode="literal", is_regex=True, case_sensitive=True, limit=_MAX_LINES, before=0, after=0)
        answer = self._readers.engine.find(request)
        if answer.total_matches > len(answer.results):
            return []
        lines = [(match.file, match.line) for match in answer.results]
        around = self._table.innermost(lines, STATEMENTS | DOCUMENT_KINDS)
        places = all_places(self._graph)
        found = {
            symbol.id: (symbol, f"{path}:{line}")
            for (path, line), symbol in zip(lines, around, strict=True)
            if symbol is not None and not places[path].is_test
        }
        return list(found.values()) if len(found) <= _MAX_USERS else []

    def of_results(self, results: Sequence[tuple[str, float]], *, is_alone: bool) -> None:
        refs = self._table.refs([symbol_id for symbol_id, _ in results])
        for symbol_id, score in results:
            if symbol_id in refs:
                points = (_SEARCHED_ALONE if is_alone else _SEARCHED) * score
                self.add(refs[symbol_id], points, "search finds it for the message")

    def ordered(self, workspace: Workspace) -> list[_Suspect]:
        """Return the suspects, the likeliest first. Tests lose points, since the bug is seldom in a test."""
        places = all_places(self._graph)
        found = list(self._found.values())
        for suspect in found:
            if (place := places.get(suspect.symbol.relative_path)) is not None and place.is_test:
                suspect.points *= _TEST
        found.sort(key=_order)
        dates = _changed(workspace, list(dict.fromkeys(each.symbol.relative_path for each in found[: _TESTED * 2])))
        for rank, path in enumerate(sorted(dates, key=lambda path: dates[path], reverse=True)):
            for suspect in found[: _TESTED * 2]:
                if suspect.symbol.relative_path == path:
                    suspect.points += _RECENT / (rank + 1)
                    suspect.reasons.append(f"its file changed on {dates[path][:10]}")
        return sorted(found, key=_order)[:_SUSPECTS]


def _order(suspect: _Suspect) -> tuple[float, str, int]:
    return (-suspect.points, suspect.symbol.relative_path, suspect.symbol.start_line)


def _changed(workspace: Workspace, paths: Sequence[str]) -> dict[str, str]:
    """Return the date of the last known change of each file; nothing outside of a repository."""
    try:
        return {path: commit.date for path, commit in last_commits_of_files(workspace, paths).items()}
    except GitFailed:
        return {}


def _recent(workspace: Workspace, suspects: Sequence[_Suspect]) -> tuple[Entry, ...]:
    paths = list(dict.fromkeys(each.symbol.relative_path for each in suspects[:_TESTED]))
    return commit_entries(workspace, paths, COMMITS, "changed a suspect's file")


def _chain(found: Sequence[Sequence[FoundFrame]]) -> list[FoundFrame]:
    """Return the frames of the first error that has frames in the repository, the innermost first."""
    return next((list(frames) for frames in found if frames), [])


def _message(failures: Sequence[Failure], error: str) -> str:
    """Return the messages of the errors; if there are none, the text before the first frame, or the whole text."""
    told = " ".join(f"{failure.error} {failure.message}".strip() for failure in failures if failure.error or failure.message)
    return told or text_before_frames(error)


def _names(message: str) -> list[str]:
    written = _QUOTED.findall(message) + [name for names in _BARE.findall(message) for name in names]
    parts = [part for name in written for part in re.split(r"[.#:]+", name)]
    return [name for name in dict.fromkeys(parts) if len(name) > 2 and name not in _COMMON][:20]


def _entry(suspect: _Suspect) -> Entry:
    symbol = suspect.symbol
    return Entry(
        symbol.qualified_name,
        symbol.kind,
        f"{symbol.relative_path}:{symbol.start_line}",
        score=round(suspect.points, 3),
        reason="; ".join(suspect.reasons),
    )


def _frame_entry(found: FoundFrame) -> Entry:
    symbol = found.symbol
    name = symbol.qualified_name if symbol is not None else found.path
    place = f"{found.path}:{found.line}" if found.line else found.path
    return Entry(name, symbol.kind if symbol is not None else "file", place)
