"""The panels of queries, tools, changes, health and settings in a browser: clicked, typed into and read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from astrolabe.server.mcp.call_log import CallLog
from browser import PATIENCE, accessible_in_both_schemes, opened, show, violations
from console_server import Console
from playwright.sync_api import Browser, Page, expect

from tests.git_commands import git

expect.set_options(timeout=PATIENCE)
TAGS = ("wcag2a", "wcag2aa", "wcag21aa", "wcag22aa")
PANELS = ("cypher", "tools", "change", "checks", "health", "settings")
#: Panels whose parts stand in another order in a narrow window; the others are read there only in full.
NARROW = ("cypher", "tools")


@pytest.fixture
def page(browser: Browser, console: Console) -> Iterator[Page]:
    """A blank page that may open the console; a test fails if the page writes an error to the browser's log."""
    errors: list[str] = []
    with opened(browser, errors, 1280) as shown:
        yield shown
    # A browser logs each answer that says what is wrong.
    assert [error for error in errors if "422" not in error] == []


def write(page: Page, text: str) -> None:
    """Replace the text of the editor by the keyboard alone."""
    editor = page.get_by_role("textbox", name="Query", exact=True)
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def draw(page: Page, console: Console, statement: str) -> None:
    """Run a statement and show its result as a graph."""
    show(page, console, "cypher")
    write(page, statement)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    page.get_by_role("tab", name="Graph").click()


def test_a_query_is_completed_checked_and_run(page: Page, console: Console) -> None:
    show(page, console, "cypher")
    write(page, "MATCH (f:")
    page.keyboard.type("Fi")
    page.get_by_role("listbox", name="Completions").get_by_role("option", name="File").first.click()
    page.keyboard.insert_text(") SET f.x = 1")
    expect(page.locator(".cm-lintRange-error")).to_have_text("SET")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("SET is not allowed")
    write(page, "MATCH (f:File) WHERE f.lines > $least RETURN f.relativePath AS path ORDER BY path")
    page.get_by_label("$least").fill("5")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("cell").first).to_have_text("src/auth/tokenService.ts")
    expect(page.get_by_role("status").first).to_contain_text("2 rows in")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert download.value.path().read_text().splitlines() == ["path", "src/auth/tokenService.ts", "src/routes/login.ts"]


def test_selected_text_is_replaced_by_what_is_typed(page: Page, console: Console) -> None:
    show(page, console, "cypher")
    editor = page.get_by_role("textbox", name="Query", exact=True)
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.type("RETURN 1")
    expect(editor).to_have_text("RETURN 1")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+a")
    page.keyboard.type("MATCH (f:Fi")
    expect(page.get_by_role("listbox", name="Completions")).to_be_visible()


def test_a_result_is_a_graph_json_and_a_plan(page: Page, console: Console) -> None:
    draw(page, console, "MATCH (a:Symbol)-[c:CALLS]->(b:Symbol) RETURN a, c, b")
    expect(page.get_by_role("img", name=re.compile("graph of [2-9] nodes and [1-9] edges"))).to_be_visible()
    page.get_by_role("link", name="Go on in Graph").click()
    expect(page.locator("aside")).to_contain_text("handleLogin")
    page.go_back()
    page.get_by_role("button", name="Run").click()
    page.get_by_role("tab", name="JSON").click()
    expect(page.get_by_text('"qualifiedName": "handleLogin"').first).to_be_visible()
    page.get_by_role("button", name="Explain").click()
    expect(page.get_by_text("Physical Plan")).to_be_visible()
    page.get_by_label("Chain", exact=True).check()
    write(page, "files().hubs(1)")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("cell").first).to_contain_text("src/auth/")
    page.reload()
    expect(page.get_by_label("History").get_by_role("option").nth(1)).to_contain_text("files().hubs(1)")


def test_a_query_is_kept_forgotten_and_shared_by_its_address(page: Page, console: Console) -> None:
    show(page, console, "cypher")
    write(page, "MATCH (f:File) RETURN count(f) AS files")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_label("Name of the query").fill("How many files")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Saved").get_by_role("option").nth(1)).to_have_text("How many files")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("cell")).to_have_text("3")
    address = page.url
    page.get_by_role("button", name="Forget “How many files”").click()
    expect(page.get_by_label("Saved").get_by_role("option")).to_have_text(["Saved (empty)"])
    write(page, "RETURN 1")
    page.goto("about:blank")
    page.goto(address)
    expect(page.get_by_role("textbox", name="Query", exact=True)).to_contain_text("RETURN count(f) AS files")


def test_a_query_is_profiled_and_exported_to_arrow(page: Page, console: Console) -> None:
    show(page, console, "cypher")
    write(page, "MATCH (f:File) RETURN f.relativePath AS path")
    page.get_by_role("button", name="Profile").click()
    expect(page.get_by_text("SCAN_NODE_TABLE")).to_be_visible()
    page.get_by_role("button", name="Run").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Arrow").click()
    assert download.value.path().read_bytes().startswith(b"ARROW1")


