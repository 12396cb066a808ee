"""What calls in Python lead to: each case is a few files, a place, and what runs there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from astrolabe.ingest.languages.python import runtime
from astrolabe.ingest.nominal.program import last_name
from python_programs import python_program

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
    units, engine, edges = python_program(sources)
    unit = units["shop/main.py"]
    found: dict[str, list[str]] = {}
    for node in unit.facts.calls:
        engine.refuel()
        callee = unit.code[node + 1]
        names = []
        for target in edges.targets.of(unit, callee):
            if target.unit is not None:
                symbol = target.unit.symbols[target.symbol]
                outer = target.unit.symbols[symbol.parent].name + "." if symbol.parent >= 0 else ""
                names.append(outer + symbol.name)
            else:
                names.append("outside" if target.outside else target.reason)
        found.setdefault(last_name(unit, callee), []).extend(names)
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
        ("from shop import Order\nOrder.parse('x').upper()\n", "upper", ["outside"]),
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


#: What the cases below do things with.
JOB = """
import asyncio
import collections
import concurrent.futures
import contextlib
import copy
import functools
import itertools
import queue
import weakref
from collections import defaultdict, namedtuple
from dataclasses import dataclass, field, replace


class Job:
    def go(self): ...

    def __enter__(self):
        return self

    def __exit__(self, *error): ...


def make(size=0) -> Job:
    return Job()


async def fetch():
    return Job()


jobs = [Job(), Job()]
table = {"a": Job()}
"""


@pytest.mark.parametrize(
    "body",
    [
        "async def f():\n    a, b = await asyncio.gather(fetch(), fetch())\n    b.go()\n",
        "async def f():\n    for a in await asyncio.gather(*[fetch() for _ in 'ab']):\n        a.go()\n",
        "async def f():\n    task = asyncio.create_task(fetch())\n    (await task).go()\n",
        "async def f():\n    async with asyncio.TaskGroup() as group:\n        (await group.create_task(fetch())).go()\n",
        "async def f():\n    (await asyncio.wait_for(fetch(), 1)).go()\n",
        "async def f():\n    (await asyncio.to_thread(make, 1)).go()\n",
        "async def f(waiting: asyncio.Queue[Job]):\n    (await waiting.get()).go()\n",
        "asyncio.run(fetch()).go()\n",
        "waiting: queue.Queue[Job] = queue.Queue()\nwaiting.get().go()\n",
        "functools.partial(make, 1)().go()\n",
        "functools.reduce(lambda a, b: a, jobs).go()\n",
        "@functools.lru_cache(maxsize=None)\ndef f():\n    return Job()\nf().go()\n",
        "class A:\n    @functools.cached_property\n    def job(self):\n        return Job()\nA().job.go()\n",
        "@dataclass\nclass A:\n    job: Job = field(default_factory=Job)\nreplace(A(), job=Job()).job.go()\n",
        "@dataclass\nclass A:\n    jobs: list[Job] = field(default_factory=list)\nfor job in A().jobs:\n    job.go()\n",
        "defaultdict(Job)['a'].go()\n",
        "collections.deque(jobs).popleft().go()\n",
        "collections.OrderedDict(table).popitem()[1].go()\n",
        "with concurrent.futures.ThreadPoolExecutor() as pool:\n    pool.submit(make, 1).result().go()\n",
        "def f(pool: concurrent.futures.Executor):\n    for job in pool.map(make, [1]):\n        job.go()\n",
        "with contextlib.ExitStack() as stack:\n    stack.enter_context(Job()).go()\n",
        "with contextlib.nullcontext(Job()) as job:\n    job.go()\n",
        "for job in itertools.chain(jobs, jobs):\n    job.go()\n",
        "for key, group in itertools.groupby(jobs, key=id):\n    for job in group:\n        job.go()\n",
        "for a, b in itertools.product(jobs, jobs):\n    b.go()\n",
        "job = weakref.ref(Job())()\nif job is not None:\n    job.go()\n",
        "copy.copy(Job()).go()\n",
        "copy.deepcopy(jobs)[0].go()\n",
        "max(jobs, key=lambda job: 1).go()\n",
        "sorted(table.values(), key=id)[0].go()\n",
        "for a, b in zip(jobs, jobs):\n    b.go()\n",
        "for place, job in enumerate(jobs):\n    job.go()\n",
        "for job in map(make, [1]):\n    job.go()\n",
        "for job in filter(None, jobs):\n    job.go()\n",
        "for name, job in table.items():\n    job.go()\n",
        "table.get('a').go()\n",
        "table.get('a', Job()).go()\n",
        "table.setdefault('a', Job()).go()\n",
        "table.pop('a', None).go()\n",
        "next(iter(jobs)).go()\n",
        "next((job for job in jobs if job), None).go()\n",
    ],
)
def test_a_value_travels_through_the_standard_library(body: str) -> None:
    assert targets(JOB + body)["go"] == ["Job.go"]


def test_a_class_that_derives_from_no_protocol_still_gives_its_items() -> None:
    body = """
