"""Models of object mappers in Java: entities of JPA, the tables that Hibernate creates for them, and rows of other mappers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....data.schemas.mapped import MappedSchema
from ....facts.data import DataFacts
from ....facts.model import FileFacts
from .annotated_rows import FRAMEWORKS, annotated_rows, may_hold_annotated_rows
from .declared import AnnotatedTypes
from .entities import FRAMEWORK as JPA
from .entities import jpa_models, may_hold_models
from .relational import FRAMEWORK, may_hold_rows, relational_models
from .tables import jpa_schemas


def add_models(facts: FileFacts) -> None:
    """Add the entities that a file declares to its facts about data."""
    if not facts.code:
        return
    has_models, has_rows, has_annotated = may_hold_models(facts), may_hold_rows(facts), may_hold_annotated_rows(facts)
    if not has_models and not has_rows and not has_annotated:
        return
    types = AnnotatedTypes(facts)
    found = jpa_models(types) if has_models else []
    if has_rows:
        known = {each.name for each in found}
        found += [each for each in relational_models(types) if each.name not in known]
    if has_annotated:
        known = {each.name for each in found}
        found += [each for each in annotated_rows(types) if each.name not in known]
    if found:
        facts.own_data().models += found


def mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    """Return the databases that the entities and the rows of all files declare."""
    return [each for framework in (JPA, FRAMEWORK, *FRAMEWORKS) for each in jpa_schemas(facts, framework)]
