"""Names in blocks and links of documents for C++, C#, Kotlin, PHP, Rust and Go."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.documents.published_api import published_name
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

TEXT = """
//- include/shop/cart.hpp
namespace shop {
class Cart {
 public:
  explicit Cart(int size);
  Cart &add_item(int price);
  int total();
};
enum class Size { small, large };
}
//- src/cart.cpp
#include "shop/cart.hpp"
namespace shop {
Cart &Cart::add_item(int price) { return *this; }
int Cart::total() { return 0; }
}
//- docs/cpp.md
# Carts

```cpp
shop::Cart cart{3};
cart.add_item(2);
shop::Cart *other = make();
other->add_item(1)->total();
```

Call `add_item` for each item.
//- composer.json
{"name": "acme/till", "autoload": {"psr-4": {"Acme\\\\": "php/"}}}
//- php/Till.php
<?php
namespace Acme;
class Till {
    public function openDrawer(Level $level) {}
}
//- php/Level.php
<?php
namespace Acme;
enum Level: int {
    case Low = 1;
}
//- php/Request.php
<?php
namespace Acme;
class Request {
    public static function create() {}
}
//- docs/php.md
# Tills

The class Acme\\Till and `Acme\\Level::Low` have namespaces.

```php
<?php
use Acme\\Till;
use Acme\\{Level, Gone as Lost};
use Symfony\\Component\\Request;

$till = new Till(); # a till
$till->openDrawer(Level::Low);
Request::create();
$other = new Till;
$other->openDrawer(new \\Acme\\Till\\Drawer());
```
//- src/main/kotlin/org/shop/Command.kt
package org.shop

open class Command {
    fun echo(text: String) {}
    open fun run() {}
}

class Flag

fun Command.flag(): Flag = Flag()

fun Flag.required(): Flag = this

fun Flag.get(): Flag = this

fun total(prices: Int): Flag = Flag()
//- docs/kotlin.md
# Commands

Each `total()` is a [flag](api/shop/org.shop/flag.html) of a [command](api/shop/org.shop/-command/echo.html).

```kotlin
class Pay(val size: Int) : Command() {
    val all by flag()
        .required()
    override fun run() {
        echo("paid")
    }
}
class Other {
    fun pay() { echo("nothing") }
}
val sum = total(3).required()
@get:Rule val rule = sum
```
//- cs/Spec.cs
namespace Shop;
public interface IBuilder<T> { }
public class Spec<T>
{
    public IBuilder<T> Query { get; }
    public bool Sorted { get; }
}
public static class BuilderExtensions
{
    public static IBuilder<T> Where<T>(this IBuilder<T> builder, string text) => builder;
    public static IBuilder<T> Sorted<T>(this IBuilder<T> builder) => builder;
}
//- docs/csharp.md
# Spec

Sort them by `Sorted`.

```csharp
using Shop;

public class TeaSpec : Spec<Tea>
{
    public TeaSpec()
    {
        Query.Where("tea")
             .Sorted();
    }
}
```
//- cs/TeaCrate.cs
namespace Shop;
public class TeaCrate { }
class CrateRule { int FillLimit { get; } }
//- cs/TeaCrate.TItem.cs
namespace Shop;
public class TeaCrate<TItem> { public int FillLimit { get; set; } }
//- cs/PricedByAttribute.cs
namespace Shop;
public sealed class PricedByAttribute : Attribute { }
//- cs/tests/PriceTests.cs
namespace Shop.Tests;
public class PriceTests { public void PricedBy() { } }
//- ts/counter.ts
export interface CounterOptions { openSlot?: boolean; closeAll?: boolean }
export function openSlot(size: number) {}
interface Counter { openSlot: typeof openSlot; recount(): void }
export const counter: Counter = Object.assign(function counter(options: CounterOptions) {}, parts)
//- docs/counters.md
# Counters
Use `app.use(counter.openSlot())`, then `counter.recount()`, but not `counter.closeAll()`.
//- cs/RowConfiguration.cs
namespace Shop;
public class RowConfiguration { public int RowsShown { get; set; } }
public class RowRule { public int RowsShown { get; set; } }
//- docs/configuration/rows.md
# Rows
`RowsShown` is 3.
//- cs/Stock.cs
namespace Shop;
public enum StockMode { Halved, Kept }
public enum OrderMode { Halved, Sent }
public sealed class StockAttribute : Attribute { public int LeastCountShown { get; set; } }
public class StockReport { public int LeastCountShown { get; set; } }
//- docs/stocks.md
# Stocks
The mode is a `StockMode`, and `LeastCountShown` is 3.

