"""Worker processes: messages and errors of both sides, and what becomes of a side when the other one is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import pytest
from astrolabe.schema.errors import AstrolabeError, DiskFull, IndexCorrupt, QueryFailed
from astrolabe.schema.process.fork_between_imports import fork_between_imports
from astrolabe.schema.process.serving import Caller
from astrolabe.schema.process.worker import Worker, fork_worker, start_worker

#: A worker that does what a message says, and sends back any other message.
SERVANT = """
import os, sys, time
from astrolabe.schema.errors import AstrolabeError, DiskFull, IndexCorrupt, QueryFailed
from astrolabe.schema.process.serving import Caller, serve

class UnknownToOthers(AstrolabeError):
    pass

def work(caller: Caller) -> None:
    print("what libraries print is no answer")
    while True:
        message = caller.receive()
        if message == b"fail":
            caller.fail(QueryFailed("The query failed."))
        elif message == b"fail with a hint":
            caller.fail(IndexCorrupt("The graph is damaged."))
        elif message == b"raise":
            raise DiskFull("The disk is full.")
        elif message == b"raise unknown":
            raise UnknownToOthers("It is unknown.")
        elif message == b"crash":
            raise ValueError("a fault of ours")
        elif message == b"sleep":
            time.sleep(600)
        elif message == b"return":
            return
        elif message == b"who":
            caller.send(repr((sys.argv[1:], os.getsid(0) == os.getpid(), "" in sys.path, os.getcwd() in sys.path)).encode())
        elif message == b"modules":
            caller.send(" ".join(sys.modules).encode())
        else:
            caller.send(message)

if __name__ == "__main__":
    serve(work)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "servant.py").write_text(SERVANT)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep))
    return "servant"


@pytest.fixture
def worker(module: str) -> Iterator[Worker]:
    worker = start_worker(module, "one", "two")
    yield worker
    worker.end()


def ended(pid: int) -> bool:
    """Whether a process ends within ten seconds. One that nobody has waited for counts as ended."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
        if not listed.strip() or listed.startswith("Z"):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("size", [1, 16_383, 16_385, 1 << 20, 30 << 20])
def test_messages_of_any_size_come_back(worker: Worker, size: int) -> None:
    message = os.urandom(size)
    worker.send(message)
    assert worker.receive(60) == message


def test_a_caller_never_waits_for_the_work_on_an_earlier_message(worker: Worker) -> None:
    worker.send(b"sleep")
    for _ in range(20):
        worker.send(bytes(1 << 20))


def test_a_worker_has_a_session_of_its_own_and_imports_nothing_from_the_working_directory(worker: Worker) -> None:
    worker.send(b"who")
    assert worker.receive(60) == repr((["one", "two"], True, False, False)).encode()


def test_a_worker_loads_little(worker: Worker) -> None:
    worker.send(b"modules")
    loaded = set(worker.receive(60).decode().split())
    assert not loaded & {"astrolabe.schema.records", "asyncio", "kuzu", "lancedb", "logging", "numpy", "tree_sitter", "typer"}


def test_errors_arrive_as_the_same_class_and_the_worker_goes_on(worker: Worker) -> None:
    worker.send(b"fail")
    worker.send(b"next")
    with pytest.raises(QueryFailed, match=r"^The query failed\.$"):
        worker.receive(60)
    assert worker.receive(60) == b"next"


def test_the_hint_of_an_error_comes_once(worker: Worker) -> None:
    worker.send(b"fail with a hint")
    with pytest.raises(IndexCorrupt) as raised:
        worker.receive(60)
    assert str(raised.value) == "The graph is damaged. Build the index again: astrolabe index --full"


@pytest.mark.parametrize(
    ("order", "kind", "message"),
    [(b"raise", DiskFull, "The disk is full."), (b"raise unknown", AstrolabeError, "It is unknown.")],
)
def test_an_error_that_ends_the_work_arrives_before_the_end(
    worker: Worker, order: bytes, kind: type[AstrolabeError], message: str
) -> None:
    worker.send(order)
    with pytest.raises(AstrolabeError) as raised:
        worker.receive(60)
    assert (type(raised.value), str(raised.value)) == (kind, message)
    with pytest.raises(EOFError):
        worker.receive(60)
    assert worker.process.wait() == 0


def test_a_fault_is_printed_and_ends_the_worker(capfd: pytest.CaptureFixture[str], module: str) -> None:
    worker = start_worker(module)
    worker.send(b"crash")
    with pytest.raises(EOFError):
        worker.receive(60)
    assert worker.end() == 1
    assert "ValueError: a fault of ours" in capfd.readouterr().err


def test_sending_to_a_worker_that_has_died_is_no_error_and_receiving_is(worker: Worker) -> None:
    worker.send(b"sleep")
    worker.kill()
    worker.process.wait()
    worker.send(bytes(1 << 20))
    with pytest.raises(EOFError):
        worker.receive()
    assert worker.end() == worker.end() == -signal.SIGKILL


def test_a_worker_that_is_late_is_killed(worker: Worker) -> None:
    worker.send(b"sleep")
    with pytest.raises(TimeoutError):
        worker.receive(0.2)
    assert worker.process.wait() == -signal.SIGKILL


def test_another_thread_may_end_the_wait_for_an_answer(worker: Worker) -> None:
    worker.send(b"sleep")
    threading.Timer(0.3, worker.kill).start()
    with pytest.raises(EOFError):
        worker.receive()


def test_messages_survive_that_a_worker_is_stopped_and_continued(worker: Worker) -> None:
    message = os.urandom(20 << 20)
    pause = threading.Thread(target=pause_often, args=(worker.process.pid,))
    pause.start()
    for _ in range(5):
        worker.send(message)
        assert worker.receive(60) == message
    pause.join()


def pause_often(pid: int) -> None:
    for _ in range(20):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.005)
        os.kill(pid, signal.SIGCONT)
        time.sleep(0.005)


#: Starts a worker, and a copy of itself where the platform has them, prints their ids, and waits for its death.
CALLER = """
import sys, time
from astrolabe.schema.process.worker import fork_worker, start_worker

