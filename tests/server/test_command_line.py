"""Every command: its JSON form, its text, its exit code, and what goes to which stream."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment import compiled_engine

Run = Callable[..., Any]


def test_index_json(run: Run) -> None:
    first = run("index", "--json")
    assert (first.code, first.err) == (0, "")
    work = {"parsed", "embedded", "written", "resolved"}
    told = {"generation", "outcome", "counts", "seconds", "builtAnewBecause", "stages", "problems", "excluded", "notices"}
    assert first.json.keys() == work | told | {"manifestGaps"}
    assert all(first.json[name] > 0 for name in work)
    assert (first.json["builtAnewBecause"], first.json["stages"]) == ("", {})
    assert (first.json["generation"], first.json["outcome"]) == (1, "built")
    assert first.json["counts"]["File"] == 4
    assert first.json["problems"] == []


def test_an_unchanged_project_is_not_indexed_again(run: Run, indexed: Path) -> None:
    again = run("index", "--json").json
    assert (again["generation"], again["outcome"]) == (1, "unchanged")
    assert "Nothing changed" in run("index").out


def test_a_full_index_is_a_new_generation(run: Run, indexed: Path) -> None:
    again = run("index", "--full", "--json").json
    assert (again["generation"], again["outcome"]) == (2, "built")


def test_a_change_is_indexed(run: Run, indexed: Path) -> None:
    (indexed / "src" / "new.ts").write_text("export function refund() { return 1 }\n")
    assert run("index", "--json").json["counts"]["File"] == 5
    assert run("cypher", "MATCH (s:Symbol {name: 'refund'}) RETURN s.relativePath", "--json").json["rows"] == [["src/new.ts"]]


def test_a_touch_is_no_change(run: Run, indexed: Path) -> None:
    (indexed / "src" / "routes" / "login.ts").touch()
    assert run("status", "--json").json["fresh"] is True
    assert run("index", "--json").json["outcome"] == "unchanged"


def test_changed_rules_are_a_change(run: Run, indexed: Path) -> None:
    (indexed / ".astrolabeignore").write_text("src/cart/\n")
    status = run("status", "--json").json
    assert (status["fresh"], status["configurationChanged"], status["staleFiles"]) == (False, True, ["src/cart/total.js"])
    assert run("index", "--json").json["counts"]["File"] == 3


def test_the_index_hides_itself_from_git(indexed: Path) -> None:
    assert (indexed / ".astrolabe" / ".gitignore").read_text() == "*\n"
    assert (indexed / ".gitignore").read_text() == "dist/\n"


def test_search_json(run: Run, indexed: Path) -> None:
    found = run("search", "where are tokens validated", "--json").json
    assert found.keys() == {"query", "mode", "index", "results", "totalCandidates", "searchTimeMs", "tokens", "text"}
    assert found["index"] == {"generation": 1, "fresh": True}
    best = found["results"][0]
    chunk = {"id", "file", "startLine", "endLine", "name", "kind", "breadcrumb", "score", "tokens"}
    assert best.keys() == chunk | {"rank", "symbol", "line", "signature", "context"}
    assert found["query"] == "where are tokens validated"
    assert any(result["name"] == "validateToken" for result in found["results"])
    assert found["tokens"] > 0
    assert all(isinstance(text, str) for text in found["text"])


def test_search_text(run: Run, indexed: Path) -> None:
    answer = run("search", "symbol = TokenService > validateToken")
    assert answer.code == 0
    assert "src/auth/tokenService.ts" in answer.out
    assert "return verifySignature(token, this.secret)" in answer.out


@pytest.mark.parametrize(
    ("options", "files"),
    [
        (["--path", "src/cart"], {"src/cart/total.js"}),
        (["--language", "javascript"], {"src/cart/total.js"}),
        (
            ["--path", "src/auth/", "--path", "src/routes/login.ts"],
            {"src/auth/tokenService.ts", "src/auth/verify.ts", "src/routes/login.ts"},
        ),
    ],
)
def test_search_filters(run: Run, indexed: Path, options: list[str], files: set[str]) -> None:
    found = run("search", "token cart total", "--limit", "50", "--json", *options).json["results"]
    assert found
    assert {result["file"] for result in found} <= files


def test_a_limit_is_kept(run: Run, indexed: Path) -> None:
    assert len(run("search", "token", "--limit", "2", "--json").json["results"]) == 2


def test_search_indexes_first(run: Run, shop: Path) -> None:
    assert run("search", "cart total", "--limit", "1", "--json").json["results"][0]["file"] == "src/cart/total.js"


def test_search_refreshes_first(run: Run, indexed: Path) -> None:
    (indexed / "src" / "refund.ts").write_text("/** Gives money back. */\nexport function refundOrder() { return 1 }\n")
    found = run("search", "symbol = refundOrder", "--json").json
    assert found["index"] == {"generation": 2, "fresh": True}
    assert found["results"][0]["file"] == "src/refund.ts"


def test_status_json(run: Run, indexed: Path) -> None:
    (indexed / "src" / "cart" / "total.js").write_text("export function cartTotal() { return 0 }\n")
    (indexed / "src" / "extra.ts").write_text("export const extra = 1\n")
    status = run("status", "--json").json
    expected = {"generation", "fresh", "staleFiles", "files", "symbols", "problemFiles", "excluded", "sizes", "model", "engine"}
    assert expected <= status.keys()
    assert (status["generation"], status["fresh"], status["files"]) == (1, False, 4)
    assert status["staleFiles"] == ["src/cart/total.js", "src/extra.ts"]
    assert {"path": "dist", "reason": ".gitignore: dist/"}.keys() == status["excluded"][0].keys()
    assert [item["path"].rstrip("/") for item in status["excluded"]] == ["dist"]
    assert status["sizes"].keys() == {"source", "graph", "vectors", "total"}
    assert status["sizes"]["total"] > status["sizes"]["graph"] > 0


def test_status_text(run: Run, indexed: Path) -> None:
    shown = run("status").out
    assert "Generation 1" in shown
    assert ": fresh" in shown
    assert "History: there is no commit of Git;" in shown
    (indexed / "src" / "extra.ts").write_text("export const extra = 1\n")
    assert "behind, since 1 files changed" in run("status").out
    (indexed / "go.mod").write_text("go 1.22\n")
    assert "Manifests (1):\n  go.mod:1: no `module` directive names the module\n" in run("status").out
    assert "Manifests (1):\n  go.mod:1: no `module` directive" in run("index").out


@pytest.mark.parametrize(
    ("origin", "reason", "form", "note"),
    [
        ("engine.cpython-311.so", "", "compiled", ""),
        ("engine.py", "", "python", "install Astrolabe where a C compiler is at hand"),
        (
            "engine.py",
            "command 'gcc' failed.\n",
            "python",
            "could not be compiled: command 'gcc' failed. Install a C compiler",
        ),
    ],
    ids=["compiled", "Python", "failed"],
)
def test_status_says_whether_the_type_engine_is_compiled(
    run: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch, origin: str, reason: str, form: str, note: str
) -> None:
    if reason:
        (indexed / "reason.txt").write_text(reason)
    monkeypatch.setattr(compiled_engine, "find_spec", lambda *_: ModuleSpec("engine", None, origin=origin))
    monkeypatch.setattr(compiled_engine, "_REASON", indexed / "reason.txt")
    told, shown = run("status", "--json").json, run("status").out
    assert told["engine"] == form
    assert note in told["engineNote"]
    assert (told["engineNote"] or "The type engine is compiled.") in shown
    assert bool(told["engineNote"]) == (form == "python")


CALLS = "MATCH (a:Symbol)-[:CALLS]->(b:Symbol {name: 'verifySignature'}) RETURN a.name AS caller, b.name AS callee"


def test_cypher_json(run: Run, indexed: Path) -> None:
    assert run("cypher", CALLS, "--json").json == {
        "columns": ["caller", "callee"],
        "rows": [["validateToken", "verifySignature"]],
    }


def test_cypher_csv(run: Run, indexed: Path) -> None:
    rows = list(csv.reader(io.StringIO(run("cypher", CALLS, "--csv").out)))
    assert rows == [["caller", "callee"], ["validateToken", "verifySignature"]]


def test_cypher_table(run: Run, indexed: Path) -> None:
    assert run("cypher", CALLS).out.splitlines() == [
        "caller         callee",
        "-------------  ---------------",
        "validateToken  verifySignature",
        "(1 row)",
    ]


def test_a_table_of_rows_ends_where_the_setting_says_and_tells_so(
    run: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTROLABE_QUERY_MAX_ROWS", "3")
    digits = f"[{', '.join(map(str, range(1200)))}]"
    many = f"UNWIND {digits} AS n RETURN n"
    lines = run("cypher", many).out.splitlines()
    assert lines[2:5] == ["0", "1", "2"]
    assert lines[5].startswith("(the first 3 rows of 1,200; ")
    # Programs get all.
    assert len(run("cypher", many, "--json").json["rows"]) == 1200
    assert len(run("cypher", many, "--csv").out.splitlines()) == 1201


def test_cypher_takes_queries_from_a_pipe(run: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("RETURN 1 AS a;\nRETURN 'x;y' AS b;\n"))
    lines = run("cypher", "--json").out.splitlines()
    assert [json.loads(line)["rows"] for line in lines] == [[[1]], [["x;y"]]]


def test_the_console_goes_on_after_a_mistake(run: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    typed = ":help\n:schema\n:nonsense\nMATCH (n)\nDELETE n;\nMATCH (f:File)\nRETURN count(*) AS files;\n:quit\nRETURN 2;\n"
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    session = run("cypher")
    assert session.code == 0
    assert "no command :nonsense" in session.err
    assert "Symbol" in session.out
    assert "files\n-----\n4" in session.out
    assert session.out.count("(1 row)") == 1


def test_export_edges_json(run: Run, indexed: Path) -> None:
    edges = run("export", "edges", "--json").json
    assert edges.keys() == {"calls", "imports", "builtImports", "heritage", "references"}
    call = next(edge for edge in edges["calls"] if edge["toName"] == "verifySignature")
    assert call["fromFile"] == "src/auth/tokenService.ts"
    assert (call["fromLine"], call["fromName"], call["toFile"], call["toLine"]) == (13, "validateToken", "src/auth/verify.ts", 2)
    assert call.keys() == {"fromFile", "fromLine", "fromName", "toFile", "toLine", "toName", "form", "evidence"}
    assert {"from": "src/routes/login.ts", "to": "src/auth/tokenService.ts"} in edges["imports"]
    assert [(edge["fromLine"], edge["toLine"], edge["kind"]) for edge in edges["heritage"]] == [(8, 3, "implements")]
    assert all(count.keys() == {"refs", "refsNoImports", "refsQuoted", "files"} for count in edges["references"].values())


def test_export_edges_text(run: Run, indexed: Path) -> None:
    assert "call\tsrc/auth/tokenService.ts:13 validateToken\tsrc/auth/verify.ts:2 verifySignature" in run("export", "edges").out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nonsense"], 2, "No such command"),
        (["index", "--nonsense"], 2, "No such option"),
        (["search"], 2, "Missing argument 'QUERY'"),
        (["search", "   "], 2, "The query is empty"),
        (["search", "x", "--limit", "0"], 2, "The limit must be at least 1"),
        (["search", "x", "--budget", "-5"], 2, "The budget must be at least 1"),
        (["search", "x", "--limit", "many"], 2, "valid integer"),
        (["cypher", "RETURN 1", "--json", "--csv"], 2, "--json and --csv exclude each other"),
        (["cypher", "MATCH (n) DELETE n"], 2, "DELETE"),
        (["cypher", "MATCH (n:Nonsense) RETURN n"], 1, "Nonsense"),
        (["index", "nowhere"], 1, "nowhere does not exist"),
        (["index", "package.json"], 1, "package.json is not a folder"),
        (["index", "src", "--root", "dist"], 2, "name different folders"),
        (["status", "--data-dir", "src"], 2, "holds other files"),
        (["status"], 1, "run `astrolabe index`"),
        (["serve", "--http", "0.0.0.0:80"], 2, "0.0.0.0 can be reached from others"),
        (["serve", "--http", "8000x"], 2, "HOST:PORT"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_failures(run: Run, shop: Path, arguments: list[str], code: int, message: str) -> None:
    failed = run(*arguments)
    assert (failed.code, failed.out) == (code, "")
    assert message in failed.err
    assert "Traceback" not in failed.err


def test_wrong_settings_are_wrong_usage(run: Run, shop: Path) -> None:
    (shop / "astrolabe.toml").write_text("wrokers = 2\n")
    failed = run("index")
    assert failed.code == 2
    assert "did you mean workers" in failed.err


def test_version(run: Run) -> None:
    from astrolabe import __version__

    assert run("--version").out == f"astrolabe {__version__}\n"


@pytest.mark.parametrize("command", ["index", "search", "status", "cypher", "export edges", "serve"])
def test_every_help_has_an_example(run: Run, command: str) -> None:
    shown = run(*command.split(), "--help")
    assert shown.code == 0
    assert f"Example: astrolabe {command}" in shown.out


def test_another_data_folder(run: Run, shop: Path, tmp_path: Path) -> None:
    assert run("index", "--data-dir", str(tmp_path / "idx")).code == 0
    assert not (shop / ".astrolabe").exists()
    assert run("status", "--data-dir", str(tmp_path / "idx"), "--json").json["files"] == 4


def test_the_root_is_found_from_inside(run: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = subprocess.run(
        [sys.executable, "-P", "-m", "astrolabe", "status", "--json"],
        cwd=indexed / "src" / "auth",
        capture_output=True,
        check=True,
    )
    assert json.loads(inside.stdout)["root"] == str(indexed.resolve())


def test_a_command_leaves_pandas_alone(indexed: Path) -> None:
    """Engines load it where it is installed, as it is here; the change makes them write, too."""
    assert importlib.util.find_spec("pandas") is not None
    changed = indexed / "src" / "cart" / "total.js"
    changed.write_text(changed.read_text() + "\nexport const rate = 2\n")
    found = subprocess.run(
        [sys.executable, "-P", "-X", "importtime", "-m", "astrolabe", "search", "symbol = rate"],
        cwd=indexed,
        capture_output=True,
        check=True,
    )
    assert b"rate = 2" in found.stdout
    assert b"lancedb" in found.stderr
    assert b"pandas.core" not in found.stderr


def test_a_reader_that_goes_away_ends_the_program_quietly(indexed: Path) -> None:
    piped = subprocess.run(
        f"'{sys.executable}' -P -m astrolabe cypher 'UNWIND [1,2,3] AS a UNWIND [1,2,3] AS b RETURN a, b' | true",
        shell=True,
        cwd=indexed,
        capture_output=True,
        check=True,
    )
    assert piped.stderr == b""


def test_a_test_that_loads_the_build_is_joined_to_the_sources(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    files = {
        "package.json": '{"name": "sums", "main": "dist/index.js"}',
        "src/index.ts": "export function sum(values: number[]) { return values.length }\n",
        "test/sum.test.ts": "import { sum } from '../dist/index.js'\nexport const total = sum([1])\n",
    }
    workspace = indexed_project(files)
    edges = workspace.export_edges()
    assert ([edge.to_file for edge in edges.built_imports], edges.imports) == (["src/index.ts"], [])
    assert [(call.from_file, call.to_file, call.to_name) for call in edges.calls] == [("test/sum.test.ts", "src/index.ts", "sum")]


def test_packages_that_are_not_built_are_joined_to_their_sources(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    exports = '{".": "./src/index.ts", "./*": {"types": "./dist/*.d.ts", "default": "./dist/*.js"}}'
    files = {
        "package.json": '{"workspaces": ["packages/*"]}',
        "packages/rates/package.json": '{"name": "rates", "main": "./dist/main.js"}',
        "packages/rates/src/main.ts": "export const rate = (of: string) => of.length\n",
        "packages/sums/package.json": '{"name": "sums", "exports": ' + exports + ', "imports": {"#lib/*": "./dist/lib/*.js"}}',
        "packages/sums/src/index.ts": "export { add } from '#lib/add'\n",
        "packages/sums/src/lib/add.ts": "export const add = (a: number, b: number) => a + b\n",
        "packages/sums/src/mean.ts": "export { add } from 'sums'\n",
        "packages/bill/package.json": '{"name": "bill", "dependencies": {"sums": "workspace:*", "rates": "workspace:*"}}',
        "packages/bill/bill.ts": "import { rate } from 'rates'\nimport { add } from 'sums'\nimport 'sums/mean'\n",
    }
    edges = indexed_project(files).export_edges()
    built = {(edge.from_file, edge.to_file) for edge in edges.built_imports}
    assert built == {
        ("packages/bill/bill.ts", "packages/rates/src/main.ts"),
        ("packages/bill/bill.ts", "packages/sums/src/mean.ts"),
        ("packages/sums/src/index.ts", "packages/sums/src/lib/add.ts"),
    }
    plain = {("packages/bill/bill.ts", "packages/sums/src/index.ts"), ("packages/sums/src/mean.ts", "packages/sums/src/index.ts")}
    assert {(edge.from_file, edge.to_file) for edge in edges.imports} == built | plain


def test_unresolved_imports_can_be_queried(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    workspace = indexed_project(
        {
            "vite.config.js": "export default { resolve: { alias: { '@env': process.env.TARGET } } }\n",
            "src/a.ts": "import { gone } from './gone'\nimport env from '@env/main'\nimport { b } from './b'\n",
            "src/b.ts": "export const b = 1\n",
        }
    )
    statement = (
        "MATCH (f:File)-[i:IMPORTS_UNRESOLVED]->(s:UnresolvedSpecifier) "
        "RETURN f.relativePath, i.line, s.specifier, i.names, i.reason ORDER BY i.line"
    )
    assert [tuple(row) for row in workspace.cypher(statement).rows] == [
        ("src/a.ts", 1, "./gone", ["gone"], "absent"),
        ("src/a.ts", 2, "@env/main", ["default"], "alias"),
    ]
    (workspace.root / "src/gone.ts").write_text("export const gone = 1\n")
    assert [row[2] for row in workspace.cypher(statement).rows] == ["@env/main"]
