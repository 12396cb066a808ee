"""Evaluate the tree of a chain to a scope. Each call is an operation of the previous scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ....graphdb.scopes.fields import did_you_mean
from ....schema.errors import UsageError
from .chain_text import Call, Chained, ChainError, Combined, Tree, chain_error, read_chain
from .commits import CommitScope
from .connections import Groups
from .kinds import repo_scope
from .operations import operations_of
from .rows import Row
from .scope import Scope

if TYPE_CHECKING:
    from ..requests.answering_index import AnsweringIndex
    from .forms import ScopeGraph

#: The result of a chain: a scope, or the result of its last operation.
Outcome: TypeAlias = (
    "Scope[Any] | CommitScope | int | bool | str | Row | list[Row] | list[tuple[Row, ...]] | dict[str, Any] | ScopeGraph | None"
)
#: Calls with which a chain begins.
BEGINNINGS = (
    "modules",
    "files",
    "file",
    "symbols",
    "symbol",
    "packages",
    "tables",
    "table",
    "columns",
    "docs",
    "doc",
    "sections",
    "workflows",
    "workflow",
    "endpoints",
    "commits",
    "commit",
)
#: Calls that end a chain and return objects of libraries. They exist only in Python. The values name the equivalents in text.
_IN_PYTHON = {
    "to_arrow": "`--csv` prints the rows as a table",
    "to_pandas": "`--csv` prints the rows as a table",
    "to_networkx": "`to_graph()` returns nodes and edges",
}
#: Last calls of a chain that are methods of all scopes, and not marked as operations.
ENDS = ("count", "exists", "first", "explain", "to_markdown", "to_list", "to_json", "to_graph")


def read(workspace: AnsweringIndex, text: str) -> Outcome:
    """Return the result of a chain. If it is a scope, no statement has run yet. Raises ChainError and UsageError."""
    return _Reading(workspace, text).of(read_chain(text))


def absence_at_end(workspace: AnsweringIndex, text: str, outcome: list[Any] | None) -> str:
    """Return why the last call of a chain, such as `first()` or `path_to(…)`, returned no row or no groups of rows."""
    if isinstance(outcome, Groups) and (nothing := outcome.nothing()) is not None:
        return nothing.message
    tree = read_chain(text)
    before = _Reading(workspace, text).of(Chained(tree.start, tree.calls[:-1])) if isinstance(tree, Chained) else None
    if not isinstance(before, Scope | CommitScope):
        raise TypeError(f"not a scope: {before!r}")
    return before.absence()


def ends_of(scope: type[Scope[Any]] | type[CommitScope]) -> tuple[str, ...]:
    """Return the names of the unmarked methods that can end a chain, for a class of scopes."""
    return tuple(name for name in ENDS if hasattr(scope, name))


class _Reading:
    """Evaluates the calls of one chain."""

    def __init__(self, workspace: AnsweringIndex, text: str) -> None:
        self._repo = repo_scope(workspace)
        self._text = text

    def of(self, tree: Tree) -> Outcome:
        if isinstance(tree, Combined):
            return self._combined(tree)
        if isinstance(tree.start, Call):
            beginnings: dict[str, Callable[..., Any]] = {name: getattr(self._repo, name) for name in BEGINNINGS}
            found: Outcome = self._called({**beginnings, "repo": lambda: self._repo}, tree.start, "A chain begins with")
        else:
            found = self.of(tree.start)
        for call in tree.calls:
            found = self._after(found, call)
        return found

    def _after(self, before: Outcome, call: Call) -> Outcome:
        if not isinstance(before, Scope | CommitScope):
            raise chain_error(self._text, call.position, f"Nothing can follow here, so `{call.name}` cannot.")
        names = operations_of(type(before))
        known: dict[str, Callable[..., Any]] = {name: getattr(before, name) for name in names}
        known |= {name: getattr(before, name) for name in ends_of(type(before))}
        if call.name in _IN_PYTHON:
            raise chain_error(self._text, call.position, f"`{call.name}` is of Python: {_IN_PYTHON[call.name]}.")
        kind = "commit" if isinstance(before, CommitScope) else before.kind
        return self._called(known, call, f"A scope of {kind} nodes has")

    def _called(self, known: Mapping[str, Callable[..., Any]], call: Call, beginning: str) -> Outcome:
        if call.name not in known:
            raise chain_error(
                self._text, call.position, f"{beginning} no `{call.name}`. {did_you_mean(call.name, tuple(sorted(known)))}"
            )
        positional = [self._value(each.value) for each in call.arguments if not each.name]
        keywords: dict[str, object] = {}
        for each in call.arguments:
            if each.name in keywords:
                raise chain_error(self._text, each.position, f"`{each.name}` is given twice.")
            if each.name:
                keywords[each.name] = self._value(each.value)
        try:
            found: Outcome = known[call.name](*positional, **keywords)
        except ChainError:
            raise
        except UsageError as error:
            raise chain_error(self._text, call.position, str(error)) from error
        except TypeError as error:  # a last call such as count() has no arguments
            if call.name not in ENDS and call.name != "repo":
                raise
            raise chain_error(self._text, call.position, f"`{call.name}` takes nothing.") from error
        return found

    def _combined(self, tree: Combined) -> Outcome:
        left, right = self.of(tree.left), self.of(tree.right)
        if not isinstance(left, Scope) or not isinstance(right, Scope):
            raise chain_error(self._text, tree.position, "A set operation joins two scopes of the graph.")
        try:
            combined: Scope[Any] = getattr(left, tree.operator)(right)
        except UsageError as error:
            raise chain_error(self._text, tree.position, str(error)) from error
        return combined

    def _value(self, value: object) -> object:
        if isinstance(value, Chained | Combined):
            return self.of(value)
        return [self._value(each) for each in value] if isinstance(value, list) else value
