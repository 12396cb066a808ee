"""Calls, references and overrides that a change breaks, in Python, TypeScript and Go."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from astrolabe.ingest.changes import comparison
from astrolabe.ingest.changes.broken_uses import lost_declarations, same_lines
from astrolabe.ingest.changes.comparison import _broken, _trees, compare_states
from astrolabe.ingest.changes.states import Comparison, compared_states
from astrolabe.ingest.history.git import GitRepository

from tests.git_commands import git
from tests.ingest.changes.changed_work_tree import PATIENCE, compared, told

#: The end of a message about an overload.
OTHER_PARAMETERS = "does not declare with these parameters any more"
FILES = {
    "shop.py": "class Shop:\n    def sell(self): ...\n    def close(self): ...\n\ndef helper(): ...\n",
    "town.py": (
        "from shop import Shop\nimport shop\n\nclass Market(Shop):\n    def close(self): ...\n\n"
        "def visit(place: Shop):\n    place.sell()\n    shop.helper()\n    unknown().sell()\n"
    ),
    "base.ts": "export class Base {\n  run(): void {}\n  stop(): void {}\n  label = 'x'\n}\n",
    "user.ts": (
        "import { Base } from './base'\nexport class Engine extends Base {\n  stop(): void {}\n}\n"
        "export function go(base: Base, other: any) {\n  base.run()\n  other.run()\n  return base.label\n}\n"
    ),
    "go.mod": "module example.org/town\n",
    "road.go": "package town\n\ntype Road struct{}\n\nfunc (r *Road) Drive() int { return 1 }\n",
    "jam.go": (
        "package town\n\ntype delay interface {\n\twait()\n}\n\ntype Jam struct{}\n\n"
        'func (j Jam) Error() string { return "jam" }\n\nfunc (j Jam) wait() {}\n\n'
        "func late() error { return Jam{} }\n\nfunc slow() delay { return Jam{} }\n"
    ),
    "car.go": "package town\n\nfunc Travel(r *Road) int {\n\treturn r.Drive()\n}\n",
}


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A committed project."""
    git(tmp_path, "init", "-q", "-b", "main")
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    return tmp_path


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([("shop.py", "def sell", "def trade")], ["town.py:8 calls Shop.sell, which shop.py does not declare any more"]),
        ([("shop.py", "def helper", "def helps")], ["town.py:9 calls helper, which shop.py does not declare any more"]),
        (
            [("shop.py", "def close", "def shut")],
            ["town.py:5 declares Market.close, which overrode Shop.close of shop.py that is gone"],
        ),
        ([("base.ts", "run()", "execute()")], ["user.ts:6 calls Base.run, which base.ts does not declare any more"]),
        ([("base.ts", "label =", "title =")], ["user.ts:8 uses Base.label, which base.ts does not declare any more"]),
        (
            [("base.ts", "stop()", "halt()")],
            ["user.ts:3 declares Engine.stop, which overrode Base.stop of base.ts that is gone"],
        ),
        ([("road.go", "Drive()", "Go()")], ["car.go:4 calls Road.Drive, which road.go does not declare any more"]),
        ([("jam.go", ") Error()", ") Text()")], ["jam.go:13 uses Jam as error, which it does not implement any more"]),
        ([("jam.go", ") wait()", ") stand()")], ["jam.go:15 uses Jam as delay, which it does not implement any more"]),
        ([("jam.go", "\twait()", "\tstand()"), ("jam.go", ") wait()", ") stand()")], []),
        (
            [("shop.py", "def sell", "def trade"), ("town.py", "def visit", "# go\ndef visit")],
            ["town.py:9 calls Shop.sell, which shop.py does not declare any more"],
        ),
        ([("shop.py", "def sell", "def trade"), ("town.py", "place.sell", "place.trade")], []),
        ([("road.go", "Drive()", "Go()"), ("car.go", "Drive()", "Go()")], []),
        (
            [("shop.py", "def helper(): ...", "def helps(): ...\n\nready = helper")],
            [
                "shop.py:7 uses 'helper', which it neither declares nor imports any more",
                "town.py:9 calls helper, which shop.py does not declare any more",
            ],
        ),
        (
            [("user.ts", "import { Base } from './base'\n", "")],
            [f"user.ts:{line} uses 'Base', which it neither declares nor imports any more" for line in (1, 4)],
        ),
        (
            [("base.ts", "class Base", "class Ground")],
            ["user.ts:1 imports 'Base' from './base', which base.ts does not export"],
        ),
        (
            [("road.go", "type Road", "type Lane"), ("road.go", "*Road", "*Lane")],
            ["car.go:3 uses Road, which road.go does not declare any more"],
        ),
        (
            [("shop.py", "def sell(self)", "def sell(self, price)"), ("base.ts", "run()", "run(fast?: boolean)")],
            ["town.py:8 calls Shop.sell with arguments that it does not take any more"],
        ),
    ],
)
def test_only_what_the_change_breaks_is_told(town: Path, edits: list[tuple[str, str, str]], expected: list[str]) -> None:
    for path, old, new in edits:
        text = (town / path).read_text()
        assert old in text
        (town / path).write_text(text.replace(old, new))
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        found = compare_states(states, town.as_posix(), PATIENCE)
    assert [f"{each.path}:{each.line} {each.reason}" for each in found.broken] == expected


