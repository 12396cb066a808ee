"""Statements of SQL in the strings of code that define tables, and the code that uses these tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from astrolabe.ingest.data.schemas.edges import data_edges
from astrolabe.ingest.data.sql.code_strings import QUOTE, CodeStrings
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.workers.file_symbols import file_symbols
from astrolabe.schema.graph_content import GraphContent, joined
from astrolabe.schema.languages import language_of
from incremental_steps import check_files
from linear_time import is_linear, processor_seconds

GO = """
package store

const schema = `
CREATE TABLE IF NOT EXISTS boats (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL, -- as painted
    berth_id INTEGER REFERENCES berths(id) ON DELETE CASCADE
);
CREATE TABLE IF NOT EXISTS berths (id INTEGER PRIMARY KEY, pier TEXT);
CREATE INDEX IF NOT EXISTS boats_by_name ON boats (name);
CREATE VIEW IF NOT EXISTS moored AS SELECT name FROM boats WHERE berth_id IS NOT NULL;
`

func Find(db *sql.DB) error {
    return db.Query("SELECT name FROM boats")
}
"""


def content_of(files: dict[str, str]) -> GraphContent:
    """Return the symbols and the data edges of files."""
    facts, symbols = {}, {}
    for path, source in files.items():
        facts[path] = extract_facts(source.encode(), language_of(path) or "")
        symbols[path] = file_symbols(path, facts[path].symbols)
    data = {path: file.data for path, file in facts.items() if file.data is not None}
    edges = data_edges(data, lambda path, symbol: symbols[path][symbol].id).values()
    return joined([GraphContent(symbols=[symbol for each in symbols.values() for symbol in each]), *edges])


def tables_of(files: dict[str, str]) -> dict[str, list[str]]:
    """Return the columns of all tables, with the path: `store.go boats: id INTEGER`."""
    content = content_of(files)
    names = {symbol.id: symbol for symbol in content.symbols}
    found: dict[str, list[str]] = {}
    for edge in sorted(content.columns, key=lambda each: each.position):
        table = names[edge.to_id]
        columns = found.setdefault(f"{table.relative_path} {table.name}", [])
        if edge.position >= 0:
            columns.append(f"{edge.name} {edge.type}".strip())
    return found


def test_a_text_of_go_defines_tables_at_their_lines() -> None:
    content = content_of({"store.go": GO})
    names = {symbol.id: symbol for symbol in content.symbols}
    placed = {(each.name, each.kind): (each.start_line, each.end_line) for each in content.symbols}
    assert placed["boats", "table"] == (5, 9)
    assert placed["name", "column"] == (7, 7)
    assert placed["boats_by_name", "index"] == (11, 11)
    assert {names[each.from_id].qualified_name for each in content.columns} == {
        *("schema.boats.id", "schema.boats.name", "schema.boats.berth_id", "schema.berths.id", "schema.berths.pier"),
    }
    [key] = content.foreign_keys
    assert (names[key.from_id].name, names[key.to_id].qualified_name, key.on_delete) == (
        "berth_id",
        "schema.berths.id",
        "CASCADE",
    )
    uses = {(names[each.from_id].name, names[each.to_id].name) for each in content.data_uses}
    assert uses == {("Find", "boats"), ("Find", "name"), ("moored", "boats"), ("moored", "name"), ("moored", "berth_id")}


@pytest.mark.parametrize(
    ("path", "source", "columns"),
    [
        (
            "db/Helper.java",
            """
            class Helper extends SQLiteOpenHelper {
                static final String TABLE = "boats";
                private static final String COLUMN_ID = "_id";
                static final String CREATE = "CREATE TABLE " + TABLE + " (" + COLUMN_ID + " INTEGER PRIMARY KEY, "
                    + Columns.NAME + " TEXT NOT NULL, crew INTEGER DEFAULT 0);";
                static class Columns { static final String NAME = "name"; }
                void onCreate(SQLiteDatabase db) { db.execSQL(CREATE); }
                void onUpgrade(SQLiteDatabase db, int old, int now) {
                    db.execSQL("DROP TABLE IF EXISTS " + TABLE);
                    onCreate(db);
                }
            }
            """,
            ["_id INTEGER", "name TEXT", "crew INTEGER"],
        ),
        (
            "Migrations.kt",
            '''
            const val BOATS = "boats"
            fun create(db: Db) = db.execSQL("""CREATE TABLE IF NOT EXISTS `$BOATS` (`id` INTEGER NOT NULL, PRIMARY KEY(`id`))""")
            val MIGRATION_1_2 = object : Migration(1, 2) {
                override fun migrate(db: Db) {
                    db.execSQL("ALTER TABLE $BOATS ADD COLUMN name TEXT")
                    db.execSQL("ALTER TABLE boats RENAME COLUMN id TO number")
                }
            }
            ''',
            ["number INTEGER", "name TEXT"],
        ),
        (
            "store.py",
            '''
            MIGRATIONS = [
                "CREATE TABLE boats (id integer, title text)",
                "ALTER TABLE boats ADD COLUMN crew integer",
                """
                CREATE TABLE boats_new (id integer, name text, crew integer);
                INSERT INTO boats_new SELECT id, title, crew FROM boats;
                DROP TABLE boats;
                ALTER TABLE boats_new RENAME TO boats;
                """,
            ]

            def reset(db):
                db.execute("DROP TABLE boats")
            ''',
            ["id integer", "name text", "crew integer"],
        ),
        (
            "store.ts",
            """
            export async function create(db: Database) {
              await db.exec(`CREATE TABLE IF NOT EXISTS boats (id TEXT, name TEXT, size ${SIZE} NOT NULL)`)
            }
            export const migrations = [
              { up: "ALTER TABLE boats ADD COLUMN crew INT", down: "ALTER TABLE boats DROP COLUMN name" },
            ]
            """,
            ["id TEXT", "name TEXT", "size …", "crew INT"],
        ),
        (
            "steps.ts",
            """
            export const schema = ["CREATE TABLE boats (id TEXT, crew INT)"];
            export const migrations = [{ version: 2, statements: ["ALTER TABLE boats ADD COLUMN crew INT"] }];
            export const rollbacks = [{ version: 2, statements: ["ALTER TABLE boats DROP COLUMN crew"] }];
            """,
            ["id TEXT", "crew INT"],
        ),
        (
            "migrations/0002_boats.go",
            """
            package migrations

            func upBoats(tx *sql.Tx) error {
                _, err := tx.Exec("CREATE TABLE boats (id int); CREATE TABLE crews (id int)")
                return err
            }

            func downBoats(tx *sql.Tx) error {
                _, err := tx.Exec("DROP TABLE boats")
                return err
            }

            func upCrews(tx *sql.Tx) error {
                _, err := tx.Exec("DROP TABLE crews")
                return err
            }
            """,
            ["id int"],
        ),
        (
            "lib.rs",
            'fn create(db: &Db) {\n    db.execute_batch(r#"BEGIN; CREATE TABLE "boats" (id INTEGER)"#);\n}\n',
            ["id INTEGER"],
        ),
        (
            "search.py",
            """
            BOATS = "CREATE VIRTUAL TABLE boats USING fts5(name, pier UNINDEXED, content=other, tokenize = 'porter ascii')"
            """,
            ["name", "pier"],
        ),
        ("shop.php", "<?php\nfunction install($db) {\n  $db->exec('CREATE TABLE boats (id INT NOT NULL)');\n}\n", ["id INT"]),
    ],
)
def test_strings_of_each_language_define_tables(path: str, source: str, columns: list[str]) -> None:
    found = tables_of({path: source})
    assert found[f"{path} boats"] == columns
    assert set(found) <= {f"{path} boats", f"{path} boats_new", f"{path} crews"}


@pytest.mark.parametrize(
    "text",
    [
        "Create table failed (see the log)",
        "create table boats failed",
        "CREATE TABLE boats",
        "CREATE TABLE %s (id int)",
        "CREATE TABLE boats_${year} (id int)",
        "Drop table boats from the list",
        "create view for the owner",
        "create type of boat as text",
        "Create index on page",
    ],
)
def test_prose_and_computed_names_define_no_tables(text: str) -> None:
    content = content_of({"a.ts": f"export const text = `{text}`\n"})
    assert not content.columns
    assert not content.schema_events


def test_strings_in_tests_define_no_tables() -> None:
    inner = (
        '#[cfg(test)]\nmod tests {\n    #[test]\n    fn opens() {\n        run("CREATE TABLE boats (id INTEGER)");\n    }\n}\n'
    )
    content = content_of({"store_test.go": GO, "tests/test_store.py": 'BOATS = "CREATE TABLE boats (id int)"\n', "a.rs": inner})
    assert not content.columns
    assert {each.kind for each in content.symbols}.isdisjoint({"table", "column"})


def test_a_table_of_a_schema_file_stays_one_table() -> None:
    files = {
        "db/schema.sql": "CREATE TABLE boats (id int, name text);",
        "setup.py": 'BOATS = "CREATE TABLE boats (id int, name text)"\nLOGS = "CREATE TABLE logs (line text)"\n',
        "find.py": 'def find(db):\n    return db.execute("SELECT name, line FROM boats, logs")\n',
        "grow.py": 'def grow(db):\n    db.execute("ALTER TABLE boats ADD COLUMN crew int")\n',
        "crew.py": 'def crew(db):\n    return db.execute("SELECT crew FROM boats")\n',
    }
    content = content_of(files)
    names = {symbol.id: symbol for symbol in content.symbols}
    uses = {(names[each.from_id].name, names[each.to_id].breadcrumb) for each in content.data_uses}
    assert uses == {
        ("find", "db/schema.sql > boats"),
        ("find", "db/schema.sql > boats > name"),
        ("find", "setup.py > LOGS > logs"),
        ("find", "setup.py > LOGS > logs > line"),
        ("crew", "db/schema.sql > boats"),
        ("crew", "grow.py > grow > crew"),
    }
    mapped = {(names[each.from_id].breadcrumb, names[each.to_id].breadcrumb) for each in content.data_mappings}
    assert ("setup.py > BOATS > boats", "db/schema.sql > boats") in mapped


@pytest.mark.parametrize("other", ["b/store.py", "a/archive.py"])
def test_tables_of_two_programs_are_two_databases(other: str) -> None:
    def query(name: str) -> str:
        made = f'BOATS = "CREATE TABLE boats (id int, {name} text)"\n'
        return f'{made}def find(db):\n    return db.execute("SELECT {name} FROM boats")\n'

    content = content_of({"a/store.py": query("name"), other: query("title")})
    names = {symbol.id: symbol for symbol in content.symbols}
    uses = {(names[each.from_id].relative_path, names[each.to_id].qualified_name) for each in content.data_uses}
    assert uses == {
        *(("a/store.py", "BOATS.boats"), ("a/store.py", "BOATS.boats.name")),
        *((other, "BOATS.boats"), (other, "BOATS.boats.title")),
    }


def test_a_schema_in_its_last_state_ignores_migrations_of_old_databases() -> None:
    source = """
