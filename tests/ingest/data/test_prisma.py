"""Prisma schemas: the tables that their models stand for, and the migrations that make the same database."""

from __future__ import annotations

import time

import pytest
from astrolabe.ingest.data.schemas.database import Database
from astrolabe.ingest.data.schemas.databases import read_mapped
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.mapped_schemas import mapped_schemas
from linear_time import is_linear, processor_seconds

from .mapped_models import data_of, edges_of

SOURCE = 'datasource db { provider = "%s" }\n'
LIBRARY = """
model Reader {
  id    Int     @id @default(autoincrement())
  card  String  @unique @map("card_number") @db.VarChar(12)
  town  Town?
  tags  String[]
  loans Loan[]
  shelves Shelf[]
  @@map("readers")
}
model Loan {
  reader    Reader  @relation(fields: [readerId], references: [id])
  readerId  Int     @map("reader_id")
  heir      Reader? @relation("Heir", fields: [heirId], references: [id])
  heirId    Int?
  day       DateTime @default(now())
  @@id([readerId, day])
  @@index([day(sort: Desc), heirId])
}
model Shelf {
  name    String   @id
  readers Reader[]
}
enum Town {
  OSLO
  @@map("towns")
}
"""


def databases(files: dict[str, str]) -> list[Database]:
    facts = data_of(files)
    return [schema.database for schema in read_mapped(facts, mapped_schemas(facts))]


def tables(files: dict[str, str]) -> dict[str, Table]:
    (database,) = databases(files)
    return {table.name: table for table in database.tables.values()}


def keys(table: Table) -> list[tuple[str, str, list[str], str, str]]:
    held = [*table.constraints.values(), *table.indexes.values()]
    return sorted((each.name, each.kind, each.columns, each.target[1] if each.target else "", each.on_delete) for each in held)


def test_fields_are_columns_by_their_names_in_the_database() -> None:
    found = tables({"prisma/schema.prisma": SOURCE % "postgresql" + LIBRARY})
    assert [(each.name, each.type, each.nullable) for each in found["readers"].columns.values()] == [
        ("id", "serial", False),
        ("card_number", "varchar(12)", False),
        ("town", "towns", True),
        ("tags", "text[]", True),
    ]
    assert sorted(found) == ["Loan", "Shelf", "_ReaderToShelf", "readers"]


def test_relations_and_keys_have_the_names_that_prisma_migrate_makes() -> None:
    found = tables({"prisma/schema.prisma": SOURCE % "postgresql" + LIBRARY})
    assert keys(found["Loan"]) == [
        ("Loan_day_heirId_idx", "index", ["day", "heirId"], "", ""),
        ("Loan_heirId_fkey", "foreign key", ["heirId"], "readers", "SET NULL"),
        ("Loan_pkey", "primary key", ["reader_id", "day"], "", ""),
        ("Loan_reader_id_fkey", "foreign key", ["reader_id"], "readers", "RESTRICT"),
    ]
    assert keys(found["_ReaderToShelf"]) == [
        ("_ReaderToShelf_AB_pkey", "primary key", ["A", "B"], "", ""),
        ("_ReaderToShelf_A_fkey", "foreign key", ["A"], "readers", "CASCADE"),
        ("_ReaderToShelf_B_fkey", "foreign key", ["B"], "shelf", "CASCADE"),
        ("_ReaderToShelf_B_index", "index", ["B"], "", ""),
    ]
    assert [(each.name, each.type) for each in found["_ReaderToShelf"].columns.values()] == [("A", "integer"), ("B", "text")]


def test_the_name_of_an_index_is_its_name_in_the_database_and_the_name_of_a_unique_key_is_not() -> None:
    library = LIBRARY.replace(
        '@@map("readers")',
        '@@map("readers")\n@@index([town], name: "readers_of_town")\n'
        '@@unique([card, town], name: "cardOfTown")\n@@unique([town, id], map: "town_id")',
    )
    found = keys(tables({"schema.prisma": SOURCE % "postgresql" + library})["readers"])
    assert [each[0] for each in found if each[1] != "primary key"] == [
        "readers_card_number_key",
        "readers_card_number_town_key",
        "readers_of_town",
        "town_id",
    ]


