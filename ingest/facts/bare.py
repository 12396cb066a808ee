"""Facts without anything to resolve."""

from __future__ import annotations

from ...schema.records import Problem
from .model import ChunkFact, FileFacts, SymbolFact, int_cells


def bare_facts(
    language: str,
    line_starts: list[int],
    symbols: list[SymbolFact],
    chunks: list[ChunkFact],
    problems: list[Problem],
    lines: int,
) -> FileFacts:
    """Return the facts of a file of which only symbols and chunks are known: nothing in it can be resolved."""
    return FileFacts(
        language=language,
        code=b"",
        lists=b"",
        strings=[],
        line_starts=int_cells(line_starts),
        owners=int_cells([0, -1]),
        symbols=symbols,
        chunks=chunks,
        decls=[],
        bindings=[],
        scopes={},
        shapes=[],
        functions=[],
        imports=[],
        exports=[],
        expandos=[],
        calls=[],
        contexts={},
        problems=problems,
        is_module=False,
        lines=lines,
    )
