"""One writer at a time, in two real processes: readers answer from the last generation and say so."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from astrolabe.schema.errors import IndexLocked
from astrolabe.server.indexing.writer_lock import writer_lock

Run = Callable[..., Any]

HOLDER = """
import sys
from pathlib import Path
from astrolabe.server.indexing.writer_lock import writer_lock
with writer_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_elsewhere(data_dir: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process holds the writer's lock."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", HOLDER, str(data_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield holder
        finally:
            holder.kill()


def change(root: Path) -> None:
    (root / "src" / "refund.ts").write_text("export function refundOrder() { return 1 }\n")


def test_a_second_writer_is_refused(run: Run, indexed: Path) -> None:
    change(indexed)
    with held_elsewhere(indexed / ".astrolabe"):
        for command in (["index"], ["index", "--full"]):
            failed = run(*command)
            assert (failed.code, failed.out) == (1, "")
            assert "Another process is updating the index" in failed.err
            assert "try again" in failed.err


def test_an_unchanged_index_needs_no_lock(run: Run, indexed: Path) -> None:
    with held_elsewhere(indexed / ".astrolabe"):
        assert run("index", "--json").json["outcome"] == "unchanged"
        (indexed / "src" / "routes" / "login.ts").touch()
        assert run("index", "--json").json["outcome"] == "unchanged"


def test_readers_answer_from_the_last_generation_and_say_so(run: Run, indexed: Path) -> None:
    change(indexed)
    with held_elsewhere(indexed / ".astrolabe"):
        found = run("search", "symbol = handleLogin", "--json").json
        rows = run("cypher", "MATCH (f:File) RETURN count(*)", "--json")
        status = run("status", "--json").json
    notice = "Another process is updating the index: this answer is from generation 1; 1 changed file is not in it yet."
    assert found["text"][0].startswith(f'{notice}\n\nSearch: "symbol = handleLogin"')
    assert found["index"] == {"generation": 1, "fresh": False, "notices": [notice]}
    assert found["results"][0]["name"] == "handleLogin"
    assert (rows.json["rows"], rows.err.strip()) == ([[4]], notice)
    assert status["staleFiles"] == ["src/refund.ts"]
    assert run("search", "symbol = refundOrder", "--json").json["index"] == {"generation": 2, "fresh": True}


def test_a_dead_writer_frees_its_lock(run: Run, indexed: Path) -> None:
    change(indexed)
    with held_elsewhere(indexed / ".astrolabe") as holder:
        holder.kill()
        holder.wait()
        assert run("index", "--json").json["generation"] == 2


def test_the_first_index_of_another_process_is_waited_for(run: Run, shop: Path) -> None:
    with held_elsewhere(shop / ".astrolabe") as holder:
        threading.Timer(0.5, holder.kill).start()
        assert run("search", "symbol = handleLogin", "--json").json["index"]["generation"] == 1


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    entered, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with writer_lock(tmp_path):
            entered.set()
            leave.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    assert entered.wait(10)
    with pytest.raises(IndexLocked), writer_lock(tmp_path):
        pass
    threading.Timer(0.2, leave.set).start()
    began = time.monotonic()
    with writer_lock(tmp_path, patience=10):
        assert time.monotonic() - began >= 0.1
    holder.join()