class Job:
    def go(self): ...

class Queue:
    def __iter__(self):
        yield Job()

sorted(Queue())[0].go()
"""
    assert targets(body)["go"] == ["Job.go"]


def test_a_partial_leads_to_its_function() -> None:
    assert targets(JOB + "start = functools.partial(make, 1)\nstart()\n")["start"] == ["make", "start"]


def test_members_of_an_enumeration_are_instances_of_it() -> None:
    body = """
from enum import Enum, auto

class Colour(Enum):
    RED = 1
    BLUE = auto()

    def mix(self): ...

    @classmethod
    def default(cls):
        return cls.RED

Colour.RED.mix()
Colour.BLUE.mix()
Colour(1).mix()
Colour.default().mix()
[colour.mix() for colour in Colour]
Colour.RED.name.upper()
"""
    found = targets(body)
    assert found["mix"] == ["Colour.mix"] * 5
    assert found["upper"] == ["outside"]


def test_a_class_that_derives_from_one_of_the_standard_library_has_members_of_both() -> None:
    body = """
import asyncio
import logging
import threading
import unittest

class OrderTest(unittest.TestCase):
    def helper(self):
        return self

    def test_orders(self):
        self.helper().assertEqual(1, 1)
        with self.assertRaises(ValueError) as caught:
            pass
        caught.exception.with_traceback(None)

class Worker(threading.Thread):
    def run(self):
        self.work()
        self.join()

    def work(self): ...

class Echo(asyncio.Protocol):
    def data_received(self, data):
        data.decode()
        self.eof_received()

class Sink(logging.Handler):
    def emit(self, record):
        record.getMessage()
"""
    found = targets(body)
    assert found["helper"] == ["OrderTest.helper"]
    assert found["work"] == ["Worker.work"]
    for name in ("assertEqual", "assertRaises", "with_traceback", "join", "decode", "eof_received", "getMessage"):
        assert found[name] == ["outside"], name


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ("import os\nos.path.join('a', 'b').upper()\n", "upper"),
        ("import os.path as p\np.basename('a').upper()\n", "upper"),
        ("from pathlib import Path\nPath('a').parent.joinpath('b').read_text().upper()\n", "upper"),
        ("import re\nre.compile('a').match('a').group(1).strip()\n", "strip"),
        ("import subprocess\nsubprocess.run(['a'], capture_output=True).stdout.decode()\n", "decode"),
        ("import datetime\ndatetime.datetime.now().date().isoformat()\n", "isoformat"),
        ("import uuid\nuuid.uuid4().int.bit_length()\n", "bit_length"),
        ("import json\njson.loads('{}').get('a')\n", "get"),
        ("with open('a', 'rb') as file:\n    file.read().decode()\n", "decode"),
        ("from unittest import mock\nmock.Mock().order.save.assert_called_once_with(1)\n", "assert_called_once_with"),
        ("from collections import namedtuple\nnamedtuple('P', 'x y')(1, 2)._replace(x=2)._asdict()\n", "_asdict"),
        ("import urllib.parse\nurllib.parse.urlparse('a').netloc.split(':')\n", "split"),
        ("import logging\nlogging.getLogger('a').getChild('b').info('c')\n", "info"),
    ],
)
def test_what_comes_out_of_the_standard_library_is_outside(body: str, callee: str) -> None:
    assert targets(body)[callee] == ["outside"]


@pytest.mark.parametrize("path", sorted(Path(runtime.__path__[0]).glob("*.stub")), ids=lambda path: path.stem)
def test_declarations_are_python(path: Path) -> None:
    ast.parse(path.read_text(encoding="utf-8"))


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


CONDITIONAL = """
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info < (3, 8):
    def load() -> "Typed": ...
