"""What people feed it by accident: each gets a clear message and the right exit code, and nothing else is lost."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def names(run: Run) -> set[str]:
    """The names of all functions in the index."""
    rows = run("cypher", "MATCH (s:Symbol {kind: 'function'}) RETURN s.name", "--json").json["rows"]
    return {row[0] for row in rows}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("src/broken.ts", b"export function half( {\n  return 1\n}\nexport function whole() { return 2 }\n", "broken.ts"),
        ("src/binary.ts", bytes(range(256)) * 20, "binary.ts"),
        ("src/latin.ts", 'export function whole() { return "é" }\n'.encode("latin-1"), "UTF-8"),
    ],
)
def test_a_bad_file_is_listed_and_the_others_are_indexed(run: Run, shop: Path, name: str, content: bytes, reason: str) -> None:
    (shop / name).write_bytes(content)
    done = run("index", "--json")
    assert (done.code, done.err) == (0, "")
    problems = done.json["problems"]
    assert {problem["file"] for problem in problems} == {name}
    assert all(problem.keys() == {"file", "line", "reason"} and problem["line"] >= 1 for problem in problems)
    assert any(reason in f"{problem['file']} {problem['reason']}" for problem in problems)
    assert {"verifySignature", "handleLogin", "cartTotal"} <= names(run)
    assert run("status", "--json").json["problemFiles"] == problems
    assert name in run("index").out


def test_broken_syntax_costs_one_statement(run: Run, shop: Path) -> None:
    (shop / "src" / "broken.ts").write_text(
        "export function first() { return 1 }\nconst = ;\nexport function last() { return 2 }\n"
    )
    assert run("index").code == 0
    assert {"first", "last"} <= names(run)


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.symlink_to("nowhere.ts"),
        lambda path: os.mkfifo(path),
        lambda path: path.write_bytes(b"x" * 2_000_001),
    ],
    ids=["dangling link", "pipe", "too large"],
)
def test_what_cannot_be_read_is_excluded_and_listed(run: Run, shop: Path, make: Callable[[Path], object]) -> None:
    make(shop / "src" / "odd.ts")
    assert run("index").code == 0
    assert "src/odd.ts" in {item["path"] for item in run("status", "--json").json["excluded"]}
    assert run("status", "--json").json["files"] == 4


def test_a_file_without_permission_is_excluded_for_whom_it_is_closed(run: Run, shop: Path) -> None:
    closed = shop / "src" / "closed.ts"
    closed.write_text("export const closed = 1\n")
    closed.chmod(0)
    assert run("index").code == 0
    excluded = {item["path"] for item in run("status", "--json").json["excluded"]}
    assert ("src/closed.ts" in excluded) == (not os.access(closed, os.R_OK))


def test_a_folder_named_like_a_file_is_a_folder(run: Run, shop: Path) -> None:
    (shop / "src" / "folder.ts").mkdir()
    (shop / "src" / "folder.ts" / "inner.ts").write_text("export function inner() {}\n")
    assert run("index").code == 0
    assert "inner" in names(run)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "it holds no source file of a language that is read (typescript,"),
        ({"readme.txt": "# hello", "main.marko": "<p/>"}, "it holds no source file of a language that is read (typescript,"),
        ({".gitignore": "*.ts\n", "a.ts": "1"}, "every file of a supported language is excluded (a.ts: "),
    ],
    ids=["empty", "other languages", "all excluded"],
)
def test_nothing_to_index(run: Run, tmp_path: Path, files: dict[str, str], message: str) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    failed = run("index", str(folder))
    assert (failed.code, failed.out) == (1, "")
    assert message in failed.err
    assert not (folder / ".astrolabe").exists()


def current(root: Path) -> Path:
    return root / ".astrolabe" / "generations" / (root / ".astrolabe" / "CURRENT").read_text().strip()


def test_an_index_of_a_newer_version_is_left_alone(run: Run, indexed: Path) -> None:
    path = current(indexed) / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps({**manifest, "format_version": 999, "astrolabe_version": "9.9"}))
    for command in (["index"], ["index", "--full"], ["search", "token"], ["status"], ["cypher", "RETURN 1"], ["export", "edges"]):
        failed = run(*command)
        assert (failed.code, failed.out) == (1, ""), command
        assert "9.9" in failed.err
        assert "Update Astrolabe" in failed.err
    path.write_text(json.dumps(manifest))
    assert run("index", "--json").json["outcome"] == "unchanged"


def test_an_index_of_an_older_version_is_built_again_in_a_sentence(run: Run, indexed: Path) -> None:
    path = current(indexed) / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format_version": 10}))
    for turn in range(2):
        found = run("search", "symbol = TokenService", "--json").json
        assert found["results"]
        assert ("built again" in found["text"][0]) == (turn == 0)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no graph file": lambda root: (current(root) / "graph.kuzu").unlink(),
    "short graph file": lambda root: os.truncate(current(root) / "graph.kuzu", 5000),
    "zeroed graph file": lambda root: (current(root) / "graph.kuzu").write_bytes(
        bytes((current(root) / "graph.kuzu").stat().st_size)
    ),
    "no manifest": lambda root: (current(root) / "manifest.json").unlink(),
    "garbled manifest": lambda root: (current(root) / "manifest.json").write_bytes(b'{"format_version": 1, "stamps": [}'),
    "no generation": lambda root: shutil.rmtree(current(root)),
    "garbled CURRENT": lambda root: (root / ".astrolabe" / "CURRENT").write_text("seven\n"),
    "empty CURRENT": lambda root: (root / ".astrolabe" / "CURRENT").write_text(""),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_index_is_rebuilt(run: Run, indexed: Path, damage: Callable[[Path], object]) -> None:
    damage(indexed)
    told = run("status")
    assert told.code == 1
    assert "astrolabe index" in told.err
    mended = run("index", "--json")
    assert (mended.code, mended.json["outcome"]) == (0, "built")
    assert "The index was damaged and has been rebuilt" in mended.err
    assert "handleLogin" in names(run)
    assert run("index", "--json").json["outcome"] == "unchanged"


def test_lost_vectors_are_rebuilt_by_the_search_that_needs_them(run: Run, indexed: Path) -> None:
    shutil.rmtree(indexed / ".astrolabe" / "vectors")
    found = run("search", "symbol = handleLogin", "--json").json
    assert found["results"][0]["file"] == "src/routes/login.ts"
    assert (found["index"]["generation"], found["index"]["fresh"]) == (2, True)
    assert "The index was damaged and has been rebuilt" in found["index"]["notices"][0]
    assert "The index was damaged and has been rebuilt" in found["text"][0]


@pytest.mark.parametrize("suffix", ["manifest", "lance"])
def test_a_lost_part_of_the_table_is_rebuilt_by_the_change_that_needs_it(run: Run, indexed: Path, suffix: str) -> None:
    """Searches read rows and vectors from files beside the table, so only a writer notices."""
    for path in (indexed / ".astrolabe" / "vectors").rglob(f"*.{suffix}"):
        if path.is_file():
            path.unlink()
    assert run("search", "symbol = handleLogin", "--json").json["results"][0]["file"] == "src/routes/login.ts"
    (indexed / "src" / "routes" / "login.ts").write_text("export function handleLogout() {}\n")
    found = run("search", "symbol = handleLogout", "--json").json
    assert found["results"][0]["file"] == "src/routes/login.ts"
    assert found["index"]["fresh"]
    assert run("search", "symbol = handleLogin", "--json").json["results"] == []


def test_a_data_folder_that_cannot_be_made_is_explained(run: Run, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    failed = run("index", "--data-dir", str(tmp_path / "file" / "idx"))
    assert (failed.code, failed.out) == (1, "")
    assert "name another folder with --data-dir" in failed.err


def test_names_that_are_no_utf8_harm_nothing(run: Run, shop: Path) -> None:
    with open(os.fsencode(shop / "src") + b"/caf\xe9.ts", "w") as handle:
        handle.write("export const x = 1\n")
    assert run("index").code == 0
    assert run("status").code == 0
    assert any("caf" in item["path"] for item in run("status", "--json").json["excluded"])
