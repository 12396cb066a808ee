"""Generations: publishing, reading while others publish, and what a crash at each step leaves behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.generations.generations import FORMAT_VERSION, Generation, GenerationStore
from astrolabe.schema.errors import IndexCorrupt, IndexTooNew, StoreError
from astrolabe.schema.graph_content import GraphContent
from astrolabe.schema.manifest import Manifest

from tests.written_graph import write_graph


@pytest.fixture
def store(tmp_path: Path) -> GenerationStore:
    return GenerationStore(tmp_path / ".astrolabe")


@pytest.fixture
def publish(store: GenerationStore, graph_path: Path, manifest: Manifest) -> Callable[[], Generation]:
    """Publishes a copy of the small project's graph."""

    def publish() -> Generation:
        staging = store.begin()
        shutil.copy(graph_path, staging.graph_path)
        staging.write_links(b"links")
        return staging.publish(manifest)

    return publish


def folders(store: GenerationStore) -> set[str]:
    return {path.name for path in store.generations_dir.iterdir()}


def test_nothing_is_published_before_the_first_generation(store: GenerationStore) -> None:
    assert store.current() is None
    store.begin()
    assert store.current() is None
    assert (store.data_dir / ".gitignore").read_text() == "*\n"


def test_a_published_generation_is_current_and_complete(
    store: GenerationStore, publish: Callable[[], Generation], manifest: Manifest
) -> None:
    published = publish()
    with store.current() or pytest.fail("nothing published") as current:
        assert (current.number, published.number) == (1, 1)
        size = current.graph_path.stat().st_size
        assert current.manifest.checks.keys() == {"graph.kuzu", "links.bin"}
        assert current.links() == b"links"
        assert msgspec.structs.replace(current.manifest, checks={}) == msgspec.structs.replace(
            manifest, generation=1, graph_bytes=size
        )
        with GraphDatabase.open(current.graph_path) as graph:
            assert graph.rows("MATCH (f:File) RETURN count(*)") == [(6,)]
    assert folders(store) == {"1"}
    assert {path.name for path in current.folder.iterdir()} == {"graph.kuzu", "links.bin", "manifest.json"}


def test_a_manifest_is_read_once_and_again_when_its_file_was_changed(
    store: GenerationStore, publish: Callable[[], Generation]
) -> None:
    publish().release()
    with store.current() as first, store.current() as again:
        assert first.manifest is again.manifest
    publish().release()
    with store.current() as newer:
        assert (newer.number, newer.manifest.generation) == (2, 2)
    path = newer.folder / "manifest.json"
    path.write_text(path.read_text().replace('"generation":2', '"generation":7'))
    os.utime(path, ns=(1, 1))
    with store.current() as changed:
        assert changed.manifest.generation == 7
    path.write_text("{")
    with pytest.raises(IndexCorrupt):
        store.current()


def test_numbers_rise_and_old_generations_go_when_nobody_holds_them(
    store: GenerationStore, publish: Callable[[], Generation]
) -> None:
    publish().release()
    held = store.current()
    publish().release()
    publish().release()
    assert store.current_number() == 3
    assert store.collect() == [2]
    assert folders(store) == {"1", "3"}
    assert held is not None
    held.release()
    assert store.collect() == [1]
    assert store.collect() == []
    assert store.current_number() == 3


def test_a_writer_holds_what_it_published(store: GenerationStore, publish: Callable[[], Generation]) -> None:
    published = publish()
    publish().release()
    assert store.collect() == []
    published.release()
    assert store.collect() == [1]


def test_a_forgotten_generation_is_released_with_its_object(store: GenerationStore, publish: Callable[[], Generation]) -> None:
    publish()
    publish()
    assert store.collect() == [1]


def test_a_reader_keeps_its_generation_while_another_process_publishes_and_collects(
    store: GenerationStore, publish: Callable[[], Generation]
) -> None:
    publish().release()
    reader = _reading_process(store)
    assert reader.stdout is not None
    assert reader.stdin is not None
    assert reader.stdout.readline() == "1 6\n"
    publish().release()
    assert store.collect() == []
    reader.stdin.write("again\n")
    reader.stdin.flush()
    # The same process still answers from its generation, and then moves to the newer one.
    assert reader.stdout.readline() == "1 6\n"
    assert reader.stdout.readline() == "2 6\n"
    reader.kill()  # A dead reader holds nothing.
    reader.wait()
    assert store.collect() == [1]


