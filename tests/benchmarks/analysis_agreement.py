"""Compares analyses of random symbols with the TypeScript compiler's truth: analysis_agreement.py --truth FOLDER CORPUS...

FOLDER holds NAME.json for each corpus, as the judge of `edge_quality.py` writes it (and `edge_quality.py --truth` keeps it). Of
`--symbols` random symbols (200; a fixed seed) what `callees`, `callers`, `references` and `type_hierarchy` answer is held against
the compiler's whole set. A row tells for how many symbols it is equal, and the shares of single answers that are right and that
are found. Symbols that nothing has to do with agree as well, so those that have at least one answer are counted beside. Where the
compiler could as well have named another overload, either is right.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis_speed import indexed
from astrolabe.graphdb.database import GraphDatabase
from astrolabe.graphdb.symbols.symbol_table import symbols_of
from astrolabe.retrieval.analyses.call_hierarchy import callees, callers
from astrolabe.retrieval.analyses.finding import subject_of_ids
from astrolabe.retrieval.analyses.references import references
from astrolabe.retrieval.analyses.subject import Subject
from astrolabe.retrieval.analyses.type_hierarchy import RelatedType, type_hierarchy
from astrolabe.schema.records import SymbolRef
from markdown_tables import print_head, print_row

_COLUMNS = ("corpus", "answers", "symbols", "all as the compiler", "of those with any", "right", "found")


@dataclass(slots=True)
class Tally:
    """How the sets of many symbols compare."""

    symbols: int = 0
    equal: int = 0
    filled: int = 0
    filled_equal: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    differing: list[str] = field(default_factory=list)

    def add(self, name: str, found: set[Any], wanted: set[Any], allowed: set[Any] | None = None) -> None:
        """One symbol. `allowed` are answers that are as good as the wanted ones, but need not be given."""
        wrong = found - wanted - (allowed or set())
        missed = wanted - found
        self.symbols += 1
        self.equal += not wrong and not missed
        self.filled += bool(found or wanted)
        self.filled_equal += bool(found or wanted) and not wrong and not missed
        self.right += len(found) - len(wrong)
        self.wrong += len(wrong)
        self.missed += len(missed)
        if wrong or missed:
            self.differing.append(f"{name}: wrong {sorted(wrong)[:4]}, missed {sorted(missed)[:4]}")

    def cells(self) -> list[str]:
        """Figures in the order of the columns."""
        right = self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0
        found = self.right / (self.right + self.missed) if self.right + self.missed else 1.0
        filled = f"{self.filled_equal} of {self.filled}"
        return [str(self.symbols), f"{self.equal} of {self.symbols}", filled, f"{right:.4f}", f"{found:.4f}"]


class Truth:
    """The compiler's symbols and edges of one corpus."""

    def __init__(self, path: Path) -> None:
        data = json.loads(path.read_bytes())
        self.symbols: dict[str, dict[str, Any]] = {symbol["id"]: symbol for symbol in data["symbols"]}
        self._at: dict[tuple[str, int, str], str] = {}
        for symbol in data["symbols"]:
            for line in [*range(symbol["startLine"], symbol["nameLine"] + 1), *symbol.get("overloadLines", ())]:
                self._at.setdefault((symbol["file"], line, symbol["name"]), symbol["id"])
        #: By caller, for each call the declarations that the compiler may have meant: the one it named first.
        self.calls: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for call in data["calls"]:
            caller = f"file:{call['file']}" if call["from"] == "file" else call["from"]
            self.calls[caller].add((call["to"], *call.get("alts", ())))
        self.called: dict[str, set[str]] = defaultdict(set)
        #: Callers that the compiler may have meant, though it named another overload or implementation.
        self.called_as_well: dict[str, set[str]] = defaultdict(set)
        for caller, calls in self.calls.items():
            for to, *others in calls:
                (self.called_as_well if others else self.called)[to].add(caller)
                for other in others:
                    self.called_as_well[other].add(caller)
        self.above: dict[str, set[str]] = defaultdict(set)
        self.below: dict[str, set[str]] = defaultdict(set)
        for edge in data["heritage"]:
            self.above[edge["from"]].add(edge["to"])
            self.below[edge["to"]].add(edge["from"])
        self.references: dict[str, dict[str, Any]] = data["references"]

    def lists(self, symbol: SymbolRef) -> str | None:
        """The compiler's id of one of our symbols; None for what its list does not have."""
        return self._at.get((symbol.relative_path, symbol.declaration_line, symbol.name))


