"""Members and values that assignments add: `f.x = …`, `C.prototype.m = …`, `this.x = …`, `x = …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts.model import DeclKind, Expando
from ....facts.nodes import assigned_last, this_value
from ....facts.operations import Cast, ContextKind, Op, ThisKind
from .model.binder import Declared
from .model.properties import Property
from .model.type_model import EMPTY, UNRESOLVED, Instance, ObjectLiteral, Type, intersection, union, widened

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit

#: The target to which an assignment adds a member: (role, index, name). Roles are "instance" and "static" for a class shape,
#: "literal" for an object literal, "function" for the `this` of a function, "value" and "prototype" for a name, "method" for the
#: `this` of a function on the prototype of a name, and "assigned" for a variable.
Key = tuple[str, int, str]

#: Replaces a name if an assignment adds all members of its value, as in `Object.assign(target, value)`.
ALL = "..."

#: Maximum number of assigned values that are read for one member.
_MAX_VALUES = 8

_THIS = {
    ThisKind.INSTANCE: "instance",
    ThisKind.STATIC: "static",
    ThisKind.FUNCTION: "function",
    ThisKind.OBJECT: "literal",
}


class ExpandoIndex:
    """The assignments of one file, by the target to which they add a member."""

    def __init__(self, unit: Unit) -> None:
        #: Indices into the file's expandos, by key.
        self.by_key: dict[Key, list[int]] = {}
        self.bindings: set[int] = set()
        #: The functions that assign members to `this`.
        self.makers: set[int] = set()
        #: Values that are pushed to an array in a variable, by its binding.
        self.pushed = _pushed(unit)
        containers = _containers(unit)
        for index, expando in enumerate(unit.facts.expandos):
            for key in _keys(unit, expando, containers):
                self.by_key.setdefault(key, []).append(index)
                if key[0] in ("value", "prototype"):
                    self.bindings.add(key[1])
                elif key[0] == "function":
                    self.makers.add(key[1])
        self._add_methods(unit)
        #: Where functions belong, by symbol: names to which assignments add members, keys to which the function is assigned, and
        #: the names of functions that assign members to `this`.
        self.extended: dict[int, int] = {}
        self.assigned: dict[int, Key] = {}
        self.named_makers: dict[int, int] = {}
        self._add_owners(unit)

    def _add_owners(self, unit: Unit) -> None:
        for binding in self.bindings:
            for index in unit.bindings[binding].decls:
                self.extended.setdefault(unit.decls[index].symbol, binding)
        for key, indices in self.by_key.items():
            for index in indices if key[0] in ("prototype", "value") else ():
                self.assigned.setdefault(unit.facts.expandos[index].symbol, key)
        makers = {unit.functions[function].symbol for function in self.makers}
        for binding, entry in enumerate(unit.bindings) if makers else ():
            for index in entry.decls:
                if unit.decls[index].symbol in makers:
                    self.named_makers.setdefault(unit.decls[index].symbol, binding)

    def _add_methods(self, unit: Unit) -> None:
        """Add members that functions on a prototype assign to `this`: `View.prototype.open = function () { this.box = … }`."""
        makers: dict[int, int] = {}
        for (role, maker, _), indices in self.by_key.items():
            for index in indices if role == "prototype" else ():
                function = _held_function(unit, unit.facts.expandos[index].value)
                if function >= 0:
                    makers[function] = maker
        for (role, function, name), indices in list(self.by_key.items()) if makers else ():
            if role == "function" and function in makers:
                self.by_key.setdefault(("method", makers[function], name), []).extend(indices)


def _pushed(unit: Unit) -> dict[int, list[int]]:
    code = unit.code
    found: dict[int, list[int]] = {}
    for expando in unit.facts.expandos:
        target = expando.target
        if code[target] == Op.INDEX and code[code[target + 2]] == Op.UNDEFINED:
            found.setdefault(code[_unwrapped(unit, code[target + 1]) + 1], []).append(expando.value)
    return found


def _containers(unit: Unit) -> dict[tuple[int, str], int]:
    """Return the object literals that assignments may add to: `exports.text = {}`, `App.a = App.a || {}`.

    The keys are pairs of the leftmost name's binding and the reference's text. The values are the shapes.
    """
    code = unit.code
    found: dict[tuple[int, str], int] = {}
    for expando in unit.facts.expandos:
        value = expando.value
        if value >= 0 and code[value] == Op.LOGICAL:
            value = code[value + 2]
        if value >= 0 and code[value] == Op.OBJECT and code[expando.target] == Op.MEMBER:
            place = reference(unit, expando.target)
            if place is not None:
                found.setdefault(place, code[value + 1])
    return found


def reference(unit: Unit, node: int) -> tuple[int, str] | None:
    """Return the binding of the leftmost name of a dotted reference, and its text; None for other expressions."""
    code, names = unit.code, ""
    while code[node] in (Op.MEMBER, Op.NARROW, Op.NON_NULL):
        if code[node] == Op.MEMBER:
            names = f".{unit.strings[code[node + 2]]}{names}"
        node = code[node + 1]
    return (code[node + 1], unit.strings[code[node + 2]] + names) if code[node] == Op.NAME else None


def _keys(unit: Unit, expando: Expando, containers: dict[tuple[int, str], int]) -> list[Key]:
    code, target = unit.code, expando.target
    if code[target] == Op.NAME:
        return [("assigned", code[target + 1], "")] if code[target + 1] >= 0 else []
    name = _added_name(unit, target)
    if not name:
        return []
    owner = _unwrapped(unit, code[target + 1])
    if code[owner] == Op.NAME and code[owner + 1] >= 0 and _holds_this(unit, code[owner + 1]):
        owner = expando.this
        if owner < 0:
            return []
    if code[owner] == Op.THIS:
        role = _THIS.get(code[owner + 1])
        return [(role, code[owner + 2], name)] if role is not None else []
    if code[owner] == Op.NAME and code[owner + 1] >= 0:
        held = _held_prototype(unit, code[owner + 1])
        return [("prototype", held, name)] if held >= 0 else [("value", code[owner + 1], name)]
    if (maker := _maker_of_prototype(unit, owner)) >= 0:
        return [("prototype", maker, name)]
    if code[owner] == Op.MEMBER and containers:
        place = reference(unit, owner)
        if place in containers:
            return [("literal", containers[place], name)]
    return []


def _holds_this(unit: Unit, binding: int) -> bool:
    """Return whether a variable is `var self = this`. Assignments to its members add members to `this`."""
    decl = unit.decls[unit.bindings[binding].decls[0]]
    return decl.kind == DeclKind.VARIABLE and this_value(unit.code, decl.b) >= 0


def _added_name(unit: Unit, target: int) -> str:
    """Return the name that an assignment adds: `ALL` for all members of the value, "" for a name that may change."""
    code = unit.code
    if code[target] == Op.SPREAD:
        return ALL
    if code[target] == Op.INDEX:
        key = code[target + 2]
        return unit.strings[code[key + 2]] if code[key] == Op.STRING else _constant_name(unit, key)
    name = unit.strings[code[target + 2]]
    return ALL if name == "__proto__" else name


def _maker_of_prototype(unit: Unit, node: int) -> int:
    """Return the binding of `View` for the expression `View.prototype`; -1 for other expressions."""
    code = unit.code
    if code[node] != Op.MEMBER or unit.strings[code[node + 2]] != "prototype":
        return -1
    inner = _unwrapped(unit, code[node + 1])
    return code[inner + 1] if code[inner] == Op.NAME else -1


def _held_prototype(unit: Unit, binding: int) -> int:
    """Return the binding of `View` if a variable is `var proto = View.prototype` in JavaScript, or -1."""
    decl = unit.decls[unit.bindings[binding].decls[0]]
    if decl.kind != DeclKind.VARIABLE or decl.b < 0 or unit.facts.language not in ("javascript", "jsx"):
        return -1
    return _maker_of_prototype(unit, assigned_last(unit.code, decl.b))


def _constant_name(unit: Unit, key: int) -> str:
    """Return `[kState]` for a computed key that a file declares or imports at its root; "" for a key that may change."""
    code = unit.code
    if code[key] != Op.NAME or code[key + 1] < 0 or unit.bindings[code[key + 1]].scope != 0:
        return ""
    return computed_name(unit, key)


def computed_name(unit: Unit, node: int) -> str:
    """Return the name of a member with a computed key: `[Symbol.iterator]`, `[key]`; "" if the key is not a name."""
    parts: list[str] = []
    while unit.code[node] in (Op.MEMBER, Op.NARROW):
        if unit.code[node] == Op.MEMBER:
            parts.append(unit.strings[unit.code[node + 2]])
        node = unit.code[node + 1]
    if unit.code[node] != Op.NAME:
        return ""
    parts.append(unit.strings[unit.code[node + 2]])
    return f"[{'.'.join(reversed(parts))}]"


def _unwrapped(unit: Unit, node: int) -> int:
    while unit.code[node] in (Op.NARROW, Op.NON_NULL, Op.AS):
        node = unit.code[node + 1]
    return node


def added(engine: Engine, unit: Unit, key: Key) -> Property | None:
    """Return the member that assignments add under a key, or None."""
    by_key = engine.expando_index(unit).by_key
    found = by_key.get(key)
    if not found:
        wholes = by_key.get((key[0], key[1], ALL))
        return _of_wholes(engine, unit, wholes, key[2]) if wholes is not None else None
    expandos = [unit.facts.expandos[index] for index in found]
    symbol = next((entry.symbol for entry in expandos if entry.symbol >= 0), -1)

    declared = [entry for entry in expandos if _is_declared(unit, entry.value)]
    expandos = declared[:1] or expandos

    def read() -> Type:
        return widened(union(engine.type_of(unit, entry.value) for entry in expandos[:_MAX_VALUES]))

    return Property(key[2], unit, symbol, read)


def _of_wholes(engine: Engine, unit: Unit, expandos: list[int], name: str) -> Property | None:
    """Return the member with a name from the last value that has one.

    All members of the values are added, as by `Object.assign`.
    """
    for index in reversed(expandos):
        for found in engine.properties(engine.type_of(unit, unit.facts.expandos[index].value), name):
            if found.unit is None or not found.unit.external:
                return found
    return None


def _is_declared(unit: Unit, value: int) -> bool:
    return value >= 0 and unit.code[value] == Op.AS and unit.code[value + 3] == Cast.DECLARED


def prototype_member(engine: Engine, entity: Declared, name: str) -> Property | None:
    """Return a member of the objects that a plain constructor function creates, or None."""
    unit, binding = entity.unit, entity.binding
    found = added(engine, unit, ("prototype", binding, name))
    for index in entity.facts.decls:
        decl = unit.decls[index]
        function = decl.a if decl.kind == DeclKind.FUNCTION else _held_function(unit, decl.b)
        own = added(engine, unit, ("function", function, name)) if function >= 0 else None
        if own is not None and (found is None or own.symbol >= 0):  # the prototype takes precedence over `this.name = null`
            return own
    if found is not None:
        return found
    whole = added(engine, unit, ("value", binding, "prototype"))
    if whole is not None and (members := engine.properties(whole.type(), name)):
        return members[0]
    return added(engine, unit, ("method", binding, name))


def filled_object(engine: Engine, unit: Unit, node: int) -> Type | None:
    """Return the object that gets the members of a literal in JavaScript, or None.

    In `Object.assign(View.prototype, { … })`, the object is a `View` with the members of the literal. In
    `Object.defineProperty(view, "name", { … })`, the object is `view`.
    """
    kind, call, position = unit.contexts.get(node, (-1, -1, -1))
    code = unit.code
    if kind != ContextKind.ARGUMENT or code[code[call + 1]] != Op.MEMBER or unit.facts.language not in ("javascript", "jsx"):
        return None
    owner, name = code[code[call + 1] + 1], unit.strings[code[code[call + 1] + 2]]
    if code[owner] != Op.NAME or code[owner + 1] >= 0 or unit.strings[code[owner + 2]] not in ("Object", "Reflect"):
        return None
    target = unit.items(code[call + 2])[0]
    if name == "assign" and position > 0:
        found = engine.type_of(unit, target)
        return None if found.opaque else intersection((found, ObjectLiteral(unit, node, EMPTY)))
    return engine.type_of(unit, target) if name == "defineProperty" and position == 2 else None


def makes_members(engine: Engine, entity: Declared) -> bool:
    """Return whether a JavaScript function assigns members to `this`, so that it is a constructor."""
    unit = entity.unit
    makers = engine.expando_index(unit).makers
    if not makers or unit.facts.language not in ("javascript", "jsx"):
        return False
    decls = (unit.decls[index] for index in entity.facts.decls)
    return any((decl.a if decl.kind == DeclKind.FUNCTION else _held_function(unit, decl.b)) in makers for decl in decls)


def _held_function(unit: Unit, value: int) -> int:
    return unit.code[value + 1] if value >= 0 and unit.code[value] == Op.FUNCTION else -1


def _made_by(engine: Engine, unit: Unit, binding: int) -> Type:
    """Return the type of the objects of a class or constructor function. A file may import the class or function."""
    entity = engine.binder.follow(unit, binding)
    if not isinstance(entity, Declared):
        return UNRESOLVED
    made = engine.instance_of(engine.type_of_binding(unit, binding))
    return Instance(entity) if made is UNRESOLVED else made


def function_this(engine: Engine, unit: Unit, function: int) -> Type:
    """Return the type of `this` in a plain function.

    The type is an instance of the function as a constructor, or of the constructor to whose prototype the function was assigned.
    """
    symbol = unit.functions[function].symbol
    if symbol < 0:
        return UNRESOLVED
    expandos = engine.expando_index(unit)
    if symbol in expandos.extended:
        return Instance(Declared(unit, expandos.extended[symbol]))
    if symbol in expandos.assigned:
        role, binding, _ = expandos.assigned[symbol]
        return _made_by(engine, unit, binding) if role == "prototype" else engine.type_of_binding(unit, binding)
    if function in expandos.makers and symbol in expandos.named_makers:
        return Instance(Declared(unit, expandos.named_makers[symbol]))
    return UNRESOLVED
