"""What the connection graph says of symbols, read from a real graph: calls over hops, unknown calls, types and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.context.call_trees import graph_symbol
from astrolabe.retrieval.context.result_reader import constant_value
from astrolabe.retrieval.query.search_request import SearchRequest
from astrolabe.retrieval.source.signature_parts import signature_parts, type_names
from astrolabe.schema.records import SymbolRef

CHAIN = "src/chain.ts"


def symbol_ref(id: str, name: str, kind: str, depth: int, start: int, end: int, declared: int) -> SymbolRef:
    """A symbol of a.ts by its qualified name and its lines."""
    return SymbolRef(id, name.rpartition(".")[2], name, kind, "a.ts", depth, start, end, declared, declared, (), False)


@pytest.fixture(scope="module")
def stores(new_project: Any, store: Callable[[Any], Any]) -> Any:
    project = new_project()
    project.file(
        CHAIN,
        """
import { get, post as send } from 'ky';
import * as path from 'node:path';
import React from 'react';

export function entry() {
  middle();
  send('x');
  path.join('a');
}

function middle() {
  const inner = () => {
    service();
  };
  inner();
}

function service() {
  helper();
}

function helper() {
  return 1;
}

function alpha() {
  beta();
}

function beta() {
  alpha();
}

function factorial(n: number): number {
  return n * factorial(n - 1);
}

class Store {
  save(item: Item) {
    this.items.push(item);
  }
}

function untyped(store) {
  store.save(1);
  other.save(2);
}

interface Item {
  id: string;
}

class Panel extends React.Component {
  private reset() {
    this.rows.reset();
  }

  get size(): number {
    return 1;
  }
}

