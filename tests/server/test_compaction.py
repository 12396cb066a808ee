"""A process that lives on merges the log of changes behind its answers: same content, and nobody waits or is misled for it."""

from __future__ import annotations

import gc
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from astrolabe.graphdb.generations.generations import Generation, GenerationStore
from astrolabe.graphdb.symbols.symbol_table import SymbolTable
from astrolabe.retrieval.search import SearchEngine
from astrolabe.retrieval.vectors.chunk_table import ChunkTable
from astrolabe.schema.errors import DiskFull, StoreError
from astrolabe.schema.manifest import LoggedChanges
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.indexing import compaction
from astrolabe.server.indexing.store_messages import GraphWritten, Renewal
from astrolabe.server.indexing.store_process import StoreProcess
from incremental_report.__main__ import check
from incremental_report.dump import dump_index

#: Seconds that a test waits for what happens behind answers.
PATIENCE = 60.0


def wait_for(happens: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.01)


def edit(root: Path, number: int) -> None:
    path = root / "src/auth/verify.ts"
    path.write_text(f"// {number}\n{path.read_text()}")


class Server:
    """A workspace as a server has it, which merges every log soon."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.warnings: list[str] = []
        self.workspace = Workspace.locate(root, notify=self.warnings.append)
        self.workspace.keep_compact(self.workspace.warm_up)
        self.store = GenerationStore(self.workspace.data_dir)

    def change(self, number: int) -> int:
        """The generation that answers after a change."""
        edit(self.root, number)
        state = self.workspace.search("how is a token checked").index
        assert (state.fresh, state.notices) == (True, ())
        return state.generation

    def live(self) -> Generation:
        generation = self.store.current()
        assert generation is not None
        return generation

    def is_merged(self) -> bool:
        return self.live().manifest.log_bytes == 0

    def left_apart(self) -> list[Path]:
        return list(self.store.generations_dir.glob("apart-*"))

    def differences(self) -> list[str]:
        return check(self.root, self.workspace.data_dir, self.root.parent / "fresh")


@pytest.fixture
def server(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(compaction, "MIN_LOG", 1)
    monkeypatch.setattr(compaction, "MIN_FILES", 1)
    monkeypatch.setattr(compaction, "QUIET", 0.02)
    monkeypatch.setattr(compaction, "PAUSE", 0.0)
    server = Server(shop)
    server.workspace.search("how is a token checked")
    yield server
    server.workspace.close()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    held = Held(monkeypatch)
    yield held
    held.let_go.set()


class Held:
    """The writing of graphs begins, and goes no further before it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.let_go = threading.Event(), threading.Event()
        send = StoreProcess.send

        def hold(process: StoreProcess[GraphWritten], value: Any) -> None:
            if isinstance(value, Renewal) and value.replaced == LoggedChanges():
                self.begun.set()
                assert self.let_go.wait(PATIENCE)
            send(process, value)

        monkeypatch.setattr(StoreProcess, "send", hold)


def test_the_log_is_merged_behind_the_answers(server: Server) -> None:
    changed = server.change(1)
    before = dump_index(server.workspace.data_dir)
    wait_for(server.is_merged)
    assert server.live().number > changed
    assert server.live().manifest.logged == LoggedChanges()
    assert dump_index(server.workspace.data_dir) == before
    wait_for(lambda: server.store.numbers() == [server.live().number])
    server.change(2)
    report = server.workspace.report
    assert report is not None
    assert (report.rebuilt_because, report.work.parsed, report.work.resolved) == ("", 1, 1)
    assert report.generation.manifest.logged.rewritten == ["src/auth/verify.ts"]
    assert server.differences() == []
    wait_for(server.is_merged)
    assert server.differences() == []
    assert server.warnings == []


