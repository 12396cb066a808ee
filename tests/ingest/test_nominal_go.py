"""What Go code leads to: each case is a function in a small module, and what its calls bind."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.go import READER
from astrolabe.ingest.languages.go.runtime_facts import GoRules
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.ingest.nominal.edges.edges import NominalEdges
from astrolabe.ingest.nominal.engine import NominalEngine
from astrolabe.ingest.nominal.program import NominalProgram, last_name
from astrolabe.schema.paths import parent_of

SHOP = {
    "go.mod": "module example.com/shop\n\ngo 1.23\n",
    "stock/item.go": """package stock

import "errors"

// An Item is on a shelf.
type Item struct {
	Base
	Name   string
	Parent *Item
	Parts  []*Item
	ByName map[string]*Item
	OnSale func(price int) *Item
}

type Base struct{ *Root }

func (b Base) Open() error { return nil }

type Root struct{}

func (r *Root) Open() error { return nil }
func (r *Root) Deep() *Item { return nil }

type Saver interface {
	Save() error
}

type Opener interface {
	Saver
	Open() error
}

type Price int

func (p Price) Round() Price { return p }

const (
	Low Price = iota
	High
)

type Visit func(item *Item) bool

func (v Visit) Run(item *Item) bool { return v(item) }

type Aliased = Item

var Default = New("x")
var ErrGone = errors.New("gone")
""",
    "stock/methods.go": """package stock

func New(name string) *Item { return &Item{Name: name} }
func Load(name string) (*Item, error) { return New(name), nil }
func (i *Item) Save() error { return nil }
func (i *Item) Next() (*Item, bool) { return i.Parent, true }
func All() func(yield func(int, *Item) bool) { return nil }
""",
    "stock/stack.go": """package stock

type Stack[T any] struct{ items []T }

func (s *Stack[E]) Push(item E) *Stack[E] { return s }
func (s *Stack[E]) Pop() E { var none E; return none }

type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

type Maker[T any] interface{ Make() T }

type Factory[T any, M Maker[T]] struct{ maker M }

func (f *Factory[E, N]) Build() E { return f.maker.Make() }
func (f Factory[E, N]) Fresh() E { var maker N; return maker.Make() }

