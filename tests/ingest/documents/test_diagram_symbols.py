"""Diagrams of documents and files in the graph: symbols, what connects them, and the code that they name."""

from __future__ import annotations

import pytest
from astrolabe.ingest.languages.extraction import FAULT, extract_facts
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

WORKSPACE = """
//- src/shop/cart.py
class Cart:
    def add_item(self, name): ...

class Order:
    def total(self): ...

class Browser: ...

def load_cart(path): ...
def total_price(cart): ...
def send(mail): ...
//- src/shop/other.py
def total_price(order): ...
//- docs/guide.md
# Guide

## Buying

```mermaid
---
title: Buying
---
sequenceDiagram
    actor U as User
    participant C as Cart
    participant Browser
    U->>C: add_item(tea)
    loop each minute
        C-->>U: ready?
        U->>Browser: send(x)
    end
```

## Parts

```mermaid
flowchart TD
  A["load_cart()"] -->|reads| B[(src/shop/cart.py)]
  subgraph web [Web shop]
    B --> total_price
    subgraph inner
      Browser
    end
  end
```

1. First

   ```plantuml
   class Order
   class Unknown
   Order <|-- Unknown
   ```
//- docs/two.puml
@startuml
title First
A -> B : hello
@enduml
@startuml
class Cart
@enduml
//- src/main/java/com/example/bank/Main.java
package com.example.bank;
class Main {}
//- src/main/java/com/example/store/Main.java
package com.example.store;
class Main {}
//- docs/packages.puml
@startuml
package com.example.store {
  class Main
}
class Elsewhere
diamond choice
@enduml
//- docs/flow.dot
digraph flow {
  load -> store [label="writes"];
}
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("shop"), WORKSPACE)


def test_a_diagram_lies_in_its_section_and_nodes_in_their_groups(content: GraphContent) -> None:
    drawn = {
        symbol.breadcrumb: (symbol.kind, symbol.start_line, symbol.end_line)
        for symbol in content.symbols
        if symbol.kind in ("diagram", "diagramNode") and symbol.relative_path == "docs/guide.md"
    }
    parts = "docs/guide.md > Guide > Parts > flowchart"
    assert drawn == {
        "docs/guide.md > Guide > Buying > Buying": ("diagram", 6, 17),
        "docs/guide.md > Guide > Buying > Buying > User": ("diagramNode", 10, 10),
        "docs/guide.md > Guide > Buying > Buying > Cart": ("diagramNode", 11, 11),
        "docs/guide.md > Guide > Buying > Buying > Browser": ("diagramNode", 12, 12),
        parts: ("diagram", 23, 30),
        f"{parts} > load_cart()": ("diagramNode", 24, 24),
        f"{parts} > Web shop": ("diagramNode", 24, 28),
        f"{parts} > Web shop > src/shop/cart.py": ("diagramNode", 24, 24),
        f"{parts} > Web shop > total_price": ("diagramNode", 26, 26),
        f"{parts} > Web shop > inner": ("diagramNode", 27, 28),
        f"{parts} > Web shop > inner > Browser": ("diagramNode", 28, 28),
        "docs/guide.md > Guide > Parts > class diagram": ("diagram", 36, 38),
        "docs/guide.md > Guide > Parts > class diagram > Order": ("diagramNode", 36, 36),
        "docs/guide.md > Guide > Parts > class diagram > Unknown": ("diagramNode", 37, 37),
    }


def test_edges_and_messages_keep_their_order(content: GraphContent) -> None:
    names = {symbol.id: symbol.name for symbol in content.symbols}
    paths = {symbol.id: symbol.relative_path for symbol in content.symbols}
    found = [
        (each.position, names[each.from_id], names[each.to_id], each.label, each.style, each.frame, each.line)
        for each in content.messages
        if paths[each.from_id] == "docs/guide.md" and each.line < 20
    ]
    assert found == [
        (0, "User", "Cart", "add_item(tea)", "arrow", "", 13),
        (1, "Cart", "User", "ready?", "dotted arrow", "loop each minute", 15),
        (2, "User", "Browser", "send(x)", "arrow", "loop each minute", 16),
    ]
    assert [(names[each.from_id], each.label) for each in content.messages if paths[each.from_id] == "docs/flow.dot"] == [
        ("load", "writes")
    ]


def test_nodes_name_code_and_single_words_only_in_diagrams_of_classes(content: GraphContent) -> None:
    crumbs = {symbol.id: symbol.breadcrumb for symbol in content.symbols}
    names = {symbol.id: symbol.qualified_name for symbol in content.symbols}
    found = {
        (crumbs[each.from_id].rpartition(" > ")[2], names[each.to_id], each.lines, each.columns)
        for each in content.mentions
        if each.evidence == "diagram"
    }
    assert found == {
        ("Cart", "Cart.add_item", (13,), (12,)),
        ("load_cart()", "load_cart", (24,), (6,)),
        ("Order", "Order", (36,), (10,)),
        ("Cart", "Cart", (6,), (7,)),
        ("Main", "Main", (3,), (9,)),
    }
    paths = {symbol.id: symbol.relative_path for symbol in content.symbols}
    named = {paths[each.to_id] for each in content.mentions if paths[each.from_id] == "docs/packages.puml"}
    assert named == {"src/main/java/com/example/store/Main.java"}
    assert [(each.to_id, each.lines) for each in content.file_mentions] == [("src/shop/cart.py", (24,))]
    assert [(each.to_id, each.reason, each.evidence) for each in content.unresolved_mentions] == [
        ("total_price", "ambiguous", "diagram")
    ]


def test_a_file_may_have_several_diagrams(content: GraphContent) -> None:
    roots = [symbol for symbol in content.symbols if symbol.relative_path == "docs/two.puml" and not symbol.depth]
    assert [(root.name, root.start_line, root.end_line, root.is_chunk) for root in roots] == [
        ("First", 1, 4, True),
        ("class diagram", 5, 7, True),
    ]


DIRECTIVES = """Guide
=====

