"""Follows a path of names that a document shows, through the types of members and the results of calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ...schema.languages import language_of_indexed
from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS
from ..documents.blocks.code import ARGUMENT, LAMBDA
from ..documents.names import CodeName, has_several_words
from ..files.path_roles import is_test_path
from .mentioned import MIXIN
from .named_declarations import FIELDS, NamedDeclarations

_TYPE: Final = r"(?P<name>[A-Z]\w*)"
#: The type after the parameters of a function: `-> Cart`, `: Promise<Cart>`, `) *Cart`, `) (*Cart, error)`, `-> Result<Self>`.
_RESULT: Final = re.compile(
    r"\)[ \t]*(?:->|:)?[ \t]*\(?(?:(?:Promise|Task|Result|Option|Optional|Box|Arc|Rc)[<\[])?(?:impl )?[*&]?(?:mut )?[\"']?"
    rf"(?:[a-z_]\w*(?:\.|::))*(?:{_TYPE}|(?P<own>this|static|self)\b)"
)
#: The type after the name of a field: `: Cart`, `: &'a Cart`, `?: Cart`.
_OF_FIELD: Final = re.compile(rf"^[^:=]*:[ \t]*(?:&(?:'\w+ )?(?:mut )?)?[\"']?(?:[a-z_]\w*(?:\.|::))*{_TYPE}")
#: The type of a field of Go, after its name: `Client *http.Client`.
_OF_GO_FIELD: Final = re.compile(rf"^(?:(?:var|const)[ \t]+)?(?!(?:var|const)\b)\w+[ \t]+[*&]?(?:[a-z_]\w*\.)?{_TYPE}")
#: The type of an argument, or what it is derived from: `Partial<Cart>`.
_ARGUMENT_TYPE: Final = re.compile(rf"\s*(?:(?:Partial|Readonly|Required|Omit|Pick)<){{0,3}}(?:[A-Z]\w*\.){{0,4}}{_TYPE}")
#: A type of functions in C# or Java, with the type of their first parameter.
_LAMBDA_TYPE: Final = re.compile(
    r"\b(?:Action|Func|Predicate|\w{0,40}Consumer|\w{0,40}Function|UnaryOperator|Customizer)<"
    rf"(?:\?[ ](?:super|extends)[ ])?(?:[a-z]\w*\.)*{_TYPE}"
)
#: The method of Python that takes the keywords of a call of its class.
_CONSTRUCTOR: Final = "__init__"
#: A variable that is another name of a type: `CART = Cart`, `export const Shop = Cart;`.
_ALIAS: Final = re.compile(rf"\b(?P<own>\w+)[ \t]*=[ \t]*{_TYPE};?$")
#: A parameter of a type in Python, with the type from which its arguments derive: `T = TypeVar("T", bound="Cart")`.
_BOUND: Final = re.compile(rf"\bTypeVar\([^()]*\bbound[ \t]*=[ \t]*[\"']?(?:[A-Za-z_]\w*\.)*{_TYPE}")
#: A function of Python without a result. A decorator may let such a method return its object, so that calls can be chained.
_NO_RESULT: Final = re.compile(r"\)[ \t]*->[ \t]*None\b")
#: A member of TypeScript that is another value: `open: typeof openCart`.
_TYPE_OF: Final = re.compile(r"^[\w$]+\??: typeof (?P<name>[A-Za-z_$][\w$]*);?$")
#: What makes the value of a variable: `app = Shop(`, `const app = new Shop(`.
_MADE: Final = re.compile(r"=[ \t]*&?(?:await[ \t]+)?(?:new[ \t]+)?(?:[A-Za-z_]\w*\.){0,4}(?P<type>[A-Z]\w*)[({]")
#: Languages that write the type before the name.
_TYPED_BEFORE: Final = frozenset(("java", "csharp", "c", "cpp"))
#: The names of the ancestors of a type in its signature.
_ANCESTORS: Final = re.compile(r"(?:\bextends\b|\bimplements\b|[:(<]|\bwith\b)(?P<rest>.*)", re.DOTALL)
_ANCESTORS_WRITTEN: Final = re.compile(r"(?:\bextends\b|\bimplements\b|:).*", re.DOTALL)
#: Languages in which a type may give itself to a type parameter of its ancestor.
_GENERIC: Final = frozenset(("csharp", "java", "kotlin"))
_CAPITALIZED: Final = re.compile(r"(?<![\w.])(?:\w+(?:\.|::))*([A-Z]\w*)")
_JVM: Final = frozenset(("java", "kotlin", "scala"))
_JVM_IMPORT: Final = re.compile(r"import (?P<package>\w+(?:\.\w+)*)\.(?P<name>\w+);?$")
_VALUES: Final = frozenset(("const", "variable"))
_RUBY: Final = ".rb"
#: A smart pointer at the end of a declaration of C++, and the words of such a declaration.
_POINTER: Final = re.compile(r"\b(?:shared_ptr|unique_ptr|optional|weak_ptr)<(?P<inner>[\w:]{1,200})>$")
_CPP_WORD: Final = re.compile(r"[A-Za-z_]\w*(?=$|>+$)")
_NO_TYPES: Final = frozenset(("auto", "void", "bool", "int", "char", "double", "float", "size_t", "string", "const", "static"))
#: The type of the result in a comment of YARD or PHPDoc: `@return [Shop::Cart]`, `@return Cart`.
_DOCUMENTED: Final = {
    _RUBY: re.compile(rf"@return[ ]\[(?:\w+::)*{_TYPE}[\],]"),
    ".php": re.compile(rf"@return[ ](?:\\?\w+\\)*(?:{_TYPE}|(?P<own>static|self|\$this)\b)"),
}
_PHP: Final = ".php"
_MODULES_OF_METHODS: Final = ("ClassMethods", "InstanceMethods")
_MIXED: Final = re.compile(rf"{MIXIN}[ \t]+([\w\\]+)")
#: Names by which a type denotes itself.
_OWN: Final = frozenset(("Self",))
#: The function of Ruby and Rust that makes an instance of its type.
_NEW: Final = "new"
#: The methods of Python whose result a `with` statement gives a name, or `await` returns. Without them in the repository, the
#: result is the value.
ENTERS: Final = ("__enter__", "__aenter__", "__await__")
#: Types of the runtimes that give no members which documents name.
_EMPTY: Final = frozenset(("ABC", "ABCMeta", "Generic", "Object", "Protocol"))
#: Maximum number of ancestors that are searched for a member.
_MAX_ANCESTORS: Final = 12
_MAX_SIGNATURE: Final = 2_000


class MemberTypes:
    """Finds the members of types, and the types of members."""

    def __init__(self, names: NamedDeclarations, symbols_at: Callable[[str], Sequence[Symbol]]) -> None:
        self._names = names
        self._symbols_at = symbols_at
        #: The ancestors of types as the current document means their names, by the id of the type.
        self._known_ancestors: dict[str, list[Symbol]] = {}
        #: The members that types declare themselves, by the id of the type and the name, in the current document.
        self._known_members: dict[tuple[str, str], Symbol | None] = {}

    def begin_document(self) -> None:
        """Forget the ancestors and members of types. The imports of a document choose among copies of a declaration."""
        self._known_ancestors.clear()
        self._known_members.clear()

    def follow(self, start: Symbol, names: Sequence[str]) -> Symbol | None:
        """Return the declaration at the end of a path that begins at a declaration; None if a part is not certain."""
        owner, symbol = self._owner(start), start
        options: list[Symbol] = []
        for name in names:
            if name.startswith(ARGUMENT):
                place = int(name.removesuffix(LAMBDA)[len(ARGUMENT) :])
                is_lambda = name.endswith(LAMBDA)
                options = self._lambda_types(symbol, place) if is_lambda else self._argument_types(symbol, place)
                holder = found = options[0] if options else None
            elif len(options) > 1:
                having = [(each, member) for each in options if (member := self.inherited(each, name)) is not None]
                holder, found = having[0] if having else (None, None)
                options = []
            else:
                options = []
                holder = self._type_of(symbol, owner)
                is_new = name == _NEW and language_of_indexed(symbol.relative_path) == "ruby"
                if holder is None and owner is not None and _NO_RESULT.search(symbol.signature[:_MAX_SIGNATURE]) is not None:
                    holder = owner
                look_up = self._own_member if is_new else self.member
                found = look_up(holder, name) if holder is not None else None
                if found is None and (is_new or name in ENTERS):
                    found = holder
            if holder is None or found is None:
                return None
            owner, symbol = holder, self._value_of(found)
        return symbol

    def _value_of(self, member: Symbol) -> Symbol:
        """Return the exported value that a member of TypeScript is: the function `openCart` for `open: typeof openCart`."""
        written = _TYPE_OF.search(member.signature[:_MAX_SIGNATURE]) if member.kind in FIELDS else None
        if written is None:
            return member
        every = self._names.candidates(CodeName((written["name"],), False)) or ()
        found = [each for each in every if each.exported and "." not in each.qualified_name]
        return found[0] if len(found) == 1 else member

    def member(self, owner: Symbol, name: str) -> Symbol | None:
        """Return the member of a type or of one of its ancestors that the repository declares."""
        return (
            self.inherited(owner, name)
            or self.passed_on(owner, name)
            or self.of_modules(owner, name)
            or self._only_method(owner, name)
        )

    def of_modules(self, owner: Symbol, name: str) -> Symbol | None:
        """Return the method of Ruby that a module beside a class adds to it: the only one with the name in the namespace of the
        class.
        """
        namespace = owner.qualified_name.rpartition(".")[0]
        if not namespace or not owner.relative_path.endswith(_RUBY) or owner.kind not in TYPE_KINDS:
            return None
        every = self._names.declarations(CodeName((name,), True)) or ()
        inside = [each for each in every if each.qualified_name.startswith(f"{namespace}.") and each.kind in CALLABLE_KINDS]
        inside = [each for each in inside if each.exported and not is_test_path(each.relative_path)]
        around = self._names.owner(inside[0]) if len(inside) == 1 else None
        return inside[0] if around is not None and around.kind not in TYPE_KINDS else None

    def passed_on(self, owner: Symbol, name: str) -> Symbol | None:
        """Return the method of Ruby to which a class passes calls on: the only one with the name in types inside of the class."""
        if not owner.relative_path.endswith(_RUBY):
            return None
        every = self._names.declarations(CodeName((name,), True)) or ()
        inside = [each for each in every if each.qualified_name.startswith(f"{owner.qualified_name}.") and each.exported]
        # A library of plugins keeps the methods of a class in such modules, which plugins override.
        for module in _MODULES_OF_METHODS:
            own = [each for each in inside if each.qualified_name == f"{owner.qualified_name}.{module}.{name}"]
            if len(own) == 1:
                return own[0]
        if not inside:
            beginnings = tuple(f".{owner.name}{module}.{name}" for module in (*_MODULES_OF_METHODS, "Methods"))
            inside = [each for each in every if each.qualified_name.endswith(beginnings) and each.exported]
        return inside[0] if len(inside) == 1 else None

    def inherited(self, owner: Symbol, name: str) -> Symbol | None:
        """Return the member that a type or one of its ancestors declares."""
        found = (self._own_member(each, name) for each in self.lineage(owner))
        return next((each for each in found if each is not None), None)

    def field_of(self, owner: Symbol, name: str) -> Symbol | None:
        """Return the field that a keyword sets when an object of a type without a constructor of its own is made."""
        found = self.inherited(owner, name)
        return found if found is not None and found.kind in FIELDS and self.inherited(owner, _CONSTRUCTOR) is None else None

    def derives(self, owner: Symbol, base: Symbol) -> bool:
        """Return whether a type is another type, or derives from it."""
        return any(each.id == base.id for each in self.lineage(owner))

    def lineage(self, owner: Symbol) -> Iterator[Symbol]:
        """Yield a type and its ancestors that the repository declares, the nearest first."""
        waiting, seen = [owner], {owner.id}
        while waiting and len(seen) <= _MAX_ANCESTORS:
            each = waiting.pop(0)
            yield each
            for ancestor in self._ancestors(each):
                if ancestor.id not in seen:
                    seen.add(ancestor.id)
                    waiting.append(ancestor)

    def _own_member(self, owner: Symbol, name: str) -> Symbol | None:
        key = (owner.id, name)
        if key not in self._known_members:
            self._known_members[key] = self._member_of(owner, name)
        return self._known_members[key]

    def _member_of(self, owner: Symbol, name: str) -> Symbol | None:
        wanted = f"{owner.qualified_name}.{name}"
        found = [
            each for each in self._names.declarations(CodeName((owner.name, name), True)) or () if each.qualified_name == wanted
        ]
        near = [each for each in found if each.relative_path == owner.relative_path]
        near = near or [each for each in found if parent_of(each.relative_path) == parent_of(owner.relative_path)] or found
        if not near and language_of_indexed(owner.relative_path) == "csharp":
            return self._extension(owner, name)
        return near[0] if len({each.relative_path for each in near}) == 1 else None

    def _extension(self, owner: Symbol, name: str) -> Symbol | None:
        """Return the method of C# that adds a member to a type from outside: `static Cart Open(this ICart cart)`."""
        first = re.compile(rf"\(\s*this (?:(?:ref|in) )?{re.escape(owner.name)}\b")
        found = [
            each
            for each in self._names.declarations(CodeName((name,), True)) or ()
            if each.kind in CALLABLE_KINDS and first.search(each.signature[:_MAX_SIGNATURE]) is not None
        ]
        return found[0] if len({each.qualified_name for each in found}) == 1 else None

    def _only_method(self, owner: Symbol, name: str) -> Symbol | None:
        """Return the only method of several words with a name in the repository, which may be inherited."""
        if not has_several_words(name):
            return None
        found = [each for each in self._names.candidates(CodeName((name,), True)) or () if not is_test_path(each.relative_path)]
        language = language_of_indexed(owner.relative_path)
        is_one = len(found) == 1 and found[0].kind == "method" and language_of_indexed(found[0].relative_path) == language
        return found[0] if is_one else None

    def has_foreign_ancestor(self, owner: Symbol) -> bool:
        """Return whether a type derives from a type that the repository does not declare, whose members are not known."""
        return any(
            name not in _EMPTY and len(name) > 1 and (name == each.name or self.type_named(name, each) is None)
            for each in self.lineage(owner)
            for name in _ancestor_names(each)
        )

    def _ancestors(self, owner: Symbol) -> list[Symbol]:
        found = self._known_ancestors.get(owner.id)
        if found is None:
            types = [self.type_named(name, owner) for name in _ancestor_names(owner) if name != owner.name]
            found = self._known_ancestors[owner.id] = [each for each in types if each is not None]
        return found

    def _type_of(self, symbol: Symbol, owner: Symbol | None) -> Symbol | None:
        """Return the type of a value: a type itself, the result of a function, or the type of a field."""
        if symbol.kind in TYPE_KINDS:
            return symbol
        if symbol.kind == "constructor":
            return owner
        found = self._written_type(symbol) or _documented_type(symbol)
        if found is None and symbol.kind in _VALUES and (made := _MADE.search(symbol.signature[:_MAX_SIGNATURE])) is not None:
            return self.type_named(made["type"], symbol)
        if found is None and symbol.kind in _VALUES and (alias := _ALIAS.search(symbol.signature[:_MAX_SIGNATURE])) is not None:
            return self.type_named(alias["name"], symbol) if alias["own"] == symbol.name else None
        if found is None:
            is_maker = symbol.name == _NEW and symbol.kind in CALLABLE_KINDS
            return owner if is_maker else None
        if found in _OWN or (owner is not None and (found == owner.name or self._stands_for_own(found, symbol, owner))):
            return owner
        return self.type_named(found, symbol)

    def _stands_for_own(self, name: str, member: Symbol, owner: Symbol) -> bool:
        """Return whether the result of an inherited member is a type parameter for which the inheriting type gives itself.

        `interface ICart : ICartBase<ICart>` has the methods `TCart Add(string name)` of `ICartBase<TCart>`.
        """
        around = self._owner(member)
        if around is None or around.id == owner.id or language_of_indexed(member.relative_path) not in _GENERIC:
            return False
        declared, _, _ = _after_name(around).partition(":")
        is_parameter = re.search(rf"<[^()]*\b{re.escape(name)}\b", declared) is not None
        itself = re.compile(rf"<[^()]*\b{re.escape(owner.name)}\b")
        return is_parameter and itself.search(_heritage(owner)) is not None

    def _written_type(self, symbol: Symbol) -> str | None:
        """Return the name of the type in the signature of a function or a field; None for no name."""
        signature = symbol.signature[:_MAX_SIGNATURE]
        language = language_of_indexed(symbol.relative_path)
        if language in ("c", "cpp") and (of_cpp := _cpp_type(signature, symbol.name)):
            return of_cpp
        if language in _TYPED_BEFORE:
            found = re.search(
                rf"(?:^|[\s.:]){_TYPE}(?:<[^()=]*>)?(?:\[\])?\??\s*[*&]{{0,2}}\s*(?<=[\s*&]){re.escape(symbol.name)}\b", signature
            )
            return found["name"] if found is not None else None
        if symbol.kind in CALLABLE_KINDS and symbol.kind != "getter":
            # The result stands after the last bracket that closes the parameters.
            found = None
            for each in _RESULT.finditer(signature):
                found = each
            if found is None:
                return None
            return "Self" if found["own"] is not None else found["name"]
        found = _OF_GO_FIELD.search(signature) if language == "go" else _OF_FIELD.search(signature) or _RESULT.search(signature)
        return found["name"] if found is not None and found["name"] is not None else None

    def _argument_types(self, function: Symbol, place: int) -> list[Symbol]:
        """Return the types of an argument of a function or of a constructor: several for `Options | OtherOptions`."""
        if function.kind in TYPE_KINDS:
            made = self._own_member(function, "constructor")
            if made is None:
                return []
            function = made
        parameters = parameters_of(function.signature[:_MAX_SIGNATURE])
        if place >= len(parameters):
            return []
        is_pattern = parameters[place].lstrip().startswith("{")
        written = parameters[place].partition("}:" if is_pattern else ":")[2]
        names = [found["name"] for part in _parts_of_union(written) if (found := _ARGUMENT_TYPE.match(part)) is not None]
        types = [self.type_named(name, function) for name in names[:_MAX_ANCESTORS]]
        return [each for each in types if each is not None]

    def _lambda_types(self, function: Symbol, place: int) -> list[Symbol]:
        """Return the type of the parameter of a function that is an argument: `Cart` for `Action<Cart> open`."""
        if function.kind in TYPE_KINDS:
            made = self._own_member(function, function.name)
            if made is None or made.kind != "constructor":
                return []
            function = made
        beside = self._symbols_at(function.relative_path)
        for overload in (function, *(each for each in beside if each.qualified_name == function.qualified_name)):
            parameters = parameters_of(overload.signature[:_MAX_SIGNATURE])
            is_extension = bool(parameters) and parameters[0].lstrip().startswith("this ")
            taken = parameters[place + is_extension] if place + is_extension < len(parameters) else ""
            found = _LAMBDA_TYPE.search(taken)
            meant = self.type_named(found["name"], overload) if found is not None else None
            if meant is not None:
                return [meant]
        return []

    def type_named(self, name: str, near: Symbol) -> Symbol | None:
        """Return the type that a name means at a declaration: a type inside the same type, file, folder, or the only one."""
        language = language_of_indexed(near.relative_path)
        every = self._names.candidates(CodeName((name,), False)) or ()
        found = [each for each in every if each.kind in TYPE_KINDS and language_of_indexed(each.relative_path) == language]
        if not found:
            bounds = {bound["name"] for each in every if (bound := _BOUND.search(each.signature[:_MAX_SIGNATURE])) is not None}
            bound_type = bounds.pop() if len(bounds) == 1 else name
            return self.type_named(bound_type, near) if bound_type != name else None
        if len(found) == 1:
            return found[0]
        around = near.qualified_name.split(".")
        for length in range(len(around), 0, -1):
            inner = ".".join((*around[:length], name))
            own = [each for each in found if each.qualified_name == inner and each.relative_path == near.relative_path]
            if len(own) == 1:
                return own[0]
        if len(imported := self._imported(found, name, near)) == 1:
            return imported[0]
        for is_near in (
            lambda each: each.relative_path == near.relative_path,
            lambda each: parent_of(each.relative_path) == parent_of(near.relative_path),
        ):
            close = [each for each in found if is_near(each) and each.qualified_name == name]
            if close:
                return close[0] if len(close) == 1 else None
        return None

    def _imported(self, found: Sequence[Symbol], name: str, near: Symbol) -> list[Symbol]:
        """Return those of several types of the JVM that the file of a declaration imports."""
        if language_of_indexed(near.relative_path) not in _JVM:
            return []
        lines = [each.signature for each in self._symbols_at(near.relative_path) if each.kind == "import"]
        matches = [imported for line in lines if (imported := _JVM_IMPORT.match(line)) is not None and imported["name"] == name]
        folders = tuple(f"/{imported['package'].replace('.', '/')}" for imported in matches)
        return [each for each in found if f"/{parent_of(each.relative_path)}".endswith(folders)] if folders else []

    def _owner(self, symbol: Symbol) -> Symbol | None:
        """Return the type around a member; None for other symbols."""
        if symbol.kind in TYPE_KINDS or "." not in symbol.qualified_name:
            return None
        owner = symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]
        return self._names.owner_named(symbol, owner)


