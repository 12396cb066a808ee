"""Migrations of Knex, Sequelize and TypeORM in TypeScript and JavaScript: the tables after the last one."""

from __future__ import annotations

import pytest
from astrolabe.ingest.data.schemas.databases import read_schemas
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.typescript.migrations.dialect_branches import DialectBranches
from linear_time import is_linear, processor_seconds

from .mapped_models import columns, data_of, foreign_keys, keys

KNEX = {
    "db/migrations/1_boats.js": """
exports.up = function (knex) {
  return knex.schema
    .createTable("piers", (table) => {
      table.increments();
      table.string("name", 40).notNullable().unique();
    })
    .createTable('boats', function (t) {
      t.uuid('id').primary();
      t.string('name').notNullable().index();
      t.decimal('price', 10, 3).defaultTo(0);
      t.integer('pier_id').unsigned().references('id').inTable('piers').onDelete('cascade');
      t.specificType('tags', 'text[]');
      t.timestamps(true, true);
      t.unique(['name', 'pier_id']);
    });
};
exports.down = (knex) => knex.schema.dropTable("boats").dropTable("piers");
""",
    "db/migrations/2_berths.ts": """
import type { Knex } from "knex";
const TABLE = "boats";
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (table) => {
    table.dropColumn("tags");
    table.renameColumn("price", "cost");
    table.text("name").nullable().alter();
    table.bigInteger("berth").notNullable();
    table.dropUnique(["name", "pier_id"]);
    table.foreign("berth", "berth_of_boat").references("piers.id");
  });
  await knex.raw("CREATE INDEX by_cost ON boats (cost)");
  await knex.schema.renameTable("piers", "jetties");
}
export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable("boats", (table) => { table.dropColumn("berth"); });
}
""",
}
SEQUELIZE = {
    "migrations/20200101-boats.js": """
'use strict';
module.exports = {
  up: (queryInterface, Sequelize) =>
    queryInterface.createTable('Piers', { id: { type: Sequelize.INTEGER, primaryKey: true, autoIncrement: true } })
      .then(() => queryInterface.createTable('Boats', {
        id: { type: Sequelize.UUID, primaryKey: true, allowNull: false },
        name: { type: Sequelize.STRING(40), allowNull: false, unique: true, defaultValue: 'Ann' },
        kind: Sequelize.ENUM('sail', 'motor'),
        tags: { type: Sequelize.ARRAY(Sequelize.TEXT) },
        pierId: { type: Sequelize.INTEGER, field: 'pier_id', references: { model: 'Piers', key: 'id' }, onDelete: 'cascade' },
      })),
  down: (queryInterface) => queryInterface.dropTable('Boats'),
};
""",
    "migrations/20200102-more.js": """
module.exports = {
  async up(queryInterface, { DataTypes }) {
    await queryInterface.addColumn('Boats', 'length', { type: DataTypes.DECIMAL(6, 2), allowNull: false });
    await queryInterface.changeColumn('Boats', 'name', { type: DataTypes.TEXT });
    await queryInterface.renameColumn('Boats', 'tags', 'labels');
    await queryInterface.removeColumn('Boats', 'kind');
    await queryInterface.addIndex('Boats', ['length', 'pier_id']);
    await queryInterface.addIndex('Boats', { fields: ['labels'], unique: true, name: 'by_label' });
    await queryInterface.sequelize.query('ALTER TABLE "Boats" ADD COLUMN wet boolean NOT NULL');
  },
  async down(queryInterface) {
    await queryInterface.removeColumn('Boats', 'length');
  },
};
""",
}
TYPEORM = {
    "src/migration/1700000000000-Boats.ts": """
import { MigrationInterface, QueryRunner, Table, TableColumn, TableForeignKey, TableIndex } from "typeorm";
export class Boats1700000000000 implements MigrationInterface {
  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(new Table({ name: "piers", columns: [
      { name: "id", type: "int", isPrimary: true, isGenerated: true, generationStrategy: "increment" },
    ] }), true);
    await queryRunner.createTable(new Table({
      name: "boats",
      columns: [
        { name: "id", type: "uuid", isPrimary: true },
        { name: "name", type: "varchar", length: "40", isUnique: true },
        { name: "pier", type: "int", isNullable: true, default: "1" },
      ],
      indices: [{ name: "by_pier", columnNames: ["pier"] }],
      foreignKeys: [
        { name: "pier_of", columnNames: ["pier"], referencedTableName: "piers", referencedColumnNames: ["id"],
          onDelete: "SET NULL" },
      ],
    }));
    await queryRunner.addColumn("boats", new TableColumn({ name: "wet", type: "boolean", isNullable: false }));
    await queryRunner.query(`ALTER TABLE "boats" ADD "cost" integer`);
    await queryRunner.dropColumn("boats", "cost");
    await queryRunner.createIndex("boats", new TableIndex({ name: "by_wet", columnNames: ["wet"], isUnique: true }));
  }
  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable("boats");
  }
}
""",
}


