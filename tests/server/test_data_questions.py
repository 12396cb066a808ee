"""Questions about tables and columns: who reads and modifies them, what is wrong with them, and their diagram."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from written_workspace import write

PROJECT = """
//- schema.sql
CREATE TABLE piers (id int PRIMARY KEY, name text NOT NULL, forgotten_note text);
CREATE TABLE boats (
  id int PRIMARY KEY,
  name text,
  pier_id int NOT NULL REFERENCES piers (id),
  home_id int REFERENCES piers (id)
);
CREATE INDEX boats_home ON boats (home_id);
CREATE VIEW moored AS SELECT b.name, p.name AS pier FROM boats b JOIN piers p ON p.id = b.pier_id;
CREATE FUNCTION clear_names() RETURNS void LANGUAGE sql AS $$ UPDATE piers SET name = '' WHERE id > 9 $$;
//- clear.ts
import { createClient } from '@supabase/supabase-js'
export const clear = () => createClient('a', 'b').rpc('clear_names')
//- harbor.py
def moor(db, boat, pier):
    db.execute("UPDATE boats SET pier_id = %s WHERE id = %s", (pier, boat))


def show(db):
    return db.execute("SELECT pier FROM moored")


def plain():
    return 1
"""


@pytest.fixture(scope="module")
def harbor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("harbor")
    write(root, PROJECT)
    with Workspace.locate(root) as workspace:
        workspace.index()
        yield workspace


def test_statements_of_a_table(harbor: Workspace) -> None:
    """What uses a view on a table uses the table."""
    found = harbor.trace("boats", include=["statements"]).answer.statements
    assert found is not None
    assert [(each.symbol, each.verb, each.statement, each.through) for each in found.used_by] == [
        ("moored", "reads", "select", ""),
        ("show", "reads", "select", "moored"),
        ("moor", "modifies", "update", ""),
    ]


def test_statements_of_a_column(harbor: Workspace) -> None:
    answer = harbor.trace("boats > pier_id", include=["statements"])
    assert answer.text.splitlines()[1:] == [
        "Statements that use it:",
        "  reads (select in postgres): view moored (schema.sql:9)",
        "  reads (select in postgres): function show (harbor.py:6) through moored",
        "  modifies (update in postgres): function moor (harbor.py:2)",
    ]


def test_statements_of_a_routine(harbor: Workspace) -> None:
    """Code that calls a routine does with a column what the routine does."""
    found = harbor.trace("piers > name", include=["statements"]).answer.statements
    assert found is not None
    assert [(each.symbol, each.verb, each.statement, each.through) for each in found.used_by if each.symbol != "moored"] == [
        ("show", "reads", "select", "moored"),
        ("clear_names", "modifies", "update", ""),
        ("clear", "modifies", "call", "clear_names"),
    ]


def test_tables_of_code(harbor: Workspace) -> None:
    found = harbor.trace("moor", include=["statements"]).answer.statements
    assert found is not None
    assert [(each.symbol, each.file, each.line, each.verb) for each in found.uses] == [
        ("boats.id", "harbor.py", 2, "reads"),
        ("boats", "harbor.py", 2, "modifies"),
        ("boats.pier_id", "harbor.py", 2, "modifies"),
    ]


def test_no_statements(harbor: Workspace) -> None:
    assert "statements" in harbor.trace("plain", include=["statements"]).answer.nothing
    assert "statements" not in harbor.trace("plain").answer.nothing


def test_findings(harbor: Workspace) -> None:
    found = [(each.file, each.line, each.message) for each in harbor.lint(checks=["hints"]).answer.diagnostics or ()]
    assert found == [
        ("schema.sql", 1, "Nothing reads piers.forgotten_note: no statement names it, and no code has its name."),
        (
            "schema.sql",
            5,
            "No index begins with boats.pier_id, which is a foreign key: deletes of what it refers to read the whole table.",
        ),
    ]


def test_a_column_beyond_ascii_is_read(tmp_path: Path) -> None:
    write(tmp_path, PROJECT.replace("forgotten_note", "größe").replace("return 1", "return row.größe"))
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        found = workspace.lint(checks=["hints"]).answer.diagnostics or ()
    assert not [each for each in found if "Nothing reads" in each.message]


NAMES = """
//- models/schema.sql
CREATE TABLE lines (id int PRIMARY KEY, line_no int, hidden_no int);
CREATE TABLE accounts (id int PRIMARY KEY, provider text, "providerAccountId" text, session_state text, color text);
//- tests/schema.sql
CREATE TABLE fixtures (id int PRIMARY KEY, unused int, line_id int REFERENCES fixtures (id));
//- lines.go
package lines

type Line struct {
	LineNo int
}

