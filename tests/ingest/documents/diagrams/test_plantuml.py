"""PlantUML's diagrams as records."""

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
enum ::Color { RED }
Cart "1" *-- "many" Item : holds
Item <|-- Book
Item ..> ::Color
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
        ("::Color", "::Color", "enum", None, ("RED",)),
        ("Book", "Book", "class", None, ()),
    ]
    assert [(edge.source, edge.target, edge.label, edge.style) for edge in diagram.edges] == [
        ("Cart", "Base", "", "inheritance"),
        ("Cart", "Counted", "", "dotted inheritance"),
        ("Cart", "Item", "holds", "composition at source"),
        ("Item", "Book", "", "inheritance at source"),
        ("Item", "::Color", "", "dotted dependency"),
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


PAYMENTS = """@startuml
!include <awslib/AWSCommon>
title Payments
package "Shop" as shop {
  [Web client] as web
  component Billing <<service>> #LightBlue
  component rules [
    Taxes
    Discounts
  ]
  () "Payments API" as api
}
node "Cluster" {
  database "Ledger\\nof orders" as ledger
  queue Events
}
web -right-> Billing : pays
Billing -( api
Billing "1" ..> "many" ledger : writes
[Mailer] <-[#red]- Billing
Billing --> shipping
note right of Billing : charges cards
note "audited" as audit
audit .. ledger
@enduml
"""

ORDERING = """@startuml
left to right direction
actor Customer as c
:Clerk: as clerk
rectangle Store {
  usecase "Place an order" as place
  (Pay)
}
c --> place
clerk -- (Pay) : checks
place ..> (Pay) : <<include>>
Clerk2 -|> clerk
@enduml
"""

ORDER_STATES = """@startuml
hide empty description
[*] --> Open
state "Waiting for payment" as Waiting
state Paid {
  [*] --> Packing
  Packing -down-> Sent : parcel
  --
  [*] -> Billed
}
state choice <<choice>>
Open --> Waiting : submit
Waiting --> choice
choice --> Paid : [ok]
Paid -[#red,dashed]-> [*]
Paid --> Waiting[H]
Open : editable
note left of Open : a cart
@enduml
"""

C4_SHOP = """@startuml
!include <C4/C4_Container>
LAYOUT_WITH_LEGEND()
Person(customer, "Customer", "buys")
System_Boundary(shop, "Shop") {
  Container(web, "Web", "React", "shows carts")
  ContainerDb(db, "Store", "PostgreSQL")
}
Rel(customer, web, "Uses", "HTTPS")
Rel_D(web, db, "Reads")
@enduml
"""


def test_a_component_diagram_has_components_groups_and_connections() -> None:
    diagram = read_diagram("plantuml", PAYMENTS)
    assert (diagram.kind, diagram.title, diagram.problem) == ("component", "Payments", None)
    assert [(node.id, node.label, node.kind, node.group, node.members) for node in diagram.nodes] == [
        ("web", "Web client", "component", "shop", ()),
        ("Billing", "Billing", "component", "shop", ()),
        ("rules", "rules", "component", "shop", ("Taxes", "Discounts")),
        ("api", "Payments API", "interface", "shop", ()),
        ("ledger", "Ledger\nof orders", "database", "Cluster", ()),
        ("Events", "Events", "queue", "Cluster", ()),
        ("Mailer", "Mailer", "component", None, ()),
        ("shipping", "shipping", "interface", None, ()),
    ]
    assert [(group.id, group.label, group.kind) for group in diagram.groups] == [
        ("shop", "Shop", "package"),
        ("Cluster", "Cluster", "node"),
    ]
    assert [(edge.source, edge.target, edge.label, edge.style) for edge in diagram.edges] == [
        ("web", "Billing", "pays", "arrow"),
        ("Billing", "api", "", "link"),
        ("Billing", "ledger", "writes", "dotted arrow"),
        ("Billing", "Mailer", "", "arrow"),
        ("Billing", "shipping", "", "arrow"),
    ]
    assert (diagram.edges[2].source_label, diagram.edges[2].target_label) == ("1", "many")
    assert [(note.text, note.about) for note in diagram.notes] == [("charges cards", ("Billing",)), ("audited", ("ledger",))]


def test_a_use_case_diagram_has_actors_and_use_cases() -> None:
    diagram = read_diagram("plantuml", ORDERING)
    assert (diagram.kind, diagram.problem) == ("usecase", None)
    assert [(node.id, node.label, node.kind, node.group) for node in diagram.nodes] == [
        ("c", "Customer", "actor", None),
        ("clerk", "Clerk", "actor", None),
        ("place", "Place an order", "usecase", "Store"),
        ("Pay", "Pay", "usecase", "Store"),
        ("Clerk2", "Clerk2", "actor", None),
    ]
    assert [(edge.source, edge.target, edge.label, edge.style) for edge in diagram.edges] == [
        ("c", "place", "", "arrow"),
        ("clerk", "Pay", "checks", "link"),
        ("place", "Pay", "<<include>>", "dotted arrow"),
        ("Clerk2", "clerk", "", "inheritance"),
    ]


def test_nodes_without_components_are_a_deployment_diagram() -> None:
    diagram = read_diagram(
        "plantuml", '@startuml\nnode Server {\n artifact "shop.war" as war\n}\ncloud CDN\nwar ~~> CDN\n@enduml'
    )
    assert (diagram.kind, [(node.id, node.kind, node.group) for node in diagram.nodes]) == (
        "deployment",
        [("war", "artifact", "Server"), ("CDN", "cloud", None)],
    )
    assert [(edge.source, edge.target, edge.style) for edge in diagram.edges] == [("war", "CDN", "dotted arrow")]


def test_a_state_diagram_has_states_transitions_and_regions() -> None:
    diagram = read_diagram("plantuml", ORDER_STATES)
    assert (diagram.kind, diagram.problem) == ("state", None)
    assert [(node.id, node.label, node.kind, node.group) for node in diagram.nodes] == [
        ("root_start", "", "start", None),
        ("Open", "Open", "state", None),
        ("Waiting", "Waiting for payment", "state", None),
        ("Paid_start", "", "start", "Paid"),
        ("Packing", "Packing", "state", "Paid"),
        ("Sent", "Sent", "state", "Paid"),
        ("Paid_start 2", "", "start", "Paid"),
        ("Billed", "Billed", "state", "Paid"),
        ("choice", "choice", "choice", None),
        ("root_end", "", "end", None),
        ("Waiting_history", "", "history", None),
    ]
    assert [(edge.source, edge.target, edge.label) for edge in diagram.edges] == [
        ("root_start", "Open", ""),
        ("Paid_start", "Packing", ""),
        ("Packing", "Sent", "parcel"),
        ("Paid_start 2", "Billed", ""),
        ("Open", "Waiting", "submit"),
        ("Waiting", "choice", ""),
        ("choice", "Paid", "[ok]"),
        ("Paid", "root_end", ""),
        ("Paid", "Waiting_history", ""),
    ]
    assert [node.members for node in diagram.nodes if node.id == "Open"] == [("editable",)]
    assert [(note.text, note.about) for note in diagram.notes] == [("a cart", ("Open",))]


def test_macros_of_c4_are_elements_and_relations() -> None:
    diagram = read_diagram("plantuml", C4_SHOP)
    assert (diagram.kind, diagram.problem) == ("c4", None)
    assert [(node.id, node.kind, node.group) for node in diagram.nodes] == [
        ("customer", "person", None),
        ("web", "container", "shop"),
        ("db", "container_db", "shop"),
    ]
    assert [(edge.source, edge.target, edge.label) for edge in diagram.edges] == [
        ("customer", "web", "Uses"),
        ("web", "db", "Reads"),
    ]


def test_a_member_named_like_a_statement_is_a_member_and_a_backslash_continues_a_line() -> None:
    diagram = read_diagram("plantuml", "@startuml\nclass Page {\n  title\n  scale\n}\nPage --> Item : shows\\n\\\nall\n@enduml")
    assert diagram.problem is None
    assert [(node.id, node.members) for node in diagram.nodes] == [("Page", ("title", "scale")), ("Item", ())]
    assert [edge.label.replace("\\n", " ") for edge in diagram.edges] == ["shows all"]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("@startuml\na -> b\nalt x\n@enduml", 3, "no `end`"),
        ("@startuml\na -> b\nnonsense here\n@enduml", 3, "expected a message"),
        ("@startuml\nclass A {\n x\n@enduml", 2, "no `}`"),
        ("@startuml\nclass A\n}\n@enduml", 3, "without a group"),
        ("@startuml\n[Web] --> [API\n@enduml", 2, "expected an element"),
        ("@startuml\nnode A {\n[Web]\n@enduml", 2, "no `}`"),
        ("@startuml\nstate A {\nB --> C\n@enduml", 2, "no `}`"),
        ("@startuml\n[Web]\nnote as N\nlong\n@enduml", 3, "no `end note`"),
        ("@startuml\nstart\n:work;\nstop\n@enduml", 2, "no grammar reads"),
    ],
)
def test_text_that_does_not_parse_says_why(text: str, line: int, reason: str) -> None:
    problem = read_diagram("plantuml", text).problem
    assert problem is not None
    assert problem.line == line
    assert reason in problem.reason
