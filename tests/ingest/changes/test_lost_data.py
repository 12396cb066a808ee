"""Statements that use tables and columns which a change takes away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.changes.changed_work_tree import compared, told

SQL = {
    "db/migrations/0001_users.sql": "CREATE TABLE users (id int PRIMARY KEY, email text, age int);\nCREATE TABLE logs (a int);\n",
    "db/migrations/0002_fill.sql": "UPDATE users SET email = '' WHERE email IS NULL;\n",
    "queries/find.sql": "SELECT id, email FROM users;\n\nSELECT age FROM users;\n",
    "src/store.py": (
        "def find(db, mail):\n    return db.execute('SELECT id FROM users WHERE email = ?', mail)\n\n"
        "def grow(db):\n    db.execute('UPDATE users SET age = age + 1')\n\n"
        "def other(db):\n    return db.execute('SELECT email FROM customers')\n"
    ),
    "README.md": "# Data\n\nThe address is in `users.email`.\n",
}
DJANGO = {
    "shop/__init__.py": "",
    "shop/models.py": (
        "from django.db import models\n\n\nclass Item(models.Model):\n"
        "    name = models.CharField(max_length=9)\n    price = models.IntegerField()\n"
    ),
    "shop/views.py": (
        "from shop.models import Item\n\n\ndef cheap():\n    return Item.objects.filter(price__lt=3)\n\n\n"
        "def named(name):\n    return Item.objects.filter(name=name)\n"
    ),
}
PRISMA = {
    "package.json": '{"name": "shop", "dependencies": {"@prisma/client": "5"}}\n',
    "prisma/schema.prisma": (
        'datasource db {\n  provider = "postgresql"\n  url = env("URL")\n}\n\nmodel User {\n  id Int @id\n  email String\n'
        "  name String\n}\n"
    ),
    "src/users.ts": (
        "import { PrismaClient } from '@prisma/client'\nconst prisma = new PrismaClient()\n"
        "export const byMail = (email: string) => prisma.user.findFirst({ where: { email } })\n"
        "export const byName = (name: string) => prisma.user.findFirst({ where: { name } })\n"
    ),
}


@pytest.mark.parametrize(
    ("statement", "fate"),
    [
        ("ALTER TABLE users DROP COLUMN email;\n", "is gone"),
        ("ALTER TABLE users RENAME COLUMN email TO mail;\n", "is renamed to mail"),
    ],
)
def test_statements_that_use_a_column_are_told(tmp_path: Path, statement: str, fate: str) -> None:
    """Of files of SQL and of strings in code, but not of migrations, and not of another table's column of that name."""
    column = f"reads the column users.email, which {fate}"
    assert told(tmp_path, SQL, {"db/migrations/0003_mail.sql": statement}) == [
        f"queries/find.sql:1 {column}",
        f"src/store.py:2 {column}",
    ]
    assert [(each.path, each.line, each.name) for each in compared(tmp_path).mentions] == [("README.md", 3, "users.email")]


def test_a_dropped_table_is_told_once_for_each_statement(tmp_path: Path) -> None:
    assert told(tmp_path, SQL, {"db/migrations/0003_drop.sql": "DROP TABLE users;\n"}) == [
        "queries/find.sql:1 reads the table users, which is gone",
        "queries/find.sql:3 reads the table users, which is gone",
        "src/store.py:2 reads the table users, which is gone",
        "src/store.py:5 modifies the table users, which is gone",
    ]


def test_a_change_that_takes_nothing_away_breaks_nothing(tmp_path: Path) -> None:
    added = {"db/migrations/0003_more.sql": "ALTER TABLE users ADD COLUMN phone text;\nDROP TABLE logs;\n"}
    assert told(tmp_path, SQL, added) == []


def test_statements_that_changed_along_are_right(tmp_path: Path) -> None:
    store = SQL["src/store.py"].replace("WHERE email", "WHERE mail")
    find = SQL["queries/find.sql"].replace("email", "mail")
    renamed = {"db/migrations/0003_mail.sql": "ALTER TABLE users RENAME COLUMN email TO mail;\n"}
    assert told(tmp_path, SQL, {**renamed, "src/store.py": store, "queries/find.sql": find}) == []


