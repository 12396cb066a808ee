"""The facts about data of one file, and whether a change of the file may change the edges of data of other files."""

from __future__ import annotations

from collections.abc import Set
from typing import Final, NamedTuple

import msgspec

from ...facts.data import DataFacts

#: Fields of facts that only say where a declaration is.
LINES: Final = frozenset(("line",))


class FileData(NamedTuple):
    """The facts about data of a file, and the ids of all its symbols."""

    facts: DataFacts
    ids: list[str]

    def says_the_same(self, other: FileData, without: Set[str] = frozenset()) -> bool:
        """Return whether the two facts mean the same for other files, without regard to some fields such as `LINES`.

        A symbol is compared by its id, because other symbols may move it within the file. Statements without a name are left
        out, because they only make edges that begin in their own file.
        """
        return self._form(without) == other._form(without)

    def _form(self, without: Set[str]) -> object:
        named = [query for query in self.facts.queries if query.name]
        return _form(msgspec.structs.replace(self.facts, queries=named), self.ids, without)


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
