"""Migrations of Alembic: the tables that they make in their order, and the models of the same database."""

from __future__ import annotations

import pytest
from astrolabe.ingest.data.schemas.databases import Schema
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.python.migrations.order import ordered

from .mapped_models import columns, data_of, edges_of, migrations

HEAD = "import sqlalchemy as sa\nfrom alembic import op\n\nrevision = {!r}\ndown_revision = {!r}\n"
FIRST = (
    HEAD.format("a1", None)
    + """
def upgrade() -> None:
    op.create_table(
        "readers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("card", sa.String(length=12), nullable=True),
        sa.Column("town", sa.Text(), server_default="oslo", nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_readers")),
    )
    op.create_table("loans", sa.Column("reader_id", sa.ForeignKey("readers.id", ondelete="CASCADE"), primary_key=True))
    op.create_table("drafts", sa.Column("id", sa.Integer, primary_key=True))
    op.create_index(op.f("ix_readers_card"), "readers", ["card"], unique=True)

def downgrade() -> None:
    op.drop_table("readers")
"""
)
SECOND = (
    HEAD.format("b2", "a1")
    + """
def upgrade():
    with op.batch_alter_table("readers", schema=None) as batch_op:
        batch_op.add_column(sa.Column("mail", sa.String(80), nullable=False))
        batch_op.alter_column("card", existing_type=sa.String(12), type_=sa.String(20), nullable=False)
        batch_op.create_unique_constraint("mails", ["mail"])
    with op.batch_alter_table("loans") as batch_op:
        batch_op.add_column(sa.Column("day", sa.DateTime(timezone=True)))
    op.alter_column("readers", "town", new_column_name="city")
"""
)
BRANCH = (
    HEAD.format("c3", "a1")
    + """
def helper():
    op.drop_table("drafts")

def upgrade():
    helper()
    op.execute("ALTER TABLE readers ADD COLUMN age smallint; UPDATE readers SET age = 1")
"""
)
MERGE = (
    HEAD.format("d4", ("b2", "c3"))
    + """
def upgrade():
    op.drop_column("readers", "age")
    op.drop_index("ix_readers_card", table_name="readers")
    op.create_foreign_key(None, "readers", "readers", ["mail"], ["card"])
"""
)
# The names of the files say nothing of the order.
FILES = {
    "db/versions/z_first.py": FIRST,
    "db/versions/b_second.py": SECOND,
    "db/versions/c_branch.py": BRANCH,
    "db/versions/a_merge.py": MERGE,
}
MODELS = """
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

class Base(DeclarativeBase):
    pass

class Reader(Base):
    __tablename__ = "readers"
    id: Mapped[int] = mapped_column(primary_key=True)
    mail: Mapped[str]
"""


def schema(files: dict[str, str]) -> Schema:
    return migrations(files, "alembic")


def test_revisions_run_in_the_order_in_which_they_name_one_another() -> None:
    tables = {table.name: table for table in schema(FILES).database.tables.values()}
    assert sorted(tables) == ["loans", "readers"]
    assert columns(tables["readers"]) == {
        "id": ("integer", False),
        "card": ("varchar(20)", False),
        "city": ("text", True),
        "mail": ("varchar(80)", False),
    }
    assert columns(tables["loans"]) == {"reader_id": ("", False), "day": ("timestamp with time zone", True)}
    held = tables["readers"]
    assert sorted([*held.constraints, *held.indexes]) == ["mails", "pk_readers", "readers_mail_fkey"]
    assert tables["loans"].constraints["loans_reader_id_fkey"].on_delete == "CASCADE"


def test_keys_over_equal_columns_are_one_key_and_names_may_be_constants() -> None:
    source = (
        HEAD.format("a1", None)
        + """
shelf = "shelf_code"

def upgrade():
    op.create_table(
        "shelves",
        sa.Column(shelf, sa.Integer(), nullable=False),
        sa.UniqueConstraint("shelf_code", name="one_shelf"),
        sa.PrimaryKeyConstraint("shelf_code"),
    )
    op.add_column("shelves", sa.Column("size_" + shelf, sa.Integer(), nullable=False))
"""
    )
    (table,) = schema({"a.py": source}).database.tables.values()
    # These are the key and the columns that PostgreSQL 15 has.
    assert [(each.name, each.kind) for each in table.constraints.values()] == [("one_shelf", "primary key")]
    assert columns(table) == {"shelf_code": ("integer", False), "size_shelf_code": ("integer", False)}


def test_loops_over_lists_give_names() -> None:
    source = (
        HEAD.format("a1", None)
        + """
TABLES = ["shelves", "rooms"]

def upgrade():
    for table in TABLES:
        op.create_table(table, sa.Column("id", sa.Integer(), primary_key=True))
        for part in ("code", "size"):
            op.add_column(table, sa.Column(table + "_" + part, sa.Integer(), nullable=True))
    for table, column in (("shelves", "shelves_code"), ("rooms", "rooms_size")):
        op.alter_column(table, column, nullable=False)
        op.execute("ALTER TABLE " + table + " ADD COLUMN note text")
    for table in found():
        op.drop_column(table, "note")
"""
    )
    assert {table.name: columns(table) for table in schema({"a.py": source}).database.tables.values()} == {
        "shelves": {
            "id": ("integer", False),
            "shelves_code": ("integer", False),
            "shelves_size": ("integer", True),
            "note": ("text", True),
        },
        "rooms": {
            "id": ("integer", False),
            "rooms_code": ("integer", True),
            "rooms_size": ("integer", False),
            "note": ("text", True),
        },
    }


