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


NAMED = """
//- src/main/java/stock/Item.java
package stock;

public class Item {
    int size;
    public Item() { }
    public Item next() { return this; }
    public void save(Object all) { }
}
//- src/main/java/other/Item.java
package other;

public class Item { public void save(Object all) { } public Item next() { return this; } }
//- src/main/java/stock/Shelf.java
package stock;

import java.util.List;

public class Shelf {
    protected List<Item> items;
    public Item first() { return items.get(0); }
}
//- src/main/java/till/Till.java
package till;

class Till extends Desk {
    void sell() { var one = desk().shelf.first(); one.next().save("all"); }
}
//- src/main/java/till/Desk.java
package till;

import stock.Shelf;

class Desk {
    Shelf shelf;
    Desk desk() { return this; }
}
//- src/main/java/till/Maker.java
package till;

class Maker extends stock.Item {
    stock.Item made() { return new stock.Item(); }
}
"""
SAVED = "MATCH (f:Symbol {name: 'sell'})-[:CALLS]->(t:Symbol) RETURN t.qualifiedName AS n, t.startLine ORDER BY n"
_ITEM = "//- src/main/java/stock/Item.java\npackage stock;\n\npublic class Item {\n%s}\n"
_SHELF = "//- src/main/java/stock/Shelf.java\npackage stock;\n\nimport java.util.List;\n%s\npublic class Shelf {\n%s}\n"

#: An overload, another constructor and field, a type from another package by an import alone, a result that leads elsewhere, and
#: a class that no longer has the method.
MEMBER_CHANGES = (
    _ITEM
    % "    int size;\n    public Item() { }\n    public Item next() { return this; }\n    public void save(Object all) { }\n"
    "    public void save(String name) { }\n",
    _ITEM % "    long size;\n    public Item(int size) { }\n    public Item next() { return this; }\n"
    "    public void save(Object all) { }\n",
    _SHELF % ("import other.Item;\n", "    protected List<Item> items;\n    public Item first() { return items.get(0); }\n"),
    _SHELF % ("", "    protected List<Item> items;\n    public Shelf first() { return this; }\n"),
    _SHELF % ("", "    // The first one is gone.\n    protected List<Item> items;\n"),
)


def test_changes_of_members_reach_the_files_that_contain_their_names(tmp_path: Path) -> None:
    first = {SAVED: [("Desk.desk", 7), ("Item.next", 6), ("Item.save", 7), ("Shelf.first", 7)]}
    check_changes(tmp_path, NAMED, MEMBER_CHANGES, first, {SAVED: [("Desk.desk", 7)]})


WIRED = """
//- src/main/java/module-info.java
module shop {
    uses shop.Prices;
    provides shop.Prices with shop.net.Fast;
}
//- src/main/java/shop/Prices.java
package shop;

public interface Prices { }
//- src/main/java/shop/Cheap.java
package shop;

import jakarta.inject.Qualifier;

@Qualifier public @interface Cheap { }
//- src/main/java/shop/net/Fast.java
package shop.net;

public class Fast implements shop.Prices { }
//- src/main/java/till/Till.java
package till;

import jakarta.inject.Inject;
import shop.Cheap;
import shop.Prices;

public class Till {
    @Inject @Cheap Prices prices;
}
"""
PROVIDED = "MATCH (f:File)-[w:WIRED {evidence: 'directive'}]->(t:Symbol) RETURN t.name, w.text ORDER BY t.name"
INJECTED = "MATCH (s:Symbol)-[w:WIRED {role: 'dependency'}]->(t:Symbol) RETURN t.name, w.text"

#: A qualifier that is none any more, a provider that is gone and back, another provider, and another service.
WIRING_CHANGES = (
    "//- src/main/java/shop/Cheap.java\npackage shop;\n\npublic @interface Cheap { }\n",
    "//- src/main/java/shop/net/Fast.java\npackage shop.net;\n\nclass Other { }\n",
    "//- src/main/java/shop/net/Fast.java\npackage shop.net;\n\npublic class Fast implements shop.Prices { }\n",
    "//- src/main/java/shop/net/Slow.java\npackage shop.net;\n\npublic class Slow implements shop.Prices { }\n"
    "//- src/main/java/module-info.java\nmodule shop {\n    provides shop.Prices with shop.net.Fast, shop.net.Slow;\n}\n",
)


def test_changes_of_services_and_qualifiers_reach_what_is_wired(tmp_path: Path) -> None:
    first = {PROVIDED: [("Fast", "provides Prices"), ("Prices", "uses Prices")], INJECTED: [("Prices", "@Cheap")]}
    last = {
        PROVIDED: [("Fast", "provides Prices"), ("Slow", "provides Prices")],
        INJECTED: [("Prices", "@Inject prices")],
    }
    check_changes(tmp_path, WIRED, WIRING_CHANGES, first, last)


SCATTERED = """
//- resources/expected/Till.java
package stock;

public class Till { void sell() { new Item().save(); } }
//- src/main/java/Desk.java
public class Desk { void open() { } }
"""
CALLED_ANYWHERE = "MATCH (f:Symbol)-[:CALLS]->(t:Symbol) RETURN f.name, t.name, t.relativePath ORDER BY f.name, t.name"

#: A type of the package in another folder, another one nearer, a test without a package, and a type that is gone.
SCATTERED_CHANGES = (
    "//- resources/good/Item.java\npackage stock;\n\npublic class Item {\n    public void save() { }\n}\n",
    "//- src/test/java/DeskTest.java\npublic class DeskTest { void tested() { new Desk().open(); } }\n",
    "//- src/main/java/Desk.java\npublic class Desk { void open(int count) { } void open() { } }\n",
    "//- resources/good/Item.java\npackage till;\n\npublic class Item {\n    public void save() { }\n}\n",
)


def test_types_in_folders_without_the_name_of_their_package_reach_their_users(tmp_path: Path) -> None:
    desk = [("tested", "Desk", "src/main/java/Desk.java"), ("tested", "open", "src/main/java/Desk.java")]
    check_changes(tmp_path, SCATTERED, SCATTERED_CHANGES, {CALLED_ANYWHERE: []}, {CALLED_ANYWHERE: desk})
