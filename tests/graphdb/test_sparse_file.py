"""Blocks of zeros given back to the file system: the file reads as before, and takes less room where holes are known."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from astrolabe.graphdb.generations.sparse_file import BLOCK, release_zeros, room_of

#: Bytes that are no zeros, by the size of the file.
FILES = {
    "empty": (0, []),
    "less than a block": (100, [7]),
    "no zeros between": (2 * BLOCK, [0, BLOCK]),
    "zeros first": (3 * BLOCK, [2 * BLOCK + 5]),
    "zeros last": (3 * BLOCK, [0]),
    "all zeros": (5 * BLOCK, []),
    "a piece of a block behind": (3 * BLOCK + 17, [1, 3 * BLOCK + 3]),
    "across windows": (1030 * BLOCK, [1022 * BLOCK, 1027 * BLOCK]),
}


@pytest.mark.parametrize(("size", "used"), FILES.values(), ids=FILES)
def test_a_file_reads_as_before_and_takes_no_more_room(tmp_path: Path, size: int, used: list[int]) -> None:
    data = bytearray(size)
    for place in used:
        data[place] = 1
    path = tmp_path / "file"
    path.write_bytes(data)
    os.sync()
    before = room_of(path.stat())
    release_zeros(path)
    assert path.read_bytes() == bytes(data)
    assert room_of(path.stat()) <= before
    assert room_of(path.stat()) <= path.stat().st_size
