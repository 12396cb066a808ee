"""The smaller kinds of mermaid as records: plans, trees, timelines, commits, boxes and charts."""

from __future__ import annotations

import pytest
from astrolabe.ingest.documents.diagrams.diagram_parts import Diagram
from astrolabe.ingest.documents.lowering.diagram_languages import read_diagram


def diagram_of(text: str) -> Diagram:
    """The diagram of a text that parses."""
    diagram = read_diagram("mermaid", text)
    assert diagram.problem is None
    return diagram


def nodes(diagram: Diagram) -> list[tuple[str, str, str | None]]:
    """Ids, labels and groups of nodes."""
    return [(node.id, node.label, node.group) for node in diagram.nodes]


def edges(diagram: Diagram) -> list[tuple[str, str, str]]:
    """Sources, targets and labels of edges."""
    return [(edge.source, edge.target, edge.label) for edge in diagram.edges]


def test_a_gantt_chart_has_tasks_with_dates_and_order() -> None:
    diagram = diagram_of(
        "gantt\n title Release 2\n dateFormat YYYY-MM-DD\n section Build\n"
        " Write :crit, w, 2026-01-05, 3d\n #1 Test :after w, 2d\n"
        " # of the release\n section Ship\n Ship it :milestone, m, after task1, 0d"
    )
    assert diagram.title == "Release 2"
    assert nodes(diagram) == [("w", "Write", "Build"), ("task1", "#1 Test", "Build"), ("m", "Ship it", "Ship")]
    assert [(node.kind, node.members) for node in diagram.nodes] == [
        ("task", ("crit", "2026-01-05", "3d")),
        ("task", ("after w", "2d")),
        ("milestone", ("after task1", "0d")),
    ]
    assert edges(diagram) == [("w", "task1", "after"), ("task1", "m", "after")]


def test_a_journey_has_tasks_with_scores_and_people() -> None:
    diagram = diagram_of("journey\n title Day\n section Morning\n Make tea: 5: Me, Cat")
    assert nodes(diagram) == [("task1", "Make tea", "Morning")]
    assert diagram.nodes[0].members == ("5", "Me", "Cat")


def test_a_mindmap_is_a_tree() -> None:
    diagram = diagram_of('mindmap\n root((Plan))\n  a["First `step`"]\n   ::icon(fa fa-book)\n   b(B]\n  a\n')
    assert [(node.id, node.label, node.kind) for node in diagram.nodes] == [
        ("root", "Plan", "circle"),
        ("a", "First `step`", "square"),
        ("b", "B", "rounded"),
        ("a 2", "a", "default"),
    ]
    assert edges(diagram) == [("root", "a", ""), ("a", "b", ""), ("root", "a 2", "")]


def test_a_timeline_has_periods_with_events() -> None:
    diagram = diagram_of("timeline\n title T\n section Old\n 2002 : LinkedIn\n 2004 : Facebook : Google\n  : Flickr")
    assert [(node.label, node.group, node.members) for node in diagram.nodes] == [
        ("2002", "Old", ("LinkedIn",)),
        ("2004", "Old", ("Facebook", "Google", "Flickr")),
    ]


def test_a_graph_of_commits_has_parents_and_branches() -> None:
    diagram = diagram_of(
        'gitGraph\n commit id: "a"\n branch dev\n commit id: "b" msg: "fix" tag: "v1"\n checkout main\n commit\n merge dev\n'
    )
    assert nodes(diagram) == [
        ("a", "a", "main"),
        ("b", "fix", "dev"),
        ("commit2", "commit2", "main"),
        ("commit3", "commit3", "main"),
    ]
    assert edges(diagram) == [("a", "b", ""), ("a", "commit2", ""), ("commit2", "commit3", ""), ("b", "commit3", "")]
    assert diagram.nodes[1].members == ("v1",)


