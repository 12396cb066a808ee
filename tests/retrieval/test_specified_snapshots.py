"""Six source files, indexed for real, each with its reviewed excerpt.

`UPDATE_GOLDENS=1` writes the excerpts again, for review.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import astrolabe
import pytest
from answer_report.snapshot_rules import Shown, Target, violations
from astrolabe.graphdb.generations.generations import GenerationStore
from astrolabe.graphdb.queries.symbols import symbols_by_breadcrumb
from astrolabe.graphdb.symbols.symbol_table import SymbolTable
from astrolabe.retrieval.answers.composition import Composer
from astrolabe.retrieval.excerpts.result_merging import named_hits
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.project.source_syntax import SourceSyntax
from astrolabe.server.stores.readers import Readers

FIXTURES = Path(__file__).parent / "snapshot_fixtures"
TARGETS = {
    "single-method": ["CartPricing > subtotal"],
    "two-methods": ["CartPricing > total", "CartPricing > label"],
    "root-constant": ["readWithRetries"],
    "no-dependencies": ["Matrix > close"],
    "cross-reference": ["Sessions > renew", "Sessions > userOf"],
    "expressions-file": ["connect(process.env.DATABASE_URL).then().catch()"],
}
#: Cases that ask the source of another one for other symbols.
SOURCES = {"two-methods": "single-method"}


def source_of(name: str) -> str:
    return (FIXTURES / f"{SOURCES.get(name, name)}.ts").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("snapshots")
    for name in TARGETS:
        (root / f"{name}.ts").write_text(source_of(name), encoding="utf-8")
    with astrolabe.open(root) as opened:
        yield opened


def snapshot_of(workspace: Workspace, name: str) -> tuple[str, list[Target]]:
    """The one snapshot that shows the targets of a file."""
    generation = GenerationStore(workspace.data_dir).current()
    assert generation is not None
    readers = Readers(generation, workspace.data_dir, workspace.settings)
    try:
        table = ChunkTable.open(workspace.data_dir / "vectors", generation.manifest.vectors_version)
        symbols = [symbol for path in TARGETS[name] for symbol in symbols_by_breadcrumb(readers.graph, f"{name}.ts > {path}")]
        assert len(symbols) == len(TARGETS[name])
        places = SymbolTable(readers.graph)
        hits = named_hits(places, table, [symbol.id for symbol in symbols], SourceSyntax())
        answer = Composer(places, table, workspace.settings, SourceSyntax()).compose(name, hits, 8000)
    finally:
        readers.close()
    _, snapshot = answer.texts
    return snapshot.text, [Target(symbol.name, symbol.start_line, symbol.end_line) for symbol in symbols]


@pytest.mark.parametrize("name", TARGETS)
def test_snapshots_are_those_that_were_reviewed(workspace: Workspace, name: str) -> None:
    text, targets = snapshot_of(workspace, name)
    expected = FIXTURES / f"{name}.snapshot"
    if os.environ.get("UPDATE_GOLDENS"):
        expected.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == expected.read_text(encoding="utf-8")
    source = source_of(name)
    assert list(violations(Shown(f"{name}.ts", source, text, targets))) == []


def test_every_symbol_of_the_files_keeps_the_rules(workspace: Workspace) -> None:
    rows = workspace.cypher("MATCH (s:Symbol) WHERE NOT s.kind IN ['import', 'comment'] RETURN s.breadcrumb").rows
    assert len(rows) >= 60
    for (breadcrumb,) in rows:
        found = workspace.symbol(breadcrumb)
        for item in found.answer.texts[1:]:
            path = item.text.split("\n", 1)[0].removeprefix("// ")
            targets = [Target(result.name, result.start_line, result.end_line) for result in found if result.file == path]
            shown = Shown(path, source_of(Path(path).stem), item.text, targets)
            assert list(violations(shown)) == [], breadcrumb