```csharp
[Stock]
public class Tea { }
```
By default, it is `Halved`.
//- kt/Stall.kt
package org.stall
class Stall
//- kt/marks/Marks.kt
package org.stall.marks
@Target(AnnotationTarget.CLASS)
annotation class Stall
//- docs/forms.md
# Forms
A `TeaCrate` is no `TeaCrate<int>`.
Its `FillLimit` is public.
A `Stall` is not a `@Stall`.
Set a `PricedBy(Coin = ...)` on it.
//- cs/Scan.cs
namespace Shop;
public interface ISelector
{
    ISelector Take(int count);
    ISelector Take<T>(Action<IFilter> filter);
    ISelector Lasting();
}
public abstract class Profile
{
    public int LargestScan { get; set; }
}
public static class Prices
{
    public static T Priced<T>(this T value, int price) => value;
    public static Shelf Sold(this Shelf shelf) => shelf;
}
public class ScanPlan
{
    public ScanPlan(Action<ISelector> configure) { }
}
public interface IFilter { void Only<T>(); }
public static class ShelfExtensions
{
    public static void Scan(this IShelf shelf, Action<ISelector> action) { }
}
//- docs/scan.md
# Scans

```csharp
shelf.Scan(scan => scan
    .Take<Tea>(filter => filter.Only<Cup>())
    .Lasting());
var other = new ScanPlan(scan => scan.Lasting());
open().Priced(3);
open().Sold();
class Monthly : Profile
{
    public Monthly()
    {
        LargestScan = 3;
    }
}
```
//- lib/kiosk.rb
require "kiosk/rules"
class Kiosk
  attr_accessor :open, :enabled
end
//- lib/kiosk/rules.rb
class Kiosk
  class Rules
    def allow(name); end
  end
end
//- docs/ruby.md
# Kiosks

```ruby
use Kiosk
Kiosk.allow("tea")
Kiosk.enabled = true
```
//- lib/kiosk/tags.rb
class Kiosk
  module Tags
    def price_tag(name); end
    def sold?; end
    def sell!; end
  end
end
//- docs/tags.md
# Tags

Ask `#sold?` before `#sell!`, or `item.sold?`.

```ruby
class Stall
  include Kiosk::Tags
  price_tag :tea
end
```

Kiosk has tags.
//- java/src/main/java/org/shop/Units.java
package org.shop;
public class Units {
  public static final int LARGE = 3;
  public static int of(int size) { return size; }
}
//- java/src/main/java/org/shop/ShopSettings.java
package org.shop;
@ConfigurationProperties("shop")
public class ShopSettings {
  private int maxItems;
  private Till till;
  static class Till { private String homePath; }
}
//- docs/settings.md
# Settings

```yaml
shop:
  max-items: 3 # a limit
  till:
    home-path: /tea
other:
  max-items: 4
```

```properties
shop.max-items = 5
```
//- docs/java.md
# Units

```java
import static org.shop.Units.*;

int size = of(LARGE);
int other = off(1);
```

```groovy
units 'org.shop.Units'
```
//- include/shop/level.hpp
namespace shop {
namespace level { enum level_enum { warn, off }; }
}
//- docs/level.md
# Levels

```cpp
set(shop::level::warn);
```
//- Cargo.toml
[package]
name = "shop-core"
version = "1.0.0"
//- src/lib.rs
pub mod stock;
mod labels;
pub mod tags;
pub use labels::Sticker;
pub mod paper { pub use crate::labels::*; }
mod inner { pub use crate::tags::Debug; }
pub fn depot() -> stock::Stock { todo!() }
//- src/labels.rs
pub struct Sticker { width: u8 }
impl Sticker {
    pub fn peel(&self) {}
    pub fn sheet(&self) {}
    pub fn depot() {}
}
pub fn print_sheet() {}
#[macro_export]
macro_rules! sheet { () => {}; }
//- src/tags.rs
pub struct Sticker;
pub struct Debug;
pub struct Depot;
pub trait Printed {}
impl Printed for IpAddr { fn format(&self) {} }
pub type Result<T> = std::result::Result<T, Debug>;
//- src/stock.rs
pub struct Stock { pub size: u32 }
impl Stock {
    pub fn count(&self) -> u32 { self.size }
}
pub struct Error;
//- docs/rust.md
# Stock

