"""Declarations that blocks of code in documents show, groups of declarations, and names that a package exports."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.documents.sections import CodeBlock
from astrolabe.ingest.documents.shown_declarations import shown_declarations
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

from tests.linear_time import is_linear, processor_seconds


def named(content: GraphContent, path: str) -> dict[int, set[str]]:
    """Return the symbols that each line of a document names, without the group around a symbol."""
    symbols = {symbol.id: symbol for symbol in content.symbols}
    found: dict[int, set[str]] = {}
    for edge in content.mentions:
        if symbols[edge.from_id].relative_path == path:
            target = symbols[edge.to_id]
            name = target.qualified_name.rpartition(", ")[2].partition(".")[2] if ", " in target.qualified_name else ""
            for line in edge.lines:
                found.setdefault(line, set()).add(f"{target.relative_path}#{name or target.qualified_name}")
    return found


def test_groups_of_go_and_what_blocks_show_of_it(tmp_path: Path) -> None:
    text = """
//- go.mod
module example.org/shop
//- status.go
package shop

const (
	StatusOpen   = 1
	StatusClosed = 2
)
//- cart/config.go
package cart

// Config of a cart.
type Config struct {
	MaxItems int
	Currency string
	Locale   string
}

type Publisher interface {
	Publish(topic string) error
	Close() error
}

func NewCart(name string, limit int) *Config { return nil }
//- till/config.go
package till

type Config struct {
	MaxItems int
	Timeout  int
}
//- docs/cart.md
# Cart

The status `shop.StatusOpen` is the first one.

```go
const (
    StatusOpen   = 1 // a new cart
    StatusClosed = 7
)

type Config struct {
    // MaxItems is the limit.
    MaxItems int
    Currency string
}

type Publisher interface {
    Publish(topic string) error
    Close() error
}

func NewCart(name string, limit int) *Config

type User struct {
    MaxItems int
    Name     string
}

func NewCart(name string) *User {
    return cart.Status(shop.StatusClosed)
}
```
"""
    content = analysed(tmp_path, text)
    config, publisher = "cart/config.go#Config", "cart/config.go#Publisher"
    assert named(content, "docs/cart.md") == {
        3: {"status.go#StatusOpen"},
        7: {"status.go#StatusOpen"},
        11: {config},
        12: {f"{config}.MaxItems"},
        13: {f"{config}.MaxItems"},
        14: {f"{config}.Currency"},
        17: {publisher},
        18: {f"{publisher}.Publish"},
        19: {f"{publisher}.Close"},
        22: {"cart/config.go#NewCart"},
        30: {"status.go#StatusClosed"},
    }


def test_what_blocks_show_of_python_and_constants(tmp_path: Path) -> None:
    text = """
//- shop/__init__.py
from .core import Cart
//- shop/core.py
MAX_ITEMS = 30
MIN_ITEMS: int = 1

class Cart:
    limit: int = 3
    def pay_later(self, days): ...
    def total(self): ...
//- shop/_memory.py
class Cart:
    def total(self): ...
//- docs/guide.md
# Guide

Call `Cart.total`.

## `total`

```python
MIN_ITEMS = 1
limit = min(MAX_ITEMS, open_till(MAX_ITEMS=2))
MAX_ITEMS = 4

class Cart:
    \"\"\"A cart\"\"\"
    def pay_later(self, days):
        return days
    def total(self):
        return 1

class Cart(Thing):
    def other(self): ...
    def more(self): ...
```

```python
total(self)
```
"""
    content = analysed(tmp_path, text)
    assert named(content, "docs/guide.md") == {
        3: {"shop/core.py#Cart", "shop/core.py#Cart.total"},
        5: {"shop/core.py#Cart.total"},
        8: {"shop/core.py#MIN_ITEMS"},
        9: {"shop/core.py#MAX_ITEMS"},
        12: {"shop/core.py#Cart"},
        14: {"shop/core.py#Cart.pay_later"},
        16: {"shop/core.py#Cart.total"},
        25: {"shop/core.py#Cart.total"},
    }


def test_a_member_of_typescript_below_a_title_with_its_name(tmp_path: Path) -> None:
    text = """
//- src/listeners.ts
export interface FormListeners { onMount?: () => void; onClose(): void }
export interface FieldListeners { onMount?: () => void; onClose(): void }
//- docs/FieldListeners.md
# Interface: FieldListeners

## onMount?

```ts
optional onMount: () => void;
```

## Others

```ts
optional onMount: () => void;
```
"""
    content = analysed(tmp_path, text)
    found = named(content, "docs/FieldListeners.md")
    assert found[6] == {"src/listeners.ts#FieldListeners.onMount"}
    assert 12 not in found


@pytest.mark.parametrize("part", ["class A {\n  b: c;\n", "def a(", "A = ", "export ", "type A struct {\n", "a, ", "    a: b\n"])
def test_blocks_are_read_in_linear_time(part: str) -> None:
    def seconds(count: int) -> float:
        block = CodeBlock(1, "ts", part * count)
        return processor_seconds(lambda: list(shown_declarations([block])))

    assert is_linear(seconds, 4_000)


def test_columns_count_characters_of_lines_with_tabs() -> None:
    block = CodeBlock(5, "go", "type Till struct {\n\tName string\n\tOpen bool // since nine\n\n\tlimit int\n}")
    places = {(shown.names[0], shown.line, shown.column) for shown in shown_declarations([block])}
    assert places == {("Till", 5, 6), ("Name", 6, 2), ("Open", 7, 2)}
