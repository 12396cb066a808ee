"""The texts of files on disk: what is written is read back, by steps or at once, and damage is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.retrieval.source.file_texts import FileTexts, files_of_texts, remove_texts, texts_path
from astrolabe.schema.errors import IndexCorrupt
from astrolabe.schema.text_lines import TextLines
from hypothesis import given, settings
from hypothesis import strategies as st

Texts = dict[str, bytes]

#: Texts that have no usual line ends, or none at all, by path.
ODD: Texts = {
    "empty.ts": b"",
    "blank.ts": b" \n\t\r\n\n",
    "no end.ts": b"export {}",
    "windows.ts": b"a\r\n  b\r\n",
    "one line.js": b"x = [" + b"1, " * 400_000 + b"]",
    "src/世界/it's.ts": "const été = '🎉'\n".encode(),
    "feed.c": b"a\f\n\v\x85\n",
}


def write(directory: Path, version: int, texts: FileTexts) -> FileTexts:
    texts.write(texts_path(directory, version))
    return FileTexts.open(directory, version)


def many(count: int) -> Texts:
    """Texts that pack to about the same size."""
    return {f"{number:03}.ts": f"export const value{number} = {number**9}\n".encode() for number in range(count)}


def test_texts_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    texts = write(tmp_path, 1, FileTexts.of(ODD))
    assert list(texts) == sorted(ODD)
    assert dict(texts) == ODD
    assert [path for path in (*ODD, "other.ts") if path not in texts] == ["other.ts"]
    assert texts.get("other.ts") is None


def test_no_texts_are_texts(tmp_path: Path) -> None:
    assert dict(write(tmp_path, 1, FileTexts.of({}))) == {}


def test_a_reader_of_one_text_finds_the_places_of_one_block(tmp_path: Path) -> None:
    """Places of all texts would take half a second of each first look-up in a repository of 100,000 files."""
    large = {f"{number:03}.ts": (b"%d\n" % number) * 9_000 for number in range(40)}
    texts = write(tmp_path, 1, FileTexts.of(large))
    texts = write(tmp_path, 2, texts.replaced(["004.ts", "020.ts"], {"004.ts": b"new\n"}))
    assert (texts["004.ts"], texts.get("020.ts"), texts.get("000"), texts.get("999.ts")) == (b"new\n", None, None, None)
    assert texts["021.ts"] == large["021.ts"]
    blocks = len(texts._whole)
    assert len(texts._read_places) <= 2 < blocks
    del large["020.ts"]
    assert dict(texts) == {**large, "004.ts": b"new\n"}


def test_a_change_writes_little_more_than_its_text(tmp_path: Path) -> None:
    texts, expected = write(tmp_path, 1, FileTexts.of(many(200))), many(200)
    whole = texts_path(tmp_path, 1).read_bytes()
    for version, path in enumerate(["007.ts", "010.ts", "007.ts", "new.ts"], 2):
        expected[path] = f"changed {version}\n".encode()
        texts = write(tmp_path, version, texts.replaced([path], {path: expected[path]}))
        assert dict(texts) == expected
        assert files_of_texts(tmp_path, version) == [texts_path(tmp_path, 1), texts_path(tmp_path, version)]
        assert len(texts_path(tmp_path, version).read_bytes()) < 400 < len(whole)
    texts = write(tmp_path, 6, texts.replaced(["011.ts", "new.ts", "never.ts"], {}))
    del expected["011.ts"], expected["new.ts"]
    assert dict(texts) == expected
    assert texts_path(tmp_path, 1).read_bytes() == whole


def test_many_changes_are_written_together_with_all_texts(tmp_path: Path) -> None:
    texts, expected = write(tmp_path, 1, FileTexts.of(many(20))), many(20)
    files = []
    for version, path in enumerate(sorted(expected), 2):
        expected[path] = b"changed\n"
        texts = write(tmp_path, version, texts.replaced([path], {path: expected[path]}))
        assert dict(texts) == expected
        files.append(len(files_of_texts(tmp_path, version)))
    assert 1 in files
    assert files.count(2) > files.count(1)


TEXTS = st.dictionaries(st.sampled_from(sorted(ODD)), st.sampled_from(sorted(ODD.values())), max_size=len(ODD))


@settings(max_examples=40)
@given(first=TEXTS, steps=st.lists(TEXTS, max_size=5))
def test_texts_changed_by_steps_equal_those_written_at_once(
    tmp_path_factory: pytest.TempPathFactory, first: Texts, steps: list[Texts]
) -> None:
    folder, expected = tmp_path_factory.mktemp("steps"), first
    texts = write(folder, 1, FileTexts.of(first))
    for version, after in enumerate(steps, 2):
        changed = {path for path in {*expected, *after} if expected.get(path) != after.get(path)}
        before, expected = dict(texts), after
        texts = write(folder, version, texts.replaced(changed, {path: after[path] for path in changed & after.keys()}))
        assert list(texts.items()) == sorted(after.items())
        assert dict(FileTexts.open(folder, version - 1)) == before


def test_what_a_needed_version_is_read_from_stays(tmp_path: Path) -> None:
    texts = write(tmp_path, 1, FileTexts.of(many(50)))
    for version in (2, 3, 4):
        texts = write(tmp_path, version, texts.replaced(["000.ts"], {"000.ts": b"changed\n" * version}))
    remove_texts(tmp_path, 3)
    assert sorted(tmp_path.iterdir()) == [texts_path(tmp_path, version) for version in (1, 3, 4)]
    write(tmp_path, 5, FileTexts.of(dict(texts)))
    texts_path(tmp_path, 6).write_bytes(b"cut short")  # by a writer that died
    remove_texts(tmp_path, 5)
    assert sorted(tmp_path.iterdir()) == [texts_path(tmp_path, 5)]


@pytest.mark.parametrize("name", [1, 2])
@pytest.mark.parametrize("kept", [0, 10, -1], ids=["empty", "head", "all but a byte"])
def test_a_file_that_was_cut_short_is_a_corrupt_index(tmp_path: Path, name: int, kept: int) -> None:
    texts = write(tmp_path, 1, FileTexts.of(many(50)))
    write(tmp_path, 2, texts.replaced(["000.ts"], {"000.ts": b"changed\n"}))
    texts_path(tmp_path, name).write_bytes(texts_path(tmp_path, name).read_bytes()[:kept])
    with pytest.raises(IndexCorrupt, match="--full"):
        FileTexts.open(tmp_path, 2)


def test_a_block_without_texts_is_a_corrupt_index(tmp_path: Path) -> None:
    path = texts_path(tmp_path, 1)
    FileTexts.of({"a.ts": b"const a = 1\n"}).write(path)
    path.write_bytes(path.read_bytes().replace(b'[["a.ts",12]]', b"[]"))
    with pytest.raises(IndexCorrupt, match="no texts"):
        FileTexts.open(tmp_path, 1)


def test_a_missing_file_is_a_corrupt_index(tmp_path: Path) -> None:
    with pytest.raises(IndexCorrupt, match="--full"):
        FileTexts.open(tmp_path, 1)


def test_a_damaged_text_is_a_corrupt_index(tmp_path: Path) -> None:
    path = texts_path(tmp_path, 1)
    FileTexts.of({"a.ts": b"const a = 1\n" * 100}).write(path)
    data = path.read_bytes()
    path.write_bytes(data[:-20] + b"\xff" * 20)
    with pytest.raises(IndexCorrupt, match=r"a\.ts"):
        FileTexts.open(tmp_path, 1)["a.ts"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"", [""]),
        (b"\n", ["", ""]),
        (b"a", ["a"]),
        (b"a\r\n\r\nb\n", ["a", "", "b", ""]),
        ("é\n\u2028\x0c\n".encode(), ["é", "\u2028\x0c", ""]),
    ],
)
def test_lines_are_counted_by_line_feeds(text: bytes, lines: list[str]) -> None:
    found = TextLines(text)
    assert [found.between(number, number) for number in range(1, len(lines) + 1)] == lines
    assert found.between(1, len(lines)) == text.decode().rstrip("\r\n")
