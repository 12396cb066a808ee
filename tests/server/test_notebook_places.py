"""Notebooks in an index: edges across cells and to modules, places by cell, and updates."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace, open_workspace
from incremental_report.__main__ import check
from written_notebook import OUTPUT, notebook

ORDERS = (
    "class Order:\n    def total(self) -> int:\n        return 1\n\n\ndef load(path: str) -> list[Order]:\n    return [Order()]\n"
)
CELLS = [
    ("markdown", "# Orders of the year\n\nRefunds count as negative purchases."),
    ("code", "%matplotlib inline\nfrom orders import load"),
    ("code", "def mean(orders):\n    return sum(order.total() for order in orders) / len(orders)"),
    ("code", "orders = load('orders.csv')\nfirst = orders[0]\nfirst.total()\nmean(orders)"),
]
CALLS = "MATCH (s:Symbol)-[c:CALLS]->(t:Symbol) WHERE s.relativePath = 'year.ipynb' RETURN t.qualifiedName, c.lines"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("shop")
    root.joinpath("orders.py").write_text(ORDERS)
    root.joinpath("year.ipynb").write_text(notebook(CELLS))
    return open_workspace(root)


def calls(workspace: Workspace) -> set[tuple[str, tuple[int, ...]]]:
    return {(name, tuple(lines)) for name, lines in workspace.cypher(CALLS).rows}


def test_calls_lead_across_cells_and_to_modules(workspace: Workspace) -> None:
    assert calls(workspace) >= {("load", (19,)), ("Order.total", (21,)), ("mean", (22,))}


def test_a_trace_tells_places_by_cell(workspace: Workspace) -> None:
    text = workspace.trace("load").text
    assert "year.ipynb:cell 4:1:10 call: orders = load('orders.csv')" in text
    assert "year.ipynb:cell 2:2:20 import" in text
    assert workspace.trace("load").answer.cells["year.ipynb:19"] == "year.ipynb:cell 4:1"


@pytest.mark.parametrize("place", ["year.ipynb:14", "year.ipynb:cell 3:1", "year.ipynb:cell 3"])
def test_a_place_is_taken_by_line_and_by_cell(workspace: Workspace, place: str) -> None:
    assert workspace.trace(place).answer.symbol == "mean"
    assert [result.breadcrumb for result in workspace.search(f"symbol = {place}")] == ["year.ipynb > mean"]
    first = workspace.search(f"it fails at {place}")[0]
    assert first.breadcrumb == "year.ipynb > mean"


def test_a_trace_takes_a_line_of_a_cell(workspace: Workspace) -> None:
    assert workspace.trace(file="year.ipynb:cell 4", line=1, column=9).answer.symbol == "load"
    assert "no line 9" in workspace.trace(file="year.ipynb:cell 3", line=9).text


def test_a_cell_that_does_not_exist_is_told(workspace: Workspace) -> None:
    assert "no line 1 in a cell 9" in workspace.search("symbol = year.ipynb:cell 9").text


def test_text_is_found_in_sources_and_prose_and_not_in_outputs(workspace: Workspace) -> None:
    found = workspace.find("negative purchases", mode="literal").answer.results
    assert [(match.line, match.place) for match in found] == [(5, "year.ipynb:cell 1:3")]
    assert "14 (cell 3:1): def mean(orders):" in workspace.find("def mean").text
    assert workspace.find(OUTPUT).answer.total_matches == 0


def test_problems_are_told_by_cell(tmp_path: Path) -> None:
    steps = "".join(f"    total += orders[{place}].price * {place}\n" for place in range(12))
    twice = "\n\n".join(f"def {name}(orders):\n    total = 0\n{steps}    return total" for name in ("gross", "net"))
    cells = [("code", "a = 1"), ("code", "b = a\n\nb b"), ("code", f"import math\n{twice}")]
    tmp_path.joinpath("draft.ipynb").write_text(notebook(cells))
    with open_workspace(tmp_path) as workspace:
        text = workspace.lint().text
    assert "draft.ipynb:cell 2:3:" in text
    assert "draft.ipynb:cell 3:2-16: function gross" in text
    assert "draft.ipynb:cell 3:18-32: function net" in text
    assert "Dead code is not looked for in notebooks, because people run their cells." in text


def test_symbols_with_one_name_are_told_by_cell(tmp_path: Path) -> None:
    cells = [("code", "a = 1"), ("code", "\ndef mean(orders):\n    return 2")]
    for name in ("spring", "autumn"):
        tmp_path.joinpath(f"{name}.ipynb").write_text(notebook(cells))
    with open_workspace(tmp_path) as workspace:
        text = workspace.trace("mean").text
    assert "autumn.ipynb > mean (autumn.ipynb:cell 2:2)" in text
    assert "spring.ipynb > mean (spring.ipynb:cell 2:2)" in text


def test_prose_answers_questions(workspace: Workspace) -> None:
    assert "year.ipynb > cell 1" in [result.breadcrumb for result in workspace.search("how do refunds count")]


def test_an_update_equals_a_new_index(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    root.joinpath("orders.py").write_text(ORDERS)
    root.joinpath("year.ipynb").write_text(notebook(CELLS))
    workspace = open_workspace(root, data_dir=tmp_path / "kept")
    before = calls(workspace)
    root.joinpath("orders.py").write_text(ORDERS.replace("total", "value"))
    assert ("Order.total", (21,)) not in calls(workspace)
    root.joinpath("orders.py").write_text(ORDERS)
    root.joinpath("year.ipynb").write_text(notebook([("code", "import os"), *CELLS]))
    assert {(name, tuple(line - 4 for line in lines)) for name, lines in calls(workspace)} == before
    workspace.close()
    assert check(root, tmp_path / "kept", tmp_path / "fresh") == []
