"""Read the events that a component dispatches: `dispatch("save", row)`, after `dispatch = createEventDispatcher()`.

An event without a declared type is declared by its first call, so that the listeners of other components lead there.
"""

from __future__ import annotations

from typing import Final

from ...facts.operations import Op
from ..components.events import emitted
from ..components.lowering import EVENT, ComponentLowering
from ..components.markup import Span

#: The function of Svelte that makes a dispatcher.
DISPATCHER: Final = "createEventDispatcher"


def read_dispatched_events(component: ComponentLowering) -> None:
    """Add the call of an event to each call of a dispatcher with a literal name."""
    cx = component.cx
    if DISPATCHER.encode() not in component.source.data:
        return
    code = cx.code
    outer = cx.symbol
    listeners = {member.name for member in cx.shapes[component.props].members}
    for node in list(cx.calls):
        callee, given = code[node + 1], cx.items(code[node + 2])
        if code[node] != Op.CALL or code[callee] != Op.NAME or not given or code[given[0]] != Op.STRING:
            continue
        if not _is_dispatcher(component, cx.strings[code[callee + 2]]):
            continue
        event, position = cx.strings[code[given[0] + 2]], code[given[0] + 4] + 1
        if event and f"on:{event}" not in listeners:
            listeners.add(f"on:{event}")
            declare_event(component, event, position)
        cx.own(cx.owner_of(node))
        emitted(component, "$$prop_def", f"on:{event}", given[1:], position)
    cx.own(outer)


def _is_dispatcher(component: ComponentLowering, name: str) -> bool:
    """Return whether a name at the root of the script is a dispatcher of events."""
    cx = component.cx
    binding = cx.scopes[0].names.get(name, -1)
    value = cx.decls[cx.bindings[binding].decls[0]].b if binding >= 0 else -1
    return (
        value >= 0
        and cx.code[value] == Op.CALL
        and cx.code[cx.code[value + 1]] == Op.NAME
        and cx.strings[cx.code[cx.code[value + 1] + 2]] == DISPATCHER
    )


def declare_event(component: ComponentLowering, event: str, position: int) -> None:
    """Declare an event of the component whose name stands at an offset."""
    span = Span(position, position + len(event.encode()))
    symbol = component.member_symbol(event, EVENT, span)
    component.property(component.props, f"on:{event}", symbol=symbol, optional=True, position=position)
