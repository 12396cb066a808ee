"""Databases from files of SQL: their state after all migrations, and what uses them."""

from __future__ import annotations

import pytest
from astrolabe.ingest.data.schemas.databases import read_schemas
from astrolabe.ingest.data.schemas.edges import data_edges
from astrolabe.ingest.data.schemas.migrations import file_sets
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.facts.data import DataFacts
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.graph_content import joined
from linear_time import is_linear, processor_seconds


def facts_of(text: str) -> FileFacts:
    return extract_facts(text.encode(), "sql")


def data_of(files: dict[str, str]) -> dict[str, DataFacts]:
    return {path: data for path, text in files.items() if (data := facts_of(text).data) is not None}


def tables_of(files: dict[str, str]) -> dict[str, Table]:
    (schema,) = read_schemas(data_of(files))
    return {table.name: table for table in schema.database.tables.values()}


def columns_of(table: Table) -> list[tuple[str, str, bool]]:
    return [(column.name, column.type, column.nullable) for column in table.columns.values()]


LIBRARY = {
    "db/migrations/1_readers.up.sql": """
        CREATE TABLE readers (
            id bigserial PRIMARY KEY,
            card varchar(12) NOT NULL UNIQUE,
            town text DEFAULT 'Oslo',
            note text
        );
        CREATE TABLE loans (
            reader_id bigint REFERENCES readers ON DELETE CASCADE,
            book int NOT NULL,
            PRIMARY KEY (reader_id, book)
        );
        CREATE INDEX loans_by_book ON loans (book);
    """,
    "db/migrations/1_readers.down.sql": "DROP TABLE loans; DROP TABLE readers;",
    "db/migrations/2_names.up.sql": """
        ALTER TABLE readers ADD COLUMN name text NOT NULL, DROP COLUMN note, ALTER COLUMN town SET NOT NULL;
        ALTER TABLE readers RENAME COLUMN card TO number;
    """,
    "db/migrations/10_borrowings.up.sql": "ALTER TABLE loans RENAME TO borrowings;",
}


def test_migrations_run_in_order_and_down_migrations_do_not() -> None:
    tables = tables_of(LIBRARY)
    assert columns_of(tables["readers"]) == [
        ("id", "bigserial", False),
        ("number", "varchar(12)", False),
        ("town", "text", False),
        ("name", "text", False),
    ]
    assert columns_of(tables["borrowings"]) == [("reader_id", "bigint", False), ("book", "int", False)]
    key = next(each for each in tables["borrowings"].constraints.values() if each.kind == "foreign key")
    assert (key.name, key.columns, key.target, key.target_columns, key.on_delete) == (
        "loans_reader_id_fkey",
        ["reader_id"],
        ("", "readers"),
        ["id"],
        "CASCADE",
    )
    assert [each.columns for each in tables["borrowings"].indexes.values()] == [["book"]]


def test_statements_name_long_names_as_postgres_keeps_them() -> None:
    long = "loans_that_readers_of_the_town_library_have_not_returned_in_time_idx"
    files = {
        **LIBRARY,
        "db/migrations/11_late.up.sql": f"""
            CREATE INDEX {long} ON borrowings (reader_id);
            CREATE INDEX {long.replace("loans", "books")} ON borrowings (book);
            ALTER TABLE borrowings ADD CONSTRAINT {long.replace("idx", "check")} CHECK (book > 0);
        """,
        "db/migrations/12_short.up.sql": f"""
            ALTER INDEX {long[:63]} RENAME TO late;
            DROP INDEX {long.replace("loans", "books")};
            ALTER TABLE borrowings DROP CONSTRAINT {long[:63]};
        """,
    }
    table = tables_of(files)["borrowings"]
    assert sorted(table.indexes) == ["late", "loans_by_book"]
    assert [each.kind for each in table.constraints.values()] == ["foreign key", "primary key"]


