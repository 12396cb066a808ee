"""The request and the answer about history. As JSON, fields are in camelCase, and empty ones are absent."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from ...schema.errors import UsageError

#: Tokens below which an answer has no room to say what it leaves out.
MIN_BUDGET = 200
#: Most commits of an answer.
MAX_COMMITS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRequest:
    """Whose history, and how much of it. Raises UsageError for a value that a field cannot hold."""

    #: A file or folder, or a symbol by its path; "" for the whole workspace.
    subject: str = ""
    #: Most commits that are listed.
    limit: int = 20
    #: Most commits that are read, or None for all.
    depth: int | None
    #: Tokens of the answer.
    budget: int

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MAX_COMMITS:
            raise UsageError(f"limit must be from 1 to {MAX_COMMITS:,}, not {self.limit}.")
        if self.budget < MIN_BUDGET:
            raise UsageError(f"budget must be at least {MIN_BUDGET} tokens, not {self.budget}.")


class ShownCommit(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A commit that changed the subject, and the lines that it changed there."""

    commit: str
    #: Time of authorship in UTC, as ISO 8601.
    date: str
    author: str
    #: First line of the message.
    title: str
    added: int = 0
    deleted: int = 0
    #: Issues that the message names.
    issues: tuple[str, ...] = ()
    #: Tags and branches at the commit.
    refs: tuple[str, ...] = ()
    #: Path of the file before this commit renamed it.
    renamed_from: str = ""


class Contributor(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A person by the name that `.mailmap` gives."""

    name: str
    email: str
    #: Commits that changed the subject.
    commits: int = 0
    #: Lines of the subject, as `git blame` tells for HEAD.
    lines: int = 0
    #: Share of those commits or lines, 0 to 1.
    share: float


class CoChange(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A file that often changes in the same commits, or a symbol if the subject is one."""

    file: str
    #: Qualified name of the symbol; "" for a file.
    symbol: str = ""
    #: Number of those commits.
    support: int
    #: Share of the subject's commits that changed it too, where old and large commits count less; 0 to 1.
    confidence: float


class Hotspot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file that is long and changes often."""

    file: str
    commits: int
    lines: int
    #: Commits times lines, as a share of the highest in the subject; 0 to 1.
    score: float
    #: Name of the author of the most commits to the file.
    author: str


class Churn(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How much of the subject changed. Merges are not counted."""

    commits: int
    added: int
    deleted: int
    first_touched: str
    last_touched: str


class HistoryAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The history of one subject."""

    #: The subject as it was requested.
    subject: str
    #: Kind of the subject: repository, folder, file or symbol; nothing if there is none.
    kind: str
    #: Place of the subject: a path, with a line for a symbol.
    at: str = ""
    churn: Churn | None = None
    commits: tuple[ShownCommit, ...] = ()
    authors: tuple[Contributor, ...] = ()
    owners: tuple[Contributor, ...] = ()
    co_changes: tuple[CoChange, ...] = ()
    hotspots: tuple[Hotspot, ...] = ()
    #: Symbols that the request may mean.
    candidates: tuple[str, ...] = ()
    #: Entries that did not fit the limit or the budget.
    left_out: int = 0
    notes: tuple[str, ...] = ()
