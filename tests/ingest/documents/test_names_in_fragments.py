"""Names in fragments of code that documents show: copies of a package, overriding methods, options of objects, decorators."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.documents.blocks.paths import included_files
from astrolabe.ingest.documents.sections import CodeBlock
from astrolabe.ingest.documents.shown_declarations import shown_declarations
from written_workspace import analysed

from tests.ingest.documents.test_found_names import named
from tests.linear_time import is_linear, processor_seconds


def test_fragments_of_go(tmp_path: Path) -> None:
    text = """
//- go.mod
module example.org/shop
//- v1/cart/cart.go
package cart
type Item struct { Name string; Count int }
type Basket struct { Items []Item }
func Open() *Basket { return nil }
//- v2/cart/cart.go
package cart
type Item struct { Name string; Count int }
type Basket struct { Items []Item }
func Open() *Basket { return nil }
//- shop.go
package shop
type Shop struct{}
func New() *Shop { return nil }
func (s *Shop) Run() {}
func Run(s *Shop) {}
//- README.md
# Shop

A `Basket` has items:

```go
import "example.org/shop/v1/cart"

basket := cart.Basket{Items: []cart.Item{
	{Name: "tea", Count: 3},
}}
```

## Shops

```go
package shop

func New() *Shop
func (s *Shop) Run()
```

```go
shop.New(
	nil,
).Run()
```

```go
type OldShop struct {
	shop.Shop
}

func (shop *OldShop) Again() {
	shop.Run()
}

func use() {
	old := new(OldShop)
	old.Run()
	shop.Run(nil)
}
```

It prints:

```
[start] provide shop.Shop
```
"""
    assert named(analysed(tmp_path, text), "README.md") == {
        3: {"v1/cart/cart.go#Basket"},
        8: {
            "v1/cart/cart.go#Basket",
            "v1/cart/cart.go#Basket.Items",
            "v1/cart/cart.go#Item",
        },
        9: {"v1/cart/cart.go#Item.Name", "v1/cart/cart.go#Item.Count"},
        18: {"shop.go#New", "shop.go#Shop"},
        19: {"shop.go#Shop", "shop.go#Shop.Run"},
        23: {"shop.go#New"},
        25: {"shop.go#Shop.Run"},
        30: {"shop.go#Shop"},
        34: {"shop.go#Shop.Run"},
        39: {"shop.go#Shop.Run"},
        40: {"shop.go#Run"},
        47: {"shop.go#Shop"},
    }


def test_fragments_of_typescript(tmp_path: Path) -> None:
    text = """
//- package.json
{"name": "shop", "main": "src/index.ts"}
//- src/index.ts
export { column, Registry } from './shop'
export { Shelf } from './shelf'
//- src/shelf.ts
export class Shelf { put() {} }
//- src/shop.ts
interface BaseOptions { required?: boolean }
interface TextOptions { pattern?: RegExp }
export type NumberOptions = BaseOptions & Limits
interface Limits { least?: number }
interface Naming { prefix?: string }
export interface ShopOptions { naming?: Naming; fallback?: string }
export function column(options?: BaseOptions | NumberOptions | TextOptions): PropertyDecorator { return () => {} }
export function openShop(options: ShopOptions) {}
export class RegistryInstance { get(name: string) {} set(name: string) {} registerHandler(options: ShopOptions) {} }
export const Registry = new RegistryInstance()
//- docs/guide.md
# Guide

Use `@column`, but not `@param`, with the `set` method.

```ts
import { column, Registry } from 'shop'

class Item {
  @column({ required: true, least: 3 })
  size: number
}
Registry.get('tea')
Registry.registerHandler({ fallback, naming: { prefix: 'a' } })
const shelf = new Shelf()
```

# Signature

```ts
function openShop(options: ShopOptions)
```

```ts
openShop({ naming: { prefix: 'b' } })
```

Its `naming` is a `fallback`, but a `size` is not, and neither is the `prefix` boolean parameter.

# Objects in variables

```ts
import { openShop, Registry } from 'shop'

// The call of Registry.get() comes later.
const options = {
  fallback: 'c',
  naming: { other: 1 },
}
openShop(options)
```
//- docs/bare.md
# Bare

