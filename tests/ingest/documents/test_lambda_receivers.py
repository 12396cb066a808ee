"""Blocks of Kotlin call members of the receivers of the lambdas around them."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.blocks.receiver_calls import ReceiverCall, receiver_calls
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

from tests.linear_time import is_linear, processor_seconds

WORKSPACE = """
//- src/commonMain/kotlin/org/garden/dsl/GardenDsl.kt
package org.garden.dsl

import org.garden.core.Bed
import org.garden.core.Garden

typealias Planting<T> = Bed.(Int) -> T

fun garden(watered: Boolean = false, plant: Garden.() -> Unit): Garden = Garden()

fun <T : Any> garden(name: String): Garden = Garden()

fun named(name: String): String = name

fun soil(): Int = 3
//- src/commonMain/kotlin/org/garden/core/Garden.kt
package org.garden.core

import org.garden.dsl.Planting

@Retention(AnnotationRetention.BINARY)
@Target(AnnotationTarget.CLASS)
open class Garden protected constructor() {
    fun bed(override: Int = 1, plant: Planting<Unit>) {
        if (override > 0) {
        }
    }
    fun water(litres: Int) {
    }
    fun harvest(): Int = 0
}
//- src/commonMain/kotlin/org/garden/core/Bed.kt
package org.garden.core

class Bed {
    fun sow(seed: String) {}
    fun harvest(): Int = 0
}
//- src/commonMain/kotlin/org/garden/fence/Fence.kt
package org.garden.fence

import org.garden.core.Garden

fun Garden.fence(height: Int) {}

fun Garden.water() {}

fun Gate.soil(): Int = 1

class Gate
//- src/commonMain/kotlin/org/garden/plan/Bed.kt
package org.garden.plan

annotation class Bed(val names: Array<String> = [])

interface Planner

fun Planner.plan(days: Int) {}
//- src/commonMain/kotlin/org/garden/shed/Shed.kt
package org.garden.shed

interface Shelves {
    fun shelf(name: String)
}

fun Shelves.board(width: Int) {}

interface Shed {
    class Box(val fill: Builder.() -> Unit)

    interface Builder : Shelves {
        fun door(width: Int)
    }

    companion object {
        operator fun invoke(locked: Boolean = false, build: Builder.() -> Unit): Shed = TODO()
    }
}
//- docs/shed.adoc
= Sheds
----
val shed = Shed {
    door(2)
    shelf("top")
    board(3)
}
val box = Shed.Box { door(1) }
----
----
let shed = Shed { door(2) }
----
//- docs/garden.md
# Gardens
```kotlin
val mine = garden {
    // the beds
    bed(2) {
        sow("bean")
        water(3)
        harvest()
    }
    fence(1)
    water()
    listOf(1, 2).forEach { water(it) }
    other.apply { harvest() }
    named("south")
}
```
Without a receiver, only the function that fits:
```kotlin
garden<Garden>("east")
soil()
harvest()
class Mine : Planner {
    fun start() = plan(days = 3)
}
fun Garden.tidy() {
    harvest()
}
```
//- docs/own.md
# Own
```kotlin
fun named(name: String) = name
named("west")
```
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("garden"), WORKSPACE)


def _found(content: GraphContent, path: str) -> list[str]:
    """Return the lines of a document with the names and the places of the symbols that it uses there."""
    names = {symbol.id: symbol for symbol in content.symbols}
    found = {
        (line, column, names[edge.to_id].qualified_name)
        for edge in content.mentions
        if names[edge.from_id].relative_path == path
        for line, column in zip(edge.lines, edge.columns, strict=True)
    }
    return [f"{line}:{column} {name}" for line, column, name in sorted(found)]


