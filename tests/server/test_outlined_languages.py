"""Files of languages of which there is an outline alone: found, shown whole, looked up, and nothing claimed about their edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from answer_report.snapshot_rules import Shown, Target, violations
from astrolabe.retrieval.text.structure_tokens import structure_tokens
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": '''"""Carts."""

import os
import logging as log
from decimal import (
    Decimal,
    ROUND_HALF_UP,
    getcontext,
    localcontext,
    Context,
    InvalidOperation,
)

RATE = Decimal("0.19")


class Cart(dict):
    """What a customer wants to buy."""

    currency = "EUR"

    def __init__(self, owner):
        self.owner = owner

    @property
    def total(self) -> Decimal:
        """The sum of all prices, with taxes, rounded to cents."""
        # don't round each of them
        with localcontext():
            return sum(self.values()).quantize(Decimal("0.01"), ROUND_HALF_UP)

    def remove(self, item: str) -> None:
        log.info("removed %s", item)
        del self[item]
''',
    "shop/order.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .cart import Cart\n\n\n"
    "def order(cart: 'Cart') -> bool:\n    from .pay import pay\n\n    return pay(cart)\n",
    "shop/pay.py": "from .order import order\n\n\ndef pay(cart):\n    return order and cart\n",
    "go.mod": "module example.com/shop\n",
    "server/server.go": """package server

import (
	"fmt"
	"net/http"
)

// Server answers.
type Server struct {
	name string
}

// ServeHTTP greets whoever asks for a page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL == nil {
		fmt.Fprintln(w, '}', "{ unbalanced")
	}
}
""",
    "lib/stock.rb": """require "json"

# Goods.
module Stock
  class Shelf
    # Puts goods on the shelf until it is full.
    def put(goods)
      @goods << goods unless full?
    end

    def full?
      @goods.size > 10
    end
  end
end
""",
    "src/Basket.java": """package shop;

import java.util.List;
import java.util.Map;

/** Holds goods. */
public class Basket<T extends Comparable<T>> implements Holder {
    private final List<T> goods;

    public Basket(List<T> goods) {
        this.goods = goods;
    }

    /** The cheapest goods in the basket. */
    @Override
    public T cheapest() {
        char brace = '{';
        return goods.stream().min(T::compareTo).get();
    }
}
""",
    "src/lock.rs": """use std::sync::{Arc, Mutex};

pub struct Lock<'a> {
    inner: &'a Mutex<u8>,
}

impl<'a> Lock<'a> {
    /// Waits until nobody else holds the lock.
    pub fn wait(&self) -> Arc<u8> {
        let quote = '\\'';
        Arc::new(*self.inner.lock().unwrap())
    }
}
""",
    "web/cart.ts": "export function showCart() { return price() }\nfunction price() { return 1 }\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    root = tmp_path_factory.mktemp("shop")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    workspace = Workspace(root, root / ".astrolabe", Settings())
    workspace.index()
    yield workspace
    workspace.close()


#: A question, the file and line of the first result, and its name.
FOUND = [
    ("sum of all prices with taxes", "shop/cart.py", "total"),
    ("greet whoever asks for a page", "server/server.go", "ServeHTTP"),
    ("put goods on the shelf until it is full", "lib/stock.rb", "put"),
    ("cheapest goods in the basket", "src/Basket.java", "cheapest"),
    ("wait until nobody else holds the lock", "src/lock.rs", "wait"),
    ("Server.ServeHTTP", "server/server.go", "ServeHTTP"),
    ("Cart", "shop/cart.py", "Cart"),
]


@pytest.mark.parametrize(("question", "file", "name"), FOUND)
def test_what_is_found_first(shop: Workspace, question: str, file: str, name: str) -> None:
    first = next(iter(shop.search(question)))
    assert (first.file, first.name) == (file, name)


#: A lookup, and the excerpt that it shows: whole, in the lines that hold it, with the imports that it uses.
SHOWN = [
    (
        "shop/cart.py > Cart > total",
        """// shop/cart.py

from decimal import (
    Decimal,
    ROUND_HALF_UP,
    localcontext,
)

