"""Java's type arguments: which overload they choose, what lambdas inside lambdas get, and types with the names of fields."""

from __future__ import annotations

import pytest
from java_programs import java_edges

SHELVES = """package shop;

import java.util.*;
import java.util.function.*;

class Shelf<K> {
    void drop(Collection<K> keys) { }
    void drop(Iterable<?> keys) { }
    void tag(Collection<String> names) { }
    void tag(Object names) { }
    void sum(Collection<? extends Number> prices) { }
    void sum(Object prices) { }
    void each(Consumer<? super Integer> task) { }
    void each(Object task) { }
    <T extends Comparable<T>> void sort(List<T> items) { }
    <T> void sort(Iterable<T> items) { }
    void nest(List<List<String>> names) { }
    void nest(Object names) { }

    void open(Shelf<String> named, Collection<?> keys) { named.drop(keys); }
    void same(Shelf<String> named, Set<String> keys) { named.drop(keys); }
    void own(List<K> keys) { drop(keys); }
    void copied(List<K> keys) { drop(new HashSet<>(keys)); }
    void texts(List<String> names) { tag(names); }
    void numbers(List<Integer> prices) { tag(prices); }
    void raw(List names) { tag(names); }
    void listed() { tag(List.of("a")); }
    void counted() { tag(List.of(1)); }
    void free() { tag(new ArrayList<>()); }
    void upper(List<? extends Integer> prices) { sum(prices); }
    void lower(List<? super Integer> prices) { sum(prices); }
    void wider(Consumer<Object> task) { each(task); }
    void other(Consumer<String> task) { each(task); }
    void ordered(List<Integer> prices) { sort(prices); }
    void unordered(List<Object> things) { sort(things); }
    void inner(List<List<String>> names) { nest(names); }
    void apart(List<ArrayList<String>> names) { nest(names); }
}
"""


@pytest.mark.parametrize(
    ("caller", "called"),
    [
        ("open", "drop:8"),
        ("same", "drop:7"),
        ("own", "drop:7"),
        ("copied", "drop:7"),
        ("texts", "tag:9"),
        ("numbers", "tag:10"),
        ("raw", "tag:9"),
        ("listed", "tag:9"),
        ("counted", "tag:10"),
        ("free", "tag:9"),
        ("upper", "sum:11"),
        ("lower", "sum:12"),
        ("wider", "each:13"),
        ("other", "each:14"),
        ("ordered", "sort:15"),
        ("unordered", "sort:16"),
        ("inner", "nest:17"),
        ("apart", "nest:18"),
    ],
)
def test_type_arguments_choose_among_overloads(caller: str, called: str) -> None:
    """A wildcard fits no exact type argument, raw types fit all: the Java Language Specification, section 4.5.1 and 5.1.9."""
    units, edges = java_edges({"shop/Shelf.java": SHELVES})
    found = edges.of_calls(units["shop/Shelf.java"]).calls
    assert [edge.to_id for edge in found if edge.from_id.startswith(f"{caller}:")] == [called]


NESTED = """package shop;

import java.util.*;
import java.util.function.*;
import java.util.stream.*;

class Item { List<Part> parts() { return null; } }
class Part { String code() { return ""; } }

class Till {
    static <T> T later(Supplier<? extends Supplier<? extends T>> maker) { return maker.get().get(); }
    static <T, A, R> R collect(List<T> items, Collector<? super T, A, R> into) { return null; }
    void returned(List<Item> items) { later(() -> () -> items.get(0)).parts(); }
    void block(List<Item> items) { later(() -> { Item first = items.get(0); return () -> first.parts(); }).get(0).code(); }
    void finished(List<Item> items) {
        collect(items, Collector.of(() -> new ArrayList<Part>(), (all, item) -> all.addAll(item.parts()),
            (one, other) -> one, all -> all.get(0).code()));
    }
}
"""


@pytest.mark.parametrize(
    ("caller", "called"),
    [("returned", {"later", "parts"}), ("block", {"later", "parts", "code"}), ("finished", {"collect", "parts", "code"})],
)
def test_lambdas_inside_lambdas_have_the_types_that_the_outer_call_gives(caller: str, called: set[str]) -> None:
    """A lambda may return a lambda, and two calls whose variables are inferred together may be of one file."""
    units, edges = java_edges({"shop/Till.java": NESTED})
    found = edges.of_calls(units["shop/Till.java"]).calls
    assert {edge.to_id.split(":")[0] for edge in found if edge.from_id.startswith(f"{caller}:")} == called


NAMESAKES = """package shop;

import java.util.*;
import java.util.function.Supplier;

class Shop {
    static Map<String, String> Entry = new HashMap<>();
    static class Entry { }
    int field() { return Shop.Entry.size(); }
    Shop.Entry made = new Shop.Entry();
    Supplier<Shop.Entry> maker = Shop.Entry::new;
    Object cast(Object value) { return (Shop.Entry) value; }
}
"""


def test_a_type_with_the_name_of_a_field_is_told_from_the_field() -> None:
    """Fields and types have separate namespaces, and only an expression means the field."""
    units, edges = java_edges({"shop/Shop.java": NAMESAKES})
    found = edges.of_calls(units["shop/Shop.java"])
    assert {(edge.from_id, edge.to_id) for edge in found.calls} == {("made:10", "Entry:8"), ("maker:11", "Entry:8")}
    uses = {line: edge.to_id for edge in found.references for line in edge.lines if edge.to_id.startswith("Entry:")}
    assert uses == {9: "Entry:7", 10: "Entry:8", 11: "Entry:8", 12: "Entry:8"}


