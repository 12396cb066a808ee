"""Class, state and entity relationship diagrams of mermaid as records."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.diagrams.diagram_parts import Diagram
from astrolabe.ingest.documents.lowering.diagram_languages import read_diagram

CLASSES = """classDiagram
  direction LR
  namespace Shop.Orders {
    class Cart["Shopping cart"] {
      <<aggregate>>
      +List~Item~ items
      +total() Money
    }
  }
  class Repo~Order~ <<interface>>
  Repo~Order~ <|.. SqlRepo~Order~ : implements
  Cart "1" *-- "1..*" Item : holds
  Cart --> Money
  Item : +int price
  class `Money
or voucher`
  note for Cart "no discounts"
"""

STATES = """stateDiagram-v2
  [*] --> Open
  Open --> Paid : pay()
  state Paid {
    [*] --> packing
    packing --> sent
    --
    [*] --> billed
  }
  state "Waits for stock" as waits
  state decide <<choice>>
  Paid --> decide
  Open : order is open
  note right of Open
    two
    lines
  end note
  decide --> [*]
  state sent
  {
    parcel
  }
"""

ENTITIES = """erDiagram
  CUSTOMER ||--o{ ORDER : "places many"
  ORDER {
    int id PK
    string(20) note "free text"
  }
  p[Person✓] one or more to zero or one CUSTOMER : is
  "LINE ITEM" }|..|{ ORDER : in
"""


def problem(text: str) -> tuple[int, str]:
    """Line and reason why a text does not parse."""
    found = read_diagram("mermaid", text).problem
    assert found is not None
    return found.line, found.reason


def edges(diagram: Diagram) -> list[tuple[str, str, str, str]]:
    """Sources, targets, labels and styles of edges."""
    return [(edge.source, edge.target, edge.label, edge.style) for edge in diagram.edges]


def test_a_class_diagram_has_classes_members_relations_and_namespaces() -> None:
    diagram = read_diagram("mermaid", CLASSES)
    assert diagram.problem is None
    assert [(node.id, node.label, node.kind, node.group, node.members) for node in diagram.nodes] == [
        ("Cart", "Shopping cart", "aggregate", "Shop.Orders", ("+List~Item~ items", "+total() Money")),
        ("Repo", "Repo<Order>", "interface", None, ()),
        ("SqlRepo", "SqlRepo<Order>", "class", None, ()),
        ("Item", "Item", "class", None, ("+int price",)),
        ("Money", "Money", "class", None, ()),
        ("Money\nor voucher", "Money\nor voucher", "class", None, ()),
    ]
    assert edges(diagram) == [
        ("Repo", "SqlRepo", "implements", "dotted inheritance at source"),
        ("Cart", "Item", "holds", "composition at source"),
        ("Cart", "Money", "", "dependency"),
    ]
    assert [(edge.source_label, edge.target_label) for edge in diagram.edges] == [("", ""), ("1", "1..*"), ("", "")]
    assert [(group.id, group.parent) for group in diagram.groups] == [("Shop", None), ("Shop.Orders", "Shop")]
    assert [(note.text, note.about) for note in diagram.notes] == [("no discounts", ("Cart",))]


def test_a_state_diagram_has_states_transitions_and_regions() -> None:
    diagram = read_diagram("mermaid", STATES)
    assert diagram.problem is None
    assert [(node.id, node.label, node.kind, node.group) for node in diagram.nodes] == [
        ("root_start", "", "start", None),
        ("Open", "order is open", "state", None),
        ("Paid_start", "", "start", "Paid"),
        ("packing", "packing", "state", "Paid"),
        ("Paid_start 2", "", "start", "Paid"),
        ("billed", "billed", "state", "Paid"),
        ("waits", "Waits for stock", "state", None),
        ("decide", "decide", "choice", None),
        ("root_end", "", "end", None),
        ("parcel", "parcel", "state", "sent"),
    ]
    assert ("Open", "Paid", "pay()", "arrow") in edges(diagram)
    assert ("Paid_start 2", "billed", "", "arrow") in edges(diagram)
    assert [(group.id, group.kind, group.parent, group.line) for group in diagram.groups] == [
        ("Paid", "state", None, 4),
        ("sent", "state", "Paid", 19),
    ]
    assert [(note.about, note.text.split()) for note in diagram.notes] == [(("Open",), ["two", "lines"])]


def test_an_entity_diagram_has_entities_attributes_and_cardinalities() -> None:
    diagram = read_diagram("mermaid", ENTITIES)
    assert diagram.problem is None
    assert [(node.id, node.label, node.members) for node in diagram.nodes] == [
        ("CUSTOMER", "CUSTOMER", ()),
        ("ORDER", "ORDER", ("int id PK", 'string(20) note "free text"')),
        ("p", "Person✓", ()),
        ("LINE ITEM", "LINE ITEM", ()),
    ]
    assert [
        (edge.source, edge.target, edge.label, edge.style, edge.source_label, edge.target_label) for edge in diagram.edges
    ] == [
        ("CUSTOMER", "ORDER", "places many", "identifying", "only one", "zero or more"),
        ("p", "CUSTOMER", "is", "identifying", "one or more", "zero or one"),
        ("LINE ITEM", "ORDER", "in", "non-identifying", "one or more", "one or more"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("classDiagram\nclass A {\n+x", 2, "has no `}`"),
        ("classDiagram\n\nA -- ", 3, "the name of a class"),
        ("stateDiagram-v2\nstate A {\nb", 2, "has no `}`"),
        ("stateDiagram-v2\n}", 2, "without a composite state"),
        ("stateDiagram\nnote left of a\nx", 2, "no `end note`"),
        ("erDiagram\nA ||--o{ B", 2, "the name of the relationship"),
        ("erDiagram\nA {\nint", 3, "the type and the name"),
    ],
)
def test_text_that_does_not_parse_says_why(text: str, line: int, reason: str) -> None:
    found = problem(text)
    assert found[0] == line
    assert reason in found[1]
