"""The rules that hold for the symbols and chunks of every file, whatever it holds: over fixtures and over generated sources.

Each rule yields what breaks it, in words. They are those of the specification ("Global Validation Rules"), and those of identity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from astrolabe.ingest.analysis import analyse
from astrolabe.ingest.discovery import discover
from astrolabe.ingest.source_text import decode_source
from astrolabe.schema.records import Chunk, GraphContent, Symbol
from astrolabe.schema.settings import Settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FIXTURES = sorted((Path(__file__).parent / "cases" / "outline").iterdir())
SOURCES = {path.name: path.read_bytes() for path in FIXTURES if path.suffix != ".outline"}

#: Tokens that a chunk may have, at four characters each.
_MOST_TOKENS = 32_000


@dataclass
class Read:
    """A file as the index sees it."""

    path: str
    lines: list[str]
    symbols: list[Symbol]
    chunks: list[Chunk]
    by_id: dict[str, Symbol] = field(init=False)
    chunk_by_id: dict[str, Chunk] = field(init=False)

    def __post_init__(self) -> None:
        self.by_id = {symbol.id: symbol for symbol in self.symbols}
        self.chunk_by_id = {chunk.id: chunk for chunk in self.chunks}

    @property
    def roots(self) -> list[Symbol]:
        return [symbol for symbol in self.symbols if symbol.depth == 0]


class Sink:
    """Keeps what an analysis hands out."""

    def __init__(self) -> None:
        self.chunks: list[Chunk] = []
        self.symbols: list[Symbol] = []

    def add_chunks(self, chunks: Sequence[Chunk]) -> None:
        self.chunks.extend(chunks)

    def end_chunks(self) -> None:
        pass

    def add_graph(self, part: GraphContent) -> None:
        self.symbols.extend(part.symbols)


def read(sources: dict[str, bytes]) -> dict[str, Read]:
    """Files as a whole analysis finds them."""
    with TemporaryDirectory() as folder:
        for path, data in sources.items():
            (Path(folder) / path).write_bytes(data)
        sink = Sink()
        analyse(Path(folder), discover(Path(folder), Settings()), Settings(workers=1), lambda *_: None, sink)
    return {
        path: Read(
            path,
            lines_of(sources[path]),
            [symbol for symbol in sink.symbols if symbol.relative_path == path],
            [chunk for chunk in sink.chunks if chunk.relative_path == path],
        )
        for path in sources
    }


def lines_of(data: bytes) -> list[str]:
    source = decode_source(data)
    ends = [*source.line_starts[1:], len(source.data)]
    return [
        source.data[start:end].decode("utf-8", "replace").rstrip("\r\n")
        for start, end in zip(source.line_starts, ends, strict=True)
    ]


# -------------------------------------------------------------------- rules


def full_coverage(file: Read) -> Iterator[str]:
    covered = [0] * (len(file.lines) + 2)
    for symbol in file.roots:
        for number in range(symbol.start_line, symbol.end_line + 1):
            covered[number] += 1
    for number, line in enumerate(file.lines, 1):
        if covered[number] > 1 or (line.strip() and not covered[number]):
            yield f"line {number} lies in {covered[number]} symbols of depth 0: {line!r}"


def no_overlap(file: Read) -> Iterator[str]:
    siblings: dict[str | None, list[Chunk]] = {}
    for chunk in file.chunks:
        siblings.setdefault(file.by_id[chunk.id].parent_id, []).append(chunk)
    for group in siblings.values():
        for one, other in pairwise(sorted(group, key=lambda chunk: chunk.start_line)):
            if other.start_line <= one.end_line:
                yield f"{one.breadcrumb} overlaps {other.breadcrumb} at line {other.start_line}"


def source_fidelity(file: Read) -> Iterator[str]:
    for chunk in file.chunks:
        lines = file.lines[chunk.start_line - 1 : chunk.end_line]
        if [line.rstrip("\r") for line in chunk.full_source.split("\n")] != lines:
            yield f"{chunk.breadcrumb} is not lines {chunk.start_line} to {chunk.end_line}"


def hierarchy(file: Read) -> Iterator[str]:
    for symbol in file.symbols:
        parent = file.by_id.get(symbol.parent_id or "")
        if (symbol.depth == 0) != (symbol.parent_id is None) or (symbol.depth and parent is None):
            yield f"{symbol.breadcrumb} has depth {symbol.depth} and parent {symbol.parent_id}"
        elif parent and not (
            parent.depth == symbol.depth - 1
            and parent.start_line <= symbol.start_line <= symbol.end_line <= parent.end_line <= len(file.lines)
        ):
            yield f"{symbol.breadcrumb} ({symbol.start_line}-{symbol.end_line}) is not inside {parent.breadcrumb}"
    for chunk in file.chunks:
        above = file.chunk_by_id.get(chunk.parent_chunk_id or "")
        if chunk.depth and (above is None or chunk.id not in above.child_chunk_ids or above.name != chunk.parent_name):
            yield f"{chunk.breadcrumb} is not among the children of its parent"
        if not chunk.depth and chunk.parent_chunk_id is not None:
            yield f"{chunk.breadcrumb} is a root with a parent"
        for child in chunk.child_chunk_ids:
            if child not in file.chunk_by_id or file.chunk_by_id[child].parent_chunk_id != chunk.id:
                yield f"{chunk.breadcrumb} has a child that does not know it"


def token_limit(file: Read) -> Iterator[str]:
    for chunk in file.chunks:
        if len(chunk.embedding_text) > 4 * _MOST_TOKENS:
            yield f"{chunk.breadcrumb} has {len(chunk.embedding_text)} characters"


def collapsed_children(file: Read) -> Iterator[str]:
    counts: dict[str, int] = {}
    for line in file.lines:
        counts[line.strip()] = counts.get(line.strip(), 0) + 1
    for chunk in file.chunks:
        if not chunk.child_chunk_ids:
            if chunk.embedding_text != chunk.full_source:
                yield f"{chunk.breadcrumb} is a leaf that is not whole"
            continue
        shown, at = {line.strip() for line in chunk.embedding_text.splitlines()}, 0
        for child in sorted((file.by_id[child] for child in chunk.child_chunk_ids), key=lambda child: child.start_line):
            stub = child.signature.rstrip("; ") + ";"
            at = chunk.embedding_text.find(stub, at)
            if at < 0:
                yield f"{chunk.breadcrumb} lacks the stub {stub!r}"
                break
            at += len(stub)
            body = file.lines[child.declaration_line : child.end_line - 1]
            for line in body:
                if counts[line.strip()] == 1 and len(line.strip()) > 3 and line.strip() in shown:
                    yield f"{chunk.breadcrumb} shows a line of {child.name}: {line!r}"
                    break


def breadcrumbs(file: Read) -> Iterator[str]:
    for symbol in file.symbols:
        names, above = [symbol.name], symbol
        while above.parent_id is not None:
            above = file.by_id[above.parent_id]
            names.append(above.name)
        if symbol.breadcrumb != " > ".join([file.path, *reversed(names)]):
            yield f"{symbol.breadcrumb} should end in {names}"


def identities(file: Read) -> Iterator[str]:
    if len(file.by_id) < len(file.symbols):
        yield "two symbols have one id"
    if {symbol.id for symbol in file.symbols if symbol.is_chunk} != set(file.chunk_by_id):
        yield "chunks and symbols disagree"


def root_isolation(file: Read) -> Iterator[str]:
    for symbol in file.roots:
        if not symbol.is_chunk:
            yield f"{symbol.breadcrumb} is a root without a chunk"


def relevant_imports(file: Read) -> Iterator[str]:
    statements = {symbol.signature: symbol for symbol in file.symbols if symbol.kind == "import"}
    for chunk in file.chunks:
        for text in chunk.relevant_imports:
            if text not in statements:
                yield f"{chunk.breadcrumb} has an import that the file has not: {text!r}"
            elif not any(re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", chunk.full_source) for name in local_names(text)):
                yield f"{chunk.breadcrumb} uses nothing of {text!r}"


def local_names(statement: str) -> list[str]:
    """Everything in an import statement that could be a name it brings."""
    return re.findall(r"[\w$]+", re.sub(r"(['\"]).*?\1", "", statement))


def source_order(file: Read) -> Iterator[str]:
    """Siblings are numbered from 0 in the order of the source, and all have names and lines that agree."""
    siblings: dict[str | None, list[Symbol]] = {}
    for symbol in file.symbols:
        siblings.setdefault(symbol.parent_id, []).append(symbol)
        if not symbol.name or not symbol.start_line <= symbol.declaration_line <= symbol.name_line <= symbol.end_line:
            places = (symbol.start_line, symbol.declaration_line, symbol.name_line, symbol.end_line)
            yield f"{symbol.breadcrumb} has places {places}"
    for group in siblings.values():
        ordered = sorted(group, key=lambda symbol: symbol.position)
        if [symbol.position for symbol in ordered] != list(range(len(group))):
            yield f"the positions below {group[0].breadcrumb} have gaps"
        for one, other in pairwise(ordered):
            if other.start_line < one.start_line:
                yield f"{other.breadcrumb} comes behind {one.breadcrumb}"


RULES: list[Callable[[Read], Iterator[str]]] = [
    full_coverage,
    no_overlap,
    source_fidelity,
    hierarchy,
    token_limit,
    collapsed_children,
    breadcrumbs,
    identities,
    root_isolation,
    relevant_imports,
    source_order,
]
each_rule = pytest.mark.parametrize("rule", RULES, ids=[rule.__name__ for rule in RULES])


def violations(file: Read) -> list[str]:
    return [f"{rule.__name__}: {broken}" for rule in RULES for broken in rule(file)]


# -------------------------------------------------------------------- fixtures


@pytest.fixture(scope="module")
def fixtures() -> dict[str, Read]:
    return read(SOURCES)


@each_rule
@pytest.mark.parametrize("name", SOURCES)
def test_fixture(name: str, rule: Callable[[Read], Iterator[str]], fixtures: dict[str, Read]) -> None:
    assert list(rule(fixtures[name])) == []


def outline(file: Read) -> list[tuple[str, str, str]]:
    """What of a file's symbols is independent of their lines."""
    return [(symbol.id, symbol.breadcrumb, symbol.signature) for symbol in file.symbols]


