"""CSV: seeds of dbt projects, which are tables. `ingest/data/dbt/` reads the heading; a large file has only its first rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...files.source_text import SourceText, decode_source
from ..base import Language

if TYPE_CHECKING:
    from ...facts.model import FileFacts

#: Minimum size, in bytes, of a file whose rows are left out, and the number of lines that are kept at its beginning.
_LARGE = 100_000
_KEPT_LINES = 20


def _read(source: SourceText, language: str) -> FileFacts:
    from ...data.dbt.seed_files import seed_facts

    return seed_facts(source, language)


def _decode(data: bytes) -> SourceText:
    """Decode the heading and some rows of a large file. The lines of other rows stay, without their text."""
    if len(data) < _LARGE:
        return decode_source(data)
    end = 0
    for _ in range(_KEPT_LINES):
        end = data.find(b"\n", end) + 1
        if not end:
            return decode_source(data)
    return decode_source(data[:end] + b"\n" * data.count(b"\n", end))


LANGUAGE = Language(read=_read, decode=_decode)
