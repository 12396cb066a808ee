"""Signatures, type flows and members of Go and Java, whose declarations state the types."""

from __future__ import annotations

import pytest
from astrolabe.server.api.workspace import Workspace, open_workspace
from written_workspace import write

SHOP = """
//- go.mod
module example.com/shop
//- shop.go
package shop

type Item struct{ Price int }

type Cart struct{ items map[string]*Item }

type Filter struct{ Least int }

type Keeper interface {
	Keep(item *Item) (kept bool, err error)
}

func (c *Cart) Take(name string, filters ...Filter) (*Item, error) {
	if c == nil {
		return nil, nil
	}
	if c.items != nil {
		return c.items[name], nil
	}
	return nil, nil
}

func Named(value any) string {
	switch of := value.(type) {
	case Item, *Cart:
		return "sold"
	case nil:
		_ = of
	}
	if _, ok := value.(Filter); ok {
		return "filter"
	}
	return ""
}

func Each(c Cart, use func(item Item, place int) (stop bool), options struct{ Only *Filter }) {}

func Put(*Cart, *Cart, Item) {}

func Two(_ Cart, _ Item) {}

func Label(text string) (string, error) { return text, nil }
//- more.go
package shop

func (Cart) Size() int { return 0 }

func (f Filter) Fits(item Item) bool { return item.Price >= f.Least }
//- till/till.go
package till

import (
	"io"

	"example.com/shop"
)

var _ io.Writer = Log{}

func Count(cart shop.Cart) int { return cart.Size() }

type Log struct{}

func (Log) Write(data []byte) (int, error) { return len(data), nil }

func Note(log Log) { log.Write(nil) }
//- src/shop/Desk.java
package shop;

class Desk { Orders.Order order; }
//- src/shop/Orders.java
package shop;

import java.util.List;
import java.util.Optional;

class Orders {
    static class Order {}

    Optional<Order> latest(List<? extends Order> orders, int... places) {
        if (orders == null) return Optional.empty();
        return Optional.of(orders.get(0));
    }

    Orders(int count) {}

    private Order last;

    void rank(Order cls, Order other) {}

    boolean isOpen(Object given) { return given instanceof Order && last != null; }
}
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("stated")
    write(root, SHOP)
    return open_workspace(root)


FLOWS = [
    ("Cart > Take", {"name": [], "filters": ["Filter"]}, ["Item"]),
    ("Keeper > Keep", {"item": ["Item"]}, None),
    ("Each", {"c": ["Cart"], "use": ["Item"], "options": ["Filter"]}, None),
    ("Orders > latest", {"orders": ["Order"], "places": []}, ["Order"]),
]


@pytest.mark.parametrize(("symbol", "parameters", "result"), FLOWS)
def test_types_of_parameters_and_results(
    shop: Workspace, symbol: str, parameters: dict[str, list[str]], result: list[str] | None
) -> None:
    flows = shop.symbol(symbol).type_flows()
    assert {each.name: [type.name for type in each.resolved_types] for each in flows.parameters} == parameters
    found = flows.return_type
    assert (None if found is None else [type.name for type in found.resolved_types]) == result


def test_types_are_shown_as_they_are_written(shop: Workspace) -> None:
    take = shop.symbol("Cart > Take").type_flows()
    assert take.return_type is not None
    assert (take.parameters[1].type, take.return_type.type) == ("Filter", "(*Item, error)")
    signature = shop.symbol("Orders > latest").signature().declarations[0]
    assert [(each.name, each.type, each.rest) for each in signature.parameters] == [
        ("orders", "List<? extends Order>", False),
        ("places", "int", True),
    ]
    assert (signature.type, shop.symbol("Orders > last").signature().declarations[0].type) == ("Optional<Order>", "Order")


def test_importers_of_a_file_import_its_package_or_need_no_import(shop: Workspace) -> None:
    """The edge of an import in Go leads to one file of the package."""
    for path in ("shop.go", "more.go"):
        assert [(each.from_path, each.to_path) for each in shop.file(path).importers().files] == [("till/till.go", path)]
    nothing = shop.file("src/shop/Orders.java").importers().nothing
    assert nothing is not None
    assert nothing.message == "No file imports it. 1 file uses it without an import: src/shop/Desk.java."


def test_callers_tell_what_a_method_implements_outside_of_the_repository(shop: Workspace) -> None:
    found = shop.symbol("Log > Write").callers()
    note = "It implements io.Writer.Write of go, through which code outside may call it."
    assert [each.symbol.name for each in found.calls] == ["Note"]
    assert note in found.text
    assert note in shop.trace("Log > Write").text


def test_the_name_of_a_class_means_the_class_and_not_its_constructor(shop: Workspace) -> None:
    assert [each.kind for each in shop.symbol("Orders").subject().declarations] == ["class"]
    assert [each.kind for each in shop.symbol("src/shop/Orders.java > Orders").subject().declarations] == ["class"]
    assert [each.kind for each in shop.symbol("Orders > Orders").subject().declarations] == ["constructor"]
    assert ": class" in shop.trace("Orders").text.splitlines()[0]


def test_a_function_without_types_of_the_repository_has_none(shop: Workspace) -> None:
    nothing = shop.symbol("Label").type_flows().nothing
    assert nothing is not None
    assert nothing.kind == "none"


def test_methods_are_members_of_their_type(shop: Workspace) -> None:
    """Methods of Go are declared outside of their type, also in other files of the package."""
    members = shop.symbol("Cart").members().members
    assert [(each.name, each.kind, each.symbol.relative_path) for each in members] == [
        ("items", "property", "shop.go"),
        ("Take", "method", "shop.go"),
        ("Size", "method", "more.go"),
    ]
    assert "Members: items, Take(), Size()" in shop.search("symbol = Cart").text
    assert [each.name for each in shop.symbols(name="Cart").members().sort("name").to_list()] == ["Size", "Take", "items"]
    assert [each.name for each in shop.symbols(name="Fits").parents().to_list()] == ["Filter"]


def test_checks_of_types_and_of_no_value(shop: Workspace) -> None:
    found = {
        name: [(each.kind, each.target, each.against, each.negated) for each in shop.symbol(name).type_guards().guards]
        for name in ("Take", "Named", "Orders > latest", "Orders > isOpen")
    }
    assert found == {
        "Take": [("nullish", "c", "nil", False), ("nullish", "c.items", "nil", True)],
        "Named": [
            ("instanceof", "value", "Item", False),
            ("instanceof", "value", "Cart", False),
            ("nullish", "value", "nil", False),
            ("instanceof", "value", "Filter", False),
        ],
        "Orders > latest": [("nullish", "orders", "null", False)],
        "Orders > isOpen": [("instanceof", "given", "Order", False), ("nullish", "last", "null", True)],
    }


def test_parameters_without_a_name_of_their_own_have_their_own_types(shop: Workspace) -> None:
    def told(symbol: str) -> list[tuple[str, str | None, list[str]]]:
        return [
            (each.name, each.type, [type.name for type in each.resolved_types])
            for each in shop.symbol(symbol).type_flows().parameters
        ]

    assert told("Put") == [("", "*Cart", ["Cart"]), ("", "*Cart", ["Cart"]), ("", "Item", ["Item"])]
    assert told("Two") == [("_", "Cart", ["Cart"]), ("_", "Item", ["Item"])]
    assert told("Orders > rank") == [("cls", "Order", ["Order"]), ("other", "Order", ["Order"])]