def tables_after(files: dict[str, str]) -> dict[str, Table]:
    """Return the tables after the last migration, by name."""
    (schema,) = read_schemas(data_of(files))
    assert schema.files.is_migrations
    return {table.name: table for table in schema.database.tables.values()}


def test_knex() -> None:
    found = tables_after(KNEX)
    assert set(found) == {"jetties", "boats"}
    assert columns(found["jetties"]) == {"id": ("serial", False), "name": ("varchar(40)", False)}
    assert columns(found["boats"]) == {
        "id": ("uuid", False),
        "name": ("text", True),
        "cost": ("decimal(10, 3)", True),
        "pier_id": ("integer", True),
        "created_at": ("timestamp with time zone", False),
        "updated_at": ("timestamp with time zone", False),
        "berth": ("bigint", False),
    }
    assert keys(found["boats"]) == [
        ("berth_of_boat", "foreign key"),
        ("boats_name_index", "index"),
        ("boats_pier_id_foreign", "foreign key"),
        ("boats_pkey", "primary key"),
        ("by_cost", "index"),
    ]
    assert foreign_keys(found["boats"]) == {"pier_id": ("jetties", "id", "CASCADE"), "berth": ("jetties", "id", "")}


def test_knex_drops_named_primary_keys_and_timestamps_in_camel_case() -> None:
    found = tables_after(
        {
            "db/migrations/1.js": """
exports.up = (knex) => knex.schema
  .createTable("boats", (t) => { t.string("code"); t.primary(["code"], "boat_key"); t.timestamps(true, false, true); })
  .table("boats", (t) => { t.dropPrimary("boat_key"); t.dropTimestamps(true); });
"""
        }
    )
    assert list(columns(found["boats"])) == ["code"]
    assert keys(found["boats"]) == []


def test_keys_of_an_altered_column_of_knex() -> None:
    found = tables_after(
        {
            "db/migrations/1.js": """
exports.up = (knex) => knex.schema
  .createTable("boats", (t) => { t.bigInteger("id"); t.text("name").notNullable(); t.integer("berth").notNullable(); })
  .alterTable("boats", (t) => {
    t.text("id").primary().alter();
    t.string("name", 40).unique().alter({ alterNullable: false });
    t.bigInteger("berth").alter({ alterType: false });
  });
"""
        }
    )
    assert columns(found["boats"]) == {"id": ("text", False), "name": ("varchar(40)", False), "berth": ("integer", True)}
    assert keys(found["boats"]) == [("boats_name_unique", "unique"), ("boats_pkey", "primary key")]


def test_of_spread_columns_the_last_one_counts() -> None:
    found = tables_after(
        {
            "migrations/1.js": """
const a = { id: { type: DataTypes.INTEGER }, name: { type: DataTypes.TEXT } };
const b = { ...b, name: { type: DataTypes.UUID } };
module.exports = {
  up: (queryInterface) => queryInterface.createTable("boats", { ...a, ...b, id: { type: DataTypes.BIGINT } }),
};
"""
        }
    )
    assert columns(found["boats"]) == {"name": ("uuid", True), "id": ("bigint", True)}


@pytest.mark.parametrize("of_last", ["{ ...a0, ...a0, ...a0 }", "{ ...a19, ...a19, ...a19 }"])
def test_nested_spreads_are_read_once(of_last: str) -> None:
    nested = "".join(f"const a{each} = {{ ...a{each - 1}, ...a{each - 1}, ...a{each - 1} }};\n" for each in range(1, 20))
    source = "const a0 = { id: { type: 'int' } };\n" + nested
    source += f"exports.up = (queryInterface) => queryInterface.createTable('x', {of_last});\n"
    facts = extract_facts(source.encode(), "javascript")
    assert facts.data is not None
    assert [change.name.name for change in facts.data.changes] == ["x", "id"]


