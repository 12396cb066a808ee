"""Tells an index from the files it was made of: which changed, came or went since.

Two steps, cheap before sure: a file whose time and size are those of its stamp is unchanged; only where the time alone differs
are its bytes hashed. The time is that of its last modification, or of the last change of its entry where that is later. A file
that was touched but not changed gets a new time in an overlay beside the generations, for a published generation is immutable,
and rebuilding one for a time would be waste.
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

#: File systems keep times in steps of up to 10 ms: a file that changes twice within one step keeps its time.
CLOCK_STEP = 10_000_000
#: Some keep whole seconds alone, in steps of two.
COARSE_UNIT = 1_000_000_000
COARSE_STEP = 2_100_000_000
#: How far clocks of one network may lie apart.
FAR = 3_600_000_000_000


@dataclass(frozen=True, slots=True)
class Freshness:
    """How the workspace differs from an index. Paths are relative and sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    #: New times, in nanoseconds, of files whose contents are unchanged.
    touched: tuple[tuple[str, int], ...] = ()
    #: Settings, installed packages or the version of Astrolabe differ.
    configuration_changed: bool = False
    #: Ignore rules, tsconfigs or manifests differ.
    rules_changed: bool = False
    #: Data files that came or went.
    data_files: tuple[str, ...] = ()

    @property
    def is_fresh(self) -> bool:
        """True when a new index would hold the same."""
        shaped = self.configuration_changed or self.rules_changed
        return not (self.added or self.changed or self.removed or shaped or self.data_files)

    @property
    def stale_files(self) -> tuple[str, ...]:
        """Paths that the index does not show as they are."""
        return tuple(sorted((*self.added, *self.changed, *self.removed)))


def compare(root: Path, files: Iterable[SourceFile], stamps: Iterable[FileStamp], later_times: dict[str, int]) -> Freshness:
    """Compares the files found now with the stamps of an index; `later_times` is the overlay of `TouchedTimes`."""
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
        # A file that could not be read has no hash, and becomes readable without a change of its time.
        elif content_hash(root / file.relative_path) != stamp.content_hash:
            changed.append(file.relative_path)
        elif file.changed != seen:
            touched.append((file.relative_path, file.changed))
    return Freshness(tuple(sorted(added)), tuple(sorted(changed)), tuple(sorted(known)), tuple(sorted(touched)))


def content_hash(path: Path) -> str:
    """SHA-256 of the file's bytes, hexadecimal; "" when it cannot be read."""
    try:
        with path.open("rb") as handle:
            return file_digest(handle, "sha256").hexdigest()
    except OSError:
        return ""


def settled_time(changed: int, seen_at: int) -> int:
    """The time to stamp a file with that was found with the time `changed` at `seen_at`, nanoseconds both.

    A file that changed just before it was seen may change again within the same step of the file system's clock, which
    then shows the same time. Such a file is stamped 0, so that the next comparison reads it. A time far in the future comes
    from a clock that was wrong, and no change from now on will show it again.
    """
    step = CLOCK_STEP if changed % COARSE_UNIT else COARSE_STEP
    return changed if changed < seen_at - step or changed > seen_at + FAR else 0


class _Overlay(msgspec.Struct):
    generation: int
    times: dict[str, int]


class TouchedTimes:
    """The overlay file: later modification times of files whose contents are as indexed. Written under the writer's lock."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "touched.json"

    def read(self, generation: int) -> dict[str, int]:
        """Times by path; empty when the overlay belongs to another generation or cannot be read, which only costs hashing."""
        try:
            overlay = msgspec.json.decode(self._path.read_bytes(), type=_Overlay)
        except (OSError, msgspec.DecodeError):
            return {}
        return overlay.times if overlay.generation == generation else {}

    def add(self, generation: int, touched: Iterable[tuple[str, int]]) -> None:
        """Adds times to what the overlay holds of this generation. The file is replaced atomically."""
        times = {**self.read(generation), **dict(touched)}
        draft = self._path.with_suffix(".tmp")
        draft.write_bytes(msgspec.json.encode(_Overlay(generation, times)))
        os.replace(draft, self._path)
