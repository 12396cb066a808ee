"""Dead code of Python: what is dead, how sure that is, and what frameworks, packages and dynamic look-up keep alive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.retrieval.lint.records import LintAnswer
from astrolabe.server.api.workspace import Workspace, open_workspace
from written_workspace import write

FILES = {
    "kit/pyproject.toml": '[project]\nname = "kit"\nversion = "1"\n[project.scripts]\nkit = "kit.tool:start"\n'
    '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n',
    "kit/kit/__init__.py": "from .shapes import square\n",
    "kit/kit/shapes.py": "def square(): ...\ndef offered_to_others(): ...\ndef _nobody_wants(): ...\n",
    "kit/kit/tool.py": "def start(): ...\n",
    "shop/cloud.py": "def lambda_handler(event, context):\n    return event\n\ndef define_env(env):\n    pass\n",
    "shop/__init__.py": "",
    "shop/main.py": """
import argparse
from fastapi import FastAPI
from .orders import Order, registered

app = FastAPI()

@app.get("/orders")
def orders():
    return Order().total()

@registered
def decorated(): ...

@unknown_decorator
def maybe_registered(): ...

def by_its_string(): ...

HANDLERS = ["", "\\n", "by_its_string"]

def forgotten_function():
    return forgotten_function()

class ForgottenClass:
    def inner(self):
        return ForgottenClass()

FORGOTTEN_VALUE = 1

def mentioned_elsewhere(): ...  # dead

limits = {"b": 1}
limits = dict(sorted(limits.items()))

def within():
    return limits

class Mode(argparse.Action):
    def its_base_may_call(self): ...

print(HANDLERS, Mode, within)
""",
    "shop/orders.py": """
import functools
from typing import Protocol

def registered(function):
    return function

# mentioned_elsewhere is no longer called.
class Order:
    def total(self):
        load = getattr(self, "_load%s" % self.name.title())
        return load() or getattr(self, "visit_" + self.name)() or getattr(self, f"{self.name}Total", None)

    def visit_sum(self): ...

    def _loadSlowly(self): ...

    def _grossTotal(self): ...

    @functools.lru_cache
    def forgotten_method(self): ...

    def _forgotten_method(self): ...

    @property
    def forgotten_property(self): ...

    def __repr__(self): ...

class Base:
    def run(self): ...

class Derived(Base):
    def run(self): ...

    def unresolved(self): ...

def use(value):
    value.unresolved()
    Base().run()

class RunsLoudly:
    def run(self): ...

    def forgotten_beside(self): ...

class Loud(RunsLoudly, Base): ...

class Shown(Protocol):
    def show(self): ...

class Sign:
    def show(self): ...

def display(each: Shown):
    each.show()

display(Sign())
use(read_configuration())
print(Derived(), Loud())
""",
    "shop/tests/__init__.py": "",
    "shop/tests/conftest.py": "import pytest\nfrom ..orders import Order\n@pytest.fixture\ndef order():\n    return Order()\n",
    "shop/tests/test_orders.py": "def test_total(order):\n    order.total()\n",
    "shop/page.html": "<p>{{ order.shown_by_template }}</p>\n",
    "shop/shown.py": "def shown_by_template(): ...\n",
    "shop/hook-name.py": "def loaded_by_path(): ...\n",
    "shop/loaded.py": "import inspect\nimport shop.taxes.home, shop.taxes\n"
    "from .taxes import (\n    abroad as far,\n    unlisted,\n)\n"
    "from .taxes.rounded import rounded\n\nparts = [shop.taxes.home, far]\n"
    "print([inspect.getmembers(each) for each in parts], rounded, setattr(unlisted, 'name', 1))\n",
    "shop/taxes/__init__.py": "",
    "shop/taxes/home.py": "class HomeTax: ...\n",
    "shop/taxes/abroad.py": "def abroad_tax(): ...\n",
    "shop/taxes/unlisted.py": "def forgotten_tax(): ...\n",
    "shop/taxes/rounded.py": "def rounded(): ...\n\ndef forgotten_beside_its_namesake(): ...\n",
    "shop/settings.py": "def TEMPLATE_OPTIONS():\n    return {}\n\ndef forgotten_setting(): ...\n",
    "deploy/server.py": "# The values of the server.\nbind = '::'\nkeys: dict[str, int] = {\n    'a': 1,\n}\n",
    "deploy/script.py": "import sys\nforgotten_count = 3\nprint(sys.argv)\n",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The project with an index."""
    root: Path = tmp_path_factory.mktemp("python")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    with open_workspace(root) as opened:
        yield opened


