"""What is known of items: of what code adds to containers that start empty, of new displays, and of the members of enums.

The comment of a line names what a method that is called there belongs to; `-` stands for nothing that is known.
"""

from __future__ import annotations

import pytest
from linear_time import is_linear, processor_seconds
from python_programs import python_program

CLASSES = """
from collections import defaultdict, deque
from enum import Enum, IntEnum, auto

class Cat:
    def speak(self): ...

class Dog:
    def speak(self): ...

def cat(): return Cat()
def dog(): return Dog()
"""


def check(body: str) -> None:
    source = CLASSES + body
    units, engine, edges = python_program({"a.py": source})
    unit = units["a.py"]
    found: dict[int, list[str]] = {}
    for call in edges.of_calls(unit).calls:
        symbol = unit.symbols[int(call.to_id.partition("#")[2])]
        if symbol.name == "speak":
            for line in call.lines:
                found.setdefault(line, []).append(unit.symbols[symbol.parent].name)
    wanted = {
        number: line.partition("# ")[2].replace("-", "").split()
        for number, line in enumerate(source.split("\n"), 1)
        if "# " in line
    }
    assert not engine.faults
    assert {line: sorted(names) for line, names in found.items()} == {line: names for line, names in wanted.items() if names}


@pytest.mark.parametrize(
    "body",
    [
        "items = []\nitems.append(Cat())\nitems[0].speak()  # Cat\n",
        "items = list()\nitems.insert(0, Cat())\nitems.pop().speak()  # Cat\n",
        "items = set()\nitems.add(Cat())\nfor item in items:\n    item.speak()  # Cat\n",
        "items = deque()\nitems.appendleft(Dog())\nitems.pop().speak()  # Dog\n",
        "items = []\nitems.extend([Cat(), Dog()])\nitems[0].speak()  # Cat Dog\n",
        "items = {}\nitems['a'] = Cat()\nfor item in items.values():\n    item.speak()  # Cat\n",
        "items = {}\nitems[Dog()] = Cat()\nfor key, item in items.items():\n    key.speak()  # Dog\n",
        "items = {}\nitems.update(a=Cat())\nitems.get('b').speak()  # Cat\n",
        "items = {}\nitems.update({'a': Cat()})\nitems.get('b').speak()  # Cat\n",
        "items = {}\nitems.setdefault('a', Cat())\nitems.get('b').speak()  # Cat\n",
        "items = {}\nitems.setdefault('a', []).append(Cat())\nitems.get('b')[0].speak()  # Cat\n",
        "items = defaultdict(list)\nitems['a'].append(Cat())\nitems['b'][0].speak()  # Cat\n",
        "items = {}\ndef add():\n    items['a'] = Cat()\ndef use(key):\n    items[key].speak()  # Cat\n",
        "def made():\n    found = []\n    for _ in range(2):\n        found.append(Cat())\n    return found\n"
        "made()[0].speak()  # Cat\n",
        "def f(given=None):\n    items = given or []\n    items.append(Cat())\n    items[0].speak()  # Cat\n",
        "class Box:\n    def __init__(self):\n        self.items = []\n        self.items.append(Cat())\n"
        "        self.items[0].speak()  # Cat Dog\n    def add(self):\n        self.items.append(Dog())\n"
        "    def all(self):\n        for item in self.items:\n            item.speak()  # Cat Dog\n",
        "class Box:\n    known = {}\n    def __init_subclass__(cls):\n        cls.known['a'] = Cat()\n"
        "    def use(self, key):\n        self.known[key].speak()  # Cat\n",
        "class Box:\n    def __init__(self):\n        self.items = []\n"
        "    def add(self, item):\n        self.items.append(item)\n"
        "    def use(self):\n        self.items[0].speak()  # Cat\nBox().add(Cat())\n",
        "items = [Dog()]\nitems.append(Cat())\nitems[1 - 1].speak()  # Dog\n",  # what the display says counts
        "items: list = []\nitems.append(Cat())\nitems[0].speak()\n",  # what the source says counts
        "def f(items):\n    items.append(Cat())\n    items[0].speak()  # -\n",  # nothing says that it is a list
        "items = []\nitems.append(items)\nitems[0].speak()  # -\n",
    ],
)
def test_what_is_added_to_an_empty_container_is_in_it(body: str) -> None:
    check(body)


