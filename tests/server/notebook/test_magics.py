"""The extension in a shell of IPython: cells, their options, errors and completions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import astrolabe
import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.requests.query_rows import QueryRows
from astrolabe.server.api.requests.search_results import SearchResults
from astrolabe.server.display.notebook_progress import notebook_progress
from astrolabe.server.environment.progress import ignore_progress
from astrolabe.server.notebook.cell_options import CellOptions, cell_options
from IPython.core.completer import provisionalcompleter
from IPython.core.error import UsageError as CellError
from IPython.core.interactiveshell import InteractiveShell


@pytest.fixture
def shell(indexed: Path) -> Iterator[InteractiveShell]:
    """A shell with the extension and a workspace in the variable `ws`."""
    made = InteractiveShell.instance()
    made.reset(new_session=True)
    made.run_line_magic("load_ext", "astrolabe")
    with astrolabe.open(indexed) as workspace:
        made.user_ns["ws"] = workspace
        yield made
    InteractiveShell.clear_instance()


def test_a_cypher_cell_has_parameters_and_keeps_its_rows(shell: InteractiveShell) -> None:
    shell.user_ns["wanted"] = "src/cart/total.js"
    rows = shell.run_cell_magic("cypher", "-o found", "MATCH (f:File {relativePath: $wanted}) RETURN f.language AS language")
    assert isinstance(rows, QueryRows)
    assert rows.rows == [("javascript",)]
    assert shell.user_ns["found"] is rows
    assert len(shell.run_cell_magic("cypher", "-n 2", "MATCH (s:Symbol) RETURN s.name").rows) == 2


def test_an_astrolabe_cell_searches_finds_and_chains(shell: InteractiveShell) -> None:
    answer = shell.run_cell_magic("astrolabe", "-n 1", "where are tokens validated\n")
    assert isinstance(answer, SearchResults)
    assert len(answer) == 1
    assert "TokenService" in shell.run_line_magic("astrolabe", "where are tokens validated").text
    assert "verify.ts" in shell.run_cell_magic("astrolabe", "find", "endsWith(secret)\n").text
    found = shell.run_cell_magic("astrolabe", "query -n 1", "symbols(name='handleLogin').callees()\n")
    assert "validateToken" in found._repr_html_()
    assert shell.run_cell_magic("astrolabe", "query", "files().count()") == 4
    assert "No file of the index" in shell.run_cell_magic("astrolabe", "query", "files(path='none')")._repr_html_()


@pytest.mark.parametrize(
    ("magic", "line", "cell", "message"),
    [
        ("cypher", "", "MATCH (n) DELETE n", "DELETE is not allowed"),
        ("cypher", "", "MATCH (f:File {lines: $nowhere}) RETURN f", "no variable nowhere"),
        ("cypher", "-w other", "RETURN 1", "other holds no workspace"),
        ("cypher", "--nonsense", "RETURN 1", "unrecognized arguments"),
        ("cypher", "-o 1x", "RETURN 1", "name of a variable"),
        ("cypher", "-n 0", "RETURN 1", "a number from 1"),
        ("astrolabe", "dance", "x", "invalid choice"),
        ("astrolabe", "query", "files().nothing()", "has no `nothing`"),
        ("astrolabe", "'open", "x", "No closing quotation"),
    ],
)
def test_errors_are_sentences(shell: InteractiveShell, magic: str, line: str, cell: str, message: str) -> None:
    with pytest.raises(CellError, match=message):
        shell.run_cell_magic(magic, line, cell)


def test_one_of_several_workspaces_is_named(shell: InteractiveShell, indexed: Path) -> None:
    with astrolabe.open(indexed) as other:
        shell.user_ns["other"] = other
        with pytest.raises(CellError, match="-w other"):
            shell.run_cell_magic("cypher", "", "RETURN 1")
        assert shell.run_cell_magic("cypher", "-w ws", "RETURN 1").rows == [(1,)]


def test_without_a_variable_the_current_folder_is_opened(
    shell: InteractiveShell, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del shell.user_ns["ws"]
    monkeypatch.chdir(indexed)
    assert shell.run_cell_magic("cypher", "", "MATCH (f:File) RETURN count(f)").rows == [(4,)]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("%%cypher\nMATCH (s:Sym", "Symbol"),
        ("%%cypher -o rows\nMATCH (f:File)\nRETURN f.relat", "relativePath"),
        ("%%cypher\nMATCH (f:File {path: $wan", "wanted"),
        ("%%astrolabe query\nfiles().importe", "importers("),
    ],
)
def test_cells_complete(shell: InteractiveShell, cell: str, text: str) -> None:
    shell.user_ns["wanted"] = 1
    with provisionalcompleter():
        found = [(cell[: each.start] + each.text) for each in shell.Completer.completions(cell, len(cell))]
    assert found[0].endswith(text)


def test_other_cells_complete_as_before(shell: InteractiveShell) -> None:
    shell.user_ns["some_name"] = 1
    with provisionalcompleter():
        assert "some_name" in [each.text for each in shell.Completer.completions("some_na", 7)]


def test_options_of_a_cell() -> None:
    assert cell_options("astrolabe", "find -w a -o b -n 3") == CellOptions("a", "b", 3, "find")
    assert cell_options("cypher", "") == CellOptions()
    with pytest.raises(UsageError, match="invalid int"):
        cell_options("cypher", "-n many")


def test_no_bar_is_drawn_outside_of_a_kernel() -> None:
    assert notebook_progress() is ignore_progress
