"""Which functions run through parameters without annotation, whose types call sites tell.

The comment of a line names what its call through a parameter runs, by inferred evidence; `-` stands for nothing.
"""

from __future__ import annotations

import pytest
from astrolabe.ingest.nominal.engine import FUEL
from astrolabe.ingest.nominal.types import FunctionValue
from python_programs import python_program

CLASSES = """
class Cat:
    def speak(self): ...

class Dog:
    def speak(self): ...

def bark(): ...

def purr(): ...
"""

Found = dict[int, list[str]]


def calls_of(sources: dict[str, str], order: list[str]) -> dict[str, tuple[Found, Found]]:
    """Resolve the calls of files in an order; return the callees of each line: the inferred ones, and all others."""
    units, engine, edges = python_program(sources)
    results: dict[str, tuple[Found, Found]] = {}
    for path in order:
        found: tuple[Found, Found] = {}, {}
        for call in edges.of_calls(units[path]).calls:
            target, _, symbol = call.to_id.partition("#")
            for line in call.lines:
                found[call.evidence != "inferred"].setdefault(line, []).append(units[target].symbols[int(symbol)].name)
        results[path] = found
    assert not engine.faults
    return results


def check(body: str) -> None:
    source = CLASSES + body
    inferred, _ = calls_of({"a.py": source}, ["a.py"])["a.py"]
    wanted = {
        number: [name for name in line.partition("# ")[2].split() if name != "-"]
        for number, line in enumerate(source.split("\n"), 1)
        if "# " in line
    }
    assert {line: sorted(names) for line, names in inferred.items()} == {line: names for line, names in wanted.items() if names}


@pytest.mark.parametrize(
    "body",
    [
        "def f(x):\n    x.speak()  # speak\nf(Cat())\n",
        "def f(x):\n    x()  # bark purr\nf(bark)\nf(x=purr)\n",
        "def f(x, *, then=None):\n    then()  # bark\nf(1, then=bark)\n",
        "def f(x=bark):\n    x()\nf()\n",  # the default is known, and needs no inference
        "def f(*xs):\n    for x in xs:\n        x()  # bark purr\nf(bark, purr)\n",
        "def f(**xs):\n    xs['a']()  # bark\nf(a=bark)\n",
        "def f(a, *xs):\n    a()  # -\nf(*[bark])\n",
        "class A:\n    def m(self, x):\n        x.speak()  # speak\n    def n(self):\n        self.m(Dog())\n",
        "class A:\n    def __init__(self, x):\n        self.x = x\n    def m(self):\n        self.x.speak()  # speak\nA(Cat())\n",
        "class A:\n    @staticmethod\n    def m(x):\n        x.speak()  # speak\nA.m(Cat())\nA().m(Cat())\n",
        "class A:\n    @classmethod\n    def m(cls, x):\n        x.speak()  # speak\nA.m(Cat())\n",
        "class A:\n    def __call__(self, x):\n        x.speak()  # speak\na = A()\na(Cat())\n",
        "def f(x):\n    return x\nf(Cat()).speak()\nf(bark)()\n",  # what is given comes back from the same call
        "def d(f):\n    def w():\n        f()  # go\n    return w\n@d\ndef go(): ...\n",
        "def d(n):\n    def inner(f):\n        f()  # go\n        return f\n    return inner\n@d(1)\ndef go(): ...\n",
        "def d(c):\n    c().speak()  # Cow speak\n    return c\n@d\nclass Cow(Cat): ...\n",
        "f = lambda x: x()  # bark\nf(bark)\n",
        "class A:\n    def own(self):\n        return self\n    def end(self): ...\n"
        "def f(x):\n    x.own().end()  # end own\nf(A())\n",
        "def f(x):\n    x.speak()  # -\nf(unknown())\nf(None)\n",
        "def f(x: 'Cat'):\n    x.speak()\nf(Dog())\n",  # what the source says counts, not what it is given
        "def f(x):\n    g(x)\ndef g(x):\n    x.speak()  # speak\nf(Cat())\n",
        "def f(x):\n    f(x)\n    x.speak()  # speak\nf(Cat())\n",
        "def f(x):\n    if isinstance(x, Dog):\n        x.speak()\nf(Cat())\n",
    ],
)
def test_call_sites_tell_the_types_of_parameters(body: str) -> None:
    check(body)


def test_many_different_values_tell_nothing() -> None:
    classes = "".join(f"class C{number}:\n    def go(self): ...\n" for number in range(30))
    calls = "".join(f"f(C{number}())\n" for number in range(30))
    check(f"{classes}def f(x):\n    x.go()  # -\n{calls}")


def inferred_calls(sources: dict[str, str], order: list[str]) -> dict[str, list[str]]:
    """Infer from the call sites of all files; return the inferred callees by path and line: "a.py:3"."""
    units, engine, edges = python_program(sources)
    edges.arguments.infer([units[path] for path in order])
    found: dict[str, list[str]] = {}
    for path in order:
        for call in edges.of_calls(units[path]).calls:
            target, _, symbol = call.to_id.partition("#")
            for line in call.lines if call.evidence == "inferred" else ():
                found.setdefault(f"{path}:{line}", []).append(units[target].symbols[int(symbol)].name)
    assert not engine.faults
    return {place: sorted(names) for place, names in found.items()}


