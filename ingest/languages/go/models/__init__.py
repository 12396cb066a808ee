"""Models of object mappers in Go: structs of GORM, bun, go-pg, xorm and Beego, schemas of ent, and the tables for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....data.schemas.mapped import MappedSchema
from ....facts.data import DataFacts
from ....facts.model import FileFacts
from .bun_structs import bun_models
from .bun_tables import bun_schemas
from .ent_schemas import ent_models
from .ent_tables import ent_schemas
from .row_structs import row_structs
from .structs import gorm_models
from .tables import gorm_schemas
from .tagged_structs import tagged_models
from .tagged_tables import tagged_schemas


def add_models(facts: FileFacts, source: bytes) -> None:
    """Add the structs that a file declares to its facts about data."""
    found = [*gorm_models(facts, source), *ent_models(facts, source), *bun_models(facts, source)]
    found += [*tagged_models(facts, source), *row_structs(facts, source)]
    if found:
        facts.own_data().models += found


def mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    """Return the databases that the structs of all files declare."""
    return [*gorm_schemas(facts), *ent_schemas(facts), *bun_schemas(facts), *tagged_schemas(facts)]
