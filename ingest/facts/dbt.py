"""Facts about a project of dbt: what a file of it declares, and what it reads."""

from __future__ import annotations

import msgspec


class DbtProject(msgspec.Struct, array_like=True, gc=False):
    """A project: the file `dbt_project.yml`."""

    name: str
    #: Folders of models, seeds and snapshots below that of the project.
    model_paths: list[str]
    seed_paths: list[str]
    snapshot_paths: list[str]


class DbtColumn(msgspec.Struct, array_like=True, gc=False):
    """A column of a relation, as YAML describes it."""

    name: str
    symbol: int
    line: int
    type: str = ""
    #: Whether a test or a constraint says that it is never null, and that its values differ.
    is_required: bool = False
    is_unique: bool = False
    description: str = ""


class DbtNode(msgspec.Struct, array_like=True, gc=False):
    """A model, source, seed or snapshot that YAML describes."""

    #: model, source, seed or snapshot.
    kind: str
    name: str
    #: Name of the source that the table belongs to; "" for others.
    source: str
    symbol: int
    line: int
    columns: list[DbtColumn] = []
    description: str = ""


class DbtOutput(msgspec.Struct, array_like=True, gc=False):
    """A column that the query of a model gives, all columns of another relation, or columns that are not known."""

    #: "" for all columns of a relation, and for what is not known.
    name: str
    symbol: int
    line: int
    #: Name and source of that relation, "" for what is not known, and its columns that are left out.
    relation: str = ""
    source: str = ""
    without: list[str] = []


class DbtModel(msgspec.Struct, array_like=True, gc=False):
    """A model or a snapshot: a query whose rows make a view or a table."""

    #: "" for the name of the file.
    name: str
    symbol: int
    line: int
    #: What the project makes of it if the file says so: view, table, incremental, ephemeral, …
    materialization: str
    #: What the query gives.
    outputs: list[DbtOutput] = []


class DbtFacts(msgspec.Struct, array_like=True):
    """Everything that a file says about a project of dbt."""

    project: DbtProject | None = None
    nodes: list[DbtNode] = []
    models: list[DbtModel] = []
