"""Search the commits of a repository for the removals of terms."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from typing import Final

from ...ingest.files.path_roles import is_test_path
from ...ingest.history.git import GitRepository
from ...retrieval.lint.model.term_history import Removal, Term
from ...schema.languages import is_document_path
from ...schema.process.git import GitFailed
from .declaring_lines import declares

COMMIT: Final = "\x1e"
#: Extensions of further files with prose, which count as documents.
_PROSE: Final = (".txt", ".html", ".htm", ".po", ".lock", ".svg", ".ipynb", ".snap", ".mdx", ".log", ".csv")
#: A character that is no part of a name, in the syntax of POSIX.
_NO_WORD: Final = "[^A-Za-z0-9_$]"
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
    r"\b(?:mov|extract|split|separat|spin|spun)\w*\b.*"
    r"\b(?:repos?|repository|repositories|packages?|gems?|crates?|plugins?|library|projects?)\b"
    r"|\b(?:us|switch)\w*\b.*\b(?:library|package|gem|crate)\b|\bsplit\w*\b.*\bout\b"
    r"|\breplac\w*\b.*\bdependenc(?:y|ies)\b|\b(?:bundled|vendored)\b",
    re.IGNORECASE,
)


def is_code(path: str) -> bool:
    """Return whether a file is neither a document nor other prose."""
    return not (is_document_path(path) or path.lower().endswith(_PROSE) or "changelog" in path.lower())


def is_program(path: str) -> bool:
    """Return whether a file may declare terms of documents: it is code outside of tests, of copied dependencies and of builds."""
    return is_code(path) and not is_test_path(path) and _COPIED.search(path) is None and _BUILDS.search(path) is None


def commits_and_changes(git: GitRepository, seconds: float, *options: str, paths: Sequence[str] = ()) -> Generator[str]:
    """Yield the lines of the log, the newest commit first. A line with `COMMIT` begins each commit.

    Raises GitFailed, also if the log takes longer than `seconds`.
    """
    arguments = ("log", *options, "--no-color", "--no-renames", f"--format={COMMIT}%h%x00%cs%x00%s")
    with git.stream(*arguments, *(("--", *paths) if paths else ()), seconds=seconds) as lines:
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\n")


def removal_by(commit: Sequence[str], replacement: str = "") -> Removal:
    """Return the removal by a commit: its short hash, date and subject."""
    return Removal(commit[0], commit[2][:80], commit[1], replacement)


class RemovalSearch:
    """One walk over the commits, newest first, for all terms together."""

    def __init__(self, git: GitRepository, terms: Iterable[Term], paths: Sequence[str] = ()) -> None:
        """`paths` are the files whose changes are read; all files if there are none."""
        self._git = git
        self._terms = tuple(terms)
        self._paths = paths
        self.found: dict[Term, Removal] = {}

    def walk(self, seconds: float) -> None:
        """Find the removals, as far as the time permits."""
        names = "|".join(sorted({re.escape(term.name).replace("\\-", "-") for term in self._terms}))
        # Git compares the numbers of occurrences. In a longer name, a name only occurs if the pattern has no bounds, but bounds
        # take five times as long, so only the changes of a few files are compared with them.
        words = f"(^|{_NO_WORD})({names})({_NO_WORD}|$)" if self._paths else names
        options = (f"-S{words}", "--pickaxe-regex", "-U0", "-p", "--no-merges", "--no-ext-diff", "--no-textconv")
        log = commits_and_changes(self._git, seconds, *options, paths=self._paths)
        with suppress(GitFailed), closing(log) as lines:  # earlier removals remain valid
            self._read(lines)

    def _read(self, lines: Iterator[str]) -> None:
        commit: list[str] = []
        path = ""
        removed: list[str] = []
        added: list[str] = []
        for line in lines:
            if line.startswith(COMMIT):
                self._judge(commit, path, removed, added)
                removed, added = [], []
                if len(self.found) == len(self._terms):
                    return
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
        if len(commit) != 3 or not removed or not is_program(path) or _MOVES.search(commit[2]) is not None:
            return
        for term in self._terms:
            if term in self.found or any(_has(line, term.name) for line in added):
                continue
            line = next((line for line in removed if term.name in line and declares(line, term, path)), None)
            if line is not None:
                self.found[term] = removal_by(commit, _replacement(term.name, line, added))


def _has(line: str, name: str) -> bool:
    """Return whether a line has a name, and not only as a part of a longer name."""
    return name in line and re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", line) is not None


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
