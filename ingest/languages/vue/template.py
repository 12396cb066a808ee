"""Lower the template of a Vue component: its expressions in place, with the scopes of `v-for` and slots."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

from ...facts.model import Decl, DeclKind, Function, Parameter
from ...facts.operations import Cast, MemberFlag, Op, Use
from ..components.lowering import SLOT, ComponentLowering
from ..components.markup import Attribute, Close, Code, Event, Open, Raw, Span
from ..components.names import IDENTIFIER, NATIVE, VOID, camel
from ..components.placed_text import PlacedText, without_entities
from ..typescript.lowering.context import MAX_GUARDS
from ..typescript.lowering.dispatch import inner_nodes, lower_expression
from .component_tags import ComponentTags
from .filters import filter_member, mark_filters
from .macros import listener_name
from .nuxt_names import use_layout
from .template_refs import calls_for_refs, hold_instance

_GLOBALS: Final = (
    "Infinity undefined NaN isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent "
    "Math Number Date Array Object Boolean String RegExp Map Set JSON Intl BigInt console Error Symbol require arguments"
)

#: Globals that expressions of templates may use; every other name that nothing declares is a member of the component.
GLOBALS: Final = frozenset(_GLOBALS.split())
_BUILT_IN_NAMES: Final = (
    "template slot component Component Transition transition TransitionGroup transition-group KeepAlive keep-alive Teleport "
    "teleport Suspense suspense"
)

#: Elements that Vue provides.
_BUILT_IN: Final = frozenset(_BUILT_IN_NAMES.split())
_UNKNOWN_NAMES: Final = (
    "acronym applet basefont bgsound big blink center dir font frame frameset keygen marquee menuitem noframes plaintext portal "
    "rb rtc search spacer strike tt xmp"
)
#: Elements of HTML that Vue does not know. A component may have such a name.
_UNKNOWN: Final = frozenset(_UNKNOWN_NAMES.split())
_IN: Final = re.compile(rb"\s(?:in|of)\s")
#: A handler that is a function. Other handlers are statements.
_FUNCTION: Final = re.compile(
    rb"\s*(?:async\b\s*)?(?:\([^()]{0,2000}\)|[\w$]{1,200})\s*(?::[^=;]{0,200})?=>|\s*(?:async\s+)?function\b"
)
_STATEMENTS: Final = re.compile(rb";|\s*(?:if|for|while|const|let|var|return|switch|try|throw)\b")
_DIRECTIVE: Final = re.compile(r"v-([\w-]+)(?::(\[.*\]|[^.\[\]]+(?:\.[^.\[\]]+)*?)?)?((?:\.[\w-]+)*)$")
#: Directives that Vue provides. `v-focus` is the variable `vFocus` of the script.
_DIRECTIVES: Final = frozenset(
    [
        "bind",
        "cloak",
        "else",
        "else-if",
        "for",
        "html",
        "if",
        "is",
        "memo",
        "model",
        "on",
        "once",
        "pre",
        "ref",
        "show",
        "slot",
        "text",
    ]
)
_SHORTHANDS: Final = {":": "bind", ".": "bind", "@": "on", "#": "slot"}


class Directive(NamedTuple):
    """An attribute that is a directive: its name, its argument and the offset of its code."""

    name: str
    argument: str
    attribute: Attribute
    #: Offset of the argument's name.
    position: int
    #: Offset of the statement with its code in the placed text; -1 if it has no code.
    place: int


class _Frame(NamedTuple):
    name: str
    scope: int
    guards: int
    #: Conditions of the `v-if` and `v-else-if` directly before the next child.
    chain: list[int]
    #: The tag node, for slots; -1 for elements.
    tag: int
    #: The attributes that the tag passes to its component.
    given: list[int]
    #: Offset after the opening tag.
    end: int
    #: Offset of the content of the default slot, and -1 for other slots that its children fill.
    filled: list[int]


class Template:
    """The template of one component."""

    def __init__(self, component: ComponentLowering, events: list[Event], styled: list[Span]) -> None:
        """`styled` are the expressions in styles."""
        self._component = component
        self._events = events
        self._styled = styled
        self._code = PlacedText(component.source.data, component.dialect)
        self._patterns = PlacedText(component.source.data, component.dialect)
        self._directives: dict[int, list[Directive]] = {}
        #: Type of the props, if the script declares them by a type; otherwise -1.
        self.member_type = -1
        #: The components that tags name.
        self.tags = ComponentTags(component)
        self._stack: list[_Frame] = []
        self._open: Counter[str] = Counter()
        self._slots: dict[str, int] = {}
        self._template_refs: dict[str, list[int]] = {}
        #: The type of `this.$refs.name`, by name.
        self._instances: dict[str, int] = {}
        #: Names of the filters that options declare.
        self._filters: set[str] = set()

    @property
    def texts(self) -> tuple[PlacedText, PlacedText]:
        """The placed texts of code and of patterns."""
        return self._code, self._patterns

    def register_filter(self, name: str) -> str:
        """Record a filter of the options. Return the name of the member that stands for the filter."""
        self._filters.add(name)
        return filter_member(name)

    def lower(self) -> None:
        """Lower the template."""
        component, cx = self._component, self._component.cx
        for event in self._events:
            self._place(event)
        styled = [span for span in self._styled if self._code.add(span, b";(", b")")]
        for text in self.texts:
            text.parse()
        self._template_refs = calls_for_refs(component)
        component.begin_template()
        cx.level += 1
        outer, cx.strict = cx.scope, True
        cx.open_scope()
        self._stack.append(_Frame("", cx.scope, cx.guard_mark(), [], -1, [], 0, []))
        for event in self._events:
            self._lower(event)
        for span in styled:
            component.expression(self._code, span.start - 1)
        cx.release_guards(self._stack[0].guards)
        cx.scope = outer
        cx.level -= 1
        if self._slots:
            shape = next((each for each in component.members.members if each.name == "$slots"), None)
            if shape is None:
                component.property(component.shape, "$slots", type_=component.type_of_shape(self._slot_shape))
        if self._instances:
            instances = component.object_shape()
            for name, type_ in self._instances.items():
                component.property(instances, name, type_=type_)
            component.property(component.shape, "$refs", type_=component.type_of_shape(instances))
        component.bind_members(GLOBALS, self.member_type)

    # ------------------------------------------------------------------ first pass: places of code

    def _place(self, event: Event) -> None:
        if isinstance(event, Code):
            self._code.add(Span(event.start, event.end), b";(", b");")
        elif isinstance(event, Open | Raw):
            tag = event.tag if isinstance(event, Raw) else event
            found = [directive for attribute in tag.attributes if (directive := self._directive(attribute)) is not None]
            if found:
                self._directives[tag.start] = found

    def _directive(self, attribute: Attribute) -> Directive | None:
        name, start = attribute.name, attribute.start
        if name[:1] in _SHORTHANDS and len(name) > 1:
            kind, argument, position = _SHORTHANDS[name[0]], name[1:], start + 1
            if not argument.startswith("["):
                argument = argument.partition(".")[0] if kind != "slot" else argument
        elif name.startswith("v-"):
            found = _DIRECTIVE.match(name)
            if found is None:
                return None
            kind, argument = found[1], found[2] or ""
            if kind != "slot":
                argument = argument.partition(".")[0] if not argument.startswith("[") else argument
            position = start + (found.start(2) if found[2] else 0)
        elif name in ("slot-scope", "scope"):
            kind, argument, position = "slot", "default", start
        elif name == "ref" and attribute.value is not None:
            return Directive("ref", "", attribute, start, -1)
        elif name == "is" and attribute.value is not None:
            return Directive("is", "", attribute, start, -1)
        else:
            return None
        if argument.startswith("["):
            inner = Span(position + 1, position + len(argument.encode()) - 1)
            self._code.add(inner, b";(", b")")
        return Directive(kind, argument, attribute, position, self._place_code(kind, attribute))

    def _place_code(self, kind: str, attribute: Attribute) -> int:
        """Put the code of a directive into its text.

        Return the offset of the statement with the code, or -1 if there is no code.
        """
        span = attribute.value
        if span is None:
            return -1
        data = self._component.source.data
        text = without_entities(data[span.start : span.end])
        after = b")" if attribute.is_quoted else b""
        if not attribute.is_quoted:
            after = b")" if data[span.end : span.end + 1].isspace() else b""
            if not after:  # there is no room for a closing bracket
                return span.start - 1 if self._code.add(span, b";", b";", text) else -1
        if kind == "for":
            return self._loop(span, text)
        if kind == "slot":
            return span.start - 4 if self._patterns.add(span, b"var ", b";", text) else -1
        if kind == "on" and _FUNCTION.match(text) is None and _is_statements(text):
            return span.start - 1 if self._code.add(span, b";{", b"}", text) else -1
        return span.start - 1 if self._code.add(span, b";(", after, text) else -1

    def _loop(self, span: Span, text: bytes) -> int:
        """Put `(item, index) in items` into the text, as the arrow function `(item, index) => items`."""
        found = _IN.search(text)
        if found is None:
            return -1
        pattern = text[: found.start()]
        is_bare = not pattern.lstrip().startswith(b"(")
        arrow = bytearray(text)
        arrow[found.start() + 1 : found.end() - 1] = b"=>"
        if is_bare:
            arrow[found.start()] = ord(")")
        before = b";((" if is_bare else b";("
        return span.start - len(before) + 1 if self._code.add(span, before, b")", bytes(arrow)) else -1

    # ------------------------------------------------------------------ second pass: lowering

    def _lower(self, event: Event) -> None:
        cx = self._component.cx
        if isinstance(event, Code):
            self._fill(event.start)
            mark_filters(self._component, self._component.expression(self._code, event.start - 1), self._filters)
        elif isinstance(event, Close):
            self._close(event)
        elif isinstance(event, Raw):
            self._element(event.tag)
            self._pop()
        elif isinstance(event, Open):
            self._element(event)
            if event.is_closed or event.name in VOID:
                self._pop()
        assert cx.scope >= 0

    def _close(self, event: Close) -> None:
        if not self._open[event.name]:
            return
        while self._stack[-1].name != event.name:
            self._pop()
        frame = self._stack[-1]
        if frame.tag >= 0 and event.name not in _BUILT_IN:
            self._component.closing_tag(frame.tag, event.name_start)
            if not frame.filled:
                text = self._component.source.data[frame.end : event.start]
                if text.strip() and b"<" not in text:
                    self._fill(frame.end + len(text) - len(text.lstrip()))
        self._pop()

    def _fill(self, position: int) -> None:
        """Record that the innermost open tag has content, which fills the default slot of its component."""
        frame = self._stack[-1]
        if frame.tag >= 0 and frame.name not in _BUILT_IN and not any(place >= 0 for place in frame.filled):
            frame.filled.append(position)
            self._component.fill_slot(frame.tag, position)

    def _pop(self) -> None:
        frame = self._stack.pop()
        self._open[frame.name] -= 1
        self._component.cx.release_guards(frame.guards)
        self._component.cx.scope = frame.scope

    def _element(self, event: Open) -> None:
        component, cx = self._component, self._component.cx
        directives = self._directives.get(event.start, [])
        by_name = {directive.name: directive for directive in directives}
        filled = by_name.get("slot")
        if event.name == "template" and filled is not None and filled.argument:
            self._stack[-1].filled.append(-1)
        else:
            self._fill(event.start)
        chain = self._stack[-1].chain
        outer, mark = cx.scope, cx.guard_mark()
        self._condition(by_name, chain)
        loop = by_name.get("for")
        if loop is not None and loop.place >= 0:
            self._loop_scope(loop)
        elif "slot" in by_name:
            cx.open_scope()
        tag = self._tag(event, by_name)
        slot = by_name.get("slot")
        attributes = self._attributes(event, directives, tag)
        above = self._stack[-1]
        if slot is not None and event.name == "template":
            self._slot_scope(slot, above.tag, above.given)
        elif slot is not None:
            self._slot_scope(slot, tag, attributes)
        use_layout(component, event)
        if tag >= 0:
            component.element(tag, attributes, event.name_start)
        if event.name == "slot":
            self._declare_slot(event, directives, attributes)
        self._stack.append(_Frame(event.name, outer, mark, [], tag, attributes if tag >= 0 else [], event.end, []))
        self._open[event.name] += 1

    def _condition(self, by_name: dict[str, Directive], chain: list[int]) -> None:
        """Narrow types inside an element: its own condition is true, and the earlier conditions of the chain are false."""
        cx = self._component.cx
        if "else" not in by_name and "else-if" not in by_name:
            chain.clear()
        for test in chain[-MAX_GUARDS:]:
            cx.guard(test, False)
        directive = by_name.get("if") or by_name.get("else-if")
        if directive is not None and directive.place >= 0:
            test = self._component.expression(self._code, directive.place)
            if test >= 0:
                cx.guard(test, True)
                chain.append(test)

    def _loop_scope(self, directive: Directive) -> None:
        """Open the scope of `v-for` and declare its names."""
        component, cx = self._component, self._component.cx
        statement = self._code.node(directive.place)
        inner = inner_nodes(statement) if statement is not None else []
        inner = inner_nodes(inner[0]) if inner and inner[0].type == "parenthesized_expression" else inner
        if not inner or inner[0].type != "arrow_function":
            cx.open_scope()
            return
        component.enter(self._code)
        arrow = inner[0]
        body = arrow.child_by_field_name("body")
        listed = lower_expression(cx, body) if body is not None else -1
        cx.open_scope()
        parameter = arrow.child_by_field_name("parameter")
        parameters = [parameter] if parameter is not None else []
        given = arrow.child_by_field_name("parameters")
        for child in inner_nodes(given) if given is not None else []:
            pattern = child.child_by_field_name("pattern")
            parameters.append(pattern if pattern is not None else child)
        for place, each in enumerate(parameters):
            if place == 0 and listed >= 0:
                value = cx.emit(Op.ITERATED, listed, -1, 2, each.start_byte)
            else:
                value = cx.emit(Op.NUMBER, -1, cx.string(b"0"), -1, each.start_byte)
            component.declare(each, value)

    def _tag(self, event: Open, by_name: dict[str, Directive]) -> int:
        """Return the node of the component that a tag names, or -1 for an element of HTML."""
        component, cx = self._component, self._component.cx
        name = event.name
        if name in ("component", "Component"):
            bound = next(
                (each for each in self._directives.get(event.start, []) if each.name == "bind" and each.argument == "is"), None
            )
            if bound is not None and bound.place >= 0:
                node = component.expression(self._code, bound.place)
                if node >= 0 and cx.code[node] == Op.STRING:
                    return self.tags.node(cx.strings[cx.code[node + 2]], cx.code[node + 4] + 1)
                return node if node >= 0 and cx.code[node] in (Op.NAME, Op.MEMBER) else -1
            plain = by_name.get("is")
            if plain is not None and plain.attribute.value is not None:
                return self.tags.node(event.text("is", component.source.data) or "", plain.attribute.value.start)
            return -1
        is_native = name in NATIVE and not (name in _UNKNOWN and self.tags.constant(name) >= 0)
        if is_native or name in _BUILT_IN:
            return -1
        return self.tags.node(name, event.name_start)

    def _attributes(self, event: Open, directives: list[Directive], tag: int) -> list[int]:
        """Lower the attributes of an element and return the nodes of the values that are passed to a component."""
        component, cx = self._component, self._component.cx
        made: list[int] = []
        taken = {directive.attribute.start for directive in directives}
        for directive in directives:
            kind = directive.name
            if directive.argument.startswith("["):
                component.expression(self._code, directive.position)
            if kind in ("for", "slot", "if", "else-if", "else", "is") or (
                kind == "bind" and directive.argument == "is" and tag >= 0
            ):
                continue
            if kind == "ref":
                self._template_ref(directive.attribute, tag)
                continue
            if kind not in _DIRECTIVES:
                self.tags.directive(kind, directive.attribute.start)
            if kind == "bind" and directive.attribute.value is None and directive.argument:
                value = cx.name(camel(directive.argument).encode(), directive.position)
            elif kind == "on":
                value = self._handler(directive)
            else:
                value = component.expression(self._code, directive.place) if directive.place >= 0 else -1
                mark_filters(component, value, self._filters)
            made += self._passed_attributes(directive, value)
        for attribute in event.attributes if tag >= 0 else ():
            if attribute.start not in taken and attribute.name:
                value = cx.emit(Op.STRING, -1, cx.string(b""), -1, attribute.start)
                made.append(component.attribute(camel(attribute.name), value, attribute.start))
        return made

    def _passed_attributes(self, directive: Directive, value: int) -> list[int]:
        """Return the attributes that a directive passes to a component."""
        component, cx = self._component, self._component.cx
        kind, argument, position = directive.name, directive.argument, directive.position
        if argument.startswith("["):
            return []
        if kind == "bind":
            if not argument:
                return [cx.emit(Op.SPREAD, value, -1, -1, position)] if value >= 0 else []
            return [component.attribute(camel(argument), value, position)]
        if kind == "on":
            if not argument:
                return self._listeners(value)
            return [component.attribute(listener_name(argument), value, position)]
        if kind == "model":
            component.written(value)
            return [component.attribute(camel(argument) or "modelValue", value, position)]
        return []

    def _listeners(self, value: int) -> list[int]:
        """Return the listeners that `v-on="{ save: onSave }"` passes to a component."""
        component, cx = self._component, self._component.cx
        if value < 0 or cx.code[value] != Op.OBJECT:
            return []
        members = [each for each in cx.shapes[cx.code[value + 1]].members if each.value >= 0 and each.extra >= 0]
        return [component.attribute(listener_name(each.name), each.value, each.extra) for each in members]

    def _handler(self, directive: Directive) -> int:
        """Lower the handler of an event. Statements see `$event`."""
        component, cx = self._component, self._component.cx
        if directive.place < 0:
            return -1
        outer = cx.open_scope()
        component.variable("$event", -1, directive.position)
        value = component.expression(self._code, directive.place)
        cx.scope = outer
        return value

    def _template_ref(self, attribute: Attribute, tag: int) -> None:
        """Make `ref="form"` a reference to the variable `form` of the script, whose value is the component."""
        component, cx = self._component, self._component.cx
        assert attribute.value is not None
        name = component.source.data[attribute.value.start : attribute.value.end].decode("utf-8", "replace")
        position = attribute.value.start
        instance = -1
        if tag >= 0:
            instance = cx.emit(Op.T_QUERY, cx.emit(Op.NEW, tag, cx.list_of([]), -1, position), -1, -1, position)
            self._instances.setdefault(name, instance)
            if cx.scope == self._stack[0].scope:  # in a loop, the value is a list
                for call in self._template_refs.get(name, ()):
                    hold_instance(component, call, instance, position)
        self._template_refs.pop(name, None)
        binding = component.cx.scopes[0].names.get(name)
        if binding is not None:
            component.bound_name(name, binding, attribute.value.start, Use.READ)

    # ------------------------------------------------------------------ slots

    @property
    def _slot_shape(self) -> int:
        return self._slots[""]

    def _slot_scope(self, directive: Directive, holder: int, given: list[int]) -> None:
        """Declare the names that a slot passes to its content. `given` are the attributes of the component with the slot."""
        component, cx = self._component, self._component.cx
        name, position = directive.argument or "default", directive.position
        value = cx.emit(Op.UNDEFINED, -1, -1, -1, position)
        is_dynamic = name.startswith("[")
        if holder >= 0 and (not is_dynamic or IDENTIFIER.fullmatch(name[1:-1].encode())):
            made = component.instance_of(holder, given, position)
            if is_dynamic:
                slots = component.slots_of(made, position)
                slot = cx.emit(Op.INDEX, slots, cx.name(name[1:-1].encode(), position + 1), 0, position)
            else:
                slot = component.use_slot(made, name, position, 0 if directive.argument else MemberFlag.NO_USE)
            query = cx.emit(Op.T_QUERY, slot, -1, -1, position)
            parameters = cx.emit(Op.T_NAME, -1, cx.string(b"Parameters"), Use.TYPE, position)
            listed = cx.emit(Op.T_REFERENCE, parameters, cx.list_of([query]), -1, position)
            first = cx.emit(Op.T_NUMBER, -1, cx.string(b"0"), -1, position)
            type_ = cx.emit(Op.T_INDEXED, listed, first, -1, position)
            value = cx.emit(Op.AS, value, type_, Cast.AS, position)
        if directive.place >= 0:
            component.declare_patterns(self._patterns, directive.place, value)

    def _declare_slot(self, event: Open, directives: list[Directive], attributes: list[int]) -> None:
        """Add a slot as a member of the component, with the values for its content."""
        component, cx = self._component, self._component.cx
        name, span = component.slot_of(event)
        if not self._slots:
            self._slots[""] = component.object_shape()
        if name in self._slots or any(each.name == "bind" and each.argument == "name" for each in directives):
            return
        query = component.type_of_attributes(attributes, event.start)
        function = len(cx.functions)
        decl = len(cx.decls)
        value = cx.emit(Op.PARAMETER, function, -1, 0, event.start)
        cx.decls.append(Decl(DeclKind.PARAMETER, "props", -1, query, value, function, event.start))
        cx.functions.append(
            Function(
                -1,
                [Parameter("props", decl, query, -1, False, False)],
                [],
                -1,
                [],
                [],
                -1,
                False,
                False,
                True,
                False,
                True,
                event.start,
            )
        )
        type_ = cx.emit(Op.T_FUNCTION, function, -1, -1, event.start)
        # The slots that the component declares already have symbols.
        declared = any(member.name == "$slots" for member in component.members.members)
        if declared and event.text("name", component.source.data):
            component.use_slot(component.instance(span.start), name, span.start)
        symbol = -1 if declared else component.member_symbol(name, SLOT, span, f"slot {name}")
        component.property(self._slot_shape, name, symbol=symbol, type_=type_, position=span.start)
        self._slots[name] = symbol


def _is_statements(text: bytes) -> bool:
    """Return whether a handler consists of statements, which may stand on lines of their own without semicolons."""
    bare = text.strip()
    return _STATEMENTS.search(text) is not None or (b"\n" in bare and not bare.startswith((b"{", b"(")))
