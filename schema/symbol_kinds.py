"""Kinds of symbols that stand for no declaration of their own."""

from __future__ import annotations

#: Statements that pass on what is declared elsewhere.
PASSING_ON = frozenset(("import", "re-export", "export"))
#: All kinds of symbols that are no declarations.
STATEMENTS = PASSING_ON | {"expression", "comment"}