class Comparison:
    """Asks the analyses of one corpus, and compares."""

    def __init__(self, graph: GraphDatabase, truth: Truth) -> None:
        self.graph = graph
        self.truth = truth
        self.tallies = {name: Tally() for name in ("callees", "callers", "references", "references in files", "heritage")}
        rows = graph.rows("MATCH (s:Symbol) WHERE s.kind <> 'comment' RETURN s.relativePath, s.declarationLine, s.name, s.id")
        at = {(path, line, name): id for path, line, name, id in rows}
        #: Our id of each symbol that the compiler lists.
        self.ours: dict[str, str] = {}
        for symbol in truth.symbols.values():
            for line in [*range(symbol["startLine"], symbol["nameLine"] + 1), *symbol.get("overloadLines", ())]:
                if found := at.get((symbol["file"], line, symbol["name"])):
                    self.ours.setdefault(symbol["id"], found)

    def compare(self, identity: str) -> None:
        """Every analysis of one symbol."""
        subject = subject_of_ids(self.graph, identity, [self.ours[identity]])
        assert subject is not None
        if subject.kinds != {"class"}:  # whose answer gathers that of its members
            self._calls(identity, subject)
        found = references(self.graph, subject)
        wanted = self.truth.references.get(identity, {"refs": 0, "files": []})
        self.tallies["references"].add(identity, {found.total}, {wanted["refs"]})
        self.tallies["references in files"].add(identity, {file.path for file in found.files}, set(wanted["files"]))
        if subject.kinds & {"class", "interface"}:
            hierarchy = type_hierarchy(self.graph, subject)
            above = [*hierarchy.implements, *([hierarchy.extends] if hierarchy.extends else [])]
            wanted_types = {f"up {id}" for id in self.truth.above[identity]} | {f"down {id}" for id in self.truth.below[identity]}
            ours = self._types("up", above) | self._types("down", hierarchy.subtypes)
            self.tallies["heritage"].add(identity, ours, wanted_types)

    def _calls(self, identity: str, subject: Subject) -> None:
        truth = self.truth
        # The compiler's list credits what a function expression calls to the symbol around it.
        outgoing = {
            self._identity(call.symbol)
            for call in callees(self.graph, subject).calls
            if call.within is None or truth.lists(call.within) is None
        }
        wanted, allowed = set(), set()
        for to, *others in truth.calls[identity]:
            named = next((id for id in (to, *others) if id in outgoing), to)
            wanted.add(named)
            allowed |= {to, *others}
        self.tallies["callees"].add(identity, outgoing, wanted, allowed)
        incoming = {self._holder(call.symbol) for call in callers(self.graph, subject).calls if call.form == "call"}
        self.tallies["callers"].add(identity, incoming, truth.called[identity], truth.called_as_well[identity])

    def _identity(self, symbol: SymbolRef) -> str:
        return self.truth.lists(symbol) or f"unlisted {symbol.qualified_name} ({symbol.place})"

    def _holder(self, symbol: SymbolRef) -> str:
        """The compiler's id of a symbol or of the nearest one around it, else its file."""
        if found := self.truth.lists(symbol):
            return found
        for outer in reversed(symbols_of(self.graph).enclosing([symbol.id]).get(symbol.id, [])):
            if found := next((id for id, ours in self.ours.items() if ours == outer.id), None):
                return found
        return f"file:{symbol.relative_path}"

    def _types(self, direction: str, types: Sequence[RelatedType]) -> set[str]:
        return {f"{direction} {self._identity(found.symbol)}" for found in types if found.symbol is not None}


def main(arguments: Sequence[str]) -> None:
    """Prints the table, corpus by corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS", help="folder of a repository")
    parser.add_argument("--truth", type=Path, required=True, metavar="FOLDER", help="the compiler's answers")
    parser.add_argument("--symbols", type=int, default=200)
    parser.add_argument("--data-dir", type=Path, metavar="FOLDER", help="an index of the corpus to use and keep")
    parser.add_argument("--show", type=int, default=0, help="differences to list for each analysis")
    options = parser.parse_args(arguments)
    print_head(_COLUMNS, texts=2)
    for corpus in options.corpora:
        truth = Truth(options.truth / f"{corpus.resolve().name}.json")
        with indexed(corpus.resolve(), options.data_dir) as graph:
            comparison = Comparison(graph, truth)
            chosen = random.Random(5).sample(sorted(comparison.ours), min(options.symbols, len(comparison.ours)))
            for identity in chosen:
                comparison.compare(identity)
        for name, tally in comparison.tallies.items():
            print_row([corpus.name, name, *tally.cells()])
            for line in tally.differing[: options.show]:
                print(f"    {line}")


if __name__ == "__main__":
    main(sys.argv[1:])
