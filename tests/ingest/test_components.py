"""Single-file components: their symbols, and conduct on input of any form and size."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from astrolabe.ingest.facts.cache import FactKey
from astrolabe.ingest.facts.operations import Op
from astrolabe.ingest.incremental.file_links import link_file
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.import_targets import MissingTarget
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from linear_time import is_linear, processor_seconds
from parser_report.reading import FileReading, read_source
from parser_report.rules import RULES

FIXTURES = sorted((Path(__file__).parent / "component_fixtures").iterdir())
LANGUAGES = ("vue", "svelte", "astro", "mdx")

#: Symbols of the fixtures: kind, qualified name, first and last line.
SYMBOLS = {
    "TaskBoard.vue": [
        ("component", "TaskBoard", 1, 47),
        ("import", "TaskBoard.import:vue", 2, 2),
        ("property", "TaskBoard.owner", 8, 8),
        ("property", "TaskBoard.moved", 11, 11),
        ("function", "TaskBoard.move", 15, 19),
        ("property", "TaskBoard.footer", 34, 34),
    ],
    "Legacy.vue": [
        ("component", "LegacyList", 1, 41),
        ("property", "LegacyList.rows", 14, 14),
        ("property", "LegacyList.picked", 16, 16),
        ("property", "LegacyList.open", 18, 18),
    ],
    "Counter.svelte": [
        ("component", "Counter", 1, 29),
        ("property", "Counter.start", 10, 10),
        ("function", "Counter.row", 19, 21),
    ],
    "Page.astro": [("component", "Page", 1, 23), ("interface", "Page.Props", 3, 6), ("property", "Page.aside", 18, 18)],
    "guide.mdx": [("component", "guide", 1, 21), ("const", "guide.version", 6, 6)],
}

#: What a hostile text begins with, and what is repeated after it.
HOSTILE = {
    "braces": (b"", b"{"),
    "mustaches": (b"<template>", b"{{ a "),
    "open tags": (b"<template>", b"<div>"),
    "closing tags": (b"<template>", b"</div>"),
    "open attributes": (b"<template>", b'<div a="'),
    "signs": (b"<template>", b"<"),
    "loops": (b"<template>", b'<a v-for="x in y">'),
    "branches": (b"<template><a v-if='a'/>", b"<a v-else-if='a.b'/>"),
    "slots": (b"<template>", b"<slot :a='b' />"),
    "scripts": (b"", b"<script>"),
    "comments": (b"", b"<!-- "),
    "regular expressions": (b"{", b" = /["),
    "templates": (b"{", b"`${"),
    "each": (b"", b"{#each a as b}"),
    "else": (b"{#if a}", b"{:else if a}{a.b}"),
    "snippets": (b"", b"{#snippet a(b)}"),
    "snippets of components": (b"<A>", b"{#snippet a(b)}{b}"),
    "emitted events": (b"<script>export default { methods: { a() {", b"this.$emit('a');this.$store.commit('a/b');"),
    "mapped members": (b"<script>export default { computed: {", b"...mapState('a', ['b']),"),
    "provided values": (b"<script setup>", b"provide('a', inject('b'));"),
    "dispatched events": (b"<script>const a = createEventDispatcher();", b"a('b');"),
    "stores": (b"<script>let a;</script>", b"{$a}"),
    "markup in code": (b"---\n---\n", b"{a.map(b => <li>"),
    "markup beside markup": (b"---\n---\n{a && (", b"<b c={d}/> "),
    "open values": (b"", b"<A b={`\n\n"),
    "values over lines": (b"", b"<A b={`\n\n`}/>\n"),
    "values on one line": (b"", b"b={`{`} "),
    "expressions at starts of lines": (b"", b"{`{`\n"),
    "fences": (b"---\n", b"-- -\n"),
    "ticks": (b"", b"`` ` "),
    "imports": (b"", b"import {\n\n"),
    "macros": (b"<script setup>", b"const a = defineProps({ b: String })\n"),
    "events": (b"<script setup lang='ts'>defineEmits<{", b"(e: 'x'): void; "),
    "long lines": (b"<p>", b"xxxxxxxx"),
}


def fixture(name: str) -> FileReading:
    path = next(each for each in FIXTURES if each.name == name)
    return read_source(path.name, path.read_bytes())


@pytest.mark.parametrize("name", SYMBOLS)
def test_symbols(name: str) -> None:
    found = [(each.kind, each.qualified_name, each.start_line, each.end_line) for each in fixture(name).symbols]
    assert [each for each in SYMBOLS[name] if each not in found] == []


@pytest.mark.parametrize("path", FIXTURES, ids=[path.name for path in FIXTURES])
@pytest.mark.parametrize(
    "variant",
    [
        lambda data: data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: "\ufeff".encode("utf-16-le") + data.decode().encode("utf-16-le"),
    ],
    ids=["plain", "carriage returns", "mark", "utf-16"],
)
def test_rules_hold(path: Path, variant: Callable[[bytes], bytes]) -> None:
    file = read_source(path.name, variant(path.read_bytes()))
    assert file.status == "ok"
    assert len(file.roots) == 1
    rules = {name: rule for name, rule in RULES.items() if name != "root-level isolation"}  # that rule parses the file itself
    assert [(name, broken) for name, rule in rules.items() for broken in rule(file)] == []


@pytest.mark.parametrize("path", FIXTURES, ids=[path.name for path in FIXTURES])
def test_broken_text_is_read(path: Path) -> None:
    """A file that is cut anywhere, or has lost or won a byte anywhere, is read with its one component."""
    data, chance = path.read_bytes(), random.Random(1)
    for _ in range(60):
        at = chance.randrange(len(data))
        for text in (
            data[:at],
            data[:at] + data[at + 1 :],
            data[:at] + chance.choice([b"{", b"<", b'"', b"`", b"}"]) + data[at:],
        ):
            facts = extract_facts(text, path.suffix[1:])
            assert not [each for each in facts.problems if "extraction failed" in each.reason]
            assert [each.kind for each in facts.symbols if each.parent < 0] == ["component"]


def test_a_broken_expression_costs_itself_alone() -> None:
    facts = extract_facts(b"<script setup>\nconst a = 1\n</script>\n<template>\n{{ a) }}\n{{ a }}\n</template>\n", "vue")
    assert [(each.line, each.reason) for each in facts.problems] == [
        (5, "brackets do not match in an expression of the template")
    ]
    assert "a" in facts.strings


def test_code_in_a_template_of_an_expression_is_no_statement_of_mdx() -> None:
    source = b"""import Code from './Code'