Read [count](https://docs.rs/shop-core/latest/shop_core/stock/struct.Stock.html#method.count).

```rust
use shop_core::stock::{Stock, Error as StockError};
use std::io::Error;

fn show(stock: Stock) {
    stock.count();
}

fn other() -> shop_core::stock::Error {}
```
//- stalls/__init__.py
from ._impl import open_stall as rent
//- stalls/_impl.py
def open_stall(): ...
class Crier:
    def on_arrival(self, name): ...
    def shout_prices(self): ...
//- stalls/rows.ts
export interface StallRow { size: number }
//- docs/stalls.rst
Stalls
======

Call :func:`stalls.rent` or ``stalls.rent()``, and not ``stalls.close``.

.. code-block:: python

   from othermarket import Bell
   from stalls_bells import LoudBell
   from stalls import rent

   bell = Bell()
   own = LoudBell()

   @bell.on_arrival("Ada")
   def ring():
       bell.shout_prices()

   own.shout_prices()

.. code-block:: typescript

   class Rows<StallRow extends object> { first(): StallRow }

Then ``bell.shout_prices()`` calls.
//- docs/labels.md
# Paper

A [`Sticker`] is no [`Depot`], and `Depot.toml` has the `IpAddr`.
It is in the [`stock`], and [`peel()`] takes it.
Use `sheet!`, and not `format!`.

[`Sticker`]: @api/next/shop_core/struct.Sticker.html
[`Depot`]: @halls/struct.Depot.html
[`stock`]: @api/next/shop_core/stock/index.html
[`peel()`]: ../../api/shop_core/struct.Sticker.html#method.peel

```rust
use shop_core::{stock, tags::Debug as Shown, tags};
use shop_core::paper::print_sheet;

#[derive(Debug, Clone)]
struct Own;

fn show() -> Result<()> {
    let all = sheet![1, 2];
    print_sheet(format!("{}", all));
    shop_core::depot();
    stock::Error(all);
}
```
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("languages"), TEXT)


def named(content: GraphContent, path: str) -> dict[int, set[str]]:
    """Return the symbols that each line of a document names."""
    symbols = {symbol.id: symbol for symbol in content.symbols}
    found: dict[int, set[str]] = {}
    for edge in content.mentions:
        if symbols[edge.from_id].relative_path == path:
            target = symbols[edge.to_id]
            for line in edge.lines:
                found.setdefault(line, set()).add(f"{target.relative_path.rpartition('/')[2]}#{target.qualified_name}")
    return found


def test_blocks_of_cpp_name_members_behind_arrows_and_the_declarations_in_headers(content: GraphContent) -> None:
    cart = "cart.hpp#shop.Cart"
    assert named(content, "docs/cpp.md") == {
        4: {cart},
        5: {f"{cart}.add_item"},
        6: {cart},
        7: {f"{cart}.add_item", f"{cart}.total"},
        10: {f"{cart}.add_item"},
    }


def test_blocks_of_php_import_classes_and_names_have_namespaces(content: GraphContent) -> None:
    assert named(content, "docs/php.md") == {
        3: {"Till.php#Till", "Level.php#Level", "Level.php#Level.Low"},
        7: {"Till.php#Till"},
        8: {"Level.php#Level"},
        11: {"Till.php#Till"},
        12: {"Till.php#Till.openDrawer", "Level.php#Level", "Level.php#Level.Low"},
        14: {"Till.php#Till"},
        15: {"Till.php#Till.openDrawer"},
    }


def test_blocks_of_kotlin_name_extensions_and_members_of_the_ancestor(content: GraphContent) -> None:
    file = "Command.kt#"
    found = named(content, "docs/kotlin.md")
    assert found[3] == {f"{file}total", f"{file}Command.flag", f"{file}Command.echo"}
    assert found[7] == {f"{file}Command.flag"}
    assert found[8] == {f"{file}Flag.required"}
    assert found[9] == {f"{file}Command.run"}
    assert found[10] == {f"{file}Command.echo"}
    assert 14 not in found
    assert found[16] == {f"{file}total", f"{file}Flag.required"}
    assert 17 not in found


