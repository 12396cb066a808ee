"""What Java code leads to: which of several methods of a name a call means, and what types derive from."""

from __future__ import annotations

import pytest
from java_programs import java_edges

SOURCE = """package shop;

interface Shape { double area(); default String label() { return "x"; } }

class Base {
    Base(int size) { }
    void put(long amount) { }
    void put(Integer amount) { }
    void put(Object... amounts) { }
    void put(String text) { }
    void put(Object thing) { }
    Base self() { return this; }
}

class Box extends Base implements Shape {
    Box() { super(1); }
    @Override public double area() { return 1.0; }
    @Override Box self() { return this; }
    void widens(int n) { put(n); }
    void most(String text) { put(text); }
    void any(Box box) { put(box); }
    void several(Box box) { put(box, box); }
    void covariant() { new Box().self().area(); }
    void shape(Shape shape) { shape.area(); }
    class Inner { void outer() { area(); } }
}
"""


@pytest.fixture(scope="module")
def calls() -> dict[str, set[str]]:
    """Return what each function calls."""
    units, edges = java_edges({"shop/Box.java": SOURCE})
    found: dict[str, set[str]] = {}
    for edge in edges.of_calls(units["shop/Box.java"]).calls:
        found.setdefault(edge.from_id.split(":")[0], set()).add(edge.to_id)
    return found


@pytest.mark.parametrize(
    ("caller", "called"),
    [
        ("widens", {"put:7"}),
        ("most", {"put:10"}),
        ("any", {"put:11"}),
        ("several", {"put:9"}),
        ("shape", {"area:3"}),
        ("outer", {"area:17"}),
    ],
)
def test_a_call_means_the_most_specific_method_of_the_first_phase_that_has_one(
    calls: dict[str, set[str]], caller: str, called: set[str]
) -> None:
    """Numbers are widened before they are boxed, and methods of any number of arguments come last."""
    assert calls[caller] == called


def test_what_a_method_returns_in_a_derived_class_is_what_the_call_gives(calls: dict[str, set[str]]) -> None:
    """`self()` of a `Box` gives a `Box`."""
    assert {"self:18", "area:17"} <= calls["covariant"]


CHAINS = """package shop;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

class Item {
    String name() { return ""; }
    long price() { return 1; }
    Item cheaper(Item other) { return this; }
    static Item of(String name) { return new Item(); }
}

class Till {
    List<Item> items = new ArrayList<>();
    Map<String, List<Item>> shelves = new HashMap<>();
    Optional<Item> last() { return Optional.empty(); }

    void mapped() { items.stream().filter(item -> item.price() > 1).map(Item::name).forEach(name -> Item.of(name).price()); }
    void reduced() { items.stream().reduce((one, other) -> one.cheaper(other)).get().name(); }
    void grouped() {
        items.stream().collect(Collectors.groupingBy(Item::name)).forEach((name, all) -> all.get(0).price());
    }
    void present() { last().map(item -> item.cheaper(item)).orElseGet(() -> Item.of("x")).name(); }
    void computed() { shelves.computeIfAbsent("x", key -> new ArrayList<>()).add(Item.of("x")); }
    void entries() { for (Map.Entry<String, List<Item>> entry : shelves.entrySet()) { entry.getValue().get(0).name(); } }
    void inferred() { var copy = new ArrayList<>(items); for (var item : copy) { item.price(); } }
    void sorted() { items.sort(Comparator.comparing(Item::name).thenComparing(item -> item.price())); }
    void later() { CompletableFuture.supplyAsync(() -> Item.of("x")).thenApply(item -> item.cheaper(item)).join().name(); }
    void supplied() { Supplier<Item> supplier = Item::new; supplier.get().name(); }
    void keyed() {
        Map<String, Item> found = items.stream().collect(Collectors.toMap(Item::name, item -> item));
        found.get("x").price();
    }
    void lines(Path path) throws Exception { Files.readAllLines(path).stream().map(Item::of).findFirst().get().price(); }
    void array() { Item[] all = items.toArray(new Item[0]); all[0].name(); for (Item each : all) { each.price(); } }
    void chosen(boolean is) { (is ? items.get(0) : Item.of("x")).name(); }
}
"""