func Map[T, U any](items []T, f func(T) U) []U { return nil }
func First[T any](items ...T) T { return items[0] }
func Zero[T any]() T { var none T; return none }
func Keys[K comparable, V any](m map[K]V) []K { return nil }
""",
    "stock/open_linux.go": "package stock\n\nfunc Platform() *Item { return nil }\n",
    "stock/open_other.go": "//go:build !linux\n\npackage stock\n\nfunc Platform() *Base { return nil }\n",
    "stock/open_windows.go": "package stock\n\nfunc Platform() *Root { return nil }\n",
    "stock/poll.go": "package stock\n\nfunc Poll() *Item { return Platform().Parent }\n",
    "stock/poll_windows.go": "package stock\n\nfunc poll() { Platform().Deep() }\n",
    "cash/asm.go": "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
    "cash/round.go": "package cash\n\nfunc Round(n int) int { return n }\n",
    "stock/item_test.go": "package stock_test\n\nfunc helper() {}\n",
}


def _program(body: str) -> tuple[NominalEdges, NominalEngine, dict[str, Unit], str]:
    path = "till/till.go"
    sources = {**SHOP, path: body}
    code = sorted(each for each in sources if each.endswith(".go"))
    units = {each: Unit(place, each, READER.read(decode_source(sources[each].encode()), "go")) for place, each in enumerate(code)}
    files = _Files(Path("/nowhere"), code, ["go.mod"], [])
    beside = {each: [other for other in code if parent_of(other) == parent_of(each)] for each in code}
    resolver = ImportResolver(files)
    program = NominalProgram(units.get, resolver.resolve, GoRules(), beside=lambda each: beside[each], files=lambda: code)
    engine = NominalEngine(program)
    return NominalEdges(engine, _id), engine, units, path


class _Files(WorkspaceFiles):
    def read(self, path: str) -> bytes | None:
        return SHOP[path].encode() if path in SHOP else None


def _id(unit: Unit, symbol: int) -> str:
    facts = unit.symbols[symbol]
    owner = facts.owner or (unit.symbols[facts.parent].name if facts.parent >= 0 else "")
    return f"{owner}.{facts.name}".lstrip(".")


def targets(body: str, imports: str = "") -> dict[str, list[str]]:
    """Return what each call in the body of a function leads to, by the name that is called."""
    source = f'package till\n\nimport (\n\t"example.com/shop/stock"\n{imports})\n\nfunc f(item *stock.Item) {{\n{body}\n}}\n'
    edges, engine, units, path = _program(source)
    unit = units[path]
    found: dict[str, list[str]] = {}
    for node in unit.facts.calls:
        engine.refuel()
        callee = unit.code[node + 1]
        results = edges.targets.of(unit, callee)
        found.setdefault(last_name(unit, callee), []).extend(
            _id(each.unit, each.symbol) if each.unit is not None else each.outside or each.reason for each in results
        )
    assert engine.faults == []
    return found


@pytest.mark.parametrize(
    ("body", "callee", "wanted"),
    [
        ("item.Save()", "Save", ["Item.Save"]),
        ("stock.New(``).Save()", "Save", ["Item.Save"]),
        ("i, err := stock.Load(``); i.Save(); err.Error()", "Save", ["Item.Save"]),
        ("_, err := stock.Load(``); err.Error()", "Error", ["builtins.error.Error"]),
        ("var i = stock.Item{}; i.Save()", "Save", ["Item.Save"]),
        ("(&stock.Item{Name: ``}).Save()", "Save", ["Item.Save"]),
        ("new(stock.Item).Save()", "Save", ["Item.Save"]),
        ("item.Open()", "Open", ["Base.Open"]),
        ("item.Deep().Save()", "Deep", ["Root.Deep"]),
        ("item.Base.Root.Open()", "Open", ["Root.Open"]),
        ("item.Parts[0].Save()", "Save", ["Item.Save"]),
        ("item.Parts[1:][0].Save()", "Save", ["Item.Save"]),
        ("item.ByName[`a`].Save()", "Save", ["Item.Save"]),
        ("for _, p := range item.Parts { p.Save() }", "Save", ["Item.Save"]),
        ("for _, p := range item.ByName { p.Save() }", "Save", ["Item.Save"]),
        ("for _, p := range stock.All() { p.Save() }", "Save", ["Item.Save"]),
        ("if p, ok := item.ByName[``]; ok { p.Save() }", "Save", ["Item.Save"]),
        ("ch := make(chan *stock.Item); (<-ch).Save()", "Save", ["Item.Save"]),
        ("ch := make(chan *stock.Item); select { case i, ok := <-ch: i.Save(); _ = ok }", "Save", ["Item.Save"]),
        ("ch := make(chan *stock.Item); for i := range ch { i.Save() }", "Save", ["Item.Save"]),
        ("var v any = item; v.(*stock.Item).Save()", "Save", ["Item.Save"]),
        ("var v any = item; if i, ok := v.(stock.Saver); ok { i.Save() }", "Save", ["Saver.Save"]),
        ("var o stock.Opener = item; o.Save(); o.Open()", "Save", ["Saver.Save"]),
        ("switch v := any(item).(type) { case *stock.Item: v.Save(); case stock.Opener: v.Open() }", "Open", ["Opener.Open"]),
        ("item.OnSale(1).Save()", "Save", ["Item.Save"]),
        ("item.OnSale(1)", "OnSale", ["Item.OnSale"]),
        ("g := item.Save; g()", "g", ["Item.Save"]),
        ("(*stock.Item).Save(item)", "Save", ["Item.Save"]),
        ("func() *stock.Item { return nil }().Save()", "Save", ["Item.Save"]),
        ("func(stock string, other *stock.Item) { other.Save() }(``, item)", "Save", ["Item.Save"]),
        ("i, _ := func(stock string) (item *stock.Item, err error) { return }(``); i.Save()", "Save", ["Item.Save"]),
        ("type kept struct{ *stock.Item }; g := func(kept string) kept { panic(kept) }; g(``).Save()", "Save", ["Item.Save"]),
        ("get := func() (*stock.Item, error) { return nil, nil }; i, _ := get(); i.Save()", "Save", ["Item.Save"]),
        ("stock.Default.Save()", "Save", ["Item.Save"]),
        ("stock.High.Round()", "Round", ["Price.Round"]),
        ("(2 * stock.Low).Round()", "Round", ["Price.Round"]),
        ("stock.Price(3).Round()", "Round", ["Price.Round"]),
        ("stock.Visit(nil).Run(item)", "Run", ["Visit.Run"]),
        ("var a stock.Aliased; a.Save()", "Save", ["Item.Save"]),
        ("s := &stock.Stack[*stock.Item]{}; s.Push(item).Pop().Save()", "Save", ["Item.Save"]),
        ("p := stock.Pair[string, *stock.Item]{}; p.Value.Save()", "Save", ["Item.Save"]),
        ("stock.Map([]int{1}, func(n int) *stock.Item { return nil })[0].Save()", "Save", ["Item.Save"]),
        ("stock.First(item, item).Save()", "Save", ["Item.Save"]),
        ("stock.First(item.Parts...).Save()", "Save", ["Item.Save"]),
        ("stock.Zero[*stock.Item]().Save()", "Save", ["Item.Save"]),
        ("stock.Keys(map[*stock.Item]int{})[0].Save()", "Save", ["Item.Save"]),
        ("append(item.Parts, item)[0].Save()", "Save", ["Item.Save"]),
        ("stock.Platform().Save()", "Save", ["Item.Save"]),
        ("item := stock.Low; item.Round()", "Round", ["Price.Round"]),
        ("{ item := 1; _ = item }; item.Save()", "Save", ["Item.Save"]),
        ("type local struct{ *stock.Item }; local{}.Save()", "Save", ["Item.Save"]),
        ("type odd stock.Item; odd{}.Parent.Save(); odd{}.Save()", "Save", ["Item.Save", "receiver"]),
        ("x := struct{ a *stock.Item }{}; x.a.Save()", "Save", ["Item.Save"]),
        ("[]stock.Item{{Name: ``}}[0].Save()", "Save", ["Item.Save"]),
        ("defer item.Save(); go item.Save()", "Save", ["Item.Save", "Item.Save"]),
        ("len(item.Parts)", "len", ["builtins.len"]),
        ("stock.Missing()", "Missing", ["dynamic"]),
    ],
)
def test_a_call_leads_to_what_the_compiler_binds(body: str, callee: str, wanted: list[str]) -> None:
    assert targets(body)[callee] == wanted


@pytest.mark.parametrize(
    ("body", "imports", "callee", "wanted"),
    [
        ("s.New(``).Save()", 's "example.com/shop/stock"', "Save", ["Item.Save"]),
        ("New(``).Save()", '. "example.com/shop/stock"', "Save", ["Item.Save"]),
        ("cash.Round(1)", '"example.com/shop/cash"', "Round", ["Round"]),  # not the program that no build reads
        ("sync.OnceValue(func() *stock.Item { return nil })().Save()", '"sync"', "Save", ["Item.Save"]),
        ("strings.NewReader(``).Len()", '"strings"', "Len", ["strings.Reader.Len"]),
        ("for _, i := range slices.Backward(item.Parts) { i.Save() }", '"slices"', "Save", ["Item.Save"]),
        ("var p atomic.Pointer[stock.Item]; p.Load().Save()", '"sync/atomic"', "Save", ["Item.Save"]),
        ("yaml.Parse(``).Read()", '"gopkg.in/yaml.v3"', "Read", ["receiver"]),
        ("yaml.Parse(``)", '"gopkg.in/yaml.v3"', "Parse", ["gopkg.in/yaml.v3.Parse"]),
        ("chi.New()", '"github.com/go-chi/chi/v5"', "New", ["github.com/go-chi/chi/v5.New"]),
        ("http.Get(``)", '"net/http"', "Get", ["net/http.Get"]),
    ],
)
def test_an_import_gives_its_package(body: str, imports: str, callee: str, wanted: list[str]) -> None:
    assert targets(body, f"\t{imports}\n")[callee][-1:] == wanted


def test_conversions_are_told_from_calls() -> None:
    body = """package till

