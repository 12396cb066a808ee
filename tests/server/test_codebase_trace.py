"""Traces of symbols of a real small project: each part, each way to name a symbol, each kind of nothing, budget, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.workspace import Workspace

FILES = {
    "package.json": '{"name": "shop", "main": "./dist/host.js"}',
    "src/host.ts": "export function activate() {}\nfunction stop() {}\n",
    "src/log.ts": "export function log(text: string) { return text }\n",
    "src/store.ts": """\
import { log } from './log'
export interface Item { name: string }
export class Base { open() {} }
/** Keeps items. */
export class Store extends Base {
  keep(item: Item): Item {
    log(item.name)
    this.open()
    return item
  }
  lonely() {}
}
export class Twin { keep() {} }
export function loop(n: number): number { return n ? loop(n - 1) : 0 }
""",
    "src/index.ts": "export { Store } from './store'\n",
    "src/main.ts": """\
import { Store } from './index'
export function fill(store: Store) {
  store.keep({ name: 'a' })
}
export const run = () => fill(new Store())
export function guess(thing: any) { thing.lonely() }
""",
    "site/package.json": '{"name": "site", "private": true, "dependencies": {"@sveltejs/kit": "2"}}',
    "site/src/routes/+page.ts": "export const load = () => ({ rows: [] })\nexport const inner = 1\n",
    "site/src/routes/+page.svelte": "<script lang='ts'>\nlet { data } = $props()\n</script>\n{data.rows.length}\n",
    "site/src/Tag.vue": """\
<script setup lang="ts">
defineProps<{ text: string; wide?: boolean }>()
defineEmits<{ drop: [] }>()
</script>
<template><i>{{ text }}</i><slot name="foot" /></template>
""",
    "site/src/Tags.vue": "<script setup>\nimport Tag from './Tag.vue'\n</script>\n<template><Tag text='a' wide /></template>\n",
    "site/src/Shelf.vue": """\
