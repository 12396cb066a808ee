"""Write a trace as text for agents and people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..analyses.subject import counted
from ..lookup.schema_state import KeyState
from .records import IncomingCall, OutgoingCall, TraceAnswer, TracedImpact

#: Maximum number of listed tests.
_MAX_TESTS = 10


def trace_text(answer: TraceAnswer) -> str:
    """Return the text of a trace: the definition, then each part below a heading."""
    places = _Places(answer.cells)
    parts = (_head, _tables, _uses, _structure, _statements)
    lines = [line for part in parts for line in part(answer, places)]
    return "\n".join([*lines, *_impact(answer.impact, places), *_rest(answer, places)])


class _Places:
    """Writes a place as `path:line`, or as a cell and a line of the cell in a notebook."""

    def __init__(self, cells: Mapping[str, str]) -> None:
        self._cells = cells

    def of(self, path: str, line: int) -> str:
        """Return the place of a line of a file."""
        return self.by_cell(f"{path}:{line}")

    def by_cell(self, place: str) -> str:
        """Convert a `path:line` in a notebook to a place in its cell; return any other place unchanged."""
        return self._cells.get(place, place)


def _head(answer: TraceAnswer, places: _Places) -> Iterator[str]:
    if answer.definition is None:
        yield f"{answer.symbol} ({places.by_cell(answer.at)})" if answer.at else answer.symbol
        return
    for definition in (answer.definition, *answer.also_declared):
        exported = "exported " if definition.exported else ""
        yield f"{definition.name}: {exported}{definition.kind} ({places.of(definition.file, definition.line)})"
        yield f"  {definition.signature}"


def _tables(answer: TraceAnswer, places: _Places) -> Iterator[str]:
    for state in answer.tables:
        if state.kind == "table":
            yield f"Table {state.table}:"
            yield from (f"  {each}" for each in state.columns)
        else:
            yield from (f"Column {state.table}.{each}" for each in state.columns)
        yield from (f"  {_key(each)}" for each in state.keys)
        changes = [f"{each.kind} in {places.of(each.file, each.line)}" for each in state.changes]
        yield from ([f"  {', '.join(changes)}"] if changes else [])


def _key(key: KeyState) -> str:
    columns = f" ({', '.join(key.columns)})" if key.columns else ""
    target = f" references {', '.join(key.references)}" if key.references else ""
    rules = "".join(f" on {event} {rule}" for event, rule in (("delete", key.on_delete), ("update", key.on_update)) if rule)
    return f"{key.kind} {key.name}{columns}{target}{rules}"


def _uses(answer: TraceAnswer, places: _Places) -> Iterator[str]:
    if answer.references:
        yield f"References: {answer.summary.total_references or 0:,} in {counted(answer.summary.total_files or 0, 'file')}"
        for use in answer.references:
            yield f"  {places.of(use.file, use.line)}:{use.column} {use.kind}: {use.context}"
    for offer in answer.re_exports or ():
        via = f" via {', '.join(offer.via)}" if offer.via else ""
        yield f"Re-exported by {offer.file} as {offer.name}{via}"
    if answer.calls is not None:
        yield from _callers(answer.calls.incoming, places)
        yield from (f"  {sentence}" for sentence in answer.calls.frameworks)
        yield from _callees(answer.calls.outgoing, places)
        if answer.calls.external:
            yield f"  outside: {', '.join(answer.calls.external)}"
        if answer.calls.unresolved:
            yield f"  unresolved: {', '.join(answer.calls.unresolved)}"
        if answer.calls.unresolved_callers:
            yield f"  {answer.calls.unresolved_callers:,} unresolved call sites of this name may be further callers"


def _callers(calls: tuple[IncomingCall, ...], places: _Places) -> Iterator[str]:
    yield from (["Callers, with the line of the call:"] if calls else [])
    for call in calls:
        mark = f" {call.mark}" if call.mark else ""
        yield f"{'  ' * call.depth}{call.kind} {call.caller} ({places.of(call.file, call.line)}){mark}"


def _callees(calls: tuple[OutgoingCall, ...], places: _Places) -> Iterator[str]:
    yield from (["Callees, with the line of their declaration:"] if calls else [])
    for call in calls:
        mark = f" {call.mark}" if call.mark else ""
        at = f" at {places.by_cell(call.site)}" if call.site else ""
        yield f"{'  ' * call.depth}{call.kind} {call.callee} ({places.of(call.file, call.line)}){at}{mark}"


def _structure(answer: TraceAnswer, places: _Places) -> Iterator[str]:
    for flow in answer.types or ():
        to = ", ".join(f"{place.symbol} ({places.of(place.file, place.line)})" for place in flow.trace_to)
        named = f"{flow.direction.capitalize()} {flow.name}".strip()
        yield f"{named}: {' = '.join(part for part in (flow.type, to) if part)}"
    if answer.hierarchy is not None:
        for title, related in (("Supertypes", answer.hierarchy.supertypes), ("Subtypes", answer.hierarchy.subtypes)):
            if related:
                yield f"{title}:"
                yield from (f"  {each.distance} {each.kind} {each.name} ({places.of(each.file, each.line)})" for each in related)


def _statements(answer: TraceAnswer, places: _Places) -> Iterator[str]:
    if answer.statements is None:
        return
    for title, sites in (("Statements that use it:", answer.statements.used_by), ("Tables and columns:", answer.statements.uses)):
        yield from ([title] if sites else [])
        for each in sites:
            through = f" through {each.through}" if each.through else ""
            place = places.of(each.file, each.line)
            statement = f"{each.statement} in {each.dialect}" if each.dialect else each.statement
            yield f"  {each.verb} ({statement}): {each.kind} {each.symbol} ({place}){through}"


def _impact(found: TracedImpact | None, places: _Places) -> Iterator[str]:
    if found is None:
        return
    summary = found.summary
    yield (
        f"Impact: {summary.risk_level} risk: {counted(summary.total_symbols_affected, 'symbol')}, "
        f"{counted(summary.direct_files + summary.transitive_files, 'file')}, {counted(summary.modules, 'module')}, "
        f"{counted(summary.exports, 'export')}, {counted(summary.tests, 'test')}"
    )
    for each in (*found.direct_dependents, *found.transitive_dependents):
        yield f"  {each.distance} {each.kind} {each.symbol} ({places.of(each.file, each.line)}) through {', '.join(each.through)}"
    if found.affected_tests:
        more = summary.tests - len(found.affected_tests[:_MAX_TESTS])
        yield f"  tests: {', '.join(found.affected_tests[:_MAX_TESTS])}{f' and {more:,} more' if more else ''}"


def _rest(answer: TraceAnswer, places: _Places) -> Iterator[str]:
    for part, reason in answer.nothing.items():
        yield f"{part}: {reason}"
    if answer.candidates and "symbol" not in answer.nothing:
        yield "Other symbols of this name:"
    for candidate in answer.candidates:
        yield f"  {candidate.kind} {candidate.symbol} ({places.of(candidate.file, candidate.line)})"
    yield from answer.notes
