"""Chains of GORM: which tables and columns the functions around them use."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from incremental_steps import check_changes
from written_workspace import analysed

PROJECT = """
//- go.mod
module example.com/app

require gorm.io/gorm v1.25.0
//- model/user.go
package model

type Tag struct {
	ID   uint `gorm:"primaryKey"`
	Word string
}

type User struct {
	ID    uint `gorm:"primaryKey"`
	Name  string
	Posts []Post
	Tags  []Tag `gorm:"many2many:user_tags"`
}

type Post struct {
	ID     uint   `gorm:"primaryKey"`
	Title  string `gorm:"column:headline"`
	UserID uint
	User   User
}
//- store/store.go
package store

import (
	"example.com/app/model"
	"gorm.io/gorm"
)

type Store struct{ DB *gorm.DB }

type Row struct{ Name string }

func (s *Store) Find(id uint) (*model.User, error) {
	user := new(model.User)
	err := s.DB.Where("name = ? AND 'title' <> ''", id).Preload("Posts").First(user).Error
	return user, err
}

func (s *Store) All(db *gorm.DB) []model.User {
	var users []model.User
	query := db.Order("name desc")
	query = query.Where("id IN ?", []int{1})
	query.Find(&users)
	return users
}

func (s *Store) Rename(db *gorm.DB) error {
	return db.Model(&model.User{}).Where("id = ?", 1).Update("name", "x").Error
}

func Remove(db *gorm.DB, post *model.Post) error {
	db.Delete(&model.Post{}, "headline = ?", "a")
	tx := db.Begin()
	tx.Save(post)
	return db.Create([]*model.Tag{{Word: "a"}}).Error
}

func Rows(db *gorm.DB) []Row {
	var rows []Row
	db.Model(&model.User{}).Select("users.name").Joins("LEFT JOIN posts ON posts.user_id = users.id").Scan(&rows)
	db.Table("tags AS t").Count(nil)
	db.Raw("SELECT name FROM users").Scan(&rows)
	return rows
}

func mine(db *gorm.DB, title string) *gorm.DB { return db.Where("headline = ?", title) }

func Link(db *gorm.DB, user model.User) {
	db.Model(&user).Association("Tags").Append(&model.Tag{Word: "b"})
	var posts []model.Post
	mine(db.Where("user_id = 1"), "x").Find(&posts)
}

func Nested(db *gorm.DB) []model.Tag {
	authors := db.Model(&model.Post{}).Select("user_id")
	var tags []model.Tag
	db.Where("id IN (?)", db.Model(&model.User{}).Where("name = ?", "x").Select("id")).Where("id IN (?)", authors).Find(&tags)
	return tags
}

func SaveWith(db *gorm.DB, post *model.Post) {
	user := model.User{Name: "a", Posts: []model.Post{{Title: "b"}}}
	db.Create(&user)
	post.User = user
	db.Save(post)
	tag := model.Tag{Word: "c"}
	db.Omit("User").Create(&tag)
}

type Other struct{}

func (o Other) Find(value any) Other { return o }

func Unrelated() { Other{}.Find(&model.User{}) }
"""
STORE = "store/store.go"
EXPECTED = [
    "Link modifies Tag merge",
    "Link modifies User.Tags merge",
    "Link reads Post select",
    "Nested reads Post select",
    "Nested reads Post.UserID select",
    "Nested reads Tag select",
    "Nested reads Tag.ID select",
    "Nested reads User select",
    "Nested reads User.ID select",
    "Nested reads User.Name select",
    "Remove modifies Post delete",
    "Remove modifies Post merge",
    "Remove modifies Tag insert",
    "Remove reads Post.Title delete",
    "Rows reads Post select",
    "Rows reads Post.UserID select",
    "Rows reads Tag select",
    "Rows reads User select",
    "Rows reads User.ID select",
    "Rows reads User.Name select",
    "SaveWith modifies Post insert",
    "SaveWith modifies Post merge",
    "SaveWith modifies Tag insert",
    "SaveWith modifies User insert",
    "SaveWith modifies User merge",
    "Store.All reads User select",
    "Store.All reads User.ID select",
    "Store.All reads User.Name select",
    "Store.Find reads Post select",
    "Store.Find reads User select",
    "Store.Find reads User.Name select",
    "Store.Rename modifies User update",
    "Store.Rename modifies User.Name update",
    "Store.Rename reads User.ID update",
]


def test_uses(tmp_path: Path) -> None:
    assert list(dict.fromkeys(uses_of(analysed(tmp_path, PROJECT), STORE))) == EXPECTED


PLAIN = """
//- go.mod
module example.com/shop

