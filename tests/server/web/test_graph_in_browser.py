"""Graphs in a real browser: begun, followed, arranged, filtered, shared and exported. What is drawn is read from the export."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from astrolabe.server.api.workspace import Workspace
from browser import PATIENCE, opened, opened_alone, show
from console_server import Console, serve
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

#: Files with a cycle (`a` and `b`), a diamond from `top` to `bottom`, and a file that nothing imports.
CIRCLES = {
    "src/ring/a.ts": "import { b } from './b'\nexport const a = () => b\n",
    "src/ring/b.ts": "import { a } from './a'\nexport const b = () => a\n",
    "src/top.ts": (
        "import { left } from './ring/left'\nimport { right } from './ring/right'\nexport const top = () => left() + right()\n"
    ),
    "src/ring/left.ts": "import { bottom } from '../bottom'\nexport const left = () => bottom()\n",
    "src/ring/right.ts": "import { bottom } from '../bottom'\nexport const right = () => bottom()\n",
    "src/bottom.ts": "export const bottom = () => 1\n",
    "docs/lonely.ts": "export const lonely = 1\n",
}
expect.set_options(timeout=PATIENCE)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def circles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A console of files with a cycle and a diamond."""
    root = tmp_path_factory.mktemp("circles") / "circles"
    for name, text in CIRCLES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    with Workspace.locate(root) as workspace:
        yield from serve(workspace)


@pytest.fixture
def errors() -> list[str]:
    return []


@pytest.fixture
def page(browser: Browser, console: Console, errors: list[str]) -> Iterator[Page]:
    with opened(browser, errors) as shown:
        yield shown
    assert errors == []


@pytest.fixture
def circles_page(browser: Browser, circles: Console, errors: list[str]) -> Iterator[Page]:
    with opened(browser, errors) as shown:
        yield shown
    assert errors == []


def drawn(page: Page) -> dict[str, tuple[float, float]]:
    """Return the places of the named nodes in the picture, in pixels."""
    page.wait_for_selector("[role=img][aria-busy=false]")
    with page.expect_download() as download:
        page.get_by_label("Export").select_option("SVG")
    parts = list(ElementTree.parse(download.value.path()).getroot())
    return {
        str(name.text): (float(circle.attrib["cx"]), float(circle.attrib["cy"]))
        for circle, name in pairwise(parts)
        if circle.tag == f"{SVG}circle" and name.tag == f"{SVG}text"
    }


def point_of(page: Page, name: str) -> tuple[float, float]:
    """Return the place of a node on the screen."""
    box = page.get_by_role("img", name=re.compile("^A graph of")).bounding_box()
    assert box is not None
    x, y = drawn(page)[name]
    return box["x"] + x, box["y"] + y


def bar_of(page: Page, name: str) -> Locator:
    """Point at a node until the bar above it is shown, and return the bar. A layout may still move the node meanwhile."""
    bar = page.get_by_role("toolbar", name=f"Actions for {name}")
    for _ in range(PATIENCE // 500):
        x, y = point_of(page, name)
        page.mouse.move(x + 30, y + 30)
        page.mouse.move(x, y)
        with suppress(TimeoutError):
            bar.wait_for(timeout=500)
            break
    return bar


def counts(page: Page) -> str:
    return page.locator(".counts").inner_text()


def test_a_graph_begins_with_a_name(page: Page, console: Console) -> None:
    show(page, console, "graph")
    page.get_by_role("combobox", name="A symbol, a file").fill("validateT")
    page.get_by_role("option", name="TokenService.validateToken").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".counts")).to_have_text("3 nodes, 4 edges")
    assert {"handleLogin", "TokenService.validateToken", "verifySignature"} == set(drawn(page))


def test_a_graph_of_a_type_begins_with_its_members_and_users(page: Page, console: Console) -> None:
    show(page, console, "graph")
    page.get_by_role("combobox", name="A symbol, a file").fill("TokenService")
    page.get_by_role("option").filter(has_text="symbol · class").click()
    page.wait_for_selector("[role=img][aria-busy=false]")
    assert {"TokenService", "TokenService.validateToken"} <= set(drawn(page))


