"""Tokens of answers against those of reading files: `python tests/benchmarks/answer_tokens.py ROOT... [--data-dir FOLDER]`.

Thirty questions for each repository: first sentences of doc comments, drawn at random with a fixed seed, whose symbol is what is
sought. Three ways are compared, each by the tokens (four characters) that an agent has to read, and by whether it then has seen
the symbol:

- the answer of `codebase_search`, with its defaults;
- all of the files that this answer draws from;
- grep and read: the words of the question, four letters or more and none of the commonest, are searched case-insensitively in all
  indexed files. The agent reads the first hundred lines of hits, `path:line:text` as grep prints them, and then the three files
  in which most different words occur, up to two thousand lines of each, as agents' tools read by default.

The questions stand in the files word by word, which helps grep more than the index.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import astrolabe

QUESTIONS, HIT_LINES, FILES_READ, LINES_READ = 30, 100, 3, 2000
_COMMON = frozenset(
    [
        "this",
        "that",
        "with",
        "from",
        "have",
        "will",
        "when",
        "where",
        "which",
        "what",
        "into",
        "your",
        "they",
        "them",
        "then",
        "than",
        "there",
        "their",
        "been",
        "were",
        "does",
        "must",
        "each",
        "only",
        "also",
        "more",
        "most",
        "some",
        "such",
        "used",
        "using",
        "whether",
        "returns",
        "return",
        "given",
        "value",
        "values",
        "function",
        "type",
    ]
)
_STATEMENT = """
    MATCH (s:Symbol) WHERE s.doc <> '' AND s.exported AND s.depth < 2
    RETURN s.doc, s.relativePath, s.startLine, s.endLine ORDER BY s.relativePath, s.startLine"""


@dataclass(frozen=True)
class Sought:
    """A question and the place of the symbol that it is about."""

    question: str
    path: str
    first: int
    last: int


def questions(workspace: astrolabe.Workspace) -> list[Sought]:
    """First sentences of six to twenty words, of exported symbols outside declaration files."""
    found = {}
    for doc, path, first, last in workspace.cypher(_STATEMENT).rows:
        sentence = re.split(r"(?<=[.!?])\s|\n\n|\n@", doc.strip())[0].replace("\n", " ")
        if 6 <= len(sentence.split()) <= 20 and ".d." not in path:
            found.setdefault(sentence, Sought(sentence, path, first, last))
    return random.Random(11).sample(list(found.values()), min(QUESTIONS, len(found)))


def tokens(text: str) -> int:
    """Four characters each, as everywhere."""
    return -(-len(text) // 4)


def grep_and_read(sought: Sought, files: Mapping[str, list[str]]) -> tuple[int, bool]:
    """Tokens that grep and reading cost, and whether the symbol was among what was read."""
    words = {word.lower() for word in re.findall(r"[A-Za-z_$]{4,}", sought.question)} - _COMMON
    pattern = re.compile("|".join(map(re.escape, sorted(words))) or "$^", re.IGNORECASE)
    hits: list[str] = []
    distinct: dict[str, set[str]] = {}
    for path, lines in files.items():
        for number, line in enumerate(lines, 1):
            matched = {match.lower() for match in pattern.findall(line)}
            if matched:
                hits.append(f"{path}:{number}:{line}")
                distinct.setdefault(path, set()).update(matched)
    best = sorted(distinct, key=lambda path: (-len(distinct[path]), path))[:FILES_READ]
    cost = tokens("\n".join(hits[:HIT_LINES])) + sum(tokens("\n".join(files[path][:LINES_READ])) for path in best)
    return cost, sought.path in best and sought.last <= LINES_READ


def measure(workspace: astrolabe.Workspace, asked: Iterable[Sought]) -> list[tuple[int, bool, int, int, bool]]:
    """For each question: tokens of the answer, whether it holds the symbol; tokens of its files; the same of grep and read."""
    paths = [path for (path,) in workspace.cypher("MATCH (f:File) RETURN f.relativePath ORDER BY f.relativePath").rows]
    files = {path: (workspace.root / path).read_text("utf-8", "replace").split("\n") for path in paths}
    rows = []
    for sought in asked:
        found = workspace.search(sought.question)
        lines = [(result.start_line, result.end_line) for result in found if result.file == sought.path]
        holds = any(first <= sought.last and sought.first <= last for first, last in lines)
        drawn = sum(tokens("\n".join(files[path])) for path in {result.file for result in found})
        rows.append((max(found.answer.tokens, 1), holds, drawn, *grep_and_read(sought, files)))
    return rows


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--data-dir", type=Path)
    options = parser.parse_args()
    print("| repository | questions | answer | seen | its files | ratio | grep and read | seen | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for root in options.roots:
        data_dir = options.data_dir / root.name if options.data_dir else None
        with astrolabe.open(root, data_dir=data_dir) as workspace:
            rows = measure(workspace, questions(workspace))
        answer, seen, drawn, grep, grep_seen = (list(column) for column in zip(*rows, strict=True))
        means = [statistics.mean(column) for column in (answer, drawn, grep)]
        cells = [
            root.name,
            f"{len(rows)}",
            f"{means[0]:,.0f}",
            f"{sum(seen)}/{len(rows)}",
            f"{means[1]:,.0f}",
            f"{means[1] / means[0]:.1f}",
            f"{means[2]:,.0f}",
            f"{sum(grep_seen)}/{len(rows)}",
            f"{means[2] / means[0]:.1f}",
        ]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
