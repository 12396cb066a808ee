"""Everything an index holds, in a form that does not depend on how it came about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.generations.generations import GenerationStore
from astrolabe.retrieval.lexical.index import LexicalIndex
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.schema import ddl
from astrolabe.server.stores.stored_vectors import vectors_folder

#: What follows from when an index was made, or from when a file was looked at.
_TIMES = {"mtime"}

Dump = dict[str, Any]


def dump_index(data_dir: Path) -> Dump:
    """Rows by table, counts, chunks with their vectors, and postings; rows by their keys instead of internal numbers."""
    generation = GenerationStore(data_dir).current()
    assert generation is not None
    with generation, GraphDatabase.open(generation.graph_path) as graph:
        found: Dump = {f"graph {name}": rows for name, rows in _graph(graph).items()}
        found["counts"] = {name: count for name, count in generation.manifest.counts.items() if count}
        counted = {name: sum(found[f"graph {name}"].values()) for name in ddl.tables()}
        table = ChunkTable.open(vectors_folder(data_dir), generation.manifest.vectors_version)
        found.update(_chunks(table))
        found["hashes"] = {stamp.relative_path: (stamp.size, stamp.content_hash) for stamp in generation.manifest.stamps}
        found["excluded"] = generation.manifest.excluded
    found["counted"] = {name: count for name, count in counted.items() if count}
    return found


def differences(one: Dump, other: Dump, most: int = 5) -> list[str]:
    """The first differences of each part, for people."""
    lines = []
    for name in sorted({*one, *other}):
        left, right = one.get(name), other.get(name)
        if left == right:
            continue
        if isinstance(left, Counter) and isinstance(right, Counter):
            lines += [f"{name}: only in the first: {row}" for row in list((left - right).elements())[:most]]
            lines += [f"{name}: only in the second: {row}" for row in list((right - left).elements())[:most]]
        elif isinstance(left, dict) and isinstance(right, dict):
            keys = [key for key in sorted({*left, *right}) if left.get(key) != right.get(key)]
            lines += [f"{name}[{key}]: {left.get(key)!r:.300} and {right.get(key)!r:.300}" for key in keys[:most]]
        else:
            lines.append(f"{name}: {left!r:.300} and {right!r:.300}")
    return lines


def _graph(graph: GraphDatabase) -> dict[str, Counter[tuple[Any, ...]]]:
    nodes, edges = "MATCH (n) RETURN label(n), count(*)", "RETURN label(r), label(a), label(b), count(*)"
    # The engine keeps each edge at both of its ends.
    ahead, back = (_counts(graph, f"{match} {edges}") for match in ("MATCH (a)-[r]->(b)", "MATCH (b) WITH b MATCH (b)<-[r]-(a)"))
    filled = _counts(graph, nodes)
    found = {"edges ahead": ahead, "edges back": back}
    for name, table in ddl.tables().items():
        names = [prop.name for prop in table.properties if prop.name not in _TIMES]
        rows = found[name] = Counter[tuple[Any, ...]]()
        if table.kind == "node":
            if filled[name,]:
                columns = ", ".join(f"n.{prop}" for prop in names)
                rows.update(graph.rows(f"MATCH (n:{name}) RETURN {columns}"))
            continue
        for start, end in table.connections:
            keys = [f"a.{ddl.tables()[start].primary_key}", f"b.{ddl.tables()[end].primary_key}"]
            columns = ", ".join([*keys, *(f"r.{prop}" for prop in names)])
            if ahead[name, start, end]:
                joined = graph.rows(f"MATCH (a:{start})-[r:{name}]->(b:{end}) RETURN {columns}")
                rows.update((start, end, *row) for row in joined)
            if back[name, start, end]:
                joined = graph.rows(f"MATCH (b:{end}) WITH b MATCH (b)<-[r:{name}]-(a:{start}) RETURN {columns}")
                found[f"{name} from {start} to {end}, backwards"] = Counter((start, end, *row) for row in joined)
    return found


def _counts(graph: GraphDatabase, statement: str) -> Counter[tuple[Any, ...]]:
    """The number of rows by labels: most tables of a small project are empty, and one statement tells which."""
    return Counter({tuple(labels): count for *labels, count in graph.rows(statement)})


def _chunks(table: ChunkTable) -> Dump:
    rows = table.rows.numbers.tolist()
    candidates = table.rows.read(rows)
    ids = {candidate.row: candidate.id for candidate in candidates}
    assert len(ids) == len(set(ids.values())) == len(rows)
    chunks = table.read_chunks(ids.values())
    lexical = table.lexical
    assert lexical.documents == len(rows)
    return {
        "chunks": {
            key: tuple(value for name, value in _fields(chunk) if name != "last_modified") for key, chunk in chunks.items()
        },
        "vectors": {
            text: vector.astype(np.float16).tobytes()
            for text, vector in table.read_embedded({row.relative_path for row in candidates}).items()
        },
        "parents": {row.id: None if row.parent_row is None else ids[row.parent_row] for row in candidates},
        "postings": _postings(lexical, ids),
        "texts": dict(table.texts),
    }


def _fields(record: Any) -> list[tuple[str, Any]]:
    return [(name, getattr(record, name)) for name in record.__struct_fields__]


def _postings(index: LexicalIndex, ids: dict[int, str]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for term in index.terms:
        rows, prominence = index.posting(term)
        found[term] = {ids[row]: int(value) for row, value in zip(rows.tolist(), prominence.tolist(), strict=True)}
    return found
