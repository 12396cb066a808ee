"""Members of classes, interfaces, enums, types and objects: kinds, types and modifiers, in source order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.members import members

#: Symbol, then its members: line, kind, name, type, modifiers.
MEMBERS = {
    "UserService": [
        (8, "property", "users", "Map<string, string>", "private readonly"),
        (9, "property", "instances", None, "static"),
        (10, "property", "#secret", "string", ""),
        (11, "property", "limit", "number", "public"),
        (12, "indexSignature", "", "[key: string]: unknown", ""),
        (14, "constructor", "constructor", "(protected readonly name: string, limit = 10)", ""),
        (15, "property", "name", "string", "protected readonly"),
        (22, "method", "find", "string | undefined", "public"),
        (26, "method", "refresh", "Promise<void>", "private async"),
        (30, "method", "create", "UserService | null", "protected static"),
        (34, "method", "save", "boolean", "abstract"),
        (36, "method", "load", "void", "override"),
        (38, "getter", "size", "number", ""),
        (42, "setter", "size", "number", ""),
        (46, "method", "untyped", None, ""),
        (50, "method", "onChange", "void", ""),
    ],
    "BaseService": [(4, "method", "load", "void", "protected abstract")],
    "Repository": [
        (2, "property", "name", "string", "readonly"),
        (3, "property", "size", "number", ""),
        (4, "method", "find", "T | undefined", ""),
        (5, "method", "save", "Promise<void>", ""),
        (6, "indexSignature", "", "[id: string]: unknown", ""),
        (7, "callSignature", "", "(query: string): T[]", ""),
        (8, "constructSignature", "", "new (name: string): Repository<T, K>", ""),
        (9, "property", "onChange", "(item: T) => void", ""),
        (10, "getter", "count", "number", ""),
        (11, "setter", "count", "number", ""),
    ],
    "Config": [
        (17, "property", "host", "string", ""),
        (18, "property", "port", "number", ""),
        (19, "property", "tags", "readonly string[]", "readonly"),
    ],
    "Shape": [(23, "property", "kind", "'circle'", ""), (24, "method", "area", "number", "")],
    "Level": [(60, "enumMember", "Low", None, ""), (61, "enumMember", "High", None, "")],
    "api": [(66, "method", "ping", "string", ""), (69, "method", "deep", None, "")],
}

EMPTY = [
    ("Empty", "none", "This interface has no members"),
    ("plain", "notApplicable", "function has no members"),
    ("Level > Low", "notApplicable", "enumMember has no members"),
    ("Repositry", "notFound", "Repository"),
    ("load", "ambiguous", "names 2 symbols"),
]


@pytest.mark.parametrize(("path", "at"), [(path, at) for path, rows in MEMBERS.items() for at in range(len(rows))])
def test_each_member(project: Callable[[str], Any], path: str, at: int) -> None:
    member = project("members").ask(members, path).members[at]
    assert (member.line, member.kind, member.name, member.type, " ".join(member.modifiers)) == MEMBERS[path][at]


@pytest.mark.parametrize("path", MEMBERS)
def test_members_are_complete_and_in_order(project: Callable[[str], Any], path: str) -> None:
    found = project("members").ask(members, path)
    assert [member.line for member in found.members] == [row[0] for row in MEMBERS[path]]
    assert found.nothing is None


def test_what_a_decorator_holds_is_no_member(analysed_text: Callable[[dict[str, str]], Any]) -> None:
    text = "@module({\n  make() {},\n  when(config) { return config.on },\n})\nexport class Payments {\n  pay(): void {}\n}\n"
    assert [member.name for member in analysed_text({"payments.ts": text}).ask(members, "Payments").members] == ["pay"]


@pytest.mark.parametrize(("path", "kind", "words"), EMPTY)
def test_each_nothing_says_which(project: Callable[[str], Any], path: str, kind: str, words: str) -> None:
    found = project("members").ask(members, path)
    assert found.members == ()
    assert found.nothing.kind == kind
    assert words in found.nothing.message