import "example.com/shop/stock"

func f() { stock.Price(1).Round(); stock.New(""); stock.Aliased(stock.Item{}) }
"""
    edges, _, units, path = _program(body)
    assert {(edge.to_id, edge.form) for edge in edges.of_calls(units[path]).calls} == {
        ("Price", "conversion"),
        ("Aliased", "conversion"),
        ("Price.Round", ""),
        ("New", ""),
    }


def test_types_implement_interfaces_by_their_methods() -> None:
    body = """package till

type Till struct{}
func (t *Till) Save() error { return nil }
func (t *Till) Open() error { return nil }

type Half struct{}
func (h Half) Save() {}
func (h Half) Open() error { return nil }

type Failure error
type Code int
func (c Code) Error() string { return "" }
type Name string
func (n Name) Text() string { return "" }
type Label string
func (l Label) Text() string { return "" }
"""
    edges, _, units, path = _program(body)
    found = edges.of_names(units[path])
    assert sorted((edge.from_id, edge.to_id, edge.kind) for edge in found.heritage) == [
        ("Code", "Failure", "implements"),
        ("Code", "go:error", "implements"),
        ("Till", "Opener", "implements"),
        ("Till", "Saver", "implements"),
    ]
    assert {(edge.from_id, edge.to_id) for edge in found.overrides} == {
        ("Till.Save", "Saver.Save"),
        ("Till.Open", "Opener.Open"),
        ("Code.Error", "go:error.Error"),
    }
    embedding = edges.of_names(units["stock/item.go"])
    assert ("Opener", "Saver", "extends") in {(edge.from_id, edge.to_id, edge.kind) for edge in embedding.heritage}
    assert ("Item", "Opener", "implements") in {(edge.from_id, edge.to_id, edge.kind) for edge in embedding.heritage}


def test_pointers_in_signatures_tell_methods_apart() -> None:
    body = """package till

