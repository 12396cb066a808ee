"""Scores and their order: what ranks above what, what competes, what explains a score; and the gate and budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from astrolabe.retrieval.answers.selection import Constraints, Sized, constraints, select
from astrolabe.retrieval.candidates.file_features import FileFit
from astrolabe.retrieval.candidates.recall import Candidate
from astrolabe.retrieval.embedding import load_local_embedder
from astrolabe.retrieval.lexical.index import LexicalIndex
from astrolabe.retrieval.query.query import read_query
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.ranking.ranker.features import matrix
from astrolabe.retrieval.ranking.ranker.learned import LearnedRanker
from astrolabe.retrieval.ranking.ranker.trees import Model, Trees, read_model
from astrolabe.retrieval.ranking.ranking import MODEL_PATH, Ranked, Ranker
from astrolabe.retrieval.vectors.candidate_rows import CandidateRow
from astrolabe.schema.settings import Settings

EMPTY = LexicalIndex.build(())
RANKER = Ranker(load_local_embedder())


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
    }
    return CandidateRow(**{**values, **fields})


def candidate(
    place: int, lexical: float, similarity: float, name: str = "thing", file_number: int = 0, **fields: Any
) -> Candidate:
    blend = 0.65 * lexical + 0.35 * similarity
    file = FileFit(lexical, lexical, similarity, similarity)
    chunk = row(place, name, **fields)
    return Candidate(chunk, lexical, similarity, blend, lexical, round(4 * lexical), file=file, file_number=file_number)


def rank(query: str, candidates: Sequence[Candidate]) -> list[Ranked]:
    return RANKER.rank(candidates, read_query(query), EMPTY)


def ranked(query: str, *candidates: Candidate) -> list[str]:
    return [result.chunk.name for result in rank(query, candidates)]


ORDERS = [
    # Equal signals: source before tests, examples, declaration files, imports and comments.
    ("what it does", {"is_test": True}),
    ("what it does", {"relative_path": "examples/a.ts"}),
    ("what it does", {"relative_path": "docs/a.ts"}),
    ("what it does", {"node_kind": "import"}),
    ("what it does", {"node_kind": "re-export"}),
    ("what it does", {"node_kind": "comment"}),
]


@pytest.mark.parametrize(("query", "fields"), ORDERS)
def test_source_ranks_above_what_only_mentions_it(query: str, fields: dict[str, Any]) -> None:
    aside, source = candidate(1, 0.5, 0.5, "aside", **fields), candidate(2, 0.5, 0.5, "source")
    assert ranked(query, aside, source) == ["source", "aside"]


ASKED = [
    ("tests of what it does", {"is_test": True}),
    ("an example of what it does", {"relative_path": "examples/a.ts"}),
    ("ambient declarations of it", {"relative_path": "lib/a.d.ts"}),
    ("who imports it", {"node_kind": "import"}),
]


@pytest.mark.parametrize(("query", "fields"), ASKED)
def test_what_a_question_asks_for_by_word_is_not_discounted(query: str, fields: dict[str, Any]) -> None:
    aside, source = candidate(1, 0.8, 0.8, "aside", **fields), candidate(2, 0.4, 0.4, "source")
    assert ranked(query, source, aside) == ["aside", "source"]


def test_the_declaration_of_a_name_comes_first_then_other_spellings_of_it() -> None:
    candidates = [
        candidate(1, 0.9, 0.9, "validateTokenLater"),
        candidate(2, 0.5, 0.5, "ValidateToken"),
        candidate(3, 0.1, 0.1, "validateToken"),
        candidate(4, 0.9, 0.9, "validateToken", node_kind="import"),
        candidate(5, 0.2, 0.2, "validateToken", is_test=True),
    ]
    rows = [result.chunk.row for result in rank("validateToken", candidates)]
    assert rows[:2] == [3, 2]
    assert set(rows[2:]) == {1, 4, 5}


@pytest.mark.parametrize(
    "path", ["src/a.test.ts", "docs/guide.ts", "website/versioned_docs/version-3.10/guide.ts", "examples/a.ts"]
)
def test_namesakes_in_tests_and_examples_gain_by_their_name_where_there_is_no_other(path: str) -> None:
    aside = candidate(1, 0.1, 0.1, "session", relative_path=path, is_test=".test." in path)
    alone = rank("session", [aside])
    beside = rank("session", [aside, candidate(2, 0.1, 0.1, "session")])
    assert alone[0].score > 0.99
    assert [result.chunk.row for result in beside] == [2, 1]
    assert beside[0].score > 0.99 > beside[1].score
    nested = rank("session", [aside, candidate(2, 0.1, 0.1, "session", depth=2)])
    assert nested[1].score == pytest.approx(beside[1].score, abs=0.05)
    other_case = rank("session", [aside, candidate(2, 0.1, 0.1, "Session")])
    assert other_case[0].chunk.row == 1


def test_a_name_with_its_parent_prefers_that_parent() -> None:
    other = candidate(1, 0.6, 0.6, "save", parent_name="Other")
    wanted = candidate(2, 0.2, 0.2, "save", parent_name="Repository")
    assert [result.chunk.row for result in rank("Repository.save", [other, wanted])] == [2, 1]


BESIDE = [
    # What the file of the last of eight candidates has to do with that of the first, and its place: those of the first five stay.
    ({}, 7),
    ({"files_imported": (0,)}, 5),
    ({"files_called": (0,)}, 5),
]


@pytest.mark.parametrize(("links", "place"), BESIDE)
def test_files_beside_the_best_one_come_before_others_and_never_among_the_first(links: dict[str, Any], place: int) -> None:
    signals = (0.7, 0.6, 0.5, 0.45, 0.4, 0.2, 0.2, 0.2)
    candidates = [candidate(number, fit, fit, f"name{number}", file_number=number) for number, fit in enumerate(signals)]
    candidates[-1] = candidates[-1]._replace(**links)
    before = [result.chunk.row for result in rank("what it does", candidates)]
    assert before.index(7) == place
    assert set(before[:5]) == set(range(5))


def test_of_a_file_beside_the_best_one_only_its_best_gains() -> None:
    signals = (0.7, 0.6, 0.5, 0.45, 0.4, 0.25, 0.2, 0.1)
    candidates = [candidate(number, fit, fit, f"name{number}", file_number=min(number, 6)) for number, fit in enumerate(signals)]
    alone = {result.chunk.row: result.score for result in rank("what it does", candidates)}
    linked = [one._replace(files_called=(0,)) if one.file_number == 6 else one for one in candidates]
    together = {result.chunk.row: result.score for result in rank("what it does", linked)}
    assert [row for row in alone if together[row] != alone[row]] == [6]


CLASS: dict[str, Any] = {"name": "Service", "node_kind": "class", "end_line": 200}
METHOD: dict[str, Any] = {"name": "validate", "node_kind": "method", "parent_row": 0, "depth": 1}
FUNCTION: dict[str, Any] = {"name": "create", "end_line": 40}
CALLBACK: dict[str, Any] = {"name": "then callback", "parent_row": 0, "depth": 1, "start_line": 5}
LONG: dict[str, Any] = {"name": "render", "end_line": 900}
NESTED: dict[str, Any] = {"name": "patch", "parent_row": 0, "depth": 1, "start_line": 50, "end_line": 90}

COMPETING = [
    # (what holds, its signals, what is held, its signals, which comes first)
    (CLASS, 0.45, METHOD, 0.55, "validate"),
    (CLASS, 0.6, METHOD, 0.3, "Service"),
    (FUNCTION, 0.2, CALLBACK, 0.5, "create"),
    (LONG, 0.2, NESTED, 0.5, "patch"),
]


@pytest.mark.parametrize(("outer", "held", "inner", "holds", "first"), COMPETING)
def test_a_symbol_and_its_parts_compete(
    outer: dict[str, Any], held: float, inner: dict[str, Any], holds: float, first: str
) -> None:
    assert ranked("what it does", candidate(0, held, held, **outer), candidate(1, holds, holds, **inner))[0] == first


TRACE = """TypeError: cannot read properties of undefined
    at Service.validate (/home/me/app/lib/auth/service.ts:42:11)
    at node:internal/process (node_modules/other/lib/auth/service.ts:3:1)
    at C:\\app\\lib\\main.ts:7:3"""
PLACES = [
    # (query, names of what ranks first, in order)
    (TRACE, ["validate", "Service", "main"]),
    ("what fails at lib/auth/service.ts:42", ["validate", "Service"]),
    ("main.ts:7", ["main"]),
    ("why does service.ts do nothing", ["Service"]),
]


@pytest.mark.parametrize(("query", "first"), PLACES)
def test_the_code_on_a_named_line_comes_first(query: str, first: list[str]) -> None:
    file: dict[str, Any] = {"relative_path": "lib/auth/service.ts", "parent_name": None}
    candidates = [
        candidate(0, 0.3, 0.3, "Service", node_kind="class", end_line=90, **file),
        candidate(1, 0.2, 0.2, "validate", node_kind="method", start_line=40, end_line=50, parent_row=0, depth=1, **file),
        candidate(2, 0.2, 0.2, "main", relative_path="lib/main.ts"),
        candidate(3, 0.4, 0.4, "distractor"),
    ]
    assert ranked(query, *candidates)[: len(first)] == first


def test_words_in_the_name_count() -> None:
    here, there = candidate(1, 0.4, 0.4, "retryRequest"), candidate(2, 0.4, 0.4, "formatDate")
    assert ranked("retry failed requests", there, here) == ["retryRequest", "formatDate"]


def test_scores_are_probabilities_that_fall_with_the_rank() -> None:
    strong = rank("validate a token", [candidate(n, 0.9 - n / 10, 0.9 - n / 10, f"validateToken{n}") for n in range(8)])
    weak = rank("validate a token", [candidate(n, 0.05, 0.1, f"unrelated{n}") for n in range(8)])
    for results in (strong, weak):
        scores = [result.score for result in results]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
    assert strong[0].score > 0.9 > 0.5 > weak[0].score
    assert rank("anything", []) == []


def test_what_an_explanation_adds_up_is_what_the_ranker_gives() -> None:
    candidates = [candidate(n, n / 10, n / 10, f"name{n}") for n in range(9)]
    question = read_query("what a name does")
    learnt = LearnedRanker(read_model(MODEL_PATH))
    sums = learnt.scores(matrix(RANKER.table(candidates, question, EMPTY), learnt.features))
    explained = RANKER.explain(candidates, question, EMPTY)
    for one, total in zip(candidates, sums, strict=True):
        why = explained[one.chunk.row]
        assert sum(why.contributions.values()) + learnt.without_evidence == pytest.approx(total, abs=0.1)
        assert why.features["blend"] == pytest.approx(one.blend)


def test_trees_ask_a_feature_at_each_node_and_add_their_leaves() -> None:
    # x <= 1: 10, else y <= 2: 20, else 30; and a tree that is one leaf.
    model = Model(
        ["x", "y"], [0, 5], [0, 0, 1, 0, 0, 0], [1.0, 0, 2.0, 0, 0, 0], [1, 1, 3, 3, 4, 5], [2, 1, 4, 3, 4, 5],
        [15, 10, 25, 20, 30, 0.5], [], [],
    )  # fmt: skip
    rows = np.array([(1, 9), (2, 2), (2, 3)], np.float32)
    assert Trees(model).scores(rows).tolist() == [10.5, 20.5, 30.5]
    assert Trees(model).contributions(rows[2]) == {"x": 10.0, "y": 5.0}


@pytest.mark.parametrize("leaves", [2, 3, 15, 16])
def test_trees_of_many_leaves_find_the_right_one(leaves: int) -> None:
    rows = np.arange(leaves, dtype=np.float32).reshape(-1, 1)
    assert Trees(stairs(leaves)).scores(rows).tolist() == list(range(leaves))


def test_trees_of_more_leaves_than_a_number_has_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="17 leaves"):
        Trees(stairs(17))


def stairs(leaves: int) -> Model:
    """A tree that gives the whole number of its only feature."""
    # x <= 0: 0, else x <= 1: 1, else ... : nodes 2n ask, nodes 2n + 1 are leaves.
    asking = range(leaves - 1)
    left = [node for place in asking for node in (2 * place + 1, 2 * place + 1)]
    right = [node for place in asking for node in (2 * place + 2, 2 * place + 1)]
    values = [float(place) for place in asking for _ in range(2)]
    last = 2 * (leaves - 1)
    thresholds = [*values, 0.0]
    return Model(["x"], [0], [0] * (last + 1), thresholds, [*left, last], [*right, last], [*values, leaves - 1.0], [], [])


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
    limit, budget = given
    assert constraints(Settings(), SearchRequest("any words", limit=limit, budget=budget)) == expected


def test_what_is_shown_within_a_result_does_not_come_again() -> None:
    outer = candidate(0, 0.9, 0.9, "Store", node_kind="class", end_line=90)
    inner = candidate(1, 0.5, 0.5, "save", node_kind="method", parent_row=0, depth=1, relative_path="lib/m0.ts")
    other = candidate(2, 0.1, 0.1, "colour")
    assert ranked("what it does", outer, inner, other)[0] == "Store"
    assert ranked("what it does", outer, inner, other)[-1] == "save"


def test_a_method_that_fits_keeps_its_long_class_away() -> None:
    outer = candidate(0, 0.3, 0.3, "Store", node_kind="class", end_line=90)
    inner = candidate(1, 0.9, 0.9, "save", node_kind="method", parent_row=0, depth=1, relative_path="lib/m0.ts")
    other = candidate(2, 0.1, 0.1, "colour")
    assert ranked("what it does", outer, inner, other) == ["save", "colour", "Store"]
