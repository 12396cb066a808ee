"""The targets of a call site: declarations of the repository, external ones, or the reason why they are unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ....facts.model import DeclKind
from ....facts.operations import Cast, Op, ThisKind
from .expando_members import computed_name
from .members import shape_table
from .model.binder import AmbientModule, Declared, Entity, Globals, LoadedFiles, Module, Outside, Value
from .model.properties import Property
from .model.type_model import (
    NEVER,
    UNRESOLVED,
    ClassExpression,
    External,
    FunctionType,
    Literal,
    Overloads,
    ShapeInstance,
    Static,
    Type,
    non_nullish,
    parts_of,
)
from .model.unit import WRAPPING
from .reduction import literal_names
from .relations import assignable

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit

_NAME = Op.NAME
_MEMBER = Op.MEMBER
_FORMS = {Op.NEW: "new", Op.TAGGED: "tagged", Op.JSX: "jsx"}
_CONSTRUCTS = frozenset((Op.NEW, Op.JSX))
_MEMBERS = frozenset((Op.MEMBER, Op.INDEX))
_ALIASED = frozenset((Op.NAME, Op.MEMBER, Op.ELEMENT))
_RECEIVERS = frozenset((Op.NAME, Op.MEMBER))

#: Callees that do not refer to a declaration by name.
_UNNAMED_CALLEES = frozenset((Op.FUNCTION, Op.CLASS, Op.IMPORT_CALL))

#: Kinds of declarations whose names are values, even if a namespace has the same name.
_VALUES = frozenset((DeclKind.CLASS, DeclKind.FUNCTION, DeclKind.ENUM, DeclKind.VARIABLE))
_NO_VALUES = frozenset((DeclKind.INTERFACE, DeclKind.ALIAS, DeclKind.PARAMETER))


class Target(NamedTuple):
    """One target of a call site. Exactly one of (unit, symbol), `outside` and `reason` is set."""

    unit: Unit | None = None
    symbol: int = -1
    #: Id of an `External`.
    outside: str = ""
    reason: str = ""
    evidence: str = "scope"


class CallSite(NamedTuple):
    """A resolved call: its form, the byte offset of the callee's name, and its targets."""

    form: str
    name: str
    position: int
    targets: Sequence[Target]


#: Reasons for which a type is unknown.
_TYPE_REASONS = frozenset(("receiver", "local", "dynamic"))


def resolve_call(engine: Engine, unit: Unit, node: int) -> CallSite | None:
    """Return the targets of a call-like node.

    Return None for bare decorators, and for function literals and class expressions without a constructor that are called where
    they are written.
    """
    code = unit.code
    if code[node] == Op.DECORATOR:
        return None
    callee = unwrapped(unit, code[node + 1])
    if code[callee] in _UNNAMED_CALLEES:
        symbol = _shape_constructor(engine, unit, code[callee + 1], -1) if code[callee] == Op.CLASS else -1
        return CallSite(_form(engine, unit, node, callee), "", code[callee + 4], [Target(unit, symbol)]) if symbol >= 0 else None
    deep = engine.too_deep
    name, targets = _targets(engine, unit, callee, code[node] in _CONSTRUCTS)
    if callee != code[node + 1] and (cast := _targets_of_cast(engine, unit, code[node + 1], code[node] in _CONSTRUCTS)):
        targets = cast
    if code[node] == Op.JSX:
        if all(target.reason for target in targets):  # a function component is called, not constructed
            name, targets = _targets(engine, unit, callee, False)
        targets = [target for target in targets if not target.reason] or targets[:1]
    if engine.too_deep != deep:
        targets = [Target(reason="depth") if target.reason in _TYPE_REASONS else target for target in targets]
    if len(targets) > 1:
        targets = tuple(dict.fromkeys(targets))
    return CallSite(_form(engine, unit, node, callee), name, code[callee + 4], targets)


def targets_of_handler(engine: Engine, unit: Unit, node: int) -> list[tuple[Unit, int]]:
    """Return the declarations of the repository that a call of an expression would run, as files and symbols."""
    _, targets = _targets(engine, unit, unwrapped(unit, node), False)
    return [(target.unit, target.symbol) for target in targets if target.unit is not None and target.symbol >= 0]


