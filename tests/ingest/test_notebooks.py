"""Notebooks as modules: their cells, what is no Python in them, and conduct on files of any form."""

from __future__ import annotations

import json
from time import process_time

import pytest
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.languages.extraction import extract_facts, indexed_text
from astrolabe.ingest.languages.notebook.magics import hide_magics
from astrolabe.schema.notebook_cells import CellPlace, CellStart, cell_at, line_at
from linear_time import is_linear, processor_seconds
from written_notebook import OUTPUT, notebook

SALES = notebook(
    [
        ("markdown", "# Sales\n\nBy week, without refunds."),
        ("code", "%matplotlib inline\nimport pandas as pd\n"),
        ("raw", "not code"),
        ("code", "def week(day):\n    '''Week of a day.\n%d is no magic here\n'''\n    return day // 7\n\nweek(15)"),
    ]
)


def facts_of(text: str) -> FileFacts:
    return extract_facts(text.encode(), "notebook")


def symbols_of(text: str) -> list[tuple[str, str, int, int]]:
    return [(each.kind, each.name, each.start_line, each.end_line) for each in facts_of(text).symbols]


def test_the_text_is_a_module_of_numbered_cells() -> None:
    assert indexed_text(SALES.encode(), "notebook").decode() == (
        "# %% cell 1 (markdown)\n#\n# # Sales\n#\n# By week, without refunds.\n\n"
        "# %% cell 2\n\n%matplotlib inline\nimport pandas as pd\n\n"
        "# %% cell 4\n\ndef week(day):\n    '''Week of a day.\n%d is no magic here\n'''\n    return day // 7\n\nweek(15)\n"
    )
    assert OUTPUT in SALES
    assert OUTPUT not in indexed_text(SALES.encode(), "notebook").decode()


def test_symbols_are_those_of_the_code_and_the_cells() -> None:
    assert symbols_of(SALES) == [
        ("comment", "cell 1", 1, 5),
        ("comment", "cell 2", 7, 7),
        ("comment", "%matplotlib inline", 9, 9),
        ("import", "import:import pandas as pd", 10, 10),
        ("comment", "cell 4", 12, 12),
        ("function", "week", 14, 18),
        ("expression", "week(15)", 20, 20),
    ]
    facts = facts_of(SALES)
    assert {facts.symbols[chunk.symbol].name for chunk in facts.chunks} >= {"cell 1", "week"}
    assert "cell 4" not in {facts.symbols[chunk.symbol].name for chunk in facts.chunks}
    assert facts.problems == []


def test_a_line_of_the_module_tells_the_line_of_the_cell() -> None:
    starts = [CellStart(1, 1), CellStart(7, 2), CellStart(12, 4)]
    assert cell_at(starts, 14) == CellPlace(4, 1)
    assert line_at(starts, CellPlace(4, 5)) == 18
    assert line_at(starts, CellPlace(2, 2)) == 10
    assert [line_at(starts, place) for place in (CellPlace(3, 1), CellPlace(2, 4))] == [None, None]
    assert cell_at(starts[1:], 3) is None


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("!pip install a \\\n    b\nx = 1", "#pip install a \\\n    #\nx = 1"),
        ("if a:\n    !ls '\nb()", "if a:\n    0#s '\nb()"),
        ("names = !ls *.csv\nrows = %sql select 1", "names = _#s *.csv\nrows = _#ql select 1"),
        ("?week\nweek?\nweek.day??\nweek(1)", "#week\n#eek?\n#eek.day??\nweek(1)"),
        ("%%bash\nfor a in '; do\n  b", "#%bash\n#or a in '; do\n  #"),
        ("%%time\nweek(1)", "#%time\nweek(1)"),
        ("a = (1\n% 2)\nb = '''\n!no\n'''\nc = a \\\n % 3", "a = (1\n% 2)\nb = '''\n!no\n'''\nc = a \\\n % 3"),
        ("a = f('b \\\n!c', \n%d)\n!e", "a = f('b \\\n!c', \n%d)\n#e"),
        ("a != b\na %= 2\na = b % c  # don't", "a != b\na %= 2\na = b % c  # don't"),
        ("pip install astrolabe\npip = 3", "#ip install astrolabe\npip = 3"),
        ("a = f(1,\n", "# = f(1,\n"),
        ('a = """never ends\n!ls', '# = """never ends\n#ls'),
    ],
)
def test_what_is_no_python_becomes_a_comment(source: str, python: str) -> None:
    hidden = hide_magics(source.encode())
    assert len(hidden.data) == len(source)
    assert _without_comments(hidden.data.decode()) == _without_comments(python)


def _without_comments(text: str) -> list[str]:
    return [line.partition("#")[0] for line in text.split("\n")]


