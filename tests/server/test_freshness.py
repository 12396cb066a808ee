"""Which files count as changed, and what a touch costs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from astrolabe.ingest.files.discovery import discover
from astrolabe.schema.manifest import FileStamp
from astrolabe.schema.settings import Settings
from astrolabe.server.indexing.freshness import (
    CLOCK_STEP,
    COARSE_STEP,
    Freshness,
    TouchedTimes,
    compare,
    content_hash,
    settled_time,
)

OLD = 1_600_000_000_000_000_000
FUTURE = 4_000_000_000_000_000_000


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("a.ts", "b.ts", "c.ts"):
        (tmp_path / name).write_text(f"export const {name[0]} = 1\n")
        os.utime(tmp_path / name, ns=(OLD, OLD))
    return tmp_path


def stamps(root: Path) -> list[FileStamp]:
    return [
        FileStamp(file.relative_path, file.changed, file.size, content_hash(root / file.relative_path))
        for file in discover(root, Settings()).files
    ]


def differences(root: Path, known: list[FileStamp], later: dict[str, int] | None = None) -> Freshness:
    return compare(root, discover(root, Settings()).files, known, later or {})


def rewrite(path: Path, text: str, mtime: int) -> None:
    path.write_text(text)
    os.utime(path, ns=(mtime, mtime))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda root: None, Freshness()),
        (lambda root: (root / "d.ts").write_text("1"), Freshness(added=("d.ts",))),
        (lambda root: (root / "b.ts").unlink(), Freshness(removed=("b.ts",))),
        (lambda root: (root / "b.ts").rename(root / "z.ts"), Freshness(added=("z.ts",), removed=("b.ts",))),
        (lambda root: rewrite(root / "a.ts", "export const a = 2\n", OLD + 1), Freshness(changed=("a.ts",))),
        (lambda root: rewrite(root / "a.ts", "export const a = 22\n", OLD), Freshness(changed=("a.ts",))),
        (lambda root: rewrite(root / "a.ts", "export const b = 1\n", OLD), Freshness(changed=("a.ts",))),
        (lambda root: rewrite(root / "a.ts", "export const b = 1\n", OLD - 5), Freshness(changed=("a.ts",))),
        (lambda root: rewrite(root / "a.ts", "export const b = 1\n", FUTURE), Freshness(changed=("a.ts",))),
        (lambda root: rewrite(root / "a.ts", "export const a = 1\n", FUTURE), Freshness(touched=(("a.ts", FUTURE),))),
    ],
    ids=[
        *("nothing", "added", "removed", "renamed", "changed", "changed with its old time"),
        *("changed with its old time and size", "changed in the past", "changed in the future", "touched in the future"),
    ],
)
def test_compare(project: Path, change: Callable[[Path], object], expected: Freshness) -> None:
    known = stamps(project)
    change(project)
    found = differences(project, known)
    assert found == expected
    assert found.is_fresh == (not found.stale_files)


def test_a_recorded_touch_is_not_looked_at_again(project: Path) -> None:
    known = stamps(project)
    os.utime(project / "a.ts", ns=(OLD, OLD + 7))
    [(path, changed)] = differences(project, known).touched
    assert path == "a.ts"
    assert differences(project, known, {"a.ts": changed}) == Freshness()


@pytest.mark.parametrize("mtime", [OLD - 9, FUTURE], ids=["past", "future"])
def test_a_touched_file_is_seen_whatever_its_time_says(project: Path, mtime: int) -> None:
    known = stamps(project)
    os.utime(project / "c.ts", ns=(OLD, mtime))
    found = differences(project, known)
    assert (found.is_fresh, [path for path, _ in found.touched]) == (True, ["c.ts"])


def test_an_unreadable_file_that_becomes_readable_has_changed(project: Path) -> None:
    known = [FileStamp(stamp.relative_path, stamp.mtime, stamp.size, "") for stamp in stamps(project)]
    assert differences(project, known).changed == ("a.ts", "b.ts", "c.ts")


def test_a_file_that_changed_while_it_was_seen_is_read_again() -> None:
    seen = OLD + 100 * COARSE_STEP + 7
    assert settled_time(OLD, seen) == OLD
    assert settled_time(seen - CLOCK_STEP // 2, seen) == 0
    assert settled_time(seen + 1, seen) == 0


def test_a_file_system_that_keeps_seconds_is_given_two_of_them() -> None:
    assert settled_time(OLD, OLD + COARSE_STEP // 2) == 0
    assert settled_time(OLD + 1, OLD + COARSE_STEP // 2) == OLD + 1


def test_times_of_a_wrong_clock_are_believed() -> None:
    assert settled_time(FUTURE, OLD) == FUTURE


def test_touched_times_belong_to_one_generation(tmp_path: Path) -> None:
    times = TouchedTimes(tmp_path)
    assert times.read(1) == {}
    times.add(1, [("a.ts", 5)])
    times.add(1, [("b.ts", 6)])
    assert times.read(1) == {"a.ts": 5, "b.ts": 6}
    assert times.read(2) == {}
    times.add(2, [("c.ts", 7)])
    assert times.read(2) == {"c.ts": 7}


@pytest.mark.parametrize("damage", [b"", b"{", b'{"generation": "x", "times": {}}', b"\xff\xfe"])
def test_a_damaged_overlay_only_costs_hashing(tmp_path: Path, damage: bytes) -> None:
    times = TouchedTimes(tmp_path)
    times.add(1, [("a.ts", 5)])
    (tmp_path / "touched.json").write_bytes(damage)
    assert times.read(1) == {}
