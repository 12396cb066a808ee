"""Scopes in Python: filters, steps, sets, forms, and which kind of nothing an empty one is."""

from __future__ import annotations

import pytest
from astrolabe.graphdb import database
from astrolabe.graphdb.scopes.statement import rows_of
from astrolabe.graphdb.symbols import id_batches, symbol_order
from astrolabe.schema.errors import UsageError
from astrolabe.schema.symbol_kinds import DOCUMENT_KINDS
from astrolabe.server.api.scopes.chain_evaluation import BEGINNINGS
from astrolabe.server.api.scopes.rows import FileRow, SymbolRow
from astrolabe.server.api.scopes.running import Runner
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.cli.app import app
from astrolabe.server.stores.readers import Readers
from typer.testing import CliRunner


def names(rows: list[SymbolRow]) -> list[str]:
    return sorted(row.qualified_name for row in rows)


def test_filters_by_fields_and_operators(shop_workspace: Workspace) -> None:
    symbols = shop_workspace.symbols
    assert names(symbols(kind="class").to_list()) == ["Amount", "Cart", "Discounted"]
    assert names(symbols(kind__in=["interface", "function"], path="src/money.ts").to_list()) == ["Price", "add", "never"]
    assert names(symbols(name__matches="^(e|o).*n$").to_list()) == ["even"]
    assert names(symbols(name__matches="^od").to_list()) == ["odd"]
    assert names(symbols(language="py").to_list()) == ["helper", "main"]
    assert names(symbols(is_test=True).to_list()) == ["testsThePayment"]
    assert names(symbols(kind="function").exclude(exported=True).filter(path__under="src").to_list()) == ["never"]
    assert [row.path for row in shop_workspace.files(lines__gt=15)] == ["src/money.ts"]
    assert shop_workspace.files(path__contains="").count() == shop_workspace.files().count()


def test_every_beginning_of_a_chain_is_a_method_of_the_workspace(shop_workspace: Workspace) -> None:
    assert [name for name in BEGINNINGS if not callable(getattr(shop_workspace, name, None))] == []
    for name in ("columns", "sections", "workflows", "endpoints"):
        assert str(getattr(shop_workspace, name)()) == str(shop_workspace.query(f"{name}()"))


def test_an_import_is_no_declaration_unless_it_is_asked_for(shop_workspace: Workspace) -> None:
    assert not shop_workspace.symbols(path="src/cart.ts", name__contains="money").exists()
    assert shop_workspace.symbols(kind="import", path="src/cart.ts").count() == 2
    assert not shop_workspace.files(path="src/cart.ts").symbols(name__contains="money").exists()


def test_steps_reach_one_to_depth_edges(shop_workspace: Workspace) -> None:
    add = shop_workspace.repo().symbol("add")
    assert names(add.callers().to_list()) == ["Amount.plus"]
    assert names(add.callers(depth=2).to_list()) == ["Amount.plus", "Cart.total", "Discounted.plus"]
    assert "testsThePayment" in names(add.callers(depth=4).to_list())
    # A function that calls itself over another one is among its own callers.
    assert names(shop_workspace.repo().symbol("even").callers(2).to_list()) == ["Cart.pay", "even", "odd", "send"]


def test_steps_between_kinds(shop_workspace: Workspace) -> None:
    cart = shop_workspace.repo().symbol("Cart")
    assert names(cart.members().to_list()) == ["Cart.pay", "Cart.total"]
    assert [row.path for row in cart.members().callers().file()] == ["src/cart.ts", "tests/cart.test.ts"]
    assert [row.name for row in cart.module()] == ["shop"]
    assert names(shop_workspace.modules(name="tools").symbols(kind="function").to_list()) == ["helper", "main", "start", "stop"]
    assert names(shop_workspace.repo().symbol("Cart > pay").tests().to_list()) == ["testsThePayment"]
    assert names(shop_workspace.repo().symbol("Cart.total").types().to_list()) == ["Amount"]
    assert [row.path for row in shop_workspace.files(path="src/money.ts").importers(2)] == [
        "src/cart.ts",
        "src/mail.ts",
        "tests/cart.test.ts",
    ]


