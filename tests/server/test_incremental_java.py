"""What changes of Java files change in the index: it equals one that is built at once, and bodies affect nobody else."""

from __future__ import annotations

from pathlib import Path

from incremental_steps import check_changes

SHOP = """
//- src/main/java/stock/Item.java
package stock;

public class Item {
    public Item next() { return this; }
    public void save() { }
}
//- src/main/java/stock/Shelf.java
package stock;

public interface Shelf { Item first(); }
//- src/main/java/till/Till.java
package till;

import stock.Item;
import stock.Shelf;

public class Till implements Shelf {
    public Item first() { return new Item(); }
    void sell() { first().next().save(); }
}
"""
CALLED = "MATCH (f:Symbol {name: 'sell'})-[:CALLS]->(t:Symbol) RETURN t.name ORDER BY t.name"
OVERRIDDEN = "MATCH (s:Symbol)-[:OVERRIDES]->(t:Symbol) RETURN s.name, t.name"

#: A body, the result of a method, a new overload, and a method that is gone from an interface.
CHANGES = (
    "//- src/main/java/stock/Item.java\npackage stock;\n\npublic class Item {\n    public Item next() { return null; }\n"
    "    public void save() { }\n}\n",
    "//- src/main/java/stock/Item.java\npackage stock;\n\npublic class Item {\n    public Other next() { return null; }\n"
    "    public void save() { }\n}\n",
    "//- src/main/java/stock/Other.java\npackage stock;\n\npublic class Other extends Item {\n"
    "    public void save(int count) { }\n}\n",
    "//- src/main/java/stock/Shelf.java\npackage stock;\n\npublic interface Shelf { }\n",
)


def test_changes_of_a_type_reach_the_files_that_use_it(tmp_path: Path) -> None:
    called = [("first",), ("next",), ("save",)]
    check_changes(tmp_path, SHOP, CHANGES, {CALLED: called, OVERRIDDEN: [("first", "first")]}, {CALLED: called, OVERRIDDEN: []})
