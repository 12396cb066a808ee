"""Compiler projects: discovery, roles, options, references both ways, and source files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.finding import find_file
from astrolabe.retrieval.analyses.project_structure import ProjectStructure, file_projects, project_structure

APP, TEST, SHARED, BASE, ROOT = (
    "app/tsconfig.json",
    "app/tsconfig.test.json",
    "shared/tsconfig.json",
    "tsconfig.base.json",
    "tsconfig.json",
)


@pytest.fixture(scope="module")
def structure(project: Callable[[str], Any]) -> ProjectStructure:
    return project_structure(project("multi-project").graph)


#: Attribute, then its value for each configuration.
ATTRIBUTES: list[tuple[str, dict[str, Any]]] = [
    ("role", {APP: "project", TEST: "project", SHARED: "project", BASE: "base", ROOT: "solution"}),
    ("is_solution", {APP: False, TEST: False, SHARED: False, BASE: False, ROOT: True}),
    ("composite", {APP: True, TEST: False, SHARED: True, BASE: False, ROOT: False}),
    ("out_dir", {APP: "out/app", TEST: "out/app", SHARED: "shared/dist", BASE: None, ROOT: None}),
    ("root_dir", {APP: ".", TEST: ".", SHARED: "shared/src", BASE: ".", ROOT: None}),
    ("extends", {APP: (BASE,), TEST: (APP, BASE), SHARED: (BASE,), BASE: (), ROOT: ()}),
    ("references", {APP: (SHARED, "gone/tsconfig.json"), TEST: (), SHARED: (), BASE: (), ROOT: (SHARED, APP)}),
    ("missing", {APP: ("gone/tsconfig.json",), TEST: (), SHARED: (), BASE: (), ROOT: ()}),
    ("referenced_by", {APP: (ROOT,), TEST: (), SHARED: (APP, ROOT), BASE: (), ROOT: ()}),
    (
        "files",
        {
            APP: ("app/src/helper.ts", "app/src/main.ts"),
            TEST: ("app/src/legacy.js", "app/src/main.test.ts"),
            SHARED: ("shared/src/keys.ts", "shared/src/types.ts"),
            BASE: (),
            ROOT: (),
        },
    ),
]


def test_every_configuration_is_found_in_order(structure: ProjectStructure) -> None:
    assert [each.path for each in structure.projects] == [APP, TEST, SHARED, BASE, ROOT]
    assert structure.nothing is None


@pytest.mark.parametrize(
    ("attribute", "path", "expected"),
    [(attribute, path, value) for attribute, values in ATTRIBUTES for path, value in values.items()],
)
def test_attributes(structure: ProjectStructure, attribute: str, path: str, expected: Any) -> None:
    assert getattr(structure.project(path), attribute) == expected


def test_dependants_are_followed(structure: ProjectStructure) -> None:
    assert structure.dependants(SHARED) == (APP, ROOT)
    assert structure.dependants(ROOT) == ()
    assert structure.project("nowhere/tsconfig.json") is None


FILES = [
    ("shared/src/keys.ts", [SHARED]),
    ("app/src/main.ts", [APP]),
    ("app/src/main.test.ts", [TEST]),
    ("app/src/legacy.js", [TEST]),
]
NO_FILES = [("tool.ts", "none"), ("shared/src/env.d.ts", "none"), ("src/nowhere.ts", "notFound")]


@pytest.mark.parametrize(("path", "expected"), FILES, ids=[path for path, _ in FILES])
def test_projects_of_a_file(project: Callable[[str], Any], path: str, expected: list[str]) -> None:
    graph = project("multi-project").graph
    assert [each.path for each in file_projects(graph, find_file(graph, path)).projects] == expected


@pytest.mark.parametrize(("path", "kind"), NO_FILES, ids=[path for path, _ in NO_FILES])
def test_a_file_of_no_project_says_why(project: Callable[[str], Any], path: str, kind: str) -> None:
    graph = project("multi-project").graph
    found = file_projects(graph, find_file(graph, path))
    assert (found.projects, found.nothing.kind) == ((), kind)


def test_a_workspace_without_projects_says_so(project: Callable[[str], Any]) -> None:
    found = project_structure(project("callbacks").graph)
    assert (found.projects, found.nothing.kind) == ((), "none")


def test_the_text_lists_what_is_set(structure: ProjectStructure) -> None:
    assert "  tsconfig.json: solution, 0 files\n    references shared/tsconfig.json, app/tsconfig.json" in structure.text
    assert "    missing gone/tsconfig.json" in structure.text