else:
    def load(): return Plain()

if sys.platform == "win32":
    def path() -> "Plain": ...
else:
    def path() -> "Typed": ...

try:
    from fast import work
except ImportError:
    def work() -> "Plain": ...

class Plain:
    def go(self): ...

class Typed:
    if sys.version_info >= (3, 11) and TYPE_CHECKING:
        def next(self) -> "Typed": ...
    else:
        def next(self): return Plain()

    def go(self): ...

def pick(flag):
    if flag:
        class Made(Plain): ...
    else:
        class Made(Typed): ...
    def make():
        return Made()
    return make()
"""


def test_definitions_under_conditions_count_where_the_conditions_may_hold() -> None:
    more = {"shop/conditional.py": CONDITIONAL}
    start = "from shop.conditional import load, path, work, pick\n"
    assert targets(start + "load().go()\n", more)["go"] == ["Typed.go"]
    assert targets(start + "load().next().go()\n", more)["go"] == ["Typed.go"]
    assert targets(start + "path().go()\n", more)["go"] == ["Typed.go"]
    assert targets(start + "work()\n", more)["work"] == ["outside", "try:.work"]
    assert sorted(targets(start + "pick(1).go()\n", more)["go"]) == ["Plain.go", "Typed.go"]


def test_a_submodule_that_a_starred_module_imports_from_its_own_package_is_the_submodule() -> None:
    more = {
        "till/__init__.py": "from .desk import *\n",
        "till/desk.py": "from till import prices\n\ndef total():\n    return prices.sum_up()\n",
        "till/prices.py": "def sum_up(): ...\n",
    }
    start = "from till import prices, total\n"
    assert targets(start + "prices.sum_up()\ntotal()\n", more) == {"sum_up": ["sum_up"], "total": ["total"]}


def test_a_method_under_a_condition_that_never_holds_does_not_hide_an_inherited_one() -> None:
    body = """
import sys

class Base:
    def go(self): ...

class Old(Base):
    if sys.version_info < (2, 7):
        def go(self): ...
        def gone(self): ...

Old().go()
Old().gone()
"""
    assert targets(body)["go"] == ["Base.go"]
    assert targets(body)["gone"] == ["Old.gone"]


def test_a_call_of_a_variable_that_branches_assign_leads_to_the_first_of_them() -> None:
    body = """
import lib

if lib.FAST:
    shown = lib.fast()
elif lib.SLOW:
    shown = lib.slow()
else:
    shown = lib.none()

try:
    from lib import read
except ImportError:
    read = None

def use():
    shown(1)
    read(2)
"""
    units, _, edges = python_program({"a.py": body})
    found = edges.of_calls(units["a.py"])
    called = [units["a.py"].symbols[int(call.to_id.partition("#")[2])] for call in found.calls]
    assert [(symbol.kind, symbol.name, symbol.declaration_line) for symbol in called] == [("variable", "shown", 5)]
    assert "lib#read" in " ".join(call.external_id for call in found.external_calls)


def test_branches_may_define_one_function_twice() -> None:
    body = """
