"""Statements for all columns of a table: `SELECT * FROM users`. The type of their rows says which columns code uses."""

from __future__ import annotations

import re
from typing import Final

_STATEMENT: Final = re.compile(
    r"\s*SELECT\s+(?:DISTINCT\s+)?(?:[`\"]?(?P<of>\w+)[`\"]?\.)?\*\s+FROM\s+[`\"]?(?P<table>\w++(?:\.\w++)?+)[`\"]?"
    r"(?:\s+(?:AS\s+)?(?!(?:WHERE|JOIN|LEFT|RIGHT|INNER|CROSS|FULL|ORDER|GROUP|LIMIT|FOR|UNION|HAVING|USE|FORCE|IGNORE)\b)"
    r"(?P<alias>\w++))?+(?!\s*,)",
    re.IGNORECASE,
)
_JOIN: Final = re.compile(r"\b(?:JOIN|UNION)\b", re.IGNORECASE)


def table_of_rows(text: str) -> str:
    """Return the table whose columns are those of the rows of a statement; "" if rows may have other columns."""
    found = _STATEMENT.match(text)
    if found is None:
        return ""
    if found["of"] is not None:
        return found["table"] if found["of"] in (found["alias"], found["table"]) else ""
    return found["table"] if _JOIN.search(text, found.end()) is None else ""
