"""The roles of references that follow from their place in the syntax tree: in types, as bases, and as decorators."""

from __future__ import annotations

from ...facts.model import DeclKind
from ...facts.operations import Op
from ...languages.typescript.resolve.model.unit import Unit
from ..decorators import decorators
from ..engine import NominalEngine
from ..program import last_name
from .annotations import names_in


def reference_roles(engine: NominalEngine, unit: Unit) -> dict[int, str]:
    """Return the roles "type", "heritage" and "decorator" by node. Nodes with other roles are left out."""
    found: dict[int, str] = {}
    for place, decl in enumerate(unit.decls):
        if decl.kind in (DeclKind.VARIABLE, DeclKind.PARAMETER, DeclKind.ALIAS, DeclKind.TYPE_PARAMETER):
            _put(engine, unit, decl.a, "type", found)
        for node in decorators(unit, place):
            _put_name(unit, node, "decorator", found)
        if decl.kind == DeclKind.VARIABLE and last_name(unit, decl.a) == "TypeAlias":
            _put(engine, unit, decl.b, "type", found)
    for function in unit.functions:
        _put(engine, unit, function.return_type, "type", found)
    for shape in unit.shapes:
        for member in shape.members:
            _put(engine, unit, member.type, "type", found)
        for node in [*shape.extends, *shape.implements]:
            is_generic = node >= 0 and unit.code[node] in (Op.INDEX, Op.T_REFERENCE)
            if is_generic:
                inside = unit.code[node + 2]
                given = unit.items(inside).tolist() if unit.code[node] == Op.T_REFERENCE else [inside]
                for each in given:
                    _put(engine, unit, each, "type", found)
            _put_name(unit, unit.code[node + 1] if is_generic else node, "heritage", found)
    return found


def _put(engine: NominalEngine, unit: Unit, node: int, role: str, found: dict[int, str]) -> None:
    if node >= 0:
        for name in names_in(engine, unit, node):
            _put_name(unit, name, role, found)


def _put_name(unit: Unit, node: int, role: str, found: dict[int, str]) -> None:
    """Set the role of the last part of a dotted name; for the role "type", also set the role of all parts before it."""
    code = unit.code
    while node >= 0 and code[node] == Op.PHI:
        node = code[node + 2]
    if node < 0 or code[node] not in (Op.NAME, Op.FLOW, Op.MEMBER, Op.LEXICAL):
        return
    found[node] = role
    while role == "type" and code[node] == Op.MEMBER and code[node + 1] >= 0:
        node = code[node + 1]
        found[node] = role
