"""Read the tags of Svelte's blocks, such as `{#each items as item (item.id)}`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..components.expression_scan import skeleton
from ..components.markup import Code, Span

_BLOCK: Final = re.compile(rb"\s*([#:/@])\s*([a-z]+)\s*(if\b)?\s*")
_AS: Final = re.compile(rb"\sas\s")
_THEN: Final = re.compile(rb"\s(then|catch)(?:\s|\Z)")
_NAME: Final = re.compile(rb"[\w$]+")
_INDEX: Final = re.compile(rb"\s*,\s*([\w$]+)")


class Block(NamedTuple):
    """A block tag: the name with its mark, the expression, and the declared names."""

    name: str
    code: Span
    pattern: Span | None = None
    key: Span | None = None
    #: Name of the index of an `{#each}`.
    counter: Span | None = None


def read_block(data: bytes, event: Code) -> Block | None:
    """Return the parts of a block tag, or None for an expression."""
    found = _BLOCK.match(data, event.start, event.end)
    if found is None:
        return None
    name = (found[1] + found[2]).decode()
    start, end = found.end(), event.end
    if found[3] is not None and name != ":else":
        start = found.start(3)
    if name == ":else" and found[3] is not None:
        name = ":else if"
    if name == "#each":
        return _each(data, start, end)
    if name == "#await":
        text = skeleton(data, start, end)
        split = _THEN.search(text)
        if split is None:
            return Block(name, Span(start, end))
        pattern = _trimmed(data, start + split.end(), end)
        return Block(f"#{split[1].decode()}", Span(start, start + split.start()), pattern)
    if name in (":then", ":catch"):
        return Block(name, Span(end, end), _trimmed(data, start, end))
    return Block(name, Span(start, end))


def _trimmed(data: bytes, start: int, end: int) -> Span | None:
    text = data[start:end]
    left = len(text) - len(text.lstrip())
    return Span(start + left, start + len(text.rstrip())) if text.strip() else None


def _each(data: bytes, start: int, end: int) -> Block:
    """Return the parts of `items as pattern, index (key)`."""
    text = skeleton(data, start, end)
    splits = list(_AS.finditer(text))
    if not splits:
        index = text.rfind(b",")
        listed = Span(start, start + index) if index >= 0 else Span(start, end)
        return Block("#each", listed, None, None, _trimmed(data, start + index + 1, end) if index >= 0 else None)
    listed, at = Span(start, start + splits[-1].start()), splits[-1].end()
    while at < len(text) and text[at : at + 1].isspace():
        at += 1
    closer = {b"{": b"}", b"[": b"]"}.get(text[at : at + 1])
    name = _NAME.match(text, at)
    stop = text.find(closer, at) + 1 if closer is not None else name.end() if name is not None else at
    pattern = _trimmed(data, start + at, start + max(stop, at))
    index_name, key = None, None
    rest = max(stop, at)
    if (found := _INDEX.match(text, rest)) is not None:
        index_name = Span(start + found.start(1), start + found.end(1))
        rest = found.end()
    opened = text.find(b"(", rest)
    closed = text.rfind(b")")
    if 0 <= opened < closed:
        key = Span(start + opened + 1, start + closed)
    return Block("#each", listed, pattern, key, index_name)
