"""Finds the tables and columns that statements of SQL use in one state of a file and not in the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ...schema.languages import CONTRACTS, DATA, DOCUMENTS
from ..data.schemas.migrations import is_down_file
from ..facts.data import PLACEHOLDER, DataFacts
from ..facts.model import FileFacts
from ..files.path_roles import is_test_path
from ..incremental.tree_state import TreeState
from ..languages.extraction import extract_facts
from ..workers.file_symbols import file_symbols

#: The words with which statements that use tables begin. A file without them is not read again.
_STATEMENT: Final = re.compile(rb"\b(?:select|insert|update|delete|replace|merge|with|truncate)\b", re.IGNORECASE)


class ChangedUse(NamedTuple):
    """A table, or a column of some tables, that the statements of a declaration use in one of the two states only."""

    #: Id and qualified name of the declaration that contains the statement.
    symbol_id: str
    symbol: str
    path: str
    #: Line of the statement, in the new state if the use is new.
    line: int
    #: The tables that the statement uses. The column belongs to one of them.
    tables: tuple[str, ...]
    #: The column; "" if the table itself is meant.
    column: str
    modifies: bool
    is_new: bool


#: A declaration by id and qualified name, and what its statements use: tables, column, whether it is modified.
_Use = tuple[str, str, tuple[str, ...], str, bool]


def changed_statements(before: TreeState, after: TreeState, pairs: Iterable[tuple[str, str]]) -> Iterator[ChangedUse]:
    """Yield the changed uses in files that both states have; `pairs` are their old and new paths.

    Tests, documents and files that change a database are left out.
    """
    for old_path, path in pairs:
        if not old_path or not path or is_test_path(path) or is_down_file(path):
            continue
        old, new = _uses(before, old_path, path), _uses(after, path, path)
        for use, line in new.items():
            if use not in old:
                yield ChangedUse(use[0], use[1], path, line, *use[2:], True)
        present = {use[0] for use in new}
        for use, line in old.items():
            if use not in new and use[0] in present:
                yield ChangedUse(use[0], use[1], path, line, *use[2:], False)


def _uses(state: TreeState, path: str, shown: str) -> dict[_Use, int]:
    """Return what the statements of a file use, each with the first line. `shown` is the path of the file in the new state."""
    facts = _facts(state, path)
    data = facts.data if facts is not None and facts.data is not None else DataFacts()
    if facts is None or not data.queries or data.changes or data.migration is not None:
        return {}
    symbols = file_symbols(shown, facts.symbols)
    found: dict[_Use, int] = {}
    for query in data.queries:
        symbol = symbols[query.symbol] if 0 <= query.symbol < len(symbols) else None
        if symbol is None:
            continue
        uses = [use for use in query.uses if use.name.name != PLACEHOLDER]
        every = tuple(sorted({use.name.name for use in uses}))
        for use in uses:
            key = (symbol.id, symbol.qualified_name)
            table = (use.name.name,)
            if not use.of_condition:
                found.setdefault((*key, table, "", use.modifies), query.line)
            for column in use.columns:
                found.setdefault((*key, table, column, use.modifies), query.line)
            for column in use.unqualified:
                found.setdefault((*key, every, column, use.modifies), query.line)
    return found


def _facts(state: TreeState, path: str) -> FileFacts | None:
    """Return the facts of a file, with statements in strings of code."""
    language = state.language(path)
    if language is None or language in DOCUMENTS or language in CONTRACTS:
        return None
    if language in DATA:
        return state.facts(path)
    data = state.files.read(path)
    has_statement = data is not None and _STATEMENT.search(data) is not None
    return extract_facts(data, language, state.sql_dialect(path)) if data is not None and has_statement else None
