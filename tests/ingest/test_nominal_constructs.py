"""What each class of constructs of Python gives: the comment of a line names what its calls of `go` run."""

from __future__ import annotations

from pathlib import Path

import pytest
from python_programs import python_program

KINDS = """
class A:
    def go(self): ...
class B:
    def go(self): ...
"""

CONSTRUCTS = """
//- descriptor.py
from kinds import A, B
class D:
    def __get__(self, o, t=None):
        return A()
class K:
    d = D()
K().d.go()  # A.go
//- descriptor_ann.py
from kinds import A, B
class D:
    def __get__(self, o, t) -> A: ...
class K:
    d = D()
def f(k: K):
    k.d.go()  # A.go
//- cached_property.py
from kinds import A, B
from functools import cached_property
class K:
    @cached_property
    def a(self): return A()
K().a.go()  # A.go
//- attrs_define.py
from kinds import A, B
import attr
from attrs import define, field
@define
class K:
    a: A = field()
K(A()).a.go()  # A.go
//- attrs_factory.py
from kinds import A, B
import attr
@attr.s
class K:
    a: A = attr.ib(factory=A)
K().a.go()  # A.go
//- namedtuple_call.py
from kinds import A, B
from typing import NamedTuple
P = NamedTuple("P", [("a", A), ("b", "B")])
P(A(), B()).a.go()  # A.go
def f(p: P):
    p.b.go()  # B.go
    p[0].go()  # A.go
    first, second = p
    second.go()  # B.go
class Q(NamedTuple("Q", [("a", A)])):
    def own(self):
        self.a.go()  # A.go
//- typed_dict_call.py
from kinds import A, B
from typing import Optional, TypedDict
T = TypedDict("T", {"a": A, "b": "Optional[B]"}, total=False)
def f(t: T):
    t["a"].go()  # A.go
    t.get("b").go()  # B.go
//- enum_call.py
from enum import Enum
class Base(Enum):
    def go(self): ...
Words = Base("Words", "ONE TWO")
Words.ONE.go()  # Base.go
Listed = Base("Listed", ["ONE", "TWO"])
Listed.TWO.go()  # Base.go
Mapped = Base("Mapped", {"ONE": 1})
for each in Mapped:
    each.go()  # Base.go
//- call_with_its_own_name.py
from kinds import A
from unknown import make
def build(name, parts) -> A: ...
K = build("K", ["ONE"])
K.go()  # A.go
L = make("L", ["ONE"])
L.ONE.go()
//- subclass_registry.py
class Plugin:
    known = []
    table = {}
    def __init_subclass__(cls, **options):
        Plugin.known.append(cls)
        cls.table[cls.__name__] = cls
    def go(self): ...
for each in Plugin.known:
    each().go()  # Plugin.go
for each in Plugin.__subclasses__():
    each().go()  # Plugin.go
Plugin.table["x"]().go()  # Plugin.go
//- class_attribute_filled_by_name.py
from kinds import A, B
def fill():
    Pool.free.append(A())
class Pool:
    free = []
def f(pool: Pool):
    pool.free[0].go()  # A.go
//- star_of_typing.py
from kinds import A, B
from typing import *
def f(a: List[A], b: Optional[B], c: Dict[str, Union[A, B]]):
    a[0].go()  # A.go
    b.go()  # B.go
    c["c"].go()  # A.go B.go
//- annotated_and_assigned_elsewhere.py
class Base:
    def go(self): ...
class Derived(Base):
    def go(self): ...
changed: Base = Derived()
fixed: Base = Derived()
later: Base | None = None
def replace(given):
    global changed, later
    changed = later = given
def f():
    changed.go()  # Base.go
    fixed.go()  # Derived.go
    later.go()  # Base.go
//- pydantic_models.py
from pydantic import BaseModel
class M(BaseModel):
    def go(self): ...
M.model_validate({}).go()  # M.go
M.parse_obj({}).go()  # M.go
M().model_copy(update={}).go()  # M.go
//- issubclass_of_a_known_class.py
class Base:
    def go(self): ...
class Derived(Base):
    def go(self): ...
class Names:
    base = Base
    derived = Derived
def f():
    assert issubclass(Names.derived, Names.base)
    Names.derived().go()  # Derived.go
def g(kind: type[Base]):
    if issubclass(kind, Derived):
        kind().go()  # Derived.go
    else:
        kind().go()  # Base.go
//- unknown_value_of_an_annotated_attribute.py
from kinds import A
class Base:
    made: A
    make: type
class Derived(Base):
    def __init__(self):
        self.made = self.make()
Derived().made.go()  # A.go
//- namedtuple_class.py
from kinds import A, B
from typing import NamedTuple
class P(NamedTuple):
    a: A
    b: B
x, y = P(A(), B())
y.go()  # B.go
//- namedtuple_index.py
from kinds import A, B
from typing import NamedTuple
class P(NamedTuple):
    a: A
    b: B
P(A(), B())[1].go()  # B.go
//- typeddict.py
from kinds import A, B
from typing import TypedDict
class P(TypedDict):
    a: A
def f(p: P):
    p['a'].go()  # A.go
//- typeddict_get.py
from kinds import A, B
from typing import TypedDict
class P(TypedDict):
    a: A
def f(p: P):
    p.get('a').go()  # A.go
//- enum_value.py
from enum import Enum
class E(Enum):
    X = 1
    def go(self): ...
E.X.go()  # E.go
E['X'].go()  # E.go
E(1).go()  # E.go
for e in E:
    e.go()  # E.go
//- enum_members.py
from enum import Enum
class E(Enum):
    X = 1
    def go(self): ...
list(E)[0].go()  # E.go
E.__members__['X'].go()  # E.go
//- enum_class_methods.py
from enum import Enum
class E(Enum):
    X = 1
    def go(self): ...
    @classmethod
    def named(cls, name):
        cls[name].go()  # E.go
        for each in cls:
            each.go()  # E.go
        list(cls)[0].go()  # E.go
        next(iter(cls)).go()  # E.go
//- protocol.py
from typing import Protocol
class P(Protocol):
    def go(self): ...
def f(p: P):
    p.go()  # P.go
//- metaclass.py
class M(type):
    def go(cls): ...
class K(metaclass=M): ...
K.go()  # M.go
//- metaclass_call.py
from kinds import A, B
class M(type):
    def __call__(cls, *a): return A()
class K(metaclass=M): ...
K().go()  # A.go
//- call.py
from kinds import A, B
class K:
    def __call__(self): return A()
K()().go()  # A.go
//- self_type.py
from typing import Self
class K:
    def m(self) -> Self: ...
class L(K):
    def go(self): ...
L().m().go()  # L.go
//- self_cls.py
from typing import Self
class K:
    @classmethod
    def m(cls) -> Self: ...
class L(K):
    def go(self): ...
L.m().go()  # L.go
//- pep695_fn.py
from kinds import A, B
def f[T](x: T) -> list[T]: ...
f(A())[0].go()  # A.go
//- pep695_class.py
from kinds import A, B
class K[T]:
    def get(self) -> T: ...
def f(k: K[A]):
    k.get().go()  # A.go
//- pep695_alias.py
from kinds import A, B
type X = list[A]
def f(x: X):
    x[0].go()  # A.go
//- pep695_bound.py
from kinds import A, B
def f[T: A](x: T):
    x.go()  # A.go
//- paramspec.py
from kinds import A, B
from typing import Callable, ParamSpec, TypeVar
P = ParamSpec('P')
R = TypeVar('R')
def d(f: Callable[P, R]) -> Callable[P, list[R]]: ...
@d
def m() -> A: ...
m()[0].go()  # A.go
//- paramspec695.py
from kinds import A, B
from collections.abc import Callable
def d[**P, R](f: Callable[P, R]) -> Callable[P, list[R]]: ...
@d
def m(x) -> A: ...
m(1)[0].go()  # A.go
//- paramspec_factory.py
from kinds import A, B
from typing import Callable, ParamSpec, TypeVar
P = ParamSpec('P')
R = TypeVar('R')
def d(n: int) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
@d(1)
def m() -> A: ...
m().go()  # A.go
//- overload.py
from kinds import A, B
from typing import overload
@overload
def f(x: int) -> A: ...
@overload
def f(x: str) -> B: ...
def f(x): ...
f('').go()  # B.go
//- new.py
from kinds import A, B
class K:
    def __new__(cls):
        return A()
K().go()  # A.go
//- new_super.py
class K:
    def __new__(cls, *a):
        self = super().__new__(cls)
        self.go()  # K.go
        return self
    def go(self): ...
K().go()  # K.go
//- partial.py
from kinds import A, B
from functools import partial
def m(x) -> A: ...
p = partial(m, 1)
p().go()  # A.go
//- partial_class.py
from functools import partial
class K:
    def __init__(self, x): ...
    def go(self): ...
p = partial(K, 1)
p().go()  # K.go
//- partialmethod.py
from kinds import A, B
from functools import partialmethod
class K:
    def m(self, x) -> A: ...
    n = partialmethod(m, 1)
K().n().go()  # A.go
//- wraps.py
from kinds import A, B
from functools import wraps
def d(f):
    @wraps(f)
    def w(*a, **k):
        return f(*a, **k)
    return w
@d
def m(): return A()
m().go()  # A.go
//- typeguard.py
from kinds import A, B
from typing import TypeGuard
def is_a(x) -> TypeGuard[A]: ...
def f(x):
    if is_a(x):
        x.go()  # A.go
//- typeis_else.py
from kinds import A, B
from typing import TypeIs
def is_a(x) -> TypeIs[A]: ...
def f(x: A | B):
    if not is_a(x):
        x.go()  # B.go
//- match_as.py
from kinds import A, B
def f(x):
    match x:
        case A() as a:
            a.go()  # A.go
        case [A() as a, *rest]:
            a.go()  # A.go
        case {'k': B() as b}:
            b.go()  # B.go
//- match_attr.py
from kinds import A, B
class K:
    def __init__(self):
        self.a = A()
def f(x):
    match x:
        case K(a=y):
            y.go()  # A.go
//- match_tuple.py
from kinds import A, B
def f(x: tuple[A, B]):
    match x:
        case (a, b):
            b.go()  # B.go
//- slots.py
from kinds import A, B
class K:
    __slots__ = ('a',)
    def __init__(self):
        self.a = A()
K().a.go()  # A.go
//- property_setter.py
from kinds import A, B
class K:
    @property
    def a(self): return A()
    @a.setter
    def a(self, v): ...
K().a.go()  # A.go
//- in.py
from kinds import A, B
def f(x: A | None, y: list[A]):
    if x in y:
        x.go()  # A.go
//- generator.py
from kinds import A, B
def g():
    yield A()
for x in g():
    x.go()  # A.go
next(g()).go()  # A.go
//- async_gen.py
from kinds import A, B
async def g():
    yield A()
async def f():
    async for x in g():
        x.go()  # A.go
    [(y.go()) async for y in g()]  # A.go
//- ctx.py
from kinds import A, B
from contextlib import contextmanager, ExitStack
@contextmanager
def c():
    yield A()
with c() as a, ExitStack() as s:
    a.go()  # A.go
    s.enter_context(c()).go()  # A.go
//- defaultdict.py
from kinds import A, B
from collections import defaultdict, deque, OrderedDict
d = defaultdict(A)
d['x'].go()  # A.go
q = deque([A()])
q.popleft().go()  # A.go
//- setdefault.py
from kinds import A, B
d: dict[str, A] = {}
d.setdefault('a', A()).go()  # A.go
d.pop('a').go()  # A.go
//- zip.py
from kinds import A, B
for a, b in zip([A()], [B()]):
    b.go()  # B.go
for i, a in enumerate([A()]):
    a.go()  # A.go
for a in sorted([A()]):
    a.go()  # A.go
max([A()]).go()  # A.go
//- map.py
from kinds import A, B
for a in map(lambda x: A(), [1]):
    a.go()  # A.go
for b in filter(None, [B()]):
    b.go()  # B.go
//- dataclass_field.py
from kinds import A, B
from dataclasses import dataclass, field, replace
@dataclass
class K:
    a: A = field(default_factory=A)
replace(K(), a=A()).a.go()  # A.go
//- gather.py
from kinds import A, B
import asyncio
async def m(): return A()
async def n(): return B()
async def f():
    a, b = await asyncio.gather(m(), n())
    b.go()  # B.go
    t = asyncio.create_task(m())
    (await t).go()  # A.go
//- executor.py
from kinds import A, B
from concurrent.futures import ThreadPoolExecutor
def m() -> A: ...
with ThreadPoolExecutor() as e:
    e.submit(m).result().go()  # A.go
    for a in e.map(m, []):
        a.go()  # A.go
//- cast.py
from kinds import A, B
from typing import cast
def f(x):
    cast('A', x).go()  # A.go
    cast(A, x).go()  # A.go
//- walrus.py
from kinds import A, B
if (a := A()) and a.go(): ...  # A.go
//- lambda_default.py
from kinds import A, B
f = lambda x=A(): x
f().go()  # A.go
//- star_unpack.py
from kinds import A, B
a, *b = [A(), A()]
b[0].go()  # A.go
//- nested_class.py
class K:
    class L:
        def go(self): ...
    def m(self):
        self.L().go()  # L.go
K.L().go()  # L.go
//- weak_reference.py
from kinds import A, B
import weakref
r = weakref.ref(A())
r().go()  # A.go
//- outside_attr.py
from kinds import A, B
class K: ...
k = K()
k.a = A()
k.a.go()  # A.go
//- literal_kinds.py
from kinds import A, B
from typing import Literal, Annotated, Final
x: Final = A()
y: Annotated[A, 1] = A()
x.go()  # A.go
y.go()  # A.go
//- type_X_.py
from kinds import A, B
def f(t: type[A]):
    t().go()  # A.go
//- newtype.py
from kinds import A, B
from typing import NewType
N = NewType('N', A)
N(A()).go()  # A.go
//- singledispatch.py
from kinds import A, B
from functools import singledispatch
@singledispatch
def f(x) -> A: ...
@f.register
def _(x: int) -> A: ...
f(1).go()  # A.go
//- issubclass.py
from kinds import A, B
def f(t):
    if issubclass(t, A):
        t().go()  # A.go
//- getitem_class.py
from kinds import A, B
class K:
    def __getitem__(self, i): return A()
K()[0].go()  # A.go
for a in K():
    a.go()  # A.go
"""

