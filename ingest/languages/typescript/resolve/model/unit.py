"""One file as the engine sees it: unpacked facts, and tables that are built on first use."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from .....facts.cells import int_array
from .....facts.model import Decl, DeclKind, FileFacts, Function, Member, MemberKind, Scope, Shape, ShapeKind
from .....facts.operations import Cast, ContextKind, Op

if TYPE_CHECKING:
    from ...module_resolution import Resolution
    from .binder import Entity
    from .type_model import Parameter, Type

#: Remembered types of the nodes, bindings or functions of one file, by their index.
Memory = dict[int, "Type"]


#: Difference between the numbers of two units. It is larger than any index combined with a kind of question. Its lowest bits are
#: the bits of a prime number. With a power of two, the keys of all units would collide, because a dictionary uses their lowest
#: bits.
_DISTANCE: Final = (1 << 34) + 0x9E3779B1
#: Numbers of units.
_NUMBERS: Final[Iterator[int]] = count(0, _DISTANCE)
#: Contexts that pass their expected type, and whether they are constant, to a literal inside them.
TRANSPARENT_CONTEXTS: Final = frozenset((ContextKind.PROPERTY, ContextKind.ELEMENT, ContextKind.SAME))
_EMPTY: array[int] = array("i")
NARROWING = frozenset((Op.NARROW, Op.NON_NULL))
WRAPPING = frozenset((Op.NARROW, Op.NON_NULL, Op.AS, Op.INSTANTIATION))
_VALUES = frozenset((DeclKind.VARIABLE, DeclKind.FUNCTION, DeclKind.CLASS))


class TypedValue(NamedTuple):
    """A value whose context has a written type."""

    value: int
    written: int
    #: Offset of the declared name; for a result, of the value.
    position: int
    #: Whether the value is the result of an asynchronous function, whose written type wraps the type of the value.
    is_async: bool


class Unit:
    """The facts of one file, with its tables unpacked. Units are compared by identity."""

    __slots__ = (
        "_bindings_of",
        "_function_nodes",
        "_getters",
        "_method_places",
        "_namespace_symbols",
        "_namespaces",
        "_object_nodes",
        "_spreads",
        "applied_types",
        "binding_types",
        "bindings",
        "code",
        "contexts",
        "declared_types",
        "decls",
        "dotted_entities",
        "expected_types",
        "expression_types",
        "external",
        "facts",
        "free_parameters",
        "functions",
        "import_targets",
        "index",
        "line_starts",
        "lists",
        "member_tables",
        "number",
        "owner_offsets",
        "owner_symbols",
        "parameter_types",
        "path",
        "return_types",
        "scopes",
        "shapes",
        "strings",
        "symbols",
        "template",
        "wide_ends",
        "wide_extra",
    )

    def __init__(self, index: int, path: str, facts: FileFacts, external: str = "") -> None:
        self.index: Final = index
        #: A number that is more than 2 ** 34 away from the number of any other unit of the process.
        self.number: Final[int] = next(_NUMBERS)
        self.path: Final = path
        self.facts: Final = facts
        #: Package that the file declares ("lib" for the runtime); "" for a file of the repository.
        self.external: Final = external
        self.code: array[int] = int_array(facts.code)
        self.lists: array[int] = int_array(facts.lists)
        self.strings: list[str] = facts.strings
        self.decls: list[Decl] = facts.decls
        self.bindings = facts.bindings
        self.scopes: dict[int, Scope] = facts.scopes
        self.shapes: list[Shape] = facts.shapes
        self.functions: list[Function] = facts.functions
        self.symbols = facts.symbols
        self.template: Final = facts.template
        self.contexts = facts.contexts
        self.line_starts: array[int] = int_array(facts.line_starts)
        wide = int_array(facts.wide)
        #: Byte offsets after characters beyond ASCII.
        self.wide_ends: array[int] = wide[::2]
        #: The number of extra bytes up to each of these offsets.
        self.wide_extra: array[int] = wide[1::2]
        owners = int_array(facts.owners)
        #: The nodes between two offsets belong to the symbol at the index of the first offset. Callbacks count as part of the
        #: nearest symbol with a name around them.
        self.owner_offsets = owners[0::2]
        self.owner_symbols = [self._named(symbol) for symbol in owners[1::2]]
        #: Resolution of each import, parallel to `facts.imports`. The program fills the list.
        self.import_targets: list[Resolution] = []
        #: Remembered types: by node, by binding and by function, and types of parameters without annotation. The keys of
        #: `applied_types` are a type node and the types of the parameters that it mentions.
        self.expression_types: Memory = {}
        self.binding_types: Memory = {}
        self.return_types: Memory = {}
        self.expected_types: Memory = {}
        self.parameter_types: Memory = {}
        self.declared_types: Memory = {}
        self.applied_types: dict[tuple[int | Type | None, ...], Type] = {}
        #: Entities of dotted names, by the binding before the dot and the string after it.
        self.dotted_entities: dict[tuple[int, int], Entity | Literal[False] | None] = {}
        #: Type parameters that each type node mentions; None if only inference of a body can find them.
        self.free_parameters: dict[int, frozenset[Parameter] | None] = {}
        #: Members of each shape, by name and whether they are static.
        self.member_tables: dict[int, dict[tuple[str, bool], list[Member]]] = {}
        self._bindings_of: dict[int, int] | None = None
        self._function_nodes: dict[int, int] | None = None
        self._object_nodes: dict[int, int] | None = None
        self._getters: dict[int, int] | None = None
        self._spreads: dict[int, int] | None = None
        self._method_places: dict[int, tuple[int, str]] | None = None
        self._namespaces: dict[int, int] | None = None
        self._namespace_symbols: dict[int, int] | None = None

    def release(self) -> None:
        """Free the remembered types. The unit cannot be used afterwards."""
        for memory in (
            self.expression_types,
            self.binding_types,
            self.return_types,
            self.expected_types,
            self.parameter_types,
            self.declared_types,
        ):
            memory.clear()
        self.applied_types.clear()
        self.dotted_entities.clear()
        self.free_parameters.clear()
        self.member_tables.clear()

    def items(self, index: int) -> array[int]:
        """Return the operand list at an index, empty for -1."""
        if index < 0:
            return _EMPTY
        lists = self.lists
        return lists[index + 1 : index + 1 + lists[index]]

    def line(self, offset: int) -> int:
        """Return the 1-based line of a byte offset."""
        return bisect_right(self.line_starts, offset)

    def column(self, offset: int) -> int:
        """Return the 1-based column of a byte offset, in characters (code points)."""
        return self._column(offset, self.line_starts[self.line(offset) - 1])

    def _column(self, offset: int, line_start: int) -> int:
        column = offset - line_start + 1
        return column - self._extra_bytes(offset) + self._extra_bytes(line_start) if self.wide_ends else column

    def _extra_bytes(self, offset: int) -> int:
        """Return the number of bytes before an offset that do not begin a character."""
        before = bisect_right(self.wide_ends, offset)
        return self.wide_extra[before - 1] if before else 0

    def places(self, positions: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the lines and columns of byte offsets, in source order. The list of offsets is sorted in place."""
        starts = self.line_starts
        if len(positions) == 1:  # most lists have a single offset
            line = bisect_right(starts, positions[0])
            return (line,), (self._column(positions[0], starts[line - 1]),)
        positions.sort()
        lines = tuple([bisect_right(starts, position) for position in positions])
        placed = zip(positions, lines, strict=True)
        if self.wide_ends:
            return lines, tuple([self._column(position, starts[line - 1]) for position, line in placed])
        return lines, tuple([position - starts[line - 1] + 1 for position, line in placed])

    def named_owner(self, node: int) -> int:
        """Return the nearest symbol around a node that has its own name."""
        return self.owner_symbols[bisect_right(self.owner_offsets, node) - 1]

    def required(self, value: int) -> int:
        """Return the import in `require("x")` or `require("x").y`, or -1 for other expressions."""
        code = self.code
        if code[value] == Op.MEMBER:
            value = code[value + 1]
        return code[value + 1] if code[value] == Op.REQUIRE else -1

    def is_on(self, lines: frozenset[int], node: int, other: int) -> bool:
        """Return whether one of two nodes is on one of some lines; -1 is no node."""
        code = self.code
        return (node >= 0 and self.line(code[node + 4]) in lines) or (other >= 0 and self.line(code[other + 4]) in lines)

    def reaches(self, lines: frozenset[int], node: int, value: int) -> bool:
        """Return whether a node, a value, or an item inside a literal of an array or object is on one of some lines."""
        if self.is_on(lines, node, -1):
            return True
        code = self.code
        pending = [value]
        while pending:
            each = pending.pop()
            if each < 0:
                continue
            if self.line(code[each + 4]) in lines:
                return True
            if code[each] == Op.ARRAY:
                pending += self.items(code[each + 1]).tolist()
            elif code[each] == Op.OBJECT:
                pending += [member.value for member in self.shapes[code[each + 1]].members]
        return False

    def typed_values(self, lines: frozenset[int]) -> Iterator[TypedValue]:
        """Yield the values with a written type: of variables, of properties, of parameters, and the results of functions.

        The value, an item inside of it or its type is on one of some lines.
        """
        code = self.code
        for decl in self.decls:
            if decl.kind == DeclKind.VARIABLE and decl.a >= 0 and decl.b >= 0 and self.reaches(lines, decl.a, decl.b):
                yield TypedValue(decl.b, decl.a, decl.position, False)
        for function in self.functions:
            for parameter in function.parameters:
                is_typed = parameter.type >= 0 and parameter.default >= 0
                if is_typed and self.reaches(lines, parameter.type, parameter.default):
                    yield TypedValue(parameter.default, parameter.type, code[parameter.default + 4], False)
            for value in function.returns if function.return_type >= 0 and not function.is_generator else ():
                if self.reaches(lines, function.return_type, value):
                    yield TypedValue(value, function.return_type, code[value + 4], function.is_async)
        for shape in self.shapes:
            for member in shape.members:
                has_value = member.kind == MemberKind.PROPERTY and member.type >= 0 and member.value >= 0
                if has_value and self.reaches(lines, member.type, member.value):
                    yield TypedValue(member.value, member.type, member.position, False)

    def unnarrowed(self, node: int) -> int:
        """Return the node inside narrowing and `!`."""
        code = self.code
        while node >= 0 and code[node] in NARROWING:
            node = code[node + 1]
        return node

    def unwrapped(self, node: int) -> int:
        """Return the node inside narrowing, `!`, casts and type arguments."""
        code = self.code
        while node >= 0 and code[node] in WRAPPING:
            node = code[node + 1]
        return node

    # ------------------------------------------------------------------ tables that are built on first use

    def binding_of(self, decl: int) -> int | None:
        """Return the binding that a declaration belongs to, or None if it was not declared under its name."""
        known = self._bindings_of
        if known is None:
            known = self._bindings_of = {index: binding for binding, entry in enumerate(self.bindings) for index in entry.decls}
        return known.get(decl)

    def namespace_of(self, scope: int) -> int | None:
        """Return the binding of the namespace that a scope belongs to, or None."""
        known = self._namespaces
        if known is None:
            known = self._namespaces = {
                self.decls[index].a: binding
                for binding, entry in enumerate(self.bindings)
                for index in entry.decls
                if self.decls[index].kind == DeclKind.NAMESPACE
            }
        return known.get(scope)

    def namespaces_around(self, symbol: int) -> list[int]:
        """Return the bindings of the namespaces that are or contain a symbol of the file, innermost first."""
        known = self._namespace_symbols
        if known is None:
            known = self._namespace_symbols = {
                self.decls[index].symbol: binding
                for binding, entry in enumerate(self.bindings)
                for index in entry.decls
                if self.decls[index].kind == DeclKind.NAMESPACE
            }
        found: list[int] = []
        while known and symbol >= 0:
            binding = known.get(symbol, -1)
            if binding >= 0:
                found.append(binding)
            symbol = self.symbols[symbol].parent
        return found

    def function_node(self, function: int) -> int | None:
        """Return the FUNCTION node of a function whose context expects a type, or None."""
        known = self._function_nodes
        if known is None:
            known = self._function_nodes = self._expected(Op.FUNCTION)
        return known.get(function)

    def object_node(self, shape: int) -> int | None:
        """Return the OBJECT node of a literal whose context expects a type, or None."""
        known = self._object_nodes
        if known is None:
            known = self._object_nodes = self._expected(Op.OBJECT)
        return known.get(shape)

    def is_asserted_constant(self, node: int) -> bool:
        """Return whether a literal is inside `as const`."""
        while node in self.contexts:
            kind, around, _ = self.contexts[node]
            if kind not in TRANSPARENT_CONTEXTS:
                return False
            if self.code[around] == Op.AS and self.code[around + 3] == Cast.CONST:
                return True
            node = around
        return False

    def _expected(self, op: int) -> dict[int, int]:
        code = self.code
        return {code[node + 1]: node for node in self.contexts if code[node] == op}

    def method_place(self, function: int) -> tuple[int, str] | None:
        """Return the shape and name of a method of an object literal, or None."""
        known = self._method_places
        if known is None:
            known = self._method_places = {
                member.function: (shape, member.name)
                for shape, fact in enumerate(self.shapes)
                if fact.kind == ShapeKind.OBJECT_LITERAL
                for member in fact.members
                if member.function >= 0
            }
        return known.get(function)

    def getter_beside(self, function: int) -> int:
        """Return the function of the getter that has the name of a setter, or -1."""
        known = self._getters
        if known is None:
            known = self._getters = {}
            for shape in self.shapes:
                getters = {(each.name, each.static): each.function for each in shape.members if each.kind == MemberKind.GETTER}
                setters = [each for each in shape.members if each.kind == MemberKind.SETTER]
                known.update({each.function: getters.get((each.name, each.static), -1) for each in setters})
        return known.get(function, -1)

    def object_around(self, spread: int) -> int:
        """Return the object literal that a SPREAD node belongs to, or -1."""
        known = self._spreads
        if known is None:
            code = self.code
            known = self._spreads = {
                item: node for node in range(0, len(code), 5) if code[node] == Op.OBJECT for item in self.items(code[node + 2])
            }
        return known.get(spread, -1)

    def base_class(self, shape: int) -> int:
        """Return the INSTANTIATION node of the class that a class extends, or -1.

        The component of a single-file component also extends types, of which code knows no value.
        """
        return next((node for node in self.shapes[shape].extends if self.code[node] == Op.INSTANTIATION), -1)

    def _named(self, symbol: int) -> int:
        symbols = self.symbols
        while symbol >= 0 and "callback" in symbols[symbol].modifiers and symbols[symbol].parent >= 0:
            symbol = symbols[symbol].parent
        return symbol


def shape_around_name(unit: Unit, node: int) -> int:
    """Return the shape of the component whose template has a name that the file does not declare; -1 for other nodes.

    Such a name is lowered as a member of the component, which has the place of the name.
    """
    code = unit.code
    if code[node] != Op.MEMBER:
        return -1
    left = code[node + 1]
    this = code[left + 1] if code[left] == Op.AS else left
    return code[this + 2] if code[this] == Op.THIS and code[this + 4] == code[node + 4] else -1


def is_value(unit: Unit, binding: int) -> bool:
    """Return whether a binding is a variable, a function or a class."""
    return any(unit.decls[index].kind in _VALUES for index in unit.bindings[binding].decls)


#: Returns the id of the symbol at an index of a file.
SymbolIds = Callable[[Unit, int], str]
