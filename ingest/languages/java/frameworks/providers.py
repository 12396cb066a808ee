"""The types that components and methods provide to containers for injection, with names and conditions.

An edge with the role "provider" goes from a component to each type for which the container may inject the component. The text of
the edge begins with the name of the component, for qualifiers such as `@Qualifier("net")`: `net @Primary @Profile("prod")`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ....facts.model import Member, MemberKind, Shape
from ....facts.operations import Op
from ...framework_rules.imported_modules import imported_modules
from ...framework_rules.wiring import Declared, SymbolPlace, Wired, WiredFile
from .annotations import Annotation, annotations_of, shown, texts
from .jakarta import CDI
from .micronaut import MICRONAUT
from .spring import COMPONENTS, SPRING

#: Annotations that contain the name of an injected or a provided value.
NAMES: Final = frozenset(
    (
        "org.springframework.beans.factory.annotation.Qualifier",
        "jakarta.inject.Named",
        "javax.inject.Named",
        "com.google.inject.name.Named",
    )
)
#: Annotations that declare another annotation as a qualifier of injected values.
_QUALIFIERS: Final = frozenset(
    (
        "org.springframework.beans.factory.annotation.Qualifier",
        "jakarta.inject.Qualifier",
        "javax.inject.Qualifier",
        "com.google.inject.BindingAnnotation",
    )
)
_CONTEXT: Final = "org.springframework.context.annotation"
_CONDITIONS: Final = frozenset(
    (
        f"{_CONTEXT}.Primary",
        f"{_CONTEXT}.Fallback",
        f"{_CONTEXT}.Profile",
        f"{_CONTEXT}.Conditional",
        *(
            f"{package}.enterprise.inject.{name}"
            for package in ("jakarta", "javax")
            for name in ("Alternative", "Default", "Any")
        ),
        *(f"{package}.annotation.Priority" for package in ("jakarta", "javax")),
        "io.quarkus.arc.DefaultBean",
        "io.micronaut.context.annotation.Primary",
    )
)
_CONDITIONAL: Final = "org.springframework.boot.autoconfigure.condition.Conditional"
#: Frameworks by annotation: annotations of methods that create injected values, and annotations of components.
_METHODS: Final = {
    f"{_CONTEXT}.Bean": SPRING.name,
    "jakarta.enterprise.inject.Produces": CDI.name,
    "javax.enterprise.inject.Produces": CDI.name,
    "io.micronaut.context.annotation.Bean": "Micronaut",
    "com.google.inject.Provides": "Guice",
    "dagger.Provides": "Dagger",
    "dagger.Binds": "Dagger",
}
_TYPES: Final = dict.fromkeys(COMPONENTS, SPRING.name) | {
    name: framework.name for framework in (CDI, MICRONAUT) for name, role in framework.annotations.items() if role == "component"
}


def provided(file: WiredFile) -> Iterator[Wired]:
    """Yield the types that the components and the methods of a file provide."""
    annotations = annotations_of(file)
    for index, shape in enumerate(file.facts.shapes):
        if shape.symbol < 0:
            continue
        found = _first_known(annotations.get(shape.symbol, ()), _TYPES)
        if found is not None:
            yield from _of_type(file, index, shape, *found)
        for member in shape.members:
            if member.kind == MemberKind.METHOD and member.symbol >= 0:
                found = _first_known(annotations.get(member.symbol, ()), _METHODS)
                if found is not None:
                    yield from _of_method(file, member, *found)
    yield from _bound(file)


def qualifier(file: WiredFile, symbol: int, parameter: int = -1) -> str:
    """Return the qualifier of an injected field or parameter: `@Qualifier("audit")`; "" if there is none."""
    for each in annotations_of(file).get(symbol, ()):
        if each.parameter == parameter:
            if any(name in NAMES for name in each.qualified):
                return f'@{each.name}("{next(iter(texts(file, each, "value")), "")}")'
            if _qualifies(file, each):
                return shown(file, each)
    return ""


def _first_known(listed: Iterable[Annotation], known: Mapping[str, str]) -> tuple[Annotation, str] | None:
    for each in listed:
        for name in each.qualified:
            if name in known and each.parameter < 0:
                return each, known[name]
    return None


def _qualifies(file: WiredFile, annotation: Annotation) -> bool:
    """Return whether the repository declares an annotation as a qualifier."""
    for declared in file.declarations(file.code[annotation.node + 1]):
        place = declared.symbol
        marks = annotations_of(place.file).get(place.symbol, ()) if place is not None else ()
        if any(name in _QUALIFIERS for mark in marks for name in mark.qualified):
            return True
    return False


def _of_type(file: WiredFile, index: int, shape: Shape, mark: Annotation, framework: str) -> Iterator[Wired]:
    text = _described(file, shape.symbol, mark, shape.name[:1].lower() + shape.name[1:])
    for other, place in file.ancestors(index):
        above = other.facts.shapes[place]
        if above.symbol >= 0 and (other is not file or place != index):
            yield Wired(shape.symbol, SymbolPlace(other, above.symbol), framework, "provider", "annotation", text, shape.position)


def _of_method(file: WiredFile, member: Member, mark: Annotation, framework: str) -> Iterator[Wired]:
    text = _described(file, member.symbol, mark, member.name)
    for declared in named_types(file, file.facts.functions[member.function].return_type):
        place = declared.symbol
        if place is not None:
            yield Wired(member.symbol, place, framework, "provider", "annotation", text, member.position)


def _described(file: WiredFile, symbol: int, mark: Annotation, name: str) -> str:
    """Return the name of a component, and the annotations that decide whether the container chooses the component."""
    name = next(iter(texts(file, mark, "value", "name")), name)
    marks: list[str] = []
    for each in annotations_of(file).get(symbol, ()):
        if each.parameter >= 0:
            continue
        if any(known in NAMES for known in each.qualified):
            name = next(iter(texts(file, each, "value")), name)
        elif any(known in _CONDITIONS or known.startswith(_CONDITIONAL) for known in each.qualified) or _qualifies(file, each):
            marks.append(shown(file, each))
    return " ".join([name, *marks])


def named_types(file: WiredFile, written: int) -> list[Declared]:
    """Return the types of the repository that a type node names, without its type arguments."""
    code = file.code
    if written >= 0 and code[written] == Op.T_REFERENCE:
        written = code[written + 1]
    return file.declarations(written) if written >= 0 and code[written] in (Op.NAME, Op.LEXICAL, Op.MEMBER) else []


def _bound(file: WiredFile) -> Iterator[Wired]:
    """Yield the classes that modules of Guice bind: `bind(Prices.class).annotatedWith(...).to(NetPrices.class)`."""
    if not any(module.startswith("com.google.inject") for module in imported_modules(file.facts)):
        return
    code = file.code
    for node in file.facts.calls:
        callee = code[node + 1]
        if code[node] != Op.CALL or callee < 0 or code[callee] != Op.MEMBER or file.name(callee) not in ("to", "toProvider"):
            continue
        given, bound, owner = _class_in(file, node), _binding(file, code[callee + 1]), file.owner(node)
        if given < 0 or not bound or owner < 0:
            continue
        for declared in named_types(file, given):
            place = declared.symbol
            if place is not None:
                text = f"bind({bound}).{file.name(callee)}({file.name(given)})"
                yield Wired(owner, place, "Guice", "provider", "call", text, code[node + 4])


def _class_in(file: WiredFile, call: int) -> int:
    """Return the type node in a call such as `to(NetPrices.class)`; -1 for other arguments."""
    arguments = file.items(file.code[call + 2])
    is_class = len(arguments) == 1 and arguments[0] >= 0 and file.name(arguments[0]) == "class"
    return file.code[arguments[0] + 1] if is_class else -1


def _binding(file: WiredFile, node: int) -> str:
    """Return the name of the type that a chain of calls binds; "" for other chains."""
    code = file.code
    while node >= 0 and code[node] == Op.CALL:
        callee = code[node + 1]
        if callee < 0:
            return ""
        if file.name(callee) == "bind":
            given = _class_in(file, node)
            return file.name(given) if given >= 0 else ""
        node = code[callee + 1] if code[callee] == Op.MEMBER else -1
    return ""
