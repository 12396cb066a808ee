"""The databases that models of object mappers declare, in all languages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from ...schema.languages import BY_NAME, language_of
from ..data.mapper_faults import link_models
from ..data.schemas.mapped import MappedSchema
from ..facts.data import DataFacts
from .registry import language


def mapped_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases that the models in the files of a repository declare, by language and folder."""
    by_folder: dict[str, dict[str, DataFacts]] = defaultdict(dict)
    for path in sorted(facts):
        name = language_of(path)
        if facts[path].dbt is not None:
            by_folder["dbt"][path] = facts[path]
        migration = facts[path].migration
        if migration is not None and name is None:  # the content of the file tells its language
            by_folder[migration.framework][path] = facts[path]
        if name is not None:
            by_folder[BY_NAME[name].folder][path] = facts[path]
    if "liquibase" in by_folder:  # changelogs include files of SQL
        by_folder["liquibase"].update(by_folder["sql"])
    found: list[MappedSchema] = []
    for folder, files in sorted(by_folder.items()):
        link = language(folder).mapped_schemas if folder in BY_NAME else None
        if link is not None and any(data.declares_models for data in files.values()):
            found += link_models(link, files)
    return found