<Code lang={'ts'} title="a">
  {`import { gone } from 'gone';

export const client = make('${Code.url}');
`}
</Code>

export const after = 1
"""
    facts = extract_facts(source, "mdx")
    assert facts.problems == []
    assert [each.specifier for each in facts.imports] == ["./Code"]
    assert [each.name for each in facts.symbols if each.kind == "const"] == ["after"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_takes_about_twice_the_time(name: str, language: str) -> None:
    head, part = HOSTILE[name]
    assert is_linear(lambda count: processor_seconds(lambda: extract_facts(head + part * count, language)), 12_000 // len(part))


def test_calls_stay_calls_when_the_template_types_the_value_of_one() -> None:
    source = b"""<script setup>
import { useTemplateRef } from "vue"
defineProps({ rows: Array })
const button = useTemplateRef("button")
function pick() { button.value.focus() }
</script>
<template><p>{{ pick() }}</p><v-btn ref="button" /></template>
"""
    facts = extract_facts(source, "vue")
    code = memoryview(facts.code).cast("i")
    called = {code[node] for node in facts.calls}
    assert called == {Op.CALL, Op.JSX}
    assert len(set(facts.calls)) == len(facts.calls) == 4


def test_links_of_a_component_find_its_facts_in_the_cache() -> None:
    """The cache knows a file by its own language, and not by that of its script."""
    facts = extract_facts(b'<script setup lang="ts">\nconst a = 1\n</script>\n', "vue")
    links = link_file(Unit(0, "src/Panel.vue", facts), facts, "00", lambda specifier, _: MissingTarget(specifier))
    assert (facts.language, links.key) == ("typescript", FactKey.of("00", "vue"))
