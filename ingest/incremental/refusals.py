"""Why an update is refused, so that everything is analyzed again."""

from __future__ import annotations


class UpdateRefused(Exception):
    """Raised if everything must be analyzed. The message gives people the reason."""


class TooMuchForUpdate(UpdateRefused):
    """Raised if an update would affect too many files or write too much."""
