"""What each construct of Go leads to: several files in one text, with carets under the names of what is called or used.

Under a name stand the symbols that it means, as `file#Owner.name`, the id of what is outside, or `?` and why it is unknown.
"""

from __future__ import annotations

import pytest
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from caret_programs import check_carets

CASES = {
    "pointers that generic functions return": """
//- /a.go
package a

import "m/b"

type Map[K comparable, V any] struct{ inner b.Tree[K, V] }

func run() {
	m := Map[string, int]{inner: *b.New[string, int](nil)}
//                                  ^^^ b/b.go#New
	m.inner.Put("a", 1)
//          ^^^ b/b.go#Tree.Put
	one := *local[string]("a")
//          ^^^^^ a.go#local
	two := *b.Both[string, int]("a", 1)
//            ^^^^ b/b.go#Both
	two.Put(one, 2)
//      ^^^ b/b.go#Tree.Put
	(*b.Tree[string, int])(nil).Put("a", 1)
//                              ^^^ b/b.go#Tree.Put
}

func local[T any](value T) *T { return &value }
//- /b/b.go
package b

type Tree[K comparable, V any] struct{}

func New[K comparable, V any](less func(K, K) bool) *Tree[K, V] { return nil }
func Both[K comparable, V any](key K, value V) *Tree[K, V]      { return nil }
func (t *Tree[K, V]) Put(key K, value V)                        {}
""",
    "conversions to types with type arguments, in parentheses": """
//- /a.go
package a

import "m/b"

type store[T any] interface{ Get() T }
type pair[K, V any] struct{}

func (p *pair[K, V]) Put(key K) V { return nil }

func run() {
	one := (store[b.Item])(nil)
//          ^^^^^ a.go#store
	one.Get().Save()
//      ^^^ a.go#store.Get
//            ^^^^ b/b.go#Item.Save
	two := (*pair[string, b.Item])(nil)
	two.Put("a").Save()
//      ^^^ a.go#pair.Put
//               ^^^^ b/b.go#Item.Save
	three := (b.Box[b.Item])(nil)
//              ^^^ b/b.go#Box
	three.Open().Save()
//        ^^^^ b/b.go#Box.Open
//               ^^^^ b/b.go#Item.Save
	four := (b.Both[string, b.Item])(nil)
//             ^^^^ b/b.go#Both
	four.Second().Save()
//       ^^^^^^ b/b.go#Both.Second
//                ^^^^ b/b.go#Item.Save
}
//- /b/b.go
package b

type Item struct{}

func (i Item) Save() {}

type Box[T any] interface{ Open() T }
type Both[K, V any] interface{ Second() V }
""",
    "additions with texts": """
//- /a.go
package a

type Name string

func (n Name) Save() {}

func run(name Name) {
	one := "a" + name + "b"
	one.Save()
//      ^^^^ a.go#Name.Save
	two := name + "b"
	two.Save()
//      ^^^^ a.go#Name.Save
	("a" + "b" + name).Save()
//                     ^^^^ a.go#Name.Save
}
""",
    "promotion by depth, values of methods, and functions in fields": """
//- /a.go
package a

import "m/b"

type Inner struct{ Name string }

func (i Inner) Hello() Inner   { return i }
func (i *Inner) Pointer() int  { return 0 }

type Middle struct{ *Inner }
type Other struct{ Inner2 }
type Inner2 struct{}

func (Inner2) Hello() {}

type Outer struct {
	Middle
	Other
	b.Shared
	handler func(int) Inner
	table   map[string]func() *Inner
	list    []func(Inner) Inner
	Get     interface{ Fetch() Inner }
}

func (o Outer) Own() {}

func promoted(o Outer, p *Outer) {
	o.Middle.Hello().Hello()
//           ^^^^^ a.go#Inner.Hello
//                   ^^^^^ a.go#Inner.Hello
	o.Pointer()
//    ^^^^^^^ a.go#Inner.Pointer
	p.Shout().Shout()
//    ^^^^^ b/b.go#Shared.Shout
//            ^^^^^ b/b.go#Shared.Shout
	o.handler(1).Hello()
//               ^^^^^ a.go#Inner.Hello
	o.table["x"]().Pointer()
//                 ^^^^^^^ a.go#Inner.Pointer
	o.list[0](Inner{}).Hello()
//                     ^^^^^ a.go#Inner.Hello
	o.Get.Fetch().Hello()
//                ^^^^^ a.go#Inner.Hello
	f := Inner.Hello
//             ^^^^^ a.go#Inner.Hello
	f(Inner{}).Hello()
//             ^^^^^ a.go#Inner.Hello
	g := (*Inner).Pointer
//                ^^^^^^^ a.go#Inner.Pointer
	_ = g(&Inner{})
	h := o.Middle.Hello
//                ^^^^^ a.go#Inner.Hello
	h().Hello()
//      ^^^^^ a.go#Inner.Hello
	k := Middle.Hello
//              ^^^^^ a.go#Inner.Hello
	k(Middle{}).Pointer()
//              ^^^^^^^ a.go#Inner.Pointer
}

//- /b/b.go
package b

type Shared struct{}

func (s Shared) Shout() *Shared { return &s }
""",
    "type arguments through several calls, stored functions, and iterators": """
//- /a.go
package a

import (
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"m/b"
)

type Inner struct{ Name string }

func (i Inner) Hello() Inner  { return i }
func (i *Inner) Pointer() int { return 0 }

type Number interface{ ~int | ~float64 }

func Map[T, U any](s []T, f func(T) U) []U                { return nil }
func Filter[S ~[]E, E any](s S, f func(E) bool) S         { return s }
func Reduce[T, A any](s []T, a A, f func(A, T) A) A       { return a }
func Keys[M ~map[K]V, K comparable, V any](m M) []K       { return nil }
func Compose[A, B, C any](f func(A) B, g func(B) C) func(A) C { return nil }
func Ptr[T any](t T) *T                                   { return &t }
func Zero[T any]() (t T)                                  { return }

type List[T any] struct{ head *node[T] }
type node[T any] struct {
	value T
	next  *node[T]
}
type Inners []Inner

func (l Inners) First() Inner { return l[0] }
func (l *List[T]) Each(f func(T) bool) {}
func (l *List[T]) All() iter.Seq2[int, T] { return nil }
func (l *List[T]) Values() iter.Seq[T] { return func(yield func(T) bool) { yield(l.head.value) } }
func (l *List[E]) Head() E { return l.head.next.value }

func generics(in []Inner, ins Inners, l *List[Inner], m map[string]*Inner) {
	Map(in, func(i Inner) *Inner { return &i })[0].Pointer()
//  ^^^ a.go#Map
//                                                 ^^^^^^^ a.go#Inner.Pointer
	Filter(ins, func(i Inner) bool { return i.Hello().Name == "" }).First().Hello()
//                                            ^^^^^ a.go#Inner.Hello
//                                                                  ^^^^^ a.go#Inners.First
//                                                                          ^^^^^ a.go#Inner.Hello
	Reduce(Map(in, Inner.Hello), Ptr(Inner{}), func(a *Inner, i Inner) *Inner {
//                       ^^^^^ a.go#Inner.Hello
		a.Pointer()
//        ^^^^^^^ a.go#Inner.Pointer
		i.Hello()
//        ^^^^^ a.go#Inner.Hello
		return a
	}).Pointer()
//     ^^^^^^^ a.go#Inner.Pointer
	Compose(Inner.Hello, func(i Inner) []*Inner { return nil })(Inner{})[0].Pointer()
//                                                                          ^^^^^^^ a.go#Inner.Pointer
	Zero[Inner]().Hello()
//  ^^^^ a.go#Zero
//                ^^^^^ a.go#Inner.Hello
	Zero[*b.Shared]().Shout()
//                    ^^^^^ b/b.go#Shared.Shout
	z := Zero[Inner]
//       ^^^^ a.go#Zero
	z().Hello()
//      ^^^^^ a.go#Inner.Hello
	w := Map[Inner, *Inner]
	w(in, nil)[0].Pointer()
//                ^^^^^^^ a.go#Inner.Pointer
	for _, v := range l.All() {
		v.Hello()
//        ^^^^^ a.go#Inner.Hello
	}
	for v := range l.Values() {
		v.Hello()
//        ^^^^^ a.go#Inner.Hello
	}
	for i := range 10 {
		in[i].Hello()
//            ^^^^^ a.go#Inner.Hello
	}
	for v := range l.Each {
		v.Hello()
//        ^^^^^ a.go#Inner.Hello
	}
	l.Head().Hello()
//    ^^^^ a.go#List.Head
//           ^^^^^ a.go#Inner.Hello
	slices.Collect(maps.Values(m))[0].Pointer()
//                                    ^^^^^^^ a.go#Inner.Pointer
	slices.SortFunc(in, func(x, y Inner) int { return strings.Compare(x.Hello().Name, y.Hello().Name) })
//                                                                      ^^^^^ a.go#Inner.Hello
//                                                                                      ^^^^^ a.go#Inner.Hello
	sort.Slice(in, func(i, j int) bool { return in[i].Hello().Name < in[j].Name })
//                                                    ^^^^^ a.go#Inner.Hello
	slices.IndexFunc(in, func(i Inner) bool { return i.Hello().Name == "" })
//                                                     ^^^^^ a.go#Inner.Hello
	for _, v := range slices.Backward(in) {
		v.Hello()
//        ^^^^^ a.go#Inner.Hello
	}
	next, stop := iter.Pull(l.Values())
	defer stop()
	if v, ok := next(); ok {
		v.Hello()
//        ^^^^^ a.go#Inner.Hello
	}
	var once sync.Once
	once.Do(func() { in[0].Hello() })
//                         ^^^^^ a.go#Inner.Hello
	get := sync.OnceValue(func() *Inner { return nil })
	get().Pointer()
//        ^^^^^^^ a.go#Inner.Pointer
}

type Getter[T any] interface{ Get() T }
type Store[K comparable, V Getter[W], W any] struct{ m map[K]V }

func (s *Store[K, V, W]) Load(k K) W { return s.m[k].Get() }
//                                                   ^^^ a.go#Getter.Get

type pick struct{}

func (pick) Get() Inner { return Inner{} }

func use(s *Store[string, pick, Inner]) { s.Load("").Hello() }
//                                          ^^^^ a.go#Store.Load
//                                                   ^^^^^ a.go#Inner.Hello

//- /b/b.go
package b

type Shared struct{}

func (s Shared) Shout() *Shared { return &s }
""",
    "switches on types, channels, and types without names": """
//- /a.go
package a

type Inner struct{ Name string }

func (i Inner) Hello() Inner  { return i }
func (i *Inner) Pointer() int { return 0 }

type Inner2 struct{}

func Ptr[T any](t T) *T { return &t }

func flow(v any, c chan *Inner, e error) (res Inner, err error) {
	switch x := v.(type) {
	case *Inner:
		x.Pointer()
//        ^^^^^^^ a.go#Inner.Pointer
	case Inner, Inner2:
		_ = x
	case interface{ Fetch() Inner }:
		x.Fetch().Hello()
//                ^^^^^ a.go#Inner.Hello
	case func() Inner:
		x().Hello()
//          ^^^^^ a.go#Inner.Hello
	}
	select {
	case got := <-c:
		got.Pointer()
//          ^^^^^^^ a.go#Inner.Pointer
	case c <- Ptr(Inner{}):
//            ^^^ a.go#Ptr
	}
	if i, ok := v.(Inner); ok {
		i.Hello()
//        ^^^^^ a.go#Inner.Hello
	}
	res.Hello()
//      ^^^^^ a.go#Inner.Hello
	go func(i *Inner) { i.Pointer() }(<-c)
//                        ^^^^^^^ a.go#Inner.Pointer
	defer res.Hello()
//            ^^^^^ a.go#Inner.Hello
	type local struct{ Inner }
	local{}.Hello()
//          ^^^^^ a.go#Inner.Hello
	anon := struct{ Inner; f func() Inner }{}
	anon.Hello()
//       ^^^^^ a.go#Inner.Hello
	anon.f().Hello()
//           ^^^^^ a.go#Inner.Hello
	arr := [...]Inner{{Name: "x"}, 2: {}}
	arr[1].Hello()
//         ^^^^^ a.go#Inner.Hello
	for _, c := range []struct{ in Inner; want func(Inner) Inner }{{in: Inner{}}} {
		c.want(c.in.Hello()).Hello()
//                  ^^^^^ a.go#Inner.Hello
//                           ^^^^^ a.go#Inner.Hello
	}
	pp := &c
	(<-*pp).Pointer()
//          ^^^^^^^ a.go#Inner.Pointer
	m := map[Inner][]*Inner{}
	for k, vs := range m {
		k.Hello()
//        ^^^^^ a.go#Inner.Hello
		vs[0].Pointer()
//            ^^^^^^^ a.go#Inner.Pointer
	}
	return
}
""",
    "packages are one scope": """
//- /a.go
package a

func run() { help() }
//           ^^^^ b.go#help
func init() { run() }
//            ^^^ a.go#run
func init() { help() }
//            ^^^^ b.go#help
//- /b.go
package a

func help() {}
//- /b_test.go
package a_test

import "m"

func help() { a.Public() }
//              ^^^^^^ c.go#Public
func TestHelp() { help() }
//                ^^^^ b_test.go#help
//- /c.go
package a

func Public() {}
""",
    "imports with names, dots and blanks": """
//- /a.go
package a

import (
	other "m/b"
	. "m/c"
	_ "m/d"
)

func run() { other.B(); C(); D() }
//                 ^ b/b.go#B
//                      ^ c/c.go#C
//                           ^ ?global
//- /b/b.go
package b

func B() {}
//- /c/c.go
package c

func C() {}
//- /d/d.go
package d

func D() {}
""",
    "receivers, method values and method expressions": """
//- /a.go
package a

type T struct{}

func (t T) byValue() *T    { return &t }
func (t *T) byPointer() T  { return *t }

func run(t T, p *T) {
	t.byPointer().byValue().byPointer()
//    ^^^^^^^^^ a.go#T.byPointer
//                ^^^^^^^ a.go#T.byValue
	f := p.byValue
	f().byPointer()
//  ^ a.go#T.byValue
//      ^^^^^^^^^ a.go#T.byPointer
	(*T).byPointer(p).byValue()
//       ^^^^^^^^^ a.go#T.byPointer
//                    ^^^^^^^ a.go#T.byValue
	T.byValue(t).byPointer()
//               ^^^^^^^^^ a.go#T.byPointer
}
""",
    "embedding promotes by depth, and hides what is deeper": """
//- /a.go
package a

type deep struct{}

func (d deep) far() {}
func (d deep) near() {}

type mid struct{ deep }

func (m mid) near() {}

type Named interface{ name() string }

type top struct {
	*mid
	Named
	label string
}

func run(t top) {
	t.far()
//    ^^^ a.go#deep.far
	t.near()
//    ^^^^ a.go#mid.near
	t.deep.near()
//         ^^^^ a.go#deep.near
	t.name()
//    ^^^^ a.go#Named.name
	_ = t.label
//        ^^^^^ a.go#top.label
}
""",
    "function values in fields, maps and slices": """
//- /a.go
package a

type item struct{}

func (i *item) use() {}

type box struct {
	open  func() *item
	byKey map[string]func() *item
	list  []func(int) (*item, error)
}

func run(b *box, g func() *item) {
	b.open().use()
//    ^^^^ a.go#box.open
//           ^^^ a.go#item.use
	b.byKey["x"]().use()
//                 ^^^ a.go#item.use
	i, _ := b.list[0](1)
	i.use()
//    ^^^ a.go#item.use
	g().use()
//      ^^^ a.go#item.use
}
""",
    "closures, defer and go": """
//- /a.go
package a

type item struct{}

func (i *item) use() {}

func make1() *item { return nil }

func run() {
	i := make1()
	defer i.use()
//          ^^^ a.go#item.use
	go func(j *item) {
		i.use()
//        ^^^ a.go#item.use
		j.use()
//        ^^^ a.go#item.use
	}(i)
	each := func() *item { return i }
	each().use()
//         ^^^ a.go#item.use
}
""",
    "results with names, := and shadowing": """
//- /a.go
package a

type one struct{}

func (o one) use() {}

type two struct{}

func (t two) use() {}

func both() (a one, b two) { return }

func run(x one) (r two) {
	a, b := both()
	a.use()
//    ^^^ a.go#one.use
	b.use()
//    ^^^ a.go#two.use
	if x := b; true {
		x.use()
//        ^^^ a.go#two.use
	}
	x.use()
//    ^^^ a.go#one.use
	b, c := two{}, x
	c.use()
//    ^^^ a.go#one.use
	r.use()
//    ^^^ a.go#two.use
	both := func() one { return x }
	both().use()
//         ^^^ a.go#one.use
	return b
}
""",
    "type switches and assertions": """
//- /a.go
package a

type one struct{}

func (o *one) use() {}

type user interface{ use() }

func run(v any) {
	switch w := v.(type) {
	case *one:
		w.use()
//        ^^^ a.go#one.use
	case user:
		w.use()
//        ^^^ a.go#user.use
	case *one2, user2:
		w.use()
//        ^^^ ?receiver
	}
	v.(*one).use()
//           ^^^ a.go#one.use
	if u, ok := v.(user); ok {
		u.use()
//        ^^^ a.go#user.use
	}
}
""",
    "aliases, defined types and conversions": """
//- /a.go
package a

type one struct{ inner *one }

func (o one) use() {}

type same = one
type odd one

func (o odd) other() {}

type celsius float64

func (c celsius) warm() bool { return c > celsius(20) }
//                                        ^^^^^^^ a.go#celsius

func run(o one) {
	same(o).use()
//  ^^^^ a.go#same
//          ^^^ a.go#one.use
	odd(o).other()
//         ^^^^^ a.go#odd.other
	odd(o).use()
//         ^^^ ?receiver
	odd(o).inner.use()
//               ^^^ a.go#one.use
	celsius(1).warm()
//             ^^^^ a.go#celsius.warm
	string(rune(1))
//  ^^^^^^ go:string
//         ^^^^ go:rune
}
""",
    "generics with constraints and inference": """
//- /a.go
package a

type shape interface{ area() float64 }

type number interface{ ~int | ~float64 }

type square struct{}

func (s square) area() float64 { return 1 }

type list[T any] struct{ items []T }

func (l *list[E]) first() E { return l.items[0] }

func largest[S shape](items []S) S {
	items[0].area()
//           ^^^^ a.go#shape.area
	return items[0]
}

func mapped[A, B any](items []A, f func(A) B) []B { return nil }

func sum[N number](items ...N) N { var n N; return n }

func run(squares []square) {
	largest(squares).area()
//                   ^^^^ a.go#square.area
	largest[square](nil).area()
//  ^^^^^^^ a.go#largest
//                       ^^^^ a.go#square.area
	(&list[square]{}).first().area()
//                    ^^^^^ a.go#list.first
//                            ^^^^ a.go#square.area
	mapped(squares, func(s square) *list[square] { return nil })[0].first().area()
//                                                                          ^^^^ a.go#square.area
	sum(1, 2)
//  ^^^ a.go#sum
}
""",
    "ranges over everything": """
//- /a.go
package a

import "iter"

type item struct{}

func (i *item) use() {}

func each(yield func(*item) bool) {}

func pairs() iter.Seq2[string, *item] { return nil }

func run(list []*item, m map[*item]*item, c chan *item, byArray [2]*item) {
	for _, i := range list { i.use() }
//                             ^^^ a.go#item.use
	for k, v := range m { k.use(); v.use() }
//                          ^^^ a.go#item.use
	for i := range c { i.use() }
//                       ^^^ a.go#item.use
	for _, i := range byArray { i.use() }
//                                ^^^ a.go#item.use
	for i := range each { i.use() }
//                          ^^^ a.go#item.use
	for _, i := range pairs() { i.use() }
//                                ^^^ a.go#item.use
	for n := range 3 { list[n].use() }
//                             ^^^ a.go#item.use
}
""",
    "channels, select and labels": """
//- /a.go
package a

type item struct{}

func (i *item) use() {}

func run(in <-chan *item, out chan<- func() *item) {
loop:
	for {
		select {
		case i := <-in:
			i.use()
//            ^^^ a.go#item.use
			break loop
		case out <- func() *item { return nil }:
			continue loop
		}
	}
	(<-in).use()
//         ^^^ a.go#item.use
}
""",
    "constants keep their types": """
//- /a.go
package a

type level int

func (l level) name() string { return "" }

const (
	low level = iota
	high
	plain = 3
)

func run() {
	high.name()
//  ^^^^ a.go#high
//       ^^^^ a.go#level.name
	(low + 1).name()
//            ^^^^ a.go#level.name
	(1 << high).name()
//              ^^^^ ?receiver
	_ = plain
//      ^^^^^ a.go#plain
}
""",
    "structs with tags, literals and embedded files": """
//- /a.go
package a

import _ "embed"

//go:embed a.txt
var text string

type point struct {
	X int `json:"x"`
	Next *point
}

func (p *point) move() {}

func run() {
	p := point{X: 1, Next: &point{X: len(text)}}
//             ^ a.go#point.X
//                   ^^^^ a.go#point.Next
//                                ^ a.go#point.X
	p.Next.move()
//         ^^^^ a.go#point.move
	[]point{{X: 2}}[0].move()
//           ^ a.go#point.X
//                     ^^^^ a.go#point.move
	map[string]*point{"a": {X: 3}}["a"].move()
//                          ^ a.go#point.X
//                                      ^^^^ a.go#point.move
	struct{ p *point }{&p}.p.move()
//                           ^^^^ a.go#point.move
}
""",
    "interfaces embed and are called": """
//- /a.go
package a

import "io"

type closer interface{ Close() error }

type readCloser interface {
	io.Reader
	closer
}

func run(r readCloser, e error) {
	r.Close().Error()
//    ^^^^^ a.go#closer.Close
//            ^^^^^ go:error.Error
	r.Read(nil)
//    ^^^^ go:io.Reader.Read
}
""",
    "a package may declare what the language has, too": """
//- /a.go
package a

func run() {
	new(nil).use()
//  ^^^ b.go#new
//           ^^^ b.go#item.use
	make(map[int]*item)[1].use()
//                         ^^^ b.go#item.use
}
//- /b.go
package a

type item struct{}

func (i *item) use() {}

func new(other *item) *item { return other }
""",
    "files of platforms": """
//- /a.go
package a

func run() { wait() }
//           ^^^^ w_linux.go#wait; w_other.go#wait; w_windows.go#wait
//- /w_linux.go
package a

func wait() {}
//- /w_windows.go
package a

func wait() {}

func sleep() { wait() }
//             ^^^^ w_windows.go#wait
//- /w_other.go
//go:build !linux && !windows

package a

func wait() {}
""",
    "what constraints tell of type variables": """
//- /a.go
package a

type Item struct{}

func (Item) Pack()  {}
func (*Item) Mark() {}

func Keys[M ~map[K]V, K comparable, V any](m M) []K { return nil }
func Firsts[S ~[]E, E any](s S) E                   { return s[0] }

type Shelf map[Item]int

type Marker[T any] interface {
	*T
	Mark()
}

func Build[T any, P Marker[T]]() T {
	var made T
	P(&made).Mark()
//           ^^^^ a.go#Marker.Mark
	pointer := P(&made)
	pointer.Mark()
//          ^^^^ a.go#Marker.Mark
	return made
}

func run(shelf Shelf) {
	Keys(shelf)[0].Pack()
//                 ^^^^ a.go#Item.Pack
	Keys(map[Item]string{})[0].Pack()
//                             ^^^^ a.go#Item.Pack
	Firsts([]Item{}).Pack()
//                   ^^^^ a.go#Item.Pack
	Build[Item]().Pack()
//                ^^^^ a.go#Item.Pack
}
""",
    "several results as arguments": """
//- /a.go
package a

type Item struct{}

func (Item) Pack() {}

func open() (Item, error)              { return Item{}, nil }
func Must[T any](value T, err error) T { return value }
func Second[A, B any](one A, two B) B  { return two }

func run() {
	Must(open()).Pack()
//               ^^^^ a.go#Item.Pack
	Second(open()).Error()
}

func cast(value *Item, other int) Item { return *value }
func also()                            { cast(nil, 1).Pack() }
//                                                    ^^^^ a.go#Item.Pack
""",
    "functions in lists and maps of fields and packages": """
//- /a.go
package a

import "m/b"

type hooks struct {
	before []func()
	on     map[string][]b.Handler
}

var table = map[string]func(){}

func run(h *hooks) {
	h.before[0]()
//    ^^^^^^ a.go#hooks.before
	h.on["open"][0]("a")
//    ^^ a.go#hooks.on
	table["close"]()
//  ^^^^^ a.go#table
	b.Table["close"]()
//    ^^^^^ b/b.go#Table
	for place := range h.before {
		h.before[place]()
//        ^^^^^^ a.go#hooks.before
		made[place]().Pack()
//      ^^^^ a.go#made
//                    ^^^^ a.go#item.Pack
	}
}

type item struct{}

func (item) Pack() {}

var made []func() item
//- /b/b.go
package b

type Handler func(string)

var Table = map[string]func(){}
""",
    "values of new": """
//- /a.go
package a

type clock struct{ now func() item }

type item struct{}

func (item) Pack() *item { return nil }

func run(c *clock, names map[string]item) {
	new(c.now().Pack()).Pack()
//        ^^^ a.go#clock.now
//              ^^^^ a.go#item.Pack
//                      ^^^^ a.go#item.Pack
	one := new(item{})
	one.Pack()
//      ^^^^ a.go#item.Pack
	two := new(item)
	two.Pack()
//      ^^^^ a.go#item.Pack
	also(new("(text"), new(2 + 3), new([]item))
//  ^^^^ a.go#also
}

func also(text *string, number *int, items *[]item) {}
""",
}


@pytest.mark.parametrize("name", CASES)
def test_names_mean_what_the_compiler_binds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOS", "linux")
    check_carets(CASES[name], "go", _Workspace)


class _Workspace(WorkspaceFiles):
    def read(self, path: str) -> bytes | None:
        return b"module m\n" if path == "go.mod" else None
