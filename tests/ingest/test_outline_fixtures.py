"""The symbols and chunks of each fixture in `cases/outline`, against the outline beside it, which was reviewed by hand.

An outline has a line for each symbol: nesting, kind, name, first and last line; `at` the line of the declaration and `named` that
of the name, where they differ from the line before; modifiers; the first line of the doc comment; the signature. Below stand the
imports that chunks use, and the chunks that say less than their source. `UPDATE_GOLDENS=1 pytest …` writes
the outlines again; review the difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.languages import language_of

FOLDER = Path(__file__).parent / "cases" / "outline"
SOURCES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".outline")


def outline(facts: FileFacts) -> Iterator[str]:
    symbols = facts.symbols
    for symbol in symbols:
        parts = [f"{'  ' * symbol.depth}{symbol.kind} {symbol.name} {symbol.start_line}-{symbol.end_line}"]
        if symbol.declaration_line != symbol.start_line:
            parts.append(f"at {symbol.declaration_line}")
        if symbol.name_line != symbol.declaration_line:
            parts.append(f"named {symbol.name_line}")
        parts += [f"[{' '.join(symbol.modifiers)}]"] if symbol.modifiers else []
        parts += ["exported"] if symbol.exported else []
        parts += ["chunk"] if symbol.is_chunk else []
        parts += [f"doc {symbol.doc.splitlines()[0]!r}"] if symbol.doc else []
        yield " ".join([*parts, "|", symbol.signature]).rstrip(" |")
    for chunk in facts.chunks:
        symbol = symbols[chunk.symbol]
        if chunk.imports:
            used = ", ".join(symbols[index].name for index in chunk.imports)
            yield f"{symbol.kind} {symbol.name} {symbol.start_line} uses {used}"
    for chunk in facts.chunks:
        if chunk.embedding_text is not None:
            symbol = symbols[chunk.symbol]
            yield f"--- {symbol.kind} {symbol.name} {symbol.start_line}"
            yield chunk.embedding_text
    for problem in facts.problems:
        yield f"problem {problem.line}: {problem.reason}"


@pytest.mark.parametrize("source", SOURCES, ids=[path.name for path in SOURCES])
def test_outline(source: Path) -> None:
    language = language_of(source.name)
    assert language is not None
    found = "\n".join(outline(extract_facts(source.read_bytes(), language))) + "\n"
    expected = source.with_name(source.name + ".outline")
    if os.environ.get("UPDATE_GOLDENS"):
        expected.write_text(found, "utf-8")
    assert found == expected.read_text("utf-8")
