"""Models of Rails: the tables that they map to, and the statements that calls of their constants make."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.ruby.rails.inflection import camelized, plural, singular, underscored
from data_uses import uses_of
from incremental_steps import check_files
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

SCHEMA = """\
ActiveRecord::Schema[7.1].define(version: 2024_01_01_000000) do
  create_table "boats" do |t|
    t.string "name"
    t.string "type"
    t.bigint "pier_id"
    t.bigint "skipper_id"
  end
  create_table "piers" do |t|
    t.string "name"
    t.integer "depth"
  end
  create_table "crew_people" do |t|
    t.string "email"
    t.bigint "boat_id"
  end
end
"""
BOAT = """\
class Boat < ApplicationRecord
  belongs_to :pier, optional: true
  belongs_to :skipper,
    class_name: "Crew::Person",
    foreign_key: :skipper_id
  has_many :people, class_name: "Crew::Person"

  scope :moored, -> { where.not(pier_id: nil) }
  scope :named, ->(name) { where(name: name) }

  def self.total
    3
  end

  def rename(text)
    update(name: text)
  end
end
"""
CONTROLLER = """\
class BoatsController < ApplicationController
  def index
    @boats = Boat.named(params[:name]).order(:id)
  end

  def show
    # Pier.find(1)
    @boat = Boat.joins(:pier).where(pier: { depth: 3 }, name: "Pier.all")
      .order(pier_id: :desc)
  end

  def create
    Boat.create! name: params[:name], pier_id: 1
  end

  def sink
    Boat.where(name: "x").delete_all
  end

  def enlist
    Crew::Person.find_or_create_by(email: params[:email])
  end

  def tug
    Tug.find_by_name!("Otto")
  end

  def count
    Boat.total
    Furniture.where(name: 1)
  end
end
"""
PROJECT = f"""
//- db/schema.rb
{SCHEMA}
//- app/models/application_record.rb
class ApplicationRecord < ActiveRecord::Base
  primary_abstract_class
end
//- app/models/boat.rb
{BOAT}
//- app/models/tug.rb
class Tug < Boat
end
//- app/models/pier.rb
class Pier < ApplicationRecord
  has_many :boats
end
//- app/models/crew/person.rb
module Crew
  class Person < ApplicationRecord
    belongs_to :boat

    def self.of(mail)
      find_by(email: mail)
    end
  end
end
//- app/controllers/boats_controller.rb
{CONTROLLER}
"""


def test_calls_of_models_use_tables_and_columns(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "app/controllers/boats_controller.rb") == [
        "BoatsController.create modifies boats insert",
        "BoatsController.create modifies boats.name insert",
        "BoatsController.create modifies boats.pier_id insert",
        "BoatsController.enlist modifies crew_people merge",
        "BoatsController.enlist modifies crew_people.email merge",
        "BoatsController.index reads boats select",
        "BoatsController.show reads boats select",
        "BoatsController.show reads boats.name select",
        "BoatsController.show reads boats.pier_id select",
        "BoatsController.show reads piers select",
        "BoatsController.show reads piers.depth select",
        "BoatsController.sink modifies boats delete",
        "BoatsController.sink reads boats.name delete",
        "BoatsController.tug reads boats select",
        "BoatsController.tug reads boats.name select",
    ]
    assert uses_of(content, "app/models/boat.rb") == [
        "Boat reads boats select",
        "Boat reads boats.name select",
        "Boat reads boats.pier_id select",
    ]
    assert uses_of(content, "app/models/crew/person.rb") == [
        "Crew.Person.of reads crew_people select",
        "Crew.Person.of reads crew_people.email select",
    ]


def test_models_map_to_their_tables(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    names = {symbol.id: symbol.qualified_name for symbol in content.symbols}
    found = sorted((names[each.from_id], names[each.to_id], each.framework, each.evidence) for each in content.data_mappings)
    assert found == [
        ("Boat", "boats", "rails", "declared"),
        ("Crew.Person", "crew_people", "rails", "declared"),
        ("Pier", "piers", "rails", "declared"),
        ("Tug", "boats", "rails", "declared"),
    ]


def test_a_stated_table_counts(tmp_path: Path) -> None:
    stated = PROJECT.replace("class Pier < ApplicationRecord\n", "class Pier < ApplicationRecord\n  self.table_name = 'boats'\n")
    content = analysed(tmp_path, stated)
    names = {symbol.id: symbol.qualified_name for symbol in content.symbols}
    assert ("Pier", "boats") in {(names[each.from_id], names[each.to_id]) for each in content.data_mappings}


def test_changed_models_change_the_uses_of_other_files(tmp_path: Path) -> None:
    check_files(
        tmp_path,
        PROJECT,
        "declared",
        {
            "app/models/boat.rb": BOAT.replace(":named", ":called"),
            "db/schema.rb": SCHEMA.replace('"depth"', '"height"'),
            "app/models/tug.rb": None,
        },
    )


@pytest.mark.parametrize(
    ("one", "many"), [("boat", "boats"), ("category", "categories"), ("story_box", "story_boxes"), ("mod_child", "mod_children")]
)
def test_names_of_tables_are_plurals(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one


def test_names_of_classes_are_in_snake_case() -> None:
    assert underscored("HTMLStoryText") == "html_story_text"
    assert camelized("story_text") == "StoryText"


@pytest.mark.parametrize(
    "line", ["Boat.where(name: 1, {a: [", "Boat.where(a: 1).order(:b)\n", "  scope :a, -> { where(a: 1) }\n"]
)
def test_reading_takes_linear_time(line: str) -> None:
    def seconds(count: int) -> float:
        text = f"class Boat < ApplicationRecord\n{line * count}"
        return processor_seconds(lambda: extract_facts(text.encode(), "ruby"))

    assert is_linear(seconds, 200)


def test_deeply_nested_conditions_keep_the_symbols_of_a_file() -> None:
    facts = extract_facts(
        f"class Boat < ApplicationRecord\n  def all\n    Boat.where({'a: {' * 400}1{'}' * 400})\n  end\nend\n".encode(), "ruby"
    )
    assert [symbol.name for symbol in facts.symbols[0:2]] == ["Boat", "all"]
    assert facts.data is not None
    assert facts.data.written
