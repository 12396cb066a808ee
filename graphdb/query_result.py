"""The result of a Cypher query as plain Python values, with conversions for notebooks."""

from __future__ import annotations

from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import msgspec

from ..schema import ddl
from ..schema.errors import StoreError, UsageError

if TYPE_CHECKING:
    import networkx
    import pyarrow

_ARROW_NAMES = {"STRING": "string", "INT64": "int64", "INT32": "int32", "INT128": "int64", "BOOL": "bool_", "DOUBLE": "float64"}


class QueryResult(msgspec.Struct, frozen=True):
    """Columns and rows. Nodes and relationships are dictionaries of their properties, with `_id`, `_label`, `_src`, `_dst`."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    #: The engine's type of each column: STRING, INT64, INT64[], NODE, REL, RECURSIVE_REL …
    types: tuple[str, ...] = ()
    #: Number of rows of the whole result; more than `len(rows)` if the caller limited the rows.
    total_rows: int = 0

    @property
    def truncated(self) -> bool:
        """Whether rows were left out."""
        return self.total_rows > len(self.rows)

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table; nodes and relationships become structs. Raises StoreError if a column has no Arrow type."""
        import pyarrow

        try:
            arrays = [
                pyarrow.array(values, _arrow_type(kind)) for values, kind in zip(self._by_column(), self.types, strict=True)
            ]
        except (ValueError, TypeError, OverflowError) as error:
            raise StoreError(f"These results have no Arrow form: {error}") from error
        return pyarrow.Table.from_arrays(arrays, names=list(self.columns))

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame. Raises UsageError if pandas is not installed."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise UsageError("to_pandas needs pandas. Install it with: pip install 'astrolabe-code[notebook]'") from error
        return pandas.DataFrame.from_records(self.rows, columns=list(self.columns))

    def to_networkx(self) -> networkx.MultiDiGraph:
        """Return the nodes, relationships and paths in the result as one graph.

        The key of a node is "Label:primary key"; its attributes are `label` and its properties. The key of an edge is its label.
        An end that the result does not contain becomes a node without attributes, with the key "table:offset".
        """
        import networkx

        graph: Any = networkx.MultiDiGraph()
        nodes: dict[tuple[int, int], str] = {}
        rels: dict[tuple[int, int], dict[str, Any]] = {}
        for row in self.rows:
            for value, kind in zip(row, self.types, strict=True):
                for node in _nodes_in(value, kind):
                    nodes[_place(node["_id"])] = _add_node(graph, node)
                for rel in _rels_in(value, kind):
                    rels[_place(rel["_id"])] = rel
        for rel in rels.values():
            start, end = (nodes.get(_place(rel[side])) or "{}:{}".format(*_place(rel[side])) for side in ("_src", "_dst"))
            graph.add_edge(start, end, label=rel["_label"], **_attributes(rel))
        return cast("networkx.MultiDiGraph", graph)

    def _by_column(self) -> list[list[Any]]:
        return [[row[position] for row in self.rows] for position in range(len(self.columns))]


def plain_value(value: Any, kind: str) -> Any:
    """Return a value of the engine as a plain value that JSON can encode: integers as int, nodes with only their own
    properties.
    """
    if isinstance(value, Decimal) and kind == "INT128":
        return int(value)
    if isinstance(value, dict):
        if "_nodes" in value:
            return {part: [plain_value(item, "") for item in items] for part, items in value.items()}
        if "_label" in value:
            return _own_properties(value)
    return value


def _own_properties(record: dict[str, Any]) -> dict[str, Any]:
    # If a pattern matches several tables, the engine adds the properties of all these tables.
    table = ddl.all_tables().get(record["_label"])
    if table is None:
        return record
    own = {prop.name for prop in table.properties}
    return {name: value for name, value in record.items() if name in own or name.startswith("_")}


def _nodes_in(value: Any, kind: str) -> list[dict[str, Any]]:
    if not value:
        return []
    return [value] if kind == "NODE" else value["_nodes"] if kind == "RECURSIVE_REL" else []


def _rels_in(value: Any, kind: str) -> list[dict[str, Any]]:
    if not value:
        return []
    return [value] if kind == "REL" else value["_rels"] if kind == "RECURSIVE_REL" else []


def _add_node(graph: Any, node: dict[str, Any]) -> str:
    label = node["_label"]
    table = ddl.all_tables().get(label)
    own = node.get(table.primary_key) if table is not None and table.primary_key is not None else None
    key = f"{label}:{own}" if own is not None else "{}:{}".format(*_place(node["_id"]))
    graph.add_node(key, label=label, **_attributes(node))
    return key


def _attributes(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if not name.startswith("_")}


def _place(internal_id: dict[str, int]) -> tuple[int, int]:
    return internal_id["table"], internal_id["offset"]


def _arrow_type(kind: str) -> pyarrow.DataType | None:
    """Return the Arrow type of a column; None if Arrow should infer the type. Arrow cannot infer the type of an empty column."""
    import pyarrow

    if kind.endswith("[]"):
        element = _arrow_type(kind[:-2])
        return pyarrow.list_(element) if element is not None else None
    name = _ARROW_NAMES.get(kind)
    return getattr(pyarrow, name)() if name else None
