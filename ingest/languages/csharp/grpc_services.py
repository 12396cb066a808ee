"""Services of gRPC in C#: classes that derive from the generated class of a service, `Cart.CartBase`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...facts.model import FileFacts
from ..api_calls.generated_bases import RpcService, add_rpc_services

#: The base of a class, after its parameters: `class Store(Db db) : Shop.Cart.CartBase, IDisposable`.
_BASE: Final = re.compile(r": (?:\w+(?:::|\.))*(?P<service>\w+)\.(?P=service)Base\b")


def add_grpc_services(facts: FileFacts) -> None:
    """Add the services that the classes of a file implement."""
    add_rpc_services(facts, _services(facts))


def _services(facts: FileFacts) -> Iterator[RpcService]:
    for number, symbol in enumerate(facts.symbols):
        found = _BASE.search(symbol.signature) if symbol.kind == "class" else None
        if found is not None:
            yield RpcService(found["service"], number)
