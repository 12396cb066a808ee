"""The main paths of the console by the keyboard alone, and where the focus is meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from browser import opened, settle, show
from console_server import Console
from playwright.sync_api import Browser, Page, expect

#: Stops of the Tab key in a view, at most. A view with more is a trap for people who use the keyboard.
MAX_STOPS = 120
VIEWS = (
    "ask",
    "ask?q=validate+a+token",
    "symbol?name=TokenService",
    "file?path=src/auth/tokenService.ts",
    "graph?chain=files()",
    "map",
    "map?form=matrix",
    "cypher",
    "tools",
    "change",
    "health",
    "settings",
)
#: Says which element has the focus, whether its frame or one around it is drawn, and whether another element covers it.
FOCUS = """() => {
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const name = `${element.tagName.toLowerCase()} ${(element.getAttribute("aria-label") ?? element.innerText ?? "").trim()}`;
  const above = (one) => one.parentElement ?? one.getRootNode().host;
  const framed = (one) => one && (getComputedStyle(one).outlineStyle !== "none" || framed(above(one)));
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = document.elementFromPoint(Math.max(0, x + Math.min(width / 2, 40)), y + Math.min(height / 2, 10));
  const host = element.getRootNode().host ?? element;
  const isCovered = !top || !(host.contains(top) || top.contains(host) || top.closest("label")?.contains(host));
  const isNothing = element === document.body;
  return { name: name.replace(/\\s+/g, " "), isFramed: Boolean(framed(element)), isCovered, isNothing };
}"""


@pytest.fixture
def page(browser: Browser, console: Console) -> Iterator[Page]:
    errors: list[str] = []
    with opened(browser, errors) as shown:
        yield shown
    assert [error for error in errors if "status of 4" not in error] == []  # the project of the test has no history


def press_until(page: Page, key: str, name: str) -> int:
    """Press a key until the element with the focus has a name, which is a regular expression. Returns the number of presses."""
    passed = []
    for _ in range(MAX_STOPS):
        page.keyboard.press(key)
        passed.append(page.evaluate(FOCUS)["name"])
        if re.search(name, passed[-1]):
            return len(passed)
    pytest.fail(f"{key} never came to {name}, but to {passed}")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("view", VIEWS)
def test_every_stop_is_visible_and_the_last_one_leaves_the_page(page: Page, console: Console, view: str) -> None:
    show(page, console, view)
    page.evaluate("document.activeElement.blur()")
    for number in range(MAX_STOPS):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if number and focus["isNothing"]:
            return
        assert focus["isFramed"], focus
        assert not focus["isCovered"], focus
    pytest.fail(f"more than {MAX_STOPS} stops")


def test_from_a_search_to_a_graph_and_a_path(page: Page, console: Console) -> None:
    show(page, console, "ask")
    page.keyboard.type("validate a token")
    page.keyboard.press("Enter")
    page.wait_for_selector(".result.chosen")
    press_until(page, "Tab", "^button method TokenService > validateToken")
    press_until(page, "Tab", "^a Callers, types, tests")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2 >> text=TokenService.validateToken")
    settle(page)
    assert press_until(page, "Tab", "^a function handleLogin") < 10  # the numbers of all lines are one stop
    page.keyboard.press("Enter")
    page.wait_for_selector("h2 >> text=handleLogin")
    settle(page)
    press_until(page, "Tab", "^a Graph")
    page.keyboard.press("Enter")
    page.wait_for_selector(".counts")
    settle(page)
    press_until(page, "Tab", "^button handleLogin src/routes/login.ts")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="The chosen node")).to_be_focused()
    page.get_by_role("button", name="+ callees").wait_for()
    press_until(page, "Tab", r"^button \+ callees")
    page.keyboard.press("Enter")
    expect(page.locator(".counts")).to_contain_text("edge")
    settle(page)
    press_until(page, "Shift+Tab", "^button Path from here")
    page.keyboard.press("Enter")
    page.get_by_text("Choose the node at the other end").wait_for()
    press_until(page, "Tab", "^summary All nodes")
    if not page.evaluate("document.activeElement.parentElement.open"):
        page.keyboard.press("Enter")
    press_until(page, "Tab", "^button TokenService.validateToken src")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Shortest path").wait_for()


def test_the_arrow_keys_lead_from_line_to_line(page: Page, console: Console) -> None:
    show(page, console, "file?path=src/auth/verify.ts&line=2")
    press_until(page, "Tab", "^a Line 2$")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(FOCUS)["name"] == "a Line 3"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("line=1$"))


def test_a_query_a_tool_and_a_comparison(page: Page, console: Console) -> None:
    show(page, console, "ask")
    page.keyboard.press("Control+k")
    page.keyboard.type("cypher")
    page.keyboard.press("Enter")
    page.wait_for_selector(".cm-content")
    expect(page.get_by_role("main")).to_be_focused()
    press_until(page, "Tab", "^div Query")
    page.keyboard.press("Control+a")
    page.keyboard.type("MATCH (f:Fi")
    page.wait_for_selector(".cm-tooltip-autocomplete")
    page.wait_for_timeout(150)  # a key that follows at once is no choice
    page.keyboard.press("Enter")
    page.keyboard.type(") RETURN f.relativePath")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    page.get_by_text("3 rows").wait_for()
    press_until(page, "Tab", "^button Run")
    press_until(page, "Tab", "^div Rows")

    page.keyboard.press("Control+k")
    page.keyboard.type("try the tools")
    page.keyboard.press("Enter")
    page.wait_for_selector("#field-query")
    while page.evaluate("document.activeElement.id") != "field-query":
        page.keyboard.press("Tab")
    page.keyboard.type("handleLogin")
    page.keyboard.press("Enter")
    page.get_by_role("article", name="Answer").get_by_text("handleLogin").first.wait_for()


def test_a_setting_is_saved_and_keeps_the_focus(page: Page, console: Console) -> None:
    show(page, console, "settings")
    while page.evaluate("document.activeElement.id") != "setting-history_depth":
        page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("900")
    page.keyboard.press("Enter")
    page.get_by_text("history_depth is saved").wait_for()
    assert page.evaluate("document.activeElement.id") == "setting-history_depth"
    press_until(page, "Tab", "^button Use the default of history_depth")
    page.keyboard.press("Enter")
    page.get_by_text("history_depth is removed from the file").wait_for()
    assert page.input_value("#setting-history_depth") == "1000"
