"""A chain as data: the table it begins with, then filters, steps, set operations, order and limits, in order."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, NamedTuple, TypeAlias

#: The kind of the nodes of a scope.
Kind: TypeAlias = Literal["repository", "module", "file", "symbol", "package", "table", "column", "document", "section", "step"]
#: A value that a field is compared with.
Value: TypeAlias = str | int | bool | tuple[str, ...] | tuple[int, ...]


class Test(NamedTuple):
    """A comparison of a field with a value; the value only ever becomes a parameter."""

    field: str
    #: Name of the operator: eq, not, in, gt, contains, matches and others.
    operator: str
    value: Value


class Named(NamedTuple):
    """A symbol by its path: the file or "", and the names from the outermost symbol to the wanted one."""

    file: str
    names: tuple[str, ...]
    #: The name as it is written, which may contain separators.
    written: str


class Heir(NamedTuple):
    """A symbol that extends or implements something of a name."""

    #: EXTENDS or IMPLEMENTS.
    edge: str
    name: str


class Within(NamedTuple):
    """A file or symbol inside the modules with a name or folder."""

    module: str


class TableNamed(NamedTuple):
    """A table by its name in any case: as it is declared, or as it is called after all migrations."""

    name: str
    #: Path of the file that declares it, or "".
    file: str = ""


class Titled(NamedTuple):
    """A section with a title in any case, or one whose title has it after a colon, as in "Workflow: Checkout"."""

    title: str
    after_colon: bool = False


class Wired(NamedTuple):
    """A symbol that a framework runs in a role, such as route or fixture."""

    role: str


class Given(NamedTuple):
    """A node in a set that is found outside of the graph when the chain runs, such as the changed files."""

    #: Name of the operation: changed_since, hot, dead, touched_by (files of commits) or selected (by a function in Python).
    source: str
    argument: Hashable = ""
    #: The kind of the members of the set: paths of files, places ("path:line" of the names of symbols), or keys of nodes.
    members: Literal["paths", "places", "keys"] = "paths"


class Untested(NamedTuple):
    """A symbol that no code of a test file uses, over some hops."""

    depth: int


class Where(NamedTuple):
    """Keep the nodes that fulfil all conditions."""

    conditions: tuple[Condition, ...]


class Exclude(NamedTuple):
    """Drop the nodes that fulfil all conditions."""

    conditions: tuple[Condition, ...]


class Step(NamedTuple):
    """Follow edges to other nodes: all that 1 to `depth` edges reach."""

    name: str
    depth: int = 1


class Combine(NamedTuple):
    """Combine with the nodes of another chain of the same kind."""

    #: union, intersect or minus.
    how: str
    other: Plan


class Sort(NamedTuple):
    """Order by a field."""

    field: str
    descending: bool


class Slice(NamedTuple):
    """Keep `limit` nodes after the first `offset`; None is all."""

    limit: int | None
    offset: int


class Hubs(NamedTuple):
    """Keep the nodes with the most distinct neighbors at a step, most first."""

    step: str
    limit: int


class Plan(NamedTuple):
    """A chain: nodes of one kind, and the operations on them."""

    source: Kind
    operations: tuple[Operation, ...] = ()

    def then(self, operation: Operation) -> Plan:
        """Return a longer chain."""
        return Plan(self.source, (*self.operations, operation))


Condition: TypeAlias = Test | Named | TableNamed | Titled | Heir | Within | Wired | Given | Untested
Operation: TypeAlias = Where | Exclude | Step | Combine | Sort | Slice | Hubs
