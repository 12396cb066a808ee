"""Rank matching lines and symbols together. A score is half the relevance of the symbol plus half the relevance of the line."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence

import msgspec

from ...graphdb.database import GraphDatabase
from ..query.search_request import SearchRequest
from ..ranking.kind_filter import besides_imports
from ..ranking.ranking import Ranked
from .composition import Texts, admitted_files, located, searched, unread, within_budget
from .records import LineMatch, LiteralAnswer
from .scan import finder

#: Relevance of a line in which the text is a word in the same case.
_AS_WRITTEN = 1.0
#: Relevance of a line in which the text is a word in another case.
_AS_WORD = 0.9
#: Relevance of a line in which the text is part of a word.
_AS_PART = 0.7
#: Weight of the relevance of the symbol.
_SEMANTIC_SHARE = 0.5
#: Weight of the relevance of the line.
_LITERAL_SHARE = 0.5

#: Ranks all candidates for the query of a request, best first.
Rank = Callable[[SearchRequest], list[Ranked]]


def compose_hybrid(
    graph: GraphDatabase, texts: Texts, request: SearchRequest, budget: int, seconds: float, rank: Rank
) -> LiteralAnswer:
    """Return relevant symbols and matching lines, best first. A line inside a ranked symbol does not count as a separate match.

    Raises UsageError.
    """
    find = finder(request.query, is_regex=request.is_regex, case_sensitive=request.case_sensitive)
    files = admitted_files(graph, request)
    started = time.perf_counter()
    lines = searched(texts(), files, find, request, budget, seconds)
    ranked = besides_imports(rank(request), request.query)
    merged = _merged(located(graph, request, lines), ranked, request)
    merged = [match for match in merged if match.score >= (request.min_score or 0.0)]
    answer = LiteralAnswer(
        request.query,
        request.mode,
        (),
        lines.total,
        lines.files,
        round((time.perf_counter() - started) * 1000, 1),
        total_candidates=len(ranked),
        complete=lines.complete,
        unread_files=tuple(unread(files)),
    )
    return within_budget(graph, answer, merged, request, budget)


def _merged(lines: Sequence[LineMatch], ranked: Sequence[Ranked], request: SearchRequest) -> list[LineMatch]:
    inside: dict[str, list[LineMatch]] = defaultdict(list)
    alone: list[LineMatch] = []
    in_files: dict[str, list[Ranked]] = defaultdict(list)
    for found in ranked:
        in_files[found.chunk.relative_path].append(found)
    for line in lines:
        around = _innermost(line, in_files[line.file])
        if around is None:
            alone.append(msgspec.structs.replace(line, score=_score(0.0, _relevance(line, request)), source="literal"))
        else:
            inside[around.chunk.id].append(line)
    symbols = [_symbol(found, inside[found.chunk.id], request) for found in ranked]
    best = sorted([*symbols, *alone], key=lambda match: (-match.score, match.file, match.line))
    return [msgspec.structs.replace(match, rank=place) for place, match in enumerate(best, 1)]


def _symbol(found: Ranked, lines: Sequence[LineMatch], request: SearchRequest) -> LineMatch:
    """Return a match for a symbol, at its best matching line, or at its first line if no line matches."""
    chunk = found.chunk
    best = max(lines, key=lambda line: (_relevance(line, request), -line.line), default=None)
    score = _score(found.score, _relevance(best, request) if best is not None else 0.0)
    source = "semantic" if best is None else "both"
    name = f"{chunk.parent_name}.{chunk.name}" if chunk.parent_name else chunk.name
    if best is not None:
        return msgspec.structs.replace(best, score=score, source=source)
    return LineMatch(0, chunk.relative_path, chunk.start_line, symbol=name, kind=chunk.node_kind, score=score, source=source)


def _innermost(line: LineMatch, ranked: Sequence[Ranked]) -> Ranked | None:
    holding = [found for found in ranked if found.chunk.start_line <= line.line <= found.chunk.end_line]
    return min(holding, key=lambda found: found.chunk.end_line - found.chunk.start_line, default=None)


def _relevance(line: LineMatch, request: SearchRequest) -> float:
    text = line.context.line if line.context is not None else ""
    begin = line.column - 1
    end = begin + len(line.match)
    beside = (text[begin - 1 : begin] if begin else "") + text[end : end + 1]
    if any(character.isalnum() or character == "_" for character in beside):
        return _AS_PART
    return _AS_WRITTEN if request.is_regex or line.match == request.query else _AS_WORD


def _score(semantic: float, literal: float) -> float:
    return round(_SEMANTIC_SHARE * semantic + _LITERAL_SHARE * literal, 4)
