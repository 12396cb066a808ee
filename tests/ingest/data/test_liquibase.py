"""Changelogs of Liquibase: the tables that result from them in XML, YAML and JSON, and what their statements use."""

from __future__ import annotations

import pytest
from astrolabe.ingest.languages.extraction import extract_facts
from linear_time import is_linear, processor_seconds

from .mapped_models import columns, edges_of, foreign_keys, keys, migrations

RESOURCES = "src/main/resources/"
MASTER = """<?xml version="1.0" encoding="UTF-8"?>
<databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog">
  <property name="text" value="clob" dbms="oracle"/>
  <property name="text" value="text" dbms="postgresql"/>
  <property name="prefix" value="lib_"/>
  <include file="db/changes/001.xml"/>
  <include file="changes/002.yaml" relativeToChangelogFile="true"/>
  <includeAll path="classpath:db/later"/>
</databaseChangeLog>
"""
FIRST = """<databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog">
  <!-- readers first -->
  <changeSet id="1" author="ann">
    <preConditions onFail="MARK_RAN"><not><tableExists tableName="readers"/></not></preConditions>
    <createTable tableName="readers" remarks="Who borrows">
      <column name="id" type="bigint" autoIncrement="true">
        <constraints primaryKey="true" nullable="false"/>
      </column>
      <column name="card" type="varchar(12)" defaultValue="none"/>
      <column name="town" type="${text}"><constraints nullable="false"/></column>
      <column name="age" type="int" defaultValueNumeric="7"/>
    </createTable>
    <createTable tableName="loans" schemaName="${schema}">
      <column name="reader_id" type="bigint">
        <constraints primaryKey="true" foreignKeyName="loan_reader" references="readers(id)" deleteCascade="true"/>
      </column>
      <column name="day" type="date"><constraints primaryKey="true"/></column>
    </createTable>
    <createTable tableName="${unknown}books"><column name="id" type="int"/></createTable>
    <rollback><dropTable tableName="readers"/></rollback>
  </changeSet>
  <changeSet id="2" author="ann" dbms="oracle"><dropColumn tableName="readers" columnName="age"/></changeSet>
  <changeSet id="3" author="ann" dbms="postgresql">
    <addColumn tableName="readers"><column name="mail" type="varchar(80)"><constraints unique="true"/></column></addColumn>
  </changeSet>
  <changeSet id="4" author="ann"><insert tableName="readers"><column name="card" value="a"/></insert>
    <insert tableName="readers"><column name="card" value="b"/></insert></changeSet>
</databaseChangeLog>
"""
SECOND = """databaseChangeLog:
- changeSet:
    id: 5
    author: bob
    changes:
    - createTable:
        tableName: shelves
        columns:
        - column: {name: id, type: int, constraints: {primaryKey: true, primaryKeyName: shelf_key}}
        - column:
            name: label
            type: varchar(9)
    - renameColumn: {tableName: readers, oldColumnName: town, newColumnName: city}
    - addForeignKeyConstraint:
        baseTableName: loans
        baseColumnNames: reader_id
        constraintName: again
        referencedTableName: readers
        referencedColumnNames: id
        onDelete: SET NULL
    - dropForeignKeyConstraint: {baseTableName: loans, constraintName: loan_reader}
    - createIndex:
        indexName: by_card
        tableName: readers
        unique: true
        columns:
        - column: {name: card}
    - addNotNullConstraint: {tableName: readers, columnName: card}
    - modifyDataType: {tableName: readers, columnName: card, newDataType: varchar(20)}
    - sql: {sql: "UPDATE readers SET age = 1 WHERE city IS NULL; ALTER TABLE readers DROP COLUMN age"}
    - sqlFile: {path: db/sql/views.sql}
    rollback:
    - dropTable: {tableName: shelves}
"""
THIRD = """{"databaseChangeLog": [
  {"changeSet": {"id": "6", "author": "eve", "changes": [
    {"renameTable": {"oldTableName": "shelves", "newTableName": "racks"}},
    {"createView": {"viewName": "late", "selectQuery": "SELECT day FROM loans"}}
  ]}}
]}
"""
FILES = {
    f"{RESOURCES}db/master.xml": MASTER,
    f"{RESOURCES}db/changes/001.xml": FIRST,
    f"{RESOURCES}db/changes/002.yaml": SECOND,
    f"{RESOURCES}db/later/003.json": THIRD,
    f"{RESOURCES}db/sql/views.sql": "CREATE TABLE stamps (day date);\n",
}