def test_a_column_knows_where_it_was_created_renamed_and_dropped() -> None:
    edges = joined(list(data_edges(data_of(LIBRARY), lambda path, symbol: f"{path}#{symbol}").values()))
    events = [(each.name, each.kind, each.to_path.rpartition("/")[2]) for each in edges.schema_events]
    assert [each for each in events if each[0] in ("number", "note")] == [
        ("number", "created", "1_readers.up.sql"),
        ("number", "renamed", "2_names.up.sql"),
        ("note", "created", "1_readers.up.sql"),
        ("note", "dropped", "2_names.up.sql"),
    ]
    assert [each.position for each in edges.columns if each.name == "note"] == [-1]


def test_a_file_that_only_drops_beside_a_schema_does_not_come_after_it() -> None:
    files = {
        "db/readers/create.sql": "CREATE TABLE readers (id int PRIMARY KEY, town text);",
        "db/readers/drop.sql": "DROP INDEX IF EXISTS by_town; DROP TABLE readers;",
        "db/readers/extend.sql": "ALTER TABLE readers ADD COLUMN card text, DROP COLUMN town;",
    }
    assert list(tables_of(files)["readers"].columns) == ["id", "card"]


def test_queries_and_views_read_and_modify_tables_and_columns() -> None:
    files = {
        **LIBRARY,
        "db/queries.sql": """
-- name: Late :many
SELECT r.name, b.book FROM readers r JOIN borrowings b ON b.reader_id = r.id WHERE town = $1;
-- name: Move :exec
UPDATE readers SET town = $1 WHERE id = $2;
-- name: Other :one
SELECT * FROM nowhere;
""",
    }
    data = data_of(files)
    names = {path: [symbol.name for symbol in facts_of(text).symbols] for path, text in files.items()}
    edges = joined(list(data_edges(data, lambda path, symbol: names[path][symbol]).values()))
    found = sorted((each.from_id, each.to_id, "modifies" if each.modifies else "reads") for each in edges.data_uses)
    assert found == [
        ("Late", "book", "reads"),
        ("Late", "id", "reads"),
        ("Late", "loans", "reads"),
        ("Late", "name", "reads"),
        ("Late", "reader_id", "reads"),
        ("Late", "readers", "reads"),
        ("Late", "town", "reads"),
        ("Move", "id", "reads"),
        ("Move", "readers", "modifies"),
        ("Move", "town", "modifies"),
    ]


def test_a_schema_file_beside_migrations_is_the_same_database() -> None:
    dump = "CREATE TABLE public.readers (id bigint NOT NULL, number text); CREATE TABLE public.borrowings (book int);"
    edges = joined(
        list(data_edges(data_of({**LIBRARY, "db/schema.sql": dump}), lambda path, symbol: f"{path}#{symbol}").values())
    )
    assert [(each.from_id, each.to_id.partition("#")[0]) for each in edges.data_mappings] == [
        ("db/schema.sql#0", "db/migrations/1_readers.up.sql"),
        ("db/schema.sql#1", "db/migrations/1_readers.up.sql"),
        ("db/schema.sql#2", "db/migrations/1_readers.up.sql"),
        ("db/schema.sql#3", "db/migrations/1_readers.up.sql"),
        ("db/schema.sql#4", "db/migrations/1_readers.up.sql"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CREATE TABLE `a` (`id` int NOT NULL AUTO_INCREMENT, KEY `k` (`id`)) ENGINE=InnoDB;", [("id", "int", False)]),
        (
            "CREATE TABLE a (key varchar(12) NOT NULL, index numeric(3, 1), KEY k (key), INDEX (index))",
            [("key", "varchar(12)", False), ("index", "numeric(3, 1)", True)],
        ),
        ("CREATE TABLE [dbo].[a] ([Id] INT IDENTITY(1,1) NOT NULL);\nGO\n", [("Id", "INT", False)]),
        ("CREATE TABLE a (tags text[] NOT NULL, p numeric(3, 1))", [("tags", "text[]", False), ("p", "numeric(3, 1)", True)]),
        ("CREATE TABLE a (x int); CREATE TABLE b (LIKE a); DROP TABLE a; ALTER TABLE b RENAME TO a", [("x", "int", True)]),
        ('CREATE TABLE a (x int CHECK (x IN (1, 2)) DEFAULT (3), y text COLLATE "C")', [("x", "int", True), ("y", "text", True)]),
        ("CREATE TYPE m AS ENUM ('u'); CREATE TABLE a (x m); ALTER TYPE m RENAME TO n;", [("x", "n", True)]),
        (
            'CREATE TYPE "public"."m" AS ENUM (\'u\'); CREATE TABLE a (x "public"."m"[], y s.m); ALTER TYPE "m" RENAME TO "n";',
            [("x", '"public".n[]', True), ("y", "s.m", True)],
        ),
        ("CREATE TABLE a (x int);\nALTER TABLE a MODIFY x bigint NOT NULL;", [("x", "bigint", False)]),
        ("CREATE TABLE a (x int); DO $$ BEGIN ALTER TABLE a ADD COLUMN y int; END $$;", [("x", "int", True), ("y", "int", True)]),
        ("CREATE COLUMN TABLE a (x int);", [("x", "int", True)]),
        ("CREATE DYNAMIC TABLE a (x int) TARGET_LAG = '1 day' WAREHOUSE = w;", [("x", "int", True)]),
    ],
)
def test_forms_of_dialects(text: str, expected: list[tuple[str, str, bool]]) -> None:
    assert columns_of(tables_of({"schema.sql": text})["a"]) == expected


