"""Dead code: files and declarations that nothing uses, and files and declarations whose uses are not all known."""

from __future__ import annotations

from .check import DeadCodeFound, counts_by_kind, dead_code

__all__ = ["DeadCodeFound", "counts_by_kind", "dead_code"]
