"""The request and the answer of a trace. In JSON, fields are in camelCase, and parts that were not requested are absent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import msgspec

from ...schema.errors import UsageError
from ..lookup.schema_state import TableState

#: Units in which a column may be given.
ColumnUnit = Literal["characters", "utf-16"]
#: Parts of a trace.
PARTS = ("definitions", "references", "reexports", "calls", "types", "hierarchy", "statements", "impact")
#: Maximum number of hops of calls and of impact.
MAX_DEPTH = 10
#: Maximum number of references in an answer.
MAX_REFERENCES = 5000
#: Minimum budget in tokens.
MIN_BUDGET = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRequest:
    """The symbol, which `symbol`, a place or both determine, and the requested parts of the trace.

    Raises UsageError for an invalid value.
    """

    #: Symbol path: `Name`, `Parent > Child` or `file > Name`; "" if the place determines the symbol.
    symbol: str = ""
    #: Path of the file with a declaration or a use of the symbol.
    file: str = ""
    #: Line of the declaration or use, from 1.
    line: int | None = None
    #: Column of the declaration or use, from 0, in `column_unit`.
    column: int | None = None
    #: Unit of the column: characters (code points), or UTF-16 units as editors and language servers count.
    column_unit: ColumnUnit = "characters"
    #: Number of hops of calls and of impact, 1 to 10.
    depth: int = 3
    #: Requested parts: names in `PARTS`, or "all".
    include: Sequence[str] = ("all",)
    #: Maximum number of references, 1 to 5,000.
    max_references: int = 500
    #: Budget of the answer in tokens, from 400.
    budget: int

    def __post_init__(self) -> None:
        for part in self.include:
            if part not in ("all", *PARTS):
                raise UsageError(f'A trace has no part "{part}"; it is one of all, {", ".join(PARTS)}.')
        if not 1 <= self.depth <= MAX_DEPTH:
            raise UsageError(f"The depth of a trace is a number of hops from 1 to {MAX_DEPTH}, not {self.depth}.")
        if not 1 <= self.max_references <= MAX_REFERENCES:
            raise UsageError(f"maxReferences is a number from 1 to {MAX_REFERENCES:,}, not {self.max_references}.")
        if self.budget < MIN_BUDGET:
            raise UsageError(f"A trace needs a budget of at least {MIN_BUDGET} tokens, not {self.budget}.")
        if self.column is not None and self.column < 0:
            raise UsageError(f"Columns count from 0, so there is no column {self.column}.")
        if self.column_unit not in get_args(ColumnUnit):
            raise UsageError(f'Columns are counted in {" or ".join(get_args(ColumnUnit))}, not in "{self.column_unit}".')
        if self.line is not None and self.line < 1:
            raise UsageError(f"Lines count from 1, so there is no line {self.line}.")

    def wants(self, part: str) -> bool:
        """Return whether a part is requested."""
        return "all" in self.include or part in self.include


class Definition(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A declaration of the symbol."""

    file: str
    line: int
    kind: str
    signature: str = ""
    name: str = ""
    exported: bool = False


