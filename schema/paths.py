"""Paths as they are stored everywhere: POSIX, relative to the workspace root, which is ""."""

from __future__ import annotations


def parent_of(path: str) -> str:
    """The folder of a path; "" for a path at the root."""
    return path[: max(path.rfind("/"), 0)]


def folders_above(folder: str) -> list[str]:
    """The folder itself, its parent and so on up to the root ""."""
    found = [folder]
    while folder:
        folder = parent_of(folder)
        found.append(folder)
    return found
