"""Messages, quoted strings and pasted code are found where they stand word by word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from astrolabe.retrieval.query.query import read_query
from astrolabe.retrieval.ranking.phrase_match import lifted
from astrolabe.retrieval.ranking.ranking import Ranked
from astrolabe.retrieval.vectors.candidate_rows import CandidateRow
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace

FILES = {
    "src/worker.ts": """
export class Worker {
  private attempts = 0;

  start(count: number): void {
    this.attempts = this.attempts + 1;
    if (count < 1) {
      throw new Error("Could not start worker processes");
    }
    this.attempts = 0;
  }

  stop(id: string): string {
    this.attempts = 0;
    return `Worker ${id} was stopped before its queue was empty`;
  }
}

/** Start the processes of a worker, those that could be started. */
export function startWorkerProcesses(workers: Worker[]): void {
  for (const worker of workers) {
    worker.start(1);
  }
}

/** Which worker processes could not start, and why. */
export function processesThatCouldNotStart(workers: Worker[]): string[] {
  return workers.map((worker) => worker.stop("a"));
}
""",
    "src/files.ts": """
export function readSettings(path: string): string {
  const text = load(path);
  if (text === undefined) {
    throw new RangeError(`Cannot open settings file ${path} because it was moved`);
  }
  return text;
}

export function load(path: string): string | undefined {
  const parts = path.split("/").filter((part) => part.length > 0);
  return parts.length > 1 ? parts.join("/") : undefined;
}
""",
    "src/limits.ts": """
export function checkLimit(limit: number): void {
  if (limit > 10) throw new Error("value out of range");
}

export function checkDepth(depth: number): void {
  if (depth > 10) throw new Error("value out of range");
}

export function checkAnswer(answer: string): void {
  if (answer === "") throw new Error('The answer is "not ready yet"; ask again\u2026');
}
""",
    "test/worker.test.ts": """
import { Worker } from "../src/worker";

