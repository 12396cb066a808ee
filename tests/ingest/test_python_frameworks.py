"""What frameworks of Python run and inject: WIRED edges, and the types of fixtures."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.framework_rules.wiring import WiringRules
from astrolabe.ingest.languages.python import LANGUAGE
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.schema.graph_content import GraphContent
from python_programs import python_program


class Edge(NamedTuple):
    """A WIRED edge; `source` is "" if it leads from the file."""

    source: str
    target: str
    framework: str
    role: str
    evidence: str


def resolved(sources: dict[str, str], wiring: WiringRules | None = LANGUAGE.wiring) -> dict[str, GraphContent]:
    """Return the edges of each file; ids are `path#Outer.name`."""

    def identify(unit: Unit, symbol: int) -> str:
        names = []
        at = symbol
        while at >= 0:
            names.append(unit.symbols[at].name)
            at = unit.symbols[at].parent
        return f"{unit.path}#{'.'.join(reversed(names))}"

    units, engine, edges = python_program(sources, identify, wiring)
    found = {}
    for path, unit in units.items():
        calls = edges.of_calls(unit)
        found[path] = edges.of_constructs(unit)
        found[path].calls.extend(calls.calls)
    assert engine.faults == []
    return found


def wired(sources: dict[str, str], path: str, wiring: WiringRules | None = LANGUAGE.wiring) -> set[Edge]:
    """Return the WIRED edges of a file."""
    return {
        Edge("" if each.from_file else each.from_id.partition("#")[2], each.to_id, each.framework, each.role, each.evidence)
        for each in resolved(sources, wiring)[path].wirings
    }


TESTS = {
    "shop/__init__.py": "",
    "shop/cart.py": "class Cart:\n    def add(self): ...\n    def pay(self): ...\ndef make() -> Cart:\n    return Cart()\n",
    "tests/__init__.py": "",
    "tests/plugin.py": "import pytest\nfrom shop.cart import Cart\n@pytest.fixture\ndef paid():\n    return Cart()\n",
    "tests/conftest.py": """
import pytest
from shop.cart import make

pytest_plugins = ["tests.plugin"]

@pytest.fixture
def cart():
    yield make()

@pytest.fixture(name="full")
def _full_cart(cart):
    cart.add()
    return cart

@pytest.fixture(autouse=True)
def clean_up(): ...

@pytest.fixture
def database(): ...

def pytest_configure(config): ...
""",
    "tests/orders/__init__.py": "",
    "tests/orders/conftest.py": "import pytest\n@pytest.fixture\ndef cart(cart):\n    cart.add()\n    return cart\n",
    "tests/orders/test_orders.py": """
import pytest

class TestOrders:
    @pytest.fixture
    def order(self, cart):
        return cart

    def test_pay(self, order, full, paid):
        order.pay()
        full.add()
        paid.pay()

@pytest.mark.parametrize("cart, other", [(1, 2)])
def test_given(cart, other): ...

@pytest.mark.usefixtures("database")
def test_quiet(request):
    request.getfixturevalue("full")

def helper(cart): ...
""",
}


def test_a_parameter_of_a_test_means_the_fixture_that_pytest_takes() -> None:
    found = wired(TESTS, "tests/orders/test_orders.py")
    near = "tests/orders/conftest.py#cart"
    assert {(each.source, each.target) for each in found if each.role == "fixture"} == {
        ("TestOrders.order", near),
        ("TestOrders.test_pay", "tests/orders/test_orders.py#TestOrders.order"),
        ("TestOrders.test_pay", "tests/conftest.py#_full_cart"),
        ("TestOrders.test_pay", "tests/plugin.py#paid"),
        ("test_quiet", "tests/conftest.py#database"),
        ("test_quiet", "tests/conftest.py#_full_cart"),
    }


def test_a_fixture_extends_the_one_of_an_outer_folder() -> None:
    inner = wired(TESTS, "tests/orders/conftest.py")
    assert [(each.source, each.target) for each in inner] == [("cart", "tests/conftest.py#cart")]


def test_pytest_runs_tests_hooks_and_what_is_for_all_tests() -> None:
    assert {each.target.partition("#")[2] for each in wired(TESTS, "tests/orders/test_orders.py") if each.role == "test"} == {
        "TestOrders",
        "TestOrders.test_pay",
        "test_given",
        "test_quiet",
    }
    own = {(each.target.partition("#")[2], each.role) for each in wired(TESTS, "tests/conftest.py") if not each.source}
    assert own == {("pytest_plugins", "configuration"), ("clean_up", "fixture"), ("pytest_configure", "hook")}


def test_a_parameter_has_the_type_that_its_fixture_gives() -> None:
    calls = {(each.from_id.partition("#")[2], each.to_id) for each in resolved(TESTS)["tests/orders/test_orders.py"].calls}
    assert calls == {
        ("TestOrders.test_pay", "shop/cart.py#Cart.add"),
        ("TestOrders.test_pay", "shop/cart.py#Cart.pay"),
    }


WEB = {
    "web/__init__.py": "",
    "web/app.py": """
