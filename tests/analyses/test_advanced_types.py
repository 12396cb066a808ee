"""The structure of type aliases: every kind, its parts, and depth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.advanced_types import TypeNode, advanced_type
from astrolabe.schema.errors import UsageError

#: Alias, kind, fields that must have these values; all others must be empty.
CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("IsString", "conditional", {"check_type": "T", "extends_type": "string", "true_type": "true", "false_type": "false"}),
    (
        "TypeName",
        "conditional",
        {
            "check_type": "T",
            "extends_type": "string",
            "true_type": '"string"',
            "false_type": 'T extends number ? "number" : T extends boolean ? "boolean" : "object"',
        },
    ),
    (
        "UnpackPromise",
        "conditional",
        {
            "check_type": "T",
            "extends_type": "Promise<infer U>",
            "true_type": "U",
            "false_type": "T",
            "infer_types": ("U",),
        },
    ),
    (
        "UnpackArray",
        "conditional",
        {
            "check_type": "T",
            "extends_type": "(infer Item)[]",
            "true_type": "Item",
            "false_type": "never",
            "infer_types": ("Item",),
        },
    ),
    (
        "FunctionReturnType",
        "conditional",
        {
            "check_type": "F",
            "extends_type": "(...args: never[]) => infer R",
            "true_type": "R",
            "false_type": "never",
            "infer_types": ("R",),
        },
    ),
    (
        "Entries",
        "conditional",
        {
            "check_type": "T",
            "extends_type": "Map<infer K extends string, infer V>",
            "true_type": "[K, V]",
            "false_type": "never",
            "infer_types": ("K", "V"),
        },
    ),
    ("Nullable", "mapped", {"key_name": "K", "constraint": "keyof T", "value_type": "T[K] | null"}),
    (
        "ReadonlyDeep",
        "mapped",
        {"key_name": "K", "constraint": "keyof T", "value_type": "ReadonlyDeep<T[K]>", "readonly_modifier": "readonly"},
    ),
    (
        "Mutable",
        "mapped",
        {"key_name": "K", "constraint": "keyof T", "value_type": "T[K]", "readonly_modifier": "-readonly"},
    ),
    (
        "RequiredFields",
        "mapped",
        {"key_name": "K", "constraint": "keyof T", "value_type": "T[K]", "optional_modifier": "-?"},
    ),
    (
        "Getters",
        "mapped",
        {
            "key_name": "K",
            "constraint": "keyof T",
            "value_type": "() => T[K]",
            "name_type": "`get${Capitalize<string & K>}`",
        },
    ),
    ("EventName", "templateLiteral", {"spans": ("on", "${T}")}),
    ("PropGetter", "templateLiteral", {"spans": ("get", "${Capitalize<T>}")}),
    ("CssProperty", "templateLiteral", {"spans": ('${"margin" | "padding"}', "-", '${"top" | "bottom"}')}),
    ("ApiEndpoint", "templateLiteral", {"spans": ("/api/", "${V}", "/", "${R}", "/list")}),
    ("PartialUser", "utility", {"name": "Partial", "type_arguments": ("User",)}),
    ("RequiredUser", "utility", {"name": "Required", "type_arguments": ("User",)}),
    ("ReadonlyUser", "utility", {"name": "Readonly", "type_arguments": ("User",)}),
    ("UserRecord", "utility", {"name": "Record", "type_arguments": ("string", "User")}),
    ("UserNameEmail", "utility", {"name": "Pick", "type_arguments": ("User", '"name" | "email"')}),
    ("UserWithoutEmail", "utility", {"name": "Omit", "type_arguments": ("User", '"email"')}),
    ("NonNullString", "utility", {"name": "NonNullable", "type_arguments": ("string | null",)}),
    ("FnReturn", "utility", {"name": "ReturnType", "type_arguments": ("typeof create",)}),
    ("FnParams", "utility", {"name": "Parameters", "type_arguments": ("typeof create",)}),
    ("StringOrNumber", "union", {"types": ("string", "number")}),
    ("HttpMethod", "union", {"types": ('"GET"', '"POST"', '"PUT"')}),
    ("WithTimestamp", "intersection", {"types": ("T", "{ createdAt: Date }")}),
    ("UserName", "indexedAccess", {"object_type": "User", "index_type": '"name"'}),
    ("UserIdOrName", "indexedAccess", {"object_type": "User", "index_type": '"id" | "name"'}),
    ("UserKeys", "keyof", {"target": "User"}),
    ("Creator", "typeof", {"target": "create"}),
    ("Listed", "simple", {"name": "Array", "type_arguments": ("Partial<User>",)}),
    ("UserId", "simple", {}),
    ("Callback", "simple", {}),
    ("Pair", "simple", {}),
]

TEXTS = [
    ("UserId", "number"),
    ("Callback", "(user: User) => void"),
    ("Pair", "[User, UserId]"),
    ("IsString", "T extends string ? true : false"),
]

PARAMETERS = [("IsString", ["T"]), ("EventName", ["T"]), ("ApiEndpoint", ["V", "R"]), ("UserId", [])]
EMPTY = [("NotAnAlias", "notApplicable"), ("create", "notApplicable"), ("Nowhere", "notFound")]

_GENERAL = ("kind", "text", "role", "children", "depth_limited")


def outline(node: TypeNode) -> Any:
    """`role kind` of a node, with those of its children where it has any."""
    name = f"{node.role} {node.kind}".strip()
    return {name: [outline(child) for child in node.children]} if node.children else name


@pytest.mark.parametrize(("path", "kind", "fields"), CASES, ids=[path for path, *_ in CASES])
def test_parts(project: Callable[[str], Any], path: str, kind: str, fields: dict[str, Any]) -> None:
    whole = project("advanced-types").ask(advanced_type, path).type
    set_fields = {name: getattr(whole, name) for name in whole.__slots__ if name not in _GENERAL}
    assert whole.kind == kind
    assert {name: value for name, value in set_fields.items() if value} == fields
    assert whole.children == ()


@pytest.mark.parametrize(("path", "text"), TEXTS, ids=[path for path, _ in TEXTS])
def test_the_text_is_that_of_the_source(project: Callable[[str], Any], path: str, text: str) -> None:
    assert project("advanced-types").ask(advanced_type, path).type.text == text


@pytest.mark.parametrize(("path", "names"), PARAMETERS, ids=[path for path, _ in PARAMETERS])
def test_type_parameters(project: Callable[[str], Any], path: str, names: list[str]) -> None:
    assert [each.name for each in project("advanced-types").ask(advanced_type, path).type_parameters] == names


DEPTHS = [
    ("IsArray", 1, "conditional"),
    (
        "IsArray",
        2,
        {"conditional": ["check simple", "extends simple", "true conditional", "false simple"]},
    ),
    ("DeepPartial", 2, {"conditional": ["check simple", "extends simple", "true mapped", "false simple"]}),
    (
        "DeepPartial",
        3,
        {
            "conditional": [
                "check simple",
                "extends simple",
                {"true mapped": ["constraint keyof", "value simple"]},
                "false simple",
            ]
        },
    ),
    ("StringOrNumber", 2, {"union": ["part simple", "part simple"]}),
    ("WithTimestamp", 2, {"intersection": ["part simple", "part simple"]}),
    ("Listed", -1, {"simple": [{"argument utility": ["argument simple"]}]}),
    (
        "Getters",
        -1,
        {
            "mapped": [
                {"constraint keyof": ["target simple"]},
                {"nameType templateLiteral": [{"span utility": [{"argument intersection": ["part simple", "part simple"]}]}]},
                {"value simple": [{"result indexedAccess": ["object simple", "index simple"]}]},
            ]
        },
    ),
]


@pytest.mark.parametrize(("path", "depth", "expected"), DEPTHS, ids=[f"{path} {depth}" for path, depth, _ in DEPTHS])
def test_depth(project: Callable[[str], Any], path: str, depth: int, expected: Any) -> None:
    assert outline(project("advanced-types").ask(advanced_type, path, depth).type) == expected


def test_what_depth_leaves_out_is_marked(project: Callable[[str], Any]) -> None:
    asked = project("advanced-types")
    assert asked.ask(advanced_type, "IsArray", 1).type.depth_limited
    assert not asked.ask(advanced_type, "IsArray", -1).type.depth_limited
    assert not asked.ask(advanced_type, "StringOrNumber", 1).type.depth_limited
    with pytest.raises(UsageError, match="counts levels"):
        asked.ask(advanced_type, "IsArray", 0)


@pytest.mark.parametrize(("path", "kind"), EMPTY, ids=[path for path, _ in EMPTY])
def test_nothing_says_which(project: Callable[[str], Any], path: str, kind: str) -> None:
    found = project("advanced-types").ask(advanced_type, path)
    assert (found.type, found.nothing.kind) == (None, kind)


def test_there_are_26_utility_types() -> None:
    from astrolabe.ingest.languages.typescript.lowering.type_structure import UTILITY_TYPES

    assert len(UTILITY_TYPES) == 26
