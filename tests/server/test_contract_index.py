"""Contracts in an index: a call is looked up and found, and an update equals a new index."""

from __future__ import annotations

from pathlib import Path

from astrolabe.server.api.workspace import Workspace
from incremental_report.__main__ import check
from written_workspace import write

SHOP = """
//- api/orders.proto
syntax = "proto3";

// Takes the orders of the shop.
service OrderService {
  // Charges the card and reserves the goods.
  rpc Create(Order) returns (Order);
}

message Order { string id = 1; }
//- web/pets.graphql
query FindPets { pets { name } }
//- src/main.ts
export const main = 1
"""
MEMBERS = "MATCH (f:File)-[:CONTAINS]->(:Symbol)-[:CONTAINS]->(s:Symbol) RETURN f.language, s.kind, s.name ORDER BY s.name"


def test_contracts_are_found_and_an_update_equals_a_new_index(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, SHOP)
    with Workspace.locate(root) as workspace:
        workspace.index()
        assert workspace.cypher(MEMBERS).rows == [("protobuf", "method", "Create"), ("protobuf", "property", "id")]
        shown = workspace.search("symbol = OrderService > Create").text
        assert "rpc Create(Order) returns (Order);" in shown
        assert "OrderService" in workspace.search("who charges the card for an order").text
    write(root, "//- api/orders.proto\nservice OrderService {\n  rpc Cancel(Order) returns (Order);\n}\nmessage {\n")
    with Workspace.locate(root) as workspace:
        report = workspace.index()
        assert report.rebuilt_because == ""
        assert workspace.cypher(MEMBERS).rows == [("protobuf", "method", "Cancel")]
        problems = workspace.cypher("MATCH (f:File) WHERE f.language = 'protobuf' RETURN f.problemLines, f.parseStatus").rows
        assert problems == [([4], "recovered")]
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