def _reading_process(store: GenerationStore) -> subprocess.Popen[str]:
    program = f"""
import sys
from pathlib import Path
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.generations.generations import GenerationStore
store = GenerationStore(Path({str(store.data_dir)!r}))
def answer(generation, graph):
    print(generation.number, graph.rows("MATCH (f:File) RETURN count(*)")[0][0], flush=True)
generation = store.current()
graph = GraphDatabase.open(generation.graph_path)
answer(generation, graph)
sys.stdin.readline()
answer(generation, graph)
newer = store.current()
answer(newer, GraphDatabase.open(newer.graph_path))
sys.stdin.readline()
"""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=store.data_dir
    )


def _crash_without_graph(store: GenerationStore, staging_folder: Path, graph_path: Path) -> None:
    """The folder was made, nothing else."""


def _crash_with_half_a_graph(store: GenerationStore, staging_folder: Path, graph_path: Path) -> None:
    (staging_folder / "graph.kuzu").write_bytes(graph_path.read_bytes()[:5000])
    (staging_folder / "graph.kuzu.wal").write_bytes(b"half")


def _crash_before_manifest(store: GenerationStore, staging_folder: Path, graph_path: Path) -> None:
    shutil.copy(graph_path, staging_folder / "graph.kuzu")


def _crash_within_manifest(store: GenerationStore, staging_folder: Path, graph_path: Path) -> None:
    shutil.copy(graph_path, staging_folder / "graph.kuzu")
    (staging_folder / "manifest.json").write_text('{"format_ver')


def _crash_before_current(store: GenerationStore, staging_folder: Path, graph_path: Path) -> None:
    shutil.copytree(store.generations_dir / "1", staging_folder, dirs_exist_ok=True)
    (store.data_dir / "CURRENT.4711").write_text("2")


def _crash_while_removing(store: GenerationStore, staging_folder: Path, graph_path: Path) -> None:
    staging_folder.rename(staging_folder.with_name("2.discarded"))


@pytest.mark.parametrize(
    "crash",
    [
        _crash_without_graph,
        _crash_with_half_a_graph,
        _crash_before_manifest,
        _crash_within_manifest,
        _crash_before_current,
        _crash_while_removing,
    ],
)
def test_a_crash_leaves_the_last_generation_whole_and_the_next_writer_clears_up(
    store: GenerationStore,
    publish: Callable[[], Generation],
    graph_path: Path,
    crash: Callable[[GenerationStore, Path, Path], None],
) -> None:
    publish().release()
    staging = store.begin()
    crash(store, staging.folder, graph_path)
    current = store.current()
    assert current is not None
    assert current.number == 1
    store.collect()
    assert folders(store) == {"1"}
    assert {path.name for path in store.data_dir.iterdir()} == {".gitignore", "CURRENT", "generations"}
    assert publish().number == store.current_number()


def test_a_writer_killed_while_loading_leaves_the_last_generation_whole(
    store: GenerationStore, publish: Callable[[], Generation], content: GraphContent, tmp_path: Path
) -> None:
    publish().release()
    stored = tmp_path / "content.json"
    stored.write_bytes(msgspec.json.encode(content))
    program = f"""
import os
from pathlib import Path
import msgspec
from astrolabe.graphdb import engine
from astrolabe.graphdb.writing.bulk_load import GraphFile
from astrolabe.graphdb.generations.generations import GenerationStore
from astrolabe.schema.graph_content import GraphContent
content = msgspec.json.decode(Path({str(stored)!r}).read_bytes(), type=GraphContent)
staging = GenerationStore(Path({str(store.data_dir)!r})).begin()
execute = engine.execute
def announce(connection, statement, parameters):
    if statement.startswith("COPY CALLS "):
        print("loading", flush=True)
        os.kill(os.getpid(), {int(signal.SIGKILL)})
    return execute(connection, statement, parameters)
engine.execute = announce
GraphFile(staging.graph_path, engine.KUZU).load(content)
"""
    killed = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, "loading\n")
    assert folders(store) == {"1", "2"}
    current = store.current()
    assert current is not None
    with GraphDatabase.open(current.graph_path) as graph:
        assert graph.rows("MATCH (s:Symbol) RETURN count(*)") == [(51,)]
    assert store.collect() == [2]
    assert publish().number == 2


