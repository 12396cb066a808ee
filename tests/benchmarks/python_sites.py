"""Compares the edges of the Python files of a folder with what scip-python and pyright bind in them, site by site.

    scip-python index . --project-name NAME --project-version 1 --output INDEX.scip
    pyright --dependencies --verbose . > IMPORTS.txt
    python python_sites.py REPOSITORY INDEX.scip [--imports IMPORTS.txt] [--environment FOLDER] [--show COUNT]

This reads the files itself, without an index.

calls       a site is the name of a call, at its line and column. Right: an edge leads to the declaration that the judge names.
            Wrong: edges lead elsewhere, or the judge names something outside. Missed: the judge names a declaration of the
            folder, and there is no edge to it. Strict precision counts edges at sites where the judge is silent as wrong; a
            second column has it without tests, whose fixtures the judge does not know.
references  share of the functions, methods and classes of which as many uses are known as the judge names.
heritage    pairs of a class and a base, both in the folder, of all that the judge names.
imports     pairs of files of which one imports the other, by pyright: share that is told, and pairs that only we tell.

The judge's notation differs from ours in these cases, and none of them counts as an error:

- One name for several declarations, such as a function for each platform or the setter of a property: the judge names the first
  one. A declaration of the same file with the same qualified name is the same one.
- A call of a class: the judge names the class, and we name the constructor that runs, of the class or of one above it.
- A name that holds a function or class: the judge names the variable, and we name the value. Such a site counts as silent.
- The judge names a module where something is called. No module can be called, so it is silent. It names one for what stands
  behind `import *`, and for a function with the name of its module.
- The judge names a declaration with another name than the code, and no import of the folder renames anything to the name of the
  code. That is another thing behind the same `import *`, or the class of `self.__class__`, and the judge is silent.
- The judge takes the second of several declarations of one name, such as the setter of a property, for a use of the first one.
- The judge names a function in a function as if its class or module declared it. It is compared by its line.
- The judge names a function or class of the module `builtins` for an attribute of an unknown value: `set` for `config.set()`. No
  attribute means one of these, unless the value is the module `builtins`.
- A value of several classes: the judge names the member of one of them, and we name all, also those outside.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from astrolabe.ingest.files.path_roles import is_test_path
from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.import_targets import SourceTarget
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from judged_sites import Site, ratio, sites_in
from markdown_tables import print_head, print_row
from python_edges import FolderEdges
from scip_index import ScipIndex, read_index

_IMPORTS: Final = (ast.Import, ast.ImportFrom)
_CONSTRUCTORS: Final = frozenset(("__init__", "__new__", "__call__"))
#: What stands behind the package in a symbol: the module, and names each with a mark for its kind.
_DESCRIPTOR: Final = re.compile(r"(?:`[^`]*`|[\w.+\-$]+)/(?P<names>.*)")
_BUILTIN: Final = re.compile(r" builtins/\w+(?:#|\(\)\.)$")
_NAME: Final = re.compile(r"\w+")
_CALLABLE: Final = re.compile(r"(?:#|\(\)\.)$")
_IMPORTING: Final = re.compile(r"(?P<path>\S.*\.pyi?)$")

#: File and qualified name.
Named = tuple[str, str]


class CallSite(NamedTuple):
    """The name of a call: its line and column from 1 in characters, and whether a value stands before it."""

    line: int
    column: int
    is_member: bool


class Judge:
    """What scip-python names at each place."""

    def __init__(self, index: ScipIndex) -> None:
        self.symbols: dict[Site, list[str]] = defaultdict(list)
        #: Files and lines of the definitions of a symbol.
        self.defined: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self.uses: dict[str, set[Site]] = defaultdict(set)
        self.bases = index.bases
        self.paths = set(index.occurrences)
        for path, occurrences in index.occurrences.items():
            for each in occurrences:
                site = (path, each.line + 1, each.column + 1)
                if each.is_definition:
                    self.defined[each.symbol].add((path, each.line + 1))
                else:
                    self.symbols[site].append(each.symbol)
                    self.uses[each.symbol].add(site)

    def is_local(self, symbol: str) -> bool:
        """Return whether a symbol is a local variable or a parameter."""
        return " local " in symbol or symbol.endswith(")")

    def names_of(self, symbol: str) -> set[Named]:
        """Return a symbol's files, each with its qualified name."""
        name = qualified_name(symbol)
        return {(path, name) for path, _ in self.defined[symbol]} if symbol in self.defined else set()


