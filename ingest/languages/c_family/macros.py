"""Macros of C and C++ that are no C before they are expanded: blanked for the grammar where it would misread them.

A file says nothing of what they expand to. The usual ones are written in capitals, and stand where attributes, statements or
declarations would: `UV_EXTERN int uv_run(…);`, `class EXPORT Table {`, `DEFINE_LIST(tasks)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

_CAPITALS: Final = rb"[A-Z_][A-Z0-9_]{2,}"
_ARGUMENTS: Final = rb"\((?:[^(){};]|\([^(){};]*\))*\)"
#: Between the keyword of a type and its name, where the grammar of C++ takes them for a function and its type.
_BEFORE_NAMES: Final = re.compile(
    rb"\b(?:class|struct|union|enum)\s+(?P<one>" + _CAPITALS + rb"(?:" + _ARGUMENTS + rb")?)(?=\s+\w+(?:\s+final)?\s*[:{])"
)
#: What is blanked, in steps; of each match the groups.
_BLANKED: Final = (
    # `extern "C" {` and its end, which only C++ sees.
    re.compile(
        rb"^[ \t]*#[ \t]*if(?:def)?[^\n]*__cplusplus[^\n]*\n"
        rb"(?P<one>(?:[ \t]*extern\s+\"C\"\s*\{?[^\n]*\n|[ \t]*\}[^\n]*\n|[ \t\r]*\n)+)(?=[ \t]*#[ \t]*(?:endif|else))",
        re.MULTILINE,
    ),
    # A line for itself, with nothing that it could be the head of below it.
    re.compile(rb"(?<!\\\n)^(?P<one>" + _CAPITALS + _ARGUMENTS + rb")[ \t\r]*$(?!\s*[\{:])", re.MULTILINE),
    # Before a type: two more words follow, and of these the second is declared.
    re.compile(
        rb"(?<!\\\n)^[ \t]*(?:(?:static|extern|inline|virtual|explicit|friend|const)[ \t]+)*"
        rb"(?P<one>" + _CAPITALS + rb"(?:" + _ARGUMENTS + rb")?)(?=\s+(?:[A-Za-z_][\w:]*[ \t*&]+)+\w+\s*[(;=\[,])",
        re.MULTILINE,
    ),
    # Attributes of the BSDs and of Linux.
    re.compile(rb"\b(?P<one>__(?:unused|used|dead|packed|noreturn|malloc|pure|init|exit|user|force))\b"),
    # Behind the name of a member: `GUARDED_BY(mutex_)`.
    re.compile(rb"\w[ \t]+(?P<one>" + _CAPITALS + _ARGUMENTS + rb")(?=\s*[;=])"),
    # Behind parameters.
    re.compile(rb"\)(?:[ \t]*const)?\s*(?P<one>" + _CAPITALS + rb"(?:" + _ARGUMENTS + rb")?)(?=\s*[;{])"),
)  # fmt: skip
_NO_LINE_ENDS: Final = re.compile(rb"[^\r\n]")


def parse_without_macros(data: bytes, parser: Parser) -> tuple[Tree, bytes]:
    """The tree of a text of which macros are blanked, and that text: as few as let the grammar read most."""
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
    return text[:start] + _NO_LINE_ENDS.sub(b" ", text[start:end]) + text[end:]


def _unread(root: Node) -> int:
    """How many errors a tree has."""
    count = 0
    stack = [root]
    while stack:
        node = stack.pop()
        count += node.is_error or node.is_missing
        if node.has_error:
            stack += node.children
    return count
