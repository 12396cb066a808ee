"""Compare the symbols that are said to have changed in commits with an independent comparison of both syntax trees.

    python -m tests.benchmarks.changed_symbols ROOT LANGUAGE [--below FOLDER] [--commits 60] [--typescript FOLDER]

ROOT is a clone that is read only. LANGUAGE is python, go, java or typescript. The newest commits without merges that change files
of the language below FOLDER are taken. The judge of each language has the language's own parser: `ast`, `go/parser`
(`GoDeclarations.go`), javac (`JavaOutlines.java`) and the TypeScript compiler in FOLDER (`declared_code.cjs`). It knows the
outermost declarations and the members of types. A symbol has changed if its code differs, or if only one state has its name;
comments and layout do not count. The members of a type that moved or was renamed count with it. A symbol inside of a
declaration of the judge counts as that declaration, by its lines. Symbols outside of all of them, such as functions that
statements assign, are not judged.
Prints one row of a Markdown table, and each difference.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from astrolabe.ingest.changes.changed_symbols import SymbolSide
from astrolabe.ingest.changes.comparison import compare_states
from astrolabe.ingest.changes.states import Comparison, compared_states
from astrolabe.ingest.history.git import GitRepository
from astrolabe.schema.languages import language_of
from astrolabe.schema.settings import Settings

from tests.benchmarks.markdown_tables import print_head, print_row

_HERE = Path(__file__).parent


class Row(NamedTuple):
    """A declaration that the judge knows."""

    name: str
    first: int
    last: int
    code: str


class Told(NamedTuple):
    """A symbol that is said to have changed, in one state."""

    side: SymbolSide
    #: Whether the symbol moved or was renamed, and its members with it.
    with_members: bool


class Compared(NamedTuple):
    """A file in both states of a commit, and the symbols that are said to have changed in it."""

    commit: str
    path: str
    #: Names of both states in the judge's folder; "" for a state without the file.
    old: str
    new: str
    old_told: list[Told]
    new_told: list[Told]


# ---------------------------------------------------------------------- Python


def python_rows(text: bytes) -> list[Row] | None:
    """Return what a Python file declares, or None if it has errors."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    rows: list[Row] = []
    _rows_of_statements("", tree.body, rows)
    return rows


def _rows_of_statements(outer: str, body: Iterable[ast.stmt], rows: list[Row]) -> list[str]:
    """Add the declarations among statements, and return the code of the statements that declare nothing."""
    rest: list[str] = []
    for statement in body:
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([first, *(each.lineno for each in statement.decorator_list)])
            _without_docstring(statement)
            rows.append(Row(outer + statement.name, first, last, ast.dump(statement)))
        elif isinstance(statement, ast.ClassDef):
            first = min([first, *(each.lineno for each in statement.decorator_list)])
            _without_docstring(statement)
            own = _rows_of_statements(f"{outer}{statement.name}.", statement.body, rows)
            head = [statement.name, *map(ast.dump, (*statement.decorator_list, *statement.bases, *statement.keywords))]
            rows.append(Row(outer + statement.name, first, last, "\n".join([*head, *own])))
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names = [name for target in targets for name in _assigned_names(target)]
            rows += [Row(outer + name, first, last, ast.dump(statement)) for name in names]
            rest += [] if names else [ast.dump(statement)]
        else:
            inner = [each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.excepthandler | ast.match_case)]
            blocks = [getattr(each, field, []) for each in (statement, *inner) for field in ("body", "orelse", "finalbody")]
            for block in blocks:
                rest += _rows_of_statements(outer, block, rows)
            rest += [] if any(blocks) else [ast.dump(statement)]
    return rest


def _without_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
    for each in ast.walk(node):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(each) is not None:
            del each.body[0]


def _assigned_names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _assigned_names(each)


# ---------------------------------------------------------------------- judges


def judged_rows(language: str, folder: Path, typescript: Path | None) -> dict[str, list[Row]]:
    """Return what the files of a folder declare, by their names, without the files that have errors."""
    if language == "python":
        found = {file.name: python_rows(file.read_bytes()) for file in folder.iterdir()}
        return {name: rows for name, rows in found.items() if rows is not None}
    with tempfile.TemporaryDirectory() as place:
        output = Path(place, "rows.json")
        judges = {
            "go": ["go", "run", str(_HERE / "GoDeclarations.go")],
            "java": ["java", str(_HERE / "JavaOutlines.java")],
            "typescript": ["node", str(_HERE / "declared_code.cjs"), str(typescript)],
        }
        subprocess.run([*judges[language], str(folder), str(output)], check=True)
        return {name: [Row(*row) for row in rows] for name, rows in json.loads(output.read_text("utf-8")).items()}


