"""The modules that a file of a nominal language imports."""

from __future__ import annotations

from collections.abc import Iterator

from ...facts.model import DeclKind, FileFacts


def imported_modules(facts: FileFacts) -> Iterator[str]:
    """Yield the module or package of each imported name. Only declarations are read, so rules can reject other files fast."""
    return (facts.strings[each.a] for each in facts.decls if each.kind == DeclKind.IMPORT and each.a >= 0)
