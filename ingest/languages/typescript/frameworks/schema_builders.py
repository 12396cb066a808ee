"""Resolvers of GraphQL schemas that code builds with Pothos: https://pothos-graphql.dev/docs/guide/fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.api import Protocol, Service
from ....facts.model import DeclKind, Member
from ....facts.operations import Op
from ...api_calls.expressions import Expressions, MethodCall

_ROOTS: Final = ("query", "mutation", "subscription")
#: Methods of a builder with the options of a type, with its fields, and with one of its fields.
_TYPES: Final = {f"{root}Type": root.title() for root in _ROOTS}
_FIELDS: Final = {f"{root}Fields": root.title() for root in _ROOTS}
_FIELD: Final = {f"{root}Field": root.title() for root in _ROOTS}
#: Methods of a builder that take a type, or its name, before the options.
_OBJECTS: Final = frozenset(("objectType", "interfaceType", "prismaObject", "prismaNode", "node", "simpleObject"))
#: Methods that make references to types, whose method `implement` takes the options.
_REFERENCES: Final = frozenset(("objectRef", "interfaceRef", "loadableObjectRef"))
_RESOLVE: Final = "resolve"


def built_resolvers(at: Expressions) -> Iterator[Service]:
    """Yield the resolvers of fields: `builder.queryType({fields: t => ({users: t.field({resolve: …})})})`."""
    for call in at.method_calls:
        arguments = at.items(at.code[call.node + 2])
        if not arguments:
            continue
        if call.name in _FIELD and len(arguments) > 1:
            name = at.text(arguments[0])
            if name:
                yield from _resolver(at, _FIELD[call.name], name, _result(at, arguments[1]))
        elif call.name in _FIELDS:
            yield from _resolvers(at, _FIELDS[call.name], arguments[0])
        else:
            built = _TYPES.get(call.name) or _built_type(at, call, arguments[0])
            fields = at.option(arguments, ("fields",)) if built else -1
            if fields >= 0:
                yield from _resolvers(at, built, fields)


def _built_type(at: Expressions, call: MethodCall, first: int) -> str:
    """Return the name of the type whose fields the options of a call declare; "" for none."""
    if call.name in _OBJECTS:
        return at.text(first) or _referred_type(at, first)
    return _referred_type(at, call.receiver) if call.name == "implement" else ""


def _referred_type(at: Expressions, node: int) -> str:
    """Return the name of the type to which a variable refers: `const User = builder.objectRef("User")`."""
    decl = at.declaration(node)
    if decl is None or decl.kind != DeclKind.VARIABLE or decl.b < 0:
        return ""
    made = at.method_call(decl.b)
    arguments = at.items(at.code[made.node + 2]) if made is not None and made.name in _REFERENCES else ()
    return (at.text(arguments[0]) or "") if arguments else ""


def _resolvers(at: Expressions, type_name: str, fields: int) -> Iterator[Service]:
    """Yield the resolvers of an object of fields, or of a function that returns it."""
    for member in _members(at, _result(at, fields)):
        yield from _resolver(at, type_name, member.name, member.value)


def _resolver(at: Expressions, type_name: str, field: str, node: int) -> Iterator[Service]:
    """Yield the function `resolve` in the options of a field: `t.field({type: User, resolve: …})`."""
    made = at.method_call(node) if node >= 0 and at.code[node] == Op.CALL else None
    if made is None:
        return
    for argument in at.items(at.code[made.node + 2]):
        for member in _members(at, argument):
            if member.name != _RESOLVE:
                continue
            handler = at.handler(member.value) if member.value >= 0 else None
            symbol = member.symbol if member.symbol >= 0 else handler.symbol if handler is not None else -1
            name = handler.name if handler is not None and member.symbol < 0 else None
            symbol = at.owner(node) if name is not None or symbol < 0 else symbol
            if symbol >= 0:
                yield Service(Protocol.GRAPHQL, type_name, field, symbol, name, at.line(node), "Pothos", "resolver")


def _members(at: Expressions, node: int) -> list[Member]:
    return at.facts.shapes[at.code[node + 1]].members if node >= 0 and at.code[node] == Op.OBJECT else []


def _result(at: Expressions, node: int) -> int:
    """Return what a function returns, or the node itself if it is no function; -1 for several results."""
    if node < 0 or at.code[node] != Op.FUNCTION:
        return node
    returns = at.facts.functions[at.code[node + 1]].returns
    return returns[0] if len(returns) == 1 else -1
