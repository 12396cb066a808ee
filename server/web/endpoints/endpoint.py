"""An endpoint of the console: the type of its request, and the function that answers the request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from ...api.workspace import Workspace


class Endpoint(NamedTuple):
    """The function of `POST /api/NAME`. The function only reads the workspace unless its description says otherwise."""

    name: str
    #: Type of the record in the body of the request, as JSON. Unknown fields are rejected.
    request: type[msgspec.Struct]
    #: The function, which runs in a thread and returns a value for `msgspec.to_builtins`.
    answer: Callable[[Workspace, Any], object]


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request without arguments."""
