"""A module of Java beside a front end in TypeScript and a tool in Go: one index, and no name means one of another language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace, open_workspace

FILES = {
    "openapi.yaml": """openapi: 3.0.0
info: { title: shop, version: "1" }
paths:
  /orders/{id}:
    get: { responses: { "200": { description: one } } }
  /health:
    get: { responses: { "200": { description: well } } }
""",
    "service/pom.xml": "<project><groupId>g</groupId><artifactId>service</artifactId><version>1</version></project>",
    "service/src/main/java/shop/OrderController.java": """package shop;

import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/orders")
public class OrderController {
    private final Orders orders = new Orders();

    @GetMapping("/{id}")
    public Order load(@PathVariable long id) { return orders.find(id).checked(); }

    @DeleteMapping("/{id}")
    public void drop(@PathVariable long id) { }
}
""",
    "service/src/main/java/shop/Orders.java": """package shop;

class Orders { Order find(long id) { return new Order(); } }
""",
    "service/src/main/java/shop/Order.java": """package shop;

class Order { Order checked() { return this; } }
""",
    "web/package.json": '{"name": "web"}',
    "web/src/orders.ts": """export class Order { checked() { return this } }
export const find = (id: number) => new Order()
export async function load(id: number) { await fetch(`/orders/${id}`); return find(id).checked() }
""",
    "tool/go.mod": "module tool\n\ngo 1.22\n",
    "tool/main.go": """package main

import "net/http"

type Order struct{}

func (o Order) checked() Order { return o }

func find(id int) Order { return Order{} }

func health(w http.ResponseWriter, r *http.Request) { find(1).checked() }

func main() {
	http.HandleFunc("GET /health", health)
	http.ListenAndServe(":8080", nil)
}
""",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The indexed repository."""
    root: Path = tmp_path_factory.mktemp("mixed")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    with open_workspace(root) as opened:
        yield opened


def _rows(workspace: Workspace, statement: str) -> set[tuple[object, ...]]:
    return {tuple(row) for row in workspace.cypher(statement).rows}


def test_each_language_calls_its_own(workspace: Workspace) -> None:
    """`find`, `checked` and `Order` exist three times, and each call stays in its language."""
    calls = _rows(
        workspace,
        "MATCH (f:Symbol)-[:CALLS]->(t:Symbol) RETURN f.name, f.relativePath, t.name, t.relativePath",
    )
    java = "service/src/main/java/shop/"
    assert calls == {
        ("load", f"{java}OrderController.java", "find", f"{java}Orders.java"),
        ("load", f"{java}OrderController.java", "checked", f"{java}Order.java"),
        ("orders", f"{java}OrderController.java", "Orders", f"{java}Orders.java"),
        ("find", f"{java}Orders.java", "Order", f"{java}Order.java"),
        ("load", "web/src/orders.ts", "find", "web/src/orders.ts"),
        ("load", "web/src/orders.ts", "checked", "web/src/orders.ts"),
        ("find", "web/src/orders.ts", "Order", "web/src/orders.ts"),
        ("health", "tool/main.go", "find", "tool/main.go"),
        ("health", "tool/main.go", "checked", "tool/main.go"),
    }


def test_one_contract_leads_to_both_services(workspace: Workspace) -> None:
    found = _rows(
        workspace,
        "MATCH (o:Symbol)-[i:IMPLEMENTED_BY]->(h:Symbol) RETURN o.name, h.name, h.relativePath, i.framework",
    )
    assert found == {
        ("GET /orders/{id}", "load", "service/src/main/java/shop/OrderController.java", "Spring"),
        ("GET /health", "health", "tool/main.go", "net/http"),
    }


def test_one_answer_shows_all_three(workspace: Workspace) -> None:
    """A question is answered from all languages, and each module is known by its manifest."""
    answer = workspace.search("where is an order checked")
    assert {each.file.partition("/")[0] for each in answer.results} >= {"service", "web", "tool"}
    modules = _rows(workspace, "MATCH (m:Module) WHERE m.manifestPath <> '' RETURN m.name, m.kind")
    assert {("g:service", "maven"), ("web", "npm"), ("tool", "go")} <= modules


def test_a_change_of_a_route_reaches_further_than_the_repository(workspace: Workspace) -> None:
    nothing = workspace.symbol("OrderController > drop").impact().nothing
    assert nothing is not None
    use = "Spring uses it as route: DELETE /orders/{id} ("
    assert nothing.message.startswith(f"Nothing in the repository depends on it, but {use}")
