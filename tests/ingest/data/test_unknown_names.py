"""Statements that name tables and columns that no database of a repository has."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from incremental_steps import check_changes
from written_workspace import analysed, write

PROJECT = """
//- db/migrations/0001.sql
CREATE TABLE users (id int PRIMARY KEY, name text, old_name text);
CREATE TABLE gone (id int);
CREATE TABLE part (LIKE elsewhere);
CREATE VIEW people AS SELECT id, name FROM users;
//- db/migrations/0002.sql
ALTER TABLE users DROP COLUMN old_name;
DROP TABLE gone;
UPDATE users SET name = old_name;
//- db/queries.sql
-- name: a
SELECT u.old_name FROM users u JOIN visitors v ON v.id = u.id;
-- name: b
WITH x AS (SELECT id, count(*) AS n FROM users GROUP BY id) SELECT n, y FROM x ORDER BY n;
-- name: c
SELECT count(*) AS n, "quoted", u FROM users u GROUP BY name ORDER BY n;
-- name: d
SELECT relname FROM pg_class;
-- name: e
SELECT g FROM generate_series(1, 3) AS g;
-- name: f
SELECT anything FROM part;
-- name: g
SELECT anything FROM people;
-- name: h
SELECT ctid, name FROM users WHERE name = current_user;
//- app/code.py
def good(db):
    db.execute("SELECT name FROM users WHERE id = %s")
    db.execute("SELECT title FROM books")
    db.execute("SELECT id FROM other JOIN users ON users.nope = 3")
    db.execute("SELECT id, shell, cwd FROM users")

def bad(db):
    db.execute("SELECT nick FROM users")
    db.execute("SELECT * FROM gone")

def system(db):
    db.execute("DELETE FROM mysql.users WHERE host = 'a'")
//- app/days.ts
export const days = (db: any, zone: string) =>
  db.$queryRaw`SELECT id, CONVERT_TZ(name, ${zone || "UTC"}) FROM users WHERE id > 3`
//- app/migrations/v2.py
def up(db):
    db.execute("UPDATE users SET name = 'a' WHERE old_name = 'b'")
"""


def test_unknown_names(tmp_path: Path) -> None:
    """Names of results, tables of catalogs, functions, views and texts for other databases are not reported.

    A table of another database may have the same name, as may one of the system, and migrations in code run on an earlier state.
    """
    content = analysed(tmp_path, PROJECT)
    names = {symbol.id: symbol.name for symbol in content.symbols}
    assert [(names[each.from_id], each.name, each.reason, each.lines) for each in content.unresolved_data_uses] == [
        ("bad", "users.nick", "column", (8,)),
        ("bad", "gone", "dropped", (9,)),
        ("a", "users.old_name", "column", (2,)),
        ("a", "visitors", "table", (2,)),
    ]
    assert "system" not in {names[each.from_id] for each in content.data_uses}


def test_lint_reports_them(tmp_path: Path) -> None:
    test = 'def test_move(db):\n    db.execute("SELECT old_name FROM users")\n    db.execute("SELECT * FROM gone")\n'
    own = 'def test_nick(db):\n    db.execute("SELECT nick FROM users")\n'
    guide = "# Users\n\n```go\n" + "".join(
        f"func {name}() {{ db.Query(`SELECT id, name, {name} FROM users`) }}\n" for name in ("nick", "old_name")
    )
    write(
        tmp_path,
        f"{PROJECT}//- tests/test_migrations.py\n{test}{own}//- tools/check-migrations.py\n{test}//- docs/guide.md\n{guide}```\n",
    )
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        found = workspace.lint(checks=["warnings"]).answer.diagnostics or ()
        assert [(each.file, each.line, each.message) for each in found] == [
            ("app/code.py", 8, "The statement uses the column users.nick, which no schema or migration creates."),
            ("app/code.py", 9, "The statement uses the table gone, which db/migrations/0002.sql:2 dropped."),
            ("db/queries.sql", 2, "The statement uses the column users.old_name, which db/migrations/0002.sql:1 dropped."),
            ("db/queries.sql", 2, "The statement uses the table visitors, which no schema or migration creates."),
            ("docs/guide.md", 5, "The statement uses the column users.old_name, which db/migrations/0002.sql:1 dropped."),
        ]


UNKNOWN = "MATCH (:Symbol)-[r:DATA_UNRESOLVED]->(n:UnresolvedName) RETURN n.name, r.reason ORDER BY n.name"


@pytest.mark.long
def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    kept = "".join(f"//- kept/file{each}.py\ndef run{each}(): ...\n" for each in range(30))
    second = PROJECT.partition("//- db/migrations/0002.sql\n")[2].partition("//- ")[0]
    changes = [f"//- db/migrations/0002.sql\n{second.replace('DROP COLUMN old_name', 'ADD COLUMN nick text')}"]
    before = [("gone", "dropped"), ("users.nick", "column"), ("users.old_name", "column"), ("visitors", "table")]
    after = [("gone", "dropped"), ("visitors", "table")]
    check_changes(tmp_path, PROJECT + kept, changes, {UNKNOWN: before}, {UNKNOWN: after})
