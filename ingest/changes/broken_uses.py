"""Finds calls, references and overrides that lead to a declaration in the old state and nowhere in the new one.

Only files that have the name of a lost declaration are resolved, and other files are read when their types are asked for.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ...schema.languages import BY_NAME, language_of
from ...schema.records import GraphContent, Problem
from ..facts.model import FileFacts
from ..files.path_roles import is_declaration_file
from ..incremental.broken_imports import Breakage
from ..incremental.tree_state import TreeState
from ..languages.extraction import unread_facts
from ..languages.installed_files import InstalledFiles
from ..languages.typescript.installed_declarations import InstalledDeclarations
from ..languages.typescript.resolve.edges.edges import Edges
from ..languages.typescript.resolve.edges.known_names import KnownNames
from ..languages.typescript.resolve.engine import Engine
from ..languages.typescript.resolve.model.program import OtherFiles, Program, Unit
from ..languages.typescript.runtime_facts import cached_runtime_facts
from ..resolution.nominal_files import NominalFiles, outline_of
from ..resolution.repository_edges import RepositoryEdges
from ..workers.file_reading import file_symbols
from .records import ChangedSymbol, SymbolSide

#: Kinds of symbols whose uses are edges of a call or a reference.
_USED: Final = frozenset(
    ("function", "method", "getter", "setter", "class", "property", "const", "variable", "interface", "enum")
)


class BrokenUses(NamedTuple):
    """What was found, and how many files were not looked at because of the time."""

    found: list[Breakage]
    skipped: int


class _Site(NamedTuple):
    line: int
    column: int


class StateEdges:
    """The edges of single files of a state, as an index would have them."""

    def __init__(self, state: TreeState, root: str, names: Collection[str]) -> None:
        """Members are resolved if they have one of the names."""
        self._state = state
        self._ids: dict[str, list[str]] = {}
        paths = [path for path in state.files.sources if (language := language_of(path)) and _is_resolved(language)]
        places = {path: place for place, path in enumerate(sorted(paths))}
        eager = {path: outline_of(self._facts(path)) for path in places if is_declaration_file(path)}
        others = OtherFiles(places, lambda path: outline_of(self._facts(path)))
        declarations = InstalledDeclarations(InstalledFiles(Path(root)))
        self._program = Program(eager, state.resolve, cached_runtime_facts(None), declarations.facts, others)
        engine = Engine(self._program)
        known = KnownNames({}, frozenset(names), frozenset(names))
        nominal = NominalFiles(places, self._facts, state.resolve, self._symbol_id, None)
        self._edges = RepositoryEdges(engine, Edges(engine, self._symbol_id, known), nominal)

    def of(self, path: str) -> GraphContent | None:
        """Return the heritage, calls and references of a file; None if the state has no such file."""
        unit = self._program.unit_at(path)
        if unit is None:
            return None
        named, called = self._edges.of_names([unit]), self._edges.of_calls([unit], lambda _: None)
        return GraphContent(
            calls=called.calls,
            external_calls=called.external_calls,
            unresolved_calls=called.unresolved_calls,
            references=called.references,
            overrides=named.overrides,
        )

    def sides(self, path: str) -> dict[str, tuple[str, int]]:
        """Return the qualified name and the line of each symbol of a file, by id."""
        found = file_symbols(path, self._facts(path).symbols)
        return {symbol.id: (symbol.qualified_name, symbol.declaration_line) for symbol in found}

    def _facts(self, path: str) -> FileFacts:
        facts = self._state.facts(path)
        return facts if facts is not None else unread_facts(language_of(path) or "", [Problem(1, "not readable")])

    def _symbol_id(self, unit: Unit, symbol: int) -> str:
        if unit.path not in self._ids:
            self._ids[unit.path] = [each.id for each in file_symbols(unit.path, self._facts(unit.path).symbols)]
        return self._ids[unit.path][symbol]


def lost_declarations(changed: Iterable[ChangedSymbol]) -> dict[str, SymbolSide]:
    """Return the declarations that are not any more where they were or as they were named, by id."""
    found: dict[str, SymbolSide] = {}
    for each in changed:
        is_lost = each.new is None or each.old is None or each.old.name != each.new.name or "moved" in each.changes
        if each.old is not None and is_lost and each.old.kind in _USED and _is_resolved(language_of(each.old.path) or ""):
            found[each.old.id] = each.old
    return found


def broken_uses(
    before: TreeState,
    after: TreeState,
    root: str,
    lost: Mapping[str, SymbolSide],
    paths: Collection[str],
    changed: Collection[str],
    known: Collection[Breakage],
    deadline: float,
) -> BrokenUses:
    """Return the uses of lost declarations in some files that lead nowhere now.

    `changed` are the paths of the files that differ, and `known` has what was found otherwise: a place is told once.
    No file is resolved after `deadline`, in seconds of the monotonic clock.
    """
    if not lost or not paths:
        return BrokenUses([], 0)
    names = {side.name for side in lost.values()}
    old, new = StateEdges(before, root, names), StateEdges(after, root, names)
    told = {(each.path, each.line) for each in known}
    # A name that an import does not get any more is told there, and not at each of its uses.
    imported = {(each.path, name) for each in known for name in names if f"'{name}'" in each.reason}
    found: set[Breakage] = set()
    pending = sorted(paths, key=lambda path: (path not in changed, path))
    for place, path in enumerate(pending):
        if time.monotonic() > deadline:
            return BrokenUses(sorted(found), len(pending) - place)
        was = old.of(path)
        if was is None or not _leads_to(was, lost):
            continue
        now = new.of(path)
        if now is None:
            continue
        if path in changed:
            uses = _lost_in_changed(was, now, lost, _lines_of(before, path), _lines_of(after, path))
        else:
            uses = _lost_in_same(was, now, lost)
        for (line, _), side in uses.items():
            if (path, line) not in told and (path, side.name) not in imported:
                verb = "calls" if side.kind in ("function", "method") else "uses"
                found.add(Breakage(path, line, f"{verb} {side.qualified_name}, which {side.path} does not declare any more"))
        found |= _lost_overrides(old.sides(path), new.sides(path), was, now, lost, path)
    return BrokenUses(sorted(found), 0)


def _is_resolved(language: str) -> bool:
    entry = BY_NAME.get(language)
    return entry is not None and (entry.is_resolved or entry.is_partly_resolved)


def _lines_of(state: TreeState, path: str) -> list[bytes]:
    return (state.files.read(path) or b"").split(b"\n")


def _leads_to(content: GraphContent, lost: Mapping[str, SymbolSide]) -> bool:
    return any(edge.to_id in lost for edges in (content.calls, content.references, content.overrides) for edge in edges)


def _sites(edges: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]) -> set[_Site]:
    return {_Site(line, column) for lines, columns in edges for line, column in zip(lines, columns, strict=True)}


def _lost_in_same(was: GraphContent, now: GraphContent, lost: Mapping[str, SymbolSide]) -> dict[_Site, SymbolSide]:
    """Return the places of a file of the same text that led to a lost declaration and lead nowhere now."""
    leading = _sites((edge.lines, edge.columns) for edges in (now.calls, now.references, now.external_calls) for edge in edges)
    return {
        site: lost[edge.to_id]
        for edges in (was.calls, was.references)
        for edge in edges
        if edge.to_id in lost
        for site in _sites([(edge.lines, edge.columns)])
        if site not in leading
    }


def _lost_in_changed(
    was: GraphContent, now: GraphContent, lost: Mapping[str, SymbolSide], old_lines: Sequence[bytes], lines: Sequence[bytes]
) -> dict[_Site, SymbolSide]:
    """Return calls of a changed file that lead nowhere, where its earlier text had calls by that name to a lost declaration.

    Calls on lines of the same text that led nowhere before are left out.
    """
    gone = {lost[edge.to_id].name: lost[edge.to_id] for edge in was.calls if edge.to_id in lost}
    before = Counter(
        (_last(edge.name), _line(old_lines, site))
        for edge in was.unresolved_calls
        for site in _sites([(edge.lines, edge.columns)])
    )
    found: dict[_Site, SymbolSide] = {}
    for edge in now.unresolved_calls:
        name = _last(edge.name)
        for site in sorted(_sites([(edge.lines, edge.columns)])) if name in gone else ():
            key = (name, _line(lines, site))
            if before[key] > 0:
                before[key] -= 1
            else:
                found[site] = gone[name]
    return found


def _line(lines: Sequence[bytes], site: _Site) -> bytes:
    return lines[site.line - 1].strip() if site.line <= len(lines) else b""


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _lost_overrides(
    sides_before: Mapping[str, tuple[str, int]],
    sides: Mapping[str, tuple[str, int]],
    was: GraphContent,
    now: GraphContent,
    lost: Mapping[str, SymbolSide],
    path: str,
) -> set[Breakage]:
    """Return the members of a file that overrode a lost one and override nothing now."""
    overriding = {edge.from_id for edge in now.overrides}
    found = set()
    for edge in was.overrides:
        if edge.to_id in lost and edge.from_id in sides_before and edge.from_id in sides and edge.from_id not in overriding:
            name, line = sides[edge.from_id]
            side = lost[edge.to_id]
            found.add(Breakage(path, line, f"declares {name}, which overrode {side.qualified_name} of {side.path} that is gone"))
    return found
