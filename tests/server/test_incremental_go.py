"""What changes of Go files change in the index: it equals one that is built at once, and bodies affect nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from incremental_steps import check_changes

SHOP = """
//- go.mod
module example.com/shop
//- stock/item.go
package stock

type Item struct{ Parent *Item }

func Default() *Item { return nil }
//- stock/save.go
package stock

func (i *Item) Save() error { return Default().Next().Save() }
func (i *Item) Next() *Item { return i.Parent }
//- till/till.go
package till

import "example.com/shop/stock"

func Sell() { stock.Default().Next().Save() }
//- door/door.go
package door

type Saver interface{ Save() error }

func Open(s Saver) { s.Save() }
//- main.go
package main

import "example.com/shop/till"

func main() { till.Sell() }
//- web/page.ts
export function page(opened: any) { return opened.depth }
"""
CALLED = "MATCH (f:Symbol {name: 'Sell'})-[:CALLS]->(t:Symbol) RETURN t.name ORDER BY t.name"
IMPLEMENTED = "MATCH (s:Symbol)-[:IMPLEMENTS]->(t:Symbol) RETURN s.name, t.name"

#: A body, a result, a type that embeds another one, and the method of an interface in a package that imports nothing.
CHANGES = (
    "//- stock/item.go\npackage stock\n\ntype Item struct{ Parent *Item }\n\nfunc Default() *Item { return Default() }\n",
    "//- stock/item.go\npackage stock\n\ntype Item struct{ Parent *Item }\n\nfunc Default() *Other { return nil }\n",
    "//- stock/other.go\npackage stock\n\ntype Other struct{ *Item }\n",
    # Code in TypeScript cannot mean this field.
    "//- stock/depth.go\npackage stock\n\ntype Depth struct{ depth int }\n",
    "//- door/door.go\npackage door\n\ntype Saver interface{ Save(n int) error }\n",
)


def test_changes_of_a_package_reach_its_importers(tmp_path: Path) -> None:
    called = [("Default",), ("Next",), ("Save",)]
    check_changes(tmp_path, SHOP, CHANGES, {CALLED: called, IMPLEMENTED: [("Item", "Saver")]}, {CALLED: called, IMPLEMENTED: []})


def test_another_version_of_a_module_gives_other_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, root = tmp_path / "cache", tmp_path / "app"
    for version, name in (("v1.0.0", "Seek"), ("v1.1.0", "Find")):
        (cache / f"example.com/shelf@{version}").mkdir(parents=True)
        text = f"package shelf\n\ntype Shelf struct{{}}\n\nfunc New() *Shelf\n\nfunc (s *Shelf) {name}() *Shelf\n"
        (cache / f"example.com/shelf@{version}/shelf.go").write_text(text)
    monkeypatch.setenv("GOMODCACHE", str(cache))
    root.mkdir()
    (root / "main.go").write_text('package main\n\nimport "example.com/shelf"\n\nfunc main() { shelf.New().Find() }\n')
    called = []
    for version in ("v1.0.0", "v1.1.0", "v1.2.0"):
        (root / "go.mod").write_text(f"module example.com/app\n\nrequire example.com/shelf {version}\n")
        with Workspace.locate(root) as workspace:
            workspace.index()
            rows = workspace.cypher(
                "MATCH (:Symbol {name: 'main'})-[:CALLS_EXTERNAL]->(e:External) RETURN e.name ORDER BY e.name"
            )
            called.append([row[0] for row in rows.rows])
    assert called == [["New"], ["New", "Shelf.Find"], ["New"]]


LINKED = """
//- go.mod
module example.com/house

go 1.22
//- main.go
package main

import _ "unsafe"

//go:linkname lock example.com/house/door.lock
func lock()

func main() { lock() }
//- door/door.go
package door

func Open() {}
"""
LINKS = "MATCH (a:Symbol)-[w:WIRED]->(s:Symbol) WHERE w.role = 'linked name' RETURN a.name, s.name, s.relativePath"

#: The function that is linked appears, moves to another file, and is gone from the first file.
LINKED_CHANGES = (
    "//- door/lock.go\npackage door\n\nfunc lock() {}\n",
    "//- door/lock.go\npackage door\n\nfunc turn() {}\n",
    "//- door/bolt.go\npackage door\n\nfunc lock() { turn() }\n",
)


def test_changes_of_a_linked_function_reach_the_file_with_the_directive(tmp_path: Path) -> None:
    check_changes(tmp_path, LINKED, LINKED_CHANGES, {LINKS: []}, {LINKS: [("lock", "lock", "door/bolt.go")]})
