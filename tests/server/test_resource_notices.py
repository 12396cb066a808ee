"""The subscriptions of resources, without a connection."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from astrolabe.server.mcp import resource_notices
from astrolabe.server.mcp.resource_notices import ResourceNotices
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, SubscribeRequestParams

FIRST, SECOND = "astrolabe://repo/structure", "astrolabe://schema"


async def read(uri: str) -> str:
    if uri not in (FIRST, SECOND):
        raise MCPError(INVALID_PARAMS, f"Unknown resource: {uri}")
    return uri


def test_a_refused_stream_leaves_no_resource_to_watch() -> None:
    notices = ResourceNotices(lambda: 1, read)
    subscriptions = [FIRST, SECOND, "file:///etc/passwd", "file:///etc/hosts"]
    params: Any = SimpleNamespace(notifications=SimpleNamespace(resource_subscriptions=subscriptions))
    with pytest.raises(MCPError):
        anyio.run(notices._listening(), SimpleNamespace(), params)
    assert notices._listened == {}


def test_a_resource_can_be_subscribed_again_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource_notices, "_MAX_RESOURCES", 1)
    notices = ResourceNotices(lambda: 1, read)
    context: Any = SimpleNamespace(request=None, session=object())

    async def subscribe(uri: str) -> None:
        await notices._subscribe(context, SubscribeRequestParams(uri=uri))

    anyio.run(subscribe, FIRST)
    anyio.run(subscribe, FIRST)
    with pytest.raises(MCPError):
        anyio.run(subscribe, SECOND)
