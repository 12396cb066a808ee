"""Read the events that a component emits: `this.$emit("save", row)`, `emit("save")`, and `$emit("save")` in its template."""

from __future__ import annotations

from typing import Final

from ...facts.operations import Op
from ..components.events import emitted
from ..components.lowering import EVENT, ComponentLowering
from ..components.markup import Span
from .macros import listener_name

#: The method of every component.
_METHOD: Final = "$emit"
#: Usual names of the function that `defineEmits` returns and that `setup` receives. Only events that the component declares
#: are looked up by these names.
_NAMES: Final = frozenset((_METHOD, "emit", "emits"))


def read_emitted_events(component: ComponentLowering) -> None:
    """Add the call of an event to each call that emits the event by a literal name.

    An event that only `$emit` names is declared by its first call, so that the listeners of other components lead there.
    """
    cx = component.cx
    if b"emit" not in cx.source and b"emit" not in component.source.data:
        return
    code = cx.code
    outer = cx.symbol
    listeners = {member.name for member in cx.shapes[component.props].members}
    for node in list(cx.calls):
        callee, given = code[node + 1], cx.items(code[node + 2])
        is_named = code[node] == Op.CALL and code[callee] in (Op.NAME, Op.MEMBER) and given and code[given[0]] == Op.STRING
        method = cx.strings[code[callee + 2]] if is_named else ""
        if method not in _NAMES:
            continue
        event, position = cx.strings[code[given[0] + 2]], code[given[0] + 4] + 1
        name = listener_name(event)
        if event and name not in listeners and method == _METHOD:
            listeners.add(name)
            span = Span(position, position + len(event.encode()))
            symbol = component.member_symbol(event, EVENT, span)
            component.property(component.props, name, symbol=symbol, optional=True, position=position)
        if name in listeners:
            cx.own(cx.owner_of(node))
            emitted(component, "$props", name, given[1:], position)
    cx.own(outer)
