"""Migrations of Django: the tables that they make in the order of their dependencies, and the models of the same database."""

from __future__ import annotations

from astrolabe.ingest.data.schemas.databases import Schema

from .mapped_models import columns, data_of, edges_of, migrations

HEAD = "from django.conf import settings\nfrom django.db import migrations, models\n\nclass Migration(migrations.Migration):\n"
KEY = '("id", models.BigAutoField(primary_key=True)),'
PEOPLE = f"""{HEAD}
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.CreateModel(name="Town", fields=[{KEY} ("name", models.CharField(max_length=20, unique=True))]),
        migrations.CreateModel(
            name="Reader",
            fields=[
                {KEY}
                ("card", models.CharField(max_length=12)),
                ("town", models.ForeignKey(to="people.town", on_delete=models.CASCADE)),
                ("friends", models.ManyToManyField(to="people.Reader")),
            ],
            options={{"db_table": "readers", "unique_together": {{("card", "town")}}}},
        ),
        migrations.CreateModel(name="Draft", fields=[{KEY}]),
    ]
"""
LATER = f"""{HEAD}
    dependencies = [("people", "0009_first")]
    operations = [
        migrations.AddField("reader", "age", models.SmallIntegerField(null=True)),
        migrations.AlterField(model_name="reader", name="card", field=models.CharField(max_length=30, unique=True, null=True)),
        migrations.RenameField("reader", "town", "home"),
        migrations.AlterUniqueTogether(name="reader", unique_together=set()),
        migrations.DeleteModel("Draft"),
        migrations.AddIndex("reader", models.Index(fields=["age"], name="ages")),
        migrations.RunSQL("CREATE TABLE notes (id integer)", reverse_sql="DROP TABLE notes"),
        migrations.RunPython(print),
    ]
"""
LAST = f"""{HEAD}
    dependencies = [("people", "0002_later")]
    operations = [
        migrations.RenameModel("Town", "City"),
        migrations.RemoveField("reader", "age"),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.AddField("reader", "ghost", models.TextField())],
            database_operations=[migrations.RunSQL([("ALTER TABLE notes ADD COLUMN text text", None)])],
        ),
    ]
"""
# The names of the files say nothing of the order.
FILES = {
    "people/migrations/0009_first.py": PEOPLE,
    "people/migrations/0002_later.py": LATER,
    "people/migrations/0001_last.py": LAST,
}
MODELS = """
from django.db import models

class Reader(models.Model):
    card = models.CharField(max_length=30, unique=True, null=True)
    home = models.ForeignKey("City", on_delete=models.CASCADE)
    friends = models.ManyToManyField("self")
    class Meta:
        db_table = "readers"
"""


def schema(files: dict[str, str]) -> Schema:
    return migrations(files, "django")


def test_operations_run_in_the_order_of_their_dependencies() -> None:
    tables = {table.name: table for table in schema(FILES).database.tables.values()}
    assert sorted(tables) == ["notes", "people_city", "readers", "readers_friends"]
    assert columns(tables["readers"]) == {"id": ("bigint", False), "card": ("varchar(30)", True), "home_id": ("bigint", False)}
    assert columns(tables["people_city"]) == {"id": ("bigint", False), "name": ("varchar(20)", False)}
    assert list(columns(tables["readers_friends"])) == ["id", "from_reader_id", "to_reader_id"]
    assert list(columns(tables["notes"])) == ["id", "text"]


def test_keys_have_the_names_that_django_gives_them_when_they_are_made() -> None:
    # The names are those of PostgreSQL 15 after Django 5.2 ran the same operations.
    readers = next(table for table in schema(FILES).database.tables.values() if table.name == "readers")
    assert sorted([*readers.constraints, *readers.indexes]) == [
        "readers_card_b4ad5fcd_like",
        "readers_card_b4ad5fcd_uniq",
        "readers_home_id_9677c8e7_fk_people_city_id",
        "readers_pkey",
        "readers_town_id_167b895d",
    ]


def test_changes_are_told_with_their_file() -> None:
    facts = data_of(FILES)
    paths = sorted(facts)
    found = schema(FILES).database
    card = found.tables["", "readers"].columns["card"]
    assert [(each.kind, paths[each.file].rpartition("/")[2]) for each in card.events] == [
        ("created", "0009_first.py"),
        ("altered", "0002_later.py"),
    ]
    assert [(table.name, [each.kind for each in table.events]) for table in found.dropped_tables] == [
        ("people_draft", ["created", "dropped"])
    ]
    assert [column.name for _, column in found.dropped_columns] == ["age"]


def test_models_and_migrations_are_one_set_of_tables() -> None:
    files = {**FILES, "people/models.py": MODELS}
    edges = edges_of(files, lambda path, name: f"{path.rpartition('/')[2]}:{name}")
    mappings = {(each.from_id, each.to_id) for each in edges.data_mappings}
    assert {
        ("models.py:Reader", "0009_first.py:Reader"),
        ("models.py:card", "0009_first.py:card"),
        ("models.py:home", "0009_first.py:town"),
    } <= mappings


