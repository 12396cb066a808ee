"""Compares the calls of Python files with call graphs that people wrote: the benchmarks of PyCG, PyAnalyzer and Jarvis.

    python python_call_graphs.py micro SNIPPETS        # folders CATEGORY/CASE with main.py and callgraph.json
    python python_call_graphs.py macro PROJECT GRAPH.json

This fetches nothing. A graph maps the dotted name of each function to the names of those that it may call.

Five differences of notation are bridged. A lambda has no symbol, so what it calls counts for the function around it, and a
call of a lambda is left out. A call of a class runs the `__init__` that the class has or inherits. An import runs a module and
a declaration runs the body of a class: a graph may say so, and what the folder has no call for is left out. A property runs
where it is read: such references count where the graph has them. A graph says what may run, and a call says what its
receiver's type declares: where `--dispatch` is given, a function that overrides the one that is called counts as called. Only
calls of functions of the same folder are compared, by callers that the graph lists.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from python_edges import FolderEdges

_LAMBDA: Final = re.compile(r"\.<lambda\d*>.*")
#: Kinds of symbols whose names are parts of the names of a graph.
_SCOPES: Final = frozenset(("class", "enum", "interface", "function", "method", "constructor", "getter", "setter"))

#: Pairs of a caller and a callee.
Graph = set[tuple[str, str]]


class Comparison(NamedTuple):
    """The calls of a folder beside those of a graph."""

    right: Graph
    missing: Graph
    wrong: Graph


def read_graph(path: Path) -> dict[str, set[str]]:
    """Return the callees of each caller of a graph, without lambdas of their own."""
    graph: dict[str, set[str]] = {}
    for caller, callees in json.loads(path.read_text(encoding="utf-8")).items():
        kept = {name for name in callees if not _LAMBDA.search(name)}
        graph.setdefault(_LAMBDA.sub("", caller), set()).update(kept)
    return graph


class _Names:
    """The names that a graph has for the symbols of a folder."""

    def __init__(self, folder: FolderEdges, graph: dict[str, set[str]]) -> None:
        self._folder = folder
        written = {*graph, *(name for callees in graph.values() for name in callees)}
        known = {".".join(parts[:end]) for name in written for parts in [name.split(".")] for end in range(1, len(parts) + 1)}
        self._modules = {path: _module_name(path, known) for path in folder.units}
        self._classes = {
            self.of_symbol(unit, symbol)
            for unit in folder.units.values()
            for symbol, facts in enumerate(unit.symbols)
            if facts.kind == "class"
        }

    def of(self, symbol_id: str) -> str:
        """Return the dotted name of the function, class or module that is or contains a symbol."""
        return self.of_symbol(*self._folder.place(symbol_id))

    def of_symbol(self, unit: Unit, symbol: int) -> str:
        parts: list[str] = []
        while symbol >= 0:
            facts = unit.symbols[symbol]
            if facts.kind in _SCOPES:
                parts.append(facts.name)
            symbol = facts.parent
        return ".".join([self._modules[unit.path], *reversed(parts)])

    def caller(self, symbol_id: str, line: int) -> str:
        """Return the name of what calls at a line of a symbol: decorators are called by what is around the function."""
        unit, symbol = self._folder.place(symbol_id)
        while symbol >= 0 and line < unit.symbols[symbol].name_line:
            symbol = unit.symbols[symbol].parent
        return self.of_symbol(unit, symbol)

    def is_own(self, name: str) -> bool:
        """Return whether a name of the graph is one of this folder."""
        return any(name == module or name.startswith(f"{module}.") for module in self._modules.values())

    def is_run_by_loading(self, caller: str, callee: str) -> bool:
        """Return whether a callee is a module, or a class that is declared in the caller."""
        return callee in self._modules.values() or (callee in self._classes and callee.rpartition(".")[0] == caller)

    def is_class(self, symbol_id: str) -> bool:
        """Return whether a symbol is a class."""
        unit, symbol = self._folder.place(symbol_id)
        return unit.symbols[symbol].kind == "class"

    def is_property(self, symbol_id: str) -> bool:
        """Return whether a symbol is a function that runs where an attribute is read or written."""
        unit, symbol = self._folder.place(symbol_id)
        return unit.symbols[symbol].kind in ("getter", "setter")

    def is_callable(self, symbol_id: str) -> bool:
        """Return whether a symbol is a function or a class, as all names of a graph are."""
        unit, symbol = self._folder.place(symbol_id)
        return unit.symbols[symbol].kind in _SCOPES


def _module_name(path: str, known: set[str]) -> str:
    """Return the longest name of a module that the graph has for a file: packages above the graph's root are left out."""
    parts = list(PurePosixPath(path).with_suffix("").parts)
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    names = [".".join(parts[start:]) for start in range(len(parts))]
    return next((name for name in names if name in known), names[0])


