"""Services and resolvers of Python: gRPC and GraphQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.api import ApiFacts, ImportedName, Protocol, Service
from ....facts.model import DeclKind, Shape, ShapeKind
from ....facts.operations import Op
from ...api_calls.expressions import Expressions

_SERVICER: Final = re.compile(r"(?P<service>\w+?)(?:Async)?Servicer")
_ROOTS: Final = ("Query", "Mutation", "Subscription")


def find_services(at: Expressions, api: ApiFacts) -> None:
    """Add the operations of APIs that classes and lists of a file implement."""
    for shape in at.facts.shapes:
        if shape.kind == ShapeKind.CLASS and shape.symbol >= 0:
            api.services += _servicers(at, shape)
            api.services += _graphene(at, shape)
    api.services += _strawberry(at)
    api.services += _ariadne(at)


def _servicers(at: Expressions, shape: Shape) -> Iterator[Service]:
    """Yield the classes that derive from the classes which gRPC generates: `class Greeter(pb2_grpc.GreeterServicer)`."""
    for base in shape.extends:
        found = _SERVICER.fullmatch(at.name(base))
        if found is not None and at.code[base] in (Op.MEMBER, Op.FLOW, Op.NAME):
            module = at.origin(base).partition(":")
            if "_pb2_grpc" in module[0] or "_pb2_grpc" in module[2] or "pb2_grpc" in at.origin(base):
                place = f"{module[0]}.{module[2].rpartition('.')[0]}".strip(".")
                line = at.facts.symbols[shape.symbol].name_line
                yield Service(Protocol.RPC, found["service"], "", shape.symbol, None, line, "gRPC", "base", place)


def _graphene(at: Expressions, shape: Shape) -> Iterator[Service]:
    """Yield the resolvers of graphene: methods named `resolve_…`, and mutations in fields of a class."""
    origins = [at.origin(base) for base in shape.extends]
    if not any(origin.startswith(("graphene:", "graphene_django:", "graphene.", "graphene_django.")) for origin in origins):
        return
    for member in shape.members:
        if member.symbol >= 0 and member.name.startswith("resolve_"):
            line = at.facts.symbols[member.symbol].name_line
            field = member.name.removeprefix("resolve_")
            yield Service(Protocol.GRAPHQL, shape.name, field, member.symbol, None, line, "graphene", "resolver")
    for decl in at.facts.decls:
        if decl.kind != DeclKind.VARIABLE or decl.symbol < 0 or decl.b < 0:
            continue
        if at.facts.symbols[decl.symbol].parent != shape.symbol or at.code[decl.b] != Op.CALL:
            continue
        callee = at.code[decl.b + 1]
        if callee >= 0 and at.code[callee] == Op.MEMBER and at.string(at.code[callee + 2]) == "Field":
            handler = at.handler(at.code[callee + 1])
            if handler is not None:
                name = at.name_of(handler)
                mutate = ImportedName(f"{name.name}.mutate", name.module)
                line = at.line(decl.b)
                yield Service(Protocol.GRAPHQL, shape.name, decl.name, decl.symbol, mutate, line, "graphene", "resolver")


def _strawberry(at: Expressions) -> Iterator[Service]:
    """Yield the methods that strawberry exposes as fields: `@strawberry.field`."""
    for decl in at.facts.decls:
        if decl.kind != DeclKind.FUNCTION or decl.symbol < 0 or decl.b < 0:
            continue
        parent = at.facts.symbols[decl.symbol].parent
        if parent < 0 or at.facts.symbols[parent].kind != "class":
            continue
        for node in at.items(decl.b):
            callee = at.code[node + 1] if at.code[node] == Op.CALL else node
            package, _, name = at.origin(callee).partition(":")
            if package.startswith("strawberry") and name.rpartition(".")[2] in ("field", "mutation", "subscription"):
                field = _text_argument(at, node, "name") or decl.name
                outer, line = at.facts.symbols[parent].name, at.line(node)
                yield Service(Protocol.GRAPHQL, outer, field, decl.symbol, None, line, "strawberry", "decorator")


def _ariadne(at: Expressions) -> Iterator[Service]:
    """Yield the functions that ariadne binds to fields: `@query.field("users")` of `query = QueryType()`."""
    for decl in at.facts.decls:
        if decl.kind != DeclKind.FUNCTION or decl.symbol < 0 or decl.b < 0:
            continue
        for node in at.items(decl.b):
            callee = at.code[node + 1] if at.code[node] == Op.CALL else -1
            if callee < 0 or at.code[callee] != Op.MEMBER or at.string(at.code[callee + 2]) not in ("field", "source"):
                continue
            made = at.origin(at.code[callee + 1])
            if not made.startswith(("ariadne:", "ariadne.")):
                continue
            arguments = at.items(at.code[node + 2])
            field = at.text(arguments[0]) if arguments else None
            outer = _ariadne_type(at, at.code[callee + 1], made)
            if field and outer:
                line = at.line(node)
                yield Service(Protocol.GRAPHQL, outer, field, decl.symbol, None, line, "ariadne", "decorator")


def _ariadne_type(at: Expressions, node: int, origin: str) -> str:
    name = origin.rpartition(":")[2].removesuffix("()").rpartition(".")[2]
    if name.removesuffix("Type") in _ROOTS:
        return name.removesuffix("Type")
    decl = at.declaration(node)
    if name != "ObjectType" or decl is None or decl.kind != DeclKind.VARIABLE or decl.b < 0 or at.code[decl.b] != Op.CALL:
        return ""
    arguments = at.items(at.code[decl.b + 2])
    return (at.text(arguments[0]) or "") if arguments else ""


def _text_argument(at: Expressions, node: int, name: str) -> str:
    """Return the text of an argument by its name; "" if there is none."""
    if at.code[node] == Op.CALL:
        for each in at.items(at.code[node + 2]):
            if at.code[each] == Op.PROP and at.string(at.code[each + 2]) == name:
                return at.text(at.code[each + 1]) or ""
    return ""
