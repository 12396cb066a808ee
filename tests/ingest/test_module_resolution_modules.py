"""Package boundaries and dependencies of a workspace."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.workspace_modules import WorkspaceModules, read_modules
from astrolabe.schema.records import Dependency, ModuleRecord
from astrolabe.schema.settings import Settings

WORKSPACE = """
//- package.json
{"name": "shop", "version": "1.2.3", "workspaces": ["packages/*"], "devDependencies": {"typescript": "^5.9.0"}}
//- pnpm-workspace.yaml
packages: ["packages/*"]
catalog:
  react: ^19.0.0
  numeric: 2
catalogs:
  legacy: {react: ^17.0.2}
//- packages/cart/package.json
{
  "name": "@shop/cart",
  "dependencies": {"react": "catalog:", "numeric": "catalog:default", "@shop/core": "workspace:*", "odd": 3},
  "peerDependencies": {"react": "catalog:legacy", "vue": "catalog:gone"},
  "optionalDependencies": {"fsevents": "*"}
}
//- packages/cart/src/package.json
{"type": "module"}
//- packages/cart/src/index.ts
//- packages/cart/demo/package.json
{"name": "demo", "version": "0.0.1"}
//- packages/cart/demo/main.ts
//- packages/broken/package.json
{"name": "broken",,}
//- packages/broken/index.ts
//- node_modules/react/package.json
{"name": "react"}
//- root.ts
"""


def modules_of(root: Path, text: str) -> WorkspaceModules:
    for block in re.split(r"^//- ", text, flags=re.MULTILINE)[1:]:
        name, _, body = block.partition("\n")
        path = root / name.strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, "utf-8")
    found = discover(root, Settings())
    return read_modules(WorkspaceFiles(root, [file.relative_path for file in found.files], found.configuration_files))


def test_modules_and_their_nesting(tmp_path: Path) -> None:
    found = modules_of(tmp_path, WORKSPACE)
    assert found.modules == [
        ModuleRecord(".", "shop", "npm", "package.json", "1.2.3", None),
        ModuleRecord("packages/broken", "broken", "npm", "packages/broken/package.json", "", "."),
        ModuleRecord("packages/cart", "@shop/cart", "npm", "packages/cart/package.json", "", "."),
        ModuleRecord("packages/cart/demo", "demo", "npm", "packages/cart/demo/package.json", "0.0.1", "packages/cart"),
    ]
    [(manifest, problem)] = found.problems.items()
    assert (manifest, problem.line) == ("packages/broken/package.json", 1)
    assert problem.reason.startswith("not valid JSON: ")  # the rest is Python's, and differs from version to version


def test_dependencies_with_catalogs_filled_in(tmp_path: Path) -> None:
    cart = "packages/cart"
    assert modules_of(tmp_path, WORKSPACE).dependencies == [
        Dependency(".", "typescript", "^5.9.0", "devDependencies"),
        Dependency(cart, "react", "^19.0.0", "dependencies"),
        Dependency(cart, "numeric", "2", "dependencies"),
        Dependency(cart, "@shop/core", "workspace:*", "dependencies"),
        Dependency(cart, "react", "^17.0.2", "peerDependencies"),
        Dependency(cart, "vue", "catalog:gone", "peerDependencies"),
        Dependency(cart, "fsevents", "*", "optionalDependencies"),
    ]


MODULE_OF = [
    ("root.ts", "."),
    ("src/deep/x.ts", "."),
    ("packages/cart/src/index.ts", "packages/cart"),
    ("packages/cart/demo/main.ts", "packages/cart/demo"),
    ("packages/cartoon/x.ts", "."),
]


@pytest.mark.parametrize(("path", "expected"), MODULE_OF)
def test_module_of_a_file(tmp_path: Path, path: str, expected: str) -> None:
    assert modules_of(tmp_path, WORKSPACE).module_of(path) == expected


def test_files_outside_every_module(tmp_path: Path) -> None:
    found = modules_of(tmp_path, '//- web/package.json\n{"name": "web"}\n//- web/a.ts\n//- b.ts\n')
    assert [module.id for module in found.modules] == ["web"]
    assert found.modules[0].parent_id is None
    assert (found.module_of("web/a.ts"), found.module_of("b.ts")) == ("web", None)


def test_a_nameless_root_takes_the_name_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "my-app").mkdir()
    found = modules_of(tmp_path / "my-app", "//- package.json\n{}\n//- a.ts\n")
    assert [(module.id, module.name) for module in found.modules] == [(".", "my-app")]