def test_filters_by_heritage_and_module(shop_workspace: Workspace) -> None:
    symbols = shop_workspace.symbols()
    assert names(symbols.extends("Amount").to_list()) == ["Discounted"]
    assert names(symbols.implements("Price").to_list()) == ["Amount"]
    assert {row.path for row in symbols.within_module("tools")} == {"tools/Main.kt", "tools/run.py"}
    assert names(symbols.with_kind("class").in_files("src/cart.ts").to_list()) == ["Cart"]
    untested = names(symbols.with_kind("method").untested().to_list())
    assert "Cart.pay" not in untested
    assert "Amount.plus" in untested
    assert {row.kind for row in symbols.untested()}.isdisjoint(DOCUMENT_KINDS), "documents have no tests"


def test_set_operations(shop_workspace: Workspace) -> None:
    classes, exported = shop_workspace.symbols(kind="class"), shop_workspace.symbols(exported=True)
    functions = shop_workspace.symbols(kind="function", path__under="src")
    assert names((classes | functions).to_list()) == ["Amount", "Cart", "Discounted", "add", "even", "never", "odd", "send"]
    assert names((functions - exported).to_list()) == ["never"]
    assert names((functions & exported.callees()).to_list()) == ["add", "even", "odd", "send"]
    # The part with steps comes first in the statement, whichever is written first.
    callers = shop_workspace.repo().symbol("add").callers()
    assert names((classes | callers).to_list()) == names((callers | classes).to_list())
    assert (classes | callers).count() == 4
    nothing = shop_workspace.symbols(name="absent")
    assert (callers | nothing).count() == 1
    assert (nothing.callers() | classes).count() == 3


def test_order_limits_and_hubs(shop_workspace: Workspace) -> None:
    functions = shop_workspace.symbols(kind="function", path__under="src")
    assert [row.name for row in functions.sort("name", descending=True).limit(2)] == ["send", "odd"]
    assert [row.name for row in functions.sort("name").offset(1).limit(2)] == ["even", "never"]
    with pytest.raises(UsageError, match=r"sort\('name', descending=true\)"):
        functions.sort("-name")
    assert [row.name for row in functions.sort("name").limit(1).callers()] == ["plus"]
    assert [row.name for row in functions.hubs(1)] == ["even"]
    assert functions.limit(0).to_list() == []


def test_a_scope_is_immutable_and_a_chain_is_one_statement(shop_workspace: Workspace) -> None:
    classes = shop_workspace.symbols(kind="class")
    classes.filter(name="Cart")
    assert classes.count() == 3
    statement = classes.members().callers(3).file().statement()
    assert statement.text.count("RETURN") == 1
    assert ";" not in statement.text
    assert "class" not in statement.text
    assert "class" in statement.parameters.values()
    rows = shop_workspace.cypher(statement.text, statement.parameters)
    assert [row[0] for row in rows.rows] == [row.path for row in classes.members().callers(3).file()]


