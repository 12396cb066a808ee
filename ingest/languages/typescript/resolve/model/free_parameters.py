"""The type parameters that the structure of a closure mentions: its env keeps only these."""

from __future__ import annotations

from .....facts.model import DeclKind, MemberKind
from .....facts.operations import Op
from .type_model import (
    THIS,
    ClassExpression,
    Closure,
    Conditional,
    ConstructorType,
    Env,
    FunctionType,
    Indexed,
    Instance,
    Instantiated,
    Intersection,
    KeyOf,
    Mapped,
    ObjectShape,
    Overloads,
    Parameter,
    Picked,
    ShapeInstance,
    Spread,
    Template,
    Tuple,
    Type,
    TypeParameter,
    Union,
)
from .type_nodes import OPERANDS
from .unit import Unit

#: Maximum number of levels of a type that are searched. Deeper levels are assumed to mention a type parameter.
_MAX_NESTING = 8


class FreeParameters:
    """The free type parameters of closures and type nodes. The answers are remembered."""

    def __init__(self) -> None:
        self._known: dict[tuple[type[Closure], int, int], frozenset[Parameter] | None] = {}
        #: Type parameters of each symbol that is a generic function or class, by file.
        self._generic: dict[int, dict[int, list[Parameter]]] = {}

    def of_node(self, unit: Unit, node: int) -> frozenset[Parameter] | None:
        """Return the type parameters that a type node mentions; None if only inference of a body can find them."""
        try:
            return unit.free_parameters[node]
        except KeyError:
            found = unit.free_parameters[node] = _walk(unit, [node])
            return found

    def relevant(self, kind: Closure, env: Env) -> Env:
        """Return the part of an env that can matter inside a closure: only type parameters of the closure's own file."""
        free = self.of(kind)
        if free is None:
            own = kind.unit.index
            return {key: value for key, value in env.items() if key[0] == own or key == THIS}
        return {key: value for key, value in env.items() if key in free}

    def of(self, kind: Closure) -> frozenset[Parameter] | None:
        """Return the type parameters that a closure mentions; None if only inference of a body can find them."""
        key = (type(kind), kind.unit.index, kind.index)
        try:
            return self._known[key]
        except KeyError:
            if isinstance(kind, ClassExpression | ShapeInstance):
                found: frozenset[Parameter] | None = self.around_class(kind.unit, kind.index)
            else:
                found = _collect(kind)
            self._known[key] = found
            return found

    def around_class(self, unit: Unit, shape: int) -> frozenset[Parameter]:
        """Return the type parameters of the functions and classes around a class; the class may mention them."""
        if unit.index not in self._generic:
            self._generic[unit.index] = _generic_symbols(unit)
        generic = self._generic[unit.index]
        symbol = unit.shapes[shape].symbol
        found: list[Parameter] = []
        while generic and symbol >= 0:
            symbol = unit.symbols[symbol].parent
            found += generic.get(symbol, ())
        return frozenset(found)

    def mentions_parameter(self, kind: Type, depth: int = 0) -> bool:
        """Return whether a type may mention a type parameter, so that inference from the type is possible."""
        if isinstance(kind, Closure):
            free = self.of(kind)
            if free is None or depth > _MAX_NESTING:
                return True
            env = kind.env
            for parameter in free:
                given = env.get(parameter)
                if given is None or self.mentions_parameter(given, depth + 1):
                    return True
            return False
        if isinstance(kind, Instance):
            return self._any_mentions_parameter(kind.arguments, depth)
        if isinstance(kind, Union | Intersection | Template):
            return self._any_mentions_parameter(kind.parts, depth)
        if isinstance(kind, Tuple):
            return self._any_mentions_parameter(kind.elements, depth) or (
                kind.rest is not None and self.mentions_parameter(kind.rest, depth + 1)
            )
        if isinstance(kind, Overloads):
            return self._any_mentions_parameter(kind.signatures, depth)
        if isinstance(kind, Instantiated):
            return self._any_mentions_parameter(kind.arguments, depth)
        return isinstance(kind, TypeParameter | KeyOf | Indexed | Picked | Spread)

    def _any_mentions_parameter(self, parts: tuple[Type, ...], depth: int) -> bool:
        if depth > _MAX_NESTING:
            return True
        return any(self.mentions_parameter(part, depth + 1) for part in parts)