<script setup>
import Tag from './Tag.vue'
</script>
<template><Tag text='b' @drop='x => x'><template #foot>c</template></Tag></template>
""",
    "src/main.test.ts": "import { fill } from './main'\nimport { Store } from './store'\nfill(new Store())\n",
}
OUTSIDE = "Nothing in the repository uses it, but its file is an entry point (package.json)"
RUN = "entryPoint: Nothing in the repository uses it, but it is run by SvelteKit."
STORE, MAIN = "src/store.ts", "src/main.ts"


@pytest.fixture(scope="module")
def workspace(indexed_project: Callable[[dict[str, str]], Workspace]) -> Workspace:
    return indexed_project(FILES)


Ask = Callable[..., Any]


@pytest.fixture
def ask(workspace: Workspace) -> Ask:
    """The JSON form of a trace."""
    return lambda *symbol, **options: json.loads(json.dumps(workspace.trace(*symbol, **options).to_json()))


KEEP = "Store > keep"


def test_the_definition(ask: Ask) -> None:
    found = ask("Store", include=["definitions"])
    assert found["definition"] == {
        "file": STORE, "line": 5, "kind": "class", "signature": "class Store extends Base",
        "name": f"{STORE} > Store", "exported": True,
    }  # fmt: skip
    assert not {"references", "calls", "types", "hierarchy", "impact", "reExports"} & found.keys()
    assert found["summary"] == {}


def test_only_what_was_asked_for_is_answered(ask: Ask) -> None:
    found = ask("Store", include=["references", "hierarchy"])
    assert found.keys() == {"symbol", "at", "references", "hierarchy", "summary", "tokens", "index"}
    assert (found["symbol"], found["at"]) == ("Store", f"{STORE}:5")


def test_references(ask: Ask) -> None:
    found = ask(KEEP, include=["references"])
    assert found["references"] == [
        {"file": MAIN, "line": 3, "column": 9, "context": "store.keep({ name: 'a' })", "kind": "call", "within": "fill"}
    ]
    assert found["summary"] == {"totalReferences": 1, "totalFiles": 1}
    assert len(ask("Store", include=["references"], max_references=1)["references"]) == 1


def test_re_exports(ask: Ask) -> None:
    assert ask("Store", include=["reexports"])["reExports"] == [{"file": "src/index.ts", "name": "Store", "via": [STORE]}]


def calls(found: dict[str, Any], direction: str) -> list[tuple[str, str, int]]:
    """Who is called or calls, the place of the call, and the hops to it."""
    if direction == "incoming":
        return [(call["caller"], f"{call['file']}:{call['line']}", call["depth"]) for call in found["calls"]["incoming"]]
    return [(call["callee"], call["site"], call["depth"]) for call in found["calls"]["outgoing"]]


def test_calls(ask: Ask) -> None:
    found = ask(KEEP, include=["calls"], depth=2)
    assert calls(found, "outgoing") == [("log", f"{STORE}:7", 1), ("Base.open", f"{STORE}:8", 1)]
    incoming = calls(found, "incoming")
    assert incoming[0] == ("fill", f"{MAIN}:3", 1)
    assert ("run", f"{MAIN}:5", 2) in incoming
    assert found["summary"]["maxCallDepth"] == 2
    assert {depth for _, _, depth in calls(ask(KEEP, include=["calls"], depth=1), "incoming")} == {1}


def test_circles_of_calls_are_marked(ask: Ask) -> None:
    assert ask("loop", include=["calls"])["calls"]["outgoing"][0]["mark"] == "[cycle]"


def test_types(ask: Ask) -> None:
    item = {"symbol": "Item", "file": STORE, "line": 2}
    assert ask(KEEP, include=["types"])["types"] == [
        {"direction": "parameter", "type": "Item", "name": "item", "traceTo": [item]},
        {"direction": "return", "type": "Item", "traceTo": [item]},
    ]


def test_hierarchy(ask: Ask) -> None:
    found = ask("Base", include=["hierarchy"])["hierarchy"]
    assert found["root"] == {"name": "Base", "file": STORE, "kind": "class", "line": 3}
    assert [each["name"] for each in found["subtypes"]] == ["Store"]
    assert found["supertypes"] == []


def test_impact(ask: Ask) -> None:
    found = ask("log", include=["impact"])["impact"]
    assert [each["symbol"] for each in found["directDependents"]] == ["Store.keep"]
    assert "fill" in [each["symbol"] for each in found["transitiveDependents"]]
    assert found["affectedTests"] == ["src/main.test.ts"]
    summary = found["summary"]
    assert summary["directFiles"] == 1
    assert summary["totalSymbolsAffected"] == len(found["directDependents"]) + len(found["transitiveDependents"])
    assert summary["riskLevel"] in ("low", "medium", "high", "critical")
    assert ask("log", include=["impact"], depth=1)["impact"]["transitiveDependents"] == []


@pytest.mark.parametrize(
    ("member", "direct", "transitive"),
    [
        ("wide", ["Tags"], []),
        ("drop", ["Shelf"], []),
        ("foot", ["Shelf"], []),
        ("text", ["Shelf", "Tag", "Tags"], []),
    ],
)
def test_impact_of_a_member_of_a_component_is_on_those_who_pass_it(
    ask: Ask, member: str, direct: list[str], transitive: list[str]
) -> None:
    found = ask(f"Tag > {member}", include=["impact"])["impact"]
    assert sorted(each["symbol"] for each in found["directDependents"]) == direct
    assert [each["symbol"] for each in found["transitiveDependents"]] == transitive


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"symbol": "Store"}, f"{STORE} > Store"),
        ({"symbol": "Store > keep"}, f"{STORE} > Store > keep"),
        ({"symbol": f"{STORE} > Twin > keep"}, f"{STORE} > Twin > keep"),
        ({"symbol": "Store", "file": STORE}, f"{STORE} > Store"),
        ({"file": STORE, "line": 5}, f"{STORE} > Store"),
        ({"file": STORE, "line": 7}, f"{STORE} > Store > keep"),
        ({"file": STORE, "line": 7, "column": 4}, "src/log.ts > log"),
        ({"file": STORE, "line": 7, "column": 6}, "src/log.ts > log"),
        ({"file": MAIN, "line": 3, "column": 8}, f"{STORE} > Store > keep"),
        ({"file": MAIN, "line": 3, "symbol": "keep"}, f"{STORE} > Store > keep"),
        ({"file": MAIN, "line": 5, "symbol": "fill"}, f"{MAIN} > fill"),
        ({"file": MAIN, "line": 5, "column": 25}, f"{MAIN} > fill"),
        ({"file": MAIN, "line": 2, "column": 18}, f"{MAIN} > fill"),
        ({"file": MAIN, "line": 3, "column": 0}, f"{MAIN} > fill"),
    ],
)
def test_ways_to_name_a_symbol(ask: Ask, options: dict[str, Any], name: str) -> None:
    assert ask(**options, include=["definitions"])["definition"]["name"] == name


def test_the_call_of_a_local_name_leads_to_the_function_that_it_holds(
    indexed_project: Callable[[dict[str, str]], Workspace],
) -> None:
    source = """\
