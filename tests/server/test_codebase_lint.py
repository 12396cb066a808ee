"""The checks on a real small project: every kind of finding, what is no finding, limits, budget, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from astrolabe.ingest.languages.typescript.entry_points import entry_points
from astrolabe.retrieval.lint.cycle_findings import breaking_imports
from astrolabe.retrieval.lint.model.findings import BreakingImport
from astrolabe.retrieval.text.structure_tokens import structure_tokens
from astrolabe.schema.errors import UsageError
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from linear_time import is_linear, processor_seconds

SUM = """\
export function {name}({items}: Item[], {limit}: number): number {{
  let {total} = {start}
  for (const {item} of {items}) {{
    if ({item}.price > {limit}) {{
      {total} += {item}.price * {item}.count
    }} else {{
      {total} += {item}.price
    }}
  }}
  return {total} / {items}.length
}}
"""
FIRST = SUM.format(name="sumPrices", items="items", limit="limit", total="total", item="item", start="0")
RENAMED = SUM.format(name="addUp", items="goods", limit="bound", total="result", item="good", start="1.5")
CHANGED = RENAMED.replace("addUp", "meanOf").replace("  return result", "  console.log(result)\n  return result")

FILES = {
    "package.json": '{"name": "shop", "main": "dist/index.js", "scripts": {"seed": "tsx tools/seed.ts"}, '
    '"bin": {"shop": "./bin/shop.js"}}',
    "tsconfig.json": '{"compilerOptions": {"outDir": "dist", "rootDir": "src"}}',
    "src/index.ts": "export { offered } from './lib'\nexport * from './public'\nimport * as whole from './whole'\nwhole.used()\n"
    "export * as shapes from './shapes'\nimport { draw } from './shown'\nimport { renamed } from './renaming'\ndraw(renamed)\n",
    "src/shapes.ts": "export const square = 1\nexport * from './circles'\n",
    "src/circles.ts": "export const circle = 2\n",
    "src/shown.ts": """\
export interface Shape { side: number }
export type Parts = Part[]
export interface Part { shape: Shape }
export function draw(shape: Shape) { return shape.side }
/** Draws nothing. @public */
export function erase() {
  interface Inner { of: Hidden }
  return (inner: Hidden) => inner as unknown as Inner
}
export interface Hidden { seen: boolean }
""",
    "src/limits.ts": "export const taken = 1\nexport const wanted = 2\n",
    "src/renaming.ts": "export { square as renamed } from './shapes'\n",
    "src/lib.ts": """\