def _targets(engine: Engine, unit: Unit, callee: int, construct: bool) -> tuple[str, Sequence[Target]]:
    """Return the name of a callee, and the targets of calling or constructing it."""
    code = unit.code
    op = code[callee]
    if op == _NAME:
        return unit.strings[code[callee + 2]], _targets_of_name(engine, unit, callee, construct)
    if op in _MEMBERS:
        return _targets_of_member(engine, unit, callee, construct)
    if op == Op.SUPER:
        return "super", _targets_of_super(engine, unit, callee)
    if op == Op.THIS and not construct:
        return "this", _targets_of_this(engine, unit, callee)
    if op == Op.REQUIRE:
        entity = engine.binder.imported(unit, code[callee + 1], "=")
        return "require", entity_targets(engine, entity, construct) if entity is not None else [Target(reason="module")]
    return "", _targets_of_type(engine, engine.type_of(unit, callee), construct) or [Target(reason="dynamic")]


def unwrapped(unit: Unit, node: int) -> int:
    """Return the expression inside narrowing, casts, `!` and `(0, f)`."""
    while True:
        op = unit.code[node]
        if op in WRAPPING:
            node = unit.code[node + 1]
        elif op == Op.SEQUENCE and len(unit.items(unit.code[node + 1])):
            node = unit.items(unit.code[node + 1])[-1]
        else:
            return node


def _targets_of_cast(engine: Engine, unit: Unit, node: int, construct: bool) -> list[Target]:
    """Return the declarations of the repository to which the type of a callee with a cast refers.

    For `new (this.constructor as typeof Store)()`, this is `Store`.
    """
    node = unit.unnarrowed(node)
    if unit.code[node] != Op.AS or unit.code[node + 3] != Cast.AS:
        return []
    return [target for target in _targets_of_type(engine, engine.type_of(unit, node), construct) if target.unit is not None]


def _form(engine: Engine, unit: Unit, node: int, callee: int) -> str:
    code = unit.code
    special = _FORMS.get(code[node])
    if special is not None:
        return special
    op = code[callee]
    if op == _NAME:
        return "identifier"
    if op == Op.SUPER:
        return "super"
    if op != _MEMBER:
        return "other"
    receiver = unwrapped(unit, code[callee + 1])
    op = code[receiver]
    if op in _RECEIVERS:
        return "namespace" if _is_namespace(engine, engine.binder.named(unit, receiver)) else "method"
    return "this" if op == Op.THIS else "super" if op == Op.SUPER else "method"


def _is_namespace(engine: Engine, entity: Entity | None) -> bool:
    if not isinstance(entity, Declared):
        return isinstance(entity, Module | AmbientModule | Globals)
    if not engine.binder.namespaces(entity):
        return False
    return not any(unit.decls[index].kind in _VALUES for unit, index in engine.binder.declarations(entity))


def _targets_of_name(engine: Engine, unit: Unit, node: int, construct: bool) -> Sequence[Target]:
    entity = engine.binder.named(unit, node)
    if entity is not None:
        return entity_targets(engine, entity, construct)
    binding = unit.code[node + 1]
    return [Target(reason="module" if binding >= 0 else "global")]


def entity_targets(engine: Engine, entity: Entity, construct: bool) -> Sequence[Target]:
    """Return the targets of calling or constructing an entity.

    The answers are remembered, since most entities are called from several places.
    """
    key = (entity, construct)
    known = engine.entity_targets.get(key)
    if known is None:
        before = engine.cut_off
        known = _entity_targets(engine, entity, construct)
        if engine.cut_off == before:
            engine.entity_targets[key] = known
    return known


def _entity_targets(engine: Engine, entity: Entity, construct: bool) -> Sequence[Target]:
    if isinstance(entity, Outside):
        return [Target(outside=external_id(entity.package, entity.path))]
    if isinstance(entity, Value):
        return _targets_of_value(engine, entity, construct)
    if isinstance(entity, Module | AmbientModule | Globals | LoadedFiles):
        return [Target(reason="dynamic")]
    if entity.unit.external:
        return [Target(outside=external_id(entity.unit.external, (entity.facts.name,)))]
    if construct:
        constructor = _constructor(engine, entity)
        if constructor is not None and not constructor[0].external:
            return [Target(*constructor)]
    required = _targets_of_require(engine, entity)
    if required:
        return required
    unit, symbol = engine.binder.symbol(entity)
    if unit.external:
        return [Target(outside=external_id(unit.external, (entity.facts.name,)))]
    if not construct and (beside := _function_beside_class(engine, entity)) is not None:
        return [beside]
    if symbol >= 0 and _is_value(engine, entity):
        return _targets_of_alias(engine, entity, construct) or [Target(unit, symbol)]
    if engine.is_assigned_elsewhere(entity.unit, entity.binding):
        return [Target(reason="local")]
    found = _targets_of_type(engine, engine.type_of_binding(entity.unit, entity.binding), construct)
    if symbol >= 0 and not any(target.unit is not None for target in found):
        decls = entity.facts.decls
        if decls and entity.unit.decls[decls[0]].kind == DeclKind.PARAMETER:  # a parameter property
            return [Target(unit, symbol)]
    return found or [Target(reason="local")]


