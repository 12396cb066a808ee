"""Compose a trace from the analyses of a symbol, within the budget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import file_places
from ...graphdb.symbols.data_objects import only_data_object
from ...graphdb.symbols.symbol_table import symbols_of
from ...schema.entry_reasons import RUN_BY
from ...schema.languages import DATA, WITH_KNOWN_USES, language_of_indexed
from ...schema.manifest import Exclusion
from ...schema.records import Symbol
from ..analyses.call_hierarchy import callees, callers, implemented_note
from ..analyses.call_tree import Call
from ..analyses.exports import exports
from ..analyses.finding import find_subject, subject_of_ids
from ..analyses.impact import Dependant, impact
from ..analyses.references import ReferenceSite, references
from ..analyses.subject import UNKNOWN_OF_DATA, Analysis, Candidate, EmptyReason, Subject, none_of
from ..analyses.type_flows import FlowParameter, type_flows
from ..analyses.type_hierarchy import RelatedType, subtypes, supertypes
from ..lookup.notebook_places import places_by_cell
from ..lookup.schema_state import TableState, tables_of
from ..text.json_budget import Item, fitting, json_length, measured
from ..text.tokens import shortened
from .data_uses import DataUseSite, used_by, users_of
from .locating import Texts, traced_subject, utf16_length
from .records import (
    PARTS,
    Definition,
    Dependent,
    HierarchyType,
    ImpactSummary,
    IncomingCall,
    OutgoingCall,
    TraceAnswer,
    TraceCandidate,
    TracedCalls,
    TracedHierarchy,
    TracedImpact,
    TracedPlace,
    TracedReExport,
    TracedReference,
    TracedStatement,
    TracedStatements,
    TracedType,
    TraceRequest,
    TraceSummary,
)

_ENVELOPE = 1200
#: Maximum number of characters of a signature or a line of context.
_MAX_TEXT_LENGTH = 200
_MAX_NAMES = 30
#: Maximum number of listed namesakes in an answer about the only exported symbol.
_MAX_NAMESAKES = 10
#: Parts about uses of the symbol.
_USES = ("references", "calls.incoming", "impact")
#: Mark of a symbol that only encloses a caller.
_HOLDS = "[holds it]"


#: Returns why code outside of the repository may use the exports of a file, given by path and names; "" if nothing is known.
OutsideReader = Callable[[str, Collection[str]], str]


def _no_reader(path: str, names: Collection[str]) -> str:
    return ""


def compose_trace(
    graph: GraphDatabase,
    texts: Texts,
    request: TraceRequest,
    exclusions: Sequence[Exclusion] = (),
    outside_reader: OutsideReader = _no_reader,
) -> TraceAnswer:
    """Return the requested parts of a symbol's trace, or the reason and candidates if there is no such symbol. Raises UsageError.

    If several symbols have the name, the only exported root symbol outside of tests is traced, or else the only table or column
    among the outermost symbols.
    """
    subject = traced_subject(graph, texts, request, exclusions)
    if subject.nothing is None:
        return _Tracing(graph, texts, request, subject, outside_reader).answer()
    chosen = _chosen(graph, subject.nothing.candidates) if subject.nothing.kind == "ambiguous" else None
    if chosen is None:
        return measured(_unknown(graph, subject, subject.nothing))
    others = [candidate for candidate in subject.nothing.candidates if candidate is not chosen]
    found = find_subject(graph, chosen.path)
    if found.nothing is not None:  # other symbols have the path of the chosen symbol, too
        found = subject_of_ids(graph, chosen.path, [chosen.symbol.id]) or subject
    if found.nothing is not None:
        return measured(_unknown(graph, found, found.nothing))
    return _Tracing(graph, texts, request, found, outside_reader, others).answer()


def _chosen(graph: GraphDatabase, candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the symbol that an ambiguous name most likely means, or None."""
    symbols = symbols_of(graph).symbols([candidate.symbol.id for candidate in candidates])
    found = _only_exported(graph, symbols)
    if found is None:
        outermost = min((symbol.depth for symbol in symbols.values()), default=0)
        found = only_data_object(graph, {id: symbol.kind for id, symbol in symbols.items() if symbol.depth == outermost})
    return next((each for each in candidates if each.symbol.id == found), None)


def _only_exported(graph: GraphDatabase, symbols: Mapping[str, Symbol]) -> str | None:
    """Return the id of the exported symbol outside of other symbols and test files, if there is exactly one."""
    tests = {file.path for file in file_places(graph, {symbol.relative_path for symbol in symbols.values()}) if file.is_test}
    chosen = [id for id, symbol in symbols.items() if symbol.exported and not symbol.depth and symbol.relative_path not in tests]
    return chosen[0] if len(chosen) == 1 else None


