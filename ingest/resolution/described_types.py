"""The types that a document tells by members: those that a section lists, and those that its blocks use of a value.

A list of `retries`, `timeout` and `base_url` describes the only type with these members, although other types have one of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from typing import Final

from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS
from ..documents.blocks.code import ARGUMENT
from ..documents.code_terms import key_name
from ..documents.data_keys import FIELD
from ..documents.names import (
    ARGUMENT_SPAN,
    CodeName,
    constructors_in,
    has_several_words,
    read_name,
    read_title,
    title_key,
    title_name,
)
from ..documents.shown_declarations import DERIVED
from ..facts.document_facts import MentionFact
from ..files.path_roles import is_test_path
from .member_types import MemberTypes
from .named_declarations import FIELDS, NamedDeclarations, example_in
from .other_meanings import OF_OPTIONS
from .value_members import is_member, is_of_language, is_standard

#: Minimum number of listed names that the type has, the same if all of them are single words, and the minimum share of all
#: listed names.
_MIN_MEMBERS: Final = 3
_MIN_WORDS: Final = 5
_MIN_SHARE: Final = 0.6
#: The same for the members of several types of one file together.
_MIN_OF_PARTS: Final = 8
_SHARE_OF_PARTS: Final = 0.8
#: The name of a type in the signature of a field, and what stands behind the type: a tag of Go, or a value.
_TYPE_NAME: Final = re.compile(r"(?<![\w\"'.])[A-Z]\w*")
_TAG: Final = re.compile(r"`[^`]*`|[ \t]=[ \t].*", re.DOTALL)
_MAX_SIGNATURE: Final = 400
#: Minimum number of keys inside of a key that the type of a field has.
_MIN_INNER: Final = 2
#: Maximum number of types that are compared as ancestors of each other, and of types with equally many of the names.
_MAX_RELATED: Final = 8
_MAX_EQUAL: Final = 8
#: Kind of another name of types, which may combine many of them.
_ALIAS: Final = "type"
#: Maximum number of arguments of a function whose fields are searched.
_MAX_ARGUMENTS: Final = 6
#: Minimum number of members that blocks use of a value, the same if one of them has several words, and the maximum number.
_MIN_USED: Final = 3
_MIN_DISTINCT: Final = 2
_MAX_USED: Final = 60
#: Languages in which the ancestors of a class stand in brackets behind its name.
_WITH_BASES: Final = (".py", ".pyi")
#: Maximum number of characters of the parameters of a function that are searched.
_MAX_PARAMETERS: Final = 2_000
#: Number of parts of a name such as `till.open`.
_VALUE_AND_MEMBER: Final = 2
#: Maximum number of types that may have one name.
_MAX_TYPES: Final = 30


class DescribedTypes:
    """Finds the types that the sections of one document describe."""

    def __init__(
        self,
        names: NamedDeclarations,
        types: MemberTypes,
        mentions: Sequence[MentionFact],
        titles: Mapping[int, tuple[str, int]],
        keyed: Callable[[str], Sequence[Symbol]] = lambda _: (),
    ) -> None:
        """`titles` has the title of each section, and the section around it. `keyed` returns the fields with a name in data."""
        self._names = names
        self._keyed = keyed
        #: The fields that keys in blocks of data set, by section and by the key with the keys around it.
        self._set: dict[tuple[int, str], Symbol] = {}
        #: The same by section and key alone.
        self._set_in: dict[tuple[int, str], Symbol] = {}
        #: The fields of the type of a field, by its key and the keys inside of it.
        self._inner_fields: dict[tuple[str, tuple[str, ...]], dict[str, Symbol]] = {}
        #: The keys beside each other in the blocks of data.
        self._groups = {tuple(each.names) for each in mentions if each.form == FIELD}
        self._types = types
        self._sections = titles
        #: The single names that are titles of sections, by the section around them.
        self._titled: dict[int, set[str]] = {}
        for section in titles:
            if (title := self._title(section)) is not None:
                self._titled.setdefault(titles[section][1], set()).add(title)
        #: The single names in spans of code, by section.
        self._listed: dict[int, list[str]] = {}
        #: The members of values in spans of code, by the name of the value.
        self._of_values: dict[str, list[str]] = {}
        for mention in mentions:
            name = read_name(mention.text) if mention.form == "code" and not mention.extension else None
            if name is not None and len(name.parts) == 1:
                self._listed.setdefault(mention.symbol, []).append(name.parts[0])
            elif name is not None and len(name.parts) == _VALUE_AND_MEMBER:
                self._of_values.setdefault(name.parts[0], []).append(name.parts[1])
        #: The lines with spans of code, which are no lines of blocks.
        self._lines_of_spans = {mention.line for mention in mentions if mention.form == "code" and not mention.extension}
        self._members: dict[tuple[str, ...], dict[str, Symbol]] = {}
        self._owners: dict[str, Symbol] = {}
        #: The lines of the classes of Python in blocks that derive from others, with the names of these, in order.
        self._derived = sorted(
            (each.line, each.names[1:]) for each in mentions if each.form == DERIVED and each.extension == ".py"
        )
        #: What the titles of sections name, and the functions and types that the sections name.
        self._documented: dict[int, list[Symbol]] = {}
        self._named: dict[int, dict[str, Symbol]] = {}

    def note_documented(self, section: int, symbol: Symbol | None) -> None:
        """Record that the title of a section names a symbol. A title that has other words may only mention it."""
        is_whole = read_title(self._sections.get(section, ("", 0))[0].strip("`*_")) is not None
        if symbol is not None and is_whole and symbol.kind in TYPE_KINDS | CALLABLE_KINDS:
            self._documented.setdefault(section, []).append(symbol)

    def note_named(self, section: int, symbol: Symbol | None) -> None:
        """Record that a section names a symbol."""
        if symbol is not None and symbol.kind in TYPE_KINDS | CALLABLE_KINDS:
            self._named.setdefault(section, {})[symbol.id] = symbol

    def with_parameter(self, text: str, section: int) -> list[Symbol]:
        """Return the functions and constructors with a parameter that a span of code names, perhaps with a value: `max_delay=3`.

        The title of a section or of one around it names the function, or the section names functions with the parameter, whose
        name has several words.
        """
        found = ARGUMENT_SPAN.fullmatch(text.strip())
        if found is None:
            return []
        place = section
        while place >= 0 and place not in self._documented:
            place = self._sections[place][1] if place in self._sections else -1
        symbols = self._documented.get(place, [])
        if not symbols and has_several_words(found["name"]):
            symbols = list(self._named.get(section, {}).values())
        taking = (self._callable_with(symbol, found["name"], constructors_in(text)) for symbol in symbols)
        return list({each.id: each for each in taking if each is not None}.values())

    def _callable_with(self, symbol: Symbol, parameter: str, constructors: Sequence[str]) -> Symbol | None:
        """Return a function, or the constructor of a type with one of some names, if it has a parameter; else None."""
        has_bases = symbol.kind in TYPE_KINDS and symbol.relative_path.endswith(_WITH_BASES)
        makers: list[Symbol | None] = [] if has_bases else [symbol]
        if symbol.kind in TYPE_KINDS:
            makers += [self._types.inherited(symbol, name) for name in (*constructors, symbol.name)]
        for maker in makers:
            parameters = maker.signature.partition("(")[2][:_MAX_PARAMETERS] if maker is not None else ""
            # A name behind a colon or an equals sign is the type or the value of a parameter.
            if re.search(rf"(?<![\w.\"':=|])(?<![:=|>] ){parameter}(?=[ ]?[:=,)?]|[ ][\w*\[])", parameters) is not None:
                return maker
        return None

    def member(self, name: CodeName, section: int) -> Symbol | None:
        """Return the member with a name of the type whose members the section lists."""
        if len(name.parts) != 1:
            return None
        return self._of(self._listed.get(section, ())).get(name.parts[0])

    def of_value(self, name: CodeName) -> Symbol | None:
        """Return the member that a name such as `error.isTimeout` denotes, if one type has nearly all members which the text of
        the document names behind this value.
        """
        if len(name.parts) != _VALUE_AND_MEMBER or not name.parts[0][:1].islower() or is_standard(name.parts[0], ""):
            return None
        return self._of(self._of_values.get(name.parts[0], ())).get(name.parts[1])

    def titled(self, section: int) -> Symbol | None:
        """Return the member with the name in the title of a section of the type whose members the titles beside it name."""
        title = self._title(section)
        return self._of(self._titled[self._sections[section][1]]).get(title) if title is not None else None

    def _title(self, section: int) -> str | None:
        """Return the single name, or the key in kebab case, that is the title of a section; None for other titles."""
        title = self._sections.get(section, ("", 0))[0]
        return title_name(title) or title_key(title)

    def field(self, mention: MentionFact) -> Symbol | None:
        """Return the field that a key in a block of data sets, if the keys beside it are fields of the same type, or if the type
        of the field that the key around it sets has such a field.
        """
        if mention.form != FIELD or (mention.extension and not self._is_of_repository(mention.line)):
            return None
        around, _, key = mention.text.rpartition(".")
        name = CodeName((key,), False)
        found = self._of(mention.names).get(key) or self._inside(mention.symbol, around, key)
        if found is None and not mention.extension:
            found = self._below(mention, around, key) or self._of_titled(mention, key)
        if found is None and len(mention.names) >= _MIN_MEMBERS:
            found = self.of_documented(name, mention.symbol)
        if found is None:
            found = self._of_options(name) if mention.extension else self._of_known(key, mention.symbol)
        if found is not None:
            self._set[mention.symbol, mention.text] = found
            if mention.line not in self._lines_of_spans:
                self._set_in[mention.symbol, key] = found
        return found

    def set_in(self, name: CodeName, section: int) -> Symbol | None:
        """Return the field that a key with a single name sets in a block of a section."""
        return self._set_in.get((section, name.parts[0])) if len(name.parts) == 1 else None

    def _of_known(self, key: str, section: int) -> Symbol | None:
        """Return the field with a key of the only type that other blocks of the document describe, for a key below one that the
        reader chooses. A key of one word needs a title with the key.
        """
        if not (has_several_words(key) or self._is_titled(key, section)):
            return None
        found = [member for owner, member in self._types_with(key).items() if owner in self._owners_of_groups]
        return found[0] if len(found) == 1 else None

    def _is_titled(self, key: str, section: int) -> bool:
        """Return whether the title of a section, or of one around it, is a key."""
        while section in self._sections:
            if (title := self._title(section)) is not None and key_name(title) == key:
                return True
            section = self._sections[section][1]
        return False

    @cached_property
    def _owners_of_groups(self) -> frozenset[str]:
        """The ids of the types that groups of keys in the document describe."""
        members = (member for names in self._groups for member in self._of(names).values())
        owners = (self._names.owner(member) for member in members)
        return frozenset(owner.id for owner in owners if owner is not None)

    def _inside(self, section: int, around: str, key: str) -> Symbol | None:
        """Return the field with a key of the type of the field that the keys around it set."""
        outer = self._set.get((section, around))
        return self._inner(outer, key) if outer is not None else None

    def _inner(self, outer: Symbol, key: str) -> Symbol | None:
        """Return the field with a key of the type of a field, or of the type of its elements: `[]*Item`, `Vec<Item>`."""
        named = _TYPE_NAME.findall(_TAG.sub("", outer.signature[:_MAX_SIGNATURE]))
        element = self._types.type_named(named[-1], outer) if named and named[-1] != outer.name else None
        for name in dict.fromkeys((*(each.name for each in self._keyed(key)), key)):
            of_element = self._types.inherited(element, name) if element is not None else None
            inner = of_element or self._types.follow(outer, (name,))
            if inner is not None and inner.kind in FIELDS:
                return inner
        return None

    def _below(self, mention: MentionFact, around: str, key: str) -> Symbol | None:
        """Return the field with a key of the only type that a field with the key around it has, in any type.

        The reader chooses the keys further outside. Most of the keys must be fields of the type, and a key without others beside
        it must be the title of the section.
        """
        last = around.rpartition(".")[2]
        if not last or (len(mention.names) == 1 and not self._is_titled(key, mention.symbol)):
            return None
        chosen = (last, tuple(mention.names))
        if chosen not in self._inner_fields:
            found: dict[str, dict[str, Symbol]] = {}
            for outer in self._types_with(last).values():
                fields = {each: field for each in mention.names if (field := self._inner(outer, each)) is not None}
                if len(fields) >= max(_MIN_SHARE * len(mention.names), min(_MIN_INNER, len(mention.names))):
                    found[",".join(sorted(field.id for field in fields.values()))] = fields
            self._inner_fields[chosen] = next(iter(found.values())) if len(found) == 1 else {}
        return self._inner_fields[chosen].get(key)

    def _of_titled(self, mention: MentionFact, key: str) -> Symbol | None:
        """Return the field with a key of the only type that has all keys of a group, if one of them is the section's title."""
        if len(mention.names) > _MIN_MEMBERS or not any(self._is_titled(each, mention.symbol) for each in mention.names):
            return None
        owners: set[str] | None = None
        for name in mention.names:
            having = {owner for owner, member in self._types_with(name).items() if member in self._keyed(name)}
            owners = having if owners is None else owners & having
        return self._types_with(key)[next(iter(owners))] if owners is not None and len(owners) == 1 else None

    def _is_of_repository(self, line: int) -> bool:
        """Return whether the class of a block around the inner class at a line derives from a type of the repository."""
        place = bisect_right(self._derived, line, key=lambda each: each[0])
        ancestors = self._derived[place - 1][1] if place else []
        found = (each for name in ancestors for each in self._names.candidates(CodeName((name,), False)) or ())
        return any(each.kind in TYPE_KINDS and not is_test_path(each.relative_path) for each in found)

    def _of_options(self, name: CodeName) -> Symbol | None:
        """Return the only field with a name of a type of options, which an inner class of Python sets."""
        every = [each for each in self._names.declarations(name) or () if is_member(each) and each.exported]
        found = [each for each in every if OF_OPTIONS.search(each.qualified_name.rpartition(".")[0]) is not None]
        found = [each for each in found if not is_test_path(each.relative_path) and not example_in(each.relative_path)]
        return found[0] if len(found) == 1 else None

    def of_documented(self, name: CodeName, section: int) -> Symbol | None:
        """Return the member with a name of the type that a title around a place names, or of the type of an argument of the
        function that it names.
        """
        if len(name.parts) != 1:
            return None
        while section >= 0:
            if documented := self._documented.get(section):
                found = {each.id: each for symbol in documented if (each := self._part(symbol, name.parts[0])) is not None}
                return next(iter(found.values())) if len(found) == 1 else None
            section = self._sections[section][1] if section in self._sections else -1
        return None

    def _part(self, symbol: Symbol, name: str) -> Symbol | None:
        """Return the member of a type with a name, or the field of an argument of a function."""
        own = self._types.inherited(symbol, name) if symbol.kind in TYPE_KINDS else None
        paths = ((f"{ARGUMENT}{place}", name) for place in range(_MAX_ARGUMENTS))
        found = own or next((each for path in paths if (each := self._types.follow(symbol, path)) is not None), None)
        return found if found is not None and is_member(found) else None

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
        own = dict(counts)
        if max(own.values(), default=0) < len(names):
            self._inherit(counts, members)
        ranked = sorted(counts.most_common(_MAX_EQUAL), key=lambda each: (-each[1], -own[each[0]]))
        if not ranked or ranked[0][1] < _MIN_MEMBERS:
            return {}
        joined = _of_parts(names, [members[owner] for owner, _ in ranked])
        if ranked[0][1] < _MIN_SHARE * len(names):
            return joined
        found = members[ranked[0][0]]
        is_plain = not any(has_several_words(name) for name in found)
        best, most = ranked[0]
        equal = (members[owner] for owner, count in ranked[1:] if (count, own[owner]) == (most, own[best]))
        # Several types may have the same members from one ancestor.
        if (is_plain and len(found) < _MIN_WORDS) or any(_ids(each) != _ids(found) for each in equal):
            return {}
        return joined or found

    def _inherit(self, counts: Counter[str], members: dict[str, dict[str, Symbol]]) -> None:
        """Add to the members of each type those of its ancestors."""
        most = [owner for owner, _ in counts.most_common(_MAX_RELATED) if self._owners[owner].kind != _ALIAS]
        types = {each: self._owners[each] for each in most}
        declared = {owner: dict(members[owner]) for owner in most}
        for derived, base in permutations(most, 2):
            if self._types.derives(types[derived], types[base]):
                members[derived] = {**declared[base], **members[derived]}
                counts[derived] = len(members[derived])

    def _types_with(self, name: str) -> dict[str, Symbol]:
        """Return the member with a name of each type that has one, by the id of the type."""
        found: dict[str, Symbol] = {}
        declared = [each for each in self._names.declarations(CodeName((name,), False)) or () if each.exported]
        # The name of a field in data is for users, also in a type that other packages cannot use.
        for symbol in (*declared, *self._keyed(name)):
            path = symbol.relative_path
            if not is_member(symbol) or is_test_path(path) or example_in(path):
                continue
            owner = self._names.owner(symbol)
            if owner is not None and owner.kind in TYPE_KINDS:
                self._owners[owner.id] = owner
                found.setdefault(owner.id, symbol)
        return found if len(found) <= _MAX_TYPES else {}


