"""Find the names that a scope binds, before its code is lowered.

A name that is bound anywhere in a scope is local to the scope.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tree_sitter import Node

from ....symbols.byte_ranges import decoded
from .flow import ITEMS
from .grammar import KINDS

#: Nodes with their own scope. Among the names bound inside, only names of a walrus belong to the scope around the node.
_COMPREHENSIONS: Final = frozenset(
    ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
)
_TARGET_FIELDS: Final = {
    "assignment": "left",
    "augmented_assignment": "left",
    "for_statement": "left",
    "named_expression": "name",
}
_IMPORTS: Final = frozenset(("import_statement", "import_from_statement", "future_import_statement"))
#: Nodes other than expressions that may bind names. In a file without a walrus, no other node binds a name.
_STATEMENTS: Final = frozenset(
    (
        *("module", "block", "expression_statement", "assignment", "augmented_assignment", "decorated_definition"),
        *("if_statement", "elif_clause", "else_clause", "for_statement", "while_statement", "match_statement", "case_clause"),
        *("try_statement", "except_clause", "except_group_clause", "finally_clause", "with_statement"),
        *_IMPORTS,
        *("function_definition", "class_definition", "type_alias_statement", "global_statement", "nonlocal_statement"),
        *("with_clause", "as_pattern", "as_pattern_target"),
    )
)


class BoundNames(NamedTuple):
    """The names of a scope, in order of appearance."""

    local: dict[str, None]
    declared_global: set[str]
    declared_nonlocal: set[str]
    #: The assigned chains of attributes, without their first name.
    members: set[str]


def no_names() -> BoundNames:
    """Return the names of a scope that binds no names."""
    return BoundNames({}, set(), set(), set())


def bound_names(body: Node, data: bytes, in_expressions: bool) -> BoundNames:
    """Return the names that the statements below a node bind in their own scope.

    Expressions are searched if they may bind names: in files with `:=`, and in broken code.
    """
    found = no_names()
    if in_expressions or KINDS[body.kind_id] in _STATEMENTS:
        _search(found, body, data, in_expressions)
    for outer in found.declared_global | found.declared_nonlocal:
        found.local.pop(outer, None)
    return found


def _search(found: BoundNames, body: Node, data: bytes, in_expressions: bool) -> None:
    waiting = [body]
    while waiting:
        node = waiting.pop()
        kind = KINDS[node.kind_id]
        if kind in ("function_definition", "class_definition"):
            _add(found, node.child_by_field_name("name"), data)
            if in_expressions:
                # Decorators, defaults and bases belong to this scope and may contain a walrus. Bodies do not belong to this
                # scope.
                inner = node.child_by_field_name("body")
                waiting += [child for child in reversed(node.children) if inner is None or child.id != inner.id]
            continue
        if kind == "lambda":
            continue
        if kind in _COMPREHENSIONS:
            waiting += _walruses(node)
            continue
        if kind == "with_clause" and not in_expressions:
            _search(found, node, data, True)  # `as` may be in parentheses
            continue
        if kind in _TARGET_FIELDS:
            # Access to `children` caches them in the node, because lowering reads the children of an assignment again.
            target = node.children[0] if kind == "assignment" else node.child_by_field_name(_TARGET_FIELDS[kind])
            if target is not None:
                _add_target(found, target, data)
        elif kind == "as_pattern_target" or kind == "type_alias_statement":
            name = node.child(0) if kind == "as_pattern_target" else node.child_by_field_name("left")
            if name is not None:
                _add_target(found, name, data)
        elif kind == "global_statement":
            found.declared_global.update([text_of(child, data) for child in node.named_children])
        elif kind == "nonlocal_statement":
            found.declared_nonlocal.update([text_of(child, data) for child in node.named_children])
        elif kind in _IMPORTS:
            for name in node.children_by_field_name("name"):
                alias = name.child_by_field_name("alias")
                _add(found, alias if alias is not None else _first_identifier(name), data)
            continue
        elif kind == "case_clause":
            _add_captures(found, node, data)
        inside = node.named_children
        inside.reverse()
        waiting += inside if in_expressions else [child for child in inside if KINDS[child.kind_id] in _STATEMENTS]


def text_of(node: Node, data: bytes) -> str:
    """Return the text of a name's node."""
    return decoded(data, node.start_byte, node.end_byte)


def target_names(target: Node) -> list[Node]:
    """Return the plain names that a target of an assignment binds."""
    found: list[Node] = []
    waiting = [target]
    while waiting:
        node = waiting.pop()
        kind = KINDS[node.kind_id]
        if kind == "identifier":
            found.append(node)
        elif kind not in ("attribute", "subscript", "call"):
            waiting += reversed(node.named_children)
    return found


def _walruses(node: Node) -> list[Node]:
    """Return the assignment expressions in a comprehension, which bind names of the enclosing scope."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        kind = KINDS[inner.kind_id]
        if kind == "named_expression":
            found.append(inner)
        elif kind != "lambda":
            waiting += reversed(inner.named_children)
    return found


def _first_identifier(node: Node) -> Node | None:
    while KINDS[node.kind_id] != "identifier":
        inner = next(iter(node.named_children), None)
        if inner is None:
            return None
        node = inner
    return node


def _add(found: BoundNames, name: Node | None, data: bytes) -> None:
    if name is not None and KINDS[name.kind_id] == "identifier":
        found.local.setdefault(text_of(name, data))


def _add_target(found: BoundNames, target: Node, data: bytes) -> None:
    kind = KINDS[target.kind_id]
    if kind == "identifier":
        found.local.setdefault(text_of(target, data))
    elif kind == "attribute":
        found.members.add(text_of(target, data).partition(".")[2])
    elif kind == "subscript":
        found.members.add(ITEMS)
    elif kind in ("type", "generic_type"):
        _add(found, _first_identifier(target), data)
    else:
        for name in target_names(target):
            found.local.setdefault(text_of(name, data))


def _add_captures(found: BoundNames, clause: Node, data: bytes) -> None:
    for pattern in clause.named_children:
        if KINDS[pattern.kind_id] == "case_pattern":
            for name in captured_names(pattern, data):
                found.local.setdefault(text_of(name, data))


def captured_names(pattern: Node, data: bytes) -> list[Node]:
    """Return the names that a pattern of a `case` binds."""
    found: list[Node] = []
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        kind = KINDS[node.kind_id]
        if kind == "class_pattern" or kind == "keyword_pattern":
            waiting += reversed(node.named_children[1:])
        elif kind == "dotted_name":
            parts = node.named_children
            if len(parts) == 1 and text_of(node, data) != "_":
                found.append(parts[0])
        elif kind == "identifier":
            if text_of(node, data) != "_":
                found.append(node)
        else:
            waiting += reversed(node.named_children)
    return found
