"""Parsing many files: in this process or in others, in any order, with processes that die and sources that nest without end."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import FAULT
from astrolabe.ingest.languages.typescript import file_facts as reading
from astrolabe.ingest.symbols.byte_ranges import between, decoded
from astrolabe.ingest.workers import parse_pool
from astrolabe.ingest.workers.parse_pool import ParseJob, parse_files
from astrolabe.ingest.workers.parse_process import ParseProcesses, processes_for
from astrolabe.schema.records import Problem

#: Enough source that processes are worth their start: 40 files of 12 kB.
_FUNCTION = "export function name{0}(a: string) {{\n  return [a, {0}].map((x) => String(x)).join('-')\n}}\n"
MANY = [
    ParseJob(f"src/{n}.ts", "typescript", "".join(_FUNCTION.format(f"{n}_{m}") for m in range(140)).encode()) for n in range(40)
]


def ignore(done: int) -> None:
    """Takes no note of progress."""


def facts_by_path(jobs: list[ParseJob], workers: int, done: Callable[[int], None] = ignore) -> dict[str, FileFacts]:
    return {parsed.job.path: parsed.facts for parsed in parse_files(jobs, workers, done)}


@pytest.fixture(scope="module")
def expected() -> dict[str, FileFacts]:
    return facts_by_path(MANY, 1)


def test_processes_find_what_this_process_finds(expected: dict[str, FileFacts]) -> None:
    assert len(expected) == len(MANY)
    assert facts_by_path(MANY, 2) == expected


def test_the_order_of_files_is_no_matter(expected: dict[str, FileFacts]) -> None:
    shuffled = random.Random(1).sample(MANY, len(MANY))
    assert facts_by_path(shuffled, 2) == expected


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_counts_files(workers: int) -> None:
    counts: list[int] = []
    facts_by_path(MANY, workers, counts.append)
    assert counts == list(range(1, len(MANY) + 1))


def parse_processes() -> list[int]:
    """Ids of the parse processes that this process started."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return [int(row[0]) for row in rows if len(row) == 3 and int(row[1]) == os.getpid() and "parse_worker" in row[2]]


#: Processes that read the head of their first request, and then die as if they were killed, or had crashed, or read for ever.
_READS = "import os, signal, sys, time; os.read(int(sys.argv[-1]), 100); "
#: Each, and how many there are.
FAULTY = {"die": (_READS + "os.kill(os.getpid(), signal.SIGKILL)", 3), "hang": (_READS + "time.sleep(600)", 1)}


@pytest.mark.parametrize(("faulty", "many"), FAULTY.values(), ids=FAULTY)
def test_processes_that_fail_cost_the_files_in_their_hands(
    expected: dict[str, FileFacts], monkeypatch: pytest.MonkeyPatch, faulty: str, many: int
) -> None:
    started: list[list[str]] = []

    def start(command: list[str], **pipes: Any) -> subprocess.Popen[bytes]:
        started.append(command)
        mortal = [sys.executable, "-c", faulty, command[-1]]
        return popen(mortal if len(started) <= many else command, **pipes)

    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(parse_pool, "_TIMEOUT", 10.0)
    monkeypatch.setattr(parse_pool, "_LOOK", 0.1)
    found = facts_by_path(MANY, 2)
    monkeypatch.undo()
    lost = [path for path, facts in found.items() if facts != expected[path]]
    assert set(found) == set(expected)
    assert len(lost) == many
    assert [found[path].problems for path in lost] == [
        [Problem(1, "the parser gave up on this file: it crashed or took too long")]
    ] * many
    assert len(started) == many + 2
    assert parse_processes() == []


def test_processes_that_were_started_before_are_used_and_ended(expected: dict[str, FileFacts]) -> None:
    with ParseProcesses(3) as processes:
        early = parse_processes()
        found = {parsed.job.path: parsed.facts for parsed in parse_files(MANY, 2, ignore, processes)}
        left = parse_processes()
    assert found == expected
    assert len(early) == 3
    assert len(left) == 1
    assert set(left) < set(early)
    assert parse_processes() == []


def test_small_sources_need_no_process() -> None:
    assert processes_for([len(job.data) for job in MANY], 2) == 2
    assert processes_for([len(MANY[0].data)], 2) == 0
    assert processes_for([], 0) == 0


def test_an_abandoned_run_leaves_no_process() -> None:
    run = parse_files(MANY, 2, ignore)
    next(run)
    run.close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + 10
    while parse_processes() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert parse_processes() == []