from fastapi import APIRouter, Depends, FastAPI

app = FastAPI()
router = APIRouter()

class Session:
    def query(self): ...

def get_session():
    yield Session()

@app.get("/users")
def users(session=Depends(get_session)):
    session.query()

@app.on_event("startup")
async def start(): ...

def plain(): ...
""",
    "web/pages.py": """
import flask
from flask import Blueprint
from .app import app, router

pages = Blueprint("pages", __name__)

def create():
    made = flask.Flask(__name__)
    made.add_url_rule("/late", view_func=late)
    return made

site = create()

def late(): ...

@pages.route("/")
def index(): ...

@site.errorhandler(404)
def missing(error): ...

@router.post("/orders")
async def order(): ...

@app.websocket("/ws")
async def talk(): ...

class Local:
    def route(self, path): return lambda f: f

local = Local()

@local.route("/no")
def not_a_route(): ...
""",
}


def test_routes_and_dependencies_of_applications_that_other_files_make() -> None:
    path = "web/pages.py"
    assert wired(WEB, "web/app.py") == {
        Edge("", "web/app.py#users", "FastAPI", "route", "decorator"),
        Edge("", "web/app.py#start", "FastAPI", "handler", "decorator"),
        Edge("users", "web/app.py#get_session", "FastAPI", "dependency", "call"),
    }
    assert wired(WEB, path) == {
        Edge("create", f"{path}#late", "Flask", "route", "call"),
        Edge("", f"{path}#index", "Flask", "route", "decorator"),
        Edge("", f"{path}#missing", "Flask", "handler", "decorator"),
        Edge("", f"{path}#order", "FastAPI", "route", "decorator"),
        Edge("", f"{path}#talk", "FastAPI", "route", "decorator"),
    }
    calls = {(each.from_id, each.to_id) for each in resolved(WEB)["web/app.py"].calls}
    assert ("web/app.py#users", "web/app.py#Session.query") in calls


def test_tasks_and_commands() -> None:
    sources = {
        "jobs.py": """
import click
import typer
from functools import partial
from celery import Celery, shared_task
from rq.decorators import job

class Counted(job): ...

queue = Celery("jobs")
counted = partial(Counted, ttl=5)
tool = typer.Typer()

@queue.task
def send(): ...

@shared_task(bind=True)
def clean(self): ...

@counted("mails")
def mail(): ...

@click.group()
def main(): ...

@main.command()
def run():
    send.delay(1)
    clean.s()
    mail.delay()

@tool.command("go")
def go(): ...
""",
    }
    found = wired(sources, "jobs.py")
    assert {(each.target.partition("#")[2], each.framework) for each in found if not each.source} == {
        ("send", "Celery"),
        ("clean", "Celery"),
        ("mail", "Celery"),
        ("main", "click"),
        ("run", "click"),
        ("go", "click"),
    }
    assert {(each.source, each.target) for each in found if each.source} == {
        ("run", "jobs.py#send"),
        ("run", "jobs.py#clean"),
        ("run", "jobs.py#mail"),
    }


def test_django_finds_models_routes_signals_and_settings() -> None:
    sources = {
        "shop/__init__.py": "",
        "shop/models.py": """
from django.db import models

class Item(models.Model):
    def save(self): ...
    def own(self): ...
""",
        "shop/views.py": """
from django.views import View

def home(request): ...

class Cart(View):
    def get(self, request): ...
""",
        "shop/middleware.py": "class Currency:\n    def __init__(self, get): ...\n",
        "shop/urls.py": """
from django.urls import include, path
from . import views

urlpatterns = [path("", views.home), path("cart/", views.Cart.as_view()), path("api/", include("shop.api_routes"))]
""",
        "shop/routers.py": "class Router:\n    urls = []\n",
        "shop/api_routes.py": "from .routers import Router\n\nurlpatterns = Router().urls\n",
        "shop/signals.py": """
from django.db.models.signals import post_save
from django.dispatch import receiver
from .models import Item

@receiver(post_save, sender=Item)
def stored(sender): ...
""",
        "settings.py": 'MIDDLEWARE = ["shop.middleware.Currency", "django.middleware.Common"]\n',
        "shop/management/commands/load.py": """
from django.core.management.base import BaseCommand

class Command(BaseCommand):
    def handle(self): ...
    def own(self): ...
