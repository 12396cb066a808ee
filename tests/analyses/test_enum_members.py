"""Members of enums: values, constants, what is computed, const and declare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.enum_members import enum_members

#: Enum, line of its first member, its members as `name=value`, "!" before a computed value and its constant behind.
CASES = [
    ("Direction", 2, "Up=0 Down=1 Left=2 Right=3"),
    ("HttpStatus", 9, "OK=200 NotFound=404 ServerError=500"),
    ("Color", 15, 'Red="RED" Green="GREEN" Blue=\'BLUE\''),
    ("Flags", 21, "None=0 A=1 B=2 C=4"),
    ("Mixed", 28, 'No=0 Yes="hello"'),
    ("Computed", 33, 'Sum=!1 + 2:3 Length=!"hello".length:None Plain=10'),
    ("External", 39, "First=0 Second=1 Third=2"),
    ("Temperature", 45, "Cold=-10 Freezing=0 Mild=20 Hot=40"),
    ("Sequence", 52, "A=0 B=1 C=100 D=101 E=102"),
    ("SingleMember", 62, 'Only="ONLY"'),
    (
        "Bits",
        66,
        "Read=!1 << 0:1 Write=!1 << 1:2 All=!Read | Bits.Write:3 Inverse=!~All:-4 Next=-3 "
        'Name=!`bits-${Read}`:"bits-1" Hex=0xff quoted name=!Hex:255',
    ),
]

WORDS = [("Flags", True, False), ("External", False, True), ("Direction", False, False), ("Color", False, False)]
#: Enum, member, its constant, or None where only running the code would tell.
CONSTANTS = [
    ("Bits", "Hex", "255"),
    ("Bits", "Next", "-3"),
    ("Computed", "Plain", "10"),
    ("Computed", "Length", None),
    ("Mixed", "Yes", '"hello"'),
    ("Temperature", "Cold", "-10"),
    ("Sequence", "D", "101"),
]
EMPTY = [("Empty", "none"), ("NotAnEnum", "notApplicable"), ("Nowhere", "notFound"), ("Direction > Up", "notApplicable")]


@pytest.mark.parametrize(("path", "line", "expected"), CASES, ids=[path for path, *_ in CASES])
def test_values_in_source_order(project: Callable[[str], Any], path: str, line: int, expected: str) -> None:
    members = project("enum-members").ask(enum_members, path).members
    spelled = [f"{each.name}={f'!{each.value}:{each.constant}' if each.is_computed else each.value}" for each in members]
    assert " ".join(spelled) == expected
    assert [each.line for each in members] == list(range(line, line + len(members)))


@pytest.mark.parametrize(("path", "is_const", "is_declare"), WORDS, ids=[path for path, *_ in WORDS])
def test_const_and_declare(project: Callable[[str], Any], path: str, is_const: bool, is_declare: bool) -> None:
    found = project("enum-members").ask(enum_members, path)
    assert (found.is_const, found.is_declare) == (is_const, is_declare)


@pytest.mark.parametrize(("path", "kind"), EMPTY, ids=[path for path, _ in EMPTY])
def test_nothing_says_which(project: Callable[[str], Any], path: str, kind: str) -> None:
    found = project("enum-members").ask(enum_members, path)
    assert (found.members, found.nothing.kind) == ((), kind)


@pytest.mark.parametrize(("path", "name", "expected"), CONSTANTS)
def test_constants(project: Callable[[str], Any], path: str, name: str, expected: str | None) -> None:
    members = {each.name: each.constant for each in project("enum-members").ask(enum_members, path).members}
    assert members[name] == expected


@pytest.mark.parametrize("path", [path for path, *_ in CASES])
def test_the_enum_itself(project: Callable[[str], Any], path: str) -> None:
    found = project("enum-members").ask(enum_members, path)
    (declaration,) = found.subject.declarations
    assert (declaration.name, declaration.kind, declaration.relative_path) == (path, "enum", "enums.ts")
