"""What a language is: a folder and a line. Loaded when it is met, independent of others, and enough for an index."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from astrolabe.ingest.facts import cache as fact_cache
from astrolabe.ingest.facts.cache import extraction_version
from astrolabe.ingest.languages.base import Language
from astrolabe.ingest.languages.registry import language as language_named
from astrolabe.schema.languages import LANGUAGES, RESOLVED

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "astrolabe.ingest.languages."
FOLDERS = sorted({language.folder for language in LANGUAGES})


@pytest.mark.parametrize("name", [language.name for language in LANGUAGES])
def test_every_language_of_the_table_has_a_record(name: str) -> None:
    assert isinstance(language_named(name), Language)


def test_every_language_has_a_query_or_a_resolver() -> None:
    queries = {
        folder: [entry.name for entry in files(PACKAGE + folder).iterdir() if entry.name.endswith(".scm")] for folder in FOLDERS
    }
    others = {each.folder for each in LANGUAGES if each.name in RESOLVED or each.builds_on or not each.grammar}
    others |= {language.folder for language in LANGUAGES if language.is_document}
    assert {folder for folder, found in queries.items() if not found} == others


def test_a_language_that_is_not_in_the_table_is_not_known() -> None:
    with pytest.raises(KeyError):
        language_named("latin")


def folders_loaded_by(program: str) -> set[str]:
    """Folders of languages of which a fresh interpreter has loaded something when the program ends."""
    ending = f"import json, sys; print(json.dumps([name for name in sys.modules if name.startswith({PACKAGE!r})]))"
    done = subprocess.run([sys.executable, "-P", "-c", f"{program}\n{ending}"], capture_output=True, text=True, check=True)
    return {name.removeprefix(PACKAGE).partition(".")[0] for name in json.loads(done.stdout)} & set(FOLDERS)


READ = """
from astrolabe.ingest.languages.extraction import extract_facts
extract_facts({text!r}, {language!r})
"""


@pytest.mark.parametrize(
    ("language", "loaded"), [("go", {"go"}), ("cpp", {"c_family"}), ("kotlin", {"kotlin"}), ("tsx", {"typescript"})]
)
def test_only_languages_that_are_met_are_loaded(language: str, loaded: set[str]) -> None:
    assert folders_loaded_by(READ.format(text=b"x\n", language=language)) == loaded


def test_who_reads_no_file_loads_no_language() -> None:
    assert folders_loaded_by("import astrolabe.ingest.workers.parse_worker") == set()


# -------------------------------------------------------------------- the version of facts


def test_a_change_of_a_language_makes_only_its_own_facts_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {language.name: extraction_version(language.name) for language in LANGUAGES}
    assert len(set(before.values())) == len(FOLDERS)
    read = fact_cache._sources

    def changed(folder: object, prefix: str, without: object) -> list[tuple[str, bytes]]:
        sources = list(read(folder, prefix, without))  # type: ignore[arg-type]
        return [*sources, ("new.py", b"")] if str(folder).endswith(os.sep + "go") else sources

    monkeypatch.setattr(fact_cache, "_sources", changed)
    fact_cache._version.cache_clear()
    try:
        stale = [name for name in before if extraction_version(name) != before[name]]
        assert stale == [language.name for language in LANGUAGES if "go" in (language.folder, *language.builds_on)]
        assert "go" in stale
    finally:
        monkeypatch.undo()
        fact_cache._version.cache_clear()


# -------------------------------------------------------------------- a new language

TOY = '''
"""Toy: Lua under another name, in which only what has a capital is public."""

from ..base import Language
from ..path_imports import PathImports
from ..syntax_only.import_statements import Specifier
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules


class ToyImports(PathImports):
    """Files by their names."""

    def find(self, specifier, from_path):
        """Return the file of a specifier."""
        return self.source(specifier + ".toy")


READER = SyntaxOnlyReader(
    SyntaxRules(
        language="toy",
        is_visible=lambda declaration: declaration.name[:1].isupper(),
        specifiers=lambda statement: iter([Specifier(statement.split('"')[1])]),
    )
)
LANGUAGE = Language(read=READER.read, parse=READER.parse, import_rules=ToyImports)
'''
QUERY = """
(function_declaration name: (identifier) @name body: (block)? @body) @function
(chunk (function_call name: (identifier) @keyword (#eq? @keyword "require")) @import)
(comment) @comment
"""
LINE = '    Language("toy", (".toy",), ("toylang",), layout="ended", comment="--", grammar="tree-sitter-lua"),\n'
SHOP = """require("cart")

-- Pays for what is in the cart.
function Pay()
  return total()
end

function hidden()
  return 1
end
"""
SOURCES = {"shop.toy": SHOP, "cart.toy": "function Total()\n  return 2\nend\n"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder that holds this package with one language more: one folder and one line."""
    package = tmp_path / "more" / "astrolabe"
    package.mkdir(parents=True)
    for entry in ROOT.iterdir():
        if entry.name in ("schema", "ingest"):
            shutil.copytree(entry, package / entry.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif entry.name in ("graphdb", "retrieval", "server") or entry.suffix == ".py":
            (package / entry.name).symlink_to(entry)
    folder = package / "ingest" / "languages" / "toy"
    folder.mkdir()
    (folder / "__init__.py").write_text(TOY, "utf-8")
    (folder / "declarations.scm").write_text(QUERY, "utf-8")
    table = package / "schema" / "languages.py"
    text = table.read_text("utf-8")
    assert text.count("\nLANGUAGES = (\n") == 1
    table.write_text(text.replace("\nLANGUAGES = (\n", f"\nLANGUAGES = (\n{LINE}"), "utf-8")
    return package.parent


def test_a_language_is_added_by_a_folder_and_a_line(package: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    for name, text in SOURCES.items():
        (workspace / name).write_text(text, "utf-8")

    def run(*arguments: str) -> dict[str, object]:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ASTROLABE_")},
            "PYTHONPATH": str(package),
        }
        command = [sys.executable, "-P", "-m", "astrolabe", *arguments]
        done = subprocess.run(command, cwd=workspace, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found: dict[str, object] = json.loads(done.stdout)
        return found

    run("index", "--json")
    symbols = run(
        "cypher", "--json", "MATCH (s:Symbol) WHERE s.kind = 'function' RETURN s.name, s.exported, s.doc ORDER BY s.name"
    )
    assert symbols["rows"] == [
        ["Pay", True, "Pays for what is in the cart."],
        ["Total", True, ""],
        ["hidden", False, ""],
    ]
    imports = run("cypher", "--json", "MATCH (a:File)-[:IMPORTS]->(b:File) RETURN a.relativePath, b.relativePath, a.language")
    assert imports["rows"] == [["shop.toy", "cart.toy", "toy"]]
    results = run("search", "--json", "--language", "toylang", "pay for the cart")["results"]
    assert isinstance(results, list)
    assert results[0]["name"] == "Pay"
