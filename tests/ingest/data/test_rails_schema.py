"""The schema file of Rails: tables, columns, keys, indexes, enums and views."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.extraction import extract_facts
from data_uses import uses_of
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

PROJECT = """
//- db/schema.rb
# This file is auto-generated from the current state of the database.

ActiveRecord::Schema[8.0].define(version: 2026_01_05_101010) do
  enable_extension "plpgsql"

  create_enum "rig", ["sloop", "ketch"]

  create_table "boats", id: :uuid, default: -> { "gen_random_uuid()" }, force: :cascade do |t|
    t.string "name", limit: 80, default: "The \\"Gull\\"", null: false
    t.decimal "length", precision: 5, scale: 2
    t.enum "rig", enum_type: "rig"
    t.bigint "pier_id", null: false
    t.string "tags", array: true
    t.datetime "built_at", precision: nil
    t.index "lower((name)::text)", name: "boats_lower_name"
    t.index ["pier_id", "name"], name: "index_boats_on_pier", unique: true, where: "(name IS NOT NULL)"
    t.check_constraint "length > 0", name: "has_length"
  end

  create_table "piers", force: :cascade do |t|
    t.text "name"
    t.column "area", "polygon"
    t.index ["name"], name: "index_piers_on_name"
  end

  create_table "berths", id: false, force: :cascade do |t|
    t.integer "pier_id", limit: 8
  end

  create_table "audit.events", primary_key: ["day", "number"], force: :cascade do |t|
    t.date "day", null: false
    t.integer "number", null: false
  end

  add_foreign_key "boats", "piers", on_delete: :cascade
  add_foreign_key "berths", "piers", name: "berths_pier"

  create_view "moored", sql_definition: <<-SQL
      SELECT boats.name FROM boats
       JOIN piers ON piers.id = boats.pier_id;
  SQL
end
//- app/report.rb
class Report
  def names
    ActiveRecord::Base.connection.execute("SELECT name FROM moored")
  end
end
"""


def test_tables(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    names = {symbol.id: symbol.qualified_name for symbol in content.symbols}
    columns = [
        f"{names[each.to_id]}.{each.name} {each.type} {each.nullable} {each.default_value}".strip() for each in content.columns
    ]
    assert columns == [
        "boats.id uuid False",
        'boats.name character varying(80) False The "Gull"',
        "boats.length numeric(5,2) True",
        "boats.rig rig True",
        "boats.pier_id bigint False",
        "boats.tags character varying[] True",
        "boats.built_at timestamp True",
        "piers.id bigint False",
        "piers.name text True",
        "piers.area polygon True",
        "berths.pier_id bigint True",
        "events.day date False",
        "events.number integer False",
    ]
    keys = [(names[each.from_id], names[each.to_id], each.name, each.on_delete) for each in content.foreign_keys]
    assert keys == [
        ("boats.pier_id", "piers", "fk_rails_4417e1064e", "CASCADE"),
        ("berths.pier_id", "piers", "berths_pier", ""),
    ]
    indexes = sorted((each.name, each.kind, names[each.to_id], each.is_unique) for each in content.indexes)
    assert indexes == [
        ("boats_pkey", "primary key", "boats", True),
        ("events_pkey", "primary key", "events.day", True),
        ("events_pkey", "primary key", "events.number", True),
        ("index_boats_on_pier", "index", "boats.name", True),
        ("index_boats_on_pier", "index", "boats.pier_id", True),
        ("index_piers_on_name", "index", "piers.name", False),
        ("piers_pkey", "primary key", "piers", True),
    ]


def test_views_and_code(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "db/schema.rb") == [
        "moored reads boats select",
        "moored reads boats.name select",
        "moored reads boats.pier_id select",
        "moored reads piers select",
    ]
    assert uses_of(content, "app/report.rb") == ["Report.names reads moored select"]


@pytest.mark.parametrize(
    "part", ['create_table "a" do |t|\n', 't.string "a"\n', "t.index [", 'create_view "a", <<-SQL\n', "end\n"]
)
def test_hostile_files_take_linear_time(part: str) -> None:
    def seconds(count: int) -> float:
        text = "ActiveRecord::Schema.define do\n" + part * count
        return processor_seconds(lambda: extract_facts(text.encode(), "ruby"))

    assert is_linear(seconds, 15_000 // len(part), times=4)


def test_calls_without_the_expected_arguments_are_read_as_far_as_they_go() -> None:
    text = """ActiveRecord::Schema[8.0].define(version: 1) do
  create_table "boats", id: do |t|
    t.column "name", []
    t.string
    t.index []
  end
  add_foreign_key "boats", []
  create_table []
end
"""
    facts = extract_facts(text.encode(), "ruby")
    assert not facts.problems
    assert facts.data is not None
    assert {"boats", "name"} <= {symbol.name for symbol in facts.symbols}
