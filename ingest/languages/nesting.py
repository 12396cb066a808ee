"""What nests in source text, as its syntax tree says: for excerpts, which may leave out only what brackets hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from .base import SyntaxTree
from .registry import language as language_named

#: Signs that open or close something wherever they stand as words of their own.
_ALWAYS: Final = {"(": "(", ")": ")", "[": "[", "]": "]", "{": "{", "}": "}", "${": "{", "{|": "{", "|}": "}"}
#: Nodes whose angle brackets hold a list.
_ANGLED: Final = frozenset(("type_arguments", "type_parameters"))
#: Nodes of JSX, with the signs that stand for their beginning and their end.
_ELEMENTS: Final = {
    "jsx_element": ("element", "/element"),
    "jsx_opening_element": ("tag", "/tag"),
    "jsx_self_closing_element": ("tag", "/tag"),
}


class Mark(NamedTuple):
    """A place where something that holds other code begins or ends."""

    #: A bracket, "<" and ">" around types, "element" and "/element", or "tag" and "/tag" for the first tag of an element.
    sign: str
    #: From 0.
    line: int


def nesting_marks(text: str, language: str) -> list[Mark]:
    """The marks of a text, in order."""
    return list(_marks(_parsed(text, language).root))


def is_valid(text: str, language: str) -> bool:
    """Whether a text has no syntax error."""
    return _parsed(text, language).is_valid


def _parsed(text: str, language: str) -> SyntaxTree:
    return language_named(language).parse(text.encode("utf-8", "replace"), language)


def _marks(root: Node) -> Iterator[Mark]:
    # An explicit stack, for code nests deeper than Python does: a node, or the mark that ends one.
    stack: list[Node | Mark] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, Mark):
            yield item
            continue
        kind = item.type
        if kind in _ALWAYS and not item.is_named:
            yield Mark(_ALWAYS[kind], item.start_point.row)
        elif kind in ("<", ">") and item.parent is not None and item.parent.type in _ANGLED:
            yield Mark(kind, item.start_point.row)
        elif item.child_count:
            begin, end = _ELEMENTS.get(kind, ("", ""))
            if begin:
                yield Mark(begin, item.start_point.row)
                stack.append(Mark(end, item.end_point.row))
            stack += reversed(item.children)
