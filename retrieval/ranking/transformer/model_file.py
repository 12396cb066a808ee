"""Store the int8 model on disk. The model is created once for each user, and again if the file is damaged."""

from __future__ import annotations

import logging
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from ....schema.errors import ProviderError
from .minilm_weights import missing_extra, read_safetensors

_NAME = "all-minilm-l6-v2-int8"


def kept_model(weights: Path, heads: int, folder: Path) -> bytes:
    """Return the ONNX model of the weights, from the folder or newly created. Raises ProviderError if it cannot be created.

    The name of the file contains the digest of its content, which reveals damage.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob(f"{_NAME}*.onnx"):
            data = path.read_bytes()
            if path.name == _name_of(data):
                return data
            path.unlink()
        return _made(weights, heads, folder, keep=True)
    except OSError as error:
        logging.getLogger("astrolabe").warning(f"The model of the transformer cannot be stored: {error}.")
    try:
        with TemporaryDirectory() as elsewhere:
            return _made(weights, heads, Path(elsewhere), keep=False)
    except OSError as error:
        raise ProviderError(f"There is no room to make the model of the transformer: {error}.") from error


def _made(weights: Path, heads: int, folder: Path, *, keep: bool) -> bytes:
    try:
        from .onnx_export import write_encoder
    except ImportError as error:
        raise missing_extra() from error
    # The draft has a separate folder. Another process may create the model at the same time.
    with TemporaryDirectory(dir=folder) as own:
        draft = Path(own) / "model"
        write_encoder(read_safetensors(weights), heads, draft)
        data = draft.read_bytes()
        if keep:
            draft.replace(folder / _name_of(data))
    return data


def _name_of(data: bytes) -> str:
    return f"{_NAME}-{blake2b(data, digest_size=8).hexdigest()}.onnx"
