"""The numbers of results that Go code uses of calls."""

from __future__ import annotations

import pytest
from astrolabe.ingest.languages.go.used_results import used_results

COUNTS = [
    ("a, b := build()", 2),
    ("a, b := (build())", 2),
    ("a, b := ((build()))", 2),
    ("a := (build())", 1),
    ("use(1, (build()))", 1),
    ("_ = (build()) + 1", 1),
    ("return build()", 2),
    ("return (build())", 2),
    ("use(build())", None),
    ("use((build()))", None),
]


@pytest.mark.parametrize(("statement", "count"), COUNTS)
def test_results_are_counted_inside_of_parentheses(statement: str, count: int | None) -> None:
    source = f"package shop\n\nfunc run() (int, error) {{\n\t{statement}\n}}\n".encode()
    assert used_results(source).get(source.index(b"build")) == count
