"""Make the edges of files of a nominal language. This module makes the edges of calls, and the modules beside it all other
edges."""

from __future__ import annotations

from typing import Final

from ....schema.edges import CallEdge, ExternalCallEdge, UnresolvedCallEdge
from ....schema.graph_content import GraphContent
from ...facts.data import ModelQuery
from ...facts.model import ShapeKind
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from ..call_sites.argument_types import ArgumentTypes
from ..engine import NominalEngine
from .annotations import bare_decorators, called_decorators
from .call_targets import CallTargets, called_name
from .callbacks import Callbacks
from .exports import Exports
from .heritage import Heritage
from .implicit_calls import implicit_nodes
from .named_places import NamedPlaces
from .overloaded import OverloadedNames, is_anonymous
from .queries import queries_of
from .references import References
from .structural_heritage import StructuralHeritage
from .type_checks import TypeChecks
from .type_flow import TypeFlow
from .variants import Variants
from .wired import wirings


class NominalEdges:
    """Makes the edges of the files of one language."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        #: Types of the arguments that call sites pass to parameters.
        self.arguments: Final = ArgumentTypes(engine, symbol_id)
        self._callbacks = Callbacks(engine, symbol_id)
        self._checks = TypeChecks(engine, symbol_id)
        places = NamedPlaces(engine)
        self._exports = Exports(engine, symbol_id, places.behind_imports)
        self._heritage = Heritage(engine, symbol_id)
        self._structural = StructuralHeritage(engine, symbol_id)
        self._type_flow = TypeFlow(engine, symbol_id)
        self._variants = Variants(engine)
        #: Meanings of names in a language with overloads; None in other languages.
        self._overloaded = OverloadedNames(engine, symbol_id) if engine.program.rules.has_overloads else None
        #: Targets of calls.
        self.targets: Final = CallTargets(engine, places, self.arguments, self._overloaded)
        self._references = References(engine, symbol_id, places, self._variants, self._overloaded)

    def queries_of(self, unit: Unit) -> list[ModelQuery]:
        """Return the uses of tables by calls of object mappers in a file."""
        self._engine.begin_file()
        return queries_of(self._engine, unit, self.arguments, self._symbol_id)

    # ------------------------------------------------------------------ calls

    def of_calls(self, unit: Unit) -> GraphContent:
        """Return the calls and references of a file."""
        self._engine.begin_file()
        found = GraphContent()
        inside: dict[tuple[str, str, str, str, str], list[int]] = {}
        outside: dict[tuple[str, str], list[int]] = {}
        unknown: dict[tuple[str, str, str, str], list[int]] = {}
        for node in unit.facts.calls:
            caller = unit.named_owner(node)
            if caller < 0:
                continue
            position = unit.code[node + 4]
            from_id = self._symbol_id(unit, caller)
            for target in self.targets.of_call(unit, node):
                if target.unit is not None:
                    for variant in self._variants.of(unit, target.unit, target.symbol):
                        to_id = self._symbol_id(variant.unit, variant.symbol)
                        inside.setdefault((from_id, to_id, target.form, target.evidence, variant.label), []).append(position)
                elif target.outside:
                    external = self._engine.program.rules.external(target.outside)
                    outside.setdefault((from_id, external), []).append(position)
                elif target.reason:
                    name = called_name(unit, node) or "(expression)"
                    unknown.setdefault((from_id, name, "", target.reason), []).append(position)
        ran = [(node, "decorator", self.targets.sure_or_inferred(unit, node)) for node in bare_decorators(unit)]
        if self.arguments.is_used:
            ran += [(node, "decorator", self.targets.made_decorator(unit, node)) for node in called_decorators(unit)]
            ran += [(node, "implicit", self.targets.run_by(unit, node)) for node in implicit_nodes(unit)]
        for node, form, targets in ran:
            for target in targets if unit.named_owner(node) >= 0 else ():
                if target.unit is not None:
                    from_id = self._symbol_id(unit, unit.named_owner(node))
                    key = (from_id, self._symbol_id(target.unit, target.symbol), form, target.evidence, "")
                    inside.setdefault(key, []).append(unit.code[node + 4])
        for (from_id, to_id, form, evidence, label), at in inside.items():
            found.calls.append(CallEdge(from_id, to_id, *unit.places(at), form, evidence, label))
        for (from_id, external), at in outside.items():
            found.external_calls.append(ExternalCallEdge(from_id, external, *unit.places(at), ""))
        for (from_id, name, form, reason), at in unknown.items():
            found.unresolved_calls.append(UnresolvedCallEdge(from_id, name, *unit.places(at), form, reason))
        found.references.extend(self._references.of(unit))
        found.unresolved_references.extend(self._references.unresolved(unit))
        return found

    # ------------------------------------------------------------------ constructs

    def of_annotations(self, unit: Unit) -> GraphContent:
        """Return the type flow of a file's annotations."""
        self._engine.begin_file()
        return GraphContent(type_flows=self._type_flow.annotated(unit))

    def of_constructs(self, unit: Unit) -> GraphContent:
        """Return the type checks of a file, the functions that it passes and takes, and its inferred type flow.

        Call `of_calls` for the file first.
        """
        self._engine.begin_file()
        return GraphContent(
            type_flows=self._type_flow.inferred(unit),
            checks=list(self._checks.of(unit)),
            passings=list(self._callbacks.passed(unit)),
            functions_taken=list(self._callbacks.taken(unit)),
            wirings=wirings(self._engine, unit, self._symbol_id),
        )

    # ------------------------------------------------------------------ classes

    def of_names(self, unit: Unit) -> GraphContent:
        """Return the exports of a file, and heritage and overrides of its classes."""
        self._engine.begin_file()
        found = GraphContent(exports=self._exports.of(unit))
        for index, shape in enumerate(unit.shapes):
            if self._overloaded is not None:
                self._engine.refuel()
                found.heritage.extend(self._overloaded.bases(unit, shape) if shape.symbol >= 0 else ())
                is_seen = shape.symbol >= 0 or is_anonymous(shape)
                found.overrides.extend(dict.fromkeys(self._overloaded.overrides(unit, index)) if is_seen else ())
            elif shape.symbol >= 0:
                self._engine.refuel()
                found.heritage.extend(self._heritage.bases(unit, shape))
                found.overrides.extend(dict.fromkeys(self._heritage.overrides(unit, index)))
                if self._engine.program.rules.is_static:
                    found.heritage.extend(self._structural.implemented(unit, index))
            elif shape.kind == ShapeKind.EXTENSION:
                self._engine.refuel()
                found.overrides.extend(dict.fromkeys(self._structural.overridden(unit, index)))
                found.methods.extend(self._structural.methods(unit, index))
        return found
