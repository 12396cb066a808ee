"""Prints what resolving costs against parsing, in one process: python tests/benchmarks/resolver_speed.py FOLDER...

The bare parse is tree-sitter alone; extraction is our parse with symbols, scopes and facts; resolving is everything from these
facts to all edges, what call sites give to parameters and the calls and references (which an answer needs first) also by
themselves. Reading declarations of runtimes and of installed packages is not counted. Each stage is processor time of
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

from astrolabe.ingest.facts.given import Given, merged
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.files.discovery import Discovery, discover
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.incremental.file_links import Links, count_names, have_tables, link_file, names_in
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.installed_files import InstalledFiles
from astrolabe.ingest.languages.typescript.installed_declarations import InstalledDeclarations
from astrolabe.ingest.languages.typescript.module_resolution import ModuleResolver
from astrolabe.ingest.languages.typescript.resolve.edges.edges import Edges
from astrolabe.ingest.languages.typescript.resolve.engine import Engine
from astrolabe.ingest.languages.typescript.resolve.model.program import Program
from astrolabe.ingest.languages.typescript.resolve.model.unit import Unit
from astrolabe.ingest.languages.typescript.runtime_facts import runtime_facts
from astrolabe.ingest.nominal.call_sites.call_site_types import ROUNDS
from astrolabe.ingest.resolution.nominal_files import InstalledPackages, NominalFiles, outline_of
from astrolabe.ingest.resolution.repository_edges import RepositoryEdges
from astrolabe.ingest.workers.gc_pause import paused_collector
from astrolabe.schema.process.stage_times import StageTimes
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
    "of it call sites s",
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
    #: Of resolving, what call sites give to parameters without annotation.
    call_sites: float
    #: Of resolving, calls, references and queries.
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
        stages = _resolve(folder, discovery, facts, library)
    resolving = sum(stages.seconds.values()) - stages.seconds["read"]
    return Cost(len(sources), parse, extracted - started, resolving, stages.seconds["call sites"], stages.seconds["calls"])


def _resolve(folder: Path, discovery: Discovery, facts: dict[str, FileFacts], library: FileFacts) -> StageTimes:
    """Makes all edges; the processor time of the stages."""
    stages = StageTimes(time.process_time)
    files = WorkspaceFiles(folder, facts, discovery.configuration_files, discovery.data_files)
    installed = InstalledFiles(folder)
    resolve = ImportResolver(files, {"typescript": ModuleResolver(files)}).resolve
    outlines = {path: outline_of(each) for path, each in facts.items()}
    engine = Engine(Program(outlines, resolve, library, InstalledDeclarations(installed).facts))
    units = engine.program.units
    links = Links({unit.path: link_file(unit, facts[unit.path], "", resolve) for unit in units}, *count_names(units), {}, False)
    stages.end("names")
    places = {path: place for place, path in enumerate(facts)}
    nominal = NominalFiles(places, facts.__getitem__, resolve, _identity, None, InstalledPackages(files, installed))
    nominal.prepare(units)
    stages.end("read")
    names = Edges(engine, _identity, names_in(links))
    edges = RepositoryEdges(engine, names, nominal, has_tables=have_tables(links.files.values()))
    edges.of_names(units)
    stages.end("names")
    received: Given | None = None
    for _ in range(ROUNDS if edges.infers(units) else 0):
        before, received = received, merged(edges.given_by(units, received).values())
        if received == before:
            break
    if received is not None:
        edges.receive(received)
    stages.end("call sites")
    edges.of_calls(units, lambda _: None)
    stages.end("calls")
    edges.of_annotations(units)
    edges.of_constructs(units)
    stages.end("constructs")
    return stages


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
        f"{cost.call_sites:.2f}",
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
