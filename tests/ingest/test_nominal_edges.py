"""The edges of Python besides calls and references: each case is a few files, and all edges of one kind in one of them."""

from __future__ import annotations

from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.languages.python import READER
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.schema.graph_content import GraphContent, joined
from python_programs import python_program

STOCK = """
from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol, TypeAlias, Union


class Shelf:
    class Slot:
        pass


@dataclass
class Item:
    name: str
    shelf: Shelf | None = None


class Box(Item):
    pass


class Priced(Protocol):
    def price(self) -> int: ...


Thing: TypeAlias = "Item | Shelf"
Things = list[Union[Item, Box]]
"""


def edges_of(body: str, path: str = "shop/main.py", more: dict[str, str] | None = None) -> GraphContent:
    """Return all edges of one file, beside which `shop/stock.py` lies. Ids of symbols are their dotted names."""
    sources = {"shop/__init__.py": "", "shop/stock.py": STOCK, **(more or {}), path: body}

    def symbol_id(unit: Unit, symbol: int) -> str:
        names = []
        while symbol >= 0:
            names.insert(0, unit.symbols[symbol].name)
            symbol = unit.symbols[symbol].parent
        return ".".join(names)

    units, engine, edges = python_program(sources, symbol_id)
    unit = units[path]
    parts = [edges.of_names(unit), edges.of_calls(unit), edges.of_annotations(unit), edges.of_constructs(unit)]
    assert engine.faults == []
    return joined(parts)


def flows(body: str) -> list[str]:
    """Return the type flow of a file: `symbol role[:name@position] type`."""
    return [
        f"{edge.from_id} {edge.role}{f':{edge.name}@{edge.position}' if edge.role == 'param' else ''} {edge.to_id}"
        for edge in edges_of(body).type_flows
    ]


def test_annotations_of_parameters_and_results_name_types() -> None:
    body = """
from typing import Annotated, Callable, Literal, Optional
from .stock import Box, Item, Shelf
from . import stock

class Store:
    def put(self, item: Item, /, *more: Box, at: "Optional[Shelf]" = None, **by: stock.Item) -> list[Item]: ...

    @staticmethod
    def parse(kind: type[Item]) -> "Store": ...

    @classmethod
    def load(cls, made: Callable[[Shelf], Box]) -> dict[str, tuple[Item, ...]]: ...

def find(item: Annotated[Item, Box], mode: Literal["Shelf"], slot: Shelf.Slot) -> Box | None: ...
"""
    assert flows(body) == [
        "Store.put param:item@0 Item",
        "Store.put param:more@1 Box",
        "Store.put param:at@2 Shelf",
        "Store.put param:by@3 Item",
        "Store.put return Item",
        "Store.parse param:kind@0 Item",
        "Store.parse return Store",
        "Store.load param:made@0 Shelf",
        "Store.load param:made@0 Box",
        "Store.load return Item",
        "find param:item@0 Item",
        "find param:slot@2 Shelf.Slot",
        "find return Box",
    ]


def test_annotations_of_fields_name_types() -> None:
    body = """
from .stock import Box, Item, Shelf

class Store:
    first: Item
    size: int = 3

    def __init__(self, shelf: Shelf) -> None:
        self.last: Box | None = None

main: Store = Store(Shelf())
"""
    assert flows(body) == [
        "Store.__init__ param:shelf@0 Shelf",
        "Store.last field Box",
        "Store.first field Item",
        "main field Store",
    ]


def test_aliases_are_types_and_variables_lead_on_to_what_they_name() -> None:
    body = """
from typing import NewType
from .stock import Item, Thing, Things

type Row = list[Item]
Renamed = Item
Key = NewType("Key", int)

def show(row: Row, thing: Thing, things: Things, other: Renamed, key: Key) -> None: ...
"""
    assert flows(body) == [
        "show param:row@0 Row",
        "show param:thing@1 Thing",
        "show param:thing@1 Item",
        "show param:thing@1 Shelf",
        "show param:things@2 Things",
        "show param:things@2 Item",
        "show param:things@2 Box",
        "show param:other@3 Item",
        "show param:key@4 Key",
    ]