```ts
class Item {
  @column({ pattern: /a/ })
  name: string
}
```
"""
    content = analysed(tmp_path, text)
    shop = "src/shop.ts#"
    assert named(content, "docs/guide.md") == {
        3: {f"{shop}column", f"{shop}RegistryInstance.set"},
        6: {f"{shop}column", f"{shop}Registry"},
        9: {f"{shop}column", f"{shop}BaseOptions.required", f"{shop}Limits.least"},
        12: {f"{shop}Registry", f"{shop}RegistryInstance.get"},
        13: {
            f"{shop}Registry",
            f"{shop}RegistryInstance.registerHandler",
            f"{shop}ShopOptions.fallback",
            f"{shop}ShopOptions.naming",
            f"{shop}Naming.prefix",
        },
        14: {"src/shelf.ts#Shelf"},
        20: {f"{shop}openShop", f"{shop}ShopOptions"},
        24: {f"{shop}openShop", f"{shop}ShopOptions.naming", f"{shop}Naming.prefix"},
        27: {f"{shop}ShopOptions.naming"},
        32: {f"{shop}openShop", f"{shop}Registry"},
        34: {f"{shop}RegistryInstance.get"},
        36: {f"{shop}ShopOptions.fallback"},
        37: {f"{shop}ShopOptions.naming"},
        39: {f"{shop}openShop"},
    }
    assert named(content, "docs/bare.md") == {5: {f"{shop}column", f"{shop}TextOptions.pattern"}}


def test_fragments_of_java(tmp_path: Path) -> None:
    text = """
//- src/main/java/org/shop/Till.java
package org.shop;
public interface Till {
    interface Payment<V> { V collect(); }
    <V> V settle(Payment<V> payment, int count);
}
//- src/main/java/org/shop/TillSettings.java
package org.shop;
public class TillSettings {
    private int retryLimit;
    public static class Builder {
        private int retryLimit;
        public Builder retryLimit(int limit) { return this; }
    }
}
//- src/main/java/org/openshop/OpenShop.java
package org.openshop;
public class OpenShop {}
//- src/main/java/org/shop/OrderBook.java
package org.shop;
public class OrderBook { public int total() { return 0; } }
//- src/main/java/org/shop/Total.java
package org.shop;
public class Total { public int total() { return 0; } }
//- src/main/java/org/shop/Repeated.java
package org.shop;
public @interface Repeated {
    int limit() default 3;
    boolean lasting() default false;
}
//- src/main/java/org/shop/Rounds.java
package org.shop;
public class Rounds { private int lasting; private int limit; }
//- README.md
# Till

Set `retryLimit`, or the `lasting` attribute. The OpenShop sells, and an OrderBook counts.

```java
Till till = new Till() {
    @Override
    public <V> V settle(Payment<V> payment, int count) {
        return payment.collect();
    }
};
int sum = oldOrderBook.total();
```

```java
class OpenTill implements Till {
    public OpenTill() {}
    public <V> V settle(Payment<V> payment, int count) { return null; }
    void help() {}
}
```

```java
@Repeated(limit = 4)
class Tried {}
```
"""
    folder = "src/main/java/org/shop/"
    till = f"{folder}Till.java#Till"
    assert named(analysed(tmp_path, text), "README.md") == {
        3: {
            f"{folder}TillSettings.java#TillSettings.Builder.retryLimit",
            f"{folder}Repeated.java#Repeated.lasting",
            f"{folder}OrderBook.java#OrderBook",
        },
        6: {till},
        8: {f"{till}.settle", f"{till}.Payment"},
        9: {f"{till}.Payment.collect"},
        12: {f"{folder}OrderBook.java#OrderBook.total"},
        16: {till},
        18: {f"{till}.settle", f"{till}.Payment"},
        24: {f"{folder}Repeated.java#Repeated", f"{folder}Repeated.java#Repeated.limit"},
    }


def test_fragments_of_restructuredtext(tmp_path: Path) -> None:
    text = """
//- shop/__init__.py
from .sizes import SIZES, Sizes
from .store import Store, cached
//- shop/sizes.py
class Sizes:
    SMALL = "s"

SIZES = Sizes
//- shop/store.py
class Store:
    def __init__(self, limit: int = 3) -> None: ...
    def load(self, name): ...

def cached(function): ...
//- docs/guide.rst
Guide
=====

