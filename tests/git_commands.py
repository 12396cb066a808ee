"""Repositories of tests are made by git itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

#: Commits need an author, and the signature that somebody's own settings ask for would ask for a key.
_SETTINGS = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str, stdin: str = "", date: str = "") -> str:
    """Return what git prints in a folder, given some input, with the date at which it commits. Raises CalledProcessError."""
    command = ["git", *_SETTINGS, *arguments]
    environment = os.environ | ({"GIT_COMMITTER_DATE": date} if date else {})
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, input=stdin, env=environment)
    return done.stdout.strip()
