"""Lower markup with nested expressions and markup, as in Astro and MDX, and the components that tags use."""

from __future__ import annotations

from collections.abc import Iterable

from ...facts.operations import Op
from .lowering import SLOT, ComponentLowering
from .markup import Attribute, Code, Event, Open, Span
from .names import IDENTIFIER
from .nested_markup import nested_code
from .placed_text import PlacedText


def code_end(data: bytes, start: int, end: int) -> int:
    """Return the offset of the brace that closes code with markup, or -1."""
    found = nested_code(data, start, end)
    return found.end if found is not None else -1


class EmbeddedMarkup:
    """The markup of one component."""

    def __init__(self, component: ComponentLowering, events: Iterable[Event]) -> None:
        self._component = component
        self._events = list(events)
        self._data = component.source.data
        self._code = PlacedText(self._data, component.dialect)
        #: Tags in code, by the offset of the code.
        self._inner: dict[int, tuple[Open, ...]] = {}
        self._slots = -1
        self._slot_names: set[str] = set()

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
            elif isinstance(event, Open):
                for attribute in event.attributes:
                    for span in attribute.code:
                        self._place(span, in_value=bool(attribute.name) and not attribute.is_quoted)
        self._code.parse()
        component.begin_template()
        cx.level += 1
        for event in self._events:
            if isinstance(event, Code):
                component.expression(self._code, event.start - 1)
                self._tags(event.start)
            elif isinstance(event, Open):
                self._element(event)
        cx.level -= 1
        if self._slots >= 0:
            component.property(component.shape, "$slots", type_=component.type_of_shape(self._slots))

    def _place(self, span: Span, *, in_value: bool) -> None:
        dots = 3 if self._data.startswith(b"...", span.start) else 0
        found = nested_code(self._data, span.start, span.end + 1)
        text = found.text if found is not None else None
        if found is not None and found.tags:
            self._inner[span.start] = found.tags
        if dots:
            self._code.add(Span(span.start + 3, span.end), b";(", b")", text[3:] if text is not None else None)
        elif self._data.startswith(b"`", span.start):
            self._code.add(span, b";", b"")
        elif in_value:
            follows = self._data[span.end + 1 : span.end + 2]
            self._code.add(span, b";(", b");" if follows in (b" ", b">", b"/", b"\t") else b")", text)
        else:
            self._code.add(span, b"{", b"}", text)

    def _tags(self, start: int) -> None:
        for tag in self._inner.get(start, ()):
            self._use(tag, [self._component.attribute(each.name, -1, each.start) for each in tag.attributes])

    def _element(self, event: Open) -> None:
        made: list[int] = []
        for attribute in event.attributes:
            made += self._attribute(attribute)
            for span in attribute.code:
                self._tags(span.start)
        self._use(event, made)
        if event.name == "slot":
            self._declare_slot(event)

    def _use(self, tag: Open, attributes: list[int]) -> None:
        component = self._component
        if tag.name[:1].isupper() or "." in tag.name:
            component.element(component.member_path(tag.name, tag.name_start), attributes, tag.name_start)

    def _attribute(self, attribute: Attribute) -> list[int]:
        component, cx = self._component, self._component.cx
        value = -1
        for span in attribute.code:
            dots = 3 if self._data.startswith(b"...", span.start) else 0
            value = component.expression(self._code, span.start + dots - 1)
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

    def _declare_slot(self, event: Open) -> None:
        component = self._component
        name, span = component.slot_of(event)
        if name in self._slot_names:
            return
        self._slot_names.add(name)
        if self._slots < 0:
            self._slots = component.object_shape()
        symbol = component.member_symbol(name, SLOT, span, f"slot {name}")
        component.property(self._slots, name, symbol=symbol, position=span.start)
