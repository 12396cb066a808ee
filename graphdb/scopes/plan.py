"""A chain as data: the kind of its first nodes, and its filters, steps, set operations, orders and limits."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, NamedTuple, TypeAlias

#: The kind of the nodes of a scope.
Kind: TypeAlias = Literal["repository", "module", "file", "symbol", "package", "table", "column", "document", "section", "step"]
#: A value that a field is compared with.
Value: TypeAlias = str | int | bool | tuple[str, ...] | tuple[int, ...]


class Test(NamedTuple):
    """A comparison of a field with a value. The value is always a parameter of the statement."""

    field: str
    #: Name of the operator: eq, not, in, gt, contains, matches and others.
    operator: str
    value: Value


class Named(NamedTuple):
    """The condition that a symbol has a path of names: the file or "", and the names from the outermost enclosing symbol to the
    symbol.
    """

    file: str
    names: tuple[str, ...]
    #: The name as the user wrote it, which may contain separators.
    written: str


class DerivesFrom(NamedTuple):
    """The condition that a symbol extends or implements a type with this name."""

    #: EXTENDS or IMPLEMENTS.
    edge: str
    name: str


class Within(NamedTuple):
    """The condition that a file or symbol is in a module with this name or folder."""

    module: str


class TableNamed(NamedTuple):
    """The condition that a table has a name, regardless of case: its declared name, or its name after all migrations."""

    name: str
    #: Path of the file that declares the table, or "".
    file: str = ""


class Titled(NamedTuple):
    """The condition that a section has a title, regardless of case: the whole title, or the part after a colon as in "Workflow:
    Checkout".
    """

    title: str
    after_colon: bool = False


class Wired(NamedTuple):
    """The condition that a framework runs a symbol in a role, such as route or fixture."""

    role: str


class Given(NamedTuple):
    """The condition that a node is in a set, such as the changed files, that is computed outside of the graph when the chain
    runs.
    """

    #: Name of the operation: changed_since, hot, dead, touched_by (files of commits) or selected (by a function in Python).
    source: str
    argument: Hashable = ""
    #: The kind of the members of the set: paths of files, places ("path:line" of the names of symbols), or keys of nodes.
    members: Literal["paths", "places", "keys"] = "paths"


class Untested(NamedTuple):
    """The condition that no test file uses a symbol, directly or over at most `depth` hops."""

    depth: int


class Where(NamedTuple):
    """Keep the nodes that meet all conditions."""

    conditions: tuple[Condition, ...]


class Exclude(NamedTuple):
    """Remove the nodes that meet all conditions."""

    conditions: tuple[Condition, ...]


class Step(NamedTuple):
    """Replace the nodes by the nodes at a distance of 1 to `depth` edges."""

    name: str
    depth: int = 1


class Combine(NamedTuple):
    """Combine the nodes with the nodes of another chain. Both chains have nodes of the same kind."""

    #: union, intersect or minus.
    how: str
    other: Plan


class Sort(NamedTuple):
    """Order by a field."""

    field: str
    descending: bool


class Slice(NamedTuple):
    """Skip the first `offset` nodes, then keep `limit` nodes; a limit of None keeps all."""

    limit: int | None
    offset: int


class Hubs(NamedTuple):
    """Keep the nodes for which a step has the most distinct results, most first."""

    step: str
    limit: int


class Plan(NamedTuple):
    """A chain: nodes of one kind, and the operations on them."""

    source: Kind
    operations: tuple[Operation, ...] = ()

    def then(self, operation: Operation) -> Plan:
        """Return the chain with one more operation."""
        return Plan(self.source, (*self.operations, operation))


Condition: TypeAlias = Test | Named | TableNamed | Titled | DerivesFrom | Within | Wired | Given | Untested
Operation: TypeAlias = Where | Exclude | Step | Combine | Sort | Slice | Hubs
