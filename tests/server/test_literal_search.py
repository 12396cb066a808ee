"""Literal and hybrid search of a real small project: completeness, context, enclosing symbols, budget, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from astrolabe.schema.errors import UsageError
from astrolabe.server.api.workspace import Workspace

Run = Any

TOKENS = "src/auth/tokenService.ts"


@pytest.fixture
def workspace(indexed: Path) -> Any:
    with Workspace.locate(indexed) as opened:
        yield opened


def places(workspace: Workspace, query: str, **options: Any) -> list[tuple[str, int, int]]:
    return [(match["file"], match["line"], match["column"]) for match in workspace.find(query, **options).to_json()["results"]]


def test_every_line_is_found_in_order(workspace: Workspace, indexed: Path) -> None:
    expected = [
        (path.relative_to(indexed).as_posix(), number, line.lower().index("token") + 1)
        for path in sorted((indexed / "src").rglob("*.?s"))
        for number, line in enumerate(path.read_text().split("\n"), 1)
        if "token" in line.lower()
    ]
    assert len(expected) > 10
    assert places(workspace, "token") == expected
    found = workspace.find("token").answer
    assert (found.total_matches, found.total_files) == (len(expected), 3)


def test_a_line_comes_with_its_neighbours_and_the_declaration_around_it(workspace: Workspace) -> None:
    (match,) = workspace.find("return verifySignature", before=2, after=1).to_json()["results"]
    assert match["file"] == TOKENS
    assert match["context"] == {
        "before": "  /** Tells whether a token was issued here and has not expired. */\n"
        "  validateToken(token: string): boolean {",
        "line": "    return verifySignature(token, this.secret)",
        "after": "  }",
    }
    assert (match["symbol"], match["kind"], match["match"]) == ("TokenService.validateToken", "method", "return verifySignature")


@pytest.mark.parametrize(
    ("query", "options", "lines"),
    [
        ("TOKENSERVICE", {}, 3),
        ("TOKENSERVICE", {"case_sensitive": True}, 0),
        (r"^export (class|interface) \w+", {"is_regex": True}, 2),
        ("token", {"paths": ["src/routes/"]}, 4),
        ("token", {"paths": ["*.js"]}, 0),
        ("price", {"languages": ["javascript"]}, 2),
        ("price", {"languages": ["typescript"]}, 0),
        ("built", {}, 0),
    ],
)
def test_options(workspace: Workspace, query: str, options: dict[str, Any], lines: int) -> None:
    assert workspace.find(query, **options).answer.total_matches == lines


def test_absolute_paths(workspace: Workspace) -> None:
    assert workspace.find("token", paths=[str(workspace.root / "src" / "routes")]).answer.total_matches == 4


def test_what_the_budget_has_no_room_for_is_counted(workspace: Workspace) -> None:
    found = workspace.find("token", budget=200)
    assert found.answer.tokens <= 200
    assert 0 < len(found.answer.results) < found.answer.total_matches
    left = found.answer.total_matches - len(found.answer.results)
    assert found.answer.hint == f"{left} more lines match: narrow with `path`, or raise the limit or the budget."
    assert len(workspace.find("token", limit=2).answer.results) == 2


def test_nothing_found_says_what_to_try(workspace: Workspace) -> None:
    found = workspace.find("Quux", case_sensitive=True)
    assert found.answer.hint == "No indexed line matches; try a part of it or another case."


def test_long_lines_are_cut_around_the_match(workspace: Workspace, indexed: Path) -> None:
    (indexed / "src" / "long.ts").write_text(f"export const long = '{'x' * 3000}needle{'y' * 3000}'\n")
    (match,) = workspace.find("needle").to_json()["results"]
    assert match["column"] == 3022
    assert "needle" in match["context"]["line"]
    assert len(match["context"]["line"]) < 500


def test_files_that_could_not_be_read_are_named(workspace: Workspace, indexed: Path) -> None:
    (indexed / "src" / "binary.ts").write_bytes(b"\x00\x01\x02" * 100)
    assert workspace.find("token").answer.unread_files == ("src/binary.ts",)


def test_the_text_is_that_of_the_files_as_they_are(workspace: Workspace, indexed: Path) -> None:
    assert workspace.find("brandNew").answer.total_matches == 0
    (indexed / "src" / "new.ts").write_text("export const brandNew = 1\n")
    assert workspace.find("brandNew").answer.total_matches == 1


def test_a_hybrid_search_ranks_symbols_and_lines(workspace: Workspace) -> None:
    found = workspace.find("token", mode="hybrid").answer
    scores = [match.score for match in found.results]
    assert scores == sorted(scores, reverse=True)
    assert [match.rank for match in found.results] == list(range(1, len(found.results) + 1))
    assert {match.source for match in found.results} <= {"semantic", "literal", "both"}
    assert found.results[0].source == "both"
    assert len({(match.file, match.line) for match in found.results}) == len(found.results)
    assert found.total_candidates > 0
    assert "import" in {match.kind for match in workspace.find("where is TokenService imported", mode="hybrid").answer.results}
    assert all(match.source == "literal" for match in found.results if match.kind == "import")


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [
        ("", {}, "The query is empty: give the text to look for."),
        ("(", {"is_regex": True}, "The pattern '(' cannot be compiled: missing )"),
        ("x", {"paths": ["src/missing"]}, 'No indexed file matches path "src/missing".'),
        ("x", {"before": -1}, "Lines before a match are a number from 0 to 50, not -1."),
        ("x", {"after": 51}, "Lines after a match are a number from 0 to 50, not 51."),
        ("x", {"limit": 0}, "The limit must be at least 1, not 0."),
        ("x", {"budget": 1}, "A literal search needs a budget of at least 100 tokens, not 1."),
    ],
)
def test_bad_input_is_explained(workspace: Workspace, query: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        workspace.find(query, **options)
    assert str(caught.value).startswith(message)


def test_the_command(run: Run, indexed: Path) -> None:
    found = run("search", "verifySignature(token", "--mode", "literal", "--json").json
    assert found["totalMatches"] == 2
    assert found["index"] == {"generation": 1, "fresh": True}
    shown = run("search", "verifySignature(token", "--mode", "literal", "--after", "1").out
    assert "  13:     return verifySignature(token, this.secret)\n  14-   }" in shown
    assert "in method TokenService.validateToken" in shown
    refused = run("search", "x", "--regex")
    assert (refused.code, refused.out) == (2, "")
    assert "need --mode literal" in refused.err


WRONG_NARROWING: list[tuple[dict[str, Any], str]] = [
    ({"kind": "verbs"}, 'There is no kind "verbs"; it is one of all, functions,'),
    ({"min_score": 2.0}, "The lowest score is a number from 0 to 1, not 2."),
]


@pytest.mark.parametrize(("options", "message"), WRONG_NARROWING)
@pytest.mark.parametrize("mode", ["semantic", "hybrid"])
def test_wrong_kinds_and_scores_are_explained(workspace: Workspace, mode: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        workspace.search("store", **options) if mode == "semantic" else workspace.find("store", mode=mode, **options)
    assert str(caught.value).startswith(message)


def test_lines_that_matches_share_are_printed_once(workspace: Workspace, indexed: Path) -> None:
    (indexed / "src" / "near.ts").write_text(
        "let a = 1\nlet needle = 2\nlet b = 3\nlet needles = 4\nlet c = 5\nlet d = 6\nlet x = 'needle'\n"
    )
    text = workspace.find("needle", paths=["src/near.ts"], before=2, after=2).text
    shown = [line.strip() for line in text.splitlines() if line.startswith("  ") and not line.startswith("  in ")]
    assert shown == [
        "1- let a = 1",
        "2: let needle = 2",
        "3- let b = 3",
        "4: let needles = 4",
        "5- let c = 5",
        "6- let d = 6",
        "7: let x = 'needle'",
    ]


#: Files with lines of blanks between statements, by their bytes.
BLANKS = {
    "spaces.ts": b"  \nconst a = 1\n\n  \n\t\nconst b = () => {\n   \n}\n \n ",
    "crlf.ts": b"const a = 1\r\n  \r\n\r\nconst b = 2\r\n",
    "other.ts": "const a = 1\n\u00a0\n\ufeff\n\x0b\n\x0c\n\u3000\n\u2028\nconst b = 2\n".encode(),
    "wide.ts": "\ufeffconst a = 1\n  \nconst b = 2\n".encode("utf-16-le"),
    "only.ts": b"\n  \n\t\n\n",
}


def test_the_indexed_text_is_that_of_the_files_with_their_blanks(workspace: Workspace, indexed: Path) -> None:
    for name, data in BLANKS.items():
        (indexed / "src" / name).write_bytes(data)
    texts = workspace.analyse(lambda readers: readers.engine.texts)
    expected = {path.relative_to(indexed).as_posix(): path.read_bytes() for path in indexed.rglob("src/**/*.?s")}
    expected["src/wide.ts"] = BLANKS["wide.ts"].decode("utf-16").encode()
    assert len(expected) > len(BLANKS)
    assert {path: texts[path].text for path in expected} == {
        path: data.replace(b"\r\n", b"\n") for path, data in expected.items()
    }
    assert places(workspace, "^  $", is_regex=True) == [
        ("src/crlf.ts", 2, 1), ("src/only.ts", 2, 1), ("src/spaces.ts", 1, 1), ("src/spaces.ts", 4, 1), ("src/wide.ts", 2, 1)
    ]  # fmt: skip


def test_lines_on_which_one_match_ends_and_the_next_begins_are_printed_once(workspace: Workspace, indexed: Path) -> None:
    (indexed / "src" / "ends.ts").write_text("f(1)\nf(2)\nf(3)\n")
    text = workspace.find(")\nf", paths=["src/ends.ts"]).text
    assert text.splitlines() == [text.splitlines()[0], "", "src/ends.ts", "  1: f(1)", "  2: f(2)", "  3: f(3)"]
    assert text.startswith('")\\nf": 2 lines in 1 file (')


@pytest.mark.sampled(2)
@pytest.mark.parametrize("keeps_open", [True, False], ids=["a server", "commands"])
def test_texts_follow_their_files(indexed: Path, keeps_open: bool) -> None:
    def found() -> list[tuple[str, int, int]]:
        if keeps_open:
            return places(opened, r"^\t +$|needle", is_regex=True)
        with Workspace.locate(indexed) as workspace:
            return places(workspace, r"^\t +$|needle", is_regex=True)

    with Workspace.locate(indexed) as opened:
        path = indexed / "src" / "odd.ts"
        assert found() == []
        for content, lines in (
            (b"\t \n", [1]),  # without a symbol
            (b"\n\t  \r\n", [2]),
            (b"", []),
            (b"\xef\xbb\xbf// needle", [1]),
            (b"\xff\xfe" + "\n// needle\n".encode("utf-16-le"), [2]),
            (b"\n\n// \xe9 needle\n" + b"x" * 90_000 + b" needle", [3, 4]),
            (bytes(range(256)) * 8, []),
            (b"needle()\rneedle()\n", [1, 2]),
        ):
            path.write_bytes(content)
            assert [(file, line) for file, line, _ in found()] == [("src/odd.ts", line) for line in lines], content[:40]
        path.unlink()
        assert found() == []