def test_blocks_of_csharp_name_extensions_and_the_text_means_what_they_use(content: GraphContent) -> None:
    file = "Spec.cs#"
    assert named(content, "docs/csharp.md") == {
        3: {f"{file}BuilderExtensions.Sorted"},
        8: {f"{file}Spec"},
        12: {f"{file}Spec.Query", f"{file}BuilderExtensions.Where"},
        13: {f"{file}BuilderExtensions.Sorted"},
    }


def test_the_form_of_a_name_chooses_among_symbols(content: GraphContent) -> None:
    assert named(content, "docs/forms.md") == {
        2: {"TeaCrate.cs#TeaCrate", "TeaCrate.TItem.cs#TeaCrate"},
        3: {"TeaCrate.TItem.cs#TeaCrate.FillLimit"},
        4: {"Stall.kt#Stall", "Marks.kt#Stall"},
        5: {"PricedByAttribute.cs#PricedByAttribute"},
    }


def test_members_of_values_are_no_options_and_folders_of_any_subject_choose_no_type(content: GraphContent) -> None:
    assert named(content, "docs/counters.md") == {2: {"counter.ts#openSlot", "counter.ts#Counter.recount"}}
    assert named(content, "docs/configuration/rows.md") == {}


def test_the_section_or_its_blocks_name_the_type_of_a_member(content: GraphContent) -> None:
    assert named(content, "docs/stocks.md") == {
        2: {"Stock.cs#StockMode", "Stock.cs#StockAttribute.LeastCountShown"},
        5: {"Stock.cs#StockAttribute"},
        8: {"Stock.cs#StockMode.Halved"},
    }


def test_parameters_of_functions_that_are_arguments_have_types(content: GraphContent) -> None:
    file = "Scan.cs#"
    assert named(content, "docs/scan.md") == {
        4: {f"{file}ShelfExtensions.Scan"},
        5: {f"{file}ISelector.Take", f"{file}IFilter.Only"},
        6: {f"{file}ISelector.Lasting"},
        7: {f"{file}ScanPlan", f"{file}ISelector.Lasting"},
        8: {f"{file}Prices.Priced"},
        10: {f"{file}Profile"},
        14: {f"{file}Profile.LargestScan"},
    }


def test_a_class_of_ruby_in_several_files_passes_calls_on_to_a_type_inside_of_it(content: GraphContent) -> None:
    found = named(content, "docs/ruby.md")
    assert found[4] == {"kiosk.rb#Kiosk"}
    assert found[5] == {"kiosk.rb#Kiosk", "rules.rb#Kiosk.Rules.allow"}
    assert {each.rpartition(".")[2] for each in found[6]} == {"enabled"}


def test_signs_belong_to_names_of_ruby_and_modules_add_methods_to_classes(content: GraphContent) -> None:
    tags = "tags.rb#Kiosk.Tags"
    found = named(content, "docs/tags.md")
    assert found[3] == {f"{tags}.sold?", f"{tags}.sell!"}
    assert f"{tags}.price_tag" in found[8]
    assert 12 not in found


def test_an_import_of_all_static_members_and_the_names_of_a_plain_enum(content: GraphContent) -> None:
    assert named(content, "docs/java.md") == {6: {"Units.java#Units.of", "Units.java#Units.LARGE"}, 11: {"Units.java#Units"}}
    assert named(content, "docs/settings.md") == {
        5: {"ShopSettings.java#ShopSettings.maxItems"},
        7: {"ShopSettings.java#ShopSettings.Till.homePath"},
        13: {"ShopSettings.java#ShopSettings.maxItems"},
    }
    assert named(content, "docs/level.md") == {4: {"level.hpp#shop.level.level_enum.warn"}}


def test_exports_of_a_package_of_python_and_values_of_other_packages(content: GraphContent) -> None:
    assert named(content, "docs/stalls.rst") == {
        4: {"_impl.py#open_stall"},
        10: {"_impl.py#open_stall"},
        19: {"_impl.py#Crier.shout_prices"},
    }


