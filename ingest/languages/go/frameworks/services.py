"""Services of Go: types that implement what gRPC, Connect and gqlgen generate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.api import ApiFacts, ImportedName, Protocol, Service
from ....facts.model import DeclKind, ShapeKind
from ....facts.operations import Op
from ...api_calls.expressions import Expressions

_EMBEDDED: Final = re.compile(r"(?:Unimplemented|Unsafe)(?P<service>\w+)(?P<end>Server|Handler)")
_REGISTERED: Final = re.compile(r"Register(?P<service>\w+)Server")
_CONNECTED: Final = re.compile(r"New(?P<service>\w+)Handler")
#: Types of gqlgen with the resolvers of one type: `queryResolver`.
_RESOLVER: Final = re.compile(r"(?P<type>[a-z]\w*)Resolver")
_ROOTS: Final = frozenset(("query", "mutation", "subscription"))


def find_services(at: Expressions, api: ApiFacts) -> None:
    """Add the services that types of a file implement."""
    for shape in at.facts.shapes:
        if shape.kind == ShapeKind.CLASS and shape.symbol >= 0:
            for base in shape.extends:
                found = _EMBEDDED.fullmatch(at.name(base))
                if found is not None and at.code[base] == Op.MEMBER:
                    framework = "gRPC" if found["end"] == "Server" else "Connect"
                    line = at.facts.symbols[shape.symbol].name_line
                    handler = ImportedName(shape.name)
                    module = at.origin(base).partition(":")[0]
                    api.services.append(
                        Service(Protocol.RPC, found["service"], "", shape.symbol, handler, line, framework, "base", module)
                    )
        elif shape.kind == ShapeKind.EXTENSION:
            resolved = _RESOLVER.fullmatch(shape.name)
            if resolved is not None and resolved["type"] in _ROOTS:
                service = resolved["type"].title()
                for member in shape.members:
                    if member.symbol >= 0 and member.name[:1].isupper():
                        line = at.facts.symbols[member.symbol].name_line
                        api.services.append(
                            Service(Protocol.GRAPHQL, service, member.name, member.symbol, None, line, "gqlgen", "resolver")
                        )
    api.services += _registered(at)


def _registered(at: Expressions) -> Iterator[Service]:
    """Yield the types whose objects are registered as servers: `pb.RegisterGreeterServer(s, &server{})`."""
    for call in at.method_calls:
        node, name = call.node, call.name
        arguments = at.items(at.code[node + 2])
        found = _REGISTERED.fullmatch(name)
        framework, value = "gRPC", arguments[1] if len(arguments) > 1 else -1
        if found is None and arguments:
            found, framework, value = _CONNECTED.fullmatch(name), "Connect", arguments[0]
        if found is None or value < 0:
            continue
        module = at.origin(at.code[node + 1]).partition(":")[0]
        if framework == "Connect" and not module.endswith("connect"):
            continue
        symbol = at.owner(node)
        cls = _type_of_value(at, value)
        if cls is not None and symbol >= 0 and module:
            yield Service(Protocol.RPC, found["service"], "", symbol, cls, at.line(node), framework, "registration", module)


def _type_of_value(at: Expressions, node: int) -> ImportedName | None:
    """Return the type of `&server{}`, or of a variable that holds one."""
    for _ in range(6):
        if node < 0:
            return None
        operation = at.code[node]
        if operation in (Op.AS, Op.NON_NULL):
            written = at.code[node + 2]
            if operation == Op.AS and written >= 0:
                name = at.name(written)
                if at.code[written] == Op.MEMBER:
                    return ImportedName(name, at.origin(written).partition(":")[0])
                return ImportedName(name) if name else None
            node = at.code[node + 1]
        else:
            decl = at.declaration(node)
            if decl is None or decl.kind != DeclKind.VARIABLE or decl.b < 0:
                return None
            node = decl.b
    return None