def test_calls_are_those_of_the_innermost_receiver_that_has_them(content: GraphContent) -> None:
    assert _found(content, "docs/garden.md") == [
        "3:12 garden",
        "5:5 Garden.bed",
        "6:9 Bed.sow",
        "7:9 Garden.water",
        "8:9 Bed.harvest",
        "10:5 Garden.fence",
        "11:5 Garden.water",
        "12:28 Garden.water",
        "14:5 named",
        "19:1 garden",
        "22:14 Planner",
        "23:19 Planner.plan",
        "26:5 Garden.harvest",
    ]


def test_overloads_and_functions_from_outside_are_told_apart(content: GraphContent) -> None:
    names = {symbol.id: symbol for symbol in content.symbols}
    edges = [edge for edge in content.mentions if names[edge.to_id].name == "water"]
    waters = {line: names[edge.to_id].relative_path for edge in edges for line in edge.lines}
    assert waters[7].endswith("Garden.kt")
    assert waters[11].endswith("Fence.kt")


def test_a_type_may_take_a_lambda_and_blocks_need_not_name_their_language(content: GraphContent) -> None:
    found = {each for each in _found(content, "docs/shed.adoc") if not each.endswith((" Shed", " Shed.Box"))}
    assert found == {"4:5 Shed.Builder.door", "5:5 Shelves.shelf", "6:5 Shelves.board", "8:22 Shed.Builder.door"}


def test_a_class_after_annotations_is_a_class(content: GraphContent) -> None:
    assert [symbol.kind for symbol in content.symbols if symbol.qualified_name == "Garden"] == ["class"]
    assert [symbol.kind for symbol in content.symbols if symbol.qualified_name == "Garden.harvest"] == ["method"]
    assert [file.parse_status for file in content.files if file.relative_path.endswith("plan/Bed.kt")] == ["ok"]


def test_a_function_of_the_page_hides_one_of_the_repository(content: GraphContent) -> None:
    assert _found(content, "docs/own.md") == []


def test_calls_have_places_and_what_is_around_them() -> None:
    text = 'a(b()) {\n  "c()" /* d()\n */ e<F<G>> { x.h { i(1) } }\n}\nclass J : K(), L {\n fun m() = n()\n}'
    assert receiver_calls(text, 5) == [
        ReceiverCall("a", 5, 1, (), False, True, True),
        ReceiverCall("b", 5, 3, (), False, False, False),
        ReceiverCall("e", 7, 5, ("a",), True, False, True),
        ReceiverCall("i", 7, 21, ("a", "e<"), False, True, False),
        ReceiverCall("n", 10, 12, (":K", ":L"), False, False, False),
    ]


@pytest.mark.parametrize(
    ("declared", "around"),
    [
        ("class A : B(), C, D {", (":B", ":C", ":D")),
        ("class A<T, U>(c: C, d: D) : B<C, D>, E {", (":B", ":E")),
        ("interface A : B,\n C {", (":B", ":C")),
    ],
)
def test_types_have_all_ancestors_of_a_list(declared: str, around: tuple[str, ...]) -> None:
    [call] = receiver_calls(f"{declared}\nval f = g()\n}}", 1)
    assert call.around == around


def test_type_arguments_may_have_several_lines() -> None:
    calls = receiver_calls("a<\n  B,\n  C\n>(d())\ne()", 1)
    assert [(call.name, call.line, call.column) for call in calls] == [("a", 1, 1), ("d", 4, 3), ("e", 5, 1)]


def test_only_some_of_very_many_ancestors_are_read() -> None:
    [call] = receiver_calls(f"class A : {', '.join(['B()'] * 2_000)} {{ c() }}", 1)
    assert call.around == (":B",) * 12


@pytest.mark.parametrize("part", ["a {", "(", "}", '"', "/*", "a<", "class A : B,\n", "fun a.", "a() {\n b<C>() }\n", "@a("])
def test_calls_are_read_in_linear_time(part: str) -> None:
    assert is_linear(lambda count: processor_seconds(lambda: receiver_calls(part * count, 1)), 8_000)
