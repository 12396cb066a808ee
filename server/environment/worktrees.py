"""The other worktrees of a Git repository. Their indexes contain facts about mostly the same sources.

A linked worktree has a file `.git` with the path of a folder below `worktrees` in the repository. A file in that folder has the
path of the worktree.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from .data_folder import DATA_FOLDER
from .past_places import present_data_folder

#: Name of the folder with cached facts in a data folder.
FACTS_FOLDER = "facts"


def caches_of(root: Path, data_dir: Path) -> list[Path]:
    """Return the folders with cached facts for a workspace: its own folder, and the folders of other worktrees."""
    return [data_dir / FACTS_FOLDER, *related_caches(root)]


def related_caches(root: Path) -> list[Path]:
    """Return the existing folders with facts that other worktrees of the repository cached for the same folder.

    For the files of a commit, return the folders of the workspace of the commit.
    """
    present = present_data_folder(root)
    if present is not None:
        return [present / FACTS_FOLDER]
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if top is None:
        return []
    inside = root.relative_to(top)
    caches = [tree / inside / DATA_FOLDER / FACTS_FOLDER for tree in _worktrees(top) if tree != top]
    return [cache for cache in caches if cache.is_dir()]


def _worktrees(top: Path) -> Iterator[Path]:
    """Yield the main worktree, if there is one, and the linked worktrees."""
    repository = top / ".git"
    if repository.is_file():
        own = _linked_folder(top)
        if own is None:
            return  # a submodule
        repository = own.parent.parent
    if repository.name == ".git":
        yield repository.parent
    linked = repository / "worktrees"
    for entry in sorted(linked.iterdir()) if linked.is_dir() else ():
        if (back := _named_path(entry / "gitdir", "")) is not None:
            yield back.parent


def is_linked_worktree(folder: Path) -> bool:
    """Return whether the folder is the root of a linked worktree; False for the main worktree and for a submodule."""
    return (folder / ".git").is_file() and _linked_folder(folder) is not None


def _linked_folder(worktree: Path) -> Path | None:
    """Return the folder of a linked worktree below `worktrees` in the repository."""
    own = _named_path(worktree / ".git", "gitdir: ")
    return own if own is not None and own.parent.name == "worktrees" else None


def _named_path(file: Path, prefix: str) -> Path | None:
    """Return the path that follows a prefix in a file of Git."""
    with suppress(OSError, UnicodeDecodeError):
        text = file.read_text(encoding="utf-8").strip()
        if text.startswith(prefix):
            return (file.parent / text.removeprefix(prefix)).resolve()
    return None
