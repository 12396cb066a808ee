"""Callbacks: sites where a function is passed by name, and the functions that a function accepts and returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.callbacks import CallbackSite, callback_sites, functions_taken
from ...graphdb.queries.calls import callees, external_callees
from ...graphdb.queries.type_guards import type_checks
from ...schema.edges import FunctionTaken
from ...schema.records import SymbolRef
from .subject import Analysis, EmptyReason, Subject, counted, none_of
from .within import no_code

_CLASSES = frozenset(("class",))


@dataclass(frozen=True, slots=True)
class CallbackUse:
    """A place where the function is passed as a value."""

    #: Name of the function or component that receives the function: `map`, `retry`; "(element)" for an element of the
    #: platform.
    called_by: str
    #: Index of the argument, from 0; None for an attribute.
    parameter_index: int | None
    #: Name of the attribute; None for an argument.
    attribute: str | None
    file: str
    line: int
    column: int
    #: Whether the function is passed as `f.bind(…)`.
    bound_with_bind: bool
    #: The symbol whose code passes the function.
    caller: SymbolRef
    #: The symbol of the repository that receives the function; None if the receiver is outside the repository.
    taken_by: SymbolRef | None
    #: The external symbol that receives the function: `lib:Array.prototype.map`; None if the receiver is in the repository or
    #: unknown.
    external: str | None
    #: For a type guard: "is" or "asserts".
    predicate_kind: str | None = None
    #: For a type guard: the type of its predicate.
    predicate_type: str | None = None
    #: For a type guard: the type of the checked values.
    input_type: str | None = None
    #: For a type guard: the type of the values that pass the check.
    narrowed_output_type: str | None = None


@dataclass(frozen=True, slots=True)
class CallbackParameter:
    """A parameter that accepts a function."""

    name: str
    index: int
    type: str
    #: "is" or "asserts" if the parameter accepts a type guard.
    predicate_kind: str | None
    predicate_type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks(Analysis):
    """Where a function is passed, and which functions it accepts and returns."""

    subject: Subject
    #: By file and line.
    uses: tuple[CallbackUse, ...] = ()
    parameters: tuple[CallbackParameter, ...] = ()
    #: Type of the function that the symbol returns; None if the symbol returns no function.
    returned_type: str | None = None

    @property
    def title(self) -> str:
        return f"{self.subject.label}: handed on at {counted(len(self.uses), 'place')}"

    def lines(self) -> list[str]:
        """Return a line for each accepted and returned function, then one line for each use."""
        lines = [f"  takes {parameter.name} ({parameter.index}): {parameter.type}" for parameter in self.parameters]
        if self.returned_type is not None:
            lines.append(f"  returns a function: {self.returned_type}")
        return lines + [_line(use) for use in self.uses]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardCallbacks(Callbacks):
    """Where a type guard is passed, and which parameters of a function accept type guards."""

    #: "is" or "asserts" if the function is a type guard, else None.
    predicate_kind: str | None = None
    #: Type of the predicate; None if the function is not a type guard.
    predicate_type: str | None = None


def callbacks(graph: GraphDatabase, subject: Subject) -> Callbacks:
    """Return where a function is passed by name, which functions it accepts, and whether it returns one."""
    if subject.nothing is not None:
        return Callbacks(subject=subject, nothing=subject.nothing)
    uses, functions = _uses(graph, subject, None), functions_taken(graph, subject.ids)
    returned = next((entry.type for entry in functions if entry.position < 0), None)
    empty = no_code(subject) or _no_callback(subject)
    return Callbacks(
        subject=subject,
        uses=uses,
        parameters=_parameters(functions, lambda entry: True),
        returned_type=returned,
        nothing=None if uses or functions else empty,
    )


def guard_callbacks(graph: GraphDatabase, subject: Subject) -> GuardCallbacks:
    """Return the calls to which a type guard is passed, with the narrowed types, and the parameters that accept type guards."""
    if subject.nothing is not None:
        return GuardCallbacks(subject=subject, nothing=subject.nothing)
    own = next((check for check in type_checks(graph, subject.ids) if check.declares), None)
    kind = ("asserts" if own.kind == "assertion" else "is") if own is not None else None
    predicate_type = own.narrowed_to or None if own is not None else None
    uses = _uses(graph, subject, predicate_type) if own is not None else ()
    parameters = _parameters(functions_taken(graph, subject.ids), lambda entry: bool(entry.predicate))
    if own is None:
        empty = no_code(subject) or EmptyReason(
            "notApplicable", f"{subject.name} is no type guard, and takes none as a parameter."
        )
    else:
        empty = EmptyReason("none", f"{subject.name} is a type guard, but nothing hands it on by name.")
    return GuardCallbacks(
        subject=subject,
        uses=uses,
        parameters=parameters,
        predicate_kind=kind,
        predicate_type=predicate_type,
        nothing=None if uses or parameters else empty,
    )


def _no_callback(subject: Subject) -> EmptyReason:
    if subject.kinds <= _CLASSES:
        return EmptyReason("notApplicable", "A class is no callback: ask for one of its methods or its constructor.")
    return none_of(subject, "Nothing passes it on by name, and no function is among its parameters and results.")


def _parameters(functions: Iterable[FunctionTaken], wanted: Callable[[FunctionTaken], bool]) -> tuple[CallbackParameter, ...]:
    return tuple(
        CallbackParameter(entry.name, entry.position, entry.type, entry.predicate or None, entry.predicate_type or None)
        for entry in functions
        if entry.position >= 0 and wanted(entry)
    )


def _uses(graph: GraphDatabase, subject: Subject, predicate_type: str | None) -> tuple[CallbackUse, ...]:
    sites = callback_sites(graph, subject.ids)
    callers = dict.fromkeys(site.caller.id for site in sites)
    inside = {
        (call.symbol_id, _called(call.neighbour), line): call.neighbour for call in callees(graph, callers) for line in call.lines
    }
    outside = {
        (call.symbol_id, call.name.rpartition(".")[2], line): call.external_id
        for call in external_callees(graph, callers)
        for line in call.lines
    }
    return tuple(_use(site, inside, outside, predicate_type) for site in sites)


def _called(symbol: SymbolRef) -> str:
    """Return the name at call sites: the name of the symbol, or for a constructor the name of its class."""
    return symbol.qualified_name.split(".")[-2] if symbol.kind == "constructor" else symbol.name


def _use(
    site: CallbackSite,
    inside: dict[tuple[str, str, int], SymbolRef],
    outside: dict[tuple[str, str, int], str],
    predicate_type: str | None,
) -> CallbackUse:
    # In a call of several lines, the callee's name may be on an earlier line than the argument.
    keys = [(site.caller.id, site.callee, line) for line in range(site.line, max(site.line - 30, 0), -1)]
    return CallbackUse(
        site.callee,
        site.position if site.position >= 0 else None,
        site.attribute or None,
        site.caller.relative_path,
        site.line,
        site.start_column,
        site.bound,
        site.caller,
        next((inside[key] for key in keys if key in inside), None),
        next((outside[key] for key in keys if key in outside), None),
        site.predicate or None,
        predicate_type,
        site.input_type or None,
        site.output_type or None,
    )


def _line(use: CallbackUse) -> str:
    if use.attribute is None:
        role = f"argument {use.parameter_index} of {use.called_by}"
    else:
        role = f"{use.attribute} of {use.called_by}"
    if use.taken_by is not None:
        role += f" ({use.taken_by.relative_path}:{use.taken_by.start_line})"
    elif use.external is not None:
        role += f" ({use.external})"
    narrowing = f": {use.input_type or '…'} → {use.narrowed_output_type}" if use.narrowed_output_type else ""
    bound = ", bound" if use.bound_with_bind else ""
    return f"  {use.file}:{use.line} in {use.caller.qualified_name}: {role}{bound}{narrowing}"
