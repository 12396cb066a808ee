"""Run the statements of a chain, and compute sets that Cypher cannot select, such as cycles and dead code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ....graphdb.queries.symbols import greatest_depth
from ....graphdb.scopes.conditions import Resolver
from ....graphdb.scopes.fields import TABLES
from ....graphdb.scopes.plan import Given, Plan, Step
from ....graphdb.scopes.statement import Statement, count_of, keys_of, kind_after
from .rows import key_of

if TYPE_CHECKING:
    from ....graphdb.database import GraphDatabase
    from ..requests.answering_index import AnsweringIndex
    from .scope import Scope


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
