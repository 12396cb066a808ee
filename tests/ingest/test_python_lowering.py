"""Lowering of Python whatever a file holds: it takes time that grows with the file alone, and never fails."""

from __future__ import annotations

import sysconfig
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest
from astrolabe.ingest.facts.cells import int_array
from astrolabe.ingest.facts.model import FileFacts, SymbolFact
from astrolabe.ingest.facts.operations import Op
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.languages.python import READER
from astrolabe.ingest.languages.syntax_only import file_facts as reading
from astrolabe.ingest.languages.syntax_only.reader import SyntaxOnlyReader
from compiled_report.mutations import mutated
from linear_time import is_linear, processor_seconds

#: Name -> a source of about so many lines.
GROWING: dict[str, Callable[[int], str]] = {
    "names and branches": lambda n: "".join(f"n{i} = f()\nif c:\n    n{i} = g()\nelse:\n    m{i} = 2\n" for i in range(n)),
    "one name in branches": lambda n: "".join(f"if c:\n    x = f({i})\n" for i in range(n)),
    "elif": lambda n: "if x == 0:\n    y = 0\n" + "".join(f"elif x == {i}:\n    y{i} = f(x)\n    z = x\n" for i in range(n)),
    "loops": lambda n: "".join(f"for i{i} in r:\n    x = i{i}\n    o.a{i} = 1\n" for i in range(n)),
    "continue": lambda n: "for a in b:\n" + "".join(f"    n{i} = f()\n    if n{i}: continue\n" for i in range(n)),
    "try": lambda n: "".join(f"try:\n    x{i} = f()\nexcept E as e:\n    x{i} = e.a\n" for i in range(n)),
    "one try": lambda n: "try:\n" + "".join(f"    x = f({i})\n" for i in range(n)) + "except E:\n    pass\n",
    "members": lambda n: "def f(x):\n" + "".join(f"    x.a{i} = g()\n    x = x.h()\n" for i in range(n)),
    "arguments": lambda n: "f(" + ", ".join(f"a{i}" for i in range(2 * n)) + ")\n",
    "a dictionary": lambda n: "x = {" + ", ".join(f'"{i}": {i}' for i in range(5 * n)) + "}\n",
    "calls in a chain": lambda n: "x = a" + "".join(f".m{i}()" for i in range(n)) + "\n",
    "operators": lambda n: "x = " + " and ".join(f"a.b == {i}" for i in range(n)) + "\n",
}

#: Reads outlines alone.
OUTLINES = SyntaxOnlyReader(replace(READER.rules, lower=None))


def _read(source: str) -> FileFacts:
    return READER.read(decode_source(source.encode()), "python")


@pytest.mark.parametrize("name", GROWING)
def test_four_times_the_source_takes_about_four_times_the_time(name: str) -> None:
    def seconds(lines: int) -> float:
        source = GROWING[name](lines)
        return processor_seconds(lambda: _read(source))

    assert is_linear(seconds, 600, times=4)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = " + "(" * 5000 + "a" + ")" * 5000, id="parentheses"),
        pytest.param("x = " + "[" * 5000 + "a" + "]" * 5000, id="lists"),
        pytest.param("x = " + "f(" * 5000 + "a" + ")" * 5000, id="calls in calls"),
        pytest.param("x = a" + ".b()" * 5000, id="calls in a chain"),
        pytest.param("x = " + " + ".join(["a"] * 5000), id="operators"),
        pytest.param("x: " + "list[" * 5000 + "a" + "]" * 5000, id="annotations"),
        pytest.param("x: " + " | ".join(["a"] * 5000), id="unions"),
        pytest.param("[" * 5000 + "a" + "]" * 5000 + " = x", id="targets"),
        pytest.param("match x:\n  case " + "A(" * 5000 + ")" * 5000 + ": pass", id="patterns"),
        pytest.param("x = " + "lambda: " * 5000 + "a", id="lambdas"),
        pytest.param("".join(" " * i + "if a:\n" for i in range(500)) + " " * 500 + "b()", id="blocks"),
        pytest.param("".join(" " * i + "class A:\n" for i in range(500)) + " " * 500 + "b()", id="classes"),
    ],
)
def test_deep_code_is_lowered(source: str) -> None:
    facts = _read(source + "\n")
    assert facts.code
    assert facts.problems == []


def test_code_that_is_too_deep_keeps_its_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(_: Callable[[], object]) -> object:
        raise RecursionError

    monkeypatch.setattr(reading, "call_deeply", too_deep)
    facts = _read("import a\n\n\ndef f(): return a.b()\n")
    assert [symbol.name for symbol in facts.symbols][-1] == "f"
    assert len(facts.chunks) == 2
    assert facts.imports[0].specifier == "a"
    assert facts.problems == [reading.TOO_DEEP]
    assert facts.code == b""


PYTHON_2 = (
    *(b"print x\n", b"print >>f, x, y\n", b"exec 'x' in d\n", b"`x`\n", b"raise E, 'm'\n", b"0777L\n", b"a <> b\n"),
    *(b"try:\n    x()\nexcept X, e:\n    e.y()\n", b"def f((a, b), c): return a\n", b"x: 'list[' | (a +) = [\n", b"\x0c", b"\t"),
)


def _apart(facts: FileFacts) -> list[SymbolFact]:
    """Return the symbols of a file without their places among each other."""
    return [msgspec.structs.replace(symbol, parent=-1) for symbol in facts.symbols]


def _chunked(facts: FileFacts) -> list[tuple[str, str | None, list[int]]]:
    symbols = _apart(facts)
    return sorted([(repr(symbols[chunk.symbol]), chunk.embedding_text, chunk.cuts) for chunk in facts.chunks], key=str)


@pytest.mark.parametrize("seed", range(10))
def test_damaged_sources_have_facts_in_order(seed: int) -> None:
    random = Random(seed)
    folder = Path(sysconfig.get_path("stdlib"))
    paths = [path for path in sorted(folder.glob("*.py")) if 200 < path.stat().st_size < 12_000]
    for _ in range(15):
        data = mutated(random, random.choice(paths).read_bytes())
        at = random.randrange(len(data) + 1)
        source = decode_source(data[:at] + random.choice(PYTHON_2) + data[at:])
        if source.is_binary:
            continue
        facts, outline = READER.read(source, "python"), OUTLINES.read(source, "python")
        assert facts.imports == outline.imports
        assert _chunked(facts) == _chunked(outline)
        added = Counter(map(repr, _apart(facts)))
        added.subtract(map(repr, _apart(outline)))
        # Attributes that methods assign have symbols, too.
        assert all(count > 0 and "kind='property'" in symbol for symbol, count in added.items() if count)
        code, owners, size = int_array(facts.code), int_array(facts.owners), len(source.data)
        assert list(owners[::2]) == sorted(owners[::2])
        assert all(-1 <= owner < len(facts.symbols) for owner in owners[1::2])
        assert all(code[call] == Op.CALL for call in facts.calls)
        assert all(0 <= position <= size for position in code[4::5])
        assert all(0 <= entry.position <= size and -1 <= entry.symbol < len(facts.symbols) for entry in facts.decls)


def test_overloads_are_one_symbol_whatever_their_bodies_hold() -> None:
    source = """
import typing

@typing.overload
def text(value: str) -> str:
    pass

@typing.overload
def text(value: bytes) -> str:
    "From UTF-8."

def text(value):
    return str(value)
"""
    found = [symbol for symbol in _read(source).symbols if symbol.kind == "function"]
    assert [(symbol.name, symbol.declaration_line, symbol.name_line, symbol.end_line) for symbol in found] == [
        ("text", 4, 12, 13)
    ]
