"""The answer of the checks. As JSON, fields are in camelCase, and empty fields are absent."""

from __future__ import annotations

import msgspec

from .model.findings import BreakingImport, CircularDependency, CloneGroup, DeadCode, Diagnostic, NotKnown


class LintSummary(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Counts of all findings, shown or not. Checks that were not requested have no counts."""

    total_errors: int | None = None
    total_warnings: int | None = None
    #: Number of findings with the severity hint or info.
    total_hints: int | None = None
    total_dead_code: int | None = None
    total_duplicate_groups: int | None = None
    total_circular_deps: int | None = None
    by_severity: dict[str, int] = {}
    dead_code_by_kind: dict[str, int] = {}
    #: Number of declarations and files that may be dead.
    total_not_known: int | None = None
    #: Number of dead code findings in generated files and copies of other packages. No other count includes these findings.
    total_generated: int | None = None
    entry_points: int | None = None


class LintAnswer(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The findings of the requested checks. `tokens` counts the JSON form."""

    summary: LintSummary
    diagnostics: tuple[Diagnostic, ...] | None = None
    dead_code: tuple[DeadCode, ...] | None = None
    #: Code that may be dead.
    not_known: tuple[NotKnown, ...] | None = None
    duplicates: tuple[CloneGroup, ...] | None = None
    circular_deps: tuple[CircularDependency, ...] | None = None
    #: The imports whose removal breaks most circles, in the order of removal.
    break_first: tuple[BreakingImport, ...] = ()
    #: Places in notebooks, as `file:line`, with their cells: `analysis.ipynb:cell 3:12`.
    cells: dict[str, str] = {}
    #: Notes about omissions, and about checks that were not possible.
    notes: tuple[str, ...] = ()
    tokens: int = 0
