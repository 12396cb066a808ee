"""MapStruct: the class that it generates for a mapper runs the methods of the mapper and of the types that the mapper uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.model import MemberKind
from ...framework_rules.wiring import SymbolPlace, Wired, WiredFile
from .annotations import Annotation, annotated_with, class_nodes, shown

MAPSTRUCT: Final = "MapStruct"
_MAPPERS: Final = ("org.mapstruct.Mapper", "org.mapstruct.MapperConfig")


def mappers(file: WiredFile) -> Iterator[Wired]:
    """Yield the mappers of a file, and the methods that generated code may run. MapStruct chooses them by their types."""
    for shape in file.facts.shapes:
        mark = annotated_with(file, shape.symbol, _MAPPERS) if shape.symbol >= 0 else None
        if mark is None:
            continue
        place = SymbolPlace(file, shape.symbol)
        yield Wired(-1, place, MAPSTRUCT, "component", "annotation", shown(file, mark), file.code[mark.node + 4])
        yield from _methods(file, mark, place)
        for node in class_nodes(file, mark, "uses"):
            for declared in file.declarations(node):
                if declared.symbol is not None:
                    yield from _methods(file, mark, declared.symbol)


def _methods(file: WiredFile, mark: Annotation, place: SymbolPlace) -> Iterator[Wired]:
    """Yield the methods of a type that code in another file may call."""
    text, position = shown(file, mark), file.code[mark.node + 4]
    for shape in place.file.facts.shapes:
        for member in shape.members if shape.symbol == place.symbol else ():
            if member.kind == MemberKind.METHOD and member.symbol >= 0 and not member.optional:
                yield Wired(-1, SymbolPlace(place.file, member.symbol), MAPSTRUCT, "handler", "annotation", text, position)
