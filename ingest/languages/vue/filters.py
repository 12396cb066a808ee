"""Uses of the filters of Vue 2 in templates: `{{ price | round(2) | money }}`."""

from __future__ import annotations

from collections.abc import Collection

from ...facts.operations import Op
from ..components.lowering import ComponentLowering

#: Number of bytes before a filter in which its `|` is sought.
_MAX_SPACE = 20


def filter_member(name: str) -> str:
    """Return the name of the component's member that stands for a filter. A filter may have the name of another member."""
    return f"|{name}"


def mark_filters(component: ComponentLowering, node: int, filters: Collection[str]) -> None:
    """Make the names behind `|` in an expression uses of the filters with these names.

    Other names behind `|` are operands of the operator of JavaScript.
    """
    cx, data = component.cx, component.source.data
    while filters and node >= 0 and cx.code[node] == Op.BINARY:
        right = cx.code[node + 2]
        name = cx.code[right + 1] if cx.code[right] == Op.CALL else right
        position = cx.code[name + 4]
        before = data[max(position - _MAX_SPACE, 0) : position].rstrip()
        if cx.code[name] == Op.NAME and before.endswith(b"|") and not before.endswith(b"||"):
            text = cx.strings[cx.code[name + 2]]
            if text in filters:
                cx.code[name + 2] = cx.string(filter_member(text).encode())
        node = cx.code[node + 1]
