"""Facts about a dbt project: the declarations of one file, and the relations that the file reads."""

from __future__ import annotations

import msgspec


class DbtProject(msgspec.Struct, array_like=True, gc=False):
    """A project: the file `dbt_project.yml`."""

    name: str
    #: Folders of models and snapshots, relative to the folder of the project.
    model_paths: list[str]
    snapshot_paths: list[str]
    seed_paths: list[str]


class DbtColumn(msgspec.Struct, array_like=True, gc=False):
    """A column of a relation, as YAML describes it."""

    name: str
    symbol: int
    line: int
    type: str = ""
    #: Whether a test or a constraint requires that values are not null.
    is_required: bool = False


class DbtNode(msgspec.Struct, array_like=True, gc=False):
    """A model, source, seed or snapshot that YAML describes, or a seed."""

    #: model, source, seed or snapshot.
    kind: str
    #: "" for a seed that is named after its CSV file.
    name: str
    #: Name of the source to which the table belongs; "" for other kinds.
    source: str
    symbol: int
    line: int
    columns: list[DbtColumn] = []


class DbtOutput(msgspec.Struct, array_like=True, gc=False):
    """An output column of a model's query, all columns of another relation, or unknown columns."""

    #: "" for all columns of a relation, and for unknown columns.
    name: str
    symbol: int
    line: int
    #: Name and source of the relation ("" for unknown columns), and the excluded columns.
    relation: str = ""
    source: str = ""
    without: list[str] = []


class DbtModel(msgspec.Struct, array_like=True, gc=False):
    """A model or a snapshot: a query whose rows form a view or a table."""

    #: "" if the name of the file is the name of the model.
    name: str
    symbol: int
    line: int
    #: The materialization, if the file sets it: view, table, incremental, ephemeral, …
    materialization: str
    #: The output columns of the query.
    outputs: list[DbtOutput] = []


class DbtFacts(msgspec.Struct, array_like=True):
    """All facts about a dbt project in a file."""

    project: DbtProject | None = None
    nodes: list[DbtNode] = []
    models: list[DbtModel] = []