def test_a_migration_stands_for_those_that_it_replaces() -> None:
    squashed = PEOPLE.replace(
        "    operations", '    replaces = [("people", "0009_first"), ("people", "0002_later")]\n    operations'
    )
    files = {**FILES, "people/migrations/0003_squashed.py": squashed}
    tables = {table.name: table for table in schema(files).database.tables.values()}
    assert sorted(tables) == ["people_city", "people_draft", "readers", "readers_friends"]
    assert "age" not in tables["readers"].columns


def test_a_migration_runs_before_those_of_other_applications_that_it_names() -> None:
    early = f"""{HEAD}
    run_before = [("people", "0009_first")]
    operations = [migrations.RunSQL("CREATE TABLE shelves (id integer)")]
"""
    later = PEOPLE.replace("operations = [", 'operations = [migrations.RunSQL("ALTER TABLE shelves ADD COLUMN room text"),')
    found = schema({"people/migrations/0009_first.py": later, "zoo/migrations/0001_early.py": early}).database
    assert list(columns(found.tables["", "shelves"])) == ["id", "room"]


KEYS = f"""{HEAD}
    operations = [
        migrations.CreateModel(
            name="Town",
            fields=[("id", models.AutoField(primary_key=True)), ("code", models.CharField(max_length=3, unique=True))],
        ),
        migrations.CreateModel(
            name="Mayor",
            fields=[("town", models.OneToOneField(to="people.town", primary_key=True, on_delete=models.CASCADE))],
        ),
        migrations.CreateModel(
            name="Reader",
            fields=[
                ("id", models.AutoField(primary_key=True)),
                ("home", models.ForeignKey(to="people.Town", on_delete=models.CASCADE)),
                ("mayor", models.ForeignKey(to="people.Mayor", on_delete=models.CASCADE)),
                ("guardian", models.ForeignKey(to="people.Reader", on_delete=models.CASCADE)),
                ("visited", models.ManyToManyField(to="people.Town")),
            ],
        ),
        migrations.CreateModel(name="Clerk", fields=[{KEY}], options={{"swappable": "AUTH_USER_MODEL"}}),
        migrations.CreateModel(name="Guest", fields=[{KEY}], options={{"swappable": "GUEST_MODEL"}}),
    ]
"""
BIG_KEYS = f"""{HEAD}
    dependencies = [("people", "0001_keys")]
    operations = [
        migrations.AlterField("town", "id", models.BigAutoField(primary_key=True)),
        migrations.AlterField("reader", "id", models.BigAutoField(primary_key=True)),
    ]
"""
SETTINGS = 'AUTH_USER_MODEL = "people.Reader"\nGUEST_MODEL = "people.Guest"\n'


def test_keys_to_a_column_of_another_type_are_made_again_with_shorter_names() -> None:
    # The names and types are those of PostgreSQL 15 after Django 5.2 ran the same operations.
    files = {"people/migrations/0001_keys.py": KEYS, "people/migrations/0002_big.py": BIG_KEYS, "settings.py": SETTINGS}
    tables = {table.name: table for table in schema(files).database.tables.values()}
    made = [key for table in tables.values() for key in table.constraints.values() if key.kind == "foreign key"]
    assert sorted(each.name for each in made) == [
        "people_mayor_town_id_a79b885a_fk",
        "people_reader_guardian_id_88dad9a9_fk",
        "people_reader_home_id_9f9bef73_fk",
        "people_reader_mayor_id_f8e3b8c9_fk",
        "people_reader_visited_reader_id_a178f4e3_fk",
        "people_reader_visited_town_id_2395f1cd_fk",
    ]
    assert {each.type for table in tables.values() for each in table.columns.values()} == {"bigint", "varchar(3)"}


INDEXES = f"""{HEAD}
    operations = [
        migrations.CreateModel("Town", [{KEY}]),
        migrations.CreateModel("Spot", [("code", models.IntegerField()), {KEY}]),
        migrations.CreateModel(
            name="Walk",
            fields=[
                {KEY}
                ("town", models.ForeignKey(to="walks.Town", on_delete=models.CASCADE)),
                ("length", models.IntegerField()),
                ("state", models.IntegerField()),
                ("path", ArrayField(base_field=ArrayField(base_field=models.TextField(), size=2))),
            ],
            options={{"index_together": {{("length", "state")}}}},
        ),
        migrations.AddIndex("walk", models.Index(fields=["town"], name="walks_by_town")),
        migrations.AddIndex("walk", models.Index(fields=["state"], name="walks_begun", condition=models.Q(state=1))),
        migrations.AddIndex("walk", models.Index(fields=["state"], name="walks_ended", condition=models.Q(state=2))),
        migrations.RenameIndex("walk", new_name="walks_by_length", old_fields=("length", "state")),
        migrations.AddConstraint(
            "walk", models.UniqueConstraint(models.F("length"), condition=models.Q(state=0), name="one_planned")
        ),
        migrations.RemoveIndex("walk", "walks_begun"),
        migrations.RenameField("walk", "length", "meters"),
        migrations.RemoveField("spot", "id"),
        migrations.AlterField("spot", "code", models.IntegerField(primary_key=True)),
    ]
"""


