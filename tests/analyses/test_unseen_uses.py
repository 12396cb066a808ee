"""Answers about uses that must not say "none": what may use a symbol without an edge that leads to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.call_hierarchy import callers
from astrolabe.retrieval.analyses.references import references
from astrolabe.schema.composed_names import fits_composed_name

STORE = """\
export interface Codec { encode(value: string): string; decode?(value: string): string }
export const plain: Codec = { encode: (value) => value }
export const choice: { codec: Codec | Function } = { codec: { encode: (value) => value.trim() } }
export function save(codec: Codec) { return codec.encode('x') }
export const idle: Codec = { encode: (value) => value, decode: (value) => value }
class Base { done = () => {} }
class Job extends Base { constructor() { super(); this.done = function finished() {} } }
export function end(job: Base) { job.done() }
"""
PLACES = """\
export const source = new ReadableStream({ pull() {} })
declare function anything(value: any): void
anything({ flush() {} })
declare const unknown: any
export class Box {
  size = 1
  weight = 2
  private volume = 3
  get half() { return this.size / 2 }
  set half(value) { this.size = value * 2 }
}
unknown.weight
export function read(box: Box) { return box.half }
export class Node { constructor(readonly left?: Node) {} }
class Leaf extends Node {}
new Leaf()
export class Lone { constructor(readonly left?: Node) {} }
export class Registered { constructor(readonly left?: Node) {} }
export const registry = [Registered]
export class Loader {
  load = wrap(function () {
    return 1
  }.bind(1))
  idle = wrap(function () {
    return 2
  }.bind(1))
}
export const copy = (loader: Loader) => [loader.load, navigator.clipboard.writeText('')]
declare function wrap(value: unknown): unknown
"""
GLOBALS = "interface Clipboard { writeText(text: string): Promise<void>; spare(): void }\n"
TYPES = """\
export interface Route { body: string; query: { page: number }; unused: string }
export type Body = Route['body']
export function page<R extends Route>(value: R['query']): void {}
export class View extends Component { render() { return 1 } }
import { Component } from 'widgets'
declare module 'gadgets' { interface Extra { more: string } }
"""


PANEL = """\
import { Component } from 'widgets'
interface PanelProps { heading: string; spare: string }
class Panel extends Component<PanelProps> {}
export const panel = <Panel heading="Orders" />
"""


COMPOSED = """\
export class Emitter {
  onOpen() {}
  onCloseNow() {}
  other() {}
  emit(event: string) { return this[`on${event}`]() }
  late(event: string) {
    const name = 'on' + event + 'Now'
    return (this as any)[name]()
  }
}
export const actions = { doAdd() {}, doDrop() {}, keep() {} }
export class Others { doAdd = 1; runNow() {} }
export const act = (what: string) => (actions as Record<string, () => void> & typeof actions)[`do${what}`]
export const index = (rows: number[], at: number) => rows[at + 1]
"""


@pytest.fixture
def store(analysed_text: Callable[[dict[str, str]], Any]) -> Any:
    return analysed_text(
        {
            "store.ts": STORE,
            "places.ts": PLACES,
            "types.ts": TYPES,
            "panel.tsx": PANEL,
            "composed.ts": COMPOSED,
            "globals.d.ts": GLOBALS,
        }
    )


def _kinds(project: Any, path: str) -> tuple[str, str]:
    """The kinds of nothing of the references and of the callers; "" where there are some."""
    found = [project.ask(analysis, path).nothing for analysis in (references, callers)]
    return found[0].kind if found[0] else "", found[1].kind if found[1] else ""


def test_a_member_of_a_literal_implements_the_member_of_its_type(store: Any) -> None:
    for path in ("plain > encode", "choice > encode"):
        assert store.ask(references, path).nothing.kind == "related"
        assert [(call.symbol.name, call.sites[0].evidence) for call in store.ask(callers, path).calls] == [("save", "dispatch")]


def test_a_function_that_is_assigned_to_a_member_takes_its_place(store: Any) -> None:
    assert [(call.symbol.name, call.sites[0].evidence) for call in store.ask(callers, "Job > constructor > done").calls] == [
        ("end", "dispatch")
    ]


def test_what_the_runtime_calls_is_told_apart(store: Any) -> None:
    reason = store.ask(references, "pull").nothing
    assert (reason.kind, "UnderlyingSource.prototype.pull of lib" in reason.message) == ("related", True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("flush", ("unresolved", "")),  # the call that takes the literal holds it
        ("Box > weight", ("unresolved", "unresolved")),
        ("Box > volume", ("none", "none")),
        ("Lone > constructor", ("none", "none")),
        ("Registered > constructor", ("unresolved", "unresolved")),
        ("PanelProps > heading", ("unresolved", "unresolved")),
        ("PanelProps > spare", ("none", "none")),
        ("Route > unused", ("none", "none")),
        ("View > render", ("related", "related")),
        ("Emitter > onOpen", ("unresolved", "unresolved")),
        ("Emitter > onCloseNow", ("unresolved", "unresolved")),
        ("Emitter > other", ("none", "none")),
        ("actions > doDrop", ("unresolved", "")),  # the object holds its methods
        ("actions > keep", ("none", "")),
        ("Others > runNow", ("none", "none")),
        ("Loader > load > load", ("related", "")),
        ("Loader > idle > idle", ("none", "")),
        ("Clipboard > writeText", ("related", "related")),
        ("Clipboard > spare", ("none", "none")),
    ],
)
def test_none_is_said_where_it_is_known(store: Any, path: str, expected: tuple[str, str]) -> None:
    assert _kinds(store, path) == expected


@pytest.mark.parametrize(
    ("name", "composed", "fits"),
    [
        ("onOpen", "on…", True),
        ("on", "on…", True),
        ("open", "on…", False),
        ("getRowCount", "get…Count", True),
        ("getCount", "get…tCount", False),
        ("a_x_b_y", "…_x_…_y", True),
        ("ab_x_y", "…_x_…_y", False),
        ("plain", "plain", True),
        ("plainer", "plain", False),
    ],
)
def test_a_composed_name_fits_names(name: str, composed: str, fits: bool) -> None:
    assert fits_composed_name(name, composed) == fits


def test_accessors_are_called_by_what_reads_or_writes_them(store: Any) -> None:
    found = store.ask(callers, "Box > half").calls
    assert [(call.symbol.name, call.sites[0].line) for call in found] == [("read", 13)]


def test_constructors_are_used_where_they_run(store: Any) -> None:
    assert [(file.path, file.lines) for file in store.ask(references, "Node > constructor").files] == [("places.ts", (16,))]


def test_an_indexed_type_uses_the_member(store: Any) -> None:
    for path, line in (("Route > body", 2), ("Route > query", 3)):
        found = store.ask(references, path)
        assert [(file.lines, found.roles) for file in found.files] == [((line,), (("type", 1),))]


def test_a_block_that_adds_to_a_module_has_no_uses(store: Any) -> None:
    assert _kinds(store, "types.ts > gadgets")[0] == "notApplicable"


#: Classes that fit types without naming them.
FITTING = {
    "shapes.ts": """\
