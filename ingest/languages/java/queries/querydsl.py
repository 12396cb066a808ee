"""Statements of Querydsl: `queryFactory.selectFrom(member).join(member.team, team).where(member.age.gt(18))`.

See http://querydsl.com/static/querydsl/latest/reference/html/. The class `QMember` is generated for the entity `Member`, usually
outside of the repository. Code uses its constant `member`, or makes a value with an alias.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.model import DeclKind
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ..models.queried import NAME
from .annotated import method_calls, set_columns, types_of, variable_of

_PACKAGE: Final = "com.querydsl"
#: Methods whose arguments are entities, with the kind of the statement. The last argument of a join is the joined entity.
_STATEMENTS: Final = {
    **dict.fromkeys(("selectFrom", "from"), "select"),
    **dict.fromkeys(("join", "innerJoin", "leftJoin", "rightJoin", "fullJoin"), "select"),
    "insert": "insert", "update": "update", "delete": "delete",
}  # fmt: skip
_GENERATED: Final = re.compile(r"(?:.*\.)?Q([A-Z]\w*)")
_MEMBERS: Final = any_of(Op.MEMBER)
#: Maximum number of steps from a name to a generated class.
_MAX_STEPS: Final = 6


def querydsl_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements that the calls of a file build."""
    if not any(each.startswith(_PACKAGE) for each in types_of(file).imported()):
        return
    constants = _constants(file)
    named = _Columns(file, constants)
    for node, callee in method_calls(file):
        statement = _STATEMENTS.get(file.name(callee), "")
        arguments = file.items(file.code[node + 2]) if statement else ()
        for argument in arguments:
            entity = _entity(file, argument, constants)
            if not entity:
                continue
            model, (read, written) = f"{NAME}{entity}", named.of(file.owner(node), entity)
            if statement == "select":
                yield FoundQuery(node, statement, [FoundUse(model, (), False, read)])
                continue
            uses = [FoundUse(model, (), True, written)]
            yield FoundQuery(node, statement, [*uses, FoundUse(model, (), False, read, True)] if read else uses)


def _constants(file: QueryFile) -> dict[str, str]:
    """Return the entities of the constants and the fields of a file by name: `import static shop.QMember.member`."""
    found: dict[str, str] = {}
    facts, types = file.facts, types_of(file)
    for decl in facts.decls:
        if decl.kind == DeclKind.IMPORT and (match := _GENERATED.fullmatch(facts.strings[decl.a])) is not None:
            found[decl.name] = match[1]
    for shape in facts.shapes:
        for member in shape.members:
            written = _GENERATED.fullmatch(types.type_names(member.type)[0]) if member.type >= 0 else None
            if written is not None:
                found[member.name] = written[1]
    # All constants of a class that is imported with `*` have the name of its entity.
    for package in types.packages:
        if (match := _GENERATED.fullmatch(package)) is not None:
            found.setdefault(match[1][:1].lower() + match[1][1:], match[1])
    return found


def _entity(file: QueryFile, node: int, constants: dict[str, str]) -> str:
    """Return the entity of `QMember.member`, `member`, or a variable of the class `QMember`; "" for other expressions."""
    code, facts, types = file.code, file.facts, types_of(file)
    for _ in range(_MAX_STEPS):
        if node < 0:
            return ""
        if code[node] == Op.MEMBER:
            owner = code[node + 1]
            match = _GENERATED.fullmatch(types.qualified(owner))
            if match is not None:
                return match[1]
            return constants.get(facts.strings[code[node + 2]], "") if code[owner] == Op.THIS else ""
        decl = variable_of(file, node)
        if decl is not None and decl.kind != DeclKind.IMPORT:
            match = _GENERATED.fullmatch(types.type_names(decl.a)[0])
            if match is not None:
                return match[1]
            node = decl.b
            continue
        if code[node] in (*NAME_OPS, Op.LEXICAL):
            return constants.get(facts.strings[code[node + 2]], "")
        return ""
    return ""


class _Columns:
    """The attributes of entities that functions name, and those that they assign by `set(member.name, name)`."""

    def __init__(self, file: QueryFile, constants: dict[str, str]) -> None:
        self._read: dict[tuple[int, str], dict[str, None]] = {}
        self._written: dict[tuple[int, str], dict[str, None]] = {}
        assigned = set_columns(file)
        for node in nodes_of(file.facts, _MEMBERS):
            entity = _entity(file, file.code[node + 1], constants)
            if entity:
                found = self._written if node in assigned else self._read
                found.setdefault((file.owner(node), entity), {})[file.facts.strings[file.code[node + 2]]] = None

    def of(self, symbol: int, entity: str) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
        """Return the attributes of an entity that a function reads, and those that it assigns."""
        read, written = (each.get((symbol, entity), {}) for each in (self._read, self._written))
        return tuple((name,) for name in read), tuple((name,) for name in written)