def test_a_log_of_few_files_is_left_alone(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for least in ("MIN_FILES", "MIN_LOG"):
        monkeypatch.setattr(compaction, least, 1 << 20)
        changed = server.change(len(least))
        time.sleep(0.2)
        assert server.live().number == changed
        monkeypatch.setattr(compaction, least, 1)


def test_a_change_does_not_wait_for_it(server: Server, held: Held) -> None:
    server.change(1)
    assert held.begun.wait(PATIENCE)
    held.begun.clear()
    server.change(2)
    assert not server.is_merged()
    held.let_go.set()
    wait_for(server.is_merged)
    wait_for(lambda: server.left_apart() == [])
    assert server.differences() == []
    assert server.warnings == []


def test_what_another_process_publishes_meanwhile_stays(server: Server, held: Held) -> None:
    server.change(1)
    assert held.begun.wait(PATIENCE)
    edit(server.root, 2)
    with Workspace.locate(server.root) as other:
        published = other.index().generation.number
    held.let_go.set()
    time.sleep(0.2)
    server.workspace.close()  # waits for its end
    assert server.live().number == published
    assert server.store.numbers()[-1] == published
    assert server.left_apart() == []
    assert server.warnings == []


def test_other_numbers_of_rows_are_not_published(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    written = StoreProcess.written
    monkeypatch.setattr(StoreProcess, "written", lambda process: GraphWritten({**written(process).counts, "CALLS": 0}))
    changed = server.change(1)
    wait_for(lambda: server.warnings)
    [warning] = server.warnings
    assert warning.endswith("The graph without its log has other numbers of rows of CALLS.")
    assert server.live().number == changed
    assert server.store.numbers()[-1] == changed
    assert server.left_apart() == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("failure", [StoreError("the engine ended"), DiskFull("no room"), OSError("no such luck")])
def test_a_failure_is_told_once(server: Server, monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    def fail(process: StoreProcess[GraphWritten]) -> GraphWritten:
        raise failure

    monkeypatch.setattr(StoreProcess, "written", fail)
    server.change(1)
    wait_for(lambda: server.warnings)
    assert server.warnings == [f"The log of changes could not be merged, so they will take longer and longer: {failure}"]
    changed = server.change(2)
    time.sleep(0.2)
    assert len(server.warnings) == 1
    assert server.store.numbers()[-1] == changed


def test_closing_ends_it(server: Server, held: Held) -> None:
    changed = server.change(1)
    assert held.begun.wait(PATIENCE)
    threading.Timer(0.1, held.let_go.set).start()
    server.workspace.close()
    assert server.store.numbers()[-1] == changed
    assert server.left_apart() == []
    assert not [thread for thread in threading.enumerate() if thread.name == "compaction"]
    assert server.warnings == []


def test_a_change_while_it_is_published_waits_for_that(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    publish, publishing = compaction.Compaction.publish, threading.Event()

    def publish_slowly(attempt: compaction.Compaction) -> Generation:
        publishing.set()
        time.sleep(0.3)
        return publish(attempt)

    monkeypatch.setattr(compaction.Compaction, "publish", publish_slowly)
    server.change(1)
    assert publishing.wait(PATIENCE)
    server.change(2)  # fresh, and without a word of another process
    report = server.workspace.report
    assert report is not None
    assert report.generation.manifest.logged.rewritten == ["src/auth/verify.ts"]
    assert server.differences() == []


def test_who_publishes_a_generation_compacts_it(server: Server, held: Held) -> None:
    with Workspace.locate(server.root) as other:
        other.index()
        server.change(1)
        assert held.begun.wait(PATIENCE)
        edit(server.root, 2)
        published = other.index().generation
        held.begun.clear()
        held.let_go.set()
        time.sleep(0.3)
    assert not held.begun.is_set()
    assert server.live().name == published.name


def test_another_writer_leaves_alone_what_is_being_written(server: Server, held: Held) -> None:
    server.change(1)
    assert held.begun.wait(PATIENCE)
    crashed = server.store.generations_dir / "apart-crashed"
    crashed.mkdir()
    (crashed / "graph.kuzu").write_bytes(b"half")
    with Workspace.locate(server.root) as other:
        other.clean()
    assert server.left_apart() != []
    assert not crashed.exists()
    held.let_go.set()
    wait_for(server.is_merged)
    assert server.differences() == []


def test_an_index_that_goes_meanwhile_is_no_failure(server: Server, held: Held) -> None:
    server.change(1)
    assert held.begun.wait(PATIENCE)
    shutil.rmtree(server.workspace.data_dir)
    held.let_go.set()
    time.sleep(0.3)
    assert server.workspace.search("how is a token checked").index.fresh
    server.change(2)
    wait_for(server.is_merged)
    assert server.warnings == []


def read_of_generations() -> list[object]:
    return [thing for thing in gc.get_objects() if isinstance(thing, SearchEngine | SymbolTable | ChunkTable)]


@pytest.mark.long
def test_what_was_read_of_earlier_generations_goes_without_the_collector(server: Server) -> None:
    gc.collect()
    gc.disable()
    try:
        before = {id(thing): thing for thing in read_of_generations()}
        for number in range(4):
            server.change(number)
            wait_for(server.is_merged)
            wait_for(lambda: server.store.numbers() == [server.live().number])
        alive = [thing for thing in read_of_generations() if id(thing) not in before]
    finally:
        gc.enable()
    assert len(alive) <= 6  # those that answer, and those of the generation before
