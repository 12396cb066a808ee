"""Consoles of a small project: one that the tests of a module share, and one of its own for a test that changes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from console_server import Console, serve
from shop_sources import SHOP_SOURCES


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A console that the tests of a module share and do not change."""
    root = tmp_path_factory.mktemp("console") / "shop"
    for name, text in SHOP_SOURCES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    with Workspace.locate(root) as workspace:
        yield from serve(workspace)


@pytest.fixture
def fresh_console(shop: Path) -> Iterator[Console]:
    """A console of a project that has no index yet."""
    with Workspace.locate(shop) as workspace:
        yield from serve(workspace)
