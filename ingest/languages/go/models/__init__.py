"""Models of object mappers in Go: structs of GORM, and the tables that GORM creates for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....data.schemas.mapped import MappedSchema
from ....facts.data import DataFacts
from ....facts.model import FileFacts
from .structs import gorm_models
from .tables import gorm_schemas


def add_models(facts: FileFacts, source: bytes) -> None:
    """Add the structs that a file declares to its facts about data."""
    found = gorm_models(facts, source)
    if found:
        facts.own_data().models += found


def mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    """Return the databases that the structs of all files declare."""
    return gorm_schemas(facts)
