"""Where one query of a text ends and the next begins, and what programs get of its rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from astrolabe.schema.errors import QueryRejected
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.cli.cypher_console import Console, ResultForm, split_queries


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("", []),
        (" ;; \n;", []),
        ("RETURN 1", ["RETURN 1"]),
        ("RETURN 1;", ["RETURN 1"]),
        ("RETURN 1; RETURN 2", ["RETURN 1", "RETURN 2"]),
        ("MATCH (a)\nRETURN a;\n\nRETURN 2;\n", ["MATCH (a)\nRETURN a", "RETURN 2"]),
        ("RETURN 'a;b'; RETURN 2", ["RETURN 'a;b'", "RETURN 2"]),
        ('RETURN "a;\\";b"; RETURN 2', ['RETURN "a;\\";b"', "RETURN 2"]),
        ("RETURN 'it\\'s;'; RETURN 2", ["RETURN 'it\\'s;'", "RETURN 2"]),
        ("MATCH (`a;b`) RETURN 1; RETURN 2", ["MATCH (`a;b`) RETURN 1", "RETURN 2"]),
        ("RETURN 1 // one; two\n; RETURN 2", ["RETURN 1 // one; two", "RETURN 2"]),
        ("RETURN 1 /* one; two */; RETURN 2", ["RETURN 1 /* one; two */", "RETURN 2"]),
        ("RETURN 1 / 2; RETURN 3", ["RETURN 1 / 2", "RETURN 3"]),
    ],
)
def test_split_queries(text: str, queries: list[str]) -> None:
    assert split_queries(text) == queries


@pytest.mark.parametrize("text", ["RETURN 'open; RETURN 2", "RETURN `open; RETURN 2", "RETURN \\; RETURN 2"])
def test_what_is_no_cypher_is_refused_before_anything_runs(text: str) -> None:
    with pytest.raises(QueryRejected, match="cannot be read at character"):
        split_queries(text)


def test_numbers_that_json_does_not_know_are_null(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Workspace.locate(indexed) as workspace:
        Console(workspace, ResultForm.JSON).answer("RETURN pow(10.0, 400) AS a, [sqrt(-1)] AS b, 1.5 AS c")
    assert json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["rows"] == [[None, [None], 1.5]]