@pytest.mark.parametrize(
    "schema",
    ["@library", "${library}", "${flyway:defaultSchema}", "&library.", ":library", "$(library)", "{{ library }}", "<library>"],
)
def test_a_placeholder_may_stand_for_the_schema(schema: str) -> None:
    text = f"CREATE TABLE {schema}.a (x int);\nALTER TABLE {schema}.a ADD y int;\nSELECT y FROM {schema}.a WHERE x = 1;"
    facts = facts_of(text)
    assert columns_of(tables_of({"schema.sql": text})["a"]) == [("x", "int", True), ("y", "int", True)]
    assert facts.data is not None
    assert [(use.name.name, use.name.schema) for query in facts.data.queries for use in query.uses] == [("a", "")]
    assert next(symbol.signature for symbol in facts.symbols if symbol.name == "a") == f"CREATE TABLE {schema}.a (x int)"


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("CREATE PROCEDURE p AS\n  PRAGMA AUTONOMOUS_TRANSACTION;\nBEGIN NULL; END;", "oracle"),
        ("PRAGMA foreign_keys = ON;", "sqlite"),
        ("SET DEFINE OFF\nCREATE TABLE a (x date);", "oracle"),
        ("INSERT INTO a VALUES ('a serial number');", ""),
        ("/* The character set is that of the database. */ CREATE TABLE a (x varchar2(20));", "oracle"),
        ("/*!40101 SET NAMES utf8 */;\nCREATE TABLE a (x int);", "mysql"),
        ("CREATE TABLE `a` (`x` nvarchar(20));", "mysql"),
        ("CREATE TABLE a (x nvarchar(20));", "tsql"),
        ("DELIMITER $$\nCREATE PROCEDURE p() BEGIN END$$", "mysql"),
        ("CREATE TABLE warehouse (variant varchar(9), stage text REFERENCES variant, task int);", ""),
        ("SELECT items:price::variant FROM orders", "snowflake"),
        ("COPY a FROM 'a.csv'\n  DELIMITER ',';", ""),
        ("CREATE TABLE a (x int AUTOINCREMENT START 1 INCREMENT 1);", "snowflake"),
        ("CREATE FUNCTION f() RETURNS STRING LANGUAGE PYTHON RUNTIME_VERSION = '3.11' AS $$\npass\n$$;", "snowflake"),
        ("CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN END $$;", "postgres"),
    ],
)
def test_a_dialect_is_known_by_its_code_and_not_by_comments_and_strings(text: str, dialect: str) -> None:
    data = facts_of(text).data
    assert (data.dialect if data is not None else "") == dialect


