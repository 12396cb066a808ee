"""Statements of SQL in the strings of code: which tables and columns the functions around them use."""

from __future__ import annotations

import pytest
from astrolabe.ingest.data.schemas.edges import data_edges
from astrolabe.ingest.data.sql.embedded import add_embedded_queries
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.graph_content import joined
from linear_time import is_linear, processor_seconds

TABLES = "CREATE TABLE boats (id int PRIMARY KEY, name text, berth_id int); CREATE TABLE berths (id int, pier text);"


def uses_in(source: str, language: str) -> list[str]:
    """Return the uses of the boats and berths in a file: `find reads boats.name select`."""
    facts: dict[str, FileFacts] = {
        "schema.sql": extract_facts(TABLES.encode(), "sql"),
        "code": extract_facts(source.encode(), language),
    }

    def name(path: str, symbol: int) -> str:
        fact = facts[path].symbols[symbol]
        outer = f"{facts[path].symbols[fact.parent].name}." if fact.kind == "column" else ""
        return outer + fact.name

    data = {path: file.data for path, file in facts.items() if file.data is not None}
    edges = joined(list(data_edges(data, name).values()))
    verbs = {True: "modifies", False: "reads"}
    return sorted(f"{each.from_id} {verbs[each.modifies]} {each.to_id} {each.statement}" for each in edges.data_uses)


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        (
            "python",
            'def find(db):\n    return db.execute("SELECT b.name FROM boats b "\n        "WHERE b.id = %s", (1,))\n',
            ["find reads boats select", "find reads boats.id select", "find reads boats.name select"],
        ),
        (
            "typescript",
            "function moor(db: any, id: number) {\n  return db.query(sql`UPDATE boats SET berth_id = ${id} WHERE id = 1`)\n}\n",
            ["moor modifies boats update", "moor modifies boats.berth_id update", "moor reads boats.id update"],
        ),
        (
            "go",
            "package a\nconst sink = `-- name: Sink :exec\nDELETE FROM boats WHERE name = $1`\n",
            ["sink modifies boats delete", "sink reads boats.name delete"],
        ),
        (
            "rust",
            'fn show(db: &Db) {\n    sqlx::query!(r#"SELECT "name" FROM "boats" -- all\n"#);\n    db.run("#");\n}\n',
            ["show reads boats select", "show reads boats.name select"],
        ),
        (
            "python",
            'def keep(db):\n    db.execute("INSERT INTO boats (id, berth_id) VALUES (1, 2) ON CONFLICT (id) "\n'
            '        "DO UPDATE SET name = EXCLUDED.name, berth_id = boats.berth_id + 1")\n',
            [
                *("keep modifies boats insert", "keep modifies boats.berth_id insert", "keep modifies boats.id insert"),
                *("keep modifies boats.name insert", "keep reads boats.berth_id insert", "keep reads boats.id insert"),
            ],
        ),
        (
            "java",
            'class A { void add(Db db) { db.run("INSERT INTO berths (id, pier) VALUES (?, ?)"); } }\n',
            ["add modifies berths insert", "add modifies berths.id insert", "add modifies berths.pier insert"],
        ),
        (  # statements that comments keep, and a macro of C
            "c",
            '#define KEEP "DELETE FROM boats"\n// run("SELECT id FROM berths");\nvoid f() {\n'
            '  # run("SELECT id FROM berths")\n}\n/**\n * run("SELECT id FROM berths")\n */\n',
            ["KEEP modifies boats delete"],
        ),
        (  # values and conditions in the templates of JDBI
            "java",
            'class A { void all(Db db) { db.run("SELECT name FROM boats WHERE id IN (<ids>)<if(n)> AND name = :n<endif>"); } }\n',
            ["all reads boats select", "all reads boats.id select", "all reads boats.name select"],
        ),
        (
            "python",
            'def moored(db):\n    return db.execute("""WITH old AS NOT MATERIALIZED (  -- all\n'
            '        SELECT name FROM boats) SELECT name FROM old""")\n',
            ["moored reads boats select", "moored reads boats.name select"],
        ),
        (
            "python",  # the quote before `with` closes a string
            'def read(db, path):\n    name = "boats"\n    with open(path, "r") as file:\n'
            '        return db.execute("SELECT name FROM boats", file)\n',
            ["read reads boats select", "read reads boats.name select"],
        ),
        (
            "python",
            'def some(db, more):\n    return db.execute("SELECT name FROM boats WHERE " + more)\n',
            ["some reads boats select", "some reads boats.name select"],
        ),
        (
            "python",
            'def both(db):\n    return db.execute("SELECT name, pier, id FROM boats JOIN berths ON berth_id = berths.id")\n',
            [
                "both reads berths select",
                "both reads berths.id select",
                "both reads berths.pier select",
                "both reads boats select",
                "both reads boats.berth_id select",
                "both reads boats.name select",
            ],
        ),
        (
            "bash",
            "clean() {\n  psql \"$URL\" <<-'SQL'\n\\set ON_ERROR_STOP on\nBEGIN;\n-- All.\nDELETE FROM boats\n  WHERE id = 1;\n"
            "UPDATE berths SET pier = 'b';\nSQL\n}\nmore() {\n  sqlite3 a.db <<EOF | sort\nSELECT name FROM boats\nEOF\n}\n",
            [
                *("clean modifies berths update", "clean modifies berths.pier update", "clean modifies boats delete"),
                *("clean reads boats.id delete", "more reads boats select", "more reads boats.name select"),
            ],
        ),
        (
            "ruby",
            "def moor(id)\n  connection.exec_query(<<~SQL.squish, [id])\n    SELECT name\n    FROM boats\n  SQL\nend\n",
            ["moor reads boats select", "moor reads boats.name select"],
        ),
        (
            "php",
            "<?php\nfunction moor($db) {\n  return $db->query(<<<SQL\n    SELECT pier FROM berths WHERE id = $id\n    SQL);\n}\n",
            ["moor reads berths select", "moor reads berths.id select", "moor reads berths.pier select"],
        ),
        (
            "python",
            'def moor(db):\n    db.execute(["SELECT name", "FROM boats,", "  (", "SELECT pier FROM berths", ")"])\n'
            '    db.run(["DELETE FROM boats", "DELETE FROM berths"])\n',
            [
                *("moor modifies berths delete", "moor modifies boats delete"),
                *("moor reads berths select", "moor reads berths.pier select"),
                *("moor reads boats select", "moor reads boats.name select"),
            ],
        ),
        (
            "go",
            "package a\nfunc moor(db *sql.DB) {\n\tdb.Query(strings.Join([]string{\n\t\t`SELECT b.name`, // all\n"
            '\t\t"FROM boats b",\n\t}, " "))\n}\n',
            ["moor reads boats select", "moor reads boats.name select"],
        ),
        (
            "go",
            "package a\n\nfunc find(more string) string {\n"
            '\treturn fmt.Sprintf("SELECT name FROM boats WHERE berth_id IS NULL%s ORDER BY id", more)\n}\n\n'
            "func open(more string) string {\n"
            '\ttext := fmt.Sprintf("SELECT pier FROM berths WHERE id <> %d AND ", 3)\n\treturn text + more\n}\n',
            [
                *("find reads boats select", "find reads boats.berth_id select", "find reads boats.id select"),
                *("find reads boats.name select", "open reads berths select", "open reads berths.id select"),
                "open reads berths.pier select",
            ],
        ),
        (
            "python",
            "def moor(db, more):\n    found = 'SELECT name FROM boats WHERE berth_id = 1 {} ORDER BY {}'.format(more, 1)\n"
            "    query = 'UPDATE berths SET'\n    query += ' pier = ?'\n",
            [
                *("moor modifies berths update", "moor reads boats select"),
                *("moor reads boats.berth_id select", "moor reads boats.name select"),
            ],
        ),
        (
            "python",
            "def moor(db, more):\n    parts = ['SELECT name FROM boats WHERE (']\n    parts.append(more)\n",
            ["moor reads boats select", "moor reads boats.name select"],
        ),
        ("python", "def moor(db, more):\n    text = 'UPDATE berths SET'\n    other += more\n", []),
        (
            "python",
            'def moor(db):\n    db.execute("INSERT OR IGNORE INTO boats (name) VALUES (?)")\n'
            '    db.execute("REPLACE INTO berths (pier) VALUES (?)")\n',
            [
                *("moor modifies berths insert", "moor modifies berths.pier insert"),
                *("moor modifies boats insert", "moor modifies boats.name insert"),
            ],
        ),
        (
            "javascript",
            "function keep(db, id) {\n  db.run(`INSERT OR REPLACE INTO boats (id, name) VALUES (?,?)`, [id])\n"
            "  db.run('REPLACE INTO berths (pier) VALUES (?)')\n  say('Delete the name from berths')\n}\n",
            [
                *("keep modifies berths insert", "keep modifies berths.pier insert", "keep modifies boats insert"),
                *("keep modifies boats.id insert", "keep modifies boats.name insert"),
            ],
        ),
        (
            "php",
            "<?php\nfunction sink($db) {\n  $db->query('DELETE b FROM boats b JOIN berths p ON p.id = b.berth_id "
            "WHERE p.pier = 1');\n"
            "  $db->query('INSERT IGNORE INTO berths (id) VALUES (1)');\n}\n",
            [
                *("sink modifies berths insert", "sink modifies berths.id insert", "sink modifies boats delete"),
                *("sink reads berths delete", "sink reads berths.id delete", "sink reads berths.pier delete"),
                "sink reads boats.berth_id delete",
            ],
        ),
        (
            "typescript",  # values in a template may be clauses, or templates themselves
            "function list(db: any, id: number, order: string) {\n  db.query(`\\\nSELECT b.name FROM ${SCHEMA}.boats AS b\n"
            "LEFT JOIN ${SCHEMA}.berths ON berths.id = b.berth_id\n${id ? `WHERE b.id = ${id}\n` : ''}\\\nORDER BY b.name`)\n"
            "  return db.query(`WITH old AS (SELECT id FROM boats)${order} UPDATE berths SET pier = 'a'\n${order}\n"
            "WHERE id = 1`)\n}\n",
            [
                *("list modifies berths update", "list modifies berths.pier update", "list reads berths select"),
                *("list reads berths.id select", "list reads berths.id update", "list reads boats select"),
                *("list reads boats update", "list reads boats.berth_id select", "list reads boats.id select"),
                "list reads boats.name select",
            ],
        ),
        (
            "typescript",  # functions of a library put names and rows into a text
            "async function load(sql: any, rows: any) {\n  await sql`INSERT INTO boats ${sql(rows, 'name')}`\n"
            "  await sql`UPDATE ${sql('berths')} SET ${sql(rows)} WHERE id = 1`\n"
            "  await sql.unsafe`INSERT INTO berths (pier) SELECT * FROM ${sql.unnest(rows)}`\n}\n",
            [
                *("load modifies berths insert", "load modifies berths update", "load modifies berths.pier insert"),
                *("load modifies boats insert", "load reads berths.id update"),
            ],
        ),
        (
            "typescript",
            "const all = (db: any, old: boolean) =>\n"
            "  db.all(`SELECT name FROM boats ${old ? '' : 'WHERE berth_id = 1'} ORDER BY name`)\n",
            ["all reads boats select", "all reads boats.berth_id select", "all reads boats.name select"],
        ),
        (
            "typescript",  # clauses in lines of their own are neither tables nor names of tables
            "const count = (db: any, near: string, old: string) =>\n"
            "  db.all(`SELECT count(*) AS boats FROM boats\n${near}\n${old}\n"
            "WHERE boats.berth_id = ${1} AND boats.name <> ''\n${old}`)\n"
            'const title = "Select a boat of the harbor", other = "Update a boat in the harbor"\n',
            ["count reads boats select", "count reads boats.berth_id select", "count reads boats.name select"],
        ),
        (  # strings of which none is a statement, in a text that a caller gave
            "go",
            'package a\nfunc list(b *strings.Builder, open bool) {\n\tb.WriteString("WITH berths AS (")\n'
            '\tb.WriteString("SELECT * FROM ships)\\nSELECT id, EXTRACT(DAY FROM made)")\n'
            '\tif open {\n\t\tfmt.Fprintf(b, " FROM boats WHERE id = %d", 1)\n\t}\n'
            '\tb.WriteString(" JOIN berths USING (id)")\n}\n'
            'func text(b *strings.Builder) {\n\tb.WriteString("Select ")\n\tb.WriteString("from berths ")\n}\n',
            ["list reads boats select"],
        ),
        (
            "python",
            'def find(db, near):\n    parts = ["SELECT b.name, "]\n    parts.append("p.pier " if near else "1 ")\n'
            '    parts.append("FROM boats b ")\n    parts.append("JOIN berths")\n    parts.append("_of_old p")\n'
            '    more = ""\n    more += "FROM berths "\n    return db.execute("".join(parts) + more)\n',
            ["find reads boats select"],
        ),
        (
            "java",
            'class A {\n  void sink(StringBuilder sql, boolean all) {\n    sql.append("DELETE FROM boats ");\n'
            '    if (!all) {\n      sql.append("WHERE id IN (SELECT id FROM berths) AND ");\n    }\n'
            '    sql.append("1 = 1");\n  }\n}\n',
            ["sink modifies boats delete", "sink reads berths select"],
        ),
        ("bash", "show() {\n  cat <<EOF\nSELECT name FROM boats of the harbor\nEOF\n  mail <<X\nDELETE FROM boats\n", []),
    ],
)
def test_a_statement_in_a_string_is_of_the_function_around_it(language: str, source: str, expected: list[str]) -> None:
    assert uses_in(source, language) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Select a boat from the list",
        "UPDATE boats",
        "SELECT name FROM ships",
        "WITH boats SELECT",
        "select * from boats join ships on true",
    ],
)
def test_what_is_no_statement_over_known_tables_is_no_use(text: str) -> None:
    assert uses_in(f'def show():\n    return "{text}"\n', "python") == []


