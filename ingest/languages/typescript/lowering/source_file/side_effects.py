"""Find the effects of loading a module, besides declarations.

Effects are calls, assignments to names that the file does not declare, and imports without names. Root statements are read, and
blocks at the root, which run under conditions. Functions are not read.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from .....facts.constructs import SideEffect
from .....facts.model import DeclKind
from .....symbols.byte_ranges import between, decoded
from ..context import Context
from ..dispatch import inner_nodes
from ..functions import FUNCTION_NODES
from ..imports import specifier_of

#: Maximum length of the text of an effect, in characters.
_MAX_TEXT_LENGTH = 100

_BLOCKS = frozenset(
    (
        "if_statement",
        "else_clause",
        "for_statement",
        "for_in_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "switch_body",
        "switch_case",
        "switch_default",
        "try_statement",
        "catch_clause",
        "finally_clause",
        "with_statement",
    )
)
#: Node types that are read and whose content always runs.
_PLAIN = frozenset(
    ("statement_block", "labeled_statement", "expression_statement", "parenthesized_expression", "sequence_expression")
)
_VARIABLES = frozenset(("lexical_declaration", "variable_declaration"))
_WRAPPERS = frozenset(("as_expression", "satisfies_expression", "non_null_expression", "type_assertion"))
_CALLS = frozenset(("call_expression", "new_expression"))
_ASSIGNMENTS = frozenset(("assignment_expression", "augmented_assignment_expression", "update_expression"))
_MEMBERS = frozenset(("member_expression", "subscript_expression"))
_SHORT_CIRCUITS = frozenset(("&&", "||", "??"))
#: A variable that is initialized with `await`.
_AWAITING = re.compile(rb"\n(?:export\s+)?(?:const|let|var|using|await\s+using)\s[^;=]*=\s*[(<]*\s*await\b")
#: Names of the exports of a CommonJS module: an assignment to them is an export.
_EXPORTS: Final = frozenset(("module", "exports", "this"))


def side_effects(cx: Context, root: Node, statements: list[Node]) -> list[SideEffect]:
    """Return the effects of loading the file, in source order.

    `statements` are the root statements that declare nothing.
    """
    found = [
        SideEffect("import", entry.position, entry.specifier, _line(cx, cx.source.rfind(b"\n", 0, entry.position) + 1), False)
        for entry in cx.imports
        if entry.form == "import" and not entry.names and not entry.type_only and _is_bare(cx, entry.position)
    ]
    reader = _Reader(cx, found)
    for statement in statements:
        reader.read(statement, False)
    if b"await" in cx.data and _AWAITING.search(b"\n" + cx.data):
        for child in root.named_children:
            _awaiting_variables(reader, child)
    return sorted(found, key=lambda effect: effect.position)


def _is_bare(cx: Context, position: int) -> bool:
    """Return whether an import is `import "x"`. In `import {} from "x"`, the keyword and the specifier are apart."""
    return between(cx.source, max(position - 40, 0), position).rstrip().endswith(b"import")


def _awaiting_variables(reader: _Reader, node: Node) -> None:
    if node.type == "export_statement":
        node = node.child_by_field_name("declaration") or node
    if node.type in _VARIABLES:
        reader.read(node, False)


def _line(cx: Context, start: int, end: int = -1) -> str:
    """Return the source from an offset to the end of its line, cut at the maximum length.

    A minified file may be one line of megabytes.
    """
    limit = start + 4 * (_MAX_TEXT_LENGTH + 1)  # a character has at most four bytes
    stop = cx.source.find(b"\n", start, limit)
    stop = limit if stop < 0 else stop
    text = decoded(cx.source, start, min(stop, end) if end >= 0 else stop).strip()
    return text if len(text) <= _MAX_TEXT_LENGTH else text[: _MAX_TEXT_LENGTH - 2].rstrip() + " …"


class _Reader:
    """Collects the effects of the statements of one file."""

    def __init__(self, cx: Context, found: list[SideEffect]) -> None:
        self._cx = cx
        self._found = found

    def read(self, node: Node, conditional: bool) -> None:
        """Read a statement or expression that runs when the module is loaded."""
        stack = [(node, conditional)]
        while stack:
            node, under = stack.pop()
            stack += reversed(self._step(node, under))

    def _step(self, node: Node, under: bool) -> list[tuple[Node, bool]]:
        kind = node.type
        if kind in _BLOCKS:
            if kind == "for_in_statement" and any(child.type == "await" for child in node.children):
                self._add("await", node, _name(self._cx, node.child_by_field_name("right")), under)
            # The condition always runs, but calls in the condition are made for their results.
            skipped = {
                found.id for field in ("condition", "value", "left", "right") if (found := node.child_by_field_name(field))
            }
            return [(child, True) for child in inner_nodes(node) if child.id not in skipped]
        if kind in _PLAIN:
            return [(child, under) for child in inner_nodes(node)]
        if kind in _WRAPPERS or kind == "unary_expression":
            return self._unary(node, under)
        if kind in _VARIABLES:
            self._variables(node, under)
        elif kind == "await_expression":
            self._await(node, under)
        elif kind in _CALLS:
            self._call(node, under)
        elif kind in _ASSIGNMENTS:
            self._assignment(node, under)
        elif kind == "ternary_expression":
            branches = (node.child_by_field_name("consequence"), node.child_by_field_name("alternative"))
            return [(branch, True) for branch in branches if branch is not None]
        elif kind == "binary_expression":
            return self._binary(node, under)
        return []

    def _unary(self, node: Node, under: bool) -> list[tuple[Node, bool]]:
        operator = node.child_by_field_name("operator")
        inner = inner_nodes(node)
        if operator is not None and operator.type == "delete" and inner:
            self._add_assignment(inner[0], node, under)
            return []
        return [(child, under) for child in inner[:1]]

    def _binary(self, node: Node, under: bool) -> list[tuple[Node, bool]]:
        operator, left, right = (node.child_by_field_name(field) for field in ("operator", "left", "right"))
        if operator is None or operator.type not in _SHORT_CIRCUITS:
            return []
        sides = ((left, under), (right, True))
        return [(side, conditional) for side, conditional in sides if side is not None]

    def _variables(self, node: Node, under: bool) -> None:
        for declarator in node.named_children:
            value = declarator.child_by_field_name("value")
            while value is not None and (value.type in _WRAPPERS or value.type == "parenthesized_expression"):
                value = next(iter(inner_nodes(value)), None)
            if value is not None and value.type == "await_expression":
                self._add("await", node, _awaited(self._cx, value), under)

    def _await(self, node: Node, under: bool) -> None:
        self._add("await", node, _awaited(self._cx, node), under)

    def _call(self, node: Node, under: bool) -> None:
        callee = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        while callee is not None and callee.type == "parenthesized_expression":
            callee = next(iter(inner_nodes(callee)), None)
        if callee is None:
            return
        arguments = node.child_by_field_name("arguments")
        if callee.type == "identifier" and self._cx.bytes_of(callee) == b"require" and arguments is not None:
            given = inner_nodes(arguments)
            specifier = specifier_of(self._cx, given[0]) if len(given) == 1 else None
            if specifier is not None:
                self._add("import", node, specifier, under)
                return
        bound = callee.child_by_field_name("object") if callee.type == "member_expression" else None
        while bound is not None and bound.type == "parenthesized_expression":
            bound = next(iter(inner_nodes(bound)), None)
        is_iife = callee.type in FUNCTION_NODES or (bound is not None and bound.type in FUNCTION_NODES)
        self._add("iife" if is_iife else "call", node, "" if is_iife else _name(self._cx, callee), under)

    def _assignment(self, node: Node, under: bool) -> None:
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target is not None:
            self._add_assignment(target, node, under)

    def _add_assignment(self, target: Node, node: Node, under: bool) -> None:
        """Add an effect for an assignment, unless the file declares the target itself, or the assignment is an export."""
        cx, root = self._cx, target
        while root.type in _MEMBERS or root.type in _WRAPPERS or root.type == "parenthesized_expression":
            inner = root.child_by_field_name("object") or next(iter(inner_nodes(root)), None)
            if inner is None:
                return
            root = inner
        name = cx.text(root)
        if root.type not in ("identifier", "meta_property", "this") or name in _EXPORTS:
            return
        if self._is_foreign(name):
            self._add("assignment", node, _name(cx, target), under)

    def _is_foreign(self, name: str) -> bool:
        """Return whether a name is imported, or not declared at the root of the file or in a block."""
        cx = self._cx
        binding = cx.scopes[0].names.get(name)
        if binding is not None:
            return any(cx.decls[decl].kind == DeclKind.IMPORT for decl in cx.bindings[binding].decls)
        return not any(decl.kind == DeclKind.VARIABLE and decl.name == name for decl in cx.decls)

    def _add(self, kind: str, node: Node, target: str, under: bool) -> None:
        start = node.start_byte
        self._found.append(SideEffect(kind, start, target, _line(self._cx, start, node.end_byte), under))


def _name(cx: Context, node: Node | None) -> str:
    """Return a plain or dotted name, or the beginning of any other expression."""
    if node is None:
        return ""
    return _line(cx, node.start_byte, node.end_byte)


def _awaited(cx: Context, node: Node) -> str:
    """Return the name of the awaited callee, or else the awaited expression."""
    inner = next(iter(inner_nodes(node)), None)
    callee = inner.child_by_field_name("function") or inner.child_by_field_name("constructor") if inner is not None else None
    return _name(cx, callee or inner)
