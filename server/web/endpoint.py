"""An endpoint of the console: a name, the request that it takes, and the function that answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from ..api.workspace import Workspace


class Endpoint(NamedTuple):
    """The function of `POST /api/NAME`. It only reads the workspace, unless its description says otherwise."""

    name: str
    #: A record; the body of the request is its JSON, and unknown fields are refused.
    request: type[msgspec.Struct]
    #: Runs in a thread, and returns a value for `msgspec.to_builtins`.
    answer: Callable[[Workspace, Any], object]


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request without arguments."""
