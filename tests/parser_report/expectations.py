"""What is right for a fixture: its sidecar `NAME.expected.json`, reviewed by hand against the source.

A sidecar lists symbols, chunks, root items and counts. Fields that have their usual value are left out: no parent, no
children, not exported, no modifiers, no doc comment, no imports, no stubs.

An entry tells what is right. Where the product still differs, the entry has `today`: the fields as they are now, or null where
the product has no such entry at all; an entry that should not be there is marked `"wrong": true`. A fixture with such marks fails
as soon as the product is right, so that the marks go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from astrolabe.schema.records import Chunk, Symbol

from .reading import FileReading, read_source
from .rules import full_coverage, token_limit

Entry = dict[str, Any]

#: Kinds of what stands at the root without being a declaration of its own, and of plain values.
_ROOT_ITEMS = frozenset(("import", "expression", "re-export", "export", "comment", "const", "variable"))
_SECTIONS = ("symbols", "chunks", "rootItems")
_MARKS = ("today", "wrong")


def fixture_sources(folder: Path) -> list[Path]:
    """The fixtures of a folder: everything that has a sidecar beside it, and what has none yet."""
    return sorted(path for path in folder.iterdir() if path.suffix != ".json")


def sidecar(source: Path) -> Path:
    """`functions.ts` -> `functions.expected.json`."""
    return source.with_suffix(".expected.json")


def read_fixture(source: Path) -> FileReading:
    """The product's reading of a fixture."""
    return read_source(source.name, source.read_bytes())


def found(file: FileReading) -> Entry:
    """The product's reading in the form of a sidecar."""
    return {
        "symbols": [_symbol(file, symbol) for symbol in _in_source_order(file)],
        "chunks": [_chunk(file, chunk) for chunk in file.chunks],
        "rootItems": [
            {"kind": symbol.kind, "name": symbol.name, "lineRange": [symbol.start_line, symbol.end_line]}
            for symbol in _in_source_order(file)
            if symbol.depth == 0 and symbol.kind in _ROOT_ITEMS
        ],
        "stats": {
            "totalSymbols": len(file.symbols),
            "totalChunks": len(file.chunks),
            "totalRootItems": sum(symbol.depth == 0 and symbol.kind in _ROOT_ITEMS for symbol in file.symbols),
            "maxDepth": max((symbol.depth for symbol in file.symbols), default=0),
            "fullCoverage": not any(full_coverage(file)),
            "allChunksUnder32K": not any(token_limit(file)),
        },
        "problems": [f"{problem.line}: {problem.reason}" for problem in file.problems],
    }


def _in_source_order(file: FileReading) -> Iterator[Symbol]:
    children: dict[str | None, list[Symbol]] = {}
    for symbol in file.symbols:
        children.setdefault(symbol.parent_id, []).append(symbol)
    stack = children.get(None, [])[::-1]
    while stack:
        symbol = stack.pop()
        yield symbol
        stack += children.get(symbol.id, [])[::-1]


def _symbol(file: FileReading, symbol: Symbol) -> Entry:
    parent = file.by_id.get(symbol.parent_id or "")
    return _without_usual(
        {
            "name": symbol.name,
            "kind": symbol.kind,
            "depth": symbol.depth,
            "parentName": parent.name if parent else None,
            "hasChildren": any(other.parent_id == symbol.id for other in file.symbols),
            "exported": symbol.exported,
            "modifiers": list(symbol.modifiers),
            "lineRange": [symbol.start_line, symbol.end_line],
            "signature": symbol.signature,
            "doc": symbol.doc,
        }
    )


def _chunk(file: FileReading, chunk: Chunk) -> Entry:
    children = [file.chunk_by_id[child] for child in chunk.child_chunk_ids]
    return _without_usual(
        {
            "breadcrumb": chunk.breadcrumb.removeprefix(f"{file.path} > "),
            "nodeKind": chunk.node_kind,
            "lineRange": [chunk.start_line, chunk.end_line],
            "hasCollapsedChildren": bool(children),
            "isLeaf": chunk.embedding_text == file.source_of(chunk),
            "lineCount": chunk.embedding_text.count("\n") + 1,
            "relevantImports": list(chunk.relevant_imports),
            "stubs": list(_stubs(file, chunk, children)),
        }
    )


