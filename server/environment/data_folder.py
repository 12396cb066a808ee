"""The folder of an index: its name, its place, and the files in it."""

from __future__ import annotations

from pathlib import Path

from ...schema.errors import UsageError, WorkspaceError
from .past_places import PAST

DATA_FOLDER = ".astrolabe"
#: Name of the folder with cached answers of workflows.
WORKFLOWS_FOLDER = "workflows"

#: Names of the files and folders of an index.
_INDEX_NAMES = frozenset(
    {
        ".gitignore",
        "CURRENT",
        "calls.earlier.jsonl",
        "calls.jsonl",
        "console_history",
        "facts",
        "generations",
        "history",
        "lock",
        PAST,
        "touched.json",
        "touched.tmp",
        "vectors",
        WORKFLOWS_FOLDER,
    }
)
#: Prefix of temporary files for CURRENT, which a killed writer leaves.
_DRAFT = "CURRENT."


def index_names(data_dir: Path) -> tuple[set[str], set[str]]:
    """Return the names in a data folder that belong to an index, and the other names."""
    names = {path.name for path in data_dir.iterdir()}
    own = {name for name in names if name in _INDEX_NAMES or name.startswith(_DRAFT)}
    return own, names - own


def data_folder(root: Path, explicit: Path | None) -> Path:
    """Return the absolute folder of the index: `explicit`, or `.astrolabe` in the root.

    Raises WorkspaceError if the folder cannot exist, and UsageError if it contains other files, because Git ignores all files in
    the folder of an index.
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
