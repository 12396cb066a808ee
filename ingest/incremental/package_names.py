"""Find the files that may read changed declarations, by the names in all files of a language whose declarations have types.

A change of a member matters to the files with its name. A change of a type matters to each file that may hold one of its values:

- A type whose own declaration mentions the type (a base, a bound, a lambda's parameter) changes with it, and so on.
- A file holds a value of a changed type if it contains the name of such a type, or of a member whose declaration mentions one.

In both cases, the file also has to reach the type: it contains the name of a type that mentions the type, directly or through the
declarations of other types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from ..documents.blocks.programs import OF_PACKAGES
from ..documents.blocks.used_names import words_of_blocks
from ..facts.model import FileFacts
from ..languages.registry import language as language_named

#: A word. The name of a nested type in a file of services contains "$", as in `Shop$Till`; other names may, too.
_WORD: Final = re.compile(r"[\w$]+")
#: First characters of the lines of `FileLinks.named`, by the form of the name; the line of a member begins with a space.
_MARKS: Final = {"": "+", "type": ":", "plain": "-", "alias": "~", "interface": "*", "value": "="}
_FORMS: Final = {mark: form for form, mark in _MARKS.items()}
_MEMBER: Final = " "


class Entry(NamedTuple):
    """The declarations of one name in a file, as `PackageName` has them, without the digest."""

    name: str
    #: The type of a method or field, if the rules of the language need it.
    owner: str
    is_carrier: bool
    form: str
    names: list[str]


def shares_packages(language: str) -> bool:
    """Return whether files of a language share the scopes of packages."""
    rules = language_named(language).nominal
    return rules is not None and rules.is_static


def words_of(facts: FileFacts) -> str:
    """Return the words of a file's code, one per line; "" if no change spreads by them.

    The code of a document is in its blocks in languages with packages.
    """
    if facts.blocks:
        return "\n".join(sorted(words_of_blocks(facts.blocks, OF_PACKAGES)))
    if not shares_packages(facts.language):
        return ""
    wiring = language_named(facts.language).wiring
    texts = [
        *[entry.name for entry in (wiring.implied_imports(facts) if wiring is not None else ())],
        *facts.strings,
        *[decl.name for decl in facts.decls],
        *[member.name for shape in facts.shapes for member in shape.members],
        *[symbol.name for symbol in facts.symbols],
        *[entry.specifier for entry in facts.imports],
    ]
    words = set(_WORD.findall("\n".join(texts)))
    words.update(*[word.split("$") for word in words if "$" in word])
    return "\n".join(sorted(words))


def named_by(facts: FileFacts) -> str:
    """Return the names that a file declares, one per line, each with the names in its declarations."""
    lines = []
    for each in facts.package_declared:
        name = f"{each.owner}.{each.name}" if each.owner else each.name
        lines.append(f"{_MARKS[each.form] if each.is_carrier else _MEMBER}{' '.join([name, *each.names])}")
    return "\n".join(lines)


def entries_of(named: str) -> Iterable[Entry]:
    """Yield the declarations in a text of `named_by`."""
    for line in named.split("\n") if named else ():
        first, *names = line[1:].split(" ")
        owner, _, name = first.rpartition(".")
        yield Entry(name, owner, line[0] != _MEMBER, _FORMS.get(line[0], ""), names)


class ChangedNames:
    """Names of one language with changed declarations."""

    def __init__(self) -> None:
        self.members: Final[set[str]] = set()
        self.carriers: Final[set[str]] = set()
        #: Carriers in files with changed declarations.
        self.origins: Final[set[str]] = set()

    def compare(self, before: FileFacts | None, after: FileFacts | None) -> None:
        """Add the names whose declarations in a file differ."""
        different = changed_entries(before, after)
        if different:
            self.members.update(each.name for each in different if not each.is_carrier)
            self.carriers.update(each.name for each in different if each.is_carrier)
            for facts in (before, after):
                self.origins.update(each.name for each in (facts.package_declared if facts else ()) if each.is_carrier)

    def relink(self, specifiers: Iterable[str]) -> None:
        """Add the imported names that now have other declarations."""
        names = {specifier.rpartition(".")[2] for specifier in specifiers}
        self.carriers.update(names)
        self.origins.update(names)


def changed_entries(before: FileFacts | None, after: FileFacts | None) -> list[Entry]:
    """Return the declarations of a file that differ, as they were and as they are."""
    found = []
    for one, other in ((before, after), (after, before)):
        known = {(each.name, each.owner, each.is_carrier): each.digest for each in (other.package_declared if other else ())}
        for each in one.package_declared if one is not None else ():
            if known.get((each.name, each.owner, each.is_carrier)) != each.digest:
                found.append(Entry(each.name, each.owner, each.is_carrier, each.form, each.names))
    return found


def documents_reading(changed: ChangedNames, words: Mapping[str, str], named: Mapping[str, str]) -> set[str]:
    """Return the paths of the documents whose blocks may read changed declarations of a language.

    A block may use the values of a type without the name of any type, so each name counts whose declaration mentions a changed
    name, directly or through other declarations. `words` has the words of the documents by path, and `named` the names that all
    files of the language declare.
    """
    if not changed.members and not changed.carriers:
        return set()
    mentioning: dict[str, list[str]] = {}
    for text in named.values():
        for entry in entries_of(text):
            for each in entry.names:
                mentioning.setdefault(each, []).append(entry.name)
    wanted = changed.members | changed.carriers
    waiting = list(wanted)
    while waiting:
        new = [name for name in mentioning.get(waiting.pop(), ()) if name not in wanted]
        wanted.update(new)
        waiting += new
    return {path for path, text in words.items() if not wanted.isdisjoint(text.split("\n"))}


def files_reading(changed: ChangedNames, words: Mapping[str, str], named: Mapping[str, str]) -> set[str]:
    """Return the paths of the files that may read changed declarations.

    `words` and `named` have the texts of `FileLinks` by path, of all files of the language.
    """
    if not changed.members and not changed.carriers:
        return set()
    #: By name, the declarations that mention it, and the files whose declarations do.
    mentioning: dict[str, list[tuple[str, bool]]] = {}
    files: dict[str, list[str]] = {}
    carriers_of: dict[str, list[str]] = {}
    for path, text in named.items():
        mentioned: set[str] = set()
        carriers = carriers_of[path] = []
        for entry in entries_of(text):
            if entry.is_carrier:
                carriers.append(entry.name)
            for each in entry.names:
                mentioning.setdefault(each, []).append((entry.name, entry.is_carrier))
            mentioned.update(entry.names)
        for each in mentioned:
            files.setdefault(each, []).append(path)
    wanted, waiting, seen = set(changed.members), list(changed.carriers), set(changed.carriers)
    while waiting:
        for name, is_carrier in mentioning.get(waiting.pop(), ()):
            wanted.add(name)
            if is_carrier and name not in seen:
                seen.add(name)
                waiting.append(name)
    wanted |= seen
    reaching = seen | changed.origins
    waiting, done = list(reaching), set[str]()
    while waiting:
        for path in files.get(waiting.pop(), ()):
            if path not in done:
                done.add(path)
                waiting += [name for name in carriers_of[path] if name not in reaching]
                reaching.update(carriers_of[path])
    found = set()
    for path, text in words.items():
        of_file = text.split("\n")
        if not wanted.isdisjoint(of_file) and not reaching.isdisjoint(of_file):
            found.add(path)
    return found
