"""The code of each declaration without comments and layout, so that two states of a declaration can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

from ..facts.model import FileFacts
from ..languages.registry import language as language_named

if TYPE_CHECKING:
    from tree_sitter import Node

#: Punctuation without a meaning in the syntax tree: the end of a statement, and the commas of a list.
_SILENT: Final = frozenset((";", ",", "(", ")", ""))
#: Nodes that only put parentheses around a node.
_TRANSPARENT: Final = frozenset(("parenthesized_expression", "parenthesized_type"))
#: Nodes that delimit strings. Single and double quotes are equivalent.
_QUOTES: Final = frozenset(('"', "'", "string_start", "string_end"))
_BLANK: Final = re.compile(r"\s+")
#: Punctuation, with the blanks around it.
_AROUND: Final = re.compile(r" ?([^\w\s]) ?")
_WORD: Final = re.compile(rb"\w+|[^\w\s]")


class Token(NamedTuple):
    """A piece of code: a leaf of the syntax tree, or the beginning or the end of a node."""

    #: Line of the token, counted from 1.
    line: int
    text: str
    is_leaf: bool


class Code(NamedTuple):
    """The code of a symbol."""

    #: Digest of the tokens of the declaration, without nested declarations.
    own: bytes
    #: Digest of all tokens of the declaration except its name.
    body: bytes
    #: Words of the leaves of the declaration, in order and without its name, for comparison by similarity.
    words: tuple[str, ...]
    #: Digest of the lines of the declaration, with comments and layout, but without nested declarations.
    text: bytes


def codes(facts: FileFacts, text: bytes) -> tuple[list[Code], bytes]:
    """Return the code of each symbol of a file, in the order of its facts, and a digest of the code outside declarations."""
    tokens = _tokens(text, facts.language)
    lines = text.split(b"\n")
    owners = _owners(facts, len(lines))
    own: list[list[str]] = [[] for _ in facts.symbols]
    loose: list[str] = []
    for token in tokens:
        holders = owners[min(token.line, len(lines))]
        for holder in holders:
            own[holder].append(token.text if token.is_leaf else f"\0{token.text}")
        if not holders:
            loose.append(token.text)
    own_lines: list[list[bytes]] = [[] for _ in facts.symbols]
    for number, line in enumerate(lines, 1):
        for holder in owners[number]:
            own_lines[holder].append(line)
    inner: list[list[int]] = [[] for _ in facts.symbols]
    for index, symbol in enumerate(facts.symbols):
        if symbol.parent >= 0:
            inner[symbol.parent].append(index)
    whole: list[list[str]] = [[] for _ in facts.symbols]
    for index in sorted(range(len(own)), key=lambda each: -facts.symbols[each].depth):
        whole[index] = [*own[index], *(word for child in inner[index] for word in whole[child])]
    found = []
    for index, symbol in enumerate(facts.symbols):
        unnamed = [word for word in whole[index] if word != symbol.name]
        words = tuple(word for word in unnamed if not word.startswith("\0"))
        found.append(Code(_digest(own[index]), _digest(unnamed), words, blake2b(b"\n".join(own_lines[index])).digest()))
    return found, _digest(loose)


def plain(signature: str) -> str:
    """Return a signature without the blanks that only affect its layout."""
    return _AROUND.sub(r"\1", _BLANK.sub(" ", signature)).replace(",)", ")").replace("'", '"').rstrip(";, ")


def _digest(words: Sequence[str]) -> bytes:
    return blake2b("\n".join(words).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _owners(facts: FileFacts, line_count: int) -> list[tuple[int, ...]]:
    """Return the innermost symbols on each line; lines count from 1.

    A line may have several innermost symbols, such as two declarations on one line, or a member that a method declares.
    """
    owners: list[tuple[int, ...]] = [()] * (line_count + 1)
    symbols = facts.symbols
    for index in sorted(range(len(symbols)), key=lambda each: (symbols[each].depth, symbols[each].start_line)):
        symbol = symbols[index]
        around = {symbol.parent}
        outer = symbol.parent
        while outer >= 0:
            outer = symbols[outer].parent
            around.add(outer)
        for line in range(max(1, symbol.start_line), min(symbol.end_line, line_count) + 1):
            owners[line] = (*(each for each in owners[line] if each not in around), index)
    return owners


def _tokens(text: bytes, language: str) -> Iterator[Token]:
    """Yield the leaves of a syntax tree, and the beginning and the end of its nodes, without comments and documentation."""
    named = language_named(language)
    tree = named.parse(text, language) if named.parse is not None else None
    if tree is None or (not tree.root.children and text.strip()):
        for number, content in enumerate(text.split(b"\n"), 1):
            yield from (Token(number, word.decode("utf-8", "replace"), True) for word in _WORD.findall(content))
        return
    root, same, is_documentation = tree.root, named.equivalent_nodes, named.is_documentation
    pending: list[tuple[Node | None, int, str]] = [(root, 0, "")]
    while pending:
        node, line, kind = pending.pop()
        if node is None:
            yield Token(line, f"/{kind}", False)
            continue
        kind = node.type
        kind = same.get(kind, kind)
        if "comment" in kind or (is_documentation is not None and is_documentation(node)):
            continue
        line = node.start_point[0] + 1
        children = node.children
        if not children:
            word = (node.text or b"").decode("utf-8", "replace")
            if kind in _QUOTES:
                word = word.strip("'\"").lower() + '"'
            if word.strip() not in _SILENT:
                yield Token(line, word.strip(), True)
            continue
        if node.is_named and kind not in _TRANSPARENT and node is not root:
            yield Token(line, kind, False)
            pending.append((None, line, kind))
        end = node.start_byte
        for child in children:
            # In a string with escapes, only the escapes are nodes.
            if child.start_byte > end and (between := text[end : child.start_byte].strip()):
                yield Token(line, between.decode("utf-8", "replace"), True)
            end = max(end, child.end_byte)
        if node.end_byte > end and (rest := text[end : node.end_byte].strip()):
            yield Token(line, rest.decode("utf-8", "replace"), True)
        pending += [(child, 0, "") for child in reversed(children)]
