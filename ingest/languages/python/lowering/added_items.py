"""Record the items that code adds to containers that start empty: `items = []`, then `items.append(x)`, `items[key] = x`.

A container is a name, or an attribute of the receiver of a method. Items of other containers are not recorded.
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind
from ....facts.operations import Op
from .context import PythonContext, ScopeKind, attribute_parts, last_name
from .grammar import KINDS

#: Methods that add their arguments to the receiver.
ADDING_METHODS: Final = frozenset(
    (b"add", b"append", b"appendleft", b"extend", b"extendleft", b"insert", b"setdefault", b"update")
)
#: Classes that create containers when they are called, by the last name of the callee.
_CONTAINERS: Final = frozenset(
    (
        "Counter",
        "OrderedDict",
        "WeakKeyDictionary",
        "WeakSet",
        "WeakValueDictionary",
        "defaultdict",
        "deque",
        "dict",
        "list",
        "set",
    )
)
#: Methods that return a container in the receiver, to which code may add items: `groups.setdefault(key, []).append(x)`.
_ITEM_METHODS: Final = frozenset((b"get", b"setdefault"))
#: Maximum depth of containers inside containers, and of conditional expressions around a container.
_MAX_DEPTH: Final = 3


def note_added(cx: PythonContext, container: Node, node: int) -> None:
    """Record that a call or the assignment of an item adds an item to a container, or to a container inside it."""
    for _ in range(_MAX_DEPTH):
        inner = _around_item(cx, container)
        if inner is None:
            break
        container = inner
    kind = KINDS[container.kind_id]
    if kind == "identifier":
        binding, _ = cx.find(cx.name_of(container))
        if binding >= 0:
            cx.bindings[binding].assigned.append(node)
    elif kind == "attribute":
        owner, attribute = attribute_parts(container)
        scope = cx.function_scope()
        while scope.parent is not None and not scope.receiver:
            scope = scope.parent
        if owner is None or attribute is None or KINDS[owner.kind_id] != "identifier":
            return
        name = cx.name_of(owner)
        if name == scope.receiver and scope.kind == ScopeKind.FUNCTION and scope.shape >= 0:
            cx.shapes[scope.shape].added.setdefault(cx.name_of(attribute), []).append(node)
        elif (binding := cx.find(name)[0]) >= 0:
            cx.added_by_name.append((binding, cx.name_of(attribute), node))


def _around_item(cx: PythonContext, node: Node) -> Node | None:
    """Return the container of an item, None for other expressions."""
    kind = KINDS[node.kind_id]
    if kind == "subscript":
        return node.child_by_field_name("value")
    function = node.child_by_field_name("function") if kind == "call" else None
    if function is None or KINDS[function.kind_id] != "attribute":
        return None
    owner, attribute = attribute_parts(function)
    return owner if attribute is not None and cx.bytes_of(attribute) in _ITEM_METHODS else None


def keep_added(cx: PythonContext) -> None:
    """Keep the items added to containers that start empty. The items of other containers follow from their first values."""
    for binding in cx.bindings:
        if binding.assigned and not any(_is_empty(cx, _value(cx, index), _MAX_DEPTH) for index in binding.decls):
            binding.assigned.clear()
    _add_to_classes(cx)
    for shape in cx.shapes:
        if not shape.added:
            continue
        values: dict[str, list[int]] = {}
        for member in shape.members:
            if member.function < 0:
                value = _value(cx, member.extra) if member.extra >= 0 else member.value
                values.setdefault(member.name, []).append(value)
        for name in list(shape.added):
            if not any(_is_empty(cx, value, _MAX_DEPTH) for value in values.get(name, ())):
                del shape.added[name]


def _add_to_classes(cx: PythonContext) -> None:
    """Record the items that code adds to an attribute of a class through the name of the class: `Plugin.known.append(x)`."""
    for binding, attribute, node in cx.added_by_name:
        decls = cx.bindings[binding].decls
        if len(decls) == 1 and cx.decls[decls[0]].kind == DeclKind.CLASS:
            cx.shapes[cx.decls[decls[0]].a].added.setdefault(attribute, []).append(node)


def _value(cx: PythonContext, decl: int) -> int:
    """Return the value in the declaration of a variable; -1 for other declarations."""
    return cx.decls[decl].b if cx.decls[decl].kind == DeclKind.VARIABLE else -1


def _is_empty(cx: PythonContext, node: int, depth: int) -> bool:
    """Return whether the value of an expression may be an empty container."""
    if node < 0 or depth == 0:
        return False
    code = cx.code
    op, a, b, c = code[node], code[node + 1], code[node + 2], code[node + 3]
    if op == Op.ARRAY:
        return not cx.items(a)
    if op == Op.DICT:
        return not cx.items(a) and not cx.items(c)
    if op == Op.CALL:
        return last_name(cx, a) in _CONTAINERS
    if op == Op.LOGICAL:
        return _is_empty(cx, a, depth - 1) or _is_empty(cx, b, depth - 1)
    return op == Op.CONDITIONAL and (_is_empty(cx, b, depth - 1) or _is_empty(cx, c, depth - 1))
