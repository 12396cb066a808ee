"""A changed type of Java affects the files that may hold one of its values, also if they do not name the type, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.indexing.indexer import Indexer
from incremental_report.__main__ import check
from incremental_steps import write_indexed
from written_workspace import write

PROJECT = """
//- src/main/java/stock/Goods.java
package stock;

public class Goods { public Slip slip() { return null; } }
//- src/main/java/stock/Crate.java
package stock;

public class Crate extends Goods { }
//- src/main/java/stock/Pallet.java
package stock;

public class Pallet extends Crate { }
//- src/main/java/stock/Slip.java
package stock;

public class Slip { public void stamp() { } }
//- src/main/java/stock/Returns.java
package stock;

public class Returns {
    public Receipt slip() { return null; }
    public static class Receipt { public void stamp() { } }
}
//- src/main/java/stock/Task.java
package stock;

public interface Task<T> { void run(T value); }
//- src/main/java/stock/Steps.java
package stock;

public interface Steps {
    void begin(Pallet pallet);
    void end(Slip slip);
}
//- src/main/java/stock/Checked.java
package stock;

public interface Checked extends Steps { }
//- src/main/java/stock/LastStep.java
package stock;

public interface LastStep extends Checked {
    default void begin(Pallet pallet) { }
}
//- src/main/java/stock/Depot.java
package stock;

public class Depot {
    public Pallet pallet$() { return null; }
    public static Depot main() { return new Depot(); }
    public void each(Task<Slip> task) { }
    public void last(LastStep step) { }
    public void print(Object any) { }
    public void print(Pallet pallet) { }
}
//- src/main/java/till/Desk.java
package till;

class Desk {
    stock.Depot depot;
    stock.Depot depot() { return depot; }
}
//- src/main/java/till/Clerk.java
package till;

class Clerk extends Desk {
    void sell() { var found = depot().pallet$(); found.slip().stamp(); }
}
//- src/main/java/till/Hand.java
package till;

import static stock.Depot.*;

class Hand {
    void carry() { main().pallet$().slip().stamp(); }
}
//- src/main/java/till/Runner.java
package till;

class Runner extends Desk {
    void go() { depot.each(it -> it.stamp()); }
}
//- src/main/java/till/Closer.java
package till;

class Closer extends Desk {
    void close() { depot.last(it -> it.stamp()); }
}
//- src/main/java/till/Printer.java
package till;

class Printer extends Desk {
    void show() { depot.print("all"); }
}
//- src/main/java/yard/Truck.java
package yard;

import java.util.List;

