"""Blanks macros of C and C++ that the grammar would misread.

A file does not show the expansions of its macros. Most macros are in capitals, in place of attributes, statements or
declarations: `UV_EXTERN int uv_run(…);`, `class EXPORT Table {`, `DEFINE_LIST(tasks)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...symbols.byte_ranges import blank

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

    from ..parse_budget import BoundedParser

_CAPITALS: Final = rb"[A-Z_][A-Z0-9_]{2,}"
_ARGUMENTS: Final = rb"\((?:[^(){};]|\([^(){};]*\))*\)"
#: A macro between `class` and the type's name (`class EXPORT Table {`), which the grammar would read as a type and a function.
_BEFORE_NAMES: Final = re.compile(
    rb"\b(?:class|struct|union|enum)\s+(?P<one>" + _CAPITALS + rb"(?:" + _ARGUMENTS + rb")?)(?=\s+\w+(?:\s+final)?\s*[:{])"
)
#: Patterns that are applied in order. Only the groups of each match are blanked.
_BLANKED: Final = (
    # `extern "C" {` and its end, which are only for C++.
    re.compile(
        rb"^[ \t]*#[ \t]*if(?:def)?[^\n]*__cplusplus[^\n]*\n"
        rb"(?P<one>(?:[ \t]*extern\s+\"C\"\s*\{?[^\n]*\n|[ \t]*\}[^\n]*\n|[ \t\r]*\n)+)(?=[ \t]*#[ \t]*(?:endif|else))",
        re.MULTILINE,
    ),
    # A macro call alone on its line. Before `{` or `:`, the call is the head of a declaration.
    re.compile(rb"(?<!\\\n)^(?P<one>" + _CAPITALS + _ARGUMENTS + rb")[ \t\r]*$(?!\s*[\{:])", re.MULTILINE),
    # A macro before a type: a type and the declared name must follow.
    re.compile(
        rb"(?<!\\\n)^[ \t]*(?:(?:static|extern|inline|virtual|explicit|friend|const)[ \t]+)*"
        rb"(?P<one>" + _CAPITALS + rb"(?:" + _ARGUMENTS + rb")?)(?=\s+(?:[A-Za-z_][\w:]*[ \t*&]+)+\w+\s*[(;=\[,])",
        re.MULTILINE,
    ),
    # Attributes of the BSDs and of Linux.
    re.compile(rb"\b(?P<one>__(?:unused|used|dead|packed|noreturn|malloc|pure|init|exit|user|force))\b"),
    # A macro after the name of a member: `GUARDED_BY(mutex_)`.
    re.compile(rb"\w[ \t]+(?P<one>" + _CAPITALS + _ARGUMENTS + rb")(?=\s*[;=])"),
    # A macro after parameters.
    re.compile(rb"\)(?:[ \t]*const)?\s*(?P<one>" + _CAPITALS + rb"(?:" + _ARGUMENTS + rb")?)(?=\s*[;{])"),
)  # fmt: skip


def parse_without_macros(data: bytes, parser: BoundedParser) -> tuple[Tree, bytes]:
    """Parse a text with blanked macros, and return the tree and the blanked text.

    All patterns are applied only if errors remain, and only if this reduces the errors.
    """
    plain = _BEFORE_NAMES.sub(_blank, data)
    tree = parser.parse(plain)
    masked = plain
    if tree.root_node.has_error:
        for pattern in _BLANKED:
            masked = pattern.sub(_blank, masked)
    if masked == plain:
        return tree, plain
    other = parser.parse(masked)
    return (other, masked) if _unread(other.root_node) < _unread(tree.root_node) else (tree, plain)


def _blank(found: re.Match[bytes]) -> bytes:
    start, end = found.start("one") - found.start(), found.end("one") - found.start()
    text = found[0]
    return text[:start] + blank(text[start:end]) + text[end:]


def _unread(root: Node) -> int:
    """Return the number of errors in a tree."""
    count = 0
    stack = [root]
    while stack:
        node = stack.pop()
        count += node.is_error or node.is_missing
        if node.has_error:
            stack += node.children
    return count