def test_exports_macros_and_pages_of_rust(content: GraphContent) -> None:
    sticker, sheet = "labels.rs#Sticker", "labels.rs#sheet"
    assert named(content, "docs/labels.md") == {
        3: {sticker},
        4: {f"{sticker}.peel"},
        5: {sheet},
        13: {"tags.rs#Debug"},
        14: {"labels.rs#print_sheet"},
        20: {sheet},
        21: {"labels.rs#print_sheet"},
        22: {"lib.rs#depot"},
        23: {"stock.rs#Error"},
    }
    section = next(symbol.id for symbol in content.symbols if symbol.name == "Paper")
    files = {(edge.to_id, line) for edge in content.file_mentions if edge.from_id == section for line in edge.lines}
    assert files == {("src/stock.rs", 4), ("src/stock.rs", 13), ("src/tags.rs", 13), ("src/lib.rs", 14)}
    assert [edge.to_id for edge in content.unresolved_mentions if edge.from_id == section] == []


def test_blocks_of_rust_import_types_and_links_to_their_pages_are_followed(content: GraphContent) -> None:
    file = "stock.rs#"
    assert named(content, "docs/rust.md") == {
        3: {f"{file}Stock.count"},
        6: {f"{file}Stock", f"{file}Error"},
        9: {f"{file}Stock"},
        10: {f"{file}Stock.count"},
        13: {f"{file}Error"},
    }


def test_a_package_of_go_is_a_folder_and_its_published_pages_name_declarations(tmp_path: Path) -> None:
    text = """
//- go.mod
module github.com/acme/shop/v2
//- shop.go
package shop
type Cart struct{ Store any }
func New() *Cart { return nil }
func (c *Cart) Total() int { return 0 }
//- redis/store.go
package redis
func New() any { return nil }
//- redis/README.md
# Redis

```go
import (
	"github.com/acme/shop/v2"
	"github.com/acme/shop/redis"
)

cart := shop.New()
cart.Store = redis.New()
cart.Total()
```

See [Total](https://pkg.go.dev/github.com/acme/shop/v2#Cart.Total), [all](https://pkg.go.dev/github.com/acme/shop/v2@v2.1.0),
[other](https://pkg.go.dev/github.com/other/shop#Cart.Total) and [stores](https://github.com/acme/shop/tree/main/redis).
"""
    content = analysed(tmp_path, text)
    assert named(content, "redis/README.md") == {
        9: {"shop.go#New"},
        10: {"shop.go#Cart.Store", "store.go#New"},
        11: {"shop.go#Cart.Total"},
        14: {"shop.go#Cart.Total"},
    }
    assert {edge.to_id for edge in content.file_mentions if edge.evidence == "link"} == {"shop.go"}


def test_a_list_of_options_and_names_that_internal_code_does_not_have(tmp_path: Path) -> None:
    text = """
//- shop.go
package shop
type Options struct {
	MaxItems int
	OnSale func()
	HomePath string
	Prefix string
	Date string
}
//- other/other.go
package other
type Page struct{ Prefix string }
//- internal/tree/tree.go
package tree
type Node struct{ keys []string }
//- README.md
# Shop

## Options of `shop.Options`

- `MaxItems`: limit
- `OnSale`: called for each sale
- `HomePath`: folder
- `Prefix`: the beginning
- `Date`: the day
- `Gone`: nothing

The old `Node.Write` is gone, and `keys()` too.
"""
    content = analysed(tmp_path, text)
    found = named(content, "README.md")
    assert {line: names for line, names in found.items() if 3 < line < 10} == {
        line: {f"shop.go#Options.{name}"} for line, name in enumerate(("MaxItems", "OnSale", "HomePath", "Prefix", "Date"), 5)
    }
    assert 10 not in found
    assert 12 not in found