@pytest.fixture(scope="module")
def chains() -> dict[str, set[str]]:
    """Return the names of the methods that each function calls in the repository."""
    units, edges = java_edges({"shop/Till.java": CHAINS})
    found: dict[str, set[str]] = {}
    for edge in edges.of_calls(units["shop/Till.java"]).calls:
        found.setdefault(edge.from_id.split(":")[0], set()).add(edge.to_id.split(":")[0])
    return found


@pytest.mark.parametrize(
    ("caller", "called"),
    [
        ("mapped", {"price", "name", "of"}),
        ("reduced", {"cheaper", "name"}),
        ("grouped", {"name", "price"}),
        ("present", {"last", "cheaper", "of", "name"}),
        ("computed", {"of"}),
        ("entries", {"name"}),
        ("inferred", {"price"}),
        ("sorted", {"name", "price"}),
        ("later", {"of", "cheaper", "name"}),
        ("supplied", {"Item", "name"}),
        ("keyed", {"name", "price"}),
        ("lines", {"of", "price"}),
        ("array", {"name", "price"}),
        ("chosen", {"of", "name"}),
    ],
)
def test_values_travel_through_the_library(chains: dict[str, set[str]], caller: str, called: set[str]) -> None:
    """Type arguments follow from arguments, from what is expected, and from what lambdas give."""
    assert chains[caller] == called


PLACES = {
    "shop/Kind.java": "package shop;\n\npublic enum Kind { OLD, NEW }\n",
    "shop/Broken.java": "package shop;\n\npublic class Broken extends Exception { }\n",
    "shop/Mark.java": "package shop;\n\npublic @interface Mark { Kind value(); }\n",
    "till/Till.java": """package till;

import static shop.Kind.NEW;

import shop.Broken;
import shop.Kind;
import shop.Mark;

@Mark(Kind.OLD)
class Till implements java.util.function.Supplier<java.util.List<Kind>> {
    public java.util.List<Kind> get() { return null; }
    int sell(Kind kind) throws Broken {
        switch (kind) { case OLD: return 1; default: return 2; }
    }
}
""",
}


def test_imports_annotations_exceptions_and_labels_are_uses() -> None:
    """A name in an import, an annotation with its values, a `throws`, and a label of an enum refer to what they name."""
    units, edges = java_edges(PLACES)
    found = {
        (edge.to_id.split(":")[0], edge.role, line)
        for edge in edges.of_calls(units["till/Till.java"]).references
        for line in edge.lines
    }
    assert found == {
        ("Kind", "import", 3),
        ("NEW", "import", 3),
        ("Broken", "import", 5),
        ("Kind", "import", 6),
        ("Mark", "import", 7),
        ("Mark", "type", 9),
        ("Kind", "read", 9),
        ("OLD", "read", 9),
        ("Kind", "type", 10),
        ("Kind", "type", 11),
        ("Kind", "type", 12),
        ("Broken", "type", 12),
        ("OLD", "read", 13),
    }


ELEMENTS = """package shop;

@interface Route { String path() default ""; Mark[] marks() default {}; }
@interface Mark { int weight(); }

class Till {
    @Route(path = "/till", marks = {@Mark(weight = 1), @Mark(weight = 2)})
    void open() { }
    @Deprecated(since = "2") @Other(path = "x") void close() { }
}
"""


def test_an_element_that_an_annotation_sets_is_a_use_of_its_method() -> None:
    """Elements of nested annotations count; those of annotations outside of the repository do not."""
    units, edges = java_edges({"shop/Till.java": ELEMENTS})
    found = {
        edge.to_id: (edge.from_id, edge.role, list(zip(edge.lines, edge.columns, strict=True)))
        for edge in edges.of_calls(units["shop/Till.java"]).references
        if edge.role == "write"
    }
    assert found == {
        "path:3": ("open:7", "write", [(7, 12)]),
        "marks:3": ("open:7", "write", [(7, 28)]),
        "weight:4": ("open:7", "write", [(7, 43), (7, 62)]),
    }