class Failure extends Error {
}
""",
        ("function", "entry"),
        ("function", "middle"),
        ("function", "middle.inner"),
        ("function", "service"),
        ("function", "helper"),
        ("function", "alpha"),
        ("function", "beta"),
        ("function", "factorial"),
        ("class", "Store"),
        ("method", "Store.save"),
        ("function", "untyped"),
        ("interface", "Item"),
        ("property", "Item.id"),
        ("class", "Panel"),
        ("method", "Panel.reset"),
        ("getter", "Panel.size"),
        ("class", "Failure"),
    )
    at = f"{CHAIN}#"
    for caller, callee in (
        ("entry", "middle"),
        ("middle", "middle.inner"),
        ("middle.inner", "service"),
        ("service", "helper"),
        ("alpha", "beta"),
        ("beta", "alpha"),
        ("factorial", "factorial"),
    ):
        project.call(at + caller, at + callee)
    project.use_import(at + "entry", "ky", "send")
    project.use_import(at + "entry", "node:path", "path")
    project.call_external(at + "entry", "ky#post", "send")
    project.call_external(at + "entry", "node:path#join")
    project.call_external(at + "entry", "lib#Array.prototype.map", "middle")
    project.call_unresolved(at + "untyped", "save")
    project.call_unresolved(at + "Panel.reset", "reset")
    project.use_import(at + "Panel", "react", "React")
    project.inherit_external(at + "Panel", "react#default.Component")
    project.inherit_external(at + "Failure", "lib#Error")
    project.flow(at + "Store.save", at + "Item", "param", "item", 0)
    return store(project)


def graph_of(stores: Any, name: str, depth: int = 1) -> str:
    text: str = stores.engine(call_depth=depth).search(SearchRequest(f"symbol = {CHAIN} > {name}")).texts[0].text
    return text


TREES = [
    ("entry", 2, ["    → middle (src/chain.ts)", "      → service (src/chain.ts) [depth limit]"]),
    ("entry", 3, ["    → middle (src/chain.ts)", "      → service (src/chain.ts)", "        → helper (src/chain.ts)"]),
    ("entry", -1, ["    → middle (src/chain.ts)", "      → service (src/chain.ts)", "        → helper (src/chain.ts)"]),
    ("alpha", -1, ["    → beta (src/chain.ts)", "      → alpha (src/chain.ts) [cycle]"]),
    ("factorial", 2, ["    → factorial (src/chain.ts) [cycle]"]),
    ("helper", 2, ["    ← service (src/chain.ts)", "      ← middle.inner (src/chain.ts) [depth limit]"]),
]


@pytest.mark.parametrize(("name", "depth", "lines"), TREES)
def test_trees_follow_calls_hop_by_hop(stores: Any, name: str, depth: int, lines: list[str]) -> None:
    tree = graph_of(stores, name, depth).split("\n\n")[1].split("\n")
    assert tree[:2] == ["Graph:", f"  [1] {name} ({CHAIN})"]
    assert tree[2 : 2 + len(lines)] == lines


LINES = [
    ("entry", "    Calls: middle, send, path.join"),
    ("middle", "    Calls: service"),
    ("middle", "    Called by: entry"),
    ("factorial", "    Types in: n (number)"),
    ("Store > save", "    Types in: Item"),
    ("Store > save", "    Unknown: 1 unresolved call of “save” in 1 place may mean this one"),
    ("Item", "    Members: id"),
    ("Store", "    Members: save()"),
    # What lies outside is named as the file names it.
    ("Panel", "    Extends: React.Component (react)"),
    ("Panel > reset", "    Extends: React.Component (react)"),
    ("Failure", "    Extends: Error"),
    ("Panel > size", "    getter | refs: none"),
]


@pytest.mark.parametrize(("name", "line"), LINES)
def test_details_name_calls_types_members_and_what_is_unknown(stores: Any, name: str, line: str) -> None:
    assert line in graph_of(stores, name).split("\n")


def test_a_resolved_symbol_has_no_line_about_unknown_calls(stores: Any) -> None:
    assert "Unknown" not in graph_of(stores, "helper")
    # Nothing outside of its class can call a private member.
    assert "Unknown" not in graph_of(stores, "Panel > reset")


TYPE_PARAMETERS = [
    ("f(a: A): void", set()),
    ("<T>(a: T): T[]", {"T"}),
    ("const f = async <const T extends (x: number) => void, K extends keyof T = 'a'>(a: T): void", {"T", "K"}),
    ("class A extends B<C>", set()),
]


@pytest.mark.parametrize(("signature", "names"), TYPE_PARAMETERS)
def test_a_signature_has_type_parameters_of_its_own(signature: str, names: set[str]) -> None:
    assert {parameter.name for parameter in signature_parts(signature).type_parameters} == names


SIGNATURES = [
    ("async validateToken(token: string): Promise<A | null>", [("token", "string")], "Promise<A | null>"),
    ("f()", [], ""),
    ("<T>(a: T, ...rest: string[]): T[]", [("a", "T"), ("rest", "string[]")], "T[]"),
    ("f<T extends (x: number) => void>(a: T): void", [("a", "T")], "void"),
    ("f({ a, b }: Options, [c]: number[], d?: string)", [("{ a, b }", "Options"), ("[c]", "number[]"), ("d", "string")], ""),
    ("constructor(private readonly store: Store, @Inject(X) public x: X = make())", [("store", "Store"), ("x", "X")], ""),
    ("f(cb: (a: A, b: B) => C, map: Map<string, D>): E", [("cb", "(a: A, b: B) => C"), ("map", "Map<string, D>")], "E"),
    ("const f = (a: A): B", [("a", "A")], "B"),
    ("f(a = 1, b)", [("a", ""), ("b", "")], ""),
    ("f(a: readonly A[], b: Map<public, @x>)", [("a", "readonly A[]"), ("b", "Map<public, @x>")], ""),
    ("get size(): number", [], "number"),
    ("class A extends B<C>", [], ""),
    ("f(a: A", [("a", "A")], ""),
    ("", [], ""),
]


@pytest.mark.parametrize(("signature", "parameters", "returned"), SIGNATURES)
def test_signatures_are_taken_apart(signature: str, parameters: list[tuple[str, str]], returned: str) -> None:
    parts = signature_parts(signature)
    assert [(parameter.name, parameter.type or "") for parameter in parts.parameters] == parameters
    assert (parts.return_type or "") == returned


def test_the_names_in_a_type_come_once_and_in_order() -> None:
    assert type_names("Map<string, A.B | $C> & A") == ["Map", "string", "A.B", "$C", "A"]


VALUES = [
    ("X", "export const X = 3600;", "number (value: 3600)"),
    ("X", "const X: Seconds = 3_600n // note", "Seconds (value: 3_600n)"),
    ("X", "const X = 1e-9;", "number (value: 1e-9)"),
    ("X", "const X = -5", "number (value: -5)"),
    ("X", "const X = 'a' as const;", "string (value: 'a')"),
    ("X", "const X = true", "boolean (value: true)"),
    ("X", "const X = null;", "null (value: null)"),
    ("X", "let X: string | null = null;", "string | null (value: null)"),
    ("X", "const A = 1, X = 2;", "number (value: 2)"),
    ("X", "export const X: Record<string, number> = {\n  a: 1,\n};", "Record<string, number>"),
    ("X", "const X = { a: 1 };", ""),
    ("X", "const X = 1 + 2;", ""),
    ("X", "const X = `a${b}`;", ""),
    ("X", "const X = () => 1;", ""),
    ("X", "const OX = 1;", ""),
    ("X", "", ""),
]


@pytest.mark.parametrize(("name", "source", "value"), VALUES)
def test_plain_constants_show_their_type_and_value(name: str, source: str, value: str) -> None:
    assert constant_value(name, source) == value


STATEMENTS = [
    ("test('checkbox', async () => {", "test('checkbox')"),
    ("describe('a (b)', function () {", "describe('a (b)')"),
    ("registerHelpers({", "registerHelpers()"),
    ("if (opened > 0) {", "if (opened > 0)"),
    ("app.use(cors());", "app.use(cors());"),
    ("list.forEach(item => {", "list.forEach()"),
    ("export {", "export"),
]


@pytest.mark.parametrize(("statement", "label"), STATEMENTS)
def test_statements_are_named_by_what_their_first_line_says(statement: str, label: str) -> None:
    place = symbol_ref("1", statement, "expression", 0, 1, 9, 1)
    assert graph_symbol(place).label == label


@pytest.mark.parametrize(
    ("qualified_name", "label"),
    [
        ("describe('a').callback.test('b') callback", "test('b')"),
        ("describe('a') callback.it('a title cut after so many callback", "it('a title cut after so many…)"),
        ("Panel.useMemo callback.rows", "Panel … rows"),
        ("Store.callback.run", "Store.callback.run"),
        ("{ useAtom, useStore }.useAtom", "useAtom"),
        ("[first, second].second", "second"),
        ("Map.[Symbol.iterator]", "Map.[Symbol.iterator]"),
    ],
)
def test_symbols_within_others_are_named_by_what_tells_them_apart(qualified_name: str, label: str) -> None:
    place = symbol_ref("1", qualified_name, "function", 2, 1, 9, 1)
    assert graph_symbol(place).label == label
