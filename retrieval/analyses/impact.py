"""Impact: the symbols and files that a change of a symbol or a file may affect, by distance, and the risk of the change."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.calls import UnresolvedSites, unresolved_sites_named
from ...graphdb.queries.files import FilePlace, file_places, has_tests, importers_of
from ...graphdb.queries.wiring import framework_uses
from ...graphdb.symbols.id_batches import rows_for_ids
from ...graphdb.symbols.symbol_table import symbols_of
from ...graphdb.traversal.edge_expanders import Dependants
from ...graphdb.traversal.walk import Link, Walk, held_by, walk
from ...schema.errors import UsageError
from ...schema.records import SymbolRef
from ...schema.symbol_kinds import PASSING_ON
from .call_hierarchy import called_name
from .subject import Analysis, EmptyReason, FileSubject, Subject, counted, none_of, unresolved_note
from .unseen_uses import taken_by_decorator, unseen_uses

Risk = Literal["none", "low", "medium", "high", "critical"]

#: Number of known symbols above which the search for dependants ends. The answer then has a note.
MAX_SYMBOLS = 3_000
#: The tables and columns of migrations that tables and columns of models declare, too.
_SAME_DATA = """
    MATCH (m:Symbol)-[:MAPS_TO]->(t:Symbol)
    WHERE m.id IN $ids AND (EXISTS { MATCH (m)-[:COLUMN_OF]->(:Symbol) } OR EXISTS { MATCH (:Symbol)-[:COLUMN_OF]->(m) })
    RETURN DISTINCT t.id"""
#: Each risk with its maximum number of symbols, files and modules; above the last numbers, the risk is critical.
_RISKS: tuple[tuple[Risk, int, int, int], ...] = (("low", 5, 2, 1), ("medium", 30, 10, 2), ("high", 200, 50, 5))


@dataclass(frozen=True, slots=True)
class Dependant:
    """A symbol that a change may affect."""

    symbol: SymbolRef
    #: Hops from the subject; 1 is direct.
    distance: int
    #: Kinds of dependence in alphabetical order: call, read, write, type, heritage, override, dispatch, jsx, decorator …
    through: tuple[str, ...]
    #: Lines of the dependant's file where it uses symbols that are nearer to the subject.
    lines: tuple[int, ...]
    #: Names of the symbols that the dependant uses.
    on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AffectedFile:
    """A file with dependants."""

    path: str
    #: Folder of the innermost module around the file; "" outside of every module.
    module: str
    is_test: bool
    #: The smallest distance of a dependant in the file.
    distance: int
    #: Number of dependants in the file; 0 for a file that only imports or re-exports.
    symbols: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact(Analysis):
    """The symbols and files that a change may affect."""

    #: Requested number of hops; -1 for all hops.
    depth: int
    #: Nearest first, then by file and line.
    dependants: tuple[Dependant, ...] = ()
    #: Nearest first, then by path. If the file of the subject contains dependants, it is included.
    files: tuple[AffectedFile, ...] = ()
    risk: Risk = "none"
    #: Reasons for the risk, as phrases.
    reasons: tuple[str, ...] = ()
    #: Unresolved call sites of the subject's name, each of which may be a further dependant.
    unresolved: UnresolvedSites | None = None
    #: Whether `MAX_SYMBOLS` ended the search before `depth` did.
    truncated: bool = False

    @property
    def direct(self) -> tuple[Dependant, ...]:
        """Direct dependants of the subject."""
        return tuple(found for found in self.dependants if found.distance == 1)

    @property
    def transitive(self) -> tuple[Dependant, ...]:
        """Dependants of the subject through other symbols."""
        return tuple(found for found in self.dependants if found.distance > 1)

    @property
    def modules(self) -> tuple[str, ...]:
        """Modules with affected files, in alphabetical order."""
        return tuple(sorted({file.module for file in self.files}))

    @property
    def tests(self) -> tuple[str, ...]:
        """Paths of the affected test files. Developers should run these files after a change."""
        return tuple(file.path for file in self.files if file.is_test)

    @property
    def exported(self) -> tuple[Dependant, ...]:
        """Affected symbols that are exported."""
        return tuple(found for found in self.dependants if found.symbol.exported)

    @property
    def title(self) -> str:
        return f"{self.subject.label}: {self.risk} risk; {'; '.join(self.reasons)}" if self.reasons else self.subject.label

    def lines(self) -> list[str]:
        """Return one line for each dependant with its distance, then a line with the files that only import."""
        lines = [_line(found) for found in self.dependants]
        idle = [file.path for file in self.files if not file.symbols]
        lines += [f"  imported only: {', '.join(idle)}"] if idle else []
        lines += [f"  {note}"] if (note := unresolved_note(self.unresolved)) else []
        lines += [f"  Cut off after {MAX_SYMBOLS:,} symbols: ask for fewer hops."] if self.truncated else []
        return lines


def impact(graph: GraphDatabase, subject: Subject, depth: int = 3) -> Impact:
    """Return the symbols that a change of a symbol, with all nested symbols, may affect over `depth` hops (-1: all).

    Raises UsageError for any other depth below 1.
    """
    if subject.nothing is not None:
        return Impact(subject=subject, depth=depth, nothing=subject.nothing)
    name = called_name(subject)
    unresolved = unresolved_sites_named(graph, [name]).get(name)
    return _impact(graph, subject, _with_same_data(graph, held_by(graph, subject.ids)), depth, [], unresolved)


def file_impact(graph: GraphDatabase, subject: FileSubject, depth: int = 3) -> Impact:
    """Return the code that a change of a file may affect: the dependants of its symbols, and the files that import it.

    Raises UsageError for a depth below 1 other than -1.
    """
    if subject.nothing is not None:
        return Impact(subject=subject, depth=depth, nothing=subject.nothing)
    table = symbols_of(graph)
    seeds = _with_same_data(graph, table.offsets(symbol.id for symbol in table.in_files(subject.paths)))
    importers = [found.from_path for found in importers_of(graph, subject.paths)]
    return _impact(graph, subject, seeds, depth, importers, None)


def _with_same_data(graph: GraphDatabase, offsets: Sequence[int]) -> list[int]:
    """Add the tables and columns of migrations that models among some symbols describe. Statements and calls use those."""
    table = symbols_of(graph)
    same = [row[0] for row in rows_for_ids(graph, _SAME_DATA, table.ids_at(list(offsets)))]
    return list(dict.fromkeys([*offsets, *table.offsets(same)]))


def _impact(
    graph: GraphDatabase,
    subject: Subject | FileSubject,
    seeds: Sequence[int],
    depth: int,
    importers: Sequence[str],
    unresolved: UnresolvedSites | None,
) -> Impact:
    if depth < 1 and depth != -1:
        raise UsageError(f"The depth counts hops from 1; -1 follows all of them. It cannot be {depth}.")
    name = subject.name if isinstance(subject, Subject) else subject.label
    found, truncated = reached(graph, seeds, depth, name)
    dependants = tuple(dependant for dependant in found if dependant.symbol.kind not in PASSING_ON)
    files = _files(graph, found, importers)
    risk, reasons = _risk(dependants, files, has_tests(graph))
    return Impact(
        subject=subject,
        depth=depth,
        nothing=None if files else _no_impact_reason(graph, subject, unresolved),
        dependants=dependants,
        files=files,
        risk=risk,
        reasons=reasons,
        unresolved=unresolved,
        truncated=truncated,
    )


def reached(graph: GraphDatabase, seeds: Sequence[int], depth: int, name: str = "") -> tuple[list[Dependant], bool]:
    """Return the dependants of the symbols at the internal offsets `seeds` over `depth` hops, and whether `MAX_SYMBOLS` ended the
    search earlier.

    In the dependants, `name` replaces the names of the seeds; "" replaces no name.
    """
    hop = Dependants(graph)
    seen = walk(graph, hop, seeds, depth, most=MAX_SYMBOLS)
    truncated = bool(seen.unexplored) and (depth < 0 or depth > max(seen.distances.values(), default=0))
    return _dependants(seen, hop.stand_ins, frozenset(seeds), name), truncated


def _dependants(seen: Walk, stand_ins: Container[int], seeds: frozenset[int], name: str) -> list[Dependant]:
    """Return the symbols that links of dependence reach.

    Symbols that only contain a dependant, or that a dependant only overrides, are left out.
    """
    groups: dict[int, list[Link]] = {}
    for source, links in seen.links.items():
        for link in links:
            if link.cost and link.target not in seeds and seen.distances[source] < seen.distances[link.target]:
                groups.setdefault(link.target, []).append(link)
    found = []
    for target, links in groups.items():
        through = {"dispatch" if link.source in stand_ins and link.role == "call" else link.role for link in links}
        on = dict.fromkeys(name if name and link.source in seeds else seen.symbols[link.source].qualified_name for link in links)
        lines = sorted({line for link in links for line in link.lines})
        symbol = seen.symbols[target]
        found.append(Dependant(symbol, seen.distances[target], tuple(sorted(through)), tuple(lines), tuple(on)))
    return sorted(found, key=lambda one: (one.distance, one.symbol.relative_path, one.symbol.start_line, one.symbol.id))


def _files(graph: GraphDatabase, found: Sequence[Dependant], importers: Iterable[str]) -> tuple[AffectedFile, ...]:
    distances: dict[str, int] = dict.fromkeys(importers, 1)
    counts: dict[str, int] = {}
    for dependant in found:
        path = dependant.symbol.relative_path
        distances[path] = min(distances.get(path, dependant.distance), dependant.distance)
        counts[path] = counts.get(path, 0) + (dependant.symbol.kind not in PASSING_ON)
    places: list[FilePlace] = file_places(graph, distances)
    files = [AffectedFile(at.path, at.module, at.is_test, distances[at.path], counts.get(at.path, 0)) for at in places]
    return tuple(sorted(files, key=lambda file: (file.distance, file.path)))


def _risk(dependants: Sequence[Dependant], files: Sequence[AffectedFile], is_tested: bool) -> tuple[Risk, tuple[str, ...]]:
    """Return the lowest risk whose limits the counts do not exceed, and the reasons.

    The risk is one level higher if exported symbols are affected, and tests exist but are not affected.
    """
    if not files:
        return "none", ()
    modules = len({file.module for file in files})
    counts = (len(dependants), len(files), modules)
    levels = [risk for risk, *_ in _RISKS] + ["critical"]
    level = next(
        (at for at, (_, *most) in enumerate(_RISKS) if all(n <= m for n, m in zip(counts, most, strict=True))), len(_RISKS)
    )
    exported = sum(dependant.symbol.exported for dependant in dependants)
    tests = sum(file.is_test for file in files)
    reasons = [f"{counted(counts[0], 'symbol')} in {counted(counts[1], 'file')} of {counted(modules, 'module')}"]
    reasons += [f"{exported:,} of them exported"] if exported else []
    reasons += [f"{counted(tests, 'test file')} among them"] if tests else []
    if is_tested and exported and not tests:
        level = min(level + 1, len(levels) - 1)
        reasons.append("no test reaches it")
    return levels[level], tuple(reasons)


def _no_impact_reason(graph: GraphDatabase, subject: Subject | FileSubject, unresolved: UnresolvedSites | None) -> EmptyReason:
    if isinstance(subject, Subject) and (uses := framework_uses(graph, subject.ids)):
        return EmptyReason("related", f"Nothing in the repository depends on it, but {uses[0].sentence}.")
    if unresolved is None:
        if isinstance(subject, Subject) and (unseen := unseen_uses(graph, subject) or taken_by_decorator(graph, subject)):
            return unseen
        return none_of(subject, "Nothing depends on it: a change stays within.")
    where = f"{counted(unresolved.sites, 'call site')} of its name in {counted(unresolved.callers, 'symbol')}"
    return EmptyReason("unresolved", f"No dependant is known, but {where} could not be resolved.", unresolved=unresolved)


def _line(found: Dependant) -> str:
    at = f"{found.symbol.relative_path}:{','.join(map(str, found.lines[:5])) or found.symbol.declaration_line}"
    return f"  {found.distance}  {found.symbol.qualified_name} ({at})   {', '.join(found.through)} of {', '.join(found.on[:3])}"
