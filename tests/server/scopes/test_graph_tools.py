"""The tools of the set `graph`: what they answer, that answers keep to budgets and schemas, and what cursors bring."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import anyio
import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.graph_tools.records import MIN_BUDGET, GraphAnswer
from astrolabe.server.api.requests.tool_answer import ToolAnswer
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.mcp.graph_tools import OUTPUT_SCHEMA
from astrolabe.server.mcp.tool_sets import TOOL_SETS, chosen_tools
from mcp import Client, StdioServerParameters
from msgspec.structs import fields

from tests.server.conftest import write_files
from tests.server.test_mcp_server import server_of

REQUESTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("query_repo_structure", {}),
    ("query_module", {"module": "shop"}),
    ("query_module", {"module": "tools"}),
    ("query_file", {"file": "src/money.ts"}),
    ("query_symbol", {"symbol": "Amount"}),
    ("query_symbol", {"symbol": "plus"}),
    ("get_dependencies", {"symbol": "Cart > pay", "depth": 3}),
    ("get_dependencies", {"file": "src/cart.ts"}),
    ("get_dependants", {"symbol": "add", "depth": 4}),
    ("get_dependants", {"module": "shop"}),
    ("search_symbols", {"query": "o"}),
    ("get_impact_analysis", {"symbol": "add"}),
    ("get_context_for_files", {"files": ["src/money.ts", "src/mail.ts", "absent.ts"]}),
    ("codebase_context", {"task": "pay for the items of a cart", "files": ["src/mail.ts"]}),
    ("get_workflow", {}),
    ("execute_workflow_template", {"template": "update-module", "parameters": {"module": "shop", "change": "pay twice"}}),
    ("execute_workflow_template", {"template": "create-module", "parameters": {"name": "refund", "like": "src/cart.ts"}}),
    ("execute_workflow_template", {"template": "implement-feature", "parameters": {"feature": "refund a payment"}}),
    ("execute_workflow_template", {"template": "upgrade-feature", "parameters": {"feature": "Amount"}}),
    ("get_workflow", {"doc": "absent.md", "section": "x"}),
    (
        "execute_workflow_template",
        {"template": "bug-fix", "parameters": {"error": "TypeError: x\n    at Cart.pay (src/cart.ts:9:5)"}},
    ),
)


def asked(workspace: Workspace, tool: str, arguments: dict[str, Any]) -> ToolAnswer[GraphAnswer]:
    found: ToolAnswer[GraphAnswer] = getattr(workspace.graph, tool)(**arguments)
    return found


def names(answer: ToolAnswer[GraphAnswer], section: str) -> list[str]:
    return [entry.name for entry in answer.answer.sections.get(section, ())]


def test_a_symbol_has_its_edges(shop_workspace: Workspace) -> None:
    found = shop_workspace.graph.query_symbol("Amount > plus")
    assert names(found, "callers") == ["Cart.total", "Discounted.plus"]
    assert "add" in names(found, "callees")
    assert names(found, "overriddenBy") == ["Discounted.plus"]
    assert found.answer.subject is not None
    assert found.answer.subject.at == "src/money.ts:5"
    several = shop_workspace.graph.query_symbol("plus")
    assert len(names(several, "candidates")) == 1


def test_dependants_have_distances(shop_workspace: Workspace) -> None:
    found = shop_workspace.graph.get_dependants(symbol="add", depth=4).answer
    distances = {entry.name: entry.distance for entry in found.sections["dependants"]}
    assert distances["Amount.plus"] == 1
    assert distances["Cart.total"] == 2
    assert distances["testsThePayment"] == 4
    files = shop_workspace.graph.get_dependants(file="src/money.ts", depth=3).answer
    assert {entry.name: entry.distance for entry in files.sections["dependants"]} == {
        "src/cart.ts": 1,
        "src/mail.ts": 2,
        "tests/cart.test.ts": 2,
    }


def test_impact_names_tests_and_risk(shop_workspace: Workspace) -> None:
    found = shop_workspace.graph.get_impact_analysis("add", depth=5).answer
    assert found.summary["tests"] == 1
    assert found.summary["risk"] in ("low", "medium")
    assert [entry.name for entry in found.sections["tests"]] == ["tests/cart.test.ts"]


def test_context_has_a_reason_for_each_part_and_says_nothing_twice(shop_workspace: Workspace) -> None:
    found = shop_workspace.graph.codebase_context("pay for the items of a cart", files=["src/mail.ts"]).answer
    entries = [entry for section in found.sections.values() for entry in section]
    sections = found.sections.items()
    assert [entry for name, section in sections for entry in section if not entry.reason and name not in found.queries] == []
    assert len({(entry.name, entry.at, entry.details) for entry in entries}) == len(entries)
    assert "class Cart" in found.source


def test_context_names_what_it_does_not_show_with_lines_and_signatures(shop_workspace: Workspace) -> None:
    found = shop_workspace.graph.codebase_context("pay for the items of a cart", files=["src/mail.ts"]).answer
    given = found.sections["givenFiles"]
    assert [entry.name for entry in given] == ["src/mail.ts"]
    assert given[0].details
    for entry in (*given, *found.sections.get("outlines", ())):
        for detail in entry.details:
            line, _, signature = detail.partition(" ")
            declared = (shop_workspace.root / entry.name).read_text().splitlines()[int(line) - 1]
            assert signature.removeprefix("class ").split("(")[0].split(" ")[0].split(":")[0] in declared


def test_context_gives_signatures_of_what_is_around_the_code(shop_workspace: Workspace) -> None:
    found = shop_workspace.graph.codebase_context("pay for the items of a cart").answer
    around = [entry for name in ("callers", "callees", "types") for entry in found.sections.get(name, ())]
    assert around
    callables = [entry for entry in around if entry.kind in ("function", "method", "constructor")]
    assert callables
    assert [entry.name for entry in callables if "(" not in entry.signature] == []


def test_context_leads_to_documents_and_data(portal_workspace: Workspace) -> None:
    found = portal_workspace.graph.codebase_context("authenticate a user by the email that is stored")
    assert "Portal.Workflow: User Onboarding.The address is kept by storeEmail()." in names(found, "documents")
    assert "users" in names(found, "found")
    assert "UPDATE users SET email" in found.answer.source
    assert names(found, "tests") == []


def test_context_leads_to_tests_that_reach_the_code_or_speak_of_the_task(tmp_path: Path) -> None:
    files = {
        "src/taxes.ts": "/** Round the tax of an order. */\n"
        "export function roundTax(value: number): number {\n  return Math.round(value)\n}\n",
        "src/mail.ts": "export function send(to: string): string {\n  return to\n}\n",
        "test/helpers.js": "exports.app = require(process.env.APP)\n",
        "test/reaching.test.ts": "import { roundTax } from '../src/taxes'\n\ntest('it', () => { roundTax(1) })\n",
        "test/orders.test.js": "const { app } = require('./helpers')\n\n"
        "test('rounds the tax of an order', () => { app.order(1) })\n",
        "test/mail.test.ts": "import { send } from '../src/mail'\n\ntest('sends', () => { send('a') })\n",
    }
    write_files(tmp_path, files)
    with Workspace.locate(tmp_path) as workspace:
        found = workspace.graph.codebase_context("round the tax of an order")
    tests = {entry.name: entry.reason for entry in found.answer.sections["tests"]}
    assert list(tests)[:2] in (["test/reaching.test.ts", "test/orders.test.js"], ["test/orders.test.js", "test/reaching.test.ts"])
    assert tests["test/reaching.test.ts"] == "uses roundTax"
    assert tests["test/orders.test.js"] == "matches the task"


def test_nothing_says_which_kind(shop_workspace: Workspace) -> None:
    graph = shop_workspace.graph
    for found, part in (
        (graph.query_symbol("Carts"), 'Did you mean "Cart"'),
        (graph.query_file("src/absent.ts"), "is in the index"),
        (graph.query_module("absent"), "No module"),
        (graph.get_dependants(symbol="never"), "no dependants"),
        (graph.search_symbols("qqqqq"), "No name is like"),
        (graph.get_impact_analysis("Absent"), "No symbol"),
        (graph.get_context_for_files(["absent.ts"]), "None of these paths"),
    ):
        assert found.answer.nothing is not None
        assert part in found.answer.nothing.message
        assert part in found.text


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("tool", "arguments"), REQUESTS)
def test_pages_hold_everything_once_and_keep_to_the_budget(
    shop_workspace: Workspace, tool: str, arguments: dict[str, Any]
) -> None:
    whole = asked(shop_workspace, tool, {**arguments, "budget": 50_000}).answer
    assert whole.cursor == ""
    assert whole.left_out == {}
    budget = 300 if tool != "codebase_context" else 600
    pages: dict[str, list[str]] = {}
    cursor = ""
    for _ in range(60):
        found = asked(shop_workspace, tool, {**arguments, "budget": budget, "cursor": cursor})
        text = json.dumps(found.to_json(), ensure_ascii=False, separators=(",", ":"))
        assert len(text) / 4 <= budget * 1.02
        assert abs(found.answer.token_count - len(text) / 4) < 20
        for name, section in found.answer.sections.items():
            pages.setdefault(name, []).extend(entry.name for entry in section)
        cursor = found.answer.cursor
        if not cursor:
            break
    assert not cursor
    if tool != "codebase_context":  # with less room, it searches for less
        assert pages == {name: [entry.name for entry in section] for name, section in whole.sections.items() if section}


def test_a_cursor_belongs_to_its_request(shop_workspace: Workspace) -> None:
    graph = shop_workspace.graph
    cursor = graph.query_file("src/money.ts", budget=MIN_BUDGET).answer.cursor
    assert cursor
    with pytest.raises(UsageError, match="other arguments"):
        graph.query_file("src/cart.ts", cursor=cursor)
    generator = random.Random(2)
    for _ in range(200):
        damaged = list(cursor)
        damaged[generator.randrange(len(damaged))] = generator.choice("Az09-_!é\n")
        try:
            graph.query_file("src/money.ts", budget=MIN_BUDGET, cursor="".join(damaged))
        except UsageError as error:
            assert "cursor" in str(error)  # noqa: PT017 - most damage is an error, and some only moves the page
    with pytest.raises(UsageError, match="at least 200"):
        graph.query_file("src/money.ts", budget=10)


def test_wrong_requests_are_refused(shop_workspace: Workspace) -> None:
    graph = shop_workspace.graph
    with pytest.raises(UsageError, match="Name one subject"):
        graph.get_dependants()
    with pytest.raises(UsageError, match="Name one subject"):
        graph.get_dependants(module="shop", file="src/cart.ts")
    with pytest.raises(UsageError, match="depth from 1 to 10"):
        graph.get_impact_analysis("add", depth=0)
    with pytest.raises(UsageError, match="1 to 50 paths"):
        graph.get_context_for_files([])
    with pytest.raises(UsageError, match="1 to 200 characters"):
        graph.search_symbols("")
    with pytest.raises(UsageError, match="a task in words"):
        graph.codebase_context(" ")


def test_the_set_is_offered_if_it_is_selected(shop_workspace: Workspace) -> None:
    assert set(TOOL_SETS["graph"]) & chosen_tools(None) == {"codebase_context"}
    assert {name for name, _ in REQUESTS} | {"get_git_history"} == chosen_tools("graph") == set(TOOL_SETS["graph"])
    parts = {field.encode_name for field in fields(GraphAnswer)} | {"index"}
    assert parts == OUTPUT_SCHEMA["properties"].keys()
    answers: dict[str, Any] = {}

    async def session() -> None:
        parameters = server_of(Path(shop_workspace.root))
        offered = StdioServerParameters(
            command=parameters.command, args=[*(parameters.args or []), "--tools", "graph"], env=parameters.env
        )
        with anyio.fail_after(60):
            async with Client(offered) as client:
                tools = (await client.list_tools()).tools
                assert all(tool.output_schema == OUTPUT_SCHEMA for tool in tools if tool.name != "get_git_history")
                assert sum(len(json.dumps(tool.model_dump(exclude_none=True))) for tool in tools) / 4 < 4_000
                for name, arguments in REQUESTS:
                    answer = await client.call_tool(name, {**arguments, "budget": 400})
                    assert not answer.is_error, answer.content
                    answers[name] = answer.structured_content

    anyio.run(session)
    assert answers["query_repo_structure"]["summary"]["modules"] == 2
    assert all(answer["tokenCount"] <= 400 for answer in answers.values())
