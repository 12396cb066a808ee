"""Completions of Cypher: `|` marks the cursor."""

from __future__ import annotations

import pytest
from astrolabe.graphdb.guard.statement_guard import check_read_only
from astrolabe.schema import ddl
from astrolabe.server.api.completions.completion import Completions
from astrolabe.server.api.completions.cypher import cypher_completions


def completed(marked: str, *parameters: str) -> Completions:
    return cypher_completions(marked.replace("¦", "", 1), marked.index("¦"), parameters)


def texts(marked: str, *parameters: str) -> list[str]:
    return [item.text for item in completed(marked, *parameters).items]


@pytest.mark.parametrize(
    ("statement", "first", "kind"),
    [
        ("MATCH (s:Sy¦)", "Symbol", "label"),
        ("MATCH (s:File|Sy¦)", "Symbol", "label"),
        ("MATCH (:¦", "Repository", "label"),
        ("MATCH (c:Comm¦)", "Commit", "label"),
        ("MATCH (c:Commit) RETURN c.iss¦", "issues", "property"),
        ("MATCH (a:Symbol)-[:CAL¦]->(b)", "CALLS", "edge"),
        ("MATCH (a:Symbol)-[r:CALLS|OVER¦", "OVERRIDES", "edge"),
        ("MATCH (a:Symbol)<-[:IMPL¦", "IMPLEMENTS", "edge"),
        ("MATCH (f:File) RETURN f.rel¦", "relativePath", "property"),
        ("MATCH (f:File) WHERE f.¦ RETURN f", "relativePath", "property"),
        ("MATCH (f:File {lang¦", "language", "property"),
        ("MATCH (f:File {language: 'go', si¦})", "size", "property"),
        ("MATCH (f:File) RETURN cou¦", "count", "function"),
        ("MATCH (caller:Symbol) RETURN cal¦", "caller", "variable"),
        ("MATCH (f:File) ord¦", "ORDER BY", "keyword"),
        ("mat¦", "MATCH", "keyword"),
        ("CALL show_¦", "show_connection", "function"),
    ],
)
def test_what_comes_first(statement: str, first: str, kind: str) -> None:
    found = completed(statement).items
    assert (found[0].text, found[0].kind) == (first, kind)


def test_properties_are_those_of_the_label() -> None:
    properties = {prop.name for prop in ddl.tables()["File"].properties}
    assert set(texts("MATCH (f:File)-[:CONTAINS]->(s:Symbol) RETURN f.¦")) == properties


def test_a_variable_that_is_bound_behind_the_cursor_is_known() -> None:
    assert "lines" in texts("MATCH (a)-[]->(b) WHERE a.¦ MATCH (a:File)")
    assert "signature" not in texts("MATCH (a)-[]->(b) WHERE a.¦ MATCH (a:File)")


def test_edges_that_the_node_has_come_first() -> None:
    found = texts("MATCH (f:File)-[:¦")
    of_files = {
        table.name
        for table in ddl.all_tables().values()
        if table.kind == "rel" and any("File" in ends for ends in table.connections)
    }
    assert set(found[: len(of_files)]) == of_files
    assert set(found) == {table.name for table in ddl.all_tables().values() if table.kind == "rel"}


def test_parameters_follow_a_dollar() -> None:
    found = completed("MATCH (s:Symbol {name: $na¦}) RETURN s", "name", "other")
    assert [item.text for item in found.items] == ["name"]
    assert found.start == len("MATCH (s:Symbol {name: $")


@pytest.mark.parametrize("statement", ["MATCH (s {name: 'Sy¦", "RETURN 1 /* Sy¦", "RETURN 1¦", 'RETURN "a¦b"'])
def test_nothing_completes_within_texts_numbers_and_comments(statement: str) -> None:
    assert texts(statement) == []


def test_each_label_and_property_completes_to_an_admitted_statement() -> None:
    for label in texts("MATCH (n:¦"):
        for name in texts(f"MATCH (n:{label}) RETURN n.¦"):
            check_read_only(f"MATCH (n:{label}) RETURN n.{name}")


def test_the_work_is_linear() -> None:
    statement = "MATCH " + "(" * 20_000 + "¦"
    assert completed(statement).start == len(statement) - 1
