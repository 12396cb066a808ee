"""Sources that the parser itself reads in time that grows with the square of their size: they end at a budget, and are told."""

from __future__ import annotations

from time import thread_time

import pytest
from astrolabe.ingest.languages import parse_budget
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.parse_budget import TOO_SLOW, BoundedParser, ParseBudget, SlowSource, without_code
from tree_sitter import Language, Parser

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


def test_a_parse_that_is_too_slow_leaves_the_parser_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    import tree_sitter_python

    parser = Parser(Language(tree_sitter_python.language()))
    data = b"x = 1\n" * 5000
    monkeypatch.setattr(parse_budget, "BASE_SECONDS", -1.0)
    with pytest.raises(SlowSource):
        BoundedParser(parser, ParseBudget(len(data))).parse(data)
    monkeypatch.undo()
    tree = BoundedParser(parser, ParseBudget(len(data))).parse(data)
    assert tree.root_node.end_byte == len(data)
    assert not tree.root_node.has_error


def test_a_text_without_code_has_the_same_lines() -> None:
    assert without_code(b"a b\r\n\tc\n") == b"   \r\n  \n"


@pytest.mark.usefixtures("small_budget")
def test_a_language_without_a_resolver_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_budget, "BASE_SECONDS", -1.0)
    monkeypatch.setattr(parse_budget, "SECONDS_PER_MEGABYTE", 0.0)
    facts = extract_facts(b"def total(prices):\n    return 1\n" * 500, "python")
    assert [problem.reason for problem in facts.problems] == [TOO_SLOW.reason]
    assert {symbol.kind for symbol in facts.symbols} <= {"expression", "statement"}
