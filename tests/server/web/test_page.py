"""The page in a real browser: what people click, type and read, in light and dark, wide and narrow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from astrolabe.server.api.completions.chains import chain_completions
from astrolabe.server.api.workspace import Workspace
from browser import accessible_in_both_schemes, opened, settle, show
from console_server import Console, serve

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

VIEWS = (
    "ask",
    "ask?q=validate+a+token",
    "ask?q=token&mode=text",
    "ask?q=Tells+whether&mode=text",
    "ask?q=zzzzqqqq&mode=text",
    "graph",
    "graph?chain=files()",
    "graph?chain=files()&layout=layered&color=language&group=outlined",
    "graph?chain=files()&group=collapsed&without=IMPORTS",
    "map",
    "map?color=tests",
    "map?form=tree",
    "map?form=matrix&folder=src",
    "graph?chain=files()&color=community&group=communities",
    "symbol?name=TokenService",
    "file?path=src/auth/verify.ts&line=3",
    "file?path=nowhere.ts",
    "nowhere",
)
#: Views of each kind, whose accessibility is checked in a narrow window as well.
NARROW = (
    "ask?q=validate+a+token",
    "ask?q=Tells+whether&mode=text",
    "graph?chain=files()&layout=layered&color=language&group=outlined",
    "map?form=matrix&folder=src",
    "symbol?name=TokenService",
    "file?path=src/auth/verify.ts&line=3",
)


@pytest.fixture
def errors() -> list[str]:
    """What the browser complained about. Each test ends with none."""
    return []


@pytest.fixture
def page(browser: playwright.Browser, console: Console, errors: list[str]) -> Iterator[playwright.Page]:
    """A blank page that may open the console."""
    with opened(browser, errors) as shown:
        yield shown
    assert errors == []


def test_the_token_leaves_the_address(browser: playwright.Browser, console: Console) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(console.url)
        settle(page)
        assert console.token not in page.url
        assert page.get_by_role("alert").count() == 0


def test_a_ticket_opens_the_page_once(browser: playwright.Browser, console: Console) -> None:
    for sentence in ("Ask a question in plain words", "This page belongs to an earlier start."):
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(f"http://{console.host}/#ticket={console.ticket}")
            page.get_by_text(sentence).first.wait_for()
            assert console.ticket not in page.url


def test_a_question_has_results_source_and_the_answer_of_an_agent(page: playwright.Page, console: Console) -> None:
    show(page, console, "ask")
    page.fill("input[name=q]", "validate a token")
    page.keyboard.press("Enter")
    page.wait_for_selector(".result.chosen")
    assert "TokenService > validateToken" in page.inner_text(".result.chosen .name")
    page.wait_for_selector(".preview .t-keyword")
    assert "return verifySignature(token, this.secret)" in page.inner_text(".preview .code")
    page.get_by_role("tab", name="As an agent reads it").click()
    assert "Graph:" in page.inner_text("pre.agent")
    page.get_by_role("tab", name="Side by side").click()
    assert "Graph:" in page.inner_text("pre.agent")
    assert page.locator(".result.chosen").is_visible()
    page.get_by_role("tab", name="Why these scores").click()
    page.wait_for_selector(".scores td")
    page.get_by_role("tab", name="Page").click()
    page.get_by_role("link", name="Callers, types, tests").click()
    page.wait_for_selector("aside >> text=handleLogin")
    page.get_by_text("Reached by a change").click()
    page.wait_for_selector("aside >> text=1 direct and 0 further symbols")
    page.go_back()
    page.wait_for_selector(".result.chosen")


def test_modes_find_names_texts_and_patterns(page: playwright.Page, console: Console) -> None:
    for mode, query, found in (
        ("name", "handleLogin", "handleLogin"),
        ("text", "'welcome'", "handleLogin"),
        ("regex", "s3c\\w+", "s3cret"),
    ):
        show(page, console, f"ask?q={quote(query)}&mode={mode}")
        assert found in page.inner_text(".results")


def test_the_keyboard_is_enough(page: playwright.Page, console: Console) -> None:
    show(page, console, "ask")
    page.locator("body").press("Tab")
    page.keyboard.press("Control+k")
    page.wait_for_selector("dialog[open]")
    page.keyboard.type("handleLogin")
    page.wait_for_selector("[role=option] >> text=src/routes/login.ts")
    while "login.ts" not in page.inner_text("[role=option][aria-selected=true]"):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2 >> text=handleLogin")
    assert page.locator("dialog[open]").count() == 0
    page.keyboard.press("/")
    page.wait_for_selector("input[name=q]:focus")
    page.keyboard.type("verify signature")
    page.keyboard.press("Enter")
    page.wait_for_selector(".result")


def test_the_map_opens_folders_and_files(page: playwright.Page, console: Console) -> None:
    show(page, console, "map")
    page.locator("svg a[aria-label^='src/auth: ']").click(position={"x": 20, "y": 8})
    page.wait_for_selector(".crumbs >> text=auth")
    page.locator("svg a[aria-label^='src/auth/verify.ts']").click()
    page.wait_for_selector("h2 >> text=src/auth/verify.ts")
    page.go_back()
    page.get_by_role("link", name="Draw as a graph").click()
    page.wait_for_selector(".counts >> text=2 nodes in 1 folder")


def test_the_first_view_shows_the_whole_repository(page: playwright.Page, console: Console) -> None:
    show(page, console, "ask")
    page.get_by_role("img", name="A graph of 3 nodes and 2 edges.").wait_for()
    assert "3 files" in page.inner_text(".counts")
    assert page.get_by_label("What stands out").get_by_role("link").all_inner_texts()[0] == "src/auth/tokenService.ts"
    page.get_by_label("Changed together").get_by_text("git", exact=False).first.wait_for()
    tree = page.get_by_role("region", name="Files of the repository")
    tree.get_by_label("Filter").fill("verify")
    tree.get_by_role("link", name="verify.ts").click()
    page.wait_for_selector("h2 >> text=src/auth/verify.ts")


def test_the_first_view_takes_text_before_the_server_answers(browser: playwright.Browser, console: Console) -> None:
    with opened(browser, []) as page:
        page.route("**/api/*", lambda route: None)  # no answer
        scripts: list[str] = []
        page.on("request", lambda request: scripts.append(request.url.rpartition("/")[2]))
        page.goto(console.url)
        page.wait_for_selector("input[name=q]:focus")
        page.keyboard.type("cart")
        assert page.input_value("input[name=q]") == "cart"
        page.wait_for_selector("main >> text=One moment")
        assert "console.js" in scripts
        assert "cypher.js" not in scripts


def test_a_question_without_an_answer_links_the_nearest_symbols(page: playwright.Page, console: Console) -> None:
    def without_results(route: playwright.Route) -> None:
        answered = route.fetch()
        hint = "Nothing is clearly relevant. The nearest are: `symbol = src/auth/verify.ts > verifySignature` (0.31)."
        route.fulfill(response=answered, json={**answered.json(), "results": [], "hint": hint})

    page.route(re.compile("/api/search"), without_results)
    show(page, console, "ask?q=validate+a+token")
    page.unroute_all()
    page.get_by_role("link", name="symbol = src/auth/verify.ts > verifySignature").click()
    page.get_by_role("list", name="Results").get_by_role("button").first.wait_for()
    assert page.get_by_label("Search the code").input_value() == "symbol = src/auth/verify.ts > verifySignature"


def test_a_view_asks_each_question_once(page: playwright.Page, console: Console) -> None:
    console.workspace.index()  # a generation that appears meanwhile would be asked, too
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    show(page, console, "ask")
    page.get_by_label("Changed together").get_by_text("git", exact=False).first.wait_for()
    show(page, console, "ask?q=validate+a+token")
    show(page, console, "graph?chain=files()")
    assert {name: asked.count(name) for name in ("map", "together", "search", "graph")} == {
        "map": 1,
        "together": 1,
        "search": 1,
        "graph": 1,
    }


def test_the_first_field_completes_and_runs_queries(page: playwright.Page, console: Console) -> None:
    show(page, console, "ask")
    field = page.locator("input[name=q]")
    field.fill("files().imp")
    page.get_by_role("option", name="importers(").wait_for()
    page.keyboard.press("Tab")
    assert field.input_value() == "files().importers("
    page.keyboard.type(")")
    page.keyboard.press("Enter")
    page.get_by_role("img", name="A graph of 2 nodes and 1 edges.").wait_for()
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("table").get_by_text("src/routes/login.ts").wait_for()
    assert "run=" not in page.url
    show(page, console, "ask")
    field.fill("MATCH (f:File)-[i:IMPORTS]->(g:File) RETURN f, i, g")
    page.keyboard.press("Enter")
    page.get_by_role("img", name="A graph of 3 nodes and 2 edges.").wait_for()
    show(page, console, "ask")
    field.fill("EXPLAIN MATCH (f:File) RETURN count(*)")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Plan").wait_for()


def test_every_scope_of_chains_is_a_query_in_the_first_field(page: playwright.Page, console: Console) -> None:
    show(page, console, "ask")
    for scope in chain_completions("", 0).items:
        page.fill("input[name=q]", f"{scope.text})")
        page.get_by_role("button", name="Run").wait_for()
    for question in ("match a (pattern", "files that import", "where is getUser() called", "return of a call"):
        page.fill("input[name=q]", question)
        page.get_by_role("button", name="Search").wait_for()


def test_the_first_field_suggests_symbols_and_their_graphs(page: playwright.Page, console: Console) -> None:
    show(page, console, "ask")
    page.fill("input[name=q]", "handleLog")
    page.get_by_role("option", name="Draw handleLogin").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2 >> text=handleLogin")
    show(page, console, "ask")
    page.fill("input[name=q]", "handleLog")
    page.get_by_role("option", name="Draw handleLogin symbol · with its neighbors").click()
    page.wait_for_url(re.compile(r"#/graph\?chain=symbols.*deeds=callers"))
    page.wait_for_selector(".counts >> text=2 nodes")
    show(page, console, "ask")
    page.fill("input[name=q]", "verifySig")
    page.get_by_role("option", name="Draw verifySignature reached by a change").click()
    page.get_by_role("region", name="The chosen node").get_by_role("heading", name="verifySignature").wait_for()
    assert page.get_by_label("Color").input_value() == "distance"


def test_a_result_has_its_callers_and_callees_below(page: playwright.Page, console: Console) -> None:
    show(page, console, "ask?q=validateToken&mode=name")
    section = page.locator(".connections details", has_text="Callers")
    section.get_by_role("link", name="handleLogin").click()
    page.wait_for_selector("h2 >> text=handleLogin")


def test_the_map_is_a_tree_and_a_matrix(page: playwright.Page, console: Console) -> None:
    show(page, console, "map")
    page.get_by_label("Form").select_option("tree")
    tree = page.get_by_role("region", name="Files of the repository")
    tree.get_by_text("src/", exact=False).first.click()
    tree.get_by_text("auth/", exact=False).first.click()
    tree.get_by_role("link", name="verify.ts").wait_for()
    tree.get_by_label("Filter").fill("LOGIN")
    assert tree.get_by_role("link").all_inner_texts()[0].split()[0] == "src/routes/login.ts"
    page.get_by_label("Form").select_option("matrix")
    page.goto(f"http://{console.host}/#/map?form=matrix&folder=src")
    matrix = page.get_by_role("region", name="Matrix of imports")
    row = matrix.get_by_role("row").filter(has=page.get_by_role("rowheader", name="routes"))
    assert row.get_by_role("cell").all_inner_texts() == ["1", ""]
    page.get_by_label("Form").select_option("together")
    page.get_by_text("git", exact=False).first.wait_for()


@pytest.fixture(scope="module")
def long_console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A console of a file that is longer than one answer, in a repository whose only imports are in an inner folder."""
    root = tmp_path_factory.mktemp("long") / "long"
    (root / "app/parts").mkdir(parents=True)
    lines = [f"export const value{number} = {number}" for number in range(2500)]
    (root / "app/values.ts").write_text("\n".join(lines) + "\n")
    (root / "app/parts/sum.ts").write_text("import { value1 } from '../values'\nexport const sum = () => value1\n")
    (root / "docs").mkdir()
    (root / "docs/guide.md").write_text("# Guide\n\nHow values are added.\n")
    with Workspace.locate(root) as workspace:
        yield from serve(workspace)


