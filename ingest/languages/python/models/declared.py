"""Reads classes and their attributes from the lowered facts of a file, for the rules of object mappers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final, NamedTuple

from ....facts.expressions import FileNodes
from ....facts.model import DeclKind, FileFacts, Member, Reach, Shape, ShapeKind, SymbolFact
from ....facts.operations import NAME_OPS, Op

#: Maximum number of dots of a dotted name.
_MAX_DOTS: Final = 20
#: Maximum depth of nested strings.
_MAX_PARTS: Final = 20
#: Maximum number of lists that are the parts of a list.
_MAX_LISTS: Final = 100
#: Maximum number of iterations of loops that are followed.
_MAX_ITERATIONS: Final = 200
#: A short f-string on one line.
_FORMATTED: Final = re.compile(rb"[fF](['\"])([^'\"\\\n]{0,200})\1")
_HOLE: Final = re.compile(r"\{[^{}]*\}")
#: The statement around classes that only type checkers know.
_TYPE_CHECKING: Final = re.compile(r"if (?:[\w.]+\.)?TYPE_CHECKING:")


class Attribute(NamedTuple):
    """An attribute of a class, or a variable of a module. Value and annotation are nodes of the file, -1 for none."""

    name: str
    symbol: int
    value: int
    annotation: int = -1


class Method(NamedTuple):
    """A method of a class."""

    name: str
    symbol: int
    #: Dotted names of its decorators.
    decorators: Sequence[str]
    #: The returned expression; -1 unless there is exactly one.
    returned: int


class DeclaredClass(NamedTuple):
    """A class of a file."""

    shape: Shape
    #: Dotted names of the base classes, through the imports of the file.
    bases: Sequence[str]
    attributes: Sequence[Attribute]
    methods: Sequence[Method]


class Call(NamedTuple):
    """A call whose callee has a dotted name. The arguments are nodes."""

    name: str
    positional: Sequence[int]
    named: Mapping[str, int]

    def argument(self, name: str, place: int) -> int:
        """Return an argument by its name, or else by its position; -1 if there is none."""
        found = self.named.get(name)
        if found is not None:
            return found
        return self.positional[place] if 0 <= place < len(self.positional) else -1


class DeclaredNames(FileNodes):
    """The classes of a file, and the names in its expressions."""

    def __init__(self, facts: FileFacts, source: bytes = b"") -> None:
        """Without the source, the strings in f-strings are not known."""
        super().__init__(facts)
        self._source = source
        #: The last value of each declared variable, by its symbol.
        self._values: dict[int, int] = {}
        for decl in facts.decls:
            if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0 and decl.b >= 0:
                self._values[decl.symbol] = decl.b
        self._calls: dict[int, list[int]] | None = None
        #: The current element of each loop over a known list, by its ITERATED node, while `iterations` yields.
        self._current: dict[int, int] = {}
        self._nested: dict[int, list[Shape]] = defaultdict(list)
        for shape in facts.shapes:
            if shape.kind == ShapeKind.CLASS and shape.symbol >= 0:
                self._nested[self._around(shape.symbol)].append(shape)

    def _around(self, symbol: int) -> int:
        """Return the class or function around a symbol; -1 for none. Statements such as `if` are left out."""
        symbols = self.facts.symbols
        outer = symbols[symbol].parent
        while outer >= 0 and symbols[outer].kind == "expression":
            outer = symbols[outer].parent
        return outer

    def classes(self) -> Iterator[DeclaredClass]:
        """Yield the classes of the file that are not inside another class or function."""
        for shape in self._nested.get(-1, ()):
            yield self._class(shape)

    def is_for_type_checkers(self, shape: Shape) -> bool:
        """Return whether a class does not exist at run time. What never runs for type checkers is behind an `else`."""
        parent = self.facts.symbols[shape.symbol].parent
        is_guarded = parent >= 0 and _TYPE_CHECKING.match(self.facts.symbols[parent].signature) is not None
        return is_guarded and (shape.decl < 0 or self.facts.decls[shape.decl].c != Reach.NEVER)

    def nested(self, outer: DeclaredClass, name: str) -> DeclaredClass | None:
        """Return the class with a name directly inside another class."""
        found = [shape for shape in self._nested.get(outer.shape.symbol, ()) if shape.name == name]
        return self._class(found[-1]) if found else None

    def variables(self) -> Iterator[Attribute]:
        """Yield the variables of the module."""
        for symbol, value in self._values.items():
            if self._around(symbol) < 0:
                yield Attribute(self.facts.symbols[symbol].name, symbol, value)

    def functions(self) -> Iterator[Attribute]:
        """Yield the functions of the module that return exactly one expression, each with the expression as its value."""
        for each in self.facts.functions:
            if each.symbol >= 0 and len(each.returns) == 1 and self.facts.symbols[each.symbol].parent < 0:
                yield Attribute(self.facts.symbols[each.symbol].name, each.symbol, each.returns[0])

    def returned_class(self, function: Attribute) -> DeclaredClass | None:
        """Return the class inside a function of the module that the function returns, or of which it returns an object."""
        call = self.call(function.value)
        name = call.name if call is not None else self.dotted(function.value)
        found = [shape for shape in self._nested.get(function.symbol, ()) if shape.name == name.rpartition(".")[2]]
        return self._class(found[-1]) if found else None

    def _class(self, shape: Shape) -> DeclaredClass:
        attributes = {
            member.name: Attribute(member.name, member.symbol, self._values.get(member.symbol, -1), member.type)
            for member in shape.members
            if member.symbol >= 0 and member.function < 0 and (member.symbol in self._values or member.type >= 0)
        }
        methods = [self._method(member) for member in shape.members if member.symbol >= 0 and member.function >= 0]
        bases = [name for base in shape.extends if (name := self.base_name(base))]
        return DeclaredClass(shape, bases, list(attributes.values()), methods)

    def _method(self, member: Member) -> Method:
        names = self._decorators(member.extra)
        returns = self.facts.functions[member.function].returns
        return Method(member.name, member.symbol, names, returns[0] if len(returns) == 1 else -1)

    def class_keyword(self, cls: DeclaredClass, name: str) -> int:
        """Return the value of a keyword in the head of a class: `class A(B, table=True)`; -1 if there is none."""
        for node in cls.shape.implements:
            if node >= 0 and self.code[node] == Op.PROP and self.facts.strings[self.code[node + 2]] == name:
                return self.code[node + 1]
        return -1

    def class_decorators(self, cls: DeclaredClass) -> Sequence[str]:
        """Return the dotted names of the decorators of a class."""
        return self._decorators(cls.shape.decl)

    def _decorators(self, decl: int) -> Sequence[str]:
        decorators = self.items(self.facts.decls[decl].b) if decl >= 0 else ()
        return [call.name if (call := self.call(each)) is not None else self.dotted(each) for each in decorators]

    def calls_in(self, symbol: int) -> list[int]:
        """Return the calls directly in the code of a symbol, in order; the calls in statements of the module for -1."""
        if self._calls is None:
            self._calls = defaultdict(list)
            for call in self.facts.calls:
                owner = self.owner(call)
                is_root = owner >= 0 and self.facts.symbols[owner].kind == "expression"
                self._calls[-1 if is_root else owner].append(call)
        return self._calls.get(symbol, [])

    def add_part(self, name: str, kind: str, parent: int, node: int) -> int:
        """Add a symbol for a name in an expression of the declaration `parent`, and return the symbol."""
        line = self.line(node)
        outer = self.facts.symbols[parent]
        self.facts.symbols.append(
            SymbolFact(name, kind, parent, outer.depth + 1, line, line, line, line, name, "", [], False, False)
        )
        return len(self.facts.symbols) - 1

    # ------------------------------------------------------------------ expressions

    def dotted(self, node: int) -> str:
        """Return the dotted name of an expression, resolved through the imports of the file; "" if it is not a name."""
        code, parts = self.code, list[str]()
        while node >= 0 and code[node] == Op.MEMBER and len(parts) < _MAX_DOTS:
            parts.append(self.facts.strings[code[node + 2]])
            node = code[node + 1]
        if node < 0 or code[node] not in NAME_OPS:
            return ""
        binding, string = (code[node + 1], code[node + 2] if code[node] == Op.NAME else code[node + 3])
        parts.append(self._imported(binding) or self.facts.strings[string])
        return ".".join(reversed(parts))

    def base_name(self, node: int) -> str:
        """Return the dotted name of a base class, without its type arguments."""
        return self.dotted(node) or self.subscript(node)[0]

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
        code = self.code
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

    def callee(self, node: int) -> int:
        """Return the called expression of a call; -1 for other expressions."""
        return self.code[node + 1] if node >= 0 and self.code[node] == Op.CALL else -1

    def method_call(self, node: int) -> tuple[int, str]:
        """Return the receiver and the name of a called method: `JSON()` and `with_variant`; (-1, "") for other expressions."""
        code = self.code
        if node < 0 or code[node] != Op.CALL or code[code[node + 1]] != Op.MEMBER:
            return -1, ""
        member = code[node + 1]
        return code[member + 1], self.facts.strings[code[member + 2]]

    def called_function(self, node: int) -> int:
        """Return the symbol of the function of the file that a call names; -1 for other calls."""
        code = self.code
        callee = code[node + 1] if node >= 0 and code[node] == Op.CALL else -1
        if callee < 0 or code[callee] not in NAME_OPS or code[callee + 1] < 0:
            return -1
        decls = [self.facts.decls[index] for index in self.facts.bindings[code[callee + 1]].decls]
        is_function = len(decls) == 1 and decls[0].kind == DeclKind.FUNCTION
        return self.facts.functions[decls[0].a].symbol if is_function else -1

    def entered(self, node: int) -> Call | None:
        """Return the call in `with call(…) as name` that gives a name its value; None for other names."""
        code = self.code
        if node < 0 or code[node] not in NAME_OPS or code[node + 1] < 0:
            return None
        reaching = self.items(code[node + 2]) if code[node] == Op.FLOW else ()
        decls = [code[each + 1] for each in reaching if code[each] == Op.DECLARED]
        if not decls:
            decls = self.facts.bindings[code[node + 1]].decls
        value = self.facts.decls[decls[-1]].b if decls else -1
        return self.call(code[value + 1]) if value >= 0 and code[value] == Op.ENTERED else None

    def arguments(self, node: int) -> Sequence[int]:
        """Return the positional arguments of a call."""
        return [each for each in self.items(self.code[node + 2]) if self.code[each] not in (Op.PROP, Op.SPREAD)]

    def value(self, node: int) -> int:
        """Return the value of a constant of the file that an expression names; return other expressions unchanged."""
        if node < 0 or self.code[node] not in NAME_OPS or self.code[node + 1] < 0:
            return node
        decls = [self.facts.decls[index] for index in self.facts.bindings[self.code[node + 1]].decls]
        if not all(each.kind == DeclKind.VARIABLE and each.b >= 0 for each in decls):
            return node
        if len(decls) > 1 and all(self._loop(each.b) >= 0 for each in decls):  # several loops with the same variable
            decls = [each for each in decls if self.code[each.b + 4] <= self.code[node + 4]][-1:]
        return self._element(decls[0].b) if len(decls) == 1 else node

    def _loop(self, value: int) -> int:
        """Return the ITERATED node of which a value is an element, or a part of one; -1 for other values."""
        node = self.code[value + 1] if self.code[value] == Op.ELEMENT else value
        return node if node >= 0 and self.code[node] == Op.ITERATED else -1

    def _element(self, node: int) -> int:
        """Return the current element if a value is an element of a loop, or a part of one; return other values unchanged."""
        loop = self._loop(node)
        if loop not in self._current:
            return node
        element = self._current[loop]
        if loop == node:
            return element
        parts, place = self.elements(element), self.code[node + 3]
        return parts[place] if place < len(parts) else node

    def iterations(self, call: int) -> Iterator[None]:
        """Yield once for each element of the lists whose loops give arguments to a call; once if there are no such lists."""
        loops = {loop: list(self.elements(self.value(self.code[loop + 1]))) for loop in self._loops(call, 0)}
        if not all(loops.values()) or prod(map(len, loops.values())) > _MAX_ITERATIONS:
            loops = {}
        for elements in product(*loops.values()):
            self._current = dict(zip(loops, elements, strict=True))
            yield
        self._current = {}

    def _loops(self, node: int, depth: int) -> Iterator[int]:
        """Yield the ITERATED nodes of the names in the arguments of a call, of its inner calls and of joined strings."""
        if node < 0 or depth > _MAX_PARTS:
            return
        if (loop := self._loop(self.value(node))) >= 0:
            yield loop
        inner = self.call(node)
        parts: list[int] = [*inner.positional, *inner.named.values()] if inner is not None else []
        parts += [each for each in self.formatted(node) if not isinstance(each, str)]
        for part in (*parts, *self.addends(node)):
            yield from self._loops(part, depth + 1)

    def values(self, node: int) -> Iterator[int]:
        """Yield an expression, and the values that the file assigns to the name in the expression."""
        yield node
        if node >= 0 and self.code[node] in NAME_OPS and self.code[node + 1] >= 0:
            for index in self.facts.bindings[self.code[node + 1]].decls:
                decl = self.facts.decls[index]
                if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
                    yield decl.b

    def text(self, node: int) -> str:
        """Return the text of a string, or of several adjacent strings; "" for any other expression."""
        if node < 0:
            return ""
        code = self.code
        if code[node] == Op.STRING:
            return self.facts.strings[code[node + 2]]
        parts = self.items(code[node + 1]) if code[node] == Op.TEMPLATE else ()
        is_text = all(code[part] == Op.STRING for part in parts)
        return "".join(self.facts.strings[code[part + 2]] for part in parts) if is_text else ""

    def constant_text(self, node: int, depth: int = 0) -> str:
        """Return the text of a string, which may combine constants of the file; "" if the text is not known."""
        node = self.value(node)
        if text := self.text(node):
            return text
        parts = (self.formatted(node) or self.addends(node)) if depth < _MAX_PARTS else ()
        texts = [each if isinstance(each, str) else self.constant_text(each, depth + 1) for each in parts]
        # The text of a string may be "", but an expression with the text "" is unknown.
        is_known = all(text or isinstance(part, str) for text, part in zip(texts, parts, strict=True))
        return "".join(texts) if is_known else ""

    def number(self, node: int) -> str:
        """Return the source of a number, or of a constant whose value is a number; "" for any other expression."""
        node = self.value(node)
        return self.facts.strings[self.code[node + 2]] if node >= 0 and self.code[node] == Op.NUMBER else ""

    def is_none(self, node: int) -> bool:
        """Return whether an expression is the constant None."""
        return node >= 0 and self.code[node] == Op.NULL

    def is_true(self, node: int) -> bool:
        """Return whether an expression is the constant True."""
        return node >= 0 and self.code[node] == Op.BOOLEAN and self.code[node + 1] == 1

    def is_false(self, node: int) -> bool:
        """Return whether an expression is the constant False."""
        return node >= 0 and self.code[node] == Op.BOOLEAN and self.code[node + 1] == 0

    def elements(self, node: int) -> Sequence[int]:
        """Return the elements of a list, a tuple or a set, including `set([…])`; () for other expressions.

        Sums of lists and lists in lists (`[*first, second]`) have the known elements of their parts.
        """
        call = self.call(node) if node >= 0 and self.code[node] == Op.CALL else None
        if call is not None and call.name in ("set", "frozenset", "tuple", "list") and len(call.positional) == 1:
            node = call.positional[0]
        if node >= 0 and self.code[node] == Op.ARRAY:
            items = self.items(self.code[node + 1])
            if all(self.code[item] != Op.SPREAD for item in items):
                return items
        return self._parts_of_list(node)

    def _parts_of_list(self, node: int) -> list[int]:
        found: list[int] = []
        waiting, read = [(node, False)], 0
        while waiting and read < _MAX_LISTS:
            current, is_element = waiting.pop()
            if is_element and self.code[current] != Op.SPREAD:
                found.append(current)
                continue
            read += 1
            current = self.value(self.code[current + 1]) if is_element else self.value(current)
            if sides := self.addends(current):
                waiting += [(side, False) for side in reversed(sides)]
            elif current >= 0 and self.code[current] == Op.ARRAY:
                waiting += [(item, True) for item in reversed(self.items(self.code[current + 1]))]
        return found

    def texts(self, node: int) -> list[str]:
        """Return the strings in a list, a tuple or a set."""
        return [text for each in self.elements(node) if (text := self.text(each))]

    def entries(self, node: int) -> dict[str, int]:
        """Return the values of a dictionary by its string keys, including `dict(a=…)`."""
        if node >= 0 and self.code[node] == Op.CALL:
            call = self.call(node)
            return dict(call.named) if call is not None and call.name == "dict" else {}
        if node < 0 or self.code[node] != Op.DICT:
            return {}
        keys, values = self.items(self.code[node + 1]), self.items(self.code[node + 2])
        return {text: value for key, value in zip(keys, values, strict=True) if (text := self.text(key))}

    def pairs(self, node: int) -> list[tuple[int, int]]:
        """Return the keys and values of a dictionary."""
        if node < 0 or self.code[node] != Op.DICT:
            return []
        return list(zip(self.items(self.code[node + 1]), self.items(self.code[node + 2]), strict=True))

    def addends(self, node: int) -> Sequence[int]:
        """Return both sides of `a + b`; () for other expressions."""
        code = self.code
        is_operation = node >= 0 and code[node] == Op.OPERATOR and code[node + 2] >= 0
        is_sum = is_operation and self.facts.strings[code[node + 3]] in ("__add__", "__iadd__")
        return (code[node + 1], code[node + 2]) if is_sum else ()

    def formatted(self, node: int) -> list[str | int]:
        """Return the strings and the expressions in an f-string in order; () for other expressions."""
        if node < 0 or self.code[node] != Op.TEMPLATE:
            return []
        match = _FORMATTED.match(self._source, self.code[node + 4])
        holes = list(self.items(self.code[node + 1]))
        if match is None:
            return []
        texts = _HOLE.split(match[2].decode("utf-8", "replace"))
        if len(texts) != len(holes) + 1:
            return []
        parts: list[str | int] = [texts[0]]
        for hole, text in zip(holes, texts[1:], strict=True):
            parts += [hole, text]
        return parts

    def subscript(self, node: int) -> tuple[str, Sequence[int]]:
        """Return the dotted name and the arguments of a type such as `Mapped[int]`; ("", ()) for any other expression."""
        if node < 0 or self.code[node] != Op.INDEX:
            return "", ()
        inner = self.code[node + 2]
        is_tuple = inner >= 0 and self.code[inner] == Op.ARRAY
        return self.dotted(self.code[node + 1]), self.elements(inner) if is_tuple else (inner,)

    def alternatives(self, node: int) -> Sequence[int]:
        """Return the sides of `A | B | C`; only the expression itself for other expressions."""
        code, found, waiting = self.code, list[int](), [node]
        while waiting:
            node = waiting.pop()
            is_or = node >= 0 and code[node] == Op.OPERATOR and code[node + 2] >= 0
            if is_or and self.facts.strings[code[node + 3]] == "__or__":
                waiting += (code[node + 2], code[node + 1])
            else:
                found.append(node)
        return found
