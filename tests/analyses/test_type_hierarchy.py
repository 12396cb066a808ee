"""Type hierarchies: parents, children, diamonds, abstract classes, type parameters, names that are shared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.signature import TypeParameter
from astrolabe.retrieval.analyses.type_hierarchy import subtypes, supertypes, type_hierarchy
from astrolabe.schema.errors import UsageError

#: Symbol, the parent of a class, what else is above, what is below; all of one step. "abstract " stands before such a class.
DIRECT = [
    ("Entity", "", [], ["extends Auditable", "implements abstract BaseModel"]),
    ("Serializable", "", [], ["extends Auditable", "implements AuditedModel", "implements User"]),
    ("Auditable", "", ["extends Entity", "extends Serializable"], ["implements AuditedModel"]),
    ("BaseModel", "", ["implements Entity"], ["extends AuditedModel", "extends User"]),
    ("models.ts > User", "abstract BaseModel", ["implements Serializable"], ["extends AdminUser"]),
    ("AdminUser", "User", [], []),
    ("AuditedModel", "abstract BaseModel", ["implements Serializable", "implements Auditable"], []),
    ("RemoteError", "Error", [], []),
    ("standalone.ts > User", "", [], ["extends Guest"]),
    ("Guest", "User", [], []),
    ("Repository", "", [], ["extends Store"]),
    ("Queryable", "", [], ["implements Store"]),
    ("Store", "abstract Repository", ["implements Queryable"], []),
]

#: Symbol, depth, then each type with its distance and clauses.
ABOVE = [
    ("AdminUser", -1, ["1 User", "2 BaseModel", "2 Serializable", "3 Entity"]),
    ("AdminUser", 2, ["1 User", "2 BaseModel", "2 Serializable"]),
    ("AdminUser", 1, ["1 User"]),
    ("AuditedModel", -1, ["1 BaseModel", "1 Serializable", "1 Auditable", "2 Entity"]),
    ("RemoteError", -1, ["1 Error"]),
    ("Auditable", -1, ["1 Entity", "1 Serializable"]),
]
BELOW = [
    ("Entity", -1, ["1 Auditable", "1 BaseModel", "2 User", "2 AuditedModel", "3 AdminUser"]),
    ("Entity", 1, ["1 Auditable", "1 BaseModel"]),
    ("BaseModel", -1, ["1 AuditedModel", "1 User", "2 AdminUser"]),
    ("standalone.ts > User", -1, ["1 Guest"]),
]

PARAMETERS = [
    ("Repository", [TypeParameter("T", "Entity"), TypeParameter("ID", None, "string")]),
    ("Container", [TypeParameter("T")]),
    ("Queryable", [TypeParameter("T", "Entity")]),
    (
        "Store",
        [
            TypeParameter("T", "Entity", None, ("in", "out")),
            TypeParameter("Key", "keyof T", "keyof T"),
            TypeParameter("Tags", "readonly string[]", "[]", ("const",)),
        ],
    ),
    ("models.ts > User", []),
    ("AloneToo", []),
]

ABSTRACT = [("BaseModel", True), ("Repository", True), ("models.ts > User", False), ("Entity", False), ("Container", False)]

EMPTY = [
    (type_hierarchy, "Alone", "none", "extends and implements nothing"),
    (type_hierarchy, "AloneToo", "none", "extends and implements nothing"),
    (type_hierarchy, "Container", "none", "extends and implements nothing"),
    (supertypes, "Entity", "none", "extends and implements nothing"),
    (subtypes, "AdminUser", "none", "Nothing extends or implements it"),
    (type_hierarchy, "notAType", "notApplicable", "only classes and interfaces"),
    (supertypes, "notAType", "notApplicable", "only classes and interfaces"),
    (subtypes, "notAType", "notApplicable", "only classes and interfaces"),
    (type_hierarchy, "User", "ambiguous", "names 2 symbols"),
    (type_hierarchy, "Entty", "notFound", "Entity"),
]


@pytest.fixture
def types(project: Callable[[str], Any]) -> Any:
    return project("type-hierarchy")


def named(found: Any) -> str:
    return f"{'abstract ' if found.is_abstract else ''}{found.name}"


@pytest.mark.parametrize(("path", "parent", "above", "below"), DIRECT)
def test_direct_relatives(types: Any, path: str, parent: str, above: list[str], below: list[str]) -> None:
    found = types.ask(type_hierarchy, path)
    assert (named(found.extends) if found.extends else "") == parent
    assert [f"{one.kind} {named(one)}" for one in found.implements] == above
    assert [f"{one.kind} {named(one)}" for one in found.subtypes] == below
    assert found.nothing is None


@pytest.mark.parametrize(("path", "depth", "expected"), ABOVE)
def test_supertypes_at_a_distance(types: Any, path: str, depth: int, expected: list[str]) -> None:
    assert [f"{one.distance} {one.name}" for one in types.ask(supertypes, path, depth).types] == expected


@pytest.mark.parametrize(("path", "depth", "expected"), BELOW)
def test_subtypes_at_a_distance(types: Any, path: str, depth: int, expected: list[str]) -> None:
    assert [f"{one.distance} {one.name}" for one in types.ask(subtypes, path, depth).types] == expected


@pytest.mark.parametrize(("path", "expected"), PARAMETERS)
def test_type_parameters(types: Any, path: str, expected: list[TypeParameter]) -> None:
    assert list(types.ask(type_hierarchy, path).type_parameters) == expected


@pytest.mark.parametrize(("path", "expected"), ABSTRACT)
def test_abstract_classes(types: Any, path: str, expected: bool) -> None:
    assert types.ask(type_hierarchy, path).is_abstract is expected


@pytest.mark.parametrize(("analysis", "path", "kind", "words"), EMPTY)
def test_each_nothing_says_which(types: Any, analysis: Any, path: str, kind: str, words: str) -> None:
    found = types.ask(analysis, path)
    assert found.nothing.kind == kind
    assert words in found.nothing.message


def test_a_diamond_is_one_type_with_all_ways_to_it(types: Any) -> None:
    entity = types.ask(supertypes, "AuditedModel").types[-1]
    ways = [(clause.from_name, clause.kind, clause.to_name, clause.line) for clause in entity.clauses]
    assert sorted(ways) == [("Auditable", "extends", "Entity", 9), ("BaseModel", "implements", "Entity", 3)]
    audited = next(one for one in types.ask(subtypes, "Serializable").types if one.name == "AuditedModel")
    assert sorted((clause.to_name, clause.line) for clause in audited.clauses) == [("Auditable", 4), ("Serializable", 4)]


def test_what_lies_outside_has_a_package(types: Any) -> None:
    error = types.ask(type_hierarchy, "RemoteError").extends
    assert (error.symbol, error.package, error.distance) == (None, "lib", 1)


def test_a_depth_counts_steps(types: Any) -> None:
    with pytest.raises(UsageError, match="from 1"):
        types.ask(supertypes, "AdminUser", 0)
