"""Edges out of resolved facts: calls, references, heritage, overrides, type flow, imports and exports."""

from __future__ import annotations

from collections.abc import Callable

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
from .engine import Engine
from .exports import export_edges
from .heritage import heritage_edges, override_edges
from .imports import import_edges
from .program import Unit
from .references import ReferenceCollector
from .type_flow import type_flow_edges

#: Id of the symbol at an index of a file.
SymbolIds = Callable[[Unit, int], str]


class Edges:
    """All edges of a program, gathered file by file."""

    def __init__(self, engine: Engine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        self._direct: list[CallEdge] = []
        self._external_calls: list[ExternalCallEdge] = []
        self._unresolved_calls: list[UnresolvedCallEdge] = []
        self._references: list[ReferenceEdge] = []
        self._heritage: list[HeritageEdge] = []
        self._overrides: list[OverrideEdge] = []
        self._type_flows: list[TypeFlowEdge] = []
        self._imports: list[ImportEdge] = []
        self._external_imports: list[ImportEdge] = []
        self._exports: list[ExportEdge] = []
        self._externals: dict[str, External] = {}

    def collect(self, progress: Callable[[int], None]) -> GraphContent:
        """Resolve the program's files one by one, and give all edges; `progress` is told how many files are done."""
        for done, unit in enumerate(self._engine.program.units, 1):
            self._calls(unit)
            self._engine.refuel()
            self._references += ReferenceCollector(self._engine, self._symbol_id).collect(unit)
            for edge in heritage_edges(self._engine, unit, self._symbol_id):
                self._heritage.append(edge)
                if edge.to_external:
                    self._external(edge.to_id)
            self._overrides += override_edges(self._engine, unit, self._symbol_id)
            self._type_flows += type_flow_edges(self._engine, unit, self._symbol_id)
            inside, outside = import_edges(self._engine.program, unit)
            self._imports += inside
            self._external_imports += outside
            self._exports += export_edges(self._engine, unit, self._symbol_id)
            progress(done)
        return GraphContent(
            externals=list(self._externals.values()),
            imports=self._imports,
            external_imports=self._external_imports,
            exports=self._exports,
            calls=self._direct,
            external_calls=self._external_calls,
            unresolved_calls=self._unresolved_calls,
            references=self._references,
            heritage=self._heritage,
            overrides=self._overrides,
            type_flows=self._type_flows,
        )

    def _external(self, identifier: str) -> str:
        if identifier not in self._externals:
            package, _, name = identifier.partition("#") if not identifier.startswith("lib:") else ("lib", "", identifier[4:])
            self._externals[identifier] = External(identifier, package, name)
        return identifier

    def _calls(self, unit: Unit) -> None:
        """Call sites of a file, gathered by caller, callee, form and evidence."""
        inside: dict[tuple[str, str, str, str], list[int]] = {}
        outside: dict[tuple[str, str, str], list[int]] = {}
        unknown: dict[tuple[str, str, str, str], list[int]] = {}
        for node in unit.facts.calls:
            self._engine.refuel()
            site = resolve_call(self._engine, unit, node)
            if site is None:
                continue
            caller = unit.named_owner(node)
            if caller < 0:
                continue
            from_id = self._symbol_id(unit, caller)
            for target in site.targets:
                if target.unit is not None:
                    to_id = self._symbol_id(target.unit, target.symbol)
                    inside.setdefault((from_id, to_id, site.form, target.evidence), []).append(site.position)
                elif target.outside:
                    outside.setdefault((from_id, self._external(target.outside), site.form), []).append(site.position)
                else:
                    unknown.setdefault((from_id, site.name or "(expression)", site.form, target.reason), []).append(site.position)
        for (from_id, to_id, form, evidence), at in inside.items():
            self._direct.append(CallEdge(from_id, to_id, *unit.places(at), form, evidence))
        for (from_id, external, form), at in outside.items():
            self._external_calls.append(ExternalCallEdge(from_id, external, *unit.places(at), form))
        for (from_id, name, form, reason), at in unknown.items():
            self._unresolved_calls.append(UnresolvedCallEdge(from_id, name, *unit.places(at), form, reason))
