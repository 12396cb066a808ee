"""The search engine, which answers questions and symbol lookups."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from ..graphdb.database import GraphDatabase
from ..graphdb.queries.answers import take_over_import_uses
from ..graphdb.queries.symbols import symbols_by_name
from ..graphdb.symbols.notebook_cells import cells_of
from ..graphdb.symbols.symbol_table import SymbolTable, symbols_of
from ..schema.manifest import Exclusion
from ..schema.settings import Settings
from ..schema.symbol_kinds import DIAGRAM_KINDS, STATEMENTS
from .answers.answer import AnswerText, RankedResult, SearchAnswer, described, empty_answer
from .answers.composition import Composer
from .answers.file_answer import compose_file_view
from .answers.selection import Constraints, constraints
from .candidates.graph_features import GraphFeatures
from .candidates.recall import MIN_CANDIDATES, Candidate, gather_candidates
from .embedding.embedder import Embedder, Reranker
from .excerpts.result_merging import shown_hits, without_repeats
from .lookup.ambiguous_mentions import ambiguous_mentions
from .lookup.lookup import Found, FoundFile, NotFound, look_up, names_near
from .lookup.path_hints import NO_CODE, what_would_match
from .query.query import NamePath, Query, identifiers, read_query
from .query.row_filter import row_filter
from .query.search_request import SEARCH_KINDS, SearchRequest
from .query.symbol_path import SymbolPath, read_plain_path, read_symbol_path
from .ranking.diversify import spread_over_files
from .ranking.documents import with_documents
from .ranking.kind_filter import besides_imports, narrowed
from .ranking.phrase_match import CodeText, lifted, quoted_rows
from .ranking.ranking import Explanation, Ranked, Ranker
from .ranking.remote_reranker import rerank
from .ranking.transformer.sentence_encoder import SentenceEncoder
from .ranking.transformer_rescoring import rescore
from .source.source_syntax import SourceSyntax
from .text.words import humps
from .text_search import LiteralAnswer, compose_hybrid, compose_matches
from .text_search.indexed_text import FileText, IndexedTexts
from .vectors.candidate_rows import CandidateRow
from .vectors.chunk_table import ChunkTable

__all__ = ["AnswerText", "RankedResult", "SearchAnswer", "SearchEngine"]

#: Number of candidates for each requested result. Several candidates may become one result.
_SPARE = 3
#: Maximum number of identifiers in a question for which a hint lists declarations.
_MAX_NAMES = 2
#: Maximum number of weak matches in the hint of an empty answer.
_MAX_WEAK = 3
#: Maximum number of files with the name in a path without folders.
_MAX_FILES = 20
#: Maximum number of examined members with the wanted name.
_MAX_MEMBERS = 20
#: Maximum number of rows that contain such a member.
_MAX_HOLDERS = 5
#: Lowest score of a weak match that a hint names.
_MIN_WEAK = 0.02


class SearchEngine:
    """Answers queries over one generation of the index. Threads may share an engine."""

    def __init__(
        self,
        graph: GraphDatabase,
        chunks: ChunkTable,
        embedder: Embedder,
        settings: Settings,
        ranker: Ranker,
        syntax: SourceSyntax,
        reranker: Reranker | None = None,
        load_encoder: Callable[[], SentenceEncoder] | None = None,
    ) -> None:
        """`reranker` is a remote re-ranker, which replaces the learned ranker.

        `load_encoder` loads a transformer, which rescores the first results. `syntax` parses the files in excerpts.
        """
        self._graph = graph
        self._chunks = chunks
        self._embedder = embedder
        self._settings = settings
        self._ranker = ranker
        self._reranker = reranker
        self._load_encoder = load_encoder
        self._syntax = syntax
        #: Files and folders that the index leaves out, according to the manifest. The caller sets them.
        self.exclusions: Sequence[Exclusion] = ()
        #: Texts of an earlier generation, and the paths of the files that may have changed since.
        self._earlier_texts: tuple[IndexedTexts, frozenset[str]] | None = None

    def take_over(self, earlier: SearchEngine, paths: Collection[str], resolved: Collection[str]) -> None:
        """Take over the data that an engine of an earlier generation has read, except data of the files `paths` and edges of the
        files `resolved`.

        Both generations must have the same graph file, and the log of the graph must not change other files.
        """
        self._ranker = earlier._ranker
        take_over_import_uses(self._graph, earlier._graph, {*paths, *resolved})
        known = earlier._graph.known(SymbolTable)
        if known is not None:
            self._graph.read_by(SymbolTable, lambda graph: known.renewed(graph, paths))
            _ = self._symbols
        self._chunks.take_over(earlier._chunks, paths)
        if "texts" in earlier.__dict__:
            self._earlier_texts = earlier.texts, frozenset(paths)
        elif earlier._earlier_texts is not None:
            texts, changed = earlier._earlier_texts
            self._earlier_texts = texts, changed.union(paths)
        if "_graph_features" in earlier.__dict__:
            # The next question needs this data.
            known_features = earlier._chunks.rows, earlier._graph_features
            self.__dict__["_graph_features"] = GraphFeatures.read(self._graph, self._chunks.rows, known_features)

    @property
    def chunks(self) -> ChunkTable:
        """The searched table."""
        return self._chunks

    @property
    def _symbols(self) -> SymbolTable:
        return symbols_of(self._graph)

    @cached_property
    def _composer(self) -> Composer:
        return Composer(self._symbols, self._chunks, self._settings, self._syntax)

    def warm_up(self) -> None:
        """Read the data that every answer needs, so that the first answer is faster."""
        _ = self._composer, self._graph_features, self._chunks.lexical, self.texts.lower_case

    def forget_texts(self) -> None:
        """Remove the texts of all files from memory. The next literal search unpacks the texts again, in 100 ms for 12 MB."""
        self.__dict__.pop("texts", None)
        self._earlier_texts = None

    @cached_property
    def texts(self) -> IndexedTexts:
        """The indexed text of all files."""
        stored = self._chunks.texts
        if self._earlier_texts is None:
            return IndexedTexts(map(FileText.of_stored, stored, stored.values()))
        texts, changed = self._earlier_texts
        self._earlier_texts = None
        return texts.replaced(changed, [FileText.of_stored(path, stored[path]) for path in changed if path in stored])

    @cached_property
    def _graph_features(self) -> GraphFeatures:
        return GraphFeatures.read(self._graph, self._chunks.rows)

    def find(self, request: SearchRequest) -> LiteralAnswer:
        """Return the lines that contain a text or match a pattern; a hybrid search ranks these lines together with symbols.

        Raises UsageError and IndexCorrupt.
        """
        budget = self._settings.max_token_budget if request.budget is None else request.budget
        seconds = self._settings.query_timeout
        if request.mode == "hybrid":
            return compose_hybrid(self._graph, lambda: self.texts, request, budget, seconds, self.rank)
        return compose_matches(self._graph, lambda: self.texts, request, budget, seconds)

    def search(self, request: SearchRequest) -> SearchAnswer:
        """Answer a question, or a lookup `symbol = …`. Filters do not apply to lookups.

        Raises UsageError for an invalid filter, IndexCorrupt and ProviderError.
        """
        started = time.perf_counter()
        found, ranked = self.search_and_rank(request)
        results = described(self._graph, found.results)
        milliseconds = round((time.perf_counter() - started) * 1000, 1)
        return replace(found, results=results, total_candidates=len(ranked), search_time_ms=milliseconds)

    def search_and_rank(self, request: SearchRequest) -> tuple[SearchAnswer, Sequence[Ranked]]:
        """Return the answer, and all ranked candidates; a lookup has no candidates. Raises the errors of `search`."""
        limits = constraints(self._settings, request)
        wanted = read_symbol_path(request.query)
        if wanted is not None:
            return self._look_up(request.query, wanted, limits), ()
        if (plain := self._plain_path(request, limits)) is not None:
            return plain, ()
        ranked = self.rank(request)
        if not ranked:
            return self._nothing_admitted(request, limits), ()
        return self.answer(request.query, ranked, limits), ranked

    def rank(self, request: SearchRequest) -> list[Ranked]:
        """Return the candidates for a question with their scores, best first; at least `limit` if there are enough."""
        query, candidates, documents = self._gather(request)
        if self._reranker is None:
            found = self._ranked(query, candidates, request, self._load_encoder)
            ranked = self._ranked(query, documents, request, self._load_encoder)
            return with_documents(found, ranked, query, self._settings.minimum_relevance_threshold, self._sources)
        candidates = [*candidates, *documents]
        most = max(self._settings.max_vector_candidates, request.limit or 0)
        return narrowed(rerank(self._reranker, self._chunks, request.query, candidates, most, self._settings), request)

    def explain(self, request: SearchRequest) -> list[tuple[Ranked, Explanation]]:
        """Return the first results of the local ranker, each with its features and their contributions to its score."""
        query, candidates, documents = self._gather(request)
        candidates = candidates or documents
        ranked = self._ranked(query, candidates, request, None)[: request.limit]
        why = self._ranker.explain(candidates, query, self._chunks.lexical) if ranked else {}
        return [(result, why[result.chunk.row]) for result in ranked if result.score >= (request.min_score or 0.0)]

    def _ranked(
        self,
        query: Query,
        candidates: Sequence[Candidate],
        request: SearchRequest,
        load_encoder: Callable[[], SentenceEncoder] | None,
    ) -> list[Ranked]:
        """Return the candidates of the wanted kinds, best first.

        Scores come from the learned ranker, phrase matches and the transformer. Then results are spread over files.
        """
        ranked = lifted(self._ranker.rank(candidates, query, self._chunks.lexical), query)
        if load_encoder is not None:
            ranked = rescore(load_encoder, self._chunks, query, ranked)
        return spread_over_files(narrowed(ranked, request), query, self._settings.minimum_relevance_threshold)

    def _read(self, text: str, admitted: NDArray[Any] | None) -> Query:
        """Parse a question, and find its phrase matches in the rows that a filter admits."""
        paths = self._chunks.rows.paths
        query = read_query(text).among(paths)
        if any(place.cell is not None for place in query.places):
            query = query.in_whole_files(paths, cells_of(self._graph).line)
        if query.wanted is not None:
            query = replace(query, holders=self._holders(query.wanted))
        code = CodeText(self._chunks.rows, self._chunks.lexical, self._lower_case_sources, admitted)
        return replace(query, quoted_in=quoted_rows(code, query))

    def _lower_case_sources(self, chunks: Sequence[CandidateRow]) -> list[bytes]:
        """Return the lines of chunks in lower case. Without texts in memory, only the files of the chunks are read."""
        if "texts" in self.__dict__ or self._earlier_texts is not None:
            texts = self.texts
            return [texts.lower_case_lines(chunk.relative_path, chunk.start_line, chunk.end_line) for chunk in chunks]
        return [source.lower() for source in self._sources(chunks)]

    def _sources(self, chunks: Sequence[CandidateRow]) -> list[bytes]:
        """Return the lines of chunks, from the files of the chunks alone."""
        files = self._chunks.read_files(chunk.relative_path for chunk in chunks)
        return [files[chunk.relative_path].lines.encoded(chunk.start_line, chunk.end_line) for chunk in chunks]

    def _holders(self, wanted: NamePath) -> frozenset[int]:
        """Return up to `_MAX_HOLDERS` rows that contain a member of this name without a row of its own; tests come last.

        For a name of a single word, the result is empty.
        """
        if len(humps(wanted.name)) < 2:
            return frozenset()
        named = symbols_by_name(self._graph, [wanted.name])
        members = [symbol for symbol in named if not symbol.is_chunk and symbol.kind not in STATEMENTS | DIAGRAM_KINDS][
            :_MAX_MEMBERS
        ]
        around = self._symbols.enclosing(member.id for member in members)
        numbers = self._chunks.rows.numbers_of([outer.id for outers in around.values() for outer in outers])
        rows = {row.id: row for row in self._chunks.rows.read(numbers.tolist())}
        holders = [[rows[outer.id] for outer in around.get(member.id, ()) if outer.id in rows] for member in members]
        found = [outers[-1] for outers in holders if outers]
        found = [row for row in found if wanted.parent in (None, row.name)]
        return frozenset(row.row for row in sorted(found, key=lambda row: row.is_test)[:_MAX_HOLDERS])

    def _gather(self, request: SearchRequest) -> tuple[Query, list[Candidate], list[Candidate]]:
        """Return the parsed query, the candidates that are code, and the candidates that are parts of documents."""
        wanted_rows = row_filter(request.paths, request.languages, request.node_kinds)
        admitted = None if wanted_rows is None else self._chunks.rows.matching(wanted_rows)
        query, vector = self._read(request.query, admitted), self._embedder.embed_query(request.query)
        wanted = max(self._settings.max_vector_candidates, request.limit or 0, MIN_CANDIDATES)
        code, documents = self._chunks.rows.apart(admitted)
        found = [
            gather_candidates(self._chunks, self._graph_features, query, vector, self._settings, wanted, rows)
            if rows is None or len(rows)
            else []
            for rows in (code, documents)
        ]
        return query, found[0], found[1]

    def answer(self, query: str, ranked: Sequence[Ranked], limits: Constraints) -> SearchAnswer:
        """Return the answer with the ranked candidates that satisfy the constraints."""
        passing = [result for result in ranked if result.score >= limits.threshold]
        if not passing:
            return empty_answer(query, f"{_nothing_relevant(ranked)}{self._names_meant(query)}", limits.budget)
        passing = besides_imports(passing, query)
        wanted = passing if limits.limit is None else passing[: limits.limit * _SPARE]
        hits = shown_hits(
            self._symbols, self._chunks, {result.chunk.id: result.score for result in wanted}, limits.budget, self._syntax
        )
        if limits.budget is None:
            return self._composer.compose(query, hits[: limits.limit], None)
        hits, notes = without_repeats(hits)
        return self._composer.compose(query, hits[: limits.limit], limits.budget, notes)

    def _names_meant(self, query: str) -> str:
        """Return sentences about the declarations of the identifiers in a question, or of similar names."""
        sentences = []
        for name in identifiers(query)[:_MAX_NAMES]:
            declared = names_near(self._graph, name)
            if declared:
                places = ", ".join(f"symbol = {found.name} ({found.relative_path}:{found.start_line})" for found in declared)
                sentences.append(f' Named like "{name}": {places}.')
        return "".join(sentences)

    def _look_up(self, query: str, wanted: SymbolPath, limits: Constraints) -> SearchAnswer:
        found = look_up(self._graph, wanted, self.exclusions)
        if isinstance(found, NotFound):
            return empty_answer(query, found.hint, limits.budget)
        if isinstance(found, FoundFile):
            return compose_file_view(self._symbols, self._chunks, query, found.path, limits.budget, self._syntax)
        symbols = found.symbols[: limits.limit]
        return self._composer.compose_named(query, symbols, limits.budget, ambiguous_mentions(self._graph, symbols))

    def _plain_path(self, request: SearchRequest, limits: Constraints) -> SearchAnswer | None:
        """Return the symbols that a query without `symbol =` names by their path; None if nothing has that path.

        The file may lack its folders, if only one such file has the symbol.
        """
        wanted = read_plain_path(request.query)
        if wanted is None or request.paths or request.languages or request.node_kinds:
            return None
        paths: Sequence[str | None] = [wanted.file]
        if wanted.file is not None and wanted.file not in (known := set(self._chunks.rows.paths)):
            paths = [path for path in sorted(known) if path.endswith(f"/{wanted.file}")][:_MAX_FILES]
        meant = [wanted if path == wanted.file else SymbolPath(path, wanted.names) for path in paths]
        looked_up = [look_up(self._graph, each, self.exclusions) for each in meant]
        found = [each.symbols for each in looked_up if isinstance(each, Found)]
        return self._composer.compose_named(request.query, found[0][: limits.limit], limits.budget) if len(found) == 1 else None

    def _nothing_admitted(self, request: SearchRequest, limits: Constraints) -> SearchAnswer:
        """Return an answer with the reason why no row of the index is a candidate."""
        filters = [f'path "{path}"' for path in request.paths] + [f'language "{language}"' for language in request.languages]
        if request.node_kinds:
            where = f" in what matches {' and '.join(filters)}" if filters else ""
            known = f"it is one of {', '.join(SEARCH_KINDS)}"
            reason = f"There is nothing of the kind {request.kind}{where}. Ask for another: {known}."
        elif filters:
            near = what_would_match(self._graph, request.paths, request.languages, self.exclusions)
            reason = f"No indexed file matches {' and '.join(filters)}.{near}"
        else:
            reason = NO_CODE
        return empty_answer(request.query, reason, limits.budget)


def _nothing_relevant(ranked: Sequence[Ranked]) -> str:
    near: dict[str, float] = {}
    for result in ranked:
        if result.score >= _MIN_WEAK and len(near) < _MAX_WEAK:
            near.setdefault(result.chunk.breadcrumb, result.score)  # overloads, and the parts of a symbol, have one name
    if not near:
        return "Nothing in the index is relevant to this query. Ask in other words, or by name: `symbol = Name`."
    weak = "; ".join(f"`symbol = {name}` ({score:.2f})" for name, score in near.items())
    return f"Nothing in the index is clearly relevant to this query. The nearest are: {weak}. Look one up, or ask in other words."
