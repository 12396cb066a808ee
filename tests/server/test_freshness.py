"""Which files count as changed, and what a touch costs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from astrolabe.ingest.discovery import discover
from astrolabe.schema.records import FileStamp
from astrolabe.schema.settings import Settings
from astrolabe.server.freshness import CLOCK_STEP, Freshness, TouchedTimes, compare, content_hash, settled_time

OLD = 1_600_000_000_000_000_000


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("a.ts", "b.ts", "c.ts"):
        (tmp_path / name).write_text(f"export const {name[0]} = 1\n")
        os.utime(tmp_path / name, ns=(OLD, OLD))
    return tmp_path


def stamps(root: Path) -> list[FileStamp]:
    return [
        FileStamp(file.relative_path, file.mtime, file.size, content_hash(root / file.relative_path))
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
        (lambda root: os.utime(root / "c.ts", ns=(OLD, OLD + 5)), Freshness(touched=(("c.ts", OLD + 5),))),
        (lambda root: os.utime(root / "c.ts", ns=(OLD, OLD - 5)), Freshness(touched=(("c.ts", OLD - 5),))),
    ],
    ids=["nothing", "added", "removed", "renamed", "changed", "changed with its old time", "touched", "touched to the past"],
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
    assert differences(project, known, {"a.ts": OLD + 7}) == Freshness()


def test_an_unreadable_file_that_becomes_readable_has_changed(project: Path) -> None:
    known = [FileStamp(stamp.relative_path, stamp.mtime, stamp.size, "") for stamp in stamps(project)]
    assert differences(project, known).changed == ("a.ts", "b.ts", "c.ts")


def test_a_file_that_changed_while_it_was_seen_is_read_again() -> None:
    seen = OLD + 100 * CLOCK_STEP
    assert settled_time(OLD, seen) == OLD
    assert settled_time(seen - CLOCK_STEP // 2, seen) == 0
    assert settled_time(seen + 1, seen) == 0


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