def qualified_name(symbol: str) -> str:
    """Return the names in a module that a symbol consists of: `Desk.open` for "shop/Desk#open()."."""
    found = _DESCRIPTOR.search(symbol.rpartition(" ")[2])
    return ".".join(re.findall(r"\w+", found["names"])) if found is not None else ""


class Ours:
    """The edges of a folder by their sites."""

    def __init__(self, root: Path, environment: str) -> None:
        self.folder = FolderEdges(root, environment)
        self.calls: dict[Site, set[str]] = defaultdict(set)
        self.outside: set[Site] = set()
        #: Uses by the qualified name of a symbol, and by the line of its name.
        self.uses: dict[Named, set[Site]] = defaultdict(set)
        self.uses_by_line: dict[tuple[str, int], set[Site]] = defaultdict(set)
        #: Files and lines of all declarations with one qualified name.
        self.lines_by_name: dict[Named, set[tuple[str, int]]] = defaultdict(set)
        self.bases: dict[Named, set[Named]] = defaultdict(set)
        for unit in self.folder.units.values():
            for number, symbol in enumerate(unit.symbols):
                self.lines_by_name[unit.path, _name_in(unit, number)].add((unit.path, symbol.name_line))
            found = self.folder.edges.of_calls(unit)
            for call in found.calls:
                for site in sites_in(unit, call.lines, call.columns):
                    self.calls[site].add(call.to_id)
            for external in found.external_calls:
                self.outside.update(sites_in(unit, external.lines, external.columns))
            for use in found.references:
                used_at = sites_in(unit, use.lines, use.columns)
                self.uses[self.name_of(use.to_id)].update(used_at)
                self.uses_by_line[self.line_of(use.to_id)].update(used_at)
            for edge in self.folder.edges.of_names(unit).heritage:
                if not edge.to_external:
                    self.bases[self.name_of(edge.from_id)].add(self.name_of(edge.to_id))

    def name_of(self, symbol_id: str) -> Named:
        """Return the file and the qualified name of a symbol."""
        unit, symbol = self.folder.place(symbol_id)
        return unit.path, _name_in(unit, symbol)

    def line_of(self, symbol_id: str) -> tuple[str, int]:
        """Return the file of a symbol and the line of its name."""
        unit, symbol = self.folder.place(symbol_id)
        return unit.path, unit.symbols[symbol].name_line

    def classes_above(self, name: Named) -> set[Named]:
        """Return a class with all classes from which it derives."""
        seen, waiting = {name}, [name]
        while waiting:
            above = self.bases.get(waiting.pop(), set()) - seen
            seen |= above
            waiting += above
        return seen

    def imports(self, root: Path) -> set[tuple[str, str]]:
        """Return the pairs of files of which one imports the other."""
        resolve = ImportResolver(WorkspaceFiles(root, sorted(self.folder.units), [])).resolve
        found = set()
        for unit in self.folder.units.values():
            for entry in unit.facts.imports:
                target = resolve(entry.specifier, unit.path)
                if isinstance(target, SourceTarget) and target.path in self.folder.units:
                    found.add((unit.path, target.path))
        return found


def _name_in(unit: Unit, symbol: int) -> str:
    """Return the qualified name of a symbol. A statement around a class, such as `if os.name == "posix":`, is no part of it."""
    names: list[str] = []
    while symbol >= 0:
        if unit.symbols[symbol].kind != "expression":
            names.append(unit.symbols[symbol].name)
        symbol = unit.symbols[symbol].parent
    return ".".join(reversed(names))


def call_sites(tree: ast.Module, text: list[str]) -> Iterator[CallSite]:
    """Yield the names of all calls of a file, whose lines are `text`."""
    lines = [line.encode() for line in text]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield CallSite(node.func.lineno, _characters(lines, node.func.lineno, node.func.col_offset), False)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            line, end = node.func.end_lineno or 0, node.func.end_col_offset or 0
            yield CallSite(line, _characters(lines, line, end - len(node.func.attr.encode())), True)


def _characters(lines: list[bytes], line: int, offset: int) -> int:
    return len(lines[line - 1][:offset].decode("utf-8", "replace")) + 1


