"""Valid code that the grammars reject or misread: it parses without an error, and the tree holds what the code says.

A case is the gap's name, the language, the source, and nodes of the tree: "type text", the text as it stands in the source.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from astrolabe.ingest.languages.typescript.parsing.edits import GapSource
from astrolabe.ingest.languages.typescript.parsing.gaps import FLOW, PLAUSIBLE, UNAMBIGUOUS
from astrolabe.ingest.languages.typescript.parsing.mask import masked
from astrolabe.ingest.languages.typescript.parsing.misread import FORESEEN, MISREADINGS, misread_edits
from astrolabe.ingest.languages.typescript.parsing.parse import parse_source
from tree_sitter import Node

FLOW_MARK = "// @flow\n"

CASES = [
    (
        "call signature without separator",
        "typescript",
        "interface Ask {\n  (question: string): Answer\n  <T>(question: T): Answer<T>\n}",
        ["call_signature (question: string): Answer", "call_signature <T>(question: T): Answer<T>"],
    ),
    (
        "call signature without separator",
        "typescript",
        "declare const map: {\n  <A>(f: F<A>): G\n\n  // more\n  <A, B>(a: A, f: B): {\n    (b: B): A\n    <C>(c: C): A\n  }\n}",
        ["call_signature <A>(f: F<A>): G", "call_signature (b: B): A", "call_signature <C>(c: C): A"],
    ),
    (
        "call signature without separator",
        "tsx",
        "export type Hook = {\n\tname: string\n\t<S>(initial: S): [S]\n\t(): [undefined]\n}",
        ["call_signature <S>(initial: S): [S]", "call_signature (): [undefined]"],
    ),
    (
        "call signature without separator",
        "typescript",
        "interface Wide {\r\n  a: A\r\n<T>(x: T): T\r\n}",
        ["property_signature a: A", "call_signature <T>(x: T): T"],
    ),
    (
        "call signature without separator",
        "typescript",
        "type Make = (n: number) => {\n  size: number\n  <T>(x: T): T\n}",
        ["call_signature <T>(x: T): T"],
    ),
    (
        "name that begins with in",
        "typescript",
        "interface Bounds {\n  out?: number\n  in?: number\n  in2?: number\n}",
        ["property_identifier in", "property_identifier in2"],
    ),
    (
        "name that begins with in",
        "typescript",
        "interface Match {\n  at: At\n  in<T>(x: T): T\n}",
        ["method_signature in<T>(x: T): T"],
    ),
    ("name that begins with in", "javascript", "let busy = 1\nin_progress = busy", ["assignment_expression in_progress = busy"]),
    ("method named in", "typescript", "interface Match {\n  at: At\n  in(x: T): T\n}", ["method_signature in(x: T): T"]),
    (
        "export type *",
        "typescript",
        "export type * from './a'\nexport type * as b from './b'",
        ["namespace_export * as b", "string './a'"],
    ),
    (
        "variance annotation",
        "typescript",
        "interface Box<in out T, out /* only */ E = never> extends Base<T> {\n  t: T\n}",
        ["type_parameter T", "type_parameter E = never"],
    ),
    (
        "variance annotation",
        "typescript",
        "class Sink<\n  // what it takes\n  in Input extends object,\n  const out O\n> {}",
        ["type_parameter Input extends object"],
    ),
    (
        "type arguments of a tagged template",
        "typescript",
        "const rows = sql<{ id: number }>`SELECT ${id} FROM t`\nconst Box = styled.div<\n  Props\n>`color: red`",
        ["call_expression sql<{ id: number }>`SELECT ${id} FROM t`", "member_expression styled.div"],
    ),
    ("type arguments of a tagged template", "javascript", "const f = (x: A) => sql<B>`x`", ["call_expression sql<B>`x`"]),
    (
        "type arguments before an optional call",
        "tsx",
        "props.onPick<Item>?.(item)",
        ["call_expression props.onPick<Item>?.(item)"],
    ),
    ("NUL byte", "javascript", 'const key = a + "\0" + b\nf(key)', ["call_expression f(key)", 'string "\0"']),
    (
        "default function without a body",
        "typescript",
        "export default function (plugins: Plugin[]): {\n  run: Run\n};\nexport function named(): void",
        ["required_parameter plugins: Plugin[]", "type_annotation : {\n  run: Run\n}", "identifier named"],
    ),
    (
        "default function without a body",
        "typescript",
        "export default function<T>(a: T): T;\nexport default function<T>(a: T, b?: T): { t: T } {\n  return { t: a }\n}",
        ["return_statement return { t: a }", "optional_parameter b?: T"],
    ),
    (
        "import type with arguments",
        "typescript",
        "type A = import('./a').Box<string>[]\ninterface B extends import('b').C<D> {}\nlet f = keep<typeof import('./f')>()",
        ["nested_type_identifier import('./a').Box", "nested_type_identifier import('b').C", "type_query typeof import('./f')"],
    ),
    (
        "generic function as type argument",
        "typescript",
        "const run = f<<T>(value: T) => void>(g)",
        ["function_type (value: T) => void", "arguments (g)"],
    ),
    (
        "using declaration",
        "typescript",
        "async function f() {\n  using file: File = open()\n  await using lock: Lock = take()\n}",
        ["variable_declarator file: File = open()", "variable_declarator lock: Lock = take()"],
    ),
    (
        "using as a name",
        "typescript",
        "const [name, using, lock] = parts\nif (using) go(using)",
        ["identifier using", "arguments (using)"],
    ),
    (
        "using in a loop header",
        "typescript",
        "async function f() {\n  for (await using file of files) read(file)\n}",
        ["for_in_statement for (await using file of files) read(file)"],
    ),
    ("specifier named by a keyword", "typescript", "export { kind, type } from './kinds'", ["export_specifier type"]),
    (
        "abstract override",
        "typescript",
        "abstract class A extends B {\n  protected abstract override check: Check | null;\n}",
        ["public_field_definition protected abstract override check: Check | null"],
    ),
    (
        "override abstract",
        "typescript",
        "abstract class A extends B {\n  override abstract go(): void\n}",
        ["property_identifier go"],
    ),
    (
        "keyof readonly",
        "typescript",
        "check<keyof readonly [string, number]>(x)",
        ["tuple_type [string, number]", "arguments (x)"],
    ),
    (
        "declare after another modifier",
        "typescript",
        "class User extends Model {\n  static declare table: string\n  readonly declare id: number\n}",
        ["property_identifier table", "property_identifier id"],
    ),
    (
        "attributes of a re-export",
        "typescript",
        "export { default as data } from './data.json' with { type: 'json' }\nexport * from './b.json' with { type: 'json' }",
        ["export_specifier default as data", "string './b.json'"],
    ),
    (
        "exported import with require",
        "typescript",
        "export import fs = require('fs')\nexport import Inner = Outer.Inner",
        ["import_require_clause fs = require('fs')", "import_alias import Inner = Outer.Inner"],
    ),
    ("import named type", "typescript", "import type = require('./type')", ["import_require_clause type = require('./type')"]),
    ("dynamic import phase", "javascript", "const late = await import.defer('./late.js')", ["arguments ('./late.js')"]),
    (
        "import phase",
        "javascript",
        "import defer * as late from './late.js'\nimport source wasm from './w.wasm'",
        ["identifier late", "identifier wasm"],
    ),
    (
        "global inside a module",
        "typescript",
        "declare module 'x' {\n  global {\n    interface Window { x: X }\n  }\n}",
        ["interface_declaration interface Window { x: X }"],
    ),
    ("default abstract class", "typescript", "export default abstract class {\n  go() {}\n}", ["method_definition go() {}"]),
    (
        "escape in a template literal type",
        "typescript",
        "type Missing<T extends string> = `Install \\`${T}\\` first`",
        ["template_type ${T}"],
    ),
    (
        "attribute named by a reserved word",
        "jsx",
        'const view = <label class="wide" for={id}>Salt & Pepper</label>',
        ["property_identifier class", "property_identifier for"],
    ),
    (
        "parameter named like a type",
        "typescript",
        "declare const hook: { inject: (any) => void }",
        ["function_type (any) => void"],
    ),
    (
        "parameter named like a type",
        "typescript",
        "type Pair = [string: string, number: number]",
        ["required_parameter string: string"],
    ),
    ("ampersand in markup", "tsx", "const title = <h1>Terms & Conditions</h1>", ["jsx_text Terms & Conditions"]),
    (
        "ampersand in markup",
        "tsx",
        'const link = <a href="https://example.org/?a=1&b=2&c=3">go</a>',
        ['jsx_attribute href="https://example.org/?a=1&b=2&c=3"'],
    ),
    (
        "ampersand in an attribute",
        "tsx",
        'const a = <p>{x}<a x="[&nth(2)]:x {&nth(3)}:y /> & \'" /><b y="&" /></p>',
        ['jsx_self_closing_element <b y="&" />'],
    ),
    (
        "ampersand in text",
        "tsx",
        "const a = <h1>Terms & Conditions &amp; more</h1>",
        ["jsx_text Terms & Conditions ", "html_character_reference &amp;"],
    ),
    ("asserts as a name", "typescript", "type Check = (x: unknown) => asserts;", ["type_identifier asserts"]),
    (
        "decorator expression",
        "typescript",
        "@(pick().first('x').get())\nclass A {\n  go() {}\n}",
        ["class_declaration class A {\n  go() {}\n}"],
    ),
    (
        "decorator expression",
        "typescript",
        "@(sealed as ClassDecorator)\nclass A {\n  @(hooks[0]) @(shop.log) @(make('x'))\n  go() {}\n}",
        [
            "identifier sealed",
            "subscript_expression hooks[0]",
            "member_expression shop.log",
            "call_expression make('x')",
        ],
    ),
    (
        "accessor field",
        "typescript",
        "class A {\n  static accessor count: number = 1\n}",
        ["property_identifier count", "number 1"],
    ),
    (
        "as as a name",
        "typescript",
        "let as = 1\nconst b = as === 1 ? as(c, d as any) : 2",
        ["variable_declarator as = 1", "as_expression d as any"],
    ),
    (
        "member named by a modifier",
        "typescript",
        "interface A {\n  abstract(): void,\n  accessor: B\n}",
        ["method_signature abstract(): void"],
    ),
    ("optional tuple element", "typescript", "check<['a'?]>({} as Tail<['a'?, 'b'?]>)", ["arguments ({} as Tail<['a'?, 'b'?]>)"]),
    (
        "namespace named like a type",
        "typescript",
        "export const number: number.module = 1\ntype A = (type.infer<B> extends object ? C : D)",
        ["nested_type_identifier number.module", "nested_type_identifier type.infer"],
    ),
    (
        "mapped type over namespace",
        "typescript",
        "type A = { [namespace in keyof B]: B[namespace] }",
        ["mapped_type_clause namespace in keyof B"],
    ),
    ("static index signature", "typescript", "class A {\n  static [key: string]: B\n}", ["index_signature [key: string]: B"]),
    (
        "constrained infer",
        "typescript",
        "type A<T> = T extends (infer U extends number ? U : T) ? U : T",
        ["type_alias_declaration"],
    ),
    ("assertion in a pattern", "typescript", "[x as any] = y", ["array_pattern [x as any]"]),
    ("inexact object type", "javascript", FLOW_MARK + "type A = { a: string, ... }", ["property_signature a: string"]),
    (
        "spread in an object type",
        "javascript",
        FLOW_MARK + "type Props = {|\n  ...ViewProps,\n  ...$ReadOnly<{ a: A }>,\n  +title: string,\n|}",
        ["property_signature title: string"],
    ),
    ("variance of a member", "javascript", FLOW_MARK + "class A {\n  +name: string;\n}", ["property_identifier name"]),
    ("variance of a type parameter", "javascript", FLOW_MARK + "class A<+T, -U> {}", ["type_parameter T", "type_parameter U"]),
    ("declare export", "javascript", FLOW_MARK + "declare export function f(x: number): string;", ["identifier f"]),
    ("opaque type", "javascript", FLOW_MARK + "export opaque type Id = string", ["type_identifier Id"]),
    ("supertype of an opaque type", "javascript", FLOW_MARK + "opaque type Id: string = string", ["type_identifier Id"]),
    (
        "parameter without parentheses",
        "javascript",
        FLOW_MARK + "type F = { f: Key => Value, g: string => void }",
        ["identifier Key"],
    ),
    ("parameters without names", "javascript", FLOW_MARK + "function f(g: (?string) => void) {}", ["identifier f"]),
    ("type of an enum", "javascript", FLOW_MARK + "enum Color of string {\n  Red = 'red',\n}", ["enum_assignment Red = 'red'"]),
    (
        "checks predicate",
        "javascript",
        FLOW_MARK + "function isA(x: mixed): boolean %checks {\n  return x !== null\n}",
        ["identifier isA"],
    ),
    ("empty type arguments", "javascript", FLOW_MARK + "type Page = View<>", ["type_identifier View"]),
    ("mixins", "javascript", FLOW_MARK + "declare class A mixins B, C {}", ["type_identifier A"]),
    ("inline interface", "javascript", FLOW_MARK + "type A = interface { name: string }", ["property_signature name: string"]),
    ("optional indexed access", "javascript", FLOW_MARK + "type A = B?.['c']", ["type_identifier B"]),
    ("maybe function", "javascript", FLOW_MARK + "type A = { f?: ?(x: string) => void }", ["function_type (x: string) => void"]),
    (
        "iterator member",
        "javascript",
        FLOW_MARK + "declare class A {\n  @@iterator(): Iterator<B>;\n}",
        ["generic_type Iterator<B>"],
    ),
    (
        "using declaration",
        "typescript",
        "{\n  using x = f()\n  await using y = g()\n}",
        ["variable_declarator x = f()", "variable_declarator y = g()"],
    ),
    (
        "import type as type argument",
        "typescript",
        "const m = await mock<typeof import('./m')>('./m')",
        ["arguments ('./m')", "type_query typeof import('./m')"],
    ),
    (
        "type arguments of a tagged template",
        "typescript",
        "const r = await sql<Row>`SELECT 1`",
        ["call_expression sql<Row>`SELECT 1`"],
    ),
    (
        "line end after export",
        "typescript",
        "export\nconst a = 1\nexport // b\nfunction b() {}\nconst c = { export: a }",
        ["export_statement export\nconst a = 1", "export_statement export // b\nfunction b() {}"],
    ),
    (
        "name of three parts after as",
        "typescript",
        "const issue = found as z.core.Issue\nexpect(made satisfies z.core.a.Made<string> | z.core.b.Other).toBe(1)",
        ["as_expression found as z.core.Issue", "satisfies_expression made satisfies z.core.a.Made<string> | z.core.b.Other"],
    ),
    ("non-null constructor", "typescript", "const x = new this.kind!(a)", ["new_expression new this.kind!(a)"]),
    (
        "bracket after the body of an arrow function",
        "typescript",
        "class Bus {\n  on = (event: Event) => {\n    emit(event)\n  }\n  [Symbol.iterator]() {\n    return this.all()\n  }\n}",
        ["method_definition [Symbol.iterator]() {\n    return this.all()\n  }"],
    ),
    (
        "field before a generator method",
        "javascript",
        "class Bag {\n  items\n\n  // all\n  * [Symbol.iterator] () {\n    yield * this.items\n  }\n}",
        ["field_definition items", "method_definition * [Symbol.iterator] () {\n    yield * this.items\n  }"],
    ),
    (
        "field before a generator method",
        "typescript",
        "class Bag<T> {\n  static size: number\n  *#walk(): Iterable<T> {}\n  held?: Map<string, T>\n  *'all'() {}\n}",
        [
            "public_field_definition static size: number",
            "public_field_definition held?: Map<string, T>",
            "method_definition *'all'() {}",
        ],
    ),
    ("using as a name", "javascript", "for (using of of) using in of", ["identifier using", "identifier of"]),
    (
        "import alias of a type",
        "typescript",
        "import type Row = tables.Row\nlet row: Row",
        ["import_alias import type Row = tables.Row", "type_identifier Row"],
    ),
    (
        "async of at the head of a loop",
        "javascript",
        "for (async of => {}; ready(); next()) {}",
        ["arrow_function async of => {}"],
    ),
    ("type of a name that reads as", "typescript", "import { type as } from 'x'", ["import_specifier type as"]),
    (
        "modifiers in another order",
        "typescript",
        "abstract class Store {\n  abstract private size: number\n  static public open() {}\n  readonly static limit = 1\n"
        "  constructor(readonly public name: string) {}\n}",
        ["property_identifier size", "method_definition public open() {}", "accessibility_modifier public"],
    ),
    (
        "mapped type without a value",
        "typescript",
        "type Flags = { readonly [K in Keys] }\nlet after = 1",
        ["lexical_declaration"],
    ),
    (
        "yield or await as a name",
        "javascript",
        "var { a: yield } = b\nfunction pick(await, ...yield) { return yield => new yield(await) }",
        ["pair_pattern a: yield", "rest_pattern ...yield", "new_expression new yield(await)"],
    ),
    (
        "parentheses around a target",
        "javascript",
        "[(a), (b.c) = 1, ...(d)] = e\n;({ f: ((g)) } = h)",
        ["member_expression b.c", "array_pattern [(a), (b.c) = 1, ...(d)]", "identifier g"],
    ),
    (
        "parentheses around a target",
        "typescript",
        ";({ a: (b as any) = 2000, c: (d.e as Map<string, F>) } = x)",
        ["member_expression d.e"],
    ),
    ("assertion before a target", "typescript", ";({ a: <number>b } = c)\nfor (<Row>row of rows) {}", ["for_in_statement"]),
    ("optional parameter with a default", "typescript", "function wait(time? = 1) {}", ["required_parameter time? = 1"]),
    ("-", "javascript", "async () => (await (await page()).text()).length", ["await_expression await (await page()).text()"]),
]


def _nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def _case_ids() -> list[str]:
    return [f"{gap}-{index}" for index, (gap, *_) in enumerate(CASES)]


@pytest.mark.parametrize(("gap", "language", "text", "expected"), CASES, ids=_case_ids())
def test_valid_code_parses(gap: str, language: str, text: str, expected: list[str]) -> None:
    source = text.encode()
    parsed = parse_source(source, language)
    assert parsed.problems == []
    assert not parsed.tree.root_node.has_error
    nodes = {f"{node.type} {source[node.start_byte : node.end_byte].decode()}" for node in _nodes(parsed.tree.root_node)}
    types = {node.type for node in _nodes(parsed.tree.root_node)}
    assert [node for node in expected if node not in nodes | types] == []


@pytest.mark.parametrize(("gap", "language", "text", "expected"), CASES, ids=_case_ids())
def test_offsets_and_lines_stay(gap: str, language: str, text: str, expected: list[str]) -> None:
    source = text.encode()
    data = parse_source(source, language).data
    assert [len(line) for line in data.split(b"\n")] == [len(line) for line in source.split(b"\n")]


def test_every_gap_has_a_case_that_needs_it() -> None:
    needed = {edit.gap for _, language, text, _ in CASES for edit in parse_source(text.encode(), language).edits}
    assert {gap.name for gap in (*UNAMBIGUOUS, *FLOW, *PLAUSIBLE, *MISREADINGS)} - needed == set()


@pytest.mark.parametrize(
    "text",
    [
        "interface Box<in out T, out E = never> {\n  t: T\n}\n",
        "class Sink<\n  in I extends object,\n  out O\n> {}\n",
        "declare const map: {\n  <A>(f: F<A>): G\n  // more\n  <A, B>(a: A, f: B): {\n    (b: B): A\n    (c: B): A\n  }\n}\n",
    ],
)
def test_a_gap_in_the_usual_layout_is_foreseen(text: str) -> None:
    source = GapSource(text.encode(), masked(text.encode()))
    foreseen = {gap.name for gap in FORESEEN}
    edits = [edit._replace(gap=gap.name) for gap in UNAMBIGUOUS if gap.name in foreseen for edit in gap.find(source)]
    assert edits
    assert sorted(misread_edits(source.data)) == sorted(edits)


VALID = [
    ("typescript", "export const f = <T,>(x: T): x is T & {} => x!\n"),
    ("typescript", "import x, { type Y } from './y' with { type: 'json' }\nexport = x\n"),
    ("typescript", "interface A {\n  (x: B): C;\n  <T>(x: T): T;\n  new (x: B): A\n}\n"),
    ("typescript", "function f() {\n  g()\n  ;(h as any)(1)\n}\n"),
    ("typescript", "@Dec() export abstract class A<const T> { static #x = 1n; declare y: unique symbol; static { } }\n"),
    ("tsx", "const a = <A.B<C> d={e} {...f}>text &amp; {g} it's</A.B>\n"),
    ("javascript", "var a = b / c / d, e = /[/]\\/`/.test(f) ? `x${`y${z}`}` : 'it\\'s'\n"),
    ("javascript", "#!/usr/bin/env node\nmodule.exports = { class: 1, in: 2 }\n"),
    ("jsx", "export default () => <></>\n"),
    ("typescript", "interface A {\n  run\n  (x: B): C\n}\n"),
    ("typescript", "switch (a) {\n  case 1: {\n    go()\n    (b)\n  }\n}\n"),
    ("typescript", "function f() {\n  return a ? b.c()\n    (d): e\n}\n"),
    ("typescript", "// less, out of B,\nlet a = b < c, d = e in f\n"),
    ("typescript", ""),
]


@pytest.mark.parametrize(("language", "text"), VALID)
def test_valid_code_without_gaps_is_taken_as_it_is(language: str, text: str) -> None:
    source = text.encode()
    parsed = parse_source(source, language)
    assert parsed.data is source
    assert (parsed.problems, parsed.edits) == ([], [])


GRAMMARS = [
    ("plain JavaScript", "javascript", "const a = b < c\n", "javascript"),
    ("JSX in .js", "javascript", "const a = <b>c</b>\n", "javascript"),
    ("TypeScript annotations in .js", "javascript", "/** x */\nfunction f(a: string): number { return a as any }\n", "tsx"),
    ("Flow annotations", "jsx", "// @flow\nimport typeof A from 'a'\nconst f = (a: ?A): {| b: C |} => (a: any)\n", "tsx"),
]


@pytest.mark.parametrize(("language", "text", "grammar"), [case[1:] for case in GRAMMARS], ids=[case[0] for case in GRAMMARS])
def test_annotated_javascript_is_read_by_the_tsx_grammar(language: str, text: str, grammar: str) -> None:
    parsed = parse_source(text.encode(), language)
    assert (parsed.grammar, parsed.problems) == (grammar, [])
