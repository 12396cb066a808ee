"""Type guards: the twelve kinds, what they narrow to, and the kinds of nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.type_guards import TypeGuard, type_guards


def spell(guard: TypeGuard) -> str:
    """`line kind target against -> type`, with "!" for a negated check and "*" for the guard itself."""
    marks = ("*" if guard.is_return_type_guard else "") + ("!" if guard.negated else "")
    return f"{guard.line} {guard.kind}{marks} {guard.target} [{guard.against}] {guard.narrowed_to or '-'}"


CASES = [
    ("isUser", ["3 user-defined* person [] User", '4 discriminant person [kind: "user"] User']),
    (
        "assertAdmin",
        [
            "7 assertion* person [] Admin",
            '8 discriminant! person [kind: "admin"] Admin',
            "8 early-return person [Admin] -",
        ],
    ),
    (
        "assertDefined",
        ["13 assertion* value [] -", "14 early-return value [not undefined] -", "14 nullish value [undefined] undefined"],
    ),
    ("processInput", ["18 typeof input [string] string", "21 typeof input [number] number"]),
    ("handleError", ["28 instanceof error [TypeError] TypeError", "31 instanceof error [RangeError] RangeError"]),
    ("describeAnimal", ['38 in-operator animal ["swim"] { swim: () => void }']),
    (
        "getArea",
        [
            '47 discriminant shape [type: "circle"] { type: "circle"; radius: number }',
            '49 discriminant shape [type: "square"] { type: "square"; side: number }',
            '51 discriminant shape [type: "triangle"] { type: "triangle"; base: number; height: number }',
            "54 exhaustive shape [exhaustive] never",
        ],
    ),
    ("handleResult", ["61 discriminant result [ok: true] { ok: true; value: T }"]),
    ("greet", ["68 nullish! name [null] null", "71 nullish! title [undefined] undefined"]),
    ("same", ["77 equality left [right] -"]),
    ("first", ["84 Array.isArray value [] string[]"]),
    ("lengthOf", ["88 early-return text [truthy] -"]),
    ("strict", ["95 early-return date [Date] -", "95 instanceof! date [Date] Date"]),
    ("positive", ["102 nullish! user [null] null"]),
    (
        "label",
        [
            "113 user-defined person [isUser] User",
            '114 discriminant person [kind: "admin"] Admin',
            '115 discriminant person [kind: "guest"] Guest',
            "116 exhaustive person [assertNever] never",
        ],
    ),
    (
        "either",
        ["120 compound value [typeof || typeof] -", "120 typeof value [string] string", "120 typeof value [number] number"],
    ),
    (
        "both",
        ["127 compound value [nullish && instanceof] -", "127 nullish! value [null] null", "127 instanceof value [Date] Date"],
    ),
    ("Registry > admins", ["138 assertion person [assertAdmin] Admin"]),
    ("Registry", ["138 assertion person [assertAdmin] Admin"]),
]

EMPTY = [
    ("Registry > size", "none"),
    ("assertNever", "none"),
    ("User", "notApplicable"),
    ("Shape", "notApplicable"),
    ("nobody", "notFound"),
]


@pytest.mark.parametrize(("path", "expected"), CASES, ids=[path for path, _ in CASES])
def test_checks_in_source_order(project: Callable[[str], Any], path: str, expected: list[str]) -> None:
    found = project("type-guards").ask(type_guards, path)
    assert [spell(guard) for guard in found.guards] == expected
    assert found.nothing is None


@pytest.mark.parametrize(("path", "kind"), EMPTY, ids=[path for path, _ in EMPTY])
def test_nothing_says_which(project: Callable[[str], Any], path: str, kind: str) -> None:
    found = project("type-guards").ask(type_guards, path)
    assert (found.guards, found.nothing.kind) == ((), kind)


def test_a_check_names_the_nested_function_that_makes_it(project: Callable[[str], Any]) -> None:
    (guard,) = project("type-guards").ask(type_guards, "Registry > admins").guards
    assert guard.symbol.qualified_name == "Registry.admins.strictly"


def test_the_text_reads_as_a_list(project: Callable[[str], Any]) -> None:
    asked = project("type-guards")
    assert asked.ask(type_guards, "strict").text == (
        "strict (guards.ts:94): 2 type guards\n  95: early-return unless date is Date\n  95: instanceof date not Date"
    )
    assert "7: assertion guard: asserts person is Admin" in asked.ask(type_guards, "assertAdmin").text
