"""Finds the members that a list or a table of a document describes.

In a list of options, most names denote members of one type. The other names of the list, which may be plain words, denote
members of this type, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ...schema.records import Symbol
from ..documents.names import read_name
from ..facts.document_facts import MentionFact
from .member_types import MemberTypes
from .named_declarations import NamedDeclarations
from .value_members import is_member

#: Minimum number of lines of a list that name members of one type, and minimum part of the lines that name a symbol.
_MIN_LINES: Final = 3
_MIN_PART: Final = 0.75


class ListMembers:
    """Finds the members that the lists and tables of documents describe, in one state of a repository."""

    def __init__(self, names: NamedDeclarations, types: MemberTypes) -> None:
        self._names = names
        self._types = types

    def members(
        self, mentions: Iterable[MentionFact], found: Mapping[tuple[int, int], Sequence[str]]
    ) -> Iterator[tuple[MentionFact, Symbol]]:
        """Yield spans of code without a meaning that begin lines of a list, each with the member that it denotes.

        `found` has the ids of the symbols that are known to be named at each line and column. The lines of one list have their
        spans in the same column.
        """
        lists: dict[tuple[int, int], list[MentionFact]] = defaultdict(list)
        for mention in mentions:
            if mention.form == "code" and not mention.extension:
                lists[mention.symbol, mention.column].append(mention)
        for spans in lists.values():
            owner = self._owner(spans, found) if len(spans) > _MIN_LINES else None
            for mention in spans if owner is not None else ():
                name = read_name(mention.text)
                if owner is None or name is None or len(name.parts) > 1 or (mention.line, mention.column) in found:
                    continue
                member = self._types.inherited(owner, name.parts[0])
                if member is not None:
                    yield mention, member

    def _owner(self, spans: Sequence[MentionFact], found: Mapping[tuple[int, int], Sequence[str]]) -> Symbol | None:
        """Return the type to which most of the symbols belong that the spans name."""
        lines: dict[tuple[str, str], set[int]] = defaultdict(set)
        members: dict[tuple[str, str], Symbol] = {}
        named: set[int] = set()
        for mention in spans:
            for key in found.get((mention.line, mention.column), ()):
                named.add(mention.line)
                symbol = self._names.known.get(key)
                if symbol is not None and is_member(symbol):
                    around = (symbol.relative_path, symbol.qualified_name.rpartition(".")[0])
                    lines[around].add(mention.line)
                    members[around] = symbol
        best = max(lines, key=lambda around: len(lines[around]), default=None)
        if best is None or len(lines[best]) < _MIN_LINES or len(lines[best]) < _MIN_PART * len(named):
            return None
        return self._names.owner_named(members[best], best[1].rpartition(".")[2])
