"""Lower the names that doc comments link to, as the last nodes of a file.

`{@link Cart.total}`, `{@linkcode Cart}`, `{@linkplain Cart}`, `@see Cart` and `@throws {EmptyCart}` name declarations by the
rules of TypeScript. Such links have no effect on the code, but matter to readers and to renaming.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from tree_sitter import Node, Tree

from .....facts.model import DeclKind, Meaning
from .....facts.operations import Op, Use
from ..context import Context

_WORD: Final = rb"(?:[A-Za-z_$]|[^\x00-\x7f])(?:[\w$]|[^\x00-\x7f])*+"
#: A link: `total` in `{@link Cart#total | the total}`. A name before a colon or slashes is part of an address.
_LINK: Final = re.compile(
    rb"(?:\{@link(?:code|plain)?[ \t]+|(?<=[\s*])@see[ \t]+|(?<=[\s*])@(?:throws|exception)[ \t]+\{[ \t]*)"
    rb"(?P<name>" + _WORD + rb"(?:[.#~]#?" + _WORD + rb")*+)(?!\s*:|/|-\w)"
)
_PART: Final = re.compile(_WORD)
_MARKS: Final = (b"{@link", b"@see", b"@throws", b"@exception")
_ANY: Final = Meaning.VALUE | Meaning.TYPE | Meaning.NAMESPACE


def lower_doc_links(cx: Context, tree: Tree) -> None:
    """Lower the links in all doc comments of a file, each for the innermost symbol around it."""
    if not any(mark in cx.data for mark in _MARKS):
        return
    links = [(start, found) for start, end in _doc_comments(tree.root_node, cx) for found in _LINK.finditer(cx.data, start, end)]
    if not links:
        return
    by_start = sorted((state.start, -state.end, index) for index, state in enumerate(cx.symbols))
    scopes = _scopes_of_symbols(cx)
    scope = cx.scope
    for start, found in links:
        symbol = _innermost(cx, by_start, start)
        cx.owners += (len(cx.code), symbol)
        cx.scope = _scope_at(cx, scopes, symbol, start)
        _lower(cx, found.group("name"), found.start("name"))
    cx.owners += (len(cx.code), -1)
    cx.scope = scope


def _doc_comments(root: Node, cx: Context) -> list[tuple[int, int]]:
    """Return start and end of the doc comments, in source order."""
    found: list[tuple[int, int]] = []
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is not None and node.type == "comment":
            start, end = node.start_byte, node.end_byte
            if cx.data.startswith(b"/**", start) and any(cx.data.find(mark, start, end) >= 0 for mark in _MARKS):
                found.append((start, end))
        elif cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found


def _lower(cx: Context, name: bytes, position: int) -> None:
    node = -1
    for part in _PART.finditer(name):
        text, start = part.group(), position + part.start()
        if node < 0:
            node = cx.type_name(text, start, _ANY, Use.DOC)
        else:
            node = cx.emit(Op.T_QUALIFIED, node, cx.string(text), Use.DOC, start)


def _innermost(cx: Context, by_start: list[tuple[int, int, int]], position: int) -> int:
    """Return the innermost symbol around an offset, or -1. `by_start` are symbols by start, outer ones first."""
    place = bisect_right(by_start, (position, 0, 0)) - 1
    symbol = by_start[place][2] if place >= 0 else -1
    while symbol >= 0 and cx.symbols[symbol].end <= position:
        symbol = cx.symbols[symbol].parent
    return symbol


def _scopes_of_symbols(cx: Context) -> dict[int, tuple[int, int]]:
    """Map each symbol whose name is in a scope to that scope, and to the scope of its body (-1 unless it is a namespace)."""
    found: dict[int, tuple[int, int]] = {}
    for binding in cx.bindings:
        for index in binding.decls:
            decl = cx.decls[index]
            if decl.symbol >= 0:
                found[decl.symbol] = binding.scope, decl.a if decl.kind == DeclKind.NAMESPACE else -1
    return found


def _scope_at(cx: Context, scopes: dict[int, tuple[int, int]], symbol: int, position: int) -> int:
    """Return the scope in which the links of a symbol's comment are resolved."""
    while symbol >= 0:
        if symbol in scopes:
            around, body = scopes[symbol]
            return body if body >= 0 and position > cx.symbols[symbol].declaration else around
        symbol = cx.symbols[symbol].parent
    return 0