package store

const createTables = `CREATE TABLE IF NOT EXISTS boats (id INTEGER PRIMARY KEY, name TEXT, crew INT, tags JSON DEFAULT '{}');`

const (
    migrateNames  = `ALTER TABLE boats RENAME TO boats_old; CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT);`
    migrateRows   = `INSERT INTO boats SELECT id, title FROM boats_old; DROP TABLE boats_old;`
    migrateCrew   = `ALTER TABLE boats ADD COLUMN crew INTEGER DEFAULT (0)`
    migrateKeys   = `CREATE TABLE boats_new (id INTEGER PRIMARY KEY); DROP TABLE boats; ALTER TABLE boats_new RENAME TO boats`
)
"""
    content = content_of({"store.go": source})
    names = {symbol.id: symbol for symbol in content.symbols}
    columns = [(names[each.to_id].start_line, each.name) for each in content.columns]
    assert columns == [(4, "id"), (4, "name"), (4, "crew"), (4, "tags"), (7, "id"), (7, "name")]
    mapped = {(names[each.from_id].start_line, names[each.to_id].start_line) for each in content.data_mappings}
    assert mapped == {(7, 4)}


def test_migrations_apply_to_a_schema_in_its_first_state() -> None:
    source = """
SCHEMA = "CREATE TABLE boats (id integer, title text)"
MIGRATIONS = ["ALTER TABLE boats ADD COLUMN crew integer", "ALTER TABLE boats RENAME COLUMN title TO name"]
"""
    assert tables_of({"store.py": source}) == {"store.py boats": ["id integer", "name text", "crew integer"]}


def test_migrations_in_code_and_in_files_have_one_order() -> None:
    up = 'package migrations\n\nfunc up3(tx *sql.Tx) {\n\ttx.Exec("ALTER TABLE boats RENAME COLUMN title TO name")\n}\n'
    files = {
        "migrations/0001_boats.sql": "CREATE TABLE boats (id int);",
        "migrations/0002_title.sql": "ALTER TABLE boats ADD COLUMN title text;",
        "migrations/0003_name.go": up,
        "migrations/0004_crew.sql": "ALTER TABLE boats ADD COLUMN crew int;",
    }
    assert tables_of(files) == {"migrations/0001_boats.sql boats": ["id int", "name text", "crew int"]}


def test_changes_of_other_files_apply_after_the_tables() -> None:
    files = {
        "a_changes.py": 'def more(db):\n    db.execute("ALTER TABLE boats ADD COLUMN crew int")\n',
        "tables.py": 'BOATS = "CREATE TABLE boats (id int)"\n',
    }
    assert tables_of(files) == {"tables.py boats": ["id int", "crew int"]}


def test_an_update_equals_a_new_index(tmp_path: Path) -> None:
    find = 'def find(db):\n    return db.execute("SELECT name FROM boats")\n'
    project = "\n".join(
        (
            *("//- schema.py", 'BOATS = "CREATE TABLE boats (id int, name text)"'),
            *("//- grow.py", "def grow(db):", '    db.execute("ALTER TABLE boats ADD COLUMN crew int")'),
            *("//- find.py", find),
            *("//- tests/test_find.py", 'BOATS = "CREATE TABLE boats (id int, name text)"'),
        )
    )
    changes = {
        "schema.py": '\n\nBOATS = "CREATE TABLE boats (id int, title text, name text)"\n',
        "grow.py": 'def grow(db):\n    db.execute("ALTER TABLE boats ADD COLUMN crews int")\n',
        "tests/test_find.py": "BOATS = 1\n",
        "other.sql": "CREATE TABLE boats (id int, name text);\n",
    }
    check_files(tmp_path, project, "boats", changes)


def test_a_long_constant_does_not_hide_the_strings_around_it() -> None:
    """The value of a constant may be too long for a part of another text, and is then read again as a text of its own."""
    columns = ", ".join(f"column_{number} int" for number in range(500))
    source = f"""
