"""Migrations in TypeScript and JavaScript: the changes that calls of schema builders make to the schema of a database.

Other code may call a schema builder, too: `knex.schema.createTable("users", …)` in a function that a migration or the start of a
program calls. The files of such code define a database as files with SQL in strings do.
"""

from __future__ import annotations

from typing import Final

from ....facts.model import FileFacts
from ..models.declared import DeclaredNames
from .db_migrate import add_db_migrate
from .knex import add_knex
from .kysely import add_kysely
from .schema_calls import SchemaCalls, directions
from .sequelize import add_sequelize
from .typeorm import add_typeorm

#: Readers of the migrations of a tool, by a text that occurs in each file with such migrations.
_READERS: Final = {
    b"schema": add_knex,
    b"exports.up": add_db_migrate,
    b"ueryInterface": add_sequelize,
    b"MigrationInterface": add_typeorm,
}
#: Text of the calls that create tables with the builders of Knex and Kysely.
_CREATION: Final = b".createTable"


def add_migrations(facts: FileFacts, source: bytes) -> None:
    """Add the changes of the migrations in a file to its facts about data. Changes with computed names are left out."""
    readers = [read for sign, read in _READERS.items() if sign in source]
    if not readers or not facts.calls:
        return
    ways = directions(source)
    if not ways:
        readers = [add_knex] if add_knex in readers and _CREATION in source else []
    if not readers:
        return
    calls = SchemaCalls(DeclaredNames(facts), source, ways)
    is_of_kysely = any(each.specifier == "kysely" for each in facts.imports)
    for read in readers:
        (add_kysely if read is add_knex and is_of_kysely else read)(calls)
    if ways:
        calls.finish()
    else:
        calls.finish_beside_migrations()
