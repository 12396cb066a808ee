"""Edges out of resolved facts: calls, references, heritage, overrides, type flow, imports and exports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...schema.records import (
    CallEdge,
    ExportEdge,
    External,
    ExternalCallEdge,
    GraphContent,
    HeritageEdge,
    ImportEdge,
    OverrideEdge,
    ReferenceEdge,
    TypeFlowEdge,
    UnresolvedCallEdge,
)
from .call_targets import resolve_call
from .callbacks import Passings
from .constructs import alias_parts, augmentations, load_effects, member_values, unicode_identifiers
from .engine import Engine
from .exports import export_edges
from .functions_taken import FunctionsTaken
from .heritage import heritage_edges, override_edges
from .imports import import_edges
from .inferred_flow import inferred_flow_edges
from .known_names import KnownNames
from .program import Unit
from .references import ReferenceCollector
from .type_flow import type_flow_edges
from .type_guards import TypeGuards

#: Id of the symbol at an index of a file.
SymbolIds = Callable[[Unit, int], str]


class Edges:
    """The edges of a program, in three parts: what follows from names; calls and references, which take most of the time;
    and what is told of constructs when these are known."""

    def __init__(self, engine: Engine, symbol_id: SymbolIds, units: Sequence[Unit], names: KnownNames) -> None:
        """The edges that begin in some files; the names are those of the whole program."""
        self._units = units
        self._names = names
        self._engine = engine
        self._symbol_id = symbol_id
        #: Ids of the externals that a part has brought.
        self._known: set[str] = set()
        self._direct: list[CallEdge] = []
        self._external_calls: list[ExternalCallEdge] = []
        self._unresolved_calls: list[UnresolvedCallEdge] = []
        self._guards = TypeGuards(engine, symbol_id, self._names.discriminants)
        #: Edges of annotations, which wait for those of inferred types: a table is written once.
        self._type_flows: list[TypeFlowEdge] = []

    def release(self) -> None:
        """The end: gives back the memory of everything that was worked out."""
        self._engine.release()

    def of_names(self) -> GraphContent:
        """The edges that need few types: imports, exports, heritage and overrides."""
        engine, symbol_id = self._engine, self._symbol_id
        imports: list[ImportEdge] = []
        data_imports: list[ImportEdge] = []
        external_imports: list[ImportEdge] = []
        exports: list[ExportEdge] = []
        heritage: list[HeritageEdge] = []
        overrides: list[OverrideEdge] = []
        for unit in self._units:
            engine.refuel()
            heritage += heritage_edges(engine, unit, symbol_id)
            overrides += override_edges(engine, unit, symbol_id)
            self._type_flows += type_flow_edges(engine, unit, symbol_id)
            found = import_edges(engine.program, unit)
            imports += found.inside
            data_imports += found.data
            external_imports += found.outside
            exports += export_edges(engine, unit, symbol_id)
        return GraphContent(
            externals=self._externals(edge.to_id for edge in heritage if edge.to_external),
            imports=imports,
            data_imports=data_imports,
            external_imports=external_imports,
            exports=exports,
            heritage=heritage,
            overrides=overrides,
            alias_parts=[part for unit in self._units for part in alias_parts(unit, symbol_id)],
            load_effects=[effect for unit in self._units for effect in load_effects(unit, symbol_id)],
            unicode_identifiers=[name for unit in self._units for name in unicode_identifiers(unit, symbol_id)],
            augmentations=list(augmentations(engine.program, self._units, symbol_id)),
            member_values=[value for unit in self._units for value in member_values(unit, symbol_id)],
        )

    def of_calls(self, progress: Callable[[int], None]) -> GraphContent:
        """The edges of calls and references, resolved file by file; `progress` is told how many files are done."""
        references: list[ReferenceEdge] = []
        collector = ReferenceCollector(self._engine, self._symbol_id, self._names.members)
        for done, unit in enumerate(self._units, 1):
            self._calls(unit)
            references += collector.collect(unit)
            progress(done)
        return GraphContent(
            externals=self._externals(edge.external_id for edge in self._external_calls),
            calls=self._direct,
            external_calls=self._external_calls,
            unresolved_calls=self._unresolved_calls,
            references=references,
        )

    def of_constructs(self) -> GraphContent:
        """Checks of types, callbacks, functions that take functions, and type flow: when all calls are resolved, so that what is
        asked here cannot change in which order the types behind calls are worked out."""
        checks = [check for unit in self._units for check in self._guards.collect(unit)]
        passing = Passings(self._engine, self._symbol_id, self._guards, self._names.methods)
        passings = [entry for unit in self._units for entry in passing.collect(unit)]
        for unit in self._units:
            self._type_flows += inferred_flow_edges(self._engine, unit, self._symbol_id)
        taken = FunctionsTaken(self._engine, self._symbol_id)
        functions_taken = [entry for unit in self._units for entry in taken.collect(unit)]
        return GraphContent(type_flows=self._type_flows, checks=checks, passings=passings, functions_taken=functions_taken)

    def _externals(self, ids: Iterable[str]) -> list[External]:
        """The nodes of externals that no earlier part has brought."""
        new = dict.fromkeys(identifier for identifier in ids if identifier not in self._known)
        self._known.update(new)
        return [_external(identifier) for identifier in new]

    def _calls(self, unit: Unit) -> None:
        """Call sites of a file, gathered by caller, callee, form and evidence."""
        engine, symbol_id = self._engine, self._symbol_id
        inside: dict[tuple[str, str, str, str], list[int]] = {}
        outside: dict[tuple[str, str, str], list[int]] = {}
        unknown: dict[tuple[str, str, str, str], list[int]] = {}
        for node in unit.facts.calls:
            caller = unit.named_owner(node)
            if caller < 0:
                continue
            engine.refuel()
            site = resolve_call(engine, unit, node)
            if site is None:
                continue
            self._guards.see_call(unit, node, site)
            from_id = symbol_id(unit, caller)
            for target in site.targets:
                if target.unit is not None:
                    to_id = symbol_id(target.unit, target.symbol)
                    inside.setdefault((from_id, to_id, site.form, target.evidence), []).append(site.position)
                elif target.outside:
                    outside.setdefault((from_id, target.outside, site.form), []).append(site.position)
                else:
                    unknown.setdefault((from_id, site.name or "(expression)", site.form, target.reason), []).append(site.position)
        for (from_id, to_id, form, evidence), at in inside.items():
            self._direct.append(CallEdge(from_id, to_id, *unit.places(at), form, evidence))
        for (from_id, external, form), at in outside.items():
            self._external_calls.append(ExternalCallEdge(from_id, external, *unit.places(at), form))
        for (from_id, name, form, reason), at in unknown.items():
            self._unresolved_calls.append(UnresolvedCallEdge(from_id, name, *unit.places(at), form, reason))


def _external(identifier: str) -> External:
    package, _, name = identifier.partition("#") if not identifier.startswith("lib:") else ("lib", "", identifier[4:])
    return External(identifier, package, name)
