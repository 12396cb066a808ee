"""The parts of a file that the rules for queries read: types with their annotations, and calls of methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ....facts.operations import Op
from ...framework_rules.wiring import SymbolPlace, WiredFile
from ..models.declared import AnnotatedTypes

_KEY: Final = "annotated types"
_WRITTEN: Final = "written types"


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
