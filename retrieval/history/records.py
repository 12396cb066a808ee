"""The request and the answer about history. In JSON, fields are in camelCase, and empty fields are absent."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from ...schema.errors import UsageError

#: Minimum budget in tokens. A smaller answer cannot list its omitted entries.
MIN_BUDGET = 200
#: Maximum number of commits in an answer.
MAX_COMMITS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRequest:
    """The subject of a history, and limits of the answer. Raises UsageError for an invalid value."""

    #: A file, a folder or a symbol path; "" for the whole workspace.
    subject: str = ""
    #: Maximum number of listed commits.
    limit: int = 20
    #: Maximum number of commits that are read; None for all commits.
    depth: int | None
    #: Budget of the answer in tokens.
    budget: int

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MAX_COMMITS:
            raise UsageError(f"limit must be from 1 to {MAX_COMMITS:,}, not {self.limit}.")
        if self.budget < MIN_BUDGET:
            raise UsageError(f"budget must be at least {MIN_BUDGET} tokens, not {self.budget}.")


class ShownCommit(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A commit that changed the subject, with the numbers of lines that it added to and deleted from the subject."""

    commit: str
    #: Author date in UTC, as ISO 8601.
    date: str
    author: str
    #: First line of the commit message.
    title: str
    added: int = 0
    deleted: int = 0
    #: Issues that the commit message mentions.
    issues: tuple[str, ...] = ()
    #: Tags and branches that point to the commit.
    refs: tuple[str, ...] = ()
    #: Former path of the file, if this commit renamed the file.
    renamed_from: str = ""


class Contributor(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A person who changed the subject, with the name from `.mailmap`."""

    name: str
    email: str
    #: Number of the person's commits that changed the subject.
    commits: int = 0
    #: Number of the subject's lines that `git blame` attributes to the person at HEAD.
    lines: int = 0
    #: Share of the commits or lines, 0 to 1.
    share: float


class CoChange(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A file that changes in the same commits as the subject; if the subject is a symbol, another symbol."""

    file: str
    #: Qualified name of the symbol; "" for a file.
    symbol: str = ""
    #: Number of the common commits.
    support: int
    #: Weight of the common commits, as a share of the weight of the subject's commits; 0 to 1.
    confidence: float


class Hotspot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file that is long and changes often."""

    file: str
    commits: int
    lines: int
    #: Number of commits times number of lines, relative to the highest such product in the subject; 0 to 1.
    score: float
    #: Name of the author with the most commits to the file.
    author: str


class Churn(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Counts of the changes to the subject, without merges."""

    commits: int
    added: int
    deleted: int
    first_touched: str
    last_touched: str


class HistoryAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The history of one subject."""

    #: The requested subject.
    subject: str
    #: Kind of the subject: "repository", "folder", "file", "symbol", or "nothing" if the subject was not found.
    kind: str
    #: Place of the subject: a path, with a line for a symbol.
    at: str = ""
    churn: Churn | None = None
    commits: tuple[ShownCommit, ...] = ()
    authors: tuple[Contributor, ...] = ()
    owners: tuple[Contributor, ...] = ()
    co_changes: tuple[CoChange, ...] = ()
    hotspots: tuple[Hotspot, ...] = ()
    #: Symbols to which the request may refer.
    candidates: tuple[str, ...] = ()
    #: Number of entries that exceeded the limit or the budget.
    left_out: int = 0
    notes: tuple[str, ...] = ()
