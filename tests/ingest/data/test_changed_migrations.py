"""A changed migration: the edges of all migrations are equal to those of a new index, but few of them are made again."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from astrolabe.ingest.data.schemas.edges import DataEdges, data_edges, digest_of
from astrolabe.ingest.data.schemas.table_edges import TableEdges
from astrolabe.ingest.facts.data import DataFacts
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.graph_content import GraphContent

#: Statements of migrations. `T` stands for any table, `C` for any column, `I` and `K` for an index and a constraint.
STATEMENTS = (
    "CREATE TABLE T (c0 bigserial PRIMARY KEY, c1 int REFERENCES T ON DELETE CASCADE, c2 text UNIQUE)",
    "CREATE TABLE T (c0 bigserial PRIMARY KEY, c1 int REFERENCES T (c0))",
    "CREATE TABLE IF NOT EXISTS T (c0 int, c3 text, CHECK (c0 > 1))",
    "CREATE TABLE T (LIKE T INCLUDING ALL)",
    "CREATE TABLE T (c4 int) INHERITS (T)",
    "CREATE TABLE T PARTITION OF T FOR VALUES IN (1)",
    "CREATE TABLE made (c0 int, c1 text); INSERT INTO made SELECT c0, c1 FROM T; DROP TABLE T; ALTER TABLE made RENAME TO T",
    "DROP TABLE T; ALTER TABLE made_by_code RENAME TO T",
    "ALTER TABLE T ADD COLUMN C text",
    "ALTER TABLE T ADD COLUMN C int REFERENCES T (c0)",
    "ALTER TABLE T ADD COLUMN C mood",
    "ALTER TABLE T DROP COLUMN C",
    "ALTER TABLE T RENAME COLUMN C TO C",
    "ALTER TABLE T ALTER COLUMN C TYPE bigint",
    "ALTER TABLE T RENAME TO T",
    "ALTER TABLE T ADD CONSTRAINT K UNIQUE (C)",
    "ALTER TABLE T DROP CONSTRAINT K CASCADE",
    "CREATE INDEX I ON T (C)",
    "CREATE INDEX ON T (C)",
    "DROP INDEX I",
    "ALTER INDEX I RENAME TO I",
    "DROP TABLE T",
    "CREATE VIEW seen AS SELECT c0, C FROM T",
    "CREATE OR REPLACE VIEW seen AS SELECT C FROM T",
    "COMMENT ON COLUMN T.C IS 'the C of T'",
    "COMMENT ON TABLE T IS 'all of T'",
    "CREATE TYPE mood AS ENUM ('calm')",
    "ALTER TYPE mood RENAME TO temper",
    "INSERT INTO T (C) VALUES (1)",
    "UPDATE T SET C = (SELECT C FROM T WHERE C > 0)",
)
NAMES: dict[str, Callable[[random.Random, int], str]] = {
    "T": lambda chance, tables: f"t{chance.randrange(tables)}",
    "C": lambda chance, _: f"c{chance.randrange(5)}",
    "I": lambda chance, _: f"i{chance.randrange(9)}",
    "K": lambda chance, _: f"k{chance.randrange(5)}",
}


def migration(chance: random.Random, tables: int) -> DataFacts:
    """Return the facts of a migration with a few statements, perhaps below a comment, which moves their lines."""
    texts = chance.choices(STATEMENTS, k=chance.randrange(1, 5))
    words = [NAMES[word](chance, tables) if word in NAMES else word for text in texts for word in _words(f"{text};\n")]
    facts = extract_facts(("-- checked\n" * chance.randrange(2) + "".join(words)).encode(), "sql").data
    return facts or DataFacts()


def _words(text: str) -> list[str]:
    found = [""]
    for letter in text:
        if letter.isalnum() and found[-1].isalnum():
            found[-1] += letter
        else:
            found.append(letter)
    return found


def symbol_id(path: str, symbol: int) -> str:
    return f"{path}#{symbol}"


def edges_of(edges: DataEdges, files: dict[str, DataFacts]) -> dict[str, GraphContent]:
    return {path: made for path in files if (made := edges.of(path, files[path], symbol_id, ())) is not None}


@pytest.mark.parametrize("seed", range(4))
def test_300_migrations_with_changes_at_random_places_have_the_edges_of_a_new_index(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, followed, follow = random.Random(seed), [], TableEdges.follow

    def counting(*arguments: object) -> object:
        followed.append(follow(*arguments))  # type: ignore[arg-type]
        return followed[-1]

    monkeypatch.setattr(TableEdges, "follow", counting)
    count, tables = (300, 30) if seed == 0 else (40, 5)
    files = {f"db/migrations/{number:05d}.sql": migration(chance, tables) for number in range(count)}
    edges = DataEdges(files, symbol_id, [])
    for turn in range(15 if seed == 0 else 30):
        path = sorted(files)[chance.choice((-1, -1, -2, -3, chance.randrange(-count // 2, 0)))]
        match chance.randrange(8):
            case 0:
                del files[path]
            case 1:
                files[f"db/migrations/{chance.randrange(2 * count):05d}_more.sql"] = migration(chance, tables)
            case 2 if turn > 10:
                files["src/report.sql"] = migration(chance, tables)
            case _:
                files[path] = migration(chance, tables)
        edges = DataEdges(files, symbol_id, [], edges)
        found, wanted = edges_of(edges, files), data_edges(files, symbol_id)
        assert found == wanted
        assert {path: edges.digest(path, made) for path, made in found.items()} == {p: digest_of(e) for p, e in wanted.items()}
    assert any(each is not None for each in followed)


def test_a_change_of_the_last_migration_makes_the_edges_of_few_files_again() -> None:
    def create(number: int) -> DataFacts:
        owner = f"REFERENCES t{number - 1} (id)" if number else ""
        data = extract_facts(f"CREATE TABLE t{number} (id int PRIMARY KEY, owner int {owner});".encode(), "sql").data
        assert data is not None
        return data

    files = {f"migrations/{number:03d}.sql": create(number) for number in range(50)}
    before = DataEdges(files, symbol_id, [])
    old = edges_of(before, files)
    added = extract_facts(b"CREATE TABLE t49 (id int PRIMARY KEY);\nALTER TABLE t7 ADD COLUMN late int;", "sql").data
    assert added is not None
    for _ in range(2):  # the first change marks the state before the last migration
        files["migrations/049.sql"] = added
        before = DataEdges(files, symbol_id, [], before)
        found = edges_of(before, files)
        files["migrations/049.sql"] = create(49)
        before = DataEdges(files, symbol_id, [], before)
    new = edges_of(before, files)
    assert new == old
    assert {path for path in files if found[path] is not new[path]} == {"migrations/007.sql", "migrations/049.sql"}


def test_a_table_like_itself_is_read() -> None:
    text = (
        b"CREATE TABLE a (b int PRIMARY KEY);\nCREATE TABLE a (LIKE a INCLUDING ALL);\nALTER TABLE a ATTACH PARTITION a DEFAULT;"
    )
    data = extract_facts(text, "sql").data
    assert data is not None
    (column,) = data_edges({"a.sql": data}, symbol_id)["a.sql"].columns
    assert column.name == "b"
