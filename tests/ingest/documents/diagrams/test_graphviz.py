"""Graphs in the language dot as records."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.lowering.diagram_languages import read_diagram

PIPELINE = """// the build
strict digraph "build" {
  graph [rankdir=LR]; label="Build" + "\\nplan"
  node [shape=box];
  subgraph cluster_ci {
    label = "CI";
    lint -> { test; docs } [label="then", style=dashed]
  }
  test:out -> ship -> "the end" [label=<<b>done</b>>];
  ship [label="Ship it", shape=ellipse]
# a comment
}
"""


def test_a_graph_has_nodes_edges_and_clusters() -> None:
    diagram = read_diagram("dot", PIPELINE)
    assert (diagram.kind, diagram.title, diagram.problem) == ("graph", "Build\nplan", None)
    assert [(node.id, node.label, node.kind, node.group, node.line) for node in diagram.nodes] == [
        ("lint", "lint", "", "cluster_ci", 7),
        ("test", "test", "", "cluster_ci", 7),
        ("docs", "docs", "", "cluster_ci", 7),
        ("ship", "Ship it", "ellipse", None, 9),
        ("the end", "the end", "", None, 9),
    ]
    assert [(edge.source, edge.target, edge.label, edge.style) for edge in diagram.edges] == [
        ("lint", "test", "then", "dashed arrow"),
        ("lint", "docs", "then", "dashed arrow"),
        ("test", "ship", "done", "arrow"),
        ("ship", "the end", "done", "arrow"),
    ]
    assert [(group.id, group.label) for group in diagram.groups] == [("cluster_ci", "CI")]


def test_edges_connect_all_nodes_of_subgraphs() -> None:
    diagram = read_diagram("dot", "graph { {a b} -- {c d} -- e }")
    assert [(edge.source, edge.target, edge.style) for edge in diagram.edges] == [
        ("a", "c", "open"),
        ("a", "d", "open"),
        ("b", "c", "open"),
        ("b", "d", "open"),
        ("c", "e", "open"),
        ("d", "e", "open"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("digraph {\n a ->\n}", 3, "expected a node or a subgraph"),
        ("digraph {\n a -> b", 1, "no `}`"),
        ("flowchart", 1, "`graph` or `digraph`"),
        ("digraph {\n a [label=<b\n}", 2, "angle brackets"),
        ("", 1, "found 'the end'"),
    ],
)
def test_text_that_does_not_parse_says_why(text: str, line: int, reason: str) -> None:
    problem = read_diagram("dot", text).problem
    assert problem is not None
    assert problem.line == line
    assert reason in problem.reason
