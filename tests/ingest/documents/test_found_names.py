"""Names that a reader of a document recognises: in blocks without a language, in examples, in packages that repeat a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.documents.block_languages import guessed_language
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

from tests.linear_time import is_linear, processor_seconds


def named(content: GraphContent, path: str) -> dict[int, set[str]]:
    """Return the symbols that each line of a document names."""
    symbols = {symbol.id: symbol for symbol in content.symbols}
    found: dict[int, set[str]] = {}
    for edge in content.mentions:
        if symbols[edge.from_id].relative_path == path:
            target = symbols[edge.to_id]
            for line in edge.lines:
                found.setdefault(line, set()).add(f"{target.relative_path}#{target.qualified_name}")
    return found


def missing(content: GraphContent) -> set[str]:
    """Return the names that no code has."""
    return {edge.to_id for edge in content.unresolved_mentions if edge.reason != "ambiguous"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "from shop import open_cart\n\ncart = open_cart()\n"),
        ("python", "async with open_cart() as cart:\n    await cart.pay()\n"),
        ("python", ">>> open_cart()\n"),
        ("python", "In [1]: open_cart()\n"),
        ("python", "limit = shop.default_limit()\n"),
        ("ts", "import { openCart } from 'shop'\nopenCart()\n"),
        ("ts", "const shop = require('shop')\n"),
        ("go", "func main() {\n\tshop.Open()\n}\n"),
        ("java", "import org.shop.Cart;\n"),
        ("java", "Till till = new Till();\nCart<Item> cart = new Cart<>(till);\ncart.open();\n"),
        ("", "Cart cart = new Cart();\ncart.Open();\n"),
        ("", "$ shop open --all\n"),
        ("", "shop_open(cart, 3);\n"),
        ("", "if (cart) {\n  open(cart)\n}\n"),
        ("", "The cart is open (see below).\n"),
        ("", "[shop]\nname = tea\n"),
        ("", ""),
    ],
)
def test_the_language_of_a_block_without_a_name(language: str, text: str) -> None:
    assert guessed_language(text) == language


@pytest.mark.parametrize("part", ["a.b(", "import a ", "x, ", "with a:", "; ", "\t", "const {", "for x in y, "])
def test_a_language_is_guessed_in_linear_time(part: str) -> None:
    assert is_linear(lambda count: processor_seconds(lambda: guessed_language(part * count)), 20_000)


def test_blocks_of_restructuredtext_and_roles_over_two_lines(tmp_path: Path) -> None:
    text = """
//- src/shop/__init__.py
from .cart import Cart, open_cart
//- src/shop/cart.py
class Drawer:
    def close_all(self): ...

class Cart:
    async def __aenter__(self) -> Drawer: ...
    def pay_later(self): ...

class Till:
    def __getattr__(self, name): ...

def open_cart() -> Cart: ...
//- src/shop/old.py
def __getattr__(name): ...
//- docs/guide.rst
Guide
=====

Carts are opened like this::

    from shop import Cart, open_cart
    from shop.old import basket

    cart = open_cart()
    cart.pay_later()

    async with Cart() as drawer:
        drawer.close_all()

A cart is paid with :meth:`pay later
<shop.cart.Cart.pay_later>` or ``x`` and :meth:`~shop.cart.Drawer
.close_all`.

It is paid `later <shop.cart.Cart.pay_later>`, too, or with `open_cart(first, second)`.
"""
    content = analysed(tmp_path, text)
    assert named(content, "docs/guide.rst") == {
        6: {"src/shop/cart.py#Cart", "src/shop/cart.py#open_cart"},
        9: {"src/shop/cart.py#open_cart"},
        10: {"src/shop/cart.py#Cart.pay_later"},
        12: {"src/shop/cart.py#Cart"},
        13: {"src/shop/cart.py#Drawer.close_all"},
        15: {"src/shop/cart.py#Cart", "src/shop/cart.py#Cart.pay_later"},
        19: {"src/shop/cart.py#Cart", "src/shop/cart.py#Cart.pay_later", "src/shop/cart.py#open_cart"},
    }
    assert missing(content) == set()


def test_a_document_of_an_example_names_the_code_of_the_example(tmp_path: Path) -> None:
    text = """
