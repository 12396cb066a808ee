"""Models of object mappers in TypeScript and JavaScript: the declarations of files, and the resulting tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ...data.schemas.mapped import MappedSchema
from ...facts.data import DataFacts
from ...facts.mapped_tables import MappedModel
from ...facts.model import FileFacts
from .models.declared import DeclaredNames
from .models.drizzle.tables import drizzle_schemas
from .models.drizzle.tables_of_file import drizzle_models
from .models.lucid.models_of_file import lucid_models
from .models.lucid.tables import lucid_schemas
from .models.mikro_orm.entities import mikro_orm_models
from .models.mikro_orm.tables import mikro_orm_schemas
from .models.mongoose.collections import mongoose_schemas
from .models.mongoose.models_of_file import mongoose_models
from .models.sequelize.models_of_file import sequelize_models
from .models.sequelize.tables import sequelize_schemas
from .models.typeorm.entities import typeorm_models
from .models.typeorm.tables import typeorm_schemas
from .models.waterline.models import waterline_models, waterline_schemas

#: Readers of models, by a part of the name of the module that files with such models import.
_READERS: Final[Mapping[str, Callable[[DeclaredNames, bytes], Sequence[MappedModel]]]] = {
    "drizzle": drizzle_models,
    "/lucid/orm": lucid_models,
    "Lucid/Orm": lucid_models,
    "mikro-orm": mikro_orm_models,
    "mongoose": mongoose_models,
    "typegoose": mongoose_models,
    "typeorm": typeorm_models,
}
#: Files that get the instance of Sequelize as a parameter import no package.
_PASSED: Final = b".define("
#: Texts in each file with a model of Waterline, which imports no package.
_OF_WATERLINE: Final = (b"module.exports", b"attributes:")
_SCHEMAS: Final = (
    drizzle_schemas,
    lucid_schemas,
    mikro_orm_schemas,
    mongoose_schemas,
    sequelize_schemas,
    typeorm_schemas,
    waterline_schemas,
)


def add_models(facts: FileFacts, source: bytes) -> None:
    """Add the models of object mappers that a file declares to its facts about data."""
    modules = {each.specifier for each in facts.imports}
    names: DeclaredNames | None = None
    found: list[MappedModel] = []
    for read in dict.fromkeys(read for part, read in _READERS.items() if any(part in module for module in modules)):
        names = names or DeclaredNames(facts)
        found += read(names, source)
    if _PASSED in source or any("sequelize" in module for module in modules):
        found += sequelize_models(names or DeclaredNames(facts), source)
    if all(sign in source for sign in _OF_WATERLINE):
        found += waterline_models(names or DeclaredNames(facts), source)
    if found:
        facts.own_data().models += found


def mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    """Return the databases that the models of all files declare, by mapper."""
    return [schema for read in _SCHEMAS for schema in read(facts)]