PLACES_OF_TYPES = """package shop;

import java.util.*;
import java.util.function.Function;

sealed interface Shape permits Square, Shapes.Round { }
record Square(int side) implements Shape { }
class Shapes {
    record Round(int radius) implements Shape { }
    @interface Drawn { Kind kind() default Kind.OLD; Mark mark() default @Mark(1); }
    @interface Mark { int value(); }
    enum Kind { OLD }
    static <T> Set<T> of(T one) { return null; }
    static <T> Set<T> of(T... all) { return null; }
    <T, C> C made(T[] all, Function<T[], C> make) { return make.apply(all); }
    Comparator<Square> order() { return (Comparator<Square> & java.io.Serializable) (a, b) -> a.side() - b.side(); }
    void several() { made(new String[0], Shapes::of); List.of("x").forEach(Shapes::of); }
}
interface Base { static void open() { } }
class Derived implements Base { void run() { open(); } static void open(Object... all) { } }
"""


def test_types_methods_and_constants_in_less_common_places() -> None:
    """Permitted types, default values of annotations, lambdas with an intersection type, and references to variadic methods."""
    units, edges = java_edges({"shop/Shape.java": PLACES_OF_TYPES})
    found = edges.of_calls(units["shop/Shape.java"])
    uses = {(use.from_id, use.to_id) for use in found.references}
    assert {("Shape:6", "Square:7"), ("Shape:6", "Round:9"), ("kind:10", "OLD:12"), ("mark:10", "Mark:11")} <= uses
    assert {(call.from_id, call.to_id) for call in found.calls if call.from_id in ("order:16", "several:17", "run:20")} == {
        ("order:16", "side:7"),
        ("several:17", "made:15"),
        ("several:17", "of:14"),
        ("several:17", "of:13"),
        ("run:20", "open:20"),
    }


def test_methods_of_one_type_differ_even_if_their_parameter_types_are_unknown() -> None:
    source = """package shop;

import other.Broad;

class Till {
    void known(Broad broad) { handle(broad, 1); }
    void unknown(Narrow narrow) { handle(narrow, 1); }
    private void handle(Broad broad, int count) { }
    private void handle(Narrow narrow, int count) { }
}
"""
    units, edges = java_edges({"shop/Till.java": source})
    found = edges.of_calls(units["shop/Till.java"])
    assert {call.to_id for call in found.calls} <= {"handle:8"}
    assert ("unknown:7", "handle") in {(call.from_id, call.name) for call in found.unresolved_calls}


GAPS = """package shop;

class Base { Base(int size) { } Base(String name) { } }

class Shapes extends Base {
    sealed interface Shape { }
    record Square(int side) implements Shape { void drawn() { } }
    record Text(char[] letters) implements Shape { }
    enum Empty implements Shape { NONE }
    record Round(double radius) implements Shape { }

    Shapes(int size) {
        if (size < 0) { throw new IllegalArgumentException(); }
        super(size);
    }
    Shapes(String name) { String all = name.trim(); this(all.length()); }

    void all(Object @Deprecated ... things) { }
    void all(Shape one) { }
    int matched(Shape shape) {
        if (shape instanceof Shapes.Square(int side)) { all("x", "y"); }
        return switch (shape) {
            case Shapes.Text(char[] letters) -> letters.length;
            case Round _, Empty _ -> 1;
            case Square square -> { square.drawn(); yield 2; }
        };
    }
}
"""


def test_syntax_that_the_grammar_lacks_is_resolved_like_any_other() -> None:
    """Annotated variadic parameters, qualified record patterns, several unnamed types, and a late call of a constructor."""
    units, edges = java_edges({"shop/Shapes.java": GAPS})
    unit = units["shop/Shapes.java"]
    found = edges.of_calls(unit)
    assert not unit.facts.problems
    assert {(call.from_id, call.to_id) for call in found.calls} == {
        ("NONE:9", "Empty:9"),
        ("Shapes:12", "Base:3"),
        ("Shapes:16", "Shapes:12"),
        ("matched:20", "all:18"),
        ("matched:20", "drawn:7"),
    }
    assert {("matched:20", name) for name in ("Shapes:5", "Square:7", "Text:8", "Round:10", "Empty:9")} <= {
        (use.from_id, use.to_id) for use in found.references
    }


