"""Find the files that declared terms of documents at earlier commits."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from ...ingest.history.git import GitRepository
from ...retrieval.lint.model.term_history import Term
from ...schema.process.git import GitFailed
from .declaring_lines import declares
from .removal_search import is_program

#: Number of times that the space between two searched commits is halved. The search visits 2 to its power commits.
_HALVINGS: Final = 4


def former_declarations(git: GitRepository, terms: Sequence[Term], seconds: float) -> dict[Term, set[str]]:
    """Return the files that declared each term at one of some earlier commits, as far as the time permits.

    The commits have the same distance, because a search through all of them takes minutes for a long history. So a term is found
    if code had it for a sixteenth of the history.
    """
    end = time.monotonic() + seconds
    found: dict[Term, set[str]] = {}
    with suppress(GitFailed):  # earlier commits remain valid
        for commit in dict.fromkeys(_spread(git.text("rev-list", "HEAD").split())):
            names = {term.name for term in terms if term not in found}
            if not names or (left := end - time.monotonic()) <= 0:
                break
            for path, line in git.lines_with(names, commit, left):
                for term in terms if is_program(path) else ():
                    if term.name in line and declares(line, term, path):
                        found.setdefault(term, set()).add(path)
    return found


def _spread(commits: Sequence[str]) -> Iterator[str]:
    """Yield the oldest commit, the commit in the middle, those in the middle of both halves, and so on."""
    yield from commits[-1:]
    for halving in range(1, _HALVINGS + 1):
        parts = 2**halving
        for part in range(1, parts, 2):
            yield commits[len(commits) * part // parts]