def test_an_import_of_all_static_members_leads_to_the_file_of_the_type() -> None:
    """The import names a type, and the names that it brings lead to the members of the type and of its bases."""
    sources = {
        "shop/Prices.java": "package shop;\n\npublic class Prices { public static int MOST = 1; public static class Unit { } }\n",
        "shop/Sales.java": "package shop;\n\npublic class Sales extends Prices { public static int half(int n) { return n; } }\n",
        "till/Till.java": "package till;\n\nimport static shop.Sales.*;\n\nclass Till { Unit unit; int go() { half(MOST); } }\n",
    }
    units, edges = java_edges(sources)
    unit = units["till/Till.java"]
    assert [entry.specifier for entry in unit.facts.imports] == ["shop.Sales"]
    found = edges.of_calls(unit)
    assert [edge.to_id for edge in found.calls] == ["half:3"]
    assert {"MOST:3", "Unit:3", "Sales:3"} <= {edge.to_id for edge in found.references}


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("void go(java.util.List<Item> items) { items.getLast().name(); }", "java.util.List.getLast"),
        ("void go(org.w3c.dom.Node node) { node.getFirstChild(); }", "org.w3c.dom.Node.getFirstChild"),
        ('void go(javax.script.ScriptEngine engine) throws Exception { engine.eval("1"); }', "javax.script.ScriptEngine.eval"),
    ],
)
def test_the_library_is_declared_as_of_java_25(body: str, called: str) -> None:
    """Sequenced collections came with Java 21, and some packages of the JDK do not begin with `java`."""
    units, edges = java_edges({"shop/Till.java": f"package shop;\n\nclass Item {{ String name() {{ return null; }} {body} }}\n"})
    found = edges.of_calls(units["shop/Till.java"])
    assert f"java:{called}" in {edge.external_id for edge in found.external_calls}
    assert {edge.to_id for edge in found.calls} == ({"name:3"} if "name()" in body else set())


RULES = """package shop;

import java.util.function.*;

interface Plan { }
class Sorted implements Plan { Sorted by(Object key) { return this; } }
interface Source { default <S, T extends S> T service(Class<S> type) { return null; } }

class Wearing<K, E extends Exception> {
    Wearing(Function<K, E> pool, Plan plan) { }
    Wearing(Function<K, E> pool, float factor) { }
}
class Rules {
    static void planned(Class<? extends Plan> kind) { }
    static void planned(Plan plan) { }
    static void made(Supplier<Plan> maker) { }
    static void made(Function<Source, Plan> maker) { }
    void bound(Source source) { source.service(Sorted.class).by(this).by(source); }
    void classOf(Plan plan) { planned(plan.getClass()); }
    void ownClass() { new Sorted() { void own() { planned(getClass()); } }; }
    void reference() { made(Sorted::new); }
    <K, E extends Exception> Object diamond(Function<K, E> pool, float factor) { return new Wearing<>(pool, factor); }
}
"""


@pytest.mark.parametrize(
    ("caller", "called"),
    [
        ("bound", {"service:7", "by:6"}),
        ("classOf", {"planned:14"}),
        ("own", {"planned:14"}),
        ("reference", {"made:16", "Sorted:6"}),
        ("diamond", {"Wearing:11"}),
    ],
)
def test_types_that_follow_from_a_bound_a_receiver_and_a_default_constructor(caller: str, called: set[str]) -> None:
    """`T extends S` is the known `S`, `plan.getClass()` is a `Class<? extends Plan>`, `Sorted::new` takes no arguments, and a
    diamond infers its arguments, whatever their bounds are."""
    units, edges = java_edges({"shop/Rules.java": RULES})
    found = edges.of_calls(units["shop/Rules.java"]).calls
    assert {edge.to_id for edge in found if edge.from_id.startswith(f"{caller}:")} == called


def test_only_its_package_may_call_what_has_no_modifier_of_access() -> None:
    """Outside of the package, `null` fits only the public constructor and the public method."""
    entry = """package till;

public class Entry {
    public Entry(String name, Iterable<String> marks) { }
    Entry(String name, String[] marks) { }
    public static int size(Iterable<String> marks) { return 1; }
    static int size(String[] marks) { return 2; }
}
"""
    body = "class Buyer { Object run() { till.Entry.size(null); return new till.Entry(null, null); } }\n"
    units, edges = java_edges({"till/Entry.java": entry, "shop/Buyer.java": f"package shop;\n\n{body}"})
    assert {edge.to_id for edge in edges.of_calls(units["shop/Buyer.java"]).calls} == {"size:6", "Entry:4"}


def test_a_type_beside_another_type_is_found_from_another_folder_of_its_package() -> None:
    """A test uses a type that a file of the sources declares below the type with the name of the file."""
    sources = {
        "src/main/java/shop/Cart.java": "package shop;\n\nclass Cart { }\nclass Total { static int of(int n) { return n; } }\n",
        "src/test/java/shop/CartTest.java": "package shop;\n\nclass CartTest { int run() { return Total.of(1); } }\n",
        "other/shop/Sum.java": "package shop.other;\n\nclass Sum { }\nclass Total { static int of(int n) { return n; } }\n",
    }
    units, edges = java_edges(sources)
    found = edges.of_calls(units["src/test/java/shop/CartTest.java"]).calls
    assert [edge.to_id for edge in found] == ["of:4"]
