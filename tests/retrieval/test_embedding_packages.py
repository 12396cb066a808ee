"""What the training program reads of packages: their licences, their files, and what comments say in each outlined language."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from training.embedding.copyright_files import CopyrightFile, spdx_expression
from training.embedding.debian_files import in_main_languages, installed_path, is_read
from training.embedding.debian_packages import read_binary, read_source
from training.embedding.npm_packages import unpack_npm_archive
from training.embedding.outlined_comments import said_by
from training.embedding.outlined_symbols import file_symbols, outlined_symbols
from training.embedding.package_sources import fetch_package
from training.embedding.packages import Package, is_permissive, listed_packages

# ------------------------------------------------------------- the list of packages


def test_listed_packages_are_permissive_and_pinned() -> None:
    packages = listed_packages()
    assert len({(package.registry, package.name) for package in packages}) == len(packages)
    assert packages == sorted(packages, key=lambda package: (package.registry, package.name))
    assert {package.registry for package in packages} == {"npm", "debian", "debian-source"}
    assert all(package.version and package.origin for package in packages)
    assert {package.name for package in packages if package.held_out} >= {"zod", "rxjs", "effect", "immer", "mobx"}


def test_nothing_is_learnt_from_the_projects_of_held_out_packages() -> None:
    packages = listed_packages()
    held_out = {package.origin for package in packages if package.held_out}
    assert held_out.isdisjoint(package.origin for package in packages if not package.held_out)


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("MIT", True),
        ("MIT OR GPL-3.0-or-later", True),
        ("(MIT OR CC0-1.0)", True),
        ("Apache-2.0 AND BSD-3-Clause", True),
        ("Apache-2.0 WITH LLVM-exception", False),
        ("MIT AND GPL-2.0", False),
        ("LGPL-2.1", False),
        ("SEE LICENSE IN LICENSE.md", False),
        ("", False),
    ],
)
def test_permissive_licences(licence: str, expected: bool) -> None:
    assert is_permissive(licence) is expected


# ----------------------------------------------------------------- copyright files

COPYRIGHT = """\
Format: copyright-format 1.0
Upstream-Name: lockbox
Source: a forge

Files: *
Copyright: 2019 The Authors
License: Expat

