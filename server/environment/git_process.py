"""Runs Git."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from ...schema.errors import WorkspaceError


class GitFailed(WorkspaceError):
    """Git is not installed, or could not do what it was asked."""


def git_output(folder: Path, *arguments: str, stdin: bytes = b"", accepted: Iterable[int] = (0,)) -> bytes:
    """Return what Git prints in a folder. Raises GitFailed if it exits with a code that is not accepted."""
    # Of optional locks, `git status` takes one to store what it found; another Git would wait for it.
    command = ["git", "--no-optional-locks", *arguments]
    try:
        done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise GitFailed("Git is not installed, or not on the PATH.") from error
    except OSError as error:
        raise GitFailed(f"Git cannot be started in {folder}: {error.strerror}.") from error
    if done.returncode not in accepted:
        reason = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise GitFailed(f"git {arguments[0]} failed in {folder}: {reason or f'exit code {done.returncode}'}.")
    return done.stdout
