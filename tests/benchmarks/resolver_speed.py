"""Prints what resolving costs against parsing, in one process: python tests/benchmarks/resolver_speed.py FOLDER...

The bare parse is tree-sitter alone; extraction is our parse with symbols, scopes and facts; resolving is everything from these
facts to all edges, the calls and references (which an answer needs first) also by themselves. Each stage is processor time of
one thread over the files that an index of the folder holds. `--copies 1 4 16` resolves so many copies of each folder side by
side, as one repository, to show how the cost grows.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.files.discovery import Discovery, discover
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.incremental.file_links import Links, count_names, link_file, names_in
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.installed_files import InstalledFiles
from astrolabe.ingest.languages.typescript.installed_declarations import InstalledDeclarations
from astrolabe.ingest.languages.typescript.module_resolution import ModuleResolver
from astrolabe.ingest.languages.typescript.resolve.edges.edges import Edges
from astrolabe.ingest.languages.typescript.resolve.engine import Engine
from astrolabe.ingest.languages.typescript.resolve.model.program import Program, Unit
from astrolabe.ingest.languages.typescript.runtime_facts import runtime_facts
from astrolabe.ingest.workers.gc_pause import paused_collector
from astrolabe.schema.settings import Settings
from index_speed import parse_seconds
from markdown_tables import print_head, print_row

_COLUMNS = (
    "corpus",
    "copies",
    "files",
    "parse s",
    "extraction s",
    "resolving s",
    "of it calls s",
    "to parse",
    "to extraction",
)


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of processor time of one folder, single-threaded."""

    files: int
    parse: float
    extraction: float
    resolving: float
    #: Of resolving, the names, calls and references.
    calls: float


def measure(folder: Path) -> Cost:
    """Each stage once, on one folder."""
    discovery = discover(folder, Settings())
    sources = {file.relative_path: (file.language, (folder / file.relative_path).read_bytes()) for file in discovery.files}
    library = runtime_facts()
    begun = time.process_time()
    parse_seconds(list(sources.values()))
    parse = time.process_time() - begun
    with paused_collector():
        started = time.process_time()
        facts = {path: extract_facts(data, language) for path, (language, data) in sources.items()}
        extracted = time.process_time()
        called = _resolve(folder, discovery, facts, library)
        resolved = time.process_time()
    return Cost(len(sources), parse, extracted - started, resolved - extracted, called - extracted)


def _resolve(folder: Path, discovery: Discovery, facts: dict[str, FileFacts], library: FileFacts) -> float:
    """Makes all edges; the processor time when calls and references were there."""
    resolver = ModuleResolver(WorkspaceFiles(folder, facts, discovery.configuration_files))
    engine = Engine(Program(facts, resolver.resolve, library, InstalledDeclarations(InstalledFiles(folder)).facts))
    units = engine.program.units
    members, methods = count_names(units)
    files = {unit.path: link_file(unit, "", resolver.resolve) for unit in units}
    edges = Edges(engine, _identity, names_in(Links(files, members, methods, {}, False)))
    edges.of_names(units)
    edges.of_calls(units, lambda _: None)
    called = time.process_time()
    edges.of_annotations(units)
    edges.of_constructs(units)
    return called


def _identity(unit: Unit, symbol: int) -> str:
    return f"{unit.index}:{symbol}"


def table_row(folder: Path, copies: int) -> list[str]:
    """The figures of one corpus, in the order of the columns."""
    if copies == 1:
        cost = measure(folder)
    else:
        with tempfile.TemporaryDirectory() as name:
            for number in range(copies):
                shutil.copytree(folder, Path(name) / f"copy{number}", symlinks=True)
            cost = measure(Path(name))
    return [
        folder.name,
        str(copies),
        f"{cost.files:,}",
        f"{cost.parse:.2f}",
        f"{cost.extraction:.2f}",
        f"{cost.resolving:.2f}",
        f"{cost.calls:.2f}",
        f"{cost.resolving / cost.parse:.2f}",
        f"{cost.resolving / cost.extraction:.2f}",
    ]


def main(arguments: Sequence[str]) -> None:
    """Prints a Markdown table, row by row."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--copies", nargs="+", type=int, default=[1], metavar="N")
    options = parser.parse_args(arguments)
    print_head(_COLUMNS)
    for folder in options.folders:
        for copies in options.copies:
            print_row(table_row(folder.resolve(), copies))


if __name__ == "__main__":
    main(sys.argv[1:])
