"""Builders of SQL in Go: which tables and columns the functions around them use."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

PROJECT = """
//- go.mod
module example.com/harbor

require (
	github.com/Masterminds/squirrel v1.5.4
	github.com/doug-martin/goqu/v9 v9.19.0
	github.com/huandu/go-sqlbuilder v1.37.0
	github.com/jackc/pgx/v5 v5.7.0
	github.com/jmoiron/sqlx v1.4.0
)
//- schema.sql
CREATE TABLE boats (id int PRIMARY KEY, name text, berth_id int);
CREATE TABLE berths (id int PRIMARY KEY, pier text);
//- store/chains.go
package store

import (
	sq "github.com/Masterminds/squirrel"
	"github.com/doug-martin/goqu/v9"
)

func Moored(pier string) (string, []any, error) {
	return sq.Select("b.name", "count(*)").From("boats AS b").Join("berths h ON h.id = b.berth_id").
		Where("h.pier = ? AND b.name <> 'id'", pier).ToSql()
}

func Rename(id int, name string) sq.UpdateBuilder {
	return sq.Update("boats").Set("name", name).Where("id = ?", id)
}

func Keep(rows [][]any) sq.InsertBuilder {
	insert := sq.StatementBuilder.Insert("berths").Columns("id", "pier")
	for _, row := range rows {
		insert = insert.Values(row...)
	}
	return insert
}

func Sink() sq.DeleteBuilder { return sq.Delete("").From("boats").Where("berth_id IS NULL") }

func Named(name string) (string, []any, error) {
	boats := goqu.T("boats").As("b")
	return goqu.From(boats).Select(goqu.I("b.id")).Where(goqu.C("name").Eq(name)).ToSQL()
}
//- store/variables.go
package store

import "github.com/huandu/go-sqlbuilder"

func Free(min int, named bool) (string, []any) {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("h.pier")
	sb.From("berths h")
	if named {
		sb.JoinWithOption(sqlbuilder.LeftJoin, "boats", "boats.berth_id = h.id")
	}
	sb.Where(sb.GreaterThan("h.id", min))
	return sb.Build()
}

func Move(id, berth int) (string, []any) {
	ub := sqlbuilder.NewUpdateBuilder()
	ub.Update("boats").Set(ub.Assign("berth_id", berth))
	ub.Where(ub.Equal("id", id))
	return ub.Build()
}

type list struct{}

func (l list) From(table string) list { return l }

func Other() list { return list{}.From("boats") }
//- store/tables.go
package store

import (
	sq "github.com/Masterminds/squirrel"
	"github.com/doug-martin/goqu/v9"
)

const (
	tableBoats  = "boats"
	tableBerths = "berths"
)

var dialect = goqu.Dialect("postgres")
var berths = goqu.T(tableBerths)
var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

func Both() {
	dialect.From(tableBoats).Select("name").ToSQL()
	dialect.From("berths").Select("id").ToSQL()
}
//- store/named.go
package store

import (
	sq "github.com/Masterminds/squirrel"
	"github.com/doug-martin/goqu/v9"
)

func Sail(id int, name string) {
	dialect.From(tableBoats).Where(goqu.Ex{"id": id}).ToSQL()
	dialect.Update(tableBoats).Set(goqu.Record{"name": name}).Where(goqu.Ex{"berth_id": 3}).ToSQL()
}

func Add(pier string) { dialect.Insert(berths).Rows(goqu.Record{"pier": pier}).ToSQL() }

func Change(id int) {
	psql.Update(tableBerths).SetMap(map[string]any{"pier": 3}).Where(sq.And{sq.Eq{"id": id}}).ToSql()
	psql.Update(tableBoats).Set("name", "id").ToSql()
}
//- store/collected.go
package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Collected(ctx context.Context, pool *pgxpool.Pool) ([]Boat, error) {
	rows, err := pool.Query(ctx, "SELECT * FROM boats")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[Boat])
}
//- store/rows.go
package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

