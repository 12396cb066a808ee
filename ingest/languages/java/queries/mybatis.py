"""Statements of MyBatis. A method of an interface has its statement in an XML mapper or an annotation; sessions name statements.

See https://mybatis.org/mybatis-3/java-api.html. The namespace of a mapper is the qualified name of its interface.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....data.sql.queries import parse_query
from ....facts.data import NAMED_QUERY, TABLE_NAME, UNQUALIFIED, TableUse
from ....facts.model import MemberKind, ShapeKind
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from .annotated import method_calls, types_of

_PACKAGE: Final = "org.apache.ibatis.annotations"
_ANNOTATIONS: Final = frozenset(("Select", "Insert", "Update", "Delete"))
#: Methods of a session whose first argument is the name of a statement.
_SESSION: Final = frozenset(("selectOne", "selectList", "selectMap", "selectCursor", "select", "insert", "update", "delete"))
_STATEMENT: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
#: Elements in the text of an annotation, and parameters.
_ELEMENT: Final = re.compile(r"</?[A-Za-z][^<>]*>")
_WHERE: Final = re.compile(r"<where>\s*(?:<[^<>]*>\s*)*(?:and\b|or\b)?", re.IGNORECASE)
_SET: Final = re.compile(r",?\s*((?:</[^<>]*>\s*)*)</set>", re.IGNORECASE)
_PARAMETER: Final = re.compile(r"#\{[^{}]*\}")
_INSERTED: Final = re.compile(r"\$\{[^{}]*\}")


def mybatis_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements that the methods of interfaces and the calls of sessions run by their names."""
    facts, types = file.facts, types_of(file)
    for shape in facts.shapes:
        if shape.kind != ShapeKind.INTERFACE or shape.symbol < 0:
            continue
        qualified = f"{facts.package}.{_nested_name(file, shape.symbol)}"
        for member in shape.members:
            function = facts.functions[member.function] if member.kind == MemberKind.METHOD and member.function >= 0 else None
            if function is None or function.has_body or member.symbol < 0 or function.return_type < 0:
                continue
            named = FoundUse(f"{NAMED_QUERY}{qualified}.{member.name}")
            yield FoundQuery(function.return_type, "", [named], symbol=member.symbol)
            for annotation in types.annotations(member.symbol):
                module = annotation.qualified.rpartition(".")[0]
                if annotation.name in _ANNOTATIONS and (module == _PACKAGE or (not module and _PACKAGE in types.packages)):
                    yield from _annotated(file, annotation.get("value"), member.symbol)
    for node, callee in method_calls(file):
        arguments = file.items(file.code[node + 2]) if file.name(callee) in _SESSION else ()
        name = types.text(arguments[0]) if arguments else ""
        if _STATEMENT.fullmatch(name) is not None:
            yield FoundQuery(node, "", [FoundUse(f"{NAMED_QUERY}{name}")])


def _nested_name(file: QueryFile, symbol: int) -> str:
    """Return the name of a type with the types around it, as Java writes the name of a class: `Outer$Inner`."""
    return "$".join(reversed([each.name for each in file.facts.symbols_around(symbol)]))


def _annotated(file: QueryFile, node: int, symbol: int) -> Iterator[FoundQuery]:
    """Yield the statement of an annotation that is a list of strings or has elements. Plain SQL strings are found in all code."""
    types = types_of(file)
    is_list = node >= 0 and types.is_list(node)
    parts = [types.joined_text(each) for each in types.elements(node)] if is_list else [types.joined_text(node)]
    text = " ".join(parts).strip()
    if not is_list and not text.startswith("<script>"):
        return
    plain = _ELEMENT.sub(" ", _SET.sub(r"\1", _WHERE.sub(" WHERE ", text).replace("<set>", " SET ")))
    parsed = parse_query(_INSERTED.sub("__value", _PARAMETER.sub("?", plain)))
    if parsed is not None:
        yield FoundQuery(node, parsed.statement, [_use(each) for each in parsed.uses], symbol=symbol)


def _use(use: TableUse) -> FoundUse:
    name = f"{use.name.schema}.{use.name.name}" if use.name.schema else use.name.name
    fields = (*((each,) for each in use.columns), *((UNQUALIFIED, each) for each in use.unqualified))
    return FoundUse(f"{TABLE_NAME}{name}", (), use.modifies, fields, use.of_condition)
