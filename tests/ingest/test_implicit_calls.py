"""Which methods the statements and operators of Python run without naming them.

The comment of a line names them. All have the form "implicit".
"""

from __future__ import annotations

import pytest
from python_programs import python_program

CLASSES = """
class Bag:
    def __init__(self, items): self.items = items
    def __iter__(self): return Cursor()
    def __contains__(self, item): return True
    def __getitem__(self, key): return Bag([])
    def __setitem__(self, key, value): ...
    def __add__(self, other): return self
    def __eq__(self, other): return True
    def __lt__(self, other): return True
    def __neg__(self): return self

class Cursor:
    def __next__(self): return 1
    def __iter__(self): return self

class Lock:
    def __enter__(self): return self
    def __exit__(self, *error): ...
    async def __aenter__(self): return self
    async def __aexit__(self, *error): ...
    def __radd__(self, other): return other
    def __await__(self): yield

class Sequence:
    def __getitem__(self, place): return place

class Many(Bag):
    def __iter__(self):
        yield Lock()

class Failure(Exception):
    def __init__(self, text): ...

class Plain(Exception): ...
"""


def check(body: str, *, evidence: str = "type") -> None:
    source = CLASSES + body
    units, engine, edges = python_program({"a.py": source})
    found: dict[int, list[str]] = {}
    for call in edges.of_calls(units["a.py"]).calls:
        if call.form == "implicit" and call.evidence == evidence:
            name = units["a.py"].symbols[int(call.to_id.partition("#")[2])].name
            for line in call.lines:
                found.setdefault(line, []).append(name)
    wanted = {number: line.partition("# ")[2].split() for number, line in enumerate(source.split("\n"), 1) if "# " in line}
    assert not engine.faults
    assert {line: sorted(names) for line, names in found.items()} == wanted


@pytest.mark.parametrize(
    "body",
    [
        "for x in Bag([]):  # __iter__ __next__\n    pass\n",
        "found = [x for x in Bag([])]  # __iter__ __next__\n",
        "for x in Many([]):  # __iter__\n    with x:  # __enter__ __exit__\n        pass\n",
        "for x in Sequence():  # __getitem__\n    pass\n",
        "with Lock() as lock:  # __enter__ __exit__\n    pass\n",
        "async def f():\n    async with Lock():  # __aenter__ __aexit__\n        pass\n",
        "async def f():\n    await Lock()  # __await__\n",
        "Bag([]) + 1  # __add__\n",
        "1 + Lock()\n",  # what the left operand does with it is not known
        "Plain() + Lock()  # __radd__\n",
        "a = Bag([])\na += 1  # __add__\n",
        "-Bag([])  # __neg__\n",
        "Bag([]) == 1  # __eq__\n",
        "Bag([]) != 1  # __eq__\n",
        "Bag([]) < 1  # __lt__\n",
        "1 in Bag([])  # __contains__\n",
        "1 not in Cursor()  # __iter__ __next__\n",
        "a = Bag([])\na['b'] = 1  # __setitem__\n",
        "a = Bag([])\na[1][2]  # __getitem__ __getitem__\n",
        "raise Failure  # __init__\n",
        "raise Plain  # Plain\n",
        "error = Failure('a')\nraise error\n",
        "for x in [1]:\n    pass\n1 + 1\n'a' in {}\n",  # nothing of the repository
    ],
)
def test_statements_and_operators_run_methods(body: str) -> None:
    check(body)


def test_inferred_types_run_methods_too() -> None:
    check("def f(x):\n    for y in x:  # __iter__ __next__\n        pass\nf(Bag([]))\n", evidence="inferred")