func Read(db DB) {
	db.Query("SELECT id FROM lines")
	db.Query(`SELECT provider FROM accounts WHERE "providerAccountId" = 'a'`)
	db.Query("SELECT id FROM fixtures")
}
"""


def test_names_in_other_styles_and_fixtures(tmp_path: Path) -> None:
    """A column is read under its name in any style. Tables of tests, and what Auth.js reads of accounts, have no findings."""
    write(tmp_path, NAMES)
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        found = workspace.lint(checks=["hints"]).answer.diagnostics or ()
    assert [each.message for each in found if each.source == "data"] == [
        "Nothing reads lines.hidden_no: no statement names it, and no code has its name.",
        "Nothing reads accounts.color: no statement names it, and no code has its name.",
    ]


def test_entity_diagram(harbor: Workspace) -> None:
    assert harbor.tables(kind="table").to_mermaid().splitlines() == [
        "erDiagram",
        '  t0["piers"] {',
        "    int id PK",
        "    text name",
        "    text forgotten_note",
        "  }",
        '  t1["boats"] {',
        "    int id PK",
        "    text name",
        "    int pier_id FK",
        "    int home_id FK",
        "  }",
        '  t1 }o--o| t0 : "home_id"',
        '  t1 }o--|| t0 : "pier_id"',
    ]


OTHER_RULES = """
//- mysql/1_init.sql
CREATE TABLE piers (id int PRIMARY KEY);
CREATE TABLE boats (id int PRIMARY KEY, pier_id int, CONSTRAINT at_pier FOREIGN KEY (pier_id) REFERENCES piers (id));
//- shop/schema.ts
import { pgTable, text, integer } from 'drizzle-orm/pg-core'
export const mails = pgTable('mails', { id: integer('id').primaryKey(), toAddresses: text('to'), unusedText: text('plain') })
//- shop/migrations/0001_init.sql
CREATE TABLE letters (id integer PRIMARY KEY, "to" text, plain text, box_id integer REFERENCES letters (id));
ALTER TABLE letters RENAME TO mails;
//- shop/lite/schema.sql
CREATE TABLE letters (id integer PRIMARY KEY, "to" text);
//- shop/send.ts
import { mails } from './schema'
export const send = async (db: Db) => (await db.query("SELECT id FROM mails"))[0].toAddresses
//- fleet/models.py
from django.db import models
from treenode.models import TreeNodeModel
class Tag(TreeNodeModel):
    label = models.CharField(max_length=20)
//- fleet/migrations/0001_initial.py
from django.db import migrations, models
class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel(
            name="Tag",
            fields=[
                ("id", models.BigAutoField(primary_key=True)),
                ("tn_depth", models.IntegerField(default=0)),
                ("label", models.CharField(max_length=20)),
            ],
        ),
    ]
//- fleet/views.py
from .models import Tag
def labels():
    return [each.label for each in Tag.objects.all()]
"""


def test_keys_in_mysql_and_fields_of_models(tmp_path: Path) -> None:
    """MySQL indexes every foreign key, code may read a column under the name of the field of a model, and findings name tables as
    they are after all migrations. A name means the table that statements use. A base class in another package may read the
    columns that only migrations have.
    """
    write(tmp_path, OTHER_RULES)
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        traced = workspace.trace("letters", include=["statements"])
        assert traced.text.startswith("letters (shop/migrations/0001_init.sql:1)")
        assert "shop/lite/schema.sql > letters" in traced.text
        found = workspace.lint(checks=["hints"]).answer.diagnostics or ()
    assert sorted(each.message for each in found if each.source == "data") == [
        "No index begins with mails.box_id, which is a foreign key: deletes of what it refers to read the whole table.",
        "Nothing reads mails.plain: no statement names it, and no code has its name.",
    ]


SHOP = """
//- dbt_project.yml
name: shop
model-paths: ["models"]
//- models/orders.sql
select id, price from {{ source('till', 'receipts') }}
//- models/revenue.sql
select id, price as total from {{ ref('orders') }}
//- models/schema.yml
version: 2
sources:
  - name: till
    tables:
      - name: receipts
        columns:
          - name: id
          - name: price
models:
  - name: revenue
    columns:
      - name: id
      - name: sum
//- README.md
# Shop

```sql
select * from revenue
```
"""


def test_models_of_dbt(tmp_path: Path) -> None:
    """A statement in a document is no use of a model of dbt, and a column of the YAML may be missing in the model."""
    write(tmp_path, SHOP)
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        found = workspace.lint(checks=["hints", "warnings"]).answer.diagnostics or ()
        traced = workspace.trace("models/schema.yml > revenue > sum").answer.nothing
    assert [(each.file, each.message) for each in found] == [
        ("models/schema.yml", "The YAML describes revenue.sum, which the model does not select."),
    ]
    assert not [each for each in traced.values() if "openapi" in str(each)]
