"""What a change of a small project does: by Python, the command line and MCP."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from astrolabe.retrieval.changes import ChangesAnswer, changes_markdown, changes_text
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.cli.app import main
from astrolabe.server.mcp.server import CodebaseServer
from astrolabe.server.mcp.tool_sets import chosen_tools
from mcp import Client
from msgspec.structs import fields

from tests.git_commands import git
from tests.server.conftest import write_files

FILES = {
    "package.json": '{"name": "shop", "scripts": {"test": "vitest"}}\n',
    "src/price.ts": "export function price(cost: number): number {\n  return cost * 2\n}\n\nexport const currency = 'EUR'\n",
    "src/cart.ts": (
        "import { price } from './price'\n\nexport class Cart {\n  total(costs: number[]): number {\n"
        "    return costs.map(price).reduce((a, b) => a + b, 0)\n  }\n}\n"
    ),
    "src/page.ts": (
        "import { Cart } from './cart'\n\nexport function page(): string {\n  return `${new Cart().total([1])}`\n}\n"
    ),
    "README.md": "# Shop\n\n## Prices\n\n`price` computes them, and `Cart.total` adds them.\n\n## Help\n\nCall `help`.\n",
    "src/help.ts": "export function help(): string {\n  return 'Ask us'\n}\n",
    "test/page.test.ts": "import { page } from '../src/page'\n\nexport function runsPage() {\n  return page()\n}\n",
    "test/price.test.ts": "import { price } from '../src/price'\n\nexport function runsPrice() {\n  return price(1)\n}\n",
    "test/help.test.ts": "import { help } from '../src/help'\n\nexport function runsHelp() {\n  return help()\n}\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, committed and indexed. Tests put back what they change."""
    root = tmp_path_factory.mktemp("shop")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Begin")
    return root


@pytest.fixture
def edited(shop: Path) -> Callable[[str, str, str], Path]:
    """Edits a file of the project that is as it was committed."""
    git(shop, "checkout", "-q", "-f", "HEAD")

    def edit(path: str, old: str, new: str) -> Path:
        text = (shop / path).read_text()
        assert old in text
        (shop / path).write_text(text.replace(old, new))
        return shop

    return edit


