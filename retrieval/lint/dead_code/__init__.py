"""Dead code: files and declarations without uses, and files and declarations that may have unknown uses."""

from __future__ import annotations

from .check import DeadCodeFound, counts_by_kind, dead_code

__all__ = ["DeadCodeFound", "counts_by_kind", "dead_code"]
