"""The names in annotations, and the texts of names and annotations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...facts.model import DeclKind
from ...facts.operations import NAME_OPS, Display, Op, Use
from ...languages.typescript.resolve.model.unit import Unit
from .. import imported_values
from ..decorators import decorator_names
from ..engine import NominalEngine
from ..program import last_name
from ..types import ClassInfo, ClassValue, Declaration, parts

_DOTTED: Final = (Op.NAME, Op.FLOW, Op.MEMBER)
#: Maximum depth of nested expressions that are read.
_MAX_NESTING: Final = 12
#: Maximum length of a chain of aliases that is followed.
_MAX_CHAIN_LENGTH: Final = 8
#: Maximum length of a text, in characters.
_MAX_LENGTH: Final = 100

#: A file, and the number of a symbol in the file.
Place = tuple[Unit, int]


# ---------------------------------------------------------------------- names


def names_in(engine: NominalEngine, unit: Unit, node: int) -> list[int]:
    """Return the nodes of the names and dotted names in an annotation, including names in nested types."""
    code = unit.code
    found: list[int] = []
    waiting = [node]
    while waiting:
        at = waiting.pop()
        op = code[at] if at >= 0 else Op.UNKNOWN
        if op in NAME_OPS or op == Op.MEMBER or (op == Op.LEXICAL and code[at + 3] == Use.TYPE):
            found.append(at)
        elif op == Op.T_REFERENCE:
            waiting += reversed(unit.items(code[at + 2]).tolist())
            waiting.append(code[at + 1])
        elif op in (Op.T_UNION, Op.T_TUPLE):
            waiting += reversed(unit.items(code[at + 1]).tolist())
        elif op == Op.T_FUNCTION:
            function = unit.functions[code[at + 1]]
            waiting.append(function.return_type)
            waiting += reversed([parameter.type for parameter in function.parameters])
        elif op == Op.T_OBJECT:
            waiting += reversed([member.type for member in unit.shapes[code[at + 1]].members])
        elif op == Op.PHI:
            waiting.append(code[at + 2])
        elif op == Op.OPERATOR:
            waiting += (code[at + 2], code[at + 1])
        elif op == Op.ARRAY:
            waiting += reversed(unit.items(code[at + 1]).tolist())
        elif op == Op.INDEX:
            name = last_name(unit, code[at + 1])
            if name == "Annotated":
                waiting += arguments_of(unit, at)[:1]
            elif name != "Literal":
                waiting.append(code[at + 2])
            waiting.append(code[at + 1])
    return found


def arguments_of(unit: Unit, node: int) -> list[int]:
    """Return the expressions in the brackets of a generic type."""
    code = unit.code
    index = code[node + 2]
    if index >= 0 and code[index] == Op.ARRAY and code[index + 3] == Display.TUPLE:
        return unit.items(code[index + 1]).tolist()
    return [index]


def type_places(engine: NominalEngine, unit: Unit, node: int) -> list[Place]:
    """Return the classes and aliases of the repository that a name or dotted name in an annotation means.

    For a variable whose value is a type, return the variable itself and the classes in its value, also through other aliases.
    """
    found: dict[tuple[int, int], Place] = {}
    waiting = [(unit, node)]
    seen: set[tuple[int, int]] = set()
    for at, name in waiting:
        if len(waiting) > _MAX_CHAIN_LENGTH * _MAX_NESTING:
            break
        origin = imported_values.origin_of(engine, at, name)
        alias = alias_symbol(origin) if origin is not None else -1
        if origin is not None and alias >= 0:
            if (id(origin.unit), alias) in seen:
                continue
            seen.add((id(origin.unit), alias))
            if len(waiting) == 1:
                found[id(origin.unit), alias] = (origin.unit, alias)
            if origin.facts.kind == DeclKind.VARIABLE:
                waiting += [(origin.unit, inner) for inner in names_in(engine, origin.unit, _alias_body(origin))]
            continue
        for part in parts(engine.type_of(at, name)):
            place = class_place(part.instance.cls) if isinstance(part, ClassValue) else None
            if place is not None:
                found.setdefault((id(place[0]), place[1]), place)
    return list(found.values())


def class_place(info: ClassInfo) -> Place | None:
    """Return a class as a symbol of the repository; None if it is declared outside, or has no symbol."""
    symbol = info.unit.shapes[info.shape].symbol
    return (info.unit, symbol) if symbol >= 0 and not info.unit.external else None


def alias_symbol(origin: Declaration) -> int:
    """Return the symbol of a type alias of the repository; -1 for another declaration.

    Aliases are declared by `type`, by variables with the annotation `TypeAlias`, and by variables whose values are generic
    types, unions or new types.
    """
    unit, decl = origin.unit, origin.facts
    if unit.external or decl.symbol < 0:
        return -1
    if decl.kind == DeclKind.ALIAS:
        return decl.symbol
    if decl.kind != DeclKind.VARIABLE or decl.b < 0:
        return -1
    if decl.a >= 0:
        return decl.symbol if last_name(unit, decl.a) == "TypeAlias" else -1
    op = unit.code[decl.b]
    if op == Op.CALL:
        return decl.symbol if last_name(unit, unit.code[decl.b + 1]) == "NewType" else -1
    return decl.symbol if op in (Op.INDEX, Op.OPERATOR) else -1


def _alias_body(origin: Declaration) -> int:
    unit, value = origin.unit, origin.facts.b
    if unit.code[value] != Op.CALL:
        return value
    given = unit.items(unit.code[value + 2])
    return given[1] if len(given) > 1 else -1


# ---------------------------------------------------------------------- functions


def receivers(engine: NominalEngine, unit: Unit) -> set[int]:
    """Return the functions of a file whose first parameter is bound to an instance or a class."""
    found: set[int] = set()
    if engine.program.rules.has_overloads:
        return found  # the receiver does not count as a parameter
    for shape in unit.shapes:
        for member in shape.members:
            if member.function >= 0 and "staticmethod" not in decorator_names(unit, member.extra):
                found.add(member.function)
    return found


def bare_decorators(unit: Unit) -> list[int]:
    found: list[int] = []
    for decl in unit.decls:
        if decl.kind in (DeclKind.FUNCTION, DeclKind.CLASS) and decl.b >= 0:
            found += [node for node in unit.items(decl.b).tolist() if unit.code[node] in _DOTTED]
    return found


def called_decorators(unit: Unit) -> list[int]:
    """Return the decorators of a file that are calls. The results of these calls are called with the decorated function."""
    found: list[int] = []
    for decl in unit.decls:
        if decl.kind in (DeclKind.FUNCTION, DeclKind.CLASS) and decl.b >= 0:
            found += [node for node in unit.items(decl.b).tolist() if unit.code[node] == Op.CALL]
    return found


def written_parameters(unit: Unit, function: int, has_receiver: bool) -> Iterator[tuple[int, str, int, int]]:
    """Yield position, name, annotation and declaration of each parameter except the receiver."""
    position = -1 if has_receiver else 0
    for parameter in unit.functions[function].parameters:
        if parameter.name in ("*", "/"):
            continue
        if position >= 0:
            yield position, parameter.name.lstrip("*"), parameter.type, parameter.decl
        position += 1


# ---------------------------------------------------------------------- texts


def written(unit: Unit, node: int) -> str:
    """Return the text of a name, a dotted name or an annotation, cut at a maximum length; "" for other expressions."""
    text = _text(unit, node, 0)
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1].rstrip() + "…"


def reference(unit: Unit, node: int) -> str:
    """Return the text of a name, an attribute or an item; "" for other expressions."""
    code = unit.code
    if node < 0 or code[node] not in (Op.NAME, Op.FLOW, Op.MEMBER, Op.PHI, Op.INDEX, Op.LEXICAL):
        return ""
    return written(unit, node)


def _text(unit: Unit, node: int, depth: int) -> str:
    code = unit.code
    if node < 0 or depth > _MAX_NESTING:
        return ""
    op, a, b, c = code[node], code[node + 1], code[node + 2], code[node + 3]
    if op == Op.NAME:
        return unit.strings[b]
    if op == Op.FLOW:
        return unit.strings[c]
    if op == Op.LEXICAL or (op == Op.T_NAME and not unit.strings[b].startswith("$")):
        return unit.strings[b]
    if op == Op.T_REFERENCE:
        inner, items = _text(unit, a, depth + 1), [_text(unit, item, depth + 1) for item in unit.items(b).tolist()]
        return f"{inner}<{', '.join(items)}>" if inner and "" not in items else inner
    if op == Op.PHI:
        return _text(unit, b, depth + 1)
    if op == Op.MEMBER:
        inner = _text(unit, a, depth + 1)
        return f"{inner}.{unit.strings[b]}" if inner else ""
    if op == Op.INDEX:
        inner, index = _text(unit, a, depth + 1), _text(unit, b, depth + 1)
        if code[b] == Op.ARRAY and code[b + 3] == Display.TUPLE:
            index = index.removeprefix("(").removesuffix(")")
        return f"{inner}[{index}]" if inner and index else ""
    if op == Op.ARRAY:
        items = [_text(unit, item, depth + 1) for item in unit.items(a).tolist()]
        text = ", ".join(items)
        if "" in items:
            return ""
        return f"({text})" if c == Display.TUPLE else f"[{text}]"
    if op == Op.OPERATOR and b >= 0 and unit.strings[c] == "__or__":
        left, right = _text(unit, a, depth + 1), _text(unit, b, depth + 1)
        return f"{left} | {right}" if left and right else ""
    return _literal(unit, op, a, b)


def _literal(unit: Unit, op: int, a: int, b: int) -> str:
    if op == Op.NULL:
        return "None"
    if op == Op.UNDEFINED:
        return "..."
    if op == Op.BOOLEAN:
        return "True" if a == 1 else "False"
    if op == Op.NUMBER:
        return unit.strings[b]
    return f'"{unit.strings[b]}"' if op == Op.STRING else ""
