"""Types of downloaded archives: the signatures of class files as declarations, and archives that are broken or hostile."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.installed_files import InstalledFiles
from astrolabe.ingest.languages.java.class_files.archives import MAX_CLASS_SIZE, Archive, open_archive
from astrolabe.ingest.languages.java.class_files.class_file import Access, NotAClassFile, read_class
from astrolabe.ingest.languages.java.class_files.class_path import ClassPath
from astrolabe.ingest.languages.java.class_files.declarations import declarations
from astrolabe.ingest.languages.java.class_files.local_repositories import LocalRepositories
from written_workspace import write


class ClassBytes:
    """Writes class files."""

    def __init__(self) -> None:
        self._constants: list[bytes] = []

    def text(self, text: str) -> int:
        return self._constant(b"\x01" + struct.pack(">H", len(text.encode())) + text.encode())

    def named(self, name: str) -> int:
        return self._constant(b"\x07" + struct.pack(">H", self.text(name)))

    def _constant(self, constant: bytes) -> int:
        if constant not in self._constants:
            self._constants.append(constant)
        return self._constants.index(constant) + 1

    def member(self, access: int, name: str, descriptor: str, signature: str = "") -> bytes:
        found = struct.pack(">HHH", access, self.text(name), self.text(descriptor))
        return found + self.attributes(signature)

    def attributes(self, signature: str) -> bytes:
        if not signature:
            return b"\0\0"
        return struct.pack(">HHIH", 1, self.text("Signature"), 2, self.text(signature))

    def written(self, access: int, name: str, fields: list[bytes], methods: list[bytes], signature: str = "") -> bytes:
        body = struct.pack(">HHHH", access, self.named(name), self.named("java/lang/Object"), 0)
        body += struct.pack(">H", len(fields)) + b"".join(fields) + struct.pack(">H", len(methods)) + b"".join(methods)
        body += self.attributes(signature)
        head = struct.pack(">IHHH", 0xCAFEBABE, 0, 61, len(self._constants) + 1)
        return head + b"".join(self._constants) + body


def box() -> bytes:
    made = ClassBytes()
    return made.written(
        Access.PUBLIC,
        "org/box/Box",
        [made.member(Access.PUBLIC, "held", "Ljava/lang/Object;", "TT;"), made.member(Access.PRIVATE, "secret", "I")],
        [
            made.member(Access.PUBLIC, "<init>", "(I)V"),
            made.member(Access.PUBLIC, "all", "()Ljava/util/List;", "()Ljava/util/List<+TT;>;"),
            made.member(Access.PUBLIC | Access.STATIC | Access.VARIADIC, "of", "([J)Lorg/box/Box;"),
            made.member(Access.PUBLIC | Access.SYNTHETIC, "lambda$0", "()V"),
            made.member(Access.PUBLIC, "not-java", "()V"),
        ],
        "<T:Ljava/lang/Object;:Ljava/lang/Comparable<-TT;>;>Ljava/lang/Object;",
    )


def test_signatures_become_declarations() -> None:
    """Private and synthetic members are left out, and so are names that Java cannot write."""
    assert declarations(read_class(box()), lambda name: None) == (
        "package org.box;\nimport java.util.List;\n"
        "class Box<T extends Comparable<? super T>> {\n\tT held;\n\tBox(int p0);\n\tList<? extends T> all();\n"
        "\tstatic Box of(long... p0);\n}\n"
    )


@pytest.mark.parametrize("size", [0, 3, 9, 10, 40, 100, 150, 200, 250])
def test_a_class_file_that_is_cut_off(size: int) -> None:
    with pytest.raises(NotAClassFile):
        read_class(box()[:size])


def test_bytes_that_are_changed_anywhere_never_crash() -> None:
    data = box()
    for place in range(8, len(data)):
        for value in (0, 1, 7, 255):
            changed = data[:place] + bytes([value]) + data[place + 1 :]
            try:
                declarations(read_class(changed), lambda name: None)
            except NotAClassFile:
                continue


def test_names_of_the_same_simple_name_are_qualified() -> None:
    made = ClassBytes()
    fields = [
        made.member(Access.PUBLIC, name, f"L{kind};") for name, kind in (("one", "a/Date"), ("two", "b/Date"), ("own", "c/A"))
    ]
    text = declarations(read_class(made.written(Access.PUBLIC, "c/A", fields, [])), lambda name: None)
    assert "import a.Date;" in text
    assert "\tDate one;\n\tb.Date two;\n\tA own;" in text


# ---------------------------------------------------------------------- archives


def jar(path: Path, classes: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in classes.items():
            archive.writestr(f"{name}.class", data)
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_a_class_of_an_archive(tmp_path: Path, method: int) -> None:
    archive = open_archive(str(jar(tmp_path / "a.jar", {"org/box/Box": box()}, method)))
    assert archive.packages == {"org/box"}
    assert archive.read("org/box/Box") == box()
    assert archive.read("org/box/Missing") is None


def test_archives_that_are_broken_or_hostile(tmp_path: Path) -> None:
    """A bomb is not unpacked, and a file that is cut off or none is a problem."""
    bomb = open_archive(str(jar(tmp_path / "bomb.jar", {"a/Bomb": b"\0" * (MAX_CLASS_SIZE + 1)})))
    assert bomb.read("a/Bomb") is None
    path = jar(tmp_path / "lie.jar", {"a/Lie": b"\0" * 50_000})
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<I", 50_000), struct.pack("<I", 10)))
    assert open_archive(str(path)).read("a/Lie") is None
    for content in (b"", b"PK", box(), data[:-30], data[: len(data) // 2]):
        path.write_bytes(content)
        opened = open_archive(str(path))
        assert opened.problem is not None
        assert opened.packages == frozenset()
    assert open_archive(str(tmp_path / "none.jar")).problem is not None


# ---------------------------------------------------------------------- repositories

POM = "<project><groupId>{0}</groupId><artifactId>{1}</artifactId><version>{2}</version>{3}</project>"


def artifact(folder: Path, group: str, name: str, version: str, inner: str = "") -> Path:
    place = folder / group.replace(".", "/") / name / version
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{name}-{version}.pom").write_text(POM.format(group, name, version, inner))
    return jar(place / f"{name}-{version}.jar", {f"{name}/Only": box()})


def dependency(group: str, name: str, version: str, more: str = "") -> str:
    named = f"<groupId>{group}</groupId><artifactId>{name}</artifactId>"
    return f"<dependency>{named}{f'<version>{version}</version>' if version else ''}{more}</dependency>"


def class_path(root: Path, repository: Path, gradle: Path | None = None) -> ClassPath:
    names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    files = WorkspaceFiles(root, ["src/A.java"], names)
    return ClassPath(files, InstalledFiles(root), LocalRepositories(repository, gradle or root / "no-gradle"))


def test_dependencies_are_followed_as_maven_follows_them(tmp_path: Path) -> None:
    """The nearest version counts; what is optional, excluded or for tests of another artifact is not needed."""
    repository, root = tmp_path / "m2", tmp_path / "work"
    artifact(repository, "g", "far", "1")
    newer = artifact(repository, "g", "far", "2")
    listed = "".join(
        (
            dependency("g", "far", "1"),
            dependency("g", "inner", "1"),
            dependency("g", "optional", "1", "<optional>true</optional>"),
            dependency("g", "tests", "1", "<scope>test</scope>"),
            dependency("g", "excluded", "1"),
        )
    )
    artifact(repository, "g", "near", "1", f"<dependencies>{listed}</dependencies>")
    for name in ("inner", "optional", "tests", "excluded"):
        artifact(repository, "g", name, "1")
    exclusion = "<exclusions><exclusion><groupId>g</groupId><artifactId>excluded</artifactId></exclusion></exclusions>"
    direct = dependency("g", "near", "", exclusion) + dependency("g", "far", "${far}")
    managed = f"<dependencyManagement><dependencies>{dependency('g', 'near', '1')}</dependencies></dependencyManagement>"
    pom = POM.format("own", "own", "1", f"<properties><far>2</far></properties>{managed}<dependencies>{direct}</dependencies>")
    write(root, f"//- pom.xml\n{pom}\n//- src/A.java\nclass A {{ }}\n")
    path = class_path(root, repository)
    assert path.file("far.Only", "src/A.java") == f"{newer}!/far/Only"
    assert [name for name in ("near", "inner", "optional", "tests", "excluded") if path.file(f"{name}.Only", "src/A.java")] == [
        "near",
        "inner",
    ]


def test_archives_are_listed_again_only_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, root = tmp_path / "m2", tmp_path / "work"
    first, listed = artifact(repository, "g", "first", "1"), list[str]()

    def opened(path: str) -> Archive:
        listed.append(path)
        return open_archive(path)

    monkeypatch.setattr("astrolabe.ingest.languages.java.class_files.class_path.open_archive", opened)

    def declare(*direct: str) -> None:
        pom = POM.format("own", "own", "1", f"<dependencies>{''.join(direct)}</dependencies>")
        write(root, f"//- pom.xml\n{pom}\n//- src/A.java\nclass A {{ }}\n")

    def names() -> list[str]:
        listed.clear()
        path = class_path(root, repository)
        return [name for name in ("first", "second", "third") if path.file(f"{name}.Only", "src/A.java")]

    both = dependency("g", "first", "1"), dependency("g", "second", "1")
    declare(*both)
    assert names() == ["first"]
    assert listed == [str(first)]
    assert names() == ["first"]
    assert listed == []
    second = artifact(repository, "g", "second", "1", f"<dependencies>{dependency('g', 'third', '1')}</dependencies>")
    assert names() == ["first", "second"]
    third = artifact(repository, "g", "third", "1")
    assert names() == ["first", "second", "third"]
    assert listed == [str(first), str(second), str(third)]
    third.unlink()
    assert names() == ["first", "second"]
    declare(both[0])
    assert names() == ["first"]


def test_the_cache_of_gradle(tmp_path: Path) -> None:
    """A version that a plugin chooses is the newest one that is there."""
    root, cache = tmp_path / "work", tmp_path / "cache"
    for version in ("1.9", "1.10"):
        jar(cache / "g" / "lib" / version / "abc" / f"lib-{version}.jar", {"lib/Only": box()})
    write(root, "//- build.gradle\ndependencies { implementation 'g:lib' }\n//- src/A.java\nclass A { }\n")
    assert class_path(root, tmp_path / "none", cache).file("lib.Only", "src/A.java") == (
        f"{cache}/g/lib/1.10/abc/lib-1.10.jar!/lib/Only"
    )


@pytest.mark.parametrize("version", ["../../../secret", "..", "/etc", "1/2", "${unknown}", ""])
def test_a_version_never_leads_out_of_the_repository(tmp_path: Path, version: str) -> None:
    jar(tmp_path / "secret" / "lib-.jar", {"lib/Only": box()})
    pom = POM.format("own", "own", "1", f"<dependencies>{dependency('g', 'lib', version)}</dependencies>")
    write(tmp_path / "work", f"//- pom.xml\n{pom}\n")
    assert class_path(tmp_path / "work", tmp_path / "m2").file("lib.Only", "src/A.java") is None


LIBRARY = """package lib;
import java.util.*;
import java.util.function.Function;
public abstract class Shelf<T extends Comparable<T>> implements Iterable<T> {
    public enum Kind { LARGE, SMALL; public Kind other() { return this; } }
    public interface Visitor<R> { R visit(Shelf<?> shelf); default void done() { } static <A> Visitor<A> none() { return null; } }
    public class Inner { public Inner(int size) { } public T item() { return null; } }
    public @interface Mark { String value() default ""; }
    public static final Map<String, Kind> KINDS = null;
    protected Shelf(Kind kind, T... items) { }
    public <R> List<R> map(Function<? super T, ? extends R> given) { return null; }
    public abstract T[] array(int[][] sizes);
    public Map.Entry<String, T> entry() { return null; }
    private void hidden() { }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="needs javac, to make a class file")
