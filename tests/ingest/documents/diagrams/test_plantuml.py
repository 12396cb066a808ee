"""PlantUML's sequence and class diagrams as records."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.lowering.diagram_languages import read_diagram

LOGIN = """@startuml
' comment
title Login
skinparam sequence {
  ArrowColor blue
}
actor User as u
participant "Web\\nclient" as web #red
database Store
box "Inside" #LightBlue
participant auth
end box
u -> web : logs in
web -[#red]->> auth: asks
alt known user
  auth -> Store ++ : reads
  return row
else unknown
  web <-- auth : refuses
  loop 3 times
    u ->x web
  end
end
note over web, auth : both
note right
long
end note
[-> web : starts
@enduml
"""

SHOP = """@startuml
package "Shop" {
  abstract class Cart<T> extends Base implements Counted {
    -items : List
    --
    +total()
  }
  interface Counted
}
class "Long name" as Item
enum Color { RED }
Cart "1" *-- "many" Item : holds
Item <|-- Book
Item ..> Color
Item : price
note left of Item : a note
@enduml
"""


def test_a_sequence_has_participants_messages_and_blocks() -> None:
    diagram = read_diagram("plantuml", LOGIN)
    assert (diagram.kind, diagram.title, diagram.problem) == ("sequence", "Login", None)
    assert [(node.id, node.label, node.kind, node.group) for node in diagram.nodes] == [
        ("u", "User", "actor", None),
        ("web", "Web\nclient", "participant", None),
        ("Store", "Store", "database", None),
        ("auth", "auth", "participant", "box0"),
        ("[", "[", "participant", None),
    ]
    assert [(message.source, message.target, message.label, message.style, message.block) for message in diagram.messages] == [
        ("u", "web", "logs in", "arrow", None),
        ("web", "auth", "asks", "dotted async", None),
        ("auth", "Store", "reads", "arrow", 0),
        ("Store", "auth", "row", "dotted arrow", 0),
        ("auth", "web", "refuses", "dotted arrow", 1),
        ("u", "web", "", "cross", 2),
        ("[", "web", "starts", "arrow", None),
    ]
    assert [(block.kind, block.label, block.parent) for block in diagram.blocks] == [
        ("alt", "known user", None),
        ("else", "unknown", 0),
        ("loop", "3 times", 1),
    ]
    assert [(note.text, note.about) for note in diagram.notes] == [("both", ("web", "auth")), ("long", ("u", "web"))]


def test_a_class_diagram_has_classes_members_relations_and_packages() -> None:
    diagram = read_diagram("plantuml", SHOP)
    assert (diagram.kind, diagram.problem) == ("class", None)
    assert [(node.id, node.label, node.kind, node.group, node.members) for node in diagram.nodes] == [
        ("Cart", "Cart<T>", "abstract class", "Shop", ("-items : List", "+total()")),
        ("Base", "Base", "class", "Shop", ()),
        ("Counted", "Counted", "interface", "Shop", ()),
        ("Item", "Long name", "class", None, ("price",)),
        ("Color", "Color", "enum", None, ("RED",)),
        ("Book", "Book", "class", None, ()),
    ]
    assert [(edge.source, edge.target, edge.label, edge.style) for edge in diagram.edges] == [
        ("Cart", "Base", "", "inheritance"),
        ("Cart", "Counted", "", "dotted inheritance"),
        ("Cart", "Item", "holds", "composition at source"),
        ("Item", "Book", "", "inheritance at source"),
        ("Item", "Color", "", "dotted dependency"),
    ]
    assert (diagram.edges[2].source_label, diagram.edges[2].target_label) == ("1", "many")
    assert [(note.text, note.about) for note in diagram.notes] == [("a note", ("Item",))]


def test_text_before_the_first_mark_is_no_part_of_the_diagram() -> None:
    diagram = read_diagram("plantuml", "Copyright 2024 Shop -> all rights\n\n@startuml\nclass Cart\nCart *-- Item\n@enduml")
    assert (diagram.kind, [node.id for node in diagram.nodes]) == ("class", ["Cart", "Item"])
    assert not diagram.problem


def test_entities_have_cardinalities() -> None:
    diagram = read_diagram("plantuml", "@startuml\nentity Order {\n  *id : int\n}\nOrder }o-down-|| Customer : by\n@enduml")
    assert diagram.problem is None
    assert [(node.id, node.kind, node.members) for node in diagram.nodes] == [
        ("Order", "entity", ("*id : int",)),
        ("Customer", "class", ()),
    ]
    assert [(edge.label, edge.style, edge.source_label, edge.target_label) for edge in diagram.edges] == [
        ("by", "link", "zero or more", "only one")
    ]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("@startuml\na -> b\nalt x\n@enduml", 3, "no `end`"),
        ("@startuml\na -> b\nnonsense here\n@enduml", 3, "expected a message"),
        ("@startuml\nclass A {\n x\n@enduml", 2, "no `}`"),
        ("@startuml\nclass A\n}\n@enduml", 3, "without a group"),
        ("@startuml\nstart\n:work;\nstop\n@enduml", 2, "no grammar reads"),
    ],
)
def test_text_that_does_not_parse_says_why(text: str, line: int, reason: str) -> None:
    problem = read_diagram("plantuml", text).problem
    assert problem is not None
    assert problem.line == line
    assert reason in problem.reason