const tasks = { run: () => 1, stop: () => 2 }
export function all(run: number) {
  const { stop, run: start } = tasks
  return run + stop() + start()
}
"""
    workspace = indexed_project({"tasks.ts": source})
    stop, start, run = (
        workspace.trace(file="tasks.ts", line=4, column=column, include=["definitions"]).to_json() for column in (15, 24, 9)
    )
    assert stop["definition"]["name"] == "tasks.ts > tasks > stop"
    assert start["definition"]["name"] == "tasks.ts > tasks > run"
    assert run["nothing"]["symbol"].startswith('notFound: "run" is a local name')


def test_absolute_paths(ask: Ask, workspace: Workspace) -> None:
    found = ask(file=str(workspace.root / STORE), line=5, include=["definitions"])
    assert found["definition"]["name"] == f"{STORE} > Store"


def test_an_ambiguous_name_lists_its_candidates(ask: Ask) -> None:
    found = ask("keep")
    assert found["nothing"]["symbol"].startswith("ambiguous: keep names 2 symbols")
    assert [candidate["symbol"] for candidate in found["candidates"]] == [f"{STORE} > Store > keep", f"{STORE} > Twin > keep"]
    assert "definition" not in found


def test_the_only_exported_symbol_of_a_name_is_traced_and_the_others_are_listed(
    indexed_project: Callable[[dict[str, str]], Workspace],
) -> None:
    files = {
        "parse.ts": "export function parse(text: string) { return text.trim() }\n",
        "use.ts": "import { parse } from './parse'\n"
        "class Reader { parse() { return parse('a') } }\n"
        "function run() { const parse = () => 1; return parse() }\n"
        "run(); new Reader().parse()\n",
        "tests/helper.test.ts": "export function parse() { return 0 }\n",
    }
    found = indexed_project(files).trace("parse")
    assert found.to_json()["definition"]["name"] == "parse.ts > parse"
    assert found.to_json()["calls"]["incoming"][0]["caller"] == "Reader.parse"
    others = {candidate["symbol"] for candidate in found.to_json()["candidates"]}
    assert others == {"use.ts > Reader > parse", "use.ts > run > parse", "tests/helper.test.ts > parse"}
    assert "Other symbols of this name:" in found.text


def test_two_exported_symbols_of_a_name_stay_ambiguous(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    source = "export function parse(text: string) { return text.trim() }\n"
    workspace = indexed_project({"a.ts": source, "b.ts": source, "guide.md": "# Guide\n\nThe text goes through `parse()`.\n"})
    found = workspace.trace("parse").to_json()
    assert found["nothing"]["symbol"].startswith("ambiguous: parse names 2 symbols")
    assert any(
        "another one of its name: guide.md: 3" in note for note in workspace.trace("parse", file="a.ts").to_json()["notes"]
    )
    assert [entry.links for entry in workspace.graph.document("guide.md").answer.sections["notFound"]] == [
        ("parse (a.ts:1)", "parse (b.ts:1)")
    ]
    nothing = workspace.trace("guide.md > Guide").to_json()["nothing"]
    assert nothing["calls.incoming"] == "notApplicable: A section cannot be called; `references()` lists its uses."
    shown = workspace.search("symbol = guide.md > Guide").text
    assert '"parse" in line 3 is ambiguous: parse (a.ts:1), parse (b.ts:1).' in shown
    assert "The text goes through `parse()`." in shown


NOTHING: list[tuple[dict[str, Any], str, str]] = [
    ({"symbol": "Stor"}, "symbol", "notFound:"),
    ({"symbol": "x", "file": "dist/x.css", "line": 1}, "symbol", "notIndexed:"),
    ({"file": STORE, "line": 900}, "symbol", "notFound: Nothing stands at line 900"),
    ({"file": STORE, "line": 7, "column": 400}, "symbol", f"notFound: Line 7 of {STORE} ends at column 18."),
    (
        {"file": STORE, "line": 14, "column": 49},
        "symbol",
        f'notFound: "n" is a local name here, or comes from outside the repository. It stands in {STORE} > loop.',
    ),
    ({"symbol": "Twin > keep", "include": ["calls"]}, "calls.incoming", "none: Nothing calls it"),
    ({"symbol": "lonely", "include": ["calls"]}, "calls.incoming", "unresolved: No caller is known"),
    ({"symbol": "Item", "include": ["calls"]}, "calls.incoming", "notApplicable:"),
    ({"symbol": "log", "include": ["hierarchy"]}, "hierarchy", "notApplicable:"),
    ({"symbol": "Twin", "include": ["hierarchy"]}, "hierarchy", "none:"),
    ({"symbol": "log", "include": ["reexports"]}, "reexports", "none:"),
    ({"symbol": "Twin > keep", "include": ["references"]}, "references", "none:"),
    ({"symbol": "run", "include": ["impact"]}, "impact", "none:"),
    ({"symbol": "activate", "include": ["calls"]}, "calls.incoming", f"unresolved: {OUTSIDE}"),
    ({"symbol": "activate", "include": ["impact"]}, "impact", f"unresolved: {OUTSIDE}"),
    ({"symbol": "load", "include": ["calls"]}, "calls.incoming", RUN),
    ({"symbol": "load", "include": ["references"]}, "references", RUN),
    ({"symbol": "+page", "include": ["impact"]}, "impact", RUN),
    ({"symbol": "inner", "include": ["references"]}, "references", "none: "),
    ({"symbol": "stop", "include": ["references"]}, "references", "none:"),
]


@pytest.mark.parametrize(("options", "part", "kind"), NOTHING)
def test_nothing_says_which_kind_it_is(ask: Ask, options: dict[str, Any], part: str, kind: str) -> None:
    assert ask(**options)["nothing"][part].startswith(kind)


def test_callers_are_not_known_where_code_uses_a_function_as_a_value(
    indexed_project: Callable[[dict[str, str]], Workspace],
) -> None:
    source = """function Shape(name) { this.name = name }
