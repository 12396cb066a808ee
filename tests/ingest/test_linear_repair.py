"""Repair of gaps in time that grows with the source alone: hostile sources are doubled, and the times compared."""

from __future__ import annotations

import re
from time import process_time

import pytest
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.parse_budget import BoundedParser, ParseBudget
from astrolabe.ingest.languages.typescript.parsing.blanked_arguments import read_blanked_arguments
from astrolabe.ingest.languages.typescript.parsing.brackets import MAX_SPAN, ClosingBrackets, _matched
from astrolabe.ingest.languages.typescript.parsing.edits import GapSource
from astrolabe.ingest.languages.typescript.parsing.mask import masked
from astrolabe.ingest.languages.typescript.parsing.misread import misread_edits
from astrolabe.ingest.languages.typescript.parsing.repair import repaired
from astrolabe.ingest.languages.typescript.parsing.trees import Grammar
from hypothesis import given
from hypothesis import strategies as st
from linear_time import is_linear, processor_seconds
from tree_sitter import Language

#: Name -> a source's head and what is repeated after it. Each repeats the beginning of something that a repair looks for.
HOSTILE = {
    "blank lines": (b"x = ;\n", b" \n" * 20),
    "await": (b"x = ;\n", b"await\n"),
    "mixins": (b"x = ; ", b"mixins "),
    "opaque types": (b"x = ; ", b"opaque type A : "),
    "types": (b"x = ; ", b"type A "),
    "constrained infer": (b"type X = ; ", b"[infer A extends "),
    "lines that begin a signature": (b"interface A { a: ;\n", b"(\n"),
    "brackets": (b"x = ; ", b"("),
    "tagged templates": (b"x = ; ", b"a<b>`` "),
    "specifiers": (b"x = ; ", b"import {a"),
    "generic arguments": (b"x = ; ", b"f<<"),
    "arrow functions": (b"x = ; ", b"=>{"),
    "decorators": (b"x = ; ", b" @("),
    "generator methods": (b"class A { x = ;\n", b"*a(\n"),
    "types of imports": (b"x = ; ", b"import('a', {"),
    "object types": (b"x = ; ", b"type A = {a: {| "),
    "spreads": (b"x = ; ", b"type A = {| " + b"...a " * 3000 + b"|}"),
}


def _seconds(dialect: str, head: bytes, part: bytes, count: int) -> float:
    """Processor time of looking for all gaps in a source; the parser's own is not counted."""
    from astrolabe.ingest.languages.typescript.parsing.gaps import FLOW, PLAUSIBLE, UNAMBIGUOUS

    data = head + part * count
    source = GapSource(data, masked(data))
    started = process_time()
    for gap in UNAMBIGUOUS + FLOW + PLAUSIBLE:
        if dialect in gap.dialects and gap.required_text in source.mask:
            for _ in gap.find(source):
                pass
    return process_time() - started


@pytest.mark.parametrize("part", [b"x as a.b | ", b" as a.b.c", b" satisfies a<b.c.d & ", b" as " + b"a." * 3000])
def test_twice_the_misread_source_takes_about_twice_the_time(part: bytes) -> None:
    count = 120_000 // len(part)
    assert is_linear(lambda parts: processor_seconds(lambda: misread_edits(part * parts)), count)


@pytest.mark.parametrize("part", [b"a<b>`` ", b"a<b<", b"a<b>`${", b"a<b>?.("])
def test_twice_the_blanked_type_arguments_take_about_twice_the_time(part: bytes) -> None:
    count = 60_000 // len(part)
    assert is_linear(lambda parts: processor_seconds(lambda: read_blanked_arguments(part * parts)), count)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dialect", ["tsx", "flow"])
@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_source_takes_about_twice_the_time(name: str, dialect: str) -> None:
    head, part = HOSTILE[name]
    count = 120_000 // len(part)
    assert is_linear(lambda parts: _seconds(dialect, head, part, parts), count)


BRACKETED = st.lists(st.sampled_from([b"<", b">", b"(", b")", b"[", b"]", b"{", b"}", b";", b"=>", b"a "]), max_size=60).map(
    b"".join
)


@given(mask=BRACKETED)
def test_brackets_that_are_matched_at_once_are_those_found_one_by_one(mask: bytes) -> None:
    openings = [place for place, character in enumerate(mask) if character in b"<([{"]
    one_by_one = {place: end for place in openings if (end := ClosingBrackets(mask).end(place)) >= 0}
    assert dict(_matched(mask)) == one_by_one


def test_a_distant_bracket_closes_nothing() -> None:
    mask = b"(" + b" " * (MAX_SPAN - 2) + b")" + b"(" + b" " * (MAX_SPAN - 1) + b")"
    brackets = ClosingBrackets(mask)
    for _ in range(9):  # more than it searches one by one
        assert (brackets.end(0), brackets.end(MAX_SPAN)) == (MAX_SPAN, -1)


def test_a_long_script_with_documented_types_is_read_at_once() -> None:
    """The types of JSDoc comments are read as one text that is blank in between, and one of them is broken."""
    function = b"/**\n * @param {Array<string>} names\n */\nfunction f(names) { return names.map(String) }\n"
    broken = b"/** @type {Array<} */\nvar a = 1\n"
    started = process_time()
    facts = extract_facts(function * 50 + broken + b"var filler = 0;\n" * 40_000, "javascript")
    assert len([symbol for symbol in facts.symbols if symbol.kind == "function"]) == 50
    assert process_time() - started < 30


def test_spans_of_a_squeezed_mask_are_those_of_the_source() -> None:
    data = b"a" + b" " * 500 + b"b\n" + b"\n \n" * 300 + b"await" + b"\t" * 90 + b"c"
    source = GapSource(data, data)
    for pattern in (rb"(a)\s*(b)", rb"^\s*(await)(?=\s*c)", rb"(b)", rb"(c)\Z"):
        wanted = [list(found.regs[1:]) for found in re.compile(pattern, re.MULTILINE).finditer(data)]
        assert [groups for _, *groups in source.matches(re.compile(pattern, re.MULTILINE))] == wanted


def test_a_repair_over_long_blanks_mends_what_is_behind_them() -> None:
    import tree_sitter_typescript

    data = b"// " + b"-" * 400 + b"\nexport type * from './a'\n" + b"\n" * 900 + b"export type * from './b'\n"
    grammar = Grammar(BoundedParser(Language(tree_sitter_typescript.language_typescript()), ParseBudget(len(data))))
    best, edits = repaired(grammar, grammar.attempt(data), "typescript")
    assert best.cost == 0
    assert {data[edit.start : edit.end] for edit in edits} == {b"type"}
