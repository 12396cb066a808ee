"""The folder of a repository on disk: which paths exist, which Git ignores, and where symbolic links lead."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from ...ingest.files.git_index import symbolic_links, tracked_paths
from ...ingest.history.git import GitRepository
from ...retrieval.lint.model.checkout import Checkout
from ...schema.paths import parent_of
from ...schema.process.git import GitFailed


def checkout(root: Path) -> Checkout:
    """Return the folder at `root`, with or without a repository around it."""

    def exists(path: str) -> bool:
        return (root / path).exists()

    def ignored(paths: Sequence[str]) -> set[str]:
        try:
            return GitRepository(root).ignored(paths)
        except GitFailed:  # outside of a repository, Git ignores nothing
            return set()

    @cache
    def links() -> Mapping[str, Sequence[str]]:
        return _links(root)

    @cache
    def names() -> frozenset[str]:
        return tracked_paths(os.fspath(root)).names()

    return Checkout(exists, ignored, links, names)


def _links(root: Path) -> dict[str, list[str]]:
    """Return the paths of the tracked symbolic links, by the path of their target within the root."""
    found: dict[str, list[str]] = {}
    for link in symbolic_links(os.fspath(root)):
        try:
            target = os.readlink(root / link)
        except OSError:  # the link is removed from the work tree, or the file system has no links
            continue
        path = posixpath.normpath(posixpath.join(parent_of(link), target))
        if not path.startswith(("..", "/")):
            found.setdefault(path, []).append(link)
    return found
