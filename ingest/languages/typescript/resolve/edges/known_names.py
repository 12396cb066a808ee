"""Names that depend on all files of a program: the names of members, and the members that discriminate."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from .....facts.model import DeclKind
from .....facts.node_scan import any_of, nodes_of
from .....facts.operations import MemberFlag, Op
from ...libraries.component_properties import INSTANCE
from ..model.unit import Unit, shape_around_name
from .operator_checks import Discriminants

#: Kinds of symbols to which no member access refers.
_NO_MEMBERS = frozenset(("import", "export", "constructor"))
#: Kinds of members that may be functions.
_METHODS = frozenset(("method", "property", "function"))
#: Kinds of symbols that are functions, but whose value is the result of the function.
_ACCESSORS = frozenset(("getter", "setter"))
_NAMES = any_of(Op.NAME, Op.T_NAME)
_MEMBERS = any_of(Op.MEMBER)
#: Flags of accesses that are no uses of a member of an unknown value.
_NO_READ = MemberFlag.NO_USE | MemberFlag.IMPLIED
_COMPARISONS = any_of(Op.EQUALITY, Op.CASE)


class KnownNames(NamedTuple):
    """Names of a program. The type of a receiver is not computed if the name of the member is in none of the sets."""

    discriminants: Discriminants
    #: Names that may refer to a member of the repository.
    members: Set[str]
    #: Names of members that are functions.
    methods: Set[str]


class FileNames(NamedTuple):
    """The names that one file contributes to the names of its program."""

    members: set[str]
    methods: set[str]


def names_of(unit: Unit) -> FileNames:
    """Return the names of a file's symbols, exports and members."""
    symbols = unit.symbols
    members = {symbol.name for symbol in symbols if symbol.kind not in _NO_MEMBERS}
    members.update([entry.name for entry in unit.facts.exports])
    keys = _possible_keys(unit)
    members |= keys
    for shape in unit.shapes:
        members.update([member.name for member in shape.members if member.symbol >= 0 or shape.name == INSTANCE])
    methods = {symbols[index].name for index in function_symbols(unit) if symbols[index].kind in _METHODS}
    return FileNames(members, methods | keys)


def _possible_keys(unit: Unit) -> set[str]:
    """Return the strings of constants and enums, which computed keys in any file may name."""
    code, strings = unit.code, unit.strings
    found = {value.constant.strip('"') for value in unit.facts.enum_values}
    bindings = [unit.bindings[binding] for scope in unit.scopes.values() for binding in scope.names.values()]
    for decl in (unit.decls[index] for binding in bindings for index in binding.decls):
        value = unit.unwrapped(decl.b) if decl.kind == DeclKind.VARIABLE else -1
        if value >= 0 and code[value] == Op.STRING:
            found.add(strings[code[value + 2]])
        elif value >= 0 and code[value] == Op.OBJECT and value != decl.b:  # `{ … } as const`
            inner = [member.value for member in unit.shapes[code[value + 1]].members if member.value >= 0]
            found.update([strings[code[node + 2]] for node in inner if code[node] == Op.STRING])
    return {name for name in found if name.isidentifier()}


def undeclared_names(unit: Unit) -> set[str]:
    """Return the names that a file uses and does not declare, with undeclared tags and names in templates."""
    code, strings = unit.code, unit.strings
    found = {strings[code[node + 2]] for node in nodes_of(unit.facts, _NAMES) if code[node + 1] < 0}
    if unit.template >= 0:
        found |= {
            strings[code[node + 2]]
            for node in nodes_of(unit.facts, _MEMBERS)
            if node >= unit.template and shape_around_name(unit, node) >= 0
        }
    return {name for name in found if name.isidentifier() or name.startswith("<")}


def compared_names(unit: Unit) -> set[str]:
    """Return the names of members that a file compares with something.

    The checks of the file look up these names among the discriminants of the program.
    """
    code, found = unit.code, set()
    for node in nodes_of(unit.facts, _COMPARISONS):
        for side in (code[node + 1], code[node + 2]) if code[node] == Op.EQUALITY else (code[node + 1],):
            side = unit.unnarrowed(side)
            if side >= 0 and code[side] == Op.MEMBER:
                found.add(unit.strings[code[side + 2]])
    return found


def read_names(unit: Unit) -> set[str]:
    """Return the names of members that a file may read or write in values of unknown type; calls are left out."""
    code, strings = unit.code, unit.strings
    called = {unit.unwrapped(code[node + 1]) for node in unit.facts.calls}
    accesses = [node for node in nodes_of(unit.facts, _MEMBERS) if not code[node + 3] & _NO_READ and node not in called]
    read = {strings[code[node + 2]] for node in accesses}
    return read | {member.name for shape in unit.shapes for member in shape.members if member.extra >= 0}


def function_symbols(unit: Unit) -> frozenset[int]:
    """Return the symbols whose value is a function.

    Accessors are left out, because the value of an accessor is the result of its function.
    """
    symbols = unit.symbols
    return frozenset(fact.symbol for fact in unit.functions if fact.symbol >= 0 and symbols[fact.symbol].kind not in _ACCESSORS)


def is_method(unit: Unit, symbol: int, name: str) -> bool:
    """Return whether a symbol is a member that is a function."""
    fact = unit.symbols[symbol]
    return fact.name == name and fact.kind in _METHODS