@pytest.mark.parametrize(
    "body",
    [
        "d = {'a': cat, 'b': dog}\nd['a']().speak()  # Cat\n",
        "d = {1: cat, '1': dog}\nd[1]().speak()  # Cat\n",
        "d = [cat, dog]\nd[1]().speak()  # Dog\n",
        "d = {'a': cat, 'b': dog}\nd['c']().speak()  # Cat Dog\n",
        "d = {'a': cat}\nd.update({'a': dog})\nd['a']().speak()  # Dog\n",
        "d = [cat, dog]\nd.reverse()\nd[1]().speak()  # Cat Dog\n",
        "d = [cat, dog]\nfor _ in d:\n    d[0]().speak()  # Cat Dog\n    d.sort()\n",
        "d = {'a': cat, 'b': dog}\ndef f():\n    d['a']().speak()  # Cat Dog\n",  # others may have changed it
        "d = {**x, 'a': cat, 'b': dog}\nd['a']().speak()  # Cat Dog\n",
    ],
)
def test_an_item_of_a_new_display_is_known_by_its_index(body: str) -> None:
    check(body)


COLOURS = "class Colour(Enum):\n    RED = Cat()\n    BLUE = Dog()\n"


@pytest.mark.parametrize(
    "body",
    [
        COLOURS + "Colour.RED.value.speak()  # Cat\n",
        COLOURS + "def f(c: Colour):\n    c.value.speak()  # Cat Dog\n",
        COLOURS + "for c in Colour:\n    c._value_.speak()  # Cat Dog\n",
        COLOURS + "Colour['RED'].value.speak()  # Cat Dog\n",
        "class Colour(Enum):\n    RED = 1\n    def __new__(cls, number):\n        made = object.__new__(cls)\n"
        "        made._value_ = Cat()\n        return made\nColour.RED.value.speak()  # -\n",
        "class Colour(Enum):\n    RED = Cat()\n    BLUE = unknown()\ndef f(c: Colour):\n    c.value.speak()  # -\n",
        "class Pet:\n    value = Cat()\nPet().value.speak()  # Cat\n",
    ],
)
def test_members_of_enums_have_values(body: str) -> None:
    check(body)


def test_items_are_known_however_often_something_is_added() -> None:
    check("items = []\n" + "items.append(Cat())\n" * 100 + "items[0].speak()  # Cat\n")


def filled_from_each_other(count: int, distances: range) -> str:
    """A function with `count` lists, each of which is filled from the lists behind it at the given distances."""
    names = [f"items{number}" for number in range(count)]
    starts = "".join(f"    {name} = []\n" for name in names)
    places = ((place, (place + distance) % count) for place in range(count) for distance in distances)
    moves = "".join(f"    {names[place]}.extend({names[other]})\n" for place, other in places)
    uses = "".join(f"    {name}[0].speak()  # Cat\n" for name in names)
    return f"def move():\n{starts}    items0.append(Cat())\n{moves}{uses}"


def test_containers_that_are_filled_from_each_other_have_the_items_of_all() -> None:
    check(filled_from_each_other(12, range(1, 12)))
    check(filled_from_each_other(60, range(1, 4)))


def test_circles_of_containers_take_time_in_their_number() -> None:
    """A circle of more containers than a question is deep, each of which depends on all others."""

    def seconds(count: int) -> float:
        units, _, edges = python_program({"a.py": CLASSES + filled_from_each_other(count, range(1, 5))})
        return processor_seconds(lambda: edges.of_calls(units["a.py"]))

    assert is_linear(seconds, 160, times=4)
