"""Files of protocol buffers and GraphQL as symbols and chunks; `outline_fixtures` has what whole files give."""

from __future__ import annotations

import time

import pytest
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import extract_facts

ORDERS = """syntax = "proto3";

// Takes orders.
service Orders {
  // Charges the card at once.
  rpc Create(Order) returns (Order) {
    option deprecated = true;
  }
}

message Order {
  string id = 1;
}
"""


def facts_of(text: str, language: str = "protobuf") -> FileFacts:
    return extract_facts(text.encode(), language)


def places(facts: FileFacts) -> list[tuple[str, str, int, int]]:
    return [(symbol.kind, symbol.name, symbol.start_line, symbol.end_line) for symbol in facts.symbols]


def test_a_call_is_a_chunk_and_its_service_shows_its_signature() -> None:
    facts = facts_of(ORDERS)
    assert places(facts) == [
        ("expression", 'syntax = "proto3";', 1, 1),
        ("interface", "Orders", 3, 9),
        ("method", "Create", 5, 8),
        ("type", "Order", 11, 13),
        ("property", "id", 12, 12),
    ]
    assert facts.symbols[2].doc == "Charges the card at once."
    service = next(chunk for chunk in facts.chunks if chunk.symbol == 1)
    assert service.embedding_text == "// Takes orders.\nservice Orders {\n  rpc Create(Order) returns (Order);\n}"


def test_declarations_before_an_error_are_known_and_the_rest_is_text() -> None:
    facts = facts_of("message A {\n  int32 x = 1;\n}\n\nmessage B {\n  int32 y 2;\n}\n\nmessage C {\n  int32 z = 3;\n}\n")
    assert [(problem.line, problem.reason) for problem in facts.problems] == [
        (6, "expected `=` and the number of the field, but found '2'")
    ]
    assert ("type", "A", 1, 3) in places(facts)
    assert places(facts)[-1] == ("expression", "}", 7, 11)


@pytest.mark.parametrize(
    ("text", "language", "line", "reason"),
    [
        ("message A {}\n/* open", "protobuf", 2, "the comment has no end"),
        ('type A { b: C }\n"""open', "graphql", 2, "the quoted text has no end"),
        ("query Pets", "graphql", 1, "expected `{`, but found 'the end'"),
        ("query Pets(", "graphql", 1, "`(` has no `)`"),
    ],
)
def test_a_problem_has_its_line(text: str, language: str, line: int, reason: str) -> None:
    facts = facts_of(text, language)
    assert [(problem.line, problem.reason) for problem in facts.problems] == [(line, reason)]
    assert facts.symbols[0].name in ("A", "Pets")


def test_chunks_share_no_lines_with_the_head_or_each_other() -> None:
    facts = facts_of("service A { rpc B(C) returns (C); }\nmessage D {\n  enum E { F = 0; } enum G { H = 0; }\n}\n")
    assert [facts.symbols[chunk.symbol].name for chunk in facts.chunks] == ["A", "D", "E"]


def test_requests_are_known_in_a_file_with_a_schema() -> None:
    text = (
        "extend type Query { pets: [Pet] }\nquery FindPets { pets { name } }\nfragment Name on Pet { name }\n{ pets { name } }\n"
    )
    assert places(facts_of(text, "graphql")) == [
        ("extension", "Query", 1, 1),
        ("method", "pets", 1, 1),
        ("query", "FindPets", 2, 2),
        ("query", "Name", 3, 3),
        ("expression", "{ pets { name } }", 4, 4),
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("/* " * 100_000, "protobuf"),
        ('\\"""' * 100_000, "graphql"),
        ("message A {" * 50_000, "protobuf"),
        ("type A { b: " + "[" * 100_000, "graphql"),
        ("# x\n" * 50_000 + "scalar A\n", "graphql"),
        ("message A {} " * 20_000, "protobuf"),
    ],
)
def test_odd_files_take_no_longer_than_their_size(text: str, language: str) -> None:
    started = time.process_time()
    assert facts_of(text, language).symbols
    assert time.process_time() - started < 5


ALIASES = "".join(f"{chr(98 + at)}: &{chr(98 + at)} [{', '.join(['*' + chr(97 + at)] * 10)}]\n" for at in range(20))
FIELDS = "".join(f"        p{at}: {{type: string}}\n" for at in range(5_000))


@pytest.mark.parametrize(
    ("text", "operations", "problems"),
    [
        (f"openapi: 3.0.0\na: &a [x, x]\n{ALIASES}paths: {{/a: {{get: {{parameters: *u}}}}}}\n", 1, 0),
        (
            f"openapi: 3.0.0\ncomponents:\n  schemas:\n    A: &a\n      properties:\n{FIELDS}"
            + "".join(f"    B{at}: *a\n" for at in range(5_000)),
            0,
            0,
        ),
        ("openapi: 3.0.0\npaths:\n  /a: {$ref: '#/paths/~1b'}\n  /b: {$ref: '#/paths/~1a'}\n  /c: {get: {}}\n", 1, 0),
        ("openapi: 3.0.0\npaths: " + "{a: " * 500, 0, 1),
    ],
    ids=["a bomb of aliases", "many aliases of many fields", "a circle of references", "deep nesting"],
)
def test_hostile_descriptions_are_read_in_bounded_time(text: str, operations: int, problems: int) -> None:
    start = time.process_time()
    facts = facts_of(text, "openapi")
    assert time.process_time() - start < 5
    assert sum(symbol.kind == "operation" for symbol in facts.symbols) == operations
    assert len(facts.problems) == problems
