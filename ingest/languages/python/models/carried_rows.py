"""Rows that a function assigns to an attribute of a request, or of a similar object, for other functions: `g.user = User()`.

Facts of one file tell the names that the value mentions. Which of them is a model is known when all files are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from ....facts.model import DeclKind
from ....facts.node_scan import CELLS, any_of, nodes_of
from ....facts.operations import NAME_OPS, MemberFlag, Op
from .declarations import DeclaredModel
from .declared import DeclaredNames
from .hints import CARRIED, CARRIERS

_MEMBERS: Final = any_of(Op.MEMBER)
_INNER: Final = (Op.AWAIT, Op.NARROW, Op.LOGICAL, Op.CONDITIONAL)
#: Maximum number of expressions that are read for one value.
_MAX_STEPS: Final = 40


def carried_rows(names: DeclaredNames) -> dict[str, str]:
    """Return the names in the values of each attribute, by the name in place of a model: `attribute:g.user`.

    Commas join the names in one value, and semicolons the values.
    """
    found: dict[str, dict[str, None]] = {}
    code = names.code
    for node in nodes_of(names.facts, _MEMBERS):
        key = _carried(names, node) if code[node + 3] & MemberFlag.WRITTEN else ""
        value = _assigned(names, node) if key else -1
        if value >= 0:
            found.setdefault(key, {})[",".join(dict.fromkeys(_mentioned(names, value)))] = None
    return {key: ";".join(values) for key, values in found.items() if any(values)}


def carrier_of(name: str) -> str:
    """Return the short name of an object that carries rows, by its dotted name; "" for other objects."""
    ends = [short for end, short in CARRIERS.items() if name == end or (end != "flask.g" and name.endswith(f".{end}"))]
    return ends[-1] if ends else ""


def _carried(names: DeclaredNames, node: int) -> str:
    carrier = carrier_of(names.dotted(names.code[node + 1]))
    return f"{CARRIED}{carrier}.{names.facts.strings[names.code[node + 2]]}" if carrier else ""


def _assigned(names: DeclaredNames, node: int) -> int:
    """Return the value that is assigned to a member; -1 if it is not known. It is lowered just before the object."""
    code, first = names.code, names.code[node + 1]
    while code[first] == Op.MEMBER:
        first = code[first + 1]
    value = first - CELLS
    return value if value >= 0 and code[value + 4] > code[node + 4] else -1


def _mentioned(names: DeclaredNames, value: int) -> Iterator[str]:
    """Yield the dotted names in an expression that may be the model of its value, the most likely first."""
    code, waiting, seen = names.code, [value], set[int]()
    while waiting and len(seen) < _MAX_STEPS:
        node = waiting.pop(0)
        if node < 0 or node in seen:
            continue
        seen.add(node)
        if dotted := names.dotted(node):
            yield dotted
        if code[node] in NAME_OPS:
            waiting += list(names.values(node))[1:]
            yield from _annotated(names, node)
        elif code[node] == Op.CALL:
            waiting.append(code[node + 1])
            waiting += names.arguments(node)[:1]
        elif code[node] == Op.MEMBER and not dotted:
            waiting.append(code[node + 1])
        elif code[node] in _INNER:
            waiting += [each for each in code[node + 1 : node + 4] if 0 <= each < node]


def _annotated(names: DeclaredNames, node: int) -> Iterator[str]:
    """Yield the class in the annotation of the parameter that a name denotes."""
    binding = names.code[node + 1]
    for decl in (names.facts.decls[each] for each in (names.facts.bindings[binding].decls if binding >= 0 else ())):
        if decl.kind == DeclKind.PARAMETER and decl.a >= 0:
            yield from (name for each in names.alternatives(decl.a) if (name := names.dotted(each)))


def carried_models(models: Iterable[DeclaredModel], number_of: Callable[[Sequence[str], DeclaredModel], int]) -> dict[str, int]:
    """Return the models of rows in attributes, by the names in place of the models, if all code assigns rows of one model.

    `number_of` returns the number of the first model among the names in a value; -1 for none.
    """
    found: dict[str, set[int]] = {}
    for each in models:
        for option, written in each.model.options.items():
            for value in written.split(";") if option.startswith(CARRIED) else ():
                number = number_of(value.split(","), each)
                if number >= 0:
                    found.setdefault(option, set()).add(number)
    return {attribute: numbers.pop() for attribute, numbers in found.items() if len(numbers) == 1}
