"""The schema as data agrees with what the engine makes of the DDL."""

from __future__ import annotations

import json

import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.schema import ddl

_ENGINE_NAMES = {"BOOLEAN": "BOOL"}


def test_every_table_is_known_to_the_engine_under_its_kind(graph: GraphDatabase) -> None:
    shown = dict(graph.rows("CALL show_tables() RETURN name, type"))
    assert shown == {name: table.kind.upper() for name, table in ddl.tables().items()}


@pytest.mark.parametrize("name", ddl.tables())
def test_properties_have_the_engines_names_types_and_order(graph: GraphDatabase, name: str) -> None:
    declared = [(prop.name, _ENGINE_NAMES.get(prop.type, prop.type)) for prop in ddl.tables()[name].properties]
    assert graph.rows(f"CALL table_info('{name}') RETURN name, type") == declared


@pytest.mark.parametrize("name", [table.name for table in ddl.tables().values() if table.kind == "rel"])
def test_relationships_join_the_tables_they_name(graph: GraphDatabase, name: str) -> None:
    joined = graph.query(f"CALL show_connection('{name}') RETURN *").rows
    assert {row[:2] for row in joined} == set(ddl.tables()[name].connections)


@pytest.mark.parametrize("name", [table.name for table in ddl.tables().values() if table.kind == "node"])
def test_node_tables_name_their_primary_key(graph: GraphDatabase, name: str) -> None:
    keys = graph.rows(f"CALL table_info('{name}') WITH name, `primary key` AS isKey WHERE isKey RETURN name")
    assert keys == [(ddl.tables()[name].primary_key,)]


def test_comments_document_tables_and_properties() -> None:
    tables = ddl.tables()
    assert all(table.comment for table in tables.values())
    assert tables["File"].comment == "A source file."
    documented = {prop.name: prop.comment for prop in tables["File"].properties}
    assert (documented["size"], documented["lines"]) == ("Bytes.", "")
    assert tables["IMPLEMENTS"].comment == "A class or interface implements another class or interface."


def test_the_short_form_names_everything() -> None:
    text = ddl.schema_text()
    for table in ddl.tables().values():
        assert table.name in text
        assert all(prop.name in text for prop in table.properties)
        assert all(f"({start})->({end})" in text for start, end in table.connections)


def test_there_is_one_statement_for_each_table() -> None:
    assert [statement.split("(")[0].split()[-1] for statement in ddl.statements()] == list(ddl.tables())


@pytest.mark.parametrize("characters", [200, 400, 1_500, 6_000, 40_000])
def test_the_schema_fits_what_an_answer_has_room_for(characters: int) -> None:
    text = ddl.schema_within(characters)
    assert len(json.dumps(text)) <= characters
    assert ("larger budget" in text) == (text != ddl.schema_text())
    assert all(table in text for table in ("Repository", "Module", "File"))
