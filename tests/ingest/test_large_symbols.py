"""Symbols of thousands of lines: their parts are chunks, and what is embedded stays within what models take."""

from __future__ import annotations

from functools import cache

import pytest
from astrolabe.schema.records import Chunk
from parser_report.reading import FileReading, read_source
from parser_report.rules import MAX_TOKENS, violations

METHODS = 90


def method(number: int, lines: int) -> str:
    """A method of that many lines, with a callback of its own in the middle."""
    statements = [f"    this.items.set('{line}', at({line}, {number}))" for line in range(lines - 6)]
    callback = ["    this.when('ready', (screen: Screen) => {", f"      screen.draw({number})", "    })"]
    middle = len(statements) // 2
    return "\n".join(
        [
            f"  /** Part {number} of the screen. */",
            f"  private async part{number}(screen: Screen, index = {number}): Promise<void> {{",
            *statements[:middle],
            *callback,
            *statements[middle:],
            "  }\n",
        ]
    )


def large_class(lines: int, longest: int) -> str:
    """A class of about that many lines; one of its methods has `longest`, the others share the rest."""
    each = (lines - longest) // (METHODS - 1) - 1
    methods = "\n".join(method(number, longest if number == 40 else each) for number in range(METHODS))
    return (
        "import { Screen } from './screen'\n\nexport class Game {\n"
        "  readonly items = new Map<string, string>()\n\n" + methods + "}\n"
    )


@pytest.fixture(
    scope="module", params=[pytest.param((6138, 1958), id="6,000 lines"), pytest.param((2000, 300), id="2,000 lines")]
)
def game(request: pytest.FixtureRequest) -> FileReading:
    lines, longest = request.param
    source = large_class(lines, longest)
    assert abs(source.count("\n") - lines) < 200
    return read_source("game.ts", source.encode())


def test_each_method_is_a_chunk_of_its_class(game: FileReading) -> None:
    whole = next(chunk for chunk in game.chunks if chunk.name == "Game")
    parts = [chunk for chunk in game.chunks if chunk.node_kind == "method"]
    assert [chunk.name for chunk in parts] == [f"part{number}" for number in range(METHODS)]
    assert {chunk.parent_chunk_id for chunk in parts} == {whole.id}
    assert list(whole.child_chunk_ids) == [chunk.id for chunk in parts]
    assert all(chunk.jsdoc and chunk.relevant_imports for chunk in parts)


def test_the_class_shows_its_methods_as_stubs(game: FileReading) -> None:
    text = next(chunk for chunk in game.chunks if chunk.name == "Game").embedding_text
    assert text.count("\n") < 4 * METHODS
    assert all(f"  private async part{n}(screen: Screen, index = {n}): Promise<void>;\n" in text for n in range(METHODS))
    assert "this.items" not in text


def test_no_chunk_is_too_long_for_a_model(game: FileReading) -> None:
    assert max(len(chunk.embedding_text) for chunk in game.chunks if chunk.node_kind != "class") > 4000
    assert max(len(chunk.embedding_text) for chunk in game.chunks) <= 4 * MAX_TOKENS


def test_the_rules_hold(game: FileReading) -> None:
    assert list(violations(game)) == []


STATEMENT = "  if (ready({0})) {{\n    screen.draw('größe {0}', [{0}, {0} + 1])\n  }}\n"


def whole(body: str) -> str:
    return f"export function build(screen: Screen) {{\n{body}}}\n"


TOO_LONG = {
    "statements": whole("".join(STATEMENT.format(number) for number in range(2500))),
    "one string": f"export const WASM = '{'A' * 150_000}'\n",
    "lines of text": "export const CSS = `\n" + ".panel { color: red; margin: 0 }\n" * 4500 + "`\n",
    "one line": "export const values = [" + ",".join(f"a({number},'é')" for number in range(14_000)) + "]\n",
    "many children": "class Wide {\n"
    + "".join(f"  part{number}(first: string, second: number): void {{\n    use()\n  }}\n" for number in range(2800))
    + "}\n",
    "markup": "export const Map = () => {\n  return <svg>"
    + "".join(f'<path className="area {number}" d="M0 0 L10 10" />\n' for number in range(3500))
    + "</svg>\n}\n",
}


@cache
def too_long(name: str) -> tuple[FileReading, Chunk]:
    """The reading of a source, and its longest chunk."""
    file = read_source("long.tsx", TOO_LONG[name].encode())
    return file, max(file.chunks, key=lambda chunk: len(chunk.embedding_text))


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_symbol_that_is_too_long_is_embedded_in_pieces(name: str) -> None:
    file, chunk = too_long(name)
    pieces = chunk.embedding_pieces
    assert 1 < len(pieces) <= 2 + len(chunk.embedding_text) // (2 * MAX_TOKENS)
    assert "".join(pieces) == chunk.embedding_text
    assert max(map(len, pieces)) <= 4 * MAX_TOKENS
    assert file.source_of(chunk) == TOO_LONG[name].rstrip("\n")
    assert list(violations(file)) == []


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("statements", "if (ready("),
        ("lines of text", ".panel {"),
        ("one line", "a("),
        ("many children", "part"),
        ("markup", "<path "),
    ],
)
def test_pieces_are_cut_where_something_begins(name: str, first: str) -> None:
    _, chunk = too_long(name)
    assert [piece.strip()[: len(first)] for piece in chunk.embedding_pieces[1:]] == [first] * (len(chunk.embedding_pieces) - 1)


def test_what_fits_is_one_piece(game: FileReading) -> None:
    assert all(chunk.embedding_pieces == [chunk.embedding_text] for chunk in game.chunks)