//- shop.go
package shop
//- bus/bus.go
package bus
type EventBus struct{}
func (b *EventBus) Publish(name string) {}
type Shop struct{}
func (s *Shop) EventBus() *EventBus { return nil }
//- tools/print/bus.go
package print
type Message struct{ Body string }
//- bus/message.go
package bus
type Message struct{ Text string }
//- examples/basic/tea/main.go
package main
type TeaHandler struct{}
func (h TeaHandler) Handle(name string) {}
func (h TeaHandler) Validate() {}
//- examples/basic/coffee/main.go
package main
type CoffeeHandler struct{}
func (h CoffeeHandler) Handle(name string) {}
func (h CoffeeHandler) Validate() {}
//- examples/basic/tea/README.md
# Tea

The `Validate` method of `TeaHandler` comes first.

```mermaid
sequenceDiagram
    participant B as EventBus
    participant T as TeaHandler
    B->>T: Handle(Tea)<br/>topic: tea
    T->>B: Publish(Drunk)<br/>topic: events
```
//- docs/bus.md
# Bus

Each EventBus takes a `bus.Message`:

```go
func show(m *bus.Message) {
	fmt.Println(m.Text)
}
```
"""
    content = analysed(tmp_path, text)
    assert named(content, "examples/basic/tea/README.md") == {
        3: {"examples/basic/tea/main.go#TeaHandler", "examples/basic/tea/main.go#TeaHandler.Validate"},
        7: {"bus/bus.go#EventBus"},
        8: {"examples/basic/tea/main.go#TeaHandler"},
        9: {"examples/basic/tea/main.go#TeaHandler.Handle"},
        10: {"bus/bus.go#EventBus.Publish"},
    }
    assert named(content, "docs/bus.md") == {
        3: {"bus/bus.go#EventBus", "bus/message.go#Message"},
        6: {"bus/message.go#Message"},
        7: {"bus/message.go#Message.Text"},
    }


def test_the_folder_of_a_document_chooses_among_packages(tmp_path: Path) -> None:
    text = """
//- packages/core/src/form.ts
export interface FormOptions { initial?: string }
//- packages/solid-form/src/createForm.ts
export function createForm(options?: FormOptions) { return options }
export interface FormOptions { onReset?: string }
//- packages/vue-form/src/createForm.ts
export function createForm(options?: FormOptions) { return options }
export interface FormOptions { onClear?: string }
//- docs/framework/solid/guides/first.md
# First

Use `createForm`:

```tsx
const form = createForm({ onReset: '' })
```
//- docs/framework/first.md
# First

Use `createForm`.
"""
    content = analysed(tmp_path, text)
    assert named(content, "docs/framework/solid/guides/first.md") == {
        3: {"packages/solid-form/src/createForm.ts#createForm"},
        6: {
            "packages/solid-form/src/createForm.ts#createForm",
            "packages/solid-form/src/createForm.ts#FormOptions.onReset",
        },
    }
    assert named(content, "docs/framework/first.md") == {}


def test_members_of_values_and_inherited_members(tmp_path: Path) -> None:
    text = """
//- shop/__init__.py
from .cart import Cart
Shop = make_shop()
//- shop/cart.py
class Request:
    def __init__(self):
        self.relative_path = ""
        self.label = ""

class AsyncRequest(Request):
    def __init__(self):
        self.relative_path = ""

class RequestPart:
    def __init__(self):
        self.label = ""

class Cart(Base): ...
//- shop/typed.py
class Shop: ...
//- shop/old/cart.py
class Cart: ...
//- docs/guide.md
# Guide

A `Cart` has parts, see `AsyncRequest.label` and `AsyncRequest.gone`. A `Shop` has carts.

