"""Tables that migrations copy in order to change them, as SQLite requires, stay the tables that they were."""

from __future__ import annotations

from astrolabe.ingest.data.schemas.database import Database
from astrolabe.ingest.data.schemas.databases import read_schemas
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.facts.data import DataFacts
from astrolabe.ingest.languages.extraction import extract_facts

FIRST = """CREATE TABLE readers (
    id integer PRIMARY KEY,
    name text,
    note text
);
CREATE TABLE loans (id integer PRIMARY KEY, reader integer REFERENCES readers (id) ON DELETE CASCADE);
"""
NEW_FIRST = """CREATE TABLE new_readers (
    id integer PRIMARY KEY,
    name text NOT NULL,
    town text
);
INSERT INTO new_readers (id, name) SELECT id, name FROM readers;
DROP TABLE readers;
ALTER TABLE new_readers RENAME TO readers;
CREATE INDEX readers_by_town ON readers (town);
"""
OLD_FIRST = """ALTER TABLE readers RENAME TO old_readers;
CREATE TABLE readers (
    id integer PRIMARY KEY,
    name text NOT NULL,
    town text
);
INSERT INTO readers (id, name) SELECT id, name FROM old_readers;
DROP TABLE old_readers;
CREATE INDEX readers_by_town ON readers (town);
"""


def database(*migrations: str) -> Database:
    data: dict[str, DataFacts] = {}
    for number, text in enumerate(migrations, 1):
        facts = extract_facts(text.encode(), "sql").data
        assert facts is not None
        data[f"migrations/{number:04}_step.sql"] = facts
    (schema,) = read_schemas(data)
    return schema.database


def life(table: Table, column: str) -> list[tuple[str, int, int]]:
    """Return kind, file and line of the events of a column; "" is the table itself."""
    events = table.columns[column].events if column else table.events
    return [(event.kind, event.file, event.line) for event in events]


def check(found: Database, *, renamed: bool) -> None:
    readers = found.tables["", "readers"]
    assert set(found.tables) == {("", "readers"), ("", "loans")}
    assert readers.place.file == 0
    assert [(each.name, each.nullable, each.place.file) for each in readers.columns.values()] == [
        ("id", False, 0),
        ("name", False, 0),
        ("town", True, 1),
    ]
    first, line = ("renamed", 2) if renamed else ("altered", 1)
    assert life(readers, "")[:2] == [("created", 0, 1), (first, 1, 1)]
    assert not any(event.kind == "dropped" for event in readers.events)
    assert life(readers, "name") == [("created", 0, 3), ("altered", 1, line + 2)]
    assert life(readers, "town") == [("created", 1, line + 3)]
    dropped = {(table.name, column.name): column for table, column in found.dropped_columns}
    assert [event.kind for event in dropped["readers", "note"].events] == ["created", "dropped"]
    assert list(readers.indexes) == ["readers_by_town"]
    (key,) = [each for each in found.tables["", "loans"].constraints.values() if each.kind == "foreign key"]
    assert (key.target, key.on_delete) == (("", "readers"), "CASCADE")


def test_a_new_table_that_takes_the_name_of_the_dropped_one_continues_it() -> None:
    check(database(FIRST, NEW_FIRST), renamed=False)


def test_a_table_that_is_renamed_and_copied_is_continued_by_its_copy() -> None:
    check(database(FIRST, OLD_FIRST), renamed=True)


def test_a_copy_may_refer_to_the_table_that_it_replaces() -> None:
    first = "CREATE TABLE notes (id INTEGER PRIMARY KEY, above INTEGER REFERENCES notes (id));"
    second = """CREATE TABLE new_notes (id INTEGER PRIMARY KEY, above INTEGER REFERENCES notes (id), text TEXT);
INSERT INTO new_notes SELECT id, above, '' FROM notes;
DROP TABLE notes;
ALTER TABLE new_notes RENAME TO notes;
"""
    (notes,) = database(first, second).tables.values()
    keys = [(each.columns, each.target) for each in notes.constraints.values() if each.kind == "foreign key"]
    assert keys == [(["above"], ("", "notes"))]


def test_the_copy_is_a_dropped_table_under_its_own_name() -> None:
    (copy,) = database(FIRST, NEW_FIRST).dropped_tables
    assert (copy.name, copy.place.file) == ("new_readers", 1)
    assert list(copy.columns) == ["id", "name"]
    assert [event.kind for event in copy.events] == ["created", "renamed", "dropped"]


def test_a_table_can_be_copied_again() -> None:
    again = NEW_FIRST.replace("town text\n", "town text,\n    street text\n").replace("INDEX readers_by_town", "INDEX by_street")
    readers = database(FIRST, NEW_FIRST, again).tables["", "readers"]
    assert [(name, column.place.file) for name, column in readers.columns.items()] == [
        ("id", 0),
        ("name", 0),
        ("town", 1),
        ("street", 2),
    ]


def test_another_table_that_takes_the_name_later_is_a_table_of_its_own() -> None:
    found = database(FIRST, "DROP TABLE readers;", "CREATE TABLE people (age int, id int); ALTER TABLE people RENAME TO readers;")
    assert found.tables["", "readers"].place.file == 2
    assert "readers" in {table.name for table in found.dropped_tables}
    unlike = "CREATE TABLE counts (total int); DROP TABLE readers; ALTER TABLE counts RENAME TO readers;"
    assert database(FIRST, unlike).tables["", "readers"].place.file == 1


def test_a_dropped_table_whose_copy_code_made_at_run_time_stays() -> None:
    """Nothing is known of the columns of the copy, so the table keeps those that it had."""
    found = database(FIRST, "DROP TABLE readers;\nALTER TABLE made_readers RENAME TO readers;")
    assert list(found.tables["", "readers"].columns) == ["id", "name", "note"]
    assert life(found.tables["", "readers"], "") == [("created", 0, 1), ("altered", 1, 2)]
    assert [each.target for each in found.tables["", "loans"].constraints.values() if each.kind == "foreign key"] == [
        ("", "readers")
    ]
    assert not found.dropped_tables
    later = database(FIRST, "DROP TABLE readers;", "ALTER TABLE made_readers RENAME TO readers;")
    assert ("", "readers") not in later.tables


def test_temporary_tables_are_gone_at_the_end() -> None:
    found = database(FIRST, "CREATE TEMPORARY TABLE kept AS SELECT * FROM readers; DROP TABLE kept;")
    assert ("", "kept") not in found.tables
    assert [table.name for table in found.dropped_tables] == ["kept"]


def test_a_table_can_take_a_name_that_a_statement_elsewhere_has_freed() -> None:
    """Each migration keeps the table before as `old_readers`, and a person drops that table by hand before the next one."""
    renamed = "CREATE TABLE new_readers ({columns}); RENAME TABLE readers TO old_readers; RENAME TABLE new_readers TO readers;"
    found = database(
        FIRST,
        renamed.format(columns="id int, name text, town text"),
        renamed.format(columns="id int, name text, town text, street text"),
    )
    assert {key[1] for key in found.tables} >= {"readers", "old_readers"}
    assert "new_readers" not in {key[1] for key in found.tables}
    assert list(found.tables["", "readers"].columns) == ["id", "name", "town", "street"]
    assert list(found.tables["", "old_readers"].columns) == ["id", "name", "town"]


def test_a_table_can_be_renamed_to_its_own_name_in_other_letters() -> None:
    assert database(FIRST, 'ALTER TABLE readers RENAME TO "Readers";').tables["", "readers"].name == "Readers"
