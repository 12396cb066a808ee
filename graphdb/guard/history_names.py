"""Find statements that name a table of the history. Only a copy of the graph has these tables."""

from __future__ import annotations

from ...schema import ddl
from .cypher_tokens import tokenize


def names_history(statement: str) -> bool:
    """Return whether a statement names a table of the history. Raises QueryRejected for text that is not Cypher."""
    names = ddl.tables(ddl.HISTORY)
    return any(token.text.strip("`") in names for token in tokenize(statement))
