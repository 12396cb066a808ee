"""The first answers of the MCP server, which come before the protocol library and the engines are loaded."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from astrolabe.schema.version import __version__
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.mcp.handshake import VERSION_FIELD, Handshake, Record
from astrolabe.server.mcp.standard_streams import Replayed, Wire, WithoutReply

from tests.server.test_mcp_server import server_of

TOOLS = frozenset(("codebase_search", "cypher"))
MODERN = {"_meta": {VERSION_FIELD: "2026-07-28"}}


class Server:
    """A server process, and what its client says and reads line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._number = 0

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        print(line, file=self.process.stdin, flush=True)

    def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, parameters: dict[str, Any] | None = None) -> Any:
        self._number += 1
        self.say(message(method, parameters or {}, self._number))
        return self.read()

    def initialize(self, version: str = "2025-06-18") -> Any:
        client = {"name": "t", "version": "1"}
        return self.ask("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client})

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]


def message(method: str, parameters: dict[str, Any], request_id: int | str | None = None) -> str:
    identified = {} if request_id is None else {"id": request_id}
    return json.dumps({"jsonrpc": "2.0", **identified, "method": method, "params": parameters})


@contextmanager
def served(root: Path) -> Iterator[Server]:
    parameters = server_of(root)
    with subprocess.Popen(
        [parameters.command, *parameters.args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Server(process)
        _, _ = process.communicate(timeout=60)
    assert process.returncode == 0


def answered(handshake: Handshake, method: str, parameters: dict[str, Any], request_id: int | str | None = 1) -> Any:
    reply = handshake.answer(message(method, parameters, request_id).encode())
    return json.loads(reply) if reply else reply


def new_handshake() -> Handshake:
    return Handshake(Record.load(), TOOLS, structured_search=False)


HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def test_a_handshake_is_answered_for_each_version() -> None:
    for version in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
        result = answered(new_handshake(), "initialize", {**HELLO, "protocolVersion": version}, "a")["result"]
        assert (result["protocolVersion"], result["serverInfo"]["version"]) == (version, __version__)
    found = answered(new_handshake(), "server/discover", MODERN)["result"]
    assert "2026-07-28" in found["supportedVersions"]


def test_only_offered_tools_are_listed() -> None:
    handshake = new_handshake()
    assert answered(handshake, "initialize", HELLO)["id"] == 1
    assert handshake.answer(message("notifications/initialized", {}).encode()) == b""
    tools = answered(handshake, "tools/list", {}, 2)["result"]["tools"]
    assert {tool["name"] for tool in tools} == TOOLS
    assert ["outputSchema" in tool for tool in tools if tool["name"] == "codebase_search"] == [False]
    assert len(handshake.lines) == 2
    assert answered(new_handshake(), "tools/list", MODERN)["result"]["tools"] == tools


@pytest.mark.parametrize(
    ("method", "parameters", "request_id"),
    [
        ("tools/list", {}, 1),
        ("initialize", {**HELLO, "protocolVersion": "1999-01-01"}, 1),
        ("initialize", {**HELLO, "protocolVersion": 7}, 1),
        ("initialize", {"protocolVersion": "2025-06-18"}, 1),
        ("initialize", HELLO, None),
        ("tools/list", {**MODERN, "cursor": "x"}, 1),
        ("tools/list", {"_meta": 3}, 1),
        ("tools/call", {**MODERN, "name": "cypher"}, 1),
        ("notifications/initialized", {}, None),
        ("no/such/method", MODERN, 1),
    ],
)
def test_everything_else_is_left_to_the_library(method: str, parameters: dict[str, Any], request_id: int | None) -> None:
    assert new_handshake().answer(message(method, parameters, request_id).encode()) is None


@pytest.mark.parametrize("line", [b"", b"\n", b"{", b"[]\n", b"3\n", b"null\n", b'{"jsonrpc": "1.0", "id": 1}\n', b"\xff\xfe\n"])
def test_what_is_no_message_is_left_to_the_library(line: bytes) -> None:
    assert new_handshake().answer(line) is None


def test_the_wire_gives_lines_and_then_bytes(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_bytes(b"one\n" + b"x" * 100_000 + b"\nthree\nfour")
    with source.open("rb") as read, (tmp_path / "out").open("wb") as written:
        wire = Wire(read.fileno(), written.fileno())
        assert wire.read_line() == b"one\n"
        assert wire.read_line() == b"x" * 100_000 + b"\n"
        assert Replayed(wire, [b"before\n"]).readall() == b"before\nthree\nfour"
        assert wire.read_line() is None
        output = WithoutReply(wire, 1)
        for line in (
            '{"id": 2, "result": {}}\n',
            '{"id": 1, "method": "x"}\n',
            '{"id": 1, "result": {}}\n',
            '{"id": 1, "result": 5}\n',
        ):
            assert output.write(line) == len(line)
    assert (tmp_path / "out").read_bytes() == b'{"id": 2, "result": {}}\n{"id": 1, "method": "x"}\n{"id": 1, "result": 5}\n'


def test_the_library_goes_on_where_the_handshake_ended(indexed: Path) -> None:
    with served(indexed) as server:
        assert server.initialize()["result"]["protocolVersion"] == "2025-06-18"
        server.say(message("notifications/initialized", {}))
        listed = server.ask("tools/list")["result"]
        assert "handleLogin" in json.dumps(server.call("codebase_search", query="symbol = handleLogin"))
        assert server.ask("tools/list")["result"] == listed


@pytest.mark.skipif(sys.platform != "linux", reason="The memory of a process is read from /proc.")
def test_nothing_is_loaded_before_the_first_question(indexed: Path) -> None:
    with served(indexed) as server:
        server.initialize()
        server.ask("tools/list")
        time.sleep(2)
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        mapped = Path(f"/proc/{server.process.pid}/maps").read_text()
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    assert resident < 120_000
    assert not any(engine in mapped for engine in ("kuzu", "lance", "pyarrow"))


def test_a_client_may_leave_at_any_time(indexed: Path) -> None:
    with served(indexed):
        pass
    with served(indexed) as server:
        server.initialize()


def test_a_message_that_is_no_json_is_answered_with_an_error(indexed: Path) -> None:
    with served(indexed) as server:
        server.initialize()
        server.say("{")
        server.say(message("ping", {}, "p"))
        assert server.read()["id"] == "p"


def test_the_first_index_of_a_git_repository_is_built_in_advance(shop: Path) -> None:
    (shop / ".git").mkdir(exist_ok=True)
    with served(shop) as server, Workspace.locate(shop) as workspace:
        server.initialize()
        deadline = time.monotonic() + 60
        while not workspace.is_indexed() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert workspace.is_indexed()


def test_a_question_does_not_wait_forever_for_the_first_index(shop: Path) -> None:
    (shop / "astrolabe.toml").write_text("first_index_wait = 0.01\nindex_on_start = false\n")
    for number in range(100):
        (shop / "src" / f"many{number}.ts").write_text("\n".join(f"export const c{number}_{line} = {line}" for line in range(99)))
    with served(shop) as server:
        server.initialize()
        answer = server.call("codebase_search", query="symbol = handleLogin")
        assert answer["isError"]
        assert "The first index is being built" in answer["content"][0]["text"]
        deadline = time.monotonic() + 60
        while answer["isError"] and time.monotonic() < deadline:
            time.sleep(0.2)
            answer = server.call("codebase_search", query="symbol = handleLogin")
        assert "handleLogin" in json.dumps(answer)


def test_a_closed_server_ends_although_a_thread_still_runs(tmp_path: Path) -> None:
    """Threads of engines may outlive the last message. An exit that waits for them, or destroys what they use, fails here."""
    busy = (
        "import atexit, sys, threading\n"
        "from astrolabe.__main__ import run\n"
        "atexit.register(print, 'destroyed', file=sys.stderr)\n"
        "threading.Thread(target=threading.Event().wait).start()\n"
        "run()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-P", "-c", busy, "serve", "--root", str(tmp_path)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
