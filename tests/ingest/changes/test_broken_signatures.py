"""Calls, overrides and implementations that a changed signature or interface breaks, in Python, TypeScript, Go and Java."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.changes.changed_work_tree import told

OTHER_PARAMETERS = "which a/Till.java does not declare with these parameters any more"
LACKS = "which does not implement"


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (
            "shop.py",
            "def sell(self, price)",
            "def sell(self, price, tax)",
            ["town.py:4 calls Shop.sell with arguments that it does not take any more"],
        ),
        ("shop.py", "def sell(self, price)", "def sell(self, price, tax=0)", []),
        (
            "shop.py",
            "name, *, open=True",
            "name, *, closed=False",
            ["town.py:4 calls Shop.__init__ with arguments that it does not take any more"],
        ),
        ("shop.py", "def label(text)", "def label(text, size)", []),
        (
            "shop.py",
            "def helper(a, b=1)",
            "def helper(a)",
            ["town.py:6 calls helper with arguments that it does not take any more"],
        ),
        (
            "base.ts",
            "run(a: number)",
            "run(a: number, b: number)",
            ["user.ts:3 calls Base.run with arguments that it does not take any more"],
        ),
        ("base.ts", "run(a: number)", "run(a: number, b = 1)", []),
        (
            "base.ts",
            "constructor(a?: number)",
            "constructor()",
            ["user.ts:3 calls Base.constructor with arguments that it does not take any more"],
        ),
        (
            "base.ts",
            "go(a: number): void\n",
            "go(a: number, b: number): void\n",
            ["user.ts:4 has a value whose type does not fit any more"],
        ),
        ("road.go", "Drive(speed int)", "Drive()", ["car.go:4 calls Road.Drive with arguments that it does not take any more"]),
        ("road.go", "Drive(speed int)", "Drive(speed ...int)", []),
    ],
)
def test_calls_whose_arguments_no_longer_fit(tmp_path: Path, path: str, old: str, new: str, expected: list[str]) -> None:
    files = {
        "shop.py": (
            "from contextlib import wraps\n\nclass Shop:\n    def __init__(self, name, *, open=True): ...\n"
            "    def sell(self, price): ...\n\ndef helper(a, b=1): ...\n\n@wraps(helper)\ndef label(text): ...\n"
        ),
        "town.py": (
            "from shop import Shop, helper, label\n\ndef visit(shop: Shop, all):\n    Shop('x', open=False).sell(2)\n"
            "    Shop.sell(*all)\n    helper(1, b=2)\n    helper(1)\n    label('x')\n    shop.sell(*all)\n"
        ),
        "base.ts": (
            "export class Base {\n  constructor(a?: number) {}\n  run(a: number): void {}\n}\n"
            "export function go(a: number): void\nexport function go(a: string): void\nexport function go(a: any): void {}\n"
        ),
        "user.ts": (
            "import { Base, go } from './base'\nexport function use(all: number[]) {\n  new Base(1).run(2)\n  go(3)\n"
            "  new Base().run(...all as [number])\n}\n"
        ),
        "go.mod": "module example.org/town\n",
        "road.go": "package town\n\ntype Road struct{}\n\nfunc (r *Road) Drive(speed int) {}\n",
        "car.go": "package town\n\nfunc Travel(r *Road, all []int) {\n\tr.Drive(1)\n}\n",
    }
    assert told(tmp_path, files, {path: files[path].replace(old, new)}) == expected


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("Till.java", "int pay(int x)", "int pay(int x, int y)", [f"a/Use.java:3 calls Till.pay, {OTHER_PARAMETERS}"]),
        ("Till.java", "void add(String s) {}", "", [f"a/Use.java:4 calls Till.add, {OTHER_PARAMETERS}"]),
        ("Till.java", "void add(int n) {}", "", []),
        ("Till.java", "Till(int n)", "Till(int n, int m)", [f"a/Use.java:3 calls Till.Till, {OTHER_PARAMETERS}"]),
        ("Till.java", "OPEN, ", "", ["a/Use.java:5 uses Till.State.OPEN, which a/Till.java does not declare any more"]),
        ("Till.java", "Coin(int value)", "Coin(int value, String name)", [f"a/Use.java:6 calls Till.Coin, {OTHER_PARAMETERS}"]),
        (
            "Till.java",
            "void ring()",
            "void rings()",
            ["a/Loud.java:4 marks Loud.ring as an override, but it overrides nothing any more"],
        ),
    ],
)
def test_overloads_constructors_and_marked_overrides_of_java(
    tmp_path: Path, path: str, old: str, new: str, expected: list[str]
) -> None:
    files = {
        "a/Till.java": (
            "package a;\n\nclass Till {\n    enum State { OPEN, CLOSED }\n    record Coin(int value) {}\n    Till(int n) {}\n"
            "    int pay(int x) { return x; }\n    void add(String s) {}\n    void add(int n) {}\n    void ring() {}\n}\n"
        ),
        "a/Loud.java": "package a;\n\nclass Loud extends Till {\n    @Override\n    void ring() {}\n}\n",
        "a/Use.java": (
            "package a;\n\nclass Use { int of() { return new Till(2).pay(3); }\n"
            "    void at(Till till, String s) { till.add(s); }\n"
            "    Object state() { return Till.State.OPEN; }\n    Object coin() { return new Till.Coin(1); }\n}\n"
        ),
    }
    assert told(tmp_path, files, {f"a/{path}": files[f"a/{path}"].replace(old, new)}) == expected


ROADS = {
    "go.mod": "module example.org/town\n",
    "ways/way.go": (
        "package ways\n\ntype Way interface {\n\tLength(unit string) int\n}\n\ntype Map struct {\n\tMain Way\n}\n\n"
        "type Walk struct {\n\tWay *Way\n}\n"
    ),
    "road.go": (
        'package town\n\nimport "example.org/town/ways"\n\ntype Road struct{}\n\nvar _ ways.Way = (*Road)(nil)\n\n'
        "func New() *Road { return &Road{} }\n"
    ),
    "length.go": "package town\n\nfunc (r *Road) Length(unit string) int { return 1 }\n\nfunc (r *Road) Close() {}\n",
    "use.go": (
        'package town\n\nimport "example.org/town/ways"\n\nfunc take(all ...ways.Way) {}\n\n'
        "func use(way ways.Way) (ways.Way, error) {\n\ttake(way, New())\n\t_ = ways.Map{Main: New()}\n\t_ = []ways.Way{New()}\n"
        "\tway = New()\n\t_ = ways.Way(New())\n\tif _, ok := way.(*Road); ok {\n\t\treturn New(), nil\n\t}\n"
        "\tother := New()\n\t_ = other\n\treturn nil, nil\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("path", "old", "new", "is_told"),
    [
        ("length.go", "Length(unit string)", "Long(unit string)", True),
        ("length.go", "Length(unit string)", "Length(unit int)", True),
        ("ways/way.go", "int\n", "int\n\tWidth() int\n", True),
        ("ways/way.go", "Length(unit string)", "Length(unit int)", True),
        ("length.go", "Close()", "Shut()", False),
        ("length.go", "Length(unit string)", "Length(name string)", False),
    ],
)
def test_a_type_of_go_is_told_where_it_is_used_as_an_interface_that_it_lost(
    tmp_path: Path, path: str, old: str, new: str, is_told: bool
) -> None:
    places = [("road.go", 7), *(("use.go", line) for line in (8, 9, 10, 11, 12, 13, 14))] if is_told else []
    assert told(tmp_path, ROADS, {path: ROADS[path].replace(old, new)}) == [
        f"{path}:{line} uses Road as Way, which it does not implement any more" for path, line in places
    ]


SHAPES = {
    "a/Shape.java": "package a;\n\ninterface Shape {\n    int area(int unit);\n\n    default int twice() { return 2; }\n}\n",
    "a/Round.java": "package a;\n\ninterface Round extends Shape {}\n",
    "a/Base.java": "package a;\n\nabstract class Base implements Shape {\n    public int width() { return 1; }\n}\n",
    "a/Disc.java": "package a;\n\nclass Disc extends Base implements Round {\n  public int area(int unit) { return unit; }\n}\n",
    "a/Dot.java": "package a;\n\nclass Dot implements Shape {\n  public int area(int u) { return 0; }\n}\n",
    "a/Far.java": "package a;\n\nclass Far extends org.maps.Thing implements Shape {\n public int area(int u) { return 0; }\n}\n",
    "shape.ts": (
        "export interface Shape {\n  area(unit: number): number\n}\nexport abstract class Base {\n  abstract label(): string\n}\n"
    ),
    "dot.ts": (
        "import { Base, Shape } from './shape'\nexport class Dot extends Base implements Shape {\n  area() { return 0 }\n"
        "  label() { return '' }\n  size = 1\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("a/Shape.java", "unit);", "unit);\n\n    int width();", [f"a/Dot.java:3 declares Dot, {LACKS} 'width'"]),
        (
            "a/Shape.java",
            "unit);",
            "unit);\n\n    int depth();",
            [f"a/{name}.java:3 declares {name}, {LACKS} 'depth'" for name in ("Disc", "Dot")],
        ),
        ("a/Shape.java", "unit);", "unit);\n\n    default int depth() { return 1; }", []),
        ("shape.ts", "unit: number): number", "unit: number): number\n  size: number", []),
        (
            "shape.ts",
            "unit: number): number",
            "unit: number): number\n  width: number",
            ["dot.ts:2 declares Dot, which does not implement 'width'"],
        ),
        ("shape.ts", "unit: number): number", "unit: number): number\n  width?: number", []),
        (
            "shape.ts",
            "label(): string",
            "label(): string\n  abstract title(): string",
            ["dot.ts:2 declares Dot, which does not implement 'title'"],
        ),
    ],
)
def test_members_that_a_changed_type_demands(tmp_path: Path, path: str, old: str, new: str, expected: list[str]) -> None:
    assert told(tmp_path, SHAPES, {path: SHAPES[path].replace(old, new)}) == expected


def test_a_module_of_typescript_that_lost_its_only_export(tmp_path: Path) -> None:
    files = {"a.ts": "import './b'\nexport class A {}\n", "b.ts": "import { A } from './a'\nnew A()\n"}
    expected = ["b.ts:1 imports 'A' from './a', which a.ts does not export"]
    assert told(tmp_path, files, {"a.ts": files["a.ts"].replace("export ", "")}) == expected
