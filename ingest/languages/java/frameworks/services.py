"""Routes, services and resolvers of Java, as annotations and base classes of one file tell them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ....facts.api import ANY_METHOD, ApiFacts, ImportedName, Protocol, Route, Router, Service
from ....facts.model import DeclKind, FileFacts, Op, ShapeKind
from ...api_calls.expressions import Expressions
from .annotations import Annotation, annotated_with, annotations_of, texts
from .jakarta import HTTP_METHODS, PATHS
from .spring import METHODS, REQUEST_MAPPING

_BASE: Final = re.compile(r"(?P<service>\w+)ImplBase")
_INTERFACE: Final = re.compile(r"[A-Z]\w*Api(?:Delegate)?")
_GRAPHQL: Final = "org.springframework.graphql.data.method.annotation"
_FIELDS: Final = {
    f"{_GRAPHQL}.QueryMapping": "Query",
    f"{_GRAPHQL}.MutationMapping": "Mutation",
    f"{_GRAPHQL}.SubscriptionMapping": "Subscription",
}
_SCHEMA: Final = (f"{_GRAPHQL}.SchemaMapping", "com.netflix.graphql.dgs.DgsData")
_DGS: Final = {
    "com.netflix.graphql.dgs.DgsQuery": "Query",
    "com.netflix.graphql.dgs.DgsMutation": "Mutation",
    "com.netflix.graphql.dgs.DgsSubscription": "Subscription",
}
_MICRONAUT: Final = "io.micronaut.http.annotation."
_KAFKA: Final = "org.springframework.kafka.annotation.KafkaListener"
_RABBIT: Final = "org.springframework.amqp.rabbit.annotation.RabbitListener"


class _File:
    """A file as the reader of annotations sees it."""

    def __init__(self, at: Expressions) -> None:
        self._at = at
        self._memory: dict[str, object] = {}

    @property
    def memory(self) -> dict[str, object]:
        """What rules remember of the file."""
        return self._memory

    @property
    def facts(self) -> FileFacts:
        """What the file contributes."""
        return self._at.facts

    @property
    def code(self) -> Sequence[int]:
        """The nodes of the file."""
        return self._at.code

    def items(self, at: int) -> Sequence[int]:
        """Return the operands in a list."""
        return self._at.items(at)

    def name(self, node: int) -> str:
        """Return the last name of a dotted name."""
        return self._at.name(node)

    def owner(self, node: int) -> int:
        """Return the index of the symbol around a node."""
        return self._at.owner(node)


def find_services(at: Expressions, api: ApiFacts) -> None:
    """Add what annotations and base classes of a file take of APIs."""
    for shape in at.facts.shapes:
        if shape.kind == ShapeKind.CLASS and shape.symbol >= 0:
            for base in shape.extends:
                node = at.code[base + 1] if at.code[base] == Op.T_REFERENCE else base
                found = _BASE.fullmatch(at.name(node))
                if found is not None:
                    line = at.facts.symbols[shape.symbol].name_line
                    service = found["service"]
                    api.services.append(Service(Protocol.RPC, service, "", shape.symbol, None, line, "gRPC", "base"))
    file = _File(at)
    _generated_interfaces(at, file, api)
    for symbol, listed in annotations_of(file).items():
        for each in listed:
            if symbol >= 0 and each.parameter < 0:
                _annotated(at, file, api, each)


def _generated_interfaces(at: Expressions, file: _File, api: ApiFacts) -> None:
    """Add the methods that override those of interfaces such as `OwnersApi`, which OpenAPI Generator makes of a description."""
    imported = {decl.name for decl in at.facts.decls if decl.kind == DeclKind.IMPORT}
    for shape in at.facts.shapes:
        if shape.kind != ShapeKind.CLASS or shape.symbol < 0:
            continue
        bases = [at.name(at.code[each + 1] if at.code[each] == Op.T_REFERENCE else each) for each in shape.implements]
        base = next((name for name in bases if _INTERFACE.fullmatch(name) and name in imported), None)
        for member in shape.members if base is not None else ():
            if member.symbol >= 0 and any(each.name == "Override" for each in annotations_of(file).get(member.symbol, ())):
                line = at.facts.symbols[member.symbol].name_line
                api.services.append(
                    Service(Protocol.HTTP, base or "", member.name, member.symbol, None, line, "OpenAPI Generator", "base")
                )


def _annotated(at: Expressions, file: _File, api: ApiFacts, each: Annotation) -> None:
    symbol, outer = each.symbol, at.facts.symbols[each.symbol].parent
    if at.facts.symbols[symbol].kind in ("class", "interface", "enum") or outer < 0:
        return
    line, method = at.line(each.node), at.facts.symbols[symbol].name
    for name in each.qualified:
        package, _, verb = name.rpartition(".")
        if name in METHODS:
            verbs = [METHODS[name]] if METHODS[name] else texts(file, each, "method") or [ANY_METHOD]
            router = _router(file, api, outer, texts_of(file, outer, (REQUEST_MAPPING,)))
            for path in texts(file, each, "value", "path") or [""]:
                api.routes += (Route(verb, path, router, None, symbol, line, "Spring") for verb in verbs)
        elif package.endswith("ws.rs") and verb in HTTP_METHODS:
            router = _router(file, api, outer, texts_of(file, outer, PATHS))
            own = texts_of(file, symbol, PATHS)
            api.routes.append(Route(verb, own[0] if own else "", router, None, symbol, line, "JAX-RS"))
        elif name.startswith(_MICRONAUT) and verb.upper() in HTTP_METHODS:
            router = _router(file, api, outer, texts_of(file, outer, (f"{_MICRONAUT}Controller",)))
            own = texts(file, each, "value", "uri")
            api.routes.append(Route(verb.upper(), own[0] if own else "", router, None, symbol, line, "Micronaut"))
        elif name in _FIELDS or name in _DGS:
            field = next(iter(texts(file, each, "value", "name", "field")), method)
            service = _FIELDS.get(name) or _DGS[name]
            api.services.append(Service(Protocol.GRAPHQL, service, field, symbol, None, line, "Spring", "annotation"))
        elif name in _SCHEMA:
            types = texts(file, each, "typeName", "parentType") or texts_of(file, outer, _SCHEMA, "typeName")
            field = next(iter(texts(file, each, "value", "field")), method)
            if types:
                api.services.append(Service(Protocol.GRAPHQL, types[0], field, symbol, None, line, "Spring", "annotation"))
        elif name in (_KAFKA, _RABBIT):
            for topic in texts(file, each, "topics", "queues", "value"):
                api.services.append(Service(Protocol.TOPIC, "", topic, symbol, None, line, "Spring", "annotation"))


def texts_of(file: _File, symbol: int, annotations: Sequence[str], key: str = "") -> list[str]:
    """Return the texts of the first annotation of a symbol that has one of some names."""
    found = annotated_with(file, symbol, annotations)
    return texts(file, found, *((key,) if key else ("value", "path"))) if found is not None else []


def _router(file: _File, api: ApiFacts, outer: int, paths: Sequence[str]) -> ImportedName:
    name = file.facts.symbols[outer].name
    if all(each.name != name for each in api.routers):
        api.routers.append(Router(name, paths[0] if paths else ""))
    return ImportedName(name)