def places(file: Read, shift: int) -> list[tuple[str, int, int]]:
    return [(symbol.id, symbol.start_line + shift, symbol.end_line + shift) for symbol in file.symbols]


def test_two_runs_agree(fixtures: dict[str, Read]) -> None:
    again = read(SOURCES)
    assert {name: (file.symbols, [chunk.embedding_text for chunk in file.chunks]) for name, file in fixtures.items()} == {
        name: (file.symbols, [chunk.embedding_text for chunk in file.chunks]) for name, file in again.items()
    }


def test_lines_above_change_no_id(fixtures: dict[str, Read]) -> None:
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
def test_the_form_of_the_text_changes_nothing(variant: Callable[[bytes], bytes], fixtures: dict[str, Read]) -> None:
    for name, file in read({name: variant(data) for name, data in SOURCES.items()}).items():
        assert violations(file) == []
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
    ]

    def fill(shape: str, comment: str, prefix: str, name: str, text: str) -> str:
        return shape.format(c=comment, p=prefix, e="export " if "export" in prefix else "", n=name, b=text)

    return st.builds(fill, st.sampled_from(shapes), COMMENTS, PREFIXES, NAMES, body)


SOURCE = st.lists(st.recursive(LEAVES, blocks, max_leaves=8), max_size=6).flatmap(
    lambda statements: st.sampled_from(["\n", "\n\n", "\r\n", "; "]).map(lambda between: between.join(statements))
)


@settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(SOURCE)
def test_generated(text: str) -> None:
    sources = {"a.ts": text.encode(), "b.jsx": text.encode(), "c.ts": b"\n\n" + text.encode()}
    files = read(sources)
    for file in files.values():
        assert violations(file) == []
    first, below = ([symbol.breadcrumb[5:] for symbol in files[path].symbols] for path in ("a.ts", "c.ts"))
    assert first == below