def test_a_long_file_is_read_in_parts(browser: playwright.Browser, long_console: Console, errors: list[str]) -> None:
    with opened(browser, errors) as page:
        show(page, long_console, "file?path=app/values.ts")
        page.get_by_text("Lines 1 to 2,000 of 2,500").wait_for()
        page.get_by_role("link", name="Later lines").click()
        page.get_by_text("Lines 2,001 to 2,500 of 2,500").wait_for()
        assert page.locator(".line").last.inner_text().split() == ["2500", "export", "const", "value2499", "=", "2499"]
        page.get_by_role("link", name="Earlier lines").click()
        page.get_by_text("Lines 1,501 to 2,500 of 2,500").wait_for()
    assert errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_a_found_line_leaves_the_search_in_view(
    browser: playwright.Browser, long_console: Console, errors: list[str], width: int
) -> None:
    with opened(browser, errors, width) as page:
        show(page, long_console, "ask?q=value2400&mode=text")
        page.wait_for_selector(".line.marked")
        assert page.evaluate("scrollY") == 0
        show(page, long_console, "file?path=app/values.ts&line=1700")
        box, frame = (page.locator(place).bounding_box() for place in (".line.marked", ".code"))
        assert box is not None
        assert frame is not None
        assert frame["y"] < box["y"] < frame["y"] + frame["height"]
    assert errors == []


