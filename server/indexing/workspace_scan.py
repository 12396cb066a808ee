"""Compare a workspace with its index: which files changed, and whether the index is damaged or outdated.

For an unchanged repository, only the folder tree and one manifest are read, and no parser and no database are loaded.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...graphdb.generations.generations import Generation, GenerationStore
from ...schema.errors import IndexCorrupt, IndexLocked, NothingToIndex, WorkspaceError
from ...schema.languages import BY_NAME
from ...schema.manifest import FileStamp
from ...schema.settings import Settings
from ...schema.version import __version__
from ..environment.folder_events import is_local
from ..environment.progress import ProgressListener
from .freshness import Freshness, TouchedTimes, compare, settled_time
from .quiet_workspace import QuietWorkspace
from .writer_lock import writer_lock

if TYPE_CHECKING:
    from ...ingest.files.discovery import Discovery, FolderRules
    from ...ingest.files.known_folders import KnownFolders
    from ...ingest.incremental.file_links import Links


class Seen(NamedTuple):
    """The files of the workspace at one moment."""

    discovery: Discovery
    #: Time before the first file was examined, in nanoseconds since the epoch.
    seen_at: int


@dataclass(frozen=True, slots=True)
class Scan:
    """A comparison of the workspace with its index."""

    discovery: Discovery
    #: None if there is no index, or if the index is damaged.
    generation: Generation | None
    freshness: Freshness
    #: The error that describes the damage of the stored index; None for an intact index.
    damage: IndexCorrupt | None
    #: Time before the first file was examined, in nanoseconds since the epoch.
    seen_at: int
    #: Whether the index has an older format.
    is_outdated: bool = False

    def stamps(self, links: Links) -> list[FileStamp]:
        """Return stamps with the times before reading and the hashes of the read contents, so that the next scan detects changes
        during the reading.
        """
        hashes = {path: entry.content_hash for path, entry in links.files.items()}
        return [
            FileStamp(file.relative_path, settled_time(file.changed, self.seen_at), file.size, hashes.get(file.relative_path, ""))
            for file in self.discovery.files
        ]

    def refuse_empty(self, root: Path) -> None:
        """Raise NothingToIndex if no file of the workspace can be indexed."""
        if self.discovery.files:
            return
        if self.discovery.supported_seen:
            shown = "; ".join(f"{item.path}: {item.reason}" for item in self.discovery.excluded[:3])
            more = f"; and {len(self.discovery.excluded) - 3:,} more" if len(self.discovery.excluded) > 3 else ""
            reason = f"every file of a supported language is excluded ({shown}{more})"
        else:
            reason = f"it holds no source file of a language that is read ({', '.join(BY_NAME)})"
        raise NothingToIndex(f"There is nothing to index in {root}: {reason}.")


class WorkspaceScanner:
    """Scans one workspace, and watches it from the second scan on, so that an unchanged one needs no scan. Not thread-safe."""

    def __init__(self, root: Path, data_dir: Path, settings: Settings, store: GenerationStore) -> None:
        self._root = root
        self._data_dir = data_dir
        self._settings = settings
        self._store = store
        self._touched = TouchedTimes(data_dir)
        self._quiet = QuietWorkspace(root, settings, store)
        #: Folders as the last scan found them, from the second scan on. Folders of other file systems are not kept.
        self._folders: KnownFolders[FolderRules] | None = None

    def scan(self, seen: Seen | None = None) -> Scan:
        """Compare the workspace with its index. Nothing is written. Raises IndexTooNew.

        `seen` are the files if they were just examined.
        """
        seen_at = time.time_ns() if seen is None else seen.seen_at
        discovery = self._discover() if seen is None else seen.discovery
        try:
            generation, damage = self._store.current(), None
        except IndexCorrupt as error:
            generation, damage = None, error
        if generation is None:
            added = tuple(sorted(file.relative_path for file in discovery.files))
            is_outdated = damage is None and self._store.current_number() is not None
            return Scan(discovery, None, Freshness(added=added), damage, seen_at, is_outdated)
        return Scan(discovery, generation, self._compare(discovery, generation), None, seen_at)

    def look(self, progress: ProgressListener, seen: Seen | None = None) -> Scan:
        """Scan, and record the new times of touched files if no file has new content."""
        progress("discover", 0, 0)
        if seen is None:
            self._quiet.before_scan()
        scan = self.scan(seen)
        fresh = scan.generation if scan.freshness.is_fresh else None
        if fresh is not None:
            self._record_touched(fresh, scan)
        if seen is None:
            self._quiet.after_scan(scan.discovery, fresh)
        return scan

    def quiet_generation(self) -> Generation | None:
        """Return the live generation if nothing changed since the last scan; None if that is not certain. Raises IndexTooNew."""
        try:
            return self._quiet.generation()
        except IndexCorrupt:
            return None  # a scan describes the damage

    def stored(self) -> Generation | None:
        """Return the generation that CURRENT names, written by any graph engine; None if there is none. Raises IndexTooNew."""
        try:
            return self._store.current()
        except IndexCorrupt:
            return None

    def is_of_this_engine(self, generation: Generation) -> bool:
        return generation.manifest.graph_engine == self._settings.graph_engine

    @staticmethod
    def digest(discovery: Discovery) -> str:
        """Return a digest of all data whose change requires a rebuild, such as the version of Astrolabe."""
        return f"{discovery.configuration_digest} {__version__}"

    def close(self) -> None:
        """Stop watching the workspace."""
        self._quiet.close()

    def _discover(self) -> Discovery:
        from ...ingest.files.discovery import discover

        found = discover(self._root, self._settings, self._folders)
        if self._folders is None and is_local(os.fsencode(self._root)):
            from ...ingest.files.known_folders import KnownFolders

            self._folders = KnownFolders()  # a command with one question keeps no folders
        return found

    def _compare(self, discovery: Discovery, generation: Generation) -> Freshness:
        manifest = generation.manifest
        files = compare(self._root, discovery.files, manifest.stamps, self._touched.read(generation.number))
        return replace(
            files,
            configuration_changed=(
                manifest.configuration_digest != self.digest(discovery) or not self.is_of_this_engine(generation)
            ),
            rules_changed=manifest.rules_digest != discovery.rules_digest,
            data_files=tuple(sorted(set(manifest.data_files).symmetric_difference(discovery.data_files))),
        )

    def _record_touched(self, generation: Generation, scan: Scan) -> None:
        """Record the new times of touched files. This only saves later hashing, and never waits for the lock."""
        settled = [(path, mtime) for path, mtime in scan.freshness.touched if settled_time(mtime, scan.seen_at)]
        if not settled:
            return
        with suppress(IndexLocked, WorkspaceError, OSError), writer_lock(self._data_dir):
            self._touched.add(generation.number, settled)
