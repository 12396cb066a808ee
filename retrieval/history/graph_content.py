"""Compute the content of the history tables of the graph: commits, their changes, and files and symbols that change together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import all_places
from ...graphdb.writing.history_tables import CoChangeRow, CommitRow, FileChangeRow, HistoryContent, SymbolChangeRow
from ...ingest.history.git import GitRepository
from ...ingest.history.range_commits import LineRange, commits_of_work_tree
from ...ingest.history.store import HistoryStore, StoredCommit
from ...schema.process.git import GitFailed
from ...schema.symbol_kinds import STATEMENTS
from .co_change import commit_weights, is_nested, pairs_together, symbol_weights
from .composition import iso_date

#: Query for all symbols with their lines.
_SYMBOLS = "MATCH (s:Symbol) RETURN s.id, s.relativePath, s.startLine, s.endLine ORDER BY s.relativePath, s.startLine"
#: Query for the symbols that are not declarations.
_STATEMENTS = "MATCH (s:Symbol) WHERE s.kind IN $kinds RETURN s.id"

#: Lines of symbols by the path of their file.
_Ranges = Mapping[str, Sequence[LineRange]]


@dataclass(slots=True)
class _FilesToday:
    """Maps past paths to current paths. Commits are read from the newest to the oldest."""

    known: set[str]
    #: Current path of each renamed path; None for a removed file.
    past: dict[str, str | None] = field(default_factory=dict)

    def of(self, path: str) -> str | None:
        return self.past.get(path, path if path in self.known else None)

    def rename(self, old_path: str, path: str) -> None:
        """Record that older commits refer to a file by an old path."""
        self.past[old_path] = self.of(path)
        self.past[path] = None


def history_content(graph: GraphDatabase, git: GitRepository, store: HistoryStore, depth: int | None) -> HistoryContent:
    """Return the content of the tables. Raises StoreError.

    If a clone lacks the content of old commits, only newer commits are connected with symbols, and `gap` gives the reason.
    """
    prefix = git.prefix
    commits = {commit.position: commit for commit in store.commits_from_newest()}
    files = _FilesToday({prefix + path for path in all_places(graph)})
    changes: list[FileChangeRow] = []
    changed_in: defaultdict[int, list[str]] = defaultdict(list)
    for placed in store.changes_under(""):
        change = placed.change
        today = files.of(change.path)
        if today is not None:
            path = today[len(prefix) :]
            then = change.path.removeprefix(prefix)
            changes.append(FileChangeRow(path, commits[placed.position].hash, change.added or 0, change.deleted or 0, then))
            changed_in[placed.position].append(path)
        if change.old_path is not None:
            files.rename(change.old_path, change.path)
    ranges = _ranges(graph, prefix)
    symbols, gap = _symbol_changes(git, {commit.hash for commit in commits.values()}, depth, ranges)
    weights = commit_weights(list(commits.values()))
    return HistoryContent(
        commits=[_commit_row(commit) for commit in commits.values()],
        files=changes,
        symbols=symbols,
        co_changes=_co_changes(weights, changed_in),
        symbol_co_changes=_symbol_co_changes(graph, weights, commits, symbols, ranges),
        gap=gap,
    )


def _commit_row(commit: StoredCommit) -> CommitRow:
    time, issues = iso_date(commit.time), tuple(commit.issues.split())
    return CommitRow(commit.hash, commit.author, commit.email, commit.message, time, issues, commit.files, commit.position)


def _ranges(graph: GraphDatabase, prefix: str) -> _Ranges:
    """Return the lines of the declarations of each file."""
    ranges: defaultdict[str, list[LineRange]] = defaultdict(list)
    for id, path, first, last in graph.rows(_SYMBOLS):
        ranges[prefix + path].append(LineRange(id, first, last))
    return ranges


def _symbol_changes(git: GitRepository, known: set[str], depth: int | None, ranges: _Ranges) -> tuple[list[SymbolChangeRow], str]:
    found: list[SymbolChangeRow] = []
    try:
        for id, commit in commits_of_work_tree(git, ranges, depth):
            if commit in known:
                found.append(SymbolChangeRow(id, commit))
    except GitFailed as failure:
        return found, f"Symbols are connected with the newest commits only, because the others cannot be read: {failure}"
    return found, ""


def _co_changes(weights: Mapping[int, float], changed_in: Mapping[int, Sequence[str]]) -> list[CoChangeRow]:
    pairs = pairs_together(weights, changed_in)
    return [CoChangeRow(each.one, each.other, each.support, round(1000 * each.confidence)) for each in pairs]


def _symbol_co_changes(
    graph: GraphDatabase,
    weights: Mapping[int, float],
    commits: Mapping[int, StoredCommit],
    symbols: Sequence[SymbolChangeRow],
    ranges: _Ranges,
) -> list[CoChangeRow]:
    """Return the declarations that change together, without pairs in which one declaration encloses the other."""
    statements = {id for (id,) in graph.rows(_STATEMENTS, {"kinds": sorted(STATEMENTS)})}
    positions = {commit.hash: position for position, commit in commits.items()}
    changed_in: defaultdict[int, list[str]] = defaultdict(list)
    places = {each.key: (path, each) for path, several in ranges.items() for each in several}
    for row in symbols:
        if row.id not in statements:
            changed_in[positions[row.hash]].append(row.id)
    rows = _co_changes(symbol_weights(weights, changed_in), changed_in)
    return [row for row in rows if not is_nested(places[row.path], places[row.other])]