def test_the_changelogs_of_a_master_make_one_database_in_their_order() -> None:
    schema = migrations(FILES, "liquibase")
    assert schema.files.folder == f"{RESOURCES}db"
    tables = {table.name: table for table in schema.database.tables.values()}
    assert sorted(tables) == ["late", "loans", "racks", "readers", "stamps"]
    assert columns(tables["readers"]) == {
        "id": ("bigint", False),
        "card": ("varchar(20)", False),
        "city": ("text", False),
        "mail": ("varchar(80)", True),
    }
    assert (tables["readers"].comment, tables["readers"].columns["card"].default) == ("Who borrows", "'none'")
    assert keys(tables["readers"]) == [
        ("by_card", "index"),
        ("readers_mail_key", "unique"),
        ("readers_pkey", "primary key"),
    ]
    assert foreign_keys(tables["loans"]) == {"reader_id": ("readers", "id", "SET NULL")}
    assert keys(tables["loans"]) == [("again", "foreign key"), ("loans_pkey", "primary key")]
    assert keys(tables["racks"]) == [("shelf_key", "primary key")]


def test_edges_lead_from_changes_to_tables_and_files_know_which_changes_revert_others() -> None:
    edges = edges_of(FILES, lambda path, name: f"{path.rpartition('/')[2]} {name}")
    assert {(use.from_id, use.to_id, use.statement) for use in edges.data_uses if use.modifies} == {
        ("001.xml insert readers", "001.xml readers", "insert"),
        ("001.xml insert readers", "001.xml card", "insert"),
        ("002.yaml sql", "001.xml readers", "update"),
    }
    events = {(each.from_id, each.kind) for each in edges.schema_events}
    assert {("001.xml readers", "created"), ("001.xml town", "renamed"), ("001.xml age", "dropped")} <= events
    facts = extract_facts(FIRST.encode(), "liquibase")
    assert [symbol.name for symbol in facts.symbols if "down" in symbol.modifiers] == ["dropTable readers"]


@pytest.mark.parametrize("text", [FIRST, SECOND, THIRD, "", "<databaseChangeLog>", "databaseChangeLog:\n- changeSet: 5"])
def test_each_line_belongs_to_a_symbol_and_odd_changelogs_are_read(text: str) -> None:
    for cut in range(0, len(text) + 1, 97):
        facts = extract_facts(text[: len(text) - cut].encode(), "liquibase")
        assert not any("failed" in problem.reason for problem in facts.problems)
        roots = [symbol for symbol in facts.symbols if symbol.depth == 0]
        lines = [line for symbol in roots for line in range(symbol.start_line, symbol.end_line + 1)]
        assert len(lines) == len(set(lines))
        for number, line in enumerate(text[: len(text) - cut].split("\n"), 1):
            assert not line.strip() or number in lines


def test_changelogs_that_nothing_includes_are_one_database_by_folder() -> None:
    files = {path: text for path, text in FILES.items() if path.endswith(("001.xml", "002.yaml"))}
    assert len(migrations(files, "liquibase").database.tables) == 3


def test_a_large_changelog_takes_linear_time() -> None:
    change = '<changeSet id="1"><addColumn tableName="a"><column name="b" type="int"/></addColumn></changeSet>'

    def seconds(count: int) -> float:
        return processor_seconds(lambda: extract_facts(f"<databaseChangeLog>{change * count}".encode(), "liquibase"))

    assert is_linear(seconds, 50, times=4)
