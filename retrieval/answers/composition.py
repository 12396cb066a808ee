"""Compose an answer from its hits: the connection graph and the excerpts, together within the token budget."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from ...graphdb.symbols.symbol_table import SymbolTable
from ...schema.import_clauses import ImportClause
from ...schema.records import Symbol, SymbolRef
from ...schema.settings import Settings
from ...schema.symbol_kinds import MEMBER_KINDS
from ..context.connection_graph import connection_graph, first_details
from ..context.details_section import detail_block
from ..context.neighbors import read_neighbors
from ..context.result_context import ResultStructure
from ..context.result_reader import ResultReader
from ..excerpts.elision import shortened
from ..excerpts.excerpt import STATEMENT, ShownSymbol, nothing_but_path, snapshot
from ..excerpts.plan import MAX_ENCLOSING_SHARE, NOMINAL_BUDGET, ShownTargets, read_shown_targets
from ..excerpts.result_merging import Hit, named_hits
from ..source.source_lines import SourceLines
from ..source.source_syntax import SourceSyntax
from ..text.tokens import tokens_of_characters
from ..vectors.chunk_table import ChunkTable
from .answer import RankedResult, SearchAnswer, assembled_answer
from .selection import Constraints, Sized, select

#: Maximum number of characters of a lookup in a note.
_MAX_LOOKUP_LENGTH = 120
#: Maximum number of symbols that a note names.
_MAX_NAMED = 5
#: Factor by which the tokens of fetched hits may exceed the budget. A declaration that several hits use is shown only once.
_SPARE = 1.5
#: Estimated number of tokens of a result in all sections of the connection graph.
_DETAIL_TOKENS = 50
#: Estimated number of characters of a result in the topology and the patterns of the connection graph.
_TOPOLOGY_CHARACTERS = 120
#: Estimated number of characters around a head: a mark, the closing line, a blank line, or the lines of an enclosing scope.
_HEAD_CHARACTERS = 40
#: Maximum number of times that an answer is composed again because of the length of its note about left-out hits.
_MAX_SENTENCES = 3
_NO_HEADS: Mapping[str, Sequence[ShownSymbol]] = {}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A symbol that did not fit: the lookup that requests it, and its number of tokens."""

    lookup: str
    tokens: int