import os

class A:
    def a(self): ...

class B:
    def b(self): ...

if os.environ.get("FAST"):
    def make() -> A: ...
else:
    def make() -> B: ...

def old() -> A: ...
def old() -> B: ...

def use():
    make().a()
    make().b()
    old().b()
    old().a()
"""
    found = targets(body)
    assert found["a"] == ["A.a", "receiver"]
    assert found["b"] == ["B.b", "B.b"]


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


KINDS = """
from typing import Callable, Generic, Optional, Protocol, TypeVar, Union, overload
import asyncio

T = TypeVar("T")

class Item:
    def use(self): ...

class Late(Generic[T]):
    @overload
    def __get__(self, instance: None, owner: type) -> "Late[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance, owner): ...
    def reset(self): ...

class computed(Generic[T]):
    def __init__(self, function: Callable[..., T]) -> None:
        self.function = function
    def __get__(self, instance, owner) -> T:
        return self.function(instance)

class Made(Protocol[T]):
    @classmethod
    def from_text(cls, text: str) -> T: ...

def make(kind: Made[T], text: str) -> T:
    return kind.from_text(text)

class Parsed(Item):
    @classmethod
    def from_text(cls, text: str) -> "Parsed": ...
    def parsed(self): ...

class Stream:
    def __next__(self) -> Item: ...

class Box(Generic[T]):
    def get(self) -> T: ...

ItemBox = Box[Item]
Pair = tuple[Item, int]
Handler = Callable[[str], "Item"]
Text = Union[str, "Item"]
Future = asyncio.Future

class Holder:
    late: Late[Item] = Late()
    Parsed = Parsed
    factory: type = Item

    @computed
    def item(self):
        return Item()

    def boxed(self) -> ItemBox: ...
    def pair(self) -> Pair: ...
    def handler(self) -> Handler: ...
    def text(self) -> Optional[Text]: ...
    def own(self):
        return self.Parsed()

class Child(Holder):
    def own(self):
        type(self).helper()
        super(Child, self).own()

    @classmethod
    def helper(cls):
        super(Child, cls).helper()
"""


@pytest.mark.parametrize(
    ("body", "callee", "wanted"),
    [
        ("Holder().late.use()", "use", ["Item.use"]),
        ("Holder.late.reset()", "reset", ["Late.reset"]),
        ("Holder().item.use()", "use", ["Item.use"]),
        ("make(Parsed, '').parsed()", "parsed", ["Parsed.parsed"]),
        ("next(Stream()).use()", "use", ["Item.use"]),
        ("Holder().boxed().get().use()", "use", ["Item.use"]),
        ("Holder().pair()[0].use()", "use", ["Item.use"]),
        ("Holder().handler()('').use()", "use", ["Item.use"]),
        ("x = Holder().text()\nif isinstance(x, Item):\n    x.use()", "use", ["Item.use"]),
        ("Holder().own().parsed()", "parsed", ["Parsed.parsed"]),
        ("Future()", "Future", ["Future"]),
        ("Holder().factory()", "factory", ["Holder.factory"]),
    ],
)
def test_values_of_descriptors_protocols_and_aliases(body: str, callee: str, wanted: list[str]) -> None:
    names = "Future, Holder, Item, Parsed, Stream, make"
    assert targets(f"from shop.kinds import {names}\n{body}\n", {"shop/kinds.py": KINDS})[callee] == wanted


def test_receivers_with_a_protocol_that_has_the_called_method() -> None:
    """The written type of the receiver asks for the method's result, which depends on the receiver again."""
    stores = """
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")

class Item:
    def use(self): ...

class Reads(Protocol[T]):
    model: type[T]
    def by_id(self, id: int) -> T: ...
    def every(self) -> list[T]: ...

class ById(Generic[T]):
    def by_id(self: Reads[T], id: int) -> T: ...
    def every(self: Reads[T]) -> list[T]: ...

class Items(ById[Item]):
    model = Item
"""
    body = "from shop.stores import Items\nItems().by_id(1).use()\nfor each in Items().every():\n    each.model()\n"
    found = targets(body, {"shop/stores.py": stores})
    assert found["use"] == ["Item.use"]
    assert found["every"] == ["ById.every"]