worker = start_worker("servant")
worker.send(b"hello")
worker.receive()
worker.send(sys.argv[1].encode())
pids = [worker.process.pid]
if sys.platform == "linux":
    pids.append(fork_worker(lambda caller: time.sleep(600)).process.pid)
print(*pids, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("state", ["idle", "sleep"])
def test_workers_end_when_their_caller_is_killed(module: str, state: str) -> None:
    caller = subprocess.Popen([sys.executable, "-c", CALLER, state], stdout=subprocess.PIPE, text=True)
    assert caller.stdout is not None
    pids = [int(pid) for pid in caller.stdout.readline().split()]
    caller.kill()
    caller.communicate()
    assert pids
    assert [pid for pid in pids if not ended(pid)] == []


@pytest.mark.skipif(sys.platform != "linux", reason="copies are made where there is a safe fork")
def test_a_copy_has_the_memory_of_its_caller_and_only_the_files_it_needs() -> None:
    kept, closed = os.pipe()

    def work(caller: Caller) -> None:
        still_open = [descriptor for descriptor in (kept, closed) if Path(f"/proc/self/fd/{descriptor}").exists()]
        caller.send(repr((caller.receive(), still_open == [kept], os.getsid(0) == os.getpid())).encode())

    worker = fork_worker(work, kept)
    worker.send(b"hello")
    assert worker.receive(60) == repr((b"hello", True, True)).encode()
    assert worker.end() in (0, -signal.SIGKILL)
    assert worker.end() in (0, -signal.SIGKILL)
    os.close(kept)
    os.close(closed)


def test_a_copy_can_import_what_another_thread_was_importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.5)\nready = b'ready'\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    def work(caller: Caller) -> None:
        import slow_to_import

        caller.send(slow_to_import.ready)

    importing = threading.Thread(target=__import__, args=("slow_to_import",))
    importing.start()
    time.sleep(0.1)
    worker = fork_worker(work)
    importing.join()
    try:
        assert worker.receive(timeout=20) == b"ready"
    finally:
        worker.end()
        sys.modules.pop("slow_to_import", None)


def test_an_import_that_never_ends_does_not_hold_up_copies_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endless_import.py").write_text("import builtins\nbuiltins.release_import.wait()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    release = threading.Event()
    monkeypatch.setattr("builtins.release_import", release, raising=False)
    importing = threading.Thread(target=__import__, args=("endless_import",))
    importing.start()
    time.sleep(0.1)
    try:
        pid = fork_between_imports(patience=0.2)
        if pid == 0:
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    finally:
        release.set()
        importing.join()
        sys.modules.pop("endless_import", None)


@pytest.mark.skipif(sys.platform != "linux", reason="copies are made where there is a safe fork")
def test_a_copy_does_not_wait_for_a_property_that_another_thread_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    computing, release, caller_id = threading.Event(), threading.Event(), os.getpid()

    class Slow:
        @cached_property
        def value(self) -> bytes:
            if os.getpid() == caller_id:
                computing.set()
                release.wait()
            return b"computed"

    monkeypatch.setattr("astrolabe.schema.process.worker.Slow", Slow, raising=False)
    thread = threading.Thread(target=lambda: Slow().value)
    thread.start()
    computing.wait()
    worker = fork_worker(lambda caller: caller.send(Slow().value))
    try:
        assert worker.receive(timeout=20) == b"computed"
    finally:
        worker.end()
        release.set()
        thread.join()


CAN_FORK = """
import sys, threading
from astrolabe.schema.process.import_blocker import be_lean
from astrolabe.schema.process.worker import can_fork
{}
sys.exit(0 if can_fork() else 3)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no forks")
@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("be_lean()", 0),
        ("be_lean(); be_lean()", 0),
        ("", 3),  # a program of a user
        ("be_lean(); threading.Thread(target=threading.Event().wait, daemon=True).start()", 3),
    ],
)
def test_only_a_process_of_astrolabe_alone_without_threads_is_copied_in_place_of_workers(state: str, expected: int) -> None:
    assert subprocess.run([sys.executable, "-P", "-c", CAN_FORK.format(state)], check=False).returncode == expected
