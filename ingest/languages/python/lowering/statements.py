"""Lower statements, and follow the values of names through branches, loops and exceptions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from ....facts.operations import Display, Op
from ....symbols.byte_ranges import between
from .assignment import assign, declare_name
from .conditions import assume
from .context import Loop, PythonContext, ScopeKind, last_name
from .declarations import declare_plugins, lower_class, lower_function, lower_import, lower_type_alias
from .dispatch import lower_annotation, lower_expression
from .expressions import operation
from .flow import ITEMS, Place
from .grammar import KINDS
from .known_items import CHANGING_METHODS
from .patterns import bind_pattern
from .static_conditions import static_value
from .type_comments import type_behind

#: Calls of methods after which an item may have another value.
_CHANGED: Final = re.compile(rb"\.(?:" + b"|".join(sorted(CHANGING_METHODS)) + rb")\(")
Statement = Callable[[PythonContext, Node], None]


def lower_block(cx: PythonContext, block: Node) -> None:
    """Lower the statements of a block."""
    for statement in block.named_children:
        lower_statement(cx, statement)


def block_of(node: Node, field: str) -> Node | None:
    """Return the block in a field of a statement.

    A look-up among the children of the statement is faster than a look-up by field, because the search for bound names has
    already cached these children.
    """
    for child in node.children:
        if KINDS[child.kind_id] == "block":
            return child
    return node.child_by_field_name(field)


def lower_statement(cx: PythonContext, node: Node) -> None:
    """Lower one statement. Unreachable code is lowered without known values of names."""
    kind = KINDS[node.kind_id]
    lower = _STATEMENTS.get(kind)
    if lower is not None:
        lower(cx, node)
    elif kind not in _SILENT:
        lower_expression(cx, node)


def _expression(cx: PythonContext, node: Node) -> None:
    for child in node.named_children:
        kind = KINDS[child.kind_id]
        if kind == "assignment":
            _assignment(cx, child)
        elif kind == "augmented_assignment":
            _augmented(cx, child)
        elif kind != "comment" and (kind != "string" or not _is_plain(cx, child)):
            lower_expression(cx, child)


def _is_plain(cx: PythonContext, string: Node) -> bool:
    """Return whether a string contains no expressions, so that a statement with only the string has no effect."""
    return between(cx.data, string.start_byte, string.start_byte + 1) in (b'"', b"'")


def _assignment(cx: PythonContext, node: Node) -> None:
    targets: list[Node] = []
    annotation = -1
    cx.assignment = (node.start_byte, node.end_byte)
    current: Node | None = node
    while current is not None and KINDS[current.kind_id] == "assignment":
        parts = current.children
        if len(parts) == 3 and KINDS[parts[1].kind_id] == "=":
            targets.append(parts[0])
            current = parts[2]
            continue
        left = current.child_by_field_name("left")
        if left is not None:
            targets.append(left)
        kind = current.child_by_field_name("type")
        if kind is not None:
            annotation = lower_annotation(cx, kind)
        current = current.child_by_field_name("right")
    if annotation < 0 and all(KINDS[target.kind_id] in _TYPED_TARGETS for target in targets):
        annotation = type_behind(cx, node.end_byte)
    # The value of `Alias: TypeAlias = "Node | None"` is a type.
    value = lower_annotation(cx, current) if last_name(cx, annotation) == "TypeAlias" else lower_expression(cx, current)
    for target in targets:
        if value < 0:
            _declare_only(cx, target, annotation)
        else:
            assign(cx, target, value, annotation)
            if (
                cx.py_scope.kind == ScopeKind.MODULE
                and KINDS[target.kind_id] == "identifier"
                and cx.name_of(target) == "pytest_plugins"
            ):
                declare_plugins(cx, value)


def _declare_only(cx: PythonContext, target: Node, annotation: int) -> None:
    """Lower `name: Type`, which declares a name without a value."""
    if KINDS[target.kind_id] != "identifier":
        assign(cx, target, -1, annotation)
        return
    name = cx.name_of(target)
    held = cx.flow.get(name)
    declare_name(cx, target, -1, annotation)
    if held:
        cx.flow.hold(name, held)


def _augmented(cx: PythonContext, node: Node) -> None:
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is None:
        return
    before = lower_expression(cx, left)
    value = lower_expression(cx, node.child_by_field_name("right"))
    result = operation(cx, KINDS[operator.kind_id] if operator is not None else "", before, value, node.start_byte)
    if KINDS[left.kind_id] == "identifier":
        assign(cx, left, result)
    else:
        key = cx.key_of(left)
        if key:
            cx.flow.hold(key, (result,))


def _decorated(cx: PythonContext, node: Node) -> None:
    definition = node.child_by_field_name("definition")
    name = definition.child_by_field_name("name") if definition is not None else None
    symbol = cx.symbol_places.get(name.start_byte, -1) if name is not None else -1
    owner = cx.own(symbol) if symbol >= 0 and cx.py_scope.kind != ScopeKind.FUNCTION else cx.symbol
    decorators = []
    for child in node.named_children:
        if KINDS[child.kind_id] == "decorator":
            inner = [part for part in child.named_children if KINDS[part.kind_id] != "comment"]
            if inner:
                decorators.append(lower_expression(cx, inner[0]))
    cx.own(owner)
    if definition is not None:
        lower = lower_class if KINDS[definition.kind_id] == "class_definition" else lower_function
        lower(cx, definition, decorators, lower_block)


def _function(cx: PythonContext, node: Node) -> None:
    lower_function(cx, node, (), lower_block)


def _class(cx: PythonContext, node: Node) -> None:
    lower_class(cx, node, (), lower_block)


def _return(cx: PythonContext, node: Node) -> None:
    value = next((child for child in node.named_children if KINDS[child.kind_id] != "comment"), None)
    lowered = lower_expression(cx, value) if value is not None else cx.emit(Op.NULL, -1, -1, -1, node.start_byte)
    cx.function_scope().returns.append(lowered)
    cx.flow.leave()


def _raise(cx: PythonContext, node: Node) -> None:
    for place, child in enumerate(node.named_children):
        raised = lower_expression(cx, child)
        if place == 0 and KINDS[child.kind_id] in ("identifier", "attribute"):
            cx.emit(Op.RAISED, raised, -1, -1, child.start_byte)
    cx.flow.leave()


def _break(cx: PythonContext, node: Node) -> None:
    if cx.loops:
        cx.loops[-1].breaks.append(cx.flow.place())
    cx.flow.leave()


def _continue(cx: PythonContext, node: Node) -> None:
    if cx.loops:
        cx.loops[-1].continues.append(cx.flow.place())
    cx.flow.leave()


def _if(cx: PythonContext, node: Node) -> None:
    ends: list[Place | None] = []
    clauses = [node, *[child for child in node.named_children if KINDS[child.kind_id] in ("elif_clause", "else_clause")]]
    has_else = False
    was_skipped = cx.is_skipped
    is_decided = False  # whether an earlier condition is always true
    for clause in clauses:
        condition = clause.child_by_field_name("condition")
        body = block_of(clause, "consequence") or clause.child_by_field_name("body")
        if condition is None:
            has_else = True
            cx.is_skipped = was_skipped or is_decided
            if body is not None:
                lower_block(cx, body)
            ends.append(None if is_decided else cx.flow.place())
            continue
        test = lower_expression(cx, condition)
        known = static_value(condition, cx.data)
        before = cx.flow.place()
        assume(cx, condition, test, True)
        cx.is_skipped = was_skipped or is_decided or known is False
        if body is not None:
            was_reached = cx.flow.is_reached
            lower_block(cx, body)
            if was_reached and not cx.flow.is_reached and test >= 0:
                cx.exits.append(test)
        ends.append(None if is_decided or known is False else cx.flow.place())
        cx.flow.go_to(before)
        assume(cx, condition, test, False)
        is_decided = is_decided or known is True
    cx.is_skipped = was_skipped
    if not has_else:
        ends.append(None if is_decided else cx.flow.place())
    cx.flow.join(ends)


def _start_loop(cx: PythonContext, body: Node | None) -> dict[str, int]:
    """Start a loop with one PHI node for each name that its body assigns.

    Return the PHI nodes by name. `_end_loop` adds the values from the end of the body to the PHI nodes.
    """
    phis: dict[str, int] = {}
    if body is None or not cx.flow.is_reached:
        return phis
    bound = cx.bound(body)
    cx.flow.forget_chains(bound.local, bound.members)
    if _CHANGED.search(cx.data, body.start_byte, body.end_byte):
        cx.flow.forget_chains((), (ITEMS,))
    for name in sorted(bound.local):
        values = cx.held_values(name, body.start_byte) or ()
        phi = cx.emit(Op.PHI, cx.list_of(values), -1, -1, body.start_byte)
        phis[name] = phi
        cx.flow.narrow(name, (phi,))
    cx.loops.append(Loop())
    return phis


def _end_loop(cx: PythonContext, node: Node, phis: dict[str, int], start: Place | None) -> None:
    """Add the values from the end of the body to the PHI nodes, lower `else`, and continue after the loop.

    `start` is the place where the condition ends the loop, before `else` runs.
    """
    if not cx.loops:
        return
    loop = cx.loops.pop()
    around = cx.flow.merged((*loop.continues, cx.flow.place()), phis)
    for name, phi in phis.items():
        values = dict.fromkeys(cx.items(cx.code[phi + 1]))
        values.update(dict.fromkeys(cx.listed(name, around.get(name, ()), cx.code[phi + 4])))
        values.pop(phi, None)
        cx.code[phi + 1] = cx.list_of(tuple(values))
    cx.flow.go_to(start)
    _alternative(cx, node)
    cx.flow.join((cx.flow.place(), *loop.breaks))


def _for(cx: PythonContext, node: Node) -> None:
    sequence = lower_expression(cx, node.child_by_field_name("right"))
    is_async = KINDS[node.children[0].kind_id] == "async"
    has_flow = cx.flow.is_reached
    phis = _start_loop(cx, node)
    start = cx.flow.place()
    item = cx.emit(Op.ITERATED, sequence, -1, int(is_async), node.start_byte)
    left, body = node.child_by_field_name("left"), block_of(node, "body")
    right = node.child_by_field_name("right")
    if left is not None:
        assign(cx, left, item, type_behind(cx, right.end_byte) if right is not None else -1)
    if body is not None:
        lower_block(cx, body)
    if has_flow:
        _end_loop(cx, node, phis, start)
    else:
        _alternative(cx, node)


def _while(cx: PythonContext, node: Node) -> None:
    condition, body = node.child_by_field_name("condition"), block_of(node, "body")
    has_flow = cx.flow.is_reached
    phis = _start_loop(cx, node)
    test = lower_expression(cx, condition)
    start = cx.flow.place()
    if condition is not None:
        assume(cx, condition, test, True)
    if body is not None:
        lower_block(cx, body)
    after = cx.flow.place()
    cx.flow.go_to(start)
    if condition is not None:
        assume(cx, condition, test, False)
    is_endless = condition is not None and cx.bytes_of(condition) in (b"True", b"1")
    ended = None if is_endless else cx.flow.place()
    cx.flow.go_to(after)
    if has_flow:
        _end_loop(cx, node, phis, ended)
    else:
        _alternative(cx, node)


def _alternative(cx: PythonContext, node: Node) -> None:
    clause = node.child_by_field_name("alternative")
    body = block_of(clause, "body") if clause is not None else None
    if body is not None:
        lower_block(cx, body)


def _with(cx: PythonContext, node: Node) -> None:
    is_async = KINDS[node.children[0].kind_id] == "async"
    clause = next((child for child in node.named_children if KINDS[child.kind_id] == "with_clause"), None)
    items: list[Node] = []
    for item in clause.named_children if clause is not None else ():
        items += [each for each in (item, *item.named_children) if KINDS[each.kind_id] == "with_item"]
    for item in items:
        value = item.child_by_field_name("value")
        target: Node | None = None
        if value is not None and KINDS[value.kind_id] == "as_pattern":
            target = value.child_by_field_name("alias")
            value = value.named_children[0] if value.named_children else None
        manager = lower_expression(cx, value)
        entered = cx.emit(Op.ENTERED, manager, -1, int(is_async), item.start_byte)
        if target is not None and target.named_children:
            # A type comment after the statement has the type of the target, if there is only one item.
            written = type_behind(cx, item.end_byte) if len(items) == 1 else -1
            assign(cx, target.named_children[0], entered, written)
    body = block_of(node, "body")
    if body is not None:
        lower_block(cx, body)


def _try(cx: PythonContext, node: Node) -> None:
    before = cx.flow.place()
    body = block_of(node, "body")
    first = len(cx.decls)
    if body is not None:
        lower_block(cx, body)
    after = cx.flow.place()
    # An exception may occur anywhere in the body, so a name has its value from before the body, or from any assignment in the
    # body.
    cx.flow.go_to(before)
    cx.hold_perhaps(first)
    raised = cx.flow.place()
    ends: list[Place | None] = []
    final: Node | None = None
    has_else = False
    for clause in node.named_children:
        if KINDS[clause.kind_id] in ("except_clause", "except_group_clause"):
            cx.flow.go_to(raised)
            _except(cx, clause)
            ends.append(cx.flow.place())
        elif KINDS[clause.kind_id] == "else_clause":
            has_else = True
            cx.flow.go_to(after)
            inner = clause.child_by_field_name("body")
            if inner is not None:
                lower_block(cx, inner)
            ends.append(cx.flow.place())
        elif KINDS[clause.kind_id] == "finally_clause":
            final = clause
    if not has_else:
        ends.append(after)
    cx.flow.join(ends)
    if final is not None:
        reached = cx.flow.is_reached
        if not reached:
            cx.flow.go_to(raised)
        for child in final.named_children:
            if KINDS[child.kind_id] == "block":
                lower_block(cx, child)
        if not reached:
            cx.flow.leave()


def _except(cx: PythonContext, clause: Node) -> None:
    value = clause.child_by_field_name("value")
    target: Node | None = clause.child_by_field_name("alias")
    if value is not None and KINDS[value.kind_id] == "as_pattern":
        target = value.child_by_field_name("alias")
        value = value.named_children[0] if value.named_children else None
    if value is not None and KINDS[value.kind_id] != "block":
        classes = lower_expression(cx, value)
        is_group = any(KINDS[child.kind_id] in ("*", "except*") for child in clause.children[:2])
        caught = cx.emit(Op.CAUGHT, classes, -1, int(is_group), clause.start_byte)
        if target is not None:
            assign(cx, target.named_children[0] if target.named_children else target, caught)
    for child in clause.named_children:
        if KINDS[child.kind_id] == "block":
            lower_block(cx, child)


def _match(cx: PythonContext, node: Node) -> None:
    subjects = node.children_by_field_name("subject")
    lowered = [lower_expression(cx, subject) for subject in subjects]
    subject = lowered[0] if len(lowered) == 1 else cx.emit(Op.ARRAY, cx.list_of(lowered), -1, Display.TUPLE, node.start_byte)
    key = cx.key_of(subjects[0]) if len(subjects) == 1 else ""
    before = cx.flow.place()
    ends: list[Place | None] = [before]
    body = node.child_by_field_name("body")
    for clause in body.named_children if body is not None else ():
        if KINDS[clause.kind_id] != "case_clause":
            continue
        cx.flow.go_to(before)
        pattern = next((child for child in clause.named_children if KINDS[child.kind_id] == "case_pattern"), None)
        if pattern is not None:
            matched = bind_pattern(cx, pattern, subject)
            if key and matched != subject:
                cx.flow.hold(key, (matched,))
            if not pattern.named_children and ends[0] is before:
                ends[0] = None  # `case _` always matches
        guard = clause.child_by_field_name("guard")
        condition = guard.named_children[0] if guard is not None and guard.named_children else None
        if condition is not None:
            assume(cx, condition, lower_expression(cx, condition), True)
        inner = clause.child_by_field_name("consequence")
        if inner is not None:
            lower_block(cx, inner)
        ends.append(cx.flow.place())
    cx.flow.join(ends)


def _assert(cx: PythonContext, node: Node) -> None:
    condition, *message = [child for child in node.named_children if KINDS[child.kind_id] != "comment"]
    lowered = lower_expression(cx, condition)
    before = cx.flow.place()
    for child in message:
        assume(cx, condition, lowered, False)  # the message is evaluated only if the condition is false
        lower_expression(cx, child)
    cx.flow.go_to(before)
    assume(cx, condition, lowered, True)


def _delete(cx: PythonContext, node: Node) -> None:
    for child in node.named_children:
        lower_expression(cx, child)


#: Targets of assignments for which a comment may declare a type.
_TYPED_TARGETS: Final = frozenset(("identifier", "attribute"))
_SILENT: Final = frozenset(("comment", "pass_statement", "global_statement", "nonlocal_statement", "future_import_statement"))
_STATEMENTS: Final[dict[str, Statement]] = {
    "expression_statement": _expression,
    "decorated_definition": _decorated,
    "function_definition": _function,
    "class_definition": _class,
    "return_statement": _return,
    "raise_statement": _raise,
    "break_statement": _break,
    "continue_statement": _continue,
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": _while,
    "with_statement": _with,
    "try_statement": _try,
    "match_statement": _match,
    "assert_statement": _assert,
    "delete_statement": _delete,
    "import_statement": lower_import,
    "import_from_statement": lower_import,
    "type_alias_statement": lower_type_alias,
}