class Composer:
    """Composes answers from one generation of the index. Threads may share a composer."""

    def __init__(self, symbols: SymbolTable, table: ChunkTable, settings: Settings, syntax: SourceSyntax) -> None:
        self._symbols = symbols
        self._table = table
        self._settings = settings
        self._syntax = syntax

    def compose_named(self, query: str, symbols: Sequence[Symbol], budget: int | None, notes: Sequence[str] = ()) -> SearchAnswer:
        """Return the answer with the symbols of a name, best first, and with notes about them.

        Thousands of symbols may have one name. The texts of symbols for which the budget has no room are not read.
        """
        most = len(symbols) if budget is None else int(budget * _SPARE) // _DETAIL_TOKENS + _MAX_NAMED + 1
        hits = named_hits(self._symbols, self._table, [symbol.id for symbol in symbols[:most]], self._syntax)
        unread = [Hit(symbol, 1.0, 0, is_named=True) for symbol in symbols[most:]]
        return self.compose(query, hits, budget, notes, unread)

    def compose(
        self, query: str, hits: Sequence[Hit], budget: int | None, notes: Sequence[str] = (), unread: Sequence[Hit] = ()
    ) -> SearchAnswer:
        """Return the answer with as many hits as fit the budget, best first, and with at least one hit.

        The connection graph ends with the notes, and with the names of hits that did not fit. It only counts the hits `unread`,
        which come after them.
        """
        sized = [Sized(hit.score, hit.tokens + _DETAIL_TOKENS) for hit in hits]
        if budget is not None and sized:
            # The best hit is always chosen. If it is too large, half of the budget remains for other hits.
            sized[0] = sized[0]._replace(tokens=min(sized[0].tokens, budget // MAX_ENCLOSING_SHARE))
        selection = select(sized, Constraints(0.0, None if budget is None else int(budget * _SPARE), None))
        chosen = [hits[place] for place in selection.chosen]
        left_out = [*(hits[place] for place in selection.left_out), *unread]
        draft = self._draft(query, chosen, budget, notes)
        answer = _fitted(draft, left_out)
        if len(chosen) > 1 and len(answer.results) == 1 and (cut := draft.cut_hit(answer)):
            # A hit that does not fit whole is replaced by hits inside it, or shortened so that other hits fit.
            if any(hit is not cut and _holds(cut.symbol, hit.symbol) for hit in chosen):
                chosen = [hit for hit in chosen if hit is not cut]
                left_out = [*left_out, cut]
                draft = self._draft(query, chosen, budget, notes)
            else:
                draft = draft.leaving_room(cut)
            answer = _fitted(draft, left_out)
        return answer

    def _draft(self, query: str, hits: Sequence[Hit], budget: int | None, notes: Sequence[str]) -> _Draft:
        details = {hit.symbol.id: hit.symbol for hit in hits}
        neighbors = read_neighbors(self._symbols, [symbol.ref for symbol in details.values()])
        read = {hit.symbol.relative_path: hit.lines for hit in hits if hit.lines is not None}
        shown = read_shown_targets(self._symbols, self._table, neighbors, details, budget, self._syntax, read)
        reader = ResultReader.read(
            self._symbols, neighbors, details, lambda place: _text(place, shown), lambda place: _imports(place, shown)
        )
        call_depth = self._settings.call_depth
        return _Draft(query, budget, hits, notes, reader, shown, call_depth, reader.structures(call_depth))


@dataclass(frozen=True, slots=True)
class _Draft:
    """The data of an answer. The data are sufficient for the answer with any subset of the hits."""

    query: str
    budget: int | None
    #: All hits, best first.
    hits: Sequence[Hit]
    notes: Sequence[str]
    reader: ResultReader
    shown: ShownTargets
    call_depth: int
    #: Graph data of all hits.
    structures: Sequence[ResultStructure]
    #: Cached excerpts, because the answer is composed several times with different hits.
    texts: dict[tuple[object, ...], str] = field(default_factory=dict)

    def write(self, hits: Sequence[Hit], left_out: Sequence[Hit]) -> SearchAnswer:
        ids = [hit.symbol.id for hit in hits]
        of_these = self.structures if len(ids) == len(self.structures) else self._structures_of(ids)
        structures = {found.symbol.id: found for found in of_these}
        missing = self._missing(ids, left_out)
        described_results, notes = [structures[id] for id in ids], self._notes(ids, missing)
        named = {hit.symbol.id for hit in missing[:_MAX_NAMED]}
        graph_text = connection_graph(described_results, notes=notes)
        snapshots = self._snapshots(hits)
        results = [self._result(hit) for hit in hits]
        answer = assembled_answer(self.query, results, graph_text, snapshots, self.budget)
        if heads := self._heads(hits):
            answer, rest = self._filled(answer, hits, heads, graph_text)
            for _ in range(_MAX_SENTENCES if rest else 0):
                # The note about left-out heads also needs tokens.
                noted = connection_graph(described_results, notes=[*notes, *self._note_of(rest, named)])
                bare = assembled_answer(self.query, results, noted, snapshots, self.budget)
                shorter, left = self._filled(bare, hits, heads, noted)
                answer, rest, known = (shorter, left, len(rest)) if self._fits(shorter) else (answer, [], 0)
                if len(rest) == known:
                    break
        if len(ids) == 1 and self.budget is not None and answer.tokens > self.budget:
            snapshots = [(self._shortened(hits[0], answer.tokens - self.budget), hits[0].score)]
            answer = assembled_answer(self.query, results, graph_text, snapshots, self.budget)
            if answer.tokens > self.budget:
                graph_text = first_details(graph_text, len(graph_text) - 4 * (answer.tokens - self.budget))
                answer = assembled_answer(self.query, results, graph_text, snapshots, self.budget)
        return answer

    def _structures_of(self, ids: Sequence[str]) -> Sequence[ResultStructure]:
        return self.reader.restricted(ids).structures(self.call_depth, self.structures)

    def block_characters(self) -> dict[str, int]:
        """Return the approximate length of each hit's lines in the connection graph."""
        return {found.symbol.id: sum(map(len, detail_block(found, 1))) + _TOPOLOGY_CHARACTERS for found in self.structures}

    def snapshot_of(self, path: str, hits: Sequence[Hit], heads: Sequence[ShownSymbol] = ()) -> str:
        """Return the excerpt of one file with these hits and these heads of used declarations."""
        key = (path, *(hit.symbol.id for hit in hits), None, *(head.symbol.id for head in heads))
        if key not in self.texts:
            self.texts[key] = self._new_snapshot(path, hits, heads)
        return self.texts[key]

    def _new_snapshot(self, path: str, hits: Sequence[Hit], heads: Sequence[ShownSymbol]) -> str:
        items = self.shown.of([hit.symbol.ref for hit in hits])
        # A class that is shown as an enclosing scope needs no further head.
        shells = {outer.id for item in (*items, *heads) for outer in item.enclosing}
        items += [head for head in heads if head.symbol.id not in shells]
        return self._snapshot(path, items)

    def _shortened(self, hit: Hit, excess: int) -> str:
        """Return the first lines of the excerpt of an answer's only hit, which exceeds the budget by `excess` tokens."""
        path, target = hit.symbol.relative_path, self.shown.shown[hit.symbol.id][0].symbol
        items = self._beginning(hit, len(self.snapshot_of(path, [hit])) - 4 * excess)
        return self._snapshot(path, items) if items else nothing_but_path(path, target.end_line - target.start_line + 1)

    def _beginning(self, hit: Hit, most: int) -> list[ShownSymbol]:
        """Return the first lines of a hit as an excerpt of at most `most` characters; an empty list if no line fits.

        If necessary, the declarations that the hit uses are omitted, and then also its doc comment.
        """
        path, (target, *context) = hit.symbol.relative_path, self.shown.shown[hit.symbol.id]
        source = self.shown.sources[path]
        place = target.symbol
        declared = msgspec.structs.replace(place, start_line=place.declaration_line)
        for whole, beside in ((target, context), (target, ()), (replace(target, symbol=declared, begins=place.start_line), ())):

            def items(last: int, whole: ShownSymbol = whole, beside: Sequence[ShownSymbol] = beside) -> list[ShownSymbol]:
                return [shortened(whole, last, source), *beside]

            lines = range(target.symbol.declaration_line, target.symbol.end_line)
            fitting = bisect_right(lines, most, key=lambda last: len(self._snapshot(path, items(last))))
            if fitting:
                return items(lines[fitting - 1])
        return []

    def _snapshot(self, path: str, items: Sequence[ShownSymbol]) -> str:
        return snapshot(path, items, self.shown.sources[path], self.shown.imports.get(path))

    def cut_hit(self, answer: SearchAnswer) -> Hit | None:
        """Return the only hit of an answer if the excerpt shows just a part of the hit, else None."""
        found = next(hit for hit in self.hits if hit.symbol.id == answer.results[0].id)
        whole = self.snapshot_of(found.symbol.relative_path, [found])
        return found if len(answer.texts[1].text) < len(whole) else None

    def leaving_room(self, hit: Hit) -> _Draft:
        """Return the draft with one hit shortened to half of the budget."""
        items = self._beginning(hit, 4 * (self.budget or NOMINAL_BUDGET) // MAX_ENCLOSING_SHARE)
        return replace(self, shown=self.shown.with_items(hit.symbol.id, items), texts={}) if items else self

    def _heads(self, hits: Sequence[Hit]) -> list[tuple[Hit, ShownSymbol]]:
        """Return the heads of the declarations that the hits use, without duplicates, each with a hit that uses it."""
        heads = {head.symbol.id: (hit, head) for hit in reversed(hits) for head in reversed(self.shown.heads[hit.symbol.id])}
        shown = {hit.symbol.id for hit in hits}
        return [heads[id] for id in reversed(heads) if id not in shown]

    def _note_of(self, heads: Sequence[tuple[Hit, ShownSymbol]], named: Collection[str]) -> list[str]:
        unnamed = [head.symbol for _, head in heads if head.symbol.id not in named]
        left_out = [LeftOut(_lookup(symbol), _tokens(symbol, self.shown)) for symbol in unnamed]
        return _note("Referred to, but beyond the budget", left_out)

    def _filled(
        self, answer: SearchAnswer, hits: Sequence[Hit], heads: Sequence[tuple[Hit, ShownSymbol]], graph_text: str
    ) -> tuple[SearchAnswer, Sequence[tuple[Hit, ShownSymbol]]]:
        """Return the answer with as many heads as fit, and the heads that do not fit.

        Lengths of heads are estimates, so the length of the composed answer is checked.
        """
        shown: list[tuple[Hit, ShownSymbol]] = []
        rest = list(heads)
        while rest and (more := self._fitting(rest, answer.tokens)):
            by_path: dict[str, list[ShownSymbol]] = {}
            for hit, head in (*shown, *more):
                by_path.setdefault(hit.symbol.relative_path, []).append(head)
            longer = assembled_answer(self.query, answer.results, graph_text, self._snapshots(hits, by_path), self.budget)
            if not self._fits(longer):
                break
            answer = longer
            shown += more
            rest = [item for item in rest if item not in more]
        return answer, rest

    def _fitting(self, heads: Sequence[tuple[Hit, ShownSymbol]], tokens: int) -> list[tuple[Hit, ShownSymbol]]:
        """Return the first heads that fit in the rest of the budget after `tokens`, according to their estimated lengths."""
        fitting: list[tuple[Hit, ShownSymbol]] = []
        for hit, head in heads:
            tokens += _head_tokens(head, self.shown.sources[hit.symbol.relative_path])
            if self.budget is not None and tokens > self.budget:
                break
            fitting.append((hit, head))
        return fitting

    def _fits(self, answer: SearchAnswer) -> bool:
        return self.budget is None or answer.tokens <= self.budget

    def is_within(self, inner: Hit, outer: Hit) -> bool:
        """Return whether the excerpt of `outer` shows `inner` whole, so that `inner` is not a separate result.

        Without a budget, the answer shows the whole ranking, and the function returns False.
        """
        is_whole = not self.shown.shown[outer.symbol.id][0].stubs
        return self.budget is not None and is_whole and not inner.is_named and _holds(outer.symbol, inner.symbol)

    def _result(self, hit: Hit) -> RankedResult:
        symbol = hit.symbol
        return RankedResult(
            id=symbol.id,
            file=symbol.relative_path,
            start_line=symbol.start_line,
            end_line=symbol.end_line,
            name=symbol.name,
            kind=symbol.kind,
            breadcrumb=symbol.breadcrumb,
            score=round(hit.score, 4),
            tokens=self.shown.tokens[symbol.id],
        )

    def _snapshots(self, hits: Sequence[Hit], heads: Mapping[str, Sequence[ShownSymbol]] = _NO_HEADS) -> list[tuple[str, float]]:
        by_path: dict[str, list[Hit]] = {}
        for hit in hits:
            by_path.setdefault(hit.symbol.relative_path, []).append(hit)
        return [
            (self.snapshot_of(path, within, heads.get(path, ())), max(hit.score for hit in within))
            for path, within in by_path.items()
        ]

    def _missing(self, ids: Sequence[str], left_out: Sequence[Hit]) -> list[Hit]:
        """Return the outermost left-out hits, without hits that the answer shows as used declarations."""
        used = {item.symbol.id for id in ids for item in self.shown.shown[id][1:] if not item.stubs}
        return [hit for hit in _outermost(left_out) if hit.symbol.id not in used]

    def _notes(self, ids: Sequence[str], missing: Sequence[Hit]) -> list[str]:
        # A symbol that is shown only by its parts does not show other declarations inside it.
        targets = [self.shown.shown[id][0].symbol for id in ids if not self.shown.parts.forms[id].is_parted]
        named = {hit.symbol.id for hit in missing[:_MAX_NAMED]}
        too_long = {
            symbol.id: LeftOut(_lookup(symbol), size)
            for id in ids
            for symbol, size in self.shown.too_long.get(id, ())
            if symbol.id not in named and not any(_holds(target, symbol) for target in targets)
        }
        beyond = [LeftOut(_shortest_lookup(hit.symbol), hit.tokens) for hit in missing]
        return [
            *self.notes,
            *_note("Beyond the budget", beyond),
            *_note("Referred to, but too long to come along", list(too_long.values())),
        ]


def _fitted(draft: _Draft, left_out: Sequence[Hit]) -> SearchAnswer:
    """Return the answer with the hits that fit, best first. A smaller hit may fit after a larger one that does not fit."""
    kept, dropped = _admitted(draft)
    answer = draft.write(kept, _best_first(dropped, left_out))
    while draft.budget is not None and answer.tokens > draft.budget and len(kept) > 1:
        excess = answer.tokens - draft.budget
        while excess > 0 and len(kept) > 1:
            dropped.append(kept.pop())
            excess -= dropped[-1].tokens
        answer = draft.write(kept, _best_first(dropped, left_out))
    return answer


def _admitted(draft: _Draft) -> tuple[list[Hit], list[Hit]]:
    """Return the hits that fit the budget and the hits that do not fit, by the number of characters that each hit adds."""
    blocks = draft.block_characters()
    by_path: dict[str, tuple[list[Hit], int]] = {}
    kept: list[Hit] = []
    dropped: list[Hit] = []
    spent = 0
    for hit in draft.hits:
        if any(draft.is_within(hit, outer) for outer in kept):
            continue
        path = hit.symbol.relative_path
        beside, length = by_path.get(path, ([], 0))
        longer = len(draft.snapshot_of(path, [*beside, hit]))
        spent_with_it = spent + longer - length + blocks[hit.symbol.id]
        if kept and draft.budget is not None and tokens_of_characters(spent_with_it) > draft.budget:
            dropped.append(hit)
            continue
        spent = spent_with_it
        by_path[path] = ([*beside, hit], longer)
        # A class does not replace its members that rank above it.
        replaces = hit.symbol.kind not in MEMBER_KINDS
        kept = _with(kept, hit, [inner for inner in kept if replaces and draft.is_within(inner, hit)])
    return kept, dropped


def _with(kept: Sequence[Hit], hit: Hit, within: Sequence[Hit]) -> list[Hit]:
    """Return the hits with one more hit. The new hit replaces the hits `within` it.

    The new hit has the rank of the first replaced hit, and the higher of both scores.
    """
    if not within:
        return [*kept, hit]
    merged = replace(hit, score=max(hit.score, within[0].score))
    return [merged if inner is within[0] else inner for inner in kept if inner is within[0] or inner not in within]


def _head_tokens(head: ShownSymbol, source: SourceLines) -> int:
    """Return the estimated tokens of a head, with a mark, a blank line, and the lines of enclosing scopes."""
    symbol = head.symbol
    opening = symbol.end_line - sum(stub.symbol.end_line - stub.first_line + 1 for stub in head.stubs)
    return tokens_of_characters(source.characters(symbol.start_line, opening) + _HEAD_CHARACTERS * (1 + len(head.enclosing)))


def _best_first(*hits: Sequence[Hit]) -> list[Hit]:
    return sorted((hit for some in hits for hit in some), key=lambda hit: -hit.score)


def _outermost(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits that are not inside other hits."""
    by_path: dict[str, list[SymbolRef]] = {}
    for hit in hits:
        by_path.setdefault(hit.symbol.relative_path, []).append(hit.symbol)
    return [
        hit
        for hit in hits
        if not any(outer.id != hit.symbol.id and _holds(outer, hit.symbol) for outer in by_path[hit.symbol.relative_path])
    ]


def _holds(outer: SymbolRef, inner: SymbolRef) -> bool:
    return (
        outer.relative_path == inner.relative_path and outer.start_line <= inner.start_line and inner.end_line <= outer.end_line
    )


def _note(what: str, left_out: Sequence[LeftOut]) -> list[str]:
    if not left_out:
        return []
    sizes = (f" ({item.tokens:,} tokens)" if item.tokens else "" for item in left_out)  # texts that were not read have no size
    named = "; ".join(f"symbol = {item.lookup}{size}" for item, size in zip(left_out[:_MAX_NAMED], sizes, strict=False))
    more = len(left_out) - _MAX_NAMED
    return [f"{what}: {named}{f'; and {more} more' if more > 0 else ''}"]


def _shortest_lookup(symbol: Symbol) -> str:
    """Return the breadcrumb of a symbol, or path and line if titles of tests make the breadcrumb too long."""
    return symbol.breadcrumb if len(symbol.breadcrumb) <= _MAX_LOOKUP_LENGTH else f"{symbol.relative_path}:{symbol.start_line}"


def _lookup(symbol: SymbolRef) -> str:
    if symbol.kind == STATEMENT:
        return f"{symbol.relative_path}:{symbol.start_line}"
    return " > ".join([symbol.relative_path, *symbol.qualified_name.split(".")])


def _tokens(symbol: SymbolRef, shown: ShownTargets) -> int:
    return tokens_of_characters(shown.sources[symbol.relative_path].characters(symbol.start_line, symbol.end_line))


def _text(symbol: SymbolRef, shown: ShownTargets) -> str:
    return "\n".join(shown.sources[symbol.relative_path].between(symbol.start_line, symbol.end_line))


def _imports(statement: SymbolRef, shown: ShownTargets) -> Sequence[ImportClause]:
    return shown.sources[statement.relative_path].imports(statement.start_line, statement.end_line)
