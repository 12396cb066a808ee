"""Lowers the syntax tree of a Java file to facts that the nominal engine resolves."""

from __future__ import annotations

from .source_file import lower_file

__all__ = ["lower_file"]