def _stubs(file: FileReading, chunk: Chunk, children: list[Chunk]) -> Iterator[str]:
    """The stubs of a chunk's children that its embedding text holds, in its order."""
    at = 0
    for child in sorted(children, key=lambda child: child.start_line):
        stub = child.signature.rstrip("; ") + ";"
        place = chunk.embedding_text.find(stub, at)
        if place < 0:  # of overloads the stub is the header of the implementation
            own = {line.strip() for line in file.source_of(child).splitlines()}
            lines = map(str.strip, chunk.embedding_text[at:].splitlines())
            stub = next((line for line in lines if line.endswith(";") and child.name in line and line not in own), stub)
            place = chunk.embedding_text.find(stub, at)
        if place >= 0:
            at = place + len(stub)
            yield stub


def _without_usual(entry: Entry) -> Entry:
    return {key: value for key, value in entry.items() if value not in (None, False, [], "")}


# -------------------------------------------------------------------- comparison


def differences(expected: Entry, actual: Entry) -> list[str]:
    """Where a reading is not what the sidecar says of today, in words."""
    told: list[str] = []
    for section in _SECTIONS:
        today = [shown for entry in expected[section] if (shown := as_today(entry)) is not None]
        told += [f"{section}: expected {entry}, which is not there" for entry in today if entry not in actual[section]]
        told += [f"{section}: unexpected {entry}" for entry in actual[section] if entry not in today]
        if not told and today != actual[section]:
            told.append(f"{section}: entries are repeated or in another order")
        told += [f"{section}: `today` of {entry} is what is right" for entry in expected[section] if _says_nothing(entry)]
    stats = {**_right(expected["stats"]), **expected["stats"].get("today", {})}
    for section, today in (("stats", stats), ("problems", expected["problems"])):
        if today != actual[section]:
            told.append(f"{section}: expected {today}, got {actual[section]}")
    return told


def as_today(entry: Entry) -> Entry | None:
    """An entry as the product is expected to have it now; None where it has none."""
    if "today" not in entry:
        return _right(entry)
    return None if entry["today"] is None else _without_usual({**_right(entry), **entry["today"]})


def _right(entry: Entry) -> Entry:
    return {key: value for key, value in entry.items() if key not in _MARKS}


def _says_nothing(entry: Entry) -> bool:
    return "today" in entry and as_today(entry) == _right(entry)


def known_differences(expected: Entry) -> list[Entry]:
    """The entries in which the product is known to be wrong."""
    return [entry for section in _SECTIONS for entry in expected[section] if any(mark in entry for mark in _MARKS)]


# -------------------------------------------------------------------- files


def load(source: Path) -> Entry:
    """The sidecar of a fixture. Raises FileNotFoundError."""
    expected: Entry = json.loads(sidecar(source).read_text("utf-8"))
    return expected


def write(source: Path, actual: Entry) -> None:
    """Write a sidecar anew from a reading; entries that are still marked as they are today keep what is right."""
    kept: list[Entry] = known_differences(load(source)) if sidecar(source).exists() else []
    written = {**actual, **{section: [_marked(entry, kept) for entry in actual[section]] for section in _SECTIONS}}
    sidecar(source).write_text(_text(written), "utf-8")


def _marked(entry: Entry, kept: list[Entry]) -> Entry:
    return next((known for known in kept if as_today(known) == entry), entry)


def _text(expected: Entry) -> str:
    """JSON with a line for each entry, so that a difference can be read."""
    parts = []
    for section, value in expected.items():
        if isinstance(value, list) and value:
            lines = ",\n".join(f"    {json.dumps(entry, ensure_ascii=False)}" for entry in value)
            parts.append(f'  "{section}": [\n{lines}\n  ]')
        else:
            parts.append(f'  "{section}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"
