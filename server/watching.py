"""Keeps an index up to date in the background: refreshes it whenever files of the workspace change.

Only folders that hold sources or lead to them are watched, each by itself: a folder of packages would take more watches than
the system gives. Whatever is missed is found by the scan that every request makes anyway.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

from ..schema.errors import AstrolabeError, NothingToIndex
from .indexer import IndexReport
from .workspace import Workspace

#: Milliseconds of quiet after a change: an editor or a branch switch writes many files at once.
QUIET = 120
#: Longest milliseconds between two looks, should changes never end.
LONGEST = 1600


def watch_workspace(
    workspace: Workspace, tell: Callable[[IndexReport], None], warn: Callable[[str], None], stop: threading.Event | None = None
) -> None:
    """Refreshes the index now and after every change, until `stop` is set; each new generation is told.

    What goes wrong with one refresh is a warning: the next change tries again.
    """
    from watchfiles import watch

    _refresh(workspace, tell, warn)
    stop = stop or threading.Event()
    while not stop.is_set():
        folders = watched_folders(workspace)
        changes = watch(
            *folders, watch_filter=None, debounce=LONGEST, step=QUIET, recursive=False, stop_event=stop, rust_timeout=1000
        )
        for changed in changes:
            if all(Path(path).is_relative_to(workspace.data_dir) for _, path in changed):
                continue
            _refresh(workspace, tell, warn)
            if watched_folders(workspace) != folders:
                break


def watched_folders(workspace: Workspace) -> list[Path]:
    """The root, and every folder on the way from it to a source file."""
    from ..ingest.discovery import discover

    paths = [file.relative_path for file in discover(workspace.root, workspace.settings).files]
    return [workspace.root / folder for folder in sorted(_folders_of(paths))]


def _folders_of(paths: Iterable[str]) -> set[PurePosixPath]:
    folders = {PurePosixPath()}
    for path in paths:
        for folder in PurePosixPath(path).parents:
            if folder in folders:
                break
            folders.add(folder)
    return folders


def _refresh(workspace: Workspace, tell: Callable[[IndexReport], None], warn: Callable[[str], None]) -> None:
    try:
        report = workspace.index()
    except NothingToIndex as error:
        warn(str(error))
    except AstrolabeError as error:
        warn(f"{error} The next change tries again.")
    else:
        if report.outcome != "unchanged":
            tell(report)