def test_without_time_no_file_is_parsed_and_the_changed_files_are_counted(town: Path) -> None:
    for path in ("shop.py", "base.ts"):
        (town / path).write_text((town / path).read_text().replace("run(", "walk(").replace("sell(", "give("))
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        before, after = _trees(states, town.as_posix())
        found = _broken(before, after, states, town.as_posix(), time.monotonic())
        assert (found.places, found.skipped) == ([], 2)
        assert (before._facts, after._facts) == ({}, {})
        assert compare_states(states, town.as_posix(), PATIENCE).broken


def test_a_name_that_was_used_without_a_declaration_before_is_taken_for_defined_elsewhere(town: Path) -> None:
    (town / "base.test.ts").write_text(
        "import { Base } from './base'\ntest('run', () => {})\nfunction own() {\n  const test = () => new Base()\n  test()\n}\n"
    )
    git(town, "add", "-A")
    git(town, "commit", "-q", "-m", "Add tests")
    (town / "base.test.ts").write_text((town / "base.test.ts").read_text() + "test('stop', () => {})\n")
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        assert compare_states(states, town.as_posix(), PATIENCE).broken == []


def test_members_of_packages_that_are_not_installed_are_not_taken_for_lost_ones(town: Path) -> None:
    (town / "stop.go").write_text("package town\n\ntype Stop struct{ Label int }\n")
    (town / "walk.go").write_text("package town\n\nfunc walk(s *Stop) int {\n\treturn s.Label\n}\n")
    git(town, "add", "-A")
    git(town, "commit", "-q", "-m", "Add a stop")
    (town / "stop.go").write_text("package town\n\ntype Stop struct{}\n")
    package = 'package town\n\nimport "example.org/maps"\n\n'
    (town / "walk.go").write_text(f"{package}func walk(s *Stop) int {{\n\treturn maps.New().Label + 1\n}}\n")
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        assert compare_states(states, town.as_posix(), PATIENCE).broken == []
    (town / "walk.go").write_text(f"{package}func walk(s *Stop) int {{\n\treturn maps.New().Label + s.Label\n}}\n")
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        told = compare_states(states, town.as_posix(), PATIENCE).broken
    assert [(each.path, each.line, each.reason) for each in told] == [
        ("walk.go", 6, "uses Stop.Label, which stop.go does not declare any more")
    ]


GO_USES = """package town

func walk(s *Stop) int {
	s.Run()
	s.Label = "b"
	t := Stop{Label: "c"}
	return s.Size() + len(t.Label)
}
"""


def _go_members(fields: str, *methods: str) -> str:
    return f"package town\n\ntype Stop struct {{ {fields} }}\n" + "".join(f"\nfunc (s *Stop) {each}\n" for each in methods)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (_go_members("Run func()", "Size() int { return 1 }", 'Label() string { return "" }'), "uses Stop.Label 5 6 7"),
        (_go_members("Label string", "Size() int { return 1 }", "Run() {}"), ""),
        (_go_members("Label string; Run func(); Size int"), "calls Stop.Size 7"),
        (_go_members("Label string; Run func(); Size func() int"), ""),
    ],
)
def test_a_field_and_a_method_of_go_do_not_replace_each_other(tmp_path: Path, changed: str, expected: str) -> None:
    """A field that holds functions can be replaced by a method of its name, and a method by such a field."""
    members = _go_members("Label string; Run func()", "Size() int { return 1 }")
    found = told(
        tmp_path / "town", {"go.mod": "module example.org/town\n", "stop.go": members, "walk.go": GO_USES}, {"stop.go": changed}
    )
    verb, _, rest = expected.partition(" ")
    name, *lines = rest.split(" ")
    kind = "method" if verb == "calls" else "field"
    assert found == [f"walk.go:{line} {verb} {name}, which stop.go does not declare as a {kind} any more" for line in lines]


