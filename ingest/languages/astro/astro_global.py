"""Read what a component takes from the global `Astro`: its props, and the slots that code asks for by name."""

from __future__ import annotations

from ...facts.model import Decl, DeclKind
from ...facts.operations import Cast, MemberFlag, Op, Use
from ..components.declared_types import declared_type
from ..components.embedded import EmbeddedMarkup
from ..components.lowering import PROP, ComponentLowering
from ..components.markup import Span


def read_global(component: ComponentLowering, markup: EmbeddedMarkup) -> None:
    """Let `Astro.props` and the attributes of the component have the same type, and add the uses of slots by code."""
    cx = component.cx
    type_ = _declared_props(component)
    if type_ < 0:
        type_ = _props_of_paths(component)
    if type_ < 0:
        _props_by_use(component)
        type_ = component.type_of_shape(component.props)
    component.property(component.shape, "$props", type_=type_)
    for node in _members_of_astro(component, "props"):
        cx.code[node : node + 4] = [Op.AS, component.moved(node), type_, Cast.AS]
    _slots_by_use(component, markup)


def _members_of_astro(component: ComponentLowering, name: str) -> list[int]:
    """Return the nodes of `Astro.name`."""
    cx = component.cx
    code = cx.code
    wanted, astro = cx.string(name.encode()), cx.string(b"Astro")
    return [
        node
        for node in range(0, len(code), 5)
        if code[node] == Op.MEMBER
        and code[node + 2] == wanted
        and code[code[node + 1]] == Op.NAME
        and code[code[node + 1] + 2] == astro
    ]


def _declared_props(component: ComponentLowering) -> int:
    """Return a node of the type `Props`, or of the type in `Astro.props as Type`; -1 if the front matter has neither."""
    if (props := declared_type(component, "Props")) >= 0:
        return props
    used = set(_members_of_astro(component, "props"))
    code = component.cx.code
    casts = (node for node in range(0, len(code), 5) if code[node] == Op.AS and code[node + 1] in used)
    return next((code[node + 2] for node in casts), -1)


def _props_of_paths(component: ComponentLowering) -> int:
    """Return the type of the props that `getStaticPaths` gives to a page, or -1 if the front matter has no such function.

    It is `Awaited<ReturnType<typeof getStaticPaths>>[number]["props"]`.
    """
    cx = component.cx
    binding = cx.scopes[0].names.get("getStaticPaths", -1)
    if binding < 0 or not _members_of_astro(component, "props"):
        return -1
    position = cx.decls[cx.bindings[binding].decls[0]].position
    cx.owners += (len(cx.code), -1)
    type_ = cx.emit(Op.T_QUERY, component.bound_name("getStaticPaths", binding, position), -1, -1, position)
    for utility in (b"ReturnType", b"Awaited"):
        name = cx.emit(Op.T_NAME, -1, cx.string(utility), Use.TYPE, position)
        type_ = cx.emit(Op.T_REFERENCE, name, cx.list_of([type_]), -1, position)
    number = cx.emit(Op.T_PRIMITIVE, -1, cx.string(b"number"), -1, position)
    each = cx.emit(Op.T_INDEXED, type_, number, -1, position)
    props = cx.emit(Op.T_INDEXED, each, cx.emit(Op.T_STRING, -1, cx.string(b"props"), -1, position), -1, position)
    cx.owners += (len(cx.code), cx.symbol)
    return props


def _props_by_use(component: ComponentLowering) -> None:
    """Declare the props without types that the code takes from `Astro.props`, by their first use."""
    cx = component.cx
    used = set(_members_of_astro(component, "props"))
    if not used:
        return
    variables = {decl.position: decl for decl in cx.decls if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0}
    names: set[str] = set()
    for node in range(0, len(cx.code), 5):
        if cx.code[node] == Op.MEMBER and cx.code[node + 1] in used and (name := cx.strings[cx.code[node + 2]]) not in names:
            names.add(name)
            _declare_prop(component, name, cx.code[node + 4], variables.get(cx.code[node + 4]))
            cx.code[node + 3] |= MemberFlag.NO_USE


def _declare_prop(component: ComponentLowering, name: str, position: int, variable: Decl | None) -> None:
    """Declare a prop; in `const { title } = Astro.props`, its symbol is the variable."""
    cx = component.cx
    if variable is not None:
        symbol = variable.symbol
        cx.symbols[symbol].modifiers = [*cx.symbols[symbol].modifiers, PROP]
        cx.symbols[symbol].exported = True
    else:
        symbol = component.member_symbol(name, PROP, Span(position, position + len(name.encode())))
    component.property(component.props, name, symbol=symbol, optional=True, position=position)


def _slots_by_use(component: ComponentLowering, markup: EmbeddedMarkup) -> None:
    """Add the uses of slots in `Astro.slots.has("foot")` and `Astro.slots.render("foot")`. A slot may only be rendered so."""
    cx = component.cx
    slots = set(_members_of_astro(component, "slots"))
    for node in list(cx.calls) if slots else ():
        callee, given = cx.code[node + 1], cx.items(cx.code[node + 2])
        if cx.code[node] != Op.CALL or cx.code[callee] != Op.MEMBER or cx.code[callee + 1] not in slots:
            continue
        method = cx.strings[cx.code[callee + 2]]
        if method not in ("has", "render") or not given or cx.code[given[0]] != Op.STRING:
            continue
        name, position = cx.strings[cx.code[given[0] + 2]], cx.code[given[0] + 4] + 1
        if method == "render" and markup.declare_slot(name, Span(position, position + len(name.encode()))):
            continue
        outer = cx.symbol
        cx.own(cx.owner_of(node))
        component.use_slot(component.instance(position), name, position, MemberFlag.IMPLIED)
        cx.own(outer)
