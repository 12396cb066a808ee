"""What the panel of queries gets: completions, errors with their place, rows, plans and files. No hostile statement runs."""

from __future__ import annotations

import base64
import io
import json
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from console_server import Answer, Console

from tests.server.test_hostile_cypher import FORBIDDEN, fingerprint

CALLS = "MATCH (a:Symbol)-[c:CALLS]->(b:Symbol) RETURN a, c, b"
FILES = "MATCH (f:File) RETURN f.relativePath AS path, f.lines AS lines ORDER BY path"


def cypher(console: Console, text: str, **more: Any) -> Answer:
    return console.ask("cypher-run", language="cypher", text=text, **more)


def chain(console: Console, text: str, **more: Any) -> Answer:
    return console.ask("cypher-run", language="chain", text=text, **more)


def test_rows_come_with_their_number_and_time(console: Console) -> None:
    found = cypher(console, FILES, rows=2).json
    assert found["columns"] == ["path", "lines"]
    assert found["rows"][0] == ["src/auth/tokenService.ts", 16]
    assert (len(found["rows"]), found["totalRows"]) == (2, 3)
    assert found["milliseconds"] >= 0


def test_nodes_and_relationships_are_a_graph_too(console: Console) -> None:
    found = cypher(console, CALLS).json
    names = {node["id"]: node["name"] for node in found["nodes"]}
    assert ("handleLogin", "validateToken") in {(names[edge["start"]], names[edge["end"]]) for edge in found["edges"]}
    assert {edge["label"] for edge in found["edges"]} == {"CALLS"}


def test_parameters_have_their_types(console: Console) -> None:
    found = cypher(console, "MATCH (f:File) WHERE f.lines > $least RETURN count(*)", parameters={"least": 5}).json
    assert found["rows"] == [[2]]


@pytest.mark.parametrize("word", ["EXPLAIN", "PROFILE"])
def test_a_plan_is_no_row(console: Console, word: str) -> None:
    found = cypher(console, f"{word} {FILES}").json
    assert "SCAN_NODE_TABLE" in found["plan"]
    assert found["rows"] == []


def test_chains_run_and_show_their_statement(console: Console) -> None:
    found = chain(console, "symbols(name='handleLogin').callees()").json
    assert [row[found["columns"].index("name")] for row in found["rows"]] == ["validateToken"]
    assert "MATCH" in found["statement"]
    assert [node["name"] for node in found["nodes"]] == ["validateToken"]
    assert chain(console, "files().count()").json["message"] == "3"
    assert "No file of the index" in chain(console, "files(path='none')").json["message"]


@pytest.mark.parametrize(
    ("language", "text", "place", "sentence"),
    [
        ("cypher", "MATCH (s:Symbol) SET s.name = 'x'", 17, "SET is not allowed"),
        ("cypher", "MATCH (s:Symbol", 15, "does not close"),
        ("chain", "files(.x", 6, "Expected a value"),
    ],
)
def test_an_error_has_its_place(console: Console, language: str, text: str, place: int, sentence: str) -> None:
    (problem,) = console.ask("cypher-check", language=language, text=text).json["problems"]
    assert problem["position"] == place
    assert sentence in problem["message"]
    assert console.ask("cypher-run", language=language, text=text).status == 422


def test_a_right_statement_names_its_parameters(console: Console) -> None:
    checked = console.ask("cypher-check", language="cypher", text="MATCH (s {name: $name}) WHERE s.id <> $id RETURN s").json
    assert checked == {"problems": [], "parameters": ["id", "name"]}
    assert console.ask("cypher-check", language="cypher", text=" ").json["problems"] == []


def test_completions_are_those_of_the_schema(console: Console) -> None:
    found = console.ask("cypher-complete", language="cypher", text="MATCH (f:Fi", cursor=11).json
    assert (found["start"], found["items"][0]["text"]) == (9, "File")
    found = console.ask("cypher-complete", language="chain", text="files().imp", cursor=11).json
    assert [item["text"] for item in found["items"][:2]] == ["importers(", "imports("]


@pytest.mark.parametrize(("language", "text"), [("cypher", FILES), ("chain", "files().sort('path')")])
def test_files_have_all_rows(console: Console, language: str, text: str) -> None:
    def content(form: str) -> bytes:
        file = console.ask("cypher-export", language=language, text=text, form=form).json
        assert file["name"] == f"rows.{form}"
        return base64.b64decode(file["content"])

    paths = ["src/auth/tokenService.ts", "src/auth/verify.ts", "src/routes/login.ts"]
    assert [row["path"] for row in json.loads(content("json"))] == paths
    assert [line.split(",")[0] for line in content("csv").decode().splitlines()[1:]] == paths
    with pyarrow.ipc.open_file(io.BytesIO(content("arrow"))) as reader:
        assert reader.read_all()["path"].to_pylist() == paths


@pytest.mark.parametrize(
    ("request_", "status", "sentence"),
    [
        ({"language": "cypher", "text": ""}, 422, "empty"),
        ({"language": "cypher", "text": FILES, "rows": 0}, 422, "from 1 to 10,000"),
        ({"language": "sql", "text": FILES}, 400, "$.language"),
        ({"language": "chain", "text": "files().nothing()"}, 422, "has no `nothing`"),
        ({"language": "cypher", "text": "MATCH (n) RETURN $gone"}, 422, "gone"),
    ],
)
def test_wrong_requests_get_a_sentence(console: Console, request_: dict[str, Any], status: int, sentence: str) -> None:
    answer = console.ask("cypher-run", **request_)
    assert (answer.status, sentence in answer.json["error"]) == (status, True)


def test_no_hostile_statement_gets_through(console: Console, tmp_path: Path) -> None:
    console.ask("cypher-run", language="cypher", text="RETURN 1")
    before = fingerprint(console.workspace)
    out = tmp_path / "out"
    asked = 0
    for number, statement in enumerate(FORBIDDEN):
        text = statement.replace("{out}", str(out))
        answers = [cypher(console, text), console.ask("cypher-export", language="cypher", text=text, form="csv")]
        answers += [chain(console, text)] if number % 4 == 0 else []
        assert [answer.status for answer in answers] == [422] * len(answers), text
        asked += len(answers)
        if number % 20 == 0:
            called = console.ask("tools-call", name="cypher", arguments={"query": text})
            assert called.json["isError"], text
    assert asked > 300
    assert not out.exists()
    assert fingerprint(console.workspace) == before
    assert cypher(console, "RETURN 1").json["rows"] == [[1]]


def test_what_runs_is_stopped(console: Console) -> None:
    symbols = ", ".join(f"(s{number}:Symbol)" for number in range(12))
    slow = f"MATCH {symbols} WHERE {' + '.join(f's{number}.name' for number in range(12))} = 'x' RETURN count(*)"
    answers: list[Answer] = []
    thread = threading.Thread(target=lambda: answers.append(cypher(console, slow)))
    thread.start()
    deadline = time.monotonic() + 8
    while not console.ask("cypher-stop").json["stopped"] and time.monotonic() < deadline:
        time.sleep(0.02)
    thread.join()
    assert answers[0].json == {"error": "The query was stopped."}
    assert console.ask("cypher-limits").json == {"seconds": 600.0, "rows": 1000}
