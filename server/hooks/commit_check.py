"""Check whether staged files break code.

The check compares staged files with the last commit, and needs neither an index nor the work tree. Facts that an index has cached
make the check faster.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ...ingest.changes.comparison import broken_between
from ...ingest.changes.states import Comparison, compared_states
from ...ingest.history.git import GitRepository, hook_environment
from ...ingest.incremental.broken_imports import Breakage
from ...schema.settings import Settings
from ..environment.data_folder import DATA_FOLDER
from ..environment.worktrees import caches_of

#: Seconds after which no more files are examined. Files of the commit come first.
PATIENCE = 5.0
#: Maximum number of findings that are printed.
MAX_FINDINGS = 20


class CheckedCommit(NamedTuple):
    """The result of the check of a commit."""

    findings: list[Breakage]
    #: Number of unexamined files that the commit may break.
    skipped: int = 0


def check_staged(top: Path, inside: str, settings: Settings) -> CheckedCommit:
    """Check the staged files in the folder `inside` ("." for all) of the repository at `top`. Raises GitFailed."""
    folder = (top / inside).resolve()
    git = GitRepository(folder, hook_environment(top))
    caches = caches_of(folder, folder / DATA_FOLDER)
    with compared_states(git, Comparison(staged=True), settings.max_file_size, settings.sql_dialect, caches) as states:
        broken = broken_between(states, folder.as_posix(), PATIENCE)
    return CheckedCommit(broken.places, broken.skipped)


def report(checked: CheckedCommit) -> str:
    """Return the findings for people; "" if there are none and all files were examined."""
    shown = checked.findings[:MAX_FINDINGS]
    skipped = f"{checked.skipped:,} files were not looked at, because the check took more than {PATIENCE:g} seconds."
    count = len(checked.findings)
    if not shown:
        return f"astrolabe: {skipped}" if checked.skipped else ""
    lines = [f"astrolabe: this commit breaks {count:,} {'place' if count == 1 else 'places'}:"]
    lines += [f"  {found.path}:{found.line} {found.reason}" for found in shown]
    if count > len(shown):
        lines.append(f"  … and {count - len(shown):,} more")
    if checked.skipped:
        lines.append(f"  {skipped}")
    return "\n".join(lines)
