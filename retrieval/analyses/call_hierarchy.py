"""Call hierarchies: the callees and callers of a symbol, over any number of hops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.calls import (
    ExternalCallee,
    UnresolvedCallee,
    UnresolvedSites,
    calls_outside,
    calls_unknown,
    unresolved_sites_named,
)
from ...graphdb.queries.contracts import ContractLink, contract_links
from ...graphdb.queries.members import ExternalBase, inheriting_classes
from ...graphdb.queries.wiring import FrameworkUse, framework_uses
from ...graphdb.symbols.symbol_table import symbols_of
from ...graphdb.traversal.edge_expanders import CallsOut, calls_in
from ...graphdb.traversal.walk import walk
from ...schema.errors import UsageError
from ...schema.records import SymbolRef
from ...schema.symbol_kinds import DOCUMENT_KINDS
from .call_tree import Call, grow_callees, grow_callers, running_as
from .subject import Analysis, EmptyReason, Subject, counted, none_of, unresolved_note
from .unseen_uses import implemented_outside, listed_outside, taken_by_decorator, unseen_uses, used_as_value

#: Number of known symbols above which the walk ends. The answer then has a note.
MAX_SYMBOLS = 2_000
#: Kinds whose hierarchy includes the calls of all members, without calls between members.
HOLDER_KINDS = frozenset(("class", "namespace"))
#: Kinds that can neither call nor be called.
_UNCALLED = DOCUMENT_KINDS | {"interface", "type", "import", "re-export", "export", "comment"}
#: Kinds of nested symbols that run with the enclosing symbol if no code calls them by name.
_RUN = frozenset(("function", "method", "constructor", "getter", "setter", "component", "expression"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CallHierarchy(Analysis):
    """A tree of calls. `calls` are the calls of the first hop; each call contains the calls of the next hop."""

    subject: Subject
    direction: Literal["outgoing", "incoming"]
    #: Requested hops; -1 for all.
    depth: int
    #: Outgoing calls in the order of the call sites, incoming calls by file and line.
    calls: tuple[Call, ...] = ()
    #: For outgoing calls: callees outside of the repository.
    externals: tuple[ExternalCallee, ...] = ()
    #: For outgoing calls: calls whose declaration is not known.
    unknown: tuple[UnresolvedCallee, ...] = ()
    #: For incoming calls: unresolved call sites of the symbol's name, each of which may be a further caller.
    unresolved: UnresolvedSites | None = None
    #: For incoming calls: uses by frameworks because of the symbol's declaration, and links between operations of contracts
    #: and their implementations.
    frameworks: tuple[FrameworkUse | ContractLink, ...] = ()
    #: For incoming calls: external members that the symbol overrides or implements; code outside may call it through these.
    implemented: tuple[ExternalBase, ...] = ()
    #: Whether `MAX_SYMBOLS` ended the walk before `depth` did.
    truncated: bool = False

    @property
    def symbols(self) -> tuple[SymbolRef, ...]:
        """The distinct symbols of the tree, nearest first."""
        found: dict[str, SymbolRef] = {}
        level = list(self.calls)
        while level:
            found.update((call.symbol.id, call.symbol) for call in level if call.symbol.id not in found)
            level = [below for call in level for below in call.calls]
        return tuple(found.values())

    @property
    def title(self) -> str:
        verb = "calls" if self.direction == "outgoing" else "is called by"
        return f"{self.subject.label} {verb} {counted(len(self.calls), 'symbol')}:" if self.calls else f"{self.subject.label}:"

    def lines(self) -> list[str]:
        """Return lines for the tree, then for external and unresolved calls."""
        arrow = "→" if self.direction == "outgoing" else "←"
        lines = list(_tree_lines(self.calls, arrow))
        if self.externals:
            names = dict.fromkeys(f"{call.package}#{call.name}" for call in self.externals)
            lines.append(f"  outside: {', '.join(names)}")
        lines += [f"  unknown: {call.name} (line {call.lines[0]}, {call.reason})" for call in self.unknown]
        lines += [f"  {use.sentence}" for use in self.frameworks]
        if self.implemented:
            lines.append(f"  {implemented_note(self.implemented)}")
        if note := unresolved_note(self.unresolved):
            lines.append(f"  {note}")
        if self.truncated:
            lines.append(f"  Cut off after {MAX_SYMBOLS:,} symbols: ask for fewer hops.")
        return lines


def implemented_note(outside: Sequence[ExternalBase]) -> str:
    """Return a sentence about the external members that a symbol implements."""
    return f"It implements {listed_outside(outside)}, through which code outside may call it."


def callees(graph: GraphDatabase, subject: Subject, depth: int = 1) -> CallHierarchy:
    """Return the callees of a symbol over `depth` hops (-1: all). Calls in nested functions count as calls of the symbol."""
    _check(depth)
    if subject.nothing is not None:
        return CallHierarchy(subject=subject, direction="outgoing", depth=depth, nothing=subject.nothing)
    seeds = symbols_of(graph).offsets(subject.ids)
    whole = frozenset(seeds if subject.kinds & HOLDER_KINDS else ())
    seen = walk(graph, CallsOut(graph, whole), seeds, depth, most=MAX_SYMBOLS, peek=1)
    calls = grow_callees(seen, seeds, whole, depth)
    own = [inner for seed in seeds for inner in running_as(seen, seed, whole)]
    externals, unknown = tuple(calls_outside(graph, own)), tuple(calls_unknown(graph, own))
    return CallHierarchy(
        subject=subject,
        direction="outgoing",
        depth=depth,
        nothing=None if calls or externals or unknown else _calls_nothing(subject),
        calls=calls,
        externals=externals,
        unknown=unknown,
        truncated=bool(seen.unexplored) and depth < 0,
    )


def callers(graph: GraphDatabase, subject: Subject, depth: int = 1) -> CallHierarchy:
    """Return the callers of a symbol over `depth` hops (-1: all). Callers of a class include code that constructs the class, and
    callers of a decorator include decorated declarations.

    A call of a member that the symbol overrides may run the symbol: such call sites have the evidence `dispatch`.
    """
    _check(depth)
    if subject.nothing is not None:
        return CallHierarchy(subject=subject, direction="incoming", depth=depth, nothing=subject.nothing)
    seeds = symbols_of(graph).offsets(subject.ids + constructors(graph, subject) + _inheriting(graph, subject))
    values = frozenset(() if subject.kinds & _RUN else seeds)
    seen = walk(graph, calls_in(graph, values, indirect=True), seeds, depth, most=MAX_SYMBOLS, peek=1)
    calls = grow_callers(seen, seeds, depth)
    name = called_name(subject)
    frameworks: tuple[FrameworkUse | ContractLink, ...] = (
        *framework_uses(graph, subject.ids),
        *contract_links(graph, subject.ids),
    )
    unresolved = None if subject.kinds <= _UNCALLED else unresolved_sites_named(graph, [name]).get(name)
    return CallHierarchy(
        subject=subject,
        direction="incoming",
        depth=depth,
        frameworks=frameworks,
        nothing=None if calls or frameworks else _nobody_calls(graph, subject, unresolved),
        calls=calls,
        unresolved=unresolved,
        implemented=tuple(implemented_outside(graph, subject)) if calls else (),
        truncated=bool(seen.unexplored) and depth < 0,
    )


def constructors(graph: GraphDatabase, subject: Subject) -> list[str]:
    """Return the ids of the constructors of a class. Callers of a constructor count as callers of its class."""
    classes = sorted(symbol.id for symbol in subject.declarations if symbol.kind == "class")
    inside = symbols_of(graph).children(classes)
    return [member.id for members in inside.values() for member in members if member.kind == "constructor"]


def _inheriting(graph: GraphDatabase, subject: Subject) -> list[str]:
    """Return the ids of the classes that inherit the subject, if the subject is a constructor."""
    own = [symbol.id for symbol in subject.declarations if symbol.kind == "constructor"]
    return inheriting_classes(graph, own) if own else []


def called_name(subject: Subject) -> str:
    """Return the name at call sites: the name of the symbol, or for a constructor the name of its class."""
    main = subject.declarations[0]
    return main.qualified_name.split(".")[-2] if main.kind == "constructor" else main.name


def _check(depth: int) -> None:
    if depth < 1 and depth != -1:
        raise UsageError(f"The depth counts hops from 1; -1 follows all of them. It cannot be {depth}.")


def _calls_nothing(subject: Subject) -> EmptyReason:
    if subject.kinds <= _UNCALLED:
        return EmptyReason("notApplicable", f"{_a(subject)} calls nothing.")
    return none_of(subject, "It calls nothing.")


def _nobody_calls(graph: GraphDatabase, subject: Subject, unresolved: UnresolvedSites | None) -> EmptyReason:
    if subject.kinds <= _UNCALLED:
        return EmptyReason("notApplicable", f"{_a(subject)} cannot be called; `references()` lists its uses.")
    if unresolved is None:
        unseen = unseen_uses(graph, subject) or used_as_value(graph, subject) or taken_by_decorator(graph, subject)
        if unseen is not None:
            return unseen
        return none_of(
            subject, f"Nothing calls it: every call of the name {called_name(subject)} is resolved, and leads elsewhere."
        )
    where = f"{counted(unresolved.sites, 'call site')} of that name in {counted(unresolved.callers, 'symbol')}"
    return EmptyReason("unresolved", f"No caller is known, but {where} could not be resolved.", unresolved=unresolved)


def _a(subject: Subject) -> str:
    kind = subject.declarations[0].kind
    return f"{'An' if kind[0] in 'aeiou' else 'A'} {kind}"


def _tree_lines(calls: tuple[Call, ...], arrow: str) -> Iterator[str]:
    """Yield a line for each call. Chains of calls may exceed Python's recursion limit, so this function does not recurse."""
    waiting = [(call, 1) for call in reversed(calls)]
    while waiting:
        call, level = waiting.pop()
        sites = ", ".join(dict.fromkeys(str(site.line) for site in call.sites))
        at = f" at line {sites}" if sites else " (holds it)" if call.form == "closure" else ""
        within = f" in {call.within.name}" if call.within else ""
        yield f"{'  ' * level}{arrow} {call.symbol.qualified_name} ({call.symbol.place}){at}{within}{call.mark}"
        waiting += [(below, level + 1) for below in reversed(call.calls)]
