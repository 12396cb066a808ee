"""Compose the history of a file, a folder, a symbol or the whole workspace within a budget."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import msgspec

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import files_by_path
from ...graphdb.symbols.symbol_table import symbols_of
from ...ingest.history.commits import FileChange
from ...ingest.history.git import GitRepository
from ...ingest.history.lines import changes_of_lines, lines_at_head, owners
from ...ingest.history.range_commits import LineRange, commits_of_work_tree
from ...ingest.history.store import HistoryStore, PlacedChange, StoredCommit, opened_history
from ...schema.manifest import Exclusion
from ...schema.process.git import GitFailed
from ...schema.records import Symbol
from ...schema.symbol_kinds import STATEMENTS
from ..analyses.finding import find_subject
from ..text.json_budget import json_length
from ..text.tokens import tokens_of_characters
from ..text_search.indexed_text import FileText
from .co_change import (
    MIN_SUPPORT,
    Together,
    co_changes,
    commit_weights,
    files_together,
    is_nested,
    pairs_together,
    symbol_weights,
)
from .records import MIN_BUDGET, Churn, CoChange, Contributor, HistoryAnswer, HistoryRequest, Hotspot, ShownCommit
from .text import history_text

#: Maximum number of entries in each list except the commits.
_MAX_ENTRIES = 10
#: Maximum number of files whose declarations are compared with the declaration of a request.
_PARTNER_FILES = 20
#: Maximum number of shown characters of a commit title.
_MAX_TITLE_LENGTH = 200
#: Lists of an answer in the order in which they are shortened for the budget.
_LISTS = ("commits", "hotspots", "co_changes", "authors", "owners", "candidates")

Texts = Callable[[], Mapping[str, FileText]]


@dataclass(frozen=True, slots=True)
class Sources:
    """The stores and folders from which answers are read."""

    root: Path
    #: Folder with the databases of commits.
    folder: Path
    graph: GraphDatabase
    texts: Texts
    exclusions: Sequence[Exclusion]


def compose_history(sources: Sources, request: HistoryRequest) -> HistoryAnswer:
    """Return the history of the subject of a request. Raises UsageError and StoreError.

    If Git fails, the answer has no commits, and a note gives the reason.
    """
    subject = request.subject.strip().removeprefix("./").rstrip("/")
    subject = "" if subject == "." else subject
    try:
        git = GitRepository(_repository_folder(sources.root, subject))
        with opened_history(sources.folder, git, request.depth) as store:
            answer = _History(sources, request, git, store, subject).answer()
    except GitFailed as failure:
        answer = HistoryAnswer(subject=subject, kind="nothing", notes=(str(failure),))
    return _fitted(answer, request.budget)


def hotspots(sources: Sources, depth: int | None) -> list[Hotspot]:
    """Return every indexed file with commits, ordered by the product of commits and lines, the highest first. Raises GitFailed
    and StoreError.
    """
    git = GitRepository(sources.root)
    with opened_history(sources.folder, git, depth) as store:
        request = HistoryRequest(depth=depth, budget=MIN_BUDGET)
        return _History(sources, request, git, store, "").hotspots(list(store.changes_under(git.prefix)))


def partners(sources: Sources, depth: int | None, known: Collection[str]) -> list[Together]:
    """Return the pairs of known files that the same commits changed. Raises GitFailed and StoreError."""
    git = GitRepository(sources.root)
    with opened_history(sources.folder, git, depth) as store:
        return files_together(store, git.prefix, known)


def _repository_folder(root: Path, subject: str) -> Path:
    """Return the innermost folder around a path that is a separate repository, such as a submodule; else the root."""
    path = PurePosixPath(subject)
    if path.is_absolute() or ".." in path.parts:
        return root
    inner = (root / folder for folder in (path, *path.parents) if folder.parts)
    return next((folder for folder in inner if (folder / ".git").exists()), root)


class _History:
    def __init__(self, sources: Sources, request: HistoryRequest, git: GitRepository, store: HistoryStore, subject: str) -> None:
        self._sources = sources
        self._request = request
        self._git = git
        self._store = store
        self._subject = subject
        #: Path of the repository relative to the root, with a final slash; "" for the root.
        self._within = f"{git.folder.relative_to(sources.root).as_posix()}/" if git.folder != sources.root else ""
        self._notes: list[str] = []

    def answer(self) -> HistoryAnswer:
        self._note_reach()
        if not self._subject or f"{self._subject}/" == self._within:
            return self._of_folder("repository", self._git.prefix)
        path = self._git.prefix + self._subject[len(self._within) :]
        if changes := list(self._store.changes_of_file(path)):
            return self._of_file(path, changes)
        if any(True for _ in self._store.changes_under(f"{path}/")):
            return self._of_folder("folder", f"{path}/")
        if (self._sources.root / self._subject).exists():
            is_committed = self._git.has_path(path)
            self._notes.append(
                "No commit that was read changed this path." if is_committed else "This path is not committed yet."
            )
            return self._owned_file(path) if is_committed else self._summary("file", path, (), ())
        return self._of_symbol()

    def _note_reach(self) -> None:
        count = self._store.commit_count()
        if not count:
            self._notes.append("There is no commit yet.")
        elif not self._store.is_complete:
            self._notes.append(f"The newest {count:,} commits were read; `--all` or the setting `history_depth` reads more.")
        if self._git.shallow_commits:
            self._notes.append("The clone is shallow: its oldest commits seem to add every file.")
        if self._store.lacks_lines:
            self._notes.append(
                "This clone is partial and lacks contents of old files, so numbers of changed lines are not known, "
                "and a file that was renamed and edited at once seems new."
            )
        if self._store.was_rewritten:
            self._notes.append("The history was rewritten, so it was read anew.")

    def _of_folder(self, kind: str, folder: str) -> HistoryAnswer:
        changes = list(self._store.changes_under(folder))
        commits = self._commits(changes)
        return self._summary(kind, folder, changes, commits, hotspots=self.hotspots(changes))

    def _of_file(self, path: str, changes: Sequence[PlacedChange]) -> HistoryAnswer:
        commits = self._commits(changes)
        names = frozenset((path, *(placed.change.path for placed in changes)))
        partners = co_changes(self._store, names, commits, self._git.prefix)
        partners = [msgspec.structs.replace(each, file=self._within + each.file) for each in partners]
        return self._summary("file", path, changes, commits, owners=self._owners(path), co_changes=partners)

    def _owned_file(self, path: str) -> HistoryAnswer:
        return self._summary("file", path, (), (), owners=self._owners(path))

    def _of_symbol(self) -> HistoryAnswer:
        found = find_subject(self._sources.graph, self._subject, self._sources.exclusions)
        if not found.declarations:
            nothing = found.nothing
            if nothing is not None:
                self._notes.append(nothing.message)
            candidates = tuple(candidate.path for candidate in nothing.candidates) if nothing is not None else ()
            return HistoryAnswer(subject=self._subject, kind="nothing", candidates=candidates, notes=tuple(self._notes))
        symbol = found.declarations[0]
        path = self._git.prefix + symbol.relative_path
        at = f"{symbol.relative_path}:{symbol.start_line}"
        try:
            lines = self._committed_lines(symbol, path)
            if lines is None:
                self._notes.append("The symbol is not committed yet.")
                return HistoryAnswer(subject=self._subject, kind="symbol", at=at, notes=tuple(self._notes))
            changed = changes_of_lines(self._git, symbol.relative_path, lines, self._request.depth)
        except GitFailed as failure:
            self._notes.append(str(failure))
            return HistoryAnswer(subject=self._subject, kind="symbol", at=at, notes=tuple(self._notes))
        placed = [
            PlacedChange(position, FileChange(path, None, change.added, change.deleted))
            for change in changed
            if (position := self._store.position(change.hash)) is not None
        ]
        commits = self._commits(placed)
        partners = self._partners(symbol, commits)
        answer = self._summary("symbol", path, placed, commits, owners=self._owners(path, lines), co_changes=partners)
        return msgspec.structs.replace(answer, at=at)

    def _partners(self, symbol: Symbol, commits: Sequence[StoredCommit]) -> list[CoChange]:
        """Return the declarations that change with a symbol, most confident first, from files that often change with the symbol's
        file.
        """
        weights = commit_weights(commits)
        if len(weights) < MIN_SUPPORT:
            return []
        files = Counter(self._store.later_name(path, position) for position, path in self._store.paths_in(list(weights)))
        prefix = len(self._git.prefix)
        paths = [self._within + path[prefix:] for path, count in files.most_common(_PARTNER_FILES) if count >= MIN_SUPPORT]
        declared = [each for each in symbols_of(self._sources.graph).in_files(paths) if each.kind not in STATEMENTS]
        places = {each.id: (each.relative_path, LineRange(each.id, each.start_line, each.end_line)) for each in declared}
        ranges: defaultdict[str, list[LineRange]] = defaultdict(list)
        for path, lines in places.values():
            ranges[self._git.prefix + path[len(self._within) :]].append(lines)
        positions = {commit.hash: commit.position for commit in commits}
        changed_in: defaultdict[int, list[str]] = defaultdict(list)
        for id, commit in commits_of_work_tree(self._git, ranges, self._request.depth):
            if commit in positions:
                changed_in[positions[commit]].append(id)
        names = {each.id: each for each in declared}
        found = [
            CoChange(
                file=names[pair.other].relative_path,
                symbol=names[pair.other].qualified_name,
                support=pair.support,
                confidence=round(pair.confidence, 3),
            )
            for pair in pairs_together(symbol_weights(weights, changed_in), changed_in)
            if pair.one == symbol.id and not is_nested(places[pair.one], places[pair.other])
        ]
        return sorted(found, key=lambda each: (-each.confidence, -each.support, each.file, each.symbol))

    def _committed_lines(self, symbol: Symbol, path: str) -> tuple[int, int] | None:
        lines = (symbol.start_line, symbol.end_line)
        text = self._sources.texts().get(symbol.relative_path)
        return lines if text is None else lines_at_head(self._git, path, text.text, lines)

    def _commits(self, changes: Iterable[PlacedChange]) -> list[StoredCommit]:
        return self._store.commits(list({placed.position: None for placed in changes}))

    def _owners(self, path: str, lines: tuple[int, int] | None = None) -> list[Contributor]:
        if not self._store.head:
            return []  # there is no commit yet
        if not self._git.has_path(path):
            self._notes.append("The last commit does not contain this file, so no line of it has an owner.")
            return []
        try:
            counts = owners(self._git, path[len(self._git.prefix) :], lines)
        except GitFailed as failure:
            self._notes.append(str(failure))
            return []
        total = sum(counts.values())
        return [
            Contributor(name=name, email=email, lines=count, share=round(count / total, 3))
            for (name, email), count in counts.items()
        ]

    def hotspots(self, changes: Iterable[PlacedChange]) -> list[Hotspot]:
        """Return the changed files with their current names, ordered by the product of commits and lines, the highest first."""
        changes = list(changes)
        people = {commit.position: commit.author for commit in self._commits(changes)}
        authors: defaultdict[str, Counter[str]] = defaultdict(Counter)
        prefix = len(self._git.prefix)
        for placed in changes:
            path = self._store.later_name(placed.change.path, placed.position)
            authors[self._within + path[prefix:]][people[placed.position]] += 1
        by_file = {path: counts.total() for path, counts in authors.items()}
        details = files_by_path(self._sources.graph, by_file)
        scores = {path: by_file[path] * file.lines for path, file in details.items()}
        highest = max(scores.values(), default=0) or 1
        ranked = sorted(scores, key=lambda path: (-scores[path], path))
        return [
            Hotspot(
                file=path,
                commits=by_file[path],
                lines=details[path].lines,
                score=round(scores[path] / highest, 3),
                author=authors[path].most_common(1)[0][0],
            )
            for path in ranked
        ]

    def _summary(
        self,
        kind: str,
        path: str,
        changes: Sequence[PlacedChange],
        commits: Sequence[StoredCommit],
        *,
        owners: Sequence[Contributor] = (),
        co_changes: Sequence[CoChange] = (),
        hotspots: Sequence[Hotspot] = (),
    ) -> HistoryAnswer:
        by_commit: defaultdict[int, list[FileChange]] = defaultdict(list)
        for placed in changes:
            by_commit[placed.position].append(placed.change)
        shown = commits[: self._request.limit]
        refs = self._refs() if shown else {}
        people = Counter((commit.author, commit.email) for commit in commits)
        authors = [
            Contributor(name=name, email=email, commits=count, share=round(count / len(commits), 3))
            for (name, email), count in people.most_common()
        ]
        prefix = len(self._git.prefix)
        lists = (authors, owners, co_changes)
        return HistoryAnswer(
            subject=self._subject,
            kind=kind,
            at=(self._within + path[prefix:]).rstrip("/"),
            churn=_churn(commits, by_commit),
            commits=tuple(_shown(commit, by_commit[commit.position], refs, prefix, kind) for commit in shown),
            authors=tuple(authors[:_MAX_ENTRIES]),
            owners=tuple(owners[:_MAX_ENTRIES]),
            co_changes=tuple(co_changes[:_MAX_ENTRIES]),
            hotspots=tuple(hotspots[:_MAX_ENTRIES]),
            left_out=len(commits) - len(shown) + sum(max(0, len(each) - _MAX_ENTRIES) for each in lists),
            notes=tuple(self._notes),
        )

    def _refs(self) -> dict[str, list[str]]:
        """Return the tags and branches of each commit."""
        format_ = "--format=%(objectname) %(*objectname) %(refname:short)"
        names: defaultdict[str, list[str]] = defaultdict(list)
        for line in self._git.text("for-each-ref", format_, "refs/tags", "refs/heads").splitlines():
            commit, tagged, name = line.split(" ", 2)
            names[tagged or commit].append(name)
        return names


def _churn(commits: Sequence[StoredCommit], changes: Mapping[int, Sequence[FileChange]]) -> Churn | None:
    if not commits:
        return None
    each = [change for found in changes.values() for change in found]
    times = [commit.time for commit in commits]
    return Churn(
        commits=len(commits),
        added=sum(change.added or 0 for change in each),
        deleted=sum(change.deleted or 0 for change in each),
        first_touched=iso_date(min(times)),
        last_touched=iso_date(max(times)),
    )


def _shown(
    commit: StoredCommit, changes: Sequence[FileChange], refs: Mapping[str, Sequence[str]], prefix: int, kind: str
) -> ShownCommit:
    renamed = next((change.old_path for change in changes if change.old_path), "") if kind == "file" else ""
    return ShownCommit(
        commit=commit.hash,
        date=iso_date(commit.time),
        author=commit.author,
        title=commit.message.partition("\n")[0][:_MAX_TITLE_LENGTH],
        added=sum(change.added or 0 for change in changes),
        deleted=sum(change.deleted or 0 for change in changes),
        issues=tuple(commit.issues.split()),
        refs=tuple(refs.get(commit.hash, ())),
        renamed_from=renamed[prefix:],
    )


def iso_date(seconds: int) -> str:
    """Return a time as ISO 8601, or `@` and the seconds if the time is outside of the calendar."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return f"@{seconds}"


def _fitted(answer: HistoryAnswer, budget: int) -> HistoryAnswer:
    """Shorten the lists of an answer until its text and its JSON have at most `budget` tokens each."""
    while _tokens(answer) > budget:
        name = next((name for name in _LISTS if len(getattr(answer, name)) > 3), "")
        name = name or next((name for name in _LISTS if getattr(answer, name)), "")
        if not name:
            break
        kept = getattr(answer, name)
        dropped = max(1, len(kept) // 4)
        answer = msgspec.structs.replace(answer, left_out=answer.left_out + dropped, **{name: kept[:-dropped]})
    return answer


def _tokens(answer: HistoryAnswer) -> int:
    return tokens_of_characters(max(len(history_text(answer)), json_length(answer)))
