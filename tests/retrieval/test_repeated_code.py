"""Repeated code: which runs of tokens are the same, where they begin and end, and which say nothing new."""

from __future__ import annotations

import time

import pytest
from astrolabe.retrieval.lint.fragments import repeated_code
from astrolabe.retrieval.lint.nested_groups import Place, outermost
from astrolabe.retrieval.text_search.indexed_text import FileText

STATEMENTS = """\
  const total = items.map((item) => item.price).reduce((sum, price) => sum + price, 0)
  if (total > limit) {
    log('over', total, limit)
    throw new RangeError('too much')
  }
  await store.save({ total, at: clock.now() })
"""
OTHERS = """\
  for (const part of parts) {
    while (part.next) part.next = part.next.next
    delete part.cache, void part.flush()
  }
"""
RENAMED = STATEMENTS.replace("total", "result").replace("item", "good").replace("'over'", "'above'")
#: One name stands for two.
MIXED = STATEMENTS.replace("total, limit", "limit, total")
STRANGE = (
    STATEMENTS.replace("total", "a").replace("items", "b").replace("item", "c").replace("price", "d").replace("limit", "e")
    .replace("log", "f").replace("store", "g").replace("save", "h").replace("clock", "i").replace("now", "j").replace("sum", "k")
    .replace("'over'", "'m'").replace("'too much'", "'n'").replace("map", "o").replace("RangeError", "p")
)  # fmt: skip


def found_in(*sources: str, skipped: dict[str, list[tuple[int, int]]] | None = None) -> list[list[tuple[str, int, int]]]:
    files = [FileText(f"{index}.ts", source.encode()) for index, source in enumerate(sources)]
    found, complete = repeated_code(files, skipped or {}, time.monotonic() + 60)
    assert complete
    return [[(place.path, place.line, place.end_line) for place in code.places] for code in found]


CASES: list[tuple[str, list[str], list[list[tuple[str, int, int]]]]] = [
    (
        "equal statements of two functions",
        [f"function a() {{\n{OTHERS}{STATEMENTS}}}\n", f"function b() {{\n{STATEMENTS}{OTHERS}}}\n"],
        [[("0.ts", 6, 11), ("1.ts", 2, 7)]],
    ),
    (
        "in one file",
        [f"function a() {{\n{STATEMENTS}{OTHERS}}}\nfunction b(c: D) {{\n{STATEMENTS}  return c\n}}\n"],
        [[("0.ts", 2, 7), ("0.ts", 14, 19)]],
    ),
    (
        "at module level, other layout",
        [STATEMENTS, "f()\n" + STATEMENTS.replace(", ", ",\n")],
        [[("0.ts", 1, 6), ("1.ts", 2, 12)]],
    ),
    (
        "other names and literals",
        [f"{{\n{STATEMENTS}}}", f"class A {{ b() {{\n{RENAMED}}} }}"],
        [[("0.ts", 1, 8), ("1.ts", 1, 8)]],
    ),
    (
        "three places",
        [STATEMENTS, "if (a) {\n" + STATEMENTS + "}", RENAMED + "b()"],
        [[("0.ts", 1, 6), ("1.ts", 2, 7), ("2.ts", 1, 6)]],
    ),
    ("one name in the place of two", [STATEMENTS, MIXED], []),
    ("nothing shared but the shape", [STATEMENTS, STRANGE], []),
    (
        "a comment and semicolons between",
        [STATEMENTS, STATEMENTS.replace("})\n", "});\n").replace("if", "// why\n  if")],
        [[("0.ts", 1, 6), ("1.ts", 1, 7)]],
    ),
    ("too short", [OTHERS, OTHERS], []),
    ("nothing", ["", "\n"], []),
]


@pytest.mark.parametrize(("sources", "places"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_repeated_code(sources: list[str], places: list[list[tuple[str, int, int]]]) -> None:
    assert found_in(*sources) == places


def test_skipped_lines_are_in_no_run() -> None:
    assert found_in(STATEMENTS, STATEMENTS, skipped={"1.ts": [(3, 3)]}) == []


def test_a_list_of_like_lines_is_no_repetition_of_itself_shifted() -> None:
    source = "".join(f"  add('{name}', {{ size: {size}, of: [{size}] }})\n" for size, name in enumerate("abcdefghijkl"))
    assert found_in(source) == []


GROUPS = [
    ("inside of a longer copy", [[("a", 1, 50), ("b", 1, 50)], [("a", 10, 20), ("b", 10, 20)]], [1.0, 1.0], [0]),
    ("one more place", [[("a", 1, 50), ("b", 1, 50)], [("a", 10, 20), ("b", 10, 20), ("c", 1, 11)]], [1.0, 1.0], [0, 1]),
    ("twice inside of one copy", [[("a", 1, 50), ("b", 1, 50)], [("a", 10, 20), ("a", 30, 40)]], [1.0, 1.0], [0, 1]),
    ("more alike than what holds it", [[("a", 1, 50), ("b", 1, 50)], [("a", 10, 20), ("b", 10, 20)]], [0.8, 1.0], [0, 1]),
    ("shifted by a little", [[("a", 1, 50), ("b", 1, 50)], [("a", 3, 52), ("b", 3, 52)]], [1.0, 1.0], [0]),
    ("shifted by much", [[("a", 1, 50), ("b", 1, 50)], [("a", 30, 79), ("b", 30, 79)]], [1.0, 1.0], [0, 1]),
    ("across stretches", [[("a", 1, 500), ("b", 1, 500)], [("a", 140, 260), ("b", 140, 260)]], [1.0, 1.0], [0]),
]


@pytest.mark.parametrize(("groups", "alike", "kept"), [case[1:] for case in GROUPS], ids=[case[0] for case in GROUPS])
def test_what_is_nested_in_a_copy_is_no_copy(
    groups: list[list[tuple[str, int, int]]], alike: list[float], kept: list[int]
) -> None:
    assert outermost([[Place(*place) for place in places] for places in groups], alike) == kept
