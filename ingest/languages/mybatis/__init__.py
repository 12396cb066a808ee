"""Mappers of MyBatis in XML: statements of SQL with elements that MyBatis evaluates, and maps of their results.

The elements follow https://mybatis.org/mybatis-3/sqlmap-xml.html and https://mybatis.org/mybatis-3/dynamic-sql.html.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...files.source_text import SourceText
from ..base import Language

if TYPE_CHECKING:
    from ...facts.model import FileFacts


def _read(source: SourceText, language: str) -> FileFacts:
    from .file_facts import mapper_facts

    return mapper_facts(source, language)


LANGUAGE = Language(read=_read)
