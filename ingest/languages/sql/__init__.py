"""SQL: what statements define and use. Its tokens are read by `ingest/data/sql/`, without a grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...files.source_text import SourceText
from ..base import Language

if TYPE_CHECKING:
    from ...facts.model import FileFacts


def _read(source: SourceText, language: str) -> FileFacts:
    from ...data.sql.file_facts import sql_facts

    return sql_facts(source)


LANGUAGE = Language(read=_read)
