"""Entities of SeaORM: their tables, and the statements that functions build with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.rust.databases.sea_orm import add_sea_orm
from data_uses import uses_of
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

from .mapped_models import columns, tables

PIES = """\
use sea_orm::entity::prelude::*;

// #[sea_orm(table_name = "ghosts")] pub struct Model { pub id: i32 }
#[derive(Clone, Debug, DeriveEntityModel)]
#[sea_orm(table_name = "pies", schema_name = "shop")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i32,
    #[sea_orm(column_name = "title", unique)]
    pub name: Option<String>,
    pub oven_id: i64,
    #[sea_orm(belongs_to, from = "oven_id", to = "id")]
    pub oven: BelongsTo<super::oven::Entity>,
}

pub async fn named(db: &DbConn, name: &str) -> Option<Model> {
    Entity::find().filter(Column::Name.eq(name)).one(db).await.unwrap()
}
"""
OVENS = """\
pub mod hot_oven {
    use sea_orm::entity::prelude::*;
    #[derive(Clone, Debug, DeriveEntityModel)]
    #[sea_orm(table_name = "ovens")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
    }
}
"""
CODE = """\
use crate::entity::{pie, pie::Entity as Pie, prelude::*};
use sea_orm::*;

pub async fn bake(db: &DbConn) -> Result<pie::ActiveModel, DbErr> {
    pie::ActiveModel { name: Set("apple".to_owned()), ..Default::default() }.save(db).await
}

pub async fn eat(conn: &DbConn, id: i32) {
    Pie::delete_by_id(id).exec(conn).await;
}

pub async fn list(db: &DbConn) -> Vec<pie::Model> {
    pie::Entity::find().filter(pie::Column::OvenId.eq(3)).find_also_related(HotOven).all(db).await.unwrap()
}

pub async fn rename(db: &DbConn) {
    Pie::update_many().col_expr(pie::Column::Name, Expr::value("a")).exec(db).await;
}

pub async fn cakes(db: &DbConn) {
    model::Cake::find().filter(CakeColumn::OvenId.eq(3)).all(db).await;
}

pub fn count(map: &mut Map) {
    map.insert(db_key());
}
"""


def test_tables() -> None:
    """The attributes of a struct name its table and its columns; relations and comments add none."""
    found = tables({"src/entity/pie.rs": PIES, "src/entity/ovens.rs": OVENS}, "sea-orm")
    assert {name: columns(table) for name, table in found.items()} == {
        "pies": {"id": ("integer", False), "title": ("varchar", True), "oven_id": ("bigint", False)},
        "ovens": {"id": ("bigint", False)},
    }


def test_uses(tmp_path: Path) -> None:
    """Functions of entities and saved rows use the table of the module, by its name or by its alias."""
    prelude = "pub use super::pie::Column as CakeColumn;\npub use super::pie::Entity as Cake;\n"
    files = {"src/entity/pie.rs": PIES, "src/entity/ovens.rs": OVENS, "src/entity/prelude.rs": prelude, "src/store.rs": CODE}
    content = analysed(tmp_path, "".join(f"\n//- {path}\n{text}" for path, text in files.items()))
    assert uses_of(content, "src/entity/pie.rs") == ["named reads Model select", "named reads Model.name select"]
    assert uses_of(content, "src/store.rs") == [
        "bake modifies Model merge",
        "cakes reads Model select",
        "cakes reads Model.oven_id select",
        "eat modifies Model delete",
        "list reads Model select",
        "list reads Model.oven_id select",
        "list reads hot_oven.Model select",
        "rename modifies Model update",
        "rename reads Model.name update",
    ]


@pytest.mark.parametrize(
    "part",
    [
        "#[sea_orm(",
        '#[sea_orm(table_name = "a")] ',
        '#[sea_orm(table_name = "a")] struct Model {',
        "a::b::",
        "Entity :: find ",
        "a::ActiveModel { .insert(&mut self.",
        "mod a {",
        "pub a: Option<",
        "a :: Entity as A",
        "AColumn",
    ],
)
def test_hostile(part: str) -> None:
    """Unclosed parts of entities and statements take time that is linear in their number."""
    facts = extract_facts(b"", "rust")
    assert is_linear(lambda count: processor_seconds(lambda: add_sea_orm(facts, part * count)), 1_000)


def test_many_saved_rows() -> None:
    """A function that saves rows of many entities takes time that is linear in their number."""
    facts = extract_facts(b"fn fill() {\n\n}\n", "rust")

    def seconds(count: int) -> float:
        rows = " ".join(f"pie_{number}::ActiveModel {{}}.save(db);" for number in range(count))
        return processor_seconds(lambda: add_sea_orm(facts, f"fn fill() {{\n{rows}\n}}\n"))

    assert is_linear(seconds, 4_000)
