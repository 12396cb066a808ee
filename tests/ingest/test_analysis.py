"""Everything an analysis finds of a small workspace: the same on every run, and no file lost, whatever it holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from astrolabe.ingest import pipeline
from astrolabe.ingest.files.discovery import Discovery, discover
from astrolabe.ingest.pipeline import analyse
from astrolabe.schema.graph_content import GraphContent, GraphPart, joined
from astrolabe.schema.records import Chunk, FileContent, FileRecord, Problem
from astrolabe.schema.settings import Settings

WORKSPACE = {
    "package.json": '{ "name": "shop", "dependencies": { "jsonwebtoken": "^9" } }',
    "src/repo.ts": "export interface Store { save(): void }\nexport class Repo implements Store { save() { log('saved') } }\n"
    "function log(text: string) { console.log(text) }\n",
    "src/index.ts": "export * from './repo'\n",
    "src/main.ts": "import { verify } from 'jsonwebtoken'\nimport { Repo } from './index'\n\nexport function main(repo: Repo) {\n"
    "  repo.save()\n  verify()\n  missing()\n}\n",
    "src/page.tsx": "import { main } from './main'\nexport const Page = () => <b onClick={() => main(null!)}>x</b>\n",
    "test/main.test.js": "const { main } = require('../src/main')\nmain()\n",
}


class Sink:
    """Keeps what an analysis hands out, and in which order."""

    def __init__(self) -> None:
        self.chunks: list[Chunk] = []
        self.texts: dict[str, bytes] = {}
        self.parts: list[GraphContent] = []
        self.calls: list[str] = []

    def add_file(self, content: FileContent) -> None:
        self.calls.append("chunks")
        self.chunks.extend(content.chunks)
        self.texts[content.relative_path] = content.text

    def end_files(self) -> None:
        self.calls.append("end")

    def add_graph(self, *parts: GraphPart) -> None:
        self.calls.append("graph")
        self.parts.append(joined(parts))


def write(root: Path, files: dict[str, str | bytes]) -> Discovery:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return discover(root, Settings())


def run(
    root: Path, discovery: Discovery, progress: Callable[[str, int, int], None] = lambda *_: None, workers: int = 1
) -> tuple[list[FileRecord], Sink]:
    sink = Sink()
    return analyse(root, discovery, Settings(workers=workers), progress, sink).records, sink


def test_two_runs_agree(tmp_path: Path) -> None:
    discovery = write(tmp_path, dict(WORKSPACE))
    (records, first), (again, second) = run(tmp_path, discovery), run(tmp_path, discovery, workers=2)
    assert records == again
    assert first.parts == second.parts
    assert sorted(first.chunks, key=lambda chunk: chunk.id) == sorted(second.chunks, key=lambda chunk: chunk.id)


def test_what_is_found(tmp_path: Path) -> None:
    records, sink = run(tmp_path, write(tmp_path, dict(WORKSPACE)))
    nodes, named, calls, _ = sink.parts
    names = {symbol.id: f"{symbol.relative_path}#{symbol.qualified_name}" for symbol in nodes.symbols}
    assert [record.relative_path for record in records] == sorted(path for path in WORKSPACE if path != "package.json")
    assert nodes.files == records
    assert nodes.repository_name == "shop"
    assert nodes.file_modules == ["."] * len(records)
    assert [record.relative_path for record in records if record.is_test] == ["test/main.test.js"]
    assert {(names[edge.from_id], names[edge.to_id], edge.lines) for edge in calls.calls} == {
        ("src/repo.ts#Repo.save", "src/repo.ts#log", (2,)),
        ("src/main.ts#main", "src/repo.ts#Repo.save", (5,)),
        ("src/page.tsx#Page", "src/main.ts#main", (2,)),
        ("test/main.test.js#main()", "src/main.ts#main", (2,)),
    }
    assert {(names[edge.from_id], edge.external_id) for edge in calls.external_calls} == {
        ("src/repo.ts#log", "lib:console.log"),
        ("src/main.ts#main", "npm:jsonwebtoken#verify"),
    }
    assert [(names[edge.from_id], edge.name, edge.reason) for edge in calls.unresolved_calls] == [
        ("src/main.ts#main", "missing", "global")
    ]
    assert {external.id for external in calls.externals} == {edge.external_id for edge in calls.external_calls}
    assert [(edge.module_id, edge.package, edge.version_range) for edge in named.dependencies] == [(".", "jsonwebtoken", "^9")]


def test_every_edge_joins_symbols_of_the_graph(tmp_path: Path) -> None:
    _, sink = run(tmp_path, write(tmp_path, dict(WORKSPACE)))
    nodes, named, calls, constructs = sink.parts
    known = {symbol.id for symbol in nodes.symbols}
    pairs = [(edge.from_id, edge.to_id) for edge in calls.calls]
    pairs += [(edge.from_id, edge.to_id) for edge in calls.references]
    overrides = [*named.overrides, *calls.overrides]
    pairs += [(edge.from_id, edge.to_id) for edge in overrides if not edge.to_external]
    pairs += [(edge.from_id, edge.to_id) for edge in constructs.type_flows]
    pairs += [(edge.from_id, edge.to_id) for edge in named.heritage if not edge.to_external]
    pairs += [(edge.symbol_id, edge.symbol_id) for edge in named.exports]
    assert pairs
    assert {end for pair in pairs for end in pair} <= known
    assert {chunk.id for chunk in sink.chunks} == {symbol.id for symbol in nodes.symbols if symbol.is_chunk}


def test_chunks_come_first_then_nodes_then_edges_of_names_and_of_calls(tmp_path: Path) -> None:
    _, sink = run(tmp_path, write(tmp_path, dict(WORKSPACE)))
    assert sink.calls == ["chunks"] * 5 + ["end", "graph", "graph", "graph", "graph"]
    assert [bool(part.symbols) for part in sink.parts] == [True, False, False, False]
    assert [bool(part.exports) for part in sink.parts] == [False, True, False, False]
    assert [bool(part.references) for part in sink.parts] == [False, False, True, False]
    assert [bool(part.calls) for part in sink.parts] == [False, False, True, False]


def test_many_symbols_come_in_parts_of_whole_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    discovery = write(tmp_path, dict(WORKSPACE))
    _, whole = run(tmp_path, discovery)
    monkeypatch.setattr(pipeline, "_MIN_SYMBOLS", 1)
    _, sink = run(tmp_path, discovery)
    parts = [part for part in sink.parts if part.symbols]
    assert len(parts) > 1
    assert [symbol for part in parts for symbol in part.symbols] == whole.parts[0].symbols
    homes = [{symbol.relative_path for symbol in part.symbols} for part in parts]
    assert sum(map(len, homes)) == len(set[str]().union(*homes))


def test_an_external_comes_once(tmp_path: Path) -> None:
    source = "export class Failure extends Error {}\nexport const fail = () => { throw new Error(String(1)) }\n"
    _, sink = run(tmp_path, write(tmp_path, {"failure.ts": source}))
    assert [[external.id for external in part.externals] for part in sink.parts] == [[], ["lib:Error"], ["lib:String"], []]
    assert {edge.external_id for edge in sink.parts[2].external_calls} == {"lib:Error", "lib:String"}


def test_progress_names_its_stages(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    run(tmp_path, write(tmp_path, dict(WORKSPACE)), lambda *stage: told.append(stage))
    assert [stage for stage in told if stage[0] == "parse"] == [("parse", n, 5) for n in range(6)]
    assert [stage for stage in told if stage[0] == "resolve"][-1] == ("resolve", 5, 5)


#: title, content, status, problems, names of the symbols.
ODD_FILES: list[tuple[str, bytes, str, list[Problem], list[str]]] = [
    ("empty", b"", "ok", [], []),
    ("blank", b"\n \n\t\n", "ok", [], []),
    ("binary", bytes(range(256)) * 8, "failed", [Problem(1, "binary content, not source text")], []),
    (
        "invalid UTF-8",
        b"const a = 1\n// caf\xe9\nconst b = 2\n",
        "recovered",
        [Problem(2, "invalid UTF-8: byte 0xe9; shown as U+FFFD")],
        ["a", "b"],
    ),
    ("NUL byte", b"const a = '\0'\n" + b"// padding\n" * 40, "recovered", [Problem(1, "NUL byte in the text")], ["a", "padding"]),
    ("UTF-16", b"\xff\xfe" + "const a = 1\n".encode("utf-16-le"), "ok", [], ["a"]),
    ("a mark", b"\xef\xbb\xbfconst a = 1\n", "ok", [], ["a"]),
]


@pytest.mark.parametrize(
    ("content", "status", "problems", "names"), [case[1:] for case in ODD_FILES], ids=[case[0] for case in ODD_FILES]
)
def test_odd_files_are_kept(tmp_path: Path, content: bytes, status: str, problems: list[Problem], names: list[str]) -> None:
    discovery = write(tmp_path, {"odd.ts": content, "user.ts": b"import './odd'\nexport const used = 1\n"})
    records, sink = run(tmp_path, discovery)
    odd = next(record for record in records if record.relative_path == "odd.ts")
    assert (odd.parse_status, list(odd.problems), odd.size) == (status, problems, len(content))
    assert [symbol.name for symbol in sink.parts[0].symbols if symbol.relative_path == "odd.ts"] == names
    assert [(edge.from_path, edge.target) for edge in sink.parts[1].imports] == [("user.ts", "odd.ts")]


#: Bytes of a file, and its text; None where it has none.
TEXTS: dict[str, tuple[bytes, bytes | None]] = {
    "empty": (b"", b""),
    "blanks alone": (b" \n\t\r\n", b" \n\t\r\n"),
    "no line end": (b"const a = 1", b"const a = 1"),
    "carriage returns": (b"const a = 1\r\nconst b = 2\rconst c = 3\r\n", b"const a = 1\r\nconst b = 2\nconst c = 3\r\n"),
    "a mark": (b"\xef\xbb\xbfconst a = 1\n", b"const a = 1\n"),
    "UTF-16": (b"\xff\xfe" + "const é = 1\n".encode("utf-16-le"), "const é = 1\n".encode()),
    "invalid UTF-8": (b"// caf\xe9\n", "// caf\ufffd\n".encode()),
    "one line": (b"x = [" + b"1, " * 50_000 + b"]", b"x = [" + b"1, " * 50_000 + b"]"),
    "binary": (bytes(range(256)) * 8, None),
}


@pytest.mark.parametrize(("content", "text"), TEXTS.values(), ids=TEXTS)
def test_the_text_of_a_file_is_kept_as_it_was_decoded(tmp_path: Path, content: bytes, text: bytes | None) -> None:
    _, sink = run(tmp_path, write(tmp_path, {"odd.ts": content, "user.ts": b"export {}\n"}))
    assert sink.texts.get("odd.ts") == text


def test_broken_syntax_keeps_the_rest(tmp_path: Path) -> None:
    source = "export function before() {}\nconst broken = {{\nexport function after() { before() }\n"
    records, sink = run(tmp_path, write(tmp_path, {"a.ts": source}))
    assert records[0].parse_status == "recovered"
    assert records[0].problems
    assert "before" in {symbol.name for symbol in sink.parts[0].symbols}


@pytest.mark.parametrize("replaced_by", ["nothing", "a folder"])
def test_a_file_that_cannot_be_read_is_kept_with_the_reason(tmp_path: Path, replaced_by: str) -> None:
    discovery = write(tmp_path, dict(WORKSPACE))
    gone = tmp_path / "src/repo.ts"
    gone.unlink()
    if replaced_by == "a folder":
        gone.mkdir()
    records, sink = run(tmp_path, discovery)
    record = next(record for record in records if record.relative_path == "src/repo.ts")
    reason = "No such file or directory" if replaced_by == "nothing" else "Is a directory"
    assert (record.parse_status, record.problems) == ("failed", (Problem(1, f"cannot be read: {reason}"),))
    assert (record.content_hash, record.lines) == ("", 0)
    assert "src/repo.ts" not in sink.texts
    assert {symbol.relative_path for symbol in sink.parts[0].symbols} == set(WORKSPACE) - {"package.json", "src/repo.ts"}


def test_declarations_for_all_files_that_cannot_be_read_cost_nothing_else(tmp_path: Path) -> None:
    discovery = write(tmp_path, {"globals.d.ts": "declare const one: number\n", "user.ts": "export const two = one\n"})
    (tmp_path / "globals.d.ts").unlink()
    records, sink = run(tmp_path, discovery)
    assert {record.relative_path: record.parse_status for record in records} == {"globals.d.ts": "failed", "user.ts": "ok"}
    assert [symbol.name for symbol in sink.parts[0].symbols] == ["two"]


def test_deep_sources_are_resolved(tmp_path: Path) -> None:
    sources: dict[str, str | bytes] = {
        "calls.ts": "function f(x: any) { return x }\n" + "f(" * 2000 + "1" + ")" * 2000,
        "chain.ts": "class B { add() { return this } }\nnew B()" + ".add()" * 2000,
        "sum.ts": "export const sum = " + " + ".join(["1"] * 5000),
        "array.ts": "export const list = [" + "{ a: 1 }, " * 5000 + "]\nlist[0].a",
        "union.ts": "type U = " + " | ".join(f"'{n}'" for n in range(2000)) + "\nexport function f(u: U) { return u.trim() }",
    }
    records, sink = run(tmp_path, write(tmp_path, sources))
    assert [record.parse_status for record in records] == ["ok"] * len(sources)
    columns = {len(edge.columns) for edge in sink.parts[2].calls}
    assert 2000 in columns
