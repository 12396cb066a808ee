"""Compares edges with those of the TypeScript compiler: python tests/benchmarks/edge_quality.py --oracle FOLDER CORPUS...

The judge is not part of this repository. FOLDER (or the variable ORACLE_FOLDER) holds `oracle.js REPOSITORY OUT.json`, which
asks the compiler for the true edges, and `score.py TRUTH.json OURS.json [--strict]`, which compares ours with them.
"References exact" is the share of the compiler's symbols whose references are as many as the compiler counts; seconds of the
parse are those of tree-sitter alone, in one thread. Each corpus is indexed in an empty data folder, its edges are exported, and
a row of a Markdown table is printed. `--truth FOLDER` keeps the compiler's answers as NAME.json: those that are there already
are not asked for again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from astrolabe.ingest.files.discovery import discover
from astrolabe.schema.settings import Settings
from index_speed import parse_seconds
from markdown_tables import print_head, print_row

_COLUMNS = (
    "corpus",
    "call pairs",
    "precision",
    "recall",
    "strict precision",
    "references exact",
    "imports P",
    "imports R",
    "heritage P",
    "heritage R",
    "parse s",
    "index s",
    "compiler s",
)
#: A table of the scorer, and a row of one: label, then true and false positives, false negatives, precision, recall, F1.
_TITLE = re.compile(r"^([A-Z][A-Za-z ]+?)\s+TP\s+FP\s+FN\b")
_ROW = re.compile(r"^(\S.*?)\s+(\d+)\s+(\d+)\s+(\d+)\s+([\d.]+|-)\s+([\d.]+|-)\s+([\d.]+|-)$")


@dataclass(frozen=True, slots=True)
class Score:
    """How one kind of edges compares with the compiler's."""

    #: Edges that the compiler knows.
    wanted: int
    #: As printed: four decimals, or "-" where there is nothing to divide by.
    precision: str
    recall: str


@dataclass(frozen=True, slots=True)
class Judge:
    """The scripts of the oracle, and where its answers are kept."""

    folder: Path
    truths: Path

    def truth(self, corpus: Path) -> Path:
        """The compiler's edges of a corpus."""
        path = self.truths / f"{corpus.name}.json"
        if not path.exists():
            self.truths.mkdir(parents=True, exist_ok=True)
            _run(["node", str(self.folder / "oracle.js"), str(corpus), str(path)])
        return path

    def scores(self, truth: Path, edges: Path, *options: str) -> dict[str, Score]:
        """Scores by table: "CALLS by form", "IMPORTS", "HERITAGE"; of each the row over everything."""
        return read_scores(_run([sys.executable, str(self.folder / "score.py"), str(truth), str(edges), *options]))


def read_scores(text: str) -> dict[str, Score]:
    """The first row of each table that the scorer prints."""
    found: dict[str, Score] = {}
    title = ""
    for line in text.splitlines():
        if match := _TITLE.match(line):
            title = match[1]
        elif title and title not in found and (row := _ROW.match(line)):
            found[title] = Score(int(row[2]) + int(row[4]), row[5], row[6])
    return found


def table_row(corpus: Path, judge: Judge) -> list[str]:
    """The figures of one corpus, in the order of the columns."""
    truth = judge.truth(corpus)
    with tempfile.TemporaryDirectory() as folder:
        place = ["--root", str(corpus), "--data-dir", f"{folder}/index", "--json"]
        started = time.perf_counter()
        _astrolabe("index", *place)
        seconds = time.perf_counter() - started
        edges = Path(folder) / "edges.json"
        exported = _astrolabe("export", "edges", *place)
        edges.write_text(exported, encoding="utf-8")
        usual = judge.scores(truth, edges)
        strict = judge.scores(truth, edges, "--strict")
    calls, imports, heritage = (usual[title] for title in ("CALLS by form", "IMPORTS", "HERITAGE"))
    known = json.loads(truth.read_bytes())
    files = discover(corpus, Settings()).files
    parse, _ = parse_seconds([(file.language, (corpus / file.relative_path).read_bytes()) for file in files])
    return [
        corpus.name,
        f"{calls.wanted:,}",
        calls.precision,
        calls.recall,
        strict["CALLS by form"].precision,
        f"{exact_references(known, json.loads(exported)['references']):.4f}",
        imports.precision,
        imports.recall,
        heritage.precision,
        heritage.recall,
        f"{parse:.2f}",
        f"{seconds:.1f}",
        f"{known['stats']['seconds']:.1f}",
    ]


def exact_references(truth: dict[str, Any], ours: dict[str, dict[str, Any]]) -> float:
    """The share of the compiler's symbols with as many references as it counts. A declaration may begin above its name."""
    exact = 0
    for symbol in truth["symbols"]:
        lines = dict.fromkeys((symbol.get("nameLine", symbol["startLine"]), symbol["startLine"]))
        found = [key for line in lines if (key := f"{symbol['file']}:{line}:{symbol['name']}") in ours]
        counted = ours[found[-1]]["refs"] if found else 0
        exact += counted == truth["references"].get(symbol["id"], {"refs": 0})["refs"]
    return exact / len(truth["symbols"]) if truth["symbols"] else 1.0


def _astrolabe(*arguments: str) -> str:
    return _run([sys.executable, "-P", "-m", "astrolabe", *arguments])


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def _mean(rows: Sequence[Sequence[str]]) -> list[str]:
    """Means of the columns of shares; a corpus without such edges counts in no mean."""
    means = []
    for column in range(2, 10):
        shares = [float(row[column]) for row in rows if row[column] != "-"]
        means.append(f"{sum(shares) / len(shares):.4f}" if shares else "-")
    return ["mean", "", *means, "", "", ""]


def main(arguments: Sequence[str]) -> None:
    """Prints the table, row by row."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS", help="folder of a repository")
    parser.add_argument("--oracle", type=Path, default=os.environ.get("ORACLE_FOLDER"), metavar="FOLDER")
    parser.add_argument("--truth", type=Path, metavar="FOLDER", help="keeps the compiler's answers")
    options = parser.parse_args(arguments)
    if options.oracle is None:
        parser.error("name the oracle's folder with --oracle or ORACLE_FOLDER")
    print_head(_COLUMNS)
    rows = []
    with tempfile.TemporaryDirectory() as made:
        judge = Judge(options.oracle, options.truth or Path(made))
        for corpus in options.corpora:
            rows.append(table_row(corpus.resolve(), judge))
            print_row(rows[-1])
    if len(rows) > 1:
        print_row(_mean(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
