"""Random edits of a project, as people and tools make them, given as data so that a failure can be shrunk."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from written_notebook import notebook

#: A small workspace in which names travel: barrels, namespaces, classes and inferred types.
PROJECT = {
    "package.json": '{"name": "shop", "workspaces": ["packages/*"], "dependencies": {"left-pad": "^1"}}\n',
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["src/lib/*"]}}}\n',
    "src/lib/base.ts": "export interface Shape { area(): number; label: string }\n"
    "export abstract class Base implements Shape {\n  label = 'base'\n  abstract area(): number\n"
    "  describe() { return this.label + helper(this.area()) }\n}\n"
    "function helper(value: number) { return { value, twice: value * 2 } }\nexport const registry = new Map<string, Shape>()\n",
    "src/lib/square.ts": "import { Base } from './base'\nexport class Square extends Base {\n"
    "  constructor(readonly side: number) { super() }\n  area() { return this.side ** 2 }\n}\n"
    "export function makeSquare(side: number) { return new Square(side) }\n"
    "export default makeSquare\n",
    "src/lib/index.ts": "export * from './base'\nexport { Square, makeSquare as make } from './square'\n"
    "export * as squares from './square'\n",
    "src/lib/maths.ts": "export const add = (a: number, b: number): number => {\n  const sum = a + b\n  return sum\n}\n"
    "export const pair = (a: number) => ({ first: a, next: () => pair(a + 1) })\nexport type Pair = ReturnType<typeof pair>\n",
    "src/app.ts": "import { make, registry, Shape } from './lib'\nimport * as maths from '@lib/maths'\n"
    "import pad from 'left-pad'\n"
    "export function run(shapes: Shape[]) {\n  const square = make(2)\n  registry.set('a', square)\n"
    "  shapes.forEach((shape) => shape.area())\n"
    "  registry.get('a')?.area()\n  square.describe()\n  return pad(String(maths.add(1, maths.pair(3).next().first)))\n}\n",
    "src/view.tsx": "import { run } from './app'\nimport type { Pair } from './lib/maths'\n"
    "export const View = ({ pair }: { pair: Pair }) => <b onClick={() => run([])}>{pair.next().first}</b>\n"
    "export const Page = () => <View pair={{} as Pair} />\n",
    "src/inferred.ts": "import { squares } from './lib'\nexport const made = squares.makeSquare(1)\n"
    "export const side = () => made.side\n"
    "export function use() { return made.area() + side() }\n",
    "src/globals.d.ts": "declare global { interface Window { shop: { open(): void } } }\nexport {}\n",
    "src/window.ts": "import { make } from './lib'\nimport type { Pair } from './lib/maths'\n"
    "declare global {\n  interface Window { maker: typeof make; latest: Pair }\n  var latestOfAll: ReturnType<typeof make>\n}\n",
    "src/uses-window.ts": "export const madeThere = window.maker(2)\nmadeThere.area()\nexport const { latest } = window\n"
    "latest.next().next()\nlatestOfAll.describe()\n",
    "src/passes-on.ts": "import { madeThere, latest } from './uses-window'\nmadeThere.area()\nexport const l = latest.next()\n",
    "src/legacy.js": "const { run } = require('./app')\nfunction Legacy() { this.count = 0 }\n"
    "Legacy.prototype.start = function () { this.count += 1; return run([]) }\nmodule.exports = { Legacy }\n",
    "src/uses-legacy.js": "const { Legacy } = require('./legacy')\nnew Legacy().start()\nwindow.shop.open()\n",
    "market/__init__.py": "from .orders import Order, load as load_order\nfrom . import prices\n"
    '\n__all__ = ["Order", "load_order"]\n',
    "market/base.py": "from __future__ import annotations\n\n\nclass Record:\n    def save(self):\n        return self\n\n"
    "    def area(self) -> int:\n        return helper(2)\n\n\ndef helper(value):\n    return Record()\n",
    "market/prices.py": "from .base import Record, helper\n\n\nclass Price(Record):\n    def area(self):\n        return 3\n\n"
    "    def open(self):\n        return helper(1)\n\n\ndef make(side: int = 1):\n    return Price()\n",
    "market/orders.py": "from . import prices\nfrom .base import *\n\n\nclass Order(Record):\n"
    "    def __init__(self, size: int) -> None:\n"
    "        self.price = prices.make(size)\n        self.parent: Order | None = None\n\n    @property\n    def first(self):\n"
    "        return self.price\n\n\ndef load() -> Order:\n    return Order(1)\n\n\ndef start():\n    return helper(2).save()\n",
    "market/app.py": "import market\nimport market.orders\nfrom market import load_order, prices as costs\n\n"
    "\ndef run(side: int):\n"
    "    order = load_order()\n    order.first.open()\n    order.save().area()\n    market.prices.make(side).open().save()\n"
    "    costs.make(2).area()\n    if order.parent:\n        order.parent.first.area()\n    return market.orders.start()\n",
    "market/page.py": "from .app import run\n\nMADE = run(1)\nMADE.area()\n\n\ndef view(pair=MADE):\n    return pair.save()\n",
    "src/Panel.vue": "<script setup lang=\"ts\">\nimport { ref } from 'vue'\nimport Price from './Price.vue'\n"
    "import { make } from './lib'\nconst props = defineProps<{ title: string; depth?: number }>()\nconst square = ref(make(3))\n"
    '</script>\n<template>\n  <Price v-for="side in [square.side]" :value="square.area()" @pick="square.describe()">\n'
    '    {{ title }}\n  </Price>\n  <side-bar :panel="props.title" />\n</template>\n',
    "src/Price.vue": '<template>\n  <b @click="pick(value)">{{ label }}</b>\n</template>\n<script>\n'
    "import { price } from './prices'\n"
    "export default {\n  props: { value: Number },\n  emits: ['pick'],\n  data() {\n    return { base: price() }\n  },\n"
    "  computed: {\n    label() {\n      return this.base + this.value\n    },\n  },\n"
    "  methods: {\n    pick(value) {\n      this.$emit('pick', value)\n    },\n  },\n}\n</script>\n",
    "src/SideBar.vue": '<script setup lang="ts">\ndefineProps<{ panel: string }>()\n</script>\n'
    "<template>{{ panel }}</template>\n",
    "src/main.ts": "import { createApp } from 'vue'\nimport Panel from './Panel.vue'\nimport SideBar from './SideBar.vue'\n"
    "createApp(Panel).component('side-bar', SideBar).mount('#app')\n",
    "src/Count.svelte": "<script lang=\"ts\">\n  import { made } from './inferred'\n  import { total } from './stores'\n"
    "  import Row from './Row.svelte'\n  let { start = 1 }: { start?: number } = $props()\n"
    "  let shown = $state(made)\n</script>\n"
    "{#each [shown] as square, index}\n  <Row {square} label={$total.area()} />{square.area() + index + start}\n{/each}\n",
    "src/Row.svelte": "<script lang=\"ts\">\n  import type { Square } from './lib'\n  export let square: Square\n"
    "  export let label: number\n</script>\n<b>{square.describe()} {label}</b>\n",
    "src/stores.ts": "import { writable } from 'svelte/store'\nimport { make } from './lib'\n"
    "export const total = writable(make(1))\n",
    "src/prices.json": '{"square": 2}\n',
    "src/prices.ts": "import prices from './prices.json'\nconst rates = require('./rates')\n"
    "export const price = () => prices.square * rates.square\n",
    "packages/kit/package.json": '{"name": "@shop/kit", "main": "index.ts"}\n',
    "packages/kit/index.ts": "export class Kit { open() { return this } static create() { return new Kit() } }\n",
    "packages/web/package.json": '{"name": "@shop/web", "dependencies": {"@shop/kit": "*"}}\n',
    "packages/web/main.ts": "import { Kit } from '@shop/kit'\nKit.create().open().open()\nexport const kit = Kit.create()\n",
    "go.mod": "module example.com/shop\n",
    "service/main.go": 'package main\n\nimport "example.com/shop/service/price"\n\n// Total adds.\nfunc Total(of int) int {\n'
    "\treturn price.Of(of) + table().Of(of)\n}\n",
    "service/table.go": 'package main\n\nimport "example.com/shop/service/price"\n\ntype area struct{ *price.Table }\n\n'
    "func table() area {\n\treturn area{price.Default}\n}\n",
    "service/price/price.go": "package price\n\ntype Table struct {\n\tRates int\n}\n\nvar Default = make(1)\n\n"
    "func (t *Table) Of(n int) int {\n\treturn n * t.Rates\n}\n",
    "service/price/rates.go": "package price\n\ntype Rated interface {\n\tOf(n int) int\n}\n\n"
    "func make(side int) *Table {\n\treturn &Table{side}\n}\n\nfunc Of(n int) int {\n\treturn Default.Of(n)\n}\n",
    "stock/models.py": "from django.db import models\n\n\nclass Berth(models.Model):\n"
    "    label = models.CharField(max_length=9)\n\n\n"
    "class BoatManager(models.Manager):\n    def open(self):\n        return self.filter(side=1)\n\n\n"
    "class Boat(models.Model):\n    side = models.IntegerField()\n"
    '    berth = models.ForeignKey("Berth", models.CASCADE, related_name="boats")\n    objects = BoatManager()\n',
    "stock/sales.py": "from .models import Berth, Boat\n\n\ndef first():\n"
    "    return Boat.objects.open().filter(berth__label='a').first()\n\n\n"
    "def run():\n    first().save()\n    area(Boat.objects.exclude(side=2))\n"
    "    Berth.objects.get(label='b').boats.update(side=3)\n\n\n"
    "def area(boats):\n    boats.delete()\n",
    "tools/shop/__init__.py": '"""Reports of the shop."""\n',
    "tools/shop/report.py": 'from .totals import Totals\n\n\nclass Report:\n    """What was sold."""\n\n'
    "    def lines(self, run: int) -> list[str]:\n        return [str(run)]\n",
    "tools/shop/totals.py": "import shop.report as report\n\nRATE = 7\n\n\ndef area(side: int) -> int:\n    return side * RATE\n",
    "market/report.ipynb": notebook(
        [
            ("markdown", "Orders of a day"),
            ("code", "%matplotlib inline\nfrom market import prices\nfrom market.orders import load, start"),
            ("code", "def area(side: int = 2):\n    return prices.make(side).open()"),
            ("code", "made = load()\nmade.first.area()\narea().save()\nstart()"),
        ]
    ),
    "stock/src/lib.rs": "pub fn count(goods: u32) -> u32 { goods }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
    "    #[test]\n    fn counts() { assert_eq!(count(1), 1); }\n}\n",
    "test/app.test.ts": "import { run } from '../src/app'\nimport { use } from '../src/inferred'\nrun([])\nuse()\n",
}


class Edit(NamedTuple):
    """One edit: which, and numbers that choose where."""

    kind: str
    where: int
    what: int


_EDITED = (".ts", ".tsx", ".js", ".py", ".ipynb", ".go", ".java", ".rs")


def _sources(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.suffix in _EDITED and ".astrolabe" not in path.parts)


def _change(pattern: str, replacement: str) -> Callable[[str, int], str]:
    """Replaces one of the places where a pattern matches."""

    def change(text: str, what: int) -> str:
        places = list(re.finditer(pattern, text))
        if not places:
            return text
        place = places[what % len(places)]
        return text[: place.start()] + place.expand(replacement) + text[place.end() :]

    return change


_LINES = (
    "\nexport function extra{0}(value: number) {{ return value + {0} }}\n",
    "\nexport class Extra{0} {{ area() {{ return {0} }} }}\n",
    "\nfunction local{0}() {{ return {0} }}\nlocal{0}()\n",
    "\nexport const extra{0} = {{ area: () => {0} }}\n",
    "\nexport default function () {{ return {0} }}\n",
)

_OWN = (
    "interface Own{0} {{ open(): number }} var own{0}: Own{0}",
    "class Own{0} {{ open(): string; close(): void }} const own{0}: Own{0}",
)

#: A member that a file adds to an interface of another one, and a use of it.
_AUGMENTED = "\nexport {{}}\ndeclare module '@lib/base' {{ interface Shape {{ more{0}(): {1} }} }}\n"
_USED = "import type {{ Shape as Form }} from '@lib/base'\n{0}\nexport const more{1} = (of: Form) => of.more{2}().valueOf()\n"
#: What the text of a file becomes.
TEXT_EDITS: dict[str, Callable[[str, int], str]] = {
    "a line above": lambda text, what: "// a remark\n" + text,
    "a statement": lambda text, what: text + f"\nconsole.log({what})\n",
    "a declaration": lambda text, what: text + _LINES[what % len(_LINES)].format(what % 3),
    "a line less": lambda text, what: "".join(
        line for place, line in enumerate(text.splitlines(True)) if place != what % max(1, text.count("\n"))
    ),
    "another name": _change(r"\b(area|side|make|helper|pair|run|made|open|start)\b", r"\1Else"),
    "another number": _change(r"\b\d\b", "7"),
    "a parameter": _change(r"\((?=\w+: \w+)", "(more: string, "),
    "a result": _change(r"(?<=\w)\((\w+: number)\) \{", r"(\1): number {"),
    "not exported": _change(r"\bexport (?=const|function|class|interface|type)", ""),
    "exported": _change(r"(?m)^(?=(?:const|function|class) )", "export "),
    "another base": _change(r" extends Base\b| implements Shape\b", ""),
    "another import": _change(r"from '\./(\w+)'", "from './lib/base'"),
    "star import": _change(r"import \{ ([\w, ]+) \} from", r"import * as names from"),
    "broken": lambda text, what: text[: what % max(1, len(text))] + "{ (" + text[what % max(1, len(text)) :],
    "empty": lambda text, what: "",
    "no test": _change(r"#\[cfg\(test\)\]\n", ""),
    "annotation": _change(r"export const (\w+) = ", r"export const \1: any = "),
    "any name": _change(r"\b[a-zA-Z]\w{3,}\b", r"\g<0>Else"),
    "any number": _change(r"\b\d+\b", "7"),
    "any annotation": _change(r"(?<=\)): [A-Z]\w+(?= \{)", ""),
    "any parameter": _change(r"(?<=[a-z]\()(?=\w+: \w+)", "more: string, "),
    "any member": _change(r"(?m)^  readonly (?=\w+[:?])", r"  readonly another?: \"some\"\n  readonly "),
    "any line less": lambda text, what: "".join(
        line for place, line in enumerate(text.splitlines(True)) if place != what % max(1, text.count("\n"))
    ),
    "ambient": lambda text, what: (
        text + "\ndeclare global { interface Array<T> { shopped(): T } var shopping: Map<string, T> }\n"
    ),
    "a member for all": lambda text, what: (
        f"{text}\nexport {{}}\ndeclare global {{ interface Window {{ maker{what % 2}: {('string', 'Date')[what % 3 % 2]} }} }}\n"
    ),
    "a use of a member": lambda text, what: f"{text}\nexport const seen{what % 3} = window.maker{what % 2}.valueOf()\n",
    "an augmentation": lambda text, what: f"{text}{_AUGMENTED.format(what % 2, ('string', 'Date')[what % 3 % 2])}",
    "a use of an augmentation": lambda text, what: _USED.format(text, what % 3, what % 2),
    "a global": lambda text, what: f"{text}\nexport {{}}\ndeclare global {{ {_OWN[what % 2].format(what % 3)} }}\n",
    "a use of a global": lambda text, what: f"{text}\nexport const used{what % 3} = own{what % 3}\nused{what % 3}.open()\n",
}
_PYTHON_LINES = (
    "\n\ndef extra{0}(value: int):\n    return value\n\n\nextra{0}({0})\n",
    "\n\nclass Extra{0}:\n    def area(self):\n        return {0}\n",
    "\n\nfrom market.prices import make\n\nextra{0} = make({0})\n",
)
#: The same for Python.
PYTHON_EDITS: dict[str, Callable[[str, int], str]] = {
    "a definition": lambda text, what: text + _PYTHON_LINES[what % len(_PYTHON_LINES)].format(what % 3),
    "another returned value": _change(r"return (?!None)\w[^\n]*", "return None"),
    "an annotated result": _change(r" -> [^\n:]+:", ":"),
    "no base": _change(r"(?m)^(\s*class \w+)\([^()]*\):", r"\1:"),
    "everything imported": _change(r"(?m)^from ([.\w]+) import \w+(?:, \w+)*$", r"from \1 import *"),
    "a module imported": _change(r"(?m)^from (\w[.\w]*) import \w+(?:, \w+)*$", r"import \1"),
    "a name less": _change(r"(?m)^(from [.\w]+ import )\w+, ", r"\1"),
    "a decorator": _change(r"(?m)^(\s*)(?=def )", r"\1@property\n\1"),
    "no decorator": _change(r"(?m)^\s*@\w+\n", ""),
    "a condition": _change(r"(?m)^( +)(?=return )", r"\1if self:\n\1    return 3\n\1"),
}
#: The same for Java.
JAVA_EDITS: dict[str, Callable[[str, int], str]] = {
    "another overload": _change(
        r"(?m)^( +(?:public |private |protected )?(?:static )?[\w<>\[\]]+ )(\w+)\(([^()\n]*)\) \{",
        r"\1\2(int more) { return \2(more, more); }\n\g<0>",
    ),
    "another first parameter": _change(r"(\w+)\((?=\w+ \w+[,)])", r"\1(String more, "),
    "a written type": _change(r"\b(?:String|int|long|boolean|Object|List)\b", "Else"),
    "hidden": _change(r"\bpublic (?=\w)", "private "),
    "no heritage": _change(r" (?:extends|implements) [\w<>, .]+(?= \{)", ""),
    "no annotation": _change(r"@\w+(?:\([^()]*\))?\s", ""),
    "an import less": _change(r"(?m)^import [\w. ]+;\n", ""),
    "a package imported": _change(r"(?m)^import ([a-z.]+)\.[A-Z]\w+;", r"import \1.*;"),
    "another package": _change(r"(?m)^package ([\w.]+);", r"package \1.other;"),
}
#: The same for the cells of notebooks.
NOTEBOOK_EDITS: dict[str, Callable[[str, int], str]] = {
    "a cell above": _change(
        r'(?<="cells": \[)', '{"cell_type": "code", "outputs": [], "source": "import market\\\\nmarket.app.run(1)"},'
    ),
    "a cell is prose": _change(r'"cell_type": "code"', '"cell_type": "markdown"'),
    "another name in a cell": _change(r"\b(area|made|load|start|save)\b", r"\1Else"),
    "a cell that does not end": _change(r"return prices", "return (prices"),
}
FILE_EDITS = ("new file", "removed", "renamed", "moved", "copied", "mended", "touched")
CONFIGURATION_EDITS = ("module", "package", "paths", "manifest", "ignored", "main", "data", "project", "release", "workspace")
KINDS = (*TEXT_EDITS, *PYTHON_EDITS, *JAVA_EDITS, *NOTEBOOK_EDITS, *FILE_EDITS, *CONFIGURATION_EDITS)
#: Edits for whatever code there is.
REAL_KINDS = (
    *("a line above", "a statement", "a declaration", "not exported", "exported", "broken", "star import"),
    *("a global", "a use of a global"),
    *(kind for kind in TEXT_EDITS if kind.startswith("any ")),
    *PYTHON_EDITS,
    *JAVA_EDITS,
    *("removed", "renamed", "copied", "touched"),
)


def apply(root: Path, edit: Edit) -> None:
    """Carries out an edit; where there is nothing to edit, nothing happens."""
    sources = _sources(root)
    if edit.kind in CONFIGURATION_EDITS:
        _configure(root, edit)
    elif edit.kind == "new file":
        target = root / f"src/new{edit.where % 3}.ts"
        target.write_text("import { make } from './lib'\nexport const fresh = make(3)\nfresh.area()\n")
    elif sources:
        source = sources[edit.where % len(sources)]
        if edit.kind in PYTHON_EDITS:
            scripts = [path for path in sources if path.suffix == ".py"] or sources
            source = scripts[edit.where % len(scripts)]
            source.write_text(PYTHON_EDITS[edit.kind](source.read_text(), edit.what))
        elif edit.kind in JAVA_EDITS:
            units = [path for path in sources if path.suffix == ".java"] or sources
            source = units[edit.where % len(units)]
            source.write_text(JAVA_EDITS[edit.kind](source.read_text(), edit.what))
        elif edit.kind in NOTEBOOK_EDITS:
            for script in (path for path in sources if path.suffix == ".ipynb"):
                script.write_text(NOTEBOOK_EDITS[edit.kind](script.read_text(), edit.what))
        elif edit.kind in TEXT_EDITS:
            source.write_text(TEXT_EDITS[edit.kind](source.read_text(), edit.what))
        else:
            _move(root, source, edit)


def _move(root: Path, source: Path, edit: Edit) -> None:
    original = PROJECT.get(source.relative_to(root).as_posix())
    if edit.kind == "removed":
        source.unlink()
    elif edit.kind == "renamed":
        source.rename(source.with_name(f"renamed{edit.what % 3}{source.suffix}"))
    elif edit.kind == "moved":
        (root / "src/inner").mkdir(exist_ok=True)
        source.rename(root / "src/inner" / source.name)
    elif edit.kind == "copied":
        source.with_name(f"copy{edit.what % 3}{source.suffix}").write_text(source.read_text())
    elif edit.kind == "mended" and original is not None:
        source.write_text(original)
    elif edit.kind == "touched":
        source.touch()


def _configure(root: Path, edit: Edit) -> None:
    if edit.kind == "paths":
        target = ("src/lib/*", "src/*", "packages/kit/*")[edit.what % 3]
        (root / "tsconfig.json").write_text(f'{{"compilerOptions": {{"baseUrl": ".", "paths": {{"@lib/*": ["{target}"]}}}}}}\n')
    elif edit.kind == "manifest":
        name = ("shop", "market")[edit.what % 2]
        (root / "package.json").write_text(f'{{"name": "{name}", "workspaces": ["packages/*"]}}\n')
    elif edit.kind == "ignored":
        (root / ".gitignore").write_text(("", "src/legacy.js\n", "packages/\n", "*.d.ts\n")[edit.what % 4])
    elif edit.kind == "data":
        path = root / ("src/prices.json", "src/rates.json")[edit.what % 2]
        if path.exists():
            path.unlink()
        else:
            path.write_text('{"square": 3}\n')
    elif edit.kind == "module":
        (root / "go.mod").write_text(f"module example.com/{('shop', 'market')[edit.what % 2]}\n")
    elif edit.kind == "package":
        _write_or_remove(root / "tools/shop/__init__.py", ('"""Reports."""\n', "")[edit.what % 2])
    elif edit.kind == "main":
        name = ("@shop/kit", "@shop/other")[edit.what % 2]
        (root / "packages/kit/package.json").write_text(f'{{"name": "{name}", "main": "index.ts"}}\n')

    elif edit.kind == "project":
        _write_or_remove(root / "packages/web/tsconfig.json", _PROJECTS[edit.what % len(_PROJECTS)])
    elif edit.kind == "release":
        version, entry = edit.what % 3, ("./index.ts", "./main.ts", "./none.ts")[edit.where % 3]
        (root / "packages/kit/package.json").write_text(
            f'{{"name": "@shop/kit", "version": "1.{version}.0", "exports": {{".": "{entry}", "./all": "./index.ts"}}, '
            f'"dependencies": {{"left-pad": "^1.{version}"}}}}\n'
        )
    elif edit.kind == "workspace":
        _write_or_remove(root / "packages/web/inner/package.json", ("", '{"name": "@shop/inner"}\n', "{ broken")[edit.what % 3])


#: Contents of a configuration inside a package; "" for none.
_PROJECTS = (
    "",
    '{"extends": "../../tsconfig.json", "include": ["*.ts"], "references": [{"path": "../kit"}]}\n',
    '{"compilerOptions": {"paths": {"@shop/kit": ["../../src/app.ts"]}, "outDir": "dist", "composite": true}}\n',
    '{"extends": "../../tsconfig.json", "compilerOptions": {"baseUrl": "../kit", "moduleSuffixes": [".web", ""]}}\n',
)


def _write_or_remove(path: Path, text: str) -> None:
    if text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    else:
        path.unlink(missing_ok=True)


def write_project(root: Path) -> None:
    """The project as it is before all edits."""
    for name, text in PROJECT.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
