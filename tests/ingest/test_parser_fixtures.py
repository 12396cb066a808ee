"""Each file of `parser_fixtures` against the sidecar beside it, which says what is right (`parser_report/expectations.py`).

`UPDATE_GOLDENS=1 pytest …` writes the sidecars again from what the product finds; review every line of the difference.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from parser_report.expectations import differences, fixture_sources, found, load, read_fixture, write
from parser_report.reading import FileReading, read_source
from parser_report.rules import RULES, violations

FOLDER = Path(__file__).parent / "parser_fixtures"
SOURCES = fixture_sources(FOLDER)
COMMONJS = next(source for source in SOURCES if source.name == "commonjs.cjs")
COMPONENTS = next(source for source in SOURCES if source.name == "component-function.tsx")
each_fixture = pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])

#: One file for each construct and each kind of module. None of them may go missing.
PLANNED = {
    "functions.ts",
    "arrow-functions.ts",
    "classes.ts",
    "interfaces.ts",
    "types.ts",
    "enums.ts",
    "variables.ts",
    "imports.ts",
    "root-expressions.ts",
    "nesting-deep.ts",
    "class-nesting.ts",
    "component-function.tsx",
    "component-class.tsx",
    "commonjs.cjs",
    "namespaces.ts",
    "large-class.ts",
    "expressions-only.ts",
    "mixed-patterns.ts",
    "minimal.ts",
    "esm-specific.mts",
}


def test_all_planned_fixtures_are_there() -> None:
    assert {source.name for source in SOURCES} >= PLANNED


@each_fixture
def test_fixture_is_as_its_sidecar_says(source: Path) -> None:
    actual = found(read_fixture(source))
    if os.environ.get("UPDATE_GOLDENS"):
        write(source, actual)
    assert differences(load(source), actual) == []


@each_fixture
@pytest.mark.parametrize("rule", RULES)
def test_fixture_keeps_the_rules(source: Path, rule: str) -> None:
    assert list(RULES[rule](read_fixture(source))) == []


def test_another_process_gives_the_same_ids() -> None:
    """Ids must not depend on the seed of Python's hashes, which differs from process to process."""
    program = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1])\n"
        "from parser_report.expectations import fixture_sources, read_fixture\n"
        "for source in fixture_sources(Path(sys.argv[2])): print([symbol.id for symbol in read_fixture(source).symbols])"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-P", "-c", program, str(FOLDER.parents[1]), str(FOLDER)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] != b""


#: What stands at the end of a line while more is being typed.
TYPED = ("items.", "const x =", "if (", "run(", "{", "'", "function ", "=> {", "return {", "a ?", "@", "export ", "[", "...")


def half_typed(source: Path, count: int) -> Iterator[tuple[int, FileReading]]:
    """A fixture in which a line stops in its middle, or in which a line is begun behind it, and the line's number."""
    lines = source.read_text("utf-8").split("\n")
    for number in range(3, len(lines), max(5, len(lines) // count)):
        line = lines[number - 1]
        begun = line + "\n" + line[: len(line) - len(line.lstrip())] + TYPED[number % len(TYPED)]
        for written in (line[: len(line.rstrip()) // 2], begun):
            yield number, read_source(source.name, "\n".join([*lines[: number - 1], written, *lines[number:]]).encode())


def test_a_line_that_is_being_typed_leaves_the_rest(is_long: bool) -> None:
    """An editor saves lines that are half written: what stands at the root and does not hold such a line is still found."""
    others, lost = 0, []
    for source in SOURCES:
        roots = read_fixture(source).roots
        for number, file in half_typed(source, 8 if is_long else 3):
            assert list(violations(file)) == []
            there = {(symbol.kind, symbol.name) for symbol in file.roots}
            expected = [symbol for symbol in roots if not symbol.start_line <= number <= symbol.end_line]
            others += len(expected)
            lost += [(source.name, number, root.name) for root in expected if (root.kind, root.name) not in there]
    assert len(lost) <= 0.01 * others, lost


@settings(max_examples=30)
@given(source=st.sampled_from(SOURCES), place=st.floats(0, 1), length=st.integers(0, 40), typed=st.sampled_from(("", *TYPED)))
@example(source=COMPONENTS, place=0.0, length=12, typed="export ")  # above the imports
@example(source=COMMONJS, place=0.39578, length=23, typed="items.")  # `this.limitems. = function () {`
def test_whatever_is_cut_or_typed_the_rules_hold(source: Path, place: float, length: int, typed: str) -> None:
    text = source.read_text("utf-8")
    start = int(place * len(text))
    file = read_source(source.name, f"{text[:start]}{typed}{text[start + length :]}".encode())
    assert list(violations(file)) == []