def is_open(kind: Type, depth: int = 0) -> bool:
    """Return whether the visible part of a type contains a type parameter, or an operator on one that is not replaced yet."""
    if isinstance(kind, TypeParameter | KeyOf | Indexed | Conditional | Spread):
        return True
    if depth > _MAX_NESTING:
        return False
    if isinstance(kind, Instance):
        return any(is_open(part, depth + 1) for part in kind.arguments)
    if isinstance(kind, Union | Intersection | Template):
        return any(is_open(part, depth + 1) for part in kind.parts)
    if isinstance(kind, Tuple):
        return any(is_open(part, depth + 1) for part in kind.elements)
    return isinstance(kind, Picked) and is_open(kind.target, depth + 1)


def is_deferred(kind: Type) -> bool:
    """Return whether a type is a type parameter, or an operator on one, so that the kind of type is not known yet."""
    if isinstance(kind, Union | Intersection | Template):
        return any(is_deferred(part) for part in kind.parts)
    if isinstance(kind, Tuple):
        return any(isinstance(part, Spread) for part in kind.elements)
    if isinstance(kind, Picked):
        return is_deferred(kind.target)
    return isinstance(kind, TypeParameter | KeyOf | Indexed | Conditional | Spread)


def _generic_symbols(unit: Unit) -> dict[int, list[Parameter]]:
    """Return the type parameters of each generic function or class of a file, by its symbol."""
    found: dict[int, list[Parameter]] = {}
    for function in unit.functions:
        if function.symbol >= 0 and function.type_parameters:
            found.setdefault(function.symbol, []).extend((unit.index, index) for index in function.type_parameters)
    for shape in unit.shapes:
        if shape.symbol >= 0 and shape.type_parameters:
            found.setdefault(shape.symbol, []).extend((unit.index, index) for index in shape.type_parameters)
    return found


def _collect(kind: Closure) -> frozenset[Parameter] | None:
    unit = kind.unit
    stack: list[int] = []
    if isinstance(kind, ObjectShape):
        if not _shape(unit, kind.index, stack):
            return None
    elif isinstance(kind, FunctionType | ConstructorType):
        if not _function(unit, kind.index, stack):
            return None
    elif isinstance(kind, Mapped | Conditional):
        stack.append(kind.index)
    else:
        return None
    return _walk(unit, stack)


def _walk(unit: Unit, stack: list[int]) -> frozenset[Parameter] | None:
    found: set[Parameter] = set()
    while stack:
        node = stack.pop()
        if node < 0:
            continue
        if not _visit(unit, node, stack, found):
            return None
    return frozenset(found)


def _visit(unit: Unit, node: int, stack: list[int], found: set[Parameter]) -> bool:
    """Add the type parameters that a type node mentions. Return False if a body would have to be read."""
    code = unit.code
    op = code[node]
    operands = OPERANDS.get(op)
    if operands is not None:
        for operand in operands:
            cell = code[node + 1] if operand in "al" else code[node + 2]
            if operand in "lm":
                stack += unit.items(cell)
            else:
                stack.append(cell)
    elif op == Op.T_NAME:
        if code[node + 1] >= 0:
            for index in unit.bindings[code[node + 1]].decls:
                if unit.decls[index].kind == DeclKind.TYPE_PARAMETER:
                    found.add((unit.index, index))
    elif op == Op.T_INFER:
        found.add((unit.index, code[node + 1]))
    elif op == Op.T_THIS:
        found.add(THIS)
    elif op == Op.T_FUNCTION or op == Op.T_CONSTRUCTOR:
        return _function(unit, code[node + 1], stack)
    elif op == Op.T_OBJECT:
        return _shape(unit, code[node + 1], stack)
    return True


def _function(unit: Unit, index: int, stack: list[int]) -> bool:
    fact = unit.functions[index]
    if fact.has_body and fact.return_type < 0:
        return False
    stack += [entry.type for entry in fact.parameters]
    stack += [fact.return_type, fact.this_type]
    stack += [cell for decl in fact.type_parameters for cell in (unit.decls[decl].a, unit.decls[decl].b)]
    return all(entry.type >= 0 for entry in fact.parameters) or not fact.has_body


def _shape(unit: Unit, index: int, stack: list[int]) -> bool:
    for member in unit.shapes[index].members:
        stack.append(member.type)
        if member.kind == MemberKind.INDEX:
            stack.append(member.value)
        elif member.value >= 0:
            return False
        if member.function >= 0 and not _function(unit, member.function, stack):
            return False
    return True
