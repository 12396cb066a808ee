"""Rows of a Cypher query for people: a text table, CSV, and a table in a notebook."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from html import escape
from typing import Any, Self

from ....graphdb.query_result import QueryResult

#: Maximum width of a table cell in characters; longer values end in an ellipsis. JSON, CSV and `rows` contain whole values.
WIDEST_CELL = 80

#: Name of the only column of a plan.
_PLAN = "explain result"

#: Maximum number of rows that a notebook shows.
NOTEBOOK_ROWS = 100


class QueryRows(QueryResult, frozen=True):
    """A `QueryResult` with forms for display."""

    @classmethod
    def of(cls, result: QueryResult) -> Self:
        """Return the rows of a result."""
        return cls(result.columns, result.rows, result.types, result.total_rows)

    @property
    def plan(self) -> str | None:
        """The drawn plan from EXPLAIN or PROFILE; None for rows of a query."""
        return str(self.rows[0][0]) if self.columns == (_PLAN,) and self.rows else None

    @property
    def text(self) -> str:
        """Aligned columns under a header, then the number of shown rows and of all rows; or the plan."""
        if self.plan is not None:
            return self.plan
        cells = [[_cell(value) for value in row] for row in self.rows]
        widths = [max([len(title), *(len(row[at]) for row in cells)]) for at, title in enumerate(self.columns)]
        lines = [self.columns, ["-" * width for width in widths], *cells]
        body = "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
        return f"{body}\n({self._row_count})"

    @property
    def brief(self) -> str:
        """The rows in the shortest form, without alignment, for a program or a model; or the plan."""
        if self.plan is not None:
            return self.plan
        lines = [self.columns, *([_cell(value) for value in row] for row in self.rows)]
        return "\n".join([*(" | ".join(line) for line in lines), f"({self._row_count})"])

    @property
    def _row_count(self) -> str:
        shown = _count(len(self.rows))
        if not self.truncated:
            return shown
        return f"the first {shown} of {self.total_rows:,}; --json and --csv give all, a larger query_max_rows more"

    @property
    def csv(self) -> str:
        """CSV with a header; lists and nodes are JSON within a cell."""
        target = io.StringIO()
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_compact(value) if isinstance(value, list | dict) else value for value in row] for row in self.rows)
        return target.getvalue()

    def _repr_html_(self) -> str:
        """Return a picture of the nodes and relationships in the rows, and a table of the first rows.

        Every value is escaped, because a repository may contain hostile text.
        """
        if self.plan is not None:
            return f"<pre>{escape(self.plan)}</pre>"
        has_edges = any(kind in ("REL", "RECURSIVE_REL") for kind in self.types)
        if not self.rows or not has_edges:
            return self._table
        return f"{self._picture}<details><summary>Rows</summary>{self._table}</details>"

    @property
    def _picture(self) -> str:
        from ...display.graph_picture import PictureEdge, PictureNode, graph_html

        graph = self.to_networkx()
        nodes = [
            PictureNode(key, _node_name(key, node), node.get("kind") or node.get("label", ""), _node_title(key, node))
            for key, node in graph.nodes(data=True)
        ]
        return graph_html(nodes, [PictureEdge(start, end, edge["label"]) for start, end, edge in graph.edges(data=True)])

    @property
    def _table(self) -> str:
        head = "".join(f"<th>{escape(title)}</th>" for title in self.columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(_cell(value))}</td>" for value in row) + "</tr>" for row in self.rows[:NOTEBOOK_ROWS]
        )
        shown = min(len(self.rows), NOTEBOOK_ROWS)
        total = max(len(self.rows), self.total_rows)
        count = _count(total) if shown == total else f"The first {shown} of {_count(total)}."
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><p>{escape(count)}</p>"


def _count(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows:,} rows"


def _node_name(key: str, node: Mapping[str, Any]) -> str:
    """Return the label of a node in a picture: its qualified name, its name, the end of its path, or its key."""
    path = str(node.get("relativePath") or "").rpartition("/")[2]
    return str(node.get("qualifiedName") or node.get("name") or path or key)


def _node_title(key: str, node: Mapping[str, Any]) -> str:
    """Return the qualified name and the place of a node."""
    path, line = node.get("relativePath"), node.get("startLine")
    place = f" ({path}:{line})" if path and line else ""
    return f"{_node_name(key, node)}{place}" if place else str(path or key)


def _cell(value: object) -> str:
    """Return a value on one line, cut to `WIDEST_CELL` characters."""
    text = "" if value is None else _compact(value) if isinstance(value, list | dict) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= WIDEST_CELL else text[: WIDEST_CELL - 1] + "…"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
