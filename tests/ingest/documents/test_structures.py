"""What sections say in the forms of their types: workflows, decisions, releases, endpoints, components, requirements."""

from __future__ import annotations

import json
from typing import Any

import pytest
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import extract_facts

from tests.linear_time import is_linear, processor_seconds


def facts_of(text: str) -> FileFacts:
    return extract_facts(text.encode(), "markdown")


def fields(text: str, type_name: str, name: str = "") -> tuple[str, Any]:
    """Return the form and the fields of the first section of a type, or of the one with a name."""
    facts = facts_of(text)
    found = next(
        each for each in facts.structures if each.type == type_name and (not name or facts.symbols[each.symbol].name == name)
    )
    return found.form, json.loads(found.fields)


ORDER = """# Order workflow

1. **Customer**: adds items to the cart.
2. The server checks the stock with `Stock.left()`.
   - [ ] read the database
   - [x] read the cache
3. If the stock is empty, go back to step 1.
4. (Optional) The server sends a mail:
   ```bash
   mail --to customer
   ```
5. Pay. Otherwise, go to step 2.
"""


def test_a_numbered_list_has_steps_with_actors_conditions_code_and_transitions() -> None:
    form, found = fields(ORDER, "workflow")
    assert form == "numbered list"
    assert found["actors"] == ["Customer", "server"]
    first, second, third, fourth, fifth = found["steps"]
    assert (first["number"], first["actor"], first["line"]) == ("1", "Customer", 3)
    assert [(step["number"], step["text"], step["done"]) for step in second["steps"]] == [
        ("2.1", "read the database", False),
        ("2.2", "read the cache", True),
    ]
    assert (third["condition"], third["transitions"]) == (
        "the stock is empty",
        [{"to": "1", "condition": "the stock is empty"}],
    )
    assert (fourth["optional"], fourth["code"]) == (True, ["mail --to customer"])
    assert fifth["transitions"] == [{"to": "2", "condition": "otherwise"}]


def test_steps_lead_to_the_next_one_and_to_those_that_they_name() -> None:
    facts = facts_of(ORDER)
    lines = [symbol.declaration_line for symbol in facts.symbols]
    edges = sorted((lines[each.source], lines[each.target], each.condition) for each in facts.next_steps)
    assert edges == [
        (3, 4, ""),
        (4, 7, "the stock is empty"),
        (5, 6, ""),
        (7, 3, "the stock is empty"),
        (7, 8, ""),
        (8, 12, ""),
        (12, 4, "otherwise"),
    ]
    inner = next(symbol for symbol in facts.symbols if symbol.name == "read the cache")
    assert (inner.depth, facts.symbols[inner.parent].declaration_line, inner.modifiers) == (2, 4, ["workflow", "done"])


def test_a_list_that_begins_anew_is_another_one() -> None:
    facts = facts_of("# Install\n\nOn Linux:\n\n1. a\n2. b\n\nOn Windows:\n\n1. c\n2. d\n")
    assert [(facts.symbols[each.source].name, facts.symbols[each.target].name) for each in facts.next_steps] == [
        ("a", "b"),
        ("c", "d"),
    ]


def test_items_that_all_have_the_number_1_are_one_list() -> None:
    facts = facts_of("# Install\n\n1. a\n```\nx\n```\n1. b\n```\ny\n```\n1. c\n")
    assert [(facts.symbols[each.source].name, facts.symbols[each.target].name) for each in facts.next_steps] == [
        ("a", "b"),
        ("b", "c"),
    ]


def test_code_without_indentation_belongs_to_the_item_before_it() -> None:
    text = "# Install\n\n1. Get it.\n```\nget\n```\n2. Run it.\n\n```\nrun\n```\n\nThen:\n\n```\nother\n```\n"
    assert [step.get("code") for step in fields(text, "workflow")[1]["steps"]] == [["get"], ["run"]]


def test_numbered_headings_and_tables_are_steps() -> None:
    form, found = fields("# Release process\n\n## 1. Tag\n\nTag it.\n\n## 2. Publish\n\nThe bot pushes it.\n", "workflow")
    assert (form, [step["text"] for step in found["steps"]]) == (
        "headings",
        ["Tag: Tag it.", "Publish: The bot pushes it."],
    )
    table = "# Order flow\n\n| # | Actor | Action |\n|---|---|---|\n| 1 | Buyer | pays |\n| 2 | Shop | sends |\n"
    form, found = fields(table, "workflow")
    assert (form, found["actors"], [step["line"] for step in found["steps"]]) == ("table", ["Buyer", "Shop"], [5, 6])


