"""Queries of PgTyped: ``sql`SELECT …` `` in code, and functions that it generates from files of SQL.

`findBook.run({ id: 1 }, client)` runs the statement of the variable `findBook`: https://pgtyped.dev/docs/sql-file-intro.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.data import NAMED_QUERY, ModelUse
from ....facts.model import DeclKind, FileFacts
from ....facts.operations import Op
from ..resolve.call_targets import unwrapped
from ..resolve.engine import Engine
from ..resolve.model.binder import Declared
from ..resolve.model.unit import Unit

_PACKAGE: Final = re.compile(r"@pgtyped/(?:runtime|query)")
_RUN: Final = "run"
_HUMP: Final = re.compile(r"(?<!^)([A-Z])")


def name_tagged_queries(facts: FileFacts) -> None:
    """Give the statements in the tagged templates of a file's variables the names of the variables."""
    if facts.data is None or not any(_PACKAGE.fullmatch(each.specifier) for each in facts.imports):
        return
    unit = Unit(0, "", facts)
    names = {decl.symbol: decl.name for decl in unit.decls if decl.symbol >= 0 and _maker(unit, decl.b, decl.kind) == Op.TAGGED}
    for query in facts.data.queries:
        query.name = query.name or names.get(query.symbol, "")


def named_queries(engine: Engine, unit: Unit) -> Iterator[tuple[int, str, tuple[ModelUse, ...]]]:
    """Yield the calls of a file that run a query by its variable."""
    code = unit.code
    for node in unit.facts.calls:
        callee = unwrapped(unit, code[node + 1]) if code[node] == Op.CALL else -1
        if callee < 0 or code[callee] != Op.MEMBER or unit.strings[code[callee + 2]] != _RUN:
            continue
        entity = engine.binder.named(unit, unwrapped(unit, code[callee + 1]))
        uses = _uses(entity) if isinstance(entity, Declared) and not entity.unit.external else ()
        if uses:
            yield node, "", uses


def _uses(entity: Declared) -> tuple[ModelUse, ...]:
    """Return the names that the query of a variable may have. A local variable needs none: its function holds the statement."""
    for index in entity.facts.decls:
        decl = entity.unit.decls[index]
        maker = _maker(entity.unit, decl.b, decl.kind)
        if maker == Op.TAGGED and decl.symbol >= 0:
            return (_use(decl.name, entity.unit),)
        if maker == Op.NEW:
            # PgTyped writes the names of queries in camel case.
            first = decl.name[:1]
            names = (decl.name, f"{first.upper()}{decl.name[1:]}", _HUMP.sub(r"_\1", decl.name).lower())
            return tuple(_use(name, entity.unit) for name in dict.fromkeys(names))
    return ()


def _use(name: str, unit: Unit) -> ModelUse:
    return ModelUse(f"{NAMED_QUERY}{name} {unit.path}", (), False)


def _maker(unit: Unit, value: int, kind: int) -> int:
    """Return how a variable gets a query of PgTyped: `Op.TAGGED` or `Op.NEW`; -1 for another variable."""
    code = unit.code
    node = unwrapped(unit, value) if kind == DeclKind.VARIABLE and value >= 0 else -1
    if node < 0 or code[node] not in (Op.TAGGED, Op.NEW):
        return -1
    callee = unwrapped(unit, code[node + 1])
    binding = code[callee + 1] if code[callee] == Op.NAME else -1
    declared = [unit.decls[index] for index in unit.bindings[binding].decls] if binding >= 0 else []
    imported = [unit.facts.imports[decl.a].specifier for decl in declared if decl.kind == DeclKind.IMPORT]
    return code[node] if any(_PACKAGE.fullmatch(specifier) for specifier in imported) else -1