def _function_beside_class(engine: Engine, entity: Declared) -> Target | None:
    """Return the declared function of an entity that is a class, too: only declarations give both the same name."""
    function: Target | None = None
    is_class = False
    for unit, index in engine.binder.declarations(entity):
        decl = unit.decls[index]
        is_class = is_class or decl.kind == DeclKind.CLASS
        if decl.kind == DeclKind.FUNCTION and decl.symbol >= 0 and function is None:
            function = Target(unit, decl.symbol)
    return function if is_class else None


def _targets_of_require(engine: Engine, entity: Declared) -> Sequence[Target]:
    """Return the targets of calling a variable whose value is `require("x")` or a member of it.

    This is needed only if the binder cannot follow the variable as an alias.
    """
    unit = entity.unit
    for index in entity.facts.decls:
        decl = unit.decls[index]
        if decl.kind != DeclKind.VARIABLE or decl.a >= 0 or decl.b < 0:
            continue
        if unit.code[decl.b] == Op.REQUIRE:
            return [Target(reason="module")]
        if unit.code[decl.b] == Op.MEMBER and unit.code[unit.code[decl.b + 1]] == Op.REQUIRE:
            module = non_nullish(engine.type_of(unit, unit.code[decl.b + 1]))
            hits = engine.properties(module, unit.strings[unit.code[decl.b + 2]])
            targets = [target for hit in hits for target in _targets_of_property(engine, hit, False, "type")]
            return targets or [Target(reason="dynamic")]
    return ()


def _targets_of_alias(engine: Engine, entity: Declared, construct: bool) -> list[Target]:
    """Return the function for which a variable is only another name: `const { send } = api`, `const post = api.send`."""
    unit, decls = entity.unit, entity.facts.decls
    decl = unit.decls[decls[0]]
    if len(decls) != 1 or decl.kind != DeclKind.VARIABLE or decl.a >= 0 or decl.b < 0 or entity.facts.assigned:
        return []
    if unit.code[unit.unnarrowed(decl.b)] not in _ALIASED:
        return []
    kind = engine.type_of(unit, decl.b)
    if not isinstance(kind, FunctionType | Overloads):
        return []
    return [target for target in _targets_of_type(engine, kind, construct) if target.unit is not None]


def _is_value(engine: Engine, entity: Declared) -> bool:
    return any(unit.decls[index].kind not in _NO_VALUES for unit, index in engine.binder.declarations(entity))


def _targets_of_value(engine: Engine, entity: Value, construct: bool) -> list[Target]:
    if entity.symbol >= 0 and entity.unit.symbols[entity.symbol].kind != "export":
        shape = entity.unit.code[entity.node + 1] if entity.node >= 0 and entity.unit.code[entity.node] == Op.CLASS else -1
        symbol = _shape_constructor(engine, entity.unit, shape, entity.symbol) if construct and shape >= 0 else entity.symbol
        return [Target(entity.unit, symbol)]
    found = _targets_of_type(engine, engine.entity_value(entity), construct)
    return found or [Target(reason="dynamic")]


def _constructor(engine: Engine, entity: Declared) -> tuple[Unit, int] | None:
    """Return the explicit constructor of a class, else the class; None if the entity is not a class."""
    found = _declared_class(engine, entity)
    return (found[0], _shape_constructor(engine, *found)) if found is not None else None


def _declared_class(engine: Engine, entity: Declared) -> tuple[Unit, int, int] | None:
    """Return the file, shape and symbol of a class; None if the entity is not a class."""
    for unit, index in engine.binder.declarations(entity):
        decl = unit.decls[index]
        if decl.kind == DeclKind.CLASS:
            return unit, decl.a, decl.symbol
        if decl.kind == DeclKind.VARIABLE and decl.a < 0 and decl.b >= 0 and unit.code[decl.b] == Op.CLASS:
            return unit, unit.code[decl.b + 1], decl.symbol
    return None


def _class_of(engine: Engine, kind: Type) -> tuple[Unit, int, int] | None:
    """Return the file, shape and symbol of the class for a class value; None for other values."""
    if isinstance(kind, ClassExpression):
        return kind.unit, kind.index, kind.unit.shapes[kind.index].symbol
    return _declared_class(engine, kind.entity) if isinstance(kind, Static) else None