@pytest.mark.parametrize(
    ("provider", "expected"),
    [
        ("mysql", ["integer", "varchar(12)", "towns", "varchar(191)[]"]),
        ("sqlite", ["integer", "varchar(12)", "towns", "text[]"]),
        ("sqlserver", ["int", "varchar(12)", "towns", "nvarchar(1000)[]"]),
    ],
)
def test_types_are_those_of_the_database(provider: str, expected: list[str]) -> None:
    found = tables({"schema.prisma": SOURCE % provider + LIBRARY})
    assert [each.type for each in found["readers"].columns.values()] == expected


def test_relations_that_prisma_keeps_itself_are_no_foreign_keys() -> None:
    found = tables({"schema.prisma": 'datasource db {\n provider = "mysql"\n relationMode = "prisma"\n}\n' + LIBRARY})
    assert [each[1] for each in keys(found["Loan"])] == ["index", "primary key"]


def test_files_below_a_data_source_are_one_schema_and_another_source_is_another() -> None:
    models, enums = LIBRARY.split("enum Town")
    files = {
        "a/prisma/main.prisma": SOURCE % "postgresql",
        "a/prisma/models/library.prisma": models,
        "a/prisma/enums/town.prisma": "enum Town" + enums,
        "b/schema.prisma": SOURCE % "sqlite" + "model Note { id Int @id }",
    }
    found = [sorted(table.name for table in database.tables.values()) for database in databases(files)]
    assert sorted(found) == [["Loan", "Shelf", "_ReaderToShelf", "readers"], ["Note"]]


def test_models_lead_to_the_tables_of_the_migrations() -> None:
    files = {
        "prisma/schema.prisma": SOURCE % "postgresql" + 'model Reader {\n id Int @id\n card String @map("number")\n extra Int\n}',
        "prisma/migrations/1_first/migration.sql": 'CREATE TABLE "Reader" (\n "id" INT PRIMARY KEY,\n "number" TEXT NOT NULL\n);',
    }
    edges = edges_of(files, lambda path, name: f"{path[-3:]}:{name}")
    assert [(each.from_id, each.to_id, each.framework) for each in edges.data_mappings] == [
        ("sma:Reader", "sql:Reader", "prisma"),
        ("sma:id", "sql:id", "prisma"),
        ("sma:card", "sql:number", "prisma"),
    ]


@pytest.mark.parametrize(
    ("text", "problems", "names"),
    [
        ("model A {\n id Int @id\n broken\n name String\n}\n", [(3, "the field has no type")], ["id", "name"]),
        ("model A {\n id Int @id(\n}\n", [(2, "a bracket of this line has no `)`")], []),
        ("model A {\n id Int @id\n", [(1, "`{` of this model has no `}`")], ["id"]),
        ("thing A {}\nmodel A {\n id Int\n}", [(1, "expected a block such as `model`, but found 'thing'")], ["id"]),
        ('model A {\n id Int @map("x)\n b Int\n}', [(2, "the quoted text has no end")], []),
    ],
)
def test_a_line_that_cannot_be_read_is_a_problem_and_the_others_stand(
    text: str, problems: list[tuple[int, str]], names: list[str]
) -> None:
    facts = extract_facts(text.encode(), "prisma")
    assert [(each.line, each.reason) for each in facts.problems][: len(problems)] == problems
    assert facts.data is not None
    assert [field.name for model in facts.data.models for field in model.fields] == names


def test_large_schemas_take_linear_time() -> None:
    model = "model M%d {\n id Int @id\n other M0 @relation(fields: [otherId], references: [id])\n otherId Int\n}\n"
    started = time.process_time()
    facts = data_of({"schema.prisma": "".join(model % number for number in range(2_000))})
    (schema,) = read_mapped(facts, mapped_schemas(facts))
    assert len(schema.database.tables) == 2_000
    assert time.process_time() - started < 15


def test_many_blocks_on_one_line_take_linear_time() -> None:
    def seconds(count: int) -> float:
        text = " ".join(f"enum A{number} {{ }}" for number in range(count)).encode()
        return processor_seconds(lambda: extract_facts(text, "prisma"))

    assert is_linear(seconds, 8_000)


def test_hostile_nesting_is_a_problem() -> None:
    facts = extract_facts(b"model A {\n @@index(" + b"[" * 50_000 + b"\n}\n", "prisma")
    assert [problem.line for problem in facts.problems] == [2]
