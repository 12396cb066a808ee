"""Search the history in Git for terms of documents: terms that still occur, and commits that removed other terms and files."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from ...ingest.files.path_roles import is_test_path
from ...ingest.history.git import GitRepository
from ...ingest.history.lines import line_dates
from ...retrieval.lint.model.term_history import Place, Removal, Term, TermHistory
from ...schema.languages import is_document_path
from ...schema.process.git import GitFailed
from .declaring_lines import declares

#: Number of commits that removed a file from which on the file comes and goes. A commit may be reverted and repeated.
_COMES_AND_GOES: Final = 3
#: Maximum seconds for the search of the history, from the newest commit. Terms that are not found in time have no history.
_SECONDS: Final = 5.0
#: Maximum number of paths that Git selects. It compares each changed file with each of them, and a command has a maximum length.
_MAX_ARGUMENTS: Final = 200
#: Minimum seconds for the dates of the lines of one document.
_MIN_SECONDS: Final = 0.5
_COMMIT: Final = "\x1e"
#: Extensions of further files with prose, which count as documents.
_PROSE: Final = (".txt", ".html", ".htm", ".po", ".lock", ".svg", ".ipynb", ".snap", ".mdx", ".log", ".csv")
_WORD: Final = re.compile(r"[\w$-]+")
#: Folders with copies of dependencies. Documents may name a dependency that is not copied any more.
_COPIED: Final = re.compile(r"(?:^|/)(?:vendor|node_modules|bower_components|godeps|third[-_]party|external)/", re.IGNORECASE)
#: Configurations of services that build and publish. They use settings of the service, and flags of other programs.
_BUILDS: Final = re.compile(
    r"(?:^|/)(?:\.(?:github|circleci|buildkite|gitlab|woodpecker)/|\.(?:drone|travis|gitlab-ci|appveyor|cirrus|woodpecker)\b"
    r"|(?:azure|bitbucket)-pipelines\b|appveyor\.yml$|jenkinsfile\b|\.?goreleaser\b)",
    re.IGNORECASE,
)
#: The subject of a commit that moves code into another repository or package, whose names documents may still use.
_MOVES: Final = re.compile(
    r"\b(?:mov|extract|split|separat|spin|spun)\w*\b.*\b(?:repos?|repository|repositories|packages?|gems?|crates?|plugins?|library)\b"
    r"|\breplac\w*\b.*\bdependenc(?:y|ies)\b",
    re.IGNORECASE,
)


class _OutOfTime(Exception):
    """Raised to end the search of the history."""


def term_history(root: Path) -> TermHistory | None:
    """Return the history of terms in Git; None for a folder outside of a repository."""
    try:
        git = GitRepository(root)
    except GitFailed:
        return None

    def present(words: Sequence[str]) -> set[str]:
        return _present(git, words)

    def removals(terms: Sequence[Term]) -> Mapping[Term, Removal]:
        return _Search(git, terms).found()

    def removed_files(paths: Sequence[str]) -> Mapping[str, Removal]:
        return _removed_files(git, paths)

    def dates(places: Sequence[Place]) -> Mapping[Place, str]:
        return _line_dates(git, places)

    return TermHistory(present, removals, removed_files, dates)


def _is_code(path: str) -> bool:
    return not (is_document_path(path) or path.lower().endswith(_PROSE) or "changelog" in path.lower())


def _is_program(path: str) -> bool:
    """Return whether a file may declare terms of documents: it is code outside of tests, of copied dependencies and of builds."""
    return _is_code(path) and not is_test_path(path) and _COPIED.search(path) is None and _BUILDS.search(path) is None


def _present(git: GitRepository, words: Sequence[str]) -> set[str]:
    """Return the words that occur in a tracked file outside of documents. Raises GitFailed."""
    return {word for path, word in git.words_in_files(words) if _is_code(path)}


def _removed_files(git: GitRepository, paths: Sequence[str]) -> dict[str, Removal]:
    """Return the last commit that removed each of some files, as far as the time permits.

    A file that several commits removed comes and goes, such as the notes of the next release, and is left out.
    """
    found: dict[str, Removal] = {}
    counts: Counter[str] = Counter()
    if not paths:
        return found
    end = time.monotonic() + _SECONDS
    commit: list[str] = []
    wanted = {*paths}
    log = _log(git, "--diff-filter=D", "--name-only", "--relative", paths=paths if len(paths) <= _MAX_ARGUMENTS else ())
    with suppress(_OutOfTime, GitFailed), closing(log) as lines:  # earlier removals remain valid
        for line in lines:
            if line.startswith(_COMMIT):
                commit = line[1:].split("\0")
            elif line in wanted and len(commit) == 3:
                found.setdefault(line, _removal(commit))
                counts[line] += 1
            if time.monotonic() > end:
                raise _OutOfTime
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


def _log(git: GitRepository, *options: str, paths: Sequence[str] = ()) -> Generator[str]:
    """Yield the lines of the log, the newest commit first. A line with `_COMMIT` begins each commit. Raises GitFailed."""
    arguments = ("log", *options, "--no-color", "--no-renames", f"--format={_COMMIT}%h%x00%cs%x00%s")
    with git.stream(*arguments, *(("--", *paths) if paths else ())) as lines:
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\n")


def _removal(commit: Sequence[str], replacement: str = "") -> Removal:
    """Return the removal by a commit: its short hash, date and subject."""
    return Removal(commit[0], commit[2][:80], commit[1], replacement)


class _Search:
    """One walk over the commits, newest first, for all terms together."""

    def __init__(self, git: GitRepository, terms: Sequence[Term]) -> None:
        self._git = git
        self._terms = tuple(terms)
        self._found: dict[Term, Removal] = {}

    def found(self) -> dict[Term, Removal]:
        if not self._terms:
            return {}
        names = "|".join(sorted({re.escape(term.name).replace("\\-", "-") for term in self._terms}))
        options = (f"-S{names}", "--pickaxe-regex", "-U0", "-p", "--no-merges", "--no-ext-diff", "--no-textconv")
        end = time.monotonic() + _SECONDS
        with suppress(_OutOfTime, GitFailed), closing(_log(self._git, *options)) as lines:  # earlier removals remain valid
            self._read(lines, end)
        return self._found

    def _read(self, lines: Iterator[str], end: float) -> None:
        commit: list[str] = []
        path = ""
        removed: list[str] = []
        added: list[str] = []
        for line in lines:
            if line.startswith(_COMMIT):
                self._judge(commit, path, removed, added)
                removed, added = [], []
                if time.monotonic() > end or len(self._found) == len(self._terms):
                    raise _OutOfTime
                commit = line[1:].split("\0")
            elif line.startswith("diff --git"):
                self._judge(commit, path, removed, added)
                removed, added = [], []
                path = line.rpartition(" b/")[2]
            elif line.startswith("-") and not line.startswith("---"):
                removed.append(line[1:])
            elif line.startswith("+") and not line.startswith("+++"):
                added.append(line[1:])
        self._judge(commit, path, removed, added)

    def _judge(self, commit: Sequence[str], path: str, removed: Sequence[str], added: Sequence[str]) -> None:
        """Record the terms that one commit removed from one file."""
        if len(commit) != 3 or not removed or not _is_program(path) or _MOVES.search(commit[2]) is not None:
            return
        for term in self._terms:
            if term in self._found or any(term.name in line for line in added):
                continue
            line = next((line for line in removed if term.name in line and declares(line, term, path)), None)
            if line is not None:
                self._found[term] = _removal(commit, _replacement(term.name, line, added))


def _replacement(name: str, line: str, added: Sequence[str]) -> str:
    """Return the word that replaces a name in an otherwise unchanged line; "" if there is no such line."""
    before, _, behind = line.strip().partition(name)
    if len(before.strip()) + len(behind.strip()) < 4:
        return ""
    found = {
        word
        for other in (each.strip() for each in added)
        if other.startswith(before) and other.endswith(behind) and len(other) > len(before) + len(behind)
        if _WORD.fullmatch(word := other[len(before) : len(other) - len(behind)])
    }
    return found.pop() if len(found) == 1 else ""
