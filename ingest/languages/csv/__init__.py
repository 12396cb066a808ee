"""CSV: the seeds of dbt projects, which are tables. `ingest/data/dbt/` reads their headings; most rows are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...files.source_text import SourceText, decode_source
from ..base import Language

if TYPE_CHECKING:
    from ...facts.model import FileFacts

#: Number of lines that are kept at the beginning of a file.
_KEPT_LINES = 20


def _read(source: SourceText, language: str) -> FileFacts:
    from ...data.dbt.seed_files import seed_facts

    return seed_facts(source, language)


def _decode(data: bytes) -> SourceText:
    """Decode the heading and some rows. The lines of other rows stay, without their text."""
    end = 0
    for _ in range(_KEPT_LINES):
        end = data.find(b"\n", end) + 1
        if not end:
            return decode_source(data)
    return decode_source(data[:end] + b"\n" * data.count(b"\n", end))


LANGUAGE = Language(read=_read, decode=_decode)
