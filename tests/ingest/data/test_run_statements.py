"""Statements that code runs from elsewhere: queries of PgTyped, files that macros of sqlx name, fragments of other mappers."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.extraction import extract_facts
from data_uses import uses_of
from incremental_steps import check_files
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

SCHEMA = """
//- db/schema.sql
CREATE TABLE boats (id int PRIMARY KEY, name text, pier_id int);
CREATE TABLE piers (id int PRIMARY KEY, town text);
"""
PGTYPED = f"""{SCHEMA}
//- src/boats/boats.sql
/* @name FindBoat */
SELECT name FROM boats WHERE id = :id!;

/*
  @name addBoats
  @param boats -> ((name!, pierId)...)
*/
INSERT INTO boats (name, pier_id) VALUES :boats;
//- src/boats/boats.queries.ts
import {{ PreparedQuery }} from '@pgtyped/runtime';
const findBoatIR: any = {{}};
export const findBoat = new PreparedQuery<unknown, unknown>(findBoatIR);
const addBoatsIR: any = {{}};
export const addBoats = new PreparedQuery<unknown, unknown>(addBoatsIR);
//- src/piers.ts
import {{ sql }} from '@pgtyped/runtime';
export const addPier = sql<IAddPier>`INSERT INTO piers (id, town) VALUES $pier(id!, town)`;
export const townOf = sql<ITown>`
  SELECT town FROM piers WHERE id = $id!`;
export const other = {{ run() {{}} }};
//- src/old/boats.sql
/* @name FindBoat */
SELECT town FROM piers;
//- src/main.ts
import {{ findBoat, addBoats }} from './boats/boats.queries';
import * as piers from './piers';

export async function show(client: unknown) {{
  return findBoat.run({{ id: 1 }}, client);
}}
export const enter = (client: unknown) => addBoats.run({{ boats: [] }}, client);
export function town(client: unknown) {{
  piers.other.run();
  return piers.townOf.run({{ id: 2 }}, client);
}}
export function add(client: unknown, name: string) {{
  eval(name).run(client);
  return piers.addPier.run({{ pier: {{ id: 1, town: name }} }}, client);
}}
"""
SQLX = f"""{SCHEMA}
//- Cargo.toml
[workspace]
members = ["crates/boats"]
//- crates/boats/Cargo.toml
[package]
name = "boats"
//- crates/boats/queries/find.sql
SELECT name FROM boats WHERE id = $1
//- queries/find.sql
SELECT town FROM piers
//- crates/boats/src/queries/find.sql
SELECT id FROM piers
//- crates/boats/queries/add.sql
INSERT INTO piers (id) VALUES ($1)
//- crates/boats/src/store/mod.rs
pub async fn find(db: &Db) -> Boat {{
    sqlx::query_file_as!(Pair<Boat, i32>, "queries/find.sql", 1).fetch_one(db).await.unwrap()
}}

pub async fn add(db: &Db) {{
    // query_file!("queries/find.sql")
    query_file!("queries/add.sql", 1).execute(db).await.unwrap();
    sqlx::query_file!("queries/missing.sql").execute(db).await.unwrap();
}}
//- crates/boats/src/rows.rs
#[derive(sqlx::FromRow)]
pub struct Row {{
    pub id: i64,
    #[sqlx(rename = "name")]
    pub title: Option<String>,
    #[sqlx(flatten)]
    pub town: Town,
}}

#[derive(FromRow)]
#[sqlx(rename_all = "camelCase")]
struct Renamed {{ id: i64 }}

