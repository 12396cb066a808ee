"""Entries of several kinds of answers: results of a search, and commits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....schema.process.git import GitFailed
from ....schema.symbol_kinds import DOCUMENT_KINDS
from ..scopes.commits import commits_of_files
from .records import Entry

if TYPE_CHECKING:
    from ....retrieval.answers.answer import RankedResult
    from ..requests.answering_index import AnsweringIndex
    from ..scopes.kinds import SymbolScope
    from ..scopes.rows import CommitRow

#: Maximum length of the title of a commit, in characters.
_MAX_TITLE = 120
#: Maximum length of the hash of a commit, in characters.
_MAX_HASH = 12


def result_entry(result: RankedResult, reason: str = "") -> Entry:
    """Return a search result as an entry; a result without a name is a file."""
    place = f"{result.file}:{result.start_line}"
    return Entry(result.name or result.file, result.kind, place, score=round(result.score, 3), reason=reason)


def naming_documents(symbols: SymbolScope) -> SymbolScope:
    """Return the parts of documents that name some symbols: sections, steps of workflows, and diagrams."""
    return symbols.mentioned_by().with_kind(*sorted(DOCUMENT_KINDS))


def commit_entry(row: CommitRow, reason: str) -> Entry:
    return Entry(row.title[:_MAX_TITLE], "commit", row.hash[:_MAX_HASH], reason=reason)


def commit_entries(workspace: AnsweringIndex, paths: Sequence[str], limit: int, reason: str) -> tuple[Entry, ...]:
    """Return the newest commits that changed some files, with their dates; none outside of a repository."""
    try:
        commits = commits_of_files(workspace, paths, limit) if paths else []
    except GitFailed:
        return ()
    return tuple(commit_entry(row, f"{reason}, {row.date[:10]}") for row in commits)