def _constructor_of_value(engine: Engine, kind: Type) -> tuple[Unit, int] | None:
    """Return the own or inherited constructor of a class value, else the class itself; None for other values."""
    visited: list[tuple[Unit, int, int]] = []
    place = _class_of(engine, kind)
    while place is not None and place not in visited:
        visited.append(place)
        unit, shape, _ = place
        found = _shape_constructor(engine, unit, shape, -1)
        if found >= 0:
            return unit, found
        base = unit.base_class(shape)
        place = _class_of(engine, engine.type_of(unit, unit.code[base + 1])) if base >= 0 else None
    return (visited[0][0], visited[0][2]) if visited else None


def _shape_constructor(engine: Engine, unit: Unit, shape: int, otherwise: int) -> int:
    members = shape_table(engine, unit, shape).get(("new", False), [])
    chosen = next((member for member in members if unit.functions[member.function].has_body), members[0] if members else None)
    return chosen.symbol if chosen is not None else otherwise


def _targets_of_super(engine: Engine, unit: Unit, node: int) -> Sequence[Target]:
    """Return the constructor that `super(…)` calls, else the base class."""
    shape = unit.code[node + 2]
    extended = unit.base_class(shape) if unit.code[node + 1] in (ThisKind.INSTANCE, ThisKind.STATIC) and shape >= 0 else -1
    if extended < 0:
        return [Target(reason="receiver")]
    base = unit.code[extended + 1]
    entity = engine.binder.named(unit, base)
    if isinstance(entity, Outside | Value) or (
        isinstance(entity, Declared)
        and (entity.unit.external or _constructor(engine, entity) is not None or _is_function(engine, entity))
    ):
        return entity_targets(engine, entity, True)
    found = _targets_of_type(engine, engine.type_of(unit, base), True)
    return found or [Target(reason="receiver")]


def _targets_of_this(engine: Engine, unit: Unit, node: int) -> Sequence[Target]:
    """Return the targets of `this(…)`: the class if `this` is a class, else the functions of its type."""
    shape = unit.code[node + 2]
    if unit.code[node + 1] == ThisKind.STATIC and shape >= 0 and unit.shapes[shape].symbol >= 0:
        return [Target(unit, unit.shapes[shape].symbol)]
    return _targets_of_type(engine, engine.type_of(unit, node), False) or [Target(reason="receiver")]


def _is_function(engine: Engine, entity: Declared) -> bool:
    return any(unit.decls[index].kind == DeclKind.FUNCTION for unit, index in engine.binder.declarations(entity))


def _targets_of_member(engine: Engine, unit: Unit, node: int, construct: bool) -> tuple[str, Sequence[Target]]:
    receiver = unit.code[node + 1]
    if unit.code[node] == Op.MEMBER:
        name = unit.strings[unit.code[node + 2]]
        entity = engine.binder.dotted(unit, node)
        if entity is not None:
            return name, entity_targets(engine, entity, construct)
    else:
        key = engine.type_of(unit, unit.code[node + 2])
        if not isinstance(key, Literal):
            computed = computed_name(unit, unit.code[node + 2])
            for hit in engine.properties(non_nullish(engine.type_of(unit, receiver)), computed):
                return computed, _targets_of_property(engine, hit, construct, "type")
            found = _targets_of_keys(engine, engine.type_of(unit, receiver), key, construct) or _targets_of_type(
                engine, engine.type_of(unit, node), construct
            )
            return "", found or [Target(reason="dynamic")]
        name = key.value
    kind = non_nullish(engine.type_of(unit, receiver))
    evidence = "scope" if unit.code[unwrapped(unit, receiver)] in (Op.THIS, Op.SUPER) else "type"
    targets: list[Target] = []
    parts = parts_of(kind)
    for part in parts:
        for found_property in engine.properties(part, name):
            if len(parts) == 1 or not _is_nothing(found_property.type()):
                targets += _targets_of_property(engine, found_property, construct, evidence)
    if targets:
        return name, _resolved_targets(targets)
    by_type = _targets_of_type(engine, engine.type_of(unit, node), construct)
    return name, by_type or [Target(reason="receiver")]


def _is_nothing(kind: Type) -> bool:
    """Return whether a member cannot be called because it is always absent: `query?: never` distinguishes parts of a union."""
    return kind is NEVER or all(part is NEVER or part.nullish for part in parts_of(kind))


