"""Declare the components that a file registers for all: `app.component("user-card", UserCard)`, and `GlobalComponents` of Vue.

They are global names that no identifier has, such as `<UserCard>`, which only tags of templates look up.
"""

from __future__ import annotations

import re
from typing import Final

from ....facts.model import Binding, Decl, DeclKind, Meaning, Op, ShapeKind
from ....symbols.states import ScopeState
from .context import Context

_REGISTRATION: Final = "component"
_INTERFACE: Final = "GlobalComponents"
#: Names that tags can have.
_TAG: Final = re.compile(r"[A-Za-z][\w-]*")


def note_registered_components(cx: Context) -> None:
    """Add the registered components of a file to its globals. Call this before names are bound."""
    names: dict[str, int] = {}
    code, strings = cx.code, cx.strings
    for node in cx.calls:
        callee = code[node + 1]
        if code[node] != Op.CALL or code[callee] != Op.MEMBER or strings[code[callee + 2]] != _REGISTRATION:
            continue
        arguments = cx.items(code[node + 2])
        if len(arguments) == 2 and code[arguments[0]] == Op.STRING:
            name, value = strings[code[arguments[0] + 2]], arguments[1]
            if code[value] == Op.NAME:
                _declare(cx, names, name, Decl(DeclKind.IMPORT_ALIAS, name, -1, value, -1, -1, code[value + 4]))
    for shape in cx.shapes:
        if shape.kind == ShapeKind.INTERFACE and shape.name == _INTERFACE:
            for member in shape.members:
                imported = _imported(cx, member.type) if member.type >= 0 else -1
                if imported >= 0:
                    index = code[code[imported + 1] + 1]
                    position = member.position
                    _declare(
                        cx, names, member.name, Decl(DeclKind.IMPORT, member.name, -1, index, cx.string(b"default"), 0, position)
                    )
    if names:
        cx.scopes.append(ScopeState(0, len(cx.scopes), names=names, ambient="global"))


def _declare(cx: Context, names: dict[str, int], name: str, decl: Decl) -> None:
    if _TAG.fullmatch(name) is None:
        return
    tag = "<" + "".join([part[:1].upper() + part[1:] for part in name.split("-")]) + ">"
    decl.name = tag
    names.setdefault(tag, len(cx.bindings))
    cx.decls.append(decl)
    cx.bindings.append(Binding(tag, Meaning.VALUE, [len(cx.decls) - 1], len(cx.scopes), []))


def _imported(cx: Context, type_: int) -> int:
    """Return the T_QUERY of `typeof import("x")["default"]`, or -1 for other types."""
    code = cx.code
    if code[type_] != Op.T_INDEXED or code[code[type_ + 2]] != Op.T_STRING or cx.strings[code[code[type_ + 2] + 2]] != "default":
        return -1
    query = code[type_ + 1]
    return query if code[query] == Op.T_QUERY and code[code[query + 1]] == Op.T_IMPORT else -1