def test_sequelize() -> None:
    found = tables_after(SEQUELIZE)
    assert columns(found["Piers"]) == {"id": ("serial", False)}
    assert columns(found["Boats"]) == {
        "id": ("uuid", False),
        "name": ("text", True),
        "labels": ("text[]", True),
        "pier_id": ("integer", True),
        "length": ("decimal(6, 2)", False),
        "wet": ("boolean", False),
    }
    assert keys(found["Boats"]) == [
        ("Boats_name_key", "unique"),
        ("Boats_pier_id_fkey", "foreign key"),
        ("Boats_pkey", "primary key"),
        ("boats_length_pier_id", "index"),
        ("by_label", "index"),
    ]
    assert foreign_keys(found["Boats"]) == {"pier_id": ("piers", "id", "CASCADE")}


def test_typeorm() -> None:
    found = tables_after(TYPEORM)
    assert columns(found["piers"]) == {"id": ("serial", False)}
    assert columns(found["boats"]) == {
        "id": ("uuid", False),
        "name": ("varchar(40)", False),
        "pier": ("integer", True),
        "wet": ("boolean", False),
    }
    names = [name for name, kind in keys(found["boats"]) if kind in ("index", "foreign key")]
    assert names == ["by_pier", "by_wet", "pier_of"]
    assert foreign_keys(found["boats"]) == {"pier": ("piers", "id", "SET NULL")}


def test_tables_and_columns_are_symbols_of_the_migration() -> None:
    facts = extract_facts(KNEX["db/migrations/1_boats.js"].encode(), "javascript")
    made = {each.name: each for each in facts.symbols if each.kind in ("table", "column")}
    assert (made["boats"].kind, made["boats"].start_line, made["boats"].end_line) == ("table", 8, 14)
    assert facts.symbols[made["price"].parent].name == "boats"
    assert (made["price"].start_line, made["price"].signature) == (11, "t.decimal('price', 10, 3).defaultTo(0);")


def test_other_code_changes_no_schema() -> None:
    source = """
    export function up(list) { list.addColumn("a", "b", {}); }
    export function show(grid, schema) { grid.schema; grid.createTable("a", () => {}); }
    """
    facts = extract_facts(source.encode(), "javascript")
    assert facts.data is None or not facts.data.changes


@pytest.mark.parametrize("piece", ["  table.string('a');\n", "  table.dropColumn('a', 'b');\n", "  knex.raw('select 1');\n"])
def test_reading_is_linear(piece: str) -> None:
    def seconds(count: int) -> float:
        body = "".join(f"{piece}" for _ in range(count))
        source = f"exports.up = (knex) => knex.schema.createTable('x', (table) => {{\n{body}}});\n".encode()
        return processor_seconds(lambda: extract_facts(source, "javascript"))

    assert is_linear(seconds, 500)


def test_db_migrate() -> None:
    files = {
        "migrations/1-users.js": """
exports.up = function (db, cb) {
  async.series([
    db.createTable.bind(db, 'users', {
      id: { type: 'int', primaryKey: true }, name: 'string', old: { type: 'text', notNull: true },
    }),
  ], cb)
}
exports.down = function (db, cb) { return db.dropTable('users', cb) }
""",
        "migrations/2-posts.js": """
exports.up = function (db, cb) {
  db.runSql(`CREATE TABLE posts (id int, title text NOT NULL)`, () => {
    db.addColumn('posts', 'made', { type: 'datetime' }, () => {
      db.removeColumn('users', 'old', cb)
    })
  })
}
exports.down = function (db, cb) { db.runSql('DROP TABLE posts', cb) }
""",
    }
    (schema,) = read_schemas(data_of(files))
    found = {table.name: columns(table) for table in schema.database.tables.values()}
    assert found == {
        "users": {"id": ("integer", False), "name": ("varchar", True)},
        "posts": {"id": ("int", True), "title": ("text", False), "made": ("timestamp", True)},
    }


