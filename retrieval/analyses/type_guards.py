"""Type guards: where a symbol's code asks for types, and what its own result tells of them."""

from __future__ import annotations

from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.type_guards import TypeCheckSite, type_checks_in
from ...schema.records import SymbolRef
from .subject import Analysis, Subject, counted, none_of
from .within import belongs_to, no_code


@dataclass(frozen=True, slots=True)
class TypeGuard:
    """One check, or the predicate that a guard's result is."""

    #: user-defined, assertion, typeof, instanceof, in-operator, discriminant, nullish, equality, Array.isArray, early-return,
    #: exhaustive or compound.
    kind: str
    line: int
    column: int
    #: What is checked: "shape", "this.state".
    target: str
    #: What it is checked against: "string", 'kind: "circle"', the name of a guard; of a compound, the kinds of its parts.
    against: str
    #: Type where the check holds; None where nothing short says it.
    narrowed_to: str | None
    negated: bool
    #: True for the guard itself.
    is_return_type_guard: bool
    #: The symbol whose code it is: the subject, or a function inside it.
    symbol: SymbolRef


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeGuards(Analysis):
    """The checks of a symbol and of what is nested in it, by file and line."""

    subject: Subject
    guards: tuple[TypeGuard, ...] = ()

    @property
    def title(self) -> str:
        """What was asked, and how much there is."""
        return f"{self.subject.label}: {counted(len(self.guards), 'type guard')}"

    def lines(self) -> list[str]:
        """One line for each check."""
        return [_line(guard) for guard in self.guards]


def type_guards(graph: GraphDatabase, subject: Subject) -> TypeGuards:
    """Every check of a type in a symbol's code, in functions nested in it too."""
    if subject.nothing is not None:
        return TypeGuards(subject=subject, nothing=subject.nothing)
    paths = [symbol.relative_path for symbol in subject.declarations]
    found = [_guard(site, symbol) for site, symbol in type_checks_in(graph, paths) if belongs_to(subject, symbol)]
    empty = no_code(subject) or none_of(subject, "It is no type guard, and its code checks no types.")
    return TypeGuards(subject=subject, guards=tuple(found), nothing=None if found else empty)


def _guard(site: TypeCheckSite, symbol: SymbolRef) -> TypeGuard:
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
