"""What a file system can hold besides readable files: links, loops, odd names, closed doors, things that vanish."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from astrolabe.ingest.files.discovery import Discovery, discover
from astrolabe.schema.settings import Settings

NOBODY = 65534


def rows(discovery: Discovery) -> dict[str, str]:
    return {each.path: each.reason for each in discovery.excluded}


def files(discovery: Discovery) -> list[str]:
    return [file.relative_path for file in discovery.files]


def test_symbolic_links_are_shown_and_not_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "src/deep").mkdir(parents=True)
    outside.mkdir()
    (root / "src/a.ts").write_text("")
    (outside / "b.ts").write_text("")
    links = {
        "linked": root / "src",
        "alias.ts": root / "src/a.ts",
        "away": outside,
        "away.ts": outside / "b.ts",
        "up": root,
        "src/deep/loop": root / "src",
        "self.ts": root / "self.ts",
        "broken.ts": root / "gone.ts",
        "broken": root / "gone",
        "notes.md": outside / "notes.md",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    discovery = discover(root, Settings())
    assert files(discovery) == ["src/a.ts"]
    assert rows(discovery) == {
        "linked": "a symbolic link to src",
        "alias.ts": "a symbolic link to src/a.ts",
        "away": "a symbolic link that leaves the workspace",
        "away.ts": "a symbolic link that leaves the workspace",
        "up": "a symbolic link to .",
        "src/deep/loop": "a symbolic link to src",
        "self.ts": "a symbolic link that leads nowhere",
        "broken.ts": "a symbolic link that leads nowhere",
        "notes.md": "a symbolic link that leads nowhere",
    }


def test_the_root_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a.ts").write_text("")
    (tmp_path / "link").symlink_to("real")
    assert files(discover(tmp_path / "link", Settings())) == ["a.ts"]


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    base = os.fsencode(tmp_path)
    os.mkdir(base + b"/d\xff")
    for name in (b"caf\xe9.ts", b"caf\xe9.md", b"d\xff/a.ts", "café.ts".encode()):
        with open(base + b"/" + name, "wb"):
            pass
    discovery = discover(tmp_path, Settings())
    assert files(discovery) == ["café.ts"]
    assert rows(discovery) == dict.fromkeys(("caf\\xe9.ts", "caf\\xe9.md", "d\\xff"), "the name is not UTF-8")


def test_what_is_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ts")
    here = Path.cwd()
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(tmp_path)  # the path of a socket may have no more than 107 bytes
        try:
            listening.bind("socket.ts")
        finally:
            os.chdir(here)
        os.chmod(tmp_path / "socket.ts", 0o777)
        expected = {"pipe.ts": "not a regular file", "socket.ts": "not a regular file"}
        assert rows(discover(tmp_path, Settings())) == expected


@contextmanager
def shared_folder() -> Iterator[Path]:
    """A folder that anyone may enter; privileges that the test gives up come back at its end."""
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        was_root = os.geteuid() == 0
        try:
            yield Path(folder)
        finally:
            if was_root:
                os.seteuid(0)


def give_up_privileges() -> None:
    """The superuser reads everything, whatever the permissions say."""
    if os.geteuid() == 0:
        os.seteuid(NOBODY)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with shared_folder() as root:
        for name in ("open/a.ts", "closed/b.ts", "secret.ts", "closed.json/c.ts"):
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text("")
        (root / "package.json").write_text("{}")
        (root / "open/.gitignore").write_text("a.ts")
        for name in ("closed", "secret.ts", "package.json", "open/.gitignore"):
            (root / name).chmod(0)
        give_up_privileges()
        discovery = discover(root, Settings())
    assert files(discovery) == ["closed.json/c.ts", "open/a.ts"]
    assert rows(discovery) == dict.fromkeys(
        ["closed", "open/.gitignore", "package.json", "secret.ts"], "cannot be read: Permission denied"
    )


def test_a_root_that_cannot_be_read() -> None:
    with shared_folder() as root:
        (root / "in").mkdir(mode=0)
        give_up_privileges()
        discovery = discover(root / "in", Settings())
    assert (files(discovery), rows(discovery)) == ([], {".": "cannot be read: Permission denied"})


class Vanishing:
    """Removes files and folders while `os.scandir` has them listed already, as a build or a branch switch would."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, doomed: list[Path]) -> None:
        self._scandir = os.scandir
        self._doomed = doomed
        monkeypatch.setattr(os, "scandir", self._scan_and_remove)

    @contextmanager
    def _scan_and_remove(self, path: str) -> Iterator[list[os.DirEntry[str]]]:
        with self._scandir(path) as listing:
            entries = list(listing)
        for each in self._doomed:
            if each.is_dir():
                each.rmdir()
            elif each.exists():
                each.unlink()
        yield entries


def test_what_vanishes_during_the_scan_was_never_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.ts", "b.ts", "package.json", ".gitignore"):
        (tmp_path / name).write_text("")
    (tmp_path / "gone").mkdir()
    Vanishing(monkeypatch, [tmp_path / "b.ts", tmp_path / "gone", tmp_path / "package.json"])
    discovery = discover(tmp_path, Settings())
    assert (files(discovery), rows(discovery)) == (["a.ts"], {})
    assert discovery.configuration_files == [".gitignore"]


def test_a_tree_deeper_than_paths_may_be_long(tmp_path: Path) -> None:
    name = "d" * 20
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(250):
        os.mkdir(name, dir_fd=folder)
        inner = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    (tmp_path / name / "a.ts").write_text("")
    discovery = discover(tmp_path, Settings())
    assert files(discovery) == [f"{name}/a.ts"]
    assert list(rows(discovery).values()) == ["cannot be read: File name too long"]