import "example.com/shop/stock"

type Adder interface { Add(a, b int, item *stock.Item) (*stock.Item, error) }
type Same struct{}
func (s Same) Add(a int, b int, item *stock.Item) (found *stock.Item, err error) { return nil, nil }
type Pointing struct{}
func (p Pointing) Add(a int, b *int, item *stock.Item) (*stock.Item, error) { return nil, nil }
type Copying struct{}
func (c Copying) Add(a, b int, item *stock.Item) (stock.Item, error) { return *item, nil }
type Reference = *stock.Item
type Aliasing struct{}
func (a Aliasing) Add(x, y int, item Reference) (Reference, error) { return item, nil }
"""
    edges, _, units, path = _program(body)
    found = {edge.from_id for edge in edges.of_names(units[path]).heritage if edge.to_id == "Adder"}
    assert found == {"Same", "Aliasing"}


def test_a_struct_has_no_method_that_two_embedded_types_of_one_depth_declare() -> None:
    body = """package till

type saving struct{}
func (s saving) Save() error { return nil }
func (s saving) Open() error { return nil }

type copying struct{}
func (c copying) Save() error { return nil }

type Both struct { saving; copying }
type Own struct { saving; copying }
func (o Own) Save() error { return nil }
type Deep struct { Own; Copies struct{ copying } }
"""
    edges, _, units, path = _program(body)
    found = {(edge.from_id, edge.to_id) for edge in edges.of_names(units[path]).heritage if edge.kind == "implements"}
    assert found == {
        ("saving", "Opener"),
        ("saving", "Saver"),
        ("copying", "Saver"),
        ("Own", "Opener"),
        ("Own", "Saver"),
        ("Deep", "Opener"),
        ("Deep", "Saver"),
    }


def test_ids_of_what_is_outside_tell_the_standard_library_from_modules() -> None:
    rules = GoRules()
    assert rules.external("net/http.Request.Context") == "go:net/http.Request.Context"
    assert rules.external("builtins.len") == "go:len"
    assert rules.external("gopkg.in/yaml.v3.Marshal") == "gomod:gopkg.in/yaml.v3#Marshal"
    assert rules.external("github.com/spf13/cobra.Command.Execute") == "gomod:github.com/spf13/cobra#Command.Execute"


def test_a_type_parameter_of_a_receiver_has_the_constraint_of_its_type() -> None:
    edges, engine, units, _ = _program("package till\n")
    unit = units["stock/stack.go"]
    found = [
        _id(each.unit, each.symbol)
        for node in unit.facts.calls
        for each in edges.targets.of(unit, unit.code[node + 1])
        if each.unit
    ]
    assert found == ["Maker.Make", "Maker.Make"]
    assert engine.faults == []


def test_a_call_tells_on_which_platforms_it_means_what() -> None:
    edges, engine, units, _ = _program("package till\n")
    everywhere = edges.of_calls(units["stock/poll.go"])
    assert [(edge.to_id, edge.variant) for edge in everywhere.calls] == [
        ("Platform", "linux"),
        ("Platform", "!linux"),
        ("Platform", "windows"),
    ]
    on_windows = edges.of_calls(units["stock/poll_windows.go"])
    assert [(edge.to_id, edge.variant) for edge in on_windows.calls if edge.to_id != "Platform"] == [("Root.Deep", "")]
    assert {edge.variant for edge in on_windows.calls if edge.to_id == "Platform"} == {"!linux", "windows"}
    assert engine.faults == []


def test_method_sets_tell_values_from_pointers() -> None:
    body = """package till

