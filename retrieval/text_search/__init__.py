"""Search the indexed files for a text or a pattern. The answer lists all matching lines, in order of path and line."""

from __future__ import annotations

from .composition import compose_matches
from .hybrid import compose_hybrid
from .records import LiteralAnswer
from .text import matches_text

__all__ = ["LiteralAnswer", "compose_hybrid", "compose_matches", "matches_text"]
