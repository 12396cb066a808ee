"""Resolution by copies of the process: the same edges as without, whatever becomes of the copies."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from astrolabe.ingest import pipeline
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.facts.operations import Op
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.languages.typescript.resolve.edges.edges import Edges
from astrolabe.ingest.pipeline import Analysis, analyse
from astrolabe.ingest.resolution.nominal_files import outline_of
from astrolabe.ingest.workers import forked_resolution
from astrolabe.schema.graph_content import GraphContent, GraphPart, joined
from astrolabe.schema.process.serving import Caller
from astrolabe.schema.records import FileContent
from astrolabe.schema.settings import Settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies are made where there is a safe fork")

#: A chain of files, each of which calls, checks and passes on what the next one declares.
FILES = {
    f"src/step{number}.ts": f"""
import {{ next{number + 1}, Shape{number + 1}, isReady{number + 1} }} from './step{number + 1}'
import {{ installed }} from 'tools'
export interface Shape{number} {{ kind: 'a{number}' | 'b'; inner: Shape{number + 1} }}
export function isReady{number}(value: unknown): value is Shape{number} {{
    return typeof value === 'object' && installed({number}).check() && isReady{number + 1}(value)
}}
export function next{number}(seed: number) {{
    const found = next{number + 1}(seed + 1)
    console.log(found)
    return [seed].map(isReady{number}).concat(missing{number}()) && found
}}
"""
    for number in range(40)
}
LAST = {
    "package.json": '{"name": "steps", "dependencies": {"tools": "1"}}',
    "src/step40.ts": """
export interface Shape40 { kind: 'z' }
export const isReady40 = (value: unknown): value is Shape40 => !!value
export const next40 = (seed: number): Shape40[] => []
""",
    "node_modules/tools/package.json": '{"name": "tools", "types": "index.d.ts"}',
    "node_modules/tools/index.d.ts": "export declare function installed(value: number): { check(): boolean }\n",
}


class Sink:
    """Keeps the graph of an analysis, and in how many pieces its parts came."""

    def __init__(self) -> None:
        self.parts: list[GraphContent] = []
        self.pieces: list[int] = []
        self.encoded = 0

    def add_file(self, content: FileContent) -> None:
        """Text and chunks, of which these tests have no use."""

    def end_files(self) -> None:
        """There are no more."""

    def add_graph(self, *parts: GraphPart) -> None:
        self.pieces.append(len(parts))
        self.encoded += sum(isinstance(part, msgspec.Raw) for part in parts)
        self.parts.append(joined(parts))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path, text in {**FILES, **LAST}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


@pytest.fixture
def small_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked_resolution, "WORTH_A_COPY", 1)


@pytest.fixture
def copies_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process leaves them time to take a share, which it would take itself while others keep both cores busy."""
    here, take = os.getpid(), forked_resolution._ShareQueue.remaining

    def patiently(line: forked_resolution._ShareQueue) -> Iterator[int]:
        if os.getpid() == here:
            time.sleep(0.5)
        return take(line)

    monkeypatch.setattr(forked_resolution._ShareQueue, "remaining", patiently)


def run(root: Path, workers: int, progress: Callable[[str, int, int], None] = lambda *_: None) -> tuple[Analysis, Sink]:
    sink = Sink()
    return analyse(root, discover(root, Settings()), Settings(workers=workers), progress, sink), sink


@pytest.mark.usefixtures("small_is_worth_it", "copies_begin")
@pytest.mark.parametrize("workers", [2, 3, 9])
def test_copies_find_what_one_process_finds_in_the_same_order(project: Path, workers: int) -> None:
    (alone, first), (together, second) = run(project, 1), run(project, workers)
    assert first.pieces == [1, 1, 1, 2]
    assert second.pieces[:2] == [1, 1]
    assert min(second.pieces[2:]) > 16
    assert second.encoded
    assert first.parts == second.parts
    assert alone == together
    assert alone.links.installed.keys() == {"node_modules/tools/index.d.ts"}
    assert len(first.parts[2].calls) == 80