Pass :paramref:`~shop.Store.limit` or use ``@cached`` and not ``@property``.

.. tabs::

   .. code-tab:: python With a store

      from shop import SIZES, Store

      class Shelf(Store):
          def load(self, name):
              return SIZES.SMALL

          def again(self):
              return self.load("x")

.. code-block:: pycon

   >>> @cached
   ... class OtherShelf(Store):
   ...     def load(self, name): ...

Open it::

    open_it(
        cached,
    )
"""
    assert named(analysed(tmp_path, text), "docs/guide.rst") == {
        4: {"shop/store.py#Store", "shop/store.py#cached"},
        10: {"shop/sizes.py#SIZES", "shop/store.py#Store"},
        12: {"shop/store.py#Store"},
        13: {"shop/store.py#Store.load"},
        14: {"shop/sizes.py#SIZES", "shop/sizes.py#Sizes.SMALL"},
        17: {"shop/store.py#Store.load"},
        21: {"shop/store.py#cached"},
        22: {"shop/store.py#Store"},
        23: {"shop/store.py#Store.load"},
    }


def test_values_of_python_and_classes_of_other_pages(tmp_path: Path) -> None:
    text = """
//- shop/__init__.py
from .models import Model, open_till, Till, TILL
//- shop/models.py
from typing import Generator, TypeVar, Union
Q = TypeVar("Q", bound="Query")
class Found:
    def __await__(self) -> Generator[None, None, "Model"]: ...
    def delete(self) -> None: ...
class Query:
    @builder
    def where(self, rule) -> None: ...
    def keep(self, joined: Q) -> Q: ...
    def to_list(self) -> list: ...
    def where_all(self) -> int: ...
class Model:
    class Settings: ...
    @classmethod
    def query(cls) -> Query: ...
    @classmethod
    def first(cls) -> Found: ...
    def insert(self) -> None: ...
    def delete(self) -> None: ...
class SoftModel(Model): ...
class Till:
    def open_drawer(self) -> "Drawer": ...
class Drawer:
    def close(self) -> None: ...
TILL = Till()
def open_till() -> Till: ...
//- docs/models.md
# Models

```python
from shop import Model, SoftModel, open_till

class Product(Model):
    name: str

class Sale(Model): ...
```

```python
product = Product()
product.insert()
Product.query().where(1).where(2).to_list()
product = await Product.first()
product.delete()
Product.query().keep(1).to_list()
till = open_till()
drawer = till.open_drawer()
drawer.close()
```
//- docs/deleting.md
# Deleting

```python
from shop import SoftModel

class Product(SoftModel): ...
class Sale(Other): ...
```
//- other/queries.md
# Queries

```python
Product.query()
Product(name="tea").insert()
Sale.query()
Sale(name="tea").insert()
```

Use `TILL.open_drawer()`. The inner class `Settings` is yours.

The tree, with the `Found` class from Node.js in `shop.models`:

```
Query
├── SoftModel → Till
└── Product, see open_till()
```

```python
In [1]: from shop import Till
In [2]: till = Till()
In [3]: till.open_drawer()
```
"""
    content = analysed(tmp_path, text)
    shop = "shop/models.py#"
    assert named(content, "docs/models.md") == {
        4: {f"{shop}Model", f"{shop}SoftModel", f"{shop}open_till"},
        6: {f"{shop}Model"},
        9: {f"{shop}Model"},
        14: {f"{shop}Model.insert"},
        15: {f"{shop}Model.query", f"{shop}Query.where", f"{shop}Query.to_list"},
        16: {f"{shop}Model.first"},
        17: {f"{shop}Model.delete"},
        18: {f"{shop}Model.query", f"{shop}Query.keep", f"{shop}Query.to_list"},
        19: {f"{shop}open_till"},
        20: {f"{shop}Till.open_drawer"},
        21: {f"{shop}Drawer.close"},
    }
    assert named(content, "other/queries.md") == {
        4: {f"{shop}Model.query"},
        5: {f"{shop}Model.insert"},
        10: {f"{shop}Till.open_drawer"},
        16: {f"{shop}SoftModel"},
        17: {f"{shop}open_till"},
        21: {f"{shop}Till"},
        22: {f"{shop}Till"},
        23: {f"{shop}Till.open_drawer"},
    }


def test_a_page_uses_what_only_other_pages_import(tmp_path: Path) -> None:
    text = """
