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
from typing import Final

from ..facts.model import FileFacts
from ..languages.registry import language as language_named

#: A word. The name of a nested type in a file of services contains "$", as in `Shop$Till`; other names may, too.
_WORD: Final = re.compile(r"[\w$]+")
#: First character of the line of a carrier in `FileLinks.named`; lines of other names begin with a space.
_CARRIER: Final = "+"


def has_names(language: str) -> bool:
    """Return whether changes of a language's files spread by the names of their declarations."""
    rules = language_named(language).nominal
    return rules is not None and rules.is_static and rules.has_overloads


def words_of(facts: FileFacts) -> str:
    """Return the words of a file's code, one per line; "" if no change spreads by them."""
    if not has_names(facts.language):
        return ""
    texts = [
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
    return "\n".join(
        [f"{_CARRIER if each.is_carrier else ' '}{' '.join([each.name, *each.names])}" for each in facts.package_declared]
    )


class ChangedNames:
    """Names of one language with changed declarations."""

    def __init__(self) -> None:
        self.members: Final[set[str]] = set()
        self.carriers: Final[set[str]] = set()
        #: Carriers in files with changed declarations.
        self.origins: Final[set[str]] = set()

    def compare(self, before: FileFacts | None, after: FileFacts | None) -> None:
        """Add the names whose declarations in a file differ."""
        old, new = _digests(before), _digests(after)
        different = {key for key in {*old, *new} if old.get(key) != new.get(key)}
        if different:
            self.members.update(name for name, is_carrier in different if not is_carrier)
            self.carriers.update(name for name, is_carrier in different if is_carrier)
            self.origins.update(name for name, is_carrier in {*old, *new} if is_carrier)

    def relink(self, specifiers: Iterable[str]) -> None:
        """Add the imported names that now have other declarations."""
        names = {specifier.rpartition(".")[2] for specifier in specifiers}
        self.carriers.update(names)
        self.origins.update(names)


def _digests(facts: FileFacts | None) -> dict[tuple[str, bool], bytes]:
    return {(each.name, each.is_carrier): each.digest for each in facts.package_declared} if facts is not None else {}


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
        for line in text.split("\n") if text else ():
            name, *names = line[1:].split(" ")
            is_carrier = line[0] == _CARRIER
            if is_carrier:
                carriers.append(name)
            for each in names:
                mentioning.setdefault(each, []).append((name, is_carrier))
            mentioned.update(names)
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