def test_classes_of_ruby_call_what_modules_beside_their_base_add(tmp_path: Path) -> None:
    text = """
//- lib/shop/carts/base.rb
module Shop
  module Carts
    class Base
      include Shop::Carts::Keeping
      extend Shop::Carts::Setting
    end
    class Other
      def find; end
    end
  end
end
//- lib/shop/carts/keeping.rb
module Shop
  module Carts
    module Keeping
      def keep!; end
      def label; end
    end
    module Setting
      def storage(kind); end
      def version(name); end
    end
  end
end
//- lib/shop/tills/base.rb
module Shop
  module Tills
    class Base
      def label; end
    end
  end
end
//- lib/shop/tills/register.rb
module Shop
  class Register
    module ClassMethods
      def open(kind); end
    end
    module InstanceMethods
      def open(kind); end
    end
  end
  module Tax
    module RegisterMethods
      def add_tax(rate); end
    end
  end
end
//- docs/registers.md
# Registers

```ruby
Shop::Register.open(:file)
Shop::Register.validate do
  add_tax 3
end
```

See `Register#add_tax`.
//- docs/carts.md
# Carts

```ruby
class MyCart < Shop::Carts::Base
  storage :file
  version 'small' do
    find :all
  end
  def label
    "mine"
  end
end
```

```ruby
cart = MyCart.new
cart.keep!(1)
till.keep! if till
till.other! if till
```
"""
    content = analysed(tmp_path, text)
    registers = named(content, "docs/registers.md")
    assert registers[4] >= {"register.rb#Shop.Register.ClassMethods.open"}
    assert registers[6] == {"register.rb#Shop.Tax.RegisterMethods.add_tax"}
    assert registers[10] == {"register.rb#Shop.Tax.RegisterMethods.add_tax", "register.rb#Shop.Register"}
    base, modules = "base.rb#Shop.Carts.Base", "keeping.rb#Shop.Carts"
    found = {line: {name for name in names if name != base} for line, names in named(content, "docs/carts.md").items()}
    assert {line: names for line, names in found.items() if names} == {
        4: {"base.rb#Shop.Carts"},
        5: {f"{modules}.Setting.storage"},
        6: {f"{modules}.Setting.version"},
        9: {f"{modules}.Keeping.label"},
        17: {f"{modules}.Keeping.keep!"},
    }


def test_guards_signatures_and_inner_classes_of_options(tmp_path: Path) -> None:
    text = """
//- include/shop/shop.hpp
#ifndef SHOP_HPP
#define SHOP_HPP
namespace shop {
template <typename E> int open_cart(E value);
namespace carts {
class Box { public: int total(); };
}
}
#endif
//- package.json
{"name": "checks", "exports": "./src/checks.ts"}
//- declarations/other.d.ts
declare module "other" {
  namespace other {
    export function isPaid(text: string): boolean;
  }
}
//- src/checks.ts
export interface Checks { isPaid(options?: PaidOptions): Checks }
export class ChecksOfCart implements Checks { isPaid(options?: PaidOptions): Checks { return this } }
export interface PaidOptions { min_sum?: number; with_tax?: boolean; card?: string }
//- py/lists/__init__.py
from .lists import Listing
//- py/lists/lists.py
class ListingOptions:
    def __init__(self, meta):
        self.model = meta.model
        self.page_size = meta.page_size
class Listing: ...
//- docs/names.md
# Names

```cpp
shop::open_cart<Size>(x);
```

The `shop` is built with CMake.

## `isPaid()`

```ts
isPaid(options?: {
  min_sum?: number;
  with_tax?: boolean;
  card?: string;
}): Checks
```

## Listings

```python
class Carts(Listing):
    class Meta:
        model = Cart
        page_size = 20

class Forms(ModelForm):
    class Meta:
        model = Cart
```
"""
    found = named(analysed(tmp_path, text), "docs/names.md")
    assert len(found[4]) == 1
    assert found[4].pop().endswith("open_cart")
    options, checks = "checks.ts#PaidOptions", "checks.ts#Checks"
    assert 7 not in found  # the project
    assert found[9] == {f"{checks}.isPaid"}
    assert found[13] == {f"{options}.min_sum"}
    assert found[14] == {f"{options}.with_tax"}
    assert found[15] == {f"{options}.card"}
    assert found[24] == {"lists.py#ListingOptions.model"}
    assert found[25] == {"lists.py#ListingOptions.page_size"}
    assert 29 not in found


