"""Repositories of tests are made by git itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

#: Commits need an author, and the signature that somebody's own settings ask for would ask for a key.
_SETTINGS = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str, stdin: str = "") -> str:
    """What git prints in a folder, given some input. Raises CalledProcessError where it fails."""
    done = subprocess.run(["git", *_SETTINGS, *arguments], cwd=folder, check=True, capture_output=True, text=True, input=stdin)
    return done.stdout.strip()
