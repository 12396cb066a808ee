"""The edges of documents: from sections to the symbols and files that the sections name.

A name is kept as unresolved, with the reason, if it is ambiguous, or if it names a member that a known class or module does not
have.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from ...schema.edges import FileMentionEdge, MentionEdge, MessageEdge, NextStepEdge, SectionFields, UnresolvedMentionEdge
from ...schema.graph_content import GraphContent
from ...schema.languages import DOCUMENTS, language_of
from ...schema.paths import stem_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, DIAGRAM_KINDS, STATEMENTS, TYPE_KINDS
from ..documents.blocks.code import INSTANCE_CALL
from ..documents.blocks.imports import WHOLE
from ..documents.code_terms import LITERAL, key_name
from ..documents.command_lines import VALUE_OF_SETTING
from ..documents.data_keys import FIELD
from ..documents.doc_links import COMMENT
from ..documents.literals import literal_of
from ..documents.names import FILE_ENDINGS, CodeName, read_name
from ..documents.plain_names import WORD
from ..documents.published_api import LINKED, published_name
from ..documents.shown_declarations import OVERRIDING, SHOWN
from ..documents.titles import TITLE
from ..facts.cache import FactReader
from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from ..languages.document_paths import is_pinned_url, path_in_code, path_of_link, repository_url, specifier_of_module
from ..languages.import_targets import BuiltinTarget, PackageTarget, Resolution, SourceTarget
from .block_mentions import BlockMentions
from .block_programs import BlockPrograms, Use
from .block_uses import BlockUses, is_contradicted, used_names
from .comment_mentions import commented
from .described_types import DescribedTypes, ReceiverTypes
from .document_words import DocumentWords
from .lambda_receivers import LambdaReceivers
from .member_types import MemberTypes
from .mentioned import (
    BLOCK_FORMS,
    PATH_FORMS,
    Target,
    ambiguous,
    anchor_of,
    module_in,
    module_of_name,
    name_in,
    namespaced_class,
    specifier_of,
)
from .module_exports import ModuleExports
from .named_declarations import FIELDS, NamedDeclarations, is_module_of_folder
from .named_mentions import NamedMentions
from .other_meanings import (
    foreign_values,
    is_of_own_package,
    is_parameter,
    is_type,
)
from .published_mentions import PublishedMentions
from .shared_imports import SharedImports
from .shown_mentions import ShownMentions
from .term_mentions import TermMentions
from .value_members import ValueMembers, is_of_runtime

#: The first name of a module, which is the name of its package or the scope of its author.
_PACKAGE: Final = re.compile(r"@?(?P<name>(?!github\b)\w{4,})")
_NO_LETTERS: Final = re.compile(r"[\W\d_]+")
_LETTER_BEFORE_NUMBER: Final = re.compile(r"^a(?=\d)")
_AMBIGUOUS: Final = "ambiguous"
#: Evidence of edges to what a document names by its place.
_EXPLICIT: Final = frozenset(("link", "path", "import"))
#: Minimum number of declarations of one example, or of helpers for tests, that a document about them names.
_TUTORIAL: Final = 4
#: Kinds of symbols that a single word of a sentence does not name.
_UNCERTAIN: Final = FIELDS | {"variable"}
#: A name with dots. As the target of a link, it names a file, or an object as in MyST: `[frozen](attrs.frozen)`.
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


#: Beginning of a link that has the name of a site in place of its address.
_SITE: Final = "@"


class DocumentEdges:
    """Computes the edges of documents in one state of a repository."""

    def __init__(
        self,
        declared: Callable[[], Mapping[str, str]],
        facts_at: Callable[[str], FileFacts],
        symbols_at: Callable[[str], Sequence[Symbol]],
        resolve: Callable[[str, str], Resolution],
        ambient: Callable[[], Iterable[str]] = tuple,
        cache: FactReader | None = None,
    ) -> None:
        """`declared` returns, by path, the names that each file declares, one per line. `ambient` returns the files that declare
        something for files that do not import them. `cache` has facts of runtimes.

        `facts_at` and `symbols_at` return the facts of a file and its symbols in the same order.
        """
        self._facts_at = facts_at
        self._symbols_at = symbols_at
        self._resolve = resolve
        declared = functools.cache(declared)
        exports = ModuleExports(declared, facts_at, symbols_at, resolve)
        self._names = NamedDeclarations(declared, symbols_at, lambda path: facts_at(path).package, exports.public)
        self._types = MemberTypes(self._names, symbols_at)
        self._blocks = BlockMentions(self._names, self._types, exports, facts_at, symbols_at, resolve)
        self._shown = ShownMentions(self._names, self._types, facts_at)
        self._members = ValueMembers(self._names, self._types, self._shown.base_of)
        self._named = NamedMentions(self._names, self._types, self._blocks, self._members, resolve)
        self._published = PublishedMentions(self._names, self._types, self._blocks, resolve)
        self._terms = TermMentions(self._names, facts_at, symbols_at, resolve)
        lambdas = LambdaReceivers(self._names, self._types, symbols_at)
        programs = BlockPrograms(lambda: declared().keys(), facts_at, symbols_at, resolve, ambient, cache, self._types.field_of)
        shared = SharedImports(self._names, facts_at, resolve)
        self._shared = shared
        self._uses = BlockUses(programs, self._names, exports, self._shown, shared, lambdas, facts_at, resolve)
        #: The types that the document describes whose edges are computed.
        self._described = DescribedTypes(self._names, self._types, (), {})
        self._receivers = ReceiverTypes(self._names, self._types, ())
        #: The names of values from other packages in the document whose edges are computed.
        self._foreign: frozenset[str] = frozenset()
        #: The names of the packages of the repository that the document imports.
        self._own_packages: frozenset[str] = frozenset()
        #: The links around spans of code, by line and column of the span.
        self._linked: dict[tuple[int, int], MentionFact] = {}

    def of(self, path: str) -> GraphContent:
        """Return the edges of a file; none if it is not a document."""
        facts = self._facts_at(path)
        if not (facts.mentions or facts.messages or facts.next_steps or facts.structures):
            return GraphContent()
        symbols = self._symbols_at(path)
        own_imports = self._own_imports(facts, path)
        self._own_packages = frozenset(package["name"].lower() for each in own_imports if (package := _PACKAGE.match(each)))
        self._names.read_for(path, own_imports.values())
        self._types.begin_document()
        words = DocumentWords(path, facts, symbols)
        titles = {
            place: (symbol.name, facts.symbols[place].parent)
            for place, symbol in enumerate(symbols)
            if symbol.kind not in DIAGRAM_KINDS
        }
        self._described = DescribedTypes(self._names, self._types, facts.mentions, titles, self._terms.keyed)
        self._receivers = ReceiverTypes(self._names, self._types, facts.mentions)
        self._foreign = foreign_values(facts.mentions, lambda extension, module: self._is_foreign(extension, module, path))
        self._linked = {(each.line, each.column): each for each in facts.mentions if each.form == LINKED}
        places: dict[tuple[str, str, Target], list[tuple[int, int]]] = {}
        others: dict[str, set[str]] = {}
        titled = {place: member for place in titles if (member := self._described.titled(place)) is not None}
        #: The names in lists and titles that are members of a type, with their lines.
        decided = {(symbols[place].declaration_line, key_name(symbols[place].name.strip("`*_"))) for place in titled}
        used = self._uses.of(path, facts)
        for use in used:
            words.note_used(use.symbol, use.section)
        known = used_names(used)
        # Blocks of code come first, because they say what names in the text denote.
        for mention in sorted(facts.mentions, key=lambda each: _order(each, symbols[each.symbol])):
            section = symbols[mention.symbol]
            found_targets = (
                commented(mention, path, facts, symbols, self._names, self._types)
                if mention.form == COMMENT
                else self._targets(mention, path, facts, words)
            )
            for target in found_targets:
                if is_contradicted(target, mention, known, self._names.known):
                    continue
                if target.evidence == LITERAL and (mention.line, key_name(literal_of(mention.text))) in decided:
                    continue  # the names beside the key say which field it is
                if mention.extension and target.form == "symbol":
                    words.note_shown(mention, self._names.known.get(target.key))
                if target.form == "symbol" and not mention.extension:
                    self._described.note_named(mention.symbol, self._names.known.get(target.key))
                if target.key != section.id:
                    if example := self._other_example(target, words):
                        others.setdefault(example, set()).add(target.key)
                    is_heading = mention.line == section.declaration_line and section.kind not in DIAGRAM_KINDS
                    kind = (
                        COMMENT
                        if mention.form == COMMENT
                        else "documents"
                        if is_heading and target.form != "unresolved"
                        else "mentions"
                    )
                    if kind == "documents" and target.form == "symbol":
                        self._described.note_documented(mention.symbol, self._names.known.get(target.key))
                    if mention.form == FIELD:
                        decided.add((mention.line, key_name(mention.text.rpartition(".")[2])))
                    places.setdefault((section.id, kind, target), []).append((mention.line, mention.column))
        _drop_ambiguous(places, decided)
        for place, member in titled.items():
            at = (symbols[place].id, "documents", Target(member.id, "symbol", "name"))
            if not any(symbols[place].declaration_line == line for line, _ in places.get(at, ())):
                places.setdefault(at, []).append((symbols[place].declaration_line, 1))
        self._add_uses(used, symbols, words, places, others)
        for keys in others.values():
            # A tutorial describes the code of an example step by step.
            if len(keys) < _TUTORIAL:
                places = {place: found for place, found in places.items() if place[2].key not in keys}
        content = GraphContent(
            mentions=[],
            file_mentions=[],
            unresolved_mentions=[],
            messages=[
                MessageEdge(symbols[each.source].id, symbols[each.target].id, *msgspec.structs.astuple(each)[2:])
                for each in facts.messages
            ],
            next_steps=[
                NextStepEdge(symbols[each.source].id, symbols[each.target].id, each.condition, each.line)
                for each in facts.next_steps
            ],
            section_fields=[
                SectionFields(symbols[each.symbol].id, path, *msgspec.structs.astuple(each)[1:]) for each in facts.structures
            ],
        )
        for (section_id, kind, target), found in places.items():
            sites = sorted(set(found))
            lines, columns = tuple(line for line, _ in sites), tuple(column for _, column in sites)
            if target.form == "symbol":
                content.mentions.append(MentionEdge(section_id, target.key, lines, columns, kind, target.evidence))
            elif target.form == "file":
                content.file_mentions.append(FileMentionEdge(section_id, target.key, lines, columns, kind, target.evidence))
            else:
                given = (target.evidence, target.reason, target.candidates)
                content.unresolved_mentions.append(UnresolvedMentionEdge(section_id, target.key, lines, columns, kind, *given))
        return content

    def _add_uses(
        self,
        used: Sequence[Use],
        symbols: Sequence[Symbol],
        words: DocumentWords,
        places: dict[tuple[str, str, Target], list[tuple[int, int]]],
        others: dict[str, set[str]],
    ) -> None:
        """Add what the engines find in blocks to the places of targets, and to the targets of other examples."""
        known = {(line, place[2].key) for place, found in places.items() for line, _ in found}
        for use in sorted(used, key=lambda each: not each.is_call):
            if (use.line, use.symbol.id) in known:
                continue
            known.add((use.line, use.symbol.id))
            target = Target(use.symbol.id, "symbol", "call" if use.is_call else "name")
            if example := self._other_example(target, words):
                others.setdefault(example, set()).add(target.key)
            places.setdefault((symbols[use.section].id, "mentions", target), []).append((use.line, use.column))

    def _own_imports(self, facts: FileFacts, path: str) -> dict[str, str]:
        """Return the modules of the repository that the blocks of a document import, each with its file."""
        imports = {mention.text: specifier_of(mention) for mention in facts.mentions if mention.form == "import"}
        found = {module: self._resolve(each, path) for module, each in imports.items() if each is not None}
        return {module: each.path for module, each in found.items() if isinstance(each, SourceTarget)}

    def _targets(self, mention: MentionFact, path: str, facts: FileFacts, words: DocumentWords) -> Iterator[Target]:
        if mention.form in ("code", WORD) and mention.text.partition(".")[0] in self._foreign and "." in mention.text:
            return
        specifier = specifier_of(mention)
        file = self._resolve(specifier, path) if specifier is not None else None
        found = file.path if isinstance(file, SourceTarget) else self._blocks.in_outer_namespace(mention)
        if found is not None and namespaced_class(mention) is not None:
            yield from self._blocks.in_namespace(mention, found)
        elif mention.form == "link":
            yield from self._of_link(mention, path, facts, found)
        elif mention.form in BLOCK_FORMS:
            targets = list(self._blocks.targets(mention, path, found))
            if not targets and (found is None or mention.form in PATH_FORMS) and not self._is_of_foreign(mention, path):
                targets = list(self._members.targets(mention, words)) or self._of_imported(mention)
                targets = targets or self._of_shared(mention) or list(self._titled(mention, words)) or self._of_receiver(mention)
            elif mention.form == "call" and len(mention.names) > 1 and all(target.evidence == "name" for target in targets):
                # The value has the name of a function that makes it, as in `const cart = openCart()`, then `openCart.total()`.
                of_result = self._members.member_of(mention.names, mention.extension)
                others = [each for each in targets if not self._is_function(each)] if of_result else targets
                targets = [*others, *of_result]
            yield from targets
        elif mention.form == OVERRIDING:
            yield from self._shown.overridden(mention, words)
        elif mention.form == SHOWN:
            given = list(self._shown.targets(mention, words)) or list(self._titled(mention, words))
            yield from given or self._members.mixed_in(mention.names[0], mention.extension)
        elif mention.form == WORD:
            yield from self._of_word(mention, path, words, found)
        elif mention.form in ("diagram", "class", "message"):
            yield from self._target_of_diagram_node(mention, path, found)
        elif mention.form == TITLE:
            named = name_in(mention)
            targets = list(self._named.targets(named, mention, words)) if named is not None else []
            # A title such as "Node.js" need not be a name of code, so its declaration is not missing.
            if all(target.form == "symbol" or target.reason == _AMBIGUOUS for target in targets):
                yield from targets
        elif mention.form == "code" and (of_link := self._of_linked(mention, path)) is not None:
            yield from of_link
        elif mention.form == "code":
            if found is not None and found != path:
                yield Target(found, "file", "path")
            elif found is None and (path_named := _source_path(mention.text)):
                yield Target(path_named, "unresolved", "path", "file")
            elif found is None:
                named = name_in(mention)
                targets = list(self._named.targets(named, mention, words)) if named is not None else []
                own = self._module(mention, path)
                if (
                    own is not None
                    and any(self._is_in(target, own) for target in targets)
                    and self._exported(mention, path) is None
                ):
                    yield Target(own, "file", "path")  # `shop.cart` is the module, and not its function `cart`
                    return
                is_known = any(target.form != "unresolved" for target in targets)
                if not is_known and named is not None and not is_parameter(mention, ()) and not is_type(mention):
                    shown = self._meant(named, mention, words) if not mention.extension else ""
                    targets, is_known = ([Target(shown, "symbol", "name")], True) if shown else (targets, False)
                if own is not None and not is_known:
                    yield Target(own, "file", "path")
                    return
                if not is_known and (exported := self._exported(mention, path)) is not None:
                    yield Target(exported.id, "symbol", "qualified")
                    return
                if not is_known and not mention.extension:
                    taking = self._described.with_parameter(mention.text, mention.symbol)
                    if len(taking) == 1:
                        yield Target(taking[0].id, "symbol", "name")
                        return
                    if taking and not targets:
                        targets = [ambiguous(mention.text, "name", taking)]
                terms = [] if is_known else list(self._terms.targets(mention, path))
                if not is_known and not targets and all(target.form == "unresolved" for target in terms):
                    literals = self._terms.literal(mention)
                    terms = literals if not terms or any(target.form == "symbol" for target in literals) else terms
                if not (is_known or targets or terms) and self._is_lost(mention, path):
                    yield Target(mention.text, "unresolved", "qualified", "member")
                yield from (terms if any(target.form != "unresolved" for target in terms) else targets or terms)
        elif mention.form in ("shell", VALUE_OF_SETTING):
            yield from self._terms.targets(mention, path)
        elif mention.form == FIELD and (set_field := self._described.field(mention)) is not None:
            yield Target(set_field.id, "symbol", "name")

    def _of_linked(self, mention: MentionFact, path: str) -> list[Target] | None:
        """Return what a span of code denotes whose link leads to published documentation; None if the link does not decide."""
        linked = self._linked.get((mention.line, mention.column))
        return self._published.of_span(linked, path) if linked is not None else None

    def _is_of_foreign(self, mention: MentionFact, path: str) -> bool:
        """Return whether a block uses a member of a value of another package.

        A value that the block imports may be one that the reader made of a type of the repository.
        """
        is_made = mention.form == INSTANCE_CALL and bool(mention.text)
        return is_made and self._is_foreign(mention.extension, mention.text, path)

    def _is_foreign(self, extension: str, module: str, path: str) -> bool:
        """Return whether a module that a block imports belongs to the runtime or to a package that does not extend the
        repository's own: the name of an extension contains the name of what the document imports from the repository.
        """
        if not isinstance(self._resolve(specifier_of_module(extension, module), path), (BuiltinTarget, PackageTarget)):
            return False
        return not any(own in module.lower() for own in self._own_packages)

    def _is_lost(self, mention: MentionFact, path: str) -> bool:
        """Return whether a span of code names a class that a module of a package of the repository does not have."""
        specifier = module_of_name(mention)
        module = self._resolve(specifier, path) if specifier else None
        if not isinstance(module, SourceTarget):
            return False
        last = mention.text.rpartition(".")[2]
        is_of_package = "." in specifier.removeprefix(".py:") or is_module_of_folder(module.path)
        return (
            is_of_package and self._blocks.declared_in(module.path, last) is None and not self._blocks.may_have(module.path, last)
        )

    def _meant(self, name: CodeName, mention: MentionFact, words: DocumentWords) -> str:
        """Return what a single name denotes in the blocks of a document, or as a member of the type of its section."""
        if shown := words.shown(name, mention.symbol):
            return shown
        member = (
            self._described.member(name, mention.symbol)
            or self._described.of_documented(name, mention.symbol)
            or self._described.set_in(name, mention.symbol)
            or self._described.of_value(name)
        )
        return member.id if member is not None else ""

    def _exported(self, mention: MentionFact, path: str) -> Symbol | None:
        """Return what a package of Python exports under the last part of a name: `shop.cart` after `from .cart import cart`."""
        package, _, last = mention.text.removesuffix("()").rpartition(".")
        found = self._resolve(f".py:{package}", path) if module_in(mention) else None
        return self._blocks.exported_by((found.path,), last) if isinstance(found, SourceTarget) else None

    def _is_in(self, target: Target, path: str) -> bool:
        symbol = self._names.known.get(target.key)
        return symbol is not None and symbol.relative_path == path

    def _is_function(self, target: Target) -> bool:
        symbol = self._names.known.get(target.key)
        return symbol is not None and symbol.kind in CALLABLE_KINDS

    def _of_imported(self, mention: MentionFact) -> list[Target]:
        """Return the type or function of a name that a fragment does not import, if what the document imports exports it."""
        if mention.form != "use" or mention.text or len(mention.names) != 1:
            return []
        found = self._blocks.exported_by(sorted(self._names.imported), mention.names[0])
        is_known = found is not None and found.kind in CALLABLE_KINDS | TYPE_KINDS
        return [Target(found.id, "symbol", "name")] if found is not None and is_known else []

    def _of_shared(self, mention: MentionFact) -> list[Target]:
        """Return what a path in a block denotes whose first name only other pages import."""
        parts = mention.names if not mention.text else (mention.text, *mention.names)
        is_path = mention.form == "package call" or (mention.form == "chain" and not mention.text)
        shared = self._shared.of(parts[0], mention.extension) if is_path and len(parts) > 1 else None
        if shared is None:
            return []
        names = list(parts[1:]) if shared.imported == WHOLE else [shared.imported, *parts[1:]]
        found = self._blocks.declared_in(shared.file, names[0])
        member = self._types.follow(found, names[1:]) if found is not None else None
        return [Target(member.id, "symbol", "call")] if member is not None else []

    def _of_receiver(self, mention: MentionFact) -> list[Target]:
        member = self._receivers.member(mention)
        return [Target(member.id, "symbol", "call")] if member is not None else []

    def _titled(self, mention: MentionFact, words: DocumentWords) -> Iterator[Target]:
        """Yield what a name in a block denotes if the section around the block has the name as its title."""
        last = mention.names[-1] if mention.form in BLOCK_FORMS and mention.names else "".join(mention.names[:1])
        if last and words.is_titled(last, mention.symbol):
            targets = list(self._named.targets(CodeName((last,), True), mention, words))
            yield from (target for target in targets if target.form == "symbol")

    def _other_example(self, target: Target, words: DocumentWords) -> str:
        """Return the example or the tests to which a target belongs if the document does not concern them; else ""."""
        is_named = target.form == "symbol" and target.evidence not in _EXPLICIT
        example = self._names.examples.get(target.key, "") if is_named else ""
        return "" if not example or words.concerns(example) else example

    def _of_word(self, mention: MentionFact, path: str, words: DocumentWords, file: str | None) -> Iterator[Target]:
        """Yield the target of a word of a sentence. A word that is not certainly a name has no target."""
        if file is not None:
            if file != path:
                yield Target(file, "file", "path")
            return
        named = name_in(mention)
        if named is None:
            return
        if readers := self._terms.readers(mention.text):
            yield from readers
            return
        meant = self._names.candidates(named) or ()
        # A variable such as `NoneType` may repeat a name of another package, and a field may have the name of an idea.
        if len(named.parts) == 1 and any(each.kind in _UNCERTAIN or not each.exported for each in meant):
            shown = words.shown(named, mention.symbol) if named.has_compound_end else ""
            if shown:  # a field that the blocks of the document use
                yield Target(shown, "symbol", "name")
            return
        # A type with the name of its package, such as `Shop` of `org/shop/Shop.java`, often has the name of the product.
        if len(named.parts) == 1 and not named.is_call and any(is_of_own_package(each) for each in meant):
            return
        if len(named.parts) == 1 and is_of_runtime(named.parts[0], "") and not words.uses(named.parts[0], mention.symbol):
            return
        targets = list(self._named.targets(named, mention, words))
        if all(target.form == "symbol" for target in targets):
            yield from targets

    def _module(self, mention: MentionFact, path: str) -> str | None:
        """Return the file of the Python module that a span of code names."""
        specifier = module_in(mention)
        found = self._resolve(specifier, path) if specifier else None
        return found.path if isinstance(found, SourceTarget) and found.path != path else None

    # ------------------------------------------------------------------ links

    def _of_link(self, mention: MentionFact, path: str, facts: FileFacts, found: str | None) -> Iterator[Target]:
        if found is None and (described := list(self._published.targets(mention, path))):
            yield from described
            return
        written = path_of_link(mention.text)
        if written is None and found is not None and repository_url(mention.text) is not None:
            written = found
        if written is None:
            return
        anchor = "" if is_pinned_url(mention.text) else anchor_of(mention)
        if written and found is None:
            is_name = _DOTTED.fullmatch(written) is not None and language_of(written) is None
            last = written.rpartition(".")[2]
            declared = self._names.candidates(CodeName((last,), True)) if is_name and last not in FILE_ENDINGS else []
            if declared is None or len(declared) > 1:
                yield ambiguous(written, "link", declared)
            elif declared:
                yield Target(declared[0].id, "symbol", "link")
            elif not written.startswith(_SITE) and published_name(mention.text) is None:
                yield Target(mention.text, "unresolved", "link", "file")
            return
        target = found or path
        if not anchor:
            if target != path:
                yield Target(target, "file", "link")
            return
        target_facts = facts if target == path else self._facts_at(target)
        if target_facts.language in DOCUMENTS or target_facts.anchors:
            symbol = _anchored(target_facts, anchor)
            if symbol is not None:
                yield Target(self._symbols_at(target)[symbol].id, "symbol", "link")
            elif target != path:
                yield Target(target, "file", "link")
            if symbol is None:
                yield Target(mention.text, "unresolved", "link", "anchor")
            return
        symbol = self._at_line(target, anchor)
        if symbol is None:
            yield Target(target, "file", "link")
        else:
            yield Target(self._symbols_at(target)[symbol].id, "symbol", "link")

    def _at_line(self, path: str, anchor: str) -> int | None:
        """Return the innermost symbol at a line such as `L12`, which a link to code names."""
        digits = anchor.partition("-")[0].removeprefix("L")
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
            return None
        line = int(digits)
        around = [
            (symbol.depth, place)
            for place, symbol in enumerate(self._symbols_at(path))
            if symbol.start_line <= line <= symbol.end_line and symbol.kind not in STATEMENTS
        ]
        return max(around)[1] if around else None

    def _target_of_diagram_node(self, mention: MentionFact, path: str, file: str | None) -> Iterator[Target]:
        """Yield the target of a node of a diagram. A single word counts as the name of a type only in a class diagram."""
        if file is not None:
            if file != path:
                yield Target(file, "file", "diagram")
            return
        if mention.form == "diagram" and (path_named := _source_path(mention.text)):
            yield Target(path_named, "unresolved", "diagram", "file")
            return
        name = read_name(mention.text)
        if name is None or name.is_common or not (name.is_compound or mention.form == "class"):
            return
        found = None
        for qualifier in mention.names:
            found = self._names.candidates(CodeName((*qualifier.split("."), *name.parts), True))
        if not found:
            found = self._names.candidates(name)
            if mention.form == "message" and not name.has_compound_end:
                return
        if mention.form == "class" and found is not None:
            found = [symbol for symbol in found if symbol.kind in TYPE_KINDS]
        if found is None or len(found) > 1:
            yield ambiguous(".".join(name.parts), "diagram", found)
        elif found:
            yield Target(found[0].id, "symbol", "diagram")


def _order(mention: MentionFact, section: Symbol) -> int:
    """Return the rank of a mention: blocks say what names in the text denote, and titles say what their sections are about."""
    if mention.extension:
        return 0
    return 1 if mention.line == section.declaration_line else 2 if mention.form == FIELD else 3


def _drop_ambiguous(places: dict[tuple[str, str, Target], list[tuple[int, int]]], decided: Container[tuple[int, str]]) -> None:
    """Remove what was ambiguous at places where the names beside a name decide its meaning."""
    for place, found in list(places.items()):
        if place[2].reason == _AMBIGUOUS:
            kept = [(line, column) for line, column in found if (line, key_name(place[2].key)) not in decided]
            if kept:
                places[place] = kept
            else:
                del places[place]


def _anchored(facts: FileFacts, anchor: str) -> int | None:
    """Return the symbol at an anchor of a document."""
    for spelled in (anchor, anchor.lower(), f"user-content-{anchor}", anchor.removeprefix("user-content-")):
        if spelled in facts.anchors:
            return facts.anchors[spelled]
    # Renderers differ in how they replace punctuation, and in how they number repeated anchors. Older versions of mdBook
    # write a letter before a number at the beginning.
    plain = _NO_LETTERS.sub("", _LETTER_BEFORE_NUMBER.sub("", anchor.lower()))
    return next((symbol for each, symbol in facts.anchors.items() if plain and _NO_LETTERS.sub("", each.lower()) == plain), None)


def _source_path(text: str) -> str:
    """Return a span of code if it is a path with a folder, such as `./run.sh`, and the ending of a source file; else "".

    A number as the name of the file, as in `changelog.d/42.change.md`, stands for any number.
    """
    path = path_in_code(text)
    if path is not None and stem_of(path).isdigit():
        return ""
    has_folder = path is not None and ("/" in path.strip("./") or path.startswith("./"))
    return path if path is not None and has_folder and language_of(path) is not None else ""