def test_a_graph_begins_with_a_file(page: Page, console: Console) -> None:
    show(page, console, "graph")
    page.get_by_role("combobox", name="A symbol, a file").fill("verify.ts")
    page.get_by_role("option", name="src/auth/verify.ts").click()
    expect(page.locator(".counts")).to_have_text("2 nodes, 1 edge")


def test_a_graph_begins_with_a_question(page: Page, console: Console) -> None:
    show(page, console, "graph")
    page.get_by_role("combobox", name="A symbol, a file").fill("how is a token validated")
    page.get_by_role("option", name="What a search for").click()
    page.wait_for_selector("[role=img]")
    assert "TokenService.validateToken" in drawn(page)


def test_a_chain_is_completed(page: Page, console: Console) -> None:
    show(page, console, "graph")
    field = page.get_by_role("combobox", name="A symbol, a file")
    field.fill("files().impo")
    page.get_by_role("option", name="importers(").wait_for()
    page.keyboard.press("Tab")
    expect(field).to_have_value("files().importers(")
    page.keyboard.type(")")
    page.keyboard.press("Enter")
    expect(page.locator(".counts")).to_have_text("2 nodes, 1 edge")


def test_a_node_is_clicked_and_followed_along_its_edges(page: Page, console: Console) -> None:
    show(page, console, "graph?chain=symbol('TokenService > validateToken')")
    page.mouse.click(*point_of(page, "TokenService.validateToken"))
    card = page.get_by_role("region", name="The chosen node")
    card.get_by_role("button", name="+ callees 1").click()
    expect(page.locator(".counts")).to_contain_text("2 nodes")
    page.mouse.click(*point_of(page, "TokenService.validateToken"))
    card.get_by_role("button", name="+ callers 1").click()
    expect(page.locator(".counts")).to_contain_text("3 nodes")
    assert set(drawn(page)) >= {"handleLogin", "verifySignature"}


def test_a_node_is_opened_by_a_double_click(page: Page, console: Console) -> None:
    show(page, console, "graph?chain=files(path='src/auth/tokenService.ts')")
    page.mouse.dblclick(*point_of(page, "tokenService.ts"))
    expect(page.locator(".counts")).to_have_text("3 nodes, 2 edges")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".counts")).to_have_text("2 nodes, 1 edge")


def test_a_node_is_dragged_and_pinned_there(page: Page, console: Console) -> None:
    show(page, console, "graph?chain=files()")
    before = drawn(page)["login.ts"]
    x, y = point_of(page, "login.ts")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)
    page.mouse.up()
    moved = drawn(page)["login.ts"]
    assert moved == pytest.approx((before[0] + 60, before[1] + 40), abs=3)
    page.get_by_role("button", name=re.compile("^login.ts")).first.click()
    page.get_by_role("button", name="Pin", exact=True).click()
    page.get_by_role("button", name="Unpin").wait_for()
    assert "deeds=*%7Csrc%252Froutes%252Flogin.ts%7C" in page.url
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("[role=img][aria-busy=false]")
    page.get_by_role("button", name="Unpin").click()
    page.get_by_role("button", name="Pin", exact=True).wait_for()


def test_every_layout_puts_each_node_elsewhere(page: Page, console: Console) -> None:
    show(page, console, "graph?chain=files()")
    places = []
    for layout in ("force", "layered", "folder"):
        page.get_by_label("Layout").select_option(layout)
        page.wait_for_selector(f".picture.{layout}[aria-busy=false]")
        places.append(drawn(page))
        for one in places[-1]:
            assert all(places[-1][one] != places[-1][other] for other in places[-1] if other != one), layout
    layered = places[1]
    assert layered["login.ts"][0] < layered["tokenService.ts"][0] < layered["verify.ts"][0]
    assert places[0] != places[1] != places[2]