require github.com/jinzhu/gorm v1.9.16
//- db/migrations/20200101_init.sql
-- +goose Up
CREATE TABLE orders (id integer PRIMARY KEY, state varchar(20), buyer_id integer);
CREATE TABLE lines (id integer PRIMARY KEY, order_id integer, amount integer);
CREATE TABLE roles (id integer PRIMARY KEY, slug varchar(20));
CREATE TABLE rights (id integer PRIMARY KEY, slug varchar(20));
CREATE TABLE role_rights (role_id integer, right_id integer);
CREATE TABLE buyers (id integer PRIMARY KEY, role_id integer);
CREATE TABLE summaries (id integer PRIMARY KEY);

-- +goose Down
DROP TABLE orders;
//- shop/orders.go
package shop

import "github.com/jinzhu/gorm"

var db *gorm.DB

type Order struct {
	Id    int64  `json:"id"`
	State string `json:"state"`
	Lines []Line `json:"lines"`
}

type Line struct {
	Id      int64
	OrderId int64
	Amount  int
}

type Summary struct {
	Id    int64
	Total int
}

func (s Summary) TableName() string { return "totals" }

func Open() ([]Order, error) {
	orders := []Order{}
	err := db.Where("state = ?", "open").Find(&orders).Error
	return orders, err
}

func Close(order *Order) error {
	order.State = "closed"
	return db.Save(order).Error
}

func LinesOf(order *Order) error { return db.Model(order).Related(&order.Lines).Error }

func Totals() {
	var found []Summary
	db.Find(&found)
}
//- shop/buyers.go
package shop

type Right struct {
	Id   int64
	Slug string
}

type Role struct {
	Id     int64
	Slug   string
	Rights []Right `gorm:"many2many:role_rights;"`
}

type Buyer struct {
	Id     int64
	Role   Role `gorm:"association_autoupdate:false"`
	RoleId int64
}

func Buyers() []Buyer {
	var found []Buyer
	db.Preload("Role").Find(&found)
	return found
}

func May(role Role) []Right {
	found := []Right{}
	db.Model(role).Where("slug = ?", "a").Association("Rights").Find(&found)
	return found
}
"""


def test_structs_without_tags(tmp_path: Path) -> None:
    """GORM takes the table of a struct from its name, so a struct that a chain uses needs no tag."""
    content = analysed(tmp_path, PLAIN)
    assert list(dict.fromkeys(uses_of(content, "shop/orders.go"))) == [
        "Close modifies orders merge",
        "LinesOf reads lines select",
        "Open reads orders select",
        "Open reads orders.state select",
    ]
    assert list(dict.fromkeys(uses_of(content, "shop/buyers.go"))) == [
        "Buyers reads buyers select",
        "Buyers reads roles select",
        "May reads rights select",
        "May reads role_rights select",
    ]


USES = "MATCH (a:Symbol {name: 'Rename'})-[r:MODIFIES]->(t:Symbol) RETURN t.qualifiedName ORDER BY t.qualifiedName"


def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    kept = "".join(f"//- kept/file{each}.py\ndef run{each}(): ...\n" for each in range(30))
    model = PROJECT.partition("//- model/user.go\n")[2].partition("//- ")[0]
    changes = [f"//- model/user.go\n{model.replace('Name  string', 'Label string')}"]
    before = [("User",), ("User.Name",)]
    check_changes(tmp_path, PROJECT + kept, changes, {USES: before}, {USES: [("User",)]})
