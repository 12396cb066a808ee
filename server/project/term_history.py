"""Search the history in Git for terms of documents: terms that still occur, and commits that removed other terms and files."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from ...ingest.history.git import GitRepository
from ...ingest.history.lines import line_dates
from ...retrieval.lint.model.term_history import Place, Removal, Term, TermHistory
from ...schema.process.git import GitFailed
from .former_declarations import former_declarations
from .removal_search import COMMIT, RemovalSearch, commits_and_changes, is_code, removal_by

#: Number of commits that removed a file from which on the file comes and goes. A commit may be reverted and repeated.
_COMES_AND_GOES: Final = 3
#: Maximum seconds for each search of the history. Terms that are not found in time have no history.
_SECONDS: Final = 5.0
#: Maximum number of paths that Git selects. It compares each changed file with each of them, and a command has a maximum length.
_MAX_ARGUMENTS: Final = 200
#: Minimum seconds for the dates of the lines of one document.
_MIN_SECONDS: Final = 0.5


def term_history(root: Path) -> TermHistory | None:
    """Return the history of terms in Git; None for a folder outside of a repository."""
    try:
        git = GitRepository(root)
    except GitFailed:
        return None

    def present(words: Sequence[str], indexed: Container[str]) -> set[str]:
        return {word for path, word in git.words_in_files(words) if path not in indexed and is_code(path)}

    def removals(terms: Sequence[Term]) -> Mapping[Term, Removal]:
        return _removals(git, terms)

    def removed_files(paths: Sequence[str]) -> Mapping[str, Removal]:
        return _removed_files(git, paths)

    def dates(places: Sequence[Place]) -> Mapping[Place, str]:
        return _line_dates(git, places)

    return TermHistory(present, removals, removed_files, dates)


def _removals(git: GitRepository, terms: Sequence[Term]) -> dict[Term, Removal]:
    """Return the removals of terms.

    A walk through all changes finds those of the newest commits in time, except where a longer name replaced a name. For the
    other terms, only the changes of files that declared them at earlier commits are read.
    """
    if not terms:
        return {}
    newest = RemovalSearch(git, terms)
    newest.walk(_SECONDS)
    former = former_declarations(git, [term for term in terms if term not in newest.found], _SECONDS)
    if not former:
        return newest.found
    paths = sorted({path for each in former.values() for path in each})
    older = RemovalSearch(git, former, paths[:_MAX_ARGUMENTS])
    older.walk(_SECONDS)
    return older.found | newest.found


def _removed_files(git: GitRepository, paths: Sequence[str]) -> dict[str, Removal]:
    """Return the last commit that removed each of some files, as far as the time permits.

    A file that several commits removed comes and goes, such as the notes of the next release, and is left out.
    """
    found: dict[str, Removal] = {}
    counts: Counter[str] = Counter()
    if not paths:
        return found
    commit: list[str] = []
    wanted = {*paths}
    selected = paths if len(paths) <= _MAX_ARGUMENTS else ()
    log = commits_and_changes(git, _SECONDS, "--diff-filter=D", "--name-only", "--relative", paths=selected)
    with suppress(GitFailed), closing(log) as lines:  # earlier removals remain valid
        for line in lines:
            if line.startswith(COMMIT):
                commit = line[1:].split("\0")
            elif line in wanted and len(commit) == 3:
                found.setdefault(line, removal_by(commit))
                counts[line] += 1
    return {path: removal for path, removal in found.items() if counts[path] < _COMES_AND_GOES}


def _line_dates(git: GitRepository, places: Sequence[Place]) -> dict[Place, str]:
    """Return the dates of lines that Git tracks, as far as the time permits."""
    lines: dict[str, list[int]] = {}
    for path, line in places:
        lines.setdefault(path, []).append(line)
    found: dict[Place, str] = {}
    end = time.monotonic() + _SECONDS
    for path, wanted in lines.items():
        with suppress(GitFailed):  # a document outside of Git, or a long history
            dates = line_dates(git, path, wanted, max(end - time.monotonic(), _MIN_SECONDS))
            found |= {(path, line): date for line, date in dates.items()}
        if time.monotonic() > end:
            break
    return found
