"""Links in doc comments as MENTIONS, in a new index and after an update."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from incremental_report.__main__ import check
from written_workspace import write

MENTIONS = (
    "MATCH (s:Symbol)-[m:MENTIONS]->(o) WHERE m.kind = 'comment' "
    "RETURN s.qualifiedName, coalesce(o.qualifiedName, o.specifier), m.evidence, m.reason, m.lines ORDER BY s.qualifiedName"
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            '''
//- shop/__init__.py
//- shop/cart.py
class Cart:
    def total(self):
        """Sum up, as :meth:`add` and :func:`~shop.prices.net_price` do.

        :class:`Nothing` is elsewhere, see :func:`the prices <shop.prices.gross>`.
        """
    def add(self): ...
//- shop/prices.py
def net_price(): ...
def gross(): ...
''',
            [("Cart.total", "Cart.add", [3]), ("Cart.total", "net_price", [3]), ("Cart.total", "gross", [5])],
        ),
        (
            """
//- shop/Cart.java
package shop;
/** Holds what {@link Item} and {@link java.util.List} hold. @see #total */
public class Cart {
  /** Calls {@link Item#price(int)}. */
  int total() { return 0; }
}
//- shop/Item.java
package shop;
public class Item { int price(int count) { return 0; } }
""",
            [("Cart", "Item", [2]), ("Cart", "Cart.total", [2]), ("Cart.total", "Item.price", [4])],
        ),
        (
            """
//- cart/cart.go
package cart

// Cart has an [Item] and calls [Item.Price], see [io.Reader] and [the docs](x).
type Cart struct{}
//- cart/item.go
package cart

type Item struct{}

func (i Item) Price() int { return 0 }
""",
            [("Cart", "Item", [3]), ("Cart", "Item.Price", [3])],
        ),
        (
            """
//- src/cart.rs
/// Holds [`Item`]s; see [`Item::price`], [the sum](crate::cart::total) and [`Vec`].
pub struct Cart {}
pub struct Item {}
impl Item {
    pub fn price(&self) {}
}
pub fn total() {}
""",
            [("Cart", "Item", [1]), ("Cart", "Item.price", [1]), ("Cart", "total", [1])],
        ),
    ],
    ids=["python", "java", "go", "rust"],
)
def test_links_in_doc_comments(tmp_path: Path, code: str, expected: list[tuple[str, str, list[int]]]) -> None:
    root = tmp_path / "project"
    write(root, code)
    with Workspace.locate(root) as workspace:
        workspace.index()
        rows = workspace.cypher(MENTIONS).rows
    assert sorted((row[0], row[1], row[4]) for row in rows) == sorted(expected)
    assert {(row[2], row[3]) for row in rows} == {("link", "")}
    sources = [each for each in sorted(root.rglob("*")) if each.suffix in (".py", ".java", ".go", ".rs") and each.read_bytes()]
    path = sources[-1]
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("price", "cost").replace("Price", "Cost"), encoding="utf-8")
    with Workspace.locate(root) as workspace:
        workspace.index()
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


PROSE = """
//- package.json
{"name": "shop", "repository": {"type": "git", "url": "git+https://github.com/Acme/shop.git"}}
//- src/cart.ts
export class Cart {
  total() { return 0 }
}
//- README.md
# Shop
[here](https://github.com/acme/shop/blob/main/src/cart.ts#L2-L2), [raw](https://raw.githubusercontent.com/acme/shop/v1/src/cart.ts),
[theirs](https://github.com/other/shop/blob/main/src/cart.ts), [gone](https://github.com/acme/shop/blob/main/src/gone.ts)
//- docs/guide.mdx
import Note from "./note"

# Guide

`Cart.total` adds up, see [the code](../src/cart.ts) and [below](#below).

## Below

<Note>`Cart`</Note>

<Tabs>
  <TabItem value="sum">

        It is the sum of a `Cart`.

  </TabItem>
</Tabs>
"""


def test_the_name_of_a_field_alone_leads_to_no_contract(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, "//- a.graphql\ntype Visit { petId: ID! }\n//- a.md\n`petId` `Visit.petId`\n")
    with Workspace.locate(root) as workspace:
        workspace.index()
        rows = workspace.cypher("MATCH (:Symbol)-[m:MENTIONS]->(o:Symbol) RETURN o.qualifiedName, m.columns").rows
    assert sorted(rows) == [("Visit", [10]), ("Visit.petId", [10])]


def test_urls_of_the_repository_and_prose_of_mdx_lead_to_code(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, PROSE)
    named = "coalesce(o.qualifiedName, o.relativePath, o.specifier)"
    mentions = f"MATCH (s:Symbol)-[m:MENTIONS]->(o) RETURN s.relativePath, {named}, m.lines"
    indented = "MATCH (s:Symbol)-[m:MENTIONS]->(o:Symbol) WHERE 14 IN m.lines RETURN o.name, m.columns"
    with Workspace.locate(root) as workspace:
        workspace.index()
        rows = sorted(workspace.cypher(mentions).rows)
        assert workspace.cypher(indented).rows == [("Cart", [8, 29])]
    assert rows == [
        ("README.md", "Cart.total", [2]),
        ("README.md", "src/cart.ts", [2]),
        ("docs/guide.mdx", "Cart", [5]),
        ("docs/guide.mdx", "Cart", [9, 14]),
        ("docs/guide.mdx", "Cart.total", [5]),
        ("docs/guide.mdx", "src/cart.ts", [5]),
    ]
    write(root, "//- src/cart.ts\nexport class Cart {\n  sum() { return 0 }\n}\n")
    with Workspace.locate(root) as workspace:
        workspace.index()
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
