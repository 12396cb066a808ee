"""Blocks of Go and Java form programs: what they use is found as the engine of their language finds it in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from astrolabe.ingest.documents.blocks.go_programs import go_programs
from astrolabe.ingest.documents.blocks.java_programs import java_programs
from astrolabe.ingest.documents.blocks.programs import ENGINES, Expression, Implied, NamedImport, Program
from astrolabe.ingest.facts.document_facts import BlockFact
from astrolabe.ingest.languages.registry import language
from astrolabe.ingest.resolution.block_programs import imported_modules
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

from tests.linear_time import is_linear, processor_seconds

Programs = Callable[[Sequence[BlockFact], Implied, Callable[[str], bool]], Iterator[Program]]

WORKSPACE = """
//- go.mod
module example.com/bakery
go 1.22
//- bakery.go
package bakery

type base struct{}

// Close stops the oven.
func (b *base) Close() error { return nil }

type Oven struct {
	*base
	Degrees int
}

type Loaf struct{ Grams int }

func (l Loaf) Slice(count int) []Loaf { return nil }

func New(degrees int) *Oven { return &Oven{Degrees: degrees} }

func (o *Oven) Bake(name string) (*Loaf, error) { return nil, nil }

func (o *Oven) Each(visit func(loaf *Loaf)) {}

type Shelf[T any] struct{ items []T }

func NewShelf[T any](first T) *Shelf[T] { return nil }

func (s *Shelf[T]) First() T { return s.items[0] }

type Context interface {
	Context() string
	Wait()
}
//- store/shop.go
package shop

type Counter struct{}

func Open() *Counter { return nil }

func (c *Counter) Sell() {}
//- market/shop.go
package shop

type Stall struct{}

func Open() *Stall { return nil }

func (s *Stall) Sell() {}
//- src/main/java/org/mill/Mill.java
package org.mill;

public class Mill {
    public static Builder builder() { return new Builder(); }
    public Flour grind(String grain) { return null; }
    public Flour grind(String grain, int grams) { return null; }

    public static class Builder {
        private int stones;
        public Builder stones(int stones) { return this; }
        public Builder sieve(java.util.function.Consumer<Sieve> sieve) { return this; }
        public Mill build() { return null; }
    }
}
//- src/main/java/org/mill/Flour.java
package org.mill;

public interface Flour {
    int grams();
    default Flour sift() { return this; }
}
//- src/main/java/org/mill/Sieve.java
package org.mill;

public class Sieve {
    public void width(int width) {}
}
//- docs/go.md
# Ovens
```go
package main

import (
	"fmt"

	"example.com/bakery"
)

func main() {
	oven := bakery.New(200)
	loaf, err := oven.Bake("rye")
	if err != nil {
		panic(err)
	}
	fmt.Println(loaf.Grams)
}
```
Then close it with `oven.Close()`.
```go
for _, each := range loaf.Slice(4) {
	println(each.Grams)
}
oven.Each(func(loaf *bakery.Loaf) { loaf.Slice(2) })
```
A baker has an oven, and `...` stands for the rest:
```go
type Baker struct {
	oven *bakery.Oven
}

func (b *Baker) Work(count int) error {
	shelf := bakery.NewShelf(b.oven)
	shelf.First().Bake("oat")
	...
	return b.oven.Close()
}

func Stack(loaf bakery.Loaf, ctx bakery.Context) []bakery.Loaf {
	ctx.Context()
	return loaf.Slice(3)
}
```
The blocks may declare a type of the same name:
```go
type Oven struct{ Bake func() }

var own Oven
own.Bake()
```
//- docs/short.md
# Short
```go
oven := bakery.New(180)
oven.Bake("spelt")
```
//- docs/shops.md
# Shops
```go
import "example.com/bakery/store"
shop.Open().Sell()
```
Or at the market:
```go
import shop "example.com/bakery/market"
shop.Open().Sell()
```
//- docs/java.md
# Mills
```java
import org.mill.Mill;

Mill mill = Mill.builder()
    .stones(2)
    .sieve(sieve -> sieve.width(3))
    .build();
```
Then `mill.grind("oat", 5)` gives flour:
```java
public class Miller {
    private final Flour flour;

    public int work(Mill other) {
        return other.grind("rye", 80).sift().grams();
    }
}
```
Members without a class:
```java
private Flour stock = mill.grind("rye");

public void open(Mill.Builder builder) {
    builder.build().grind("oat");
}
```
They are known later:
```java
stock.sift();
...
```
The page has its own sieve:
```java
class Sieve {
    void shake() {}
}
new Sieve().shake();
```
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("bakery"), WORKSPACE)


def _found(content: GraphContent, path: str) -> list[str]:
    """Return the lines of a document with the names of the symbols that it uses there."""
    names = {symbol.id: symbol for symbol in content.symbols}
    found = {
        (line, names[edge.to_id].qualified_name)
        for edge in content.mentions
        if names[edge.from_id].relative_path == path
        for line in edge.lines
    }
    return [f"{line} {name}" for line, name in sorted(found)]


