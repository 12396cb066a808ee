"""The index of a workspace as an object that answers requests, one method for each kind of request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....retrieval.query.search_request import SearchRequest
from ....schema.errors import (
    QueryFailed,
)
from ....schema.settings import Settings
from ...environment.progress import ProgressListener, ignore_progress
from ...environment.worktrees import caches_of
from ...project.project_facts import ProjectFacts
from ...stores.history_graph import HistoryGraph
from ...stores.readers import Readers
from .fresh_index import FreshIndex, log_notice
from .options import names_nearest_option
from .search_results import SearchResults
from .tool_answer import ToolAnswer

if TYPE_CHECKING:
    from ....graphdb.database import GraphDatabase
    from ....graphdb.queries.edge_export import ExportedEdges
    from ....retrieval.analyses.ambients import Ambients
    from ....retrieval.analyses.project_structure import ProjectStructure
    from ....retrieval.analyses.unicode_identifiers import UnicodeIdentifiers
    from ....retrieval.changes import ChangesAnswer
    from ....retrieval.history import HistoryAnswer
    from ....retrieval.lint import LintAnswer
    from ....retrieval.map import CodebaseMap
    from ....retrieval.text_search import LiteralAnswer
    from ....retrieval.trace import TraceAnswer
    from ....retrieval.trace.records import ColumnUnit
    from ...stores.query_process import QueryProcess
    from .cypher_answer import CypherAnswer
    from .query_rows import QueryRows
    from .ranking_report import ExplainedRanking


class AnsweringIndex(FreshIndex):
    """The index of a workspace, which answers requests. Thread-safe; close it, or use it in a `with` block."""

    def __init__(
        self,
        root: Path,
        data_dir: Path,
        settings: Settings,
        *,
        progress: ProgressListener = ignore_progress,
        notify: Callable[[str], None] = log_notice,
    ) -> None:
        super().__init__(root, data_dir, settings, progress=progress, notify=notify)
        #: The name of the root in answers: its path and, for files of a commit, the commit.
        self._root_name = str(root)
        self._project_facts = ProjectFacts(root, settings)
        self._history_graph = HistoryGraph(root, self.history_folder, settings, notify)

    @names_nearest_option
    def search(
        self,
        query: str,
        *,
        paths: Sequence[str] = (),
        languages: Sequence[str] = (),
        kind: str = "all",
        min_score: float | None = None,
        limit: int | None = None,
        budget: int | None = None,
    ) -> SearchResults:
        """Find code by a question, by words, or by name.

        :param query: a question or words; or a lookup: `symbol = Name`, `symbol = Parent > Child`, `symbol = file > Name`.
        :param paths: files, folders or globs to search in, relative to the root or absolute; all files by default.
        :param languages: languages to search in, such as "typescript"; all by default.
        :param kind: "all", "functions", "classes", "interfaces", "types", "constants", or "files" for one result each.
        :param min_score: lowest score of a result, 0 to 1; by default the setting `minimum_relevance_threshold`.
        :param limit: most results, from 1. Without `budget` it lifts the relevance gate and the budget.
        :param budget: tokens of the whole answer, from 1; by default the setting `max_token_budget`.

        Raises UsageError.
        """
        return self.semantic_search(
            SearchRequest(query, paths=paths, languages=languages, kind=kind, min_score=min_score, limit=limit, budget=budget)
        )

    def semantic_search(self, request: SearchRequest) -> SearchResults:
        """Answer a semantic request; see `search`."""
        # Agents use absolute paths, even in lookups.
        query = request.query.replace(f"{self.root}/", "", 1)
        relative = replace(request, query=query, paths=self._relative_paths(request.paths))
        answer, state = self.answered(lambda readers: readers.engine.search(relative))
        return SearchResults(answer, state)

    @names_nearest_option
    def find(
        self,
        query: str,
        *,
        mode: str = "literal",
        is_regex: bool = False,
        case_sensitive: bool = False,
        paths: Sequence[str] = (),
        languages: Sequence[str] = (),
        kind: str = "all",
        min_score: float | None = None,
        before: int = 1,
        after: int = 1,
        limit: int | None = None,
        budget: int | None = None,
    ) -> ToolAnswer[LiteralAnswer]:
        """Find the lines that contain a text or match a pattern. All indexed lines are searched and counted.

        :param query: the text, or with `is_regex` a pattern in RE2 syntax.
        :param mode: "literal" for lines by file and line; "hybrid" for lines and symbols in one ranking.
        :param is_regex: whether the query is a pattern.
        :param case_sensitive: whether case matters.
        :param paths: files, folders or globs to search in, relative to the root or absolute; all files by default.
        :param languages: languages to search in, such as "typescript"; all by default.
        :param kind: kind of the declaration around a line: "all", "functions", "classes", "interfaces", "types", "constants", or
            "files" for the first line of each file.
        :param min_score: lowest score of a result of a hybrid search, 0 to 1; 0 by default.
        :param before: lines shown before each match, 0 to 50.
        :param after: lines shown after each match, 0 to 50.
        :param limit: most results, from 1; as many as the budget holds by default.
        :param budget: tokens of the whole answer, from 100; by default the setting `max_token_budget`.

        Raises UsageError.
        """
        return self.text_search(
            SearchRequest(
                query,
                mode=mode,
                is_regex=is_regex,
                case_sensitive=case_sensitive,
                paths=paths,
                languages=languages,
                kind=kind,
                min_score=min_score,
                before=before,
                after=after,
                limit=limit,
                budget=budget,
            )
        )

    def text_search(self, request: SearchRequest) -> ToolAnswer[LiteralAnswer]:
        """Answer a literal or hybrid request; see `find`."""
        from ....retrieval.text_search import matches_text

        within = replace(request, paths=self._relative_paths(request.paths), budget=self._tokens(request.budget))
        answer, state = self.answered(lambda readers: readers.engine.find(within))
        return ToolAnswer(answer, state, matches_text)

    @names_nearest_option
    def explain(
        self,
        query: str,
        *,
        paths: Sequence[str] = (),
        languages: Sequence[str] = (),
        kind: str = "all",
        min_score: float | None = None,
        limit: int | None = None,
    ) -> ExplainedRanking:
        """Explain the ranks of the first results of a search: their features, and the contributions of the features to the score.

        :param query: a question or words.
        :param paths: files, folders or globs to search in, relative to the root or absolute; all files by default.
        :param languages: languages to search in, such as "typescript"; all by default.
        :param kind: "all", "functions", "classes", "interfaces", "types", "constants", or "files" for one result each.
        :param min_score: lowest score of a result, 0 to 1; 0 by default.
        :param limit: results that are explained, from 1; 5 by default.

        Raises UsageError.
        """
        return self.explained_ranking(
            SearchRequest(query, paths=paths, languages=languages, kind=kind, min_score=min_score, limit=limit)
        )

    def explained_ranking(self, request: SearchRequest) -> ExplainedRanking:
        """Explain the ranking of a semantic request; see `explain`."""
        from .ranking_report import DEFAULT_RESULTS, ExplainedRanking

        limited = replace(request, paths=self._relative_paths(request.paths), limit=request.limit or DEFAULT_RESULTS)
        return ExplainedRanking(request.query, self.analyse(lambda readers: readers.engine.explain(limited)))

    def projects(self) -> ProjectStructure:
        """Return the compiler projects: tsconfig files, their references in both directions, and their source files."""
        from ....retrieval.analyses.project_structure import project_structure

        return self.analyse(lambda readers: project_structure(readers.graph))

    def unicode_identifiers(self) -> UnicodeIdentifiers:
        """Return every declared name with characters outside of ASCII, with similar names, most severe first."""
        from ....retrieval.analyses.unicode_identifiers import unicode_identifiers

        return self.analyse(lambda readers: unicode_identifiers(readers.graph))

    def ambients(self) -> Ambients:
        """Return the declarations in `declare global` and `declare module` blocks and in declaration files."""
        from ....retrieval.analyses.ambients import ambients

        return self.analyse(lambda readers: ambients(readers.graph))

    @names_nearest_option
    def map(
        self,
        path: str = "",
        *,
        depth: int = 1,
        filter: str = "",
        kind: str = "all",
        include_imports: bool = False,
        include_graph: bool = False,
        detect_circular: bool = False,
        find_orphans: bool = False,
        include_stats: bool = False,
        include_types: bool = True,
        include_jsdoc: bool = True,
        format: str = "tree",
        budget: int | None = None,
    ) -> ToolAnswer[CodebaseMap]:
        """Map packages, folders, files and exports, the most important first.

        :param path: a file, folder or glob, relative to the root or absolute; the whole repository by default.
        :param depth: 0 for files, 1 for exported names, 2 for signatures and unexported names, 3 for doc comments.
        :param filter: a glob that files must also match.
        :param kind: "all", "functions", "classes", "interfaces", "types", "constants" or "enums".
        :param include_imports: whether to list the imports of each file.
        :param include_graph: whether to add the graph of imports among the files.
        :param detect_circular: whether to add circular imports.
        :param find_orphans: whether to add files without importers.
        :param include_stats: whether to add counts of lines and problems.
        :param include_types: whether depths 2 and 3 show signatures.
        :param include_jsdoc: whether depth 3 shows doc comments.
        :param format: "tree", or "flat" for a list of files.
        :param budget: tokens of the whole answer, from 200; by default the setting `max_token_budget`.

        Entries beyond the budget are counted. Raises UsageError.
        """
        from ....retrieval.map import MapRequest, compose_map, map_text

        request = MapRequest(
            path=self._relative(path),
            depth=depth,
            filter=filter,
            kind=kind,
            include_imports=include_imports,
            include_graph=include_graph,
            detect_circular=detect_circular,
            find_orphans=find_orphans,
            include_stats=include_stats,
            include_types=include_types,
            include_jsdoc=include_jsdoc,
            format=format,
            budget=self._tokens(budget),
        )
        answer, state = self.answered(lambda readers: compose_map(readers.graph, self._root_name, request))
        return ToolAnswer(answer, state, map_text)

    @names_nearest_option
    def trace(
        self,
        symbol: str = "",
        *,
        file: str = "",
        line: int | None = None,
        column: int | None = None,
        column_unit: ColumnUnit = "characters",
        include: Sequence[str] = ("all",),
        depth: int = 3,
        max_references: int = 500,
        budget: int | None = None,
    ) -> ToolAnswer[TraceAnswer]:
        """Trace a symbol: its users, callers, callees and types, and the symbols that a change may affect.

        :param symbol: `Name`, `Parent > Child` or `file > Name`; "" where a file and a line name it.
        :param file: file that declares the symbol, or in which it is used; relative to the root or absolute.
        :param line: line of the file, from 1.
        :param column: column of the line, from 0.
        :param column_unit: "characters" (code points), or "utf-16" as editors and language servers count.
        :param include: "definitions", "references", "reexports", "calls", "types", "hierarchy", "statements", "impact", or "all".
        :param depth: hops of calls and of impact, 1 to 10.
        :param max_references: most references, 1 to 5,000.
        :param budget: tokens of the whole answer, from 400; by default the setting `max_token_budget`.

        Raises UsageError.
        """
        from ....retrieval.trace import TraceRequest, compose_trace, trace_text
        from ...project.outside_facts import reader_outside

        request = TraceRequest(
            symbol=symbol.replace(f"{self.root}/", "", 1),
            file=self._relative(file) if file else "",
            line=line,
            column=column,
            column_unit=column_unit,
            include=include,
            depth=depth,
            max_references=max_references,
            budget=self._tokens(budget),
        )

        def answered(readers: Readers) -> TraceAnswer:
            outside = partial(reader_outside, self.root)
            excluded = readers.generation.manifest.excluded
            return compose_trace(readers.graph, lambda: readers.engine.texts, request, excluded, outside)

        answer, state = self.answered(answered)
        return ToolAnswer(answer, state, trace_text)

    @names_nearest_option
    def lint(
        self,
        *,
        checks: Sequence[str] = ("all",),
        scope: str = "",
        exclude_tests: bool = True,
        limit: int = 50,
        dead_code_kinds: Sequence[str] = ("all",),
        duplicate_threshold: float = 0.75,
        duplicate_kinds: str = "functions",
        severity_filter: Sequence[str] = ("all",),
        include_generated: bool = False,
        budget: int | None = None,
    ) -> ToolAnswer[LintAnswer]:
        """Find problems of the parser and the compiler, dead code, duplicates and circular imports.

        :param checks: "errors", "warnings", "hints", "dead-code", "duplicates", "circular-deps", or "all".
        :param scope: a file, folder or glob, relative to the root or absolute; the whole repository by default.
        :param exclude_tests: whether dead code, duplicates and circular imports in tests are left out.
        :param limit: most results of each check, 1 to 1,000.
        :param dead_code_kinds: "exports", "functions", "variables", "types", "classes", "files", or "all".
        :param duplicate_threshold: lowest similarity of duplicates, 0.5 to 1.
        :param duplicate_kinds: "functions", "methods", "classes", "fragments" (repeated code of any kind), or "all".
        :param severity_filter: "error", "warning", "info", "hint", or "all".
        :param include_generated: whether dead code in generated files is reported, and not only counted.
        :param budget: tokens of the whole answer, from 200; by default the setting `max_token_budget`.

        Raises UsageError.
        """
        from ....retrieval.lint import LintRequest, compose_lint, lint_text

        request = LintRequest(
            checks=checks,
            scope=self._relative(scope),
            exclude_tests=exclude_tests,
            limit=limit,
            dead_code_kinds=dead_code_kinds,
            duplicate_threshold=duplicate_threshold,
            duplicate_kinds=duplicate_kinds,
            severity_filter=severity_filter,
            include_generated=include_generated,
            budget=self._tokens(budget),
        )
        seconds = self.settings.duplicates_timeout

        def answered(readers: Readers) -> LintAnswer:
            informed = self._project_facts.informed(request, readers.generation)
            return compose_lint(readers.graph, lambda: readers.engine.texts, informed, seconds)

        answer, state = self.answered(answered)
        return ToolAnswer(answer, state, lint_text)

    @names_nearest_option
    def history(
        self, subject: str = "", *, limit: int = 20, all_commits: bool = False, budget: int | None = None
    ) -> ToolAnswer[HistoryAnswer]:
        """Return the history of a file, a folder or a symbol: commits, authors, owners, churn, and co-changes.

        :param subject: a file or folder, relative to the root or absolute, or a symbol; the whole workspace by default.
        :param limit: maximum number of listed commits, 1 to 1,000.
        :param all_commits: whether to read all commits, and not only the number in the setting `history_depth`.
        :param budget: tokens of the whole answer, from 200; by default the setting `max_token_budget`.

        The first call reads the commits, and later calls read only new commits. Raises UsageError and StoreError.
        """
        from ....retrieval.history import HistoryRequest, compose_history, history_text
        from ....retrieval.history.composition import Sources

        request = HistoryRequest(
            subject=self._relative(subject),
            limit=limit,
            depth=None if all_commits else self.settings.history_depth,
            budget=self._tokens(budget),
        )

        def answered(graph: GraphDatabase, readers: Readers | None) -> HistoryAnswer:
            excluded = readers.generation.manifest.excluded if readers is not None else ()
            return compose_history(
                Sources(self.root, self.history_folder, graph, lambda: readers.engine.texts if readers else {}, excluded), request
            )

        answer, state = self.answered_from_git(answered)
        return ToolAnswer(answer, state, history_text)

    def changes(
        self, range: str = "", *, staged: bool = False, base: str = "", depth: int = 3, budget: int | None = None
    ) -> ToolAnswer[ChangesAnswer]:
        """Return the effects of a change: changed symbols, broken places, dependants, tests to run, and the risk.

        :param range: `A..B` or `A...B` compares two commits, and a single commit is compared with its first parent; without it,
            `staged` and `base`, the last commit is compared with the work tree.
        :param staged: whether to compare the staged content with the last commit.
        :param base: a commit, such as `origin/main`; the work tree is compared with the commit where its branch left `base`.
        :param depth: steps of dependants, 1 to 10.
        :param budget: tokens of the whole answer, from 200; by default the setting `max_token_budget`.

        Raises UsageError for unknown states, and GitFailed without a Git repository.
        """
        from ....ingest.changes.states import Comparison
        from ....retrieval.changes import ChangesRequest, changes_text, compose_changes
        from ....retrieval.changes.composition import Sources

        comparison = Comparison(staged=staged, base=base, range=range)
        request = ChangesRequest(comparison=comparison, depth=depth, budget=self._tokens(budget))

        def answered(graph: GraphDatabase, _: Readers | None) -> ChangesAnswer:
            caches = caches_of(self.root, self.data_dir)
            return compose_changes(Sources(self.root, self.history_folder, graph, self.settings, caches), request)

        answer, state = self.answered_from_git(answered)
        return ToolAnswer(answer, state, changes_text)

    def cypher(self, query: str, parameters: dict[str, Any] | None = None, *, max_rows: int | None = None) -> QueryRows:
        """Return all rows, or the first `max_rows` rows, of a read-only Cypher query; see `truncated` and `total_rows`.

        Raises QueryRejected and QueryFailed.
        """
        from ....graphdb.guard.statement_guard import check_read_only
        from .query_rows import QueryRows

        check_read_only(query)
        timeout = self.settings.query_timeout
        answer = self.analyse(
            lambda readers: self._queries(readers, query).query(query, parameters, timeout=timeout, max_rows=max_rows)
        )
        return QueryRows.of(answer)

    def _queries(self, readers: Readers, query: str) -> QueryProcess:
        """Return the process for a checked statement. Statements about the history run on a copy of the graph."""
        from ....graphdb.guard.history_names import names_history

        return self._history_graph.queries(readers) if names_history(query) else readers.queries

    def stop_queries(self) -> int:
        """Stop the Cypher queries and chains of other threads, whose calls then raise QueryFailed. Returns the number of stopped
        queries.
        """
        return self._pool.stop_queries() + self._history_graph.stop()

    def query_tool(
        self, query: str = "", *, schema: bool = False, max_rows: int = 100, budget: int | None = None
    ) -> ToolAnswer[CypherAnswer]:
        """Return the answer of the tool `cypher`: the first rows of a read-only query and, with `schema`, the schema of the
        graph.

        Raises UsageError, QueryRejected and QueryFailed.
        """
        from ....graphdb.guard.statement_guard import check_read_only
        from .cypher_answer import check, cypher_answer, cypher_text

        tokens, timeout = self._tokens(budget), self.settings.query_timeout
        check(query, schema, max_rows, tokens)
        if not query.strip():
            return ToolAnswer(cypher_answer(None, schema, tokens), self.refresh(), cypher_text)
        check_read_only(query)
        try:
            result, state = self.answered(
                lambda readers: self._queries(readers, query).query(query, None, timeout=timeout, max_rows=max_rows)
            )
        except QueryFailed as error:
            names_nothing = "does not exist" in str(error) or "Cannot find property" in str(error)
            if not names_nothing:
                raise
            raise QueryFailed(f"{error} `schema: true` lists tables and properties.") from error
        return ToolAnswer(cypher_answer(result, schema, tokens), state, cypher_text)

    def export_edges(self) -> ExportedEdges:
        """Return every call, import, inheritance and reference."""
        from ....graphdb.queries.edge_export import exported_edges

        return self.analyse(lambda readers: exported_edges(readers.graph))

    def close(self) -> None:
        """Close all files. A request in progress ends as usual, but without the compiler."""
        self._project_facts.close()
        self._history_graph.close()
        super().close()

    def _relative(self, path: str) -> str:
        """Return a path relative to the root. Agents use absolute paths."""
        return Path(path).relative_to(self.root).as_posix() if Path(path).is_relative_to(self.root) else path

    def _relative_paths(self, paths: Sequence[str]) -> list[str]:
        return [self._relative(path) for path in paths]

    def _tokens(self, budget: int | None) -> int:
        """Return the budget of an answer in tokens: the requested budget, or the budget in the settings."""
        return self.settings.max_token_budget if budget is None else budget
