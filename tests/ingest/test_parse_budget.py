"""Sources that the parser itself reads in time that grows with the square of their size: they end at a budget, and are told."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from time import thread_time

import pytest
from astrolabe.ingest.languages import parse_budget
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.parse_budget import TOO_SLOW, BoundedParser, ParseBudget, SlowSource
from astrolabe.ingest.symbols.byte_ranges import blank
from tree_sitter import Language

#: Each `*` may begin a generator method or go on with an expression.
GENERATORS = b"class A {\n" + b"*a(\n" * 3000
PROPER = b"export function total(prices) { return prices.length }\n"


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_budget, "BASE_SECONDS", 0.05)
    monkeypatch.setattr(parse_budget, "SECONDS_PER_MEGABYTE", 0.1)


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
def test_a_file_beyond_the_budget_is_told(language: str) -> None:
    started = thread_time()
    facts = extract_facts(GENERATORS, language)
    assert thread_time() - started < 3
    assert [(problem.line, problem.reason) for problem in facts.problems] == [(TOO_SLOW.line, TOO_SLOW.reason)]
    assert {symbol.kind for symbol in facts.symbols} <= {"expression"}  # its text, as one piece
    assert facts.lines == GENERATORS.count(b"\n") + 1


@pytest.mark.usefixtures("small_budget")
def test_the_next_file_is_read_as_usual() -> None:
    extract_facts(GENERATORS, "javascript")
    facts = extract_facts(PROPER, "javascript")
    assert [symbol.name for symbol in facts.symbols] == ["total"]
    assert not facts.problems


@pytest.fixture
def python() -> Language:
    import tree_sitter_python

    return Language(tree_sitter_python.language())


def test_a_parse_that_is_too_slow_leaves_the_parser_usable(monkeypatch: pytest.MonkeyPatch, python: Language) -> None:
    data = b"x = 1\n" * 5000
    budget = ParseBudget(len(data))
    parser = BoundedParser(python, budget)
    monkeypatch.setattr(budget, "_ends_at", 0.0)
    with pytest.raises(SlowSource):
        parser.parse(data)
    monkeypatch.undo()
    tree = parser.parse(data)
    assert tree.root_node.end_byte == len(data)
    assert not tree.root_node.has_error


def test_nodes_of_a_tree_know_their_text(python: Language) -> None:
    data = b"".join(b"name_%d = '%s'\n" % (i, b"x" * (i % 150)) for i in range(2000))
    root = BoundedParser(python, ParseBudget(len(data))).parse(data).root_node
    assert root.text == data
    for statement in root.children:
        assert statement.text == data[statement.start_byte : statement.end_byte]
        for part in statement.children[0].children:
            assert part.text == data[part.start_byte : part.end_byte]


@pytest.mark.long
def test_texts_that_were_parsed_are_freed(python: Language) -> None:
    data = b"x = 1\n" * 50_000
    tracemalloc.start()
    try:
        for _ in range(2):
            BoundedParser(python, ParseBudget(len(data))).parse(data)
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(4):
            BoundedParser(python, ParseBudget(len(data))).parse(data)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < len(data) / 10


def test_threads_parse_side_by_side() -> None:
    script = """
import sys
from threading import Thread
from astrolabe.ingest.languages.extraction import extract_facts

sys.setswitchinterval(1e-6)
SOURCES = [(b"export const a = [1, 2].map((x) => x * %d);\\n" % i) * 300 for i in range(8)]
threads = [Thread(target=lambda: [extract_facts(source, "typescript") for source in SOURCES]) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("done")
"""
    ran = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.strip()) == (0, "done"), ran.stderr


def test_a_text_without_code_has_the_same_lines() -> None:
    assert blank(b"a b\r\n\tc\n") == b"   \r\n  \n"


@pytest.mark.usefixtures("small_budget")
def test_a_language_without_a_resolver_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_budget, "BASE_SECONDS", -1.0)
    monkeypatch.setattr(parse_budget, "SECONDS_PER_MEGABYTE", 0.0)
    facts = extract_facts(b"def total(prices):\n    return 1\n" * 500, "python")
    assert [problem.reason for problem in facts.problems] == [TOO_SLOW.reason]
    assert {symbol.kind for symbol in facts.symbols} <= {"expression", "statement"}
