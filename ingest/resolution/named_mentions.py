"""What the names of code in documents denote: declarations, members, and what a known class lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ...schema.languages import CONTRACTS, language_of, language_of_indexed
from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS
from ..documents.names import FILE_ENDINGS, CodeName, has_several_words
from ..documents.plain_names import WORD
from ..facts.document_facts import MentionFact
from ..files.path_roles import is_test_path
from ..languages.import_targets import Resolution, SourceTarget
from .block_mentions import BlockMentions
from .document_words import DocumentWords
from .member_types import MemberTypes
from .mentioned import Target, ambiguous, attribute_class, specifier_of
from .named_declarations import FIELDS, NamedDeclarations, is_stub, nearest_copy
from .other_meanings import (
    called_member,
    decorator,
    in_package,
    is_inner_type,
    is_internal,
    is_method,
    is_of_other_kind,
    is_of_own_package,
    is_option,
    is_other,
    is_parameter,
    is_plain_call,
    of_kind,
    of_options,
    of_written_form,
    visible_member,
)
from .owner_choice import chosen_member, chosen_root
from .value_members import ValueMembers, exported_members, is_member, is_of_language

_VALUES: Final = frozenset(("const", "variable"))
_CONSTRUCTOR: Final = "constructor"
_NAMESPACE: Final = "namespace"
_RUST: Final = ".rs"
_CSHARP: Final = ".cs"
_ENUM_MEMBER: Final = "enumMember"
_MACRO: Final = re.compile(r"macro_rules!|pub fn \w+\(\w+: (?:\w+::)*TokenStream\b")
#: Number of parts of a name that consists of a type and its member.
_TYPE_AND_MEMBER: Final = 2
#: Maximum number of types whose members are compared with those in the blocks of a document.
_MAX_OWNERS: Final = 16


class NamedMentions:
    """Finds what single and dotted names in the text of documents denote, in one state of a repository."""

    def __init__(
        self,
        names: NamedDeclarations,
        types: MemberTypes,
        blocks: BlockMentions,
        members: ValueMembers,
        resolve: Callable[[str, str], Resolution],
    ) -> None:
        self._names = names
        self._types = types
        self._blocks = blocks
        self._members = members
        self._resolve = resolve

    def targets(self, name: CodeName, mention: MentionFact, words: DocumentWords) -> Iterator[Target]:
        """Yield what a name denotes: a symbol and the class around it, or an ambiguous or lacking name."""
        if name.is_chain:
            yield from self._chained(name)
            return
        if name.is_common and not is_method(mention):
            return
        if name.is_member and _is_ending(name.parts[-1]):
            return
        found = self._names.candidates(name)
        if not found and len(name.parts) > 1 and not name.is_call and _is_ending(name.parts[-1]):
            return  # the name of a file: `Shop.toml`
        if found is not None and not found and name.parts[-1].endswith("?"):
            # The sign says that a member is optional. In Ruby, it belongs to the name.
            name = name._replace(parts=(*name.parts[:-1], name.parts[-1].removesuffix("?")))
            found = self._names.candidates(name)
        elif found is not None and mention.text.endswith("!") and not name.parts[-1].endswith("!"):
            # A macro of Rust. In Ruby, the sign belongs to the name.
            found = [each for each in found if _is_macro(each)]
            if not found:
                name = name._replace(parts=(*name.parts[:-1], f"{name.parts[-1]}!"))
                found = self._names.candidates(name)
        if found is not None and len(name.parts) == 1 and all(is_test_path(each.relative_path) for each in found):
            found = self._attribute(name) or found
        if found is not None and not found and len(name.parts) == 1:
            return  # most spans of code in most documents
        if len(name.parts) == 1 and is_method(mention):
            found = self._methods(name) or found
        if found is not None and len(name.parts) == 1 and not name.has_compound_end:
            found = [each for each in found if not (is_inner_type(each) and not words.names_type(each))]
        if found and len(name.parts) == 1 and not name.is_call:
            # A namespace with the name of the project: the document means the project.
            found = [each for each in found if not (each.kind == _NAMESPACE and is_of_own_package(each))]
            if not found:
                return
        if name.is_common:
            meant = of_kind(found or (), mention)
            if meant is not None and is_member(meant):
                yield Target(meant.id, "symbol", "name")
            return
        if len(name.parts) == 1 and not name.is_call and is_parameter(mention, found or ()):
            return
        if found is not None and len(name.parts) > 1:
            # A module may import a name under which it also exports a member.
            found = [symbol for symbol in found if symbol.exported] or found
            found = in_package(found, name)
        if name.is_member:
            found = [symbol for symbol in found or () if is_member(symbol)]
        written = ".".join(name.parts)
        if len(name.parts) == 1 and (meant := decorator(name, found or ())) is not None:
            yield Target(meant.id, "symbol", "name")
            return
        if len(name.parts) == 1 and found and len(found) > 1:
            # Of several members, the text means the one that the blocks of the document use.
            shown = words.shown(name, mention.symbol)
            if any(each.id == shown and is_member(each) for each in found):
                yield Target(shown, "symbol", "name")
                return
        meant = self._of_type_beside(name, mention, words) if len(name.parts) == 1 else None
        if meant is not None:
            yield Target(meant.id, "symbol", "name")
            return
        if len(name.parts) == 1 and (meant := self._supported(name, mention, found or (), words)) is not None:
            yield Target(meant.id, "symbol", "name")
            return
        if (found is None or len(found) > 1) and len(name.parts) == 1 and (meant := self._imported(name, words)) is not None:
            yield Target(meant.id, "symbol", "name")
            return
        if found is not None and len(found) > 1 and len(name.parts) == 1 and name.is_distinct:
            roots = [symbol for symbol in found if symbol.exported and not is_member(symbol)]
            chosen = chosen_root(roots, mention.symbol, words) if len(roots) == len(found) else None
            found = [chosen] if chosen is not None else found
        if found is not None and len(found) > 1 and len(name.parts) == 1 and name.is_distinct:
            found = self._members.of_base(visible_member(found))
            found = self._member_of_shown(called_member(found, name, mention.text), words) if len(found) > 1 else found
        if found is not None and len(found) > 1 and mention.form != WORD:
            found = of_written_form(found, name, mention.text)
        if found is None or len(found) > 1:
            if name.is_distinct:
                yield ambiguous(written, "name", found)
        elif found:
            [symbol] = found
            if is_of_other_kind(symbol, mention):
                return
            is_plain = len(name.parts) == 1 and not name.is_call
            if is_plain_call(name) and is_member(symbol) and not words.names_type(symbol):
                return
            if is_plain_call(name) and symbol.kind in FIELDS and not symbol.exported:
                return
            if (name.is_distinct or (symbol.exported and not symbol.depth)) and not (is_plain and is_other(symbol, words)):
                yield Target(symbol.id, "symbol", "qualified" if len(name.parts) > 1 else "name")
                if len(name.parts) > 1 and not words.is_step(mention.symbol):
                    owner = self._names.owner_named(symbol, name.parts[-2])
                    if owner is not None:
                        yield Target(owner.id, "symbol", "qualified")
        elif len(name.parts) > 1:
            lacking = list(self._lacking(name, in_block=bool(mention.extension)))
            if not lacking and mention.extension:
                lacking = list(self._members.of_base_class(name.parts, mention.extension, words))
            yield from lacking or list(self._member_of_value(name)) or self._beginning(name)

    def _attribute(self, name: CodeName) -> list[Symbol]:
        """Return the class of an attribute of C#, which code names without the end: `Price` for `PriceAttribute`."""
        attribute = attribute_class(name.parts[0])
        every = self._names.candidates(CodeName((attribute,), False)) if attribute else None
        return [each for each in every or () if each.kind in TYPE_KINDS and is_of_language(each, _CSHARP)]

    def _methods(self, name: CodeName) -> list[Symbol]:
        """Return the methods with a name, of which copies and implementations do not count."""
        every = [each for each in self._names.declarations(name) or () if each.kind in CALLABLE_KINDS]
        members = [each for each in every if is_member(each) and (each.exported or is_stub(each.relative_path))]
        written = [each for each in members if not is_stub(each.relative_path)] or members
        return self._members.of_base(nearest_copy(written, self._names.imported)) if written else []

    def _chained(self, name: CodeName) -> Iterator[Target]:
        """Yield the members in a chain of calls, as far as the repository has them: `Cart.open().add(tea)`."""
        for length in (2, 1):
            start = self._names.candidates(CodeName(name.parts[:length], True)) or []
            if length == 1:
                start = [each for each in start if not is_member(each)] if has_several_words(name.parts[0]) else []
            elif not start:
                start = self._members.of_value(CodeName(name.parts[:length], True))
            if len(start) == 1:
                yield from self._on_path(start[0], name.parts[length:])
                return

    def _on_path(self, start: Symbol, parts: Sequence[str]) -> Iterator[Target]:
        """Yield a symbol, and the members on a path that begins at the symbol, up to the first one that is not known."""
        yield Target(start.id, "symbol", "qualified")
        for end in range(1, len(parts) + 1):
            found = self._types.follow(start, parts[:end])
            if found is None:
                return
            yield Target(found.id, "symbol", "qualified")

    def _beginning(self, name: CodeName) -> Iterator[Target]:
        """Yield the members on a path that leaves the repository: `CartError.request` of `CartError.request.headers`."""
        for length in (1, 2) if len(name.parts) > _TYPE_AND_MEMBER else ():
            outer = self._names.candidates(CodeName(name.parts[:length], length > 1))
            kinds = TYPE_KINDS if length == 1 else TYPE_KINDS | _VALUES
            if outer is not None and len(outer) == 1 and outer[0].kind in kinds and not is_internal(outer[0]):
                members = list(self._on_path(outer[0], name.parts[length:]))
                if len(members) > 1:
                    yield from members
                    return

    def _imported(self, name: CodeName, words: DocumentWords) -> Symbol | None:
        """Return the declaration of a name that a block of the document imports. A plain word names no value."""
        [last] = name.parts
        mention = words.imports.get(last)
        specifier = specifier_of(mention) if mention is not None else None
        module = self._resolve(specifier, words.path) if specifier is not None else None
        found = self._blocks.declared_in(module.path, last) if isinstance(module, SourceTarget) else None
        return found if found is not None and (name.is_distinct or found.kind in CALLABLE_KINDS | TYPE_KINDS) else None

    def _supported(self, name: CodeName, mention: MentionFact, found: Sequence[Symbol], words: DocumentWords) -> Symbol | None:
        """Return the meaning of a single name that the document supports: it uses the name as code near the mention, or has it in
        a title around the mention, or is in the folder of the declaration.
        """
        [last] = name.parts
        found = [symbol for symbol in found if last not in symbol.relative_path.split("/")[:-1]]  # the name of a package
        every_root = [] if name.is_member else [symbol for symbol in found if not is_member(symbol)]
        roots = [symbol for symbol in every_root if symbol.exported and symbol.kind not in FIELDS]
        if not name.is_distinct and self._names.is_module(last):
            roots = [symbol for symbol in roots if symbol.kind in CALLABLE_KINDS | TYPE_KINDS]
        # Users of a package see the type in a declaration file, which describes the function with the same name.
        is_visible = not any(is_member(symbol) and is_stub(symbol.relative_path) for symbol in found)
        # A call in the text, such as `init()`, is no evidence if types have a method with this plain name.
        is_plain = name.is_call and not name.has_compound_end and len(found) > len(every_root)
        is_used = words.uses_in_code(last, mention.symbol) if is_plain else words.uses(last, mention.symbol)
        # In C++, a function of a namespace may help a method of the same name.
        is_helper = len(found) > 1 and any(symbol.depth for symbol in roots)
        if is_visible and is_used and len(roots) == 1 == len(every_root) and not is_helper:
            return roots[0]
        beside = [symbol for symbol in roots if words.folder and parent_of(symbol.relative_path) == words.folder]
        if len(beside) == 1:
            return beside[0]
        meant = of_kind(found, mention) or self._member_meant(name, mention, words)
        if meant is None and len(options := self._members.of_base(of_options(found, mention))) == 1:
            meant = options[0]
        if meant is None and name.is_distinct and words.folder:
            near = [symbol for symbol in found if is_member(symbol) and parent_of(symbol.relative_path) == words.folder]
            members = list(exported_members(near).values())
            meant = members[0] if len(members) == 1 == len(near) else None
        return meant

    def _of_type_beside(self, name: CodeName, mention: MentionFact, words: DocumentWords) -> Symbol | None:
        """Return the one of several members with a single name whose type the same line of text names. For members of
        enumerations, the section may name the type in another line.
        """
        if mention.form != "code":
            return None
        beside, around = words.beside(mention.line), words.in_section(mention.symbol)
        if len(around) <= 1:
            return None
        every = self._names.declarations(name) or []
        if any(each.exported and not is_member(each) for each in every):
            return None
        are_values = all(each.kind == _ENUM_MEMBER for each in every)
        for named in (beside, around) if are_values else (beside,):
            found = [each for each in every if each.qualified_name.rpartition(".")[0].rpartition(".")[2] in named]
            if found:
                return found[0] if len(found) == 1 < len(every) else None
        return None

    def _member_meant(self, name: CodeName, mention: MentionFact, words: DocumentWords) -> Symbol | None:
        """Return the member that a single name denotes: a title has the name, the titles choose among several types, or the
        document also uses the name as a member of a value.
        """
        [last] = name.parts
        is_titled = words.is_titled(last, mention.symbol)
        is_code = is_titled or name.is_distinct or words.has_member(last) or words.is_about(last)
        if not is_code or words.is_parameter(last, mention.symbol):
            return None
        if not name.is_distinct and self._names.is_module(last) and (words.is_about(last) or not is_titled):
            return None
        is_headed = words.is_headed(last, mention.symbol)
        every = self._names.declarations(name) or []
        if name.is_member:
            every = [symbol for symbol in every if is_member(symbol)]
        if any(symbol.kind in TYPE_KINDS for symbol in every):
            # A type inside of a namespace is meant, and not its constructor.
            every = [symbol for symbol in every if symbol.kind != _CONSTRUCTOR]
        members = list(exported_members(every).values())
        if not members or any(not is_member(symbol) and (symbol.exported or not is_headed) for symbol in every):
            return None
        member = None
        if len(members) == 1:
            is_single = len(every) == 1 and not name.is_distinct
            member = members[0] if is_titled or (is_single and words.names_type(members[0])) else None
        elif is_headed or name.is_distinct or words.is_about(last):
            owners = [self._names.owner(each) for each in members]
            choice = chosen_member(members, owners, mention.symbol, words)
            if choice is not None and not choice.is_titled and len(self._members.of_base(members)) == 1:
                choice = None  # what an interface declares is not that of an implementation
            if choice is not None and (is_titled or choice.is_titled or not is_other(choice.member, words)):
                member = choice.member
        return None if member is None or "._" in f".{member.qualified_name}" else member

    def _member_of_shown(self, members: list[Symbol], words: DocumentWords) -> list[Symbol]:
        """Return the member of the only type of which the blocks of the document use other members, or of the only type that they
        use; else all members.
        """
        is_plain = all(is_member(each) and each.kind not in TYPE_KINDS for each in members)
        if not 1 < len(members) <= _MAX_OWNERS or not is_plain:
            return members
        found = [each for each in members if words.shows(self._names.siblings(each))]
        if len(found) != 1:
            owners = ((each, self._names.owner(each)) for each in members)
            found = [each for each, owner in owners if owner is not None and words.shows((owner,))]
        return found if len(found) == 1 else members

    def _member_of_value(self, name: CodeName) -> Iterator[Target]:
        fitting = self._members.of_value(name) or self._members.of_function(name)
        if name.is_call:
            fitting = [each for each in fitting if not is_option(each)]
        if len(fitting) == 1:
            yield Target(fitting[0].id, "symbol", "qualified")
        elif fitting:
            yield ambiguous(".".join(name.parts), "qualified", fitting)

    def _lacking(self, name: CodeName, *, in_block: bool) -> Iterator[Target]:
        """Yield the class and an unresolved target for a member that a known class or interface lacks, or the inherited member.

        A class without this member in a block that does not import the class may be another class of that name.
        """
        if not name.parts[-2][:1].isupper():
            return
        outer = self._names.candidates(CodeName(name.parts[:-1], False))
        if outer is not None and len(outer) == 1 and outer[0].kind in _VALUES and outer[0].exported:
            of_value = self._types.follow(outer[0], name.parts[-1:])
            yield from [Target(of_value.id, "symbol", "qualified")] if of_value is not None else []
            return
        if outer is None or len(outer) != 1 or outer[0].kind not in TYPE_KINDS or is_internal(outer[0]):
            return
        inherited = self._types.inherited(outer[0], name.parts[-1]) or self._types.passed_on(outer[0], name.parts[-1])
        if inherited is not None or not in_block:
            yield Target(outer[0].id, "symbol", "qualified")
        if inherited is not None:
            yield Target(inherited.id, "symbol", "qualified")
        elif (
            not in_block
            and language_of_indexed(outer[0].relative_path) not in CONTRACTS
            and not self._types.has_foreign_ancestor(outer[0])
        ):
            # The code that is generated from a contract has further members.
            yield Target(".".join(name.parts), "unresolved", "qualified", "member")


def _is_macro(symbol: Symbol) -> bool:
    """Return whether a symbol is a macro of Rust: by rules, or a function that takes and returns tokens."""
    return symbol.relative_path.endswith(_RUST) and _MACRO.match(symbol.signature) is not None


def _is_ending(word: str) -> bool:
    """Return whether a word is the ending of files, such as `ts`."""
    return word in FILE_ENDINGS or word == "env" or language_of(f"file.{word}") is not None
