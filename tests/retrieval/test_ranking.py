"""Scores and their order: the blend, what is discounted, what competes, and the gate and budget."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from astrolabe.retrieval.chunk_table import CandidateRow
from astrolabe.retrieval.fusion import Candidate
from astrolabe.retrieval.question import read_question
from astrolabe.retrieval.ranking import blend, probability, rank
from astrolabe.retrieval.selection import Constraints, Sized, constraints, select
from astrolabe.schema.settings import Settings

CHUNKS = 1000


def row(place: int, name: str = "thing", **fields: Any) -> CandidateRow:
    values: dict[str, Any] = {
        "row": place,
        "id": str(place),
        "relative_path": f"lib/m{place}.ts",
        "node_kind": "function",
        "name": name,
        "parent_name": None,
        "parent_row": None,
        "depth": 0,
        "breadcrumb": name,
        "start_line": 1,
        "end_line": 10,
        "exported": False,
        "is_test": False,
        "vector": np.zeros(1, np.float32),
    }
    return CandidateRow(**{**values, **fields})


def ranked(query: str, *candidates: Candidate) -> list[str]:
    return [result.chunk.name for result in rank(candidates, read_question(query), Settings(), CHUNKS)]


BLENDS = [
    # (rerank weight, vector weight, lexical share, cosine, blend)
    (0.65, 0.35, 0.8, 0.4, 0.66),
    (1.0, 0.0, 0.8, 0.4, 0.8),
    (0.0, 1.0, 0.8, 0.4, 0.4),
    (1.0, 1.0, 0.8, 0.4, 0.6),
    (0.0, 0.0, 0.8, 0.4, 0.0),
]


@pytest.mark.parametrize(("rerank_weight", "vector_weight", "lexical", "cosine", "expected"), BLENDS)
def test_the_settings_weigh_the_two_signals(
    rerank_weight: float, vector_weight: float, lexical: float, cosine: float, expected: float
) -> None:
    settings = Settings(rerank_weight=rerank_weight, vector_weight=vector_weight)
    assert blend(Candidate(row(1), lexical, cosine), read_question("a b"), settings) == pytest.approx(expected)


ORDERS = [
    # Equal signals: source before tests, examples, declaration files, imports and comments.
    ("what it does", {"is_test": True}),
    ("what it does", {"relative_path": "examples/a.ts"}),
    ("what it does", {"relative_path": "docs/a.ts"}),
    ("what it does", {"relative_path": "lib/a.d.ts"}),
    ("what it does", {"relative_path": "lib/a.d.mts"}),
    ("what it does", {"node_kind": "import"}),
    ("what it does", {"node_kind": "re-export"}),
    ("what it does", {"node_kind": "comment"}),
    ("what it does", {"node_kind": "expression"}),
]


@pytest.mark.parametrize(("query", "fields"), ORDERS)
def test_source_ranks_above_what_only_mentions_it(query: str, fields: dict[str, Any]) -> None:
    aside, source = Candidate(row(1, "aside", **fields), 0.5, 0.5), Candidate(row(2, "source"), 0.5, 0.5)
    assert ranked(query, aside, source) == ["source", "aside"]


ASKED = [
    ("tests of what it does", {"is_test": True}),
    ("an example of what it does", {"relative_path": "examples/a.ts"}),
    ("ambient declarations of it", {"relative_path": "lib/a.d.ts"}),
    ("who imports it", {"node_kind": "import"}),
]


@pytest.mark.parametrize(("query", "fields"), ASKED)
def test_what_a_question_asks_for_by_word_is_not_discounted(query: str, fields: dict[str, Any]) -> None:
    aside, source = Candidate(row(1, "aside", **fields), 0.51, 0.51), Candidate(row(2, "source"), 0.5, 0.5)
    assert ranked(query, source, aside) == ["aside", "source"]


def test_the_declaration_of_a_name_comes_first_then_other_spellings_of_it() -> None:
    candidates = [
        Candidate(row(1, "validateTokenLater"), 0.9, 0.9),
        Candidate(row(2, "ValidateToken"), 0.5, 0.5),
        Candidate(row(3, "validateToken"), 0.1, 0.1),
        Candidate(row(4, "validateToken", node_kind="import"), 0.9, 0.9),
        Candidate(row(5, "validateToken", is_test=True), 0.2, 0.2),
    ]
    names = [result.chunk.row for result in rank(candidates, read_question("validateToken"), Settings(), CHUNKS)]
    assert names[:3] == [3, 5, 2]
    assert set(names[3:]) == {1, 4}


def test_a_name_with_its_parent_prefers_that_parent() -> None:
    other = Candidate(row(1, "save", parent_name="Other"), 0.6, 0.6)
    wanted = Candidate(row(2, "save", parent_name="Repository"), 0.2, 0.2)
    results = rank([other, wanted], read_question("Repository.save"), Settings(), CHUNKS)
    assert [result.chunk.row for result in results] == [2, 1]


CLASS = row(0, "Service", node_kind="class", end_line=200)
METHOD = row(1, "validate", node_kind="method", parent_row=0, depth=1)
SIBLING = row(2, "refresh", node_kind="method", parent_row=0, depth=1)
FUNCTION = row(3, "create", end_line=40)
CALLBACK = row(4, "then callback", parent_row=3, depth=1, start_line=5)
LONG = row(5, "render", end_line=900)
NESTED = row(6, "patch", parent_row=5, depth=1, start_line=50, end_line=90)


def scores(*candidates: Candidate) -> dict[str, float]:
    return {result.chunk.name: result.score for result in rank(candidates, read_question("what it does"), Settings(), CHUNKS)}


def test_a_class_below_its_method_gives_way() -> None:
    found = scores(Candidate(CLASS, 0.45, 0.45), Candidate(METHOD, 0.5, 0.5), Candidate(SIBLING, 0.1, 0.1))
    assert scores(Candidate(CLASS, 0.45, 0.45))["Service"] > 0.9
    assert found["validate"] / 1.5 > found["Service"] > found["refresh"]


def test_a_method_below_its_class_gives_way() -> None:
    together = scores(Candidate(CLASS, 0.5, 0.5), Candidate(METHOD, 0.45, 0.45))
    alone = scores(Candidate(METHOD, 0.45, 0.45))
    assert together["Service"] > alone["validate"] > together["validate"]


def test_a_function_takes_over_what_is_nested_in_it() -> None:
    found = scores(Candidate(FUNCTION, 0.2, 0.2), Candidate(CALLBACK, 0.45, 0.45))
    assert found["create"] > 0.9
    assert found["then callback"] < found["create"] / 1.5


def test_the_parts_of_a_long_function_stand_for_themselves() -> None:
    found = scores(Candidate(LONG, 0.2, 0.2), Candidate(NESTED, 0.5, 0.5))
    assert found["patch"] > 0.9 > 0.5 > found["render"]


def test_words_in_the_names_of_file_and_folder_count() -> None:
    here = Candidate(row(1, "here", relative_path="src/retry/index.ts"), 0.4, 0.4)
    there = Candidate(row(2, "there", relative_path="src/other/index.ts"), 0.4, 0.4)
    assert ranked("retry failed requests", there, here) == ["here", "there"]


def test_probabilities_rise_with_the_blend_and_fall_with_the_number_of_chunks() -> None:
    rising = [probability(blended / 20, CHUNKS) for blended in range(20)]
    assert rising == sorted(rising)
    assert rising[0] < 0.05
    assert rising[-1] > 0.99
    assert probability(0.3, 100) > probability(0.3, 100_000)


def sized(*results: tuple[float, int]) -> list[Sized]:
    return [Sized(score, tokens) for score, tokens in results]


TEN_PASSING = sized(*[(0.9, 1000)] * 10)
SELECTIONS = [
    # Relevance gate: of ten candidates, three pass.
    (sized(*[(0.9, 10)] * 3, *[(0.4, 10)] * 7), Constraints(0.5, 8000, None), [0, 1, 2], []),
    # Token budget: ten pass, five fit.
    (TEN_PASSING, Constraints(0.5, 5000, None), [0, 1, 2, 3, 4], [5, 6, 7, 8, 9]),
    # Both: four pass, three fit.
    (sized(*[(0.9, 1000)] * 4, *[(0.4, 1)] * 6), Constraints(0.5, 3500, None), [0, 1, 2], [3]),
    (sized((0.9, 10), (0.1, 10)), Constraints(0.5, 8000, None), [0], []),
    ([], Constraints(0.5, 8000, None), [], []),
    (sized((0.4, 10)), Constraints(0.5, 8000, None), [], []),
    # A score at the threshold passes.
    (sized((0.5, 10)), Constraints(0.5, 8000, None), [0], []),
    # The best is always shown; a large one below gives way to smaller ones.
    (sized((0.9, 99_999), (0.8, 1)), Constraints(0.5, 8000, None), [0], [1]),
    (sized((0.9, 100), (0.8, 9000), (0.7, 200)), Constraints(0.5, 8000, None), [0, 2], [1]),
    # A limit, with and without a budget.
    (TEN_PASSING, Constraints(0.5, 5000, 2), [0, 1], []),
    (sized(*[(0.01, 100_000)] * 10), Constraints(0.0, None, 4), [0, 1, 2, 3], []),
]


@pytest.mark.parametrize(("results", "limits", "chosen", "left_out"), SELECTIONS)
def test_results_pass_the_gate_and_fit_the_budget(
    results: list[Sized], limits: Constraints, chosen: list[int], left_out: list[int]
) -> None:
    assert select(results, limits) == (chosen, left_out)


CONSTRAINTS = [
    ((None, None), Constraints(0.5, 8000, None)),
    ((None, 300), Constraints(0.5, 300, None)),
    ((7, None), Constraints(0.0, None, 7)),
    ((7, 300), Constraints(0.5, 300, 7)),
]


@pytest.mark.parametrize(("given", "expected"), CONSTRAINTS)
def test_a_limit_without_a_budget_lifts_gate_and_budget(given: tuple[int | None, int | None], expected: Constraints) -> None:
    assert constraints(Settings(), *given) == expected
