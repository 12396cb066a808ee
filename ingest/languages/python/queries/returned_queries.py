"""What a called function of the repository returns, in whichever file it stands: the basis for queries that functions build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ....facts.model import DeclKind, Function
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import QueryFile
from ...framework_rules.wiring import SymbolPlace, WiredFile
from .passed_values import OWN_OBJECT
from .written_calls import WrittenCall


class ReturnedValue(NamedTuple):
    """An expression that a function returns."""

    file: QueryFile
    node: int
    function: Function


def returned_values(file: QueryFile, call: WrittenCall, models: Iterable[SymbolPlace] = ()) -> Iterator[ReturnedValue]:
    """Yield the expressions that the called functions of the repository return.

    If the type engine does not know the receiver, `models` has the models of its rows.
    What a function with a declared result returns is not part of the surface of its file, so only code of that file may read it.
    """
    declared = [each for each in file.declarations(call.callee) if each.facts.kind == DeclKind.FUNCTION]
    found = [(each.file, each.file.facts.functions[each.facts.a]) for each in declared]
    for declaring, function in found or [each for model in models for each in _methods(model, call.name)]:
        if declaring.path == file.path or function.return_type < 0:
            view = file.view(declaring)
            yield from (ReturnedValue(view, node, function) for node in function.returns)


def declared_results(file: QueryFile, call: WrittenCall) -> Iterator[tuple[QueryFile, int]]:
    """Yield the written results of the called functions, each with its file."""
    for each in file.declarations(call.callee):
        result = each.file.facts.functions[each.facts.a].return_type if each.facts.kind == DeclKind.FUNCTION else -1
        if result >= 0:
            yield file.view(each.file), result


def _methods(model: SymbolPlace, name: str) -> Iterator[tuple[WiredFile, Function]]:
    """Yield the method that a class has by a name, if a class of the repository declares it."""
    shape = model.shape
    for declaring, each in model.file.ancestors(shape) if shape >= 0 else ():
        members = declaring.facts.shapes[each].members
        methods = [member.function for member in members if member.name == name and member.function >= 0]
        if methods:
            yield declaring, declaring.facts.functions[methods[-1]]
            return


def argument_for(value: ReturnedValue, name: int, call: WrittenCall) -> int:
    """Return the argument of a call for the parameter that a name in the called function denotes; -1 if there is none."""
    code, facts = value.file.code, value.file.facts
    if code[name] == Op.DECLARED:
        declared: Sequence[int] = [code[name + 1]]
    else:
        declared = facts.bindings[code[name + 1]].decls if code[name] in NAME_OPS and code[name + 1] >= 0 else []
    names = [facts.decls[each].name for each in declared if facts.decls[each].kind == DeclKind.PARAMETER]
    if not names:
        return -1
    written = [each.name for each in value.function.parameters]
    if written[:1] and written[0] in OWN_OBJECT and call.receiver >= 0:
        written = written[1:]
    place = written.index(names[0]) if names[0] in written else -1
    is_given = 0 <= place < len(call.positional)
    return call.positional[place] if is_given else call.named.get(names[0], -1)