def _is_right(target: str, symbol: str, judge: Judge, ours: Ours) -> bool:
    """Return whether an edge leads to the declaration of a symbol, or to the constructor of the class."""
    path, name = ours.name_of(target)
    if ours.line_of(target) in judge.defined[symbol] or (path, name) in judge.names_of(symbol):
        return True
    owner, _, last = name.rpartition(".")
    is_of_class = symbol.endswith("#") and last in _CONSTRUCTORS
    return is_of_class and any((path, owner) in ours.classes_above(each) for each in judge.names_of(symbol))


class Code:
    """The files of a folder that Python can read, and the names that their imports give to something with another name."""

    def __init__(self, ours: Ours, paths: set[str]) -> None:
        texts = {path: decode_source((ours.folder.root / path).read_bytes()).data.decode() for path in ours.folder.units}
        self.trees = {path: tree for path, text in texts.items() if path in paths and (tree := _parsed(text)) is not None}
        self.lines = {path: texts[path].split("\n") for path in self.trees}
        imports = [node for tree in self.trees.values() for node in ast.walk(tree) if isinstance(node, _IMPORTS)]
        self._renamed = {name.asname for node in imports for name in node.names if name.asname}

    def has_name(self, site: Site, symbol: str) -> bool:
        """Return whether the name at a place, with its column in units of UTF-16, can mean a symbol."""
        path, line, column = site
        if path not in self.lines:
            return False
        text = self.lines[path][line - 1]
        rest = text[column - 1 :] if text.isascii() else text.encode("utf-16-le")[2 * column - 2 :].decode("utf-16-le")
        written = _NAME.match(rest)
        return written is not None and (written[0] in self._renamed or written[0] == _last_name(symbol))


def _judge_calls(ours: Ours, judge: Judge, code: Code, tally: Counter[str], shown: dict[str, list[str]]) -> None:
    for path, tree in code.trees.items():
        lines = code.lines[path]
        before = tally.copy()
        for line, column, is_member in call_sites(tree, lines):
            units = len(lines[line - 1][: column - 1].encode("utf-16-le")) // 2 + 1
            symbols = [each for each in judge.symbols.get((path, line, units), ()) if not each.endswith("/__init__:")]
            symbols = [each for each in symbols if judge.is_local(each) or code.has_name((path, line, units), each)]
            if is_member:
                symbols = [each for each in symbols if not _BUILTIN.search(each)]
            targets = ours.calls.get((path, line, column), set())
            inside = [each for each in symbols if each in judge.defined and not judge.is_local(each)]
            where = f"{path}:{line}:{column}"
            ends = sorted(":".join(map(str, ours.line_of(each))) for each in targets)
            if any(_is_right(target, symbol, judge, ours) for target in targets for symbol in inside):
                tally["right"] += 1
            elif inside and all(_CALLABLE.search(each) for each in inside):
                tally["missed"] += 1
                tally["wrong"] += bool(targets)
                shown["wrong" if targets else "missed"].append(f"{where} -> {inside}; ours {ends}")
            elif targets and _means_outside(symbols, judge) and (path, line, column) not in ours.outside:
                tally["wrong"] += 1
                shown["wrong"].append(f"{where} -> {symbols}; ours {ends}")
            elif targets:
                tally["unjudged"] += 1
                shown["unjudged"].append(f"{where}; ours {ends}; judge {symbols}")
        if not is_test_path(path):
            tally.update({f"{kind} outside of tests": count for kind, count in (tally - before).items()})


def _means_outside(symbols: list[str], judge: Judge) -> bool:
    """Return whether the judge names functions or classes outside of the folder."""
    is_inside = any(each in judge.defined or judge.is_local(each) for each in symbols)
    return not is_inside and any(_CALLABLE.search(each) for each in symbols)


def _parsed(text: str) -> ast.Module | None:
    """Return the syntax tree of a file; None if Python cannot read the file."""
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def _last_name(symbol: str) -> str:
    """Return the name of what a symbol means, without the names around it."""
    return qualified_name(symbol).rpartition(".")[2]


