"""What the panels of tools, changes, health and settings get from the server."""

from __future__ import annotations

from astrolabe.server.mcp.call_log import CallLog
from console_server import Console

from tests.git_commands import git


def test_all_tools_are_listed_with_their_schemas(console: Console) -> None:
    tools = {tool["name"]: tool for tool in console.ask("tools-list").json}
    assert tools["codebase_search"]["inputSchema"]["required"] == ["query"]
    assert (tools["cypher"]["set"], tools["cypher"]["offered"]) == ("cypher", True)
    assert (tools["query_symbol"]["set"], tools["query_symbol"]["offered"]) == ("graph", False)


def test_a_call_shows_what_an_agent_gets(console: Console) -> None:
    answer = console.ask("tools-call", name="codebase_search", arguments={"query": "where are tokens validated"}).json
    first = answer["parts"][0]
    assert (first["audience"], first["priority"], first["tokens"] > 20) == (["assistant"], 1.0, True)
    assert answer["response"]["content"][0]["text"] == first["text"]
    assert answer["request"]["params"]["name"] == "codebase_search"
    assert not answer["isError"]


def test_structured_content_and_errors_are_shown(console: Console) -> None:
    answer = console.ask("tools-call", name="cypher", arguments={"query": "MATCH (f:File) RETURN count(*) AS files"}).json
    assert answer["structured"]["rows"] == [[3]]
    refused = console.ask("tools-call", name="codebase_map", arguments={"depth": 9}).json
    assert refused["isError"]
    assert "depth" in refused["parts"][0]["text"]


def test_paths_and_symbols_are_suggested(console: Console) -> None:
    assert console.ask("tools-suggest", kind="path", text="login").json[0]["value"] == "src/routes/login.ts"
    (found,) = console.ask("tools-suggest", kind="symbol", text="TokenService > validateTok").json[:1]
    assert found["value"] == "src/auth/tokenService.ts > TokenService > validateToken"
    assert console.ask("tools-suggest", kind="path", text=" ").json == []


def test_the_log_has_calls_of_agents_and_not_of_the_page(console: Console) -> None:
    CallLog(console.workspace.data_dir).write("codebase_map", {"path": "src"}, 12, 300)
    console.ask("tools-call", name="codebase_map", arguments={})
    log = console.ask("tools-log").json
    assert log["on"]
    assert [(call["tool"], call["arguments"]) for call in log["calls"]] == [("codebase_map", {"path": "src"})]


def test_a_change_is_told(fresh_console: Console) -> None:
    root = fresh_console.workspace.root
    refused = fresh_console.ask("change")
    assert (refused.status, "error" in refused.json) == (422, True)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "Sell things")
    file = root / "src" / "auth" / "verify.ts"
    file.write_text(file.read_text().replace("verifySignature(", "checkSignature("))
    caller = root / "src" / "auth" / "tokenService.ts"
    caller.write_text(caller.read_text().replace("return verify", "return !verify"))
    change = fresh_console.ask("change").json
    assert "src/auth/tokenService.ts" in {place["at"].partition(":")[0] for place in change["broken"]}
    assert change["risk"]["level"] != "none"
    ids = {row["symbol"]: row.get("id") for section in ("symbols", "affected") for row in change[section]}
    for name in ("checkSignature", "TokenService.validateToken", "handleLogin"):
        assert fresh_console.ask("symbol", id=ids[name]).json["symbol"]["qualifiedName"] == name
    assert fresh_console.ask("change", range="nowhere..HEAD").status == 422


