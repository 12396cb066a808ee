"""Turns texts into vectors with the small transformer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..embedder import Vectors
from ..embedding.vector_cache import VectorCache
from .minilm_weights import model_folder, read_safetensors

DIMENSIONS = 384
#: Tokens that are read of a text. The model was trained on texts of this length.
_LONGEST = 128
_HEADS, _BATCH, _PADDING = 12, 8, 0
#: Vectors that are kept, at most, before they are begun anew.
_MOST_KEPT = 200_000


class SentenceEncoder:
    """One transformer in memory. Vectors of texts that it met are kept in a file."""

    def __init__(self, folder: Path) -> None:
        """`folder` keeps the int8 model and the vectors. Raises ProviderError where the extra is not installed."""
        weights = model_folder()
        import onnxruntime
        from tokenizers import Tokenizer

        folder.mkdir(parents=True, exist_ok=True)
        model = folder / "all-minilm-l6-v2-int8.onnx"
        if not model.exists():
            _convert(weights / "model.safetensors", model)
        self._tokenizer: Any = Tokenizer.from_file(str(weights / "tokenizer.json"))
        self._tokenizer.enable_truncation(_LONGEST)
        self._tokenizer.enable_padding(pad_id=_PADDING)
        self._session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
        vectors = folder / "vectors.bin"
        record = VectorCache.in_memory(DIMENSIONS).record_bytes
        if vectors.exists() and vectors.stat().st_size > _MOST_KEPT * record:
            vectors.unlink()
        self._cache = VectorCache.open(vectors, DIMENSIONS)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Array of shape (len(texts), DIMENSIONS), rows of unit length."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._cache]
        # Texts of like length share a batch: padding costs as much as words.
        missing.sort(key=len)
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            self._cache.add(batch, self._run(batch))
        return self._cache.get(texts)

    def encode_query(self, text: str) -> Vectors:
        """Array of shape (DIMENSIONS,). Questions are not kept."""
        return np.asarray(self._run([text])[0])

    def _run(self, texts: Sequence[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([one.ids for one in encoded], np.int64)
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        (vectors,) = self._session.run(["vectors"], {"input_ids": ids, "attention_mask": mask})
        return np.asarray(vectors, np.float32)


def user_folder() -> Path:
    """The user's cache folder for the transformer, by the XDG base directory specification."""
    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(root) / "astrolabe" / "transformer"


def _convert(weights: Path, target: Path) -> None:
    from .onnx_export import write_encoder

    # Under a name of its own first: another process may want the model now.
    draft = target.with_suffix(f".{os.getpid()}")
    write_encoder(read_safetensors(weights), _HEADS, draft)
    draft.replace(target)
