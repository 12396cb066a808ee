"""Record the calls that add elements to arrays, or members to objects in JavaScript.

`Object.assign(View.prototype, { render() {} })` adds members as `View.prototype.render = function () {}` does, and
`util.inherits(Dog, Animal)` adds the members of `Animal` objects to `Dog` objects. The compiler reads only
`Object.defineProperty`; the other calls are modeled after the runtime.
"""

from __future__ import annotations

from .....facts.model import DeclKind, Expando, Export, Function, Member, MemberKind
from .....facts.nodes import bare_reference
from .....facts.operations import ContextKind, MemberFlag, Op
from ..context import Context

#: Modules whose `inherits(Sub, Base)` sets the prototype of `Sub.prototype` to `Base.prototype`.
_INHERITS = frozenset(("util", "node:util", "inherits"))

#: Methods of arrays that add their arguments.
_PUSHES = frozenset(("push", "unshift"))

_NAMES = frozenset(("assign", "setPrototypeOf", "defineProperty", "defineProperties", "inherits"))


def note_object_calls(cx: Context) -> None:
    """Record the additions to objects by calls in a JavaScript file as assignments."""
    for call in cx.calls:
        if cx.code[call] != Op.CALL:
            continue
        callee = bare_reference(cx.code, cx.code[call + 1])
        if cx.code[callee] not in (Op.NAME, Op.MEMBER) or cx.strings[cx.code[callee + 2]] not in _NAMES:
            continue
        arguments = cx.items(cx.code[call + 2])
        if len(arguments) < 2 or cx.reference_key(arguments[0]) is None:
            continue
        name = cx.strings[cx.code[callee + 2]]
        if name == "inherits":
            if _is_inherits(cx, callee):
                _inherit(cx, arguments[0], arguments[1])
        elif _is_global(cx, callee):
            _note(cx, name, arguments)


def _note(cx: Context, name: str, arguments: list[int]) -> None:
    target = arguments[0]
    if name == "defineProperty":
        key = bare_reference(cx.code, arguments[1])
        if cx.code[key] == Op.STRING and len(arguments) > 2:
            _define(cx, target, cx.strings[cx.code[key + 2]], arguments[2])
    elif name == "defineProperties":
        for member in _members(cx, arguments[1]):
            _define(cx, target, member.name, member.value)
    else:
        for value in arguments[1:]:
            _add_all(cx, target, value)


def object_call_exports(cx: Context) -> list[Export]:
    """Return the exports in `Object.assign(module.exports, { a, ...b }, require("./c"))`."""
    found: list[Export] = []
    for expando in cx.expandos:
        if cx.code[expando.target] == Op.SPREAD and _is_exports(cx, cx.code[expando.target + 1]):
            _export_all(cx, expando.value, cx.code[expando.target + 4], found)
    return found


def _export_all(cx: Context, value: int, position: int, found: list[Export]) -> None:
    value = bare_reference(cx.code, value)
    if cx.code[value] != Op.OBJECT:
        source = _required(cx, value)
        if source >= 0:
            found.append(Export("*", source, "*", -1, -1, False, position, -1))
        return
    for member in _members(cx, value):
        node = member.value
        if member.kind == MemberKind.METHOD:
            node = cx.emit(Op.FUNCTION, member.function, -1, -1, member.position)
            cx.expect(node, ContextKind.PROPERTY, value, cx.string(member.name.encode("utf-8", "replace")))
        if node >= 0 and member.kind in (MemberKind.PROPERTY, MemberKind.METHOD):
            found.append(Export(member.name, -1, "", -1, node, False, position, member.symbol))
    for spread in cx.items(cx.code[value + 2]):
        _export_all(cx, cx.code[spread + 1], position, found)


def _add_all(cx: Context, target: int, value: int) -> None:
    """Record that a target gets all members of a value."""
    if cx.code[value] != Op.SPREAD:
        made = cx.emit(Op.SPREAD, target, -1, -1, cx.code[target + 4])
        cx.expandos.append(Expando(made, value, -1))


def _inherit(cx: Context, sub: int, base: int) -> None:
    _add_all(cx, _prototype(cx, sub), _prototype(cx, base))


def _prototype(cx: Context, node: int) -> int:
    return cx.emit(Op.MEMBER, node, cx.string(b"prototype"), MemberFlag.NO_USE, cx.code[node + 4])


