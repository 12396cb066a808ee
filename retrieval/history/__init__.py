"""History of a file, a folder or a symbol: authors, times, frequency, and files that changed with it."""

from __future__ import annotations

from .composition import compose_history
from .records import HistoryAnswer, HistoryRequest
from .text import history_text

__all__ = ["HistoryAnswer", "HistoryRequest", "compose_history", "history_text"]
