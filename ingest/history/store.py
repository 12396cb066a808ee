"""Stores the commits of a history in a small database beside the index, so that only new commits must be read.

Commits are numbered from the oldest to the newest. Later commits continue the numbers, so no row is rewritten.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from ...schema.errors import StoreError
from ...schema.process.git import GitFailed
from .commits import Commit, FileChange
from .git import GitRepository
from .log import read_commits, read_commits_without_lines

#: Format of the database. A database with another format is built again from Git.
_VERSION = "2"
#: Number of commits that are written at once.
_BATCH = 500
#: Seconds that a process waits while another process writes.
_PATIENCE = 60.0

Item = TypeVar("Item")

_TABLES = """
CREATE TABLE state(name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE authors(id INTEGER PRIMARY KEY, name TEXT, email TEXT, UNIQUE(name, email));
CREATE TABLE commits(
    position INTEGER PRIMARY KEY, hash TEXT, author INTEGER, time INTEGER, parents TEXT, message TEXT, issues TEXT,
    files INTEGER
);
CREATE UNIQUE INDEX commits_by_hash ON commits(hash);
CREATE TABLE paths(id INTEGER PRIMARY KEY, path TEXT UNIQUE);
CREATE TABLE changes(position INTEGER, path INTEGER, old_path INTEGER, added INTEGER, deleted INTEGER);
CREATE INDEX changes_by_path ON changes(path, position);
CREATE INDEX changes_by_commit ON changes(position);
CREATE INDEX renames ON changes(old_path, position) WHERE old_path IS NOT NULL;
"""
_COMMIT = (
    "SELECT c.position, c.hash, a.name, a.email, c.time, c.message, c.issues, c.files "
    "FROM commits c JOIN authors a ON a.id = c.author"
)


class StoredCommit(NamedTuple):
    """A commit without its changes."""

    #: Rank in the history: newer commits have higher ranks.
    position: int
    hash: str
    author: str
    email: str
    #: Seconds since 1970, in UTC.
    time: int
    message: str
    issues: str
    #: Number of files that the commit changed; 0 if it is not known, because a shallow clone ends at the commit.
    files: int


class CommitFilter(NamedTuple):
    """Conditions on commits; None admits all."""

    #: The hash, or its beginning.
    hash: str | None = None
    author: str | None = None
    email: str | None = None
    #: Texts that the name of the author and the message must contain; case is ignored.
    author_contains: str | None = None
    message_contains: str | None = None
    #: Earliest and latest time of the commits, in seconds since 1970.
    since: int | None = None
    until: int | None = None
    #: A file or a folder.
    path: str | None = None
    #: Positions of the commits in the history.
    positions: tuple[int, ...] | None = None


class ReadHistory(msgspec.Struct, frozen=True, rename="camel"):
    """The extent of a stored history."""

    commits: int
    #: Whether all commits of the clone are stored.
    is_complete: bool
    #: Whether the newest stored commit is the commit of HEAD.
    is_current: bool


class PlacedChange(NamedTuple):
    """A change of a file, and the rank of its commit."""

    position: int
    change: FileChange


class HistoryStore:
    """The history of one repository. Close it, or use `opened_history`."""

    def __init__(self, file: Path) -> None:
        self._database = sqlite3.connect(file, timeout=_PATIENCE, isolation_level=None)
        self._author_ids: dict[tuple[str, str], int] = {}
        self._path_ids: dict[str, int] = {}
        #: Commits at which a shallow clone ends. They seem to add all files, so what they changed is not known.
        self._boundary: frozenset[str] = frozenset()
        #: Whether stored commits are no longer part of the history.
        self.was_rewritten = False

    def bring_up_to_date(self, git: GitRepository, depth: int | None) -> None:
        """Read all commits after the newest stored commit, or at most `depth` commits if no commit is stored.

        Raises GitFailed.
        """
        head, source = git.head, _source_key(git)
        if not self._lacks_commits(head, source, depth):
            return
        self._database.execute("BEGIN IMMEDIATE")
        try:
            if self._lacks_commits(head, source, depth):  # meanwhile, another process may have read the history
                self._read(git, head, source, depth)
            self._database.execute("COMMIT")
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        finally:
            self._author_ids.clear()
            self._path_ids.clear()

    def _lacks_commits(self, head: str, source: str, depth: int | None) -> bool:
        state = self._state()
        return (state.get("head"), state.get("source")) != (head, source) or not _covers_depth(state, depth)

    def _state(self) -> dict[str, str]:
        if not self._database.execute("SELECT 1 FROM sqlite_master WHERE name = 'state'").fetchone():
            return {}
        return dict(self._database.execute("SELECT name, value FROM state"))

    def _read(self, git: GitRepository, head: str, source: str, depth: int | None) -> None:
        state = self._state()
        self._boundary = frozenset(git.shallow_commits.split())
        known = state.get("head", "")
        continues = bool(known) and state.get("source") == source and _covers_depth(state, depth) and git.contains(known, head)
        self.was_rewritten = bool(known) and state.get("source") == source and known != head and not continues
        lines = state.get("lines", "known") if continues else "known"
        try:
            reach = (
                self._read_new(git, f"{known}..{head}", state["reach"], lines) if continues else self._read_all(git, head, depth)
            )
        except GitFailed:
            if not git.is_partial:
                raise
            self._empty()
            self._write(read_commits_without_lines(git, head, depth), 0)
            reach, lines = self._reach(depth), "unknown"
        rows = {"head": head, "source": source, "reach": reach, "lines": lines}
        self._database.executemany("INSERT OR REPLACE INTO state VALUES (?, ?)", rows.items())

    def _read_new(self, git: GitRepository, commits: str, reach: str, lines: str) -> str:
        """Read the commits of a range that continues the stored history, and return the reach of the history."""
        new = list((read_commits if lines == "known" else read_commits_without_lines)(git, commits, None))
        (newest,) = self._database.execute("SELECT coalesce(max(position), 0) FROM commits").fetchone()
        self._write(new, newest + len(new))
        return reach

    def _read_all(self, git: GitRepository, head: str, depth: int | None) -> str:
        """Read the whole history, and return its reach."""
        self._empty()
        self._write(read_commits(git, head, depth) if head else iter(()), 0)
        return self._reach(depth)

    def _reach(self, depth: int | None) -> str:
        return "all" if depth is None or self.commit_count() < depth else str(depth)

    def _empty(self) -> None:
        found = self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (name,) in found:
            self._database.execute(f'DROP TABLE "{name}"')
        for statement in _TABLES.split(";"):
            self._database.execute(statement)

    def _write(self, commits: Iterator[Commit] | Sequence[Commit], newest: int) -> None:
        """Write commits, the newest first, with positions that count down from `newest`."""
        position = newest
        for batch in _batched(commits, _BATCH):
            rows, changes = [], []
            for commit in batch:
                author = self._author(commit.author, commit.email)
                parents, issues = " ".join(commit.parents), " ".join(commit.issues)
                files = 0 if commit.hash in self._boundary else len(commit.changes)
                rows.append((position, commit.hash, author, commit.time, parents, commit.message, issues, files))
                for change in commit.changes:
                    old = None if change.old_path is None else self._path(change.old_path)
                    changes.append((position, self._path(change.path), old, change.added, change.deleted))
                position -= 1
            self._database.executemany("INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._database.executemany("INSERT INTO changes VALUES (?, ?, ?, ?, ?)", changes)

    def _author(self, name: str, email: str) -> int:
        key = (name, email)
        if key not in self._author_ids:
            self._database.execute("INSERT OR IGNORE INTO authors(name, email) VALUES (?, ?)", key)
            row = self._database.execute("SELECT id FROM authors WHERE name = ? AND email = ?", key).fetchone()
            self._author_ids[key] = row[0]
        return self._author_ids[key]

    def _path(self, path: str) -> int:
        if path not in self._path_ids:
            self._database.execute("INSERT OR IGNORE INTO paths(path) VALUES (?)", (path,))
            self._path_ids[path] = self._database.execute("SELECT id FROM paths WHERE path = ?", (path,)).fetchone()[0]
        return self._path_ids[path]

    @property
    def is_complete(self) -> bool:
        """Whether all commits of the clone were read."""
        return self._state().get("reach") == "all"

    @property
    def lacks_lines(self) -> bool:
        """Whether numbers of lines, and renames of edited files, are not known, because the clone lacks old contents."""
        return self._state().get("lines") == "unknown"

    @property
    def head(self) -> str:
        """The commit of HEAD when commits were last read; "" if no commits were read."""
        return self._state().get("head", "")

    def commit_count(self) -> int:
        """Return the number of commits that were read."""
        return int(self._database.execute("SELECT count(*) FROM commits").fetchone()[0])

    def commits(self, positions: Sequence[int]) -> list[StoredCommit]:
        """Return commits by their positions, the newest first."""
        found: list[StoredCommit] = []
        for part in _batched(positions, 500):
            marks = ",".join("?" * len(part))
            found += map(StoredCommit._make, self._database.execute(f"{_COMMIT} WHERE c.position IN ({marks})", part))
        return sorted(found, reverse=True)

    def commits_from_newest(self) -> list[StoredCommit]:
        """Return all commits, the newest first."""
        return list(map(StoredCommit._make, self._database.execute(f"{_COMMIT} ORDER BY c.position DESC")))

    def matching(self, wanted: CommitFilter, limit: int | None, offset: int) -> list[StoredCommit]:
        """Return the commits that match a filter, the newest first."""
        where, values = conditions_of(wanted)
        rows = self._database.execute(
            f"{_COMMIT}{where} ORDER BY c.position DESC LIMIT ? OFFSET ?", (*values, -1 if limit is None else limit, offset)
        )
        return list(map(StoredCommit._make, rows))

    def count_matching(self, wanted: CommitFilter) -> int:
        """Return the number of commits that match a filter."""
        where, values = conditions_of(wanted)
        counted = f"SELECT count(*) FROM commits c JOIN authors a ON a.id = c.author{where}"
        return int(self._database.execute(counted, values).fetchone()[0])

    def position(self, commit: str) -> int | None:
        """Return the position of a commit, or None if it was not read."""
        row = self._database.execute("SELECT position FROM commits WHERE hash = ?", (commit,)).fetchone()
        return None if row is None else int(row[0])

    def changes_of_file(self, path: str) -> Iterator[PlacedChange]:
        """Yield the changes of a file, the newest first, through its renames as `git log --follow` does."""
        name: str | None = path
        before = 1 << 62
        while name is not None:
            current, name = name, None
            rows = self._database.execute(
                "SELECT x.position, o.path, x.added, x.deleted FROM changes x JOIN paths p ON p.id = x.path "
                "LEFT JOIN paths o ON o.id = x.old_path WHERE p.path = ? AND x.position < ? ORDER BY x.position DESC",
                (current, before),
            )
            for position, old_path, added, deleted in rows:
                yield PlacedChange(position, FileChange(current, old_path, added, deleted))
                if old_path is not None:
                    name, before = old_path, position
                    break

    def changes_under(self, folder: str) -> Iterator[PlacedChange]:
        """Yield the changes of all files below a folder ("" or with a slash at its end), the newest first."""
        within = "WHERE p.path >= ? AND p.path < ?" if folder else ""
        rows = self._database.execute(
            "SELECT x.position, p.path, o.path, x.added, x.deleted FROM changes x JOIN paths p ON p.id = x.path "
            f"LEFT JOIN paths o ON o.id = x.old_path {within} ORDER BY x.position DESC",
            (folder, folder[:-1] + "0") if folder else (),
        )
        for position, path, old_path, added, deleted in rows:
            yield PlacedChange(position, FileChange(path, old_path, added, deleted))

    def paths_in(self, positions: Sequence[int]) -> Iterator[tuple[int, str]]:
        """Yield pairs of a commit's position and a path that the commit changed, for some commits."""
        for part in _batched(positions, 500):
            marks = ",".join("?" * len(part))
            yield from self._database.execute(
                f"SELECT x.position, p.path FROM changes x JOIN paths p ON p.id = x.path WHERE x.position IN ({marks})", part
            )

    def later_name(self, path: str, position: int) -> str:
        """Return the current path of a file from its path at a position in the history."""
        while True:
            row = self._database.execute(
                "SELECT p.path, x.position FROM changes x JOIN paths p ON p.id = x.path JOIN paths o ON o.id = x.old_path "
                "WHERE o.path = ? AND x.position > ? ORDER BY x.position LIMIT 1",
                (path, position),
            ).fetchone()
            if row is None:
                return path
            path, position = row

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def statement_of(wanted: CommitFilter) -> tuple[str, list[str | int]]:
    """Return the SQL statement that selects the commits matching a filter, and the values of its parameters."""
    where, values = conditions_of(wanted)
    return f"{_COMMIT}{where} ORDER BY c.position DESC", values


def conditions_of(wanted: CommitFilter) -> tuple[str, list[str | int]]:
    """Return the conditions of a filter in SQL, and the values of their parameters."""
    spelled = {
        "hash": "substr(c.hash, 1, length(?)) = ?",
        "author": "a.name = ?",
        "email": "a.email = ?",
        "author_contains": "instr(lower(a.name), lower(?)) > 0",
        "message_contains": "instr(lower(c.message), lower(?)) > 0",
        "since": "c.time >= ?",
        "until": "c.time <= ?",
        "path": "c.position IN (SELECT x.position FROM changes x JOIN paths p ON p.id = x.path WHERE "
        "p.path = ? OR substr(p.path, 1, length(?) + 1) = ? || '/')",
        "positions": "c.position IN (SELECT value FROM json_each(?))",
    }
    conditions: list[str] = []
    values: list[str | int] = []
    for name, value in wanted._asdict().items():
        if value is not None:
            conditions.append(spelled[name])
            given = json.dumps(value) if isinstance(value, tuple) else value
            values += [given] * conditions[-1].count("?")
    return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), values


