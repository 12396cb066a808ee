"""The rules that hold for the symbols and chunks of every file, whatever it holds: over outlines and over generated sources.

The rules are those of `parser_report/rules.py`; `test_parser_fixtures.py` holds the parser's fixtures to them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.pipeline import analyse
from astrolabe.schema.graph_content import GraphPart, joined
from astrolabe.schema.records import Chunk, FileContent, Symbol
from astrolabe.schema.settings import Settings
from hypothesis import given, settings
from hypothesis import strategies as st
from parser_report.reading import FileReading, lines_of
from parser_report.rules import RULES, violations

FIXTURES = sorted((Path(__file__).parent / "cases" / "outline").iterdir())
SOURCES = {path.name: path.read_bytes() for path in FIXTURES if path.suffix != ".outline"}


class Sink:
    """Keeps what an analysis hands out."""

    def __init__(self) -> None:
        self.chunks: list[Chunk] = []
        self.symbols: list[Symbol] = []
        self.status: dict[str, str] = {}

    def add_file(self, content: FileContent) -> None:
        self.chunks.extend(content.chunks)

    def end_files(self) -> None:
        pass

    def add_graph(self, *parts: GraphPart) -> None:
        part = joined(parts)
        self.symbols.extend(part.symbols)
        self.status.update({file.relative_path: file.parse_status for file in part.files})


def read(sources: dict[str, bytes]) -> dict[str, FileReading]:
    """Files as a whole analysis finds them."""
    with TemporaryDirectory() as folder:
        for path, data in sources.items():
            (Path(folder) / path).write_bytes(data)
        sink = Sink()
        analyse(Path(folder), discover(Path(folder), Settings()), Settings(workers=1), lambda *_: None, sink)
    return {
        path: FileReading(
            path,
            sources[path],
            lines_of(sources[path]),
            [symbol for symbol in sink.symbols if symbol.relative_path == path],
            [chunk for chunk in sink.chunks if chunk.relative_path == path],
            sink.status[path],
        )
        for path in sources
    }


each_rule = pytest.mark.parametrize("rule", RULES)


# -------------------------------------------------------------------- fixtures


@pytest.fixture(scope="module")
def fixtures() -> dict[str, FileReading]:
    return read(SOURCES)


@each_rule
@pytest.mark.parametrize("name", SOURCES)
def test_fixture(name: str, rule: str, fixtures: dict[str, FileReading]) -> None:
    assert list(RULES[rule](fixtures[name])) == []


def outline(file: FileReading) -> list[tuple[str, str, str]]:
    """What of a file's symbols is independent of their lines."""
    return [(symbol.id, symbol.breadcrumb, symbol.signature) for symbol in file.symbols]


def places(file: FileReading, shift: int) -> list[tuple[str, int, int]]:
    return [(symbol.id, symbol.start_line + shift, symbol.end_line + shift) for symbol in file.symbols]


def test_two_runs_agree(fixtures: dict[str, FileReading]) -> None:
    again = read(SOURCES)
    assert {name: (file.symbols, [chunk.embedding_text for chunk in file.chunks]) for name, file in fixtures.items()} == {
        name: (file.symbols, [chunk.embedding_text for chunk in file.chunks]) for name, file in again.items()
    }


def test_lines_above_change_no_id(fixtures: dict[str, FileReading]) -> None:
    below = {name: b"\n\n\n" + data for name, data in SOURCES.items() if not data.startswith(b"#!")}
    for name, file in read(below).items():
        assert outline(file) == outline(fixtures[name])
        assert places(file, 0) == places(fixtures[name], 3)


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(lambda data: data.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(lambda data: data.replace(b"\n", b"\r"), id="CR"),
        pytest.param(lambda data: b"\xef\xbb\xbf" + data, id="UTF-8 with a mark"),
        pytest.param(lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le"), id="UTF-16"),
        pytest.param(lambda data: data.rstrip(b"\n"), id="no newline at the end"),
    ],
)
def test_the_form_of_the_text_changes_nothing(variant: Callable[[bytes], bytes], fixtures: dict[str, FileReading]) -> None:
    for name, file in read({name: variant(data) for name, data in SOURCES.items()}).items():
        assert list(violations(file)) == []
        assert outline(file) == outline(fixtures[name])
        assert places(file, 0) == places(fixtures[name], 0)


# -------------------------------------------------------------------- generated sources

