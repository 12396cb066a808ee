"""The MCP server, driven end to end by the `mcp` package's own client over standard input and output."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from astrolabe.retrieval.lint import LintAnswer
from astrolabe.retrieval.map import CodebaseMap
from astrolabe.retrieval.text_search.records import LiteralAnswer
from astrolabe.retrieval.trace import TraceAnswer
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.graph_tools.records import GraphAnswer
from astrolabe.server.api.requests.cypher_answer import CypherAnswer
from astrolabe.server.mcp.http_address import HttpAddress
from astrolabe.server.mcp.server import INSTRUCTIONS
from astrolabe.server.mcp.tool_sets import chosen_tools
from mcp import Client, StdioServerParameters
from msgspec.structs import fields

Talk = Callable[[Client], Awaitable[None]]


def server_of(root: Path) -> StdioServerParameters:
    # The client hands on next to nothing of the environment by itself, not even where Python finds the package under test.
    environment = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    return StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "astrolabe", "serve", "--root", str(root)], env=environment
    )


def talk(root: Path, conversation: Talk) -> None:
    """Starts the server of a project, lets the client talk, and ends both."""

    async def session() -> None:
        with anyio.fail_after(60):
            async with Client(server_of(root)) as client:
                await conversation(client)

    anyio.run(session)


async def ask(client: Client, **arguments: Any) -> Any:
    return await client.call_tool("codebase_search", arguments)


def test_the_tool_is_described_briefly(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        described = tools["codebase_search"].model_dump(by_alias=True, exclude_none=True)
        assert len(json.dumps(described)) / 4 < 400
        assert described["inputSchema"]["required"] == ["query"]
        assert list(described["inputSchema"]["properties"])[:4] == ["query", "path", "languages", "mode"]
        assert described["annotations"]["readOnlyHint"] is True
        assert client.instructions == INSTRUCTIONS

    talk(indexed, conversation)
    assert len(INSTRUCTIONS) / 4 < 150


def test_all_tools_together_are_described_briefly(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        tools = [tool.model_dump(by_alias=True, exclude_none=True) for tool in (await client.list_tools()).tools]
        assert [tool["name"] for tool in tools] == [
            "codebase_map",
            "codebase_trace",
            "cypher",
            "codebase_lint",
            "codebase_context",
            "codebase_search",
        ]
        assert all(tool["annotations"]["readOnlyHint"] is True for tool in tools)
        assert len(json.dumps(tools)) / 4 < 2300

    talk(indexed, conversation)


ANSWERS = {
    "codebase_map": CodebaseMap,
    "codebase_trace": TraceAnswer,
    "codebase_lint": LintAnswer,
    "codebase_context": GraphAnswer,
    "cypher": CypherAnswer,
    "codebase_search": LiteralAnswer,
}


def test_output_schemas_name_every_part_of_an_answer(indexed: Path) -> None:
    (indexed / "astrolabe.toml").write_text("structured_search = true\n")

    async def conversation(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            assert tool.output_schema is not None
            parts = {field.encode_name for field in fields(ANSWERS[tool.name])}
            assert parts | {"index"} <= tool.output_schema["properties"].keys()

    talk(indexed, conversation)


def test_every_tool_keeps_to_a_budget(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        for name, arguments in (
            ("codebase_map", {"depth": 3}),
            ("codebase_trace", {"symbol": "AuthService"}),
            ("codebase_lint", {}),
            ("codebase_context", {"task": "check tokens before a request"}),
            ("cypher", {"query": "MATCH (s:Symbol) RETURN s.doc, s.signature, s.relativePath"}),
            ("codebase_search", {"query": "e", "mode": "literal"}),
            ("codebase_search", {"query": "how are tokens checked"}),
        ):
            answer = await client.call_tool(name, {**arguments, "budget": 400})
            assert not answer.is_error, answer.content
            assert sum(len(part.text) for part in answer.content if part.type == "text") / 4 <= 400, (name, answer.content)
            assert len(json.dumps(answer.structured_content, ensure_ascii=False, separators=(",", ":"))) / 4 <= 420

    talk(indexed, conversation)


def test_a_structural_tool_answers_with_records_and_a_short_text(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        answer = await client.call_tool("codebase_map", {"path": str(indexed / "src" / "auth"), "depth": 2, "budget": 900})
        assert not answer.is_error
        record = answer.structured_content
        assert record["index"] == {"generation": 1, "fresh": True}
        (folder,) = record["structure"]
        assert [file["file"] for file in folder["files"]] == ["tokenService.ts", "verify.ts"]
        assert record["tokens"] <= 900
        (text,) = answer.content
        assert "class TokenService implements Validator" in text.text
        assert len(text.text) < len(json.dumps(record))

    talk(indexed, conversation)


def test_a_literal_search_answers_with_lines(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        answer = await ask(client, query=r"verify\w+\(", mode="literal", isRegex=True, path="src/auth/")
        assert not answer.is_error
        assert [(match["file"], match["line"]) for match in answer.structured_content["results"]] == [
            ("src/auth/tokenService.ts", 13),
            ("src/auth/verify.ts", 2),
        ]
        assert "  13:     return verifySignature(token, this.secret)" in answer.content[0].text

    talk(indexed, conversation)


def test_scope_and_root_dir_are_understood(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        asked = {"query": "verifySignature", "mode": "literal", "scope": "src/auth/tokenService.ts", "rootDir": str(indexed)}
        results = (await ask(client, **asked)).structured_content["results"]
        assert {match["file"] for match in results} == {"src/auth/tokenService.ts"}

    talk(indexed, conversation)


def test_a_search_answers_with_json_where_that_is_wished_for(indexed: Path) -> None:
    (indexed / "astrolabe.toml").write_text("structured_search = true\n")

    async def conversation(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["codebase_search"].output_schema["properties"]["results"] == {"type": "array"}
        answer = await ask(client, query="symbol = TokenService > validateToken")
        record = answer.structured_content
        (result,) = record["results"]
        assert result.items() >= {"rank": 1, "kind": "method", "file": "src/auth/tokenService.ts"}.items()
        assert (result["symbol"], result["signature"][:13]) == ("TokenService > validateToken", "validateToken")
        assert record["text"] == [content.text for content in answer.content]
        assert (await ask(client, query="verifySignature", mode="literal")).structured_content["totalMatches"] > 0

    talk(indexed, conversation)
    (indexed / "astrolabe.toml").unlink()


KINDS: list[tuple[str, str, set[str]]] = [
    ("functions", "literal", {"method", "function"}),
    ("classes", "literal", {"class"}),
    ("functions", "hybrid", {"method", "function", "constructor"}),
]


@pytest.mark.parametrize(("kind", "mode", "kinds"), KINDS)
def test_results_of_a_kind(indexed: Path, kind: str, mode: str, kinds: set[str]) -> None:
    async def conversation(client: Client) -> None:
        record = (await ask(client, query="token", mode=mode, kind=kind)).structured_content
        assert record["results"]
        assert {match["kind"] for match in record["results"]} <= kinds
        if mode == "literal":
            assert record["totalMatches"] == len(record["results"])

    talk(indexed, conversation)


def test_one_result_a_file(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        results = (await ask(client, query="token", mode="literal", kind="files")).structured_content["results"]
        assert len({match["file"] for match in results}) == len(results) > 1

    talk(indexed, conversation)


def test_tools_are_chosen_by_sets_and_names() -> None:
    assert chosen_tools(None) >= {"codebase_map", "codebase_search"}
    assert chosen_tools("codebase_map") == {"codebase_map"}
    assert chosen_tools("codebase_search, codebase_map") == {"codebase_map", "codebase_search"}
    with pytest.raises(UsageError, match=r'There is no tool or set of tools "grep"\. Sets: codebase'):
        chosen_tools("codebase,grep")


def test_an_answer_is_a_graph_and_one_snapshot_a_file(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        answer = await ask(client, query="where are tokens validated")
        assert not answer.is_error
        assert all(item.type == "text" and item.annotations.audience == ["assistant"] for item in answer.content)
        priorities = [item.annotations.priority for item in answer.content]
        assert priorities[0] == 1.0
        assert priorities == sorted(priorities, reverse=True)
        assert answer.content[0].text.startswith('Search: "where are tokens validated" |')
        assert any("return verifySignature(token, this.secret)" in item.text for item in answer.content[1:])

    talk(indexed, conversation)


def test_filters_may_be_lists_or_one_string(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        for path in (["src/cart/"], "src/cart/", str(indexed / "src" / "cart")):
            answer = await ask(client, query="sum of the prices in a cart", path=path, languages=["javascript"])
            assert "items.reduce" in answer.content[-1].text
        answer = await ask(client, query="sum of the prices in a cart", path=["src/auth/"])
        assert not any("items.reduce" in item.text for item in answer.content)

    talk(indexed, conversation)


def test_answers_are_fresh_at_every_call(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        await ask(client, query="symbol = handleLogin")
        (indexed / "src" / "refund.ts").write_text("export function refundOrder() { return 41 + 1 }\n")
        answer = await ask(client, query="symbol = refundOrder")
        assert "41 + 1" in answer.content[-1].text

    talk(indexed, conversation)


def test_the_first_index_reports_progress(shop: Path) -> None:
    for number in range(150):
        body = "\n".join(f"export function f{number}_{line}(a: number) {{ return a + {line} }}" for line in range(40))
        (shop / "src" / f"many{number}.ts").write_text(body)
    told: list[tuple[float, float | None, str | None]] = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def conversation(client: Client) -> None:
        answer = await client.call_tool("codebase_search", {"query": "symbol = handleLogin"}, progress_callback=listen)
        assert not answer.is_error

    talk(shop, conversation)
    values = [value for value, _, _ in told]
    assert values
    assert values == sorted(set(values))
    assert all(total == 100 and message for _, total, message in told)


_QUERY = "(A question or words; or `symbol = Name`, `symbol = Parent > Child`, `symbol = file > Name`, `symbol = file:line`)"
_PATHS = "(Only these files, folders or globs: `src/auth/`, `**/*.test.ts`)"
BAD_INPUT: list[tuple[dict[str, Any], str]] = [
    ({}, f"codebase_search: `query` is required {_QUERY}."),
    ({"query": 3}, f"codebase_search: `query` must be a string {_QUERY}."),
    ({"query": "x", "path": 3}, f"codebase_search: `path` must be a list of strings {_PATHS}."),
    ({"query": "x", "path": ["a", 3]}, f"codebase_search: `path[1]` must be a string {_PATHS}."),
    (
        {"query": "x", "paths": ["a"]},
        "codebase_search: there is no argument `paths`; it takes query, path, languages, mode, "
        "kind, minScore, isRegex, caseSensitive, linesBefore, linesAfter, limit, budget.",
    ),
    (
        {"query": "x", "kind": "verbs"},
        "codebase_search: `kind` must be 'all', 'functions', 'classes', 'interfaces', 'types', 'constants' or 'files'.",
    ),
    ({"query": "x", "isRegex": True}, "codebase_search: `isRegex` and `caseSensitive` need `mode` literal or hybrid."),
    ({"query": "x", "mode": "fuzzy"}, "codebase_search: `mode` must be 'semantic', 'literal' or 'hybrid'."),
    ({"query": "x", "limit": "many"}, "codebase_search: `limit` must be a whole number, such as 10."),
    ({"query": "x", "budget": True}, "codebase_search: `budget` must be a number, not true."),
    ({"query": "x", "minScore": "high"}, "codebase_search: `minScore` must be a number, such as 0.5."),
    ({"query": "x", "caseSensitive": "perhaps"}, "codebase_search: `caseSensitive` must be true or false."),
    ({"query": "  "}, "The query is empty: ask for code in words, or write `symbol = Name`."),
]


def test_bad_input_is_explained_in_one_sentence(tmp_path: Path) -> None:
    async def conversation(client: Client) -> None:
        for arguments, message in BAD_INPUT:
            answer = await client.session.call_tool("codebase_search", arguments)
            assert answer.is_error
            assert [item.text for item in answer.content] == [message]
        answer = await client.session.call_tool("codebase_serch", {})
        assert answer.content[0].text == (
            "There is no tool `codebase_serch`; "
            "there are codebase_map, codebase_trace, cypher, codebase_lint, codebase_context, codebase_search."
        )

    talk(tmp_path, conversation)


def test_a_folder_without_source_is_explained(tmp_path: Path) -> None:
    async def conversation(client: Client) -> None:
        answer = await ask(client, query="anything")
        assert answer.is_error
        assert "There is nothing to index" in answer.content[0].text

    talk(tmp_path, conversation)
    assert not (tmp_path / ".astrolabe").exists()


def test_standard_output_carries_nothing_but_the_protocol(indexed: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "codebase_search", "arguments": {"query": "cart"}},
    }
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    parameters = server_of(indexed)
    with subprocess.Popen(
        [parameters.command, *parameters.args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        print(*map(json.dumps, (hello, ready, call)), sep="\n", file=server.stdin, flush=True)
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        rest, _ = server.communicate(timeout=30)
    assert [answer["id"] for answer in answers] == [1, 2]
    assert rest == ""
    assert server.returncode == 0


def test_http_answers_on_loopback_and_refuses_strange_hosts(indexed: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}/mcp"
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "astrolabe", "serve", "--http", f"127.0.0.1:{port}", "--root", str(indexed)],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None
    try:
        while "Serving MCP at" not in server.stderr.readline():
            assert server.poll() is None

        async def session() -> None:
            with anyio.fail_after(60):
                await _until_open(port)
                async with Client(address) as client:
                    answer = await ask(client, query="symbol = cartTotal")
                    assert "items.reduce" in answer.content[-1].text
                strange = httpx2.post(address, json={}, headers={"Host": "evil.example", "Content-Type": "application/json"})
                assert strange.status_code == 421

        anyio.run(session)
    finally:
        server.terminate()
        server.communicate(timeout=30)


def test_a_port_that_is_taken_is_explained(shop: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        failed = subprocess.run(
            [sys.executable, "-P", "-m", "astrolabe", "serve", "--http", address, "--root", str(shop)],
            capture_output=True,
            text=True,
        )
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == f"astrolabe: Nothing can listen at {address}: Address already in use.\n"


async def _until_open(port: int) -> None:
    while True:
        try:
            stream = await anyio.connect_tcp("127.0.0.1", port)
        except OSError:
            await anyio.sleep(0.1)
        else:
            await stream.aclose()
            return


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:80", HttpAddress("127.0.0.1", 80)),
        ("localhost:65535", HttpAddress("localhost", 65535)),
        ("[::1]:8765", HttpAddress("::1", 8765)),
        (":8765", HttpAddress("127.0.0.1", 8765)),
        ("8765", HttpAddress("127.0.0.1", 8765)),
    ],
)
def test_addresses(text: str, address: HttpAddress) -> None:
    assert HttpAddress.parse(text) == address


@pytest.mark.parametrize(
    "text", ["", "0.0.0.0:80", "[::]:80", "192.168.1.5:80", "example.com:80", "localhost:0", "localhost:65536", "localhost:x"]
)
def test_addresses_that_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        HttpAddress.parse(text)
