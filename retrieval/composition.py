"""Composes an answer from its hits: connection graph and snapshots, together within the token budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graphdb.answer_queries import SymbolPlace, place_of
from ..graphdb.database import GraphDatabase
from ..graphdb.symbol_queries import symbols_by_id
from ..schema.settings import Settings
from .answer import RankedResult, SearchAnswer, assembled_answer
from .chunk_table import ChunkTable
from .connection_graph import connection_graph
from .enrichment import Enrichment
from .shown_symbols import ShownTargets, read_shown_targets
from .snapshot import ShownSymbol, snapshot
from .surroundings import read_surroundings

#: Symbols that a note names.
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Hit:
    """A symbol that the answer is to show, and its score."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that did not fit: how to ask for it, and its tokens."""

    lookup: str
    tokens: int


class Composer:
    """Composes answers over one generation of the index. Safe to share between threads."""

    def __init__(self, graph: GraphDatabase, table: ChunkTable, settings: Settings) -> None:
        self._graph = graph
        self._table = table
        self._settings = settings

    def compose(self, query: str, hits: Sequence[Hit], budget: int | None, left_out: Sequence[LeftOut] = ()) -> SearchAnswer:
        """The answer that shows the hits, best first, as many as the budget admits and at least one."""
        details = symbols_by_id(self._graph, [hit.id for hit in hits])
        scores = {hit.id: hit.score for hit in hits if hit.id in details}
        places = [place_of(details[id]) for id in scores]
        surroundings = read_surroundings(self._graph, places)
        shown = read_shown_targets(self._graph, self._table, surroundings, budget)
        enrichment = Enrichment.read(self._graph, surroundings, details, lambda place: _text(place, shown))
        draft = _Draft(query, budget, scores, enrichment, shown, self._settings.call_depth)
        results = [
            RankedResult(
                id=id,
                file=symbol.relative_path,
                start_line=symbol.start_line,
                end_line=symbol.end_line,
                name=symbol.name,
                kind=symbol.kind,
                breadcrumb=symbol.breadcrumb,
                score=round(scores[id], 4),
                tokens=shown.tokens[id],
            )
            for id in scores
            for symbol in [details[id]]
        ]
        return _fitted(draft, results, left_out)


@dataclass(frozen=True, slots=True)
class _Draft:
    """Everything fetched for an answer, from which it is written for any number of its first results."""

    query: str
    budget: int | None
    scores: dict[str, float]
    enrichment: Enrichment
    shown: ShownTargets
    call_depth: int

    def write(self, results: Sequence[RankedResult], left_out: Sequence[LeftOut]) -> SearchAnswer:
        kept = [result.id for result in results]
        structures = self.enrichment.restricted(kept).structures(self.call_depth)
        graph_text = connection_graph(structures, notes=self._notes(kept, left_out))
        snapshots = self._snapshots(kept)
        answer = assembled_answer(self.query, results, graph_text, snapshots, self.budget)
        if len(kept) == 1 and self.budget is not None and answer.tokens > self.budget:
            (text, score), excess = snapshots[0], 4 * (answer.tokens - self.budget)
            answer = assembled_answer(self.query, results, graph_text, [(_cut(text, len(text) - excess), score)], self.budget)
        return answer

    def _snapshots(self, ids: Sequence[str]) -> list[tuple[str, float]]:
        by_path: dict[str, list[ShownSymbol]] = {}
        best: dict[str, float] = {}
        for id in ids:
            path = self.shown.shown[id][0].symbol.relative_path
            by_path.setdefault(path, []).extend(self.shown.shown[id])
            best.setdefault(path, self.scores[id])
        return [(snapshot(path, items, self.shown.sources[path]), best[path]) for path, items in by_path.items()]

    def _notes(self, ids: Sequence[str], left_out: Sequence[LeftOut]) -> list[str]:
        too_long = {symbol.id: (symbol, size) for id in ids for symbol, size in self.shown.too_long.get(id, ())}
        declarations = [LeftOut(_lookup(symbol), size) for symbol, size in too_long.values()]
        return _note("Beyond the budget", left_out) + _note("Referred to, but too long to come along", declarations)


def _fitted(draft: _Draft, results: Sequence[RankedResult], left_out: Sequence[LeftOut]) -> SearchAnswer:
    """The answer with as many results as fit: the last go first, and a note says how to get them."""
    kept, dropped = list(results), list(left_out)
    answer = draft.write(kept, dropped)
    while draft.budget is not None and answer.tokens > draft.budget and len(kept) > 1:
        excess = answer.tokens - draft.budget
        while excess > 0 and len(kept) > 1:
            last = kept.pop()
            dropped.insert(0, LeftOut(last.breadcrumb, last.tokens))
            excess -= last.tokens
        answer = draft.write(kept, dropped)
    return answer


def _cut(text: str, characters: int) -> str:
    """The first lines of a text that is too long even alone, and a line that says so."""
    lines = text.split("\n")
    marker = "// … {} further lines do not fit the token budget"
    shown, length = 0, len(marker) + 6
    while shown < len(lines) and length + len(lines[shown]) + 1 <= characters:
        length += len(lines[shown]) + 1
        shown += 1
    return "\n".join([*lines[:shown], marker.format(len(lines) - shown)])


def _note(what: str, left_out: Sequence[LeftOut]) -> list[str]:
    if not left_out:
        return []
    named = "; ".join(f"symbol = {item.lookup} ({item.tokens:,} tokens)" for item in left_out[:_MOST_NAMED])
    more = len(left_out) - _MOST_NAMED
    return [f"{what}: {named}{f'; and {more} more' if more > 0 else ''}"]


def _lookup(symbol: SymbolPlace) -> str:
    return " > ".join([symbol.relative_path, *symbol.qualified_name.split(".")])


def _text(symbol: SymbolPlace, shown: ShownTargets) -> str:
    return "\n".join(shown.sources[symbol.relative_path].between(symbol.start_line, symbol.end_line))