def test_lists_that_are_no_steps_make_no_workflow() -> None:
    for text in (
        "# Benefits\n\n1. fast\n2. small\n",
        "# Setup\n\n## Best practices\n\n1. Keep it small\n2. Make it fast\n",
        "# Adding colors\n\n1. General colors: red\n2. Other colors: blue\n",
    ):
        assert not facts_of(text).next_steps
    assert facts_of("# Adding colors\n\n1. Choose one\n2. Then run `make`\n").next_steps


def test_words_that_begin_a_step_are_no_actors() -> None:
    steps = "# Install\n\n1. Install dependencies: make\n2. Client libraries for Go\n3. It takes a while\n4. Tests pass\n"
    assert "actors" not in fields(steps, "workflow")[1]


def test_conditions_before_a_colon_are_no_actors() -> None:
    steps = "# Start up flow\n\n1. The server opens the store\n2. For each replica: load the position\n3. For each client: sync\n"
    assert fields(steps, "workflow")[1]["actors"] == ["server"]


def test_diagrams_become_participants_messages_and_nodes() -> None:
    text = (
        "# Login\n\n```mermaid\nsequenceDiagram\n  actor U as User\n  U->>API: log in\n  alt valid\n    API-->>U: token\n  end\n"
        "```\n\n"
        "```mermaid\nflowchart TD\n  A[Start] --> B{Paid?}\n  B -- yes --> C[Ship]\n```\n"
    )
    _, found = fields(text, "sequence diagram")
    (drawn,) = found["diagrams"]
    assert [node["label"] for node in drawn["nodes"]] == ["User", "API"]
    assert [(edge["source"], edge["target"], edge["label"], edge.get("frame", "")) for edge in drawn["edges"]] == [
        ("User", "API", "log in", ""),
        ("API", "User", "token", "alt valid"),
    ]
    _, found = fields(text, "flowchart")
    (drawn,) = found["diagrams"]
    assert [(node["label"], node["kind"]) for node in drawn["nodes"]][1] == ("Paid?", "decision")
    assert drawn["edges"][1]["label"] == "yes"


def test_a_diagram_that_cannot_be_read_keeps_its_text_and_the_reason() -> None:
    facts = facts_of("# Login\n\n```mermaid\nsequenceDiagram\n  A->>\n```\n")
    (found,) = (each for each in facts.structures if each.type != "code")
    assert (found.type, found.form) == ("sequence diagram", "text")
    assert found.reason
    assert "A->>" in json.loads(found.fields)["text"]


MADR = """---
status: accepted
date: 2024-05-01
---
# Use queues

## Context and Problem Statement

Mails are slow.

## Decision Drivers

* cost

## Considered Options

* Queues
* Threads

## Decision Outcome

Chosen option: "Queues", because they last.

### Consequences

* Good, because mails are sent later
* Bad, because of another server

## Pros and Cons of the Options

### Queues

* Good, because known
* Bad, because slow
"""


def test_a_decision_in_the_form_of_madr() -> None:
    form, found = fields(MADR, "decision")
    assert form == "MADR"
    assert (found["status"], found["date"], found["context"]) == ("accepted", "2024-05-01", "Mails are slow.")
    assert (found["drivers"], found["decision"]) == (["cost"], '"Queues", because they last.')
    assert found["options"] == [{"name": "Queues", "good": ["known"], "bad": ["slow"]}, {"name": "Threads"}]
    assert found["consequences"] == ["Good, because mails are sent later", "Bad, because of another server"]


def test_a_decision_in_the_form_of_nygard_tells_what_replaces_it() -> None:
    text = (
        "# 3. Use queues\n\n## Status\n\nSuperseded by [4. Use topics](0004.md)\n\nSupersedes [ADR 1](0001.md).\n\n"
        "## Context\n\nSlow.\n\n## Decision\n\nWe use queues.\n\n## Consequences\n\nMore servers.\n"
    )
    form, found = fields(text, "decision")
    assert form == "Nygard"
    assert (found["supersededBy"], found["supersedes"]) == (["4. Use topics"], ["ADR 1"])
    assert (found["decision"], found["consequences"]) == ("We use queues.", ["More servers."])


