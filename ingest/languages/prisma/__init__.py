"""Prisma: schemas with models, views and enums. Files are read without a grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import Language
from .tables import mapped_schemas

if TYPE_CHECKING:
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText


def _read(source: SourceText, language: str) -> FileFacts:
    from .file_facts import prisma_facts

    return prisma_facts(source, language)


LANGUAGE = Language(read=_read, mapped_schemas=mapped_schemas)
