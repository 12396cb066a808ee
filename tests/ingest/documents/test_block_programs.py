"""The blocks of a page form a program: what they use is found as the engines of their languages find it in a file."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.blocks.programs import ENGINES, Implied, is_namespace, plugins_in, program_of, required_modules
from astrolabe.ingest.documents.blocks.repairs import repaired
from astrolabe.ingest.documents.blocks.used_names import expressions_in, fixtures_of, free_names, keywords_of
from astrolabe.ingest.documents.data_keys import data_keys
from astrolabe.ingest.documents.sections import CodeBlock
from astrolabe.ingest.facts.document_facts import BlockFact, MentionFact
from astrolabe.ingest.languages.registry import language
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
//- shop/settings.py
from dataclasses import dataclass

@dataclass
class BaseSettings:
    currency: str = "EUR"

@dataclass
class Settings(BaseSettings):
    limit: int = 3

class Till:
    limit: int
    def __init__(self, limit): ...

class Report:
    page_size = 20
    def rows(self): ...
//- shop/plugin.py
import pytest

@pytest.fixture
def open_shop(): ...

def shop_helper(): ...
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
//- packages/oven/package.json
{"name": "oven", "main": "index.ts"}
//- packages/oven/index.ts
export interface HeatOptions {
  degrees?: number
  fan?: { level?: number, quiet?: boolean }
}
export interface OvenPlugin {
  name: string
  start?(options: HeatOptions): void
}
export class Bread {
  weight = 1
}
export default class Oven {
  constructor(options?: HeatOptions) {}
  bake(options: HeatOptions) { return new Bread() }
}
export const cold = 4
export function ovenPlugin(app: unknown, options: HeatOptions) {}
//- docs/oven.md
# Oven
```js
const Oven = require("oven")
const oven = new Oven({
  degrees: 200,
  // fan: {
  //   level: 2,
  // },
})
console.log(oven.bake({ degrees: 180, ... }).weight)
```
A plugin:
```ts
const plugin: OvenPlugin = {
  name: "timer",
  start: ({ degrees }) => ...
}
```
One paragraph with an error:
```js
oven.bake(

oven.bake({ fan: { quiet: true } })
```
//- docs/text.md
# Text
Text before the block: `bread.weight`.
```ts
import Oven from "oven"
const bread = new Oven().bake({})
```
Then `bread.weight` counts, but `loaf.weight` is of another, and `new Oven()` is no member.
```ts
import Oven from "oven"
const other = new Oven()
```
```python
import shop
cart = shop.open_cart("tea")
```
A `cart.with_gift(True).checkout()` has no gift, and `cart.checkout("now")` has one.
//- docs/cold.md
# Cold
```js
const oven = require("oven")
console.log(oven.cold)
```
//- docs/page.md
# Page
```vue
<template>
  <p>Rye</p>
</template>
<script>
import Oven from "oven"
new Oven().bake({})
</script>
```
//- docs/tests.md
# Tests
```python
from shop.settings import Settings, Till, Report

def test_total(open_shop, shop_helper):
    settings = Settings(currency="EUR (€)", limit=max(limit=1))
    open_shop.close(open_shop=1)
    Till(limit=4)

class Monthly(Report):
    page_size: int = 50
    title = "Month"
    def rows(self): ...
```
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
//- docs/plugin.md
# Plugin
```js
import { ovenPlugin } from "oven"
app.register(ovenPlugin, { degrees: 90, fan: {
  quiet: true } })
```
//- docs/guide/yearly.md
# Years
A report has `page_size = 30`, and the word `limit = 3`.
```python
from shop.settings import Report

class Yearly(Report):
    page_size = 400
```
//- docs/guide/rows.md
# Rows
```python
Yearly().rows()
INSTALLED = ["shop.settings.Till", "shop.plugin:shop_helper", "shop.settings", "shop.other.Gone", "other.settings.Till"]
```
//- packages/scale/package.json
{"name": "scale", "main": "./lib/scale.js", "types": "./typings/scale.d.ts"}
//- packages/scale/lib/scale.js
class Scale {
  static open(name) { return new this() }
  weigh(goods) {}
}
module.exports = { Scale }
//- packages/scale/typings/scale.d.ts
export namespace Shop {
  interface Reading { grams: number }
  class Scale {
    static open<T extends typeof Scale>(this: T, name: string): InstanceType<T>
    weigh(goods: string): Reading
  }
}
export import Scale = Shop.Scale
//- docs/scales/grocer.md
# Grocer
```js
const { Scale } = require("scale")
class Grocer extends Scale {}
```
//- docs/scales/weigh.md
# Weigh
```js
new Grocer().weigh("pears").grams
Butcher.open("north")
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


def test_blocks_of_scripts_use_the_members_of_expected_types(content: GraphContent) -> None:
    assert _found(content, "docs/oven.md") == {
        "3 Oven",
        "4 Oven",
        "5 HeatOptions.degrees",
        "6 HeatOptions.fan",
        "7 HeatOptions.fan.level",
        "10 Oven.bake",
        "10 HeatOptions.degrees",
        "10 Bread.weight",
        "14 OvenPlugin",
        "15 OvenPlugin.name",
        "16 OvenPlugin.start",
        "16 HeatOptions.degrees",
        "23 Oven.bake",
        "23 HeatOptions.fan",
        "23 HeatOptions.fan.quiet",
    }


def test_members_of_values_in_the_text_are_resolved_after_the_blocks(content: GraphContent) -> None:
    assert _found(content, "docs/text.md") == {
        "2 Bread.weight",
        "4 Oven",
        "5 Oven",
        "5 Oven.bake",
        "7 Bread.weight",
        "7 Oven",
        "9 Oven",
        "10 Oven",
        "14 open_cart",
        "16 Cart.with_gift",
        "16 Cart.checkout",
    }


def test_a_class_that_another_page_derives_has_the_members_of_its_base(content: GraphContent) -> None:
    assert {"2 Report.page_size", "7 Report.page_size"} <= _found(content, "docs/guide/yearly.md")
    assert _found(content, "docs/guide/rows.md") == {"3 Report.rows", "4 Till", "4 shop_helper"}
    assert _found(content, "docs/scales/weigh.md") == {"3 Scale.weigh", "3 Shop.Reading.grams"}


def test_a_plugin_takes_the_options_that_the_code_passes_on_with_it(content: GraphContent) -> None:
    assert _found(content, "docs/plugin.md") == {
        "3 ovenPlugin",
        "4 ovenPlugin",
        "4 HeatOptions.degrees",
        "4 HeatOptions.fan",
        "5 HeatOptions.fan.quiet",
    }


def test_a_required_module_whose_exports_are_used_is_no_default_export(content: GraphContent) -> None:
    assert _found(content, "docs/cold.md") == {"4 cold"}


def test_a_component_in_a_block_has_its_scripts(content: GraphContent) -> None:
    assert _found(content, "docs/page.md") == {"7 Oven", "8 Oven", "8 Oven.bake"}


def test_blocks_of_python_name_fixtures_fields_and_overridden_values(content: GraphContent) -> None:
    assert _found(content, "docs/tests.md") == {
        "3 Settings",
        "3 Till",
        "3 Report",
        "5 open_shop",
        "6 Settings",
        "6 BaseSettings.currency",
        "6 Settings.limit",
        "7 open_shop",
        "8 Till",
        "10 Report",
        "11 Report.page_size",
        "13 Report.rows",
    }


@pytest.mark.parametrize(
    ("text", "extension", "expected"),
    [
        ("f(a, ...)", ".ts", "f(a,    )"),
        ("f({\n  // size: 3,\n  b: 1 })", ".ts", "f({\n     size: 3,\n  b: 1 })"),
        ("f({\n  // size: 3,\n  b 1 })", ".ts", ""),
        ("f(\n  # size=3,\n  b=1)", ".py", "f(\n    size=3,\n  b=1)"),
        ("f(..., <some-type>)", ".py", "f(..., _some_type_)"),
        ("f(\n\ng()", ".py", "  \n\ng()"),
        ("f(", ".py", ""),
    ],
)
def test_blocks_are_repaired_in_place(text: str, extension: str, expected: str) -> None:
    parse = language(ENGINES[extension]).parse
    assert parse is not None
    assert repaired(text, extension, lambda each: parse(each.encode(), ENGINES[extension]).is_valid) == expected


def test_the_program_of_blocks_keeps_the_places_of_lines() -> None:
    blocks = [
        BlockFact(0, ".ts", 4, "  import { Cart } from 'shop'\n  const cart = new Cart()"),
        BlockFact(0, ".ts", 9, "cart.add()"),
    ]
    program = program_of(blocks, ".ts", Implied(["import { Item } from 'shop'"]), lambda _: True)
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


@pytest.mark.parametrize(
    "part",
    [
        *(
            "a",
            "a ",
            "import ",
            "const ",
            "a: ",
            "import {a} ",
            "key: ",
            "'",
            "...",
            "<a",
            "\n\n",
            "<script>",
            " // a: ",
            "\n# a=",
            "a,",
        ),
        *("const a = require('a')\n", "const a = require( ", "a( ", " a :"),
    ],
)
def test_odd_blocks_are_read_in_linear_time(part: str) -> None:
    def read(size: int) -> None:
        text = part * size
        free_names([BlockFact(0, ".ts", 1, text)], ".ts")
        list(imported_modules(text, ".py")) + list(imported_modules(text, ".ts"))
        blocks = [BlockFact(0, ".ts", 1, text), BlockFact(0, ".py", 1, text)]
        program_of(blocks, ".ts", Implied(), lambda _: True)
        required_modules(blocks, ".ts")
        list(expressions_in([MentionFact(0, "code", text, 1, 1)], blocks, ".ts"))
        is_namespace("a", (), blocks, ".ts")
        for extension in (".ts", ".py"):
            repaired(text, extension, lambda _: False)
            list(fixtures_of(BlockFact(0, extension, 1, f"def test({text})\n{text}")))
        list(keywords_of([f"a({text}"], 1, 1))
        list(
            data_keys(
                [
                    CodeBlock(1, "yaml", text),
                    CodeBlock(1, "yaml", f"{part}\n" * size),
                    CodeBlock(1, "ts", f"{{\n  a: {part * size}\n"),
                ]
            )
        )

    assert is_linear(lambda size: processor_seconds(lambda: read(size)), 2_000)


@pytest.mark.parametrize("part", [".use(a, {", ".use(a, {}", ".use(a, {\n}", ".use( ", "a.use(a.b"])
def test_plugins_are_read_in_linear_time(part: str) -> None:
    assert is_linear(lambda size: processor_seconds(lambda: list(plugins_in(part * size))), 2_000)
