"""Connections between nodes of a scope: shortest paths, cycles and diamonds along chosen edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ....graphdb.scopes.fields import did_you_mean
from ....graphdb.scopes.plan import Kind, Plan
from ....graphdb.scopes.statement import diamonds_below, paths_between
from ....graphdb.scopes.steps import check_depth
from ....schema.errors import UsageError
from .arguments import natural
from .graph_forms import cycles_among, key_map
from .rows import Row, key_of

if TYPE_CHECKING:
    from .running import Nothing, Runner

AnyRow = TypeVar("AnyRow", bound=Row)

#: Edges that `path_to`, `cycles` and `diamonds` may follow, by name, for each kind of node.
EDGES: dict[Kind, dict[str, str]] = {
    "symbol": {
        "calls": "CALLS",
        "references": "REFERENCES",
        "extends": "EXTENDS|IMPLEMENTS",
        "overrides": "OVERRIDES",
        "types": "PARAM_TYPE|RETURN_TYPE|FIELD_TYPE",
    },
    "file": {"imports": "IMPORTS"},
    "column": {"foreign_keys": "FOREIGN_KEY"},
    "section": {"links": "MENTIONS", "contains": "CONTAINS"},
    "step": {"next": "NEXT_STEP"},
}
#: Maximum number of hops of a path.
MAX_PATH = 10
#: Maximum number of paths or diamonds in an answer.
MAX_GROUPS = 100


class Groups(list[tuple[AnyRow, ...]]):
    """A list of paths, cycles or diamonds, each with its rows. An empty list can explain why it is empty."""

    def __init__(self, groups: Sequence[tuple[AnyRow, ...]], why: Callable[[], Nothing]) -> None:
        super().__init__(groups)
        self._why = why

    def nothing(self) -> Nothing | None:
        """Return why there are no groups; None if there are some."""
        return None if self else self._why()


def edges_by(kind: Kind, operation: str, by: object) -> str:
    """Return the labels of edges for one or more names; "" means the first name of the kind. Raises UsageError."""
    known = EDGES.get(kind, {})
    if not known:
        raise UsageError(f"`{operation}` has no edges between nodes of the kind {kind}: ask their files or symbols.")
    if by == "":
        return next(iter(known.values()))
    names: list[object] = list(by) if isinstance(by, list | tuple) and by else [by]
    return "|".join(dict.fromkeys(_labels(known, name) for name in names))


def _labels(known: dict[str, str], name: object) -> str:
    if isinstance(name, str) and name in known:
        return known[name]
    near = did_you_mean(name, known) if isinstance(name, str) else f"There are: {', '.join(known)}."
    raise UsageError(f"`by` names no edges: {name!r}. {near}")


def named(edges: str) -> str:
    """Return the labels of edges as words of a sentence."""
    return " or ".join(edges.split("|"))


def check_paths(depth: object, limit: object) -> None:
    """Raise UsageError unless the maximum depth and number of paths are in their ranges."""
    check_depth("path_to", depth, MAX_PATH)
    check_groups("path_to", limit)


def check_groups(operation: str, limit: object) -> None:
    """Raise UsageError unless the maximum number of groups is in its range."""
    if not 1 <= natural("limit", limit) <= MAX_GROUPS:
        raise UsageError(f"`{operation}` takes a limit from 1 to {MAX_GROUPS}, not {limit!r}.")


def paths(runner: Runner, start: Plan, end: Plan, kind: Kind, edges: str, depth: int, limit: int) -> list[tuple[AnyRow, ...]]:
    """Return shortest paths between the nodes of two chains, the shortest first."""
    found = runner.run(lambda resolve: paths_between(start, end, edges, depth, limit, resolve))
    return _with_rows(runner, kind, [tuple(nodes) for nodes, _ in found])


def diamonds(runner: Runner, plan: Plan, kind: Kind, edges: str, limit: int) -> list[tuple[AnyRow, ...]]:
    """Return the upper node, the middle nodes, and the lower node of each diamond; diamonds with the most middle nodes come
    first.
    """
    found = runner.run(lambda resolve: diamonds_below(plan, edges, limit, resolve))
    return _with_rows(runner, kind, [(top, *sides, bottom) for top, bottom, sides in found])


def cycles(runner: Runner, plan: Plan, rows: Sequence[AnyRow], edges: str) -> list[tuple[AnyRow, ...]]:
    """Return the groups of nodes that reach each other, the largest first."""
    by_key = {key_of(row): row for row in rows}
    return [tuple(by_key[key] for key in group) for group in cycles_among(runner, plan, edges, list(by_key))]


def _with_rows(runner: Runner, kind: Kind, groups: list[tuple[str, ...]]) -> list[tuple[AnyRow, ...]]:
    rows: dict[str, AnyRow] = key_map(runner, kind, sorted({key for group in groups for key in group}))
    return [tuple(rows[key] for key in group) for group in groups]