def test_checks_find_what_is_wrong(fresh_console: Console) -> None:
    root = fresh_console.workspace.root
    (root / "src" / "left.ts").write_text("import { right } from './right'\nexport const left = (): number => right()\n")
    (root / "src" / "right.ts").write_text("import { left } from './left'\nexport const right = (): number => left()\n")
    found = fresh_console.ask("checks", scope="src/left.ts").json
    assert [(each["symbol"], each["kind"], each["file"]) for each in found["deadCode"]] == [("left.ts", "file", "src/left.ts")]
    assert found["circularDeps"][0]["chain"][0] == "src/left.ts"
    assert found["summary"]["totalCircularDeps"] == 1
    (root / "cashier.py").write_text("class Till:\n    def forgotten(self):\n        return 1\n\n\nprint(Till())\n")
    dead = {each["symbol"]: each.get("id") for each in fresh_console.ask("checks", scope="cashier.py").json["deadCode"]}
    assert fresh_console.ask("symbol", id=dead["forgotten"]).json["symbol"]["qualifiedName"] == "Till.forgotten"
    assert "nowhere" in fresh_console.ask("checks", scope="nowhere/").json["error"]


def test_health_tells_the_state_of_the_index(fresh_console: Console) -> None:
    assert fresh_console.ask("health").status == 422  # there is no index yet
    assert fresh_console.ask("health-index").json["generation"] == 1
    health = fresh_console.ask("health").json
    assert (health["files"], health["fresh"], health["health"]["unresolvedImports"]) == (4, True, [])
    assert health["sizes"]["total"] > 0
    assert fresh_console.ask("health-progress").json is None
    (fresh_console.workspace.root / "src" / "new.ts").write_text("export const added = 1\n")
    assert fresh_console.ask("health").json["staleFiles"] == ["src/new.ts"]
    assert fresh_console.ask("health-index", full=True).json["generation"] == 2


def test_settings_are_changed_in_the_file(fresh_console: Console) -> None:
    file = fresh_console.workspace.root / "astrolabe.toml"
    file.write_text("# Ours.\nmax_token_budget = 4000 # less\n")
    rows = {row["name"]: row for row in fresh_console.ask("settings").json["rows"]}
    assert (rows["max_token_budget"]["value"], rows["max_token_budget"]["source"]) == (4000, "file")
    changed = fresh_console.ask("settings-set", name="max_token_budget", value=2000).json["rows"]
    assert {row["name"]: row["value"] for row in changed}["max_token_budget"] == 2000
    assert file.read_text() == "# Ours.\nmax_token_budget = 2000 # less\n"
    refused = fresh_console.ask("settings-set", name="max_token_budget", value=-1)
    assert (refused.status, "must be greater than 0" in refused.json["error"]) == (422, True)
    fresh_console.ask("settings-unset", name="max_token_budget")
    assert file.read_text() == "# Ours.\n"


def test_mistakes_in_the_file_of_settings_have_their_lines(fresh_console: Console) -> None:
    file = fresh_console.workspace.root / "astrolabe.toml"
    file.write_text("# Ours.\nwrokers = 2\nvector_weight = nan\n")
    table = fresh_console.ask("settings").json
    assert [(each["key"], each["line"], each["isSetting"]) for each in table["problems"]] == [
        ("wrokers", 2, False),
        ("vector_weight", 3, True),
    ]
    assert table["problems"][0]["lines"] == [
        {"number": 1, "text": "# Ours."},
        {"number": 2, "text": "wrokers = 2"},
        {"number": 3, "text": "vector_weight = nan"},
    ]
    assert {row["name"]: row["value"] for row in table["rows"]}["vector_weight"] == "nan"
    assert {row["group"] for row in table["rows"]} == {group["title"] for group in table["groups"]}
    assert "at most 1" in fresh_console.ask("settings-check", name="vector_weight", value=2).json["problem"]
    fresh_console.ask("settings-unset", name="wrokers")
    assert fresh_console.ask("settings-set", name="vector_weight", value=0.5).json["problems"] == []
    assert file.read_text() == "# Ours.\nvector_weight = 0.5\n"
    file.write_text("workers = = 1\n")
    broken = fresh_console.ask("settings").json
    assert (broken["rows"], broken["problems"][0]["line"]) == ([], 1)
