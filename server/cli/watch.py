"""Keeps an index up to date in the background: refreshes it whenever files of the workspace change.

Folders that no rule leaves out are watched, each by itself: a folder of packages would take more watches than the system gives.
Whatever is missed is found by the scan that every request makes anyway.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

from ...schema.errors import AstrolabeError, NothingToIndex, WorkspaceError
from ..api.workspace import Workspace
from ..indexing.indexer import IndexReport

#: Milliseconds of quiet after a change: an editor or a branch switch writes many files at once.
QUIET = 120
#: Longest milliseconds between two looks, should changes never end.
LONGEST = 1600
#: Milliseconds of silence after which a watch that was just set up is taken to be in force.
SETTING_UP = 1000
#: So many folders are watched besides those that lead to sources: where a system gives few watches, a user has 8,192.
MAX_FOLDERS = 4096


def watch_workspace(
    workspace: Workspace, tell: Callable[[IndexReport], None], warn: Callable[[str], None], stop: threading.Event | None = None
) -> None:
    """Refreshes the index now and after every change, until `stop` is set; each new generation is told.

    What goes wrong with one refresh is a warning: the next change tries again.
    """
    workspace.keep_compact()
    _refresh(workspace, tell, warn)
    stop = stop or threading.Event()
    while not stop.is_set():
        _follow(workspace, watched_folders(workspace), tell, warn, stop)


def _follow(
    workspace: Workspace,
    folders: list[Path],
    tell: Callable[[IndexReport], None],
    warn: Callable[[str], None],
    stop: threading.Event,
) -> None:
    """Refreshes the index after every change in some folders, until other folders are to be watched."""
    is_in_force = False
    for changed in _changes(folders, stop):
        if all(path.is_relative_to(workspace.data_dir) for path in changed) and (changed or is_in_force):
            continue
        is_in_force = True  # this look sees what changed after the last one and before the watch
        _refresh(workspace, tell, warn)
        if watched_folders(workspace) != folders:
            return


def _changes(folders: list[Path], stop: threading.Event) -> Iterator[list[Path]]:
    """What changes in some folders, and an empty list after each second of silence; ends when one of them is not there at first.

    Raises WorkspaceError.
    """
    from watchfiles import watch

    try:
        for changed in watch(
            *folders,
            watch_filter=None,
            debounce=LONGEST,
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
    """The root, every folder on the way from it to a source file, and others that no rule leaves out, unless they are many."""
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
