"""Run the statements of a chain, and compute sets that Cypher cannot select, such as cycles and dead code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ....graphdb.queries.symbols import greatest_depth
from ....graphdb.scopes.conditions import Resolver
from ....graphdb.scopes.fields import COLUMNS, FIELDS, KEYS, TABLES
from ....graphdb.scopes.plan import Given, Kind, Plan, Step
from ....graphdb.scopes.statement import Statement, count_of, first_of_many, keys_of, kind_after, offsets_of, rows_of
from ....graphdb.symbols.id_batches import rows_for_ids
from .rows import key_of

if TYPE_CHECKING:
    from ....graphdb.database import GraphDatabase
    from ..requests.answering_index import AnsweringIndex
    from .scope import Scope


#: Maximum number of nodes that are looked up one by one, by their keys.
MAX_LOOKED_UP = 200


class Nothing(msgspec.Struct, frozen=True, rename="camel"):
    """The reason why a chain has no result."""

    #: The first part of the chain without nodes.
    after: str
    #: none: the code has no such nodes. unresolved: unknown nodes may exist. filtered: no node matches the filter. absent: the
    #: first node of the chain does not exist.
    reason: str
    message: str


class Written(msgspec.Struct, frozen=True):
    """The text of a call in a chain, and the number of operations of the chain up to this call."""

    text: str
    operations: int


Builder = Callable[[Resolver], Statement]


class Selected(NamedTuple):
    """The rows of a scope for which a function in Python returns true."""

    scope: Scope[Any]
    predicate: Callable[[Any], object]

    def keys(self, runner: Runner) -> list[str]:
        """Return the keys of the rows."""
        return [key_of(row) for row in self.scope.listed_by(runner) if self.predicate(row)]


class Runner:
    """Runs the statements of one chain on one generation. A set that is not in the graph is computed once."""

    def __init__(self, workspace: AnsweringIndex, graph: GraphDatabase) -> None:
        self._workspace = workspace
        #: The graph of the generation.
        self.graph = graph
        self._known: dict[Given, Sequence[str]] = {}

    def run(self, build: Builder) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""
        text, parameters = build(self)
        return self.graph.query(text, parameters, timeout=self._workspace.settings.query_timeout).rows

    def rows(self, plan: Plan) -> list[tuple[Any, ...]]:
        """Return the rows of a chain, with the default columns of the kind of its last nodes.

        In a large graph, the statement of the chain returns internal offsets, and the first nodes are looked up by their keys.
        """
        from ....graphdb.symbols.symbol_order import OrderUse, SymbolOrder

        first = first_of_many(plan, MAX_LOOKED_UP)
        if first is None or not self.graph.once(OrderUse).pays():
            return self.run(lambda resolve: rows_of(plan, resolve))
        before, limit, skipped = first
        text, parameters = offsets_of(before, self)
        found = self.graph.query_columns(text, parameters, timeout=self._workspace.settings.query_timeout)
        ids = self.graph.once(SymbolOrder).first(found.column(0).to_numpy(), limit, skipped)
        rows = node_rows(self.graph, kind_after(plan), ids)
        return [rows[key] for key in ids]

    def count(self, plan: Plan) -> int:
        """Return the number of nodes of a chain."""
        return int(self.run(lambda resolve: count_of(plan, resolve))[0][0])

    def keys(self, plan: Plan) -> list[str]:
        """Return the primary keys of the nodes of a chain."""
        return [key for (key,) in self.run(lambda resolve: keys_of(plan, resolve))]

    def paths(self, plan: Plan) -> list[str]:
        """Return the paths of a chain's nodes if these are files, else the paths of the files that declare the nodes."""
        return self.keys(plan if TABLES[kind_after(plan)] == "File" else plan.then(Step("file")))

    def members(self, given: Given) -> Sequence[str]:
        """Return the members of a set that is not in the graph."""
        if given not in self._known:
            if isinstance(given.argument, Selected):
                self._known[given] = given.argument.keys(self)
            else:
                from .given_sets import members_of

                self._known[given] = members_of(self._workspace, self.graph, given)
        return self._known[given]

    def symbol_depth(self) -> int:
        """Return the greatest depth of a symbol in the graph."""
        return greatest_depth(self.graph)

    def nothing(self, plan: Plan, written: Sequence[Written]) -> Nothing:
        """Return the reason why a chain has no nodes."""
        from .absence import nothing

        return nothing(self, plan, written)


def node_rows(graph: GraphDatabase, kind: Kind, keys: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """Return the default columns of nodes by their primary keys. Keys without a node are left out."""
    table, key, fields = TABLES[kind], KEYS[kind], FIELDS[kind]
    columns = ", ".join(fields[name].expression.format(n="n") for name in COLUMNS[kind])
    rows = rows_for_ids(graph, f"MATCH (n:{table}) WHERE n.{key} IN $ids RETURN n.{key} AS key, {columns}", keys)
    return {row[0]: row[1:] for row in rows}
