"""Where a workspace begins and where its index lives."""

from __future__ import annotations

from pathlib import Path

from ...schema.errors import NotAFolder, UsageError, WorkspaceError

DATA_FOLDER = ".astrolabe"

#: What an index keeps in its folder.
_INDEX_NAMES = frozenset(
    {".gitignore", "CURRENT", "console_history", "facts", "generations", "lock", "touched.json", "touched.tmp", "vectors"}
)
#: How drafts of CURRENT are named, which a writer that was killed leaves.
_DRAFT = "CURRENT."


def index_names(data_dir: Path) -> tuple[set[str], set[str]]:
    """The names in a data folder that belong to an index, and the others."""
    names = {path.name for path in data_dir.iterdir()}
    own = {name for name in names if name in _INDEX_NAMES or name.startswith(_DRAFT)}
    return own, names - own


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

    Raises WorkspaceError when there can be no such folder, and UsageError when it holds anything but an index: the index
    hides its folder from Git, and with it whatever else lies there.
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
