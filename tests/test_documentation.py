"""The documentation agrees with the code.

Run as a program, it writes what is generated: `python tests/test_documentation.py`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import astrolabe
import pytest
import typer.main
from astrolabe.retrieval.lint import LintRequest
from astrolabe.retrieval.map import MapRequest
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.trace import TraceRequest
from astrolabe.schema.ddl import Property, Table, all_tables
from astrolabe.schema.settings import Settings
from astrolabe.server.api.file_view import FileView
from astrolabe.server.api.symbol_view import SymbolView
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.cli.app import app
from astrolabe.server.cli.edge_export import edges_json
from astrolabe.server.cli.index_report import report_json, status_json
from astrolabe.server.cli.reference import cli_reference, settings_reference
from astrolabe.server.environment.configuration import load_settings, settings_table

from tests.git_commands import git
from tests.server.handshake_record import RECORD_FILE, as_text, record

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
COMMANDS_PAGE = DOCS / "command-line.md"
SCHEMA_PAGE = DOCS / "graph-schema.md"
SETTINGS_PAGE = DOCS / "configuration.md"
JSON_PAGE = DOCS / "json.md"
AGENTS_PAGE = DOCS / "mcp.md"
PYTHON_PAGES = [DOCS / "python.md", DOCS / "analyses.md"]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md")), *sorted((ROOT / "tests" / "benchmarks").glob("*.md"))]

#: Words of prose and code that README may have before its links. A reader decides in one screen.
MAX_README_WORDS = 600

#: The table of settings in its page.
SETTINGS = re.compile(r"(<!-- settings: .*? -->\n)(.*?)(<!-- /settings -->)", re.DOTALL)
_GENERATED = "<!-- Written by `python tests/test_documentation.py`. -->"

#: A small project with every kind of edge, a file that is broken, and what the Python examples ask about.
SOURCES = {
    "a.ts": "export class Base { save() {} }\nexport class Item extends Base { keep() { this.save() } }\n",
    "b.ts": "import { Item } from './a'\nnew Item().keep()\n",
    "broken.ts": "export const fine = 1\nconst = ;\n",
    "dist/built.js": "built()\n",
    "go.mod": "go 1.22\n",
    "lost.ts": "import './gone'\nexport function begin(step: any) { step.start() }\n",
    ".mcp.json": '{"mcpServers": {"astrolabe": {"command": "astrolabe"}}}\n',
    "src/internal/Subscriber.ts": "export class Subscriber { error(err: Error) { throw new TypeError(err.message) } }\n",
    "src/main.ts": "import { Subscriber } from './internal/Subscriber'\nnew Subscriber().error(new Error())\n",
}


#: What the page of commands says before the first command.
COMMANDS_INTRO = """\
In all commands, `--root PATH` names the root of the workspace.
The default is the nearest folder, from the current folder upward, that contains `.astrolabe`.
Without such a folder, the default is the nearest folder that contains `.git`, else the current folder.

Results go to standard output, messages and progress to standard error.

## Exit codes

| code | meaning |
|---|---|
| 0 | The command succeeded. |
| 1 | The command failed, and you can remove the cause: no index, nothing to index, a damaged or locked index, a failed query. |
| 2 | The command was used wrongly: an unknown option or setting, an empty query, a query that is not read-only. |
| 3 | `astrolabe changes --fail-on LEVEL` found a broken place, or a risk of at least this level. |

## Commands"""


def commands_page() -> str:
    return f"# Command reference\n\n{_GENERATED}\n\n{COMMANDS_INTRO}\n\n{cli_reference()}\n"


def schema_page() -> str:
    """The page of `schema/graph.cypher`."""
    intro = (
        "`astrolabe cypher` queries these tables.\n"
        "Paths are relative to the root of the workspace.\n"
        "Lines and columns count from 1, and ranges include both ends.\n"
        "Columns count characters (Unicode code points).\n"
        "The primary key is **bold**."
    )
    nodes = [_table_section(table) for table in all_tables().values() if table.kind == "node"]
    edges = [_table_section(table) for table in all_tables().values() if table.kind == "rel"]
    parts = ["# Graph schema", _GENERATED, intro, "## Nodes", *nodes, "## Relationships", *edges]
    return "\n\n".join(parts) + "\n"


def _table_section(table: Table) -> str:
    ends = ", ".join(f"`({start})->({end})`" for start, end in table.connections)
    lines = [f"### {table.name}", table.comment, *([ends] if ends else [])]
    if table.properties:
        rows = [_property_row(prop, table.primary_key) for prop in table.properties]
        lines.append("\n".join(["| property | type | meaning |", "|---|---|---|", *rows]))
    return "\n\n".join(lines)


