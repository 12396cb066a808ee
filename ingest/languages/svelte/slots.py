"""The slots of Svelte components: the slots that a template declares, and the slots that it fills in other components."""

from __future__ import annotations

from ...facts.operations import MemberFlag, Op
from ..components.declared_types import declared_type
from ..components.lowering import SLOT, ComponentLowering
from ..components.markup import Attribute, Open
from ..components.names import IDENTIFIER
from .special_names import PROPS, SLOTS


class Slots:
    """The slots that one template declares and fills."""

    def __init__(self, component: ComponentLowering) -> None:
        self._component = component
        self._shape = -1
        self._names: set[str] = set()

    def finish(self) -> None:
        """Add the declared slots to the component, also under the name by which components of other kinds know them."""
        component, cx = self._component, self._component.cx
        types = [component.type_of_shape(self._shape)] if self._shape >= 0 else []
        if (declared := declared_type(component, "$$Slots")) >= 0:
            types.append(declared)
        if types:
            type_ = types[0] if len(types) == 1 else cx.emit(Op.T_INTERSECTION, cx.list_of(types), -1, -1, component.state.start)
            component.property(component.shape, SLOTS, type_=type_)
            component.property(component.shape, "$slots", type_=type_)

    def fill(self, holder: int, filled: list[int], tag: Open | None, position: int) -> None:
        """Add the use of the slot that a part of the content of a component fills: `<p slot="foot">`, else the default slot.

        `filled` has the offset of the first content of the default slot. In Svelte 5, this content is the prop `children`.
        """
        component, cx = self._component, self._component.cx
        written = tag.attribute("slot") if tag is not None else None
        if tag is not None and written is not None:
            name = tag.text("slot", component.source.data) or ""
            if written.value is not None and IDENTIFIER.fullmatch(name.encode()) is not None:
                component.use_slot(component.instance_of(holder, [], position), name, written.value.start)
        elif not filled:
            filled.append(position)
            component.fill_slot(holder, position)
            made = component.instance_of(holder, [], position)
            props = cx.emit(Op.MEMBER, made, cx.string(PROPS.encode()), MemberFlag.NO_USE, position)
            cx.emit(Op.MEMBER, props, cx.string(b"children"), MemberFlag.IMPLIED, position)

    def passed(self, attribute: Attribute, slot: str, holder: int) -> int:
        """Return the value that `let:name` takes from a slot of the component with the node `holder`, which may be -1."""
        cx = self._component.cx
        position = attribute.start + 4
        if holder < 0:
            return cx.emit(Op.UNDEFINED, -1, -1, -1, position)
        made = cx.emit(Op.NEW, holder, cx.list_of([]), -1, position)
        slots = cx.emit(Op.MEMBER, made, cx.string(SLOTS.encode()), MemberFlag.NO_USE, position)
        props = cx.emit(Op.MEMBER, slots, cx.string(slot.encode()), MemberFlag.NO_USE, position)
        return cx.emit(Op.MEMBER, props, cx.string(attribute.name[4:].encode()), 0, position)

    def declare(self, event: Open, attributes: list[int]) -> None:
        """Add a slot as a member of the component, with the values for its content."""
        component = self._component
        name, span = component.slot_of(event)
        if name in self._names:
            return
        self._names.add(name)
        if self._shape < 0:
            self._shape = component.object_shape()
        query = component.type_of_attributes(attributes, event.start)
        self._pass_symbols(query)
        symbol = component.member_symbol(name, SLOT, span, f"slot {name}")
        component.property(self._shape, name, symbol=symbol, type_=query, position=span.start)

    def _pass_symbols(self, query: int) -> None:
        """Give the values of a slot that only pass on a declaration, as in `<slot {close}>`, the symbol of the declaration."""
        component, cx = self._component, self._component.cx
        for member in cx.shapes[cx.code[cx.code[query + 1] + 1]].members:
            binding = component.lookup(cx.strings[cx.code[member.value + 2]]) if cx.code[member.value] == Op.NAME else -1
            if binding >= 0:
                member.symbol = cx.decls[cx.bindings[binding].decls[0]].symbol
