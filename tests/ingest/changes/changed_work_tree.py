"""Work trees whose files differ from their last commit, and what the change breaks."""

from __future__ import annotations

from pathlib import Path

from astrolabe.ingest.changes.comparison import ChangeSet, compare_states
from astrolabe.ingest.changes.states import Comparison, compared_states
from astrolabe.ingest.history.git import GitRepository

from tests.git_commands import git

#: Seconds that a comparison may take, so that a busy machine does not change its result.
PATIENCE = 600.0


def told(folder: Path, files: dict[str, str], changed: dict[str, str], sql_dialect: tuple[str, ...] = ()) -> list[str]:
    """Return what a change of files breaks. `sql_dialect` is the setting of that name."""
    folder.mkdir(exist_ok=True)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Begin")
    for path, text in changed.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return [f"{each.path}:{each.line} {each.reason}" for each in compared(folder, sql_dialect).broken]


def compared(folder: Path, sql_dialect: tuple[str, ...] = ()) -> ChangeSet:
    """Compare the work tree with its commit."""
    with compared_states(GitRepository(folder), Comparison(), 1_000_000, sql_dialect) as states:
        return compare_states(states, folder.as_posix(), PATIENCE)
