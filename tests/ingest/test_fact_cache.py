"""The cache of facts: what was put is found again, what is damaged is not, and its size stays bounded."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
import pytest
from astrolabe.ingest.facts import cache as fact_cache
from astrolabe.ingest.facts.cache import FactCache, FactKey, KnownPack, extraction_version, pack_facts
from astrolabe.ingest.facts.installed_version import installed_version
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.errors import StoreError


def facts_of(number: int) -> FileFacts:
    return extract_facts(f"export function f{number}(a: string) {{ return a + {number} }}\n".encode(), "typescript")


def key_of(number: int) -> FactKey:
    return FactKey.of(f"{number:064x}", "typescript")


def put(cache: FactCache, *numbers: int) -> None:
    for number in numbers:
        cache.put(key_of(number), pack_facts(msgspec.msgpack.encode(facts_of(number))))
    cache.flush()


def known(folder: Path, count: int, relatives: tuple[Path, ...] = ()) -> list[int]:
    with FactCache(folder, relatives) as cache:
        found = [cache.get(key_of(number)) for number in range(count)]
    assert all(facts in (None, facts_of(number)) for number, facts in enumerate(found))
    return [number for number, facts in enumerate(found) if facts is not None]


def test_facts_are_found_again(tmp_path: Path) -> None:
    with FactCache(tmp_path) as cache:
        cache.put(key_of(0), pack_facts(msgspec.msgpack.encode(facts_of(0))))
        assert cache.get(key_of(0)) == facts_of(0)
        put(cache, 1, 2)
    assert known(tmp_path, 4) == [0, 1, 2]


@pytest.mark.parametrize("most", [0, 1 << 20])
def test_facts_that_wait_to_be_packed_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(fact_cache, "_MAX_UNPACKED", most)
    with FactCache(tmp_path) as cache:
        assert cache.knows_nothing
        for number in range(3):
            cache.put_encoded(key_of(number), msgspec.msgpack.encode(facts_of(number)))
        assert [cache.get(key_of(number)) for number in range(4)] == [facts_of(0), facts_of(1), facts_of(2), None]
        cache.flush()
        assert not cache.knows_nothing
    assert known(tmp_path, 4) == [0, 1, 2]


def test_facts_wait_in_no_file_on_a_disk_that_is_nearly_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fact_cache, "_MIN_FREE", 1 << 62)
    with FactCache(tmp_path) as cache:
        cache.put_encoded(key_of(0), msgspec.msgpack.encode(facts_of(0)))
        assert cache.get(key_of(0)) == facts_of(0)
        cache.flush()
    assert known(tmp_path, 2) == [0]


def test_facts_belong_to_bytes_language_and_the_version_of_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [FactKey.of("a", "typescript"), FactKey.of("b", "typescript"), FactKey.of("a", "tsx")]
    monkeypatch.setattr(fact_cache, "extraction_version", lambda language: f"{extraction_version(language)}, but newer")
    assert len({*keys, FactKey.of("a", "typescript")}) == 4


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], list[int]]] = {
    "cut short": (lambda data: data[:-1], [0, 1]),
    "half a head behind the last entry": (lambda data: data + b"AFC1 and then nothing", [0, 1, 2]),
    "a body": (lambda data: data[:40] + b"\0" + data[41:], [1, 2]),
    "the first head": (lambda data: b"X" + data[1:], []),
    "nothing left": (lambda data: b"", []),
}


@pytest.mark.parametrize(("damage", "left"), DAMAGES.values(), ids=DAMAGES)
def test_damaged_entries_count_as_missing_and_are_written_again(
    tmp_path: Path, damage: Callable[[bytes], bytes], left: list[int]
) -> None:
    with FactCache(tmp_path) as cache:
        put(cache, 0, 1, 2)
    file = tmp_path / "facts.bin"
    file.write_bytes(damage(file.read_bytes()))
    assert known(tmp_path, 3) == left
    with FactCache(tmp_path) as cache:
        put(cache, *(set(range(3)) - set(left)))
    assert known(tmp_path, 3) == [0, 1, 2]


def test_facts_of_relatives_are_borrowed_and_kept(tmp_path: Path) -> None:
    with FactCache(tmp_path / "one") as cache:
        put(cache, 0, 1)
    before = (tmp_path / "one" / "facts.bin").read_bytes()
    with FactCache(tmp_path / "two", [tmp_path / "one", tmp_path / "missing"]) as cache:
        assert cache.get(key_of(0)) == facts_of(0)
        cache.flush()
    assert known(tmp_path / "two", 2) == [0]
    assert (tmp_path / "one" / "facts.bin").read_bytes() == before


def test_what_is_out_of_use_goes_when_it_takes_more_room_than_what_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fact_cache, "_LEEWAY", 0)
    with FactCache(tmp_path) as cache:
        put(cache, *range(8))
        size = (tmp_path / "facts.bin").stat().st_size
        cache.collect([key_of(number) for number in range(5)])
        assert (tmp_path / "facts.bin").stat().st_size == size
        cache.collect([key_of(number) for number in (4, 0, 3)])
        # The youngest of the others stays: branches come and go.
        assert [number for number in range(8) if cache.get(key_of(number)) is not None] == [0, 3, 4, 7]
    assert known(tmp_path, 8) == [0, 3, 4, 7]


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "facts").write_text("a file")
    with pytest.raises(StoreError, match="cannot be written"):
        FactCache(tmp_path / "facts")


def test_a_kept_list_of_entries_follows_what_others_write(tmp_path: Path) -> None:
    entries = KnownPack()

    def listed() -> list[int]:
        with FactCache(tmp_path, known=entries) as cache:
            assert len(entries.places) == len(cache._pack.places)
            return [number for number in range(6) if cache.get(key_of(number)) == facts_of(number)]

    assert listed() == []
    with FactCache(tmp_path, known=entries) as cache:
        put(cache, 0, 1)
    assert listed() == [0, 1]
    with FactCache(tmp_path) as other:
        put(other, 2)
    assert listed() == [0, 1, 2]
    with FactCache(tmp_path) as other:
        other.keep([key_of(1)])  # a new file
    assert listed() == [1]
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    path.write_bytes(data[:-1])  # the same file, cut off
    assert listed() == []
    with FactCache(tmp_path, known=entries) as cache:
        put(cache, 5)
    assert (listed(), known(tmp_path, 6)) == ([5], [5])


def test_the_version_of_an_installed_package_is_that_of_its_metadata() -> None:
    for package in ("tree-sitter", "sqlglot", "tree-sitter-python", "Tree_Sitter.Go"):
        assert installed_version(package) == version(package)
    with pytest.raises(PackageNotFoundError):
        installed_version("astrolabe-without-a-release")


def test_a_check_before_a_commit_loads_no_parser_of_emails() -> None:
    loaded = "import sys; import astrolabe.server.hooks.commit_check; print('email' in sys.modules, 'difflib' in sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
