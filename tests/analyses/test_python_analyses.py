"""Analyses of Python: headers as they are written, renamed imports, modules under other names, names beyond ASCII."""

from __future__ import annotations

import pytest
from astrolabe.server.api.workspace import Workspace, open_workspace
from written_workspace import write

SHOP = """
//- shop/__init__.py
from . import stock as goods
from .cart import (
    Cart as Basket,  # the public name
    total,
)
//- shop/cart.py
class Cart:
    size: int = 0

    async def add(self, name: str, count: int = 1) -> bool:
        return True

RATE = 3

def total(of: "Cart") -> int:
    return of.size
//- shop/stock.py
def left(): return 1
//- run.py
import shop.stock as s, shop
from shop.cart import Cart, total as sum_of
from shop import cart as kart
été = s.left() + sum_of(Cart()) + kart.RATE
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("shop")
    write(root, SHOP)
    return open_workspace(root)


def test_headers_are_shown_as_they_are_written(shop: Workspace) -> None:
    found = shop.symbol("total").signature().declarations[0]
    assert found.signature == 'def total(of: "Cart") -> int'
    assert ([each.name for each in found.parameters], found.type) == (["of"], "int")
    assert "method async def add(self, name: str, count: int = 1) -> bool" in shop.symbol("Cart").members().text
    assert shop.symbol("RATE").signature().signature == "RATE = 3"


def test_renamed_imports_are_other_names(shop: Workspace) -> None:
    cart = shop.symbol("shop/cart.py > Cart").aliases()
    assert {(each.name, each.path, each.chain) for each in cart.aliases} >= {
        ("Basket", "shop/__init__.py", ("Cart", "Basket")),
        ("kart.Cart", "run.py", ("Cart", "kart.Cart")),
    }
    assert "sum_of" in shop.symbol("shop/cart.py > total").aliases().names


def test_modules_are_known_under_other_names(shop: Workspace) -> None:
    def names(path: str) -> list[tuple[str, str]]:
        return [(each.name, each.path) for each in shop.file(path).aliases().aliases]

    assert names("shop/stock.py") == [("s", "run.py"), ("goods", "shop/__init__.py")]
    assert names("shop/cart.py") == [("kart", "run.py")]
    assert names("shop/__init__.py") == [("shop", "run.py")]


def test_names_that_are_not_looked_at_are_told(shop: Workspace) -> None:
    assert "names in python files are not looked at" in shop.unicode_identifiers().text
