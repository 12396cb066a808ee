"""Remove an index: its files, and the data folder if it is then empty."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from ...schema.errors import WorkspaceError
from ..environment.data_folder import index_names
from .writer_lock import writer_lock

_LOCK = "lock"


def remove_index(data_dir: Path) -> None:
    """Remove the index in a folder, if there is one. Raises IndexLocked and WorkspaceError.

    CURRENT is removed first, so that the remains of an interrupted removal do not count as an index.
    """
    if not data_dir.is_dir():
        return
    try:
        with writer_lock(data_dir):
            (data_dir / "CURRENT").unlink(missing_ok=True)
            for name in sorted(index_names(data_dir)[0] - {_LOCK}):
                path = data_dir / name
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
        (data_dir / _LOCK).unlink(missing_ok=True)
    except OSError as error:
        raise WorkspaceError(f"The index in {data_dir} cannot be removed: {error.strerror}.") from error
    with suppress(OSError):  # the folder stays if it contains other files
        data_dir.rmdir()