def test_layers_of_many_edges_are_in_their_order(browser: Browser, tmp_path: Path, errors: list[str]) -> None:
    layers, width = 5, 10
    for layer in range(layers):
        for number in range(width):
            imports = "".join(f"import './f{layer + 1}_{each}'\n" for each in range(width)) if layer + 1 < layers else ""
            (tmp_path / f"f{layer}_{number}.ts").write_text(f"{imports}export {{}}\n", encoding="utf-8")
    with Workspace.locate(tmp_path) as workspace:
        for console in serve(workspace):
            with opened(browser, errors) as page:
                show(page, console, "graph?chain=files()&layout=layered")
                places = {(int(name[1]), x) for name, (x, _) in drawn(page).items()}
    assert len({x for _, x in places}) == layers
    assert sorted(places) == sorted(places, key=lambda place: place[1])
    assert errors == []


@pytest.mark.parametrize("layout", ["force", "layered", "folder"])
def test_folders_are_outlined(page: Page, console: Console, layout: str) -> None:
    show(page, console, f"graph?chain=files()&layout={layout}&group=outlined")
    with page.expect_download() as download:
        page.get_by_label("Export").select_option("SVG")
    root = ElementTree.parse(download.value.path()).getroot()
    names = [element.text for element in root.iter(f"{SVG}text")]
    assert {"src/auth", "src/routes"} <= set(names)


def test_folders_are_one_node_each_and_open(page: Page, console: Console) -> None:
    show(page, console, "graph?chain=files()")
    page.get_by_label("Group").select_option("collapsed")
    expect(page.locator(".counts")).to_have_text("3 nodes in 2 folders, 1 edge")
    page.mouse.click(*point_of(page, "src/auth"))
    page.get_by_role("region", name="The chosen node").get_by_role("button", name="Open the folder").click()
    expect(page.locator(".counts")).to_have_text("2 nodes, 1 edge")
    assert set(drawn(page)) == {"tokenService.ts", "verify.ts"}


def test_kinds_of_edges_are_hidden(page: Page, console: Console) -> None:
    show(page, console, "graph?chain=symbols(kind__in=['class','method','function'])")
    text = counts(page)
    before = int(text.split(", ")[1].split()[0])
    kinds = page.get_by_role("group", name="Kinds of edges")
    kinds.get_by_role("button", name=re.compile("^calls"), pressed=True).click()
    page.wait_for_url(re.compile("without=CALLS"))
    expect(page.locator(".counts")).not_to_have_text(text)
    after = int(counts(page).split(", ")[1].split()[0])
    assert 0 < after < before
    kinds.get_by_role("button", name=re.compile("^calls"), pressed=False).click()
    expect(page.locator(".counts")).to_have_text(text)


def test_the_bar_above_a_node_acts_on_it(circles_page: Page, circles: Console) -> None:
    show(circles_page, circles, "graph?chain=files()")
    bar_of(circles_page, "top.ts").get_by_role("button", name="Hide").click()
    expect(circles_page.locator(".counts")).to_have_text("6 nodes, 4 edges")
    circles_page.get_by_role("button", name="Undo").click()
    expect(circles_page.locator(".counts")).to_have_text("7 nodes, 6 edges")
    bar_of(circles_page, "top.ts").get_by_role("button", name="Path from here").click()
    circles_page.mouse.click(*point_of(circles_page, "bottom.ts"))
    expect(circles_page.locator("details", has_text="Shortest path").get_by_role("listitem")).to_have_count(3)


def test_what_a_change_reaches_is_colored_by_distance_and_shared(circles_page: Page, circles: Console) -> None:
    show(circles_page, circles, "graph?chain=files(path='src/bottom.ts')")
    bar_of(circles_page, "bottom.ts").get_by_role("button", name="Reached by a change").click()
    expect(circles_page.locator(".counts")).to_have_text("4 nodes, 4 edges")
    expect(circles_page.get_by_label("Color")).to_have_value("distance")
    address = circles_page.url
    circles_page.goto("about:blank")
    circles_page.goto(address)
    expect(circles_page.get_by_role("region", name="The chosen node")).to_contain_text("bottom.ts")


