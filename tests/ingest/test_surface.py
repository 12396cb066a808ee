"""What other files can see of a file: which edits change the slice of a name, and which do not."""

from __future__ import annotations

import pytest
from astrolabe.ingest.facts.operations import Op
from astrolabe.ingest.incremental.affected import EVERYTHING, changed_names
from astrolabe.ingest.incremental.operands import OPERANDS
from astrolabe.ingest.incremental.surface import Surface, surface_of
from astrolabe.ingest.incremental.taken_names import WHOLE, TakenImport, taken_imports, taken_names
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.typescript.resolve.model.implied_exports import implied_exports
from astrolabe.ingest.workers.file_symbols import file_symbols

BASE = """import { helper, type Options } from './helper'
import * as maths from './maths'
export class Repo<T> {
  private items: T[] = []
  add(item: T): void { this.items.push(item) }
  first() { return this.items[0] }
}
export function written(options: Options): number { return helper(options) }
export const inferred = () => helper({})
export const twice = (value: number) => maths.double(value)
const inner = 1
export interface Shape { kind: 'circle'; size: number }
"""


def surface(text: str) -> Surface:
    facts = extract_facts(text.encode(), "typescript")
    return surface_of(facts, [symbol.id for symbol in file_symbols("a.ts", facts.symbols)], is_script=False)


@pytest.mark.parametrize(("path", "names"), [("a.d.ts", {"Row", "loose", "Out"}), ("a.ts", {"Out"})])
def test_a_declaration_file_with_imports_exports_all_that_it_declares(path: str, names: set[str]) -> None:
    text = "import { Base } from './b'\ninterface Row extends Base {}\ndeclare const loose: Row\nexport type Out = Row\n"
    facts = extract_facts(text.encode(), "typescript")
    symbols = [symbol.id for symbol in file_symbols(path, facts.symbols)]
    found = surface_of(facts, symbols, is_script=False, implied=implied_exports(path, facts))
    assert set(found.names) == names


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("import { helper", "// above\n\nimport { helper", set()),
        ("return helper(options)", "return helper(options) + 1", set()),
        ("this.items.push(item)", "this.items.unshift(item)", set()),
        ("const inner = 1", "const inner = 'text'", set()),
        ("return this.items[0]", "return this.items", {"Repo"}),
        ("add(item: T)", "add(item: T, more?: T)", {"Repo"}),
        ("(options: Options): number", "(options: Options): string", {"written"}),
        ("=> helper({})", "=> [helper({})]", {"inferred"}),
        ("maths.double", "maths.half", {"twice"}),
        ("kind: 'circle'", "kind: 'square'", {"Shape"}),
        ("export interface Shape", "interface Shape", {"Shape"}),
        ("const inner", "export const inner", {"inner"}),
        ("export function written", "/** said */ export function written", set()),
    ],
)
def test_an_edit_changes_the_names_through_which_it_is_seen(old: str, new: str, names: set[str]) -> None:
    assert old in BASE
    assert changed_names(surface(BASE), surface(BASE.replace(old, new))) == names


def test_a_file_that_came_or_went_changes_every_name() -> None:
    assert changed_names(None, surface(BASE)) == changed_names(surface(BASE), None) == EVERYTHING


def test_slices_name_what_they_take_from_imports() -> None:
    names = surface(BASE).names
    assert names["inferred"].labels == {(0, "helper")}
    assert names["written"].labels == {(0, "Options")}
    assert names["twice"].labels == {(1, "double")}
    assert names["Shape"].labels == set()


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("import { a, b as c } from './x'", {0: {"a", "b"}}),
        ("import a from './x'\nimport './y'", {0: {"default"}, 1: set()}),
        ("import * as x from './x'\nx.a(); x.b", {0: {"a", "b"}}),
        ("import * as x from './x'\nuse(x)", {0: {WHOLE}}),
        ("export { a } from './x'", {0: {"a"}}),
        ("export * from './x'", {0: set()}),
        ("export * as x from './x'", {0: {WHOLE}}),
        ("const { a } = require('./x')", {0: {WHOLE}}),
        ("type A = import('./x').B", {0: {WHOLE}}),
    ],
)
def test_names_taken_from_imports(text: str, taken: dict[int, set[str]]) -> None:
    assert taken_names(extract_facts(text.encode(), "typescript")) == taken


def test_what_is_taken_is_told_import_by_import() -> None:
    facts = extract_facts(b"import { a } from './x'\nexport * from './y'\nimport './x'\n", "typescript")
    assert taken_imports(facts) == (
        TakenImport("./x", frozenset(("a",)), False),
        TakenImport("./y", frozenset(), True),
        TakenImport("./x", frozenset(), False),
    )


def test_every_operation_can_be_walked() -> None:
    operations = {value for name, value in vars(Op).items() if isinstance(value, int) and not name.startswith("_")}
    assert operations - OPERANDS.keys() == {Op.THIS, Op.SUPER, Op.T_THIS}
