"""The panel of tools: the tools of the MCP server, calls by the user, and the log of calls by agents."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal

import anyio
import msgspec

from ....retrieval.text.tokens import count_tokens
from ...api.workspace import Workspace
from ...mcp.call_log import logged_calls
from ...mcp.tool_sets import TOOL_SETS, chosen_tools
from .endpoint import Endpoint, Nothing

if TYPE_CHECKING:
    from ...mcp.server import CodebaseServer

#: Maximum number of suggestions for a field.
MAX_SUGGESTIONS = 20
#: Maximum number of logged calls in an answer.
MAX_LOGGED = 200


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call of a tool."""

    name: str
    arguments: dict[str, Any] = {}


class Typed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text in a field."""

    kind: Literal["path", "symbol"]
    text: str


def _list(workspace: Workspace, asked: Nothing) -> object:
    """Return all tools of all sets, with their schemas."""

    async def listed() -> list[Any]:
        return await _server(workspace).list_tools()

    sets = {name: group for group, names in TOOL_SETS.items() for name in names}
    default = chosen_tools(None)
    return [
        {
            **tool.model_dump(mode="json", by_alias=True, exclude_none=True),
            "set": sets[tool.name],
            "offered": tool.name in default,
        }
        for tool in anyio.run(listed)
    ]


def _call(workspace: Workspace, asked: Call) -> object:
    """Call a tool through an MCP client. The call is not logged, because it does not come from an agent."""
    from mcp import Client

    async def called() -> Any:
        async with Client(_server(workspace)) as client:
            return await client.call_tool(asked.name, asked.arguments)

    begun = time.monotonic()
    result = anyio.run(called)
    milliseconds = round((time.monotonic() - begun) * 1000)
    raw = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {
        "request": {"method": "tools/call", "params": {"name": asked.name, "arguments": asked.arguments}},
        "response": raw,
        "parts": [
            {
                "text": part.get("text", ""),
                "tokens": count_tokens(part.get("text", "")),
                "audience": part.get("annotations", {}).get("audience", []),
                "priority": part.get("annotations", {}).get("priority"),
            }
            for part in raw.get("content", [])
        ],
        "structured": raw.get("structuredContent"),
        "isError": bool(raw.get("isError")),
        "milliseconds": milliseconds,
    }


def _suggest(workspace: Workspace, asked: Typed) -> object:
    """Return paths or names of symbols that contain the text, the most important first."""
    text = asked.text.strip()
    if not text:
        return []
    if asked.kind == "path":
        files = workspace.files(path__contains=text).sort("importance", descending=True).limit(MAX_SUGGESTIONS)
        return [{"value": row.path, "detail": row.language} for row in files]
    named = workspace.symbols(name__icontains=text.rpartition(">")[2].strip() or text)
    rows = named.sort("importance", descending=True).limit(MAX_SUGGESTIONS)
    return [
        {"value": f"{row.path} > {row.qualified_name.replace('.', ' > ')}", "detail": f"{row.kind}, line {row.start_line}"}
        for row in rows
    ]


def _log(workspace: Workspace, asked: Nothing) -> object:
    """Return the calls of agents, the newest first, and whether the log is on."""
    return {"on": workspace.settings.call_log, "calls": logged_calls(workspace.data_dir)[:MAX_LOGGED]}


def _server(workspace: Workspace) -> CodebaseServer:
    # Loading the protocol library takes half a second, and the first view of the page does not need it.
    from ...mcp.server import CodebaseServer

    return CodebaseServer(workspace, chosen_tools(",".join(TOOL_SETS)))


ENDPOINTS = (
    Endpoint("tools-list", Nothing, _list),
    Endpoint("tools-call", Call, _call),
    Endpoint("tools-suggest", Typed, _suggest),
    Endpoint("tools-log", Nothing, _log),
)
