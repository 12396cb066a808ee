"""Dropping the pages of mapped files: they leave the process, and come back when they are read."""

from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path

import pytest
from astrolabe.server.environment.mapped_pages import LibraryPages, MappedPages

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what is mapped")

SIZE = 4 << 20


def resident(path: Path) -> int:
    """Bytes of a mapped file that are in this process."""
    lines = iter(Path("/proc/self/smaps").read_text().splitlines())
    for line in lines:
        if line.endswith(str(path)):
            return next(int(field.split()[1]) << 10 for field in lines if field.startswith("Rss:"))
    raise AssertionError(f"{path} is not mapped")


@pytest.fixture
def mapped(tmp_path: Path) -> tuple[Path, mmap.mmap]:
    path = tmp_path / "rows with spaces"
    path.write_bytes(bytes(range(256)) * (SIZE // 256))
    with path.open("rb") as file:
        return path, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def test_pages_are_dropped_and_read_again(mapped: tuple[Path, mmap.mmap]) -> None:
    path, memory = mapped
    assert sum(memory[::4096]) == 0
    assert resident(path) == SIZE
    pages = MappedPages()
    pages.note()
    pages.drop()
    assert resident(path) == 0
    assert memory[255] == 255
    assert memory[:] == path.read_bytes()


def test_what_was_mapped_after_the_note_stays(mapped: tuple[Path, mmap.mmap]) -> None:
    path, memory = mapped
    pages = MappedPages()
    pages.drop()
    assert sum(memory[::4096]) == 0
    pages.drop()
    assert resident(path) == SIZE


def test_pages_that_this_process_wrote_stay(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_bytes(bytes(SIZE))
    with path.open("rb") as file:
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    memory[0] = 7
    pages = MappedPages()
    pages.note()
    pages.drop()
    assert memory[0] == 7


def test_the_pages_of_a_file_are_dropped_by_its_name(mapped: tuple[Path, mmap.mmap], tmp_path: Path) -> None:
    path, memory = mapped
    other = tmp_path / "rows"
    other.write_bytes(bytes(SIZE))
    with other.open("rb") as file:
        kept = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    assert sum(memory[::4096]) + sum(kept[::4096]) == 0
    LibraryPages("rows with").drop()
    assert resident(path) == 0
    assert resident(other) == SIZE
    assert memory[255] == 255


def test_engines_work_on_after_their_code_was_dropped() -> None:
    program = """
import importlib.util, kuzu, numpy, pyarrow, pyarrow.compute, re2, msgspec
from astrolabe.server.environment.mapped_pages import MappedPages

def work():
    total = numpy.ones((50, 50)) @ numpy.ones((50, 50))
    table = pyarrow.table({"a": [1, 2, 3]})
    with kuzu.Database(":memory:", max_db_size=1 << 30) as database, kuzu.Connection(database) as connection:
        rows = connection.execute("UNWIND [1, 2, 3] AS x RETURN sum(x)").get_next()
    return total.sum(), pyarrow.compute.sum(table["a"]).as_py(), rows, re2.search("b+", "abbb").span()

before = work()
pages = MappedPages()
for _ in range(3):
    pages.note()
    pages.drop()
    assert work() == before
"""
    subprocess.run([sys.executable, "-P", "-c", program], check=True)
