"""The rules of all frameworks of Java, in the form that the engine uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.api import method_text
from ....facts.model import FileFacts, Function, Member, MemberKind, Shape
from ....facts.operations import Op
from ....files.workspace_files import WorkspaceFiles
from ...framework_rules.wiring import Declared, ImpliedImport, SymbolPlace, Wired, WiredFile
from .annotations import Annotation, annotations_of, shown
from .clients import EXCHANGE, FEIGN, REST_CLIENTS, RETROFIT
from .conventions import Framework
from .functional_routes import functional_routes
from .guice import AUTO_SERVICE, DAGGER, GUICE
from .injection import injected
from .jakarta import CDI, JAX_RS, JPA, OBSERVED, PATHS, SERVLET
from .mapstruct import mappers
from .method_sources import named_methods
from .micronaut import MICRONAUT, QUARKUS
from .providers import provided
from .routes import mapping, request
from .service_loader import services
from .spring import SPRING
from .testing import JUNIT, JUNIT_FIXTURES, TESTNG

_TABLE: Final = (
    SPRING,
    JAX_RS,
    JPA,
    CDI,
    MICRONAUT,
    QUARKUS,
    SERVLET,
    EXCHANGE,
    RETROFIT,
    FEIGN,
    REST_CLIENTS,
    JUNIT,
    JUNIT_FIXTURES,
    TESTNG,
    GUICE,
    DAGGER,
    AUTO_SERVICE,
)
_BY_ANNOTATION: Final = {
    name: (framework.name, role) for framework in reversed(_TABLE) for name, role in framework.annotations.items()
} | dict.fromkeys(PATHS, (JAX_RS.name, "component"))

#: Maximum depth of annotations on annotation types, from the annotation of a declaration to the annotation of a framework.
_MAX_LEVELS: Final = 2


class JavaWiring:
    """The rules of Java's frameworks for the engine."""

    def of_workspace(self, files: WorkspaceFiles) -> JavaWiring:
        """Return these rules, because manifests have no effect."""
        return self

    def implied_imports(self, facts: FileFacts) -> list[ImpliedImport]:
        """Return no modules: the dependencies of a Java file follow from its import statements and its package."""
        return []

    def injected(self, file: WiredFile, function: int, name: str) -> Declared | None:
        """Return None: no framework of Java injects values into parameters by name."""
        return None

    def wired(self, file: WiredFile) -> Iterator[Wired]:
        """Yield the declarations of a file that frameworks use."""
        yield from _annotated(file)
        yield from injected(file)
        yield from provided(file)
        yield from services(file)
        yield from named_methods(file)
        yield from mappers(file)
        yield from _functional(file)
        for index, shape in enumerate(file.facts.shapes):
            if shape.symbol >= 0:
                yield from _main_methods(file, shape)
                yield from _derived(file, index)


def _annotated(file: WiredFile) -> Iterator[Wired]:
    for symbol, listed in annotations_of(file).items():
        if symbol < 0:
            continue
        for each in listed:
            if each.parameter >= 0:
                if any(name in OBSERVED for name in each.qualified):
                    yield _on_symbol(file, each, symbol, CDI.name, "handler", shown(file, each))
                continue
            known = _known(each) or next((found for mark in _meta(file, each) if (found := _known(mark)) is not None), None)
            if known is None:
                continue
            framework, role = known
            is_type = file.facts.symbols[symbol].kind in ("class", "interface", "enum")
            if role == "route" and is_type:
                continue  # the annotation of a type contains only the first part of the paths of its routes
            if any(name in PATHS for name in each.qualified) and not is_type:
                continue  # `@Path` of a method contains only the last part of a path. Another annotation declares the route.
            mapped = mapping(file, each) if role in ("route", "client") else None
            role = "client" if mapped is not None and mapped.is_client else role
            text = request(mapped) if mapped is not None else shown(file, each)
            yield _on_symbol(file, each, symbol, framework, role, text)


def _functional(file: WiredFile) -> Iterator[Wired]:
    """Yield the handlers of routes that calls declare, such as `route(GET("/users"), handler)`."""
    for route in functional_routes(file):
        if file.code[route.handler] == Op.REFERS:
            for declared in file.declarations(route.handler):
                place = declared.symbol
                if place is not None:
                    text = f"{method_text(route.verb)} {route.path}"
                    source, position = file.owner(route.node), file.code[route.handler + 4]
                    yield Wired(source, place, SPRING.name, "route", "call", text, position)


def _on_symbol(file: WiredFile, mark: Annotation, symbol: int, framework: str, role: str, text: str) -> Wired:
    return Wired(-1, SymbolPlace(file, symbol), framework, role, "annotation", text, file.code[mark.node + 4])


def _known(mark: Annotation) -> tuple[str, str] | None:
    """Return the framework and the role of an annotation, or None."""
    return next((_BY_ANNOTATION[name] for name in mark.qualified if name in _BY_ANNOTATION), None)


def _meta(file: WiredFile, mark: Annotation) -> Iterator[Annotation]:
    """Yield the annotations on an annotation type of the repository. Frameworks follow one or two levels of such annotations."""
    waiting = [(file, mark)]
    for _ in range(_MAX_LEVELS):
        declared = [each.symbol for at, one in waiting for each in at.declarations(at.code[one.node + 1])]
        waiting = [(place.file, one) for place in declared if place for one in annotations_of(place.file).get(place.symbol, ())]
        yield from (one for _, one in waiting)


def _main_methods(file: WiredFile, shape: Shape) -> Iterator[Wired]:
    """Yield the `main` methods of a type."""
    for member in shape.members:
        is_method = member.static and member.kind == MemberKind.METHOD and member.symbol >= 0
        if member.name == "main" and is_method and _takes_arguments(file, file.facts.functions[member.function]):
            yield Wired(-1, SymbolPlace(file, member.symbol), "Java", "entry point", "name", "main", member.position)


def _takes_arguments(file: WiredFile, function: Function) -> bool:
    if len(function.parameters) != 1:
        return False
    parameter = function.parameters[0]
    written = parameter.type
    if written >= 0 and not parameter.rest and file.code[written] == Op.T_REFERENCE:
        items = file.items(file.code[written + 2])
        written = items[0] if items else -1
    return written >= 0 and file.name(written) == "String"


def _derived(file: WiredFile, index: int) -> Iterator[Wired]:
    shape = file.facts.shapes[index]
    if not shape.extends and not shape.implements:
        return
    methods = [each for each in shape.members if each.symbol >= 0 and each.kind == MemberKind.METHOD]
    for origin in file.base_origins(index):
        for framework in _TABLE:
            yield from _of_base(file, shape, framework, origin, methods)


def _of_base(file: WiredFile, shape: Shape, framework: Framework, origin: str, methods: list[Member]) -> Iterator[Wired]:
    for base in framework.bases:
        if not base.names.fullmatch(origin):
            continue
        name = origin.rpartition(":")[2]
        if base.role:
            yield Wired(-1, SymbolPlace(file, shape.symbol), framework.name, base.role, "base", name, shape.position)
        for member in methods if base.methods is not None else ():
            if base.methods is not None and base.methods.fullmatch(member.name):
                place, text = SymbolPlace(file, member.symbol), f"{name}.{member.name}"
                yield Wired(-1, place, framework.name, base.method_role, "base", text, member.position)
