"""Cache indexed files between answers. Agents request the same files repeatedly."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from threading import Lock

from .indexed_file import IndexedFile

#: Maximum number of bytes of text in the cache of one version of the index.
MAX_BYTES = 16 << 20


class SourceCache:
    """Caches indexed files, which never change. Threads may share a cache."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._most = max_bytes
        self._lock = Lock()
        #: Cached files by path, the least recently used first.
        self._kept: dict[str, IndexedFile] = {}
        self._bytes = 0

    def files(self, paths: Iterable[str], read: Callable[[Collection[str]], Iterable[IndexedFile]]) -> dict[str, IndexedFile]:
        """Return files by path; `read` reads files that are not cached."""
        wanted = set(paths)
        with self._lock:
            found = {path: self._kept.pop(path) for path in wanted if path in self._kept}
            self._kept.update(found)
        added = list(read(wanted - found.keys())) if len(found) < len(wanted) else []
        self._keep(added)
        return found | {file.relative_path: file for file in added}

    def take_over(self, other: SourceCache, besides: Iterable[str]) -> None:
        """Take over the files of another cache, except the files with the paths `besides`."""
        with other._lock:
            kept = other._kept.copy()
        for path in besides:
            kept.pop(path, None)
        self._keep(kept.values())

    def _keep(self, read: Iterable[IndexedFile]) -> None:
        with self._lock:
            for file in read:
                if file.relative_path not in self._kept:
                    self._kept[file.relative_path] = file
                    self._bytes += len(file.text)
            while self._bytes > self._most:
                oldest = self._kept.pop(next(iter(self._kept)))
                self._bytes -= len(oldest.text)