def _property_row(prop: Property, primary_key: str | None) -> str:
    name = f"**`{prop.name}`**" if prop.name == primary_key else f"`{prop.name}`"
    return f"| {name} | `{prop.type}` | {prop.comment} |"


def settings_page() -> str:
    """The page of settings with a current table."""
    text = SETTINGS_PAGE.read_text(encoding="utf-8")
    return SETTINGS.sub(lambda match: f"{match[1]}\n{settings_reference()}\n\n{match[3]}", text)


def write_generated() -> None:
    """Write the generated pages and the table of settings."""
    COMMANDS_PAGE.write_text(commands_page(), encoding="utf-8")
    SCHEMA_PAGE.write_text(schema_page(), encoding="utf-8")
    SETTINGS_PAGE.write_text(settings_page(), encoding="utf-8")
    with TemporaryDirectory() as folder:
        RECORD_FILE.write_text(as_text(record(Path(folder))), encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def json_form(command: str) -> Any:
    """Return the JSON example in a command's section of the page on JSON."""
    section = JSON_PAGE.read_text(encoding="utf-8").partition(f"\n## `{command}`\n")[2].partition("\n## ")[0]
    found = re.search(r"^```json\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    assert found, f"The page shows no JSON form of {command}"
    return json.loads(found[1])


def same_shape(shown: Any, real: Any, place: str = "") -> None:
    """Asserts that two values have the same keys, at every depth. Objects with keys from the data have them in common by kind."""
    if place.endswith((".counts", ".references")):
        if place.endswith(".counts"):
            assert shown.keys() <= real.keys(), place
        shown, real = list(shown.values()), list(real.values())
    if isinstance(shown, dict):
        assert list(shown) == list(real), place
        for key in shown:
            same_shape(shown[key], real[key], f"{place}.{key}")
    elif isinstance(shown, list | tuple):
        assert isinstance(real, list | tuple), place
        if shown:
            assert real, f"{place} is empty: the project of this test no longer shows its form"
            same_shape(shown[0], real[0], f"{place}[]")
    else:
        # A score of 1 may be printed without its fraction.
        numbers = isinstance(shown, int | float) and isinstance(real, int | float)
        assert numbers or type(shown) is type(real), place


@pytest.fixture(scope="session")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small project that examples run in."""
    root = tmp_path_factory.mktemp("documented")
    for name, text in SOURCES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git(root, "init", "-q", "--template=")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "Begin")
    return root


@pytest.fixture(scope="session")
def real_forms(documented: Path) -> dict[str, Any]:
    """What the commands print as JSON, by command."""
    with Workspace.locate(documented) as workspace:
        report = workspace.index()
        workspace.history("a.ts")
        rows = workspace.cypher("MATCH (a:Symbol)-[c:CALLS]->() RETURN a.breadcrumb, c.lines")
        forms = {
            "astrolabe index --json": report_json(report, workspace.problems(), workspace.manifest_gaps()),
            "astrolabe search --json": workspace.search("where are items kept", limit=1).to_json(),
            "astrolabe status --json": status_json(workspace.status(), ["pre-commit"]),
            "astrolabe cypher --json": {"columns": rows.columns, "rows": rows.rows},
            "astrolabe export edges --json": edges_json(workspace.export_edges()),
        }
    plain: dict[str, Any] = json.loads(json.dumps(forms))
    return plain


def links() -> Iterator[tuple[Path, str]]:
    """Every relative link of every page."""
    for page in PAGES:
        prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            if "://" not in target:
                yield page, target


def headings(page: Path) -> set[str]:
    """Anchors of a page's headings."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in found}


@pytest.mark.parametrize("command", re.findall(r"^### `(.*)`$", cli_reference(), re.MULTILINE))
def test_readme_has_every_command_in_its_table(command: str) -> None:
    """A row is for a command, or for a group of commands."""
    group = " ".join(command.split()[:2])
    assert re.search(rf"^\| `({command}[ `]|{group}`)", README.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("row", settings_table(), ids=lambda row: row.name)
def test_settings_have_a_meaning(row: Any) -> None:
    assert row.meaning.endswith(".")


def test_the_table_of_settings_is_current() -> None:
    assert SETTINGS.search(SETTINGS_PAGE.read_text(encoding="utf-8"))
    assert SETTINGS_PAGE.read_text(encoding="utf-8") == settings_page()


def test_the_example_of_settings_is_valid(tmp_path: Path) -> None:
    (example,) = blocks(SETTINGS_PAGE, "toml")
    (tmp_path / "astrolabe.toml").write_text(example, encoding="utf-8")
    assert load_settings(tmp_path) != Settings()


def test_the_command_reference_is_current() -> None:
    assert COMMANDS_PAGE.read_text(encoding="utf-8") == commands_page()


def test_the_schema_page_is_current() -> None:
    assert SCHEMA_PAGE.read_text(encoding="utf-8") == schema_page()


@pytest.mark.parametrize("command", ["index", "search", "status", "cypher", "export edges"])
def test_the_page_on_json_shows_the_keys_that_are_printed(real_forms: dict[str, Any], command: str) -> None:
    name = f"astrolabe {command} --json"
    same_shape(json_form(name), real_forms[name], name)


@pytest.mark.parametrize(("page", "target"), list(links()), ids=str)
def test_links_resolve(page: Path, target: str) -> None:
    path, _, anchor = target.partition("#")
    destination = page.parent / path if path else page
    assert destination.exists()
    assert not anchor or anchor in headings(destination)


def test_readme_leads_to_every_page() -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", README.read_text(encoding="utf-8"))
    assert {f"docs/{page.name}" for page in DOCS.glob("*.md")} <= set(targets)


def test_readme_is_short() -> None:
    prose, links, _ = README.read_text(encoding="utf-8").partition("\n## Where to go next\n")
    assert links
    assert len(prose.split()) <= MAX_README_WORDS


def test_server_configurations_are_valid() -> None:
    servers = [tomllib.loads(block)["mcp_servers"] for block in blocks(AGENTS_PAGE, "toml")]
    servers += [next(iter(json.loads(block).values())) for block in blocks(AGENTS_PAGE, "json")]
    assert len(servers) == 3
    serve = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    options = {name for parameter in serve.params for name in parameter.opts}
    for server in servers:
        assert server["astrolabe"]["command"] == "astrolabe"
        command, *arguments = server["astrolabe"]["args"]
        assert command == "serve"
        assert {argument for argument in arguments if argument.startswith("--")} <= options


def test_readme_names_the_command_that_ci_runs() -> None:
    commands = re.findall(r"^(python -m pip install.* && .*pytest.*)$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert commands == ['python -m pip install ".[dev]" && python -m pytest -n auto']


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path, documented: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = blocks(page, "python")
    assert examples
    monkeypatch.chdir(documented)
    exec(compile("\n".join(examples), page.name, "exec"), {})


@pytest.mark.parametrize("view", [SymbolView, FileView, Workspace], ids=lambda view: view.__name__)
def test_every_analysis_is_documented(view: type) -> None:
    text = (DOCS / "analyses.md").read_text(encoding="utf-8")
    prefix = {SymbolView: "symbol", FileView: "file", Workspace: "ws"}[view]
    documented = set(re.findall(rf"`{prefix}\.(\w+)", text))
    own = {name for name in (dir(view) if view is Workspace else vars(view)) if not name.startswith("_")}
    if view is SymbolView:
        own -= {"answer", "index", "scope"}  # those of the lookup and of chains, which are no analyses
    if view is FileView:
        own -= {"workspace", "path"}
    assert documented <= own
    assert view is Workspace or documented == own


@pytest.mark.parametrize(
    ("method", "request_record"),
    [("find", SearchRequest), ("map", MapRequest), ("trace", TraceRequest), ("lint", LintRequest)],
)
def test_documented_arguments_exist(method: str, request_record: type) -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `ws\.{method}\(\w*\)` \|(.*)\|$", text, re.MULTILINE)
    assert row
    assert set(re.findall(r"`(\w+)`", row[1])) <= {field.name for field in fields(request_record)}


def test_the_map_names_what_exists() -> None:
    """Every path in ARCHITECTURE.md exists, and every folder of the package is on the map."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:schema|ingest|graphdb|retrieval|server|tests|docs)/[\w./-]*)`", text))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {name.partition(".")[2].replace(".", "/") for name in project["tool"]["setuptools"]["packages"]} - {""}
    assert {f"{package}/" for package in packages} - named == set()


def test_readme_claims_what_was_measured() -> None:
    results = (ROOT / "tests" / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    corpora, row, _ = re.split(r"^(\| mean \|.*)$", results, flags=re.MULTILINE)
    precision, recall = row.split("|")[3:5]
    pairs = sum(
        int(count.replace(",", "")) for count in re.findall(r"^\| [\w-]+ \| ([\d,]+) \| [01]\.\d{4} ", corpora, re.MULTILINE)
    )
    text = " ".join(README.read_text(encoding="utf-8").split())
    # Cut off rather than rounded.
    assert f"{pairs:,} pairs of caller and callee" in text
    assert f"mean precision of {precision.strip()[:5]} and a mean recall of {recall.strip()[:5]}" in text


def test_the_recorded_handshake_is_current(tmp_path: Path) -> None:
    text = RECORD_FILE.read_text(encoding="utf-8")
    assert text == as_text(record(tmp_path)), "Run `python tests/test_documentation.py`"


def test_the_changelog_has_this_version() -> None:
    assert f"## [{astrolabe.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


if __name__ == "__main__":
    write_generated()
