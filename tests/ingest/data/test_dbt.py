"""Projects of dbt: templates of SQL and the YAML beside them, and the lineage that follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.data.dbt.jinja import read_template
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.workers.file_symbols import file_symbols
from astrolabe.schema.settings import Settings
from linear_time import is_linear, processor_seconds

from .mapped_models import data_of, edges_of, edges_with_ids

PROJECT = """name: fleet
config-version: 2
model-paths: ["models"]
"""
SOURCES = """version: 2
sources:
  - name: harbor
    schema: raw
    tables:
      - name: boats
        description: Every boat that ever moored
        columns:
          - name: id
            data_type: integer
            tests: [unique, not_null]
          - name: name
          - name: berth_id
      - name: moorings
models:
  - name: stg_boats
    columns:
      - name: boat_id
        description: Number of the boat
        data_tests:
          - not_null
      - name: color
"""
STAGING = """{{ config(materialized='view') }}
-- Boats with names that people can read.
with source as (

    select * from {{ source('harbor', 'boats') }}

),

renamed as (

    select
        id as boat_id,
        upper(trim(name)) as boat_name,
        {{ cents('price') }} as price,
        berth_id
    from source
    {% if is_incremental() %}
    where id > (select max(boat_id) from {{ this }})
    {% endif %}

)

select * from renamed
"""
MART = """{% set kinds = ['sail', 'motor'] %}
select
    boats.boat_id,
    boats.boat_name || ' at ' || m.pier as label,
    {% for kind in kinds %}
    sum(case when m.kind = '{{ kind }}' then 1 end) as {{ kind }}_count,
    {% endfor %}
