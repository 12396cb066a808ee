"""The files of a repository before and after a change. A file is read when it is first needed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import cached_property

from ...schema.graph_content import GraphContent
from ...schema.records import Symbol
from ...schema.symbol_kinds import STATEMENTS
from ..data.schemas.edges import DataEdges, digest_of
from ..data.schemas.file_data import FileData
from ..data.schemas.given_models import MAX_SLOTS, GivenModels, arguments_of, slots_of
from ..facts.api import ApiFacts
from ..facts.cache import FactCache, FactKey
from ..facts.data import DataFacts, ModelQuery
from ..facts.model import FileFacts
from ..languages.mapped_schemas import mapped_schemas
from ..languages.registry import is_nominal
from ..languages.typescript.resolve.model.unit import Unit
from ..resolution.api_sources import BEGINNINGS, api_edges, constant_text
from ..workers.file_reading import FileRead
from .file_links import FileLinks, Links
from .memory import DataState, KnownFile, UpdateMemory, ignored_fields
from .nominal_imports import NominalImports
from .refusals import UpdateRefused
from .surface import Surface
from .taken_names import TakenImport, taken_imports


class FileStates:
    """The files in both states, and the edges in both states that depend on all files together."""

    def __init__(self, cache: FactCache, before: Links, memory: UpdateMemory) -> None:
        self._cache = cache
        self._before = before.files
        self._memory = memory
        #: The links of all files after the change, by path.
        self.links: dict[str, FileLinks] = {}
        self._files: dict[str, KnownFile] = {}

    def keep(self, read: FileRead) -> None:
        """Keep a new or changed file, for this update and the next one."""
        known = KnownFile(read.record.relative_path, read.facts)
        if read.record.content_hash:
            self._memory.keep(FactKey.of(read.record.content_hash, read.record.language, read.facts.sql_dialect), known)
        self._files[known.path] = known

    def before(self, path: str) -> KnownFile | None:
        """Return a file as it was before the change, or None if it is new."""
        links = self._before.get(path)
        return self._cached(path, links) if links is not None else None

    def after(self, path: str) -> KnownFile:
        """Return a file as it is after the change."""
        known = self._files.get(path)
        if known is None:
            known = self._files[path] = self._cached(path, self.links[path])
        return known

    def old_surface(self, path: str) -> Surface | None:
        """Return the earlier surface of a file, or None if it is new."""
        known = self.before(path)
        return known.surface if known is not None else None

    def facts(self, path: str) -> FileFacts:
        """Return the facts of a file."""
        return self.after(path).facts

    def outline(self, path: str) -> FileFacts:
        """Return the facts of a file for TypeScript's engine."""
        return self.after(path).outline

    def symbol_id(self, unit: Unit, symbol: int) -> str:
        """Return the id of a symbol."""
        return self.after(unit.path).ids[symbol]

    def imports(self, path: str) -> tuple[TakenImport, ...]:
        """Return the imports of a file with the imported names."""
        key = self.links[path].key
        known = self._memory.imports(path, key)
        if known is None:
            # The facts are released immediately, because hundreds of files may import one file, but few of them are affected.
            file = self._files.get(path) or self._memory.file(path, key)
            facts = file.facts if file is not None else self._kept_facts(path, key)
            known = NominalImports(facts).taken() if is_nominal(facts) else taken_imports(facts)
            self._memory.keep_imports(path, key, known)
        return known

    def changes_data(self, paths: Iterable[str]) -> bool:
        """Return whether new, changed or removed files may change the edges of data of other files."""
        states = (self._before, self.links)
        having = [path for path in paths if any(path in links and links[path].has_data for links in states)]
        if not having:
            return False
        edges = self._memory.data_edges(self._data_before)
        return any(self._differs_in_data(path, ignored_fields(path, edges)) for path in having)

    def _differs_in_data(self, path: str, ignored: Set[str]) -> bool:
        before, after = self.before(path), self.after(path) if path in self.links else None
        none = FileData(DataFacts(), [])
        old, new = ((known.data if known is not None else None) or none for known in (before, after))
        return not old.says_the_same(new, ignored)

    def data_after(self, paths: Iterable[str], queries: Mapping[str, Sequence[ModelQuery]]) -> dict[str, GraphContent]:
        """Return the edges of data of some files after the change, by path.

        `queries` has the uses of tables by calls of object mappers, by path.
        """
        using = [path for path in paths if self.links[path].has_data or path in queries]
        if not using:
            return {}
        state = self._data_now
        versions = {version[0]: version for version in state}

        def data_of(path: str) -> FileData | None:
            version = versions.get(path)
            return (self._memory.data_of(version) or self.after(path).data) if version is not None else None

        def symbol_id(path: str, symbol: int) -> str:
            data = data_of(path)
            if data is None:
                raise KeyError(path)
            return data.ids[symbol]

        edges = self._memory.data_edges(state)
        if edges is None:
            files = {version: data for version in state if (data := data_of(version[0])) is not None}
            facts = {path: data.facts for (path, _), data in files.items()}
            ids = {path: data.ids for (path, _), data in files.items()}
            earlier = self._memory.take_data_edges()
            edges = DataEdges(facts, lambda path, symbol: ids[path][symbol], mapped_schemas(facts), earlier)
            self._memory.keep_data_edges(state, edges, files)
        given = GivenModels({**_queries_of(self.links), **queries})
        found: dict[str, GraphContent] = {}
        for path in using:
            data = data_of(path)
            made = edges.of(path, data.facts if data is not None else None, symbol_id, given.filled(queries.get(path, ())))
            if made is not None:
                found[path] = made
        return found

    def given_other_models(self, paths: Collection[str], links: Mapping[str, FileLinks]) -> list[str]:
        """Return other files, with generic classes or parameters to which some files give other models than before.

        `links` are the links of all files after the calls of these files were read.
        """
        before = {each for path in (*paths, *self._removed) for each in arguments_of(_known_queries(self._before, path))}
        after = {each for path in paths for each in arguments_of(_known_queries(links, path))}
        changed = {slot for slot, _ in before ^ after}
        for _ in range(MAX_SLOTS if changed else 0):
            changed |= {slot for entry in links.values() for slot, (name, _) in arguments_of(entry.queries) if name in changed}
        own = set(paths)
        return [path for path, entry in links.items() if changed and path not in own and changed & slots_of(entry.queries)]

    @property
    def _removed(self) -> list[str]:
        return [path for path in self._before if path not in self.links]

    @cached_property
    def _data_before(self) -> DataState:
        return tuple(sorted([(path, entry.key) for path, entry in self._before.items() if entry.has_data]))

    # Read only after the links of all files are resolved.
    @cached_property
    def _data_now(self) -> DataState:
        known = {version[0]: version for version in self._data_before}
        having = [(path, entry) for path, entry in self.links.items() if entry.has_data]
        before = self._before
        return tuple(sorted([known[path] if before.get(path) is entry else (path, entry.key) for path, entry in having]))

    def differing_in_data(self) -> set[str]:
        """Return the files whose edges of data differ after the change, with the uses of tables from before the change."""
        queries = {path: links.queries for path, links in self.links.items() if links.queries}
        after = self.data_after(self.links, queries)
        edges = self._memory.data_edges(self._data_now)
        digest = edges.digest if edges is not None else lambda _, content: digest_of(content)
        return {
            path
            for path, links in self.links.items()
            if links.data_digest != (digest(path, after[path]) if path in after else b"")
        }

    def changes_apis(self, paths: Iterable[str]) -> bool:
        """Return whether new, changed or removed files may change the edges of contracts and clients.

        Any change of a file with a part of an API may change the edges. Changes of other files count only if declared symbols or
        resolved imports differ.
        """
        if not any(entry.api in BEGINNINGS for links in (self._before, self.links) for entry in links.values()):
            return False
        for path in paths:
            before, after = self._before.get(path), self.links.get(path)
            if before is None or after is None:
                if before is not after:
                    return True
            elif before is not after and _may_change_apis(before, self._cached(path, before), after, self.after(path)):
                return True
        return False

    def apis_before(self) -> dict[str, GraphContent]:
        """Return the edges from all contracts and requests to code before the change, by path of the contract or the client."""
        return api_edges(self._before, self._old_api, self._old_symbols)

    @cached_property
    def apis(self) -> dict[str, GraphContent]:
        """The edges from all contracts and requests to code after the change, by path of the contract or the client."""
        return api_edges(self.links, lambda path: self.after(path).facts.api, lambda path: self.after(path).symbols)

    def _old_api(self, path: str) -> ApiFacts | None:
        known = self.before(path)
        return known.facts.api if known is not None else None

    def _old_symbols(self, path: str) -> Sequence[Symbol]:
        known = self.before(path)
        return known.symbols if known is not None else ()

    def _cached(self, path: str, links: FileLinks) -> KnownFile:
        key = links.key
        known = self._memory.file(path, key)
        if known is None:
            known = KnownFile(path, self._kept_facts(path, key))
            self._memory.keep(key, known)
        return known

    def _kept_facts(self, path: str, key: FactKey) -> FileFacts:
        facts = self._cache.get(key)
        if facts is None:
            raise UpdateRefused(f"the cache has no facts of {path}")
        return facts


