"""Lines that assign the values of a failing line."""

from __future__ import annotations

import time

import pytest
from astrolabe.server.api.workflows.written_values import assigning_lines, quoting_lines


@pytest.mark.parametrize(
    "line",
    [
        "total = price()",
        "  const total = price()",
        "const total: number = price()",
        "total: Price = price()",
        "Price total = price();",
        "total, error := price()",
        "self.total = price()",
    ],
)
def test_assignments_of_a_used_name_are_found(line: str) -> None:
    assert list(assigning_lines([line, "round(total)"], 1, 2)) == [1]


@pytest.mark.parametrize(
    "line", ["if total == 3:", "total => total", "other = total", "other: total = 3", "", "=", ":=", ", = 1"]
)
def test_other_lines_are_none(line: str) -> None:
    assert list(assigning_lines([line, "round(total)"], 1, 2)) == []


def test_lines_outside_of_the_text_give_nothing() -> None:
    assert list(assigning_lines(["total = 1"], 0, 1)) == []
    assert list(assigning_lines(["total = 1"], 1, 2)) == []


def test_long_lines_take_linear_time() -> None:
    started = time.perf_counter()
    for line in (" " * 200_000 + "x", "a " * 100_000, "a:" * 100_000, "a," * 100_000 + "="):
        assert list(assigning_lines([line, "round(total)"], 1, 2)) == []
    assert time.perf_counter() - started < 5


def test_only_whole_strings_are_quoted() -> None:
    assert list(quoting_lines("a = 'cart'\nb = 'carts'\nc = `cart`\nd = \"cart'", ["cart"])) == [(1, "cart"), (3, "cart")]
    assert list(quoting_lines("''", [])) == []