@pytest.mark.parametrize(
    ("text", "status", "context", "decision"),
    [
        (
            "# Decision record for queues\n\n## Background\n\nSlow.\n\n## Decision\n\nWe use queues.\n\n## Reasoning\n\nOrder.\n",
            "", "Slow.", "We use queues.",
        ),
        (
            "## Architecture decision record: queues\n\n### 1. **Context**\n\nSlow.\n\n### 2. **Considered Options**\n\n- A\n\n"
            "### 3. **Decision**\n\nQueues.\n",
            "", "Slow.", "Queues.",
        ),
        (
            "# ADR 7: queues\n\n## Status\n\n> May be new.\n\n{New|Accepted}\n\nAccepted\n\n## Problem Statement \n\nSlow.\n",
            "Accepted",
            "Slow.",
            "",
        ),
        (
            "# Queues\n\n## Status - DRAFT\n\n## Context\n\nSlow.\n\n## Decided Approach\n\nQueues.\n\n"
            "## Consequences\n\n- more\n",
            "DRAFT", "Slow.", "Queues.",
        ),
        (
            "# ADR 8: queues\n\n## Context and Requirements\n\nSlow.\n\n## Conclusion\n\n### The choice\n\nQueues.\n",
            "", "Slow.", "The choice: Queues.",
        ),
    ],
)  # fmt: skip
def test_a_title_that_says_so_makes_a_decision_of_fewer_parts(text: str, status: str, context: str, decision: str) -> None:
    _, found = fields(text, "decision")
    assert (found.get("status", ""), found["context"], found.get("decision", "")) == (status, context, decision)


def test_a_decision_has_its_paragraphs_and_items_in_their_order_and_the_fields_of_its_head() -> None:
    text = (
        "# 6. Use queues\n\nDate: 2024-05-01\n\nSuperseded: 2024-06-02 by [ADR 9](0009-topics.md)\n\n## Status\n\nSuperseded\n\n"
        "## Context\n\nMails are slow.\n\n## Decision\n\nWe use queues, because\n\n* they last\n  for years\n* they are known.\n"
        "\n  Others are not.\n\nThreads stay.\n\n## Consequences\n\nThere is another server.\n\nThese parts change:\n\n"
        "* mails\n* bills\n\n[api]: https://mails.example\n"
    )
    _, found = fields(text, "decision")
    assert (found["status"], found["date"], found["supersededBy"]) == ("Superseded", "2024-05-01", ["ADR 9"])
    assert found["decision"] == "We use queues, because they last for years they are known. Threads stay."
    assert found["consequences"] == ["There is another server.", "mails", "bills"]


def test_a_decision_whose_parts_are_in_groups_is_one_decision() -> None:
    text = (
        "# Queues\n\n## Summary\n\n### Issue\n\nMails are slow.\n\n### Decision\n\nQueues.\n\n### Status\n\nDecided.\n\n"
        "## Details\n\n### Positions\n\n- Queues\n- Threads\n\n### Implications\n\nAnother server.\n"
    )
    facts = facts_of(text)
    assert [symbol.name for symbol in facts.symbols if symbol.kind == "decision"] == ["Queues"]
    _, found = fields(text, "decision")
    assert (found["status"], found["context"], found["decision"]) == ("Decided", "Mails are slow.", "Queues.")
    assert ([option["name"] for option in found["options"]], found["consequences"]) == (
        ["Queues", "Threads"],
        ["Another server."],
    )


def test_a_decision_in_one_sentence() -> None:
    text = (
        "# Storage\n\nIn the context of the shop, facing many orders, we decided for a queue and neglected threads, "
        "to achieve calm, accepting that mails come later.\n"
    )
    form, found = fields(text, "decision")
    assert form == "Y-statement"
    assert (found["context"], found["facing"], found["decision"]) == ("the shop", "many orders", "a queue")
    assert (found["neglects"], found["achieves"], found["accepts"]) == ("threads", "calm", "mails come later")


