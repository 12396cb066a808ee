"""All edges of a program, made from resolved facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ......schema.edges import (
    CallEdge,
    ExportEdge,
    ExternalCallEdge,
    HeritageEdge,
    ImportEdge,
    OverrideEdge,
    UnresolvedCallEdge,
    UnresolvedImport,
)
from ......schema.graph_content import GraphContent
from ......schema.records import External
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
        engine, symbol_id = self._engine, self._symbol_id
        imports: list[ImportEdge] = []
        data_imports: list[ImportEdge] = []
        external_imports: list[ImportEdge] = []
        unresolved_imports: list[UnresolvedImport] = []
        exports: list[ExportEdge] = []
        heritage: list[HeritageEdge] = []
        overrides: list[OverrideEdge] = []
        for unit in units:
            engine.refuel()
            heritage += heritage_edges(engine, unit, symbol_id)
            overrides += override_edges(engine, unit, symbol_id)
            found = import_edges(engine.program, unit)
            imports += found.inside
            data_imports += found.data
            external_imports += found.outside
            unresolved_imports += found.unresolved
            exports += export_edges(engine, unit, symbol_id)
        return GraphContent(
            externals=self._new_externals(GraphContent(heritage=heritage, overrides=overrides)),
            imports=imports,
            data_imports=data_imports,
            external_imports=external_imports,
            unresolved_imports=unresolved_imports,
            exports=exports,
            heritage=heritage,
            overrides=overrides,
            alias_parts=[part for unit in units for part in alias_parts(unit, symbol_id)],
            load_effects=[effect for unit in units for effect in load_effects(unit, symbol_id)],
            unicode_identifiers=[name for unit in units for name in unicode_identifiers(unit, symbol_id)],
            augmentations=list(augmentations(engine.program, units, symbol_id)),
            member_values=[value for unit in units for value in member_values(unit, symbol_id)],
        )

    def of_annotations(self, units: Sequence[Unit]) -> GraphContent:
        """Return the type flow of annotations, which is stored together with the type flow of inferred types."""
        flows = [edge for unit in units for edge in type_flow_edges(self._engine, unit, self._symbol_id)]
        return GraphContent(type_flows=flows)

    def of_calls(self, units: Sequence[Unit], progress: Callable[[int], None]) -> GraphContent:
        """Return the edges of calls and references in some files; `progress` gets the number of finished files."""
        found = GraphContent()
        for done, unit in enumerate(units, 1):
            self._add_calls(unit, found)
            uses = self._references.collect(unit)
            found.references.extend(uses.references)
            found.overrides.extend(uses.overrides)
            found.unresolved_references.extend(uses.unresolved)
            found.mentions.extend(uses.mentions)
            progress(done)
        found.externals.extend(self._new_externals(found))
        return found

    def of_constructs(self, units: Sequence[Unit]) -> GraphContent:
        """Return type checks, callbacks, functions with functions as parameters, and inferred type flow.

        The calls of the files must be resolved first, so that these questions do not change the order in which types
        are computed.
        """
        return GraphContent(
            checks=[check for unit in units for check in self._guards.collect(unit)],
            passings=[entry for unit in units for entry in self._callbacks.collect(unit)],
            type_flows=[edge for unit in units for edge in inferred_flow_edges(self._engine, unit, self._symbol_id)],
            functions_taken=[entry for unit in units for entry in self._higher_order.collect(unit)],
        )

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
