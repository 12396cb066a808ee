"""Java's syntax tree as facts: damaged, foreign and deeply nested sources, and the time that large ones take."""

from __future__ import annotations

from random import Random

import pytest
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.languages.java import READER
from compiled_report.mutations import mutated
from linear_time import is_linear, processor_seconds

#: Makers of members whose lowering must take linear time, by what grows.
GROWING = {
    "methods": lambda n: "".join(f"int m{i}(int a) {{ return m{i}(a) + 1; }}\n" for i in range(n)),
    "fields": lambda n: "".join(f'final String f{i} = "a{i}" + f{i};\n' for i in range(n)),
    "nesting": lambda n: "void f() {\n" + "if (x) {\n" * n + "}\n" * n + "}\n",
    "chains": lambda n: "Object o = b" + "\n.c(x -> x.d())" * n + ";\n",
    "additions": lambda n: "String s = " + "".join(f'"a{i}" + x +\n' for i in range(n)) + '"";\n',
    "patterns": lambda n: "int f(Object o) { return switch (o) {\n" + "case P(Q q, var r) when q.s() -> r.t();\n" * n + "}; }\n",
}
BROKEN = (b"void f(", b"class {", b"switch (", b"}}}", b"case", b'"""', b"<T extends", b"->", b"@", b"\x00")


def _read(members: str) -> FileFacts:
    return READER.read(decode_source(f"package a;\nclass A {{\n{members}}}\n".encode()), "java")


@pytest.mark.parametrize("name", GROWING)
def test_time_grows_with_the_file(name: str) -> None:
    def seconds(lines: int) -> float:
        members = GROWING[name](lines)
        return processor_seconds(lambda: _read(members))

    assert is_linear(seconds, 300, times=8)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_sources_have_facts(seed: int) -> None:
    random = Random(seed)
    whole = "".join(make(6) for make in GROWING.values()).encode()
    for _ in range(40):
        data = mutated(random, whole)
        at = random.randrange(len(data) + 1)
        source = decode_source(b"package a;\nclass A {\n" + data[:at] + random.choice(BROKEN) + data[at:])
        if not source.is_binary:
            facts = READER.read(source, "java")
            assert len(facts.code) % 20 == 0
            assert all(decl.name for decl in facts.decls)


def test_a_byte_order_mark_and_line_ends_of_windows_change_nothing() -> None:
    plain = b"package a;\nimport b.C;\nclass A {\n  void run(B b) { b.go(); }\n}\nclass B { void go() { } }\n"
    one, other = [READER.read(decode_source(each), "java") for each in (plain, b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"))]
    assert [(each.name, each.name_line) for each in one.symbols] == [(each.name, each.name_line) for each in other.symbols]
    assert [each.specifier for each in one.imports] == [each.specifier for each in other.imports] == ["b.C"]
    assert len(one.calls) == len(other.calls) == 1
