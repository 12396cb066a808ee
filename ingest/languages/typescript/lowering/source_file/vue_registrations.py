"""Record what a program of Vue registers for all of its components: components by tag, directives, and properties of instances.

`app.component("user-card", UserCard)`, also with a function that imports the component, and `GlobalComponents` of Vue declare
global names such as `<UserCard>`. `app.directive("focus", focus)` declares the global name `<vFocus>`, also
with an object instead of the name `focus`.
`app.config.globalProperties.$money = money`, `Vue.prototype.$money = money`, `app.mixin({…})` and the interfaces that programs
augment (`ComponentCustomProperties`) add to the global interface `{instance}`, which each component extends. No identifier has
such a name, so only templates and components find it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .....facts.model import Binding, Decl, DeclKind, Meaning, Member, MemberKind, Shape, ShapeKind
from .....facts.nodes import bare_reference
from .....facts.operations import MemberFlag, Op, Use
from .....symbols.states import ScopeState
from ...libraries.component_properties import ANY_TAG, INSTANCE
from ..context import Context
from .globs import FORM
from .vue_provided import provided_members
from .vuex_stores import store_members

_REGISTRATION: Final = "component"
_DIRECTIVE: Final = "directive"
#: Options that are functions, whose results have the members.
_MADE: Final = frozenset(("data", "setup"))
_ASYNC: Final = "defineAsyncComponent"
_COMPONENTS: Final = "GlobalComponents"
#: Interfaces with properties of all components that a program may augment: of Vue 3, and `Vue` of `vue/types/vue` in Vue 2.
_PROPERTIES: Final = frozenset(("ComponentCustomProperties", "Vue"))
#: Modules that declare these interfaces.
_MODULES: Final = frozenset(("vue", "@vue/runtime-core", "@vue/runtime-dom", "vue/types/vue"))
#: Names that tags can have.
_TAG: Final = re.compile(r"[A-Za-z][\w-]*")


def note_instance_properties(cx: Context, provided: Sequence[Member] = ()) -> None:
    """Add the properties that a file gives to all components to its globals. Call this when all assignments are recorded.

    `provided` are the values that options of a component provide.
    """
    members = [member for expando in cx.expandos if (member := _assigned_property(cx, expando.target, expando.value)) is not None]
    members += [member for call in cx.calls for member in _mixed(cx, call)]
    members += store_members(cx)
    members += provided_members(cx)
    members += provided
    for scope in cx.scopes:
        if scope.ambient in _MODULES:
            for name, binding in scope.names.items():
                decls = cx.bindings[binding].decls if name in _PROPERTIES else []
                shapes = [cx.shapes[cx.decls[decl].a] for decl in decls if cx.decls[decl].kind == DeclKind.INTERFACE]
                members += [member for shape in shapes for member in shape.members]
    mixins = [type_ for call in cx.calls for type_ in _mixed_types(cx, call)]
    if not members and not mixins:
        return
    position = members[0].position if members else cx.code[mixins[0] + 4]
    shape = Shape(ShapeKind.INTERFACE, INSTANCE, -1, len(cx.decls), [], mixins, [], members, position)
    cx.decls.append(Decl(DeclKind.INTERFACE, INSTANCE, -1, len(cx.shapes), -1, -1, shape.position))
    cx.shapes.append(shape)
    cx.scopes.append(ScopeState(0, len(cx.scopes), names={INSTANCE: len(cx.bindings)}, ambient="global"))
    cx.bindings.append(Binding(INSTANCE, Meaning.TYPE, [len(cx.decls) - 1], len(cx.scopes) - 1, []))


def _assigned_property(cx: Context, target: int, value: int) -> Member | None:
    """Return the property that an assignment gives to all components, or None."""
    code, strings = cx.code, cx.strings
    if value < 0 or code[target] != Op.MEMBER:
        return None
    owner = bare_reference(code, code[target + 1])
    if owner < 0 or code[owner] not in (Op.NAME, Op.MEMBER):
        return None
    holder = strings[code[owner + 2]]
    if holder == "prototype" and code[owner] == Op.MEMBER:
        constructor = bare_reference(code, code[owner + 1])
        if constructor < 0 or code[constructor] != Op.NAME or strings[code[constructor + 2]] != "Vue":
            return None
    elif holder != "globalProperties":
        return None
    name = strings[code[target + 2]]
    return Member(name, MemberKind.PROPERTY, False, False, -1, -1, -1, value, code[target + 4], -1)


def _mixin(cx: Context, call: int, op: int) -> int:
    """Return the node of the mixin in `app.mixin(mixin)` or `Vue.mixin(mixin)` if it has an operation, else -1."""
    code = cx.code
    callee = code[call + 1]
    if code[call] != Op.CALL or code[callee] != Op.MEMBER or cx.strings[code[callee + 2]] != "mixin":
        return -1
    arguments = cx.items(code[call + 2])
    return arguments[0] if len(arguments) == 1 and code[arguments[0]] == op else -1


def _mixed_types(cx: Context, call: int) -> list[int]:
    """Return the types of the methods, computed properties and data of a mixin that a call names: `app.mixin(formats)`."""
    mixin = _mixin(cx, call, Op.NAME)
    if mixin < 0:
        return []
    code, position, found = cx.code, cx.code[mixin + 4], []
    for option in ("methods", "computed", "data"):
        name = cx.emit(Op.NAME, code[mixin + 1], code[mixin + 2], code[mixin + 3], position)
        held = cx.emit(Op.MEMBER, name, cx.string(option.encode()), MemberFlag.NO_USE, position)
        found.append(option_type(cx, option, cx.emit(Op.T_QUERY, held, -1, -1, position)))
    return found


def option_type(cx: Context, option: str, type_: int) -> int:
    """Return the type of the members that an option of a component gives to the component; `type_` is the type of the option."""
    if option == "computed":
        return _read_type(cx, type_)
    return result_type(cx, type_, cx.code[type_ + 4]) if option in _MADE else type_


def _read_type(cx: Context, functions: int) -> int:
    """Return the type of what a component reads from its computed properties: `{ [K in keyof F]: ReturnType<F[K]> }`."""
    position = cx.code[functions + 4]
    outer = cx.open_scope()
    over = cx.emit(Op.T_KEYOF, functions, -1, -1, position)
    decl = cx.declare("K", Meaning.TYPE, Decl(DeclKind.TYPE_PARAMETER, "K", -1, over, -1, -1, position))
    key = cx.emit(Op.T_NAME, cx.scopes[cx.scope].names["K"], cx.string(b"K"), Use.TYPE, position)
    value = result_type(cx, cx.emit(Op.T_INDEXED, functions, key, -1, position), position)
    cx.scope = outer
    return cx.emit(Op.T_MAPPED, decl, cx.list_of([over, -1, value]), 0, position)


def result_type(cx: Context, function: int, position: int) -> int:
    """Return the type of what a function of a type returns."""
    result = cx.emit(Op.T_NAME, -1, cx.string(b"ReturnType"), Use.TYPE, position)
    return cx.emit(Op.T_REFERENCE, result, cx.list_of([function]), -1, position)


def _mixed(cx: Context, call: int) -> list[Member]:
    """Return the methods and computed properties of the literal in `app.mixin({…})` or `Vue.mixin({…})`."""
    code = cx.code
    mixin = _mixin(cx, call, Op.OBJECT)
    if mixin < 0:
        return []
    found: list[Member] = []
    for option in cx.shapes[code[mixin + 1]].members:
        if option.name in ("methods", "computed") and option.value >= 0 and code[option.value] == Op.OBJECT:
            kind = MemberKind.METHOD if option.name == "methods" else MemberKind.GETTER
            for member in cx.shapes[code[option.value + 1]].members:
                is_function = member.value >= 0 and code[member.value] == Op.FUNCTION
                function = code[member.value + 1] if is_function else member.function
                if function >= 0:
                    found.append(Member(member.name, kind, False, False, member.symbol, function, -1, -1, member.position, -1))
    return found


def note_registered_components(cx: Context) -> None:
    """Add the registered components of a file to its globals. Call this before names are bound."""
    names: dict[str, int] = {}
    code, strings = cx.code, cx.strings
    for node in cx.calls:
        callee = code[node + 1]
        method = strings[code[callee + 2]] if code[node] == Op.CALL and code[callee] == Op.MEMBER else ""
        if method not in (_REGISTRATION, _DIRECTIVE):
            continue
        arguments = cx.items(code[node + 2])
        if method == _REGISTRATION and len(arguments) == 2 and code[arguments[0]] != Op.STRING:
            _declare_loaded(cx, names)
        if len(arguments) == 2 and code[arguments[0]] == Op.STRING:
            name, value = strings[code[arguments[0] + 2]], arguments[1]
            if method == _DIRECTIVE:
                _declare_directive(cx, names, name, value)
                continue
            imported = lazy_import(cx, value)
            if code[value] == Op.NAME:
                _declare_tag(cx, names, name, Decl(DeclKind.IMPORT_ALIAS, name, -1, value, -1, -1, code[value + 4]))
            elif imported >= 0:
                default = cx.string(b"default")
                _declare_tag(cx, names, name, Decl(DeclKind.IMPORT, name, -1, imported, default, 0, code[value + 4]))
    for shape in cx.shapes:
        if shape.kind == ShapeKind.INTERFACE and shape.name == _COMPONENTS:
            for member in shape.members:
                imported = _imported_default(cx, member.type) if member.type >= 0 else -1
                if imported >= 0:
                    index = code[code[imported + 1] + 1]
                    position = member.position
                    _declare_tag(
                        cx, names, member.name, Decl(DeclKind.IMPORT, member.name, -1, index, cx.string(b"default"), 0, position)
                    )
    if names:
        cx.scopes.append(ScopeState(0, len(cx.scopes), names=names, ambient="global"))


def _declare_loaded(cx: Context, names: dict[str, int]) -> None:
    """Declare that the components which the file loads by globs have tags, if a call registers them under computed names."""
    loaded = [index for index, entry in enumerate(cx.imports) if entry.form == FORM]
    if not loaded or ANY_TAG in names:
        return
    decls = [Decl(DeclKind.IMPORT, ANY_TAG, -1, index, cx.string(b"*"), 0, cx.imports[index].position) for index in loaded]
    names[ANY_TAG] = len(cx.bindings)
    first = len(cx.decls)
    cx.decls += decls
    cx.bindings.append(Binding(ANY_TAG, Meaning.VALUE, list(range(first, len(cx.decls))), len(cx.scopes), []))


def _declare_directive(cx: Context, names: dict[str, int], name: str, value: int) -> None:
    """Declare a directive that a call registers: a name, or an object in place, whose hooks Vue calls."""
    if _TAG.fullmatch(name) is None:
        return
    position = cx.code[value + 4]
    if cx.code[value] == Op.NAME:
        _declare(cx, names, directive_tag(name), Decl(DeclKind.IMPORT_ALIAS, name, -1, value, -1, -1, position))
    elif cx.code[value] == Op.OBJECT:
        _declare(cx, names, directive_tag(name), Decl(DeclKind.VARIABLE, name, -1, -1, value, -1, position))


def _declare_tag(cx: Context, names: dict[str, int], name: str, decl: Decl) -> None:
    if _TAG.fullmatch(name) is not None:
        _declare(cx, names, f"<{_pascal(name)}>", decl)


def directive_tag(name: str) -> str:
    """Return the global name of a directive: `<vClickOutside>` for `click-outside`. No component has such a tag."""
    return f"<v{_pascal(name)}>"


def _pascal(name: str) -> str:
    return "".join([part[:1].upper() + part[1:] for part in name.split("-")])


def _declare(cx: Context, names: dict[str, int], tag: str, decl: Decl) -> None:
    decl.name = tag
    names.setdefault(tag, len(cx.bindings))
    cx.decls.append(decl)
    cx.bindings.append(Binding(tag, Meaning.VALUE, [len(cx.decls) - 1], len(cx.scopes), []))


def lazy_import(cx: Context, value: int) -> int:
    """Return the import in `() => import("./Card.vue")`, which may be the argument of `defineAsyncComponent`; -1 for others."""
    code = cx.code
    if code[value] == Op.CALL and code[code[value + 1]] == Op.NAME and cx.strings[code[code[value + 1] + 2]] == _ASYNC:
        arguments = cx.items(code[value + 2])
        value = arguments[0] if len(arguments) == 1 else value
    if code[value] != Op.FUNCTION:
        return -1
    returned = cx.functions[code[value + 1]].returns
    return code[returned[0] + 1] if len(returned) == 1 and code[returned[0]] == Op.IMPORT_CALL else -1


def _imported_default(cx: Context, type_: int) -> int:
    """Return the T_QUERY of `typeof import("x")["default"]`, or -1 for other types."""
    code = cx.code
    if code[type_] != Op.T_INDEXED or code[code[type_ + 2]] != Op.T_STRING or cx.strings[code[code[type_ + 2] + 2]] != "default":
        return -1
    query = code[type_ + 1]
    return query if code[query] == Op.T_QUERY and code[code[query + 1]] == Op.T_IMPORT else -1
