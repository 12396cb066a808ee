"""The targets of calls."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...facts.model import DeclKind
from ...facts.operations import NAME_OPS, Op
from ...languages.typescript.resolve.model.unit import Unit
from .. import imported_values, member_lookup
from ..call_sites.argument_types import ArgumentTypes
from ..call_sites.read_parameters import NO_READS
from ..engine import NominalEngine
from ..program import last_name
from ..types import (
    NONE,
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
from .implicit_calls import implicit_places
from .named_places import NamedPlaces
from .overloaded import OverloadedNames

#: Kinds of symbols whose code runs when they are called.
_RUNNING: Final = frozenset(("class", "function", "constructor", "method"))


class Target(NamedTuple):
    """The target of a call: a symbol of the repository, an external symbol, or the reason why it is unresolved."""

    unit: Unit | None = None
    symbol: int = -1
    #: Dotted name of an external target, beginning with its module.
    outside: str = ""
    reason: str = ""
    evidence: str = "scope"
    #: "conversion" if the call converts a value to a type and runs no code; else "".
    form: str = ""


def called_name(unit: Unit, call: int) -> str:
    """Return the last name of a callee; "" for an expression without a name."""
    code = unit.code
    return unit.strings[code[call + 2]] if code[call] == Op.REFERS else last_name(unit, code[call + 1])


class CallTargets:
    """Finds the targets of the calls of one language."""

    def __init__(
        self, engine: NominalEngine, places: NamedPlaces, arguments: ArgumentTypes, overloaded: OverloadedNames | None
    ) -> None:
        """`overloaded` finds the meanings of names in a language with overloads; None in other languages."""
        self._engine: Final = engine
        self._places: Final = places
        self._arguments: Final = arguments
        self._overloaded: Final = overloaded

    def of_call(self, unit: Unit, call: int) -> list[Target]:
        """Return the target of a call."""
        if self._overloaded is None:
            return self.sure_or_inferred(unit, unit.code[call + 1])
        self._engine.refuel()
        chosen = self._overloaded.called(unit, call)
        return [Target(chosen.unit, chosen.symbol, chosen.outside, chosen.reason, "type")]

    def sure_or_inferred(self, unit: Unit, callee: int) -> list[Target]:
        """Return the targets of a callee, and further targets that are known only from inferred types of parameters.

        In `def run(job=default_job)`, a call of `job` may run the default, and the arguments from call sites.
        """
        engine = self._engine
        engine.refuel()
        engine.reads = NO_READS
        found = self.of(unit, callee)
        if not engine.reads or not self._arguments.is_used:
            return found
        level = self._arguments.begin(unit)
        known = {target._replace(evidence="") for target in found}
        inferred = [
            target._replace(evidence="inferred")
            for target in self.of(unit, callee)
            if self._runs(target) and target._replace(evidence="") not in known
        ]
        engine.enter_level(level)
        return [*(target for target in found if not target.reason), *inferred] if inferred else found

    def made_decorator(self, unit: Unit, call: int) -> list[Target]:
        """Return the functions of the repository that run when the result of a call decorates a function."""
        self._engine.refuel()
        made = parts(self._engine.type_of(unit, call))
        return [self._of_function(kind, "type") for kind in made if isinstance(kind, FunctionValue)]

    def run_by(self, unit: Unit, node: int) -> list[Target]:
        """Return the methods of the repository that a node runs without naming them."""
        engine = self._engine
        engine.refuel()
        engine.reads = NO_READS
        found = [Target(*place, evidence="type") for place in implicit_places(engine, unit, node)]
        if found or not engine.reads:
            return found
        level = self._arguments.begin(unit)
        found = [Target(*place, evidence="inferred") for place in implicit_places(engine, unit, node)]
        engine.enter_level(level)
        return found

    def _runs(self, target: Target) -> bool:
        """Return whether a target is code that runs, and not a variable whose value is called."""
        if target.unit is None:
            return bool(target.outside)
        return target.unit.symbols[target.symbol].kind in _RUNNING

    def of(self, unit: Unit, callee: int) -> list[Target]:
        """Return the target of a callee."""
        engine, code = self._engine, unit.code
        found: list[Target] = []
        if callee >= 0 and code[callee] == Op.PHI and code[callee + 2] >= 0:
            held = [target for part in parts(engine.type_of(unit, callee)) for target in self._of_type(part, "type")]
            if any(target.unit is not None for target in held):
                return held
            callee = code[callee + 2]
        named = self._alias_or_variable(unit, callee) if engine.program.rules.is_static else None
        if named is not None:
            return [named]
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
            # If no code of the repository is known to run, the target is the variable that contains the callable.
            variable = self._variable(unit, callee)
            if variable is not None:
                return [Target(*variable, evidence="scope")]
        elif callee >= 0:
            known = {(id(target.unit), target.symbol) for target in found}
            found += [target for target in self._holders(unit, callee) if (id(target.unit), target.symbol) not in known]
        return list(dict.fromkeys(found)) or [Target(reason="dynamic")]

    def _alias_or_variable(self, unit: Unit, callee: int) -> Target | None:
        """Return the alias of a type that a conversion names, or the external variable that a call names; else None."""
        declared = imported_values.origin_of(self._engine, unit, callee)
        if declared is None and callee >= 0 and unit.code[callee] == Op.NAME:
            runtime = self._engine.program.runtime("builtins")
            binding = runtime.scopes[0].names.get(last_name(unit, callee)) if runtime is not None else None
            place = (runtime, binding) if runtime is not None and binding is not None else None
            declared = imported_values.declaration_at(self._engine, place)
        if declared is None:
            return None
        kind, is_outside = declared.facts.kind, bool(declared.unit.external)
        if kind != DeclKind.ALIAS and not (is_outside and kind == DeclKind.VARIABLE):
            return None
        if is_outside:
            return self._external_target(declared.unit, None, declared.facts.name)
        symbol = declared.facts.symbol
        return Target(declared.unit, symbol, form="conversion") if symbol >= 0 else None

    def _of_package(self, module: ModuleValue | Outside, name: str) -> list[Target]:
        """Return the target for a member of a module. The target of a nameless function has the name of its variable."""
        kind = member_lookup.member_type(self._engine, module, name)
        if isinstance(kind, FunctionValue) and kind.unit.external and kind.declaration < 0 and isinstance(module, ModuleValue):
            return [self._external_target(kind.unit, None, name)]
        return self._of_parts(kind, "scope")

    def _holders(self, unit: Unit, callee: int) -> list[Target]:
        """Return the variable, attribute or property that a callee names, and not the function or class that is its value."""
        place = self._variable(unit, callee)
        if place is None:
            return []
        holder, symbol = place
        if holder.symbols[symbol].kind in _RUNNING:
            return []
        return [Target(holder, symbol, evidence="scope")]

    def _decorated(self, unit: Unit, callee: int) -> Target | None:
        """Return the decorated function that a callee names. A call of the decorators' result still runs the function."""
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
        """Return the variable or attribute that a callee names, if its value is unknown.

        In statically typed languages, a list or map of functions counts as well: `hooks[name](order)`.
        """
        while self._engine.program.rules.is_static and unit.code[callee] in (Op.INDEX, Op.INSTANTIATION):
            callee = unit.code[callee + 1]
        if unit.code[callee] in NAME_OPS:
            place = self._if_in_repository(self._places.named(unit, callee))
            if place is None or self._is_only_none(*place):
                return None
            return place if self._may_hold(unit, callee, place) else None
        if unit.code[callee] == Op.MEMBER:
            places = self._places.of_member(unit, unit.code[callee + 1], unit.strings[unit.code[callee + 2]])
            return self._if_in_repository(places[0]) if len(places) == 1 else None
        return None

    def _may_hold(self, unit: Unit, name: int, place: tuple[Unit, int]) -> bool:
        """Return whether a variable, where it is read, may have another value than an import with the same name."""
        if unit.code[name] != Op.FLOW or place[0] is not unit:
            return True
        values = unit.items(unit.code[name + 2])
        return any(unit.code[node] != Op.DECLARED or self._is_own(unit, unit.code[node + 1]) for node in values)

    def _is_only_none(self, unit: Unit, symbol: int) -> bool:
        """Return whether a variable of a module is only `None`, in place of a failed import: `json = None`."""
        binding = unit.scopes[0].names.get(unit.symbols[symbol].name) if 0 in unit.scopes else None
        decls = unit.bindings[binding].decls if binding is not None else []
        own = [decl for decl in decls if self._is_own(unit, decl)]
        return 0 < len(own) < len(decls) and all(self._engine.declared(unit, decl) is NONE for decl in own)

    def _is_own(self, unit: Unit, decl: int) -> bool:
        return decl < 0 or unit.decls[decl].kind != DeclKind.IMPORT

    def _if_in_repository(self, place: tuple[Unit, int] | None) -> tuple[Unit, int] | None:
        if place is None:
            return None
        unit, symbol = place
        if unit.external or symbol < 0:
            return None
        return unit, symbol

    def _is_callable(self, unit: Unit, symbol: int) -> bool:
        return unit.symbols[symbol].kind in ("method", "function", "constructor")

    def _of_parts(self, kind: Type, evidence: str) -> list[Target]:
        """Return the targets of a value. What is called is not the `None` beside another value."""
        kinds = [each for each in parts(kind) if each is not NONE] or [kind]
        return [target for part in kinds for target in self._of_type(part, evidence)]

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
        """Return the target for a name of a module that is not read. A relative module is missing in the repository."""
        if path.startswith(".") or not self._engine.program.rules.external(path):
            return Target(reason="module")
        is_free = path.startswith("builtins.")
        return Target(reason="global") if is_free else Target(outside=path)

    def _external_target(self, unit: Unit, owner: ClassInfo | None, name: str) -> Target:
        return Target(outside=".".join(part for part in (unit.external, owner.name if owner is not None else "", name) if part))

    def _outside_member(self, receiver: Type, found: Found, name: str) -> Target:
        """Return an external member, under the class of its receiver if that class is external too."""
        if isinstance(receiver, Instance) and receiver.cls.module:
            return self._external_target(receiver.cls.unit, receiver.cls, name)
        return self._external_target(found.unit, found.owner, name)

    def _of_member(self, found: Found, name: str) -> Target:
        if found.unit.external:
            return self._external_target(found.unit, found.owner, name)
        if found.symbol < 0:
            return Target(reason="local")
        return Target(found.unit, found.symbol, evidence="type")

    def _of_function(self, value: FunctionValue, evidence: str) -> Target:
        if value.unit.external:
            name = value.unit.decls[value.declaration].name if value.declaration >= 0 else "<lambda>"
            return self._external_target(value.unit, value.owner.cls if value.owner is not None else None, name)
        symbol = value.unit.functions[value.function].symbol
        return Target(value.unit, symbol, evidence=evidence) if symbol >= 0 else Target(reason="local")

    def _of_class(self, instance: Instance, evidence: str) -> Target:
        info = instance.cls
        if info.unit.external:
            return self._external_target(info.unit, None, info.name)
        shape = info.unit.shapes[info.shape]
        for member in info.members_named("__init__"):
            if member.symbol >= 0:
                return Target(info.unit, member.symbol, evidence=evidence)
        form = "conversion" if self._engine.program.rules.is_static else ""
        return Target(info.unit, shape.symbol, evidence=evidence, form=form) if shape.symbol >= 0 else Target(reason="local")
