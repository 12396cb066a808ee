"""The names that the clause of an import brings."""

from __future__ import annotations

import pytest
from astrolabe.schema.import_clauses import imported_names

CLAUSES = [
    ("total", ("default",)),
    ("{ rate, tax as duty }", ("rate", "tax")),
    ("{ type Rate, type as kind, default as main }", ("Rate", "type", "default")),
    ("total, { rate,\n  tax, }", ("default", "rate", "tax")),
    ("* as rates", ()),
    ("total, * as rates", ()),
    ("{}", ()),
    ("", ()),
]


@pytest.mark.parametrize(("clause", "expected"), CLAUSES)
def test_names_of_a_clause(clause: str, expected: tuple[str, ...]) -> None:
    assert imported_names(clause) == expected
