"""Lowering of Go whatever a file holds: it takes time that grows with the file alone, and never fails."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from astrolabe.ingest.facts.model import FileFacts, ShapeKind
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.languages.go import READER
from astrolabe.ingest.languages.go.modules.build_constraints import Platform, fits, holds, variant
from astrolabe.ingest.languages.go.modules.package_names import likely_names
from compiled_report.mutations import mutated
from linear_time import is_linear, processor_seconds

GROWING: dict[str, Callable[[int], str]] = {
    "functions": lambda n: "".join(f"func f{i}(a int) (int, error) {{ return f{i}(a) }}\n" for i in range(n)),
    "methods": lambda n: "type T struct{}\n" + "".join(f"func (t *T) m{i}() *T {{ return t.m{i}() }}\n" for i in range(n)),
    "fields": lambda n: "type T struct {\n" + "".join(f"\ta{i} map[string][]*T\n" for i in range(n)) + "}\n",
    "constants": lambda n: "const (\n\tc0 = iota + 1\n" + "".join(f"\tc{i + 1}\n" for i in range(n)) + ")\n",
    "literals": lambda n: "var v = []T{\n" + "".join(f"\t{{A: {i}, B: []int{{1}}}},\n" for i in range(n)) + "}\n",
    "cases": lambda n: "func f(x any) {\nswitch v := x.(type) {\n" + "".join(f"case T{i}: v.m()\n" for i in range(n)) + "}\n}\n",
    "chain": lambda n: "func f() {\n" + "".join(f"\ta{i} := g(a{i - 1})\n" for i in range(1, n)) + "}\n",
    "nesting": lambda n: "func f() {\n" + "if x {\n" * n + "}\n" * n + "}\n",
    "additions": lambda n: "var s = " + "".join(f'"a{i}" + x +\n\t' for i in range(n)) + '""\n',
    "imports": lambda n: "import (\n" + "".join(f'\t"a.b/p{i}"\n' for i in range(n)) + ")\n",
}

_LINUX = Platform("linux", "amd64")


def _read(code: str) -> FileFacts:
    return READER.read(decode_source(f"package a\n\n{code}".encode()), "go")


@pytest.mark.parametrize("name", GROWING)
def test_time_grows_with_the_file(name: str) -> None:
    def seconds(lines: int) -> float:
        code = GROWING[name](lines)
        return processor_seconds(lambda: _read(code))

    assert is_linear(seconds, 300, times=8)


def test_a_byte_order_mark_and_line_ends_of_windows_change_nothing() -> None:
    plain = b"package a\n\nfunc run(b B) { b.Go() }\n\ntype B struct{}\n\nfunc (B) Go() {}\n"
    one, other = [READER.read(decode_source(each), "go") for each in (plain, b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"))]
    assert [(each.name, each.name_line) for each in one.symbols] == [(each.name, each.name_line) for each in other.symbols]
    assert len(one.calls) == len(other.calls) == 1


BROKEN = (b"func (", b"type T struct {", b"x := map[", b"}}}", b"case", b"`", b"func f[T any](", b"<-<-", b":=", b"\x00")


@pytest.mark.parametrize("seed", range(4))
def test_damaged_sources_have_facts(seed: int) -> None:
    random = Random(seed)
    whole = "".join(make(6) for make in GROWING.values()).encode()
    for _ in range(40):
        data = mutated(random, whole)
        at = random.randrange(len(data) + 1)
        source = decode_source(b"package a\n" + data[:at] + random.choice(BROKEN) + data[at:])
        if not source.is_binary:
            facts = READER.read(source, "go")
            assert len(facts.code) % 20 == 0
            assert all(decl.name for decl in facts.decls)


def test_methods_of_one_type_are_together() -> None:
    facts = _read("func (t *T) a() {}\nfunc (t T) b() {}\nfunc (s *S[K]) c() {}\n")
    found = [
        (shape.name, [member.name for member in shape.members]) for shape in facts.shapes if shape.kind == ShapeKind.EXTENSION
    ]
    assert found == [("T", ["a", "b"]), ("S", ["c"])]


def test_what_other_files_see_leaves_bodies_and_comments_out() -> None:
    source = 'import (\n\t"a/kit"\n\tlog "b/log"\n)\n\nfunc A() int { return 1 }\n\nfunc (t *T) m(k kit.K) {}\n\n'
    source += "type T struct {\n\tE\n\tn, o int\n}\n\ntype I interface{ m(k int) }\n\nconst (\n\tX kind = iota\n\tY\n)\n"
    before = _seen(source)
    assert before.keys() == {"A", "T", "T.m", "T.n", "T.o", "I", "I.m", "X", "Y"}
    changes = {
        source.replace("return 1", "x := 2; return x").replace("func (t", "// A comment.\nfunc (t"): set(),
        source.replace("A() int", "A() string"): {"A"},
        source.replace("kit.K)", "*kit.K)"): {"T.m"},
        source.replace("a/kit", "c/kit"): {"T.m"},
        source.replace("b/log", "c/log"): set(),
        source.replace("\tE\n", "\t*E\n"): {"T"},
        source.replace("o int", "o bool"): {"T.n", "T.o"},
        source.replace("m(k int)", "m(k bool)"): {"I.m"},
        source.replace("X kind", "X other"): {"X", "Y"},
        source.replace("return 1", "type local struct { T }; return 1"): {"local"},
        source.replace("return 1", "type local struct { n int }; return 1"): set(),
        source.replace("return 1", "type local interface { m() }; return 1"): {"local", "local.m"},
    }
    for changed, names in changes.items():
        after = _seen(changed)
        assert {name for name in {*before, *after} if before.get(name) != after.get(name)} == names


def _seen(text: str) -> dict[str, bytes]:
    return {f"{each.owner}.{each.name}".strip("."): each.digest for each in _read(text).package_declared}


@pytest.mark.parametrize(
    ("constraint", "is_left_out"),
    [
        ("linux", False),
        ("!linux", True),
        ("windows || (linux && amd64)", False),
        ("linux && !cgo", True),
        ("go1.22", False),
        ("!go1.22", True),
        ("go1.20 && !go1.21", True),
        ("go1.999", True),
        ("ignore", True),
        ("(((", False),
        ("!" * 300, False),
    ],
)
def test_a_constraint_may_leave_a_file_out(constraint: str, is_left_out: bool) -> None:
    facts = READER.read(decode_source(f"// License.\n\n//go:build {constraint}\n\npackage a\n".encode()), "go")
    assert facts.package == "a"
    assert holds("x/a.go", facts.constraint, _LINUX) != is_left_out


@pytest.mark.parametrize(
    ("path", "constraint", "label"),
    [
        ("x/a_windows.go", "", "windows"),
        ("x/a_darwin_arm64_test.go", "", "darwin && arm64"),
        ("x/a_linux.go", "cgo || race", "linux && (cgo || race)"),
        ("x/a.go", "!windows", "!windows"),
        ("x/windows.go", "", ""),
    ],
)
def test_a_variant_is_called_by_its_constraints(path: str, constraint: str, label: str) -> None:
    assert variant(path, constraint) == label


@pytest.mark.parametrize(
    ("one", "other", "do_fit"),
    [
        (("a_windows.go", ""), ("b_windows.go", ""), True),
        (("a_windows.go", ""), ("b_unix.go", "unix"), False),
        (("a_windows.go", ""), ("b.go", "!linux"), True),
        (("a.go", "fast"), ("b.go", "!fast"), False),
        (("a.go", "fast"), ("b.go", "fast && linux"), True),
        (("a.go", "fast"), ("b.go", "!slow"), True),
        (("a.go", "!cgo"), ("b.go", ""), True),
        (("a_android.go", ""), ("b_linux.go", ""), True),
    ],
)
def test_files_fit_if_a_platform_has_both(one: tuple[str, str], other: tuple[str, str], *, do_fit: bool) -> None:
    assert fits(*one, *other) == do_fit
    assert fits(*other, *one) == do_fit


def test_a_file_name_may_be_for_another_platform() -> None:
    names = (
        "a_windows.go",
        "a_linux.go",
        "a_linux_arm64.go",
        "a_linux_amd64.go",
        "windows.go",
        "a_windows_test.go",
        "a_other.go",
    )
    assert [name for name in names if not holds(f"x/{name}", "", _LINUX)] == [
        "a_windows.go",
        "a_linux_arm64.go",
        "a_windows_test.go",
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("fmt", "fmt"),
        ("github.com/go-chi/chi/v5", "chi"),
        ("gopkg.in/yaml.v3", "yaml"),
        ("github.com/mattn/go-isatty", "isatty"),
        ("github.com/x/toml-go", "toml"),
        ("example.com/api/v2", "v2"),
    ],
)
def test_a_path_makes_names_likely(path: str, name: str) -> None:
    assert name in likely_names(path)
