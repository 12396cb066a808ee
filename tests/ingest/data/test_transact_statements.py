"""Statements of Transact-SQL, which need no semicolons between them."""

from __future__ import annotations

import pytest
from astrolabe.ingest.data.sql.transact_statements import transact_statements
from astrolabe.ingest.languages.extraction import extract_facts
from linear_time import is_linear, processor_seconds


@pytest.mark.parametrize(
    ("batch", "expected"),
    [
        ("SELECT a FROM t DELETE FROM u", ["SELECT a FROM t", "DELETE FROM u"]),
        ("SELECT a FROM t UNION ALL SELECT b FROM u PRINT 'x'", ["SELECT a FROM t UNION ALL SELECT b FROM u"]),
        ("INSERT INTO t (a) SELECT b FROM u SELECT 1", ["INSERT INTO t (a) SELECT b FROM u", "SELECT 1"]),
        ("INSERT INTO t (a) EXEC fill UPDATE u SET a = 1", ["INSERT INTO t (a) VALUES (NULL)", "UPDATE u SET a = 1"]),
        ("UPDATE t SET a += 1 SET @n = 2", ["UPDATE t SET a  = 1"]),
        ("WITH x AS (SELECT a FROM t) UPDATE x SET a = 1 IF @n = 1 RETURN", ["WITH x AS (SELECT a FROM t) UPDATE x SET a = 1"]),
        ("SELECT CASE WHEN a = 1 THEN 2 END FROM t END TRY", ["SELECT CASE WHEN a = 1 THEN 2 END FROM t"]),
        ("SELECT a FROM t ORDER BY a OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY FETCH NEXT FROM c INTO @a",
         ["SELECT a FROM t ORDER BY a OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY"]),
        ("MERGE t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET a = 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (1)",
         ["MERGE t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET a = 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (1)"]),
        ("GRANT SELECT, INSERT ON t TO r UPDATE STATISTICS t", []),
        ("ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u ON DELETE CASCADE ON UPDATE NO ACTION", []),
        ("SET NOCOUNT ON SELECT a FROM t WITH (NOLOCK) OPTION (MAXDOP 1) DECLARE @x int", ["SELECT a FROM t"]),
    ],
)  # fmt: skip
def test_statements_end_where_the_next_begins(batch: str, expected: list[str]) -> None:
    assert [text.rstrip() for _, text in transact_statements(batch)] == expected


def test_procedures_and_batches_use_tables_on_their_lines() -> None:
    text = """CREATE TABLE [dbo].[boats] (id int, name nvarchar(20));
GO
CREATE PROCEDURE moor @id int AS
BEGIN
    SET NOCOUNT ON
    IF EXISTS (SELECT 1 FROM berths WHERE id = @id) BEGIN
        UPDATE boats SET name = 'x'
        WHERE id = @id
        DELETE FROM log
    END
END
GO
DECLARE @n int
SELECT @n = COUNT(*) FROM boats
"""
    data = extract_facts(text.encode(), "sql").data
    assert data is not None
    found = [
        (query.line, query.statement, [use.name.name for use in query.uses if not use.of_condition]) for query in data.queries
    ]
    assert (7, "update", ["boats"]) in found
    assert (9, "delete", ["log"]) in found
    assert (14, "select", ["boats"]) in found


@pytest.mark.parametrize("part", ["SELECT ", "WITH a AS ( ", "CASE ", "OPTION (", "a += ", "INSERT t EXEC "])
def test_hostile_batches_take_linear_time(part: str) -> None:
    def read(count: int) -> None:
        assert all(text for _, text in transact_statements(part * count))

    assert is_linear(lambda count: processor_seconds(lambda: read(count)), 30_000 // len(part), times=4)
