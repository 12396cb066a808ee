"""Find the effects of loading a module besides declarations: calls as statements, and assignments to objects of other modules.

Statements at the root and in its blocks are read. Bodies of functions and classes, and code that runs only if the file is started
as a program, are not read.
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....facts.constructs import SideEffect
from ....facts.model import DeclKind
from ....symbols.byte_ranges import between, decoded
from .context import PythonContext
from .grammar import KINDS

#: Maximum length of the text of an effect, in characters.
_MAX_TEXT_LENGTH: Final = 100
#: Blocks whose statements may not run, or run several times.
_BLOCKS: Final = frozenset(
    (
        "if_statement",
        "elif_clause",
        "else_clause",
        "for_statement",
        "while_statement",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "match_statement",
        "case_clause",
    )
)
#: Nodes whose statements are read and always run.
_PLAIN: Final = frozenset(("block", "expression_statement", "with_statement"))
_CHAINS: Final = frozenset(("attribute", "subscript"))
#: Objects of the module itself. Changes of these objects have no effect on other modules.
_OWN: Final = frozenset(("globals", "__all__", "__path__", "__doc__"))


def load_effects(cx: PythonContext, root: Node) -> list[SideEffect]:
    """Return the effects of loading a lowered file, in source order."""
    found: list[SideEffect] = []
    waiting = [(child, False) for child in reversed(root.named_children)]
    while waiting:
        node, conditional = waiting.pop()
        kind = KINDS[node.kind_id]
        if kind in _BLOCKS:
            conditional = True
        if kind in ("if_statement", "elif_clause") and _is_left_out(cx, node):
            waiting += [(clause, True) for clause in reversed(node.children_by_field_name("alternative"))]
        elif kind in _BLOCKS or kind in _PLAIN:
            waiting += [(child, conditional) for child in reversed(node.named_children) if _is_entered(node, child)]
        elif kind in ("call", "await"):
            _call(cx, node, conditional, found)
        elif kind in ("assignment", "augmented_assignment"):
            _assignment(cx, node, node, conditional, found)
        elif kind == "delete_statement":
            for target in node.named_children:
                _add_assignment(cx, target, node, conditional, found)
    return found


def _is_entered(node: Node, child: Node) -> bool:
    """Return whether a child may have an effect. The condition of a block only computes a value, so it does not count."""
    return KINDS[node.kind_id] == "expression_statement" or KINDS[child.kind_id] in _STATEMENTS


def _is_left_out(cx: PythonContext, node: Node) -> bool:
    """Return whether loading the file skips a branch: `if __name__ == "__main__"` or `if TYPE_CHECKING`."""
    condition = node.child_by_field_name("condition")
    if condition is None:
        return False
    text = cx.bytes_of(condition).replace(b" ", b"").replace(b"'", b'"')
    return text == b'__name__=="__main__"' or text.rpartition(b".")[2] == b"TYPE_CHECKING"


def _call(cx: PythonContext, node: Node, conditional: bool, found: list[SideEffect]) -> None:
    inner = node
    if KINDS[node.kind_id] == "await" and node.named_children:
        inner = node.named_children[0]
    callee = inner.child_by_field_name("function")
    kind = "await" if inner is not node else "call"
    _add(cx, kind, node, _line(cx, callee if callee is not None else inner), conditional, found)


def _assignment(cx: PythonContext, node: Node, whole: Node, conditional: bool, found: list[SideEffect]) -> None:
    current: Node | None = node
    while current is not None and KINDS[current.kind_id] in ("assignment", "augmented_assignment"):
        left = current.child_by_field_name("left")
        if left is not None:
            _add_assignment(cx, left, whole, conditional, found)
        current = current.child_by_field_name("right")


def _add_assignment(cx: PythonContext, target: Node, whole: Node, conditional: bool, found: list[SideEffect]) -> None:
    """Add an effect if an assignment changes an object that the file imports."""
    waiting = [target]
    while waiting:
        node = waiting.pop()
        if KINDS[node.kind_id] in ("pattern_list", "tuple_pattern", "expression_list", "tuple", "list_pattern"):
            waiting += reversed(node.named_children)
            continue
        root = node
        while KINDS[root.kind_id] in _CHAINS and root.named_children:
            root = root.named_children[0]
        if root is node or KINDS[root.kind_id] != "identifier":
            continue
        if _is_foreign(cx, cx.name_of(root)):
            _add(cx, "assignment", whole, _line(cx, node), conditional, found)


def _is_foreign(cx: PythonContext, name: str) -> bool:
    """Return whether a name at the root is imported, or is not declared at the root."""
    binding = cx.scopes[0].names.get(name)
    if binding is None:
        return name not in _OWN
    return any(cx.decls[decl].kind == DeclKind.IMPORT for decl in cx.bindings[binding].decls)


def _add(cx: PythonContext, kind: str, node: Node, target: str, conditional: bool, found: list[SideEffect]) -> None:
    found.append(SideEffect(kind, node.start_byte, target, _line(cx, node), conditional))


def _line(cx: PythonContext, node: Node) -> str:
    """Return the first line of a node, cut at the maximum length."""
    text = between(cx.data, node.start_byte, min(node.end_byte, node.start_byte + 4 * _MAX_TEXT_LENGTH)).partition(b"\n")[0]
    line = decoded(text, 0, len(text)).strip()
    return line if len(line) <= _MAX_TEXT_LENGTH else line[: _MAX_TEXT_LENGTH - 2].rstrip() + " …"


#: Nodes that are statements of a block.
_STATEMENTS: Final = _BLOCKS | _PLAIN | {"delete_statement"}
