"""All edges of a program, made from resolved facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ......schema.edges import (
    CallEdge,
    ExternalCallEdge,
    UnresolvedCallEdge,
)
from ......schema.graph_content import GraphContent
from ......schema.records import External
from .....facts.faults import FAULTS, fault_in
from ..call_targets import resolve_call
from ..engine import Engine
from ..model.unit import SymbolIds, Unit
from .callbacks import CallbackFinder
from .constructs import alias_parts, augmentations, load_effects, member_values, unicode_identifiers
from .exports import export_edges
from .function_arguments import HigherOrderFunctions
from .heritage import heritage_edges, override_edges
from .imports import import_edges
from .inferred_flow import inferred_flow_edges
from .known_names import KnownNames
from .references import ReferenceCollector
from .type_checks import TypeGuards
from .type_flow import type_flow_edges

#: Prefixes of ids without a package: declarations of a runtime.
_RUNTIMES = ("lib:", "python:", "go:", "java:")


class Edges:
    """Makes the edges of a program, for some files at a time and for each file once.

    The order is: edges of names, edges of calls and references, edges of constructs. Calls and references take most of the time.
    """

    def __init__(self, engine: Engine, symbol_id: SymbolIds, names: KnownNames) -> None:
        """`names` are the known names of the whole program."""
        self._engine = engine
        self._symbol_id = symbol_id
        #: Ids of the externals that were already returned.
        self._known: set[str] = set()
        self._references = ReferenceCollector(engine, symbol_id, names.members)
        self._guards = TypeGuards(engine, symbol_id, names.discriminants)
        self._callbacks = CallbackFinder(engine, symbol_id, self._guards, names.methods)
        self._higher_order = HigherOrderFunctions(engine, symbol_id)

    def release(self) -> None:
        """Free all memory of the engine. No more edges can be made."""
        self._engine.release()

    def symbol_id(self, unit: Unit, symbol: int) -> str:
        """Return the id of a symbol of a file."""
        return self._symbol_id(unit, symbol)

    def of_names(self, units: Sequence[Unit]) -> GraphContent:
        """Return the edges that need few types: imports, exports, heritage and overrides."""
        found = GraphContent()
        for unit in units:
            self._add(self._add_names, unit, found)
        found.externals.extend(self._new_externals(found))
        found.augmentations.extend(augmentations(self._engine.program, units, self._symbol_id))
        return found

    def of_annotations(self, units: Sequence[Unit]) -> GraphContent:
        """Return the type flow of annotations, which is stored together with the type flow of inferred types."""
        found = GraphContent()
        for unit in units:
            self._add(self._add_annotations, unit, found)
        return found

    def of_calls(self, units: Sequence[Unit], progress: Callable[[int], None]) -> GraphContent:
        """Return the edges of calls and references in some files; `progress` gets the number of finished files."""
        found = GraphContent()
        for done, unit in enumerate(units, 1):
            self._add(self._add_uses, unit, found)
            progress(done)
        found.externals.extend(self._new_externals(found))
        return found

    def of_constructs(self, units: Sequence[Unit]) -> GraphContent:
        """Return type checks, callbacks, functions with functions as parameters, and inferred type flow.

        The calls of the files must be resolved first, so that these questions do not change the order in which types
        are computed.
        """
        found = GraphContent()
        for unit in units:
            self._add(self._add_constructs, unit, found)
        return found

    def _add(self, edges: Callable[[Unit, GraphContent], None], unit: Unit, found: GraphContent) -> None:
        """Add edges of a file. After a fault, which is noted, the file lacks edges."""
        try:
            edges(unit, found)
        except FAULTS as fault:
            self._engine.faults.append(fault_in(unit.path, fault))

    def _add_names(self, unit: Unit, found: GraphContent) -> None:
        engine, symbol_id = self._engine, self._symbol_id
        engine.refuel()
        found.heritage.extend(heritage_edges(engine, unit, symbol_id))
        found.overrides.extend(override_edges(engine, unit, symbol_id))
        imports = import_edges(engine.program, unit)
        found.imports.extend(imports.inside)
        found.data_imports.extend(imports.data)
        found.external_imports.extend(imports.outside)
        found.unresolved_imports.extend(imports.unresolved)
        found.exports.extend(export_edges(engine, unit, symbol_id))
        found.alias_parts.extend(alias_parts(unit, symbol_id))
        found.load_effects.extend(load_effects(unit, symbol_id))
        found.unicode_identifiers.extend(unicode_identifiers(unit, symbol_id))
        found.member_values.extend(member_values(unit, symbol_id))

    def _add_annotations(self, unit: Unit, found: GraphContent) -> None:
        found.type_flows.extend(type_flow_edges(self._engine, unit, self._symbol_id))

    def _add_uses(self, unit: Unit, found: GraphContent) -> None:
        self._add_calls(unit, found)
        uses = self._references.collect(unit)
        found.references.extend(uses.references)
        found.overrides.extend(uses.overrides)
        found.unresolved_references.extend(uses.unresolved)
        found.mentions.extend(uses.mentions)

    def _add_constructs(self, unit: Unit, found: GraphContent) -> None:
        found.checks.extend(self._guards.collect(unit))
        found.passings.extend(self._callbacks.collect(unit))
        found.type_flows.extend(inferred_flow_edges(self._engine, unit, self._symbol_id))
        found.functions_taken.extend(self._higher_order.collect(unit))

    def _new_externals(self, content: GraphContent) -> list[External]:
        """Return the externals of a content that were not returned before."""
        new = [external for external in externals_of(content) if external.id not in self._known]
        self._known.update(external.id for external in new)
        return new

    def _add_calls(self, unit: Unit, found: GraphContent) -> None:
        """Add the call sites of a file, grouped by caller, callee, form and evidence."""
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
            self._guards.add_call(unit, node, site)
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
            found.calls.append(CallEdge(from_id, to_id, *unit.places(at), form, evidence))
        for (from_id, external, form), at in outside.items():
            found.external_calls.append(ExternalCallEdge(from_id, external, *unit.places(at), form))
        for (from_id, name, form, reason), at in unknown.items():
            found.unresolved_calls.append(UnresolvedCallEdge(from_id, name, *unit.places(at), form, reason))


def externals_of(content: GraphContent) -> list[External]:
    """Return the externals to which edges of a content refer, without repetition."""
    heritage = (edge.to_id for edge in content.heritage if edge.to_external)
    overridden = (edge.to_id for edge in content.overrides if edge.to_external)
    called = (edge.external_id for edge in content.external_calls)
    return [_external(identifier) for identifier in dict.fromkeys((*heritage, *overridden, *called))]


def _external(identifier: str) -> External:
    package, _, name = identifier.partition(":" if identifier.startswith(_RUNTIMES) else "#")
    return External(identifier, package, name)
