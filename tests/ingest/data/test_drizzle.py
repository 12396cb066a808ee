"""Tables of Drizzle: what Drizzle Kit makes of the calls that declare them."""

from __future__ import annotations

import pytest
from astrolabe.ingest.data.schemas.databases import read_mapped
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.mapped_schemas import mapped_schemas

from .mapped_models import columns, data_of, edges_by_name, foreign_keys, keys
from .mapped_models import tables as tables_of

COLUMNS = """
import { customType, pgEnum, pgTableCreator, pgSchema, timestamp, uuid } from "drizzle-orm/pg-core";

export const createTable = pgTableCreator((name) => `shop_${name}`);
export const audit = pgSchema("audit");
export const mood = pgEnum("mood", ["good", "bad"]);
export const money = customType<{ data: number }>({
    dataType: (config) => {
        if (config?.precision) return `numeric(${config.precision}, ${config.scale})`;
        return "numeric";
    },
});
export const times = {
    madeAt: timestamp("made_at", { withTimezone: true }).notNull().defaultNow(),
};
export const id = () => uuid("id").primaryKey().defaultRandom();
"""
SHOP = """
import { relations, sql } from "drizzle-orm";
import {
    type AnyPgColumn, bigint, foreignKey, index, integer, pgTable, primaryKey, serial, text, unique, uniqueIndex, varchar,
} from "drizzle-orm/pg-core";
import { audit, createTable, id, money, mood, times } from "./columns";

export const users = createTable("user", {
    id: id(),
    ...times,
    email: varchar({ length: 80 }).notNull().unique(),
    mood: mood("mood").default("good"),
    moods: mood().array(),
    parent: integer("parent_id").references((): AnyPgColumn => items.id, { onDelete: "cascade" }),
}, (table) => [
    index().on(table.email, table.mood),
    uniqueIndex("lower_email").on(sql`lower(${table.email})`),
]);

export const items = pgTable("items", (t) => ({
    id: t.serial().primaryKey(),
    price: money("price", { precision: 10, scale: 2 }),
    total: money("total"),
    size: bigint({ mode: "number" }).notNull(),
}));

export const lines = pgTable("lines", {
    item: integer("item").notNull(),
    place: integer("place").notNull(),
    above: integer("above"),
}, (table) => ({
    key: primaryKey({ columns: [table.item, table.place] }),
    pair: unique().on(table.place, table.above),
    up: foreignKey({ columns: [table.item, table.above], foreignColumns: [table.item, table.place] }).onDelete("set null"),
}));

export const log = audit.table("log", { text: text("text") });
export const itemRelations = relations(items, ({ many }) => ({ lines: many(lines) }));
"""
FILES = {"db/columns.ts": COLUMNS, "db/shop.ts": SHOP}


def tables(files: dict[str, str]) -> dict[str, Table]:
    return tables_of(files, "drizzle")


def test_columns_have_the_types_of_the_functions_that_declare_them() -> None:
    found = tables(FILES)
    assert columns(found["shop_user"]) == {
        "id": ("uuid", False),
        "made_at": ("timestamp with time zone", False),
        "email": ("varchar(80)", False),
        "mood": ("mood", True),
        "moods": ("mood[]", True),
        "parent_id": ("integer", True),
    }
    assert columns(found["items"]) == {
        "id": ("serial", False),
        "price": ("numeric(10, 2)", True),
        "total": ("numeric", True),
        "size": ("bigint", False),
    }


def test_keys_have_the_names_that_drizzle_kit_makes() -> None:
    found = tables(FILES)
    assert keys(found["shop_user"]) == [
        ("lower_email", "index"),
        ("shop_user_email_mood_index", "index"),
        ("shop_user_email_unique", "unique"),
        ("shop_user_parent_id_items_id_fk", "foreign key"),
        ("shop_user_pkey", "primary key"),
    ]
    assert keys(found["lines"]) == [
        ("lines_item_above_lines_item_place_fk", "foreign key"),
        ("lines_item_place_pk", "primary key"),
        ("lines_place_above_unique", "unique"),
    ]
    assert foreign_keys(found["lines"]) == {"item,above": ("lines", "item,place", "SET NULL")}


def test_functions_that_create_columns_take_their_names() -> None:
    files = {
        "helpers.ts": """
import { integer, text } from "drizzle-orm/sqlite-core";

export function madeAt(column = "made_at") {
    return integer(column, { mode: "timestamp" }).notNull();
}
export const state = (start: string, name: string) => text(name).default(start);
export function note() {
    return text("note_text", { length: 80 });
}
const paid = () => ({ paid: madeAt("paid_at") });
export function dates() {
    return { ...paid(), ...later() };
}
function later() {
    return { sentAt: integer("sent_at") };
}
""",
        "schema.ts": """
import { sqliteTable } from "drizzle-orm/sqlite-core";
import { dates, madeAt, note, state } from "./helpers";

export const orders = sqliteTable("orders", {
    firstMade: madeAt(),
    made: madeAt("saved_at"),
    state: state("open", "order_state"),
    note: note(),
    ...dates(),
});
""",
    }
    assert columns(tables_of(files, "drizzle")["orders"]) == {
        "made_at": ("integer", False),
        "saved_at": ("integer", False),
        "order_state": ("text", True),
        "note_text": ("text(80)", True),
        "paid_at": ("integer", False),
        "sent_at": ("integer", True),
    }


