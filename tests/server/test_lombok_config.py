"""Settings of Lombok in `lombok.config`: other names of accessors and loggers, and setters that return the object."""

from __future__ import annotations

from pathlib import Path

from astrolabe.server.api.workspace import Workspace
from incremental_report.__main__ import check
from written_workspace import write

SHOP = """
//- lombok.config
# all modules
lombok.accessors.chain = true
lombok.accessors.prefix += m
lombok.log.fieldName = LOGGER
//- core/lombok.config
config.stopBubbling = true
lombok.accessors.fluent = true
//- plain/lombok.config
clear lombok.accessors.chain
clear lombok.accessors.prefix
lombok.log.fieldName = log
//- app/src/main/java/app/Item.java
package app;
@lombok.Data public class Item { private String mName; private boolean mSold; private Part mPart; }
//- app/src/main/java/app/Part.java
package app;
@lombok.extern.slf4j.Slf4j public class Part { void use() { helper(); LOGGER.toString(); } void helper() { } }
//- app/src/main/java/app/Uses.java
package app;
class Uses { void chained(Item item) { item.setName("x").setSold(true).getPart().use(); } }
//- core/src/main/java/core/Thing.java
package core;
@lombok.Getter @lombok.Setter public class Thing { private int size; private Thing inner; private boolean open; void deep() { } }
//- core/src/main/java/core/Uses.java
package core;
class Uses { void fluent(Thing thing) { thing.size(3).inner(thing).inner().deep(); thing.open(); } }
//- plain/src/main/java/plain/Item.java
package plain;
@lombok.Data public class Item { private String name; private Item next; }
//- plain/src/main/java/plain/Uses.java
package plain;
class Uses { void plain(Item item) { item.setName("x"); item.getNext().setNext(item); } }
"""


def calls(root: Path) -> set[tuple[object, ...]]:
    with Workspace.locate(root) as workspace:
        workspace.index()
        found = workspace.cypher("MATCH (c:Symbol)-[e:CALLS]->(t:Symbol) RETURN c.name, t.name, t.relativePath").rows
        return {tuple(row) for row in found}


def test_settings_name_accessors_and_let_setters_return_the_object(tmp_path: Path) -> None:
    """The settings of a folder go before those of the folders above, and a file may end the search."""
    root = tmp_path / "project"
    write(root, SHOP)
    item, thing = "app/src/main/java/app/Item.java", "core/src/main/java/core/Thing.java"
    assert calls(root) == {
        ("chained", "mName", item),
        ("chained", "mSold", item),
        ("chained", "mPart", item),
        ("chained", "use", "app/src/main/java/app/Part.java"),
        ("use", "helper", "app/src/main/java/app/Part.java"),
        ("fluent", "size", thing),
        ("fluent", "inner", thing),
        ("fluent", "open", thing),
        ("fluent", "deep", thing),
        ("plain", "name", "plain/src/main/java/plain/Item.java"),
        ("plain", "next", "plain/src/main/java/plain/Item.java"),
    }


def test_a_change_of_the_settings_changes_the_calls(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, SHOP)
    before = calls(root)
    write(root, "//- core/lombok.config\nconfig.stopBubbling = true\n")
    after = calls(root)
    assert {row[:2] for row in before - after} == {("fluent", name) for name in ("size", "inner", "open", "deep")}
    assert after < before
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