def test_types_follow_without_annotations() -> None:
    body = """
from .stock import Box, Item, Shelf

default = Item("a")

class Store:
    shelf = Shelf()
    names = ["a"]

    def __init__(self, size=3):
        self.last = None
        self.size = size

    def take(self, item=default):
        self.last = Box("b")
        return self.last

    def all(self):
        for name in self.names:
            yield Item(name)

    async def fetch(self):
        return [Item("x"), None]

    def same(self):
        return self

class Cellar(Store):
    def take(self, item):
        return None
"""
    assert flows(body) == [
        "Store.take param:item@0 Item",
        "Store.take return Box",
        "Store.all return Item",
        "Store.fetch return Item",
        "Store.same return Store",
        "Store.last field Box",
        "Store.shelf field Shelf",
        "default field Item",
    ]


def heritage(body: str, more: dict[str, str] | None = None) -> list[str]:
    """Return what the classes of a file derive from."""
    return [f"{edge.from_id} {edge.kind} {edge.to_id}" for edge in edges_of(body, more=more).heritage]


def test_classes_extend_classes_and_implement_protocols() -> None:
    body = """
from typing import Generic, Protocol, TypeVar
import stock_exchange
import threading
from abc import ABC
from pydantic import BaseModel
from pydantic.generics import GenericModel as Base
from .stock import Item, Priced
from .missing import Lost

T = TypeVar("T")

class Gift(Item, Priced): ...
class Sized(Priced, Protocol): ...
class Broken(ValueError): ...
class Worker(threading.Thread): ...
class Row(BaseModel): ...
class Page(Base[T], Generic[T]): ...
class Quote(stock_exchange.Quote[int]): ...
class Abstract(ABC): ...
class Other(Lost, Unknown): ...
"""
    assert heritage(body) == [
        "Gift extends Item",
        "Gift implements Priced",
        "Sized extends Priced",
        "Sized extends python:typing.Protocol",
        "Broken extends python:ValueError",
        "Worker extends python:threading.Thread",
        "Row extends pypi:pydantic#BaseModel",
        "Page extends pypi:pydantic#generics.GenericModel",
        "Quote extends pypi:stock_exchange#Quote",
        "Abstract extends python:abc.ABC",
    ]


def test_methods_override_those_of_the_standard_library() -> None:
    body = """
import threading
from .stock import Priced

class Worker(threading.Thread):
    def run(self): ...
    def work(self): ...
    def __repr__(self): ...

class Nightly(Worker, Priced):
    def run(self): ...
    def price(self): ...
"""
    assert [f"{edge.from_id} {edge.to_id} {edge.to_external}" for edge in edges_of(body).overrides] == [
        "Worker.run python:threading.Thread.run True",
        "Nightly.run Worker.run False",
        "Nightly.price Priced.price False",
    ]


def exports(body: str, path: str, more: dict[str, str] | None = None) -> list[str]:
    """Return what a file offers: `name symbol`, with the path of another file that declares it."""
    edges = edges_of(body, path, more).exports
    return [" ".join((edge.name, edge.symbol_id, *edge.via)) for edge in edges]


def test_a_package_offers_what_it_imports() -> None:
    body = """
import threading
from os import path
from . import stock
from .stock import Box, Item as Thing, _hidden
from .prices import *

version = "1"
"""
    more = {"shop/prices.py": "from .stock import Shelf\ndef price(): ...\ndef _round(): ...\n"}
    assert exports(body, "shop/__init__.py", more) == [
        "version version",
        "Box Box shop/stock.py",
        "Thing Item shop/stock.py",
        "Shelf Shelf shop/stock.py",
        "price price shop/prices.py",
    ]


def test_a_list_of_names_says_what_a_file_offers_of_others() -> None:
    body = """
from .stock import Box, Item, Shelf

__all__ = ["Box", "open_store", "gone"]

def open_store(): ...
def close_store(): ...
"""
    wanted = ["__all__ __all__", "open_store open_store", "close_store close_store", "Box Box shop/stock.py"]
    assert exports(body, "shop/__init__.py") == wanted
    assert exports(body, "shop/main.py") == wanted


def test_a_module_without_a_list_offers_what_it_declares() -> None:
    body = """
from .stock import Box

def open_store(): ...
def _close_store(): ...

try:
    import json
except ImportError:
    def loads(text): ...
"""
    assert exports(body, "shop/main.py") == ["open_store open_store", "loads try:.loads"]


def roles(body: str, more: dict[str, str] | None = None) -> list[str]:
    """Return the references of a file, without those of imports: `symbol role symbol@line`."""
    return sorted(
        f"{edge.from_id} {edge.role} {edge.to_id}@{','.join(map(str, edge.lines))}"
        for edge in edges_of(body, more=more).references
        if edge.role != "import"
    )