def test_an_abandoned_generation_leaves_nothing(store: GenerationStore) -> None:
    staging = store.begin()
    staging.graph_path.write_bytes(b"half")
    staging.abandon()
    assert folders(store) == set()


def test_publishing_needs_a_finished_graph(store: GenerationStore, content: GraphContent, manifest: Manifest) -> None:
    staging = store.begin()
    with pytest.raises(StoreError, match="no graph file"):
        staging.publish(manifest)
    write_graph(staging.graph_path, content)
    (staging.folder / "graph.kuzu.wal").write_bytes(b"rows")
    with pytest.raises(StoreError, match=r"graph\.kuzu\.wal"):
        staging.publish(manifest)
    assert store.current() is None


def _without_graph(folder: Path) -> None:
    (folder / "graph.kuzu").unlink()


def _with_short_graph(folder: Path) -> None:
    os.truncate(folder / "graph.kuzu", 4096)


def _with_another_byte(folder: Path) -> None:
    with (folder / "graph.kuzu").open("r+b") as graph:
        graph.seek(-1, os.SEEK_END)
        graph.write(b"\x55")


def _with_empty_graph(folder: Path) -> None:
    os.truncate(folder / "graph.kuzu", 0)


def _without_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def _with_damaged_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(f'{{"format_version": {FORMAT_VERSION}, "astrolabe'.encode())


def _with_foreign_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(f'{{"format_version": {FORMAT_VERSION}}}'.encode())


def _with_binary_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"\xff\xfe\x00")


def _without_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def _with_wordy_current(folder: Path) -> None:
    (folder.parent.parent / "CURRENT").write_text("latest")


def _with_empty_current(folder: Path) -> None:
    (folder.parent.parent / "CURRENT").write_text("")


def _with_binary_current(folder: Path) -> None:
    (folder.parent.parent / "CURRENT").write_bytes(b"\xff\xfe")


@pytest.mark.parametrize(
    "damage",
    [
        _without_graph,
        _with_short_graph,
        _with_empty_graph,
        _with_another_byte,
        _without_manifest,
        _with_damaged_manifest,
        _with_foreign_manifest,
        _with_binary_manifest,
        _without_folder,
        _with_wordy_current,
        _with_empty_current,
        _with_binary_current,
    ],
)
def test_damage_is_told_and_the_next_generation_heals_it(
    store: GenerationStore, publish: Callable[[], Generation], damage: Callable[[Path], None]
) -> None:
    published = publish()
    published.release()
    damage(published.folder)
    with pytest.raises(IndexCorrupt, match="astrolabe index --full"):
        store.current()
    published = publish()
    store.collect()
    assert folders(store) == {str(published.number)}
    assert store.current() is not None


def test_a_copied_index_is_as_good(store: GenerationStore, publish: Callable[[], Generation], tmp_path: Path) -> None:
    publish().release()
    shutil.copytree(store.data_dir, tmp_path / "copy", copy_function=shutil.copyfile)  # all its times are new
    copied = GenerationStore(tmp_path / "copy").current()
    assert copied is not None
    assert copied.links() == b"links"
    assert copied.holds(copied.graph_path)


def _set_format(folder: Path, version: int) -> None:
    manifest = msgspec.json.decode((folder / "manifest.json").read_bytes())
    manifest |= {"format_version": version, "astrolabe_version": "9.1.0"}
    # A newer version may well have dropped fields that this one requires.
    del manifest["stamps"]
    (folder / "manifest.json").write_bytes(msgspec.json.encode(manifest))


def test_a_newer_format_is_refused_by_name(store: GenerationStore, publish: Callable[[], Generation]) -> None:
    _set_format(publish().folder, FORMAT_VERSION + 1)
    with pytest.raises(IndexTooNew, match=r"Astrolabe 9\.1\.0"):
        store.current()


def test_an_older_format_counts_as_no_index(store: GenerationStore, publish: Callable[[], Generation]) -> None:
    _set_format(publish().folder, FORMAT_VERSION - 1)
    assert store.current() is None


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        GenerationStore(blocked / ".astrolabe").begin()