@pytest.fixture(scope="module")
def answer(workspace: Workspace) -> LintAnswer:
    """The answer about the project."""
    return workspace.lint(checks=["dead-code"], limit=500, budget=50_000).answer


def test_what_nothing_uses_is_dead(answer: LintAnswer) -> None:
    found = {(each.symbol, each.kind, each.confidence) for each in answer.dead_code or ()}
    assert found == {
        ("_nobody_wants", "function", "high"),
        ("forgotten_function", "function", "high"),
        ("ForgottenClass", "class", "high"),
        ("FORGOTTEN_VALUE", "variable", "high"),
        ("forgotten_method", "method", "medium"),
        ("_forgotten_method", "method", "high"),
        ("forgotten_property", "getter", "medium"),
        ("forgotten_beside", "method", "medium"),
        ("mentioned_elsewhere", "function", "medium"),
        ("offered_to_others", "function", "low"),
        ("forgotten_setting", "function", "high"),
        ("forgotten_tax", "function", "high"),
        ("forgotten_beside_its_namesake", "function", "high"),
        ("forgotten_count", "variable", "medium"),
    }


def test_what_may_be_used_unseen_is_not_known(answer: LintAnswer) -> None:
    reasons = {each.symbol: each.reason for each in answer.not_known or ()}
    assert reasons == {
        "maybe_registered": "its decorator may register it (unknown_decorator)",
        "decorated": "its decorator may register it (registered)",
        "by_its_string": "a string has its name",
        "its_base_may_call": "argparse.Action, from which its class derives, may use it",
        "visit_sum": "code puts names like this one together",
        "_loadSlowly": "code puts names like this one together",
        "_grossTotal": "code puts names like this one together",
        "show": "code that uses Shown.show may run it, because its class fits the protocol",
        "unresolved": "a member of this name is used of a value whose type is not known",
        "shown_by_template": "a file that is not read with resolution has its name",
        "loaded_by_path": "programs that load its file by path may use it",
        "HomeTax": "shop/loaded.py passes its module on, and may use it through the module",
        "abroad_tax": "shop/loaded.py passes its module on, and may use it through the module",
        "bind": "a program may read the values of its file, which no other imports",
        "keys": "a program may read the values of its file, which no other imports",
    }


def test_no_note_says_that_python_is_left_out(answer: LintAnswer) -> None:
    assert answer.notes == ()


def test_callers_are_those_for_which_frameworks_run_it(workspace: Workspace) -> None:
    assert "test_total (shop/tests/test_orders.py:1) at line 1 [pytest]" in workspace.symbol("order").callers().text
    route = workspace.symbol("orders").callers()
    assert route.nothing is None
    assert 'FastAPI uses it as route: app.get("/orders") (shop/main.py:8)' in route.text
    assert "FastAPI uses it as route" in workspace.trace("orders", include=["calls"]).text


def test_a_change_of_a_fixture_affects_the_tests_that_take_it(workspace: Workspace) -> None:
    assert workspace.symbol("order").impact().tests == ("shop/tests/test_orders.py",)
    assert "shop/tests/test_orders.py" in workspace.symbol("Order > total").impact().tests


def test_names_beyond_ascii_are_found_in_strings_and_comments(tmp_path: Path) -> None:
    write(
        tmp_path,
        "//- shop/__init__.py\n//- shop/size.py\ndef _größe(): ...\ndef _länge(): ...\ndef _höhe(): ...\n//- shop/main.py\n",
    )
    (tmp_path / "shop/main.py").write_text('# _länge is old.\nprint(getattr(object, "_größe"))\n', encoding="utf-8")
    with open_workspace(tmp_path) as workspace:
        answer = workspace.lint(checks=["dead-code"]).answer
    assert {each.symbol: each.confidence for each in answer.dead_code or ()} == {"_länge": "medium", "_höhe": "high"}
    assert {each.symbol: each.reason for each in answer.not_known or ()} == {"_größe": "a string has its name"}