Files: debian/*
Copyright: 2020 A Packager
License: GPL-2+

Files: lib/hash/md5.c
       ./contrib/*
Copyright: 2001 Others
License: LGPL-2.1+

Files: lib/hash/crc.c
Copyright: 2003 Others
License: BSD-3-clause

License: Expat
 Permission is hereby granted, free of charge.
"""


def test_copyright_file_says_the_licence_of_the_project() -> None:
    assert CopyrightFile(COPYRIGHT).licence == "MIT"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("lib/hash/md5.c", True),
        ("src/lib/hash/md5.c", True),
        ("contrib/tool.c", True),
        ("lib/hash/crc.c", False),
        ("lib/hash.c", False),
    ],
)
def test_files_with_another_licence(path: str, expected: bool) -> None:
    assert CopyrightFile(COPYRIGHT).is_restricted(path) is expected


def test_copyright_file_for_people_says_no_licence() -> None:
    said = CopyrightFile("This package was made by hand.\n\nLicense: MIT, see there.\n\nFiles: *\nLicense: MIT\n")
    assert said.licence == ""
    assert not said.is_restricted("lib/a.c")


@pytest.mark.parametrize(
    ("name", "expression"),
    [
        ("Expat", "MIT"),
        ("Apache-2 or MIT/X11", "Apache-2.0 OR MIT"),
        ("BSD-2-clauses, and ISC", "BSD-2-Clause AND ISC"),
        ("GPL-2+ or BSD-3-clause", "GPL-2.0-or-later OR BSD-3-Clause"),
        ("Apache-2.0 with LLVM-exception", "Apache-2.0 WITH LLVM-exception"),
        ("MIT or C/Migemo", "MIT OR LicenseRef-c-migemo"),
        ("", ""),
    ],
)
def test_names_of_licences(name: str, expression: str) -> None:
    assert spdx_expression(name) == expression


# ----------------------------------------------------------------------- the files


@pytest.mark.parametrize(
    ("inside", "path"),
    [
        ("usr/share/gocode/src/github.example/owner/project/store/db.go", "store/db.go"),
        ("usr/share/gocode/src/go.example/x/text/width.go", "width.go"),
        ("usr/share/gocode/src/pkg.example/yaml.v2/decode.go", "decode.go"),
        ("usr/share/cargo/registry/bytes-1.4.0/src/buf/chain.rs", "src/buf/chain.rs"),
        ("usr/lib/python3/dist-packages/attr/_make.py", "attr/_make.py"),
        ("usr/lib/ruby/vendor_ruby/faye/engine.rb", "lib/faye/engine.rb"),
        ("usr/share/php/Mail/mime.php", "Mail/mime.php"),
        ("usr/share/lua/5.1/cosmo/fill.lua", "cosmo/fill.lua"),
        ("usr/bin/tool.py", ""),
        ("usr/share/doc/tool/examples/tool.py", ""),
    ],
)
def test_paths_in_a_checkout(inside: str, path: str) -> None:
    assert installed_path(inside) == path


@pytest.mark.parametrize(
    ("path", "size", "expected"),
    [
        ("store/db.go", 1000, True),
        ("store/db.go", 10, False),
        ("store/db.go", 2_000_000, False),
        ("store/db_test.go", 1000, False),
        ("vendor/other/db.go", 1000, False),
        ("api/service.pb.go", 1000, False),
        ("src/examples/open.rs", 1000, False),
        ("site/django/forms.py", 1000, False),
        ("README.md", 1000, False),
        ("../outside.go", 1000, False),
    ],
)
def test_files_that_are_read(path: str, size: int, expected: bool) -> None:
    assert is_read(path, size) is expected


def test_packages_are_read_in_their_main_languages() -> None:
    assert in_main_languages("debian-source", ["a.c", "b.cpp", "c.h", "Binding.java", "build.py"]) == ["a.c", "b.cpp", "c.h"]
    assert in_main_languages("debian-source", ["A.java", "B.kt", "jni.c"]) == ["A.java", "B.kt"]
    assert in_main_languages("debian", ["a.py", "b.py", "c.go"]) == ["a.py", "b.py"]


# -------------------------------------------------------------------- the archives

GO = """\
// Package store keeps values on disk.
package store

// Open opens the store at the given path, and creates it where there is none.
func Open(path string) (*Store, error) {
	return nil, nil
}

// A Store is safe for use by several goroutines.
type Store struct {
	path string
}

func (s *Store) Close() error {
	return nil
}
"""
PACKAGE = Package("debian", "golang-store-dev", "1:2.0-1", "MIT", "golang-store-dev", False)


def tar_of(files: Mapping[str, str], mode: str) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return written.getvalue()


def binary_package(path: Path, files: Mapping[str, str]) -> Path:
    """A package as `dpkg-deb` builds it: three members of `ar`, each begun at an even place."""
    members = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": tar_of(files, "w:xz")}
    content = b"!<arch>\n"
    for name, data in members.items():
        content += f"{name:16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
    path.write_bytes(content)
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    files = {
        "./usr/share/doc/golang-store-dev/copyright": COPYRIGHT,
        "./usr/share/gocode/src/pkg.example/store/db.go": GO,
        "./usr/share/gocode/src/pkg.example/store/db_test.go": GO,
        "./usr/share/gocode/src/pkg.example/store/contrib/tool.go": GO,
        "./usr/share/gocode/src/pkg.example/store/script.py": GO,
    }
    return binary_package(tmp_path / "archive", files)


def test_binary_package(archive: Path) -> None:
    said, files = read_binary(archive)
    assert said == COPYRIGHT
    assert set(files) == {"db.go", "script.py"}
    assert files["db.go"] == GO.encode()


def test_what_is_no_package(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("no such file")
    with pytest.raises(ValueError, match="not a Debian package"):
        read_binary(tmp_path / "archive")


def test_source_archive(tmp_path: Path) -> None:
    (tmp_path / "store_2.0.orig.tar.gz").write_bytes(tar_of({"store-2.0/lib/db.go": GO, "store-2.0/debian/db.go": GO}, "w:gz"))
    assert dict(read_source(tmp_path / "store_2.0.orig.tar.gz")) == {"lib/db.go": GO.encode()}


def test_npm_archive(tmp_path: Path) -> None:
    files = {
        "package/package.json": "{}",
        "package/src/a.ts": "export {}",
        "package/node_modules/b/b.js": "",
        "package/README.md": "",
        "package/../../c.js": "",
    }
    (tmp_path / "a.tgz").write_bytes(tar_of(files, "w:gz"))
    unpack_npm_archive(tmp_path / "a.tgz", tmp_path / "a")
    assert {path.name for path in (tmp_path / "a").rglob("*") if path.is_file()} == {"package.json", "a.ts"}


def program(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_package_is_fetched_once(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = '"--quiet --quiet download golang-store-dev=1:2.0-1"'
    program(tmp_path / "bin", "apt-get", f'[ "$*" = {wanted} ] && exec /bin/cp "{archive}" store.deb')
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    folder = fetch_package(PACKAGE, tmp_path / "packages")
    assert [path.name for path in folder.iterdir()] == ["db.go"]
    assert [path.name for path in folder.parents[1].iterdir()] == ["debian"]
    archive.unlink()
    assert fetch_package(PACKAGE, tmp_path / "packages") == folder


def test_package_with_another_licence_than_listed(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "apt-get", f'exec /bin/cp "{archive}" store.deb')
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    listed = Package("debian", "golang-store-dev", "1:2.0-1", "ISC", "golang-store-dev", False)
    with pytest.raises(ValueError, match="golang-store-dev: the list says ISC, the package MIT"):
        fetch_package(listed, tmp_path / "packages")
    assert not (tmp_path / "packages" / "debian" / listed.folder).exists()


def test_version_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "apt-get", 'echo "W: a warning" >&2; echo "E: Version was not found" >&2; exit 100')
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(ValueError, match=r"golang-store-dev 1:2\.0-1 \(E: Version was not found\); .*apt-get update"):
        fetch_package(PACKAGE, tmp_path / "packages")


def test_system_without_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="apt-get is not there"):
        fetch_package(PACKAGE, tmp_path / "packages")


# --------------------------------------------------------------------- the symbols

C = """\
#include <stddef.h>

/**
 * \\brief Finds the first free slot of a \\ref pool.
 *
 * \\param pool  where to look
 * \\return the index, or -1 when the pool is full
 */