def test_a_chain_from_one_file_reads_only_what_it_reaches(shop_workspace: Workspace) -> None:
    file = shop_workspace.repo().file("src/money.ts")
    members = ["Amount.constructor", "Amount.plus", "Discounted.plus"]
    assert names(file.symbols(kind__in=["method", "constructor"]).to_list()) == members
    assert file.symbols(kind__in=["method", "constructor"]).count() == len(members)
    assert names(file.symbols().callers().to_list()) == ["Amount.plus", "Cart.total", "Discounted.plus"]
    assert names(file.symbols(name="add").callers(depth=4).to_list()) == names(
        shop_workspace.repo().symbol("add").callers(depth=4).to_list()
    )
    assert names(shop_workspace.symbols(path="src/mail.ts", name="even").callers(2).to_list()) == [
        "Cart.pay",
        "even",
        "odd",
        "send",
    ]
    assert names(shop_workspace.repo().symbol("src/money.ts > Amount").members().callers().to_list()) == [
        "Amount.plus", "Cart.total", "Discounted.plus",
    ]  # fmt: skip
    both = shop_workspace.symbols(path="src/mail.ts") | shop_workspace.symbols(name="add")
    assert names(both.to_list()) == ["add", "even", "odd", "send"]
    # The engine would read all symbols for such a condition and for a join of ids.
    for chain in (
        file.symbols(),
        file.symbols().callers(),
        file.importers(2),
        shop_workspace.symbols(path="src/mail.ts").callees(),
    ):
        assert "relativePath = x" not in chain.explain()
        assert "UNWIND" not in chain.explain()
    # With a third recursive relationship, the engine would begin at all symbols.
    assert file.symbols().callers(3).callees().explain().count("*") == 2


def test_values_never_become_part_of_the_statement(shop_workspace: Workspace) -> None:
    for value in ("' OR 1=1 //", "`", "\\", "\ud800", "x\0y", "}) DETACH DELETE n //"):
        scope = shop_workspace.symbols(name=value)
        assert scope.count() == 0
        assert value not in scope.statement().text
    assert shop_workspace.symbols().extends("x' }) RETURN 1 //").count() == 0


def test_graphs_paths_and_cycles(shop_workspace: Workspace) -> None:
    mail = shop_workspace.symbols(path="src/mail.ts")
    graph = mail.to_graph()
    assert {(edge.label) for edge in graph.edges} >= {"CALLS"}
    assert mail.to_networkx().number_of_nodes() == 3
    assert mail.to_mermaid().startswith('flowchart LR\n  n0["send"]')
    (cycle,) = mail.cycles()
    assert names(list(cycle)) == ["even", "odd"]
    (files,) = shop_workspace.files().cycles()
    assert [row.path for row in files if isinstance(row, FileRow)] == ["src/cart.ts", "src/mail.ts"]
    start, end = shop_workspace.repo().symbol("testsThePayment"), shop_workspace.repo().symbol("odd")
    (path,) = start.path_to(end)
    assert [row.name for row in path] == ["testsThePayment", "pay", "send", "even", "odd"]
    assert start.path_to(end, depth=2) == []


def test_forms(shop_workspace: Workspace) -> None:
    cart = shop_workspace.symbols(name="Cart")
    row = cart.to_json()["rows"][0]
    assert (row["qualifiedName"], row["path"], row["startLine"]) == ("Cart", "src/cart.ts", 4)
    assert cart.to_markdown().startswith("- **Cart** [class] [exported] (src/cart.ts:4)")
    assert cart.to_arrow().column("start_line").to_pylist() == [4]
    assert shop_workspace.symbols(name="absent").to_arrow().num_rows == 0
    assert list(cart.to_pandas()["name"]) == ["Cart"]
    assert cart.first() == cart.to_list()[0]
    assert "Cart" in cart.text
    assert shop_workspace.symbol("Cart").scope.count() == 1


