"""Answer the first messages of a client without the protocol library, whose import takes most of a second.

`handshake.json` has the library's answers for each version of the protocol; `python tests/test_documentation.py` records them.
The library answers messages without a record, such as an unknown version of the protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import msgspec

from ...schema.version import __version__

#: Field of a request's `_meta` with the version of the protocol, for clients that send no `initialize`.
VERSION_FIELD = "io.modelcontextprotocol/protocolVersion"
#: Placeholder in the record for the version of Astrolabe.
VERSION_PLACE = "(version)"
#: Requests that are answered from the record.
RECORDED = (
    "initialize",
    "server/discover",
    "ping",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
)


class Record(msgspec.Struct, frozen=True):
    """The library's answers."""

    #: For each method and version, the index of the answer in `results`.
    methods: dict[str, dict[str, int]]
    results: list[dict[str, Any]]

    @classmethod
    def load(cls) -> Record:
        """Return the record in the package."""
        return msgspec.json.decode(files(__package__).joinpath("handshake.json").read_bytes(), type=cls)


class Handshake:
    """Answers the first requests of one client."""

    def __init__(self, record: Record, tools: frozenset[str], *, structured_search: bool) -> None:
        self._record = record
        self._tools = tools
        self._structured_search = structured_search
        self._version = ""
        #: Id of the client's `initialize`, or None before.
        self.initialize_id: str | int | None = None
        #: The received messages that the library must also read, because they describe the client.
        self.lines: list[bytes] = []

    def answer(self, line: bytes) -> bytes | None:
        """Return the reply to a message with its line end; b"" for no reply, and None if the library must answer."""
        try:
            message = msgspec.json.decode(line)
        except msgspec.DecodeError:
            return None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return None
        method, request_id, parameters = message.get("method"), message.get("id"), message.get("params") or {}
        if method == "notifications/initialized" and self._version and request_id is None:
            self.lines.append(line)
            return b""
        if not isinstance(request_id, str | int) or not isinstance(parameters, dict):
            return None
        result = self._result(str(method), parameters)
        if result is None:
            return None
        if method == "initialize":
            self._version, self.initialize_id = result["protocolVersion"], request_id
            self.lines.append(line)
        return msgspec.json.encode({"jsonrpc": "2.0", "id": request_id, "result": result}) + b"\n"

    def _result(self, method: str, parameters: Mapping[str, Any]) -> dict[str, Any] | None:
        meta = parameters.get("_meta") or {}
        if method == "initialize":
            expected, version = {"protocolVersion", "capabilities", "clientInfo"}, parameters.get("protocolVersion")
            if self._version or not expected <= parameters.keys():
                return None
        else:
            version = meta.get(VERSION_FIELD, self._version) if isinstance(meta, dict) else None
            if parameters.keys() - {"_meta"}:
                return None
        place = self._record.methods.get(method, {}).get(version) if isinstance(version, str) else None
        return None if place is None else self._filled(self._record.results[place])

    def _filled(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return a recorded result, reduced to the tools of this server, and with the version of this package."""
        filled = {key: _with_version(value) for key, value in result.items()}
        if "tools" in filled:
            filled["tools"] = [self._tool(tool) for tool in result["tools"] if tool["name"] in self._tools]
        return filled

    def _tool(self, tool: dict[str, Any]) -> dict[str, Any]:
        if tool["name"] != "codebase_search" or self._structured_search:
            return tool
        return {key: value for key, value in tool.items() if key != "outputSchema"}


def _with_version(value: object) -> object:
    if isinstance(value, dict):
        return {key: _with_version(inner) for key, inner in value.items()}
    return __version__ if value == VERSION_PLACE else value