void make(Db db) {{
    db.exec("CREATE TABLE boats (id int); " + BERTHS);
    db.exec("CREATE TABLE piers (id int)");
}}
final String BERTHS = "CREATE TABLE berths ({columns})";
"""
    found = tables_of({"Store.java": f"class Store {{{source}}}"})
    assert {name: len(columns) for name, columns in found.items()} == {
        "Store.java boats": 1,
        "Store.java piers": 1,
        "Store.java berths": 500,
    }


PIECES = (
    'x = "CREATE TABLE t (a int)"\n',
    '"CREATE TABLE ',
    'r#"CREATE TABLE t',
    "`DROP TABLE t",
    '"CREATE TABLE \\',
    '"--"--"--',
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("piece", PIECES)
def test_the_time_is_linear(piece: str) -> None:
    source = 'x = "DROP TABLE t"\n'
    assert is_linear(lambda times: processor_seconds(lambda: extract_facts((source + piece * times).encode(), "rust")), 6_000)


def test_the_time_for_blocks_of_constants_is_linear() -> None:
    def seconds(times: int) -> float:
        source = '"x" + A;\n' + "const (\n" * times + "\n)"
        match = re.match(QUOTE, source)
        assert match is not None
        return processor_seconds(lambda: CodeStrings(source).joined(match, 1))

    assert is_linear(seconds, 10_000)


def test_schema_builders_in_functions_define_tables() -> None:
    boats = """
