"""Exact text and patterns over the indexed files: complete, in order of file and line."""

from __future__ import annotations

from .composition import compose_matches
from .hybrid import compose_hybrid
from .records import LiteralAnswer
from .text import matches_text

__all__ = ["LiteralAnswer", "compose_hybrid", "compose_matches", "matches_text"]
