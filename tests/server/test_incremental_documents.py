"""What a change of code and of documents changes in the edges of documents: the index equals one that is built at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from incremental_report.__main__ import check
from incremental_steps import write_indexed
from written_workspace import write

SHOP = """
//- src/shop/cart.py
class Cart:
    def add_item(self): ...
//- src/shop/pay.py
def due_amount(): ...
//- src/shop/stock.py
def left_over(): ...
//- src/shop/mail.py
def send_mail(): ...
//- docs/guide.md
# Guide
`Cart.add_item()`, `due_amount()`, `src/shop/late.py` and [the end](api.md#end).
//- docs/api.md
# End
//- docs/other.md
# Other
`left_over()`
//- src/shop/__init__.py
from .trade import buy
from .locks import Lock
//- src/shop/locks.py
class Lock: ...
//- src/shop/_old.py
class Lock: ...
//- docs/lock.md
# Locks
`Lock`
//- docs/given.md
```python
from shop import buy as given
```
//- docs/taken.md
# Taken
```python
given()
```
//- kit/lid.hpp
void open_lid();
void close_lid();
void turn_lid();
//- kit/all.hpp
void open_lid();
void close_lid();
void turn_lid();
void one();
void two();
void three();
//- docs/lid.md
# Lids
`open_lid()`
//- src/shop/boxes.py
class Drawer:
    def shut(self): ...
class Chest:
    def shut(self): ...
//- src/shop/one.py
from .boxes import Chest, Drawer
box = Drawer()
//- docs/box.md
# Boxes
```python
box.shut()
```
//- src/shop/money.py
class Note:
    def fold(self): ...
class Coin:
    def fold(self): ...
def take(): return Note()
//- src/shop/till.py
from .money import take
class Till:
    def change(self): return take()
//- docs/till.md
# Tills
```python
from shop.till import Till
till = Till()
till.change().fold()
```
//- docs/model.md
# Models
```python
class Parcel(Drawer): ...
```
//- docs/parcels.md
# Parcels
```python
Parcel().shut()
```
//- yard/go.mod
module example.com/yard
go 1.22
//- yard/gate.go
package yard
type lock struct{}
func (l *lock) Turn() *Key { return nil }
type Gate struct{ *lock }
type Key struct{}
func (k *Key) Hang() {}
func Open() *Gate { return nil }
//- docs/yard.md
# Yard
```go
gate := yard.Open()
gate.Turn().Hang()
```
//- docs/pond.md
# Pond
```go
import water "example.com/yard/pond"
water.Fill().Drain()
```
//- src/main/java/org/barn/Barn.java
package org.barn;
public class Barn {
    public Hay fork() { return null; }
}
//- src/main/java/org/barn/Hay.java
package org.barn;
public class Hay {
    public void stack() {}
}
//- src/main/java/org/barn/Straw.java
package org.barn;
public class Straw {
    public void stack() {}
}
//- src/main/kotlin/org/acre/Field.kt
package org.acre
class Wheat {
    fun reap() {}
}
class Barley {
    fun reap() {}
}
typealias Work = Wheat.() -> Unit
fun farm(work: Work) {}
//- docs/field.md
# Field
```kotlin
farm { reap() }
```
//- docs/barn.md
# Barn
```java
import org.barn.Barn;
new Barn().fork().stack();
```
//- src/shop/trade.py
def buy(): ...
//- src/shop/sale.py
def sell(): return "quick-sale"
//- docs/quick.md
# Quick
`quick-sale`
//- docs/use.md
# Use
```python
import shop
from shop import buy, late
shop.buy()
```
//- docs/parts.mmd
flowchart LR
  A[left_over] -- then --> B
//- docs/release.md
# Release process
1. Test
2. Publish
//- kit/package.json
{"name": "shop-kit", "main": "index.js"}
//- kit/index.js
const { startTill, pause: halt } = require('./till')
module.exports = {
  open: () => startTill(),
  start: startTill,
  pause: halt,
  other: require('./other'),
  close() {},
}
//- kit/till.js
exports.startTill = function () {}
exports.pause = () => {}
//- kit/other.js
function open() {}
function refund() {}
module.exports = { open }
//- docs/kit.md
# Kit
```js
const { open, other, refund } = require('shop-kit')
open()
other()
refund()
const kit = require('shop-kit')
kit.start()
kit.pause()
kit.close()
```
//- pyproject.toml
[project]
name = "shop"
scripts = { shop = "shop.cli:main" }
//- src/shop/cli.py
import os
def main(parser):
    parser.add_argument("--port")
    parser.add_argument("--quiet")
    parser.add_argument("--fast")
    return os.environ["SHOP_LIMIT"]
//- docs/run.md
# Run
`shop --port 80` reads `SHOP_LIMIT`
"""

MENTIONS = "MATCH (s:Symbol)-[r:MENTIONS]->(t:%s) WHERE s.relativePath = 'docs/guide.md' RETURN t.%s ORDER BY t.%s"
NAMED = MENTIONS % ("Symbol", "name", "name")
FILES = MENTIONS % ("File", "relativePath", "relativePath")
LOST = MENTIONS % ("UnresolvedSpecifier", "specifier", "specifier")

KIT = (
    "MATCH (f:Symbol {relativePath: 'docs/kit.md'})-[r:MENTIONS]->(s) WHERE label(s) <> 'File' "
    "RETURN coalesce(s.breadcrumb, s.specifier), r.evidence ORDER BY coalesce(s.breadcrumb, s.specifier), r.evidence"
)
CALLED = "MATCH (s:Symbol {relativePath: 'docs/use.md'})-[r:MENTIONS {evidence: 'call'}]->(t:Symbol) RETURN t.relativePath"
IMPORTED = (
    "MATCH (s:Symbol {relativePath: 'docs/use.md'})-[r:MENTIONS {evidence: 'import'}]->(t:File) "
    "RETURN t.relativePath ORDER BY t.relativePath"
)
YARD = (
    "MATCH (s:Symbol {relativePath: 'docs/%s.md'})-[r:MENTIONS]->(t:Symbol) "
    "RETURN DISTINCT t.relativePath, t.name ORDER BY t.relativePath, t.name"
)
TERMS = "MATCH (s:Symbol {relativePath: 'docs/run.md'})-[r:MENTIONS]->(t:Symbol) RETURN t.name, r.evidence ORDER BY r.evidence"


def written(text: str) -> Callable[[Path], object]:
    return lambda root: write(root, text)


def removed(name: str) -> Callable[[Path], object]:
    return lambda root: (root / name).unlink()


#: What is changed, a query, and its rows before and after.
CHANGES = {
    "a member goes": (
        written("//- src/shop/cart.py\nclass Cart: ...\n"),
        LOST,
        [("src/shop/late.py",)],
        [("Cart.add_item",), ("src/shop/late.py",)],
    ),
    "a second symbol gets the name": (
        written("//- src/shop/bill.py\ndef due_amount(): ...\n"),
        LOST,
        [("src/shop/late.py",)],
        [("due_amount",), ("src/shop/late.py",)],
    ),
    "a file goes": (
        removed("src/shop/pay.py"),
        NAMED,
        [("Cart",), ("End",), ("add_item",), ("due_amount",)],
        [("Cart",), ("End",), ("add_item",)],
    ),
    "a folder gets the name of a string": (
        written("//- kit/quick-sale/late.py\nx = 1\n"),
        YARD % "quick",
        [("src/shop/sale.py", "sell")],
        [],
    ),
    "a file comes": (written("//- src/shop/late.py\nx = 1\n"), FILES, [], [("src/shop/late.py",)]),
    "a heading changes": (
        written("//- docs/api.md\n# The end\n"),
        LOST,
        [("src/shop/late.py",)],
        [("api.md#end",), ("src/shop/late.py",)],
    ),
    "a function of a diagram goes": (
        removed("src/shop/stock.py"),
        "MATCH (s:Symbol)-[r:MENTIONS]->(t:Symbol) WHERE s.relativePath = 'docs/parts.mmd' RETURN t.name",
        [("left_over",)],
        [],
    ),
    "a diagram changes": (
        written("//- docs/parts.mmd\nflowchart LR\n  A[due_amount] -- pays --> C\n"),
        "MATCH (s:Symbol)-[r:MESSAGE]->(t:Symbol) RETURN s.name, r.label, t.name",
        [("left_over", "then", "B")],
        [("due_amount", "pays", "C")],
    ),
    "a step comes": (
        written("//- docs/release.md\n# Release process\n1. Test\n2. Tag\n3. Publish\n"),
        "MATCH (s:Symbol)-[r:NEXT_STEP]->(t:Symbol) RETURN s.name, t.name ORDER BY s.name",
        [("Test", "Publish")],
        [("Tag", "Publish"), ("Test", "Tag")],
    ),
    "what a section says changes": (
        written("//- docs/release.md\n# Release process\n1. Test\n2. If it fails, go to step 1\n"),
        "MATCH (s:Symbol)-[r:SECTION_FIELDS {type: 'workflow'}]->(f:File) RETURN s.name, r.form, r.fields CONTAINS 'If it fails'",
        [("Release process", "numbered list", False)],
        [("Release process", "numbered list", True)],
    ),
    "a package exports the function that a block calls from elsewhere": (
        written("//- src/shop/__init__.py\nfrom .sale import sell as buy\n"),
        CALLED,
        [("src/shop/trade.py",)],
        [("src/shop/sale.py",)],
    ),
    "the function that a block calls moves": (
        written("//- src/shop/__init__.py\nfrom .sale import buy\n//- src/shop/trade.py\n//- src/shop/sale.py\ndef buy(): ...\n"),
        CALLED,
        [("src/shop/trade.py",)],
        [("src/shop/sale.py",)],
    ),
    "a module that a block imports beside other names comes": (
        written("//- src/shop/late.py\ndef wait(): ...\n"),
        IMPORTED,
        [("src/shop/__init__.py",)],
        [("src/shop/__init__.py",), ("src/shop/late.py",)],
    ),
    "the function that a block calls goes": (
        written("//- src/shop/__init__.py\n//- src/shop/trade.py\n"),
        CALLED,
        [("src/shop/trade.py",)],
        [],
    ),
    "another page imports something else under a name": (
        written("//- docs/given.md\n```python\nfrom shop import Lock as given\n```\n"),
        "MATCH (s:Symbol {relativePath: 'docs/taken.md'})-[r:MENTIONS]->(t:Symbol) RETURN t.name",
        [("buy",)],
        [("Lock",)],
    ),
    "a setting is read elsewhere": (
        written(
            "//- src/shop/cli.py\ndef main(parser): parser.add_argument('--port')\n"
            "//- src/shop/mail.py\nimport os\ndef send_mail():\n    return os.environ['SHOP_LIMIT']\n"
        ),
        TERMS,
        [("main", "flag"), ("main", "setting")],
        [("main", "flag"), ("send_mail", "setting")],
    ),
    "a flag goes": (
        written(
            "//- src/shop/cli.py\ndef main(parser):\n    parser.add_argument('--quiet')\n    parser.add_argument('--fast')\n"
            "    parser.add_argument('--slow')\n"
        ),
        "MATCH (s:Symbol)-[r:MENTIONS]->(t:UnresolvedSpecifier) WHERE s.relativePath = 'docs/run.md' RETURN t.specifier",
        [],
        [("--port",)],
    ),
    "a module exports the whole of another": (
        written(
            "//- kit/index.js\nmodule.exports = {\n  close() {},\n  other: 1,\n  start: 1,\n  ...require('./other'),\n}\n"
            "//- kit/other.js\nfunction open() {}\nfunction refund() {}\nmodule.exports = { refund, pause() {} }\n"
        ),
        KIT,
        [
            ("kit/index.js > module.exports > close", "call"),
            ("kit/index.js > module.exports > open", "call"),
            ("kit/index.js > module.exports > open", "import"),
            ("kit/till.js > pause", "call"),
            ("kit/till.js > startTill", "call"),
            ("shop-kit.refund", "call"),
            ("shop-kit.refund", "import"),
        ],
        [
            ("kit/index.js > module.exports > close", "call"),
            ("kit/other.js > module.exports = { refund, pause() {} } > pause", "call"),
            ("kit/other.js > refund", "call"),
            ("kit/other.js > refund", "import"),
            ("shop-kit.open", "call"),
            ("shop-kit.open", "import"),
        ],
    ),
    "a package exports another class of the name": (
        written("//- src/shop/__init__.py\nfrom .trade import buy\nfrom ._old import Lock\n"),
        "MATCH (s:Symbol {relativePath: 'docs/lock.md'})-[r:MENTIONS]->(t:Symbol) RETURN t.relativePath",
        [("src/shop/locks.py",)],
        [("src/shop/_old.py",)],
    ),
    "a header becomes the single header of others": (
        written(
            "//- kit/all.hpp\nvoid open_lid();\nvoid close_lid();\nvoid turn_lid();\nvoid one();\nvoid two();\nvoid three();\n"
            "void four();\n"
        ),
        "MATCH (s:Symbol {relativePath: 'docs/lid.md'})-[r:MENTIONS]->(t:Symbol) RETURN t.relativePath",
        [("kit/all.hpp",)],
        [("kit/lid.hpp",)],
    ),
    "a value of code has another type": (
        written("//- src/shop/one.py\nfrom .boxes import Chest, Drawer\nbox = Chest()\n"),
        "MATCH (s:Symbol {relativePath: 'docs/box.md'})-[r:MENTIONS]->(t:Symbol) RETURN t.breadcrumb",
        [("src/shop/boxes.py > Drawer > shut",)],
        [("src/shop/boxes.py > Chest > shut",)],
    ),
    "a function behind what a block calls returns another class": (
        written(
            "//- src/shop/money.py\nclass Note:\n    def fold(self): ...\nclass Coin:\n    def fold(self): ...\n"
            "def take(): return Coin()\n"
        ),
        "MATCH (s:Symbol {relativePath: 'docs/till.md'})-[r:MENTIONS]->(t:Symbol {name: 'fold'}) RETURN t.breadcrumb",
        [("src/shop/money.py > Note > fold",)],
        [("src/shop/money.py > Coin > fold",)],
    ),
    "a class of another page has another ancestor": (
        written("//- docs/model.md\n# Models\n```python\nclass Parcel(Chest): ...\n```\n"),
        "MATCH (s:Symbol {relativePath: 'docs/parcels.md'})-[r:MENTIONS]->(t:Symbol) RETURN t.breadcrumb",
        [("src/shop/boxes.py > Drawer > shut",)],
        [("src/shop/boxes.py > Chest > shut",)],
    ),
    "a method behind what a block of Go calls has another name": (
        written(
            "//- yard/gate.go\npackage yard\ntype lock struct{}\nfunc (l *lock) Turn() *Key { return nil }\n"
            "type Gate struct{ *lock }\ntype Key struct{}\nfunc (k *Key) Hide() {}\nfunc Open() *Gate { return nil }\n"
        ),
        YARD % "yard",
        [("yard/gate.go", "Hang"), ("yard/gate.go", "Open"), ("yard/gate.go", "Turn")],
        [("yard/gate.go", "Open"), ("yard/gate.go", "Turn")],
    ),
    "a type that a block of Go does not name embeds nothing": (
        written(
            "//- yard/gate.go\npackage yard\ntype lock struct{}\nfunc (l *lock) Turn() *Key { return nil }\n"
            "type Gate struct{}\ntype Key struct{}\nfunc (k *Key) Hang() {}\nfunc Open() *Gate { return nil }\n"
        ),
        YARD % "yard",
        [("yard/gate.go", "Hang"), ("yard/gate.go", "Open"), ("yard/gate.go", "Turn")],
        [("yard/gate.go", "Open")],
    ),
    "a package that a block of Go imports comes": (
        written(
            "//- yard/pond/pond.go\npackage pond\ntype Pond struct{}\nfunc Fill() *Pond { return nil }\n"
            "func (p *Pond) Drain() {}\n"
        ),
        YARD % "pond",
        [],
        [("yard/pond/pond.go", "Drain"), ("yard/pond/pond.go", "Fill")],
    ),
    "a package has another name than a block of Go says": (
        written(
            "//- yard/gate.go\npackage court\ntype lock struct{}\nfunc (l *lock) Turn() *Key { return nil }\n"
            "type Gate struct{ *lock }\ntype Key struct{}\nfunc (k *Key) Hang() {}\nfunc Open() *Gate { return nil }\n"
        ),
        YARD % "yard",
        [("yard/gate.go", "Hang"), ("yard/gate.go", "Open"), ("yard/gate.go", "Turn")],
        [],
    ),
    "a method that a block of Java calls returns another type": (
        written(
            "//- src/main/java/org/barn/Barn.java\npackage org.barn;\npublic class Barn {\n"
            "    public Straw fork() { return null; }\n}\n"
        ),
        YARD % "barn",
        [
            ("src/main/java/org/barn/Barn.java", "Barn"),
            ("src/main/java/org/barn/Barn.java", "fork"),
            ("src/main/java/org/barn/Hay.java", "stack"),
        ],
        [
            ("src/main/java/org/barn/Barn.java", "Barn"),
            ("src/main/java/org/barn/Barn.java", "fork"),
            ("src/main/java/org/barn/Straw.java", "stack"),
        ],
    ),
    "a lambda of Kotlin has another receiver": (
        written(
            "//- src/main/kotlin/org/acre/Field.kt\npackage org.acre\nclass Wheat {\n    fun reap() {}\n}\n"
            "class Barley {\n    fun reap() {}\n}\ntypealias Work = Barley.() -> Unit\nfun farm(work: Work) {}\n"
        ),
        "MATCH (s:Symbol {relativePath: 'docs/field.md'})-[r:MENTIONS]->(t:Symbol {name: 'reap'}) RETURN t.breadcrumb",
        [("src/main/kotlin/org/acre/Field.kt > Wheat > reap",)],
        [("src/main/kotlin/org/acre/Field.kt > Barley > reap",)],
    ),
    "a name is written": (
        written("//- docs/guide.md\n# Guide\n`send_mail()`\n"),
        NAMED,
        [("Cart",), ("End",), ("add_item",), ("due_amount",)],
        [("send_mail",)],
    ),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("change", "query", "before", "after"), CHANGES.values(), ids=CHANGES)
def test_a_change_of_what_documents_name(
    tmp_path: Path, change: Callable[[Path], object], query: str, before: list[object], after: list[object]
) -> None:
    root = tmp_path / "project"
    write_indexed(root, SHOP)
    with Workspace.locate(root) as workspace:
        assert workspace.cypher(query).rows == before
    change(root)
    with Workspace.locate(root) as workspace:
        report = workspace.index()
        assert report.rebuilt_because == ""
        assert workspace.cypher(query).rows == after
    assert check(root, root / ".astrolabe", tmp_path / "fresh") == []
