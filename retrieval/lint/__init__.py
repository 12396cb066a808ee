"""Findings: problems of the parser and the compiler, dead code, duplicates, circular imports."""

from __future__ import annotations

from .composition import compose_lint
from .model.findings import Diagnostic
from .model.request import LintRequest
from .records import LintAnswer
from .text import lint_text

__all__ = ["Diagnostic", "LintAnswer", "LintRequest", "compose_lint", "lint_text"]
