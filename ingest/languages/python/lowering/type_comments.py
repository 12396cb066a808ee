"""Types of functions, assignments, `for` and `with` in comments, which replace annotations in old code (PEP 484)."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from ....facts.model import Function
from ....symbols.byte_ranges import between
from .annotations import lower_written_type
from .context import PythonContext
from .functions import Defaults
from .grammar import KINDS

#: Text that every file with types in comments contains.
_MARK: Final = re.compile(rb"#[ \t]*type:")
#: A comment after the code of a line.
_BEHIND: Final = re.compile(rb"[ \t]*[,:;]?[ \t]*#[ \t]*type:(?![ \t]*ignore\b)[ \t]*([^#\n]*[^#\s])")
#: A comment after the parameters of a function, on the same line or the next line.
_SIGNATURE: Final = re.compile(rb"[ \t]*:\s*#[ \t]*type:[ \t]*\(([^\n]*)\)[ \t]*->[ \t]*([^#\n]*[^#\s])")
_BRACKETS: Final = {b"[": 1, b"(": 1, b"{": 1, b"]": -1, b")": -1, b"}": -1}
_SEPARATORS: Final = ("keyword_separator", "positional_separator", "comment")


def has_type_comments(data: bytes) -> bool:
    """Return whether a file may have types in comments."""
    return _MARK.search(data) is not None


def type_behind(cx: PythonContext, end: int) -> int:
    """Lower the type in the comment after the code that ends at an offset, on the same line; -1 if there is none."""
    found = _BEHIND.match(cx.data, end) if cx.has_type_comments else None
    return lower_written_type(cx, found.start(1), found.end(1)) if found is not None else -1


def add_commented_types(cx: PythonContext, parameters: Node | None, defaults: Defaults, facts: Function) -> None:
    """Add the types in comments to the parameters and the result of a function. Annotations take precedence."""
    if not cx.has_type_comments or parameters is None:
        return
    nodes = [node for node in parameters.named_children if KINDS[node.kind_id] not in _SEPARATORS]
    for node in nodes:
        _add(defaults, node, type_behind(cx, node.end_byte))
    found = _SIGNATURE.match(cx.data, parameters.end_byte)
    if found is None:
        return
    if facts.return_type < 0:
        facts.return_type = lower_written_type(cx, found.start(2), found.end(2))
    places = _arguments(cx.data, found.start(1), found.end(1))
    if len(places) > len(nodes) or (len(places) == 1 and found[1].strip() == b"..."):
        return
    # The comment may omit the receiver.
    for node, (start, end) in zip(nodes[len(nodes) - len(places) :], places, strict=True):
        _add(defaults, node, lower_written_type(cx, start, end))


def _add(defaults: Defaults, node: Node, lowered: int) -> None:
    annotation, default = defaults.get(node.start_byte, (-1, -1))
    if annotation < 0 <= lowered:
        defaults[node.start_byte] = lowered, default


def _arguments(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Return the start and end offsets of each type of a signature, without the stars before it; [] for unclosed brackets."""
    depth, begin = 0, start
    found: list[tuple[int, int]] = []
    for place in range(start, end + 1):
        mark = between(data, place, place + 1) if place < end else b","
        depth += _BRACKETS.get(mark, 0)
        if mark == b"," and depth == 0:
            text = between(data, begin, place)
            bare = text.lstrip(b" \t*")
            if bare.strip():
                found.append((begin + len(text) - len(bare), begin + len(text.rstrip())))
            begin = place + 1
    return found if depth == 0 else []