def test_releases_have_versions_dates_and_kinds_of_change() -> None:
    text = (
        "# Changelog\n\n## [Unreleased]\n\n### Fixed\n- a\n\n## [1.2.0] - 2024-05-01 [YANKED]\n\n### Added\n- b\n- c\n\n"
        "## 1.1.0 (6th May, 2023)\n\n* **feat:** d\n* e\n"
    )
    assert fields(text, "changelog", "Changelog")[1]["releases"] == [
        {"version": "Unreleased", "changeCount": 1, "line": 3},
        {"version": "1.2.0", "date": "2024-05-01", "yanked": True, "changeCount": 2, "line": 8},
        {"version": "1.1.0", "date": "6th May, 2023", "changeCount": 2, "line": 14},
    ]
    assert fields(text, "changelog", "[1.2.0] - 2024-05-01 [YANKED]")[1]["changes"] == [
        {"text": "b", "kind": "added"},
        {"text": "c", "kind": "added"},
    ]
    assert fields(text, "changelog", "1.1.0 (6th May, 2023)")[1]["changes"] == [
        {"text": "feat: d", "kind": "added"},
        {"text": "e"},
    ]
    text = (
        "# Changelog\n\n## v1.0.0\n*March 2nd, 2023*\n\nIt is small.\n\n### Bug fixes\n\n- [cart]\n  - f\n- Cart Library\n  - g\n"
        "\n### API\n\n- h\n"
    )
    release = fields(text, "changelog", "v1.0.0")[1]
    assert (release["date"], release["description"]) == ("March 2nd, 2023", "It is small.")
    assert [change["text"] for change in release["changes"]] == ["cart: f", "Cart Library: g", "h"]
    assert "api" not in {each.type for each in facts_of(text).structures}


def test_releases_of_generated_changelogs_have_the_levels_of_their_versions() -> None:
    text = (
        "# Change Log\n\n## [1.1.1](https://a.example) (2024-05-03)\n\n### Bug Fixes\n\n* a\n\n"
        "# [1.1.0](https://b.example) (2024-05-02)\n\n### Features\n\n* b\n\n"
        "## [1.0.1](https://c.example) (2024-05-01)\n\n### Bug Fixes\n\n* c\n\n# 1.0.0 (2024-04-01)\n\n* d\n"
    )
    assert fields(text, "changelog", "Change Log")[1]["releases"][0]["version"] == "1.1.1"
    for title, version, change in (
        ("1.1.1 (2024-05-03)", "1.1.1", {"text": "a", "kind": "fixed"}),
        ("1.1.0 (2024-05-02)", "1.1.0", {"text": "b", "kind": "added"}),
        ("1.0.1 (2024-05-01)", "1.0.1", {"text": "c", "kind": "fixed"}),
        ("1.0.0 (2024-04-01)", "1.0.0", {"text": "d"}),
    ):
        found = fields(text, "changelog", title)[1]
        assert (found["version"], found["changes"]) == (version, [change])


def test_a_release_plan_in_sections_and_in_a_table() -> None:
    sections = (
        "# Roadmap\n\n## Milestone 1: search (Q3 2024)\n\nFind things. An hour to complete.\n\n"
        "- [x] index\n- [ ] rank\n\n## v2.0\n"
    )
    form, found = fields(sections, "release plan")
    assert form == "sections"
    assert found["milestones"][0] == {
        "name": "Milestone 1: search (Q3 2024)",
        "date": "Q3 2024",
        "description": "Find things. An hour to complete.",
        "tasks": [{"text": "index", "done": True}, {"text": "rank", "done": False}],
        "line": 3,
    }
    assert found["milestones"][1]["version"] == "2.0"
    table = "# Timeline\n\n| **What** | **Who** | Week | **When** |\n|--|--|--|--|\n| 1.2.0-rc.1 | Mina | 3 | Mon May 3 |\n"
    (milestone,) = fields(table, "release plan")[1]["milestones"]
    assert milestone == {"name": "1.2.0-rc.1", "version": "1.2.0-rc.1", "date": "Mon May 3", "line": 5}
    listed = "# Roadmap\n\n- [Roadmap](#roadmap)\n  - [Search](#search)\n\n## Search\n\n- [ ] rank\n\n## Release process\n\nx\n"
    form, found = fields(listed, "release plan")
    assert (form, [each["name"] for each in found["milestones"]]) == ("sections", ["Search"])
    table = "# Release plan\n\n| Phase | Timeline | Status |\n|--|--|--|\n| Alpha | Week 3-4 | done |\n"
    assert fields(table, "release plan")[1]["milestones"] == [{"name": "Alpha", "date": "Week 3-4", "status": "done", "line": 5}]


