"""Circles among imports: known shapes, and laws that hold for every graph."""

from __future__ import annotations

import pytest
from astrolabe.retrieval.map.import_cycles import distances_from_roots, import_cycles
from hypothesis import given
from hypothesis import strategies as st

CASES: dict[str, tuple[dict[str, list[str]], list[tuple[str, ...]]]] = {
    "a line": ({"a": ["b"], "b": ["c"]}, []),
    "a diamond": ({"a": ["b", "c"], "b": ["d"], "c": ["d"]}, []),
    "two files": ({"a": ["b"], "b": ["a"]}, [("a", "b")]),
    "a file that imports itself": ({"a": ["a"]}, [("a",)]),
    "a circle behind an entry": ({"a": ["b"], "b": ["c"], "c": ["b"]}, [("b", "c")]),
    "two circles through one file": ({"a": ["b", "c"], "b": ["a"], "c": ["a"]}, [("a", "b"), ("a", "c")]),
    "a circle inside another": ({"a": ["b"], "b": ["a", "c"], "c": ["a"]}, [("a", "b"), ("a", "b", "c")]),
    "circles apart": ({"a": ["b"], "b": ["a"], "x": ["y"], "y": ["x"]}, [("a", "b"), ("x", "y")]),
    "nothing": ({}, []),
}

NAMES = "abcdefgh"
GRAPHS = st.dictionaries(st.sampled_from(NAMES), st.sets(st.sampled_from(NAMES))).map(
    lambda graph: {name: sorted(graph[name]) for name in sorted(graph)}
)


@pytest.mark.parametrize(("imports", "expected"), CASES.values(), ids=CASES)
def test_circles(imports: dict[str, list[str]], expected: list[tuple[str, ...]]) -> None:
    assert import_cycles(imports) == expected


def recursive_search(imports: dict[str, list[str]]) -> list[tuple[str, ...]]:
    """The search as it is usually written: one circle whenever an import leads to a file that is still being visited."""
    circles: list[tuple[str, ...]] = []
    visiting: list[str] = []
    visited: set[str] = set()

    def visit(name: str) -> None:
        visiting.append(name)
        for target in imports.get(name, ()):
            if target in visiting:
                circles.append(tuple(visiting[visiting.index(target) :]))
            elif target not in visited:
                visit(target)
        visited.add(visiting.pop())

    for name in imports:
        if name not in visited:
            visit(name)
    return circles


@given(GRAPHS)
def test_the_search_without_recursion_is_the_recursive_one(imports: dict[str, list[str]]) -> None:
    assert import_cycles(imports) == recursive_search(imports)


@given(GRAPHS)
def test_circles_are_circles_and_without_their_last_imports_none_is_left(imports: dict[str, list[str]]) -> None:
    circles = import_cycles(imports)
    for circle in circles:
        assert all(target in imports[source] for source, target in zip(circle, circle[1:] + circle[:1], strict=True))
    closing = {(circle[-1], circle[0]) for circle in circles}
    opened = {name: [target for target in imports[name] if (name, target) not in closing] for name in imports}
    assert import_cycles(opened) == []


def test_a_long_chain_does_not_overflow() -> None:
    names = [f"{number:05}" for number in range(20_000)]
    imports = {name: [target] for name, target in zip(names, names[1:] + names[:1], strict=True)}
    assert import_cycles(imports) == [tuple(names)]


def test_distances_count_from_files_that_nothing_imports() -> None:
    imports = {"main": ["config", "tools"], "tools": ["config"], "config": ["log"], "x": ["y"], "y": ["x"]}
    paths = ["config", "log", "main", "tools", "x", "y"]
    assert distances_from_roots(imports, paths) == {"main": 0, "config": 1, "tools": 1, "log": 2, "x": 0, "y": 1}
