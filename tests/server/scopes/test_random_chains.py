"""Random chains over a small graph equal a naive evaluation over its edges."""

from __future__ import annotations

import pytest
from astrolabe.server.api.workspace import Workspace

from tests.benchmarks.chain_agreement import compared


@pytest.mark.parametrize("repository", ["shop_workspace", "portal_workspace"])
def test_random_chains_equal_a_naive_evaluation(request: pytest.FixtureRequest, repository: str, is_long: bool) -> None:
    workspace: Workspace = request.getfixturevalue(repository)
    count = 200 if is_long else 60
    found = list(compared(workspace, count, seed=3))
    assert [chain for chain, is_equal, _, _ in found if not is_equal] == []
    assert sum(not chain.endswith("(0)") for chain, _, _, _ in found) > count / 4
