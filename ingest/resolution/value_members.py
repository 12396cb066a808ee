"""Members that documents name after a value whose type they do not say, and other names without an import."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from ...schema.name_words import name_words
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS
from ..documents.blocks.code import ARGUMENT, INHERITED, INHERITED_CHAIN, INSTANCE_CALL
from ..documents.names import CodeName, has_several_words
from ..facts.document_facts import MentionFact
from .document_words import DocumentWords
from .member_types import ENTERS, MemberTypes
from .mentioned import Target
from .named_declarations import C_FAMILY, NamedDeclarations, is_stub
from .owner_choice import chosen_root

#: Number of parts of a name such as `logger.flush`, which consists of a value and its member.
_VALUE_AND_MEMBER: Final = 2
#: A symbol of C++ directly inside of a guard such as `#ifndef SHOP_HPP`.
_IN_GUARD: Final = re.compile(r"#[^.]*\.[^.]*")
_PHP: Final = ".php"
#: A function of PHP directly inside of a condition: `if (!function_exists('total')) {`.
_IN_CONDITION: Final = re.compile(r"if \([^.]*\.[^.]*")
#: Maximum number of names of a type with its namespaces.
_MAX_NAMESPACES: Final = 5
#: Numbers of names, with namespaces, of what a path may begin at; two for the other languages.
_LENGTHS: Final = {".cpp": (3, 2, 1), ".rb": (4, 3, 2, 1)}
#: Minimum length of the name of the value in such a name.
_MIN_VALUE: Final = 3
#: A macro of C and C++ with parameters.
_MACRO: Final = re.compile(r"#[ \t]*define[ \t]+\w+\(")
#: Maximum number of members whose types are compared.
_MAX_DERIVED: Final = 24
#: A short form of a word that leaves out letters leaves out its vowels.
_VOWELS: Final = frozenset("aeiou")
_FUNCTION: Final = "function"
_KOTLIN: Final = (".kt", ".kts")
_JVM: Final = (".java", ".kt", ".kts", ".scala")
#: Endings of the files whose names the code of a language may use. The other languages have only their own.
_ENDINGS: Final = {
    ".ts": (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"),
    ".py": (".py", ".pyi", ".pyx"),
    ".cpp": (".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".c", ".cc", ".cpp", ".cxx", ".c++"),
    ".java": _JVM,
    ".kt": _JVM,
    ".scala": _JVM,
}
#: Packages and objects that each program of a language has. Their members are not members of the repository.
_STANDARD_WORDS: Final = (
    "array arrays asyncio atomic base64 bufio bytes collections console context crypto csv date datetime dict document "
    "enumerable errors exec file files filepath fmt fs functools global http https httptest io itertools json list log "
    "logging map math module net number object objects os path pathlib process promise rand re reflect regexp request "
    "response runtime set slog sort sql strconv string strings subprocess sync sys system task template test testing "
    "threading time typing unicode url window"
)
_STANDARD: Final = frozenset(_STANDARD_WORDS.split())
#: Languages whose packages and objects have such names in small letters. In the others, `http` is a variable.
_WITH_STANDARD: Final = frozenset((".py", ".go", ".ts", ".rs", ""))
#: Members of several words that values of the standard libraries have.
_OF_STANDARD_WORDS: Final = (
    "addeventlistener appendchild as_json assertequal begintransaction computeifabsent containskey content_type "
    "createelement defineproperty dispatchevent endswith entryset equalsignorecase find_by firstordefault foreach "
    "get_or_create getattribute getclass getelementbyid gethashcode getmessage getname getorigin getordefault gettype "
    "getvalue has_key hasnext hasownproperty hashcode indexof instance_of into_iter is_a is_empty is_err is_none is_ok "
    "is_some isempty isarray ispresent keyset lastindexof localstorage map_err map_or ok_or ok_or_else or_default or_else "
    "orelse preventdefault printstacktrace putall queryselector read_text readfile readfilesync removeeventlistener "
    "replaceall setattribute setinterval setstate settimeout setvalue startswith status_code stoppropagation stringify "
    "toarray todate toequal tofixed toisostring tojson tolist tolocalestring tolower tolowercase tostring toupper "
    "touppercase to_h to_json to_owned to_s to_string to_sym to_vec tobe tohaveproperty trimend trimstart tryparse "
    "unwrap_or unwrap_or_default unwrap_or_else valueof with_capacity write_text writefile writefilesync writeline"
)
_OF_STANDARD: Final = frozenset(_OF_STANDARD_WORDS.split())


#: Kinds of symbols that a block names by a name in capitals of several words, such as `MAX_ITEMS`.
_CONSTANTS: Final = frozenset(("const", "variable"))
#: What makes the value of a variable: `app = Shop(`, `const app = new Shop(`, `app: shop.Shop = shop.Shop(`.
_MADE: Final = re.compile(r"=[ \t]*(?:await[ \t]+)?(?:new[ \t]+)?(?:[A-Za-z_]\w*\.){0,4}(?P<type>[A-Z]\w*)\(")
_MAX_SIGNATURE: Final = 400
#: Types of one word that the runtimes of the languages have.
_OF_RUNTIME_WORDS: Final = (
    "Array Blob Boolean Buffer Cache Date Document Element Error Event Exception File Function Headers Image Iterator Iterable "
    "List Map Node Number Object Option Optional Path Promise Proxy Range Request Response Result Set Storage Stream String "
    "Symbol Thread Type URL Vec Window Worker"
)
_OF_RUNTIME: Final = frozenset(_OF_RUNTIME_WORDS.split())
#: Those of them that Python does not have.
_NOT_OF_PYTHON_WORDS: Final = "Blob Boolean Document Element Function Node Number Object Symbol Vec Window Worker"
_NOT_OF_PYTHON: Final = frozenset(_NOT_OF_PYTHON_WORDS.split())


#: The first parameter of a method of C# that adds a member to a type from outside.
_EXTENDS: Final = re.compile(r"\(\s*this ")
#: The same for values of all types.
_ADDED_TO_ALL: Final = re.compile(r"\(\s*this (?:(?:ref|in) )?(?:T(?:[A-Z]\w*)?|object|dynamic)\?? ")
#: A method of Go with its receiver. The type of the receiver may be private.
_GO_METHOD: Final = re.compile(r"func \((?:\w+ )?\*?(?P<type>\w+)[^)]*\) ")
_GO: Final = ".go"
_CSHARP: Final = ".cs"
_INTERFACE: Final = "interface"
BaseOf = Callable[[str, str, str], Symbol | None]


class ValueMembers:
    """Finds what a block of code uses without an import, and members of values."""

    def __init__(self, names: NamedDeclarations, types: MemberTypes, base_of: BaseOf) -> None:
        """`base_of` returns the type from which a class derives that other documents show."""
        self._base_of = base_of
        self._names = names
        self._types = types

    def targets(self, mention: MentionFact, words: DocumentWords) -> Iterator[Target]:
        """Yield the declaration that a block of code uses, if there is only one in the languages of the block."""
        is_path = mention.form in ("chain", INSTANCE_CALL) or not mention.text
        parts = tuple(mention.names) if is_path else (mention.text, *mention.names)
        if mention.form == "use":
            if not mention.text:
                yield from self._used(parts, mention.extension, mention.symbol, words)
        elif mention.form in ("chain", INSTANCE_CALL):
            yield from self._followed(parts, mention.extension, mention.symbol, words)
        elif mention.form == INHERITED:
            yield from self._inherited(mention.names, mention.extension, mention.symbol, words)
        elif mention.form == INHERITED_CHAIN:
            base = self._only(mention.names[0], mention.extension, mention.symbol, words)
            found = self._types.follow(base, mention.names[1:]) if base is not None else None
            given = self._followed(mention.names[1:], mention.extension, mention.symbol, words)
            yield from [Target(found.id, "symbol", "call")] if found is not None else given
        elif mention.form in ("value", "free value"):
            member = self._of_usual_type(parts, mention.extension) if mention.form == "free value" else None
            yield from [member] if member is not None else self._attribute(parts, mention.extension)
        elif mention.form == "package call":
            member = self._of_usual_type(parts, mention.extension) if mention.text else None
            yield from [member] if member is not None else self._called(parts, mention.extension)

    def of_value(self, name: CodeName) -> list[Symbol]:
        """Return the members that a document may name after a value whose name comes from its type: `logger.flush()` of
        `AppLogger`, `cmd.run()` of `Command`.
        """
        if len(name.parts) != _VALUE_AND_MEMBER or len(name.parts[0]) < _MIN_VALUE:
            return []
        if name.parts[0] == name.parts[1].lower():
            return []  # a type of the package with its name, such as `context.Context`
        value = tuple(name_words(name.parts[0]))
        if not value:
            return []
        if (member := self._of_declared_value(name)) is not None:
            return [member]
        members = exported_members(self._names.declarations(CodeName(name.parts[1:], True)) or []).values()
        fitting = [each for each in members if _owner(each)[-len(value) :] == value]
        if not fitting and name.is_call:
            fitting = [each for each in members if _owner(each)[: len(value)] == value]
        if not fitting and name.parts[0][:1].islower():
            # The type is a part of the name of the value: `oldCartStore` of `CartStore`.
            within = [each for each in members if len(_owner(each)) > 1 and value[-len(_owner(each)) :] == _owner(each)]
            longest = max((len(_owner(each)) for each in within), default=0)
            fitting = [each for each in within if len(_owner(each)) == longest]
        fitting = fitting or [each for each in members if any(_shortens(name.parts[0], word) for word in _owner(each)[-1:])]
        return self.of_base(fitting)

    def _of_declared_value(self, name: CodeName) -> Symbol | None:
        """Return the member of the only exported value with a name, if its type is known: `shop.open()` of `const shop: Shop`."""
        every = self._names.candidates(CodeName(name.parts[:1], False)) or ()
        # A function inside of the value may have its name: `const shop = wrap(function shop() {})`.
        values = [each for each in every if not each.qualified_name.startswith(f"{name.parts[0]}.")]
        is_value = len(values) == 1 and values[0].kind in _CONSTANTS and values[0].exported and not is_member(values[0])
        return self._types.follow(values[0], name.parts[1:]) if is_value else None

    def of_base_class(self, parts: Sequence[str], extension: str, words: DocumentWords) -> Iterator[Target]:
        """Yield the member at the end of a path that begins at a class which only other documents show."""
        base = self._base_of(parts[0], extension, words.folder) if len(parts) > 1 and parts[0][:1].isupper() else None
        found = self._types.follow(base, parts[1:]) if base is not None else None
        is_made = extension == ".rb" and parts[-1] == "new"  # the class of the page is made, and not its ancestor
        if found is not None and not is_made:
            yield Target(found.id, "symbol", "call")

    def of_function(self, name: CodeName) -> list[Symbol]:
        """Return the members that a document may name after a value with the name of the function that makes it, such as
        `cart.isOpen` for the function `cart` and the type `CartState`; else the only member of several words with the name.
        """
        if len(name.parts) != _VALUE_AND_MEMBER or name.parts[0].lower() in _STANDARD or name.parts[1].lower() in _OF_STANDARD:
            return []
        value, last = name.parts
        every = self._names.declarations(CodeName((last,), True)) or []
        members = list(exported_members(every).values())
        makers = [each for each in self._names.candidates(CodeName((value,), False)) or () if each.kind in CALLABLE_KINDS]
        if any(each.exported and not is_member(each) for each in makers):
            words = tuple(name_words(value))
            fitting = [each for each in members if _owner(each)[: len(words)] == words]
            if len(fitting) == 1:
                return fitting
        is_value = len(value) >= _MIN_VALUE and value[:1].islower() and not makers
        is_only = len(members) == len(every) == 1 and members[0].kind not in TYPE_KINDS
        return members if is_value and is_only and name.is_call and has_several_words(last) else []

    def of_base(self, members: list[Symbol]) -> list[Symbol]:
        """Return the member of the type from which the types around all other members derive; all members if there is none.

        Members that other code cannot use do not count.
        """
        if not 1 < len(members) <= _MAX_DERIVED:
            return members
        visible = [member for member in members if member.exported and not _is_of_private_type(member)] or members
        # The repository may declare a package that it uses: `declare module "other"`.
        visible = [member for member in visible if not is_stub(member.relative_path)] or visible
        if (declared := _declared_in_interface(visible)) is not None:
            return [declared]
        owners = {member.id: self._names.owner(member) for member in visible}
        for member in visible:
            own = owners[member.id]
            others = [owner for owner in owners.values() if owner is not own]
            if own is not None and all(owner is not None and self._types.derives(owner, own) for owner in others):
                return [member]
        return members

    def mixed_in(self, name: str, extension: str) -> Iterator[Target]:
        """Yield the only method with a name of several words in Ruby, whose modules add methods to all classes that include them:
        `price_tag :tea` in the body of a class.
        """
        if extension == ".rb" and has_several_words(name):
            found = [each for each in self._names.candidates(CodeName((name,), True)) or () if is_of_language(each, extension)]
            if len(found) == 1 and found[0].exported and found[0].kind in CALLABLE_KINDS:
                yield Target(found[0].id, "symbol", "call")

    def member_of(self, parts: Sequence[str], extension: str) -> list[Target]:
        """Return the method at the end of a path if the value before it is named after its type, or if only one type in a
        language has a method of several words with that name.
        """
        return list(self._called(parts[-2:], extension))

    def _of_usual_type(self, parts: Sequence[str], extension: str) -> Target | None:
        """Return the member of a value that the document does not explain, if the value has one type in all of the repository.

        Documents write `app.run()` for the `app = Shop()` of all examples.
        """
        owner = self._usual_type(parts[0], extension) if len(parts) > 1 else None
        found = self._types.follow(owner, parts[1:]) if owner is not None else None
        return Target(found.id, "symbol", "call") if found is not None else None

    def _usual_type(self, name: str, extension: str) -> Symbol | None:
        """Return the only type of which code makes the variables with a name: `app = Shop()`."""
        every = self._names.declarations(CodeName((name,), False)) or ()
        values = [each for each in every if each.kind in _CONSTANTS and is_of_language(each, extension)]
        made = [_MADE.search(each.signature[:_MAX_SIGNATURE]) for each in values]
        types = {found["type"] for found in made if found is not None}
        if len(types) != 1 or None in made:
            return None
        found = self._names.candidates(CodeName((types.pop(),), False)) or ()
        found = [each for each in found if each.kind in TYPE_KINDS and is_of_language(each, extension)]
        return found[0] if len(found) == 1 else None

    def _attribute(self, parts: tuple[str, ...], extension: str) -> Iterator[Target]:
        """Yield the member of a value that is named after its type, if the block does not call it."""
        if is_standard(parts[0], extension) or parts[-1].lower() in _OF_STANDARD:
            return
        value = parts[0]
        every = self._names.declarations(CodeName(parts[1:], True)) or []
        members = [each for each in exported_members(every).values() if is_of_language(each, extension)]
        # `field.name` may belong to any type with the word in its name: `FieldGroup`, `FormField`.
        fitting = [each for each in members if any(word == value or _shortens(value, word) for word in _owner(each))]
        found = self.of_base(fitting) if len(value) >= _MIN_VALUE else []
        if len(found) == 1:
            yield Target(found[0].id, "symbol", "call")
        elif not fitting:
            yield from self._called(parts, extension)

    def _followed(self, parts: Sequence[str], extension: str, section: int, words: DocumentWords) -> Iterator[Target]:
        """Yield the member at the end of a path through the types of values and the results of calls.

        Without a known path, a call of a member of several words counts like that of any other value.
        """
        for length in _LENGTHS.get(extension, (2, 1)):
            if length >= len(parts):
                continue
            found = self._names.candidates(CodeName(tuple(parts[:length]), True)) or []
            found = [symbol for symbol in found if is_of_language(symbol, extension)]
            if length == 1:
                found = [each for each in found if each.exported]
                found = [each for each in found if not is_member(each) or each.kind in TYPE_KINDS or is_extension(each)]
                if is_of_runtime(parts[0], extension) and not words.names_word(parts[0]):
                    return
            if len(found) > 1 and length == 1 and (chosen := chosen_root(found, section, words)) is not None:
                found = [chosen]
            if len(found) == 1:
                end = self._types.follow(found[0], parts[length:])
                if end is not None:
                    yield Target(end.id, "symbol", "call")
                    return
        if base := list(self.of_base_class(parts, extension, words)):
            yield from base
            return
        if (usual := self._of_usual_type(parts, extension)) is not None:
            yield usual
            return
        if (option := self._of_argument(parts, extension)) is not None:
            yield option
            return
        parts = [part for part in parts if part not in ENTERS]
        if len(parts) > 1 and not parts[-2].startswith(ARGUMENT):
            yield from self._called(("" if is_standard(parts[-2], extension) else parts[-2], parts[-1]), extension)

    def _inherited(self, parts: Sequence[str], extension: str, section: int, words: DocumentWords) -> Iterator[Target]:
        """Yield the members on a path that begins at the ancestor of a type in the block, as far as the repository has them."""
        begin, base = self._base(parts, extension)
        base = base or self._only(parts[0], extension, section, words)
        for end in range(begin + 1, len(parts) + 1):
            found = self._types.follow(base, parts[begin:end]) if base is not None else None
            if found is None:
                return
            yield Target(found.id, "symbol", "call")

    def _base(self, parts: Sequence[str], extension: str) -> tuple[int, Symbol | None]:
        """Return the type with namespaces at the beginning of a path, and the number of its names: `Shop::Carts::Base`."""
        for length in range(min(len(parts) - 1, _MAX_NAMESPACES), 1, -1):
            found = self._names.candidates(CodeName(tuple(parts[:length]), True)) or ()
            found = [each for each in found if each.kind in TYPE_KINDS and is_of_language(each, extension)]
            if len(found) == 1:
                return length, found[0]
        return 1, None

    def _only(self, name: str, extension: str, section: int, words: DocumentWords) -> Symbol | None:
        """Return the type with a name in a language, if there is one, or if a title chooses one."""
        found = [each for each in self._names.candidates(CodeName((name,), False)) or () if each.kind in TYPE_KINDS]
        found = [each for each in found if each.exported and is_of_language(each, extension)]
        return found[0] if len(found) == 1 else chosen_root(found, section, words) if found else None

    def _of_argument(self, parts: Sequence[str], extension: str) -> Target | None:
        """Return the field of an argument of a method of several words that only one type has: `till.openCart({ size: 3 })`."""
        place = next((place for place, part in enumerate(parts) if part.startswith(ARGUMENT)), 0)
        if place < _VALUE_AND_MEMBER:
            return None
        called = self._names.candidates(CodeName((parts[place - 1],), True)) or []
        called = [each for each in called if is_of_language(each, extension)]
        if not has_several_words(parts[place - 1]) and not all(_EXTENDS.search(each.signature) for each in called):
            return None
        called = self.of_base(called) if extension == _CSHARP else called
        if len(called) != 1 or not is_member(called[0]) or called[0].kind not in CALLABLE_KINDS:
            return None
        found = self._types.follow(called[0], parts[place:])
        return Target(found.id, "symbol", "call") if found is not None else None

    def _used(self, parts: Sequence[str], extension: str, section: int, words: DocumentWords) -> Iterator[Target]:
        """Yield a type, a function or a constant; for a member of a type that is not found, the type."""
        for end in range(len(parts), 0, -1):
            is_word = end == 1 and not has_several_words(parts[0])
            is_known = words.names_word(parts[0]) or words.derives_from(parts[0])
            is_known = is_known or (extension == _PHP and parts[0].islower())  # a function of a namespace
            if is_word and extension == ".cpp" and (macro := self._macro(parts[0])) is not None:
                yield Target(macro.id, "symbol", "name")
                return
            if is_word and (is_of_runtime(parts[0], extension) or extension == ".go" or not is_known):
                return
            found = self._names.candidates(CodeName(tuple(parts[:end]), end > 1))
            if found is None:
                return
            found = [symbol for symbol in found if is_of_language(symbol, extension)]
            if end == 1:
                kinds = TYPE_KINDS | CALLABLE_KINDS
                if "_" in parts[0] and parts[0] == parts[0].upper():
                    kinds |= _CONSTANTS
                found = [symbol for symbol in found if symbol.exported and symbol.kind in kinds]
                if not (extension == ".rb" and len(found) == 1 and has_several_words(parts[0])):
                    found = [each for each in found if not is_member(each) or each.kind in TYPE_KINDS or is_extension(each)]
            if len(found) > 1 and end == 1 and (chosen := chosen_root(found, section, words)) is not None:
                found = [chosen]
            if len(found) == 1:
                yield Target(found[0].id, "symbol", "qualified" if end > 1 else "name")
                if end > 1 and (owner := self._names.owner_named(found[0], parts[end - 2])) is not None:
                    yield Target(owner.id, "symbol", "qualified")
            elif not found and end == len(parts) > 1 and (passed := self._passed_on(parts, extension)):
                yield from passed
                return
            elif not found and end == len(parts) > 1 and (member := self._of_alias(parts, extension)) is not None:
                yield Target(member.id, "symbol", "qualified")
                return
            if found:
                return

    def _macro(self, name: str) -> Symbol | None:
        """Return the only macro with a name in capitals that has parameters; None if something else has the name, too."""
        found = self._names.candidates(CodeName((name,), False)) if name == name.upper() and len(name) >= _MIN_VALUE else None
        is_macro = found is not None and len(found) == 1 and _MACRO.match(found[0].signature) is not None
        return found[0] if found is not None and is_macro else None

    def _passed_on(self, parts: Sequence[str], extension: str) -> list[Target]:
        """Return a type, and its member that an ancestor declares, or to which the type passes calls on."""
        found = self._names.candidates(CodeName(tuple(parts[:-1]), False)) or ()
        found = [each for each in found if each.kind in TYPE_KINDS and is_of_language(each, extension)]
        member = self._types.inherited(found[0], parts[-1]) if len(found) == 1 else None
        member = self._types.passed_on(found[0], parts[-1]) if member is None and len(found) == 1 else member
        if member is None:
            return []
        around = self._names.owner_named(found[0], parts[-3]) if len(parts) > _VALUE_AND_MEMBER else None
        return [Target(each.id, "symbol", "qualified") for each in (found[0], member, around) if each is not None]

    def _of_alias(self, parts: Sequence[str], extension: str) -> Symbol | None:
        """Return a member of a type that code names by a variable: `SIZES.small` after `SIZES = Sizes`."""
        found = self._names.candidates(CodeName(tuple(parts[:1]), False)) or ()
        found = [each for each in found if each.kind in _CONSTANTS and each.exported and is_of_language(each, extension)]
        return self._types.follow(found[0], parts[1:]) if len(found) == 1 else None

    def _called(self, parts: Sequence[str], extension: str) -> Iterator[Target]:
        receiver, last = parts[-2] if len(parts) > 1 else "", parts[-1]
        if is_standard(receiver, extension) or last.lower() in _OF_STANDARD:
            return
        # `.find(x).find(y)`: the first name is a method, and the type of its result is unknown.
        found = self.of_value(CodeName((receiver, last), True)) if receiver and receiver != last else []
        found = [symbol for symbol in found if is_of_language(symbol, extension)]
        if not found and has_several_words(last):
            every = self._names.candidates(CodeName((last,), True)) or []
            every = [symbol for symbol in every if is_of_language(symbol, extension)]
            members = list(exported_members(every).values())
            found = [each for each in members if each.kind in CALLABLE_KINDS] if len(members) == len(every) else []
            found = self.of_base(found)
        if extension == _CSHARP:
            found = found if len(found) == 1 else self._of_interface(receiver, last)
            found = found or self._of_any_value(last)
        if len(found) == 1:
            yield Target(found[0].id, "symbol", "call")

    def _of_interface(self, value: str, name: str) -> list[Symbol]:
        """Return the member of the interface of C# after which a value is named: `mapper.Map(…)` of `IMapper`."""
        if not value[:1].islower():
            return []
        types = self._names.candidates(CodeName((f"I{value[0].upper()}{value[1:]}",), False)) or ()
        types = [each for each in types if each.kind == _INTERFACE and is_of_language(each, _CSHARP)]
        member = self._types.inherited(types[0], name) if len(types) == 1 else None
        return [member] if member is not None else []

    def _of_any_value(self, name: str) -> list[Symbol]:
        """Return the method that a class of C# adds to values of all types: `static T Priced<T>(this T value)`."""
        every = self._names.declarations(CodeName((name,), True)) or ()
        found = [each for each in every if _ADDED_TO_ALL.search(each.signature) is not None]
        return found[:1] if len({each.qualified_name for each in found}) == 1 else []


