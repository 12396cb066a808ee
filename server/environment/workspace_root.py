"""Finds the root of a workspace and the folder of its index."""

from __future__ import annotations

from pathlib import Path

from ...schema.errors import NotAFolder, UsageError, WorkspaceError

DATA_FOLDER = ".astrolabe"

#: Names of the files and folders of an index.
_INDEX_NAMES = frozenset(
    {".gitignore", "CURRENT", "console_history", "facts", "generations", "lock", "touched.json", "touched.tmp", "vectors"}
)
#: Prefix of drafts of CURRENT, which a killed writer leaves.
_DRAFT = "CURRENT."


def index_names(data_dir: Path) -> tuple[set[str], set[str]]:
    """Return the names in a data folder that belong to an index, and the other names."""
    names = {path.name for path in data_dir.iterdir()}
    own = {name for name in names if name in _INDEX_NAMES or name.startswith(_DRAFT)}
    return own, names - own


def find_root(explicit: Path | None, *, start: Path | None = None) -> Path:
    """Return the absolute workspace root: `explicit`, or the nearest enclosing folder of `start` with `.astrolabe`, else the
    nearest one with `.git`, else `start` itself. The default of `start` is the current folder.

    Raises NotAFolder, and WorkspaceError if `start` itself would be the home folder or the root of the file system: nobody wants
    to index everything.
    """
    if explicit is not None:
        return _existing_folder(explicit)
    begin = _existing_folder(start or Path.cwd())
    for marker in (DATA_FOLDER, ".git"):
        for folder in (begin, *begin.parents):
            if (folder / marker).exists():  # in a worktree, `.git` is a file
                return folder
    if begin == Path.home() or begin == Path(begin.anchor):
        raise WorkspaceError(f"{begin} is not a project: change to the project's folder, or name it with --root.")
    return begin


def data_folder(root: Path, explicit: Path | None) -> Path:
    """Return the absolute folder of the index: `explicit`, or `.astrolabe` in the root.

    Raises WorkspaceError if there can be no such folder, and UsageError if it contains anything but an index: the index hides
    its folder, and thus everything in it, from Git.
    """
    folder = root / DATA_FOLDER if explicit is None else explicit.expanduser().absolute()
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    if not nearest.is_dir():
        raise WorkspaceError(
            f"The index cannot be written to {folder}: {nearest} is a file; name another folder with --data-dir."
        )
    if explicit is not None and nearest == folder and (others := index_names(folder)[1]):
        raise UsageError(f"--data-dir {explicit} holds other files ({min(others)}); name a new or empty folder.")
    return folder


def _existing_folder(path: Path) -> Path:
    folder = path.expanduser()
    if not folder.exists():
        raise NotAFolder(f"{path} does not exist; name the folder of a project.")
    if not folder.is_dir():
        raise NotAFolder(f"{path} is not a folder; name the folder of a project.")
    return folder.resolve()
