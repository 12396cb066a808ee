"""An index brought up to date after random edits of models and migrations holds what a new index of the same files holds."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from incremental_report.__main__ import AskedIndexer, check
from written_workspace import write

PROJECT = """
//- shop/base.py
from sqlalchemy import Integer, MetaData
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import TypeDecorator

class Money(TypeDecorator):
    impl = Integer

class Base(DeclarativeBase):
    metadata = MetaData(naming_convention={"ix": "ix_%(column_0_label)s", "pk": "pk_%(table_name)s"})
//- shop/mixins.py
from sqlalchemy import Column, String
class Noted:
    note = Column(String(20), index=True)
//- shop/models.py
from sqlalchemy import Column, ForeignKey, Integer, String
from shop.base import Base, Money
from shop.mixins import Noted

class Order(Noted, Base):
    __tablename__ = "orders"
    id = Column(Integer, primary_key=True)
    price = Column(Money, nullable=False)

class Line(Base):
    __tablename__ = "lines"
    id = Column(Integer, primary_key=True)
    order_id = Column(ForeignKey("orders.id"), index=True)
//- shop/use.py
def show(db):
    return db.execute("SELECT price FROM orders")
//- shop/versions/a.py
import sqlalchemy as sa
from alembic import op
from shop.base import Money
revision = "a1"
down_revision = None
def upgrade():
    op.create_table("orders", sa.Column("id", sa.Integer, primary_key=True), sa.Column("price", Money()))
    op.create_table("lines", sa.Column("id", sa.Integer, primary_key=True))
//- shop/versions/b.py
import sqlalchemy as sa
from alembic import op
revision = "b2"
down_revision = "a1"
def upgrade():
    op.add_column("orders", sa.Column("note", sa.String(20)))
    op.add_column("lines", sa.Column("order_id", sa.Integer, sa.ForeignKey("orders.id")))
//- people/models.py
from django.db import models
class Town(models.Model):
    name = models.CharField(max_length=10)
class Reader(models.Model):
    town = models.ForeignKey(Town, on_delete=models.CASCADE)
//- people/migrations/0001_first.py
from django.db import migrations, models
class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel("Town", [("id", models.AutoField(primary_key=True)), ("name", models.CharField(max_length=10))]),
        migrations.CreateModel("Reader", [("id", models.AutoField(primary_key=True))]),
    ]
//- people/migrations/0002_later.py
from django.db import migrations, models
class Migration(migrations.Migration):
    dependencies = [("people", "0001_first")]
    operations = [migrations.AddField("reader", "town", models.ForeignKey(to="people.Town", on_delete=models.CASCADE))]
"""
#: A query of a class that is no model yet.
USES = """
//- people/models.py
class Town: ...
//- people/use.py
from people.models import Town
def towns():
    return list(Town.objects.filter(name="Ulm"))
"""
#: What edits put in place of what: each is looked for in both directions.
CHANGES = (
    ("Integer", "BigInteger"),
    ('"orders"', '"purchases"'),
    ("String(20)", "String(30)"),
    ('down_revision = "a1"', 'down_revision = "zz"'),
    ("index=True", "unique=True"),
    ("nullable=False", "nullable=True"),
    ("max_length=10", "max_length=12"),
    ("Town", "City"),
    ('"reader"', '"town"'),
    ('revision = "a1"', 'revision = "c3"'),
    ("(Noted, Base)", "(Base)"),
    ("pk_%(table_name)s", "key_%(table_name)s"),
    ("AutoField", "BigAutoField"),
    ("price", "cost"),
    ("class ", "\nclass "),
)


def edit(root: Path, random: Random) -> None:
    """Change, remove or restore one file."""
    paths = sorted(path for path in root.rglob("*.py") if ".astrolabe" not in path.parts)
    path = random.choice(paths)
    text = path.read_text()
    if random.random() < 0.1:
        path.unlink()
        return
    if random.random() < 0.1:
        path.write_text(text[: random.randrange(len(text) + 1)])
        return
    for _ in range(20):
        old, new = random.choice(CHANGES)
        old, new = random.choice(((old, new), (new, old)))
        if old in text:
            path.write_text(text.replace(old, new, random.choice((1, -1))))
            return


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
def test_random_edits_of_models_and_migrations(tmp_path: Path, seed: int) -> None:
    root, random = tmp_path / "project", Random(seed)
    write(root, PROJECT)
    indexer = AskedIndexer(root, tmp_path / "kept")
    indexer.refresh()
    for number in range(9):
        edit(root, random)
        indexer.refresh()
        if number % 3 == 2:
            assert check(root, tmp_path / "kept", tmp_path / f"fresh{number}") == []
    indexer.close()


def test_the_first_and_the_last_models_build_the_index_anew(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, USES)
    indexer = AskedIndexer(root, tmp_path / "kept")
    indexer.refresh()
    models = root / "people/models.py"
    plain = models.read_text()
    for text in ("from django.db import models\nclass Town(models.Model):\n    name = models.CharField(max_length=10)\n", plain):
        models.write_text(text)
        assert "models of object mappers" in indexer.refresh().rebuilt_because
        assert check(root, tmp_path / "kept", tmp_path / "fresh") == []
    indexer.close()


TABLES = """
//- db/migrations/001_books.sql
CREATE TABLE authors (id bigint PRIMARY KEY, name text);
CREATE TABLE books (id bigint PRIMARY KEY, title text);
//- db/migrations/002_owner.sql
ALTER TABLE books ADD COLUMN author_id bigint REFERENCES authors (id);
//- shop/titles.py
def titles(db):
    return db.execute("SELECT title FROM books")
//- shop/names.py
def names(db):
    return db.execute("SELECT name FROM authors")
"""


def test_a_change_of_a_table_that_is_taken_back_affects_its_readers_twice(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, TABLES)
    indexer = AskedIndexer(root, tmp_path / "kept")
    indexer.refresh()
    migration = root / "db/migrations/001_books.sql"
    before = migration.read_text()
    for text in (before.replace("title text", "heading text"), before):
        migration.write_text(text)
        report = indexer.refresh()
        # The migration itself and the reader of books, but not the reader of authors.
        assert (report.outcome, report.rebuilt_because, report.work.resolved) == ("built", "", 2)
        assert check(root, tmp_path / "kept", tmp_path / "fresh") == []
    indexer.close()
