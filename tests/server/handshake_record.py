"""Records what the protocol library answers to the first requests of a client, for `server/mcp/handshake.json`."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from astrolabe.schema.settings import Settings
from astrolabe.schema.version import __version__
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.mcp.handshake import RECORDED, VERSION_FIELD, VERSION_PLACE, Record
from astrolabe.server.mcp.server import CodebaseServer
from astrolabe.server.mcp.tool_sets import TOOL_SETS
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

RECORD_FILE = Path(__file__).resolve().parents[2] / "server" / "mcp" / "handshake.json"

_CLIENT = {"name": "record", "version": "1"}


def record(folder: Path) -> Record:
    """Return what the library answers in each version of the protocol, in an empty folder."""
    versions = [*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS]
    return _joined({version: _conversation(folder, version) for version in versions})


def as_text(found: Record) -> str:
    """Return a record as the text of its file, with a line for each answer."""
    lines = ",\n".join(f"  {json.dumps(result, ensure_ascii=False)}" for result in found.results)
    return f'{{"methods": {json.dumps(found.methods)},\n"results": [\n{lines}\n]}}\n'


def _joined(conversations: Mapping[str, Sequence[tuple[str, dict[str, Any]]]]) -> Record:
    """Return the record of conversations with the library: the methods and results by version."""
    methods: dict[str, dict[str, int]] = {}
    results: list[dict[str, Any]] = []
    for version, answers in conversations.items():
        for method, result in answers:
            if result not in results:
                results.append(result)
            methods.setdefault(method, {})[version] = results.index(result)
    return Record(methods, results)


def _conversation(folder: Path, version: str) -> list[tuple[str, dict[str, Any]]]:
    asked: list[dict[str, Any]] = []
    modern = version in MODERN_PROTOCOL_VERSIONS
    meta = {VERSION_FIELD: version, **{f"io.modelcontextprotocol/{name}": value for name, value in _META.items()}}
    other = "initialize" if modern else "server/discover"
    for number, method in enumerate(RECORDED):
        parameters: dict[str, Any] = {"_meta": meta} if modern else {}
        if method == "initialize":
            parameters = {"protocolVersion": version, "capabilities": {}, "clientInfo": _CLIENT}
        if method != other:
            asked.append({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        if method == "initialize" and not modern:
            asked.append({"jsonrpc": "2.0", "method": "notifications/initialized"})
    offered = frozenset(name for names in TOOL_SETS.values() for name in names)
    with Workspace(folder, folder / ".astrolabe", Settings(structured_search=True)) as workspace:
        client = _Client(asked)
        CodebaseServer(workspace, offered).run_streams(client, client.replies)
    replies = [json.loads(line) for line in client.replies.getvalue().splitlines()]
    kept = {reply["id"]: reply["result"] for reply in replies if "result" in reply}
    return [(RECORDED[number], _without_version(kept[number])) for number in sorted(kept)]


_META: dict[str, Any] = {"clientInfo": _CLIENT, "clientCapabilities": {}}


class _Client(io.StringIO):
    """The requests of a client, each of which waits for the reply to the one before."""

    def __init__(self, messages: Sequence[dict[str, Any]]) -> None:
        super().__init__("".join(json.dumps(each) + "\n" for each in messages))
        self.replies = _Replies()
        self._requests = 0

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        with self.replies.changed:
            self.replies.changed.wait_for(lambda: self.replies.count >= self._requests, timeout=30)
        line = super().readline()
        self._requests += '"id"' in line
        return line


class _Replies(io.StringIO):
    """Keeps what was written after the server closes it."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = threading.Condition()
        self.count = 0

    def write(self, text: str) -> int:
        with self.changed:
            self.count += text.count("\n")
            self.changed.notify_all()
            return super().write(text)

    def close(self) -> None:
        return


def _without_version(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_version(inner) for key, inner in value.items()}
    return VERSION_PLACE if value == __version__ else value
