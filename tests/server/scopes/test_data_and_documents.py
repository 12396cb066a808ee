"""Scopes of tables, columns, documents, sections and steps, and the examples of chains, in Python and as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.scopes.rows import FileRow, Row, SymbolRow
from astrolabe.server.api.scopes.scope import Scope
from astrolabe.server.api.workspace import Workspace


def names(rows: Sequence[Row]) -> list[str]:
    return [row.path if isinstance(row, FileRow) else row.name for row in rows]


def asked(workspace: Workspace, chain: str) -> list[str]:
    scope = workspace.query(chain)
    assert isinstance(scope, Scope)
    return names(scope.to_list())


ONBOARDING = "Workflow: User Onboarding"
#: Each chain in Python and as text, with the names that it gives.
EXAMPLES: list[tuple[Callable[[Workspace], Scope[Any]], str, list[str]]] = [
    (
        lambda ws: ws.repo().modules().filter(language="typescript"),
        "repo().modules().filter(language='typescript')",
        ["portal", "api-gateway", "web"],
    ),
    (
        lambda ws: ws.repo().modules().filter(language="typescript").files().filter(ext=".tsx"),
        "repo().modules().filter(language='typescript').files().filter(ext='.tsx')",
        ["web/src/Login.tsx"],
    ),
    (
        lambda ws: (
            ws.repo()
            .modules()
            .filter(language="typescript")
            .files()
            .filter(ext=".tsx")
            .symbols()
            .filter(kind="class", exported=True)
            .extends("React.Component")
        ),
        "repo().modules().filter(language='typescript').files().filter(ext='.tsx').symbols().filter(kind='class', exported=true)"
        ".extends('React.Component')",
        ["Login"],
    ),
    (
        lambda ws: ws.repo().symbol("UserService.authenticate").dependants().within_module("api-gateway").with_kind("function"),
        "repo().symbol('UserService.authenticate').dependants().within_module('api-gateway').with_kind('function')",
        ["login"],
    ),
    (
        lambda ws: ws.repo().table("users").columns().referenced_by().files(),
        "repo().table('users').columns().referenced_by().files()",
        ["api-gateway/src/users.ts", "db/migrations/0001_users.sql"],
    ),
    (
        lambda ws: ws.repo().doc("prd.md").section(ONBOARDING).steps().linked_symbols(),
        f"repo().doc('prd.md').section('{ONBOARDING}').steps().linked_symbols()",
        ["authenticate", "storeEmail"],
    ),
]


@pytest.mark.parametrize(("in_python", "as_text", "expected"), EXAMPLES)
def test_the_examples_give_the_same_in_python_and_as_text(
    portal_workspace: Workspace, in_python: Callable[[Workspace], Scope[Any]], as_text: str, expected: list[str]
) -> None:
    scope = in_python(portal_workspace)
    assert f"repo().{scope.chain}" == as_text
    assert names(scope.to_list()) == expected
    assert asked(portal_workspace, as_text) == expected
    assert scope.statement().text.count("RETURN ") == 1
    assert scope.explain().startswith(scope.statement().text)
    assert [node.path for node in scope.to_graph().nodes] == [row.path for row in scope]
    assert all(name.replace("_", r"\_") in scope.to_markdown() for name in expected)
    assert scope.to_json()["count"] == scope.count() == len(expected)


def test_tables_and_columns_are_those_after_all_migrations(portal_workspace: Workspace) -> None:
    assert asked(portal_workspace, "tables()") == ["users", "visits", "long_visits"]
    assert asked(portal_workspace, "tables(dropped=true)") == ["drafts"]
    assert asked(portal_workspace, "table('Users').columns()") == ["id", "email"]
    assert asked(portal_workspace, "table('users').columns(dropped=true)") == ["nick"]
    assert asked(portal_workspace, "columns(type='text', nullable=false)") == ["email"]
    assert asked(portal_workspace, "table('db/migrations/0001_users.sql > visits').references()") == ["users"]
    assert asked(portal_workspace, "table('users').changed_in()") == ["db/migrations/0001_users.sql"]
    assert asked(portal_workspace, "columns(name='nick', dropped=true).changed_in()") == [
        "db/migrations/0001_users.sql",
        "db/migrations/0002_shorter.sql",
    ]
    assert asked(portal_workspace, "table('long_visits').reads()") == ["visits"]
    assert asked(portal_workspace, "columns(name='user_id').references().table()") == ["users"]
    (path,) = portal_workspace.repo().columns(name="user_id").path_to(portal_workspace.repo().columns(name="id"))
    assert names(path) == ["user_id", "id"]
    assert asked(portal_workspace, "columns(name='nick', dropped=true) | columns(name='email')") == ["email", "nick"]


def test_code_documents_and_data_lead_to_each_other(portal_workspace: Workspace) -> None:
    assert asked(portal_workspace, "symbol('storeEmail').tables()") == ["users"]
    assert asked(portal_workspace, "table('users').modified_by()") == ["storeEmail"]
    assert asked(portal_workspace, "table('users').read_by().dependants(2).with_kind('function')") == ["login", "retry", "check"]
    assert asked(portal_workspace, "symbol('storeEmail').documents()") == ["prd.md"]
    assert asked(portal_workspace, "symbol('storeEmail').sections()") == [ONBOARDING]
    assert asked(portal_workspace, "symbol('storeEmail').steps().section()") == [ONBOARDING]
    assert len(asked(portal_workspace, "symbol('storeEmail').steps()")) == 1
    assert asked(portal_workspace, "docs().sections() & symbol('storeEmail').sections()") == [ONBOARDING]
    assert asked(portal_workspace, "symbols().hubs(1, 'sections')") != []
    assert asked(portal_workspace, "symbol('storeEmail').linked_symbols()") == ["UserService"]
    assert asked(portal_workspace, "symbol('UserService').mentioned_by()") == ["storeEmail"]
    assert asked(portal_workspace, "docs().tables()") == ["visits"]
    assert asked(portal_workspace, "doc('prd.md').section('data').columns().table()") == ["users"]
    assert asked(portal_workspace, "doc('prd.md').linked_files()") == ["api-gateway/src/users.ts"]
    assert asked(portal_workspace, "doc('docs/more.md').sections().linked_sections()") == [ONBOARDING]
    assert asked(portal_workspace, "workflow('User Onboarding').steps(2).next_steps(2).section()") == [ONBOARDING]
    assert asked(portal_workspace, "tables(name='visits').sections()") == ["Portal"]
    assert asked(portal_workspace, "modules(name='api-gateway').symbols().tables()") == ["users"]


def test_tables_are_symbols_too(portal_workspace: Workspace) -> None:
    assert asked(portal_workspace, "symbols() & tables()") == ["users", "visits", "long_visits"]
    assert asked(portal_workspace, "symbols(kind='view') | table('users').columns()") == ["id", "email", "long_visits"]
    assert asked(portal_workspace, "table('users').symbols().members()") == ["id", "email", "nick"]
    with pytest.raises(UsageError, match="nodes of one kind"):
        portal_workspace.query("tables() | symbols()")


def test_a_function_selects_where_no_filter_can(portal_workspace: Workspace) -> None:
    def is_short(row: SymbolRow) -> bool:
        return len(row.name) == 5

    found = portal_workspace.symbols(kind="function").filter(is_short, path__under="api-gateway").callers()
    assert names(found.to_list()) == ["retry"]
    assert found.chain.endswith("filter(path__under='api-gateway').filter(<function>).callers()")
    assert portal_workspace.files().filter(lambda row: False).count() == 0
    with pytest.raises(UsageError, match="in Python a function of a row"):
        portal_workspace.query("files().filter('x')")


def test_paths_follow_chosen_edges(shop_workspace: Workspace) -> None:
    start, end = shop_workspace.repo().symbol("Discounted"), shop_workspace.repo().symbol("Price")
    assert [names(path) for path in start.path_to(end, by=["extends", "calls"])] == [["Discounted", "Amount", "Price"]]
    assert start.path_to(end, by="calls") == []
    with pytest.raises(UsageError, match="Did you mean `calls`"):
        start.path_to(end, by="call")


def test_diamonds_have_two_ways_between_their_ends(portal_workspace: Workspace) -> None:
    folder = "api-gateway/src"
    (diamond,) = portal_workspace.files().diamonds()
    assert names(diamond) == [f"{folder}/main.ts", f"{folder}/audit.ts", f"{folder}/routes.ts", f"{folder}/users.ts"]
    assert portal_workspace.query("files(path__contains='users').diamonds(by=['imports'])") == []
    with pytest.raises(UsageError, match="a limit from 1 to 100"):
        portal_workspace.files().diamonds(limit=0)


def test_commits_of_files_and_symbols(portal_workspace: Workspace) -> None:
    scope = portal_workspace.repo().symbol("storeEmail").commits(author="nobody").limit(3)
    assert scope.chain == "symbol('storeEmail').commits(author='nobody').limit(3)"


@pytest.mark.parametrize(
    ("chain", "reason", "part"),
    [
        ("table('visit')", "absent", 'Did you mean "visits"'),
        ("doc('more.md')", "absent", 'Did you mean "docs/more.md"'),
        ("doc('prd.md').section('Onboarding')", "absent", "No section has this name"),
        ("symbol('retry').tables()", "unresolved", "Statements of SQL and calls"),
        ("table('users').mapped_by()", "none", "no models of the table"),
        ("files(language='sql').symbols(name='absent')", "filtered", "fulfils"),
    ],
)
def test_nothing_of_data_and_documents(portal_workspace: Workspace, chain: str, reason: str, part: str) -> None:
    scope = portal_workspace.query(chain)
    assert isinstance(scope, Scope)
    nothing = scope.nothing()
    assert nothing is not None
    assert nothing.reason == reason, nothing
    assert part in nothing.message
