"""Methods whose names are in annotations of tests: sources of arguments (JUnit's `@MethodSource`), and conditions
(`@EnabledIf`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.model import MemberKind, Shape
from ...framework_rules.wiring import SymbolPlace, Wired, WiredFile
from .annotations import Annotation, annotations_of, shown, texts

#: Annotations with the names of methods. Without a name, an annotation refers to the method with the name of the test.
_SOURCE: Final = "org.junit.jupiter.params.provider.MethodSource"
_NAMING: Final = frozenset(
    (
        _SOURCE,
        "org.junit.jupiter.api.condition.EnabledIf",
        "org.junit.jupiter.api.condition.DisabledIf",
    )
)


def named_methods(file: WiredFile) -> Iterator[Wired]:
    """Yield the methods that annotations of the tests of a file name."""
    annotations = annotations_of(file)
    for index, shape in enumerate(file.facts.shapes):
        # Names of symbols may be shortened, but names of members are not.
        methods = [(member.symbol, member.name) for member in shape.members if member.kind == MemberKind.METHOD]
        for symbol, own in [(shape.symbol, ""), *methods]:
            for each in annotations.get(symbol, ()) if symbol >= 0 else ():
                if each.parameter < 0 and any(name in _NAMING for name in each.qualified):
                    yield from _named(file, index, symbol, own, each)


def _named(file: WiredFile, index: int, symbol: int, own: str, mark: Annotation) -> Iterator[Wired]:
    for name in texts(file, mark, "value") or [own] * (_SOURCE in mark.qualified):
        holder, _, method = name.partition("(")[0].rpartition("#")
        start = index if not holder else _shape_named(file.facts.shapes, holder.replace("$", ".").rpartition(".")[2])
        place = _method_named(file, start, method, symbol) if start >= 0 else None
        if place is not None:
            yield Wired(symbol, place, "JUnit", "fixture", "annotation", shown(file, mark), file.code[mark.node + 4])


def _shape_named(shapes: list[Shape], name: str) -> int:
    return next((index for index, shape in enumerate(shapes) if shape.name == name), -1)


def _method_named(file: WiredFile, shape: int, name: str, symbol: int) -> SymbolPlace | None:
    """Return the method with a name in a type or its ancestors, other than the test itself."""
    for other, place in file.ancestors(shape):
        for member in other.facts.shapes[place].members:
            is_other = other is not file or member.symbol != symbol
            if member.kind == MemberKind.METHOD and member.name == name and member.symbol >= 0 and is_other:
                return SymbolPlace(other, member.symbol)
    return None
