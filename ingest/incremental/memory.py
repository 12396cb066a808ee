"""Keep files, databases and edges in memory between the updates of a long-lived process, within limits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ...schema.graph_content import GraphContent
from ...schema.records import Symbol
from ..data.schemas.edges import DataEdges
from ..facts.cache import FactKey
from ..facts.model import FileFacts
from ..languages.registry import is_nominal
from ..resolution.nominal_files import outline_of
from ..workers.file_symbols import file_symbols
from .file_links import Links, declares_globals
from .nominal_surface import nominal_surface_of
from .surface import Surface, surface_of
from .taken_names import TakenImport

#: Maximum size of the code cells of all kept files, in bytes; decoded facts need about 13 times as much memory.
MAX_CODE = 4 << 20
#: Maximum number of kept edges, of about 200 bytes each.
MAX_EDGES = 200_000
#: Maximum number of kept imports and imported names, of about 100 bytes each.
MAX_TAKEN = 200_000
#: Maximum number of tables, columns and constraints whose edges are kept, of about 1,000 bytes each.
MAX_PLACES = 50_000
#: The files with facts about data in one state of a repository, by their paths and contents.
DataState = tuple[tuple[str, FactKey], ...]


class KnownFile:
    """A file as it was read, with values derived from its facts."""

    def __init__(self, path: str, facts: FileFacts) -> None:
        self.path = path
        self.facts = facts

    @cached_property
    def outline(self) -> FileFacts:
        """The facts for TypeScript's engine."""
        return outline_of(self.facts)

    @cached_property
    def symbols(self) -> list[Symbol]:
        """The file's symbols."""
        return file_symbols(self.path, self.facts.symbols)

    @cached_property
    def ids(self) -> list[str]:
        """The ids of the file's symbols, in the order of the symbols."""
        return [symbol.id for symbol in file_symbols(self.path, self.facts.symbols)]

    @cached_property
    def surface(self) -> Surface:
        """Surface of the file."""
        if is_nominal(self.facts):
            return nominal_surface_of(self.facts, self.ids)
        return surface_of(self.facts, self.ids, is_script=declares_globals(self.path, self.facts))


class UpdateMemory:
    """Keeps the most recently used files, the imported names of these and many other files, the databases of models, and the
    edges that updates resolved.

    Only one update may use it at a time.
    """

    def __init__(
        self, max_code: int = MAX_CODE, max_edges: int = MAX_EDGES, max_taken: int = MAX_TAKEN, max_places: int = MAX_PLACES
    ) -> None:
        self._max_code = max_code
        self._max_edges = max_edges
        self._max_taken = max_taken
        self._max_places = max_places
        self._taken = 0
        #: Imports in the order in which they were kept.
        self._imports: dict[tuple[str, FactKey], tuple[TakenImport, ...]] = {}
        self._code = 0
        #: In the order of their last use, oldest first.
        self._files: dict[tuple[str, FactKey], KnownFile] = {}
        self._data: tuple[DataState, DataEdges] | None = None
        self._links: tuple[tuple[int, str], Links] | None = None
        #: Edges by path, for the generation of `_links`.
        self._edges: dict[str, GraphContent] = {}

    def file(self, path: str, key: FactKey) -> KnownFile | None:
        """Return the file at a path with this content, if the file is kept."""
        known = self._files.pop((path, key), None)
        if known is not None:
            self._files[path, key] = known
        return known

    def keep(self, key: FactKey, known: KnownFile) -> None:
        """Keep a file, and drop the least recently used files beyond the limit."""
        if (known.path, key) not in self._files:
            self._code += len(known.facts.code)
        self._files[known.path, key] = known
        while self._code > self._max_code:
            oldest = next(iter(self._files))
            self._code -= len(self._files.pop(oldest).facts.code)

    def imports(self, path: str, key: FactKey) -> tuple[TakenImport, ...] | None:
        """Return the imported names of a file with this content, if they are kept."""
        return self._imports.get((path, key))

    def keep_imports(self, path: str, key: FactKey, imports: tuple[TakenImport, ...]) -> None:
        """Keep the imported names of a file, and drop the oldest entries beyond the limit."""
        self._imports[path, key] = imports
        self._taken += _names(imports)
        while self._taken > self._max_taken:
            self._taken -= _names(self._imports.pop(next(iter(self._imports))))

    def data_edges(self, state: DataState) -> DataEdges | None:
        """Return the last kept databases if they are valid for a state.

        They are valid for another state, too, if the differing files are kept and have the same facts about data.
        """
        if self._data is None or len(self._data[0]) != len(state):
            return None
        if all(before == now or self._are_same(before, now) for before, now in zip(self._data[0], state, strict=True)):
            self._data = (state, self._data[1])
            return self._data[1]
        return None

    def _are_same(self, before: tuple[str, FactKey], now: tuple[str, FactKey]) -> bool:
        old, new = self._files.get(before), self._files.get(now)
        if before[0] != now[0] or old is None or new is None:
            return False
        return old.facts.data == new.facts.data and old.ids == new.ids

    def keep_data_edges(self, state: DataState, edges: DataEdges) -> None:
        """Keep the databases of a state instead of the previous ones, within the limit."""
        self._data = (state, edges) if edges.size <= self._max_places else None

    def links(self, generation: tuple[int, str]) -> Links | None:
        """Return the links of a generation, if they were kept last."""
        return self._links[1] if self._links is not None and self._links[0] == generation else None

    def edges(self, links: Links) -> Mapping[str, GraphContent]:
        """Return the kept edges of files in the generation with these links, by path."""
        return self._edges if self._links is not None and self._links[1] is links else {}

    def keep_links(self, generation: tuple[int, str], links: Links, edges: Mapping[str, GraphContent]) -> None:
        """Keep the links of a generation and the edges of some of its files, instead of the previous ones."""
        self._links = (generation, links)
        self._edges = {}
        size = 0
        for path, content in edges.items():
            size += _size(content)
            if size <= self._max_edges:
                self._edges[path] = content

    def rename(self, generation: tuple[int, str], successor: tuple[int, str]) -> None:
        """Assign the links of a generation to the next generation, which has the same links but new edges."""
        if (links := self.links(generation)) is not None:
            self.keep_links(successor, links, {})


def _names(imports: tuple[TakenImport, ...]) -> int:
    return 1 + sum(1 + len(taken.names) for taken in imports)


def _size(content: GraphContent) -> int:
    return sum(len(records) for field in content.__struct_fields__ if isinstance(records := getattr(content, field), list))
