"""Programs of Python files that exist only as texts, with the engine that resolves them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from astrolabe.ingest.files.source_text import decode_source
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.framework_rules.wiring import WiringRules
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.python import READER
from astrolabe.ingest.languages.python.runtime_facts import PythonRules
from astrolabe.ingest.languages.typescript.resolve.model.unit import SymbolIds, Unit
from astrolabe.ingest.nominal.edges.edges import NominalEdges
from astrolabe.ingest.nominal.engine import NominalEngine
from astrolabe.ingest.nominal.program import NominalProgram


class PythonProgram(NamedTuple):
    """A program, and what answers questions about it."""

    units: dict[str, Unit]
    engine: NominalEngine
    edges: NominalEdges


def python_program(
    sources: dict[str, str],
    symbol_id: SymbolIds = lambda unit, symbol: f"{unit.path}#{symbol}",
    wiring: WiringRules | None = None,
) -> PythonProgram:
    """Return the program of some files by their paths. The ids of symbols are those of `symbol_id`."""
    paths = sorted(sources)
    units = {
        path: Unit(place, path, READER.read(decode_source(sources[path].encode()), "python")) for place, path in enumerate(paths)
    }
    resolver = ImportResolver(WorkspaceFiles(Path("/nowhere"), paths, [], []))
    engine = NominalEngine(NominalProgram(units.get, resolver.resolve, PythonRules(), None, wiring))
    return PythonProgram(units, engine, NominalEdges(engine, symbol_id))