def _after_name(owner: Symbol) -> str:
    """Return the signature of a type behind its name."""
    return owner.signature[:_MAX_SIGNATURE].partition(owner.name)[2]


def _heritage(owner: Symbol) -> str:
    """Return the ancestors of a type in its signature, with their type arguments."""
    found = _ANCESTORS_WRITTEN.search(_after_name(owner))
    return found[0] if found is not None else ""


def _cpp_type(signature: str, name: str) -> str:
    """Return the type before a name in C++, whose letters may be small; for a smart pointer, the type of its object."""
    before, found, _ = signature.rpartition(f"{name}(")
    before = (before if found else signature.partition(name)[0]).rstrip(" *&")
    pointed = _POINTER.search(before)
    words = _CPP_WORD.findall(pointed["inner"] if pointed is not None else before)
    return words[-1] if words and words[-1] not in _NO_TYPES else ""


def _documented_type(symbol: Symbol) -> str | None:
    """Return the name of the type that a comment states for the result of a function of Ruby or PHP."""
    for ending, pattern in _DOCUMENTED.items():
        found = pattern.search(symbol.doc) if symbol.relative_path.endswith(ending) else None
        if found is not None:
            return found["name"] or "Self"
    return None


def _ancestor_names(owner: Symbol) -> list[str]:
    """Return the names of the types in the heritage of a type."""
    signature = owner.signature[:_MAX_SIGNATURE]
    at = max(signature.find(owner.name), 0)
    if owner.kind == "type":
        # Another name of a type has the members of the types behind it: `type Options = CartOptions & Partial<ShopOptions>`.
        return list(dict.fromkeys(_CAPITALIZED.findall(signature, signature.find("=", at) + 1)))[:_MAX_ANCESTORS]
    found = _ANCESTORS.search(signature, at)
    if MIXIN in owner.doc and owner.relative_path.endswith(_PHP):
        mixed = [each.rpartition("\\")[2] for each in _MIXED.findall(owner.doc)]
        rest = _CAPITALIZED.findall(found["rest"]) if found is not None else []
        return list(dict.fromkeys([*rest, *mixed]))[:_MAX_ANCESTORS]
    return list(dict.fromkeys(_CAPITALIZED.findall(found["rest"])))[:_MAX_ANCESTORS] if found is not None else []


def _parts_of_union(written: str) -> list[str]:
    """Return the types of a union or an intersection, without those inside of brackets."""
    parts, depth, begin = [], 0, 0
    for place, sign in enumerate(written):
        if sign in "([{<":
            depth += 1
        elif sign in ")]}" or (sign == ">" and written[place - 1] not in "=-"):
            depth -= 1
        elif sign in "|&" and not depth:
            parts.append(written[begin:place])
            begin = place + 1
    return [*parts, written[begin:]]


def parameters_of(signature: str) -> list[str]:
    """Return the parameters of a signature, without their default values."""
    start = signature.find("(")
    found, depth, begin = [], 0, start + 1
    for place in range(start, len(signature)) if start >= 0 else ():
        sign = signature[place]
        if sign in "([{<":
            depth += 1
        elif sign in ")]}" or (sign == ">" and signature[place - 1] not in "=-"):
            depth -= 1
        if (sign == "," and depth == 1) or depth == 0:
            found.append(signature[begin:place].partition(" = ")[0])
            begin = place + 1
            if depth == 0:
                break
    return found