OVERLOADS = """package shop;

import static shop.Checks.assertThat;
import static shop.Other.assertThat;
import java.util.*;
import java.util.concurrent.Callable;

class Checks { static Checks assertThat(Object value) { return null; } }
class Other { static Other assertThat(Map<?, ?> value) { return null; } void isEmpty() { } }
interface Order<T extends Order<T>> { T before(); }

class Line<E extends Order<E>> {
    E first;
    void imported(Map<String, String> map) { assertThat(map).isEmpty(); }
    void bounded() { first.before().before(); }
    void raw(List values) { for (Object value : values) { take(values.get(0)); } }
    void take(Object value) { }
    void take(int value) { }
    void run(Runnable task) { }
    void run(Callable<?> task) { }
    void work() { }
    void runs() { run(this::work); }
    Line(Class<?> kind) throws Exception { }
    Line(Runner runner) { }
    static class Watch implements Runner { }
    void makes() { new Line<>(new Watch()); }
    static <T> T any() { return null; }
    void fill(Object value) { }
    void fill(String text) { }
    void fills() { fill(any()); }
    void each(Taker<String> taker) { }
    void each(Throwing<String> taker) { }
    void takes() { each((String text) -> org.lib.Checks.check(text)); }
    void collects(Flow<String> flow) { flow.toList(); }
}

interface Runner extends org.lib.Filterable { }
interface Taker<T> { void accept(T value); }
interface Throwing<T> extends Taker<T> { default void accept(T value) { } void acceptAll(T value) throws Exception; }
interface Collecting<T> { List<T> toList(); }
interface Flow<T> extends java.util.stream.Stream<T>, Collecting<T> { }
"""


@pytest.mark.parametrize(
    ("caller", "called"),
    [
        ("imported", {"assertThat:9", "isEmpty:9"}),
        ("bounded", {"before:10"}),
        ("raw", {"take:17"}),
        ("runs", {"run:19", "work:21"}),
        ("makes", {"Line:24", "Watch:25"}),
        ("fills", {"fill:29", "any:27"}),
        ("takes", {"each:32"}),
        ("collects", {"toList:40"}),
    ],
)
def test_overloads_of_several_imports_bounds_and_references(caller: str, called: set[str]) -> None:
    """Static imports of one name add up, a bound may mention its variable, and a method without a result is no `Callable`.

    No class that implements an unknown interface is a `Class`, a result of any type fits as `null` does, the derived one of two
    functional interfaces is the more specific, and a default method of the library that cannot be inherited is too new.
    """
    units, edges = java_edges({"shop/Line.java": OVERLOADS})
    found: dict[str, set[str]] = {}
    for edge in edges.of_calls(units["shop/Line.java"]).calls:
        found.setdefault(edge.from_id.split(":")[0], set()).add(edge.to_id)
    assert found[caller] == called


def test_types_of_the_graphical_library_choose_among_overloads() -> None:
    source = (
        "package shop;\n\nimport java.awt.geom.*;\n\nclass Area {\n    Area(Rectangle2D part) { part.getWidth(); }\n"
        "    Area(Area other) { }\n    Area same(Ellipse2D round) { return new Area(round.getBounds2D()); }\n}\n"
    )
    units, edges = java_edges({"shop/Area.java": source})
    found = edges.of_calls(units["shop/Area.java"])
    assert [(edge.from_id, edge.to_id) for edge in found.calls] == [("same:8", "Area:6")]
    assert [edge.external_id for edge in found.external_calls] == [
        "java:java.awt.geom.RectangularShape.getWidth",
        "java:java.awt.Shape.getBounds2D",
    ]