const everyBoat = "SELECT b.* FROM boats b JOIN berths h ON h.id = b.berth_id WHERE h.pier = ?"

type Keyed struct {
	Key int `db:"id"`
}

type Boat struct {
	Keyed
	Title string `db:"name,omitempty"`
	Notes string `db:"-"`
}

type Berth struct {
	ID   int `db:"id"`
	Pier string
}

func Get(ctx context.Context, pool *sqlx.DB, id int) (*Boat, error) {
	tx, err := pool.BeginTxx(ctx, nil)
	if err != nil {
		return nil, err
	}
	var boat Boat
	return &boat, tx.GetContext(ctx, &boat, "SELECT * FROM boats WHERE id = ?", id)
}

func OfPier(pool *sqlx.DB, pier string) (found []*Boat, err error) { return found, pool.Select(&found, everyBoat, pier) }

func Places(pool *sqlx.DB) []Berth {
	var berths []Berth
	query := "SELECT * FROM berths b, boats"
	pool.Select(&berths, query)
	pool.Select(&berths, "SELECT * FROM berths JOIN boats ON boats.berth_id = berths.id")
	rows, _ := pool.Queryx("SELECT DISTINCT * FROM berths ORDER BY id")
	var berth Berth
	rows.StructScan(&berth)
	return berths
}
"""


def test_uses(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "store/chains.go") == [
        "Keep modifies berths insert",
        "Keep modifies berths.id insert",
        "Keep modifies berths.pier insert",
        "Moored reads berths select",
        "Moored reads berths.id select",
        "Moored reads berths.pier select",
        "Moored reads boats select",
        "Moored reads boats.berth_id select",
        "Moored reads boats.name select",
        "Named reads boats select",
        "Named reads boats.id select",
        "Named reads boats.name select",
        "Rename modifies boats update",
        "Rename modifies boats.name update",
        "Rename reads boats.id update",
        "Sink modifies boats delete",
        "Sink reads boats.berth_id delete",
    ]
    assert uses_of(content, "store/variables.go") == [
        "Free reads berths select",
        "Free reads berths.id select",
        "Free reads berths.pier select",
        "Free reads boats select",
        "Free reads boats.berth_id select",
        "Move modifies boats update",
        "Move modifies boats.berth_id update",
        "Move reads boats.id update",
    ]
    assert uses_of(content, "store/collected.go") == [
        "Collected reads boats select",
        "Collected reads boats.id select",
        "Collected reads boats.name select",
    ]
    assert list(dict.fromkeys(uses_of(content, "store/rows.go"))) == [
        "Get reads boats select",
        "Get reads boats.id select",
        "Get reads boats.name select",
        "OfPier reads berths select",
        "OfPier reads berths.id select",
        "OfPier reads berths.pier select",
        "OfPier reads boats select",
        "OfPier reads boats.berth_id select",
        "OfPier reads boats.id select",
        "OfPier reads boats.name select",
        "Places reads berths select",
        "Places reads berths.id select",
        "Places reads berths.pier select",
        "Places reads boats select",
        "Places reads boats.berth_id select",
        "everyBoat reads berths select",
        "everyBoat reads berths.id select",
        "everyBoat reads berths.pier select",
        "everyBoat reads boats select",
        "everyBoat reads boats.berth_id select",
    ]
    assert uses_of(content, "store/tables.go") == [
        "Both reads berths select",
        "Both reads berths.id select",
        "Both reads boats select",
        "Both reads boats.name select",
    ]
    assert uses_of(content, "store/named.go") == [
        "Add modifies berths insert",
        "Add modifies berths.pier insert",
        "Change modifies berths update",
        "Change modifies berths.pier update",
        "Change modifies boats update",
        "Change modifies boats.name update",
        "Change reads berths.id update",
        "Sail modifies boats update",
        "Sail modifies boats.name update",
        "Sail reads boats select",
        "Sail reads boats.berth_id update",
        "Sail reads boats.id select",
    ]
