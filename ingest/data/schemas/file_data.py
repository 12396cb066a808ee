"""The data facts of one file, and whether a change of the file may change the data edges of other files."""

from __future__ import annotations

from collections.abc import Set
from typing import Final, NamedTuple

import msgspec

from ....schema.paths import stem_of
from ...facts.data import LABELLED, DataFacts, Query

#: Fields of facts with only the place of a declaration.
LINES: Final = frozenset(("line",))


class FileData(NamedTuple):
    """The facts about data of a file, and the ids of all symbols of the file."""

    facts: DataFacts
    ids: list[str]

    def says_the_same(self, other: FileData, without: Set[str] = frozenset()) -> bool:
        """Return whether two facts have the same meaning for other files. Some fields, such as `LINES`, are ignored.

        Symbols are compared by id, because their numbers change with other symbols of the file. Statements in
        code without a name are left out, unless they are the value of a constant: they only cause edges that begin in
        their own file.
        """
        return self._form(without) == other._form(without)

    def _form(self, without: Set[str]) -> object:
        named = [query for query in self.facts.queries if query.name or query.constant or is_of_file(query)]
        return _form(msgspec.structs.replace(self.facts, queries=named, written=[], run_files=[]), self.ids, without)


def is_of_file(query: Query) -> bool:
    """Return whether a statement is in a file of SQL, which other files may run as a whole."""
    return query.evidence == "sql" or (query.evidence == "name" and bool(query.name))


def run_name(path: str, query: Query) -> str:
    """Return the name by which code runs a named query of a file. The class of SQLDelight has the name of the file."""
    label = query.name.removeprefix(LABELLED)
    if label == query.name:
        return query.name
    file = stem_of(path)
    return f"{file[:1].lower()}{file[1:]}Queries.{label}"


def _form(value: object, ids: list[str], without: Set[str]) -> object:
    """Return a value as nested tuples, with ids instead of the numbers of symbols."""
    if isinstance(value, msgspec.Struct):
        return tuple(
            [
                _id(getattr(value, name), ids) if name == "symbol" else _form(getattr(value, name), ids, without)
                for name in value.__struct_fields__
                if name not in without
            ]
        )
    if isinstance(value, list | tuple):
        return tuple([_form(each, ids, without) for each in value])
    return value


def _id(symbol: int, ids: list[str]) -> str:
    return ids[symbol] if 0 <= symbol < len(ids) else ""
