"""What a change of declarations beside a source changes: the index equals one that is built at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from incremental_steps import check_files

SHOP = """
//- items.py
class Book:
    def read(self): ...

class Film:
    def watch(self): ...
    def read(self): ...
//- cart.py
def first(number): return unknown(number)

class Cart:
    item = unknown()
    def last(self): return unknown()

current = unknown()
//- cart.pyi
from items import Book
def first(number: int) -> Book: ...
class Cart:
    item: Book
    def last(self) -> Book: ...
current: Cart
//- through.py
from cart import Cart

def made(): return Cart()
//- app.py
from cart import current, first
from through import made

first(1).read()
current.item.read()
made().last().read()
"""
FILMS = """from items import Film
def first(number: int) -> Film: ...
class Cart:
    item: Film
    def last(self) -> Film: ...
current: Cart
"""


@pytest.mark.parametrize(
    "changes",
    [
        {"cart.pyi": FILMS},
        {"cart.pyi": None},
        {"cart.pyi": None, "cart-stubs/__init__.pyi": FILMS},
        {"cart.py": "def first(number): ...\n"},
        {"cart.py": None},
    ],
)
def test_index_follows_declarations(tmp_path: Path, changes: dict[str, str | None]) -> None:
    check_files(tmp_path, SHOP, "Book", changes)