def test_types_of_the_repository_may_have_the_names_of_types_of_sqlalchemy() -> None:
    types = """
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import TypeDecorator

class JSON(TypeDecorator):
    impl = postgresql.JSONB

    def load_dialect_impl(self, dialect):
        if dialect.name == "postgresql":
            return dialect.type_descriptor(postgresql.JSONB(none_as_null=True))
        return dialect.type_descriptor(sa.JSON())

class Rules(TypeDecorator):
    impl = JSON
"""
    migration = """
def upgrade():
    op.create_table(
        "boats",
        sa.Column("rigging", shop.types.JSON(astext_type=sa.Text())),
        sa.Column("rules", shop.types.Rules()),
        sa.Column("notes", elsewhere.JSON()),
    )
    op.add_column("boats", sa.Column("crew", sa.JSON()))
    op.alter_column("boats", "crew", type_=shop.types.JSON())
"""
    head = HEAD.format("a1", None) + "import elsewhere\nimport shop.types\n"
    found = schema({"shop/__init__.py": "", "shop/types.py": types, "db/versions/a.py": head + migration})
    assert columns(found.database.tables["", "boats"]) == {
        "rigging": ("jsonb", True),
        "rules": ("jsonb", True),
        "notes": ("json", True),
        "crew": ("jsonb", True),
    }


def test_types_of_sqlalchemy_utils_are_those_that_it_makes_in_postgres() -> None:
    migration = """
def upgrade():
    op.create_table(
        "boats",
        sa.Column("built", sqlalchemy_utils.types.arrow.ArrowType()),
        sa.Column("owner", sqlalchemy_utils.types.email.EmailType(length=90)),
        sa.Column("phone", sqlalchemy_utils.PhoneNumberType(max_length=30)),
        sa.Column("color", sqlalchemy_utils.ColorType()),
        sa.Column("rig", sqlalchemy_utils.types.choice.ChoiceType([("sloop", "Sloop")])),
        sa.Column("crew", sqlalchemy_utils.ChoiceType([(1, "One")], impl=sa.Integer())),
        sa.Column("key", sqlalchemy_utils.types.uuid.UUIDType(binary=False)),
        sa.Column("site", sqlalchemy_utils.URLType),
    )
"""
    found = schema({"db/versions/a.py": HEAD.format("a1", None) + "import sqlalchemy_utils\n" + migration})
    assert {name: kind for name, (kind, _) in columns(found.database.tables["", "boats"]).items()} == {
        "built": "timestamp without time zone",
        "owner": "varchar(90)",
        "phone": "varchar(30)",
        "color": "varchar(20)",
        "rig": "varchar(255)",
        "crew": "integer",
        "key": "uuid",
        "site": "text",
    }


def test_a_dropped_index_is_found_by_its_name_alone() -> None:
    """PostgreSQL is never told the table, so a migration that names another table drops the index as well."""
    second = HEAD.format("b2", "a1") + '\ndef upgrade():\n    op.drop_index("ix_readers_card", table_name="loans")\n'
    found = schema({"db/versions/a.py": FIRST, "db/versions/b.py": second})
    assert "ix_readers_card" in schema({"db/versions/a.py": FIRST}).database.tables["", "readers"].indexes
    assert "ix_readers_card" not in found.database.tables["", "readers"].indexes


def test_changes_are_told_with_their_file_and_line() -> None:
    facts = data_of(FILES)
    paths = sorted(facts)
    found = schema(FILES).database
    card = found.tables["", "readers"].columns["card"]
    assert [(each.kind, paths[each.file], each.line) for each in card.events] == [
        ("created", "db/versions/z_first.py", 11),
        ("altered", "db/versions/b_second.py", 10),
    ]
    (dropped,) = found.dropped_tables
    assert [(each.kind, paths[each.file]) for each in dropped.events] == [
        ("created", "db/versions/z_first.py"),
        ("dropped", "db/versions/c_branch.py"),
    ]


def test_models_and_migrations_are_one_set_of_tables() -> None:
    files = {**FILES, "app/models.py": MODELS}
    edges = edges_of(files, lambda path, name: f"{path}:{name}")
    mappings = {(each.from_id, each.to_id) for each in edges.data_mappings}
    assert mappings == {
        ("app/models.py:Reader", "db/versions/z_first.py:readers"),
        ("app/models.py:id", "db/versions/z_first.py:id"),
        ("app/models.py:mail", "db/versions/b_second.py:mail"),
    }


def test_the_way_back_is_marked_and_changes_nothing() -> None:
    facts = extract_facts(FIRST.encode(), "python")
    assert [symbol.name for symbol in facts.symbols if "down" in symbol.modifiers] == ["downgrade"]


def test_what_only_running_code_knows_changes_nothing() -> None:
    source = HEAD.format("a1", None) + "\ndef upgrade():\n    for name in names():\n        op.drop_table(name)\n"
    source += '    op.create_table("kept", sa.Column("id", sa.Integer))\n    op.add_column(table(), sa.Column("x", sa.Text))\n'
    assert list(schema({"a.py": source}).database.tables) == [("", "kept")]


def test_long_names_of_keys_are_shortened_as_in_sqlalchemy() -> None:
    name = "annual_reports_of_branches_and_their_departments_uq_by_year_and_branch"
    source = HEAD.format("a1", None) + "\ndef upgrade():\n    op.create_table('reports', sa.Column('year', sa.Integer),\n"
    source += f"        sa.UniqueConstraint('year', name=op.f('{name}')))\n"
    (key,) = schema({"a.py": source}).database.tables["", "reports"].constraints.values()
    assert (len(key.name), key.name[:56]) == (60, name[:55] + "_")


@pytest.mark.parametrize("count", [3, 4000])
def test_circles_of_revisions_end(count: int) -> None:
    names = [str(number) for number in range(count)]
    found = ordered(names, {name: [names[place - 1]] for place, name in enumerate(names)})
    assert found == names