DEEP = {
    "calls": "f(" * 5000 + ")" * 5000,
    "array": "const a = [" + "1, " * 20_000 + "]",
    "array of objects": "const a = [" + "{ a: 1, b: 'x' }, " * 20_000 + "]",
    "nested arrays": "const a = " + "[" * 5000 + "]" * 5000,
    "nested objects": "const a = " + "{ a: " * 5000 + "1" + "}" * 5000,
    "parentheses": "const a = " + "(" * 5000 + "1" + ")" * 5000,
    "sum": "const a = " + " + ".join(["x"] * 5000),
    "members": "const a = x" + ".y" * 5000,
    "method chain": "const a = x" + ".y()" * 5000,
    "conditionals": "const a = " + "x ? y : " * 5000 + "z",
    "else if": "if (a) {} " + "else if (a) { b() } " * 3000,
    "blocks": "{" * 5000 + "}" * 5000,
    "arrows": "const a = " + "() => " * 5000 + "1",
    "functions": "function f() {" * 1000 + "}" * 1000,
    "types": "type A = " + "B<" * 2000 + "C" + ">" * 2000,
    "union": "type A = " + " | ".join(f"'{n}'" for n in range(5000)),
    "negations": "const a = " + "!" * 5000 + "1",
    "templates": "const a = " + "`${" * 2000 + "1" + "}`" * 2000,
    "narrowing": "function f(x) { " + "if (!x) return\n" * 2000 + " return x.y() }",
    "assignments": "a = " * 5000 + "1",
    "conjunction": "if (" + "a && " * 5000 + "a) a.b",
    "conditional types": "type A<T> = " + "T extends B ? C : " * 5000 + "D",
    "classes": "const a = " + "class { static b = " * 2000 + "1" + "}" * 2000,
    "more than a model takes": "call(" * 30_000 + ")" * 30_000,
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP)
def test_deep_sources(source: str) -> None:
    [facts] = facts_by_path([ParseJob("a.ts", "typescript", f"{source}\nexport function after() {{}}\n".encode())], 1).values()
    assert facts.problems == []
    assert facts.symbols[-1].name == "after"


def test_a_large_file_of_one_line() -> None:
    statement = "function f{0}(e,t){{return e.a(function(n){{return t[n]||g{0}(n,e)}})}};"
    source = "".join(statement.format(n) for n in range(14_000)).encode()
    [facts] = facts_by_path([ParseJob("a.js", "javascript", source)], 1).values()
    assert len(source) > 900_000
    assert (facts.problems, facts.lines) == ([], 1)
    assert [symbol.depth for symbol in facts.symbols].count(0) == 1
    assert sum(symbol.kind == "function" for symbol in facts.symbols) == 14_001  # and one around them


def test_what_nests_too_deeply_is_kept_as_one_symbol() -> None:
    source = "const a = " + "class { static b = " * 6000 + "1" + "}" * 6000
    [facts] = facts_by_path([ParseJob("a.ts", "typescript", source.encode())], 1).values()
    assert [problem.reason for problem in facts.problems] == ["nested too deeply to be read"]
    assert [(symbol.kind, symbol.start_line, symbol.end_line) for symbol in facts.symbols] == [("expression", 1, 1)]


def test_a_fault_of_extraction_costs_the_file_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lower = reading.lower_program

    def failing(*given: Any) -> FileFacts:
        if b"fatal" in given[1]:
            raise SystemError("bad argument to internal function")
        return lower(*given)

    monkeypatch.setattr(reading, "lower_program", failing)
    jobs = [ParseJob("a.ts", "typescript", b"let fatal\nlet b"), ParseJob("b.ts", "typescript", b"let c\n")]
    found = facts_by_path(jobs, 1)
    reason = f"{FAULT}: SystemError: bad argument to internal function"
    assert found["a.ts"].problems == [Problem(1, reason)]
    assert [(symbol.kind, symbol.start_line, symbol.end_line) for symbol in found["a.ts"].symbols] == [("expression", 1, 2)]
    assert [symbol.name for symbol in found["b.ts"].symbols] == ["c"]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [(1, 3, b"bc"), (0, 9, b"abcd"), (3, 1, b""), (-1, 0, b""), (-2, 3, b""), (1, -1, b"")],
)
def test_ranges_of_bytes_never_fail(start: int, end: int, expected: bytes) -> None:
    assert between(b"abcd", start, end) == expected
    assert decoded(b"abcd", start, end) == expected.decode()


@pytest.mark.skipif(sys.platform != "linux", reason="no forks")
def test_copies_of_this_process_find_the_same(expected: dict[str, FileFacts]) -> None:
    with ParseProcesses(2, ["typescript"], forks=True) as processes:
        assert parse_processes() == []  # no interpreter was started for them
        found = {parsed.job.path: parsed.facts for parsed in parse_files(MANY, 2, ignore, processes)}
    assert found == expected
