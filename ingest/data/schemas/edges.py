"""Compute the edges of data: between the tables of a repository, and from the code that uses the tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from ....schema.edges import DataMapping, DataUse, UnresolvedDataUse
from ....schema.graph_content import GraphContent
from ...facts.data import DataFacts, ModelQuery, Query
from .code_databases import schema_of_code
from .databases import Databases, Schema, SymbolIds
from .given_models import GivenModels
from .mapped import MappedSchema
from .model_uses import MappedTables
from .table_edges import TableEdges, empty_edges
from .tables import Place, Table, key_of
from .unknown_names import unknown_names


def data_edges(
    facts: Mapping[str, DataFacts],
    symbol_id: SymbolIds,
    mapped: Sequence[MappedSchema] = (),
    model_queries: Mapping[str, Sequence[ModelQuery]] = {},
) -> dict[str, GraphContent]:
    """Return the edges of data by the path of the file in which the edges begin.

    `mapped` has the databases of models, and `model_queries` the uses of models by code, by path.
    """
    made, given = DataEdges(facts, symbol_id, mapped), GivenModels(model_queries)
    found = {
        path: made.of(path, facts.get(path), symbol_id, given.filled(model_queries.get(path, ())))
        for path in sorted({*facts, *model_queries})
    }
    return {path: edges for path, edges in found.items() if edges is not None}


def digest_of(edges: GraphContent | None) -> bytes:
    """Return a digest of the data edges of a file. Equal edges have equal digests. The result is b"" if there are no edges."""
    return blake2b(msgspec.msgpack.encode(edges), digest_size=8).digest() if edges is not None else b""


class _Kept(NamedTuple):
    """The edges of a file whose statements use tables."""

    facts: DataFacts
    #: The names of the tables in lower case.
    names: frozenset[str]
    edges: GraphContent | None


class DataEdges:
    """The databases in one state of a repository, and the data edges of its files."""

    def __init__(
        self,
        facts: Mapping[str, DataFacts],
        symbol_id: SymbolIds,
        mapped: Sequence[MappedSchema],
        earlier: DataEdges | None = None,
    ) -> None:
        """`earlier` are the edges before a change, which have no other use afterwards."""
        self._databases: Databases = Databases(facts, symbol_id, mapped, earlier._databases if earlier is not None else None)
        #: The edges of files whose facts depend on the tables in their statements and on nothing else, with the facts.
        self._kept: dict[str, _Kept] = {}
        self._digests: dict[str, tuple[GraphContent, bytes]] = {}
        followed = earlier._tables.follow(self._databases, symbol_id) if earlier is not None else None
        self._tables: TableEdges
        if earlier is not None and followed is not None:
            self._tables = earlier._tables
            self._digests = earlier._digests
            paths, names = followed
            self._kept = {
                path: kept
                for path, kept in earlier._kept.items()
                if path not in paths and facts.get(path) is kept.facts and kept.names.isdisjoint(names)
            }
            return
        self._tables = TableEdges(self._databases, symbol_id)
        for schema in self._databases.every:
            if (original := self._databases.originals.get(id(schema))) is not None:
                self._mirror(schema, original)
        for table, same in self._databases.copies.items():
            self._mirror_table(table, same, "sql")
        for each in self._databases.of_models:
            self._entities(each, symbol_id)

    @property
    def size(self) -> int:
        """The number of tables, columns and constraints."""
        return len(self._tables.ids)

    @cached_property
    def files(self) -> frozenset[str]:
        """Paths of the files that declare or change the databases."""
        return frozenset(path for schema in self._databases.every for path in schema.files.paths)

    def of(self, path: str, facts: DataFacts | None, symbol_id: SymbolIds, queries: Sequence[ModelQuery]) -> GraphContent | None:
        """Return the edges of data that begin in a file, or None.

        `facts` are the facts about data of the file. They may be newer than the databases, if only unnamed statements changed.
        `queries` has the uses of models by calls in the file, with models in all slots.
        """
        if not queries and (facts is None or not (facts.queries or facts.written or facts.run_files or facts.embedded)):
            return self._tables.made.get(path)
        kept = self._kept.get(path)
        if kept is not None and kept.facts is facts and not queries:
            return kept.edges
        made = self._with_uses(path, facts, symbol_id, queries)
        if facts is not None and not queries and _uses_tables_only(facts):
            names = frozenset([use.name.name.lower() for query in facts.queries for use in query.uses])
            self._kept[path] = _Kept(facts, names, made)
        return made

    def digest(self, path: str, edges: GraphContent) -> bytes:
        """Return the digest of the edges of a file."""
        known = self._digests.get(path)
        if known is None or known[0] is not edges:
            known = self._digests[path] = (edges, digest_of(edges))
        return known[1]

    def _with_uses(
        self, path: str, facts: DataFacts | None, symbol_id: SymbolIds, queries: Sequence[ModelQuery]
    ) -> GraphContent | None:
        statements = facts.queries if facts is not None else ()
        schemas, uses = self._tables.made.get(path), self._statement_uses(path, facts, symbol_id, queries)
        unknown, results = self._unknown(path, facts, symbol_id), self._results(path, statements, symbol_id)
        if not uses and not unknown and not results:
            return schemas
        made = schemas if schemas is not None else empty_edges()
        mappings = [*made.data_mappings, *results]
        return msgspec.structs.replace(made, data_uses=uses, unresolved_data_uses=unknown, data_mappings=mappings)

    def _id(self, place: Place) -> str:
        return self._tables.ids[place]

    def _mirror(self, schema: Schema, original: Schema) -> None:
        """Join the tables of models or of a schema file with the tables from the migrations of the same database."""
        for key, table in schema.database.tables.items():
            other = original.database.tables.get(key)
            if other is None:
                continue
            self._mirror_table(table, other, schema.framework)

    def _mirror_table(self, table: Table, other: Table, framework: str) -> None:
        self._map(table.place, other.place, framework)
        for name, column in table.columns.items():
            if (same := other.columns.get(name)) is not None:
                self._map(column.place, same.place, framework)

    def _map(self, place: Place, other: Place, framework: str) -> None:
        start, end = self._id(place), self._id(other)
        if place != other and self._tables.is_new("map", start, end):
            self._tables.of(self._databases.paths[place.file]).data_mappings.append(DataMapping(start, end, framework, "name"))

    def _entities(self, of: MappedTables, symbol_id: SymbolIds) -> None:
        """Join the classes of models with the tables that other declarations create."""
        for entity in of.mapped.entities:
            table = of.tables.get(key_of(entity.table)) if entity.table is not None else None
            if not entity.is_separate or table is None or entity.symbol < 0:
                continue
            self._declare(entity.path, symbol_id(entity.path, entity.symbol), self._id(table.place), of.mapped.framework)
            for attribute in entity.attributes.values():
                column = table.columns.get(attribute.column.lower())
                if attribute.symbol >= 0 and column is not None and column.place != table.place:
                    own = symbol_id(entity.path, attribute.symbol)
                    self._declare(entity.path, own, self._id(column.place), of.mapped.framework)

    def _declare(self, path: str, start: str, end: str, framework: str) -> None:
        if self._tables.is_new("map", start, end):
            self._tables.of(path).data_mappings.append(DataMapping(start, end, framework, "declared"))

    # ------------------------------------------------------------------ uses

    def _statement_uses(
        self, path: str, facts: DataFacts | None, symbol_id: SymbolIds, queries: Sequence[ModelQuery]
    ) -> list[DataUse]:
        merged: dict[tuple[str, str, bool, str, str, str], set[int]] = defaultdict(set)
        for query in _queries_of(path, facts):
            start = symbol_id(path, query.symbol)
            for target, modifies in self._databases.of_query(path, query):
                dialect = self._databases.dialect(path, query, target)
                merged[start, self._id(target), modifies, query.statement, query.evidence, dialect].add(query.line)
        for written in facts.written if facts is not None else ():
            start = symbol_id(path, written.symbol)
            for found in self._databases.of_written(path, written):
                evidence = found.through or "declared"
                merged[start, self._id(found.place), found.modifies, written.statement, evidence, ""].add(written.line)
            for file, query in self._databases.named_in(path, written):
                for target, modifies in self._databases.of_query(file, query):
                    dialect = self._databases.dialect(file, query, target)
                    merged[start, self._id(target), modifies, query.statement, "name", dialect].add(written.line)
        for run in facts.run_files if facts is not None else ():
            start = symbol_id(path, run.symbol)
            file, statements = self._databases.of_file(path, run)
            for query in statements:
                for target, modifies in self._databases.of_query(file, query):
                    dialect = self._databases.dialect(file, query, target)
                    merged[start, self._id(target), modifies, query.statement, "name", dialect].add(run.line)
        for built in queries:
            for found in self._databases.of_calls(path, built):
                evidence = found.through or built.evidence
                merged[built.symbol, self._id(found.place), found.modifies, built.statement, evidence, ""].add(built.line)
            for place in self._databases.routines(path, built):
                end = symbol_id(self._databases.paths[place.file], place.symbol)
                merged[built.symbol, end, False, built.statement, built.evidence, ""].add(built.line)
            for file, query in self._databases.named(path, built):
                for target, modifies in self._databases.of_query(file, query):
                    dialect = self._databases.dialect(file, query, target)
                    merged[built.symbol, self._id(target), modifies, query.statement, "name", dialect].add(built.line)
            for file, query in self._databases.of_constants(built):
                for target, modifies in self._databases.of_query(file, query):
                    dialect = self._databases.dialect(file, query, target)
                    use = (built.symbol, self._id(target), modifies, query.statement)
                    if (*use, "name", dialect) not in merged:  # else the text is a copy of a named query in a file of SQL
                        merged[*use, "string", dialect].add(built.line)
        return [
            DataUse(start, end, modifies, statement, tuple(sorted(lines)), evidence, dialect)
            for (start, end, modifies, statement, evidence, dialect), lines in merged.items()
            if start != end
        ]

    def _results(self, path: str, statements: Sequence[Query], symbol_id: SymbolIds) -> list[DataMapping]:
        """Return the columns that statements of a file read into its declarations."""
        found = {
            (symbol_id(path, symbol), self._id(place), query.mapper)
            for query in statements
            for symbol, place in self._databases.results(path, query)
        }
        return [DataMapping(start, end, mapper, "name") for start, end, mapper in sorted(found) if start != end]

    def _unknown(self, path: str, facts: DataFacts | None, symbol_id: SymbolIds) -> list[UnresolvedDataUse]:
        """Return the tables and columns in statements of a file that no database contains."""
        merged: dict[tuple[str, str, str], set[int]] = defaultdict(set)
        for query, name, reason in unknown_names(self._databases, path, facts) if facts is not None else ():
            merged[symbol_id(path, query.symbol), name, reason].add(query.line)
        return [UnresolvedDataUse(*key, tuple(sorted(lines))) for key, lines in merged.items()]


def _uses_tables_only(facts: DataFacts) -> bool:
    """Return whether the edges of a file depend on the tables that its statements name, and on nothing else."""
    is_plain = facts.embedded is None and not facts.written and not facts.run_files
    return is_plain and not any(query.fragments for query in facts.queries)


def _queries_of(path: str, facts: DataFacts | None) -> Sequence[Query]:
    """Return the statements of a file, with those of the views and triggers that its strings define."""
    if facts is None:
        return ()
    schema = schema_of_code(path, facts)
    return facts.queries if schema is None else [*facts.queries, *schema.queries]
