"""A trace of a name that a table shares with its model, its alterations or a dropped table."""

from __future__ import annotations

from collections.abc import Callable

from astrolabe.server.api.workspace import Workspace

Project = Callable[[dict[str, str]], Workspace]

FILES = {
    "package.json": '{"name": "shop", "dependencies": {"drizzle-orm": "1"}}',
    "db/migrations/0001_first.sql": "CREATE TABLE orders (id integer PRIMARY KEY, paid integer, note text);",
    "db/migrations/0002_paid.sql": """CREATE TABLE new_orders (id integer PRIMARY KEY, paid integer NOT NULL, note text);
INSERT INTO new_orders SELECT * FROM orders;
DROP TABLE orders;
ALTER TABLE new_orders RENAME TO orders;
""",
    "src/schema.ts": """import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
export const orders = sqliteTable('orders', { id: integer().primaryKey(), paid: integer().notNull(), note: text() });
""",
    "src/use.ts": """import { db } from './db';
import { orders } from './schema';
export const unpaid = () => db.select({ paid: orders.paid }).from(orders);
export interface Page { orders: string[] }
""",
    "src/db.ts": "import { drizzle } from 'drizzle-orm/better-sqlite3';\nexport const db = drizzle('shop.db');\n",
}


def test_a_name_means_the_table_that_models_and_copies_stand_for(indexed_project: Project) -> None:
    workspace = indexed_project(FILES)
    table = workspace.trace("orders").answer
    assert table.at == "db/migrations/0001_first.sql:1"
    assert {each.file for each in table.candidates} >= {"src/schema.ts"}
    assert table.statements is not None
    assert "unpaid" in {each.symbol for each in table.statements.used_by}
    assert workspace.trace("orders.paid").answer.at == "db/migrations/0001_first.sql:1"


def test_a_change_of_a_model_affects_the_statements_on_its_table(indexed_project: Project) -> None:
    """Statements in strings lead to the column of the migration, which the column of the model describes."""
    report = "import { db } from './db';\nexport const total = () => db.all('SELECT sum(paid) FROM orders');\n"
    workspace = indexed_project({**FILES, "src/report.ts": report})
    model, migrated = "src/schema.ts > orders > paid", "db/migrations/0001_first.sql > orders > paid"
    for column in (model, migrated):
        found = workspace.trace(column, include=["impact"]).answer.impact
        assert found is not None
        assert {"total", "unpaid"} <= {each.symbol for each in found.direct_dependents}
        assert ("src/schema.ts" in {each.file for each in found.direct_dependents}) is (column == migrated)


def test_dropped_copies_are_no_tables(indexed_project: Project) -> None:
    workspace = indexed_project(FILES)
    names = {(row.name, row.kind) for row in workspace.tables().to_list()}
    assert names == {("orders", "table"), ("orders", "const")}


def test_two_tables_of_one_name_stay_ambiguous(indexed_project: Project) -> None:
    files = {
        "one/migrations/1_first.sql": "CREATE TABLE orders (id integer);",
        "two/migrations/1_first.sql": "CREATE TABLE orders (id integer);",
    }
    nothing = indexed_project(files).trace("orders").answer.nothing
    assert nothing is not None
    assert nothing["symbol"].startswith("ambiguous")


ALEMBIC = """from alembic import op
import sqlalchemy as sa

revision = "{revision}"
down_revision = {before}


def upgrade():
    {does}
"""
MIGRATED = {
    "shop/migrations/versions/a1_first.py": ALEMBIC.format(
        revision="a1",
        before=None,
        does="op.create_table('item', sa.Column('id', sa.Integer(), primary_key=True), sa.Column('title', sa.Text()))",
    ),
    "shop/migrations/versions/b2_ids.py": ALEMBIC.format(
        revision="b2",
        before="'a1'",
        does="""op.add_column('item', sa.Column('new_id', sa.String()))
    op.drop_column('item', 'id')
    op.alter_column('item', 'new_id', new_column_name='id')
    op.add_column('item', sa.Column('price', sa.Integer()))""",
    ),
    "shop/migrations/versions/c3_articles.py": ALEMBIC.format(
        revision="c3", before="'b2'", does="op.rename_table('item', 'article')"
    ),
    "shop/report.py": """from sqlalchemy import text


def prices(connection):
    return connection.execute(text("SELECT id, price FROM article"))
""",
}


