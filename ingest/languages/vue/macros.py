"""Read the macros of `<script setup>`: the props, events, slots and members that they declare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tree_sitter import Node

from ...facts.model import Function, MemberKind, Parameter, Shape
from ...facts.operations import ContextKind, Op
from ..components.lowering import EVENT, PROP, SLOT, ComponentLowering
from ..components.markup import Span
from ..components.names import camel

if TYPE_CHECKING:
    from .template import Template

#: Types of the values of props, by the constructors that describe props at run time.
_RUNTIME_TYPES: Final = {"String": "string", "Number": "number", "Boolean": "boolean", "Symbol": "symbol"}


def read_macros(component: ComponentLowering, template: Template) -> None:
    """Read the macros in the scripts of a component."""
    reader = MacroReader(component)
    cx = component.cx
    macros: set[int] = set()
    for node in list(cx.calls):
        code = cx.code
        callee = code[node + 1]
        if code[node] == Op.CALL and code[callee] == Op.NAME:
            handler = _MACROS.get(cx.strings[code[callee + 2]])
            if handler is None or component.lookup(cx.strings[code[callee + 2]]) >= 0:
                continue
            handler(reader, node)
            macros.add(node)
    # Calls of macros are not recorded as calls, because the compiler replaces macros.
    component.leave_out_calls(macros)
    reader.finish()
    template.member_type = reader.props_type


class MacroReader:
    """Reads the declarations of macros or options into a component."""

    def __init__(self, component: ComponentLowering) -> None:
        self._component = component
        #: Type of the props in the script's declaration, or -1.
        self.props_type = -1
        #: Type of the slots, or -1.
        self._slots = -1

    # ------------------------------------------------------------------ macros

    def define_props(self, node: int) -> None:
        """Read `defineProps<T>()` or `defineProps({…})`, whose value has the type of the props."""
        cx = self._component.cx
        types, arguments = cx.items(cx.code[node + 3]), cx.items(cx.code[node + 2])
        if types:
            self.props_type = types[0]
            self._symbols_of_type(types[0], PROP)
        elif arguments:
            self.runtime_props(arguments[0])
            self.props_type = self._component.type_of_shape(self._component.props)
        if self.props_type >= 0:
            self._component.cast(node, self.props_type)

    def with_defaults(self, node: int) -> None:
        """Read `withDefaults(defineProps<T>(), {…})`, whose value has the type of the props."""
        cx = self._component.cx
        arguments = cx.items(cx.code[node + 2])
        inner = arguments[0] if arguments else -1
        if inner >= 0 and cx.code[inner] == Op.CALL:
            self.define_props(inner)
        if self.props_type >= 0:
            if len(arguments) > 1:
                cx.expect(arguments[1], ContextKind.ANNOTATED, self.props_type, -1)
            self._component.cast(node, self.props_type)

    def define_emits(self, node: int) -> None:
        """Read `defineEmits<T>()` or `defineEmits([…])`."""
        cx = self._component.cx
        types, arguments = cx.items(cx.code[node + 3]), cx.items(cx.code[node + 2])
        if types and cx.code[types[0]] == Op.T_OBJECT:
            self._typed_events(cx.shapes[cx.code[types[0] + 1]])
        elif types and cx.code[types[0]] == Op.T_FUNCTION:
            self._event_signature(cx.functions[cx.code[types[0] + 1]])
        elif arguments:
            self.runtime_events(arguments[0])

    def define_model(self, node: int) -> None:
        """Read `defineModel<T>("name", {…})`: a prop, and the event that reports its changes."""
        component, cx = self._component, self._component.cx
        types, arguments = cx.items(cx.code[node + 3]), cx.items(cx.code[node + 2])
        named = bool(arguments) and cx.code[arguments[0]] == Op.STRING
        name = cx.strings[cx.code[arguments[0] + 2]] if named else "modelValue"
        position = cx.code[arguments[0] + 4] + 1 if named else cx.code[cx.code[node + 1] + 4]
        length = len(name.encode()) if named else len("defineModel")
        symbol = component.member_symbol(name, PROP, Span(position, position + length), f"model {name}")
        options = arguments[-1] if arguments and cx.code[arguments[-1]] == Op.OBJECT else -1
        type_ = types[0] if types else self._runtime_type(options)[0] if options >= 0 else -1
        component.cast(node, self._model_type(node, type_, position))
        component.property(component.props, name, symbol=symbol, type_=type_, optional=True, position=position)
        component.property(self._class, name, symbol=symbol, type_=type_, optional=True, position=position)
        self._event(f"update:{name}", Span(position, position + length), -1, symbol)

    def _model_type(self, node: int, type_: int, position: int) -> int:
        """Return the type of the value of `defineModel`: a ref, or a tuple with the ref in `const [model, modifiers] = …`."""
        component, cx = self._component, self._component.cx
        shape = component.object_shape()
        component.property(shape, "value", type_=type_, position=position)
        component.property(shape, "[RefSymbol]", position=position)
        model = component.type_of_shape(shape)
        place: Node | None = component.parsed.tree.root_node.descendant_for_byte_range(cx.code[cx.code[node + 1] + 4], position)
        while place is not None and place.type != "variable_declarator":
            place = place.parent
        pattern = place.child_by_field_name("name") if place is not None else None
        if pattern is None or pattern.type != "array_pattern":
            return model
        modifiers = cx.emit(Op.T_PRIMITIVE, -1, cx.string(b"any"), -1, position)
        return cx.emit(Op.T_TUPLE, cx.list_of([model, modifiers]), -1, -1, position)

    def define_slots(self, node: int) -> None:
        """Read `defineSlots<T>()`."""
        cx = self._component.cx
        types = cx.items(cx.code[node + 3])
        if types:
            self._slots = types[0]
            self._symbols_of_type(types[0], SLOT)
            self._component.cast(node, types[0])

    def define_expose(self, node: int) -> None:
        """Read `defineExpose({…})`: members of the component."""
        cx = self._component.cx
        arguments = cx.items(cx.code[node + 2])
        if arguments and cx.code[arguments[0]] == Op.OBJECT:
            self.expose(arguments[0])

    def define_options(self, node: int) -> None:
        """Read the name in `defineOptions({ name: "X" })`."""
        cx = self._component.cx
        arguments = cx.items(cx.code[node + 2])
        if arguments and cx.code[arguments[0]] == Op.OBJECT:
            self.name(arguments[0])

    # ------------------------------------------------------------------ shared by macros and options

    @property
    def _class(self) -> int:
        return self._component.shape

    def name(self, literal: int) -> None:
        """Set the name of the component to the `name` of an object literal."""
        component, cx = self._component, self._component.cx
        for member in cx.shapes[cx.code[literal + 1]].members:
            if member.name == "name" and member.value >= 0 and cx.code[member.value] == Op.STRING:
                name = cx.strings[cx.code[member.value + 2]]
                if name:
                    component.state.name = name
                    component.state.signature = f"component {name}"

    def expose(self, literal: int) -> None:
        """Make the members of an object literal members of the component."""
        component, cx = self._component, self._component.cx
        for member in cx.shapes[cx.code[literal + 1]].members:
            if member.kind == MemberKind.PROPERTY:
                symbol = member.symbol if member.symbol >= 0 else self._symbol_of(member.value)
                component.property(self._class, member.name, symbol=symbol, value=member.value, position=member.position)
            else:
                component.add_members([member])

    def _symbol_of(self, value: int) -> int:
        """Return the symbol of the declaration that a plain name denotes, or -1."""
        cx = self._component.cx
        binding = self._component.lookup(cx.strings[cx.code[value + 2]]) if value >= 0 and cx.code[value] == Op.NAME else -1
        return cx.decls[cx.bindings[binding].decls[0]].symbol if binding >= 0 else -1

    def runtime_props(self, node: int) -> None:
        """Read props as `["a", "b"]` or `{ a: String, b: { type: Object as PropType<T>, required: true } }`."""
        component, cx = self._component, self._component.cx
        for name, span, value in self.names(node):
            type_, optional = self._runtime_type(value)
            symbol = component.member_symbol(name, PROP, span, self._component.text_of(span))
            component.property(component.props, camel(name), symbol=symbol, type_=type_, optional=optional, position=span.start)
            component.property(self._class, camel(name), symbol=symbol, type_=type_, optional=optional, position=span.start)
            if cx.code[node] == Op.OBJECT:
                self._give_symbol(node, name, symbol)

    def runtime_events(self, node: int) -> None:
        """Read events as `["a", "b"]` or `{ a: null, b: (id) => true }`."""
        cx = self._component.cx
        for name, span, value in self.names(node):
            checks = value >= 0 and cx.code[value] == Op.FUNCTION
            symbol = self._event(name, span, cx.code[value + 1] if checks else -1)
            if cx.code[node] == Op.OBJECT:
                self._give_symbol(node, name, symbol)

    def finish(self) -> None:
        """Set the types of the attributes and slots of the component."""
        component, cx = self._component, self._component.cx
        attributes = component.type_of_shape(component.props)
        if self.props_type >= 0 and cx.code[self.props_type] != Op.T_OBJECT:
            attributes = self._both(self.props_type, attributes)
        elif self.props_type >= 0 and cx.code[self.props_type + 1] != component.props:
            attributes = self._both(self.props_type, attributes)
            component.add_members(cx.shapes[cx.code[self.props_type + 1]].members)
        component.property(self._class, "$props", type_=attributes)
        if self._slots >= 0:
            component.property(self._class, "$slots", type_=self._slots)

    def _both(self, one: int, other: int) -> int:
        cx = self._component.cx
        return cx.emit(Op.T_INTERSECTION, cx.list_of([one, other]), -1, -1, cx.code[one + 4])

    def _give_symbol(self, node: int, name: str, symbol: int) -> None:
        cx = self._component.cx
        for member in cx.shapes[cx.code[node + 1]].members:
            if member.name == name and member.symbol < 0:
                member.symbol = symbol

    def names(self, node: int) -> list[tuple[str, Span, int]]:
        """Return the names that an array of strings or an object literal lists, with their places and values."""
        cx = self._component.cx
        while node >= 0 and cx.code[node] == Op.AS:
            node = cx.code[node + 1]
        if node < 0:
            return []
        if cx.code[node] == Op.ARRAY:
            items = [item for item in cx.items(cx.code[node + 1]) if cx.code[item] == Op.STRING]
            return [(cx.strings[cx.code[item + 2]], self._string_span(item), -1) for item in items]
        if cx.code[node] != Op.OBJECT:
            return []
        return [
            (member.name, self._component.span_at(member.position), member.value)
            for member in cx.shapes[cx.code[node + 1]].members
        ]

    def _string_span(self, node: int) -> Span:
        cx = self._component.cx
        start = cx.code[node + 4] + 1
        return Span(start, start + len(cx.strings[cx.code[node + 2]].encode()))

    def _runtime_type(self, value: int) -> tuple[int, bool]:
        """Return the type of a prop in a runtime description, -1 for none, and whether the prop is optional."""
        cx = self._component.cx
        if value < 0:
            return -1, True
        optional = True
        if cx.code[value] == Op.OBJECT:
            described = -1
            for member in cx.shapes[cx.code[value + 1]].members:
                if member.name == "type":
                    described = member.value
                elif member.name == "required" and member.value >= 0:
                    optional = cx.code[member.value] != Op.BOOLEAN or cx.code[member.value + 1] == 0
                elif member.name == "default":
                    optional = False
            value = described
        return self._constructed(value), optional

    def _constructed(self, value: int) -> int:
        """Return the type of the values of a constructor: of `Number`, or of `Object as PropType<T>`."""
        cx = self._component.cx
        if value < 0:
            return -1
        code = cx.code
        if code[value] == Op.AS:
            return self._constructor_type(code[value + 2])
        if code[value] == Op.ARRAY:
            parts = [part for item in cx.items(code[value + 1]) if (part := self._constructed(item)) >= 0]
            return cx.emit(Op.T_UNION, cx.list_of(parts), -1, -1, code[value + 4]) if parts else -1
        if code[value] != Op.NAME:
            return -1
        name = cx.strings[code[value + 2]]
        if name in _RUNTIME_TYPES:
            return cx.emit(Op.T_PRIMITIVE, -1, cx.string(_RUNTIME_TYPES[name].encode()), -1, code[value + 4])
        if name in ("Object", "Array", "Function"):
            return -1
        made = cx.emit(Op.T_NAME, -1, code[value + 2], 2, code[value + 4])
        cx.pending.append((made, 0, 2))
        return cx.emit(Op.T_REFERENCE, made, -1, -1, code[value + 4])

    def _constructor_type(self, type_: int) -> int:
        """Return the type in `PropType<T>` or `() => T`."""
        cx = self._component.cx
        if cx.code[type_] == Op.T_REFERENCE and (given := cx.items(cx.code[type_ + 2])):
            return given[0]
        if cx.code[type_] == Op.T_FUNCTION:
            return cx.functions[cx.code[type_ + 1]].return_type
        return -1

    # ------------------------------------------------------------------ typed macros

    def _symbols_of_type(self, type_: int, role: str) -> None:
        """Add a symbol of the component for each member of an object type in the source."""
        component, cx = self._component, self._component.cx
        parts = cx.items(cx.code[type_ + 1]) if cx.code[type_] == Op.T_INTERSECTION else [type_]
        for part in parts:
            for member in cx.shapes[cx.code[part + 1]].members if cx.code[part] == Op.T_OBJECT else ():
                if member.name and member.symbol < 0:
                    span = self._component.span_at(member.position)
                    member.symbol = component.member_symbol(member.name, role, span, self._component.text_of(span))
                    if member.function >= 0:
                        cx.functions[member.function].symbol = member.symbol

    def _typed_events(self, shape: Shape) -> None:
        """Read events as `{ (e: "change", id: number): void }` or `{ change: [id: number] }`."""
        cx = self._component.cx
        for member in shape.members:
            if member.kind == MemberKind.CALL:
                self._event_signature(cx.functions[member.function])
            elif member.name:
                span = self._component.span_at(member.position)
                member.symbol = self._event(member.name, span, member.function, -1, self._listener(member.type))

    def _event_signature(self, function: Function) -> None:
        cx = self._component.cx
        first = function.parameters[0] if function.parameters else None
        if first is None or first.type < 0:
            return
        names = cx.items(cx.code[first.type + 1]) if cx.code[first.type] == Op.T_UNION else [first.type]
        for node in names:
            if cx.code[node] == Op.T_STRING:
                text = cx.strings[cx.code[node + 2]]
                start = cx.code[node + 4] + 1
                listener = len(cx.functions)
                cx.functions.append(
                    Function(-1, function.parameters[1:], [], -1, [], [], -1, False, False, True, False, True, function.position)
                )
                self._event(text, Span(start, start + len(text.encode())), listener)

    def _listener(self, type_: int) -> int:
        """Return the type of the listener of an event whose arguments are a tuple type: `(...args: T) => void`."""
        cx = self._component.cx
        if type_ < 0:
            return -1
        if cx.code[type_] != Op.T_TUPLE:
            return type_
        parameters = [Parameter("", -1, item, -1, False, False) for item in cx.items(cx.code[type_ + 1])]
        index = len(cx.functions)
        cx.functions.append(Function(-1, parameters, [], -1, [], [], -1, False, False, True, False, True, cx.code[type_ + 4]))
        return cx.emit(Op.T_FUNCTION, index, -1, -1, cx.code[type_ + 4])

    def _event(self, name: str, span: Span, function: int, symbol: int = -1, type_: int = -1) -> int:
        """Add an event to the component and return its symbol."""
        component, cx = self._component, self._component.cx
        if symbol < 0:
            symbol = component.member_symbol(name, EVENT, span, self._component.text_of(span))
        if type_ < 0 and function >= 0:
            type_ = cx.emit(Op.T_FUNCTION, function, -1, -1, span.start)
        component.property(component.props, listener_name(name), symbol=symbol, type_=type_, optional=True, position=span.start)
        return symbol


def listener_name(event: str) -> str:
    """Return the attribute that listens to an event: `update:title` -> `onUpdate:title`."""
    event = camel(event)
    return f"on{event[:1].upper()}{event[1:]}"


_MACROS: Final = {
    "defineProps": MacroReader.define_props,
    "withDefaults": MacroReader.with_defaults,
    "defineEmits": MacroReader.define_emits,
    "defineModel": MacroReader.define_model,
    "defineSlots": MacroReader.define_slots,
    "defineExpose": MacroReader.define_expose,
    "defineOptions": MacroReader.define_options,
}
