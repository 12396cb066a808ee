"""Links in doc comments: inherited members, types with their constructors, and the notations of further languages."""

from __future__ import annotations

import pytest
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

TEXT = """
//- cs/Cart.cs
namespace Shop;
/// <summary>A cart, see <see cref="Item.Price"/>.</summary>
public class Cart<T> {
    /// <inheritdoc cref="Item"/>
    /// <exception cref="ShopException">Too many, see <see cref="System.String"/>.</exception>
    public void Pay() {}
}
public class Item { public int Price { get; } }
public class ShopException {}
//- php/Till.php
<?php
class Drawer {
    public function close() {}
}
class Till extends Drawer {
    /**
     * Opens.
     *
     * @see Drawer::close()
     * @see https://example.com/Drawer
     * @throws \\Acme\\TillError if closed
     */
    public function open() {}
}
class TillError {}
//- lib/stock.rb
class Shelf
  def count; end
end

# Uses {Shelf#count}.
# @see Shelf
class Stock
end
//- include/bag.hpp
/// A handle.
class Handle { public: void lift(); };
/// A bag, see @ref Handle and \\see Handle::lift.
class Bag {};
//- src/main/java/org/shop/Base.java
package org.shop;
/** A base. */
public class Base {
  /** Sums up. */
  public int total() { return 0; }
}
//- src/main/java/org/shop/Order.java
package org.shop;
/** An {@link Order} has {@link Order#total()} and {@link #total()}. */
public class Order extends Base {
  /** Makes an {@link Order}. @throws OrderError never */
  public Order() {}
}
class OrderError {}
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("comments"), TEXT)


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ("cs/Cart.cs#Cart", {"Item.Price"}),
        ("cs/Cart.cs#Cart.Pay", {"Item", "ShopException"}),
        ("php/Till.php#Till.open", {"Drawer.close", "TillError"}),
        ("lib/stock.rb#Stock", {"Shelf.count", "Shelf"}),
        ("include/bag.hpp#Bag", {"Handle", "Handle.lift"}),
        ("src/main/java/org/shop/Order.java#Order", {"Base.total"}),
        ("src/main/java/org/shop/Order.java#Order.Order", {"Order", "OrderError"}),
    ],
)
def test_doc_comments_link_to_declarations(content: GraphContent, source: str, targets: set[str]) -> None:
    symbols = {symbol.id: symbol for symbol in content.symbols}
    names = {key: f"{symbol.relative_path}#{symbol.qualified_name}" for key, symbol in symbols.items()}
    found = {symbols[edge.to_id].qualified_name for edge in content.mentions if names[edge.from_id] == source}
    assert found == targets