""",
    }
    assert wired(sources, "shop/models.py") == {
        Edge("", "shop/models.py#Item", "Django", "model", "base"),
        Edge("", "shop/models.py#Item.save", "Django", "model", "base"),
    }
    assert wired(sources, "shop/views.py") == {Edge("", "shop/views.py#Cart.get", "Django", "hook", "base")}
    assert {(each.source, each.target) for each in wired(sources, "shop/urls.py")} == {
        ("", "shop/urls.py#urlpatterns"),
        ("urlpatterns", "shop/views.py#home"),
        ("urlpatterns", "shop/views.py#Cart"),
        ("urlpatterns", "shop/api_routes.py#urlpatterns"),
    }
    assert wired(sources, "shop/signals.py") == {Edge("", "shop/signals.py#stored", "Django", "handler", "decorator")}
    assert wired(sources, "settings.py") == {Edge("MIDDLEWARE", "shop/middleware.py#Currency", "Python", "name", "text")}
    command = wired(sources, "shop/management/commands/load.py")
    assert {each.target.partition("#")[2] for each in command} == {"Command", "Command.handle"}


def test_models_events_and_validators() -> None:
    path = "models.py"
    sources = {
        path: """
from pydantic import BaseModel, field_validator
from sqlalchemy import event
from sqlalchemy.orm import declarative_base

Base = declarative_base()

class User(Base): ...

@event.listens_for(User, "load")
def loaded(target): ...

class Form(BaseModel):
    @field_validator("name")
    def clean(cls, value): ...

    def own(self): ...
""",
    }
    assert {(each.target.partition("#")[2], each.framework, each.role) for each in wired(sources, path)} == {
        ("User", "SQLAlchemy", "model"),
        ("loaded", "SQLAlchemy", "handler"),
        ("Form.clean", "pydantic", "validator"),
    }


def test_the_standard_library_calls_methods_by_name() -> None:
    path = "checks.py"
    sources = {
        path: """
import ast
import unittest

class Names(ast.NodeVisitor):
    def visit_Name(self, node): ...

class Sums(unittest.TestCase):
    def setUp(self): ...
    def test_sum(self): ...
    def helper(self): ...
""",
    }
    assert {each.target.partition("#")[2] for each in wired(sources, path)} == {
        "Names.visit_Name",
        "Sums",
        "Sums.setUp",
        "Sums.test_sum",
    }


def test_parsers_of_arguments_name_the_functions_of_their_commands() -> None:
    sources = {
        "shop.py": """
import argparse
from jobs import pack

def add(args): ...

def build():
    parser = argparse.ArgumentParser()
    parser.set_defaults(run=None, limit=3)
    commands = parser.add_subparsers()
    commands.add_parser("add").set_defaults(run=add)
    packing = commands.add_parser("pack")
    packing.set_defaults(run=pack, quiet=True)
    return parser

def main():
    args = build().parse_args()
    args.run(args)
""",
        "jobs.py": "def pack(args): ...\n",
    }
    assert wired(sources, "shop.py") == {
        Edge("build", "shop.py#add", "Python", "command", "call"),
        Edge("build", "jobs.py#pack", "Python", "command", "call"),
    }


MANIFESTS = {
    "pyproject.toml": """
[project]
name = "shop"
scripts = { shop = "shop.cli:main" }

[project.entry-points."shop.payments"]
card = "shop.payments:Card"
cash = "shop.payments:Cash.create [coins]"
gone = "shop.payments:Gone"
all = "shop.payments"

[tool.poetry.scripts]
clean = { reference = "shop.cli:clean", type = "console" }
""",
    "setup.cfg": """
[metadata]
name = shop

[options]
package_dir =
    = src

[options.entry_points]
console_scripts =
    shop = shop.cli:main
    # shop-old = shop.cli:old
    clean = shop.cli:clean
shop.payments =
    card = shop.payments:Card
    cash = shop.payments:Cash.create [coins]
    gone = shop.payments:Gone
""",
}


@pytest.mark.parametrize("manifest", list(MANIFESTS))
def test_manifests_name_programs_and_plugins(tmp_path: Path, manifest: str) -> None:
    sources = {
        "src/shop/__init__.py": "",
        "src/shop/cli.py": "from .jobs import clean\n\ndef main(): ...\n\ndef old(): ...\n",
        "src/shop/jobs.py": "def clean(): ...\n",
        "src/shop/payments.py": "class Card: ...\nclass Cash:\n    @classmethod\n    def create(cls): ...\nclass Check: ...\n",
    }
    (tmp_path / manifest).write_text(MANIFESTS[manifest])
    assert LANGUAGE.wiring is not None
    rules = LANGUAGE.wiring.of_workspace(WorkspaceFiles(tmp_path, sources, [manifest]))
    assert wired(sources, "src/shop/cli.py", rules) == {
        Edge("", "src/shop/cli.py#main", "Python", "entry point", "text"),
        Edge("", "src/shop/jobs.py#clean", "Python", "entry point", "text"),
    }
    assert wired(sources, "src/shop/payments.py", rules) == {
        Edge("", "src/shop/payments.py#Card", "Python", "entry point", "text"),
        Edge("", "src/shop/payments.py#Cash.create", "Python", "entry point", "text"),
    }
