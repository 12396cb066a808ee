"""Values that containers inject, by the types of fields, and of parameters of constructors and methods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.model import MemberKind, Shape
from ....facts.operations import Op
from ...framework_rules.wiring import SymbolPlace, Wired, WiredFile
from .annotations import annotated_with, annotations_of
from .jakarta import CDI, INJECTED, JAX_RS
from .micronaut import MICRONAUT
from .providers import named_types, qualifier
from .spring import COMPONENTS, SPRING

_BEANS: Final = frozenset(("org.springframework.context.annotation.Bean",))
#: Generic types whose last type argument is the injected type: `Provider<Prices>`.
_HOLDERS: Final = frozenset(
    (
        "List",
        "Set",
        "Collection",
        "Map",
        "Optional",
        "Provider",
        "ObjectProvider",
        "ObjectFactory",
        "Instance",
        "Lazy",
        "Supplier",
    )
)
_CONTAINERS: Final = dict.fromkeys(COMPONENTS, SPRING.name) | {
    name: framework.name
    for framework in (CDI, JAX_RS, MICRONAUT)
    for name, role in framework.annotations.items()
    if role == "component"
}


def injected(file: WiredFile) -> Iterator[Wired]:
    """Yield the values that containers inject into the types of a file, and the constructors and methods that take them."""
    for shape in file.facts.shapes:
        if shape.symbol >= 0:
            yield from _of_type(file, shape)


def _of_type(file: WiredFile, shape: Shape) -> Iterator[Wired]:
    framework, container = next(
        (
            (_CONTAINERS[name], each.name)
            for each in annotations_of(file).get(shape.symbol, ())
            for name in each.qualified
            if name in _CONTAINERS
        ),
        ("", ""),
    )
    constructors = [each for each in shape.members if each.kind == MemberKind.CONSTRUCTOR and each.symbol >= 0]
    for member in shape.members:
        if member.symbol < 0:
            continue
        mark = annotated_with(file, member.symbol, INJECTED)
        name = _framework(mark.qualified) if mark is not None else framework
        if member.kind == MemberKind.PROPERTY:
            if mark is not None:
                text = qualifier(file, member.symbol) or f"@{mark.name} {member.name}"
                yield from _injected_types(file, member.symbol, member.type, name, text, member.position)
        elif member.function >= 0:
            is_only = bool(framework) and member.kind == MemberKind.CONSTRUCTOR and len(constructors) == 1
            if mark is not None or is_only:
                run_by = f"@{mark.name if mark is not None else container}"
                yield Wired(-1, SymbolPlace(file, member.symbol), name, "hook", "annotation", run_by, member.position)
            is_bean = member.kind == MemberKind.METHOD and annotated_with(file, member.symbol, _BEANS) is not None
            if mark is not None or is_only or is_bean:
                for place, parameter in enumerate(file.facts.functions[member.function].parameters):
                    text = qualifier(file, member.symbol, place) or parameter.name
                    position = file.facts.decls[parameter.decl].position if parameter.decl >= 0 else member.position
                    yield from _injected_types(file, member.symbol, parameter.type, name or SPRING.name, text, position)


def _framework(qualified: tuple[str, ...]) -> str:
    names = [name for name in qualified if name in INJECTED]
    if any(name.startswith("com.google") for name in names):
        return "Guice"
    return SPRING.name if any(name.startswith("org.springframework") for name in names) else CDI.name


def _injected_types(file: WiredFile, source: int, written: int, framework: str, text: str, position: int) -> Iterator[Wired]:
    """Yield the types of the repository that a container injects for a type node."""
    code = file.code
    if written >= 0 and code[written] == Op.T_REFERENCE:
        base, arguments = code[written + 1], file.items(code[written + 2])
        written = arguments[-1] if arguments and base >= 0 and file.name(base) in _HOLDERS else base
    for declared in named_types(file, written):
        place = declared.symbol
        if place is not None:
            yield Wired(source, place, framework, "dependency", "parameter", text, position)
