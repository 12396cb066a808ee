"""Fill the dispatch tables from the modules that lower each category of syntax nodes."""

from __future__ import annotations

from ..dispatch import EXPRESSIONS, STATEMENTS, TYPES
from ..expressions import EXPRESSION_TABLE
from ..statements import STATEMENT_TABLE
from ..type_syntax import TYPE_TABLE


def fill_tables() -> None:
    """Fill the tables, if they are empty."""
    if not EXPRESSIONS:
        EXPRESSIONS.update(EXPRESSION_TABLE)
        TYPES.update(TYPE_TABLE)
        STATEMENTS.update(STATEMENT_TABLE)