def test_names_of_php_have_namespaces_without_an_import(tmp_path: Path) -> None:
    text = """
//- composer.json
{"name": "acme/till", "autoload": {"psr-4": {"Acme\\\\": "src/"}}}
//- src/Till.php
<?php
namespace Acme;
class Till {
    public function openDrawer(Level $level) {}
}
//- src/functions.php
<?php
namespace Acme;
if (!function_exists('Acme\\make')) {
    function make(string $name): Till {}
}
//- src/Factory.php
<?php
namespace Acme;
class Factory { public static function make() {} }
//- src/Level.php
<?php
namespace Acme;
enum Level: int {
    case Low = 1;
}
//- src/Rules/Positive.php
<?php
namespace Acme\\Rules;
class Positive {
    public static function check() {}
}
//- src/Chain.php
<?php
namespace Acme;
/**
 * @mixin Rules\\Steps
 */
class Chain {}
//- src/Rules/Steps.php
<?php
namespace Acme\\Rules;
class Steps {
    /** @return static */
    public function begin() {}
    public function end() {}
    public function again() {}
}
//- docs/names.md
# Names

```php
$till = new \\Acme\\Till('x');
$till->openDrawer(Acme\\Level::Low);
new Rules\\Positive;
new \\Other\\Till();
```

```php
use Acme\\Rules as R;
R\\Positive::check();
$made = Acme\\make('x')->openDrawer();
```

Call `Acme\\make()`.
//- docs/chains.md
# Chains

```php
use Acme\\Chain as c;
c::begin();
```
//- docs/more.md
# More chains

```php
c::begin()->end();
```
//- docs/templates.md
# Templates

```php
<?php $this->begin() ?>
<?= $this->end() ?>
```

```php
<?= $this->again() ?>
```
//- docs/other.md
# Other templates

```php
<?php $this->begin() ?>
<?= $this->finish() ?>
<?= $this->again() ?>
```
"""
    content = analysed(tmp_path, text)
    made = "functions.php#if (!function_exists('Acme\\make')) {.make"
    assert named(content, "docs/names.md") == {
        4: {"Till.php#Till"},
        5: {"Till.php#Till.openDrawer", "Level.php#Level", "Level.php#Level.Low"},
        6: {"Positive.php#Positive"},
        12: {"Positive.php#Positive", "Positive.php#Positive.check"},
        13: {made, "Till.php#Till.openDrawer"},
        16: {made},
    }
    steps = "Steps.php#Steps"
    assert named(content, "docs/more.md")[4] >= {f"{steps}.begin", f"{steps}.end"}
    assert named(content, "docs/templates.md") == {4: {f"{steps}.begin"}, 5: {f"{steps}.end"}, 9: {f"{steps}.again"}}
    assert named(content, "docs/other.md") == {}  # no type has all of them


def test_lists_and_tables_name_the_members_of_the_type_or_the_options_in_their_title(tmp_path: Path) -> None:
    text = """
//- package.json
{"name": "shop", "types": "index.d.ts"}
//- index.d.ts
export interface BaseOptions {
  size: number;
  label: string;
}
export interface CartOptions extends BaseOptions {
  paid: boolean;
}
export interface ListOptions {
  size: number;
  wrap: { label: string };
}
export declare class Cart {
  constructor(options: CartOptions);
  total: number;
  items: string[];
  pay(card: string, options?: CartOptions): void;
}
//- README.md
# Shop

## `cart.pay(card, [options])`

- `card` - the card
- `options` - an object with
  - `size` - the number of items
  - `paid` - whether all is paid

    The `label` is only shown.
  - `gone` - nothing

## `Cart`

| field | value |
|---|---|
| [`total`](#total) | sum |
| `size` | of the options |
| `Other` | nothing |

Of `items`, the first counts.

## News of `Cart` and `total`

The `items` are new.
"""
    found = named(analysed(tmp_path, text), "README.md")
    base, cart = "index.d.ts#BaseOptions", "index.d.ts#Cart"
    assert found == {
        3: {f"{cart}.pay"},
        5: {f"{cart}.pay"},
        6: {f"{cart}.pay"},
        7: {f"{base}.size"},
        8: {"index.d.ts#CartOptions.paid"},
        10: {f"{base}.label"},
        13: {cart},
        17: {f"{cart}.total"},
        18: {f"{base}.size"},
        21: {f"{cart}.items"},
        23: {cart, f"{cart}.total"},
    }


def test_links_to_typedoc_lead_to_members_and_types_of_the_own_package(tmp_path: Path) -> None:
    text = """
//- package.json
{"name": "shop", "main": "index.ts"}
//- index.ts
export interface Cart { countItems(): number }
export function openCart(): Cart { return { countItems: () => 1 } }
//- README.md
# Shop

- [count](https://acme.github.io/shop/api/interfaces/index.Cart#countItems)
- [old](https://acme.github.io/shop/interfaces/Cart.html#countitems)
- [open](https://acme.github.io/shop/functions/openCart.html)
- [other](https://acme.github.io/till/functions/openCart.html)
"""
    assert named(analysed(tmp_path, text), "README.md") == {
        3: {"index.ts#Cart.countItems"},
        4: {"index.ts#Cart"},
        5: {"index.ts#openCart"},
    }


