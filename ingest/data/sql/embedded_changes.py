"""Read the changes of a schema in a text of SQL that code runs, such as a migration."""

from __future__ import annotations

from ...facts.data import SchemaChange
from .definitions import read_definition
from .reader import TokenReader
from .statements import statements_of

#: Verbs of statements that change a schema.
_DEFINING = frozenset(("CREATE", "ALTER", "DROP", "COMMENT", "RENAME"))


def changes_of_text(text: str, symbol: int, line: int) -> list[SchemaChange]:
    """Return the changes by the statements of a text. All changes have the symbol and the line of the code that runs the text."""
    found: list[SchemaChange] = []
    for statement in statements_of(text):
        if statement.tokens[0].word not in _DEFINING:
            continue
        definition = read_definition(TokenReader(text, statement.tokens, folds=True))
        for change in definition.changes if definition is not None else ():
            change.symbol, change.line = symbol, line
            found.append(change)
    return found