def test_super_and_type_take_the_first_parameter() -> None:
    found = targets(KINDS)
    assert found["own"] == ["Holder.own"]
    assert found["helper"] == ["Child.helper", "receiver"]


def test_star_imports_take_what_a_module_makes_public() -> None:
    more = {
        "shop/listed.py": "__all__ = ['shown']\n__all__ += ['added']\ndef shown(): ...\ndef added(): ...\ndef hidden(): ...\n",
        "shop/plain.py": "def hidden(): ...\ndef _private(): ...\n",
    }
    body = "from shop.listed import *\nfrom shop.plain import *\nshown()\nadded()\nhidden()\n_private()\n"
    found = targets(body, more)
    assert [found[name] for name in ("shown", "added", "hidden", "_private")] == [["shown"], ["added"], ["hidden"], ["global"]]


SPECIAL = """
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from enum import Enum
from functools import partial
from typing import NamedTuple, ParamSpec, TypedDict, TypeVar, overload
import elsewhere

P = ParamSpec("P")
R = TypeVar("R")

class Item:
    def use(self): ...

class Answering:
    def __getattr__(self, name: str) -> Item: ...

class Proxying:
    def __getattr__(self, name):
        if name == "item":
            return Item()
        return getattr(self.target, name)

class Making:
    def __getattr__(self, name):
        def make(*values):
            return Item()
        return make

class Named(NamedTuple):
    item: Item
    count: int

class Entry(TypedDict):
    item: Item

class Color(Enum):
    RED = 1
    def mix(self): ...

class Right:
    def __radd__(self, other) -> Item: ...

class Indexed:
    def __getitem__(self, place: int) -> Item: ...

class Old:
    def _get(self) -> Item: ...
    item = property(_get)
    def _make() -> Item: ...
    make = staticmethod(_make)

def listed(times: int) -> Callable[[Callable[P, R]], Callable[P, list[R]]]: ...

@listed(2)
def items() -> Item: ...

@elsewhere.task
def later(): ...

@overload
def kept(function: Callable[P, Coroutine[object, object, R]]) -> Callable[P, Coroutine[object, object, R]]: ...
@overload
def kept(function: Callable[P, R]) -> Callable[P, R]: ...
def kept(function): ...

class Managing:
    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[Item]:
        yield Item()

    @kept
    def plain(self) -> Item: ...

    @kept
    async def awaited(self) -> Item: ...

def build(name: str) -> Item: ...
built = partial(build, "x")
"""


@pytest.mark.parametrize(
    ("body", "callee", "wanted"),
    [
        ("Answering().any.use()", "use", ["Item.use"]),
        ("Proxying().any.use()", "use", ["receiver"]),
        ("Making().any(1).use()", "use", ["Item.use"]),
        ("item, count = Named(Item(), 1)\nitem.use()", "use", ["Item.use"]),
        ("Named(Item(), 1)[0].use()", "use", ["Item.use"]),
        ("def f(entry: Entry):\n    entry['item'].use()", "use", ["Item.use"]),
        ("Color.RED.mix()", "mix", ["Color.mix"]),
        ("Color['RED'].mix()", "mix", ["Color.mix"]),
        ("for color in Color:\n    color.mix()", "mix", ["Color.mix"]),
        ("(1 + Right()).use()", "use", ["Item.use"]),
        ("for item in Indexed():\n    item.use()", "use", ["Item.use"]),
        ("Old().item.use()", "use", ["Item.use"]),
        ("Old.make().use()", "use", ["Item.use"]),
        ("items()[0].use()", "use", ["Item.use"]),
        ("items()", "items", ["items"]),
        ("later()", "later", ["later"]),
        ("built().use()", "use", ["Item.use"]),
        ("async def f():\n    async with Managing().opened() as x:\n        x.use()", "use", ["Item.use"]),
        ("Managing().plain().use()", "use", ["Item.use"]),
        ("async def f():\n    (await Managing().awaited()).use()", "use", ["Item.use"]),
    ],
)
def test_values_of_special_classes_and_decorators(body: str, callee: str, wanted: list[str]) -> None:
    names = "Answering, Color, Entry, Indexed, Item, Making, Managing, Named, Old, Proxying, Right, built, items, later"
    assert targets(f"from shop.things import {names}\n{body}\n", {"shop/things.py": SPECIAL})[callee] == wanted