export const offered = () => helper()
export const forgotten = 1
export const ownFile = 2
export interface Options { size: number }
export function configured(options: Options) { return ownFile + options.size }
function helper() { return configured({ size: 1 }) }
function unused() { return unused }
type Alone = string
const watcher = watch(() => 1, () => {
  watcher.stop()
})
const idle = watch(() => 2) // idle
export const { first, second } = { first: 1, second: 2 }
""",
    "src/public.ts": "import { wanted } from './limits'\nexport const published = wanted\n",
    "src/whole.ts": "export const used = () => 1\nexport const unseen = 2\n",
    "src/orphan.ts": "import { deeper } from './orphan-child'\nimport { taken, wanted } from './limits'\n"
    "export const orphan = [deeper, taken, wanted]\n",
    "src/orphan-child.ts": "export const deeper = 1\n",
    "src/barrel.ts": "export { a, b } from './ring/a'\n",
    "src/ring/a.ts": "import { c } from './c'\nexport const a = () => c()\nexport const b = 1\n",
    "src/ring/b.ts": "import { a } from './a'\nexport const viaB = () => a()\n",
    "src/ring/c.ts": "import { viaB } from './b'\nimport { a } from './a'\nexport const c = () => [viaB(), a()]\n",
    "src/ring/index.ts": "import { a } from '../barrel'\nimport { c } from './c'\nexport const start = () => [a(), c()]\n",
    "src/sums.ts": f"export interface Item {{ price: number; count: number }}\n{FIRST}",
    "src/more.ts": f"import type {{ Item }} from './sums'\n{RENAMED}{CHANGED}",
    "src/lib.test.ts": "import { start } from './ring'\nimport './sums'\nimport './more'\nstart()\n"
    + FIRST.replace("export ", ""),
    "src/env.d.ts": "interface Window { shop: string }\ndeclare namespace Runtime {\n  export function start(): void\n}\n",
    "tools/seed.ts": "export const seeded = 1\n",
    "bin/shop.js": "console.log('shop')\n",
    "vite.config.ts": "export default {}\n",
    "src/broken.test.ts": "const = ;\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def workspace(indexed_project: Callable[[dict[str, str]], Workspace]) -> Workspace:
    return indexed_project(FILES)


Ask = Callable[..., Any]


@pytest.fixture
def ask(workspace: Workspace) -> Ask:
    """The JSON form of some checks."""
    return lambda *checks, **options: json.loads(json.dumps(workspace.lint(checks=checks, **options).to_json()))


def found_dead(found: Any) -> dict[tuple[str, str], tuple[str, str]]:
    return {(dead["file"], dead["symbol"]): (dead["reason"], dead["confidence"]) for dead in found["deadCode"]}


DEAD = {
    ("src/lib.ts", "forgotten"): ("exported but never imported by any module", "high"),
    ("src/lib.ts", "ownFile"): ("exported but used in its own file alone", "high"),
    ("src/lib.ts", "configured"): ("exported but used in its own file alone", "high"),
    ("src/lib.ts", "Options"): ("exported but used in its own file alone", "high"),
    ("src/lib.ts", "unused"): ("unexported and unreferenced within the file", "high"),
    ("src/lib.ts", "idle"): ("unexported and unreferenced within the file", "high"),
    ("src/lib.ts", "Alone"): ("unexported and unreferenced within the file", "high"),
    ("src/lib.ts", "first"): ("exported but never imported by any module", "high"),
    ("src/lib.ts", "second"): ("exported but never imported by any module", "high"),
    ("src/shown.ts", "Shape"): ("exported but used in its own file alone, as part of what draw shows", "low"),
    ("src/shown.ts", "erase"): (
        "exported but never imported by any module, but its doc comment says that it is public",
        "low",
    ),
    ("src/shown.ts", "Hidden"): ("exported but used in its own file alone", "high"),
    ("src/limits.ts", "taken"): ("exported but imported only by files that no entry point reaches", "medium"),
    ("src/shown.ts", "Parts"): ("exported but never imported by any module", "high"),
    ("src/shown.ts", "Part"): ("exported but used in its own file alone", "high"),
    ("src/whole.ts", "unseen"): ("exported but never imported by any module", "high"),
    ("src/orphan.ts", "orphan.ts"): ("no entry point reaches this file", "medium"),
    ("src/orphan-child.ts", "orphan-child.ts"): ("no entry point reaches this file", "medium"),
    ("src/barrel.ts", "b"): ("re-exported but imported from here by no module", "high"),
    ("src/sums.ts", "sumPrices"): ("exported but never imported by any module", "high"),
    ("src/more.ts", "addUp"): ("exported but never imported by any module", "high"),
    ("src/more.ts", "meanOf"): ("exported but never imported by any module", "high"),
}


def test_dead_code(ask: Ask) -> None:
    found = ask("dead-code")
    assert found_dead(found) == DEAD | {
        ("src/ring/a.ts", "b"): ("exported and re-exported, but never imported by any module", "high"),
    }
    assert found["summary"]["totalDeadCode"] == len(found["deadCode"])
    assert "diagnostics" not in found


@pytest.mark.parametrize(
    ("kind", "symbols"),
    [
        ("files", {"orphan.ts", "orphan-child.ts"}),
        ("types", {"Options", "Alone", "Shape", "Part", "Parts", "Hidden"}),
        ("functions", {"erase", "unused", "configured", "sumPrices", "addUp", "meanOf"}),
    ],
)
def test_kinds_of_dead_code(ask: Ask, kind: str, symbols: set[str]) -> None:
    assert {dead["symbol"] for dead in ask("dead-code", dead_code_kinds=[kind])["deadCode"]} == symbols


def test_entry_points(workspace: Workspace) -> None:
    sources = [name for name in FILES if name.endswith((".ts", ".js"))]
    found = entry_points(workspace.root, sources, ["package.json", "tsconfig.json"]).reasons
    assert found == {
        "src/index.ts": "package.json",
        "bin/shop.js": "package.json",
        "tools/seed.ts": "script",
        "vite.config.ts": "configuration",
        "src/env.d.ts": "ambient declarations",
        "src/lib.test.ts": "test",
        "src/broken.test.ts": "test",
    }


MANIFEST = "package.json"
MANIFESTS = (MANIFEST, "tsconfig.json", "deno.json")
BUILT = '{"compilerOptions": {"outDir": "out", "rootDir": "code"}}'
WEBPACK = """const path = require("path")
module.exports = (env) => {
  const config = { entry: "./code/host.ts", output: { path: path.resolve(__dirname, "dist"), filename: "ext.js" } }
  return config
}"""
ESBUILD = """import { context } from "esbuild"
const watch = await context({ entryPoints: { ext: "code/host.ts" }, outdir: "out", bundle: true })"""
ROLLUP = """export default [{ input: ["code/host.ts"], output: [{ dir: "bin", entryFileNames: "run.cjs", format: "cjs" }] }]"""
VITE = """import { defineConfig } from "vite"
export default defineConfig({ build: { lib: { entry: "code/host.ts", fileName: (format) => `kit.${format}.js` } } })"""
TSUP = """import { defineConfig } from "tsup"
export default defineConfig({ entry: { a: "code/host.ts" }, dts: true })"""
ACTION = "runs:\n  using: node20\n  main: pack/index.js"
CHROME = '{"manifest_version": 3, "background": {"service_worker": "worker.js"}}'

ENTRIES: list[tuple[dict[str, str], str]] = [
    ({"package.json": '{"exports": {".": "./a.js", "./*": "./lib/*.js", "./inner/*": null}}', "lib/x.ts": ""}, "package.json"),
    (
        {"package.json": '{"exports": {".": {"types": "./t.d.ts", "default": "./dist/main.js"}}}', "src/main.ts": ""},
        "package.json",
    ),
    ({"package.json": "{}", "index.html": '<script type="module" src="/src/app.tsx"></script>', "src/app.tsx": ""}, "page"),
    ({"package.json": '{"dependencies": {"next": "15"}}', "app/shop/[id]/page.tsx": ""}, "framework"),
    ({"package.json": "{}", "src/button.stories.tsx": ""}, "story"),
    ({"package.json": "{}", "src/env.d.ts": ""}, "ambient declarations"),
    ({"package.json": "{}", "src/main.ts": ""}, "main file of a package"),
    ({"package.json": '{"imports": {"#env": {"browser": "./env.browser.ts"}}}', "env.browser.ts": ""}, "package.json"),
    ({"package.json": '{"exports": {"./*": "./ui/*/index.tsx"}}', "ui/menu/index.tsx": ""}, "package.json"),
    ({"package.json": '{"exports": "./lib/x.mjs"}', "lib/x.mjs": ""}, "package.json"),
    ({"package.json": '{"main": "out-js"}', "source/index.ts": ""}, "package.json"),
    ({"package.json": '{"devDependencies": {"@tools/packer": "1"}}', "packer.ts": ""}, "configuration"),
    ({"package.json": "{}", ".config/tool.ts": ""}, "configuration"),
    ({"package.json": "{}", "docs/page.html": '<script src="/js/x.mjs">', "docs/public/js/x.mjs": ""}, "page"),
    ({"package.json": '{"scripts": {"dev": "NODE_ENV=test tsx watch server --port 1"}}', "server/index.ts": ""}, "script"),
    (
        {"package.json": '{"scripts": {"dev": "wait 1 && node -r ./setup ./tools/run"}}', "setup.ts": "", "tools/run.ts": ""},
        "script",
    ),
    ({"package.json": '{"jest": {"setupFiles": ["./test-env.ts"]}}', "test-env.ts": ""}, "script"),
    ({"package.json": "{}", "more.html": '<script type="module">import x from "./x.ts"</script>', "x.ts": ""}, "page"),
    ({"package.json": "{}", "angular.json": '{"main": "app/start.ts"}', "app/start.ts": ""}, "configuration"),
    ({"package.json": "{}", "deno.json": '{"tasks": {"go": "deno run -A app/start.ts"}}', "app/start.ts": ""}, "configuration"),
    ({"package.json": "{}", ".github/workflows/ci.yml": "- run: node scripts/tag.ts", "scripts/tag.ts": ""}, "script"),
    ({"package.json": '{"devDependencies": {"nuxt": "3"}}', "web/nuxt.config.ts": "", "web/plugins/a.ts": ""}, "framework"),
    ({"package.json": '{"devDependencies": {"@sveltejs/kit": "2"}}', "src/routes/+error.svelte": ""}, "framework"),
    ({"package.json": '{"dependencies": {"@trigger.dev/sdk": "4"}}', "lib/trigger/mail.ts": ""}, "framework"),
    ({"package.json": '{"devDependencies": {"check-dts": "2"}}', "map/errors.ts": ""}, "type test"),
    ({"package.json": '{"main": "./client/out/start"}', "client/tsconfig.json": BUILT, "client/code/start.ts": ""}, MANIFEST),
    ({"package.json": '{"main": "./dist/ext.js"}', "webpack.config.js": WEBPACK, "code/host.ts": ""}, MANIFEST),
    ({"package.json": '{"main": "./out/ext.js"}', "esbuild.mjs": ESBUILD, "code/host.ts": ""}, "package.json"),
    ({"package.json": '{"bin": "./bin/run.cjs"}', "rollup.config.mjs": ROLLUP, "code/host.ts": ""}, MANIFEST),
    ({"package.json": '{"name": "@x/kit", "exports": "./dist/kit.js"}', "vite.config.mjs": VITE, "code/host.ts": ""}, MANIFEST),
    ({"package.json": '{"exports": {"./a": "./dist/a.js"}}', "tsup.config.mjs": TSUP, "code/host.ts": ""}, MANIFEST),
    (
        {
            "package.json": '{"main": "js/app.js", "scripts": {"build": "tsc && esbuild code/host.ts --outfile=js/app.js"}}',
            "code/host.ts": "",
        },
        "package.json",
    ),
    (
        {
            "package.json": '{"scripts": {"package": "ncc build out/host.js -o pack"}}',
            "tsconfig.json": BUILT,
            "action.yml": ACTION,
        }
        | {"code/host.ts": ""},
        "script",
    ),
    (
        {"package.json": '{"exports": "./dist/menu.js", "devDependencies": {"@sveltejs/package": "2"}}', "src/lib/menu.ts": ""},
        "package.json",
    ),
    (
        {
            "package.json": '{"exports": {".": {"types": "./dist/A.svelte.d.ts"}}, "dependencies": {"@sveltejs/package": "2"}}',
            "src/lib/A.svelte": "",
        },
        "package.json",
    ),
    (
        {"package.json": "{}", ".github/actions/tag/action.yml": "main: out/tag.mjs", ".github/actions/tag/out/tag.mjs": ""},
        "script",
    ),
    (
        {"package.json": '{"main": "./a.mjs"}', "webpack.config.js": """module.exports = {"'entry'": './a.mjs'}""", "a.mjs": ""},
        MANIFEST,
    ),
    (
        {
            "package.json": "{}",
            "nest-cli.json": '{"projects": {"a": {"entryFile": "go", "sourceRoot": "a/src"}}}',
            "a/src/go.ts": "",
        },
        "configuration",
    ),
    ({"package.json": '{"scripts": {"start": "nest start --entryFile worker"}}', "src/worker.ts": ""}, "script"),
    ({"package.json": '{"devDependencies": {"packer": "1"}}', "packerfile.ts": ""}, "configuration"),
    ({"package.json": "{}", "wrangler.jsonc": '{"main": "edge/worker.ts"}', "edge/worker.ts": ""}, "configuration"),
    ({"package.json": "{}", "serverless.yml": "  handler: fn/orders.create # all", "fn/orders.ts": ""}, "configuration"),
    ({"package.json": "{}", "template.yaml": "CodeUri: fn/\nHandler: orders.create", "fn/orders.ts": ""}, "configuration"),
    ({"package.json": "{}", "web/manifest.json": CHROME, "web/worker.ts": ""}, "browser extension"),
    ({"package.json": "{}", "sentry.edge.config.ts": ""}, "configuration"),
    ({"mod.ts": "", "deno.json": '{"fmt": {}}', "plugins/feed.ts": ""}, "module with a URL"),
    (
        {
            "package.json": '{"dependencies": {"astro": "5"}}',
            "shop/astro.config.ts": "export default defineConfig({ srcDir: './www/' })",
            "shop/www/pages/cart.astro": "",
        },
        "framework",
    ),
    *(
        (
            {"package.json": '{"dependencies": {"@docusaurus/core": "3"}}', "docusaurus.config.ts": text, "views/a/b.tsx": ""},
            "framework",
        )
        for text in (
            "export default {presets: [['classic', {docs: {path: 'x'}, pages: { include: ['**/*.tsx'], path: './views' }}]]}",
            "module.exports = {plugins: [['@docusaurus/plugin-content-pages', {id: 'more', path: 'views/'}]]}",
        )
    ),
]
#: What describes a package, or lints its files, starts none of them.
NO_ENTRIES = [
    {"package.json": '{"sideEffects": ["./x.ts"], "lint-staged": {"*.ts": "x.ts"}}', "x.ts": ""},
    {"package.json": '{"scripts": {"lint": "eslint --cache lib", "run": "npm run lib"}}', "lib/index.ts": ""},
    {"package.json": "{}", "plugins/a.ts": ""},
    {"package.json": "{}", "app/shop/page.ts": ""},
    {"package.json": '{"dependencies": {"next": "15"}}', "app/shop/helper.ts": ""},
]


@pytest.mark.parametrize(("files", "reason"), ENTRIES)
def test_conventions_of_entry_points(tmp_path: Path, files: dict[str, str], reason: str) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    sources = [name for name in files if name.endswith((".ts", ".tsx", ".mjs", ".svelte", ".astro"))]
    pages = [name for name in files if name.endswith((".html", "manifest.json"))]
    configurations = [name for name in files if name.endswith((*MANIFESTS, ".config.js", ".mjs"))]
    found = entry_points(tmp_path, sources, configurations, pages).reasons
    assert found[sources[-1]] == reason
    if configurations == ["package.json"]:
        assert set(found) == set(sources)


@pytest.mark.parametrize("files", NO_ENTRIES, ids=["described", "linted", "no framework", "no dependency", "no convention"])
def test_what_starts_no_file(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert entry_points(tmp_path, [name for name in files if name.endswith(".ts")], ["package.json"]).reasons == {}


def test_hidden_subpaths_are_no_entry_points(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"exports": {"./*": "./lib/*.js", "./inner/*": null}}')
    for name in ("lib/x.ts", "lib/inner/y.ts"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert set(entry_points(tmp_path, ["lib/x.ts", "lib/inner/y.ts"], ["package.json"]).reasons) == {"lib/x.ts"}


def members(group: dict[str, Any]) -> list[str]:
    return [member["symbol"] for member in group["members"]]


def test_duplicates_with_other_names_and_literals(ask: Ask) -> None:
    (group,) = ask("duplicates", duplicate_threshold=1.0)["duplicates"]
    assert members(group) == ["addUp", "sumPrices"]
    assert group["similarity"] == 1.0
    assert len({member["hash"] for member in group["members"]}) == 1


def test_alike_but_changed_code_joins_below_the_threshold(ask: Ask) -> None:
    (group,) = ask("duplicates", duplicate_threshold=0.6)["duplicates"]
    assert set(members(group)) == {"addUp", "meanOf", "sumPrices"}
    assert 0.6 <= group["similarity"] < 1.0


def test_duplicates_in_tests_are_left_out_unless_asked_for(ask: Ask) -> None:
    (group,) = ask("duplicates", duplicate_threshold=1.0, exclude_tests=False)["duplicates"]
    assert sorted(member["file"] for member in group["members"]) == ["src/lib.test.ts", "src/more.ts", "src/sums.ts"]


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("a + b", "x + y", True),
        ("f('a')", 'f("other text")', True),
        ("f(1)", "f(0xff)", True),
        ("a + b", "a - b", False),
        ("if (a) b()", "while (a) b()", False),
        ("a; // note\n/* more */ b", "a\nb;", True),
        ("x = /['\"]/.test(y)", "p = /a+/g.test(q)", True),
        ("a / b / c", "x / y / z", True),
        ("`a ${b} c`", "`x`", True),
        ("a?.b ?? c", "x?.y ?? z", True),
        ("a?.b", "a.b", False),
        ("#secret", "other", True),
    ],
)
def test_structure_forgets_names_and_literals_alone(one: str, other: str, equal: bool) -> None:
    assert (structure_tokens(one) == structure_tokens(other)) is equal


@pytest.mark.parametrize(
    ("path", "unit"), [("a.ts", "/* "), ("a.ts", "(/["), ("a.ts", "`${"), ("a.lua", "--[[\n"), ("a.py", "'''")]
)
def test_tokens_take_linear_time(path: str, unit: str) -> None:
    assert is_linear(lambda count: processor_seconds(lambda: structure_tokens(unit * count, path)), 8_000)


def test_circles_and_the_import_that_breaks_most(ask: Ask) -> None:
    found = ask("circular-deps")
    chains = [circle["chain"] for circle in found["circularDeps"]]
    ring = "src/ring"
    assert chains == [
        [f"{ring}/a.ts", f"{ring}/c.ts", f"{ring}/a.ts"],
        [f"{ring}/a.ts", f"{ring}/c.ts", f"{ring}/b.ts", f"{ring}/a.ts"],
    ]
    assert found["breakFirst"] == [{"importer": f"{ring}/a.ts", "imported": f"{ring}/c.ts", "circles": 2}]
    assert f"Remove the import of {ring}/c.ts in {ring}/a.ts" in found["circularDeps"][0]["suggestion"]


def test_imports_are_proposed_until_no_circle_is_left() -> None:
    chains = [("a", "b", "a"), ("a", "b", "c", "a"), ("x", "y", "x")]
    assert breaking_imports(chains) == [BreakingImport("a", "b", 2), BreakingImport("x", "y", 1)]


def test_syntax_problems_are_always_there(ask: Ask) -> None:
    found = ask("errors")
    (problem,) = found["diagnostics"]
    assert (problem["file"], problem["line"], problem["severity"], problem["source"]) == (
        "src/broken.test.ts", 1, "error", "astrolabe",
    )  # fmt: skip
    assert found["notes"][0].startswith("The compiler was not asked: there is no")
    assert ask("errors", severity_filter=["warning"])["diagnostics"] == []


def test_the_compiler_can_be_switched_off(workspace: Workspace) -> None:
    settings = Settings(run_compiler=False)
    with Workspace(workspace.root, workspace.data_dir, settings) as careful:
        assert careful.lint(checks=["errors"]).answer.notes == ("The compiler was not asked: the setting run_compiler is off.",)


def test_scopes_limits_and_budgets(ask: Ask) -> None:
    assert {dead["file"] for dead in ask("dead-code", scope="src/lib.ts")["deadCode"]} == {"src/lib.ts"}
    limited = ask("dead-code", limit=2)
    assert len(limited["deadCode"]) == 2
    assert limited["notes"] == [f"{len(DEAD) + 1 - 2} more dead declarations: give a scope, or raise the limit or the budget."]
    small = ask("all", budget=500)
    assert small["tokens"] <= 500
    assert small["summary"]["totalDeadCode"] == len(DEAD) + 1


BAD: list[tuple[dict[str, Any], str]] = [
    ({"checks": ["style"]}, 'There is no check "style"; it is one of all, errors,'),
    ({"scope": "lib/"}, 'No indexed file matches the scope "lib/".'),
    ({"duplicate_threshold": 0.1}, "The threshold of duplicates is a number from 0.5 to 1, not 0.1."),
    ({"duplicate_kinds": "verbs"}, 'There is no kind of duplicates "verbs"'),
    ({"dead_code_kinds": ["verbs"]}, 'There is no kind of dead code "verbs"'),
    ({"severity_filter": ["bad"]}, 'There is no severity "bad"'),
    ({"limit": 0}, "The limit is a number from 1 to 1,000, not 0."),
    ({"budget": 10}, "The checks need a budget of at least 200 tokens, not 10."),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_bad_input_is_explained(workspace: Workspace, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        workspace.lint(**options)
    assert str(caught.value).startswith(message)


def test_the_text_form(workspace: Workspace) -> None:
    text = workspace.lint(checks=["dead-code", "circular-deps"]).text
    assert "  src/lib.ts:2: const forgotten: exported but never imported by any module (high)" in text
    assert "  remove src/ring/a.ts > src/ring/c.ts: breaks 2" in text


def test_groups_of_many_copies_list_the_first(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    copies = {
        f"src/copy{number}.ts": SUM.format(name=f"sum{number}", items="a", limit="b", total="c", item="d", start="0")
        for number in range(11)
    }
    found = indexed_project(copies).lint(checks=["duplicates"]).answer
    (group,) = found.duplicates or ()
    assert (len(group.members), group.more_members) == (8, 3)


@pytest.mark.parametrize("budget", [200, 250, 300, 400, 600, 1_000])
def test_an_answer_keeps_to_its_budget(workspace: Workspace, budget: int) -> None:
    answer = workspace.lint(checks=["all"], exclude_tests=False, budget=budget).answer
    assert answer.tokens <= budget
    assert len(answer.notes) <= 3


@pytest.mark.parametrize("ending", ["rst", "md", "mmd"])
def test_documents_hold_no_repeated_code(indexed_project: Callable[[dict[str, str]], Workspace], ending: str) -> None:
    prose = "The price of an item, its tax (19 %), and its discount are added; see the table, the list, and `total`.\n" * 4
    workspace = indexed_project({"a.ts": "export const a = 1\n", f"docs/one.{ending}": prose, f"docs/two.{ending}": prose})
    assert workspace.lint(checks=["duplicates"], duplicate_kinds="fragments").answer.duplicates == ()


def test_repeated_code_inside_of_other_declarations(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    body = FIRST.split("\n", 1)[1].rsplit("\n", 3)[0] + "\n"
    workspace = indexed_project(
        {
            "a.ts": f"export function first(items: Item[], limit: number) {{\n{body}  return [total]\n}}\n",
            "b.ts": "import { first } from './a'\nclass Held {\n  second(items: Item[], limit: number) {\n"
            f"    first()\n{body}}}\n}}\n",
        }
    )
    asked = {
        kinds: json.loads(json.dumps(workspace.lint(checks=["duplicates"], duplicate_kinds=kinds).to_json()))
        for kinds in ("functions", "fragments")
    }
    assert asked["functions"]["duplicates"] == []
    (group,) = asked["fragments"]["duplicates"]
    named = [(each["symbol"], each["kind"], each["file"], each["line"], each["endLine"]) for each in group["members"]]
    assert named == [("first", "fragment", "a.ts", 2, 9), ("Held.second", "fragment", "b.ts", 5, 12)]
    assert group["suggestion"].startswith("The same code stands in each: move it into one module")
    assert "b.ts:5-12: fragment Held.second" in workspace.lint(checks=["duplicates"], duplicate_kinds="all").text


PASSED_ON = {
    "package.json": '{"name": "kit", "main": "main.js"}',
    "a.js": "export default function a() {}\nexport const one = 1\nexport const two = 2\nexport const three = 3\n",
    "hub.js": "export { default as renamed, default as known, one as first } from './a.js'\nimport { two, three } from './a.js'\n"
    "export { two, three as third }\nexport const own = two\n",
    "all.js": "export * from './a.js'\nimport { one } from './a.js'\nexport const sum = one + 1\n",
    "main.js": "import { known, third, own } from './hub.js'\nimport { sum } from './all.js'\nknown(third, own, sum)\n",
}


def test_names_that_are_passed_on_for_nobody(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    found = indexed_project(PASSED_ON).lint(checks=["dead-code"]).to_json()
    passed = {(dead["file"], dead["line"], dead["symbol"]) for dead in found["deadCode"] if dead["kind"] == "re-export"}
    assert passed == {("hub.js", 1, "renamed"), ("hub.js", 1, "first"), ("hub.js", 2, "two")}


def test_functions_that_become_members_and_what_is_unused_on_purpose_are_not_judged(
    indexed_project: Callable[[dict[str, str]], Workspace],
) -> None:
    files = {
        "package.json": '{"name": "app", "main": "index.js"}',
        "index.js": (
            "var app = (module.exports = {})\napp.use = function use(fn) { return fn }\nfunction forgotten() {}\n"
            "exports.other = function other() {}\n"
            "// eslint-disable-next-line no-unused-vars -- a stylesheet reads them\nconst classes = ['wide', 'tall']\n"
            "const spare = 1 // eslint-disable-line @typescript-eslint/no-unused-vars\nconst lost = 2\n"
            "// biome-ignore lint/correctness/noUnusedVariables: called by hand\nfunction debug() {}\n"
            "require.resolve('./src/fixtures/hoist.js')\nrequire.resolve('./docs/code-snippets/start.js')\n"
        ),
        "docs/code-snippets/start.js": "import { open } from 'shop'\nconst shop = open()\n",
        "src/fixtures/hoist.js": "function outer() { let it = 1; return () => it }\nexports.one = 1\n",
    }
    found = indexed_project(files).lint(checks=["dead-code"]).to_json()
    assert [dead["symbol"] for dead in found["deadCode"]] == ["forgotten", "lost"]
    assert {each["symbol"] for each in found["notKnown"]} == {"classes", "spare", "debug", "outer", "shop"}


LOADED = {
    "package.json": '{"name": "app", "main": "index.ts", "types": "typings/index.d.ts"}',
    "typings/index.d.ts": "export * from '../dist/offer.types'\n",
    "src/offer.types.ts": "export const price = 1\n",
    "index.ts": "new Worker(new URL('./plain.js', import.meta.url))\nrequire.resolve('./resolved')\n"
    "fork(join(__dirname, 'sub', 'child.js'))\n"
    "export const page = (name: string) => import(`./views/${name}.ts`)\nimport.meta.glob([\n  './globbed/*.ts'])\n"
    "void import(`./fresh.ts?at=${Date.now()}`)\nvoid import('./newer.ts?at=' + Date.now() + '&x')\n"
    "import inline from './inline.ts?worker&inline'\nimport { port } from './typed.js'\nexport default [inline, port]\n",
    "plain.ts": "export const heard = 1\n",
    "resolved/index.ts": "import '../deeper'\n",
    "deeper.ts": "",
    "sub/child.js": "",
    "views/home.ts": "export const title = 1\n",
    "globbed/one.ts": "",
    "inline.ts": "",
    "fresh.ts": "",
    "newer.ts": "",
    "typed.js": "export const port = 1\n",
    "typed.d.ts": "export const port: number\n",
    "docs.config.js": "export default { side: './side.js', setup: ['<rootDir>/setup.ts'], only: ['**/*.ts'], name: 'lost' }\n",
    "side.js": "export const bar = []\n",
    "setup.ts": "",
    "lost.ts": "// './lost.ts'\nconst text = `${'./gone.ts'}`\nnew URL('./gone.ts')\n",
    "gone.ts": "",
    "eslint.config.js": "export default [{ files: ['./lost.ts'] }, require.resolve(`./${folder}/`)]\n",
    "deep/lost.ts": "export const unheard = 1\n",
}


def test_files_that_are_loaded_by_their_path(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    answer = indexed_project(LOADED).lint(checks=["dead-code"])
    by_path = "its file is imported as a whole (by its path), and may be used through this import"
    reasons = {each.symbol: each.reason for each in answer.answer.not_known or ()}
    assert reasons.keys() == {"title", "bar", "heard", "price", "offer.types.ts"}
    assert (reasons["bar"], reasons["heard"]) == (by_path, by_path)
    found = answer.to_json()["deadCode"]
    assert {dead["file"] for dead in found if dead["kind"] == "file"} == {"lost.ts", "gone.ts", "deep/lost.ts"}
    assert [dead["symbol"] for dead in found if dead["kind"] != "file"] == []


#: Imports of a whole file, and whether one of its exports, which no code names, is known to be dead.
WHOLE_IMPORTS: list[tuple[str, bool]] = [
    ("import * as all from './all'\nall.used()\nall?.used; type T = all.used\nconst a = { x: 'all', y: b.all }\n", True),
    ("import * as all from './all'\nconsole.log(all)\n", False),
    ("import * as all from './all'\nall['used']()\n", False),
    ("import * as all from './all'\nexport { all }\n", False),
    ("import * as all from './all'\nconst { ...rest } = all\n", False),
    ("import * as all from './all'\nall.used()\nimport('./all').then((it) => it)\n", False),
]


@pytest.mark.parametrize(("importer", "is_dead"), WHOLE_IMPORTS)
def test_exports_of_a_file_that_is_imported_as_a_whole(
    indexed_project: Callable[[dict[str, str]], Workspace], importer: str, is_dead: bool
) -> None:
    files = {"all.ts": "export const used = () => 1\nexport const spare = 2\n", "index.ts": importer, "package.json": "{}"}
    found = indexed_project(files).lint(checks=["dead-code"]).to_json()
    assert [dead["confidence"] for dead in found["deadCode"] if dead["symbol"] == "spare"] == ["high"] * is_dead
    assert [each["symbol"] for each in found.get("notKnown", ()) if each["symbol"] == "spare"] == ["spare"] * (not is_dead)


def test_the_default_export_of_a_lazily_loaded_file_is_used(
    indexed_project: Callable[[dict[str, str]], Workspace],
) -> None:
    files = {
        "package.json": '{"main": "routes.tsx"}',
        "routes.tsx": "import { lazy } from 'react'\nconst Cart = lazy(() => import('./cart'))\n"
        "export const routes = [{ path: '/', component: () => import('./home') }, { path: '/cart', element: <Cart /> }]\n",
        "cart.tsx": "export default function Cart() { return <p /> }\nexport const limit = 3\n",
        "home.tsx": "const Home = () => <p />\nexport default Home\n",
    }
    found = indexed_project(files).lint(checks=["dead-code"]).to_json()
    assert not found["deadCode"]
    assert [each["symbol"] for each in found["notKnown"]] == ["limit"]
