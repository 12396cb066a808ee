"""Circles of loading, circles that only lazy imports close, and circles of types are told apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from astrolabe.server.api.workspace import Workspace

#: How one file imports another that imports it while loading, and the kind of the circle.
CASES = {
    "a statement": ("import { b } from './b'\nexport const a = b\n", "load"),
    "a require at the root": ("exports.a = require('./b')\n", "load"),
    "a require in a block": ("if (process.env.X) { require('./b') }\nexports.a = 1\n", "load"),
    "a require in a function": ("exports.a = () => require('./b')\n", "lazy"),
    "a require in a method": ("exports.A = class { go() { return require('./b') } }\n", "lazy"),
    "a dynamic import in a function": ("export const a = () => import('./b')\n", "lazy"),
    "a dynamic import at the root": ("export const a = import('./b')\n", "lazy"),
    "an awaited import at the root": ("export const a = await import('./b')\n", "load"),
    "an awaited import in a function": ("export async function a() { await import('./b') }\n", "lazy"),
    "a function that is called at once": ("(function () { exports.a = require('./b') })()\n", "load"),
    "an arrow function that is called at once": ("exports.a = (() => require('./b'))()\n", "load"),
    "a function that is called with this": ("(function () { require('./b') }).call(this)\nexports.a = 1\n", "load"),
    "a function inside one that is called at once": ("(() => { exports.a = () => require('./b') })()\n", "lazy"),
    "a definition of AMD": ("define(function (require) { require('./b') })\nexports.a = 1\n", "load"),
    "a type": ("import type { B } from './b'\nexport const a: B = 1\n", "type"),
    "both in a function and at the root": ("exports.a = () => require('./b')\nrequire('./b')\n", "load"),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES)
def test_what_closes_a_circle(indexed_project: Callable[[dict[str, str]], Workspace], case: str) -> None:
    text, kind = CASES[case]
    files = {"a.ts": text, "b.ts": "import { a } from './a'\nexport const b = a\nexport type B = number\n"}
    workspace = indexed_project(files)
    (circle,) = workspace.lint(checks=["circular-deps"]).answer.circular_deps or ()
    assert (circle.chain, circle.kind) == (("a.ts", "b.ts", "a.ts"), kind)
    assert circle.severity == ("warning" if kind == "load" else "info")
    graph = workspace.map(detect_circular=True).answer.graph
    assert graph is not None
    assert [cycle.kind for cycle in graph.circular] == [kind]


def test_a_circle_of_loading_is_not_hidden_by_a_lazy_one(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    files = {
        "a.ts": "import './b'\nexport const late = () => import('./c')\n",
        "b.ts": "import './c'\n",
        "c.ts": "import './a'\n",
    }
    found = indexed_project(files).lint(checks=["circular-deps"])
    kinds = [(circle.chain, circle.kind) for circle in found.answer.circular_deps or ()]
    assert kinds == [(("a.ts", "b.ts", "c.ts", "a.ts"), "load"), (("a.ts", "c.ts", "a.ts"), "lazy")]
    assert "  info (lazy): a.ts > c.ts > a.ts" in found.text


def test_a_component_that_renders_itself_is_no_circle(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    tree = "<script>import Self from './Tree.svelte'; let { node } = $props()</script>\n<Self {node} />"
    workspace = indexed_project({"Tree.svelte": tree, "a.ts": "import { a } from './a'\nexport const b = () => a\n"})
    circles = workspace.lint(checks=["circular-deps"]).answer.circular_deps or ()
    assert [circle.chain for circle in circles] == [("a.ts", "a.ts")]
