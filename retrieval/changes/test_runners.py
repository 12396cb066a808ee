"""Return commands that run some tests with the test runner of their repository. Configurations are read and never executed."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from ...ingest.files.jsonc import parse_object
from ...schema.languages import BY_NAME, language_of
from ...schema.paths import folders_above, parent_of
from .records import TestCommand

#: Maximum number of files of one command.
_MAX_FILES: Final = 50
#: Maximum number of bytes of a configuration that are read.
_MAX_BYTES: Final = 1 << 20
#: Test runners of npm packages, each with the command before the files. The first runner in the scripts of a package is used,
#: or else the first runner in its dependencies.
_NPM_RUNNERS: Final = (
    ("vitest", "vitest run"),
    ("jest", "jest"),
    ("react-scripts", "react-scripts test --watchAll=false"),
    ("mocha", "mocha"),
    ("ava", "ava"),
    ("jasmine", "jasmine"),
    ("tap", "tap"),
    ("uvu", "uvu"),
    ("playwright", "playwright test"),
)
_NODE_TEST: Final = re.compile(r"\bnode\b[^&|;]*\s--test\b")
_BUN_TEST: Final = re.compile(r"\bbun test\b")
#: The build tools of Java, each with the script that a repository may contain to start it, and its build files.
_JAVA_RUNNERS: Final = (
    ("mvn", "mvnw", ("pom.xml",)),
    ("gradle", "gradlew", ("build.gradle", "build.gradle.kts")),
)
#: Files that indicate pytest, each with a text that the file must contain.
_PYTEST: Final = (
    ("pytest.ini", ""),
    ("conftest.py", ""),
    ("pyproject.toml", "pytest"),
    ("tox.ini", "pytest"),
    ("setup.cfg", "pytest"),
    ("noxfile.py", "pytest"),
    ("requirements-dev.txt", "pytest"),
)


def commands_for(root: Path, tests: Iterable[str]) -> list[TestCommand]:
    """Return the commands that run some test files, in the order of the first file of each command. Files without a known
    runner are left out.
    """
    grouped: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for path in tests:
        if (found := _runner(root, path)) is not None:
            grouped[found].append(path)
    return [_command(*key, files[:_MAX_FILES]) for key, files in grouped.items()]


def _command(runner: str, start: str, folder: str, files: list[str]) -> TestCommand:
    below = [path[len(folder) + 1 :] if folder else path for path in files]
    if runner == "go test":
        below = list(dict.fromkeys(f"./{parent}" if (parent := parent_of(path)) else "." for path in below))
    if runner == "mvn":
        below = [f"-Dtest={','.join(_classes(below))}"]
    if runner == "gradle":
        below = [part for name in _classes(below) for part in ("--tests", name)]
    if runner == "unittest":
        below = [path.removesuffix(".py").replace("/", ".") for path in below]
    return TestCommand(command=f"{start} {shlex.join(below)}", runner=runner, folder=folder)


def _classes(files: Iterable[str]) -> list[str]:
    """Return the names of the classes that files of Java declare."""
    return list(dict.fromkeys(PurePosixPath(path).stem for path in files))


def _runner(root: Path, path: str) -> tuple[str, str, str] | None:
    """Return the name of the runner of a test file, the runner's command, and the folder for the command; None if the runner is
    not known.
    """
    language = BY_NAME.get(language_of(path) or "")
    if language is None:
        return None
    folders = folders_above(parent_of(path))
    if language.name == "go":
        folder = next((each for each in folders if (root / each / "go.mod").is_file()), None)
        return ("go test", "go test", folder) if folder is not None else None
    if language.name == "python":
        files = [(root / each / name, word) for each in folders for name, word in _PYTEST]
        is_pytest = any(file.is_file() and word in _text(file) for file, word in files)
        return ("pytest", "python -m pytest", "") if is_pytest else ("unittest", "python -m unittest", "")
    if language.name == "java":
        return _java_runner(root, folders)
    if language.folder == "typescript" or "typescript" in language.builds_on:
        return _npm_runner(root, folders)
    return None


def _java_runner(root: Path, folders: Iterable[str]) -> tuple[str, str, str] | None:
    """Return Maven or Gradle, with the wrapper of the repository if there is one, and the folder of the nearest build file."""
    for folder in folders:
        for runner, wrapper, manifests in _JAVA_RUNNERS:
            if any((root / folder / name).is_file() for name in manifests):
                above = (level for level, each in enumerate(folders_above(folder)) if (root / each / wrapper).is_file())
                levels = next(above, None)
                start = runner if levels is None else f"{'../' * levels or './'}{wrapper}"
                return runner, f"{start} test", folder
    return None


def _npm_runner(root: Path, folders: Iterable[str]) -> tuple[str, str, str] | None:
    """Return the runner from the nearest `package.json` that names a runner."""
    for folder in folders:
        manifest, _ = parse_object(_bytes(root / folder / "package.json"))
        scripts = list(_strings(manifest.get("scripts")).values())
        named = {name for section in ("devDependencies", "dependencies") for name in _strings(manifest.get(section))}
        words = {word for text in scripts for word in re.findall(r"[\w-]+", text)}
        for wanted in (words, named):
            for name, command in _NPM_RUNNERS:
                if name in wanted or f"@{name}/test" in wanted:
                    return name, f"npx {command}", folder
        if any(_NODE_TEST.search(text) for text in scripts):
            return "node --test", "node --test", folder
        if any(_BUN_TEST.search(text) for text in scripts):
            return "bun test", "bun test", folder
    return None


def _strings(value: object) -> dict[str, str]:
    return {name: text for name, text in value.items() if isinstance(text, str)} if isinstance(value, dict) else {}


def _bytes(file: Path) -> bytes:
    """Return the content of a configuration; empty if the file is missing."""
    try:
        with file.open("rb") as opened:
            return opened.read(_MAX_BYTES)
    except OSError:
        return b"{}" if file.suffix == ".json" else b""


def _text(file: Path) -> str:
    return _bytes(file).decode("utf-8", "replace")