def test_the_map_lists_imports_where_they_are(browser: playwright.Browser, long_console: Console, errors: list[str]) -> None:
    with opened(browser, errors) as page:
        show(page, long_console, "map")
        imports = page.get_by_label("Imports between folders")
        imports.get_by_role("heading", name="Imports between folders of app/").wait_for()
        assert imports.get_by_role("listitem").all_inner_texts() == ["parts → values.ts 1"]
    assert errors == []


def test_a_new_generation_is_shown(browser: playwright.Browser, fresh_console: Console, errors: list[str]) -> None:
    with opened(browser, errors) as page:
        show(page, fresh_console, "file?path=src/cart/total.js")
        page.wait_for_selector("text=Generation 1")
        (fresh_console.workspace.root / "src/cart/total.js").write_text("export function freshlyAdded() { return 1 }\n")
        fresh_console.workspace.index()
        page.wait_for_selector("text=Generation 2")
        page.wait_for_selector("aside >> text=freshlyAdded")
    assert errors == []


def test_an_old_token_is_explained(browser: playwright.Browser, console: Console) -> None:
    with opened(browser, []) as page:
        show(page, console, "ask")
        page.evaluate("localStorage.setItem('astrolabe-token', 'old')")
        page.reload()
        page.wait_for_selector("text=This page belongs to an earlier start.")


