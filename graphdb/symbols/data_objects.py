"""Find the table or column that several symbols of one name mean: its declaration, models of it, and changes by migrations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...schema.records import Symbol
from ..database import GraphDatabase

#: Queries for omitted symbols: models whose table is also among the symbols, and dropped tables and columns.
_MAPPED: Final = "MATCH (m:Symbol)-[:MAPS_TO]->(t:Symbol) WHERE m.id IN $ids AND t.id IN $ids RETURN m.id"
_DROPPED: Final = "MATCH (t:Symbol)-[r:CHANGED_IN]->(:File) WHERE t.id IN $ids AND r.kind = 'dropped' RETURN t.id"
_DROPPED_WITH_TABLE: Final = (
    "MATCH (c:Symbol)-[:COLUMN_OF]->(:Symbol)-[r:CHANGED_IN]->(:File) WHERE c.id IN $ids AND r.kind = 'dropped' RETURN c.id"
)
#: Tables and columns that statements use, or that models map to, among symbols.
_USED: Final = "MATCH (:Symbol)-[r:READS|:MODIFIES|:MAPS_TO]->(t:Symbol) WHERE t.id IN $ids RETURN DISTINCT t.id"
_OF_SCHEMAS: Final = frozenset(("table", "view", "column"))


def only_data_object(graph: GraphDatabase, kinds: Mapping[str, str]) -> str | None:
    """Return the only table, view or column among some symbols, without models, alterations and dropped objects; else None.

    If several schema files define it, such as one for each database system, statements and models must use exactly one of them.
    `kinds` has the kinds of the symbols by id.
    """
    given = {"ids": sorted(kinds)}
    others = {row[0] for query in (_MAPPED, _DROPPED, _DROPPED_WITH_TABLE) for row in graph.rows(query, given)}
    left = [each for each, kind in kinds.items() if each not in others and kind != "alteration"]
    if len(left) > 1 and all(kinds[each] in _OF_SCHEMAS for each in left):
        used = {row[0] for row in graph.rows(_USED, given)}
        left = [each for each in left if each in used]
    return left[0] if len(left) == 1 and kinds[left[0]] in _OF_SCHEMAS else None


def sides_of_one(graph: GraphDatabase, symbols: Sequence[Symbol]) -> Sequence[str]:
    """Return the ids of a model or its attribute, and of the table or column that it maps to, if the symbols mean one of these.

    A migration in code declares the table inside of a class or function, so that its model is the outermost symbol.
    """
    found = only_data_object(graph, {symbol.id: symbol.kind for symbol in symbols})
    outermost = min((symbol.depth for symbol in symbols), default=0)
    if found is None or any(symbol.id == found and symbol.depth == outermost for symbol in symbols):
        return ()
    mapped = {row[0] for row in graph.rows(_MAPPED, {"ids": [symbol.id for symbol in symbols]})}
    return [*(symbol.id for symbol in symbols if symbol.id in mapped), found]