def changed_files(root: Path, wanted: argparse.Namespace, folder: Path) -> Iterator[Compared]:
    """Yield the changed files of commits with their symbols, and write both states of each file to a folder."""
    git = GitRepository(root)
    listed = git.text("rev-list", "--no-merges", "--min-parents=1", "HEAD", "--", f"{wanted.below or '.'}").split()
    taken = 0
    for commit in listed:
        if taken >= wanted.commits:
            return
        with compared_states(git, Comparison(range=commit), Settings().max_file_size) as states:
            paths = [path for path in (*states.changed, *states.added, *states.removed) if path.startswith(wanted.below)]
            came_from = states.renamed
            paths = [path for path in paths if language_of(path) == wanted.language and path not in came_from.values()]
            if not paths:
                continue
            taken += 1
            changes = compare_states(states, root.as_posix(), seconds=0)
            code = [each for each in changes.symbols if each.changes != ("layout",)]
            olds, news = defaultdict(list), defaultdict(list)
            for each in code:
                with_members = not {"moved", "renamed"}.isdisjoint(each.changes)
                if each.old is not None:
                    olds[each.old.path].append(Told(each.old, with_members))
                if each.new is not None:
                    news[each.new.path].append(Told(each.new, with_members))
            for place, path in enumerate(paths):
                old_path = came_from.get(path, path)
                names = []
                for side, data in (("old", states.read_old(old_path)), ("new", states.read_new(path))):
                    names.append("" if data is None else f"{commit}_{place}_{side}{Path(path).suffix}")
                    if data is not None:
                        (folder / names[-1]).write_bytes(data)
                yield Compared(commit[:10], path, *names, olds[old_path], news[path])


# ---------------------------------------------------------------------- comparison


def truly_changed(old: list[Row], new: list[Row]) -> set[str]:
    """Return the names of the declarations whose code differs, or which only one state has."""
    before, after = defaultdict(list), defaultdict(list)
    for rows, codes in ((old, before), (new, after)):
        for row in rows:
            codes[row.name].append(row.code)
    return {name for name in {*before, *after} if sorted(before[name]) != sorted(after[name])}


def declarations_of(told: Iterable[Told], rows: list[Row]) -> set[str]:
    """Return the names of the judge's declarations to which symbols belong."""
    found = set()
    for side, with_members in told:
        around = [row for row in rows if row.first <= side.line <= row.last]
        if not around:
            continue
        innermost = min(around, key=lambda row: (row.name != side.qualified_name, row.last - row.first, -len(row.name)))
        found.add(innermost.name)
        if with_members:
            found |= {row.name for row in rows if row.name.startswith(f"{side.qualified_name}.")}
    return found


def main() -> None:
    """Print the row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("language", choices=("python", "go", "java", "typescript"))
    parser.add_argument("--below", default="")
    parser.add_argument("--commits", type=int, default=60)
    parser.add_argument("--typescript", type=Path)
    wanted = parser.parse_args()
    root = wanted.root.resolve()
    commits, true, ours, both = set(), 0, 0, 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        compared = list(changed_files(root, wanted, folder))
        judged = {"": [], **judged_rows(wanted.language, folder, wanted.typescript)}
    for file in compared:
        if file.old not in judged or file.new not in judged:
            print(f"not judged: {file.commit} {file.path}", file=sys.stderr)
            continue
        commits.add(file.commit)
        old, new = judged[file.old], judged[file.new]
        expected = truly_changed(old, new)
        found = declarations_of(file.old_told, old) | declarations_of(file.new_told, new)
        true, ours, both = true + len(expected), ours + len(found), both + len(expected & found)
        for what, names in (("missed", expected - found), ("wrong", found - expected)):
            for name in sorted(names):
                print(f"{what}: {file.commit} {file.path} {name}", file=sys.stderr)
    precision, recall = both / max(ours, 1), both / max(true, 1)
    print_head(("repository", "language", "commits", "symbols", "precision", "recall"), texts=2)
    print_row((root.name, wanted.language, str(len(commits)), str(true), f"{precision:.3f}", f"{recall:.3f}"))


if __name__ == "__main__":
    main()
