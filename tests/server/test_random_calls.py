"""Random and malformed calls of all tools: answers fit their schemas and budgets, and every error says what is wrong."""

from __future__ import annotations

from pathlib import Path

import anyio
from astrolabe.server.api.workspace import Workspace

from tests.benchmarks.tool_agreement import judged


def test_answers_fit_their_schemas_and_budgets_and_malformed_requests_change_nothing(indexed: Path) -> None:
    with Workspace.locate(indexed) as workspace:
        tally = anyio.run(judged, workspace, 80, 100, 7)
    assert tally.faults == []
    assert tally.calls >= 80
    assert tally.errors < tally.calls / 2
    assert tally.malformed > 130
