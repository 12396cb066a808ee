"""A scope: nodes of one kind, described by a chain. A scope is immutable, and its statement runs only when rows are needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import msgspec

from ....graphdb.scopes.fields import FIELDS, field_of, read_test
from ....graphdb.scopes.plan import (
    Combine,
    Condition,
    Exclude,
    Given,
    Hubs,
    Kind,
    Operation,
    Plan,
    Slice,
    Sort,
    Step,
    Test,
    Value,
    Where,
)
from ....graphdb.scopes.statement import Statement, check_joined, kind_after, only_filters, rows_of
from ....graphdb.scopes.steps import COMPOSED, check_step_depth, step_rule
from ....retrieval.text.linear_regex import compile_query
from ....schema.errors import UsageError
from ....schema.languages import names_of
from .arguments import natural, spelled, text_argument
from .connections import Groups, check_groups, check_paths, cycles, diamonds, edges_by, named, paths
from .entity_diagram import entity_diagram
from .forms import MAX_DIAGRAM_NODES, ScopeGraph, mermaid_of
from .graph_forms import edges_among, to_networkx
from .operations import operation
from .rows import ROWS
from .running import Nothing, Runner, Selected, Written
from .terminals import AnyRow, Rows

if TYPE_CHECKING:
    import networkx

    from ..requests.answering_index import AnsweringIndex

AnyScope = TypeVar("AnyScope", bound="Scope[Any]")
Result = TypeVar("Result")
#: For each kind of node, the class of its scopes.
_CLASSES: dict[Kind, type[Scope[Any]]] = {}


class Scope(Rows[AnyRow]):
    """Nodes of one kind. Methods that do not return rows return a new scope."""

    kind: Kind

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" in cls.__dict__:
            _CLASSES[cls.kind] = cls

    def __init__(self, workspace: AnsweringIndex, plan: Plan, written: tuple[Written, ...]) -> None:
        self._workspace = workspace
        self.plan = plan
        self._written = written

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.chain}>"

    @property
    def workspace(self) -> AnsweringIndex:
        """The workspace whose graph is queried."""
        return self._workspace

    @property
    def chain(self) -> str:
        """The chain as text."""
        return ".".join(part.text for part in self._written)

    @property
    def described(self) -> tuple[Plan, tuple[Written, ...]]:
        """The chain as a plan, and the text of its calls."""
        return self.plan, self._written

    @property
    def row_type(self) -> type[AnyRow]:
        """The type of the rows."""
        return ROWS[self.kind]  # type: ignore[return-value]

    # Filters

    @operation
    def filter(self, predicate: Callable[[AnyRow], object] | None = None, /, **filters: object) -> Self:
        """Keep nodes by their fields: `name="x"`, `lines__gt=200`, `kind__in=["class"]`, `name__matches="^get"`.

        In Python, a function of a row is possible, too: `filter(lambda row: len(row.name) < 3)`. Such a filter is slow, because
        it reads all rows of the scope.
        """
        found = self if predicate and not filters else self._same(Where(self._conditions(filters)), "filter", filters)
        if predicate is None:
            return found
        if not callable(predicate):
            raise UsageError(f"`filter` takes fields such as name='x', or in Python a function of a row, not {predicate!r}.")
        written = (*found._written, Written("filter(<function>)", len(found.plan.operations) + 1))
        chosen = Given("selected", Selected(found, predicate), "keys")
        return type(self)(self._workspace, found.plan.then(Where((chosen,))), written)

    @operation
    def exclude(self, **filters: object) -> Self:
        """Remove the nodes that match all given filters."""
        if not filters:
            raise UsageError("`exclude` needs a filter, such as exclude(kind='variable').")
        return self._same(Exclude(self._conditions(filters)), "exclude", filters)

    @operation
    def with_kind(self, *kinds: str) -> Self:
        """Keep nodes of some kinds, such as "class" or "method"."""
        return self._same(Where(self._conditions({"kind__in": list(kinds)})), "with_kind", kinds)

    # Order and limits

    @operation
    def sort(self, field: str, descending: bool = False) -> Self:
        """Order by a field. A later `sort` has priority."""
        if isinstance(field, str) and field.startswith("-"):
            raise UsageError(f"The largest come first with sort({field[1:]!r}, descending=true).")
        read_field(self.kind, field)
        if not isinstance(descending, bool):
            raise UsageError("`descending` is true or false.")
        return self._same(Sort(field, descending), "sort", (field, descending) if descending else (field,))

    @operation
    def limit(self, count: int) -> Self:
        """Keep the first `count` nodes."""
        return self._same(Slice(natural("limit", count), 0), "limit", (count,))

    @operation
    def offset(self, count: int) -> Self:
        """Skip the first `count` nodes."""
        return self._same(Slice(None, natural("offset", count)), "offset", (count,))

    # Set operations

    @operation
    def union(self, other: Self) -> Self:
        """Add the nodes of another scope of this kind, whose chain has only filters; the same as `a | b`."""
        return self._combined("union", other)

    @operation
    def intersect(self, other: Self) -> Self:
        """Keep the nodes that another scope of this kind also contains; the same as `a & b`."""
        return self._combined("intersect", other)

    @operation
    def minus(self, other: Self) -> Self:
        """Remove the nodes that another scope of this kind contains; the same as `a - b`."""
        return self._combined("minus", other)

    def __or__(self, other: Self) -> Self:
        return self.union(other)

    def __and__(self, other: Self) -> Self:
        return self.intersect(other)

    def __sub__(self, other: Self) -> Self:
        return self.minus(other)

    # Rows

    def to_list(self) -> list[AnyRow]:
        """Return a row for each node, in the order of the chain, or by path and line if the chain has no order."""
        return self._run(self.listed_by)

    def count(self) -> int:
        """Return the number of nodes, without reading the nodes."""
        return self._run(lambda runner: runner.count(self.plan))

    def first(self) -> AnyRow | None:
        """Return the first node, or None."""
        found = self.limit(1).to_list()
        return found[0] if found else None

    def explain(self) -> str:
        """Return the Cypher statement into which the chain is translated, followed by its parameters."""
        statement = self.statement()
        bound = msgspec.json.encode(statement.parameters).decode()
        return f"{statement.text}\n{bound}"

    def statement(self) -> Statement:
        """Return the Cypher statement into which the chain is translated."""
        return self._run(lambda runner: rows_of(self.plan, runner))

    def nothing(self) -> Nothing | None:
        """Return why the scope is empty; None if it has nodes."""
        return self._run(lambda runner: None if runner.count(self.plan) else runner.nothing(self.plan, self._written))

    def to_json(self) -> dict[str, Any]:
        """Return the rows with their fields in camelCase, their number and, for no rows, the reason."""

        def made(runner: Runner) -> dict[str, Any]:
            rows = self.listed_by(runner)
            found = {"query": self.chain, "kind": self.kind, "rows": msgspec.to_builtins(rows), "count": len(rows)}
            return found if rows else {**found, "nothing": msgspec.to_builtins(runner.nothing(self.plan, self._written))}

        return self._run(made)

    def absence(self) -> str:
        """Return a sentence that explains why the scope is empty; "" if it has nodes."""
        found = self.nothing()
        return found.message if found is not None else ""

    # Graphs

    def to_graph(self) -> ScopeGraph:
        """Return the nodes and the edges between them, with one statement for the nodes and one statement for the edges."""
        return self._run(self.graph_by)

    def to_networkx(self) -> networkx.MultiDiGraph:
        """Return the nodes and the edges between them as a NetworkX graph; the attributes of a node are its fields."""
        return to_networkx(self.to_graph())

    @operation
    def to_mermaid(self) -> str:
        """Return a flowchart of the nodes and the edges between them; for tables, an entity relationship diagram.

        Raises UsageError for more than 200 nodes.
        """

        def made(runner: Runner) -> str:
            nodes = self.listed_by(runner)
            if len(nodes) > MAX_DIAGRAM_NODES:
                raise UsageError(f"A diagram of {len(nodes):,} nodes cannot be read: add limit({MAX_DIAGRAM_NODES}) or filter.")
            return entity_diagram(runner, nodes) if self.kind == "table" else mermaid_of(self._graph_of(runner, nodes))

        return self._run(made)

    @operation
    def path_to(self, other: Self, by: str | list[str] = "", depth: int = 6, limit: int = 10) -> Groups[AnyRow]:
        """Return shortest paths to the nodes of another scope, the shortest first.

        `by` names the edges, or is a list of such names: calls, references, extends, overrides or types between symbols,
        imports between files, foreign_keys between columns, links or contains between sections, next between steps. The chains of
        both scopes must have only filters, such as `symbol("x")`.
        """
        edges = edges_by(self.kind, "path_to", by)
        if not isinstance(other, Scope):
            raise UsageError("`path_to` takes a scope, such as path_to(symbol('name')).")
        check_paths(depth, limit)
        found: list[tuple[AnyRow, ...]] = self._run(
            lambda runner: paths(runner, self.plan, other.plan, self.kind, edges, depth, limit)
        )
        message = f"No path of at most {depth} edges ({named(edges)}) leads from {self.chain} to {other.chain}."
        return Groups(found, lambda: self.nothing() or other.nothing() or Nothing(self.chain, "none", message))

    @operation
    def cycles(self, by: str | list[str] = "") -> Groups[AnyRow]:
        """Return the groups of nodes that reach each other along edges within the scope, the largest first.

        `by` names the edges as in `path_to`. A single node with an edge to itself does not count.
        """
        edges = edges_by(self.kind, "cycles", by)
        found = self._run(lambda runner: cycles(runner, self.plan, self.listed_by(runner), edges))
        message = f"The {self.kind}s of {self.chain} form no cycle of edges ({named(edges)})."
        return Groups(found, lambda: self.nothing() or Nothing(self.chain, "none", message))

    @operation
    def diamonds(self, by: str | list[str] = "", limit: int = 10) -> Groups[AnyRow]:
        """Return the diamonds whose upper node is in the scope: several middle nodes connect the upper node with the lower node.

        A diamond is the upper node, the middle nodes and the lower node; diamonds with the most middle nodes come first. `by`
        names the edges as in `path_to`.
        """
        edges = edges_by(self.kind, "diamonds", by)
        check_groups("diamonds", limit)
        found: list[tuple[AnyRow, ...]] = self._run(lambda runner: diamonds(runner, self.plan, self.kind, edges, limit))
        message = f"No {self.kind} of {self.chain} reaches another on several paths of two edges ({named(edges)})."
        return Groups(found, lambda: self.nothing() or Nothing(self.chain, "none", message))

    # How chains grow

    def begun(self, name: str, filters: dict[str, object]) -> Self:
        """Return the scope with filters added as arguments of its last call."""
        if not filters:
            return self
        return self._within_last_call(self._conditions(filters), f"{name}({spelled(filters)})")

    def chosen(self, name: str, condition: Condition, arguments: tuple[object, ...]) -> Self:
        """Return the scope with a condition from the arguments of its last call."""
        return self._within_last_call((condition,), f"{name}({spelled(arguments)})")

    def silently(self, keyword: str, value: object) -> Self:
        """Return the scope with a filter that its last call implies."""
        (condition,) = self._conditions({keyword: value})
        return self.marked(condition)

    def unless_named(self, fields: tuple[str, ...], filters: dict[str, object], keyword: str, value: object) -> Self:
        """Return the scope with a filter that its last call implies, unless filters of the call use one of the fields."""
        is_named = any(each.partition("__")[0] in fields for each in filters)
        return self if is_named else self.silently(keyword, value)

    def marked(self, condition: Condition) -> Self:
        """Return the scope with a condition that its last call implies."""
        return self._within_last_call((condition,), self._written[-1].text)

    def _within_last_call(self, conditions: tuple[Condition, ...], text: str) -> Self:
        """Return the scope with conditions added to its last call. The text of this call becomes `text`."""
        plan = self.plan.then(Where(conditions))
        return type(self)(self._workspace, plan, (*self._written[:-1], Written(text, len(plan.operations))))

    def _conditions(self, filters: dict[str, object]) -> tuple[Condition, ...]:
        return tuple(_checked(read_test(self.kind, keyword, value)) for keyword, value in filters.items())

    def _same(self, operation_: Operation, name: str, arguments: object) -> Self:
        plan = self.plan.then(operation_)
        part = Written(f"{name}({spelled(arguments)})", len(plan.operations))
        return type(self)(self._workspace, plan, (*self._written, part))

    def _step(self, name: str, depth: object = 1) -> AnyScope:  # type: ignore[type-var]  # the kind of the target decides
        """Return the scope after a step, or after the sequence of steps with this name."""
        plan = self.plan
        composed = COMPOSED.get(self.kind, {}).get(name)
        for each in composed or (name,):
            rule = step_rule(kind_after(plan), each)
            plan = plan.then(Step(each, 1 if composed else check_step_depth(name, depth, rule.repeats)))
        part = Written(f"{name}({spelled((depth,) if depth != 1 else ())})", len(plan.operations))
        return cast("AnyScope", _CLASSES[kind_after(plan)](self._workspace, plan, (*self._written, part)))

    def _filtered_step(self, name: str, filters: dict[str, object]) -> AnyScope:  # type: ignore[type-var]  # as `_step`
        """Return the scope after a step, with the filters of the call."""
        found: Scope[Any] = self._step(name)
        return cast("AnyScope", found.begun(name, filters))

    def _combined(self, how: str, other: object) -> Self:
        if not isinstance(other, Scope):
            raise UsageError(f"`{how}` takes a scope, not {type(other).__name__}.")
        check_joined(self.kind, other.kind)
        added = other.plan
        if other.kind != self.kind and not only_filters(added):
            added = added.then(Step("symbols" if self.kind == "symbol" else "file"))
        plan = self.plan.then(Combine(how, added))
        written = (*self._written, Written(f"{how}({other.chain})", len(plan.operations)))
        if how == "union" and only_filters(self.plan) and not only_filters(added):
            # The second part of a union may have only filters, so the parts are exchanged.
            plan = added.then(Combine(how, self.plan))
            written = (Written(f"{self.chain}.{how}({other.chain})", len(plan.operations)),)
        return type(self)(self._workspace, plan, written)

    def _hubs(self, step: str, limit: int) -> Self:
        step_rule(self.kind, text_argument("hubs", step))
        return self._same(Hubs(step, natural("limit", limit)), "hubs", (limit, step))

    def _kept(self, condition: Condition, name: str, arguments: tuple[object, ...]) -> Self:
        """Return the scope of the nodes that match a condition."""
        return self._same(Where((condition,)), name, arguments)

    def graph_by(self, runner: Runner) -> ScopeGraph:
        """Return the nodes and the edges between them, which `runner` reads."""
        return self._graph_of(runner, self.listed_by(runner))

    def _graph_of(self, runner: Runner, nodes: list[AnyRow]) -> ScopeGraph:
        return ScopeGraph(tuple(nodes), tuple(edges_among(runner, self.plan, nodes)))

    def listed_by(self, runner: Runner) -> list[AnyRow]:
        """Return the rows, which `runner` reads."""
        make: Callable[..., AnyRow] = self.row_type
        return [make(*row) for row in runner.rows(self.plan)]

    def paths(self) -> list[str]:
        """Return the paths of the nodes if these are files, else the paths of the files that declare the nodes."""
        return self._run(lambda runner: runner.paths(self.plan))

    def _run(self, work: Callable[[Runner], Result]) -> Result:
        """Run `work` on the up-to-date index. The workspace's `notify` receives notices about the index."""
        return self._workspace.analyse(lambda readers: work(Runner(self._workspace, readers.graph)))


def read_field(kind: Kind, name: str) -> None:
    """Raise UsageError unless nodes of a kind can be ordered by a field."""
    if not isinstance(name, str):
        raise UsageError(f"`sort` takes the name of a field, not {name!r}.")
    if not field_of(kind, name).is_ordered:
        known = ", ".join(field for field, each in FIELDS[kind].items() if each.is_ordered)
        raise UsageError(f"Nothing can be ordered by `{name}`. A {kind} is ordered by: {known}.")


def _checked(test: Test) -> Test:
    """Return a test with the name of a language as in the index. Raises an error for an invalid pattern."""
    if test.operator == "matches":
        compile_query(str(test.value), case_sensitive=True)
    if test.field == "language" and test.operator == "eq" and len(names := names_of(str(test.value))) > 1:
        return Test(test.field, "in", names)
    if test.field == "language" and test.operator == "eq":
        single: Value = names_of(str(test.value))[0]
        return Test(test.field, "eq", single)
    return test
