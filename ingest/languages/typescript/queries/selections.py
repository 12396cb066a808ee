"""The columns and tables that the `select` of Supabase names: `id, author:users!author_id(name, posts(*))`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

#: Maximum depth of tables inside tables.
_MAX_DEPTH: Final = 8


class Selected(NamedTuple):
    """A column, or a related table without a column; both with the table that contains them, "" for the main table."""

    table: str
    name: str
    alias: str
    is_table: bool


def selected(text: str) -> Iterator[Selected]:
    """Yield the columns and the related tables of a text, from left to right."""
    tables, start = [""], 0
    for place, sign in enumerate(f"{text},"):
        if sign not in "(),":
            continue
        alias, name = _named(text[start:place])
        start = place + 1
        if sign == "(":
            if name:
                yield Selected(tables[-1], name, alias or name, True)
            tables.append(name)
            continue
        if name and name != "*" and len(tables) <= _MAX_DEPTH:
            yield Selected(tables[-1], name, alias or name, False)
        if sign == ")" and len(tables) > 1:
            tables.pop()


def _named(text: str) -> tuple[str, str]:
    """Return the alias and the name of a column or table: `full:first_name::text`, `...users!inner`, `data->items`."""
    text = text.strip().removeprefix("...").partition("::")[0].partition("->")[0]
    alias, colon, name = text.partition(":")
    return (alias.strip(), name.partition("!")[0].strip()) if colon else ("", text.partition("!")[0].strip())