def test_references_say_where_they_stand() -> None:
    body = """
from . import stock
from .stock import Item, Shelf
from .wrap import logged, retried

@logged
@retried(3)
def find(shelf: "Shelf.Slot", item: list[Item] = []) -> stock.Item | None:
    return Item("x")

@stock.dataclass
class Gift(stock.Item, list[Shelf]):
    owner: Item

    @logged
    def give(self) -> None:
        found: Item = Item("y")
"""
    more = {"shop/wrap.py": "def logged(f):\n    return f\n\ndef retried(times):\n    return logged\n"}
    assert roles(body, more) == [
        "Gift heritage Item@12",
        "Gift type Item@13",
        "Gift type Shelf@12",
        "Gift.give call Item@17",
        "Gift.give decorator logged@15",
        "Gift.give type Item@17",
        "find call Item@9",
        "find decorator logged@6",
        "find decorator retried@7",
        "find type Item@8,8",
        "find type Shelf.Slot@8",
        "find type Shelf@8",
    ]


def test_a_name_whose_import_may_fail_means_what_it_imports() -> None:
    body = """
from . import plain
try:
    from .stock import Box, Item as Goods
except ImportError:
    Box = None
    from .plain import Goods

def pack(name):
    return Box(name) if Box is not None else Goods(name)

def wrap(name):
    return plain.Shelf(name)
"""
    plain = "class Goods:\n    pass\n\ntry:\n    from .stock import Shelf\nexcept ImportError:\n    Shelf = None\n"
    more = {"shop/plain.py": plain}
    assert roles(body, more) == [
        "pack call Box@10",
        "pack call Goods@10",
        "pack call Item@10",
        "pack call try:.Box@10",
        "pack read Box@10",
        "pack read try:.Box@10",
        "wrap call Shelf@13",
        "wrap call try:.Shelf@13",
    ]
    assert edges_of(body, more=more).unresolved_calls == []


def test_an_assignment_to_an_inherited_property_runs_its_setter() -> None:
    body = """
class Place:
    @property
    def folder(self):
        return self._folder

    @folder.setter
    def folder(self, path):
        self._folder = path

class Home(Place):
    def __init__(self, path):
        self.folder = path
        self.size = 1
"""
    assert [edge for edge in roles(body) if "Home.__init__" in edge] == [
        "Home.__init__ write Home.folder@13",
        "Home.__init__ write Home.size@14",
        "Home.__init__ write Place.folder@13",
    ]


def checks(body: str) -> list[str]:
    """Return the type checks of a file: `symbol:line kind subject against -> type`, with `not` and `declares`."""
    return [
        f"{check.from_id}:{check.line}:{check.start_column} {check.kind} {check.subject} {check.against} -> {check.narrowed_to}"
        + (" not" if check.negated else "")
        + (" declares" if check.declares else "")
        for check in edges_of(body).checks
    ]


def test_type_checks() -> None:
    body = """
from typing import TypeGuard, assert_never
from . import stock
from .stock import Box, Item, Shelf

def is_full(box: Item) -> TypeGuard[Box]:
    return isinstance(box, Box)

def look(value, other=None):
    if not isinstance(value, (Item, stock.Shelf)):
        return None
    if other is not None and value.name == "x" and hasattr(value, "shelf"):
        return other
    if type(value) is Item or callable(other.run):
        pass
    while is_full(value):
        break
    if None == value.items[0]:
        assert_never(value)
        raise ValueError
    if isinstance(look(1), Item) or issubclass(other, int | None):
        pass

def sort(value: Item | Shelf):
    match value:
        case Box(name="x") | Item():
            pass
        case Shelf() as shelf:
            pass
        case None:
            pass
"""
    assert checks(body) == [
        "is_full:6:5 user-defined box  -> Box declares",
        "is_full:7:12 instanceof box Box -> Box",
        "look:10:8 early-return value Item | stock.Shelf -> ",
        "look:10:12 instanceof value Item | stock.Shelf -> Item | stock.Shelf not",
        "look:12:8 compound other, value nullish && in-operator -> ",
        "look:12:8 nullish other None -> None not",
        'look:12:52 in-operator value "shelf" -> ',
        "look:14:8 compound value, other.run typeof || typeof -> ",
        "look:14:8 typeof value Item -> Item",
        "look:14:31 typeof other.run callable -> Callable",
        "look:16:11 user-defined value is_full -> Box",
        "look:18:8 early-return value.items[0] not None -> ",
        "look:18:8 nullish value.items[0] None -> None",
        "look:19:9 exhaustive value assert_never -> Never",
        "look:21:37 instanceof other int | None -> int | None",
        "sort:26:14 instanceof value Box | Item -> Box | Item",
        "sort:28:14 instanceof value Shelf -> Shelf",
    ]


