"""What calls in Python lead to: each case is a few files, a place, and what runs there."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.python import LOWERING_READER
from astrolabe.ingest.languages.python.runtime_facts import PythonRules
from astrolabe.ingest.languages.typescript.resolve.model.program import Unit
from astrolabe.ingest.nominal.edges import NominalEdges
from astrolabe.ingest.nominal.engine import NominalEngine
from astrolabe.ingest.nominal.program import NominalProgram

SHOP = {
    "shop/__init__.py": "from .orders import Order, load as load_order\n",
    "shop/base.py": """
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

T = TypeVar("T")


class Record(ABC):
    @abstractmethod
    def save(self) -> None: ...

    def touch(self):
        return self

    @classmethod
    def create(cls):
        return cls()

    @staticmethod
    def parse(text):
        return text


class Store(Generic[T]):
    def __init__(self, items: list[T]) -> None:
        self.items = items

    def first(self) -> T:
        return self.items[0]

    def __iter__(self):
        return iter(self.items)

    def __enter__(self) -> "Store[T]":
        return self

    def __exit__(self, *error):
        return None
""",
    "shop/orders.py": """
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from .base import Record, Store


@dataclass
class Line:
    price: int

    def cost(self) -> int:
        return self.price


class Order(Record):
    parent: Optional[Order] = None

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.store = Store(lines)

    def save(self) -> None:
        return None

    @property
    def head(self) -> Line:
        return self.lines[0]

    @cached_property
    def tail(self):
        return self.lines[-1]

    async def fetch(self):
        return self.head


def load() -> Order:
    return Order([])
""",
}


def targets(body: str, more: dict[str, str] | None = None) -> dict[str, list[str]]:
    """Resolve the calls of `shop/main.py`; return the targets of each callee by its name, as `Class.method`."""
    sources = {**SHOP, **(more or {}), "shop/main.py": body}
    files = WorkspaceFiles(Path("/nowhere"), sorted(sources), [], [])
    units = {
        path: Unit(place, path, LOWERING_READER.read(decode_source(sources[path].encode()), "python"))
        for place, path in enumerate(sorted(sources))
    }
    engine = NominalEngine(NominalProgram(units.get, ImportResolver(files).resolve, PythonRules()))
    edges = NominalEdges(engine, lambda unit, symbol: f"{unit.path}#{symbol}")
    unit = units["shop/main.py"]
    found: dict[str, list[str]] = {}
    for node in unit.facts.calls:
        engine.refuel()
        callee = unit.code[node + 1]
        names = []
        for target in edges.targets(unit, callee):
            if target.unit is not None:
                symbol = target.unit.symbols[target.symbol]
                outer = target.unit.symbols[symbol.parent].name + "." if symbol.parent >= 0 else ""
                names.append(outer + symbol.name)
            else:
                names.append("outside" if target.is_outside else target.reason)
        found.setdefault(engine.last_name(unit, callee), []).extend(names)
    return found


@pytest.mark.parametrize(
    ("body", "callee", "wanted"),
    [
        ("from shop import Order\nOrder([]).save()\n", "save", ["Order.save"]),
        ("from shop import Order\nOrder([])\n", "Order", ["Order.__init__"]),
        ("from shop.orders import Line\nLine(1)\n", "Line", ["Line"]),
        ("from shop import load_order\nload_order().touch().save()\n", "save", ["Order.save"]),
        ("import shop.orders as o\no.load().head.cost()\n", "cost", ["Line.cost"]),
        ("from shop import Order\nOrder.create().save()\n", "save", ["Order.save"]),
        ("from shop import Order\nOrder.parse('x').upper()\n", "upper", ["receiver"]),
        ("from shop import load_order\nload_order().tail.cost()\n", "cost", ["Line.cost"]),
        ("from shop import load_order\nload_order().store.first().cost()\n", "cost", ["Line.cost"]),
        ("from shop import load_order\nfor line in load_order().store:\n    line.cost()\n", "cost", ["Line.cost"]),
        ("from shop import load_order\nwith load_order().store as s:\n    s.first().cost()\n", "cost", ["Line.cost"]),
        ("from shop import load_order\nfor i, line in enumerate(load_order().lines):\n    line.cost()\n", "cost", ["Line.cost"]),
        ("from shop import load_order\n[x.cost() for x in sorted(load_order().lines)]\n", "cost", ["Line.cost"]),
        ("from shop import load_order\nprint(max(load_order().lines).cost())\n", "cost", ["Line.cost"]),
        ("from shop import Order\ndef f(o: 'Order | None'):\n    if o is not None:\n        o.save()\n", "save", ["Order.save"]),
        ("from shop import Order\ndef f(o: Order):\n    if o.parent:\n        o.parent.save()\n", "save", ["Order.save"]),
        ("from shop import Order\nasync def f(o: Order):\n    (await o.fetch()).cost()\n", "cost", ["Line.cost"]),
        ("from shop import Order\ndef f(o):\n    if isinstance(o, Order):\n        o.save()\n", "save", ["Order.save"]),
        ("def f(o):\n    o.save()\n", "save", ["receiver"]),
        ("'a b'.split()\n", "split", ["outside"]),
        ("import os\nos.getcwd()\n", "getcwd", ["outside"]),
        ("from shop import load_order\nd = {'a': load_order()}\nfor k, v in d.items():\n    v.save()\n", "save", ["Order.save"]),
        ("from shop import load_order\na, b = load_order(), 1\na.save()\n", "save", ["Order.save"]),
        ("from shop import load_order\nif (o := load_order()):\n    o.save()\n", "save", ["Order.save"]),
        ("from shop import load_order\nf = lambda: load_order()\nf().save()\n", "save", ["Order.save"]),
        ("from shop import *\nOrder([]).save()\n", "save", ["Order.save"]),
        ("def f():\n    def inner(): pass\n    inner()\n", "inner", ["f.inner"]),
    ],
)
def test_a_call_leads_to_what_runs(body: str, callee: str, wanted: list[str]) -> None:
    assert targets(body)[callee] == wanted


def test_a_name_holds_what_was_assigned_last() -> None:
    body = """
