"""The scope of commits. Commits are not in the graph, but in the database of the history."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from ....graphdb.scopes.fields import did_you_mean
from ....graphdb.scopes.plan import Given, Plan, Where
from ....ingest.history.git import GitRepository
from ....ingest.history.store import CommitFilter, HistoryStore, StoredCommit, opened_history, statement_of
from ....retrieval.history.composition import iso_date
from ....schema.errors import UsageError
from .arguments import natural, spelled
from .operations import operation
from .rows import CommitRow
from .running import Written
from .terminals import Rows

if TYPE_CHECKING:
    from ..requests.answering_index import AnsweringIndex
    from .file_scopes import FileScope
    from .scope import Scope

#: Keywords of a filter -> fields of the record.
KEYWORDS = {
    "hash": "hash",
    "author": "author",
    "author__contains": "author_contains",
    "email": "email",
    "message__contains": "message_contains",
    "since": "since",
    "until": "until",
    "path": "path",
}


class CommitScope(Rows[CommitRow]):
    """Commits, the newest first. The setting `history_depth` limits their number."""

    def __init__(
        self,
        workspace: AnsweringIndex,
        wanted: CommitFilter,
        chain: str,
        limit: int | None = None,
        offset: int = 0,
        files: Scope[Any] | None = None,
    ) -> None:
        self._workspace = workspace
        self._wanted = wanted
        self._limit = limit
        self._offset = offset
        #: If not None, only commits that changed files of this scope are included.
        self._files = files
        #: The chain as text.
        self.chain = chain

    def __repr__(self) -> str:
        return f"<CommitScope {self.chain}>"

    def _with(self, call: str, wanted: CommitFilter, limit: int | None, offset: int) -> Self:
        return type(self)(self._workspace, wanted, f"{self.chain}.{call}", limit, offset, self._files)

    @property
    def row_type(self) -> type[CommitRow]:
        """The type of the rows."""
        return CommitRow

    @operation
    def filter(self, **filters: object) -> Self:
        """Keep commits by `hash`, `author`, `author__contains`, `email`, `message__contains`, `since`, `until` or `path`."""
        call = f"filter({spelled(filters)})"
        return self._with(call, _filtered(self._wanted, filters), self._limit, self._offset)

    @operation
    def limit(self, count: int) -> Self:
        """Keep the first `count` commits."""
        count = natural("limit", count)
        return self._with(f"limit({count})", self._wanted, count, self._offset)

    @operation
    def offset(self, count: int) -> Self:
        """Skip the first `count` commits."""
        count = natural("offset", count)
        return self._with(f"offset({count})", self._wanted, self._limit, count)

    @operation
    def files(self) -> FileScope:
        """Return the indexed files that the commits changed, found by the paths in the commits."""
        from .file_scopes import FileScope

        plan = Plan("file", (Where((Given("touched_by", self),)),))
        return FileScope(self._workspace, plan, (Written(f"{self.chain}.files()", 1),))

    def paths(self) -> list[str]:
        """Return the paths, relative to the root, that the commits changed."""
        with self._opened() as (git, store, wanted):
            commits = store.matching(wanted, self._limit, self._offset)
            paths = {path for _, path in store.paths_in([commit.position for commit in commits])}
        prefix = len(git.prefix)
        return sorted(path[prefix:] for path in paths if path.startswith(git.prefix))

    @contextmanager
    def _opened(self) -> Iterator[tuple[GitRepository, HistoryStore, CommitFilter]]:
        """Yield the history, and the filter with paths relative to the root of the repository."""
        paths = None if self._files is None else self._files.paths()
        with _opened(self._workspace, self._wanted) as (git, store, wanted):
            if paths is not None:
                changes = (store.changes_of_file(f"{git.prefix}{path}") for path in paths)
                wanted = wanted._replace(positions=tuple(sorted({placed.position for each in changes for placed in each})))
            yield git, store, wanted

    def to_list(self) -> list[CommitRow]:
        """Return the commits, the newest first."""
        with self._opened() as (_, store, wanted):
            return [_row(commit) for commit in store.matching(wanted, self._limit, self._offset)]

    def count(self) -> int:
        """Return the number of commits."""
        with self._opened() as (_, store, wanted):
            left = max(0, store.count_matching(wanted) - self._offset)
        return left if self._limit is None else min(left, self._limit)

    def first(self) -> CommitRow | None:
        """Return the newest commit, or None."""
        found = self._with("limit(1)", self._wanted, 1, self._offset).to_list() if self._limit != 0 else []
        return found[0] if found else None

    def absence(self) -> str:
        """Return a sentence with the reason why there are no commits."""
        with self._opened() as (_, store, _wanted):
            count = store.commit_count()
        return f"None of the {count:,} commits that were read fulfils this." if count else "There is no commit yet."

    def explain(self) -> str:
        """Return the SQL statement for the database of the history."""
        with self._opened() as (_, _store, wanted):
            text, values = statement_of(wanted)
        limit = "" if self._limit is None else f" LIMIT {self._limit}"
        return f"{text}{limit}{f' OFFSET {self._offset}' if self._offset else ''}\n{json.dumps(values, ensure_ascii=False)}"


def commit_scope(workspace: AnsweringIndex, name: str, filters: dict[str, object]) -> CommitScope:
    """Return the commits that match some filters. Raises UsageError."""
    return CommitScope(workspace, _filtered(CommitFilter(), filters), f"{name}({spelled(filters)})")


def commits_of(files: Scope[Any], filters: dict[str, object]) -> CommitScope:
    """Return the commits that changed the files of a scope and match some filters. Raises UsageError."""
    chain = f"{files.chain}.commits({spelled(filters)})"
    return CommitScope(files.workspace, _filtered(CommitFilter(), filters), chain, files=files)


def commits_of_files(workspace: AnsweringIndex, paths: Sequence[str], limit: int) -> list[CommitRow]:
    """Return the newest commits that changed one of some files, through their renames. Raises GitFailed and StoreError."""
    with _opened(workspace, CommitFilter()) as (git, store, _):
        changes = [islice(store.changes_of_file(f"{git.prefix}{path}"), limit) for path in paths]
        newest = sorted({placed.position for each in changes for placed in each}, reverse=True)[:limit]
        return [_row(commit) for commit in store.commits(newest)]


def last_commits_of_files(workspace: AnsweringIndex, paths: Sequence[str]) -> dict[str, CommitRow]:
    """Return the newest commit of each file that a read commit changed. Raises GitFailed and StoreError."""
    with _opened(workspace, CommitFilter()) as (git, store, _):
        newest = {path: next(store.changes_of_file(f"{git.prefix}{path}"), None) for path in paths}
        positions = {path: placed.position for path, placed in newest.items() if placed is not None}
        rows = {commit.position: _row(commit) for commit in store.commits(list(set(positions.values())))}
        return {path: rows[position] for path, position in positions.items()}


@contextmanager
def _opened(workspace: AnsweringIndex, wanted: CommitFilter) -> Iterator[tuple[GitRepository, HistoryStore, CommitFilter]]:
    """Yield the history, and the filter with its path relative to the root of the repository."""
    git = GitRepository(workspace.root)
    path = None if wanted.path is None else f"{git.prefix}{wanted.path.strip('/')}"
    with opened_history(workspace.history_folder, git, workspace.settings.history_depth) as store:
        yield git, store, wanted._replace(path=path)


def _filtered(wanted: CommitFilter, filters: dict[str, object]) -> CommitFilter:
    values: dict[str, Any] = {}
    for keyword, value in filters.items():
        if keyword not in KEYWORDS:
            raise UsageError(f"A commit has no filter `{keyword}`. {did_you_mean(keyword, KEYWORDS)}")
        if not isinstance(value, str) or not value or len(value) > 1_000:
            raise UsageError(f"`{keyword}` takes a text, not {value!r}.")
        values[KEYWORDS[keyword]] = _seconds(keyword, value) if keyword in ("since", "until") else value
    return wanted._replace(**values)


def _seconds(keyword: str, date: str) -> int:
    """Return the time of a date in seconds: the first second of its day, or the last second for `until`."""
    try:
        moment = datetime.fromisoformat(date)
    except ValueError as error:
        raise UsageError(f"`{keyword}` takes a date such as 2025-01-31, not {date!r}.") from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    last = 86_399 if keyword == "until" and len(date) <= len("2025-01-31") else 0
    return int(moment.timestamp()) + last


def _row(commit: StoredCommit) -> CommitRow:
    title = commit.message.partition("\n")[0]
    return CommitRow(commit.hash, iso_date(commit.time), commit.author, commit.email, title, commit.files)
