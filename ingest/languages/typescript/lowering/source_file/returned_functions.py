"""Functions that other functions return by their names: composables, setup stores and factories.

function useDraft() { function save() {} return { save } }
"""

from __future__ import annotations

from .....facts.model import DeclKind, Member
from .....facts.operations import Op
from ..context import Context


def note_returned_functions(cx: Context) -> None:
    """Give members of returned objects that only pass on a function its symbol. Call this when names are bound."""
    code = cx.code
    for function in cx.functions:
        for value in function.returns:
            while value >= 0 and code[value] == Op.AS:
                value = code[value + 1]
            if value >= 0 and code[value] == Op.OBJECT:
                for member in cx.shapes[code[value + 1]].members:
                    if member.symbol < 0 <= member.value:
                        member.symbol = _function_named(cx, member)


def _function_named(cx: Context, member: Member) -> int:
    """Return the symbol of the function that `{ save }` names, or -1. `{ save: store }` is a property of its own."""
    code = cx.code
    value = member.value
    if code[value] != Op.NAME or code[value + 1] < 0 or code[value + 4] != member.position:
        return -1
    for index in cx.bindings[code[value + 1]].decls:
        decl = cx.decls[index]
        if decl.kind == DeclKind.FUNCTION or (decl.kind == DeclKind.VARIABLE and decl.b >= 0 and code[decl.b] == Op.FUNCTION):
            return decl.symbol
    return -1
