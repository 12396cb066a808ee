"""Services of gRPC in Ruby: classes that derive from the generated class of a service, `Shop::Cart::Service`."""

from __future__ import annotations

import re
from typing import Final

from ...facts.model import FileFacts
from ..api_calls.generated_bases import RpcService, add_rpc_services, services_by_base

_BASE: Final = re.compile(r"< *(?:\w*::)*(?P<service>\w+)::Service\s*$", re.MULTILINE)


def add_grpc_services(facts: FileFacts) -> None:
    """Add the methods of a file that implement operations. The generator turns `ListItems` into `list_items`."""
    classes = {each.symbol: each.service for each in services_by_base(facts, _BASE)}
    methods = (
        RpcService(classes[symbol.parent], number, symbol.name)
        for number, symbol in enumerate(facts.symbols)
        if symbol.parent in classes and symbol.kind == "method" and symbol.exported
    )
    add_rpc_services(facts, methods)
