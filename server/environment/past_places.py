"""Paths in the folder of an index: the files of past commits, and the indexes of these files."""

from __future__ import annotations

from pathlib import Path

#: Name of the folder with a folder for each commit.
PAST = "past"
#: Name of the folder with the files of a commit.
TREE = "tree"
#: Name of the folder with the index of these files.
INDEX = "index"


def past_folder(data_dir: Path, commit: str) -> Path:
    """Return the folder of a commit."""
    return data_dir / PAST / commit[:20]


def present_data_folder(root: Path) -> Path | None:
    """Return the index folder of the workspace that extracted `root` from a commit; None if `root` is not an extracted commit."""
    is_past = root.name == TREE and root.parent.parent.name == PAST
    return root.parents[2] if is_past else None