def _define(cx: Context, target: int, name: str, descriptor: int) -> None:
    """Record the value of a property that a descriptor defines, or the result of its getter."""
    for member in _members(cx, descriptor):
        value, symbol = -1, -1
        if member.name == "value":
            value, symbol = member.value, member.symbol
        elif member.name == "get":
            value = _only_result(cx, member)
        if value >= 0:
            string = cx.string(name.encode("utf-8", "replace"))
            made = cx.emit(Op.MEMBER, target, string, MemberFlag.NO_USE, cx.code[descriptor + 4])
            cx.expandos.append(Expando(made, value, symbol))


def _only_result(cx: Context, member: Member) -> int:
    """Return the expression that a getter returns, or -1 unless there is exactly one."""
    function: Function | None = None
    if member.function >= 0:
        function = cx.functions[member.function]
    elif member.value >= 0 and cx.code[member.value] == Op.FUNCTION:
        function = cx.functions[cx.code[member.value + 1]]
    return function.returns[0] if function is not None and len(function.returns) == 1 else -1


def _members(cx: Context, node: int) -> list[Member]:
    node = bare_reference(cx.code, node)
    return cx.shapes[cx.code[node + 1]].members if node >= 0 and cx.code[node] == Op.OBJECT else []


def _is_global(cx: Context, callee: int) -> bool:
    """Return whether a callee is a member of the global `Object` or `Reflect`."""
    owner = bare_reference(cx.code, cx.code[callee + 1]) if cx.code[callee] == Op.MEMBER else -1
    return (
        owner >= 0
        and cx.code[owner] == Op.NAME
        and cx.code[owner + 1] < 0
        and cx.strings[cx.code[owner + 2]] in ("Object", "Reflect")
    )


def _is_inherits(cx: Context, callee: int) -> bool:
    """Return whether a callee is the function `inherits` of a module in `_INHERITS`."""
    owner = callee if cx.code[callee] == Op.NAME else bare_reference(cx.code, cx.code[callee + 1])
    source = _required(cx, owner)
    return source >= 0 and cx.imports[source].specifier in _INHERITS


def _required(cx: Context, node: int) -> int:
    """Return the import of `require("x")`, or of a variable whose value is the required module or a part of it.

    Return -1 for other values.
    """
    if cx.code[node] == Op.NAME and cx.code[node + 1] >= 0:
        decls = cx.bindings[cx.code[node + 1]].decls
        decl = cx.decls[decls[0]] if decls else None
        if decl is not None and decl.kind == DeclKind.IMPORT:
            return decl.a
        if decl is None or decl.kind != DeclKind.VARIABLE or decl.b < 0:
            return -1
        node = bare_reference(cx.code, decl.b)
        if cx.code[node] == Op.MEMBER:
            node = bare_reference(cx.code, cx.code[node + 1])
    return cx.code[node + 1] if cx.code[node] == Op.REQUIRE else -1


def _is_exports(cx: Context, node: int) -> bool:
    node = bare_reference(cx.code, node)
    if cx.reference_key(node) not in ("exports", "module.exports"):
        return False
    leftmost = node if cx.code[node] == Op.NAME else bare_reference(cx.code, cx.code[node + 1])
    return cx.code[leftmost] == Op.NAME and cx.code[leftmost + 1] < 0


def note_pushes(cx: Context) -> None:
    """Record `list.push(value)` after `const list = []` as an assignment to `list[undefined]`, a key that code never has."""
    code = cx.code
    for call in cx.calls:
        callee = code[call + 1]
        if code[call] != Op.CALL or code[callee] != Op.MEMBER or cx.strings[code[callee + 2]] not in _PUSHES:
            continue
        owner = bare_reference(code, code[callee + 1])
        if code[owner] != Op.NAME or code[owner + 1] < 0 or not _begins_empty(cx, code[owner + 1]):
            continue
        for argument in cx.items(code[call + 2]):
            if code[argument] != Op.SPREAD:
                key = cx.emit(Op.UNDEFINED, -1, -1, -1, code[argument + 4])
                cx.expandos.append(Expando(cx.emit(Op.INDEX, owner, key, -1, code[argument + 4]), argument, -1))


def _begins_empty(cx: Context, binding: int) -> bool:
    """Return whether a variable has no type, and its value is an array literal without elements."""
    decls = cx.bindings[binding].decls
    decl = cx.decls[decls[0]] if len(decls) == 1 else None
    if decl is None or decl.kind != DeclKind.VARIABLE or decl.a >= 0 or decl.b < 0:
        return False
    return cx.code[decl.b] == Op.ARRAY and not cx.items(cx.code[decl.b + 1])