```python
from shop import Cart

def show(req):
    print(req.relative_path)
    print(req.label)
    with Cart() as cart, open("x"):
        return self.label
```
"""
    content = analysed(tmp_path, text)
    assert named(content, "docs/guide.md") == {
        3: {"shop/__init__.py#Shop", "shop/cart.py#Cart", "shop/cart.py#AsyncRequest", "shop/cart.py#Request.label"},
        6: {"shop/cart.py#Cart"},
        9: {"shop/cart.py#Request.relative_path"},
        11: {"shop/cart.py#Cart"},
    }
    assert missing(content) == {"AsyncRequest.gone"}


def test_a_document_in_the_folder_of_a_package_names_its_code(tmp_path: Path) -> None:
    text = """
//- soap/src/main/java/shop/soap/SoapDecoder.java
package shop.soap;
public class SoapDecoder {}
//- soap-jakarta/src/main/java/shop/soap/SoapDecoder.java
package shop.soap;
public class SoapDecoder {}
//- soap/README.md
# Soap

Use `SoapDecoder`.
//- docs/soap.md
# Decoders

There are two classes, each named `SoapDecoder`.
"""
    content = analysed(tmp_path, text)
    assert named(content, "soap/README.md") == {3: {"soap/src/main/java/shop/soap/SoapDecoder.java#SoapDecoder"}}
    assert named(content, "docs/soap.md") == {}


def test_names_of_packages_and_signatures_in_blocks_of_go(tmp_path: Path) -> None:
    text = """
//- go.mod
module example.org/shop/v3
//- app.go
package shop
type App struct{}
type Ctx interface{}
func New() *App { return nil }
func (app *App) Get(path string) {}
//- client/request.go
package client
type Request struct{}
func ReleaseRequest(r *Request) {}
func (r *Request) Reset() {}
//- docs/app.md
# App

Handlers take a `shop.Ctx`.

```go
func (app *App) Get(path string)
```

```go
app := shop.New()
app.Get("/tea")
defer client.ReleaseRequest(req)
```
"""
    content = analysed(tmp_path, text)
    assert named(content, "docs/app.md") == {
        3: {"app.go#Ctx"},
        6: {"app.go#App", "app.go#App.Get"},
        10: {"app.go#New"},
        11: {"app.go#App.Get"},
        12: {"client/request.go#ReleaseRequest"},
    }
    assert missing(content) == set()


def test_values_that_code_always_makes_of_one_type(tmp_path: Path) -> None:
    text = """
//- shop/core.py
class Shop:
    def client(self) -> Client: ...
    def before_opening(self, function): ...
    def run(self): ...
class Till:
    def run(self): ...
class Client:
    def get(self, path) -> Reply: ...
class Reply:
    async def read_all(self): ...
class Other:
    async def read_all(self): ...
//- examples/tea/main.py
app = Shop(__name__)
till = Till()
//- examples/coffee/main.py
app = Shop(__name__)
till = Other()
//- docs/guide.md
# Guide

```python
@app.before_opening
async def open_all():
    client = app.client()
    reply = await client.get("/")
    await reply.read_all()
    app.run()
    till.run()
```
//- docs/other.md
# Guide

```python
app = Flask()
app.run()
app.client
```
"""
    content = analysed(tmp_path, text)
    core = "shop/core.py#"
    assert named(content, "docs/guide.md") == {
        4: {f"{core}Shop.before_opening"},
        6: {f"{core}Shop.client"},
        7: {f"{core}Client.get"},
        8: {f"{core}Reply.read_all"},
        9: {f"{core}Shop.run"},
        10: {f"{core}Till.run"},
    }
    assert not named(content, "docs/other.md")


def test_links_to_published_documentation_of_java(tmp_path: Path) -> None:
    text = """
//- shop-core/src/main/java/org/shop/cart/Cart.java
package org.shop.cart;

public class Cart {
  public Cart add(String item) { return this; }
  public static class Line {}
}
//- shop-core/src/main/java/org/shop/cart/Till.java
package org.shop.cart;

public class Till {
  public void close(int seconds) {}
}
//- shop-old/src/main/java/org/shop/old/cart/Cart.java
package org.shop.old.cart;