def test_endpoints_have_parameters_and_responses() -> None:
    text = (
        "# API\n\n## GET /users/{id}\n\nReturns a user.\n\n### Parameters\n\n| Name | In | Type | Required | Description |\n"
        "|--|--|--|--|--|\n| id | path | integer | yes | its number |\n\n### Response\n\n- 200 the user\n- `404`: nobody\n\n"
        "```json\n{}\n```\n\n## Orders\n\n`POST /orders`\n\n#### Body\n\n- `items` (array, required): what is sold\n"
    )
    form, found = fields(text, "api", "API")
    assert form == "sections"
    users, orders = found["endpoints"]
    assert (users["method"], users["path"], users["description"]) == ("GET", "/users/{id}", "Returns a user.")
    assert users["parameters"] == [
        {"name": "id", "place": "path", "type": "integer", "required": True, "description": "its number"}
    ]
    assert users["responses"] == [
        {"status": "200", "description": "the user"},
        {"status": "404", "description": "nobody"},
        {"example": "{}"},
    ]
    called = "# Endpoint: GET /carts\n\nReturns all.\n\n```\n$ curl localhost/carts\n```\n\n```json\n[]\n```\n"
    (carts,) = fields(called, "api")[1]["endpoints"]
    assert (carts["path"], carts["description"], carts["responses"]) == ("/carts", "Returns all.", [{"example": "[]"}])
    assert orders.get("description", "") == ""
    assert orders["parameters"] == [
        {"name": "items", "place": "body", "type": "array", "required": True, "description": "what is sold"}
    ]


def test_components_have_responsibilities_and_technology() -> None:
    table = "# Architecture\n\n| Component | Responsibility | Technology |\n|--|--|--|\n| Cart | holds items | Go, Redis |\n"
    assert fields(table, "architecture")[1]["components"] == [
        {"name": "Cart", "responsibility": "holds items", "technology": ["Go", "Redis"], "line": 5}
    ]
    listed = "# Components\n\n- **Cart**: holds items\n  - `total` - adds prices\n- **Stock** \u2014 counts\n"
    form, found = fields(listed, "architecture")
    assert form == "list"
    assert [(each["name"], each["responsibility"]) for each in found["components"]] == [
        ("Cart", "holds items"),
        ("Stock", "counts"),
    ]
    assert found["components"][0]["components"][0]["name"] == "total"


def test_requirements_have_ids_levels_stories_and_criteria() -> None:
    text = (
        "# Requirements of the shop\n\n- FR-1: The cart must add items.\n"
        "- [x] As a buyer, I want to pay so that I get tea.\n  - Given a cart, when I pay, then it is empty\n"
    )
    first, second = fields(text, "requirements")[1]["requirements"]
    assert (first["id"], first["text"], first["priority"]) == ("FR-1", "The cart must add items.", "must")
    assert (second["role"], second["goal"], second["benefit"], second["done"]) == ("buyer", "pay", "I get tea", True)
    assert second["details"] == ["Given a cart, when I pay, then it is empty"]
    table = (
        "# Requirements of carts\n\n| Requirement | Description | Check |\n|--|--|--|\n"
        "| CART-001 | A cart shall add items. | test |\n"
    )
    (row,) = fields(table, "requirements")[1]["requirements"]
    assert (row["id"], row["text"], row["details"]) == ("CART-001", "A cart shall add items.", ["Check: test"])
    labelled = "# Shop requirements\n\n- [Shop requirements](#shop-requirements)\n- **[R-cart]** Keep carts\n"
    (only,) = fields(labelled, "requirements")[1]["requirements"]
    assert (only["id"], only["text"]) == ("R-cart", "Keep carts")


def test_ids_of_requirements_in_capitals_are_read_in_linear_time() -> None:
    def read(size: int) -> list[Any]:
        titles = f"## {'REQUIREMENT' * size}\n\nNo number.\n\n## REQUIREMENT-12 The cart adds items.\n"
        return list(fields(f"# Requirements of the shop\n\n{titles}", "requirements")[1]["requirements"])

    assert [each["id"] for each in read(1)] == ["REQUIREMENT-12"]
    assert is_linear(lambda size: processor_seconds(lambda: read(size)), 200)