def test_what_javac_compiles_is_read_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "Shelf.java").write_text(LIBRARY)
    subprocess.run(["javac", "-nowarn", "-d", str(tmp_path), str(tmp_path / "Shelf.java")], check=True, capture_output=True)

    def read(name: str) -> bytes:
        return (tmp_path / f"{name}.class").read_bytes()

    text = declarations(read_class(read("lib/Shelf")), lambda name: read_class(read(name)))
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0] == "package lib;"
    assert set(lines[1:5]) >= {"import java.util.Map;", "import java.util.List;", "import java.util.function.Function;"}
    expected = [
        "abstract class Shelf<T extends Comparable<T>> implements Iterable<T> {",
        "static Map<String, Shelf.Kind> KINDS;",
        "Shelf(Shelf.Kind p0, T... p1);",
        "<R> List<R> map(Function<? super T, ? extends R> p0);",
        "abstract T[] array(int[][] p0);",
        "Map.Entry<String, T> entry();",
        "static enum Kind {",
        "LARGE, SMALL;",
        "Shelf.Kind other();",
        "static interface Visitor<R> {",
        "R visit(Shelf<?> p0);",
        "default void done();",
        "static <A> Shelf.Visitor<A> none();",
        "class Inner {",
        "Inner(int p0);",
        "T item();",
        "static @interface Mark {",
        "String value();",
    ]
    assert [line for line in expected if line not in lines] == []
    assert "hidden" not in text