pub async fn one(db: &Db, id: i64) -> Row {{
    sqlx::query_as!(Row, r#"SELECT * FROM boats WHERE "size" = $1"#, id).fetch_one(db).await.unwrap()
}}

pub async fn every(db: &Db) -> Vec<Row> {{
    sqlx::query_as::<_, Row>("SELECT b.* FROM boats AS b JOIN piers ON true").fetch_all(db).await.unwrap()
}}

pub async fn both(db: &Db) -> Vec<Row> {{
    sqlx::query_as::<_, Row>("SELECT * FROM boats, piers").fetch_all(db).await.unwrap();
    sqlx::query_as::<_, Renamed>("SELECT * FROM boats").fetch_all(db).await.unwrap()
}}
//- crates/boats/src/lists.rs
use crate::rows;

pub async fn listed(db: &Db) -> Vec<rows::Row> {{
    let statement = "SELECT * FROM boats";
    sqlx::query_as::<_, rows::Row>(statement).fetch_all(db).await.unwrap()
}}

pub async fn unnamed(db: &Db) -> Vec<Other> {{
    sqlx::query_as::<_, Other>("SELECT * FROM boats").fetch_all(db).await.unwrap()
}}
//- go.mod
module example.com/boats
//- store/sql/list.sql
SELECT town FROM piers
//- store/store.go
package store

import _ "embed"

//go:embed sql/list.sql
// The towns of all piers.
var listTowns string

//go:embed sql/none.sql
var none string

func List(db *DB) {{ db.Query(listTowns) }}

func None(db *DB, other Other) {{ db.Query(none, other.listTowns) }}
"""
MYBATIS = f"""{SCHEMA}
//- src/main/resources/Common.xml
<mapper namespace="org.acme.Common">
  <resultMap id="boat" type="Boat"><id property="id" column="id"/><result property="title" column="name"/></resultMap>
  <sql id="columns">b.id, b.name</sql>
  <sql id="atPier">AND pier_id = #{{pier}}</sql>
  <sql id="source">boats b JOIN piers p ON p.id = b.pier_id <include refid="org.acme.Towns.here"/></sql>
</mapper>
//- src/main/resources/Towns.xml
<mapper namespace="org.acme.Towns">
  <sql id="here">WHERE p.town = #{{town}}</sql>
  <sql id="written">id, name</sql>
</mapper>
//- src/main/resources/Boats.xml
<mapper namespace="org.acme.Boats">
  <select id="find" resultType="Boat">
    SELECT <include refid="org.acme.Common.columns"/> FROM boats b WHERE b.id = 1 <include refid="org.acme.Common.atPier"/>
  </select>
  <select id="every">SELECT town FROM <include refid="org.acme.Common.source"/></select>
  <select id="all" resultMap="org.acme.Common.boat">SELECT * FROM boats</select>
  <insert id="add">INSERT INTO boats (<include refid="org.acme.Towns.written"/>) VALUES (1, 2)</insert>
  <update id="move">UPDATE boats SET name = 'x' WHERE id = 1 <include refid="org.acme.Common.atPier"/></update>
  <select id="unknown">SELECT name FROM boats <include refid="${{part}}.columns"/></select>
</mapper>
//- src/main/java/org/acme/Boats.java
package org.acme;

public interface Boats {{
    void move(int pier);
}}
"""

SCRIPTS = f"""{SCHEMA}
//- app/src/main/resources/seed/boats.sql
INSERT INTO boats (id, name) VALUES (1, 'a');
//- app/src/test/resources/clear.sql
DELETE FROM piers;
//- app/src/test/java/org/acme/BoatTest.java
package org.acme;

class BoatTest {{
    DataSource source() {{
        return new EmbeddedDatabaseBuilder().setScriptEncoding("UTF-8").addScript("seed/boats.sql").build();
    }}

    @Sql(scripts = {{"classpath:seed/boats.sql", "/clear.sql"}})
    void empty() {{}}

    void none() {{
        log("clear.sql");
        new EmbeddedDatabaseBuilder().addScript("missing.sql");
    }}
}}
"""


def test_queries_of_pgtyped(tmp_path: Path) -> None:
    """The query nearest to the generated file counts; other objects with a method `run` and values of code lead nowhere."""
    content = analysed(tmp_path, PGTYPED)
    assert uses_of(content, "src/main.ts") == [
        "add modifies piers insert",
        "add modifies piers.id insert",
        "add modifies piers.town insert",
        "enter modifies boats insert",
        "enter modifies boats.name insert",
        "enter modifies boats.pier_id insert",
        "show reads boats select",
        "show reads boats.id select",
        "show reads boats.name select",
        "town reads piers select",
        "town reads piers.id select",
        "town reads piers.town select",
    ]


def test_scripts_on_the_class_path(tmp_path: Path) -> None:
    assert uses_of(analysed(tmp_path, SCRIPTS), "app/src/test/java/org/acme/BoatTest.java") == [
        "BoatTest.empty modifies boats insert",
        "BoatTest.empty modifies boats.id insert",
        "BoatTest.empty modifies boats.name insert",
        "BoatTest.empty modifies piers delete",
        "BoatTest.source modifies boats insert",
        "BoatTest.source modifies boats.id insert",
        "BoatTest.source modifies boats.name insert",
    ]


def test_changed_queries_of_pgtyped(tmp_path: Path) -> None:
    changes = {
        "src/piers.ts": "import { sql } from '@pgtyped/runtime';\nexport const townOf = sql<ITown>`SELECT name FROM boats`;\n",
        "src/boats/boats.sql": "/* @name FindBoat */\nSELECT town FROM piers;\n",
    }
    check_files(tmp_path, PGTYPED, "boats", changes)


def test_files_that_macros_of_sqlx_run(tmp_path: Path) -> None:
    """The path begins at the manifest, which is beside `src`; a missing file leads nowhere."""
    content = analysed(tmp_path, SQLX)
    assert uses_of(content, "crates/boats/src/rows.rs") == [
        "both reads boats select",
        "both reads piers select",
        "every reads boats select",
        "every reads boats.id select",
        "every reads boats.name select",
        "every reads piers select",
        "one reads boats select",
        "one reads boats.id select",
        "one reads boats.name select",
    ]
    assert uses_of(content, "crates/boats/src/lists.rs") == [
        "listed reads boats select",
        "listed reads boats.id select",
        "listed reads boats.name select",
        "unnamed reads boats select",
    ]
    assert uses_of(content, "crates/boats/src/store/mod.rs") == [
        "add modifies piers insert",
        "add modifies piers.id insert",
        "find reads boats select",
        "find reads boats.id select",
        "find reads boats.name select",
    ]
    assert uses_of(content, "store/store.go") == ["List reads piers select", "List reads piers.town select"]


def test_changed_files_of_sqlx(tmp_path: Path) -> None:
    check_files(tmp_path, SQLX, "boats", {"crates/boats/queries/find.sql": "SELECT town FROM piers\n"})


def test_fragments_of_other_mappers(tmp_path: Path) -> None:
    content = analysed(tmp_path, MYBATIS)
    assert uses_of(content, "src/main/resources/Boats.xml") == [
        "add modifies boats insert",
        "add modifies boats.id insert",
        "add modifies boats.name insert",
        "all reads boats select",
        "all reads boats.id select",
        "all reads boats.name select",
        "every reads boats select",
        "every reads boats.pier_id select",
        "every reads piers select",
        "every reads piers.town select",
        "find reads boats select",
        "find reads boats.id select",
        "find reads boats.name select",
        "find reads boats.pier_id select",
        "move modifies boats update",
        "move modifies boats.name update",
        "move reads boats.id update",
        "move reads boats.pier_id update",
        "unknown reads boats select",
        "unknown reads boats.name select",
    ]
    assert "Boats.move reads boats.pier_id update" in uses_of(content, "src/main/java/org/acme/Boats.java")
    assert [each.name for each in content.unresolved_data_uses] == []


def test_changed_fragments(tmp_path: Path) -> None:
    changed = '<mapper namespace="org.acme.Common">\n  <sql id="columns">p.town</sql>\n</mapper>\n'
    check_files(tmp_path, MYBATIS, "boats", {"src/main/resources/Common.xml": changed})


@pytest.mark.parametrize(
    ("start", "part", "language"),
    [
        ("fn a() {", 'query_file_as!(A, B, "', "rust"),
        ('class A { // ".sql"\n', '@Sql("a', "java"),
        ("", '@Sql("a.sql", ', "java"),
        ("", "//go:embed a.sql\n", "go"),
    ],
)
def test_hostile_code_takes_linear_time(start: str, part: str, language: str) -> None:
    def seconds(count: int) -> float:
        return processor_seconds(lambda: extract_facts((start + part * count).encode(), language))

    assert is_linear(seconds, 4_000)
