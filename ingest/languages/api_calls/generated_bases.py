"""Services of gRPC in languages without a resolver: classes whose signatures name generated bases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ...facts.api import ApiFacts, Protocol, Service
from ...facts.model import FileFacts

_FRAMEWORK: Final = "gRPC"
#: Evidence of an implementation by a class that names the generated base.
_EVIDENCE: Final = "base"


class RpcService(NamedTuple):
    """A class that implements a service, or a method that implements one operation of a service."""

    service: str
    #: Index of the symbol of the class or the method.
    symbol: int
    #: Name of the operation; "" for a class.
    operation: str = ""


def add_rpc_services(facts: FileFacts, services: Iterable[RpcService]) -> None:
    """Add services that a file implements to its facts."""
    for each in services:
        if facts.api is None:
            facts.api = ApiFacts()
        line = facts.symbols[each.symbol].name_line
        service = Service(Protocol.RPC, each.service, each.operation, each.symbol, None, line, _FRAMEWORK, _EVIDENCE)
        facts.api.services.append(service)


def services_by_base(facts: FileFacts, base: re.Pattern[str]) -> Iterator[RpcService]:
    """Yield the classes whose signatures name a generated base. The group `service` of the pattern is the service's name."""
    for number, symbol in enumerate(facts.symbols):
        found = base.search(symbol.signature) if symbol.kind == "class" else None
        if found is not None:
            yield RpcService(found["service"], number)
