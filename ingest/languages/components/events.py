"""Calls of the events of a component, which its listeners in other components handle."""

from __future__ import annotations

from collections.abc import Sequence

from ...facts.operations import MemberFlag, Op
from .lowering import ComponentLowering


def emitted(component: ComponentLowering, attributes: str, listener: str, payload: Sequence[int], position: int) -> None:
    """Add the call of the listener of an event, such as `onSave(row)` for `emit("save", row)`.

    `attributes` is the member of the component with the type of its attributes. The name of the event stands at `position`.
    """
    cx = component.cx
    props = cx.emit(Op.MEMBER, component.instance(position), cx.string(attributes.encode()), MemberFlag.NO_USE, position)
    target = cx.emit(Op.MEMBER, props, cx.string(listener.encode()), 0, position)
    cx.calls.append(cx.emit(Op.CALL, target, cx.list_of(list(payload)), -1, position))
