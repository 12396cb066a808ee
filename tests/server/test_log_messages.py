"""Log messages: a client that sets a level gets what calls took, and why they failed; others get none."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.mcp.server import CodebaseServer
from astrolabe.server.mcp.tool_sets import chosen_tools
from mcp import Client
from mcp_types import LoggingLevel, LoggingMessageNotificationParams


@pytest.mark.parametrize(
    ("level", "expected"), [(None, []), ("debug", ["info", "warning"]), ("warning", ["warning"]), ("error", [])]
)
def test_messages_are_of_the_level_that_was_set(indexed: Path, level: LoggingLevel | None, expected: list[str]) -> None:
    messages: list[LoggingMessageNotificationParams] = []

    async def keep(message: LoggingMessageNotificationParams) -> None:
        messages.append(message)

    async def session() -> None:
        with Workspace.locate(indexed) as workspace:
            server = CodebaseServer(workspace, chosen_tools("cypher"))
            async with Client(server, logging_callback=keep, mode="legacy") as client:
                if level is not None:
                    await client.set_logging_level(level)
                await client.call_tool("cypher", {"query": "MATCH (f:File) RETURN count(*)"})
                await client.call_tool("cypher", {"query": "MATCH (f:Fil) RETURN count(*)"})

    anyio.run(session)
    assert [message.level for message in messages] == expected
    for message in messages:
        assert message.logger == "astrolabe"
        assert message.data["tool"] == "cypher"
        assert ("error" in message.data) == (message.level == "warning")
