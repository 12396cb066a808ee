"""Statements and scripts that only one dialect of SQL has."""

from __future__ import annotations

import pytest
from astrolabe.ingest.data.sql.client_commands import without_commands
from astrolabe.ingest.languages.extraction import extract_facts
from linear_time import is_linear, processor_seconds


def created(text: str) -> list[str]:
    """Return the kinds and names of what a text creates, in its order."""
    data = extract_facts(text.encode(), "sql").data
    return [f"{each.kind} {each.name.name}" for each in data.changes if each.action == "create"] if data else []


def uses(text: str) -> list[str]:
    """Return what the statements of a text use: the line, the statement, and tables, with `!` for changed ones."""
    data = extract_facts(text.encode(), "sql").data
    found = []
    for query in data.queries if data else ():
        names = {f"{use.name.name}!" for use in query.uses if use.modifies}
        names |= {use.name.name for use in query.uses if f"{use.name.name}!" not in names}
        found.append(f"{query.line} {query.statement} {' '.join(sorted(names))}")
    return found


SQLPLUS = """-- Boats of the harbour
SET DEFINE ON
DEFINE owner = harbour
PROMPT Don't stop; the boats come
CREATE TABLE &owner..boats (
  id NUMBER(10),
  name VARCHAR2(40 CHAR) NOT NULL
)
/
WHENEVER SQLERROR EXIT -
  ROLLBACK
/* PROMPT
   no command */
CREATE OR REPLACE PROCEDURE add_boat(p IN VARCHAR2) AS
BEGIN
  INSERT INTO boats (name) VALUES (p);
END;
/
SHOW ERRORS
@@piers.sql
ALTER TABLE boats ADD (berth NUMBER);
EXIT
"""


def test_commands_of_sql_plus_end_with_their_line() -> None:
    assert created(SQLPLUS) == ["table boats", "column id", "column name", "procedure add_boat", "column berth"]
    assert uses(SQLPLUS) == ["16 insert boats!"]
    assert not extract_facts(SQLPLUS.encode(), "sql").problems


def test_texts_without_commands_of_sql_plus_stay() -> None:
    text = "SET search_path = app;\nSET AUTOCOMMIT = 0;\nUPDATE a SET b = 1;\n-- @up\nSELECT @x, 'a\nPROMPT b' FROM a\n"
    assert without_commands(text) == text
    assert len(without_commands(SQLPLUS)) == len(SQLPLUS)


@pytest.mark.parametrize("piece", ["PROMPT a\n", "/\n", "@a -\n", "&a..", "   \n", "SET ECHO", "/*\n", "DEFINE a   "])
def test_finding_commands_is_linear(piece: str) -> None:
    assert is_linear(lambda count: processor_seconds(lambda: without_commands("PROMPT a\n" + piece * count)), 8_000)


def test_scripts_of_bigquery() -> None:
    script = """DECLARE day DATE DEFAULT (SELECT MAX(day) FROM harbour.stays);
CREATE TABLE `sea.harbour.boats` (id INT64 NOT NULL, berth STRING) PARTITION BY day;
BEGIN
  INSERT INTO `sea.harbour.boats` (id) VALUES (1);
EXCEPTION WHEN ERROR THEN
  DELETE FROM harbour.stays WHERE TRUE;
END;
IF EXISTS (SELECT 1 FROM harbour.stays) THEN
  UPDATE harbour.boats SET berth = 'A' WHERE TRUE;
END IF;
"""
    data = extract_facts(script.encode(), "sql").data
    assert data is not None
    assert (data.changes[0].name.schema, data.changes[0].name.name) == ("harbour", "boats")
    assert uses(script) == [
        "1 select stays",
        "4 insert boats!",
        "6 delete stays!",
        "8 select stays",
        "9 update boats!",
    ]


