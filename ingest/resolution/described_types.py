"""The types whose members a section lists: the options of a function, the fields of a configuration, the methods of a class.

A list of `retries`, `timeout` and `base_url` describes the only type with these members, although other types have one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ...schema.records import Symbol
from ...schema.symbol_kinds import TYPE_KINDS
from ..documents.data_keys import FIELD
from ..documents.names import CodeName, has_several_words, read_name, title_name
from ..facts.document_facts import MentionFact
from ..files.path_roles import is_test_path
from .named_declarations import NamedDeclarations, example_in
from .value_members import is_member

#: Minimum number of listed names that the type has, the same if all of them are single words, and the minimum share of all
#: listed names.
_MIN_MEMBERS: Final = 3
_MIN_WORDS: Final = 5
_MIN_SHARE: Final = 0.6
#: Maximum number of types that may have one name.
_MAX_TYPES: Final = 30


class DescribedTypes:
    """Finds the types that the sections of one document describe."""

    def __init__(self, names: NamedDeclarations, mentions: Sequence[MentionFact], titles: Mapping[int, tuple[str, int]]) -> None:
        """`titles` has the title of each section, and the section around it."""
        self._names = names
        self._sections = titles
        #: The single names that are titles of sections, by the section around them.
        self._titled: dict[int, set[str]] = {}
        for section in titles:
            if (title := self._title(section)) is not None:
                self._titled.setdefault(titles[section][1], set()).add(title)
        #: The single names in spans of code, by section.
        self._listed: dict[int, list[str]] = {}
        for mention in mentions:
            name = read_name(mention.text) if mention.form == "code" and not mention.extension else None
            if name is not None and len(name.parts) == 1:
                self._listed.setdefault(mention.symbol, []).append(name.parts[0])
        self._members: dict[tuple[str, ...], dict[str, Symbol]] = {}

    def member(self, name: CodeName, section: int) -> Symbol | None:
        """Return the member with a name of the type whose members the section lists."""
        if len(name.parts) != 1:
            return None
        return self._of(self._listed.get(section, ())).get(name.parts[0])

    def titled(self, section: int) -> Symbol | None:
        """Return the member with the name in the title of a section of the type whose members the titles beside it name."""
        title = self._title(section)
        return self._of(self._titled[self._sections[section][1]]).get(title) if title is not None else None

    def _title(self, section: int) -> str | None:
        """Return the single name that is the title of a section; None for other titles."""
        return title_name(self._sections.get(section, ("", 0))[0])

    def field(self, mention: MentionFact) -> Symbol | None:
        """Return the field that a key in a block of data sets, if the keys beside it are fields of the same type."""
        return self._of(mention.names).get(mention.text) if mention.form == FIELD else None

    def _of(self, listed: Iterable[str]) -> dict[str, Symbol]:
        """Return the members of the only type that has nearly all of some names, by name."""
        names = tuple(sorted(set(listed)))
        if len(names) < _MIN_MEMBERS:
            return {}
        if names not in self._members:
            self._members[names] = self._found(names)
        return self._members[names]

    def _found(self, names: Sequence[str]) -> dict[str, Symbol]:
        counts: Counter[str] = Counter()
        members: dict[str, dict[str, Symbol]] = {}
        for name in names:
            for owner, member in self._types_with(name).items():
                counts[owner] += 1
                members.setdefault(owner, {})[name] = member
        ranked = counts.most_common(2)
        if not ranked or ranked[0][1] < max(_MIN_MEMBERS, _MIN_SHARE * len(names)):
            return {}
        found = members[ranked[0][0]]
        is_plain = not any(has_several_words(name) for name in found)
        if (is_plain and len(found) < _MIN_WORDS) or (len(ranked) > 1 and ranked[1][1] == ranked[0][1]):
            return {}
        return found

    def _types_with(self, name: str) -> dict[str, Symbol]:
        """Return the member with a name of each type that has one, by the id of the type."""
        found: dict[str, Symbol] = {}
        for symbol in self._names.declarations(CodeName((name,), False)) or ():
            path = symbol.relative_path
            if not is_member(symbol) or not symbol.exported or is_test_path(path) or example_in(path):
                continue
            owner = self._names.owner(symbol)
            if owner is not None and owner.kind in TYPE_KINDS:
                found.setdefault(owner.id, symbol)
        return found if len(found) <= _MAX_TYPES else {}
