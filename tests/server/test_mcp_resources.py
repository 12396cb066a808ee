"""Resources, prompts and completions, as the `mcp` package's own client sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from tests.server.test_mcp_server import talk


async def read(client: Client, uri: str) -> Any:
    content = (await client.read_resource(uri)).contents[0]
    assert content.mime_type == "application/json"
    return json.loads(content.text)  # type: ignore[union-attr]


def test_resources_are_answers_of_the_graph(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        listed = {resource.uri for resource in (await client.list_resources()).resources}
        assert listed == {"astrolabe://repo/structure", "astrolabe://schema"}
        assert (await read(client, "astrolabe://repo/structure"))["summary"]["files"] == 4
        assert "Symbol" in (await read(client, "astrolabe://schema"))["schema"]
        file = await read(client, "astrolabe://file/src/auth/verify.ts/symbols")
        assert [entry["name"] for entry in file["sections"]["symbols"]] == ["verifySignature"]
        symbol = await read(client, "astrolabe://symbol/verifySignature/detail")
        assert [entry["name"] for entry in symbol["sections"]["callers"]] == ["TokenService.validateToken"]
        module = await read(client, "astrolabe://module/shop/overview")
        assert module["subject"]["name"] == "shop"

    talk(indexed, conversation)


def test_absent_and_unknown_resources_are_told_apart(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        absent = await read(client, "astrolabe://file/src/none.ts/symbols")
        assert absent["nothing"]["reason"] == "absent"
        for uri in ("astrolabe://nothing", "file:///etc/passwd", "astrolabe://file/../../etc/passwd/symbols"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)

    talk(indexed, conversation)


def test_parameters_are_completed(indexed: Path) -> None:
    async def completed(client: Client, ref: Any, name: str, value: str) -> list[str]:
        return list((await client.complete(ref, {"name": name, "value": value})).completion.values)

    async def conversation(client: Client) -> None:
        file = ResourceTemplateReference(uri="astrolabe://file/{+path}/symbols")
        assert await completed(client, file, "path", "VERI") == ["src/auth/verify.ts"]
        assert len(await completed(client, file, "path", "")) == 4
        symbol = ResourceTemplateReference(uri="astrolabe://symbol/{+id}/detail")
        assert await completed(client, symbol, "id", "handleL") == ["handleLogin"]
        assert await completed(client, symbol, "id", "") == []
        assert await completed(client, PromptReference(name="explain-module"), "module", "s") == ["shop"]
        assert await completed(client, PromptReference(name="bug-fix"), "error", "x") == []

    talk(indexed, conversation)


def test_prompts_hold_what_was_given(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        prompts = {
            prompt.name: [each.name for each in prompt.arguments or []] for prompt in (await client.list_prompts()).prompts
        }
        assert prompts == {
            "bug-fix": ["error"],
            "review-my-change": [],
            "explain-module": ["module"],
            "implement-feature": ["feature"],
        }
        for name, arguments in prompts.items():
            given = dict.fromkeys(arguments, "the-given-value")
            text = (await client.get_prompt(name, given)).messages[0].content.text  # type: ignore[union-attr]
            assert ("the-given-value" in text) == bool(arguments)

    talk(indexed, conversation)