Edit = Callable[[str, str, str], Path]
Run = Callable[..., int]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in a project, and returns its exit code."""

    def run_in(root: Path, *arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["astrolabe", "changes", "--root", str(root), *arguments])
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0)
        return 0

    return run_in


def changes_of(root: Path, range_: str = "", *, budget: int | None = None) -> ChangesAnswer:
    with Workspace.locate(root) as workspace:
        return workspace.changes(range_, budget=budget).answer


def test_a_changed_body_reaches_its_users_and_tests(edited: Edit) -> None:
    found = changes_of(edited("src/price.ts", "* 2", "* 3"))
    assert [(each.symbol, each.changes, each.users) for each in found.symbols] == [("price", ("body",), 2)]
    assert [(each.symbol, each.distance) for each in found.affected] == [("Cart.total", 1), ("page", 2)]
    assert [test.file for test in found.tests] == ["test/price.test.ts", "test/page.test.ts"]
    assert [each.command for each in found.commands] == ["npx vitest run test/price.test.ts test/page.test.ts"]
    assert (found.risk.level, found.broken) == ("low", ())


def test_a_deleted_export_is_broken_for_its_importers(edited: Edit, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    root = edited("src/price.ts", "export function price", "export function amount")
    found = changes_of(root)
    assert [(each.symbol, each.old_symbol, each.changes) for each in found.symbols] == [("amount", "price", ("renamed",))]
    assert [place.at for place in found.broken] == ["src/cart.ts:1", "test/price.test.ts:1"]
    assert found.risk.level in ("high", "critical")
    assert found.risk.reasons[0] == "it breaks 2 places"
    assert run(root, "--fail-on", "broken", "--json") == 3
    assert json.loads(capsys.readouterr().out)["risk"]["level"] == found.risk.level


def test_documents_that_speak_of_the_change_are_told(edited: Edit) -> None:
    found = changes_of(edited("src/price.ts", "export function price", "export function amount"))
    assert [(each.section, each.at, each.names) for each in found.documents] == [("Shop.Prices", "README.md:5", ("price",))]
    root = edited("src/cart.ts", "  total(costs: number[])", "  total(costs: readonly number[])")
    assert [each.names for each in changes_of(root).documents] == [("price", "Cart.total")]
    (root / "README.md").write_text("# Store\n")
    changed = changes_of(root)
    assert "README.md" in [file.file for file in changed.files]
    assert {each.at.partition(":")[0] for each in changed.symbols} == {"src/price.ts", "src/cart.ts"}


def test_layout_is_no_risk(edited: Edit, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    root = edited("src/help.ts", "return 'Ask us'", '// politely\n  return "Ask us";')
    assert run(root, "--fail-on", "low") == 0
    text = capsys.readouterr().out
    assert text.startswith("Changes from HEAD to the work tree: no risk\n  only comments or layout\n")
    assert "function help (src/help.ts:1)   only comments or layout; exported" in text


def test_files_with_unchanged_declarations_say_what_changed(edited: Edit) -> None:
    root = edited("src/help.ts", "Ask us", "Ask me")
    (root / "src/price.ts").chmod(0o755)
    (root / "src/cart.ts").write_text(FILES["src/cart.ts"] + "\n// The end\n")
    (root / "README.md").write_text(FILES["README.md"] + "\nOr write.\n")
    found = changes_of(root)
    assert {file.file: file.only for file in found.files} == {
        "README.md": "", "src/cart.ts": "layout", "src/help.ts": "", "src/price.ts": "mode"
    }  # fmt: skip
    files = changes_text(found).partition("Files:\n")[2].split("\n")[:3]
    assert files == [
        "  changed README.md",
        "  changed src/cart.ts, only comments or layout",
        "  changed src/price.ts, only the mode",
    ]
    assert "- changed src/price.ts, only the mode" in changes_markdown(found)
    (root / "src/price.ts").chmod(0o644)


def test_markdown_shows_both_signatures(edited: Edit) -> None:
    shown = changes_markdown(changes_of(edited("src/help.ts", "help():", "help(topic = ''):")))
    assert "signature changed: `function help(): string` → `function help(topic = ''): string`" in shown
    assert "<summary>1 changed symbol</summary>" in shown


def test_nothing_changed_is_said(edited: Edit, shop: Path) -> None:
    found = changes_of(shop)
    assert found.notes[0] == "No file differs between HEAD and the work tree."
    assert (found.files, found.tests, found.risk.level) == ((), (), "none")
    assert not any("submodules" in note for note in found.notes)


def test_submodules_may_hide_changes(edited: Edit, shop: Path) -> None:
    (shop / ".gitmodules").write_text('[submodule "vendor"]\n\tpath = vendor\n\turl = ../vendor\n')
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", "Vendor")
    assert any(note.startswith("Changes inside of submodules are not compared") for note in changes_of(shop).notes)
    git(shop, "reset", "-q", "--hard", "HEAD~1")


def test_markdown_shows_names_as_they_are(edited: Edit) -> None:
    root = edited("src/price.ts", "export const currency = 'EUR'", "export const currency_<b>_ = 'EUR'")
    shown = changes_markdown(changes_of(root))
    assert shown.startswith("### ")
    assert "<b>" not in shown.replace("`currency_<b>_`", "")
    assert "| Symbol | Where | What changed | Users |" in shown


def test_an_answer_fits_its_budget_and_counts_what_it_left_out(edited: Edit) -> None:
    root = edited("src/price.ts", "* 2", "* 3")
    for path in FILES:
        if path.endswith(".ts"):
            (root / path).write_text((root / path).read_text() + "\nexport function more(): number { return 1 + 2 + 3 }\n")
    found = changes_of(root, budget=300)
    assert sum(found.left_out.values()) > 0
    assert len(json.dumps(found.left_out)) < 300
    with pytest.raises(UsageError, match="at least 200"):
        changes_of(root, budget=10)


def test_a_commit_is_told_as_text_and_by_mcp(edited: Edit) -> None:
    root = edited("src/price.ts", "* 2", "* 3")

    async def ask(workspace: Workspace) -> dict[str, object]:
        async with Client(CodebaseServer(workspace, chosen_tools("changes"))) as client:
            answer = await client.call_tool("codebase_changes", {"depth": 1})
            assert answer.structured_content is not None
            return answer.structured_content

    with Workspace.locate(root) as workspace:
        text = workspace.changes("HEAD").text
        assert "HEAD has no parent here" in text
        found = anyio.run(ask, workspace)
    assert set(found) <= {"index", *(field.encode_name for field in fields(ChangesAnswer))}
    assert found["old"] == "HEAD"


def test_limits_of_risk_are_named(shop: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shop, "--fail-on", "huge") == 2
    assert "--fail-on accepts broken, low, medium, high, critical" in capsys.readouterr().err


def test_tests_that_the_change_breaks_and_that_change_with_it_come_first(tmp_path: Path) -> None:
    """A test of the whole program names nothing of the change, but every commit of the file changed it."""
    files = {
        **{f"test/other{number}.test.ts": "export const other = 1\n" for number in range(3)},
        "src/price.ts": "export const price = (cost: number) => cost\nexport const tax = 1\n",
        "test/all.snap.test.ts": "export const expected = 1\n",
        "test/taxes.test.ts": "import { tax } from '../src/price'\nexport const taxes = tax\n",
    }
    write_files(tmp_path, files)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    for number in range(2, 5):
        (tmp_path / "src/price.ts").write_text(files["src/price.ts"].replace("=> cost", f"=> cost * {number}"))
        (tmp_path / "test/all.snap.test.ts").write_text(f"export const expected = {number}\n")
        git(tmp_path, "commit", "-q", "-a", "-m", f"Multiply by {number}")
    (tmp_path / "src/price.ts").write_text(files["src/price.ts"].replace("tax =", "levy ="))
    with Workspace.locate(tmp_path) as workspace:
        workspace.history()
        found = workspace.changes().answer
    assert [(test.file, test.reason) for test in found.tests] == [
        ("test/taxes.test.ts", "has 1 place that the change breaks"),
        ("test/all.snap.test.ts", "changed in 100% of the commits of src/price.ts"),
    ]


def test_tests_that_no_use_connects_with_the_change_are_named(tmp_path: Path) -> None:
    """One requests a route, one imports the file through others, one is in its package, and one has nothing to do with it.

    What tests load is no test itself.
    """
    files = {
        "shop/deep.py": "def price():\n    return 1\n",
        "shop/middle.py": "from shop import deep\n",
        "shop/upper.py": "from shop import middle\n",
        "shop/app.py": (
            "from fastapi import FastAPI\n\nfrom shop import deep\n\napp = FastAPI()\n\n\n"
            "@app.get('/prices/{name}')\ndef show(name):\n    return deep.price()\n"
        ),
        "tests/test_far.py": "from shop import upper\n\n\ndef test_far():\n    assert upper\n",
        "tests/conftest.py": "from shop import app\n",
        "tests/__init__.py": "",
        "tests/page.test.js": "require('node:assert')\n",
        "tests/test_set_up.py": "def test_set_up(server):\n    assert server\n",
        "tests/test_http.py": "def test_http(server):\n    assert server.get('/prices/tea')\n",
        "other/test_other.py": "def test_other(server):\n    assert server.get('/orders/tea')\n",
        "go.mod": "module example.org/town\n",
        "road.go": "package town\n\nfunc Drive() int { return 1 }\n",
        "trip/trip.go": 'package trip\n\nimport "example.org/town"\n\nfunc Go() int { return town.Drive() }\n',
        "trip/any_test.go": 'package trip\n\nimport "testing"\n\nfunc TestAny(t *testing.T) { run(t) }\n',
        "car_test.go": 'package town\n\nimport "testing"\n\nfunc TestCar(t *testing.T) { run(t) }\n',
    }
    write_files(tmp_path, files)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    (tmp_path / "shop/deep.py").write_text("def price():\n    return 2\n")
    (tmp_path / "road.go").write_text("package town\n\nfunc Drive() int { return 2 }\n")
    with Workspace.locate(tmp_path) as workspace:
        found = workspace.changes().answer
    assert {test.file: (test.distance, test.reason) for test in found.tests} == {
        "tests/test_http.py": (2, "requests /prices/{name}"),
        "tests/test_far.py": (3, "imports shop/upper.py, which depends on what changed"),
        "tests/test_set_up.py": (3, "runs with tests/conftest.py, which imports what changed"),
        "car_test.go": (1, "is in the package of road.go"),
        "trip/any_test.go": (2, "is in the package of trip/trip.go, which imports what changed"),
    }


def test_tests_reach_javascript_through_its_declarations_and_are_named_after_symbols(tmp_path: Path) -> None:
    """`require('..')` leads to the declarations of the package, which describe the changed file."""
    files = {
        "package.json": '{"name": "town", "main": "town.js", "types": "town.d.ts"}\n',
        "town.d.ts": "export function town(): { addRoads(): void }\n",
        "town.js": (
            "exports.town = function town () {\n  return { addRoads }\n  function addRoads () {\n    return 1\n  }\n"
            "  function other () {\n    return 1\n  }\n}\n"
        ),
        "test/helper.js": "const { town } = require('..')\n\nexports.made = () => town()\n",
        "test/any.test.js": "const { made } = require('./helper')\n\nmade()\n",
        "test/add-road.test.js": "const { town } = require('..')\n\ntown()\n",
        "test/far.test.js": "require('node:assert')\n",
    }
    write_files(tmp_path, files)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    (tmp_path / "town.js").write_text(files["town.js"].replace("return 1", "return 2", 1))
    with Workspace.locate(tmp_path) as workspace:
        found = workspace.changes().answer
        assert [(test.file, test.distance) for test in found.tests] == [("test/add-road.test.js", 1), ("test/any.test.js", 2)]
        (tmp_path / "town.js").write_text(files["town.js"])
        (tmp_path / "test/helper.js").write_text(files["test/helper.js"].replace("town()", "town('Bath')"))
        found = workspace.changes().answer
    assert [(test.file, test.reason) for test in found.tests] == [("test/any.test.js", "uses made")]


def test_tests_of_java_are_reached_through_files_of_a_package_that_use_each_other(tmp_path: Path) -> None:
    """No file of the package imports another one, and the test is more steps away than dependants are followed."""
    names = ("Text", "Line", "Page", "Book", "Shelf", "Library")
    files = {"pom.xml": "<project><artifactId>town</artifactId></project>\n"}
    for name, used in zip(names, ("", *names), strict=False):
        body = f"return {used}.{used.lower()}();" if used else 'return "";'
        files[f"src/main/java/town/{name}.java"] = (
            f"package town;\n\nclass {name} {{\n  static String {name.lower()}() {{ {body} }}\n}}\n"
        )
    files["src/test/java/town/LibraryTest.java"] = (
        "package town;\n\nclass LibraryTest {\n  @Test void opens() { Library.library(); }\n}\n"
    )
    files["src/test/java/town/ParkTest.java"] = "package town;\n\nclass ParkTest {\n  @Test void grows() { }\n}\n"
    write_files(tmp_path, files)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    text = tmp_path / "src/main/java/town/Text.java"
    text.write_text(text.read_text().replace('""', '"text"'))
    with Workspace.locate(tmp_path) as workspace:
        found = workspace.changes().answer
    assert [(test.file, test.distance, test.reason) for test in found.tests] == [
        (
            "src/test/java/town/LibraryTest.java",
            6,
            "uses src/main/java/town/Library.java, which depends on what changed",
        )
    ]


def test_symbols_that_usually_change_together_are_missed(tmp_path: Path) -> None:
    """`encode` and `decode` always change together, `close` changes alone, and `Wire.size` in another file with `encode`."""
    codec = "def encode(value):\n    return value + {0}\n\n\ndef decode(value):\n    return value - {0}\n\n\n"
    codec += "def close():\n    return {1}\n"
    wire = "class Wire:\n    def size(self):\n        return {0}\n\n    def name(self):\n        return 'wire'\n"
    git(tmp_path, "init", "-q", "-b", "main")
    for number in range(10):
        (tmp_path / "codec.py").write_text(codec.format(number // 2, (number + 1) // 2))
        (tmp_path / "wire.py").write_text(wire.format(number // 2))
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", f"Turn {number}")
    (tmp_path / "codec.py").write_text(codec.format(4, 5).replace("value + 4", "value + 9"))
    with Workspace.locate(tmp_path) as workspace:
        workspace.history()
        found = workspace.changes().answer
        (tmp_path / "codec.py").write_text(codec.format(4, 9))
        alone = workspace.changes().answer
    assert [(one.breadcrumb, one.changes_with, one.support) for one in found.partners] == [
        ("codec.py > decode", "encode", 5),
        ("wire.py > Wire.size", "encode", 5),
    ]
    assert found.risk.reasons[-1] == "2 symbols that usually change with it did not: decode, Wire.size"
    assert [one.breadcrumb for one in alone.partners] == ["wire.py"]


def test_a_clone_that_lacks_old_contents_is_answered_without_owners(tmp_path: Path) -> None:
    """As a clone with a filter may, where Git may not fetch."""
    git(tmp_path, "init", "-q", "-b", "main")
    for text in ("export const a = 1\n", "export const a = 2\n"):
        (tmp_path / "a.ts").write_text(text)
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", "Go on")
    with Workspace.locate(tmp_path) as workspace:
        workspace.history()
        lost = git(tmp_path, "rev-parse", "HEAD:a.ts")
        (tmp_path / "a.ts").write_text("export const a = 3\n")
        git(tmp_path, "commit", "-q", "-a", "-m", "Go on")
        (tmp_path / ".git/objects" / lost[:2] / lost[2:]).unlink()
        (tmp_path / "a.ts").write_text("export const b = 3\n")
        found = workspace.changes().answer
    assert found.owners == ()
    assert found.notes[-1].startswith("Owners and files that usually change together are not known: git log failed")


def test_a_removed_package_of_go_is_told(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "go.mod": "module example.org/shop\n\ngo 1.22\n",
            "price/price.go": "package price\n\nfunc Of(cost int) int { return cost * 2 }\n",
            "shop.go": 'package shop\n\nimport "example.org/shop/price"\n\nfunc Total() int { return price.Of(1) }\n',
        },
    )
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    git(tmp_path, "rm", "-r", "-q", "price")
    found = changes_of(tmp_path)
    assert [(each.symbol, each.changes) for each in found.symbols] == [("Of", ("removed",))]
    assert any(place.at.startswith("shop.go:") for place in found.broken)


@pytest.mark.parametrize("was_indexed", [True, False])
def test_a_commit_that_removes_everything_is_told(tmp_path: Path, was_indexed: bool) -> None:
    write_files(tmp_path, {"cart.py": "def total():\n    return 1\n"})
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    if was_indexed:
        changes_of(tmp_path)
    git(tmp_path, "rm", "-q", "cart.py")
    assert [(each.symbol, each.changes) for each in changes_of(tmp_path).symbols] == [("total", ("removed",))]
    git(tmp_path, "commit", "-q", "-m", "Remove all")
    with Workspace.locate(tmp_path) as workspace:
        found = workspace.changes("HEAD")
        assert [(each.symbol, each.changes) for each in found.answer.symbols] == [("total", ("removed",))]
        (notice,) = found.index.notices
        assert ("generation 1" if was_indexed else "nothing is indexed") in notice
        history = workspace.history().answer
        assert [commit.title for commit in history.commits] == ["Remove all", "Begin"]
        removed = workspace.history("cart.py").answer
        assert removed.commits[0].title == "Remove all"
        assert removed.notes == ("The last commit does not contain this file, so no line of it has an owner.",)


def test_a_person_with_two_addresses_is_one_owner(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    for cost in range(3):
        write_files(tmp_path, {"cart.py": f"def total():\n    return {cost}\n"})
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", "Count", f"--author=Ada <ada{cost}@example.org>")
    with Workspace.locate(tmp_path) as workspace:
        workspace.history()
        (owner,) = workspace.changes("HEAD").answer.owners
    assert (owner.name, owner.email, owner.commits, owner.share) == ("Ada", "ada2@example.org", 3, 1.0)


def test_altered_columns_lead_to_their_users_and_tests(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "db/migrations/0001_boats.sql": "CREATE TABLE boats (id int PRIMARY KEY, name text NOT NULL, berth text);\n",
            "boats/store.py": (
                "def names(db):\n    return db.execute('SELECT name FROM boats')\n\n\n"
                "def move(db, berth):\n    db.execute('UPDATE boats SET berth = ?', (berth,))\n"
            ),
            "boats/__init__.py": "",
            "tests/test_store.py": "from boats.store import names\n\n\ndef test_names():\n    assert names(None)\n",
        },
    )
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    migration = "ALTER TABLE boats ALTER COLUMN name DROP NOT NULL;\nALTER TABLE boats ADD COLUMN hull text;\n"
    write_files(tmp_path, {"db/migrations/0002_name.sql": migration})
    store = (tmp_path / "boats/store.py").read_text()
    (tmp_path / "boats/store.py").write_text(store.replace("SET berth = ?", "SET hull = ?"))
    found = changes_of(tmp_path)
    assert [(each.name, each.change, each.at, each.readers, each.writers) for each in found.data] == [
        ("boats.name", "altered", "db/migrations/0002_name.sql:1", 1, 0)
    ]
    assert [(each.symbol, each.reads, each.modifies, each.no_longer) for each in found.statements] == [
        ("move", (), ("boats.hull",), ("boats.berth",))
    ]
    assert [(each.symbol, each.through) for each in found.affected] == [("names", ("read",))]
    assert [test.file for test in found.tests] == ["tests/test_store.py"]
    text = changes_text(found)
    assert "  boats.name (db/migrations/0002_name.sql:1)   altered; 1 reader\n" in text
    assert "  move (boats/store.py:6)   now modifies boats.hull; no longer uses boats.berth\n" in text
    assert "now modifies boats.hull" in changes_markdown(found)
