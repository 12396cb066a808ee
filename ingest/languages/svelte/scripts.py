"""Read the scripts of a Svelte component: its props, runes, reactive declarations and stores."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ...facts.model import Decl, DeclKind, Export, Function, Meaning, Member, MemberKind, Parameter
from ...facts.operations import Cast, ContextKind, MemberFlag, Op, Use
from ..components.declared_types import declared_type
from ..components.lowering import EVENT, PROP, ComponentLowering
from ..components.markup import Span
from ..typescript.libraries.route_types import ROUTE_DATA, ROUTE_FORM
from ..typescript.lowering.dispatch import inner_nodes, lower_annotation
from .special_names import PROPS, members_of_type

#: Runes whose value is their argument.
_TRANSPARENT: Final = frozenset(("$state", "$state.raw", "$state.snapshot", "$derived", "$bindable", "$state.eager"))
#: Runes whose calls are removed and have no type.
_EFFECTS: Final = frozenset(("$effect", "$effect.pre", "$effect.root", "$effect.tracking", "$inspect", "$host", "$props.id"))
#: Props that SvelteKit gives to the components of routes, with the names of their types.
_ROUTE_TYPES: Final = {"data": ROUTE_DATA, "form": ROUTE_FORM}
#: Code inside a reactive statement whose assignments declare nothing.
_INNER_STATEMENTS: Final = frozenset(("if_statement", "statement_block", "for_statement", "for_in_statement", "while_statement"))
_ALL: Final = _TRANSPARENT | _EFFECTS | {"$derived.by", "$props"}


def read_scripts(component: ComponentLowering, instance: list[Span]) -> None:
    """Read the scripts of a component; `instance` are the scripts that run for each instance."""
    _declare_reactive(component)
    _read_exports(component, instance)
    runes = _read_runes(component)
    cx = component.cx
    component.leave_out_calls(runes)
    attributes = [component.type_of_shape(component.props)]
    attributes += component.typed_props
    if (declared := declared_type(component, "$$Props")) >= 0:
        attributes.append(declared)
    if (events := declared_type(component, "$$Events")) >= 0:
        _declare_events(component, members_of_type(component, events), is_detail=False)
    whole = (
        attributes[0]
        if len(attributes) == 1
        else cx.emit(Op.T_INTERSECTION, cx.list_of(attributes), -1, -1, component.state.start)
    )
    component.property(component.shape, PROPS, type_=whole)
    _make_callable(component, whole)


def _make_callable(component: ComponentLowering, props: int) -> None:
    """Let the component be a function of its attributes, too, as the types of Svelte 5 know it: `ComponentProps<typeof Row>`."""
    cx, start = component.cx, component.state.start
    if component.members.type_parameters:
        return
    cx.owners += (len(cx.code), -1)
    named = cx.emit(Op.T_NAME, component.binding, cx.string(b""), Use.TYPE, start)
    instance = cx.emit(Op.T_REFERENCE, named, -1, -1, start)
    cx.owners += (len(cx.code), cx.symbol)
    given = [Parameter("internals", -1, -1, -1, False, False), Parameter("props", -1, props, -1, False, False)]
    cx.functions.append(Function(-1, given, [], instance, [], [], -1, False, False, False, False, False, start))
    component.members.members.append(Member("", MemberKind.CALL, True, False, -1, len(cx.functions) - 1, -1, -1, start, -1))


def _declare_reactive(component: ComponentLowering) -> None:
    """Declare the names that `$: name = value` assigns, unless other code declares them."""
    cx = component.cx
    declared: set[str] = set()
    for expando in list(cx.expandos):
        target = expando.target
        if cx.code[target] != Op.NAME:
            continue
        name = cx.strings[cx.code[target + 2]]
        owner = component.cx.owner_of(target)
        state = cx.symbols[owner] if owner >= 0 else None
        if (
            state is None
            or (name in cx.scopes[0].names and name not in declared)
            or not cx.source.startswith(b"$:", state.declaration)
            or not _is_declaring(component, cx.code[target + 4])
        ):
            continue
        if name in declared:
            continue
        declared.add(name)
        if expando.value >= 0 and cx.code[expando.value] == Op.MEMBER and cx.code[expando.value + 3] & MemberFlag.OF_PATTERN:
            cx.code[expando.value + 3] &= ~MemberFlag.NO_USE  # the key of a pattern that declares its names
        position = cx.code[target + 4]
        if state.kind == "expression":
            state.name, state.kind, state.name_position = name, "variable", position
        cx.declare(name, Meaning.VALUE, Decl(DeclKind.VARIABLE, name, owner, -1, expando.value, 2, position), 0)


def _is_declaring(component: ComponentLowering, position: int) -> bool:
    """Return whether a name stands on the left side of the assignment that is a whole reactive statement, `$: [a, b] = pair`."""
    node: Node | None = component.parsed.tree.root_node.descendant_for_byte_range(position, position + 1)
    while node is not None and node.type not in _INNER_STATEMENTS:
        if node.type == "labeled_statement":
            return True
        node = node.parent
    return False


def _read_exports(component: ComponentLowering, instance: list[Span]) -> None:
    """Make props from the exports of the instance script: `export let name`, `export { name }`."""
    cx = component.cx
    kept: list[Export] = []
    for entry in cx.exports:
        if entry.source >= 0 or not any(start <= entry.position < end for start, end in instance):
            kept.append(entry)
            continue
        binding = entry.binding
        if binding < 0 and entry.value >= 0 and cx.code[entry.value] == Op.NAME:
            binding = cx.scopes[0].names.get(cx.strings[cx.code[entry.value + 2]], -1)
        if binding < 0:
            continue
        for index in cx.bindings[binding].decls[:1]:
            _export(component, entry.name, cx.decls[index])
    cx.exports = kept


def _export(component: ComponentLowering, name: str, decl: Decl) -> None:
    cx = component.cx
    if decl.symbol >= 0:
        state = cx.symbols[decl.symbol]
        state.exported = True
    if decl.kind == DeclKind.VARIABLE:
        if decl.c != 1 and decl.a < 0 and decl.b < 0 and name in _ROUTE_TYPES:
            decl.a = _route_type(component, name, decl.position)
        if decl.c != 1 and decl.symbol >= 0:
            cx.symbols[decl.symbol].modifiers = [*cx.symbols[decl.symbol].modifiers, PROP]
            component.property(
                component.props,
                name,
                symbol=decl.symbol,
                type_=decl.a,
                value=decl.b,
                optional=decl.b >= 0,
                position=decl.position,
            )
        component.property(component.shape, name, symbol=decl.symbol, type_=decl.a, value=decl.b, position=decl.position)
    elif decl.kind == DeclKind.FUNCTION:
        component.members.members.append(
            Member(name, MemberKind.METHOD, False, False, decl.symbol, decl.a, -1, -1, decl.position, -1)
        )


def _rune(component: ComponentLowering, node: int) -> tuple[str, int]:
    """Return the called rune and the node of its name, or "" and -1."""
    cx = component.cx
    callee = cx.code[node + 1]
    suffix = ""
    if cx.code[callee] == Op.MEMBER:
        suffix = f".{cx.strings[cx.code[callee + 2]]}"
        callee = cx.code[callee + 1]
    if cx.code[callee] != Op.NAME:
        return "", -1
    name = cx.strings[cx.code[callee + 2]]
    return (name + suffix, callee) if name.startswith("$") and name not in cx.scopes[0].names else ("", -1)


def _read_runes(component: ComponentLowering) -> set[int]:
    """Replace the calls of runes by their values, and return the calls, which the compiler removes."""
    cx = component.cx
    found: set[int] = set()
    for node in list(cx.calls):
        if cx.code[node] != Op.CALL:
            continue
        rune, name = _rune(component, node)
        if not rune:
            _dispatcher(component, node)
            continue
        if rune in _ALL:
            component.keywords.add(name)
        arguments, types = cx.items(cx.code[node + 2]), cx.items(cx.code[node + 3])
        if rune in _TRANSPARENT:
            found.add(node)
            if types and arguments:
                cx.code[node : node + 4] = [Op.AS, arguments[0], types[0], Cast.AS]
                cx.expect(arguments[0], ContextKind.ANNOTATED, types[0])
            elif types:
                component.cast(node, types[0])
            elif arguments:
                cx.code[node : node + 4] = [Op.SEQUENCE, cx.list_of(arguments[:1]), -1, -1]
                cx.expect(arguments[0], ContextKind.SAME, node)
        elif rune == "$derived.by" and arguments:
            found.add(node)
            cx.code[node + 1] = arguments[0]
            cx.code[node + 2] = cx.list_of([])
        elif rune == "$props":
            found.add(node)
            untyped = _read_props(component, cx.code[cx.code[node + 1] + 4], types)
            if not _ROUTE_TYPES.keys().isdisjoint(untyped):
                component.cast(node, _route_props(component, untyped))
        elif rune in _EFFECTS:
            found.add(node)
    return found


def _dispatcher(component: ComponentLowering, node: int) -> None:
    """Read the events of `createEventDispatcher<{ change: number }>()`."""
    cx = component.cx
    callee = cx.code[node + 1]
    types = cx.items(cx.code[node + 3])
    if cx.code[callee] != Op.NAME or cx.strings[cx.code[callee + 2]] != "createEventDispatcher" or not types:
        return
    _declare_events(component, members_of_type(component, types[0]), is_detail=True)


def _declare_events(component: ComponentLowering, members: list[Member], *, is_detail: bool) -> None:
    """Declare the events that the members of a type name. The type of a member is the event, or its detail."""
    for member in members:
        if member.name:
            span = component.span_at(member.position)
            if member.symbol < 0:
                member.symbol = component.member_symbol(member.name, EVENT, span, component.text_of(span))
            listener = _listener(component, member.type, span.start, is_detail=is_detail)
            component.property(
                component.props, f"on:{member.name}", symbol=member.symbol, type_=listener, optional=True, position=span.start
            )


def _listener(component: ComponentLowering, event: int, position: int, *, is_detail: bool) -> int:
    """Return the type `(event: T) => any` of the listener of an event, or `(event: CustomEvent<T>) => any` for its detail."""
    cx = component.cx
    if event < 0:
        return -1
    cx.owners += (len(cx.code), -1)
    if is_detail:
        name = cx.emit(Op.T_NAME, -1, cx.string(b"CustomEvent"), Use.TYPE, position)
        event = cx.emit(Op.T_REFERENCE, name, cx.list_of([event]), -1, position)
    given = Parameter("event", -1, event, -1, False, False)
    cx.functions.append(Function(-1, [given], [], -1, [], [], -1, False, False, True, False, True, position))
    made = cx.emit(Op.T_FUNCTION, len(cx.functions) - 1, -1, -1, position)
    cx.owners += (len(cx.code), cx.symbol)
    return made


def _route_type(component: ComponentLowering, name: str, position: int) -> int:
    """Return the type of the data or form of a route, which is unresolved in other components."""
    cx = component.cx
    cx.owners += (len(cx.code), -1)
    named = cx.emit(Op.T_NAME, -1, cx.string(_ROUTE_TYPES[name].encode()), Use.TYPE, position)
    type_ = cx.emit(Op.T_REFERENCE, named, -1, -1, position)
    cx.owners += (len(cx.code), cx.symbol)
    return type_


def _route_props(component: ComponentLowering, untyped: dict[str, int]) -> int:
    """Return the type of props without a type, given by name and position, for the component of a route."""
    shape = component.object_shape()
    for name, position in untyped.items():
        type_ = _route_type(component, name, position) if name in _ROUTE_TYPES else -1
        component.property(shape, name, type_=type_, position=position)
    return component.type_of_shape(shape)


def _read_props(component: ComponentLowering, position: int, types: list[int]) -> dict[str, int]:
    """Read `let { a, b = 1 }: Props = $props()`. Return the positions of props that have no type, by name."""
    untyped: dict[str, int] = {}
    cx = component.cx
    node: Node | None = component.parsed.tree.root_node.descendant_for_byte_range(position, position + 1)
    while node is not None and node.type != "variable_declarator":
        node = node.parent
    if node is None:
        return untyped
    annotation = node.child_by_field_name("type")
    if annotation is not None:
        first = len(cx.shapes)
        outer = cx.symbol
        cx.symbol = -1
        cx.owners += (len(cx.code), -1)
        type_ = lower_annotation(cx, annotation)
        cx.symbol = outer
        cx.owners += (len(cx.code), outer)
        types = [type_]
        _symbols_of_literal(component, type_, first)
    if types:
        component.typed_props += types[:1]
        return untyped
    pattern = node.child_by_field_name("name")
    for child in inner_nodes(pattern) if pattern is not None and pattern.type == "object_pattern" else []:
        key = child.child_by_field_name("key") or child.child_by_field_name("left") or child
        name = cx.text(key)
        local = child.child_by_field_name("value") if child.type == "pair_pattern" else key
        local = (local.child_by_field_name("left") or local) if local is not None else key
        binding = cx.scopes[0].names.get(cx.text(local), -1)
        if child.type == "rest_pattern" or binding < 0:
            continue
        decl = cx.decls[cx.bindings[binding].decls[0]]
        if decl.symbol >= 0:
            cx.symbols[decl.symbol].modifiers = [*cx.symbols[decl.symbol].modifiers, PROP]
        component.property(component.props, name, symbol=decl.symbol, optional=True, position=key.start_byte)
        untyped[name] = key.start_byte
    return untyped


def _symbols_of_literal(component: ComponentLowering, type_: int, first: int) -> None:
    """Add symbols to the members of an object type in the source.

    There may be several shapes for the type, and all get the symbols.
    """
    cx = component.cx
    parts = cx.items(cx.code[type_ + 1]) if cx.code[type_] == Op.T_INTERSECTION else [type_]
    for part in parts:
        if cx.code[part] != Op.T_OBJECT:
            continue
        again = cx.shapes[cx.code[part + 1]]
        twins = [
            shape for shape in cx.shapes[:first] if shape.position == again.position and len(shape.members) == len(again.members)
        ]
        for place, member in enumerate(again.members):
            if member.name and member.symbol < 0:
                span = component.span_at(member.position)
                member.symbol = component.member_symbol(member.name, PROP, span, component.text_of(span))
                for twin in twins:
                    if twin.members[place].name == member.name:
                        twin.members[place].symbol = member.symbol


def read_stores(component: ComponentLowering) -> None:
    """Make `$name` refer to the value of the store `name`."""
    cx = component.cx
    made: list[tuple[int, int, int]] = []
    for node, scope, meaning in cx.pending:
        name = cx.strings[cx.code[node + 2]]
        if (
            cx.code[node] != Op.NAME
            or node in component.keywords
            or len(name) < 2
            or name[0] != "$"
            or name[1] == "$"
            or component.binding_at(name, scope) >= 0
        ):
            made.append((node, scope, meaning))
            continue
        store = component.binding_at(name[1:], scope)
        if store < 0:
            made.append((node, scope, meaning))
            continue
        if cx.code[node + 3] == Use.WRITE:
            cx.code[node + 1] = store
            continue
        copy = component.moved(node)
        cx.code[copy + 1] = store
        cx.owners += (len(cx.code), -1)
        cx.code[node : node + 4] = [Op.AS, copy, _store_value(component, store, cx.code[node + 4]), Cast.AS]
        cx.owners += (len(cx.code), cx.symbol)
    cx.pending = made


def _store_value(component: ComponentLowering, store: int, position: int) -> int:
    """Return the type `Parameters<Parameters<typeof store.subscribe>[0]>[0]`."""
    cx = component.cx
    name = component.bound_name("", store, position)
    type_ = cx.emit(Op.T_QUERY, cx.emit(Op.MEMBER, name, cx.string(b"subscribe"), 16, position), -1, -1, position)
    for _ in range(2):
        parameters = cx.emit(Op.T_NAME, -1, cx.string(b"Parameters"), Use.TYPE, position)
        listed = cx.emit(Op.T_REFERENCE, parameters, cx.list_of([type_]), -1, position)
        type_ = cx.emit(Op.T_INDEXED, listed, cx.emit(Op.T_NUMBER, -1, cx.string(b"0"), -1, position), -1, position)
    return type_
