"""Structs of GORM: the tables, columns and keys that its migrator makes for them."""

from __future__ import annotations

import pytest
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.go.models.naming import plural, snake_case

from .mapped_models import columns, edges_by_name, foreign_keys, keys
from .mapped_models import tables as tables_of

MODELS = """package model

import (
	"time"

	"gorm.io/gorm"
)

type Status int32

type Base struct {
	ID        uint `gorm:"primarykey"`
	UpdatedAt time.Time
}

type Address struct {
	Town string `gorm:"size:80"`
	Zip  string
}

type User struct {
	gorm.Model
	Name, Nick string `gorm:"size:40;not null;index:by_name,priority:2"`
	Email      *string `json:"email" gorm:"uniqueIndex;default:''"`
	Level      Status `gorm:"index:by_name,priority:1"`
	Home       Address `gorm:"embedded;embeddedPrefix:home_"`
	Extra      map[string]any `gorm:"serializer:json"`
	Orders     []Order `gorm:"constraint:OnDelete:CASCADE"`
	Roles      []Role `gorm:"many2many:user_roles"`
	Friends    []User `gorm:"many2many:user_friends"`
	hidden     int
	Shown      string `gorm:"-"`
}

type Order struct {
	Base
	Price  float64 `gorm:"precision:10;scale:2"`
	UserID uint
	User   User
	Parent string `gorm:"type:varchar(20);unique"`
	Data   []byte
}

type Role struct {
	Code string `gorm:"primaryKey;size:8"`
}

func (Role) TableName() string {
	return "app_roles"
}

type Answer struct {
	Text string `json:"text"`
	ID   int    `json:"id"`
}
"""
FILES = {"shop/model/user.go": MODELS}


def tables(files: dict[str, str]) -> dict[str, Table]:
    return tables_of(files, "gorm")


def test_fields_are_columns_with_those_of_embedded_structs() -> None:
    found = tables(FILES)
    assert columns(found["users"]) == {
        "id": ("bigint", False),
        "created_at": ("timestamptz", True),
        "updated_at": ("timestamptz", True),
        "deleted_at": ("timestamptz", True),
        "name": ("varchar(40)", False),
        "nick": ("varchar(40)", False),
        "email": ("text", True),
        "level": ("integer", True),
        "home_town": ("varchar(80)", True),
        "home_zip": ("text", True),
        "extra": ("text", True),
    }
    assert columns(found["orders"]) == {
        "id": ("bigint", False),
        "updated_at": ("timestamptz", True),
        "price": ("numeric(10, 2)", True),
        "user_id": ("bigint", True),
        "parent": ("varchar(20)", True),
        "data": ("bytea", True),
    }


def test_keys_have_the_names_that_gorm_makes() -> None:
    found = tables(FILES)
    assert keys(found["users"]) == [
        ("by_name", "index"),
        ("idx_users_deleted_at", "index"),
        ("idx_users_email", "index"),
        ("users_pkey", "primary key"),
    ]
    assert found["users"].indexes["by_name"].columns == ["level", "name", "nick"]
    assert keys(found["orders"]) == [
        ("fk_users_orders", "foreign key"),
        ("orders_pkey", "primary key"),
        ("uni_orders_parent", "unique"),
    ]


def test_relations_are_foreign_keys_and_tables() -> None:
    found = tables(FILES)
    assert foreign_keys(found["orders"]) == {"user_id": ("users", "id", "CASCADE")}
    assert columns(found["user_roles"]) == {"user_id": ("bigint", False), "role_code": ("varchar(8)", False)}
    assert foreign_keys(found["user_roles"]) == {"user_id": ("users", "id", ""), "role_code": ("app_roles", "code", "")}
    assert columns(found["user_friends"]) == {"user_id": ("bigint", False), "friend_id": ("bigint", False)}


def test_structs_without_a_table_have_none() -> None:
    assert sorted(tables(FILES)) == ["app_roles", "orders", "user_friends", "user_roles", "users"]


def test_where_code_makes_tables_their_structs_have_them() -> None:
    start = (
        'package main\n\nimport "shop/model"\n\nfunc run(db *gorm.DB) {\n\tdb.AutoMigrate(&model.Order{}, new(model.Answer))\n}\n'
    )
    assert {"orders", "answers", "users"} <= set(tables({**FILES, "shop/main.go": start}))


def test_tagged_structs_have_tables_unless_code_outside_of_tests_names_all_structs() -> None:
    struct = 'package model\n\ntype Crew struct {\n\tID int `gorm:"primary_key"`\n}\n'
    named = "package model\n\ntype Probe struct {\n\tID int\n}\n\nfunc run(db *gorm.DB) {\n\tdb.AutoMigrate(&Probe{})\n}\n"
    listed = "package model\n\nfunc open(db *gorm.DB) {\n\tdb.AutoMigrate(All()...)\n}\n"
    crews = {"model/crew.go": struct}
    assert set(tables({**crews, "model/probe_test.go": named})) == {"crews", "probes"}
    assert set(tables({**crews, "model/probe.go": named})) == {"probes"}
    assert set(tables({**crews, "model/probe.go": named, "model/open.go": listed})) == {"crews", "probes"}


def test_columns_of_relations_have_the_type_of_the_key() -> None:
    source = (
        'package model\n\ntype App struct {\n\tID uint `gorm:"primaryKey"`\n\tDetails []Detail `gorm:"-:migration"`\n}\n\n'
        'type Detail struct {\n\tID uint `gorm:"primaryKey"`\n\tAppID uint `gorm:"type:integer"`\n}\n'
    )
    found = tables({"model/app.go": source})
    assert columns(found["details"])["app_id"] == ("bigint", True)
    assert foreign_keys(found["details"]) == {}


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("ID", "id"),
        ("UserID", "user_id"),
        ("HTTPServer", "http_server"),
        ("A1B2", "a1_b2"),
        ("MonitorIO", "monitor_io"),
        ("X", "x"),
    ],
)
def test_names_of_columns(name: str, column: str) -> None:
    assert snake_case(name) == column


@pytest.mark.parametrize(
    ("word", "words"),
    [("person", "people"), ("sales_person", "sales_people"), ("category", "categories"), ("status", "statuses"),
     ("box", "boxes"), ("day", "days"), ("series", "series"), ("bus", "buses"), ("datum", "data"), ("house", "houses")],
)  # fmt: skip
def test_names_of_tables(word: str, words: str) -> None:
    assert plural(word) == words


def test_structs_map_to_the_tables_of_migrations() -> None:
    migration = "CREATE TABLE users (id bigint, email text);\nCREATE TABLE orders (id bigint, price numeric);\n"
    found = edges_by_name({**FILES, "db/migrations/001_all.sql": f"{migration}CREATE TABLE app_roles (code text);"})
    mapped = {(each.from_id, each.to_id, each.framework) for each in found.data_mappings}
    assert {("User", "users", "gorm"), ("Email", "email", "gorm"), ("Role", "app_roles", "gorm")} <= mapped


def test_a_struct_without_tags_declares_nothing() -> None:
    source = "package model\n\ntype A struct {\n\tID int\n}\n"
    assert extract_facts(source.encode(), "go").data is None


def test_structs_that_embed_each_other_end() -> None:
    source = (
        'package model\n\ntype A struct {\n\tB\n\tID int `gorm:"primaryKey"`\n}\n\n'
        'type B struct {\n\tA\n\tName string `gorm:"size:3"`\n}\n\nfunc (A) TableName() string { return "a" }\n'
    )
    assert set(columns(tables({"model/a.go": source})["a"])) == {"id", "name"}
