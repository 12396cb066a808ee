"""Kùzu and its fork Ladybug: both write, change and answer alike, and neither opens what the other wrote.

Each engine has processes of its own, because one process cannot load both.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

Answers = dict[str, Any]

ENGINES = {"kuzu": b"KUZU", "ladybug": b"LBUG"}
#: Indexes a folder, changes two files, and prints what is answered then: all of it independent of the engine's internal numbers.
_ASK = """
import json, sys
from pathlib import Path
import astrolabe

root = Path(sys.argv[1])
with astrolabe.open(root) as workspace:
    (root / "src/refund.ts").write_text("export function refundOrder() { return 1 }\\n")
    verify = root / "src/auth/verify.ts"
    verify.write_text(f"// changed\\n{verify.read_text()}")
    def rows(query, **parameters):
        return workspace.cypher(query, parameters).rows
    answers = {
        "engine": workspace.status().graph_engine,
        "search": workspace.search("where are tokens validated").text,
        "new file": workspace.search("symbol = refundOrder").text,
        "trace": workspace.trace("validateToken").to_json(),
        "map": workspace.map().to_json(),
        "rows": rows("MATCH (s)-[c:CALLS]->(t) RETURN s.name, c.lines, t.name ORDER BY s.name, t.name"),
        "node": rows("MATCH (s:Symbol) WHERE s.name = $name RETURN s, collect(s)", name="handleLogin"),
        "path": rows("MATCH p = (s:Symbol)-[:CALLS*1..2]->(:Symbol) WHERE s.name = 'handleLogin' RETURN p"),
        "generation": workspace.status().generation,
        "fresh": workspace.status().fresh,
    }
print(json.dumps(answers).replace(str(root), "ROOT"))
"""
_HIDDEN = "import sys; sys.modules['ladybug'] = None; from astrolabe.__main__ import run; run()"
_BOTH = """
import sys
from pathlib import Path
from astrolabe.graphdb import engine
from astrolabe.schema.errors import UsageError
engine.create(Path("first"), sys.argv[1])
try:
    engine.create(Path("second"), sys.argv[2])
except UsageError as error:
    print(error)
"""


@cache
def _why_not_loaded() -> str:
    """Why Ladybug cannot be loaded here; "" where it can."""
    tried = subprocess.run([sys.executable, "-c", "import ladybug._lbug"], capture_output=True, text=True, check=False)
    return tried.stderr.strip().splitlines()[-1] if tried.returncode else ""


def _need(engine: str) -> None:
    if engine == "ladybug" and (reason := _why_not_loaded()):
        pytest.skip(f'Ladybug is not here ({reason}): pip install "astrolabe-code[ladybug]"')


def _command(engine: str, root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command line in a process of its own, with the graph engine set."""
    return _run(engine, "-m", "astrolabe", *arguments, "--root", str(root))


def _run(engine: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env={**os.environ, "ASTROLABE_GRAPH_ENGINE": engine},
    )


@pytest.fixture(scope="module")
def answers(_indexed_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Answers]]:
    """The folder of an index that an engine wrote and then changed, and what is answered from it."""

    @cache
    def ask(engine: str) -> tuple[Path, Answers]:
        _need(engine)
        root = tmp_path_factory.mktemp(f"{engine:_<8}") / "shop"  # of one length, since answers count the tokens of paths
        shutil.copytree(_indexed_once, root, ignore=shutil.ignore_patterns(".astrolabe"))
        asked = _run(engine, "-c", _ASK, str(root))
        assert (asked.returncode, asked.stderr) == (0, "")
        return root, json.loads(asked.stdout)

    return ask


@pytest.mark.parametrize("engine", ENGINES)
def test_an_index_is_written_changed_and_read(answers: Callable[[str], tuple[Path, Answers]], engine: str) -> None:
    root, found = answers(engine)
    assert (found["engine"], found["generation"], found["fresh"]) == (engine, 2, True)
    assert "refundOrder" in found["new file"]
    assert found["rows"][0] == ["handleLogin", [7], "validateToken"]
    [[node, [same]]] = found["node"]
    assert node["_label"] == same["_label"] == "Symbol"
    assert found["path"][0][0].keys() == {"_nodes", "_rels"}
    generation = root / ".astrolabe" / "generations" / "2"
    manifest = json.loads((generation / "manifest.json").read_bytes())
    assert manifest["graph_engine"] == engine
    assert (generation / "graph.kuzu").read_bytes()[:4] == ENGINES[engine]
    assert manifest["log_bytes"] == (generation / "graph.kuzu.wal").stat().st_size > 0


def test_both_give_the_same_answers(answers: Callable[[str], tuple[Path, Answers]]) -> None:
    (_, kuzu), (_, ladybug) = answers("kuzu"), answers("ladybug")
    assert ladybug == kuzu | {"engine": "ladybug"}


def test_an_index_of_the_other_engine_is_built_anew(indexed: Path) -> None:
    _need("ladybug")
    status = _command("ladybug", indexed, "status")
    assert status.returncode == 1
    assert "The index was written by the graph engine kuzu, and the setting graph_engine is ladybug." in status.stderr
    built = _command("ladybug", indexed, "index").stdout
    assert "All files were resolved again: the graph engine is ladybug now, and kuzu wrote the last graph." in built
    assert "0 files parsed" in built
    assert "0 chunks embedded" in built
    back = _command("kuzu", indexed, "search", "symbol = handleLogin")
    assert (back.returncode, back.stderr) == (0, "")
    assert json.loads(_command("kuzu", indexed, "status", "--json").stdout)["generation"] == 3


def test_an_engine_that_is_not_installed_is_named_with_the_command(shop: Path) -> None:
    failed = _run("ladybug", "-c", _HIDDEN, "index", "--root", str(shop))
    assert failed.returncode == 2
    assert 'The graph engine "ladybug" is not installed. Run: pip install "astrolabe-code[ladybug]"' in failed.stderr


def test_an_unknown_engine_is_refused(shop: Path) -> None:
    failed = _command("neo4j", shop, "index")
    assert failed.returncode == 2
    assert 'ASTROLABE_GRAPH_ENGINE must be "kuzu" or "ladybug", not \'neo4j\'' in failed.stderr


@pytest.mark.parametrize(("first", "second"), [("kuzu", "ladybug"), ("ladybug", "kuzu")])
def test_one_process_loads_one_engine(tmp_path: Path, first: str, second: str) -> None:
    _need("ladybug")
    told = subprocess.run(
        [sys.executable, "-P", "-c", _BOTH, first, second], capture_output=True, text=True, check=False, timeout=60, cwd=tmp_path
    )
    sentence = f"The graph engine {second} cannot be loaded in this process, which has loaded {first}. Use another process."
    assert (told.returncode, told.stdout.strip(), told.stderr) == (0, sentence, "")
