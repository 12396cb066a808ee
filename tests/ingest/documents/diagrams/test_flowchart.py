"""Flowcharts of mermaid as records."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.diagrams.diagram_parts import Diagram
from astrolabe.ingest.documents.lowering.diagram_languages import diagram_language, read_diagram
from linear_time import is_linear, processor_seconds

CHECKOUT = """---
title: Checkout
---
%%{init: {"theme": "dark"}}%%
flowchart TD; cart[Cart] -->|pay| ok{Card valid?}
  %% the happy path
  ok -- yes --> ship([Ship it]) & mail[(Outbox)]
  ok -. no .-> stop((Stop))
  subgraph back [Back office]
    ship ==> book
    subgraph "late work"
      rate@{ shape: cyl, label: "Rate & review" } e1@--o again["`try **again**`"]
    end
  end
  back --> stop
  L_ship_book_0@{ animation: slow }
  classDef red fill:#f00;
  class stop red
"""


def flowchart(body: str) -> Diagram:
    """The diagram of a body."""
    return read_diagram("mermaid", f"flowchart LR\n{body}")


def edges(body: str) -> list[tuple[str, str, str, str]]:
    """The edges of a body."""
    diagram = flowchart(body)
    assert diagram.problem is None
    return [(edge.source, edge.target, edge.label, edge.style) for edge in diagram.edges]


def test_a_flowchart_has_nodes_edges_and_nested_groups() -> None:
    diagram = read_diagram("mermaid", CHECKOUT)
    assert (diagram.kind, diagram.title, diagram.problem) == ("flowchart", "Checkout", None)
    assert [(node.id, node.label, node.kind, node.group, node.line) for node in diagram.nodes] == [
        ("cart", "Cart", "square", None, 5),
        ("ok", "Card valid?", "diamond", None, 5),
        ("ship", "Ship it", "stadium", "back", 7),
        ("mail", "Outbox", "cylinder", None, 7),
        ("stop", "Stop", "circle", None, 8),
        ("book", "book", "", "back", 10),
        ("rate", "Rate & review", "cyl", "subGraph0", 12),
        ("again", "try **again**", "square", "subGraph0", 12),
    ]
    assert [(group.id, group.label, group.parent) for group in diagram.groups] == [
        ("subGraph0", "late work", "back"),
        ("back", "Back office", None),
    ]
    assert [(edge.source, edge.target, edge.label, edge.style) for edge in diagram.edges] == [
        ("cart", "ok", "pay", "arrow"),
        ("ok", "ship", "yes", "arrow"),
        ("ok", "mail", "yes", "arrow"),
        ("ok", "stop", "no", "dotted arrow"),
        ("ship", "book", "", "thick arrow"),
        ("rate", "again", "", "circle"),
        ("back", "stop", "", "arrow"),
    ]


@pytest.mark.parametrize(
    ("arrow", "style"),
    [
        ("-->", "arrow"),
        ("---->", "arrow"),
        ("---", "open"),
        ("--x", "cross"),
        ("<-->", "double arrow"),
        ("o--o", "double circle"),
        ("-.->", "dotted arrow"),
        ("-..-", "dotted open"),
        ("===", "thick open"),
        ("<==>", "thick double arrow"),
        ("~~~", "invisible open"),
        ("== a text ==>", "thick arrow"),
        ('-- "a -- text" ---', "open"),
    ],
)
def test_arrows_have_styles(arrow: str, style: str) -> None:
    assert [edge[3] for edge in edges(f"a {arrow} b")] == [style]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("a[t]", "square"),
        ("a(t)", "round"),
        ("a([t])", "stadium"),
        ("a[[t]]", "subroutine"),
        ("a[(t)]", "cylinder"),
        ("a((t))", "circle"),
        ("a(((t)))", "doublecircle"),
        ("a>t]", "odd"),
        ("a{t}", "diamond"),
        ("a{{t}}", "hexagon"),
        ("a[/t/]", "lean_right"),
        ("a[\\t\\]", "lean_left"),
        ("a[/t\\]", "trapezoid"),
        ("a[\\t/]", "inv_trapezoid"),
        ("a(-t-)", "ellipse"),
    ],
)
def test_brackets_make_shapes(text: str, shape: str) -> None:
    (node,) = flowchart(text).nodes
    assert (node.id, node.label, node.kind) == ("a", "t", shape)


def test_chains_cross_lines_and_ampersands() -> None:
    assert edges("a & b --> c\n  --> d-1 & e") == [
        ("a", "c", "", "arrow"),
        ("b", "c", "", "arrow"),
        ("c", "d-1", "", "arrow"),
        ("c", "e", "", "arrow"),
    ]


def test_labels_are_plain_text() -> None:
    (node,) = flowchart('a["say #quot;hi#quot;<br/>twice #9829;"]').nodes
    assert node.label == 'say "hi"\ntwice ♥'


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        ("a -->\n", 3, "expected a node"),
        ("a[open --> b", 2, "after the text of the node"),
        ("subgraph x\na", 2, "no `end`"),
        ("a\nend", 3, "`subgraph` before `end`"),
        ("a b", 2, "expected an arrow or the end of the line"),
    ],
)
def test_a_flowchart_that_does_not_parse_says_why(body: str, line: int, reason: str) -> None:
    diagram = flowchart(body)
    assert diagram.problem is not None
    assert (diagram.kind, diagram.problem.line, diagram.nodes) == ("flowchart", line, ())
    assert reason in diagram.problem.reason
    assert body in diagram.text


def test_a_subgraph_may_name_a_subgraph_that_follows_it() -> None:
    diagram = flowchart("subgraph shop\n  back\nend\nsubgraph back[Back office]\n  ship\nend\nsubgraph loop\n  loop\nend")
    assert [(group.id, group.label, group.parent) for group in diagram.groups] == [
        ("shop", "shop", None),
        ("back", "Back office", "shop"),
        ("loop", "loop", None),
    ]


def test_a_long_chain_of_subgraphs_takes_linear_time() -> None:
    def chain(times: int) -> Diagram:
        return flowchart("\n".join(f"subgraph s{number}\n  s{number + 1}\nend" for number in range(times)))

    assert chain(40).groups[39].parent == "s38"
    assert is_linear(lambda times: processor_seconds(lambda: chain(times)), 4_000)


def test_quotes_in_the_properties_of_a_node_are_escaped() -> None:
    diagram = flowchart('a@{label: "cart[\\"tea\\"]\\nopen"} --> b@{ shape: cyl }')
    assert diagram.problem is None
    assert [node.label for node in diagram.nodes] == ['cart["tea"]\nopen', "b"]


def test_a_kind_that_mermaid_does_not_have_says_so() -> None:
    diagram = read_diagram("mermaid", "\nsunkey-beta\na,b,3")
    assert diagram.problem is not None
    assert diagram.problem.line == 2
    assert "sunkey-beta" in diagram.problem.reason


def test_a_kind_without_a_grammar_has_no_nodes() -> None:
    diagram = read_diagram("mermaid", "\nsankey-beta\na,b,3")
    assert (diagram.kind, diagram.nodes, diagram.problem) == ("sankey", (), None)


def test_code_blocks_name_languages_of_diagrams() -> None:
    assert diagram_language("Mermaid") == "mermaid"
    assert diagram_language("python") is None
