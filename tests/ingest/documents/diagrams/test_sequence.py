"""Sequence diagrams of mermaid as records."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.diagrams.diagram_parts import Diagram
from astrolabe.ingest.documents.lowering.diagram_languages import read_diagram

ORDER = """sequenceDiagram
  autonumber
  box Aqua Shop front
    participant web as Web<br/>client
    actor buyer
  end
  participant db@{ "type": "database", "alias": "Orders" }
  buyer->>+web: buys #quot;tea#quot;; web-)db: stores # later
  alt in stock
    loop every minute
      db-->>web: polls
    end
  else sold out
    web--xbuyer: fails
  end
  Note over web,db: wrap: about both
  note right of buyer: alone
  deactivate web
  create participant mail
  web->>mail: sends
  destroy mail
"""


def sequence(body: str) -> Diagram:
    """The diagram of a body."""
    return read_diagram("mermaid", f"sequenceDiagram\n{body}")


def test_a_sequence_has_participants_messages_and_blocks() -> None:
    diagram = read_diagram("mermaid", ORDER)
    assert diagram.problem is None
    assert [(node.id, node.label, node.kind, node.group) for node in diagram.nodes] == [
        ("web", "Web\nclient", "participant", "box0"),
        ("buyer", "buyer", "actor", "box0"),
        ("db", "Orders", "database", None),
        ("mail", "mail", "participant", None),
    ]
    assert [(group.id, group.label) for group in diagram.groups] == [("box0", "Shop front")]
    assert [(message.source, message.target, message.label, message.style, message.block) for message in diagram.messages] == [
        ("buyer", "web", 'buys "tea"', "arrow", None),
        ("web", "db", "stores", "async", None),
        ("db", "web", "polls", "dotted arrow", 1),
        ("web", "buyer", "fails", "dotted cross", 2),
        ("web", "mail", "sends", "arrow", None),
    ]
    assert [(block.kind, block.label, block.parent, block.line) for block in diagram.blocks] == [
        ("alt", "in stock", None, 9),
        ("loop", "every minute", 0, 10),
        ("else", "sold out", 0, 13),
    ]
    assert [(note.text, note.about) for note in diagram.notes] == [("about both", ("web", "db")), ("alone", ("buyer",))]


def test_names_have_spaces_and_hyphens() -> None:
    (message,) = sequence("web-app client->>data-base: asks").messages
    assert (message.source, message.target) == ("web-app client", "data-base")


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        ("a->>b", 2, "expected `:`"),
        ("loop x\na->>b: c", 2, "no `end`"),
        ("end", 2, "without a block"),
        ("else x", 2, "outside of the block"),
        ("a->>b: x\ndeactivate b", 3, "not active"),
        ("box x\na->>b: c\nend", 3, "in the box"),
        ("hello", 2, "expected an arrow"),
    ],
)
def test_a_sequence_that_does_not_parse_says_why(body: str, line: int, reason: str) -> None:
    problem = sequence(body).problem
    assert problem is not None
    assert problem.line == line
    assert reason in problem.reason