#: More constructs, one file a subject.
MORE = Path(__file__).parent / "cases" / "python_constructs"
SOURCES = {"kinds.py": KINDS} | {
    name.strip(): text
    for source in (CONSTRUCTS, *[path.read_text() for path in sorted(MORE.glob("*.txt"))])
    for name, _, text in (part.partition("\n") for part in source.split("//- ")[1:])
}


@pytest.fixture(scope="module")
def edges() -> dict[str, dict[int, list[str]]]:
    """The callees of `go` by file and line, of all files in one program."""
    units, engine, made = python_program(SOURCES)
    found: dict[str, dict[int, list[str]]] = {}
    for path, unit in units.items():
        lines = found[path] = {}
        for call in made.of_calls(unit).calls:
            target, symbol = units[call.to_id.partition("#")[0]], int(call.to_id.partition("#")[2])
            facts = target.symbols[symbol]
            if facts.name == "go":
                for line in call.lines:
                    lines.setdefault(line, []).append(f"{target.symbols[facts.parent].name}.go")
    assert not engine.faults
    return found


def _wanted(path: str) -> dict[int, list[str]]:
    comments = [line.rpartition("# ")[2].split() for line in SOURCES[path].split("\n")]
    return {number: names for number, names in enumerate(comments, 1) if names and all(name.endswith(".go") for name in names)}


@pytest.mark.parametrize("path", [path for path in SOURCES if _wanted(path)])
def test_a_construct(path: str, edges: dict[str, dict[int, list[str]]]) -> None:
    assert edges[path] == _wanted(path)


def test_calls_lead_to_the_source_and_not_to_its_declarations() -> None:
    units, _, made = python_program(SOURCES)
    paths = {call.to_id.partition("#")[0] for call in made.of_calls(units["uses_stubs.py"]).calls}
    assert paths == {"kinds.py", "shop/cart.py"}
