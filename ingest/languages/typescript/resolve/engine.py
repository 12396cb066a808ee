"""The type engine's face and memory: what the modules beside it compute is asked for, and remembered, here."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....facts.model import DeclKind, Op
from . import (
    base_types,
    calls,
    constraints,
    contexts,
    declared,
    expando_members,
    member_lists,
    members,
    narrowing,
    never_reduction,
    values,
)
from .inference import Findings
from .iteration import generator_result, iterated
from .model.binder import Declared, Entity, Linker
from .model.free_parameters import FreeParameters
from .model.program import Memory, Program, Unit
from .model.properties import Property, Signature
from .model.runtime_names import member_owners, member_path
from .model.type_model import (
    ANY,
    EMPTY,
    IN_HAND,
    UNRESOLVED,
    ClassExpression,
    ClosedEnv,
    EnumMember,
    Env,
    External,
    FunctionType,
    Instance,
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
from .reduction import renamed_keys, substitute
from .relations import assignable
from .type_arguments import own_parameters
from .type_predicates import predicate
from .utility_types import WAITING

if TYPE_CHECKING:
    from .call_targets import Target

#: Deepest nesting of questions; beyond it the answer is "unresolved", unless the question is asked anew.
DEEPEST = 100

#: How often one question from outside is asked anew because it nested too deep: what was too deep is known by then.
_MAX_ROUNDS = 8

#: Nesting of a type that is looked into for what is unresolved.
_MAX_PART_DEPTH = 3

#: Parameters of one function told apart.
_MAX_PARAMETERS = 256

#: Steps that one question from outside may take, so that no type, however recursive, can hold up an index.
FUEL = 40_000

_NAME, _T_NAME = Op.NAME, Op.T_NAME


class Engine:
    """Types of expressions, members and calls over the facts of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.linker = Linker(program)
        #: Questions asked and not yet answered.
        self._asked = 0
        self._depth = 0
        self._fuel = FUEL
        #: Questions from outside that ran out of steps.
        self.exhausted = 0
        #: Questions cut off because they nested too deep or asked themselves. Answers on top of a cut depend on who asked, and
        #: nothing but `_ask` remembers them.
        self.cut_off = 0
        #: Those of them that nested too deep or ran out of steps.
        self.too_deep = 0
        #: The last question that nested too deep inside the one at hand, and how often that one may still be asked anew.
        self._left: tuple[Memory, Unit, int, Callable[[Engine, Unit, int], Type]] | None = None
        self._rounds = _MAX_ROUNDS
        self._member_owners = member_owners(program.lib)
        self._arities: dict[tuple[int, int], tuple[int, float]] = {}
        self._lib_types: dict[str, Type] = {}
        self.free_parameters = FreeParameters()
        #: Position of the signature chosen for a call among those of a callee.
        self.choices: dict[tuple[int, int, int, int], int] = {}
        #: Type parameters that the plain arguments of a call decide, by call and signature.
        self.inferences: dict[tuple[int, int, int, int], dict[Parameter, Type]] = {}
        #: What structures say of type parameters, by pattern, actual type and nesting.
        self.matches: dict[tuple[Type, Type, int], Findings] = {}
        #: Whether one structure fits another, by nesting.
        self.assignments: dict[tuple[Type, Type, int], bool | None] = {}
        self._required: dict[Type, dict[str, Type] | None] = {}
        self._property_types: dict[tuple[Type, str], Type] = {}
        self._properties: dict[tuple[Type, str], Sequence[Property]] = {}
        self._constraints: dict[Type, Type] = {}
        #: Members that are being looked for, and how often the search came back to them.
        self._finding: dict[tuple[Type, str], int] = {}
        #: For each `return` of a function whether it gives `this`.
        self.fluent: dict[tuple[int, int], Sequence[bool]] = {}
        #: Envs of members, by receiver and shape.
        self.receiver_envs: dict[tuple[Type, int, int], ClosedEnv] = {}
        #: What calling (or constructing) an entity calls.
        self.entity_targets: dict[tuple[Entity, bool], Sequence[Target]] = {}
        self.lineages: dict[Declared, base_types.Lineage] = {}
        self.base_types: dict[tuple[int, int], list[Type]] = {}
        self.alias_types: dict[tuple[Declared, tuple[Type, ...]], Type] = {}
        self._additions: dict[int, expando_members.Additions] = {}
        #: Questions that failed: file and error.
        self.faults: list[str] = []
        self._mixins: dict[Static, Parameter | None] = {}
        self._renamed: dict[Mapped, dict[str, Literal] | None] = {}

    def release(self) -> None:
        """Give the memory back at once. Types, units and the engine refer to each other in circles, and the garbage collector
        takes seconds to find out that nobody needs them."""
        self.program.release()
        self.linker.release()
        self.free_parameters = FreeParameters()
        for memory in self._memories():
            memory.clear()

    def _memories(self) -> tuple[dict[Any, Any], ...]:
        return (
            *(self._arities, self._lib_types, self.choices, self.inferences, self.matches, self.assignments),
            *(self._required, self._property_types, self._properties, self._constraints),
            *(self.receiver_envs, self.entity_targets, self.lineages, self.fluent, self.base_types),
            *(self.alias_types, self._additions, self._mixins, self._renamed),
        )

    # ------------------------------------------------------------------ questions with memory

    def _ask(self, memory: Memory, unit: Unit, index: int, answer: Callable[[Engine, Unit, int], Type]) -> Type:
        """Compute what memory does not hold. A question inside itself is unresolved, and so is one nested too deep, once it was
        asked often enough; what was answered on top of such a cut is remembered only where nothing in it is unresolved."""
        self._fuel -= 1
        if index in memory or self._depth >= DEEPEST or self._fuel < 0:
            self.cut_off += 1
            if index not in memory:
                self.too_deep += 1
                self._left = (memory, unit, index, answer)
            return UNRESOLVED
        before, depth, asked = self.cut_off, self._depth, self._asked
        memory[index] = IN_HAND
        self._depth = depth + 1
        self._asked = asked + 1
        try:
            found = answer(self, unit, index)
        except Exception as fault:  # noqa: BLE001 - a fault of ours costs one answer, not the index, and is reported
            self.faults.append(f"{unit.path}: {type(fault).__name__}: {fault}")
            found = UNRESOLVED
        self._asked = asked
        self._depth = depth
        if self._left is not None and not asked:
            left, self._left = self._left, None
            if self._rounds and not _is_settled(found):
                # What lies deepest is asked by itself, and this once more on top of it.
                self._rounds -= 1
                del memory[index]
                self._ask(*left)
                return self._ask(memory, unit, index, answer)
        if self.cut_off == before or not asked or _is_settled(found):
            memory[index] = found
        else:
            del memory[index]
        return found

    def type_of(self, unit: Unit, node: int) -> Type:
        """Type of an expression; type parameters in scope stay symbolic."""
        if node < 0:
            return UNRESOLVED
        code = unit.code
        if code[node] == _NAME and code[node + 1] >= 0:  # what it names is remembered, which is enough
            return self.type_of_binding(unit, code[node + 1])
        known = unit.values.get(node)
        return known if known is not None and known is not IN_HAND else self._ask(unit.values, unit, node, values.type_of)

    def type_of_binding(self, unit: Unit, binding: int) -> Type:
        """Type of the value a binding declares."""
        known = unit.bound.get(binding)
        if known is not None and known is not IN_HAND:
            return known
        return self._ask(unit.bound, unit, binding, values.type_of_binding)

    def return_type(self, unit: Unit, function: int) -> Type:
        """Declared or inferred result of a function, its type parameters symbolic."""
        known = unit.results.get(function)
        return known if known is not None and known is not IN_HAND else self._ask(unit.results, unit, function, calls.return_type)

    def context_type(self, unit: Unit, node: int) -> Type:
        """The type that the place of an expression expects, or unresolved."""
        if node not in unit.contexts:
            return UNRESOLVED
        known = unit.expected.get(node)
        if known is not None and known is not IN_HAND:
            return known
        return self._ask(unit.expected, unit, node, contexts.context_type)

    def declared_type(self, unit: Unit, node: int, env: Env = EMPTY) -> Type:
        """The type that a type node stands for."""
        if node < 0:
            return UNRESOLVED
        if env:
            if unit.code[node] == _T_NAME:
                return self._applied_name(unit, node, env)
            free = unit.free[node] if node in unit.free else self.free_parameters.of_node(unit, node)
            if free is None:
                return self._applied_type(unit, node, env)
            if free and not free.isdisjoint(env):
                return self._remembered_application(unit, node, env, free)
        known = unit.declared.get(node)
        return (
            known
            if known is not None and known is not IN_HAND
            else self._ask(unit.declared, unit, node, declared.read_closed_type)
        )

    def _applied_name(self, unit: Unit, node: int, env: Env) -> Type:
        """A plain name in a type: a type parameter, or something that an env says nothing of."""
        binding = unit.code[node + 1]
        if binding >= 0:
            own = unit.index
            for index in unit.bindings[binding].decls:
                found = env.get((own, index))
                if found is not None:
                    return found
        known = unit.declared.get(node)
        if known is not None and known is not IN_HAND:
            return known
        return self._ask(unit.declared, unit, node, declared.read_closed_type)

    def _remembered_application(self, unit: Unit, node: int, env: Env, free: frozenset[Parameter]) -> Type:
        key = (node, *[env.get(parameter) for parameter in free])
        known = unit.applied.get(key)
        if known is None:
            before = self.cut_off
            known = self._applied_type(unit, node, {parameter: env[parameter] for parameter in free if parameter in env})
            if self.cut_off == before:
                unit.applied[key] = known
        return known

    def _applied_type(self, unit: Unit, node: int, env: Env) -> Type:
        if not self.enter():
            return UNRESOLVED
        found = declared.read_type(self, unit, node, env)
        self.leave()
        return found

    def refuel(self) -> None:
        """A new question from outside: it gets its own steps, and none inherited."""
        if self._fuel < 0:
            self.exhausted += 1
        self._fuel = FUEL
        self._rounds = _MAX_ROUNDS

    def enter(self) -> bool:
        """Go one question deeper; False when that is too deep. `leave` undoes it."""
        self._fuel -= 1
        if self._depth >= DEEPEST or self._fuel < 0:
            self.cut_off += 1
            self.too_deep += 1
            return False
        self._depth += 1
        return True

    def leave(self) -> None:
        """Come back from `enter`."""
        self._depth -= 1

    # ------------------------------------------------------------------ members

    def properties(self, kind: Type, name: str) -> Sequence[Property]:
        """The members of a name on a type: one, or one for each part of a union."""
        key = (kind, name)
        known = self._properties.get(key)
        if known is not None:
            return known
        if key in self._finding:  # what a type is bounded by may lead back to it
            self._finding[key] += 1
            self.cut_off += 1
            return ()
        if not self.enter():
            return ()
        before = self.cut_off
        self._finding[key] = 0
        found = members.find(self, kind, name)
        circles = self._finding.pop(key)
        if self.cut_off - before == circles:  # nothing but circles that begin and end here: they add no member
            self.cut_off = before
        self.leave()
        if self.cut_off == before:
            self._properties[key] = found
        return found

    def property_type(self, kind: Type, name: str) -> Type:
        """Type of a member, or unresolved."""
        if kind.opaque:
            return UNRESOLVED
        if type(kind) is not Union:
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
        """What indexing with a key of some type gives."""
        return members.index_type(self, kind, key)

    def member_names(self, kind: Type) -> list[str] | None:
        """Names of a type's members; None when they cannot be listed."""
        return member_lists.member_names(self, kind)

    def own_members(self, kind: Type) -> list[tuple[str, int]]:
        """(name, `MemberKind`) of a type's members."""
        return member_lists.own_members(self, kind)

    def required_members(self, kind: Type) -> dict[str, Type] | None:
        """Members that a value must have to fit a type."""
        try:
            return self._required[kind]
        except KeyError:
            before = self.cut_off
        found = member_lists.required_members(self, kind)
        if self.cut_off == before:
            self._required[kind] = found
        return found

    def bases(self, unit: Unit, shape: int) -> list[Type]:
        """What a class or interface extends."""
        return base_types.bases(self, unit, shape)

    def has_base(self, kind: Instance, wanted: Declared) -> bool:
        """True when an instance type extends or implements an entity."""
        return any(base.entity == wanted for base in base_types.lineage(self, kind.entity).bases)

    def has_other_bases(self, kind: Instance) -> bool:
        """True when an instance type extends what is no class and no interface, or is unknown."""
        return bool(base_types.lineage(self, kind.entity).others)

    def find_base(self, kind: Instance, wanted: Declared) -> Instance | None:
        """The base of an instance type that is an instance of an entity."""
        return base_types.find_base(self, kind, wanted)

    def index_keys(self, kind: Type) -> list[Type]:
        """The types of the keys of a type's index signatures."""
        return member_lists.index_keys(self, kind)

    def lacks(self, kind: Type, name: str) -> bool:
        """True when a type is known to have no member of the name."""
        names = member_lists.member_names(self, kind)
        return names is not None and name not in names

    def renamed_keys(self, kind: Mapped) -> dict[str, Literal] | None:
        """The names of the members of a mapped type with `as`, and the key of each. Remembered, for every member asks."""
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
        """True when every value of a type has the member."""
        required = self.required_members(kind)
        return required is not None and name in required

    def is_optional(self, kind: Type, name: str) -> bool:
        """True for a member that a type declares with `?`."""
        return member_lists.is_optional(self, kind, name)

    def overlaps(self, one: Type, other: Type) -> bool:
        """False when no value can be of both types."""
        return assignable(self, one, other) is not False or assignable(self, other, one) is not False

    def intersected(self, parts: Sequence[Type]) -> Type:
        """The intersection of types; of a union only the parts that values can be of."""
        return never_reduction.intersected(self, parts)

    def exclude(self, one: Type, other: Type) -> bool:
        """True for two types that no value is of both of, by a member that tells them apart."""
        return never_reduction.exclude(self, one, other)

    def is_unit(self, kind: Type) -> bool:
        """True for types with a single value."""
        return isinstance(kind, Literal | EnumMember)

    def reduced(self, kind: Instance) -> Type:
        """The type itself, or what a utility type of the runtime makes of arguments that are known by now."""
        return declared.entity_type(self, kind.entity, kind.arguments) if self.is_waiting(kind) else kind

    def is_waiting(self, kind: Type) -> bool:
        """True for a utility type of the runtime whose argument is not known yet."""
        if not isinstance(kind, Instance) or kind.entity.unit is not self.program.lib:
            return False
        return bool(kind.arguments) and kind.entity.facts.name in WAITING

    def mixed_in(self, kind: ClassExpression | Static) -> Parameter | None:
        """The type parameter that the base of a class is a value of; None for nearly all classes."""
        if isinstance(kind, ClassExpression):
            return self._mixed_into(kind.unit, kind.shape)
        if kind not in self._mixins:
            shapes = [
                (unit, unit.decls[index].a)
                for unit, index in self.linker.declarations(kind.entity)
                if unit.decls[index].kind == DeclKind.CLASS
            ]
            self._mixins[kind] = self._mixed_into(*shapes[0]) if shapes else None
        return self._mixins[kind]

    def _mixed_into(self, unit: Unit, shape: int) -> Parameter | None:
        for node in unit.shapes[shape].extends:
            name = unit.code[node + 1]
            if unit.code[name] != _NAME or unit.code[name + 1] < 0:
                continue
            declared = unit.bindings[unit.code[name + 1]].decls
            if any(unit.decls[index].kind == DeclKind.PARAMETER for index in declared):
                base = self.type_of(unit, name)
                return base.key if isinstance(base, TypeParameter) else None
        return None

    def base_instance(self, unit: Unit, node: int, arguments: tuple[Type, ...]) -> Type:
        """The instance type that `extends node<arguments>` inherits from."""
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
            return ShapeInstance(kind.unit, kind.shape)
        for signature in self.signatures(kind, True):
            parameters = own_parameters(signature)
            env = {(signature.unit.index, p): t for p, t in zip(parameters, arguments, strict=False)}
            return calls.signature_result(
                self, Signature(signature.unit, signature.function, {**signature.env, **env}, signature.instance)
            )
        return UNRESOLVED

    # ------------------------------------------------------------------ calls

    def signatures(self, kind: Type, construct: bool) -> Sequence[Signature]:
        """The ways to call (or construct) a value."""
        if type(kind) is FunctionType:
            return () if construct else (Signature(kind.unit, kind.index, kind.env),)
        if kind.opaque or not self.enter():
            return ()
        found = calls.signatures(self, kind, construct)
        self.leave()
        return found

    def signature_result(self, signature: Signature) -> Type:
        """What a signature gives, with its env put in."""
        return calls.signature_result(self, signature)

    def declared_return(self, unit: Unit, function: int, env: Env) -> Type:
        """Result of a function under an env."""
        return calls.declared_return(self, unit, function, env)

    def parameter_type(self, unit: Unit, function: int, position: int, env: Env) -> Type:
        """Type of what a function takes at a position."""
        return calls.parameter_type(self, unit, function, position, env)

    def arity(self, unit: Unit, function: int) -> tuple[int, float]:
        """The least and the largest number of arguments that a function takes."""
        key = (unit.index, function)
        known = self._arities.get(key)
        if known is None:
            parameters = unit.functions[function].parameters
            rests = sum(entry.rest for entry in parameters)
            least = len(parameters) - sum(entry.optional or entry.rest for entry in parameters)
            known = self._arities[key] = (least, math.inf if rests else len(parameters))
        return known

    def contextual_parameter(self, unit: Unit, function: int, position: int) -> Type:
        """Type of a parameter without an annotation."""
        index = function * _MAX_PARAMETERS + min(position, _MAX_PARAMETERS - 1)
        known = unit.taken.get(index)
        return known if known is not None and known is not IN_HAND else self._ask(unit.taken, unit, index, _contextual_parameter)

    def constructed(self, unit: Unit, node: int, callee: Type) -> Type:
        """What `new` gives for a plain function."""
        entity = self.linker.named(unit, node)
        if isinstance(entity, Declared) and (self.has_added(entity) or expando_members.makes_members(self, entity)):
            return Instance(entity)
        if isinstance(callee, Static) and self.has_added(callee.entity):  # `new api.Store()`, where the function has another name
            return Instance(callee.entity)
        found = self.property_type(callee, "prototype") if isinstance(callee, Instance | ObjectShape) else UNRESOLVED
        return found if found is not ANY else UNRESOLVED

    def predicate(self, unit: Unit, call: int) -> tuple[int | None, Type | None, bool] | None:
        """What a call of a type guard says: (argument, type, whether it asserts)."""
        return predicate(self, unit, call)

    def narrowed(self, unit: Unit, node: int) -> Type:
        """Type of a NARROW node."""
        return narrowing.narrowed_type(self, unit, node)

    def iterated(self, kind: Type) -> Type:
        """What iterating over a value gives."""
        return iterated(self, kind)

    def generator_result(self, kind: Type) -> Type:
        """What `yield*` of a value gives."""
        return generator_result(self, kind)

    # ------------------------------------------------------------------ special types

    def runtime_path(self, interface: str, name: str) -> tuple[str, ...]:
        """Path of a member that the runtime declares."""
        return member_path(self._member_owners, interface, name)

    def lib(self, name: str, *arguments: Type) -> Type:
        """An instance of a type that the runtime declares."""
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
        """True for an instance of one of the runtime's types."""
        if not isinstance(kind, Instance):
            return False
        unit, binding = kind.entity
        return unit is self.program.lib and unit.bindings[binding].name in names

    def element_type(self, kind: Type) -> Type:
        """Element of an array or tuple."""
        return declared.element_type(self, kind)

    def instance_of(self, kind: Type) -> Type:
        """What `new` gives for a class value."""
        found = declared.instance_of(self, kind)
        if found is UNRESOLVED and not isinstance(kind, Static):
            for signature in self.signatures(kind, True):
                return calls.signature_result(self, signature)
        return found

    def shape_instance(self, unit: Unit, shape: int) -> Type:
        """The instance type inside a class."""
        return declared.shape_instance(self, unit, shape)

    def class_value(self, unit: Unit, shape: int) -> Type:
        """The value of a class."""
        return values.class_value(self, unit, shape)

    def entity_value(self, entity: Entity) -> Type:
        """Type of an entity used as a value."""
        return values.entity_value(self, entity)

    def plain_type(self, unit: Unit, index: int) -> Type:
        """Type of a variable's declaration."""
        return values.plain_type(self, unit, index)

    def substituted(self, kind: Type, env: Env) -> Type:
        """A type with the env's types in place of type parameters."""
        return substitute(self, kind, env)

    def erased(self, kind: Type) -> Type:
        """An instance type with `any` for its own type parameters: what `instanceof` can tell."""
        if isinstance(kind, Instance) and kind.arguments:
            return Instance(kind.entity, tuple(ANY for _ in kind.arguments))
        return kind

    def constraint(self, kind: Type) -> Type:
        """What is known of a type that waits for a type parameter."""
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

    def enum_of(self, unit: Unit, shape: int) -> Type:
        """The type of an enum from its shape."""
        return declared.enum_of(self, unit, shape)

    # ------------------------------------------------------------------ what assignments add

    def additions(self, unit: Unit) -> expando_members.Additions:
        """What assignments add in a file."""
        known = self._additions.get(unit.index)
        if known is None:
            known = self._additions[unit.index] = expando_members.Additions(unit)
        return known

    def added_member(self, unit: Unit, shape: int, name: str, static: bool) -> Property | None:
        """A member that assignments to `this` or to the prototype add to a class."""
        found = expando_members.added(self, unit, ("static" if static else "instance", shape, name))
        if found is None and not static and self.additions(unit).bindings:
            binding = unit.binding_of(unit.shapes[shape].decl)
            found = expando_members.added(self, unit, ("prototype", binding, name)) if binding is not None else None
        return found

    def assigned_member_type(self, unit: Unit, shape: int, name: str, static: bool) -> Type:
        """Type of a field without annotation and value: what is assigned to it."""
        found = self.added_member(unit, shape, name, static)
        return found.type() if found is not None else UNRESOLVED

    def added_static(self, entity: Declared, name: str) -> Property | None:
        """A property that assignments add to a function or class."""
        return expando_members.added(self, entity.unit, ("value", entity.binding, name))

    def added_to_literal(self, unit: Unit, node: int, name: str) -> Property | None:
        """A property that assignments add to an object literal, through `this` or the variable that holds it."""
        return expando_members.added(self, unit, ("literal", unit.code[node + 1], name))

    def added_prototype(self, entity: Declared, name: str) -> Property | None:
        """A member of what a plain constructor function makes."""
        return expando_members.prototype_member(self, entity, name)

    def has_added(self, entity: Declared) -> bool:
        """True when assignments add members to a name's value or prototype."""
        return entity.binding in self.additions(entity.unit).bindings

    def assigned_values(self, unit: Unit, binding: int) -> list[int]:
        """Values assigned to a variable."""
        found = self.additions(unit).by_key.get(("assigned", binding, ""), ())
        return [unit.facts.expandos[index].value for index in found]

    def is_assigned_elsewhere(self, unit: Unit, binding: int) -> bool:
        """True for a variable without type and value that only other functions assign: when they run nobody knows."""
        if any(unit.decls[index].a >= 0 or unit.decls[index].b >= 0 for index in unit.bindings[binding].decls):
            return False
        found = self.additions(unit).by_key.get(("assigned", binding, ""), ())
        return bool(found) and all(unit.facts.expandos[index].elsewhere for index in found)

    def function_this(self, unit: Unit, function: int) -> Type:
        """`this` in a plain function."""
        return expando_members.function_this(self, unit, function)

    # ------------------------------------------------------------------ functions and literals in their places

    def method_context(self, unit: Unit, function: int) -> Type:
        """What is expected of a method of an object literal."""
        place = unit.method_place(function)
        node = unit.object_node(place[0]) if place is not None else None
        if place is None or node is None:
            return UNRESOLVED
        return self.property_type(self.context_type(unit, node), place[1])

    def literal_this(self, unit: Unit, shape: int) -> Type:
        """`this` in a method of an object literal."""
        node = unit.object_node(shape)
        expected = self.context_type(unit, node) if node is not None else UNRESOLVED
        for part in _all_parts(expected):
            if self.is_lib(part, "ThisType") and isinstance(part, Instance) and part.arguments:
                return part.arguments[0]
        literal = ObjectLiteral(unit, node, EMPTY) if node is not None else ObjectShape(unit, shape, EMPTY)
        return literal if expected.opaque else intersection((expected, literal))


def _is_settled(kind: Type, depth: int = 0) -> bool:
    """False for a type that is unresolved, or made of one that is: `Promise<unresolved>`."""
    if kind is UNRESOLVED:
        return False
    if depth >= _MAX_PART_DEPTH:
        return True
    if isinstance(kind, Instance):
        return all(_is_settled(part, depth + 1) for part in kind.arguments)
    if isinstance(kind, Union | Intersection):
        return all(_is_settled(part, depth + 1) for part in kind.parts)
    return all(_is_settled(part, depth + 1) for part in kind.elements) if isinstance(kind, Tuple) else True


def _contextual_parameter(engine: Engine, unit: Unit, index: int) -> Type:
    function, position = divmod(index, _MAX_PARAMETERS)
    return contexts.contextual_parameter(engine, unit, function, position)


def _all_parts(kind: Type) -> tuple[Type, ...]:
    return kind.parts if isinstance(kind, Intersection) else parts_of(kind)
