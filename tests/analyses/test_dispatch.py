"""Members that override others over several levels: who may run them, and when it is known that nobody does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.call_hierarchy import callers
from astrolabe.retrieval.analyses.impact import impact
from astrolabe.retrieval.analyses.references import references

NODES = """\
export abstract class Task {
  steps: Task[] = []
  abstract run(): number
  runAll() { return this.steps.map((step) => step.run()) }
  stop() {}
}
export class Timed extends Task { run() { return 1 } }
export class Retried extends Timed { override run() { return super.run() + 1 } stop() {} }
export class Logged extends Retried { override run() { return 3 } }
export class Other extends Task { run() { return 4 } stop() {} }
export function only(task: Other) { task.stop() }
"""


@pytest.fixture
def nodes(analysed_text: Callable[[dict[str, str]], Any]) -> Any:
    return analysed_text({"nodes.ts": NODES})


def _callers(nodes: Any, path: str) -> dict[str, str]:
    """The evidence of the sites by caller."""
    return {call.symbol.qualified_name: call.sites[0].evidence for call in nodes.ask(callers, path).calls}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Task > run", {"Task.runAll": "type"}),
        ("Timed > run", {"Task.runAll": "dispatch", "Retried.run": "scope"}),
        # The call by `super` in Retried runs Timed.run alone.
        ("Retried > run", {"Task.runAll": "dispatch"}),
        ("Logged > run", {"Task.runAll": "dispatch"}),
        ("Other > run", {"Task.runAll": "dispatch"}),
    ],
)
def test_a_call_of_a_base_member_may_run_each_override(nodes: Any, path: str, expected: dict[str, str]) -> None:
    assert _callers(nodes, path) == expected


@pytest.mark.parametrize("path", ["Timed > run", "Retried > run", "Logged > run"])
def test_a_change_of_an_override_affects_who_calls_its_base(nodes: Any, path: str) -> None:
    found = nodes.ask(impact, path, 1)
    assert ("Task.runAll", ("dispatch",)) in [(one.symbol.qualified_name, one.through) for one in found.dependants]


@pytest.mark.parametrize("analysis", [callers, references])
def test_uses_of_related_members_are_told_where_a_member_has_none(nodes: Any, analysis: Callable[..., Any]) -> None:
    nothing = nodes.ask(analysis, "Retried > stop").nothing
    assert nothing.kind == "related"
    assert [candidate.path for candidate in nothing.candidates] == ["nodes.ts > Other > stop"]


def test_nothing_is_known_where_no_related_member_is_used(analysed_text: Callable[[dict[str, str]], Any]) -> None:
    alone = analysed_text({"a.ts": "class A { close() {} }\nclass B extends A { close() {} }\n"})
    assert alone.ask(callers, "B > close").nothing.kind == "none"
    assert alone.ask(references, "B > close").nothing.kind == "none"


def test_what_a_decorator_is_applied_to_calls_it(analysed_text: Callable[[dict[str, str]], Any]) -> None:
    decorated = analysed_text(
        {
            "a.ts": "export function sealed(target: unknown) {}\nexport function Get(path: string) { return sealed }\n",
            "b.ts": "import { Get, sealed } from './a'\n"
            "@sealed export class Users {\n  @Get('/') @sealed all() {}\n  @sealed limit = 1\n}\n",
        }
    )
    assert set(_callers(decorated, "sealed")) == {"Users", "Users.all"}  # a field is decorated by its class
    assert set(_callers(decorated, "Get")) == {"Users.all"}


#: Classes whose only link is a third class, which inherits both.
JOINED = {
    "mixins.py": """\
class Saved:
    def store(self, row): ...

    def lonely(self): ...


class Logged:
    def emit(self, record): ...


class Plain:
    def lonely(self): ...
""",
    "models.py": """\
import logging

from mixins import Logged, Plain, Saved


class Base:
    def commit(self):
        self.store({})

    def store(self, row):
        raise NotImplementedError


class Boat(Saved, Base): ...


class Last(Base, Plain): ...


class Handler(Logged, logging.Handler): ...
""",
    "package.json": '{"name": "pier"}',
    "plain.ts": "export class Plain { keep() {} private hidden() {} static made() {} }\n",
    "keeper.ts": "export interface Keeper { keep(): void; hidden(): void; made(): void }\n",
    "both.ts": """\
import { Keeper } from './keeper'
import { Plain } from './plain'
export class Both extends Plain implements Keeper {}
export function run(each: Keeper) { each.keep(); each.hidden(); each.made() }
""",
    "src/Task.java": """\
class Task {
    public void start() { }
    public void start(int after, java.util.Map<String, Integer> rest) { }
    public void run() { }
    private void within() { }
}
""",
    "src/Startable.java": "interface Startable { void start(int after, java.util.Map<String, Integer> rest); }\n",
    "src/Job.java": "class Job extends Task implements Startable { static void all(Startable one) { one.start(1, null); } }\n",
    "src/Thread.java": "class Own extends Task implements Runnable { }\n",
}


def test_an_inherited_member_takes_the_place_of_one_of_an_unrelated_type(
    analysed_text: Callable[[dict[str, str]], Any],
) -> None:
    joined = analysed_text(JOINED)
    assert _callers(joined, "mixins.py > Saved > store") == {"Base.commit": "dispatch"}
    assert _callers(joined, "models.py > Base > store") == {"Base.commit": "type"}
    assert _callers(joined, "plain.ts > Plain > keep") == {"run": "dispatch"}
    assert _callers(joined, "plain.ts > Plain > hidden") == _callers(joined, "plain.ts > Plain > made") == {}
    starts = {call.symbol.qualified_name for call in joined.ask(callers, "src/Task.java > Task > start").calls}
    assert starts == {"Job.all"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("models.py > Base > commit", "none"),
        ("mixins.py > Saved > lonely", "none"),
        ("mixins.py > Plain > lonely", "none"),
        # A class with an outer base inherits it, and the base may call it.
        ("mixins.py > Logged > emit", "related"),
        ("src/Task.java > Task > run", "related"),
    ],
)
def test_a_member_that_a_class_with_an_outer_base_inherits_may_be_called(
    analysed_text: Callable[[dict[str, str]], Any], path: str, expected: str
) -> None:
    assert analysed_text(JOINED).ask(callers, path).nothing.kind == expected
