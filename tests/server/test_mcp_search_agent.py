"""The retrieval agent over MCP sampling: clients that answer, refuse, fail, talk nonsense or stay silent."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.mcp.search_agent import Verdict, read_verdict
from astrolabe.server.mcp.server import CodebaseServer
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, CreateMessageResult, ErrorData, TextContent

#: Nothing in the project is like it, and a question that finds what it means.
STRANGE, BETTER = "zebra migration over the savannah", "where are tokens validated"
#: The handshake era, in which servers ask clients, and the protocol whose tools answer that they need input.
MODES = ("legacy", "2026-07-28")

Reply = Callable[[str], Any]


class Model:
    """A client's model: keeps what it was asked."""

    def __init__(self, reply: Reply) -> None:
        self.asked: list[str] = []
        self._reply = reply

    async def __call__(self, context: Any, params: Any) -> CreateMessageResult | ErrorData:
        question = params.messages[0].content.text
        self.asked.append(question)
        reply = self._reply(question)
        if reply is None:
            await anyio.sleep(30)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, ErrorData):
            return reply
        return CreateMessageResult(role="assistant", model="test", content=TextContent(type="text", text=reply))


def better(_question: str) -> str:
    return json.dumps({"relevant": False, "query": BETTER})


def ask(root: Path, query: str, model: Model | None, mode: str, *, calls: int = 1, **settings: Any) -> list[str]:
    """The texts of the last of some equal calls to a server in this process; a call that the client itself ends has none."""
    texts: list[str] = []

    async def session(workspace: Workspace) -> None:
        with anyio.fail_after(60):
            async with Client(
                CodebaseServer(workspace, frozenset({"codebase_search"})), sampling_callback=model, mode=mode
            ) as client:
                for _ in range(calls):
                    texts.clear()
                    try:
                        answer = await client.call_tool("codebase_search", {"query": query})
                    except MCPError:
                        continue
                    assert not answer.is_error
                    texts.extend(item.text for item in answer.content)

    with Workspace(root, root / ".astrolabe", Settings(**settings)) as workspace:
        anyio.run(session, workspace)
    return texts


@pytest.mark.parametrize("mode", MODES)
def test_a_weak_answer_is_asked_for_in_other_words(indexed: Path, mode: str) -> None:
    model = Model(better)
    texts = ask(indexed, STRANGE, model, mode, sampling=True)
    assert f'Search: "{BETTER}"' in texts[0]
    assert f'Little matches "{STRANGE}"' in texts[0]
    assert any("verifySignature(token, this.secret)" in text for text in texts[1:])
    assert model.asked[0].startswith(f"Question: {STRANGE}\nResults:\n")


@pytest.mark.parametrize("mode", MODES)
def test_attempts_are_limited_and_tell_what_was_tried(indexed: Path, mode: str) -> None:
    model = Model(lambda question: json.dumps({"relevant": False, "query": f"{STRANGE} {len(question)}"}))
    ask(indexed, STRANGE, model, mode, sampling=True, sampling_attempts=3)
    assert len(model.asked) == 3
    assert f"Already tried: {STRANGE}; {STRANGE} " in model.asked[1]


@pytest.mark.parametrize("mode", MODES)
def test_a_model_that_is_content_changes_nothing(indexed: Path, mode: str) -> None:
    model = Model(lambda _: '{"relevant": true}')
    assert ask(indexed, STRANGE, model, mode, sampling=True) == ask(indexed, STRANGE, None, mode)
    assert len(model.asked) == 1


HARMLESS: list[tuple[str, dict[str, Any], Reply, int]] = [
    # Off by default.
    (STRANGE, {}, better, 0),
    (STRANGE, {"sampling": True, "sampling_attempts": 0}, better, 0),
    # Good answers and lookups need no second thought.
    (BETTER, {"sampling": True}, better, 0),
    ("symbol = Nowhere", {"sampling": True}, better, 0),
    # Nonsense.
    (STRANGE, {"sampling": True}, lambda _: "I would rather not.", 1),
    (STRANGE, {"sampling": True}, lambda _: "{}", 1),
    (STRANGE, {"sampling": True}, lambda _: json.dumps({"relevant": False, "query": "x" * 5000}), 1),
    (STRANGE, {"sampling": True}, lambda _: json.dumps({"relevant": False, "query": "symbol = x"}), 1),
    (STRANGE, {"sampling": True}, lambda _: json.dumps({"relevant": False, "query": STRANGE}), 1),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("query", "settings", "reply", "asked"), HARMLESS)
def test_without_a_better_query_the_answer_is_as_without_a_model(
    indexed: Path, query: str, settings: dict[str, Any], reply: Reply, asked: int, mode: str
) -> None:
    model = Model(reply)
    assert ask(indexed, query, model, mode, **settings) == ask(indexed, query, None, mode)
    assert len(model.asked) == asked


REFUSALS: list[tuple[Reply, dict[str, Any]]] = [
    (lambda _: ErrorData(code=INTERNAL_ERROR, message="the user said no"), {}),
    (lambda _: RuntimeError("no model"), {}),
    (lambda _: None, {"sampling_timeout": 0.5}),
]


@pytest.mark.parametrize(("reply", "settings"), REFUSALS)
def test_a_client_that_refuses_fails_or_stays_silent_gets_its_answer(
    indexed: Path, reply: Reply, settings: dict[str, Any]
) -> None:
    model = Model(reply)
    assert ask(indexed, STRANGE, model, "legacy", sampling=True, **settings) == ask(indexed, STRANGE, None, "legacy")
    assert len(model.asked) == 1


def test_a_newer_client_that_refused_is_not_asked_again(indexed: Path) -> None:
    # It ends the call on its side; the next one is answered.
    model = Model(lambda _: ErrorData(code=INTERNAL_ERROR, message="the user said no"))
    answered = ask(indexed, STRANGE, model, "2026-07-28", calls=2, sampling=True)
    assert answered == ask(indexed, STRANGE, None, "2026-07-28")
    assert len(model.asked) == 1


VERDICTS = [
    ('{"relevant": true}', Verdict(relevant=True)),
    ('```json\n{"relevant": false, "query": " two\\n words "}\n```', Verdict(relevant=False, query="two words")),
    ('Sure: {"relevant": false}', Verdict(relevant=False)),
    ('{"relevant": "no"}', None),
    ('{"relevant": false, "query": 7}', None),
    ("{not json}", None),
    ("", None),
]


@pytest.mark.parametrize(("reply", "verdict"), VERDICTS)
def test_verdicts_are_read_and_nonsense_is_none(reply: str, verdict: Verdict | None) -> None:
    assert read_verdict(reply) == verdict