def compare(root: Path, graph: dict[str, set[str]], *, dispatches: bool) -> Comparison:
    """Compare the calls of the Python files of a folder with a graph."""
    folder = FolderEdges(root)
    names = _Names(folder, graph)
    found: Graph = set()
    bases: dict[str, list[str]] = {}
    overriding: dict[str, set[str]] = {}
    constructors: set[str] = set()
    calls: set[tuple[str, str]] = set()
    property_reads: Graph = set()
    for unit in folder.units.values():
        declared = folder.edges.of_names(unit)
        for base in declared.heritage:
            if not base.to_external:
                bases.setdefault(names.of(base.from_id), []).append(names.of(base.to_id))
        for override in declared.overrides:
            if not override.to_external:
                overriding.setdefault(names.of(override.to_id), set()).add(names.of(override.from_id))
        for symbol, facts in enumerate(unit.symbols):
            if facts.name == "__init__" and facts.kind in _SCOPES:
                constructors.add(names.of_symbol(unit, symbol))
        resolved = folder.edges.of_calls(unit)
        for call in resolved.calls:
            calls |= {(names.caller(call.from_id, line), call.to_id) for line in call.lines}
        for read in resolved.references:
            if names.is_property(read.to_id):
                property_reads |= {(names.caller(read.from_id, line), names.of(read.to_id)) for line in read.lines}
    for caller, to_id in calls:
        callee = names.of(to_id)
        if names.is_class(to_id):
            made = _constructor(callee, bases, constructors)
            if made or callee in graph.get(caller, ()):
                found.add((caller, made or callee))
        elif names.is_callable(to_id):
            found.add((caller, callee))
    wanted = {(caller, callee) for caller, callees in graph.items() for callee in callees if names.is_own(callee)}
    found = {pair for pair in found if pair[0] in graph} | (property_reads & wanted)
    wanted = {pair for pair in wanted if pair in found or not names.is_run_by_loading(*pair)}
    reached = {*found, *_dispatched(found, overriding)} if dispatches else found
    return Comparison(found & wanted, wanted - reached, found - wanted)


def _constructor(name: str, bases: dict[str, list[str]], constructors: set[str]) -> str:
    """Return the `__init__` that a class has or inherits, "" if it has none in the folder."""
    waiting, seen = [name], set[str]()
    while waiting:
        current = waiting.pop(0)
        if f"{current}.__init__" in constructors:
            return f"{current}.__init__"
        if current not in seen:
            seen.add(current)
            waiting += bases.get(current, [])
    return ""


def _dispatched(calls: Graph, overriding: dict[str, set[str]]) -> Iterable[tuple[str, str]]:
    """Yield the calls of functions that override a called one."""
    for caller, callee in calls:
        waiting, seen = [callee], {callee}
        while waiting:
            for other in overriding.get(waiting.pop(), set()) - seen:
                seen.add(other)
                waiting.append(other)
                yield caller, other


def _print_differences(comparison: Comparison, indent: str) -> None:
    for mark, pairs in (("missing", comparison.missing), ("wrong", comparison.wrong)):
        for caller, callee in sorted(pairs):
            print(f"{indent}{mark}: {caller} -> {callee}")


def _micro(root: Path, *, dispatches: bool, shows: bool) -> None:
    cases = sorted(path.parent for path in root.glob("*/*/callgraph.json"))
    complete = sound = both = edges = found = wrong = 0
    for case in cases:
        comparison = compare(case, read_graph(case / "callgraph.json"), dispatches=dispatches)
        complete += not comparison.wrong
        sound += not comparison.missing
        both += not comparison.missing and not comparison.wrong
        edges += len(comparison.right) + len(comparison.missing)
        found += len(comparison.right)
        wrong += len(comparison.wrong)
        if shows and (comparison.missing or comparison.wrong):
            print(f"{case.parent.name}/{case.name}")
            _print_differences(comparison, "    ")
    print(f"{len(cases)} cases: {sound} with every call, {complete} without a wrong one, {both} with both")
    print(f"{found} of {edges} calls found, {wrong} wrong")


def _macro(root: Path, graph: Path, *, dispatches: bool, shows: bool) -> None:
    comparison = compare(root, read_graph(graph), dispatches=dispatches)
    right, missing, wrong = (len(pairs) for pairs in comparison)
    if shows:
        _print_differences(comparison, "")
    precision, recall = right / max(right + wrong, 1), (right / max(right + missing, 1))
    print(f"{graph.stem}: {right} right, {missing} missing, {wrong} wrong: P {precision:.3f} R {recall:.3f}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", choices=("micro", "macro"))
    parser.add_argument("root", type=Path)
    parser.add_argument("graph", type=Path, nargs="?")
    parser.add_argument("--dispatch", action="store_true", help="count overriding functions as called")
    parser.add_argument("--show", action="store_true", help="print each difference")
    arguments = parser.parse_args()
    if arguments.benchmark == "micro":
        _micro(arguments.root, dispatches=arguments.dispatch, shows=arguments.show)
    elif arguments.graph is None:
        parser.error("macro needs the file of a graph")
    else:
        _macro(arguments.root, arguments.graph, dispatches=arguments.dispatch, shows=arguments.show)


if __name__ == "__main__":
    main()
