"""Functions and variables that composables and setup stores return by their names.

function useDraft() { function save() {} return { save } }

Who uses such an object thinks of the function, and not of a property of its own, as TypeScript does. Objects that other functions
return have properties, like in TypeScript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .....facts.model import DeclKind, Member
from .....facts.operations import Op
from ..context import Context

#: How names of composables begin: https://vuejs.org/guide/reusability/composables.html#conventions-and-best-practices.
_COMPOSABLE: Final = re.compile(r"use[A-Z\d]")
#: The function of Pinia to which setup functions of stores are passed.
_STORE_MAKER: Final = "defineStore"


def note_returned_functions(cx: Context) -> None:
    """Give members of returned objects that only pass on a declaration its symbol. Call this when names are bound."""
    code = cx.code
    for index in _returning(cx):
        for value in cx.functions[index].returns:
            while value >= 0 and code[value] == Op.AS:
                value = code[value + 1]
            if value >= 0 and code[value] == Op.OBJECT:
                for member in cx.shapes[code[value + 1]].members:
                    if member.symbol < 0 <= member.value:
                        member.symbol = _symbol_named(cx, member)


def _returning(cx: Context) -> Iterator[int]:
    """Yield the functions of composables and of setup stores."""
    code, symbols = cx.code, cx.symbols
    for index, function in enumerate(cx.functions):
        if function.symbol >= 0 and _COMPOSABLE.match(symbols[function.symbol].name) is not None:
            yield index
    if _STORE_MAKER.encode() not in cx.source:
        return
    for node in cx.calls:
        callee, given = code[node + 1], cx.items(code[node + 2])
        if code[node] == Op.CALL and code[callee] == Op.NAME and cx.strings[code[callee + 2]] == _STORE_MAKER:
            for argument in given:
                if code[argument] == Op.FUNCTION:
                    yield code[argument + 1]


def _symbol_named(cx: Context, member: Member) -> int:
    """Return the symbol of the function or variable that `{ save }` names, or -1. `{ save: store }` is a property of its own."""
    code = cx.code
    value = member.value
    if code[value] != Op.NAME or code[value + 1] < 0 or code[value + 4] != member.position:
        return -1
    for index in cx.bindings[code[value + 1]].decls:
        decl = cx.decls[index]
        if decl.kind in (DeclKind.FUNCTION, DeclKind.VARIABLE):
            return decl.symbol
    return -1