def test_a_script_imports_its_neighbours() -> None:
    more = {
        "scripts/__init__.py": "",
        "scripts/run.py": "from tool import work\nwork()\n",
        "scripts/tool.py": "def work(): ...\n",
    }
    body = "from scripts.run import work\nwork()\n"
    assert targets(body, more)["work"] == ["work"]


FLOWS = """
from collections.abc import Callable
from typing import TypeVar
from elsewhere import Session

T = TypeVar("T")

class Item:
    def use(self): ...

class Own(Session):
    def run(self): ...

class Made:
    def __new__(cls):
        made = object.__new__(cls)
        made.ready()
        return made
    def ready(self): ...

def each(items: list[T], action: Callable[[T], object]) -> None: ...
def later(*, action: Callable[[Item, int], None]) -> None: ...

class Registry:
    def add(self, action: Callable[["Registry"], object]) -> None:
        self.add(lambda registry: registry.close())
    def close(self): ...

def search(items: list[Item]):
    for item in items:
        if item:
            found = item
            break
    else:
        return None
    found.use()
"""


def test_flow_and_arguments_tell_what_names_hold() -> None:
    found = targets(FLOWS)
    assert found["use"] == ["Item.use"]
    assert found["ready"] == ["Made.ready"]
    assert found["close"] == ["Registry.close"]


@pytest.mark.parametrize(
    ("body", "callee", "wanted"),
    [
        ("each([Item()], lambda item: item.use())", "use", ["Item.use"]),
        ("later(action=lambda item, count: item.use())", "use", ["Item.use"]),
        ("with Own() as own:\n    own.run()", "run", ["Own.run"]),
        ("each(*some, lambda item: item.use())", "use", ["receiver"]),
    ],
)
def test_lambdas_and_contexts_of_known_signatures(body: str, callee: str, wanted: list[str]) -> None:
    assert targets(f"from shop.flows import Item, Own, each, later\n{body}\n", {"shop/flows.py": FLOWS})[callee] == wanted


def test_a_name_that_is_bound_anew_later_is_no_variable_yet() -> None:
    found = targets("from elsewhere import version\nversion('a')\nversion = version('b')\nversion('c')\n")
    assert found["version"] == ["outside", "outside", "version"]


