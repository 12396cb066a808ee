"""The content of the tables of history: commits, authors, the changes of each commit, and files that change together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import all_places
from ...graphdb.writing.history_tables import CoChangeRow, CommitRow, FileChangeRow, HistoryContent, SymbolChangeRow
from ...ingest.history.git import GitRepository
from ...ingest.history.range_commits import LineRange, commits_of_ranges
from ...ingest.history.store import HistoryStore, StoredCommit
from ...schema.process.git import GitFailed
from .co_change import MIN_SUPPORT, commit_weights

#: Symbols with their lines, as the graph has them.
_SYMBOLS = "MATCH (s:Symbol) RETURN s.id, s.relativePath, s.startLine, s.endLine ORDER BY s.relativePath, s.startLine"


@dataclass(slots=True)
class _FilesToday:
    """Which indexed file each path of the past is, while the commits are read from the newest on."""

    known: set[str]
    #: Files of earlier commits under other names: the current path by the old one, or None for a removed file.
    past: dict[str, str | None] = field(default_factory=dict)

    def of(self, path: str) -> str | None:
        return self.past.get(path, path if path in self.known else None)

    def rename(self, old_path: str, path: str) -> None:
        """Note the former path of a file in older commits."""
        self.past[old_path] = self.of(path)
        self.past[path] = None


def history_content(graph: GraphDatabase, git: GitRepository, store: HistoryStore, depth: int | None) -> HistoryContent:
    """Return the content of the tables. Raises StoreError.

    A clone may lack the contents of old commits. Then only newer commits lead to symbols, and `gap` says so.
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
    symbols, gap = _symbol_changes(graph, git, {commit.hash for commit in commits.values()}, depth)
    return HistoryContent(
        commits=[_commit_row(commit) for commit in commits.values()],
        files=changes,
        symbols=symbols,
        co_changes=list(_co_changes(commits, changed_in)),
        gap=gap,
    )


def _commit_row(commit: StoredCommit) -> CommitRow:
    time = datetime.fromtimestamp(commit.time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    issues = tuple(commit.issues.split())
    return CommitRow(commit.hash, commit.author, commit.email, commit.message, time, issues, commit.files, commit.position)


def _symbol_changes(
    graph: GraphDatabase, git: GitRepository, known: set[str], depth: int | None
) -> tuple[list[SymbolChangeRow], str]:
    ranges: defaultdict[str, list[LineRange]] = defaultdict(list)
    for id, path, first, last in graph.rows(_SYMBOLS):
        ranges[git.prefix + path].append(LineRange(id, first, last))
    found: list[SymbolChangeRow] = []
    try:
        for id, commit in commits_of_ranges(git, ranges, depth, from_work_tree=True):
            if commit in known:
                found.append(SymbolChangeRow(id, commit))
    except GitFailed as failure:
        return found, f"Symbols lead to the newest commits only, because the others cannot be read: {failure}"
    return found, ""


def _co_changes(commits: Mapping[int, StoredCommit], changed_in: Mapping[int, Sequence[str]]) -> Iterable[CoChangeRow]:
    weights = commit_weights(list(commits.values()))
    own: defaultdict[str, float] = defaultdict(float)
    together: defaultdict[tuple[str, str], float] = defaultdict(float)
    support: defaultdict[tuple[str, str], int] = defaultdict(int)
    for position, weight in weights.items():
        paths = sorted({*changed_in.get(position, ())})
        for path in paths:
            own[path] += weight
            for other in paths:
                if other != path:
                    together[path, other] += weight
                    support[path, other] += 1
    for (path, other), count in support.items():
        if count >= MIN_SUPPORT:
            yield CoChangeRow(path, other, count, round(1000 * together[path, other] / own[path]))
