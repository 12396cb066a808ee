"""Follow the items of a new list or dictionary whose index is constant: `handlers = {"a": f}`, then `handlers["a"]()`."""

from __future__ import annotations

from typing import Final

from ....facts.operations import Display, Op
from .context import MAX_KEY, PythonContext

#: Methods after which an item may have another value.
CHANGING_METHODS: Final = frozenset((b"clear", b"insert", b"pop", b"popitem", b"remove", b"reverse", b"sort", b"update"))
#: Maximum number of tracked items of one display.
_MAX_ITEMS: Final = 32
#: Kinds of tracked items. Constants are not tracked, because calls of their members never resolve to the repository.
_FOLLOWED: Final = frozenset((Op.NAME, Op.FLOW, Op.MEMBER, Op.FUNCTION, Op.CALL))


def hold_items(cx: PythonContext, key: str, display: int) -> None:
    """Set the values of the items of a name or chain after the assignment of a list or dictionary display."""
    code = cx.code
    if not cx.flow.is_reached or display < 0:
        return
    if code[display] == Op.ARRAY and code[display + 3] in (Display.LIST, Display.TUPLE):
        items = cx.items(code[display + 1])
        if len(items) <= _MAX_ITEMS and all(code[item] != Op.SPREAD for item in items):
            for place, item in enumerate(items):
                _hold(cx, f"{key}.[{place}]", item)
    elif code[display] == Op.DICT and not cx.items(code[display + 3]):
        keys, values = cx.items(code[display + 1]), cx.items(code[display + 2])
        if len(keys) <= _MAX_ITEMS and len(keys) == len(values) and all(_constant(cx, each) for each in keys):
            for each, value in zip(keys, values, strict=True):
                _hold(cx, f"{key}.{_constant(cx, each)}", value)


def _hold(cx: PythonContext, key: str, value: int) -> None:
    if value >= 0 and cx.code[value] in _FOLLOWED:
        cx.flow.hold(key, (value,))


def _constant(cx: PythonContext, node: int) -> str:
    """Return a constant key as `PythonContext.key_of` writes it; "" for another expression."""
    if node < 0 or cx.code[node] not in (Op.STRING, Op.NUMBER) or cx.code[node + 3] != 0:
        return ""
    text = cx.strings[cx.code[node + 2]]
    if not text or len(text) > MAX_KEY - 2 or "." in text or "'" in text or '"' in text:
        return ""
    return f"['{text}']" if cx.code[node] == Op.STRING else f"[{text}]"


def note_changes(cx: PythonContext, key: str, method: bytes, given: list[int]) -> None:
    """Forget the items of the receiver of a changing method. `update` with a display also sets items."""
    cx.flow.forget_items(key)
    if method == b"update" and len(given) == 1 and given[0] >= 0 and cx.code[given[0]] == Op.DICT:
        hold_items(cx, key, given[0])