//- package.json
{"name": "shop", "exports": "./src/index.ts"}
//- src/index.ts
export class Till { open(): Drawer { return new Drawer() } }
export class Drawer { pull() {} }
export const tills = new Till()
export default tills
//- py/shopper/__init__.py
from .carts import Cart as Cart
//- py/shopper/carts.py
class Cart:
    def total(self): ...
//- py/shopper/fast.py
from ._core import load_fast as load
from ._core import other
//- py/shopper/fast.pyi
def load(path: str) -> str: ...
//- pyproject.toml
[project]
name = "shopper"
[tool.setuptools.package-dir]
"" = "py"
//- docs/start.md
```ts
import t from "shop"
import { other } from "elsewhere"
t.open()
```
```python
import shopper as sp
from shopper import Cart as Basket
```
//- docs/next.md
```ts
t.open().pull()
other.pull()
```
{!../../shopper/carts.py!}

See `shopper.carts.Cart` and `shopper.carts.Lost`.
```python
Basket().total()
sp.Cart()
```
```python
import shopper.fast
shopper.fast.load("a")
shopper.fast.other()
```
"""
    content = analysed(tmp_path, text)
    assert [(each.to_id, each.lines) for each in content.file_mentions if each.lines == (5,)] == [("py/shopper/carts.py", (5,))]
    found = named(content, "docs/next.md")
    assert found[2] == {f"src/index.ts#{name}" for name in ("Till.open", "Drawer.pull", "tills")}
    assert 3 not in found
    assert found[9] == {"py/shopper/carts.py#Cart", "py/shopper/carts.py#Cart.total"}
    assert found[10] == {"py/shopper/carts.py#Cart"}
    assert found[14] == {"py/shopper/fast.pyi#load"}
    # The compiled module may have `other`.
    assert [each.to_id for each in content.unresolved_mentions] == ["shopper.carts.Lost"]


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ('--8<-- "examples/a.py"', ["examples/a.py"]),
        ("    {!../../examples/a.py!}", ["../../examples/a.py", "examples/a.py"]),
        ("{* ../examples/a.py hl[3] *}", ["../examples/a.py", "examples/a.py"]),
        ("{{#include ../src/main.rs:2:5}}", ["../src/main.rs", "src/main.rs"]),
        ("<<< @/snippets/a.ts#region{1,2}", ["@/snippets/a.ts", "snippets/a.ts"]),
        ("@[code{1-3} ts](./a.js)", ["./a.js", "a.js"]),
        ("include::src/Main.java[tag=open]", ["src/Main.java"]),
        ("[embedmd]:# (cmd/main.go go)", ["cmd/main.go"]),
        ("1 <<< a.size and {! cart !}", []),
    ],
)
def test_files_that_a_generator_includes(line: str, paths: list[str]) -> None:
    assert [each.text for each in included_files([line])] == paths


@pytest.mark.parametrize("part", ["<<< ", "{!a/", "--8<-- ", "@[code", "include::a."])
def test_inclusions_are_read_in_linear_time(part: str) -> None:
    assert is_linear(lambda size: processor_seconds(lambda: list(included_files([part * size]))), 2_000)


def test_code_that_prints_and_classes_of_examples(tmp_path: Path) -> None:
    text = """
//- shop/__init__.py
from .cart import Cart, State
//- shop/cart.py
class State:
    open = 1
class Cart:
    def add_item(self): ...
    def total(self): ...
//- README.md
# Shop

```python
from shop import Cart, State
cart = Cart()
cart.add_item()
print(cart.total())
>>> 3
```

```python
class State(Enum):
    closed = 2

State.open
cart.total()
```

```python
State.open
```
"""
    assert named(analysed(tmp_path, text), "README.md") == {
        4: {"shop/cart.py#Cart", "shop/cart.py#State"},
        5: {"shop/cart.py#Cart"},
        6: {"shop/cart.py#Cart.add_item"},
        7: {"shop/cart.py#Cart.total"},
        16: {"shop/cart.py#Cart.total"},
        20: {"shop/cart.py#State", "shop/cart.py#State.open"},
    }


def test_members_and_aliases_that_several_declarations_have(tmp_path: Path) -> None:
    text = """
