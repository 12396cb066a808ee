"""Type guards: the type checks in the code of a symbol, and the type predicate of its result."""

from __future__ import annotations

from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.type_guards import type_checks_in
from ...schema.edges import TypeCheck
from ...schema.records import SymbolRef
from .subject import Analysis, Subject, counted, none_of
from .within import belongs_to, no_code


@dataclass(frozen=True, slots=True)
class TypeGuard:
    """One check of a type, or the type predicate of a guard."""

    #: user-defined, assertion, typeof, instanceof, in-operator, discriminant, nullish, equality, Array.isArray, early-return,
    #: exhaustive or compound.
    kind: str
    line: int
    column: int
    #: The checked expression: "shape", "this.state".
    target: str
    #: The other side of the check: "string", 'kind: "circle"', the name of a guard; for a compound check, the kinds of its parts.
    against: str
    #: Type of the expression if the check succeeds; None if the type has no short form.
    narrowed_to: str | None
    negated: bool
    #: True for the type predicate of a guard, False for a check.
    is_return_type_guard: bool
    #: The symbol that contains the check: the subject, or a function nested in it.
    symbol: SymbolRef


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeGuards(Analysis):
    """The checks of a symbol and of the symbols nested in it, by file and line."""

    subject: Subject
    guards: tuple[TypeGuard, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label}: {counted(len(self.guards), 'type guard')}"

    def lines(self) -> list[str]:
        return [_line(guard) for guard in self.guards]


def type_guards(graph: GraphDatabase, subject: Subject) -> TypeGuards:
    """Return all checks of types in the code of a symbol, including nested functions."""
    if subject.nothing is not None:
        return TypeGuards(subject=subject, nothing=subject.nothing)
    paths = [symbol.relative_path for symbol in subject.declarations]
    found = [_guard(site, symbol) for site, symbol in type_checks_in(graph, paths) if belongs_to(subject, symbol)]
    empty = no_code(subject) or none_of(subject, "It is no type guard, and its code checks no types.")
    return TypeGuards(subject=subject, guards=tuple(found), nothing=None if found else empty)


def _guard(site: TypeCheck, symbol: SymbolRef) -> TypeGuard:
    return TypeGuard(
        site.kind,
        site.line,
        site.start_column,
        site.subject,
        site.against,
        site.narrowed_to or None,
        site.negated,
        site.declares,
        symbol,
    )


def _line(guard: TypeGuard) -> str:
    narrowed = guard.narrowed_to if guard.narrowed_to and guard.narrowed_to != guard.against else ""
    if guard.is_return_type_guard:
        says = f"asserts {guard.target}" if guard.kind == "assertion" else guard.target
        return f"  {guard.line}: {guard.kind} guard: {says}{f' is {narrowed}' if narrowed else ''}"
    negation = "not " if guard.negated else ""
    if guard.kind == "early-return":
        return f"  {guard.line}: early-return unless {guard.target} is {guard.against}"
    if guard.kind == "exhaustive":
        return f"  {guard.line}: exhaustive {guard.target} → never"
    against = f" {negation}{guard.against}" if guard.against else f" {negation}".rstrip()
    return f"  {guard.line}: {guard.kind} {guard.target}{against}" + (f" → {narrowed}" if narrowed else "")
