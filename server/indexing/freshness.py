"""Compare an index with the files of the workspace, and find changed, added and removed files.

A file with the time and size of its stamp is unchanged; if only the time differs, the bytes are hashed. The time is the later of
the times of the content and of the directory entry. An overlay file records the new times of touched but unchanged files, because
a published generation is immutable.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from ...ingest.files.discovery import SourceFile
    from ...schema.manifest import FileStamp

#: Nanoseconds. File systems store times in steps of up to 10 ms. A file that changes twice within a step keeps its time.
CLOCK_STEP = 10_000_000
#: Nanoseconds. Some file systems store only whole seconds.
COARSE_UNIT = 1_000_000_000
#: Nanoseconds. File systems that store whole seconds may have steps of two seconds.
COARSE_STEP = 2_100_000_000
#: Nanoseconds by which clocks in one network may differ.
FAR = 3_600_000_000_000


@dataclass(frozen=True, slots=True)
class Freshness:
    """The differences between the workspace and an index. Paths are relative and sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    #: Files with unchanged contents and their new times in nanoseconds.
    touched: tuple[tuple[str, int], ...] = ()
    #: Whether settings, installed packages or the version of Astrolabe differ.
    configuration_changed: bool = False
    #: Whether ignore rules, tsconfigs or manifests differ.
    rules_changed: bool = False
    #: Data files that were added or removed.
    data_files: tuple[str, ...] = ()

    @property
    def is_fresh(self) -> bool:
        """Whether a new index would have the same content."""
        shaped = self.configuration_changed or self.rules_changed
        return not (self.added or self.changed or self.removed or shaped or self.data_files)

    @property
    def stale_files(self) -> tuple[str, ...]:
        """Paths of the files that were added, changed or removed."""
        return tuple(sorted((*self.added, *self.changed, *self.removed)))


def compare(root: Path, files: Iterable[SourceFile], stamps: Iterable[FileStamp], later_times: dict[str, int]) -> Freshness:
    """Compare the current files with the stamps of an index; `later_times` is the overlay of `TouchedTimes`."""
    known = {stamp.relative_path: stamp for stamp in stamps}
    added, changed, touched = [], [], []
    for file in files:
        stamp = known.pop(file.relative_path, None)
        if stamp is None:
            added.append(file.relative_path)
        elif file.size != stamp.size:
            changed.append(file.relative_path)
        elif file.changed == (seen := later_times.get(stamp.relative_path, stamp.mtime)) and stamp.content_hash:
            continue
        # An unreadable file has no hash, and may become readable without a change of its time.
        elif content_hash(root / file.relative_path) != stamp.content_hash:
            changed.append(file.relative_path)
        elif file.changed != seen:
            touched.append((file.relative_path, file.changed))
    return Freshness(tuple(sorted(added)), tuple(sorted(changed)), tuple(sorted(known)), tuple(sorted(touched)))


def content_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal; "" for an unreadable file."""
    try:
        with path.open("rb") as handle:
            return file_digest(handle, "sha256").hexdigest()
    except OSError:
        return ""


def settled_time(changed: int, seen_at: int) -> int:
    """Return the time for the stamp of a file, from its time `changed` when it was seen at `seen_at`, in nanoseconds.

    A file that has just changed may change again within the same step of the file system's clock, and keep its time. Such a file
    has the stamp 0, so that the next comparison reads it. A time in the far future comes from a wrong clock, and is valid,
    because no later change will have the same time.
    """
    step = CLOCK_STEP if changed % COARSE_UNIT else COARSE_STEP
    return changed if changed < seen_at - step or changed > seen_at + FAR else 0


class _Overlay(msgspec.Struct):
    generation: int
    times: dict[str, int]


class TouchedTimes:
    """The overlay file: new times of files whose contents are unchanged. Written under the writer's lock."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "touched.json"

    def read(self, generation: int) -> dict[str, int]:
        """Return times by path; empty if the overlay is unreadable or for another generation. The files are then hashed again."""
        try:
            overlay = msgspec.json.decode(self._path.read_bytes(), type=_Overlay)
        except (OSError, msgspec.DecodeError):
            return {}
        return overlay.times if overlay.generation == generation else {}

    def add(self, generation: int, touched: Iterable[tuple[str, int]]) -> None:
        """Add times to the overlay of a generation. The file is replaced atomically."""
        times = {**self.read(generation), **dict(touched)}
        draft = self._path.with_suffix(".tmp")
        draft.write_bytes(msgspec.json.encode(_Overlay(generation, times)))
        os.replace(draft, self._path)
