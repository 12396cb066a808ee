"""Make the edges of files of a nominal language. Those of calls and references are made here, others in modules beside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ....schema.records import (
    CallEdge,
    ExternalCallEdge,
    GraphContent,
    ReferenceEdge,
    UnresolvedCallEdge,
    UnresolvedReferenceEdge,
)
from ...facts.data import ModelQuery
from ...facts.model import NAME_OPS, DeclKind, Op, Reach, ShapeKind, Use
from ...languages.typescript.resolve.model.program import SymbolIds, Unit
from .. import imported_values, member_lookup
from ..call_sites.argument_types import ArgumentTypes
from ..call_sites.read_parameters import NO_READS
from ..engine import NominalEngine
from ..program import last_name
from ..types import (
    NONE,
    UNKNOWN,
    Callback,
    ClassInfo,
    ClassOf,
    ClassValue,
    Declaration,
    Found,
    FunctionValue,
    Instance,
    ModuleValue,
    Outside,
    Overloads,
    Type,
    Wrapped,
    parts,
)
from .annotations import bare_decorators, called_decorators
from .callbacks import Callbacks
from .exports import Exports
from .heritage import Heritage
from .implicit_calls import implicit_nodes, implicit_places
from .overloaded import OverloadedNames, is_anonymous
from .queries import queries_of
from .reference_roles import reference_roles
from .structural_heritage import StructuralHeritage
from .type_checks import TypeChecks
from .type_flow import TypeFlow
from .variants import Variants
from .wired import wirings

_WRITTEN: Final = 8
_NO_USE: Final = 16
#: Kinds of symbols that run themselves when they are called.
_RUNNING: Final = frozenset(("class", "function", "constructor", "method"))


class Target(NamedTuple):
    """What a call leads to: a symbol of the repository, something outside of it, or nothing that is known."""

    unit: Unit | None = None
    symbol: int = -1
    #: Dotted name of what is outside, beginning with its module.
    outside: str = ""
    reason: str = ""
    evidence: str = "scope"
    #: "conversion" where a call of a type does not run anything; else "".
    form: str = ""


class NominalEdges:
    """Makes the edges of the files of one language."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        #: What call sites give to parameters.
        self.arguments: Final = ArgumentTypes(engine, symbol_id)
        self._callbacks = Callbacks(engine, symbol_id)
        self._checks = TypeChecks(engine, symbol_id)
        self._exports = Exports(engine, symbol_id, self._place)
        self._heritage = Heritage(engine, symbol_id)
        self._structural = StructuralHeritage(engine, symbol_id)
        self._type_flow = TypeFlow(engine, symbol_id)
        self._variants = Variants(engine)
        #: What names mean in a language with overloads; None in other languages.
        self._overloaded = OverloadedNames(engine, symbol_id) if engine.program.rules.has_overloads else None

    def queries_of(self, unit: Unit) -> list[ModelQuery]:
        """Return what the calls of a file do with the tables of models."""
        return queries_of(self._engine, unit, self.arguments, self._symbol_id)

    # ------------------------------------------------------------------ calls

    def of_calls(self, unit: Unit) -> GraphContent:
        """Return the calls and references of a file."""
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
            for target in self._called(unit, node):
                if target.unit is not None:
                    for variant in self._variants.of(unit, target.unit, target.symbol):
                        to_id = self._symbol_id(variant.unit, variant.symbol)
                        inside.setdefault((from_id, to_id, target.form, target.evidence, variant.label), []).append(position)
                elif target.outside:
                    external = self._engine.program.rules.external(target.outside)
                    outside.setdefault((from_id, external), []).append(position)
                elif target.reason:
                    name = self._called_name(unit, node) or "(expression)"
                    unknown.setdefault((from_id, name, "", target.reason), []).append(position)
        ran = [(node, "decorator", self._sure_or_inferred(unit, node)) for node in bare_decorators(unit)]
        if self.arguments.is_used:
            ran += [(node, "decorator", self._made_decorator(unit, node)) for node in called_decorators(unit)]
            ran += [(node, "implicit", self._run_by(unit, node)) for node in implicit_nodes(unit)]
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
        found.references.extend(self._references(unit))
        found.unresolved_references.extend(self._unresolved_references(unit))
        return found

    def _called(self, unit: Unit, call: int) -> list[Target]:
        """Return what a call leads to."""
        if self._overloaded is None:
            return self._sure_or_inferred(unit, unit.code[call + 1])
        self._engine.refuel()
        chosen = self._overloaded.called(unit, call)
        return [Target(chosen.unit, chosen.symbol, chosen.outside, chosen.reason, "type")]

    def _called_name(self, unit: Unit, call: int) -> str:
        code = unit.code
        return unit.strings[code[call + 2]] if code[call] == Op.REFERS else last_name(unit, code[call + 1])

    def _sure_or_inferred(self, unit: Unit, callee: int) -> list[Target]:
        """Return what a callee leads to, and what else it leads to with the inferred types of parameters.

        A parameter may hold its default, and what call sites give to it.
        """
        engine = self._engine
        engine.refuel()
        engine.reads = NO_READS
        found = self.targets(unit, callee)
        if not engine.reads or not self.arguments.is_used:
            return found
        level = self.arguments.begin(unit)
        known = {target._replace(evidence="") for target in found}
        inferred = [
            target._replace(evidence="inferred")
            for target in self.targets(unit, callee)
            if self._runs(target) and target._replace(evidence="") not in known
        ]
        engine.enter_level(level)
        return [*(target for target in found if not target.reason), *inferred] if inferred else found

    def _made_decorator(self, unit: Unit, call: int) -> list[Target]:
        """Return the functions of the repository that a decorator runs which a call makes."""
        self._engine.refuel()
        made = parts(self._engine.type_of(unit, call))
        return [self._of_function(kind, "type") for kind in made if isinstance(kind, FunctionValue)]

    def _run_by(self, unit: Unit, node: int) -> list[Target]:
        """Return the methods of the repository that a node runs without naming them."""
        engine = self._engine
        engine.refuel()
        engine.reads = NO_READS
        found = [Target(*place, evidence="type") for place in implicit_places(engine, unit, node)]
        if found or not engine.reads:
            return found
        level = self.arguments.begin(unit)
        found = [Target(*place, evidence="inferred") for place in implicit_places(engine, unit, node)]
        engine.enter_level(level)
        return found

    def _runs(self, target: Target) -> bool:
        """Return whether a target is something that runs, not only a variable that holds it."""
        if target.unit is None:
            return bool(target.outside)
        return target.unit.symbols[target.symbol].kind in _RUNNING

    def targets(self, unit: Unit, callee: int) -> list[Target]:
        """Return what a callee leads to."""
        engine, code = self._engine, unit.code
        found: list[Target] = []
        if callee >= 0 and code[callee] == Op.PHI and code[callee + 2] >= 0:
            held = [target for part in parts(engine.type_of(unit, callee)) for target in self._of_type(part, "type")]
            if any(target.unit is not None for target in held):
                return held
            callee = code[callee + 2]
        alias = self._alias(unit, callee) if engine.program.rules.is_static else None
        if alias is not None:
            return [alias]
        if callee >= 0 and code[callee] == Op.MEMBER:
            receiver, name = engine.type_of(unit, code[callee + 1]), unit.strings[code[callee + 2]]
            for part in parts(receiver):
                if isinstance(part, (ModuleValue, Outside)):
                    found += self._of_package(part, name)
                    continue
                members = member_lookup.find_members(engine, part, name)
                if not members:
                    kind = member_lookup.member_type(engine, part, name)
                    found += self._of_type(kind, "type") if isinstance(kind, Outside) else []
                for each in members:
                    kinds = parts(each.type)
                    if each.unit.external:
                        found.append(self._outside_member(part, each, name))
                    elif any(isinstance(kind, ClassValue) for kind in kinds):
                        found += self._of_parts(each.type, "type")
                    elif each.symbol >= 0 and self._is_callable(each.unit, each.symbol):
                        found.append(Target(each.unit, each.symbol, evidence="type"))
                    else:
                        found += self._of_parts(each.type, "type")
            if not found:
                found.append(Target(reason="receiver"))
        elif callee >= 0:
            found += self._of_parts(engine.type_of(unit, callee), "scope" if code[callee] in NAME_OPS else "type")
        decorated = self._decorated(unit, callee)
        if decorated is not None:
            return [decorated]
        if callee >= 0 and not any(target.unit is not None for target in found):
            # Where nothing of the repository runs, the call is one of the variable that holds it.
            variable = self._variable(unit, callee)
            if variable is not None:
                return [Target(*variable, evidence="scope")]
        elif callee >= 0:
            known = {(id(target.unit), target.symbol) for target in found}
            found += [target for target in self._holders(unit, callee) if (id(target.unit), target.symbol) not in known]
        return list(dict.fromkeys(found)) or [Target(reason="dynamic")]

    def _alias(self, unit: Unit, callee: int) -> Target | None:
        """Return the alias of a type that a conversion names, or None."""
        declared = imported_values.origin_of(self._engine, unit, callee)
        if declared is None and callee >= 0 and unit.code[callee] == Op.NAME:
            runtime = self._engine.program.runtime("builtins")
            binding = runtime.scopes[0].names.get(last_name(unit, callee)) if runtime is not None else None
            place = (runtime, binding) if runtime is not None and binding is not None else None
            declared = imported_values.declaration_at(self._engine, place)
        if declared is None or declared.facts.kind != DeclKind.ALIAS:
            return None
        if declared.unit.external:
            return self._outside(declared.unit, None, declared.facts.name)
        symbol = declared.facts.symbol
        return Target(declared.unit, symbol, form="conversion") if symbol >= 0 else None

    def _of_package(self, module: ModuleValue | Outside, name: str) -> list[Target]:
        """Return what a member of a module is. A variable outside that holds a function without a name has its own name."""
        kind = member_lookup.member_type(self._engine, module, name)
        if isinstance(kind, FunctionValue) and kind.unit.external and kind.declaration < 0 and isinstance(module, ModuleValue):
            return [self._outside(kind.unit, None, name)]
        return self._of_parts(kind, "scope")

    def _holders(self, unit: Unit, callee: int) -> list[Target]:
        """Return the variable, attribute or property that a callee names, besides the function or class that it holds."""
        place = self._variable(unit, callee)
        if place is None:
            return []
        holder, symbol = place
        if holder.symbols[symbol].kind in _RUNNING:
            return []
        return [Target(holder, symbol, evidence="scope")]

    def _decorated(self, unit: Unit, callee: int) -> Target | None:
        """Return the function that a callee names, if decorators make something else of it: a call of that still runs it."""
        declared = imported_values.origin_of(self._engine, unit, callee)
        if declared is None or declared.unit.external:
            return None
        facts = declared.facts
        is_decorated = facts.kind == DeclKind.FUNCTION and facts.b >= 0 and facts.symbol >= 0
        if not is_decorated or not self._is_only(declared):
            return None
        return Target(declared.unit, facts.symbol, evidence="scope")

    def _is_only(self, declared: Declaration) -> bool:
        """Return whether a declaration is the only one of its name."""
        binding = declared.unit.binding_of(declared.place)
        return binding is not None and len(declared.unit.bindings[binding].decls) == 1

    def _variable(self, unit: Unit, callee: int) -> tuple[Unit, int] | None:
        """Return the variable or attribute that a callee names, if nothing is known of its value."""
        if unit.code[callee] in NAME_OPS:
            place = self._inside(self._named(unit, callee))
            if place is None or self._is_only_none(*place):
                return None
            return place if self._may_hold(unit, callee, place) else None
        if unit.code[callee] == Op.MEMBER:
            places = self._member_places(unit, unit.code[callee + 1], unit.strings[unit.code[callee + 2]])
            return self._inside(places[0]) if len(places) == 1 else None
        return None

    def _may_hold(self, unit: Unit, name: int, place: tuple[Unit, int]) -> bool:
        """Return whether a name of a file may hold its variable where it is used, not only what the file imports by that name."""
        if unit.code[name] != Op.FLOW or place[0] is not unit:
            return True
        values = unit.items(unit.code[name + 2])
        return any(unit.code[node] != Op.DECLARED or self._is_own(unit, unit.code[node + 1]) for node in values)

    def _is_only_none(self, unit: Unit, symbol: int) -> bool:
        """Return whether the variable of a module is only what stands in for an import that fails: `json = None`."""
        binding = unit.scopes[0].names.get(unit.symbols[symbol].name) if 0 in unit.scopes else None
        decls = unit.bindings[binding].decls if binding is not None else []
        own = [decl for decl in decls if self._is_own(unit, decl)]
        return 0 < len(own) < len(decls) and all(self._engine.declared(unit, decl) is NONE for decl in own)

    def _is_own(self, unit: Unit, decl: int) -> bool:
        return decl < 0 or unit.decls[decl].kind != DeclKind.IMPORT

    def _inside(self, place: tuple[Unit, int] | None) -> tuple[Unit, int] | None:
        """Return a place if it is a symbol of the repository."""
        if place is None:
            return None
        unit, symbol = place
        if unit.external or symbol < 0:
            return None
        return unit, symbol

    def _is_callable(self, unit: Unit, symbol: int) -> bool:
        return unit.symbols[symbol].kind in ("method", "function", "constructor")

    def _of_parts(self, kind: Type, evidence: str) -> list[Target]:
        return [target for part in parts(kind) for target in self._of_type(part, evidence)]

    def _of_type(self, kind: Type, evidence: str) -> list[Target]:
        if isinstance(kind, FunctionValue):
            return [self._of_function(kind, evidence)]
        if isinstance(kind, Overloads):
            return [self._of_function(kind.functions[-1], evidence)]
        if isinstance(kind, Callback):
            return [self._of_function(kind.function, evidence)] if kind.function is not None else [Target(reason="dynamic")]
        if isinstance(kind, ClassValue):
            return [self._of_class(kind.instance, evidence)]
        if isinstance(kind, ClassOf) and isinstance(kind.variable.bound, Instance):
            return [self._of_class(kind.variable.bound, evidence)]
        if isinstance(kind, Wrapped):
            return self._of_type(kind.value, evidence)
        if isinstance(kind, Instance):
            found = [self._of_member(each, "__call__") for each in member_lookup.find_members(self._engine, kind, "__call__")]
            return found or [Target(reason="dynamic")]
        if isinstance(kind, Outside):
            return [self._named_outside(kind.path)]
        return [Target(reason="dynamic")]

    def _named_outside(self, path: str) -> Target:
        """Return something of a module that is not read. A relative module is one of the repository that is missing."""
        if path.startswith(".") or not self._engine.program.rules.external(path):
            return Target(reason="module")
        is_free = path.startswith("builtins.")
        return Target(reason="global") if is_free else Target(outside=path)

    def _outside(self, unit: Unit, owner: ClassInfo | None, name: str) -> Target:
        return Target(outside=".".join(part for part in (unit.external, owner.name if owner is not None else "", name) if part))

    def _outside_member(self, receiver: Type, found: Found, name: str) -> Target:
        """Return a member that is declared outside, by the class of its receiver if that is outside too."""
        if isinstance(receiver, Instance) and receiver.cls.module:
            return self._outside(receiver.cls.unit, receiver.cls, name)
        return self._outside(found.unit, found.owner, name)

    def _of_member(self, found: Found, name: str) -> Target:
        if found.unit.external:
            return self._outside(found.unit, found.owner, name)
        if found.symbol < 0:
            return Target(reason="local")
        return Target(found.unit, found.symbol, evidence="type")

    def _of_function(self, value: FunctionValue, evidence: str) -> Target:
        if value.unit.external:
            name = value.unit.decls[value.declaration].name if value.declaration >= 0 else "<lambda>"
            return self._outside(value.unit, value.owner.cls if value.owner is not None else None, name)
        symbol = value.unit.functions[value.function].symbol
        return Target(value.unit, symbol, evidence=evidence) if symbol >= 0 else Target(reason="local")

    def _of_class(self, instance: Instance, evidence: str) -> Target:
        info = instance.cls
        if info.unit.external:
            return self._outside(info.unit, None, info.name)
        shape = info.unit.shapes[info.shape]
        for member in info.members_named("__init__"):
            if member.symbol >= 0:
                return Target(info.unit, member.symbol, evidence=evidence)
        form = "conversion" if self._engine.program.rules.is_static else ""
        return Target(info.unit, shape.symbol, evidence=evidence, form=form) if shape.symbol >= 0 else Target(reason="local")

    # ------------------------------------------------------------------ references

    def _references(self, unit: Unit) -> Iterator[ReferenceEdge]:
        """Yield the uses of symbols of the repository, by who uses them and how."""
        engine, code = self._engine, unit.code
        called = {unit.code[node + 1] for node in unit.facts.calls}
        invoked = {code[node + 1] for node in unit.facts.calls if code[node] == Op.CALL and self._overloaded is not None}
        roles = reference_roles(engine, unit)
        places: dict[tuple[str, str, str], dict[int, str]] = {}

        def put(owner: int, target: tuple[Unit, int] | None, role: str, position: int, name: str) -> None:
            if target is None or owner < 0 or target[0].external or target[1] < 0:
                return
            from_id = self._symbol_id(unit, owner)
            for variant in self._variants.of(unit, *target):
                places.setdefault((from_id, self._symbol_id(variant.unit, variant.symbol), role), {})[position] = name

        for node in range(0, len(code), 5):
            op = code[node]
            if op in NAME_OPS:
                role = "call" if node in called else "read"
                if op == Op.NAME and code[node + 3] == Use.WRITE:
                    role = "write"
                engine.refuel()
                put(
                    unit.named_owner(node),
                    self._named(unit, node),
                    roles.get(node, role),
                    code[node + 4],
                    last_name(unit, node),
                )
            elif op == Op.MEMBER and not code[node + 3] & _NO_USE:
                if node in invoked:
                    continue  # the call is a use of the method that its arguments choose
                engine.refuel()
                name = unit.strings[code[node + 2]]
                role = "call" if node in called else "write" if code[node + 3] & _WRITTEN else "read"
                named = self._overloaded.member_places(unit, node) if self._overloaded is not None else None
                for target in named if named is not None else self._member_places(unit, code[node + 1], name):
                    put(unit.named_owner(node), target, roles.get(node, role), code[node + 4], name)
            elif op == Op.LEXICAL and self._overloaded is not None:
                engine.refuel()
                role = {Use.WRITE: "write", Use.TYPE: "type"}.get(code[node + 3], "read")
                name = unit.strings[code[node + 2]]
                place = self._overloaded.place(unit, node)
                put(unit.named_owner(node), place, roles.get(node, role), code[node + 4], name)
            elif op == Op.LABEL and self._overloaded is not None:
                engine.refuel()
                name = unit.strings[code[node + 2]]
                put(unit.named_owner(node), self._overloaded.label_place(unit, node), "read", code[node + 4], name)
            elif op == Op.DECLARED and code[node + 1] >= 0:
                decl = unit.decls[code[node + 1]]
                if decl.kind == DeclKind.IMPORT and self._overloaded is not None:
                    engine.refuel()
                    for position, imported_name, symbol in self._overloaded.imported(unit, decl):
                        put(unit.named_owner(node), symbol, "import", position, imported_name)
                elif decl.kind == DeclKind.IMPORT and decl.b >= 0:
                    engine.refuel()
                    imported = self._place(imported_values.imported_binding(engine, unit, decl))
                    put(unit.named_owner(node), imported, "import", decl.position, unit.strings[decl.b])
            elif op in (Op.CALL, Op.NEW, Op.REFERS) and self._overloaded is not None and unit.named_owner(node) >= 0:
                engine.refuel()
                chosen = self._overloaded.called(unit, node)
                called_place = (chosen.unit, chosen.symbol) if chosen.unit is not None and op != Op.NEW else None
                put(unit.named_owner(node), called_place, "call", code[node + 4], self._called_name(unit, node))
        for (from_id, to_id, role), at in places.items():
            lines, columns = unit.places(sorted(at))
            yield ReferenceEdge(from_id, to_id, role, lines, columns, tuple([at[position] for position in sorted(at)]))

    def _unresolved_references(self, unit: Unit) -> Iterator[UnresolvedReferenceEdge]:
        """Yield the uses of members, other than calls, of values whose type is not known."""
        code = unit.code
        called = {code[node + 1] for node in unit.facts.calls}
        places: dict[tuple[str, str], list[int]] = {}
        for node in range(0, len(code), 5):
            if code[node] != Op.MEMBER or code[node + 3] & _NO_USE or node in called:
                continue
            owner, name = unit.named_owner(node), unit.strings[code[node + 2]]
            if owner >= 0 and not name.startswith("__") and self._is_open(unit, code[node + 1], name):
                places.setdefault((self._symbol_id(unit, owner), name), []).append(code[node + 4])
        for (from_id, name), at in places.items():
            yield UnresolvedReferenceEdge(from_id, name, *unit.places(at))

    def _is_open(self, unit: Unit, receiver: int, name: str) -> bool:
        """Return whether a value may have a member of the repository that is not found."""
        self._engine.refuel()
        kinds = parts(self._engine.type_of(unit, receiver))
        return any(
            kind is UNKNOWN or (isinstance(kind, Instance) and not member_lookup.find_members(self._engine, kind, name))
            for kind in kinds
        )

    def _named(self, unit: Unit, node: int) -> tuple[Unit, int] | None:
        binding = unit.code[node + 1]
        if binding >= 0:
            return self._place((unit, binding))
        return self._place(imported_values.free_name(self._engine, unit, last_name(unit, node)))

    def _place(self, place: tuple[Unit, int] | None) -> tuple[Unit, int] | None:
        """Return the symbol of a binding, behind imports."""
        for _ in range(12):
            if place is None:
                return None
            unit, binding = place
            entries = [unit.decls[index] for index in unit.bindings[binding].decls]
            # Of definitions in branches, of which any may hold, the first one stands for the name.
            named = [entry for entry in entries if entry.symbol >= 0]
            ends = [entry for entry in named if entry.c == Reach.END and entry.kind != DeclKind.PARAMETER]
            symbol = ends[0].symbol if ends else named[-1].symbol if named else -1
            if symbol >= 0:
                return unit, symbol
            imported = next((entry for entry in entries if entry.kind == DeclKind.IMPORT and entry.b >= 0), None)
            if imported is None:
                return None
            place = imported_values.imported_binding(self._engine, unit, imported)
        return None

    def _member_places(self, unit: Unit, receiver: int, name: str) -> list[tuple[Unit, int]]:
        engine = self._engine
        found: dict[tuple[int, int], tuple[Unit, int]] = {}
        for part in parts(engine.type_of(unit, receiver)):
            if isinstance(part, ModuleValue):
                place = self._place(imported_values.exported_value(engine, part.unit, name)) if part.unit is not None else None
                if place is not None:
                    found[id(place[0]), place[1]] = place
                continue
            for each in member_lookup.find_members(engine, part, name):
                found[id(each.unit), each.symbol] = (each.unit, each.symbol)
        return list(found.values())

    def of_annotations(self, unit: Unit) -> GraphContent:
        """Return the type flow of a file's annotations."""
        return GraphContent(type_flows=self._type_flow.annotated(unit))

    def of_constructs(self, unit: Unit) -> GraphContent:
        """Return the type checks of a file, the functions that it passes and takes, and its inferred type flow.

        Its calls must be resolved first.
        """
        return GraphContent(
            type_flows=self._type_flow.inferred(unit),
            checks=list(self._checks.of(unit)),
            passings=list(self._callbacks.passed(unit)),
            functions_taken=list(self._callbacks.taken(unit)),
            wirings=wirings(self._engine, unit, self._symbol_id),
        )

    # ------------------------------------------------------------------ classes

    def of_names(self, unit: Unit) -> GraphContent:
        """Return what a file exports, and heritage and overrides of its classes."""
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
        return found