def test_statements_with_many_rows_and_types_with_time_zones_are_read() -> None:
    rows = ", ".join(f"({number}, 'Tove''s')" for number in range(10_000))
    facts = facts_of(f"INSERT INTO readers (id, name) VALUES {rows};\nSELECT id FROM readers;")
    assert facts.data is not None
    assert [(query.statement, query.uses[0].name.name) for query in facts.data.queries] == [
        ("insert", "readers"),
        ("select", "readers"),
    ]
    routine = "DECLARE day timestamp with time zone; BEGIN DELETE FROM loans WHERE ends < day; END"
    loans = facts_of(f"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ {routine} $$;").data
    assert loans is not None
    assert [query.statement for query in loans.queries] == ["delete"]


def test_migrations_of_releases_run_in_the_order_of_their_folders() -> None:
    tables = tables_of(
        {
            "store/sqlite/0.9/00__users.sql": "CREATE TABLE users (id int);",
            "store/sqlite/0.10/00__names.sql": "ALTER TABLE users ADD COLUMN name text;",
            "store/sqlite/0.10/01__names.sql": "ALTER TABLE users RENAME COLUMN name TO full_name;",
            "store/sqlite/0.11/00__people.sql": "ALTER TABLE users RENAME TO people;",
        }
    )
    assert [column for column, *_ in columns_of(tables["people"])] == ["id", "full_name"]
    assert list(tables) == ["people"]


def test_migrations_of_a_release_may_be_in_several_folders() -> None:
    tables = tables_of(
        {
            "migration/3.0.0/ddl/V3.0.0_1__boats.sql": "CREATE TABLE boats (id int, name text);",
            "migration/3.0.0/dml/V3.0.0_1_1__data.sql": "ALTER TABLE boats ADD COLUMN crew int;",
            "migration/3.1.0/ddl/V3.1.0_1__boats.sql": "ALTER TABLE boats RENAME COLUMN name TO title;",
        }
    )
    assert [column for column, *_ in columns_of(tables["boats"])] == ["id", "title", "crew"]


def test_tables_of_mysql_may_have_indexes_of_the_same_name() -> None:
    text = (
        "CREATE TABLE boats (id int, name text, KEY by_name (name)) ENGINE=InnoDB;\n"
        "CREATE TABLE piers (id int, name text, KEY by_name (name), KEY by_id (id)) ENGINE=InnoDB;\n"
        "CREATE INDEX by_both USING BTREE ON piers (id, name);\n"
    )
    found = tables_of({"schema.sql": text})
    assert [sorted(found[name].indexes) for name in ("boats", "piers")] == [["by_name"], ["by_both", "by_id", "by_name"]]


def test_keys_without_names_have_the_names_of_mysql() -> None:
    """A later statement drops them by these names."""
    text = """
        CREATE TABLE piers (id int UNIQUE PRIMARY KEY, town varchar(40) UNIQUE, KEY (town), UNIQUE (town, id)) ENGINE=InnoDB;
        CREATE TABLE boats (
            id int PRIMARY KEY, pier int, crew int, name varchar(9),
            FOREIGN KEY (pier) REFERENCES piers (id),
            FOREIGN KEY (crew) REFERENCES piers (id),
            KEY by_both (pier, name)
        );
        ALTER TABLE boats DROP FOREIGN KEY boats_ibfk_1;
        ALTER TABLE boats ADD FOREIGN KEY (pier) REFERENCES piers (id) ON DELETE CASCADE;
        ALTER TABLE piers DROP INDEX town_3;
        ALTER TABLE boats DROP COLUMN name;
        RENAME TABLE boats TO ships;
    """
    found = tables_of({"db/mysql/1_piers.sql": text})
    assert [(each.name, each.columns) for each in found["piers"].constraints.values()] == [
        ("PRIMARY", ["id"]),
        ("town", ["town"]),
    ]
    assert list(found["piers"].indexes) == ["town_2"]
    ships = found["ships"]
    assert [(each.name, each.columns) for each in ships.constraints.values()] == [
        ("PRIMARY", ["id"]),
        ("ships_ibfk_2", ["crew"]),
        ("ships_ibfk_3", ["pier"]),
    ]
    assert [(each.name, each.columns) for each in ships.indexes.values()] == [("by_both", ["pier"])]