def test_a_class_that_a_metaclass_makes_is_as_its_base() -> None:
    body = """
class Naming(type):
    def __new__(cls, name, bases, attributes):
        return super().__new__(cls, name, bases, attributes)

class Setting:
    def get(self): ...

Setting = Naming("Setting", (Setting,), {})

class Port(Setting):
    def check(self):
        self.get()

type("Other", (Port,), {})().check()
"""
    found = targets(body)
    assert (found["get"], found["check"]) == (["Setting.get"], ["Port.check"])


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("d = {}\nd['a'] = one\nd['a']()", ["one"]),
        ("d = {'a': one}\nd['a'] = two\nd['a']()", ["two"]),
        ("d = {'a': one}\nd[\"a\"] = two\nd['a']()", ["two"]),  # quotes do not matter
        ("d = [one]\nd[0] = two\nd[0]()", ["two"]),
        ("d = {1: one}\nd['1'] = two\nd[1]()", ["one"]),
        ("d = {'a': one}\nd['a'] = two\nd[key] = one\nd['a']()", ["one"]),  # which item that was is not known
        ("d = {'a': one}\nd['a'] = two\nd = {'a': one}\nd['a']()", ["one"]),
        ("d = {'a': one}\nd['a'] = two\nfor k in 'ab':\n    d['a']()\n    d['a'] = one", ["one"]),
        ("class A: ...\na = A()\na.d = {'a': one}\na.d['a'] = two\na.d['a']()", ["two"]),
    ],
)
def test_item_holds_what_was_assigned_to_it(body: str, wanted: list[str]) -> None:
    source = f"def one(): ...\n\ndef two(): ...\n\n{body}\n"
    units, _, edges = python_program({"a.py": source})
    calls = edges.of_calls(units["a.py"]).calls
    names = [units["a.py"].symbols[int(call.to_id.partition("#")[2])].name for call in calls if call.form != "implicit"]
    assert [name for name in names if name in ("one", "two")] == wanted


@pytest.mark.parametrize("count", [10, 100, 140])
def test_results_pass_through_many_functions(count: int) -> None:
    passing = "".join(f"def pass{number}():\n    return pass{number - 1}()\n\n" for number in range(1, count))
    source = f"class Cat:\n    def speak(self): ...\n\ndef pass0():\n    return Cat()\n\n{passing}pass{count - 1}().speak()\n"
    units, engine, edges = python_program({"a.py": source})
    called = [units["a.py"].symbols[int(call.to_id.partition("#")[2])].name for call in edges.of_calls(units["a.py"]).calls]
    assert called.count("speak") == 1
    assert not engine.faults


BOOKS = """
from django.db import models


class BookQuerySet(models.QuerySet):
    def published(self):
        return self.filter(published=True)

    def cheap(self):
        return self.exclude(price__gt=9)


class TidyManager(models.Manager):
    def tidy(self): ...


class BookManager(TidyManager.from_queryset(BookQuerySet)):
    def fresh(self):
        return self.get_queryset().published()


MadeManager = TidyManager.from_queryset(BookQuerySet, "MadeManager")


class Book(models.Model):
    objects = BookManager()
    made = MadeManager()
    queries = BookQuerySet.as_manager()

    def total(self): ...
"""


@pytest.mark.parametrize(
    ("expression", "callee", "wanted"),
    [
        ("objects.published()", "published", ["BookQuerySet.published"]),
        ("objects.published().cheap()", "cheap", ["BookQuerySet.cheap"]),
        ("objects.filter(a=1).cheap()", "cheap", ["BookQuerySet.cheap"]),
        ("objects.fresh().cheap()", "cheap", ["BookQuerySet.cheap"]),
        ("objects.tidy()", "tidy", ["TidyManager.tidy"]),
        ("objects.first().total()", "total", ["Book.total"]),
        ("objects.create(a=1).total()", "total", ["Book.total"]),
        ("made.published().first().total()", "total", ["Book.total"]),
        ("made.tidy()", "tidy", ["TidyManager.tidy"]),
        ("queries.order_by('a').cheap()", "cheap", ["BookQuerySet.cheap"]),
        ("queries.cheap().get(a=1).total()", "total", ["Book.total"]),
    ],
)
def test_managers_have_the_methods_of_the_query_sets_that_they_are_made_of(
    expression: str, callee: str, wanted: list[str]
) -> None:
    """Methods such as `filter` return a query set of the same class: https://docs.djangoproject.com/en/stable/topics/db/managers/."""
    start = "from shop.books import Book\n"
    assert targets(f"{start}Book.{expression}\n", {"shop/books.py": BOOKS})[callee] == wanted