def test_a_url_of_a_repository_without_a_manifest_is_recognized_by_its_name_and_path(tmp_path: Path) -> None:
    text = """
//- include/shop/cart.hpp
namespace shop { class Cart {}; }
//- examples/pay.cpp
int main() { return 0; }
//- README.md
# Shop

See [pay](https://github.com/acme/shop/blob/main/examples/pay.cpp) and [other](https://github.com/acme/till/blob/main/examples/pay.cpp).
"""
    content = analysed(tmp_path, text)
    assert [(edge.to_id, edge.lines) for edge in content.file_mentions] == [("examples/pay.cpp", (3,))]


@pytest.mark.parametrize(
    ("url", "extension", "module", "names"),
    [
        ("https://pkg.go.dev/example.com/shop/cart?tab=doc#Open", ".go", "example.com/shop/cart", ("Open",)),
        ("https://docs.rs/shop/1.2.0/shop/fn.open.html", ".rs", "shop", ("open",)),
        ("api/shop/org.shop/-cart/-companion/get-key.html", ".kt", "org/shop", ("Cart", "getKey")),
        ("html/classshop_1_1Cart__Item.html#a12", ".cpp", "", ("shop", "Cart_Item")),
        ("https://acme.github.io/shop/api/interfaces/index.Cart#total-1", ".ts", "shop", ("Cart", "total")),
        ("@api/next/shop/cart/enum.Cart.html#variant.Open", ".rs", "api::next::shop::cart", ("Cart", "Open")),
        ("https://www.shop.dev/docs/next/functions/openCart.html", ".ts", "shop", ("openCart",)),
        ("https://shop.org/api/org/shop/Cart.html#add(int)", ".java", "api/org/shop", ("Cart", "add")),
    ],
)
def test_links_to_published_documentation(url: str, extension: str, module: str, names: tuple[str, ...]) -> None:
    found = published_name(url)
    assert found is not None
    assert (found.extension, found.module, found.names) == (extension, module, names)


@pytest.mark.parametrize(
    "url",
    [
        "https://go.dev/doc",
        "https://pkg.go.dev/",
        "docs/guide.html",
        "classCart.html",
        "a/b/index.html",
        "a/b-c/d.html",
        "https://shop.dev/types",
    ],
)
def test_other_links_are_no_published_documentation(url: str) -> None:
    assert published_name(url) is None


def test_fluent_types_of_csharp_give_themselves_to_their_ancestor(tmp_path: Path) -> None:
    text = """
//- src/Tills/ITill.cs
namespace Shop;
public interface ITillBase<TTill>
{
    TTill Count(int coins);
    TTill Open(Action<IDrawer> drawer);
}
public interface ITill : ITillBase<ITill>
{
    ITill Close();
}
public interface IOther : ITillBase<int>
{
    ITill Close();
}
public interface IDrawer
{
    void Pull();
}
public class Till : ITill
{
    public ITill Count(int coins) => this;
    public ITill Open(Action<IDrawer> drawer) => this;
    public ITill Close() => this;
}
public class Register
{
    public Register(Action<ITill> configure) { }
}
public interface IStep
{
    void Run();
}
//- src/Tills/Coins.cs
public static partial class Coins
{
    public static void Toss(Action act) { }
}
//- src/Tills/CoinsOfTasks.cs
public static partial class Coins
{
    public static void Toss(Task act) { }
}
//- docs/tills.md
# Tills

```csharp
public class Counting : IStep
{
    public void Run()
    {
        var register = new Register(till => till.Count(3).Open(drawer => drawer.Pull()).Close());
    }
}
till.Count(4);
other.Count(5).Close();
tray.Count(6);
Coins.Toss(() => Run());
```
"""
    till = "ITill.cs#ITillBase"
    found = named(analysed(tmp_path, text), "docs/tills.md")
    assert found[8] == {
        f"{till}.Count",
        f"{till}.Open",
        "ITill.cs#IDrawer.Pull",
        "ITill.cs#ITill.Close",
    }
    assert found[11] == {f"{till}.Count"}
    assert "ITill.cs#ITill.Close" not in found.get(12, set())
    assert 13 not in found
    assert "Coins.cs#Coins.Toss" in found[14]
