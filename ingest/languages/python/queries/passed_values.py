"""What the calls in a file pass to the parameters of the functions of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.model import Decl, DeclKind
from ....facts.operations import Op
from ...framework_rules.queries import QueryFile
from .written_calls import calls_by_name

#: First parameters of methods, which no argument of a call gives.
OWN_OBJECT: Final = ("self", "cls")
#: Maximum number of models that call sites may pass to a parameter. More are the result of a dispatch by names at run time, and
#: each function gets the rows of few of them.
MAX_INFERRED: Final = 3


def parameter_of(file: QueryFile, node: int) -> Decl | None:
    """Return the parameter that a name denotes; None for other expressions."""
    code, facts = file.code, file.facts
    if code[node] == Op.DECLARED:
        found: Sequence[int] = [code[node + 1]]
    else:
        found = facts.bindings[code[node + 1]].decls if code[node] == Op.NAME and code[node + 1] >= 0 else []
    parameters = [facts.decls[each] for each in found if facts.decls[each].kind == DeclKind.PARAMETER]
    return parameters[0] if len(parameters) == 1 else None


def given_to(file: QueryFile, node: int) -> Iterator[int]:
    """Yield what the calls of a file, by the name of the callee, pass to the parameter that a name denotes."""
    parameter = parameter_of(file, node)
    if parameter is None:
        return
    function = file.facts.functions[parameter.c]
    names = [each.name for each in function.parameters]
    if function.symbol < 0 or parameter.name in OWN_OBJECT or parameter.name not in names:
        return
    place = names.index(parameter.name) - (names[0] in OWN_OBJECT)
    for call in calls_by_name(file).get(file.facts.symbols[function.symbol].name, ()):
        given = call.positional[place] if place < len(call.positional) else call.named.get(parameter.name, -1)
        declared = file.declarations(call.callee) if given >= 0 else []
        if any(each.file.path == file.path and each.facts.symbol == function.symbol for each in declared):
            yield given
