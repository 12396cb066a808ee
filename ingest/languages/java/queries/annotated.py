"""The parts of a file that the rules for queries read: types with their annotations, and calls of methods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.operations import Op
from ...framework_rules.wiring import WiredFile
from ..models.declared import AnnotatedTypes

_KEY: Final = "annotated types"


def types_of(file: WiredFile) -> AnnotatedTypes:
    """Return the types of a file with their annotations."""
    known = file.memory.get(_KEY)
    if not isinstance(known, AnnotatedTypes):
        known = file.memory[_KEY] = AnnotatedTypes(file.facts)
    return known


def method_calls(file: WiredFile) -> Iterator[tuple[int, int]]:
    """Yield the calls of members, each with its callee."""
    for node in file.facts.calls:
        callee = file.code[node + 1] if file.code[node] == Op.CALL else -1
        if callee >= 0 and file.code[callee] == Op.MEMBER:
            yield node, callee
