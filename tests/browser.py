"""A browser for tests: Chromium as the system has it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from weakref import WeakKeyDictionary

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from console_server import TOKEN, Console
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, sync_playwright

#: Names under which systems install the browser.
NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Options of the browser. Pictures of graphs need WebGL, which a machine without a graphics card computes.
OPTIONS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
#: Options of tests: without a graphics card, everything but WebGL is drawn in less than half of the time by other means.
CHEAP = ("--disable-gpu-rasterization", "--disable-gpu-compositing")
#: Beginning of warnings of the graphics driver, about what it costs to read a picture of WebGL back.
DRIVER = "[.WebGL-"
#: Height of the windows, in pixels.
HEIGHT = 640
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
        browser = playwright.chromium.launch(executable_path=program(), args=[*OPTIONS, *CHEAP])
        try:
            yield browser
        finally:
            browser.close()


#: Gives a page the token of the consoles of tests, unless it has one.
ENTER = f"if (location.protocol === 'http:') localStorage['astrolabe-token'] ??= '{TOKEN}'"
#: The page of each width, by browser.
_PAGES: WeakKeyDictionary[Browser, dict[int, Page]] = WeakKeyDictionary()


@contextmanager
def opened(browser: Browser, errors: list[str], width: int = 1440) -> Iterator[Page]:
    """Yield a blank page that may open a console. Errors and warnings of the browser are added to a list.

    Tests use the same page one after another: a new page and the scripts that it has not compiled yet take half a second of a
    processor. A test that adds a script to its page needs a page of its own.
    """
    pages = _PAGES.setdefault(browser, {})
    page = pages[width] = pages.get(width) or _new_page(browser, width)
    with _logged(page, errors):
        yield page
    page.unroute_all()
    page.context.clear_permissions()
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.goto("about:blank")
    page.set_viewport_size({"width": width, "height": HEIGHT})


@contextmanager
def opened_alone(browser: Browser, errors: list[str], width: int = 1440) -> Iterator[Page]:
    """Yield a blank page as `opened` does, but one that no other test gets."""
    page = _new_page(browser, width)
    with _logged(page, errors):
        yield page
    page.context.close()


def _new_page(browser: Browser, width: int) -> Page:
    context = browser.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce")
    context.add_init_script(ENTER)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page


@contextmanager
def _logged(page: Page, errors: list[str]) -> Iterator[None]:
    """Add errors and warnings of the browser to a list."""

    def log_error(error: Error) -> None:
        errors.append(str(error))

    def log_message(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not (message.text.startswith(DRIVER) and "GPU stall" in message.text):
            errors.append(message.text)

    page.on("pageerror", log_error)
    page.on("console", log_message)
    yield
    page.remove_listener("pageerror", log_error)
    page.remove_listener("console", log_message)


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
