"""What a change breaks by itself, over two states that are dictionaries."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from astrolabe.ingest.incremental.broken_imports import Breakage, broken_by_change, lost_names
from astrolabe.ingest.incremental.tree_state import TreeState

SHOP = {
    "src/cart.ts": "export const total = 1\nexport function tax() {}\nexport default class Cart {}\n",
    "src/index.ts": "export * from './cart'\nexport { default as Cart } from './cart'\n",
    "src/shop.ts": "import Cart, { total } from './cart'\nimport * as cart from './cart'\nnew Cart(cart.tax(), total)\n",
    "src/far.ts": "import { tax, Cart } from '.'\ntax(Cart)\n",
    "src/old.js": "module.exports = { a: 1 }\n",
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}',
    "src/aliased.ts": "import { tax } from '@/cart'\ntax()\n",
    "app/__init__.py": "from .models import *\n",
    "app/models.py": "def load(): pass\nclass User: pass\n",
    "app/views.py": "from . import models, load\nfrom .models import User\nfrom app.models import load as again\n",
}


def breakages(change: dict[str, str | None]) -> list[str]:
    """What a change of the shop breaks; None removes a file."""
    after = {path: text for path, text in {**SHOP, **change}.items() if text is not None}
    others = SHOP.keys() - change.keys()
    return [f"{found.path}:{found.line} {found.reason}" for found in broken(of(SHOP), of(after), [*change], others)]


def broken(before: TreeState, after: TreeState, changed: Iterable[str], others: Iterable[str] = ()) -> list[Breakage]:
    lost = {name for path in changed for name in lost_names(before, after, path)}
    return broken_by_change(before, after, changed, others, lost)


def of(files: dict[str, str]) -> TreeState:
    return TreeState("/repository", files, lambda path: files[path].encode())


def test_an_export_that_is_gone() -> None:
    assert breakages({"src/cart.ts": "export const total = 1\nexport default class Cart {}\n"}) == [
        "src/aliased.ts:1 imports 'tax' from '@/cart', which src/cart.ts does not export",
        "src/far.ts:1 imports 'tax' from '.', which src/index.ts does not export",
        "src/shop.ts:3 imports 'tax' from './cart', which src/cart.ts does not export",
    ]


def test_a_default_export_that_is_gone() -> None:
    assert breakages({"src/cart.ts": "export const total = 1, tax = () => 2\n"}) == [
        "src/index.ts:2 imports 'default' from './cart', which src/cart.ts does not export",
        "src/shop.ts:1 imports 'default' from './cart', which src/cart.ts does not export",
    ]


def test_names_that_the_compiler_takes_from_elsewhere_are_not_gone() -> None:
    moved = "export * from './basket'\nexport { Basket as default } from './basket'\n"
    assert breakages({"src/basket.ts": "export const total = 1, tax = 2\nexport class Basket {}\n", "src/cart.ts": moved}) == []


def test_a_module_that_passes_on_a_package_may_export_anything() -> None:
    assert breakages({"src/cart.ts": "export * from 'some-package'\nexport default 1\n"}) == []


def test_a_file_that_is_gone() -> None:
    assert breakages({"src/cart.ts": None}) == [
        "src/aliased.ts:1 imports '@/cart', which is no file of the commit",
        "src/index.ts:1 imports './cart', which is no file of the commit",
        "src/shop.ts:1 imports './cart', which is no file of the commit",
    ]


def test_a_file_that_moved_to_a_folder_is_not_gone() -> None:
    assert breakages({"src/cart.ts": None, "src/cart/index.ts": SHOP["src/cart.ts"]}) == []


def test_new_imports_that_lead_nowhere() -> None:
    text = "import './nothing'\nimport { nope } from './cart'\nimport 'a-package'\nimport { a } from './old'\n"
    assert breakages({"src/new.ts": text + "function later() { return import('./tried') }\n"}) == [
        "src/new.ts:1 imports './nothing', which is no file of the commit",
        "src/new.ts:2 imports 'nope' from './cart', which src/cart.ts does not export",
    ]


def test_names_of_python() -> None:
    assert breakages({"app/models.py": "class User: pass\n"}) == [
        "app/views.py:1 imports 'load' from '.', which app/__init__.py does not export",
        "app/views.py:3 imports 'load' from 'app.models', which app/models.py does not export",
    ]
    assert breakages({"app/models.py": "class User: pass\ndef __getattr__(name): return name\n"}) == []


def test_modules_of_python() -> None:
    assert breakages({"app/models.py": None, "app/__init__.py": "from ._fast import load\n"}) == [
        "app/__init__.py:1 imports '._fast', which is no file of the commit",
        "app/views.py:1 imports 'models' from '.', which app/__init__.py does not export",
        "app/views.py:2 imports '.models', which is no file of the commit",
        "app/views.py:3 imports 'app.models', which is no file of the commit",
    ]
    assert breakages({"app/new.py": "try:\n    from ._fast import a\nexcept ImportError:\n    a = None\n"}) == []


def test_only_new_problems_are_told() -> None:
    wrong = "export const total = ;\n"
    before, after = of({"a.ts": wrong}), of({"a.ts": "const fine = 1\n" + wrong})
    assert broken(before, after, ["a.ts"]) == []
    [found] = broken(of({"a.ts": "export {}\n"}), after, ["a.ts"])
    assert found.line == 2
    assert found.reason.startswith("has a syntax error: ")


def test_signatures_that_lost_their_implementation() -> None:
    sizes = "export function size(): number\nexport function size(of: string): string\n"
    body = "export function size(of?: string): any {\n  return of ?? 1\n}\n"
    box = "export abstract class Box {\n  abstract lid(): void\n  wrap?(): void\n  open(by: string): void\n"
    opened = "  open(by: string, twice?: boolean): void {}\n"
    rest = "}\ndeclare namespace Town {\n  function visit(): void\n}\ndeclare function leave(): void\n"
    whole = of({"a.ts": sizes + body + box + opened + rest, "b.d.ts": body})
    assert broken(of({"a.ts": ""}), whole, ["a.ts"]) == []
    lost = of({"a.ts": sizes + box + rest, "b.d.ts": sizes})
    assert broken(lost, lost, ["a.ts"]) == []
    assert [tuple(each) for each in broken(whole, lost, ["a.ts", "b.d.ts"])] == [
        ("a.ts", 1, "declares size, which has no implementation", ""),
        ("a.ts", 6, "declares Box.open, which has no implementation", ""),
    ]


def test_what_was_broken_before_is_not_told() -> None:
    files = {"a.ts": "import { x, y } from './b'\nimport './c'\n", "b.ts": "export const y = 1\n"}
    changed = {**files, "a.ts": files["a.ts"] + "export const z = x\n"}
    assert broken(of(files), of(changed), ["a.ts"]) == []


@pytest.mark.parametrize("content", ["\0\0", "import", "export * from './a'\nexport * from './b'", "\ufeff"])
def test_any_content_is_compared(content: str) -> None:
    files = {"a.ts": content, "b.ts": "export * from './a'\nexport const x = 1\n", "c.py": "from .c import *\n" + content}
    state = of(files)
    assert [lost_names(state, state, path) for path in files] == [frozenset()] * 3
    assert broken(state, state, files, files) == []