class _Tracing:
    """Composes one trace. Each list may use an equal share of the unused budget."""

    def __init__(
        self,
        graph: GraphDatabase,
        texts: Texts,
        request: TraceRequest,
        subject: Subject,
        outside_reader: OutsideReader,
        namesakes: Sequence[Candidate] = (),
    ) -> None:
        """`namesakes` are other symbols of the requested name, which are only listed."""
        self._graph = graph
        self._texts = texts
        self._request = request
        self._subject = subject
        self._outside_reader = outside_reader
        self._namesakes = namesakes
        self._nothing: dict[str, str] = {}
        self._notes: list[str] = []
        self._room = request.budget * 4 - _ENVELOPE
        self._parts = sum(map(request.wants, PARTS))

    def answer(self) -> TraceAnswer:
        wants, subject = self._request.wants, self._subject
        definitions = [_definition(symbol) for symbol in subject.declarations]
        made = TraceAnswer(
            subject.declarations[0].qualified_name,
            TraceSummary(),
            at=f"{definitions[0].file}:{definitions[0].line}",
            definition=definitions[0] if wants("definitions") else None,
            also_declared=tuple(definitions[1:4]) if wants("definitions") else (),
            candidates=_candidates(self._namesakes, _MAX_NAMESAKES),
        )
        if left := len(self._namesakes) - len(made.candidates):
            self._notes.append(f"{left:,} more symbols have this name: give the file as well.")
        self._room -= json_length(made) - _ENVELOPE // 4
        found, summary = self._references() if wants("references") else (None, TraceSummary())
        calls, deepest = self._calls() if wants("calls") else (None, None)
        made = msgspec.structs.replace(
            made,
            tables=self._tables() if wants("definitions") else (),
            summary=msgspec.structs.replace(summary, max_call_depth=deepest),
            references=found,
            re_exports=self._re_exports() if wants("reexports") else None,
            calls=calls,
            types=self._types() if wants("types") else None,
            hierarchy=self._hierarchy() if wants("hierarchy") else None,
            statements=self._statements() if wants("statements") else None,
            impact=self._impact() if wants("impact") else None,
        )
        self._note_outside_reader()
        made = msgspec.structs.replace(made, cells=places_by_cell(self._graph, made))
        return measured(msgspec.structs.replace(made, nothing=self._nothing, notes=tuple(self._notes)))

    def _tables(self) -> tuple[TableState, ...]:
        found = tables_of(self._graph, [symbol.id for symbol in self._subject.declarations])
        if not found:
            self._parts -= 1
        lists = 3 * len(found)
        shown: list[TableState] = []
        for table in found:
            columns = self._within_share(table.columns, len(table.columns), "columns", lists)
            keys = self._within_share(table.keys, len(table.keys), "keys and indexes", lists - 1)
            changes = self._within_share(table.changes, len(table.changes), "changes", lists - 2)
            shown.append(msgspec.structs.replace(table, columns=columns, keys=keys, changes=changes))
            lists -= 3
        return tuple(shown)

    def _references(self) -> tuple[tuple[TracedReference, ...], TraceSummary]:
        found = references(self._graph, self._subject)
        self._note_nothing("references", found)
        if found.ambiguous:
            self._notes.append(found.ambiguous_note())
        sites = [(file.path, site) for file in found.files for site in file.sites][: self._request.max_references]
        lines = self._lines({path for path, _ in sites})
        made = [_reference(path, site, lines[path]) for path, site in sites]
        return self._within_share(made, found.total, "references", 1), TraceSummary(found.total, len(found.files))

    def _lines(self, paths: set[str]) -> dict[str, list[str]]:
        texts = self._texts() if paths else {}
        return {path: texts[path].text.decode("utf-8", "replace").split("\n") if path in texts else [] for path in paths}

    def _re_exports(self) -> tuple[TracedReExport, ...]:
        own = self._subject.declarations[0].relative_path
        found = exports(self._graph, self._subject)
        made = [
            TracedReExport(offer.path, offer.name, tuple(offer.via), offer.type_only)
            for offer in found.offers
            if offer.path != own
        ]
        if not made:
            self._nothing["reexports"] = _sentence(none_of(self._subject, "No other file offers it under a name."))
        return self._within_share(made, len(made), "re-exports", 1)

    def _calls(self) -> tuple[TracedCalls, int | None]:
        incoming = callers(self._graph, self._subject, self._request.depth)
        outgoing = callees(self._graph, self._subject, self._request.depth)
        if incoming.nothing is not None:
            self._nothing["calls.incoming"] = _sentence(incoming.nothing)
        if outgoing.nothing is not None:
            self._nothing["calls.outgoing"] = _sentence(outgoing.nothing)
        own = self._subject.declarations[0].relative_path
        ways_in, ways_out = list(_incoming(incoming.calls, 1)), list(_outgoing(outgoing.calls, 1, own))
        external = list(dict.fromkeys(f"{call.package}#{call.name}" for call in outgoing.externals))
        unknown = [f"{call.name} (line {call.lines[0]}, {call.reason})" for call in outgoing.unknown]
        frameworks = tuple(use.sentence for use in incoming.frameworks[:_MAX_NAMES])
        if incoming.implemented:
            frameworks = (*frameworks, implemented_note(incoming.implemented))
        self._room -= sum(len(name) + 3 for name in (*external[:_MAX_NAMES], *unknown[:_MAX_NAMES], *frameworks))
        calls = TracedCalls(
            self._within_share(ways_in, len(ways_in), "callers", 2),
            self._within_share(ways_out, len(ways_out), "callees", 1),
            tuple(external[:_MAX_NAMES]),
            tuple(unknown[:_MAX_NAMES]),
            incoming.unresolved.sites if incoming.unresolved else 0,
            frameworks,
        )
        depths = [call.depth for call in ways_in] + [call.depth for call in ways_out]
        return calls, max(depths, default=0)

    def _types(self) -> tuple[TracedType, ...]:
        found = type_flows(self._graph, self._subject)
        self._note_nothing("types", found)
        made = [_flow("parameter", flow) for flow in found.parameters]
        made += [_flow("return", found.return_type)] if found.return_type is not None else []
        made += [_flow("field", found.declared_type)] if found.declared_type is not None else []
        return self._within_share(made, len(made), "types", 1)

    def _hierarchy(self) -> TracedHierarchy | None:
        above = supertypes(self._graph, self._subject)
        below = subtypes(self._graph, self._subject)
        if above.nothing is not None and above.nothing.kind == "notApplicable":
            self._note_nothing("hierarchy", above)
            self._parts -= 1
            return None
        main = self._subject.declarations[0]
        root = HierarchyType(main.name, main.relative_path, main.kind, main.declaration_line)
        parents, children = [_related(each) for each in above.types], [_related(each) for each in below.types]
        if not parents and not children:
            self._nothing["hierarchy"] = "none: It extends and implements nothing, and nothing extends or implements it."
        return TracedHierarchy(
            root,
            self._within_share(parents, len(parents), "supertypes", 2),
            self._within_share(children, len(children), "subtypes", 1),
        )

    def _statements(self) -> TracedStatements | None:
        users, uses = users_of(self._graph, self._subject, self._request.depth), used_by(self._graph, self._subject)
        if not users and not uses:
            if "statements" in self._request.include:
                self._nothing["statements"] = _sentence(none_of(self._subject, "No statement uses it, and it has none."))
            self._parts -= 1
            return None
        return TracedStatements(
            self._within_share([_statement(each) for each in users], len(users), "statements that use it", 2),
            self._within_share([_statement(each) for each in uses], len(uses), "tables and columns that it uses", 1),
        )

    def _impact(self) -> TracedImpact | None:
        found = impact(self._graph, self._subject, self._request.depth)
        self._note_nothing("impact", found)
        language = language_of_indexed(self._subject.declarations[0].relative_path)
        if language in DATA and found.dependants:
            self._notes.append(f"{UNKNOWN_OF_DATA} There may be more dependents.")
        elif language not in WITH_KNOWN_USES:
            return None  # a risk of "none" would be wrong, because uses in this language are not known
        direct, transitive = [_dependent(each) for each in found.direct], [_dependent(each) for each in found.transitive]
        tests = found.tests[:_MAX_NAMES]
        self._room -= sum(len(path) + 3 for path in tests)
        near = {each.symbol.relative_path for each in found.direct}
        summary = ImpactSummary(
            len(near),
            len({file.path for file in found.files} - near),
            len(found.dependants),
            len(found.modules),
            len(found.exported),
            len(found.tests),
            found.risk,
            found.reasons,
        )
        shown = self._within_share(direct, len(direct), "direct dependents", 2)
        return TracedImpact(
            shown, self._within_share(transitive, len(transitive), "transitive dependents", 1), tuple(tests), summary
        )

    def _within_share(self, items: Sequence[Item], total: int, what: str, lists: int) -> tuple[Item, ...]:
        """Return the first items that fit the share of a list.

        `lists` is the number of lists in this part of the trace that are still empty.
        """
        share = max(self._room, 0) // max(self._parts, 1) // lists
        self._parts -= lists == 1
        shown, used = fitting(items, share)
        self._room -= used
        if len(shown) < total:
            self._notes.append(f"{total - len(shown):,} more {what}: ask for this part alone, or raise the limit or the budget.")
        return tuple(shown)

    def _note_outside_reader(self) -> None:
        """Note that code outside of the repository may use the symbol, where the answer would else say that nothing uses it."""
        main = self._subject.declarations[0]
        parts = [part for part in _USES if self._nothing.get(part, "").startswith("none:")]
        if not parts or not main.exported or main.depth:
            return
        names = {offer.name for offer in exports(self._graph, self._subject).offers if offer.path == main.relative_path}
        reason = self._outside_reader(main.relative_path, names)
        if reason.startswith(RUN_BY):
            self._nothing |= dict.fromkeys(parts, f"entryPoint: Nothing in the repository uses it, but it is {reason}.")
            return
        for part in parts if reason else ():
            self._nothing[part] = (
                f"unresolved: Nothing in the repository uses it, but its file is an entry point ({reason}), "
                "so that code outside of the repository may use it."
            )

    def _note_nothing(self, part: str, found: Analysis) -> None:
        if found.nothing is not None:
            self._nothing[part] = _sentence(found.nothing)


