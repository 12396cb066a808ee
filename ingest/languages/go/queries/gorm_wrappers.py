"""Functions of a repository that pass their arguments to GORM: `func (d *database) Create(doc any) error`.

In such a function, the type of the row is not known. Each call of the function states it: `db.Create(&user)`. If the callee is a
method of an interface, the function is a method with the same name in the same file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.model import DeclKind
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import Declared
from ..models.gorm_methods import RUN
from .gorm import default_name_of, gorm_reading

#: Names of functions that are likely to run a statement. Only calls of these are looked at.
_LIKELY: Final = re.compile(
    r"(?:Add|All|BatchCreate|Count|Create|Delete|Exists?|Fetch|Find|First|Get|Insert|Last|List|Load|One|Put|Query|Remove|Save|Store"
    r"|Select|Take|Update|Upsert|add|create|count|delete|exists?|fetch|find|first|get|insert|list|load|query|remove|save|select"
    r"|store|update|upsert)\w*"
)


class _Wrapper(NamedTuple):
    """A statement that a function runs for the rows in one of its parameters."""

    #: Index among the arguments of a call.
    parameter: int
    #: Whether the parameter takes all further arguments.
    is_rest: bool
    statement: str
    #: The columns that its conditions name.
    fields: tuple[tuple[str, ...], ...]


def wrapped_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements that calls of such functions run."""
    reading = gorm_reading(file)
    for node in file.facts.calls:
        callee = file.code[node + 1]
        arguments = file.items(file.code[node + 2]) if callee >= 0 and _LIKELY.fullmatch(file.name(callee)) is not None else ()
        for declared in file.declarations(callee) if arguments else ():
            for wrapper in _wrappers(file, declared):
                last = len(arguments) if wrapper.is_rest else wrapper.parameter + 1
                rows = (row for given in arguments[wrapper.parameter : last] for row in reading.rows(given))
                for model in dict.fromkeys(rows):
                    modifies = wrapper.statement != "select"
                    use = FoundUse(model, default_name=default_name_of(model))
                    uses = [use._replace(modifies=modifies, fields=() if modifies else wrapper.fields)]
                    if wrapper.fields and wrapper.statement in ("update", "delete"):
                        uses.append(use._replace(fields=wrapper.fields, of_condition=True))
                    yield FoundQuery(node, wrapper.statement, uses, True)


def _wrappers(file: QueryFile, declared: Declared) -> list[_Wrapper]:
    """Return the statements of a function, or of the methods with its name in its file if the function has no body."""
    key = "gorm_wrappers"
    if key not in declared.file.memory:
        found: dict[str, dict[int, list[_Wrapper]]] = {}
        for symbol, wrapper in _found_wrappers(file.view(declared.file)):
            found.setdefault(declared.file.facts.symbols[symbol].name, {}).setdefault(symbol, []).append(wrapper)
        declared.file.memory[key] = found
    every = declared.file.memory[key]
    assert isinstance(every, dict)
    symbol = declared.facts.symbol
    named: dict[int, list[_Wrapper]] = every.get(declared.facts.name, {})
    if symbol in named:
        return named[symbol]
    facts = declared.file.facts
    is_abstract = not any(each.symbol == symbol and each.has_body for each in facts.functions)
    return next(iter(named.values())) if is_abstract and len(named) == 1 else []


def _found_wrappers(file: QueryFile) -> Iterator[tuple[int, _Wrapper]]:
    """Yield the statements of a file whose rows are parameters, each with the symbol of the function."""
    reading, parameters = gorm_reading(file), None
    for node in file.facts.calls:
        last = reading.link(node)
        if last is None or last.name not in RUN or not reading.is_own(node):
            continue
        parameters = parameters if parameters is not None else _parameters(file)
        chain = reading.chain(last)
        for given in reading.row_arguments(last, chain):
            owner, place, is_rest = parameters.get(_declaration(file, given), (-1, -1, False))
            if owner >= 0 and owner == file.owner(node):
                yield owner, _Wrapper(place, is_rest, RUN[last.name], reading.fields(chain))


def _parameters(file: QueryFile) -> dict[int, tuple[int, int, bool]]:
    """Return the function of each parameter of any type by its declaration, with its place in calls. A receiver has no place."""
    found: dict[int, tuple[int, int, bool]] = {}
    for function in file.facts.functions:
        is_method = function.symbol >= 0 and file.facts.symbols[function.symbol].kind == "method"
        for place, each in enumerate(function.parameters[1:] if is_method else function.parameters):
            if each.decl >= 0 and _is_open(file, each.type):
                found[each.decl] = (function.symbol, place, each.rest)
    return found


def _is_open(file: QueryFile, node: int) -> bool:
    """Return whether a type is `any`, an interface without a name, or a type parameter."""
    code, facts = file.code, file.facts
    if node < 0 or code[node] != Op.NAME:
        return node >= 0 and code[node] == Op.T_OBJECT
    declared = facts.bindings[code[node + 1]].decls if code[node + 1] >= 0 else ()
    is_parameter = any(facts.decls[each].kind == DeclKind.TYPE_PARAMETER for each in declared)
    return is_parameter or (not declared and facts.strings[code[node + 2]] == "any")


def _declaration(file: QueryFile, node: int) -> int:
    """Return the declaration of a name; -1 for other expressions."""
    code, facts = file.code, file.facts
    declared = facts.bindings[code[node + 1]].decls if node >= 0 and code[node] in NAME_OPS and code[node + 1] >= 0 else ()
    return declared[0] if len(declared) == 1 else -1
