"""Code that no longer fits a declaration whose type changed, in Java, Go, TypeScript and Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.changes.changed_work_tree import told

RESULT = "declares 'price' with another result than what it overrides"
LABEL = "calls 'label', which the value does not have any more"
VALUE = "has a value whose type does not fit any more"

JAVA = {
    "a/Stall.java": (
        'package a;\npublic class Stall {\n  public int price() { return 1; }\n  public String name() { return ""; }\n'
        "  public Ware ware() { return null; }\n}\n"
    ),
    "a/Ware.java": 'package a;\npublic class Ware { public String label() { return ""; } }\n',
    "a/Rule.java": "package a;\npublic interface Rule {\n  boolean allows(Ware ware);\n}\n",
    "a/Box.java": "package a;\npublic class Box<T> { public T item; }\n",
    "b/Town.java": (
        "package b;\nimport a.*;\npublic class Town extends Stall {\n"
        "  int sum(Stall stall) {\n    int first = stall.price();\n    return first;\n  }\n"
        "  String title(Stall stall) {\n    String made;\n    made = stall.name();\n    return stall.name();\n  }\n"
        "  String label(Stall stall) { return stall.ware().label(); }\n"
        "  @Override\n  public int price() { return 2; }\n"
        "  void rule(Rule rule) {}\n  void ask() {\n    rule(ware -> true);\n    Rule own = ware -> false;\n  }\n"
        "  Box<Ware> box;\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (
            "a/Stall.java",
            "int price() { return 1; }",
            "String price() { return null; }",
            [
                f"b/Town.java:15 {RESULT}",
                f"b/Town.java:5 {VALUE}",
            ],
        ),
        (
            "a/Stall.java",
            "int price() { return 1; }",
            "short price() { return 1; }",
            [f"b/Town.java:15 {RESULT}"],
        ),
        (
            "a/Stall.java",
            'String name() { return ""; }',
            "Object name() { return 1; }",
            [f"b/Town.java:10 {VALUE}", f"b/Town.java:11 {VALUE}"],
        ),
        (
            "a/Stall.java",
            "Ware ware() { return null; }",
            "Stall ware() { return null; }",
            [f"b/Town.java:13 {LABEL}"],
        ),
        (
            "a/Rule.java",
            "boolean allows(Ware ware);",
            "boolean allows(Ware ware);\n  boolean forbids(Ware ware);",
            ["b/Town.java:18 has arguments that nothing takes any more", f"b/Town.java:19 {VALUE}"],
        ),
        (
            "a/Rule.java",
            "boolean allows(Ware ware);",
            "boolean allows(Ware ware); default boolean forbids() { return false; }",
            [],
        ),
        ("a/Box.java", "Box<T> {", "Box<T, U> {", ["b/Town.java:21 has 1 type arguments where 2 are needed"]),
    ],
)
def test_java(tmp_path: Path, path: str, old: str, new: str, expected: list[str]) -> None:
    assert sorted(told(tmp_path, JAVA, {path: JAVA[path].replace(old, new)})) == sorted(expected)


def test_anonymous_and_nested_classes_of_java_without_a_demanded_method(tmp_path: Path) -> None:
    files = {
        "a/Rule.java": "package a;\npublic interface Rule {\n  boolean allows(int price);\n}\n",
        "b/Town.java": (
            "package b;\nimport a.Rule;\nimport java.util.function.Supplier;\npublic class Town {\n"
            "  Rule all = new Rule() {\n    public boolean allows(int price) { return true; }\n  };\n"
            '  static abstract class Base implements Rule, Supplier<String> {\n    public String get() { return ""; }\n  }\n'
            "  static class None extends Base {\n    public boolean allows(int price) { return false; }\n  }\n"
            "  static class Both extends Base {\n    public boolean allows(int price) { return false; }\n"
            "    public boolean forbids(int price) { return true; }\n  }\n}\n"
        ),
    }
    changed = files["a/Rule.java"].replace("price);\n", "price);\n  boolean forbids(int price);\n")
    assert told(tmp_path, files, {"a/Rule.java": changed}) == [
        "b/Town.java:5 declares a class that does not implement 'forbids'",
        "b/Town.java:11 declares None, which does not implement 'forbids'",
    ]


GO = {
    "go.mod": "module example.org/town\n",
    "road.go": (
        "package town\n\ntype Road struct{}\n\nfunc Build() *Road { return nil }\n\n"
        "func Measure(road *Road) (int, error) { return 1, nil }\n\nfunc Paint() *Sign { return nil }\n\n"
        "func Cross(lanes int) error { return nil }\n\ntype Gate struct{}\n\nfunc (g *Gate) Open() int { return 1 }\n\n"
        "type Lane int\n\nfunc Keep[K any](key K) (K, error) { return key, nil }\n"
    ),
    "rules.go": (
        "package town\n\nvar rules = []func(int) error{Cross}\n\n"
        'var table = map[string]func(int) error{\n\t"cross": Cross,\n}\n\n'
        "type rule func(lanes int) error\n\nvar named = []rule{Cross}\n\n"
        "func check(each func(int) error) {\n\tvar first rule = Cross\n\tcheck(Cross)\n\t_ = first\n}\n\n"
        "type entrance struct{ gate interface{ Open() int } }\n\nvar main = entrance{gate: &Gate{}}\n\n"
        "func enter(gate interface{ Open() int }) {\n\tenter(&Gate{})\n}\n\nvar lanes []Lane\n"
    ),
    "car.go": (
        "package town\n\nvar road *Road\n\nfunc Drive() (int, error) {\n\tbuilt := Build()\n\tBuild()\n"
        "\tlength, _ := Measure(Build())\n\tif length > 1 {\n\t\treturn Measure(built)\n\t}\n"
        "\treturn length + Build().Length, nil\n}\n"
    ),
    "use.go": (
        "package town\n\ntype trip struct{ road *Road }\n\nfunc use() {\n\tt := &trip{road: Build()}\n"
        "\tt.road = Build()\n\troad = (Build())\n\tif road = Build(); road != nil {\n\t}\n"
        "\tfor _, each := range []*Road{Build()} {\n\t\tshow(each)\n\t}\n\tgo Build()\n\tshow(Build())\n"
        "\tvar length, err = Measure(Build())\n\t_, _ = length, err\n}\n\nfunc show(road *Road) {}\n\n"
        "func both() (road *Road, err error) { return Build(), nil }\n\n"
        "type Sign struct{}\n\nfunc draw(signs ...*Sign) {}\n\nfunc first() { draw(Paint()) }\n\n"
        "func keep() {\n\tkept, err := Keep[int](1)\n\ttwo, _ := (Keep[int](2))\n\t_, _, _ = kept, err, two\n}\n"
    ),
}

FUNCTION = "has a function whose parameters or results do not fit any more"
GATE = "uses Gate as an interface, whose method 'Open' it does not have any more"
PASSED = "passes 2 results of a call to a function that does not take them"
#: The places at which the code takes one result of `Build()`.
CAR = ("car.go:6", "car.go:12")
USED = (11, 22, 6, 7, 8, 9)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "type Road struct",
            "type Road[Kind any] struct",
            [
                "car.go:3 has 0 type arguments where 1 are needed",
                "road.go:5 has 0 type arguments where 1 are needed",
                "road.go:7 has 0 type arguments where 1 are needed",
                *(f"use.go:{line} has 0 type arguments where 1 are needed" for line in (11, 20, 22, 3)),
            ],
        ),
        (
            "Build() *Road { return nil }",
            "Build() (*Road, error) { return nil, nil }",
            [
                *(f"{place} uses 1 results of a call that has 2" for place in (*CAR, *(f"use.go:{line}" for line in USED))),
                *(f"{place} {PASSED}" for place in ("car.go:8", "use.go:15", "use.go:16")),
            ],
        ),
        ("Paint() *Sign { return nil }", "Paint() (*Sign, error) { return nil, nil }", [f"use.go:28 {PASSED}"]),
        ("Paint() *Sign { return nil }", "Paint() (*Sign, *Sign) { return nil, nil }", []),
        ("Cross(lanes int)", "Cross(lanes, added int)", [f"rules.go:{line} {FUNCTION}" for line in (3, 6, 11, 14, 15)]),
        (
            "Cross(lanes int) error { return nil }",
            "Cross(lanes int) {}",
            [f"rules.go:{line} {FUNCTION}" for line in (3, 6, 11, 14, 15)],
        ),
        ("Cross(lanes int)", "Cross(count int)", []),
        ("Open() int { return 1 }", "Unlock() int { return 1 }", [f"rules.go:{line} {GATE}" for line in (21, 24)]),
        ("Open() int { return 1 }", "Open(key string) int { return 1 }", [f"rules.go:{line} {GATE}" for line in (21, 24)]),
        ("type Lane int", "type Track int", ["rules.go:27 uses Lane, which road.go does not declare any more"]),
        (
            "(int, error) { return 1, nil }",
            "int { return 1 }",
            [f"{place} uses 2 results of a call that has 1" for place in ("car.go:8", "car.go:10", "use.go:16")],
        ),
        (
            "(K, error) { return key, nil }",
            "K { return key }",
            [f"use.go:{line} uses 2 results of a call that has 1" for line in (31, 32)],
        ),
    ],
)
def test_go(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    assert sorted(told(tmp_path, GO, {"road.go": GO["road.go"].replace(old, new)})) == sorted(expected)


TYPESCRIPT = {
    "order.ts": (
        "export interface Order { title: string; mode?: Mode }\nexport type Mode = 'card' | 'cash'\n"
        "export interface Page<T> { items: T[] }\nexport function count(): number { return 1 }\n"
        "export class Till { pay(mode: Mode): void {} }\n"
        "export type Pay = { kind: 'card'; number: string } | { kind: 'cash' }\n"
        "export interface Filter { old?: boolean }\nexport function ring(bell: number): void {}\n"
        "export function price(sum: string): string\nexport function price(sum: number): string\n"
        "export function price(sum: unknown): string { return `${sum}` }\n"
    ),
    "shop.ts": (
        "import { Mode, Order, Page, Pay, Till, count } from './order'\n"
        "export const first: Order = { title: 'a' }\n"
        "export function send(order: Order) {}\n"
        "export function list(): Order[] { return [{ title: 'b' }] }\n"
        "export const mode: Mode = 'cash'\n"
        "export function isCard(mode: Mode) { return mode === 'cash' }\n"
        "new Till().pay('cash')\n"
        "export const page: Page<Order> = { items: [] }\n"
        "export const number: number = count()\n"
        "export const pay: Pay = { kind: 'cash' }\n"
    ),
    "bells.ts": (
        "import { Filter, ring } from './order'\ntype Bell = (bell: number) => void\n"
        "export function find(filter: Filter = {}) {}\nexport const bells: Bell[] = [\n  ring,\n  (bell) => {},\n]\n"
        "export const named: Record<string, Bell> = { ring }\n"
    ),
    "user.ts": "import { send } from './shop'\nsend({ title: 'c', mode: 'cash' })\nsend({ ...{ title: 'd' } })\n",
}
NO_ARGUMENTS = "has 0 type arguments where 1 are needed"
OTHER = "declares '{}' with another type than what it overrides"
UNLIKE = "declares overloads of price of which only some are exported"
CASH = "compares with 'cash', which it cannot be any more"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "title: string;",
            "title: string; price: number;",
            [
                "shop.ts:2 has an object without 'price'",
                "shop.ts:4 has an object without 'price'",
                "user.ts:2 has an object without 'price'",
            ],
        ),
        ("title: string;", "title: string; price?: number;", []),
        (
            "'card' | 'cash'\n",
            "'card'\n",
            [f"shop.ts:5 {VALUE}", f"shop.ts:6 {CASH}", f"shop.ts:7 {VALUE}", f"user.ts:2 {VALUE}"],
        ),
        ("Page<T>", "Page<T, U>", ["shop.ts:8 has 1 type arguments where 2 are needed"]),
        ("interface Order {", "interface Order<Kind> {", [f"shop.ts:{line} {NO_ARGUMENTS}" for line in (2, 3, 4, 8)]),
        ("Page<T>", "Page<T, U = T>", []),
        ("count(): number { return 1 }", "count(): string { return '' }", [f"shop.ts:9 {VALUE}"]),
        ("{ kind: 'cash' }", "{ kind: 'cash'; sum: number }", ["shop.ts:10 has an object without 'sum'"]),
        ("{ old?: boolean }", "{ old?: boolean; sort: string }", ["bells.ts:3 has an object without 'sort'"]),
        ("ring(bell: number)", "ring(loud: boolean, bell: number)", [f"bells.ts:5 {VALUE}", f"bells.ts:8 {VALUE}"]),
        ("ring(bell: number)", "ring()", []),
        ("export function price(sum: number)", "function price(sum: number)", [f"order.ts:10 {UNLIKE}"]),
        (
            "export function price(sum: unknown)",
            "function price(sum: unknown)",
            [f"order.ts:10 {UNLIKE}", f"order.ts:9 {UNLIKE}"],
        ),
    ],
)
def test_typescript(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    assert sorted(told(tmp_path, TYPESCRIPT, {"order.ts": TYPESCRIPT["order.ts"].replace(old, new)})) == sorted(expected)


HEIRS = {
    "shelf.ts": (
        "export interface Named { name: string; find?(key: string): number | undefined }\n"
        "export abstract class Shelf<T> {\n  label: string | null = null\n"
        "  put(item: T, place: number): void {}\n  take(): T | undefined { return undefined }\n}\n"
        "export type Visit = (item: string, place: number) => void\n"
    ),
    "heirs.ts": (
        "import { Named, Shelf, Visit } from './shelf'\n"
        "class Books extends Shelf<string> {\n  label: string = ''\n  put(item: string) {}\n"
        "  take(): string { return '' } cover() { return '' }\n}\n"
        "class Store implements Named {\n  name = 'a'\n  find(key: string) { return 1 }\n}\n"
        "interface Big extends Named { name: 'a' | 'b' }\n"
        "export const visit: Visit = (item, place) => {}\n"
    ),
}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("take(): T | undefined {", "take(): T[] {", [f"heirs.ts:5 {OTHER.format('take')}"]),
        ("put(item: T, place", "put(item: T[], place", [f"heirs.ts:4 {OTHER.format('put')}"]),
        ("put(item: T, place: number)", "put()", [f"heirs.ts:4 {OTHER.format('put')}"]),
        ("put(item: T, place: number)", "put(item: T | number)", []),
        ("put(item: T, place: number): void {}", "put(item: T): number { return 1 }", [f"heirs.ts:4 {OTHER.format('put')}"]),
        ("label: string | null", "label: number | null", [f"heirs.ts:3 {OTHER.format('label')}"]),
        ("  take()", "  cover(): number { return 1 }\n  take()", [f"heirs.ts:5 {OTHER.format('cover')}"]),
        ("name: string;", "name: number;", [f"heirs.ts:{line} {OTHER.format('name')}" for line in (11, 8)]),
        ("(key: string)", "(key: number)", [f"heirs.ts:9 {OTHER.format('find')}"]),
        ("find?(key: string): number | undefined", "find?: (key: string) => number", []),
        (
            "(item: string, place: number) =>",
            "(item: string) =>",
            ["heirs.ts:12 has a function with more parameters than it is given"],
        ),
    ],
)
def test_members_of_typescript_that_no_longer_fit_what_they_override(
    tmp_path: Path, old: str, new: str, expected: list[str]
) -> None:
    assert sorted(told(tmp_path, HEIRS, {"shelf.ts": HEIRS["shelf.ts"].replace(old, new)})) == sorted(expected)


def test_elements_without_a_prop_that_a_component_demands_now(tmp_path: Path) -> None:
    files = {
        "card.tsx": (
            "export interface Props { title: string }\nexport function Card({ title }: Props) { return <p>{title}</p> }\n"
        ),
        "page.tsx": (
            "import { Card } from './card'\nexport const page = (\n  <div>\n    <Card title=\"a\" />\n"
            "    <Card {...{ title: 'b' }} />\n  </div>\n)\n"
        ),
    }
    changed = files["card.tsx"].replace("title: string }", "title: string; price: number }")
    assert sorted(told(tmp_path, files, {"card.tsx": changed})) == ["page.tsx:4 has an element without 'price'"]


PYTHON = {
    "shapes.py": (
        "from abc import ABC, abstractmethod\nfrom typing import Protocol\n\n\nclass Shape(ABC):\n    @abstractmethod\n"
        "    def area(self) -> float: ...\n\n    def name(self) -> str:\n        return ''\n\n\nclass Sized(Protocol):\n"
        "    def size(self) -> int: ...\n\n\n"
        "def total(sized: Sized, other: Sized | None = None) -> int:\n    return sized.size()\n"
    ),
    "square.py": (
        "from shapes import Shape\n\n\nclass Square(Shape):\n    def area(self) -> float:\n        return 1.0\n\n"
        "    def size(self) -> int:\n        return 1\n"
    ),
    "tiles.py": (
        "from shapes import Shape\nfrom square import Square\n\n\nclass Tile(Square): ...\n\n\n"
        "def lay(kind: type[Shape]) -> Shape:\n    return kind()\n\n\nlay(Square)\n"
    ),
    "floor.py": "from tiles import Tile\n\nfloor = [Tile()]\n",
    "use.py": (
        "from shapes import Sized, total\nfrom square import Square\n\nsquare = Square()\nprint(total(square))\n"
        "print(total(square, other=Square()))\n\n\ndef smallest() -> Sized:\n    return Square()\n"
    ),
}
CREATES = "creates Square, which does not implement"
SIZED = "uses Square as Sized, whose members it does not have any more"


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (
            "shapes.py",
            "    def name(self)",
            "    @abstractmethod\n    def name(self)",
            [
                "floor.py:3 creates Tile, which does not implement 'name'",
                "tiles.py:12 gives Square, which does not implement 'name'",
                *(f"use.py:{line} {CREATES} 'name'" for line in (10, 4, 6)),
            ],
        ),
        (
            "square.py",
            "    def area(self) -> float:\n        return 1.0\n\n",
            "",
            [
                "floor.py:3 creates Tile, which does not implement 'area'",
                "tiles.py:12 gives Square, which does not implement 'area'",
                *(f"use.py:{line} {CREATES} 'area'" for line in (10, 4, 6)),
            ],
        ),
        (
            "shapes.py",
            "    def size(self) -> int: ...",
            "    def size(self) -> int: ...\n    def weight(self) -> int: ...",
            [f"use.py:10 {SIZED}", f"use.py:5 {SIZED}", f"use.py:6 {SIZED}"],
        ),
        ("square.py", "def size(self)", "def width(self)", [f"use.py:10 {SIZED}", f"use.py:5 {SIZED}", f"use.py:6 {SIZED}"]),
        ("shapes.py", "        return ''", "        return 'shape'", []),
    ],
)
def test_python(tmp_path: Path, path: str, old: str, new: str, expected: list[str]) -> None:
    assert sorted(told(tmp_path, PYTHON, {path: PYTHON[path].replace(old, new)})) == sorted(expected)
