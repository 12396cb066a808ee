"""Read stores of Pinia with a setup function: `defineStore("user", () => { function leave() {} return { leave } })`."""

from __future__ import annotations

from typing import Final

from .....facts.model import DeclKind
from .....facts.operations import Op
from ..context import Context

_MAKER: Final = "defineStore"


def note_setup_stores(cx: Context) -> None:
    """Give members of setup stores that only pass on a function the symbol of the function. Call this when names are bound."""
    if _MAKER.encode() not in cx.source:
        return
    code, strings = cx.code, cx.strings
    for node in cx.calls:
        callee, given = code[node + 1], cx.items(code[node + 2])
        if code[node] != Op.CALL or code[callee] != Op.NAME or strings[code[callee + 2]] != _MAKER or not given:
            continue
        setups = [argument for argument in given[:2] if code[argument] == Op.FUNCTION]
        returned = [value for setup in setups for value in cx.functions[code[setup + 1]].returns if code[value] == Op.OBJECT]
        for member in (member for value in returned for member in cx.shapes[code[value + 1]].members):
            if member.symbol < 0 <= member.value and code[member.value] == Op.NAME and code[member.value + 1] >= 0:
                decls = [cx.decls[each] for each in cx.bindings[code[member.value + 1]].decls]
                member.symbol = next((decl.symbol for decl in decls if decl.kind == DeclKind.FUNCTION), -1)
