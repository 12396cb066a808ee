"""Structs of xorm and of Beego: their tables, and the tables that sessions use."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.mapped_schemas import mapped_schemas
from data_uses import uses_of
from linear_time import processor_seconds
from written_workspace import analysed

from .mapped_models import columns, data_of, keys, tables

XORM = """package store

import "xorm.io/xorm"

type Role struct {
	Owner   string   `xorm:"varchar(100) notnull pk" json:"owner"`
	Title   string   `xorm:"not null default '' VARCHAR(255) 'role_title'"`
	UserID  string   `xorm:"not null default 0 BIGINT(20) user_id"`
	Users   []string `xorm:"mediumtext"`
}

type Log struct {
	Id   int64
	Text string `xorm:"TEXT"`
}

func (Log) TableName() string { return "audit_log" }

type Store struct { Engine *xorm.Engine }

func (s *Store) Create() error { return s.Engine.Sync2(new(Role), new(Log)) }
func (s *Store) All(owner string) ([]*Role, error) {
	roles := []*Role{}
	err := s.Engine.Where("owner = ?", owner).Desc("role_title").Find(&roles)
	return roles, err
}
func (s *Store) Save(role *Role) error {
	_, err := s.Engine.Transaction(func(session *xorm.Session) (interface{}, error) {
		session = session.Context(nil)
		session.ID(role.Owner).Cols("role_title").Update(role)
		return session.Insert(&Log{Text: "saved"})
	})
	return err
}
func (s *Store) Drop(id int64) { s.Engine.Table("audit_log").Where("id = ?", id).Delete() }
"""
BEEGO = """package web

import "github.com/beego/beego/v2/client/orm"

type Member struct {
	Id    int    `orm:"column(member_id);pk;auto"`
	Name  string `orm:"size(100)"`
	Group *Team `orm:"rel(fk)"`
}
type Team struct { Id int; Label string `orm:"unique"` }

func init() { orm.RegisterModel(new(Member), new(Team)) }

func Find(name string) (*Member, error) {
	var m Member
	o := orm.NewOrm()
	err := o.QueryTable(new(Member)).Filter("group__label", name).One(&m)
	return &m, err
}
func Save(m *Member) { orm.NewOrm().Insert(m) }
func Drop() { orm.NewOrm().QueryTable("team").Filter("label", "x").Delete() }
"""
PROJECT = f"""
//- go.mod
module shop
go 1.21
require (
	xorm.io/xorm v1.3.0
	github.com/beego/beego/v2 v2.0.0
)
//- store/role.go
{XORM}
//- web/member.go
{BEEGO}
"""


def test_tables() -> None:
    """Tags name columns, keys and defaults; a struct has a table by a tagged key, by its method, or because code registers it."""
    found = tables({"store/role.go": XORM}, "xorm")
    assert {name: columns(table) for name, table in found.items()} == {
        "role": {
            "owner": ("varchar(255)", False),
            "role_title": ("varchar(255)", False),
            "user_id": ("varchar(255)", False),
            "users": ("text", True),
        },
        "audit_log": {"id": ("bigint", False), "text": ("varchar(255)", True)},
    }
    found = tables({"web/member.go": BEEGO}, "beego")
    assert {name: list(columns(table)) for name, table in found.items()} == {
        "member": ["member_id", "name", "group_id"],
        "team": ["id", "label"],
    }
    assert {kind for _, kind in keys(found["team"])} == {"primary key", "unique"}


def test_uses(tmp_path: Path) -> None:
    """A chain uses the struct of its row, or the table that it names."""
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "store/role.go") == [
        "Store.All reads Role select",
        "Store.All reads Role.Owner select",
        "Store.All reads Role.Title select",
        "Store.Drop modifies Log delete",
        "Store.Drop reads Log.Id delete",
        "Store.Save modifies Log insert",
        "Store.Save modifies Role update",
        "Store.Save reads Role.Title update",
    ]
    assert uses_of(content, "web/member.go") == [
        "Drop modifies Team delete",
        "Drop reads Team.Label delete",
        "Find reads Member select",
        "Find reads Member.Group select",
        "Find reads Team select",
        "Find reads Team.Label select",
        "Save modifies Member insert",
    ]


@pytest.mark.parametrize(
    ("code", "frameworks"),
    [
        ('type Till struct { ID uint `gorm:"primaryKey"` }', {"gorm"}),
        ('type Till struct { ID uint `xorm:"pk"` }', {"xorm"}),
        ("type Till struct { ID uint }\nfunc (t *Till) Close() { t.file.Sync() }", set()),
        ("type Till struct { ID uint }\nfunc (t *Till) Close() { t.RegisterModels(t) }", set()),
        ("type Till struct { ID uint }\nfunc make(e *xorm.Engine) { e.Sync2(new(Till)) }", {"xorm"}),
        ("type Till struct { ID uint }\nfunc init() { orm.RegisterModel(\n\tnew(Till)) }", {"beego"}),
    ],
)
def test_read_files(code: str, frameworks: set[str]) -> None:
    """Structs belong to a mapper only in a file that has the tags of the mapper or registers structs."""
    found = data_of({"shop/till.go": f"package shop\n\n{code}\n"})
    assert {model.framework for data in found.values() for model in data.models} == frameworks


@pytest.mark.parametrize(
    ("key", "embedded"),
    [('xorm:"pk"', 'xorm:"extends"'), ('bun:",pk"', 'bun:"embed:a_"'), ('gorm:"primaryKey"', 'gorm:"embedded"')],
)
def test_recursive_structs(key: str, embedded: str) -> None:
    """A struct with embedded values of its own type adds its columns once, and not for each path through the values."""
    fields = "".join(f"\tPart{number} *Till `{embedded}`\n" for number in range(3))
    facts = data_of({"shop/till.go": f"package shop\n\ntype Till struct {{\n\tID int64 `{key}`\n{fields}}}\n"})
    assert processor_seconds(lambda: mapped_schemas(facts)) < 1
    (schema,) = mapped_schemas(facts)
    assert [list(entity.attributes) for entity in schema.entities] == [["ID", "id"]]
