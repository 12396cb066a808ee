"""Texts in which blanks replace a part, so that lines and offsets stay the same."""

from __future__ import annotations

import re
from typing import Final

_SIGN: Final = re.compile(r"[^\n]")


def blank(text: str) -> str:
    """Return blanks in place of a text, with the same length and the same lines."""
    return _SIGN.sub(" ", text)


def blanked(found: re.Match[str]) -> str:
    """Return blanks in place of a match of a pattern, with the same length and the same lines."""
    return blank(found[0])