def _statement(site: DataUseSite) -> TracedStatement:
    verb = "modifies" if site.modifies else "reads"
    line = site.lines[0] if site.lines else 0
    return TracedStatement(site.name, site.path, line, site.kind, verb, site.statement, site.evidence, site.dialect, site.through)


def _sentence(nothing: EmptyReason) -> str:
    return f"{nothing.kind}: {nothing.message}"


def _unknown(graph: GraphDatabase, subject: Subject, nothing: EmptyReason) -> TraceAnswer:
    candidates = _candidates(nothing.candidates, _MAX_NAMES)
    left = len(nothing.candidates) - len(candidates)
    notes = (f"{left:,} more candidates: give the file as well.",) if left else ()
    made = TraceAnswer(
        subject.requested, TraceSummary(), nothing={"symbol": _sentence(nothing)}, candidates=candidates, notes=notes
    )
    return msgspec.structs.replace(made, cells=places_by_cell(graph, made))


def _candidates(candidates: Sequence[Candidate], limit: int) -> tuple[TraceCandidate, ...]:
    return tuple(
        TraceCandidate(candidate.path, candidate.symbol.kind, candidate.symbol.relative_path, candidate.symbol.start_line)
        for candidate in candidates[:limit]
    )


def _definition(symbol: Symbol) -> Definition:
    return Definition(
        symbol.relative_path,
        symbol.name_line,
        symbol.kind,
        shortened(symbol.signature, _MAX_TEXT_LENGTH),
        symbol.breadcrumb,
        symbol.exported,
    )


