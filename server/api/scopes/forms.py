"""Rows of a scope as Markdown, CSV, aligned text and Mermaid, with escaped texts of the repository."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from ....graphdb.query_result import QueryResult
from ..requests.query_rows import NOTEBOOK_ROWS, QueryRows
from .rows import FileRow, Row, SymbolRow, key_of, label_of

#: Maximum number of nodes of a readable diagram.
MAX_DIAGRAM_NODES = 200
#: Maximum length of a signature in a list, in characters.
_SIGNATURE = 120
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|])")
#: Fields without a column in tables for people.
_HIDDEN = ("id",)


class Edge(msgspec.Struct, frozen=True):
    """An edge between two nodes of a graph, by their keys."""

    start: str
    end: str
    #: Table of the edge.
    label: str


class ScopeGraph(msgspec.Struct, frozen=True):
    """The nodes of a scope and the edges between them."""

    nodes: tuple[Row, ...]
    edges: tuple[Edge, ...]

    def _repr_html_(self) -> str:
        """Return an interactive picture of the nodes and edges."""
        from ...display.graph_picture import PictureEdge, PictureNode, graph_html

        nodes = [PictureNode(key_of(row), _node_label(row), _group(row), label_of(row)) for row in self.nodes]
        return graph_html(nodes, [PictureEdge(edge.start, edge.end, edge.label) for edge in self.edges])


def table_of(rows: Sequence[Row], kind: type[msgspec.Struct], *, hidden: Sequence[str] = ()) -> QueryRows:
    """Return rows of a type as columns, in the order of their fields."""
    fields = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    chosen = [(field, name) for field, name in fields if field not in hidden]
    cells = [tuple(getattr(row, field) for field, _ in chosen) for row in rows]
    return QueryRows(tuple(name for _, name in chosen), cells, (), len(cells))


def typed_result(rows: Sequence[Row], kind: type[msgspec.Struct]) -> QueryResult:
    """Return rows as a result with the types of its columns, even if there are no rows."""
    engine = {str: "STRING", int: "INT64", bool: "BOOL"}
    fields = msgspec.structs.fields(kind)
    cells = [tuple(getattr(row, field.name) for field in fields) for row in rows]
    return QueryResult(tuple(field.name for field in fields), cells, tuple(engine[field.type] for field in fields), len(cells))


def text_of(rows: Sequence[Row]) -> str:
    """Return rows as aligned columns for people."""
    return table_of(rows, type(rows[0]), hidden=_HIDDEN).text if rows else ""


def html_of(rows: Sequence[Row], total: int) -> str:
    """Return the first rows as a table for a notebook. `rows` is not empty, and `total` is the number of all rows."""
    shown = rows[:NOTEBOOK_ROWS]
    table = table_of(shown, type(shown[0]), hidden=_HIDDEN)
    return QueryRows(table.columns, table.rows, (), total)._repr_html_()


def markdown_of(rows: Sequence[Row]) -> str:
    """Return a list with one line for each row."""
    return "\n".join(_line(row) for row in rows)


def _line(row: Row) -> str:
    if not isinstance(row, SymbolRow):
        return f"- {_escaped(label_of(row))}"
    scope = "exported" if row.exported else "internal"
    line = f"- **{_escaped(row.qualified_name)}** [{row.kind}] [{scope}] ({_escaped(row.path)}:{row.start_line})"
    signature = " ".join(row.signature.split()).replace("`", "'")
    if not signature:
        return line
    shown = signature if len(signature) <= _SIGNATURE else f"{signature[: _SIGNATURE - 1]}…"
    return f"{line}\n  `{shown}`"


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def mermaid_of(graph: ScopeGraph) -> str:
    """Return a flowchart."""
    keys = [key_of(node) for node in graph.nodes]
    names = {key: f"n{number}" for number, key in enumerate(keys)}
    lines = ["flowchart LR"] if keys else ["flowchart LR", "  %% The scope is empty."]
    lines += [f'  {names[key]}["{_quoted(_node_label(row))}"]' for key, row in zip(keys, graph.nodes, strict=True)]
    lines += [f"  {names[edge.start]} -->|{edge.label}| {names[edge.end]}" for edge in graph.edges]
    return "\n".join(lines)


def _node_label(row: Row) -> str:
    return row.qualified_name if isinstance(row, SymbolRow) else label_of(row)


def _group(row: Row) -> str:
    """Return the group of a node, which determines its color: its kind, or the language of a file."""
    if isinstance(row, FileRow):
        return row.language
    return row.kind if isinstance(row, SymbolRow) else type(row).__name__.removesuffix("Row").lower()


def _quoted(text: str) -> str:
    """Return a quoted text for Mermaid. Characters other than letters, digits and a few signs become numeric entities."""
    plain = " ".join(text.split())
    return "".join(
        character if character.isalnum() or character in " ./_-:$()," else f"#{ord(character)};" for character in plain
    )
