"""A small real project, and the command line as a user runs it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.cli.app import main
from shop_sources import SHOP_SOURCES

SHOP = {
    "package.json": '{"name": "shop", "version": "1.0.0", "dependencies": {"jsonwebtoken": "^9.0.0"}}\n',
    ".gitignore": "dist/\n",
    "dist/bundle.js": "export const built = 1\n",
    **SHOP_SOURCES,
    "src/cart/total.js": """\
// Sums the prices of the items in a shopping cart.
export function cartTotal(items) {
  return items.reduce((sum, item) => sum + item.price, 0)
}
""",
}


@dataclass(frozen=True)
class Outcome:
    """What a run of the command line gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Outcome]


def write_files(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ASTROLABE_"):
            monkeypatch.delenv(name)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The project, not indexed yet."""
    root = tmp_path / "shop"
    write_files(root, SHOP)
    return root


@pytest.fixture
def run(shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in the project's folder, as `astrolabe *arguments` would."""

    def run_in_shop(*arguments: str) -> Outcome:
        monkeypatch.chdir(shop)
        monkeypatch.setattr(sys, "argv", ["astrolabe", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_info:
            main()
        captured = capsys.readouterr()
        code = exit_info.value.code
        return Outcome(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run_in_shop


@pytest.fixture(scope="session")
def _indexed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("indexed") / "shop"
    write_files(root, SHOP)
    with Workspace.locate(root) as workspace:
        workspace.index()
    return root


@pytest.fixture(scope="module")
def indexed_project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[dict[str, str]], Workspace]]:
    """Makes a project of files, and opens it with its index."""
    with ExitStack() as opened:

        def make(files: dict[str, str]) -> Workspace:
            root = tmp_path_factory.mktemp("project")
            write_files(root, files)
            workspace = opened.enter_context(Workspace.locate(root))
            workspace.index()
            return workspace

        yield make


@pytest.fixture
def indexed(shop: Path, _indexed_once: Path) -> Path:
    """The project with an index: a copy with the times of the original."""
    shutil.rmtree(shop)
    shutil.copytree(_indexed_once, shop)
    return shop