def test_private_methods_of_other_files_do_not_take_part_in_the_choice() -> None:
    """A call from another file means the method that it may call, though a private one fits its arguments better."""
    sources = {
        "shop/Form.java": "package shop;\n\npublic class Form {\n    void print(Object value) { }\n"
        '    private void print(String text) { }\n    void own() { this.print("x"); }\n}\n',
        "shop/Till.java": 'package shop;\n\nclass Till { void sell(Form form) { form.print("x"); } }\n',
    }
    units, edges = java_edges(sources)
    assert [edge.to_id for edge in edges.of_calls(units["shop/Till.java"]).calls] == ["print:4"]
    assert [edge.to_id for edge in edges.of_calls(units["shop/Form.java"]).calls] == ["print:5"]


IMPLIED = """package shop;

import java.lang.annotation.Annotation;

@interface Named { String value(); }

record Price(long amount) { }

class Key {
    static Key of(String text) { return new Key(); }
    static Key of(Annotation mark) { return new Key(); }
    static Key of(Record data) { return new Key(); }
    static Named named(String text) { return null; }
    void marked() { of(named("till")); }
    void kept() { of(new Price(1)); }
    void kind() { named("till").annotationType(); }
}
"""


@pytest.mark.parametrize(("caller", "line"), [("marked", 11), ("kept", 12)])
def test_annotation_types_and_records_have_bases_that_nobody_writes(caller: str, line: int) -> None:
    """An annotation type is an `Annotation` and a record is a `Record`: https://docs.oracle.com/javase/specs/jls/se21/html/."""
    units, edges = java_edges({"shop/Key.java": IMPLIED})
    calls = edges.of_calls(units["shop/Key.java"])
    assert f"of:{line}" in {edge.to_id for edge in calls.calls if edge.from_id.startswith(f"{caller}:")}
    assert "java:java.lang.annotation.Annotation.annotationType" in {edge.external_id for edge in calls.external_calls}


CART = "public class Cart { public int total() { return 1; } }\n"
CART_TEST = "class CartTest extends Cart { void go() { new Cart().total(); } }\n"


@pytest.mark.parametrize(
    ("cart", "test", "package", "is_found"),
    [
        ("src/main/java/Cart.java", "src/test/java/CartTest.java", "", True),
        ("lesson1/Cart.java", "lesson2/CartTest.java", "", False),
        ("resources/good/Cart.java", "resources/expected/CartTest.java", "package shop;\n", True),
        ("resources/shop/Cart.java", "resources/expected/CartTest.java", "package till;\n", False),
    ],
)
def test_types_of_one_package_may_be_in_several_folders(cart: str, test: str, package: str, is_found: bool) -> None:
    """Folders need not have the names of packages, and types without a package are seen from tests of the same sources."""
    written = package.replace("till", "shop")
    units, edges = java_edges({cart: written + CART, test: package + CART_TEST})
    found = {edge.to_id.partition(":")[0] for edge in edges.of_calls(units[test]).calls}
    assert found == ({"Cart", "total"} if is_found else set())
    assert bool(edges.of_names(units[test]).heritage) is is_found


@pytest.mark.parametrize(("package", "called"), [("shop", {"total:2"}), ("till", set())])
def test_an_imported_type_may_be_in_a_folder_without_the_name_of_its_package(package: str, called: set[str]) -> None:
    """The package that the file declares must be the imported one."""
    sources = {
        "src/main/java/shop/carts/Cart.java": f"package {package};\n" + CART,
        "src/main/java/app/App.java": "package app;\n\nimport shop.Cart;\n\nclass App { int go(Cart cart) { cart.total(); } }\n",
    }
    units, edges = java_edges(sources)
    assert {edge.to_id for edge in edges.of_calls(units["src/main/java/app/App.java"]).calls} == called


def test_the_nearest_of_several_folders_has_the_type() -> None:
    units, edges = java_edges(
        {
            "one/good/Cart.java": "package shop;\n" + CART,
            "two/good/Cart.java": "package shop;\n\n" + CART,
            "two/expected/CartTest.java": "package shop;\n" + CART_TEST,
        }
    )
    assert "total:3" in {edge.to_id for edge in edges.of_calls(units["two/expected/CartTest.java"]).calls}
