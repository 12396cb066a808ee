"""What the elements of a contract become: kinds and names of symbols, and the operations that code may implement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ..facts.api import FieldUse, Operation, Protocol
from .declarations import Contract, ContractElement

#: The kinds of symbols by the kinds of elements.
_KINDS: Final = {
    "service": "interface",
    "operation": "method",
    "type": "type",
    "enum": "enum",
    "field": "property",
    "extension": "extension",
    "directive": "function",
    "request": "query",
}
_EXTENDS: Final = re.compile(r"extend\s")
#: Actions of AsyncAPI by which the described program takes messages: `receive` of version 3, and `publish` of version 2, which is
#: written from the side of the other programs.
_RECEIVING: Final = frozenset(("receive", "publish"))


def kind_of(element: ContractElement, outer: str) -> str:
    """Return the kind of the symbol of an element, except in API descriptions; `outer` is the kind of the symbol around it."""
    if element.kind == "field" and outer == "enum":
        return "enumMember"
    if element.kind in ("type", "enum") and _EXTENDS.match(element.signature):
        return "extension"
    return "interface" if element.detail == "interface" and element.kind == "type" else _KINDS[element.kind]


def name_of(element: ContractElement) -> str:
    """Return the last part of the name of an element."""
    return element.name.rpartition(".")[2] or element.name


def operations_of(contract: Contract, numbers: Mapping[str, int]) -> Iterator[Operation]:
    """Yield the parts of a contract that code may implement: the operations, and the fields of the types of GraphQL.

    `numbers` has the index of each element's symbol, by name of the element.
    """
    types = {element.name for element in contract.elements if element.detail == "type"}
    channels = {element.name: element for element in contract.elements if element.kind == "channel"}
    for element in contract.elements:
        number = numbers.get(element.name, -1)
        if contract.format == "openapi" and element.kind == "endpoint":
            yield Operation(number, Protocol.HTTP, element.name, element.detail, element.module)
        elif contract.format == "asyncapi" and element.kind == "channel":
            yield Operation(number, Protocol.TOPIC, element.detail or element.name, element.name, element.module)
        elif contract.format == "asyncapi" and element.kind == "operation":
            yield from _of_operation(element, number, channels)
        elif contract.format == "protobuf" and element.kind == "operation":
            yield Operation(number, Protocol.RPC, element.name, bindings=list(element.bindings))
        elif contract.format == "graphql" and (
            element.kind == "operation" or (element.kind == "field" and element.parent in types)
        ):
            yield Operation(number, Protocol.GRAPHQL, element.name, element.detail.strip("[]!"))


def _of_operation(element: ContractElement, number: int, channels: Mapping[str, ContractElement]) -> Iterator[Operation]:
    """Yield an operation of AsyncAPI that receives messages. It may be in another file, or its channel."""
    action, _, name = element.signature.partition(" ")
    channel = channels.get(name)
    if element.module and (action in _RECEIVING or not action):
        yield Operation(number, Protocol.TOPIC, "", element.name, element.module)
    elif action in _RECEIVING and channel is not None:
        yield Operation(number, Protocol.TOPIC, channel.detail or name, "", channel.module)


def field_uses_of(contract: Contract, numbers: Mapping[str, int], other: int = -1, before: int = 0) -> Iterator[FieldUse]:
    """Yield the fields of schemas that the requests of a contract select.

    `numbers` has the symbols of the requests by name. `other` is the symbol of other requests, and `before` is the number of
    lines before the contract.
    """
    for each in contract.selections:
        number = numbers.get(each.request, other)
        if number >= 0:
            yield FieldUse(each.root, each.path, number, before + each.line)