def _targets_of_keys(engine: Engine, target: Type, key: Type, construct: bool) -> list[Target]:
    """Return the targets of `handlers[key]()`: the members with all names that the key can have."""
    names = literal_names(engine.keys_of(key))
    if not names:
        return []
    targets: list[Target] = []
    for name in sorted(names):
        for part in parts_of(non_nullish(target)):
            for found in engine.properties(part, name):
                targets += _targets_of_property(engine, found, construct, "type")
    return [target for target in targets if not target.reason]


def _resolved_targets(targets: list[Target]) -> list[Target]:
    known = [target for target in targets if not target.reason]
    return known or targets[:1]


def _targets_of_property(engine: Engine, found: Property, construct: bool, evidence: str) -> list[Target]:
    if found.outside is not None:
        return [Target(outside=external_id(*found.outside), evidence=evidence)]
    if construct:
        targets = _targets_of_type(engine, found.type(), True)
        if targets:
            return targets
    if found.unit is not None and found.symbol >= 0 and not found.unit.external:
        return [Target(found.unit, found.symbol, evidence=evidence)]
    return _targets_of_type(engine, found.type(), construct) or [Target(reason="local")]


def _targets_of_type(engine: Engine, kind: Type, construct: bool) -> list[Target]:
    """Return the declarations of the functions that a value of a type can be."""
    targets: list[Target] = []
    # As in the compiler, only the widest of several functions that can replace each other counts.
    for part in _widest(engine, parts_of(non_nullish(kind))):
        if part.opaque:
            continue
        if isinstance(part, External):
            targets.append(Target(outside=external_id(part.package, part.path)))
        elif construct and isinstance(part, Static | ClassExpression):
            constructor = _constructor_of_value(engine, part)
            if constructor is not None and not constructor[0].external:
                targets.append(Target(*constructor, evidence="type"))
            elif constructor is None:  # a plain JavaScript function
                targets += _signature_targets(engine, part, False)
        else:
            targets += _signature_targets(engine, part, construct and not isinstance(part, FunctionType))
    return [target for target in targets if target.unit is None or _is_callee(target.unit, target.symbol)]


def _widest(engine: Engine, parts: Sequence[Type]) -> Sequence[Type]:
    """Return one part of a union: the function with the most parameters.

    Among functions with the same number of parameters, return the function whose result type includes the other result types,
    else the first.
    """
    functions = [part for part in parts if isinstance(part, FunctionType)]
    if len(parts) < 2 or len(functions) < len(parts):
        return parts[:1]
    breadths = [_breadth(part) for part in functions]
    widest = [part for part, breadth in zip(functions, breadths, strict=True) if breadth == max(breadths)]
    chosen = widest[0]
    for part in widest[1:]:
        mine, theirs = _result(engine, chosen), _result(engine, part)
        if assignable(engine, mine, theirs) is True and assignable(engine, theirs, mine) is False:
            chosen = part
    return [chosen]


def _result(engine: Engine, kind: FunctionType) -> Type:
    found = engine.signatures(kind, False)
    return engine.signature_result(found[0]) if found else UNRESOLVED


def _breadth(kind: FunctionType) -> tuple[int, bool]:
    """Return the number of parameters of a function, and whether it has a name and parameters without types.

    Functions without parameter types have equal types, but a function with a name is the better target.
    """
    fact = kind.unit.functions[kind.index]
    takes_anything = all(entry.type < 0 for entry in fact.parameters)
    return len(fact.parameters), takes_anything and _is_callee(kind.unit, fact.symbol)


def _signature_targets(engine: Engine, kind: Type, construct: bool) -> list[Target]:
    found = []
    for signature in engine.signatures(kind, construct)[:1]:
        if isinstance(signature.instance, ShapeInstance) or signature.function < 0:
            continue
        symbol = signature.unit.functions[signature.function].symbol
        package = signature.unit.external
        if symbol >= 0 and not package:
            found.append(Target(signature.unit, symbol, evidence="inferred"))
        elif package and package != "lib":  # a function type of an installed package, which may have a name
            name = (signature.unit.symbols[symbol].name,) if symbol >= 0 else ()
            found.append(Target(outside=external_id(package, name), evidence="inferred"))
    return found


def _is_callee(unit: Unit, symbol: int) -> bool:
    return symbol >= 0 and "callback" not in unit.symbols[symbol].modifiers


def external_id(package: str, path: tuple[str, ...]) -> str:
    """Return the id of an external: "npm:jsonwebtoken#verify", "node:fs#readFile", "lib:Array.prototype.map"."""
    name = ".".join(path).replace(".()", "()")
    if package == "lib":
        return f"lib:{name}"
    return f"{package}#{name}" if name else package
