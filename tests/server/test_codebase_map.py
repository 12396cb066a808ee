"""The map of a real small project: each wish, the budget, and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import astrolabe
import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.workspace import Workspace

FILES = {
    "package.json": '{"name": "root", "workspaces": ["packages/*"]}',
    "packages/core/package.json": '{"name": "@x/core", "main": "src/index.ts"}',
    "packages/core/src/index.ts": "export * from './store'\nexport { log as write } from './log'\n",
    "packages/core/src/store.ts": """\
import { log } from './log'
/** Keeps values. */
export class Store {
  keep(value: string) { log(value) }
}
export interface Kept { value: string }
export type Key = string
export enum Mode { On, Off }
export const LIMIT = 10
export default function open(): Store { return new Store() }
function hidden() { return log('x') }
hidden()
""",
    "packages/core/src/log.ts": """\
import type { Store } from './store'
export function log(text: string) { return text }
export let last: Store | undefined
""",
    "packages/core/src/ring.ts": "import { lap } from './lap'\nexport const ring = () => lap()\n",
    "packages/core/src/lap.ts": "import { ring } from './ring'\nexport const lap = () => ring()\n",
    "packages/core/src/store.test.ts": "import { Store } from './store'\nnew Store().keep('a')\n",
    "packages/app/package.json": '{"name": "@x/app", "dependencies": {"@x/core": "*"}}',
    "packages/app/src/main.ts": "import { Store } from '@x/core'\nimport R from 'react'\nexport const store = new Store()\nR\n",
    "packages/app/src/[id]/page.ts": "export const page = 1\n",
}


@pytest.fixture(scope="module")
def workspace(indexed_project: Callable[[dict[str, str]], Workspace]) -> Workspace:
    return indexed_project(FILES)


Ask = Callable[..., Any]


@pytest.fixture
def ask(workspace: Workspace) -> Ask:
    """The JSON form of a map."""
    return lambda *path, **options: json.loads(json.dumps(workspace.map(*path, **options).to_json()))


def entries(found: dict[str, Any]) -> dict[str, Any]:
    """Entries of files by path."""
    return {
        folder["path"].removeprefix("./") + file["file"]: file
        for folder in found.get("structure", [])
        for file in folder["files"]
    }


def names(found: dict[str, Any], path: str) -> list[str]:
    return [symbol["name"] for symbol in entries(found)[path].get("exports", [])]


STORE = "packages/core/src/store.ts"


def test_exports_of_each_file(ask: Ask) -> None:
    found = ask()
    assert names(found, STORE) == ["Store", "Kept", "Key", "Mode", "LIMIT", "open"]
    assert [symbol["kind"] for symbol in entries(found)[STORE]["exports"]][:5] == ["class", "interface", "type", "enum", "const"]
    assert entries(found)["packages/core/src/index.ts"] == {"file": "index.ts", "moreReExports": 6}
    assert entries(found)["packages/core/src/store.test.ts"]["test"] is True
    kinds = {"function": 4, "const": 3, "class": 1, "enum": 1, "interface": 1, "type": 1, "variable": 1}
    assert found["summary"] == {"totalFiles": 8, "totalDirs": 3, "totalExports": 12, "exportsByKind": kinds}
    assert "leftOut" not in found


def test_files_only(ask: Ask) -> None:
    structure = ask(depth=0)["structure"]
    assert {folder["path"]: folder["files"] for folder in structure}["packages/app/src/"] == ["main.ts"]


def test_packages_and_what_they_use(ask: Ask) -> None:
    packages = {package["name"]: package for package in ask()["packages"]}
    assert packages["@x/app"]["dependsOn"] == ["packages/core"]
    assert packages["@x/core"] == {"name": "@x/core", "path": "packages/core", "files": 6}
    assert "root" not in packages


def test_signatures_unexported_declarations_and_re_exports(ask: Ask) -> None:
    found = ask(depth=2)
    store = entries(found)[STORE]
    by_name = {symbol["name"]: symbol for symbol in store["exports"]}
    assert by_name["open"] | {"signature": ""} == {
        "name": "open", "kind": "function", "signature": "", "line": 10, "isDefault": True,
    }  # fmt: skip
    assert by_name["open"]["signature"].startswith("function open(): Store")
    assert [symbol["name"] for symbol in store["internal"]] == ["hidden"]
    assert {"name": "write", "from": "packages/core/src/log.ts"} in entries(found)["packages/core/src/index.ts"]["reExports"]
    assert "jsdoc" not in by_name["Store"]


def test_doc_comments(ask: Ask) -> None:
    assert entries(ask(depth=3))[STORE]["exports"][0]["jsdoc"] == "Keeps values."
    assert "jsdoc" not in entries(ask(depth=3, include_jsdoc=False))[STORE]["exports"][0]
    assert "signature" not in entries(ask(depth=3, include_types=False))[STORE]["exports"][0]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("functions", ["open"]),
        ("classes", ["Store"]),
        ("interfaces", ["Kept"]),
        ("types", ["Kept", "Key", "Mode"]),
        ("constants", ["LIMIT"]),
        ("enums", ["Mode"]),
    ],
)
def test_kinds(ask: Ask, kind: str, expected: list[str]) -> None:
    assert names(ask(kind=kind), STORE) == expected


@pytest.mark.parametrize(
    ("path", "options", "expected"),
    [
        (STORE, {}, [STORE]),
        ("packages/app", {}, ["packages/app/src/[id]/page.ts", "packages/app/src/main.ts"]),
        ("./packages/app/", {}, ["packages/app/src/[id]/page.ts", "packages/app/src/main.ts"]),
        ("packages/app/src/[id]", {}, ["packages/app/src/[id]/page.ts"]),
        ("packages/*/src/[ls]*.ts", {}, [
            "packages/core/src/lap.ts", "packages/core/src/log.ts", "packages/core/src/store.test.ts", STORE,
        ]),
        ("packages/core", {"filter": "*.test.ts"}, ["packages/core/src/store.test.ts"]),
    ],
)  # fmt: skip
def test_paths(ask: Ask, path: str, options: dict[str, Any], expected: list[str]) -> None:
    assert sorted(entries(ask(path, **options))) == sorted(expected)


def test_absolute_paths(ask: Ask, workspace: Workspace) -> None:
    assert sorted(entries(ask(str(workspace.root / STORE)))) == [STORE]


def test_imports(ask: Ask) -> None:
    assert entries(ask(include_imports=True))["packages/app/src/main.ts"]["imports"] == ["@x/core", "react"]


def test_the_graph_of_imports(ask: Ask) -> None:
    graph = ask(include_graph=True)["graph"]
    log = graph["modules"]["packages/core/src/log.ts"]
    assert log["importedBy"] == ["packages/core/src/index.ts", STORE]
    assert graph["modules"]["packages/app/src/main.ts"] == {"imports": ["packages/core/src/index.ts"]}
    assert log["depth"] == 2
    assert graph["stats"] == {"totalModules": 8, "totalEdges": 8, "circularCount": 2, "orphanCount": 2}
    assert "circular" not in graph


def test_circles_of_types_alone_are_told_from_real_ones(ask: Ask) -> None:
    core = "packages/core/src"
    assert ask(detect_circular=True)["graph"]["circular"] == [
        {"chain": [f"{core}/lap.ts", f"{core}/ring.ts", f"{core}/lap.ts"], "severity": "warning", "kind": "load"},
        {"chain": [f"{core}/log.ts", f"{core}/store.ts", f"{core}/log.ts"], "severity": "info", "kind": "type"},
    ]


def test_orphans_are_files_that_nothing_imports(ask: Ask) -> None:
    assert ask(find_orphans=True)["graph"]["orphans"] == ["packages/app/src/[id]/page.ts", "packages/app/src/main.ts"]


def test_statistics(ask: Ask) -> None:
    found = ask(include_stats=True)
    # A file that ends with a line break has an empty last line.
    assert entries(found)[STORE]["lines"] == FILES[STORE].count("\n") + 1
    assert found["summary"]["totalLines"] == sum(text.count("\n") + 1 for name, text in FILES.items() if name.endswith(".ts"))


def test_a_flat_list(ask: Ask) -> None:
    found = ask("packages/core", format="flat")
    assert "structure" not in found
    assert [file["file"] for file in found["files"]] == sorted(name for name in FILES if name.startswith("packages/core/src"))


@pytest.mark.parametrize("options", [{}, {"depth": 3}, {"include_graph": True, "detect_circular": True, "find_orphans": True}])
@pytest.mark.parametrize("budget", [200, 260, 320, 400, 1000])
def test_budgets_hold_and_nothing_disappears(ask: Ask, workspace: Workspace, budget: int, options: dict[str, Any]) -> None:
    found = ask(budget=budget, **options)
    assert found["tokens"] <= budget
    assert len(workspace.map(budget=budget, **options).text) / 4 <= budget
    left = found.get("leftOut", {})
    assert len(entries(found)) + left.get("files", 0) == 8
    assert sum(folder["files"] for folder in left.get("folders", [])) == left.get("files", 0)
    shown = sum(len(entry.get("exports", [])) for entry in entries(found).values())
    assert shown + left.get("exports", 0) == 12


def test_the_most_important_file_stays(ask: Ask) -> None:
    assert set(entries(ask("packages/core", budget=250))) & {"packages/core/src/log.ts", STORE}


BAD: list[tuple[tuple[str, ...], dict[str, Any], str]] = [
    (("src/missing.ts",), {}, 'No indexed file matches the path "src/missing.ts".'),
    (("core/src/store.ts",), {}, f'No indexed file matches the path "core/src/store.ts". Similar paths: {STORE}'),
    (("packages/app",), {"filter": "*.vue"}, 'No indexed file within "packages/app" matches the filter "*.vue".'),
    ((), {"depth": 7}, "The depth of a map is a number from 0 (files) to 3 (doc comments), not 7."),
    ((), {"kind": "verbs"}, 'There is no kind "verbs"; it is one of all, functions,'),
    ((), {"format": "round"}, 'A map has the format tree or flat, not "round".'),
    ((), {"budget": 3}, "A map needs a budget of at least 200 tokens, not 3."),
    (("[z-a].ts",), {}, "The path filter '[z-a].ts' is not a valid glob"),
]


@pytest.mark.parametrize(("path", "options", "message"), BAD)
def test_bad_input_is_explained(workspace: Workspace, path: tuple[str, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        workspace.map(*path, **options)
    assert str(caught.value).startswith(message)


def test_the_text_form_tells_the_same(workspace: Workspace) -> None:
    text = workspace.map("packages/core", depth=2, detect_circular=True).text
    assert "    3: class Store" in text
    assert "(internal) function hidden()" in text
    assert "circle (types only): packages/core/src/log.ts > packages/core/src/store.ts > packages/core/src/log.ts" in text


def test_maps_are_fresh(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("export const a = 1\n")
    with astrolabe.open(tmp_path) as opened:
        (tmp_path / "b.ts").write_text("export const b = 1\n")
        assert opened.map().to_json()["summary"]["totalFiles"] == 2


def test_what_importers_take_as_a_whole_has_its_own_name(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    files = {
        "package.json": '{"name": "kit"}',
        "cache.js": "class Cache {}\nmodule.exports = Cache\nmodule.exports.limit = 3\n",
        "view.ts": "export default function render() {}\n",
        "same.ts": "class Same {}\nexport = Same\n",
        "table.js": "module.exports = { first: 1, second() {} }\n",
    }
    workspace = indexed_project(files)
    found = entries(json.loads(json.dumps(workspace.map().to_json())))
    shown = {
        file: [(each["name"], each["kind"], each.get("isDefault", False)) for each in entry.get("exports", [])]
        for file, entry in found.items()
    }
    assert shown[".cache.js"][0] == ("Cache", "class", True)
    assert shown[".view.ts"] == [("render", "function", True)]
    assert shown[".same.ts"] == [("Same", "class", True)]
    assert not any(default for _, _, default in shown[".table.js"])
    assert "cache.js: default class Cache" in workspace.map().text
