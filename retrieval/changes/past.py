"""The history of changed files: their owners, frequent changes, and the files that usually change with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ...ingest.changes.changed_symbols import ChangedSymbol
from ...ingest.changes.states import States
from ...ingest.history.git import GitRepository
from ...ingest.history.store import HistoryStore, StoredCommit, has_history, opened_history
from ...schema.process.git import GitFailed
from ..history.co_change import co_changes
from ..history.records import CoChange
from .records import Owner, Partner
from .risk import HOT_COMMITS
from .symbol_partners import CONFIDENCE, SUPPORT, symbol_partners

#: Maximum number of changed files whose history is read.
_MAX_FILES: Final = 50
#: Maximum number of unchanged files whose declarations are compared with the changed declarations.
_MAX_PARTNERS: Final = 20
#: Minimum share of common commits of such a file.
_RELATED: Final = 0.2
#: Maximum number of entries of each list.
_MAX_ENTRIES: Final = 10


@dataclass(slots=True)
class Past:
    """The relevant history."""

    partners: tuple[Partner, ...] = ()
    owners: tuple[Owner, ...] = ()
    hot: list[str] = field(default_factory=list)
    #: For each file that usually changes with a changed file, by its path: the confidence, and the path of the changed file.
    together: dict[str, tuple[float, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def past_of(
    folder: Path, git: GitRepository, states: States, paths: Sequence[str], symbols: Sequence[ChangedSymbol], depth: int
) -> Past:
    """Return the history of changed files and symbols between two states. Raises StoreError.

    Before the first `astrolabe history`, no commits are stored, and a note says so.
    """
    if not paths:
        return Past()
    if not has_history(folder):
        return Past(notes=["Owners and files that usually change together are not known: run `astrolabe history` once."])
    try:
        return _read_past(folder, git, states, paths, symbols, depth)
    except GitFailed as failure:
        return Past(notes=[f"Owners and files that usually change together are not known: {failure}"])


def changed_together(folder: Path, git: GitRepository, paths: Sequence[str], depth: int) -> dict[str, tuple[float, str]]:
    """Return the files that usually change with some files, in the form of `Past.together`. Raises StoreError and GitFailed.

    Before the first `astrolabe history`, there are none.
    """
    found: dict[str, tuple[float, str]] = {}
    if not paths or not has_history(folder):
        return found
    with opened_history(folder, git, depth) as store:
        for path in paths[:_MAX_FILES]:
            for each in _history_of_file(git, store, path)[1]:
                _keep_strongest(found, each, path)
    return found


def _history_of_file(git: GitRepository, store: HistoryStore, path: str) -> tuple[list[StoredCommit], list[CoChange]]:
    """Return the commits that changed a file, and the files that changed with it."""
    whole = git.prefix + path
    changes = list(store.changes_of_file(whole))
    commits = store.commits(list({placed.position: None for placed in changes}))
    names = frozenset((whole, *(placed.change.path for placed in changes)))
    return commits, co_changes(store, names, commits, git.prefix)


def _keep_strongest(together: dict[str, tuple[float, str]], found: CoChange, path: str) -> None:
    if found.confidence > together.get(found.file, (0.0, ""))[0]:
        together[found.file] = (found.confidence, path)


def _read_past(
    folder: Path, git: GitRepository, states: States, paths: Sequence[str], symbols: Sequence[ChangedSymbol], depth: int
) -> Past:
    found = Past()
    changed = set(paths)
    partners: dict[str, Partner] = {}
    authors: Counter[str] = Counter()
    emails: dict[str, str] = {}
    read: dict[int, StoredCommit] = {}
    with opened_history(folder, git, depth) as store:
        for path in paths[:_MAX_FILES]:
            commits, co_changed = _history_of_file(git, store, path)
            new = [commit for commit in commits if commit.position not in read]
            read.update((commit.position, commit) for commit in new)
            authors.update(commit.author for commit in new)
            emails |= {commit.author: commit.email for commit in reversed(new) if commit.author not in emails}
            if len(commits) >= HOT_COMMITS:
                found.hot.append(path)
            for each in co_changed:
                _keep_strongest(found.together, each, path)
                known = partners.get(each.file)
                is_strong = each.support >= SUPPORT and each.confidence >= CONFIDENCE
                if is_strong and each.file not in changed and (known is None or known.confidence < each.confidence):
                    partners[each.file] = Partner(
                        file=each.file, changes_with=path, support=each.support, confidence=each.confidence
                    )
        try:
            missing = _missing_symbols(git, store, states, paths, symbols, found, [*read.values()], depth)
        except GitFailed as failure:
            missing = []
            found.notes.append(f"Declarations that usually change together are not known: {failure}")
    there = [each for each in partners.values() if (git.folder / each.file).is_file()]
    missing = missing[:_MAX_ENTRIES]
    told = {each.file for each in missing}  # a symbol is more precise than its file
    files = sorted((each for each in there if each.file not in told), key=lambda one: (-one.confidence, -one.support, one.file))
    found.partners = (*files[:_MAX_ENTRIES], *missing)
    total = authors.total()
    found.owners = tuple(
        Owner(name=name, email=emails[name], commits=count, share=round(count / total, 3))
        for name, count in authors.most_common(_MAX_ENTRIES)
    )
    if len(paths) > _MAX_FILES:
        found.notes.append(f"The history of {_MAX_FILES} of {len(paths):,} changed files was read.")
    return found


def _missing_symbols(
    git: GitRepository,
    store: HistoryStore,
    states: States,
    paths: Sequence[str],
    symbols: Sequence[ChangedSymbol],
    past: Past,
    commits: Sequence[StoredCommit],
    depth: int,
) -> list[Partner]:
    """Return unchanged declarations that usually change with the changed declarations. Only changed files, and files that usually
    change with them, are searched.
    """
    together = sorted(past.together.items(), key=lambda each: (-each[1][0], each[0]))
    related = [path for path, (share, _) in together if share >= _RELATED and path not in paths][:_MAX_PARTNERS]
    earlier = [states.renamed.get(path, path) for path in paths[:_MAX_FILES]]
    changed = [each.old for each in symbols if each.old is not None and each.old.path in earlier]
    return symbol_partners(git, store, states, changed, [*earlier, *related], commits, depth)