class Cart(dict):
    @property
    def total(self) -> Decimal:
        \"""The sum of all prices, with taxes, rounded to cents.\"""
        # don't round each of them
        with localcontext():
            return sum(self.values()).quantize(Decimal("0.01"), ROUND_HALF_UP)""",
    ),
    (
        "Server > ServeHTTP",
        """// server/server.go

import (
	"fmt"
	"net/http"
)

// Server answers.
type Server struct {
	name string
}

// ServeHTTP greets whoever asks for a page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL == nil {
		fmt.Fprintln(w, '}', "{ unbalanced")
	}
}""",
    ),
    (
        "Stock > Shelf > put",
        """// lib/stock.rb

module Stock
  class Shelf
    # Puts goods on the shelf until it is full.
    def put(goods)
      @goods << goods unless full?
    end
  end
end""",
    ),
    (
        "Basket > cheapest",
        """// src/Basket.java

public class Basket<T extends Comparable<T>> implements Holder {
    private final List<T> goods;

    /** The cheapest goods in the basket. */
    @Override
    public T cheapest() {
        char brace = '{';
        return goods.stream().min(T::compareTo).get();
    }
}""",
    ),
    (
        "Lock > wait",
        """// src/lock.rs

use std::sync::{Arc, Mutex};

impl<'a> Lock<'a> {
    /// Waits until nobody else holds the lock.
    pub fn wait(&self) -> Arc<u8> {
        let quote = '\\'';
        Arc::new(*self.inner.lock().unwrap())
    }
}""",
    ),
]


@pytest.mark.parametrize(("lookup", "excerpt"), SHOWN, ids=[lookup for lookup, _ in SHOWN])
def test_what_a_lookup_shows(shop: Workspace, lookup: str, excerpt: str) -> None:
    assert shop.search(f"symbol = {lookup}").text.partition("// ")[2] == excerpt.removeprefix("// ")


#: What people write to look something up, and what that is.
WRITTEN = [
    ("shop.cart.Cart.total", "total"),
    ("def remove", "remove"),
    ("(*Server).ServeHTTP", "ServeHTTP"),
    ("func (s *Server) ServeHTTP", "ServeHTTP"),
    ("shop.Server.ServeHTTP", None),
    ("Basket->cheapest", "cheapest"),
    ("src.Basket#cheapest()", "cheapest"),
    ("public class Basket", "Basket"),
    ("crate::lock::Lock::wait", "wait"),
    ("Stock\\Shelf\\put", "put"),
    ("cart.showCart", None),
]


@pytest.mark.parametrize(("written", "name"), WRITTEN, ids=[written for written, _ in WRITTEN])
def test_names_are_looked_up_as_each_language_writes_them(shop: Workspace, written: str, name: str | None) -> None:
    found = [result.name for result in shop.search(f"symbol = {written}")]
    assert found[:1] == ([name] if name else [])