def test_keys_and_changed_columns_of_db_migrate() -> None:
    files = {
        "migrations/1-berths.js": """
exports.up = function (db, cb) {
  db.createTable('harbours', { code: { type: 'string', length: 12, primaryKey: true } }, cb)
  db.createTable('berths', {
    columns: {
      id: { type: 'bigint', primaryKey: true, autoIncrement: true },
      number: { type: 'string', length: 40, unique: true },
      price: { type: 'int', defaultValue: 0 },
      harbour: {
        type: 'string',
        foreignKey: { name: 'berths_harbour_fk', table: 'harbours', rules: { onDelete: 'CASCADE' }, mapping: 'code' },
      },
    },
    ifNotExists: true,
  }, cb)
  db.addIndex('berths', 'berths_by_price', ['price', 'harbour'], true, cb)
  db.addIndex('berths', 'berths_gone', 'price', cb)
}
exports.down = function (db, cb) { return db.dropTable('berths', cb) }
""",
        "migrations/2-stays.js": """
exports.up = async function (db) {
  await db.createTable('stays', { berth: { type: 'int', primaryKey: true }, day: { type: 'date', primaryKey: true } })
  await db.addForeignKey('stays', 'berths', 'stays_berth_fk', { berth: 'id' }, { onDelete: 'SET NULL', onUpdate: 'CASCADE' })
  await db.changeColumn('berths', 'price', { type: 'bigint', notNull: true })
  await db.changeColumn('berths', 'number', { type: 'text', unique: false })
  await db.removeIndex('berths', 'berths_gone')
}
exports.down = async (db) => { await db.removeForeignKey('stays', 'stays_berth_fk') }
""",
    }
    (schema,) = read_schemas(data_of(files))
    berths, stays = (schema.database.tables["", name] for name in ("berths", "stays"))
    assert columns(berths) == {
        "id": ("bigserial", False), "number": ("text", True), "price": ("bigint", False), "harbour": ("varchar", True)
    }  # fmt: skip
    assert {(key.kind, key.name, tuple(key.columns)) for key in berths.constraints.values()} == {
        ("primary key", "berths_pkey", ("id",)),
        ("foreign key", "berths_harbour_fk", ("harbour",)),
    }
    assert [(index.name, index.columns, index.is_unique) for index in berths.indexes.values()] == [
        ("berths_by_price", ["price", "harbour"], True)
    ]
    keys = [(key.name, key.target, key.target_columns, key.on_delete, key.on_update) for key in stays.constraints.values()]
    assert keys == [
        ("stays_pkey", None, [], "", ""),
        ("stays_berth_fk", ("", "berths"), ["id"], "SET NULL", "CASCADE"),
    ]


def test_of_the_branches_of_a_migration_for_several_dialects_one_counts() -> None:
    text = """
import { MigrationInterface, QueryRunner } from 'typeorm'

export class Boats1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner) {
    await runner.query(`CREATE TABLE "crews" ("id" uuid)`)
    switch (config.db.type) {
      case DbType.MYSQL: {
        await runner.query('CREATE TABLE `boats` (`id` varchar(36), `berthNumber` int)')
        break
      }
      case 'sqlite':
        await runner.query('CREATE TABLE boats (id text, berth text)') // case "postgres":
        break
      case DbType.POSTGRES:
        for (const each of ['}']) { await runner.query(`CREATE TABLE "boats" ("id" uuid, "berth_number" integer)`) }
        break
      default:
        throw new Error("no such database: " + config.db.type)
    }
    switch (config.size) {
      case Size.SMALL: await runner.query('ALTER TABLE crews ADD COLUMN small boolean')
    }
    await runner.query('ALTER TABLE crews ADD COLUMN name text')
  }
  async down(runner: QueryRunner) {
    switch (config.db.type) { case DbType.MYSQL: await runner.query('DROP TABLE boats') }
  }
}
"""
    (schema,) = read_schemas(data_of({"src/migrations/1700000000001-boats.ts": text}))
    found = {table.name: columns(table) for table in schema.database.tables.values()}
    assert found == {
        "boats": {"id": ("uuid", True), "berth_number": ("integer", True)},
        "crews": {"id": ("uuid", True), "small": ("boolean", True), "name": ("text", True)},
    }


@pytest.mark.parametrize("piece", ["case 'mysql': {", "} case x", "'", "`", "/*", "case mysql: }", "case "])
def test_finding_the_branches_of_dialects_is_linear(piece: str) -> None:
    assert is_linear(
        lambda count: processor_seconds(lambda: DialectBranches(b"switch (a) { case 1: " + piece.encode() * count)), 4_000
    )