@pytest.mark.parametrize(
    "part",
    [
        '"SELECT ',
        '"SELECT a FROM b"+',
        "`SELECT ${",
        "`SELECT ${a ? `b",
        "`SELECT a FROM b ${c ? '",
        "`SELECT a\n__value ",
        '"DELETE a FROM b JOIN',
        "'''SELECT '",
        'b.append("SELECT ' + "'" + '").append("',
        'b.append("FROM b JOIN c',
        'b += ["SELECT EXTRACT( FROM ',
        '"WITH a FROM ',
        '"WITH a FROM AS -- AS /* ',
        "<<A\nSELECT 1;\n",
        '["SELECT a FROM b (", ',
        '["SELECT a", "SELECT b", ',
        "<<A\nA\n",
        '"DELETE FROM %s" % (a, ',
        '"DELETE FROM {} {} {}".format(a.b, c=d, ',
    ],
)
def test_hostile_strings_take_linear_time(part: str) -> None:
    facts = extract_facts(b"x = 1", "python")

    def seconds(count: int) -> float:
        return processor_seconds(lambda: add_embedded_queries(facts, (part * count).encode()))

    assert is_linear(seconds, 15_000 // len(part), times=4)


#: Functions that put names of tables into statements, and code that gives the names.
GIVEN = """
class Store:
    table = "berths"

    def clear(self):
        for name in ("boats", "berths"):
            self.db.execute("DELETE FROM %s" % name)
        self.count("boats")
        self.count(name="people")

    def count(self, name, column="id"):
        return self.db.execute("SELECT COUNT({}) FROM {} WHERE {} = 1".format(column, name, column))

    def all(self):
        return self.db.execute(f"SELECT pier FROM {self.table} WHERE pier = {self.pier}")

    def archive(self, table):
        self.db.execute(f"INSERT INTO {table}_archive SELECT * FROM {table}")

    def unknown(self, table):
        self.db.execute(f"UPDATE {table} SET name = ''")
"""
GIVEN_IN_GO = """
package store

func (s *Store) Fill() error {
    tables := []struct{ name string }{{name: "boats"}, {name: "people"}}
    for _, table := range tables {
        s.db.Exec(fmt.Sprintf("UPDATE %s SET name = '%s'", table.name, "none"))
    }
    return s.drop("berths")
}

func (s *Store) drop(table string) error {
    return s.db.Exec("DELETE FROM " + table)
}
"""


def test_names_of_tables_that_the_file_gives_to_a_statement_are_known() -> None:
    assert uses_in(GIVEN, "python") == [
        "all reads berths select",
        "all reads berths.pier select",
        "clear modifies berths delete",
        "clear modifies boats delete",
        "count reads boats select",
    ]
    assert uses_in(GIVEN_IN_GO, "go") == [
        "Fill modifies boats update",
        "Fill modifies boats.name update",
        "drop modifies berths delete",
    ]


def test_a_name_from_an_argument_is_inferred() -> None:
    data = extract_facts(GIVEN.encode(), "python").data
    assert data is not None
    assert {query.uses[0].name.name: query.evidence for query in data.queries if query.statement == "select"} == {
        "boats": "inferred",
        "people": "inferred",
        "berths": "string",
    }


def test_many_statements_with_given_names_take_linear_time() -> None:
    def seconds(count: int) -> float:
        functions = "".join(
            f'def f{at}(db, table):\n    db.execute(f"DELETE FROM {{table}} WHERE a = {at}")\nf{at}(db, "t{at}")\n'
            for at in range(count)
        )
        return processor_seconds(lambda: extract_facts(functions.encode(), "python"))

    assert is_linear(seconds, 60, times=4)


def test_joined_strings_that_are_no_statement_are_joined_once() -> None:
    facts = extract_facts(b"x = 1", "python")
    parts = ['"with care "'] * 2_000

    def seconds(joint: str) -> float:
        return processor_seconds(lambda: add_embedded_queries(facts, joint.join(parts).encode()))

    assert seconds(" + ") < 20 * seconds(" ; ")
