"""Markup and scripts in file names, symbols, documents, the history and the settings of a repository are text in every view."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from astrolabe.server.api.workspace import Workspace
from browser import opened, settle, show
from console_server import Console, serve
from git_commands import git
from playwright.sync_api import Browser, Page

#: Text that would act if any of it became markup.
HOSTILE = "<img src=x onerror=hacked=1><script>hacked=1</script>"
#: Views of the repository, and addresses with markup.
VIEWS = (
    "ask",
    "ask?q=evil",
    "ask?q=hacked&mode=text",
    f"ask?q={quote(HOSTILE)}",
    "graph?chain=files()",
    "graph?chain=symbols()&color=owner",
    "map",
    "map?form=tree",
    "map?form=matrix",
    "map?form=together",
    "change?compare=range&ref=HEAD",
    f"change?compare=range&ref={quote(HOSTILE)}",
    "checks",
    "health",
    "settings",
    f"graph?chain={quote(HOSTILE)}",
    f"file?path={quote(HOSTILE)}",
    f"{quote(HOSTILE)}",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    root = tmp_path_factory.mktemp("hostile") / f"{HOSTILE.replace('/', '')} repository"
    root.mkdir()
    name = f"{HOSTILE.replace('/', '')}.ts"
    (root / name).write_text(
        f"/** {HOSTILE} */\nexport class Evil {{ '{HOSTILE}'() {{ return `{HOSTILE}` }} }}\n", encoding="utf-8"
    )
    (root / "README.md").write_text(f"# {HOSTILE}\n\n{HOSTILE} and [a link](javascript:hacked=1) to `Evil`\n", encoding="utf-8")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(
        root,
        "commit",
        "-qm",
        HOSTILE,
        f"--author={HOSTILE.replace('<', '(').replace('>', ')')} <'\"onerror=hacked=1@example.org>",
    )
    with Workspace.locate(root) as workspace:
        (root / "astrolabe.toml").write_text(f'exclude = ["{HOSTILE}"]\n"{HOSTILE}" = "{HOSTILE}"\n', encoding="utf-8")
        yield from serve(workspace)


@pytest.fixture
def page(browser: Browser, hostile: Console) -> Iterator[Page]:
    errors: list[str] = []
    with opened(browser, errors) as shown:
        yield shown
    assert [error for error in errors if "status of 4" not in error] == []


def assert_is_text(page: Page, view: str) -> None:
    assert page.evaluate("typeof hacked") == "undefined", view
    assert page.locator("main img, main script, a[href^=javascript]").count() == 0, view


def test_no_view_makes_markup_of_a_repository(page: Page, hostile: Console) -> None:
    for view in VIEWS:
        show(page, hostile, view)
        assert_is_text(page, view)
    page.keyboard.press("Control+k")
    page.keyboard.type(HOSTILE)
    page.wait_for_selector("[role=option] >> text=Search")
    assert_is_text(page, "command palette")


def test_the_page_of_a_symbol_and_its_history_are_text(page: Page, hostile: Console) -> None:
    show(page, hostile, "symbol?name=Evil")
    page.get_by_text("History", exact=True).click()
    page.get_by_text(HOSTILE).first.wait_for()
    assert_is_text(page, "symbol")


def test_rows_plans_and_answers_of_tools_are_text(page: Page, hostile: Console) -> None:
    query = quote("MATCH (f:File)-[c:CONTAINS]->(s:Symbol) RETURN f, c, s, s.name, s.signature")
    show(page, hostile, f"cypher?text={query}&run=1")
    for form in ("Table", "JSON", "Graph"):
        tab = page.get_by_role("tab", name=form)
        tab.click()
        settle(page)
        assert_is_text(page, form)
    show(page, hostile, "tools")
    page.get_by_label(re.compile("^query")).fill("symbol = Evil")
    page.get_by_role("button", name="Call", exact=True).click()
    page.get_by_role("article", name="Answer").get_by_text(HOSTILE).first.wait_for()
    assert_is_text(page, "tools")


def test_an_exported_picture_has_no_markup_of_names(page: Page, hostile: Console, tmp_path: Path) -> None:
    show(page, hostile, "graph?chain=symbols()")
    with page.expect_download() as download:
        page.get_by_label("Export").select_option("SVG")
    download.value.save_as(tmp_path / "graph.svg")
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.parse(tmp_path / "graph.svg").iter()}
    assert tags <= {"svg", "rect", "path", "circle", "text", "g"}