def test_a_line_of_a_long_file_at_the_root_is_found(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    functions = "".join(f"int step_{number}(int x)\n{{\n\treturn x + {number};\n}}\n\n" for number in range(400))
    workspace = indexed_project({"main.c": functions, "lib/a.c": "int other(void) { return 1; }\n"})
    for number in (3, 397):
        trace = f"/home/me/app/main.c:{number * 5 + 3}:2: error: use of undeclared identifier"
        assert next(iter(workspace.search(trace))).name == f"step_{number}"


def test_a_class_that_is_too_long_shows_its_members(shop: Workspace) -> None:
    text = shop.search("symbol = shop/cart.py > Cart", budget=260).text
    assert "    def __init__(self, owner): ..." in text
    assert "    def remove(self, item: str) -> None: ..." in text
    assert "del self[item]" not in text


@pytest.mark.parametrize("path", [name for name in FILES if name.endswith((".py", ".go", ".rb", ".java", ".rs")) and FILES[name]])
@pytest.mark.parametrize("budget", [100, 200, 400])
def test_no_answer_is_over_its_budget(shop: Workspace, path: str, budget: int) -> None:
    found = shop.search(f"symbol = {path}", budget=budget)
    assert found.tokens <= budget


def test_a_line_of_a_stack_trace_leads_to_its_function(shop: Workspace) -> None:
    trace = 'Traceback (most recent call last):\n  File "/srv/shop/cart.py", line 32, in remove\n    del self[item]\nKeyError: 1'
    first = next(iter(shop.search(trace)))
    assert (first.file, first.name) == ("shop/cart.py", "remove")


def test_language_filters_take_usual_names(shop: Workspace) -> None:
    assert {result.file for result in shop.search("goods", languages=["golang", "rb"], limit=20)} <= {
        "server/server.go",
        "lib/stock.rb",
    }


def test_nothing_is_claimed_about_calls(shop: Workspace) -> None:
    assert "refs: none" not in shop.search("symbol = Cart > remove").text
    assert "(those of ruby and rust are not known)" in shop.search("goods", languages=["rust", "rb"], limit=20).text
    assert "Server.ServeHTTP → [1] Server" in shop.search("Server", languages=["golang"], limit=20).text
    assert shop.symbol("Cart").impact().nothing is None
    for analysis in (shop.symbol("Cart > remove").references(), shop.symbol("Cart > remove").callers()):
        assert analysis.nothing is not None
        assert analysis.nothing.kind in ("unresolved", "related")  # `remove` overrides the method of a list
        assert "python" in analysis.nothing.message
    assert shop.symbol("showCart").callers().nothing.kind == "none"  # type: ignore[union-attr]


def test_checks_do_not_say_what_nobody_knows(indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    workspace = indexed_project(
        {
            "a/__init__.py": "",
            "a/one.py": "def one():\n    return 1\n",
            "src/shop/A.kt": "package shop\nimport shop.B\nclass A\n",
            "src/shop/B.kt": "package shop\nimport shop.A\nclass B\n",
        }
    )
    answer = workspace.lint(checks=["all"]).answer
    assert [(each.symbol, each.file) for each in answer.dead_code or ()] == [("one", "a/one.py")]
    assert answer.notes == ("Dead code is not looked for in kotlin: the index has outlines of it, without uses.",)
    (circle,) = answer.circular_deps or ()
    assert circle.severity == "info"
    text = workspace.map(detect_circular=True, include_graph=True).text
    assert "that nothing imports" not in text
    assert "circle (not while loading)" in text


def test_types_are_not_taken_out_of_signatures_of_other_languages(shop: Workspace) -> None:
    flows = shop.symbol("Server > ServeHTTP").type_flows()
    assert (flows.parameters, flows.nothing.kind if flows.nothing else "") == ((), "none")
    assert "Types in" not in shop.search("symbol = Cart > remove").text


@pytest.mark.parametrize(
    ("path", "source", "tokens"),
    [
        ("a.py", 'def f(x):\n    """Many words.\n    More."""\n    # and more\n    return x // 2\n', 12),
        ("a.sh", "n=$# # what it is\n", 4),
        ("a.lua", "x = 1 -- what it is\n", 3),
        ("a.go", "x = 1 // what it is\n", 3),
    ],
)
def test_words_of_comments_are_no_structure(path: str, source: str, tokens: int) -> None:
    assert len(structure_tokens(source, path)) == tokens


def test_dead_code_and_orphans_are_of_files_whose_uses_are_known(shop: Workspace) -> None:
    assert {dead.file for dead in shop.lint(checks=["dead-code"]).answer.dead_code} <= {
        "web/cart.ts",
        "shop/cart.py",
        "src/Basket.java",
    }
    assert set(shop.map(find_orphans=True).answer.graph.orphans) <= {"web/cart.ts"}


def test_imports_lead_to_files(shop: Workspace) -> None:
    rows = shop.cypher("MATCH (a:File)-[i:IMPORTS]->(b:File) RETURN a.relativePath, b.relativePath, i.form, i.typeOnly").rows
    assert sorted(map(list, rows)) == [
        ["shop/order.py", "shop/cart.py", "import", True],
        ["shop/order.py", "shop/pay.py", "dynamic", False],
        ["shop/pay.py", "shop/order.py", "import", False],
    ]


def test_a_circle_that_is_not_closed_while_files_load_is_harmless(shop: Workspace) -> None:
    (cycle,) = shop.map(detect_circular=True).answer.graph.circular
    assert (set(cycle.chain), cycle.severity) == ({"shop/order.py", "shop/pay.py"}, "info")


def test_a_map_names_what_others_may_use(shop: Workspace) -> None:
    rows = shop.cypher("MATCH (f:File)-[e:EXPORTS]->(:Symbol) RETURN f.relativePath, e.name").rows
    assert sorted(map(list, rows)) == [
        ["lib/stock.rb", "Shelf"],
        ["lib/stock.rb", "Stock"],
        ["server/server.go", "Server"],
        ["shop/cart.py", "Cart"],
        ["shop/cart.py", "RATE"],
        ["shop/order.py", "order"],
        ["shop/pay.py", "pay"],
        ["src/Basket.java", "Basket"],
        ["src/lock.rs", "Lock"],
        ["web/cart.ts", "showCart"],
    ]


def test_text_is_searched_to_the_letter(shop: Workspace) -> None:
    assert shop.find("unbalanced").answer.total_matches == 1
    assert shop.find("import", is_regex=False).answer.total_matches == 10


def test_folders_of_dependencies_are_left_out(tmp_path: Path, indexed_project: Callable[[dict[str, str]], Workspace]) -> None:
    workspace = indexed_project(
        {
            "go.mod": "module a\n",
            "a.go": "package a\n",
            "vendor/b/b.go": "package b\n",
            "env/pyvenv.cfg": "home = /usr\n",
            "env/lib/x.py": "x = 1\n",
            "rust/Cargo.toml": '[package]\nname = "r"\n',
            "rust/target/x.rs": "fn x() {}\n",
            "plain/vendor/own.py": "y = 1\n",
        }
    )
    status = workspace.status()
    assert status.files == 2
    assert {exclusion.path for exclusion in status.excluded} == {"vendor", "env", "rust/target"}


def test_tests_among_other_code_are_results_for_those_who_ask_for_tests(
    indexed_project: Callable[[dict[str, str]], Workspace],
) -> None:
    source = """/// Splits a header into its name and value.
pub fn parse_header(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    Some((name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_header() {
        let (name, value) = parse_header("name: value").unwrap();
        assert_eq!((name, value), ("name", "value"));
    }
}
"""
    workspace = indexed_project({"src/lib.rs": source, "src/other.rs": "pub fn other() {}\n"})
    assert [result.name for result in workspace.search("header value")] == ["parse_header"]
    assert next(iter(workspace.search("test of header value split"))).name == "splits_header"


#: Files of one project, a lookup within a budget, and the excerpt.
EXCERPTS = [
    (
        "Channel.kt",
        'class Channel(\n  val size: Int,\n) {\n  val name = "a"\n\n  companion object {\n    fun open(size: Int): Channel {\n'
        "      return Channel(size)\n    }\n\n    fun close() {\n    }\n  }\n}\n",
        "Channel.kt > Channel > open",
        8000,
        "class Channel(\n  val size: Int,\n) {\n  companion object {\n    fun open(size: Int): Channel {\n"
        "      return Channel(size)\n    }\n  }\n}",
    ),
    (
        "Level.java",
        "public class Level {\n    private final int depth;\n\n    public Level(int depth) {\n        this.depth = depth;\n"
        "        this.check();\n        this.log();\n    }\n\n    void check() {\n        log();\n        log();\n    }\n\n"
        + "    void log() {\n"
        + "        print(depth);\n" * 30
        + "    }\n}\n",
        "Level.java > Level",
        260,
        "public class Level {\n    private final int depth;\n\n    public Level(int depth) {\n      // … 3 lines\n    }\n\n"
        "    void check();\n\n    void log();\n}",
    ),
    (
        "steps.py",
        "def steps(items):\n    for item in items:\n        print(item)\n    total = [\n        1,\n    ]\n"
        + "    total.append(0)\n" * 100
        + "    return total\n",
        "steps.py > steps",
        180,
        None,
    ),
    # A bracket is missing; what stands before it is shown as ever.
    (
        "broken.go",
        "package a\n\ntype Gate struct {\n\tname string\n}\n\n"
        "func (g *Gate) Open() string {\n\treturn g.name\n}\n\nfunc bad( {\n",
        "broken.go > Gate > Open",
        8000,
        "type Gate struct {\n\tname string\n}\n\nfunc (g *Gate) Open() string {\n\treturn g.name\n}",
    ),
]


@pytest.mark.parametrize(("path", "source", "lookup", "budget", "excerpt"), EXCERPTS, ids=[case[0] for case in EXCERPTS])
def test_excerpts_leave_out_what_their_language_allows(
    indexed_project: Callable[[dict[str, str]], Workspace], path: str, source: str, lookup: str, budget: int, excerpt: str | None
) -> None:
    found = indexed_project({path: source}).search(f"symbol = {lookup}", budget=budget)
    shown = found.answer.texts[1].text
    assert found.tokens <= budget
    if excerpt is not None:
        assert shown == f"// {path}\n\n{excerpt}"
    targets = [Target(result.name, result.start_line, result.end_line) for result in found]
    assert list(violations(Shown(path, source, shown, targets))) == []