def test_sqlite_admits_constraints_without_commas() -> None:
    text = (
        "CREATE TABLE pages (book int, place int,\n PRIMARY KEY (book, place)\n FOREIGN KEY (book) REFERENCES books (id) "
        "ON DELETE CASCADE\n CONSTRAINT positive CHECK (place > 0));"
    )
    table = tables_of({"schema.sql": f"CREATE TABLE books (id int PRIMARY KEY);{text}"})["pages"]
    assert [(each.kind, each.columns) for each in table.constraints.values()] == [
        ("primary key", ["book", "place"]),
        ("foreign key", ["book"]),
        ("check", []),
    ]
    assert next(each.on_delete for each in table.constraints.values() if each.kind == "foreign key") == "CASCADE"


def test_a_broken_statement_is_a_problem_with_its_line_and_the_rest_stands() -> None:
    facts = facts_of("CREATE TABLE a (x int;\nCREATE TABLE b (y int);\nSELECT 'open")
    assert [(problem.line, problem.reason.partition(" of")[0]) for problem in facts.problems] == [
        (1, "a parenthesis"),
        (3, "a string"),
    ]
    assert [symbol.name for symbol in facts.symbols if symbol.kind == "table"] == ["a", "b"]


def test_rows_of_data_are_no_statements() -> None:
    rows = "1\tO'Neil; DROP TABLE a;\n" * 3
    facts = facts_of(f"CREATE TABLE a (x int);\nCOPY a FROM stdin;\n{rows}\\.\n\nCREATE TABLE b (y int);\n")
    assert [symbol.name for symbol in facts.symbols if symbol.kind == "table"] == ["a", "b"]
    assert facts.problems == []


@pytest.mark.parametrize(
    "part",
    ["/* ", "$a$\nGO\n", "'", "(", "CREATE TABLE a (", "SELECT * FROM (", '"', "INSERT INTO a VALUES ('", "/*", "<a", "{{ a"],
)
def test_hostile_text_takes_linear_time(part: str) -> None:
    assert is_linear(lambda count: processor_seconds(lambda: facts_of(part * count)), 30_000 // len(part), times=4)


def test_parts_and_keys_follow_a_renamed_table() -> None:
    tables = tables_of(
        {
            "a.sql": """
                CREATE TABLE visits (day date NOT NULL PRIMARY KEY) PARTITION BY RANGE (day);
                CREATE TABLE visits_2026 PARTITION OF visits FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
                CREATE TABLE notes (day date REFERENCES visits (day));
                ALTER TABLE visits RENAME TO stays;
                ALTER TABLE stays ADD COLUMN guest text;
                ALTER TABLE stays RENAME COLUMN day TO night;
                CREATE TABLE drafts (night date REFERENCES stays);
                DROP TABLE drafts;
            """
        }
    )
    assert [name for name, _, _ in columns_of(tables["visits_2026"])] == ["day", "guest"]
    (key,) = tables["notes"].constraints.values()
    assert (key.target, key.target_columns) == (("", "stays"), ["night"])


def test_a_table_that_exists_keeps_its_columns_and_keys() -> None:
    tables = tables_of(
        {
            "db/migrations/1_crews.up.sql": "CREATE TABLE crews (id text PRIMARY KEY, harbour text NOT NULL UNIQUE);",
            "db/migrations/2_again.up.sql": """
            CREATE TABLE IF NOT EXISTS crews (id text PRIMARY KEY, harbour text NOT NULL UNIQUE, flag text);
            ALTER TABLE crews ADD COLUMN captain text;
            CREATE TABLE IF NOT EXISTS boats (id text PRIMARY KEY);
        """,
        }
    )
    assert list(tables["crews"].columns) == ["id", "harbour", "captain"]
    assert list(tables["crews"].constraints) == ["crews_pkey", "crews_harbour_key"]
    assert list(tables["boats"].constraints) == ["boats_pkey"]


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("postgres", [("primary key", "one_name"), ("unique", "codes_name_key")]),
        ("sqlite", [("primary key", "one_name"), ("unique", "codes_name_key")]),
        ("mysql", [("primary key", "PRIMARY"), ("unique", "one_name"), ("unique", "name")]),
    ],
)
def test_two_keys_over_the_same_columns_are_one_key_but_in_mysql(dialect: str, expected: list[tuple[str, str]]) -> None:
    text = "CREATE TABLE codes (name text UNIQUE, code text PRIMARY KEY, CONSTRAINT one_name UNIQUE (code));"
    keys = tables_of({f"db/{dialect}/1_codes.sql": text})["codes"].constraints.values()
    assert sorted((key.kind, key.name) for key in keys) == sorted(expected)


