"""Ambient declarations: `declare global`, `declare module`, declaration files, and what they add to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.ambients import AmbientBlock, Ambients, ambients, augmentations
from astrolabe.retrieval.analyses.finding import find_file


@pytest.fixture(scope="module")
def found(project: Callable[[str], Any]) -> Ambients:
    return ambients(project("ambients").graph)


def spell(block: AmbientBlock) -> str:
    members = ", ".join(f"{each.kind} {each.name} {each.line}" for each in block.members)
    return f"{block.file}:{block.line}-{block.end_line} {block.name}: {members}"


GLOBAL_BLOCKS = [
    "global-augment-2.ts:3-8 global: function log 4, interface Array 5",
    "global-augment.ts:3-12 global: function trackEvent 4, variable appVersion 5, interface Window 6, namespace App 9",
]
MODULE_BLOCKS = [
    "ambient-types.d.ts:18-21 *.svg: const url 19",
    "global-augment-2.ts:10-14 ./core: interface Core 11",
    "module-augment.ts:3-11 my-external-lib: interface Options 4, interface Result 7, function run 10",
    "module-augment.ts:13-18 my-config-lib: interface Config 14, const defaults 17",
]
DECLARATIONS = [
    "function ambientFunction 1",
    "const AMBIENT_VERSION 2",
    "variable ambientState 3",
    "interface AmbientShape 4",
    "type AmbientId 7",
    "class AmbientService 8",
    "enum AmbientLevel 11",
    "namespace AmbientSpace 15",
]


def test_global_blocks_are_complete_and_in_order(found: Ambients) -> None:
    assert [spell(block) for block in found.global_blocks] == GLOBAL_BLOCKS
    assert all(block.is_global and block.is_augmentation and block.target is None for block in found.global_blocks)


def test_module_blocks_are_complete_and_in_order(found: Ambients) -> None:
    assert [spell(block) for block in found.module_blocks] == MODULE_BLOCKS
    assert [block.is_augmentation for block in found.module_blocks] == [False, True, True, True]
    assert [block.target for block in found.module_blocks] == [None, "core.ts", None, None]


def test_declaration_files_declare_for_every_file_unless_they_are_modules(found: Ambients) -> None:
    assert [f"{each.kind} {each.name} {each.line}" for each in found.declarations] == DECLARATIONS
    assert {each.file for each in found.declarations} == {"ambient-types.d.ts"}
    assert [(each.file, each.name) for each in found.exported_declarations] == [
        ("typed.d.ts", "Exported"),
        ("typed.d.ts", "make"),
    ]


@pytest.mark.parametrize("expected", GLOBAL_BLOCKS + MODULE_BLOCKS)
def test_each_block(found: Ambients, expected: str) -> None:
    assert expected in [spell(block) for block in (*found.global_blocks, *found.module_blocks)]


@pytest.mark.parametrize("at", range(len(DECLARATIONS)), ids=DECLARATIONS)
def test_each_declaration(found: Ambients, at: int) -> None:
    each = found.declarations[at]
    assert f"{each.kind} {each.name} {each.line}" == DECLARATIONS[at]


SIGNATURES = [
    ("trackEvent", "trackEvent(name: string, data?: object): void"),
    ("appVersion", "var appVersion: string"),
    ("run", "run(options: Options): Result"),
]


@pytest.mark.parametrize(("name", "signature"), SIGNATURES, ids=[name for name, _ in SIGNATURES])
def test_members_have_signatures(found: Ambients, name: str, signature: str) -> None:
    members = [each for block in (*found.global_blocks, *found.module_blocks) for each in block.members]
    assert [each.signature for each in members if each.name == name] == [signature]


def test_members_of_a_block_are_in_source_order(found: Ambients) -> None:
    for block in (*found.global_blocks, *found.module_blocks):
        assert [each.line for each in block.members] == sorted(each.line for each in block.members)
        assert all(block.line < each.line <= block.end_line for each in block.members)


def test_installed_packages_are_left_out(analysed_text: Callable[[dict[str, str]], Any]) -> None:
    text = "export {}\ndeclare global { interface NAME { id: string } }\n"
    files = {"own.ts": text.replace("NAME", "Own"), "node_modules/lib/index.d.ts": text.replace("NAME", "Theirs")}
    blocks = ambients(analysed_text(files).graph).global_blocks
    assert [each.name for block in blocks for each in block.members] == ["Own"]


def test_plain_namespaces_are_no_blocks(found: Ambients) -> None:
    assert "Helpers" not in found.text
    assert "App" not in {block.name for block in (*found.global_blocks, *found.module_blocks)}


def test_a_file_tells_what_adds_to_it(project: Callable[[str], Any]) -> None:
    graph = project("ambients").graph
    added = augmentations(graph, find_file(graph, "core.ts"))
    assert [spell(block) for block in added.module_blocks] == MODULE_BLOCKS[1:2]
    assert augmentations(graph, find_file(graph, "global-augment.ts")).nothing.kind == "none"
    assert augmentations(graph, find_file(graph, "nowhere.ts")).nothing.kind == "notFound"


def test_a_workspace_without_any_says_so(project: Callable[[str], Any]) -> None:
    assert ambients(project("callbacks").graph).nothing.kind == "none"
