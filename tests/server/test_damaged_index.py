"""Damaged files of an index: the next command mends it, says so, and gives the right answer.

The short form of `python -m tests.failure_report damage`, which goes through all files and kinds of damage.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from failure_report.damage import damage

Run = Callable[..., Any]

#: The file, by its pattern (the last of several), and what becomes of it.
TOLD = [
    ("generations/*/graph.kuzu", "noise"),
    ("generations/*/graph.kuzu", "a byte"),
    ("generations/*/graph.kuzu.wal", "noise"),
    ("generations/*/graph.kuzu.wal", "a byte"),
    ("generations/*/manifest.json", "half"),
    ("vectors/chunks.lance/data/*.lance", "a byte"),
    ("vectors/chunks.lance/_versions/*.manifest", "half"),
    ("vectors/lexical-*.bin", "a byte"),
    ("vectors/texts-*.bin", "a byte"),
    ("CURRENT", "empty"),
]


@pytest.fixture
def changed(run: Run, indexed: Path) -> Path:
    """An index with a log beside its graph."""
    (indexed / "src" / "refund.ts").write_text("export function refundOrder() { return 1 }\n")
    assert run("index", "--json").json["generation"] == 2
    return indexed


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("pattern", "kind"), TOLD, ids=lambda value: value)
def test_damage_is_mended_and_told(run: Run, changed: Path, pattern: str, kind: str) -> None:
    data = changed / ".astrolabe"
    before = run("search", "symbol = TokenService > validateToken", "--json").json
    name = max(data.glob(pattern)).relative_to(data).as_posix()
    damage(data, name, kind, seed=name)
    found = run("search", "symbol = TokenService > validateToken", "--json")
    assert (found.code, found.json["results"]) == (0, before["results"])
    assert found.json["text"][0].startswith("The index was damaged and has been rebuilt: ")
    assert "index again" not in found.json["text"][0]
    again = run("search", "symbol = TokenService > validateToken", "--json").json
    assert again["text"] == before["text"]
    assert run("status", "--json").json["fresh"]


@pytest.mark.parametrize(("name", "why"), [("links.bin", "the links between files are not kept"), ("graph.ranking", "")])
def test_what_only_updates_need_is_made_anew_by_the_next_one(run: Run, changed: Path, name: str, why: str) -> None:
    data = changed / ".astrolabe"
    damage(data, f"generations/2/{name}", "a byte", seed="")
    assert run("index", "--json").json["outcome"] == "unchanged"
    (changed / "src" / "refund.ts").write_text("export function refundAll() { return 1 }\n")
    found = run("index", "--json").json
    assert (found["generation"], found["builtAnewBecause"]) == (3, why)
    assert (data / "generations/3" / name).stat().st_size
    assert run("search", "symbol = refundAll", "--json").json["results"]


@pytest.mark.parametrize("damaged", [True, False])
def test_symbols_are_read_from_the_graph_if_the_file_beside_it_is_of_no_use(run: Run, changed: Path, damaged: bool) -> None:
    before = run("search", "symbol = TokenService > validateToken", "--json").json
    stored = changed / ".astrolabe/generations/2/graph.symbols"
    assert stored.stat().st_size
    if damaged:
        damage(changed / ".astrolabe", "generations/2/graph.symbols", "noise", seed="")
    else:
        stored.unlink()
    found = run("search", "symbol = TokenService > validateToken", "--json").json
    assert (found["text"], found["results"]) == (before["text"], before["results"])
    (changed / "src" / "refund.ts").write_text("export function refundAll() { return 1 }\n")
    assert run("search", "symbol = refundAll", "--json").json["results"]
    assert run("search", "symbol = TokenService > validateToken", "--json").json["results"] == before["results"]
    assert not (changed / ".astrolabe/generations/3/graph.symbols").exists()
