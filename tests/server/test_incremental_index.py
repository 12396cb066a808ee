"""What a change costs: files parsed, chunks embedded and written, files resolved, for each kind of change."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from astrolabe.ingest.incremental.update import IndexUpdate, _Updater
from astrolabe.schema.manifest import LoggedChanges
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.indexing.indexer import Work
from git_commands import git
from incremental_report.__main__ import check

FILES = {
    "src/a.ts": "/** Adds one. */\nexport function addOne(value: number) {\n  return value + 1\n}\n"
    "export function addTwo(value: number) {\n  return addOne(addOne(value))\n}\n",
    "src/b.ts": "import { addOne } from './a'\nexport const three = addOne(2)\n",
    "src/c.ts": "export class Counter {\n  count = 0\n  step() {\n    this.count += 1\n  }\n}\n",
    "src/d.ts": "import { Counter } from './c'\nnew Counter().step()\n",
    "src/e.js": "module.exports = { plain: true }\n",
}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "project", FILES)
    return tmp_path / "project"


def index(root: Path) -> tuple[str, Work]:
    with Workspace.locate(root) as workspace:
        report = workspace.index()
    return report.outcome, report.work


def edit(old: str, new: str, name: str = "src/a.ts") -> Callable[[Path], object]:
    return lambda root: (root / name).write_text((root / name).read_text().replace(old, new))


def touch(root: Path) -> None:
    for path in root.rglob("*.ts"):
        os.utime(path, ns=(1, 1_700_000_000_000_000_000))


CHANGES: dict[str, tuple[Callable[[Path], object], str, Work]] = {
    "no change": (lambda root: None, "unchanged", Work()),
    "mtime only": (touch, "unchanged", Work()),
    # Both functions are written again, since lines moved; one text is new.
    "content change": (edit("+ 1", "+ 1 + 0"), "built", Work(parsed=1, embedded=1, written=2, resolved=2)),
    "a line above": (edit("/** Adds", "\n\n/** Adds"), "built", Work(parsed=1, embedded=0, written=2, resolved=1)),
    "file added": (lambda root: write(root, {"src/f.ts": "export const six = 6\n"}), "built", Work(1, 1, 1, 1)),
    "file removed": (lambda root: (root / "src/d.ts").unlink(), "built", Work(0, 0, 0)),
    # The path is part of what is embedded, the facts are the same.
    "file renamed": (lambda root: (root / "src/b.ts").rename(root / "src/z.ts"), "built", Work(0, 2, 2, 1)),
    "a copy": (lambda root: shutil.copy(root / "src/b.ts", root / "src/z.ts"), "built", Work(0, 2, 2, 1)),
    # A class is embedded with the signatures of its methods: it goes with them.
    "signature change": (edit("step()", "step(by = 1)", "src/c.ts"), "built", Work(parsed=1, embedded=2, written=2, resolved=2)),
    "body change in a class": (edit("+= 1", "+= 2", "src/c.ts"), "built", Work(parsed=1, embedded=1, written=2, resolved=1)),
    "broken syntax": (edit("return value + 1", "return value + +"), "built", Work(parsed=1, embedded=1, written=2, resolved=2)),
}


@pytest.mark.parametrize(("change", "outcome", "work"), CHANGES.values(), ids=CHANGES)
def test_a_change_costs_what_it_changes(project: Path, change: Callable[[Path], object], outcome: str, work: Work) -> None:
    assert index(project) == ("built", Work(parsed=5, embedded=9, written=9, resolved=5))
    change(project)
    assert index(project) == (outcome, work)
    assert index(project) == ("unchanged", Work())


def _without(name: str) -> Callable[[Path], object]:
    """Another text in a file, and a file less beside the graph."""

    def change(root: Path) -> None:
        edit("+ 1", "+ 1 + 0")(root)
        next((root / ".astrolabe/generations").glob(f"*/{name}")).unlink()

    return change


def test_a_file_without_symbols_that_comes_or_goes_changes_what_imports_it(project: Path) -> None:
    write(project, {"src/f.ts": "import limits from './limits.json'\nexport const most = limits.most\n", "src/other.json": "{}"})
    assert index(project)[0] == "built"
    write(project, {"src/limits.json": '{"most": 3}'})
    with Workspace.locate(project) as workspace:
        assert workspace.status().data_files == ("src/limits.json",)
        report = workspace.index()
        imported = [edge.to_file for edge in workspace.export_edges().imports if edge.from_file == "src/f.ts"]
        assert (report.work, imported) == (Work(resolved=1), ["src/limits.json"])
        told = "A data file has no symbols: src/limits.json is imported by src/f.ts."
        assert workspace.search("symbol = limits.json").text == told
    write(project, {"src/limits.json": '{"most": 4}'})
    assert index(project) == ("unchanged", Work())
    (project / "src/limits.json").unlink()
    assert index(project) == ("built", Work(resolved=1))
    write(project, {"src/g.ts": "import './g.CSS'\nimport { most } from './linked/h'\n", "kit/h.ts": "export const most = 1\n"})
    assert index(project)[0] == "built"
    write(project, {"src/g.CSS": ""})
    assert index(project) == ("built", Work(resolved=1))
    (project / "src/linked").symlink_to("../kit")
    assert index(project) == ("built", Work(resolved=1))
    assert check(project, project / ".astrolabe", project.parent / "fresh") == []


RULES: dict[str, tuple[dict[str, str], Work]] = {
    "a version": ({"package.json": '{"name": "shop", "version": "1.1.0"}'}, Work()),
    "an entry": ({"packages/kit/package.json": '{"name": "@shop/kit", "main": "./other.ts"}'}, Work(resolved=1)),
    "another name": ({"packages/kit/package.json": '{"name": "@shop/tools", "main": "./kit.ts"}'}, Work(resolved=1)),
    "paths": ({"tsconfig.json": '{"compilerOptions": {"paths": {"@shop/*": ["./packages/kit/other.ts"]}}}'}, Work(resolved=1)),
    "an option": ({"tsconfig.json": '{"compilerOptions": {"strict": true}}'}, Work()),
    "an ignored file": ({".gitignore": "d.ts\n"}, Work()),
    "an import map": ({"deno.json": '{"imports": {"@shop/kit": "./packages/kit/other.ts"}}'}, Work(resolved=1)),
    "a mapping of tests": (
        {"jest.config.json": '{"moduleNameMapper": {"^@shop/k.t$": "<rootDir>/packages/kit/other.ts"}}'},
        Work(),
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("rules", "work"), RULES.values(), ids=RULES)
def test_rules_affect_the_files_whose_imports_mean_something_else(
    project: Path, tmp_path: Path, rules: dict[str, str], work: Work
) -> None:
    kit = "export const open = () => 1\n"
    write(project, {"package.json": '{"name": "shop", "version": "1.0.0"}', "tsconfig.json": "{}"})
    write(project, {"packages/kit/package.json": '{"name": "@shop/kit", "main": "./kit.ts"}'})
    write(project, {"packages/kit/kit.ts": kit, "packages/kit/other.ts": kit})
    write(project, {"src/f.ts": "import { open } from '@shop/kit'\nopen()\n"})
    index(project)
    write(project, rules)
    with Workspace.locate(project) as workspace:
        assert workspace.status().configuration_changed
        report = workspace.index()
    assert (report.rebuilt_because, report.work) == ("", work)
    assert check(project, project / ".astrolabe", tmp_path / "fresh") == []
    assert index(project) == ("unchanged", Work())


def test_aliases_of_a_bundler_change_with_its_configuration_and_with_what_it_imports(project: Path, tmp_path: Path) -> None:
    write(project, {"package.json": '{"name": "shop"}', "src/f.ts": "import { open } from '@kit/kit'\nopen()\n"})
    write(project, {"kit/kit.ts": "export const open = () => 1\n", "tools/kit.ts": "export const open = () => 2\n"})
    write(project, {"vite.config.ts": "import { alias } from './aliases'\nexport default { resolve: { alias } }\n"})
    write(project, {"aliases.ts": "import { kit } from './folders'\nexport const alias = { '@kit': kit }\n"})
    for folder in ("kit", "tools", "gone"):
        path = "aliases.ts" if folder == "gone" else "folders.ts"
        write(project, {path: f"export const kit = __dirname + '/{folder}'\nexport const alias = {{ '@kit': kit }}\n"})
        with Workspace.locate(project) as workspace:
            workspace.index()
            imported = [edge.to_file for edge in workspace.export_edges().imports if edge.from_file == "src/f.ts"]
        assert imported == ([f"{folder}/kit.ts"] if folder != "gone" else [])
        assert check(project, project / ".astrolabe", tmp_path / folder) == []


ANEW: dict[str, tuple[Callable[[Path], object], str]] = {
    "installed packages": (
        lambda root: write(root, {"node_modules/.package-lock.json": "{}"}),
        "settings, installed packages or the version of Astrolabe changed",
    ),
    "for everybody": (
        edit("+ 1", "+ 1\n}\ndeclare global {\n  interface Array<T> { [shopped: symbol]: T }"),
        "src/a.ts declares something for all files",
    ),
    "no links": (_without("links.bin"), "the links between files are not kept"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("change", "why"), ANEW.values(), ids=ANEW)
def test_a_change_that_cannot_be_told_apart_builds_anew_and_says_why(
    project: Path, change: Callable[[Path], object], why: str
) -> None:
    write(project, {"package.json": "{}"})
    index(project)
    change(project)
    with Workspace.locate(project) as workspace:
        report = workspace.index()
    assert (report.rebuilt_because, report.notices) == (why, ())
    assert report.work.resolved == report.generation.manifest.counts["File"]


MANY = {f"src/m{number}.ts": f"export function many{number}() {{\n  return {number}\n}}\n" for number in range(30)}
USERS = {f"src/u{number}.ts": f"import {{ many{number} }} from './m{number}'\nmany{number}()\n" for number in range(30)}
DATA = {"src/rates.json": '{ "vat": 1 }\n', "src/vat.ts": "import rates from './rates.json'\nexport const vat = rates.vat\n"}


def _switch_branches(root: Path) -> None:
    """Other bodies in some files, another result in one of them, one file more and one less."""
    for number in range(12):
        edit(f"return {number}", f"return {number} + 0", f"src/m{number}.ts")(root)
    edit("many20()", "many20(by: string)", "src/m20.ts")(root)
    (root / "src/u25.ts").unlink()
    write(root, {"src/new.ts": "import { many1 } from './m1'\nexport const one = many1()\n"})


RENEWED: dict[str, tuple[Callable[[Path], object], Work]] = {
    # Inferred results are read through bodies, so their users are resolved with them.
    "many files": (_switch_branches, Work(parsed=14, embedded=15, written=15, resolved=27)),
    # It was parsed for a change in place.
    "no ranking": (_without("graph.ranking"), Work(parsed=0, embedded=1, written=2, resolved=2)),
}


@pytest.mark.parametrize(("change", "work"), RENEWED.values(), ids=RENEWED)
def test_a_new_graph_file_takes_over_what_did_not_change(
    project: Path, tmp_path: Path, change: Callable[[Path], object], work: Work
) -> None:
    write(project, MANY | USERS | DATA)
    index(project)
    change(project)
    with Workspace.locate(project) as workspace:
        report = workspace.index()
    assert (report.rebuilt_because, report.work) == ("", work)
    assert (report.generation.manifest.logged, report.generation.manifest.log_bytes) == (LoggedChanges(), 0)
    assert check(project, project / ".astrolabe", tmp_path / "fresh") == []


@pytest.mark.faults
def test_an_update_that_fails_builds_anew_and_says_why(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    index(project)

    def failing(_: _Updater) -> IndexUpdate:
        raise KeyError(48)

    monkeypatch.setattr(_Updater, "run", failing)
    monkeypatch.setattr(logging.getLogger("astrolabe"), "warning", lambda text, *values: told.append(text % values))
    edit("+ 1", "+ 2")(project)
    with Workspace.locate(project) as workspace:
        assert workspace.index().rebuilt_because == "an update failed (KeyError)"
    assert told == ["an update failed, so that everything is analyzed again: KeyError: 48. Please report this."]
    assert index(project)[0] == "unchanged"


def test_a_name_for_all_files_affects_those_that_mention_it(project: Path) -> None:
    edit("= addOne(2)", "= addOne(2) + ours.open()", "src/b.ts")(project)
    write(project, {"src/ours.ts": "export {}\ndeclare global {\n  interface Ours { open(): number }\n  var ours: Ours\n}\n"})
    index(project)
    edit("open(): number", "open(by?: number): number\n  close(): void", "src/ours.ts")(project)
    with Workspace.locate(project) as workspace:
        report = workspace.index()
        called = workspace.cypher("MATCH (a:Symbol)-[:CALLS]->(b:Symbol {name: 'open'}) RETURN a.name").rows
    assert (report.rebuilt_because, report.work.parsed, report.work.resolved) == ("", 1, 2)
    assert called == [("three",)]


def test_a_member_for_all_files_affects_those_that_say_its_name(project: Path) -> None:
    ours = "import type { Counter } from './c'\ndeclare global {\n  interface Window { counter: Counter }\n}\n"
    write(project, {"src/ours.ts": ours, "src/w.ts": "window.counter.step()\n", "src/x.ts": "window.close()\n"})
    index(project)
    edit("step()", "step(by: number)", "src/c.ts")(project)
    with Workspace.locate(project) as workspace:
        report = workspace.index()
    # The class, what declares it for all, and what takes it from either.
    assert (report.rebuilt_because, report.work.parsed, report.work.resolved) == ("", 1, 4)
    edit("counter:", "tally:", "src/ours.ts")(project)
    with Workspace.locate(project) as workspace:
        report = workspace.index()
        assert workspace.cypher("MATCH (a)-[:CALLS]->(b:Symbol {name: 'step'}) RETURN a.relativePath").rows == [("src/d.ts",)]
    assert (report.rebuilt_because, report.work.resolved) == ("", 2)
    assert check(project, project / ".astrolabe", project.parent / "fresh") == []


def test_a_member_of_a_module_affects_those_that_say_its_name(project: Path) -> None:
    write(project, {"src/more.ts": "export {}\n", "src/w.ts": "import { Counter } from './c'\nnew Counter().more().at(0)\n"})
    index(project)
    augmented = "export {}\ndeclare module './c' {\n  interface Counter { more(): string[] }\n}\n"
    write(project, {"src/more.ts": augmented})
    with Workspace.locate(project) as workspace:
        report = workspace.index()
        assert workspace.cypher("MATCH (a)-[:CALLS]->(b:Symbol {name: 'more'}) RETURN a.relativePath").rows == [("src/w.ts",)]
    # The class is mentioned by the file that declares it and by both that use it.
    assert (report.rebuilt_because, report.work.parsed, report.work.resolved) == ("", 1, 4)
    assert check(project, project / ".astrolabe", project.parent / "fresh") == []


def test_a_barrel_that_changes_with_what_it_passes_on(project: Path) -> None:
    write(project, {"src/index.ts": "export { Counter } from './c'\nexport * as a from './a'\n"})
    write(project, {"src/d.ts": "import { Counter } from './index'\nnew Counter().step()\n"})
    index(project)
    (project / "src/c.ts").rename(project / "src/moved.ts")
    edit("'./a'", "'./b'", "src/index.ts")(project)
    with Workspace.locate(project) as workspace:
        report = workspace.index()
    assert (report.rebuilt_because, report.work.resolved) == ("", 3)
    assert check(project, project / ".astrolabe", project.parent / "fresh") == []


#: What is seen through more than the name of a member, or under a name that the runtime's own types have too.
SEEN_BY_ALL = ("interface Array<T> extends Iterable<T> {}", "interface Window { close: string }", "interface Window { (): 1 }")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("declared", SEEN_BY_ALL)
def test_what_anybody_may_see_builds_anew(project: Path, declared: str) -> None:
    write(project, {"src/ours.ts": "export {}\n"})
    index(project)
    write(project, {"src/ours.ts": f"export {{}}\ndeclare global {{ {declared} }}\n"})
    with Workspace.locate(project) as workspace:
        report = workspace.index()
    assert (report.rebuilt_because, report.work.parsed) == ("src/ours.ts declares something for all files", 1)


def test_changes_stay_beside_a_graph_file_that_generations_share(project: Path) -> None:
    index(project)
    with Workspace.locate(project) as workspace:
        first = workspace.index().generation.graph_path.stat()
        for turn in range(3):
            edit("value + 1", "value + 1 + 1")(project)
            report = workspace.index()
            assert (report.rebuilt_because, report.work.parsed) == ("", 1), turn
        assert report.generation.manifest.logged.rewritten == ["src/a.ts"]
        assert report.generation.graph_path.stat().st_size == first.st_size
        assert workspace.cypher("MATCH (s:Symbol) WHERE s.name = 'addOne' RETURN s.endLine").rows == [(4,)]


def test_a_process_resolves_no_file_again_that_later_changes_do_not_affect(project: Path, tmp_path: Path, is_long: bool) -> None:
    index(project)
    write(project, {"src/f.ts": "import { step } from 'steps'\nexport const six = step(6)\n"})
    steps = [
        (edit("value + 1", "value + 1 + 0"), 2),  # and b.ts, of which the type of `three` depends on it
        (edit("+= 1", "+= 2", "src/c.ts"), 1),
        (edit("step(6)", "step(7)", "src/f.ts"), 1),
        (edit("step()", "step(by = 1)", "src/c.ts"), 2),
        (edit("export const three", "export const four", "src/b.ts"), 1),
        (lambda root: (root / "src/b.ts").unlink(), 0),
        (edit("addOne(value:", "addOne(first:", "src/a.ts"), 1),
    ]
    with Workspace.locate(project) as workspace:
        assert workspace.index().work.resolved == 1
        for number, (change, resolved) in enumerate(steps):
            change(project)
            report = workspace.index()
            assert (report.rebuilt_because, report.work.resolved) == ("", resolved), number
            if is_long or number == len(steps) - 1:  # a fresh index costs more than the steps before it
                assert check(project, workspace.data_dir, tmp_path / "fresh") == [], number
    # The edges of d.ts are those of the graph file: the call that it makes did not change.
    assert report.generation.manifest.logged.resolved == ["src/a.ts", "src/c.ts", "src/f.ts"]
    edit("+= 2", "+= 3", "src/c.ts")(project)
    assert index(project)[1].resolved == 1  # another process reads the other edges from the generation
    assert check(project, project / ".astrolabe", tmp_path / "fresh") == []


_USERS = 30


def _users(import_line: str) -> dict[str, str]:
    return {f"src/user{number}.ts": f"{import_line}\nexport const used{number} = openGate()\n" for number in range(_USERS)}


MANY_AFFECTED: dict[str, tuple[dict[str, str], Callable[[Path], object], list[str]]] = {
    "a file less": (
        {"src/lib.ts": "export * from './more'\nexport const openGate = () => 1\n", "src/more.ts": "export const more = 1\n"}
        | _users("import { openGate } from './lib'"),
        lambda root: (root / "src/more.ts").unlink(),
        ["src/lib.ts"],
    ),
    "a signature": (
        {"src/lib.ts": "export function openGate(): number { return 1 }\n"} | _users("import { openGate } from './lib'"),
        edit("openGate(): number", "openGate(mode = 1): number", "src/lib.ts"),
        ["src/lib.ts"],
    ),
    "a global name": (
        {"src/lib.ts": "export {}\ndeclare global {\n  function openGate(): number\n}\n"} | _users("export {}"),
        edit("openGate(): number", "openGate(mode?: number): number", "src/lib.ts"),
        ["src/lib.ts"],
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("files", "change", "differing"), MANY_AFFECTED.values(), ids=MANY_AFFECTED)
def test_files_that_resolve_to_the_same_edges_are_not_part_of_later_updates(
    tmp_path: Path, files: dict[str, str], change: Callable[[Path], object], differing: list[str]
) -> None:
    root = tmp_path / "project"
    fillers = {f"lib/other{number}.ts": f"export const other{number} = {number}\n" for number in range(4 * _USERS)}
    write(root, files | fillers)
    index(root)
    change(root)
    with Workspace.locate(root) as workspace:
        report = workspace.index()
    assert (report.rebuilt_because, report.work.resolved) == ("", _USERS + 1)
    assert report.generation.manifest.logged.resolved == differing
    edit("other1", "changed", "lib/other1.ts")(root)
    assert index(root)[1].resolved == 1
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []


def test_edges_that_differ_are_read_by_the_next_process(project: Path, tmp_path: Path) -> None:
    index(project)
    (project / "src/a.ts").unlink()
    assert index(project)[1].resolved == 1  # b.ts, whose import leads nowhere
    edit("+= 1", "+= 2", "src/c.ts")(project)
    assert index(project)[1].resolved == 1
    next((project / ".astrolabe/generations").glob("*/edges.bin")).write_bytes(b"damaged")
    edit("+= 2", "+= 3", "src/c.ts")(project)
    assert index(project)[1].resolved == 2
    assert check(project, project / ".astrolabe", tmp_path / "fresh") == []


def test_a_switch_of_most_files_shows_before_anything_is_read(project: Path) -> None:
    """Then all files are resolved, while facts and vectors of what did not change are taken over."""
    names = [f"src/many{number}.ts" for number in range(25)]
    write(project, {name: f"export const value{place} = {place}\n" for place, name in enumerate(names)})
    index(project)
    write(project, {name: f"export const value{place} = {place} + 1\n" for place, name in enumerate(names)})
    with Workspace.locate(project) as workspace:
        report = workspace.index()
    assert report.rebuilt_because == "25 of 30 files changed"
    assert report.work == Work(parsed=25, embedded=25, written=34, resolved=30)


def test_a_branch_that_comes_back_is_not_parsed_again(project: Path) -> None:
    index(project)
    before = (project / "src/a.ts").read_text()
    edit("addTwo", "addPair")(project)
    assert index(project)[1].parsed == 1
    (project / "src/a.ts").write_text(before)
    assert index(project)[1].parsed == 0


def test_a_rebuild_takes_nothing_over(project: Path) -> None:
    index(project)
    with Workspace.locate(project) as workspace:
        assert workspace.reindex().work == Work(parsed=5, embedded=9, written=9, resolved=5)


def test_damaged_facts_are_read_again(project: Path) -> None:
    index(project)
    (project / ".astrolabe/facts/facts.bin").write_bytes(b"AFC1 nonsense")
    edit("+ 1", "+ 1 + 0")(project)
    outcome, work = index(project)
    assert (outcome, work.embedded, work.written) == ("built", 1, 2)
    assert work.parsed >= 1


def test_damaged_vectors_are_made_anew(project: Path) -> None:
    index(project)
    shutil.rmtree(project / ".astrolabe/vectors")
    edit("+ 1", "+ 1 + 0")(project)
    with Workspace.locate(project) as workspace:
        report = workspace.index()
    assert (report.work.embedded, report.work.written) == (9, 9)
    assert [notice.split(":")[0] for notice in report.notices] == ["The index was damaged and has been rebuilt"]


@pytest.mark.parametrize("inside", ["", "src"], ids=["the whole tree", "a folder of it"])
def test_worktrees_share_facts_and_nothing_else(project: Path, tmp_path: Path, inside: str) -> None:
    for arguments in (
        ("init", "-q"),
        ("add", "."),
        ("commit", "-qm", "first"),
        ("worktree", "add", "-q", str(tmp_path / "linked")),
    ):
        git(project, *arguments)
    index(project / inside)
    before = {path: path.read_bytes() for path in (project / inside / ".astrolabe").rglob("*") if path.is_file()}
    edit("+ 1", "+ 1 + 0")(tmp_path / "linked")
    assert index(tmp_path / "linked" / inside)[1] == Work(parsed=1, embedded=9, written=9, resolved=5)
    assert before == {path: path.read_bytes() for path in (project / inside / ".astrolabe").rglob("*") if path.is_file()}
    edit("+ 1", "+ 1 + 0")(project)
    assert index(project / inside)[1].parsed == 0
