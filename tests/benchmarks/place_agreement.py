"""Compares what a trace says of places with TypeScript's language service: place_agreement.py --typescript FOLDER CORPUS...

FOLDER is an installed `typescript`. Every identifier of `--files` random files (20; a fixed seed) of each corpus is asked for its
definition, in UTF-16 units. A row counts the places whose definition is a symbol of the index: those that agree, those where the
trace names another symbol, and those where it names none. Local names, and what is declared outside of the repository, must
not be taken for a symbol: those that are have a column of their own. The name of a declaration may stand for itself, whatever
declaration outside of the repository it implements. Names of which the service knows nothing, such as those from a package that
is not installed, are not counted. A corpus for which the service fails has a row with the reason.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import astrolabe
from astrolabe.graphdb.symbols.symbol_table import symbols_of
from astrolabe.schema.records import Symbol
from astrolabe.schema.symbol_kinds import PASSING_ON
from markdown_tables import print_head, print_row

_SCRIPT = Path(__file__).with_name("place_definitions.cjs")
_SUFFIXES = (".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs")
_COLUMNS = ("corpus", "identifiers", "of symbols", "agree", "another", "none", "share", "others taken for a symbol")
#: Differences that are printed.
_SHOWN = 40

#: Path, line and name of a definition.
Definition = tuple[str, int, str]


def compare(root: Path, typescript: Path, count: int, *, show: bool) -> None:
    """Print the row of a corpus."""
    with astrolabe.open(root) as workspace:
        generation = workspace.index().generation
        paths = [stamp.relative_path for stamp in generation.manifest.stamps if stamp.relative_path.endswith(_SUFFIXES)]
        chosen = sorted(random.Random(7).sample(sorted(paths), min(count, len(paths))))
        try:
            truth = _definitions(typescript, root, chosen)
        except subprocess.CalledProcessError as error:
            lines = [line for line in error.stderr.decode("utf-8", "replace").splitlines() if "Error" in line]
            print_row((root.name, f"the service failed: {lines[0] if lines else error}", *[""] * (len(_COLUMNS) - 2)))
            return
        with workspace._pool.lend(generation) as readers:
            table = symbols_of(readers.graph)
            details = table.symbols(symbol.id for symbol in table.in_files(sorted(paths))).values()
        # A symbol begins with its first overload or decorator, and its name lies further on.
        declared = {
            (symbol.relative_path, line, symbol.name): (symbol.relative_path, symbol.name_line)
            for symbol in sorted(details, key=lambda symbol: symbol.depth)
            if symbol.kind not in PASSING_ON
            for line in range(symbol.start_line, _last_name_line(symbol) + 1)
        }
        total = of_symbols = agree = another = missing = taken = 0
        for file, rows in truth.items():
            for line, column, definitions in rows:
                total += 1
                known = {declared[path, at, name] for path, at, name in definitions if (path, at, name) in declared}
                wanted = known | {(path, at) for path, at, _ in definitions}
                answer = workspace.trace(
                    file=file, line=line, column=column, column_unit="utf-16", include=["definitions"]
                ).answer
                own = [answer.definition, *answer.also_declared] if answer.definition is not None else []
                found = {(each.file, each.line) for each in own}
                if not known:
                    if found and not found & wanted and (file, line) not in found:
                        taken += 1
                        if show:
                            print(f"    {file}:{line}:{column} is no symbol, but {sorted(found)}")
                    continue
                of_symbols += 1
                agree += bool(found & wanted)
                another += bool(found) and not found & wanted
                missing += not found
                if show and not found & wanted:
                    print(f"    {file}:{line}:{column} {sorted(wanted)} {sorted(found)}")
        share = f"{agree / of_symbols:.4f}" if of_symbols else "-"
        counts = (f"{number:,}" for number in (total, of_symbols, agree, another, missing))
        print_row((root.name, *counts, share, str(taken)))


def _last_name_line(symbol: Symbol) -> int:
    """Return the last line on which a symbol can be declared: signatures of overloads follow the first in declaration files."""
    return symbol.end_line if symbol.relative_path.endswith((".d.ts", ".d.mts", ".d.cts")) else symbol.name_line


def _definitions(typescript: Path, root: Path, files: Sequence[str]) -> dict[str, list[tuple[int, int, list[Definition]]]]:
    command = ["node", "--max-old-space-size=6000", str(_SCRIPT), str(typescript.resolve()), str(root), *files]
    found: dict[str, list[tuple[int, int, list[Definition]]]] = json.loads(
        subprocess.run(command, capture_output=True, check=True).stdout
    )
    return found


def main() -> None:
    """Print a row for each corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS", help="folder of a repository")
    parser.add_argument("--typescript", type=Path, required=True, metavar="FOLDER", help="folder of the package `typescript`")
    parser.add_argument("--files", type=int, default=20, help="files of each corpus")
    parser.add_argument("--show", action="store_true", help="print the places that differ")
    options = parser.parse_args()
    print_head(_COLUMNS)
    for corpus in options.corpora:
        compare(corpus.resolve(), options.typescript, options.files, show=options.show)


if __name__ == "__main__":
    main()