def test_a_query_that_runs_is_stopped(page: Page, console: Console) -> None:
    show(page, console, "cypher")
    symbols = ", ".join(f"(s{number}:Symbol)" for number in range(12))
    write(page, f"MATCH {symbols} WHERE {' + '.join(f's{number}.name' for number in range(12))} = 'x' RETURN count(*)")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("alert")).to_contain_text("The query was stopped")


def test_a_chain_is_completed_and_shows_its_statement(page: Page, console: Console) -> None:
    show(page, console, "cypher")
    page.get_by_label("Chain", exact=True).check()
    write(page, "files().impo")
    page.keyboard.press("Control+Space")
    expect(page.get_by_role("listbox", name="Completions").get_by_role("option").first).to_contain_text("importers(")
    write(page, "files().importers()")
    page.get_by_role("button", name="Run").click()
    page.get_by_role("tab", name="Statement").click()
    expect(page.get_by_text("MATCH")).to_be_visible()


def test_calls_of_agents_are_shown_by_session_and_repeated(page: Page, console: Console) -> None:
    CallLog(console.workspace.data_dir).write("cypher", {"query": "MATCH (f:File) RETURN count(f)"}, 3, tokens=5)
    show(page, console, "tools")
    log = page.get_by_role("region", name="What agents asked")
    expect(log).to_contain_text("1 call")
    log.get_by_role("button", name="Edit").click()
    expect(page).to_have_url(re.compile("tool=cypher"))
    expect(page.get_by_label(re.compile("^query"))).to_have_value("MATCH (f:File) RETURN count(f)")
    log.get_by_role("button", name="Replay").click()
    answer = page.get_by_role("article", name="Answer")
    expect(answer).to_contain_text("3")
    answer.get_by_text("Raw call").click()
    expect(answer).to_contain_text('"tools/call"')


def test_a_tool_is_called_compared_and_replayed(page: Page, console: Console) -> None:
    show(page, console, "tools")
    query = page.get_by_label(re.compile("^query"))
    expect(page.locator("form")).to_contain_text("symbol = Parent > Child")
    expect(page.locator("form").get_by_role("link")).to_have_count(0)  # what descriptions name is no symbol
    query.fill("symbol = validateTok")
    expect(
        page.locator("datalist option[value='symbol = src/auth/tokenService.ts > TokenService > validateToken']")
    ).to_have_count(1)
    query.fill("symbol = TokenService > validateToken")
    page.get_by_role("button", name="Call", exact=True).click()
    answer = page.get_by_role("article", name="Answer")
    expect(answer).to_contain_text("verifySignature")
    expect(answer).to_contain_text("priority 1, for assistant")
    query.fill("handleLogin")
    page.get_by_role("button", name="Call", exact=True).click()
    expect(page.get_by_role("article", name="Last call")).to_contain_text("handleLogin")
    page.get_by_role("article", name="Call before").get_by_role("button", name="Replay").click()
    expect(page.get_by_role("article", name="Last call")).to_contain_text("TokenService > validateToken")


def test_settings_are_saved_and_refused(page: Page, console: Console) -> None:
    show(page, console, "settings")
    field = page.get_by_label("max_token_budget", exact=True)
    field.fill("0")
    expect(page.get_by_text("max_token_budget must be greater than 0, not 0.")).to_be_visible()
    page.get_by_role("button", name="Save max_token_budget").click()
    expect(field).to_be_focused()
    assert not (console.workspace.root / "astrolabe.toml").exists()
    field.fill("4000")
    expect(page.get_by_text("max_token_budget must be")).not_to_be_visible()
    field.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("max_token_budget is saved")
    assert "max_token_budget = 4000" in (console.workspace.root / "astrolabe.toml").read_text()
    page.get_by_label("Only those that are set").check()
    expect(page.get_by_role("heading", level=2)).to_have_text(["Answers"])
    page.get_by_role("button", name="Use the default of max_token_budget").click()
    expect(page.get_by_text("No setting fits")).to_be_visible()
    page.get_by_label("Only those that are set").uncheck()
    expect(field).to_have_value("8000")


def test_mistakes_in_the_file_are_shown_at_their_place(page: Page, console: Console) -> None:
    file = console.workspace.root / "astrolabe.toml"
    file.write_text("# Ours.\nwrokers = 2\ncall_depth = -3\n")
    try:
        show(page, console, "settings")
        expect(page.locator(".wrong-line").first).to_have_text("2  wrokers = 2")
        expect(page.get_by_label("call_depth", exact=True)).to_have_value("-3")
        assert violations(page, tags=TAGS) == []
        page.get_by_role("button", name="Remove wrokers from the file").click()
        expect(page.locator(".wrong-line")).to_have_text(["2  call_depth = -3"])
        page.get_by_label("call_depth", exact=True).fill("2")
        page.get_by_role("button", name="Save call_depth").click()
        expect(page.locator(".wrong-line")).to_have_count(0)
        assert file.read_text() == "# Ours.\ncall_depth = 2\n"
        file.write_text("call_depth = = 2\n")
        page.evaluate("dispatchEvent(new Event('focus'))")
        expect(page.get_by_role("alert").filter(has_text="The file is not valid TOML")).to_be_visible()
    finally:
        file.unlink()


