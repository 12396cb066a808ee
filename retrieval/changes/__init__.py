"""The effects of a change: changed symbols, breakage, dependants, tests to run, and risk."""

from __future__ import annotations

from .composition import compose_changes
from .markdown import changes_markdown
from .records import ChangesAnswer, ChangesRequest
from .text import changes_text

__all__ = ["ChangesAnswer", "ChangesRequest", "changes_markdown", "changes_text", "compose_changes"]
