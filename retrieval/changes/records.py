"""The request and the answer about a change. In JSON, fields are in camelCase, and empty fields are absent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from ...ingest.changes.states import Comparison
from ...schema.errors import UsageError

#: Minimum budget in tokens. A smaller answer cannot contain the note about omitted entries.
MIN_BUDGET: Final = 200
#: Maximum number of hops to dependants.
MAX_DEPTH: Final = 10
#: Risks, the lowest first.
RISKS: Final = ("none", "low", "medium", "high", "critical")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesRequest:
    """The compared states, and the size of the answer. Raises UsageError for an invalid value."""

    comparison: Comparison
    #: Number of hops to dependants.
    depth: int = 3
    #: Maximum number of tokens of the answer.
    budget: int

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= MAX_DEPTH:
            raise UsageError(f"depth must be from 1 to {MAX_DEPTH}, not {self.depth}.")
        if self.budget < MIN_BUDGET:
            raise UsageError(f"budget must be at least {MIN_BUDGET} tokens, not {self.budget}.")


class FileChange(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A file that differs."""

    file: str
    #: added, removed, renamed or changed.
    status: str
    old_file: str = ""
    language: str = ""
    is_test: bool = False
    #: Whether imports or other statements at the root of the file changed.
    statements_changed: bool = False
    #: The only change of a file with unchanged declarations: "layout" (comments or layout) or "mode"; "" otherwise.
    only: str = ""
    #: Why the symbols of the file were not compared; "" if they were.
    not_compared: str = ""


class SymbolChange(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A declaration that differs."""

    symbol: str
    kind: str
    #: Path and line, in the new state if the symbol still exists there.
    at: str
    #: Changes of the symbol: removed, added, moved, renamed, signature, body or layout (only comments or layout).
    changes: tuple[str, ...]
    old_symbol: str = ""
    old_at: str = ""
    #: Signatures in the old state, if they differ.
    old_signature: str = ""
    signature: str = ""
    exported: bool = False
    is_test: bool = False
    #: Number of symbols outside of the change that use the symbol directly.
    users: int = 0
    #: Number of members that were added or removed together with the symbol.
    members: int = 0


class BrokenPlace(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A place that is correct in the old state and broken in the new state."""

    at: str
    #: What is broken, as a clause whose subject is the file.
    reason: str


class AlteredData(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A table or a column that existed before, and that a migration or a model changes."""

    #: The name of a table, or `table.column`.
    name: str
    #: altered, renamed or dropped.
    change: str
    at: str
    #: Numbers of symbols whose statements and calls read and modify it.
    readers: int = 0
    writers: int = 0


class StatementChange(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A declaration whose statements of SQL use other tables and columns than before."""

    symbol: str
    at: str
    #: The tables and columns that the statements did not read or modify before.
    reads: tuple[str, ...] = ()
    modifies: tuple[str, ...] = ()
    #: The tables and columns that the statements used before.
    no_longer: tuple[str, ...] = ()


class Affected(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A symbol outside of the change that depends on it."""

    symbol: str
    at: str
    #: Hops from the change; 1 is direct.
    distance: int
    #: Kinds of dependence: call, read, type, heritage, override and others.
    through: tuple[str, ...]
    #: Folder of the module of its file; absent outside of every module.
    module: str = ""


class EntryPoint(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A symbol that a framework runs and that depends on the change: a route, a command, a job."""

    symbol: str
    at: str
    framework: str
    role: str
    #: Name of the entry point in the framework, such as the path of a route.
    text: str
    distance: int


class Document(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A section of a document that names changed symbols."""

    section: str
    at: str
    #: The changed symbols that the section names.
    names: tuple[str, ...]


class TestToRun(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A test file whose results the change may affect."""

    file: str
    #: Hops from the change to the nearest test; 0 for a changed test file.
    distance: int
    #: Why the file should run.
    reason: str


class TestCommand(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A command that runs some of the tests, from the root of the workspace or from a folder in it."""

    command: str
    runner: str
    folder: str = ""


class Partner(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A file or a symbol that often changes together with a changed file or symbol, but is not part of this change."""

    file: str
    #: The symbol of the file; absent if the whole file is meant.
    symbol: str = ""
    #: Path of the changed file, or the changed symbol.
    changes_with: str
    #: Number of common commits.
    support: int
    #: Weighted share of the common commits.
    confidence: float

    @property
    def breadcrumb(self) -> str:
        """The path of the file, followed by the symbol if there is one."""
        return f"{self.file} > {self.symbol}" if self.symbol else self.file


class Owner(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A person who often changed the changed files."""

    name: str
    email: str
    commits: int
    share: float


class Risk(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The risk of the change, with reasons."""

    #: none, low, medium, high or critical.
    level: str
    reasons: tuple[str, ...]


class ChangesAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The effects of a change."""

    old: str
    new: str
    risk: Risk
    #: Number of changed symbols by kind of change.
    summary: dict[str, int] = {}
    broken: tuple[BrokenPlace, ...] = ()
    files: tuple[FileChange, ...] = ()
    symbols: tuple[SymbolChange, ...] = ()
    #: Tables and columns that the change alters.
    data: tuple[AlteredData, ...] = ()
    #: Declarations whose statements use other tables and columns than before.
    statements: tuple[StatementChange, ...] = ()
    affected: tuple[Affected, ...] = ()
    #: Number of affected symbols by module, the most affected first.
    modules: dict[str, int] = {}
    entry_points: tuple[EntryPoint, ...] = ()
    documents: tuple[Document, ...] = ()
    tests: tuple[TestToRun, ...] = ()
    commands: tuple[TestCommand, ...] = ()
    partners: tuple[Partner, ...] = ()
    owners: tuple[Owner, ...] = ()
    #: Number of entries of each list that did not fit the budget.
    left_out: dict[str, int] = {}
    notes: tuple[str, ...] = ()
