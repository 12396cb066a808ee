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

type Other struct{}

func (o Other) Find(value any) Other { return o }

func Unrelated() { Other{}.Find(&model.User{}) }
"""
STORE = "store/store.go"
EXPECTED = [
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
    "Store.All reads User select",
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


USES = "MATCH (a:Symbol {name: 'Rename'})-[r:MODIFIES]->(t:Symbol) RETURN t.qualifiedName ORDER BY t.qualifiedName"


def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    kept = "".join(f"//- kept/file{each}.py\ndef run{each}(): ...\n" for each in range(30))
    model = PROJECT.partition("//- model/user.go\n")[2].partition("//- ")[0]
    changes = [f"//- model/user.go\n{model.replace('Name  string', 'Label string')}"]
    before = [("User",), ("User.Name",)]
    check_changes(tmp_path, PROJECT + kept, changes, {USES: before}, {USES: [("User",)]})
