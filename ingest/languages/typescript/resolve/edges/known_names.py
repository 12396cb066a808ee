"""What only all files of a program together tell: which names are worth a look at types, and which members tell types apart."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from .....facts.model import Op
from ..model.node_scan import any_of, nodes_of
from ..model.program import Unit
from .operator_checks import Discriminants

#: Kinds of symbols that no member access leads to.
_NO_MEMBERS = frozenset(("import", "export", "constructor"))
#: Kinds of symbols that hold a function as a member, and those whose value is what a function gives.
_METHODS = frozenset(("method", "property", "function"))
_ACCESSORS = frozenset(("getter", "setter"))
_COMPARISONS = any_of(Op.EQUALITY, Op.CASE)
_TRANSPARENT = frozenset((Op.NARROW, Op.NON_NULL))


class KnownNames(NamedTuple):
    """Names of a program. The two sets spare looks at types that would find nothing."""

    discriminants: Discriminants
    #: Names that may lead to a member of the repository.
    members: Set[str]
    #: Names of members that are functions.
    methods: Set[str]


class FileNames(NamedTuple):
    """What one file adds to the names of its program."""

    members: set[str]
    methods: set[str]


def names_of(unit: Unit) -> FileNames:
    """Names of one file: those of its symbols, exports and members."""
    symbols = unit.symbols
    members = {symbol.name for symbol in symbols if symbol.kind not in _NO_MEMBERS}
    members.update([entry.name for entry in unit.facts.exports])
    for shape in unit.shapes:
        members.update([member.name for member in shape.members if member.symbol >= 0])
    methods = {symbols[index].name for index in function_symbols(unit) if symbols[index].kind in _METHODS}
    return FileNames(members, methods)


def compared_names(unit: Unit) -> set[str]:
    """Names of members that the file compares with something: what its checks ask the discriminants of the program for."""
    code, found = unit.code, set()
    for node in nodes_of(unit, _COMPARISONS):
        for side in (code[node + 1], code[node + 2]) if code[node] == Op.EQUALITY else (code[node + 1],):
            while side >= 0 and code[side] in _TRANSPARENT:
                side = code[side + 1]
            if side >= 0 and code[side] == Op.MEMBER:
                found.add(unit.strings[code[side + 2]])
    return found


def function_symbols(unit: Unit) -> frozenset[int]:
    """The symbols whose value is a function; an accessor's is what it gives."""
    symbols = unit.symbols
    return frozenset(fact.symbol for fact in unit.functions if fact.symbol >= 0 and symbols[fact.symbol].kind not in _ACCESSORS)


def is_method(unit: Unit, symbol: int, name: str) -> bool:
    """Whether a function is a member of this name."""
    fact = unit.symbols[symbol]
    return fact.name == name and fact.kind in _METHODS
