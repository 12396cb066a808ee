"""Parts of documents among ranked code."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from astrolabe.retrieval.query.query import read_query
from astrolabe.retrieval.ranking.documents import with_documents
from astrolabe.retrieval.ranking.ranking import Ranked
from astrolabe.retrieval.vectors.candidate_rows import CandidateRow

GATE = 0.5
CODE = "src/publishing.py > publish"
OUTBOX = "docs/decisions/0015-outbox.md > 15. Outbox pattern and production modes"
OFFSETS = "docs/balanced-offset.md > Balanced offsets"
FORM = ".github/PULL_REQUEST_TEMPLATE.md > Description"
README = "README.md > Harbor"
INTRODUCTION = "docs/index.md > About the project"
CHANGES = "CHANGELOG.md > 1.2.0"
SETTINGS = "docs/settings.md > Settings"
CLIENTS = "docs/clients.md > Writing custom clients"
HOOKS = "docs/hooks.md > Hooks"
#: The texts of some parts of documents.
TEXTS = {
    "CHANGELOG.md": b"`SHOP_HOST` and `SHOP_PORT`\n",
    "docs/settings.md": b"| `PORT` | 8080 |\n| SHOP_HOST | `0.0.0.0` |\n| SHOP_PORT | `8080` |\n",
}


def shown(question: str, code: float, documents: dict[str, float]) -> list[str]:
    """Return the breadcrumbs of the results with a score above the gate, best first."""
    results = [_result(*each) for each in documents.items()]
    ranked = with_documents([_result(CODE, code)], results, read_query(question), GATE, _texts)
    assert [result.score for result in ranked] == sorted((result.score for result in ranked), reverse=True)
    return [result.chunk.breadcrumb for result in ranked if result.score >= GATE]


def _texts(rows: Sequence[CandidateRow]) -> list[bytes]:
    return [TEXTS.get(row.relative_path, b"") for row in rows]


def _result(breadcrumb: str, score: float) -> Ranked:
    path, _, name = breadcrumb.partition(" > ")
    kind = "section" if path.endswith(".md") else "function"
    return Ranked(CandidateRow(1, breadcrumb, path, kind, name, None, None, 0, breadcrumb, 1, 9, True, False), score)


@pytest.mark.parametrize(
    ("question", "code", "documents", "expected"),
    [
        pytest.param("what is the outbox pattern", 0.08, {OUTBOX: 0.09}, [OUTBOX], id="all words in the titles"),
        pytest.param("what is the outbox", 0.08, {OUTBOX: 0.09}, [], id="one word"),
        pytest.param("what is the inbox pattern", 0.08, {OUTBOX: 0.09}, [], id="another word"),
        pytest.param("how are events published", 0.9, {OUTBOX: 0.6}, [CODE], id="about behavior"),
        pytest.param("how are events published", 0.9, {OUTBOX: 0.7}, [CODE, OUTBOX], id="about behavior, and well described"),
        pytest.param("how are events published", 0.9, {FORM: 0.7}, [CODE], id="a form"),
        pytest.param("how are events published", 0.3, {OUTBOX: 0.6}, [OUTBOX], id="no code"),
        pytest.param("why are events published", 0.9, {OUTBOX: 0.45}, [OUTBOX, CODE], id="why"),
        pytest.param("why are events published", 0.9, {FORM: 0.48, OUTBOX: 0.45}, [OUTBOX, CODE], id="why, and a form"),
        pytest.param("which variable sets the port", 0.9, {OUTBOX: 0.5, SETTINGS: 0.2}, [SETTINGS, CODE], id="settings"),
        pytest.param("how do I configure the port", 0.9, {CHANGES: 0.3, SETTINGS: 0.2}, [SETTINGS, CODE], id="how to configure"),
        pytest.param("which settings are read", 0.9, {OUTBOX: 0.5, SETTINGS: 0.1}, [CODE], id="no relevant settings"),
        pytest.param("which function reads the settings", 0.9, {SETTINGS: 0.6}, [CODE], id="code that reads settings"),
        pytest.param("what is harbor and how do I run it", 0.8, {README: 0.2}, [README, CODE], id="what the project is"),
        pytest.param("what is harbor", 0.8, {INTRODUCTION: 0.2}, [INTRODUCTION, CODE], id="an introduction"),
        pytest.param("what is a berth", 0.8, {README: 0.2}, [CODE], id="what something else is"),
        pytest.param("how to write a custom client", 0.9, {OFFSETS: 0.4, CLIENTS: 0.1}, [CLIENTS, CODE], id="how to do it"),
        pytest.param("how do I add my own hook", 0.9, {HOOKS: 0.1}, [HOOKS, CODE], id="a title of one word"),
        pytest.param("how do I test a hook", 0.9, {HOOKS: 0.1}, [CODE], id="how to do something else"),
        pytest.param("how are custom clients written", 0.9, {CLIENTS: 0.1}, [CODE], id="how it behaves"),
        pytest.param("when should offsets be balanced", 0.73, {OFFSETS: 0.67}, [OFFSETS, CODE], id="when"),
    ],
)
def test_parts_of_documents_among_code(question: str, code: float, documents: dict[str, float], expected: list[str]) -> None:
    assert shown(question, code, documents) == expected
