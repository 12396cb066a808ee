"""SQL: definitions and uses of tables. `ingest/data/sql/` reads tokens without a grammar, `ingest/data/dbt/` reads templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...data.dbt.jinja import is_template
from ...data.sql.data_rows import condensed, without_rows
from ...files.source_text import SourceText, decode_source
from ..base import Language

if TYPE_CHECKING:
    from ...facts.model import FileFacts


def _read(source: SourceText, language: str) -> FileFacts:
    if is_template(source.data):
        from ...data.dbt.model_files import template_facts

        return template_facts(source)
    from ...data.sql.file_facts import sql_facts

    return sql_facts(source)


def _decode(data: bytes) -> SourceText:
    return decode_source(without_rows(data))


LANGUAGE = Language(read=_read, decode=_decode, condense=condensed)
