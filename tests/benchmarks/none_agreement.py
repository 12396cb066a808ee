"""Checks what is said to have no use against TypeScript's language service: none_agreement.py --typescript FOLDER CORPUS...

FOLDER is an installed `typescript`. Random symbols of each corpus (a fixed seed) are asked for references and callers, until
`--symbols` (200) of them have the answer "none" to one of the two, or are reported as dead with the confidence high or medium.
A row counts these answers, and those that are false: the language service finds a use outside of the declaration. The dead may
be used in their own file if the reason says so.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import astrolabe
from astrolabe.graphdb.symbols.symbol_table import symbols_of
from astrolabe.retrieval.analyses.call_hierarchy import callers
from astrolabe.retrieval.analyses.finding import find_subject
from astrolabe.retrieval.analyses.references import references
from astrolabe.retrieval.lint.dead_code.check import NOT_IMPORTED, OWN_FILE, UNREFERENCED
from astrolabe.schema.languages import is_resolved_path
from astrolabe.schema.records import Symbol
from astrolabe.schema.symbol_kinds import STATEMENTS
from markdown_tables import print_head, print_row

_SCRIPT = Path(__file__).with_name("none_uses.cjs")
_QUESTIONS = ("references", "callers", "dead")
_COLUMNS = ("corpus", "symbols", *(f"{each}{column}" for each in _QUESTIONS for column in (": none", ": false")), "not judged")
#: Findings of the check for dead code.
_MAX_DEAD = 1000


class Silence(NamedTuple):
    """A symbol with the questions that are answered by "none"."""

    path: str
    declarations: Sequence[Symbol]
    #: Some of `_QUESTIONS`.
    questions: frozenset[str]
    #: Whether the finding of dead code admits uses in its own file.
    used_within: bool


def compare(root: Path, typescript: Path, count: int, *, show: bool) -> None:
    """Print the row of a corpus, after the false answers if they are wanted."""
    with astrolabe.open(root) as workspace:
        paths = [stamp.relative_path for stamp in workspace.index().generation.manifest.stamps]
        files = [path for path in paths if is_resolved_path(path)]
        silent = _silent(workspace, files, count)
    answers = _uses(typescript, root, files, silent)
    total, false = dict.fromkeys(_QUESTIONS, 0), dict.fromkeys(_QUESTIONS, 0)
    for each, uses in zip(silent, answers, strict=True):
        if uses is None:
            continue
        own = {symbol.relative_path for symbol in each.declarations}
        uses["dead"] = [use for use in uses["references"] if not each.used_within or use[0] not in own]
        for question in sorted(each.questions):
            total[question] += 1
            false[question] += bool(uses[question])
            if show and uses[question]:
                print(f"    {question}: {each.path} ({each.declarations[0].kind}, line {each.declarations[0].name_line})")
                print("\n".join(f"        {path}:{line} {text}" for path, line, text in uses[question][:3]))
    counts = [str(number[question]) for question in _QUESTIONS for number in (total, false)]
    print_row((root.name, str(len(silent)), *counts, str(sum(uses is None for uses in answers))))


def _silent(workspace: astrolabe.Workspace, paths: Sequence[str], count: int) -> list[Silence]:
    """Return random symbols that are said to have no use of some kind."""
    found = workspace.lint(checks=["dead-code"], limit=_MAX_DEAD, budget=1_000_000).answer.dead_code or ()
    dead = {(each.file, each.line, each.symbol): each.reason for each in found if each.confidence in ("high", "medium")}

    def asked(readers: Any) -> list[Silence]:
        graph = readers.graph
        table = symbols_of(graph)
        known = table.symbols(ref.id for ref in table.in_files(paths)).values()
        symbols = sorted((each for each in known if each.kind not in STATEMENTS), key=lambda symbol: symbol.id)
        random.Random(7).shuffle(symbols)
        silent: list[Silence] = []
        for symbol in symbols:
            subject = find_subject(graph, symbol.breadcrumb)
            if subject.nothing is not None or not _is_named(workspace.root, symbol):
                continue
            reason = dead.get((symbol.relative_path, symbol.name_line, symbol.name), "")
            answers = {"references": references(graph, subject), "callers": callers(graph, subject)}
            questions = {name for name, answer in answers.items() if answer.nothing and answer.nothing.kind == "none"}
            questions |= {"dead"} if reason.startswith((NOT_IMPORTED, OWN_FILE, UNREFERENCED)) else set()
            if questions:
                within = not reason.startswith(UNREFERENCED)
                silent.append(Silence(symbol.breadcrumb, subject.declarations, frozenset(questions), within))
            if len(silent) == count:
                break
        return silent

    return workspace.analyse(asked)


def _is_named(root: Path, symbol: Symbol) -> bool:
    """Return whether the source has the name of a symbol: a callback, for one, has none of its own."""
    line = (root / symbol.relative_path).read_text(encoding="utf-8", errors="replace").split("\n")[symbol.name_line - 1]
    return re.search(rf"(?<![\w$]){re.escape(symbol.name)}(?![\w$])", line) is not None


def _uses(typescript: Path, root: Path, files: Sequence[str], silent: Sequence[Silence]) -> list[dict[str, Any] | None]:
    symbols = [
        [
            [each.relative_path, each.name_line, each.name, each.start_line, each.end_line, each.breadcrumb.split(" > ")[-2]]
            for each in silence.declarations
        ]
        for silence in silent
    ]
    command = ["node", "--max-old-space-size=6000", str(_SCRIPT), str(typescript.resolve()), str(root)]
    given = json.dumps({"files": files, "symbols": symbols}).encode()
    found: list[dict[str, Any] | None] = json.loads(subprocess.run(command, input=given, capture_output=True, check=True).stdout)
    return found


def main() -> None:
    """Print a row for each corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS", help="folder of a repository")
    parser.add_argument("--typescript", type=Path, required=True, metavar="FOLDER", help="folder of the package `typescript`")
    parser.add_argument("--symbols", type=int, default=200, help="symbols of each corpus with an answer of none")
    parser.add_argument("--show", action="store_true", help="print the false answers")
    options = parser.parse_args()
    print_head(_COLUMNS)
    for corpus in options.corpora:
        compare(corpus.resolve(), options.typescript, options.symbols, show=options.show)


if __name__ == "__main__":
    main()
