"""Facts of the runtime's own declarations, such as `Array`, `Promise` and `document`."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from ...facts.cache import FactKey, FactReader, kept_facts
from ...facts.model import FileFacts
from ..extraction import extract_facts
from ..runtime_declarations import built_facts, write_built

if TYPE_CHECKING:
    from pathlib import Path

_LANGUAGE: Final = "typescript"
_FOLDER: Final = f"{__package__}.runtime"
#: Name of the file in `runtime/` with the facts of all declarations, which the build of the package writes.
_BUILT: Final = "runtime.facts"
#: The result of `cached_runtime_facts`; empty before the first call.
_known: list[FileFacts] = []


@cache
def runtime_facts() -> FileFacts:
    """Return the facts of the declaration files in the folder `runtime`, read as one file."""
    return extract_facts(_source(), _LANGUAGE)


@cache
def runtime_key() -> FactKey:
    """Return the key of these facts in a cache."""
    return FactKey.of(sha256(_source()).hexdigest(), _LANGUAGE)


def cached_runtime_facts(facts: FactReader | None) -> FileFacts:
    """Return the runtime's facts from the build of the package or from a cache, or parse them and store them in the cache.

    Raises `StoreError`.
    """
    if not _known:
        built = built_facts(files(_FOLDER).joinpath(_BUILT), runtime_key())
        _known.append(built if built is not None else kept_facts(facts, runtime_key(), runtime_facts))
    return _known[0]


def build_declarations(folder: Path) -> None:
    """Write the facts of all declarations below `folder`, the folder of the language."""
    write_built(folder / "runtime" / _BUILT, runtime_key(), runtime_facts())


def _source() -> bytes:
    folder = files(_FOLDER)
    sources = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".d.ts")), key=lambda entry: entry.name)
    return b"\n".join(entry.read_bytes() for entry in sources)