def test_events_of_mysql_and_tasks_of_snowflake_use_tables() -> None:
    events = """DELIMITER //
CREATE EVENT purge ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM stays WHERE day < 3; UPDATE boats SET free = 1; END//
DELIMITER ;
CREATE EVENT tidy ON SCHEDULE EVERY 1 HOUR DO UPDATE piers SET boats = 0;
"""
    assert created(events) == ["procedure purge", "procedure tidy"]
    assert [each.partition(" ")[2] for each in uses(events)] == ["delete stays!", "update boats!", "update piers!"]
    task = "CREATE OR REPLACE TASK fill WAREHOUSE = w SCHEDULE = '5 minute' AS\n  INSERT INTO piers SELECT id FROM boats;\n"
    assert (created(task), uses(task)) == (["procedure fill"], ["2 insert boats piers!"])


def test_queries_of_duckdb_that_begin_with_from_and_macros() -> None:
    text = "FROM boats SELECT id WHERE id > 3;\nFROM stays;\nCREATE MACRO big() AS TABLE SELECT id FROM boats;\n"
    assert (created(text), uses(text)) == (["procedure big"], ["1 select boats", "2 select stays", "3 select boats"])


def test_pivots_of_duckdb_read_a_table() -> None:
    text = """PIVOT stays ON pier USING sum(nights) GROUP BY boat;
CREATE VIEW wide AS PIVOT (SELECT id, pier FROM boats) ON pier USING count(id);
SELECT * FROM stays PIVOT (sum(nights) FOR pier IN ('north', 'south'));
"""
    assert (created(text), uses(text)) == (["view wide"], ["1 select stays", "2 select boats", "3 select stays"])


def test_policies_and_event_triggers_of_postgresql() -> None:
    text = """CREATE POLICY own ON boats FOR SELECT TO crew USING (id IN (SELECT boat FROM owners));
CREATE EVENT TRIGGER watch ON ddl_command_end EXECUTE FUNCTION tell();
"""
    assert (created(text), uses(text)) == (["trigger watch"], ["1 select owners"])


def test_statements_that_load_files_change_a_table() -> None:
    text = """COPY INTO harbour.boats FROM @stage/boats FILE_FORMAT = (TYPE = CSV);
COPY INTO @stage/boats FROM boats;
COPY INTO 's3://boats' FROM boats;
LOAD DATA LOCAL INFILE 'stays.csv' INTO TABLE stays FIELDS TERMINATED BY ',';
COPY piers FROM 'piers.csv';
COPY piers (name, depth) FROM 'more.csv' WITH (FORMAT csv);
COPY piers FROM stdin;
1\tNorth
\\.
COPY (SELECT id FROM boats) TO 'boats.parquet' (FORMAT parquet);
COPY stays TO STDOUT;
"""
    assert uses(text) == [
        "1 insert boats!",
        "4 insert stays!",
        "5 insert piers!",
        "6 insert piers!",
        "10 select boats",
        "11 select stays",
    ]


def test_rules_of_postgresql_run_statements() -> None:
    text = """CREATE RULE add_boat AS ON INSERT TO afloat DO INSTEAD INSERT INTO boats (id) VALUES (NEW.id);
CREATE OR REPLACE RULE end_stay AS ON DELETE TO afloat WHERE OLD.id > 3 DO ALSO (
    UPDATE boats SET ashore = now() WHERE id = OLD.id;
    DELETE FROM stays WHERE boat = OLD.id
);
CREATE RULE keep AS ON DELETE TO piers DO INSTEAD NOTHING;
"""
    assert uses(text) == ["1 insert boats!", "3 update boats!", "4 delete stays!"]


def test_deletes_of_table_variables_cost_no_other_statement() -> None:
    deleted = "DELETE b FROM boats AS b JOIN piers AS p ON p.id = b.pier_id;"
    text = f"DECLARE @Files TABLE (id int);\nDELETE @Files;\n{deleted}\nSELECT id FROM crews;\n"
    assert uses(text)[-2:] == ["3 delete boats! piers", "4 select crews"]
