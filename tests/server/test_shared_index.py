"""The short forms of `python -m tests.failure_report churn` and `sharing`."""

from __future__ import annotations

from pathlib import Path

from failure_report.churn import churn
from failure_report.sharing import sharing


def test_files_that_change_while_they_are_read_are_read_again(tmp_path: Path) -> None:
    outcomes = churn(tmp_path, runs=3, seed=1)
    assert outcomes["equal"] == 1
    assert outcomes["edits"] > 0


def test_readers_see_whole_generations_while_others_write(tmp_path: Path) -> None:
    outcomes = sharing(tmp_path, seconds=3, readers=2)
    assert outcomes["answers"] >= 2
    assert outcomes["WRONG"] == 0
