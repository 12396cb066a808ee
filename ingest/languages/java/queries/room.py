"""Data access objects of Room: `@Insert void add(Task... tasks)`. Statements in `@Query` are found in all code.

See https://developer.android.com/training/data-storage/room/accessing-data.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....facts.model import MemberKind
from ....facts.operations import Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...jvm.room import PACKAGES, STATEMENTS
from ..models.declared import AnnotatedTypes
from ..models.queried import NAME
from ..models.relational import annotation_of
from .annotated import types_of


def room_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements that annotations of methods describe."""
    types = types_of(file)
    if not any(each.startswith(PACKAGES) for each in types.imported()):
        return
    for shape in file.facts.shapes:
        for member in shape.members:
            if member.kind != MemberKind.METHOD or member.function < 0 or member.symbol < 0:
                continue
            parameters = [each.type for each in file.facts.functions[member.function].parameters]
            for name, statement in STATEMENTS.items():
                annotation = annotation_of(types, member.symbol, name, *PACKAGES)
                if annotation is None:
                    continue
                stated = annotation.get("entity")
                is_stated = stated >= 0 and types.code[stated] == Op.MEMBER
                entities = [types.qualified(types.code[stated + 1])] if is_stated else [_row(types, each) for each in parameters]
                uses = [FoundUse(f"{NAME}{each.rpartition('.')[2]}", (), True) for each in dict.fromkeys(entities) if each]
                if uses and parameters:
                    yield FoundQuery(parameters[0], statement, uses, symbol=member.symbol)


def _row(types: AnnotatedTypes, node: int) -> str:
    """Return the class in the type of a parameter: `Task`, `List<Task>`, `Task[]`."""
    name, arguments = types.type_names(node)
    return _row(types, arguments[0]) if arguments else name
