"""Type flows: parameters and results with the types of the repository in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.type_flows import FlowParameter, type_flows


def spell(flow: FlowParameter | None) -> str:
    """`name: type [User, Token by Visitor]`."""
    if flow is None:
        return "-"
    types = [f"{found.name}{f' by {found.via}' if found.via else ''}" for found in flow.resolved_types]
    return f"{flow.name}: {flow.type} [{', '.join(types)}]"


#: Symbol, parameters, result.
CASES = [
    ("findUser", ["id: UserId [UserId]"], "return: User [User]"),
    ("describe", ["target: string | User [User]"], "return: string []"),
    ("admin", ["user: User & { admin: boolean } [User]"], "return: boolean []"),
    ("load", ["id: UserId [UserId]"], "return: Promise<User | null> [User]"),
    ("permissions", [], "return: Map<UserId, Set<Permission>> [Permission, UserId]"),
    ("login", ["pair: [User, Token] [User, Token]"], "return: [Token, Date] [Token]"),
    ("names", ["users: User[] [User]"], "return: string[] []"),
    (
        "audit",
        [
            "write: (entry: AuditEntry) => Token [Token, AuditEntry]",
            "other: Visitor [Token by Visitor, AuditEntry by Visitor, Visitor]",
        ],
        "return: void []",
    ),
    ("setStatus", ["user: User [User]", "status: Status [Status]"], "return: void []"),
    ("gather", ["crowd: Crowd [User by People, Role by Crowd, People by Crowd, Crowd]"], "return: void []"),
    ("renew", ["ticket: Ticket [Token]"], "return: Ticket [Token]"),
    ("grant", ["role: Role [Role]", "user: User [User]", "again: User [User]"], "return: Record<string, Role> [Role]"),
    ("pick", ["users: ReadonlyArray<Readonly<User>> [User]"], "return: Partial<User> [User]"),
    ("revoke", ["this: User [User]", "token: Token [Token]"], "return: void []"),
    ("plain", ["text: string []", "count: None []"], "return: void []"),
    ("untyped", ["value: None []", "{ id }: { id: UserId } [UserId]"], "-"),
    ("open", ['session: import("./types").Session [User by Session, Session]'], "return: void []"),
    ("UserService", ["users: Map<UserId, User> [User, UserId]", "fallback: Role [Role]"], "-"),
    ("UserService > find", ["id: UserId [UserId]"], "return: User | undefined [User]"),
    ("UserService > first", [], "return: User | undefined [User]"),
    ("UserService > issue", ["user: User [User]", "status: Status [Status]"], "return: Promise<Token> [Token]"),
]

DECLARED = [
    ("current", "type: User | undefined [User]"),
    ("visit", "type: None [Token by Visitor, AuditEntry by Visitor, Visitor]"),
    ("findUser", "-"),
]

EMPTY = [("nothing", "none"), ("Bare", "none"), ("Shelf", "notApplicable"), ("nobody", "notFound")]


@pytest.mark.parametrize(("path", "parameters", "result"), CASES, ids=[path for path, *_ in CASES])
def test_what_goes_in_and_out(project: Callable[[str], Any], path: str, parameters: list[str], result: str) -> None:
    found = project("type-flows").ask(type_flows, path)
    assert [spell(parameter) for parameter in found.parameters] == parameters
    assert spell(found.return_type) == result
    assert found.nothing is None


@pytest.mark.parametrize(("path", "declared"), DECLARED, ids=[path for path, _ in DECLARED])
def test_the_type_of_a_variable(project: Callable[[str], Any], path: str, declared: str) -> None:
    assert spell(project("type-flows").ask(type_flows, path).declared_type) == declared


@pytest.mark.parametrize(("path", "kind"), EMPTY, ids=[path for path, _ in EMPTY])
def test_nothing_says_which(project: Callable[[str], Any], path: str, kind: str) -> None:
    found = project("type-flows").ask(type_flows, path)
    assert (found.referenced_types, found.nothing.kind) == ((), kind)


def test_referenced_types_are_distinct_and_in_order(project: Callable[[str], Any]) -> None:
    found = project("type-flows").ask(type_flows, "grant").referenced_types
    assert [(entry.name, entry.kind, entry.file, entry.line) for entry in found] == [
        ("User", "interface", "types.ts", 1),
        ("Role", "class", "types.ts", 6),
    ]


def test_a_type_that_is_named_outright_is_behind_no_alias(project: Callable[[str], Any]) -> None:
    found = project("type-flows").ask(type_flows, "audit").referenced_types
    assert {entry.name: entry.via for entry in found} == {"Token": None, "AuditEntry": None, "Visitor": None}


def test_a_class_is_asked_through_its_constructor(project: Callable[[str], Any]) -> None:
    assert project("type-flows").ask(type_flows, "UserService").symbol.kind == "constructor"


PYTHON = """
from typing import Optional

class Item: ...

class Store:
    main: Item

    def __init__(self, first: "Item") -> None:
        self.kept = Item()

    def find(self, name: str, *more: Optional[Item], **rest) -> list[Item]:
        return []

    def any(self):
        return self.main

type Row = list[Item]

def show(row: Row): ...

def plain(text: str) -> None: ...
"""


def test_what_is_known_of_python(analysed_text: Callable[[dict[str, str]], Any]) -> None:
    project = analysed_text({"store.py": PYTHON})

    def told(path: str) -> list[str]:
        found = project.ask(type_flows, path)
        flows = [*found.parameters, found.return_type, found.declared_type]
        return [spell(flow) for flow in flows if flow is not None] or [found.nothing.kind]

    assert told("Store") == ['first: "Item" [Item]']
    assert told("find") == ["name: str []", "more: Optional[Item] [Item]", "rest: None []", "return: list[Item] [Item]"]
    assert told("any") == ["return: None [Item]"]
    assert told("main") == ["type: Item [Item]"]
    assert told("show") == ["row: Row [Item by Row, Row]"]
    assert told("plain") == ["unresolved"]
