"""Reads classes and their attributes from the lowered facts of a file, for the rules of object mappers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ....facts.model import DeclKind, FileFacts, Op, Shape, ShapeKind, int_array

#: Maximum number of dots of a dotted name.
_MAX_DOTS: Final = 20


class Attribute(NamedTuple):
    """An attribute of a class with its value, a node of the file."""

    name: str
    symbol: int
    value: int


class DeclaredClass(NamedTuple):
    """A class of a file."""

    shape: Shape
    #: Dotted names of the base classes, through the imports of the file.
    bases: Sequence[str]
    attributes: Sequence[Attribute]


class Call(NamedTuple):
    """A call with constant names: the dotted name of what is called, and nodes as arguments."""

    name: str
    positional: Sequence[int]
    named: Mapping[str, int]

    def argument(self, name: str, place: int) -> int:
        """Return an argument by its name, or else by its place; -1 without it."""
        found = self.named.get(name)
        if found is not None:
            return found
        return self.positional[place] if 0 <= place < len(self.positional) else -1


class DeclaredNames:
    """The classes of a file, and what its expressions name."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._code = int_array(facts.code)
        self._lists = int_array(facts.lists)
        #: Values by the symbol of a declared variable; the last one holds.
        self._values: dict[int, int] = {}
        for decl in facts.decls:
            if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0 and decl.b >= 0:
                self._values[decl.symbol] = decl.b
        self._nested: dict[int, list[Shape]] = defaultdict(list)
        for shape in facts.shapes:
            if shape.kind == ShapeKind.CLASS and shape.symbol >= 0:
                self._nested[facts.symbols[shape.symbol].parent].append(shape)

    def classes(self) -> Iterator[DeclaredClass]:
        """Yield the classes of the file that lie in no other class or function."""
        for shape in self._nested.get(-1, ()):
            yield self._class(shape)

    def nested(self, outer: DeclaredClass, name: str) -> DeclaredClass | None:
        """Return the class with a name directly inside another one."""
        found = [shape for shape in self._nested.get(outer.shape.symbol, ()) if shape.name == name]
        return self._class(found[-1]) if found else None

    def variables(self) -> Iterator[Attribute]:
        """Yield the variables of the module."""
        for symbol, value in self._values.items():
            if self.facts.symbols[symbol].parent < 0:
                yield Attribute(self.facts.symbols[symbol].name, symbol, value)

    def _class(self, shape: Shape) -> DeclaredClass:
        attributes = [
            Attribute(member.name, member.symbol, self._values[member.symbol])
            for member in shape.members
            if member.symbol in self._values
        ]
        return DeclaredClass(shape, [name for base in shape.extends if (name := self.dotted(base))], attributes)

    # ------------------------------------------------------------------ expressions

    def items(self, at: int) -> Sequence[int]:
        """Return the operands in a list; none for -1."""
        return self._lists[at + 1 : at + 1 + self._lists[at]].tolist() if at >= 0 else ()

    def dotted(self, node: int) -> str:
        """Return the dotted name of an expression through the imports of the file; "" for what is no name."""
        code, parts = self._code, list[str]()
        while node >= 0 and code[node] == Op.MEMBER and len(parts) < _MAX_DOTS:
            parts.append(self.facts.strings[code[node + 2]])
            node = code[node + 1]
        if node < 0 or code[node] not in (Op.NAME, Op.FLOW):
            return ""
        binding, string = (code[node + 1], code[node + 2] if code[node] == Op.NAME else code[node + 3])
        parts.append(self._imported(binding) or self.facts.strings[string])
        return ".".join(reversed(parts))

    def _imported(self, binding: int) -> str:
        for index in reversed(self.facts.bindings[binding].decls) if binding >= 0 else ():
            decl = self.facts.decls[index]
            if decl.kind == DeclKind.IMPORT:
                module = self.facts.strings[decl.a]
                if decl.b < 0:
                    return module
                return f"{module}{'' if module.endswith('.') else '.'}{self.facts.strings[decl.b]}"
        return ""

    def call(self, node: int) -> Call | None:
        """Return a call whose function has a name; None for other expressions."""
        code = self._code
        if node < 0 or code[node] != Op.CALL:
            return None
        name = self.dotted(code[node + 1])
        if not name:
            return None
        positional, named = list[int](), dict[str, int]()
        for argument in self.items(code[node + 2]):
            if code[argument] == Op.PROP:
                named[self.facts.strings[code[argument + 2]]] = code[argument + 1]
            else:
                positional.append(argument)
        return Call(name, positional, named)

    def text(self, node: int) -> str:
        """Return the text of a string; "" for what is none."""
        return self.facts.strings[self._code[node + 2]] if node >= 0 and self._code[node] == Op.STRING else ""

    def number(self, node: int) -> str:
        """Return a number as it is written, perhaps through a constant of the file; "" for what is none."""
        if node >= 0 and self._code[node] in (Op.NAME, Op.FLOW) and self._code[node + 1] >= 0:
            values = [self.facts.decls[index] for index in self.facts.bindings[self._code[node + 1]].decls]
            node = values[0].b if len(values) == 1 and values[0].kind == DeclKind.VARIABLE else -1
        return self.facts.strings[self._code[node + 2]] if node >= 0 and self._code[node] == Op.NUMBER else ""

    def is_true(self, node: int) -> bool:
        """Return whether an expression is the constant True."""
        return node >= 0 and self._code[node] == Op.BOOLEAN and self._code[node + 1] == 1

    def is_false(self, node: int) -> bool:
        """Return whether an expression is the constant False."""
        return node >= 0 and self._code[node] == Op.BOOLEAN and self._code[node + 1] == 0

    def elements(self, node: int) -> Sequence[int]:
        """Return the elements of a list, a tuple or a set; none of other expressions."""
        return self.items(self._code[node + 1]) if node >= 0 and self._code[node] == Op.ARRAY else ()

    def texts(self, node: int) -> list[str]:
        """Return the strings in a list, a tuple or a set."""
        return [text for each in self.elements(node) if (text := self.text(each))]
