"""Dead code: the files and declarations that nothing uses, and those for which that is not known."""

from __future__ import annotations

from .check import DeadCodeFound, counts_by_kind, dead_code

__all__ = ["DeadCodeFound", "counts_by_kind", "dead_code"]
