"""Questions with their answers: those in a folder, paraphrases of them, and questions by the names in the repository."""

from __future__ import annotations

import csv
import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from astrolabe.retrieval.ranking.ranker.features import is_example
from astrolabe.retrieval.text.words import humps
from astrolabe.retrieval.vectors.candidate_rows import CandidateRow

from ..embedding.questions import question

_FILE_QUESTIONS = Path(__file__).with_name("file_questions.tsv")
#: Maximum number of lines that are taken from a folder.
MAX_LINES = 160
_NAMES = 40
_NAMED_KINDS = frozenset(("function", "method", "class", "interface", "type", "const", "enum", "component"))

#: Relevance of a row: the wanted code, any code of a file that is wanted as a whole, and other code of a file that a commit
#: changed.
WANTED, OF_FILE, NEARBY = 3, 2, 1


class Asked(NamedTuple):
    """A question, its kind, and the relevance of rows; all other rows are irrelevant."""

    kind: str
    text: str
    relevance: dict[int, int]


class Span(msgspec.Struct, rename="camel"):
    """A declaration that a commit changed. A container only contains changed declarations."""

    file: str
    start_line: int
    end_line: int
    container: bool = False


class Line(msgspec.Struct, rename="camel"):
    """A line of `queries.jsonl`."""

    query: str
    kind: str = "doc"
    file: str = ""
    start_line: int = 0
    files: list[str] = []
    symbols: list[Span] = []


def repository_of(folder: str) -> str:
    """Return the repository of a folder: the part of its name after the first hyphen."""
    return folder.partition("-")[2]


def folder_questions(folder: Path, rows: Sequence[CandidateRow], seed: int) -> Iterator[Asked]:
    """Yield the questions of a folder. Equal seeds produce equal questions."""
    chance = random.Random(seed)
    by_file: dict[str, list[CandidateRow]] = defaultdict(list)
    for row in rows:
        by_file[row.relative_path].append(row)
    own = folder / "queries.jsonl"
    lines = (
        msgspec.json.Decoder(Line).decode_lines(own.read_bytes())
        if own.exists()
        else about_files(_FILE_QUESTIONS, repository_of(folder.name), by_file)
    )
    taken = chance.sample(lines, min(len(lines), MAX_LINES))
    for number, line in enumerate(taken):
        relevance = _relevance(line, by_file)
        if max(relevance.values(), default=0) < OF_FILE:
            continue
        yield Asked(line.kind, line.query, relevance)
        if line.kind == "doc" and number % 2 == 0:
            yield Asked("question", question(line.query, chance), relevance)
    yield from _by_name(rows, chance)


def about_files(table: Path, repository: str, paths: Collection[str]) -> list[Line]:
    """Return the questions of a table about a repository. The table names files by the ends of their paths.

    Raises ValueError if not exactly one path has such an end.
    """
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["repository"] == repository]
    lines = []
    for row in rows:
        ends = row["files"].split(";")
        found = [[path for path in paths if path == end or path.endswith("/" + end)] for end in ends]
        lines.append(Line(row["question"], kind="file", files=[path for (path,) in found]))
    return lines


def _relevance(line: Line, by_file: dict[str, list[CandidateRow]]) -> dict[int, int]:
    """Return the relevance of rows by number.

    For a doc comment, its declaration is relevant. For a commit, the changed declarations are relevant, and other rows of the
    changed files are less relevant.
    """
    if line.kind == "file":
        return {row.row: OF_FILE for file in line.files for row in by_file[file]}
    if not line.symbols:
        return {row.row: WANTED for row in by_file[line.file] if abs(row.start_line - line.start_line) <= 1}
    found = {row.row: NEARBY for file in line.files for row in by_file[file]}
    for symbol in [symbol for symbol in line.symbols if not symbol.container] or line.symbols:
        shares = [(_shared_lines(row, symbol), row.row) for row in by_file[symbol.file]]
        share, best = max(shares, default=(0.0, -1))
        if share > 0.3:
            found[best] = WANTED
    return found


def _shared_lines(row: CandidateRow, symbol: Span) -> float:
    shared = min(row.end_line, symbol.end_line) - max(row.start_line, symbol.start_line) + 1
    longer = max(row.end_line - row.start_line, symbol.end_line - symbol.start_line) + 1
    return shared / longer


def _by_name(rows: Sequence[CandidateRow], chance: random.Random) -> Iterator[Asked]:
    """Yield questions that are names, and questions that are half-remembered names."""
    named: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        plain = row.node_kind in _NAMED_KINDS and not row.is_test and not is_example(row.relative_path) and " " not in row.name
        if plain and len(humps(row.name)) >= 2:
            named[row.name].append(row.row)
    for name in chance.sample(sorted(named), min(len(named), _NAMES)):
        relevance = dict.fromkeys(named[name], WANTED)
        yield Asked("name", name, relevance)
        yield Asked("half-remembered name", _garbled(name, chance), relevance)


def _garbled(name: str, chance: random.Random) -> str:
    parts = humps(name)
    form = chance.randrange(4)
    if form == 0 or len(parts) < 3:
        return " ".join(parts)
    if form == 1:
        parts.pop(chance.randrange(len(parts)))
        return parts[0] + "".join(part.capitalize() for part in parts[1:])
    if form == 2:
        chance.shuffle(parts)
        return " ".join(parts)
    return "_".join(parts)
