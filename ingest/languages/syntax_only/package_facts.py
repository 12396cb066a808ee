"""Read the types that a file of an external package declares, without symbols, chunks and bodies of functions."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from ...facts.cache import FactKey, FactReader, kept_facts
from ...facts.cells import int_cells
from ...facts.model import FileFacts
from ...files.source_text import SourceText, decode_source
from ...symbols.lowering_state import LoweringState
from ..deep_stack import call_deeply

#: Returns the lowered code of a file, and the offsets of its lines.
Lower = Callable[[SourceText], tuple[LoweringState, list[int]]]

#: Distinguishes the facts of such a file from the facts of the same file in a repository.
_APART: Final = b"installed\n"


def package_facts(data: bytes, language: str, cache: FactReader | None, lower: Lower) -> FileFacts | None:
    """Return the facts of a file; None if it is not text or nests too deeply. Raises `StoreError`."""
    key = FactKey.of(sha256(_APART + data).hexdigest(), language)
    return kept_facts(cache, key, lambda: _read(data, language, lower))


def _read(data: bytes, language: str, lower: Lower) -> FileFacts | None:
    source = decode_source(data)
    if source.is_binary:
        return None
    try:
        lowered, line_starts = call_deeply(lambda: lower(source))
    except RecursionError:
        return None
    facts = FileFacts(
        language=language,
        lines=len(line_starts),
        line_starts=int_cells(line_starts),
        symbols=[],
        chunks=[],
        problems=[],
        is_module=True,
    )
    lowered.fill(facts)
    return facts