.. mermaid::
   :caption: Flow

   flowchart LR
     A --> B

.. graphviz::

   digraph { c -> d }
"""


def test_directives_of_restructuredtext_are_diagrams() -> None:
    facts = extract_facts(DIRECTIVES.encode(), "restructuredtext")
    assert [(each.name, each.start_line) for each in facts.symbols[1:]] == [
        ("flowchart", 7),
        ("A", 8),
        ("B", 8),
        ("graph", 12),
        ("c", 12),
        ("d", 12),
    ]
    assert not facts.problems


#: Diagrams in Markdown, and the lines and beginnings of the problems of the file.
PROBLEMS = {
    "a broken diagram": ("# A\n\n```mermaid\nflowchart TD\n  A --> B\n  C[[[ -->\n```\n", [(6, "diagram: ")]),
    "a kind that draws no nodes": ("# A\n```mermaid\nxychart-beta\n  line [1]\n```\n", []),
    "a kind that nobody knows": ("# A\n```mermaid\nflowerchart\n```\n", [(3, "diagram: no grammar reads")]),
    "an activity of PlantUML": ("# A\n```plantuml\nstart\n:go;\nstop\n```\n", []),
    "nothing": ("# A\n```mermaid\n\n```\n", []),
}


@pytest.mark.parametrize(("text", "expected"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_diagram_that_does_not_parse_is_a_problem_at_its_line(text: str, expected: list[tuple[int, str]]) -> None:
    problems = extract_facts(text.encode(), "markdown").problems
    assert [each.line for each in problems] == [line for line, _ in expected]
    assert all(each.reason.startswith(reason) for each, (_, reason) in zip(problems, expected, strict=True))


def test_groups_that_lie_in_each_other_cost_no_fault() -> None:
    text = "flowchart LR\nsubgraph a\nb\nend\nsubgraph b\na\nend\n"
    nested = "flowchart LR\n" + "\n".join(f"subgraph s{level}" for level in range(300)) + "\nx\n" + "end\n" * 300
    for source in (text, nested):
        facts = extract_facts(source.encode(), "mermaid")
        assert not any(FAULT in problem.reason for problem in facts.problems)
        assert all(facts.symbols[each.parent].depth == each.depth - 1 for each in facts.symbols if each.parent >= 0)
