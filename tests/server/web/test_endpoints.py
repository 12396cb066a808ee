"""What the page gets from the server: the answers of the Python API, and sentences where it asks wrongly."""

from __future__ import annotations

from typing import Any

import pytest
from console_server import Console


def test_the_state_tells_the_generation(fresh_console: Console) -> None:
    assert fresh_console.ask("state").json["generation"] is None
    fresh_console.workspace.index()
    assert fresh_console.ask("state").json["generation"] == 1


def test_a_search_is_the_answer_of_the_workspace(console: Console) -> None:
    found = console.ask("search", query="validate a token").json
    assert found["results"][0]["symbol"] == "TokenService > validateToken"
    assert found["text"] == console.workspace.search("validate a token").to_json()["text"]


def test_a_pattern_finds_lines(console: Console) -> None:
    found = console.ask("search", query=r"token\.ends\w+", mode="literal", is_regex=True).json
    assert [(one["file"], one["line"], one["match"]) for one in found["results"]] == [("src/auth/verify.ts", 3, "token.endsWith")]


def test_scores_have_reasons(console: Console) -> None:
    explained = console.ask("explain", query="validate a token").json["results"][0]
    assert explained["features"].keys() >= explained["adds"].keys() > set()


def test_a_symbol_has_what_is_one_step_away(console: Console) -> None:
    page = console.ask("symbol", name="TokenService > validateToken").json
    assert page["symbol"]["path"] == "src/auth/tokenService.ts"
    names = {key: [row["name"] for row in section["rows"]] for key, section in page["sections"].items()}
    assert (names["callers"], names["callees"], names["parents"]) == (["handleLogin"], ["verifySignature"], ["TokenService"])
    assert console.ask("symbol", id=page["symbol"]["id"]).json["symbol"] == page["symbol"]


def test_a_file_has_declarations_imports_and_importers(console: Console) -> None:
    page = console.ask("file", path="src/auth/tokenService.ts").json
    assert {row["qualifiedName"] for row in page["symbols"]["rows"]} >= {"TokenService", "Validator"}
    places = {key: [row["path"] for row in section["rows"]] for key, section in page["sections"].items()}
    assert places == {"imports": ["src/auth/verify.ts"], "importers": ["src/routes/login.ts"]}


def test_source_is_pieces_of_text_with_colors(console: Console) -> None:
    source = console.ask("source", path="src/auth/verify.ts", start=2, end=3).json
    assert (source["start"], source["total"], len(source["lines"])) == (2, 4, 2)
    assert ["keyword", "return"] in source["lines"][1]
    assert "".join(text for _, text in source["lines"][1]) == "  return token.endsWith(secret)"


def test_colors_far_below_in_a_long_file_are_those_of_its_language(fresh_console: Console) -> None:
    functions = [
        f'def f{number}():\n    """Return {number}.\n\n    It is a number.\n    """\n    return {number}\n'
        for number in range(900)
    ]
    (fresh_console.workspace.root / "long.py").write_text("\n".join(functions))
    fresh_console.workspace.index()
    source = fresh_console.ask("source", path="long.py", start=5000, end=5014).json
    assert (source["start"], source["total"]) == (5000, 6299)
    whole = [line for start in (1, 2001, 4001) for line in fresh_console.ask("source", path="long.py", start=start).json["lines"]]
    assert source["lines"] == whole[4999:5014]
    assert ["keyword", "def"] in [piece for line in source["lines"] for piece in line]


@pytest.mark.parametrize(
    ("endpoint", "request_", "status", "sentence"),
    [
        ("search", {"q": "x"}, 400, "unknown field `q`"),
        ("search", {"query": 3}, 400, "$.query"),
        ("search", {"query": "("," mode": "literal"}, 400, "unknown field"),
        ("search", {"query": "(", "mode": "literal", "is_regex": True}, 422, "cannot be compiled"),
        ("symbol", {"name": "Nowhere"}, 422, "No symbol 'Nowhere' is in the index."),
        ("symbol", {}, 422, "takes a text"),
        ("file", {"path": "no.ts"}, 422, "No file 'no.ts' is in the index."),
        ("nothing", {}, 404, "no such endpoint"),
    ],
)  # fmt: skip
def test_a_wrong_request_gets_a_sentence(
    console: Console, endpoint: str, request_: dict[str, Any], status: int, sentence: str
) -> None:
    answer = console.ask(endpoint, **request_)
    assert answer.status == status
    assert sentence in answer.json["error"]


def test_a_long_section_shows_its_first_rows_and_counts_all(fresh_console: Console) -> None:
    callers = "".join(f"export function caller{number:02}() {{ return used() }}\n" for number in range(52))
    (fresh_console.workspace.root / "src" / "used.ts").write_text(f"export function used() {{ return 1 }}\n{callers}")
    section = fresh_console.ask("symbol", name="used").json["sections"]["callers"]
    assert (section["count"], len(section["rows"])) == (52, 50)
    assert [row["name"] for row in section["rows"][:2]] == ["caller00", "caller01"]
