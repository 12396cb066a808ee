"""Keep files, databases and edges in memory between the updates of a long-lived process, within limits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ...schema.graph_content import GraphContent
from ...schema.records import Symbol
from ..data.schemas.edges import DataEdges
from ..data.schemas.file_data import LINES, FileData
from ..facts.cache import FactKey
from ..facts.model import FileFacts
from ..languages.registry import is_nominal
from ..languages.typescript.resolve.model.implied_exports import implied_exports
from ..resolution.nominal_files import outline_of
from ..workers.file_symbols import file_symbols
from .file_links import Links, declares_globals
from .nominal_surface import nominal_surface_of
from .surface import Surface, surface_of
from .taken_names import TakenImport

#: Maximum size of the code cells of all kept files, in bytes; decoded facts need about 13 times this memory.
MAX_CODE = 4 << 20
#: Maximum number of kept edges, of about 200 bytes each.
MAX_EDGES = 200_000
#: Maximum number of kept imports and imported names, of about 100 bytes each.
MAX_TAKEN = 200_000
#: Maximum number of tables, columns and constraints whose edges are kept, of about 1,000 bytes each.
MAX_PLACES = 50_000
#: Path of a file, and the key of its facts, which identifies its content.
FileVersion = tuple[str, FactKey]
#: The files with facts about data in one state of a repository.
DataState = tuple[FileVersion, ...]


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
    def data(self) -> FileData | None:
        """The facts about data, if there are any."""
        return FileData(self.facts.data, self.ids) if self.facts.data is not None else None

    @cached_property
    def surface(self) -> Surface:
        """Surface of the file."""
        if is_nominal(self.facts):
            return nominal_surface_of(self.facts, self.ids)
        implied = implied_exports(self.path, self.facts)
        return surface_of(self.facts, self.ids, is_script=declares_globals(self.path, self.facts), implied=implied)


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
        #: Files in the order of their last use, the least recently used first.
        self._files: dict[tuple[str, FactKey], KnownFile] = {}
        self._data: tuple[DataState, DataEdges] | None = None
        #: The files of the state in `_data`.
        self._data_files: dict[FileVersion, FileData] = {}
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

    def data_of(self, version: FileVersion) -> FileData | None:
        """Return the facts about data of a file, if they are kept."""
        known = self._data_files.get(version)
        if known is None and (file := self._files.get(version)) is not None:
            known = file.data
        return known

    def data_edges(self, state: DataState) -> DataEdges | None:
        """Return the last kept databases if they are valid for a state.

        They are also valid for another state if the differing files are kept and their facts about data have the same meaning.
        """
        if self._data is None or len(self._data[0]) != len(state):
            return None
        before, edges = self._data
        differing = [(old, new) for old, new in zip(before, state, strict=True) if old != new]
        if not all(old[0] == new[0] and self._mean_the_same(old, new, edges) for old, new in differing):
            return None
        for old, new in differing:
            found = self.data_of(new)
            self._data_files.pop(old, None)
            if found is not None:
                self._data_files[new] = found
        self._data = (state, edges)
        return edges

    def take_data_edges(self) -> DataEdges | None:
        """Return the last kept databases, which the caller alters in place, and forget them."""
        taken, self._data = self._data, None
        return taken[1] if taken is not None else None

    def _mean_the_same(self, before: FileVersion, now: FileVersion, edges: DataEdges) -> bool:
        old, new = self.data_of(before), self.data_of(now)
        return old is not None and new is not None and old.says_the_same(new, ignored_fields(now[0], edges))

    def keep_data_edges(self, state: DataState, edges: DataEdges, files: Mapping[FileVersion, FileData]) -> None:
        """Keep the databases of a state and its files, within the limit, instead of the previous state."""
        is_kept = edges.size <= self._max_places
        self._data = (state, edges) if is_kept else None
        self._data_files = dict(files) if is_kept else {}

    def links(self, generation: tuple[int, str]) -> Links | None:
        """Return the links of a generation, if they are the last kept links."""
        return self._links[1] if self._links is not None and self._links[0] == generation else None

    def edges(self, links: Links) -> Mapping[str, GraphContent]:
        """Return the kept edges of files in the generation with these links, by path."""
        return self._edges if self._links is not None and self._links[1] is links else {}

    def keep_links(self, generation: tuple[int, str], links: Links, edges: Mapping[str, GraphContent]) -> None:
        """Replace the kept links and edges by the links of a generation and the edges of some of its files."""
        self._links = (generation, links)
        self._edges = {}
        size = 0
        for path, content in edges.items():
            size += _size(content)
            if size <= self._max_edges:
                self._edges[path] = content

    def rename(self, generation: tuple[int, str], successor: tuple[int, str]) -> None:
        """Assign the links of a generation to the next generation. The next one has the same links but new edges."""
        if (links := self.links(generation)) is not None:
            self.keep_links(successor, links, {})


def ignored_fields(path: str, edges: DataEdges | None) -> frozenset[str]:
    """Return the fields of a file's facts about data that have no effect on other files, given the databases of a repository.

    Lines have an effect only if the file declares or changes one of the databases.
    """
    return LINES if edges is not None and path not in edges.files else frozenset()


def _names(imports: tuple[TakenImport, ...]) -> int:
    return 1 + sum(1 + len(taken.names) for taken in imports)


def _size(content: GraphContent) -> int:
    return sum(len(records) for field in content.__struct_fields__ if isinstance(records := getattr(content, field), list))
