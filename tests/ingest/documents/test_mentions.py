"""The edges of documents: what they name is found, and what is ambiguous or absent stays apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

WORKSPACE = """
//- src/shop/cart.py
class Cart:
    def add_item(self, name): ...
    def total(self): ...

class Basket:
    def total(self): ...

def load_cart(path): ...
//- src/shop/__init__.py
from .cart import Cart
//- tests/test_cart.py
def load_cart(path): ...
//- docs/guide.md
# Guide

## `Cart`

Use `Cart.add_item("tea")`, `load_cart()` and `total()`; `Cart.remove()` is gone, `true` is a word.
See `src/shop/cart.py`, `shop/cart.py`, [line](../src/shop/cart.py#L3), [top](#guide), [api](api.md#the-end).

```python
from shop import Cart
from shop.cart import load_cart
```
//- docs/api.md
# API
[lost](nowhere.md) [web](https://example.org/a.md) [no anchor](guide.md#missing) `obj.method()` `total()`
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("shop"), WORKSPACE)


def _named(content: GraphContent, section: str) -> set[tuple[str, str, str]]:
    names = {symbol.id: symbol for symbol in content.symbols}
    found = {
        (f"{names[edge.to_id].relative_path}#{names[edge.to_id].qualified_name}", edge.kind, edge.evidence)
        for edge in content.mentions
        if names[edge.from_id].name == section
    }
    files = {(edge.to_id, edge.kind, edge.evidence) for edge in content.file_mentions if names[edge.from_id].name == section}
    return found | files


def test_a_section_names_symbols_and_files(content: GraphContent) -> None:
    assert _named(content, "Cart") == {
        ("src/shop/cart.py#Cart", "documents", "name"),
        ("src/shop/cart.py#Cart.add_item", "mentions", "qualified"),
        ("src/shop/cart.py#Cart", "mentions", "qualified"),
        ("src/shop/cart.py#load_cart", "mentions", "name"),
        ("src/shop/cart.py#Cart.total", "mentions", "link"),
        ("src/shop/cart.py#Cart.total", "mentions", "name"),
        ("src/shop/cart.py", "mentions", "path"),
        ("docs/guide.md#Guide", "mentions", "link"),
        ("docs/api.md", "mentions", "link"),
        ("src/shop/__init__.py", "mentions", "import"),
        ("src/shop/cart.py", "mentions", "import"),
        ("src/shop/cart.py#Cart", "mentions", "import"),
        ("src/shop/cart.py#load_cart", "mentions", "import"),
    }


def test_what_is_ambiguous_or_absent_stays_apart(content: GraphContent) -> None:
    assert {(edge.to_id, edge.evidence, edge.reason) for edge in content.unresolved_mentions} == {
        ("total", "name", "ambiguous"),
        ("Cart.remove", "qualified", "member"),
        ("api.md#the-end", "link", "anchor"),
        ("nowhere.md", "link", "file"),
        ("guide.md#missing", "link", "anchor"),
    }


def test_an_ambiguous_name_keeps_its_candidates(content: GraphContent) -> None:
    names = {symbol.id: symbol.qualified_name for symbol in content.symbols}
    found = {edge.to_id: sorted(names[each] for each in edge.candidates) for edge in content.unresolved_mentions}
    assert found.pop("total") == ["Basket.total", "Cart.total"]
    assert not any(found.values())


def test_a_table_is_meant_and_not_the_statements_that_alter_it(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- migrations/001_users.sql
CREATE TABLE users (id integer);
//- migrations/002_email.sql
ALTER TABLE users ADD COLUMN email text;
//- docs/data.md
# Data
Everybody is in `users`.
""",
    )
    assert _named(content, "Data") == {("migrations/001_users.sql#users", "mentions", "name")}


def test_words_files_and_lines_that_may_mean_something_else_are_no_names(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- package.json
{"name": "shop", "repository": "https://github.com/acme/shop"}
//- README.md
# Shop
//- src/cart.go
package cart

type Cart struct {
	max_age int
	MaxItems int
}

func main() {}
//- docs/guide.md
# Branches
Rebase on `main`, send `max_age`, keep `MaxItems`. Change your `README.md` and `src/cart.go`.
# Places
[old](https://github.com/acme/shop/blob/0123abc/src/cart.go#L4) [new](https://github.com/acme/shop/blob/main/src/cart.go#L4)
""",
    )
    assert _named(content, "Branches") == {
        ("src/cart.go#Cart.MaxItems", "mentions", "name"),
        ("src/cart.go", "mentions", "path"),
    }
    assert _named(content, "Places") == {
        ("src/cart.go", "mentions", "link"),
        ("src/cart.go#Cart.max_age", "mentions", "link"),
    }


def test_a_document_supports_the_meaning_of_a_plain_word(tmp_path: Path) -> None:
    """It calls or imports the name, has it in a title, is in the folder of the declaration, or writes a value before a member."""
    content = analysed(
        tmp_path,
        """
//- package.json
{"name": "shapes"}
//- src/index.ts
export { max, mask, pick, skip } from "./checks"
//- src/checks.ts
export function max() {}
export function mask() {}
export function pick() {}
export function skip() {}
export class Shape {
  mask() {}
  retryLimit = 1
  missing = 2
}
export interface AppLogger { flush(): void; level: string }
export interface Options { censor: string; level: string }
//- examples/basic/run.ts
export function add() {}
//- examples/basic/README.md
# Basic
Run `add`, not `skip`.
//- docs/checks.md
# Checks
### `max`
`max` checks a number; `skip` is a plain word here.
### Masks
Calls of `mask(value)` are like `pick`.

```ts
import { pick } from "shapes"
```
### Loggers
`logger.flush()` writes, `process.flush()` does not, and `logger.level` is text.
### `censor` (string)
It is a text.
### Shape of answers
The `retryLimit` counts, `missing` does not.
""",
    )
    assert _named(content, "max") == {("src/checks.ts#max", "documents", "name"), ("src/checks.ts#max", "mentions", "name")}
    assert {target for target, _, evidence in _named(content, "Masks") if evidence == "name"} == {
        "src/checks.ts#mask",
        "src/checks.ts#pick",
    }
    assert _named(content, "Loggers") == {
        ("src/checks.ts#AppLogger.flush", "mentions", "qualified"),
        ("src/checks.ts#AppLogger.level", "mentions", "qualified"),
    }
    assert _named(content, "censor (string)") == {("src/checks.ts#Options.censor", "documents", "name")}
    assert _named(content, "Shape of answers") == {("src/checks.ts#Shape.retryLimit", "mentions", "name")}
    assert _named(content, "Basic") == {("examples/basic/run.ts#add", "mentions", "name")}


def test_a_link_may_name_an_object_and_a_number_stands_for_any(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- src/frames/api.py
def frozen(cls): ...
//- docs/names.md
# Names
See [frozen](frames.frozen), [old](frames.thawed) and `changelog.d/42.change.md`.
""",
    )
    assert _named(content, "Names") == {("src/frames/api.py#frozen", "mentions", "link")}
    assert [(each.to_id, each.reason) for each in content.unresolved_mentions] == [("frames.thawed", "file")]


def test_the_content_of_admonitions_and_tabs_is_read(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- shop.py
def load_cart(): ...
def save_cart(): ...
def print_cart(): ...
//- docs/guide.md
# Guide

!!! note "Look"

    # Not a section
    Call `load_cart()`.

    === "Python"

        ```python
        from shop import save_cart
        ```

=== "Shell"
    ``` sh
\tprint
    ```

Text, and `print_cart()`.

```text
!!! note
```

    `load_cart()`

## More
""",
    )
    assert _named(content, "Guide") == {
        ("shop.py#load_cart", "mentions", "name"),
        ("shop.py#print_cart", "mentions", "name"),
        ("shop.py", "mentions", "import"),
        ("shop.py#save_cart", "mentions", "import"),
    }
    [edge] = [each for each in content.mentions if each.evidence == "name" and 6 in each.lines]
    assert edge.lines == (6, 25)  # the second one is in a block without a language
    assert edge.columns[0] == 11
    assert [symbol.name for symbol in content.symbols if symbol.kind == "section"] == ["Guide", "More"]


def test_a_block_of_code_that_an_admonition_leaves_open_hides_no_headings(tmp_path: Path) -> None:
    content = analysed(tmp_path, "//- a.md\n# One\n\n!!! note\n\n    ```sh\n    ls\n\n## Two\n")
    assert [symbol.name for symbol in content.symbols if symbol.kind == "section"] == ["One", "Two"]


def test_titles_choose_among_members_of_several_types(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- src/options.ts
export interface ServerOptions { idleTimeout: number; redact: string[]; bindings: object }
export interface RouteOptions { idleTimeout: number }
export interface Server { settings: { idleTimeout: number }; register(plugin: object): void }
export interface ChildServerOptions { redact: string[] }
//- src/cart.js
exports.Cart = class Cart {}
//- src/shop.js
const { Cart } = require('./cart')
exports.open = () => new Cart()
//- docs/Routes.md
# Shop
## Routes
Routes have `idleTimeout`. Plugins come with `server.register(plugin)`, and `register` waits. A `Cart` is kept.
//- docs/server.md
# Shop
## Options
### `idleTimeout`
Seconds.
### `redact` (list)
Names in logs.
### `start(bindings)`
The `bindings` are kept.
//- docs/other.md
# Shop
Both have `idleTimeout`, and `register` is a word.
""",
    )
    names = {symbol.id: symbol for symbol in content.symbols}
    found = {
        (names[edge.from_id].relative_path, names[edge.to_id].qualified_name)
        for edge in content.mentions
        if names[edge.from_id].relative_path.startswith("docs/") and edge.evidence == "name"
    }
    assert found == {
        ("docs/Routes.md", "RouteOptions.idleTimeout"),
        ("docs/Routes.md", "Server.register"),
        ("docs/Routes.md", "Cart"),
        ("docs/server.md", "ServerOptions.idleTimeout"),
        ("docs/server.md", "ServerOptions.redact"),
    }


def test_titles_without_markup_are_names_of_code(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- src/shop.d.ts
type ShopMethods = { addCart(cart: object, count?: number): ShopMethods; }
export interface BaseOptions { maxItemCount?: number; allowEmptyCarts?: boolean; }
export interface Basket { itemLimit?: number; }
export interface StrictOptions { allowEmptyCarts?: never; }
export class Node { value: number }
//- docs/api.md
# Reference
### shop.addCart(cart: object, count?: (x) => number): ShopMethods
Adds a cart, with the `maxItemCount` of the shop and its `itemLimit`.
### allowEmptyCarts
Or not.
### Node.js
""",
    )
    names = {symbol.id: symbol for symbol in content.symbols}
    found = {
        (names[edge.from_id].name, names[edge.to_id].qualified_name, edge.kind)
        for edge in content.mentions
        if names[edge.from_id].relative_path == "docs/api.md"
    }
    signature = "shop.addCart(cart: object, count?: (x) => number): ShopMethods"
    assert found == {
        (signature, "ShopMethods.addCart", "documents"),
        (signature, "BaseOptions.maxItemCount", "mentions"),
        ("allowEmptyCarts", "BaseOptions.allowEmptyCarts", "documents"),
    }
    assert not content.unresolved_mentions


def test_the_package_of_go_and_calls_behind_a_dot_are_read(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- go.mod
module example.org/shops
//- shop.go
package shop

func Open() {}
//- cart.go
package shop

type Cart struct{}

func (c *Cart) AddItem() {}
func NewCart() *Cart { return nil }
//- README.md
# Shops
Call `shop.NewCart()`, then `.AddItem()`, and not `till.NewCart()` or `.hidden`.
""",
    )
    assert _named(content, "Shops") == {
        ("cart.go#NewCart", "mentions", "qualified"),
        ("cart.go#Cart.AddItem", "mentions", "name"),
    }


def test_what_only_has_the_name_of_a_type_is_not_the_type(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- shop/Cargo.toml
[package]
name = "shop"
//- shop/src/cart/basket.rs
pub struct Basket<S = ()> { items: S }
impl<S> Basket<S> { pub fn weigh_all(&self) {} }
pub fn pack_all() {}
//- shop/src/shelf.rs
pub enum Place { Basket, Shelf }
impl Clone for Basket {}
//- TillDrawer.cs
public partial class TillDrawer { public TillDrawer(int size) {} }
//- TillDrawer.Coins.cs
public partial class TillDrawer { public void Count() {} }
//- crates.py
class CrateBox: ...
//- crate_types.py
from typing import TypeVar
CrateBox = TypeVar("CrateBox", bound="crates.CrateBox")
//- README.md
# Shop
Use `Basket<()>`, `shop::cart::pack_all` and `other::cart::pack_all`, `TillDrawer` and `CrateBox`.
""",
    )
    assert _named(content, "Shop") == {
        ("TillDrawer.cs#TillDrawer", "mentions", "name"),
        ("crates.py#CrateBox", "mentions", "name"),
        ("shop/src/cart/basket.rs#Basket", "mentions", "name"),
        ("shop/src/cart/basket.rs#pack_all", "mentions", "qualified"),
    }


def test_a_word_beside_a_name_says_what_the_name_denotes(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- funcs.go
package shop

type cart struct { plugin string }
type Weight struct{}

func plugin(name string) {}
func render() {}
//- benchmarks/sums.go
package benchmarks

func SumAllWeights() {}
//- docs/plugins.md
# Plugins
`SumAllWeights` is in other code.
Arguments of the `plugin` function. The `plugin` directory is optional, and so is the `Weight` property.
# Themes
Pass your `render` function, or a `plugin` function. The class `plugin` does not exist.
""",
    )
    assert _named(content, "Plugins") == {("funcs.go#plugin", "mentions", "name")}
    assert _named(content, "Themes") == set()


def test_the_title_or_the_file_chooses_among_equal_names(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- shop/asgi/app.py
class ShopApp:
    pass
//- shop/wsgi.py
class ShopApp:
    pass
//- shop/handlers.py
class CartHandlerBase:
    def take_cart(self): ...

class CartHandler(CartHandlerBase):
    def take_cart(self): ...
//- docs/asgi-reference.md
# Reference
`ShopApp` serves.
## CartHandler
Its `take_cart` returns.
//- docs/guide.md
# Guide
`ShopApp` serves.
//- routers/Cargo.toml
[package]
name = "routers"
//- routers/src/router.rs
pub struct Router;
impl Router { pub fn fallback(&self) {} }
//- routers/src/method_router.rs
pub struct MethodRouter;
impl MethodRouter { pub fn fallback(&self) {} }
//- routers/docs/method_routing/fallback.md
Sets the handler.

# When to use
Use `fallback` last.
//- plugin-gradle/src/main/java/shop/ShelfSettings.java
package shop;
public class ShelfSettings {
    public int shelfLimit(String room) { return 1; }
}
//- meta/src/lib.rs
pub enum BuildPlace { Local, RemoteHost }
pub struct MetaSummary { pub shelf_folder: String, pub own_folder: String }
//- runner/src/lib.rs
pub enum PlaceOption { Local, RemoteHost, Any }
pub struct RunSummary { pub shelf_folder: String }
//- docs/changes.md
# Changes
A new `own_folder` on `MetaSummary` is the `shelf_folder` without links.
The places of `BuildPlace` are `Local` and `RemoteHost`.
# Open
The `shelf_folder` of both.
//- plugin-maven/README.md
# Goals
Set `shelfLimit`.
//- docs/shelves/gradle.md
# Tasks
Set `shelfLimit`.
//- docs/shelves.md
# Shelves
Each room has a `shelfLimit`.
""",
    )
    assert {name for name, _, _ in _named(content, "Changes")} == {
        *(f"meta/src/lib.rs#MetaSummary{each}" for each in ("", ".own_folder", ".shelf_folder")),
        *(f"meta/src/lib.rs#BuildPlace{each}" for each in ("", ".Local", ".RemoteHost")),
    }
    assert _named(content, "Open") == set()
    limit = {("plugin-gradle/src/main/java/shop/ShelfSettings.java#ShelfSettings.shelfLimit", "mentions", "name")}
    assert [_named(content, title) for title in ("Goals", "Tasks", "Shelves")] == [set(), limit, limit]
    assert _named(content, "Reference") == {("shop/asgi/app.py#ShopApp", "mentions", "name")}
    assert _named(content, "CartHandler") == {
        ("shop/handlers.py#CartHandler", "documents", "name"),
        ("shop/handlers.py#CartHandler.take_cart", "mentions", "name"),
    }
    assert _named(content, "Guide") == set()
    assert _named(content, "When to use") == {("routers/src/method_router.rs#MethodRouter.fallback", "mentions", "name")}


def test_the_content_of_directives_is_read(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- cart.py
def load_cart(path): ...
//- guide.md
# Guide

.. column::

    Call `load_cart` first.

.. code-block::

Text.
""",
    )
    assert _named(content, "Guide") == {("cart.py#load_cart", "mentions", "name")}


def test_modules_and_names_of_packages_are_found(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- shop/__init__.py
//- shop/cart.py
class Cart: ...
//- shop/old/__init__.py
//- shop/old/cart.py
class Cart: ...
//- docs/shop.old.cart.rst
Old carts - ``shop.old.cart``
=============================

Like :class:`~shop.Cart`, and not like ``other.cart``.

Members
=======
.. automodule:: shop.cart

`.Coupon.redeem` and `~shop.coupons.Coupon`.
//- shop/coupons.py
class Coupon:
    def redeem(self): ...
""",
    )
    names = {symbol.id: f"{symbol.relative_path}#{symbol.qualified_name}" for symbol in content.symbols}
    assert sorted(names[edge.to_id] for edge in content.mentions) == [
        "shop/cart.py#Cart",
        "shop/coupons.py#Coupon",
        "shop/coupons.py#Coupon.redeem",
    ]
    assert [edge.to_id for edge in content.file_mentions] == ["shop/old/cart.py", "shop/cart.py"]


def test_words_of_sentences_and_names_in_expressions_are_found(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- shop/cart.py
class CartService:
    def add_item(self, name): ...
class CartError(Exception): ...
class JavaScript: ...
def load_cart(path): ...
def close_all(): ...
def render(page): ...
NoneType = type(None)
//- shop/tools.py
def cart_path(): ...
//- tests/helpers.py
def load_cart(path): ...
//- docs/guide.md
---
title: load_cart
---
# Guide

## Words
The CartService reads what load_cart() returned, see cart_path (in tools.py), not JavaScript or a NoneType, see render(s).

## Expressions
Write `raise CartError("x")` or `close_all(load_cart(path))`.

## Other places
See https://example.org/load_cart and [this](https://example.org/CartService), <CartService>, cart_path/x, my-load_cart.

## Members
```python
service.add_item("tea")
```
""",
    )
    assert _named(content, "Words") == {
        ("shop/cart.py#CartService", "mentions", "name"),
        ("shop/cart.py#load_cart", "mentions", "name"),
        ("shop/tools.py#cart_path", "mentions", "name"),
    }
    assert _named(content, "Expressions") == {
        ("shop/cart.py#CartError", "mentions", "name"),
        ("shop/cart.py#close_all", "mentions", "name"),
        ("shop/cart.py#load_cart", "mentions", "name"),
    }
    assert _named(content, "Other places") == set()
    assert _named(content, "Members") == {("shop/cart.py#CartService.add_item", "mentions", "call")}
    assert content.unresolved_mentions == []


def test_blocks_name_what_only_their_language_has(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- lib/relation.rb
class CartRelation
  def with_total(name); end
  def to_json; end
end
class CartError < StandardError; end
//- web/client.ts
export class CartClient { loadItems() {} }
//- README.md
# Shop
```ruby
carts.where(open: true).with_total(:sum).to_json
raise CartError
CartClient.new
client.loadItems()
```
""",
    )
    assert _named(content, "Shop") == {
        ("lib/relation.rb#CartRelation.with_total", "mentions", "call"),
        ("lib/relation.rb#CartError", "mentions", "name"),
    }


def test_the_target_of_a_role_of_myst_is_meant(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- shop/cart.py
class Cart:
    def total(self): ...
class Basket:
    def total(self): ...
//- guide.md
# Guide
Call {meth}`total <shop.cart.Cart.total>` and {py:class}`~shop.cart.Basket`.
""",
    )
    assert _named(content, "Guide") == {
        ("shop/cart.py#Cart", "mentions", "qualified"),
        ("shop/cart.py#Cart.total", "mentions", "qualified"),
        ("shop/cart.py#Basket", "mentions", "qualified"),
    }


def test_a_file_that_an_interpreter_runs_is_meant(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- tools/make_cart.sh
echo "$1"
//- README.md
# Tools
```bash
sudo bash tools/make_cart.sh --all
```
""",
    )
    assert _named(content, "Tools") == {("tools/make_cart.sh", "mentions", "command")}


def test_a_short_form_of_a_type_is_its_beginning_or_has_no_vowels(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- shop/cart.py
class Command:
    def run(self): ...
class Connection:
    def reset(self): ...
class Cart:
    def empty(self): ...
//- guide.md
# Guide
Call `cmd.run()` and `conn.reset()`, but `cat.empty()` feeds a cat.
""",
    )
    assert _named(content, "Guide") == {
        ("shop/cart.py#Command.run", "mentions", "qualified"),
        ("shop/cart.py#Connection.reset", "mentions", "qualified"),
    }


def test_a_column_is_the_one_of_a_schema_or_the_property_of_a_model(tmp_path: Path) -> None:
    content = analysed(
        tmp_path,
        """
//- schema.sql
CREATE TABLE shop_orders (id int, delivery_date date);
//- shop/pages.py
class Pager:
    def page_size(self): ...
class Stock:
    shelf_number = 1
//- guide.md
# Guide
The `delivery_date` column may be empty, and the `shelf_number` column is a number. The `page_size` column is in no table.
""",
    )
    assert _named(content, "Guide") == {
        ("schema.sql#shop_orders.delivery_date", "mentions", "name"),
        ("shop/pages.py#Stock.shelf_number", "mentions", "name"),
    }


PATHS = """
//- deno.json
{"name": "@acme/shop", "exports": "./mod.ts"}
//- mod.ts
export { Shop } from "./shop.ts";
export { Request } from "./request.ts";
//- request.ts
export class Request { readonly body: string }
//- shop.ts
import { Cart } from "./cart.ts";
export interface ShopOptions { port: number; keys: string[] }
export class Shop {
  constructor(options: ShopOptions) {}
  open(name: string): Cart { return new Cart(); }
}
//- cart.ts
import { Item } from "./item.ts";
export class Cart {
  first: Item;
  use(): this { return this; }
  get open(): boolean { return true; }
  get isEmpty(): boolean { return false; }
}
//- item.ts
export class Item { sell() {} }
//- other.ts
export class Stock { use() {} sell() {} first() {} open() {} }
//- examples/tea/demo.ts
export class TeaTable {}
export function pourTea() {}
//- examples/tea/README.md
# Tea
`TeaTable` is in `demo.ts`.
//- docs/usage.md
# Usage
```ts
import { Shop } from "https://deno.land/x/shop@v2/mod.ts";
const shop = new Shop({ port: 80, keys: [] });
const cart = shop.open("tea");
cart.use().first.sell();
```
//- docs/members.md
# Members of `Cart`
`.isEmpty` tells it, and `.ts` is an ending.
//- docs/foreign.md
# Foreign
A Fetch API `Request` is not the [`Request`](https://developer.mozilla.org/docs/Web/API/Request) of the DOM.
The functions accept `isEmpty` and `sell` arguments.
//- docs/own.md
# Own
The shop has its own `Request`, and `TeaTable` is of an example.
//- main.ts
const shop = create();
export default shop;
export * from "./shop.ts";
//- docs/option.md
# Option
With the `port` option, any port is used.
```ts
import shop from "https://deno.land/x/shop/main.ts";
shop(1);
```
//- fault.ts
export interface Failure { isBusy: boolean; busyTime: number; exitNumber: number }
export interface Reply { isBusy: boolean }
export interface PourOptions { pourSpeed: number }
//- docs/faults.md
# Faults
`error.isBusy`, `error.busyTime` and `error.exitNumber` say why. A `problem.isBusy` says nothing, and `pourSpeed` is set.
//- brew.py
class Brewer(Tea):
    def __init__(self, water_limit=3, *, warm=True): ...
def steep(cart, steep_time: int = 3, lid=None): ...
def strain(cart, *leaves): ...
def press(cup, press_time=1): ...
def repress(cup, press_time=2): ...
def drain(open_lid: fine_lid = loose_lid): ...
//- docs/steep.md
# Brewing
## `steep()`
`lid=None` and `steep_time` are optional, `cart` is not, and `warm` is unknown.
## Makers
A `Brewer` or `strain()` takes `water_limit=5`, and no `warm=True`, `Tea` or `steep_time`.
## `drain()`
### Kinds
A `fine_lid` is no `loose_lid`.
### Sizes
An `open_lid` is large.
## Presses
`press()` and `repress()` take a `press_time`.
//- docs/owner.md
# Owner
Call `Cart.use()`:
```ts
Item.sell()
```
"""


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("paths"), PATHS)


def test_a_parameter_of_several_functions_is_ambiguous(paths: GraphContent) -> None:
    [edge] = [edge for edge in paths.unresolved_mentions if edge.to_id == "press_time"]
    assert (edge.reason, len(edge.candidates)) == ("ambiguous", 2)


@pytest.mark.parametrize(
    ("section", "found"),
    [
        (
            "Usage",
            {
                "mod.ts",
                "shop.ts#Shop",
                "shop.ts#ShopOptions.port",
                "shop.ts#ShopOptions.keys",
                "shop.ts#Shop.open",
                "cart.ts#Cart.use",
                "cart.ts#Cart.first",
                "item.ts#Item.sell",
            },
        ),
        ("Members of Cart", {"cart.ts#Cart", "cart.ts#Cart.isEmpty"}),
        ("Tea", {"examples/tea/demo.ts#TeaTable", "examples/tea/demo.ts"}),
        ("Foreign", set()),
        ("Own", {"request.ts#Request"}),
        ("Option", {"main.ts", "main.ts#shop", "shop.ts#ShopOptions.port"}),
        ("steep()", {"brew.py#steep"}),
        ("Kinds", set()),
        ("Sizes", {"brew.py#drain"}),
        ("Makers", {"brew.py#Brewer", "brew.py#strain", "brew.py#Brewer.__init__"}),
        ("Presses", {"brew.py#press", "brew.py#repress"}),
        (
            "Faults",
            {
                "fault.ts#Failure.isBusy",
                "fault.ts#Failure.busyTime",
                "fault.ts#Failure.exitNumber",
                "fault.ts#PourOptions.pourSpeed",
            },
        ),
        ("Owner", {"cart.ts#Cart", "cart.ts#Cart.use", "item.ts#Item.sell", "item.ts#Item"}),
    ],
)
def test_paths_lead_through_types_and_names_of_others_stay_out(paths: GraphContent, section: str, found: set[str]) -> None:
    assert {target for target, _, _ in _named(paths, section)} == found