export interface Saver { save(row: number): void; flush?(): void }
export interface Named { label: string }
export type Pair = { first(): number; last(): number }
export interface Idle { sleep(): void }
export class Disk { save(row: number) {} flush() {} label = '' }
export class Tape extends Disk { rewind() {} first() { return 1 } }
export class Box { flush() {} save = 1; sleep() {} first() { return 1 } last() { return 2 } }
export function run(saver: Saver, named: Named, pair: Pair) {
  saver.save(1); saver.flush?.(); named.label = 'x'; pair.first(); pair.last()
}
""",
    "stores.py": """\
from typing import Protocol


class Saver(Protocol):
    def save(self, row): ...


class Disk:
    def save(self, row): ...

    def erase(self): ...


def run(saver: Saver):
    saver.save(1)
""",
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("shapes.ts > Disk > save", ["Saver.save"]),
        ("shapes.ts > Disk > flush", ["Saver.flush"]),
        # A type with one property says too little.
        ("shapes.ts > Disk > label", []),
        ("shapes.ts > Tape > first", []),
        ("shapes.ts > Box > first", ["Pair.first"]),
        ("shapes.ts > Box > last", ["Pair.last"]),
        # Nothing uses the member of the interface.
        ("shapes.ts > Box > sleep", []),
        ("stores.py > Disk > save", ["Saver.save"]),
        ("stores.py > Disk > erase", []),
    ],
)
def test_a_class_that_fits_a_type_may_be_used_through_it(
    analysed_text: Callable[[dict[str, str]], Any], path: str, expected: list[str]
) -> None:
    nothing = analysed_text(FITTING).ask(references, path).nothing
    assert (nothing.kind, [each.symbol.qualified_name for each in nothing.candidates]) == (
        "related" if expected else "none",
        expected,
    )


#: What runtimes and decorators call without a name.
RUNTIME = {
    "orders.py": """\
import functools


class Orders:
    def __len__(self):
        return 1

    def __private(self):
        return 2

    def length(self):
        return 3


@functools.singledispatch
def show(value): ...


@show.register
def show_number(value: int): ...


@functools.cache
def kept(value): ...
""",
    "money.ts": """\
export class Money {
  toJSON() { return 1 }
  [Symbol.iterator]() { return [1].values() }
  toJson() { return 1 }
}
function logged(target: unknown, context: ClassMethodDecoratorContext) {}
export class Till {
  @logged open() {}
  close() {}
}
""",
    "go.mod": "module example.com/shop\n\ngo 1.23\n",
    "money.go": """\
package shop

type Money struct{}

func (m Money) MarshalJSON() ([]byte, error) { return nil, nil }
func (m Money) Round() int                   { return 1 }
""",
    "Coin.java": 'class Coin { public String toString() { return ""; } public String label() { return ""; } }\n',
}


def test_what_runtimes_and_decorators_call_is_not_known(analysed_text: Callable[[dict[str, str]], Any]) -> None:
    project = analysed_text(RUNTIME)
    expected = {
        "Orders > __len__": ("unresolved", "unresolved"),
        "Orders > __private": ("none", "none"),
        "Orders > length": ("none", "none"),
        "show_number": ("none", "unresolved"),
        "kept": ("none", "none"),
        "Money > toJSON": ("unresolved", "unresolved"),
        "Money > [Symbol.iterator]": ("unresolved", "unresolved"),
        "Money > toJson": ("none", "none"),
        "Till > open": ("none", "unresolved"),
        "Till > close": ("none", "none"),
        "Money.MarshalJSON": ("unresolved", "unresolved"),
        "Money.Round": ("none", "none"),
        "Coin > toString": ("unresolved", "unresolved"),
        "Coin > label": ("none", "none"),
    }
    assert {path: _kinds(project, path) for path in expected} == expected
