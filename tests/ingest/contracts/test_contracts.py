"""Contracts as records: OpenAPI, AsyncAPI, GraphQL SDL and protobuf."""

from __future__ import annotations

import json
import random
import time

import pytest
from astrolabe.ingest.contracts.declarations import Contract
from astrolabe.ingest.contracts.formats import read_format
from astrolabe.ingest.files.api_descriptions import api_format
from astrolabe.schema.languages import language_of

PETS = """openapi: 3.0.3
info: {title: Pet shop, version: "1"}
paths:
  /pets/{id}:
    parameters: []
    get:
      operationId: showPet
      summary: Shows
        one pet
    delete: {}
components:
  schemas:
    Pet:
      allOf:
        - $ref: '#/components/schemas/Animal'
        - properties:
            tags: {type: array, items: {type: string}}
      properties:
        owner: {$ref: '#/components/schemas/Owner'}
    Size: {type: string, enum: [small, large]}
"""

EVENTS = """asyncapi: 2.6.0
info: {title: Orders}
channels:
  order/created:
    subscribe:
      operationId: onOrder
      message: {$ref: '#/components/messages/Order'}
components:
  messages:
    Order:
      payload: {$ref: '#/components/schemas/OrderBody'}
"""

SCHEMA = '''schema { query: Root }
"""An animal
that lives."""
interface Animal @key(fields: "id") { id: ID! }
type Pet implements Animal & Node {
  id: ID!
  # how many
  tags(first: Int = 3, by: [String!]! = ["a"]): [[String!]!]! @deprecated(reason: "x")
}
type Root { pets(limit: Int): [Pet] }
extend type Mutation { buy(input: BuyInput!): Pet }
enum Size { SMALL LARGE @new }
union Any = | Pet | Root
input BuyInput { size: Size = SMALL, note: String }
directive @new on | ENUM_VALUE
scalar Date
'''

PROTO = """syntax = "proto3";
package shop.v1; // the shop
import "google/api/annotations.proto";
option go_package = "x";
message Cart {
  reserved 2, 4 to 6;
  repeated Item items = 1 [deprecated = true];
  map<string, int32> counts = 3;
  message Item { string name = 1; }
  oneof payment { string card = 7; }
  optional group Extra = 8 { optional shop.
    v1 .Cart again = 1; }
  extend google.protobuf.FieldOptions { optional bool loud = 50; }
  enum State { OPEN = 0; }
}
/* calls */
service Shop {
  rpc Watch (stream Cart) returns (stream shop.v1.Cart) {
    option (google.api.http) = { get: "/v1/carts" };
  }
  rpc Get (Cart) returns (Cart);
}
"""


def read_contract(path: str, text: str) -> Contract:
    """The contract that a file contains."""
    return read_format(language_of(path) or "openapi", text, path.endswith(".json"))


def contract(path: str, text: str) -> Contract:
    """The contract of a file that parses."""
    read = read_contract(path, text)
    assert read.problem is None
    return read


def test_openapi_has_endpoints_and_types() -> None:
    read = contract("api/pets.yaml", PETS)
    assert (read.format, read.title) == ("openapi", "Pet shop")
    assert [(element.name, element.kind, element.line, element.parent, element.detail) for element in read.elements] == [
        ("GET /pets/{id}", "endpoint", 6, None, "showPet"),
        ("DELETE /pets/{id}", "endpoint", 10, None, ""),
        ("Pet", "type", 13, None, "object"),
        ("Pet.tags", "field", 17, "Pet", "string[]"),
        ("Pet.owner", "field", 19, "Pet", "Owner"),
        ("Size", "enum", 20, None, "string"),
    ]
    assert read.elements[0].description == "Shows one pet"


def test_openapi_in_json_may_have_tabs() -> None:
    text = json.dumps({"swagger": "2.0", "paths": {"/a": {"post": {}}}, "definitions": {"A": {"type": "object"}}}, indent="\t")
    assert [(element.name, element.line) for element in contract("swagger.json", text).elements] == [("POST /a", 5), ("A", 9)]


def test_asyncapi_has_channels_operations_and_messages() -> None:
    assert [(element.name, element.kind, element.parent, element.detail) for element in contract("e.yml", EVENTS).elements] == [
        ("order/created", "channel", None, ""),
        ("subscribe order/created", "operation", "order/created", "onOrder"),
        ("Order", "message", None, "OrderBody"),
    ]


