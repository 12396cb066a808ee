"""Make chunks: the source of each symbol, in which children with bodies are collapsed to signatures."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence

from tree_sitter import Node

from ..facts.model import ChunkFact, DeclKind, Meaning
from ..files.source_text import SourceText
from .byte_ranges import between, decoded
from .embedding_cuts import MAX_PIECE_LENGTH, embedding_cuts
from .lowering_state import LoweringState
from .symbol_tree import SymbolTree


def chunk_facts(cx: LoweringState, symbol_tree: SymbolTree, source: SourceText, root: Node) -> list[ChunkFact]:
    """Return the chunks of a file, in the source order of their symbols."""
    children = _children(cx, symbol_tree)
    used = _imports_used(cx, symbol_tree, children)
    order = sorted(
        (i for i, chunked in enumerate(symbol_tree.chunked) if chunked),
        key=lambda i: (cx.symbols[i].start, symbol_tree.depths[i]),
    )
    return [_chunk(cx, symbol_tree, source, root, index, children.get(index, ()), sorted(used.get(index, ()))) for index in order]


def _chunk(
    cx: LoweringState,
    symbol_tree: SymbolTree,
    source: SourceText,
    root: Node,
    index: int,
    children: Sequence[int],
    imports: list[int],
) -> ChunkFact:
    first, end = _line_range(symbol_tree, source, index)
    collapsed, kept = _collapsed(cx, source, (first, end), children) if children else (None, [(first, end, 0)])
    cuts: list[int] = []
    if len(collapsed or "") > MAX_PIECE_LENGTH or (collapsed is None and end - first > MAX_PIECE_LENGTH):
        text = decoded(source.data, first, end).rstrip("\r\n") if collapsed is None else collapsed
        cuts = embedding_cuts(text, kept, root, source)
    return ChunkFact(index, symbol_tree.holders[index], collapsed, imports, cuts, cx.symbols[index].is_test)


def _line_range(symbol_tree: SymbolTree, source: SourceText, index: int) -> tuple[int, int]:
    """Return the first byte and the end of the lines of a symbol."""
    starts, last = source.line_starts, symbol_tree.end_lines[index]
    return starts[symbol_tree.start_lines[index] - 1], starts[last] if last < len(starts) else len(source.data)


def _children(cx: LoweringState, symbol_tree: SymbolTree) -> dict[int, list[int]]:
    """Map each chunk to the chunks directly inside it, in source order; the key -1 maps to the chunks at the root."""
    found: dict[int, list[int]] = {}
    for index, chunked in enumerate(symbol_tree.chunked):
        if chunked:
            found.setdefault(symbol_tree.holders[index], []).append(index)
    for siblings in found.values():
        siblings.sort(key=lambda index: cx.symbols[index].start)
    return found


def _collapsed(
    cx: LoweringState, source: SourceText, lines: tuple[int, int], children: Sequence[int]
) -> tuple[str, list[tuple[int, int, int]]]:
    """Return the source lines of a symbol with stubs for the chunks directly inside, and the source ranges that the text
    contains."""
    at, end = lines
    parts: list[str] = []
    kept: list[tuple[int, int, int]] = []
    length = 0
    for child in children:
        state = cx.symbols[child]
        if state.declaration < at:
            continue
        shown = decoded(source.data, at, state.declaration)
        stub = (state.stub or state.signature).rstrip("; ") + ";"
        kept.append((at, state.declaration, length))
        parts += (shown, stub)
        length += len(shown) + len(stub)
        at = _after(source.data, state.end)
    kept.append((at, end, length))
    parts.append(decoded(source.data, at, end))
    return "".join(parts).rstrip("\r\n"), kept


def _after(data: bytes, end: int) -> int:
    """Return the offset after the separator that follows a collapsed child."""
    return end + 1 if between(data, end, end + 1) in (b",", b";") else end


def _imports_used(cx: LoweringState, symbol_tree: SymbolTree, children: dict[int, list[int]]) -> dict[int, set[int]]:
    """Return the import statements at the root whose names occur in the lines of each chunk."""
    used: dict[int, set[int]] = {}
    imported = _root_imports(cx)
    if not imported:
        return used
    code, line_starts = cx.code, [*symbol_tree.line_starts, sys.maxsize]
    uses = sorted([(code[node + 4], imported[binding]) for node, _, _ in cx.pending if (binding := code[node + 1]) in imported])
    starts = {unit: [symbol_tree.start_lines[index] for index in inside] for unit, inside in children.items()}
    units: list[set[int]] = []
    end = -1
    for position, symbol in uses:
        if position >= end:  # the first use on a new line; the chunks around a line are the same for all uses on it
            line = bisect_right(line_starts, position)
            end = line_starts[line]
            units = []
            unit = -1
            while unit in starts:
                place = bisect_right(starts[unit], line) - 1
                if place < 0 or symbol_tree.end_lines[children[unit][place]] < line:
                    break
                unit = children[unit][place]
                if cx.symbols[unit].kind != "comment":
                    units.append(used.setdefault(unit, set()))
        for symbols in units:
            symbols.add(symbol)
    return used


def _root_imports(cx: LoweringState) -> dict[int, int]:
    """Map the bindings of root import statements to the symbol of the statement."""
    return {
        index: cx.decls[decl].symbol
        for index, binding in enumerate(cx.bindings)
        if binding.meaning & Meaning.NAMESPACE  # every imported name may be a namespace
        for decl in binding.decls
        if cx.decls[decl].symbol >= 0 and _imports(cx, decl)
    }


def _imports(cx: LoweringState, decl: int) -> bool:
    """Return whether a declaration is an import.

    `import A = N.B` is an import only at the root. In a namespace, it is a member.
    """
    kind = cx.decls[decl].kind
    is_alias = kind == DeclKind.IMPORT_ALIAS and cx.symbols[cx.decls[decl].symbol].parent < 0
    return kind == DeclKind.IMPORT or is_alias