@pytest.mark.parametrize(
    ("sources", "wanted"),
    [
        pytest.param(
            {"lib.py": "def f(x):\n    x.speak()\n", "app.py": "from lib import f\nfrom pets import Cat\nf(Cat())\n"},
            {"lib.py:2": ["speak"]},
            id="a function of another file",
        ),
        pytest.param(
            {
                "lib.py": "class Box:\n    def __init__(self, pet):\n        self.pet = pet\n",
                "app.py": "from lib import Box\nfrom pets import Cat\nBox(Cat())\n",
                "use.py": "from lib import Box\ndef g(n: int):\n    Box(n).pet.speak()\n",
            },
            {"use.py:3": ["speak"]},
            id="an attribute that a third file reads",
        ),
        pytest.param(
            {
                "lib.py": "def f(x):\n    x.speak()\n",
                "mid.py": "import lib\ndef g(x):\n    lib.f(x)\n",
                "top.py": "import mid\ndef h(x):\n    mid.g(x)\n",
                "app.py": "from top import h\nfrom pets import Dog\nh(Dog())\n",
            },
            {"lib.py:2": ["speak"]},
            id="through three functions",
        ),
        pytest.param(
            {
                "lib.py": "def each(d):\n    def w(f):\n        f()\n    return w\n",
                "app.py": "from lib import each\nfrom pets import bark, purr\neach(1)(bark)\neach(1)(purr)\n",
            },
            {"lib.py:3": ["bark", "purr"]},
            id="a function inside of a function",
        ),
        pytest.param(
            {
                "lib.py": "def f(xs):\n    for x in xs:\n        x.speak()\n",
                "app.py": "from lib import f\nfrom pets import Cat\nf([Cat()])\n",
            },
            {"lib.py:3": ["speak"]},
            id="items of a list",
        ),
        pytest.param(
            {
                "lib.py": "class Hub:\n    def add(self, call):\n        call()\n",
                "app.py": "from lib import Hub\nfrom pets import Cat\nHub().add(Cat().speak)\nHub().add(Cat)\n",
            },
            {"lib.py:3": ["Cat", "speak"]},
            id="a bound method and a class",
        ),
        pytest.param(
            {"lib.py": "def f(x: int):\n    x.speak()\n", "app.py": "from lib import f\nfrom pets import Cat\nf(Cat())\n"},
            {},
            id="an annotation counts instead",
        ),
        pytest.param(
            {
                "lib.py": "def f(x):\n    x.speak()\n\ndef g(xs):\n    xs[0].speak()\n",
                "app.py": "from lib import f\nfrom pets import Cat\nf(Cat())\n",
                "tests/test_lib.py": "from lib import f, g\nfrom pets import Dog\nclass Double:\n    def speak(self): ...\n"
                "def h(x):\n    x.speak()\nf(Double())\nf(Dog())\ng([Double()])\nh(Double())\n",
            },
            {"lib.py:2": ["speak", "speak"], "tests/test_lib.py:6": ["speak"]},
            id="doubles of tests count in tests alone",
        ),
    ],
)
def test_call_sites_of_other_files_count_in_any_order_of_files(sources: dict[str, str], wanted: dict[str, list[str]]) -> None:
    paths = sorted({**sources, "pets.py": ""})
    for order in (paths, paths[::-1]):
        assert inferred_calls({**sources, "pets.py": CLASSES}, order) == wanted


def test_without_other_files_only_the_call_sites_of_the_same_file_count() -> None:
    sources = {
        "one.py": CLASSES + "def own(x):\n    x.speak()\n    return x\nown(Cat())\n",
        "two.py": "from one import own, Dog\nown(Dog()).speak()\ndef f(x):\n    own(x).speak()\nf(Dog())\n",
    }
    forward, backward = calls_of(sources, ["one.py", "two.py"]), calls_of(sources, ["two.py", "one.py", "two.py"])
    assert forward == backward
    assert [len(names) for names in forward["one.py"][0].values()] == [1]


def test_attributes_that_all_depend_on_each_other_cost_few_steps() -> None:
    """Each of eight attributes holds what methods return that read the other attributes."""
    lines = [*CLASSES.split("\n"), "class Console:", "    def __init__(self):"]
    lines += [f"        self.part{place} = Cat()" for place in range(8)]
    for place in range(8):
        lines += [f"    def change{place}(self, given):"]
        for step in range(3):
            changed, method, read = (place + step + 1) % 8, (place * 3 + step + 1) % 8, (place * 7 + step) % 8
            lines += [f"        self.part{changed} = self.change{method}(self.part{read})"]
        lines += [f"        return self.part{place}"]
    lines += ["    def draw(self):", "        self.change1(0).speak()", ""]
    units, engine, _ = python_program({"a.py": "\n".join(lines)})
    unit = units["a.py"]
    callee = unit.code[max(unit.facts.calls) + 1]
    engine.refuel()
    assert isinstance(engine.type_of(unit, callee), FunctionValue)
    assert engine.remaining_steps > FUEL - 10_000
