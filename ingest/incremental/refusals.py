"""Exceptions that refuse an update, after which everything is analyzed again."""

from __future__ import annotations


class UpdateRefused(Exception):
    """Raised if everything must be analyzed. The message is the reason, for people."""

    #: Number of files that the refused update parsed.
    parsed: int = 0


class TooMuchForUpdate(UpdateRefused):
    """Raised if an update would affect too many files or write too much."""
