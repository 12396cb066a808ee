"""Statements that the guard must refuse, and statements that it must admit and the engine must run."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.guard.statement_guard import MAX_CASE_DEPTH, MAX_DEPTH, MAX_LENGTH, check_read_only
from astrolabe.schema.errors import QueryRejected

HOSTILE = {
    "writing": [
        "CREATE (:File {relativePath: 'x'})",
        "create (:File {relativePath: 'x'})",
        "MATCH (s:Symbol) CREATE (s)-[:OVERRIDES]->(s)",
        "MERGE (:Package {name: 'x'})",
        "MATCH (s:Symbol) MERGE (s)-[:OVERRIDES]->(s) RETURN s",
        "MATCH (s:Symbol) SET s.name = 'x'",
        "MATCH (s:Symbol) SET s.name = 'x' RETURN s",
        "MATCH (s:Symbol) sEt s.name = 'x'",
        "MATCH (s:Symbol) DELETE s",
        "MATCH (s:Symbol) DETACH DELETE s",
        "MATCH (s:Symbol) WITH s DELETE s",
        "MATCH (s:Symbol) WITH s ORDER BY s.name DESC DELETE s",
        "MATCH (s:Symbol) WHERE s.doc IS NULL DELETE s",
        "MATCH (s:Symbol) RETURN s UNION CREATE (:Package {name: 'x'})",
        "UNWIND ['a'] AS n CREATE (:Package {name: n})",
        "MATCH (s:Symbol) REMOVE s.name",
        "MATCH (s:Symbol) FOREACH (x IN [1] | SET s.name = 'x')",
        # A keyword as a variable's name, so that what follows looks like a name too.
        "MATCH (match:Symbol) WITH match SET match.name = 'x'",
        "MATCH (limit:Symbol) WITH limit SET limit.name = 'x'",
        "MATCH (`where`:Symbol) WITH `where` SET `where`.name = 'x'",
        "MATCH (match:Symbol) WITH match FROBNICATE match",
        "MATCH (s:Symbol) WITH *\nSET s.name = 'x'",
        "MATCH (s:Symbol) WITH s.name AS set SET s.name = 'x'",
    ],
    "schema": [
        "CREATE NODE TABLE T(id STRING, PRIMARY KEY(id))",
        "CREATE REL TABLE T(FROM File TO File)",
        "CREATE SEQUENCE seq",
        "CREATE MACRO f(x) AS x + 1",
        "CREATE TYPE t AS INT64",
        "DROP TABLE Symbol",
        "DROP TABLE IF EXISTS Symbol",
        "ALTER TABLE Symbol ADD x STRING",
        "ALTER TABLE Symbol RENAME TO S",
        "COMMENT ON TABLE Symbol IS 'x'",
    ],
    "files": [
        "LOAD FROM '/etc/passwd' RETURN *",
        "LOAD WITH HEADERS (x STRING) FROM '/etc/passwd' RETURN *",
        "load from '/etc/passwd' (file_format='csv') return *",
        "MATCH (s:Symbol) LOAD FROM '/etc/passwd' RETURN *",
        "MATCH (s:Symbol) WITH s LOAD FROM '/etc/passwd' RETURN *",
        "UNWIND [1] AS x LOAD FROM '/etc/passwd' RETURN *",
        "MATCH (s:Symbol) RETURN s.name UNION LOAD FROM '/etc/passwd' RETURN *",
        "WITH * LOAD FROM '/etc/passwd' RETURN *",
        "COPY Symbol FROM 'x.csv'",
        "COPY Symbol TO 'x.csv'",
        "COPY (MATCH (s:Symbol) RETURN s.name) TO '/tmp/x.csv'",
        "copy (match (s:Symbol) return s.name) to '/tmp/x.parquet'",
        "EXPORT DATABASE '/tmp/x'",
        "IMPORT DATABASE '/tmp/x'",
        "ATTACH '/tmp/x.kuzu' AS x (dbtype kuzu)",
        "DETACH x",
        "USE x",
        "CALL read_csv_serial('/etc/passwd') RETURN *",
        "CALL READ_PARQUET('/etc/passwd') RETURN *",
        "CALL json_scan('/etc/passwd') RETURN *",
        "CALL `read_npy`('/etc/passwd') RETURN *",
    ],
    "extensions and settings": [
        "INSTALL httpfs",
        "LOAD EXTENSION httpfs",
        "LOAD httpfs",
        "UNINSTALL httpfs",
        "UPDATE httpfs",
        "FORCE INSTALL httpfs",
        "CALL threads=1",
        "CALL timeout=0",
        "CALL var_length_extend_max_depth=1000",
        "CALL home_directory='/tmp' RETURN 1",
        "CALL `threads`=1",
        "CALL current_setting('home_directory') RETURN *",
        "CALL show_functions() RETURN *",
        "CALL PROJECT_GRAPH('g', ['Symbol'], ['CALLS'])",
        "CALL create_fts_index('Symbol', 'i', ['name'])",
        "CALL drop_vector_index('Symbol', 'i')",
        "CALL clear_warnings()",
        "CALL bm_info() RETURN *",
        "CALL",
        "CALL show_tables",
        "BEGIN TRANSACTION",
        "BEGIN TRANSACTION READ ONLY",
        "COMMIT",
        "ROLLBACK",
        "CHECKPOINT",
        "EXPLAIN MATCH (n) DELETE n",
        "EXPLAIN EXPLAIN RETURN 1",
        "EXPLAIN PROFILE RETURN 1",
        "EXPLAIN LOGICAL MATCH (n) RETURN n",
        "EXPLAIN CHECKPOINT",
        "PROFILE COPY Symbol TO 'x.csv'",
        "PROFILE",
        "MATCH (n) PROFILE RETURN n",
        "RETURN 1; EXPLAIN RETURN 1",
        "CREATE USER x WITH PASSWORD 'y'",
        "CREATE ROLE x",
        "GRANT ALL TO x",
        "FROBNICATE x",
        "MATCH (s:Symbol) FROBNICATE s RETURN s",
        "RETURN 1 FROBNICATE",
        "MATCH (s:Symbol) RETURN s UNION FROBNICATE",
    ],
    "several statements": [
        "MATCH (n) RETURN n; DROP TABLE Symbol",
        "MATCH (n) RETURN n;\nMATCH (n) RETURN n",
        "RETURN 1;;",
        ";",
        "; RETURN 1",
        "RETURN ';' ; CHECKPOINT",
        "MATCH (n) RETURN n /* x */ ; /* y */ CREATE (:Package {name: 'x'})",
    ],
    "text that is really code": [
        "MATCH (n) RETURN '\\' SET n.name = 'x",
        "MATCH (n) RETURN 'a\\' // ' SET n.name = 'x'",
        "MATCH (n) RETURN '\\z' SET n.name = 'x'",
        "/***/ MATCH (n) RETURN n /* */",
        "/* **/ DROP TABLE Symbol // */ RETURN 1",
        "MATCH (n) RETURN n // x\rDELETE n",
        "MATCH (n) /* a */ DETACH /* b */ DELETE n",
        "MATCH (n) RETURN n // x\nDELETE n",
        "/* RETURN 1 */ CHECKPOINT",
        "MATCH (n) RETURN n /* unfinished",
        "MATCH (n) RETURN 'unfinished",
        'MATCH (n) RETURN "unfinished',
        "MATCH (`n) RETURN n",
        "MATCH (n) RETURN n\x00 DELETE n",
        "MATCH (n) RETURN n\u200bDELETE n",
        "MATCH (n) \u017fET n.name = 'x'",
        "\u212aERGE (n)",
    ],
    "functions": [
        "RETURN nextval('seq')",
        "RETURN NEXTVAL ('seq')",
        "RETURN `nextval`('seq')",
        "RETURN currval/* */('seq')",
        "RETURN gen_random_uuid()",
        "RETURN error('x')",
        "RETURN current_setting('x')",
        "RETURN size(range(1, 100000000000))",
        "UNWIND RANGE(1, 100000000000) AS x RETURN count(*)",
        "RETURN repeat('x', 1000000000)",
        "RETURN lpad('x', 1000000000, 'y')",
        "RETURN copy_csv('x')",
        "MATCH (s:Symbol) WHERE load_it(s.name) RETURN s",
        "RETURN s.load('x')",
    ],
    "what crashes the engine": [
        "WITH 1 AS x WHERE x > 0 RETURN x",
        "MATCH (s:Symbol) RETURN s.name UNION WITH 'a' AS x WHERE x > 'b' RETURN x",
        "MATCH (:Symbol)-[r:CALLS]->(:Symbol) WHERE any(x IN r.lines WHERE x > 10) RETURN count(*)",
        "MATCH (s:Symbol) WHERE ALL (x IN s.modifiers WHERE x <> 'a') RETURN s",
        "RETURN none(x IN [1] WHERE x > 1)",
        "RETURN `single`(x IN [1] WHERE x > 1)",
        "RETURN nodes(null)",
        "RETURN list_contains(NULL, 'a')",
        "RETURN coalesce(1, null)",
        "MATCH (s:Symbol) RETURN string_split('a', s.depth)",
        "MATCH (s:Symbol) RETURN regexp_full_match(s.depth, 'a')",
    ],
    "shape": [
        "",
        "   ",
        "// nothing",
        "MATCH",
        "MATCH (n",
        "MATCH (n)) RETURN n",
        "MATCH (n] RETURN n",
        "OPTIONAL",
        "OPTIONAL RETURN 1",
        "OPTIONAL (n) RETURN n",
        "RETURN 1 2",
        "RETURN 'a' 'b'",
        "RETURN 1 AS",
        "MATCH (n) RETURN n ORDER n.name",
        "MATCH (n) WHERE n.name STARTS 'x' RETURN n",
        "RETURN 1 UNION",
        "RETURN 1 UNION ALL",
        "(n) RETURN n",
        "'RETURN 1'",
        "$statement",
        "`RETURN` 1",
        "RETURN " + "(" * (MAX_DEPTH + 1) + "1" + ")" * (MAX_DEPTH + 1),
        "RETURN " + "CASE WHEN true THEN " * (MAX_CASE_DEPTH + 1) + "1" + " END" * (MAX_CASE_DEPTH + 1),
        "RETURN '" + "x" * MAX_LENGTH + "'",
        "MATCH ()-[r:REFERENCES]->() RETURN sum(CASE WHEN r.role IN ['import', 'export'] THEN 0 ELSE r.count END)",
        "MATCH ()-[r:REFERENCES]->() RETURN CASE WHEN list_contains(['import'], r.role) THEN 0 ELSE 1 END",
        "MATCH (s:Symbol) RETURN CASE WHEN s.exported THEN 'public' END",
        "MATCH (s:Symbol) RETURN CASE WHEN s.depth > 1 THEN 1 WHEN (s.`exported`) THEN 2 END",
        "MATCH (s:Symbol) WITH s.exported AND true AS public RETURN CASE WHEN public THEN 1 END",
        "MATCH (s:Symbol) RETURN CASE s.kind WHEN CASE WHEN s.exported THEN 'a' END THEN 1 END",
    ],
}

LEGITIMATE = [
    "MATCH (n) RETURN count(*)",
    "MATCH (s:Symbol) RETURN s",
    "MATCH (s:Symbol {kind: 'class'}) RETURN s.*",
    "match (s:Symbol) return s.name as name order by name skip 1 limit 2;",
    "MATCH (s:Symbol)-[r:CALLS]->(t:Symbol) RETURN s.name, r.lines, t.name",
    "MATCH (s:Symbol)<-[r:CALLS|:REFERENCES]-(t) RETURN DISTINCT label(r), t.name",
    "MATCH (s)-->(t) RETURN count(*)",
    "MATCH (s:Symbol)--(t:Symbol) RETURN count(DISTINCT t.id) AS neighbours",
    "MATCH (a:Symbol)-[r:CALLS*1..3]->(b:Symbol) RETURN a.name, length(r), b.name",
    "MATCH (a:Symbol)-[r:CALLS*..2]->(b:Symbol) RETURN count(*)",
    "MATCH (a:Symbol)-[r:CALLS* SHORTEST 1..5]->(b:Symbol) RETURN nodes(r), rels(r)",
    "MATCH (a:Symbol)-[r:CALLS* ALL SHORTEST 1..5]->(b:Symbol) RETURN count(*)",
    "MATCH (a:Symbol)-[r:CALLS* TRAIL 1..3]->(b:Symbol) RETURN count(*)",
    "MATCH (a:Symbol)-[r:CALLS*1..3 (e, n | WHERE e.count > 1 | {e.count}, {n.name})]->(b:Symbol) RETURN count(*)",
    "MATCH p = (a:Symbol)-[:CALLS]->(b:Symbol) RETURN p, is_acyclic(p)",
    "MATCH (a:Symbol)-[r:CALLS|CONTAINS]->(b:Symbol) RETURN count(*)",
    "MATCH (f:File)-[:CONTAINS]->(s:Symbol), (f)-[:IMPORTS]->(g:File) RETURN f.relativePath, s.name, g.relativePath",
    "MATCH (s:Symbol) OPTIONAL MATCH (s)<-[c:CALLS]-(t:Symbol) RETURN s.name, count(t) AS callers ORDER BY callers DESC, s.name",
    "OPTIONAL MATCH (s:Symbol) WHERE s.id = 'none' RETURN s",
    "MATCH (s:Symbol) WHERE s.name CONTAINS 'Token' AND NOT s.exported OR s.doc <> '' RETURN s.name",
    "MATCH (s:Symbol) WHERE s.name STARTS WITH 'v' AND s.name ENDS WITH \"n\" XOR s.depth >= 2 RETURN s.name",
    "MATCH (s:Symbol) WHERE s.name =~ '.*[Tt]oken' RETURN s.name",
    "MATCH (s:Symbol) WHERE s.kind IN ['class', 'interface'] AND s.parent IS NULL RETURN s.name".replace("s.parent", "s.doc"),
    "MATCH (s:Symbol) WHERE s.doc IS NOT NULL RETURN lower(s.name), UPPER(s.name), size(s.modifiers)",
    "MATCH (s:Symbol) WHERE (s.endLine - s.startLine + 1) * 2 > 10 RETURN s.name, -s.depth, s.depth % 2, 2 ^ 3, 7 / 2.5e0",
    "MATCH (s:Symbol) RETURN CASE s.kind WHEN 'class' THEN 1 WHEN 'method' THEN 2 ELSE 3 END AS rank, count(*)",
    "MATCH (s:Symbol) RETURN CASE WHEN s.exported = true THEN 'public' END",
    "MATCH (s:Symbol) RETURN CASE WHEN true THEN 1 WHEN s.exported AND true THEN 2 END",
    "MATCH (s:Symbol) RETURN CASE true WHEN s.exported THEN 1 WHEN s.isChunk THEN 2 END",
    "MATCH (s:Symbol) RETURN CASE WHEN NOT s.kind IN ['class', 'enum'] THEN 1 ELSE 0 END",
    "MATCH (s:Symbol) RETURN CASE WHEN s.depth IN [1] AND true THEN 1 END",
    "MATCH (s:Symbol) WHERE EXISTS { MATCH (s)-[:CALLS]->(:Symbol) } RETURN s.name",
    "MATCH (s:Symbol) WHERE EXISTS { MATCH (s)-[r:CALLS]->(t:Symbol) WHERE r.count > 1 } RETURN s.name",
    "MATCH (s:Symbol) RETURN s.name, COUNT { MATCH (s)<-[:CALLS]-(:Symbol) } AS callers",
    "MATCH (s:Symbol) WITH s.relativePath AS file, count(*) AS symbols WHERE symbols > 3 RETURN file, symbols",
    "MATCH (s:Symbol) WITH collect(s.name) AS names UNWIND names AS name RETURN DISTINCT name",
    "MATCH (a:Symbol)-[r:CALLS]->(b) UNWIND r.lines AS line RETURN a.relativePath, line",
    "UNWIND [1, 2, 3] AS x RETURN sum(x), avg(x), min(x), max(x)",
    "WITH [1, 2, 3] AS l RETURN l[1], l[1:2], l[2:], list_filter(l, x -> x > 1), list_reduce(l, (x, y) -> x + y)",
    "MATCH (:Symbol)-[r:CALLS]->(:Symbol) WHERE size(list_filter(r.lines, x -> x > 10)) > 0 RETURN list_sort(r.lines)",
    "UNWIND [[3, 1], [2]] AS l WITH l WHERE size(l) > 1 RETURN list_transform(l, x -> x + 1), list_contains(l, 3)",
    "RETURN {name: 'x', line: 3} AS place, ['a', 'b'], true, FALSE",
    "MATCH (s:Symbol) RETURN CASE WHEN s.doc = '' THEN NULL ELSE s.doc END AS doc",
    "MATCH (s:Symbol) RETURN coalesce(s.doc, ''), cast('3' AS INT64), typeof(1), round(1.5, 0), substring('abc', 1, 2)",
    "MATCH p = (:Symbol)-[:CALLS*1..2]->(:Symbol) RETURN properties(nodes(p), 'name'), list_transform(rels(p), r -> r.form)",
    "RETURN 'it''s'".replace("''", "\\'")
    + ', "say \\"x\\"", \'\\u0041; DROP TABLE Symbol\', \'// no comment\', "/* nor this */"',
    "MATCH (a:Symbol) RETURN a.name UNION MATCH (f:File) RETURN f.relativePath",
    "MATCH (a:Symbol) RETURN a.name AS n UNION ALL MATCH (f:File) RETURN f.relativePath AS n",
    "// callers\nMATCH (n:File) /* delete; nothing */ RETURN n.relativePath // set x",
    "/** twice starred */ RETURN 1",
    "MATCH (`set`:Symbol)-[`delete`:CALLS]->(`my node`) RETURN `set`.name AS `drop`, `delete`.count",
    "MATCH (limit:Symbol)-[`order`:CALLS]->(match:Symbol) RETURN limit.name LIMIT 1",
    "MATCH (from:Symbol)-[type:CALLS]->(to:Symbol) RETURN from.name, type.form, to.name AS key",
    "MATCH (größe:Symbol) RETURN größe.name AS 名前",
    "CALL show_tables() RETURN *",
    "CALL table_info('Symbol') RETURN name, type",
    "CALL show_connection('CALLS') RETURN *",
    "CALL db_version() RETURN *",
    "EXPLAIN MATCH (s:Symbol)-[:CALLS]->(t:Symbol) RETURN s.name, t.name",
    "profile MATCH (s:Symbol) WHERE s.kind = 'class' RETURN count(*);",
    "EXPLAIN /* the plan */ UNWIND [1, 2] AS x RETURN x",
    "CALL show_tables() WHERE type = 'NODE' RETURN name ORDER BY name",
    "RETURN " + "(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH,
    "RETURN " + "CASE WHEN true THEN " * MAX_CASE_DEPTH + "1" + " END" * MAX_CASE_DEPTH,
]


@pytest.mark.parametrize("statement", [statement for group in HOSTILE.values() for statement in group])
def test_refused(statement: str) -> None:
    with pytest.raises(QueryRejected):
        check_read_only(statement)


@pytest.mark.parametrize("statement", LEGITIMATE)
def test_admitted_and_run(graph: GraphDatabase, statement: str) -> None:
    check_read_only(statement)
    assert graph.query(statement, timeout=10).columns


def test_there_are_enough_cases() -> None:
    assert sum(map(len, HOSTILE.values())) >= 80
    assert len(LEGITIMATE) >= 40


def test_the_refusal_names_the_word_and_its_place() -> None:
    with pytest.raises(QueryRejected, match="SET is not allowed"):
        check_read_only("MATCH (s:Symbol) SET s.name = 'x'")
    with pytest.raises(QueryRejected, match="'FROBNICATE' at character 18"):
        check_read_only("MATCH (s:Symbol) FROBNICATE s")


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ("MATCH (s:Symbol) SET s.name = 'x'", "SET"),
        ("MATCH (s:Symbol) FROBNICATE s", "FROBNICATE"),
        ("EXPLAIN MATCH (n) DELETE n", "DELETE"),
        ("RETURN range(1, 2)", "range"),
        ("CALL bm_info() RETURN *", "bm_info"),
        ("WITH 1 AS x WHERE true RETURN x", "WHERE"),
        ("RETURN coalesce(NULL, 1)", "NULL"),
        ("MATCH (s) RETURN 'open", "'open"),
        ("MATCH (s)) RETURN s", ") RETURN"),
    ],
)
def test_the_refusal_has_its_place_as_a_number(statement: str, place: str) -> None:
    with pytest.raises(QueryRejected) as refused:
        check_read_only(statement)
    assert refused.value.position is not None
    assert statement[refused.value.position :].startswith(place)


def test_what_is_missing_has_its_place_at_the_end() -> None:
    for statement in ("MATCH (s:Symbol", "MATCH"):
        with pytest.raises(QueryRejected) as refused:
            check_read_only(statement)
        assert refused.value.position == len(statement)


def test_a_read_only_database_alone_lets_files_be_written(graph: GraphDatabase, tmp_path: Path) -> None:
    # Why the guard exists: should the engine ever refuse this by itself, the guard may be eased.
    target = tmp_path / "stolen.csv"
    statement = f"COPY (MATCH (s:Symbol) RETURN s.name) TO '{target}'"
    graph.query(statement)
    assert target.exists()
    with pytest.raises(QueryRejected):
        check_read_only(statement)
