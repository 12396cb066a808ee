"""Symbols of the attributes that methods assign to their receiver: `self.x = …` declares a property of the class.

An attribute has one symbol: at its declaration in the class, or at its first assignment in a method.
"""

from __future__ import annotations

from ....facts.model import Shape
from ....symbols.byte_ranges import decoded
from ....symbols.headers import MAX_SIGNATURE_LENGTH
from ....symbols.states import SymbolState
from .context import PythonContext


def add_attribute_symbols(cx: PythonContext, shape: Shape) -> None:
    """Add a symbol for each attribute of a class that only methods assign. The class itself must have a symbol."""
    declared = {member.name for member in shape.members if member.symbol >= 0}
    for member in shape.members:
        span = cx.assigned_to.get(member.position)
        if span is None or member.name in declared:
            continue
        declared.add(member.name)
        is_exported = cx.symbols[shape.symbol].exported and (member.name[:1] != "_" or member.name[-2:] == "__")
        member.symbol = len(cx.symbols)
        cx.symbols.append(
            SymbolState(
                member.name,
                "property",
                shape.symbol,
                span[0],
                span[1],
                span[0],
                member.position,
                signature=_first_line(cx, span),
                modifiers=["exported"] if is_exported else [],
                exported=is_exported,
            )
        )


def _first_line(cx: PythonContext, span: tuple[int, int]) -> str:
    text = decoded(cx.data, span[0], min(span[1], span[0] + MAX_SIGNATURE_LENGTH))
    return text.partition("\n")[0].rstrip()
