"""The entry point and the memory of the type engine.

A question is a request for the type of an expression, a declaration, a function or a type node. The other modules of this package
compute the answers. They call each other only through `Engine`, which remembers answers and limits the work. The docstring of the
package follows one call through the engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....facts.faults import fault_in
from ....facts.model import DeclKind, ShapeKind
from ....facts.operations import Op
from . import (
    base_types,
    calls,
    constraints,
    contexts,
    declared,
    expando_members,
    member_lists,
    members,
    never_reduction,
    values,
)
from .computed_keys import ComputedKeys
from .inference import Inferences
from .iteration import generator_result, iterated
from .model.binder import Binder, Declared, Entity
from .model.free_parameters import FreeParameters
from .model.program import Program
from .model.properties import Property, Signature
from .model.runtime_names import member_owners, member_path
from .model.type_model import (
    ANY,
    EMPTY,
    IN_PROGRESS,
    UNRESOLVED,
    ClassExpression,
    ClosedEnv,
    EnumMember,
    Env,
    External,
    FunctionType,
    Instance,
    Instantiated,
    Intersection,
    Literal,
    Mapped,
    ObjectLiteral,
    ObjectShape,
    Parameter,
    ShapeInstance,
    Static,
    Tuple,
    Type,
    TypeParameter,
    Union,
    intersection,
    parts_of,
)
from .model.unit import Memory, Unit
from .narrowing.conditions import narrowed_type
from .narrowing.type_predicates import predicate
from .reduction import renamed_keys, substitute
from .relations import assignable
from .type_arguments import own_parameters
from .utility_types import DEFERRED_UTILITIES

if TYPE_CHECKING:
    from .call_targets import Target

#: Maximum depth of nested questions. A deeper question is unresolved until `_compute` answers it separately.
MAX_DEPTH = 100

#: Maximum number of times that an outermost question is computed again because of a question that nested too deep.
_MAX_ROUNDS = 8

#: Maximum number of levels of a type that are searched for unresolved parts.
_MAX_PART_DEPTH = 3

#: Maximum number of parameters of a function with separate types; all further parameters share the type of the last one.
_MAX_PARAMETERS = 256

#: Maximum number of steps of an outermost question, so that no recursive type can hold up an index.
FUEL = 40_000

_NAME = Op.NAME
_T_NAME = Op.T_NAME


class Engine:
    """Answers questions about the types of expressions, members and calls in a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.binder = Binder(program)
        self.computed_keys = ComputedKeys(self.binder)
        #: Number of questions that are being computed.
        self._active = 0
        self._depth = 0
        self._fuel = FUEL
        #: Number of questions that were cut off because they nested too deep or depend on themselves. An answer that depends on
        #: such a question also depends on the questions around it, so only `_compute` may remember it.
        self.cut_off = 0
        #: Number of cut-off questions that nested too deep or ran out of steps.
        self.too_deep = 0
        #: The last question that nested too deep during the current question.
        self._too_deep_question: tuple[Memory, Unit, int, Callable[[Engine, Unit, int], Type]] | None = None
        self._rounds_left = _MAX_ROUNDS
        self._member_owners = member_owners(program.lib)
        self._arities: dict[tuple[int, int], tuple[int, float]] = {}
        self._lib_types: dict[str, Type] = {}
        self.free_parameters = FreeParameters()
        #: Position of the chosen signature among the overloads, by call and first overload.
        self.chosen_overloads: dict[tuple[int, int, int, int], int] = {}
        #: Type parameters that the arguments of a call decide without its function literals, by call and signature.
        self.inferences: dict[tuple[int, int, int, int], dict[Parameter, Type]] = {}
        #: Type parameters inferred from two structures, by pattern, actual type and nesting.
        self.matches: dict[tuple[Type, Type, int], Inferences] = {}
        #: Whether one structure is assignable to another, by source, target and nesting.
        self.assignments: dict[tuple[Type, Type, int], bool | None] = {}
        self._required: dict[Type, dict[str, Type] | None] = {}
        self._optional_literals: dict[Type, dict[str, Type]] = {}
        self._property_types: dict[tuple[Type, str], Type] = {}
        self._properties: dict[tuple[Type, str], Sequence[Property]] = {}
        self._constraints: dict[Type, Type] = {}
        #: Number of times that the search for a member reached the same member again, for members that are being searched.
        self._searching: dict[tuple[Type, str], int] = {}
        #: For each `return` of a function, whether it returns `this`.
        self.returns_this: dict[tuple[int, int], Sequence[bool]] = {}
        #: Envs of members, by receiver and shape.
        self.receiver_envs: dict[tuple[Type, int, int], ClosedEnv] = {}
        #: Targets of an entity, for a call if the flag is false, and for `new` if the flag is true.
        self.entity_targets: dict[tuple[Entity, bool], Sequence[Target]] = {}
        self.inheritances: dict[Declared, base_types.Inheritance] = {}
        self.base_types: dict[tuple[int, int], list[Type]] = {}
        self.alias_types: dict[tuple[Declared, tuple[Type, ...]], Type] = {}
        self._expando_indexes: dict[int, expando_members.ExpandoIndex] = {}
        #: Questions that raised an exception, as "path: error".
        self.faults: list[str] = []
        self._mixins: dict[Static, Parameter | None] = {}
        self._renamed: dict[Mapped, dict[str, Literal] | None] = {}

    def release(self) -> None:
        """Free the memory of the engine. The engine cannot be used afterwards.

        Types, units and the engine refer to each other in cycles, and the garbage collector takes seconds to find them.
        """
        self.program.release()
        self.binder.release()
        self.computed_keys.release()
        self.free_parameters = FreeParameters()
        for memory in self._memories():
            memory.clear()

    def _memories(self) -> tuple[dict[Any, Any], ...]:
        return (
            *(self._arities, self._lib_types, self.chosen_overloads, self.inferences, self.matches, self.assignments),
            *(self._required, self._property_types, self._properties, self._constraints),
            *(self.receiver_envs, self.entity_targets, self.inheritances, self.returns_this, self.base_types),
            *(self.alias_types, self._expando_indexes, self._mixins, self._renamed),
        )

    # ------------------------------------------------------------------ remembered questions

    def _compute(self, memory: Memory, unit: Unit, index: int, answer: Callable[[Engine, Unit, int], Type]) -> Type:
        """Compute the answer to a question about a unit, and remember it if it does not depend on the questions that led to it.

        A question that depends on itself or nests too deep is cut off: its answer is unresolved. After that, a question that
        nested too deep is computed separately, and then the outermost question again, at most `_MAX_ROUNDS` times. If a question
        was cut off, the answer is remembered only if it answers the outermost question or has no unresolved part.
        """
        self._fuel -= 1
        if index in memory or self._depth >= MAX_DEPTH or self._fuel < 0:
            self.cut_off += 1
            if index not in memory:
                self.too_deep += 1
                self._too_deep_question = (memory, unit, index, answer)
            return UNRESOLVED
        before, depth, active = self.cut_off, self._depth, self._active
        memory[index] = IN_PROGRESS
        self._depth = depth + 1
        self._active = active + 1
        try:
            found = answer(self, unit, index)
        except Exception as fault:  # noqa: BLE001 - a bug costs one answer, not the index, and is reported
            self.faults.append(fault_in(unit.path, fault))
            found = UNRESOLVED
        self._active = active
        self._depth = depth
        if self._too_deep_question is not None and not active:
            deeper, self._too_deep_question = self._too_deep_question, None
            if self._rounds_left and not _is_resolved(found):
                # Compute the deep question separately, and then this question again.
                self._rounds_left -= 1
                del memory[index]
                self._compute(*deeper)
                return self._compute(memory, unit, index, answer)
        if self.cut_off == before or not active or _is_resolved(found):
            memory[index] = found
        else:
            del memory[index]
        return found

    def type_of(self, unit: Unit, node: int) -> Type:
        """Return the type of an expression, in which the type parameters in scope stay symbolic.

        `values.type_of` computes it.
        """
        if node < 0:
            return UNRESOLVED
        code = unit.code
        if code[node] == _NAME and code[node + 1] >= 0 and not 0 <= unit.template <= node:
            # the binding's type is remembered already
            return self.type_of_binding(unit, code[node + 1])
        known = unit.expression_types.get(node)
        return (
            known
            if known is not None and known is not IN_PROGRESS
            else self._compute(unit.expression_types, unit, node, values.type_of)
        )

    def type_of_binding(self, unit: Unit, binding: int) -> Type:
        """Return the type of the value that a binding declares."""
        known = unit.binding_types.get(binding)
        if known is not None and known is not IN_PROGRESS:
            return known
        return self._compute(unit.binding_types, unit, binding, values.type_of_binding)

    def return_type(self, unit: Unit, function: int) -> Type:
        """Return the declared or inferred result of a function, in which type parameters stay symbolic."""
        known = unit.return_types.get(function)
        return (
            known
            if known is not None and known is not IN_PROGRESS
            else self._compute(unit.return_types, unit, function, calls.return_type)
        )

    def context_type(self, unit: Unit, node: int) -> Type:
        """Return the type that the context of an expression expects, or unresolved."""
        if node not in unit.contexts:
            return UNRESOLVED
        known = unit.expected_types.get(node)
        if known is not None and known is not IN_PROGRESS:
            return known
        return self._compute(unit.expected_types, unit, node, contexts.context_type)

    def declared_type(self, unit: Unit, node: int, env: Env = EMPTY) -> Type:
        """Return the type that a type node denotes, with an env for type parameters.

        The answer is remembered by node and by the types of the parameters that the node mentions, if there is an env.
        """
        if node < 0:
            return UNRESOLVED
        if env:
            if unit.code[node] == _T_NAME:
                return self._applied_name(unit, node, env)
            free = unit.free_parameters[node] if node in unit.free_parameters else self.free_parameters.of_node(unit, node)
            if free is None:
                return self._applied_type(unit, node, env)
            if free and not free.isdisjoint(env):
                return self._remembered_application(unit, node, env, free)
        known = unit.declared_types.get(node)
        return (
            known
            if known is not None and known is not IN_PROGRESS
            else self._compute(unit.declared_types, unit, node, declared.read_closed_type)
        )

    def _applied_name(self, unit: Unit, node: int, env: Env) -> Type:
        """Return the type of a plain name in a type: the env's type for a type parameter, else the type without an env."""
        binding = unit.code[node + 1]
        if binding >= 0:
            own = unit.index
            for index in unit.bindings[binding].decls:
                found = env.get((own, index))
                if found is not None:
                    return found
        known = unit.declared_types.get(node)
        if known is not None and known is not IN_PROGRESS:
            return known
        return self._compute(unit.declared_types, unit, node, declared.read_closed_type)

    def _remembered_application(self, unit: Unit, node: int, env: Env, free: frozenset[Parameter]) -> Type:
        key = (node, *[env.get(parameter) for parameter in free])
        known = unit.applied_types.get(key)
        if known is None:
            before = self.cut_off
            known = self._applied_type(unit, node, {parameter: env[parameter] for parameter in free if parameter in env})
            if self.cut_off == before:
                unit.applied_types[key] = known
        return known

    def _applied_type(self, unit: Unit, node: int, env: Env) -> Type:
        if not self.enter():
            return UNRESOLVED
        found = declared.read_type(self, unit, node, env)
        self.leave()
        return found

    def refuel(self) -> None:
        """Begin an outermost question with the full number of steps."""
        self._fuel = FUEL
        self._rounds_left = _MAX_ROUNDS

    def enter(self) -> bool:
        """Enter a nested question, until `leave`.

        If the maximum depth is reached or no steps are left, do nothing and return False.
        """
        self._fuel -= 1
        if self._depth >= MAX_DEPTH or self._fuel < 0:
            self.cut_off += 1
            self.too_deep += 1
            return False
        self._depth += 1
        return True

    def leave(self) -> None:
        """Leave a question after a successful `enter`."""
        self._depth -= 1

    # ------------------------------------------------------------------ members

    def properties(self, kind: Type, name: str) -> Sequence[Property]:
        """Return the members of a type that have a name: one, or one for each part of a union.

        `members.find` computes them.
        """
        key = (kind, name)
        known = self._properties.get(key)
        if known is not None:
            return known
        if key in self._searching:  # a constraint may contain the constrained type
            self._searching[key] += 1
            self.cut_off += 1
            return ()
        if not self.enter():
            return ()
        before = self.cut_off
        self._searching[key] = 0
        found = members.find(self, kind, name)
        cycles = self._searching.pop(key)
        if self.cut_off - before == cycles:  # all cut-off questions were cycles of this search
            self.cut_off = before
        self.leave()
        if self.cut_off == before:
            self._properties[key] = found
        return found

    def property_type(self, kind: Type, name: str) -> Type:
        """Return the type of a member, or unresolved."""
        if kind.opaque:
            return UNRESOLVED
        if type(kind) is not Union and type(kind) is not Intersection:
            found = self.properties(kind, name)
            if len(found) == 1:
                return found[0].known or self._read_property(found[0])
        key = (kind, name)
        known = self._property_types.get(key)
        if known is not None:
            return known
        if not self.enter():
            return UNRESOLVED
        before = self.cut_off
        answer = members.member_type(self, kind, name)
        self.leave()
        if self.cut_off == before:
            self._property_types[key] = answer
        return answer

    def _read_property(self, found: Property) -> Type:
        if not self.enter():
            return UNRESOLVED
        before = self.cut_off
        kind = found.type()
        self.leave()
        if self.cut_off == before:
            found.known = kind
        return kind

    def index_type(self, kind: Type, key: Type) -> Type:
        """Return the type of `value[key]` for a key of a type."""
        return members.index_type(self, kind, key)

    def member_names(self, kind: Type) -> list[str] | None:
        """Return the names of a type's members, or None if they cannot be listed."""
        return member_lists.member_names(self, kind)

    def own_members(self, kind: Type) -> list[tuple[str, int]]:
        """Return (name, `MemberKind`) for each member of a type."""
        return member_lists.own_members(self, kind)

    def required_members(self, kind: Type) -> dict[str, Type] | None:
        """Return the members that a value must have to fit a type, or None if they are not known.

        The type of a member is unresolved unless it can distinguish union parts.
        """
        try:
            return self._required[kind]
        except KeyError:
            before = self.cut_off
        found = member_lists.required_members(self, kind)
        if self.cut_off == before:
            self._required[kind] = found
        return found

    def lacks_common_members(self, kind: Type, target: Type) -> bool:
        """Return whether a target has only optional members, and the other type has members, but none of these."""
        return member_lists.lacks_common_members(self, kind, target)

    def optional_literals(self, kind: Type) -> dict[str, Type]:
        """Return the members that a value may lack, but that only have the given literals if the value has them."""
        try:
            return self._optional_literals[kind]
        except KeyError:
            before = self.cut_off
        found = member_lists.optional_literals(self, kind)
        if self.cut_off == before:
            self._optional_literals[kind] = found
        return found

    def bases(self, unit: Unit, shape: int) -> list[Type]:
        """Return the types that a class or interface extends."""
        return base_types.bases(self, unit, shape)

    def has_base(self, kind: Instance, wanted: Declared) -> bool:
        """Return whether an instance type extends or implements an entity."""
        return any(base.entity == wanted for base in base_types.inheritance(self, kind.entity).bases)

    def has_other_bases(self, kind: Instance) -> bool:
        """Return whether an instance type extends something that is not a class or interface of known shape."""
        return bool(base_types.inheritance(self, kind.entity).others)

    def find_base(self, kind: Instance, wanted: Declared) -> Instance | None:
        """Return the base of an instance type that is an instance of an entity, or None."""
        return base_types.find_base(self, kind, wanted)

    def index_keys(self, kind: Type) -> list[Type]:
        """Return the key types of a type's index signatures."""
        return member_lists.index_keys(self, kind)

    def lacks(self, kind: Type, name: str) -> bool:
        """Return whether a type is known to have no member of a name."""
        names = member_lists.member_names(self, kind)
        return names is not None and name not in names

    def renamed_keys(self, kind: Mapped) -> dict[str, Literal] | None:
        """Return the original key of each member of a mapped type with `as`, by the member's new name.

        Return None if the members cannot be listed.
        """
        if kind not in self._renamed:
            if not self.enter():
                return None
            before = self.cut_off
            found = renamed_keys(self, kind)
            self.leave()
            if self.cut_off != before:
                return found
            self._renamed[kind] = found
        return self._renamed[kind]

    def requires(self, kind: Type, name: str) -> bool:
        """Return whether every value of a type has a member."""
        required = self.required_members(kind)
        return required is not None and name in required

    def is_optional(self, kind: Type, name: str) -> bool:
        """Return whether a type declares a member with `?`."""
        return member_lists.is_optional(self, kind, name)

    def overlaps(self, one: Type, other: Type) -> bool:
        """Return whether a value may be of both types."""
        return assignable(self, one, other) is not False or assignable(self, other, one) is not False

    def intersected(self, parts: Sequence[Type]) -> Type:
        """Return the intersection of types. Parts of a union that no value can have are left out."""
        return never_reduction.intersected(self, parts)

    def are_disjoint(self, one: Type, other: Type) -> bool:
        """Return whether a discriminating member shows that no value is of both types."""
        return never_reduction.are_disjoint(self, one, other)

    def is_unit(self, kind: Type) -> bool:
        """Return whether a type has a single value."""
        return isinstance(kind, Literal | EnumMember)

    def reduced(self, kind: Instance) -> Type:
        """Return the result of a utility type with known arguments. Any other instance type is returned as it is."""
        return declared.entity_type(self, kind.entity, kind.arguments) if self.is_deferred_utility(kind) else kind

    def is_deferred_utility(self, kind: Type) -> bool:
        """Return whether a type is a utility type of the runtime whose argument is not known yet."""
        if not isinstance(kind, Instance) or kind.entity.unit is not self.program.lib:
            return False
        return bool(kind.arguments) and kind.entity.facts.name in DEFERRED_UTILITIES

    def is_in_generic(self, unit: Unit, shape: int) -> bool:
        """Return whether a class without type parameters may mention the type parameters of a function or class around it.

        A type parameter that is only the base of a mixin does not count.
        """
        if unit.shapes[shape].type_parameters or unit.shapes[shape].kind != ShapeKind.CLASS:
            return False
        outer = self.free_parameters.around_class(unit, shape)
        return bool(outer) and bool(outer.difference((self._mixed_into(unit, shape),)))

    def mixed_in(self, kind: ClassExpression | Static) -> Parameter | None:
        """Return the type parameter whose value a class extends, as a mixin does; None for other classes."""
        if isinstance(kind, ClassExpression):
            return self._mixed_into(kind.unit, kind.index)
        if kind not in self._mixins:
            shapes = [
                (unit, unit.decls[index].a)
                for unit, index in self.binder.declarations(kind.entity)
                if unit.decls[index].kind == DeclKind.CLASS
            ]
            self._mixins[kind] = self._mixed_into(*shapes[0]) if shapes else None
        return self._mixins[kind]

    def _mixed_into(self, unit: Unit, shape: int) -> Parameter | None:
        node = unit.base_class(shape)
        name = unit.code[node + 1] if node >= 0 else -1
        if name < 0 or unit.code[name] != _NAME or unit.code[name + 1] < 0:
            return None
        declared = unit.bindings[unit.code[name + 1]].decls
        if not any(unit.decls[index].kind == DeclKind.PARAMETER for index in declared):
            return None
        base = self.type_of(unit, name)
        return base.key if isinstance(base, TypeParameter) else None

    def base_instance(self, unit: Unit, node: int, arguments: tuple[Type, ...]) -> Type:
        """Return the instance type that a class inherits by `extends node<arguments>`."""
        return intersection(self._base_instance(part, arguments) for part in _all_parts(self.type_of(unit, node)))

    def _base_instance(self, kind: Type, arguments: tuple[Type, ...]) -> Type:
        if isinstance(kind, Static):
            found = declared.entity_type(self, kind.entity, arguments)
            if found is not UNRESOLVED:
                return found
            return Instance(kind.entity)  # a plain constructor function
        if isinstance(kind, External):
            return kind
        if isinstance(kind, ClassExpression):
            return ShapeInstance(kind.unit, kind.index, kind.env)
        if isinstance(kind, Instantiated):
            return self._base_instance(kind.target, kind.arguments)
        for signature in self.signatures(kind, True):
            parameters = own_parameters(signature)
            env = {(signature.unit.index, p): t for p, t in zip(parameters, arguments, strict=False)}
            return calls.signature_result(
                self, Signature(signature.unit, signature.function, {**signature.env, **env}, signature.instance)
            )
        return UNRESOLVED

    # ------------------------------------------------------------------ calls

    def signatures(self, kind: Type, construct: bool) -> Sequence[Signature]:
        """Return the signatures for calling a value, or for constructing it. `calls.signatures` computes them."""
        if type(kind) is FunctionType:
            return () if construct else (Signature(kind.unit, kind.index, kind.env),)
        if kind.opaque or not self.enter():
            return ()
        found = calls.signatures(self, kind, construct)
        self.leave()
        return found

    def signature_result(self, signature: Signature) -> Type:
        """Return the result type of a signature, with its env applied."""
        return calls.signature_result(self, signature)

    def declared_return(self, unit: Unit, function: int, env: Env) -> Type:
        """Return the result type of a function under an env."""
        return calls.declared_return(self, unit, function, env)

    def parameter_type(self, unit: Unit, function: int, position: int, env: Env) -> Type:
        """Return the type that a function accepts for the argument at a position."""
        return calls.parameter_type(self, unit, function, position, env)

    def arity(self, unit: Unit, function: int) -> tuple[int, float]:
        """Return the smallest and the largest number of arguments that a function accepts."""
        key = (unit.index, function)
        known = self._arities.get(key)
        if known is None:
            parameters = unit.functions[function].parameters
            rests = sum(entry.rest for entry in parameters)
            least = len(parameters) - sum(entry.optional or entry.rest for entry in parameters)
            known = self._arities[key] = (least, math.inf if rests else len(parameters))
        return known

    def contextual_parameter(self, unit: Unit, function: int, position: int) -> Type:
        """Return the type of a parameter without an annotation, from the type that the context expects for the function."""
        index = function * _MAX_PARAMETERS + min(position, _MAX_PARAMETERS - 1)
        known = unit.parameter_types.get(index)
        return (
            known
            if known is not None and known is not IN_PROGRESS
            else self._compute(unit.parameter_types, unit, index, _contextual_parameter)
        )

    def constructed(self, unit: Unit, node: int, callee: Type) -> Type:
        """Return the type of `new` for a plain function."""
        entity = self.binder.named(unit, node)
        if isinstance(entity, Declared) and self.makes_objects(entity):
            return Instance(entity)
        if isinstance(callee, Static) and self.has_added(callee.entity):  # `new api.Store()` of a function with another name
            return Instance(callee.entity)
        found = self.property_type(callee, "prototype") if isinstance(callee, Instance | ObjectShape) else UNRESOLVED
        return found if found is not ANY else UNRESOLVED

    def predicate(self, unit: Unit, call: int) -> tuple[int | None, Type | None, bool] | None:
        """Return the predicate of a call of a type guard: (argument, type, whether it asserts).

        Return None for other calls.
        """
        return predicate(self, unit, call)

    def narrowed(self, unit: Unit, node: int) -> Type:
        """Return the type of a NARROW node."""
        return narrowed_type(self, unit, node)

    def iterated(self, kind: Type) -> Type:
        """Return the type of the elements in an iteration over a value."""
        return iterated(self, kind)

    def generator_result(self, kind: Type) -> Type:
        """Return the type of `yield* value`."""
        return generator_result(self, kind)

    # ------------------------------------------------------------------ types of the runtime, of classes and of enums

    def runtime_path(self, interface: str, name: str) -> tuple[str, ...]:
        """Return the path of a member that the runtime declares, such as ("Array", "prototype", "map")."""
        return member_path(self._member_owners, interface, name)

    def lib(self, name: str, *arguments: Type) -> Type:
        """Return an instance of a type that the runtime declares; unresolved if the runtime has no type with the name."""
        if not arguments:
            plain = self._lib_types.get(name)
            if plain is None:
                entity = self._lib_entity(name)
                plain = self._lib_types[name] = Instance(entity) if entity is not None else UNRESOLVED
            return plain
        entity = self._lib_entity(name)
        return Instance(entity, arguments) if entity is not None else UNRESOLVED

    def _lib_entity(self, name: str) -> Declared | None:
        binding = self.program.lib.scopes[0].names.get(name)
        return Declared(self.program.lib, binding) if binding is not None else None

    def is_lib(self, kind: Type, *names: str) -> bool:
        """Return whether a type is an instance of one of the named types of the runtime."""
        if not isinstance(kind, Instance):
            return False
        unit, binding = kind.entity
        return unit is self.program.lib and unit.bindings[binding].name in names

    def element_type(self, kind: Type) -> Type:
        """Return the element type of an array or tuple."""
        return declared.element_type(self, kind)

    def instance_of(self, kind: Type) -> Type:
        """Return the type of `new` for a class value."""
        found = declared.instance_of(self, kind)
        if found is UNRESOLVED and not isinstance(kind, Static):
            for signature in self.signatures(kind, True):
                return calls.signature_result(self, signature)
        return found

    def shape_instance(self, unit: Unit, shape: int) -> Type:
        """Return the instance type of a class, as the body of the class sees it."""
        return declared.shape_instance(self, unit, shape)

    def class_value(self, unit: Unit, shape: int) -> Type:
        """Return the type of a class as a value."""
        return values.class_value(self, unit, shape)

    def entity_value(self, entity: Entity) -> Type:
        """Return the type of an entity as a value."""
        return values.entity_value(self, entity)

    def plain_type(self, unit: Unit, index: int) -> Type:
        """Return the type of a variable from one of its declarations."""
        return values.plain_type(self, unit, index)

    def substituted(self, kind: Type, env: Env) -> Type:
        """Return a type with the env's types in place of type parameters."""
        return substitute(self, kind, env)

    def erased(self, kind: Type) -> Type:
        """Return an instance type with `any` for its type arguments, which `instanceof` cannot check."""
        if isinstance(kind, Instance) and kind.arguments:
            return Instance(kind.entity, tuple(ANY for _ in kind.arguments))
        return kind

    def constraint(self, kind: Type) -> Type:
        """Return the constraint of a type whose type parameters are not replaced yet, or unresolved."""
        known = self._constraints.get(kind)
        if known is not None:
            return known
        if not self.enter():
            return UNRESOLVED
        before = self.cut_off
        found = constraints.constraint(self, kind)
        self.leave()
        if self.cut_off == before:
            self._constraints[kind] = found
        return found

    def keys_of(self, kind: Type) -> Type:
        """Return the keys in a type that is used as a key.

        If its type parameters are not replaced yet, return the keys in its constraint.
        """
        return constraints.keys_of(self, kind)

    def enum_of(self, unit: Unit, shape: int) -> Type:
        """Return the type of an enum from its shape."""
        return declared.enum_of(self, unit, shape)

    # ------------------------------------------------------------------ members that assignments add

    def expando_index(self, unit: Unit) -> expando_members.ExpandoIndex:
        """Return the members and values that assignments add in a file."""
        known = self._expando_indexes.get(unit.index)
        if known is None:
            known = self._expando_indexes[unit.index] = expando_members.ExpandoIndex(unit)
        return known

    def added_member(self, unit: Unit, shape: int, name: str, static: bool) -> Property | None:
        """Return the member that assignments to `this` or to the prototype add to a class, or None."""
        found = expando_members.added(self, unit, ("static" if static else "instance", shape, name))
        if found is None and not static and self.expando_index(unit).bindings:
            binding = unit.binding_of(unit.shapes[shape].decl)
            found = expando_members.added(self, unit, ("prototype", binding, name)) if binding is not None else None
        return found

    def assigned_member_type(self, unit: Unit, shape: int, name: str, static: bool) -> Type:
        """Return the type of a field without annotation and initializer: the type of the values that are assigned to it."""
        found = self.added_member(unit, shape, name, static)
        return found.type() if found is not None else UNRESOLVED

    def added_static(self, entity: Declared, name: str) -> Property | None:
        """Return the property that assignments add to a function or class, or None."""
        return expando_members.added(self, entity.unit, ("value", entity.binding, name))

    def added_to_literal(self, unit: Unit, node: int, name: str) -> Property | None:
        """Return the property that assignments add to an object literal, through `this` or its variable, or None."""
        return expando_members.added(self, unit, ("literal", unit.code[node + 1], name))

    def added_prototype(self, entity: Declared, name: str) -> Property | None:
        """Return a member of the objects that a plain constructor function creates, or None."""
        return expando_members.prototype_member(self, entity, name)

    def has_added(self, entity: Declared) -> bool:
        """Return whether assignments add members to the value or prototype of a name."""
        return entity.binding in self.expando_index(entity.unit).bindings

    def makes_objects(self, entity: Declared) -> bool:
        """Return whether a function is a constructor: it or its prototype gets members from assignments."""
        return self.has_added(entity) or expando_members.makes_members(self, entity)

    def assigned_values(self, unit: Unit, binding: int) -> list[int]:
        """Return the nodes of the values that are assigned to a variable."""
        found = self.expando_index(unit).by_key.get(("assigned", binding, ""), ())
        return [unit.facts.expandos[index].value for index in found]

    def pushed_values(self, unit: Unit, binding: int) -> list[int]:
        """Return the nodes of the values that are pushed to an array in a variable."""
        return self.expando_index(unit).pushed.get(binding, [])

    def is_assigned_elsewhere(self, unit: Unit, binding: int) -> bool:
        """Return whether a variable without type and value is assigned only inside other functions.

        The order in which these functions run is unknown.
        """
        if any(unit.decls[index].a >= 0 or unit.decls[index].b >= 0 for index in unit.bindings[binding].decls):
            return False
        found = self.expando_index(unit).by_key.get(("assigned", binding, ""), ())
        return bool(found) and all(unit.facts.expandos[index].elsewhere for index in found)

    def function_this(self, unit: Unit, function: int) -> Type:
        """Return the type of `this` in a plain function."""
        return expando_members.function_this(self, unit, function)

    # ------------------------------------------------------------------ functions and literals by their context

    def method_context(self, unit: Unit, function: int) -> Type:
        """Return the type that is expected of a method of an object literal."""
        place = unit.method_place(function)
        node = unit.object_node(place[0]) if place is not None else None
        if place is None or node is None:
            return UNRESOLVED
        return self.property_type(self.context_type(unit, node), place[1])

    def literal_this(self, unit: Unit, shape: int) -> Type:
        """Return the type of `this` in a method of an object literal."""
        node = unit.object_node(shape)
        filled = expando_members.filled_object(self, unit, node) if node is not None else None
        if filled is not None:
            return filled
        expected = self.context_type(unit, node) if node is not None else UNRESOLVED
        for part in _all_parts(expected):
            if self.is_lib(part, "ThisType") and isinstance(part, Instance) and part.arguments:
                return part.arguments[0]
        literal = ObjectLiteral(unit, node, EMPTY) if node is not None else ObjectShape(unit, shape, EMPTY)
        return literal if expected.opaque else intersection((expected, literal))


def _is_resolved(kind: Type, depth: int = 0) -> bool:
    """Return whether no part of a type is unresolved: False for `Promise<unresolved>`."""
    if kind is UNRESOLVED:
        return False
    if depth >= _MAX_PART_DEPTH:
        return True
    if isinstance(kind, Instance):
        return all(_is_resolved(part, depth + 1) for part in kind.arguments)
    if isinstance(kind, Union | Intersection):
        return all(_is_resolved(part, depth + 1) for part in kind.parts)
    return all(_is_resolved(part, depth + 1) for part in kind.elements) if isinstance(kind, Tuple) else True


def _contextual_parameter(engine: Engine, unit: Unit, index: int) -> Type:
    function, position = divmod(index, _MAX_PARAMETERS)
    return contexts.contextual_parameter(engine, unit, function, position)


def _all_parts(kind: Type) -> tuple[Type, ...]:
    return kind.parts if isinstance(kind, Intersection) else parts_of(kind)