def test_values_travel_through_types_of_archives(tmp_path: Path) -> None:
    """A call on what a method of a library gives is bound, and one of the library has its name."""
    from java_programs import java_edges

    made = ClassBytes()
    mapped = "<R:Ljava/lang/Object;>(Ljava/util/function/Function<-TT;+TR;>;)Llib/Chain<TR;>;"
    chain = made.written(
        Access.PUBLIC,
        "lib/Chain",
        [],
        [
            made.member(Access.PUBLIC | Access.STATIC, "of", "()Llib/Chain;", "<A:Ljava/lang/Object;>(TA;)Llib/Chain<TA;>;"),
            made.member(Access.PUBLIC, "map", "()Llib/Chain;", mapped),
            made.member(Access.PUBLIC, "get", "()Ljava/lang/Object;", "()TT;"),
        ],
        "<T:Ljava/lang/Object;>Ljava/lang/Object;",
    )
    repository, root = tmp_path / "m2", tmp_path / "work"
    place = artifact(repository, "g", "lib", "1")
    jar(place, {"lib/Chain": chain})
    pom = POM.format("own", "own", "1", f"<dependencies>{dependency('g', 'lib', '1')}</dependencies>")
    write(root, f"//- pom.xml\n{pom}\n")
    source = """package own;
import lib.Chain;
class Item { Item next() { return this; } }
class Use { void use(Item item) { Chain.of(item).map(each -> each.next()).get().next(); } }
"""
    units, edges = java_edges({"src/Use.java": source}, class_path(root, repository))
    content = edges.of_calls(units["src/Use.java"])
    assert sorted((edge.to_id, len(edge.lines)) for edge in content.calls) == [("next:3", 2)]
    assert {edge.external_id for edge in content.external_calls} == {
        "maven:lib#Chain.of",
        "maven:lib#Chain.map",
        "maven:lib#Chain.get",
    }
