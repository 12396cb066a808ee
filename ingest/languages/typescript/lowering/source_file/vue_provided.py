"""Read what a program of Vue provides and injects by keys: `provide("theme", theme)` and `inject("theme")`.

A provided value is a member of the properties that a program gives to all components (`{instance}`), under a name that no
identifier has. The key of `inject` refers to this member, and the injected value has its type.
"""

from __future__ import annotations

from typing import Final

from .....facts.model import DeclKind, Member, MemberKind
from .....facts.operations import Cast, Op, Use
from ...libraries.component_properties import INSTANCE
from ..context import Context

#: What the names of provided members begin with. The key follows; the name of a constant is in braces.
PROVIDED: Final = "{provided} "
PROVIDE: Final = "provide"
INJECT: Final = "inject"
#: Packages that export these functions. Angular has another `inject`.
_PACKAGES: Final = frozenset(("vue", "@vue/composition-api", "@vue/runtime-core", "#imports"))

#: Functions that make an application, and the usual names of applications.
_MAKERS: Final = frozenset(("createApp", "createSSRApp"))
_APPLICATIONS: Final = frozenset(("app", "vueApp"))


def provided_name(cx: Context, key: int) -> str:
    """Return the name of the member for a key: a string, or a constant with a symbol; "" for other keys."""
    code = cx.code
    if code[key] == Op.STRING:
        return f"{PROVIDED}{cx.strings[code[key + 2]]}"
    if code[key] in (Op.NAME, Op.MEMBER) and cx.language in ("javascript", "jsx"):
        return f"{PROVIDED}{{{cx.strings[code[key + 2]]}}}"
    return ""


def provided_members(cx: Context) -> list[Member]:
    """Return the members that calls of `provide(key, value)` and `app.provide(key, value)` declare."""
    found: list[Member] = []
    for call, given in _calls(cx, PROVIDE, 2):
        name = provided_name(cx, given[0])
        if name:
            found.append(provided_member(name, given[1], cx.code[call + 4]))
    return found


def provided_member(name: str, value: int, position: int) -> Member:
    """Return the member for a provided value."""
    return Member(name, MemberKind.PROPERTY, False, False, -1, -1, -1, value, position, -1)


def note_injections(cx: Context) -> None:
    """Give calls of `inject(key)` without a type the type of what is provided for the key. Call this before names are bound."""
    code = cx.code
    outer = cx.symbol
    for call, given in _calls(cx, INJECT, 1):
        name = provided_name(cx, given[0])
        if name and code[call + 3] < 0:
            cx.own(cx.owner_of(call))
            position = code[given[0] + 4] + (code[given[0]] == Op.STRING)
            code[call + 3] = cx.list_of([cx.emit(Op.T_QUERY, injected(cx, name, position), -1, -1, position)])
    cx.own(outer)


def injected(cx: Context, name: str, position: int) -> int:
    """Return the node for the value that the program provides under a name of `provided_name`."""
    named = cx.emit(Op.T_NAME, -1, cx.string(INSTANCE.encode()), Use.TYPE, position)
    type_ = cx.emit(Op.T_REFERENCE, named, -1, -1, position)
    holder = cx.emit(Op.AS, cx.emit(Op.UNDEFINED, -1, -1, -1, position), type_, Cast.AS, position)
    return cx.emit(Op.MEMBER, holder, cx.string(name.encode()), 0, position)


def _calls(cx: Context, function: str, least: int) -> list[tuple[int, list[int]]]:
    """Return the calls of a function of Vue with at least some number of arguments, with the arguments."""
    if function.encode() not in cx.source:
        return []
    code, strings, found = cx.code, cx.strings, []
    is_vue = _is_of_vue(cx, function)
    for node in cx.calls:
        callee, given = code[node + 1], cx.items(code[node + 2])
        if code[node] != Op.CALL or len(given) < least or code[callee] not in (Op.NAME, Op.MEMBER):
            continue
        if strings[code[callee + 2]] == function and (
            is_vue if code[callee] == Op.NAME else _is_application(cx, code[callee + 1])
        ):
            found.append((node, given))
    return found


def _is_of_vue(cx: Context, function: str) -> bool:
    """Return whether a name is imported from Vue, or declared nowhere in the file, as where a tool adds the imports of Vue."""
    binding = cx.scopes[0].names.get(function, -1)
    if binding < 0:
        return True
    decls = [cx.decls[each] for each in cx.bindings[binding].decls]
    return any(decl.kind == DeclKind.IMPORT and cx.imports[decl.a].specifier in _PACKAGES for decl in decls)


def _is_application(cx: Context, node: int) -> bool:
    """Return whether an expression is an application of Vue by its name, such as `app` or `createApp(App).use(router)`."""
    code, strings = cx.code, cx.strings
    while code[node] == Op.CALL:
        callee = code[node + 1]
        if code[callee] == Op.NAME:
            return strings[code[callee + 2]] in _MAKERS
        if code[callee] != Op.MEMBER:
            return False
        node = code[callee + 1]
    return code[node] in (Op.NAME, Op.MEMBER) and strings[code[node + 2]] in _APPLICATIONS