def test_members_of_a_lost_class_that_nothing_names_are_told(town: Path) -> None:
    (town / "fair.py").write_text("class Fair:\n    def open(self): ...\n\ndef fair():\n    return Fair()\n")
    (town / "guest.py").write_text("from fair import fair\n\nfair().open()\n")
    git(town, "add", "-A")
    git(town, "commit", "-q", "-m", "Add a fair")
    (town / "fair.py").write_text("def fair():\n    return None\n")
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        found = compare_states(states, town.as_posix(), PATIENCE).broken
    assert [(each.path, each.line, each.reason) for each in found] == [
        ("guest.py", 3, "calls Fair.open, which fair.py does not declare any more")
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Toll fee()", "Toll price()", [(4, f"calls Toll.fee, which Toll.java {OTHER_PARAMETERS}")]),
        ("Toll fee(int axles)", "Toll price(int axles)", [(5, f"calls Toll.fee, which Toll.java {OTHER_PARAMETERS}")]),
        ("Toll fee(int axles)", "Toll fee(final int axles)", []),
    ],
)
def test_a_lost_overload(town: Path, old: str, new: str, expected: list[tuple[int, str]]) -> None:
    toll = "class Toll {\n  Toll fee() { return this; }\n  Toll fee(int axles) { return this; }\n}\n"
    (town / "Toll.java").write_text(toll)
    (town / "Gate.java").write_text(
        "class Gate {\n  void pass(Toll toll) {\n    int axles = 2;\n    toll.fee();\n    toll.fee(axles);\n  }\n}\n"
    )
    git(town, "add", "-A")
    git(town, "commit", "-q", "-m", "Add a toll")
    assert old in toll
    (town / "Toll.java").write_text(toll.replace(old, new))
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        found = compare_states(states, town.as_posix(), PATIENCE).broken
    assert [(each.line, each.reason) for each in found] == expected


def test_a_property_that_becomes_a_method_is_no_lost_declaration(town: Path) -> None:
    (town / "stall.py").write_text("class Stall:\n    @property\n    def owner(self): ...\n\n    def sell(self): ...\n")
    git(town, "add", "-A")
    git(town, "commit", "-q", "-m", "Stall")
    (town / "stall.py").write_text("class Stall:\n    def owner(self): ...\n\n    @property\n    def sell(self): ...\n")
    with compared_states(GitRepository(town), Comparison(), 1_000_000) as states:
        before, after = comparison._trees(states, town.as_posix())
        lost = lost_declarations(before, after, ["stall.py"])
    assert [side.qualified_name for side in lost.values()] == ["Stall.sell"]


def test_a_method_that_moves_to_a_base_class_breaks_nothing(town: Path) -> None:
    (town / "shop.py").write_text(
        "class Place:\n    def sell(self): ...\n\nclass Shop(Place):\n    def close(self): ...\n\ndef helper(): ...\n"
    )
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        found = compare_states(states, town.as_posix(), PATIENCE)
    assert found.broken == []


def test_a_member_that_an_unknown_base_class_may_give_is_not_told_as_lost(town: Path) -> None:
    (town / "client.py").write_text(
        "from webtools import Client\n\nclass Tester(Client):\n    def open(self): ...\n\n"
        "class Plain:\n    def open(self): ...\n\ndef go(one: Tester, two: Plain):\n    one.open()\n    two.open()\n"
    )
    git(town, "add", "-A")
    git(town, "commit", "-q", "-m", "Test")
    text = (town / "client.py").read_text().replace("def open", "def begin")
    (town / "client.py").write_text(text)
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        found = compare_states(states, town.as_posix(), PATIENCE)
    assert [f"{each.path}:{each.line} {each.reason}" for each in found.broken] == [
        "client.py:11 calls Plain.open, which client.py does not declare any more"
    ]


def test_a_name_that_another_file_passes_on_is_told_where_that_file_imports_it(town: Path) -> None:
    (town / "mall").mkdir()
    (town / "mall/__init__.py").write_text("from .stall import Stall\n")
    (town / "mall/stall.py").write_text("class Stall: ...\n")
    (town / "visit.py").write_text("import mall\n\nplace = mall.Stall()\n")
    git(town, "add", "-A")
    git(town, "commit", "-q", "-m", "Build")
    (town / "mall/stall.py").write_text("class Booth: ...\n")
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        found = compare_states(states, town.as_posix(), PATIENCE)
    assert [f"{each.path}:{each.line} {each.reason}" for each in found.broken] == [
        "mall/__init__.py:1 imports 'Stall' from '.stall', which mall/stall.py does not export"
    ]