def test_health_shows_the_index_and_refreshes_it(page: Page, console: Console) -> None:
    show(page, console, "health")
    expect(page.get_by_text("fresh", exact=True)).to_be_visible()
    page.get_by_role("button", name="Refresh the index").click()
    expect(page.get_by_role("button", name="Refresh the index")).to_be_enabled()
    page.get_by_text("Unresolved imports").click()
    expect(page.get_by_text("Every import leads to a file or a package.")).to_be_visible()


def test_checks_lead_to_the_place(page: Page, console: Console) -> None:
    show(page, console, "checks")
    page.get_by_label("Where").fill("src/auth")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page).to_have_url(re.compile(r"checks\?scope=src%2Fauth"))
    dead = page.get_by_role("region", name="Dead code")
    expect(dead).not_to_contain_text("src/routes")
    dead.get_by_role("link", name="src/auth/verify.ts:1").click()
    expect(page.get_by_role("heading", name="src/auth/verify.ts")).to_be_visible()


def test_the_schema_is_drawn(page: Page, console: Console) -> None:
    show(page, console, "ask")
    page.get_by_role("link", name="Schema of the graph").click()
    page.get_by_role("img", name=re.compile(r"A graph of \d+ nodes")).wait_for()
    assert violations(page, tags=TAGS) == []


def test_a_node_of_a_result_shows_its_properties(page: Page, console: Console) -> None:
    draw(page, console, "MATCH (f:File) WHERE f.relativePath = 'src/auth/verify.ts' RETURN f")
    page.wait_for_selector("[role=img][aria-busy=false]")
    box = page.get_by_role("img", name=re.compile("^A graph of 1 node")).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("toolbar").get_by_role("button", name="Copy the properties").click()
    assert json.loads(page.evaluate("navigator.clipboard.readText()"))["relativePath"] == "src/auth/verify.ts"
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    properties = page.get_by_role("region", name="Properties")
    expect(properties.get_by_role("row").filter(has_text="relativePath")).to_contain_text("src/auth/verify.ts")
    page.get_by_role("link", name="Open the file").click()
    expect(page.get_by_role("heading", name="src/auth/verify.ts")).to_be_visible()


def test_the_schema_is_beside_the_editor(page: Page, console: Console) -> None:
    show(page, console, "cypher")
    page.get_by_text("Schema", exact=True).click()
    page.get_by_label("Filter").fill("OVERRIDES")
    page.get_by_text("[:OVERRIDES]").click()
    expect(page.get_by_text("(:Symbol)→(:Symbol)")).to_be_visible()


def test_two_states_are_compared_at_an_address(browser: Browser, fresh_console: Console) -> None:
    root = fresh_console.workspace.root
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "Open the shop")
    verify = root / "src/auth/verify.ts"
    verify.write_text(verify.read_text().replace("verifySignature", "checkSignature"))
    git(root, "commit", "-qam", "Name the check")
    errors: list[str] = []
    with opened(browser, errors) as page:
        show(page, fresh_console, "change")
        expect(page.get_by_text("Nothing differs between these states")).to_be_visible()
        page.get_by_label("Compare").select_option("range")
        page.get_by_role("textbox", name="Commits").fill("HEAD~1...HEAD")
        page.get_by_role("button", name="Compare").click()
        expect(page).to_have_url(re.compile("compare=range"))
        changed = page.get_by_role("region", name="Changed")
        expect(changed).to_contain_text("checkSignature")
        expect(page.get_by_role("region", name="Broken")).to_contain_text("src/auth/tokenService.ts")
        page.reload()
        expect(changed).to_contain_text("checkSignature")
        page.get_by_role("link", name="Draw the changed symbols").click()
        expect(page.locator(".counts")).to_contain_text("1 node")
        page.go_back()
        changed.get_by_role("link", name="checkSignature").click()
        expect(page.get_by_role("heading", name="checkSignature")).to_be_visible()
    assert errors == []


def test_health_follows_a_new_generation(browser: Browser, fresh_console: Console) -> None:
    fresh_console.workspace.index()
    with opened(browser, []) as page:
        show(page, fresh_console, "health")
        files = page.locator(".fact", has=page.get_by_text("Files", exact=True))
        expect(files).to_contain_text("4")
        (fresh_console.workspace.root / "src/added.ts").write_text("export const added = 1\n")
        fresh_console.workspace.index()
        expect(files).to_contain_text("5")


def test_a_change_without_a_repository_is_explained(page: Page, console: Console) -> None:
    show(page, console, "change")
    expect(page.get_by_role("alert")).to_contain_text("There is no Git repository here")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("width", [1440, 390])
def test_panels_are_accessible_and_fit(browser: Browser, console: Console, width: int, is_long: bool) -> None:
    with opened(browser, [], width) as page:
        page.set_viewport_size({"width": width, "height": 6000})
        for panel in PANELS:
            show(page, console, panel)
            if panel == "cypher":
                page.get_by_role("button", name="Run").click()
                page.get_by_role("region", name="Rows").wait_for()
            if width == 1440 or panel in NARROW or is_long:
                assert accessible_in_both_schemes(page, TAGS) == [], panel
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), panel
