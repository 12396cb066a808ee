"""Writes the edges that the nominal engine finds in the Python files of a folder, as `export edges --json` writes edges.

    python python_edges.py REPOSITORY EDGES.json [--environment FOLDER]

This reads the files itself, without an index, and prints how long reading and resolving took. A scorer compares the
result with the index that scip-python writes of the same folder. `--environment` names the environment whose packages give
types: the one that scip-python sees.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.installed_files import InstalledFiles
from astrolabe.ingest.languages.python import LANGUAGE
from astrolabe.ingest.languages.python.runtime_facts import PythonRules
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.ingest.nominal.edges.edges import NominalEdges
from astrolabe.ingest.nominal.engine import NominalEngine
from astrolabe.ingest.nominal.program import NominalProgram


class FolderEdges:
    """The Python files of a folder, the edges that the engine finds in them, and the symbols that the ids of edges name."""

    def __init__(self, root: Path, environment: str = "") -> None:
        paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py") if ".git" not in path.parts)
        self.units = {
            path: Unit(place, path, extract_facts((root / path).read_bytes(), "python")) for place, path in enumerate(paths)
        }
        self.root = root
        self._places: dict[str, tuple[Unit, int]] = {}
        files = WorkspaceFiles(root, paths, [], [], environment)
        resolver, rules = ImportResolver(files), PythonRules()
        packages = rules.packages(files, InstalledFiles(root)) if environment else None
        program = NominalProgram(self.units.get, resolver.resolve, rules, None, LANGUAGE.wiring, packages=packages)
        engine = NominalEngine(program)
        self.edges = NominalEdges(engine, self._identity)
        self.edges.arguments.infer(list(self.units.values()))

    def place(self, symbol_id: str) -> tuple[Unit, int]:
        """Return the file of a symbol, and its place in the file."""
        return self._places[symbol_id]

    def _identity(self, unit: Unit, symbol: int) -> str:
        name = f"{unit.path}#{symbol}"
        self._places[name] = unit, symbol
        return name


def edges_of(root: Path, environment: str) -> dict[str, Any]:
    """Return the calls, heritage and counts of references of a folder, with lines from 1, and print the time they took."""
    started = time.perf_counter()
    folder = FolderEdges(root, environment)
    read = time.perf_counter()
    calls: list[dict[str, Any]] = []
    heritage: list[dict[str, Any]] = []
    uses: Counter[str] = Counter()
    unresolved = 0

    def end(prefix: str, name: str) -> dict[str, Any]:
        unit, symbol = folder.place(name)
        facts = unit.symbols[symbol]
        return {f"{prefix}File": unit.path, f"{prefix}Line": facts.declaration_line, f"{prefix}Name": facts.name}

    for unit in folder.units.values():
        bases = [edge for edge in folder.edges.of_names(unit).heritage if not edge.to_external]
        heritage += [{**end("from", e.from_id), **end("to", e.to_id), "kind": e.kind} for e in bases]
        found = folder.edges.of_calls(unit)
        for call in found.calls:
            row = {**end("from", call.from_id), **end("to", call.to_id), "form": call.form, "evidence": call.evidence}
            places_of_call = zip(call.lines, call.columns, strict=True)
            calls += [{**row, "fromLine": line, "fromColumn": column} for line, column in places_of_call]
        unresolved += sum(len(call.lines) for call in found.unresolved_calls)
        for reference in found.references:
            uses[reference.to_id] += len(reference.lines)
    inferred = sum(call["evidence"] == "inferred" for call in calls)
    print(f"{len(calls)} calls, {inferred} of them inferred; {unresolved} unresolved")
    print(f"{len(folder.units)} files; read {read - started:.2f} s, resolved {time.perf_counter() - read:.2f} s")
    references = {}
    for name, count in uses.items():
        unit, symbol = folder.place(name)
        references[f"{unit.path}:{unit.symbols[symbol].declaration_line}:{unit.symbols[symbol].name}"] = {"refs": count}
    return {"calls": calls, "imports": [], "heritage": heritage, "references": references}


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("edges", type=Path)
    parser.add_argument("--environment", default="", help="folder of the environment whose packages give types")
    arguments = parser.parse_args()
    edges = edges_of(arguments.repository, arguments.environment)
    arguments.edges.write_text(json.dumps(edges), encoding="utf-8")


if __name__ == "__main__":
    main()
