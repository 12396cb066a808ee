"""The panel of checks: findings in the repository, or in a part of it."""

from __future__ import annotations

import msgspec

from ...api.workspace import Workspace
from .endpoint import Endpoint
from .symbol_ids import add_ids

#: Maximum number of findings of each check.
MAX_FINDINGS = 500
#: Budget of the answer in tokens, large enough that only `MAX_FINDINGS` limits the answer.
BUDGET = 400_000


class Checked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The checked files: the argument `scope` of `Workspace.lint`."""

    scope: str = ""
    include_tests: bool = False
    include_generated: bool = False


def _checks(workspace: Workspace, asked: Checked) -> object:
    found = workspace.lint(
        scope=asked.scope.strip(),
        exclude_tests=not asked.include_tests,
        include_generated=asked.include_generated,
        limit=MAX_FINDINGS,
        budget=BUDGET,
    )
    answer = found.to_json()
    members = [member for group in answer.get("duplicates", ()) for member in group["members"]]
    add_ids(workspace, [*answer.get("deadCode", ()), *answer.get("notKnown", ()), *members])
    return answer


ENDPOINTS = (Endpoint("checks", Checked, _checks),)