def test_a_c4_diagram_has_elements_relations_and_boundaries() -> None:
    diagram = diagram_of(
        'C4Context\n title Bank\n Enterprise_Boundary(b, "The bank") {\n  Person(c, "Customer, old", "pays")\n'
        '  SystemDb_Ext(d, "Ledger")\n }\n Rel(c, d, "reads", "SQL")\n UpdateRelStyle(c, d, $textColor="red")'
    )
    assert [(node.id, node.label, node.kind, node.group) for node in diagram.nodes] == [
        ("c", "Customer, old", "person", "b"),
        ("d", "Ledger", "external_system_db", "b"),
    ]
    assert edges(diagram) == [("c", "d", "reads")]
    assert diagram.groups[0].label == "The bank"


def test_a_requirement_diagram_has_requirements_and_elements() -> None:
    diagram = diagram_of(
        'requirementDiagram\n functionalRequirement "log in" {\n id: 1.1\n text: "users log in"\n }\n'
        " element app {\n type: service\n }\n app - satisfies -> log in\n log in <- verifies - app"
    )
    assert [(node.id, node.kind, node.members) for node in diagram.nodes] == [
        ("log in", "Functional Requirement", ("id: 1.1", "text: users log in")),
        ("app", "Element", ("type: service",)),
    ]
    assert edges(diagram) == [("app", "log in", "satisfies"), ("app", "log in", "verifies")]


def test_a_block_diagram_has_nested_blocks() -> None:
    diagram = diagram_of('block-beta\n columns 3\n a["A"] space b:2\n block:g\n  c\n end\n a -- "to" --> c\n')
    assert nodes(diagram) == [("a", "A", None), ("b", "b", None), ("c", "c", "g")]
    assert edges(diagram) == [("a", "c", "to")]


def test_an_architecture_has_services_in_groups() -> None:
    diagram = diagram_of(
        "architecture-beta\n group api(cloud)[Public API]\n service db(database)[Database] in api\n"
        ' service mail "<b class=\\"m\\">@</b>"[Mail] in api\n junction j in api\n db:L <--> R:j'
    )
    assert [(node.id, node.label, node.kind, node.group) for node in diagram.nodes] == [
        ("db", "Database", "database", "api"),
        ("mail", "Mail", "service", "api"),
        ("j", "", "junction", "api"),
    ]
    assert [(edge.style, edge.source_label, edge.target_label) for edge in diagram.edges] == [("double arrow", "L", "R")]


def test_charts_have_their_values() -> None:
    pie = diagram_of('pie showData\n title Pets\n "Dogs" : 386\n "Cats" : 85.9')
    assert [(node.id, node.members) for node in pie.nodes] == [("Dogs", ("386",)), ("Cats", ("85.9",))]
    quadrant = diagram_of("quadrantChart\n x-axis Low --> High\n quadrant-1 Expand\n Campaign A: [0.9, 0.8]")
    assert nodes(quadrant) == [("Campaign A", "Campaign A", "quadrant-1")]
    assert quadrant.groups[0].label == "Expand"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("gantt\nsection a\nnothing", 3, "expected a task"),
        ("journey\nx", 2, "expected a task"),
        ("mindmap\n a\n b", 3, "second root"),
        ("timeline\n : early", 2, "before the first period"),
        ("gitGraph\n checkout x", 2, "no branch 'x'"),
        ("C4Context\n System_Boundary(a, b) {\n", 2, "no `}`"),
        ("C4Context\n Persn(a, b)\n", 2, "no macro"),
        ("requirementDiagram\n element e {\n x", 3, "name: value"),
        ("block-beta\n block\n a", 2, "no `end`"),
        ("architecture-beta\n a -- b", 2, "expected a group"),
        ('pie\n "a" : b', 2, "expected a slice"),
        ("quadrantChart\n a: [x]", 2, "expected a point"),
    ],
)
def test_text_that_does_not_parse_says_why(text: str, line: int, reason: str) -> None:
    problem = read_diagram("mermaid", text).problem
    assert problem is not None
    assert problem.line == line
    assert reason in problem.reason
