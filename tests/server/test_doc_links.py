"""What doc comments link to: references with the kind "doc", which neither impact nor centrality counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from astrolabe.server.api.workspace import Workspace

FILES = {
    "cart.ts": """\
import { Money as Price } from './money'
/** What a visitor will buy; see {@link total} and {@link Cart#add | adding}. */
export class Cart {
  /** Used by {@linkcode total} and {@link Cart.empty}. */
  static empty = 0
  /**
   * Adds a {@link Price}.
   * @throws {FullCart} beyond the limit
   * @see Cart.empty
   */
  add(price: Price) { return price.cents }
  total() { return Cart.empty }
}
export class FullCart extends Error {}
export namespace Shop {
  /** Opens at {@link hour}, not at {@link Cart}. */
  export function open() { return hour }
  export const hour = 8
}
/** {@link Shop.hour}, {@link Size.small}, {@link https://example.org/Cart}, {@link Unknown} */
export enum Size { small }
export const text = '/** {@link Size} */'
// {@link Size}
""",
    "money.ts": "/** @see https://example.org/Money */\nexport interface Money { cents: number }\n",
    "plain.js": """\
/** Like {@link second} in this file. */
export function first() { return 1 }
export function second() { return 2 }
""",
}


@pytest.fixture(scope="module")
def workspace(indexed_project: Callable[[dict[str, str]], Workspace]) -> Workspace:
    return indexed_project(FILES)


@pytest.mark.parametrize(
    ("symbol", "links"),
    [
        ("Cart > total", [("cart.ts", 2, "total"), ("cart.ts", 4, "total")]),
        ("Cart > add", [("cart.ts", 2, "add")]),
        ("Cart > empty", [("cart.ts", 4, "empty"), ("cart.ts", 9, "empty")]),
        ("Cart", [("cart.ts", 2, "Cart#"), ("cart.ts", 4, "Cart."), ("cart.ts", 9, "Cart."), ("cart.ts", 16, "Cart}")]),
        ("FullCart", [("cart.ts", 8, "FullCart")]),
        ("Money", [("cart.ts", 7, "Price")]),
        ("Shop > hour", [("cart.ts", 16, "hour"), ("cart.ts", 20, "hour")]),
        ("Size", [("cart.ts", 20, "Size")]),
        ("Size > small", [("cart.ts", 20, "small")]),
        ("second", [("plain.js", 1, "second")]),
    ],
)
def test_links_in_doc_comments_are_references(workspace: Workspace, symbol: str, links: list[tuple[str, int, str]]) -> None:
    found = workspace.trace(symbol, include=["references"]).to_json()
    written = {path: text.split("\n") for path, text in FILES.items()}
    expected = [(path, line, written[path][line - 1].index(text) + 1) for path, line, text in links]
    assert [(use["file"], use["line"], use["column"]) for use in found["references"] if use["kind"] == "doc"] == expected


def test_the_place_of_a_link_means_what_it_links_to(workspace: Workspace) -> None:
    found = workspace.trace(file="cart.ts", line=7, column=FILES["cart.ts"].split("\n")[6].index("Price")).to_json()
    assert found["definition"]["name"] == "money.ts > Money"


def test_code_does_not_depend_on_what_its_comments_link_to(workspace: Workspace) -> None:
    found = workspace.trace("FullCart", include=["references", "impact", "calls"]).to_json()
    assert [use["kind"] for use in found["references"]] == ["doc"]
    assert found["impact"]["summary"]["totalSymbolsAffected"] == 0
    assert found["calls"]["incoming"] == ()