int pool_find(const struct pool *pool)
{
    return -1;
}

/* Returns the slot to the pool */
void pool_free(struct pool *pool, int slot) { }
"""
PYTHON = '''\
class Reader:
    """Reads rows one at a time.

    :param path: the file to read
    """

    def rows(self, limit):
        """Yield rows until the :class:`~csv.Reader` is exhausted or ``limit`` is reached.

        Args:
            limit: most rows
        """
        return self.more()

    def more(self):
        return []
'''
RUST = """\
/// Splits the buffer at the first [`Marker`] that it holds.
///
/// # Panics
/// When the buffer is empty.
pub fn split(buffer: &[u8]) -> usize { 0 }

#[cfg(test)]
mod tests {
    /// Checks that the buffer splits well.
    fn splits() {}
}
"""
RUBY = """\
module Queue
  # Public: Takes the next +job+ off the queue.
  #
  # timeout - The Integer seconds to wait.
  #
  # Returns the job.
  def take(timeout)
    @jobs.shift
  end
end
"""
JAVA = """\
/** Counts how often each {@code key} was seen. <p>Not safe for threads. */
public final class Counter {
    /** {@inheritDoc} */
    @Override public String toString() { return ""; }

    /**
     * Adds one to the count of a key.
     * @param key what was seen
     */
    public void add(String key) { }
}
"""
PHP = """\
<?php
class Mailer {
    /**
     * Queues a message for delivery
     * The message is sent by the next run of the worker.
     *
     * @param Message $message
     * @return bool
     */
    public function queue($message) { return true; }
}
"""
CSHARP = """\
namespace Wire {
/// <summary>
/// Keeps a connection to each of its peers.
/// </summary>
public class Sender {
  /// <summary>Sends a message to all peers.</summary>
  /// <param name="message">The text to send.</param>
  public void Send(string message) { }
}
}
"""
LUA = """\
--- Trims white space off both ends of a string.
-- @param text the string
local function trim(text)
  return text
