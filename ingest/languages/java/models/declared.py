"""Reads types, their fields and annotations from the lowered facts of a file, for the rules of object mappers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.expressions import Expressions
from ....facts.model import DeclKind, FileFacts, MemberKind, Shape, ShapeKind
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import Op

_ANNOTATIONS: Final = any_of(Op.DECORATOR)
_ANNOTATIONS_AND_TEXTS: Final = any_of(Op.DECORATOR, Op.STRING)
#: Maximum number of dots of a dotted name.
_MAX_DOTS: Final = 20
#: Maximum number of strings that are joined.
_MAX_PARTS: Final = 200


class Annotation(NamedTuple):
    """An annotation: its qualified name by the imports, its last name, and its arguments by name."""

    qualified: str
    name: str
    arguments: dict[str, int]

    def get(self, key: str) -> int:
        """Return an argument; -1 if there is none."""
        return self.arguments.get(key, -1)


class Property(NamedTuple):
    """A field of a type, or the property that a getter reads."""

    name: str
    symbol: int
    #: Node of the property's type.
    type: int
    is_getter: bool


class AnnotatedTypes(Expressions):
    """The types of a file with their annotations."""

    def __init__(self, facts: FileFacts) -> None:
        super().__init__(facts)
        self._imported: dict[str, str] = {}
        self.packages: list[str] = []
        for decl in facts.decls:
            if decl.kind == DeclKind.IMPORT:
                module = facts.strings[decl.a]
                if decl.name == "*":
                    self.packages.append(module)
                else:
                    self._imported.setdefault(decl.name, f"{module}.{decl.name}")
        self._annotations: dict[int, list[int]] = defaultdict(list)
        self._texts: dict[int, int] = {}
        self._read()

    def _read(self) -> None:
        """Collect the annotations of each symbol, without nested annotations, and the first string of each symbol."""
        code, inner = self.code, set[int]()
        for node in nodes_of(self.facts, _ANNOTATIONS):
            if code[node + 3] < 0:
                inner.update(self._inside(node))
        for node in nodes_of(self.facts, _ANNOTATIONS_AND_TEXTS):
            if code[node] == Op.DECORATOR and code[node + 3] < 0 and node not in inner:
                self._annotations[self.owner(node)].append(node)
            elif code[node] == Op.STRING:
                self._texts.setdefault(self.owner(node), node)

    def _inside(self, node: int) -> Iterator[int]:
        for argument in self.items(self.code[node + 2]):
            value = self.code[argument + 1] if self.code[argument] == Op.PROP else argument
            yield from self.elements(value) if self.is_list(value) else (value,)

    def types(self, *kinds: int) -> Iterator[Shape]:
        """Yield the types of some kinds in the file that have symbols."""
        for shape in self.facts.shapes:
            if shape.kind in kinds and shape.symbol >= 0:
                yield shape

    def enums(self) -> set[str]:
        """Return the names of the enums of the file."""
        return {shape.name for shape in self.types(ShapeKind.ENUM)}

    def line_of(self, symbol: int) -> int:
        """Return the line of a symbol."""
        return self.facts.symbols[symbol].name_line

    def imported(self) -> Iterator[str]:
        """Yield the qualified names that the file imports, and the packages that it imports with `*`."""
        yield from self._imported.values()
        yield from self.packages

    # ------------------------------------------------------------------ annotations

    def annotations(self, symbol: int) -> list[Annotation]:
        """Return the annotations of a declaration."""
        return [self.annotation(node) for node in self._annotations.get(symbol, ())]

    def annotation(self, node: int) -> Annotation:
        """Return an annotation by its node."""
        arguments: dict[str, int] = {}
        for argument in self.items(self.code[node + 2]):
            if argument < 0:
                continue
            if self.code[argument] == Op.PROP:
                arguments[self.string(self.code[argument + 2])] = self.code[argument + 1]
            else:
                arguments["value"] = argument
        qualified = self.qualified(self.code[node + 1])
        return Annotation(qualified, qualified.rpartition(".")[2], arguments)

    def listed(self, node: int) -> list[Annotation]:
        """Return the annotation or the list of annotations in an argument."""
        nodes = self.elements(node) if self.is_list(node) else [node]
        return [self.annotation(each) for each in nodes if each >= 0 and self.code[each] == Op.DECORATOR]

    # ------------------------------------------------------------------ names and values

    def qualified(self, node: int) -> str:
        """Return a dotted name, resolved through the imports of the file; "" for other expressions."""
        code, parts = self.code, list[str]()
        while node >= 0 and code[node] == Op.MEMBER and len(parts) < _MAX_DOTS:
            parts.append(self.string(code[node + 2]))
            node = code[node + 1]
        if node < 0 or code[node] not in (Op.NAME, Op.LEXICAL, Op.T_NAME):
            return ""
        first = self.string(code[node + 2])
        parts.append(self._imported.get(first, first))
        return ".".join(reversed(parts))

    def type_names(self, node: int) -> tuple[str, Sequence[int]]:
        """Return the dotted name of a type and the nodes of its type arguments."""
        if node >= 0 and self.code[node] == Op.T_REFERENCE:
            return self.qualified(self.code[node + 1]), self.items(self.code[node + 2])
        return self.qualified(node), ()

    def text(self, node: int) -> str:
        """Return the text of a string or of a constant of the file; "" for other expressions."""
        if node >= 0 and self.code[node] in (Op.LEXICAL, Op.NAME):
            node = self._constant(self.string(self.code[node + 2]))
        if node < 0 or self.code[node] != Op.STRING:
            return ""
        written = self.string(self.code[node + 2])
        return written.removeprefix('"').removesuffix('"').replace('\\"', '"')

    def last_name(self, node: int) -> str:
        """Return the last name of a constant: `EnumType.STRING` -> `STRING`."""
        return self.string(self.code[node + 2]) if node >= 0 and self.code[node] in (Op.MEMBER, Op.LEXICAL, Op.NAME) else ""

    def last_names(self, node: int) -> set[str]:
        """Return the last names of the constants in a list, or of a single constant."""
        return {self.last_name(each) for each in (self.elements(node) if self.is_list(node) else [node])}

    def joined_text(self, node: int) -> str:
        """Return the text of a string, a text block, or several strings joined by `+`; unknown parts are left out."""
        parts, waiting = list[str](), [node]
        while waiting and len(parts) < _MAX_PARTS:
            node = waiting.pop()
            if node >= 0 and self.code[node] == Op.BINARY:
                waiting += (self.code[node + 2], self.code[node + 1])
            else:
                parts.append(self.text(node).strip('"'))
        return "".join(parts)

    def _constant(self, name: str) -> int:
        for shape in self.facts.shapes:
            for member in shape.members:
                if member.name == name and member.static and member.kind == MemberKind.PROPERTY:
                    return self._texts.get(member.symbol, -1)
        return -1

    # ------------------------------------------------------------------ properties

    def properties(self, shape: Shape) -> Iterator[Property]:
        """Yield the persistent fields of a type, and the properties of its getters."""
        for member in shape.members:
            if member.static or member.symbol < 0:
                continue
            if member.kind == MemberKind.PROPERTY:
                if " transient " not in f" {self.facts.symbols[member.symbol].signature}":
                    yield Property(member.name, member.symbol, member.type, False)
            elif member.kind == MemberKind.METHOD and member.function >= 0:
                function = self.facts.functions[member.function]
                name = property_name(member.name)
                if name and not function.parameters and function.return_type >= 0:
                    yield Property(name, member.symbol, function.return_type, True)


def property_name(method: str, prefixes: Sequence[str] = ("get", "is")) -> str:
    """Return the property that a getter or a setter accesses: `getFirstName` -> `firstName`; "" for other methods."""
    for prefix in prefixes:
        rest = method.removeprefix(prefix)
        if rest != method and rest[:1].isupper():
            return rest if rest[:2].isupper() else rest[:1].lower() + rest[1:]
    return ""