test("starts", () => {
  expect(() => new Worker().start(0)).toThrow("Could not start worker processes");
});
""",
}


def index(root: Path) -> Path:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text.lstrip("\n"), "utf-8")
    with Workspace(root, root / ".astrolabe", Settings()) as opened:
        opened.index()
    return root


def opened(root: Path, *, warm: bool) -> Iterator[Workspace]:
    """Texts come from the store in a command that asks once, out of memory in a server."""
    with Workspace(root, root / ".astrolabe", Settings()) as workspace:
        if warm:
            workspace.warm_up()
        yield workspace


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return index(tmp_path_factory.mktemp("verbatim") / "shop")


@pytest.fixture(params=[False, True], ids=["cold", "warm"])
def workspace(indexed: Path, request: pytest.FixtureRequest) -> Iterator[Workspace]:
    yield from opened(indexed, warm=request.param)


@pytest.fixture(params=[False, True], ids=["cold", "warm"])
def own_workspace(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Workspace]:
    """A workspace whose files the test may change."""
    yield from opened(index(tmp_path / "shop"), warm=request.param)


FOUND = [
    ("Could not start worker processes", "start"),
    ("could NOT start WORKER processes", "start"),
    ("Error: Could not start worker processes", "start"),
    ("Uncaught TypeError: Error: Could not start worker processes.", "start"),
    ('"Could not start worker processes"', "start"),
    ('why do I get "Could not start worker processes" after an update', "start"),
    ("what raises `Could not start worker processes` here", "start"),
    ("Worker 17 was stopped before its queue was empty", "stop"),
    ("Cannot open settings file conf/a.json because it was moved", "readSettings"),
    ("RangeError: Cannot open settings file x because it was moved\n\nHow do I mend that?", "readSettings"),
    ('path.split("/").filter((part) => part.length > 0)', "load"),
    ("this.attempts = this.attempts + 1;", "start"),
    ("const parts = path.split", "load"),
    ('The answer is "not ready yet"; ask again\u2026', "checkAnswer"),
]


@pytest.mark.parametrize(("query", "name"), FOUND)
def test_the_innermost_code_that_holds_the_text_comes_first(workspace: Workspace, query: str, name: str) -> None:
    first = workspace.search(query).results[0]
    assert first.name == name
    assert first.score >= 0.5


def test_all_places_of_a_message_come_before_other_code(workspace: Workspace) -> None:
    names = [result.name for result in workspace.search("value out of range", limit=5).results]
    assert set(names[:2]) == {"checkLimit", "checkDepth"}


def test_tests_hold_messages_too_and_stand_behind(workspace: Workspace) -> None:
    files = [result.file for result in workspace.search("Could not start worker processes", limit=5).results]
    assert files[0] == "src/worker.ts"
    asked = workspace.search('tests that expect "Could not start worker processes"', limit=5).results
    assert asked[0].file == "test/worker.test.ts"


def test_a_filter_holds_for_what_is_quoted(workspace: Workspace) -> None:
    found = workspace.search("Could not start worker processes", paths=["src/files.ts", "src/limits.ts"], limit=5)
    assert {result.file for result in found.results} <= {"src/files.ts", "src/limits.ts"}


UNKNOWN = [
    "processes worker start not Could",
    "Could not start the flux capacitor",
    "start worker processes " + "a" * 5000,
    '""' * 5000,
    "'a b' " * 5000,
    "\ud800 could not \udcff start",
    "error: " * 5000,
    "\n".join(["Could not"] * 500),
]


@pytest.mark.parametrize("query", UNKNOWN)
def test_other_text_is_no_match_and_no_trouble(workspace: Workspace, query: str) -> None:
    held = [why.contributions.get("word_by_word", 0.0) for _, why in workspace.explain(query).results]
    assert all(more < 2 for more in held)


def test_an_explanation_tells_what_stands_word_by_word(workspace: Workspace) -> None:
    (result, why), *_ = workspace.explain("Could not start worker processes").results
    assert result.chunk.name == "start"
    assert why.contributions["word_by_word"] > 2
    assert "word_by_word" in workspace.explain("Could not start worker processes").text


@pytest.mark.parametrize("before", ["Error: ", "TypeError: Error: ", "[Error]: ", "java.lang.IllegalStateException: ", "'"])
def test_what_a_runtime_writes_before_a_message_is_no_part_of_it(workspace: Workspace, before: str) -> None:
    message = "Could not start worker processes"
    (_, plain), (_, prefixed) = (workspace.explain(query).results[0] for query in (message, before + message))
    assert plain.contributions["word_by_word"] == prefixed.contributions["word_by_word"]


def test_what_is_around_the_innermost_code_gains_nothing(workspace: Workspace) -> None:
    results = workspace.explain("Could not start worker processes", limit=50).results
    gaining = {result.chunk.breadcrumb for result, why in results if "word_by_word" in why.contributions}
    assert any(breadcrumb.endswith("Worker > start") for breadcrumb in gaining)
    assert not any(breadcrumb.endswith("> Worker") for breadcrumb in gaining)


PARTS = [
    ("startworker proc", "startWorkerProcesses"),
    ("start-worker-proc", "startWorkerProcesses"),
    ("startWorkerProc", "startWorkerProcesses"),
    ("START_WORKER_PROC", "startWorkerProcesses"),
    ("workerprocesses", "startWorkerProcesses"),
    ("that couldnot start", "processesThatCouldNotStart"),
    ("readsett", "readSettings"),
]


@pytest.mark.parametrize(("query", "name"), PARTS)
def test_a_long_part_of_a_name_leads_to_it(workspace: Workspace, query: str, name: str) -> None:
    first = workspace.search(query).results[0]
    assert first.name == name
    assert first.score >= 0.5


@pytest.mark.parametrize("query", ["readSettings", "settings", "proc", "readsettingsof", "load", "a" * 30, "-" * 30])
def test_a_whole_name_and_a_short_part_are_none(workspace: Workspace, query: str) -> None:
    assert not any("word_by_word" in why.contributions for _, why in workspace.explain(query, limit=50).results)


def lifted_score(score: float, added: float) -> float:
    row = CandidateRow(7, "7", "a.ts", "function", "f", None, None, 0, "f", 1, 9, True, False)
    (result,) = lifted([Ranked(row, score)], replace(read_query("no such row in the table"), quoted_in={7: added}))
    return result.score


def test_what_nothing_else_speaks_for_passes_the_gate_by_a_whole_message() -> None:
    assert lifted_score(1e-9, 4.0) == lifted_score(1e-6, 4.0) > 0.9
    assert lifted_score(1e-9, 0.8) < 0.5
    assert 0.5 < lifted_score(0.5, 1.0) < lifted_score(0.6, 1.0) < 1


def gains(workspace: Workspace, query: str, **options: Any) -> dict[str, float]:
    """What results gain by text that they hold, by file and name."""
    results = workspace.explain(query, limit=50, **options).results
    return {
        f"{result.chunk.relative_path}#{result.chunk.name}": why.contributions["word_by_word"]
        for result, why in results
        if "word_by_word" in why.contributions
    }


def test_tests_gain_less_unless_they_are_asked_for(workspace: Workspace) -> None:
    found = gains(workspace, "Could not start worker processes")
    asked = gains(workspace, 'tests that expect "Could not start worker processes"')
    (of_test,) = (name for name in asked if name.startswith("test/"))
    assert found[of_test] < found["src/worker.ts#start"] == 4.0
    assert asked[of_test] == pytest.approx(found[of_test] + 1.5)


def test_a_place_that_is_asked_for_stays(workspace: Workspace) -> None:
    query = "Error: Could not start worker processes\n    at readSettings (src/files.ts:3:9)"
    assert gains(workspace, query) == {}
    assert workspace.search(query).results[0].name == "readSettings"


def test_only_what_a_filter_admits_is_counted(own_workspace: Workspace) -> None:
    words = "value range out of"
    copies = "\n".join(f"export function copy{n}() {{\n  // {words}\n  return 'value out of range';\n}}" for n in range(30))
    (own_workspace.root / "src" / "copies.ts").write_text(copies, "utf-8")
    (own_workspace.root / "src" / "one.ts").write_text(
        "export const said = () => {\n  return 'value out of range';\n}\n", "utf-8"
    )
    assert gains(own_workspace, "value out of range", paths=["src/one.ts"])["src/one.ts#said"] == pytest.approx(3.2)
    assert gains(own_workspace, "value out of range").get("src/one.ts#said", 0.0) < 0.5


def test_many_that_hold_the_words_do_not_hide_the_one_that_holds_the_text(own_workspace: Workspace) -> None:
    shuffled = "\n".join(f"export function rangeOutOfValue{n}() {{\n  return 'range out of value';\n}}" for n in range(250))
    (own_workspace.root / "src" / "a.ts").write_text(shuffled, "utf-8")
    (own_workspace.root / "src" / "limits.ts").write_text(
        "export function last() {\n  return 'value out of range';\n}\n", "utf-8"
    )
    assert gains(own_workspace, "value out of range") == {"src/limits.ts#last": pytest.approx(3.2)}


def test_a_run_is_made_of_whole_words(own_workspace: Workspace) -> None:
    (own_workspace.root / "src" / "log.ts").write_text(
        "export function find() {\n  return 'catalog in userspace failed';\n}\n", "utf-8"
    )
    assert "src/log.ts#find" not in gains(own_workspace, "log in user failed horribly in userspace of a catalog")
    assert "src/log.ts#find" in gains(own_workspace, "that catalog in userspace failed horribly")


def test_a_message_is_found_before_what_somebody_says_of_it(workspace: Workspace) -> None:
    prose = " and".join(f" then some{n} other{n} thing{n}" for n in range(20))
    for text in (
        "\n\n\n\n\nWorker 17 was stopped before its queue was empty",
        f"Worker 17 was stopped before its queue was empty\n\n\n{'x' * 310}\n\n{prose}",
    ):
        assert workspace.search(text).results[0].name == "stop"


def test_texts_are_those_of_the_last_change(own_workspace: Workspace) -> None:
    own_workspace.search("Could not start worker processes")
    file = own_workspace.root / "src" / "limits.ts"
    file.write_text(FILES["src/limits.ts"].replace("value out of range", "number beyond the end"), "utf-8")
    names = [result.name for result in own_workspace.search("number beyond the end", limit=5).results]
    assert set(names[:2]) == {"checkLimit", "checkDepth"}
    assert not own_workspace.explain("value out of range").results[0][1].contributions.get("word_by_word")
