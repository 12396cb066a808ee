"""Lowers the syntax tree of a Python file to facts that the nominal engine resolves."""

from __future__ import annotations

from .module import lower_declarations, lower_module

__all__ = ["lower_declarations", "lower_module"]