class A:
    def go(self): ...

class B:
    def go(self): ...

def f(flag):
    x = A()
    x.go()
    if flag:
        x = B()
        x.go()
    x.go()
"""
    found = targets(body)["go"]
    assert found[:2] == ["A.go", "B.go"]
    assert sorted(found[2:]) == ["A.go", "B.go"]


def test_a_loop_brings_values_around() -> None:
    body = """
class Node:
    def __init__(self, parent: "Node | None" = None):
        self.parent = parent

    def name(self): ...

def walk(node: Node):
    current = node
    while current is not None:
        current.name()
        current = current.parent
"""
    assert targets(body)["name"] == ["Node.name"]


def test_super_follows_the_order_of_the_class() -> None:
    body = """
class Root:
    def run(self): ...

class Left(Root):
    def run(self):
        super().run()

class Right(Root):
    def run(self): ...

class Both(Left, Right):
    def run(self):
        super().run()
"""
    assert targets(body)["run"] == ["Root.run", "Left.run"]


def test_an_unknown_base_may_have_any_member() -> None:
    body = """
from elsewhere import Base

class Child(Base):
    def own(self):
        self.own()
        self.theirs()
"""
    found = targets(body)
    assert found["own"] == ["Child.own"]
    assert found["theirs"] == ["receiver"]


def test_a_context_manager_and_a_decorator_keep_what_they_wrap() -> None:
    body = """
from contextlib import contextmanager
from functools import wraps

class Conn:
    def send(self): ...

def logged(f):
    @wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    return inner

@contextmanager
def connect():
    yield Conn()

@logged
def make() -> Conn:
    return Conn()

with connect() as c:
    c.send()