def test_indexes_with_equal_columns_differ_by_their_names() -> None:
    # The names are those of PostgreSQL 15 after Django 5.2 ran the same operations.
    source = f"from django.contrib.postgres.fields import ArrayField\n{INDEXES}"
    tables = {table.name: table for table in schema({"walks/migrations/0001_all.py": source}).database.tables.values()}
    walks, spots = tables["walks_walk"], tables["walks_spot"]
    assert sorted(walks.indexes) == [
        "one_planned",
        "walks_by_length",
        "walks_by_town",
        "walks_ended",
        "walks_walk_town_id_107fb85e",
    ]
    assert columns(walks)["path"] == ("text[]", False)
    assert list(spots.constraints) == ["walks_spot_code_55eb6de2_pk"]


def test_a_model_in_whose_place_a_setting_names_another_has_no_table() -> None:
    files = {"people/migrations/0001_keys.py": KEYS, "settings.py": SETTINGS}
    names = {table.name for table in schema(files).database.tables.values()}
    assert "people_guest" in names
    assert "people_clerk" not in names


def test_keys_of_joins_follow_the_settings_and_not_the_application() -> None:
    application = 'from django.apps import AppConfig\nclass People(AppConfig):\n    default_auto_field = "%s"\n'
    files = {
        "people/migrations/0001_keys.py": KEYS,
        "people/apps.py": application % "django.db.models.BigAutoField",
        "settings.py": 'DEFAULT_AUTO_FIELD = "django.db.models.AutoField"\n',
    }
    tables = {table.name: table for table in schema(files).database.tables.values()}
    assert columns(tables["people_reader_visited"])["id"] == ("integer", False)


def test_a_model_moves_to_another_application_with_its_table() -> None:
    moved = f"{HEAD}    dependencies = [{{after}}]\n    made = {{made}}\n    in_state = {{state}}\n"
    run = "    operations = [migrations.SeparateDatabaseAndState(database_operations=made, state_operations=in_state)]\n"
    create = f'[migrations.CreateModel(name="Book", fields=[{KEY} ("page", models.CharField(max_length=9))])]'
    rename = '[migrations.AlterModelTable("Book", "shelf_book")]'
    files = {
        "shop/migrations/0001_first.py": f"{HEAD}    operations = {create}\n",
        "shop/migrations/0002_move.py": moved.format(
            after='("shop", "0001_first")', made=rename, state='[migrations.DeleteModel("Book")]'
        )
        + run,
        "shelf/migrations/0001_move.py": moved.format(after='("shop", "0002_move")', made="[]", state=create) + run,
        "shelf/migrations/0002_later.py": f'{HEAD}    dependencies = [("shelf", "0001_move")]\n'
        '    operations = [migrations.AddField("book", "title", models.TextField())]\n',
    }
    tables = {table.name: table for table in schema(files).database.tables.values()}
    assert list(tables) == ["shelf_book"]
    assert list(columns(tables["shelf_book"])) == ["id", "page", "title"]


def test_applications_run_in_the_order_of_their_names_with_their_dependencies_first() -> None:
    # The table of `Rule` moves from `rules` to `core`. `core` does not depend on the renaming,
    # but `board`, which runs before it, does.
    create = f'migrations.CreateModel("Rule", [{KEY}])'
    files = {
        "board/migrations/0001_all.py": f'{HEAD}    dependencies = [("rules", "0002_moved")]\n    operations = []\n',
        "core/migrations/0001_rule.py": f"{HEAD}    operations = [migrations.SeparateDatabaseAndState([], [{create}])]\n",
        "core/migrations/0002_text.py": f"{HEAD}    dependencies = [('core', '0001_rule')]\n"
        '    operations = [migrations.AddField("rule", "text", models.TextField())]\n',
        "rules/migrations/0001_all.py": f"{HEAD}    operations = [{create}]\n",
        "rules/migrations/0002_moved.py": f"""{HEAD}
    dependencies = [("core", "0001_rule"), ("rules", "0001_all")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel("Rule")],
            database_operations=[migrations.AlterModelTable("Rule", "core_rule")],
        )
    ]
""",
    }
    (table,) = schema(files).database.tables.values()
    assert (table.name, list(table.columns)) == ("core_rule", ["id", "text"])
