"""The blocks of a page form a program: what they use is found as the engines of their languages find it in a file."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.block_programs import free_names, program_of
from astrolabe.ingest.documents.data_keys import data_keys
from astrolabe.ingest.documents.sections import CodeBlock
from astrolabe.ingest.facts.document_facts import BlockFact
from astrolabe.ingest.resolution.block_programs import imported_modules
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

from tests.linear_time import is_linear, processor_seconds

WORKSPACE = """
//- pyproject.toml
[project]
name = "shop"
//- shop/__init__.py
from .cart import Cart, Order, open_cart
//- shop/cart.py
from contextlib import contextmanager

class Item:
    price: int
    def reserve(self): ...

class Order:
    def ship(self): ...

class Cart:
    items: list[Item]
    def with_gift(self): return self
    def checkout(self): return Order()
    def __enter__(self): return self
    def __exit__(self, *args): ...
    def on_change(self, handler): ...

class Basket:
    def checkout(self): ...

def open_cart(name): return Cart()
//- shop/vouchers.py
def gift_voucher(): ...
//- package.json
{"name": "kiosk", "type": "commonjs", "main": "lib/index.js"}
//- lib/index.js
const { Stall } = require("./stall")
module.exports = function kiosk(name) { return new Stall(name) }
//- lib/stall.js
class Stall {
  sell(goods) { return this }
  report() { return new Report() }
}
class Report {
  print() {}
}
module.exports = { Stall }
//- docs/python.md
# Carts
```python
import shop

cart = shop.open_cart("tea")
for item in cart.items:
    item.reserve()
```
Then with a gift:
```python
with cart.with_gift() as gifts:
    total = sum(each.price for each in gifts.items)
order = gifts.checkout()
order.ship()
```
//- docs/short.md
# Short
```python
shop.open_cart("tea").checkout().ship()
voucher = gift_voucher()
```
A broken block stays alone:
```python
cart = Cart(
```
//- docs/kiosk.md
# Kiosk
```js
const kiosk = require('kiosk')

const stall = kiosk('fruit')
  .sell('apple')
stall.report().print()
```
Another stall:
```js
const stall = kiosk('flowers')
stall.sell('rose').report()
```
//- tools/desk/reports.py
class Sheet:
    def total(self): ...

def monthly(): return Sheet()
//- docs/reports.md
# Reports
The folder `tools` is a package without a file of its own.
```python
import json, tools.desk.reports as reports

sheet = reports.monthly()
sheet.total()
```
```js
const { Stall } = await import("../lib/stall")
new Stall().sell("pear").report()
```
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("shop"), WORKSPACE)


def _found(content: GraphContent, path: str) -> set[str]:
    """Return the lines of a document with the names of the symbols that it uses there."""
    names = {symbol.id: symbol for symbol in content.symbols}
    return {
        f"{line} {names[edge.to_id].qualified_name}"
        for edge in content.mentions
        if names[edge.from_id].relative_path == path
        for line in edge.lines
    }


def test_a_later_block_knows_the_values_of_earlier_blocks(content: GraphContent) -> None:
    assert _found(content, "docs/python.md") == {
        "5 open_cart",
        "6 Cart.items",
        "7 Item.reserve",
        "11 Cart.with_gift",
        "12 Cart.items",
        "12 Item.price",
        "13 Cart.checkout",
        "14 Order.ship",
    }


def test_a_page_may_leave_imports_to_the_reader(content: GraphContent) -> None:
    assert {"3 open_cart", "3 Cart.checkout", "3 Order.ship", "4 gift_voucher"} <= _found(content, "docs/short.md")


def test_modules_without_a_manifest_and_imports_at_run_time_are_followed(content: GraphContent) -> None:
    found = {"6 monthly", "7 Sheet.total", "11 Stall", "11 Stall.sell", "11 Stall.report"}
    assert found <= _found(content, "docs/reports.md")


@pytest.mark.parametrize(
    ("text", "extension", "modules"),
    [
        ("import shop.cart as c, json\nfrom ..desk import a; import os", ".py", ["shop.cart", "json", "..desk", "os"]),
        ("from . import cart\nfor each in important: imports()", ".py", ["."]),
        ("import a from 'a'\nexport * from \"./b\"\nconst c = require( `c` )", ".ts", ["a", "./b", "c"]),
        ("import 'd'\nconst e = await import(\n  'e'\n)\nimport f = require('f')", ".ts", ["d", "e", "f"]),
    ],
)
def test_modules_that_a_block_imports(text: str, extension: str, modules: list[str]) -> None:
    assert list(imported_modules(text, extension)) == modules


def test_scripts_declare_a_name_again_in_a_later_block(content: GraphContent) -> None:
    assert _found(content, "docs/kiosk.md") == {
        "3 kiosk",
        "5 kiosk",
        "6 Stall.sell",
        "7 Stall.report",
        "7 Report.print",
        "11 kiosk",
        "12 Stall.sell",
        "12 Stall.report",
    }


def test_the_program_of_blocks_keeps_the_places_of_lines() -> None:
    blocks = [
        BlockFact(0, ".ts", 4, "  import { Cart } from 'shop'\n  const cart = new Cart()"),
        BlockFact(0, ".ts", 9, "cart.add()"),
    ]
    program = program_of(blocks, ".ts", ["import { Item } from 'shop'"], lambda _: True)
    lines = [line.strip() for line in program.text.split("\n")]
    assert dict(zip(lines, program.places, strict=True)) == {
        "import { Item } from 'shop'": (0, 0),
        "import { Cart } from 'shop'": (4, 2),
        "{": (0, 0),
        "": (4, 2),
        "const cart = new Cart()": (5, 2),
        "cart.add()": (9, 0),
        "}}": (0, 0),
    }


def test_names_that_blocks_bind_are_not_free() -> None:
    text = "from shop import Cart\ncart = Cart()\nfor each in cart.items:\n    each.pay()\nBasket()\nstore.open()"
    assert free_names([BlockFact(0, ".py", 1, text)], ".py") == {"Basket": True, "store": False}


@pytest.mark.parametrize("part", ["a", "a ", "import ", "const ", "a: ", "import {a} ", "key: ", "'"])
def test_odd_blocks_are_read_in_linear_time(part: str) -> None:
    def read(size: int) -> None:
        text = part * size
        free_names([BlockFact(0, ".ts", 1, text)], ".ts")
        program_of([BlockFact(0, ".ts", 1, text)], ".ts", (), lambda _: True)
        list(imported_modules(text, ".py")) + list(imported_modules(text, ".ts"))
        list(data_keys([CodeBlock(1, "yaml", text), CodeBlock(1, "yaml", f"{part}\n" * size)]))

    assert is_linear(lambda size: processor_seconds(lambda: read(size)), 2_000)
