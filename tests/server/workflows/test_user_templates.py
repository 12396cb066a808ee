"""Workflow templates of a workspace: YAML files in `astrolabe.workflows`, their schema, and what they answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.workspace import Workspace
from written_workspace import write

SHOP = """
//- src/cart.py
def total(items):
    return sum(price(item) for item in items)

def price(item):
    return 1
//- astrolabe.workflows/review.yaml
name: review-symbol
description: What a reviewer of a symbol looks at.
parameters:
  - name: symbol
    description: name of the symbol
  - name: words
    description: what it does
    required: false
steps:
  - section: callers
    query: symbols(name={symbol}).callers()
    reason: calls it
  - section: places
    cypher: MATCH (s:Symbol) WHERE s.name = $symbol RETURN s.name AS name, s.startLine AS line
  - section: alike
    search: "{words}"
"""


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workspace]:
    write(tmp_path, SHOP)
    with Workspace.locate(tmp_path) as workspace:
        yield workspace


def test_a_template_asks_its_questions(shop: Workspace) -> None:
    answer = shop.graph.execute_workflow_template("review-symbol", {"symbol": "price", "words": "sum of prices"}).answer
    assert [(entry.name, entry.reason) for entry in answer.sections["callers"]] == [("total", "calls it")]
    assert [(entry.name, entry.reason) for entry in answer.sections["places"]] == [("price", "line: 4")]
    assert answer.queries["callers"] == "symbols(name='price').callers().limit(40)"
    assert answer.summary["places"] == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "value", ["x').callers() | symbols(name='price", 'a"b', "back\\slash", "{words}", "line\nbreak", "$symbol"]
)
def test_values_are_never_read_as_more_than_text(shop: Workspace, value: str) -> None:
    answer = shop.graph.execute_workflow_template("review-symbol", {"symbol": value, "words": ""}).answer
    assert "callers" not in answer.sections
    assert "places" not in answer.sections


def test_a_changed_template_is_asked_anew(shop: Workspace) -> None:
    path = shop.root / "astrolabe.workflows" / "review.yaml"
    shop.graph.execute_workflow_template("review-symbol", {"symbol": "price"})
    path.write_text(path.read_text().replace("reason: calls it", "reason: depends on it"))
    answer = shop.graph.execute_workflow_template("review-symbol", {"symbol": "price"}).answer
    assert answer.sections["callers"][0].reason == "depends on it"


HEAD = "name: a\ndescription: b\nparameters: [{name: p, description: c}]\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name: [", "2: this is not YAML: "),
        ("- a\n", "1: a template is a mapping with `name`, `description`, `parameters`, `steps`"),
        ("name: a\ndescription: b\n", "1: a template needs `steps`, a list of questions"),
        ("name: A b\ndescription: c\nsteps: [{section: s, search: x}]\n", '1: the name "A b" must consist of'),
        (f"{HEAD}stages: []\n", "4: a template has no `stages`; it has `name`"),
        (f"{HEAD}steps:\n- section: s\n", "5: a step has one of `query`, `cypher`, `search`"),
        (f"{HEAD}steps:\n- section: s\n  query: files(\n", "6: "),
        (f"{HEAD}steps:\n- section: s\n  query: files().count()\n", "6: the chain of a step returns nodes"),
        (f"{HEAD}steps:\n- section: s\n  query: filez()\n", "6: "),
        (f"{HEAD}steps:\n- section: s\n  cypher: MATCH (n) DELETE n\n", "6: "),
        (f"{HEAD}steps:\n- section: s\n  search: '{{q}}'\n", "6: there is no parameter `q`"),
        (f"{HEAD}steps:\n- section: s\n  search: x\n- section: s\n  search: y\n", '7: "s" is no name of a section, or is given'),
        ("name: a\ndescription: b\nname: c\nsteps: [{section: s, search: x}]\n", "3: `name` is given twice"),
        (f"{HEAD}steps:\n- section: s\n  search: x\n  search: y\n", "7: `search` is given twice"),
        (f"{HEAD}steps: [{{section: s, search: x}}]\n---\nname: b\n", "5: a file has one template, so it is one document"),
        (f"{HEAD}steps: [{{section: s, search: x}}]\n---\nname: [\n", "5: a file has one template, so it is one document"),
        ("name: a\0b\n", "1: this is not YAML: unacceptable character #x0000: control characters are not allowed"),
        ("name: &a [*a]\ndescription: b\n", "1: a template needs `name`, a text"),
        (f"{HEAD}steps: &s\n- section: s\n  search: *s\n", "6: `search` is a text"),
        ("!!python/object/apply:os.system ['exit 1']\n", "1: a template is a mapping with `name`"),
        (f"name: {'[' * 5_000}\n", "1: "),
        (f"{HEAD}# {'x' * 100_000}\n", "1: the file has more than 100,000 bytes"),
        ("name: bug-fix\ndescription: c\nsteps: [{section: s, search: x}]\n", "1: there is a workflow `bug-fix` already"),
    ],
)
def test_what_does_not_fit_the_schema_is_told_with_its_line(shop: Workspace, text: str, sentence: str) -> None:
    (shop.root / "astrolabe.workflows" / "wrong.yaml").write_text(text)
    templates, problems = shop.graph.workflow_templates()
    assert "review-symbol" in [template.name for template in templates]
    (problem,) = problems
    assert problem.sentence.startswith(f"astrolabe.workflows/wrong.yaml:{sentence}")
    with pytest.raises(UsageError, match=r"wrong\.yaml:\d+: "):
        shop.graph.execute_workflow_template("absent", {})


def test_links_in_the_folder_are_no_templates(shop: Workspace, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    outside.write_text("name: secret\ndescription: c\nsteps: [{section: s, search: x}]\n")
    (shop.root / "astrolabe.workflows" / "link.yaml").symlink_to(outside)
    templates, problems = shop.graph.workflow_templates()
    assert "secret" not in [template.name for template in templates]
    assert [problem.message for problem in problems] == ["this is no file"]