def test_a_cell_that_does_not_end_costs_no_other_cell() -> None:
    text = notebook([("code", "def a():\n    return 1"), ("code", "b = (a(),"), ("code", "def c():\n    return a()")])
    assert [name for kind, name, _, _ in symbols_of(text) if kind == "function"] == ["a", "c"]
    assert [problem.line for problem in facts_of(text).problems] == [6]


def test_magics_are_no_doc_comments() -> None:
    text = notebook([("code", "%load_ext shop\n# Adds.\ndef add(a, b):\n    return a + b")])
    assert [symbol.doc for symbol in facts_of(text).symbols if symbol.name == "add"] == ["Adds."]


def test_a_line_that_looks_like_the_number_of_a_cell_is_none() -> None:
    text = notebook([("code", "a = 1\n# %% cell 7\n\n# cell 8\n\nb = 2")])
    assert [name for kind, name, _, _ in symbols_of(text) if name.startswith("cell ")] == ["cell 1"]


def test_format_3_has_its_cells_in_worksheets() -> None:
    cells = [
        {"cell_type": "heading", "level": 1, "source": ["Stock"]},
        {"cell_type": "code", "input": ["def stock():\n", "    return 3"], "language": "python", "outputs": [{"text": OUTPUT}]},
    ]
    text = json.dumps({"metadata": {"name": ""}, "nbformat": 3, "worksheets": [{"cells": cells}]})
    assert symbols_of(text) == [("comment", "cell 1", 1, 3), ("comment", "cell 2", 5, 5), ("function", "stock", 7, 8)]


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("javascript", "function price(a) { return a }", ("function", "price")),
        ("Bash", "refund() { echo 1; }", ("function", "refund")),
        ("go", "func Price(a int) int { return a }", ("function", "Price")),
        ("c++17", "int price(int a) { return a; }", ("function", "price")),
        ("R", "price <- function(a) a\nprice(1)", ("expression", "price <- function(a) a")),
    ],
)
def test_other_languages_are_read_by_their_parsers(language: str, source: str, expected: tuple[str, str]) -> None:
    text = notebook([("markdown", "Prices"), ("code", source)], language)
    found = symbols_of(text)
    assert expected in [(kind, name) for kind, name, _, _ in found]
    assert {"cell 1", "cell 2"} <= {name for _, name, _, _ in found}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", ""),
        (b"{}", ""),
        (b'{"cells": [], "metadata": null}', ""),
        (b"{", "not valid JSON"),
        (b"[1, 2]", "not a notebook"),
        (b'{"cells": 3}', "not a notebook"),
        (b'{"cells": [3, {"cell_type": "code", "source": {}}]}', "cell 1 cannot be read"),
        (b'{"cells": [{"outputs": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]}", "nests too deeply"),
        (b"\0\1\2\3" * 100, "binary content"),
    ],
)
def test_what_is_no_notebook_is_a_problem(data: bytes, problem: str) -> None:
    facts = extract_facts(data, "notebook")
    assert facts.symbols == []
    assert [each for each in facts.problems if problem not in each.reason][:1] == facts.problems[1:2]
    assert bool(facts.problems) == bool(problem)


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf{"cells": [{"cell_type": "code", "source": "def sale(): pass"}]}',
        '{"cells": [{"cell_type": "code", "source": "def sale(): pass"}]}'.encode("utf-16"),
        rb'{"cells": [{"cell_type": "code", "source": "def sale(): return \"\ud83d\""}]}',
        b'{"cells": [7, {"cell_type": "code", "source": ["def sale():\\r\\n", "  pass"]}], "metadata": [1]}',
        b'{"cells": [{"cell_type": "code", "source": "def sale(): pass"}], "metadata": {"kernelspec": 3}}',
    ],
)
def test_every_spelling_of_a_notebook_is_read(data: bytes) -> None:
    assert "sale" in [symbol.name for symbol in extract_facts(data, "notebook").symbols]


@pytest.mark.parametrize(
    "piece", ["'", '"', "\\'", "(", "'''", "a = ", "!a \\\n", "%x ", "\\\n", "# %% cell 1\n", "a?\n", "data:a;"]
)
def test_time_is_linear_in_the_length_of_a_cell(piece: str) -> None:
    def seconds(count: int) -> float:
        data = (piece * count).encode()
        return processor_seconds(lambda: hide_magics(data))

    assert is_linear(seconds, 2_000, times=20)


def test_outputs_cost_little() -> None:
    cell = json.dumps({"cell_type": "code", "source": "sold = 1", "outputs": [{"data": {"image/png": "A" * 5_000_000}}]})
    data = f'{{"cells": [{cell}]}}'.encode()
    started = process_time()
    assert len(indexed_text(data, "notebook")) == len("# %% cell 1\n\nsold = 1\n")
    assert process_time() - started < 10