def test_effects_of_loading_a_file() -> None:
    body = """
import os, sys
import logging as log
from .stock import Item, registry

log.basicConfig(level=10)
os.environ["TZ"], mine = "UTC", 1
registry.items[0].name = Item("x").name
names = []
names.append(1)
names[0] = 2
Item.shelf = other = None

if sys.version_info < (4,):
    registry.register(
        Item)
elif os.name == "nt":
    del sys.modules["x"]

with open("x") as file:
    sys.path += [file.read()]

if __name__ == "__main__":
    main()
else:
    registry.close()

@registry.add
def main():
    log.info("x")
"""
    facts = READER.read(decode_source(body.encode()), "python")
    unit = Unit(0, "main.py", facts)
    assert [
        f"{unit.line(effect.position)} {effect.kind} {effect.target} | {effect.text}" + " conditional" * effect.conditional
        for effect in facts.side_effects
    ] == [
        "6 call log.basicConfig | log.basicConfig(level=10)",
        '7 assignment os.environ["TZ"] | os.environ["TZ"], mine = "UTC", 1',
        '8 assignment registry.items[0].name | registry.items[0].name = Item("x").name',
        "10 call names.append | names.append(1)",
        "12 assignment Item.shelf | Item.shelf = other = None",
        "15 call registry.register | registry.register( conditional",
        '18 assignment sys.modules["x"] | del sys.modules["x"] conditional',
        "21 assignment sys.path | sys.path += [file.read()]",
        "26 call registry.close | registry.close() conditional",
    ]


def test_functions_are_passed() -> None:
    body = """
import signal
from functools import partial
from threading import Thread
from .stock import Item
from .work import run_all

class Server:
    def __init__(self):
        self.hook = None
        self.later = start
        signal.signal(signal.SIGTERM, self.stop)

    def stop(self, *given): ...

    @staticmethod
    def ping(): ...

    @property
    def port(self): ...

def start(server): ...

def main(key=start):
    server = Server()
    Thread(target=start, args=(server,)).start()
    list(map(start, [server]))
    run_all(server.stop, Server.ping, key, server.port, server.later, lambda: start(server), Item)
    run_all(partial(start, server))
    run_all(run_all)
"""
    edges = edges_of(body, more={"shop/work.py": "def run_all(*given): ...\n"})
    assert [
        f"{each.line}:{each.start_column} {each.from_id} in {each.to_id} to {each.callee} at {each.attribute or each.position}"
        + (" bound" if each.bound else "")
        for each in edges.passings
    ] == [
        "12:44 Server.stop in Server.__init__ to signal at 1",
        "26:19 start in main to Thread at target",
        "27:14 start in main to map at 0",
        "28:20 Server.stop in main to run_all at 0",
        "28:33 Server.ping in main to run_all at 1",
        "29:21 start in main to partial at 0",
        "29:13 start in main to run_all at 0 bound",
        "30:13 run_all in main to run_all at 0",
    ]


def test_functions_take_and_return_functions() -> None:
    body = """
from typing import Any, Callable, Optional
from collections.abc import Awaitable

Handler = Callable[[str], Any]

class Bus:
    def on(self, name: str, handler: Handler, *, done: Optional[Callable[..., Awaitable[None]]] = None) -> Handler:
        return handler

def logged(level: int):
    def wrap(function: "Callable[[], int]"):
        def inner(x: int, *rest) -> str: ...
        return inner
    return wrap

def key(name):
    return lambda item: item.name
"""
    assert [
        f"{each.from_id} {f'{each.name}@{each.position}' if each.position >= 0 else 'returns'} {each.type}"
        for each in edges_of(body).functions_taken
    ] == [
        "Bus.on handler@1 Handler",
        "Bus.on done@2 Optional[Callable[..., Awaitable[None]]]",
        "Bus.on returns Handler",
        "logged returns (function: Callable[[], int])",
        "logged.wrap function@0 Callable[[], int]",
        "logged.wrap returns (x: int, *rest) -> str",
        "key returns (item)",
    ]
