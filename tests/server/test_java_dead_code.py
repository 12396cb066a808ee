"""Dead code of Java: what is dead, and what programs, tests, frameworks, overrides and annotations keep alive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.retrieval.lint.records import LintAnswer
from astrolabe.server.api.workspace import open_workspace

FILES = {
    "src/main/java/app/Generator.java": """package app;

public class Generator {
    static class Step {
        @Deprecated static void main(String[] args) { System.out.println(args.length); }
    }
}
""",
    "pom.xml": "<project><groupId>g</groupId><artifactId>shop</artifactId><version>1</version></project>",
    "src/main/java/shop/Main.java": """package shop;
import java.util.List;
import org.springframework.web.bind.annotation.*;

public class Main {
    private static final int SIZE = compute();
    public static void main(String[] args) { new Main().run(List.of("a")); new Bag().isFull(); }
    private static int compute() { return 1; }
    private void run(List<String> names) { names.forEach(this::shown); Shape shape = new Circle(); shape.area(); }
    private void shown(String name) { }
    private void forgotten() { onlyForgotten(); }
    private void onlyForgotten() { }
    private void readObject(java.io.ObjectInputStream in) { }
    @Marked private void looked() { }
    public void offered() { }
    void ofThePackage() { }
    /** It was made for {@link Main}. */
    @Deprecated private void old() { }
    private enum Used { A, B }
    static Used used() { return Used.A; }
    static { used(); }
}
interface Shape { double area(); }
class Circle implements Shape {
    @Override public double area() { return helper(); }
    @Override public String toString() { return text(); }
    private String text() { return ""; }
    private double helper() { return 1; }
}
class Deserted { void inside() { } }
@RestController class Orders { @GetMapping("/") String all() { return kept(); } private String kept() { return ""; } }
""",
    "src/main/java/shop/Basket.java": """package shop;
public abstract class Basket {
    public boolean isFull() { return holds(1); }
    protected abstract boolean holds(int count);
    public abstract int wasted();
}
""",
    "src/main/java/shop/Bag.java": """package shop;
public class Bag extends Basket {
    @Override protected boolean holds(int count) { return true; }
    @Override public int wasted() { return 0; }
}
""",
    "src/main/java/shop/Loader.java": """package shop;
import org.other.Source;
class Loader {
    public static void main(String[] args) { shown(Source.read(args)); }
    private static void shown(String one) { printed(); }
    private static void shown(Integer one) { }
    private static void printed() { }
}
""",
    "src/main/java/shop/Square.java": "package shop;\nclass Square implements Shape { public double area() { return 1; } }\n",
    "src/main/resources/META-INF/services/shop.Shape": "shop.Square\n",
    "src/main/java/shop/Work.java": """package shop;
class Work {
    public void run() { }
    public double area() { return 2; }
    private void idle() { }
    void slow() { }
}
class Job extends Work implements Runnable { }
class Field extends Work implements Shape { }
class Use {
    public static void main(String[] args) { new Thread(new Job()).start(); shown(new Field()); }
    private static void shown(Shape shape) { }
}
""",
    "src/main/java/shop/Marked.java": "package shop;\n@interface Marked { }\n",
    "src/main/java/shop/Named.java": "package shop;\npublic class Named { }\n",
    "src/main/resources/beans.xml": '<beans><bean class="shop.Named"/></beans>',
    "src/test/java/shop/MainTest.java": """package shop;
import org.junit.jupiter.api.Test;
class MainTest {
    @Test void runs() { check(); find("rows"); }
    private void find(String method) { }
    private static Object rows() { return null; }
    private void check() { }
    private void unwanted() { }
    @org.junit.jupiter.params.provider.MethodSource("names") @Test void named() { }
    private static Object names() { return null; }
    private static class Bean { public String getTitle() { return ""; } String unread() { return ""; } }
    @Test void bean() { new Bean(); }
}
""",
    "src/test/java/shop/ShapeTest.java": """package shop;
import org.junit.jupiter.api.Test;
abstract class ShapeTest { abstract Shape shape(); @Test void hasArea() { shape().area(); } }
abstract class FilledShapeTest extends ShapeTest { }
abstract class AbandonedShapeTest extends ShapeTest { }
class CircleTest extends FilledShapeTest { Shape shape() { return new Circle(); } }
class CrateTest extends org.other.ContainerContract { }
""",
}


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LintAnswer]:
    """The answer about the project, with its tests."""
    root: Path = tmp_path_factory.mktemp("java")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    with open_workspace(root) as workspace:
        yield workspace.lint(checks=["dead-code"], exclude_tests=False, limit=500, budget=50_000).answer


def test_what_nothing_reaches_is_dead_with_high_confidence(answer: LintAnswer) -> None:
    """What only dead code uses is dead, too."""
    found = {(each.symbol, each.reason) for each in answer.dead_code or () if each.confidence == "high"}
    assert found == {
        ("forgotten", "nothing uses it"),
        ("onlyForgotten", "only dead code uses it"),
        ("ofThePackage", "nothing uses it"),
        ("old", "nothing uses it"),
        ("Deserted", "nothing uses it"),
        ("unwanted", "nothing uses it"),
        ("unread", "nothing uses it"),
        ("idle", "nothing uses it"),
        ("slow", "nothing uses it"),
        ("AbandonedShapeTest", "nothing uses it"),
    }


def test_what_is_used_by_the_possible_target_of_an_unresolved_call_is_not_known(answer: LintAnswer) -> None:
    """Which `shown` runs depends on a type of another library, and the tests of `CrateTest` on its base in one."""
    not_known = {("shown", 5), ("shown", 6), ("printed", 7), ("CrateTest", 7)}
    assert {(each.symbol, each.line) for each in answer.not_known or ()} == not_known


def test_what_others_may_use_is_dead_with_low_confidence(answer: LintAnswer) -> None:
    """A class that a file of settings names is not dead at all, and neither is a method that an annotation names, nor one that
    overrides a called method."""
    assert {each.symbol: each.reason for each in answer.dead_code or () if each.confidence == "low"} == {
        "offered": "nothing uses it here, but other modules may",
        "wasted": "nothing uses it here, but other modules may",
        "rows": "nothing uses it by its name, but a string has it",
        "getTitle": "nothing uses it, but what reads properties of objects may",
    }