def test_the_first_view_draws_what_a_change_reaches(circles_page: Page, circles: Console) -> None:
    show(circles_page, circles, "ask")
    picture = circles_page.get_by_role("img", name=re.compile("^A graph of 7 nodes"))
    box = picture.bounding_box()
    assert box is not None
    bar = circles_page.get_by_role("toolbar")
    places = [(x, y) for y in range(40, int(box["height"]) - 40, 12) for x in range(40, int(box["width"]) - 40, 12)]
    # Nodes with edges are near the center.
    for x, y in sorted(places, key=lambda place: math.dist(place, (box["width"] / 2, box["height"] / 2))):
        circles_page.mouse.move(box["x"] + x, box["y"] + y)
        if bar.count():
            break
    bar.get_by_role("link", name="Reached by a change").click()
    circles_page.wait_for_url(re.compile("graph.*deeds=reached.*color=distance"))
    circles_page.get_by_role("region", name="The chosen node").wait_for()


def test_the_filter_and_the_legend_keep_some_nodes(page: Page, console: Console) -> None:
    show(page, console, "graph?chain=symbols(kind__in=['class','function'])&color=kind")
    page.get_by_label("Filter").fill("login.ts")
    expect(page.locator("details", has_text="Nodes that match").get_by_role("button")).to_have_count(1)
    assert set(drawn(page)) == {"handleLogin"}
    page.get_by_label("Filter").fill("")
    page.get_by_role("list", name="Legend").get_by_role("button", name="class").click()
    assert set(drawn(page)) == {"TokenService"}


def test_hubs_cycles_and_diamonds_are_listed(circles_page: Page, circles: Console) -> None:
    show(circles_page, circles, "graph?chain=files()")

    def section_of(title: str) -> Locator:
        return circles_page.locator("details", has=circles_page.get_by_role("heading", name=title))

    def listed(title: str) -> set[str]:
        section_of(title).evaluate("section => section.open = true")
        return {line.split()[0] for line in section_of(title).locator("li button").all_inner_texts()}

    assert listed("Cycle 1 of 2 nodes") == {"a.ts", "b.ts"}
    alone = section_of("Cycle 1 of 2 nodes").get_by_role("button", name="Show these alone")
    alone.click()
    expect(alone).to_have_attribute("aria-pressed", "true")
    assert set(drawn(circles_page)) == {"a.ts", "b.ts"}
    alone.click()
    assert listed("Diamonds end at") == {"bottom.ts"}
    assert "lonely.ts" not in listed("Hubs")
    assert "lonely.ts" in listed("All nodes")


def test_hidden_nodes_come_back(circles_page: Page, circles: Console) -> None:
    show(circles_page, circles, "graph?chain=files()")
    circles_page.get_by_role("button", name=re.compile("^bottom.ts")).first.click()
    circles_page.get_by_role("button", name="Hide").click()
    expect(circles_page.locator(".counts")).to_contain_text("6 nodes")
    circles_page.get_by_role("button", name="Show 1 hidden").click()
    expect(circles_page.locator(".counts")).to_contain_text("7 nodes")


