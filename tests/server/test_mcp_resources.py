"""Resources, prompts and completions, as the `mcp` package's own client sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.mcp.server import CodebaseServer
from astrolabe.server.mcp.tool_sets import chosen_tools
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types import PromptReference, ResourceTemplateReference

from tests.server.test_mcp_server import server_of, talk


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
            "implement-feature": ["feature", "module"],
            "create-module": ["name", "like", "dependencies"],
            "update-module": ["module", "change"],
            "upgrade-feature": ["feature", "upgrade"],
            "follow-workflow": ["doc", "section"],
            "run-workflow": ["template", "parameters"],
        }
        for name, arguments in prompts.items():
            given = dict.fromkeys(arguments, "the-given-value")
            text = (await client.get_prompt(name, given)).messages[0].content.text  # type: ignore[union-attr]
            assert ("the-given-value" in text) == bool(arguments)

    talk(indexed, conversation)


def test_a_document_is_a_resource(indexed: Path) -> None:
    (indexed / "docs").mkdir()
    (indexed / "docs" / "guide.md").write_text(
        "# Guide\n\n## Install\n\n1. Call `verifySignature()`\n2. Read `src/auth/lost.ts`\n"
    )

    async def conversation(client: Client) -> None:
        found = await read(client, "astrolabe://doc/docs/guide.md")
        assert found["summary"] == {"sections": 2, "steps": 2, "named": 1}
        assert [entry["name"] for entry in found["sections"]["sections"]][:2] == ["Guide", "Install"]
        assert [entry["name"] for entry in found["sections"]["linkedSymbols"]] == ["verifySignature"]
        assert [entry["name"] for entry in found["sections"]["notFound"]] == ["src/auth/lost.ts"]
        absent = await read(client, "astrolabe://doc/docs/gide.md")
        assert absent["sections"]["candidates"][0]["name"] == "docs/guide.md"
        template = ResourceTemplateReference(uri="astrolabe://doc/{+path}")
        values = (await client.complete(template, {"name": "path", "value": "guide"})).completion.values
        assert values == ["docs/guide.md"]
        source = (await client.complete(template, {"name": "path", "value": "verify"})).completion.values
        assert source == []

    talk(indexed, conversation)


def test_prompts_of_all_workflows_are_completed(indexed: Path) -> None:
    (indexed / "RELEASE.md").write_text("# Release process\n\n1. Tag\n2. Publish\n\n# Patch process\n\n1. Pick\n2. Publish\n")

    async def conversation(client: Client) -> None:
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        templates = {"bug-fix", "create-module", "update-module", "implement-feature", "upgrade-feature"}
        assert templates | {"follow-workflow", "run-workflow", "explain-module", "review-my-change"} == set(prompts)
        for name, prompt in prompts.items():
            given = {each.name: "shop" for each in prompt.arguments or ()}
            content = (await client.get_prompt(name, given)).messages[0].content
            assert "shop" in content.text or not given  # type: ignore[union-attr]
        ref = PromptReference(name="run-workflow")
        values = (await client.complete(ref, {"name": "template", "value": "mod"})).completion.values
        assert values == ["create-module", "update-module"]
        follow = PromptReference(name="follow-workflow")
        titles = await client.complete(follow, {"name": "section", "value": "p"}, context_arguments={"doc": "RELEASE.md"})
        assert titles.completion.values == ["Patch process", "Release process"]

    talk(indexed, conversation)


CHANGED, UNCHANGED = "astrolabe://file/src/auth/verify.ts/symbols", "astrolabe://schema"


async def change(client: Client, root: Path) -> None:
    path = root / "src" / "auth" / "verify.ts"
    path.write_text(path.read_text() + "export function verifyAgain() {}\n")
    await client.call_tool("codebase_search", {"query": "symbol = verifyAgain"})


def test_who_listens_is_told_of_a_new_generation_and_of_what_changed(indexed: Path) -> None:
    async def conversation(client: Client) -> None:
        async with client.listen(resources_list_changed=True, resource_subscriptions=[CHANGED, UNCHANGED]) as stream:
            await change(client, indexed)
            events = []
            async for event in stream:
                events.append(event)
                if len(events) == 2:
                    break
        assert events == [ResourcesListChanged(), ResourceUpdated(uri=CHANGED)]

    talk(indexed, conversation)


@pytest.mark.filterwarnings("ignore:resources/subscribe is removed")
def test_who_subscribes_in_an_earlier_protocol_is_told_as_well(indexed: Path) -> None:
    told: list[str] = []

    async def session() -> None:
        finished = anyio.Event()

        async def heard(message: Any) -> None:
            told.append(type(message).__name__)
            if len(told) == 2:
                finished.set()

        with anyio.fail_after(60):
            async with Client(server_of(indexed), mode="legacy", message_handler=heard) as client:
                await client.subscribe_resource(CHANGED)
                await client.subscribe_resource(UNCHANGED)
                await change(client, indexed)
                await finished.wait()

    anyio.run(session)
    assert told == ["ResourceListChangedNotification", "ResourceUpdatedNotification"]


@pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed")
def test_subscriptions_to_resources_of_another_scheme_need_the_resource(indexed: Path) -> None:
    def notes() -> str:
        return "No JSON."

    async def session() -> None:
        with Workspace.locate(indexed) as workspace:
            server = CodebaseServer(workspace, chosen_tools("cypher"))
            server.resource("test://notes", mime_type="text/plain")(notes)
            async with Client(server, mode="legacy") as client:
                await client.subscribe_resource("test://notes")
                await client.unsubscribe_resource("test://notes")
                with pytest.raises(MCPError, match="There is no resource test://other: addresses begin with astrolabe://"):
                    await client.subscribe_resource("test://other")

    anyio.run(session)