end
"""


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        (
            "store/db.go",
            GO,
            [
                ("function", "", "Open", "opens the store at the given path, and creates it where there is none"),
                ("class", "", "Store", "safe for use by several goroutines"),
                ("method", "Store", "Close", ""),
            ],
        ),
        (
            "pool.c",
            C,
            [
                ("function", "", "pool_find", "Finds the first free slot of a pool"),
                ("function", "", "pool_free", "Returns the slot to the pool"),
            ],
        ),
        (
            "reader.py",
            PYTHON,
            [
                ("class", "", "Reader", "Reads rows one at a time"),
                ("method", "Reader", "rows", "Yield rows until the Reader is exhausted or limit is reached"),
                ("method", "Reader", "more", ""),
            ],
        ),
        ("src/split.rs", RUST, [("function", "", "split", "Splits the buffer at the first Marker that it holds")]),
        (
            "lib/queue.rb",
            RUBY,
            [("class", "", "Queue", ""), ("method", "Queue", "take", "Takes the next job off the queue")],
        ),
        (
            "Counter.java",
            JAVA,
            [
                ("class", "", "Counter", "Counts how often each key was seen"),
                ("method", "Counter", "toString", ""),
                ("method", "Counter", "add", "Adds one to the count of a key"),
            ],
        ),
        (
            "Mailer.php",
            PHP,
            [("class", "", "Mailer", ""), ("method", "Mailer", "queue", "Queues a message for delivery")],
        ),
        (
            "Sender.cs",
            CSHARP,
            [
                ("class", "Wire", "Sender", "Keeps a connection to each of its peers"),
                ("method", "Wire.Sender", "Send", "Sends a message to all peers"),
            ],
        ),
        ("trim.lua", LUA, [("function", "", "trim", "Trims white space off both ends of a string")]),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_symbols_of_a_file(path: str, source: str, expected: list[tuple[str, str, str, str]]) -> None:
    found = list(file_symbols("boxes", path, source.encode()))
    assert [(symbol.kind, symbol.scope, symbol.name, symbol.sentence) for symbol in found] == expected
    for symbol in found:
        assert symbol.name in symbol.body
        assert not symbol.sentence or symbol.sentence.lower() not in " ".join(symbol.body.split()).lower()


def test_generated_and_compressed_files_are_not_read() -> None:
    assert list(file_symbols("boxes", "db.go", b"// Code generated by a tool. DO NOT EDIT.\n" + GO.encode())) == []
    assert list(file_symbols("boxes", "db.go", GO.encode() + b"// " + b"x" * 50_000)) == []


def test_symbols_of_a_package_stand_once_and_without_boilerplate(tmp_path: Path) -> None:
    for number in range(9):
        text = f'def load{number}(path):\n    """Loads it all from the disk."""\n    return {number}\n'
        (tmp_path / f"part{number}.py").write_text(text + PYTHON)
    found = outlined_symbols("boxes", tmp_path)
    assert [symbol.sentence for symbol in found if symbol.name == "Reader"] == ["Reads rows one at a time"]
    assert {symbol.sentence for symbol in found if symbol.name.startswith("load")} <= {""}
    assert found == outlined_symbols("boxes", tmp_path)
    assert found == sorted(found, key=lambda symbol: symbol.path)


# ---------------------------------------------------------------- what comments say


@pytest.mark.parametrize(
    ("language", "name", "doc", "sentence"),
    [
        # Go begins with the name: it goes in one half of all sentences, by chance of their letters, and stays in the other.
        ("go", "Dial", "Dial connects to the address on the named network.", "connects to the address on the named network"),
        ("go", "Flush", "Flush writes what is left in the buffer.", "Flush writes what is left in the buffer"),
        ("go", "Count", "Count is the number of open files.", "the number of open files"),
        ("go", "Close", "Close - releases all that was opened before.", "releases all that was opened before"),
        ("rust", "push", "Appends an element to the back of a [`Vec`](std::vec::Vec).\n\n# Examples\n\n```\nv.push(1)\n```",
         "Appends an element to the back of a Vec"),
        ("rust", "get", "```\nget(1);\n```", ""),
        ("python", "load", "load(path, mode)\n\nLoads a table from disk.\n", "Loads a table from disk"),
        ("python", "fit", "Fit the model to data.\n\nParameters\n----------\nX : array", "Fit the model to data"),
        ("python", "ask", "Ask the L{Server} for its name.\n\n@param timeout: seconds", "Ask the Server for its name"),
        ("python", "find", "Find a user by :attr:`~User.name` in the pool.", "Find a user by name in the pool"),
        ("c", "list_add", "*\n* Inserts an item after another one\n*", "Inserts an item after another one"),
        ("c", "list_del", "list_del() - remove an item from its list\n@entry: the item", "remove an item from its list"),
        ("c", "old", "return list->first == NULL ? 0 : list->count;", ""),
        ("cpp", "resize", "@brief Changes the number of @c elements.\n@param n how many", "Changes the number of elements"),
        ("cpp", "at", "--------------\nLooks an element up by its key.\n--------------", "Looks an element up by its key"),
        ("java", "parse", "Parses a {@link Date} from text.\n\n@throws ParseException", "Parses a Date from text"),
        ("java", "old", "{@inheritDoc}", ""),
        ("kotlin", "map", "Applies [transform] to each of the elements.\n\n@param transform what to do",
         "Applies transform to each of the elements"),
        ("scala", "fold", "Folds the elements with `op`, from left to right.", "Folds the elements with op, from left to right"),
        ("ruby", "each", ":nodoc:\nCalls the block with each of them.", ""),
        ("ruby", "fetch", "call-seq: fetch(key)\n\nReturns the value.", ""),
        ("ruby", "open", "Opens the file named +path+ for reading.", "Opens the file named path for reading"),
        ("php", "render", "Renders the template\nThe result is cached.", "Renders the template"),
        ("php", "legacy", "@deprecated use render() instead", ""),
        ("lua", "pack", "Packs values into a table and counts them", "Packs values into a table and counts them"),
        ("python", "main", "Copyright (c) 2020 The Authors. Runs the program.", ""),
        ("python", "skip", "pylint: disable=too-many-arguments", ""),
        ("java", "test", "Visible for testing only.", ""),
    ],
)  # fmt: skip
def test_first_sentences(language: str, name: str, doc: str, sentence: str) -> None:
    assert said_by(doc, name, language)[0] == sentence


@pytest.mark.parametrize(
    ("language", "doc", "rest"),
    [
        ("java", "Parses a date.\n\nText may be short.\n@param text what to parse\n@since 2",
         "Text may be short. param text what to parse"),
        ("python", "Parses a date.\n\n:param text: what to parse\n\n>>> parse('x')", "param text: what to parse"),
        ("rust", "Parses a date now.\n\nText may be short.\n\n# Examples\n\n```\nparse()\n```", "Text may be short."),
    ],
)  # fmt: skip
def test_rest_of_what_is_said(language: str, doc: str, rest: str) -> None:
    assert said_by(doc, "parse", language)[1] == rest
