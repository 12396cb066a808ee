"""Chooses among members of one name in several types by the titles around a mention.

Types of options often repeat a member: `ServerOptions.timeout`, `RouteOptions.timeout`, and `Server.settings.timeout`, which
returns the first one. In the document `Routes.md`, or below the title "Routes", the name denotes `RouteOptions.timeout`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...schema.records import Symbol
from ...schema.symbol_kinds import TYPE_KINDS
from .document_words import DocumentWords, singular_words


class Choice(NamedTuple):
    """The chosen member."""

    member: Symbol
    #: Whether a title names the type of the member.
    is_titled: bool


def chosen_member(
    members: Sequence[Symbol], owners: Sequence[Symbol | None], section: int, words: DocumentWords
) -> Choice | None:
    """Return the member that a document means below the title of a section; None if the titles decide nothing.

    `owners` has the symbol around each member. Members that are exported and belong directly to a type come before others.
    """
    pairs = list(zip(members, owners, strict=True))
    pairs = [pair for pair in pairs if pair[0].exported] or pairs
    left = {member.qualified_name: _words(member.qualified_name.rpartition(".")[0]) for member, _ in pairs}
    is_titled = False
    if len(left) > 1:
        shared = frozenset.intersection(*left.values())
        own = {name: each - shared for name, each in left.items()}
        for titles in words.titles_around(section):
            matching = _whole(left, titles) or {name for name in left if not own[name].isdisjoint(titles)}
            if matching:
                is_titled = True
                left = {name: each for name, each in left.items() if name in matching}
        if len(left) == len(own):
            direct = {member.qualified_name for member, owner in pairs if owner is not None and owner.kind in TYPE_KINDS}
            left = {name: each for name, each in left.items() if name in direct} or left
        if len(left) > 1 and len(left) == len(own):
            left = {name: each for name, each in left.items() if not own[name]}
    if len(left) != 1:
        return None
    found = [member for member, _ in pairs if member.qualified_name in left]
    return Choice(found[0], is_titled) if len({member.relative_path for member in found}) == 1 else None


def chosen_root(symbols: Sequence[Symbol], section: int, words: DocumentWords) -> Symbol | None:
    """Return the symbol below the folder of the document, or whose module a title around a section names; None without a choice.

    In the document `asgi-reference.md`, the name `App` denotes `App` of `asgi/app.py`, and not of `wsgi.py`.
    """
    inside = [symbol for symbol in symbols if words.folder and symbol.relative_path.startswith(f"{words.folder}/")]
    if len(inside) == 1:
        return inside[0]
    places = {symbol.id: _words_of_path(symbol.relative_path) for symbol in symbols}
    shared = frozenset.intersection(*places.values())
    for titles in words.titles_around(section):
        matching = [symbol for symbol in symbols if not (places[symbol.id] - shared).isdisjoint(titles)]
        if matching:
            return matching[0] if len(matching) == 1 else None
    return None


def _words_of_path(path: str) -> frozenset[str]:
    return singular_words(path.rpartition(".")[0])


def _whole(owners: Mapping[str, frozenset[str]], titles: frozenset[str]) -> set[str]:
    """Return the member of the type whose words are all in the titles. Of several such types, the type with the longest name
    counts."""
    named = {name: len(each) for name, each in owners.items() if each and each <= titles}
    longest = max(named.values(), default=0)
    found = {name for name, length in named.items() if length == longest}
    return found if len(found) == 1 and longest > 1 else set()


def _words(owner: str) -> frozenset[str]:
    """Return the words of the type around a member, without the words of a namespace around the type."""
    return singular_words(owner.rpartition(".")[2])
