"""The map and the first view in a real browser, over a repository that has nearly all of its code in one folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from astrolabe.server.api.workspace import Workspace
from browser import opened, opened_alone, show
from console_server import Console, serve
from git_commands import git
from playwright.sync_api import Browser, Page

#: A shop of three parts. Orders and billing need each other.
PARTS = {
    "shop/orders/place.ts": (
        "import { bill } from '../billing/invoice'\n"
        "import { find } from '../catalog/find'\n"
        "export const place = (name: string) => bill(find(name))\n"
    ),
    "shop/orders/cancel.ts": "import { refund } from '../billing/invoice'\nexport const cancel = () => refund()\n",
    "shop/billing/invoice.ts": (
        "import { cancel } from '../orders/cancel'\n"
        "export const bill = (price: number) => price\n"
        "export const refund = () => cancel\n"
    ),
    "shop/catalog/find.ts": "export const find = (name: string) => name.length\n",
    "tools/placeEachOrderOfACustomer.ts": "import { place } from '../shop/orders/place'\nplace('chair')\n",
}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A console of the parts of a shop; four commits change orders and billing together."""
    root = tmp_path_factory.mktemp("parts") / "parts"
    for name, text in PARTS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "First")
    for number in range(4):
        for name in ("shop/orders/place.ts", "shop/billing/invoice.ts"):
            (root / name).write_text(f"{PARTS[name]}// {number}\n", encoding="utf-8")
        git(root, "commit", "-qam", f"Change {number}")
    with Workspace.locate(root) as workspace:
        yield from serve(workspace)


@pytest.fixture
def page(browser: Browser, parts: Console) -> Iterator[Page]:
    errors: list[str] = []
    with opened(browser, errors) as shown:
        yield shown
    assert errors == []


@pytest.fixture
def narrow_page(browser: Browser, parts: Console) -> Iterator[Page]:
    errors: list[str] = []
    with opened(browser, errors, 390) as shown:
        yield shown
    assert errors == []


def test_the_folder_of_most_imports_is_shown_by_its_entries(page: Page, parts: Console) -> None:
    show(page, parts, "map")
    imports = page.get_by_label("Imports between folders").get_by_role("listitem").all_inner_texts()
    assert sorted(imports[2:]) == [
        "shop/billing → shop/orders 1",
        "shop/orders → shop/billing 2",
        "shop/orders → shop/catalog 1",
        "tools → shop/orders 1",
    ]
    assert sorted(imports[:2]) == ["shop/billing", "shop/orders"]
    page.get_by_role("heading", name="Cycle of 2").wait_for()
    show(page, parts, "map?form=matrix")
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="shop/orders"))
    assert row.get_by_role("cell").all_inner_texts() == ["2", "1", "", ""]


def test_files_that_change_together_are_a_matrix_with_two_equal_halves(page: Page, parts: Console) -> None:
    show(page, parts, "map?form=together")
    matrix = page.get_by_role("region", name="Matrix of common commits")
    matrix.get_by_role("rowheader", name="orders").wait_for()
    assert matrix.get_by_role("rowheader").all_inner_texts() == ["billing", "orders"]
    assert matrix.get_by_role("cell").all_inner_texts() == ["", "5", "5", ""]


@pytest.mark.parametrize("view", ["ask", "graph?chain=files()"])
@pytest.mark.parametrize("fixture", ["page", "narrow_page"])
def test_the_legend_covers_no_node(request: pytest.FixtureRequest, parts: Console, view: str, fixture: str) -> None:
    shown: Page = request.getfixturevalue(fixture)
    show(shown, parts, view)
    legend = shown.get_by_role("list", name="Communities" if view == "ask" else "Legend")
    picture = shown.locator(".canvas .picture")
    below, above = legend.bounding_box(), picture.bounding_box()
    assert below is not None
    assert above is not None
    assert below["y"] >= above["y"] + above["height"]


def test_a_narrow_window_shows_the_name_of_its_panel(narrow_page: Page, parts: Console) -> None:
    show(narrow_page, parts, "settings")
    place = narrow_page.get_by_role("navigation", name="Panels").get_by_role("link", name="Settings").bounding_box()
    assert place is not None
    assert place["x"] + place["width"] <= 390


def test_a_narrow_table_keeps_paths_legible(narrow_page: Page, parts: Console) -> None:
    show(narrow_page, parts, "map?form=together")
    for cell in narrow_page.get_by_role("region", name="Files that change together").locator("td:has(a)").all():
        box = cell.bounding_box()
        assert box is not None
        assert box["width"] >= 150


def test_no_side_of_the_picture_cuts_a_label(browser: Browser, parts: Console) -> None:
    with opened_alone(browser, [], 390) as page:
        page.add_init_script(
            """
            const write = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
              const half = this.measureText(text).width / 2;
              (window.written ??= {})[text] = [x - half, this.canvas.width / devicePixelRatio - x - half];
              write.call(this, text, x, y);
            };
            """
        )
        show(page, parts, "graph?chain=files()&layout=layered")
        written: dict[str, list[float]] = page.evaluate("window.written")
    assert "placeEachOrderOfACustomer.ts" in written
    assert {text: sides for text, sides in written.items() if min(sides) < 0} == {}