public class Truck {
    void slip() { stamp(); }
    void stamp() { print(List.of()); }
    void print(Object any) { }
}
"""
STAMPED = (
    "MATCH (f:Symbol)-[:CALLS]->(t:Symbol) WHERE f.name IN ['sell', 'carry', 'go', 'close'] AND t.name = 'stamp'"
    " RETURN f.name, t.qualifiedName ORDER BY f.name"
)
PRINTED = "MATCH (f:Symbol {name: 'show'})-[:CALLS]->(t:Symbol {name: 'print'}) RETURN t.startLine"
BEFORE = [("carry", "Slip.stamp"), ("close", "Slip.stamp"), ("go", "Slip.stamp"), ("sell", "Slip.stamp")]
HELD = [("carry", "Returns.Receipt.stamp"), ("close", "Slip.stamp"), ("go", "Slip.stamp"), ("sell", "Returns.Receipt.stamp")]
PRINT = "    public void print(Object any) { }\n    public void print(Pallet pallet) { }\n"
SWAPPED = "    public void print(Pallet pallet) { }\n    public void print(Object any) { }\n"

#: A file, a text in it and the new text; the result of a statement afterwards; and the number of resolved files.
CHANGES = {
    "another base, two levels above": (
        ("stock/Crate.java", "extends Goods", "extends Returns"),
        (STAMPED, HELD),
        9,
    ),
    "another result, at the end of a chain": (
        ("stock/Goods.java", "public Slip slip", "public Returns.Receipt slip"),
        (STAMPED, HELD),
        4,
    ),
    "a parameter of a functional interface": (
        ("stock/Task.java", "run(T value)", "run(java.util.List<T> value)"),
        (STAMPED, [each for each in BEFORE if each[0] != "go"]),
        3,
    ),
    "a parameter of the one method that a functional interface inherits and does not implement": (
        ("stock/Steps.java", "end(Slip slip)", "end(Returns.Receipt slip)"),
        (STAMPED, [("close", "Returns.Receipt.stamp") if each[0] == "close" else each for each in BEFORE]),
        4,
    ),
    "one more method without a body": (
        ("stock/Checked.java", "{ }", "{ void rest(); }"),
        (STAMPED, [each for each in BEFORE if each[0] != "close"]),
        4,
    ),
    "overloads in another order": (("stock/Depot.java", PRINT, SWAPPED), (PRINTED, [(9,)]), 2),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", CHANGES)
def test_a_changed_type_affects_the_files_that_hold_its_values(tmp_path: Path, kind: str) -> None:
    (path, old, new), (statement, expected), resolved = CHANGES[kind]
    root = tmp_path / "project"
    write_indexed(root, PROJECT)
    assert _rows(root, STAMPED) == BEFORE
    _change(root, path, old, new)
    report = Indexer(root, root / ".astrolabe", Settings()).refresh()
    assert report.rebuilt_because == ""
    assert report.work.resolved == resolved
    assert _rows(root, statement) == expected
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


#: A type beside the file that hides an imported one, a nested type in a base, and overloads whose order changes around one that a
#: container may call.
HIDING = {
    "a type that hides an imported one": (
        "till/Depot.java",
        "",
        "package till;\n\nclass Depot { Pallet pallet$() { return null; } }\n",
    ),
    "a nested type that hides another one": (
        "till/Desk.java",
        "class Desk {",
        "class Desk {\n    static class Slip { void stamp() { } }",
    ),
    "overloads around one with an annotation": (
        "stock/Depot.java",
        PRINT,
        "    public void print(Pallet pallet) { }\n    @jakarta.inject.Inject public void print(Object any) { }\n",
    ),
    "no type": ("stock/Depot.java", "public class Depot", "class Depot2"),
    "a broken type": ("stock/Crate.java", "extends Goods {", "extends {{"),
    "another package": ("stock/Goods.java", "package stock;", "package goods;"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", HIDING)
def test_an_updated_index_of_java_equals_a_new_one(tmp_path: Path, kind: str) -> None:
    root, (path, old, new) = tmp_path / "project", HIDING[kind]
    write(root, PROJECT)
    _change(root, "stock/Depot.java", "    public void print(Object", "    @jakarta.inject.Inject public void print(Object")
    _change(root, "till/Clerk.java", "var found", "Slip local = null; local.stamp(); var found")
    _change(root, "till/Clerk.java", "class", "import stock.*;\n\nclass")
    before = (root / "src/main/java" / path).read_text() if old else None
    Indexer(root, root / ".astrolabe", Settings()).refresh()
    _change(root, path, old.replace("    public void print(Object", "    @jakarta.inject.Inject public void print(Object"), new)
    for text in (before, None):
        report = Indexer(root, root / ".astrolabe", Settings()).refresh()
        assert report.rebuilt_because == ""
        assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
        if text is not None:
            (root / "src/main/java" / path).write_text(text)


def _change(root: Path, path: str, old: str, new: str) -> None:
    file = root / "src/main/java" / path
    text = file.read_text() if old else ""
    assert old in text
    file.write_text(text.replace(old, new) if old else new)


def _rows(root: Path, statement: str) -> list[tuple[object, ...]]:
    with Workspace.locate(root) as workspace:
        return [tuple(row) for row in workspace.cypher(statement).rows]