def test_two_keys_without_names_are_one_key_with_the_name_of_a_primary_key() -> None:
    (key,) = tables_of({"db/1_codes.sql": "CREATE TABLE codes (code text PRIMARY KEY, UNIQUE (code));"})[
        "codes"
    ].constraints.values()
    assert (key.kind, key.name) == ("primary key", "codes_pkey")


def test_migrations_with_dates_run_in_the_order_of_time_however_the_time_is_written() -> None:
    names = (
        "2024-02-26-170000_a",
        "2024-03-06-1700_b",
        "2024-03-13_170000_c",
        "2024-03-14_d",
        "2024-03-14.1_e",
        "2025-08-20-120000-0002_f",
    )
    (found,) = file_sets(f"migrations/{name}/up.sql" for name in reversed(names))
    assert [path.split("/")[1] for path in found.paths] == list(names)


def test_a_key_that_a_block_adds_again_is_one_key() -> None:
    text = """
        CREATE TABLE calls (place serial PRIMARY KEY, topic text);
        DO $$ BEGIN
            IF NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = 'calls_pkey') THEN
                ALTER TABLE calls ADD PRIMARY KEY (place);
            END IF;
        END $$;
    """
    assert list(tables_of({"migrations/1_calls.sql": text})["calls"].constraints) == ["calls_pkey"]


def test_many_migrations_take_linear_time() -> None:
    """Each migration adds a table with a key, a column and a view to the others, and renames a table."""

    def migration(number: int) -> str:
        return (
            f"CREATE TABLE t{number} (id int PRIMARY KEY, other int REFERENCES t{max(0, number - 1)});"
            f"ALTER TABLE t{number} ADD COLUMN more text; CREATE INDEX i{number} ON t{number} (other);"
            f"ALTER TABLE t{number} RENAME TO u{number}; ALTER TABLE u{number} RENAME TO t{number};"
        )

    data = data_of({f"migrations/{number:05d}_step.sql": migration(number) for number in range(1_600)})

    def seconds(count: int) -> float:
        part = dict(list(data.items())[0:count])
        return processor_seconds(lambda: read_schemas(part))

    assert is_linear(seconds, 400, times=4)


def test_migrations_with_a_letter_before_their_version_run_in_the_order_of_numbers() -> None:
    names = ("v0.0.0.sql", "v2.8.9.sql", "v2.8.10.sql", "v2.10.1_names.sql", "V11.sql")
    (found,) = file_sets(f"db/migrations/{name}" for name in sorted(names))
    assert [path.rpartition("/")[2] for path in found.paths] == list(names)
    assert [each.is_migrations for each in file_sets(("db/v1.sql", "db/v10.sql"))] == [False]


def test_a_changed_column_of_a_primary_key_is_never_null() -> None:
    text = (
        "CREATE TABLE stays (berth int PRIMARY KEY, note text NOT NULL); ALTER TABLE stays MODIFY berth bigint, MODIFY note text;"
    )
    assert columns_of(tables_of({"db/mysql/1_stays.sql": text})["stays"]) == [("berth", "bigint", False), ("note", "text", True)]
