"""Consoles of a small project: one that the tests of a module share, and one of its own for a test that changes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from astrolabe.server.api.workspace import Workspace
from console_server import Console, serve
from shop_sources import SHOP_SOURCES

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A console that the tests of a module share and do not change."""
    root = tmp_path_factory.mktemp("console") / "shop"
    for name, text in SHOP_SOURCES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        # On a busy machine, a query would run out of its usual time before a test stops it.
        patch.setenv("ASTROLABE_QUERY_TIMEOUT", "600")
        workspace = Workspace.locate(root)
    with workspace:
        yield from serve(workspace)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module.

    Playwright runs an event loop while a browser is open, so other modules could not run one of their own.
    """
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    pytest.importorskip("axe_playwright_python.base", reason="axe is not installed")
    from browser import chromium

    with chromium() as started:
        yield started


@pytest.fixture
def fresh_console(shop: Path) -> Iterator[Console]:
    """A console of a project that has no index yet."""
    with Workspace.locate(shop) as workspace:
        yield from serve(workspace)