def test_columns_are_found_and_shown_by_the_names_that_the_database_has(indexed_project: Project) -> None:
    workspace = indexed_project(MIGRATED)
    second = "shop/migrations/versions/b2_ids.py"
    for name, at in {"article.id": f"{second}:9", "item > id": f"{second}:9", "article > price": f"{second}:12"}.items():
        assert workspace.trace(name).answer.at == at, name
        assert [each.file for each in workspace.search(f"symbol = {name}")] == [second], name
    assert workspace.trace("article").answer.at == "shop/migrations/versions/a1_first.py:9"
    used = workspace.trace("prices").answer.statements
    assert used is not None
    assert {each.symbol for each in used.uses} == {"article", "article.id", "article.price"}


def test_a_name_of_a_column_also_finds_a_property_of_the_same_name_and_no_column_of_another_schema(
    indexed_project: Project,
) -> None:
    files = {"schema.sql": "CREATE TABLE audit.users (email TEXT);\n", "users.ts": "export class users { email = '' }\n"}
    workspace = indexed_project(files)
    assert {each.file for each in workspace.search("symbol = users.email")} == {"schema.sql", "users.ts"}
    assert workspace.search("symbol = public.users.email").results == ()


MAPPED = {
    "library/__init__.py": "",
    "library/models.py": """from django.db import models


class User(models.Model):
    email = models.EmailField()
    home = models.CharField(max_length=3, db_column="house")
""",
    "library/migrations/__init__.py": "",
    "library/migrations/0001_initial.py": """from django.db import migrations, models


class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(primary_key=True)),
                ("email", models.EmailField(max_length=254)),
                ("home", models.CharField(max_length=3, db_column="house")),
            ],
        ),
    ]
""",
    "library/use.py": """from library.models import User


def first():
    return User.objects.filter(email="a").first()
""",
    "shop/models.py": """from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Buyer(Base):
    __tablename__ = "shop_buyers"
    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column("mail")
""",
    "package.json": '{"name": "desk", "dependencies": {"typeorm": "0.3.20", "@prisma/client": "6"}}',
    "desk/clerk.ts": """import { Column, Entity, PrimaryColumn } from 'typeorm'
@Entity('desk_clerks')
export class Clerk {
  @PrimaryColumn() id: number
  @Column({ name: 'mail' }) email: string
}
""",
    "prisma/schema.prisma": """datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL")
}
model Guest {
  id    Int    @id
  email String @map("mail")
  @@map("hotel_guests")
}
""",
    "pom.xml": "<project><groupId>a</groupId><artifactId>b</artifactId><version>1</version></project>",
    "src/main/java/fleet/Driver.java": """package fleet;
import jakarta.persistence.*;
@Entity @Table(name = "fleet_drivers")
public class Driver {
  @Id private Long id;
  @Column(name = "mail") private String email;
}
""",
    "go.mod": "module example.com/pier\n\nrequire gorm.io/gorm v1.25.0\n",
    "pier/keeper.go": """package pier

import "gorm.io/gorm"

type PierKeeper struct {
	ID    uint   `gorm:"primaryKey"`
	Email string `gorm:"column:mail"`
}

func Migrate(db *gorm.DB) error { return db.AutoMigrate(&PierKeeper{}) }
""",
}


def test_names_that_object_mappers_give_to_tables_and_columns(indexed_project: Project) -> None:
    """A model and the table of migrations are one symbol, also by the name of the table."""
    workspace = indexed_project(MAPPED)
    files = {
        "library_user": "library/models.py",
        "library_user.house": "library/models.py",
        "shop_buyers.mail": "shop/models.py",
        "desk_clerks.mail": "desk/clerk.ts",
        "hotel_guests.mail": "prisma/schema.prisma",
        "fleet_drivers.mail": "src/main/java/fleet/Driver.java",
        "pier_keepers.mail": "pier/keeper.go",
    }
    found = {name: (workspace.trace(name).answer.at or "").partition(":")[0] for name in files}
    assert found == files
    for name in ("library_user.email", "User.email"):
        answer = workspace.trace(name).answer
        assert answer.statements is not None, name
        assert {each.symbol for each in answer.statements.used_by} == {"first"}
    looked_up = {each.file for each in workspace.search("symbol = library_user > email")}
    assert looked_up == {"library/models.py", "library/migrations/0001_initial.py"}


