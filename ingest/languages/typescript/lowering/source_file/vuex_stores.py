"""Read stores of Vuex: the strings that name actions and mutations, and the store that a program gives to all of its components.

`commit("SET_ROWS", rows)` and `store.dispatch("orders/load")` call the functions of the options `mutations` and `actions`. A
name without a module is looked up in the options of the file, if the file has such options. Other names are looked up in the
options of the program's store: `modules.orders.actions.load`.
"""

from __future__ import annotations

import re
from typing import Final

from .....facts.model import DeclKind, Member, MemberKind, Shape
from .....facts.operations import Cast, MemberFlag, Op, Use
from ...libraries.component_properties import INSTANCE
from ..context import Context
from .globs import FORM

#: The member of all components that stands for the options of the program's store. No identifier has such a name.
_OPTIONS: Final = "{store}"
#: The option that holds what a method of a store runs.
_KINDS: Final = {"dispatch": "actions", "commit": "mutations"}
_PACKAGE: Final = "vuex"
#: Names of constants that hold the names of actions and mutations: `commit(SET_ROWS)`, `commit(types.SET_ROWS)`.
_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9_]+")


def store_members(cx: Context) -> list[Member]:
    """Return the members that a store of the file adds to all components: `$store`, and the options of the store."""
    if not any(entry.specifier == _PACKAGE for entry in cx.imports):
        return []
    code, strings = cx.code, cx.strings
    for node in cx.calls:
        callee, given = code[node + 1], cx.items(code[node + 2])
        if code[node] not in (Op.CALL, Op.NEW) or code[callee] not in (Op.NAME, Op.MEMBER) or len(given) != 1:
            continue
        if strings[code[callee + 2]] == ("Store" if code[node] == Op.NEW else "createStore"):
            position = code[callee + 4]
            options = _with_loaded_modules(cx, given[0])
            return [
                Member(name, MemberKind.PROPERTY, False, False, -1, -1, -1, value, position, -1)
                for name, value in (("$store", node), (_OPTIONS, options))
            ]
    return []


def _with_loaded_modules(cx: Context, options: int) -> int:
    """Return the options of a store. Modules that the file collects from the files of a glob are the files by their names."""
    loaded = next((index for index, entry in enumerate(cx.imports) if entry.form == FORM), -1)
    literal = _literal(cx, options) if loaded >= 0 else -1
    if literal < 0:
        return options
    shape = cx.shapes[cx.code[literal + 1]]
    given = next((each for each in shape.members if each.name == "modules"), None)
    if given is None or (given.value >= 0 and cx.code[given.value] == Op.OBJECT and cx.shapes[cx.code[given.value + 1]].members):
        return options
    files = cx.emit(Op.REQUIRE, loaded, -1, -1, given.position)
    modules = Member("modules", MemberKind.PROPERTY, False, False, -1, -1, -1, files, given.position, -1)
    members = [modules if each is given else each for each in shape.members]
    cx.shapes.append(Shape(shape.kind, shape.name, shape.symbol, -1, [], [], [], members, shape.position))
    return cx.emit(Op.OBJECT, len(cx.shapes) - 1, cx.code[literal + 2], -1, cx.code[literal + 4])


def store_option(cx: Context, kind: str, path: str, position: int, use: int = 0) -> int:
    """Return the node of an option of the program's store.

    `path` is its name behind the names of modules, such as `orders/load`; it stands at `position`.
    """
    *modules, last = path.split("/")
    holder = _option(cx, kind, modules, position)
    return cx.emit(Op.MEMBER, holder, cx.string(last.encode()), use, position + len("/".join([*modules, ""]).encode()))


def constant_option(cx: Context, kind: str, namespace: str, constant: int) -> int:
    """Return the node of an option of the program's store whose name a constant holds; `namespace` is like `orders/`."""
    holder = _option(cx, kind, namespace.split("/")[:-1], cx.code[constant + 4])
    return cx.emit(Op.INDEX, holder, constant, 0, cx.code[constant + 4])


def is_constant(cx: Context, node: int) -> bool:
    """Return whether an expression is a constant by its name: `SET_ROWS`, `types.SET_ROWS`."""
    return cx.code[node] in (Op.NAME, Op.MEMBER) and _CONSTANT.fullmatch(cx.strings[cx.code[node + 2]]) is not None


def _option(cx: Context, kind: str, modules: list[str], position: int) -> int:
    """Return the node of an option of a module of the program's store.

    Without modules, it is the option of the store itself and of each of its modules, whose names are names of the store unless
    they have a namespace.
    """

    def member(node: int, name: str) -> int:
        return cx.emit(Op.MEMBER, node, cx.string(name.encode()), MemberFlag.NO_USE, position)

    name = cx.emit(Op.T_NAME, -1, cx.string(INSTANCE.encode()), Use.TYPE, position)
    type_ = cx.emit(Op.T_REFERENCE, name, -1, -1, position)
    store = cx.emit(Op.AS, cx.emit(Op.UNDEFINED, -1, -1, -1, position), type_, Cast.AS, position)
    store = member(store, _OPTIONS)
    if not modules:
        each = cx.emit(Op.ITERATED, member(store, "modules"), -1, 2, position)
        return cx.emit(
            Op.CONDITIONAL, cx.emit(Op.UNDEFINED, -1, -1, -1, position), member(store, kind), member(each, kind), position
        )
    for module in modules:
        store = member(member(store, "modules"), module)
    return member(store, kind)


