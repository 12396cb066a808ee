"""Names that are like a written one, and in which order."""

from __future__ import annotations

import time

import pytest
from astrolabe.retrieval.lookup.fuzzy_names import like, likeness


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("getUserById", "getUserById"),
        ("getuserbyid", "getUserById"),
        ("getUser", "getUserById"),
        ("gUBI", "getUserById"),
        ("guid", "getUserById"),
        ("gus", "get_user_session"),
        ("hs", "HTTPServer"),
        ("UserBy", "getUserById"),
        ("getUesrById", "getUserById"),
        ("getUsrById", "getUserById"),
        ("gtusrbd", "getUserById"),
    ],
)
def test_a_written_name_finds_a_name(written: str, name: str) -> None:
    assert likeness(name, written) > 0


@pytest.mark.parametrize(("written", "name"), [("gib", "getUserById"), ("xyz", "getUserById"), ("abc", "abd")])
def test_a_written_name_does_not_find_another(written: str, name: str) -> None:
    assert likeness(name, written) == 0


def test_closer_names_have_higher_scores() -> None:
    names = ["parse", "Parse", "parseAll", "particleSet", "preparse", "prase"]
    scores = like(names, "parse")
    assert sorted(scores, key=lambda name: -scores[name]) == names


def test_hostile_names_take_linear_time() -> None:
    begin = time.process_time()
    assert likeness("aB" * 5_000, "a" * 200 + "z") == 0
    assert time.process_time() - begin < 2
