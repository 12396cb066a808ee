"""`import astrolabe`: what it offers, what it costs, and what a notebook shows."""

from __future__ import annotations

import inspect
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path

import astrolabe
import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.query_result import QueryResult
from astrolabe.retrieval.lint import LintRequest
from astrolabe.retrieval.map import MapRequest
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.trace import TraceRequest
from astrolabe.schema.errors import AstrolabeError
from astrolabe.server.api.requests.query_rows import QueryRows
from astrolabe.server.api.workspace import Workspace

HEAVY = ("lancedb", "kuzu", "mcp", "pyarrow", "numpy", "pydantic", "typer", "rich", "networkx", "tree_sitter")


def loaded_by(code: str) -> set[str]:
    """Which heavy packages a fresh interpreter has loaded after some code."""
    program = f"{code}\nimport sys\nprint(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_exported_names() -> None:
    assert list(astrolabe.__all__) == sorted(astrolabe.__all__)
    assert dir(astrolabe) == astrolabe.__all__
    for name in astrolabe.__all__:
        assert getattr(astrolabe, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        _ = astrolabe.nonsense


def test_the_version_is_that_of_the_distribution() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert astrolabe.__version__ == project["version"]


def test_importing_astrolabe_is_light() -> None:
    assert loaded_by("import astrolabe") == set()


def test_importing_the_command_line_loads_no_engine() -> None:
    assert loaded_by("import astrolabe.server.cli.app") <= {"typer"}


def test_the_console_serves_its_first_view_without_the_libraries_of_later_views() -> None:
    assert loaded_by("import astrolabe.server.web.serving") & {"mcp", "networkx", "kuzu", "lancedb", "tree_sitter"} == set()


def test_an_unchanged_index_is_recognised_without_parser_or_vectors(indexed: Path) -> None:
    code = f"""
import sys
sys.argv = ["astrolabe", "index", {str(indexed)!r}]
from astrolabe.server.cli.app import main
try:
    main()
except SystemExit:
    pass"""
    assert not loaded_by(code) & {"lancedb", "mcp", "numpy", "pyarrow", "tree_sitter", "networkx"}


def test_open_builds_and_answers(shop: Path) -> None:
    reported: list[str] = []
    with astrolabe.open(shop, progress=lambda stage, done, total: reported.append(stage)) as workspace:
        assert {"parse", "embed", "write"} <= set(reported)
        assert workspace.progress is None
        assert workspace.search("where are tokens validated").results
        found = workspace.symbol("TokenService > validateToken")
        assert [result.name for result in found][:1] == ["validateToken"]
        assert len(found) == len(found.results)
        assert (found[0], found[-1], found[:2]) == (found.results[0], found.results[-1], found.results[:2])
        assert list(reversed(found)) == list(reversed(found.results))
        assert found.results[0] in found
        assert (found.count(found[0]), found.count("")) == (1, 0)
        assert isinstance(workspace.search("where are tokens validated"), Sequence)
        assert "validateToken" in found.text
        rows = workspace.cypher(
            "MATCH (f:File {relativePath: $path}) RETURN f.language AS language", {"path": "src/cart/total.js"}
        )
        assert (rows.columns, rows.rows) == (("language",), [("javascript",)])
        assert rows.to_arrow().to_pylist() == [{"language": "javascript"}]
        calls = workspace.cypher("MATCH (a:Symbol)-[r:CALLS]->(b:Symbol) RETURN a, r, b").to_networkx()
        assert calls.number_of_edges() > 0
        assert workspace.export_edges().calls
        assert workspace.status().fresh
        assert workspace.problems() == []


def test_the_problems_of_a_new_index_are_known_without_its_graph(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (shop / "src" / "broken.ts").write_text("const = ;\nexport function last() { return 2 }\n")
    with Workspace.locate(shop) as workspace, monkeypatch.context() as patched:
        patched.setattr(GraphDatabase, "open", None)  # whoever opens the graph fails
        workspace.index()
        problems = workspace.problems()
    with Workspace.locate(shop) as later:
        assert later.problems() == problems
    assert [problem.file for problem in problems] == ["src/broken.ts"]


LEFT_OUT: tuple[tuple[str, dict[str, list[str]]], ...] = (
    ("symbol = dist/bundle.js", {}),
    ("symbol = dist/bundle.js > built", {}),
    ("built", {"paths": ["dist"]}),
)


def test_folders_may_be_strings(shop: Path, tmp_path: Path) -> None:
    with Workspace.locate(str(shop), str(tmp_path / "data")) as workspace:
        assert (workspace.root, workspace.data_dir) == (shop, tmp_path / "data")


def test_what_is_left_out_is_said_to_be(shop: Path) -> None:
    with astrolabe.open(shop) as workspace:
        for query, options in LEFT_OUT:
            answer = workspace.search(query, **options)
            assert not answer.results
            assert "is not indexed: dist is left out (" in answer.text


def test_errors_are_astrolabe_errors(shop: Path) -> None:
    assert astrolabe.AstrolabeError is AstrolabeError
    with pytest.raises(AstrolabeError, match="does not exist"):
        astrolabe.open(shop / "nowhere")
    with astrolabe.open(shop) as workspace, pytest.raises(AstrolabeError):
        workspace.cypher("CREATE (f:File {relativePath: 'x'})")


def test_a_workspace_moves_to_the_generation_of_another(shop: Path) -> None:
    with astrolabe.open(shop) as first, astrolabe.open(shop) as second:
        (shop / "src" / "refund.ts").write_text("export function refundOrder() { return 1 }\n")
        assert second.refresh().generation == 2
        assert first.symbol("refundOrder").index.generation == 2
        assert [path.name for path in (shop / ".astrolabe" / "generations").iterdir()].count("2") == 1


def test_an_index_that_was_deleted_is_built_anew(shop: Path) -> None:
    import shutil

    with astrolabe.open(shop) as workspace:
        assert workspace.search("symbol = handleLogin").results
        shutil.rmtree(shop / ".astrolabe")
        (shop / "src" / "refund.ts").write_text("export function refundOrder() { return 1 }\n")
        found = workspace.symbol("refundOrder")
        assert (found.index.generation, found.results[0].name) == (1, "refundOrder")


def test_threads_share_a_workspace(shop: Path) -> None:
    failures: list[BaseException] = []
    with astrolabe.open(shop) as workspace:

        def ask(number: int) -> None:
            try:
                for _ in range(3):
                    assert workspace.cypher(f"RETURN {number} AS n").rows == [(number,)]
                    assert workspace.symbol("handleLogin").results[0].file == "src/routes/login.ts"
            except BaseException as error:
                failures.append(error)
                raise

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        (shop / "src" / "refund.ts").write_text("export function refundOrder() { return 1 }\n")
        for thread in threads:
            thread.join()
        assert not failures
        assert workspace.symbol("refundOrder").results


HOSTILE = "<script>alert('x')</script> & \"more\""


def test_a_notebook_shows_results_escaped(shop: Path) -> None:
    (shop / "src" / "evil.ts").write_text(f"/** {HOSTILE} */\nexport function evilOne() {{ return `{HOSTILE}` }}\n")
    with astrolabe.open(shop) as workspace:
        shown = workspace.search("symbol = evilOne")._repr_html_()
        assert "evilOne" in shown
        assert "<script>" not in shown
        assert "&lt;script&gt;" in shown
        assert "<script>" not in workspace.search(HOSTILE)._repr_html_()


def test_a_notebook_shows_rows_escaped() -> None:
    rows = QueryRows.of(QueryResult((HOSTILE,), [(HOSTILE,), ([HOSTILE],), (None,)]))
    shown = rows._repr_html_()
    assert "<script>" not in shown
    assert shown.count("&lt;script&gt;") == 3
    assert "3 rows" in shown


def test_a_plan_is_shown_as_it_is_drawn(shop: Path) -> None:
    with astrolabe.open(shop) as workspace:
        for word in ("EXPLAIN", "PROFILE"):
            rows = workspace.cypher(f"{word} MATCH (f:File {{language: $language}}) RETURN f.size", {"language": "typescript"})
            assert rows.plan is not None
            assert "SCAN_NODE_TABLE" in rows.text
            assert rows.text == rows.brief == rows.plan
            assert rows._repr_html_().startswith("<pre>")
        assert workspace.cypher("RETURN 1 AS one").plan is None


@pytest.mark.parametrize(
    ("value", "cell", "csv"),
    [
        ("a\nb", "a b", '"a\nb"'),
        (None, "", '""'),
        ([1, "é"], '[1, "é"]', '"[1, ""é""]"'),
        (True, "True", "True"),
        ("x" * 100, "x" * 79 + "…", "x" * 100),
    ],
)
def test_rows_as_text_and_csv(value: object, cell: str, csv: str) -> None:
    rows = QueryRows.of(QueryResult(("c",), [(value,)]))
    assert rows.text.splitlines()[2] == cell
    assert rows.csv == f"c\n{csv}\n"


def test_a_variable_that_require_gives_is_no_namesake_of_what_it_imports(
    indexed_project: Callable[[dict[str, str]], Workspace],
) -> None:
    made = {
        "make.js": "function make(client) {\n  return client;\n}\nfunction clone() {}\nmodule.exports = { make, clone };\n",
        "a.js": "const { make, clone } = require('./make');\nmake(clone);\n",
        "b.js": "const make = require('./make').make;\nmake(1);\n",
        "c.js": "const only = require('./make');\nonly.clone();\n",
    }
    workspace = indexed_project(made)
    found = {
        wanted: [f"{result.file}:{result.breadcrumb}" for result in workspace.search(f"symbol = {wanted}").results]
        for wanted in ("make", "clone", "b.js > make", "only")
    }
    assert found == {
        "make": ["make.js:make.js > make"],
        "clone": ["make.js:make.js > clone"],
        "b.js > make": ["b.js:b.js > make"],
        "only": ["c.js:c.js > only"],
    }


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("map", {"include_graphs": True}, r"map\(\) has no option `include_graphs`\. Did you mean `include_graph`\?"),
        ("search", {"query": "token", "path": ["src"]}, r"search\(\) has no option `path`\. Did you mean `paths`\?"),
        ("lint", {"zzz": 1}, r"lint\(\) has no option `zzz`\. Its options are checks, scope, "),
    ],
)
def test_an_unknown_option_is_answered_with_the_nearest(
    tmp_path: Path, method: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        getattr(Workspace.locate(tmp_path), method)(**options)


#: Fields that the workspace fills in, and fields whose default depends on the method.
FILLED_IN = {
    "checkout",
    "entries",
    "compiler",
    "compiler_note",
    "marked_generated",
    "published",
    "read_exports",
    "unread",
    "terms",
}
OF_THE_METHOD = {"budget", "mode", "query"}


@pytest.mark.parametrize(
    ("method", "record"), [("map", MapRequest), ("trace", TraceRequest), ("lint", LintRequest), ("find", SearchRequest)]
)
def test_every_field_of_a_request_is_a_documented_option(method: str, record: type) -> None:
    options = dict(inspect.signature(getattr(Workspace, method)).parameters)
    known = {field.name: field.default for field in fields(record) if field.name not in FILLED_IN}
    assert options.keys() - {"self"} == known.keys()
    for name, default in known.items():
        assert name in OF_THE_METHOD or options[name].default == default, name
        assert f":param {name}:" in getattr(Workspace, method).__doc__, name
