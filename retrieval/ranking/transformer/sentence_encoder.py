"""Encode texts as vectors with the small transformer."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from ...embedding.embedder import Vectors
from ...embedding.vector_cache import VectorCache
from .minilm_weights import missing_extra, model_folder
from .model_file import kept_model

#: Length of a vector.
DIMENSIONS = 384
#: Maximum number of tokens of a text that are read. The model was trained on texts of this length.
_MAX_TOKENS = 128
#: Number of attention heads of the model.
_HEADS = 12
#: Number of texts that are encoded at once.
_BATCH_SIZE = 8
#: Token that pads texts of a batch.
_PADDING_ID = 0
#: Maximum number of vectors in the cache file. A larger file is deleted when the encoder is loaded.
_MAX_CACHED = 200_000


class SentenceEncoder:
    """One transformer in memory, with a cache of vectors in a file. Threads may share an encoder."""

    def __init__(self, folder: Path) -> None:
        """`folder` stores the int8 model and the vectors. If it is not writable, each process computes them again.

        Raises ProviderError if the extra is not installed.
        """
        weights = model_folder()
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise missing_extra() from error
        self._tokenizer: Any = Tokenizer.from_file(str(weights / "tokenizer.json"))
        self._tokenizer.enable_truncation(_MAX_TOKENS)
        self._tokenizer.enable_padding(pad_id=_PADDING_ID)
        model = kept_model(weights / "model.safetensors", _HEADS, folder)
        self._session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        self._cache = _kept_vectors(folder / "vectors.bin")
        self._one_at_a_time = Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of shape (len(texts), DIMENSIONS) and unit length."""
        with self._one_at_a_time:
            missing = [text for text in dict.fromkeys(texts) if text not in self._cache]
            # Texts of similar length share a batch, because padding takes as much time as words.
            missing.sort(key=len)
            for start in range(0, len(missing), _BATCH_SIZE):
                batch = missing[start : start + _BATCH_SIZE]
                self._keep(batch, self._run(batch))
            return self._cache.get(texts)

    def encode_query(self, text: str) -> Vectors:
        """Return a vector of shape (DIMENSIONS,) and unit length. Queries are not cached."""
        return np.asarray(self._run([text])[0])

    def _keep(self, texts: Sequence[str], vectors: Vectors) -> None:
        try:
            self._cache.add(texts, vectors)
        except OSError as error:
            _note_unkept(error)
            self._cache = self._cache.apart_from_file()
            self._cache.add(texts, vectors)

    def _run(self, texts: Sequence[str]) -> Vectors:
        # The tokenizer rejects lone surrogates.
        encoded = self._tokenizer.encode_batch([text.encode("utf-8", "replace").decode() for text in texts])
        ids = np.array([one.ids for one in encoded], np.int64)
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        (vectors,) = self._session.run(["vectors"], {"input_ids": ids, "attention_mask": mask})
        return np.asarray(vectors, np.float32)


def user_folder() -> Path:
    """Return the user's cache folder for the transformer, by the XDG Base Directory Specification."""
    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(root) / "astrolabe" / "transformer"


def _kept_vectors(path: Path) -> VectorCache:
    record = VectorCache.in_memory(DIMENSIONS).record_bytes
    try:
        if path.exists() and path.stat().st_size > _MAX_CACHED * record:
            path.unlink()
        return VectorCache.open(path, DIMENSIONS)
    except OSError as error:
        _note_unkept(error)
        return VectorCache.in_memory(DIMENSIONS)


def _note_unkept(error: OSError) -> None:
    logging.getLogger("astrolabe").warning(f"Vectors of the transformer cannot be stored: {error}.")