def _may_change_apis(old_links: FileLinks, old: KnownFile, new_links: FileLinks, new: KnownFile) -> bool:
    """Return whether two states of a file differ in what the edges of contracts may read: facts about APIs and declarations."""
    if any(getattr(old_links, field) != getattr(new_links, field) for field in ("declared", "resolved", "forwarded")):
        return True
    if old.facts.api != new.facts.api or _declared(old) != _declared(new):
        return True
    if new.facts.api is None:
        return False
    # Facts about APIs have indices of symbols, which are statements where code registers a route. Only the facts about functions
    # that are routes because of the path of their file lack the line.
    shorter = min(len(old.ids), len(new.ids))
    if old.ids[:shorter] != new.ids[:shorter]:
        return True
    return any(
        old.symbols[each].declaration_line != new.symbols[each].declaration_line for each in new.facts.api.methods.values()
    )


def _declared(file: KnownFile) -> list[tuple[str, str, str]]:
    return [(symbol.qualified_name, symbol.id, constant_text(symbol)) for symbol in file.symbols if symbol.kind not in STATEMENTS]


def _known_queries(files: Mapping[str, FileLinks], path: str) -> Sequence[ModelQuery]:
    return files[path].queries if path in files else ()


def _queries_of(files: Mapping[str, FileLinks]) -> dict[str, list[ModelQuery]]:
    """Return the known uses of tables by calls of object mappers, by path."""
    return {path: links.queries for path, links in files.items() if links.queries}
