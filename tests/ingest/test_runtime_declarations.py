"""Our own declarations of libraries: parsed in a checkout, and loaded where a build of the package has written their facts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from astrolabe.ingest.facts.cache import FactCache, FactKey
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.built_declarations import build_declarations
from astrolabe.ingest.languages.java.runtime_facts import RUNTIME
from astrolabe.ingest.languages.runtime_declarations import RuntimeDeclarations, built_facts, write_built
from astrolabe.ingest.languages.typescript.runtime_facts import cached_runtime_facts, runtime_key

QUEUE = "class Queue:\n    def put(self, item: object) -> None: ...\n"
STACK = "class Stack:\n    def push(self, item: object) -> None: ...\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a package with the declarations of a module `tasks`."""
    folder = tmp_path / "own_declarations"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "tasks.stub").write_text(QUEUE)
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    sys.modules.pop(folder.name, None)


def key_of(text: str) -> FactKey:
    return FactKey.of(sha256(text.encode()).hexdigest(), "python")


def classes(facts: FileFacts | None) -> list[str]:
    assert facts is not None
    return [symbol.name for symbol in facts.symbols if symbol.kind == "class"]


def test_a_build_writes_the_facts_of_each_file(folder: Path) -> None:
    RuntimeDeclarations(folder.name, "python").build(folder.parent)
    built = built_facts(folder / "tasks.facts", key_of(QUEUE))
    assert classes(built) == ["Queue"]
    assert built == RuntimeDeclarations(folder.name, "python").facts("tasks")


def test_written_facts_are_loaded_and_not_parsed(folder: Path) -> None:
    (folder / "stacks.stub").write_text(STACK)
    stacks = RuntimeDeclarations(folder.name, "python").facts("stacks")
    assert stacks is not None
    write_built(folder / "tasks.facts", key_of(QUEUE), stacks)
    assert classes(RuntimeDeclarations(folder.name, "python").facts("tasks")) == ["Stack"]


def test_facts_of_other_declarations_are_not_used(folder: Path) -> None:
    RuntimeDeclarations(folder.name, "python").build(folder.parent)
    (folder / "tasks.stub").write_text(STACK)
    assert classes(RuntimeDeclarations(folder.name, "python").facts("tasks")) == ["Stack"]


def test_damaged_facts_are_not_used(folder: Path) -> None:
    declarations = RuntimeDeclarations(folder.name, "python")
    declarations.build(folder.parent)
    written = folder / "tasks.facts"
    content = written.read_bytes()
    key = key_of((folder / "tasks.stub").read_text())
    assert built_facts(written, key) is not None
    for damaged in (content[:-9], content[:20] + bytes(9) + content[29:], content[:16]):
        written.write_bytes(damaged)
        assert built_facts(written, key) is None


def test_without_written_facts_the_cache_of_the_index_is_used(folder: Path, tmp_path: Path) -> None:
    with FactCache(tmp_path / "facts") as cache:
        assert classes(RuntimeDeclarations(folder.name, "python").facts("tasks", cache)) == ["Queue"]
        assert classes(cache.get(key_of(QUEUE))) == ["Queue"]


def test_a_module_without_declarations_has_no_facts(folder: Path) -> None:
    assert RuntimeDeclarations(folder.name, "python").facts("absent") is None


def test_all_languages_with_declarations_are_built(tmp_path: Path) -> None:
    build_declarations(tmp_path)
    built = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert {
        "go/runtime/net.http.facts",
        "java/runtime/java.util.facts",
        "python/libraries/django.db.models.facts",
        "python/runtime/builtins.facts",
        "typescript/runtime/runtime.facts",
    } <= built
    source = Path(sys.modules[RUNTIME.__module__].__file__ or "").parent / "java/runtime/java.util.stub"
    key = FactKey.of(sha256(source.read_bytes()).hexdigest(), "java")
    assert built_facts(tmp_path / "java/runtime/java.util.facts", key) == RUNTIME.facts("java.util")
    assert built_facts(tmp_path / "typescript/runtime/runtime.facts", runtime_key()) == cached_runtime_facts(None)