def _reference(path: str, site: ReferenceSite, lines: Sequence[str]) -> TracedReference:
    written = lines[site.line - 1] if site.line <= len(lines) else ""
    utf16 = utf16_length(written[: site.column - 1]) + 1
    return TracedReference(
        path,
        site.line,
        site.column,
        shortened(written.strip(), _MAX_TEXT_LENGTH),
        site.role,
        site.user.qualified_name if site.user.relative_path == path else "",
        site.alias,
        utf16 if utf16 != site.column else 0,
    )


def _incoming(calls: Sequence[Call], depth: int) -> Iterator[IncomingCall]:
    """Yield the nodes of a tree of callers. A symbol that only encloses a caller has the line of its declaration."""
    for call in calls:
        symbol = call.symbol
        mark = f"{'' if call.sites else _HOLDS}{call.mark}".strip()
        line = call.sites[0].line if call.sites else symbol.declaration_line
        yield IncomingCall(symbol.qualified_name, symbol.kind, symbol.relative_path, line, symbol.declaration_line, depth, mark)
        yield from _incoming(call.calls, depth + 1)


def _outgoing(calls: Sequence[Call], depth: int, caller: str) -> Iterator[OutgoingCall]:
    """Yield the nodes of a tree of callees. Call sites are in the file of the caller."""
    for call in calls:
        symbol = call.symbol
        site = f"{caller}:{call.sites[0].line}" if call.sites else ""
        yield OutgoingCall(
            symbol.qualified_name, symbol.kind, symbol.relative_path, symbol.declaration_line, site, depth, call.mark.strip()
        )
        yield from _outgoing(call.calls, depth + 1, symbol.relative_path)


def _flow(direction: str, flow: FlowParameter) -> TracedType:
    places = tuple(TracedPlace(found.name, found.file, found.line) for found in flow.resolved_types)
    return TracedType(direction, flow.type or "", flow.name if direction == "parameter" else "", places)


def _related(found: RelatedType) -> HierarchyType:
    symbol = found.symbol
    if symbol is None:
        return HierarchyType(found.name, found.package, "external", 0, found.distance)
    return HierarchyType(found.name, symbol.relative_path, symbol.kind, symbol.declaration_line, found.distance)


def _dependent(found: Dependant) -> Dependent:
    symbol = found.symbol
    return Dependent(
        symbol.qualified_name, symbol.relative_path, symbol.declaration_line, symbol.kind, found.through, found.distance
    )
