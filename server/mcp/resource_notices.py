"""Notify clients of new generations of the index, because the list of resources or subscribed resources may have changed.

In versions of the protocol up to 2025, clients subscribe to each resource, and receive notices in their session. In later
versions, clients open a stream, to which the library sends all messages on its bus.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    EmptyResult,
    NotificationParams,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)

from ...schema.errors import AstrolabeError
from .log_messages import session_of

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel.server import Server
    from mcp.server.session import ServerSession
    from mcp.types import SubscriptionsListenResult

#: Seconds between two checks of the number of the generation. A check reads one small file.
INTERVAL = 1.0
#: Maximum number of notified sessions.
_MAX_SESSIONS = 1_000
#: Maximum number of subscribed resources of a session.
_MAX_RESOURCES = 500
#: Scheme in the addresses of the index's resources.
SCHEME = "astrolabe://"


class ResourceNotices:
    """The sessions and the subscriptions of one server."""

    def __init__(self, number: Callable[[], int | None], read: Callable[[str], Awaitable[str]]) -> None:
        """`number` returns the number of the generation, and `read` returns the content of a resource without the state of the
        index.
        """
        self._number = number
        self._read = read
        self.bus = InMemorySubscriptionBus()
        #: Sessions of the earlier protocol, by the id of their client.
        self._sessions: OrderedDict[str, ServerSession] = OrderedDict()
        #: Subscribed resources of these sessions.
        self._subscribed: dict[str, set[str]] = {}
        #: Resources of open streams of the later protocol, with the number of the streams.
        self._listened: dict[str, int] = {}
        #: Digest of the content of each resource at the last check.
        self._known: dict[str, str] = {}

    def offer(self, server: Server[Any]) -> None:
        """Add the handlers of subscriptions to a server, which then declares subscriptions in its capabilities."""
        server.add_request_handler("resources/subscribe", SubscribeRequestParams, self._subscribe)
        server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, self._unsubscribe)
        server.add_request_handler("subscriptions/listen", SubscriptionsListenRequestParams, self._listening())
        server.add_notification_handler("notifications/initialized", NotificationParams, self._begun)

    @property
    def options(self) -> NotificationOptions:
        """Options in the capabilities of the earlier protocol."""
        return NotificationOptions(resources_changed=True)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Check for new generations while the server runs."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch)
            try:
                yield
            finally:
                group.cancel_scope.cancel()

    async def _watch(self) -> None:
        seen = await self._generation(None)
        while True:
            await anyio.sleep(INTERVAL)
            number = await self._generation(seen)
            if number != seen:
                seen = number
                await self.tell()

    async def _generation(self, known: int | None) -> int | None:
        try:
            return await anyio.to_thread.run_sync(self._number, abandon_on_cancel=True)
        except AstrolabeError:  # the next request reports a damaged or unreadable index
            return known

    async def tell(self) -> None:
        """Notify all clients of a new generation."""
        await self.bus.publish(ResourcesListChanged())
        for client, session in list(self._sessions.items()):
            await self._send(client, session.send_resource_list_changed)
        wanted = set(self._listened).union(*self._subscribed.values())
        for uri in sorted(wanted):
            if not await self._is_changed(uri):
                continue
            await self.bus.publish(ResourceUpdated(uri=uri))
            for client, uris in list(self._subscribed.items()):
                if uri in uris and client in self._sessions:
                    await self._send(client, partial(self._sessions[client].send_resource_updated, uri))
        self._known = {uri: digest for uri, digest in self._known.items() if uri in wanted}

    async def _send(self, client: str, send: Callable[[], Awaitable[None]]) -> None:
        try:
            await send()
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):  # the client has disconnected
            self._forget(client)

    def _forget(self, client: str) -> None:
        self._sessions.pop(client, None)
        self._subscribed.pop(client, None)

    async def _is_changed(self, uri: str) -> bool:
        """Return whether the content of a resource has changed since the last check. A read error counts as content."""
        digest = await self._digest(uri)
        before = self._known.get(uri)
        self._known[uri] = digest
        return before is None or before != digest

    async def _digest(self, uri: str) -> str:
        try:
            text = await self._read(uri)
        except MCPError as error:  # for example, the file was removed
            text = str(error)
        return hashlib.sha256(text.encode()).hexdigest()

    async def _begun(self, context: ServerRequestContext[Any, Any], params: NotificationParams) -> None:
        self._remember(context)

    def _remember(self, context: ServerRequestContext[Any, Any]) -> str:
        """Record the session of a client as the latest session, and return the id of the client."""
        client = session_of(getattr(context.request, "headers", None))
        self._sessions[client] = context.session
        self._sessions.move_to_end(client)
        if len(self._sessions) > _MAX_SESSIONS:
            self._forget(next(iter(self._sessions)))
        return client

    async def _subscribe(self, context: ServerRequestContext[Any, Any], params: SubscribeRequestParams) -> EmptyResult:
        client = session_of(getattr(context.request, "headers", None))
        await self._check(params.uri, len(self._subscribed.get(client, set()) - {params.uri}))
        uris = self._subscribed.setdefault(self._remember(context), set())
        uris.add(params.uri)
        self._known.setdefault(params.uri, await self._digest(params.uri))
        return EmptyResult()

    async def _unsubscribe(self, context: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams) -> EmptyResult:
        client = session_of(getattr(context.request, "headers", None))
        self._subscribed.get(client, set()).discard(params.uri)
        return EmptyResult()

    async def _check(self, uri: str, count: int) -> None:
        """Raise MCPError for an unknown address. A resource of the index may be created later, so only the scheme is checked."""
        if not uri.startswith(SCHEME):
            try:
                await self._read(uri)
            except MCPError as error:
                message = f"There is no resource {uri[:200]}: addresses begin with {SCHEME}."
                raise MCPError(INVALID_PARAMS, message) from error
        if count >= _MAX_RESOURCES:
            raise MCPError(INVALID_PARAMS, f"A client subscribes to at most {_MAX_RESOURCES} resources.")

    def _listening(
        self,
    ) -> Callable[[ServerRequestContext[Any, Any], SubscriptionsListenRequestParams], Awaitable[SubscriptionsListenResult]]:
        """Return the library's handler of a stream of notices, extended to count the resources of the open streams."""
        handler = ListenHandler(self.bus)

        async def listen(
            context: ServerRequestContext[Any, Any], params: SubscriptionsListenRequestParams
        ) -> SubscriptionsListenResult:
            uris = set(params.notifications.resource_subscriptions or ())
            for uri in uris:
                await self._check(uri, len(uris) - 1)
            for uri in uris:
                self._listened[uri] = self._listened.get(uri, 0) + 1
            try:
                for uri in uris:
                    self._known.setdefault(uri, await self._digest(uri))
                return await handler(context, params)
            finally:
                for uri in uris:
                    self._listened[uri] -= 1
                    if not self._listened[uri]:
                        del self._listened[uri]

        return listen
