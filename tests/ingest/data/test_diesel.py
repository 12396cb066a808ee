"""Diesel: tables in its macros, and the statements that functions build with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.rust.databases.diesel_statements import add_statements
from astrolabe.ingest.languages.rust.databases.diesel_tables import add_tables
from data_uses import uses_of
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

PROJECT = """
//- migrations/2023-01-05-101010_boats/up.sql
CREATE TABLE piers (id SERIAL PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE boats (id SERIAL PRIMARY KEY, type TEXT NOT NULL, pier_id INTEGER REFERENCES piers (id));
//- migrations/20221231000000_first/up.sql
CREATE TABLE crews (id SERIAL PRIMARY KEY);
//- migrations/2023-01-05-101011_crews/up.sql
ALTER TABLE crews ADD COLUMN size INTEGER;
//- migrations/2023-01-06-101011-0000_captains/up.sql
ALTER TABLE crews ADD COLUMN captain TEXT;
//- migrations/20230107000000_sizes/up.sql
ALTER TABLE crews RENAME COLUMN captain TO skipper;
//- src/schema.rs
// @generated automatically by Diesel CLI.

diesel::table! {
    /// Boats, "moored" or not.
    boats (id) {
        id -> Int4,
        #[sql_name = "type"]
        type_ -> Text,
        pier_id -> Nullable<Int4>,
    }
}

pub mod inner {
    diesel::table! {
        piers (id) {
            id -> Int4,
            name -> Varchar,
            tags -> Nullable<Array<Nullable<Text>>>,
        }
    }
}

diesel::joinable!(boats -> piers (pier_id));
diesel::allow_tables_to_appear_in_same_query!(boats, piers,);
//- src/boats.rs
use crate::schema::{boats, piers};
use diesel::prelude::*;

pub fn moored(conn: &mut PgConnection, quote: char) -> QueryResult<Vec<String>> {
    assert!(quote != '"');
    boats::table
        .inner_join(piers::table)
        .filter(piers::name.eq("boats::table"))
        .select(boats::pier_id)
        .load(conn)
}

pub fn moor(conn: &mut PgConnection, boat: i32, pier: i32) {
    diesel::update(boats::table.filter(boats::id.eq(boat))).set(boats::pier_id.eq(pier)).execute(conn);
}

pub fn build(conn: &mut PgConnection) {
    diesel::insert_into(boats::table).values((boats::pier_id.eq(1),)).execute(conn);
    let other = 1;
}

pub fn sink(conn: &mut PgConnection) {
    use crate::schema::boats::dsl::*;
    diesel::delete(boats.filter(id.eq(3))).execute(conn);
}

pub fn boats_of(conn: &mut PgConnection) -> Vec<(Boat, Pier)> {
    boats::table.inner_join(piers::table).select((Boat::as_select(), Pier::as_select())).load(conn)
}

pub fn every(conn: &mut PgConnection) -> Vec<Boat> {
    boats::table.load::<crate::models::Boat>(conn)
}
//- src/models.rs
#[derive(Queryable, Selectable)]
#[diesel(table_name = crate::schema::boats)]
pub struct Boat {
    pub id: i32,
    #[diesel(column_name = "type")]
    pub kind: String,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = crate::schema::piers)]
pub struct Pier {
    pub name: String,
    #[diesel(embed)]
    pub tags: Tags,
}
//- src/other.rs
pub fn table() -> furniture::Table {
    boats::table
}
"""


def test_tables(tmp_path: Path) -> None:
    """Tables are declared twice: in the schema of the code, and by migrations, whose times may have dashes."""
    content = analysed(tmp_path, PROJECT)
    symbols = {symbol.id: symbol for symbol in content.symbols}
    columns = sorted(
        f"{symbols[each.from_id].qualified_name} {each.type} {each.nullable}"
        for each in content.columns
        if symbols[each.from_id].relative_path == "src/schema.rs"
    )
    assert columns == [
        "boats.id integer False",
        "boats.pier_id integer True",
        "boats.type text False",
        "inner.piers.id integer False",
        "inner.piers.name varchar False",
        "inner.piers.tags text[] True",
    ]
    keys = [(symbols[each.from_id].qualified_name, symbols[each.to_id].qualified_name) for each in content.foreign_keys]
    assert keys == [("boats.pier_id", "piers.id"), ("boats.pier_id", "inner.piers.id")]
    mapped = {(symbols[each.from_id].relative_path, symbols[each.to_id].qualified_name) for each in content.data_mappings}
    assert {("src/schema.rs", "boats"), ("src/schema.rs", "piers.name")} <= mapped
    assert {"size", "skipper"} <= {each.name for each in content.columns if symbols[each.to_id].name == "crews"}
    assert "crews.size" in {symbols[each.from_id].qualified_name for each in content.columns}


def test_statements(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "src/boats.rs") == [
        "boats_of reads boats select",
        "boats_of reads boats.type select",
        "boats_of reads piers select",
        "boats_of reads piers.name select",
        "build modifies boats insert",
        "build modifies boats.pier_id insert",
        "every reads boats select",
        "every reads boats.id select",
        "every reads boats.type select",
        "moor modifies boats update",
        "moor modifies boats.pier_id update",
        "moor reads boats.id update",
        "moored reads boats select",
        "moored reads boats.pier_id select",
        "moored reads piers select",
        "moored reads piers.name select",
        "sink modifies boats delete",
    ]
    assert uses_of(content, "src/other.rs") == []


def test_symbols_are_in_order() -> None:
    text = PROJECT.partition("//- src/schema.rs\n")[2].partition("//- ")[0]
    facts = extract_facts(text.encode(), "rust")
    lines = [symbol.start_line for symbol in facts.symbols]
    assert lines == sorted(lines)
    assert [facts.symbols[chunk.symbol].is_chunk for chunk in facts.chunks] == [True] * len(facts.chunks)
    assert [(each.kind, each.name, each.depth) for each in facts.symbols if each.kind in ("table", "column")] == [
        ("table", "boats", 0),
        ("column", "id", 1),
        ("column", "type", 1),
        ("column", "pier_id", 1),
        ("table", "piers", 1),
        ("column", "id", 2),
        ("column", "name", 2),
        ("column", "tags", 2),
    ]


@pytest.mark.parametrize(
    "part",
    [
        "diesel::table! { a (id) {",
        "a::table.set(",
        'r#"',
        "a -> Nullable<",
        "diesel::table! { a (id) { id -> Int4, } }\n",
        "use a::dsl::*; a.b(",
        "joinable!(a -> b",
        "'",
    ],
)
def test_hostile_files_take_linear_time(part: str) -> None:
    def read(text: str) -> None:
        facts = extract_facts(b"fn f() {}", "rust")
        add_tables(facts, text)
        add_statements(facts, text)

    def seconds(count: int) -> float:
        return processor_seconds(lambda: read("use diesel;" + part * count))

    assert is_linear(seconds, 15_000 // len(part), times=4)
