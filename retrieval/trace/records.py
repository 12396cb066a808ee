"""The request and the answer of a trace. As JSON, fields are in camelCase, and parts that were not requested are absent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import msgspec

from ...schema.errors import UsageError

#: Units in which a column may be given.
ColumnUnit = Literal["characters", "utf-16"]
#: Parts of a trace.
PARTS = ("definitions", "references", "reexports", "calls", "types", "hierarchy", "statements", "impact")
#: Hops of calls and of impact.
MAX_DEPTH = 10
#: References of one answer.
MAX_REFERENCES = 5000
#: Tokens.
MIN_BUDGET = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRequest:
    """The symbol, named by `symbol`, by a place or by both, and the parts of the answer.

    Raises UsageError for a value that a field cannot have.
    """

    #: `Name`, `Parent > Child` or `file > Name`; "" where the place says it.
    symbol: str = ""
    #: File of the declaration, or of a use.
    file: str = ""
    #: From 1.
    line: int | None = None
    #: From 0, in `column_unit`.
    column: int | None = None
    #: Unit of the column: characters (code points), or UTF-16 units as editors and language servers count.
    column_unit: ColumnUnit = "characters"
    #: Hops of calls and of impact, 1 to 10.
    depth: int = 3
    #: Names of `PARTS`, or "all".
    include: Sequence[str] = ("all",)
    #: Most references, 1 to 5,000.
    max_references: int = 500
    #: Tokens of the answer, from 400.
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
        """Return whether a part is asked for."""
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
    """One use. `kind` is its role; `within` the symbol that holds it. Columns count from 1."""

    file: str
    line: int
    #: In characters (code points).
    column: int
    context: str
    kind: str
    within: str = ""
    alias: str = ""
    #: The column in UTF-16 units, if it differs; else 0.
    utf16_column: int = 0


class TracedReExport(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A file that offers the symbol. `via` are the files between it and the declaring one."""

    file: str
    name: str
    via: tuple[str, ...] = ()
    type_only: bool = False


class IncomingCall(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A caller, `depth` hops from the symbol.

    `line` is the line of the first call, in the caller's file; for a symbol that only encloses a caller, the line of its
    declaration.
    """

    caller: str
    kind: str
    file: str
    line: int
    #: Line of the caller's declaration.
    declared: int
    depth: int
    #: "[cycle]", "[depth limit]" or "[see above]" where the branch ends before its calls do; "[holds it]" of a function that
    #: holds one which nobody calls by name.
    mark: str = ""


class OutgoingCall(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A callee, `depth` hops from the symbol, and its declaration. `site` is the place of the first call."""

    callee: str
    kind: str
    file: str
    line: int
    site: str
    depth: int
    mark: str = ""


class TracedCalls(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Callers and callees, each branch after its root."""

    incoming: tuple[IncomingCall, ...]
    outgoing: tuple[OutgoingCall, ...]
    #: Callees outside the repository.
    external: tuple[str, ...] = ()
    #: Calls inside the symbol whose declaration is not known: name, line and reason.
    unresolved: tuple[str, ...] = ()
    #: Call sites elsewhere of the symbol's name that may be further callers.
    unresolved_callers: int = 0
    #: Roles for which frameworks run it because of its own declaration.
    frameworks: tuple[str, ...] = ()


class TracedPlace(msgspec.Struct, frozen=True, rename="camel"):
    """A symbol and the place of its declaration."""

    symbol: str
    file: str
    line: int


class TracedType(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A type that flows in or out. `direction` is parameter, return or field."""

    direction: str
    type: str
    name: str = ""
    trace_to: tuple[TracedPlace, ...] = ()


class HierarchyType(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A class or interface among others; outside the repository `file` names the package."""

    name: str
    file: str
    kind: str
    line: int = 0
    distance: int = 0


class TracedHierarchy(msgspec.Struct, frozen=True, rename="camel"):
    """Types that the symbol extends and implements, and types that extend and implement it, nearest first."""

    root: HierarchyType
    supertypes: tuple[HierarchyType, ...]
    subtypes: tuple[HierarchyType, ...]


class TracedStatement(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A symbol with statements that read or modify a table or a column. Of code, a table or column that it reads or modifies."""

    symbol: str
    file: str
    line: int
    kind: str
    #: reads or modifies.
    verb: str
    #: select, insert, update, delete, merge or truncate.
    statement: str
    evidence: str
    #: The view or routine that the statement uses, if it does not use the table itself.
    through: str = ""


class TracedStatements(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Uses of a table or a column, and the data that code uses."""

    used_by: tuple[TracedStatement, ...] = ()
    uses: tuple[TracedStatement, ...] = ()


class Dependent(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A symbol that a change may affect, and how."""

    symbol: str
    file: str
    line: int
    kind: str
    through: tuple[str, ...]
    distance: int = 1


class ImpactSummary(msgspec.Struct, frozen=True, rename="camel"):
    """Counts of everything affected, shown or not."""

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
    """A symbol that may have been meant, and the path that names it alone."""

    symbol: str
    kind: str
    file: str
    line: int


class TraceSummary(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Counts of all parts, shown or not; parts that were not requested have none."""

    total_references: int | None = None
    total_files: int | None = None
    max_call_depth: int | None = None


class TraceAnswer(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The parts that were asked for, and always which symbol it is. `tokens` counts the JSON form."""

    symbol: str
    summary: TraceSummary
    #: `file:line` of the declaration.
    at: str = ""
    definition: Definition | None = None
    #: Further declarations of the same symbol.
    also_declared: tuple[Definition, ...] = ()
    references: tuple[TracedReference, ...] | None = None
    re_exports: tuple[TracedReExport, ...] | None = None
    calls: TracedCalls | None = None
    types: tuple[TracedType, ...] | None = None
    hierarchy: TracedHierarchy | None = None
    statements: TracedStatements | None = None
    impact: TracedImpact | None = None
    #: By part, which kind of nothing it is: none, unresolved, notApplicable … and a sentence.
    nothing: dict[str, str] = {}
    #: All symbols with an ambiguous name; if the answer is about the exported one, the others.
    candidates: tuple[TraceCandidate, ...] = ()
    #: Places in notebooks, as `file:line`, with their cells: `analysis.ipynb:cell 3:12`.
    cells: dict[str, str] = {}
    #: Notes about parts that the budget or a limit left out.
    notes: tuple[str, ...] = ()
    tokens: int = 0
