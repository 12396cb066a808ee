"""Questions that are made of repositories, to train the ranker from."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from benchmarks.repository_questions import (
    change_question,
    described,
    document_questions,
    is_asked_about,
    make_changes,
    make_documents,
)
from git_commands import git

from training.ranker.questions import Line

PYTHON = b'''class Store:
    """Keeps values by their keys, on disk."""

    def load(self, key):
        """Reads the value of a key from disk.

        Raises KeyError for none.
        """
        return key
'''
GO = b"""package store

// Load reads the value of a key from the disk.
func Load(key string) string {
\treturn key
}
"""


def test_docstrings_are_blanked_and_asked() -> None:
    blanked, lines = document_questions(PYTHON, "app/store.py")
    assert b"Keeps" not in blanked
    assert b"Raises" not in blanked
    assert blanked.count(b"\n") == PYTHON.count(b"\n")
    assert len(blanked) == len(PYTHON)
    compile(blanked, "store.py", "exec")
    assert [line.query for line in lines] == ["Keeps values by their keys, on disk", "Reads the value of a key from disk"]
    assert lines[0].start_line == 1


def test_comments_are_blanked_and_their_lines_stay() -> None:
    blanked, lines = document_questions(GO, "store/store.go")
    assert blanked.splitlines()[2] == b""
    assert blanked.splitlines()[3].startswith(b"func Load")
    assert [(line.query, line.start_line) for line in lines] == [("Reads the value of a key from the disk", 4)]


@pytest.mark.parametrize(
    ("doc", "name", "question"),
    [
        ("Load reads the value of a key.", "Load", "Reads the value of a key"),
        ("The Store is a place for values of keys.", "Store", "A place for values of keys"),
        ("Cancel the ongoing stream by its number.", "cancel", "Cancel the ongoing stream by its number"),
        ("Sends what :class:`~app.Request` holds to the server.", "send", "Sends what Request holds to the server"),
        ("Reads it.", "read", ""),
        ("Determines whether this instance is equal to", "equals", ""),
        ("Copyright of the authors of this great file", "x", ""),
    ],
)
def test_first_sentences(doc: str, name: str, question: str) -> None:
    assert described(doc, name) == question


@pytest.mark.parametrize(
    ("subject", "question"),
    [
        ("fix(router): close the tree after a panic (#12)", "router: close the tree after a panic"),
        ("net: handle broken pipes while writing", "net: handle broken pipes while writing"),
        ("docs(router): say what a tree is for", ""),
        ("Bump version to 2.1 of it", ""),
        ("Merge branch 'stable' into the main line", ""),
        ("fix it now", ""),
    ],
)
def test_subjects(subject: str, question: str) -> None:
    assert change_question(subject) == question


def test_what_is_asked_about() -> None:
    assert is_asked_about("src/a.rs")
    assert not any(map(is_asked_about, ("tests/a.py", "vendor/x/a.go", "examples/a.rb", "a_test.go", "README.md")))


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A repository whose second and last commit changes one of its files."""
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "-q")
    (work / "store.go").write_bytes(GO)
    (work / "errors.go").write_bytes(b"package store\n")
    git(work, "add", ".")
    git(work, "commit", "-qm", "begin the store of values")
    (work / "store.go").write_bytes(GO.replace(b"return key", b'return key + "!"'))
    git(work, "commit", "-qam", "shout all values of the store")
    return work


def test_folders(work: Path, tmp_path: Path) -> None:
    assert make_documents(work, tmp_path / "dc-store") == 1
    assert make_changes(work, tmp_path / "ch-store", 1) == 1
    (line,) = msgspec.json.Decoder(Line).decode_lines((tmp_path / "ch-store" / "queries.jsonl").read_bytes())
    assert line.query == "shout all values of the store"
    assert line.files == ["store.go"]
    assert [(span.file, span.start_line, span.end_line) for span in line.symbols] == [("store.go", 3, 6)]
    assert (tmp_path / "ch-store" / "src" / "store.go").read_bytes() == GO


def test_files_that_a_partial_copy_of_a_repository_lacks_are_left_out(work: Path, tmp_path: Path) -> None:
    lost = git(work, "rev-parse", "HEAD:errors.go")
    (work / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    assert make_changes(work, tmp_path / "ch-store", 1) == 1
    assert [path.name for path in (tmp_path / "ch-store" / "src").iterdir()] == ["store.go"]
