"""What each specifier stands for: the cases are data, in `module_resolution_cases/`.

A case file holds workspaces and questions. `## title` begins a workspace, `//- path` a file of it, `//> path -> target` a
symbolic link, and `? from  specifier  expected` asks; columns are two or more spaces apart. Expected is a path for a source,
`built PATH` for that of a built file that is not there, or one of `asset PATH`, `builtin NAME`,
`package NAME [SUBPATH] [in DECLARATION]`, `missing`. Ids of cases are file:line.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from astrolabe.ingest.files.discovery import Discovery, discover
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.import_targets import (
    AssetTarget,
    BuiltinTarget,
    MissingTarget,
    PackageTarget,
    Resolution,
    SourceTarget,
)
from astrolabe.schema.settings import Settings

CASES = Path(__file__).parent / "module_resolution_cases"
#: Folders live as long as the test run.
_KEPT: list[TemporaryDirectory[str]] = []


def spell(target: Resolution) -> str:
    match target:
        case SourceTarget(path, built):
            return f"built {path}" if built else path
        case AssetTarget(path):
            return f"asset {path}"
        case BuiltinTarget(name):
            return f"builtin {name}"
        case PackageTarget(package, subpath, declaration):
            return " ".join(["package", package, *([subpath] if subpath else []), *(["in", declaration] if declaration else [])])
        case MissingTarget():
            return "missing"


class Case(NamedTuple):
    workspace: str
    origin: str
    specifier: str
    expected: str
    #: File and line of the question.
    id: str


def read_cases() -> list[Case]:
    found: list[Case] = []
    for path in sorted(CASES.glob("*.txt")):
        workspace: list[str] = []
        questions: list[tuple[int, list[str]]] = []
        for number, line in enumerate([*path.read_text("utf-8").splitlines(), "## end"], 1):
            if line.startswith("## "):
                text = "\n".join(workspace)
                found += [Case(text, *columns, f"{path.stem}:{at}") for at, columns in questions]
                workspace, questions = [], []
            elif line.startswith("? "):
                questions.append((number, re.split(r" {2,}", line[2:].strip())))
            else:
                workspace.append(line)
    return found


QUESTIONS = read_cases()
#: Imports of outlined languages are resolved by all paths there are.
each_question = pytest.mark.parametrize("case", QUESTIONS, ids=[case.id for case in QUESTIONS])


@cache
def write(workspace: str) -> tuple[Path, Discovery]:
    """A workspace, written to disk once for all its questions, and what is found in it."""
    folder = TemporaryDirectory()
    _KEPT.append(folder)
    root = Path(folder.name)
    for block in re.split(r"^(?=//[->])", workspace, flags=re.MULTILINE):
        head, _, body = block.partition("\n")
        if head.startswith("//- "):
            path = root / head[4:].strip()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, "utf-8")
        elif head.startswith("//> "):
            link, target = head[4:].split(" -> ")
            (root / link).parent.mkdir(parents=True, exist_ok=True)
            (root / link).symlink_to(target.strip())
    return root, discover(root, Settings())


@cache
def resolver_for(workspace: str) -> ImportResolver:
    root, discovery = write(workspace)
    sources = [file.relative_path for file in discovery.files]
    return ImportResolver(WorkspaceFiles(root, sources, discovery.configuration_files))


@each_question
def test_specifier(case: Case) -> None:
    assert spell(resolver_for(case.workspace).resolve(case.specifier, case.origin)) == case.expected


def test_the_case_files_are_found() -> None:
    assert {path.stem for path in CASES.glob("*.txt")} >= {
        "builtin",
        "exports",
        "installed",
        "relative",
        "tsconfig",
        "workspaces",
    }
