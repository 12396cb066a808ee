"""An index brought up to date after random edits holds exactly what a new index of the same files holds.

The short form; `tests/incremental_report` has the long ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from incremental_report.__main__ import AskedIndexer, check
from incremental_report.edits import KINDS, Edit, apply, write_project

NUMBERS = st.integers(0, 999)
EDITS = st.builds(Edit, st.sampled_from(KINDS), NUMBERS, NUMBERS)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kinds", [KINDS[place::4] for place in range(4)], ids=lambda kinds: ", ".join(kinds))
def test_every_kind_of_edit(tmp_path: Path, kinds: tuple[str, ...], is_long: bool) -> None:
    write_project(tmp_path / "project")
    indexer = AskedIndexer(tmp_path / "project", tmp_path / "kept")
    indexer.refresh()
    for number, kind in enumerate(kinds):
        apply(tmp_path / "project", Edit(kind, 7 * number + 3, 5 * number + 1))
        assert indexer.refresh().notices == ()
        if number % 3 == 2:
            indexer.compact()
        # A fresh index costs more than the edits before it.
        if number % (2 if is_long else 9) == 1 or number == len(kinds) - 1:
            assert check(tmp_path / "project", tmp_path / "kept", tmp_path / f"fresh{number}") == [], kind
    indexer.close()


@settings(max_examples=2, phases=[Phase.generate])
@given(steps=st.lists(st.lists(EDITS, min_size=1, max_size=3), min_size=2, max_size=4))
def test_random_edits(tmp_path_factory: pytest.TempPathFactory, steps: list[list[Edit]]) -> None:
    folder = tmp_path_factory.mktemp("edits")
    write_project(folder / "project")
    indexer = AskedIndexer(folder / "project", folder / "kept")
    indexer.refresh()
    for edits in steps:
        for edit in edits:
            apply(folder / "project", edit)
        indexer.refresh()
        indexer.compact()
    indexer.close()
    assert check(folder / "project", folder / "kept", folder / "fresh") == []
