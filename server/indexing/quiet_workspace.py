"""Whether a workspace is still as the last scan found it, without another scan.

A scan examines each file, which takes a quarter of a second for 10,000 files. A process that scans a second time therefore
watches the folders that decide what a scan finds. While no event arrives, Git tracks the same files, and the same packages are
installed, a question needs no scan.

The folders are those that were read, and each excluded folder itself, in which package managers write their records and a first
source may appear. The folders of configuration files, and those in which a configuration file is missing, are watched, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...graphdb.generations.generations import Generation, GenerationStore
from ...ingest.files.configuration_digest import installation_digest, read_configuration
from ...ingest.files.git_index import TrackedPaths, tracked_paths
from ...schema.settings import Settings
from ..environment.folder_events import FolderEvents

if TYPE_CHECKING:
    from ...ingest.files.discovery import Discovery


class QuietWorkspace:
    """Knows whether a workspace changed since it was scanned. Not thread-safe."""

    def __init__(self, root: Path, settings: Settings, store: GenerationStore) -> None:
        self._root = os.path.realpath(root)
        self._settings = settings
        self._store = store
        #: Set by the second scan, so that a command with one question watches nothing.
        self._events: FolderEvents | None = None
        self._last: Discovery | None = None
        #: What Git tracked before the last scan. The folder of Git's index is not watched.
        self._tracked: TrackedPaths | None = None
        self._confirmed: _Confirmed | None = None

    def generation(self) -> Generation | None:
        """Return the live generation if it is certainly fresh without a scan. Raises IndexCorrupt and IndexTooNew."""
        confirmed = self._confirmed
        if confirmed is None or self._events is None or self._events.take() or not confirmed.holds(self._root, self._settings):
            self._confirmed = None
            return None
        generation = self._store.current()
        return generation if generation is not None and generation.number == confirmed.number else None

    def before_scan(self) -> None:
        """Note that a scan begins. Events from now on are events that the scan may have missed."""
        self._confirmed = None
        if self._last is not None:
            if self._events is None:
                self._events = FolderEvents()
                self._watch(self._last)
            self._last = None
        if self._events is not None:
            self._events.take()
            self._tracked = tracked_paths(self._root)

    def after_scan(self, discovery: Discovery, fresh: Generation | None) -> None:
        """Note what a scan found; `fresh` is the generation if it has the content of the workspace."""
        if self._events is None:
            self._last = discovery
        elif self._watch(discovery) and fresh is not None and self._tracked is not None:
            contents = ((path, read_configuration(self._root, path)) for path in discovery.configuration_files)
            known = {path: content for path, content in contents if content is not None}
            confirmed = _Confirmed(fresh.number, _identity(self._root), self._tracked, discovery.configuration_digest, known)
            self._confirmed = confirmed if confirmed.holds(self._root, self._settings) else None

    def close(self) -> None:
        """Stop watching."""
        self._confirmed = None
        if self._events is not None:
            self._events.close()

    def _watch(self, discovery: Discovery) -> bool:
        """Watch the folders of a scan. Returns whether all of them were watched before."""
        assert self._events is not None
        if not self._events.works:
            return False
        return self._events.watch(_folders(self._root, discovery)) and self._events.works


class _Confirmed(NamedTuple):
    """What a scan found while the folders were watched."""

    #: Number of the fresh generation.
    number: int
    #: Device and number of the root, which changes its path without an event if a folder around it is moved.
    identity: tuple[int, int] | None
    tracked: TrackedPaths
    configuration_digest: str
    #: Contents of the configuration files by path.
    known: dict[str, bytes]

    def holds(self, root: str, settings: Settings) -> bool:
        """Return whether the root is the same folder, Git tracks the same files, and the same packages are installed."""
        is_same = _identity(root) == self.identity and tracked_paths(root) is self.tracked
        return is_same and installation_digest(root, settings, self.known) == self.configuration_digest


def _folders(root: str, discovery: Discovery) -> Iterator[str]:
    """Yield the absolute paths of the folders that decide what the next scan finds, with repetitions."""
    for folder in discovery.folders:
        yield f"{root}/{folder}" if folder else root
    for exclusion in discovery.excluded:
        yield f"{root}/{exclusion.path}"
    places = {f"{root}/{path}" for path in (*discovery.configuration_files, *discovery.missing_configuration)}
    places |= {os.path.realpath(place) for place in places if os.path.islink(place)}
    for folder in {place.rpartition("/")[0] for place in places}:
        yield from _nearest(root, folder)


def _nearest(root: str, folder: str) -> Iterator[str]:
    """Yield a folder, where it leads to, and the folders around it in the workspace. A missing one is left out."""
    while folder and not os.path.isdir(folder):
        folder = folder.rpartition("/")[0]
    yield os.path.realpath(folder or "/")
    while folder.startswith(f"{root}/"):
        yield folder
        folder = folder.rpartition("/")[0]


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