def test_the_line_of_each_imported_name_and_a_call_where_only_a_type_is_left(town: Path) -> None:
    (town / "tools.ts").write_text(
        "export function cut() {}\nexport function glue() {}\nexport type glue = 'paste'\nexport function fold() {}\n"
    )
    (town / "index.ts").write_text("export * from './tools'\n")
    (town / "craft.ts").write_text(
        "import {\n  cut,\n  fold,\n} from './tools'\nimport * as all from './index'\nimport * as tools from './tools'\n"
        "cut()\nfold()\nall.glue()\n\ntools.fold()\n"
    )
    git(town, "add", "-A")
    git(town, "commit", "-q", "-m", "Craft")
    (town / "tools.ts").write_text("export function cut() {}\nexport type glue = 'paste'\n")
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        found = compare_states(states, town.as_posix(), PATIENCE)
    assert [f"{each.path}:{each.line} {each.reason}" for each in found.broken] == [
        "craft.ts:3 imports 'fold' from './tools', which tools.ts does not export",
        "craft.ts:9 calls glue, which tools.ts does not declare any more",
    ]


def test_uses_on_lines_that_stay_and_calls_that_lead_elsewhere_too(town: Path) -> None:
    (town / "till.py").write_text(
        "from typing import Callable\n\nclass Cash:\n    def pay(self): ...\n\nclass Card:\n    def pay(self): ...\n\n"
        "def buy(one: Cash | Card):\n    one.pay()\n\ndef T(): ...\n\nways: dict[str, Callable] = {'t': T}\n"
    )
    (town / "road.go").write_text(
        FILES["road.go"] + '\nfunc wheel() {}\n\nvar parts = map[string]func(){\n\t"wheel": wheel,\n}\n'
    )
    git(town, "add", "-A")
    git(town, "commit", "-q", "-m", "Till")
    text = (town / "till.py").read_text()
    text = text.replace("class Card:\n    def pay", "class Card:\n    def charge").replace("def T()", "def later()")
    (town / "till.py").write_text(text)
    (town / "road.go").write_text((town / "road.go").read_text().replace("func wheel()", "// Turn.\nfunc turn()"))
    with compared_states(GitRepository(town), Comparison(), 1 << 20) as states:
        found = compare_states(states, town.as_posix(), PATIENCE)
    assert [f"{each.path}:{each.line} {each.reason}" for each in found.broken] == [
        "road.go:11 uses wheel, which road.go does not declare any more",
        "till.py:10 calls Card.pay, which till.py does not declare any more",
        "till.py:14 uses 'T', which it neither declares nor imports any more",
    ]


def test_lines_that_stay() -> None:
    assert same_lines([b"a", b"b", b"a", b"c"], [b"a", b"x", b"a", b"c", b"b"]) == {1: 1, 2: 5, 3: 3, 4: 4}
    assert same_lines([b"a", b"b"], [b"a", b"a"]) == {}


JAVA = {
    "a/State.java": (
        "package a;\n\nenum State {\n    FIRST {\n        void read(int c) {}\n    },\n"
        "    LAST {\n        void read(int c) {}\n    };\n\n"
        "    abstract void read(int c);\n}\n"
    ),
    "a/Box.java": (
        "package a;\n\nclass Box {\n    int size() { return 1; }\n\n    Box size(int n) { return this; }\n\n"
        "    Box fit(String s) { return this; }\n\n    Box fit(Object o) { return this; }\n}\n"
    ),
    "a/Use.java": 'package a;\n\nclass Use {\n    int of(Box box) { return box.fit("").size(2).size(); }\n}\n',
}


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (
            "a/State.java",
            "read(int c) {}",
            "scan(int c) {}",
            ["a/State.java:4 declares FIRST, which does not implement State.read any more"],
        ),
        ("a/State.java", " read(", " scan(", []),
        ("a/Box.java", "Box size(", "Box sized(", [f"a/Use.java:4 calls Box.size, which a/Box.java {OTHER_PARAMETERS}"]),
        ("a/Box.java", "    Box fit(String s) { return this; }\n\n", "", []),
    ],
)
def test_abstract_members_and_overloads_of_java(tmp_path: Path, path: str, old: str, new: str, expected: list[str]) -> None:
    """An overload with other parameters replaces a lost one only if the number of arguments fits."""
    count = 1 if expected else -1
    assert told(tmp_path, JAVA, {path: JAVA[path].replace(old, new, count)}) == expected


def test_a_change_of_too_many_declarations_is_still_examined_for_breakage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "COMPARING", 0.0)
    files = {"cart.py": "def total():\n    return 1\n", "shop.py": "from cart import total\n\nprint(total())\n"}
    told(tmp_path, files, {"cart.py": "def sum_of():\n    return 1\n"})
    found = compared(tmp_path)
    assert [(file.path, file.not_compared) for file in found.files] == [("cart.py", "too many files changed")]
    assert found.symbols == []
    assert found.notes == ["The declarations of 1 of 1 changed files were not compared."]
    assert [f"{each.path}:{each.line}" for each in found.broken] == ["shop.py:1"]