GROWN = {
    "db/migrations/0001_first.sql": "CREATE TABLE readers (id integer PRIMARY KEY, card text UNIQUE);\n"
    "CREATE TABLE loans (\n  id integer PRIMARY KEY,\n  card integer REFERENCES readers (id) ON DELETE CASCADE,\n"
    "  note text\n);\n",
    "db/migrations/0002_names.sql": "ALTER TABLE loans RENAME COLUMN card TO reader_id;\nALTER TABLE loans DROP COLUMN note;\n",
    "db/migrations/0003_days.sql": "ALTER TABLE loans ADD COLUMN days integer NOT NULL DEFAULT 14;\n"
    "CREATE INDEX loans_by_days ON loans (reader_id, days);\n",
}


def test_a_trace_shows_the_state_after_all_migrations_and_the_changes(indexed_project: Project) -> None:
    workspace = indexed_project(GROWN)
    first = "db/migrations/0001_first.sql"
    assert _shown(workspace, "loans") == [
        "Table loans:",
        "  id integer not null",
        "  reader_id integer",
        "  days integer not null default 14",
        "  primary key loans_pkey (id)",
        "  foreign key loans_card_fkey (reader_id) references readers.id on delete CASCADE",
        "  index loans_by_days (reader_id, days)",
        f"  created in {first}:2",
    ]
    assert _shown(workspace, "loans.reader_id") == [
        "Column loans.reader_id integer",
        "  foreign key loans_card_fkey (reader_id) references readers.id on delete CASCADE",
        "  index loans_by_days (reader_id, days)",
        f"  created in {first}:4, renamed in db/migrations/0002_names.sql:1",
    ]
    states = {
        "loans": "loans (id integer not null, reader_id integer, days integer not null default 14)",
        "loans.reader_id": "loans.reader_id integer",
        "loans.note": "dropped in db/migrations/0002_names.sql:2",
    }
    for name, state in states.items():
        assert f"    In the database: {state}\n" in str(workspace.search(f"symbol = {name}")), name
    assert _shown(workspace, "loans.note")[-1] == f"  created in {first}:5, dropped in db/migrations/0002_names.sql:2"


def _shown(workspace: Workspace, name: str) -> list[str]:
    return str(workspace.trace(name, include=["definitions"])).split("\nOther symbols")[0].split("\n")[2:]


def test_columns_that_one_migration_adds_to_two_tables_are_not_one(indexed_project: Project) -> None:
    does = "op.create_table('loan', sa.Column('id', sa.Integer()))\n    op.create_table('fine', sa.Column('id', sa.Integer()))\n"
    does += (
        "    op.add_column('loan', sa.Column('state', sa.Text()))\n    op.add_column('fine', sa.Column('state', sa.Integer()))"
    )
    path = "shop/migrations/versions/a1_first.py"
    workspace = indexed_project({path: ALEMBIC.format(revision="a1", before=None, does=does)})
    (table,) = workspace.trace("fine.state").answer.tables
    assert [(column.name, column.type) for column in table.columns] == [("state", "integer")]
    assert len(workspace.trace(f"{path} > upgrade > state").answer.candidates) == 2


def test_a_model_shows_the_table_of_its_migrations(indexed_project: Project) -> None:
    (table,) = indexed_project(MAPPED).trace("User").answer.tables
    assert (table.table, [column.name for column in table.columns]) == ("library_user", ["id", "email", "house"])
    assert [(each.kind, each.file) for each in table.changes] == [("created", "library/migrations/0001_initial.py")]


KEPT = """import { integer, pgTable } from 'drizzle-orm/pg-core';
export const harborBoats = pgTable('boats', { id: integer().primaryKey() });
export const bookings = pgTable('orders', {
  id: integer().primaryKey(),
  boat: integer('boat_id').references(() => harborBoats.id),
});
"""


def test_models_without_migrations_have_the_name_of_their_table(indexed_project: Project) -> None:
    workspace = indexed_project({"package.json": FILES["package.json"], "src/schema.ts": KEPT})
    (table,) = workspace.trace("bookings").answer.tables
    assert (table.table, [str(column) for column in table.columns]) == ("orders", ["id integer not null", "boat_id integer"])
    assert [(key.kind, key.references) for key in table.keys][1:] == [("foreign key", ("boats.id",))]
    (column,) = workspace.trace("bookings.boat").answer.tables
    assert (column.table, [each.name for each in column.columns]) == ("orders", ["boat_id"])
