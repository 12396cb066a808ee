"""What a change of packages and manifests of Python changes in the index: it equals one that is built at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from incremental_report.__main__ import check
from incremental_steps import write_indexed
from written_workspace import write

SHOP = """
//- pyproject.toml
[project]
name = "shop"
version = "1.0"
dependencies = ["requests>=2"]
//- src/shop/__init__.py
__version__ = "1.1"
//- src/shop/cart.py
import types
import requests
from shop import pay
from shop.pay import card

def total(): return pay.due() + card.fee()
//- src/shop/pay/__init__.py
def due(): return 1
//- src/shop/pay/card.py
def fee(): return 2
//- src/tools/run.py
from shop.cart import total
from shop import cart

total()
cart.total()
//- tests/test_cart.py
from shop.cart import total
import helpers
from helpers import make

def test_total(): assert total() == make()
//- other/requests/__init__.py
def get(): return 0
"""

IMPORTS = "MATCH (f:File {relativePath: '%s'})-[r:%s]->(t) RETURN DISTINCT %s"
CART = IMPORTS % ("src/shop/cart.py", "IMPORTS", "t.relativePath")
CART_OUTSIDE = IMPORTS % ("src/shop/cart.py", "IMPORTS_EXTERNAL", "t.name")
TESTED = IMPORTS % ("tests/test_cart.py", "IMPORTS", "t.relativePath")
TESTED_OUTSIDE = IMPORTS % ("tests/test_cart.py", "IMPORTS_EXTERNAL", "t.name")
MODULES = "MATCH (m:Module) RETURN m.id, m.name, m.version"
DEPENDENCIES = "MATCH (m:Module)-[r:DEPENDS_ON]->(p:Package) RETURN m.id, p.name, r.versionRange"


def written(text: str) -> Callable[[Path], object]:
    return lambda root: write(root, text)


def removed(name: str) -> Callable[[Path], object]:
    return lambda root: (root / name).unlink()


#: What is changed, a query, and its rows before and after.
CHANGES = {
    "a package becomes a namespace": (
        removed("src/shop/pay/__init__.py"),
        CART,
        [("src/shop/__init__.py",), ("src/shop/pay/__init__.py",), ("src/shop/pay/card.py",)],
        [("src/shop/__init__.py",), ("src/shop/pay/card.py",)],
    ),
    "a package above becomes a namespace": (
        removed("src/shop/__init__.py"),
        CART,
        [("src/shop/__init__.py",), ("src/shop/pay/__init__.py",), ("src/shop/pay/card.py",)],
        [("src/shop/pay/__init__.py",), ("src/shop/pay/card.py",)],
    ),
    "a folder becomes a package": (
        written("//- tests/__init__.py\n//- tests/helpers.py\ndef make(): return 3\n"),
        TESTED,
        [("src/shop/cart.py",)],
        [("src/shop/cart.py",), ("tests/helpers.py",)],
    ),
    "a module comes": (
        written("//- tests/helpers.py\ndef make(): return 3\n"),
        TESTED_OUTSIDE,
        [("helpers",)],
        [],
    ),
    "a source folder comes": (
        written(
            '//- pyproject.toml\n[tool.pytest.ini_options]\npythonpath = ["lib"]\n//- lib/types.py\n//- lib/helpers/__init__.py\n'
        ),
        TESTED,
        [("src/shop/cart.py",)],
        [("lib/helpers/__init__.py",), ("src/shop/cart.py",)],
    ),
    "a dependency that a manifest names no longer": (
        removed("pyproject.toml"),
        CART_OUTSIDE,
        [("python:types",), ("requests",)],
        [("python:types",)],
    ),
    "a version": (
        written('//- pyproject.toml\n[project]\nname = "shop"\nversion = "2.0"\ndependencies = ["requests>=2"]\n'),
        MODULES,
        [(".", "shop", "1.0")],
        [(".", "shop", "2.0")],
    ),
    "a version in a source": (
        written('//- src/shop/__init__.py\n__version__ = "1.2"\n'),
        MODULES,
        [(".", "shop", "1.0")],
        [(".", "shop", "1.0")],
    ),
    "a module of its own": (
        written('//- src/tools/setup.py\nfrom setuptools import setup\nsetup(name="tools", install_requires=["click>=8"])\n'),
        DEPENDENCIES,
        [(".", "requests", ">=2")],
        [(".", "requests", ">=2"), ("src/tools", "click", ">=8")],
    ),
    "no module": (removed("pyproject.toml"), MODULES, [(".", "shop", "1.0")], []),
}


@pytest.mark.parametrize(("change", "query", "before", "after"), CHANGES.values(), ids=CHANGES)
def test_a_change_of_packages(
    tmp_path: Path, change: Callable[[Path], object], query: str, before: list[object], after: list[object]
) -> None:
    root = tmp_path / "project"
    write_indexed(root, SHOP)
    with Workspace.locate(root) as workspace:
        assert sorted(workspace.cypher(query).rows) == before
    change(root)
    with Workspace.locate(root) as workspace:
        report = workspace.index()
        assert report.rebuilt_because == ""
        assert sorted(workspace.cypher(query).rows) == after
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


def test_a_version_that_only_a_source_says(tmp_path: Path) -> None:
    root = tmp_path / "project"
    dynamic = (
        '[project]\nname = "shop"\ndynamic = ["version"]\n[tool.setuptools.dynamic]\nversion = {attr = "shop.__version__"}\n'
    )
    write(root, f"{SHOP}//- pyproject.toml\n{dynamic}")
    with Workspace.locate(root) as workspace:
        workspace.index()
        assert workspace.cypher(MODULES).rows == [(".", "shop", "1.1")]
    write(root, '//- src/shop/__init__.py\n__version__ = "1.2"\n')
    with Workspace.locate(root) as workspace:
        workspace.index()
        assert workspace.cypher(MODULES).rows == [(".", "shop", "1.2")]
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


def test_a_setup_script_is_a_source_and_a_manifest(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, "//- setup.py\nfrom setuptools import setup\nsetup(name='a')\n//- a.py\n")
    with Workspace.locate(root) as workspace:
        workspace.index()
        assert workspace.cypher(MODULES).rows == [(".", "a", "")]
    write(root, "//- setup.py\nfrom setuptools import setup\nsetup(name='b')\n")
    with Workspace.locate(root) as workspace:
        workspace.index()
        assert workspace.cypher(MODULES).rows == [(".", "b", "")]
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


def test_circles_are_told_apart_by_when_their_imports_run(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(
        root,
        """
//- a.py
import b
//- b.py
import a
//- c.py
from d import x
//- d.py
x = 1
def later():
    import c
//- e.py
import f
//- f.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from e import y
""",
    )
    with Workspace.locate(root) as workspace:
        workspace.index()
        text = workspace.map(detect_circular=True).text
    assert "circle: a.py > b.py > a.py" in text
    assert "circle (lazy): c.py > d.py > c.py" in text
    assert "circle (not while loading): e.py > f.py > e.py" in text