def has_history(folder: Path) -> bool:
    """Return whether the history of a repository was stored in a folder before."""
    return folder.is_dir() and any(folder.iterdir())


@contextmanager
def opened_history(folder: Path, git: GitRepository, depth: int | None) -> Iterator[HistoryStore]:
    """Yield the up-to-date history of a repository, stored in a folder. Raises GitFailed and StoreError.

    A damaged database is removed and built again.
    """
    file = _file(folder, git)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        store = _current(file, git, depth)
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreError(f"The history cannot be stored in {file}: {error}.") from error
    except sqlite3.DatabaseError:
        file.unlink()
        store = _current(file, git, depth)
    try:
        yield store
    finally:
        store.close()


def read_history(folder: Path, git: GitRepository) -> ReadHistory | None:
    """Return the extent of the stored history of a repository without reading commits; None if nothing is stored."""
    file = _file(folder, git)
    if not file.is_file():
        return None
    store = HistoryStore(file)
    try:
        return ReadHistory(store.commit_count(), store.is_complete, store.head == git.head)
    except sqlite3.DatabaseError:  # the database is damaged; the next use builds it again
        return None
    finally:
        store.close()


def _file(folder: Path, git: GitRepository) -> Path:
    """Return the path of the database of a repository. The same folder in another clone has the same name."""
    place = os.path.relpath(git.top, folder.absolute())
    name = hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return folder / f"{name}.sqlite"


def _current(file: Path, git: GitRepository, depth: int | None) -> HistoryStore:
    store = HistoryStore(file)
    try:
        store.bring_up_to_date(git, depth)
    except BaseException:
        store.close()
        raise
    return store


def _covers_depth(state: dict[str, str], depth: int | None) -> bool:
    reach = state.get("reach", "0")
    return reach == "all" or (depth is not None and int(reach) >= depth)


def _source_key(git: GitRepository) -> str:
    """Return a digest of everything except HEAD that affects the log: the end of a shallow clone, and the names of people."""
    mailmap = git.top / ".mailmap"
    names = mailmap.read_bytes() if mailmap.is_file() and not mailmap.is_symlink() else b""
    return hashlib.sha256(b"\0".join((_VERSION.encode(), git.shallow_commits.encode(), names))).hexdigest()


def _batched(items: Iterable[Item], size: int) -> Iterator[tuple[Item, ...]]:
    """Yield items in tuples of at most `size` items, as `itertools.batched` of Python 3.12 does."""
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch
