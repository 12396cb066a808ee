"""Four goldens of the connection graph: the structure of results as JSON, each with its reviewed text.

`UPDATE_GOLDENS=1` writes the texts again, for review.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec
import pytest
from astrolabe.retrieval.answers.answer import RankedResult, assembled_answer
from astrolabe.retrieval.context.connection_graph import connection_graph
from astrolabe.retrieval.context.result_context import CallNode, ResultStructure

FIXTURES = Path(__file__).parent / "graph_fixtures"
NAMES = ["single-result", "multi-result", "no-connections", "shared-type"]


def results_of(name: str) -> list[ResultStructure]:
    return msgspec.json.decode((FIXTURES / f"{name}.json").read_bytes(), type=list[ResultStructure])


@pytest.mark.parametrize("name", NAMES)
def test_graphs_are_those_that_were_reviewed(name: str) -> None:
    results = results_of(name)
    ranked = [RankedResult(found.symbol.id, found.symbol.path, 1, 1, "", found.symbol.kind, "", 0.9, 1) for found in results]
    answer = assembled_answer("jwt token validation", ranked, connection_graph(results), [("snapshot", 0.9)], 8000)
    text = answer.texts[0].text
    expected = FIXTURES / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        expected.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == expected.read_text(encoding="utf-8")
    tokens = -(-sum(len(item.text) for item in answer.texts) // 4)
    assert f" | {tokens:,}/8,000 tokens\n" in text


def _nodes(tree: tuple[CallNode, ...]) -> list[CallNode]:
    return [node for top in tree for node in (top, *_nodes(top.children))]


def test_stars_stand_at_results_and_diamonds_at_what_several_use_and_nowhere_else() -> None:
    results = results_of("multi-result")
    text = connection_graph(results)
    starred = {found.symbol.label for found in results}
    users: dict[str, set[str]] = {}
    for found in results:
        for use in found.uses:
            if use.result_id is None:
                users.setdefault(use.target.label, set()).add(found.symbol.id)
    shared = {label for label, by in users.items() if len(by) > 1}
    for line in text.split("Patterns:")[0].split("\n"):
        called = re.match(r"\s+→ (\S+) \(", line)
        if called and "[cycle]" not in line:
            assert ("★" in line) == (called[1] in starred), line
            assert ("◆" in line) == (called[1] in shared), line
    named = set(re.findall(r"Shared dep: (\S+) \(\S+\) ◆", text))
    assert named == shared