def test_small_projects_are_resolved_by_one_process(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a copy was made"))
    assert run(project, 8)[1].encoded == 0


@pytest.mark.usefixtures("small_is_worth_it")
def test_no_copy_is_made_where_one_process_is_wished(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a copy was made"))
    assert run(project, 1)[1].encoded == 0


@pytest.mark.usefixtures("small_is_worth_it")
def test_progress_counts_the_files_of_all(project: Path) -> None:
    told: list[tuple[str, int, int]] = []
    run(project, 3, lambda *stage: told.append(stage))
    resolved = [done for stage, done, total in told if stage == "resolve" and total == 41]
    assert resolved == sorted(resolved)
    assert resolved[-1] == 41


def die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(*_: Any) -> None:
    raise ValueError("made to fail")


def die_after_calls(work: forked_resolution.Work, line: Any, caller: Caller) -> None:
    """What a copy does, up to its first word."""
    calls = {number: work.edges.of_calls(work.shares[number], lambda _: None) for number in line.remaining()}
    encode = msgspec.msgpack.encode
    raw = {number: msgspec.Raw(encode(part)) for number, part in calls.items()}
    caller.send(encode(forked_resolution._Calls(raw, {}, {})))
    die()


def die_with_a_share(work: forked_resolution.Work, line: Any, caller: Caller) -> None:
    """Takes a share away and dies in the middle of a word."""
    next(line.remaining())
    os.write(caller._connection.fileno(), b"\x07")
    die()


@pytest.mark.usefixtures("small_is_worth_it")
@pytest.mark.parametrize("end", [die, fail, die_after_calls, die_with_a_share])
def test_what_a_copy_leaves_undone_is_done(
    project: Path, end: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    _, alone = run(project, 1)
    monkeypatch.setattr(forked_resolution, "_resolve", end)
    _, together = run(project, 3)
    assert together.parts == alone.parts
    if end is fail:
        assert "ValueError: made to fail" in capfd.readouterr().err


@pytest.mark.usefixtures("small_is_worth_it")
def test_a_copy_that_says_nothing_is_given_up(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, alone = run(project, 1)
    monkeypatch.setattr(forked_resolution, "_resolve", lambda *_: time.sleep(600))
    monkeypatch.setattr(forked_resolution, "_TIMEOUT", 0.2)
    assert run(project, 2)[1].parts == alone.parts


@pytest.mark.usefixtures("small_is_worth_it")
def test_without_processes_to_be_had_this_one_does_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, alone = run(project, 1)

    def refuse() -> int:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", refuse)
    assert run(project, 4)[1].parts == alone.parts


@pytest.mark.usefixtures("small_is_worth_it")
def test_no_copy_outlives_an_error(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    fork = os.fork

    def noted() -> int:
        made.append(fork())
        return made[-1]

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "resolve":
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "fork", noted)
    with pytest.raises(KeyboardInterrupt):
        run(project, 3, stop)
    assert len(made) == 2
    for process in made:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


@pytest.mark.usefixtures("small_is_worth_it")
def test_a_copy_holds_no_file_of_the_process_it_was_made_from(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()

    def close_late(*_: Any) -> None:
        time.sleep(600)

    monkeypatch.setattr(forked_resolution, "_resolve", close_late)
    monkeypatch.setattr(forked_resolution, "_TIMEOUT", 1.5)
    ended: list[bytes] = []

    def see(stage: str, done: int, total: int) -> None:
        if stage == "resolve" and not ended:
            time.sleep(0.5)  # the copy has come to rest
            os.close(writing)
            ended.append(os.read(reading, 1))

    run(project, 2, see)
    os.close(reading)
    assert ended == [b""]


#: Resolves a project by copies of a process that has used LanceDB, as a server has.
RESOLVING = """
import os
import sys
import time
from pathlib import Path
import lancedb
from astrolabe.ingest.workers import forked_resolution
from astrolabe.ingest.pipeline import analyse
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.facts.operations import Op
from astrolabe.ingest.files.discovery import discover
from astrolabe.schema.settings import Settings
from tests.ingest.test_forked_resolution import Sink

root, sink = Path(sys.argv[1]), Sink()
lancedb.connect(root / "store").create_table("rows", [{"number": 1}])
forked_resolution.WORTH_A_COPY = 1
# The copies have time to take a share before this process takes all of them.
here, take = os.getpid(), forked_resolution._ShareQueue.remaining
forked_resolution._ShareQueue.remaining = lambda queue: time.sleep(os.getpid() == here) or take(queue)
analyse(root, discover(root, Settings()), Settings(workers=3), lambda *_: None, sink)
print(sink.encoded > 0)
"""


def test_libraries_that_warn_of_copies_are_not_heard(project: Path) -> None:
    run = [sys.executable, "-c", RESOLVING, str(project)]
    ran = subprocess.run(run, capture_output=True, check=True, text=True, cwd=Path(__file__).parents[2])
    assert ran.stdout == "True\n"
    assert ran.stderr == ""


@pytest.mark.faults
@pytest.mark.usefixtures("small_is_worth_it")
def test_faults_and_questions_without_an_end_are_told_of_all(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    of_calls = Edges.of_calls

    def failing(self: Edges, units: Any, progress: Any) -> GraphContent:
        engine = self._engine
        engine.faults += [f"{unit.path}: fault" for unit in units]
        return of_calls(self, units, progress)

    monkeypatch.setattr(Edges, "of_calls", failing)
    analysis, _ = run(project, 3)
    assert not analysis.links.complete
    assert "41 questions about code failed" in caplog.text


@pytest.mark.faults
def test_a_fault_costs_edges_of_one_file_only(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    whole = run(project, 1)[1].parts

    def broken(facts: FileFacts) -> FileFacts:
        outline = outline_of(facts)
        if "next3" not in [symbol.name for symbol in facts.symbols]:
            return outline
        name = next(node for node in range(0, len(outline.code) // 4, 5) if memoryview(outline.code).cast("i")[node] == Op.NAME)
        return msgspec.structs.replace(outline, calls=[*outline.calls, name])

    monkeypatch.setattr(pipeline, "outline_of", broken)
    monkeypatch.setattr(logging.getLogger("astrolabe"), "warning", lambda text, *values: told.append(text % values))
    analysis, sink = run(project, 1)
    assert not analysis.links.complete
    assert "about code failed and count as unresolved, the first in src/step3.ts: KeyError" in "".join(told)
    own = {symbol.id for symbol in whole[0].symbols if symbol.relative_path == "src/step3.ts"}
    assert [edge for edge in whole[2].references if edge.from_id in own]
    assert sink.parts[2].references == [edge for edge in whole[2].references if edge.from_id not in own]
    assert [edge for edge in sink.parts[2].calls if edge.from_id not in own] == [
        edge for edge in whole[2].calls if edge.from_id not in own
    ]


@pytest.mark.faults
def test_a_fault_in_edges_of_many_files_costs_only_these(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run(project, 1)[1].parts
    (project / "schema.sql").write_text("CREATE TABLE steps (seed int);\n")

    def failing(*_: Any) -> dict[str, GraphContent]:
        raise RecursionError("too deep")

    monkeypatch.setattr(pipeline, "data_edges", failing)
    analysis, sink = run(project, 1)
    assert not analysis.links.complete
    assert [part.calls for part in sink.parts[2:]] == [part.calls for part in whole[2:]]
