"""What a process that lives on keeps from one update to the next: files as they were read, and edges, within bounds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ...schema.records import GraphContent
from ..facts.cache import FactKey
from ..facts.model import FileFacts
from ..files.path_roles import is_declaration_file
from ..workers.file_reading import file_symbols
from .file_links import Links
from .surface import Surface, surface_of
from .taken_names import TakenImport

#: Bytes of code cells of all files that are kept; decoded facts take about thirteen times as much memory.
MOST_CODE = 4 << 20
#: Edges that are kept, at some 200 bytes.
MAX_EDGES = 200_000
#: Imports and names taken from them that are kept, at some 100 bytes.
MAX_TAKEN = 200_000


class KnownFile:
    """A file as it was read, with what follows from that."""

    def __init__(self, path: str, facts: FileFacts) -> None:
        self.path = path
        self.facts = facts

    @cached_property
    def ids(self) -> list[str]:
        """The ids of its symbols, in their order."""
        return [symbol.id for symbol in file_symbols(self.path, self.facts.symbols)]

    @cached_property
    def surface(self) -> Surface:
        """What others see of it."""
        return surface_of(self.facts, self.ids, is_declaration_file=is_declaration_file(self.path))


class UpdateMemory:
    """Files that updates asked for, the last ones used, what those and many others take from their imports, and the edges that
    updates worked out. For one update at a time."""

    def __init__(self, most_code: int = MOST_CODE, most_edges: int = MAX_EDGES, most_taken: int = MAX_TAKEN) -> None:
        self._most = most_code
        self._most_edges = most_edges
        self._most_taken = most_taken
        self._taken = 0
        #: In the order in which they were asked for first.
        self._imports: dict[tuple[str, FactKey], tuple[TakenImport, ...]] = {}
        self._code = 0
        #: In the order of their last use, longest ago first.
        self._files: dict[tuple[str, FactKey], KnownFile] = {}
        self._links: tuple[tuple[int, str], Links] | None = None
        #: By path, of the generation of these links.
        self._edges: dict[str, GraphContent] = {}

    def file(self, path: str, key: FactKey) -> KnownFile | None:
        """A file with this content, if it is kept."""
        known = self._files.pop((path, key), None)
        if known is not None:
            self._files[path, key] = known
        return known

    def keep(self, key: FactKey, known: KnownFile) -> None:
        """Keep a file, and let go of those that were not used for longest."""
        if (known.path, key) not in self._files:
            self._code += len(known.facts.code)
        self._files[known.path, key] = known
        while self._code > self._most:
            oldest = next(iter(self._files))
            self._code -= len(self._files.pop(oldest).facts.code)

    def imports(self, path: str, key: FactKey) -> tuple[TakenImport, ...] | None:
        """What a file with this content takes from its imports, if that is kept."""
        return self._imports.get((path, key))

    def keep_imports(self, path: str, key: FactKey, imports: tuple[TakenImport, ...]) -> None:
        """Keep what a file takes from its imports, and let go of what was kept first."""
        self._imports[path, key] = imports
        self._taken += _names(imports)
        while self._taken > self._most_taken:
            self._taken -= _names(self._imports.pop(next(iter(self._imports))))

    def links(self, generation: tuple[int, str]) -> Links | None:
        """The links of the generation of a name, if they are those that were kept last."""
        return self._links[1] if self._links is not None and self._links[0] == generation else None

    def edges(self, links: Links) -> Mapping[str, GraphContent]:
        """The edges of some files of the generation that has these very links, by path."""
        return self._edges if self._links is not None and self._links[1] is links else {}

    def keep_links(self, generation: tuple[int, str], links: Links, edges: Mapping[str, GraphContent]) -> None:
        """Keep the links of the generation of a name, and the edges of some of its files, instead of those before."""
        self._links = (generation, links)
        self._edges = {}
        size = 0
        for path, content in edges.items():
            size += _size(content)
            if size <= self._most_edges:
                self._edges[path] = content

    def rename(self, generation: tuple[int, str], successor: tuple[int, str]) -> None:
        """The generation of a name was followed by one with the same links, and no edges that an update writes again."""
        if (links := self.links(generation)) is not None:
            self.keep_links(successor, links, {})


def _names(imports: tuple[TakenImport, ...]) -> int:
    return 1 + sum(1 + len(taken.names) for taken in imports)


def _size(content: GraphContent) -> int:
    return sum(len(records) for field in content.__struct_fields__ if isinstance(records := getattr(content, field), list))
