"""Dumps: their rows of data are left out of what is indexed, and their lines stay."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from astrolabe.ingest.data.schemas.databases import read_schemas
from astrolabe.ingest.data.sql.data_rows import MIN_DUMP, condensed, without_rows
from astrolabe.ingest.languages.extraction import extract_facts, indexed_text
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

ROW = "(1,'it''s; a (row)',NULL)"
HEAD = "CREATE TABLE boats (id int, name text, berth int);\n"
TAIL = "\nALTER TABLE boats ADD CONSTRAINT boats_pkey PRIMARY KEY (id);\n"


def dump(middle: str) -> bytes:
    return (HEAD + middle + TAIL).encode()


@pytest.mark.parametrize(
    "middle",
    [
        "INSERT INTO boats VALUES " + ",\n".join([ROW] * 50_000) + ";",
        "INSERT INTO `boats` (`id`) VALUES " + ",\n".join(["(1,'a\\';b')"] * 100_000) + ";",
        "COPY public.boats (id, name) FROM stdin;\n" + "1\tit's; DROP TABLE boats;\n" * 60_000 + "\\.\n",
        "\n".join(["INSERT INTO boats VALUES " + ROW + ";"] * 30_000),
    ],
)
def test_rows_are_left_out_and_lines_stay(middle: str) -> None:
    data = dump(middle)
    assert len(data) > MIN_DUMP
    kept = indexed_text(data, "sql")
    assert kept.count(b"\n") == data.count(b"\n")
    assert b"it'" not in kept
    assert b"a\\'" not in kept
    facts = extract_facts(data, "sql")
    assert not facts.problems
    assert len(facts.symbols) < 10
    (schema,) = read_schemas({"dump.sql": facts.data}) if facts.data else ()
    (table,) = schema.database.tables.values()
    assert [each.name for each in table.columns.values()] == ["id", "name", "berth"]
    assert [(each.name, each.line) for each in table.constraints.values()] == [("boats_pkey", data.count(b"\n"))]


@pytest.mark.parametrize(
    "statements",
    [
        "INSERT INTO a VALUES (1,'it''s; x'), (2,\"q;\");\nINSERT INTO a VALUES (3);\nCREATE TABLE b (id int);\n",
        "REPLACE INTO `b` (x) VALUES (1,'a\\'; b');\nCREATE TABLE `b` (x int);\n",
        "COPY a FROM stdin;\n1\tit's; y\n2\n\\.\nCREATE TABLE a (id int);\n",
    ],
)
def test_the_blocks_of_a_file_do_not_matter(statements: str) -> None:
    data = dump(statements * 2_000)
    whole = condensed([data])
    assert whole.count(b"\n") == data.count(b"\n")
    assert len(whole) < len(data)
    for size in (7_001, 65_536):
        assert condensed(data[at : at + size] for at in range(0, len(data), size)) == whole


def test_a_large_dump_is_read_in_blocks(tmp_path: Path) -> None:
    data = dump("INSERT INTO boats VALUES " + ",\n".join([ROW] * 60_000) + ";")
    (tmp_path / "dump.sql").write_bytes(data)
    content = analysed(tmp_path, "")
    (file,) = content.files
    assert (file.size, file.content_hash) == (len(data), sha256(data).hexdigest())
    assert {symbol.name for symbol in content.symbols} >= {"boats", "boats_pkey"}


def test_small_files_keep_their_rows() -> None:
    data = dump(f"INSERT INTO boats VALUES {ROW};")
    assert without_rows(data) == data


def test_rows_that_are_not_closed_end_with_the_file() -> None:
    kept = without_rows(dump("INSERT INTO boats VALUES (1,'" + "open;\n" * 400_000))
    assert kept.startswith(HEAD.encode())
    assert kept.count(b"\n") > 400_000
    assert b"open" not in kept


@pytest.mark.parametrize("piece", ["INSERT INTO a ", "INSERT INTO a VALUES (1);\n", "COPY a FROM ", "INSERT INTO a VALUES ('\n"])
def test_reading_is_linear(piece: str) -> None:
    def seconds(count: int) -> float:
        data = (piece * count).encode() + b" " * MIN_DUMP
        return processor_seconds(lambda: without_rows(data))

    assert is_linear(seconds, 20_000)


def test_lines_that_are_left_cost_little() -> None:
    assert is_linear(lambda count: processor_seconds(lambda: extract_facts(b"SELECT 1;" + b"\n" * count, "sql")), 40_000)
