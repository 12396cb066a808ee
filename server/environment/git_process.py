"""Run Git in a hook, with the variables that Git sets for its hooks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...schema.process.git import GitFailed, failure_text, reason_of, run_git


def git_output(folder: Path, *arguments: str, stdin: bytes = b"", accepted: Iterable[int] = (0,)) -> bytes:
    """Return the output of Git in a folder. Raises GitFailed for an exit code that is not in `accepted`."""
    done = run_git(arguments, folder, stdin=stdin)
    if done.returncode not in accepted:
        raise GitFailed(failure_text(arguments[0], reason_of(done)))
    return done.stdout