def imported_files(listing: Path, root: Path) -> set[tuple[str, str]]:
    """Return the pairs of files below a folder of which pyright says that one imports the other."""
    found: set[tuple[str, str]] = set()
    path, is_import = "", False
    prefix = f"file://{root}/"
    for line in listing.read_text(encoding="utf-8").splitlines():
        if line.startswith((" Imports ", " Imported by ")):
            is_import = line.startswith(" Imports ")
        elif line.startswith("    ") and path and is_import:
            if line.strip().startswith(prefix):
                found.add((path, line.strip().removeprefix(prefix)))
        elif not line.startswith(" "):
            named = _IMPORTING.fullmatch(line)
            path, is_import = (named["path"] if named is not None and (root / named["path"]).is_file() else ""), False
    return found


def compare(root: Path, index: Path, listing: Path | None, environment: str, show: int) -> list[str]:
    """Return the row of a folder in the table, and print the first sites that differ."""
    ours, judge = Ours(root, environment), Judge(read_index(index))
    tally: Counter[str] = Counter()
    shown: dict[str, list[str]] = defaultdict(list)
    code = Code(ours, judge.paths)
    _judge_calls(ours, judge, code, tally, shown)
    exact = total = 0
    for symbol, places in judge.defined.items():
        if not _CALLABLE.search(symbol) or judge.is_local(symbol) or _last_name(symbol) in _CONSTRUCTORS:
            continue
        total += 1
        known = [ours.uses.get(each, set()) for each in judge.names_of(symbol)]
        mine: set[Site] = set().union(*known, *(ours.uses_by_line.get(each, set()) for each in places))
        mine = {site for site in mine if site[0] in code.trees}
        others = {line for name in judge.names_of(symbol) for line in ours.lines_by_name.get(name, ())}
        wanted = {site for site in judge.uses[symbol] if site[:2] not in others and code.has_name(site, symbol)}
        exact += len(mine) == len(wanted)
        if len(mine) != len(wanted):
            more, less = sorted(mine - wanted)[:3], sorted(wanted - mine)[:3]
            shown["references"].append(f"{sorted(places)[0]} {qualified_name(symbol)}: more {more}; missed {less}")
    heritage = {
        (one, other)
        for symbol, bases in judge.bases.items()
        for base in bases
        if symbol.endswith("#") and base.endswith("#")
        for one in judge.names_of(symbol)
        for other in judge.names_of(base)
    }
    told = {pair for pair in heritage if pair[1] in ours.classes_above(pair[0])}
    shown["heritage"] += [str(pair) for pair in sorted(heritage - told)]
    figures = ["-", "-", "-"]
    if listing is not None:
        inside = {pair for pair in imported_files(listing, root) if pair[0] != pair[1] and set(pair) <= ours.folder.units.keys()}
        mine_imports = ours.imports(root)
        shown["imports"] += [f"{one} -> {other}" for one, other in sorted(inside - mine_imports)]
        shown["more imports"] += [f"{one} -> {other}" for one, other in sorted(mine_imports - inside)]
        figures = [f"{len(inside):,}", ratio(len(inside & mine_imports), len(inside)), f"{len(mine_imports - inside):,}"]
    for kind, rows in shown.items():
        for row in rows[:show]:
            print(f"  {kind} {row}")
    outside = {kind: tally[f"{kind} outside of tests"] for kind in ("right", "wrong", "unjudged")}
    right, wrong, missed, silent = tally["right"], tally["wrong"], tally["missed"], tally["unjudged"]
    return [
        root.name,
        f"{right + missed:,}",
        ratio(right, right + wrong),
        ratio(right, right + missed),
        ratio(right, right + wrong + silent),
        ratio(outside["right"], sum(outside.values())),
        f"{silent:,}",
        ratio(exact, total),
        ratio(len(told), len(heritage)),
        *figures,
    ]


def main() -> None:
    """Read the command line, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("index", type=Path)
    parser.add_argument("--imports", type=Path, help="what pyright prints of the dependencies of the files")
    parser.add_argument("--environment", default="", help="folder of the environment whose packages give types")
    parser.add_argument("--show", type=int, default=0)
    arguments = parser.parse_args()
    row = compare(arguments.repository.resolve(), arguments.index, arguments.imports, arguments.environment, arguments.show)
    calls = ("repository", "sites", "precision", "recall", "strict precision", "without tests", "unjudged")
    print_head((*calls, "references", "heritage", "imports", "recall", "more"))
    print_row(row)


if __name__ == "__main__":
    main()