def _of_parts(names: Sequence[str], ranked: Sequence[Mapping[str, Symbol]]) -> dict[str, Symbol]:
    """Return the members of several types of one file that have nearly all of some names together, and none of them twice.

    Data has the fields of an embedded or flattened type beside those of the type around it.
    """
    found = dict(ranked[0])
    path = next(iter(found.values())).relative_path
    for members in ranked[1:]:
        is_beside = all(each.relative_path == path for each in members.values())
        if is_beside and len(members) >= _MIN_MEMBERS and found.keys().isdisjoint(members):
            found.update(members)
    return found if len(found) >= max(_MIN_OF_PARTS, _SHARE_OF_PARTS * len(names)) else {}


def _ids(members: Mapping[str, Symbol]) -> set[str]:
    return {each.id for each in members.values()}


class ReceiverTypes:
    """Finds the types of the values in the blocks of one document by the members that the blocks use."""

    def __init__(self, names: NamedDeclarations, types: MemberTypes, mentions: Iterable[MentionFact]) -> None:
        self._names = names
        self._types = types
        #: The members of each value, by language and name of the value.
        self._used: dict[tuple[str, str], dict[str, None]] = {}
        for mention in mentions:
            if (parts := _value_and_member(mention)) is not None and not is_standard(parts[0], mention.extension):
                self._used.setdefault((mention.extension, parts[0]), {})[parts[1]] = None
        self._members: dict[tuple[str, str], dict[str, Symbol]] = {}

    def member(self, mention: MentionFact) -> Symbol | None:
        """Return the member of a value that a mention in a block uses."""
        parts = _value_and_member(mention)
        if parts is None:
            return None
        key = (mention.extension, parts[0])
        if key not in self._members:
            self._members[key] = self._found(list(self._used.get(key, ())), mention.extension)
        return self._members[key].get(parts[1])

    def _found(self, used: list[str], extension: str) -> dict[str, Symbol]:
        """Return the members of the only type in a language that has all of some members, by name."""
        if len(used) < _MIN_DISTINCT or len(used) > _MAX_USED:
            return {}
        if len(used) < _MIN_USED and not any(has_several_words(name) for name in used):
            return {}
        owners: dict[str, Symbol] | None = None
        for name in used:
            having = self._types_with(name, extension)
            if having is None:
                return {}
            owners = having if owners is None else owners
        found = [members for owner in (owners or {}).values() if len(members := self._all_members(owner, used)) == len(used)]
        return found[0] if len({tuple(each.id for each in members.values()) for members in found}) == 1 else {}

    def _all_members(self, owner: Symbol, used: list[str]) -> dict[str, Symbol]:
        found = {name: self._types.inherited(owner, name) for name in used}
        return {name: each for name, each in found.items() if each is not None}

    def _types_with(self, name: str, extension: str) -> dict[str, Symbol] | None:
        """Return the types in a language that declare a member, by id; None for none."""
        found: dict[str, Symbol] = {}
        for symbol in self._names.declarations(CodeName((name,), True)) or ():
            path = symbol.relative_path
            if is_member(symbol) and is_of_language(symbol, extension) and not is_test_path(path) and not example_in(path):
                owner = self._names.owner(symbol)
                if owner is not None and owner.kind in TYPE_KINDS:
                    found[owner.id] = owner
        return found or None


def _value_and_member(mention: MentionFact) -> tuple[str, str] | None:
    if mention.form not in ("package call", "value", "free value"):
        return None
    parts = (mention.text, *mention.names) if mention.text else tuple(mention.names)
    return (parts[0], parts[1]) if len(parts) == _VALUE_AND_MEMBER and parts[0] else None
