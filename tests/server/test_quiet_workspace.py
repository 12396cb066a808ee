"""A workspace in which nothing changed is not scanned again, and nothing that a scan would find is missed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment import folder_events
from astrolabe.server.environment.folder_events import FolderEvents
from astrolabe.server.indexing.workspace_scan import WorkspaceScanner
from git_commands import git
from written_workspace import write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="folders are watched on Linux")

SHOP = """
//- package.json
{"name": "shop"}
//- .gitignore
generated/
//- src/cart.ts
import { price } from './price'
export const total = () => price() * 2
//- src/price.ts
export const price = () => 1
//- src/deep/er/tax.ts
export const tax = () => 3
//- generated/client.ts
export const client = 1
//- build/readme.txt
Only output.
"""


@pytest.fixture(autouse=True)
def _watchable(tmp_path: Path) -> None:
    """Skip the tests where folders of tests cannot be watched, for example on a network drive."""
    events = FolderEvents()
    events.watch([str(tmp_path)])
    can_watch = events.works
    events.close()
    if not can_watch:
        pytest.skip("the folder of the test cannot be watched")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    write(root, SHOP)
    git(root, "init")
    return root


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[WorkspaceScanner]:
    """The scanners that scanned, one for each scan."""
    found: list[WorkspaceScanner] = []
    scan = WorkspaceScanner.scan

    def counted(self: WorkspaceScanner, *arguments: object) -> object:
        found.append(self)
        return scan(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(WorkspaceScanner, "scan", counted)
    return found


@pytest.fixture
def watched(shop: Path) -> Iterator[Workspace]:
    """A workspace whose next question needs no scan."""
    with Workspace.locate(shop) as workspace:
        for _ in range(3):
            workspace.refresh()
        yield workspace


def files(workspace: Workspace) -> object:
    """Return the paths and the contents of the indexed files."""
    return workspace.cypher("MATCH (f:File) RETURN f.relativePath, f.contentHash ORDER BY f.relativePath").rows


def test_a_question_after_two_scans_needs_no_scan(shop: Path, scans: list[WorkspaceScanner]) -> None:
    with Workspace.locate(shop) as workspace:
        for _ in range(5):
            workspace.refresh()
    assert len(scans) == 2  # the first one builds the index, and the second one watches


CHANGES: dict[str, Callable[[Path], object]] = {
    "a changed file": lambda root: (root / "src/price.ts").write_text("export const price = () => 7\n"),
    "a file that is replaced": lambda root: _replace(root / "src/price.ts", "export const price = () => 8\n"),
    "a new file": lambda root: (root / "src/deep/er/new.ts").write_text("export const fresh = 1\n"),
    "a new folder": lambda root: write(root, "//- extra/inner/new.ts\nexport const fresh = 1\n"),
    "a removed file": lambda root: (root / "src/deep/er/tax.ts").unlink(),
    "a removed folder": lambda root: shutil.rmtree(root / "src/deep"),
    "a renamed folder": lambda root: (root / "src/deep").rename(root / "src/shallow"),
    "ignore rules": lambda root: (root / ".gitignore").write_text("src/deep/\n"),
    "a tracked file in an ignored folder": lambda root: git(root, "add", "-f", "generated/client.ts"),
    "a first source in a folder of output": lambda root: (root / "build/tool.ts").write_text("export const tool = 1\n"),
    "a first ignore file of Git's own folder": lambda root: (root / ".git/info/exclude").write_text("src/deep/\n"),
}


def _replace(path: Path, text: str) -> None:
    draft = path.with_suffix(".tmp")
    draft.write_text(text)
    os.replace(draft, path)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_no_change_is_missed(watched: Workspace, change: Callable[[Path], object]) -> None:
    before = files(watched)
    change(watched.root)
    found = files(watched)
    assert found != before
    with Workspace.locate(watched.root, watched.root.parent / "another index") as fresh:
        assert found == files(fresh)


def test_a_first_ignore_file_of_git_counts_without_a_template(shop: Path) -> None:
    shutil.rmtree(shop / ".git/info", ignore_errors=True)
    (shop / ".git/info").mkdir()
    with Workspace.locate(shop) as workspace:
        for _ in range(3):
            workspace.refresh()
        (shop / ".git/info/exclude").write_text("src/deep/\n")
        assert "tax.ts" not in str(files(workspace))


def test_the_target_of_a_linked_configuration_counts(shop: Path, scans: list[WorkspaceScanner]) -> None:
    write(shop, '//- vendor/shared/base.json\n{"compilerOptions": {}}\n')
    (shop / ".gitignore").write_text("vendor/\n")
    (shop / "base.json").symlink_to("vendor/shared/base.json")
    (shop / "tsconfig.json").write_text('{"extends": "./base.json"}')
    with Workspace.locate(shop) as workspace:
        for _ in range(4):
            workspace.refresh()
        before = len(scans)
        assert before < 4
        (shop / "vendor/shared/base.json").write_text('{"compilerOptions": {"baseUrl": "src"}}')
        workspace.refresh()
        assert len(scans) > before
        assert workspace.report is not None
        assert workspace.report.outcome == "built"


def test_files_that_git_tracks_during_a_scan_count(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan, count = WorkspaceScanner.scan, 0

    def scanned(self: WorkspaceScanner, *arguments: object) -> object:
        nonlocal count
        count += 1
        found = scan(self, *arguments)  # type: ignore[arg-type]
        if count == 2:
            git(shop, "add", "-f", "generated/client.ts")
        return found

    monkeypatch.setattr(WorkspaceScanner, "scan", scanned)
    with Workspace.locate(shop) as workspace:
        for _ in range(2):
            workspace.refresh()
        assert "client.ts" in str(files(workspace))


def test_a_folder_around_the_workspace_may_be_moved(shop: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    root = outer / "shop"
    shop.rename(root)
    with Workspace.locate(root, tmp_path / "index") as workspace:
        for _ in range(3):
            workspace.refresh()
        outer.rename(tmp_path / "old")
        shutil.copytree(tmp_path / "old", outer)
        (root / "src/price.ts").unlink()
        assert "price.ts" not in str(files(workspace))


def test_a_forked_process_takes_no_events(tmp_path: Path) -> None:
    events = FolderEvents()
    events.watch([str(tmp_path)])
    events.take()
    (tmp_path / "file").touch()
    process = os.fork()
    if not process:
        told = events.take()
        os._exit(0 if told and not events.take() else 1)
    assert os.waitpid(process, 0)[1] == 0
    assert events.take()
    events.close()


def test_installed_packages_count(watched: Workspace, scans: list[WorkspaceScanner]) -> None:
    write(watched.root, '//- node_modules/.package-lock.json\n{"packages": {}}\n')
    watched.refresh()
    assert watched.report is not None
    assert watched.report.outcome == "built"
    for _ in range(3):
        watched.refresh()
    before = len(scans)
    (watched.root / "node_modules/.package-lock.json").write_text('{"packages": {"a": {}}}')
    watched.refresh()
    assert len(scans) > before


def test_another_process_may_publish(watched: Workspace, scans: list[WorkspaceScanner]) -> None:
    with Workspace.locate(watched.root) as other:
        other.reindex()
    before = len(scans)
    watched.refresh()
    assert len(scans) > before
    assert watched.report is not None
    assert watched.report.generation.number == watched.current_generation()


def test_a_removed_index_is_built_again(watched: Workspace) -> None:
    before = files(watched)
    shutil.rmtree(watched.data_dir)
    assert files(watched) == before


def test_too_many_events_are_a_change(tmp_path: Path) -> None:
    events = FolderEvents()
    assert not events.watch([str(tmp_path)])
    assert events.watch([str(tmp_path)])
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 100_000:
        pytest.skip("the queue of this system is too long for a test")
    with (tmp_path / "a").open("wb", 0) as first, (tmp_path / "b").open("wb", 0) as second:
        for _ in range(limit // 2 + 10):  # the kernel merges equal events that follow each other
            first.write(b"a")
            second.write(b"b")
    assert events.take()
    assert not events.watch([str(tmp_path)])  # the folders are watched anew
    assert not events.take()
    (tmp_path / "c").touch()
    assert events.take()
    assert not events.take()
    events.close()


def test_folders_are_no_longer_watched(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    events = FolderEvents()
    events.watch([str(tmp_path / "one"), str(tmp_path / "two"), str(tmp_path / "missing")])
    events.watch([str(tmp_path / "two")])
    events.take()
    (tmp_path / "one/file").touch()
    assert not events.take()
    (tmp_path / "two/file").touch()
    assert events.take()
    events.close()
    assert events.take()


def test_a_network_file_system_is_not_watched(shop: Path, scans: list[WorkspaceScanner], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_events, "_LOCAL", frozenset())
    with Workspace.locate(shop) as workspace:
        for _ in range(5):
            workspace.refresh()
    assert len(scans) == 5


def test_descriptors_are_returned(shop: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with Workspace.locate(shop) as workspace:
            for _ in range(3):
                workspace.refresh()
    assert len(os.listdir("/proc/self/fd")) <= before + 2
