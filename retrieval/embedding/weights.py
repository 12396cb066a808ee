"""The file that holds the static model: one header, then arrays, mapped into memory rather than read.

    magic (8 bytes) | length of the header (uint32) | CRC-32 of all that follows (uint32) | header: JSON | padding
    rows: int8 (words + buckets, dimensions) | row scales: float32 | chunk weights: float32 | query weights: float32 |
    words: UTF-8, one a line

All numbers are little-endian. The rows stand first and aligned, so that they can be mapped.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...schema.errors import ProviderError

_MAGIC = b"ASTROEM1"
_PREFIX = struct.Struct("<8sII")
_ALIGNMENT = 64

Floats = NDArray[np.float32]


class _Header(msgspec.Struct, frozen=True):
    model: str
    dimensions: int
    words: int
    buckets: int
    field_weights: list[float]
    field_powers: list[float]


@dataclass(frozen=True, slots=True)
class Weights:
    """A static model: a quantised row per word and per n-gram bucket, and how much each word and field weighs."""

    #: Name and version.
    model: str
    words: list[str]
    #: int8, shape (words + buckets, dimensions); times `scales` it is the word's vector.
    rows: NDArray[np.int8]
    #: float32, one a row.
    scales: Floats
    #: Weight of a word in a chunk and in a query; the last is that of unknown words.
    chunk_weights: Floats
    query_weights: Floats
    #: Weight of each of the chunk fields, and the power of its words' total weight that it is divided by.
    field_weights: Floats
    field_powers: Floats

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.rows.shape[1])

    @property
    def buckets(self) -> int:
        """Rows that n-grams of unknown words share."""
        return len(self.rows) - len(self.words)


def quantised(vectors: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Rows as int8, and the scale of each: the largest component becomes 127."""
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-12).astype(np.float32) / np.float32(127)
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


def write_weights(path: Path, weights: Weights) -> None:
    """Write the file. The same weights give the same bytes."""
    header = msgspec.json.encode(
        _Header(
            weights.model,
            weights.dimensions,
            len(weights.words),
            weights.buckets,
            [float(value) for value in weights.field_weights],
            [float(value) for value in weights.field_powers],
        )
    )
    header += b" " * (-(len(header) + _PREFIX.size) % _ALIGNMENT)
    numbers = (weights.scales, weights.chunk_weights, weights.query_weights)
    parts = [
        header,
        weights.rows.tobytes(),
        *(array.astype("<f4").tobytes() for array in numbers),
        "\n".join(weights.words).encode(),
    ]
    content = b"".join(parts)
    path.write_bytes(_PREFIX.pack(_MAGIC, len(header), zlib.crc32(content)) + content)


def read_weights(path: Path) -> Weights:
    """Map the file. Raises ProviderError when it is missing, damaged or of another format."""
    try:
        # As a plain array: each slice of a memmap object costs a call into Python.
        data = np.asarray(np.memmap(path, np.uint8, "r"))
    except (OSError, ValueError) as error:
        raise ProviderError(f"The embedding model cannot be read: {path} ({error}). Install Astrolabe again.") from error
    if len(data) < _PREFIX.size:
        raise _damaged(path)
    magic, header_size, checksum = _PREFIX.unpack(data[: _PREFIX.size].tobytes())
    if magic != _MAGIC or zlib.crc32(data[_PREFIX.size :].data) != checksum:
        raise _damaged(path)
    header = msgspec.json.decode(data[_PREFIX.size : _PREFIX.size + header_size].tobytes(), type=_Header)
    count = header.words + header.buckets
    position = _PREFIX.size + header_size
    rows = data[position : position + count * header.dimensions].view(np.int8).reshape(count, header.dimensions)
    position += rows.size
    numbers = []
    for length in (count, header.words + 1, header.words + 1):
        numbers.append(data[position : position + 4 * length].view("<f4"))
        position += 4 * length
    words = data[position:].tobytes().decode().split("\n")
    fields = (np.array(header.field_weights, np.float32), np.array(header.field_powers, np.float32))
    return Weights(header.model, words, rows, numbers[0], numbers[1], numbers[2], *fields)


def _damaged(path: Path) -> ProviderError:
    return ProviderError(f"The embedding model is damaged: {path}. Install Astrolabe again.")
