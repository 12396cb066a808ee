"""What a change of packages and manifests of Python changes in the index: it equals one that is built at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from incremental_report.__main__ import check
from incremental_steps import check_changes, write_indexed
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
class Card: ...
//- src/tools/run.py
from shop.cart import total
from shop import cart
from loading import get_class

get_class("pay.card", "Card")()
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
LOADED = "MATCH (:Symbol)-[:CALLS]->(s:Symbol {name: 'Card'}) RETURN DISTINCT s.relativePath"
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
    "the end of the name of a module becomes ambiguous": (
        written("//- other/pay/card.py\nclass Card: ...\n"),
        LOADED,
        [("src/shop/pay/card.py",)],
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


@pytest.mark.sampled(5)
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


STARRED = """
//- till/__init__.py
from .desk import *
//- till/desk.py
from till import prices

def total():
    return prices.sum_up()
//- main.py
from till import prices

def run():
    prices.sum_up()
//- late.py
import stall

def sell():
    stall.shelf.give()
//- load.py
import stall.shelf
"""
STARRED_CALLS = "MATCH (f:Symbol)-[:CALLS]->(t:Symbol) RETURN f.name, t.name ORDER BY f.name"
#: The submodule and a package, another signature and another function, a class that hides the submodule, and the submodule again.
STARRED_CHANGES = (
    "//- till/prices.py\ndef sum_up(): ...\n//- stall/__init__.py\n//- stall/shelf.py\ndef take(): ...\n",
    "//- till/prices.py\ndef sum_up(all): ...\n\ndef other(): ...\n//- stall/shelf.py\ndef give(): ...\n",
    "//- till/desk.py\nclass prices:\n    @staticmethod\n    def sum_up(): ...\n\ndef total():\n    return prices.sum_up()\n",
    "//- till/desk.py\nfrom till import prices\n\ndef total():\n    return prices.sum_up()\n",
)


def test_submodules_that_no_import_names_reach_their_users(tmp_path: Path) -> None:
    found = [("run", "sum_up"), ("sell", "give"), ("total", "sum_up")]
    check_changes(tmp_path, STARRED, STARRED_CHANGES, {STARRED_CALLS: []}, {STARRED_CALLS: found})


DOTTED = """
//- shop/__init__.py
from shop.desk import Till

def till() -> Till: return Till()
//- shop/desk.py
class Till:
    def open(self): ...

class Box:
    def lift(self): ...
    def open(self): ...
//- shop/extra.py
//- run.py
import shop.extra

def start():
    return shop.till().open()
"""
IMPORTED = "MATCH (f:File {relativePath: 'run.py'})-[:IMPORTS]->(t:File) RETURN t.relativePath ORDER BY t.relativePath"


def test_a_dotted_import_leads_to_the_packages_before_its_last_name(tmp_path: Path) -> None:
    changed = DOTTED.partition("//- shop/desk.py")[0].replace("Till", "Box")
    imported = [("shop/__init__.py",), ("shop/extra.py",)]
    check_changes(tmp_path, DOTTED, [changed], {IMPORTED: imported}, {IMPORTED: imported})
