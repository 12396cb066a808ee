"""Changelogs of Liquibase in XML, YAML and JSON: changes of the schema of a database, and the order of the changelogs.

The elements follow https://docs.liquibase.com/change-types/home.html.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...files.source_text import SourceText
from ..base import Language

if TYPE_CHECKING:
    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts


def _read(source: SourceText, language: str) -> FileFacts:
    from .file_facts import changelog_facts

    return changelog_facts(source, language)


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from .schemas import changelog_schemas

    return changelog_schemas(facts)


LANGUAGE = Language(read=_read, mapped_schemas=_mapped_schemas)
"""The facts of a changelog: symbols for changes, tables and columns, and the migration that the changelog is."""
