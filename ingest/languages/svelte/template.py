"""Lower the template of a Svelte component: blocks, expressions, components and directives, in place."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from ...facts.model import Decl, DeclKind, Meaning
from ...facts.operations import MemberFlag, Op
from ...symbols.states import SymbolState
from ..components.lowering import ComponentLowering
from ..components.markup import Attribute, Close, Code, Event, Open, Raw, Span
from ..components.names import IDENTIFIER, VOID
from ..components.placed_text import PlacedText
from ..typescript.lowering.context import MAX_GUARDS
from ..typescript.lowering.functions import lower_function
from .blocks import Block, read_block
from .dispatched_events import declare_event
from .instances import hold_instance
from .slots import Slots

#: Directives whose name is a function. The function is called with the element.
_ACTIONS: Final = frozenset(("use", "transition", "in", "out", "animate"))
#: Blocks whose content is content of the component around them.
_TRANSPARENT_BLOCKS: Final = frozenset(("#if", "#each", "#await", "#key"))
#: Tags that show something.
_SHOWN: Final = frozenset(("@html", "@render"))


class _Frame(NamedTuple):
    #: Name of the element, or of the block with a `#`.
    name: str
    scope: int
    guards: int
    #: Conditions of the earlier branches of an `{#if}`, or the awaited value of an `{#await}`.
    nodes: list[int]
    #: The node of the component for a component tag, or -1.
    tag: int
    #: The symbol of a snippet, or -1.
    symbol: int
    #: The attributes that a component tag passes, with the snippets in its content.
    given: list[int]
    #: Offset of the name of the element.
    position: int
    #: Offset of the first content of the component's default slot, if there is any.
    filled: list[int]


class Template:
    """The template of one component."""

    def __init__(self, component: ComponentLowering, events: list[Event]) -> None:
        self._component = component
        self._events = events
        self._data = component.source.data
        self._code = PlacedText(self._data, component.dialect)
        self._patterns = PlacedText(self._data, "typescript")
        self._stack: list[_Frame] = []
        self._open: Counter[str] = Counter()
        self._slots = Slots(component)

    @property
    def texts(self) -> tuple[PlacedText, PlacedText]:
        """The placed texts of code and of patterns."""
        return self._code, self._patterns

    def lower(self) -> None:
        """Lower the template."""
        component, cx = self._component, self._component.cx
        for event in self._events:
            if isinstance(event, Code):
                self._place_block(event)
            elif isinstance(event, Open):
                for attribute in event.attributes:
                    self._place_attribute(attribute)
        for text in self.texts:
            text.parse()
        component.begin_template()
        cx.level += 1
        outer = cx.scope
        self._stack.append(_Frame("", cx.scope, cx.guard_mark(), [], -1, -1, [], 0, []))
        end = 0
        for event in self._events:
            self._fill_with_text(end, _start(event))
            end = event.end + isinstance(event, Code)
            if isinstance(event, Code):
                self._block(event)
            elif isinstance(event, Open):
                self._element(event)
                if event.is_closed or event.name in VOID:
                    self._pop()
            elif isinstance(event, Close):
                self._close_element(event)
        while len(self._stack) > 1:
            self._pop()
        cx.release_guards(self._stack[0].guards)
        cx.scope = outer
        cx.level -= 1
        self._slots.finish()

    # ------------------------------------------------------------------ first pass: places of code

    def _place(self, span: Span) -> None:
        self._code.add(span, b"{", b"}")

    def _place_pattern(self, span: Span) -> None:
        self._patterns.add(span, b"var ", b";")

    def _place_attribute(self, attribute: Attribute) -> None:
        if attribute.name.startswith("let:"):
            if attribute.code:
                self._place_pattern(attribute.code[0])
            return
        for span in attribute.code:
            if self._data.startswith(b"...", span.start):
                self._code.add(Span(span.start + 3, span.end), b";(", b")")
            elif self._data.startswith(b"@attach", span.start):
                self._code.add(Span(span.start + 7, span.end), b";(", b")")
            elif attribute.name and attribute.is_code and not attribute.is_quoted:
                follows = self._data[span.end + 1 : span.end + 2]
                self._code.add(span, b";(", b");" if follows in (b" ", b">", b"/", b"\t") else b")")
            else:
                self._place(span)

    def _place_block(self, event: Code) -> None:
        block = read_block(self._data, event)
        if block is None:
            self._place(Span(event.start, event.end))
            return
        if block.name in ("@const",):
            self._code.add(block.code, b"const ", b";")
        elif block.name == "#snippet":
            self._patterns.add(block.code, b";function ", b";")
        elif block.code.end > block.code.start:
            self._code.add(block.code, b";(", b");" if block.code.end < event.end else b")")
        if block.pattern is not None:
            self._place_pattern(block.pattern)
        if block.key is not None:
            self._code.add(block.key, b"{", b"}")

    # ------------------------------------------------------------------ second pass: blocks

    def _expression(self, span: Span) -> int:
        return self._component.expression(self._code, span.start - 1)

    def _pattern(self, span: Span | None, value: int) -> None:
        if span is not None:
            self._component.declare_patterns(self._patterns, span.start - 4, value)

    def _block(self, event: Code) -> None:
        component, cx = self._component, self._component.cx
        block = read_block(self._data, event)
        if block is None:
            self._fill(None, event.start - 1)
            self._expression(Span(event.start, event.end))
            return
        name = block.name
        if name.startswith("/"):
            self._close("#" + name[1:], event.end + 1)
        elif name == "#if":
            self._push("#if")
            self._test(block)
        elif name in (":else", ":else if"):
            self._else(block)
        elif name == "#each":
            listed = self._expression(block.code)
            self._push("#each")
            cx.open_scope()
            item = cx.emit(Op.ITERATED, listed, -1, 0, block.code.start) if listed >= 0 else -1
            self._pattern(block.pattern, item)
            if block.counter is not None:
                number = cx.emit(Op.NUMBER, -1, cx.string(b"0"), -1, block.counter.start)
                component.variable(
                    self._data[block.counter.start : block.counter.end].decode("utf-8", "replace"), number, block.counter.start
                )
            if block.key is not None:
                component.expression(self._code, block.key.start - 1)
        elif name in ("#await", "#then", "#catch"):
            awaited = self._expression(block.code)
            value = cx.emit(Op.AWAIT, awaited, -1, -1, block.code.start) if awaited >= 0 else -1
            self._push("#await", [value])
            cx.open_scope()
            self._pattern(block.pattern, value if name == "#then" else cx.emit(Op.CAUGHT, -1, -1, -1, event.start))
        elif name in (":then", ":catch"):
            frame = self._stack[-1]
            cx.scope = frame.scope
            cx.open_scope()
            awaited = frame.nodes[0] if frame.nodes else -1
            self._pattern(block.pattern, awaited if name == ":then" else cx.emit(Op.CAUGHT, -1, -1, -1, event.start))
        elif name == "#snippet":
            self._snippet(event, block)
        elif name == "#key":
            self._expression(block.code)
            self._push("#key")
        elif name == "@const":
            component.expression_statement(self._code, block.code.start - 6)
        elif block.code.end > block.code.start:
            if name in _SHOWN:
                self._fill(None, event.start - 1)
            self._expression(block.code)

    def _push(self, name: str, nodes: list[int] | None = None, symbol: int = -1) -> None:
        cx = self._component.cx
        self._stack.append(_Frame(name, cx.scope, cx.guard_mark(), nodes if nodes is not None else [], -1, symbol, [], 0, []))
        self._open[name] += 1

    def _test(self, block: Block) -> None:
        """Narrow types by the condition of a branch, for all code that is lowered after this."""
        cx = self._component.cx
        test = self._expression(block.code)
        if test >= 0:
            cx.guard(test, True)
            self._stack[-1].nodes.append(test)

    def _else(self, block: Block) -> None:
        """Begin another branch, in which the conditions of earlier branches are false."""
        cx = self._component.cx
        if not self._open["#if"] and not self._open["#each"]:
            return
        while self._stack[-1].name not in ("#if", "#each"):
            self._pop()
        frame = self._stack[-1]
        cx.release_guards(frame.guards)
        cx.scope = frame.scope
        for test in frame.nodes[-MAX_GUARDS:]:
            cx.guard(test, False)
        if block.name == ":else if":
            self._test(block)

    def _snippet(self, event: Code, block: Block) -> None:
        """Declare a snippet, a function whose body is markup."""
        component, cx = self._component, self._component.cx
        node = self._patterns.node(block.code.start - 9)
        if node is None or node.type not in ("function_signature", "function_declaration"):
            self._push("#snippet")
            return
        component.enter(self._patterns)
        name_node = node.child_by_field_name("name")
        name = cx.text(name_node) if name_node is not None else ""
        start = event.start - 1
        state = SymbolState(
            name,
            "function",
            -1,
            start,
            event.end + 1,
            start,
            block.code.start,
            signature=" ".join(f"snippet {cx.text(node)[9:]}".split()).rstrip("; "),
            has_body=True,
        )
        state.modifiers = ["snippet"]
        holder = self._stack[-1]
        self._push("#snippet", symbol=len(cx.symbols))
        symbol = cx.open_symbol(state)
        scope = len(cx.scopes)
        function, _ = lower_function(cx, node, symbol)
        cx.functions[function].has_body = True
        cx.functions[function].falls_through = True
        cx.declare(name, Meaning.VALUE, Decl(DeclKind.FUNCTION, name, symbol, function, -1, -1, block.code.start))
        if holder.tag >= 0:  # a snippet in the content of a component is one of its props
            value = cx.emit(Op.FUNCTION, function, -1, -1, block.code.start)
            holder.given.append(component.attribute(name, value, block.code.start))
        cx.scope = scope if scope < len(cx.scopes) else cx.scope

    def _close_element(self, event: Close) -> None:
        frames = reversed(self._stack) if self._open[event.name] else ()
        tag = next((frame.tag for frame in frames if frame.name == event.name), -1)
        if tag >= 0 and _is_component(event.name):
            self._component.closing_tag(tag, event.name_start)
        self._close(event.name)

    def _close(self, name: str, end: int = 0) -> None:
        if not self._open[name]:
            return
        while self._stack[-1].name != name:
            self._pop(end)
        self._pop(end)

    def _pop(self, end: int = 0) -> None:
        cx = self._component.cx
        frame = self._stack.pop()
        self._open[frame.name] -= 1
        if frame.tag >= 0:
            self._component.element(frame.tag, frame.given, frame.position)
        if frame.symbol >= 0:
            state = cx.symbols[frame.symbol]
            state.end = max(state.end, end or self._component.state.end)
            cx.close_symbol()
        cx.release_guards(frame.guards)
        cx.scope = frame.scope

    # ------------------------------------------------------------------ elements

    def _element(self, event: Open) -> None:
        cx = self._component.cx
        outer, mark = cx.scope, cx.guard_mark()
        self._fill(event, event.start)
        tag = self._tag(event)
        made = [node for attribute in event.attributes for node in self._attribute(attribute, tag, event)]
        if any(attribute.name.startswith("let:") for attribute in event.attributes):
            cx.open_scope()
            holder = tag if tag >= 0 else self._holder()
            self._slot_scope(event, holder)
        if event.name == "slot":
            self._slots.declare(event, made)
        self._stack.append(_Frame(event.name, outer, mark, [], tag, -1, made, event.name_start, []))
        self._open[event.name] += 1

    def _holder(self) -> int:
        for frame in reversed(self._stack[-20:]):
            if frame.tag >= 0:
                return frame.tag
        return -1

    def _tag(self, event: Open) -> int:
        component = self._component
        name = event.name
        if name == "svelte:self":
            return component.bound_name(name, component.binding, event.name_start)
        if name == "svelte:component":
            this = event.attribute("this")
            return self._expression(this.code[0]) if this is not None and this.code else -1
        if _is_component(name):
            return component.member_path(name, event.name_start)
        return -1

    def _attribute(self, attribute: Attribute, tag: int, event: Open) -> list[int]:
        """Lower an attribute and return the nodes of the values that it passes to a component."""
        component, cx = self._component, self._component.cx
        kind, colon, name = attribute.name.partition(":")
        if not attribute.name:
            return self._nameless(attribute)
        if kind == "let" or (event.name == "svelte:component" and attribute.name == "this"):
            return []
        value = -1
        for span in attribute.code:
            value = self._expression(span)
        if colon and kind in _ACTIONS:
            self._action(name.partition("|")[0], attribute, kind, value)
            return []
        if colon and kind in ("class", "style", "bind") and attribute.value is None:
            name = name.partition("|")[0]
            value = cx.name(name.encode(), attribute.start + len(kind) + 1)
        if colon and kind in ("class", "style"):
            return []
        if colon and kind == "bind":
            component.written(value)
            if name != "this":
                return [component.attribute(name, value, attribute.start + 5)]
            if tag >= 0:
                hold_instance(component, tag, value, attribute.start)
            return []
        if colon and kind == "on":
            name = name.partition("|")[0]
            if value < 0:
                value = self._forwarded(name, attribute.start + 3)
            return [component.attribute(f"on:{name}", value, attribute.start + 3)]
        if not attribute.is_code:
            value = cx.emit(Op.STRING, -1, cx.string(b""), -1, attribute.start) if attribute.value is not None else -1
        return [component.attribute(attribute.name, value, attribute.start)] if tag >= 0 or event.name == "slot" else []

    def _forwarded(self, event: str, position: int) -> int:
        """Return the node of the component's own event, to which `on:save` without a handler passes the event on."""
        component, cx = self._component, self._component.cx
        listener = f"on:{event}"
        if not any(member.name == listener for member in cx.shapes[component.props].members):
            declare_event(component, event, position)
        props = cx.emit(Op.MEMBER, component.instance(position), cx.string(b"$$prop_def"), MemberFlag.NO_USE, position)
        return cx.emit(Op.MEMBER, props, cx.string(listener.encode()), MemberFlag.NO_USE, position)

    def _nameless(self, attribute: Attribute) -> list[int]:
        """Lower `{name}`, `{...rest}` or `{@attach f}`."""
        component, cx = self._component, self._component.cx
        span = attribute.code[0]
        if self._data.startswith(b"...", span.start):
            value = self._expression(Span(span.start + 3, span.end))
            return [cx.emit(Op.SPREAD, value, -1, -1, span.start)] if value >= 0 else []
        if self._data.startswith(b"@attach", span.start):
            self._expression(Span(span.start + 7, span.end))
            return []
        value = self._expression(span)
        text = self._data[span.start : span.end]
        if IDENTIFIER.match(text) is None or value < 0:
            return []
        start = span.start + len(text) - len(text.lstrip())
        return [component.attribute(text.strip().decode("utf-8", "replace"), value, start)]

    def _action(self, name: str, attribute: Attribute, kind: str, value: int) -> None:
        """Lower `use:action={parameters}` and similar directives as a call of the function."""
        cx = self._component.cx
        position = attribute.start + len(kind) + 1
        first, *others = name.split(".")
        callee = cx.name(first.encode(), position)
        for other in others:
            position += len(first.encode()) + 1
            callee = cx.emit(Op.MEMBER, callee, cx.string(other.encode()), 0, position)
            first = other
        element = cx.emit(Op.UNDEFINED, -1, -1, -1, position)
        given = [element, value] if value >= 0 else [element]
        cx.calls.append(cx.emit(Op.CALL, callee, cx.list_of(given), -1, position))

    # ------------------------------------------------------------------ slots

    def _slot_scope(self, event: Open, holder: int) -> None:
        """Declare the names that `let:` binds to values of a slot."""
        slot = event.text("slot", self._data) or "default"
        for attribute in event.attributes:
            if not attribute.name.startswith("let:"):
                continue
            value = self._slots.passed(attribute, slot, holder)
            if attribute.code:
                self._pattern(attribute.code[0], value)
            else:
                self._component.variable(attribute.name[4:], value, attribute.start + 4)

    def _fill(self, tag: Open | None, position: int) -> None:
        """Record content of the component around a place, unless it is the content of a snippet or of an element."""
        for frame in reversed(self._stack[-20:]):
            if frame.tag >= 0:
                self._slots.fill(frame.tag, frame.filled, tag, position)
            if frame.name not in _TRANSPARENT_BLOCKS or frame.tag >= 0:
                return

    def _fill_with_text(self, start: int, end: int) -> None:
        """Record text as content of the component around it."""
        text = self._data[start:end]
        if text.strip() and b"<" not in text:
            self._fill(None, start + len(text) - len(text.lstrip()))


def _start(event: Event) -> int:
    """Return the offset at which the text before a part of the template ends."""
    return event.tag.start if isinstance(event, Raw) else event.start - isinstance(event, Code)


def _is_component(tag: str) -> bool:
    return tag[:1].isupper() or ("." in tag and not tag.startswith("svelte:"))
