"""Finds the symbols of a whole repository that a name may denote, by the names that files declare."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec

from ...schema.languages import CONTRACTS, RESOLVED, is_document_path, language_of_indexed
from ...schema.paths import common_start, parent_of, stem_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, DOCUMENT_KINDS, STATEMENTS, TYPE_KINDS
from ..documents.alternative_tools import is_of_other_tool, tools_of
from ..documents.names import CodeName
from ..files.path_roles import is_declaration_file, is_test_path

#: Maximum number of files with a name that are examined; a name in more files is ambiguous.
_MAX_FILES: Final = 100
#: Minimum number of declarations of a file that another one repeats, the minimum share of them in the other file, and how many
#: times as many declarations that file has.
_MIN_REPEATED: Final = 3
_MIN_SHARE: Final = 0.8
_MIN_LONGER: Final = 2
#: Names of files that are the module of their folder.
_INDEX_FILES: Final = frozenset(("__init__", "index", "mod", "lib", "main"))
#: Folders of programs that measure the code. Their functions have the names of what they measure.
_BENCHMARK: Final = re.compile(r"(?:^|[/.])bench(?:es|marks?)?[/.]", re.IGNORECASE)
#: Folders of examples. The group is the folder of one example, in the innermost folder of examples.
_EXAMPLES: Final = re.compile(
    r"(?P<one>(?:.*/)?(?P<name>[\w.-]*_?(?:examples?|demos?|samples?|playgrounds?|fixtures|_support))(?:/[^/]+(?=/))?)/",
    re.IGNORECASE,
)
#: Folders that contain packages of the JVM.
_PACKAGES: Final = re.compile(r"(?:^|/)src/\w+/(?:java|kotlin|scala)/")
#: Beginning of the names of members of the object that a CommonJS module exports.
_EXPORTED_OBJECT: Final = "module.exports."
#: End of the signature of a property that a type forbids because another type has it: `strict?: never`.
_FORBIDDEN: Final = re.compile(r"\?: never;?$")
#: Ending of a source file of Go.
_GO: Final = ".go"
#: Endings of the source files of C and C++, and of their headers.
C_FAMILY: Final = re.compile(r"\.(?:[ch](?:pp|xx|\+\+)?|cc|hh|inl|ipp)$")
_HEADER: Final = re.compile(r"\.h(?:pp|xx|\+\+|h)?$")
#: Folder of a version of a module of Go.
_VERSION: Final = re.compile(r"(?:^|/)v(?P<number>[1-9]\d{0,2})(?=/|$)")
#: Folder of the sources of a package, which is no part of the names of modules.
_SOURCES: Final = "src"
#: Kind of a block that adds members to a type which is declared elsewhere.
_EXTENSION: Final = "extension"
#: Kind of a statement that alters or drops a table. The symbol of the statement has the name of the table.
_ALTERATION: Final = "alteration"
#: Word in the signature of a part of a type.
_PART: Final = re.compile(r"\bpartial\b")
#: Kinds of declarations that Ruby opens again in other files.
OPENED: Final = TYPE_KINDS | {"namespace"}
_RUBY: Final = ".rb"
_CSHARP: Final = ".cs"
_RUST: Final = ".rs"
#: A word between a trait and the type that implements it.
_TRAIT: Final = re.compile(r"\bfor\b")
_ENUM_MEMBER: Final = "enumMember"
#: In C#, a constructor has the name of its type.
_CONSTRUCTOR: Final = "constructor"
_VALUES: Final = frozenset(("const", "variable"))
#: Languages whose declarations may be in declaration files, too.
_WITH_STUBS: Final = RESOLVED | {"python"}
#: Sign between the names in the name of a group of declarations.
_IN_GROUP: Final = ", "
#: Kinds of symbols that are values inside a type.
FIELDS: Final = frozenset(("property", "field"))


#: The folders of an example around a document, and the tools that the path of the document names.
Place = tuple[tuple[str, ...], frozenset[str]]
#: The place of a document, and the files of the modules that the document imports.
Perspective = tuple[Place, frozenset[str]]


class NamedDeclarations:
    """Finds the symbols of a repository by their names."""

    def __init__(
        self,
        declared: Callable[[], Mapping[str, str]],
        symbols_at: Callable[[str], Sequence[Symbol]],
        package_of: Callable[[str], str],
        public: Callable[[list[Symbol], Sequence[str]], list[Symbol]],
    ) -> None:
        """`declared` returns, by path, the names that each file declares, one per line. `package_of` returns the name of the
        package that a file of Go states. `public` returns the one of several symbols that a package exports, or all of them.
        """
        self._public = public
        self._package_of = package_of
        self._declared = declared
        self._symbols_at = symbols_at
        #: The symbols of the files that were examined, by their name; see `_named_in`.
        self._named: dict[str, defaultdict[str, list[Symbol]]] = {}
        #: Whether a file repeats another one, by the two paths; see `_repeats`.
        self._repeated: dict[tuple[str, str], bool] = {}
        #: The folder of the example or the tests around a symbol, by id of the symbol, for the symbols that were examined.
        self.examples: dict[str, str] = {}
        #: The symbols that were examined, by their id.
        self.known: dict[str, Symbol] = {}
        #: The folders of the example in which the read document is, the innermost first; empty outside of examples.
        self._around: tuple[str, ...] = ()
        #: The tools that the path of the read document names. The code for other tools is left out.
        self.tools: frozenset[str] = frozenset()
        #: The files of the modules that the read document imports.
        self.imported: frozenset[str] = frozenset()
        #: The answers of `declarations`, by the place of the document and the name.
        self._declarations: dict[tuple[Place, CodeName], list[Symbol] | None] = {}
        #: The answers of `candidates`, by what the document changes and the name.
        self._candidates: dict[tuple[Perspective, CodeName], list[Symbol] | None] = {}

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        """The files that declare each name."""
        found: dict[str, list[str]] = {}
        for path, names in self._declared().items():
            for name in names.split("\n"):
                found.setdefault(name, []).append(path)
        return found

    @cached_property
    def _stems(self) -> frozenset[str]:
        """The names of files without their endings."""
        return frozenset(stem_of(path) for path in self._declared() if not is_document_path(path))

    @cached_property
    def _folders(self) -> frozenset[str]:
        """The names of folders with indexed files."""
        folders = {parent_of(path) for path in self._declared()}
        return frozenset(name for folder in folders for name in folder.split("/"))

    def is_place(self, name: str) -> bool:
        """Return whether a file of code or a folder has a name."""
        return name in self._stems or name in self._folders

    def is_module(self, name: str) -> bool:
        """Return whether a file of code has a name."""
        return name in self._stems

    def paths(self, name: str) -> list[str]:
        """Return the files, except tests, that declare a name."""
        return [path for path in self._files.get(name, ()) if not is_test_path(path)]

    def beginning_with(self, prefix: str) -> list[str]:
        """Return the declared names that begin with a prefix."""
        return [name for name in self._files if name.startswith(prefix)]

    def candidates(self, name: CodeName) -> list[Symbol] | None:
        """Return the symbols that a name may denote; None if too many files declare the name.

        A symbol in a declaration file counts only if no other file has the symbol. A name that a module takes from another
        module, as in `const { Cart } = require("./cart")`, counts only if there is no declaration.
        """
        key = (self.perspective, name)
        if key not in self._candidates:
            self._candidates[key] = self._chosen(name)
        return self._candidates[key]

    def _chosen(self, name: CodeName) -> list[Symbol] | None:
        meant = self.declarations(name)
        if meant is None or not meant:
            return meant
        # Members that are added to a type of another package do not make the type one of the repository.
        meant = [symbol for symbol in meant if symbol.kind != _EXTENSION or _is_of_own_type(symbol)]
        if len(meant) <= 1:
            return meant
        meant = [symbol for symbol in meant if symbol.kind != _EXTENSION] or meant
        if any(symbol.kind in TYPE_KINDS for symbol in meant):
            meant = [symbol for symbol in meant if symbol.kind != _CONSTRUCTOR]
        meant = _without_definitions(_without_parts(self._without_collections(meant)))
        if len(name.parts) == 1:
            meant = _without_copies(meant, name)
        declares = [is_stub(symbol.relative_path) or _is_ambient(symbol) for symbol in meant]
        written = {
            (_is_python(symbol), symbol.qualified_name)
            for symbol, declared in zip(meant, declares, strict=True)
            if not declared and _may_have_stub(symbol)
        }
        meant = [
            symbol
            for symbol, declared in zip(meant, declares, strict=True)
            if not declared or written.isdisjoint((_is_python(symbol), end) for end in _ends_of(symbol.qualified_name))
        ]
        meant = self._public(meant, name.parts) if len(meant) > 1 else meant
        return nearest_copy(meant, self.imported) if len(meant) > 1 else meant

    def _without_collections(self, symbols: list[Symbol]) -> list[Symbol]:
        """Leave out declarations of C and C++ in a file that repeats whole files, such as the single header of a library."""
        paths = {symbol.relative_path for symbol in symbols}
        if len(paths) < 2 or not all(C_FAMILY.search(path) for path in paths):
            return symbols
        repeating = {path for path in paths if any(self._repeats(path, other) for other in paths if other != path)}
        return [symbol for symbol in symbols if symbol.relative_path not in repeating] if repeating < paths else symbols

    def _repeats(self, path: str, other: str) -> bool:
        """Return whether a file is longer than another one and has nearly all of its declarations."""
        if (_HEADER.search(path) is None) != (_HEADER.search(other) is None):
            return False
        if (path, other) not in self._repeated:
            own, inner = ({each.qualified_name for each in self._declared_in(file)} for file in (path, other))
            is_longer = len(own) > _MIN_LONGER * len(inner) and len(inner) >= _MIN_REPEATED
            self._repeated[path, other] = is_longer and len(own & inner) >= _MIN_SHARE * len(inner)
        return self._repeated[path, other]

    def _declared_in(self, path: str) -> Iterator[Symbol]:
        return (symbol for symbols in self._named_in(path).values() for symbol in symbols)

    def of_package(self, folder: str, name: str) -> list[Symbol]:
        """Return the declarations of a name in the files of a package of Go, without members of types."""
        paths = [path for path in self.paths(name) if path.endswith(_GO) and parent_of(path) == folder]
        found = [symbol for path in paths for symbol in self._named_in(path).get(name, ())]
        return [symbol for symbol in found if symbol.qualified_name == name]

    def owner(self, symbol: Symbol) -> Symbol | None:
        """Return the symbol around a symbol; None at the root of a file."""
        around = (each for each in self._symbols_at(symbol.relative_path) if each.id == symbol.parent_id)
        return next(around, None)

    def siblings(self, member: Symbol) -> list[Symbol]:
        """Return the members of the type around a member that are declared in the same file, without the member itself."""
        own = member.qualified_name.rpartition(".")[0]
        beside = self._symbols_at(member.relative_path)
        return [each for each in beside if each.qualified_name.rpartition(".")[0] == own and each.name != member.name]

    def owner_named(self, symbol: Symbol, name: str) -> Symbol | None:
        """Return the type around a member if it has a name; else None. A method of Go is declared outside of its type."""
        owner = self.owner(symbol)
        if owner is None and symbol.qualified_name.count("."):
            beside = self.candidates(CodeName((name,), False)) or ()
            own = symbol.qualified_name.rpartition(".")[0]
            found = [each for each in beside if each.qualified_name == own]
            owner = next((each for each in found if parent_of(each.relative_path) == parent_of(symbol.relative_path)), None)
        kinds = OPENED if symbol.relative_path.endswith(_RUBY) else TYPE_KINDS
        if owner is not None and owner.kind in OPENED - TYPE_KINDS and owner.kind in kinds:
            parts = self.candidates(CodeName(tuple(owner.qualified_name.split(".")), False))
            owner = parts[0] if parts is not None and len(parts) == 1 else owner
        return owner if owner is not None and owner.name == name and owner.kind in kinds else None

    def read_for(self, document: str, imported: Iterable[str] = ()) -> None:
        """Look names up for a document. In the document of an example, the declarations of that example come first.

        `imported` are the files of the modules that the document imports. They choose among copies of one declaration.
        """
        self.imported = frozenset(imported)
        example = example_in(document)
        self._around = tuple(dict.fromkeys((parent_of(document), example))) if example else ()
        self.tools = tools_of(document)

    @property
    def perspective(self) -> Perspective:
        """What the read document changes in the meaning of names: its place, and what it imports."""
        return self._place, self.imported

    @property
    def _place(self) -> Place:
        return self._around, self.tools

    def note_example(self, path: str) -> None:
        """Record the example around the symbols of a file."""
        self._named_in(path)

    def declarations(self, name: CodeName) -> list[Symbol] | None:
        """Return the symbols that a name may denote, also in declaration files; None if too many files declare the name."""
        key = (self._place, name)
        if key not in self._declarations:
            self._declarations[key] = self._found(name)
        return self._declarations[key]

    def _found(self, name: CodeName) -> list[Symbol] | None:
        paths = [path for path in self._files.get(name.parts[-1], ()) if not is_of_other_tool(path, self.tools)]
        code = [path for path in paths if not is_test_path(path) and _BENCHMARK.search(path) is None]
        if not code and (len(name.parts) > 1 or name.is_call):
            code = list(paths)
        own = next((inside for each in self._around if (inside := [path for path in code if path.startswith(f"{each}/")])), [])
        if own:
            code = own
        elif len(name.parts) > 1 or name.has_compound_end:
            code = [path for path in code if not example_in(path)] or code
        if len(code) > _MAX_FILES:
            return None
        found: dict[tuple[str, str], Symbol] = {}
        for path in code:
            for symbol in self._named_in(path).get(name.parts[-1], ()):
                if len(name.parts) == 1 and (_is_field_of_contract(symbol) or _is_taken_apart(symbol)):
                    continue
                if symbol.kind in FIELDS and _FORBIDDEN.search(symbol.signature):
                    continue
                if is_named(symbol, name.parts) or self._is_of_package(symbol, name.parts):
                    known = found.setdefault((path, symbol.qualified_name), symbol)
                    is_method = symbol.kind in CALLABLE_KINDS and known.kind in FIELDS
                    if symbol.exported and (not known.exported or is_method):
                        found[path, symbol.qualified_name] = symbol  # a method with the name of a field
        return self._of_package_folder(list(found.values()), name.parts)

    def _named_in(self, path: str) -> Mapping[str, Sequence[Symbol]]:
        """Return the symbols of a file that are not local, by their name."""
        known = self._named.get(path)
        if known is None:
            symbols = self._symbols_at(path)
            by_id = {symbol.id: symbol for symbol in symbols}
            known = self._named[path] = defaultdict(list)
            example = example_around(path)
            if example:
                self.examples.update((symbol.id, example) for symbol in symbols)
            for symbol in symbols:
                self.known[symbol.id] = symbol
                if not _is_local(symbol, by_id):
                    known[symbol.name].append(out_of_group(symbol))
        return known

    def _is_of_package(self, symbol: Symbol, parts: Sequence[str]) -> bool:
        """Return whether the first part of a name is the package of a symbol.

        In Go, the folder of a package may have another name, as for `asynq.Server` at the root of a repository.
        """
        if len(parts) < 2 or symbol.qualified_name != ".".join(parts[1:]) or not symbol.relative_path.endswith(_GO):
            return False
        return self._package_of(symbol.relative_path) == parts[0]

    def _of_package_folder(self, symbols: list[Symbol], parts: Sequence[str]) -> list[Symbol]:
        """Leave out symbols of Go of which only the file or an outer folder has the name before them, if the package of others
        has that name.

        A folder is a package, and a file is not: `cart.Item` is in `cart/item.go`, and not in `store/cart.go`.
        """
        if len(parts) < 2 or len(symbols) < 2:
            return symbols
        inside: set[str] = set()
        others: set[str] = set()
        for symbol in symbols:
            before = parts[: -len(symbol.qualified_name.split("."))]
            if symbol.relative_path.endswith(_GO) and before:
                package = (parent_of(symbol.relative_path).rpartition("/")[2], self._package_of(symbol.relative_path))
                (inside if before[-1] in package else others).add(symbol.id)
        return [symbol for symbol in symbols if symbol.id not in others] if inside else symbols


def out_of_group(symbol: Symbol) -> Symbol:
    """Return a symbol as if no group were around it: `const ( Small = 1; Large = 2 )` of Go declares `Small` and `Large`.

    The group has the names of its declarations as its name.
    """
    if _IN_GROUP not in symbol.qualified_name or symbol.qualified_name.startswith(("{", "[")):
        return symbol
    names = symbol.qualified_name.split(".")
    own = [name for name in names[:-1] if _IN_GROUP not in name or name.startswith(("{", "["))]
    if len(own) == len(names) - 1:
        return symbol
    return msgspec.structs.replace(symbol, qualified_name=".".join((*own, names[-1])), depth=max(symbol.depth - 1, 0))


def example_around(path: str) -> str:
    """Return the path of the example or the tests that a file belongs to; "" for the code of the repository itself."""
    return example_in(path) or (parent_of(path) if is_test_path(path) else "")


def example_in(path: str) -> str:
    """Return the folder of an example in a path; "" for none. A package of Java such as `com.example` is no example."""
    found = _EXAMPLES.match(path)
    if found is None or _PACKAGES.search(path, 0, found.start("name")) is not None:
        return ""
    return path[: found.end("one")]


def is_module_of_folder(path: str) -> bool:
    """Return whether a file is the module of its folder."""
    return stem_of(path) in _INDEX_FILES


def _is_field_of_contract(symbol: Symbol) -> bool:
    """Return whether a symbol is a field of a message: the same name may also belong to a parameter or a column."""
    return symbol.kind == "property" and language_of_indexed(symbol.relative_path) in CONTRACTS


def _is_taken_apart(symbol: Symbol) -> bool:
    """Return whether a symbol is a private name for a part of another value: `const { version } = require("./meta")`."""
    return symbol.qualified_name.startswith(("{", "[")) and not symbol.exported


def _without_copies(symbols: Sequence[Symbol], name: CodeName) -> list[Symbol]:
    """Leave out symbols that only repeat another symbol's name: local names for parts of another module, and for the name of a
    type, fields and enum members."""
    left = [symbol for symbol in symbols if not symbol.qualified_name.startswith(("{", "["))] or list(symbols)
    kinds = CALLABLE_KINDS | TYPE_KINDS
    roots = [symbol for symbol in left if symbol.kind in kinds and not symbol.depth and "." not in symbol.qualified_name]
    if name.is_distinct and any(symbol.exported for symbol in roots):
        is_type = len(roots) == 1 and roots[0].kind in TYPE_KINDS
        # A variable with the name of a type stands for it: `Cart = TypeVar("Cart")`.
        left = [
            symbol
            for symbol in left
            if symbol.kind not in _VALUES or (symbol.exported and (not is_type or is_module_of_folder(symbol.relative_path)))
        ]
        if roots[0].name[:1].isupper():
            left = [symbol for symbol in left if symbol.kind not in FIELDS and symbol.kind != _ENUM_MEMBER]
            if is_type and not name.is_call:
                # A method with the name of a type returns it: `func (s *Shop) EventBus() *EventBus`.
                left = [symbol for symbol in left if symbol in roots or symbol.kind not in CALLABLE_KINDS]
    return left


def nearest_copy(symbols: list[Symbol], imported: Iterable[str]) -> list[Symbol]:
    """Return the one of several copies of a declaration that is nearest to what a document imports; all symbols without one.

    The second version of a package often repeats the first one: `v1/cart.go` and `v2/cart.go`.
    """
    if len({symbol.qualified_name for symbol in symbols}) > 1:
        return symbols
    folders = [parent_of(path).split("/") for path in imported if "/" in path]
    shared = [
        max((common_start(parent_of(each.relative_path).split("/"), one) for one in folders), default=0) for each in symbols
    ]
    most = max(shared, default=0)
    if shared.count(most) == 1:
        return [symbols[shared.index(most)]]
    newest = _newest(symbols)
    return newest if len(newest) == 1 else _outermost(newest)


def _outermost(symbols: list[Symbol]) -> list[Symbol]:
    """Return the declaration of which the others are variants, in files of the same name in folders below its folder."""
    first = min(symbols, key=lambda each: len(each.relative_path))
    folder, _, file = first.relative_path.rpartition("/")
    others = [each.relative_path for each in symbols if each is not first]
    is_outer = all(path.endswith(f"/{file}") and path.startswith(f"{folder}/") and path != first.relative_path for path in others)
    return [first] if is_outer and folder and is_stub(file) else symbols


def _newest(symbols: list[Symbol]) -> list[Symbol]:
    """Return the declaration in the newest version of a package of Go: the one of `v2/cart.go`, and not of `cart.go`."""
    places = {_VERSION.sub("", parent_of(symbol.relative_path)) for symbol in symbols}
    versions = [_VERSION.search(parent_of(symbol.relative_path)) for symbol in symbols]
    if len(places) > 1 or not all(symbol.relative_path.endswith(_GO) for symbol in symbols):
        return symbols
    numbers = [int(found["number"]) if found is not None else 1 for found in versions]
    newest = [symbol for symbol, number in zip(symbols, numbers, strict=True) if number == max(numbers)]
    return newest if len(newest) == 1 else symbols


def _without_parts(symbols: list[Symbol]) -> list[Symbol]:
    """Return one of the parts of a type that several files declare together, as in C# and Ruby: the part in the file of that
    name.
    """
    names = {symbol.qualified_name for symbol in symbols}
    if len(names) == 1 and "." in symbols[0].qualified_name and all(symbol.kind in CALLABLE_KINDS for symbol in symbols):
        # Overloads in several parts of one type of C#, whose files are in one folder.
        folders = {(parent_of(each.relative_path), each.relative_path.endswith(_CSHARP)) for each in symbols}
        is_of_parts = len(folders) == 1 and next(iter(folders))[1]
        return [min(symbols, key=lambda each: len(each.relative_path))] if is_of_parts else symbols
    if len(names) != 1 or not all(symbol.kind in OPENED for symbol in symbols):
        return symbols
    if all(symbol.relative_path.endswith(_RUBY) for symbol in symbols):
        return [
            min(
                symbols,
                key=lambda each: (
                    stem_of(each.relative_path).replace("_", "") != each.name.lower(),
                    each.relative_path.count("/"),
                ),
            )
        ]
    if not all(symbol.kind in TYPE_KINDS and _PART.search(symbol.signature) for symbol in symbols):
        return symbols
    own = (symbol for symbol in symbols if stem_of(symbol.relative_path) == symbol.name)
    return [min(own, key=lambda symbol: len(symbol.relative_path), default=symbols[0])]


def _without_definitions(symbols: list[Symbol]) -> list[Symbol]:
    """Leave out what C and C++ declare again: a function that a type or a header declares, and its definition elsewhere.

    Of two such symbols, the symbol inside of a type or a namespace counts, and else the symbol in a header.
    """
    if len(symbols) < 2 or not all(C_FAMILY.search(symbol.relative_path) for symbol in symbols):
        return symbols
    whole = [symbol for symbol in symbols if symbol.kind in TYPE_KINDS and symbol.start_line < symbol.end_line]
    if len(whole) > 1:
        return symbols  # several specializations of a template; a type of one line may be declared in advance
    first: dict[str, Symbol] = {}
    for symbol in sorted(symbols, key=lambda each: (each not in whole, -each.depth, _HEADER.search(each.relative_path) is None)):
        first.setdefault(symbol.qualified_name, symbol)
    chosen = {symbol.id for symbol in first.values()}
    return [symbol for symbol in symbols if symbol.id in chosen]


def _ends_of(name: str) -> list[str]:
    """Return the ends of a qualified name: the whole name, the name without its first part, and so on."""
    parts = name.split(".")
    return [".".join(parts[place:]) for place in range(len(parts))]


def _is_of_own_type(extension: Symbol) -> bool:
    """Return whether a block of members shows that its type is one of the repository: one of Rust that implements no trait."""
    return extension.relative_path.endswith(_RUST) and _TRAIT.search(extension.signature) is None


def _is_ambient(symbol: Symbol) -> bool:
    """Return whether a symbol makes a declaration of another file global: `declare global { var cd: typeof core.cd }`."""
    return symbol.qualified_name.startswith("global.")


def is_stub(path: str) -> bool:
    """Return whether a file only declares what other files, or packages, contain."""
    return path.endswith(".pyi") or is_declaration_file(path)


def _is_python(symbol: Symbol) -> bool:
    return symbol.relative_path.endswith((".py", ".pyi"))


def _may_have_stub(symbol: Symbol) -> bool:
    """Return whether a declaration file may declare a symbol: its language is Python, TypeScript, JavaScript or a kind of
    component. A variable of a Lua script with the name of an option is no implementation of the option.
    """
    return language_of_indexed(symbol.relative_path) in _WITH_STUBS


def _is_local(symbol: Symbol, by_id: Mapping[str, Symbol]) -> bool:
    """Return whether a symbol is inside a function, or is of a kind that documents do not name."""
    if symbol.kind in STATEMENTS or symbol.kind in DOCUMENT_KINDS or symbol.kind == _ALTERATION:
        return True
    outer = by_id.get(symbol.parent_id or "")
    while outer is not None:
        if outer.kind in CALLABLE_KINDS:
            return True
        outer = by_id.get(outer.parent_id or "")
    return False


def is_named(symbol: Symbol, parts: Sequence[str]) -> bool:
    """Return whether a symbol's qualified name, alone or after the path of its module, ends with the parts of a name."""
    if not symbol.qualified_name.endswith(parts[-1]):
        return False  # the case of nearly all symbols
    own = symbol.qualified_name.removeprefix(_EXPORTED_OBJECT).split(".")
    if C_FAMILY.search(symbol.relative_path) is not None:
        # A guard such as `#ifndef SHOP_HPP` is no part of a name, and `namespace shop::carts` has two.
        own = [name for part in own if not part.startswith("#") for name in part.split("::")]
    if list(parts) == own[-len(parts) :]:
        return True
    if symbol.kind == _ENUM_MEMBER and len(own) > 1 and C_FAMILY.search(symbol.relative_path) is not None:
        # The names of a plain `enum` of C++ are those of the scope around it.
        return list(parts) == [*own[:-2], own[-1]][-len(parts) :]
    if list(parts[-len(own) :]) != own:
        return False
    before = parts[: -len(own)]
    *folders, file = symbol.relative_path.split("/")
    stem = file.partition(".")[0]
    if _SOURCES in folders[1:]:
        del folders[folders.index(_SOURCES, 1)]  # `shop::cart::Item` of `shop/src/cart/item.rs`
    module = folders if stem in _INDEX_FILES else [*folders, stem]
    if list(before) in (module[-len(before) :], folders[-len(before) :]):
        return True
    return len(before) == 1 and before[0] in folders
