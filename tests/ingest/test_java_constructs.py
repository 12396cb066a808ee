"""What each construct of Java leads to, with carets under the names of what is called or used (`tests/caret_programs.py`)."""

from __future__ import annotations

import pytest
from caret_programs import check_carets

CASES = {
    "imports of types, of packages and of static members": """
//- /till/Till.java
package till;
import shop.Item;
import stock.*;
import static shop.Item.made;
import static shop.Names.*;
class Till {
    void run(Item item, Shelf shelf) { item.save(); shelf.save(); made(); named(); }
//                                          ^^^^ shop/Item.java#Item.save
//                                                        ^^^^ stock/Shelf.java#Shelf.save
//                                                                ^^^^ shop/Item.java#Item.made
//                                                                        ^^^^^ shop/Names.java#Names.named
    void full(shop.Item item) { shop.Item.made().save(); }
//                                        ^^^^ shop/Item.java#Item.made
//                                               ^^^^ shop/Item.java#Item.save
}
//- /shop/Item.java
package shop;
public class Item { public void save() { } public static Item made() { return new Item(); } }
//- /shop/Names.java
package shop;
public class Names { public static void named() { } }
//- /stock/Shelf.java
package stock;
public class Shelf { public void save() { } }
//- /stock/Item.java
package stock;
public class Item { public void save() { } }
""",
    "nested, inner, local and anonymous classes": """
//- /A.java
package a;
class A {
    int size;
    void hit() { }
    static class Nested { void one() { } }
    class Inner {
        int size;
        void two() { hit(); A.this.hit(); this.size = A.this.size; }
//                   ^^^ A.java#A.hit
//                                 ^^^ A.java#A.hit
//                                             ^^^^ A.java#Inner.size
//                                                           ^^^^ A.java#A.size
    }
    void run() {
        class Local { void three() { hit(); } }
//                                   ^^^ A.java#A.hit
        new Local().three();
//                  ^^^^^ A.java#Local.three
        new Nested().one();
//                   ^^^ A.java#Nested.one
        this.new Inner().two();
//                       ^^^ A.java#Inner.two
        new A() { @Override void hit() { super.hit(); other(); } void other() { } }.other();
//                                             ^^^ A.java#A.hit
//                                                    ^^^^^ A.java#other
//                                                                                  ^^^^^ A.java#other
    }
}
class B { void run(A.Nested nested, A a) { nested.one(); a.new Inner().two(); } }
//                                                ^^^ A.java#Nested.one
//                                                                     ^^^ A.java#Inner.two
""",
    "interfaces with default, static and private methods": """
//- /A.java
package a;
interface Shape {
    double area();
    default double twice() { return help() * 2; }
//                                  ^^^^ A.java#Shape.help
    private double help() { return area(); }
//                                 ^^^^ A.java#Shape.area
    static Shape unit() { return () -> 1; } }
interface Named { default double twice() { return 0; } }
class Both implements Shape, Named {
    public double area() { return 1; }
    public double twice() { return Shape.super.twice() + Named.super.twice(); }
//                                             ^^^^^ A.java#Shape.twice
//                                                                   ^^^^^ A.java#Named.twice
    void run(Both both) { both.twice(); Shape.unit().twice(); }
//                             ^^^^^ A.java#Both.twice
//                                            ^^^^ A.java#Shape.unit
//                                                   ^^^^^ A.java#Shape.twice
}
""",
    "enums with bodies, constructors and switches": """
//- /A.java
package a;
enum Kind {
    OLD(1) { @Override int cost() { return base(); } },
//                                         ^^^^ A.java#Kind.base
    NEW(2);
    private final int size;
    Kind(int size) { this.size = size; }
    int cost() { return size; }
    static int base() { return 0; }
}
class Use {
    int run(Kind kind) {
        Kind.OLD.cost();
//               ^^^^ A.java#Kind.cost
        Kind.valueOf("OLD").cost();
//                          ^^^^ A.java#Kind.cost
        for (Kind each : Kind.values()) each.cost();
//                                           ^^^^ A.java#Kind.cost
        return switch (kind) { case OLD -> kind.cost(); case NEW -> 2; };
//                                  ^^^ A.java#Kind.OLD
    }
}
""",
    "records: accessors, and constructors that are written, compact or implied": """
//- /A.java
package a;
record Point(int x, Point next) {
    Point { if (x < 0) throw new IllegalArgumentException(); }
    Point(int x) { this(x, null); }
//                 ^^^^ A.java#Point.Point
    static Point zero() { return new Point(0); }
//                                   ^^^^^ A.java#Point.Point; A.java#Point
    int far() { return next().next.x(); }
//                     ^^^^ A.java#Point.next
//                                 ^ A.java#Point.x
}
record Pair<L, R>(L left, R right) {
    public L left() { return left; }
}
class Use {
    void run(Pair<Point, String> pair) { pair.left().far(); pair.right().length(); }
//                                            ^^^^ A.java#Pair.left
//                                                   ^^^ A.java#Point.far
//                                                                       ^^^^^^ java:java.lang.String.length
    void made() { new Pair<>(new Point(1), "").left().far(); }
//                                                    ^^^ A.java#Point.far
}
""",
    "sealed types, patterns and patterns of records": """
//- /A.java
package a;
sealed interface Shape permits Circle, Square { }
record Circle(Size size) implements Shape { void round() { } }
record Square(Size size) implements Shape { void flat() { } }
record Size(int width) { void grow() { } }
class Use {
    void run(Shape shape, Object any) {
        if (shape instanceof Circle circle && circle.size() != null) circle.round();
//                                                   ^^^^ A.java#Circle.size
//                                                                          ^^^^^ A.java#Circle.round
        if (!(shape instanceof Square square)) return;
        square.flat();
//             ^^^^ A.java#Square.flat
        if (any instanceof Circle(Size(var width))) { }
        if (any instanceof Circle(Size size)) size.grow();
//                                                 ^^^^ A.java#Size.grow
        if (any instanceof Circle(var size)) size.grow();
//                                                ^^^^ A.java#Size.grow
        switch (shape) {
            case Circle(var size) when size.width() > 1 -> size.grow();
//                                          ^^^^^ A.java#Size.width
//                                                              ^^^^ A.java#Size.grow
            case Circle circle -> circle.round();
//                                       ^^^^^ A.java#Circle.round
            case Square square2 -> square2.flat();
//                                         ^^^^ A.java#Square.flat
        }
        String text = switch (any) { case Circle c -> { c.round(); yield ""; } default -> ""; };
//                                                        ^^^^^ A.java#Circle.round
    }
}
""",
    "var, initialisers, text blocks and fields": """
//- /A.java
package a;
import java.util.List;
class Item { Item next; Item next() { return this; } }
class A {
    static final Item FIRST = make();
//                            ^^^^ A.java#A.make
    static { make(); }
//           ^^^^ A.java#A.make
    { own(); }
//    ^^^ A.java#A.own
    static Item make() { return new Item(); }
    void own() { }
    void run(List<Item> items) {
        var text = \"\"\"
            own()
            \"\"\";
        var found = items.get(0);
        found.next.next().next.next();
//                 ^^^^ A.java#Item.next
//                             ^^^^ A.java#Item.next
        for (var each : items) each.next();
//                                  ^^^^ A.java#Item.next
        Item[][] grid = {{new Item()}};
        grid[0][0].next();
//                 ^^^^ A.java#Item.next
        text.strip().isBlank();
//                   ^^^^^^^ java:java.lang.String.isBlank
        FIRST.next();
//            ^^^^ A.java#Item.next
    }
}
""",
    "constructors of this and of the base": """
//- /A.java
package a;
class Base { Base(String name) { } Base(int size) { } }
class A extends Base {
    A() { this(1); }
//        ^^^^ A.java#A.A
    A(int size) { super(size); }
//                ^^^^^ A.java#Base.Base
    A(String name) { super(name); }
//                   ^^^^^ A.java#Base.Base
    static A made() { return new A(2) { }; }
//                               ^ A.java#A.A; A.java#A
}
""",
    "generics with bounds, wildcards and variables of methods": """
//- /A.java
package a;
import java.util.*;
import java.util.function.Function;
class Item implements Comparable<Item> { public int compareTo(Item other) { return 0; } Item next() { return this; } }
class Box<T extends Item> {
    T value;
    T get() { return value; }
    <R> Box2<R> map(Function<? super T, ? extends R> function) { return new Box2<>(); }
    static <K extends Item> Box<K> of(K value) { return new Box<>(); }
    void bound() { value.next(); }
//                       ^^^^ A.java#Item.next
}
class Box2<T> { T get() { return null; } }
class A {
    <T extends Comparable<T> & Runnable> void both(T it) { it.run(); it.compareTo(it); }
//                                                            ^^^ java:java.lang.Runnable.run
//                                                                      ^^^^^^^^^ java:java.lang.Comparable.compareTo
    static <T extends Comparable<? super T>> T max(Collection<? extends T> all) { return null; }
    void run(List<? extends Item> out, List<Item> items) {
        out.get(0).next();
//                 ^^^^ A.java#Item.next
        max(items).next();
//      ^^^ A.java#A.max
//                 ^^^^ A.java#Item.next
        Box.of(new Item()).get().next();
//                         ^^^ A.java#Box.get
//                               ^^^^ A.java#Item.next
        new Box<Item>().map(each -> each.next()).get().next();
//                                       ^^^^ A.java#Item.next
//                                               ^^^ A.java#Box2.get
//                                                     ^^^^ A.java#Item.next
        new Box<>().get().next();
//                        ^^^^ A.java#Item.next
        this.<Item>same(null).next();
//                 ^^^^ A.java#A.same
//                            ^^^^ A.java#Item.next
    }
    <T> T same(T it) { return it; }
}
""",
    "overloads by phases: widening, boxing, varargs, most specific": """
//- /A.java
package a;
import java.util.*;
class A {
    static class Wide { }
    static class Narrow extends Wide { }
    void put(long it) { }
    void put(Integer it) { }
    void put(Object... it) { }
    void two(Wide one, Narrow other) { }
    void two(Wide one, Wide other) { }
    void three(char it) { }
    void three(int it) { }
    void four(double it) { }
    void four(Object it) { }
    void five(int... it) { }
    void five(int one, int... it) { }
    void five(Object it) { }
    void six(Object it) { }
    void six(String it) { }
    void seven(List<String> it) { }
    void seven(Collection<String> it) { }
    void seven(Iterable<String> it) { }
    void run(Narrow narrow, Set<String> set, byte small, Long boxed) {
        put(small);
//      ^^^ A.java#A.put:6
        put(boxed);
//      ^^^ A.java#A.put:6
        put((Integer) 1);
//      ^^^ A.java#A.put:7
        put(1, 2);
//      ^^^ A.java#A.put:8
        two(narrow, narrow);
//      ^^^ A.java#A.two:9
        two(narrow, new Wide());
//      ^^^ A.java#A.two:10
        three('x');
//      ^^^^^ A.java#A.three:11
        three('x' + 1);
//      ^^^^^ A.java#A.three:12
        three(small);
//      ^^^^^ A.java#A.three:12
        four(1);
//      ^^^^ A.java#A.four:13
        four("x");
//      ^^^^ A.java#A.four:14
        four(true);
//      ^^^^ A.java#A.four:14
        five();
//      ^^^^ A.java#A.five:15
        five(1);
//      ^^^^ A.java#A.five:17
        six(null);
//      ^^^ A.java#A.six:19
        six(narrow == null ? "x" : "y");
//      ^^^ A.java#A.six:19
        six(narrow == null ? "x" : narrow);
//      ^^^ A.java#A.six:18
        seven(set);
//      ^^^^^ A.java#A.seven:21
        seven(new ArrayList<>());
//      ^^^^^ A.java#A.seven:20
        seven(() -> null);
//      ^^^^^ A.java#A.seven:22
    }
}
""",
    "overloads by lambdas and references to methods": """
//- /A.java
package a;
import java.util.concurrent.Callable;
import java.util.function.*;
class A {
    void run(Runnable it) { }
    <T> T run(Callable<T> it) { return null; }
    void take(Consumer<String> it) { }
    void take(BiConsumer<String, String> it) { }
    void give(ToIntFunction<String> it) { }
    void give(ToLongFunction<String> it) { }
    void work() { }
    String text() { return ""; }
    void one(String it) { }
    void all() {
        run(() -> work());
//      ^^^ A.java#A.run:5
        run(() -> { work(); });
//      ^^^ A.java#A.run:5
        run(() -> text()).length();
//      ^^^ A.java#A.run:6
//                        ^^^^^^ java:java.lang.String.length
        run(() -> { return text(); });
//      ^^^ A.java#A.run:6
        run(() -> { throw new IllegalStateException(); });
//      ^^^ A.java#A.run:6
        run(this::work);
//      ^^^ A.java#A.run:5
        take(it -> one(it));
//      ^^^^ A.java#A.take:7
        take((it, other) -> one(other));
//      ^^^^ A.java#A.take:8
        take(this::one);
//      ^^^^ A.java#A.take:7
//                 ^^^ A.java#A.one
        give((String it) -> it.length());
//      ^^^^ A.java#A.give:9
    }
}
""",
    "functional interfaces that implement the abstract methods of others": """
//- /a/Use.java
package a;

class Use {
    static <T> Held<T> held(T value) { return null; }
    static <T> Held<T> held(Thunk<T> thunk) { return null; }

    void run(Item item) {
        held(() -> item).open().save();
//      ^^^^ a/Use.java#Use.held:5
//                       ^^^^ a/Held.java#Held.open
//                              ^^^^ a/Item.java#Item.save
        held(this::make).open().save();
//      ^^^^ a/Use.java#Use.held:5
//                              ^^^^ a/Item.java#Item.save
        held(item).open().save();
//      ^^^^ a/Use.java#Use.held:4
//                        ^^^^ a/Item.java#Item.save
    }

    Item make() { return null; }
}
//- /a/Step.java
package a;

interface Step<A, B> {
    B apply(A value);
    default B more(A value, int count) { return null; }
}
//- /a/Thunk.java
package a;

interface Thunk<B> extends Step<String, B> {
    B apply();
    @Override default B apply(String value) { return apply(); }
}
//- /a/Held.java
package a;

class Held<T> { T open() { return null; } }
//- /a/Item.java
package a;

class Item { void save() { } }
""",
    "results whose type follows from a bound with the type arguments of the receiver": """
//- /a/Use.java
package a;

class Use {
    void run(Holder<Item> holder) {
        holder.open().get().save();
//             ^^^^ a/Holder.java#Holder.open
//                    ^^^ a/Box.java#Box.get
//                          ^^^^ a/Item.java#Item.save
        holder.paired(new Item()).get().get().save();
//                                            ^^^^ a/Item.java#Item.save
        new Object() { Item inner = new Item(); }.inner.save();
//                                                ^^^^^ a/Use.java#inner
//                                                      ^^^^ a/Item.java#Item.save
    }
}
//- /a/Holder.java
package a;

interface Holder<T> {
    <B extends Box<T>> B open();
    <K, B extends Box<Box<K>>> B paired(K key);
}
//- /a/Box.java
package a;

class Box<T> { T get() { return null; } }
//- /a/Item.java
package a;

class Item { void save() { } }
""",
    "methods that an interface of Java's library and one of the repository declare alike": """
//- /a/Use.java
package a;

class Use {
    void run(Shelf<String> shelf, Plain<String> plain) {
        shelf.size();
//            ^^^^ a/Sized.java#Sized.size
        shelf.isEmpty();
//            ^^^^^^^ java:java.util.Map.isEmpty
        shelf.clear();
//            ^^^^^ a/Shelf.java#Shelf.clear
        plain.size();
//            ^^^^ java:java.util.AbstractMap.size
    }
}
//- /a/Sized.java
package a;

interface Sized { int size(); }
//- /a/Shelf.java
package a;

import java.util.Map;

interface Shelf<T> extends Map<String, T>, Sized { @Override void clear(); }
//- /a/Plain.java
package a;

import java.util.AbstractMap;

abstract class Plain<T> extends AbstractMap<String, T> implements Sized { }
""",
    "bases with type arguments that the class itself declares": """
//- /a/OrderTest.java
package a;

class OrderTest extends Checks<OrderTest.Sample> {
    void run() {
        start().save();
//      ^^^^^ a/Checks.java#Checks.start
//              ^^^^ a/OrderTest.java#Sample.save
    }

    static class Sample { void save() { } }
}
//- /a/Checks.java
package a;

abstract class Checks<T> { T start() { return null; } }
""",
    "references to methods and constructors by their functional interface": """
//- /A.java
package a;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;
class Item {
    Item() { }
    Item(String name) { }
    String name() { return ""; }
    static Item parse(String text) { return null; }
    boolean same(Item other) { return true; }
}
interface Three<A, B, C, R> { R apply(A a, B b, C c); }
class A {
    void run(List<String> names, List<Item> items) {
        names.stream().map(Item::new).map(Item::name);
//                         ^^^^ A.java#Item.Item:7; A.java#Item
//                                              ^^^^ A.java#Item.name
        names.stream().map(Item::parse).toList().get(0).name();
//                               ^^^^^ A.java#Item.parse
//                                                      ^^^^ A.java#Item.name
        Supplier<Item> made = Item::new;
//                            ^^^^ A.java#Item.Item:6; A.java#Item
        made.get().name();
//                 ^^^^ A.java#Item.name
        BiPredicate<Item, Item> same = Item::same;
//                                           ^^^^ A.java#Item.same
        items.sort(Comparator.comparing(Item::name, Comparator.reverseOrder()));
//                                            ^^^^ A.java#Item.name
        Item[] array = items.stream().toArray(Item[]::new);
        array[0].name();
//               ^^^^ A.java#Item.name
        Function<String, Function<Item, Boolean>> curried = text -> item -> item.same(Item.parse(text));
//                                                                               ^^^^ A.java#Item.same
        Three<Item, Item, String, String> three = (one, other, text) -> one.name() + text.length();
//                                                                          ^^^^ A.java#Item.name
        Map<String, List<Item>> grouped =
            items.stream().collect(Collectors.groupingBy(Item::name, TreeMap::new, Collectors.toList()));
        grouped.values().stream().flatMap(List::stream).findFirst().ifPresent(Item::name);
//                                                                                  ^^^^ A.java#Item.name
        Stream.of(new Item(), new Item()).collect(Collectors.toMap(Item::name, Function.identity()))
            .get("").name();
//                   ^^^^ A.java#Item.name
    }
}
""",
    "exceptions, resources and loops": """
//- /A.java
package a;
class Broken extends Exception { void explain() { } }
class Worse extends Broken { void explain() { } }
class Other extends Broken { }
class Open implements AutoCloseable { public void close() throws Broken { } void read() { } }
class A {
    void run() throws Broken {
        try (var open = new Open(); Open second = open()) { open.read(); second.read(); }
//                                                               ^^^^ A.java#Open.read
//                                                                              ^^^^ A.java#Open.read
        catch (Worse worse) { worse.explain(); }
//                                  ^^^^^^^ A.java#Worse.explain
        catch (Other | RuntimeException either) { either.getMessage(); }
//                                                       ^^^^^^^^^^ java:java.lang.Throwable.getMessage
        finally { open().read(); }
//                       ^^^^ A.java#Open.read
    }
    Open open() throws Broken { throw new Broken(); }
}
""",
    "shadowing and hiding": """
//- /A.java
package a;
class One { void hit() { } static void made() { } }
class Two { void hit() { } }
class Base { One value; static void name() { } }
class A extends Base {
    Two value;
    static void name() { }
    void run(A a, One it) {
        value.hit();
//            ^^^ A.java#Two.hit
        super.value.hit();
//                  ^^^ A.java#One.hit
        ((Base) a).value.hit();
//                       ^^^ A.java#One.hit
        name();
//      ^^^^ A.java#A.name
        Base.name();
//           ^^^^ A.java#Base.name
        { Two value = null; value.hit(); }
//                                ^^^ A.java#Two.hit
        One value = it;
        value.hit();
//            ^^^ A.java#One.hit
        class One { void hit() { } }
        new One().hit();
//                ^^^ A.java#One.hit
    }
}
""",
    "members of bases in other packages, with access rules": """
//- /b/Base.java
package b;
public class Base {
    protected void shared() { }
    void hidden() { }
    private void own() { }
    public Base self() { return this; }
    protected static class Inner { public void deep() { } }
}
//- /A.java
package a;
import b.Base;
class A extends Base {
    void hidden() { }
    void run() { shared(); hidden(); self().self(); new Inner() { }.deep(); }
//               ^^^^^^ b/Base.java#Base.shared
//                         ^^^^^^ A.java#A.hidden
//                                          ^^^^ b/Base.java#Base.self
//                                                                  ^^^^ b/Base.java#Inner.deep
    class Deep { void go() { shared(); A.super.shared(); } }
//                           ^^^^^^ b/Base.java#Base.shared
//                                             ^^^^^^ b/Base.java#Base.shared
}
""",
    "covariant results, and overriding with other type arguments": """
//- /A.java
package a;
interface Source<T> { T get(); void put(T it); }
class Item { void save() { } }
class Items implements Source<Item> {
    @Override public Item get() { return new Item(); }
    @Override public void put(Item it) { it.save(); }
//                                          ^^^^ A.java#Item.save
}
class A {
    void run(Items items, Source<? extends Item> source) {
        items.get().save();
//            ^^^ A.java#Items.get
//                  ^^^^ A.java#Item.save
        source.get().save();
//             ^^^ A.java#Source.get
//                   ^^^^ A.java#Item.save
        items.put(new Item());
//            ^^^ A.java#Items.put
    }
}
""",
    "streams and chains of optionals": """
//- /A.java
package a;
import java.util.*;
import java.util.stream.*;
class Line { Item item() { return null; } Optional<Item> maybe() { return Optional.empty(); } List<Item> all() { return null; } }
class Item { String name() { return ""; } int price() { return 1; } }
class A {
    void run(List<Line> lines, Map<String, Line> named) {
        lines.stream().flatMap(line -> line.all().stream()).mapToInt(Item::price).sum();
//                                          ^^^ A.java#Line.all
//                                                                         ^^^^^ A.java#Item.price
        lines.stream().map(Line::maybe).flatMap(Optional::stream).map(each -> each.name()).collect(Collectors.joining());
//                                                                                 ^^^^ A.java#Item.name
        lines.stream().findFirst().flatMap(Line::maybe).map(Item::name).orElse("").length();
//                                                                ^^^^ A.java#Item.name
//                                                                                 ^^^^^^ java:java.lang.String.length
        named.entrySet().stream().sorted(Map.Entry.comparingByKey()).map(Map.Entry::getValue)
            .forEach(line -> line.item().price());
//                                ^^^^ A.java#Line.item
//                                       ^^^^^ A.java#Item.price
        lines.stream().collect(Collectors.partitioningBy(line -> line.item() != null))
            .get(true).get(0).item();
//                            ^^^^ A.java#Line.item
        lines.stream().collect(Collectors.groupingBy(Line::item, Collectors.counting()))
            .keySet().forEach(item -> item.price());
//                                         ^^^^^ A.java#Item.price
        lines.stream().map(Line::item).reduce(0, (sum, item) -> sum + item.price(), Integer::sum);
//                                                                         ^^^^^ A.java#Item.price
        lines.stream().max(Comparator.comparingInt(line -> line.item().price())).get().item();
//                                                                     ^^^^^ A.java#Item.price
//                                                                                     ^^^^ A.java#Line.item
        lines.stream().collect(Collectors.collectingAndThen(Collectors.toList(), all -> all.get(0))).item();
//                                                                                                   ^^^^ A.java#Line.item
        IntStream.range(0, 3).mapToObj(lines::get).map(Line::item).iterator().next().price();
//                                                                                   ^^^^^ A.java#Item.price
        lines.stream().collect(StringBuilder::new, (text, line) -> text.append(line.item().name()), StringBuilder::append);
//                                                                                         ^^^^ A.java#Item.name
    }
}
""",
    "corner cases of the choice among overloads": """
//- /A.java
package a;
import java.util.function.*;
class Failure extends RuntimeException {
    private Failure(String text) { }
    Failure(Object cause) { }
}
class A {
    static <T> T thrown(T it) { return it; }
    static <T extends Throwable> T thrown(T it) { return it; }
    static <T> T copied(T it, Function<Integer, T> made) { return it; }
    static <T> T copied(T it, Supplier<T> made) { return it; }
    static int most(byte... all) { return 0; }
    static int most(int... all) { return 0; }
    static int most(long... all) { return 0; }
    static String toString(Object it) { return ""; }
    static String toString(Object it, String other) { return ""; }
    void run(Failure failure, byte[] bytes) {
        thrown(failure);
//      ^^^^^^ A.java#A.thrown:9
        thrown("x");
//      ^^^^^^ A.java#A.thrown:8
        copied(bytes, byte[]::new);
//      ^^^^^^ A.java#A.copied:10
        copied(bytes, () -> bytes);
//      ^^^^^^ A.java#A.copied:11
        most();
//      ^^^^ A.java#A.most:12
        most(1, 2);
//      ^^^^ A.java#A.most:13
        Function<Object, String> shown = A::toString;
//                                          ^^^^^^^^ A.java#A.toString:15
        Supplier<Object> made = () -> new Object() { void deep() { } };
        var named = new Object() { int size() { return 1; } };
        named.size();
//            ^^^^ A.java#size
    }
}
class Other { Failure made() { return new Failure("x"); } }
//                                        ^^^^^^^ A.java#Failure.Failure:4; A.java#Failure
//- /B.java
package a;
class B { Failure made() { return new Failure("x"); } }
//                                    ^^^^^^^ A.java#Failure.Failure:5; A.java#Failure
""",
    "patterns within patterns, guards, and their scope": """
//- /shop/A.java
package shop;
sealed interface Shape permits Circle, Pair, Square { default double area() { return 0; } }
record Circle(Point center, double radius) implements Shape { }
record Pair<L extends Shape, R extends Shape>(L left, R right) implements Shape { }
record Point(int x, int y) { Point moved() { return this; } static Point zero() { return new Point(0, 0); } }
final class Square implements Shape { Point corner; double side() { return 1; } }
class Patterns {
    double of(Object o) {
        return switch (o) {
            case Circle(Point(var x, var y), double r) when r > 1 -> x + y;
            case Circle(Point p, var r) -> p.moved().x();
//                                           ^^^^^ shop/A.java#Point.moved
//                                                   ^ shop/A.java#Point.x
            case Pair<?, ?>(Circle(var c, var r), Square s) when s.side() > c.x() -> s.side();
//                                                                 ^^^^ shop/A.java#Square.side
//                                                                            ^ shop/A.java#Point.x
            case Pair<?, ?>(var l, Shape right) -> l.area() + right.area();
//                                                   ^^^^ shop/A.java#Shape.area
//                                                                  ^^^^ shop/A.java#Shape.area
            case Square s -> s.side() + s.corner.moved().y();
//                             ^^^^ shop/A.java#Square.side
//                                               ^^^^^ shop/A.java#Point.moved
//                                                       ^ shop/A.java#Point.y
            default -> 0;
        };
    }
    void tests(Object o) {
        if (!(o instanceof Square s)) { return; }
        s.side();
//        ^^^^ shop/A.java#Square.side
        if (o instanceof Pair<?, ?>(Circle(Point p, double r), var other) && p.x() > 0) {
//                                                                             ^ shop/A.java#Point.x
            p.moved(); other.area(); }
//            ^^^^^ shop/A.java#Point.moved
//                           ^^^^ shop/A.java#Shape.area
        while (!(o instanceof Point q)) { o = null; }
        q.moved();
//        ^^^^^ shop/A.java#Point.moved
        boolean b = o instanceof Square t && t.side() > 0 || o instanceof Point u && u.x() > 1;
//                                             ^^^^ shop/A.java#Square.side
//                                                                                     ^ shop/A.java#Point.x
        var z = o instanceof Square t ? t.side() : 0;
//                                        ^^^^ shop/A.java#Square.side
    }
}
""",
    "bounds that intersect, captured wildcards, and inference through several calls": """
//- /shop/A.java
package shop;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;
record Point(int x, int y) { Point moved() { return this; } static Point zero() { return new Point(0, 0); } }
interface Named { default String name() { return ""; } }
interface Sized { default int size() { return 0; } }
class Both implements Named, Sized { }
class Inter {
    <T extends Named & Sized> void bound(T t) { t.name(); t.size(); }
//                                                ^^^^ shop/A.java#Named.name
//                                                          ^^^^ shop/A.java#Sized.size
    <T extends Named & Sized> T made(Supplier<T> s) { return s.get(); }
    void cast(Object o) { ((Named & Sized) o).size(); made(Both::new).name(); made(() -> new Both()).size(); }
//                                            ^^^^ shop/A.java#Sized.size
//                                                                    ^^^^ shop/A.java#Named.name
//                                                                                                   ^^^^ shop/A.java#Sized.size
    void capture(List<? extends Point> l, List<? super Point> k, Map<String, ? extends List<? extends Point>> m) {
        l.get(0).moved();
//               ^^^^^ shop/A.java#Point.moved
        swap(l).moved();
//              ^^^^^ shop/A.java#Point.moved
        m.get("").get(0).moved();
//                       ^^^^^ shop/A.java#Point.moved
        m.values().stream().flatMap(List::stream).map(Point::moved).forEach(p -> p.moved());
//                                                           ^^^^^ shop/A.java#Point.moved
//                                                                                 ^^^^^ shop/A.java#Point.moved
        for (Map.Entry<String, ? extends List<? extends Point>> e : m.entrySet())
            for (var p : e.getValue()) p.moved();
//                                       ^^^^^ shop/A.java#Point.moved
    }
    <T> T swap(List<T> l) { return l.get(0); }
    void several() {
        Stream.of(Point.zero(), Point.zero())
//                      ^^^^ shop/A.java#Point.zero
            .collect(Collectors.groupingBy(p -> p.x(), TreeMap::new, Collectors.mapping(p -> p.moved(), Collectors.toList())))
//                                                ^ shop/A.java#Point.x
//                                                                                             ^^^^^ shop/A.java#Point.moved
            .firstEntry().getValue().get(0).moved();
//                                          ^^^^^ shop/A.java#Point.moved
        Optional.of(Point.zero()).map(p -> Map.entry(p, p.x())).filter(e -> e.getValue() > 0)
//                                                        ^ shop/A.java#Point.x
            .map(Map.Entry::getKey).orElseGet(Point::zero).moved();
//                                                   ^^^^ shop/A.java#Point.zero
//                                                         ^^^^^ shop/A.java#Point.moved
        Function<Point, Point> f = Point::moved;
//                                        ^^^^^ shop/A.java#Point.moved
        f.andThen(p -> p.moved()).compose((Integer i) -> Point.zero()).apply(1).moved();
//                       ^^^^^ shop/A.java#Point.moved
//                                                             ^^^^ shop/A.java#Point.zero
//                                                                              ^^^^^ shop/A.java#Point.moved
        Comparator<Point> c = Comparator.comparing(Point::x).thenComparing(p -> p.moved().y()).reversed();
//                                                                                ^^^^^ shop/A.java#Point.moved
        Comparator.comparing((Point p) -> p.moved().y());
//                                          ^^^^^ shop/A.java#Point.moved
        List<Point> sorted = new ArrayList<>(Arrays.asList(Point.zero())); sorted.sort((p, q) -> p.moved().x() - q.x());
//                                                                                                 ^^^^^ shop/A.java#Point.moved
        sorted.stream().reduce((p, q) -> p.moved()).get().moved();
//                                         ^^^^^ shop/A.java#Point.moved
//                                                        ^^^^^ shop/A.java#Point.moved
        sorted.stream().collect(Collectors.toMap(Point::x, Function.identity(), (p, q) -> p.moved()))
//                                                                                          ^^^^^ shop/A.java#Point.moved
            .get(1).moved();
//                  ^^^^^ shop/A.java#Point.moved
        Collectors.collectingAndThen(Collectors.<Point>toList(), l -> l.get(0).moved());
//                                                                             ^^^^^ shop/A.java#Point.moved
    }
}
""",
    "this of enclosing types, and captured names": """
//- /shop/A.java
package shop;
class Outer {
    int field; void call() { }
    class Inner {
        int field; void call() { }
        class Deep extends Base {
            void run() { Outer.this.call(); Inner.this.call(); this.run(); call(); super.run(); }
//                                  ^^^^ shop/A.java#Outer.call
//                                                     ^^^^ shop/A.java#Inner.call
//                                                                  ^^^ shop/A.java#Deep.run
//                                                                         ^^^^ shop/A.java#Inner.call
//                                                                                       ^^^ shop/A.java#Base.run
        }
    }
    static class Base { void run() { } }
    Runnable local() {
        int field = 1;
        class Local implements Runnable { public void run() { call(); Outer.this.call(); new Inner().call(); } }
//                                                            ^^^^ shop/A.java#Outer.call
//                                                                               ^^^^ shop/A.java#Outer.call
//                                                                                                   ^^^^ shop/A.java#Inner.call
        return () -> { new Local().run(); this.call(); Outer.this.new Inner().new Deep().run(); };
//                                 ^^^ shop/A.java#Local.run
//                                             ^^^^ shop/A.java#Outer.call
//                                                                                       ^^^ shop/A.java#Deep.run
    }
}
""",
    "arguments that are conditional, and type arguments from lambdas": """
//- /A.java
package a;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;
abstract class Base<T> {
    abstract void supply(Stream<T> s);
    abstract void supply(Spliterator<T> s);
    abstract void put(One one);
    abstract void put(Runnable r);
    void run(boolean b, Spliterator<T> s) {
        supply(b ? new First<>(s) : new Second<>(s));
//      ^^^^^^ A.java#Base.supply:7
        put(b ? new One() : new Two());
//      ^^^ A.java#Base.put:8
        put(b ? () -> { } : () -> { });
//      ^^^ A.java#Base.put:9
        supply(switch (s.hashCode()) { case 1 -> new First<>(s); default -> new Second<>(s); });
//      ^^^^^^ A.java#Base.supply:7
    }
}
class One { void one() { } }
class Two extends One { }
class First<T> extends Spl<T> { First(Spliterator<T> s) { } }
class Second<T> extends Spl<T> { Second(Spliterator<T> s) { } }
abstract class Spl<T> implements Spliterator<T> { }
class Box<A> implements Consumer<A> {
    A a; boolean set;
    Box() { }
    Box(A a) { this.a = a; }
    public void accept(A a) { }
    void from(Box<A> other) { }
}
class Impl<T, A, R> {
    Impl(Supplier<A> supplier, BiConsumer<A, T> accumulator, BinaryOperator<A> combiner, Function<A, R> finisher) { }
    static <T, A, R> Impl<T, A, R> of(Supplier<A> supplier, BiConsumer<A, T> accumulator, BinaryOperator<A> combiner,
        Function<A, R> finisher) { return null; }
}
class Uses {
    static <T> Impl<T, ?, Box<T>> first() {
        return new Impl<>(() -> new Box<T>(), (box, t) -> box.set = true,
//                                                            ^^^ A.java#Box.set
            (box1, box2) -> { box1.from(box2); return box1; }, box -> box);
//                                 ^^^^ A.java#Box.from
    }
    static Impl<String, ?, Box<String>> second() {
        return Impl.of(Box::new, (box, t) -> box.accept(t), (box1, box2) -> { box1.from(box2); return box1; }, box -> box);
//                                               ^^^^^^ A.java#Box.accept
//                                                                                 ^^^^ A.java#Box.from
    }
    static Impl<String, ?, Long> third() {
        class Container { long count; Container next() { return this; } }
        return Impl.of(Container::new, (c, t) -> c.next(), (c1, c2) -> c1.next(), c -> c.count);
//                                                 ^^^^ A.java#Container.next
//                                                                        ^^^^ A.java#Container.next
//                                                                                       ^^^^^ A.java#Container.count
    }
    static Collector<String, ?, Long> fourth() {
        class Tally { long count; Tally next() { return this; } }
        return Collector.of(Tally::new, (c, t) -> c.next(), (c1, c2) -> c1.next(), c -> c.count);
//                                                  ^^^^ A.java#Tally.next
//                                                                         ^^^^ A.java#Tally.next
//                                                                                        ^^^^^ A.java#Tally.count
    }
}
""",
    "type arguments of constructors that a bound gives": """
//- /A.java
package a;
import java.util.*;
import java.util.function.*;
class P { P moved() { return this; } int x() { return 0; } static P zero() { return null; } }
class G {
    static <T, K, M extends Map<K, List<T>>> M grouped(List<T> l, Function<T, K> f, Supplier<M> s) { return null; }
    static <C extends Collection<P>> C into(Supplier<C> s) { return null; }
    void run(List<P> l) {
        grouped(l, p -> p.x(), TreeMap::new).firstEntry().getValue().get(0).moved();
//                                                                          ^^^^^ A.java#P.moved
        into(ArrayList::new).get(0).moved();
//                                  ^^^^^ A.java#P.moved
        grouped(l, p -> p.x(), HashMap::new).get(1).get(0).moved();
//                                                         ^^^^^ A.java#P.moved
    }
}
""",
    "packages whose names end the names of other packages": """
//- /src/test/java/org/shop/tests/deep/Old.java
package org.shop.tests.deep;
import shop.Cart;
class Old { void run() { shop.tests.All.suite(); org.shop.tests.All.other(); } }
//                                      ^^^^^ src/test/java/shop/tests/All.java#All.suite
//                                                                  ^^^^^ src/test/java/org/shop/tests/All.java#All.other
//- /src/test/java/shop/tests/All.java
package shop.tests;
public class All { public static void suite() { } }
//- /src/test/java/org/shop/tests/All.java
package org.shop.tests;
public class All { public static void other() { } }
//- /src/main/java/shop/Cart.java
package shop;
public class Cart { }
""",
    "inner classes have the type arguments of the types around them": """
//- /A.java
package a;
import java.util.List;
class Item { void pack() { } }
class Crate { void lift() { } }
class Shelf<T> {
    T first;
    class Slot<U> {
        U held;
        T own() { return first; }
        class Label<V> { V text; U held() { return held; } T item() { return first; } }
        Label<Item> label() { return new Label<>(); }
    }
    class Row { T at; Row next; }
    Row rows;
    Slot<Crate> slot() { return new Slot<>(); }
    void own() { rows.next.at.hashCode(); }
}
class Cabinet extends Shelf<Item> {
    Row open() { return new Row(); }
    void run() { open().next.at.pack(); slot().own().pack(); }
//                              ^^^^ A.java#Item.pack
//                                                   ^^^^ A.java#Item.pack
}
class Till {
    void run(Shelf<Item> shelf, Shelf<Crate>.Row row) {
        shelf.slot().own().pack();
//                         ^^^^ A.java#Item.pack
        shelf.slot().label().held().lift();
//                                  ^^^^ A.java#Crate.lift
        shelf.slot().label().item().pack();
//                                  ^^^^ A.java#Item.pack
        shelf.rows.next.at.pack();
//                         ^^^^ A.java#Item.pack
        row.next.at.lift();
//                  ^^^^ A.java#Crate.lift
        Shelf<Item>.Slot<Crate> slot = shelf.new Slot<Crate>();
//            ^^^^ A.java#Item
//                       ^^^^^ A.java#Crate
        slot.held.lift();
//                ^^^^ A.java#Crate.lift
        Shelf<Item>.Slot<Crate>.Label<Item> label = slot.new Label<Item>();
        label.text.pack();
//                 ^^^^ A.java#Item.pack
        label.held().lift();
//                   ^^^^ A.java#Crate.lift
    }
}
""",
    "conditional expressions among overloads": """
//- /A.java
package a;
class A {
    static void one(char value) { }
    static void one(int value) { }
    static void two(Integer value) { }
    static void two(Object value) { }
    static void three(short value) { }
    static void three(int value) { }
    void run(boolean yes, char letter, Integer boxed, byte small, short middle) {
        one(yes ? 1 : letter);
//      ^^^ A.java#A.one
        one(yes ? 100_000 : letter);
//      ^^^ A.java#A.one:4
        one(yes ? letter : boxed);
//      ^^^ A.java#A.one:4
        two(yes ? null : 0);
//      ^^^ A.java#A.two
        two(yes ? 0 : "none");
//      ^^^ A.java#A.two:6
        three(yes ? small : middle);
//      ^^^^^ A.java#A.three
    }
}
""",
    "types that statements declare, as receivers": """
//- /A.java
package a;
class A {
    void run() {
        enum Mode { ON { void flip() { off(); } }, OFF; void flip() { } void off() { } static Mode best() { return ON; } }
//                                     ^^^ A.java#Mode.off
        record Pair(int one) { static Pair of() { return new Pair(1); } void show() { } }
        Mode.ON.flip();
//      ^^^^ A.java#Mode
//           ^^ A.java#Mode.ON
//              ^^^^ A.java#Mode.flip
        Mode.best().off();
//           ^^^^ A.java#Mode.best
//                  ^^^ A.java#Mode.off
        Runnable later = () -> Pair.of().show();
//                                  ^^ A.java#Pair.of
//                                       ^^^^ A.java#Pair.show
    }
}
""",
    "fields of anonymous classes, and private fields of other files": """
//- /shop/A.java
package shop;
class A extends Base {
    static final Log log = new Log();
    static class Log { void info() { } }
    void run() {
        var counter = new Object() {
            int count;
            Log held = log;
            void up() { count++; held.info(); this.held.info(); }
//                      ^^^^^ shop/A.java#count:7
//                               ^^^^ shop/A.java#held:8
//                                    ^^^^ shop/A.java#Log.info
//                                                 ^^^^ shop/A.java#held:8
        };
        counter.held.info();
//              ^^^^ shop/A.java#held:8
//                   ^^^^ shop/A.java#Log.info
    }
    class Inner extends Base { void run() { log.info(); open.hashCode(); } }
//                                          ^^^ shop/A.java#A.log
//                                              ^^^^ shop/A.java#Log.info
//                                                      ^^^^ shop/Base.java#Base.open
}
//- /shop/Base.java
package shop;
class Base { private final Object log = null; final Object open = null; }
""",
    "the map that a collector fills": """
//- /A.java
package a;
import java.util.TreeMap;
import java.util.stream.*;
class A {
    A own() { return this; }
    void hit() { }
    void run(Stream<A> all) {
        all.collect(Collectors.groupingBy(A::own, () -> new TreeMap<>(), Collectors.toSet())).firstKey().hit();
//                                                                                                       ^^^ A.java#A.hit
        var lists = Collectors.mapping((A one) -> one.own(), Collectors.toList());
//                                                    ^^^ A.java#A.own
        all.collect(Collectors.groupingBy(A::own, TreeMap::new, lists)).firstEntry().getValue().get(0).hit();
//                                           ^^^ A.java#A.own
//                                                                                                     ^^^ A.java#A.hit
    }
}
""",
}


@pytest.mark.parametrize("name", CASES)
def test_names_mean_what_javac_binds(name: str) -> None:
    check_carets(CASES[name], "java")
