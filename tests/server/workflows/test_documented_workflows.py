"""The tool `get_workflow`: steps, actors, transitions and linked code of workflows in documents."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from astrolabe.server.api.graph_tools.records import GraphAnswer
from astrolabe.server.api.workspace import Workspace
from written_workspace import write

SHOP = """
//- src/cart.py
class Cart:
    def add_item(self): ...
    def total(self): ...
//- docs/checkout.md
# Checkout

## Workflow: pay for a cart

1. **Customer**: fills the cart with `Cart.add_item()`.
2. The server adds the prices in `src/cart.py`, see `Cart.missing`:
   - all of them
3. If the card is refused, go back to step 1.

```bash
pay
```

## Messages

```mermaid
sequenceDiagram
  actor C as Customer
  participant S as Cart
  C->>S: add_item()
  alt empty
    S-->>C: nothing
  else filled
    S-->>C: total
  end
```

## Ways

```mermaid
flowchart TD
  A[Fill] --> B{Paid?}
  B -- no --> A
```
//- docs/plain.md
# Plain

Nothing to do.
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("shop")
    write(root, SHOP)
    with Workspace.locate(root) as workspace:
        yield workspace


def ask(workspace: Workspace, doc: str = "", section: str = "", budget: int = 8_000) -> GraphAnswer:
    return workspace.graph.get_workflow(doc, section, budget=budget).answer


def test_steps_have_actors_details_and_the_code_that_they_name(shop: Workspace) -> None:
    answer = ask(shop, "docs/checkout.md", "pay for a cart")
    assert answer.subject is not None
    assert (answer.subject.name, answer.subject.at) == ("Workflow: pay for a cart", "docs/checkout.md:3")
    assert answer.summary == {"form": "numbered list", "steps": 3, "actors": 2, "linked": 3}
    first, second, third = answer.sections["steps"]
    assert (first.number, first.actor, first.at, first.links) == (
        "1",
        "Customer",
        "line 5",
        ("Cart.add_item (src/cart.py:2)",),
    )
    assert (second.actor, second.details) == ("server", ("all of them",))
    assert second.links == ("Cart (src/cart.py:1)", "src/cart.py")
    assert third.condition == "the card is refused"
    (jump,) = answer.sections["transitions"]
    assert (jump.source, jump.target, jump.condition) == ("3", "1", "the card is refused")
    assert [entry.name for entry in answer.sections["actors"]] == ["Customer", "server"]
    assert [(entry.name, entry.kind) for entry in answer.sections["linkedSymbols"]] == [
        ("Cart.add_item", "method"),
        ("Cart", "class"),
        ("src/cart.py", "file"),
    ]


def test_what_steps_name_and_nothing_is_is_said(shop: Workspace) -> None:
    (lost,) = ask(shop, "checkout", "pay").sections["notFound"]
    assert (lost.name, lost.reason) == ("Cart.missing", "named in line 6; the class has no such member")


def test_messages_are_steps_between_participants(shop: Workspace) -> None:
    answer = ask(shop, "docs/checkout.md", "Messages")
    told = [(entry.number, entry.kind, entry.source, entry.target, entry.name, entry.frame) for entry in answer.sections["steps"]]
    assert told == [
        ("1", "message", "Customer", "Cart", "add_item()", ""),
        ("2", "reply", "Cart", "Customer", "nothing", "alt empty"),
        ("3", "reply", "Cart", "Customer", "total", "else filled"),
    ]
    assert [entry.name for entry in answer.sections["actors"]] == ["Customer", "Cart"]
    assert "Cart.add_item" in [entry.name for entry in answer.sections["linkedSymbols"]]


def test_nodes_of_a_flowchart_are_steps_and_its_edges_transitions(shop: Workspace) -> None:
    answer = ask(shop, "docs/checkout.md", "Ways")
    assert [(entry.name, entry.kind) for entry in answer.sections["steps"]][1] == ("Paid?", "decision")
    assert [(entry.source, entry.target, entry.condition) for entry in answer.sections["transitions"]] == [
        ("Fill", "Paid?", ""),
        ("Paid?", "Fill", "no"),
    ]


def test_several_workflows_are_listed(shop: Workspace) -> None:
    for doc in ("", "checkout.md"):
        listed = ask(shop, doc).sections["workflows"]
        assert [(entry.name, entry.kind, entry.count) for entry in listed] == [
            ("Workflow: pay for a cart", "numbered list", 3),
            ("Messages", "sequence diagram", 3),
            ("Ways", "flowchart", 2),
        ]


def test_a_section_around_several_workflows_lists_them(shop: Workspace) -> None:
    listed = ask(shop, "docs/checkout.md", "Checkout").sections["workflows"]
    assert [entry.at for entry in listed] == ["docs/checkout.md:3", "docs/checkout.md:14", "docs/checkout.md:28"]


@pytest.mark.parametrize(
    ("doc", "section", "message"),
    [
        ("docs/chekout.md", "", 'No indexed document has the path "docs/chekout.md". Did you mean docs/checkout.md?'),
        ("docs/plain.md", "", "No section in docs/plain.md has numbered steps, a checklist, or a diagram of a flow."),
        ("docs/plain.md", "x", 'No workflow in docs/plain.md is named "x". There is none at all.'),
        ("docs/checkout.md", "Mesages", 'No workflow in docs/checkout.md is named "Mesages". The nearest are listed.'),
    ],
)
def test_what_is_not_there_is_told(shop: Workspace, doc: str, section: str, message: str) -> None:
    answer = ask(shop, doc, section)
    assert answer.nothing is not None
    assert answer.nothing.message == message


def test_a_long_workflow_is_cut_and_goes_on(shop: Workspace) -> None:
    first = ask(shop, "docs/checkout.md", "Messages", budget=200)
    assert first.token_count <= 204
    assert first.cursor
    rest = shop.graph.get_workflow("docs/checkout.md", "Messages", cursor=first.cursor).answer
    shown = len(first.sections.get("steps", ())) + len(rest.sections.get("steps", ()))
    assert shown == 3
