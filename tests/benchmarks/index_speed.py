"""Prints what a cold `astrolabe index` costs against the bare parse: python tests/benchmarks/index_speed.py FOLDER...

The bare parse is tree-sitter alone, or markdown-it for Markdown, in one thread, over the bytes of exactly the files that are
indexed, read beforehand. A
cold index is the whole command as a process of its own with an empty data folder; the files are in the system's cache by
then. Both are measured in turns, and medians are printed. `--rounds N` sets how often (3).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_python
import tree_sitter_typescript
from astrolabe.ingest.files.discovery import discover
from astrolabe.schema.settings import Settings
from markdown_it import MarkdownIt
from markdown_tables import print_head, print_row
from process_memory import MeasuredRun, run_measured
from tree_sitter import Language, Parser

_TYPESCRIPT, _TSX, _JAVASCRIPT = (
    Parser(Language(grammar))
    for grammar in (
        tree_sitter_typescript.language_typescript(),
        tree_sitter_typescript.language_tsx(),
        tree_sitter_javascript.language(),
    )
)

#: markdown-it as it comes, with the rules that the index needs.
_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 60}).enable(["table", "strikethrough"])


def _parse_markdown(data: bytes) -> object:
    return _MARKDOWN.parse(data.decode("utf-8", "replace"))


_PARSERS: dict[str, Callable[[bytes], object]] = {
    "typescript": _TYPESCRIPT.parse,
    "tsx": _TSX.parse,
    "javascript": _JAVASCRIPT.parse,
    "jsx": _JAVASCRIPT.parse,
    "python": Parser(Language(tree_sitter_python.language())).parse,
    "go": Parser(Language(tree_sitter_go.language())).parse,
    "java": Parser(Language(tree_sitter_java.language())).parse,
    "markdown": _parse_markdown,
}

_COLUMNS = (
    "corpus",
    "files",
    "source MB",
    "parse s",
    "index s",
    "ratio",
    "parse processor s",
    "index processor s",
    "ratio of processor times",
    "largest process MB",
    "all processes MB",
    "unchanged s",
    "graph MB",
    "vectors MB",
    "graph/source",
    "all/source",
)


@dataclass(frozen=True, slots=True)
class IndexCost:
    """One round of one corpus."""

    parse_seconds: float
    parse_processor: float
    index: MeasuredRun
    unchanged: MeasuredRun
    #: Bytes: source, graph, vectors, total.
    sizes: dict[str, int]


def parse_seconds(sources: Sequence[tuple[str, bytes]]) -> tuple[float, float]:
    """Seconds by the clock and of the processor to parse the sources whose language has a parser here, one after the other."""
    started, processor = time.perf_counter(), time.process_time()
    for language, data in sources:
        if language in _PARSERS:
            _PARSERS[language](data)
    return time.perf_counter() - started, time.process_time() - processor


def measure(folder: Path, sources: Sequence[tuple[str, bytes]]) -> IndexCost:
    """One cold index and what belongs to it."""
    bare = parse_seconds(sources)
    with tempfile.TemporaryDirectory() as data_dir:
        place = ["--root", str(folder), "--data-dir", data_dir, "--json"]
        cold = run_measured(_command("index", *place))
        unchanged = run_measured(_command("index", *place))
        outcomes = [json.loads(run.output)["outcome"] for run in (cold, unchanged)]
        if outcomes != ["built", "unchanged"]:
            raise SystemExit(f"{folder} changed while it was measured: {outcomes}")
        sizes = json.loads(run_measured(_command("status", *place)).output)["sizes"]
    return IndexCost(*bare, cold, unchanged, sizes)


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "astrolabe", *arguments]


def table_row(folder: Path, rounds: int) -> list[str]:
    """The figures of one corpus, in the order of the columns."""
    files = discover(folder, Settings()).files
    sources = [(file.language, (folder / file.relative_path).read_bytes()) for file in files]
    costs = [measure(folder, sources) for _ in range(rounds)]
    parse = median(cost.parse_seconds for cost in costs)
    index = median(cost.index.seconds for cost in costs)
    parse_processor = median(cost.parse_processor for cost in costs)
    index_processor = median(cost.index.processor for cost in costs)
    sizes = costs[0].sizes
    return [
        folder.name,
        f"{len(files):,}",
        _megabytes(sizes["source"]),
        f"{parse:.2f}",
        f"{index:.1f}",
        f"{index / parse:.1f}",
        f"{parse_processor:.2f}",
        f"{index_processor:.1f}",
        f"{index_processor / parse_processor:.1f}",
        _megabytes(max(cost.index.largest_process for cost in costs), 0),
        _megabytes(max(cost.index.all_processes for cost in costs), 0),
        f"{median(cost.unchanged.seconds for cost in costs):.2f}",
        _megabytes(sizes["graph"]),
        _megabytes(sizes["vectors"]),
        f"{sizes['graph'] / sizes['source']:.2f}",
        f"{sizes['total'] / sizes['source']:.2f}",
    ]


def _megabytes(count: int, places: int = 1) -> str:
    return f"{count / 1e6:,.{places}f}"


def main(arguments: Sequence[str]) -> None:
    """Prints a Markdown table, row by row."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    options = parser.parse_args(arguments)
    print_head(_COLUMNS)
    for folder in options.folders:
        print_row(table_row(folder.resolve(), options.rounds))


if __name__ == "__main__":
    main(sys.argv[1:])
