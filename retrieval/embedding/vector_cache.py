"""Cache costly vectors by their text, in one file to which writers append.

Each record has a fixed size: a hash of the text, and a vector as float16. After an interrupted write, the next writer removes the
incomplete record at the end.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .embedder import Vectors

_KEY_BYTES = 16


class VectorCache:
    """Vectors by text. Only one writer may use a file at a time."""

    def __init__(self, path: Path | None, dimensions: int) -> None:
        """Callers use `open` or `in_memory` instead."""
        self._path = path
        self._dimensions = dimensions
        self._record = np.dtype([("key", "u1", (_KEY_BYTES,)), ("vector", "<f2", (dimensions,))])
        self._vectors: dict[bytes, NDArray[np.float16]] = {}

    @classmethod
    def in_memory(cls, dimensions: int) -> VectorCache:
        """Return an empty cache without a file."""
        return cls(None, dimensions)

    @classmethod
    def open(cls, path: Path, dimensions: int) -> VectorCache:
        """Open the cache in a file. The file need not exist."""
        cache = cls(path, dimensions)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            rest = path.stat().st_size % cache._record.itemsize
            if rest:
                os.truncate(path, path.stat().st_size - rest)
            records = np.fromfile(path, cache._record)
            # A vector that is zero or not finite has no direction. Its record is removed, so that the vector is computed
            # again.
            cache._take(records[np.isfinite(records["vector"]).all(axis=1) & records["vector"].any(axis=1)])
        return cache

    @property
    def record_bytes(self) -> int:
        """Size of one record in the file, in bytes."""
        return self._record.itemsize

    def __contains__(self, text: str) -> bool:
        return _key(text) in self._vectors

    def __len__(self) -> int:
        return len(self._vectors)

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Add vectors of shape (len(texts), dimensions), and return when they are on disk. Raises OSError, and then adds none."""
        records = np.zeros(len(texts), self._record)
        records["key"] = np.frombuffer(b"".join(map(_key, texts)), np.uint8).reshape(-1, _KEY_BYTES)
        records["vector"] = vectors
        self._append(records.tobytes())
        self._take(records)

    def get(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of the texts, of shape (len(texts), dimensions). Raises KeyError for a text without a vector."""
        found = np.zeros((len(texts), self._dimensions), np.float32)
        for row, text in enumerate(texts):
            found[row] = self._vectors[_key(text)]
        return found

    def keep_only(self, texts: Iterable[str]) -> None:
        """Remove the vectors of all other texts, if these vectors are more than half of the file."""
        wanted = {key for key in map(_key, texts) if key in self._vectors}
        if self._path is None or 2 * len(wanted) >= len(self._vectors):
            return
        records = np.zeros(len(wanted), self._record)
        for row, key in enumerate(sorted(wanted)):
            records[row] = (np.frombuffer(key, np.uint8), self._vectors[key])
        draft = self._path.with_suffix(".tmp")
        draft.write_bytes(records.tobytes())
        os.replace(draft, self._path)
        self._vectors = {}
        self._take(records)

    def apart_from_file(self) -> VectorCache:
        """Return a copy of the cache in memory."""
        cache = VectorCache.in_memory(self._dimensions)
        cache._vectors = dict(self._vectors)
        return cache

    def _append(self, data: bytes) -> None:
        if self._path is None:
            return
        with self._path.open("ab", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            try:
                written = file.write(data)
                if written != len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))
                os.fsync(file.fileno())
            except OSError:
                os.truncate(self._path, end)  # an incomplete record would shift all later records
                raise

    def _take(self, records: NDArray[Any]) -> None:
        keys = records["key"].tobytes()
        for row, vector in enumerate(records["vector"]):
            self._vectors[keys[row * _KEY_BYTES : (row + 1) * _KEY_BYTES]] = vector


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()
