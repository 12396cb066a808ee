"""Read the commit that a workspace is at."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git_head(root: Path) -> str:
    """Return the commit that HEAD names.

    The result is "" outside Git, before the first commit, and if git is not installed.
    """
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return ""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "--verify", "--quiet", "HEAD"], cwd=root, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