def test_queries_of_django_are_told(tmp_path: Path) -> None:
    models = DJANGO["shop/models.py"].replace("    price = models.IntegerField()\n", "")
    assert told(tmp_path, DJANGO, {"shop/models.py": models}) == [
        "shop/views.py:5 reads the column shop_item.price, which is gone"
    ]


def test_queries_of_prisma_are_told(tmp_path: Path) -> None:
    schema = PRISMA["prisma/schema.prisma"].replace("  email String\n", "")
    assert told(tmp_path, PRISMA, {"prisma/schema.prisma": schema}) == [
        "src/users.ts:3 reads the column User.email, which is gone"
    ]


def test_a_model_that_still_has_a_dropped_column_is_told(tmp_path: Path) -> None:
    """The migrations make the table; the file of SQL beside them only shows it."""
    files = {**SQL, "db/schema.sql": "CREATE TABLE users (\n  id int PRIMARY KEY,\n  email text,\n  age int\n);\n"}
    assert told(tmp_path, files, {"db/migrations/0003_age.sql": "ALTER TABLE users DROP COLUMN age;\n"}) == [
        "db/schema.sql:4 declares the column users.age, which is gone",
        "queries/find.sql:3 reads the column users.age, which is gone",
        "src/store.py:5 modifies the column users.age, which is gone",
        "src/store.py:5 reads the column users.age, which is gone",
    ]


#: In MySQL, double quotes enclose a string. In most other dialects, they enclose a name.
QUOTED = {
    "db/migrations/0001_users.sql": "CREATE TABLE users (id int PRIMARY KEY, email text);\n",
    "queries/find.sql": 'SELECT id FROM users WHERE id = "email";\n',
    "src/store.py": "def find(db):\n    return db.execute('SELECT id FROM users WHERE id = \"email\"')\n",
}


@pytest.mark.parametrize(
    ("dialects", "read"),
    [
        ((), ["queries/find.sql:1", "src/store.py:2"]),
        (("postgres",), ["queries/find.sql:1", "src/store.py:2"]),
        (("mysql",), []),
        (("postgres", "queries/=mysql"), ["src/store.py:2"]),
    ],
)
def test_the_setting_of_the_dialect_decides_what_a_statement_reads(
    tmp_path: Path, dialects: tuple[str, ...], read: list[str]
) -> None:
    dropped = {"db/migrations/0002_mail.sql": "ALTER TABLE users DROP COLUMN email;\n"}
    column = "reads the column users.email, which is gone"
    assert told(tmp_path, QUOTED, dropped, dialects) == [f"{place} {column}" for place in read]


def test_changed_statements_tell_what_they_use_now_and_no_longer(tmp_path: Path) -> None:
    """Of strings and of files of SQL; moved lines, tests and other declarations of the file tell nothing."""
    store = SQL["src/store.py"].replace("SELECT id FROM users WHERE email", "SELECT age FROM users WHERE email")
    changed = {
        "src/store.py": "import os\n\n" + store,
        "queries/find.sql": SQL["queries/find.sql"].replace("SELECT age FROM users", "UPDATE users SET age = 3"),
        "tests/test_store.py": "QUERY = 'SELECT email FROM users'\n",
    }
    assert told(tmp_path, {**SQL, "tests/test_store.py": "QUERY = 'SELECT id FROM users'\n"}, changed) == []
    uses = [(use.path, use.line, use.symbol, use.tables, use.column, use.modifies, use.is_new) for use in compared(tmp_path).uses]
    assert [each for each in uses if each[0] == "src/store.py"] == [
        ("src/store.py", 4, "find", ("users",), "age", False, True),
        ("src/store.py", 2, "find", ("users",), "id", False, False),
    ]
    assert ("queries/find.sql", 3, "UPDATE users SET age = 3", ("users",), "age", True, True) in uses
    assert {each[0] for each in uses} == {"src/store.py", "queries/find.sql"}