def is_member(symbol: Symbol) -> bool:
    """Return whether a symbol belongs to a type or another symbol. A method of Go is declared outside of its type.

    A function of C++ inside of a namespace belongs to no type.
    """
    if symbol.relative_path.endswith(_PHP) and _IN_CONDITION.fullmatch(symbol.qualified_name):
        return False
    may_be_outside = symbol.kind == _FUNCTION or _IN_GUARD.fullmatch(symbol.qualified_name) is not None
    if may_be_outside and C_FAMILY.search(symbol.relative_path) is not None:
        return False
    return symbol.depth > 0 or "." in symbol.qualified_name


def _is_of_private_type(member: Symbol) -> bool:
    """Return whether a member is a method of a type of Go that other packages cannot name."""
    owner = member.qualified_name.rpartition(".")[0]
    return member.relative_path.endswith(_GO) and owner[:1].islower()


def _declared_in_interface(members: Sequence[Symbol]) -> Symbol | None:
    """Return the member of the only interface of Go among the types around some members, if all others implement it."""
    declared = [each for each in members if each.depth]
    if len(declared) != 1 or not all(each.relative_path.endswith(_GO) for each in members):
        return None
    types = _go_types(declared[0])
    return declared[0] if all(_go_types(each) == types for each in members) else None


