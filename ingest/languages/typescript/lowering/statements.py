"""Lower statements inside functions and blocks: declarations, returns and assertions."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from ....facts.model import Decl, DeclKind, Meaning
from ....facts.operations import Op
from ....symbols.states import Placement
from .context import Context
from .declarations import DECLARATIONS, lower_declaration
from .dispatch import (
    STATEMENTS,
    Statement,
    first_inner,
    inner_nodes,
    last_inner,
    lower_annotation,
    lower_expression,
    lower_statement,
    two_fields,
)
from .exports import lower_export, lower_import
from .functions import lower_decorator
from .patterns import assign_pattern, bind_pattern, mark_written, note_assignment

_ASSERTING = (
    *(b"assert", b"invariant", b"ensure", b"must", b"guard", b"verify", b"check", b"require", b"validate"),
    *(b"expect", b"assume", b"throw", b"defined", b"nonnull", b"notnull", b"unless", b"narrow"),
)
#: A test whose result is not used: `isString(value);`.
_TEST = re.compile(rb"(?:^|[.$_])(?:is|has)[A-Z_][\w$]*$")
_EXITS = frozenset(("return_statement", "throw_statement", "continue_statement", "break_statement"))


def _nested(lower: Statement) -> Statement:
    """Wrap the handler of a statement. The statements inside it do not count as statements at the root."""

    def statement(cx: Context, node: Node) -> None:
        cx.level += 1
        lower(cx, node)
        cx.level -= 1

    return statement


def _declaration(cx: Context, node: Node) -> None:
    comments, cx.comments = cx.comments, []
    lower_declaration(cx, node, Placement(node, comments))


def _block(cx: Context, node: Node) -> None:
    outer = cx.open_scope()
    mark = cx.guard_mark()
    comments: list[Node] = []
    for child in node.named_children:
        kind = cx.tables.kinds[child.kind_id]
        if kind == "comment":
            comments.append(child)
            continue
        cx.comments = comments
        STATEMENTS.get(kind, lower_statement)(cx, child)
        comments = []
    cx.comments = []
    cx.release_guards(mark)
    cx.scope = outer


def _expression(cx: Context, node: Node) -> None:
    for child in node.named_children:
        kind = cx.tables.kinds[child.kind_id]
        if kind in DECLARATIONS:  # the grammar wraps `namespace A {}` in an expression statement
            _declaration(cx, child)
        elif kind != "comment":
            value = lower_expression(cx, child)
            if cx.documented is not None:
                cx.documented.declare_member(cx, child, value)
            if kind == "call_expression" and cx.code[value] == Op.CALL and _may_assert(cx, child):
                cx.guard_asserted(value)


def _may_assert(cx: Context, call: Node) -> bool:
    """Return whether the name of a call looks like an assertion function, which narrows types in the code after the call.

    Only types decide this with certainty, but a name is enough here, because a superfluous condition costs little time.
    """
    callee = call.child_by_field_name("function")
    if callee is None:
        return False
    name = cx.bytes_of(callee)[-40:]
    return any(word in name.lower() for word in _ASSERTING) or _TEST.search(name) is not None


def _return(cx: Context, node: Node) -> None:
    inner = first_inner(node)
    if inner is not None:
        cx.frame.returns.append(lower_expression(cx, inner))


def exits(node: Node | None) -> bool:
    """Return whether control never reaches the end of the statement."""
    if node is None:
        return False
    kind = node.type
    if kind in _EXITS:
        return True
    if kind == "statement_block":
        return exits(last_inner(node))
    if kind == "if_statement":
        other = node.child_by_field_name("alternative")
        return other is not None and exits(node.child_by_field_name("consequence")) and exits(_only(other))
    return False


def _only(clause: Node) -> Node | None:
    return first_inner(clause)


def _if(cx: Context, node: Node) -> None:
    parts = node.children
    is_plain = len(parts) == 3
    condition = parts[1] if is_plain else node.child_by_field_name("condition")
    then, other = (parts[2], None) if is_plain else two_fields(node, "consequence", "alternative")
    test = lower_expression(cx, condition) if condition is not None else -1
    mark = cx.guard_mark()
    if test >= 0:
        cx.guard(test, True)
    if then is not None:
        lower_statement(cx, then)
    cx.release_guards(mark)
    if other is not None:
        if test >= 0:
            cx.guard(test, False)
        for child in inner_nodes(other):
            lower_statement(cx, child)
        cx.release_guards(mark)
        if test >= 0 and exits(_only(other)):
            cx.guard(test, True)
    if test >= 0 and exits(then):
        cx.exits.append(test)
        cx.guard(test, False)


def _while(cx: Context, node: Node) -> None:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    mark = cx.guard_mark()
    if condition is not None:
        cx.guard(lower_expression(cx, condition), True)
    if body is not None:
        lower_statement(cx, body)
    cx.release_guards(mark)


def _do(cx: Context, node: Node) -> None:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if body is not None:
        lower_statement(cx, body)
    if condition is not None:
        lower_expression(cx, condition)


def _for(cx: Context, node: Node) -> None:
    outer = cx.open_scope()
    mark = cx.guard_mark()
    initializer, condition, increment, body = (
        node.child_by_field_name(field) for field in ("initializer", "condition", "increment", "body")
    )
    if initializer is not None:
        known = len(cx.local_statements)
        lower_statement(cx, initializer)
        # Excerpts show the variables of a loop only with the loop.
        cx.local_statements[known:] = [(node.start_byte, node.end_byte, *found[2:]) for found in cx.local_statements[known:]]
    if condition is not None and condition.type != "empty_statement":
        inner = inner_nodes(condition) if condition.type == "expression_statement" else [condition]
        for child in inner:
            cx.guard(lower_expression(cx, child), True)
    if increment is not None:
        lower_expression(cx, increment)
    if body is not None:
        lower_statement(cx, body)
    cx.release_guards(mark)
    cx.scope = outer


def _for_in(cx: Context, node: Node) -> None:
    left, right, body, operator, kind = (
        node.child_by_field_name(field) for field in ("left", "right", "body", "operator", "kind")
    )
    outer = cx.open_scope()
    over = lower_expression(cx, right) if right is not None else -1
    position = left.start_byte if left is not None else node.start_byte
    if operator is not None and operator.type == "of":
        is_async = int(any(child.type == "await" for child in node.children))
        value = cx.emit(Op.ITERATED, over, -1, is_async, position)
    else:
        value = cx.emit(Op.KEY, over, -1, -1, position)
    if left is not None and kind is not None:
        code = {"const": 1, "let": 2}.get(kind.type, 3)
        before = len(cx.decls)

        def declare(name: Node, part: int) -> None:
            text = cx.text(name)
            decl = Decl(DeclKind.VARIABLE, text, -1, -1, part, code, name.start_byte)
            cx.declare(text, Meaning.VALUE, decl, cx.scopes[cx.scope].hoist if code == 3 else None)

        bind_pattern(cx, left, value, declare)
        if not cx.at_root():
            cx.local_statements.append((node.start_byte, node.end_byte, before, len(cx.decls), False))
    elif left is not None and left.type in ("object_pattern", "array_pattern"):
        assign_pattern(cx, left, value)
    elif left is not None:
        target = lower_expression(cx, left)
        mark_written(cx, target)
        note_assignment(cx, target, value)
    if body is not None:
        lower_statement(cx, body)
    cx.scope = outer


def _switch(cx: Context, node: Node) -> None:
    value_node, body = node.child_by_field_name("value"), node.child_by_field_name("body")
    value = lower_expression(cx, value_node) if value_node is not None else -1
    if body is None:
        return
    outer = cx.open_scope()
    is_true = value >= 0 and cx.code[value] == Op.BOOLEAN
    labels: list[int] = []
    seen: list[int] = []
    for case in inner_nodes(body):
        label = case.child_by_field_name("value")
        if label is not None:
            labels.append(lower_expression(cx, label))
            seen.append(labels[-1])
        mark = cx.guard_mark()
        statements = case.children_by_field_name("body")
        if label is None and seen and value >= 0 and not is_true:
            cx.guard(cx.emit(Op.CASE, value, cx.list_of(seen), -1, case.start_byte), False)
        elif labels and is_true:
            cx.guard(labels[-1], True)
        elif labels and value >= 0:
            cx.guard(cx.emit(Op.CASE, value, cx.list_of(labels), -1, case.start_byte), True)
        for statement in statements:
            if statement.type != "comment":
                lower_statement(cx, statement)
        cx.release_guards(mark)
        if statements and exits(statements[-1]):
            labels = []
    cx.scope = outer


def _try(cx: Context, node: Node) -> None:
    body, handler, finalizer = (node.child_by_field_name(field) for field in ("body", "handler", "finalizer"))
    if body is not None:
        lower_statement(cx, body)
    if handler is not None:
        outer = cx.open_scope()
        parameter = handler.child_by_field_name("parameter")
        if parameter is not None:
            caught = cx.emit(Op.CAUGHT, -1, -1, -1, parameter.start_byte)
            annotation = lower_annotation(cx, handler.child_by_field_name("type"))
            before = len(cx.decls)

            def declare(name: Node, part: int) -> None:
                text = cx.text(name)
                cx.declare(text, Meaning.VALUE, Decl(DeclKind.VARIABLE, text, -1, annotation, part, 2, name.start_byte))

            bind_pattern(cx, parameter, caught, declare)
            if not cx.at_root():
                # Excerpts show a clause only with its statement.
                cx.local_statements.append((node.start_byte, node.end_byte, before, len(cx.decls), False))
        caught_body = handler.child_by_field_name("body")
        if caught_body is not None:
            lower_statement(cx, caught_body)
        cx.scope = outer
    if finalizer is not None:
        for child in inner_nodes(finalizer):
            lower_statement(cx, child)


def _children(cx: Context, node: Node) -> None:
    for child in inner_nodes(node):
        if child.type != "statement_identifier":
            lower_statement(cx, child)


def _nothing(cx: Context, node: Node) -> None:
    """Ignore a statement that contains neither names nor calls."""


_BLOCKS: dict[str, Callable[[Context, Node], None]] = {
    "statement_block": _block,
    "if_statement": _if,
    "while_statement": _while,
    "do_statement": _do,
    "for_statement": _for,
    "for_in_statement": _for_in,
    "switch_statement": _switch,
    "try_statement": _try,
    "labeled_statement": _children,
    "with_statement": _children,
    "throw_statement": _children,
}

STATEMENT_TABLE: dict[str, Statement] = {
    **{kind: _nested(lower) for kind, lower in _BLOCKS.items()},
    **dict.fromkeys(DECLARATIONS, _declaration),
    "expression_statement": _expression,
    "return_statement": _return,
    "export_statement": lower_export,
    "import_statement": lower_import,
    "decorator": lower_decorator,
    "break_statement": _nothing,
    "continue_statement": _nothing,
    "debugger_statement": _nothing,
    "empty_statement": _nothing,
    "comment": _nothing,
    "hash_bang_line": _nothing,
}
