"""Finds calls, references and overrides that resolve to a declaration in the old state and are unresolved in the new state.

Only files that contain the name of a lost declaration are resolved. Other files are read when their types are needed.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from ...schema.edges import CallEdge
from ...schema.graph_content import GraphContent
from ...schema.languages import has_calls, language_of
from ...schema.records import Symbol
from ..incremental.broken_imports import Breakage
from ..incremental.tree_state import MODULES, TreeState
from ..languages.registry import change_rules, has_overloads
from .changed_parameters import ChangedParameters
from .changed_symbols import FilesWith, SymbolSide
from .changed_types import changed_types, misfits
from .lost_implementations import changed_method_sets, lost_implementations
from .overloads import lost_overloads, marked_line
from .same_lines import same_lines
from .unbound_names import is_global, newly_free

if TYPE_CHECKING:
    from .state_edges import StateEdges

#: Kinds of values that are read. Any value with the same name can take the place of such a value.
_READ: Final = frozenset(("getter", "setter", "property", "const", "variable"))
_VALUES: Final = _READ | {"function", "method", "class", "enum"}
#: Kinds of symbols that edges of calls and references can target.
_USED: Final = _VALUES | {"interface", "type", "enumMember"}
_WORD: Final = re.compile(r"\w+")


class BrokenUses(NamedTuple):
    """The broken uses, and the number of files that were not examined because time ran out."""

    found: list[Breakage]
    skipped: int


class _Use(NamedTuple):
    """A use of a lost declaration."""

    side: SymbolSide
    #: The kind of use: "calls" or "uses".
    verb: str


class _Site(NamedTuple):
    line: int
    column: int


def lost_declarations(before: TreeState, after: TreeState, paths: Iterable[str]) -> dict[str, SymbolSide]:
    """Return the declarations of some files that the change removed or renamed, by id.

    In a language with overloads, a function with other types of parameters is another declaration.
    """
    found: dict[str, SymbolSide] = {}
    for path in paths:
        facts = before.facts(path)
        if facts is None or not has_calls(facts.language):
            continue
        if has_overloads(facts.language):
            found.update(lost_overloads(before, after, path, _USED))
            continue
        gone = Counter((symbol.kind, symbol.qualified_name) for symbol in before.symbols(path))
        gone.subtract((symbol.kind, symbol.qualified_name) for symbol in after.symbols(path))
        kept = Counter((symbol.kind, symbol.qualified_name, symbol.signature) for symbol in after.symbols(path))
        changed: list[Symbol] = []
        for symbol in before.symbols(path):
            signed = (symbol.kind, symbol.qualified_name, symbol.signature)
            if kept[signed] > 0:
                kept[signed] -= 1
            else:
                changed.append(symbol)
        values = {symbol.qualified_name for symbol in after.symbols(path) if symbol.kind in _VALUES}
        is_distinct = change_rules(facts.language).has_distinct_fields
        # Ids number the overloads of a name, so another overload may now have the id of a lost overload.
        for symbol in reversed(changed):
            name = (symbol.kind, symbol.qualified_name)
            if symbol.kind in _USED and gone[name] > 0:
                gone[name] -= 1
                if symbol.kind in _READ and symbol.qualified_name in values and not (is_distinct and symbol.kind == "property"):
                    continue
                found[symbol.id] = SymbolSide.of(symbol, symbol.qualified_name)
    return found


def broken_uses(
    before: TreeState,
    after: TreeState,
    root: str,
    lost: Mapping[str, SymbolSide],
    paths: Collection[str],
    changed: Collection[str],
    known: Collection[Breakage],
    parameters: ChangedParameters,
    files_with: FilesWith,
    deadline: float,
) -> BrokenUses:
    """Return the uses of lost declarations in some files that no longer resolve, calls with arguments that no longer fit, and
    uses of types as interfaces that they no longer implement.

    `changed` are the paths of the files that differ. `known` has findings of other checks, which are not repeated. No file is
    resolved after `deadline`, in seconds of the monotonic clock.
    """
    names = {side.name for side in lost.values()} | parameters.words()
    edges = _Edges(before, after, root, names)
    found = _free_names(before, after, changed, edges)
    reported = {(each.path, each.line) for each in (*known, *found)}
    # A name whose import no longer resolves is reported at the import, and not at each use.
    imports = {(each.path, name) for each in known for name in names if f"'{name}'" in each.reason}
    passed_on = {name for _, name in imports}
    methods = changed_method_sets(before, after, changed)
    words = methods.types | methods.methods
    found |= lost_implementations(before, after, lambda: edges.old, lambda: edges.new, words, files_with, deadline)
    types = changed_types(before, after, changed)
    types = types._replace(types=types.types | methods.types)
    fitting, unread = misfits(before, after, lambda: edges.old, lambda: edges.new, types, files_with, deadline)
    members = _LostMembers(lost.values())
    pending = sorted(paths, key=lambda path: (path not in changed, path)) if names else []
    for place, path in enumerate(pending):
        if time.monotonic() > deadline:
            return BrokenUses(_with_misfits(found | members.told(), fitting, known), max(unread, len(pending) - place))
        was = edges.old.of(path)
        if was is None:
            continue
        if path in changed:
            found |= _missing_members(after.symbols(path), was, lost, edges, path)
        if parameters.reach(was) and (content := edges.now(path)) is not None:
            found.update(parameters.broken(path, content, partial(edges.new.arguments_of, path)))
        if not _leads_to(was, lost):
            continue
        now = edges.now(path)
        if now is None:
            continue
        refused = edges.new.refused_calls(path) if has_overloads(language_of(path)) else frozenset()
        if path in changed:
            old_lines, lines = _lines_of(before, path), _lines_of(after, path)
            uses = _lost_in_changed(was, now, lost, old_lines, lines)
            uses |= _lost_in_same(was, now, lost, edges, refused, same_lines(old_lines, lines))
        else:
            uses = _lost_in_same(was, now, lost, edges, refused)
        imported = _imported_files(before, path)
        for (line, _), (side, verb) in uses.items():
            if edges.may_be_given(side):
                continue
            members.used.add((side.path, side.qualified_name))
            if (path, line) in reported or (path, side.name) in imports:
                continue
            if side.name in passed_on and side.path not in imported:
                continue  # another file re-exported the name, and its import is reported
            if side.path in imported and side.path not in after.files.sources:
                continue  # the import of the removed file is reported
            broken = Breakage(path, line, f"{verb} {side.qualified_name}, {_loss(after, side)}")
            if not members.take(side, broken):
                found.add(broken)
        for side, broken in _lost_overrides(after.symbols(path), was, now, lost, _lines_of(after, path), path):
            if not members.take(side, broken):
                found.add(broken)
    return BrokenUses(_with_misfits(found | members.told(), fitting, known), unread)


def _with_misfits(found: set[Breakage], fitting: set[Breakage], known: Iterable[Breakage]) -> list[Breakage]:
    """Add the misfits on lines without other findings."""
    told = {(each.path, each.line) for each in (*found, *known)}
    return sorted({*found, *(each for each in fitting if (each.path, each.line) not in told)})


def _loss(after: TreeState, side: SymbolSide) -> str:
    """Return a clause that says what happened to a lost declaration."""
    is_known = side.path in after.files.sources
    is_kept = is_known and any(each.qualified_name == side.qualified_name for each in after.symbols(side.path))
    form = ""
    if is_kept and has_overloads(language_of(side.path)):
        form = " with these parameters"
    elif is_kept and change_rules(language_of(side.path)).has_distinct_fields:
        form = " as a field" if side.kind == "property" else f" as a {side.kind}"
    return f"which {side.path} does not declare{form} any more"


class _LostMembers:
    """Uses and overrides of members whose enclosing declaration is lost, too.

    Such uses follow from uses of the enclosing declaration: if its name no longer resolves, the types of values are unknown. The
    uses are therefore reported only if no code names the enclosing declaration.
    """

    def __init__(self, lost: Iterable[SymbolSide]) -> None:
        #: The paths and qualified names of the lost declarations that code names.
        self.used: set[tuple[str, str]] = set()
        self._lost = {(side.path, side.qualified_name) for side in lost}
        self._uses: list[tuple[Breakage, list[tuple[str, str]]]] = []

    def take(self, side: SymbolSide, use: Breakage) -> bool:
        """Record a use of a declaration if an enclosing declaration is lost. Return whether it is."""
        parts = side.qualified_name.split(".")
        enclosing = [(side.path, ".".join(parts[:length])) for length in range(1, len(parts))]
        owners = [each for each in enclosing if each in self._lost]
        if owners:
            self._uses.append((use, owners))
        return bool(owners)

    def told(self) -> set[Breakage]:
        """Return the uses whose enclosing declarations no code names."""
        return {use for use, owners in self._uses if not any(owner in self.used for owner in owners)}


class _Edges:
    """The edges of both states. The edges of a state are resolved when they are first needed."""

    def __init__(self, before: TreeState, after: TreeState, root: str, names: Collection[str]) -> None:
        self._states = (before, after)
        self._root = root
        self._names = names
        self._open: dict[tuple[str, str], bool] = {}
        #: The last file of which `now` returned the edges, and these edges.
        self._last: tuple[str, GraphContent | None] = ("", None)

    @cached_property
    def old(self) -> StateEdges:
        return _state_edges(self._states[0], self._root, self._names)

    @cached_property
    def new(self) -> StateEdges:
        return _state_edges(self._states[1], self._root, self._names)

    def now(self, path: str) -> GraphContent | None:
        """Return the edges of a file of the new state; None if there is no such file. Repeated calls for one file are fast."""
        if self._last[0] != path:
            self._last = (path, self.new.of(path))
        return self._last[1]

    def is_global(self, path: str, name: str) -> bool:
        """Return whether a name is a global that a file of the new state can use without a declaration."""
        known = is_global(path, name)
        return self.new.is_global(name) if known is None else known

    def has_class_of(self, lost: SymbolSide) -> bool:
        """Return whether the class of a lost member still exists in the new state."""
        parent = lost.qualified_name.rpartition(".")[0]
        if not parent or lost.path not in self._states[1].files.sources:
            return False
        return any(symbol.qualified_name == parent for symbol in self._states[1].symbols(lost.path))

    def may_be_given(self, lost: SymbolSide) -> bool:
        """Return whether a class may inherit a lost member from an unknown ancestor."""
        parent = lost.qualified_name.rpartition(".")[0]
        if not parent or lost.path not in self._states[1].files.sources:
            return False
        key = (lost.path, parent)
        if key not in self._open:
            self._open[key] = self.new.is_open(*key)
        return self._open[key]


def _state_edges(state: TreeState, root: str, names: Collection[str]) -> StateEdges:
    """Return the resolver of the edges of a state. Most changes need no edges, so the engines are loaded only here."""
    from .state_edges import StateEdges

    return StateEdges(state, root, names)


def _free_names(before: TreeState, after: TreeState, changed: Iterable[str], edges: _Edges) -> set[Breakage]:
    """Return the uses of names that a changed file declared or imported in the old state, but not in the new state."""
    found: set[Breakage] = set()
    for path in changed:
        old, new = before.facts(path), after.facts(path)
        if old is None or new is None or new.language not in MODULES:
            continue
        uses = newly_free(old, new, partial(edges.is_global, path))
        found.update(
            Breakage(path, line, f"uses '{name}', which it neither declares nor imports any more") for name, line in uses
        )
    return found


def _imported_files(state: TreeState, path: str) -> set[str | None]:
    facts = state.facts(path)
    return {state.target(entry.specifier, path) for entry in facts.imports} if facts is not None else set()


def _lines_of(state: TreeState, path: str) -> list[bytes]:
    return (state.files.read(path) or b"").split(b"\n")


def _leads_to(content: GraphContent, lost: Mapping[str, SymbolSide]) -> bool:
    return any(edge.to_id in lost for edges in (content.calls, content.references, content.overrides) for edge in edges)


def _sites(edges: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]) -> set[_Site]:
    return {_Site(line, column) for lines, columns in edges for line, column in zip(lines, columns, strict=True)}


def _lost_in_same(
    was: GraphContent,
    now: GraphContent,
    lost: Mapping[str, SymbolSide],
    edges: _Edges,
    refused: Collection[tuple[int, int]],
    lines: Mapping[int, int] | None = None,
) -> dict[_Site, _Use]:
    """Return the uses on unchanged lines that resolved to a lost declaration and are unresolved now.

    `refused` are the places of calls whose arguments no overload takes.
    `lines` maps unchanged lines of the old text to lines of the new text; None means that both texts are equal. A type with the
    same name does not replace a callable. A call on a union of types may still resolve to a member of the other types.
    """
    leading = _sites(
        (edge.lines, edge.columns) for several in (now.calls, now.references, now.external_calls) for edge in several
    )
    types = _sites((edge.lines, edge.columns) for edge in now.references if edges.new.is_type(edge.to_id))
    called = _sites((edge.lines, edge.columns) for several in (now.calls, now.external_calls) for edge in several)
    before, after = _targets(was.calls), _targets(now.calls)
    unlike = _Unlike(now, lost, edges)
    found: dict[_Site, _Use] = {}
    for verb, several, taken in (("uses", was.references, leading), ("calls", was.calls, leading - (types - called))):
        for edge in several:
            if (side := lost.get(edge.to_id)) is None:
                continue
            for site in _sites([(edge.lines, edge.columns)]):
                place = site if lines is None else _Site(lines.get(site.line, 0), site.column)
                if not place.line:
                    continue
                others = after.get(place, set())
                is_fewer = bool(others) and others < before.get(site, set()) and edges.has_class_of(side)
                if place not in taken or place in refused or is_fewer or unlike.is_at(place, side):
                    found[place] = _Use(side, verb)
    return found


class _Unlike:
    """The sites of a file that lead to methods and to fields, if some lost fields or methods cannot be replaced by the other."""

    def __init__(self, now: GraphContent, lost: Mapping[str, SymbolSide], edges: _Edges) -> None:
        self._edges = edges
        self._methods: set[_Site] = set()
        self._fields: set[_Site] = set()
        self._written: set[_Site] = set()
        if not any(_is_distinct(side) for side in lost.values()):
            return
        for several in (now.references, now.calls):
            for edge in several:
                kind = edges.new.kind_of(edge.to_id)
                if kind == "method":
                    self._methods |= _sites([(edge.lines, edge.columns)])
                elif kind == "property" and not edges.new.may_hold_function(edge.to_id):
                    self._fields |= _sites([(edge.lines, edge.columns)])
        self._written = _sites((edge.lines, edge.columns) for edge in now.references if edge.role == "write")

    def is_at(self, site: _Site, lost: SymbolSide) -> bool:
        """Return whether a use of a lost field leads to a method now, or a use of a lost method to a field."""
        if not _is_distinct(lost):
            return False
        if lost.kind == "method":
            return site in self._fields
        is_method = site in self._methods
        return is_method and (site in self._written or not self._edges.old.may_hold_function(lost.id))


def _is_distinct(side: SymbolSide) -> bool:
    return side.kind in ("method", "property") and change_rules(language_of(side.path)).has_distinct_fields


def _targets(calls: Iterable[CallEdge]) -> dict[_Site, set[str]]:
    found: dict[_Site, set[str]] = {}
    for edge in calls:
        for site in _sites([(edge.lines, edge.columns)]):
            found.setdefault(site, set()).add(edge.to_id)
    return found


def _lost_in_changed(
    was: GraphContent, now: GraphContent, lost: Mapping[str, SymbolSide], old_lines: Sequence[bytes], lines: Sequence[bytes]
) -> dict[_Site, _Use]:
    """Return the uses of members in a changed file that no longer resolve because a member with this name was lost.

    Uses with an ambiguous old target, and uses that were already unresolved on an equal line, are left out. On a changed line,
    the receiver must have the name of an earlier receiver: `engine.label` of a package is not `shop.label`.
    """
    named: dict[str, dict[str, SymbolSide]] = {}
    receivers: set[tuple[str, str]] = set()
    written: dict[tuple[str, bytes], SymbolSide] = {}
    for edges in (was.calls, was.references):
        for edge in edges:
            if (side := lost.get(edge.to_id)) is not None:
                named.setdefault(side.name, {})[side.id] = side
                for site in _sites([(edge.lines, edge.columns)]):
                    written[side.name, _line(old_lines, site)] = side
                    receivers.add((side.name, _receiver(old_lines, site)))
    before = Counter((name, _line(old_lines, site)) for _, name, sites in _unresolved(was) for site in sites)
    found: dict[_Site, _Use] = {}
    for verb, name, sites in _unresolved(now):
        for site in sites if name in named else ():
            key = (name, _line(lines, site))
            if before[key] > 0:
                before[key] -= 1
            elif key in written:
                found[site] = _Use(written[key], verb)
            elif len(named[name]) == 1 and (name, _receiver(lines, site)) in receivers:
                found[site] = _Use(next(iter(named[name].values())), verb)
    return found


def _unresolved(content: GraphContent) -> Iterator[tuple[str, str, list[_Site]]]:
    """Yield the verb, the last name and the positions of the unresolved calls and references of a file."""
    for verb, edges in (("calls", content.unresolved_calls), ("uses", content.unresolved_references)):
        for edge in edges:
            yield verb, edge.name.rpartition(".")[2], sorted(_sites([(edge.lines, edge.columns)]))


def _receiver(lines: Sequence[bytes], site: _Site) -> str:
    """Return the last word before a name, without the operator between them: `open(shop).close` at `close` -> `shop`."""
    words = _WORD.findall(lines[site.line - 1].decode("utf-8", "replace")[: site.column - 1]) if site.line <= len(lines) else []
    return words[-1] if words else ""


def _line(lines: Sequence[bytes], site: _Site) -> bytes:
    return lines[site.line - 1].strip() if site.line <= len(lines) else b""


def _missing_members(
    symbols: Sequence[Symbol], was: GraphContent, lost: Mapping[str, SymbolSide], edges: _Edges, path: str
) -> set[Breakage]:
    """Return the declarations of a changed file that lost the implementation of an abstract member.

    A declaration that extends several types, or not the type with the abstract member, may inherit another implementation.
    """
    present = {symbol.qualified_name: symbol for symbol in symbols}
    bases: dict[str, set[str]] = {}
    for edge in was.heritage:
        bases.setdefault(edge.from_id, set()).add(edge.to_id)
    demanded = [
        (present[owner], edge.to_id)
        for edge in was.overrides
        if (side := lost.get(edge.from_id)) is not None
        and edge.to_id not in lost
        and edges.old.is_abstract(edge.to_id)
        and (owner := side.qualified_name.rpartition(".")[0]) in present
        and len(bases.get(present[owner].id, ())) <= 1
    ]
    now = edges.now(path) if demanded else None
    if now is None:
        return set()
    names = {symbol.id: symbol.qualified_name.rpartition(".")[0] for symbol in symbols}
    kept = {(names.get(edge.from_id, ""), edge.to_id) for edge in now.overrides}
    return {
        Breakage(
            path, owner.declaration_line, f"declares {owner.name}, which does not implement {edges.old.name_of(id)} any more"
        )
        for owner, id in demanded
        if (owner.qualified_name, id) not in kept
    }


def _lost_overrides(
    symbols: Sequence[Symbol],
    was: GraphContent,
    now: GraphContent,
    lost: Mapping[str, SymbolSide],
    lines: Sequence[bytes],
    path: str,
) -> Iterator[tuple[SymbolSide, Breakage]]:
    """Yield pairs of a lost member and a member of a file that overrode it and overrides no member now.

    `lines` are the lines of the new file.
    """
    overriding = {edge.from_id for edge in now.overrides}
    present = {symbol.id: symbol for symbol in symbols}
    mark = change_rules(language_of(path)).override_mark
    for edge in was.overrides:
        if edge.to_id in lost and edge.from_id in present and edge.from_id not in overriding:
            own, side = present[edge.from_id], lost[edge.to_id]
            if (line := marked_line(own, lines, mark)) > 0:
                yield side, Breakage(path, line, f"marks {own.qualified_name} as an override, but it overrides nothing any more")
                continue
            reason = f"declares {own.qualified_name}, which overrode {side.qualified_name} of {side.path} that is gone"
            yield side, Breakage(path, own.declaration_line, reason)