from {{ ref('stg_boats') }} as boats
left join {{ source("harbor", "moorings") }} as m on m.boat_id = boats.boat_id
group by 1, 2
"""
PASSED = "select * exclude (price) from {{ ref('fleet', 'stg_boats') }}\n"
FILES = {
    "wh/dbt_project.yml": PROJECT,
    "wh/models/staging/_sources.yml": SOURCES,
    "wh/models/staging/stg_boats.sql": STAGING,
    "wh/models/marts/boats.sql": MART,
    "wh/models/marts/all_boats.sql": PASSED,
}


def uses(files: dict[str, str]) -> list[str]:
    """Return what symbols read, by file and qualified name: `boats.sql boats > stg_boats.sql stg_boats`."""
    names = {}
    for path, text in files.items():
        facts = extract_facts(text.encode(), {"yml": "dbt", "csv": "csv"}.get(path.rpartition(".")[2], "sql"))
        names[path] = [f"{path.rpartition('/')[2]} {symbol.qualified_name}" for symbol in file_symbols(path, facts.symbols)]
    edges = edges_with_ids(files, names)
    return sorted(f"{each.from_id} > {each.to_id}" for each in edges.data_uses)


def test_models_read_sources_and_models_and_columns_those_that_they_are_made_of() -> None:
    found = uses(FILES)
    assert [each for each in found if each.startswith("stg_boats.sql")] == [
        "stg_boats.sql stg_boats > _sources.yml harbor.boats",
        "stg_boats.sql stg_boats > _sources.yml harbor.boats.berth_id",
        "stg_boats.sql stg_boats > _sources.yml harbor.boats.id",
        "stg_boats.sql stg_boats > _sources.yml harbor.boats.name",
        "stg_boats.sql stg_boats.berth_id > _sources.yml harbor.boats.berth_id",
        "stg_boats.sql stg_boats.boat_id > _sources.yml harbor.boats.id",
        "stg_boats.sql stg_boats.boat_name > _sources.yml harbor.boats.name",
    ]
    assert [each for each in found if each.startswith("boats.sql")] == [
        "boats.sql boats > _sources.yml harbor.moorings",
        "boats.sql boats > stg_boats.sql stg_boats",
        "boats.sql boats > stg_boats.sql stg_boats.boat_id",
        "boats.sql boats > stg_boats.sql stg_boats.boat_name",
        "boats.sql boats.boat_id > stg_boats.sql stg_boats.boat_id",
        "boats.sql boats.label > stg_boats.sql stg_boats.boat_name",
    ]
    assert "all_boats.sql all_boats > stg_boats.sql stg_boats" in found


def test_models_have_the_columns_of_their_queries() -> None:
    edges = edges_of(FILES, lambda path, name: f"{path.rpartition('/')[2]} {name}")
    by_table: dict[str, list[str]] = {}
    for each in edges.columns:
        by_table.setdefault(each.to_id, []).append(each.name)
    assert by_table["stg_boats.sql "] == ["boat_id", "boat_name", "price", "berth_id"]
    assert by_table["boats.sql "] == ["boat_id", "label"]
    assert by_table["all_boats.sql "] == ["boat_id", "boat_name", "berth_id"]


def test_yaml_is_mapped_to_the_models_that_it_describes() -> None:
    edges = edges_of(FILES, lambda path, name: f"{path.rpartition('/')[2]} {name}")
    assert {(each.from_id, each.to_id, each.framework) for each in edges.data_mappings} == {
        ("_sources.yml stg_boats", "stg_boats.sql ", "dbt"),
        ("_sources.yml boat_id", "stg_boats.sql boat_id", "dbt"),
    }
    required = {each.name: each.nullable for each in edges.columns if each.to_id == "_sources.yml boats"}
    assert required == {"id": False, "name": True, "berth_id": True}


def test_relations_of_the_same_name_are_told_apart() -> None:
    files = FILES | {"wh/models/marts/names.sql": "select boat_id from {{ ref('boats') }}\n"}
    assert [each for each in uses(files) if each.startswith("names.sql")] == [
        "names.sql names > boats.sql boats",
        "names.sql names > boats.sql boats.boat_id",
        "names.sql names.boat_id > boats.sql boats.boat_id",
    ]


#: A seed that YAML describes in part, one that no YAML names, and a CSV file that is no seed.
SEEDS = {
    "wh/seeds/piers.csv": '\ufeffpier,"Length (m)",\nA,12,\n"B, north",30,\n',
    "wh/seeds/kinds.csv": "kind;label\n",
    "wh/seeds/_seeds.yml": "seeds:\n  - name: piers\n    columns:\n      - {name: PIER, data_type: text, tests: [not_null]}\n",
    "wh/tests/data/rows.csv": "id\n1\n",
    "wh/models/long_piers.sql": "select pier from {{ ref('piers') }}\n",
}


def test_the_heading_of_a_seed_names_its_columns() -> None:
    edges = edges_of(FILES | SEEDS, lambda path, name: f"{path.rpartition('/')[2]} {name}")
    columns = [(each.to_id, each.name, each.type, each.nullable) for each in edges.columns if ".csv" in each.to_id]
    assert columns == [
        ("kinds.csv ", "kind;label", "", True),
        ("piers.csv ", "pier", "text", False),
        ("piers.csv ", "Length (m)", "", True),
    ]
    mapped = {(each.from_id, each.to_id) for each in edges.data_mappings if "_seeds.yml" in each.from_id}
    assert mapped == {("_seeds.yml piers", "piers.csv "), ("_seeds.yml PIER", "piers.csv pier")}
    assert [each for each in uses(FILES | SEEDS) if each.startswith("long_piers.sql")] == [
        "long_piers.sql long_piers > piers.csv piers",
        "long_piers.sql long_piers > piers.csv piers.pier",
        "long_piers.sql long_piers.pier > piers.csv piers.pier",
    ]


@pytest.mark.parametrize("text", ["", "\n\n", ",,\n1,2,3\n", '"a,b\n', "a,b\x00\n", "a" * 200_000, "\n" * 100])
def test_a_heading_without_names_makes_no_table_and_no_fault(text: str) -> None:
    facts = extract_facts(text.encode(), "csv")
    assert facts.data is None
    assert [each.kind for each in facts.symbols if each.kind in ("table", "column")] == []


def test_only_the_first_rows_of_a_large_seed_are_indexed() -> None:
    assert extract_facts(b"id,name\n" + b"7,boat\n" * 1_000, "csv").symbols[0].end_line == 1_001
    facts = extract_facts(b"id,name\n" + b"7,boat\n" * 20_000, "csv")
    assert (facts.lines, facts.symbols[0].end_line) == (20_002, 20)
    assert [each.name for each in facts.symbols] == ["", "id", "name"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("select a from {{ ref('x') }} b", "select a from x b"),
        ("select a from {{ ref('p', 'x', v=2) }}", "select a from x_v2"),
        ("select a from {{ source('s', 't') }} {{ limit_rows() }}", "select a from s.t"),
        ("select {{ price('a') }} as b from x", "select __v as b from x"),
        ("select 1 as {{ kind }}_count from x", "select 1 as __v________count from x"),
        ("{% macro a(b) %} select 1 {% endmacro %}select 2", "select 2"),
        ("{% set a %} select 1 {% endset %}{% set b = 1 %}select 2", "select 2"),
        ("select {% if a %} b {% elif c %} d {% else %} e {% endif %} from x", "select b from x"),
        (
            "with a as ({{ dbt_utils.union_relations(relations=[ref('x')]) }}) select 1 from a",
            "with a as (select __v ) select 1 from a",
        ),
        ("select a, {# no #} from x", "select a from x"),
        ("select a from {{ x", "select a from __v"),
    ],
)
def test_templates_are_looked_through(text: str, expected: str) -> None:
    made = read_template(text).text
    assert len(made) == len(text)
    assert " ".join(made.split()) == expected


def test_names_of_all_alternatives_count() -> None:
    text = "select 1 from {% if target %} {{ ref('a') }} {% else %} {{ ref('b') }} {% endif %} -- {{ ref(name) }}"
    found = read_template(text)
    assert [each.name for each in found.relations] == ["a", "b"]


def test_snapshots_and_macros_have_names_of_their_own() -> None:
    text = "{% snapshot old_boats %}\nselect * from {{ ref('boats') }}\n{% endsnapshot %}\n"
    macro = "{% macro cents(column) %}\n  ({{ column }} / 100)\n{% endmacro %}\n"
    facts = extract_facts(text.encode(), "sql")
    assert [(each.name, each.kind, each.start_line, each.end_line) for each in facts.symbols] == [("old_boats", "table", 1, 3)]
    assert [(each.name, each.kind) for each in extract_facts(macro.encode(), "sql").symbols] == [("cents", "procedure")]


def test_other_templates_are_files_of_sql() -> None:
    data = data_of({"migrations/1_a.sql": "CREATE TABLE {{ .Prefix }}boats (id int);\n"})
    assert all(each.dbt is None for each in data.values())


def test_a_model_reads_the_relations_that_its_macros_name() -> None:
    found = uses(
        {
            "dbt_project.yml": PROJECT,
            "models/sources.yml": SOURCES,
            "models/stg_boats.sql": "select id as boat_id from {{ source('harbor', 'boats') }}\n",
            "models/busy_boats.sql": "select boat_id from ({{ boats_with('moorings') }}) b where {{ is_open() }}\n",
            "macros/boats.sql": """{% macro boats_with(what) %}
    select * from {{ ref('stg_boats') }} where boat_id in ({{ moored_boats() }})
{% endmacro %}
{% macro moored_boats() %} select boat_id from {{ source('harbor', 'moorings') }} {% endmacro %}
{% macro is_open() %} {{ return(adapter.dispatch('is_open', 'fleet')()) }} {% endmacro %}
{% macro default__is_open() %} exists (select 1 from {{ ref('piers') }} where is_open) {% endmacro %}
""",
            "seeds/piers.csv": "pier,is_open\n",
            "other/dbt_project.yml": PROJECT,
            "other/macros/open.sql": "{% macro is_open() %} exists (select 1 from {{ ref('stg_boats') }}) {% endmacro %}\n",
        }
    )
    assert [each for each in found if "busy_boats" in each] == [
        "busy_boats.sql busy_boats > piers.csv piers",
        "busy_boats.sql busy_boats > sources.yml harbor.moorings",
        "busy_boats.sql busy_boats > stg_boats.sql stg_boats",
    ]
    assert "boats.sql moored_boats > sources.yml harbor.moorings" in found


def test_exposures_and_semantic_models_read_models() -> None:
    readers = """version: 2
