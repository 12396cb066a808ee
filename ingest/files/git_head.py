"""Read the current commit of a workspace."""

from __future__ import annotations

from pathlib import Path

from ...schema.process.git import GitFailed, run_git

#: Seconds after which the command of git is stopped.
_PATIENCE = 10.0


def git_head(root: Path) -> str:
    """Return the commit of HEAD.

    The result is "" outside Git, before the first commit, and if git is not installed.
    """
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return ""
    try:
        done = run_git(("rev-parse", "--verify", "--quiet", "HEAD"), root, seconds=_PATIENCE)
    except GitFailed:
        return ""
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else ""
