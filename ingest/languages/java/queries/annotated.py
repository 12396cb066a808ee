"""The parts of a file that the rules for queries read: types with their annotations, and calls of methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ....facts.model import Decl
from ....facts.operations import Op
from ...framework_rules.wiring import SymbolPlace, WiredFile
from ..models.declared import AnnotatedTypes

_KEY: Final = "annotated types"
_WRITTEN: Final = "written types"
#: Method of several libraries that assigns a column in a statement.
_SET: Final = "set"


def types_of(file: WiredFile) -> AnnotatedTypes:
    """Return the types of a file with their annotations."""
    known = file.memory.get(_KEY)
    if not isinstance(known, AnnotatedTypes):
        known = file.memory[_KEY] = AnnotatedTypes(file.facts)
    return known


def shape_around(file: WiredFile, node: int) -> int:
    """Return the index of the innermost class around a node among the shapes of its file; -1 for none."""
    symbols, symbol = file.facts.symbols, file.owner(node)
    while symbol >= 0:
        shape = SymbolPlace(file, symbol).shape
        if shape >= 0:
            return shape
        symbol = symbols[symbol].parent
    return -1


def written_types(file: WiredFile) -> Mapping[str, str]:
    """Return the written types of the fields and parameters of a file by name; "" for a name with several types."""
    known = file.memory.get(_WRITTEN)
    if isinstance(known, dict):
        return known
    types, found = types_of(file), dict[str, str]()
    members = [(each.name, each.type) for shape in file.facts.shapes for each in shape.members]
    parameters = [(each.name, each.type) for function in file.facts.functions for each in function.parameters]
    for name, node in (*members, *parameters):
        if node >= 0:
            written = types.type_names(node)[0]
            found[name] = written if found.get(name, written) == written else ""
    file.memory[_WRITTEN] = found
    return found


def method_calls(file: WiredFile) -> Iterator[tuple[int, int]]:
    """Yield the calls of members, each with its callee."""
    for node in file.facts.calls:
        callee = file.code[node + 1] if file.code[node] == Op.CALL else -1
        if callee >= 0 and file.code[callee] == Op.MEMBER:
            yield node, callee


def set_columns(file: WiredFile) -> set[int]:
    """Return the columns that code assigns: the first arguments of calls of `set`."""
    return {
        arguments[0]
        for node, callee in method_calls(file)
        if file.name(callee) == _SET and (arguments := file.items(file.code[node + 2]))
    }


def variable_of(file: WiredFile, node: int) -> Decl | None:
    """Return the only declaration of a local variable or a parameter; None for other expressions."""
    if node < 0 or file.code[node] != Op.NAME or file.code[node + 1] < 0:
        return None
    decls = file.facts.bindings[file.code[node + 1]].decls
    return file.facts.decls[decls[0]] if len(decls) == 1 else None
