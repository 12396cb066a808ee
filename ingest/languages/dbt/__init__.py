"""dbt: the YAML files of its projects. `ingest/data/dbt/` reads these files, and the SQL templates beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..base import Language

if TYPE_CHECKING:
    from ...data.schemas.mapped import MappedSchema
    from ...facts.data import DataFacts
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText


def _read(source: SourceText, language: str) -> FileFacts:
    from ...data.dbt.property_files import property_facts

    return property_facts(source, language)


def _mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    from ...data.dbt.projects import dbt_schemas

    return dbt_schemas(facts)


LANGUAGE = Language(read=_read, mapped_schemas=_mapped_schemas)
