"""A changed declaration of Go affects the files that may read it, and those whose types may implement another interface now."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.indexing.indexer import Indexer
from incremental_report.__main__ import check
from incremental_steps import write_indexed

PROJECT = """
//- go.mod
module example.com/shop
//- stock/slip.go
package stock

type Slip struct{ Count int }

func (s *Slip) Stamp() {}

type Receipt struct{}

func (r *Receipt) Stamp() {}
//- stock/goods.go
package stock

type Goods struct{}

func (g *Goods) Slip() *Slip { return nil }

type Crate struct{ Goods }
//- stock/close.go
package stock

func (c *Crate) Close() error { return nil }
//- depot/depot.go
package depot

import "example.com/shop/stock"

var main = NewCrate()

var Spare = main

type Crates map[string]*stock.Crate

func NewCrate() *stock.Crate { return nil }

func All() Crates { return nil }
//- till/till.go
package till

import "example.com/shop/depot"

func Sell() {
	for _, each := range depot.All() {
		each.Slip().Stamp()
	}
}
//- till/spare.go
package till

import "example.com/shop/depot"

func Lend() { depot.Spare.Slip().Stamp() }
//- door/door.go
package door

type Closer interface{ Close() error }

type Both interface {
	Closer
	Open() error
}

type Gate struct{ Lock }

func (g *Gate) Open() error { return nil }
//- door/lock.go
package door

type Lock struct{}

func (l *Lock) Close() error { return nil }

func (l *Lock) Slip() {}
//- yard/truck.go
package yard

func Slip() { Stamp() }

func Stamp() {}
//- yard/rows.go
package yard

type Wagon struct{ ID int }

var table = "wagons"
//- yard/001_wagons.up.sql
CREATE TABLE wagons (id int PRIMARY KEY);
//- till/rows.go
package till

import (
	"example.com/shop/yard"
	"gorm.io/gorm"
)

func Load(db *gorm.DB) {
	var found yard.Wagon
	db.First(&found)
}
"""
STAMPED = (
    "MATCH (f:Symbol)-[:CALLS]->(t:Symbol {name: 'Stamp'}) WHERE f.name IN ['Sell', 'Lend']"
    " RETURN f.name, t.qualifiedName ORDER BY f.name"
)
IMPLEMENTED = "MATCH (s:Symbol)-[:IMPLEMENTS]->(t:Symbol) RETURN s.name AS n, t.name AS m ORDER BY n, m"
OVERRIDDEN = "MATCH (s:Symbol)-[:OVERRIDES]->(t:Symbol) RETURN s.qualifiedName AS n, t.qualifiedName AS m ORDER BY n, m"
READ = "MATCH (f:Symbol {name: 'Load'})-[:READS]->(t:Symbol) RETURN DISTINCT t.name"
BEFORE = [("Lend", "Slip.Stamp"), ("Sell", "Slip.Stamp")]
HEIRS = [("Crate", "Closer"), ("Gate", "Both"), ("Gate", "Closer"), ("Lock", "Closer")]

#: A file, a text in it and the new text; the result of a statement afterwards; and the number of resolved files.
CHANGES = {
    "another result, at the end of a chain": (
        ("stock/goods.go", "*Slip {", "*Receipt {"),
        (STAMPED, [("Lend", "Receipt.Stamp"), ("Sell", "Receipt.Stamp")]),
        5,
    ),
    "an embedded type less": (("stock/goods.go", "struct{ Goods }", "struct{ Slip }"), (STAMPED, []), 6),
    "another result of a function, on which a variable depends": (
        ("depot/depot.go", "NewCrate() *stock.Crate", "NewCrate() *stock.Slip"),
        (STAMPED, [("Sell", "Slip.Stamp")]),
        2,
    ),
    "the element of a map": (
        ("depot/depot.go", "map[string]*stock.Crate", "map[string]*stock.Receipt"),
        (STAMPED, [("Lend", "Slip.Stamp")]),
        2,
    ),
    "a method of an interface in a package that nobody imports": (
        ("door/door.go", "Closer interface{ Close() error }", "Closer interface{ Close(now bool) error }"),
        (IMPLEMENTED, []),
        4,
    ),
    "a pointer in a method of an interface": (
        ("door/door.go", "Close() error }", "Close() *error }"),
        (IMPLEMENTED, []),
        4,
    ),
    "a method of an embedded type": (
        ("door/lock.go", "Close() error", "Close(now bool) error"),
        (IMPLEMENTED, [("Crate", "Closer")]),
        2,
    ),
    "a method more, so that a method of an embedded type has another interface": (
        ("door/door.go", "func (g *Gate) Open() error { return nil }", ""),
        (OVERRIDDEN, [("Crate.Close", "Closer.Close"), ("Lock.Close", "Closer.Close")]),
        2,
    ),
    "a type inside of a function": (
        ("yard/truck.go", "{ Stamp() }", "{\n\ttype opener interface{ Open() error }\n\tStamp()\n}"),
        (IMPLEMENTED, sorted([*HEIRS, ("Gate", "opener"), ("Both", "opener")])),
        3,
    ),
    "a method that names the table of a struct": (
        ("yard/rows.go", "var table", "func (Wagon) TableName() string { return table }\n\nvar table"),
        (READ, []),
        2,
    ),
    "a field": (("stock/slip.go", "Count int", "Count int64"), (STAMPED, BEFORE), 1),
    "a body": (("stock/goods.go", "return nil", "return &Slip{}"), (STAMPED, BEFORE), 1),
    "an import": (("yard/truck.go", "package yard\n", 'package yard\n\nimport "example.com/shop/door"\n'), (STAMPED, BEFORE), 1),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", CHANGES)
def test_a_changed_declaration_affects_the_files_that_may_read_it(tmp_path: Path, kind: str) -> None:
    (path, old, new), (statement, expected), resolved = CHANGES[kind]
    root = tmp_path / "project"
    write_indexed(root, PROJECT)
    assert (_rows(root, STAMPED), _rows(root, IMPLEMENTED), _rows(root, READ)) == (BEFORE, HEIRS, [("wagons",)])
    file = root / path
    before = file.read_text()
    assert old in before
    for text in (before.replace(old, new), before):
        file.write_text(text)
        report = Indexer(root, root / ".astrolabe", Settings()).refresh()
        assert report.rebuilt_because == ""
        assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
        if text != before:
            assert _rows(root, statement) == expected
            assert report.work.resolved == resolved


def _rows(root: Path, statement: str) -> list[tuple[object, ...]]:
    with Workspace.locate(root) as workspace:
        return [tuple(row) for row in workspace.cypher(statement).rows]
