"""The log of the tools that agents called."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import anyio
import pytest
from astrolabe.server.environment.settings_file import set_setting
from astrolabe.server.mcp.call_log import CALL_LOG, EARLIER_CALL_LOG, MAX_BYTES, MAX_LINE, CallLog, logged_calls
from mcp import Client

from tests.server.conftest import Run
from tests.server.test_mcp_server import server_of


def converse(root: Path) -> None:
    async def session() -> None:
        with anyio.fail_after(60):
            async with Client(server_of(root)) as client:
                await client.call_tool("codebase_search", {"query": "where are tokens validated"})
                await client.call_tool("cypher", {"query": "MATCH (n) DELETE n"})

    anyio.run(session)


def test_calls_are_logged_with_their_outcome(indexed: Path, run: Run) -> None:
    converse(indexed)
    failed, found = logged_calls(indexed / ".astrolabe")
    assert (found.tool, found.arguments, found.error) == ("codebase_search", {"query": "where are tokens validated"}, "")
    assert found.tokens > 50
    assert (failed.tool, failed.tokens) == ("cypher", 0)
    assert "DELETE is not allowed" in failed.error
    assert found.process == failed.process > 0
    assert run("calls", "--root", str(indexed), "--json", "--limit", "1").json[0]["tool"] == "cypher"
    assert "where are tokens validated" in run("calls", "--root", str(indexed)).out
    assert run("calls", "--root", str(indexed), "--limit", "0").code == 2


def test_the_log_can_be_switched_off(indexed: Path, run: Run) -> None:
    set_setting(indexed, "call_log", False)
    converse(indexed)
    assert not (indexed / ".astrolabe" / CALL_LOG).exists()
    assert "No agent has called a tool yet" in run("calls", "--root", str(indexed)).out


def test_a_full_log_is_put_aside_once(tmp_path: Path) -> None:
    log = CallLog(tmp_path)
    for number in range(3 * MAX_BYTES // 10_000):
        log.write("cypher", {"query": "x" * 10_000}, number)
    sizes = [(tmp_path / name).stat().st_size for name in (CALL_LOG, EARLIER_CALL_LOG)]
    assert max(sizes) <= MAX_BYTES + MAX_LINE
    times = [call.milliseconds for call in logged_calls(tmp_path)]
    assert times == sorted(times, reverse=True)


def test_long_arguments_are_left_out(tmp_path: Path) -> None:
    CallLog(tmp_path).write("cypher", {"query": "x" * MAX_LINE}, 1)
    (call,) = logged_calls(tmp_path)
    assert (call.tool, call.arguments) == ("cypher", None)


def test_servers_write_at_once(tmp_path: Path) -> None:
    def write(name: str) -> None:
        log = CallLog(tmp_path)
        for number in range(50):
            log.write(name, {"number": number, "text": "y" * 2_000}, 1)

    threads = [Thread(target=write, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(logged_calls(tmp_path)) == 150


def test_a_damaged_line_is_passed_over(tmp_path: Path) -> None:
    log = CallLog(tmp_path)
    log.write("first", {}, 1)
    with (tmp_path / CALL_LOG).open("ab") as file:
        file.write(b'{"at": "2026\n')
    log.write("last", {}, 1)
    assert [call.tool for call in logged_calls(tmp_path)] == ["last", "first"]


def test_what_cannot_be_written_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / CALL_LOG).mkdir()
    log = CallLog(tmp_path)
    log.write("cypher", {}, 1)
    log.write("cypher", {}, 1)
    assert [record.message[:30] for record in caplog.records] == ["Calls of tools are not logged:"]


def test_a_log_makes_no_folder(tmp_path: Path) -> None:
    CallLog(tmp_path / ".astrolabe").write("cypher", {}, 1)
    assert not (tmp_path / ".astrolabe").exists()
