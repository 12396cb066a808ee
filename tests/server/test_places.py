"""What stands at a place: names that imports and exports rename, elements by a literal, and columns behind wide characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.workspace import Workspace

FILES = {
    "shapes.ts": """\
export function circumferenceOfCircle(radius: number) { return radius }
export const pi = 3
export enum Unit { metre, inch }
export namespace Geo.Flat { export const zero = 0 }
export import Plane = Geo.Flat
export { pi as π }
export class Área { #side = 1; grow() { return this.#side } }
""",
    "use.ts": """\
import { circumferenceOfCircle as c, pi, Plane as P } from './shapes'
import { Área, π as aliasLongerThanItsTarget } from './shapes'
// ☕
export const é = 'ñandú ☕ 😀', total = c(pi) + new Área().grow() + P.zero
export { circumferenceOfCircle as length, pi as p } from './shapes'
export const last = aliasLongerThanItsTarget + c(pi)
""",
    "words.ts": """export interface Shelf { type: string; delete(id: string): void }
type Other = { total: number }
export function set(of: Shelf, type: unknown) {
  of.delete(type as string)
  for (const each of [of]) set(each, type as Other)
  return { type: of.type, keys: type ? [type] : [] }
}
export class Box { static readonly async = 1; get get() { return [...this.all()] } all() { return [Box.async] } }
export const key = <T extends object>(value: unknown) => value as unknown as keyof Shelf & Plain<T>
type Plain<T> = { [K in keyof T as Exclude<K, "type">]: T[K] }
""",
    "draw.d.ts": """export declare function draw(shape: string): void
export declare function draw(shape: string, draw: number): void
export interface Pen {
  move(x: number): void
  move(x: number, y: number): void
}
""",
    "reader.js": """function read(path) { return path }
module.exports = read
const shelf = { module: {} }
shelf.module.exports = read
""",
    "pairs.js": "function pair(of) {\n  const pair = { of }\n  pair.more = of\n  return pair\n}\nexports.pair = pair\n",
    "port.js": "const port = { open: 1 }\nif (typeof module !== 'undefined') { module.exports = port }\n",
    "site.d.ts": """declare class Site { constructor(folder: string); use(): this }
declare function Site(folder: string): Site
declare namespace Site { interface File { path: string } }
export = Site
""",
    "sites.ts": """import * as Site from './site'
export const made = [Site('a'), new Site('b')]
""",
    "lines.js": "exports.lines = (path) => [path]\n",
    "reading.js": """const take = require('./reader')
const { lines } = require('./lines')
exports.all = () => take('a') + lines('b')
""",
    "offered.js": """const { lines } = require('./lines')
exports.first = lines
if (exports.first == lines) exports.first('c')
""",
    # Four names, because the order of two declarations of one name depends on their ids.
    "rows.d.ts": "export interface Rows {}\nexport interface Bins {}\nexport interface Lids {}\nexport interface Tags {}\n",
    "added.ts": """import type { Rows, Bins, Lids, Tags } from './rows'
declare module './rows' { interface Rows { a: 1 } interface Bins { a: 1 } interface Lids { a: 1 } interface Tags { a: 1 } }
export type Key = keyof Rows | keyof Bins | keyof Lids | keyof Tags
""",
    "more.ts": """import './rows'
declare module './rows' { interface Rows { b: 1 } interface Bins { b: 1 } interface Lids { b: 1 } interface Tags { b: 1 } }
""",
}
FILES["unions.ts"] = """\
export interface Span { from: number }
export interface Token { from: number; text: string }
export type Part = { kind: 'a'; at: number } | { kind: 'b'; at: string }
export const start = (of: Span | Token) => of.from
export const part: Part = { kind: 'b', at: 'x' }
"""
CIRCLE, PI = "shapes.ts > circumferenceOfCircle", "shapes.ts > pi"


@pytest.fixture(scope="module")
def workspace(indexed_project: Callable[[dict[str, str]], Workspace]) -> Workspace:
    return indexed_project(FILES)


def _definition(workspace: Workspace, **place: Any) -> str:
    found = workspace.trace(include=["definitions"], **place).to_json()
    return str(found.get("definition", {}).get("name"))


def _column(file: str, line: int, text: str, occurrence: int = 1) -> int:
    written, column = FILES[file].split("\n")[line - 1], -1
    for _ in range(occurrence):
        column = written.index(text, column + 1)
    return column


@pytest.mark.parametrize(("line", "text", "lines"), [(4, "from", {1, 2}), (5, "at", {3}), (1, "from", {1})])
def test_a_member_of_several_parts_of_a_union(workspace: Workspace, line: int, text: str, lines: set[int]) -> None:
    found = workspace.trace(file="unions.ts", line=line, column=_column("unions.ts", line, text)).answer
    assert found.definition is not None
    assert {each.line for each in (found.definition, *found.also_declared)} == lines
    if len(lines) > 1:
        assert found.summary.total_references == 1


@pytest.mark.parametrize(
    ("file", "line", "text", "occurrence", "name"),
    [
        ("use.ts", 1, "circumferenceOfCircle", 1, CIRCLE),
        ("use.ts", 1, "c,", 1, CIRCLE),
        ("use.ts", 1, "pi", 1, PI),
        ("use.ts", 1, "Plane", 1, "shapes.ts > Geo.Flat"),
        ("use.ts", 1, "P }", 1, "shapes.ts > Geo.Flat"),
        ("use.ts", 2, "Área", 1, "shapes.ts > Área"),
        ("use.ts", 2, "π", 1, PI),
        ("use.ts", 2, "aliasLonger", 1, PI),
        ("use.ts", 4, "c(", 1, CIRCLE),
        ("use.ts", 4, "pi)", 1, PI),
        ("use.ts", 4, "Área", 1, "shapes.ts > Área"),
        ("use.ts", 4, "grow", 1, "shapes.ts > Área > grow"),
        ("use.ts", 4, "zero", 1, "shapes.ts > Geo.Flat > zero"),
        ("use.ts", 5, "circumferenceOfCircle", 1, CIRCLE),
        ("use.ts", 5, "length", 1, CIRCLE),
        ("use.ts", 5, "pi", 1, PI),
        ("use.ts", 5, "p }", 1, PI),
        ("use.ts", 6, "aliasLonger", 1, PI),
        ("use.ts", 6, "c(", 1, CIRCLE),
        ("shapes.ts", 6, "pi", 1, PI),
        ("shapes.ts", 7, "side", 2, "shapes.ts > Área > #side"),
        ("port.js", 2, "module", 2, "port.js > port"),
        ("port.js", 2, "exports", 1, "port.js > port"),
        ("port.js", 2, "module", 1, "None"),
        ("draw.d.ts", 1, "draw", 1, "draw.d.ts > draw"),
        ("draw.d.ts", 2, "draw", 1, "draw.d.ts > draw"),
        ("draw.d.ts", 2, "draw", 2, "None"),
        ("draw.d.ts", 5, "move", 1, "draw.d.ts > Pen > move"),
        ("reader.js", 2, "module", 1, "reader.js > read"),
        ("reader.js", 4, "exports", 1, "None"),
        ("pairs.js", 3, "pair", 1, "None"),
        ("pairs.js", 6, "pair", 2, "pairs.js > pair"),
        ("lines.js", 1, "exports", 1, "lines.js > lines"),
        ("reading.js", 3, "exports", 1, "reading.js > all"),
        ("offered.js", 2, "exports", 1, "lines.js > lines"),
        ("offered.js", 3, "exports", 1, "None"),
        ("added.ts", 1, "Rows", 1, "rows.d.ts > Rows"),
        ("added.ts", 3, "Rows", 1, "rows.d.ts > Rows"),
        ("added.ts", 3, "Bins", 1, "rows.d.ts > Bins"),
        ("added.ts", 3, "Lids", 1, "rows.d.ts > Lids"),
        ("added.ts", 3, "Tags", 1, "rows.d.ts > Tags"),
    ],
)
def test_a_place_means_what_stands_there(
    workspace: Workspace, file: str, line: int, text: str, occurrence: int, name: str
) -> None:
    column = _column(file, line, text, occurrence)
    assert _definition(workspace, file=file, line=line, column=column) == name
    written = FILES[file].split("\n")[line - 1]
    utf16 = len(written[:column].encode("utf-16-le")) // 2
    assert _definition(workspace, file=file, line=line, column=utf16, column_unit="utf-16") == name


@pytest.mark.parametrize(
    ("line", "text", "occurrence", "name"),
    [
        (1, "type", 1, "words.ts > Shelf > type"),
        (1, "delete", 1, "words.ts > Shelf > delete"),
        (3, "set", 1, "words.ts > set"),
        (3, "of", 1, "None"),
        (3, "type", 1, "None"),
        (4, "delete", 1, "words.ts > Shelf > delete"),
        (4, "type", 1, "None"),
        (5, "of ", 1, "words.ts > set"),
        (5, "of]", 1, "None"),
        (5, "set", 1, "words.ts > set"),
        (5, "type", 1, "None"),
        (5, "as ", 1, "words.ts > set"),
        (5, "Other", 1, "words.ts > Other"),
        (6, "type:", 1, "None"),
        (6, "type", 2, "words.ts > Shelf > type"),
        (6, "type ", 1, "None"),
        (6, "type]", 1, "None"),
        (8, "readonly", 1, "words.ts > Box"),
        (8, "async", 1, "words.ts > Box > async"),
        (8, "get(", 1, "words.ts > Box > get"),
        (8, "this", 1, "words.ts > Box"),
        (8, "async", 2, "words.ts > Box > async"),
        (9, "keyof", 1, "words.ts > key"),
        (9, "value as", 1, "None"),
        (10, "K", 1, "None"),
        (10, "T as", 1, "None"),
    ],
)
def test_words_are_keywords_only_where_the_language_has_them(
    workspace: Workspace, line: int, text: str, occurrence: int, name: str
) -> None:
    place = {"file": "words.ts", "line": line, "column": _column("words.ts", line, text, occurrence)}
    assert _definition(workspace, **place) == name


def test_a_name_that_require_binds_leads_to_what_it_stands_for(workspace: Workspace) -> None:
    line = FILES["reading.js"].split("\n")[2]
    assert _definition(workspace, file="reading.js", line=3, column=line.index("take")) == "reader.js > read"
    assert _definition(workspace, file="reading.js", line=3, column=line.index("lines")) == "lines.js > lines"
    found = workspace.trace("reading.js > take", include=["references"]).to_json()
    assert [(use["file"], use["line"]) for use in found["references"]] == [("reading.js", 3)]


def test_a_call_leads_to_the_function_beside_a_class_and_a_namespace(workspace: Workspace) -> None:
    line = FILES["sites.ts"].split("\n")[1]
    lines = []
    for column in (line.index("Site("), line.rindex("Site(")):
        found = workspace.trace(file="sites.ts", line=2, column=column, include=["definitions"]).to_json()["definition"]
        lines.append((found["kind"], found["line"]))
    assert lines == [("function", 2), ("class", 1)]


def test_columns_that_are_printed_can_be_asked_for(workspace: Workspace) -> None:
    found = workspace.trace("pi", include=["references"]).to_json()
    assert {(use["file"], use["line"]) for use in found["references"]} >= {("use.ts", 4), ("use.ts", 6), ("use.ts", 1)}
    for use in found["references"]:
        place = {"file": use["file"], "line": use["line"]}
        assert _definition(workspace, **place, column=use["column"] - 1) == PI
        utf16 = use.get("utf16Column", use["column"])
        assert _definition(workspace, **place, column=utf16 - 1, column_unit="utf-16") == PI


def test_both_units_are_told_where_they_differ(workspace: Workspace) -> None:
    uses = {(use["file"], use["line"]): use for use in workspace.trace("pi", include=["references"]).to_json()["references"]}
    wide, plain = uses["use.ts", 4], uses["use.ts", 1]
    assert wide["column"] == _column("use.ts", 4, "pi)") + 1
    assert wide["utf16Column"] == wide["column"] + 1  # the face takes two units
    assert "utf16Column" not in plain


def test_a_unit_that_does_not_exist_is_refused(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="characters or utf-16"):
        workspace.trace(file="use.ts", line=1, column=0, column_unit="bytes")  # type: ignore[arg-type]


def test_a_column_behind_the_end_is_told_in_its_unit(workspace: Workspace) -> None:
    written = FILES["use.ts"].split("\n")[3]
    found = workspace.trace(file="use.ts", line=4, column=900, column_unit="utf-16").to_json()
    assert f"ends at column {len(written.encode('utf-16-le')) // 2}." in found["nothing"]["symbol"]
