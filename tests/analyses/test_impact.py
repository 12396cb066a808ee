"""Impact: dependants by distance, through calls, types, heritage, overrides and imports; files, modules, tests, risk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.analyses.finding import find_file
from astrolabe.retrieval.analyses.impact import file_impact, impact
from astrolabe.schema.errors import UsageError

#: Symbol, depth, then its dependants: distance, name, through.
DEPENDANTS = [
    ("tax", 1, ["1 total call"]),
    ("tax", 2, ["1 total call", "2 bill call", "2 makeBilling.settle call"]),
    (
        "tax",
        -1,
        ["1 total call", "2 bill call", "2 makeBilling.settle call", "3 checkout call", "4 checkout(3) call"],
    ),
    (
        "Price",
        1,
        ["1 tax read,type", "1 total read,type", "1 bill type", "1 makeBilling.settle type", "1 checkout write"],
    ),
    (
        "Printer",
        1,
        [
            "1 ConsolePrinter heritage,type",
            "1 ConsolePrinter.print override",
            "1 FilePrinter heritage,type",
            "1 FilePrinter.print override",
            "1 bill call,type",
        ],
    ),
    ("emit", 2, ["1 ConsolePrinter.print call", "2 bill dispatch", "2 LoudPrinter.print call,override"]),
    ("FilePrinter > print", 1, ["1 bill dispatch"]),
    ("ConsolePrinter > print", 1, ["1 bill dispatch", "1 LoudPrinter.print call,override"]),
    ("Printer > print", 1, ["1 ConsolePrinter.print override", "1 FilePrinter.print override", "1 bill call"]),
    ("rate", -1, ["1 discounted read"]),
    ("lonely", -1, []),
    ("makeBilling > settle", 1, ["1 checkout call"]),
    ("LoudPrinter", 1, ["1 bill dispatch", "1 checkout call"]),
    ("LoudPrinter > print", 1, ["1 bill dispatch"]),
]

#: Symbol, then path, module, distance and number of dependants of each affected file.
FILES = [
    (
        "tax",
        [
            ("invoice.ts", ".", 1, 3),
            ("passing.ts", ".", 1, 0),
            ("packages/shop/checkout.ts", "packages/shop", 3, 1),
            ("packages/shop/checkout.test.ts", "packages/shop", 4, 1),
        ],
    ),
    ("lonely", [("passing.ts", ".", 1, 0)]),
    ("rate", [("invoice.ts", ".", 1, 1)]),
]

#: Symbol, risk, words among the reasons.
RISKS = [
    ("tax", "medium", "1 test file among them"),
    ("lonely", "low", "0 symbols in 1 file of 1 module"),
    ("rate", "medium", "no test reaches it"),
    ("Printer", "medium", "9 symbols in 4 files of 2 modules"),
]

EMPTY = [
    ("discounted", "none", "Nothing depends on it"),
    ("print", "ambiguous", "names"),
    ("taxes", "notFound", "tax"),
]


@pytest.mark.parametrize(("path", "depth", "expected"), DEPENDANTS)
def test_dependants(project: Callable[[str], Any], path: str, depth: int, expected: list[str]) -> None:
    found = project("impact").ask(impact, path, depth)
    assert [f"{one.distance} {one.symbol.qualified_name} {','.join(one.through)}" for one in found.dependants] == expected
    assert len(found.direct) + len(found.transitive) == len(expected)
    assert found.nothing is None


@pytest.mark.parametrize(("path", "expected"), FILES)
def test_files(project: Callable[[str], Any], path: str, expected: list[tuple[str, str, int, int]]) -> None:
    found = project("impact").ask(impact, path, -1)
    assert [(file.path, file.module, file.distance, file.symbols) for file in found.files] == expected
    assert found.modules == tuple(sorted({row[1] for row in expected}))
    assert found.tests == tuple(row[0] for row in expected if ".test." in row[0])


@pytest.mark.parametrize(("path", "risk", "words"), RISKS)
def test_risk(project: Callable[[str], Any], path: str, risk: str, words: str) -> None:
    found = project("impact").ask(impact, path, -1)
    assert found.risk == risk
    assert words in "; ".join(found.reasons)


@pytest.mark.parametrize(("path", "kind", "words"), EMPTY)
def test_each_nothing_says_which(project: Callable[[str], Any], path: str, kind: str, words: str) -> None:
    found = project("impact").ask(impact, path)
    assert (found.risk, found.dependants, found.files) == ("none", (), ())
    assert found.nothing.kind == kind
    assert words in found.nothing.message


def test_a_dependant_tells_where_and_on_what(project: Callable[[str], Any]) -> None:
    total = project("impact").ask(impact, "tax", 1).dependants[0]
    assert (total.symbol.relative_path, total.lines, total.on) == ("invoice.ts", (4,), ("tax",))
    assert [one.symbol.name for one in project("impact").ask(impact, "tax", 1).exported] == ["total"]


def test_a_file_affects_its_importers(project: Callable[[str], Any]) -> None:
    graph = project("impact").graph
    found = file_impact(graph, find_file(graph, "invoice.ts"), 1)
    assert [(one.symbol.name, one.distance) for one in found.dependants] == [("checkout", 1)]
    assert [file.path for file in found.files] == ["packages/shop/checkout.ts"]
    passing = file_impact(graph, find_file(graph, "passing.ts"))
    assert (passing.nothing.kind, passing.dependants) == ("none", ())
    assert file_impact(graph, find_file(graph, "gone.ts")).nothing.kind == "notFound"


@pytest.mark.parametrize("depth", [0, -3])
def test_a_depth_counts_hops(project: Callable[[str], Any], depth: int) -> None:
    with pytest.raises(UsageError, match="from 1"):
        project("impact").ask(impact, "tax", depth)


def test_a_circle_of_calls_ends(project: Callable[[str], Any]) -> None:
    found = project("cycle").ask(impact, "alpha", -1)
    assert [f"{one.distance} {one.symbol.name}" for one in found.dependants] == ["1 beta", "1 enter"]
