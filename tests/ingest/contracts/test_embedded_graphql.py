"""Schemas of GraphQL in the strings of code: their types, operations and places."""

from __future__ import annotations

import pytest
from astrolabe.ingest.contracts.embedded_graphql import add_embedded_graphql
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.workers.file_symbols import file_symbols
from linear_time import is_linear, processor_seconds


def _plain_facts(text: bytes) -> FileFacts:
    return extract_facts(b"const boats = 1" + b"\n" * text.count(b"\n"), "javascript")


def _shown(facts: FileFacts) -> list[str]:
    """The embedded symbols, each with its owner, kind and lines."""
    symbols = facts.symbols
    return [
        f"{symbols[each.parent].name} > {each.name} {each.kind} {each.start_line}-{each.end_line}"
        for each in symbols
        if "embedded" in each.modifiers
    ]


@pytest.mark.parametrize(
    ("code", "language", "expected"),
    [
        (
            "const a = 1\nexport const typeDefs = gql`\n  type Boat {\n    id: ID!\n  }\n  ${more}\n  enum Size { SMALL }\n`\n",
            "typescript",
            ["typeDefs > Boat type 3-5", "Boat > id property 4-4", "typeDefs > Size enum 7-7", "Size > SMALL enumMember 7-7"],
        ),
        (
            "const schema = buildSchema(`type Query { boats: Int }`)\n",
            "javascript",
            ["schema > Query type 1-1", "Query > boats method 1-1"],
        ),
        ("const a = /* GraphQL */ `\nscalar Date\n`\n", "javascript", ["a > Date type 2-2"]),
        (
            "const a = `#graphql\ninterface Boat { id: ID }\n`\n",
            "javascript",
            ["a > Boat interface 2-2", "Boat > id property 2-2"],
        ),
        (
            'type_defs = gql("""\nextend type Query {\n  boats: Int\n}\n""")\n',
            "python",
            ["type_defs > Query extension 2-4", "Query > boats method 3-3"],
        ),
        # The types before a syntax error count.
        ("const t = gql`\ntype Boat { id: ID }\ntype {\n`\n", "typescript", ["t > Boat type 2-2", "Boat > id property 2-2"]),
        # Requests of clients, and texts without a tag, are no schemas.
        ("const q = gql`query Boats { boats { id } }`\n", "typescript", []),
        ("const q = gql`fragment Crew on Boat { crew }`\n", "typescript", []),
        ("const t = `type Boat { id: ID }`\n", "typescript", []),
        ("const t = gql`type Boat { id: ID }\n", "typescript", []),
    ],
)
def test_a_schema_in_a_string_has_symbols(code: str, language: str, expected: list[str]) -> None:
    assert _shown(extract_facts(code.encode(), language)) == expected


def test_its_fields_are_operations() -> None:
    facts = extract_facts(b"const typeDefs = gql`type Query { boats: Int } input Size { width: Int }`\n", "typescript")
    assert facts.api is not None
    assert [(each.name, facts.symbols[each.symbol].name) for each in facts.api.operations] == [("Query.boats", "boats")]


REQUESTS = """
fragment Crew on Boat { crew { name } }
query Boats($near: [Int!] = [1]) @cached {
  __typename
  all: boats(near: $near, by: {size: 1}) { ...Crew @include(if: true), ... on Ferry { decks }, ... { size } }
}
{ harbor }
mutation { sink(id: 1) { id } }
"""


def test_requests_select_fields_by_their_paths_from_a_type() -> None:
    facts = extract_facts(f"const ask = gql`{REQUESTS}`\n".encode(), "typescript")
    assert facts.api is not None
    assert [f"{each.line} {each.root}.{each.path}" for each in facts.api.fields] == [
        "2 Boat.crew",
        "2 Boat.crew.name",
        "5 Query.boats",
        "5 Ferry.decks",
        "5 Query.boats.size",
        "7 Query.harbor",
        "8 Mutation.sink",
        "8 Mutation.sink.id",
    ]
    assert {facts.symbols[each.symbol].name for each in facts.api.fields} == {"ask"}


def test_requests_in_files_belong_to_their_symbols() -> None:
    facts = extract_facts(REQUESTS.encode(), "graphql")
    assert not facts.problems
    assert facts.api is not None
    assert [(facts.symbols[each.symbol].name, each.path) for each in facts.api.fields] == [
        ("Crew", "crew"),
        ("Crew", "crew.name"),
        ("Boats", "boats"),
        ("Boats", "decks"),
        ("Boats", "boats.size"),
    ]


@pytest.mark.parametrize(
    "unit", ["gql`", "gql`${", "typeDefs = ", "const a = gql`type B { id: ID }`\n", "gql`type A {", "gql`{ a", "# a\n{"]
)
def test_hostile_templates_are_read_in_linear_time(unit: str) -> None:
    def seconds(count: int) -> float:
        text = (unit * count).encode()
        return processor_seconds(lambda: add_embedded_graphql(_plain_facts(text), text))

    assert is_linear(seconds, 5_000)


def test_a_test_keeps_its_schema_but_not_the_tables_in_its_strings() -> None:
    code = b"""
    const typeDefs = gql`type Query { boats: Int }`
    const tables = "CREATE TABLE boats (id integer)"
    """
    facts = extract_facts(code, "typescript")
    assert [each.name for each in facts.symbols if "embedded" in each.modifiers] == ["Query", "boats", "boats", "id"]
    symbols = file_symbols("tests/boats.test.ts", facts.symbols)
    assert [each.qualified_name for each in symbols] == ["typeDefs", "tables", "typeDefs.Query", "typeDefs.Query.boats"]
    assert facts.api is not None
    assert [symbols[each.symbol].name for each in facts.api.operations] == ["boats"]
