"""Log messages for clients that request them by `logging/setLevel`: the cost of each call, and the reasons of failures.

A client that sets no level receives no messages. Versions of the protocol from 2026 on do not have this request.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, get_args

from mcp_types import (
    EmptyResult,
    LoggingLevel,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    SetLevelRequestParams,
)

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel.server import Server
    from mcp.server.mcpserver import Context

_LOGGER = "astrolabe"
#: Levels from the least to the most important.
_LEVELS: tuple[LoggingLevel, ...] = get_args(LoggingLevel)
#: Maximum number of sessions with a level. The session with the oldest level is removed first.
_MAX_SESSIONS = 1_000


class LogMessages:
    """Keeps the level of each session, and sends messages of that level and above."""

    def __init__(self) -> None:
        self._levels: OrderedDict[str, int] = OrderedDict()

    def offer(self, server: Server[Any]) -> None:
        """Add the handler of `logging/setLevel` to a server."""
        server.add_request_handler("logging/setLevel", SetLevelRequestParams, self._set)

    async def _set(self, context: ServerRequestContext[Any, Any], params: SetLevelRequestParams) -> EmptyResult:
        session = session_of(getattr(context.request, "headers", None))
        self._levels[session] = _LEVELS.index(params.level)
        self._levels.move_to_end(session)
        if len(self._levels) > _MAX_SESSIONS:
            self._levels.popitem(last=False)
        return EmptyResult()

    async def send(self, context: Context[Any, Any] | None, level: LoggingLevel, data: dict[str, Any]) -> None:
        """Send a message to the client of a request, if the client has requested messages of this level."""
        if context is None or not self._levels:
            return
        least = self._levels.get(session_of(context.headers))
        if least is None or _LEVELS.index(level) < least:
            return
        message = LoggingMessageNotification(params=LoggingMessageNotificationParams(level=level, logger=_LOGGER, data=data))
        await context.request_context.session.send_notification(message, related_request_id=context.request_id)


def session_of(headers: Any) -> str:
    """Return the id of a session over HTTP; "" for the only client of standard input and output."""
    return "" if headers is None else str(headers.get("mcp-session-id", ""))