@pytest.mark.parametrize(
    ("chain", "reason", "part"),
    [
        ("symbols(kind='clas')", "absent", "There are: "),
        ("symbol('Carts').callers()", "absent", 'Did you mean "Cart"'),
        ("symbols(name='add').filter(exported=false)", "filtered", "the 1 symbols before it"),
        ("symbol('never').callers()", "none", "no callers of the symbol"),
        ("symbol('start').callers()", "unresolved", "an outline, without edges"),
        ("symbol('add').members()", "none", "no members"),
        ("symbols(kind='class').exclude(kind='class')", "filtered", "excludes all 3"),
        ("symbols(kind='class') & symbols(kind='function')", "none", "leaves nothing of 3"),
        ("files(language='cobol')", "absent", "There are: "),
        ("symbol('Carts').path_to(symbol('odd'))", "absent", 'Did you mean "Cart"'),
        ("symbol('odd').path_to(symbol('Carts'))", "absent", 'Did you mean "Cart"'),
        ("symbol('add').path_to(symbol('odd'), by='extends', depth=3)", "none", "at most 3 edges (EXTENDS or IMPLEMENTS)"),
        ("symbols(kind='class').cycles()", "none", "form no cycle of edges (CALLS)"),
        ("symbol('Cart').diamonds(by='types')", "none", "on several paths of two edges (PARAM_TYPE or RETURN_TYPE"),
    ],
)
def test_an_empty_scope_says_which_kind_of_nothing(shop_workspace: Workspace, chain: str, reason: str, part: str) -> None:
    scope = shop_workspace.query(chain)
    assert hasattr(scope, "nothing")
    nothing = scope.nothing()
    assert nothing is not None
    assert nothing.reason == reason, nothing
    assert part in nothing.message


@pytest.mark.parametrize(
    ("end", "message"),
    [("first()", 'Did you mean "Cart"'), ("to_list()", 'Did you mean "Cart"'), ("callers().cycles()", 'Did you mean "Cart"')],
)
def test_the_command_says_why_the_end_of_a_chain_has_no_row(shop_workspace: Workspace, end: str, message: str) -> None:
    done = CliRunner().invoke(app, ["query", f"symbol('Carts').{end}", "--root", str(shop_workspace.root)])
    assert message in done.stdout


def test_wrong_arguments_name_the_nearest(shop_workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="Did you mean `lines`"):
        shop_workspace.files(line__gt=3)
    with pytest.raises(UsageError, match="Did you mean `startswith`"):
        shop_workspace.files(path__startwith="src")
    with pytest.raises(UsageError, match="a whole number, not 'x'"):
        shop_workspace.files(lines__gt="x")
    with pytest.raises(UsageError, match="cannot be compiled"):
        shop_workspace.symbols(name__matches="(")
    with pytest.raises(UsageError, match="from 1 to 10"):
        shop_workspace.symbols().callers(11)
    with pytest.raises(UsageError, match="nodes of one kind"):
        shop_workspace.symbols().union(shop_workspace.files())  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="without steps"):
        shop_workspace.symbols().callers().path_to(shop_workspace.symbols())
    scope = shop_workspace.symbols()
    for _ in range(41):
        scope = scope.callers()
    with pytest.raises(UsageError, match="at most 40 operations"):
        scope.count()


def test_the_first_rows_of_a_large_graph_are_those_of_its_statement(
    shop_workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symbol_order, "MIN_SYMBOLS", 0)
    for module in (database, id_batches):
        monkeypatch.setattr(module, "NODES_PER_LOOKUP", 1)

    def ask(readers: Readers) -> None:
        readers.graph.forget()
        runner = Runner(shop_workspace, readers.graph)
        for chain in (
            "symbols().limit(100)",
            "symbols(kind__in=['import', 'method', 'function']).offset(2).limit(30)",
            "symbols().offset(10000).limit(20)",
            "symbols().limit(0)",
            "symbols(kind='method').callers(depth=2).limit(3)",
            "symbols().limit(9).callees().limit(5)",
            "files().symbols().tests().limit(5)",
            "symbols().sort('name').limit(5)",
            "symbols().sort('name', descending=true).limit(8).limit(5)",
            "files().limit(5)",
        ):
            plan = shop_workspace.query(chain).plan  # type: ignore[union-attr]
            expected = runner.run(lambda resolve, plan=plan: rows_of(plan, resolve))  # type: ignore[misc]
            assert runner.rows(plan) == expected, chain
        assert readers.graph.known(symbol_order.SymbolOrder) is not None
        readers.graph.forget()

    shop_workspace.analyse(ask)
