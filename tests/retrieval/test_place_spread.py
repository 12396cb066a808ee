"""Results spread over files: who stands back, and what stays."""

from __future__ import annotations

import pytest
from astrolabe.retrieval.query.query import read_query
from astrolabe.retrieval.ranking.diversify import spread_over_files
from astrolabe.retrieval.ranking.ranking import Ranked
from astrolabe.retrieval.vectors.candidate_rows import CandidateRow

DESCRIBING = read_query("how are failed requests sent again")


def results(*scores: tuple[str, float]) -> list[Ranked]:
    return [
        Ranked(CandidateRow(n, str(n), path, "function", f"f{n}", None, None, 0, f"f{n}", 1, 9, True, False), score)
        for n, (path, score) in enumerate(scores)
    ]


def rows(ranked: list[Ranked]) -> list[int]:
    return [result.chunk.row for result in ranked]


def test_what_is_as_relevant_in_other_files_comes_between_the_many_of_one() -> None:
    many = [("a.ts", 0.9 - n / 100) for n in range(6)]
    spread = spread_over_files(results(*many, ("b.ts", 0.84), ("b.ts", 0.83), ("c.ts", 0.2)), DESCRIBING, 0.5)
    assert rows(spread)[0] == 0
    assert rows(spread).index(6) < rows(spread).index(3) < rows(spread).index(5)
    assert [row for row in rows(spread) if row < 6] == list(range(6))
    scores = [result.score for result in spread]
    assert scores == sorted(scores, reverse=True)
    assert {row: score for row, score in zip(rows(spread), scores, strict=True) if row in (0, 6, 8)} == {0: 0.9, 6: 0.84, 8: 0.2}


@pytest.mark.parametrize("gate", [0.2, 0.5, 0.9])
def test_what_passes_the_gate_still_does_in_its_order_and_nothing_else(gate: float) -> None:
    ranked = results(*[("a.ts", 0.99 - n / 40) for n in range(36)])
    spread = spread_over_files(ranked, DESCRIBING, gate)
    assert rows(spread) == list(range(36))
    assert sum(result.score >= gate for result in spread) == sum(result.score >= gate for result in ranked)


def test_certain_and_impossible_results_stay_between_0_and_1() -> None:
    spread = spread_over_files(results(("a.ts", 1.0), ("a.ts", 1.0), ("a.ts", 0.0), ("b.ts", 0.0)), DESCRIBING, 0.5)
    assert rows(spread) == [0, 1, 2, 3] or rows(spread) == [0, 1, 3, 2]
    assert all(0 <= result.score <= 1 for result in spread)
    assert spread_over_files([], DESCRIBING, 0.5) == []


def test_files_keep_their_order_however_unlikely_their_code_is() -> None:
    spread = spread_over_files(
        results(("a.ts", 1e-9), ("b.ts", 1e-18), ("c.ts", 1e-20), ("a.ts", 1e-22), ("b.ts", 1e-26)), DESCRIBING, 0.5
    )
    assert rows(spread) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("query", ["retryRequest", "at send (a.ts:3)"])
def test_what_a_question_names_stays_where_it_is(query: str) -> None:
    ranked = results(("a.ts", 0.9), ("a.ts", 0.8), ("b.ts", 0.79))
    assert spread_over_files(ranked, read_query(query), 0.5) == ranked
