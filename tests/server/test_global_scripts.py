"""Scripts share their names with the files of their program of the compiler, in an index and after each update."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.indexing.indexer import Indexer
from incremental_report.__main__ import check
from incremental_steps import check_changes
from written_workspace import write

PROJECT = """
//- tsconfig.json
{ "include": ["src"] }
//- src/globals.ts
function greet(name: string) { return name }
//- src/page.ts
export function page() { greet('you'); later() }
//- src/admin.ts
export function admin() { greet('me') }
//- src/other.ts
export function other() { return 1 }
//- tools/globals.ts
function later() {}
"""

CALLS = """MATCH (a:Symbol)-[:CALLS]->(b:Symbol)<-[:CONTAINS*1..3]-(f:File)
RETURN a.name, f.relativePath, b.name ORDER BY a.name, b.name"""
FROM_PAGES = [("admin", "src/globals.ts", "greet"), ("page", "src/globals.ts", "greet")]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            "//- src/globals.ts\nfunction greet(name: string) { return name }\nfunction later() {}\n",
            [FROM_PAGES[0], FROM_PAGES[1], ("page", "src/globals.ts", "later")],
        ),
        ("//- src/globals.ts\nexport function greet(name: string) { return name }\n", []),
        ("//- src/more.ts\nfunction later() {}\n", [*FROM_PAGES, ("page", "src/more.ts", "later")]),
        ("//- src/globals.ts\nfunction greet(name: string, loud = false) { return name }\n", FROM_PAGES),
    ],
    ids=["a new name", "a module", "a new script", "another signature"],
)
def test_a_change_of_a_script_updates_the_files_that_mention_its_names(
    tmp_path: Path, change: str, expected: list[tuple[str, ...]]
) -> None:
    check_changes(tmp_path, PROJECT, [change], {CALLS: FROM_PAGES}, {CALLS: expected})


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "change",
    [
        '//- tsconfig.json\n{ "include": ["src/page.ts", "tools"] }\n',
        "//- src/globals.ts\n/// <reference path='../tools/globals.ts' />\nfunction greet(name: string) { return name }\n",
    ],
    ids=["other files in the program", "a reference to another script"],
)
def test_another_scope_of_scripts_builds_anew(tmp_path: Path, change: str) -> None:
    root, index, settings = tmp_path / "project", tmp_path / "index", Settings()
    write(root, PROJECT)
    Indexer(root, index, settings).refresh()
    write(root, change)
    assert Indexer(root, index, settings).refresh().rebuilt_because
    assert check(root, index, tmp_path / "fresh") == []


PAGE = """
//- package.json
{ "name": "page" }
//- js/store.js
function total() { return 1 }
//- js/main.js
function show() { return total() }
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("//- js/store.js\nfunction total() { return 2 }\nfunction other() {}\n", [("show", "js/store.js", "total")]),
        ("//- js/store.js\nconst fs = require('fs')\nfunction total() { return 1 }\n", []),
        ("//- js/again.js\nfunction total() { return 3 }\n", []),
    ],
    ids=["another body", "a module of CommonJS", "a second script with the name"],
)
def test_scripts_of_javascript_share_their_names(tmp_path: Path, change: str, expected: list[tuple[str, ...]]) -> None:
    check_changes(tmp_path, PAGE, [change], {CALLS: [("show", "js/store.js", "total")]}, {CALLS: expected})


def test_only_scripts_without_uses_are_dead(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
//- package.json
{ "name": "pages", "main": "./src/main.ts" }
//- tsconfig.json
{ "include": ["src"] }
//- src/main.ts
export function main() { return Shared.again() }
//- src/shared.ts
namespace Shared { export function again() { return used() } }
//- src/used.ts
function used() { return 1 }
function unused() { return 2 }
""",
    )
    with Workspace.locate(tmp_path) as workspace:
        found = workspace.lint(checks=["dead-code"]).answer
    assert [(each.file, each.symbol) for each in found.dead_code or ()] == [("src/used.ts", "unused")]
    assert not found.not_known
