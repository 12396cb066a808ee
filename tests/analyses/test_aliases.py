"""Aliases: renamed imports and exports, defaults, whole modules, chains of names, and the way back from an alias."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.alias_statements import NamedItem, read_statement
from astrolabe.retrieval.analyses.aliases import aliases, file_aliases
from astrolabe.retrieval.analyses.finding import find_file

#: Symbol, then its aliases: name, place, kind, chain; "type" where only the type passes.
ALIASES = {
    "Panel": [
        ("Element", "barrel.ts:1", "export", "Panel Pane Element", ""),
        ("core.Panel", "barrel.ts:3", "namespaceExport", "Panel core.Panel", ""),
        ("Pane", "export-rename.ts:1", "export", "Panel Pane", ""),
        ("View", "import-rename.ts:1", "import", "Panel View", "type"),
        ("CorePanels.Panel", "namespace-import.ts:1", "namespaceImport", "Panel CorePanels.Panel", ""),
        ("ReadonlyPanel", "type-only.ts:1", "import", "Panel ReadonlyPanel", "type"),
    ],
    "PanelId": [
        ("core.PanelId", "barrel.ts:3", "namespaceExport", "PanelId core.PanelId", ""),
        ("PaneId", "export-rename.ts:2", "export", "PanelId PaneId", "type"),
        ("CorePanels.PanelId", "namespace-import.ts:1", "namespaceImport", "PanelId CorePanels.PanelId", ""),
        ("ReadonlyId", "type-only.ts:1", "import", "PanelId ReadonlyId", "type"),
    ],
    "openPanel": [
        ("createElement", "barrel.ts:1", "export", "openPanel buildPane createElement", ""),
        ("core.openPanel", "barrel.ts:3", "namespaceExport", "openPanel core.openPanel", ""),
        ("assemble", "consumer.ts:2", "import", "openPanel buildPane assemble", ""),
        ("buildPane", "export-rename.ts:1", "export", "openPanel buildPane", ""),
        ("showPanel", "import-rename.ts:1", "import", "openPanel showPanel", ""),
        ("CorePanels.openPanel", "namespace-import.ts:1", "namespaceImport", "openPanel CorePanels.openPanel", ""),
        ("raise", "relay.ts:1", "import", "openPanel raise", ""),
        ("lift", "relay.ts:4", "export", "openPanel raise lift", ""),
    ],
    "defaultPanel": [
        ("core.default", "barrel.ts:3", "namespaceExport", "defaultPanel default core.default", ""),
        ("default", "core.ts:15", "defaultExport", "defaultPanel default", ""),
        ("makeDefault", "default-import.ts:1", "defaultImport", "defaultPanel default makeDefault", ""),
        ("createDefaultPane", "export-rename.ts:3", "export", "defaultPanel default createDefaultPane", ""),
        ("CorePanels.default", "namespace-import.ts:1", "namespaceImport", "defaultPanel default CorePanels.default", ""),
    ],
    "SplitLayout": [("SL", "namespace-alias.ts:2", "importEquals", "SplitLayout SL", "")],
    "hidden": [("visible", "export-rename.ts:6", "export", "hidden visible", "")],
}

#: An alias, and the name of the symbol that it leads back to.
BACK = [
    ("Pane", "Panel"),
    ("Element", "Panel"),
    ("View", "Panel"),
    ("ReadonlyPanel", "Panel"),
    ("ReadonlyId", "PanelId"),
    ("PaneId", "PanelId"),
    ("createElement", "openPanel"),
    ("buildPane", "openPanel"),
    ("showPanel", "openPanel"),
    ("relay.ts > lift", "openPanel"),
    ("raise", "openPanel"),
    ("Store", "PanelStore"),
    ("makeDefault", "defaultPanel"),
    ("createDefaultPane", "defaultPanel"),
    ("core.ts > default", "defaultPanel"),
    ("visible", "hidden"),
    ("SL", "SplitLayout"),
]

EMPTY = [
    ("store", "none", "uses its own name"),
    ("Panelist", "notFound", "Panel"),
    ("core.ts > showPanel", "notFound", "core.ts"),
]

#: A file, and the names under which others take it as a whole.
MODULES = [
    ("core.ts", [("core", "barrel.ts", 3, "namespaceExport"), ("CorePanels", "namespace-import.ts", 1, "namespaceImport")]),
    ("barrel.ts", []),
]

STATEMENTS = [
    ("import a from './a'", "import", "./a", [("default", "a", False)]),
    ("import a, { b as c, type D } from './a'", "import", "./a", [("default", "a", False), ("b", "c", False), ("D", "D", True)]),
    ("import type { A, B as C } from './a'", "import", "./a", [("A", "A", True), ("B", "C", True)]),
    ("import type A from './a'", "import", "./a", [("default", "A", True)]),
    ("import * as all from './a'", "import", "./a", [("*", "all", False)]),
    ("import type, { x } from './a'", "import", "./a", [("default", "type", False), ("x", "x", False)]),
    ("import { type as kind, type } from './a'", "import", "./a", [("type", "kind", False), ("type", "type", False)]),
    ("import { 'a-b' as ab } from './a' with { type: 'json' }", "import", "./a", [("a-b", "ab", False)]),
    ("export * from './a'", "export", "./a", [("*", "*", False)]),
    ("export * as ns from './a';", "export", "./a", [("*", "ns", False)]),
    ("export { a, b as default }", "export", None, [("a", "a", False), ("b", "default", False)]),
    ("export type { A } from './a'", "export", "./a", [("A", "A", True)]),
    ("import A = B.C.D", "equals", None, [("B.C.D", "A", False)]),
]


@pytest.mark.parametrize(("path", "at"), [(path, at) for path, rows in ALIASES.items() for at in range(len(rows))])
def test_each_alias(project: Callable[[str], Any], path: str, at: int) -> None:
    found = project("aliases").ask(aliases, path).aliases[at]
    only = "type" if found.type_only else ""
    assert (found.name, f"{found.path}:{found.line}", found.kind, " ".join(found.chain), only) == ALIASES[path][at]


@pytest.mark.parametrize("path", ALIASES)
def test_aliases_are_complete_and_in_order(project: Callable[[str], Any], path: str) -> None:
    found = project("aliases").ask(aliases, path)
    assert [alias.name for alias in found.aliases] == [row[0] for row in ALIASES[path]]
    assert found.names == tuple(sorted(row[0] for row in ALIASES[path]))
    assert (found.canonical, found.nothing) == (path, None)


@pytest.mark.parametrize(("alias", "name"), BACK)
def test_an_alias_leads_to_its_symbol(project: Callable[[str], Any], alias: str, name: str) -> None:
    found = project("aliases").ask(aliases, alias)
    assert found.canonical == name
    assert alias.rpartition(" > ")[2] in found.names


@pytest.mark.parametrize(("path", "kind", "words"), EMPTY)
def test_each_nothing_says_which(project: Callable[[str], Any], path: str, kind: str, words: str) -> None:
    found = project("aliases").ask(aliases, path)
    assert found.nothing.kind == kind
    assert words in found.nothing.message


@pytest.mark.parametrize(("path", "expected"), MODULES)
def test_names_of_whole_modules(project: Callable[[str], Any], path: str, expected: list[tuple[str, str, int, str]]) -> None:
    analysed = project("aliases")
    found = file_aliases(analysed.graph, find_file(analysed.graph, path))
    assert [(alias.name, alias.path, alias.line, alias.kind) for alias in found.aliases] == expected
    assert (found.nothing is None) == bool(expected)


@pytest.mark.parametrize(("text", "form", "specifier", "items"), STATEMENTS)
def test_statements(text: str, form: str, specifier: str | None, items: list[tuple[str, str, bool]]) -> None:
    found = read_statement(text)
    assert found is not None
    assert (found.form, found.specifier) == (form, specifier)
    assert found.items == tuple(NamedItem(*item) for item in items)


@pytest.mark.parametrize("text", ["import './setup'", "export default version", "export = thing", "import a = require('a')"])
def test_what_renames_nothing(text: str) -> None:
    assert read_statement(text) is None