def _go_types(method: Symbol) -> list[str]:
    """Return the types of the parameters of a method of Go, without the names of the parameters."""
    signature = _GO_METHOD.sub("", method.signature[:_MAX_SIGNATURE])
    written = signature.partition("(")[2].partition(")")[0]
    return [each.strip().rpartition(" ")[2] for each in written.split(",")]


def is_standard(receiver: str, extension: str) -> bool:
    """Return whether the value before a member may be a package or an object that each program of a language has."""
    is_constant = receiver[:1].isupper() or extension in _WITH_STANDARD
    return is_constant and receiver.lower() in _STANDARD


def is_extension(symbol: Symbol) -> bool:
    """Return whether a symbol is a function that adds a member to a type from outside: `fun Cart.total()` of Kotlin."""
    is_outside = symbol.depth == 0 and "." in symbol.qualified_name
    return is_outside and symbol.kind in CALLABLE_KINDS and symbol.relative_path.endswith(_KOTLIN)


def exported_members(symbols: Iterable[Symbol]) -> dict[str, Symbol]:
    """Return the exported members among symbols, by qualified name. Other files see every type in a declaration file."""
    visible = (symbol for symbol in symbols if symbol.exported or is_stub(symbol.relative_path))
    return {symbol.qualified_name: symbol for symbol in visible if is_member(symbol)}


def is_of_runtime(name: str, extension: str) -> bool:
    """Return whether the runtime of a language, stated by the ending of its files, may have a type of one word."""
    return name in _OF_RUNTIME and (extension != ".py" or name not in _NOT_OF_PYTHON)


def is_of_language(symbol: Symbol, extension: str) -> bool:
    """Return whether a block in a language, stated by the ending of its files, may name a symbol."""
    return symbol.relative_path.endswith(_ENDINGS.get(extension, (extension,)))


def _shortens(name: str, word: str) -> bool:
    """Return whether a name is a short form of a word: its beginning, or letters without vowels, such as `cmd` of `command`.

    A name such as `cat` is a word of its own, and no short form of `cart`.
    """
    if word.startswith(name):
        return True
    rest = iter(word)
    return name[:1] == word[:1] and _VOWELS.isdisjoint(name[1:]) and all(sign in rest for sign in name)


def _owner(symbol: Symbol) -> tuple[str, ...]:
    """Return the words of the name of the type around a member."""
    return tuple(name_words(symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]))
