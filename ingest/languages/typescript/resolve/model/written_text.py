"""The text of types and references, rebuilt from facts: as it was written, except for layout and comments."""

from __future__ import annotations

from .....facts.model import MemberKind
from .....facts.operations import MemberFlag, Op
from .unit import Unit

#: Maximum length of a text, in characters. A longer text is cut and ends in "…".
MAX_TEXT_LENGTH = 200
_MAX_NESTING = 12

_WRAPPED = {Op.T_ARRAY: ("", "[]"), Op.T_KEYOF: ("keyof ", ""), Op.T_OPTIONAL: ("", "?"), Op.T_REST: ("...", "")} | {
    Op.T_READONLY: ("readonly ", "")
}
_JOINED = {Op.T_UNION: " | ", Op.T_INTERSECTION: " & "}
#: Types that need parentheses before `[]`, after `keyof`, and in a union.
_LOOSE = frozenset((Op.T_UNION, Op.T_INTERSECTION, Op.T_FUNCTION, Op.T_CONSTRUCTOR, Op.T_CONDITIONAL, Op.T_KEYOF))
_FUNCTIONS = frozenset((Op.T_FUNCTION, Op.T_CONSTRUCTOR))
_TRANSPARENT = frozenset((Op.NARROW, Op.NON_NULL, Op.AS))


def shortened(text: str) -> str:
    """Return a text cut to `MAX_TEXT_LENGTH` characters."""
    return text if len(text) <= MAX_TEXT_LENGTH else text[: MAX_TEXT_LENGTH - 2].rstrip() + " …"


def written_type(unit: Unit, node: int) -> str:
    """Return the text of a type; "" for -1."""
    return shortened(_type(unit, node, 0)) if node >= 0 else ""


def written_signature(unit: Unit, function: int) -> str:
    """Return `(a: A, b?: B) => R` for a function; a result without an annotation is "…"."""
    return shortened(_signature(unit, function, 0))


def written_reference(unit: Unit, node: int) -> str:
    """Return `x`, `this.a.b`, `list[0]` or `N.C` for a reference; "" for other expressions."""
    code, strings = unit.code, unit.strings
    parts: list[str] = []
    while node >= 0:
        op = code[node]
        if op == Op.NAME:
            return strings[code[node + 2]] + "".join(reversed(parts))
        if op == Op.THIS:
            return "this" + "".join(reversed(parts))
        if op == Op.MEMBER:
            parts.append(("?." if code[node + 3] & MemberFlag.OPTIONAL else ".") + strings[code[node + 2]])
        elif op == Op.INDEX:
            key = written_value(unit, code[node + 2])
            if not key:
                return ""
            parts.append(f"[{key}]")
        elif op not in _TRANSPARENT:
            return ""
        node = code[node + 1]
    return ""


def written_value(unit: Unit, node: int) -> str:
    """Return the text of a literal or reference; "" for other expressions."""
    code = unit.code
    op = code[node]
    if op == Op.STRING:
        return f'"{unit.strings[code[node + 2]]}"'
    if op in (Op.NUMBER, Op.BIGINT):
        return unit.strings[code[node + 2]]
    if op == Op.BOOLEAN:
        return "true" if code[node + 1] else "false"
    if op == Op.NULL:
        return "null"
    if op == Op.UNDEFINED:
        return "undefined"
    return written_reference(unit, node)


def _type(unit: Unit, node: int, depth: int) -> str:
    code, strings = unit.code, unit.strings
    op = code[node] if node >= 0 else Op.T_UNKNOWN
    if depth > _MAX_NESTING:
        return "…"
    if op in (Op.T_NAME, Op.T_PRIMITIVE, Op.T_NUMBER):
        return strings[code[node + 2]]
    if op == Op.T_STRING:
        return f'"{strings[code[node + 2]]}"'
    if op == Op.T_BOOLEAN:
        return "true" if code[node + 1] else "false"
    if op == Op.T_QUALIFIED:
        return f"{_type(unit, code[node + 1], depth + 1)}.{strings[code[node + 2]]}"
    if op == Op.T_REFERENCE:
        return _type(unit, code[node + 1], depth + 1) + _arguments(unit, code[node + 2], depth)
    if op in _JOINED:
        return _JOINED[op].join(_tight(unit, item, depth) for item in unit.items(code[node + 1]))
    if op in _WRAPPED:
        before, after = _WRAPPED[op]
        return before + _tight(unit, code[node + 1], depth) + after
    if op in _FUNCTIONS:
        return ("new " if op == Op.T_CONSTRUCTOR else "") + _signature(unit, code[node + 1], depth + 1)
    return _rarer_type(unit, node, op, depth)