NAMES = st.sampled_from(["alpha", "beta", "gamma", "Delta", "_e", "$f", "größe", "of", "type", "async", "get"])
LEAVES = st.sampled_from(
    [
        "x()",
        "const s = `a ${'}'} b`",
        "let a = 1, b = 2",
        "import d, { e as f } from './m'",
        "export * from './n'",
        "if (a) { b() } else { c() }",
        "// a comment",
        "/** doc */",
        "/* one */ y() /* two */",
        ";[1, 2].map((n) => n)",
        "type T = { a: string; m(): void }",
        "enum E { A, B = 2 }",
        "declare const v: number",
        "export { x as z }",
        "for (const q of []) { continue }",
        "",
        "   ",
        ";",
        "label: while (1) { break label }",
        "}",
        "export default 5",
    ]
)
COMMENTS = st.sampled_from(["", "// above\n", "/** Doc of it. */\n", "/* loose */\n\n", "// one\n// two\n", "@dec() "])
PREFIXES = st.sampled_from(["", "", "export ", "export default ", "async ", "export async "])


def blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, max_size=3).map("\n".join)
    shapes = [
        "{c}{p}function {n}(a, b = 1) {{\n{b}\n}}",
        "{c}class {n} extends Base {{\n  {c}field = 1\n  {c}static method(a) {{\n{b}\n  }}\n  get {n}() {{ return 1 }}\n}}",
        "{c}{e}const {n} = (a) => {{\n{b}\n}}",
        "{c}{e}const {n} = {{ method() {{\n{b}\n}}, key: function () {{\n{b}\n}} }}",
        "{c}{e}interface {n} {{ a: string\n  m(): void }}",
        "{c}{e}namespace {n} {{\n{b}\n}}",
        "useEffect(() => {{\n{b}\n}}, [])",
        "{c}(function () {{\n{b}\n}})()",
        "function {n}(a: string): void\nfunction {n}(a: any) {{\n{b}\n}}",
        "{c}try {{\n{b}\n}} catch (e) {{ {n}(e) }}",
        "{c}{e}const {n} = 1; {e}function {n}2() {{\n{b}\n}} let z = 3",
        "{n}.prototype.{n} = function () {{\n{b}\n}}",
        "describe('{n}', () => {{\n  it('works', async () => {{\n{b}\n  }})\n}})",
        "{c}class {n} {{ handlers = {{ go() {{\n{b}\n}} }}\n  static {{\n{b}\n}} }}",
        "{c}{e}const {n} = memo(({{ a }}) => {{\n{b}\n  return a\n}})",
        "{c}const {n} = [() => {{\n{b}\n}}, function () {{\n{b}\n}}]",
        "const {{ {n} = () => {{\n{b}\n}} }} = x",
        "{c}{e}const {n} = 1; // tail\n{b}",
        "{n}(1); /* tail\n more */ {b}",
        "export default {{ {n}() {{\n{b}\n}} }}",
        "module.exports = {{ {n}: function () {{\n{b}\n}} }}",
        "declare module '{n}' {{\n  export function f(): void\n}}",
        "{c}{e}abstract class {n}<const T, in out U> {{ @dec() accessor a = 1\n  abstract b(): void }}",
        "{c}class {n} {{ constructor(private d = () => {{\n{b}\n}}) {{}} }}",
        "{c}switch (a) {{ case 1:\n{b}\n  default: {n}() }}",
    ]

    def fill(shape: str, comment: str, prefix: str, name: str, text: str) -> str:
        return shape.format(c=comment, p=prefix, e="export " if "export" in prefix else "", n=name, b=text)

    return st.builds(fill, st.sampled_from(shapes), COMMENTS, PREFIXES, NAMES, body)


SOURCE = st.lists(st.recursive(LEAVES, blocks, max_leaves=8), max_size=6).flatmap(
    lambda statements: st.sampled_from(["\n", "\n\n", "\r\n", "; "]).map(lambda between: between.join(statements))
)


@settings(max_examples=40, derandomize=True, database=None)
@given(SOURCE)
def test_generated(text: str) -> None:
    sources = {"a.ts": text.encode(), "b.jsx": text.encode(), "c.ts": b"\n\n" + text.encode()}
    files = read(sources)
    for file in files.values():
        assert list(violations(file)) == []
    first, below = ([symbol.breadcrumb[5:] for symbol in files[path].symbols] for path in ("a.ts", "c.ts"))
    assert first == below
