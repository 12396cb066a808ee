"""What Java code leads to: which of several methods of a name a call means, and what types derive from."""

from __future__ import annotations

import pytest
from java_programs import java_edges

SOURCE = """package shop;

interface Shape { double area(); default String label() { return "x"; } }

class Base {
    Base(int size) { }
    void put(long amount) { }
    void put(Integer amount) { }
    void put(Object... amounts) { }
    void put(String text) { }
    void put(Object thing) { }
    Base self() { return this; }
}

class Box extends Base implements Shape {
    Box() { super(1); }
    @Override public double area() { return 1.0; }
    @Override Box self() { return this; }
    void widens(int n) { put(n); }
    void most(String text) { put(text); }
    void any(Box box) { put(box); }
    void several(Box box) { put(box, box); }
    void covariant() { new Box().self().area(); }
    void shape(Shape shape) { shape.area(); }
    class Inner { void outer() { area(); } }
}
"""


@pytest.fixture(scope="module")
def calls() -> dict[str, set[str]]:
    """Return what each function calls."""
    units, edges = java_edges({"shop/Box.java": SOURCE})
    found: dict[str, set[str]] = {}
    for edge in edges.of_calls(units["shop/Box.java"]).calls:
        found.setdefault(edge.from_id.split(":")[0], set()).add(edge.to_id)
    return found


@pytest.mark.parametrize(
    ("caller", "called"),
    [
        ("widens", {"put:7"}),
        ("most", {"put:10"}),
        ("any", {"put:11"}),
        ("several", {"put:9"}),
        ("shape", {"area:3"}),
        ("outer", {"area:17"}),
    ],
)
def test_a_call_means_the_most_specific_method_of_the_first_phase_that_has_one(
    calls: dict[str, set[str]], caller: str, called: set[str]
) -> None:
    """Numbers are widened before they are boxed, and methods of any number of arguments come last."""
    assert calls[caller] == called


def test_what_a_method_returns_in_a_derived_class_is_what_the_call_gives(calls: dict[str, set[str]]) -> None:
    """`self()` of a `Box` gives a `Box`."""
    assert {"self:18", "area:17"} <= calls["covariant"]
