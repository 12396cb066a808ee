"""The file of the static model: a header and arrays, which are mapped into memory.

    magic (8 bytes) | length of the header (uint32) | CRC-32 of all that follows (uint32) | header: JSON | padding
    rows: int8 (words + buckets, dimensions) | row scales: float32 | chunk weights: float32 | query weights: float32 |
    words: UTF-8, one a line

All numbers are little-endian. The rows come first and are aligned.
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
#: Largest component of a quantized row. With 63 instead of 127, compression of the wheel saves 1.3 MB more, and the cosine of
#: a row and its vector is still 0.9999.
MAX_COMPONENT = 63

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
    """A static model: a quantized row for each word and each bucket of n-grams, and the weights of words and fields."""

    #: Name and version.
    model: str
    words: list[str]
    #: Shape (words + buckets, dimensions); a row times its scale is the vector of the word.
    rows: NDArray[np.int8]
    #: Shape (words + buckets,).
    scales: Floats
    #: Weight of each word in a chunk, and at the end the weight of unknown words; shape (words + 1,).
    chunk_weights: Floats
    #: Weight of each word in a query, and at the end the weight of unknown words; shape (words + 1,).
    query_weights: Floats
    #: Weight of each chunk field.
    field_weights: Floats
    #: Exponent for each field. The weight of the field is divided by this power of the total weight of its words.
    field_powers: Floats

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.rows.shape[1])

    @property
    def buckets(self) -> int:
        """Number of rows that n-grams of unknown words share."""
        return len(self.rows) - len(self.words)


def quantised(vectors: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Return the vectors as rows of int8, whose largest component is `MAX_COMPONENT`, and the scale of each row."""
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-12).astype(np.float32) / np.float32(MAX_COMPONENT)
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


def write_weights(path: Path, weights: Weights) -> None:
    """Write the file. Equal weights produce equal bytes."""
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
    """Map the file. Raises ProviderError if the file is missing, damaged or of another format."""
    try:
        # A plain array avoids a call into Python for each slice of a memmap object.
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