def test_what_does_not_fit_keeps_its_text_and_says_why() -> None:
    facts = facts_of("# API\n\nThere is one.\n")
    (found,) = (each for each in facts.structures if each.type != "code")
    assert (found.type, found.form, found.reason) == ("api", "text", "The section names no method with a path.")
    assert json.loads(found.fields) == {"text": "There is one."}


def test_odd_documents_of_every_type_are_read() -> None:
    for title in ("Workflow", "Roadmap", "Changelog", "API", "Architecture", "Decision", "Requirements of x", "Step 1", "GET /"):
        for body in (
            "",
            "1.\n2.\n",
            "- \n- [ ]\n",
            "| |\n|-|\n| |\n",
            "|Step|Actor|\n|-|-|\n|a|\n|b|\n",
            "## 1.0\n## 2.0\n",
            "```\n",
        ):
            assert not facts_of(f"# {title}\n\n{body}").problems


def test_a_decision_with_fields_in_a_table_at_its_head() -> None:
    text = (
        "# Shop - Carts in the browser\n\n|   |   |\n| --- | --- |\n| **Status** | Approved |\n| Date | 2024-05-01 |\n"
        "| Supersedes | [ADR 3](0003.md) |\n| Superseded by: | N/A |\n\n## What\n\nCarts move.\n\n## Why\n\nServers are slow.\n\n"
        "## How\n\nCarts are kept in the browser.\n\n## Alternatives\n\n- Faster servers\n"
    )
    form, found = fields(text, "decision")
    assert (form, found["status"], found["date"], found["supersedes"]) == ("MADR", "Approved", "2024-05-01", ["ADR 3"])
    assert (found["context"], found["decision"]) == ("Servers are slow.", "Carts are kept in the browser.")
    assert "supersededBy" not in found
    assert [each["name"] for each in found["options"]] == ["Faster servers"]


GENERATED = """### Boats
Boats of the harbor

<a name="add"></a>
#### Add a boat
```
POST /v1/boats
```

##### Parameters

|Type|Name|Schema|
|---|---|---|
|**Body**|**boat**|Boat|

##### Responses

|HTTP Code|Description|
|---|---|
|**201**|added|

#### Get a boat
`GET https://harbor.example/v1/boats/{id}`

| Name | Type |
|---|---|
| id | integer |

#### Example
```
GET /v1/boats/7
```
"""


def test_a_section_whose_first_line_is_an_endpoint_describes_it() -> None:
    facts = facts_of(GENERATED)
    found = [(each.name, each.kind, each.modifiers) for each in facts.symbols if each.depth < 2]
    assert found == [
        ("Boats", "section", ["api"]),
        ("Add a boat", "endpoint", ["api"]),
        ("Get a boat", "endpoint", ["api"]),
        ("Example", "section", []),
    ]
    added = fields(GENERATED, "api", "Add a boat")[1]["endpoints"][0]
    assert (added["method"], added["path"], added["responses"]) == (
        "POST",
        "/v1/boats",
        [{"status": "201", "description": "added"}],
    )
    assert facts.api is not None
    assert [each.name for each in facts.api.operations] == ["POST /v1/boats", "GET /v1/boats/{id}"]


