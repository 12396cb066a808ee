"""Keep an index up to date: refresh it whenever files of the workspace change.

Each folder that is not ignored is watched separately: a recursive watch of a folder of packages would exceed the system's number
of watches. Every request scans the workspace, too, and finds changes that the watch has missed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

from ...schema.errors import AstrolabeError, NothingToIndex, WorkspaceError
from ..api.workspace import Workspace
from ..indexing.indexer import IndexReport

#: Milliseconds without a further change before a refresh. An editor or a branch switch writes many files at once.
QUIET = 120
#: Maximum milliseconds between two refreshes while changes continue.
MAX_DELAY = 1600
#: Milliseconds without a change after which a new watch counts as active.
SETTING_UP = 1000
#: Maximum number of folders for which folders without sources are watched, too. Some systems allow a user only 8,192 watches.
MAX_FOLDERS = 4096


def watch_workspace(
    workspace: Workspace,
    announce: Callable[[IndexReport], None],
    warn: Callable[[str], None],
    stop: threading.Event | None = None,
) -> None:
    """Refresh the index now and after every change, until `stop` is set, and pass each new generation to `announce`.

    If a refresh fails, `warn` receives a warning, and the next change causes another attempt.
    """
    workspace.keep_compact()
    workspace.release_memory_when_idle()
    _refresh(workspace, announce, warn)
    stop = stop or threading.Event()
    while not stop.is_set():
        _follow(workspace, watched_folders(workspace), announce, warn, stop)


def _follow(
    workspace: Workspace,
    folders: list[Path],
    announce: Callable[[IndexReport], None],
    warn: Callable[[str], None],
    stop: threading.Event,
) -> None:
    """Refresh the index after every change in the folders, until the watched folders change."""
    is_in_force = False
    for changed in _changes(folders, stop):
        if all(path.is_relative_to(workspace.data_dir) for path in changed) and (changed or is_in_force):
            continue
        is_in_force = True  # this refresh includes changes between the last refresh and the start of the watch
        _refresh(workspace, announce, warn)
        if watched_folders(workspace) != folders:
            return


def _changes(folders: list[Path], stop: threading.Event) -> Iterator[list[Path]]:
    """Yield the changed paths in the folders, and an empty list after each second without changes.

    Ends if a folder does not exist at the start. Raises WorkspaceError if the folders cannot be watched.
    """
    from watchfiles import watch

    try:
        for changed in watch(
            *folders,
            watch_filter=None,
            debounce=MAX_DELAY,
            step=QUIET,
            recursive=False,
            stop_event=stop,
            rust_timeout=SETTING_UP,
            yield_on_timeout=True,
        ):
            yield [Path(path) for _, path in changed]
    except FileNotFoundError:
        return
    except OSError as error:
        why = str(error).split(" about ")[0].rstrip(".")
        raise WorkspaceError(
            f"The {len(folders):,} folders of {folders[0]} cannot be watched: {why}. Where the system allows too few watches, "
            "raise their number (on Linux, fs.inotify.max_user_watches); without a watch, every request looks for changes itself."
        ) from error


def watched_folders(workspace: Workspace) -> list[Path]:
    """Return the root, every folder above a source file and, up to `MAX_FOLDERS`, other folders that are not ignored."""
    from ...ingest.files.discovery import discover

    found = discover(workspace.root, workspace.settings)
    folders = _folders_of(file.relative_path for file in found.files)
    if len(found.folders) <= MAX_FOLDERS:
        folders.update(PurePosixPath(folder) for folder in found.folders)
    return [workspace.root / folder for folder in sorted(folders)]


def _folders_of(paths: Iterable[str]) -> set[PurePosixPath]:
    folders = {PurePosixPath()}
    for path in paths:
        for folder in PurePosixPath(path).parents:
            if folder in folders:
                break
            folders.add(folder)
    return folders


def _refresh(workspace: Workspace, announce: Callable[[IndexReport], None], warn: Callable[[str], None]) -> None:
    try:
        report = workspace.index()
    except NothingToIndex as error:
        warn(str(error))
    except AstrolabeError as error:
        warn(f"{error} The next change tries again.")
    else:
        if report.outcome != "unchanged":
            announce(report)
