"""Controllers, resolvers and services of JavaScript: decorators of classes, maps of resolvers, services of gRPC."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from ....facts.api import ANY_METHOD, EVENT_HANDLER, ApiFacts, ImportedName, Mount, Protocol, Route, Router, Service
from ....facts.model import DeclKind, Shape, ShapeKind
from ....facts.operations import Op
from ...api_calls.api_facts import default_handler, exported_methods
from ...api_calls.expressions import CALLS, Expressions, Handler
from ...api_calls.rules import HTTP_METHODS
from ...api_calls.topics import listeners
from .schema_builders import built_resolvers

#: Packages that have decorators of controllers.
_CONTROLLERS: Final = frozenset(("@nestjs/common", "tsoa", "@tsoa/runtime", "routing-controllers", "inversify-express-utils"))
_CONTROLLER_NAMES: Final = frozenset(("Controller", "JsonController", "Route", "controller"))
_METHODS: Final = {name.title(): name for name in HTTP_METHODS} | {"All": ANY_METHOD}
_INVERSIFY: Final = {f"http{name.title()}": name for name in HTTP_METHODS} | {"all": ANY_METHOD}
_RESOLVERS: Final = frozenset(("@nestjs/graphql", "type-graphql"))
_ROOTS: Final = ("Query", "Mutation", "Subscription")
_FIELDS: Final = frozenset(("ResolveField", "ResolveProperty", "FieldResolver"))
_MICROSERVICES: Final = "@nestjs/microservices"
_PATTERNS: Final = frozenset(("MessagePattern", "EventPattern"))
#: Functions that make handlers of requests: those of Nitro and Nuxt, such as `defineCachedEventHandler`, which projects use
#: without an import, and those that projects write around them. Only the path of the file makes their results handlers.
_EVENT_HANDLERS: Final = re.compile(r"(?:define\w*|\w+Event|event)Handler")
#: The application of Nest: it has a prefix for all controllers.
NEST: Final = "Nest"


def find_services(at: Expressions, api: ApiFacts) -> None:
    """Add the operations of APIs that classes, objects and exports of a file implement."""
    if any(
        each.specifier.startswith(("@nestjs", "tsoa", "@tsoa", "routing-", "type-graphql", "inversify"))
        for each in at.facts.imports
    ):
        _Classes(at, api).read()
    _prefixes(at, api)
    api.services += _resolver_maps(at)
    api.services += built_resolvers(at)
    api.services += _grpc_services(at)
    api.methods = exported_methods(at)
    handler = default_handler(at)
    if handler >= 0:
        api.methods[ANY_METHOD] = handler
    handler = _event_handler(at)
    if handler >= 0:
        api.methods[EVENT_HANDLER] = handler


def _event_handler(at: Expressions) -> int:
    """Return the symbol of a default export such as `defineEventHandler(async event => …)`, -1 for others."""
    for each in at.facts.exports:
        value = each.value if each.name == "default" else -1
        if value >= 0 and at.code[value] == Op.CALL and _EVENT_HANDLERS.fullmatch(at.name(at.code[value + 1])):
            return each.symbol if each.symbol >= 0 else at.owner(value)
    return -1


def _prefixes(at: Expressions, api: ApiFacts) -> None:
    """Add the prefix for all controllers of an application of Nest: `app.setGlobalPrefix("api")`."""
    for call in at.method_calls:
        if call.name == "setGlobalPrefix":
            arguments = at.items(at.code[call.node + 2])
            text = at.text(arguments[0]) if arguments else None
            if text:
                api.routers.append(Router(NEST, text, is_root=True))


class _Classes:
    """Reads the decorated classes of a file."""

    def __init__(self, at: Expressions, api: ApiFacts) -> None:
        self._at = at
        self._api = api
        #: Decorators by the decorated symbol: package, name and node.
        self._decorators: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
        for node in at.facts.calls:
            callee = at.code[node + 1]
            if callee < 0 or at.code[callee] != Op.NAME:
                continue
            package, _, name = at.origin(callee).partition(":")
            if name:
                self._decorators[at.owner(node)].append((package, name, node))

    def read(self) -> None:
        for shape in self._at.facts.shapes:
            if shape.kind != ShapeKind.CLASS or shape.symbol < 0:
                continue
            for package, name, node in self._decorators.get(shape.symbol, ()):
                if package in _CONTROLLERS and name in _CONTROLLER_NAMES:
                    self._controller(shape, package, node)
                elif package in _RESOLVERS and name == "Resolver":
                    self._resolver(shape, node)
            self._microservice(shape)

    def _arguments(self, node: int) -> tuple[int, ...]:
        return tuple(self._at.items(self._at.code[node + 2]))

    def _members(self, shape: Shape) -> Iterator[tuple[str, int, str, str, int]]:
        """Yield the decorators of methods: name and symbol of the method; package, name and node of the decorator."""
        for member in shape.members:
            if member.symbol >= 0 and member.function >= 0:
                for package, name, node in self._decorators.get(member.symbol, ()):
                    yield member.name, member.symbol, package, name, node

    def _option(self, node: int, *names: str) -> list[str]:
        """Return the texts of an entry of the object that is the argument of a decorator."""
        at = self._at
        for each in self._arguments(node):
            if at.code[each] == Op.OBJECT:
                for member in at.facts.shapes[at.code[each + 1]].members:
                    if member.name in names and member.value >= 0:
                        return at.texts(member.value)
        return []

    def _paths(self, node: int) -> list[str]:
        arguments = self._arguments(node)
        if not arguments:
            return [""]
        return self._at.texts(arguments[0]) or self._option(node, "path") or ([] if self._is_dynamic(arguments[0]) else [""])

    def _is_dynamic(self, node: int) -> bool:
        """Return whether a path is computed at run time."""
        return self._at.code[node] != Op.OBJECT

    def _controller(self, shape: Shape, package: str, node: int) -> None:
        versions = self._option(node, "version")
        framework = NEST if package == "@nestjs/common" else package
        for outer in self._paths(node):
            router = ImportedName(f"{shape.name}{f'/{outer}' if outer else ''}")
            has_routes = False
            for _, symbol, origin, name, at_node in self._members(shape):
                method = _METHODS.get(name) or _INVERSIFY.get(name)
                if method is None or origin not in _CONTROLLERS:
                    continue
                for path in self._paths(at_node):
                    has_routes = True
                    line = self._at.line(at_node)
                    self._api.routes.append(Route(method, path, router, None, symbol, line, framework))
            if has_routes:
                prefix = f"v{versions[0]}/{outer}" if len(versions) == 1 else outer
                self._api.routers.append(Router(router.name, prefix))
                if framework == NEST:
                    self._api.mounts.append(Mount(ImportedName(NEST, "*"), router))

    def _resolver(self, shape: Shape, node: int) -> None:
        resolved = self._type_name(node)
        for method, symbol, package, name, at_node in self._members(shape):
            if package not in _RESOLVERS:
                continue
            if name in _ROOTS:
                service = name
            elif name in _FIELDS and resolved:
                service = resolved
            else:
                continue
            texts = [text for each in self._arguments(at_node) if (text := self._at.text(each)) is not None]
            field = next(iter(texts or self._option(at_node, "name")), method)
            line = self._at.line(at_node)
            self._api.services.append(Service(Protocol.GRAPHQL, service, field, symbol, None, line, package, "decorator"))

    def _type_name(self, node: int) -> str:
        """Return the type that `@Resolver(() => User)`, `@Resolver(User)` or `@Resolver("User")` names."""
        at = self._at
        for each in self._arguments(node):
            text = at.text(each)
            if text is not None:
                return text
            if at.code[each] == Op.FUNCTION:
                returns = at.facts.functions[at.code[each + 1]].returns
                return at.name(returns[0]) if len(returns) == 1 else ""
            return at.name(each)
        return ""

    def _microservice(self, shape: Shape) -> None:
        for method, symbol, package, name, node in self._members(shape):
            if package != _MICROSERVICES:
                continue
            texts = [text for each in self._arguments(node) if (text := self._at.text(each)) is not None]
            line = self._at.line(node)
            if name in ("GrpcMethod", "GrpcStreamMethod", "GrpcStreamCall"):
                service = texts[0] if texts else shape.name
                call = texts[1] if len(texts) > 1 else method
                self._api.services.append(Service(Protocol.RPC, service, call, symbol, None, line, NEST, "decorator"))
            elif name in _PATTERNS:
                topics = list(self._arguments(node))[:1]
                self._api.services += listeners(self._at, node, topics, Handler(symbol, None), NEST, "decorator")


def _resolver_maps(at: Expressions) -> Iterator[Service]:
    """Yield the functions in maps of resolvers: `{Query: {users: …}}`, or an object with the type `QueryResolvers`."""
    shapes = at.facts.shapes
    for shape in shapes:
        if shape.kind != ShapeKind.OBJECT_LITERAL:
            continue
        inner = {
            member.name: shapes[at.code[member.value + 1]]
            for member in shape.members
            if member.value >= 0 and at.code[member.value] == Op.OBJECT
        }
        if any(root in inner for root in _ROOTS):
            for name, fields in inner.items():
                yield from _of_map(at, name, fields)
    for decl in at.facts.decls:
        if decl.kind != DeclKind.VARIABLE or decl.a < 0 or decl.b < 0 or at.code[decl.b] != Op.OBJECT:
            continue
        written = _written_name(at, decl.a)
        if written.endswith("Resolvers") and written != "Resolvers":
            yield from _of_map(at, written.removesuffix("Resolvers"), shapes[at.code[decl.b + 1]])


def _written_name(at: Expressions, node: int) -> str:
    """Return the name of a type: `QueryResolvers` for `Required<QueryResolvers>`."""
    if at.code[node] == Op.T_REFERENCE:
        arguments = at.items(at.code[node + 2])
        own = at.name(at.code[node + 1])
        return at.name(arguments[0]) if own in ("Required", "Pick", "Partial") and arguments else own
    return at.name(node)


def _of_map(at: Expressions, type_name: str, fields: Shape) -> Iterator[Service]:
    for member in fields.members:
        symbol, name = member.symbol, None
        node = member.value
        if symbol < 0 and node >= 0:
            handler = at.handler(node)
            if handler is not None:
                symbol, name = handler.symbol, handler.name
            elif at.code[node] == Op.OBJECT:
                symbol = at.owner(node)
        if name is not None:
            symbol = at.owner(node)
        if symbol >= 0:
            line = at.line(node) if node >= 0 else at.facts.symbols[symbol].name_line
            yield Service(Protocol.GRAPHQL, type_name, member.name, symbol, name, line, "GraphQL", "resolver")


def _grpc_services(at: Expressions) -> Iterator[Service]:
    """Yield the functions that are passed to a server of gRPC: `server.addService(GreeterService, {sayHello})`."""
    for call in at.method_calls:
        node, method = call.node, call.name
        arguments = at.items(at.code[node + 2])
        if method not in ("addService", "service") or len(arguments) < 2:
            continue
        service = _service_name(at, arguments[0])
        handlers = _object(at, arguments[1])
        if not service:
            continue
        framework = "gRPC" if method == "addService" else "Connect"
        if handlers is not None:
            for member in handlers.members:
                handler = at.handler(member.value) if member.value >= 0 else None
                symbol = member.symbol if member.symbol >= 0 else handler.symbol if handler is not None else -1
                name = handler.name if handler is not None and member.symbol < 0 else None
                if name is not None:
                    symbol = at.owner(node)
                if symbol >= 0:
                    line = at.line(node)
                    yield Service(Protocol.RPC, service, member.name, symbol, name, line, framework, "registration")
        else:
            made = at.code[at.code[arguments[1] + 1]] if at.code[arguments[1]] in CALLS else -1
            handler = at.handler(at.code[arguments[1] + 1]) if made >= 0 else None
            if handler is not None:
                symbol = at.symbol_of(handler, node)
                yield Service(Protocol.RPC, service, "", symbol, handler.name, at.line(node), framework, "registration")


def _service_name(at: Expressions, node: int) -> str:
    """Return the service that a descriptor describes: `proto.Greeter.service`, `GreeterService`."""
    name = at.name(node)
    if name == "service" and at.code[node] == Op.MEMBER:
        return at.name(at.code[node + 1])
    return name


def _object(at: Expressions, node: int) -> Shape | None:
    if at.code[node] == Op.NAME:
        decl = at.declaration(node)
        node = decl.b if decl is not None and decl.kind == DeclKind.VARIABLE and decl.b >= 0 else node
    return at.facts.shapes[at.code[node + 1]] if at.code[node] == Op.OBJECT else None
