"""Dead code: which files and declarations nothing uses, and of which that is not known."""

from __future__ import annotations

from .check import DeadCodeFound, counts_by_kind, dead_code

__all__ = ["DeadCodeFound", "counts_by_kind", "dead_code"]