class TracedReference(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """One use of the symbol. `kind` is the role of the use, and `within` the symbol that contains it. Columns count from 1."""

    file: str
    line: int
    #: Column in characters (code points).
    column: int
    context: str
    kind: str
    within: str = ""
    alias: str = ""
    #: Column in UTF-16 units if it differs from `column`; else 0.
    utf16_column: int = 0


class TracedReExport(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A file that re-exports the symbol. `via` are the files between this file and the declaring file."""

    file: str
    name: str
    via: tuple[str, ...] = ()
    type_only: bool = False


class IncomingCall(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A caller, `depth` hops from the symbol.

    `line` is the line of the first call, in the caller's file. For a symbol that only encloses a caller, `line` is the line of
    the symbol's declaration.
    """

    caller: str
    kind: str
    file: str
    line: int
    #: Line of the caller's declaration.
    declared: int
    depth: int
    #: "[cycle]", "[depth limit]" or "[see above]" if the branch omits further calls; "[holds it]" for a symbol that only encloses
    #: a caller.
    mark: str = ""


class OutgoingCall(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A callee, `depth` hops from the symbol, with its declaration. `site` is the place of the first call."""

    callee: str
    kind: str
    file: str
    line: int
    site: str
    depth: int
    mark: str = ""


class TracedCalls(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Callers and callees as lists of tree nodes. Each branch follows its root."""

    incoming: tuple[IncomingCall, ...]
    outgoing: tuple[OutgoingCall, ...]
    #: Callees outside the repository.
    external: tuple[str, ...] = ()
    #: Name, line and reason of the unresolved calls inside the symbol.
    unresolved: tuple[str, ...] = ()
    #: Number of unresolved call sites with the symbol's name, each of which may be a further caller.
    unresolved_callers: int = 0
    #: Sentences about frameworks that call the symbol because of its declaration, and about external members that it implements.
    frameworks: tuple[str, ...] = ()


class TracedPlace(msgspec.Struct, frozen=True, rename="camel"):
    """A symbol and the place of its declaration."""

    symbol: str
    file: str
    line: int


class TracedType(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A type in the symbol's signature. `direction` is parameter, return or field."""

    direction: str
    type: str
    name: str = ""
    trace_to: tuple[TracedPlace, ...] = ()


class HierarchyType(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A class or interface in a hierarchy. For an external type, `file` is the name of the package."""

    name: str
    file: str
    kind: str
    line: int = 0
    distance: int = 0


class TracedHierarchy(msgspec.Struct, frozen=True, rename="camel"):
    """The supertypes and the subtypes of the symbol, nearest first."""

    root: HierarchyType
    supertypes: tuple[HierarchyType, ...]
    subtypes: tuple[HierarchyType, ...]


class TracedStatement(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A symbol that reads or modifies the traced table or column, or a table or column that the traced code reads or modifies."""

    symbol: str
    file: str
    line: int
    kind: str
    #: "reads" or "modifies".
    verb: str
    #: Kind of the statement: select, insert, update, delete, merge, truncate, or call of a routine.
    statement: str
    evidence: str
    #: Dialect of SQL in which the statement was parsed.
    dialect: str = ""
    #: The view or routine through which the statement uses the table; "" for a direct use.
    through: str = ""


class TracedStatements(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Uses of a table or a column, and the data that code uses."""

    used_by: tuple[TracedStatement, ...] = ()
    uses: tuple[TracedStatement, ...] = ()


class Dependent(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A symbol that a change may affect, and the kind of its dependence."""

    symbol: str
    file: str
    line: int
    kind: str
    through: tuple[str, ...]
    distance: int = 1


class ImpactSummary(msgspec.Struct, frozen=True, rename="camel"):
    """Numbers of symbols, files and modules that a change may affect, shown or not."""

    direct_files: int
    transitive_files: int
    total_symbols_affected: int
    modules: int
    exports: int
    tests: int
    risk_level: str
    reasons: tuple[str, ...]


class TracedImpact(msgspec.Struct, frozen=True, rename="camel"):
    """Symbols that a change of the symbol may affect."""

    direct_dependents: tuple[Dependent, ...]
    transitive_dependents: tuple[Dependent, ...]
    affected_tests: tuple[str, ...]
    summary: ImpactSummary


class TraceCandidate(msgspec.Struct, frozen=True, rename="camel"):
    """A symbol to which the request may refer, and a symbol path that is unambiguous."""

    symbol: str
    kind: str
    file: str
    line: int


class TraceSummary(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Counts over all requested parts, including omitted entries."""

    total_references: int | None = None
    total_files: int | None = None
    max_call_depth: int | None = None


class TraceAnswer(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The requested parts of a trace, and the traced symbol. `tokens` is the size of the JSON form."""

    symbol: str
    summary: TraceSummary
    #: `file:line` of the declaration.
    at: str = ""
    definition: Definition | None = None
    #: Further declarations of the same symbol.
    also_declared: tuple[Definition, ...] = ()
    #: The tables and columns that the symbol declares or maps to; part of the definitions.
    tables: tuple[TableState, ...] = ()
    references: tuple[TracedReference, ...] | None = None
    re_exports: tuple[TracedReExport, ...] | None = None
    calls: TracedCalls | None = None
    types: tuple[TracedType, ...] | None = None
    hierarchy: TracedHierarchy | None = None
    statements: TracedStatements | None = None
    impact: TracedImpact | None = None
    #: For each empty part, the kind of reason (none, unresolved, notApplicable and others) and a sentence.
    nothing: dict[str, str] = {}
    #: Symbols to which an ambiguous name may refer. If the answer is about one of these symbols, the list has the other
    #: symbols.
    candidates: tuple[TraceCandidate, ...] = ()
    #: For places in notebooks, the place in a cell (`analysis.ipynb:cell 3:12`), by `file:line`.
    cells: dict[str, str] = {}
    #: Notes about parts that the budget or a limit left out.
    notes: tuple[str, ...] = ()
    tokens: int = 0
