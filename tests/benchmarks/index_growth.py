"""What an index costs as a repository grows: `python tests/benchmarks/index_growth.py FOLDER COPIES...`.

FOLDER is copied so many times side by side, each copy a package of its own name, and indexed as a whole, cold. The table has
seconds by the clock and of the processor's time of all processes, both also by file, and memory.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from markdown_tables import print_head, print_row
from process_memory import MeasuredRun, run_measured

_COLUMNS = (
    *("copies", "files", "source MB", "s", "processor s", "ms a file", "processor ms a file"),
    *("largest process MB", "all processes MB", "all/source"),
)


def multiply(folder: Path, copies: int, root: Path) -> None:
    """Copies a folder so many times below a root."""
    for number in range(copies):
        target = root / f"copy{number}"
        shutil.copytree(folder, target, ignore=shutil.ignore_patterns(".astrolabe", ".git", "node_modules"))
        manifest = target / "package.json"
        kept = json.loads(manifest.read_text()) if manifest.exists() else {}
        manifest.write_text(json.dumps({**kept, "name": f"copy{number}", "workspaces": []}))


def measure(folder: Path, copies: int) -> list[str]:
    """One row of the table."""
    with tempfile.TemporaryDirectory() as place:
        root, data_dir = Path(place) / "tree", Path(place) / "index"
        multiply(folder, copies, root)
        options = ["--root", str(root), "--data-dir", str(data_dir), "--json"]
        run = _run("index", *options)
        status = json.loads(_run("status", *options).output)
    files, sizes = status["files"], status["sizes"]
    return [
        *(f"{copies:,}", f"{files:,}", f"{sizes['source'] / 1e6:.1f}", f"{run.seconds:.1f}", f"{run.processor:.1f}"),
        *(f"{1000 * run.seconds / files:.1f}", f"{1000 * run.processor / files:.1f}"),
        *(f"{run.largest_process / 1e6:,.0f}", f"{run.all_processes / 1e6:,.0f}"),
        f"{sizes['total'] / sizes['source']:.2f}",
    ]


def _run(*arguments: str) -> MeasuredRun:
    return run_measured([sys.executable, "-P", "-m", "astrolabe", *arguments])


def main(arguments: Sequence[str]) -> None:
    """Prints a Markdown table, row by row."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("copies", type=int, nargs="+")
    options = parser.parse_args(arguments)
    print_head(_COLUMNS, texts=0)
    for copies in options.copies:
        print_row(measure(options.folder, copies))


if __name__ == "__main__":
    main(sys.argv[1:])