def test_endpoints_in_lists_of_inner_sections_and_behind_their_names() -> None:
    text = (
        "# REST API\n\n- Search: `GET /items`\n- Carts: `POST /carts`, `DELETE /carts/{id}`\n\n"
        "## Orders\n\n- `GET /orders` - all orders\n- `POST /orders` - a new order\n\n"
        "## Payments\n\n### One\n\nPays.\n\n`PUT /payments/{id}`\n"
    )
    form, found = fields(text, "api", "REST API")
    assert form == "sections"
    assert [(each["method"], each["path"], each.get("description", "")) for each in found["endpoints"]] == [
        ("GET", "/items", "Search"),
        ("POST", "/carts", "Carts"),
        ("DELETE", "/carts/{id}", "Carts"),
        ("GET", "/orders", "all orders"),
        ("POST", "/orders", "a new order"),
        ("PUT", "/payments/{id}", "Pays."),
    ]


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("# Moving the cart API to another host\n\nIt moves.\n", []),
        ("# Cart API (draft)\n\n- It is small.\n", ["api"]),
        ("# Gateway API\n\n- Gateways lead to carts.\n", []),
        ("# Cart API\n\n- `add(item)` adds an item.\n", ["api"]),
        ("# Cart API\n\n## `carts.add`\n\nIt adds an item.\n", ["api"]),
        ("# REST API\n\nSet `enable = true`.\n", []),
        ("# API\n\nIt is small.\n", ["api"]),
        ("# API-breaking\n\n- Carts are gone.\n", []),
        ("# Cart endpoint\n\n- `GET /carts`\n", ["api"]),
        ("# Manual upgrade\n\n1. Stop the shop.\n2. Replace the program.\n3. Start the shop.\n", ["workflow"]),
        ("# History\n\n1. The shop opened.\n2. Add carts.\n3. Carts were gone.\n", []),
        ("# A release of shop\n\n## 1. Choose the version\n\nx\n\n## 2. Run the tests\n\nx\n\n## 3. Stop\n\nx\n", ["workflow"]),
        (
            "# Reports\n\n1. The maintainers will read the report.\n2. If it is right, the security team will also fix it.\n"
            "3. Once all is fixed, the reporter will get a mail.\n4. A date is chosen.\n",
            ["workflow"],
        ),
        (
            "# Payment\n\n1. The client sends the card.\n2. The server checks the card.\n3. The client shows a bill.\n",
            ["workflow"],
        ),
        ("# Rules\n\n1. The server must be fast.\n2. The client will be small.\n3. The server has carts.\n", []),
        ("# Ways to move carts\n\n1. Copy all carts.\n2. Remove all carts.\n3. Build new carts.\n", []),
        ("# Carts\n\nThere are generally two approaches to find them.\n\n1. Add a flag.\n2. Use a label.\n3. Open it.\n", []),
        ("# Conclusion & Roadmap\n\nWe hope that the shop is useful.\n", []),
        ("# Roadmap\n\nBills come with v2.1.\n", ["release plan"]),
        ("# The shop\n\n## 1. Carts\n\nx\n\n## 2. Run\n\nx\n\n## 3. Bills\n\nx\n", []),
        ("# Moving the cart API to another host\n\n- `GET /carts`\n", ["api"]),
        ("# 2\\. Design\n\n## 2.1 Scope\n\nAll.\n\n## 2.2 Names\n\nShort.\n", []),
        ("# Building a roadmap\n\n- Issues are collected.\n", []),
        ("# Contradictory requirements with other users\n\n- None.\n", []),
        ("# Architecture decisions\n\n[all](adr/)\n", []),
        ("# Drawings (/architecture)\n\nThey are there.\n", []),
        ("# 2. Core Components\n\n- Cart: holds items\n", ["architecture"]),
        ("# List of components\n\n- Cart: holds items\n", ["architecture"]),
        ("# Components of the shop\n\n- Cart: holds items\n", ["architecture"]),
        ("# Building the cart components\n\n- Run `make`.\n", []),
        ("# Metrics of all components\n\n- time\n", []),
        ("# Cart components\n\nThey are in a repository of their own.\n", []),
        ("# The cart-components-swift repository\n\n- `Package.swift`\n", []),
        ("# Non-requirements\n\n- Speed.\n", []),
        ("# Move carts and check their requirements\n\n- Run `make`.\n", []),
        ("# Requirements\n\n| Name | Description |\n|---|---|\n| CART-1 | A cart shall add items. |\n", ["requirements"]),
        ("# Requirements\n\n- Python 3\n- Node 20\n", []),
        ("# addItem\n\nIt does the following:\n\n1. If `n` is zero, it returns.\n2. Set `n`.\n", ["workflow"]),
        ("# Version requirements\n\n- Go 1.22\n", []),
        ("# Develop carts and components\n\n## Carts\n\nA cart is a file.\n", []),
        ("# shop::components::Cart\n\n- **add**: adds an item\n", []),
        ("# Node components\n\n- Ignore files that begin with a dot.\n- Bump the version of the image.\n", []),
        ("# Information architecture\n\n- Carts\n- Bills\n", []),
        ("# Considered options\n\n1. Store the carts in a file.\n2. Use a database.\n3. Add a cache.\n", []),
        ("# Cart timeline\n\n- Carts are kept for 3 days.\n", []),
        ("# Cart deployment\n\n## 1. Description\n\nx\n\n## 2. Topology\n\nx\n", []),
        ("# 4.8 Functions\n\n## 4.8.1 add\n\n- Adds.\n\n## 4.8.2 remove\n\n- Removes.\n", []),
        ("# Unreleased\n\n## Added\n\n- a\n", ["changelog"]),
        ("# Changelog\n\n## 2024-05-01-2\n\n- a\n", ["changelog"]),
        ("# Workflow types\n\n1. Carts\n2. Bills\n", []),
        ("# Failure of a workflow\n\n1. The cart is lost.\n2. The bill is lost.\n", ["workflow"]),
        ("# Installation methods\n\n1. Pull the image.\n2. Build the program.\n3. Run it.\n", ["workflow"]),
        ("# Installation\n\nYou can choose from:\n\n1. Pull the image.\n2. Build the program.\n", []),
        ("# Setup\n\nThere are two different ways.\n\nFollow these steps:\n\n1. The first.\n2. The other.\n", ["workflow"]),
        ("# What you've learned\n\n1. Open a cart.\n2. Fill it.\n3. Pay.\n", []),
        ("# Using the cart API to pay\n\n## Payment steps\n\n1. Call `POST /pay`.\n2. Wait.\n", []),
        ("# Cart API changes\n\n- `GET /carts` is new\n", []),
        (
            "# The phone\n\n1. Open the Files app.\n2. Tap on the `a.crt` file.\n3. You should see a message.\n"
            "4. While you wait, use `b.yml`.\n5. With the file `c.yml` open, press save.\n",
            ["workflow"],
        ),
        (
            "# Endpoints of carts\n\n| Class | Method | HTTP request | Description |\n|---|---|---|---|\n"
            "| Carts | [**list**](a.md) | **GET** /carts | All |\n",
            ["api"],
        ),
    ],
)
def test_titles_that_only_contain_a_word_have_no_type(text: str, subjects: list[str]) -> None:
    assert facts_of(text).symbols[0].modifiers == subjects


