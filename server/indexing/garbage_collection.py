"""Remove unneeded parts of a data folder, after each run or on demand."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...graphdb.generations.generations import Generation, GenerationStore
from ...schema.errors import IndexMissing, StoreError
from ..environment.past_places import PAST
from ..environment.worktrees import FACTS_FOLDER, related_caches
from ..stores.stored_vectors import vectors_folder

if TYPE_CHECKING:
    from ...ingest.facts.cache import FactCache, KnownPack
    from ...ingest.incremental.file_links import Links

NO_INDEX = "No index has been built here yet; run `astrolabe index`."


class Upkeep:
    """Keeps the data folder of one workspace small. The caller of each method except `cache` holds the writer's lock."""

    def __init__(self, root: Path, data_dir: Path, store: GenerationStore) -> None:
        self._root = root
        self._data_dir = data_dir
        self._store = store
        #: The entries of the cache of facts, so that each run reads only new entries; None before the first run.
        self._known_facts: KnownPack | None = None

    def cache(self) -> FactCache:
        """Return the facts of parsed files, including facts of other worktrees of the repository."""
        from ...ingest.facts.cache import FactCache, KnownPack

        self._known_facts = self._known_facts or KnownPack()
        return FactCache(self._data_dir / FACTS_FOLDER, related_caches(self._root), self._known_facts)

    def clear_up(self, cache: FactCache, links: Links, replaced: Generation | None, live: Generation) -> tuple[str, ...]:
        """Remove all files that the published generation and its links do not need.

        Returns notices about files that could not be removed. The next run tries again.
        """
        from ...ingest.languages.typescript.runtime_facts import runtime_key

        try:
            cache.collect([runtime_key(), *(entry.key for entry in links.files.values())])
            self._collect(replaced, live)
        except (StoreError, OSError) as error:
            return (f"The index is up to date, but old parts of it could not be removed: {error}",)
        return ()

    def tidy(self, live: Generation | None, sql_dialect: Sequence[str]) -> None:
        """Remove all files that neither readers nor later changes of the live generation need. Raises IndexMissing.

        `sql_dialect` is the setting of this name.
        """
        from ...ingest.facts.cache import FactKey
        from ...ingest.files.sql_dialects import SqlDialects
        from ...ingest.languages.typescript.runtime_facts import runtime_key
        from ...retrieval.vectors.chunk_table import ChunkTable
        from ...schema.languages import languages_of_indexed

        if live is None:
            raise IndexMissing(NO_INDEX)
        shutil.rmtree(self._data_dir / PAST, ignore_errors=True)
        self._store.collect()
        if self._store.numbers() == [live.number]:
            ChunkTable.collect(vectors_folder(self._data_dir), live.manifest.vectors_version)
        with self.cache() as cache:
            stamps = live.manifest.stamps
            dialects = SqlDialects(sql_dialect)
            named = (
                (stamp.content_hash, language, dialects.of(stamp.relative_path))
                for stamp in stamps
                for language in languages_of_indexed(Path(stamp.relative_path).name) or ("",)
            )
            cache.keep([runtime_key(), *(FactKey.of(*name) for name in named)])

    def _collect(self, replaced: Generation | None, live: Generation) -> None:
        """Remove generations without readers. The vectors of the replaced generation stay as long as it has a reader."""
        if replaced is None:
            self._store.collect()
            return  # the vector table then has only one version, and loading the engine would take a second
        from ...retrieval.vectors.chunk_table import ChunkTable

        replaced.release()
        oldest = live if replaced.number in self._store.collect() else replaced
        # The versions of a table begin with 1 again after a rebuild.
        version = min(oldest.manifest.vectors_version, live.manifest.vectors_version)
        ChunkTable.collect(vectors_folder(self._data_dir), version)
