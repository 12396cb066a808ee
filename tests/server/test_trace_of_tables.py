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
