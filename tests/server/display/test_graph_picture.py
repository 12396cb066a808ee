"""Pictures of graphs, and highlighted code."""

from __future__ import annotations

import re

import pytest
from astrolabe.graphdb.query_result import QueryResult
from astrolabe.server.api.requests.query_rows import QueryRows
from astrolabe.server.display.graph_picture import MAX_NODES, WIDTH, PictureEdge, PictureNode, graph_html
from astrolabe.server.display.highlighting import code_html

HOSTILE = '<script>alert("x")</script>'


def nodes(*names: str) -> list[PictureNode]:
    return [PictureNode(name, name, "function", f"{name} (a.py:1)") for name in names]


def places(picture: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r'transform="translate\(([\d.]+) ([\d.]+)\)"', picture)]


def test_nodes_and_edges_are_drawn_within_the_picture() -> None:
    picture = graph_html(nodes("a", "b", "c"), [PictureEdge("a", "b", "CALLS"), PictureEdge("b", "c", "CALLS")])
    assert picture.count('class="node"') == 3
    assert picture.count("<line ") == 2
    assert "CALLS (2)" in picture
    (height,) = map(int, re.findall(rf'viewBox="0 0 {WIDTH} (\d+)"', picture))
    assert all(0 < x < WIDTH and 0 < y < height for x, y in places(picture))
    assert len(set(places(picture))) == 3


def test_the_same_graph_has_the_same_picture() -> None:
    made = [graph_html(nodes("a", "b"), [PictureEdge("a", "b", "CALLS")]) for _ in range(2)]
    assert made[0] == made[1]


def test_nodes_without_edges_stand_in_rows_below_the_others() -> None:
    names = [f"n{number}" for number in range(7)]
    picture = graph_html(nodes("a", "b", *names), [PictureEdge("a", "b", "CALLS")])
    (_, first), (_, second), *alone = places(picture)
    assert max(first, second) < min(y for _, y in alone)
    assert len({y for _, y in alone}) == 2


def test_the_most_connected_nodes_of_a_large_graph_are_shown() -> None:
    many = [f"n{number}" for number in range(MAX_NODES + 30)]
    picture = graph_html(nodes(*many, "hub"), [PictureEdge(name, "hub", "CALLS") for name in many])
    assert picture.count('class="node"') == MAX_NODES
    assert ">hub</text>" in picture
    assert "and 31 are not" in picture


@pytest.mark.parametrize("edges", [[], [PictureEdge("a", "gone", "CALLS")], [PictureEdge("a", "a", "CALLS")]])
def test_odd_graphs(edges: list[PictureEdge]) -> None:
    assert 'class="node"' in graph_html(nodes("a"), edges)


def test_an_empty_graph_is_said_to_be() -> None:
    assert graph_html([], []) == "<p>The graph is empty.</p>"


def test_names_are_escaped() -> None:
    hostile = [PictureNode(HOSTILE, HOSTILE, HOSTILE, HOSTILE)]
    picture = graph_html(hostile, [PictureEdge(HOSTILE, HOSTILE, HOSTILE)])
    assert "alert" in picture
    assert picture.count("<script>") == 1  # the one of the picture


def test_rows_with_relationships_are_shown_as_a_graph() -> None:
    node = {"_id": {"table": 0, "offset": 0}, "_label": "Symbol", "id": "a", "name": "pay", "kind": "function"}
    other = {**node, "_id": {"table": 0, "offset": 1}, "id": "b", "name": HOSTILE}
    rel = {"_id": {"table": 1, "offset": 0}, "_label": "CALLS", "_src": node["_id"], "_dst": other["_id"]}
    shown = QueryRows(("a", "r", "b"), [(node, rel, other)], ("NODE", "REL", "NODE"), 1)._repr_html_()
    assert ">pay</text>" in shown
    assert "CALLS (1)" in shown
    assert HOSTILE not in shown
    assert "<svg" not in QueryRows.of(QueryResult(("a",), [(1,)], ("INT64",)))._repr_html_()


@pytest.mark.parametrize(("path", "mark"), [("a.py", "astrolabe-k"), ("a.ts", "astrolabe-k"), ("unknown.zzz", "def f")])
def test_code_is_highlighted_and_escaped(path: str, mark: str) -> None:
    shown = code_html(f"import x\ndef f(): return '{HOSTILE}'\n", path)
    assert mark in shown
    assert "<script>" not in shown