def _rarer_type(unit: Unit, node: int, op: int, depth: int) -> str:
    code, strings = unit.code, unit.strings
    if op == Op.T_TUPLE:
        return f"[{', '.join(_type(unit, item, depth + 1) for item in unit.items(code[node + 1]))}]"
    if op == Op.T_QUERY:
        name = written_reference(unit, code[node + 1]) or "…"
        return f"typeof {name}" + _arguments(unit, code[node + 2], depth)
    if op == Op.T_INDEXED:
        return f"{_tight(unit, code[node + 1], depth)}[{_type(unit, code[node + 2], depth + 1)}]"
    if op == Op.T_PREDICATE:
        asserts, wanted = "asserts " if code[node + 3] == 1 else "", code[node + 1]
        return f"{asserts}{strings[code[node + 2]]}" + (f" is {_type(unit, wanted, depth + 1)}" if wanted >= 0 else "")
    if op == Op.T_CONDITIONAL:
        check, extended, yes, no = (_type(unit, item, depth + 1) for item in unit.items(code[node + 1]))
        return f"{check} extends {extended} ? {yes} : {no}"
    if op == Op.T_INFER:
        return f"infer {unit.decls[code[node + 1]].name}"
    if op == Op.T_IMPORT:
        return f'import("{unit.facts.imports[code[node + 1]].specifier}")'
    if op == Op.T_MAPPED:
        over, _, value = unit.items(code[node + 2])
        key = unit.decls[code[node + 1]].name
        return f"{{ [{key} in {_type(unit, over, depth + 1)}]: {_type(unit, value, depth + 1)} }}"
    if op == Op.T_OBJECT:
        return _object(unit, code[node + 1], depth)
    if op == Op.T_THIS:
        return "this"
    return "…"


def _tight(unit: Unit, node: int, depth: int) -> str:
    text = _type(unit, node, depth + 1)
    return f"({text})" if unit.code[node] in _LOOSE else text


def _arguments(unit: Unit, items: int, depth: int) -> str:
    return f"<{', '.join(_type(unit, item, depth + 1) for item in unit.items(items))}>" if items >= 0 else ""


def _signature(unit: Unit, function: int, depth: int) -> str:
    fact = unit.functions[function]
    parameters = []
    for entry in fact.parameters:
        name = ("..." if entry.rest else "") + (entry.name or "{…}") + ("?" if entry.optional else "")
        parameters.append(f"{name}: {_type(unit, entry.type, depth + 1)}" if entry.type >= 0 else name)
    names = ", ".join(unit.decls[decl].name for decl in fact.type_parameters)
    result = _type(unit, fact.return_type, depth + 1) if fact.return_type >= 0 else "…"
    return f"{f'<{names}>' if names else ''}({', '.join(parameters)}) => {result}"


def _object(unit: Unit, shape: int, depth: int) -> str:
    members = []
    for member in unit.shapes[shape].members:
        if member.kind == MemberKind.INDEX:
            members.append(f"[key: {member.name}]: {_type(unit, member.type, depth + 1)}")
        elif member.function >= 0:
            members.append(f"{member.name}{_signature(unit, member.function, depth + 1).replace(' => ', ': ', 1)}")
        else:
            members.append(f"{member.name}{'?' if member.optional else ''}: {_type(unit, member.type, depth + 1)}")
    return f"{{ {'; '.join(members)} }}" if members else "{}"
