"""Dapper: the columns that statements for all columns of a table read into classes of C#."""

from __future__ import annotations

from pathlib import Path

from astrolabe.ingest.languages.csharp.dapper import add_row_columns
from astrolabe.ingest.languages.csharp.entity_framework.declarations import Declarations
from astrolabe.ingest.languages.extraction import extract_facts
from data_uses import uses_of
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

PROJECT = """
//- db/schema.sql
CREATE TABLE boats (id int PRIMARY KEY, name text, pier_id int, secret text);
CREATE TABLE piers (id int PRIMARY KEY, name text);
//- src/Boat.cs
namespace Harbor;
public class Boat
{
    public int Id { get; set; }
    public string Name { get; set; }
    public int PierId { get; set; }
    public string Label => Name;
}
//- src/Boats.cs
using Dapper;
namespace Harbor;
public class Boats
{
    private readonly IDbConnection _connection;
    private const string Every = "SELECT * FROM boats";

    public Task<IEnumerable<Boat>> All() => _connection.QueryAsync<Boat>(Every);

    public Task<Harbor.Boat> One(int id)
    {
        var sql = @"
            SELECT *
            FROM [dbo].[boats]
            WHERE name = @name";
        return _access.Load<Harbor.Boat, dynamic>(sql, new { id });
    }

    public Task<int> Count() => _connection.QuerySingleAsync<int>("SELECT * FROM boats");

    public Task<Boat> Joined() => _connection.QuerySingleAsync<Boat>("SELECT * FROM boats JOIN piers ON true");
}
"""


def test_rows(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    columns = [f"boats{column} select" for column in ("", ".id", ".name", ".pier_id")]
    assert uses_of(content, "src/Boats.cs") == [
        *(f"Boats.All reads {each}" for each in columns),
        "Boats.Count reads boats select",
        "Boats.Every reads boats select",
        "Boats.Joined reads boats select",
        "Boats.Joined reads piers select",
        *(f"Boats.One reads {each}" for each in sorted([*columns, "boats.name select"])),
    ]


def test_time_is_linear() -> None:
    def seconds(count: int) -> float:
        text = 'class A { void B() { var sql = "SELECT * FROM t"; db.Query<A>(sql); x < y; a.b.c < }}' * count
        facts = extract_facts(b"class A {}", "csharp")
        facts.lines = 1
        return processor_seconds(lambda: add_row_columns(facts, Declarations(text)))

    assert is_linear(seconds, 1_000)
