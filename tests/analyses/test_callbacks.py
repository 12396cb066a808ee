"""Callbacks and higher-order functions, and type guards among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.callbacks import CallbackUse, callbacks, guard_callbacks


def spell(use: CallbackUse) -> str:
    """`file:line callee index`, "!" where it is bound, then what takes it."""
    place = use.attribute if use.parameter_index is None else use.parameter_index
    taker = use.taken_by.qualified_name if use.taken_by else use.external or "-"
    return f"{use.file}:{use.line} {use.called_by} {place}{'!' if use.bound_with_bind else ''} {taker}"


USES = [
    (
        "double",
        [
            "consumer.ts:5 map 0 lib:Array.prototype.map",
            "consumer.ts:7 retry 0 retry",
            "consumer.ts:10 map 0 lib:Array.prototype.map",
            "main.ts:19 map 0 lib:Array.prototype.map",
            "main.ts:74 retry 0 retry",
        ],
    ),
    ("isEven", ["consumer.ts:5 filter 0 lib:Array.prototype.filter", "main.ts:20 filter 0 lib:Array.prototype.filter"]),
    ("toUpper", ["main.ts:21 map 0 lib:Array.prototype.map"]),
    ("parseJSON", ["consumer.ts:13 then 0 lib:Promise.prototype.then", "main.ts:23 then 0 lib:Promise.prototype.then"]),
    (
        "logError",
        [
            "consumer.ts:14 catch 0 lib:Promise.prototype.catch",
            "main.ts:23 catch 0 lib:Promise.prototype.catch",
            "main.ts:73 on 1 EventBus.on",
        ],
    ),
    (
        "Processor > format",
        ["main.ts:68 forEach 0! lib:Array.prototype.forEach", "main.ts:69 map 0 lib:Array.prototype.map"],
    ),
    ("retry", []),
]

HIGHER_ORDER = [
    ("retry", ["task 0 (value: number) => number"], None),
    ("debounce", ["task 0 () => void"], "() => void"),
    ("compose", ["outer 0 (b: B) => C", "inner 1 (a: A) => B"], "(a: A) => C"),
    ("withLogging", ["task 0 Task"], None),
    ("onResult", ["success 0 (value: string) => void", "failure 1 ((error: Error) => void) | null"], None),
    ("EventBus > on", ["handler 1 (payload: unknown) => void"], None),
    ("multiplier", [], "(value: number) => number"),
    ("plain", [], None),
]

#: Guard, predicate, then its uses.
GUARDS = [
    (
        "isUser",
        "is User",
        [
            "consumer.ts:5 filter 0: Person[] -> User[]",
            "consumer.ts:6 find 0: Person[] -> User | undefined",
            "consumer.ts:10 filterByGuard 1: Person[] -> User[]",
            "guards.ts:26 filter 0: Person[] -> User[]",
            "guards.ts:29 find 0: Person[] -> User | undefined",
        ],
    ),
    (
        "isAdmin",
        "is Admin",
        [
            "consumer.ts:7 filter 0: Person[] -> Admin[]",
            "guards.ts:27 filter 0: Person[] -> Admin[]",
        ],
    ),
    (
        "isCat",
        "is Cat",
        ["consumer.ts:8 filter 0: readonly Animal[] -> Cat[]", "guards.ts:28 filter 0: Animal[] -> Cat[]"],
    ),
    (
        "assertDefined",
        "asserts T",
        [
            "consumer.ts:9 forEach 0: Person[] -> void",
            "consumer.ts:11 assertAll 1: Person[] -> None",
            "guards.ts:30 forEach 0: (string | undefined)[] -> void",
        ],
    ),
    ("assertUser", "asserts User", []),
]

GUARD_PARAMETERS = [
    ("filterByGuard", ["guard 1 is S"]),
    ("assertAll", ["check 1 asserts T"]),
    ("processPeople", []),
]

EMPTY = [
    ("callbacks", callbacks, "plain", "none"),
    ("callbacks", callbacks, "EventBus", "notApplicable"),
    ("callbacks", callbacks, "Task", "notApplicable"),
    ("callbacks", callbacks, "nobody", "notFound"),
    ("guard-callbacks", guard_callbacks, "assertUser", "none"),
    ("guard-callbacks", guard_callbacks, "formatPerson", "notApplicable"),
    ("guard-callbacks", guard_callbacks, "processPeople", "notApplicable"),
    ("guard-callbacks", guard_callbacks, "isNobody", "notFound"),
]


EACH_USE = [(path, at) for path, expected in USES for at in range(len(expected))]


@pytest.mark.parametrize(("path", "at"), EACH_USE, ids=[f"{path} {dict(USES)[path][at]}" for path, at in EACH_USE])
def test_each_use(project: Callable[[str], Any], path: str, at: int) -> None:
    assert spell(project("callbacks").ask(callbacks, path).uses[at]) == dict(USES)[path][at]


@pytest.mark.parametrize(("path", "expected"), USES, ids=[path for path, _ in USES])
def test_uses_by_file_and_line(project: Callable[[str], Any], path: str, expected: list[str]) -> None:
    assert [spell(use) for use in project("callbacks").ask(callbacks, path).uses] == expected


@pytest.mark.parametrize(("path", "parameters", "returned"), HIGHER_ORDER, ids=[path for path, *_ in HIGHER_ORDER])
def test_functions_taken_and_given(project: Callable[[str], Any], path: str, parameters: list[str], returned: str | None) -> None:
    found = project("callbacks").ask(callbacks, path)
    assert [f"{each.name} {each.index} {each.type}" for each in found.parameters] == parameters
    assert found.returned_type == returned
    assert all(each.predicate_kind is None for each in found.parameters)


@pytest.mark.parametrize(
    ("path", "predicate", "use"), [(path, predicate, use) for path, predicate, uses in GUARDS for use in uses]
)
def test_each_use_of_a_guard(project: Callable[[str], Any], path: str, predicate: str, use: str) -> None:
    uses = {
        f"{use.file}:{use.line} {use.called_by} {use.parameter_index}: {use.input_type} -> {use.narrowed_output_type}": (
            f"{use.predicate_kind} {use.predicate_type}"
        )
        for use in project("guard-callbacks").ask(guard_callbacks, path).uses
    }
    assert uses[use] == predicate


@pytest.mark.parametrize(("path", "predicate", "expected"), GUARDS, ids=[path for path, *_ in GUARDS])
def test_guards_narrow_where_they_are_handed_on(
    project: Callable[[str], Any], path: str, predicate: str, expected: list[str]
) -> None:
    found = project("guard-callbacks").ask(guard_callbacks, path)
    assert f"{found.predicate_kind} {found.predicate_type}" == predicate
    assert [
        f"{use.file}:{use.line} {use.called_by} {use.parameter_index}: {use.input_type} -> {use.narrowed_output_type}"
        for use in found.uses
    ] == expected
    assert {f"{use.predicate_kind} {use.predicate_type}" for use in found.uses} <= {predicate}


@pytest.mark.parametrize(("path", "expected"), GUARD_PARAMETERS, ids=[path for path, _ in GUARD_PARAMETERS])
def test_parameters_that_take_guards(project: Callable[[str], Any], path: str, expected: list[str]) -> None:
    found = project("guard-callbacks").ask(guard_callbacks, path)
    assert [f"{each.name} {each.index} {each.predicate_kind} {each.predicate_type}" for each in found.parameters] == expected
    assert all(each.predicate_kind is not None for each in found.parameters)


@pytest.mark.parametrize(("name", "analysis", "path", "kind"), EMPTY, ids=[f"{name} {path}" for name, _, path, _ in EMPTY])
def test_nothing_says_which(project: Callable[[str], Any], name: str, analysis: Any, path: str, kind: str) -> None:
    found = project(name).ask(analysis, path)
    assert (found.uses, found.nothing.kind) == ((), kind)


def test_the_text_says_what_takes_it(project: Callable[[str], Any]) -> None:
    assert "main.ts:68 in Processor.run: argument 0 of forEach (lib:Array.prototype.forEach), bound" in str(
        project("callbacks").ask(callbacks, "Processor > format")
    )
