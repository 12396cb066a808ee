"""The dialect of SQL: from settings, for all files or by path, or else from the text itself; answers name it."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.data.sql.dialects import dialect_of
from astrolabe.ingest.files.sql_dialects import SqlDialects
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment.configuration import load_settings
from written_workspace import write

#: The string of the first query ends differently in MySQL, and one name in quotes has several parts in BigQuery.
PROJECT = r"""
//- schema.sql
CREATE TABLE orders (id int PRIMARY KEY, total int, day date);
CREATE TABLE refunds (id int PRIMARY KEY, day date);
//- reports/days.sql
-- name: days
SELECT day FROM orders WHERE note = 'it\'s; due' AND total > 1;
//- reports/sums.sql
-- name: sums
SELECT SUM(total) FROM `acme-shop.live.orders`;
//- shop.py
def pay(db):
    db.execute("UPDATE orders SET total = 1")
"""


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("main.sql", "postgres"),
        ("reports/day.sql", "bigquery"),
        ("app/reports/day.sql", "bigquery"),
        ("reports/old/day.sql", "tsql"),
        ("a/b.mysql.sql", "mysql"),
    ],
)
def test_last_pattern_counts(path: str, dialect: str) -> None:
    assert SqlDialects(["postgres", "reports/=bigquery", "*.mysql.sql=mysql", "/reports/old=tsql"]).of(path) == dialect


def test_no_entry() -> None:
    assert SqlDialects([]).of("a.sql") == SqlDialects(["db/=mysql"]).of("a.sql") == ""


def _dialects(workspace: Workspace) -> dict[str, str]:
    rows = workspace.cypher("MATCH (s:Symbol)-[u:READS|MODIFIES]->(t:Symbol) RETURN s.name, u.dialect").rows
    return {str(name): str(dialect) for name, dialect in rows}


def test_dialects_of_statements(tmp_path: Path) -> None:
    """A changed setting applies to unchanged files, and back again."""
    write(tmp_path, PROJECT)
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        assert _dialects(workspace) == {"pay": "postgres", "sums": "bigquery"}
        assert "modifies (update in postgres): function pay" in workspace.trace("orders", include=["statements"]).text
    write(tmp_path, '//- astrolabe.toml\nsql_dialect = ["mysql", "reports/sums.sql=bigquery"]\n')
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        assert _dialects(workspace) == {"days": "mysql", "sums": "bigquery", "pay": "mysql"}
        (tmp_path / "shop.py").write_text("def pay(db):\n    db.execute('DELETE FROM refunds WHERE id = 1')\n")
        workspace.index()
        assert _dialects(workspace) == {"days": "mysql", "sums": "bigquery", "pay": "mysql"}
        workspace.clean()
    write(tmp_path, "//- astrolabe.toml\n")
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        assert _dialects(workspace) == {"pay": "postgres", "sums": "bigquery"}


def test_files_beside_a_file_say_its_dialect(tmp_path: Path) -> None:
    """Names in grave accents alone are no sign of MySQL: the other migrations of the database are of SQLite."""
    write(
        tmp_path,
        """
//- drizzle/0000_first.sql
CREATE TABLE `users` (`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL, `home` text DEFAULT 'C:\\');
//- drizzle/0001_second.sql
CREATE TABLE `visits` (`user` integer NOT NULL, `home` text DEFAULT 'C:\\', `at` text);
-- name: visits_of
SELECT `at` FROM `visits`;
//- shop.py
def visits(db):
    return db.execute("SELECT at FROM visits")
""",
    )
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        assert _dialects(workspace) == {"visits_of": "sqlite", "visits": "sqlite"}


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("CREATE TABLE `a` (`id` int AUTO_INCREMENT);", "mysql"),
        ("CREATE TABLE `a` (`id` text PRIMARY KEY NOT NULL);", "sqlite"),
        ("CREATE TABLE `a` (`id` int);", ""),
        ("-- the table `a` has AUTO_INCREMENT\nCREATE TABLE a (id serial);", "postgres"),
        ("SELECT a FROM `acme.live.orders`", "bigquery"),
    ],
)
def test_syntax_of_one_dialect(text: str, dialect: str) -> None:
    assert dialect_of(text) == dialect


def test_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTROLABE_SQL_DIALECT", "mysql, db/=tsql")
    assert load_settings(tmp_path).sql_dialect == ("mysql", "db/=tsql")
