"""Services of gRPC in C++: classes that derive from the generated class of a service, `shop::Cart::Service`."""

from __future__ import annotations

import re
from typing import Final

from ...facts.model import FileFacts
from ..api_calls.generated_bases import add_rpc_services, services_by_base

#: The base of a class. The asynchronous classes of the generator are `Cart::AsyncService` and `Cart::CallbackService`.
_BASE: Final = re.compile(r"[:,] *(?:(?:public|virtual) +)*(?:\w*::)*(?P<service>\w+)::(?:Async|Callback)?Service\b(?! *::)")


def add_grpc_services(facts: FileFacts) -> None:
    """Add the services that the classes of a file implement."""
    add_rpc_services(facts, services_by_base(facts, _BASE))
