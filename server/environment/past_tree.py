"""The files of a commit in a separate folder, where they are indexed without changes of the work tree."""

from __future__ import annotations

import os
import shutil
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ...ingest.changes.git_objects import ContentReader
from ...ingest.changes.states import commit_named, tree_of
from ...ingest.history.git import GitRepository
from ...schema.errors import StoreError
from .past_places import INDEX, TREE, past_folder

#: Maximum number of commits whose files and index are kept: the most recently used commits.
_KEPT = 4


class PastTree(NamedTuple):
    """The place of the files of a commit, and its index."""

    commit: str
    root: Path
    data_dir: Path


def past_tree(root: Path, data_dir: Path, name: str, max_size: int) -> PastTree:
    """Return the files of a commit below the folder `root` of its repository, and write missing files.

    Links, submodules and files of more than `max_size` bytes are left out. Raises UsageError for an unknown commit, GitFailed and
    StoreError.
    """
    git = GitRepository(root)
    commit = commit_named(git, name)
    folder = past_folder(data_dir, commit)
    found = PastTree(commit, folder / TREE, folder / INDEX)
    try:
        if not found.root.is_dir():
            _write(git, commit, found.root, max_size)
        os.utime(folder)
        _forget_others(folder)
    except OSError as error:
        raise StoreError(f"The files of {commit[:12]} cannot be written to {folder}: {error.strerror}.") from error
    return found


def _write(git: GitRepository, commit: str, target: Path, max_size: int) -> None:
    ids = tree_of(git, commit, os.fsencode(git.prefix))
    partial = target.with_name(f"{TREE}.{os.getpid()}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        with ContentReader(git.top, max_size, git.environment) as contents:
            read = contents.files(ids)
            for path in ids:
                content = read(path) if _is_inside(path) else None
                if content is not None:
                    (partial / path).parent.mkdir(parents=True, exist_ok=True)
                    (partial / path).write_bytes(content)
        if not target.is_dir():  # another process may have written the folder meanwhile
            partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _is_inside(path: str) -> bool:
    """Return whether a path of a tree stays below its folder and outside of `.git`. A repository may contain hostile paths."""
    parts = PurePosixPath(path).parts
    return not path.startswith("/") and not any(part in ("..", ".git") for part in parts) and "\0" not in path


def _forget_others(folder: Path) -> None:
    others = sorted((each for each in folder.parent.iterdir() if each != folder), key=lambda each: each.stat().st_mtime)
    for each in others[: max(0, len(others) - _KEPT + 1)]:
        shutil.rmtree(each, ignore_errors=True)
