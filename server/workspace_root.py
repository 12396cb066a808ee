"""Where a workspace begins and where its index lives."""

from __future__ import annotations

from pathlib import Path

from ..schema.errors import NotAFolder, UsageError, WorkspaceError

DATA_FOLDER = ".astrolabe"

#: Names by which a folder that holds an index is known.
INDEX_NAMES = frozenset({"CURRENT", "generations", "lock"})


def find_root(explicit: Path | None, *, start: Path | None = None) -> Path:
    """The workspace root, absolute: `explicit` when given, else the nearest folder at or above `start` (default: the
    current one) that has `.astrolabe`, else the nearest that has `.git`, else `start` itself.

    Raises NotAFolder, and WorkspaceError when only the fallback is left and it is the home folder or the file system's
    root: indexing everything a person owns is never what they meant.
    """
    if explicit is not None:
        return _existing_folder(explicit)
    begin = _existing_folder(start or Path.cwd())
    for marker in (DATA_FOLDER, ".git"):
        for folder in (begin, *begin.parents):
            if (folder / marker).exists():  # In a worktree `.git` is a file.
                return folder
    if begin == Path.home() or begin == Path(begin.anchor):
        raise WorkspaceError(f"{begin} is not a project: change to the project's folder, or name it with --root.")
    return begin


def data_folder(root: Path, explicit: Path | None) -> Path:
    """The folder of the index, absolute: `explicit` when given, else `.astrolabe` in the root.

    Raises UsageError for a folder that holds anything but an index: the index hides its folder from Git, and with it
    whatever else lies there.
    """
    if explicit is None:
        return root / DATA_FOLDER
    folder = explicit.expanduser().absolute()
    if folder.is_dir() and (names := {path.name for path in folder.iterdir()}) and not names & INDEX_NAMES:
        raise UsageError(f"--data-dir {explicit} holds other files; name a new or empty folder for the index.")
    return folder


def _existing_folder(path: Path) -> Path:
    folder = path.expanduser()
    if not folder.exists():
        raise NotAFolder(f"{path} does not exist; name the folder of a project.")
    if not folder.is_dir():
        raise NotAFolder(f"{path} is not a folder; name the folder of a project.")
    return folder.resolve()
