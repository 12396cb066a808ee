"""A file is what it was as long as its size and time say so, or its bytes do."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from astrolabe.graphdb.generations.file_checks import changed_below, check_of, checks_below, is_intact

OLD = 1_600_000_000_000_000_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file.bin"
    path.write_bytes(b"0123456789")
    os.utime(path, ns=(OLD, OLD))
    return path


def _write(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


@pytest.mark.parametrize(
    ("change", "intact"),
    [
        (lambda path: None, True),
        (_write(b"0123456789"), True),
        (lambda path: os.utime(path, ns=(OLD, OLD - 10**18)), True),
        (_write(b"012345678X"), False),
        (_write(bytes(10)), False),
        (_write(b"01234"), False),
        (_write(b"0123456789 and more"), False),
        (lambda path: path.unlink(), False),
    ],
    ids=["nothing", "written again", "an older time", "a byte", "zeros", "cut short", "longer", "gone"],
)
def test_what_counts_as_intact(file: Path, change: Callable[[Path], object], intact: bool) -> None:
    check = check_of(file)
    change(file)
    assert is_intact(file, check) == intact


def test_a_file_in_its_known_state_is_not_read_again(file: Path) -> None:
    check = check_of(file)
    file.write_bytes(b"other data")
    os.utime(file, ns=(OLD, OLD))
    assert check_of(file, check) == check
    os.utime(file, ns=(OLD, OLD + 1))
    assert check_of(file, check) != check


def test_files_that_are_gone_have_not_changed(tmp_path: Path, file: Path) -> None:
    other = tmp_path / "in" / "other.bin"
    other.parent.mkdir()
    other.write_bytes(b"other")
    checks = checks_below(tmp_path, [file, other], {})
    assert checks.keys() == {"file.bin", "in/other.bin"}
    other.unlink()
    assert changed_below(tmp_path, checks) == []
    file.write_bytes(b"X123456789")
    assert changed_below(tmp_path, checks) == ["file.bin"]