def note_store_calls(cx: Context) -> None:
    """Add calls of the actions and mutations that strings and constants name. Call this before names are bound."""
    _note_getters(cx)
    if b"dispatch" not in cx.source and b"commit" not in cx.source:
        return
    code, strings = cx.code, cx.strings
    named = [node for node in cx.calls if (method := _method(cx, node)) and method in _KINDS]
    if not named:
        return
    options = {kind: _options(cx, kind) for kind in _KINDS.values()}
    names = {
        kind: {each.name for each in cx.shapes[code[literal + 1]].members} if literal >= 0 else set()
        for kind, literal in options.items()
    }
    outer = cx.symbol
    for node in named:
        callee, given = code[node + 1], cx.items(code[node + 2])
        kind, is_text = _KINDS[_method(cx, node)], code[given[0]] == Op.STRING
        path, position = strings[code[given[0] + 2]], code[given[0] + 4] + is_text
        is_store = code[callee] == Op.MEMBER and _is_store(cx, code[callee + 1])
        cx.own(cx.owner_of(node))
        if not is_text:
            local = options[kind] if names[kind] and not is_store else -1
            holder = local if local >= 0 else _option(cx, kind, [], position)
            target = cx.emit(Op.INDEX, holder, given[0], 0, position)
        elif path in names[kind] and not is_store:
            target = cx.emit(Op.MEMBER, options[kind], cx.string(path.encode()), 0, position)
        elif is_store or "/" in path:
            target = store_option(cx, kind, path, position)
        else:
            continue
        context = cx.emit(Op.UNDEFINED, -1, -1, -1, position)
        payload = [context, given[1]] if len(given) > 1 else [context]
        cx.calls.append(cx.emit(Op.CALL, target, cx.list_of(payload), -1, position))
    cx.own(outer)


def _note_getters(cx: Context) -> None:
    """Add the uses of getters that are named with their modules: `getters["orders/first"]`."""
    if b"etters[" not in cx.source:
        return
    code, strings = cx.code, cx.strings
    outer = cx.symbol
    for node in range(0, len(code), 5):
        if code[node] != Op.INDEX or code[node + 2] < 0 or code[code[node + 2]] != Op.STRING:
            continue
        holder, key = code[node + 1], code[node + 2]
        is_getters = code[holder] in (Op.NAME, Op.MEMBER) and strings[code[holder + 2]] in ("getters", "rootGetters")
        path = strings[code[key + 2]]
        if is_getters and "/" in path:
            cx.own(cx.owner_of(node))
            store_option(cx, "getters", path, code[key + 4] + 1)
    cx.own(outer)


def _method(cx: Context, node: int) -> str:
    """Return the name of the called function if its first argument is a string or a constant, else an empty text."""
    code = cx.code
    callee, given = code[node + 1], cx.items(code[node + 2])
    if code[node] != Op.CALL or code[callee] not in (Op.NAME, Op.MEMBER) or not given:
        return ""
    first = given[0]
    return cx.strings[code[callee + 2]] if code[first] == Op.STRING or is_constant(cx, first) else ""


def _is_store(cx: Context, node: int) -> bool:
    """Return whether an expression is a store by its name: `this.$store`, or `store` that the file imports or declares."""
    if cx.code[node] not in (Op.NAME, Op.MEMBER):
        return False
    return cx.strings[cx.code[node + 2]] in (("$store", "store") if cx.code[node] == Op.NAME else ("$store",))


def _options(cx: Context, kind: str) -> int:
    """Return the object literal of an option of the store or module that the file declares, or -1.

    The option is in the file's default export, or in a variable of its name.
    """
    export = next((entry.value for entry in cx.exports if entry.name == "default"), -1)
    whole = _literal(cx, export)
    members = cx.shapes[cx.code[whole + 1]].members if whole >= 0 else []
    if (value := next((each.value for each in members if each.name == kind), -1)) >= 0:
        return _literal(cx, value)
    return _declared(cx, kind)


def _literal(cx: Context, node: int) -> int:
    """Return the object literal that an expression or a variable of the file is, or -1."""
    while node >= 0 and cx.code[node] == Op.AS:
        node = cx.code[node + 1]
    if node >= 0 and cx.code[node] == Op.NAME:
        return _declared(cx, cx.strings[cx.code[node + 2]])
    return node if node >= 0 and cx.code[node] == Op.OBJECT else -1


def _declared(cx: Context, name: str) -> int:
    """Return the object literal in a variable at the root of the file, or -1."""
    binding = cx.scopes[0].names.get(name, -1)
    decls = [cx.decls[each] for each in cx.bindings[binding].decls] if binding >= 0 else []
    if len(decls) != 1 or decls[0].kind != DeclKind.VARIABLE:
        return -1
    value = decls[0].b
    while value >= 0 and cx.code[value] == Op.AS:
        value = cx.code[value + 1]
    return value if value >= 0 and cx.code[value] == Op.OBJECT else -1
