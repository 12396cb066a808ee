"""What happened to declarations between two texts, in several languages."""

from __future__ import annotations

import pytest
from astrolabe.ingest.changes.symbol_changes import SymbolComparison, symbols_in
from astrolabe.ingest.languages.extraction import extract_facts

PYTHON = """\
import json

LIMIT = 10

class Basket(dict):
    \"\"\"What a customer buys.\"\"\"

    size = 3

    def total(self, tax: float) -> float:
        amount = sum(item.price for item in self.values())
        return amount * (1 + tax)

    def clear(self) -> None:
        self.items = []

def load(path):
    with open(path) as file:
        return Basket(json.load(file))
"""
TYPESCRIPT = """\
import { Item } from './item'

export const limit = 10, unit = 'kg'

export class Basket {
  private items: Item[] = []
  total(tax: number): number {
    const amount = this.items.reduce((sum, item) => sum + item.price, 0)
    return amount * (1 + tax)
  }
}
export const load = (path: string) => new Basket()
"""
GO = """\
package shop

const Limit = 10

type Basket struct {
	Items []Item
}

func (b *Basket) Total(tax float64) float64 {
	sum := 0.0
	for _, item := range b.Items {
		sum += item.Price
	}
	return sum * (1 + tax)
}
"""


def told(language: str, *pairs: tuple[str, str | None, str | None]) -> list[str]:
    """What happened in files, each given by its path and its text in both states."""
    comparison = SymbolComparison()
    for path, old, new in pairs:
        sides = []
        for text in (old, new):
            data = text.encode() if text is not None else b""
            sides.append(symbols_in(extract_facts(data, language), data, path) if text is not None else None)
        comparison.compare(*sides)
    found = []
    for each in comparison.result():
        before, after = each.old or each.shown, each.new or each.shown
        origin = f" < {before.qualified_name}" if before.qualified_name != after.qualified_name else ""
        place = f" < {before.path}" if before.path != after.path else ""
        found.append(f"{each.shown.qualified_name}: {' '.join(each.changes)}{origin}{place}")
    return found


@pytest.mark.parametrize(
    ("language", "source", "old", "new", "expected"),
    [
        ("python", PYTHON, "LIMIT = 10", "LIMIT = 11", ["LIMIT: body"]),
        ("python", PYTHON, "size = 3", "size = 4", ["Basket.size: body"]),
        ("python", PYTHON, "(dict)", "(list)", ["Basket: signature"]),
        ("python", PYTHON, "(1 + tax)", "(2 + tax)", ["Basket.total: body"]),
        ("python", PYTHON, "tax: float", "tax: int", ["Basket.total: signature"]),
        ("python", PYTHON, "def clear", "def empty", ["Basket.empty: renamed < Basket.clear"]),
        ("python", PYTHON, "What a customer buys.", "What somebody buys.", ["Basket: layout"]),
        ("python", PYTHON, "        return amount", "        # with tax\n        return amount", ["Basket.total: layout"]),
        ("python", PYTHON, "amount * (1 + tax)", "(amount * (1 + tax))", ["Basket.total: layout"]),
        ("python", PYTHON, "sum(item.price for item in self.values())", "1, 2", ["Basket.total: body"]),
        ("python", "def f(a):\n    for x in a, 1:\n        pass\n", "a, 1:", "(a, 1):", ["f: layout"]),
        ("python", PYTHON, "import json", "import json as json", []),
        ("python", PYTHON, "        return Basket", "    return Basket", ["load: body"]),
        ("typescript", TYPESCRIPT, "'kg'", '"kg";', ["limit: layout", "unit: layout"]),
        ("typescript", TYPESCRIPT, "limit = 10", "limit = 12", ["limit: body", "unit: body"]),
        ("typescript", TYPESCRIPT, "(path: string)", "(path: string, strict: boolean)", ["load: signature"]),
        ("typescript", TYPESCRIPT, "new Basket()", "new Basket( )", ["load: layout"]),
        ("typescript", TYPESCRIPT, "(path: string)", "( path:string )", ["load: layout"]),
        ("typescript", "export const one = 1\n", "export", "import './two'\nexport", []),
        ("typescript", TYPESCRIPT, "Item[] = []", "Item[] = [one]", ["Basket.items: body"]),
        ("typescript", TYPESCRIPT, "  total(", "  count(", ["Basket.count: renamed < Basket.total"]),
        ("go", GO, "sum += item.Price", "sum += item.Price * 2", ["Basket.Total: body"]),
        ("go", GO, "Items []Item", "Items []*Item", ["Basket.Items: signature"]),
        ("go", GO, "tax float64) float64", "tax, fee float64) float64", ["Basket.Total: signature"]),
        ("go", GO, "Limit = 10", "Limit = 10 // at most", ["Limit: layout"]),
    ],
)
def test_one_edit_is_told_as_what_it_is(language: str, source: str, old: str, new: str, expected: list[str]) -> None:
    assert old in source
    assert told(language, ("shop", source, source.replace(old, new))) == expected


def test_an_added_class_comes_with_its_members() -> None:
    added = PYTHON + "\nclass Voucher:\n    def apply(self): ...\n"
    assert told("python", ("shop.py", PYTHON, added)) == ["Voucher: added", "Voucher.apply: added"]
    assert told("python", ("shop.py", added, PYTHON)) == ["Voucher: removed", "Voucher.apply: removed"]


def test_a_renamed_class_keeps_its_members() -> None:
    changed = PYTHON.replace("Basket", "Cart").replace("(1 + tax)", "(2 + tax)")
    assert told("python", ("shop.py", PYTHON, changed)) == [
        "Cart: renamed < Basket",
        "Cart.total: body < Basket.total",
        "load: body",
    ]


def test_overloads_are_paired_by_their_signatures() -> None:
    one = "    int price(int cost) {\n        return cost * 2;\n    }\n"
    two = "    static int price(Item item) {\n        return item.cost;\n    }\n"
    old, new = (f"class Shop {{\n{body}}}\n" for body in (one, two + one))
    assert told("java", ("Shop.java", old, new)) == ["Shop.price: added"]
    assert told("java", ("Shop.java", new, old)) == ["Shop.price: removed"]
    assert told("java", ("Shop.java", new, new.replace("cost * 2", "cost * 3"))) == ["Shop.price: body"]
    changed = new.replace("int cost)", "long cost)").replace("item.cost", "item.cost + 1")
    assert told("java", ("Shop.java", new, changed)) == ["Shop.price: body", "Shop.price: signature"]


def test_a_function_moves_to_another_file() -> None:
    head, load = PYTHON.split("def load")
    other = "def save(path): ...\n"
    assert told("python", ("shop.py", PYTHON, head), ("files.py", other, f"{other}\ndef load{load}")) == ["load: moved < shop.py"]


def test_short_declarations_of_other_names_are_not_taken_for_renamed() -> None:
    assert told("python", ("a.py", "def one(): return 1\n", "def two(): return 2\n")) == ["one: removed", "two: added"]


def test_broken_code_and_empty_files_are_compared() -> None:
    assert told("python", ("a.py", "def f(:\n", "")) is not None
    assert told("typescript", ("a.ts", "", "export function f() {}")) == ["f: added"]
    assert told("go", ("a.go", None, GO))[0] == "Limit: added"
