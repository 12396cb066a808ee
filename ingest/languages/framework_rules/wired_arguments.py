"""The arguments that a call passes to a framework, and a short text of the call, for the rules of frameworks of any language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...facts.operations import Op
from .wiring import SymbolPlace, WiredFile

#: Nodes that name something.
NAMES: Final = frozenset((Op.NAME, Op.FLOW, Op.MEMBER))


def given(file: WiredFile, node: int, depth: int) -> Iterator[tuple[int, SymbolPlace]]:
    """Yield the functions and classes that an argument refers to, directly or in lists and calls, each with its node."""
    code = file.code
    if node < 0 or depth <= 0:
        return
    if code[node] in NAMES:
        for declared in file.declarations(node):
            place = declared.symbol
            if place is not None:
                yield node, place
    elif code[node] in (Op.PROP, Op.SPREAD):
        yield from given(file, code[node + 1], depth)
    elif code[node] == Op.ARRAY:
        for item in file.items(code[node + 1]):
            yield from given(file, item, depth - 1)
    elif code[node] == Op.DICT:
        for item in file.items(code[node + 2]):
            yield from given(file, item, depth - 1)
    elif code[node] == Op.CALL:
        # `views.Home.as_view()` refers to the class, and `csrf_exempt(view)` to the function.
        callee = code[node + 1]
        if callee >= 0 and code[callee] == Op.MEMBER:
            for value, place in given(file, code[callee + 1], depth - 1):
                if place.file.facts.symbols[place.symbol].kind == "class":
                    yield value, place
        for item in file.items(code[node + 2]):
            yield from given(file, item, depth - 1)


def call_text(file: WiredFile, node: int) -> str:
    """Return a call or name in short: `app.get("/users")`."""
    code = file.code
    if code[node] != Op.CALL:
        return _dotted(file, node)
    arguments = file.items(code[node + 2])
    first = arguments[0] if arguments else -1
    text = f'"{file.facts.strings[code[first + 2]]}"' if first >= 0 and code[first] == Op.STRING else ""
    return f"{_dotted(file, code[node + 1])}({text})"


def _dotted(file: WiredFile, node: int) -> str:
    parts: list[str] = []
    while node >= 0 and file.code[node] == Op.MEMBER:
        parts.append(file.name(node))
        node = file.code[node + 1]
    if node >= 0 and file.name(node):
        parts.append(file.name(node))
    return ".".join(reversed(parts))
