"""The records of history: commits, and the changes of files in them."""

from __future__ import annotations

import re
from typing import NamedTuple

#: A reference to an issue in a message: `#12`, `GH-12`, or a key with a number.
_ISSUE = re.compile(r"(?<![\w&/])(?:#\d{1,9}\b|[A-Z][A-Z]{1,9}-\d{1,9}\b)")
#: Names of standards that look like the keys of issues.
_STANDARDS = frozenset(("AES", "BASE", "CVE", "CWE", "IEEE", "ISO", "PEP", "RFC", "SHA", "UTF"))


class FileChange(NamedTuple):
    """The change of one file by one commit. Counts of lines are None for a binary file, and if they are not known."""

    path: str
    #: The path before a rename, else None.
    old_path: str | None
    added: int | None
    deleted: int | None


class Commit(NamedTuple):
    """One commit. Names of people are resolved by `.mailmap`."""

    hash: str
    parents: tuple[str, ...]
    author: str
    email: str
    #: Seconds since 1970, in UTC.
    time: int
    message: str
    changes: tuple[FileChange, ...]

    @property
    def issues(self) -> tuple[str, ...]:
        """Return the issues that the message names, in the order of the message."""
        return tuple(dict.fromkeys(name for name in _ISSUE.findall(self.message) if name.partition("-")[0] not in _STANDARDS))