async function createBoats(knex) {
  if (await knex.schema.hasTable("boats")) return;
  await knex.schema.createTable("boats", (table) => {
    table.increments("id").primary();
    table.string("name").notNullable();
    table.integer("pier_id").references("id").inTable("piers");
  });
  if (!(await knex.schema.hasColumn("boats", "mast"))) {
    await knex.schema.alterTable("boats", (table) => { table.uuid("mast"); });
  }
}
async function reset(knex) { await knex.schema.dropTable("boats"); }
module.exports = { createBoats, reset };
"""
    piers = "exports.createPiers = (db) => db.schema.createTable('piers', (t) => { t.increments(); t.text('town'); });\n"
    assert tables_of({"server/models/boats.js": boats, "server/models/piers.js": piers}) == {
        "server/models/boats.js boats": ["id serial", "name varchar(255)", "pier_id integer", "mast uuid"],
        "server/models/piers.js piers": ["id serial", "town text"],
    }
    assert tables_of({"test/boats.test.js": boats}) == {}


def test_here_documents_define_tables() -> None:
    script = "#!/bin/sh\npsql -1 <<-EOSQL\n\tCREATE ROLE harbor;\n\tCREATE TABLE boats (id int, name text);\nEOSQL\n"
    migration = "class AddBerths\n  def up\n    execute <<~SQL\n      CREATE TABLE berths (id int)\n    SQL\n  end\nend\n"
    assert tables_of({"init.sh": script, "db/berths.rb": migration, "notes.sh": "cat <<X\nCREATE TABLE cats of\nX\n"}) == {
        "init.sh boats": ["id int", "name text"],
        "db/berths.rb berths": ["id int"],
    }


def test_a_function_that_creates_the_table_of_its_argument_creates_the_tables_of_its_calls() -> None:
    source = """
class Boats:
    @staticmethod
    def creation(table):
        return f"CREATE TABLE IF NOT EXISTS {table} (id INTEGER PRIMARY KEY, name TEXT)"

    def __init__(self, db):
        db.execute(Boats.creation("boats"))

    def unknown(self, db, table):
        db.execute("CREATE TABLE %s (id INTEGER)" % table)
"""
    assert tables_of({"boats.py": source}) == {"boats.py boats": ["id INTEGER", "name TEXT"]}
