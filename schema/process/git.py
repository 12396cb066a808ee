"""Run git, and report why it failed."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import WorkspaceError

#: Git's message about a repository of another user.
_OF_ANOTHER = re.compile(r"detected dubious ownership in repository at '(?P<folder>.*)'$")


class GitFailed(WorkspaceError):
    """Git is not installed, or a command of Git failed."""


def run_git(
    arguments: Sequence[str],
    folder: Path,
    *,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder, and return the finished process, even if git failed. The default of `environment` is the environment
    of this process.

    Raises GitFailed if git cannot start, or takes longer than `seconds`.
    """
    try:
        return subprocess.run(
            # With optional locks, `git status` would lock and refresh the index of Git, and other git processes would fail
            # meanwhile.
            ["git", "--no-optional-locks", *arguments],
            cwd=folder,
            env=environment,
            input=stdin,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError as error:
        raise GitFailed("Git is not installed, or not on the PATH.") from error
    except subprocess.TimeoutExpired as error:
        raise GitFailed(f"git did not answer within {seconds:.0f} seconds.") from error
    except OSError as error:
        raise GitFailed(f"git cannot be started in {folder}: {error.strerror}.") from error


def reason_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return why a git command failed: the message of git, if there is a message."""
    told = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
    return told or f"exit code {done.returncode}"


def failure_text(command: str, reason: str) -> str:
    """Return the failure of a command of git for people, with the next step if there is one."""
    first = reason.partition("\n")[0]
    if first.startswith("not a git repository"):
        return "There is no Git repository here, so there are no commits to read or to compare with."
    if first.startswith("this operation must be run in a work tree"):
        return "This repository is bare: it has no work tree. Clone it, and work in the clone."
    if (match := _OF_ANOTHER.match(first)) is not None:
        folder = match["folder"]
        return (
            f"Git does not read {folder}, because the folder belongs to another user. "
            f"`git config --global --add safe.directory {shlex.quote(folder)}` allows it."
        )
    return f"git {command} failed: {first}."
