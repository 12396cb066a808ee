"""Side effects of loading a module: every kind, conditional or not, and what is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.finding import find_file
from astrolabe.retrieval.analyses.side_effects import SideEffect, side_effects


def spell(effect: SideEffect) -> str:
    return f"{effect.line} {effect.kind}{'?' if effect.is_conditional else ''} {effect.target_name}"


CASES = [
    (
        "effects.ts",
        [
            "1 import ./polyfill",
            "5 import ./setup",
            "7 call console.log",
            "8 call console.warn",
            "9 call process.stdout.write",
            "11 iife None",
            "15 iife None",
            "19 assignment process.env.NODE_ENV",
            "20 assignment process.env.DEBUG",
            "22 await fetch",
            "23 await Promise",
            "26 call? console.log",
            "30 call? helper",
            "32 call? console.error",
            "36 call? helper",
            "39 call? helper",
        ],
    ),
    ("polyfill.ts", ["1 assignment (globalThis as any).polyfilled", "2 assignment Array.prototype.at"]),
    (
        "effects.js",
        [
            "1 import ./polyfill",
            "3 import ./setup",
            "6 call console.log",
            "8 iife None",
            "10 assignment globalThis.ready",
            "13 call EventSource",
        ],
    ),
]

EMPTY = [("setup.ts", "none"), ("nowhere.ts", "notFound"), ("styles.css", "notIndexed")]

#: Lines of effects.ts with an import of names, one of a type, one of nothing, a function, a class, an interface, a type, an
#: enum, and what only touches variables of the file.
NO_EFFECTS = [(2, 2), (3, 3), (4, 4), (41, 43), (45, 49), (51, 53), (55, 55), (57, 59), (61, 62)]

TEXTS = [
    (1, 'import "./polyfill"'),
    (9, r'process.stdout.write("out\n")'),
    (11, "(function () {"),
    (19, 'process.env.NODE_ENV = "test"'),
    (22, 'const config = await fetch("/config")'),
    (39, 'helper("ci")'),
]


def ask(project: Callable[[str], Any], path: str) -> Any:
    graph = project("side-effects").graph
    return side_effects(graph, find_file(graph, path))


EACH = [(path, at) for path, expected in CASES for at in range(len(expected))]


@pytest.mark.parametrize(("path", "at"), EACH, ids=[f"{path} {dict(CASES)[path][at]}" for path, at in EACH])
def test_each_effect(project: Callable[[str], Any], path: str, at: int) -> None:
    assert spell(ask(project, path).effects[at]) == dict(CASES)[path][at]


@pytest.mark.parametrize(("path", "expected"), CASES, ids=[path for path, _ in CASES])
def test_effects_are_complete_and_in_source_order(project: Callable[[str], Any], path: str, expected: list[str]) -> None:
    assert [spell(effect) for effect in ask(project, path).effects] == expected


@pytest.mark.parametrize(("first", "last"), NO_EFFECTS, ids=[f"lines {first} to {last}" for first, last in NO_EFFECTS])
def test_declarations_have_no_effect(project: Callable[[str], Any], first: int, last: int) -> None:
    assert [effect.line for effect in ask(project, "effects.ts").effects if first <= effect.line <= last] == []


@pytest.mark.parametrize(("line", "text"), TEXTS, ids=[str(line) for line, _ in TEXTS])
def test_texts_are_the_first_line(project: Callable[[str], Any], line: int, text: str) -> None:
    assert [effect.text for effect in ask(project, "effects.ts").effects if effect.line == line] == [text]


@pytest.mark.parametrize(("path", "kind"), EMPTY, ids=[path for path, _ in EMPTY])
def test_nothing_says_which(project: Callable[[str], Any], path: str, kind: str) -> None:
    found = ask(project, path)
    assert (found.effects, found.nothing.kind) == ((), kind)


def test_an_effect_leads_to_its_statement(project: Callable[[str], Any]) -> None:
    rows = project("side-effects").graph.rows(
        "MATCH (f:File)-[r:RUNS]->(s:Symbol) WHERE f.relativePath = 'effects.ts' RETURN r.line, s.startLine, s.endLine, s.depth"
    )
    assert rows
    assert all(start <= line <= end and depth == 0 for line, start, end, depth in rows)
