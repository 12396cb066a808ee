"""Members that annotations of Lombok give to types: calls lead to the field or type that they are made from."""

from __future__ import annotations

import pytest
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.languages.java import READER
from java_programs import java_edges
from linear_time import is_linear, processor_seconds

SOURCE = """package shop;
import java.util.List;
import lombok.*;
import lombok.experimental.*;
import lombok.extern.slf4j.Slf4j;

@Data @AllArgsConstructor(staticName = "of") class Order {
    private final Item item;
    @NonNull private List<Item> more;
    private boolean isOpen;
    @Getter(AccessLevel.NONE) private int hidden;
    private static int count;
}
@Value @Builder(toBuilder = true) class Item {
    String name;
    Item parent;
    @Singular List<Item> parts;
    String getName() { return name; }
}
@Getter @Setter @NoArgsConstructor @Accessors(fluent = true) class Fluent { private Item item; private final Item fixed = null; }
class Some { @Getter @Setter @With private Item one; private Item two; }
@Slf4j class Logged { void logs() { log.info("x"); } }
class Maker { Item item; @Builder Maker(Item item, int count) { } }
@SuperBuilder class Base { private Item item; }
@SuperBuilder(toBuilder = true) class Derived extends Base { private Item other; }
class Held { void hit() { } void hit(int count) { } private void hidden() { } }
class Holder { @Delegate private final Held held = null; void own() { } }
@Accessors(prefix = {"m", "f_"}) @Getter class Prefixed { private Item mItem; private Item f_other; private Item plain; }
class OfField { @Getter @Accessors(fluent = true) private Item item; @Getter private Item other; }
@UtilityClass class Tools { Item make() { return null; } }
@StandardException class Broken extends RuntimeException { }
@FieldNameConstants class Named { private Item item; }
class Factory { @Builder(builderMethodName = "making") static Item make(Item item, int count) { return null; } }
@Value @Builder class Defaults { Item item; @Builder.Default Item other = null; }

@Data class Overloads { private Item item; Item getItem(int count) { return null; } void setItem(Item... items) { } }

class Use {
    void byCount(Overloads it) { it.getItem().getParent(); it.setItem(null); }
    void getter(Order order) { order.getItem().getParent(); }
    void flag(Order order) { order.isOpen(); order.setOpen(true); }
    void noSetter(Order order) { order.setItem(null); }
    void hidden(Order order) { order.getHidden(); }
    void statics(Order order) { order.getCount(); }
    void written(Item item) { item.getName(); }
    void made() { Order.of(null, null, true, 1).getMore().get(0).getParent(); }
    void builder() { Item.builder().name("x").parent(null).part(null).build().getParent(); }
    void again(Item item) { item.toBuilder().parent(item).build().getParent(); }
    void fluent() { new Fluent().item(null).item().getParent(); }
    void some(Some some) { some.withOne(null).getOne().getParent(); }
    void none(Some some) { some.getTwo(); }
    void inherited() { Derived.builder().item(null).other(null).build().toBuilder(); }
    void delegated(Holder holder) { holder.hit(1); holder.own(); }
    void undelegated(Holder holder) { holder.hidden(); }
    void prefixed(Prefixed it) { it.getItem().getParent(); it.getOther(); it.getPlain(); }
    void ofField(OfField it) { it.item().getParent(); it.getOther(); }
    void utility() { java.util.function.Supplier<Item> made = Tools::make; Tools.make().getParent(); }
    void broken() { new Broken("x", new Broken()).getMessage(); }
    void inferred(Some some) { val one = some.getOne(); one.getParent(); }
    void factory() { Factory.making().item(null).count(1).build().getParent(); }
    void defaults() { new Defaults(null, null); Defaults.builder().other(null).build().getOther(); }
    void constructed() { Maker.builder().item(null).count(1).build(); }
}
"""


@pytest.fixture(scope="module")
def calls() -> dict[str, set[str]]:
    """Return what each method calls in the repository, with the line."""
    units, edges = java_edges({"shop/Order.java": SOURCE})
    found: dict[str, set[str]] = {}
    content = edges.of_calls(units["shop/Order.java"])
    for edge in content.calls:
        found.setdefault(edge.from_id.split(":")[0], set()).add(edge.to_id)
    for outside in content.external_calls:
        found.setdefault(outside.from_id.split(":")[0], set()).add(outside.external_id)
    return found


@pytest.mark.parametrize(
    ("caller", "called"),
    [
        ("getter", {"item:8", "parent:16"}),
        ("byCount", {"item:36", "setItem:36", "parent:16"}),
        ("flag", {"isOpen:10"}),
        ("noSetter", set()),
        ("hidden", set()),
        ("statics", set()),
        ("written", {"getName:18"}),
        ("made", {"Order:7", "more:9", "java:java.util.List.get", "parent:16"}),
        ("builder", {"Item:14", "name:15", "parent:16", "parts:17"}),
        ("again", {"Item:14", "parent:16"}),
        ("fluent", {"Fluent:20", "item:20", "parent:16"}),
        ("some", {"one:21", "parent:16"}),
        ("none", set()),
        ("constructed", {"Maker:23"}),
        ("inherited", {"Derived:25", "item:24", "other:25"}),
        ("delegated", {"hit:26", "own:27"}),
        ("undelegated", set()),
        ("prefixed", {"mItem:28", "f_other:28", "parent:16"}),
        ("ofField", {"item:29", "other:29", "parent:16"}),
        ("utility", {"make:30", "parent:16"}),
        ("broken", {"Broken:31", "java:java.lang.Throwable.getMessage"}),
        ("inferred", {"one:21", "parent:16"}),
        ("factory", {"make:33", "Factory:33", "parent:16"}),
        ("defaults", {"Defaults:34", "other:34"}),
        ("logs", {"maven:org.slf4j#Logger.info"}),
    ],
)
def test_calls_of_members_that_lombok_gives(calls: dict[str, set[str]], caller: str, called: set[str]) -> None:
    assert calls.get(caller, set()) == called


def test_annotations_of_others_give_nothing() -> None:
    source = "package shop; import other.Data; @Data class A { int x; } class Use { void use(A a) { a.getX(); } }"
    units, edges = java_edges({"shop/A.java": source})
    assert edges.of_calls(units["shop/A.java"]).calls == []


def test_many_fields_take_linear_time() -> None:
    def seconds(count: int) -> float:
        fields = "".join(f"@Deprecated private int f{place};\n" for place in range(count))
        source = f"package shop;\nimport lombok.*;\n@Data @Builder @With class Wide {{\n{fields}}}\n"
        return processor_seconds(lambda: READER.read(decode_source(source.encode()), "java"))

    assert is_linear(seconds, 1000, times=4)


def test_only_the_file_of_a_type_may_call_its_private_generated_constructor() -> None:
    """For another file, `null` fits only the written constructor."""
    pair = """package shop;
import lombok.*;

@AllArgsConstructor(access = AccessLevel.PRIVATE) class Pair {
    String name;
    String[] marks;
    Pair(String name, Iterable<String> marks) { }
}
"""
    use = "package shop;\n\nclass Buyer { Object run() { return new Pair(null, null); } }\n"
    units, edges = java_edges({"shop/Pair.java": pair, "shop/Buyer.java": use})
    assert [edge.to_id for edge in edges.of_calls(units["shop/Buyer.java"]).calls] == ["Pair:7"]
