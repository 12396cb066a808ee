"""A browser for tests: Chromium as the system has it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from console_server import Console
from playwright.sync_api import Browser, Page, sync_playwright

#: Names under which systems install the browser.
NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Options of the browser. Pictures of graphs need WebGL, which a machine without a graphics card computes.
OPTIONS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
#: Milliseconds within which a page shows an answer; the first one builds an index.
PATIENCE = 30_000
#: Rules of accessibility that look at colors.
COLOR_RULES = ("color-contrast", "link-in-text-block")


def program() -> str | None:
    """Return the path of the browser, or None if none is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser without a window. Skips the test where none is installed."""
    if program() is None:
        pytest.skip(f"no browser is installed: none of {', '.join(NAMES)} is on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=OPTIONS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Browser, console: Console, errors: list[str], width: int = 1440, scheme: str = "light") -> Iterator[Page]:
    """Yield a blank page that may open a console. Errors and warnings of the browser are added to a list."""
    context = browser.new_context(
        viewport={"width": width, "height": 640},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        storage_state={
            "origins": [
                {"origin": f"http://{console.host}", "localStorage": [{"name": "astrolabe-token", "value": console.token}]}
            ]
        },
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None)
    yield page
    context.close()


def show(page: Page, console: Console, view: str) -> None:
    """Open a view by its address, and wait until it has its answer and its layout."""
    if page.url != "about:blank":
        page.goto("about:blank")  # another view of the open page would not load the page
    page.goto(f"http://{console.host}/#/{view}")
    settle(page)


def settle(page: Page) -> None:
    """Wait until the open view has its answer and its layout."""
    page.wait_for_selector("main > :not(h1)")
    page.wait_for_selector(".waiting, [aria-busy=true]", state="detached")


def violations(page: Page, rules: Sequence[str] = (), tags: Sequence[str] = ()) -> list[list[str]]:
    """Return the names of the rules of accessibility that the page breaks, each with the first element: all rules, or some.

    Only the names come from the browser, because the results of the rules that hold are many times as long.
    """
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules or tags:
        options["runOnly"] = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(tags)}
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    found: list[list[str]] = page.evaluate(
        "options => axe.run(options).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))", options
    )
    return found


def accessible_in_both_schemes(page: Page, tags: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """Return what breaks rules of accessibility in light and dark. Only rules about colors can differ in dark."""
    found = [("light", each) for each in violations(page, tags=tags)]
    page.emulate_media(color_scheme="dark")
    found += [("dark", each) for each in violations(page, COLOR_RULES)]
    page.emulate_media(color_scheme="light")
    return found