def test_graphql_has_types_fields_and_operations() -> None:
    elements = contract("schema.graphql", SCHEMA).elements
    assert [(element.name, element.kind, element.line, element.detail) for element in elements] == [
        ("Animal", "type", 4, "interface"),
        ("Animal.id", "field", 4, "ID!"),
        ("Pet", "type", 5, "type"),
        ("Pet.id", "field", 6, "ID!"),
        ("Pet.tags", "field", 8, "[[String!]!]!"),
        ("Root", "type", 10, "type"),
        ("Root.pets", "operation", 10, "[Pet]"),
        ("Mutation", "type", 11, "type"),
        ("Mutation.buy", "operation", 11, "Pet"),
        ("Size", "enum", 12, "enum"),
        ("Size.SMALL", "field", 12, ""),
        ("Size.LARGE", "field", 12, ""),
        ("Any", "type", 13, "union"),
        ("BuyInput", "type", 14, "input"),
        ("BuyInput.size", "field", 14, "Size"),
        ("BuyInput.note", "field", 14, "String"),
        ("new", "directive", 15, ""),
        ("Date", "type", 16, "scalar"),
    ]
    assert elements[0].description == "An animal that lives."


def test_protobuf_has_messages_services_and_calls() -> None:
    elements = contract("shop.proto", PROTO).elements
    assert [(element.name, element.kind, element.line, element.detail) for element in elements] == [
        ("shop.v1.Cart", "type", 5, ""),
        ("shop.v1.Cart.items", "field", 7, "repeated Item"),
        ("shop.v1.Cart.counts", "field", 8, "map<string, int32>"),
        ("shop.v1.Cart.Item", "type", 9, ""),
        ("shop.v1.Cart.Item.name", "field", 9, "string"),
        ("shop.v1.Cart.card", "field", 10, "string"),
        ("shop.v1.Cart.extra", "field", 11, "optional Extra"),
        ("shop.v1.Cart.Extra", "type", 11, ""),
        ("shop.v1.Cart.Extra.again", "field", 11, "optional shop.v1.Cart"),
        ("google.protobuf.FieldOptions", "extension", 13, ""),
        ("google.protobuf.FieldOptions.loud", "field", 13, "optional bool"),
        ("shop.v1.Cart.State", "enum", 14, ""),
        ("shop.v1.Cart.State.OPEN", "field", 14, ""),
        ("shop.v1.Shop", "service", 17, ""),
        ("shop.v1.Shop.Watch", "operation", 18, "(stream Cart) returns (stream shop.v1.Cart)"),
        ("shop.v1.Shop.Get", "operation", 21, "(Cart) returns (Cart)"),
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [("name: x\nopenapi_client: 3\n", None), ('{"a": 1,\n "openapi": "3.1.0"}', "openapi"), ("query { type }", None)],
)
def test_descriptions_of_apis_are_recognized_by_their_content(text: str, name: str | None) -> None:
    assert api_format(text) == name


@pytest.mark.parametrize(
    ("path", "text", "line", "reason"),
    [
        ("a.yaml", "openapi: 3\npaths: [\n", 3, "not YAML"),
        ("a.yaml", "openapi: 3\nx: " + "[" * 200, 2, "nested"),
        ("a.json", '{"x": {"openapi": "3"}}', 1, "at its root"),
        ("a.graphql", "type A {\n b\n}", 3, "`:` and the type"),
        ("a.graphql", 'type A { b: C }\n"open', 2, "has no end"),
        ("a.proto", "message A {\n int32 x = 1;\n", 1, "has no `}`"),
        ("a.proto", "service A {\n rpc B (C);\n}", 2, "returns"),
        ("a.proto", "message a {" * 100, 1, "nested"),
    ],
)
def test_a_contract_that_does_not_parse_says_why(path: str, text: str, line: int, reason: str) -> None:
    read = read_contract(path, text)
    assert read.problem is not None
    assert read.problem.line == line
    assert reason in read.problem.reason


def test_damaged_contracts_have_an_answer() -> None:
    randomness = random.Random(3)
    started = time.process_time()
    for _ in range(400):
        path, text = randomness.choice((("a.yaml", PETS), ("e.yaml", EVENTS), ("s.graphql", SCHEMA), ("p.proto", PROTO)))
        at = randomness.randint(0, len(text))
        piece = randomness.choice(("{", "}", '"', "(", "&a ", "*a", "\n", "[", "!", "=", "\\", "\x00", "/*", "'"))
        piece *= randomness.choice((1, 900))
        read = read_contract(path, text[:at] + piece + text[at + randomness.randint(0, 9) :])
        if read.problem is not None:
            assert read.problem.line >= 1
    assert time.process_time() - started < 20