make().send()
"""
    found = targets(body)
    assert found["send"] == ["Conn.send", "Conn.send"]
    assert found["connect"] == ["connect"]
    assert found["make"] == ["make"]


def test_match_statements_narrow_their_subject() -> None:
    body = """
class Circle:
    def area(self): ...

class Square:
    side: int = 0
    def area(self): ...

def f(shape):
    match shape:
        case Circle():
            shape.area()
        case Square(side=s) as q:
            q.area()
"""
    assert targets(body)["area"] == ["Circle.area", "Square.area"]


def test_overloads_are_chosen_by_the_arguments() -> None:
    body = """
from typing import overload

class A:
    def a(self): ...

class B:
    def b(self): ...

@overload
def pick(key: int) -> A: ...
@overload
def pick(key: str) -> B: ...
def pick(key):
    return None

pick(1).a()
pick("x").b()
"""
    found = targets(body)
    assert found["a"] == ["A.a"]
    assert found["b"] == ["B.b"]


THINGS = """
class A:
    def go(self): ...

class B:
    one: A

    def go(self): ...

"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        pytest.param(
            """
def f(items):
    x = A()
    for item in items:
        if item:
            x = B()
            break
    else:
        x.go()
""",
            ["A.go"],
            id="else of a loop runs where no break left it",
        ),
        pytest.param(
            """
def f():
    x = A()
    while 0:
        return
    x.go()
""",
            ["A.go"],
            id="while 0 ends",
        ),
        pytest.param(
            """
def make() -> A: ...
def f(items):
    found = None
    if any((found := make()) for item in items):
        found.go()
""",
            ["A.go"],
            id="a walrus in a comprehension binds outside of it",
        ),
        pytest.param(
            """
thing = None
def start():
    global thing
    thing = A()
start()
thing.go()
""",
            ["A.go"],
            id="a function gives a global name its value",
        ),
        pytest.param(
            """
def f():
    thing = None
    def start():
        nonlocal thing
        thing = A()
    start()
    thing.go()
""",
            ["A.go"],
            id="a nested function gives a name its value",
        ),
        pytest.param(
            """
def f(v):
    match v:
        case {"key": A() as x}:
            x.go()
        case B(one=A() as y):
            y.go()
""",
            ["A.go", "A.go"],
            id="patterns in dictionaries and arguments",
        ),
        pytest.param(
            """
async def make() -> A: ...
async def f():
    (await  # the slow one
     make()).go()
""",
            ["A.go"],
            id="a comment after await",
        ),
        pytest.param(
            """
x = A()
print(f"{x.go()!r:>{x.go()}}" "and" f"{x.go()=}")
""",
            ["A.go", "A.go", "A.go"],
            id="calls in strings",
        ),
        pytest.param(
            """
def f(x: A | # not B
      None):
    x.go()
""",
            ["A.go"],
            id="a comment in a union",
        ),
    ],
)
def test_names_hold_what_the_statements_around_give_them(body: str, wanted: list[str]) -> None:
    assert targets(THINGS + body)["go"] == wanted


@pytest.mark.parametrize(
    "source",
    [
        "def f(:\n    x = (1,\nclass",
        "match x:\n    case [a, *_, {'k': v}] if a: pass\n",
        "x = [y for y in (z for z in x)]\nlambda: (yield)\n",
        "def f(*, a, b=1, **k): global q; q = a; del b\n",
        "try:\n    pass\nexcept* ValueError as e:\n    e.x\nfinally:\n    pass\n",
        "while True:\n    for a in b:\n        if a: break\n        continue\n    else:\n        x: int\n",
        "type A[T] = list[T]\nclass B[T: int]:\n    def m[U](self, u: U) -> T: ...\n",
        "class A(A): pass\nclass B(C): pass\nclass C(B): pass\nC().x()\n",
        "x: 'list[' = 1\nx.y.z = w = 2\n(a.b, *c[0]) = d\n",
        "\ufeffx = 1\r\nx.y()\r\n",
        "",
    ],
)
def test_odd_and_broken_code_is_no_fault(source: str) -> None:
    targets(source)
