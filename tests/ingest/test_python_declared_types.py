"""Symbols of attributes that methods assign and of chained assignments in Python, and declared types of names."""

from __future__ import annotations

from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.languages.python import READER
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from python_programs import python_program


def read(text: str) -> FileFacts:
    return READER.read(decode_source(text.encode()), "python")


def symbols(text: str) -> list[tuple[str, str, str, int]]:
    """Return kind, name, name of the parent and line of each symbol besides functions."""
    found = read(text).symbols
    return [
        (each.kind, each.name, found[each.parent].name if each.parent >= 0 else "", each.start_line)
        for each in found
        if each.kind not in ("method", "constructor", "class")
    ]


BOX = """
class Box:
    size: int = 1
    left = right = None

    def __init__(self, lid):
        self.lid = Lid(
            lid,
        )
        self.size = 2
        self._hidden, self.other = 1, 2
        other.lost = 3

    @classmethod
    def load(cls):
        cls.kept = {}

    def close(self):
        self.lid = None
        for self.step in ():
            pass
"""


def test_attributes_that_methods_assign_are_properties_of_the_class() -> None:
    assert symbols(BOX) == [
        ("property", "size", "Box", 3),
        ("property", "left", "Box", 4),
        ("property", "right", "Box", 4),
        ("property", "lid", "Box", 7),
        ("property", "_hidden", "Box", 11),
        ("property", "other", "Box", 11),
        ("property", "kept", "Box", 16),
        ("property", "step", "Box", 20),
    ]
    made = {each.name: each for each in read(BOX).symbols}
    assert (made["lid"].signature, made["lid"].end_line) == ("self.lid = Lid(", 9)
    assert (made["lid"].exported, made["_hidden"].exported) == (True, False)


def test_attributes_are_no_chunks() -> None:
    facts = read(BOX)
    assert {facts.symbols[chunk.symbol].name for chunk in facts.chunks} == {"Box", "__init__", "load", "close"}


def test_each_name_of_a_chained_assignment_is_a_symbol() -> None:
    assert symbols("a = b = c = 1\nd = 2\n") == [
        ("variable", "a, b, c", "", 1),
        ("variable", "a", "a, b, c", 1),
        ("variable", "b", "a, b, c", 1),
        ("variable", "c", "a, b, c", 1),
        ("variable", "d", "", 2),
    ]


def calls(body: str) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return the calls of a file: caller, what it calls, and the lines."""

    def symbol_id(unit: Unit, symbol: int) -> str:
        parent = unit.symbols[symbol].parent
        return f"{unit.symbols[parent].name}.{unit.symbols[symbol].name}" if parent >= 0 else unit.symbols[symbol].name

    units, engine, edges = python_program({"app.py": body}, symbol_id)
    found = edges.of_calls(units["app.py"]).calls
    assert engine.faults == []
    return [(edge.from_id, edge.to_id, edge.lines) for edge in found]


def test_a_call_of_an_attribute_leads_to_its_first_assignment() -> None:
    body = """class Store:
    def __init__(self, load):
        self.load = load

    def get(self, key):
        return self.load(key)
"""
    assert calls(body) == [("Store.get", "Store.load", (6,))]


COMMENTED = """from typing import List
class Node:
    def go(self): pass
    def up(self):
        # type: () -> Node
        pass
class Tree:
    root = None  # type: Node
    def __init__(self, first,  # type: Node
                 more=None,  # type: List[Node]
                 ):
        # type: (...) -> None
        self.rest = []  # type: List[Node]
        more[0].go()
        first.go()
    def walk(self, nodes, *others, **named):
        # type: (List[Node], *Node, **Node) -> Node
        for node in nodes:  # type: Node
            node.go()
        with nodes as entered:  # type: Node
            entered.go()
        nodes[0].go()
        others[0].go()
        named['a'].go()
        self.rest[0].go()
        return nodes  # type: ignore
def main():
    Tree.root.go()
    Tree(0).walk([]).up().go()
"""


def test_types_in_comments_count_as_annotations() -> None:
    found = {(caller, line) for caller, called, lines in calls(COMMENTED) if called == "Node.go" for line in lines}
    walked = {("Tree.walk", line) for line in (19, 21, 22, 23, 24, 25)}
    assert found == {("Tree.__init__", 14), ("Tree.__init__", 15), *walked, ("main", 28), ("main", 29)}


def test_broken_types_in_comments_say_nothing() -> None:
    body = """class Node:
    def go(self): pass
def f(a, b):
    # type: (Node, [Node, ) -> Node]
    a.go()
x = Node()  # type: ignore[attr]
y = Node()  # type: (((
def main():
    x.go()
    y.go()
"""
    assert [edge for edge in calls(body) if edge[1] == "Node.go"] == [("main", "Node.go", (9, 10))]


def test_a_comment_that_silences_a_checker_is_no_type() -> None:
    body = "class Node:\n    def go(self): pass\n\nx = Node()  # type: ignore[assignment]\n\ndef main():\n    x.go()\n"
    assert ("main", "Node.go", (7,)) in calls(body)
    assert "ignore" not in read(body).strings


DECLARED_FIRST = """
from elsewhere import get

class Shape:
    def draw(self): pass

class Circle(Shape):
    def draw(self): pass

class Label:
    def draw(self): pass

def loop():
    shape: Shape
    for shape in [each.value for each in get()]:
        shape.draw()

def opened(shape: Shape, *labels: Label):
    shape = get()
    shape.draw()
    labels = get()
    labels.draw()

def pair():
    shape: Shape
    label: Label
    shape, label = get()
    shape.draw()
    label.draw()

def narrowed():
    shape: Shape
    shape = Circle()
    shape.draw()

def of_another_kind(shape: Shape):
    shape = Label()
    shape.draw()

def base() -> Shape: ...

def of_a_base(circle: Circle):
    circle = base()
    circle.draw()

outer: Shape
outer = get()

def module_variable():
    outer.draw()
"""


def test_a_declared_name_keeps_its_type_when_an_unknown_value_is_assigned() -> None:
    found = {(caller, called) for caller, called, _ in calls(DECLARED_FIRST) if called.endswith(".draw")}
    assert found == {
        ("loop", "Shape.draw"),
        ("opened", "Shape.draw"),
        ("pair", "Shape.draw"),
        ("pair", "Label.draw"),
        ("narrowed", "Circle.draw"),
        ("of_another_kind", "Label.draw"),
        ("of_a_base", "Circle.draw"),
        ("module_variable", "Shape.draw"),
    }