def test_a_view_comes_back_with_the_console(browser: playwright.Browser, console: Console) -> None:
    with opened(browser, []) as page:
        show(page, console, "settings")
        page.evaluate("localStorage.setItem('astrolabe-token', 'old')")
        with page.expect_response("**/api/symbol"):
            show(page, console, "symbol?name=handleLogin")
        page.wait_for_selector("main >> text=This page belongs to an earlier start.")
        page.wait_for_timeout(100)
        assert page.get_by_text("This page belongs to an earlier start.").count() == 1
        page.evaluate(f"localStorage.setItem('astrolabe-token', '{console.token}')")  # another tab opened the new address
        page.wait_for_selector("h2 >> text=handleLogin")
        page.wait_for_selector("[role=alert]", state="detached")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("width", [390, 1440])
def test_every_view_is_accessible(
    browser: playwright.Browser, console: Console, errors: list[str], width: int, is_long: bool
) -> None:
    with opened(browser, errors, width) as page:
        for view in VIEWS:
            show(page, console, view)
            if is_long or (view in NARROW) == (width == 390):  # a short run checks each view at one width
                assert accessible_in_both_schemes(page) == [], view
            assert page.evaluate("document.documentElement.scrollWidth") <= width, view
    assert [error for error in errors if "status of 4" not in error] == []