public class Cart {}
//- docs/guide.adoc
= Guide

Use {javadoc}/org/shop/cart/Cart.html#add-java.lang.String-[Cart#add].
See https://shop.org/api/org/shop/old/cart/Cart.html[an old one] or link:{api}/org/shop/cart/Cart.Line.html[a line].
See {javadoc}/org/cart/Cart.html[another cart] and https://shop.org/cart/Cart.html[a page].

The method javadoc:Till[close, int, text="closes"] of javadoc:shop.cart.Till[artifact="shop-core"],
or javadoc:org.shop.cart.Till#close(int)[] of javadoc:Till[Till], but not javadoc:Till[text="more"] of javadoc:java.util.Map[].
//- docs/guide.md
# Guide

[Add](https://shop.org/api/org/shop/cart/Cart.html#add(java.lang.String)), [none](https://shop.org/api/org/shop/cart/Cart.html#gone())
"""
    content = analysed(tmp_path, text)
    cart = "shop-core/src/main/java/org/shop/cart/Cart.java#Cart"
    till = "shop-core/src/main/java/org/shop/cart/Till.java#Till"
    assert named(content, "docs/guide.adoc") == {
        3: {cart, f"{cart}.add"},
        4: {"shop-old/src/main/java/org/shop/old/cart/Cart.java#Cart", f"{cart}.Line"},
        7: {till, f"{till}.close"},
        8: {till, f"{till}.close"},
    }
    assert named(content, "docs/guide.md") == {3: {f"{cart}.add"}}


def test_members_that_an_ancestor_in_another_package_may_have_are_not_missing(tmp_path: Path) -> None:
    text = """
//- shop/__init__.py
from framework import App
from framework import Till as BaseTill
from abc import ABC
class Shop(App): ...
class Till(BaseTill): ...
class Market(Shop): ...
class Cart(ABC): ...
//- docs/guide.md
# Guide

Call `Shop.open_all`, `Till.count_all`, `Market.close_all` and `Cart.pay_later`.

```python
from shop import Shop, Cart
Shop.open_all()
Cart.pay_soon()
```
"""
    assert missing(analysed(tmp_path, text)) == {"Cart.pay_later", "Cart.pay_soon"}


def test_a_variable_has_the_value_of_a_whole_chain_of_calls(tmp_path: Path) -> None:
    text = """
//- package.json
{"name": "shop"}
//- src/index.ts
export class Network {
  async start(): Promise<StartedNetwork> { return new StartedNetwork(); }
}
export class StartedNetwork {
  getName(): string { return ""; }
}
export class Printer {
  getName(): string { return ""; }
}
export class Shop {
  static fromFile(path: string): Builder { return new Builder(); }
  async open(): Promise<void> {}
}
export class Builder {
  async build(): Promise<Shop> { return new Shop(); }
}
//- docs/guide.md
# Guide

```js
const net = await new Network().start();
print(net.getName());

const made = await Shop
  .fromFile("/path")
  .build();

await made.open();
```
"""
    assert named(analysed(tmp_path, text), "docs/guide.md") == {
        4: {"src/index.ts#Network.start"},
        5: {"src/index.ts#StartedNetwork.getName"},
        8: {"src/index.ts#Shop.fromFile"},
        9: {"src/index.ts#Builder.build"},
        11: {"src/index.ts#Shop.open"},
    }


def test_a_page_beside_the_code_names_the_members_of_its_package(tmp_path: Path) -> None:
    text = """
//- go.mod
module shop

go 1.22
//- mysql/driver.go
package mysql

type Config struct {
	TableName string
	LockTable string
}
//- mysql/README.md
# MySQL

The option `table` sets `TableName`, and `LockTable` is for old servers.
//- sqlite/driver.go
package sqlite

type Config struct{ TableName string }

type Lock struct{ LockTable string }

type OldLock struct{ LockTable string }
//- sqlite/README.md
# SQLite

The option `table` sets `TableName`, and `LockTable` is for old servers.
//- README.md
# Shop

Every driver has a `TableName`.
"""
    content = analysed(tmp_path, text)
    assert named(content, "mysql/README.md") == {3: {"mysql/driver.go#Config.TableName", "mysql/driver.go#Config.LockTable"}}
    assert named(content, "sqlite/README.md") == {3: {"sqlite/driver.go#Config.TableName"}}
    assert named(content, "README.md") == {}


def test_lists_and_data_describe_the_type_that_has_nearly_all_of_the_names(tmp_path: Path) -> None:
    text = """
//- src/shop/options.py
class StoreOptions:
    retries: int
    base_url: str
    timeout: float
    class Inner: ...

class Request:
    timeout: float
    retries: int

class Column:
    name: str
    title: str
    width: int
//- docs/options.md
# Options

Options of a store: `retries`, `timeout` and `base_url`.

## Columns

Every person has a `name`, a `title` and a `width`.

```yaml
store:
  retries: 3
  base-url: https://shop.test
  timeout: 2.5
other:
  timeout: 3
  hosts: 2
  retries: 1
```
"""
    options = "src/shop/options.py#StoreOptions"
    assert named(analysed(tmp_path, text), "docs/options.md") == {
        3: {f"{options}.retries", f"{options}.timeout", f"{options}.base_url"},
        11: {f"{options}.retries"},
        12: {f"{options}.base_url"},
        13: {f"{options}.timeout"},
    }


def test_directives_describe_members_of_the_class_around_them(tmp_path: Path) -> None:
    text = """
//- shop/__init__.py
from .cart import Cart, open_cart
//- shop/cart.py
class Basket:
    def _check(self): ...

class Cart(Basket):
    size: int
    def total(self): ...

class Till:
    page_size = 20
    def total(self): ...

def open_cart(name): ...
//- docs/api.rst
API
===

.. autoclass:: shop.Cart

   .. automethod:: total
   .. autoattribute:: size

.. py:class:: Cart(name)

   .. classmethod:: _check(cls, *args)

      Check it.

   .. method:: gone()

.. function:: open_cart(name)

.. method:: total

.. attribute:: page_size

.. attribute:: gone_size
"""
    cart = "shop/cart.py#Cart"
    assert named(analysed(tmp_path, text), "docs/api.rst") == {
        4: {cart},
        6: {cart, f"{cart}.total"},
        7: {cart, f"{cart}.size"},
        9: {cart},
        11: {cart, "shop/cart.py#Basket._check"},
        17: {"shop/cart.py#open_cart"},
        21: {"shop/cart.py#Till.page_size"},
    }


def test_directives_name_members_in_options_and_objects_of_the_stated_module(tmp_path: Path) -> None:
    text = """
//- pyproject.toml
[project]
name = "shop"
//- shop/__init__.py
//- shop/cart.py
class Cart:
    size: int
    def total(self): ...

def open_cart(name): ...
//- shop/kiosk.py
class Cart:
    def total(self): ...

def open_cart(name): ...
//- docs/api.rst
API
===

.. currentmodule:: shop.kiosk

.. autoclass:: Cart
   :members: total

.. autofunction:: open_cart
//- docs/myst.md
# API

```{eval-rst}
.. module:: shop.cart

.. autoclass:: Cart()
   :members: size, total

   Same as :meth:`shop.kiosk.Cart.total`.
```

```{autofunction} open_cart
```
//- docs/mkdocs.md
# API

::: shop.kiosk.Cart
    options:
      members:
        - total
      show_source: false

::: tip
    open_cart
"""
    cart, kiosk = "shop/cart.py#", "shop/kiosk.py#"
    content = analysed(tmp_path, text)
    assert named(content, "docs/api.rst") == {
        6: {f"{kiosk}Cart"},
        7: {f"{kiosk}Cart", f"{kiosk}Cart.total"},
        9: {f"{kiosk}open_cart"},
    }
    assert named(content, "docs/myst.md") == {
        6: {f"{cart}Cart"},
        7: {f"{cart}Cart", f"{cart}Cart.size", f"{cart}Cart.total"},
        9: {f"{kiosk}Cart", f"{kiosk}Cart.total"},
        12: {f"{cart}open_cart"},
    }
    assert named(content, "docs/mkdocs.md") == {3: {f"{kiosk}Cart"}, 6: {f"{kiosk}Cart", f"{kiosk}Cart.total"}}


def test_titles_beside_each_other_choose_the_type_that_has_their_names(tmp_path: Path) -> None:
    text = """
//- shop.ts
export interface ShopOptions { currency?: string, limit?: number, opening?: Date, watch?: boolean, openSlots?: number }
export interface Till { limit: number, watch(): void }
//- README.md
# Shop

## Options

### openSlots

### limit

### Option: `watch` (boolean)

### Colors

## Till

### limit
"""
    assert named(analysed(tmp_path, text), "README.md") == {
        5: {"shop.ts#ShopOptions.openSlots"},
        7: {"shop.ts#ShopOptions.limit"},
        9: {"shop.ts#ShopOptions.watch"},
    }


def test_a_word_for_options_and_a_title_with_a_kind_choose_a_member(tmp_path: Path) -> None:
    text = """
//- shop.ts
interface ShopOptions {
  idleTime?: number
}
interface FilledOptions extends ShopOptions {
  idleTime: number
}
class Worker {
  idleTime = 0
  served = 0
}
export class Shop {
  constructor(options: ShopOptions) {}
  get served() { return 1 }
}
//- docs/properties.md
# Properties

## Property: `served` (readonly)

Set the `idleTime` configuration option.
"""
    content = analysed(tmp_path, text)
    assert named(content, "docs/properties.md") == {3: {"shop.ts#Shop.served"}, 5: {"shop.ts#ShopOptions.idleTime"}}


def test_a_variable_of_another_language_does_not_replace_a_declaration(tmp_path: Path) -> None:
    text = """
//- shop.d.ts
export interface LimiterOptions {
  highWater: number
}
//- scripts/submit.lua
local highWater = 1
//- README.md
# Limits

The option `highWater` of `LimiterOptions`.
"""
    assert "scripts/submit.lua#highWater" not in named(analysed(tmp_path, text), "README.md")[3]


def test_a_word_for_methods_variants_of_declarations_and_hidden_members(tmp_path: Path) -> None:
    text = """
//- types/store/index.d.ts
export interface ShopStore {
  getPrice(name: string): number
}
//- types/store/with-rates/index.d.ts
export interface ShopStore {
  getPrice(name: string): number
}
//- src/widgets/prices.ts
export function getPrice() {}
//- src/tills.cs
namespace Shop;
public interface ITill { void OpenDrawer(int level); }
public class Till : ITill { public void OpenDrawer(int level) { } }
public class Safe { private void OpenDrawer() { } }
//- go.mod
module example.org/shop
//- counter.go
package shop

type Counter interface { PlaceOrder(name string) error }
type Basket interface { Context() int }

func CloseOrder(name string) {}

type quick struct{}
func (q quick) PlaceOrder(name string) error { return nil }
func (q quick) Context() int { return 0 }

type Slow struct{}
func (s *Slow) PlaceOrder(order string) error { return nil }
//- docs/orders.md
# Orders

Call `PlaceOrder` with a `context.Context`.

## open_order() and shop.CloseOrder()

```templ
@shop.CloseOrder("tea") {
```

All are in the `CloseOrder` directories.
//- docs/prices.md
# Prices

The getPrice method of a ShopStore counts.

Then `OpenDrawer`.
"""
    content = analysed(tmp_path, text)
    found = named(content, "docs/prices.md")
    assert found[3] == {"types/store/index.d.ts#ShopStore", "types/store/index.d.ts#ShopStore.getPrice"}
    assert found[5] == {"src/tills.cs#ITill.OpenDrawer"}
    assert named(content, "docs/orders.md") == {
        3: {"counter.go#Counter.PlaceOrder"},
        5: {"counter.go#CloseOrder"},
        8: {"counter.go#CloseOrder"},
    }
