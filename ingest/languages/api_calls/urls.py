"""Reads the URLs of requests, with `{}` in place of text that is known only at run time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from ...facts.api import UNKNOWN
from ...facts.model import DeclKind
from ...facts.operations import Op
from .expressions import Expressions

#: Maximum number of steps through variables, additions and templates.
MAX_STEPS: Final = 12
#: Maximum length of the text of an expression, in characters.
_MAX_TEXT: Final = 2_000
#: Key of the texts in the memory of a file.
_KNOWN: Final = "written URLs"
_PASSING: Final = (Op.AWAIT, Op.NON_NULL)

#: Returns the text of a call or another expression, with the remaining number of steps.
ReadOther = Callable[[int, int], str]


def written_url(at: Expressions, node: int, other: ReadOther, steps: int = MAX_STEPS, memory: str = _KNOWN) -> str:
    """Return the text of an expression. `other` reads what is no text, addition, template or variable.

    `memory` is the name under which the texts are kept; each kind of `other` has its own.

    The text of each expression is read once for each number of steps, and a long text counts as unknown. Otherwise, templates
    that repeat the variables of other templates would take exponential time.
    """
    if node < 0 or steps <= 0:
        return UNKNOWN
    known = cast("dict[tuple[int, int], str]", at.memory.setdefault(memory, {}))
    found = known.get((node, steps))
    if found is None:
        text = _written(at, node, other, steps, memory)
        found = known[node, steps] = text if len(text) <= _MAX_TEXT else UNKNOWN
    return found


def _written(at: Expressions, node: int, other: ReadOther, steps: int, memory: str) -> str:
    code, operation = at.code, at.code[node]
    if operation == Op.STRING:
        return at.text(node) or ""
    if operation in _PASSING or (operation == Op.AS and code[node + 1] >= 0):
        return written_url(at, code[node + 1], other, steps - 1, memory)
    if operation == Op.BINARY or at.is_addition(node):
        return "".join(written_url(at, code[node + place], other, steps - 1, memory) for place in (1, 2))
    if operation == Op.TEMPLATE and code[node + 2] >= 0:
        first, *rest = at.string(code[node + 2]).split(UNKNOWN)
        values = at.items(code[node + 1])
        filled = (written_url(at, value, other, steps - 1, memory) + text for value, text in zip(values, rest, strict=True))
        return first + "".join(filled)
    decl = at.declaration(node)
    if decl is not None and decl.kind == DeclKind.VARIABLE and decl.b >= 0:
        return written_url(at, decl.b, other, steps - 1, memory)
    return other(node, steps)