def test_links_to_documents_are_no_components() -> None:
    text = "# Architecture\n\n- [Cart](cart.md): how carts work\n- [Orders](orders.md): how orders work\n"
    assert fields(text, "architecture")[0] == "text"
    text = "# Architecture\n\n- [Cart](src/cart): holds items\n- [Orders](src/orders): ends carts\n"
    assert fields(text, "architecture")[0] == "list"


def test_a_record_with_its_state_and_its_writer_in_a_table_is_a_decision() -> None:
    text = (
        "# Carts\n\n| Metadata | Value |\n|---|---|\n| Date | 2024-03-01 |\n| Author | @mina |\n| Status | {} |\n\n"
        "## Context and problem\n\nCarts are slow.\n\n## Endpoints\n\nNone.\n"
    )
    decision = fields(text.format("Implemented"), "decision")[1]
    assert (decision["status"], decision["date"], decision["context"]) == ("Implemented", "2024-03-01", "Carts are slow.")
    assert "decision" not in {each.type for each in facts_of(text.format("Published")).structures}


def test_tables_by_version_are_no_changelog_and_flow_control_no_workflow() -> None:
    versions = "# Shop\n\n## 2.1\n\n| Page |\n|---|\n| a |\n\n## 2.2\n\n| Page |\n|---|\n| b |\n\n"
    text = f"{versions}## Flow control\n\n1. Queues\n2. Buffers\n"
    assert not {"changelog", "workflow"} & {each.type for each in facts_of(text).structures}


@pytest.mark.parametrize(
    ("title", "is_architecture"),
    [("Layers", True), ("Application layers", True), ("Layers of the shop", True), ("Caching of image layers", False)],
)
def test_layers_are_an_architecture_only_if_the_title_is_about_nothing_else(title: str, is_architecture: bool) -> None:
    types = {each.type for each in facts_of(f"# {title}\n\n- **Cart**: holds items\n- **Stock**: counts\n").structures}
    assert ("architecture" in types) == is_architecture


def test_components_that_are_only_named() -> None:
    architecture = fields("# Components\n\nThere are two parts.\n\n- till\n- price list\n", "architecture")[1]
    assert [each["name"] for each in architecture["components"]] == ["till", "price list"]
