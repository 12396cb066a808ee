"""Retrieval units: each symbol's source with its body-bearing children collapsed to signatures."""

from __future__ import annotations

from ..facts import ChunkFact, DeclKind, Meaning
from ..source_text import SourceText
from .context import Context
from .outline import Outline


def chunk_facts(cx: Context, outline: Outline, source: SourceText) -> list[ChunkFact]:
    """The chunks of a file, in source order of their symbols."""
    used = _imports_used(cx, outline)
    order = sorted(
        (i for i, chunked in enumerate(outline.chunked) if chunked), key=lambda i: (cx.symbols[i].start, outline.depths[i])
    )
    return [ChunkFact(index, _collapsed(cx, outline, source, index), sorted(used[index])) for index in order]


def _collapsed(cx: Context, outline: Outline, source: SourceText, index: int) -> str | None:
    """Source lines of a symbol with stubs for its chunked children; None when it has none."""
    children = [child for child in outline.children[index] if outline.chunked[child]]
    if not children:
        return None
    starts = source.line_starts
    at = starts[outline.start_lines[index] - 1]
    last = outline.end_lines[index]
    end = starts[last] if last < len(starts) else len(source.data)
    parts: list[bytes] = []
    for child in children:
        state = cx.symbols[child]
        if state.declaration < at:
            continue
        parts.append(source.data[at : state.declaration])
        parts.append(state.signature.encode("utf-8", "replace").rstrip(b"; ") + b";")
        at = _after(source.data, state.end)
    parts.append(source.data[at:end])
    return b"".join(parts).decode("utf-8", "replace").rstrip("\r\n")


def _after(data: bytes, end: int) -> int:
    """Behind the separator that follows a collapsed child."""
    return end + 1 if data[end : end + 1] in (b",", b";") else end


def _imports_used(cx: Context, outline: Outline) -> list[set[int]]:
    """Root import symbols whose names each symbol's source uses, nested symbols included."""
    imported = {
        index: cx.decls[decl].symbol
        for index, binding in enumerate(cx.bindings)
        if binding.meaning & Meaning.NAMESPACE  # as that of all imports
        for decl in binding.decls
        if cx.decls[decl].kind == DeclKind.IMPORT and cx.decls[decl].symbol >= 0
    }
    used: list[set[int]] = [set() for _ in cx.symbols]
    if not imported:
        return used
    # The names are in the order of their nodes, so the owners are walked along with them.
    offsets, symbols = [*cx.owners[0::2], len(cx.code)], cx.owners[1::2]
    code, place = cx.code, 0
    for node, _, _ in cx.pending:
        symbol = imported.get(code[node + 1])
        if symbol is None:
            continue
        while offsets[place + 1] <= node:
            place += 1
        owner = symbols[place]
        while owner >= 0 and symbol not in used[owner]:
            used[owner].add(symbol)
            owner = cx.symbols[owner].parent
    return used