//- go.mod
module example.org/shop
//- store/redis_cart/cart.go
package redis_cart
func NewCart() *Cart { return nil }
type Cart struct{}
//- store/memory/cart.go
package memory
func NewCart() *Cart { return nil }
type Cart struct{}
type KeyMaker interface { MakeKey() string }
//- gate/gate.go
package gate
type OldGate struct{}
//- gate/v2/gate.go
package gate
type OldGate struct{}
//- shop.go
package shop
type Config struct { Size int; MaxSize int }
//- cmd/shop/program/program.go
package program
type Config struct { Size int }
func Reset(t int) {}
type Signals struct{}
func (s *Signals) Reset(t int) {}
//- src/main/java/org/shop/CartBuilder.java
package org.shop;
public class CartBuilder {
  private Duration limit;
  public static class Builder {}
  public CartBuilder limit(Duration limit) { return this; }
  public CartBuilder listener(CartListener listener) { return this; }
  public CartBuilder size(int size) { return this; }
  public static CartBuilder create() { return null; }
}
//- src/main/java/org/shop/Settings.java
package org.shop;
public class Settings {
  public void limit(int limit) {}
  public void listener(CartListener listener) {}
}
//- src/main/java/org/shop/CartListener.java
package org.shop;
public interface CartListener {}
//- src/policy.ts
export class BasketPolicy { get openSlots() { return 1 } onPaid() {} }
export function basket() { return new BasketPolicy() }
export function useBasket(): BasketPolicy { return new BasketPolicy() }
//- README.md
# Shop

```go
cart := redis_cart_store.NewCart()
other := memory_store.NewCart()
```

```go
type KeyMaker interface {
	MakeKey() string
}
```

```java
CartBuilder.create().size(3);
```

- `.limit(Duration)`
- `.listener(CartListener)`

The value of `basket.openSlots` counts, and so does `till.onPaid(callback)`.

```ts
import { basket, useBasket } from './src/policy'
basket.onPaid(3)
const { onPaid, openSlots: slots } = useBasket()
onPaid(4)
```

```go
config := shop.Config{Size: 3}
sizes := map[string]shop.Config{
	small: {MaxSize: 3}, // MaxSize is the upper limit.
}
```

Call `Reset(t)` in tests, and open the `OldGate`.
"""
    content = analysed(tmp_path, text)
    java = "src/main/java/org/shop"
    assert named(content, "README.md") == {
        4: {"store/redis_cart/cart.go#NewCart"},
        5: {"store/memory/cart.go#NewCart"},
        9: {"store/memory/cart.go#KeyMaker"},
        10: {"store/memory/cart.go#KeyMaker.MakeKey"},
        15: {
            f"{java}/CartBuilder.java#CartBuilder",
            f"{java}/CartBuilder.java#CartBuilder.create",
            f"{java}/CartBuilder.java#CartBuilder.size",
        },
        18: {f"{java}/CartBuilder.java#CartBuilder.limit"},
        19: {f"{java}/CartBuilder.java#CartBuilder.listener", f"{java}/CartListener.java#CartListener"},
        21: {"src/policy.ts#BasketPolicy.openSlots", "src/policy.ts#BasketPolicy.onPaid", "src/policy.ts#basket"},
        24: {"src/policy.ts#basket", "src/policy.ts#useBasket"},
        25: {"src/policy.ts#BasketPolicy.onPaid", "src/policy.ts#basket"},
        26: {"src/policy.ts#useBasket", "src/policy.ts#BasketPolicy.onPaid", "src/policy.ts#BasketPolicy.openSlots"},
        27: {"src/policy.ts#BasketPolicy.onPaid"},
        31: {"shop.go#Config", "shop.go#Config.Size"},
        32: {"shop.go#Config"},
        33: {"shop.go#Config.MaxSize"},
        37: {"gate/v2/gate.go#OldGate"},
    }


@pytest.mark.parametrize("part", ["class A(B):\n", "  new A() {\n", "class A extends B<C<D>", "new A<B<", "object : A "])
def test_overriding_members_are_read_in_linear_time(part: str) -> None:
    def read(count: int) -> None:
        list(shown_declarations([CodeBlock(1, "java", part * count)]))

    assert is_linear(lambda count: processor_seconds(lambda: read(count)), 2_000)
