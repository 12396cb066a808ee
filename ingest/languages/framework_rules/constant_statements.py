"""Statements of SQL in the values of constants, and the functions that use these constants.

After `LIST = "SELECT name FROM boats"`, a function with `db.execute(LIST)` runs the statement. After
`STATEMENTS = {"list": "SELECT name FROM boats"}`, so does a function with `db.execute(STATEMENTS["list"])`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from ...facts.data import CONSTANT_QUERY
from ...facts.model import DeclKind, Member
from ...facts.node_scan import any_of, nodes_of
from ...facts.operations import NAME_OPS, MemberFlag, Op
from .queries import FoundQuery, FoundUse, QueryFile
from .wiring import WiredFile

_NAMES: Final = any_of(Op.MEMBER, *NAME_OPS)
_CHOOSING: Final = any_of(Op.MEMBER, Op.INDEX)
#: Names that constants of other files with statements usually have.
_LIKELY: Final = re.compile(
    r"[A-Z][A-Z0-9_]*+|\w*(?:sql|quer(?:y|ies)|stmt|statement|select|insert|update|delete|find|get|list)\w*", re.IGNORECASE
)
#: The beginning of a statement.
_SQL: Final = re.compile(
    r"[\"'`\s]*+(?:--[^\n]*+\s*+)*+(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH|MERGE\s+INTO|TRUNCATE)\s", re.IGNORECASE
)
#: Maximum depth of a text in the value of a constant, and maximum number of items that are read at each level.
_MAX_DEPTH: Final = 4
_MAX_ITEMS: Final = 3


def constant_statements(file: QueryFile, *, calls_values: bool = True) -> Iterator[FoundQuery]:
    """Yield the statements that functions run by the name of a constant.

    `calls_values` is False for a language whose code cannot call the value of a constant, so that no callee is a constant.
    """
    code, data = file.code, file.facts.data
    own = {query.constant for query in data.queries if query.constant} if data is not None else set[str]()
    keys: dict[int, list[str]] | None = None
    likely: dict[str, bool] = {}
    callees = {code[node + 1] for node in file.facts.calls if code[node] == Op.CALL} if not calls_values else set[int]()
    for node in nodes_of(file.facts, _NAMES):
        if node in callees:
            continue
        name = file.name(node)
        if name not in own:
            if name not in likely:
                likely[name] = _LIKELY.fullmatch(name) is not None
            if not likely[name] or not _may_be_of_other_file(file, node):
                continue
        place = _constant(file, node, own)
        owner = file.owner(node)
        if place is None or (place[0].path == file.path and place[1] == owner):
            continue
        if keys is None:
            keys = _keys(file)
        model = " ".join((f"{CONSTANT_QUERY}{name}", place[0].path, *keys.get(node, ())))
        yield FoundQuery(node, "", [FoundUse(model)])


def _may_be_of_other_file(file: QueryFile, node: int) -> bool:
    """Return whether a name may denote a constant of another file: an imported or free name, or a member of a module."""
    code, facts = file.code, file.facts
    if code[node] == Op.MEMBER:
        return not code[node + 3] & MemberFlag.WRITTEN and code[code[node + 1]] in (*NAME_OPS, Op.LEXICAL)
    binding = code[node + 1]
    return binding < 0 or any(facts.decls[each].kind == DeclKind.IMPORT for each in facts.bindings[binding].decls)


def _constant(file: QueryFile, node: int, own: set[str]) -> tuple[WiredFile, int] | None:
    """Return the file and the symbol of the constant that an expression denotes, if its value has a statement."""
    found = file.constant(node)
    if found is not None:
        symbol = found.facts.symbol
        if symbol < 0:
            return None
        if found.file.path == file.path:
            return (file, symbol) if file.name(node) in own else None
        return (found.file, symbol) if found.facts.b >= 0 and _has_statement(found.file, found.facts.b) else None
    for declaring, member in _members(file, node) if file.code[node] == Op.MEMBER else ():
        is_own = declaring.path == file.path and file.name(node) in own
        is_found = is_own or any(_has_statement(declaring, value) for value in _values(declaring, member))
        return (declaring, member.symbol) if is_found else None
    return None


def constant_values(file: QueryFile, node: int) -> Iterator[tuple[WiredFile, int]]:
    """Yield the values of the constant that a name or a dotted name denotes, each with its file."""
    found = file.constant(node)
    if found is not None:
        if found.facts.b >= 0:
            yield found.file, found.facts.b
    elif file.code[node] == Op.MEMBER:
        for declaring, member in _members(file, node):
            yield from ((declaring, value) for value in _values(declaring, member))


def _members(file: QueryFile, node: int) -> Iterator[tuple[WiredFile, Member]]:
    """Yield the attributes that a member of a class or an object denotes, each with its file."""
    name = file.name(node)
    for kind in file.types(file.code[node + 1]):
        place = kind.declared
        shape = place.shape if place is not None else -1
        for declaring, each in place.file.ancestors(shape) if place is not None and shape >= 0 else ():
            for member in declaring.facts.shapes[each].members:
                if member.name == name and member.symbol >= 0 and member.function < 0:
                    yield declaring, member


def _values(file: WiredFile, member: Member) -> Iterator[int]:
    if member.value >= 0:
        yield member.value
        return
    decls = file.facts.decls
    yield from (each.b for each in decls if each.symbol == member.symbol and each.kind == DeclKind.VARIABLE and each.b >= 0)


def _has_statement(file: WiredFile, node: int, depth: int = _MAX_DEPTH) -> bool:
    """Return whether a value has a text that begins like a statement."""
    code, op = file.code, file.code[node] if node >= 0 else -1
    if op == Op.STRING:
        return _SQL.match(file.facts.strings[code[node + 2]]) is not None
    inner: list[int] = []
    if op in (Op.OPERATOR, Op.BINARY):
        inner = [code[node + 1]]
    elif op in (Op.ARRAY, Op.TEMPLATE):
        inner = list(file.items(code[node + 1]))
    elif op == Op.DICT:
        inner = list(file.items(code[node + 2]))
    elif op == Op.CALL:
        inner = [*([code[code[node + 1] + 1]] if code[code[node + 1]] == Op.MEMBER else []), *file.items(code[node + 2])]
    elif op in (Op.PROP, Op.AS):
        inner = [code[node + 1]]
    return depth > 0 and any(_has_statement(file, each, depth - 1) for each in inner[:_MAX_ITEMS])


def _keys(file: QueryFile) -> dict[int, list[str]]:
    """Return the names and texts that choose among the values of an expression: its subscripts, members and arguments."""
    code, found = file.code, defaultdict[int, list[str]](list)
    for node in nodes_of(file.facts, _CHOOSING):
        found[code[node + 1]].append(_text(file, code[node + 2]) if code[node] == Op.INDEX else file.name(node))
    for node in file.facts.calls:
        callee = code[node + 1] if code[node] == Op.CALL else -1
        if callee >= 0 and code[callee] == Op.MEMBER:
            found[code[callee + 1]] += [_text(file, each) for each in file.items(code[node + 2])]
    return {node: [each for each in names if each and " " not in each] for node, names in found.items()}


def _text(file: QueryFile, node: int) -> str:
    """Return the last name of a dotted name, or the text of a string without the quotes that Go and Java keep."""
    if node >= 0 and file.code[node] == Op.STRING:
        return file.facts.strings[file.code[node + 2]].strip("\"'`")
    return file.name(node) if node >= 0 else ""
