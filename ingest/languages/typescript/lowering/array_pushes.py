"""Note the values that are pushed to arrays which begin empty: they decide the type of the elements."""

from __future__ import annotations

from ....facts.model import DeclKind, Expando, Op
from .context import Context

_PUSHES = frozenset(("push", "unshift"))


def note_pushes(cx: Context) -> None:
    """Record `list.push(value)` after `const list = []` as an assignment to `list[undefined]`, a key that code never has."""
    code = cx.code
    for call in cx.calls:
        callee = code[call + 1]
        if code[call] != Op.CALL or code[callee] != Op.MEMBER or cx.strings[code[callee + 2]] not in _PUSHES:
            continue
        owner = code[callee + 1]
        while code[owner] in (Op.NARROW, Op.NON_NULL):
            owner = code[owner + 1]
        if code[owner] != Op.NAME or code[owner + 1] < 0 or not _begins_empty(cx, code[owner + 1]):
            continue
        for argument in cx.items(code[call + 2]):
            if code[argument] != Op.SPREAD:
                key = cx.emit(Op.UNDEFINED, -1, -1, -1, code[argument + 4])
                cx.expandos.append(Expando(cx.emit(Op.INDEX, owner, key, -1, code[argument + 4]), argument, -1))


def _begins_empty(cx: Context, binding: int) -> bool:
    """Return whether a variable has no type, and an array without elements as its value."""
    decls = cx.bindings[binding].decls
    decl = cx.decls[decls[0]] if len(decls) == 1 else None
    if decl is None or decl.kind != DeclKind.VARIABLE or decl.a >= 0 or decl.b < 0:
        return False
    return cx.code[decl.b] == Op.ARRAY and not cx.items(cx.code[decl.b + 1])
