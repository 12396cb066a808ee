"""Joins the requests of GraphQL clients with the fields of the schema that they select, by `WIRED` edges with the role "request".

A path such as `Query.boats.crew` is followed through the types of its fields. If several schemas declare a field, the schema
nearest to the request counts; if several are equally near, the field has no edge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ...schema.edges import Wiring
from ...schema.graph_content import GraphContent
from ..facts.api import ApiFacts, FieldUse, Operation, Protocol
from ..files.path_roles import is_test_path
from .routing import Sources, nearest

_FRAMEWORK: Final = "GraphQL"


class _Field(NamedTuple):
    """A field of a schema, with the file of the schema."""

    path: str
    operation: Operation


def field_edges(facts: Mapping[str, ApiFacts], sources: Sources) -> dict[str, GraphContent]:
    """Return the edges by the path of the file with the requests. `facts` contains only files with facts about APIs."""
    clients = {path: api.fields for path, api in facts.items() if api.fields}
    if not clients:
        return {}
    fields: dict[str, list[_Field]] = defaultdict(list)
    for path in sorted(facts):
        for each in facts[path].operations:
            if each.protocol == Protocol.GRAPHQL:
                fields[each.name].append(_Field(path, each))
    found = {}
    for path, uses in clients.items():
        edges = list(dict.fromkeys(_edges(path, uses, fields, sources)))
        if edges:
            found[path] = GraphContent(wirings=edges)
    return found


def _edges(path: str, uses: Iterable[FieldUse], fields: Mapping[str, Sequence[_Field]], sources: Sources) -> Iterator[Wiring]:
    #: The fields at the ends of paths from a type. The path of an outer field comes before the paths of its inner fields.
    ends: dict[tuple[str, str], _Field | None] = {}
    for use in uses:
        outer, _, name = use.path.rpartition(".")
        around = ends.get((use.root, outer)) if outer else None
        owner = use.root if not outer else around.operation.id if around is not None else ""
        end = ends[use.root, use.path] = _nearest(fields.get(f"{owner}.{name}", ()), path)
        if end is not None:
            from_id, to_id = sources.symbol_id(path, use.symbol), sources.symbol_id(end.path, end.operation.symbol)
            yield Wiring(from_id, to_id, _FRAMEWORK, "request", "text", end.operation.name, use.line, 1, False)


def _nearest(fields: Sequence[_Field], path: str) -> _Field | None:
    """Return the only field, or the field of the schema nearest to a request."""
    fields = [each for each in fields if not is_test_path(each.path)] or fields
    near = nearest(fields, path, lambda each: each.path)
    return near[0] if len(near) == 1 else None
