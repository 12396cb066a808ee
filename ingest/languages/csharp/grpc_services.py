"""Services of gRPC in C#: classes that derive from the generated class of a service, `Cart.CartBase`."""

from __future__ import annotations

import re
from typing import Final

from ...facts.model import FileFacts
from ..api_calls.generated_bases import add_rpc_services, services_by_base

#: The base of a class, after its parameters: `class Store(Db db) : Shop.Cart.CartBase, IDisposable`.
_BASE: Final = re.compile(r": (?:\w+(?:::|\.))*(?P<service>\w+)\.(?P=service)Base\b")


def add_grpc_services(facts: FileFacts) -> None:
    """Add the services that the classes of a file implement."""
    add_rpc_services(facts, services_by_base(facts, _BASE))
