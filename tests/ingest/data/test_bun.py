"""Structs and chains of bun and of go-pg: the tables that they declare and use."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.go.models.bun_structs import tag_options
from data_uses import uses_of
from written_workspace import analysed

from .mapped_models import columns, keys, tables

MODELS = """package model

import (
	"time"

	"github.com/uptrace/bun"
)

type Times struct {
	CreatedAt time.Time `bun:",notnull,default:current_timestamp"`
}

type User struct {
	bun.BaseModel `bun:"table:app_users,alias:u"`
	Times

	ID     int64   `bun:",pk,autoincrement"`
	Email  string  `bun:"mail,unique,notnull"`
	Score  float64 `bun:"type:numeric(6,2)"`
	Tags   []string
	Home   Address  `bun:"embed:home_"`
	Posts  []*Post  `bun:"rel:has-many,join:id=author_id"`
	Teams  []Team   `bun:"m2m:user_teams,join:User=Team"`
	Rank   int      `bun:",scanonly"`
	Secret string   `bun:"-"`
}

type Address struct{ Town string }

type Post struct {
	ID       int64 `bun:"id,pk"`
	Title    string
	AuthorID int64
	Author   *User `bun:"rel:belongs-to,join:author_id=id"`
}

type Team struct {
	bun.BaseModel
	ID   int64
	Name string
}

type UserTeam struct {
	bun.BaseModel `bun:"table:user_teams"`
	UserID int64 `bun:",pk"`
	User   *User `bun:"rel:belongs-to,join:user_id=id"`
	TeamID int64 `bun:",pk"`
	Team   *Team `bun:"rel:belongs-to,join:team_id=id"`
}

type Request struct{ Name string }
"""


def test_tables_of_bun() -> None:
    found = tables({"model/model.go": MODELS}, "bun")
    assert sorted(found) == ["app_users", "posts", "teams", "user_teams"]
    assert columns(found["app_users"]) == {
        "created_at": ("timestamptz", False),
        "id": ("bigint", False),
        "mail": ("varchar", False),
        "score": ("numeric(6,2)", True),
        "tags": ("jsonb", True),
        "home_town": ("varchar", True),
    }
    assert ("app_users_mail_key", "unique") in keys(found["app_users"])
    assert columns(found["posts"]) == {"id": ("bigint", False), "title": ("varchar", True), "author_id": ("bigint", True)}


def test_tables_of_go_pg() -> None:
    text = """package model

type Account struct {
	tableName struct{} `pg:"logins,alias:a"`
	Id        int
	Name      string `pg:",notnull"`
	OrderId   int
	Order     *Order `pg:"rel:has-one"`
}

type Order struct {
	tableName struct{} `pg:"alias:o"`
	Id        int
}
"""
    found = tables({"model.go": text}, "pg")
    assert columns(found["logins"]) == {"id": ("bigint", False), "name": ("varchar", False), "order_id": ("bigint", True)}
    assert sorted(found) == ["logins", "orders"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,pk", [("id", ""), ("pk", "")]),
        ("type:numeric(10,2),notnull", [("type", "numeric(10,2)"), ("notnull", "")]),
        ("default:'a,b',unique:by_name", [("default", "'a,b'"), ("unique", "by_name")]),
        ("type:broken(,x", [("type", "broken(,x")]),
    ],
)
def test_parts_of_tags(text: str, expected: list[tuple[str, str]]) -> None:
    assert tag_options(text) == expected


PROJECT = f"""
//- go.mod
module example.com/app

require (
	github.com/uptrace/bun v1.2.0
	github.com/go-pg/pg/v10 v10.11.0
)
//- model/model.go
{MODELS}
//- store/store.go
package store

import (
	"context"

	"example.com/app/model"
	"github.com/uptrace/bun"
)

type Store struct{{ db *bun.DB }}

func (s *Store) Find(ctx context.Context, mail string) (*model.User, error) {{
	user := new(model.User)
	err := s.db.NewSelect().Model(user).Relation("Posts").Relation("Teams").Where("mail = ?", mail).Scan(ctx)
	return user, err
}}

func (s *Store) List(ctx context.Context, word string) (found []model.Post, err error) {{
	query := s.db.NewSelect().Model(&found).Join("JOIN app_users AS u ON u.id = post.author_id")
	if word != "" {{
		query = query.Where("u.mail = ?", word)
	}}
	err = query.OrderExpr("title DESC").Scan(ctx)
	return found, err
}}

func (s *Store) Add(ctx context.Context, tx bun.Tx, posts []*model.Post) error {{
	_, err := tx.NewInsert().Model(&posts).Exec(ctx)
	return err
}}

func (s *Store) Rename(ctx context.Context, id int64) error {{
	_, err := s.db.NewUpdate().Model((*model.Team)(nil)).Set("name = ?", "x").Where("id = ?", id).Exec(ctx)
	return err
}}

func (s *Store) Remove(ctx context.Context, post *model.Post) {{
	s.db.NewDelete().Model(post).WherePK().Exec(ctx)
	s.db.NewDelete().Table("user_teams").Where("user_id = 1").Exec(ctx)
}}

func Within(ctx context.Context, db bun.IDB) {{
	inner := db.NewSelect().Model((*model.UserTeam)(nil)).Column("team_id")
	var teams []model.Team
	db.NewSelect().Model(&teams).Where("id IN (?)", inner).Scan(ctx)
}}

type Other struct{{}}

func (o Other) NewSelect() Other {{ return o }}
func (o Other) Model(value any) Other {{ return o }}
func (o Other) Scan(ctx context.Context) {{}}

func Unrelated(ctx context.Context) {{ Other{{}}.NewSelect().Model(&model.User{{}}).Scan(ctx) }}
//- accounts/accounts.go
package accounts

import "github.com/go-pg/pg/v10"

type Account struct {{
	tableName struct{{}} `pg:"logins"`
	Id        int
	Name      string `pg:",notnull"`
}}

func ByName(db *pg.DB, name string) (*Account, error) {{
	account := new(Account)
	return account, db.Model(account).Where("name = ?", name).Select()
}}

func Save(db *pg.DB, account *Account) error {{
	_, err := db.Model(account).WherePK().Update()
	return err
}}
"""


def test_chains(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert list(dict.fromkeys(uses_of(content, "store/store.go"))) == [
        "Store.Add modifies Post insert",
        "Store.Find reads Post select",
        "Store.Find reads Team select",
        "Store.Find reads User select",
        "Store.Find reads User.Email select",
        "Store.Find reads UserTeam select",
        "Store.List reads Post select",
        "Store.List reads Post.AuthorID select",
        "Store.List reads Post.Title select",
        "Store.List reads User select",
        "Store.List reads User.Email select",
        "Store.List reads User.ID select",
        "Store.Remove modifies Post delete",
        "Store.Remove modifies UserTeam delete",
        "Store.Remove reads Post.ID delete",
        "Store.Remove reads UserTeam.UserID delete",
        "Store.Rename modifies Team update",
        "Store.Rename modifies Team.Name update",
        "Store.Rename reads Team.ID update",
        "Within reads Team select",
        "Within reads Team.ID select",
        "Within reads UserTeam select",
        "Within reads UserTeam.TeamID select",
    ]
    assert list(dict.fromkeys(uses_of(content, "accounts/accounts.go"))) == [
        "ByName reads Account select",
        "ByName reads Account.Name select",
        "Save modifies Account update",
        "Save reads Account.Id update",
    ]
