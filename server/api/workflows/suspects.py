"""The suspects of an error, with the points and the reasons of each piece of evidence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from ....graphdb.queries.calls import callees, callers, external_callers
from ....graphdb.queries.files import all_places
from ....graphdb.queries.references import reference_sites, references_from
from ....graphdb.symbols.symbol_table import symbols_of
from ....graphdb.traversal.overrides import overrides
from ....retrieval.query.search_request import SearchRequest
from ....retrieval.stack_traces.frames import Frame
from ....retrieval.stack_traces.symbols import FoundFrame, is_in_package
from ....schema.process.git import GitFailed
from ....schema.records import Symbol, SymbolRef
from ....schema.symbol_kinds import DOCUMENT_KINDS, STATEMENTS
from ..graph_tools.composition import GraphTools
from ..graph_tools.records import Entry
from ..scopes.commits import last_commits_of_files
from .written_values import assigning_lines, quoted_file, quoted_package, quoted_type, quoting_lines

if TYPE_CHECKING:
    from ...stores.readers import Readers
    from ..requests.answering_index import AnsweringIndex

#: Points of the innermost frame. Of 126 fixes of bugs with a trace, 36 change the function of the innermost frame,
#: 10 the function of the second, 6 of the third, 3 of the fourth, and 2 of a later frame.
_FRAME = 1.0
#: Factor from the points of a frame to the points of its caller's frame, for the innermost frames.
_OUTER = 0.82
#: Factor from the points of a frame to the points of its caller's frame, for outer frames.
_FAR_OUTER = 0.65
#: Factor of the points of frames for an error that another error caused.
_LATER_ERROR = 0.6
#: Points of a function that an innermost frame calls on its failing line.
_CALLED = 0.55
#: Points of a function that an innermost frame calls to assign a value that the failing line uses.
_CALLED_FOR_VALUE = 0.55
#: Points of a function that an innermost frame calls shortly before the failing line.
_CALLED_BEFORE = 0.5
#: Points of a function that an innermost frame calls anywhere, if the lines of the frame's function have moved.
_CALLED_SOMEWHERE = 0.45
#: Points of a function that an innermost frame calls long before the failing line.
_CALLED_EARLIER = 0.2
#: Factor for members that override a called member, in a file of the trace: such a member may be the code that ran.
_OVERRIDES = 1.3
#: Factor of the points of a called member that is overridden in a file of the trace.
_OVERRIDDEN = 0.5
#: Points of a function that sets a field which the failing line of a frame reads.
_SETS = 0.6
#: Maximum number of such functions.
_MAX_SETTERS = 6
#: Points of a caller of the outermost frame, if the trace is so short that it may have been cut off there.
_CALLS = 0.8
#: Maximum number of such callers.
_MAX_CALLERS = 4
#: Points of code that has the qualified name of the innermost frame's type as a string.
_NAMES_TYPE = 0.5
#: Points of a function between two frames.
_BETWEEN = 0.3
#: Factor of the points of a test.
_TEST = 0.3
#: Points of a declaration whose name is in the message.
_NAMED = 0.35
#: Points of code that creates an object of a class in the message.
_MAKES = 0.6
#: Points of code that uses the type of a null object.
_HOLDS = 0.4
#: Points of code that contains a name of the message as a string.
_QUOTES = 0.35
#: Factor for the functions of a file in which an unnamed frame is, on the points of the frame.
_UNNAMED = 0.6
#: Maximum number of functions in the file of an unnamed frame.
_MAX_UNNAMED = 3
#: Points of code that may load the file of the outermost frame.
_LOADS = 0.5
#: Points of code that names or calls the package of a frame.
_NAMES_PACKAGE = 0.4
#: Points of code that calls the function of a frame in a package outside of the repository.
_CALLS_OUTSIDE = 0.6
#: Number of packages that are searched for, beginning with the package of the innermost frame.
_MAX_PACKAGES = 3
#: Maximum number of examined lines with a string.
_MAX_LINES = 100
#: Number of lines before the failing line whose calls count. The trace may be from another version of the file.
_LINES_BEFORE = 3
#: Minimum number of characters of a name in a search for strings.
_MIN_STRING_LENGTH = 4
#: Maximum number of suspects from one piece of evidence other than frames. Evidence for more suspects is ignored.
_MAX_USERS = 12
#: Factor of the score of a search result if there is a trace.
_SEARCHED = 0.25
#: Factor of the score of a search result if there is no trace.
_SEARCHED_ALONE = 1.0
#: Points of the suspects in the file that changed last.
_RECENT = 0.04
#: Number of innermost frames whose failing line is examined.
_INNERMOST = 3
#: Number of the first suspects whose tests and files are examined.
TESTED = 5
#: Maximum number of listed suspects.
MAX_SUSPECTS = 30

#: Messages about a missing object.
_MISSING = re.compile(r"\b(?:null|nil|None|NoneType|undefined)\b|NullPointer|NullReference", re.IGNORECASE)
_FUNCTIONS = frozenset(("function", "method", "constructor"))
_FIELDS = frozenset(("property", "variable"))
_CLASSES = frozenset(("class", "interface", "struct", "record", "type", "enum"))


@dataclass(slots=True)
class Suspect:
    """A symbol that may have to change, with its points and reasons."""

    symbol: SymbolRef
    points: float = 0.0
    reasons: list[str] = field(default_factory=list)

    def add(self, points: float, reason: str) -> None:
        """Add a piece of evidence. The strongest piece counts in full, and each other piece for a tenth."""
        self.points = max(self.points, points) + (0.1 * min(self.points, points) if self.points else 0)
        if reason not in self.reasons:
            self.reasons.append(reason)


class Suspects:
    """Collects the suspects of one error. Each method examines one kind of evidence."""

    def __init__(self, tools: GraphTools, readers: Readers) -> None:
        self._tools = tools
        self._readers = readers
        self._graph = readers.graph
        self._table = symbols_of(readers.graph)
        self._found: dict[str, Suspect] = {}

    def add(self, symbol: SymbolRef, points: float, reason: str) -> None:
        self._found.setdefault(symbol.id, Suspect(symbol)).add(points, reason)

    def of_frames(self, frames: Sequence[FoundFrame], *, is_first: bool) -> None:
        """Suspect the functions of an error's frames, and functions that the failing lines call or depend on.

        Errors that another error caused count less.
        """
        seen: set[str] = set()
        points = _FRAME if is_first else _FRAME * _LATER_ERROR
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
                self._of_line(found, points, seen, {each.path for each in frames})
            points *= _OUTER if len(seen) < _INNERMOST else _FAR_OUTER

    def _of_file(self, path: str, points: float) -> None:
        functions = [each for each in self._table.in_files([path]) if each.kind in _FUNCTIONS and each.depth == 0]
        if len(functions) <= _MAX_UNNAMED:
            for function in functions:
                self.add(function, points, f"is in {path}, where an unnamed function is a frame of the trace")

    def _of_line(self, found: FoundFrame, points: float, seen: set[str], paths: Collection[str]) -> None:
        symbol = found.symbol
        assert symbol is not None
        # The trace is from another version of the file, or has lines of a built file.
        if not symbol.start_line <= found.line <= symbol.end_line:
            calls = [call for call in callees(self._graph, [symbol.id]) if call.neighbour.id not in seen]
            if len(calls) <= _MAX_USERS:
                for call in calls:
                    reason = f"called by `{symbol.name}`, whose lines have moved"
                    self._add_called(call.neighbour, points * _CALLED_SOMEWHERE, reason, paths)
            return
        place = f"{found.path}:{found.line}"
        assigning = set(assigning_lines(self._lines(found.path), symbol.start_line, found.line))
        self._of_fields(symbol, {found.line, *assigning}, points, f"which {place} reads")
        earlier = []
        for call in callees(self._graph, [symbol.id]):
            before = min((found.line - line for line in call.lines if found.line >= line), default=None)
            if call.neighbour.id in seen or before is None:
                continue
            if before == 0:
                self._add_called(call.neighbour, points * _CALLED, f"called on the failing line {place}", paths)
            elif not assigning.isdisjoint(call.lines):
                self._add_called(call.neighbour, points * _CALLED_FOR_VALUE, f"computes a value that {place} uses", paths)
            elif before <= _LINES_BEFORE:
                self._add_called(call.neighbour, points * _CALLED_BEFORE, f"called shortly before {place}", paths)
            else:
                earlier.append(call.neighbour)
        if len(earlier) <= _MAX_USERS:
            for neighbour in earlier:
                self.add(neighbour, points * _CALLED_EARLIER, f"called before {place}")

    def _add_called(self, called: SymbolRef, points: float, reason: str, paths: Collection[str]) -> None:
        """Suspect a called member. Overriding members in a file of the trace, which may run instead, have more points."""
        related = self._table.refs_at(overrides(self._graph).related(self._table.offsets([called.id])))
        instead = [member for member in related if member.relative_path in paths]
        self.add(called, points * _OVERRIDDEN if instead else points, reason)
        for member in instead:
            self.add(member, points * _OVERRIDES, f"may run instead of `{called.qualified_name}`, {reason}")

    def _of_fields(self, symbol: SymbolRef, lines: Collection[int], points: float, reason: str) -> None:
        """Suspect the other functions that set a field which a symbol reads on some of its lines, if they are few."""
        fields = {
            use.other.id: use.other
            for use in references_from(self._graph, [symbol.id])
            if use.role != "write" and use.other.kind in _FIELDS and not set(use.lines).isdisjoint(lines)
        }
        setters: dict[str, dict[str, SymbolRef]] = {}
        for site in reference_sites(self._graph, fields):
            if site.role == "write" and site.user.kind in _FUNCTIONS and site.user.id != symbol.id:
                setters.setdefault(site.symbol_id, {})[site.user.id] = site.user
        for field_id, users in setters.items():
            if len(users) <= _MAX_SETTERS:
                for user in users.values():
                    self.add(user, points * _SETS, f"sets `{fields[field_id].qualified_name}`, {reason}")

    def _lines(self, path: str) -> list[str]:
        texts = self._readers.engine.texts
        return texts[path].text.decode("utf-8", "replace").split("\n") if path in texts else []

    def of_null(self, chain: Sequence[FoundFrame], message: str) -> None:
        """Suspect the users of the type of the innermost method if the message says that an object was missing."""
        inner = next((found.symbol for found in chain if found.symbol is not None), None)
        if inner is None or inner.kind not in ("method", "constructor") or not _MISSING.search(message):
            return
        owner = inner.qualified_name.rpartition(".")[0].rpartition(".")[2]
        folder = inner.relative_path.rpartition("/")[0]
        types = [each for each in self._table.named([owner]) if each.relative_path.rpartition("/")[0] == folder]
        self._add_users([each for each in types if each.kind in _CLASSES], _HOLDS, f"uses `{owner}`, whose object was missing")

    def _add_users(self, types: Sequence[Symbol], points: float, reason: str) -> None:
        """Suspect the functions that use one of `types` in their bodies, if there are few such functions.

        Methods of the types do not count, and neither do annotations.
        """
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
        wanted = [word for word in words if len(word) >= _MIN_STRING_LENGTH]
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

    def of_callers(self, chain: Sequence[FoundFrame]) -> None:
        """Suspect the callers of the outermost frame if they are few. A shortened trace does not contain them."""
        symbols = list(dict.fromkeys(found.symbol.id for found in chain if found.symbol is not None))
        outermost = chain[-1].symbol
        if outermost is None or len(symbols) > _INNERMOST:
            return
        calls = [call.neighbour for call in callers(self._graph, [outermost.id])]
        outer = {caller.id: caller for caller in calls if caller.id not in symbols}
        if len(outer) <= _MAX_CALLERS:
            for caller in outer.values():
                points = _CALLS * _OUTER ** len(symbols)
                self.add(caller, points, f"calls `{outermost.name}`, with which the trace ends")

    def of_type(self, innermost: FoundFrame) -> None:
        """Suspect the code that contains the qualified name of the innermost frame's type as a string."""
        if innermost.symbol is None or "." not in innermost.symbol.qualified_name:
            return
        name = innermost.symbol.qualified_name.split(".")[-2]
        for symbol, place in self._quoting(quoted_type(name)):
            self.add(symbol, _NAMES_TYPE, f"has the name of the type `{name}` as a string at {place}")

    def of_loaded(self, outermost: FoundFrame) -> None:
        """Suspect the code that may load the file of the outermost frame. No frame calls that code. Code in the same folder has
        more points.
        """
        folder, _, name = outermost.path.rpartition("/")
        for symbol, place in self._quoting(quoted_file(name)):
            if symbol.relative_path != outermost.path:
                points = _LOADS if symbol.relative_path.rpartition("/")[0] == folder else _LOADS / 2
                self.add(symbol, points, f"has the path of {outermost.path} as a string at {place}")

    def of_outside(self, frames: Sequence[Frame]) -> None:
        """Suspect code that calls a package in the trace, if little code does.

        A call of a function in the trace counts more.
        """

        def leads_through(package: str) -> bool:
            return bool(_bare(package)) and any(is_in_package(frame, _bare(package)) for frame in frames)

        calls = external_callers(self._graph, leads_through)
        users: dict[str, set[str]] = {}
        named: dict[tuple[str, str], set[str]] = {}
        for call in calls:
            users.setdefault(call.package, set()).add(call.caller.id)
            named.setdefault((call.package, call.name.rpartition(".")[2]), set()).add(call.caller.id)
        for call in calls:
            name = call.name.rpartition(".")[2]
            is_frame = any(frame.names[-1:] == (name,) and is_in_package(frame, _bare(call.package)) for frame in frames)
            if is_frame and len(named[call.package, name]) <= _MAX_USERS:
                self.add(call.caller, _CALLS_OUTSIDE, f"calls `{name}` of the package `{_bare(call.package)}`")
            elif len(users[call.package]) <= _MAX_USERS:
                self.add(call.caller, _NAMES_PACKAGE, f"calls the package `{_bare(call.package)}`")

    def of_packages(self, packages: Sequence[str]) -> None:
        """Suspect the code that contains the name of an installed package as a string.

        The first packages, which belong to the innermost frames, count more.
        """
        points = _NAMES_PACKAGE
        for package in packages[:_MAX_PACKAGES]:
            for symbol, place in self._quoting(quoted_package(package)):
                self.add(symbol, points, f"has the name of the package `{package}` as a string at {place}")
            points *= _OUTER

    def _quoting(self, pattern: str) -> list[tuple[SymbolRef, str]]:
        """Return the declarations that contain a matching string literal, and the place of the literal.

        Tests are left out. If there are too many literals or declarations, the result is empty.
        """
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

    def ordered(self, workspace: AnsweringIndex) -> list[Suspect]:
        """Return the suspects, the most likely first. Tests lose points, because the bug is seldom in a test."""
        places = all_places(self._graph)
        found = list(self._found.values())
        for suspect in found:
            if (place := places.get(suspect.symbol.relative_path)) is not None and place.is_test:
                suspect.points *= _TEST
        found.sort(key=_order)
        dates = _changed(workspace, list(dict.fromkeys(each.symbol.relative_path for each in found[: TESTED * 2])))
        for rank, path in enumerate(sorted(dates, key=lambda path: dates[path], reverse=True)):
            for suspect in found[: TESTED * 2]:
                if suspect.symbol.relative_path == path:
                    suspect.points += _RECENT / (rank + 1)
                    suspect.reasons.append(f"its file changed on {dates[path][:10]}")
        return sorted(found, key=_order)[:MAX_SUSPECTS]


def _bare(package: str) -> str:
    """Return the name of a package without its registry, such as `polka` for `npm:polka`; "" for the runtime of a language."""
    return package.partition(":")[2]


def _order(suspect: Suspect) -> tuple[float, str, int]:
    return (-suspect.points, suspect.symbol.relative_path, suspect.symbol.start_line)


def _changed(workspace: AnsweringIndex, paths: Sequence[str]) -> dict[str, str]:
    """Return the date of the last known change of each file; nothing outside of a repository."""
    try:
        return {path: commit.date for path, commit in last_commits_of_files(workspace, paths).items()}
    except GitFailed:
        return {}
