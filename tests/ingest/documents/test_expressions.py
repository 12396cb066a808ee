"""Expressions in spans of code, values with documented or small types, attributes, and paths that blocks and sites name."""

from __future__ import annotations

import msgspec
import pytest
from astrolabe.ingest.documents.names import read_name
from astrolabe.ingest.documents.shown_declarations import DERIVED
from astrolabe.ingest.facts.document_facts import MentionFact
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.resolution.mentioned import meanings
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

from tests.linear_time import is_linear, processor_seconds

TEXT = """
//- include/brew/kettle.hpp
#define BREW_ASSERT(x) check(x)
#define POUR(x) pour_out(x)
namespace brew {
class kettle {
 public:
  void set_heat(int degrees);
  virtual int level() const = 0;
  char lid = 'x';
};
std::shared_ptr<kettle> open_kettle(int size);
inline int filter(int leaves);
class Mill {
 public:
  virtual int grind(int grade) const = 0;
  char lid = 'x';
};
}
//- single/brew.hpp
#define BREW_ASSERT(x) check(x)
#define POUR(x) pour_out(x)
namespace brew {
class kettle {
 public:
  void set_heat(int degrees);
  virtual int level() const = 0;
  char lid = 'x';
};
std::shared_ptr<kettle> open_kettle(int size);
inline int filter(int leaves);
class Mill {
 public:
  virtual int grind(int grade) const = 0;
  char lid = 'x';
};
class cup { void fill(); void drain(); int handle; };
class saucer { void turn(); void stack(); int rim; };
class spoon { void stir(); void drop(); int bowl; };
class shelf_board { void hang(); void mount(); int depth; };
class tray { void lift(); void slide(); int edge; };
}
//- docs/brewing.md
# Brewing

Set it with `->set_heat(90)`, and `filter(leaves)` them.

```cpp
auto pot = brew::open_kettle(3);
pot->set_heat(80);
auto other = std::make_shared<brew::kettle>();
other->level();
POUR(filter(2));
class Mill {
  virtual int grind(int grade) const = 0;
  char lid = 'x';
};
```
//- cs/PriceAttribute.cs
namespace Shop;
public class PriceAttribute : Attribute
{
    public PriceAttribute(int amount) { }
    public bool IncludesTax { get; set; }
}
public class StubTill
{
    public Task VerifyAllSalesAsync() => Task.CompletedTask;
}
//- cs/TillSerializer.cs
namespace Shop.Serializers
{
    public class TillSerializer
    {
        public TillSerializer(int depth = 3) { }
    }
}
//- docs/serializers.md
# Serializers

A `TillSerializer` takes a depth.
//- docs/prices.md
# Prices

Write `[Price(2, IncludesTax = false)]` for a price without tax.

```csharp
public interface ITea
{
    [Price(3, IncludesTax = true)]
    Task Sell([Price(1)] int cups);
}
await http.VerifyAllSalesAsync();
```
//- lib/counter.rb
module Counter
  # Opens a counter.
  #
  # @return [Counter::Desk]
  def self.new(name)
    Desk.open(name)
  end

  class Desk
    def serve_guest(guest); end
    def close; end
  end

  class Bell
  end
end
//- docs/_sidebar.md
* [Counters](guides/counters.md)
//- docs/guides/counters.md
# Counters

Read [brewing](brewing.md) first.

```ruby
# lib/counter.rb
Counter.new("tea") do |desk|
  desk.use Counter::Bell
  desk.close
end
```

The site has [brewing](/brewing.html).
//- java/src/main/java/org/till/Till.java
package org.till;
public class Till {
  public static Options.Builder options() { return new Options.Builder(); }
  public static class Options {
    public static class Builder {
      public Builder withCoins(int count) { return this; }
      public Options build() { return new Options(); }
    }
  }
}
//- docs/till.md
# Tills

Call `Till.options().withCoins(3).build()` first.

```java
import org.till.Till.Options;
```
//- go.mod
module example.org/shelf
//- shelf.go
package shelf

type Rule struct{}

func (r Rule) When(open bool) Rule { return r }

var Required = Rule{}
//- docs/shelf.md
# Shelves

Use `shelf.Required.When` for open shelves.
//- Cargo.toml
[package]
name = "harvest"
version = "1.0.0"
//- src/lib.rs
pub fn pick_leaf() {}
pub fn dry_leaf() {}
//- docs/harvest.md
# Harvest

```rust
use harvest::{
    pick_leaf,
    dry_leaf,
};
```
//- src/main/kotlin/org/pot/Pot.kt
package org.pot
open class Pot {
    open val isHot: Boolean = false
}
//- docs/pots.md
# Pots

```kotlin
class Jug : Pot() {
    override val isHot = true
}
```
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("expressions"), TEXT)


def _named(content: GraphContent, path: str) -> set[str]:
    """Return the lines of a document with the names of the symbols of code that they name."""
    symbols = {symbol.id: symbol for symbol in content.symbols}
    return {
        f"{line} {symbols[edge.to_id].qualified_name}"
        for edge in content.mentions
        if symbols[edge.from_id].relative_path == path
        for line in edge.lines
    }


def _files(content: GraphContent, path: str) -> set[str]:
    symbols = {symbol.id: symbol for symbol in content.symbols}
    return {
        f"{line} {edge.to_id}"
        for edge in content.file_mentions
        if symbols[edge.from_id].relative_path == path
        for line in edge.lines
    }


def test_values_of_cpp_come_from_functions_of_namespaces_and_smart_pointers(content: GraphContent) -> None:
    kettle = "brew.kettle"
    assert _named(content, "docs/brewing.md") == {
        f"3 {kettle}.set_heat",
        "3 brew.filter",
        "6 brew.open_kettle",
        f"7 {kettle}.set_heat",
        f"8 {kettle}",
        f"9 {kettle}.level",
        "10 POUR",
        "10 brew.filter",
        "11 brew.Mill",
        "12 brew.Mill.grind",
        "13 brew.Mill.lid",
    }


def test_a_header_that_repeats_other_files_is_no_declaration(content: GraphContent) -> None:
    symbols = {symbol.id: symbol for symbol in content.symbols}
    of_brewing = [each for each in content.mentions if symbols[each.from_id].relative_path == "docs/brewing.md"]
    assert {symbols[each.to_id].relative_path for each in of_brewing} == {"include/brew/kettle.hpp"}


def test_attributes_of_csharp_are_types_and_their_named_arguments_are_members(content: GraphContent) -> None:
    price = "PriceAttribute"
    assert _named(content, "docs/prices.md") == {
        f"3 {price}",
        f"3 {price}.IncludesTax",
        f"8 {price}",
        f"8 {price}.IncludesTax",
        f"9 {price}",
        "11 StubTill.VerifyAllSalesAsync",
    }


def test_a_type_inside_of_a_namespace_is_meant_and_not_its_constructor(content: GraphContent) -> None:
    assert _named(content, "docs/serializers.md") == {"3 Shop.Serializers.TillSerializer"}


def test_blocks_of_ruby_get_the_new_object_and_comments_state_its_type(content: GraphContent) -> None:
    assert _named(content, "docs/guides/counters.md") == {
        "7 Counter",
        "7 Counter.new",
        "8 Counter.Bell",
        "8 Counter",
        "9 Counter.Desk.close",
    }


def test_a_comment_that_states_another_result_changes_what_a_name_means(content: GraphContent) -> None:
    facts = extract_facts(b"", "ruby", with_strings=False)
    symbol = next(each for each in content.symbols if each.qualified_name == "Counter.new")
    other = msgspec.structs.replace(symbol, doc="@return [Counter::Bell]")
    assert "@return [Counter::Desk]" in symbol.doc
    assert meanings([symbol], facts)["new"] != meanings([other], facts)["new"]


def test_sites_and_comments_of_blocks_name_files(content: GraphContent) -> None:
    assert _files(content, "docs/guides/counters.md") == {"3 docs/brewing.md", "6 lib/counter.rb", "13 docs/brewing.md"}


def test_chains_in_the_text_name_each_member(content: GraphContent) -> None:
    builder = "Till.Options.Builder"
    assert _named(content, "docs/till.md") == {
        "3 Till.options",
        f"3 {builder}.withCoins",
        f"3 {builder}.build",
        "6 Till.Options",
    }
    assert _named(content, "docs/shelf.md") == {"3 Rule.When"}


def test_each_line_of_an_import_names_what_it_imports(content: GraphContent) -> None:
    assert _named(content, "docs/harvest.md") == {"5 pick_leaf", "6 dry_leaf"}


def test_types_in_blocks_override_properties(content: GraphContent) -> None:
    assert _named(content, "docs/pots.md") == {"4 Pot", "5 Pot.isHot"}


def test_chains_are_read_as_names() -> None:
    name = read_name("Cart.open(Size.of(3)).add(tea)?.total")
    assert name is not None
    assert name.parts == ("Cart", "open", "add", "total")
    assert name.is_chain


@pytest.mark.parametrize("text", ["// [", "[A(", "a(", "a.b(c).", "->a("])
def test_expressions_are_read_in_linear_time(text: str) -> None:
    def read(count: int) -> float:
        body = "# A\n\n" + f"`{text * 4}`\n" * count + "\n```csharp\n" + text * count + "\n```\n"
        return processor_seconds(lambda: extract_facts(body.encode(), "markdown", with_strings=False))

    assert is_linear(read, 400)


def test_what_documents_show_is_compared_in_linear_time() -> None:
    def compare(count: int) -> float:
        mentions = [MentionFact(0, "import", f"shop{place}", 1, 1, [f"Base{place}"], ".py") for place in range(count)]
        mentions += [MentionFact(0, DERIVED, "", 1, 1, [f"Cart{place}", f"Base{place}"], ".py") for place in range(count)]
        facts = msgspec.structs.replace(extract_facts(b"", "markdown", with_strings=False), mentions=mentions)
        return processor_seconds(lambda: meanings([], facts))

    assert is_linear(compare, 2_000)
