"""`astrolabe clean` removes what nobody needs, `astrolabe watch` follows changes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import watchfiles
from astrolabe.schema.errors import WorkspaceError
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.cli import watch
from astrolabe.server.cli.watch import watch_workspace, watched_folders
from astrolabe.server.indexing.index_status import bytes_under
from astrolabe.server.indexing.indexer import IndexReport

Run = Callable[..., Any]


def test_cleaning_drops_facts_out_of_use_and_leaves_a_fresh_index(run: Run, indexed: Path) -> None:
    (indexed / "src/cart/total.js").write_text("export const changed = 1\n")
    run("index")
    before = bytes_under(indexed / ".astrolabe")
    cleaned = run("clean", "--json")
    assert (cleaned.code, cleaned.json["freed"]) == (0, before - bytes_under(indexed / ".astrolabe"))
    assert cleaned.json["freed"] > 0
    again = run("index", "--json").json
    assert (again["outcome"], again["generation"]) == ("unchanged", 2)
    assert run("clean", "--json").json == {"freed": 0}


def test_cleaning_leaves_what_a_reader_holds(run: Run, indexed: Path) -> None:
    with Workspace.locate(indexed) as reader:
        assert reader.status().generation == 1
        (indexed / "src/cart/total.js").write_text("export const changed = 1\n")
        run("index")
        assert run("clean").code == 0
        assert [folder.name for folder in sorted((indexed / ".astrolabe/generations").iterdir())] == ["1", "2"]
    run("clean")
    assert [folder.name for folder in (indexed / ".astrolabe/generations").iterdir()] == ["2"]


def test_the_whole_index_goes_and_nothing_else(run: Run, indexed: Path) -> None:
    sources = {path for path in indexed.rglob("*") if ".astrolabe" not in path.parts}
    (indexed / ".astrolabe/mine.txt").write_text("not the index's")
    removed = run("clean", "--all")
    assert (removed.code, removed.err) == (0, "")
    assert [path.name for path in (indexed / ".astrolabe").iterdir()] == ["mine.txt"]
    assert {path for path in indexed.rglob("*") if ".astrolabe" not in path.parts} == sources
    (indexed / ".astrolabe/mine.txt").unlink()
    assert run("clean", "--all").code == 0
    assert not (indexed / ".astrolabe").exists()


def test_there_is_nothing_to_clean_without_an_index(run: Run, shop: Path) -> None:
    cleaned = run("clean")
    assert cleaned.code == 1
    assert "No index has been built here yet" in cleaned.err


def test_watched_are_the_folders_where_sources_are_or_may_come(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (indexed / "docs/empty").mkdir(parents=True)
    (indexed / "node_modules/package").mkdir(parents=True)
    (indexed / "node_modules/package/index.js").write_text("module.exports = 1\n")
    with Workspace.locate(indexed) as workspace:
        names = [folder.relative_to(indexed).as_posix() for folder in watched_folders(workspace)]
        monkeypatch.setattr(watch, "MAX_FOLDERS", 6)
        few = [folder.relative_to(indexed).as_posix() for folder in watched_folders(workspace)]
    assert names == [".", "docs", "docs/empty", "src", "src/auth", "src/cart", "src/routes"]
    assert few == [".", "src", "src/auth", "src/cart", "src/routes"]


def test_a_watched_index_follows_files_and_new_folders(indexed: Path) -> None:
    told: list[IndexReport] = []
    stop, news = threading.Event(), threading.Condition()

    def tell(report: IndexReport) -> None:
        with news:
            told.append(report)
            news.notify_all()

    with Workspace.locate(indexed) as workspace:
        watching = threading.Thread(target=watch_workspace, args=(workspace, tell, print, stop))
        watching.start()
        try:
            # The watch is set up some time after the first look: each change is made again until it is seen.
            for number, name in enumerate(("src/cart/total.js", "src/later/new.ts", "src/later/deeper/newer.ts"), 1):
                (indexed / name).parent.mkdir(exist_ok=True)
                for attempt in range(60):
                    (indexed / name).write_text(f"export const attempt{attempt} = {number}\n")
                    with news:
                        if news.wait_for(lambda: name in _paths(told), timeout=1):  # noqa: B023 - called at once
                            break
                assert name in _paths(told)
        finally:
            stop.set()
            watching.join(timeout=30)
    assert not watching.is_alive()


def test_what_comes_and_goes_before_the_watch_begins_is_seen(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[list[Path]] = []

    def changed_meanwhile(workspace: Workspace) -> list[Path]:
        listed.append(watched_folders(workspace))
        if len(listed) == 1:
            return [*listed[0], indexed / "gone"]
        if len(listed) == 2:
            (indexed / "src/later").mkdir()
            (indexed / "src/later/new.ts").write_text("export const later = 1\n")
        return listed[-1]

    monkeypatch.setattr(watch, "watched_folders", changed_meanwhile)
    stop, seen = threading.Event(), threading.Event()

    def tell(report: IndexReport) -> None:
        if "src/later/new.ts" in _paths([report]):
            seen.set()

    with Workspace.locate(indexed) as workspace:
        watcher = threading.Thread(target=watch_workspace, args=(workspace, tell, print, stop))
        watcher.start()
        try:
            assert seen.wait(timeout=60)
        finally:
            stop.set()
            watcher.join(timeout=30)
    assert not watcher.is_alive()


def test_folders_that_cannot_be_watched_are_told(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*folders: Path, **_: object) -> None:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", refuse)
    with Workspace.locate(indexed) as workspace, pytest.raises(WorkspaceError) as refusal:
        watch_workspace(workspace, print, print)
    assert str(refusal.value).startswith(f"The 5 folders of {indexed} cannot be watched: OS file watch limit reached. ")


def _paths(told: list[IndexReport]) -> set[str]:
    """Files that an index told of holds and the one before did not, or as other contents."""
    start = {"src/auth/verify.ts", "src/auth/tokenService.ts", "src/routes/login.ts"}
    return {stamp.relative_path for report in told for stamp in report.generation.manifest.stamps} - start


def test_watching_ends_with_an_interrupt(indexed: Path) -> None:
    command = [sys.executable, "-P", "-m", "astrolabe", "watch", "--root", str(indexed)]
    watcher = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    )
    assert watcher.stderr is not None
    assert watcher.stderr.readline().startswith("Watching ")
    os.killpg(watcher.pid, signal.SIGINT)
    _, rest = watcher.communicate(timeout=30)
    assert (watcher.returncode, rest) == (130, "")
