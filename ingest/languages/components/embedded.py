"""Lower markup with nested expressions and markup, as in Astro and MDX, and the components that tags use."""

from __future__ import annotations

from collections.abc import Iterable

from ...facts.operations import Op, Use
from .lowering import SLOT, ComponentLowering
from .markup import Attribute, Close, Code, Event, Open, Raw, Span
from .names import IDENTIFIER
from .nested_markup import nested_code
from .placed_text import PlacedText


def code_end(data: bytes, start: int, end: int) -> int:
    """Return the offset of the brace that closes code with markup, or -1."""
    found = nested_code(data, start, end)
    return found.end if found is not None else -1


class EmbeddedMarkup:
    """The markup of one component."""

    def __init__(self, component: ComponentLowering, events: Iterable[Event], built_in: frozenset[str] = frozenset()) -> None:
        """`built_in` are the names of components that no file declares."""
        self._component = component
        self._built_in = built_in
        self._events = list(events)
        self._data = component.source.data
        self._code = PlacedText(self._data, component.dialect)
        #: Tags in code, by the offset of the code.
        self._inner: dict[int, tuple[Open | Close, ...]] = {}
        self._slots = -1
        self._slot_names: set[str] = set()
        #: The open tags of components around the current tag: their names, their nodes, and where their default slots are filled.
        self._around: list[tuple[str, int, list[int]]] = []

    @property
    def texts(self) -> tuple[PlacedText]:
        """The placed text of the code."""
        return (self._code,)

    def lower(self) -> None:
        """Lower the markup."""
        component, cx = self._component, self._component.cx
        for event in self._events:
            if isinstance(event, Code):
                self._place(Span(event.start, event.end), in_value=False)
            elif isinstance(event, Open | Raw):
                for attribute in (event.tag if isinstance(event, Raw) else event).attributes:
                    for span in attribute.code:
                        self._place(span, in_value=bool(attribute.name) and not attribute.is_quoted)
        self._code.parse()
        component.begin_template()
        cx.level += 1
        for event in self._events:
            if isinstance(event, Code):
                component.expression(self._code, event.start - 1)
                self._tags(event.start)
            elif isinstance(event, Open | Raw):
                self._element(event.tag if isinstance(event, Raw) else event)
            elif isinstance(event, Close):
                self._close(event)
        cx.level -= 1

    def _place(self, span: Span, *, in_value: bool) -> None:
        dots = 3 if self._data.startswith(b"...", span.start) else 0
        found = nested_code(self._data, span.start, span.end + 1)
        text = found.text if found is not None else None
        if found is not None and found.tags:
            self._inner[span.start] = found.tags
        if dots:
            self._code.add(Span(span.start + 3, span.end), b";(", b")", text[3:] if text is not None else None)
        elif self._is_text(span):
            self._code.add(span, b";", b"")
        elif in_value:
            follows = self._data[span.end + 1 : span.end + 2]
            self._code.add(span, b";(", b");" if follows in (b" ", b">", b"/", b"\t") else b")", text)
        else:
            self._code.add(span, b"{", b"}", text)

    def _is_text(self, span: Span) -> bool:
        """Return whether code is a template literal that is the value of an attribute without braces."""
        return self._data.startswith(b"`", span.start) and not self._data.startswith(b"{", span.start - 1)

    def _tags(self, start: int) -> None:
        for tag in self._inner.get(start, ()):
            if isinstance(tag, Close):
                self._close(tag)
                continue
            self._use(tag, [self._component.attribute(each.name, -1, each.start) for each in tag.attributes])

    def _element(self, event: Open) -> None:
        made: list[int] = []
        for attribute in event.attributes:
            made += self._attribute(attribute)
            for span in attribute.code:
                self._tags(span.start)
        self._use(event, made)
        if event.name == "slot":
            self.declare_slot(*self._component.slot_of(event))

    def _close(self, tag: Close) -> None:
        """Add the use of a component in its closing tag."""
        component = self._component
        if self._around and self._around[-1][0] == tag.name:
            self._around.pop()
        name = tag.name.partition(".")[0]
        if self._is_component(tag.name):
            binding = component.lookup(name)
            component.bound_name(name if binding >= 0 else component.unbound_tag(name), binding, tag.name_start, Use.JSX)

    def _use(self, tag: Open, attributes: list[int]) -> None:
        component = self._component
        if self._around:
            self._fill_slot(tag, *self._around[-1][1:])
        if self._is_component(tag.name):
            is_itself = tag.name == "Astro.self"
            start = tag.name_start
            node = component.bound_name("self", component.binding, start) if is_itself else component.member_path(tag.name, start)
            component.element(node, attributes, start)
            if not tag.is_closed:
                self._around.append((tag.name, node, []))

    def _fill_slot(self, tag: Open, holder: int, filled: list[int]) -> None:
        """Add the use of the slot that a tag fills in the component around it: `<p slot="footer">`, or the default slot.

        `filled` has the offset of the first content of the default slot.
        """
        written = tag.attribute("slot")
        if written is None and not filled:
            filled.append(tag.start)
            self._component.fill_slot(holder, tag.start)
        name = tag.text("slot", self._data)
        if written is None or written.value is None or not name or IDENTIFIER.fullmatch(name.encode()) is None:
            return
        position = written.value.start
        self._component.use_slot(self._component.instance_of(holder, [], position), name, position)

    def _is_component(self, tag: str) -> bool:
        return (tag[:1].isupper() or "." in tag) and (tag not in self._built_in or self._component.lookup(tag) >= 0)

    def _attribute(self, attribute: Attribute) -> list[int]:
        component, cx = self._component, self._component.cx
        value = -1
        for span in attribute.code:
            dots = 3 if self._data.startswith(b"...", span.start) else 0
            value = component.expression(self._code, span.start if self._is_text(span) else span.start + dots - 1)
            if dots:
                return [cx.emit(Op.SPREAD, value, -1, -1, span.start)] if value >= 0 else []
        if attribute.name:
            if not attribute.is_code and attribute.value is not None:
                value = cx.emit(Op.STRING, -1, cx.string(b""), -1, attribute.start)
            return [component.attribute(attribute.name, value, attribute.start)]
        span = attribute.code[0]
        text = self._data[span.start : span.end]
        if IDENTIFIER.match(text) is None:
            return []
        return [component.attribute(text.strip().decode("utf-8", "replace"), value, span.start + len(text) - len(text.lstrip()))]

    def declare_slot(self, name: str, span: Span) -> bool:
        """Add a slot to the component. Return False if the component has a slot with the name."""
        component = self._component
        if name in self._slot_names:
            return False
        self._slot_names.add(name)
        if self._slots < 0:
            self._slots = component.object_shape()
            component.property(component.shape, "$slots", type_=component.type_of_shape(self._slots))
        symbol = component.member_symbol(name, SLOT, span, f"slot {name}")
        component.property(self._slots, name, symbol=symbol, position=span.start)
        return True