def test_blocks_of_go_share_variables_and_imports(content: GraphContent) -> None:
    assert _found(content, "docs/go.md") == [
        "12 New",
        "13 Oven.Bake",
        "17 Loaf.Grams",
        "20 base.Close",
        "22 Loaf.Slice",
        "23 Loaf.Grams",
        "25 Loaf",
        "25 Loaf.Slice",
        "25 Oven.Each",
        "30 Oven",
        "34 NewShelf",
        "35 Oven.Bake",
        "35 Shelf.First",
        "37 base.Close",
        "40 Context",
        "40 Loaf",
        "41 Context.Context",
        "42 Loaf.Slice",
    ]


def test_a_method_of_go_with_the_name_of_its_type_is_a_method(content: GraphContent) -> None:
    assert [symbol.kind for symbol in content.symbols if symbol.qualified_name == "Context.Context"] == ["method"]


def test_blocks_of_go_may_leave_the_import_to_the_reader(content: GraphContent) -> None:
    assert _found(content, "docs/short.md") == ["3 New", "4 Oven.Bake"]


def test_blocks_of_go_may_import_two_packages_under_one_name(content: GraphContent) -> None:
    assert {"4 Open", "4 Counter.Sell", "9 Open", "9 Stall.Sell"} <= set(_found(content, "docs/shops.md"))
    assert not {"4 Stall.Sell", "9 Counter.Sell"} & set(_found(content, "docs/shops.md"))


def test_blocks_of_java_are_statements_or_members(content: GraphContent) -> None:
    assert _found(content, "docs/java.md") == [
        "3 Mill",
        "5 Mill",
        "5 Mill.builder",
        "6 Mill.Builder.stones",
        "7 Mill.Builder.sieve",
        "7 Sieve.width",
        "8 Mill.Builder.build",
        "10 Mill.grind",
        "13 Flour",
        "15 Mill",
        "16 Flour.grams",
        "16 Flour.sift",
        "16 Mill.grind",
        "22 Flour",
        "22 Mill.grind",
        "24 Mill",
        "24 Mill.Builder",
        "25 Mill.Builder.build",
        "25 Mill.grind",
        "30 Flour.sift",
    ]


@pytest.mark.parametrize(
    ("text", "extension", "modules"),
    [
        ('import "a/b"\nimport (\n\tc "d/e" // why\n\t. "f"\n)\nx := "g"', ".go", ["a/b", "d/e", "f"]),
        ("import a.b.C;\nimport static d.E.f;\nimport g.*;\nimportant.a.b();", ".java", ["a.b.C", "d.E.f"]),
    ],
)
def test_modules_that_a_block_imports(text: str, extension: str, modules: list[str]) -> None:
    assert list(imported_modules(text, extension)) == modules


def _is_valid(extension: str) -> Callable[[str], bool]:
    parse = language(ENGINES[extension]).parse
    assert parse is not None
    return lambda text: parse(text.encode(), ENGINES[extension]).is_valid


def test_each_part_of_a_program_keeps_its_place() -> None:
    text = '  import "a/b"\n\n  func (o *Oven) Bake(name string) error {\n    return b.Open(name)\n  }\n  func Open() int'
    implied = Implied(expressions=[Expression("b.Close()", 40, 7, 0)], named=[NamedImport("c", 'import c "d"')])
    (program,) = go_programs([BlockFact(0, ".go", 20, text)], implied, _is_valid(".go"))
    assert _is_valid(".go")(program.text)
    lines = dict(zip(program.text.split("\n"), program.places, strict=True))
    places = {"(o *Oven)": (22, 8), "(name string)": (22, 22), "b.Open": (23, 12), "() int": (25, 12)}
    for written, (number, column) in places.items():
        line = next(each for each in lines if written in each)
        assert (lines[line][0], line.index(written) + lines[line][1] + 1) == (number, column)
    assert lines["b.Close()"] == (40, 6)


_PARTS = ("func f(", "{", "}", "`", '"', "/*", "func (a B) c() {}\n", "import (\n", "a()\n\n", "import a.b;\n")


@pytest.mark.parametrize("programs", [go_programs, java_programs])
@pytest.mark.parametrize(
    ("begin", "part"),
    [*(("", part) for part in _PARTS), *((begin, part) for begin in ("import a.b", "import (") for part in (" ", "a", "a "))],
)
def test_programs_are_made_in_linear_time(programs: Programs, begin: str, part: str) -> None:
    def seconds(count: int) -> float:
        blocks = [BlockFact(0, ".go", 1, f"{begin}{part * count}\n)")]
        return processor_seconds(lambda: list(programs(blocks, Implied(), lambda _: False)))

    assert is_linear(seconds, 8_000)
