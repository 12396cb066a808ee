"""Source text of chunks, kept between answers: agents ask about the same files again and again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from threading import Lock

from ...schema.source_regions import SourceTree
from .source_syntax import SourceSyntax

#: Text that is kept of one version of the table, in characters.
MAX_CHARACTERS = 8_000_000


@dataclass(frozen=True)
class ChunkSource:
    """The source lines of a chunk, from `start_line` on."""

    id: str
    relative_path: str
    start_line: int
    full_source: str

    def tree(self, syntax: SourceSyntax) -> SourceTree:
        """What nests in it, read once and kept with it."""
        found: SourceTree | None = self.__dict__.get("_tree")
        if found is None:
            found = self.__dict__["_tree"] = syntax.read(self.relative_path, self.full_source, self.start_line)
        return found


class SourceCache:
    """Keeps the sources of chunks that were read. Safe to share between threads; what it holds never changes."""

    def __init__(self, most_characters: int = MAX_CHARACTERS) -> None:
        self._most = most_characters
        self._lock = Lock()
        #: In the order of their last use, longest ago first.
        self._kept: dict[str, ChunkSource] = {}
        self._characters = 0

    def sources(
        self, ids: Collection[str], read_sources: Callable[[Collection[str]], Iterable[ChunkSource]]
    ) -> list[ChunkSource]:
        """The sources of chunks, in no order, those read that are not kept; ids without one are left out."""
        with self._lock:
            found = [self._kept.pop(id) for id in dict.fromkeys(ids) if id in self._kept]
            self._kept.update((source.id, source) for source in found)
        known = {source.id for source in found}
        missing = [id for id in dict.fromkeys(ids) if id not in known]
        read = list(read_sources(missing)) if missing else []
        self._keep(read)
        return found + read

    def take_over(self, other: SourceCache, besides: Iterable[str]) -> None:
        """Keep what another one has kept, besides the sources of some chunks."""
        with other._lock:
            kept = other._kept.copy()
        for id in besides:
            kept.pop(id, None)
        self._keep(kept.values())

    def _keep(self, read: Iterable[ChunkSource]) -> None:
        with self._lock:
            for source in read:
                if source.id not in self._kept:
                    self._kept[source.id] = source
                    self._characters += len(source.full_source)
            while self._characters > self._most:
                oldest = self._kept.pop(next(iter(self._kept)))
                self._characters -= len(oldest.full_source)
