"""Every analysis through barrels, wildcards, namespaces, renamed defaults, type-only re-exports and merged declarations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.aliases import aliases
from astrolabe.retrieval.analyses.call_hierarchy import callees, callers
from astrolabe.retrieval.analyses.exports import exports, file_exports
from astrolabe.retrieval.analyses.finding import find_file
from astrolabe.retrieval.analyses.impact import impact
from astrolabe.retrieval.analyses.members import members
from astrolabe.retrieval.analyses.references import references
from astrolabe.retrieval.analyses.signature import signature_of
from astrolabe.retrieval.analyses.type_hierarchy import subtypes, supertypes, type_hierarchy

OUTGOING = [
    ("run", ["AdminService consumer.ts:3", "createDefaultUser user.ts:14", "createUser user.ts:18"]),
    ("configure", ["Config.load config.ts:7"]),
    ("AdminService > promote", ["UserService.create user.ts:9"]),
    ("user.ts > createUser", ["User.constructor user.ts:5"]),
]
INCOMING = [
    ("createDefaultUser", ["run consumer.ts:9"]),
    ("createUser", ["run consumer.ts:9"]),
    ("Config > load", ["configure consumer.ts:15"]),
    ("UserService > create", ["AdminService.promote consumer.ts:4", "createDefaultUser user.ts:14"]),
    ("UserService", []),
]
DEEP = [
    ("run", ["AdminService", "createDefaultUser", "createUser", "UserService.create", "User.constructor"]),
]
ABOVE = [
    ("AdminService", ["UserService", "BaseService"]),
    ("UserService", ["BaseService"]),
    ("User", ["Entity"]),
]
BELOW = [("BaseService", ["UserService", "AdminService"]), ("Entity", ["User"])]
REFERENCES = [
    ("Entity", {"consumer.ts": 2, "index.ts": 1, "types.ts": 1, "user.ts": 2}),
    ("EntityId", {"consumer.ts": 2, "index.ts": 1, "types.ts": 3, "user.ts": 4}),
    ("Status", {"consumer.ts": 2, "sub-barrel.ts": 1, "user.ts": 2}),
    ("UserService", {"consumer.ts": 2, "user.ts": 1}),
    ("createDefaultUser", {"consumer.ts": 2}),
    ("createUser", {"consumer.ts": 2, "index.ts": 1}),
    ("Config > load", {"consumer.ts": 1}),
]
OFFERS = [
    ("User", ["user.ts User", "index.ts User", "sub-barrel.ts User"]),
    ("createUser", ["user.ts default", "index.ts createUser"]),
    ("Entity", ["types.ts Entity", "index.ts IEntity"]),
    ("Status", ["types.ts Status", "index.ts Status", "sub-barrel.ts Status"]),
    ("config.ts > Config", ["config.ts Config"]),
]
ALIASES = [
    ("Entity", ["IEntity: Entity IEntity"]),
    ("createUser", ["createUser: createUser default createUser", "default: createUser default"]),
    ("Config > load", []),
    ("config.ts > Config", ["configNs.Config: Config configNs.Config"]),
]
SIGNATURES = [
    ("IEntity", "interface Entity"),
    ("BaseService", "class BaseService<T extends Entity>"),
    ("Config > load", "load(name: string): Config"),
    ("Config > version", "const version = 1"),
    ("Status", "enum Status"),
    ("createUser", "createUser(id: EntityId): User"),
]
MEMBERS = [
    ("Config", ["name", "version", "load", "verbose"]),
    ("config.ts > Config", ["name", "version", "load", "verbose"]),
    ("config-ext.ts > ./config > Config", ["verbose"]),
    ("BaseService", ["items", "create", "find"]),
    ("Status", ["Active", "Closed"]),
    ("IEntity", ["id"]),
]


@pytest.fixture
def shop(project: Callable[[str], Any]) -> Any:
    return project("cross-module")


@pytest.mark.parametrize(("path", "expected"), OUTGOING)
def test_outgoing_calls(shop: Any, path: str, expected: list[str]) -> None:
    found = shop.ask(callees, path)
    assert [f"{call.symbol.qualified_name} {call.symbol.place}" for call in found.calls if call.form == "call"] == expected


@pytest.mark.parametrize(("path", "expected"), INCOMING)
def test_incoming_calls(shop: Any, path: str, expected: list[str]) -> None:
    assert [f"{call.symbol.qualified_name} {call.symbol.place}" for call in shop.ask(callers, path).calls] == expected


@pytest.mark.parametrize(("path", "expected"), DEEP)
def test_calls_over_hops(shop: Any, path: str, expected: list[str]) -> None:
    assert [symbol.qualified_name for symbol in shop.ask(callees, path, -1).symbols] == expected


@pytest.mark.parametrize(("path", "expected"), ABOVE)
def test_supertypes(shop: Any, path: str, expected: list[str]) -> None:
    assert [found.name for found in shop.ask(supertypes, path).types] == expected


@pytest.mark.parametrize(("path", "expected"), BELOW)
def test_subtypes(shop: Any, path: str, expected: list[str]) -> None:
    assert [found.name for found in shop.ask(subtypes, path).types] == expected


def test_hierarchy_of_a_generic_class(shop: Any) -> None:
    found = shop.ask(type_hierarchy, "BaseService")
    assert (found.is_abstract, [parameter.constraint for parameter in found.type_parameters]) == (True, ["Entity"])


@pytest.mark.parametrize(("path", "expected"), REFERENCES)
def test_references(shop: Any, path: str, expected: dict[str, int]) -> None:
    assert {file.path: len(file.sites) for file in shop.ask(references, path).files} == expected


@pytest.mark.parametrize(("path", "expected"), OFFERS)
def test_exports(shop: Any, path: str, expected: list[str]) -> None:
    assert [f"{offer.path} {offer.name}" for offer in shop.ask(exports, path).offers] == expected


def test_only_the_type_passes(shop: Any) -> None:
    assert [(offer.name, offer.type_only) for offer in shop.ask(exports, "Entity").offers] == [
        ("Entity", False),
        ("IEntity", True),
    ]


def test_a_barrel_offers_what_it_passes_on(shop: Any) -> None:
    found = file_exports(shop.graph, find_file(shop.graph, "index.ts"))
    assert sorted(offer.name for offer in found.offers) == [
        "BaseService",
        "EntityId",
        "IEntity",
        "Status",
        "User",
        "UserService",
        "createDefaultUser",
        "createUser",
    ]


@pytest.mark.parametrize(("path", "expected"), ALIASES)
def test_aliases(shop: Any, path: str, expected: list[str]) -> None:
    assert [f"{alias.name}: {' '.join(alias.chain)}" for alias in shop.ask(aliases, path).aliases] == expected


@pytest.mark.parametrize(("path", "expected"), SIGNATURES)
def test_signatures(shop: Any, path: str, expected: str) -> None:
    assert signature_of(shop.subject(path)).signature == expected


@pytest.mark.parametrize(("path", "expected"), MEMBERS)
def test_members(shop: Any, path: str, expected: list[str]) -> None:
    assert [member.name for member in shop.ask(members, path).members] == expected


#: A path, and the declarations that are one symbol: an interface, its namespace and what another file adds.
MERGED = [
    ("Config", ["interface config.ts", "namespace config.ts", "interface config-ext.ts"]),
    ("config.ts > Config", ["interface config.ts", "namespace config.ts", "interface config-ext.ts"]),
    ("config-ext.ts > ./config > Config", ["interface config-ext.ts"]),
]


@pytest.mark.parametrize(("path", "expected"), MERGED)
def test_merged_declarations_are_one_symbol(shop: Any, path: str, expected: list[str]) -> None:
    subject = shop.subject(path)
    assert [f"{symbol.kind} {symbol.relative_path}" for symbol in subject.declarations] == expected


def test_a_member_from_another_file_says_from_where(shop: Any) -> None:
    assert "  config-ext.ts:5: property verbose?: boolean" in shop.ask(members, "Config").text


def test_impact_goes_through_barrels(shop: Any) -> None:
    found = shop.ask(impact, "createUser")
    assert [one.symbol.name for one in found.dependants] == ["run"]
    assert [file.path for file in found.files] == ["consumer.ts", "index.ts"]
