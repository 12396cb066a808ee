"""Routes, services and resolvers of Java, found by the annotations and base classes in one file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.api import ANY_METHOD, ApiFacts, ImportedName, Protocol, Request, Route, Router, Service
from ....facts.model import Shape, ShapeKind
from ....facts.operations import Op
from ...api_calls.expressions import Expressions
from ...api_calls.topics import TOPIC
from .annotations import Annotation, annotated_with, annotations_of, imports_of, path_of, texts, texts_of, value_nodes
from .functional_routes import FunctionalRoute, functional_routes, handler_name
from .routes import RouteMapping, client_address, joined, mapping

_BASE: Final = re.compile(r"(?P<service>\w+)ImplBase")
_INTERFACE: Final = re.compile(r"[A-Z]\w*Api(?:Delegate)?")
#: Packages with the context of an operation in Swagger Inflector, and the methods that take it.
_INFLECTOR: Final = ("io.swagger.oas.inflector.models", "io.swagger.inflector.models")
_INFLECTED: Final = re.compile(r"\bpublic (?:final )?ResponseContext \w+\((?:final )?RequestContext \w+")
_GRAPHQL: Final = "org.springframework.graphql.data.method.annotation"
_FIELDS: Final = {
    f"{_GRAPHQL}.QueryMapping": "Query",
    f"{_GRAPHQL}.MutationMapping": "Mutation",
    f"{_GRAPHQL}.SubscriptionMapping": "Subscription",
    "com.netflix.graphql.dgs.DgsQuery": "Query",
    "com.netflix.graphql.dgs.DgsMutation": "Mutation",
    "com.netflix.graphql.dgs.DgsSubscription": "Subscription",
}
_SCHEMA: Final = (f"{_GRAPHQL}.SchemaMapping", "com.netflix.graphql.dgs.DgsData")
#: Name of the router of all routes that functions declare.
_FUNCTIONS: Final = "RouterFunctions"
#: The frameworks whose annotations mark methods or classes that take messages, and the elements that name topics.
_LISTENERS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "org.springframework.kafka.annotation.KafkaListener": ("Spring", ("topics", "topicPattern")),
    "org.springframework.amqp.rabbit.annotation.RabbitListener": ("Spring", ("queues", "value")),
    "org.springframework.jms.annotation.JmsListener": ("Spring", ("destination",)),
    "io.awspring.cloud.sqs.annotation.SqsListener": ("Spring", ("value", "queueNames")),
    "io.awspring.cloud.messaging.listener.annotation.SqsListener": ("Spring", ("value",)),
    "org.springframework.messaging.handler.annotation.MessageMapping": ("Spring", ("value",)),
    "org.springframework.pulsar.annotation.PulsarListener": ("Spring", ("topics",)),
    "io.micronaut.configuration.kafka.annotation.Topic": ("Micronaut", ("value",)),
    "io.micronaut.rabbitmq.annotation.Queue": ("Micronaut", ("value",)),
    "org.eclipse.microprofile.reactive.messaging.Incoming": ("MicroProfile", ("value",)),
}
#: The annotations of the methods of a class that a listener's annotation marks.
_MESSAGE_HANDLERS: Final = (
    "org.springframework.kafka.annotation.KafkaHandler",
    "org.springframework.amqp.rabbit.annotation.RabbitHandler",
)


def find_services(at: Expressions, api: ApiFacts) -> None:
    """Add the operations of APIs that annotations and base classes of a file implement."""
    for shape in at.facts.shapes:
        if shape.kind == ShapeKind.CLASS and shape.symbol >= 0:
            for base in shape.extends:
                found = _BASE.fullmatch(at.name(base))
                if found is not None:
                    line = at.facts.symbols[shape.symbol].name_line
                    service = found["service"]
                    api.services.append(Service(Protocol.RPC, service, "", shape.symbol, None, line, "gRPC", "base"))
                    api.services += _overridden(at, shape, service)
    _generated_interfaces(at, api)
    _inflected(at, api)
    for route in functional_routes(at):
        _functional(at, api, route)
    for symbol, listed in annotations_of(at).items():
        for each in listed:
            if symbol >= 0 and each.parameter < 0:
                _annotated(at, api, each)


def _overridden(at: Expressions, shape: Shape, service: str) -> Iterator[Service]:
    """Yield the methods that override those of a generated class.

    The generator changes names such as `list_all`, and a class may have overloads for its own use.
    """
    overridden: dict[str, list[int]] = {}
    for member in shape.members:
        if member.symbol >= 0 and any(each.name == "Override" for each in annotations_of(at).get(member.symbol, ())):
            overridden.setdefault(member.name, []).append(member.symbol)
    for name, symbols in overridden.items():
        if len(symbols) == 1:
            line = at.facts.symbols[symbols[0]].name_line
            yield Service(Protocol.RPC, service, name, symbols[0], None, line, "gRPC", "base")


def _generated_interfaces(at: Expressions, api: ApiFacts) -> None:
    """Add the methods that implement generated interfaces of OpenAPI Generator, such as `OwnersApi`."""
    imported = imports_of(at).modules
    for shape in at.facts.shapes:
        if shape.kind != ShapeKind.CLASS or shape.symbol < 0:
            continue
        bases = [at.name(each) for each in shape.implements]
        base = next((name for name in bases if _INTERFACE.fullmatch(name) and name in imported), None)
        for member in shape.members if base is not None else ():
            if member.symbol >= 0 and any(each.name == "Override" for each in annotations_of(at).get(member.symbol, ())):
                line = at.facts.symbols[member.symbol].name_line
                api.services.append(
                    Service(Protocol.HTTP, base or "", member.name, member.symbol, None, line, "OpenAPI Generator", "base")
                )


def _inflected(at: Expressions, api: ApiFacts) -> None:
    """Add the methods that Swagger Inflector calls: their name is the id of an operation, and they take its context."""
    if not any(module.startswith(_INFLECTOR) for module in imports_of(at).modules_of("RequestContext")):
        return
    for number, symbol in enumerate(at.facts.symbols):
        if symbol.kind == "method" and symbol.parent >= 0 and _INFLECTED.search(symbol.signature) is not None:
            owner = at.facts.symbols[symbol.parent].name
            api.services.append(
                Service(Protocol.HTTP, owner, symbol.name, number, None, symbol.name_line, "Swagger Inflector", "base")
            )


def _functional(at: Expressions, api: ApiFacts, route: FunctionalRoute) -> None:
    """Add a route that functions declare. Spring merges all such routes of an application."""
    router = _router(api, Router(_FUNCTIONS, "", True))
    symbol, handler = at.owner(route.node), handler_name(at, route.handler)
    if symbol >= 0:
        api.routes.append(Route(route.verb, route.path, router, handler, symbol, at.line(route.node), "Spring"))


def _annotated(at: Expressions, api: ApiFacts, each: Annotation) -> None:
    symbol, outer = each.symbol, at.facts.symbols[each.symbol].parent
    for name in each.qualified:
        if name in _LISTENERS:
            framework, keys = _LISTENERS[name]
            _listener(at, api, each, framework, keys)
    if at.facts.symbols[symbol].kind in ("class", "interface", "enum") or outer < 0:
        return
    line, method = at.line(each.node), at.facts.symbols[symbol].name
    found = mapping(at, each)
    if found is not None and found.is_client:
        api.requests += _requests(at, each, found)
        return
    if found is not None:
        router = _router(api, Router(at.facts.symbols[outer].name, found.outer[0] if found.outer else ""))
        for path in found.paths or [""]:
            api.routes += (Route(verb, path, router, None, symbol, line, found.framework) for verb in found.verbs or [ANY_METHOD])
        return
    for name in each.qualified:
        if name in _FIELDS:
            field = next(iter(texts(at, each, "value", "name", "field")), method)
            api.services.append(Service(Protocol.GRAPHQL, _FIELDS[name], field, symbol, None, line, "Spring", "annotation"))
        elif name in _SCHEMA:
            types = texts(at, each, "typeName", "parentType") or texts_of(at, outer, _SCHEMA, "typeName")
            field = next(iter(texts(at, each, "value", "field")), method)
            if types:
                api.services.append(Service(Protocol.GRAPHQL, types[0], field, symbol, None, line, "Spring", "annotation"))


def _listener(at: Expressions, api: ApiFacts, each: Annotation, framework: str, keys: Sequence[str]) -> None:
    """Add the topics whose messages a method takes, or a class by its handlers. Methods of interfaces send messages."""
    outer = at.facts.symbols[each.symbol].parent
    if outer >= 0 and at.facts.symbols[outer].kind == "interface":
        return
    taken = [each.symbol]
    if at.facts.symbols[each.symbol].kind == "class":
        handlers = [
            number
            for number, symbol in enumerate(at.facts.symbols)
            if symbol.parent == each.symbol and annotated_with(at, number, _MESSAGE_HANDLERS) is not None
        ]
        taken = handlers if len(handlers) == 1 else taken
    line = at.line(each.node)
    for node in value_nodes(at, each, keys):
        topic = path_of(at, node)
        is_stated = TOPIC.fullmatch(topic) is not None
        constant = None if is_stated else _constant(at, node)
        for symbol in taken if is_stated or constant is not None else ():
            operation = topic if is_stated else ""
            api.services.append(Service(Protocol.TOPIC, "", operation, symbol, None, line, framework, "annotation", "", constant))


def _constant(at: Expressions, node: int) -> ImportedName | None:
    """Return the constant of another file that a value of an annotation names: `Queues.PAID`, or `PAID` after a static import."""
    name, imports = at.name(node), imports_of(at)
    outer = at.name(at.code[node + 1]) if at.code[node] == Op.MEMBER and at.code[node + 1] >= 0 else ""
    modules = imports.modules.get(outer or name, ())
    if not outer:
        return ImportedName(f"{modules[0].rpartition('.')[2]}.{name}", modules[0]) if name and modules else None
    return ImportedName(f"{outer}.{name}", f"{modules[0]}.{outer}" if modules else "")


def _requests(at: Expressions, each: Annotation, found: RouteMapping) -> Iterator[Request]:
    """Yield the requests that a method of a declarative client sends."""
    address = client_address(at, at.facts.symbols[each.symbol].parent)
    if address is None:
        return
    line, column = at.place(each.node)
    for path in found.paths or [""]:
        url = f"{address}/{joined([*found.outer[:1], path])}"
        for verb in found.verbs or [ANY_METHOD]:
            yield Request(verb, url, each.symbol, line, column, found.framework, "annotation")


def _router(api: ApiFacts, router: Router) -> ImportedName:
    """Add a router, unless the file already has a router with the name. Return the name."""
    if all(each.name != router.name for each in api.routers):
        api.routers.append(router)
    return ImportedName(router.name)
