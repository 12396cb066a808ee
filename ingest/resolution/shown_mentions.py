"""Finds the declarations of the repository that blocks of code in documents show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS
from ..documents.names import CodeName, has_several_words
from ..documents.shown_declarations import DERIVED, without_spaces
from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from .document_words import DocumentWords
from .member_types import MemberTypes
from .mentioned import Target, shown_class
from .named_declarations import NamedDeclarations, Perspective
from .owner_choice import chosen_root
from .value_members import is_member, is_of_language, is_of_runtime

#: A block shows a type of the repository if it shows at least this many of its members, and at least this part of what the block
#: shows are members of the type.
_MIN_MEMBERS: Final = 2
_MIN_PART: Final = 0.6
#: Minimum length of the value of a name of one word that is compared with declarations.
_MIN_WRITTEN: Final = 3


#: Maximum number of derived classes that pages show between a class and its base in the repository.
_MAX_SHOWN: Final = 2
_SCRIPTS: Final = (".js", ".cjs", ".mjs")


class ShownMentions:
    """Finds the declarations that blocks of code show."""

    def __init__(self, names: NamedDeclarations, types: MemberTypes, facts_at: Callable[[str], FileFacts]) -> None:
        self._facts_at = facts_at
        self._names = names
        self._types = types
        #: The classes in the blocks of each page that derive from others, by path.
        self._derived: dict[str, list[MentionFact]] = {}
        #: The bases of classes, as a document in a folder sees them; see `base_of`.
        self._bases: dict[tuple[str, str, str, int, Perspective], Symbol | None] = {}

    def targets(self, mention: MentionFact, words: DocumentWords) -> Iterator[Target]:
        """Yield the declaration that a block shows; nothing for a declaration that only the document has."""
        own, *around = mention.names
        if around:
            name, *members = around
            shown = self._type(name, members, mention, words)
            if shown is not None:
                found = shown if own == name else self._types.inherited(shown, own)
                if found is not None:
                    yield Target(found.id, "symbol", "name" if found is shown else "qualified")
        elif mention.text and (len(mention.text) >= _MIN_WRITTEN or has_several_words(own)):
            same = self._same(own, mention, words)
            if same is not None:
                yield Target(same.id, "symbol", "name")

    def overridden(self, mention: MentionFact, words: DocumentWords) -> Iterator[Target]:
        """Yield the member of a type of the repository that a type in a block overrides."""
        own, *ancestors = mention.names
        # The names may be those of one type with its namespaces, as in `class Till < Shop::Carts::Base`.
        whole = [CodeName(tuple(ancestors), True)] if len(ancestors) > 1 else []
        for each_name in (*whole, *(CodeName((name,), False) for name in ancestors)):
            name = each_name.parts[-1]
            if len(each_name.parts) == 1 and is_of_runtime(name, mention.extension) and not words.names_word(name):
                continue
            found = [each for each in self._names.candidates(each_name) or () if each.kind in TYPE_KINDS]
            found = [each for each in found if is_of_language(each, mention.extension)]
            chosen = found[0] if len(found) == 1 else chosen_root(found, mention.symbol, words) if found else None
            member = None
            if chosen is not None:
                member = self._types.inherited(chosen, own) or self._types.passed_on(chosen, own)
                member = member or self._types.of_modules(chosen, own)
            if member is not None:
                yield Target(member.id, "symbol", "qualified")
                return

    def base_of(self, name: str, extension: str, folder: str, depth: int = 0) -> Symbol | None:
        """Return the type from which a class derives that only other documents show, if they agree on it.

        `depth` is the number of derived classes that the pages show before this class. `folder` is the folder of the document
        that uses the class. The pages of a manual often use one class, such as `class Product(Document)`, which one of the pages
        declares.
        """
        key = (name, extension, folder, depth, self._names.perspective)
        if key not in self._bases:
            self._bases[key] = self._shared_base(name, extension, folder, depth)
        return self._bases[key]

    def _shared_base(self, name: str, extension: str, folder: str, depth: int) -> Symbol | None:
        found: dict[str, dict[str, Symbol | None]] = {}
        for path in self._names.paths(shown_class(name)):
            for each in self._derived_in(path):
                if each.extension == extension and each.names[0] == name:
                    bases = (self._base(ancestor, extension, folder, depth) for ancestor in each.names[1:])
                    base = next((base for base in bases if base is not None), None)
                    # Without a base in the repository, it is a class of another example.
                    found.setdefault(parent_of(path), {})[base.id if base is not None else ""] = base
        beside = found.get(folder)
        every = beside if beside is not None else {key: base for each in found.values() for key, base in each.items()}
        found_bases = [base for base in every.values() if base is not None]
        if len(found_bases) < len(every):
            return None
        return next((each for each in found_bases if all(self._types.derives(base, each) for base in found_bases)), None)

    def _derived_in(self, path: str) -> list[MentionFact]:
        if path not in self._derived:
            self._derived[path] = [each for each in self._facts_at(path).mentions if each.form == DERIVED]
        return self._derived[path]

    def _base(self, name: str, extension: str, folder: str, depth: int) -> Symbol | None:
        found = [each for each in self._names.candidates(CodeName((name,), False)) or () if each.kind in TYPE_KINDS]
        found = [each for each in found if is_of_language(each, extension) and is_usable(each)]
        if not found and depth < _MAX_SHOWN:
            return self.base_of(name, extension, folder, depth + 1)
        return found[0] if len(found) == 1 else None

    def _type(self, name: str, members: list[str], mention: MentionFact, words: DocumentWords) -> Symbol | None:
        """Return the type of the repository with most of the members that a block shows."""
        counts: dict[str, int] = {}
        found = [each for each in self._names.candidates(CodeName((name,), False)) or () if each.kind in TYPE_KINDS]
        found = [each for each in found if is_of_language(each, mention.extension)]
        for each in found:
            counts[each.id] = sum(self._types.inherited(each, member) is not None for member in members)
        most = max(counts.values(), default=0)
        best = [each for each in found if counts[each.id] == most]
        # An interface with one method has no other members to show.
        is_single = most == len(members) == 1 and has_several_words(name)
        is_whole = is_single and all(each.kind == "interface" for each in best)
        if not is_whole and (most < _MIN_MEMBERS or most < _MIN_PART * len(members)):
            return None
        return best[0] if len(best) == 1 else chosen_root(best, mention.symbol, words)

    def _same(self, name: str, mention: MentionFact, words: DocumentWords) -> Symbol | None:
        """Return the only value or function of the repository that is declared as the block shows."""
        every = self._names.candidates(CodeName((name,), False)) or ()
        every = [each for each in every if is_of_language(each, mention.extension) and each.kind not in TYPE_KINDS]
        found = [each for each in every if _written(each) == mention.text]
        found = [each for each in found if not is_member(each)] or found
        return found[0] if len(found) == 1 else chosen_root(found, mention.symbol, words) if found else None


def is_usable(symbol: Symbol) -> bool:
    """Return whether other code may use a symbol. Scripts export their declarations elsewhere: `module.exports = { Cart }`."""
    return symbol.exported or (not symbol.depth and symbol.relative_path.endswith(_SCRIPTS))


def _written(symbol: Symbol) -> str:
    """Return what a block shows of a declaration: its value, or for a function, the signature from the name on."""
    if symbol.kind in CALLABLE_KINDS:
        return without_spaces(symbol.signature[max(symbol.signature.find(symbol.name), 0) :])
    return without_spaces(symbol.signature.partition("=")[2])
