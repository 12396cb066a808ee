"""Results with the edges between the nodes of a scope: graphs and cycles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from ....graphdb.scopes.plan import Kind, Plan
from ....graphdb.scopes.statement import edges_within, kind_after
from .forms import Edge, ScopeGraph
from .rows import ROWS, Row, key_of
from .running import Runner, node_rows

if TYPE_CHECKING:
    import networkx

AnyRow = TypeVar("AnyRow", bound=Row)

#: Edges between nodes of each kind.
_BETWEEN: dict[Kind, str] = {
    "symbol": (
        "-[{r}:CALLS|REFERENCES|CONTAINS|HAS_METHOD|EXTENDS|IMPLEMENTS|OVERRIDES|PARAM_TYPE|RETURN_TYPE|FIELD_TYPE|WIRED"
        "|READS|MODIFIES|MAPS_TO|FOREIGN_KEY|MENTIONS|NEXT_STEP]->"
    ),
    "file": "-[{r}:IMPORTS]->",
    "module": "-[{r}:CONTAINS]->",
    "table": "<-[:COLUMN_OF]-(:Symbol)-[{r}:FOREIGN_KEY]->(:Symbol)-[:COLUMN_OF]->",
    "column": "-[{r}:FOREIGN_KEY|MAPS_TO]->",
    "section": "-[{r}:CONTAINS|MENTIONS]->",
    "step": "-[{r}:NEXT_STEP|CONTAINS]->",
}


def edges_among(runner: Runner, plan: Plan, nodes: Sequence[Row]) -> list[Edge]:
    """Return the edges between nodes, ordered by both ends and the label."""
    labels = _BETWEEN.get(kind_after(plan))
    if labels is None or not nodes:
        return []
    known = {key_of(node) for node in nodes}
    rows = runner.run(lambda resolve: edges_within(plan, labels, resolve))
    return sorted(
        (Edge(start, end, label) for start, end, label in rows if start in known and end in known),
        key=lambda edge: (edge.start, edge.end, edge.label),
    )


def cycles_among(runner: Runner, plan: Plan, labels: str, keys: Sequence[str]) -> list[list[str]]:
    """Return the groups of nodes that reach each other, the largest first. `keys` determines the order in a group."""
    import networkx

    places = {key: place for place, key in enumerate(keys)}
    rows = runner.run(lambda resolve: edges_within(plan, f"-[{{r}}:{labels}]->", resolve))
    graph: Any = networkx.DiGraph((start, end) for start, end, _ in rows if start in places and end in places)
    groups: Iterable[set[str]] = networkx.strongly_connected_components(graph)
    found = [sorted(group, key=places.__getitem__) for group in groups if len(group) > 1]
    return sorted(found, key=lambda group: (-len(group), places[group[0]]))


def key_map(runner: Runner, kind: Kind, keys: Sequence[str]) -> dict[str, AnyRow]:
    """Return rows by their keys."""
    return {key: cast("AnyRow", ROWS[kind](*row)) for key, row in node_rows(runner.graph, kind, keys).items()}


def to_networkx(graph: ScopeGraph) -> networkx.MultiDiGraph:
    """Return a graph. The attributes of a node are its fields, and the key of an edge is its label."""
    import networkx

    made: Any = networkx.MultiDiGraph()
    for node in graph.nodes:
        made.add_node(key_of(node), **msgspec.structs.asdict(node))
    for edge in graph.edges:
        made.add_edge(edge.start, edge.end, key=edge.label, label=edge.label)
    return cast("networkx.MultiDiGraph", made)
