"""Services of gRPC in Kotlin: classes that derive from the generated classes of a service.

The generators for Kotlin and Java write `CartGrpcKt.CartCoroutineImplBase` and `CartGrpc.CartImplBase`.
"""

from __future__ import annotations

import re
from typing import Final

from ...facts.model import FileFacts
from ..api_calls.generated_bases import add_rpc_services, services_by_base

#: The call of the constructor of a generated class. A type of a parameter has no parentheses.
_BASE: Final = re.compile(r"[:,] (?:\w+\.)*(?P<service>\w+?)(?:Coroutine)?ImplBase\(")


def add_grpc_services(facts: FileFacts) -> None:
    """Add the services that the classes and objects of a file implement."""
    add_rpc_services(facts, services_by_base(facts, _BASE))