type Closer interface { Close() }

type byPointer struct{}
func (p *byPointer) Close() {}

type byValue struct{}
func (v byValue) Close() {}

type withPointer struct{ *byPointer }
type withValue struct{ byPointer }
type withInterface struct{ Closer }
"""
    edges, engine, units, path = _program(body)
    found = edges.of_names(units[path])
    assert {(edge.from_id, edge.method_set) for edge in found.heritage if edge.to_id == "Closer"} == {
        ("byPointer", "pointer"),
        ("byValue", "value"),
        ("withPointer", "value"),
        ("withValue", "pointer"),
        ("withInterface", ""),
    }
    assert engine.faults == []


def test_a_method_implements_interfaces_also_through_types_that_embed_its_own() -> None:
    body = """package till

type Door interface { Open(); Close() }

type base struct{}
func (b *base) Open() {}

type door struct{ *base }
func (d *door) Close() {}

type other struct{ *base }
func (o *other) Open() {}
func (o *other) Close() {}
"""
    edges, engine, units, path = _program(body)
    assert {(edge.from_id, edge.to_id) for edge in edges.of_names(units[path]).overrides} == {
        ("base.Open", "Door.Open"),
        ("door.Close", "Door.Close"),
        ("other.Open", "Door.Open"),
        ("other.Close", "Door.Close"),
    }
    assert engine.faults == []


def test_types_implement_interfaces_of_what_is_imported() -> None:
    body = """package till

import (
	"fmt"
	"sort"
)

type byAge []int

func (b byAge) Len() int           { return 0 }
func (b byAge) Less(i, j int) bool { return true }
func (b *byAge) Swap(i, j int)     {}

type name string

func (n name) String() string { fmt.Println(); sort.Ints(nil); return "" }
func (n name) Error() string  { return "" }
func (n name) Read() error    { return nil }
"""
    edges, engine, units, path = _program(body)
    found = edges.of_names(units[path])
    assert {(edge.from_id, edge.to_id, edge.method_set) for edge in found.heritage if edge.to_external} == {
        ("byAge", "go:sort.Interface", "pointer"),
        ("name", "go:fmt.Stringer", "value"),
        ("name", "go:error", "value"),
    }
    assert {(edge.from_id, edge.to_id) for edge in found.overrides} == {
        ("byAge.Len", "go:sort.Interface.Len"),
        ("byAge.Less", "go:sort.Interface.Less"),
        ("byAge.Swap", "go:sort.Interface.Swap"),
        ("name.String", "go:fmt.Stringer.String"),
        ("name.Error", "go:error.Error"),
    }
    assert engine.faults == []


def test_types_without_names_are_the_same_by_their_members() -> None:
    body = """package till

type Taker interface {
	Take(set map[string]struct{}, done <-chan struct{}) (point struct{ X, Y int })
}

type right struct{}
func (r right) Take(a map[string]struct{}, b <-chan struct{}) struct{ X, Y int } { panic(a) }

type wrong struct{}
func (w wrong) Take(a map[string]struct{}, b <-chan struct{}) struct{ X, Z int } { panic(a) }
"""
    edges, engine, units, path = _program(body)
    assert [edge.from_id for edge in edges.of_names(units[path]).heritage] == ["right"]
    assert engine.faults == []
