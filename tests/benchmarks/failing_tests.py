"""Measure whether the tests that fail when a function is broken on purpose are named for that change.

    python -m tests.benchmarks.failing_tests ROOT --suite COMMAND [--below FOLDER] [--functions 25] [--seed 1] [--seconds 3600]

ROOT is a clean clone whose work tree is changed and restored, in Python, Go, Java, TypeScript or JavaScript. COMMAND runs all of
its tests in ROOT: pytest with `-rfE`, `go test -json`, Maven, or vitest, Jest or mocha with a reporter for JSON. A random
function below FOLDER raises an error or panics at its beginning. It counts if a test fails that passes otherwise. A panic ends
the tests of its package, so of these the first one is judged. No function is broken after `--seconds`.
Prints one row of a Markdown table: the functions, the files of the tests that fail, and how many of these are named at all and
among the first ten; and each file that is not named.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import astrolabe
from astrolabe.ingest.files.path_roles import is_test_path
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.workers.file_symbols import file_symbols
from astrolabe.schema.languages import language_of

from tests.benchmarks.markdown_tables import print_head, print_row

#: Seconds that one run of the tests may take; a broken function may let a test wait for ever.
_PATIENCE = 300.0
#: Number of tests that are run first.
_FIRST = 10
#: What a failing function does first, by language, with its indentation.
_FAILING = {
    "python": "raise RuntimeError('broken on purpose')",
    "go": 'panic("broken on purpose")',
    "java": 'if (true) throw new IllegalStateException("broken on purpose");',
    "typescript": "throw new Error('broken on purpose')",
    "javascript": "throw new Error('broken on purpose')",
}
_FAILED_CLASS = re.compile(r"^\[ERROR\] Tests run: .*\bin ([\w.]+)", re.MULTILINE)
_FAILED = re.compile(r"^(?:FAILED|ERROR) ([^\s:]+\.py)", re.MULTILINE)


class BrokenFunction(NamedTuple):
    """A file with a function that fails at its beginning."""

    path: str
    name: str
    text: str


def failing_files(root: Path, suite: str) -> set[str]:
    """Return the files of the tests that fail."""
    try:
        done = subprocess.run(
            suite, shell=True, cwd=root, capture_output=True, text=True, errors="replace", timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return set()
    found = set(_FAILED.findall(done.stdout))
    for name in _FAILED_CLASS.findall(done.stdout):
        found |= {file.relative_to(root).as_posix() for file in root.rglob(f"{name.replace('.', '/')}.java")}
    for event in _objects(done.stdout):
        if event.get("Action") == "fail" and "Test" in event:
            found |= set(_declaring(root, event["Package"], event["Test"].partition("/")[0]))
        files = [each["name"] for each in event.get("testResults", ()) if each["status"] == "failed"]
        files += [each["file"] for each in event.get("failures", ()) if "file" in each]
        found |= {Path(file).resolve().relative_to(root).as_posix() for file in files}
    return found


def _objects(output: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of JSON in an output: one that begins with the first brace and ends with the last, or one per line."""
    start, end = output.find("{"), output.rfind("}")
    try:
        yield json.loads(output[start : end + 1])
        return
    except json.JSONDecodeError:
        pass  # several objects, or none
    for line in output.splitlines():
        if line.startswith("{") and line.endswith("}"):
            yield json.loads(line)


def _declaring(root: Path, package: str, test: str) -> Iterator[str]:
    """Yield the files of a Go package that declare a test."""
    head = f"func {test}("
    for file in root.rglob("*_test.go"):
        path = file.relative_to(root).as_posix()
        folder = path.rpartition("/")[0]
        if (package.endswith(f"/{folder}") if folder else (package.count("/") <= 3)) and head in file.read_text("utf-8"):
            yield path


def broken_functions(root: Path, below: str, chance: random.Random) -> Iterator[BrokenFunction]:
    """Yield files with one broken function each, in random order."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.split("\n")
    paths = [path for path in listed if path.startswith(below) and language_of(path) in _FAILING and not is_test_path(path)]
    places = [(path, *place) for path in paths for place in _functions((root / path).read_bytes(), path)]
    for path, name, line, indent in chance.sample(places, len(places)):
        lines = (root / path).read_text("utf-8").split("\n")
        language = language_of(path) or ""
        text = "\n".join([*lines[: line - 1], " " * indent + _FAILING[language], *lines[line - 1 :]])
        if not extract_facts(text.encode(), language).problems:
            yield BrokenFunction(path, name, text)


def _functions(data: bytes, path: str) -> Iterator[tuple[str, int, int]]:
    """Yield the name of each function, the line before which a statement can be put, and the indentation of that statement."""
    if path.endswith(".py"):
        for node in ast.walk(ast.parse(data)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.body[0].lineno > node.lineno:
                first = node.body[0]
                yield node.name, first.lineno, first.col_offset
        return
    lines = data.decode().split("\n")
    facts = extract_facts(data, language_of(path) or "")
    for symbol in file_symbols(path, facts.symbols):
        if symbol.kind in ("function", "method"):
            head = next((at for at in range(symbol.declaration_line, symbol.end_line) if lines[at - 1].endswith("{")), 0)
            if head:
                yield symbol.qualified_name, head + 1, 1


def main() -> None:
    """Print the row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--below", default="")
    parser.add_argument("--functions", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600.0)
    wanted = parser.parse_args()
    root = wanted.root.resolve()
    usual = failing_files(root, wanted.suite)
    deadline = time.monotonic() + wanted.seconds
    functions = failing = named = first = 0
    with tempfile.TemporaryDirectory() as data, astrolabe.open(root, data_dir=Path(data)) as workspace:
        for broken in broken_functions(root, wanted.below, random.Random(wanted.seed)):
            if functions >= wanted.functions or time.monotonic() > deadline:
                break
            file = root / broken.path
            original = file.read_bytes()
            try:
                file.write_text(broken.text, "utf-8")
                failed = failing_files(root, wanted.suite) - usual
                if not failed:
                    continue
                tests = [test.file for test in workspace.changes(budget=1_000_000).answer.tests]
            finally:
                file.write_bytes(original)
            functions += 1
            failing += len(failed)
            named += len(failed.intersection(tests))
            first += len(failed.intersection(tests[:_FIRST]))
            for path in sorted(failed.difference(tests)):
                print(f"not named: {path} for {broken.name} of {broken.path}", file=sys.stderr)
    print_head(("repository", "functions", "failing files", "named", f"among the first {_FIRST}"))
    print_row((root.name, *map(str, (functions, failing, named, first))))


if __name__ == "__main__":
    main()
