"""Collects the relations of a dbt project: models and sources with their columns, and their descriptions in YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from ....schema.paths import parent_of, stem_of
from ...facts.data import DataFacts, ObjectName
from ...facts.dbt import DbtColumn, DbtModel, DbtNode, DbtProject
from ..schemas.mapped import MappedChange, MappedChanges, MappedSchema

FRAMEWORK: Final = "dbt"
#: Kinds of relations without a query.
_WITHOUT_QUERY: Final = ("source", "seed")
#: Maximum number of models in a chain where each model selects all columns of the next one.
_MAX_CHAIN: Final = 100


class _At(msgspec.Struct, gc=False):
    """A symbol with its line."""

    symbol: int
    line: int


class _Column(NamedTuple):
    """A column of a relation, and the place of its declaration."""

    name: str
    path: str
    at: _At
    type: str = ""
    is_required: bool = False


class _Model(NamedTuple):
    path: str
    model: DbtModel
    name: str


def dbt_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    """Return two databases for each project: one from its queries and sources, and one from its descriptions of models."""
    projects = {
        parent_of(path): data.dbt.project
        for path, data in sorted(facts.items())
        if data.dbt is not None and data.dbt.project is not None
    }
    members: dict[str, dict[str, DataFacts]] = {}
    for path, data in sorted(facts.items()):
        if data.dbt is not None and (folder := _folder(path, projects)) in projects:
            members.setdefault(folder, {})[path] = data
    return [
        schema
        for folder, files in members.items()
        for schema in _Project(folder, projects[folder], files).schemas()
        if schema.changes
    ]


def _folder(path: str, projects: Mapping[str, DbtProject]) -> str:
    """Return the folder of the innermost project around a file; the root if there is none."""
    folder = parent_of(path)
    while folder and folder not in projects:
        folder = parent_of(folder)
    return folder


class _Project:
    def __init__(self, folder: str, project: DbtProject, files: Mapping[str, DataFacts]) -> None:
        self._folder = folder
        self._project = project
        self._models: dict[str, _Model] = {}
        self._nodes: list[tuple[str, DbtNode]] = []
        for path, data in files.items():
            if data.dbt is None:
                continue
            self._nodes += [(path, node) for node in data.dbt.nodes]
            for model in data.dbt.models:
                name = model.name or stem_of(path)
                if self._holds_models(path):
                    self._models.setdefault(name.lower(), _Model(path, model, name))
        #: Sources and seeds, which have no query in the project, by source and name.
        self._given = {
            (node.source.lower(), node.name.lower()): (path, node)
            for path, node in self._nodes
            if node.kind in _WITHOUT_QUERY and node.name
        }
        #: The seeds whose CSV files are in the project. YAML describes some of them.
        self._seeds = {seed.name.lower(): (path, seed) for path, node in self._nodes if (seed := self._seed(path, node))}
        self._nodes = [(path, node) for path, node in self._nodes if node.name]
        self._given.update((("", name), seed) for name, seed in self._seeds.items())
        #: The columns of models that YAML describes, by lower-case name of the model.
        self._described_columns: dict[str, list[_Column]] = {}
        for path, node in self._nodes:
            if node.kind not in _WITHOUT_QUERY:
                columns = [_of_yaml(path, column) for column in node.columns]
                self._described_columns.setdefault(node.name.lower(), []).extend(columns)
        self._columns: dict[str, list[_Column]] = {}
        self._open: set[str] = set()

    def _seed(self, path: str, node: DbtNode) -> DbtNode | None:
        """Return a seed with its name and with what YAML says of its columns; None for other nodes."""
        if node.name or not self._is_in(path, self._project.seed_paths):
            return None
        name = stem_of(path)
        described = self._given.get(("", name.lower()))
        known = {column.name.lower(): column for column in described[1].columns} if described is not None else {}
        columns = []
        for column in node.columns:
            typed = known.get(column.name.lower(), column)
            columns.append(DbtColumn(column.name, column.symbol, column.line, typed.type, typed.is_required))
        return DbtNode(node.kind, name, node.source, node.symbol, node.line, columns)

    def _is_described(self, node: DbtNode) -> bool:
        """Return whether a node describes a relation that other files of the project declare."""
        return node.kind not in _WITHOUT_QUERY or (node.kind == "seed" and node.name.lower() in self._seeds)

    def _holds_models(self, path: str) -> bool:
        return self._is_in(path, (*self._project.model_paths, *self._project.snapshot_paths))

    def _is_in(self, path: str, folders: Sequence[str]) -> bool:
        inner = path[len(self._folder) :].strip("/") if self._folder else path
        return any(inner.startswith(f"{folder}/") for folder in folders)

    def schemas(self) -> Iterator[MappedSchema]:
        made = MappedChanges()
        for (source, _), (path, node) in self._given.items():
            table = ObjectName(node.name, source and node.source)
            made.create(path, "table", table, node.symbol, node.line)
            for column in node.columns:
                self._add(made, table, _of_yaml(path, column))
        for each in self._models.values():
            kind = "table" if each.model.materialization in ("table", "incremental") else "view"
            made.create(each.path, kind, ObjectName(each.name), each.model.symbol, each.model.line)
            for declared in self._columns_of(each.name, 0):
                self._add(made, ObjectName(each.name), declared)
        yield MappedSchema(FRAMEWORK, self._folder, list(made.all()), is_migrations=True)
        yield MappedSchema(FRAMEWORK, self._folder, list(self._described()))

    def _add(self, made: MappedChanges, table: ObjectName, column: _Column) -> None:
        made.column(column.path, table, column.at, column.name, column.type, nullable=not column.is_required)

    def _described(self) -> Iterator[MappedChange]:
        """Yield the models and snapshots that YAML describes, as a separate database."""
        made = MappedChanges()
        for path, node in self._nodes:
            if not self._is_described(node):
                continue
            made.create(path, "table" if node.kind == "seed" else "view", ObjectName(node.name), node.symbol, node.line)
            for column in node.columns:
                self._add(made, ObjectName(node.name), _of_yaml(path, column))
        return made.all()

    def _columns_of(self, name: str, depth: int) -> list[_Column]:
        """Return the columns of a model: the columns of its query, including all columns of a relation after `select *`.

        The symbol of a column from `select *` is its symbol in YAML, or else the symbol of the model. YAML adds columns to a
        query that is only partly known.
        """
        key = name.lower()
        if key in self._columns:
            return self._columns[key]
        if key in self._open or depth > _MAX_CHAIN:
            return []
        self._open.add(key)
        found: dict[str, _Column] = {}
        each = self._models[key]
        own = _At(each.model.symbol, each.model.line)
        is_whole = bool(each.model.outputs)
        for output in each.model.outputs:
            if output.name:
                found.setdefault(output.name.lower(), _Column(output.name, each.path, _At(output.symbol, output.line)))
                continue
            passed = self._passed(output.source, output.relation, depth)
            is_whole &= bool(passed)
            for column in passed:
                if column.name.lower() not in output.without:
                    found.setdefault(column.name.lower(), _Column(column.name, each.path, own, column.type))
        for described in self._described_columns.get(key, ()):
            known = found.get(described.name.lower())
            if known is None and not is_whole:
                found[described.name.lower()] = described
            elif known is not None and known.at == own:
                found[described.name.lower()] = described._replace(type=described.type or known.type)
            elif known is not None:
                typed = known._replace(type=described.type or known.type, is_required=described.is_required)
                found[described.name.lower()] = typed
        self._open.discard(key)
        self._columns[key] = list(found.values())
        return self._columns[key]

    def _passed(self, source: str, relation: str, depth: int) -> Sequence[_Column]:
        if not source and relation.lower() in self._models:
            return self._columns_of(relation, depth + 1)
        given = self._given.get((source.lower(), relation.lower()))
        return [_of_yaml(given[0], column) for column in given[1].columns] if given is not None else ()


def _of_yaml(path: str, column: DbtColumn) -> _Column:
    return _Column(column.name, path, _At(column.symbol, column.line), column.type, column.is_required)