def test_the_address_is_copied(browser: Browser, console: Console, errors: list[str]) -> None:
    with opened(browser, errors) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        show(page, console, "graph?chain=files()&layout=layered")
        page.get_by_role("button", name="Copy link").click()
        page.get_by_role("button", name="Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_a_browser_without_webgl_gets_a_sentence_and_the_list(browser: Browser, console: Console) -> None:
    with opened_alone(browser, []) as page:
        page.add_init_script(
            "const get = HTMLCanvasElement.prototype.getContext;"
            "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
            " return kind.startsWith('webgl') ? null : get.call(this, kind, ...more) }"
        )
        show(page, console, "graph?chain=files()")
        expect(page.get_by_role("alert")).to_contain_text("has no WebGL")
        page.locator("summary", has_text="All nodes").click()
        assert "login.ts" in page.locator("details", has_text="All nodes").inner_text()


def test_a_graph_is_followed_undone_and_shared(page: Page, console: Console) -> None:
    show(page, console, "symbol?name=TokenService > validateToken")
    page.get_by_role("link", name="Graph", exact=True).last.click()
    page.wait_for_selector("text=3 nodes")
    page.get_by_role("button", name=re.compile("^handleLogin")).first.click()
    page.get_by_role("button", name="Hide").click()
    page.wait_for_selector("text=2 nodes")
    address = page.url
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("text=3 nodes")
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("text=2 nodes")


def test_a_shortest_path_is_marked(page: Page, console: Console) -> None:
    show(page, console, "graph?chain=files()")
    page.get_by_role("button", name=re.compile("^login.ts")).first.click()
    page.get_by_role("button", name="Path from here").click()
    page.locator("summary", has_text="All nodes").click()
    page.locator("details", has_text="All nodes").get_by_role("button", name=re.compile("^verify.ts")).click()
    path = page.locator("details", has_text="Shortest path")
    path.wait_for()
    assert [button.split()[0] for button in path.get_by_role("button").all_inner_texts()] == [
        "login.ts",
        "tokenService.ts",
        "verify.ts",
    ]


@pytest.mark.parametrize(
    ("form", "beginning"), [("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("GraphML", b"<graphml"), ("mermaid", b"flowchart")]
)
def test_a_graph_is_kept_as_a_file(page: Page, console: Console, form: str, beginning: bytes) -> None:
    show(page, console, "graph?chain=files()")
    with page.expect_download() as download:
        page.get_by_label("Export").select_option(form)
    assert Path(download.value.path()).read_bytes().startswith(beginning)


def test_results_are_drawn_and_colored_by_owner(page: Page, console: Console) -> None:
    show(page, console, "ask")
    page.fill("input[name=q]", "validate a token")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Draw the results").click()
    page.wait_for_selector("[role=img]")
    page.get_by_label(re.compile("^Color")).select_option("owner")
    page.wait_for_selector(".legend >> text=nobody yet")


def two_rings(page: Page, circles: Console) -> None:
    """Draw the cycle, and the diamond that no edge connects with the cycle."""
    show(page, circles, "graph?chain=files()")


def test_communities_are_colored_and_outlined(circles_page: Page, circles: Console) -> None:
    two_rings(circles_page, circles)
    circles_page.get_by_label("Color").select_option("community")
    legend = circles_page.get_by_role("list", name="Legend").get_by_role("button")
    expect(legend.filter(has_text="without edges")).to_be_visible()
    assert legend.count() >= 3  # the cycle, the diamond, and the file alone
    circles_page.get_by_label("Group").select_option("communities")
    circles_page.wait_for_selector("[role=img][aria-busy=false]")
    places = drawn(circles_page)
    near = abs(places["a.ts"][0] - places["b.ts"][0]) + abs(places["a.ts"][1] - places["b.ts"][1])
    far = abs(places["a.ts"][0] - places["top.ts"][0]) + abs(places["a.ts"][1] - places["top.ts"][1])
    assert near < far


def test_long_names_fit_into_a_narrow_window(browser: Browser, tmp_path: Path, errors: list[str]) -> None:
    name = "answerOfTheServiceThatIsAskedAgainAfterItsFirstAnswerWasRefused"
    calls = "\n".join(f"export function {name}{number}() {{ return {name}{number - 1}() }}" for number in range(1, 4))
    (tmp_path / "service.ts").write_text(f"export function {name}0() {{ return 1 }}\n{calls}\n", encoding="utf-8")
    with Workspace.locate(tmp_path) as workspace:
        for console in serve(workspace):
            with opened(browser, errors, 390) as page:
                show(page, console, "graph?chain=symbols()&color=community&group=communities")
                expect(page.get_by_role("list", name="Legend")).to_contain_text(name)
                assert page.evaluate("document.documentElement.scrollWidth") <= 390
                state = page.get_by_text("Generation 1")
                assert state.evaluate("element => element.scrollWidth <= element.clientWidth")
    assert errors == []


def test_several_entries_of_the_legend_are_shown_alone(circles_page: Page, circles: Console) -> None:
    show(circles_page, circles, "graph?chain=files()&color=folder")
    legend = circles_page.get_by_role("list", name="Legend")
    legend.get_by_role("button", name="docs").click()
    legend.get_by_role("button", name="src/ring").click()
    matching = circles_page.locator("details").filter(has_text="Nodes that match")
    expect(matching.get_by_role("listitem")).to_have_count(5)
    legend.get_by_role("button", name="src/ring").click()
    expect(matching.get_by_role("listitem")).to_have_count(1)


def test_nodes_around_the_chosen_one_are_shown_alone(circles_page: Page, circles: Console) -> None:
    two_rings(circles_page, circles)
    reach = circles_page.get_by_label("Within this number of edges")
    expect(reach).to_be_disabled()
    circles_page.get_by_role("button", name=re.compile("^bottom.ts")).first.click()
    reach.select_option("1")
    matching = circles_page.locator("details").filter(has_text="Nodes that match")
    expect(matching.get_by_role("listitem")).to_have_count(3)
    reach.select_option("2")
    expect(matching.get_by_role("listitem")).to_have_count(4)
    circles_page.get_by_label("Color").select_option("distance")
    circles_page.get_by_role("list", name="Legend").get_by_role("button", name="2 edges").click()
    expect(matching.get_by_role("listitem")).to_have_text(["top.ts src/top.ts"])


def test_rings_have_the_distance_from_the_center(circles_page: Page, circles: Console) -> None:
    diamond = "files(path__in=['src/top.ts','src/ring/left.ts','src/ring/right.ts','src/bottom.ts'])"
    show(circles_page, circles, f"graph?chain={diamond}&layout=rings")
    places = drawn(circles_page)
    distances = [sorted(math.dist(center, place) for place in places.values()) for center in places.values()]
    assert any(
        second == pytest.approx(first, abs=3) and third == pytest.approx(2 * first, abs=3)
        for _, first, second, third in distances
    )


def test_a_change_is_followed_over_three_edges(circles_page: Page, circles: Console) -> None:
    show(circles_page, circles, "graph?chain=files(path='src/bottom.ts')")
    circles_page.get_by_role("button", name=re.compile("^bottom.ts")).first.click()
    circles_page.get_by_role("button", name="+ reached by a change").click()
    expect(circles_page.locator(".counts")).to_have_text("4 nodes, 4 edges")


def test_the_overview_moves_the_picture_and_can_be_hidden(circles_page: Page, circles: Console) -> None:
    many = circles.workspace.root / "src" / "many"
    many.mkdir(exist_ok=True)
    for number in range(30):
        (many / f"part{number}.ts").write_text(f"import {{ top }} from '../top'\nexport const part{number} = () => top()\n")
    circles.workspace.index()
    try:
        show(circles_page, circles, "graph?chain=files()")
        area = {"x": 120, "y": 300, "width": 500, "height": 400}
        before = circles_page.screenshot(clip=area)  # type: ignore[arg-type]
        overview = circles_page.locator(".minimap")
        overview.click(position={"x": 12, "y": 12})
        circles_page.wait_for_timeout(300)
        assert circles_page.screenshot(clip=area) != before  # type: ignore[arg-type]
        circles_page.get_by_role("button", name="Overview").click()
        expect(overview).to_have_count(0)
    finally:
        for file in many.iterdir():
            file.unlink()
        circles.workspace.index()
    show(circles_page, circles, "graph?chain=files()")
    expect(circles_page.get_by_role("button", name="Overview")).to_have_count(0)