def test_tables_of_a_schema_have_it() -> None:
    assert tables(FILES)["log"].schema == "audit"


def test_casing_names_columns_without_a_name() -> None:
    client = (
        'import { drizzle } from "drizzle-orm/node-postgres";\n\nexport const db = drizzle(pool, { casing: "snake_case" });\n'
    )
    head = 'import { pgTable, text } from "drizzle-orm/pg-core";\n\n'
    table = head + 'export const a = pgTable("a", { homeTown2: text(), b: text("bB") });\n'
    assert list(columns(tables({"a.ts": table, "db.ts": client})["a"])) == ["home_town2", "bB"]
    assert list(columns(tables({"a.ts": table})["a"])) == ["homeTown2", "bB"]


@pytest.mark.parametrize(
    ("dialect", "table", "expected"),
    [
        (
            "mysql",
            'mysqlTable("a", { id: serial("id").primaryKey(), n: bigint("n", { mode: "number", unsigned: true }).notNull() })',
            {"id": ("bigint unsigned", False), "n": ("bigint unsigned", False)},
        ),
        (
            "sqlite",
            'sqliteTable("a", { id: integer("id").primaryKey(), at: integer("at", { mode: "timestamp" }) })',
            {"id": ("integer", False), "at": ("integer", True)},
        ),
    ],
)
def test_other_databases_have_their_own_types(dialect: str, table: str, expected: dict[str, tuple[str, bool]]) -> None:
    head = f'import {{ bigint, integer, mysqlTable, serial, sqliteTable }} from "drizzle-orm/{dialect}-core";\n\n'
    source = f"{head}export const a = {table};\n"
    assert columns(tables({"a.ts": source})["a"]) == expected


def test_a_column_is_a_symbol_with_all_of_its_lines() -> None:
    source = (
        'import { pgTable, text } from "drizzle-orm/pg-core";\n\nexport const a = pgTable("a", {\n'
        '    // one, two\n    b: text("b")\n        .notNull(),\n    c: text("c"),\n});\n'
    )
    facts = extract_facts(source.encode(), "typescript")
    added = [(each.name, each.start_line, each.end_line) for each in facts.symbols if each.kind == "property"]
    assert added == [("b", 5, 6), ("c", 7, 7)]
    assert all(facts.symbols[each.parent].name == "a" for each in facts.symbols if each.kind == "property")


def test_tables_map_to_those_of_migrations_and_statements_lead_to_them() -> None:
    migration = "CREATE TABLE items (id serial, price numeric);\nCREATE TABLE lines (item integer, place integer);"
    found = edges_by_name({**FILES, "drizzle/migrations/0000_all.sql": f"{migration}\nCREATE TABLE shop_user (email text);"})
    mapped = {(each.from_id, each.to_id) for each in found.data_mappings}
    assert {("items", "items"), ("price", "price"), ("email", "email"), ("users", "shop_user")} <= mapped
    query = "export const late = (db: any) => db.execute('SELECT price FROM items WHERE total > 3');\n"
    found = edges_by_name({**FILES, "report.ts": query})
    assert {(each.from_id, each.to_id) for each in found.data_uses} == {("late", "items"), ("late", "price"), ("late", "total")}


def test_what_is_no_table_of_drizzle_is_none() -> None:
    source = (
        'import { sql } from "drizzle-orm";\nimport { table } from "console";\n\nexport const a = table("a", { b: sql("x") });\n'
    )
    assert extract_facts(source.encode(), "typescript").data is None


def test_a_folder_may_declare_a_table_for_each_of_several_systems() -> None:
    postgres = """
import { pgTable, varchar } from "drizzle-orm/pg-core";
export const users = pgTable("user", { id: varchar("id"), nick: varchar() });
"""
    sqlite = """
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
export const users = sqliteTable("user", { id: text() });
"""
    facts = data_of({"schema/postgres.ts": postgres, "schema/sqlite.ts": sqlite, "schema/index.ts": 'export * from "./sqlite";'})
    found = read_mapped(facts, mapped_schemas(facts))
    assert [columns(each.database.tables["", "user"]) for each in found] == [
        {"id": ("varchar", True), "nick": ("varchar", True)},
        {"id": ("text", True)},
    ]
