"""Models of object mappers in Java: entities of JPA, and the tables that Hibernate creates for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....data.schemas.mapped import MappedSchema
from ....facts.data import DataFacts
from ....facts.model import FileFacts
from .declared import AnnotatedTypes
from .entities import jpa_models, may_hold_models
from .tables import jpa_schemas


def add_models(facts: FileFacts) -> None:
    """Add the entities that a file declares to its facts about data."""
    if not facts.code or not may_hold_models(facts):
        return
    found = jpa_models(AnnotatedTypes(facts))
    if found:
        facts.own_data().models += found


def mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    """Return the databases that the entities of all files declare."""
    return jpa_schemas(facts)
