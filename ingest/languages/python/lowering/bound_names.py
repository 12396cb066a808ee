"""Find the names that a scope binds, before its code is lowered: a name is local to the scope that binds it anywhere."""

from __future__ import annotations

from typing import Final, NamedTuple

from tree_sitter import Node

#: Nodes that open a scope of their own, of which only what a walrus binds belongs to the scope around.
_COMPREHENSIONS: Final = frozenset(
    ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
)
_TARGET_FIELDS: Final = {
    "assignment": "left",
    "augmented_assignment": "left",
    "for_statement": "left",
    "named_expression": "name",
}


class BoundNames(NamedTuple):
    """The names of a scope, in order of appearance."""

    local: dict[str, None]
    declared_global: set[str]
    declared_nonlocal: set[str]


def bound_names(body: Node) -> BoundNames:
    """Return the names that the statements below a node bind in their own scope."""
    found = BoundNames({}, set(), set())
    waiting = [body]
    while waiting:
        node = waiting.pop()
        kind = node.type
        if kind in ("function_definition", "class_definition"):
            _add(found, node.child_by_field_name("name"))
            # Decorators, defaults and bases belong to this scope, and may hold a walrus; bodies do not.
            inner = node.child_by_field_name("body")
            waiting += [child for child in reversed(node.children) if inner is None or child.id != inner.id]
            continue
        if kind == "lambda":
            continue
        if kind in _COMPREHENSIONS:
            waiting += _walruses(node)
            continue
        if kind in _TARGET_FIELDS:
            target = node.child_by_field_name(_TARGET_FIELDS[kind])
            if target is not None:
                _add_target(found, target)
        elif kind == "as_pattern_target" or kind == "type_alias_statement":
            name = node.child(0) if kind == "as_pattern_target" else node.child_by_field_name("left")
            if name is not None:
                _add_target(found, name)
        elif kind == "global_statement":
            found.declared_global.update(text_of(child) for child in node.named_children)
        elif kind == "nonlocal_statement":
            found.declared_nonlocal.update(text_of(child) for child in node.named_children)
        elif kind in ("import_statement", "import_from_statement", "future_import_statement"):
            for name in node.children_by_field_name("name"):
                alias = name.child_by_field_name("alias")
                _add(found, alias if alias is not None else _first_identifier(name))
            continue
        elif kind == "case_clause":
            _add_captures(found, node)
        waiting += reversed(node.named_children)
    for outer in found.declared_global | found.declared_nonlocal:
        found.local.pop(outer, None)
    return found


def text_of(node: Node) -> str:
    """Return the text of a node, which is a name."""
    return (node.text or b"").decode("utf-8", "replace")


def target_names(target: Node) -> list[Node]:
    """Return the plain names that a target of an assignment binds."""
    found: list[Node] = []
    waiting = [target]
    while waiting:
        node = waiting.pop()
        if node.type == "identifier":
            found.append(node)
        elif node.type not in ("attribute", "subscript", "call"):
            waiting += reversed(node.named_children)
    return found


def _walruses(node: Node) -> list[Node]:
    """Return the assignment expressions in a comprehension, which bind names outside of it."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if inner.type == "named_expression":
            found.append(inner)
        elif inner.type != "lambda":
            waiting += reversed(inner.named_children)
    return found


def _first_identifier(node: Node) -> Node | None:
    while node.type != "identifier":
        inner = next(iter(node.named_children), None)
        if inner is None:
            return None
        node = inner
    return node


def _add(found: BoundNames, name: Node | None) -> None:
    if name is not None and name.type == "identifier":
        found.local.setdefault(text_of(name))


def _add_target(found: BoundNames, target: Node) -> None:
    if target.type in ("type", "generic_type"):
        _add(found, _first_identifier(target))
        return
    for name in target_names(target):
        found.local.setdefault(text_of(name))


def _add_captures(found: BoundNames, clause: Node) -> None:
    for pattern in clause.children:
        if pattern.type == "case_pattern":
            for name in captured_names(pattern):
                found.local.setdefault(text_of(name))


def captured_names(pattern: Node) -> list[Node]:
    """Return the names that a pattern of a `case` binds."""
    found: list[Node] = []
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        kind = node.type
        if kind == "class_pattern" or kind == "keyword_pattern":
            waiting += reversed(node.named_children[1:])
        elif kind == "dotted_name":
            if len(node.named_children) == 1 and text_of(node) != "_":
                found.append(node.named_children[0])
        elif kind == "identifier":
            if text_of(node) != "_":
                found.append(node)
        else:
            waiting += reversed(node.named_children)
    return found
