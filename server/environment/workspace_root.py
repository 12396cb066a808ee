"""Finds the root of a workspace."""

from __future__ import annotations

from pathlib import Path

from ...schema.errors import NotAFolder, WorkspaceError
from .data_folder import DATA_FOLDER
from .worktrees import is_linked_worktree


def find_root(explicit: Path | None, *, start: Path | None = None) -> Path:
    """Return the absolute workspace root: `explicit`, or the nearest enclosing folder of `start` with `.astrolabe`, else the
    nearest with `.git`, else `start`. The default of `start` is the current folder.

    A linked worktree of Git is always a root. If it is inside another workspace, that workspace contains another checkout of the
    same files.

    Raises NotAFolder, and WorkspaceError if the result is `start` and too large to index: the home folder or the root of the file
    system.
    """
    if explicit is not None:
        return _existing_folder(explicit)
    begin = _existing_folder(start or Path.cwd())
    around = (begin, *begin.parents)
    for folder in around:
        if (folder / DATA_FOLDER).exists() or is_linked_worktree(folder):
            return folder
    for folder in around:
        if (folder / ".git").exists():  # in a submodule, `.git` is a file
            return folder
    if begin == Path.home() or begin == Path(begin.anchor):
        raise WorkspaceError(f"{begin} is not a project: change to the project's folder, or name it with --root.")
    return begin


def inner_repository(root: Path, *, start: Path | None = None) -> Path | None:
    """Return the innermost Git repository around `start` if it is inside of the workspace at `root`, such as a submodule.

    The default of `start` is the current folder.
    """
    begin = _existing_folder(start or Path.cwd())
    inside = (folder for folder in (begin, *begin.parents) if root in folder.parents)
    return next((folder for folder in inside if (folder / ".git").exists()), None)


def _existing_folder(path: Path) -> Path:
    folder = path.expanduser()
    if not folder.exists():
        raise NotAFolder(f"{path} does not exist; name the folder of a project.")
    if not folder.is_dir():
        raise NotAFolder(f"{path} is not a folder; name the folder of a project.")
    return folder.resolve()
