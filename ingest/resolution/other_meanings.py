"""Tells whether a document may mean something else than a symbol with the same name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ...schema.name_words import name_words
from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS
from ..documents.kind_words import is_option_word, is_parameter_word, is_value_word, kinds_of
from ..documents.names import CodeName
from ..facts.document_facts import MentionFact
from .document_words import DocumentWords
from .named_declarations import FIELDS, is_stub
from .value_members import is_member

#: Kinds of symbols whose names may be plain words in lower case.
_PLAIN: Final = CALLABLE_KINDS | {"variable", "const"}
#: End of the names of types whose fields are options.
_OF_OPTIONS: Final = re.compile(r"(?:Options?|Opts|Config(?:uration)?|Settings|Props|Params)$")
#: Usual names of main branches.
_BRANCHES: Final = frozenset(("main", "master", "develop", "trunk"))
#: Names of folders that are too general to identify code.
_ANY_FOLDERS: Final = frozenset(
    ("src", "lib", "app", "apps", "packages", "cmd", "pkg", "internal", "core", "main", "index", "docs")
)
#: Words in names of types that do not describe their subject.
_ANY_TYPES: Final = frozenset(("common", "base", "abstract", "default", "shared", "current", "raw", "internal", "mixin"))
#: Minimum number of words in a name whose only declaration in the repository counts as its meaning.
_UNMISTAKABLE: Final = 3


def is_other(symbol: Symbol, words: DocumentWords) -> bool:
    """Return whether a document that contains only the name of a symbol may mean something else.

    The name of a field may also be the name of a parameter, a column or a key, unless the document names the type, too. For a
    name of several words, the words of the type are enough. A plain word may have any meaning, unless the document names the
    module or the package.
    """
    *owners, last = symbol.qualified_name.split(".")
    if symbol.kind in FIELDS:
        if not (symbol.exported or is_stub(symbol.relative_path)):
            return True
        if len(name_words(last)) >= _UNMISTAKABLE:
            return False
        is_compound = len(name_words(last)) > 1
        own = set(name_words(owners[-1])) - _ANY_TYPES if owners and is_compound else set()
        return words.of_code.isdisjoint(owner.lower() for owner in owners) and not (own and own <= words.parts)
    if symbol.kind in _PLAIN and last == last.lower() and "_" not in last:
        places = [place for place in re.split(r"[/.]", symbol.relative_path.lower())[:-1] if place not in _ANY_FOLDERS]
        # The first folder is often the package of the whole repository, which each of its documents names.
        places = places[1:] or places
        return last in _BRANCHES or words.of_code.isdisjoint(places)
    return False


def in_package(symbols: list[Symbol], name: CodeName) -> list[Symbol]:
    """Return the symbol in a module directly in the package that a name begins with, if there is only one: `shop.Cart` of
    `shop/cart.py`, and not of `shop/old/cart.py`."""
    near = [symbol for symbol in symbols if parent_of(symbol.relative_path).rpartition("/")[2] == name.parts[0]]
    return near if len(near) == 1 else symbols


def of_kind(symbols: Sequence[Symbol], mention: MentionFact) -> Symbol | None:
    """Return the only symbol that a name with a word for its kind denotes: "the `join` function"."""
    if mention.form != "code" or not mention.names:
        return None
    kinds = kinds_of(mention.names[0])
    found = [symbol for symbol in symbols if symbol.kind in kinds]
    if is_option_word(mention.names[0]):
        found = [symbol for symbol in found if _OF_OPTIONS.search(symbol.qualified_name.rpartition(".")[0]) is not None]
    return found[0] if len(found) == 1 and (found[0].exported or not is_member(found[0])) else None


def is_parameter(mention: MentionFact, symbols: Sequence[Symbol]) -> bool:
    """Return whether the word beside a name says that the name is none of some symbols: "the `page` query parameter"."""
    if mention.form != "code" or not mention.names or not is_parameter_word(mention.names[0]):
        return False
    kinds = kinds_of(mention.names[0])
    return not any(symbol.kind in kinds for symbol in symbols)


def is_of_other_kind(symbol: Symbol, mention: MentionFact) -> bool:
    """Return whether a symbol is a type, but the word beside the name says that the name denotes a value: "the `Method`
    property".
    """
    if mention.form != "code" or not mention.names or symbol.kind not in TYPE_KINDS:
        return False
    return is_value_word(mention.names[0])


def is_plain_call(name: CodeName) -> bool:
    """Return whether a name is a call of a plain word, such as `get()`, which many types have."""
    return name.is_call and len(name.parts) == 1 and name.parts[0] == name.parts[0].lower() and "_" not in name.parts[0]
