"""Reads classes, decorators, calls and object literals from the lowered facts of a file, for the rules of object mappers."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ....facts.expressions import Expressions
from ....facts.model import Decl, DeclKind, FileFacts, Member, MemberKind, Shape, ShapeKind, SymbolFact
from ....facts.operations import Op, ThisKind
from .source_ranges import entry_end

#: Maximum number of dots of a dotted name.
_MAX_DOTS: Final = 20
#: Maximum number of times that the owner of the nodes may change between a decorator and its field.
_MAX_CHANGES: Final = 8
#: Maximum number of characters of a signature.
_MAX_SIGNATURE: Final = 2_000
_PRIMITIVES: Final = {Op.T_STRING: "string", Op.T_TEMPLATE: "string", Op.T_NUMBER: "number", Op.T_BOOLEAN: "boolean"}
#: Functions that return the merged properties of their arguments, where `_` is Lodash or Underscore.
_MERGES: Final = frozenset(("Object.assign", "_.assign", "_.extend", "_.merge", "lodash.assign", "lodash.merge"))
#: Parts of unions that mean the absence of a value.
_NOTHING: Final = ("null", "undefined")


class Call(NamedTuple):
    """A call of a function that has a name."""

    #: The module from which the function is imported; "" for a function of the file.
    module: str
    #: The name of the function in its module.
    name: str
    arguments: Sequence[int]
    node: int

    def argument(self, place: int) -> int:
        """Return the argument at a position; -1 if there is none."""
        return self.arguments[place] if place < len(self.arguments) else -1


class DeclaredNames(Expressions):
    """The classes of a file, and the names in its expressions."""

    def __init__(self, facts: FileFacts) -> None:
        super().__init__(facts)
        self._by_owner: dict[int, list[int]] | None = None
        #: Symbols that were added for properties, by offset of the property.
        self._properties: dict[int, int] = {}
        #: Properties of object literals, by node. They are kept because a literal may be spread many times.
        self._literals: dict[int, Sequence[Member]] = {}
        #: Offsets of the names of classes by their symbols.
        self._class_names = {shape.symbol: facts.decls[shape.decl].position for shape in self.classes() if shape.decl >= 0}

    def classes(self) -> Iterator[Shape]:
        """Yield the classes of the file."""
        for shape in self.facts.shapes:
            if shape.kind == ShapeKind.CLASS and shape.symbol >= 0:
                yield shape

    def base_classes(self, shape: Shape) -> list[str]:
        """Return the references to the base classes of a class. A base class that is not a name, such as a call, is left out."""
        code, found = self.code, list[str]()
        for node in shape.extends:
            while node >= 0 and code[node] == Op.INSTANTIATION:
                node = code[node + 1]
            found.append(self.reference(node))
        return [each for each in found if each]

    def variables(self) -> Iterator[Decl]:
        """Yield the variables of the file that have a value, `decl.b`."""
        for decl in self.facts.decls:
            if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
                yield decl

    def fields(self, shape: Shape) -> Iterator[Member]:
        """Yield the fields and accessors of a class that have symbols."""
        for member in shape.members:
            if not member.static and member.symbol >= 0 and member.kind in (MemberKind.PROPERTY, MemberKind.GETTER):
                yield member

    def decorators(self, symbol: int) -> Iterator[Call]:
        """Yield the decorators of a class or a member, and the other calls of its symbol."""
        if self._by_owner is None:
            self._by_owner = defaultdict(list)
            for node in self.facts.calls:
                self._by_owner[self._decorated(node)].append(node)
        for node in self._by_owner.get(symbol, ()):
            call = self.call(node)
            if call is not None:
                yield call

    def _decorated(self, node: int) -> int:
        """Return the symbol to which a call belongs, or the field of a class that the call decorates."""
        starts, symbols = self.owners
        at = bisect_right(starts, node)
        owner = symbols[at - 1]
        name = self._class_names.get(owner)
        if name is None or self.code[node + 4] < name:
            return owner
        # The code of a field begins after its decorators, which belong to the class.
        following = symbols[at : at + _MAX_CHANGES]
        return next((each for each in following if each >= 0 and self.facts.symbols[each].parent == owner), owner)

    def line_of(self, symbol: int) -> int:
        """Return the line of a symbol."""
        return self.facts.symbols[symbol].declaration_line

    def add_property(self, parent: int, member: Member, source: bytes) -> int:
        """Return the symbol for a property of an object literal in the declaration `parent`, such as a column of a table.

        The symbol is added if the property has none.
        """
        known = member.symbol if member.symbol >= 0 else self._properties.get(member.position, -1)
        if known >= 0:
            return known
        symbols = self.facts.symbols
        first = bisect_right(self.line_starts, member.position)
        end = entry_end(source, member.position)
        last = bisect_right(self.line_starts, max(end - 1, member.position))
        text = source[member.position : min(end, member.position + _MAX_SIGNATURE)].decode("utf-8", "replace")
        signature = " ".join(text.split())
        depth = symbols[parent].depth + 1
        symbols.append(
            SymbolFact(member.name, "property", parent, depth, first, last, first, first, signature, "", [], False, False)
        )
        self._properties[member.position] = len(symbols) - 1
        self._extend_tables(parent, last)
        return len(symbols) - 1

    def add_table(self, name: str, node: int, source: bytes) -> int:
        """Add a symbol for a table that a call inside a function declares, and return it."""
        return self.add_symbol("table", name, node, self.owner(node), source, _MAX_SIGNATURE)

    def add_symbol(self, kind: str, name: str, node: int, parent: int, source: bytes, size: int) -> int:
        """Add a symbol for a table or a column that a call declares, in the symbol `parent`, and return it.

        The signature is the line of the call, up to a number of bytes.
        """
        symbols, line = self.facts.symbols, self.line(node)
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(source)
        signature = " ".join(source[start : min(end, start + size)].decode("utf-8", "replace").split())
        depth = symbols[parent].depth + 1 if parent >= 0 else 0
        symbols.append(SymbolFact(name, kind, parent, depth, line, line, line, line, signature, "", [], False, False))
        self._extend_tables(parent, line)
        return len(symbols) - 1

    def _extend_tables(self, symbol: int, line: int) -> None:
        """Let the symbol of a table, and those of the tables around it, reach to the line of a part."""
        symbols = self.facts.symbols
        while symbol >= 0 and symbols[symbol].kind == "table":
            symbols[symbol].end_line = max(symbols[symbol].end_line, line)
            symbol = symbols[symbol].parent

    # ------------------------------------------------------------------ names

    def origin(self, node: int) -> tuple[str, str]:
        """Return the module from which an expression is imported, and its name in the module.

        The module of a name of the file is "".

        A dot precedes each member. Both texts are "" if the expression is not a name.
        """
        code, parts = self.code, list[str]()
        node = self.bare(node)
        while node >= 0 and code[node] in (Op.MEMBER, Op.T_QUALIFIED) and len(parts) < _MAX_DOTS:
            parts.append(self.string(code[node + 2]))
            node = self.bare(code[node + 1])
        if node < 0 or code[node] not in (Op.NAME, Op.T_NAME):
            return "", ""
        module, name = "", self.string(code[node + 2])
        binding = code[node + 1]
        for index in self.facts.bindings[binding].decls if binding >= 0 else ():
            decl = self.facts.decls[index]
            if decl.kind == DeclKind.IMPORT and decl.a >= 0:
                module = self.facts.imports[decl.a].specifier
                imported = self.string(decl.b)
                name = name if imported == "default" and not parts else "" if imported in ("*", "default") else imported
        return module, ".".join(filter(None, [name, *reversed(parts)]))

    def member_of_this(self, node: int) -> str:
        """Return a member of `this` with dots, such as `this.schema.table`; "" for other expressions."""
        code, parts = self.code, list[str]()
        node = self.bare(node)
        while node >= 0 and code[node] == Op.MEMBER and len(parts) < _MAX_DOTS:
            parts.append(self.string(code[node + 2]))
            node = self.bare(code[node + 1])
        return ".".join(("this", *reversed(parts))) if parts and node >= 0 and code[node] == Op.THIS else ""

    def field_text(self, node: int) -> str:
        """Return the text that a field of the class has: `users` for `this.tableName` beside `tableName = "users"`."""
        code = self.code
        holder = code[node + 1] if node >= 0 and code[node] == Op.MEMBER else -1
        if holder < 0 or code[holder] != Op.THIS or code[holder + 1] != ThisKind.INSTANCE:
            return ""
        name = self.string(code[node + 2])
        members = self.facts.shapes[code[holder + 2]].members
        return next((self.text(each.value) for each in members if each.name == name and not each.static), "")

    def bare(self, node: int) -> int:
        """Return the expression inside casts, `!` and narrowing."""
        while node >= 0 and self.code[node] in (Op.AS, Op.NON_NULL, Op.NARROW):
            node = self.code[node + 1]
        return node

    def reference(self, node: int) -> str:
        """Return a name with the module from which it is imported: `./user#User`; `#User` for a name of the file."""
        module, name = self.origin(node)
        return f"{module}#{name}" if name else ""

    def call(self, node: int) -> Call | None:
        """Return a call or construction of a function with a name; None for other expressions."""
        code = self.code
        node = self.value(node)
        if node < 0 or code[node] not in (Op.CALL, Op.NEW, Op.DECORATOR):
            return None
        module, name = self.origin(code[node + 1])
        return Call(module, name, self.items(code[node + 2]), node) if name else None

    def is_function(self, node: int) -> bool:
        """Return whether an expression is a function."""
        node = self.value(node)
        return node >= 0 and self.code[node] == Op.FUNCTION

    def result(self, node: int) -> int:
        """Return the only expression that a function returns. Any other expression is returned unchanged."""
        node = self.value(node)
        if node < 0 or self.code[node] != Op.FUNCTION:
            return node
        returned = self.facts.functions[self.code[node + 1]].returns
        return self.value(returned[0]) if len(returned) == 1 else -1

    def object(self, node: int) -> Mapping[str, int]:
        """Return the properties of an object literal, including local literals that it spreads; none for other expressions."""
        return {member.name: member.value for member in self.properties(node)}

    def is_object(self, node: int) -> bool:
        """Return whether an expression is an object literal, or merges several."""
        node = self.value(node)
        return node >= 0 and (self.code[node] == Op.OBJECT or bool(self.properties(node)))

    def properties(self, node: int, depth: int = 0) -> Sequence[Member]:
        """Return the properties of an object literal as members, including local literals that it spreads.

        Properties of the literal take precedence over spread properties, and later spreads over earlier spreads.
        """
        node = self.value(node)
        if node < 0 or self.code[node] not in (Op.OBJECT, Op.CALL):
            return ()
        known = self._literals.get(node)
        if known is None:
            self._literals[node] = ()  # read if a literal spreads itself
            known = self._properties_of(node, depth) if self.code[node] == Op.OBJECT else self._merged(node, depth)
            self._literals[node] = known
        return known

    def _merged(self, node: int, depth: int) -> Sequence[Member]:
        """Return the properties that `Object.assign({…}, base)` and its like merge; the last of the same name wins."""
        call = self.call(node)
        if call is None or call.name not in _MERGES or depth >= _MAX_DOTS:
            return ()
        found: dict[str, Member] = {}
        for each in call.arguments:
            found |= {member.name: member for member in self.properties(each, depth + 1)}
        return list(found.values())

    def _properties_of(self, node: int, depth: int) -> Sequence[Member]:
        own = [each for each in self.facts.shapes[self.code[node + 1]].members if each.value >= 0]
        names = {each.name for each in own}
        spread: dict[str, Member] = {}
        for each in self.items(self.code[node + 2]) if depth < _MAX_DOTS else ():
            spread |= {member.name: member for member in self.properties(self.code[each + 1], depth + 1)}
        return [*(each for name, each in spread.items() if name not in names), *own]

    def options(self, arguments: Sequence[int]) -> Mapping[str, int]:
        """Return the properties of the first object literal among arguments; none if there is none."""
        return next((self.object(each) for each in arguments if self.is_object(each)), {})

    def literal(self, node: int) -> str:
        """Return a constant as SQL writes it; "" for any other expression."""
        if self.is_text(node):
            return f"'{self.text(node)}'"
        if self.is_true(node) or self.is_false(node):
            return "true" if self.is_true(node) else "false"
        return self.number(node)

    # ------------------------------------------------------------------ types

    def type_name(self, node: int) -> str:
        """Return the kind of a type: string, number, boolean, another keyword, `[]`, or the reference of a name."""
        code = self.code
        if node < 0:
            return ""
        op = code[node]
        if op in _PRIMITIVES:
            return _PRIMITIVES[op]
        if op == Op.T_PRIMITIVE:
            return self.string(code[node + 2])
        if op in (Op.T_ARRAY, Op.T_TUPLE):
            return "[]"
        if op == Op.T_REFERENCE:
            return self.reference(code[node + 1])
        if op == Op.T_UNION:
            kinds = {self.type_name(each) for each in self.items(code[node + 1])}.difference(_NOTHING)
            return kinds.pop() if len(kinds) == 1 else ""
        return self.reference(node)

    def inferred_type(self, node: int) -> str:
        """Return the type of a literal that is the initial value of a field."""
        node = self.value(node)
        op = self.code[node] if node >= 0 else -1
        return {Op.STRING: "string", Op.NUMBER: "number", Op.BOOLEAN: "boolean", Op.ARRAY: "[]"}.get(op, "")