function Circle(name) { Shape.call(this, name) }
function area() { return 1 }
function log() { return 2 }
function close() { return 3 }
area.apply(null, [])
setTimeout(log.bind(null), 1)
exports.run = () => new Circle('c')
module.exports.close = close
"""
    row = "import { memo } from 'react'\nfunction Row() { return <b /> }\nexport default memo(Row)\n"
    found = indexed_project({"shapes.js": source, "row.tsx": row, "package.json": '{"private": true}'})

    def callers(name: str) -> str:
        return str(found.trace(name, include=["calls"]).to_json()["nothing"]["calls.incoming"])

    for name in ("Shape", "area", "log", "row.tsx > Row"):
        assert callers(name).startswith("unresolved: No call of its name leads to it, but it is used as a value at 1 place,")
    assert callers("close").startswith("none: Nothing calls it")


@pytest.mark.parametrize("budget", [400, 700, 1200])
def test_budgets_hold_and_say_what_they_left_out(ask: Ask, workspace: Workspace, budget: int) -> None:
    found = ask("Store", budget=budget)
    assert found["tokens"] <= budget
    assert found["summary"]["totalReferences"] == 6
    if len(found["references"]) < 6:
        assert any("more references" in note for note in found["notes"])


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "Name the symbol, or give a file and a line."),
    ({"line": 3}, "Name the symbol, or give a file and a line."),
    ({"symbol": "x", "line": 3}, "A line requires the file that contains it."),
    ({"file": STORE}, "Name the symbol, or give a line of the file."),
    ({"file": STORE, "line": 0}, "Lines count from 1, so there is no line 0."),
    ({"file": STORE, "line": 1, "column": -1}, "Columns count from 0, so there is no column -1."),
    ({"symbol": "x", "depth": 0}, "The depth of a trace is a number of hops from 1 to 10, not 0."),
    ({"symbol": "x", "include": ["colour"]}, 'A trace has no part "colour"; it is one of all, definitions,'),
    ({"symbol": "x", "max_references": 9000}, "maxReferences is a number from 1 to 5,000, not 9000."),
    ({"symbol": "x", "budget": 5}, "A trace needs a budget of at least 400 tokens, not 5."),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_bad_input_is_explained(workspace: Workspace, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        workspace.trace(**options)
    assert str(caught.value).startswith(message)


def test_the_text_form(workspace: Workspace) -> None:
    text = workspace.trace(KEEP).text
    assert f"{STORE} > Store > keep: exported method ({STORE}:6)" in text
    assert f"  {MAIN}:3:9 call: store.keep({{ name: 'a' }})" in text
    assert f"Parameter item: Item = Item ({STORE}:2)" in text
