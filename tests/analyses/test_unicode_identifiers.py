"""Names beyond ASCII: scripts, mixed scripts, confusable pairs, unseen characters, direction, normal form, scope and severity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.finding import find_file
from astrolabe.retrieval.analyses.unicode_identifiers import UnicodeIdentifiers, file_unicode_identifiers, unicode_identifiers

CYRILLIC_FUNCTION, CYRILLIC_DATA = "\u0444\u0443\u043d\u043a\u0446\u0438\u044f", "\u0434\u0430\u043d\u043d\u044b\u0435"
PAYMENT, ALPHA, DELTA = "p\u0430yment", "\u03b1lpha_value", "\u0394x"
SCORE, PORT = "s\u0441ore", "\u0440ort"
ZWNJ, ZWJ = "foo\u200cbar", "test\u200dname"
COMBINED = "cafe\u0301_two"

#: Name, line, kind, scope, scripts, severity.
NAMES = [
    ("caf\u00e9", 8, "const", "file", ["Latin"], "info"),
    ("r\u00e9sum\u00e9", 9, "const", "file", ["Latin"], "info"),
    ("na\u00efve", 10, "const", "file", ["Latin"], "info"),
    (CYRILLIC_FUNCTION, 12, "function", "file", ["Cyrillic"], "info"),
    (CYRILLIC_DATA, 12, "parameter", f"function:{CYRILLIC_FUNCTION}", ["Cyrillic"], "info"),
    (PAYMENT, 16, "const", "file", ["Cyrillic", "Latin"], "warning"),
    (ALPHA, 17, "const", "file", ["Greek", "Latin"], "warning"),
    (DELTA, 18, "const", "file", ["Greek", "Latin"], "warning"),
    (SCORE, 21, "const", "file", ["Cyrillic", "Latin"], "critical"),
    (PORT, 23, "const", "file", ["Cyrillic", "Latin"], "critical"),
    (ZWNJ, 25, "const", "file", ["Latin"], "critical"),
    (ZWJ, 26, "const", "file", ["Latin"], "critical"),
    ("r\u00e9sultat", 29, "variable", "function:processData", ["Latin"], "info"),
    ("\u00e9tat", 34, "property", "class:DataService", ["Latin"], "info"),
    ("Configur\u00e4tion", 37, "interface", "file", ["Latin"], "info"),
    ("n\u00e4me", 38, "property", "interface:Configur\u00e4tion", ["Latin"], "info"),
    ("\u03c0", 41, "const", "file", ["Greek"], "info"),
    ("\u4e16\u754c", 42, "const", "file", ["CJK"], "info"),
    (COMBINED, 43, "const", "file", ["Latin"], "info"),
    ("\u00c9tat", 45, "enum", "file", ["Latin"], "info"),
    ("U+202E", 50, "character", "file", [], "critical"),
]


@pytest.fixture(scope="module")
def found(project: Callable[[str], Any]) -> UnicodeIdentifiers:
    graph = project("unicode-identifiers").graph
    return file_unicode_identifiers(graph, find_file(graph, "identifiers.ts"))


def test_every_name_beyond_ascii_and_no_other_is_found(found: UnicodeIdentifiers) -> None:
    assert [each.name for each in found.identifiers] == [name for name, *_ in NAMES]


@pytest.mark.parametrize(
    ("name", "line", "kind", "scope", "scripts", "severity"), NAMES, ids=[f"line {line} {kind}" for _, line, kind, *_ in NAMES]
)
def test_place_script_and_severity(
    found: UnicodeIdentifiers, name: str, line: int, kind: str, scope: str, scripts: list[str], severity: str
) -> None:
    each = next(each for each in found.identifiers if each.name == name)
    assert (each.line, each.kind, each.scope, list(each.scripts), each.severity) == (line, kind, scope, scripts, severity)


FLAGS: list[tuple[str, str, set[str]]] = [
    ("is_mixed_script", "mixed", {PAYMENT, ALPHA, DELTA, SCORE, PORT}),
    ("has_zero_width", "zero width", {ZWNJ, ZWJ}),
    ("has_bidi", "direction", {"U+202E"}),
]


@pytest.mark.parametrize(("attribute", "what", "names"), FLAGS, ids=[what for _, what, _ in FLAGS])
def test_flags_stand_where_they_belong_and_nowhere_else(
    found: UnicodeIdentifiers, attribute: str, what: str, names: set[str]
) -> None:
    assert {each.name for each in found.identifiers if getattr(each, attribute)} == names


def test_pairs_that_look_the_same(found: UnicodeIdentifiers) -> None:
    confusable = [each for each in found.identifiers if each.confusable_with]
    assert [(each.name, each.confusable_with) for each in confusable] == [(SCORE, ("score",)), (PORT, ("port",))]
    assert all("Cyrillic" in (each.reason or "") for each in confusable)


@pytest.mark.parametrize(
    "name", ["normalVar", "normalFunc", "plain", "NormalClass", "NormalInterface", "score", "port", "labels", "Actif"]
)
def test_plain_names_are_left_out(found: UnicodeIdentifiers, name: str) -> None:
    assert name not in {each.name for each in found.identifiers}


NORMAL_FORMS = [("caf\u00e9", "caf\u00e9"), (COMBINED, "caf\u00e9_two"), (PORT, PORT)]


@pytest.mark.parametrize(("name", "normal"), NORMAL_FORMS, ids=["composed", "combining", "other script"])
def test_names_in_normal_form(found: UnicodeIdentifiers, name: str, normal: str) -> None:
    assert [each.normalized for each in found.identifiers if each.name == name] == [normal]


def test_a_workspace_lists_the_most_severe_first(project: Callable[[str], Any]) -> None:
    severities = [each.severity for each in unicode_identifiers(project("unicode-identifiers").graph).identifiers]
    assert severities == ["critical"] * 5 + ["warning"] * 3 + ["info"] * 13


def test_the_text_shows_what_nobody_sees(found: UnicodeIdentifiers) -> None:
    assert "foo\\u200cbar in file: has invisible characters: U+200C" in found.text
    assert found.title.endswith("21 names beyond ASCII (5 critical, 3 warning, 13 info)")


def test_nothing_says_which(project: Callable[[str], Any]) -> None:
    graph = project("unicode-identifiers").graph
    assert file_unicode_identifiers(graph, find_file(graph, "ascii.ts")).nothing.kind == "none"
    assert file_unicode_identifiers(graph, find_file(graph, "nowhere.ts")).nothing.kind == "notFound"
    assert unicode_identifiers(project("callbacks").graph).nothing.kind == "none"