exposures:
  - name: weekly_report
    type: dashboard
    depends_on:
      - ref('stg_boats')
      - source('harbor', 'moorings')
semantic_models:
  - name: boats_by_name
    model: ref('stg_boats')
    entities:
      - name: boat
        type: primary
        expr: boat_id
    measures:
      - name: boat_count
        agg: sum
        expr: "1"
"""
    files = {
        "dbt_project.yml": PROJECT,
        "models/sources.yml": SOURCES,
        "models/stg_boats.sql": "select id as boat_id, name from {{ source('harbor', 'boats') }}\n",
        "models/readers.yml": readers,
    }
    assert [each for each in uses(files) if each.startswith("readers.yml")] == [
        "readers.yml boats_by_name > stg_boats.sql stg_boats",
        "readers.yml boats_by_name > stg_boats.sql stg_boats.boat_id",
        "readers.yml weekly_report > sources.yml harbor.moorings",
        "readers.yml weekly_report > stg_boats.sql stg_boats",
    ]


def test_only_yaml_below_a_project_is_read(tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "models.yml").write_text(SOURCES)
    (tmp_path / "wh/models/words.yml").write_text("greeting: hello\n")
    for path in ("wh/seeds/piers.csv", "wh/seeds/empty.csv", "wh/reports/piers.csv", "seeds/piers.csv"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("" if "empty" in path else "pier\n")
    found = {each.relative_path: each.language for each in discover(tmp_path, Settings()).files}
    expected = {path: "dbt" if path.endswith(".yml") else "sql" for path in FILES}
    assert found == {**expected, "wh/seeds/piers.csv": "csv"}


@pytest.mark.parametrize(
    "piece",
    [
        "{{ ref('a') }} ",
        "{% if a %}",
        "{{ ",
        "{% macro a() %}",
        "{{ x }},",
        "{# ",
        "select * from (",
        "{{ a(b(",
        "{{ a  a",
        "{{ adapter.dispatch('a'",
    ],
)
def test_reading_is_linear(piece: str) -> None:
    def seconds(count: int) -> float:
        source = ("select * from {{ ref('b') }}\n" + piece * count).encode()
        return processor_seconds(lambda: extract_facts(source, "sql"))

    assert is_linear(seconds, 2_000)


def test_sql_is_as_long_as_a_template_with_an_expression_over_many_lines() -> None:
    text = "{{" + "\n" * 9 + "x }}"
    assert read_template(text).text == "  " + "\n" * 9 + "    "


@pytest.mark.parametrize(
    ("relation", "stated", "expected"),
    [("{{ ref('boats') }}", "duckdb", "duckdb"), ("{{ ref('boats') }}", "", ""), ("`harbor.boats`", "", "bigquery")],
)
def test_columns_of_a_snapshot_have_the_dialect_that_its_query_shows(relation: str, stated: str, expected: str) -> None:
    text = f"{{% snapshot a %}}select id as boat_id from {relation}{{% endsnapshot %}}"
    data = extract_facts(text.encode(), "sql", stated).data
    assert data is not None
    assert {query.dialect for query in data.queries} == {data.dialect} == {expected}


def test_models_on_one_line_and_snapshots_without_an_end_are_read_in_linear_time() -> None:
    def models(count: int) -> float:
        source = f"models: [{', '.join(f'{{name: m{number}}}' for number in range(count))}]\n".encode()
        return processor_seconds(lambda: extract_facts(source, "dbt"))

    def snapshots(count: int) -> float:
        source = ("{% snapshot a %}{{ ref('b') }}\n" * count).encode()
        return processor_seconds(lambda: extract_facts(source, "sql"))

    assert is_linear(models, 4_000)
    assert is_linear(snapshots, 4_000)
