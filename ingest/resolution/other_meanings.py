"""Tells whether a document may mean something else than a symbol with the same name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ...schema.languages import language_of_indexed
from ...schema.name_words import name_words
from ...schema.paths import parent_of, stem_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS
from ..documents.blocks.imports import ALIAS
from ..documents.kind_words import is_option_word, is_parameter_word, is_value_word, kinds_of
from ..documents.names import CodeName
from ..documents.plain_names import WORD
from ..documents.shown_declarations import SHOWN
from ..facts.document_facts import MentionFact
from .document_words import DocumentWords
from .named_declarations import FIELDS, OPENED, is_stub
from .value_members import is_member

#: A value that a call makes, with the first name of the path before the bracket.
_MADE: Final = re.compile(r"(?P<name>[A-Za-z_$][\w$]*)(?:\.[\w$]+)*\(")
#: Kinds of symbols whose names may be plain words in lower case.
_PLAIN: Final = CALLABLE_KINDS | {"variable", "const"}
#: End of the names of types whose fields are options.
OF_OPTIONS: Final = re.compile(r"(?:Options?|Opts|Config(?:uration)?|Settings|Props|Params|Meta)(?:Base)?$")
_TYPE: Final = re.compile(r"\b[A-Z]\w*[a-z]\w*")
#: Annotations of Java and Kotlin, and the attributes of annotations of Java, which are declared like methods.
_ANNOTATION: Final = re.compile(r"@interface |\bannotation class ")
_OF_ANNOTATION: Final = re.compile(r"\w\(\) default\b")
#: Languages in which functions decorate declarations.
_DECORATING: Final = frozenset(("python", "typescript", "javascript"))
#: Names after an at sign in comments, in style sheets and in the standard library of Python.
_OTHER_SIGNS_WORDS: Final = (
    "abstract access alias apply async author cache callback charset class classmethod constructs container copyright dataclass "
    "default deprecated description enum event example export extend external file fires font function generator global ignore "
    "implements import include inheritdoc interface internal keyframes layer license link listens media member method mixin "
    "module name namespace override overload package page param private property protected public readonly requires return "
    "returns see since static staticmethod supports tailwind template this throws todo todos type typedef use version wraps "
    "yields"
)
_OTHER_SIGNS: Final = frozenset(_OTHER_SIGNS_WORDS.split())
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
        is_compound = len(name_words(last)) > 1
        if len(name_words(last)) >= _UNMISTAKABLE or (is_compound and owners and OF_OPTIONS.search(owners[-1]) is not None):
            return False
        own = set(name_words(owners[-1])) - _ANY_TYPES if owners and is_compound else set()
        return words.of_code.isdisjoint(owner.lower() for owner in owners) and not (own and own <= words.parts)
    if symbol.kind in _PLAIN and last == last.lower() and last.isalnum():
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
    is_value = is_value_word(mention.names[0])
    found = [each for each in symbols if each.kind in kinds or (is_value and _OF_ANNOTATION.search(each.signature) is not None)]
    if is_option_word(mention.names[0]):
        found = [symbol for symbol in found if OF_OPTIONS.search(symbol.qualified_name.rpartition(".")[0]) is not None]
    if len(found) > 1:
        found = [symbol for symbol in found if symbol.exported]
    return found[0] if len(found) == 1 and (found[0].exported or not is_member(found[0])) else None


def of_options(symbols: Sequence[Symbol], mention: MentionFact) -> list[Symbol]:
    """Return the members of types of options among some symbols, if a word beside the name says that it is an option."""
    if mention.form != "code" or not mention.names or not is_option_word(mention.names[0]):
        return []
    return [each for each in symbols if is_option(each)]


def is_option(symbol: Symbol) -> bool:
    """Return whether a symbol is a member of a type of options."""
    return is_member(symbol) and OF_OPTIONS.search(symbol.qualified_name.rpartition(".")[0]) is not None


def foreign_values(mentions: Iterable[MentionFact], is_foreign: Callable[[str, str], bool]) -> frozenset[str]:
    """Return the names of the variables in the blocks of a document whose values always come from other packages: `app` after
    `app = FastAPI()`.

    `is_foreign` returns whether a module that a block of a language imports belongs to another package.
    """
    foreign: set[str] = set()
    own: set[str] = set()
    imported: dict[str, str] = {}
    for mention in mentions:
        if mention.form in ("import", ALIAS):
            named = mention.names[:1] if mention.form == ALIAS else mention.names or [mention.text.partition(".")[0]]
            imported.update((name, mention.text) for name in named)
    for mention in mentions:
        made = _MADE.match(mention.text) if mention.form == SHOWN and len(mention.names) == 1 else None
        if made is not None:
            module = imported.get(made["name"], "")
            (foreign if module and is_foreign(mention.extension, module) else own).add(mention.names[0])
    return frozenset(foreign - own)


def decorator(name: CodeName, symbols: Sequence[Symbol]) -> Symbol | None:
    """Return the only function, class or annotation that a decorator such as `@cached` denotes.

    Signs of other languages begin in the same way: tags of comments such as `@param`, and rules of CSS such as `@media`.
    """
    [last] = name.parts
    if not name.is_decorator or last in _OTHER_SIGNS:
        return None
    annotations = [each for each in symbols if _ANNOTATION.search(each.signature) is not None]
    if annotations:
        return annotations[0] if len(annotations) == 1 else None
    kinds = CALLABLE_KINDS | TYPE_KINDS | {"const", "variable"}
    found = [each for each in symbols if each.kind in kinds and each.exported and not is_member(each)]
    found = [each for each in found if language_of_indexed(each.relative_path) in _DECORATING]
    return found[0] if len(found) == 1 else None


def of_written_form(symbols: list[Symbol], name: CodeName, written: str) -> list[Symbol]:
    """Return those of several symbols that the form of a name can denote; all symbols if the form says nothing.

    The name of an annotation has an at sign. A name of several words means the only one of the symbols that users see. In C#, a
    type with parameters is another type than the one without: `Cart<T>`.
    """
    annotations = [each for each in symbols if _ANNOTATION.search(each.signature) is not None]
    if len(annotations) not in (0, len(symbols)):
        symbols = annotations if name.is_decorator else [each for each in symbols if each not in annotations]
    if not name.has_compound_end:
        return symbols
    visible = [each for each in symbols if each.exported]
    if len(visible) == 1:
        return visible  # a document is about what users see
    names = {each.qualified_name for each in symbols}
    if len(names) > 1 or not all(_is_type_of_csharp(each) for each in symbols):
        return symbols
    generic = [each for each in symbols if f"{each.name}<" in each.signature]
    meant = (generic if "<" in written else [each for each in symbols if each not in generic]) or symbols
    folders = {parent_of(each.relative_path) for each in meant}
    return [min(meant, key=lambda each: len(each.relative_path))] if len(folders) == 1 else meant


def _is_type_of_csharp(symbol: Symbol) -> bool:
    return symbol.kind in TYPE_KINDS and symbol.relative_path.endswith(".cs")


def visible_member(symbols: list[Symbol]) -> list[Symbol]:
    """Return the only exported one of several members in one file, such as the method of a builder whose class has a private
    field of that name; all symbols if there is no such member."""
    exported = [each for each in symbols if each.exported]
    is_one = len(exported) == 1 and len({each.relative_path for each in symbols}) == 1
    return exported if is_one and all(is_member(each) for each in symbols) else symbols


def called_member(symbols: list[Symbol], name: CodeName, written: str) -> list[Symbol]:
    """Return those of several members that a call denotes: `.limit(Duration)` is a method with a parameter of this type, and not
    a field; all symbols if none fits.
    """
    if not name.is_call:
        return symbols
    found = [each for each in symbols if each.kind in CALLABLE_KINDS and each.exported] or symbols
    types = _TYPE.findall(written.partition("(")[2])
    fitting = [each for each in found if all(re.search(rf"\b{word}\b", each.signature) for word in types)]
    return fitting or found


def is_inner_type(symbol: Symbol) -> bool:
    """Return whether a symbol is a type inside of another type. Its name may be a word that many types have: `Builder`."""
    return symbol.kind in TYPE_KINDS and is_member(symbol)


def is_internal(symbol: Symbol) -> bool:
    """Return whether a symbol is in a folder of code that users of the repository cannot import, as in Go."""
    return "internal" in symbol.relative_path.split("/")[:-1]


def is_of_own_package(symbol: Symbol) -> bool:
    """Return whether a folder around a type or a namespace has its name, or the file of a namespace of Ruby has it."""
    folders = symbol.relative_path.lower().split("/")[:-1]
    if symbol.kind in TYPE_KINDS:
        return symbol.name.lower() in folders
    file = stem_of(symbol.relative_path).lower()
    places = {place.replace("_", "").replace("-", "") for place in (*folders, file)}
    return symbol.kind in OPENED and symbol.name.lower() in places


def is_method(mention: MentionFact) -> bool:
    """Return whether the word beside a name says that the name denotes a method: "the `set` method"."""
    return mention.form in ("code", WORD) and mention.names[:1] == ["method"]


def is_type(mention: MentionFact) -> bool:
    """Return whether the word beside a name says that the name denotes a type: "the `Cart` interface"."""
    return mention.form == "code" and bool(mention.names) and kinds_of(mention.names[0]) == TYPE_KINDS


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
