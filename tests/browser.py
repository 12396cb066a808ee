"""A browser for tests: Chromium as the system has it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from console_server import Console
from playwright.sync_api import Browser, Page, sync_playwright

#: Names under which systems install the browser.
NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Options of the browser. Pictures of graphs need WebGL, which a machine without a graphics card computes.
OPTIONS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
#: Milliseconds within which a page shows an answer; the first one builds an index.
PATIENCE = 30_000


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
    """Yield the page of a console as the printed address opens it. Errors and warnings of the browser are added to a list."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None)
    page.goto(console.url)
    page.wait_for_selector("nav")
    yield page
    context.close()


def show(page: Page, console: Console, view: str) -> None:
    """Open a view by its address, and wait until it has its answer and its layout."""
    page.goto("about:blank")
    page.goto(f"http://{console.host}/#/{view}")
    page.wait_for_selector("nav")
    page.wait_for_selector(".waiting, [aria-busy=true]", state="detached")
